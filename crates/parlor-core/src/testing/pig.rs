//! Pig, a toy dice game: roll as often as you dare, hold to bank the sum; a one loses the turn's
//! points.
//!
//! It exercises everything that deals with chance without the rules of a real game.

use std::fmt;

use crate::{Notation, NotationError, Outcome, Position, Seat, Turn};

/// A game of Pig between two seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pig {
    target: u16,
    banked: [u16; 2],
    pot: u16,
    mover: Seat,
    rolling: bool,
}

impl Pig {
    /// Creates a game to `target` points.
    ///
    /// # Panics
    /// Panics if `target` is 0.
    pub fn new(target: u16) -> Pig {
        assert!(target > 0, "a game of Pig needs a target above 0");
        Pig {
            target,
            banked: [0, 0],
            pot: 0,
            mover: Seat::FIRST,
            rolling: false,
        }
    }

    /// Returns the points banked by each seat.
    pub fn banked(&self) -> [u16; 2] {
        self.banked
    }

    /// Returns the points of this turn that are not yet banked.
    pub fn pot(&self) -> u16 {
        self.pot
    }

    /// Returns the points needed to win.
    pub fn target(&self) -> u16 {
        self.target
    }

    fn pass(&mut self) {
        self.pot = 0;
        self.mover = self.mover.next(2);
    }
}

/// A move in Pig.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PigMove {
    /// Roll the die once more.
    Roll,
    /// Bank the points of this turn and pass the die.
    Hold,
}

/// A die roll, 1 to 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PigRoll(u8);

impl fmt::Display for PigRoll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl PigRoll {
    /// Creates the roll with this many pips; `None` outside 1 to 6.
    pub fn new(pips: u8) -> Option<PigRoll> {
        (1..=6).contains(&pips).then_some(PigRoll(pips))
    }

    /// Returns the number of pips.
    pub fn pips(self) -> u8 {
        self.0
    }
}

/// Reason for refusing a move in Pig.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PigError {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The die is still rolling.
    #[error("the die is still rolling")]
    Rolling,
}

impl Position for Pig {
    type Move = PigMove;
    type Chance = PigRoll;
    type Illegal = PigError;

    fn seats(&self) -> u8 {
        2
    }

    fn turn(&self) -> Turn {
        match self.banked.iter().position(|&points| points >= self.target) {
            Some(0) => Turn::Over(Outcome::won(Seat::FIRST)),
            Some(_) => Turn::Over(Outcome::won(Seat::SECOND)),
            None if self.rolling => Turn::Chance,
            None => Turn::Move(self.mover),
        }
    }

    fn legal_moves_into(&self, out: &mut Vec<PigMove>) {
        out.clear();
        if self.turn().seat().is_some() {
            out.extend([PigMove::Roll, PigMove::Hold]);
        }
    }

    fn check(&self, _: &PigMove) -> Result<(), PigError> {
        match self.turn() {
            Turn::Move(_) => Ok(()),
            Turn::Chance => Err(PigError::Rolling),
            Turn::Over(_) => Err(PigError::Over),
        }
    }

    fn play_unchecked(&mut self, m: &PigMove) {
        match m {
            PigMove::Roll => self.rolling = true,
            PigMove::Hold => {
                self.banked[self.mover.index()] += self.pot;
                self.pass();
            }
        }
    }

    fn chances_into(&self, out: &mut Vec<(PigRoll, u32)>) {
        out.clear();
        if self.turn() == Turn::Chance {
            out.extend((1..=6).map(|pips| (PigRoll(pips), 1)));
        }
    }

    fn resolve_unchecked(&mut self, c: &PigRoll) {
        self.rolling = false;
        if c.0 == 1 {
            self.pass()
        } else {
            self.pot += u16::from(c.0)
        }
    }
}

impl Notation for Pig {
    fn move_text(&self, m: &PigMove) -> String {
        match m {
            PigMove::Roll => "roll",
            PigMove::Hold => "hold",
        }
        .to_owned()
    }

    fn parse_move(&self, text: &str) -> Result<PigMove, NotationError> {
        match text {
            "roll" => Ok(PigMove::Roll),
            "hold" => Ok(PigMove::Hold),
            _ => Err(NotationError::new(text, "a move of Pig: roll or hold")),
        }
    }

    fn chance_text(&self, c: &PigRoll) -> String {
        c.0.to_string()
    }

    fn parse_chance(&self, text: &str) -> Result<PigRoll, NotationError> {
        let roll = text.parse().ok().and_then(PigRoll::new);
        roll.ok_or_else(|| NotationError::new(text, "a face of a die, 1 to 6"))
    }

    fn text(&self) -> String {
        let state = if self.rolling { "rolling" } else { "waiting" };
        format!(
            "{} {}:{} {} {} {state}",
            self.target, self.banked[0], self.banked[1], self.pot, self.mover
        )
    }

    fn from_text(text: &str) -> Result<Pig, NotationError> {
        let bad = || NotationError::new(text, "a position of Pig such as \"20 0:7 5 1 waiting\"");
        let words: Vec<&str> = text.split_whitespace().collect();
        let [target, banked, pot, mover, state] = words[..] else {
            return Err(bad());
        };
        let number = |word: &str| word.parse::<u16>().map_err(|_| bad());
        let (first, second) = banked.split_once(':').ok_or_else(bad)?;
        let position = Pig {
            target: number(target)?,
            banked: [number(first)?, number(second)?],
            pot: number(pot)?,
            mover: match mover {
                "0" => Seat::FIRST,
                "1" => Seat::SECOND,
                _ => return Err(bad()),
            },
            rolling: match state {
                "rolling" => true,
                "waiting" => false,
                _ => return Err(bad()),
            },
        };
        let sane = position.target > 0
            && position.banked.iter().sum::<u16>() < 2 * position.target.min(1000) + 1000;
        if sane { Ok(position) } else { Err(bad()) }
    }
}

crate::display_by_notation!(Pig);
