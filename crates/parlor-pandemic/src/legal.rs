//! Generator of all legal moves.

use parlor_core::Seat;

use crate::game::{Interrupt, PendingDecision, STATIONS};
use crate::moves::{Action, EventPlay, TurnStep, Way};
use crate::sink::MoveSink;
use crate::{Cities, City, Color, ColorCities, EventCard, Game, Role};

impl Game {
    /// Lists every legal move, one for each distinct result.
    pub(crate) fn list_moves(&self, out: &mut impl MoveSink) {
        let pending = self.pending_decision();
        match pending {
            PendingDecision::Over(_) | PendingDecision::Luck => return,
            PendingDecision::Consent(_) => {
                out.one(TurnStep::Agree);
                return out.one(TurnStep::Decline);
            }
            PendingDecision::Order(_) => return self.list_order(out),
            PendingDecision::Limit(seat) => {
                out.each(self.hand(seat).cities(), |city| TurnStep::Discard {
                    card: city.into(),
                });
                for event in self.hand(seat).events() {
                    out.one(TurnStep::Discard { card: event.into() });
                }
            }
            PendingDecision::Act => self.list_actions(out),
            PendingDecision::Intensify => out.one(TurnStep::Intensify),
            PendingDecision::NextEpidemic => out.one(TurnStep::Epidemic),
            PendingDecision::Infect => {
                out.one(TurnStep::Infect);
                if self.infections > 1 {
                    out.one(TurnStep::InfectAll);
                }
            }
        }
        if self.has_events() {
            self.list_events(pending, out);
        }
    }

    fn list_order(&self, out: &mut impl MoveSink) {
        if let Some(Interrupt::Order { seen, .. }) = self.interrupt {
            out.each(seen, |city| TurnStep::Next { city });
        }
    }

    fn list_actions(&self, out: &mut impl MoveSink) {
        if self.actions > 0 {
            let by = self.active;
            self.list_pawn_moves(by, by, out);
            if self.role(by) == Some(Role::Dispatcher) {
                for pawn in self
                    .rules
                    .seats()
                    .filter(|pawn| *pawn != by && self.can_ask(*pawn))
                {
                    self.list_pawn_moves(pawn, by, out);
                }
            }
            self.list_expert(by, out);
            self.list_work(by, out);
            self.list_shares(by, out);
            self.list_cures(by, out);
            if self.role(by) == Some(Role::ContingencyPlanner) && self.stored.is_none() {
                for event in self.discard.events() {
                    out.one(Action::Fetch { event });
                }
            }
        }
        out.one(TurnStep::Draw);
    }

    /// Lists the destinations of a pawn; of two moves with the same result, the plainer one.
    fn list_pawn_moves(&self, pawn: Seat, by: Seat, out: &mut impl MoveSink) {
        let here = self.pawn(pawn);
        let cards = self.hand(by).cities();
        let near = here.neighbors();
        let by_way = |way| move |to| Action::Travel { pawn, way, to };
        out.many(near, here.degree(), by_way(Way::Drive));
        let mut reached = near.with(here);
        if self.stations.has(here) {
            out.each(self.stations.minus(reached), by_way(Way::Shuttle));
            reached = reached.or(self.stations);
        }
        if self.role(by) == Some(Role::Dispatcher) {
            let others = self
                .rules
                .seats()
                .filter(|other| *other != pawn)
                .map(|other| self.pawn(other));
            let others: Cities = others.collect();
            out.each(others.minus(reached), by_way(Way::Join));
        }
        out.each(cards.without(here), by_way(Way::Fly));
        if cards.has(here) {
            out.elsewhere(here, by_way(Way::Charter));
        }
    }

    fn list_expert(&self, by: Seat, out: &mut impl MoveSink) {
        let here = self.pawn(by);
        if self.role(by) != Some(Role::OperationsExpert) || self.flown || !self.stations.has(here) {
            return;
        }
        for card in self.hand(by).cities() {
            out.elsewhere(here, |to| Action::Expert { to, card });
        }
    }

    fn list_work(&self, by: Seat, out: &mut impl MoveSink) {
        let here = self.pawn(by);
        for color in Color::ALL
            .into_iter()
            .filter(|color| self.cubes.infected(*color).has(here))
        {
            out.one(Action::Treat { color });
        }
        let may = self.role(by) == Some(Role::OperationsExpert) || self.hand(by).has(here);
        if may && !self.stations.has(here) {
            if self.stations.len() < STATIONS {
                out.one(Action::Build { from: None });
            } else {
                out.each(self.stations, |from| Action::Build { from: Some(from) });
            }
        }
    }

    fn list_shares(&self, by: Seat, out: &mut impl MoveSink) {
        let here = self.pawn(by);
        let together =
            |other: &Seat| *other != by && self.pawn(*other) == here && self.can_ask(*other);
        for other in self.rules.seats().filter(together) {
            out.each(self.gifts(by, here), |card| Action::Give {
                card,
                to: other,
            });
            out.each(self.gifts(other, here), |card| Action::Take {
                card,
                from: other,
            });
        }
    }

    /// Returns the city cards that a seat can give here.
    fn gifts(&self, giver: Seat, here: City) -> Cities {
        let cards = self.hand(giver).cities();
        if self.role(giver) == Some(Role::Researcher) {
            cards
        } else {
            cards.and(Cities::one(here))
        }
    }

    fn list_cures(&self, by: Seat, out: &mut impl MoveSink) {
        if !self.stations.has(self.pawn(by)) {
            return;
        }
        let needed = self.cards_for_cure(by);
        for color in Color::ALL {
            let held = ColorCities::new(color, self.hand(by).cities());
            if self.is_cured(color) || held.len() < needed {
                continue;
            }
            for cards in held.subsets(needed) {
                out.one(Action::Cure { cards });
            }
        }
    }

    fn list_events(&self, pending: PendingDecision, out: &mut impl MoveSink) {
        for event in self.playable() {
            match event {
                EventCard::ResilientPopulation => {
                    out.each(self.infection.discard, |city| EventPlay::Resilient { city })
                }
                _ if pending == PendingDecision::Intensify => {}
                EventCard::Airlift => self.list_airlifts(out),
                EventCard::Forecast => out.one(EventPlay::Forecast),
                EventCard::GovernmentGrant => self.list_grants(out),
                EventCard::OneQuietNight => out.one(EventPlay::QuietNight),
            }
        }
    }

    /// Lists one grant of a new station, or one for each station that can be moved.
    fn list_grants(&self, out: &mut impl MoveSink) {
        let free = Cities::ALL.minus(self.stations);
        if self.stations.len() < STATIONS {
            return out.each(free, |at| EventPlay::Grant { at, from: None });
        }
        for from in self.stations {
            out.each(free, |at| EventPlay::Grant {
                at,
                from: Some(from),
            });
        }
    }

    fn list_airlifts(&self, out: &mut impl MoveSink) {
        let by = self.holder(EventCard::Airlift);
        for pawn in self
            .rules
            .seats()
            .filter(|pawn| Some(*pawn) == by || self.can_ask(*pawn))
        {
            out.elsewhere(self.pawn(pawn), |to| EventPlay::Airlift { pawn, to });
        }
    }
}
