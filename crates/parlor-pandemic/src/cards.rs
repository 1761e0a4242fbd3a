//! Player cards, events and roles.

use std::fmt;

use crate::City;
use crate::map::plain;

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

    /// Returns the event's number, 0 to 4 in alphabetical order, as an index.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the event with this number.
    pub fn new(number: u8) -> Option<EventCard> {
        EventCard::ALL.get(usize::from(number)).copied()
    }

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

    /// Returns the role's number, 0 to 6 in alphabetical order, as an index.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the role with this number.
    pub fn new(number: u8) -> Option<Role> {
        Role::ALL.get(usize::from(number)).copied()
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
