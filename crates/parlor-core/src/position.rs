//! The trait that a game's rules implement.

use std::fmt::{Debug, Display};

use rand::Rng;

use crate::playout::choose_weighted;
use crate::{Seat, Turn, random_below};

/// A complete, legal situation of a game, with the rules that lead from it to the next.
///
/// The value *is* the game: clone it to search, compare texts to compare positions. There is no
/// undo.
///
/// # Contract
/// - [`turn`](Position::turn) decides what is possible: there are legal moves exactly when a seat
///   is to move, chances exactly when luck decides, and neither when the game is over. The
///   conformance suite checks this for every game.
/// - Legality is stated twice and must agree: every move listed by
///   [`legal_moves_into`](Position::legal_moves_into) passes [`check`](Position::check). Any other
///   move that passes either leads to the same position as a listed one or gives something up (a
///   resignation), so that a search can ignore it.
/// - The order of moves and chances is a function of the position alone.
///
/// # Three ways to play
/// [`try_play`](Position::try_play) checks the move and returns an error, [`play`](Position::play)
/// checks and panics, [`play_unchecked`](Position::play_unchecked) trusts the caller. The same
/// three exist for chances.
pub trait Position: Clone + Send + Sync + 'static {
    /// Something a seat does.
    type Move: Clone + PartialEq + Debug + Send + Sync + 'static;
    /// Something luck does; [`NoChance`] in games without luck. Always a different type than
    /// `Move`, so that a client cannot submit a roll.
    type Chance: Clone + PartialEq + Debug + Display + Send + Sync + 'static;
    /// Reason for refusing a move, in the game's own terms.
    type Illegal: std::error::Error + Send + Sync + 'static;

    /// Returns the number of seats, from 1 to [`Seat::LIMIT`].
    fn seats(&self) -> u8;

    /// Returns what happens next.
    fn turn(&self) -> Turn;

    /// Replaces the contents of `out` with all legal moves, one for each distinct result, in a
    /// fixed order.
    fn legal_moves_into(&self, out: &mut Vec<Self::Move>);

    /// Checks that a move is legal in this position.
    ///
    /// # Errors
    /// Returns the first reason against the move, in the order in which the rules give them. Every
    /// move is refused if no seat is to move.
    fn check(&self, m: &Self::Move) -> Result<(), Self::Illegal>;

    /// Plays a move that is known to be legal.
    ///
    /// An illegal move may leave the position meaningless, but never unsafe.
    fn play_unchecked(&mut self, m: &Self::Move);

    /// Returns the seat that makes a move: the seat on turn, unless the game allows moves out of
    /// turn.
    fn mover(&self, m: &Self::Move) -> Option<Seat> {
        let _ = m;
        self.turn().seat()
    }

    /// Replaces the contents of `out` with all possible chances, each with its positive weight.
    ///
    /// The probability of an entry is its weight divided by the sum of all weights.
    fn chances_into(&self, out: &mut Vec<(Self::Chance, u32)>);

    /// Applies a chance that is known to be possible; see
    /// [`play_unchecked`](Position::play_unchecked).
    fn resolve_unchecked(&mut self, c: &Self::Chance);

    /// Returns all legal moves in a new vector.
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut out = Vec::new();
        self.legal_moves_into(&mut out);
        out
    }

    /// Returns the number of legal moves. `scratch` is a buffer that implementations may overwrite.
    fn count_moves(&self, scratch: &mut Vec<Self::Move>) -> u64 {
        self.legal_moves_into(scratch);
        scratch.len() as u64
    }

    /// Returns the position from which [`perft`](fn@crate::perft) counts: by default this one. A
    /// game overrides it if published perft counts start elsewhere.
    fn perft_root(&self) -> Self {
        self.clone()
    }

    /// Returns the only legal move if it is no decision and can be played without asking, such as
    /// the pass of a player who cannot move.
    ///
    /// Drivers play it at once. A lone legal move that a player would want to make on the board
    /// does not count as forced.
    fn forced_move(&self) -> Option<Self::Move> {
        None
    }

    /// Returns a legal move chosen uniformly at random; `None` if no seat is to move. `scratch` is
    /// a buffer that implementations may overwrite.
    fn random_move<R: Rng + ?Sized>(
        &self,
        rng: &mut R,
        scratch: &mut Vec<Self::Move>,
    ) -> Option<Self::Move> {
        self.legal_moves_into(scratch);
        if scratch.is_empty() {
            return None;
        }
        let pick = random_below(rng, scratch.len() as u32) as usize;
        Some(scratch.swap_remove(pick))
    }

    /// Returns a random chance, drawn by weight; `None` if no chance is due. `scratch` is a buffer
    /// that implementations may overwrite.
    fn random_chance<R: Rng + ?Sized>(
        &self,
        rng: &mut R,
        scratch: &mut Vec<(Self::Chance, u32)>,
    ) -> Option<Self::Chance> {
        self.chances_into(scratch);
        choose_weighted(rng, scratch).cloned()
    }

    /// Returns all chances with their weights in a new vector.
    fn chances(&self) -> Vec<(Self::Chance, u32)> {
        let mut out = Vec::new();
        self.chances_into(&mut out);
        out
    }

    /// Plays a move after checking it.
    ///
    /// # Errors
    /// Returns the reason given by [`check`](Position::check); the position is then unchanged.
    fn try_play(&mut self, m: &Self::Move) -> Result<(), Self::Illegal> {
        self.check(m)?;
        self.play_unchecked(m);
        Ok(())
    }

    /// Plays a move after checking it.
    ///
    /// # Panics
    /// Panics with the reason if the move is illegal.
    fn play(&mut self, m: &Self::Move) {
        if let Err(reason) = self.try_play(m) {
            panic!("{m:?} is illegal: {reason}");
        }
    }

    /// Applies a chance after checking it.
    ///
    /// # Errors
    /// [`ImpossibleChance`] if the chance cannot occur in this position, which is then unchanged.
    fn try_resolve(&mut self, c: &Self::Chance) -> Result<(), ImpossibleChance> {
        if !self.chances().iter().any(|(possible, _)| possible == c) {
            return Err(ImpossibleChance(c.to_string()));
        }
        self.resolve_unchecked(c);
        Ok(())
    }

    /// Applies a chance after checking it.
    ///
    /// # Panics
    /// Panics if the chance cannot occur in this position.
    fn resolve(&mut self, c: &Self::Chance) {
        if let Err(reason) = self.try_resolve(c) {
            panic!("{reason}");
        }
    }
}

/// The chance type of games without luck: it has no values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoChance {}

/// Error for a chance that cannot occur in a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a possible chance in this position")]
pub struct ImpossibleChance(pub String);
