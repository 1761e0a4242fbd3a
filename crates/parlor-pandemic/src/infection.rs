//! Infection cards: a deck of layers, and the discard pile.

#[cfg(test)]
mod distribution;

use std::fmt;

use parlor_core::random_below;
use rand::Rng;

use crate::{Cities, City};

/// The infection deck as every player knows it, with its discard pile and the cards removed from
/// the game.
///
/// The deck is a stack of layers. Within a layer every order is equally likely, and no order exists
/// before a card is seen. A new game has one layer of all cards. Intensifying puts the discard pile
/// on top as a new layer; a forecast leaves six layers of a single card each.
///
/// Two decks are equal if their layers are; the order within the array is irrelevant.
#[derive(Clone, Copy)]
pub struct InfectionDeck {
    /// Cards from `bottom` to `top`.
    cards: [u8; InfectionDeck::ROOM],
    /// Starts of layers: bit `i` is set if a layer begins at `i`.
    begins: u64,
    bottom: u8,
    top: u8,
    pub(crate) discard: Cities,
    pub(crate) removed: Cities,
}

impl InfectionDeck {
    const ROOM: usize = 64;

    /// Creates a deck of all 48 cards in one layer.
    pub(crate) fn new() -> InfectionDeck {
        let mut deck = InfectionDeck::empty();
        deck.push(Cities::ALL);
        deck
    }

    pub(crate) const fn empty() -> InfectionDeck {
        InfectionDeck {
            cards: [0; Self::ROOM],
            begins: 0,
            bottom: 0,
            top: 0,
            discard: Cities::NONE,
            removed: Cities::NONE,
        }
    }

    /// Returns the number of cards in the deck.
    pub const fn len(&self) -> u8 {
        self.top - self.bottom
    }

    /// Returns true if the deck is empty.
    pub const fn is_empty(&self) -> bool {
        self.top == self.bottom
    }

    /// Returns the discard pile.
    pub const fn discard(&self) -> Cities {
        self.discard
    }

    /// Returns the cards removed from the game.
    pub const fn removed(&self) -> Cities {
        self.removed
    }

    /// Returns the layers from the top down; none is empty.
    pub fn layers(&self) -> impl Iterator<Item = Cities> + '_ {
        let mut end = self.top;
        std::iter::from_fn(move || {
            let start = self.layer_below(end)?;
            let layer = self.set(start, end);
            end = start;
            Some(layer)
        })
    }

    /// Returns the layer that the next card comes from.
    pub fn top_layer(&self) -> Cities {
        self.layer_below(self.top)
            .map_or(Cities::NONE, |start| self.set(start, self.top))
    }

    /// Returns the layer that the bottom card comes from.
    pub fn bottom_layer(&self) -> Cities {
        self.set(self.bottom, self.bottom_end())
    }

    /// Returns the start of the layer that ends before `end`.
    fn layer_below(&self, end: u8) -> Option<u8> {
        let earlier = self.begins & (1_u64 << end).wrapping_sub(1);
        (end > self.bottom).then(|| 63 - earlier.leading_zeros() as u8)
    }

    fn bottom_end(&self) -> u8 {
        let later = self.begins >> self.bottom >> 1;
        if self.is_empty() || later == 0 {
            self.top
        } else {
            self.bottom + 1 + later.trailing_zeros() as u8
        }
    }

    fn set(&self, start: u8, end: u8) -> Cities {
        let cards = &self.cards[usize::from(start)..usize::from(end)];
        Cities(cards.iter().fold(0, |set, card| set | 1 << card))
    }

    /// Puts a layer on top; an empty layer has no effect.
    pub(crate) fn push(&mut self, layer: Cities) {
        if layer.is_empty() {
            return;
        }
        if usize::from(self.top) + layer.len() as usize >= Self::ROOM {
            self.move_down();
        }
        self.begins |= 1 << self.top;
        for city in layer {
            self.cards[usize::from(self.top)] = city.index() as u8;
            self.top += 1;
        }
    }

    /// Moves the cards down to make room at the top.
    fn move_down(&mut self) {
        self.cards
            .copy_within(usize::from(self.bottom)..usize::from(self.top), 0);
        self.begins >>= self.bottom;
        self.top -= self.bottom;
        self.bottom = 0;
    }

    /// Returns a random card of the top layer without removing it.
    pub(crate) fn random_top<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<City> {
        let start = self.layer_below(self.top)?;
        City::new(
            self.cards
                [usize::from(start) + random_below(rng, u32::from(self.top - start)) as usize],
        )
    }

    /// Returns a random card of the bottom layer without removing it.
    pub(crate) fn random_bottom<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<City> {
        if self.is_empty() {
            return None;
        }
        let size = self.bottom_end() - self.bottom;
        City::new(
            self.cards[usize::from(self.bottom) + random_below(rng, u32::from(size)) as usize],
        )
    }

    /// Removes a card from the top layer; has no effect if the card is not in it.
    pub(crate) fn take_top(&mut self, city: City) {
        let Some(start) = self.layer_below(self.top) else {
            return;
        };
        let layer = &self.cards[usize::from(start)..usize::from(self.top)];
        let Some(at) = place(layer, city) else { return };
        self.top -= 1;
        self.cards[usize::from(start) + at] = self.cards[usize::from(self.top)];
        if self.top == start {
            self.begins &= !(1 << start);
        }
    }

    /// Removes a card from the bottom layer; has no effect if the card is not in it.
    pub(crate) fn take_bottom(&mut self, city: City) {
        let end = self.bottom_end();
        let layer = &self.cards[usize::from(self.bottom)..usize::from(end)];
        let Some(at) = place(layer, city) else { return };
        self.cards[usize::from(self.bottom) + at] = self.cards[usize::from(self.bottom)];
        self.begins &= !(1 << self.bottom);
        self.bottom += 1;
        if self.bottom < end {
            self.begins |= 1 << self.bottom;
        }
    }

    /// Puts the discard pile on top as a new layer.
    pub(crate) fn intensify(&mut self) {
        let discard = std::mem::take(&mut self.discard);
        self.push(discard);
    }

    /// Turns the discard pile into a new deck if the deck is empty. That only happens with fewer
    /// epidemics than the original game has.
    pub(crate) fn refill(&mut self) {
        if self.is_empty() {
            *self = InfectionDeck {
                discard: self.discard,
                removed: self.removed,
                ..InfectionDeck::empty()
            };
            self.intensify();
        }
    }
}

/// Returns the index of a card in a layer. All cards are compared without branches, so that several
/// comparisons run at once.
fn place(layer: &[u8], city: City) -> Option<usize> {
    let number = city.index() as u8;
    let found = layer.iter().zip(1_u8..).fold(
        0,
        |found, (card, at)| if *card == number { at } else { found },
    );
    usize::from(found).checked_sub(1)
}

impl PartialEq for InfectionDeck {
    fn eq(&self, other: &InfectionDeck) -> bool {
        (self.len(), self.discard, self.removed) == (other.len(), other.discard, other.removed)
            && self.layers().eq(other.layers())
    }
}

impl Eq for InfectionDeck {}

impl fmt::Debug for InfectionDeck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layers: Vec<Cities> = self.layers().collect();
        let mut shown = f.debug_struct("InfectionDeck");
        shown
            .field("layers", &layers)
            .field("discard", &self.discard)
            .field("removed", &self.removed)
            .finish()
    }
}
