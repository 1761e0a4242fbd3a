//! Alpha-beta search of the solver.

use crate::geometry::{BoardGeometry, Layout, SearchNode};

use super::table::BoundTable;

/// Error for a search that was stopped.
#[derive(Clone, Copy, Debug)]
pub struct Unfinished;

/// Number of positions between calls of `stop`.
const ASK_EVERY: u64 = 1024;
/// Number of discs up to which mirrored positions share an entry of the table.
const MIRRORED_UP_TO: u32 = 14;

/// Bound on a score, in one byte of the table.
#[derive(Clone, Copy, Debug)]
enum ScoreBound {
    AtLeast(i32),
    AtMost(i32),
}

impl ScoreBound {
    fn from_byte(byte: u8) -> Option<ScoreBound> {
        match byte {
            0 => None,
            1..128 => Some(ScoreBound::AtMost(i32::from(byte) - 64)),
            128.. => Some(ScoreBound::AtLeast(i32::from(byte) - 192)),
        }
    }

    fn to_byte(self) -> u8 {
        match self {
            ScoreBound::AtMost(score) => (score + 64) as u8,
            ScoreBound::AtLeast(score) => (score + 192) as u8,
        }
    }
}

/// One query to the solver.
pub struct Proof<'a, L> {
    pub geometry: BoardGeometry<u64, L>,
    table: &'a mut BoundTable,
    stop: &'a mut dyn FnMut(u64) -> bool,
    /// Number of positions visited.
    pub visited: u64,
    /// Slots with an odd number of slots above them. If the next empty slots of all columns are
    /// among these, every column has an even number of empty slots.
    odd_above: u64,
}

impl<'a, L: Layout> Proof<'a, L> {
    pub fn new(
        layout: L,
        table: &'a mut BoundTable,
        stop: &'a mut dyn FnMut(u64) -> bool,
    ) -> Proof<'a, L> {
        let geometry = BoardGeometry::new(layout);
        let odd_above = geometry.rows(|row| (layout.rows() - row).is_multiple_of(2));
        Proof {
            geometry,
            table,
            stop,
            visited: 0,
            odd_above,
        }
    }

    /// Returns true if the seat to move loses according to the table.
    pub fn is_known_loss(&self, node: SearchNode<u64>) -> bool {
        let bound = ScoreBound::from_byte(self.table.get(self.key(node)));
        matches!(bound, Some(ScoreBound::AtMost(..0)))
    }

    /// Returns the score of a position if it lies between `alpha` and `beta`; otherwise a bound on
    /// the same side of the window as the score.
    ///
    /// The seat to move must not be able to win with its next disc, and no seat may have won.
    pub fn search(
        &mut self,
        node: SearchNode<u64>,
        mut alpha: i32,
        mut beta: i32,
    ) -> Result<i32, Unfinished> {
        self.visited += 1;
        if self.visited.is_multiple_of(ASK_EVERY) && (self.stop)(self.visited) {
            return Err(Unfinished);
        }
        let left = self.geometry.left(node);
        let moves = self.geometry.safe_landings(node);
        if moves == 0 {
            return Ok(-(left / 2));
        }
        if left <= 2 {
            return Ok(0);
        }
        // Without an immediate loss, the other seat's earliest win is with its second disc from
        // now.
        alpha = alpha.max(-((left - 2) / 2));
        if alpha >= beta {
            return Ok(alpha);
        }
        beta = beta.min((left - 1) / 2).min(self.follow_up_bound(node));
        if alpha >= beta {
            return Ok(beta);
        }
        let key = self.key(node);
        match ScoreBound::from_byte(self.table.get(key)) {
            Some(ScoreBound::AtLeast(score)) => {
                alpha = alpha.max(score);
                if alpha >= beta {
                    return Ok(alpha);
                }
            }
            Some(ScoreBound::AtMost(score)) => {
                beta = beta.min(score);
                if alpha >= beta {
                    return Ok(beta);
                }
            }
            None => {}
        }
        if let Some(score) = self.decided_child(node, moves, beta) {
            return Ok(score);
        }
        let before = self.visited;
        for &disc in self.geometry.ordered(node, moves).as_slice() {
            let score = -self.search(node.after(disc), -beta, -alpha)?;
            if score >= beta {
                let bound = ScoreBound::AtLeast(score);
                self.table.put(key, bound.to_byte(), self.visited - before);
                return Ok(score);
            }
            alpha = alpha.max(score);
        }
        let bound = ScoreBound::AtMost(alpha);
        self.table.put(key, bound.to_byte(), self.visited - before);
        Ok(alpha)
    }

    /// Returns a lower bound on the score of at least `beta`, from a move that needs no search.
    #[inline(always)]
    fn decided_child(&self, node: SearchNode<u64>, moves: u64, beta: i32) -> Option<i32> {
        let mut rest = moves;
        while rest != 0 {
            let child = node.after(rest & rest.wrapping_neg());
            rest &= rest - 1;
            let mut bound = self.follow_up_bound(child);
            if let Some(ScoreBound::AtMost(score)) =
                ScoreBound::from_byte(self.table.get(self.key(child)))
            {
                bound = bound.min(score);
            }
            if bound <= -beta {
                return Some(-bound);
            }
        }
        None
    }

    /// Returns an upper bound on the score if the other seat answers every disc with one on top of
    /// it, which is possible if every column has an even number of empty slots.
    #[inline(always)]
    fn follow_up_bound(&self, node: SearchNode<u64>) -> i32 {
        if self.geometry.landings(node.filled) & !self.odd_above != 0 {
            return i32::MAX;
        }
        let (layout, empty) = (self.geometry.layout, self.geometry.empty(node.filled));
        if layout.has_line(node.own | empty & self.odd_above) {
            return i32::MAX;
        }
        if layout.has_line(node.other() | empty & !self.odd_above) {
            -1
        } else {
            0
        }
    }

    /// Returns the key of a position in the table. It is unique except that, early in a game,
    /// mirror images share it.
    #[inline(always)]
    fn key(&self, node: SearchNode<u64>) -> u64 {
        let key = self.geometry.key(node);
        if node.plies > MIRRORED_UP_TO {
            return key;
        }
        key.min(self.geometry.mirrored(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_fit_a_byte() {
        for score in -40..=40 {
            for bound in [ScoreBound::AtMost(score), ScoreBound::AtLeast(score)] {
                let again = ScoreBound::from_byte(bound.to_byte());
                assert_eq!(format!("{again:?}"), format!("{:?}", Some(bound)));
            }
        }
        assert!(ScoreBound::from_byte(0).is_none());
    }
}
