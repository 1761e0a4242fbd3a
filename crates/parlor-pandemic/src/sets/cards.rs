//! Sets of player cards.

use std::fmt;

use super::{Cities, EventCards, nth_bit};
use crate::{Card, City, EventCard};

/// A set of player cards; every city and every event exists once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Cards(pub(crate) u64);

impl Cards {
    /// The empty set.
    pub const NONE: Cards = Cards(0);
    /// The 48 city cards.
    pub const CITIES: Cards = Cards::from_cities(Cities::ALL);
    /// The five event cards.
    pub const EVENTS: Cards = Cards::from_events(EventCards::ALL);

    /// Returns the cards of a set of cities.
    pub const fn from_cities(cities: Cities) -> Cards {
        Cards(cities.0)
    }

    /// Returns the cards of a set of events.
    pub const fn from_events(events: EventCards) -> Cards {
        Cards((events.0 as u64) << City::COUNT)
    }

    /// Returns true if the set contains a card.
    pub fn has(self, card: impl Into<Card>) -> bool {
        self.0 & bit(card.into()) != 0
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
    pub const fn events(self) -> EventCards {
        EventCards((self.0 >> City::COUNT) as u8)
    }

    /// Returns the set with a card added.
    #[must_use]
    pub fn with(self, card: impl Into<Card>) -> Cards {
        Cards(self.0 | bit(card.into()))
    }

    /// Returns the set with a card removed.
    #[must_use]
    pub fn without(self, card: impl Into<Card>) -> Cards {
        Cards(self.0 & !bit(card.into()))
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
        let events = self.events().iter().map(Card::Event);
        self.cities().iter().map(Card::City).chain(events)
    }

    /// Returns the `n`-th card, counted from 0 in the order of [`Cards::iter`], in constant time.
    pub(crate) fn nth(self, n: u32) -> Option<Card> {
        let number = nth_bit(self.0, n) as u8;
        match City::new(number) {
            Some(city) => Some(Card::City(city)),
            None => EventCard::new(number - City::COUNT as u8).map(Card::Event),
        }
    }
}

const fn bit(card: Card) -> u64 {
    match card {
        Card::City(city) => 1 << city.index(),
        Card::Event(event) => 1 << (City::COUNT + event.index()),
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
