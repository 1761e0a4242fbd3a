//! What a player does with a roll.

use std::fmt;

use crate::{BAR, OFF};

/// One checker moved by one die, in the mover's own numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Step {
    /// Where the checker was: 1 to 24, or [`BAR`](crate::BAR).
    pub from: u8,
    /// Where it comes to: 1 to 24, or [`OFF`](crate::OFF).
    pub to: u8,
}

impl Step {
    /// How far it goes, which for a checker borne off can be less than its die.
    pub const fn pips(self) -> u8 {
        self.from.saturating_sub(self.to)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", Name(self.from), Name(self.to))
    }
}

/// A point as it is written.
pub(crate) struct Name(pub(crate) u8);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            BAR => f.write_str("bar"),
            OFF => f.write_str("off"),
            point => point.fmt(f),
        }
    }
}

/// All that a player does with a roll: up to four steps, in an order in which they can be made. Without steps it is a pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Play {
    steps: [Step; 4],
    len: u8,
}

impl Play {
    /// The play of somebody who cannot move.
    pub const PASS: Play = Play {
        steps: [Step { from: 0, to: 0 }; 4],
        len: 0,
    };

    /// A play of these steps; `None` when there are more than four.
    pub fn new(steps: &[Step]) -> Option<Play> {
        let mut play = Play::PASS;
        play.steps.get_mut(..steps.len())?.copy_from_slice(steps);
        play.len = steps.len() as u8;
        Some(play)
    }

    /// The steps in their order.
    #[inline]
    pub fn steps(&self) -> &[Step] {
        &self.steps[..usize::from(self.len)]
    }

    /// Whether nothing is moved.
    pub const fn is_pass(&self) -> bool {
        self.len == 0
    }

    /// The play with one step more.
    ///
    /// # Panics
    /// When it has four already.
    #[inline]
    pub(crate) const fn with(mut self, step: Step) -> Play {
        self.steps[self.len as usize] = step;
        self.len += 1;
        self
    }
}

impl fmt::Debug for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_pass() {
            return f.write_str("pass");
        }
        let steps: Vec<String> = self.steps().iter().map(Step::to_string).collect();
        f.write_str(&steps.join(","))
    }
}
