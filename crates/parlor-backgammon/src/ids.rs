//! Compact position IDs: GNU Backgammon's Position ID and Match ID, and the XGID of eXtreme Gammon.
//!
//! A Position ID holds the checkers, seen from the player on roll, and a Match ID everything else;
//! joined by a colon they form a GNU Backgammon ID. An XGID holds both in a more readable form.
//!
//! White is the player at the bottom of the board: capitals and 1 in an XGID, player 1 of GNU
//! Backgammon. (In files, GNU Backgammon's player 0 comes first and is white; see
//! [`mat`](crate::mat) and [`sgf`](crate::sgf).)
//!
//! ```
//! use parlor_backgammon::{Board, ids};
//! use parlor_core::Notation;
//!
//! assert_eq!(ids::position_id(&Board::START), "4HPwATDgc/ABMA");
//! let game = ids::game_from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:2:0:5:10")?;
//! assert_eq!(game.text(), "match5+cube -b----E-C---eE---c-e----B- 1 w:31 0-2");
//! assert_eq!(ids::gnubg_id(&game)?, "4HPwATDgc/ABMA:cImlACAAAAAE");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! No ID holds everything. Lost are:
//! - the decision to roll: it reads as a seat that may still double;
//! - that a match is played without the Crawford rule, as long as no player is within a point of
//!   winning;
//! - the score of a money session and the starting layout of later games;
//! - that a resignation was refused;
//! - in a Match ID also that there is no cube, and that beavers are allowed.

mod base64;
mod match_id;
mod position;
mod xgid;

use crate::{Dice, Game, GameFlaws, Phase, Rules, Setup};

pub use match_id::{game_from_match_id, match_id};
pub use position::{board_from_position_id, position_id};
pub use xgid::{game_from_xgid, xgid};

/// Error of reading an ID.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// The text is too short or too long.
    #[error("{what} has {right} characters, not {found}")]
    Length {
        /// Kind of ID or part of it.
        what: &'static str,
        /// Required number of characters.
        right: usize,
        /// Number of characters found.
        found: usize,
    },
    /// The text has an invalid character.
    #[error("{character:?} at place {at} of {what} is none of {expected}")]
    Character {
        /// Kind of ID or part of it.
        what: &'static str,
        /// Position of the character, from 1.
        at: usize,
        /// The invalid character.
        character: char,
        /// Description of the valid values.
        expected: &'static str,
    },
    /// Bits that must be zero are set.
    #[error("the Position ID has more bits set than two sides' checkers need")]
    Bits,
    /// The text has too many or too few fields.
    #[error("an XGID has 10 fields separated by colons, not {count}")]
    Fields {
        /// Number of fields found.
        count: usize,
    },
    /// A field has an invalid value.
    #[error("the ID's {name}: expected {expected}, got {text:?}")]
    Field {
        /// Name of the field.
        name: &'static str,
        /// Text of the field.
        text: String,
        /// Description of the valid values.
        expected: &'static str,
    },
    /// The text is no known kind of ID.
    #[error(
        "not a known ID: expected an XGID, a Position ID (14 characters), or a Position ID and \
         a Match ID (14 and 12 characters) joined by a colon"
    )]
    Unknown,
    /// The ID describes an invalid position.
    #[error("the ID does not describe a valid game: {0}")]
    Flaws(GameFlaws),
}

/// Reason why a position cannot be written as an ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdWriteError {
    /// The first roll has not been made.
    #[error("an ID cannot express a game before the first roll")]
    Opening,
    /// The game is over.
    #[error("an ID cannot express a game that is over")]
    Over,
    /// A resignation waits for an answer.
    #[error("an XGID cannot express an offer to resign")]
    Resignation,
    /// Part of the roll has been played.
    #[error("an ID needs a whole roll, but some of these dice are already played")]
    PartOfARoll,
}

/// Returns the Position ID and the Match ID joined by a colon.
///
/// A Match ID cannot say that there is no cube: a game without it is read back as one with it.
///
/// # Errors
/// Returns an error if the IDs cannot express the position.
pub fn gnubg_id(game: &Game) -> Result<String, IdWriteError> {
    Ok(format!(
        "{}:{}",
        position_id(&game.board()),
        match_id(game)?
    ))
}

/// Reads a Position ID and a Match ID joined by a colon.
///
/// # Errors
/// [`IdError`] if the text is not a valid pair of IDs.
pub fn game_from_gnubg_id(text: &str) -> Result<Game, IdError> {
    let (board, rest) = text.trim().split_once(':').ok_or(IdError::Unknown)?;
    game_from_match_id(rest, &board_from_position_id(board)?)
}

/// Reads an ID of any kind. A Position ID alone is read as a single game without the cube, with
/// white on roll.
///
/// # Errors
/// [`IdError`] if the text is not a valid ID of any kind.
pub fn game_from_id(text: &str) -> Result<Game, IdError> {
    let text = text.trim();
    match text.split(':').count() {
        1 if text.chars().count() == position::LENGTH => {
            let board = board_from_position_id(text)?;
            let counts = [board.mover().counts(), board.other().counts()];
            let setup = Setup {
                counts,
                phase: Phase::Rolling,
                ..Setup::new(Rules::GAME)
            };
            setup.validate().map_err(IdError::Flaws)
        }
        2 => game_from_gnubg_id(text),
        fields if fields > 2 || text.starts_with(xgid::PREFIX) => game_from_xgid(text),
        _ => Err(IdError::Unknown),
    }
}

/// Returns the faces of the dice to play, both 0 if they have not been rolled.
fn roll_faces(game: &Game) -> Result<[u8; 2], IdWriteError> {
    match game.phase() {
        Phase::Opening => Err(IdWriteError::Opening),
        Phase::Over => Err(IdWriteError::Over),
        Phase::Moving(Dice::Two { high, low }) => Ok([high.pips(), low.pips()]),
        Phase::Moving(Dice::Same { die, times: 4 }) => Ok([die.pips(); 2]),
        Phase::Moving(Dice::Same { .. }) => Err(IdWriteError::PartOfARoll),
        Phase::Cube | Phase::Doubled | Phase::Beavered | Phase::Rolling => Ok([0; 2]),
    }
}

/// Validates a setup. If no dice have been rolled and no double was offered, the phase is
/// determined by whether the seat on roll may double.
fn validate_phase(mut setup: Setup) -> Result<Game, IdError> {
    if setup.phase == Phase::Rolling {
        let rolling = Setup {
            resigning: None,
            ..setup.clone()
        }
        .validate()
        .map_err(IdError::Flaws)?;
        if rolling.can_double(setup.on_roll) {
            setup.phase = Phase::Cube;
        }
    }
    setup.validate().map_err(IdError::Flaws)
}
