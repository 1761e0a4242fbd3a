//! The trait that a game implements.

use std::fmt::Debug;

use rand::Rng;

use crate::playout::draw;
use crate::{Seat, Turn, below};

/// A complete, legal situation of a game, and the rules that lead from it to the next.
///
/// The value *is* the game: clone it to search, compare texts to compare positions. There is no undo.
///
/// # Contract
/// - [`turn`](Position::turn) decides what is possible: moves exist exactly when a seat is to move, chances exactly when luck
///   is, and neither when the game is over. The conformance suite holds every game to it.
/// - Legality is one fact stated twice: everything [`legal_moves_into`](Position::legal_moves_into) lists passes
///   [`check`](Position::check), and whatever else passes leads to the same position as something listed, or gives up
///   something (a resignation), which nobody should find who only looks for a move.
/// - The order of moves and chances is a function of the position alone.
///
/// # Three ways to play
/// [`try_play`](Position::try_play) checks and returns the reason, [`play`](Position::play) checks and panics,
/// [`play_unchecked`](Position::play_unchecked) trusts the caller. The same three exist for chances.
pub trait Position: Clone + Send + Sync + 'static {
    /// What a seat does.
    type Move: Clone + PartialEq + Debug + Send + Sync + 'static;
    /// What luck does; [`NoChance`] in games without luck. Never the same type as a move: a client cannot submit a roll.
    type Chance: Clone + PartialEq + Debug + Send + Sync + 'static;
    /// Why a move is refused, in the game's own words.
    type Illegal: std::error::Error + Send + Sync + 'static;

    /// How many seats the game has, at least 1 and at most [`Seat::LIMIT`].
    fn seats(&self) -> u8;

    /// What happens next.
    fn turn(&self) -> Turn;

    /// Replaces the contents of `out` by all legal moves, one for each distinct result, in a fixed order.
    fn legal_moves_into(&self, out: &mut Vec<Self::Move>);

    /// Whether a move is legal here.
    ///
    /// # Errors
    /// The first reason against it, in the order in which the rules name them. A position in which no seat is
    /// to move refuses every move.
    fn check(&self, m: &Self::Move) -> Result<(), Self::Illegal>;

    /// Plays a move that is known to be legal.
    ///
    /// With an illegal move the position may become meaningless; it will not become unsafe.
    fn play_unchecked(&mut self, m: &Self::Move);

    /// The seat that a move belongs to: the seat on turn, unless the game allows moves out of turn.
    fn mover(&self, m: &Self::Move) -> Option<Seat> {
        let _ = m;
        self.turn().seat()
    }

    /// Replaces the contents of `out` by all that luck can do here, each with its positive weight.
    ///
    /// The probability of an entry is its weight divided by the sum of all weights.
    fn chances_into(&self, out: &mut Vec<(Self::Chance, u32)>);

    /// Applies a chance that is known to be possible; see [`play_unchecked`](Position::play_unchecked).
    fn resolve_unchecked(&mut self, c: &Self::Chance);

    /// All legal moves, in a new vector.
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut out = Vec::new();
        self.legal_moves_into(&mut out);
        out
    }

    /// The number of legal moves. `scratch` is a buffer that an implementation may overwrite.
    fn count_moves(&self, scratch: &mut Vec<Self::Move>) -> u64 {
        self.legal_moves_into(scratch);
        scratch.len() as u64
    }

    /// The position that [`perft`](fn@crate::perft) counts from: this one, unless the field counts its game from another.
    fn counted_from(&self) -> Self {
        self.clone()
    }

    /// The one legal move that nobody needs to be asked for, because the rules make it: the pass of a player who cannot move.
    ///
    /// Whoever drives a game plays it at once. A forced move with a board to look at is not meant.
    fn forced(&self) -> Option<Self::Move> {
        None
    }

    /// A legal move, each with the same probability; `None` when no seat is to move. `scratch` is a buffer that
    /// an implementation may overwrite.
    fn random_move<R: Rng + ?Sized>(
        &self,
        rng: &mut R,
        scratch: &mut Vec<Self::Move>,
    ) -> Option<Self::Move> {
        self.legal_moves_into(scratch);
        if scratch.is_empty() {
            return None;
        }
        let pick = below(rng, scratch.len() as u32) as usize;
        Some(scratch.swap_remove(pick))
    }

    /// A chance, each with its probability; `None` when luck is not to decide. `scratch` is a buffer that an implementation
    /// may overwrite.
    fn random_chance<R: Rng + ?Sized>(
        &self,
        rng: &mut R,
        scratch: &mut Vec<(Self::Chance, u32)>,
    ) -> Option<Self::Chance> {
        self.chances_into(scratch);
        draw(rng, scratch).cloned()
    }

    /// All chances with their weights, in a new vector.
    fn chances(&self) -> Vec<(Self::Chance, u32)> {
        let mut out = Vec::new();
        self.chances_into(&mut out);
        out
    }

    /// Checks a move and plays it.
    ///
    /// # Errors
    /// The reason of [`check`](Position::check); the position is then unchanged.
    fn try_play(&mut self, m: &Self::Move) -> Result<(), Self::Illegal> {
        self.check(m)?;
        self.play_unchecked(m);
        Ok(())
    }

    /// Checks a move and plays it.
    ///
    /// # Panics
    /// When the move is illegal, with the reason.
    fn play(&mut self, m: &Self::Move) {
        if let Err(reason) = self.try_play(m) {
            panic!("{m:?} is illegal: {reason}");
        }
    }

    /// Checks a chance and applies it.
    ///
    /// # Errors
    /// [`Impossible`] when luck cannot do that here; the position is then unchanged.
    fn try_resolve(&mut self, c: &Self::Chance) -> Result<(), Impossible> {
        if !self.chances().iter().any(|(possible, _)| possible == c) {
            return Err(Impossible(format!("{c:?}")));
        }
        self.resolve_unchecked(c);
        Ok(())
    }

    /// Checks a chance and applies it.
    ///
    /// # Panics
    /// When luck cannot do that here.
    fn resolve(&mut self, c: &Self::Chance) {
        if let Err(reason) = self.try_resolve(c) {
            panic!("{reason}");
        }
    }
}

/// The chance of games without luck: a type without values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoChance {}

/// Luck cannot do this in this position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("luck cannot bring {0} in this position")]
pub struct Impossible(pub String);
