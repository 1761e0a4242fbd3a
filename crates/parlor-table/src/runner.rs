//! Driver of a table in one process: its bots move in turn, and observers are told what happened.

use std::any::Any;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};

use parlor_core::Seat;
use parlor_games::bots::{Bot, Budget, Thought};

use crate::{
    Command, Ending, Issuer, LogEntry, Player, Refusal, Table, TableEvent, TableStatus, Timestamp,
};

/// Event that observers are notified of, in this order after each command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GameEvent<'a> {
    /// Entries were added to the table's log: moves, chances, offers, the end.
    Logged(&'a [LogEntry]),
    /// The stage that the table has reached. Also sent to a new observer.
    State(TableStatus),
    /// A seat is to move. Also sent to a new observer.
    Turn(Seat),
    /// The game ended. Also sent to a new observer of a finished game.
    Ended(Ending),
}

/// Observer of a table.
///
/// Every closure `FnMut(&Table, &GameEvent) -> Result<(), Box<dyn Error + Send + Sync>>` is one.
pub trait Observer {
    /// Called for every event, in order, with the table after the command.
    ///
    /// # Errors
    /// Any failure on the observer's side. The game goes on, and its driver can retrieve the
    /// failures with [`TableRunner::take_failures`].
    fn notify(
        &mut self,
        table: &Table,
        event: &GameEvent<'_>,
    ) -> Result<(), Box<dyn Error + Send + Sync>>;
}

impl<F> Observer for F
where
    F: FnMut(&Table, &GameEvent<'_>) -> Result<(), Box<dyn Error + Send + Sync>>,
{
    fn notify(
        &mut self,
        table: &Table,
        event: &GameEvent<'_>,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        self(table, event)
    }
}

/// Identifier of an observer, for its removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObserverId(u32);

/// Failure of an observer, which does not affect the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObserverFailure {
    /// Observer that failed.
    pub observer: ObserverId,
    /// Error message.
    pub reason: String,
    /// True if the observer panicked. It was then removed, since its state may be broken.
    pub panicked: bool,
}

/// Player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// Seat of a person.
    Person(Seat),
    /// Seat of a bot.
    Bot(Seat),
}

/// Reason why a bot on turn did not move. The table is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BotFailure {
    /// The seat on turn has no bot, or its bot returned no move.
    #[error("the bot in seat {seat} has no move")]
    NoMove {
        /// Seat on turn.
        seat: Seat,
    },
    /// The table refused the bot's move.
    #[error("the bot in seat {seat} cannot play {text}: {reason}")]
    Refused {
        /// Seat on turn.
        seat: Seat,
        /// Chosen move.
        text: String,
        /// Reason for the refusal.
        reason: Refusal,
    },
    /// The bot panicked. It was removed, since its state may be broken.
    #[error("the bot in seat {seat} crashed: {reason}")]
    Panicked {
        /// Seat on turn.
        seat: Seat,
        /// Message of the panic.
        reason: String,
    },
}

/// A table with its bots and observers.
///
/// Every command goes through [`TableRunner::apply`], which notifies the observers.
///
/// ```
/// use parlor_games::bots::{self, Nodes};
/// use parlor_table::runner::{GameEvent, TableRunner};
/// use parlor_table::{NewTable, Player, Table, TableId, TableStatus, Timestamp};
/// use serde_json::json;
///
/// let players = vec![Player::bot("perfect"), Player::bot("random")];
/// let new = NewTable::new(TableId::new(42)?, parlor_games::mnk::KIND, json!({}), players);
/// let table = Table::create(Timestamp::from_millis(0), new)?;
/// let bots = [bots::bot(table.position(), "perfect", 1)?, bots::bot(table.position(), "random", 2)?];
///
/// let mut moves = 0;
/// let mut runner = TableRunner::new(table, bots.map(Some).into(), || Timestamp::from_millis(0));
/// runner.add_observer(|_: &Table, event: &GameEvent<'_>| {
///     if let GameEvent::Turn(_) = event {
///         moves += 1;
///     }
///     Ok(())
/// });
/// runner.play_bots(|| Box::new(Nodes(1_000)))?;
/// assert_eq!(runner.into_table().status(), TableStatus::Over);
/// assert!((5..=9).contains(&moves));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TableRunner<'a> {
    table: Table,
    bots: Vec<Option<Box<dyn Bot>>>,
    now: Box<dyn Fn() -> Timestamp + Send + 'a>,
    /// Version of the table when bots were last asked for a move out of turn.
    asked_at: u64,
    observers: Observers<'a>,
}

impl<'a> TableRunner<'a> {
    /// Creates a runner with the bot of each seat, `None` for the seats of people, and a source of
    /// the time.
    pub fn new(
        table: Table,
        bots: Vec<Option<Box<dyn Bot>>>,
        now: impl Fn() -> Timestamp + Send + 'a,
    ) -> TableRunner<'a> {
        TableRunner {
            table,
            bots,
            now: Box::new(now),
            asked_at: 0,
            observers: Observers::default(),
        }
    }

    /// Returns the table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the table and drops bots and observers.
    pub fn into_table(self) -> Table {
        self.table
    }

    /// Adds an observer. It is notified of the current state at once, and of every event from now
    /// on.
    pub fn add_observer(&mut self, observer: impl Observer + Send + 'a) -> ObserverId {
        self.observers.add(Box::new(observer), &self.table)
    }

    /// Removes an observer; returns true if it existed.
    pub fn remove_observer(&mut self, id: ObserverId) -> bool {
        self.observers.remove(id)
    }

    /// Returns the failures of observers since the last call.
    pub fn take_failures(&mut self) -> Vec<ObserverFailure> {
        std::mem::take(&mut self.observers.failures)
    }

    /// Executes a command on the table and notifies the observers. See [`Table::apply`].
    ///
    /// # Errors
    /// The reason for refusing the command, which then has changed nothing.
    pub fn apply(&mut self, by: &Issuer, command: Command) -> Result<Vec<LogEntry>, Refusal> {
        let entries = self.table.apply((self.now)(), by, command)?;
        if !entries.is_empty() {
            self.observers.announce(&self.table, &entries);
        }
        Ok(entries)
    }

    /// Returns the player to move; `None` if the game has not begun or is over.
    pub fn mover(&self) -> Option<Mover> {
        let seat = self.table.on_turn()?;
        Some(match self.table.players()[seat.index()] {
            Player::Bot { .. } => Mover::Bot(seat),
            Player::Open | Player::Human { .. } => Mover::Person(seat),
        })
    }

    /// Takes a seat's bot out, to think on another thread; [`TableRunner::return_bot`] puts it back.
    pub fn take_bot(&mut self, seat: Seat) -> Option<Box<dyn Bot>> {
        self.bots.get_mut(seat.index())?.take()
    }

    /// Puts a bot back into its seat.
    pub fn return_bot(&mut self, seat: Seat, bot: Box<dyn Bot>) {
        if let Some(place) = self.bots.get_mut(seat.index()) {
            *place = Some(bot);
        }
    }

    /// Lets bots move until a person is on turn, the game is over, or a bot fails. Each move gets a
    /// budget of its own.
    ///
    /// # Errors
    /// [`BotFailure`], with the game where it stopped.
    pub fn play_bots(
        &mut self,
        mut budget: impl FnMut() -> Box<dyn Budget>,
    ) -> Result<(), BotFailure> {
        while let Some(mover) = self.mover() {
            if self.play_interjection(&mut *budget())?.is_some() {
                continue;
            }
            match mover {
                Mover::Bot(seat) => drop(self.play_bot(seat, &mut *budget())?),
                Mover::Person(_) => return Ok(()),
            }
        }
        Ok(())
    }

    /// Lets the bot in the seat on turn move, and returns the new entries of the log.
    ///
    /// # Errors
    /// [`BotFailure`], with the table unchanged.
    pub fn play_bot(
        &mut self,
        seat: Seat,
        budget: &mut dyn Budget,
    ) -> Result<Vec<LogEntry>, BotFailure> {
        let position = self.table.position();
        let bot = self.bots.get_mut(seat.index());
        let thought = ask(bot, seat, |bot| bot.think(position, budget))?;
        let Thought { text, .. } = thought.ok_or(BotFailure::NoMove { seat })?;
        self.play_as_bot(seat, text)
    }

    /// Plays a move that the bot in a seat has chosen.
    ///
    /// # Errors
    /// [`BotFailure::Refused`], with the table unchanged.
    pub fn play_as_bot(&mut self, seat: Seat, text: String) -> Result<Vec<LogEntry>, BotFailure> {
        let refused = |reason| BotFailure::Refused {
            seat,
            text: text.clone(),
            reason,
        };
        self.apply(&Issuer::Bot(seat), Command::play(&text))
            .map_err(refused)
    }

    /// Asks the bots for a move out of turn, in games that have such moves, and plays the first one.
    /// Bots are asked once for each version of the table; a refused move is not played.
    ///
    /// # Errors
    /// [`BotFailure::Panicked`], with the table unchanged.
    pub fn play_interjection(
        &mut self,
        budget: &mut dyn Budget,
    ) -> Result<Option<Vec<LogEntry>>, BotFailure> {
        let version = self.table.version();
        if self.mover().is_none() || std::mem::replace(&mut self.asked_at, version) == version {
            return Ok(None);
        }
        for seat in self.table.position().out_of_turn() {
            let position = self.table.position();
            let bot = self.bots.get_mut(seat.index());
            let thought = ask(bot, seat, |bot| bot.interject(position, seat, budget))?;
            let Some(Thought { text, .. }) = thought else {
                continue;
            };
            if let Ok(entries) = self.play_as_bot(seat, text) {
                return Ok(Some(entries));
            }
        }
        Ok(None)
    }
}

/// Asks a bot for a move; removes it if it panics.
fn ask(
    place: Option<&mut Option<Box<dyn Bot>>>,
    seat: Seat,
    question: impl FnOnce(&mut dyn Bot) -> Option<Thought>,
) -> Result<Option<Thought>, BotFailure> {
    let Some(place) = place else { return Ok(None) };
    let Some(bot) = place else { return Ok(None) };
    // A bot that panicked is never asked again, so its broken state does no harm.
    catch_unwind(AssertUnwindSafe(|| question(bot.as_mut()))).map_err(|panic| {
        *place = None;
        BotFailure::Panicked {
            seat,
            reason: panic_message(panic.as_ref()),
        }
    })
}

/// Observers of one table, with their failures.
#[derive(Default)]
struct Observers<'a> {
    observers: Vec<(ObserverId, Box<dyn Observer + Send + 'a>)>,
    added: u32,
    failures: Vec<ObserverFailure>,
}

impl<'a> Observers<'a> {
    fn add(&mut self, observer: Box<dyn Observer + Send + 'a>, table: &Table) -> ObserverId {
        let id = ObserverId(self.added);
        self.added += 1;
        let others = std::mem::replace(&mut self.observers, vec![(id, observer)]);
        self.announce_state(table);
        self.observers.splice(0..0, others);
        id
    }

    fn remove(&mut self, id: ObserverId) -> bool {
        let before = self.observers.len();
        self.observers.retain(|(other, _)| *other != id);
        self.observers.len() < before
    }

    fn announce(&mut self, table: &Table, entries: &[LogEntry]) {
        self.notify(table, &GameEvent::Logged(entries));
        let ended = |entry: &LogEntry| matches!(entry.event, TableEvent::Ended { .. });
        // An event after the end of a game, such as a rematch, does not end it again.
        if table.ending().is_none() || entries.iter().any(ended) {
            self.announce_state(table);
        }
    }

    fn announce_state(&mut self, table: &Table) {
        self.notify(table, &GameEvent::State(table.status()));
        if let Some(seat) = table.on_turn() {
            self.notify(table, &GameEvent::Turn(seat));
        }
        if let Some(ending) = table.ending() {
            self.notify(table, &GameEvent::Ended(ending));
        }
    }

    /// Notifies every observer; records failures, and removes those that panicked.
    fn notify(&mut self, table: &Table, event: &GameEvent<'_>) {
        let failures = &mut self.failures;
        self.observers.retain_mut(|(id, observer)| {
            let notified = catch_unwind(AssertUnwindSafe(|| observer.notify(table, event)));
            let (reason, panicked) = match notified {
                Ok(Ok(())) => return true,
                Ok(Err(reason)) => (reason.to_string(), false),
                Err(panic) => (panic_message(panic.as_ref()), true),
            };
            failures.push(ObserverFailure {
                observer: *id,
                reason,
                panicked,
            });
            !panicked
        });
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("it panicked").to_owned()
}
