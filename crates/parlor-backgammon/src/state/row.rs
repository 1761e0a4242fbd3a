//! The checkers as a file numbers their places.

use parlor_core::Seat;

use crate::{BAR, Board, OFF, Start, WHITE};

/// The place that stands for the bar, as the beginning of a move.
pub const BAR_PLACE: i8 = -1;
/// The place that stands for off, as the end of a move.
pub const OFF_PLACE: i8 = 24;

/// Where the checkers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The 24 points: positive for white's checkers, negative for black's.
    pub board: [i8; 24],
    /// White's and black's checkers on the bar.
    pub bar: [u8; 2],
    /// White's and black's checkers borne off.
    pub home: [u8; 2],
}

impl Row {
    /// The row of a board that is seen from white.
    pub fn of(white: &Board, start: Start) -> Row {
        let sides = [white.mover(), white.other()];
        let mut board = [0; 24];
        for point in 1..=24 {
            board[start.index(true, point)] += sides[0].count(point) as i8;
            board[start.index(false, point)] -= sides[1].count(point) as i8;
        }
        Row {
            board,
            bar: sides.map(|side| side.bar()),
            home: sides.map(|side| side.off()),
        }
    }

    /// White's and black's checkers in their own numbers: off, the points 1 to 24, the bar.
    pub fn counts(&self, start: Start) -> [[u8; 26]; 2] {
        let mut counts = [[0; 26]; 2];
        for (index, &n) in self.board.iter().enumerate() {
            let side = usize::from(n < 0);
            counts[side][usize::from(start.point(side == 0, index))] = n.unsigned_abs();
        }
        for (side, counts) in counts.iter_mut().enumerate() {
            counts[usize::from(OFF)] = self.home[side];
            counts[usize::from(BAR)] = self.bar[side];
        }
        counts
    }

    /// All checkers of a seat: on the board, on the bar and off.
    pub fn sum(&self, seat: Seat) -> u32 {
        let own = |n: &&i8| if seat == WHITE { **n > 0 } else { **n < 0 };
        let on_board: u32 = self
            .board
            .iter()
            .filter(own)
            .map(|n| u32::from(n.unsigned_abs()))
            .sum();
        on_board + u32::from(self.bar[seat.index()]) + u32::from(self.home[seat.index()])
    }
}

/// The point, in a seat's own numbers, from which a move begins; `None` where there is none.
pub(super) fn point_from(start: Start, seat: Seat, place: i8) -> Option<u8> {
    if place == BAR_PLACE {
        Some(BAR)
    } else {
        on_row(start, seat, place)
    }
}

/// The point, in a seat's own numbers, at which a move ends; `None` where there is none.
pub(super) fn point_to(start: Start, seat: Seat, place: i8) -> Option<u8> {
    if place == OFF_PLACE {
        Some(OFF)
    } else {
        on_row(start, seat, place)
    }
}

fn on_row(start: Start, seat: Seat, place: i8) -> Option<u8> {
    let index = usize::try_from(place).ok().filter(|index| *index < 24)?;
    Some(start.point(seat == WHITE, index))
}

/// The place of a seat's point: 0 to 23 in the row, [`BAR_PLACE`] or [`OFF_PLACE`].
///
/// # Panics
/// When the point is above [`BAR`].
pub fn place(start: Start, seat: Seat, point: u8) -> i8 {
    match point {
        BAR => BAR_PLACE,
        OFF => OFF_PLACE,
        point => start.index(seat == WHITE, point) as i8,
    }
}
