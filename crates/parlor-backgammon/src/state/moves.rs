//! Move files.

use parlor_core::Seat;

use super::check::{roll_fault, used_faults, widened};
use super::row::{place, point_from, point_to};
use super::{Fault, Remark, Stamp, Verdict};
use crate::legality;
use crate::{Board, Die, OFF, Play, Start, Step};

/// A player's whole play as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveFile {
    /// Who plays.
    pub player: Seat,
    /// The steps in their order, 1 to 4.
    pub moves: Vec<Moved>,
    /// When the player made the file.
    pub timestamp: Stamp,
    /// The beginning of the hash of the state that the player saw: 16 hexadecimal digits.
    pub expected_state: String,
    /// The dice that the player saw: two, or four equal ones.
    pub dice_roll: Vec<Die>,
    /// A word to the other player.
    pub comment: Option<String>,
}

/// One checker moved by one die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Where it was: a place of the row, or [`BAR_PLACE`](super::BAR_PLACE).
    pub from: i8,
    /// Where it comes to: a place of the row, or [`OFF_PLACE`](super::OFF_PLACE).
    pub to: i8,
    /// By which die.
    pub die: Die,
}

/// A [`MoveFile`] of which only some fields could be understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveSketch {
    /// See [`MoveFile::player`].
    pub player: Option<Seat>,
    /// See [`MoveFile::moves`]; those that could not be understood are nothing.
    pub moves: Option<Vec<Option<Moved>>>,
    /// See [`MoveFile::timestamp`].
    pub timestamp: Option<Stamp>,
    /// See [`MoveFile::expected_state`].
    pub expected_state: Option<String>,
    /// See [`MoveFile::dice_roll`].
    pub dice_roll: Option<Vec<Die>>,
    /// See [`MoveFile::comment`]; the inner nothing is a file's own `null`.
    pub comment: Option<Option<String>>,
}

impl MoveSketch {
    /// Everything that speaks against what is known of the file, as far as it can be told without the state that it is for.
    pub fn check(&self, start: Start) -> Verdict {
        let mut verdict = Verdict::default();
        let moves = self.moves.as_deref().unwrap_or_default();
        if let Some(player) = self.player {
            for (number, moved) in (1..).zip(moves) {
                let Some(Moved { from, to, die }) = *moved else {
                    continue;
                };
                let step = Moved { from, to, die }.step(start, player);
                let is_way = step.is_some_and(|step| covers(step, die));
                verdict.faults.extend((!is_way).then_some(Fault::Way {
                    number,
                    player,
                    from,
                    to,
                    die,
                }));
            }
        }
        if self.timestamp.as_ref().is_some_and(|at| at.nanos.is_none()) {
            verdict.faults.push(Fault::Timestamp);
        }
        if let Some(dice) = &self.dice_roll {
            verdict.faults.extend(roll_fault(dice));
            let used: Vec<Die> = moves.iter().flatten().map(|moved| moved.die).collect();
            used_faults(&widened(dice), &used, &mut verdict.faults);
            let two_equal = dice.len() == 2 && dice[0] == dice[1];
            verdict.remarks.extend(two_equal.then_some(Remark::Widened));
        }
        verdict
    }

    /// The whole file; `None` when a field is missing. Whether it holds is for [`MoveSketch::check`] to say.
    pub fn whole(self) -> Option<MoveFile> {
        Some(MoveFile {
            player: self.player?,
            moves: self.moves?.into_iter().collect::<Option<_>>()?,
            timestamp: self.timestamp?,
            expected_state: self.expected_state?,
            dice_roll: self.dice_roll?,
            comment: self.comment?,
        })
    }
}

impl MoveFile {
    /// The steps in the player's own numbers; `None` when one begins or ends nowhere.
    pub fn steps(&self, start: Start) -> Option<Vec<Step>> {
        self.moves
            .iter()
            .map(|moved| moved.step(start, self.player))
            .collect()
    }

    /// The play; `None` when it has more than four steps, or one that begins or ends nowhere.
    pub fn play(&self, start: Start) -> Option<Play> {
        Play::new(&self.steps(start)?)
    }
}

impl Moved {
    /// A play as the moves of a file, each with the die that makes it. `None` when the dice cannot make the steps one after
    /// another on this board.
    ///
    /// ```
    /// use parlor_backgammon::state::Moved;
    /// use parlor_backgammon::{Board, Play, Roll, Start, Step, WHITE};
    /// let play = Play::new(&[Step { from: 8, to: 5 }, Step { from: 6, to: 5 }]).expect("two steps");
    /// let dice = "31".parse::<Roll>()?.faces();
    /// let moves = Moved::of(&Board::START, &dice, &play, Start::Standard, WHITE).expect("a play of 31");
    /// assert_eq!((moves[0].from, moves[0].to, moves[0].die.pips()), (7, 4, 3));
    /// # Ok::<(), parlor_core::NotationError>(())
    /// ```
    pub fn of(
        board: &Board,
        dice: &[Die],
        play: &Play,
        start: Start,
        player: Seat,
    ) -> Option<Vec<Moved>> {
        let dice = dice_of(*board, dice, play.steps())?;
        let moved = |(step, die): (&Step, Die)| {
            let [from, to] = [step.from, step.to].map(|point| place(start, player, point));
            Moved { from, to, die }
        };
        Some(play.steps().iter().zip(dice).map(moved).collect())
    }

    /// The step in a player's own numbers; `None` when it begins or ends nowhere.
    pub fn step(self, start: Start, player: Seat) -> Option<Step> {
        Some(Step {
            from: point_from(start, player, self.from)?,
            to: point_to(start, player, self.to)?,
        })
    }
}

/// Whether a die can make a step on some board.
fn covers(step: Step, die: Die) -> bool {
    if step.to == OFF {
        (1..=die.pips()).contains(&step.from)
    } else {
        step.from == step.to + die.pips()
    }
}

/// The die for each step.
fn dice_of(board: Board, dice: &[Die], steps: &[Step]) -> Option<Vec<Die>> {
    let Some((step, rest)) = steps.split_first() else {
        return Some(Vec::new());
    };
    let makes =
        |die: &Die| legality::step_by(&board, step.from, *die).is_ok_and(|made| made == *step);
    dice.iter()
        .enumerate()
        .filter(|(_, die)| makes(die))
        .find_map(|(n, die)| {
            let mut left = dice.to_vec();
            left.remove(n);
            let mut all = dice_of(board.stepped(*step), &left, rest)?;
            all.insert(0, *die);
            Some(all)
        })
}
