//! Plays entered step by step.

use std::collections::BTreeSet;

use crate::play::{CheckerStep, Play};
use crate::{Board, Dice, Die};

/// An unfinished play: the steps so far, and the next steps that still lead to a legal play.
///
/// ```
/// use parlor_backgammon::{Board, PartialPlay, Roll, CheckerStep};
/// let roll: Roll = "31".parse()?;
/// let begun = PartialPlay::new(Board::START, roll.into())
///     .stepped(CheckerStep { from: 8, to: 5 })
///     .expect("legal");
/// assert!(begun.next_steps().contains(&CheckerStep { from: 6, to: 5 }));
/// let complete = begun.stepped(CheckerStep { from: 6, to: 5 }).expect("legal");
/// assert!(complete.is_complete());
/// # Ok::<(), parlor_core::NotationError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialPlay {
    start: Board,
    board: Board,
    steps: Vec<CheckerStep>,
    /// Possible remaining dice. There can be several candidates after a checker is borne off, as
    /// either die may have been used for it.
    left: Vec<Vec<Die>>,
    /// Boards that complete legal plays lead to.
    final_boards: BTreeSet<Board>,
}

impl PartialPlay {
    /// Starts a play with nothing moved yet.
    pub fn new(board: Board, dice: Dice) -> PartialPlay {
        let mut final_boards = Vec::new();
        board.afterstates_into(dice, &mut final_boards);
        PartialPlay {
            start: board,
            board,
            steps: Vec::new(),
            left: vec![dice.faces()],
            final_boards: final_boards.into_iter().collect(),
        }
    }

    /// Returns the board before the first step.
    pub fn start(&self) -> Board {
        self.start
    }

    /// Returns the board after the steps so far, still seen from the mover.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Returns the steps so far.
    pub fn steps(&self) -> &[CheckerStep] {
        &self.steps
    }

    /// Returns the dice left to play, highest first.
    pub fn dice_left(&self) -> &[Die] {
        self.left.first().map_or(&[], Vec::as_slice)
    }

    /// Returns the play so far.
    pub fn play(&self) -> Play {
        Play::new(&self.steps).unwrap_or(Play::PASS)
    }

    /// Returns `true` if the steps so far are a complete legal play.
    pub fn is_complete(&self) -> bool {
        self.final_boards.contains(&self.board) && self.next_steps().is_empty()
    }

    /// Returns the steps from which a complete legal play is still possible, rearmost first.
    pub fn next_steps(&self) -> Vec<CheckerStep> {
        let found: BTreeSet<CheckerStep> = self
            .candidates()
            .filter(|(_, board, left)| self.can_complete(board, left))
            .map(|(step, ..)| step)
            .collect();
        found.into_iter().rev().collect()
    }

    /// Returns the play with one more step, or `None` if that step is not possible next.
    pub fn stepped(&self, step: CheckerStep) -> Option<PartialPlay> {
        let matching = self
            .candidates()
            .filter(|(made, board, left)| *made == step && self.can_complete(board, left));
        let left: Vec<Vec<Die>> = matching.map(|(_, _, left)| left).collect();
        if left.is_empty() {
            return None;
        }
        let mut next = self.clone();
        next.board = self.board.stepped(step);
        next.steps.push(step);
        next.left = left;
        Some(next)
    }

    /// Returns all single steps with the remaining dice, each with the board and the dice after it.
    fn candidates(&self) -> impl Iterator<Item = (CheckerStep, Board, Vec<Die>)> {
        self.left
            .iter()
            .flat_map(|left| single_steps(self.board, left))
    }

    /// Returns `true` if a complete play can still be reached from here.
    fn can_complete(&self, board: &Board, left: &[Die]) -> bool {
        // Every final board comes from a play of maximal length, so reaching one means enough dice
        // were used.
        self.final_boards.contains(board)
            || single_steps(*board, left)
                .iter()
                .any(|(_, board, left)| self.can_complete(board, left))
    }
}

fn single_steps(board: Board, left: &[Die]) -> Vec<(CheckerStep, Board, Vec<Die>)> {
    let mut all = Vec::new();
    for (n, die) in left
        .iter()
        .enumerate()
        .filter(|(n, die)| !left[..*n].contains(die))
    {
        let mut rest = left.to_vec();
        rest.remove(n);
        let made = (1..=crate::BAR).filter_map(|from| board.step_with(from, *die).ok());
        all.extend(made.map(|step| (step, board.stepped(step), rest.clone())));
    }
    all
}
