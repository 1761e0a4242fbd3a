//! Legality check: the first reason against a move.

use parlor_core::Seat;

use crate::game::{Interrupt, PendingDecision, STATIONS};
use crate::moves::{Action, EventPlay, Move, TurnStep, Way};
use crate::{Card, Cards, City, ColorCities, EventCard, Game, Illegal, Role};

impl Game {
    pub(crate) fn check_move(&self, m: &Move) -> Result<(), Illegal> {
        let pending = self.pending_decision();
        match *m {
            Move::Action(action) => {
                if pending != PendingDecision::Act {
                    return Err(self.due_first(pending));
                }
                self.check_action(action, self.active)?;
            }
            Move::Event(event) => self.check_event(event, pending)?,
            Move::Step(step) => return self.check_step(step, pending),
        }
        self.check_consent(m)
    }

    /// Returns the reason against everything but the decision that is due.
    fn due_first(&self, pending: PendingDecision) -> Illegal {
        match pending {
            PendingDecision::Over(_) => Illegal::Over,
            PendingDecision::Luck => Illegal::Drawing,
            PendingDecision::Consent(_) => Illegal::AnswerFirst,
            PendingDecision::Order(_) => Illegal::ForecastFirst,
            PendingDecision::Limit(seat) => {
                Illegal::LimitFirst(self.hand(seat).len() - crate::HAND_LIMIT)
            }
            PendingDecision::Act => Illegal::NotNow("actions come first, then two cards are drawn"),
            PendingDecision::Intensify => Illegal::NotNow("the epidemic has to be intensified"),
            PendingDecision::NextEpidemic => {
                Illegal::NotNow("the second epidemic has to be resolved")
            }
            PendingDecision::Infect => Illegal::NotNow("infection cards have to be turned"),
        }
    }

    /// Checks a step: it must be what is due.
    fn check_step(&self, step: TurnStep, pending: PendingDecision) -> Result<(), Illegal> {
        use PendingDecision as Due;
        use TurnStep as Step;
        match (step, pending) {
            (_, Due::Over(_) | Due::Luck) => Err(self.due_first(pending)),
            (Step::Agree | Step::Decline, Due::Consent(_)) => Ok(()),
            (_, Due::Consent(_)) => Err(self.due_first(pending)),
            (Step::Agree | Step::Decline, _) => Err(Illegal::NotAsked),
            (Step::Next { city }, _) => self.check_next(city),
            (_, Due::Order(_)) => Err(self.due_first(pending)),
            (Step::Discard { card }, Due::Limit(seat)) => self.check_card(seat, card),
            (_, Due::Limit(_)) => Err(self.due_first(pending)),
            (Step::Discard { .. }, _) => Err(Illegal::NoLimit),
            (Step::Draw, Due::Act)
            | (Step::Infect | Step::InfectAll, Due::Infect)
            | (Step::Intensify, Due::Intensify)
            | (Step::Epidemic, Due::NextEpidemic) => Ok(()),
            (
                Step::Draw | Step::Infect | Step::InfectAll | Step::Intensify | Step::Epidemic,
                Due::Act | Due::Intensify | Due::NextEpidemic | Due::Infect,
            ) => Err(self.due_first(pending)),
        }
    }

    fn check_next(&self, city: City) -> Result<(), Illegal> {
        match self.interrupt {
            Some(Interrupt::Order { seen, .. }) if seen.has(city) => Ok(()),
            _ => Err(Illegal::NotLookedAt(city)),
        }
    }

    fn check_action(&self, action: Action, by: Seat) -> Result<(), Illegal> {
        if self.actions == 0 {
            return Err(Illegal::NoActions);
        }
        match action {
            Action::Travel { pawn, way, to } => {
                self.check_pawn(pawn, to)?;
                if pawn != by && self.role(by) != Some(Role::Dispatcher) {
                    return Err(Illegal::NotYourPawn);
                }
                self.check_way(way, self.pawn(pawn), to, by)
            }
            Action::Expert { to, card } => self.check_expert(to, card, by),
            Action::Build { from } => {
                let here = self.pawn(by);
                self.check_station(here, from)?;
                if self.role(by) == Some(Role::OperationsExpert) {
                    Ok(())
                } else {
                    self.check_card(by, here.into())
                }
            }
            Action::Treat { color } => {
                let city = self.pawn(by);
                if self.cubes.count(city, color) > 0 {
                    Ok(())
                } else {
                    Err(Illegal::NoCubes { city, color })
                }
            }
            Action::Give { card, to } => self.check_share(card, by, to, by),
            Action::Take { card, from } => self.check_share(card, from, by, by),
            Action::Cure { cards } => self.check_cure(cards, by),
            Action::Fetch { event } => self.check_fetch(event, by),
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

    fn check_way(&self, way: Way, from: City, to: City, by: Seat) -> Result<(), Illegal> {
        match way {
            Way::Drive if from.neighbors().has(to) => Ok(()),
            Way::Drive => Err(Illegal::NotConnected { from, to }),
            Way::Fly => self.check_card(by, to.into()),
            Way::Charter => self.check_card(by, from.into()),
            Way::Shuttle => [from, to]
                .into_iter()
                .try_for_each(|city| self.check_has_station(city)),
            Way::Join if self.role(by) != Some(Role::Dispatcher) => {
                Err(Illegal::OnlyRole(Role::Dispatcher))
            }
            Way::Join if self.occupied().has(to) => Ok(()),
            Way::Join => Err(Illegal::NobodyThere(to)),
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

    fn check_cure(&self, cards: ColorCities, by: Seat) -> Result<(), Illegal> {
        let color = cards.color();
        self.check_has_station(self.pawn(by))?;
        if self.is_cured(color) {
            return Err(Illegal::AlreadyCured(color));
        }
        let cards = Cards::from_cities(cards.cities());
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

    fn check_event(&self, event: EventPlay, pending: PendingDecision) -> Result<(), Illegal> {
        let card = event.card();
        match pending {
            PendingDecision::Over(_)
            | PendingDecision::Luck
            | PendingDecision::Consent(_)
            | PendingDecision::Order(_) => return Err(self.due_first(pending)),
            PendingDecision::Limit(_)
            | PendingDecision::Act
            | PendingDecision::Intensify
            | PendingDecision::NextEpidemic
            | PendingDecision::Infect => {}
        }
        if self.holder(card).is_none() {
            return Err(Illegal::NotHeld(card));
        }
        if pending == PendingDecision::Intensify && card != EventCard::ResilientPopulation {
            return Err(Illegal::EventNow(card));
        }
        match event {
            EventPlay::Airlift { pawn, to } => self.check_pawn(pawn, to),
            EventPlay::Grant { at, from } => self.check_station(at, from),
            EventPlay::Forecast if self.infection.is_empty() => Err(Illegal::NothingToSee),
            EventPlay::QuietNight if self.quiet_night => Err(Illegal::AlreadyQuiet),
            EventPlay::Resilient { city } if !self.infection.discard.has(city) => {
                Err(Illegal::NotDiscarded(city))
            }
            EventPlay::Forecast | EventPlay::QuietNight | EventPlay::Resilient { .. } => Ok(()),
        }
    }

    /// Checks that the player to be asked has not declined too often.
    fn check_consent(&self, m: &Move) -> Result<(), Illegal> {
        match self.owner_concerned(m) {
            Some(owner) if !self.can_ask(owner) => {
                Err(self.role(owner).map_or(Illegal::NoPawn, Illegal::Declined))
            }
            _ => Ok(()),
        }
    }
}
