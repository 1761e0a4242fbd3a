//! Input features of the net.
//!
//! For each side, seen from that side, each of its points has four numbers: whether there is a
//! checker, a second, a third, and half the number beyond. Then come the checkers on the bar, those
//! borne off, and the pips to go. All features are sums over (side, point, number of checkers
//! there), so a move changes few terms.

use parlor_backgammon::{BAR, Board, OFF, Side};

/// Number of inputs of a net.
pub(super) const INPUTS: usize = 2 * SIDE;

/// Number of inputs per side.
const SIDE: usize = 24 * 4 + 3;
const ON_BAR: usize = 96;
const ON_OFF: usize = 97;
const PIPS: usize = 98;

/// Calls `each` with the index and value of every nonzero input that a side's checkers on one point
/// produce.
#[inline]
pub(super) fn each_point_input(
    side: usize,
    point: u8,
    count: u8,
    mut each: impl FnMut(usize, f32),
) {
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

/// Calls `each` with the index and value of every nonzero input of a board seen from the mover. The
/// pips come in several parts, to be added.
#[inline]
pub(super) fn each_input(board: &Board, mut each: impl FnMut(usize, f32)) {
    for (number, side) in [board.mover(), board.other()].into_iter().enumerate() {
        each_place(side, |point, count| {
            each_point_input(number, point, count, &mut each)
        });
    }
}

/// Calls `each` with every place of a side that has checkers, and their number.
#[inline]
pub(super) fn each_place(side: Side, mut each: impl FnMut(u8, u8)) {
    let mut set = side.occupied() | u32::from(side.off() > 0);
    while set != 0 {
        let point = set.trailing_zeros() as u8;
        set &= set - 1;
        each(point, side.count(point));
    }
}
