//! The table: a state that events fold into.

use std::collections::BTreeMap;

use parlor_core::{Seat, Turn};
use parlor_games::{AnyPosition, GameKind, OutcomeView, bots};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::luck::Luck;
use crate::{By, Command, Ending, Entry, Event, How, Key, MoveId, Player, Refused, Secret, TableId, Timestamp, verbs};

/// One game at one table, from the open seats to the end.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) id: TableId,
    pub(crate) kind: GameKind,
    pub(crate) options: Value,
    pub(crate) players: Vec<Player>,
    pub(crate) listed: bool,
    pub(crate) invite: Option<Key>,
    pub(crate) previous: Option<TableId>,
    pub(crate) next: Option<TableId>,
    pub(crate) luck: Option<Luck>,
    pub(crate) position: AnyPosition,
    pub(crate) status: Status,
    pub(crate) ending: Option<Ending>,
    pub(crate) wants_rematch: Vec<bool>,
    pub(crate) last_move: Option<String>,
    pub(crate) plies: u32,
    pub(crate) played: BTreeMap<MoveId, (Seat, String)>,
    pub(crate) log: Vec<Entry>,
}

/// How far a table has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A seat is open.
    Open,
    /// The game is on.
    Playing,
    /// The game has ended.
    Over,
    /// The game was called off.
    Aborted,
}

impl Status {
    /// All states.
    pub const ALL: [Status; 4] = [Status::Open, Status::Playing, Status::Over, Status::Aborted];

    /// The name in JSON and databases.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Open => "open",
            Status::Playing => "playing",
            Status::Over => "over",
            Status::Aborted => "aborted",
        }
    }
}

/// What a table is made from.
#[derive(Clone, Debug)]
pub struct NewTable {
    /// Its id, made by the driver.
    pub id: TableId,
    /// The game.
    pub game: GameKind,
    /// The game's options; missing ones take their defaults.
    pub options: Value,
    /// Who sits where; as many as the game has seats. When no seat is open the game starts at once.
    pub players: Vec<Player>,
    /// Whether the lobby shows it and anybody may join.
    pub listed: bool,
    /// What a private table's link proves. Joining an unlisted table that has an invite needs it.
    pub invite: Option<Key>,
    /// The source of luck. Games with luck need it before the first draw; others ignore it.
    pub secret: Option<Secret>,
    /// Texts for luck by seat, for the players who are already there.
    pub luck_texts: Vec<(Seat, String)>,
    /// The table this is a rematch of.
    pub previous: Option<TableId>,
}

impl NewTable {
    /// A listed table without invite and luck.
    pub fn new(id: TableId, game: GameKind, options: Value, players: Vec<Player>) -> NewTable {
        NewTable {
            id,
            game,
            options,
            players,
            listed: true,
            invite: None,
            secret: None,
            luck_texts: Vec::new(),
            previous: None,
        }
    }
}

impl Table {
    /// Sets up a table. Its first events are in [`Table::log`].
    ///
    /// # Errors
    /// When the options are wrong, the players are not as many as the seats, or a bot is unknown.
    pub fn create(now: Timestamp, new: NewTable) -> Result<Table, Refused> {
        let position = new.game.start(&new.options)?;
        if usize::from(position.seats()) != new.players.len() {
            return Err(Refused::WrongSeats { seats: position.seats(), players: new.players.len() });
        }
        for player in &new.players {
            if let Player::Bot { spec } = player {
                bots::check(&position, spec).map_err(|error| Refused::UnknownBot(error.to_string()))?;
            }
        }
        let secret = new.secret.filter(|_| new.game.has_luck());
        let created = Event::Created {
            table: new.id,
            game: new.game.name().to_owned(),
            options: position.options(),
            seats: new.players,
            listed: new.listed,
            invite: new.invite,
            commitment: secret.as_ref().map(Secret::commitment),
            previous: new.previous,
        };
        let mut table = Table::found(Entry { version: 1, at: now, event: created }, secret)
            .expect("an event made from a valid start founds a table");
        for (seat, text) in new.luck_texts {
            verbs::luck_text::add(&mut table, now, seat, text)?;
        }
        table.start_if_full(now)?;
        Ok(table)
    }

    /// Builds a table again from its events. The secret is the one kept by the driver; a finished table's log holds it.
    ///
    /// # Errors
    /// When the log is none of a table.
    pub fn replay(log: impl IntoIterator<Item = Entry>, secret: Option<Secret>) -> Result<Table, BadLog> {
        let mut entries = log.into_iter();
        let first = entries.next().ok_or_else(|| BadLog { version: 1, reason: "the log is empty".to_owned() })?;
        let mut table = Table::found(first, secret)?;
        entries.try_for_each(|entry| table.fold(entry))?;
        Ok(table)
    }

    /// Does what is asked, if it may be done, and returns the events that this made.
    ///
    /// An empty list says that the move was applied by an earlier call with the same id. The table has already changed
    /// when this returns: a driver that cannot store the events must throw the table away and replay what is stored.
    ///
    /// # Errors
    /// The reason; nothing has changed then.
    pub fn apply(&mut self, now: Timestamp, by: &By, command: Command) -> Result<Vec<Entry>, Refused> {
        let before = self.log.len();
        match command {
            Command::Join { seat, name, invite, luck_text } => {
                verbs::join::join(self, now, by, verbs::join::Request { seat, name, invite, luck_text })?;
            }
            Command::Leave => verbs::leave::leave(self, now, by)?,
            Command::Move { text, id, version } => verbs::play::play(self, now, by, &text, id, version)?,
            Command::Resign => verbs::resign::resign(self, now, by)?,
            Command::Abort => verbs::abort::abort(self, now, by)?,
            Command::Rematch { next } => verbs::rematch::rematch(self, now, by, next)?,
            Command::LuckText { text } => verbs::luck_text::luck_text(self, now, by, text)?,
        }
        Ok(self.log[before..].to_vec())
    }

    /// The table's name.
    pub fn id(&self) -> TableId {
        self.id
    }

    /// The game.
    pub fn kind(&self) -> GameKind {
        self.kind
    }

    /// The game's complete options.
    pub fn options(&self) -> &Value {
        &self.options
    }

    /// Number of the last event.
    pub fn version(&self) -> u64 {
        self.log.len() as u64
    }

    /// All events, the first being number 1.
    pub fn log(&self) -> &[Entry] {
        &self.log
    }

    /// How far the game has come.
    pub fn status(&self) -> Status {
        self.status
    }

    /// How the game ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Who sits where.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// Whether the lobby shows it.
    pub fn listed(&self) -> bool {
        self.listed
    }

    /// The position.
    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// The text of the last move.
    pub fn last_move(&self) -> Option<&str> {
        self.last_move.as_deref()
    }

    /// Moves played so far.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// The table of the rematch, once it is agreed.
    pub fn next(&self) -> Option<TableId> {
        self.next
    }

    /// When the table was made.
    pub fn created_at(&self) -> Timestamp {
        self.log[0].at
    }

    /// When it last changed.
    pub fn updated_at(&self) -> Timestamp {
        self.log[self.log.len() - 1].at
    }

    /// The seats held by a key.
    pub fn seats_of(&self, key: &Key) -> Vec<Seat> {
        Seat::all(self.position.seats()).filter(|seat| self.players[seat.index()].has_key(key)).collect()
    }

    /// The seat whose move it is, while the game is on.
    pub fn on_turn(&self) -> Option<Seat> {
        let turn = self.position.turn();
        turn.seat().filter(|_| self.status == Status::Playing)
    }

    /// The bot whose move it is: its seat and its spec.
    pub fn bot_to_move(&self) -> Option<(Seat, &str)> {
        let seat = self.on_turn()?;
        match &self.players[seat.index()] {
            Player::Bot { spec } => Some((seat, spec)),
            Player::Open | Player::Human { .. } => None,
        }
    }

    /// The secret of the table's luck, for the driver to keep. Never to be shown before the game is over.
    pub fn secret(&self) -> Option<&Secret> {
        self.luck.as_ref().and_then(|luck| luck.secret.as_ref())
    }

    /// The rematch of this table: the same game with the seats moved on by one, so that another begins.
    ///
    /// # Errors
    /// When the players cannot sit down again (a bot that is gone).
    pub fn rematch(&self, now: Timestamp, id: TableId, secret: Option<Secret>) -> Result<Table, Refused> {
        let mut players = self.players.clone();
        players.rotate_left(1);
        let new = NewTable {
            listed: self.listed,
            invite: self.invite,
            secret,
            previous: Some(self.id),
            ..NewTable::new(id, self.kind, self.options.clone(), players)
        };
        Table::create(now, new)
    }

    /// The seat that a command comes from: the one on turn if the caller holds it, else the caller's first.
    pub(crate) fn seat_of(&self, by: &By) -> Result<Seat, Refused> {
        match by {
            By::Bot(seat) => Ok(*seat),
            By::Key(key) => {
                let held = self.seats_of(key);
                let on_turn = self.on_turn().filter(|seat| held.contains(seat));
                on_turn.or(held.first().copied()).ok_or(Refused::NotSeated)
            }
        }
    }

    pub(crate) fn must_be_playing(&self) -> Result<(), Refused> {
        match self.status {
            Status::Open => Err(Refused::NotStarted),
            Status::Playing => Ok(()),
            Status::Over | Status::Aborted => Err(Refused::Over),
        }
    }

    pub(crate) fn push(&mut self, now: Timestamp, event: Event) {
        let entry = Entry { version: self.version() + 1, at: now.max(self.updated_at()), event };
        self.fold(entry).expect("a verb makes only events that follow from the state");
    }

    pub(crate) fn start_if_full(&mut self, now: Timestamp) -> Result<(), Refused> {
        if self.status == Status::Open && !self.players.contains(&Player::Open) {
            self.luck_is_here(self.position.turn())?;
            self.push(now, Event::Started);
            self.settle(now);
        }
        Ok(())
    }

    /// A chance can only be resolved by a driver that holds the secret.
    pub(crate) fn luck_is_here(&self, turn: Turn) -> Result<(), Refused> {
        let needed = turn == Turn::Chance && self.secret().is_none();
        if needed { Err(Refused::NoSecret) } else { Ok(()) }
    }

    /// Lets luck decide as long as it is luck's turn, and ends the game if it is over.
    ///
    /// # Panics
    /// When luck is to decide and the secret is not here; see [`Table::luck_is_here`].
    pub(crate) fn settle(&mut self, now: Timestamp) {
        loop {
            match self.position.turn() {
                Turn::Move(_) => return,
                Turn::Over(outcome) => return self.end(now, How::Rules, Some(outcome.into())),
                Turn::Chance => {
                    let event = self.draw().expect("luck's turn was let in only with its secret");
                    self.push(now, event);
                }
            }
        }
    }

    fn draw(&self) -> Option<Event> {
        let luck = self.luck.as_ref()?;
        let chances = self.position.chances();
        let weights: Vec<u32> = chances.iter().map(|(_, weight)| *weight).collect();
        let index = luck.secret.as_ref()?.draw(self.id, &luck.texts, luck.drawn, &weights)?;
        Some(Event::Chance { n: luck.drawn, chance: chances[index].0.clone() })
    }

    pub(crate) fn end(&mut self, now: Timestamp, how: How, outcome: Option<OutcomeView>) {
        self.push(now, Event::Ended { ending: Ending { how, outcome } });
        if let Some(secret) = self.secret().cloned() {
            self.push(now, Event::Revealed { secret });
        }
    }

    /// The table that a `Created` event makes.
    fn found(entry: Entry, secret: Option<Secret>) -> Result<Table, BadLog> {
        let bad = |reason: String| BadLog { version: 1, reason };
        let Event::Created { table, game, options, seats, listed, invite, commitment, previous } = &entry.event else {
            return Err(bad("the first event is not the table's creation".to_owned()));
        };
        let kind = GameKind::from_name(game).map_err(|error| bad(error.to_string()))?;
        let position = kind.start(options).map_err(|error| bad(error.to_string()))?;
        if usize::from(position.seats()) != seats.len() || entry.version != 1 {
            return Err(bad("the creation does not fit its game".to_owned()));
        }
        let luck = commitment.as_ref().map(|commitment| Luck {
            commitment: commitment.clone(),
            secret: secret.filter(|secret| secret.commitment() == *commitment),
            texts: vec![String::new(); seats.len()],
            drawn: 0,
            revealed: false,
        });
        Ok(Table {
            id: *table,
            kind,
            options: options.clone(),
            players: seats.clone(),
            listed: *listed,
            invite: *invite,
            previous: *previous,
            next: None,
            luck,
            position,
            status: Status::Open,
            ending: None,
            wants_rematch: vec![false; seats.len()],
            last_move: None,
            plies: 0,
            played: BTreeMap::new(),
            log: vec![entry],
        })
    }

    /// Takes an event of the log into the state.
    fn fold(&mut self, entry: Entry) -> Result<(), BadLog> {
        let version = entry.version;
        let bad = |reason: &str| BadLog { version, reason: reason.to_owned() };
        if version != self.version() + 1 {
            return Err(bad("the versions have a gap"));
        }
        match &entry.event {
            Event::Created { .. } => return Err(bad("a table is created once")),
            Event::Joined { seat, player } => *self.player_mut(*seat, version)? = player.clone(),
            Event::Left { seat } => *self.player_mut(*seat, version)? = Player::Open,
            Event::LuckText { seat, text } => {
                let texts = self.luck.as_mut().map(|luck| &mut luck.texts);
                let place = texts.and_then(|texts| texts.get_mut(seat.index()));
                *place.ok_or_else(|| bad("a text for luck where there is none"))? = text.clone();
            }
            Event::Started => self.status = Status::Playing,
            Event::Moved { seat, text, id } => {
                self.position.play(text, *seat).map_err(|error| bad(&error.to_string()))?;
                self.plies += 1;
                self.last_move = Some(text.clone());
                if let Some(id) = id {
                    self.played.insert(id.clone(), (*seat, text.clone()));
                }
            }
            Event::Chance { n, chance } => {
                let luck = self.luck.as_mut().filter(|luck| luck.drawn == *n);
                luck.ok_or_else(|| bad("a draw out of order"))?.drawn += 1;
                self.position.resolve(chance).map_err(|error| bad(&error.to_string()))?;
            }
            Event::Resigned { seat, replaced_by } => {
                if let Some(spec) = replaced_by {
                    *self.player_mut(*seat, version)? = Player::bot(spec.as_str());
                }
            }
            Event::RematchOffered { seat } => {
                *self.wants_rematch.get_mut(seat.index()).ok_or_else(|| bad("there is no such seat"))? = true;
            }
            Event::RematchAgreed { next } => self.next = Some(*next),
            Event::Ended { ending } => {
                self.status = if ending.how == How::Abort { Status::Aborted } else { Status::Over };
                self.ending = Some(*ending);
            }
            Event::Revealed { secret } => {
                let luck = self.luck.as_mut().filter(|luck| luck.commitment == secret.commitment());
                let luck = luck.ok_or_else(|| bad("the secret is not the one committed to"))?;
                luck.secret = Some(secret.clone());
                luck.revealed = true;
            }
        }
        self.log.push(entry);
        Ok(())
    }

    fn player_mut(&mut self, seat: Seat, version: u64) -> Result<&mut Player, BadLog> {
        let player = self.players.get_mut(seat.index());
        player.ok_or_else(|| BadLog { version, reason: format!("there is no seat {seat}") })
    }
}

/// A log that no table can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {version} of the log does not follow: {reason}")]
pub struct BadLog {
    /// The event.
    pub version: u64,
    /// What is wrong with it.
    pub reason: String,
}
