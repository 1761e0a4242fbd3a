//! Legality check: the first reason against a move.

use parlor_core::Seat;

use crate::game::{Interrupt, PendingDecision, STATIONS};
use crate::moves::Move;
use crate::{Card, Cards, City, EventCard, Game, Illegal, Role};

impl Game {
    pub(crate) fn check_move(&self, m: &Move) -> Result<(), Illegal> {
        let pending = self.pending_decision();
        match (pending, m) {
            (PendingDecision::Over(_), _) => return Err(Illegal::Over),
            (PendingDecision::Luck, _) => return Err(Illegal::Drawing),
            (PendingDecision::Consent(_), Move::Agree | Move::Decline) => return Ok(()),
            (PendingDecision::Consent(_), _) => return Err(Illegal::AnswerFirst),
            (_, Move::Agree | Move::Decline) => return Err(Illegal::NotAsked),
            (_, Move::Next { city }) => return self.check_next(*city),
            (PendingDecision::Order(_), _) => return Err(Illegal::ForecastFirst),
            _ => {}
        }
        if m.event().is_some() {
            self.check_event(m, pending)?;
        } else {
            self.check_stage(m, pending)?;
        }
        self.check_consent(m)
    }

    fn check_next(&self, city: City) -> Result<(), Illegal> {
        match self.interrupt {
            Some(Interrupt::Order { seen, .. }) if seen.has(city) => Ok(()),
            _ => Err(Illegal::NotLookedAt(city)),
        }
    }

    /// Checks a move that is not an event: it must fit the current stage of the turn.
    fn check_stage(&self, m: &Move, pending: PendingDecision) -> Result<(), Illegal> {
        match (pending, m) {
            (PendingDecision::Limit(seat), Move::Discard { card }) => self.check_card(seat, *card),
            (PendingDecision::Limit(seat), _) => Err(Illegal::LimitFirst(
                self.hand(seat).len() - crate::HAND_LIMIT,
            )),
            (_, Move::Discard { .. }) => Err(Illegal::NoLimit),
            (PendingDecision::Act, Move::Draw) => Ok(()),
            (PendingDecision::Act, m) if m.is_action() && self.actions == 0 => {
                Err(Illegal::NoActions)
            }
            (PendingDecision::Act, m) if m.is_action() => self.check_action(m, self.active),
            (PendingDecision::Intensify, Move::Intensify)
            | (PendingDecision::NextEpidemic, Move::Epidemic) => Ok(()),
            (PendingDecision::Infect, Move::Infect | Move::InfectAll) => Ok(()),
            (PendingDecision::Act, _) => Err(Illegal::NotNow(
                "actions come first, then two cards are drawn",
            )),
            (PendingDecision::Intensify, _) => {
                Err(Illegal::NotNow("the epidemic has to be intensified"))
            }
            (PendingDecision::NextEpidemic, _) => {
                Err(Illegal::NotNow("the second epidemic has to be resolved"))
            }
            _ => Err(Illegal::NotNow("infection cards have to be turned")),
        }
    }

    fn check_action(&self, m: &Move, by: Seat) -> Result<(), Illegal> {
        if let Some((pawn, to)) = m.pawn() {
            self.check_pawn(pawn, to)?;
            if pawn != by && self.role(by) != Some(Role::Dispatcher) {
                return Err(Illegal::NotYourPawn);
            }
            return self.check_pawn_move(m, pawn, to, by);
        }
        match *m {
            Move::Expert { to, card } => self.check_expert(to, card, by),
            Move::Build { from } => {
                let here = self.pawn(by);
                self.check_station(here, from)?;
                if self.role(by) == Some(Role::OperationsExpert) {
                    Ok(())
                } else {
                    self.check_card(by, here.into())
                }
            }
            Move::Treat { color } => {
                let city = self.pawn(by);
                if self.cubes.count(city, color) > 0 {
                    Ok(())
                } else {
                    Err(Illegal::NoCubes { city, color })
                }
            }
            Move::Give { card, to } => self.check_share(card, by, to, by),
            Move::Take { card, from } => self.check_share(card, from, by, by),
            Move::Cure { .. } => self.check_cure(m, by),
            Move::Fetch { event } => self.check_fetch(event, by),
            _ => Err(Illegal::NotNow("that is no action")),
        }
    }

    fn check_pawn(&self, pawn: Seat, to: City) -> Result<(), Illegal> {
        if pawn.number() >= self.rules.players() {
            return Err(Illegal::NoPawn);
        }
        if self.pawn(pawn) == to {
            Err(Illegal::SameCity(to))
        } else {
            Ok(())
        }
    }

    fn check_pawn_move(&self, m: &Move, pawn: Seat, to: City, by: Seat) -> Result<(), Illegal> {
        let from = self.pawn(pawn);
        match m {
            Move::Drive { .. } if !from.neighbors().has(to) => {
                Err(Illegal::NotConnected { from, to })
            }
            Move::Fly { .. } => self.check_card(by, to.into()),
            Move::Charter { .. } => self.check_card(by, from.into()),
            Move::Shuttle { .. } => [from, to]
                .into_iter()
                .try_for_each(|city| self.check_has_station(city)),
            Move::Join { .. } if self.role(by) != Some(Role::Dispatcher) => {
                Err(Illegal::OnlyRole(Role::Dispatcher))
            }
            Move::Join { .. } if !self.occupied().has(to) => Err(Illegal::NobodyThere(to)),
            _ => Ok(()),
        }
    }

    fn check_expert(&self, to: City, card: City, by: Seat) -> Result<(), Illegal> {
        if self.role(by) != Some(Role::OperationsExpert) {
            return Err(Illegal::OnlyRole(Role::OperationsExpert));
        }
        if self.flown {
            return Err(Illegal::Flown);
        }
        self.check_pawn(by, to)?;
        self.check_has_station(self.pawn(by))?;
        self.check_card(by, card.into())
    }

    fn check_has_station(&self, city: City) -> Result<(), Illegal> {
        if self.stations.has(city) {
            Ok(())
        } else {
            Err(Illegal::NoStation(city))
        }
    }

    /// Checks that a station can be built, moving one from another city if necessary.
    fn check_station(&self, at: City, from: Option<City>) -> Result<(), Illegal> {
        if self.stations.has(at) {
            return Err(Illegal::StationThere(at));
        }
        match from {
            None if self.stations.len() >= STATIONS => Err(Illegal::NameAStation),
            Some(_) if self.stations.len() < STATIONS => Err(Illegal::StationsLeft),
            Some(from) => self.check_has_station(from),
            None => Ok(()),
        }
    }

    fn check_card(&self, seat: Seat, card: Card) -> Result<(), Illegal> {
        if self.hand(seat).has(card) {
            Ok(())
        } else {
            Err(Illegal::NoCard(card))
        }
    }

    fn check_share(&self, card: City, giver: Seat, taker: Seat, by: Seat) -> Result<(), Illegal> {
        let other = if giver == by { taker } else { giver };
        if other.number() >= self.rules.players() {
            return Err(Illegal::NoPawn);
        }
        let here = self.pawn(giver);
        if giver == taker || self.pawn(taker) != here {
            return Err(Illegal::NotTogether);
        }
        self.check_card(giver, card.into())?;
        if card == here || self.role(giver) == Some(Role::Researcher) {
            Ok(())
        } else {
            Err(Illegal::OtherCity { here })
        }
    }

    fn check_cure(&self, m: &Move, by: Seat) -> Result<(), Illegal> {
        let Move::Cure { color, cards } = *m else {
            return Ok(());
        };
        self.check_has_station(self.pawn(by))?;
        if self.is_cured(color) {
            return Err(Illegal::AlreadyCured(color));
        }
        let cards = Cards(u64::from(cards & 0xFFF) << (12 * color.index()));
        if let Some(missing) = cards.minus(self.hand(by)).iter().next() {
            return Err(Illegal::NoCard(missing));
        }
        let (needed, given) = (self.cards_for_cure(by), cards.len());
        if given == needed {
            Ok(())
        } else {
            Err(Illegal::CureCards { needed, given })
        }
    }

    fn check_fetch(&self, event: EventCard, by: Seat) -> Result<(), Illegal> {
        if self.role(by) != Some(Role::ContingencyPlanner) {
            return Err(Illegal::OnlyRole(Role::ContingencyPlanner));
        }
        match self.stored {
            Some(stored) => Err(Illegal::AlreadyStored(stored)),
            None if !self.discard.has(event) => Err(Illegal::EventNotDiscarded(event)),
            None => Ok(()),
        }
    }

    fn check_event(&self, m: &Move, pending: PendingDecision) -> Result<(), Illegal> {
        let Some(event) = m.event() else {
            return Ok(());
        };
        if self.holder(event).is_none() {
            return Err(Illegal::NotHeld(event));
        }
        if pending == PendingDecision::Intensify && event != EventCard::ResilientPopulation {
            return Err(Illegal::EventNow(event));
        }
        match *m {
            Move::Airlift { pawn, to } => self.check_pawn(pawn, to),
            Move::Grant { at, from } => self.check_station(at, from),
            Move::Forecast if self.infection.is_empty() => Err(Illegal::NothingToSee),
            Move::QuietNight if self.quiet_night => Err(Illegal::AlreadyQuiet),
            Move::Resilient { city } if !self.infection.discard.has(city) => {
                Err(Illegal::NotDiscarded(city))
            }
            _ => Ok(()),
        }
    }

    /// Checks that the player to be asked has not just declined.
    fn check_consent(&self, m: &Move) -> Result<(), Illegal> {
        let Some(by) = self.seat_moving(m) else {
            return Ok(());
        };
        match self.owner(m, by) {
            Some(owner) if self.rules.consent() && self.has_declined(owner) => {
                Err(self.role(owner).map_or(Illegal::NoPawn, Illegal::Declined))
            }
            _ => Ok(()),
        }
    }
}
