//! Perft: counting the leaves of the game tree, the classic test of a move generator.

use crate::{Position, Turn};

/// Returns the number of ways to play `depth` more moves.
///
/// Only moves count as plies. A chance uses up no depth: each possible one is followed once,
/// whatever its weight. A game that ends before the last ply contributes nothing. Counting starts
/// at [`Position::perft_root`].
///
/// ```
/// use parlor_core::{perft, testing::pig::Pig};
/// // Roll (six faces) or hold, then the same again: holding with nothing is allowed.
/// assert_eq!(perft(&Pig::new(20), 1), 2);
/// assert_eq!(perft(&Pig::new(20), 2), 6 * 2 + 2);
/// ```
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    Walker {
        buffers: Vec::new(),
        scratch: Vec::new(),
    }
    .count(&position.perft_root(), depth)
}

/// Returns the perft count split by first move: each legal move with the number of leaves below it.
///
/// The list is empty if the position waits for a chance.
pub fn divide<P: Position>(position: &P, depth: u32) -> Vec<(P::Move, u64)> {
    let start = position.perft_root();
    let mut walker = Walker {
        buffers: Vec::new(),
        scratch: Vec::new(),
    };
    let leaves = |m: &P::Move| {
        let mut child = start.clone();
        child.play_unchecked(m);
        walker.count(&child, depth.saturating_sub(1))
    };
    let moves = start.legal_moves();
    let counts: Vec<u64> = moves.iter().map(leaves).collect();
    moves.into_iter().zip(counts).collect()
}

/// Perft recursion that reuses one move buffer per depth.
struct Walker<M> {
    buffers: Vec<Vec<M>>,
    /// Buffer for [`Position::count_moves`].
    scratch: Vec<M>,
}

impl<M: Clone> Walker<M> {
    fn count<P: Position<Move = M>>(&mut self, position: &P, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        match position.turn() {
            Turn::Over(_) => 0,
            Turn::Chance => self.count_after_chances(position, depth),
            Turn::Move(_) => self.count_after_moves(position, depth),
        }
    }

    fn count_after_chances<P: Position<Move = M>>(&mut self, position: &P, depth: u32) -> u64 {
        let follow = |(chance, _): (P::Chance, u32)| {
            let mut child = position.clone();
            child.resolve_unchecked(&chance);
            self.count(&child, depth)
        };
        position.chances().into_iter().map(follow).sum()
    }

    /// Counts the leaves below all legal moves. The last ply is counted without playing it, here
    /// and one ply above: most of the work is there.
    fn count_after_moves<P: Position<Move = M>>(&mut self, position: &P, depth: u32) -> u64 {
        if depth == 1 {
            return position.count_moves(&mut self.scratch);
        }
        let mut moves = self.buffers.pop().unwrap_or_default();
        position.legal_moves_into(&mut moves);
        let follow = |m: &M| {
            let mut child = position.clone();
            child.play_unchecked(m);
            match child.turn() {
                Turn::Over(_) => 0,
                Turn::Move(_) if depth == 2 => child.count_moves(&mut self.scratch),
                _ => self.count(&child, depth - 1),
            }
        };
        let leaves = moves.iter().map(follow).sum();
        self.buffers.push(moves);
        leaves
    }
}
