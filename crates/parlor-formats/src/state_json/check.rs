//! Validation of states, with a reason for each broken rule.

use parlor_backgammon::{CHECKERS, Dice, Die, StartLayout};
use parlor_core::Seat;

use super::{
    FileTimestamp, LAST_TURN, LastMoveEntry, MESSAGES_KEPT, MessageKind, MoveFileName,
    PartialState, RESIGNED, Remark, StateFault, Status,
};

/// Result of a validation.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct StateReport {
    /// Broken rules; empty if the file is valid.
    pub faults: Vec<StateFault>,
    /// Remarks on valid contents, such as that no play leads to the position.
    pub remarks: Vec<Remark>,
}

impl PartialState {
    /// Validates the known fields with the given starting layout. Rules about fields that were not
    /// understood are skipped.
    pub fn check(&self, start: StartLayout) -> StateReport {
        let mut faults = Vec::new();
        faults.extend(
            self.turn
                .filter(|turn| *turn > LAST_TURN)
                .map(|turn| StateFault::Turn { turn }),
        );
        if let Some(dice) = &self.dice {
            faults.extend(roll_fault(dice));
        }
        if let (Some(dice), Some(used)) = (&self.dice, &self.used) {
            used_faults(&expand_double(dice), used, &mut faults);
        }
        let row = self.row();
        for seat in Seat::all(2) {
            let sum = row.map_or(u32::from(CHECKERS), |row| row.checker_count(seat));
            faults
                .extend((sum != u32::from(CHECKERS)).then_some(StateFault::Checkers { seat, sum }));
        }
        self.last_move_faults(&mut faults);
        self.ending_faults(&mut faults);
        self.message_faults(&mut faults);
        StateReport {
            remarks: self.remarks(start, &faults),
            faults,
        }
    }

    fn ending_faults(&self, faults: &mut Vec<StateFault>) {
        let over = self.status.map(|status| status == Status::Completed);
        match (over, self.winner) {
            (Some(false), Some(Some(winner))) => faults.push(StateFault::WinnerTooEarly { winner }),
            (Some(true), Some(None)) => faults.push(StateFault::NoWinner),
            _ => {}
        }
        let Some([white, black]) = self.home else {
            return;
        };
        let off = Seat::all(2).filter(|seat| [white, black][seat.index()] >= CHECKERS);
        match (&off.collect::<Vec<_>>()[..], over) {
            ([_, _], _) => faults.push(StateFault::BothOff),
            ([], Some(true)) if !self.is_resigned() => {
                faults.push(StateFault::NobodyOff { white, black })
            }
            ([seat], Some(false)) => faults.push(StateFault::OffTooEarly { seat: *seat }),
            _ => {}
        }
        if let Some(Some(winner)) = self.winner {
            let other = [white, black][winner.next(2).index()];
            let own = [white, black][winner.index()];
            if other >= CHECKERS && own < CHECKERS {
                faults.push(StateFault::WrongWinner { winner });
            }
        }
    }

    /// Returns `true` if a message says that a player resigned, which completes the game before all
    /// checkers of a side are off.
    fn is_resigned(&self) -> bool {
        let messages = self.messages.iter().flatten().flatten();
        messages
            .filter(|message| message.kind == MessageKind::Info)
            .any(|message| message.text.contains(RESIGNED))
    }

    fn last_move_faults(&self, faults: &mut Vec<StateFault>) {
        let over = self.status == Some(Status::Completed);
        match (&self.last_move, self.turn) {
            (Some(None), _) if over && !self.is_resigned() => faults.push(StateFault::OverUnmoved),
            (Some(None), Some(turn)) if turn > 1 => faults.push(StateFault::NoLastMove { turn }),
            (Some(Some(last)), turn) => {
                faults.extend(turn.and_then(|turn| self.turn_fault(last, turn, over)));
                file_faults(last, faults);
                let by_play = over && !self.is_resigned();
                let winner = self
                    .winner
                    .flatten()
                    .filter(|winner| by_play && *winner != last.player);
                faults.extend(winner.map(|winner| StateFault::WinnerNotLast { winner }));
            }
            _ => {}
        }
    }

    /// Checks that the last move can have been made before this turn, and that it leaves the turn
    /// to the active player.
    fn turn_fault(&self, last: &LastMoveEntry, turn: u64, over: bool) -> Option<StateFault> {
        let &LastMoveEntry {
            sequence, player, ..
        } = last;
        // In the middle of a turn, part of it may already be a separate move; at the end the turn
        // number need not have advanced.
        let begun = over || self.used.as_ref().is_none_or(|used| !used.is_empty());
        let latest = if begun { turn } else { turn.saturating_sub(1) };
        if turn == 1 && !begun {
            return Some(StateFault::MovedTooEarly);
        }
        if sequence > latest {
            return Some(StateFault::Sequence { sequence, turn });
        }
        // Each move takes a turn, and so does each pass; the very first turn cannot be passed. So
        // the last move was made in one of the turns from `sequence` to `latest`, which is only a
        // single one if no turn was passed.
        let latest = if sequence == 1 { 1 } else { latest };
        let active = self.active.filter(|_| !over && latest == sequence)?;
        let same = (turn - latest).is_multiple_of(2);
        (same != (active == player)).then_some(StateFault::Alternation {
            player,
            sequence,
            active,
            turn,
        })
    }

    fn message_faults(&self, faults: &mut Vec<StateFault>) {
        let messages = self.messages.as_deref().unwrap_or_default();
        let mut newest: Option<(usize, i128)> = None;
        for (number, message) in (1..).zip(messages) {
            let Some(message) = message else { continue };
            match (message.at.nanos, newest) {
                (None, _) => faults.push(StateFault::MessageTime { number }),
                (Some(at), Some((_, before))) if at < before => {
                    faults.push(StateFault::MessageOrder { number })
                }
                (Some(at), _) => newest = Some((number, at)),
            }
        }
        if messages.len() > MESSAGES_KEPT {
            faults.push(StateFault::MessageCount {
                count: messages.len(),
            });
        }
        match (&self.updated_at, newest) {
            (Some(FileTimestamp { nanos: None, .. }), _) => faults.push(StateFault::UpdatedTime),
            (
                Some(FileTimestamp {
                    nanos: Some(at), ..
                }),
                Some((number, newest)),
            ) if *at < newest => {
                faults.push(StateFault::UpdatedBefore { number });
            }
            _ => {}
        }
    }

    fn remarks(&self, start: StartLayout, faults: &[StateFault]) -> Vec<Remark> {
        let mut remarks = Vec::new();
        let playing = self.status == Some(Status::Playing);
        if self
            .dice
            .as_ref()
            .is_some_and(|dice| dice.len() == 2 && dice[0] == dice[1])
        {
            remarks.push(Remark::DoubleExpanded);
        }
        let off = self.home.is_some_and(|home| home.contains(&CHECKERS));
        remarks.extend(
            (self.status == Some(Status::Completed) && !off && self.is_resigned())
                .then_some(Remark::Resigned),
        );
        let sound = |rule: &str| faults.iter().all(|fault| fault.rule() != rule);
        if let (Some(dice), Some(used), true) = (
            &self.dice,
            &self.used,
            playing && sound("dice") && sound("dice-used"),
        ) {
            match (dice_left(dice, used), self.row(), self.active) {
                (None, ..) => remarks.push(Remark::AllUsed),
                (Some(left), Some(row), Some(seat))
                    if super::game::is_stuck(&row, start, seat, left) =>
                {
                    remarks.push(Remark::NoMove { seat });
                }
                _ => {}
            }
        }
        if sound("checkers") && sound("turn") {
            super::reachability::remarks(self, start, &mut remarks);
        }
        let one = self
            .players
            .as_ref()
            .is_some_and(|[white, black]| white.to_lowercase() == black.to_lowercase());
        remarks.extend(one.then_some(Remark::SameUser));
        remarks
    }
}

fn file_faults(last: &LastMoveEntry, faults: &mut Vec<StateFault>) {
    let LastMoveEntry {
        sequence,
        player,
        file,
    } = last;
    if u64::from(file.sequence) != *sequence {
        faults.push(StateFault::FileSequence {
            sequence: *sequence,
            file: file.clone(),
        });
    }
    if file.player != *player {
        faults.push(StateFault::FilePlayer {
            player: *player,
            file: file.clone(),
        });
    }
    if file.hash.len() != MoveFileName::HASH {
        faults.push(StateFault::FileHash { file: file.clone() });
    }
}

/// Returns the fault of these dice as a roll, if any.
pub(super) fn roll_fault(dice: &[Die]) -> Option<StateFault> {
    match dice {
        [_, _] => None,
        [first, others @ ..] if others.len() == 3 => others
            .iter()
            .any(|die| die != first)
            .then_some(StateFault::DiceUnlike),
        _ => Some(StateFault::DiceCount { count: dice.len() }),
    }
}

/// Returns the dice as they are played: two equal ones count as four.
pub(super) fn expand_double(dice: &[Die]) -> Vec<Die> {
    match dice {
        [one, other] if one == other => vec![*one; 4],
        dice => dice.to_vec(),
    }
}

/// Adds one fault for each die used more often than it was rolled.
pub(super) fn used_faults(dice: &[Die], used: &[Die], faults: &mut Vec<StateFault>) {
    let times = |dice: &[Die], die| dice.iter().filter(|other| **other == die).count();
    faults.extend(Die::all().filter_map(|die| {
        let (used, rolled) = (times(used, die), times(dice, die));
        (used > rolled).then_some(StateFault::DiceUsed { die, used, rolled })
    }));
}

/// Returns the dice left to play; `None` if all are used or if they are not a valid roll.
pub(super) fn dice_left(dice: &[Die], used: &[Die]) -> Option<Dice> {
    let mut left = expand_double(dice);
    for die in used {
        let place = left.iter().position(|other| other == die)?;
        left.remove(place);
    }
    Dice::from_faces(&left)
}
