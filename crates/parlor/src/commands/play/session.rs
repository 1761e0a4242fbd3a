//! A table whose human players share one terminal.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use parlor_core::Seat;
use parlor_games::bots::{Bot, Deadline};
use parlor_games::{AnyPosition, GameKind};
use parlor_table::runner::{BotFailure, GameEvent, Mover, TableRunner};
use parlor_table::{
    Command, Issuer, LogEntry, NewTable, Player, Refusal, SeatKey, Table, TableStatus,
};
use serde_json::Value;

use crate::crew::ThreadCrew;
use crate::error::CommandError;
use crate::local_table::{self, Randomness};

/// Configuration of a session.
pub struct SessionConfig {
    pub game: GameKind,
    pub options: Value,
    /// `human`, `human:NAME` or a bot for each seat in order; all human if empty.
    pub players: Vec<String>,
    pub seed: Option<u64>,
    /// Thinking time of a bot per move.
    pub think: Duration,
    /// True if the players of a team can ask the adviser.
    pub advice: bool,
}

/// A table with its bots and the keys of its human players.
pub struct TerminalSession {
    runner: TableRunner<'static>,
    names: Vec<String>,
    /// Thinking time of a bot per move.
    pub think: Duration,
}

/// Thinking time of a bot for a move out of turn, while the other players wait.
const INTERJECTION_TIME: Duration = Duration::from_millis(100);

impl TerminalSession {
    /// Creates the table and its bots.
    ///
    /// # Errors
    /// If options, players or bots are invalid, or the system has no randomness.
    pub fn new(config: SessionConfig) -> Result<TerminalSession, CommandError> {
        let (start, options) =
            local_table::start(config.game, &config.options, config.players.len())?;
        let random = Randomness::new(config.seed)?;
        let players = parse_players(&start, &config.players)?;
        let now = local_table::now();
        let new = NewTable {
            secret: Some(random.secret()),
            listed: false,
            without_advice: !config.advice,
            ..NewTable::new(random.table_id(now), config.game, options, players)
        };
        let table = Table::create(now, new).map_err(CommandError::other)?;
        let name = |player: &Player| player.name().unwrap_or_default().to_owned();
        let names = table.players().iter().map(name).collect();
        // Only one bot thinks at a time, so each may use all cores.
        let bots = local_table::bots(&table, &random, &Arc::new(ThreadCrew::all_cores()))?;
        Ok(TerminalSession {
            runner: TableRunner::new(table, bots, local_table::now),
            names,
            think: config.think,
        })
    }

    /// Returns a queue of the entries that are added to the table's log from now on.
    pub fn observe(&mut self) -> Receiver<Vec<LogEntry>> {
        let (send, entries) = channel();
        self.runner
            .add_observer(move |_: &Table, event: &GameEvent<'_>| {
                if let GameEvent::Logged(entries) = event {
                    send.send(entries.to_vec())?;
                }
                Ok(())
            });
        entries
    }

    /// Returns the table.
    pub fn table(&self) -> &Table {
        self.runner.table()
    }

    /// Returns the current position.
    pub fn position(&self) -> &AnyPosition {
        self.table().position()
    }

    /// Returns the players' names in seat order; a bot's name is its specification.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the display name of a player: "Ann", "Player O (level:3)".
    pub fn title(&self, seat: Seat) -> String {
        let name = &self.names[seat.index()];
        match self.is_person(seat) {
            true => name.clone(),
            false => format!("{} ({name})", self.position().player_name(seat)),
        }
    }

    /// Returns the player to move; `None` if the game is over.
    pub fn mover(&self) -> Option<Mover> {
        self.runner.mover()
    }

    /// True if a bot sits in this seat.
    pub fn is_bot(&self, seat: Seat) -> bool {
        !self.is_person(seat)
    }

    /// Plays a move of one of the people, also during a bot's turn, but never the bot's own move.
    ///
    /// # Errors
    /// Returns the table's reason; the session is then unchanged.
    pub fn play_as_person(&mut self, text: &str) -> Result<(), Refusal> {
        let owner = self
            .position()
            .seat_of(text)
            .filter(|owner| self.is_person(*owner));
        let seat = match self.mover() {
            Some(Mover::Person(seat)) => owner.unwrap_or(seat),
            Some(Mover::Bot(_)) => owner.ok_or(Refusal::NotYourTurn)?,
            None => return Err(Refusal::Over),
        };
        self.runner
            .apply(&Issuer::Key(key(seat)), Command::play(text))?;
        Ok(())
    }

    /// Returns a person who can move during a bot's turn.
    pub fn bystander(&self) -> Option<Seat> {
        let is_bots_turn = matches!(self.mover(), Some(Mover::Bot(_)));
        self.position()
            .out_of_turn()
            .into_iter()
            .find(|seat| is_bots_turn && self.is_person(*seat))
    }

    /// Returns true if there are people here who can ask the adviser now.
    pub fn has_advice(&self) -> bool {
        let table = self.table();
        table.has_advice()
            && table.status() == TableStatus::Playing
            && table.players().iter().any(Player::is_human)
    }

    fn is_person(&self, seat: Seat) -> bool {
        self.table().players()[seat.index()].is_human()
    }

    /// Takes a seat's bot out, to think on another thread; [`TerminalSession::return_bot`] puts it
    /// back.
    pub fn take_bot(&mut self, seat: Seat) -> Option<Box<dyn Bot>> {
        self.runner.take_bot(seat)
    }

    /// Puts a bot back into its seat.
    pub fn return_bot(&mut self, seat: Seat, bot: Box<dyn Bot>) {
        self.runner.return_bot(seat, bot);
    }

    /// Plays the move that a bot has chosen on another thread, `None` if it found none.
    ///
    /// # Errors
    /// If the bot has no move, or the table refuses it.
    pub fn play_as_bot(&mut self, seat: Seat, text: Option<String>) -> Result<(), CommandError> {
        let played = text
            .ok_or(BotFailure::NoMove { seat })
            .and_then(|text| self.runner.play_as_bot(seat, text));
        played.map(drop).map_err(|failure| self.failed(&failure))
    }

    /// Lets the bot on turn think on this thread, and plays its move.
    ///
    /// # Errors
    /// If the bot fails.
    pub fn play_bot(&mut self, seat: Seat) -> Result<(), CommandError> {
        let played = self.runner.play_bot(seat, &mut Deadline::after(self.think));
        played.map(drop).map_err(|failure| self.failed(&failure))
    }

    /// Asks the bots for a move out of turn, in games that have such moves, and plays it. Returns
    /// true if there was one.
    ///
    /// # Errors
    /// If a bot fails.
    pub fn play_interjection(&mut self) -> Result<bool, CommandError> {
        let budget = &mut Deadline::after(INTERJECTION_TIME);
        let played = self.runner.play_interjection(budget);
        played
            .map(|entries| entries.is_some())
            .map_err(|failure| self.failed(&failure))
    }

    fn failed(&self, failure: &BotFailure) -> CommandError {
        CommandError::Other(match failure {
            BotFailure::NoMove { seat } => format!("{} has no move", self.title(*seat)),
            BotFailure::Refused { seat, reason, .. } => format!("{}: {reason}", self.title(*seat)),
            BotFailure::Panicked { seat, .. } => format!("{} crashed", self.title(*seat)),
        })
    }

    /// Aborts the game if the table still allows it; the moves so far stay in the record.
    pub fn abandon(&mut self) {
        if self.table().status() == TableStatus::Playing {
            let person = Seat::all(self.position().seats()).find(|seat| self.is_person(*seat));
            // If it is too late to abort, the record is that of an unfinished game.
            let _ = person.map(|seat| self.runner.apply(&Issuer::Key(key(seat)), Command::Abort));
        }
    }
}

/// Returns the key of the person in a seat. It needs no secret, because all share this terminal.
fn key(seat: Seat) -> SeatKey {
    SeatKey::from_token(&format!("the person in seat {seat} of this terminal"))
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

#[cfg(test)]
pub mod tests {
    use parlor_table::TableEvent;
    use serde_json::json;

    use super::*;

    fn config(options: Value, players: &[&str]) -> SessionConfig {
        SessionConfig {
            game: GameKind::from_name("mnk").expect("a game of the house"),
            options,
            players: players.iter().map(|&p| p.to_owned()).collect(),
            seed: Some(1),
            think: Duration::from_millis(10),
            advice: true,
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
        let entries = session.observe();
        session.play_as_person("quiet-night").expect("her event");
        let entries = entries.try_recv().expect("a notified observer");
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
