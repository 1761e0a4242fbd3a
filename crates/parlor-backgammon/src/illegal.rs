//! Why a move is refused.

use crate::Die;
use crate::play::Name;

/// Why a move is refused, in the words of the game. Points are the mover's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// The match, or the single game, has a winner.
    #[error("The game is over")]
    Over,
    /// The dice have not fallen yet.
    #[error("The dice have not been rolled")]
    NotRolled,
    /// There is a roll to play.
    #[error("The dice are rolled: play them")]
    DiceToPlay,
    /// A double waits for its answer.
    #[error("The cube is offered: take or drop")]
    AnswerTheDouble,
    /// The cube is not offered.
    #[error("No double has been offered")]
    NoDouble,
    /// The seat on roll may roll or double first.
    #[error("Roll or double first")]
    RollFirst,
    /// Beavers are not played here, or not any more.
    #[error("No beaver is possible here")]
    NoBeaver,
    /// A resignation waits for its answer.
    #[error("The other side resigns: accept or refuse")]
    AnswerTheResignation,
    /// Nobody resigns.
    #[error("Nobody has offered to resign")]
    NoResignation,
    /// It was refused in this turn.
    #[error("Your resignation was refused: play on, you may offer another on your next turn")]
    Refused,
    /// Something can be played.
    #[error("There is a legal move, so the roll cannot be passed")]
    MustMove,
    /// A step that leads backwards or nowhere, or beyond the board.
    #[error("{}/{} is no way for a checker", Name(*from), Name(*to))]
    NoStep {
        /// Where it begins.
        from: u8,
        /// Where it ends.
        to: u8,
    },
    /// No checker is there.
    #[error("There is no checker on {}", place(*from))]
    NoChecker {
        /// Where.
        from: u8,
    },
    /// Those on the bar enter first.
    #[error("Checkers on the bar must enter first")]
    BarFirst,
    /// No die that is left goes so far.
    #[error("No die is left that moves a checker from {} to {}", place(*from), place(*to))]
    NoDie {
        /// Where it begins.
        from: u8,
        /// Where it ends.
        to: u8,
    },
    /// The other side holds the point.
    #[error("Point {to} is blocked")]
    Blocked {
        /// Which.
        to: u8,
    },
    /// A checker is outside home.
    #[error("Checkers can be borne off only when all are home")]
    NotHome,
    /// A checker stands behind the one that is to be borne off by a higher die.
    #[error(
        "A checker on a higher point must be moved before {from} can be borne off with a higher die"
    )]
    HigherFirst {
        /// Whence.
        from: u8,
    },
    /// More dice could be played.
    #[error("{can} dice can be played, and as many as possible must be")]
    MustUseMore {
        /// How many.
        can: u8,
    },
    /// Only one die can be played, and it must be the higher.
    #[error("Only one die can be played, and it must be the {die}")]
    MustUseHigher {
        /// Which.
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
