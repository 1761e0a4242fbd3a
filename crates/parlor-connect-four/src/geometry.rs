//! Bitboard computations for the searches: landing slots, threats, move order.

use crate::bits::{self, BitWord};
use crate::{MAX_SIDE, Rules, Stacks};

/// Size of the board and length of a line.
///
/// The search is compiled once for the standard board, where all of this is constant, and once for
/// all other boards.
pub trait Layout: Copy {
    fn columns(self) -> u32;
    fn rows(self) -> u32;
    fn k(self) -> u32;

    /// Returns the distance in bits from a slot to the one on its right.
    #[inline(always)]
    fn stride(self) -> u32 {
        self.rows() + 1
    }

    #[inline(always)]
    fn slots(self) -> u32 {
        self.columns() * self.rows()
    }

    /// Returns true if a set of discs contains a line.
    #[inline(always)]
    fn has_line<W: BitWord>(self, discs: W) -> bool {
        let (k, stride) = (self.k(), self.stride());
        let found = bits::runs(discs, k, 1) | bits::runs(discs, k, stride);
        let found = found | bits::runs(discs, k, stride + 1) | bits::runs(discs, k, stride - 1);
        !found.is_zero()
    }

    /// Returns all slots that would complete a line of these discs, including filled ones and bits
    /// off the board.
    #[inline(always)]
    fn completing<W: BitWord>(self, discs: W) -> W {
        let (k, stride) = (self.k(), self.stride());
        let mut upwards = discs;
        for _ in 2..k {
            upwards = upwards << 1 & discs;
        }
        let found = upwards << 1 | bits::completing(discs, k, stride);
        found | bits::completing(discs, k, stride + 1) | bits::completing(discs, k, stride - 1)
    }
}

/// Layout of the standard board: 7 columns, 6 rows, lines of four.
#[derive(Clone, Copy, Debug)]
pub struct StandardLayout;

impl Layout for StandardLayout {
    #[inline(always)]
    fn columns(self) -> u32 {
        7
    }

    #[inline(always)]
    fn rows(self) -> u32 {
        6
    }

    #[inline(always)]
    fn k(self) -> u32 {
        4
    }
}

/// Layout of any board.
#[derive(Clone, Copy, Debug)]
pub struct AnyLayout(pub Rules);

impl Layout for AnyLayout {
    #[inline(always)]
    fn columns(self) -> u32 {
        u32::from(self.0.columns())
    }

    #[inline(always)]
    fn rows(self) -> u32 {
        u32::from(self.0.rows())
    }

    #[inline(always)]
    fn k(self) -> u32 {
        u32::from(self.0.k())
    }
}

/// Position in a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchNode<W> {
    /// Discs of the seat to move.
    pub own: W,
    /// Discs of both seats.
    pub filled: W,
    /// Number of discs.
    pub plies: u32,
}

impl<W: BitWord> SearchNode<W> {
    pub fn new(stacks: &Stacks<W>) -> SearchNode<W> {
        SearchNode {
            own: stacks.own(),
            filled: stacks.filled(),
            plies: u32::from(stacks.plies()),
        }
    }

    /// Returns the discs of the seat not on turn.
    #[inline(always)]
    pub fn other(self) -> W {
        self.own ^ self.filled
    }

    /// Returns the position after the seat to move fills an empty slot.
    #[inline(always)]
    pub fn after(self, disc: W) -> SearchNode<W> {
        SearchNode {
            own: self.other(),
            filled: self.filled | disc,
            plies: self.plies + 1,
        }
    }
}

/// List of moves, each as the slot of its disc.
#[derive(Clone, Copy, Debug)]
pub struct Discs<W> {
    slots: [W; MAX_SIDE as usize],
    count: usize,
}

impl<W> Discs<W> {
    #[inline(always)]
    pub fn as_slice(&self) -> &[W] {
        &self.slots[..self.count]
    }

    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [W] {
        &mut self.slots[..self.count]
    }
}

/// Precomputed sets of slots of a board.
#[derive(Clone, Copy, Debug)]
pub struct BoardGeometry<W, L> {
    pub layout: L,
    /// All slots.
    pub board: W,
    /// Lowest slot of every column.
    pub bottom: W,
    /// All slots of each column, from the middle outward.
    columns: [W; MAX_SIDE as usize],
}

impl<W: BitWord, L: Layout> BoardGeometry<W, L> {
    pub fn new(layout: L) -> BoardGeometry<W, L> {
        let (count, stride) = (layout.columns(), layout.stride());
        let column = (0..layout.rows()).fold(W::ZERO, |all, row| all | W::bit(row));
        let every = |set: W| (0..count).fold(W::ZERO, |all, at| all | set << (at * stride));
        let mut columns = [W::ZERO; MAX_SIDE as usize];
        for (at, slots) in (0..count).zip(&mut columns) {
            *slots = column << (outwards(count, at) * stride);
        }
        BoardGeometry {
            layout,
            board: every(column),
            bottom: every(W::bit(0)),
            columns,
        }
    }

    /// Returns the rows, counted from 0 at the bottom, for which `choose` returns true.
    pub fn rows(&self, choose: impl Fn(u32) -> bool) -> W {
        let rows = (0..self.layout.rows()).filter(|&row| choose(row));
        rows.fold(W::ZERO, |all, row| all | self.bottom << row)
    }

    /// Returns the empty slots.
    #[inline(always)]
    pub fn empty(&self, filled: W) -> W {
        self.board ^ filled
    }

    /// Returns the slots that the next disc can drop to.
    #[inline(always)]
    pub fn landings(&self, filled: W) -> W {
        filled.plus(self.bottom) & self.board
    }

    /// Returns the number of empty slots.
    #[inline(always)]
    pub fn left(&self, node: SearchNode<W>) -> i32 {
        self.layout.slots() as i32 - node.plies as i32
    }

    /// Returns a number unique to the position among those of the same board, if it fits in 64
    /// bits.
    #[inline(always)]
    pub fn key(&self, node: SearchNode<W>) -> W {
        node.own.plus(node.filled).plus(self.bottom)
    }

    /// Returns a set of bits with the columns in reverse order.
    #[inline(always)]
    pub fn mirrored(&self, bits: W) -> W {
        let stride = self.layout.stride();
        let column = !(!W::ZERO << stride);
        let (mut rest, mut mirrored) = (bits, W::ZERO);
        for _ in 0..self.layout.columns() {
            mirrored = mirrored << stride | rest & column;
            rest = rest >> stride;
        }
        mirrored
    }

    /// Returns the slots with which the seat to move completes a line at once.
    #[inline(always)]
    pub fn wins(&self, node: SearchNode<W>) -> W {
        self.layout.completing(node.own) & self.landings(node.filled)
    }

    /// Returns the slots for the next disc that do not let the other seat win at once.
    #[inline(always)]
    pub fn safe_landings(&self, node: SearchNode<W>) -> W {
        let threats = self.layout.completing(node.other()) & self.empty(node.filled);
        let mut moves = self.landings(node.filled);
        let forced = threats & moves;
        if !forced.is_zero() {
            if !forced.without_lowest().is_zero() {
                return W::ZERO;
            }
            moves = forced;
        }
        moves & !(threats >> 1)
    }

    /// Returns the moves, those with more threats first, then those nearer to the middle.
    #[inline(always)]
    pub fn ordered(&self, node: SearchNode<W>, moves: W) -> Discs<W> {
        let empty = self.empty(node.filled);
        let mut slots = [W::ZERO; MAX_SIDE as usize];
        let mut threats = [0; MAX_SIDE as usize];
        let mut count = 0;
        for &column in &self.columns[..self.layout.columns() as usize] {
            let disc = moves & column;
            if disc.is_zero() {
                continue;
            }
            let made = (self.layout.completing(node.own | disc) & empty).count();
            let mut at = count;
            while at > 0 && threats[at - 1] < made {
                (slots[at], threats[at]) = (slots[at - 1], threats[at - 1]);
                at -= 1;
            }
            (slots[at], threats[at]) = (disc, made);
            count += 1;
        }
        Discs { slots, count }
    }

    /// Returns the moves in order, for a position in which every move may lose at once: first those
    /// that complete a line, then those that do not lose at once, then those that block a line.
    pub fn sensible(&self, node: SearchNode<W>) -> Discs<W> {
        let landings = self.landings(node.filled);
        let blocks = self.layout.completing(node.other()) & landings;
        let choices = [self.wins(node), self.safe_landings(node), blocks, landings];
        let choice = choices.into_iter().find(|discs| !discs.is_zero());
        self.ordered(node, choice.unwrap_or(landings))
    }
}

/// Returns the index of a column counted from the middle outward: 3, 4, 2, 5, 1, 6, 0 for seven
/// columns.
fn outwards(columns: u32, at: u32) -> u32 {
    let (middle, aside) = ((columns - 1) / 2, at.div_ceil(2));
    if at.is_multiple_of(2) {
        middle - aside
    } else {
        middle + aside
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_listed_from_the_middle_outwards() {
        let list = |columns| {
            (0..columns)
                .map(|at| outwards(columns, at))
                .collect::<Vec<_>>()
        };
        assert_eq!(list(7), [3, 4, 2, 5, 1, 6, 0]);
        assert_eq!(list(4), [1, 2, 0, 3]);
        for columns in 4..=12 {
            let mut sorted = list(columns);
            sorted.sort_unstable();
            assert_eq!(sorted, (0..columns).collect::<Vec<_>>());
        }
    }
}
