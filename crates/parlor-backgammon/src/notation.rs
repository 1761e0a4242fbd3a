//! Games, moves and rolls as text.
//!
//! Plays are written in the usual notation, in the mover's own point numbers: `13/7*`, `8/5(2)`,
//! `bar/24`, `6/off`. Their parts are joined by commas, because a move is always one word; when
//! read they may also be separated by spaces. For a checker moved by several dice, intermediate
//! points are written only where it hits.

mod plays;
mod position;

use std::fmt;
use std::str::FromStr;

use parlor_core::{Notation, NotationError};

use crate::game::{Chance, Game, Move};
use crate::{Die, Roll, Win};

pub(crate) use plays::{canonical, write_play};
pub(crate) use position::{checkers, read_checkers};

impl Notation for Game {
    fn move_text(&self, m: &Move) -> String {
        match m {
            Move::Play(play) => write_play(&self.board(), &canonical(self, play)),
            Move::Roll => "roll".to_owned(),
            Move::Double => "double".to_owned(),
            Move::Take => "take".to_owned(),
            Move::Drop => "drop".to_owned(),
            Move::Beaver => "beaver".to_owned(),
            Move::Resign(win) => format!("resign:{}", win.factor()),
            Move::Accept => "accept".to_owned(),
            Move::Refuse => "refuse".to_owned(),
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        match text.trim().to_ascii_lowercase().as_str() {
            "roll" => Ok(Move::Roll),
            "double" => Ok(Move::Double),
            "take" => Ok(Move::Take),
            "drop" => Ok(Move::Drop),
            "accept" => Ok(Move::Accept),
            "refuse" => Ok(Move::Refuse),
            "resign:1" => Ok(Move::Resign(Win::Single)),
            "resign:2" => Ok(Move::Resign(Win::Gammon)),
            "resign:3" => Ok(Move::Resign(Win::Backgammon)),
            "beaver" => Ok(Move::Beaver),
            play => plays::read(self, play).map(Move::Play),
        }
    }

    fn chance_text(&self, c: &Chance) -> String {
        c.to_string()
    }

    fn parse_chance(&self, text: &str) -> Result<Chance, NotationError> {
        text.parse()
    }

    fn text(&self) -> String {
        position::write(self)
    }

    fn from_text(text: &str) -> Result<Game, NotationError> {
        position::read(text)
    }
}

parlor_core::display_by_notation!(Game);
parlor_core::serde_by_text!(Chance);

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Chance::Opening { white, black } => write!(f, "{white}-{black}"),
            Chance::Roll(roll) => roll.fmt(f),
        }
    }
}

impl FromStr for Chance {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Chance, NotationError> {
        let opening = |text: &str| {
            let (white, black) = text.split_once('-')?;
            let die = |text: &str| Die::new(text.parse().ok()?);
            Some(Chance::Opening {
                white: die(white)?,
                black: die(black)?,
            })
        };
        let roll = |text: &str| text.parse::<Roll>().ok().map(Chance::Roll);
        opening(text).or_else(|| roll(text)).ok_or_else(|| {
            NotationError::new(
                text,
                "a roll: 31, or 3-1 at the opening, white's die before black's",
            )
        })
    }
}
