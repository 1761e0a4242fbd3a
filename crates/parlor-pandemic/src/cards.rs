//! Player cards, events and roles.

use std::fmt;

use crate::City;
use crate::map::{Cities, nth_bit, plain};

/// An event card: playable by its holder at almost any moment, without an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// Move any pawn to any city.
    Airlift,
    /// Look at the top six infection cards and put them back in any order.
    Forecast,
    /// Add a research station to any city.
    GovernmentGrant,
    /// Skip the next infection step.
    OneQuietNight,
    /// Remove a card of the infection discard pile from the game.
    ResilientPopulation,
}

impl Event {
    /// All five.
    pub const ALL: [Event; 5] = [
        Event::Airlift,
        Event::Forecast,
        Event::GovernmentGrant,
        Event::OneQuietNight,
        Event::ResilientPopulation,
    ];

    /// The name as the card prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Event::Airlift => "Airlift",
            Event::Forecast => "Forecast",
            Event::GovernmentGrant => "Government Grant",
            Event::OneQuietNight => "One Quiet Night",
            Event::ResilientPopulation => "Resilient Population",
        }
    }

    /// The name in texts: `Government-Grant`.
    pub const fn text(self) -> &'static str {
        match self {
            Event::Airlift => "Airlift",
            Event::Forecast => "Forecast",
            Event::GovernmentGrant => "Government-Grant",
            Event::OneQuietNight => "One-Quiet-Night",
            Event::ResilientPopulation => "Resilient-Population",
        }
    }

    /// The event with this name; case, blanks and hyphens do not matter.
    pub fn from_name(name: &str) -> Option<Event> {
        Event::ALL
            .into_iter()
            .find(|event| plain(event.name()) == plain(name))
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A card that a hand can hold: a city or an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Card {
    /// A city.
    City(City),
    /// An event.
    Event(Event),
}

impl Card {
    pub(crate) const fn bit(self) -> u64 {
        match self {
            Card::City(city) => 1 << city.index(),
            Card::Event(event) => 1 << (City::COUNT + event as usize),
        }
    }

    /// The name as the card prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Card::City(city) => city.name(),
            Card::Event(event) => event.name(),
        }
    }

    /// The name in texts, without blanks and accents.
    pub const fn text(self) -> &'static str {
        match self {
            Card::City(city) => city.text(),
            Card::Event(event) => event.text(),
        }
    }

    /// The card with this name, read as [`City::from_name`] and [`Event::from_name`] do.
    pub fn from_name(name: &str) -> Option<Card> {
        City::from_name(name)
            .map(Card::City)
            .or_else(|| Event::from_name(name).map(Card::Event))
    }
}

impl From<City> for Card {
    fn from(city: City) -> Card {
        Card::City(city)
    }
}

impl From<Event> for Card {
    fn from(event: Event) -> Card {
        Card::Event(event)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of player cards; every city and every event exists once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Cards(pub(crate) u64);

impl Cards {
    /// No card.
    pub const NONE: Cards = Cards(0);
    /// All 48 cities.
    pub const CITIES: Cards = Cards(Cities::ALL.0);
    /// All five events.
    pub const EVENTS: Cards = Cards(0b11111 << City::COUNT);

    /// The cards of these cities.
    pub const fn of_cities(cities: Cities) -> Cards {
        Cards(cities.0)
    }

    /// Whether a card is in it.
    pub fn has(self, card: impl Into<Card>) -> bool {
        self.0 & card.into().bit() != 0
    }

    /// How many.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cities among them.
    pub const fn cities(self) -> Cities {
        Cities(self.0 & Cities::ALL.0)
    }

    /// The events among them.
    pub fn events(self) -> impl Iterator<Item = Event> {
        Event::ALL.into_iter().filter(move |event| self.has(*event))
    }

    /// These and that one.
    #[must_use]
    pub fn with(self, card: impl Into<Card>) -> Cards {
        Cards(self.0 | card.into().bit())
    }

    /// These without that one.
    #[must_use]
    pub fn without(self, card: impl Into<Card>) -> Cards {
        Cards(self.0 & !card.into().bit())
    }

    /// Those in either.
    #[must_use]
    pub const fn or(self, other: Cards) -> Cards {
        Cards(self.0 | other.0)
    }

    /// Those in both.
    #[must_use]
    pub const fn and(self, other: Cards) -> Cards {
        Cards(self.0 & other.0)
    }

    /// These without those.
    #[must_use]
    pub const fn minus(self, other: Cards) -> Cards {
        Cards(self.0 & !other.0)
    }

    /// All of them, cities first, each in the order of its numbers.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        self.cities()
            .into_iter()
            .map(Card::City)
            .chain(self.events().map(Card::Event))
    }

    /// The card at place `n`, counted from 0 in the order of [`Cards::iter`]; quick.
    pub(crate) fn nth(self, n: u32) -> Option<Card> {
        let number = nth_bit(self.0, n) as usize;
        match City::new(number as u8) {
            Some(city) => Some(Card::City(city)),
            None => Event::ALL
                .get(number - City::COUNT)
                .map(|event| Card::Event(*event)),
        }
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Cards {
        cards.into_iter().fold(Cards::NONE, Cards::with)
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// What a player is good at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Fetches an event from the discard pile and plays it once more.
    ContingencyPlanner,
    /// Moves the others' pawns.
    Dispatcher,
    /// Treats a whole color at once, and cured diseases without an action.
    Medic,
    /// Builds without a card, and flies from stations with any city card.
    OperationsExpert,
    /// Keeps cubes away from where she stands and all around.
    QuarantineSpecialist,
    /// Gives any city card.
    Researcher,
    /// Cures with four cards.
    Scientist,
}

impl Role {
    /// All seven.
    pub const ALL: [Role; 7] = [
        Role::ContingencyPlanner,
        Role::Dispatcher,
        Role::Medic,
        Role::OperationsExpert,
        Role::QuarantineSpecialist,
        Role::Researcher,
        Role::Scientist,
    ];

    /// The name as the card prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Role::ContingencyPlanner => "Contingency Planner",
            Role::Dispatcher => "Dispatcher",
            Role::Medic => "Medic",
            Role::OperationsExpert => "Operations Expert",
            Role::QuarantineSpecialist => "Quarantine Specialist",
            Role::Researcher => "Researcher",
            Role::Scientist => "Scientist",
        }
    }

    /// The name in texts: `Operations-Expert`.
    pub const fn text(self) -> &'static str {
        match self {
            Role::ContingencyPlanner => "Contingency-Planner",
            Role::Dispatcher => "Dispatcher",
            Role::Medic => "Medic",
            Role::OperationsExpert => "Operations-Expert",
            Role::QuarantineSpecialist => "Quarantine-Specialist",
            Role::Researcher => "Researcher",
            Role::Scientist => "Scientist",
        }
    }

    /// The role with this name; case, blanks and hyphens do not matter.
    pub fn from_name(name: &str) -> Option<Role> {
        Role::ALL
            .into_iter()
            .find(|role| plain(role.name()) == plain(name))
    }

    pub(crate) const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of roles.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Roles(pub(crate) u8);

impl Roles {
    /// All seven.
    pub const ALL: Roles = Roles(0b111_1111);

    /// Whether a role is in it.
    pub const fn has(self, role: Role) -> bool {
        self.0 & role.bit() != 0
    }

    /// How many.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// These without that one.
    #[must_use]
    pub const fn without(self, role: Role) -> Roles {
        Roles(self.0 & !role.bit())
    }

    /// All of them in the order of their names.
    pub fn iter(self) -> impl Iterator<Item = Role> {
        Role::ALL.into_iter().filter(move |role| self.has(*role))
    }
}

impl FromIterator<Role> for Roles {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> Roles {
        Roles(roles.into_iter().fold(0, |set, role| set | role.bit()))
    }
}

impl fmt::Debug for Roles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
