//! Seats, the places at a table.

use std::fmt;

/// A place at the table, numbered from 0 in turn order.
///
/// A seat is neither a person nor a color: the seats of tic-tac-toe are 0 (X) and 1 (O). Its text
/// form is its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(u8);

impl Seat {
    /// Maximum number of seats in a game.
    pub const LIMIT: u8 = 16;
    /// Seat that moves first in most games.
    pub const FIRST: Seat = Seat(0);
    /// Seat after the first.
    pub const SECOND: Seat = Seat(1);

    /// Creates the seat with this number, counted from 0.
    ///
    /// # Errors
    /// [`InvalidSeat`] if the number is not below [`Seat::LIMIT`].
    ///
    /// ```
    /// use parlor_core::Seat;
    /// assert_eq!(Seat::new(1), Ok(Seat::SECOND));
    /// assert!(Seat::new(16).is_err());
    /// ```
    pub const fn new(number: u8) -> Result<Seat, InvalidSeat> {
        if number < Self::LIMIT {
            Ok(Seat(number))
        } else {
            Err(InvalidSeat(number))
        }
    }

    /// Returns the seat's number, from 0, as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the seat's number, from 0.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns the next seat in turn order at a table with `seats` seats, wrapping around.
    ///
    /// # Panics
    /// Panics if `seats` is 0.
    pub const fn next(self, seats: u8) -> Seat {
        Seat((self.0 + 1) % seats)
    }

    /// Returns all seats of a table with `seats` seats, at most [`Seat::LIMIT`].
    pub fn all(seats: u8) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator {
        (0..seats.min(Self::LIMIT)).map(Seat)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Error for a number that is not a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("seat {0} does not exist: seats are numbered from 0 and there are at most {limit}", limit = Seat::LIMIT)]
pub struct InvalidSeat(pub u8);
