//! A table's game as its files tell it, and what a new move makes of them.

use parlor_bots::Nodes;
use parlor_core::Seat;
use parlor_games::repository::{MoveFile, MoveName, NoteKind, digest, notes, seat_words};
use parlor_games::{GameKind, bots};
use parlor_table::{By, Command, Key, NewTable, Player, Record, Refused, Step, Table, TableId};

use crate::files::{LuckFile, TableFile, moment, seconds, stamp};
use crate::folder::{Broken, Folder};
use crate::papers::Papers;
use crate::paths::{MOVES, RECORD, STATE, TABLE};
use crate::seal::HouseSecret;

/// A player's name that begins so is a bot's: `bot:level:3`.
pub const BOT: &str = "bot:";
/// What a bot may think about one move, in nodes: time would make two referees play differently.
const NODES: u64 = 50_000;

/// A game at a table, complete enough to go on.
#[derive(Clone, Debug)]
pub struct Playing {
    table: Table,
    papers: Papers,
}

/// What a new table is made from.
#[derive(Clone, Debug)]
pub struct Invitation {
    /// Its id, which its luck is drawn for.
    pub table: TableId,
    /// The game.
    pub game: GameKind,
    /// Its options; missing ones take their defaults.
    pub options: serde_json::Value,
    /// Who sits where, in the order of seats.
    pub players: Vec<String>,
    /// When, in seconds since 1970.
    pub now: i64,
}

/// Why a table cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotBegin {
    /// The game has another number of seats.
    #[error("this game has {seats} seats ({words}): name a player for each, not {players}", words = words.join(", "))]
    Seats {
        /// Seats of the game under these options.
        seats: usize,
        /// What they are called.
        words: Vec<String>,
        /// Players given.
        players: usize,
    },
    /// The table itself refuses.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The options do not make a game.
    #[error(transparent)]
    Options(#[from] parlor_games::OptionsError),
}

/// What somebody wants to have played.
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    /// The file's name.
    pub name: &'a str,
    /// Its content.
    pub bytes: &'a [u8],
    /// The players whom the commit can come from.
    pub by: &'a [String],
    /// Who made the commit, in words.
    pub from: &'a str,
    /// Hashes of states that the player can have seen, besides the one there is.
    pub seen: &'a [String],
    /// When, in seconds since 1970.
    pub at: i64,
}

impl Playing {
    /// Sets up a table.
    ///
    /// # Errors
    /// When the options are wrong, or the players are not as many as the seats.
    pub fn begin(new: Invitation, secret: &HouseSecret) -> Result<Playing, CannotBegin> {
        let start = new.game.start(&new.options)?;
        let words = seat_words(&start);
        if words.len() != new.players.len() {
            return Err(CannotBegin::Seats {
                seats: words.len(),
                words,
                players: new.players.len(),
            });
        }
        let of_table = secret.of_table(new.table);
        let luck = new.game.has_luck().then(|| LuckFile {
            commitment: of_table.commitment(),
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
            created_at: moment(new.now),
            result: None,
        };
        let table = found(&file, secret)?;
        let mut playing = Playing {
            table,
            papers: Papers::new(file, new.now),
        };
        playing.papers.tell_start(&playing.table);
        playing.let_bots_move(new.now);
        Ok(playing)
    }

    /// The game of a folder, every move played again and every chance drawn again.
    ///
    /// # Errors
    /// The file that does not fit the others.
    pub fn resume(folder: &Folder, secret: &HouseSecret) -> Result<Playing, Broken> {
        let file: TableFile = folder.read(TABLE)?;
        let record: Record = folder.read(RECORD)?;
        let (notes, updated) = notes(folder.get(STATE)?)
            .ok_or_else(|| Broken::new(STATE, "its messages cannot be read"))?;
        let table = found(&file, secret).map_err(|refused| Broken::new(TABLE, refused))?;
        let updated =
            seconds(&updated).ok_or_else(|| Broken::new(STATE, "its time cannot be read"))?;
        let mut playing = Playing {
            table,
            papers: Papers::new(file, updated),
        };
        for (named, name, bytes) in folder.moves()? {
            let path = format!("{MOVES}/{name}");
            let at = match record.log.get(playing.table.steps().len()) {
                Some(Step::Move { at, .. }) => *at,
                _ => stamp(playing.papers.updated),
            };
            let read = MoveFile::read(name, bytes, playing.table.position());
            let file = read.map_err(|findings| Broken::new(&path, said(&findings)))?;
            playing
                .play(&named, name, bytes, &file, at)
                .map_err(|refused| Broken::new(&path, refused))?;
        }
        playing.papers.notes = notes;
        if playing.table.record() != record {
            return Err(Broken::new(
                RECORD,
                "the moves and the secret lead to another record",
            ));
        }
        Ok(playing)
    }

    /// Plays a move that somebody has handed in.
    ///
    /// # Errors
    /// Why not, in a sentence; nothing has changed then.
    pub fn submit(&mut self, submission: Submission<'_>) -> Result<(), String> {
        let Submission {
            name,
            bytes,
            by,
            from,
            seen,
            at,
        } = submission;
        let position = self.table.position();
        if self.table.ending().is_some() {
            return Err(Refused::Over.to_string());
        }
        let file = MoveFile::read(name, bytes, position).map_err(|findings| said(&findings))?;
        let named = MoveName::parse(name).ok_or("this is no move's name")?;
        let player = self.player(file.seat).to_owned();
        if player.starts_with(BOT) {
            return Err(format!(
                "{} is a bot, which the referee moves",
                named.player
            ));
        }
        if !by.contains(&player) {
            return Err(format!(
                "{} is {player}, but the commit comes from {from}",
                named.player
            ));
        }
        let next = self.next_sequence();
        if named.sequence != next {
            return Err(format!(
                "the next move has number {next:04}, not {:04}",
                named.sequence
            ));
        }
        if named.sequence > MoveName::MOST {
            return Err(format!("a table has at most {} moves", MoveName::MOST));
        }
        let now = digest(&self.state());
        if file.expected_state != now && !seen.contains(&file.expected_state) {
            return Err(format!(
                "it was made for another state ({}, not {now})",
                file.expected_state
            ));
        }
        let at = at.max(self.papers.updated + 1);
        let before = self.table.steps().len();
        self.play(&named, name, bytes, &file, stamp(at))
            .map_err(|refused| refused.to_string())?;
        self.papers.updated = at;
        self.tell(before, &file);
        self.let_bots_move(at);
        Ok(())
    }

    /// Says something in the table's messages.
    pub fn warn(&mut self, kind: NoteKind, text: String, at: i64) {
        self.papers.updated = at.max(self.papers.updated + 1);
        self.papers.note(kind, text);
    }

    /// All files of the folder as they are to be.
    pub fn folder(&self) -> Folder {
        self.papers.folder(&self.table)
    }

    /// `state.json` as it is to be.
    pub fn state(&self) -> Vec<u8> {
        self.papers.state(&self.table)
    }

    /// The agreement.
    pub fn file(&self) -> &TableFile {
        &self.papers.file
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The number of the next move file.
    pub fn next_sequence(&self) -> u32 {
        self.papers.next_sequence()
    }

    /// When the table last changed, in seconds since 1970.
    pub fn updated(&self) -> i64 {
        self.papers.updated
    }

    /// Who plays a seat.
    pub fn player(&self, seat: Seat) -> &str {
        seat_words(self.table.position())
            .get(seat.index())
            .map_or("", |word| self.papers.named(word))
    }

    fn play(
        &mut self,
        named: &MoveName,
        name: &str,
        bytes: &[u8],
        file: &MoveFile,
        at: parlor_table::Timestamp,
    ) -> Result<(), Refused> {
        let by = match self.table.players().get(file.seat.index()) {
            Some(Player::Bot { .. }) => By::Bot(file.seat),
            _ => By::Key(key(file.seat)),
        };
        let resigns = file.text == MoveFile::RESIGN;
        let command = if resigns {
            Command::Resign
        } else {
            Command::play(&file.text)
        };
        let position = self.table.position().clone();
        let entries = self.table.apply(at, &by, command)?;
        self.papers
            .played((named, file.seat), (name, bytes), position, &entries);
        Ok(())
    }

    /// Tells what the last move, and all that it brought about, did.
    fn tell(&mut self, before: usize, file: &MoveFile) {
        if file.text == MoveFile::RESIGN {
            self.papers.tell_resigned(&self.table, file.seat);
        }
        self.papers.tell(&self.table, before);
    }

    /// Bots move as long as one is on turn, or has something to play in another's turn; their moves are files too.
    fn let_bots_move(&mut self, at: i64) {
        while let Some((seat, text)) = self
            .bots_move()
            .filter(|_| self.next_sequence() <= MoveName::MOST)
        {
            let (name, content) = self.papers.write(&self.table, seat, &text, at);
            let file = MoveFile::read(&name, content.as_bytes(), self.table.position());
            let (Some(named), Ok(file)) = (MoveName::parse(&name), file) else {
                return;
            };
            let before = self.table.steps().len();
            if self
                .play(&named, &name, content.as_bytes(), &file, stamp(at))
                .is_err()
            {
                return;
            }
            self.tell(before, &file);
        }
        self.papers.close(&self.table);
    }

    /// What a bot plays now: the one on turn, or the first that has something to play in a person's turn.
    fn bots_move(&self) -> Option<(Seat, String)> {
        let position = self.table.position();
        let bot = |spec: &str| bots::bot(position, spec, u64::from(self.next_sequence())).ok();
        match self.table.bot_to_move() {
            Some((seat, spec)) => bot(spec)?
                .think(position, &mut Nodes(NODES))
                .map(|thought| (seat, thought.text)),
            None => self
                .table
                .bots_out_of_turn()
                .into_iter()
                .find_map(|(seat, spec)| {
                    bot(spec)?
                        .interject(position, seat, &mut Nodes(NODES))
                        .map(|thought| (seat, thought.text))
                }),
        }
    }
}

fn said(findings: &[parlor_games::files::Finding]) -> String {
    let said: Vec<&str> = findings
        .iter()
        .map(|finding| finding.message.as_str())
        .collect();
    said.join("; ")
}

/// A seat is held by a key of its own: who plays it is decided before.
fn key(seat: Seat) -> Key {
    Key::of(&format!("seat {}", seat.number()))
}

fn found(file: &TableFile, secret: &HouseSecret) -> Result<Table, Refused> {
    let game =
        GameKind::from_name(&file.game).map_err(|error| Refused::UnknownBot(error.to_string()))?;
    let start = game.start(&file.options)?;
    let player = |(word, seat): (String, Seat)| {
        let name = file
            .players
            .get(&word)
            .and_then(|name| name.as_str())
            .unwrap_or_default();
        match name.strip_prefix(BOT) {
            Some(spec) => Ok(Player::bot(spec)),
            None => Player::human(name, key(seat)),
        }
    };
    let words = seat_words(&start).into_iter().zip(Seat::all(start.seats()));
    let players = words
        .map(player)
        .collect::<Result<Vec<Player>, Refused>>()?;
    let created = seconds(&file.created_at).unwrap_or_default();
    let new = NewTable {
        listed: false,
        secret: Some(secret.of_table(file.table)),
        ..NewTable::new(file.table, game, file.options.clone(), players)
    };
    Table::create(stamp(created), new)
}
