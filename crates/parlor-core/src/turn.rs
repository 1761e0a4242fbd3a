//! Whose turn it is, and how a game came out.

use crate::Seat;

/// What happens next in a position: one question, one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// This seat is to move.
    Move(Seat),
    /// Luck decides: dice are rolled, a card is drawn.
    Chance,
    /// Nothing: the game is over.
    Over(Outcome),
}

impl Turn {
    /// The seat to move, if a seat is to move.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Turn::Move(seat) => Some(seat),
            Turn::Chance | Turn::Over(_) => None,
        }
    }

    /// The outcome, if the game is over.
    pub const fn outcome(self) -> Option<Outcome> {
        match self {
            Turn::Over(outcome) => Some(outcome),
            Turn::Move(_) | Turn::Chance => None,
        }
    }

    /// Whether the game is over.
    pub const fn is_over(self) -> bool {
        matches!(self, Turn::Over(_))
    }
}

/// The result of a game under its rules.
///
/// Resignations, time and agreement are no outcomes of a position; a table knows them as *endings*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// One seat won this many points (1 in games without a score; 2 for a gammon).
    Won {
        /// The winner.
        by: Seat,
        /// What the win is worth, at least 1.
        points: u16,
    },
    /// Nobody won.
    Draw,
    /// All seats won together (co-operative games).
    TeamWon,
    /// All seats lost together (co-operative games).
    TeamLost,
}

impl Outcome {
    /// A plain win, worth one point.
    pub const fn won(by: Seat) -> Outcome {
        Outcome::Won { by, points: 1 }
    }

    /// What the outcome is worth to `seat` at a table of `seats` places, in points.
    ///
    /// A winner takes the points from each of the others, so that the payoffs of a game with a winner or a
    /// draw sum to zero. A team wins or loses one point per seat.
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

    /// The winner, if one seat won.
    pub const fn winner(self) -> Option<Seat> {
        match self {
            Outcome::Won { by, .. } => Some(by),
            Outcome::Draw | Outcome::TeamWon | Outcome::TeamLost => None,
        }
    }
}
