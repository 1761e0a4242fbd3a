//! Everything about a table derived again from its files alone: the names of the moves, the record they lead to, every draw of luck
//! once the secret is shown, and the state, byte by byte.

use parlor_games::repository::{Beside, LastMove, MoveFile, notes, seat_words, state_file, turns};
use parlor_games::{GameKind, OutcomeView};
use parlor_table::verify::{Report, verify as verify_record};
use parlor_table::{How, Record};

use crate::files::TableFile;
use crate::folder::{Broken, Folder};
use crate::paths::{BOARD, MOVES, RECORD, STATE, TABLE};
use crate::replay::{self, Played};

/// What a check of a table found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// What the record alone came to; nothing when it cannot be read.
    pub report: Option<Report>,
    /// Move files looked at.
    pub files: usize,
    /// What does not hold, each with its file.
    pub problems: Vec<Broken>,
}

/// Checks the folder of a table.
pub fn verify(folder: &Folder) -> Checked {
    let mut checked = Checked {
        report: None,
        files: 0,
        problems: Vec::new(),
    };
    let (table, record) = (
        folder.read::<TableFile>(TABLE),
        folder.read::<Record>(RECORD),
    );
    checked.problems.extend(table.as_ref().err().cloned());
    checked.problems.extend(record.as_ref().err().cloned());
    let (Ok(table), Ok(record)) = (table, record) else {
        return checked;
    };
    let report = verify_record(&record);
    checked.problems.extend(report.problems.iter().map(|found| {
        let place = found
            .step
            .map_or_else(String::new, |step| format!("step {}: ", step + 1));
        Broken::new(RECORD, format!("{place}{}: {}", found.rule, found.message))
    }));
    let holds = report.holds();
    checked.report = Some(report);
    agreed(&table, &record, &mut checked.problems);
    match folder.moves() {
        Err(broken) => checked.problems.push(broken),
        Ok(moves) => {
            checked.files = moves.len();
            if holds {
                checked
                    .problems
                    .extend(played(folder, &table, &record).err());
            }
        }
    }
    checked
}

/// Whether the agreement and the record speak of the same table.
fn agreed(table: &TableFile, record: &Record, problems: &mut Vec<Broken>) {
    let mut differs = |what: &str, same: bool| {
        if !same {
            problems.push(Broken::new(
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
    // Luck that was typed in has nothing to agree on.
    let luck = record.luck.as_ref().filter(|luck| !luck.by_hand);
    let (said, recorded) = (table.luck.as_ref(), luck);
    differs(
        "luck",
        said.map(|luck| Some(luck.commitment.as_str()))
            == recorded.map(|luck| luck.commitment.as_deref()),
    );
    differs(
        "luck.secret",
        said.and_then(|luck| luck.secret.as_ref())
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
                if player.kind == "bot" {
                    format!("bot:{name}")
                } else {
                    name
                }
            })
        })
        .collect();
    // A seat that was given up is a bot's in the record.
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

/// Follows the record with the move files, and compares the state that comes out.
fn played(folder: &Folder, table: &TableFile, record: &Record) -> Result<(), Broken> {
    let words = seat_words(&replay::start(record)?);
    let moves = folder.moves()?;
    let mut files = moves.iter();
    let (mut turn, mut last, mut chance) = (1, None, None);
    let (position, mark) = replay::replay(
        record,
        |Played {
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
            // What the rules or the house played has no file.
            if before.forced().is_none_or(|forced| forced.text != text) {
                let (file, named, name) = loop {
                    let (named, name, bytes) = files.next().ok_or_else(|| {
                        Broken::new(
                            RECORD,
                            format!(
                                "step {n}: {text} was played, but there is no move file for it"
                            ),
                        )
                    })?;
                    let file = MoveFile::read(name, bytes, before).map_err(|found| {
                        let said: Vec<String> =
                            found.into_iter().map(|found| found.message).collect();
                        Broken::new(format!("{MOVES}/{name}"), said.join("; "))
                    })?;
                    if file.text != MoveFile::RESIGN {
                        break (file, named, name);
                    }
                    // A bot went on in that seat.
                    gave_up(&file, record)
                        .map_err(|reason| Broken::new(format!("{MOVES}/{name}"), reason))?;
                    turn += 1;
                };
                if (file.seat, file.text.as_str()) != (seat, text) {
                    let reason = format!("it plays {}, but the record says {text}", file.text);
                    return Err(Broken::new(format!("{MOVES}/{name}"), reason));
                }
                last = Some(LastMove {
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
        let file =
            resigned.ok_or_else(|| Broken::new(&path, "the record knows nothing of this move"))?;
        gave_up(&file, record).map_err(|reason| Broken::new(&path, reason))?;
        turn += 1;
        last = Some(LastMove {
            sequence: named.sequence,
            seat: file.seat,
            file: (*name).to_owned(),
        });
    }
    let bytes = folder.get(STATE)?;
    let (notes, updated_at) =
        notes(bytes).ok_or_else(|| Broken::new(STATE, "its messages cannot be read"))?;
    let named = |word: &String| {
        table
            .players
            .get(word)
            .and_then(|name| name.as_str())
            .unwrap_or_default()
            .to_owned()
    };
    let beside = Beside {
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
    let derived = state_file(&position, &beside);
    if derived.as_bytes() != bytes {
        return Err(Broken::new(STATE, first_difference(&derived, bytes)));
    }
    let picture = position.svg(mark);
    if folder
        .files
        .get(BOARD)
        .is_some_and(|bytes| *bytes != picture.as_bytes())
    {
        return Err(Broken::new(BOARD, "the picture shows another position"));
    }
    Ok(())
}

/// Whether the record agrees that this seat gave up: the game ended by it, or a bot sits there.
fn gave_up(file: &MoveFile, record: &Record) -> Result<(), &'static str> {
    let ended = record
        .ending
        .is_some_and(|ending| ending.how == How::Resignation);
    let replaced = record
        .players
        .get(file.seat.index())
        .is_some_and(|player| player.kind == "bot");
    if ended || replaced {
        Ok(())
    } else {
        Err("the record knows nothing of giving up")
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
