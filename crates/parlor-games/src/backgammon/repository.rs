//! Backgammon's files in a repository: the published `state.json` and move files.

use parlor_backgammon::{Chance, Die, Game, Move, Phase, color_name};
use parlor_core::{Notation, Seat};
use parlor_formats::state_json::{
    BoardRow, FileStep, LastMoveEntry, Message, MessageKind, MoveDocument, MoveFileName,
    StateDocument, Status, place,
};
use serde_json::Value;

use super::COLORS;
use super::state::{self, stamp};

use crate::files::Finding;
use crate::repository::{FileSchema, MoveFile, Note, NoteKind, RepositoryFormat, TableState};
use crate::{AnyPosition, OutcomeView};

/// The published format.
pub(super) struct Published;

impl RepositoryFormat for Published {
    fn schemas(&self) -> Vec<FileSchema> {
        let schema = |name: &str, text: &str| FileSchema {
            name: name.to_owned(),
            text: text.to_owned(),
        };
        vec![
            schema(state::FILE_NAME, state::SCHEMA),
            schema("move.json", state::MOVE_SCHEMA),
        ]
    }

    fn read_move(
        &self,
        position: &AnyPosition,
        name: &str,
        json: &Value,
    ) -> Option<Result<MoveFile, Vec<Finding>>> {
        json.get("moves")?;
        Some(read_move(position.downcast_ref()?, name, json))
    }

    fn write_move(&self, position: &AnyPosition, file: &MoveFile) -> Option<(Value, String)> {
        write_move(position.downcast_ref()?, file)
    }

    fn write_state(
        &self,
        position: &AnyPosition,
        table: &TableState,
        notes: &[Note],
    ) -> Option<String> {
        Some(state_file(position.downcast_ref()?, table, notes))
    }

    fn narrate(&self, before: &AnyPosition, text: &str, after: &AnyPosition) -> Vec<String> {
        match (before.downcast_ref(), after.downcast_ref()) {
            (Some(before), Some(after)) => narrate(before, text, after),
            _ => Vec::new(),
        }
    }

    fn turns(&self, before: &AnyPosition, text: &str, after: &AnyPosition) -> u64 {
        match (before.downcast_ref(), after.downcast_ref()) {
            (Some(before), Some(after)) => turns(before, text, after),
            _ => 1,
        }
    }
}

/// Writes a play as a published move file; `None` for other moves, such as a double.
fn write_move(game: &Game, file: &MoveFile) -> Option<(Value, String)> {
    let Ok(Move::Play(play)) = game.parse_move(&file.text) else {
        return None;
    };
    let (Phase::Moving(dice), start) = (game.phase(), game.rules().start) else {
        return None;
    };
    let faces = dice.faces();
    let moves = FileStep::for_play(&game.board(), &faces, &play, start, file.seat)?;
    if moves.is_empty() {
        return None;
    }
    let own = MoveDocument {
        player: file.seat,
        moves,
        timestamp: stamp(&file.timestamp),
        expected_state: file.expected_state.clone(),
        dice_roll: faces.to_vec(),
        comment: file.comment.clone(),
    };
    let content = state::write_move(&own);
    let value = serde_json::from_str(&content).ok()?;
    Some((value, content))
}

/// Reads a published move file for a position in which dice are to be played.
fn read_move(game: &Game, name: &str, json: &Value) -> Result<MoveFile, Vec<Finding>> {
    let start = game.rules().start;
    let checked = state::check_move(name, json, start);
    if !checked.is_valid() {
        return Err(checked.problems);
    }
    let file = state::read_move(json, start)?;
    let one = |rule, message: String| vec![Finding { rule, message }];
    if let Phase::Moving(dice) = game.phase() {
        let sorted = |dice: &[Die]| {
            let mut pips: Vec<u8> = dice.iter().map(|die| die.pips()).collect();
            if let [one, other] = pips[..]
                && one == other
            {
                pips = vec![one; 4];
            }
            pips.sort_unstable();
            pips
        };
        let (lie, said) = (sorted(&dice.faces()), sorted(&file.dice_roll));
        if lie != said {
            return Err(one("dice", format!("the dice are {lie:?}, not {said:?}")));
        }
    }
    let play = file.play(start).ok_or_else(|| {
        one(
            "moves",
            "a play has at most four steps, each from a place to a place".to_owned(),
        )
    })?;
    Ok(MoveFile {
        seat: file.player,
        text: game.move_text(&Move::Play(play)),
        timestamp: file.timestamp.text,
        expected_state: file.expected_state,
        comment: file.comment,
    })
}

/// Returns the text of the published `state.json`. It always contains dice: before a roll, those of
/// the previous roll, marked as used.
fn state_file(game: &Game, table: &TableState, kept: &[Note]) -> String {
    let (dice, used) = dice(game, table.chance.as_deref());
    let winner = match table.outcome {
        Some(OutcomeView::Won { seat, .. }) => Seat::new(seat).ok(),
        _ => None,
    };
    let message = |note: &Note| Message {
        kind: match note.kind {
            NoteKind::Error => MessageKind::Error,
            NoteKind::Info => MessageKind::Info,
            NoteKind::Warning => MessageKind::Warning,
        },
        text: note.text.clone(),
        at: stamp(&note.timestamp),
    };
    let name = |n: usize| table.players.get(n).cloned().unwrap_or_default();
    let last_move = table.last_move.as_ref().and_then(|last| {
        let file = MoveFileName::parse(&last.file)?;
        Some(LastMoveEntry {
            sequence: last.sequence.into(),
            player: last.seat,
            file,
        })
    });
    state::write(&StateDocument {
        turn: table.turn,
        active: winner.unwrap_or(on_turn(game)),
        dice,
        used,
        row: BoardRow::from_board(&game.white_board(), game.rules().start),
        last_move,
        status: if table.outcome.is_some() {
            Status::Completed
        } else {
            Status::Playing
        },
        winner,
        players: [name(0), name(1)],
        messages: kept.iter().map(message).collect(),
        updated_at: stamp(&table.updated_at),
    })
}

/// Returns the seat that is to act: the one that has to answer a double or a resignation, else the
/// one on roll.
fn on_turn(game: &Game) -> Seat {
    parlor_core::Position::turn(game)
        .seat()
        .unwrap_or(game.on_roll())
}

fn dice(game: &Game, chance: Option<&str>) -> (Vec<Die>, Vec<Die>) {
    let widened = |one: Die, other: Die| {
        if one == other {
            vec![one; 4]
        } else {
            vec![one, other]
        }
    };
    let rolled = chance
        .and_then(|text| game.parse_chance(text).ok())
        .map(|chance| match chance {
            Chance::Opening { white, black } => widened(white, black),
            Chance::Roll(roll) => widened(roll.high(), roll.low()),
        });
    match (game.phase(), rolled) {
        (Phase::Moving(dice), None) => (dice.faces().to_vec(), Vec::new()),
        (Phase::Moving(_), Some(rolled)) => (rolled, Vec::new()),
        (_, Some(rolled)) => (rolled.clone(), rolled),
        (_, None) => (Vec::new(), Vec::new()),
    }
}

/// Describes hits, passes and the results of games within a match.
fn narrate(before: &Game, text: &str, after: &Game) -> Vec<String> {
    let mut told = Vec::new();
    match before.parse_move(text) {
        Ok(Move::Play(play)) if play.steps().is_empty() => {
            told.push("No legal moves available".to_owned())
        }
        Ok(Move::Play(play)) => told.extend(hits(before, &play)),
        Ok(Move::Double) => told.push(format!(
            "{} doubles to {}.",
            name(before.on_roll()),
            2 * u32::from(before.cube().value())
        )),
        Ok(Move::Take) => told.push(format!("{} takes.", name(on_turn(before)))),
        _ => {}
    }
    // Report a new result only at the step that caused it.
    if after.last_result() != before.last_result() || after.score() != before.score() {
        told.extend(super::questions::news(after));
    }
    told
}

/// Returns the number of turns a move took.
fn turns(before: &Game, text: &str, after: &Game) -> u64 {
    let plays = matches!(before.parse_move(text), Ok(Move::Play(_)));
    1 + u64::from(!plays) + u64::from(after.phase() == Phase::Opening)
}

/// Describes hits, such as `White piece hit on point 21.`, with the board's own numbering.
fn hits(before: &Game, play: &parlor_backgammon::Play) -> Vec<String> {
    let (start, seat) = (before.rules().start, before.on_roll());
    let row = BoardRow::from_board(&before.white_board(), start).board;
    let blot = if seat == parlor_backgammon::WHITE {
        -1
    } else {
        1
    };
    let mut places: Vec<i8> = play
        .steps()
        .iter()
        .map(|step| place(start, seat, step.to))
        .collect();
    places.dedup();
    let hit = |place: &i8| {
        usize::try_from(*place)
            .ok()
            .and_then(|place| row.get(place))
            == Some(&blot)
    };
    places.sort_unstable();
    places.dedup();
    let told = |place: i8| format!("{} piece hit on point {}.", name(seat.next(2)), place + 1);
    places.into_iter().filter(hit).map(told).collect()
}

fn name(seat: Seat) -> &'static str {
    COLORS
        .get(seat.index())
        .copied()
        .unwrap_or_else(|| color_name(seat))
}
