//! Checking a record: every move replayed, every draw of luck derived again.

use parlor_core::{Seat, Turn};
use parlor_games::{AnyPosition, GameKind};
use serde::Serialize;

use crate::{How, Record, RecordedLuck, Secret, Step, TableId};

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Moves replayed.
    pub moves: usize,
    /// Draws of luck in the record.
    pub draws: usize,
    /// Whether the draws could be derived again: the game has luck and its secret is in the record.
    pub luck_checked: bool,
    /// What does not hold; empty when all holds.
    pub problems: Vec<Finding>,
}

/// Something that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The step of the log it was found at, from 0; nothing when it is about the whole record.
    pub step: Option<usize>,
    /// A stable name for programs.
    pub rule: &'static str,
    /// What is wrong.
    pub message: String,
}

impl Report {
    /// Whether the record holds in everything that could be checked.
    pub fn holds(&self) -> bool {
        self.problems.is_empty()
    }

    fn note(&mut self, step: Option<usize>, rule: &'static str, message: impl Into<String>) {
        self.problems.push(Finding {
            step,
            rule,
            message: message.into(),
        });
    }
}

/// Replays a record and derives its luck again.
///
/// After a step that cannot be played the rest of the log is not looked at.
pub fn verify(record: &Record) -> Report {
    let mut report = Report {
        moves: 0,
        draws: 0,
        luck_checked: false,
        problems: Vec::new(),
    };
    if record.format != Record::FORMAT {
        report.note(
            None,
            "format",
            format!(
                "the format is {:?}, not {:?}",
                record.format,
                Record::FORMAT
            ),
        );
        return report;
    }
    let table = record.table.parse::<TableId>();
    if let Err(error) = &table {
        report.note(None, "table", error.to_string());
    }
    let start = GameKind::from_name(&record.game)
        .map_err(|error| ("game", error.to_string()))
        .and_then(|kind| {
            kind.start(&record.options)
                .map_err(|error| ("options", error.to_string()))
        });
    let mut position = match start {
        Ok(position) => position,
        Err((rule, message)) => {
            report.note(None, rule, message);
            return report;
        }
    };
    let secret = secret(record.luck.as_ref(), record.ending.is_some(), &mut report);
    let dice = secret.zip(table.ok()).zip(record.luck.as_ref());
    report.luck_checked = dice.is_some();
    for (index, step) in record.log.iter().enumerate() {
        let expected = dice.as_ref().map(|((secret, table), luck)| Dice {
            secret,
            table: *table,
            texts: &luck.texts,
        });
        if !follow(&mut position, index, step, expected, &mut report) {
            return report;
        }
    }
    end(&position, record, &mut report);
    report
}

/// What a draw is derived from.
struct Dice<'a> {
    secret: &'a Secret,
    table: TableId,
    texts: &'a [String],
}

fn secret(luck: Option<&RecordedLuck>, over: bool, report: &mut Report) -> Option<Secret> {
    let luck = luck.filter(|luck| !luck.by_hand)?;
    let Some(text) = &luck.secret else {
        if over {
            report.note(
                None,
                "secret",
                "the game is over, but the secret of its luck is not shown",
            );
        }
        return None;
    };
    let secret = Secret::from_hex(text);
    match &secret {
        None => report.note(None, "secret", "the secret is not 64 hexadecimal digits"),
        Some(secret) if Some(secret.commitment()) != luck.commitment => {
            report.note(
                None,
                "commitment",
                "the secret is not the one that was committed to before the game",
            );
        }
        Some(_) => {}
    }
    secret
}

fn follow(
    position: &mut AnyPosition,
    index: usize,
    step: &Step,
    dice: Option<Dice<'_>>,
    report: &mut Report,
) -> bool {
    let at = Some(index);
    match step {
        Step::Move { seat, text, .. } => {
            report.moves += 1;
            let played = Seat::new(*seat)
                .map_err(|error| error.to_string())
                .and_then(|seat| position.play(text, seat).map_err(|error| error.to_string()));
            match played {
                Ok(_) => true,
                Err(reason) => {
                    report.note(
                        at,
                        "move",
                        format!("seat {seat} cannot play {text}: {reason}"),
                    );
                    false
                }
            }
        }
        Step::Chance { n, chance, .. } => {
            if usize::try_from(*n) != Ok(report.draws) {
                report.note(
                    at,
                    "order",
                    format!(
                        "draw number {n} stands where number {} belongs",
                        report.draws
                    ),
                );
            }
            report.draws += 1;
            check_draw(position, at, *n, chance, dice, report);
            match position.resolve(chance) {
                Ok(()) => true,
                Err(reason) => {
                    report.note(at, "chance", format!("{chance} cannot come up: {reason}"));
                    false
                }
            }
        }
    }
}

fn check_draw(
    position: &AnyPosition,
    at: Option<usize>,
    n: u32,
    chance: &str,
    dice: Option<Dice<'_>>,
    report: &mut Report,
) {
    let Some(Dice {
        secret,
        table,
        texts,
    }) = dice
    else {
        return;
    };
    let chances = position.chances();
    let weights: Vec<u32> = chances.iter().map(|(_, weight)| *weight).collect();
    let drawn = secret
        .draw(table, texts, n, &weights)
        .map(|index| chances[index].0.as_str());
    if drawn.is_some_and(|drawn| drawn != chance) {
        let drawn = drawn.unwrap_or_default();
        report.note(
            at,
            "luck",
            format!("the record says {chance}, but the secret draws {drawn}"),
        );
    }
}

fn end(position: &AnyPosition, record: &Record, report: &mut Report) {
    if position.text() != record.position {
        report.note(
            None,
            "position",
            format!(
                "the log leads to {:?}, not to {:?}",
                position.text(),
                record.position
            ),
        );
    }
    let by_rules = record.ending.filter(|ending| ending.how == How::Rules);
    match (position.turn(), by_rules) {
        (Turn::Over(outcome), Some(ending)) if ending.outcome != Some(outcome.into()) => {
            report.note(
                None,
                "ending",
                "the record names another outcome than the rules",
            );
        }
        (Turn::Over(_), None) => report.note(
            None,
            "ending",
            "the game is over by the rules, but the record does not say so",
        ),
        (Turn::Move(_) | Turn::Chance, Some(_)) => {
            report.note(
                None,
                "ending",
                "the record says that the game is over by the rules, but it is not",
            );
        }
        _ => {}
    }
}
