//! Reasons for refusing a move.

use crate::Die;
use crate::play::PointName;

/// Reason for refusing a move. Points are in the mover's own numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// The game or match is over.
    #[error("The game is over")]
    Over,
    /// The dice have not been rolled yet.
    #[error("The dice have not been rolled")]
    NotRolled,
    /// There is a roll to be played first.
    #[error("Play your dice first")]
    DiceToPlay,
    /// A double has to be answered first.
    #[error("Answer the double first: take or drop")]
    AnswerTheDouble,
    /// No double has been offered.
    #[error("No double has been offered")]
    NoDouble,
    /// The seat on roll must roll or double first.
    #[error("Roll or double first")]
    RollFirst,
    /// Beavers are not allowed by the rules, or the cube is already too high.
    #[error("You can't beaver here")]
    NoBeaver,
    /// A resignation has to be answered first.
    #[error("Your opponent offers to resign: accept or refuse")]
    AnswerTheResignation,
    /// No resignation has been offered.
    #[error("There is no resignation to answer")]
    NoResignation,
    /// A resignation was already refused in this turn.
    #[error("Your resignation was refused. Play on; you may offer again on your next turn")]
    Refused,
    /// A pass although a legal play exists.
    #[error("You have a legal move, so you can't pass")]
    MustMove,
    /// The step goes backwards, nowhere, or off the board's numbering.
    #[error("{}/{} is not a possible checker move", PointName(*from), PointName(*to))]
    NoStep {
        /// Starting point.
        from: u8,
        /// Destination.
        to: u8,
    },
    /// There is no checker on the starting point.
    #[error("There is no checker on {}", place(*from))]
    NoChecker {
        /// Starting point.
        from: u8,
    },
    /// Checkers on the bar must enter first.
    #[error("Checkers on the bar must enter first")]
    BarFirst,
    /// No remaining die moves a checker that far.
    #[error("No remaining die moves a checker from {} to {}", place(*from), place(*to))]
    NoDie {
        /// Starting point.
        from: u8,
        /// Destination.
        to: u8,
    },
    /// The opponent holds the destination.
    #[error("Point {to} is blocked")]
    Blocked {
        /// Destination.
        to: u8,
    },
    /// Bearing off while a checker is outside the home board.
    #[error("You can bear off only when all your checkers are home")]
    NotHome,
    /// Bearing off with a higher die while there is a checker on a higher point.
    #[error(
        "A checker on a higher point must be moved before {from} can be borne off with a higher die"
    )]
    HigherFirst {
        /// Starting point.
        from: u8,
    },
    /// More dice could have been played.
    #[error("{can} dice can be played, so you must play that many")]
    MustUseMore {
        /// Number of dice that can be played.
        can: u8,
    },
    /// Only one die can be played, and it must be the higher one.
    #[error("Only one die can be played, and it must be the {die}")]
    MustUseHigher {
        /// The higher die.
        die: Die,
    },
}

fn place(point: u8) -> String {
    match point {
        crate::BAR => "the bar".to_owned(),
        crate::OFF => "off".to_owned(),
        point => format!("point {point}"),
    }
}
