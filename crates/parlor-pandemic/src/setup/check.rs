//! Checks of pieces, cards, players and unfinished setups.

use super::{Flaw, Setup};
use crate::game::STATIONS;
use crate::play::SETUP_INFECTIONS;
use crate::{Cards, Cities, City, Color, Consent, Cubes, EventCard, Game, Interrupt, Role, Stage};

impl Setup {
    pub(super) fn check_pieces(&self, flaws: &mut Vec<Flaw>) {
        for color in Color::ALL {
            let cubes = self
                .cubes
                .iter()
                .map(|counts| u32::from(counts[color.index()]))
                .sum();
            if cubes > u32::from(Cubes::PER_COLOR) {
                flaws.push(Flaw::Cubes { color, cubes });
            }
        }
        for city in City::all() {
            let too_many = self.cubes[city.index()]
                .iter()
                .filter(|cubes| **cubes > Cubes::MAX_PER_CITY);
            flaws.extend(too_many.map(|cubes| Flaw::CubesInCity {
                city,
                cubes: *cubes,
            }));
        }
        if !(1..=STATIONS).contains(&self.stations.len()) {
            flaws.push(Flaw::Stations(self.stations.len()));
        }
    }

    pub(super) fn check_cards(&self, flaws: &mut Vec<Flaw>) {
        self.check_infection(flaws);
        let stored = self
            .stored
            .map_or(Cards::NONE, |event| Cards::NONE.with(event));
        let mut placed = Cards::NONE;
        for pile in self
            .hands
            .into_iter()
            .chain([self.discard, self.gone, stored])
        {
            flaws.extend(pile.and(placed).iter().map(Flaw::CardTwice));
            placed = placed.or(pile);
        }
        let strangers = placed.minus(Cards::CITIES).minus(self.rules.events());
        flaws.extend(strangers.events().iter().map(Flaw::NotPlayedWith));
        flaws.extend(self.gone.cities().into_iter().map(Flaw::CityRemoved));
        let drawn = u32::from(self.epidemics) + u32::from(self.pending);
        if drawn > u32::from(self.rules.epidemics()) {
            flaws.push(Flaw::Epidemics {
                drawn,
                all: self.rules.epidemics(),
            });
        }
    }

    fn check_infection(&self, flaws: &mut Vec<Flaw>) {
        let mut placed = Cities::NONE;
        for pile in self
            .layers
            .iter()
            .copied()
            .chain([self.infected, self.removed])
            .chain(self.forecast())
        {
            flaws.extend(pile.and(placed).into_iter().map(Flaw::InfectionTwice));
            placed = placed.or(pile);
        }
        flaws.extend(
            Cities::ALL
                .minus(placed)
                .into_iter()
                .map(Flaw::InfectionMissing),
        );
        if self.layers.iter().any(|layer| layer.is_empty()) {
            flaws.push(Flaw::EmptyLayer);
        }
        if self.removed.len() > self.max_removed() {
            flaws.push(Flaw::Removed(self.removed.len()));
        }
    }

    /// Returns the most cards that Resilient Population can have removed: it can be played from a
    /// hand, and once more from the Contingency Planner's card.
    fn max_removed(&self) -> u32 {
        let event = EventCard::ResilientPopulation;
        match self.stored {
            _ if self.gone.has(event) => 2,
            Some(stored) if stored == event => 1,
            _ => u32::from(self.discard.has(event)),
        }
    }

    /// Returns the cards of an open forecast, each as a set of its own, so that duplicates show.
    fn forecast(&self) -> Vec<Cities> {
        match self.interrupt {
            Some(Interrupt::Look { seen, .. }) => vec![seen],
            Some(Interrupt::Order { seen, placed, .. }) => placed
                .into_iter()
                .flatten()
                .map(Cities::one)
                .chain([seen])
                .collect(),
            _ => Vec::new(),
        }
    }

    pub(super) fn check_people(&self, flaws: &mut Vec<Flaw>) {
        let players = usize::from(self.rules.players());
        let nobody = |seat: usize| {
            self.roles[seat].is_none()
                && self.hands[seat].is_empty()
                && self.pawns[seat] == City::ATLANTA
                && self.declines[seat] == 0
        };
        flaws.extend(
            (players..4)
                .filter(|seat| !nobody(*seat))
                .map(|seat| Flaw::no_seat(seat, self.rules)),
        );
        if self.active.index() >= players {
            flaws.push(Flaw::no_seat(self.active.index(), self.rules));
        }
        for (at, role) in self.roles.iter().enumerate() {
            if let Some(role) = role.filter(|role| self.roles[..at].contains(&Some(*role))) {
                flaws.push(Flaw::RoleTwice(role));
            }
        }
        for seat in self.rules.seats() {
            if let Some(role) =
                self.roles[seat.index()].filter(|role| !self.can_be_dealt(seat.index(), *role))
            {
                flaws.push(Flaw::WrongRole(seat, role));
            }
        }
        if let Some(event) = self
            .stored
            .filter(|_| !self.roles.contains(&Some(Role::ContingencyPlanner)))
        {
            flaws.push(Flaw::NoPlanner(event));
        }
        flaws.extend(
            self.rules
                .seats()
                .map(|seat| (seat, self.declines[seat.index()]))
                .filter(|(_, times)| *times > Consent::MAX_DECLINES)
                .map(|(seat, times)| Flaw::Declines(seat, times)),
        );
    }

    fn can_be_dealt(&self, seat: usize, role: Role) -> bool {
        let fixed = self.rules.fixed();
        match fixed[seat] {
            Some(own) => own == role,
            None => self.rules.pool().has(role) && !fixed.contains(&Some(role)),
        }
    }
}

/// Checks a game whose setup is unfinished: its stage determines exactly what has happened.
pub(super) fn check_set_up(game: &Game, flaws: &mut Vec<Flaw>) {
    let Stage::Setup(step) = game.stage else {
        return;
    };
    let rules = game.rules;
    let (roles_end, first) = (SETUP_INFECTIONS + rules.players(), rules.first_hand() as u8);
    if step >= roles_end + rules.players() * first {
        flaws.push(Flaw::SetUp("there are not so many steps"));
        return;
    }
    if !has_first_cubes(game, step.min(SETUP_INFECTIONS)) {
        flaws.push(Flaw::SetUp(
            "the cards that were turned brought three, two or one cube of their color, three times each",
        ));
    }
    let dealt = usize::from(step.saturating_sub(SETUP_INFECTIONS));
    let roles_fit = rules
        .seats()
        .all(|seat| game.role(seat).is_some() == (seat.index() < dealt));
    let fixed = game
        .role_seat()
        .is_some_and(|seat| rules.fixed()[seat.index()].is_some());
    if !roles_fit || fixed {
        flaws.push(Flaw::SetUp(
            "roles are dealt in the order of seats, and fixed ones need no step",
        ));
    }
    let cards = step.saturating_sub(roles_end);
    let hand = |seat: u8| u32::from(cards.saturating_sub(seat * first).min(first));
    if rules
        .seats()
        .any(|seat| game.hand(seat).len() != hand(seat.number()))
    {
        flaws.push(Flaw::SetUp("hands are dealt one after the other"));
    }
    let plain = Game {
        cubes: game.cubes,
        infection: game.infection,
        deck: game.deck,
        hands: game.hands,
        roles: game.roles,
        stage: game.stage,
        ..Game::new(rules)
    };
    if plain != *game {
        flaws.push(Flaw::SetUp("nothing else has happened yet"));
    }
}

/// Returns true if the board shows this many setup infections.
fn has_first_cubes(game: &Game, turned: u8) -> bool {
    let right_many = |cubes: u8| {
        let cities = Color::ALL
            .map(|color| game.cubes.with_exactly(color, cubes).len())
            .iter()
            .sum::<u32>();
        cities
            == u32::from(
                turned
                    .saturating_sub(3 * (Cubes::MAX_PER_CITY - cubes))
                    .min(3),
            )
    };
    let own = Color::ALL
        .into_iter()
        .all(|color| game.cubes.infected(color).minus(color.cities()).is_empty());
    let deck = &game.infection;
    let cards = deck.layers().count() == 1
        && deck.removed.is_empty()
        && deck.discard.len() == u32::from(turned);
    own && cards
        && game.cubes.all_infected() == deck.discard
        && (1..=Cubes::MAX_PER_CITY).all(right_many)
}
