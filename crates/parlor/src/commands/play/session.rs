//! A table whose human players share one terminal.

use std::num::NonZero;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use parlor_core::Seat;
use parlor_games::bots::{self, Bot, Thought};
use parlor_games::{AnyPosition, GameKind};
use parlor_table::{
    Command, Issuer, LogEntry, NewTable, Player, Refusal, SeatKey, Secret, Table, TableEvent,
    TableId, TableStatus, Timestamp,
};
use serde_json::Value;

use crate::crew::ThreadCrew;
use crate::error::CommandError;

/// Configuration of a session.
pub struct SessionConfig {
    pub game: GameKind,
    pub options: Value,
    /// `human`, `human:NAME` or a bot for each seat in order; all human if empty.
    pub players: Vec<String>,
    pub seed: Option<u64>,
    /// Thinking time of a bot per move.
    pub think: Duration,
}

/// A table with its bots and the keys of its human players.
pub struct TerminalSession {
    table: Table,
    names: Vec<String>,
    bots: Vec<Option<Box<dyn Bot>>>,
    /// Length of the log when bots were last asked for a move out of turn.
    asked_at: usize,
    /// Thinking time of a bot per move.
    pub think: Duration,
}

/// Thinking time of a bot for a move out of turn, while the other players wait.
const INTERJECTION_TIME: Duration = Duration::from_millis(100);

/// The player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    Person(Seat),
    Bot(Seat),
}

impl TerminalSession {
    /// Creates the table and its bots.
    ///
    /// # Errors
    /// If options, players or bots are invalid, or the system has no randomness.
    pub fn new(config: SessionConfig) -> Result<TerminalSession, CommandError> {
        let start = config
            .game
            .start(&config.options)
            .map_err(CommandError::other)?;
        let (start, options) = with_seats_for_players(start, &config);
        let seats: Vec<Seat> = Seat::all(start.seats()).collect();
        let random = Randomness::new(config.seed)?;
        let players = parse_players(&start, &config.players)?;
        let now = now();
        let new = NewTable {
            secret: Some(Secret::new(random.secret)),
            listed: false,
            ..NewTable::new(random.table_id(now), config.game, options, players)
        };
        let table = Table::create(now, new).map_err(CommandError::other)?;
        let names = seats.iter().map(|seat| {
            table.players()[seat.index()]
                .name()
                .unwrap_or_default()
                .to_owned()
        });
        // Only one bot thinks at a time, so each may use all cores.
        let crew = Arc::new(ThreadCrew(
            thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN),
        ));
        let bot = |seat: &Seat| match &table.players()[seat.index()] {
            Player::Bot { spec } => {
                let bot = bots::bot_with_crew(&start, spec, random.bot_seed(*seat), crew.clone());
                bot.map(Some).map_err(CommandError::other)
            }
            Player::Open | Player::Human { .. } => Ok(None),
        };
        let bots = seats.iter().map(bot).collect::<Result<_, _>>()?;
        Ok(TerminalSession {
            names: names.collect(),
            bots,
            asked_at: 0,
            think: config.think,
            table,
        })
    }

    /// Returns the table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the current position.
    pub fn position(&self) -> &AnyPosition {
        self.table.position()
    }

    /// Returns the players' names in seat order; a bot's name is its specification.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the display name of a player: "Ann", "Player O (level:3)".
    pub fn title(&self, seat: Seat) -> String {
        let name = &self.names[seat.index()];
        match self.table.players()[seat.index()] {
            Player::Bot { .. } => format!("{} ({name})", self.position().player_name(seat)),
            Player::Open | Player::Human { .. } => name.clone(),
        }
    }

    /// Returns the player to move; `None` if the game is over.
    pub fn mover(&self) -> Option<Mover> {
        let seat = self.table.on_turn()?;
        let is_bot = matches!(self.table.players()[seat.index()], Player::Bot { .. });
        Some(if is_bot {
            Mover::Bot(seat)
        } else {
            Mover::Person(seat)
        })
    }

    /// Plays a move for the seat on turn. If that is a person, a move of another person out of turn is
    /// played as well.
    ///
    /// # Errors
    /// Returns the table's reason; the session is then unchanged.
    pub fn play(&mut self, text: &str) -> Result<Vec<LogEntry>, Refusal> {
        match self.mover() {
            Some(Mover::Bot(seat)) => {
                self.table
                    .apply(now(), &Issuer::Bot(seat), Command::play(text))
            }
            _ => self.play_as_person(text),
        }
    }

    /// Plays a move of one of the people, also during a bot's turn, but never the bot's own move.
    ///
    /// # Errors
    /// Returns the table's reason; the session is then unchanged.
    pub fn play_as_person(&mut self, text: &str) -> Result<Vec<LogEntry>, Refusal> {
        let owner = self
            .position()
            .seat_of(text)
            .filter(|owner| self.is_person(*owner));
        let seat = match self.mover() {
            Some(Mover::Person(seat)) => owner.unwrap_or(seat),
            Some(Mover::Bot(_)) => owner.ok_or(Refusal::NotYourTurn)?,
            None => return Err(Refusal::Over),
        };
        self.table
            .apply(now(), &Issuer::Key(key(seat)), Command::play(text))
    }

    /// Returns a person who can move during a bot's turn.
    pub fn bystander(&self) -> Option<Seat> {
        let is_bots_turn = matches!(self.mover(), Some(Mover::Bot(_)));
        self.position()
            .out_of_turn()
            .into_iter()
            .find(|seat| is_bots_turn && self.is_person(*seat))
    }

    fn is_person(&self, seat: Seat) -> bool {
        self.table.players()[seat.index()].is_human()
    }

    /// Narrates the last entries of the log; `None` for a step that its game does not narrate.
    pub fn narrate(&self, entries: &[LogEntry]) -> Vec<Option<String>> {
        let is_step = |entry: &&LogEntry| {
            matches!(
                entry.event,
                TableEvent::Moved { .. } | TableEvent::Chance { .. }
            )
        };
        let all = self.table.steps().len();
        let before = all.checked_sub(entries.iter().filter(is_step).count());
        let mut position = before
            .and_then(|step| self.table.position_after(step))
            .map(|(position, _)| position);
        let mut narrate = |entry: &LogEntry| {
            let position = position.as_mut()?;
            match &entry.event {
                TableEvent::Moved { seat, text, .. } => {
                    let narrative = position.narrate(text);
                    position.play(text, *seat).ok()?;
                    narrative
                }
                TableEvent::Chance { chance, .. } => {
                    let narrative = position.narrate(chance);
                    position.resolve(chance).ok()?;
                    narrative
                }
                _ => None,
            }
        };
        entries.iter().map(&mut narrate).collect()
    }

    /// Takes a seat's bot out, to think on another thread; [`TerminalSession::return_bot`] puts it
    /// back.
    pub fn take_bot(&mut self, seat: Seat) -> Option<Box<dyn Bot>> {
        self.bots[seat.index()].take()
    }

    /// Puts a bot back into its seat.
    pub fn return_bot(&mut self, seat: Seat, bot: Box<dyn Bot>) {
        self.bots[seat.index()] = Some(bot);
    }

    /// Lets a bot think on this thread.
    pub fn think(&mut self, seat: Seat) -> Option<Thought> {
        let budget = &mut bots::Deadline::after(self.think);
        self.bots[seat.index()]
            .as_mut()?
            .think(self.table.position(), budget)
    }

    /// Asks the bots for a move out of turn, in games that have such moves, and plays it. Bots are
    /// asked once for each state of the table.
    pub fn play_interjection(&mut self) -> Option<Vec<LogEntry>> {
        let length = self.table.log().len();
        if self.mover().is_none() || std::mem::replace(&mut self.asked_at, length) == length {
            return None;
        }
        for seat in self.position().out_of_turn() {
            let Some(bot) = self.bots[seat.index()].as_mut() else {
                continue;
            };
            let thought = bot.interject(
                self.table.position(),
                seat,
                &mut bots::Deadline::after(INTERJECTION_TIME),
            );
            let Some(thought) = thought else { continue };
            if let Ok(entries) =
                self.table
                    .apply(now(), &Issuer::Bot(seat), Command::play(&thought.text))
            {
                return Some(entries);
            }
        }
        None
    }

    /// Aborts the game if the table still allows it; the moves so far stay in the record.
    pub fn abandon(&mut self) {
        if self.table.status() == TableStatus::Playing {
            let person = Seat::all(self.position().seats())
                .find(|seat| self.table.players()[seat.index()].is_human());
            // If it is too late to abort, the record is that of an unfinished game.
            let _ = person.map(|seat| {
                self.table
                    .apply(now(), &Issuer::Key(key(seat)), Command::Abort)
            });
        }
    }
}

/// Returns the key of the person in a seat. It needs no secret, because all share this terminal.
fn key(seat: Seat) -> SeatKey {
    SeatKey::from_token(&format!("the person in seat {seat} of this terminal"))
}

fn now() -> Timestamp {
    let millis = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.as_millis());
    Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX))
}

/// Sets the number of seats to that of the named players, if the game allows it and the options do
/// not say otherwise.
fn with_seats_for_players(start: AnyPosition, config: &SessionConfig) -> (AnyPosition, Value) {
    let named = config.players.len();
    let schema = config.game.options_schema();
    let seat_option = ["seats", "players"]
        .into_iter()
        .find(|option| schema["properties"][option].is_object());
    let is_set = seat_option
        .into_iter()
        .chain(["symbols"])
        .any(|option| config.options.get(option).is_some());
    let Some(seat_option) =
        seat_option.filter(|_| named > 0 && named != usize::from(start.seats()) && !is_set)
    else {
        return (start, config.options.clone());
    };
    let mut options = if config.options.is_null() {
        serde_json::json!({})
    } else {
        config.options.clone()
    };
    options[seat_option] = named.into();
    // If the game cannot have that many players, its default reports the mismatch.
    config.game.start(&options).map_or_else(
        |_| (start, config.options.clone()),
        |start| (start, options.clone()),
    )
}

fn parse_players(start: &AnyPosition, words: &[String]) -> Result<Vec<Player>, CommandError> {
    if !words.is_empty() && words.len() != usize::from(start.seats()) {
        return Err(CommandError::other(Refusal::WrongSeats {
            seats: start.seats(),
            players: words.len(),
        }));
    }
    let player = |seat: Seat| {
        let word = words.get(seat.index()).map_or("human", |word| word.trim());
        match word.strip_prefix("human") {
            Some("") => {
                Player::human(&start.player_name(seat), key(seat)).map_err(CommandError::other)
            }
            Some(name) if name.starts_with(':') => {
                Player::human(&name[1..], key(seat)).map_err(CommandError::other)
            }
            _ => Ok(Player::bot(word)),
        }
    };
    Seat::all(start.seats()).map(player).collect()
}

/// Source of the luck, the table's id and the bots' seeds.
struct Randomness {
    secret: [u8; 32],
    seed: Option<u64>,
}

impl Randomness {
    fn new(seed: Option<u64>) -> Result<Randomness, CommandError> {
        let mut secret = [0; 32];
        match seed {
            Some(seed) => secret[..8].copy_from_slice(&seed.to_be_bytes()),
            None => getrandom::fill(&mut secret).map_err(|error| {
                CommandError::Other(format!("no random numbers from the system: {error}"))
            })?,
        }
        Ok(Randomness { secret, seed })
    }

    /// Returns the table's id. It is part of every draw, so a seed determines it as well.
    fn table_id(&self, now: Timestamp) -> TableId {
        let fixed = self
            .seed
            .and_then(|seed| TableId::new(seed & TableId::MAX).ok());
        fixed.unwrap_or_else(|| TableId::fresh(now, getrandom::u64().unwrap_or_default()))
    }

    /// Returns the seed of a bot, which is independent of the secret: a bot must not foresee luck.
    fn bot_seed(&self, seat: Seat) -> u64 {
        let base = self
            .seed
            .or_else(|| getrandom::u64().ok())
            .unwrap_or_default();
        base.wrapping_add(u64::from(seat.number()))
    }
}

#[cfg(test)]
pub mod tests {
    use serde_json::json;

    use super::*;

    fn config(options: Value, players: &[&str]) -> SessionConfig {
        SessionConfig {
            game: GameKind::from_name("mnk").expect("a game of the house"),
            options,
            players: players.iter().map(|&p| p.to_owned()).collect(),
            seed: Some(1),
            think: Duration::from_millis(10),
        }
    }

    #[test]
    fn people_are_named_after_their_seats() {
        let session = TerminalSession::new(config(Value::Null, &[])).expect("two people");
        assert_eq!(session.names(), ["Player X", "Player O"]);
        assert_eq!(session.mover(), Some(Mover::Person(Seat::FIRST)));
    }

    #[test]
    fn naming_three_players_creates_three_seats() {
        let session = TerminalSession::new(config(
            json!({"rows": 6, "columns": 6, "k": 4}),
            &["human", "human:Bo", "random"],
        ));
        let session = session.expect("three players");
        assert_eq!(session.position().seats(), 3);
        assert_eq!(session.names()[1..], ["Bo", "random"]);
    }

    #[test]
    fn a_given_number_of_seats_is_kept() {
        let refused =
            TerminalSession::new(config(json!({"seats": 2}), &["human", "human", "human"])).err();
        assert!(matches!(refused, Some(CommandError::Other(text)) if text.contains("2 players")));
    }

    /// A bot is on turn, and Ann holds the only event card of the game.
    pub(in crate::commands::play) fn session_with_bystander() -> TerminalSession {
        let options = json!({"events": ["One Quiet Night"]});
        let session = |seed| {
            let game = GameKind::from_name("pandemic").expect("a game of the house");
            let session = SessionConfig {
                game,
                seed: Some(seed),
                ..config(options.clone(), &["human:Ann", "level:1"])
            };
            TerminalSession::new(session).expect("a person and a bot")
        };
        (0..500)
            .map(session)
            .find(|session| session.bystander().is_some())
            .expect("some seed deals her the event")
    }

    #[test]
    fn a_person_can_play_an_event_in_a_bots_turn_but_no_move_of_the_bot() {
        let mut session = session_with_bystander();
        let bot = Seat::new(1).expect("a seat");
        assert_eq!(
            (session.mover(), session.bystander()),
            (Some(Mover::Bot(bot)), Some(Seat::FIRST))
        );
        assert_eq!(session.play_as_person("draw"), Err(Refusal::NotYourTurn));
        let entries = session.play_as_person("quiet-night").expect("her event");
        assert!(
            matches!(&entries[0].event, TableEvent::Moved { seat, text, .. } if *seat == Seat::FIRST && text == "quiet-night"),
            "{entries:?}"
        );
        assert_eq!(
            (session.mover(), session.bystander()),
            (Some(Mover::Bot(bot)), None)
        );
    }
}
