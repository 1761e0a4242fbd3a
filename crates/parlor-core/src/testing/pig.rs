//! Pig, a toy game with a die: roll as often as you dare, hold to keep the sum, a one loses the turn's points.
//!
//! It is here so that everything built for chance can be tried before a real game with luck moves in.

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
    /// A new game to `target` points.
    ///
    /// # Panics
    /// When `target` is 0.
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

    /// Points kept by each seat.
    pub fn banked(&self) -> [u16; 2] {
        self.banked
    }

    /// Points of this turn, not yet kept.
    pub fn pot(&self) -> u16 {
        self.pot
    }

    /// Points needed to win.
    pub fn target(&self) -> u16 {
        self.target
    }

    fn pass(&mut self) {
        self.pot = 0;
        self.mover = self.mover.next(2);
    }
}

/// A move of Pig.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Do {
    /// Roll the die once more.
    Roll,
    /// Keep the points of this turn and pass on the die.
    Hold,
}

/// A face of the die, 1 to 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roll(u8);

impl Roll {
    /// The face with this many pips; `None` outside 1 to 6.
    pub fn new(pips: u8) -> Option<Roll> {
        (1..=6).contains(&pips).then_some(Roll(pips))
    }

    /// How many pips.
    pub fn pips(self) -> u8 {
        self.0
    }
}

/// Why a move of Pig is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The game has a winner.
    #[error("the game is over")]
    Over,
    /// The die is in the air.
    #[error("the die is still rolling")]
    Rolling,
}

impl Position for Pig {
    type Move = Do;
    type Chance = Roll;
    type Illegal = Refused;

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

    fn legal_moves_into(&self, out: &mut Vec<Do>) {
        out.clear();
        if self.turn().seat().is_some() {
            out.extend([Do::Roll, Do::Hold]);
        }
    }

    fn check(&self, _: &Do) -> Result<(), Refused> {
        match self.turn() {
            Turn::Move(_) => Ok(()),
            Turn::Chance => Err(Refused::Rolling),
            Turn::Over(_) => Err(Refused::Over),
        }
    }

    fn play_unchecked(&mut self, m: &Do) {
        match m {
            Do::Roll => self.rolling = true,
            Do::Hold => {
                self.banked[self.mover.index()] += self.pot;
                self.pass();
            }
        }
    }

    fn chances_into(&self, out: &mut Vec<(Roll, u32)>) {
        out.clear();
        if self.turn() == Turn::Chance {
            out.extend((1..=6).map(|pips| (Roll(pips), 1)));
        }
    }

    fn resolve_unchecked(&mut self, c: &Roll) {
        self.rolling = false;
        if c.0 == 1 {
            self.pass()
        } else {
            self.pot += u16::from(c.0)
        }
    }
}

impl Notation for Pig {
    fn move_text(&self, m: &Do) -> String {
        match m {
            Do::Roll => "roll",
            Do::Hold => "hold",
        }
        .to_owned()
    }

    fn parse_move(&self, text: &str) -> Result<Do, NotationError> {
        match text {
            "roll" => Ok(Do::Roll),
            "hold" => Ok(Do::Hold),
            _ => Err(NotationError::new(text, "a move of Pig: roll or hold")),
        }
    }

    fn chance_text(&self, c: &Roll) -> String {
        c.0.to_string()
    }

    fn parse_chance(&self, text: &str) -> Result<Roll, NotationError> {
        let roll = text.parse().ok().and_then(Roll::new);
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
