//! Verification of a table from its files alone: the move files, the record they lead to, every
//! draw of luck once the secret is published, and the state, byte by byte.

use parlor_games::repository::{
    MoveFile, TableState, TableStateMove, notes, seat_words, state_file, turns,
};
use parlor_games::{GameKind, OutcomeView};
use parlor_table::verify::{VerificationReport, verify as verify_record};
use parlor_table::{EndReason, HandoverReason, Record, RecordedHandover};

use crate::files::TableFile;
use crate::folder::{FileError, TableFolder, join_messages};
use crate::paths::{BOARD, MOVES, RECORD, STATE, TABLE};
use crate::replay::{self, ReplayedStep};

/// Result of verifying a table's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderReport {
    /// Result of verifying the record; `None` if it cannot be read.
    pub report: Option<VerificationReport>,
    /// Number of move files checked.
    pub files: usize,
    /// Failed checks, each with the file it concerns.
    pub problems: Vec<FileError>,
}

/// Verifies the folder of a table.
pub fn verify(folder: &TableFolder) -> FolderReport {
    let mut folder_report = FolderReport {
        report: None,
        files: 0,
        problems: Vec::new(),
    };
    let (table, record) = (
        folder.read::<TableFile>(TABLE),
        folder.read::<Record>(RECORD),
    );
    folder_report.problems.extend(table.as_ref().err().cloned());
    folder_report
        .problems
        .extend(record.as_ref().err().cloned());
    let (Ok(table), Ok(record)) = (table, record) else {
        return folder_report;
    };
    let report = verify_record(&record);
    folder_report
        .problems
        .extend(report.problems.iter().map(|found| {
            let location = found
                .step
                .map_or_else(String::new, |step| format!("step {}: ", step + 1));
            FileError::new(
                RECORD,
                format!("{location}{}: {}", found.rule, found.message),
            )
        }));
    let holds = report.is_valid();
    folder_report.report = Some(report);
    check_agreement(&table, &record, &mut folder_report.problems);
    match folder.moves() {
        Err(error) => folder_report.problems.push(error),
        Ok(moves) => {
            folder_report.files = moves.len();
            if holds {
                folder_report
                    .problems
                    .extend(check_moves(folder, &table, &record).err());
            }
        }
    }
    folder_report
}

/// Checks that `table.json` and the record agree.
fn check_agreement(table: &TableFile, record: &Record, problems: &mut Vec<FileError>) {
    let mut differs = |what: &str, same: bool| {
        if !same {
            problems.push(FileError::new(
                TABLE,
                format!("{what}: the record says something else"),
            ));
        }
    };
    differs("format", table.format == TableFile::FORMAT);
    differs("table", table.table.to_string() == record.table);
    differs("game", table.game == record.game);
    differs("options", table.options == record.options);
    differs("result", table.result == record.ending);
    // Luck entered by hand has no commitment.
    let luck = record.luck.as_ref().filter(|luck| !luck.by_hand);
    let (agreed, recorded) = (table.luck.as_ref(), luck);
    differs(
        "luck",
        agreed.map(|luck| Some(luck.commitment.as_str()))
            == recorded.map(|luck| luck.commitment.as_deref()),
    );
    differs(
        "luck.secret",
        agreed.and_then(|luck| luck.secret.as_ref())
            == recorded.and_then(|luck| luck.secret.as_ref()),
    );
    let start = GameKind::from_name(&table.game)
        .ok()
        .and_then(|kind| kind.start(&table.options).ok());
    let words = start.map(|start| seat_words(&start)).unwrap_or_default();
    let names: Vec<Option<&str>> = words
        .iter()
        .map(|word| table.players.get(word).and_then(|name| name.as_str()))
        .collect();
    let seated: Vec<Option<String>> = record
        .players
        .iter()
        .map(|player| {
            player.name.clone().map(|name| {
                if player.kind == "bot" && player.owner.is_none() {
                    format!("bot:{name}")
                } else {
                    name
                }
            })
        })
        .collect();
    // In the record a seat that was given up belongs to a bot.
    let same = names.len() == seated.len()
        && names.len() == table.players.len()
        && names.iter().zip(&seated).all(|(name, seated)| {
            *name == seated.as_deref()
                || seated
                    .as_deref()
                    .is_some_and(|seated| seated.starts_with("bot:"))
        });
    differs("players", same);
}

/// Replays the record alongside the move files and compares the resulting state.
fn check_moves(folder: &TableFolder, table: &TableFile, record: &Record) -> Result<(), FileError> {
    let words = seat_words(&replay::start(record)?);
    let moves = folder.moves()?;
    let mut files = moves.iter();
    let (mut turn, mut last, mut chance) = (1, None, None);
    let (position, mark) = replay::replay(
        record,
        |ReplayedStep {
             n,
             seat,
             text,
             before,
             after,
             ..
         }| {
            let Some(seat) = seat else {
                chance = Some(text.to_owned());
                return Ok(());
            };
            // Forced moves have no file.
            if before.forced().is_none_or(|forced| forced.text != text) {
                let (file, named, name) = loop {
                    let (named, name, bytes) = files.next().ok_or_else(|| {
                        FileError::new(
                            RECORD,
                            format!(
                                "step {n}: {text} was played, but there is no move file for it"
                            ),
                        )
                    })?;
                    let file = MoveFile::read(name, bytes, before).map_err(|findings| {
                        FileError::new(format!("{MOVES}/{name}"), join_messages(&findings))
                    })?;
                    if file.text != MoveFile::RESIGN {
                        break (file, named, name);
                    }
                    // A bot has taken over the seat.
                    check_resignation(&file, record)
                        .map_err(|reason| FileError::new(format!("{MOVES}/{name}"), reason))?;
                    turn += 1;
                };
                if (file.seat, file.text.as_str()) != (seat, text) {
                    let reason = format!("it plays {}, but the record says {text}", file.text);
                    return Err(FileError::new(format!("{MOVES}/{name}"), reason));
                }
                last = Some(TableStateMove {
                    sequence: named.sequence,
                    seat,
                    file: (*name).to_owned(),
                });
            }
            turn += turns(before, text, after);
            Ok(())
        },
    )?;
    for (named, name, bytes) in files {
        let path = format!("{MOVES}/{name}");
        let resigned = MoveFile::read(name, bytes, &position)
            .ok()
            .filter(|file| file.text == MoveFile::RESIGN);
        let file = resigned
            .ok_or_else(|| FileError::new(&path, "the record does not contain this move"))?;
        check_resignation(&file, record).map_err(|reason| FileError::new(&path, reason))?;
        turn += 1;
        last = Some(TableStateMove {
            sequence: named.sequence,
            seat: file.seat,
            file: (*name).to_owned(),
        });
    }
    let bytes = folder.get(STATE)?;
    let (notes, updated_at) =
        notes(bytes).ok_or_else(|| FileError::new(STATE, "its messages cannot be read"))?;
    let named = |word: &String| {
        table
            .players
            .get(word)
            .and_then(|name| name.as_str())
            .unwrap_or_default()
            .to_owned()
    };
    let state = TableState {
        turn,
        players: words.iter().map(named).collect(),
        last_move: last,
        mark: mark.map(str::to_owned),
        chance,
        outcome: record
            .ending
            .map(|ending| ending.outcome.unwrap_or(OutcomeView::Draw)),
        notes,
        updated_at,
    };
    let derived = state_file(&position, &state);
    if derived.as_bytes() != bytes {
        return Err(FileError::new(STATE, first_difference(&derived, bytes)));
    }
    let picture = position.svg(mark);
    if folder
        .files
        .get(BOARD)
        .is_some_and(|bytes| *bytes != picture.as_bytes())
    {
        return Err(FileError::new(BOARD, "the picture shows another position"));
    }
    Ok(())
}

/// Checks that the record confirms a resignation: it ended the game, or a bot has taken over the
/// seat.
fn check_resignation(file: &MoveFile, record: &Record) -> Result<(), &'static str> {
    let ended = record
        .ending
        .is_some_and(|ending| ending.how == EndReason::Resignation);
    let replaced = record
        .players
        .get(file.seat.index())
        .is_some_and(|player| player.kind == "bot" && player.owner.is_none());
    // The player may have come back.
    let left = |handover: &RecordedHandover| {
        handover.seat == file.seat.number()
            && matches!(
                handover.why,
                HandoverReason::Resigned | HandoverReason::Away
            )
    };
    if ended || replaced || record.handovers.iter().any(left) {
        Ok(())
    } else {
        Err("the record does not contain this resignation")
    }
}

fn first_difference(derived: &str, bytes: &[u8]) -> String {
    let found = String::from_utf8_lossy(bytes).into_owned();
    let mut lines = derived.lines().zip(found.lines()).zip(1..);
    match lines.find(|((derived, found), _)| derived != found) {
        Some(((derived, found), line)) => {
            format!(
                "line {line} says {:?}, but the moves lead to {:?}",
                found.trim(),
                derived.trim()
            )
        }
        None => "it is longer or shorter than the moves lead to".to_owned(),
    }
}
