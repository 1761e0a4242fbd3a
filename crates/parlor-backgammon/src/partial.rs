//! A play that is being made, step by step.

use std::collections::BTreeSet;

use crate::legality::step_by;
use crate::play::{Play, Step};
use crate::{Board, Dice, Die};

/// Part of a play: what was moved so far, and what may be moved next so that the whole becomes legal.
///
/// ```
/// use parlor_backgammon::{Board, Partial, Roll, Step};
/// let roll: Roll = "31".parse()?;
/// let begun = Partial::new(Board::START, roll.into()).stepped(Step { from: 8, to: 5 }).expect("legal");
/// assert!(begun.next().contains(&Step { from: 6, to: 5 }));
/// let whole = begun.stepped(Step { from: 6, to: 5 }).expect("legal");
/// assert!(whole.is_whole());
/// # Ok::<(), parlor_core::NotationError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partial {
    start: Board,
    board: Board,
    steps: Vec<Step>,
    /// The dice that may be left: when a checker was borne off, it need not be said by which.
    left: Vec<Vec<Die>>,
    /// The boards that whole plays lead to.
    ends: BTreeSet<Board>,
}

impl Partial {
    /// Nothing moved yet.
    pub fn new(board: Board, dice: Dice) -> Partial {
        let mut ends = Vec::new();
        board.afterstates_into(dice, &mut ends);
        Partial {
            start: board,
            board,
            steps: Vec::new(),
            left: vec![dice.faces()],
            ends: ends.into_iter().collect(),
        }
    }

    /// The board before the first step.
    pub fn start(&self) -> Board {
        self.start
    }

    /// The board after the steps so far, still seen from the mover.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The steps so far.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The dice that are left to play, the highest first.
    pub fn left(&self) -> &[Die] {
        self.left.first().map_or(&[], Vec::as_slice)
    }

    /// The play so far.
    pub fn play(&self) -> Play {
        Play::new(&self.steps).unwrap_or(Play::PASS)
    }

    /// Whether the steps so far are a whole legal play.
    pub fn is_whole(&self) -> bool {
        self.ends.contains(&self.board) && self.next().is_empty()
    }

    /// The steps that can come next so that a whole legal play can follow, the rearmost first.
    pub fn next(&self) -> Vec<Step> {
        let found: BTreeSet<Step> = self
            .ways()
            .filter(|(_, board, left)| self.leads_on(board, left))
            .map(|way| way.0)
            .collect();
        found.into_iter().rev().collect()
    }

    /// With one step more; `None` when it cannot come next.
    pub fn stepped(&self, step: Step) -> Option<Partial> {
        let ways = self
            .ways()
            .filter(|(made, board, left)| *made == step && self.leads_on(board, left));
        let left: Vec<Vec<Die>> = ways.map(|way| way.2).collect();
        if left.is_empty() {
            return None;
        }
        let mut next = self.clone();
        next.board = self.board.stepped(step);
        next.steps.push(step);
        next.left = left;
        Some(next)
    }

    /// Single steps by the dice that may be left: each with the board and the dice after it.
    fn ways(&self) -> impl Iterator<Item = (Step, Board, Vec<Die>)> {
        self.left.iter().flat_map(|left| steps(self.board, left))
    }

    /// Whether a whole play can still come of it.
    fn leads_on(&self, board: &Board, left: &[Die]) -> bool {
        // Every end is a longest play, so whoever reaches one has played enough dice.
        self.ends.contains(board)
            || steps(*board, left)
                .iter()
                .any(|(_, board, left)| self.leads_on(board, left))
    }
}

fn steps(board: Board, left: &[Die]) -> Vec<(Step, Board, Vec<Die>)> {
    let mut all = Vec::new();
    for (n, die) in left
        .iter()
        .enumerate()
        .filter(|(n, die)| !left[..*n].contains(die))
    {
        let mut rest = left.to_vec();
        rest.remove(n);
        let made = (1..=crate::BAR).filter_map(|from| step_by(&board, from, *die).ok());
        all.extend(made.map(|step| (step, board.stepped(step), rest.clone())));
    }
    all
}
