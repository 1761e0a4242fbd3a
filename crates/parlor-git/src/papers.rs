//! What the files of a table say besides its record, kept as the game goes on.

use parlor_core::Seat;
use parlor_games::repository::{
    Beside, LastMove, MoveFile, MoveName, Note, NoteKind, digest, seat_words, state_file, told,
    turns,
};
use parlor_games::{AnyPosition, OutcomeView};
use parlor_table::{Ending, Entry, Event, How, Step, Table};

use crate::files::{TableFile, moment, pretty};
use crate::folder::Folder;
use crate::paths::{BOARD, MOVES, RECORD, STATE, TABLE};

/// The agreement, the move files, the turn and the messages of a table.
#[derive(Clone, Debug)]
pub(crate) struct Papers {
    /// The agreement.
    pub(crate) file: TableFile,
    /// Names and contents of the move files that were played.
    pub(crate) moves: Vec<(String, Vec<u8>)>,
    /// The number of the turn, from 1.
    pub(crate) turn: u64,
    /// The last move file.
    pub(crate) last: Option<LastMove>,
    /// The latest messages.
    pub(crate) notes: Vec<Note>,
    /// How many messages these papers have added in all.
    pub(crate) said: usize,
    /// When the table last changed, in seconds since 1970.
    pub(crate) updated: i64,
}

impl Papers {
    /// Those of a table where nothing has been played.
    pub(crate) fn new(file: TableFile, updated: i64) -> Papers {
        Papers {
            file,
            moves: Vec::new(),
            turn: 1,
            last: None,
            notes: Vec::new(),
            said: 0,
            updated,
        }
    }

    /// Says that the game began, and who moves first.
    pub(crate) fn tell_start(&mut self, table: &Table) {
        let first = table.on_turn().map(|seat| table.position().seat_name(seat));
        let to_move = first.map_or(String::new(), |name| format!(" {name} to move."));
        self.note(NoteKind::Info, format!("Game started.{to_move}"));
    }

    /// The number of the next move file.
    pub(crate) fn next_sequence(&self) -> u32 {
        self.last.as_ref().map_or(0, |last| last.sequence) + 1
    }

    /// Who plays the seat of this word.
    pub(crate) fn named(&self, word: &str) -> &str {
        self.file
            .players
            .get(word)
            .and_then(|name| name.as_str())
            .unwrap_or_default()
    }

    /// Adds a message; only the latest are kept.
    pub(crate) fn note(&mut self, kind: NoteKind, text: String) {
        self.notes.push(Note {
            kind,
            text,
            timestamp: moment(self.updated),
        });
        let over = self.notes.len().saturating_sub(Note::KEPT);
        self.notes.drain(..over);
        self.said += 1;
    }

    /// The messages that came since so many had been added, as far as they are kept.
    pub(crate) fn since(&self, said: usize) -> &[Note] {
        let news = (self.said - said).min(self.notes.len());
        &self.notes[self.notes.len() - news..]
    }

    /// Takes in a move file that was played, and what came of it; the position is the one before.
    pub(crate) fn played(
        &mut self,
        (named, seat): (&MoveName, Seat),
        (name, bytes): (&str, &[u8]),
        position: AnyPosition,
        entries: &[Entry],
    ) {
        self.turn += took(position, entries);
        self.last = Some(LastMove {
            sequence: named.sequence,
            seat,
            file: name.to_owned(),
        });
        self.moves.push((name.to_owned(), bytes.to_vec()));
    }

    /// Tells what happened at the table since it had so many steps.
    pub(crate) fn tell(&mut self, table: &Table, before: usize) {
        let Some((mut position, _)) = table.after(before) else {
            return;
        };
        for step in &table.steps()[before..] {
            let (Step::Move { text, .. } | Step::Chance { chance: text, .. }) = step;
            let earlier = position.clone();
            let done = match step {
                Step::Move { seat, .. } => Seat::new(*seat)
                    .ok()
                    .map(|seat| position.play(text, seat).is_ok()),
                Step::Chance { .. } => Some(position.resolve(text).is_ok()),
            };
            if done != Some(true) {
                return;
            }
            for sentence in told(&earlier, text, &position) {
                self.note(NoteKind::Info, sentence);
            }
        }
    }

    /// Tells that a seat gave up.
    pub(crate) fn tell_resigned(&mut self, table: &Table, seat: Seat) {
        self.note(
            NoteKind::Info,
            format!("{} resigned.", table.position().seat_name(seat)),
        );
    }

    /// Writes down how the game ended, once.
    pub(crate) fn close(&mut self, table: &Table) {
        let Some(ending) = table.ending().filter(|_| self.file.result.is_none()) else {
            return;
        };
        self.file.result = Some(ending);
        if let (Some(luck), Some(secret)) = (&mut self.file.luck, table.secret()) {
            luck.secret = Some(secret.to_hex());
        }
        let result = ended(table.position(), ending);
        self.note(NoteKind::Info, result);
    }

    /// All files of the folder as they are to be.
    pub(crate) fn folder(&self, table: &Table) -> Folder {
        let mut folder = Folder::default();
        let mut put = |name: String, bytes: Vec<u8>| folder.files.insert(name, bytes);
        put(TABLE.to_owned(), pretty(&self.file));
        put(STATE.to_owned(), self.state(table));
        put(RECORD.to_owned(), pretty(&table.record()));
        put(
            BOARD.to_owned(),
            table.position().svg(table.last_mark()).into_bytes(),
        );
        for (name, bytes) in &self.moves {
            put(format!("{MOVES}/{name}"), bytes.clone());
        }
        folder
    }

    /// `state.json` as it is to be.
    pub(crate) fn state(&self, table: &Table) -> Vec<u8> {
        let names = table.position();
        let players = seat_words(names)
            .iter()
            .map(|word| self.named(word).to_owned())
            .collect();
        let chance = table.steps().iter().rev().find_map(|step| match step {
            Step::Chance { chance, .. } => Some(chance.clone()),
            Step::Move { .. } => None,
        });
        let beside = Beside {
            turn: self.turn,
            players,
            last_move: self.last.clone(),
            mark: table.last_mark().map(str::to_owned),
            chance,
            outcome: table
                .ending()
                .map(|ending| ending.outcome.unwrap_or(OutcomeView::Draw)),
            notes: self.notes.clone(),
            updated_at: moment(self.updated),
        };
        state_file(names, &beside).into_bytes()
    }

    /// A move as a file, made on the table as it is: its name and content.
    pub(crate) fn write(&self, table: &Table, seat: Seat, text: &str, at: i64) -> (String, String) {
        let file = MoveFile {
            seat,
            text: text.to_owned(),
            timestamp: moment(at),
            expected_state: digest(&self.state(table)),
            comment: None,
        };
        file.write(table.position(), self.next_sequence())
    }
}

/// How many turns these events took, from this position on.
fn took(mut position: AnyPosition, entries: &[Entry]) -> u64 {
    let mut sum = 0;
    for entry in entries {
        let before = position.clone();
        match &entry.event {
            Event::Moved { seat, text, .. } if position.play(text, *seat).is_ok() => {
                sum += turns(&before, text, &position);
            }
            Event::Chance { chance, .. } => {
                let _ = position.resolve(chance);
            }
            Event::Resigned { .. } => sum += 1,
            _ => {}
        }
    }
    sum
}

/// The result in a sentence.
fn ended(position: &AnyPosition, ending: Ending) -> String {
    match ending.outcome {
        _ if ending.how == How::Abort => "Game over: it was called off.".to_owned(),
        Some(OutcomeView::Won { seat, .. }) => {
            let name = Seat::new(seat)
                .map(|seat| position.seat_name(seat))
                .unwrap_or_default();
            // A state that is over before all is played says so by this word.
            let dropped = ending.how == How::Rules
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
