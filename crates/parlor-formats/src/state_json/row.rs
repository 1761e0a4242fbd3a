//! Numbering of points and places in files.

use parlor_backgammon::{BAR, Board, OFF, StartLayout, WHITE};
use parlor_core::Seat;

/// Starting place of a move from the bar.
pub const BAR_PLACE: i8 = -1;
/// Destination of a move that bears off.
pub const OFF_PLACE: i8 = 24;

/// Positions of the checkers, in the numbering of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardRow {
    /// The 24 points, positive for white's checkers and negative for black's.
    pub board: [i8; 24],
    /// White's and black's checkers on the bar.
    pub bar: [u8; 2],
    /// White's and black's checkers borne off.
    pub home: [u8; 2],
}

impl BoardRow {
    /// Creates the row of a board seen from white.
    pub fn from_board(white: &Board, start: StartLayout) -> BoardRow {
        let sides = [white.mover(), white.other()];
        let mut board = [0; 24];
        for point in 1..=24 {
            board[start.index(true, point)] += sides[0].count(point) as i8;
            board[start.index(false, point)] -= sides[1].count(point) as i8;
        }
        BoardRow {
            board,
            bar: sides.map(|side| side.bar()),
            home: sides.map(|side| side.off()),
        }
    }

    /// Returns white's and black's checkers in their own numbers: off, the points 1 to 24, the bar.
    pub fn counts(&self, start: StartLayout) -> [[u8; 26]; 2] {
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

    /// Returns the number of a seat's checkers: on the board, on the bar and off.
    pub fn checker_count(&self, seat: Seat) -> u32 {
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

/// Returns the starting point of a move in a seat's own numbers, or `None` if the place is invalid.
pub(super) fn point_from(start: StartLayout, seat: Seat, place: i8) -> Option<u8> {
    if place == BAR_PLACE {
        Some(BAR)
    } else {
        on_row(start, seat, place)
    }
}

/// Returns the destination of a move in a seat's own numbers, or `None` if the place is invalid.
pub(super) fn point_to(start: StartLayout, seat: Seat, place: i8) -> Option<u8> {
    if place == OFF_PLACE {
        Some(OFF)
    } else {
        on_row(start, seat, place)
    }
}

fn on_row(start: StartLayout, seat: Seat, place: i8) -> Option<u8> {
    let index = usize::try_from(place).ok().filter(|index| *index < 24)?;
    Some(start.point(seat == WHITE, index))
}

/// Returns the place of a seat's point: 0 to 23 in the row, [`BAR_PLACE`] or [`OFF_PLACE`].
///
/// # Panics
/// Panics if the point is above [`BAR`].
pub fn place(start: StartLayout, seat: Seat, point: u8) -> i8 {
    match point {
        BAR => BAR_PLACE,
        OFF => OFF_PLACE,
        point => start.index(seat == WHITE, point) as i8,
    }
}
