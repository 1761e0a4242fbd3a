//! Contents of move files.

use parlor_backgammon::{Board, CheckerStep, Die, OFF, Play, StartLayout};
use parlor_core::Seat;

use super::check::{expand_double, roll_fault, used_faults};
use super::row::{place, point_from, point_to};
use super::{FileTimestamp, Remark, StateFault, StateReport};

/// Contents of a move file: a player's whole play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveDocument {
    /// Player who moves.
    pub player: Seat,
    /// Steps in order, 1 to 4.
    pub moves: Vec<FileStep>,
    /// Time at which the player made the file.
    pub timestamp: FileTimestamp,
    /// Prefix of the hash of the state that the player saw: 16 hexadecimal digits.
    pub expected_state: String,
    /// Dice that the player saw: two, or four equal ones.
    pub dice_roll: Vec<Die>,
    /// Comment for the opponent.
    pub comment: Option<String>,
}

/// One checker moved by one die, in the numbering of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStep {
    /// Starting place: an index of the row, or [`BAR_PLACE`](super::BAR_PLACE).
    pub from: i8,
    /// Destination: an index of the row, or [`OFF_PLACE`](super::OFF_PLACE).
    pub to: i8,
    /// The die used.
    pub die: Die,
}

/// A [`MoveDocument`] in which some fields may be missing or not understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartialMove {
    /// See [`MoveDocument::player`].
    pub player: Option<Seat>,
    /// See [`MoveDocument::moves`]; steps that were not understood are `None`.
    pub moves: Option<Vec<Option<FileStep>>>,
    /// See [`MoveDocument::timestamp`].
    pub timestamp: Option<FileTimestamp>,
    /// See [`MoveDocument::expected_state`].
    pub expected_state: Option<String>,
    /// See [`MoveDocument::dice_roll`].
    pub dice_roll: Option<Vec<Die>>,
    /// See [`MoveDocument::comment`]; the inner `None` is a `null` in the file.
    pub comment: Option<Option<String>>,
}

impl PartialMove {
    /// Validates the known fields, as far as possible without the state that the file is for.
    pub fn check(&self, start: StartLayout) -> StateReport {
        let mut report = StateReport::default();
        let moves = self.moves.as_deref().unwrap_or_default();
        if let Some(player) = self.player {
            for (number, moved) in (1..).zip(moves) {
                let Some(FileStep { from, to, die }) = *moved else {
                    continue;
                };
                let step = FileStep { from, to, die }.step(start, player);
                let is_valid = step.is_some_and(|step| covers(step, die));
                report.faults.extend((!is_valid).then_some(StateFault::Way {
                    number,
                    player,
                    from,
                    to,
                    die,
                }));
            }
        }
        if self.timestamp.as_ref().is_some_and(|at| at.nanos.is_none()) {
            report.faults.push(StateFault::Timestamp);
        }
        if let Some(dice) = &self.dice_roll {
            report.faults.extend(roll_fault(dice));
            let used: Vec<Die> = moves.iter().flatten().map(|moved| moved.die).collect();
            used_faults(&expand_double(dice), &used, &mut report.faults);
            let two_equal = dice.len() == 2 && dice[0] == dice[1];
            report
                .remarks
                .extend(two_equal.then_some(Remark::DoubleExpanded));
        }
        report
    }

    /// Returns the document, or `None` if a field is missing. Does not validate; see
    /// [`PartialMove::check`].
    pub fn into_document(self) -> Option<MoveDocument> {
        Some(MoveDocument {
            player: self.player?,
            moves: self.moves?.into_iter().collect::<Option<_>>()?,
            timestamp: self.timestamp?,
            expected_state: self.expected_state?,
            dice_roll: self.dice_roll?,
            comment: self.comment?,
        })
    }
}

impl MoveDocument {
    /// Returns the steps in the player's own point numbers, or `None` if one has an invalid place.
    pub fn steps(&self, start: StartLayout) -> Option<Vec<CheckerStep>> {
        self.moves
            .iter()
            .map(|moved| moved.step(start, self.player))
            .collect()
    }

    /// Returns the play, or `None` if it has more than four steps or one with an invalid place.
    pub fn play(&self, start: StartLayout) -> Option<Play> {
        Play::new(&self.steps(start)?)
    }
}

impl FileStep {
    /// Returns a play as the steps of a file, each with the die used. Returns `None` if the dice
    /// cannot make the steps in order on this board.
    ///
    /// ```
    /// use parlor_formats::state_json::FileStep;
    /// use parlor_backgammon::{Board, Play, Roll, StartLayout, CheckerStep, WHITE};
    /// let steps = [CheckerStep { from: 8, to: 5 }, CheckerStep { from: 6, to: 5 }];
    /// let play = Play::new(&steps).expect("two steps");
    /// let dice = "31".parse::<Roll>()?.faces();
    /// let start = StartLayout::Standard;
    /// let moves = FileStep::for_play(&Board::START, &dice, &play, start, WHITE).expect("legal");
    /// assert_eq!((moves[0].from, moves[0].to, moves[0].die.pips()), (7, 4, 3));
    /// # Ok::<(), parlor_core::NotationError>(())
    /// ```
    pub fn for_play(
        board: &Board,
        dice: &[Die],
        play: &Play,
        start: StartLayout,
        player: Seat,
    ) -> Option<Vec<FileStep>> {
        let dice = dice_for_steps(*board, dice, play.steps())?;
        let moved = |(step, die): (&CheckerStep, Die)| {
            let [from, to] = [step.from, step.to].map(|point| place(start, player, point));
            FileStep { from, to, die }
        };
        Some(play.steps().iter().zip(dice).map(moved).collect())
    }

    /// Returns the step in a player's own point numbers, or `None` if it has an invalid place.
    pub fn step(self, start: StartLayout, player: Seat) -> Option<CheckerStep> {
        Some(CheckerStep {
            from: point_from(start, player, self.from)?,
            to: point_to(start, player, self.to)?,
        })
    }
}

/// Returns `true` if a die can make a step on some board.
fn covers(step: CheckerStep, die: Die) -> bool {
    if step.to == OFF {
        (1..=die.pips()).contains(&step.from)
    } else {
        step.from == step.to + die.pips()
    }
}

/// Returns the die used for each step.
fn dice_for_steps(board: Board, dice: &[Die], steps: &[CheckerStep]) -> Option<Vec<Die>> {
    let Some((step, rest)) = steps.split_first() else {
        return Some(Vec::new());
    };
    let makes = |die: &Die| board.step_with(step.from, *die) == Ok(*step);
    dice.iter()
        .enumerate()
        .filter(|(_, die)| makes(die))
        .find_map(|(n, die)| {
            let mut left = dice.to_vec();
            left.remove(n);
            let mut all = dice_for_steps(board.stepped(*step), &left, rest)?;
            all.insert(0, *die);
            Some(all)
        })
}
