//! Plays and the steps they consist of.

use std::fmt;

use crate::{BAR, OFF};

/// One checker moved by one die, in the mover's own point numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CheckerStep {
    /// Starting point: 1 to 24, or [`BAR`](crate::BAR).
    pub from: u8,
    /// Destination: 1 to 24, or [`OFF`](crate::OFF).
    pub to: u8,
}

impl CheckerStep {
    /// Returns the distance in pips. For a checker borne off it can be less than the die.
    pub const fn pips(self) -> u8 {
        self.from.saturating_sub(self.to)
    }
}

impl fmt::Display for CheckerStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", PointName(self.from), PointName(self.to))
    }
}

/// Displays a point as in notation: `bar`, `off` or its number.
pub(crate) struct PointName(pub(crate) u8);

impl fmt::Display for PointName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            BAR => f.write_str("bar"),
            OFF => f.write_str("off"),
            point => point.fmt(f),
        }
    }
}

/// Everything a player does with a roll: up to four steps, in an order in which they can be made. A
/// play without steps is a pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Play {
    steps: [CheckerStep; 4],
    len: u8,
}

impl Play {
    /// The empty play of a player who cannot move.
    pub const PASS: Play = Play {
        steps: [CheckerStep { from: 0, to: 0 }; 4],
        len: 0,
    };

    /// Returns the play with these steps, or `None` if there are more than four.
    pub fn new(steps: &[CheckerStep]) -> Option<Play> {
        let mut play = Play::PASS;
        play.steps.get_mut(..steps.len())?.copy_from_slice(steps);
        play.len = steps.len() as u8;
        Some(play)
    }

    /// Returns the steps in order.
    #[inline]
    pub fn steps(&self) -> &[CheckerStep] {
        &self.steps[..usize::from(self.len)]
    }

    /// Returns `true` if no checker is moved.
    pub const fn is_pass(&self) -> bool {
        self.len == 0
    }

    /// Returns the play with one more step.
    ///
    /// # Panics
    /// Panics if the play has four steps already.
    #[inline]
    pub(crate) const fn with(mut self, step: CheckerStep) -> Play {
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
        let steps: Vec<String> = self.steps().iter().map(CheckerStep::to_string).collect();
        f.write_str(&steps.join(","))
    }
}
