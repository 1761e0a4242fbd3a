//! Turns and outcomes.

use crate::Seat;

/// The next thing to happen in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A seat is to move.
    Move(Seat),
    /// Luck decides: dice are rolled, a card is drawn.
    Chance,
    /// The game is over.
    Over(Outcome),
}

impl Turn {
    /// Returns the seat to move, if any.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Turn::Move(seat) => Some(seat),
            Turn::Chance | Turn::Over(_) => None,
        }
    }

    /// Returns the outcome if the game is over.
    pub const fn outcome(self) -> Option<Outcome> {
        match self {
            Turn::Over(outcome) => Some(outcome),
            Turn::Move(_) | Turn::Chance => None,
        }
    }

    /// Returns true if the game is over.
    pub const fn is_over(self) -> bool {
        matches!(self, Turn::Over(_))
    }
}

/// Result of a game under its rules.
///
/// Resignations, losses on time and agreements are not outcomes of a position; a table records them
/// as *endings*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// One seat won, for a number of points (1 in games without a score, 2 for a gammon).
    Won {
        /// Winning seat.
        by: Seat,
        /// Value of the win, at least 1.
        points: u16,
    },
    /// No seat won.
    Draw,
    /// All seats won together (cooperative games).
    TeamWon,
    /// All seats lost together (cooperative games).
    TeamLost,
}

impl Outcome {
    /// Creates a win worth one point.
    pub const fn won(by: Seat) -> Outcome {
        Outcome::Won { by, points: 1 }
    }

    /// Returns the points that the outcome is worth to `seat` at a table with `seats` seats.
    ///
    /// A winner takes the points from each other seat, so the payoffs of a win or a draw sum to
    /// zero. In a cooperative game each seat wins or loses one point.
    ///
    /// ```
    /// use parlor_core::{Outcome, Seat};
    /// let gammon = Outcome::Won { by: Seat::FIRST, points: 2 };
    /// assert_eq!(gammon.payoff(Seat::FIRST, 2), 2);
    /// assert_eq!(gammon.payoff(Seat::SECOND, 2), -2);
    /// assert_eq!(Outcome::won(Seat::FIRST).payoff(Seat::FIRST, 3), 2);
    /// ```
    pub const fn payoff(self, seat: Seat, seats: u8) -> i32 {
        match self {
            Outcome::Won { by, points } if by.number() == seat.number() => {
                points as i32 * (seats as i32 - 1)
            }
            Outcome::Won { points, .. } => -(points as i32),
            Outcome::Draw => 0,
            Outcome::TeamWon => 1,
            Outcome::TeamLost => -1,
        }
    }

    /// Returns the winner, if one seat won.
    pub const fn winner(self) -> Option<Seat> {
        match self {
            Outcome::Won { by, .. } => Some(by),
            Outcome::Draw | Outcome::TeamWon | Outcome::TeamLost => None,
        }
    }
}
