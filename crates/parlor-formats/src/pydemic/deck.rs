//! A deck of cards.

use std::collections::VecDeque;

/// A deck or discard pile of any cards.
///
/// ```
/// use parlor_formats::pydemic::{Deck, EmptyDeck};
/// let mut deck = Deck::new(["London", "Paris"]);
/// deck.add_bottom("Essen");
/// assert_eq!(deck.draw_top(), Ok("London"));
/// assert_eq!(deck.draw_bottom(), Ok("Essen"));
/// assert_eq!(deck.draw_top(), Ok("Paris"));
/// assert_eq!(deck.draw_top(), Err(EmptyDeck));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deck<C> {
    cards: VecDeque<C>,
}

/// Error for drawing from an empty deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the deck is empty")]
pub struct EmptyDeck;

impl<C> Deck<C> {
    /// Creates a deck of these cards, the first one on top.
    pub fn new(cards: impl IntoIterator<Item = C>) -> Deck<C> {
        Deck {
            cards: cards.into_iter().collect(),
        }
    }

    /// Returns the cards from the top down.
    pub fn cards(&self) -> impl ExactSizeIterator<Item = &C> {
        self.cards.iter()
    }

    /// Removes and returns the top card.
    ///
    /// # Errors
    /// [`EmptyDeck`] if there is none.
    pub fn draw_top(&mut self) -> Result<C, EmptyDeck> {
        self.cards.pop_front().ok_or(EmptyDeck)
    }

    /// Removes and returns the bottom card.
    ///
    /// # Errors
    /// [`EmptyDeck`] if there is none.
    pub fn draw_bottom(&mut self) -> Result<C, EmptyDeck> {
        self.cards.pop_back().ok_or(EmptyDeck)
    }

    /// Puts a card on top.
    pub fn add_top(&mut self, card: C) {
        self.cards.push_front(card);
    }

    /// Puts a card at the bottom.
    pub fn add_bottom(&mut self, card: C) {
        self.cards.push_back(card);
    }
}

impl<C> Default for Deck<C> {
    fn default() -> Deck<C> {
        Deck {
            cards: VecDeque::new(),
        }
    }
}
