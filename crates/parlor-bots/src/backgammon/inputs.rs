//! What the net sees of a board.
//!
//! For each side, from its own side of the board, and each of its points four numbers: whether there is a checker, a second, a
//! third, and half the number beyond. Then the checkers on the bar and those that are off, and the pips left to go. All of it is
//! a sum over (side, point, number of checkers there), so a move changes few terms.

use parlor_backgammon::{BAR, Board, OFF, Side};

/// How many numbers the net sees.
pub(super) const INPUTS: usize = 2 * SIDE;

/// How many of them tell of one side.
const SIDE: usize = 24 * 4 + 3;
const ON_BAR: usize = 96;
const ON_OFF: usize = 97;
const PIPS: usize = 98;

/// Calls `each` with every number other than 0 that a side's checkers on one point make, and its place.
#[inline]
pub(super) fn of_point(side: usize, point: u8, count: u8, mut each: impl FnMut(usize, f32)) {
    if count == 0 {
        return;
    }
    let (start, n) = (side * SIDE, f32::from(count));
    match point {
        OFF => return each(start + ON_OFF, n / 15.0),
        BAR => each(start + ON_BAR, n / 2.0),
        _ => {
            let first = start + 4 * (usize::from(point) - 1);
            (0..usize::from(count.min(3))).for_each(|unit| each(first + unit, 1.0));
            if count > 3 {
                each(first + 3, (n - 3.0) / 2.0);
            }
        }
    }
    each(start + PIPS, n * f32::from(point) / 100.0);
}

/// Calls `each` with every number other than 0 of a board, seen from the mover. The pips come in parts.
#[inline]
pub(super) fn of_board(board: &Board, mut each: impl FnMut(usize, f32)) {
    for (number, side) in [board.mover(), board.other()].into_iter().enumerate() {
        places(side, |point, count| {
            of_point(number, point, count, &mut each)
        });
    }
}

/// Calls `each` with every place of a side that has checkers, and how many.
#[inline]
pub(super) fn places(side: Side, mut each: impl FnMut(u8, u8)) {
    let mut set = side.occupied() | u32::from(side.off() > 0);
    while set != 0 {
        let point = set.trailing_zeros() as u8;
        set &= set - 1;
        each(point, side.count(point));
    }
}
