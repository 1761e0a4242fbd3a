//! Static evaluation of a position.

use crate::bits::BitWord;
use crate::geometry::{AnyLayout, BoardGeometry, Layout, SearchNode};

/// Value of a slot that would complete a line and that the seat gets in the end.
const FAVORABLE: i32 = 16;
/// Value of any other slot that would complete a line.
const OTHER: i32 = 6;

/// Values of discs and slots on a board.
#[derive(Clone, Debug)]
pub struct Weights<W> {
    /// Bit planes of the weights: for each bit, the slots whose weight has it. A slot's weight is
    /// the number of lines through it.
    planes: Vec<W>,
    /// Slots that each seat gets in the end if the other rows are filled alternately.
    favorable: [W; 2],
}

impl<W: BitWord> Weights<W> {
    pub fn new(geometry: &BoardGeometry<W, AnyLayout>) -> Weights<W> {
        let layout = geometry.layout;
        let (k, stride) = (layout.k(), layout.stride());
        let mut planes: Vec<W> = Vec::new();
        for step in [1, stride, stride + 1, stride - 1] {
            for start in crate::bits::runs(geometry.board, k, step).ones() {
                for slot in (0..k).map(|i| W::bit(start + i * step)) {
                    add(&mut planes, slot);
                }
            }
        }
        let odd_rows = geometry.rows(|row| row.is_multiple_of(2));
        let even_rows = geometry.board ^ odd_rows;
        let favorable = if layout.rows().is_multiple_of(2) {
            [odd_rows, even_rows]
        } else {
            [W::ZERO; 2]
        };
        Weights { planes, favorable }
    }

    /// Returns the estimate for the seat to move.
    pub fn estimate(&self, node: SearchNode<W>, own_threats: W, threats: W) -> i32 {
        let seat = node.plies as usize % 2;
        self.worth(node.own, own_threats, seat) - self.worth(node.other(), threats, 1 - seat)
    }

    /// Returns the value of a seat's discs, and of the empty slots that would complete a line of
    /// them.
    fn worth(&self, discs: W, threats: W, seat: usize) -> i32 {
        let mut worth = 0;
        for (bit, &plane) in self.planes.iter().enumerate() {
            worth += ((discs & plane).count() << bit) as i32;
        }
        let favorable = (threats & self.favorable[seat]).count() as i32;
        let other = threats.count() as i32 - favorable;
        worth + FAVORABLE * favorable + OTHER * other
    }
}

/// Adds 1 to the weight of a slot.
fn add<W: BitWord>(planes: &mut Vec<W>, slot: W) {
    let mut carry = slot;
    for plane in planes.iter_mut() {
        let both = *plane & carry;
        *plane = *plane ^ carry;
        carry = both;
        if carry.is_zero() {
            return;
        }
    }
    planes.push(carry);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    #[test]
    fn the_weight_of_a_slot_is_the_number_of_lines_through_it() {
        let geometry = BoardGeometry::<u64, _>::new(AnyLayout(Rules::STANDARD));
        let weights = Weights::new(&geometry);
        let weight = |column: u32, row: u32| {
            let bit = u64::bit(column * 7 + row);
            let planes = weights.planes.iter().enumerate();
            planes
                .map(|(n, plane)| u32::from(plane & bit != 0) << n)
                .sum::<u32>()
        };
        let rows: Vec<Vec<u32>> = (0..6)
            .map(|row| (0..7).map(|column| weight(column, row)).collect())
            .collect();
        assert_eq!(rows[0], [3, 4, 5, 7, 5, 4, 3]);
        assert_eq!(rows[1], [4, 6, 8, 10, 8, 6, 4]);
        assert_eq!(rows[2], [5, 8, 11, 13, 11, 8, 5]);
        assert_eq!(rows[3], rows[2]);
        assert_eq!(rows[5], rows[0]);
    }
}
