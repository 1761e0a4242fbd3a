//! Positions in a few characters: GNU Backgammon's Position ID and Match ID, and the XGID of eXtreme Gammon.
//!
//! A Position ID is the checkers, seen from whoever is on roll. A Match ID is all but the checkers; both with a colon between are a
//! GNU Backgammon ID. An XGID has everything in words that can nearly be read.
//!
//! White is the player at the bottom of the board: the capitals and the 1 of an XGID, player 1 of GNU Backgammon. (In files GNU
//! Backgammon's player 0 comes first, and is white; see [`mat`](crate::mat) and [`sgf`](crate::sgf).)
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
//! None of them says everything. What gets lost:
//! - that a seat has decided to roll: it reads as one that may still double;
//! - that a match is played without the Crawford rule, as long as nobody is within a point of winning;
//! - the score of a money session and the start by which further games begin;
//! - that an offer to resign was refused;
//! - in a Match ID also that there is no cube, and beavers.

mod base64;
mod match_id;
mod position;
mod xgid;

use crate::{Dice, Flaws, Game, Phase, Rules, Setup};

pub use match_id::{game_from_match_id, match_id};
pub use position::{board_from_position_id, position_id};
pub use xgid::{game_from_xgid, xgid};

/// What is wrong with an ID.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// Too short or too long.
    #[error("{what} has {right} characters, not {found}")]
    Length {
        /// Of what.
        what: &'static str,
        /// How many are right.
        right: usize,
        /// How many there are.
        found: usize,
    },
    /// A character that cannot stand there.
    #[error("{character:?} at place {at} of {what} is none of {expected}")]
    Character {
        /// Of what.
        what: &'static str,
        /// Where, from 1.
        at: usize,
        /// Which.
        character: char,
        /// What would be right.
        expected: &'static str,
    },
    /// The bits that no checker needs are not zero.
    #[error("the Position ID has more on it than two sides' checkers")]
    Bits,
    /// Too many or too few fields.
    #[error("an XGID has 10 fields with colons between, not {count}")]
    Fields {
        /// How many.
        count: usize,
    },
    /// A field says something else than it can.
    #[error("the ID's {name} is {text:?} where {expected} is needed")]
    Field {
        /// What it is for.
        name: &'static str,
        /// What it says.
        text: String,
        /// What would be right.
        expected: &'static str,
    },
    /// It is none of the known IDs.
    #[error(
        "that is no XGID, no Position ID (14 characters), and no Position ID and Match ID (14 and 12) with a colon between"
    )]
    Unknown,
    /// It describes something that no game can show.
    #[error("the ID describes no game: {0}")]
    Flaws(Flaws),
}

/// Why a game has no ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoId {
    /// The first roll has not fallen.
    #[error("before the first roll nobody is on turn, which an ID cannot say")]
    Opening,
    /// The game is over.
    #[error("the game is over, which an ID cannot say")]
    Over,
    /// A resignation waits for its answer.
    #[error("an XGID cannot say that somebody has offered to resign")]
    Resignation,
    /// Some of the dice are played.
    #[error("an ID shows whole rolls, and some dice of this one are played")]
    PartOfARoll,
}

/// The Position ID and the Match ID with a colon between.
///
/// # Errors
/// When they cannot say it.
pub fn gnubg_id(game: &Game) -> Result<String, NoId> {
    Ok(format!(
        "{}:{}",
        position_id(&game.board()),
        match_id(game)?
    ))
}

/// Reads a Position ID and a Match ID with a colon between.
///
/// # Errors
/// What is wrong with it.
pub fn game_from_gnubg_id(text: &str) -> Result<Game, IdError> {
    let (board, rest) = text.trim().split_once(':').ok_or(IdError::Unknown)?;
    game_from_match_id(rest, &board_from_position_id(board)?)
}

/// Reads whatever ID it is. A Position ID alone is taken for a single game without cube, white being on roll.
///
/// # Errors
/// What is wrong with it.
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

/// The faces of the dice that lie, both 0 when none do.
fn faces(game: &Game) -> Result<[u8; 2], NoId> {
    match game.phase() {
        Phase::Opening => Err(NoId::Opening),
        Phase::Over => Err(NoId::Over),
        Phase::Moving(Dice::Two { high, low }) => Ok([high.pips(), low.pips()]),
        Phase::Moving(Dice::Same { die, times: 4 }) => Ok([die.pips(); 2]),
        Phase::Moving(Dice::Same { .. }) => Err(NoId::PartOfARoll),
        Phase::Cube | Phase::Doubled | Phase::Beavered | Phase::Rolling => Ok([0; 2]),
    }
}

/// The game of a setup whose phase has still to be found when no dice lie and nobody has doubled.
fn finished(mut setup: Setup) -> Result<Game, IdError> {
    if setup.phase == Phase::Rolling {
        let rolling = Setup {
            resigning: None,
            ..setup.clone()
        }
        .validate()
        .map_err(IdError::Flaws)?;
        if rolling.may_double(setup.on_roll) {
            setup.phase = Phase::Cube;
        }
    }
    setup.validate().map_err(IdError::Flaws)
}
