//! Positions of a whole record, and the course of a game of a team.

use parlor_core::Seat;

use super::{AnalysisError, Analyst, Budget, follow};
use crate::{AnyPosition, GameKind, Story};

/// Maximum number of positions in the course of a game.
const COURSE_POINTS: usize = 30;

/// Record with the position before each of its steps.
#[derive(Clone, Debug)]
pub struct Replay {
    steps: Vec<(AnyPosition, String)>,
    last: AnyPosition,
}

/// Position at which the turn of a seat begins.
#[derive(Clone, Copy, Debug)]
pub struct TurnStart<'a> {
    /// Number of moves and draws before it.
    pub step: usize,
    /// Seat whose turn it is.
    pub seat: Seat,
    /// The position.
    pub position: &'a AnyPosition,
}

impl Replay {
    /// Replays a story.
    ///
    /// # Errors
    /// If its options are invalid, or a step is not playable.
    pub fn new(kind: GameKind, story: &Story) -> Result<Replay, AnalysisError> {
        let mut position = story.start(kind)?;
        let mut steps = Vec::with_capacity(story.steps.len());
        for (n, text) in story.steps.iter().enumerate() {
            let before = position.clone();
            follow(&mut position, text).map_err(|reason| AnalysisError::Step {
                step: n + 1,
                text: text.clone(),
                reason,
            })?;
            steps.push((before, text.clone()));
        }
        Ok(Replay {
            steps,
            last: position,
        })
    }

    /// Returns each step with the position before it.
    pub fn steps(&self) -> &[(AnyPosition, String)] {
        &self.steps
    }

    /// Returns the position before the first step.
    pub fn first(&self) -> &AnyPosition {
        self.steps.first().map_or(&self.last, |(first, _)| first)
    }

    /// Returns the position after the last step.
    pub fn last(&self) -> &AnyPosition {
        &self.last
    }

    /// Returns the positions in which the turn of another seat begins, among those before a step.
    pub fn turns(&self) -> Vec<TurnStart<'_>> {
        let (mut starts, mut last) = (Vec::new(), None);
        for (step, (position, _)) in self.steps.iter().enumerate() {
            let turn_of = position.turn_of();
            if let Some(seat) = turn_of.filter(|_| turn_of != last) {
                last = turn_of;
                starts.push(TurnStart {
                    step,
                    seat,
                    position,
                });
            }
        }
        starts
    }

    /// Estimates the chance to win at the start of turns: pairs of the number of moves and draws before
    /// it, and the chance from 0 to 1. In a long game, the latest of several turns stands for them, and
    /// the budget is spent on the latest first.
    pub fn course(&self, analyst: &mut dyn Analyst, budget: &mut dyn Budget) -> Vec<(usize, f64)> {
        let turns = self.turns();
        let share = turns.len().div_ceil(COURSE_POINTS).max(1);
        let kept = turns.rchunks(share).filter_map(<[_]>::last);
        let mut course: Vec<(usize, f64)> = kept
            .filter_map(|turn| {
                let prospects = analyst.prospects(turn.position, &mut *budget)?;
                Some((turn.step, prospects.winning))
            })
            .collect();
        course.reverse();
        course
    }
}
