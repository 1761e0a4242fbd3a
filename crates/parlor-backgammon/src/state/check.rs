//! The rules that a state keeps, each with its own reason.

use parlor_core::Seat;

use super::{
    Fault, LAST_TURN, LastMove, MESSAGES_KEPT, MessageKind, MoveName, RESIGNED, Remark, Sketch,
    Stamp, Status,
};
use crate::{CHECKERS, Dice, Die, Start};

/// What a check came to.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Verdict {
    /// What the file must not say; empty when it holds.
    pub faults: Vec<Fault>,
    /// What else there is to know, such as that no play leads there.
    pub remarks: Vec<Remark>,
}

impl Sketch {
    /// Everything that speaks against what is known of the state, counted from this start. Rules about a field that could not
    /// be understood are not looked at.
    pub fn check(&self, start: Start) -> Verdict {
        let mut faults = Vec::new();
        faults.extend(
            self.turn
                .filter(|turn| *turn > LAST_TURN)
                .map(|turn| Fault::Turn { turn }),
        );
        if let Some(dice) = &self.dice {
            faults.extend(roll_fault(dice));
        }
        if let (Some(dice), Some(used)) = (&self.dice, &self.used) {
            used_faults(&widened(dice), used, &mut faults);
        }
        let row = self.row();
        for seat in Seat::all(2) {
            let sum = row.map_or(u32::from(CHECKERS), |row| row.sum(seat));
            faults.extend((sum != u32::from(CHECKERS)).then_some(Fault::Checkers { seat, sum }));
        }
        self.last_move_faults(&mut faults);
        self.ending_faults(&mut faults);
        self.message_faults(&mut faults);
        Verdict {
            remarks: self.remarks(start, &faults),
            faults,
        }
    }

    fn ending_faults(&self, faults: &mut Vec<Fault>) {
        let over = self.status.map(|status| status == Status::Completed);
        match (over, self.winner) {
            (Some(false), Some(Some(winner))) => faults.push(Fault::WinnerTooEarly { winner }),
            (Some(true), Some(None)) => faults.push(Fault::NoWinner),
            _ => {}
        }
        let Some([white, black]) = self.home else {
            return;
        };
        let off = Seat::all(2).filter(|seat| [white, black][seat.index()] >= CHECKERS);
        match (&off.collect::<Vec<_>>()[..], over) {
            ([_, _], _) => faults.push(Fault::BothOff),
            ([], Some(true)) if !self.is_resigned() => {
                faults.push(Fault::NobodyOff { white, black })
            }
            ([seat], Some(false)) => faults.push(Fault::OffTooEarly { seat: *seat }),
            _ => {}
        }
        if let Some(Some(winner)) = self.winner {
            let other = [white, black][winner.next(2).index()];
            let own = [white, black][winner.index()];
            if other >= CHECKERS && own < CHECKERS {
                faults.push(Fault::WrongWinner { winner });
            }
        }
    }

    /// Whether a message says that somebody gave the game up, so that it is completed before anybody is off.
    fn is_resigned(&self) -> bool {
        let messages = self.messages.iter().flatten().flatten();
        messages
            .filter(|message| message.kind == MessageKind::Info)
            .any(|message| message.text.contains(RESIGNED))
    }

    fn last_move_faults(&self, faults: &mut Vec<Fault>) {
        let over = self.status == Some(Status::Completed);
        match (&self.last_move, self.turn) {
            (Some(None), _) if over && !self.is_resigned() => faults.push(Fault::OverUnmoved),
            (Some(None), Some(turn)) if turn > 1 => faults.push(Fault::NoLastMove { turn }),
            (Some(Some(last)), turn) => {
                faults.extend(turn.and_then(|turn| self.turn_fault(last, turn, over)));
                file_faults(last, faults);
                let by_play = over && !self.is_resigned();
                let winner = self
                    .winner
                    .flatten()
                    .filter(|winner| by_play && *winner != last.player);
                faults.extend(winner.map(|winner| Fault::WinnerNotLast { winner }));
            }
            _ => {}
        }
    }

    /// Whether the last move can have been made before this turn, and leave it to who is on turn.
    fn turn_fault(&self, last: &LastMove, turn: u64, over: bool) -> Option<Fault> {
        let &LastMove {
            sequence, player, ..
        } = last;
        // In the middle of a turn, a part of it may be a move of its own; at the end the turn need not have moved on.
        let begun = over || self.used.as_ref().is_none_or(|used| !used.is_empty());
        let latest = if begun { turn } else { turn.saturating_sub(1) };
        if turn == 1 && !begun {
            return Some(Fault::MovedTooEarly);
        }
        if sequence > latest {
            return Some(Fault::Sequence { sequence, turn });
        }
        // Each move takes a turn, and so does each pass; the very first turn cannot be passed. So the last move was made at
        // one of the turns from `sequence` to `latest`, which is only one if nobody passed.
        let latest = if sequence == 1 { 1 } else { latest };
        let active = self.active.filter(|_| !over && latest == sequence)?;
        let same = (turn - latest).is_multiple_of(2);
        (same != (active == player)).then_some(Fault::Alternation {
            player,
            sequence,
            active,
            turn,
        })
    }

    fn message_faults(&self, faults: &mut Vec<Fault>) {
        let messages = self.messages.as_deref().unwrap_or_default();
        let mut newest: Option<(usize, i128)> = None;
        for (number, message) in (1..).zip(messages) {
            let Some(message) = message else { continue };
            match (message.at.nanos, newest) {
                (None, _) => faults.push(Fault::MessageTime { number }),
                (Some(at), Some((_, before))) if at < before => {
                    faults.push(Fault::MessageOrder { number })
                }
                (Some(at), _) => newest = Some((number, at)),
            }
        }
        if messages.len() > MESSAGES_KEPT {
            faults.push(Fault::MessageCount {
                count: messages.len(),
            });
        }
        match (&self.updated_at, newest) {
            (Some(Stamp { nanos: None, .. }), _) => faults.push(Fault::UpdatedTime),
            (
                Some(Stamp {
                    nanos: Some(at), ..
                }),
                Some((number, newest)),
            ) if *at < newest => {
                faults.push(Fault::UpdatedBefore { number });
            }
            _ => {}
        }
    }

    fn remarks(&self, start: Start, faults: &[Fault]) -> Vec<Remark> {
        let mut remarks = Vec::new();
        let playing = self.status == Some(Status::Playing);
        if self
            .dice
            .as_ref()
            .is_some_and(|dice| dice.len() == 2 && dice[0] == dice[1])
        {
            remarks.push(Remark::Widened);
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
            match (left(dice, used), self.row(), self.active) {
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
            super::reach::remarks(self, start, &mut remarks);
        }
        let one = self
            .players
            .as_ref()
            .is_some_and(|[white, black]| white.to_lowercase() == black.to_lowercase());
        remarks.extend(one.then_some(Remark::SameUser));
        remarks
    }
}

fn file_faults(last: &LastMove, faults: &mut Vec<Fault>) {
    let LastMove {
        sequence,
        player,
        file,
    } = last;
    if u64::from(file.sequence) != *sequence {
        faults.push(Fault::FileSequence {
            sequence: *sequence,
            file: file.clone(),
        });
    }
    if file.player != *player {
        faults.push(Fault::FilePlayer {
            player: *player,
            file: file.clone(),
        });
    }
    if file.hash.len() != MoveName::HASH {
        faults.push(Fault::FileHash { file: file.clone() });
    }
}

/// What speaks against these dice as a roll.
pub(super) fn roll_fault(dice: &[Die]) -> Option<Fault> {
    match dice {
        [_, _] => None,
        [first, others @ ..] if others.len() == 3 => others
            .iter()
            .any(|die| die != first)
            .then_some(Fault::DiceUnlike),
        _ => Some(Fault::DiceCount { count: dice.len() }),
    }
}

/// The dice as they are played: two equal ones are four.
pub(super) fn widened(dice: &[Die]) -> Vec<Die> {
    match dice {
        [one, other] if one == other => vec![*one; 4],
        dice => dice.to_vec(),
    }
}

/// One fault for each die that is used more often than it lies.
pub(super) fn used_faults(dice: &[Die], used: &[Die], faults: &mut Vec<Fault>) {
    let times = |dice: &[Die], die| dice.iter().filter(|other| **other == die).count();
    faults.extend(Die::all().filter_map(|die| {
        let (used, lies) = (times(used, die), times(dice, die));
        (used > lies).then_some(Fault::DiceUsed { die, used, lies })
    }));
}

/// The dice that are left to play; nothing when all are used, or when they are no roll.
pub(super) fn left(dice: &[Die], used: &[Die]) -> Option<Dice> {
    let mut left = widened(dice);
    for die in used {
        let place = left.iter().position(|other| other == die)?;
        left.remove(place);
    }
    Dice::of(&left)
}
