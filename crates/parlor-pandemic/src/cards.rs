//! Player cards, events and roles.

use std::fmt;

use crate::City;
use crate::map::{Cities, nth_bit, plain};

/// An event card, which its holder can play at almost any moment without spending an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventCard {
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

impl EventCard {
    /// All five events.
    pub const ALL: [EventCard; 5] = [
        EventCard::Airlift,
        EventCard::Forecast,
        EventCard::GovernmentGrant,
        EventCard::OneQuietNight,
        EventCard::ResilientPopulation,
    ];

    /// Returns the name printed on the card.
    pub const fn name(self) -> &'static str {
        match self {
            EventCard::Airlift => "Airlift",
            EventCard::Forecast => "Forecast",
            EventCard::GovernmentGrant => "Government Grant",
            EventCard::OneQuietNight => "One Quiet Night",
            EventCard::ResilientPopulation => "Resilient Population",
        }
    }

    /// Returns the name in text notation, such as `Government-Grant`.
    pub const fn text(self) -> &'static str {
        match self {
            EventCard::Airlift => "Airlift",
            EventCard::Forecast => "Forecast",
            EventCard::GovernmentGrant => "Government-Grant",
            EventCard::OneQuietNight => "One-Quiet-Night",
            EventCard::ResilientPopulation => "Resilient-Population",
        }
    }

    /// Returns the event with this name, ignoring case, spaces and hyphens.
    pub fn from_name(name: &str) -> Option<EventCard> {
        EventCard::ALL
            .into_iter()
            .find(|event| plain(event.name()) == plain(name))
    }
}

impl fmt::Display for EventCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A card that a hand can hold: a city or an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Card {
    /// A city card.
    City(City),
    /// An event card.
    Event(EventCard),
}

impl Card {
    pub(crate) const fn bit(self) -> u64 {
        match self {
            Card::City(city) => 1 << city.index(),
            Card::Event(event) => 1 << (City::COUNT + event as usize),
        }
    }

    /// Returns the name printed on the card.
    pub const fn name(self) -> &'static str {
        match self {
            Card::City(city) => city.name(),
            Card::Event(event) => event.name(),
        }
    }

    /// Returns the name in text notation, without spaces and accents.
    pub const fn text(self) -> &'static str {
        match self {
            Card::City(city) => city.text(),
            Card::Event(event) => event.text(),
        }
    }

    /// Returns the card with this name, read as by [`City::from_name`] and [`EventCard::from_name`].
    pub fn from_name(name: &str) -> Option<Card> {
        City::from_name(name)
            .map(Card::City)
            .or_else(|| EventCard::from_name(name).map(Card::Event))
    }
}

impl From<City> for Card {
    fn from(city: City) -> Card {
        Card::City(city)
    }
}

impl From<EventCard> for Card {
    fn from(event: EventCard) -> Card {
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
    /// The empty set.
    pub const NONE: Cards = Cards(0);
    /// The 48 city cards.
    pub const CITIES: Cards = Cards(Cities::ALL.0);
    /// The five event cards.
    pub const EVENTS: Cards = Cards(0b11111 << City::COUNT);

    /// Returns the cards of a set of cities.
    pub const fn from_cities(cities: Cities) -> Cards {
        Cards(cities.0)
    }

    /// Returns true if the set contains a card.
    pub fn has(self, card: impl Into<Card>) -> bool {
        self.0 & card.into().bit() != 0
    }

    /// Returns the number of cards.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns true if the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the cities in the set.
    pub const fn cities(self) -> Cities {
        Cities(self.0 & Cities::ALL.0)
    }

    /// Returns the events in the set.
    pub fn events(self) -> impl Iterator<Item = EventCard> {
        EventCard::ALL
            .into_iter()
            .filter(move |event| self.has(*event))
    }

    /// Returns the set with a card added.
    #[must_use]
    pub fn with(self, card: impl Into<Card>) -> Cards {
        Cards(self.0 | card.into().bit())
    }

    /// Returns the set with a card removed.
    #[must_use]
    pub fn without(self, card: impl Into<Card>) -> Cards {
        Cards(self.0 & !card.into().bit())
    }

    /// Returns the union with another set.
    #[must_use]
    pub const fn or(self, other: Cards) -> Cards {
        Cards(self.0 | other.0)
    }

    /// Returns the intersection with another set.
    #[must_use]
    pub const fn and(self, other: Cards) -> Cards {
        Cards(self.0 & other.0)
    }

    /// Returns the difference from another set.
    #[must_use]
    pub const fn minus(self, other: Cards) -> Cards {
        Cards(self.0 & !other.0)
    }

    /// Returns all cards, cities first, each in numerical order.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        self.cities()
            .into_iter()
            .map(Card::City)
            .chain(self.events().map(Card::Event))
    }

    /// Returns the `n`-th card, counted from 0 in the order of [`Cards::iter`], in constant time.
    pub(crate) fn nth(self, n: u32) -> Option<Card> {
        let number = nth_bit(self.0, n) as usize;
        match City::new(number as u8) {
            Some(city) => Some(Card::City(city)),
            None => EventCard::ALL
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

/// A player's role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Takes an event from the discard pile and plays it again.
    ContingencyPlanner,
    /// Moves other players' pawns.
    Dispatcher,
    /// Treats all cubes of a color at once, and cured diseases without an action.
    Medic,
    /// Builds without a card, and flies from stations with any city card.
    OperationsExpert,
    /// Prevents cubes in the role's city and all neighboring cities.
    QuarantineSpecialist,
    /// Gives any city card.
    Researcher,
    /// Cures with four cards.
    Scientist,
}

impl Role {
    /// All seven roles.
    pub const ALL: [Role; 7] = [
        Role::ContingencyPlanner,
        Role::Dispatcher,
        Role::Medic,
        Role::OperationsExpert,
        Role::QuarantineSpecialist,
        Role::Researcher,
        Role::Scientist,
    ];

    /// Returns the name printed on the card.
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

    /// Returns the name in text notation, such as `Operations-Expert`.
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

    /// Returns the role with this name, ignoring case, spaces and hyphens.
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
    /// The set of all seven roles.
    pub const ALL: Roles = Roles(0b111_1111);

    /// Returns true if the set contains a role.
    pub const fn has(self, role: Role) -> bool {
        self.0 & role.bit() != 0
    }

    /// Returns the number of roles.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns true if the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the set with a role removed.
    #[must_use]
    pub const fn without(self, role: Role) -> Roles {
        Roles(self.0 & !role.bit())
    }

    /// Returns all roles in alphabetical order.
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
