//! Tables run by the referee: resumed from their files, advanced by submitted moves.

mod submission;

use parlor_bots::Nodes;
use parlor_core::Seat;
use parlor_games::repository::{MoveFile, MoveName, NoteKind, notes, seat_words};
use parlor_games::{GameKind, bots};
use parlor_table::{
    Command, Issuer, NewTable, Player, Record, RecordStep, Refusal, SeatKey, Table, TableId,
};

use crate::documents::TableDocuments;
use crate::files::{LuckFile, TableFile, format_time, parse_time, to_timestamp};
use crate::folder::{FileError, TableFolder, join_messages};
use crate::paths::{MOVES, RECORD, STATE, TABLE};
use crate::seal::HouseSecret;

pub use self::submission::{MoveRejection, Submission};

/// Prefix of a bot's player name, as in `bot:level:3`.
pub const BOT: &str = "bot:";
/// Search budget of a bot for one move, in nodes. A time limit would make two referees play
/// differently.
const BOT_NODES: u64 = 50_000;

/// Table of a house, complete with its files, that can be continued.
#[derive(Clone, Debug)]
pub struct RefereedTable {
    table: Table,
    documents: TableDocuments,
}

/// Parameters for setting up a table.
#[derive(Clone, Debug)]
pub struct TableSetup {
    /// Id of the table, which enters every draw of luck.
    pub table: TableId,
    /// Game.
    pub game: GameKind,
    /// Options of the game; missing ones take their defaults.
    pub options: serde_json::Value,
    /// Names of the players in seat order.
    pub players: Vec<String>,
    /// Time, in seconds since the Unix epoch.
    pub now: i64,
}

/// Error while setting up a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CreateTableError {
    /// The number of players differs from the number of seats.
    #[error("this game needs {seats} players ({words}), not {players}", words = words.join(", "))]
    Seats {
        /// Number of seats under these options.
        seats: usize,
        /// Names of the seats.
        words: Vec<String>,
        /// Number of players given.
        players: usize,
    },
    /// The table refused.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The options are not valid for the game.
    #[error(transparent)]
    Options(#[from] parlor_games::OptionsError),
}

impl RefereedTable {
    /// Sets up a table.
    ///
    /// # Errors
    /// [`CreateTableError`] if the options are invalid, or the number of players is not that of the
    /// seats.
    pub fn create(
        new: TableSetup,
        secret: &HouseSecret,
    ) -> Result<RefereedTable, CreateTableError> {
        let start = new.game.start(&new.options)?;
        let words = seat_words(&start);
        if words.len() != new.players.len() {
            return Err(CreateTableError::Seats {
                seats: words.len(),
                words,
                players: new.players.len(),
            });
        }
        let luck_secret = secret.table_secret(new.table);
        let luck = new.game.has_luck().then(|| LuckFile {
            commitment: luck_secret.commitment(),
            secret: None,
        });
        let file = TableFile {
            format: TableFile::FORMAT.to_owned(),
            table: new.table,
            game: new.game.name().to_owned(),
            options: start.options(),
            players: words
                .iter()
                .cloned()
                .zip(new.players.into_iter().map(Into::into))
                .collect(),
            luck,
            created_at: format_time(new.now),
            result: None,
        };
        let table = create_table(&file, secret)?;
        let mut refereed = RefereedTable {
            table,
            documents: TableDocuments::new(file, new.now),
        };
        refereed.documents.note_start(&refereed.table);
        refereed.play_bots(new.now);
        Ok(refereed)
    }

    /// Resumes a table from its folder by replaying all moves and repeating all draws of luck.
    ///
    /// # Errors
    /// [`FileError`] for the first file that is inconsistent with the others.
    pub fn resume(folder: &TableFolder, secret: &HouseSecret) -> Result<RefereedTable, FileError> {
        let file: TableFile = folder.read(TABLE)?;
        let record: Record = folder.read(RECORD)?;
        let (notes, updated) = notes(folder.get(STATE)?)
            .ok_or_else(|| FileError::new(STATE, "its messages cannot be read"))?;
        let table =
            create_table(&file, secret).map_err(|refused| FileError::new(TABLE, refused))?;
        let updated =
            parse_time(&updated).ok_or_else(|| FileError::new(STATE, "its time cannot be read"))?;
        let mut refereed = RefereedTable {
            table,
            documents: TableDocuments::new(file, updated),
        };
        for (named, name, bytes) in folder.moves()? {
            let path = format!("{MOVES}/{name}");
            let at = match record.log.get(refereed.table.steps().len()) {
                Some(RecordStep::Move { at, .. }) => *at,
                _ => to_timestamp(refereed.documents.updated),
            };
            let read = MoveFile::read(name, bytes, refereed.table.position());
            let file = read.map_err(|findings| FileError::new(&path, join_messages(&findings)))?;
            refereed
                .play(&named, name, bytes, &file, at)
                .map_err(|refused| FileError::new(&path, refused))?;
        }
        refereed.documents.notes = notes;
        if refereed.table.record() != record {
            return Err(FileError::new(
                RECORD,
                "the moves and the secret lead to another record",
            ));
        }
        Ok(refereed)
    }

    /// Adds a message to the table's state.
    pub fn add_note(&mut self, kind: NoteKind, text: String, at: i64) {
        self.documents.updated = at.max(self.documents.updated + 1);
        self.documents.note(kind, text);
    }

    /// Returns the current files of the table's folder.
    pub fn folder(&self) -> TableFolder {
        self.documents.folder(&self.table)
    }

    /// Returns the current `state.json`.
    pub fn state(&self) -> Vec<u8> {
        self.documents.state(&self.table)
    }

    /// Returns the terms and result of the game.
    pub fn file(&self) -> &TableFile {
        &self.documents.file
    }

    /// Returns the table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the number of the next move file.
    pub fn next_sequence(&self) -> u32 {
        self.documents.next_sequence()
    }

    /// Returns the time of the last change, in seconds since the Unix epoch.
    pub fn updated(&self) -> i64 {
        self.documents.updated
    }

    /// Returns the name of a seat's player.
    pub fn player(&self, seat: Seat) -> &str {
        seat_words(self.table.position())
            .get(seat.index())
            .map_or("", |word| self.documents.player_name(word))
    }

    fn play(
        &mut self,
        named: &MoveName,
        name: &str,
        bytes: &[u8],
        file: &MoveFile,
        at: parlor_table::Timestamp,
    ) -> Result<(), Refusal> {
        let by = match self.table.players().get(file.seat.index()) {
            Some(Player::Bot { .. }) => Issuer::Bot(file.seat),
            _ => Issuer::Key(seat_key(file.seat)),
        };
        let resigns = file.text == MoveFile::RESIGN;
        let command = if resigns {
            Command::Resign
        } else {
            Command::play(&file.text)
        };
        let position = self.table.position().clone();
        let entries = self.table.apply(at, &by, command)?;
        self.documents
            .add_move((named, file.seat), (name, bytes), position, &entries);
        Ok(())
    }

    /// Adds messages about the last move and its consequences.
    fn note_move(&mut self, before: usize, file: &MoveFile) {
        if file.text == MoveFile::RESIGN {
            self.documents.note_resignation(&self.table, file.seat);
        }
        self.documents.note_steps(&self.table, before);
    }

    /// Plays the moves of bots, on turn or out of turn, until a person has to move. Their moves
    /// become move files, too.
    fn play_bots(&mut self, at: i64) {
        while let Some((seat, text)) = self
            .next_bot_move()
            .filter(|_| self.next_sequence() <= MoveName::MOST)
        {
            let (name, content) = self.documents.write(&self.table, seat, &text, at);
            let file = MoveFile::read(&name, content.as_bytes(), self.table.position());
            let (Some(named), Ok(file)) = (MoveName::parse(&name), file) else {
                return;
            };
            let before = self.table.steps().len();
            if self
                .play(&named, &name, content.as_bytes(), &file, to_timestamp(at))
                .is_err()
            {
                return;
            }
            self.note_move(before, &file);
        }
        self.documents.record_ending(&self.table);
    }

    /// Returns the next move of a bot: of the one on turn, or of the first with a move to make out
    /// of turn.
    fn next_bot_move(&self) -> Option<(Seat, String)> {
        let position = self.table.position();
        // The id lets a bot play differently at each table, and the same when a move is judged again.
        let seed = self.table.id().number() ^ u64::from(self.next_sequence());
        let bot = |spec: &str| bots::bot(position, spec, seed).ok();
        match self.table.bot_to_move() {
            Some((seat, spec)) => bot(spec)?
                .think(position, &mut Nodes(BOT_NODES))
                .map(|thought| (seat, thought.text)),
            None => self
                .table
                .bots_out_of_turn()
                .into_iter()
                .find_map(|(seat, spec)| {
                    bot(spec)?
                        .interject(position, seat, &mut Nodes(BOT_NODES))
                        .map(|thought| (seat, thought.text))
                }),
        }
    }
}

/// Returns the key of a seat. Each seat has its own, because the author of a move is checked
/// earlier.
fn seat_key(seat: Seat) -> SeatKey {
    SeatKey::from_token(&format!("seat {}", seat.number()))
}

fn create_table(file: &TableFile, secret: &HouseSecret) -> Result<Table, Refusal> {
    let game =
        GameKind::from_name(&file.game).map_err(|error| Refusal::UnknownBot(error.to_string()))?;
    let start = game.start(&file.options)?;
    let player = |(word, seat): (String, Seat)| {
        let name = file
            .players
            .get(&word)
            .and_then(|name| name.as_str())
            .unwrap_or_default();
        match name.strip_prefix(BOT) {
            Some(spec) => Ok(Player::bot(spec)),
            None => Player::human(name, seat_key(seat)),
        }
    };
    let words = seat_words(&start).into_iter().zip(Seat::all(start.seats()));
    let players = words
        .map(player)
        .collect::<Result<Vec<Player>, Refusal>>()?;
    let created = parse_time(&file.created_at).unwrap_or_default();
    let new = NewTable {
        listed: false,
        secret: Some(secret.table_secret(file.table)),
        ..NewTable::new(file.table, game, file.options.clone(), players)
    };
    Table::create(to_timestamp(created), new)
}
