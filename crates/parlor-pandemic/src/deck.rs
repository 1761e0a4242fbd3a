//! The player deck: piles of known size over a common pool of unseen cards.

#[cfg(test)]
mod distribution;

use crate::{Cards, Rules};

/// The player deck, as every player knows it.
///
/// The unseen cards form one pool. The deck is divided into piles with one epidemic each; the
/// position of an unseen card does not exist before it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlayerDeck {
    /// Unseen cities and events.
    pub(crate) unseen: Cards,
    /// Index of the pile being drawn from, from 0.
    pub(crate) pile: u8,
    /// Number of cards left in this pile.
    pub(crate) left: u8,
    /// True if its epidemic is still in this pile.
    pub(crate) epidemic: bool,
    /// Number of cards left in the deck.
    pub(crate) total: u8,
}

impl PlayerDeck {
    /// Creates the deck before the hands are dealt.
    pub(crate) fn new(rules: Rules) -> PlayerDeck {
        PlayerDeck {
            unseen: Cards::CITIES.or(rules.events()),
            pile: 0,
            left: rules.pile(0),
            epidemic: rules.epidemics() > 0,
            total: rules.remaining() as u8 + rules.epidemics(),
        }
    }

    /// Reconstructs the deck from its unseen cards and epidemics, of which `to_deal` cards are for
    /// the initial hands; `None` if no game can have such a deck.
    pub(crate) fn from_unseen(
        rules: Rules,
        unseen: Cards,
        to_deal: u32,
        epidemics: u8,
    ) -> Option<PlayerDeck> {
        let total = unseen.len().checked_sub(to_deal)? as u8 + epidemics;
        let (mut below, mut pile) = (0, rules.piles() - 1);
        while total > below + rules.pile(pile) {
            below += rules.pile(pile);
            pile = pile.checked_sub(1)?;
        }
        let left = total - below;
        let piles_below = if rules.epidemics() == 0 {
            0
        } else {
            rules.piles() - 1 - pile
        };
        let here = epidemics
            .checked_sub(piles_below)
            .filter(|here| *here <= 1)?
            == 1;
        let fits = if here {
            left > 0
        } else {
            rules.epidemics() == 0 || left < rules.pile(pile)
        };
        fits.then_some(PlayerDeck {
            unseen,
            pile,
            left,
            epidemic: here,
            total,
        })
    }

    /// Returns the number of cards left to draw.
    pub const fn len(&self) -> u8 {
        self.total
    }

    /// Returns true if no cards are left.
    pub const fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Returns the unseen cities and events.
    pub const fn unseen(&self) -> Cards {
        self.unseen
    }

    /// Returns the index of the pile being drawn from, its number of cards left, and whether its
    /// epidemic is among them.
    pub const fn pile(&self) -> (u8, u8, bool) {
        (self.pile, self.left, self.epidemic)
    }

    /// Returns the weights of the next card: of an epidemic, and of each unseen card.
    ///
    /// An epidemic is one of the pile's cards; any other card is equally likely to be any unseen
    /// card.
    pub const fn weights(&self) -> (u32, u32) {
        if !self.epidemic {
            return (0, 1);
        }
        let unseen = self.unseen.len();
        if unseen == 0 || self.left == 1 {
            (1, 0)
        } else {
            (unseen, self.left as u32 - 1)
        }
    }

    /// Returns the probability that the next card is an epidemic, from 0 to 1.
    pub fn epidemic_chance(&self) -> f64 {
        if self.epidemic && self.left > 0 {
            1.0 / f64::from(self.left)
        } else {
            0.0
        }
    }

    /// Removes a drawn card; `seen` is the card, or `None` for an epidemic.
    pub(crate) fn drawn(&mut self, rules: Rules, seen: Option<crate::Card>) {
        match seen {
            Some(card) => self.unseen = self.unseen.without(card),
            None => self.epidemic = false,
        }
        self.count_down(rules);
    }

    /// Removes a card from the counts, whatever it is.
    pub(crate) fn count_down(&mut self, rules: Rules) {
        self.total -= 1;
        self.left -= 1;
        if self.left == 0 && self.total > 0 {
            self.pile += 1;
            self.left = rules.pile(self.pile);
            self.epidemic = true;
        }
    }
}
