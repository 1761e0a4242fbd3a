//! Seats: the places at a table.

use std::fmt;

/// A place at the table, numbered from 0 in the order of turns.
///
/// A seat is not a person and not a color: the seats of tic-tac-toe are 0 (X) and 1 (O). Its text form is
/// the number, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(u8);

impl Seat {
    /// The most seats a game can have.
    pub const LIMIT: u8 = 16;
    /// The seat that moves first in most games.
    pub const FIRST: Seat = Seat(0);
    /// The seat after the first.
    pub const SECOND: Seat = Seat(1);

    /// The seat with this number.
    ///
    /// # Errors
    /// [`BadSeat`] when the number is not below [`Seat::LIMIT`].
    ///
    /// ```
    /// use parlor_core::Seat;
    /// assert_eq!(Seat::new(1), Ok(Seat::SECOND));
    /// assert!(Seat::new(16).is_err());
    /// ```
    pub const fn new(number: u8) -> Result<Seat, BadSeat> {
        if number < Self::LIMIT {
            Ok(Seat(number))
        } else {
            Err(BadSeat(number))
        }
    }

    /// The number of this seat, from 0; handy as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The number of this seat, from 0.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The seat after this one at a table of `seats` places, cycling.
    ///
    /// # Panics
    /// When `seats` is 0.
    pub const fn next(self, seats: u8) -> Seat {
        Seat((self.0 + 1) % seats)
    }

    /// All seats of a table of `seats` places, at most [`Seat::LIMIT`].
    pub fn all(seats: u8) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator {
        (0..seats.min(Self::LIMIT)).map(Seat)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A number that is no seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("seat {0} does not exist: seats are numbered from 0 and there are at most {limit}", limit = Seat::LIMIT)]
pub struct BadSeat(pub u8);
