//! Contents of a table's files other than its record, updated as the game goes on.

use parlor_core::Seat;
use parlor_games::repository::{
    MoveFile, MoveName, Note, NoteKind, TableState, TableStateMove, digest, narrate, seat_words,
    state_file, turns,
};
use parlor_games::{AnyPosition, OutcomeView};
use parlor_table::{EndReason, Ending, LogEntry, RecordStep, Table, TableEvent};

use crate::files::{TableFile, format_time, to_pretty_json};
use crate::folder::TableFolder;
use crate::paths::{BOARD, MOVES, RECORD, STATE, TABLE};

/// Terms, move files, turn number and messages of a table.
#[derive(Clone, Debug)]
pub(crate) struct TableDocuments {
    /// Terms and result.
    pub(crate) file: TableFile,
    /// Names and contents of the move files.
    pub(crate) moves: Vec<(String, Vec<u8>)>,
    /// Number of the turn, from 1.
    pub(crate) turn: u64,
    /// Last move file.
    pub(crate) last: Option<TableStateMove>,
    /// Latest messages.
    pub(crate) notes: Vec<Note>,
    /// Total number of messages added, including those no longer kept.
    pub(crate) total_notes: usize,
    /// Time of the last change, in seconds since the Unix epoch.
    pub(crate) updated: i64,
}

impl TableDocuments {
    /// Creates the documents of a table without moves.
    pub(crate) fn new(file: TableFile, updated: i64) -> TableDocuments {
        TableDocuments {
            file,
            moves: Vec::new(),
            turn: 1,
            last: None,
            notes: Vec::new(),
            total_notes: 0,
            updated,
        }
    }

    /// Adds a message that the game has started, with the first player.
    pub(crate) fn note_start(&mut self, table: &Table) {
        let first = table.on_turn().map(|seat| table.position().seat_name(seat));
        let to_move = first.map_or(String::new(), |name| format!(" {name} to move."));
        self.note(NoteKind::Info, format!("Game started.{to_move}"));
    }

    /// Returns the number of the next move file.
    pub(crate) fn next_sequence(&self) -> u32 {
        self.last.as_ref().map_or(0, |last| last.sequence) + 1
    }

    /// Returns the player of the seat with this name.
    pub(crate) fn player_name(&self, word: &str) -> &str {
        self.file
            .players
            .get(word)
            .and_then(|name| name.as_str())
            .unwrap_or_default()
    }

    /// Adds a message, dropping the oldest beyond the limit.
    pub(crate) fn note(&mut self, kind: NoteKind, text: String) {
        self.notes.push(Note {
            kind,
            text,
            timestamp: format_time(self.updated),
        });
        let over = self.notes.len().saturating_sub(Note::KEPT);
        self.notes.drain(..over);
        self.total_notes += 1;
    }

    /// Returns the messages added since the total was `before`, as far as they are kept.
    pub(crate) fn notes_since(&self, before: usize) -> &[Note] {
        let new_notes = (self.total_notes - before).min(self.notes.len());
        &self.notes[self.notes.len() - new_notes..]
    }

    /// Adds a move file and counts the turns of the resulting events, given the position before the
    /// move.
    pub(crate) fn add_move(
        &mut self,
        (named, seat): (&MoveName, Seat),
        (name, bytes): (&str, &[u8]),
        position: AnyPosition,
        entries: &[LogEntry],
    ) {
        self.turn += count_turns(position, entries);
        self.last = Some(TableStateMove {
            sequence: named.sequence,
            seat,
            file: name.to_owned(),
        });
        self.moves.push((name.to_owned(), bytes.to_vec()));
    }

    /// Adds messages about all steps of the table after the first `before`.
    pub(crate) fn note_steps(&mut self, table: &Table, before: usize) {
        let Some((mut position, _)) = table.position_after(before) else {
            return;
        };
        for step in &table.steps()[before..] {
            let (RecordStep::Move { text, .. } | RecordStep::Chance { chance: text, .. }) = step;
            let earlier = position.clone();
            let done = match step {
                RecordStep::Move { seat, .. } => Seat::new(*seat)
                    .ok()
                    .map(|seat| position.play(text, seat).is_ok()),
                RecordStep::Chance { .. } => Some(position.resolve(text).is_ok()),
            };
            if done != Some(true) {
                return;
            }
            for sentence in narrate(&earlier, text, &position) {
                self.note(NoteKind::Info, sentence);
            }
        }
    }

    /// Adds a message that a seat has resigned.
    pub(crate) fn note_resignation(&mut self, table: &Table, seat: Seat) {
        self.note(
            NoteKind::Info,
            format!("{} resigned.", table.position().seat_name(seat)),
        );
    }

    /// Records the ending once the game is over.
    pub(crate) fn record_ending(&mut self, table: &Table) {
        let Some(ending) = table.ending().filter(|_| self.file.result.is_none()) else {
            return;
        };
        self.file.result = Some(ending);
        if let (Some(luck), Some(secret)) = (&mut self.file.luck, table.secret()) {
            luck.secret = Some(secret.to_hex());
        }
        let result = result_sentence(table.position(), ending);
        self.note(NoteKind::Info, result);
    }

    /// Returns the current files of the table's folder.
    pub(crate) fn folder(&self, table: &Table) -> TableFolder {
        let mut folder = TableFolder::default();
        let mut put = |name: String, bytes: Vec<u8>| folder.files.insert(name, bytes);
        put(TABLE.to_owned(), to_pretty_json(&self.file));
        put(STATE.to_owned(), self.state(table));
        put(RECORD.to_owned(), to_pretty_json(&table.record()));
        put(
            BOARD.to_owned(),
            table.position().svg(table.last_marked_move()).into_bytes(),
        );
        for (name, bytes) in &self.moves {
            put(format!("{MOVES}/{name}"), bytes.clone());
        }
        folder
    }

    /// Returns the current `state.json`.
    pub(crate) fn state(&self, table: &Table) -> Vec<u8> {
        let names = table.position();
        let players = seat_words(names)
            .iter()
            .map(|word| self.player_name(word).to_owned())
            .collect();
        let chance = table.steps().iter().rev().find_map(|step| match step {
            RecordStep::Chance { chance, .. } => Some(chance.clone()),
            RecordStep::Move { .. } => None,
        });
        let state = TableState {
            turn: self.turn,
            players,
            last_move: self.last.clone(),
            mark: table.last_marked_move().map(str::to_owned),
            chance,
            outcome: table
                .ending()
                .map(|ending| ending.outcome.unwrap_or(OutcomeView::Draw)),
            notes: self.notes.clone(),
            updated_at: format_time(self.updated),
        };
        state_file(names, &state).into_bytes()
    }

    /// Returns the name and contents of a move file for a move on the current table.
    pub(crate) fn write(&self, table: &Table, seat: Seat, text: &str, at: i64) -> (String, String) {
        let file = MoveFile {
            seat,
            text: text.to_owned(),
            timestamp: format_time(at),
            expected_state: digest(&self.state(table)),
            comment: None,
        };
        file.write(table.position(), self.next_sequence())
    }
}

/// Returns the number of turns that these events took, starting from a position.
fn count_turns(mut position: AnyPosition, entries: &[LogEntry]) -> u64 {
    let mut sum = 0;
    for entry in entries {
        let before = position.clone();
        match &entry.event {
            TableEvent::Moved { seat, text, .. } if position.play(text, *seat).is_ok() => {
                sum += turns(&before, text, &position);
            }
            TableEvent::Chance { chance, .. } => {
                let _ = position.resolve(chance);
            }
            TableEvent::Resigned { .. } => sum += 1,
            _ => {}
        }
    }
    sum
}

/// Returns a sentence about the result.
fn result_sentence(position: &AnyPosition, ending: Ending) -> String {
    match ending.outcome {
        _ if ending.how == EndReason::Abort => "Game over: it was called off.".to_owned(),
        Some(OutcomeView::Won { seat, .. }) => {
            let name = Seat::new(seat)
                .map(|seat| position.seat_name(seat))
                .unwrap_or_default();
            // The wording distinguishes a dropped double from a game that was played out.
            let dropped = ending.how == EndReason::Rules
                && position.news().is_some_and(|news| news.contains(" drops"));
            if dropped {
                format!("Game over: {name} wins, the other side resigned at the cube.")
            } else {
                format!("Game over: {name} wins.")
            }
        }
        Some(OutcomeView::TeamWon) => "Game over: the team wins.".to_owned(),
        Some(OutcomeView::TeamLost) => "Game over: the team loses.".to_owned(),
        Some(OutcomeView::Draw) | None => "Game over: a draw.".to_owned(),
    }
}
