//! Live tables: one task for each, and handles to send requests to them.
//!
//! A requested table is loaded from the store into its own task, the only one to change it. After a
//! while without requests and watchers the task ends, and the table is in the store only.

mod actor;
mod bots;
mod feed;
mod presence;
mod settlement;
mod stored;
mod sweeper;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use parlor_core::Seat;
use parlor_games::TurnView;
use parlor_store::{Store, StoreError};
use parlor_table::{
    ClockView, Command, Ending, Refusal, Table, TableId, TableStatus, TableView, Timestamp,
};
use tokio::sync::{Semaphore, mpsc, oneshot};

use self::actor::TableRequest;
use self::bots::BotPool;
use self::presence::Presence;
use crate::auth::Requester;
use crate::config::BotConfig;
use crate::hub::Hub;

pub(crate) use self::actor::generate_secret;
pub(crate) use self::feed::{Audience, EventFrame, Spectator, Subscription};
pub(crate) use self::presence::PresenceGuard;
pub(crate) use self::stored::{load, new_table, now, table_id, table_key};
pub(crate) use self::sweeper::sweep;

/// Maximum number of requests queued for one table; further senders wait.
const MAILBOX: usize = 64;
/// Number of attempts to send a request, in case the task has just ended.
const TRIES: u32 = 8;

/// Error of a request to a table. Nothing has changed, unless the outcome of a write is in doubt.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum LiveError {
    #[error("there is no such table")]
    NotFound,
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("another node was faster: the table is at version {current}")]
    Conflict { current: u64 },
    #[error(transparent)]
    Store(StoreError),
    #[error("the table's task did not answer")]
    Busy,
    #[error("table {0} has a corrupt log: {1}")]
    BadLog(TableId, String),
}

impl From<StoreError> for LiveError {
    fn from(error: StoreError) -> LiveError {
        match error {
            StoreError::NotFound => LiveError::NotFound,
            StoreError::Conflict { current } => LiveError::Conflict { current },
            error => LiveError::Store(error),
        }
    }
}

/// State of a table after a command.
#[derive(Debug)]
pub(crate) struct CommandResult {
    /// Version: the number of the table's last event.
    pub(crate) version: u64,
    /// Status of the table.
    pub(crate) status: TableStatus,
    /// Next event under the rules.
    pub(crate) turn: TurnView,
    /// Ending, once the game is over.
    pub(crate) ending: Option<Ending>,
    /// Table of the rematch.
    pub(crate) next: Option<TableId>,
    /// Clocks; `None` at tables without time control.
    pub(crate) clock: Option<ClockView>,
    /// Time of this result.
    pub(crate) now: Timestamp,
    /// Complete state of the table, if requested.
    pub(crate) view: Option<Box<TableView>>,
}

/// A table together with the presence of its players.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LiveView<'a> {
    /// The table.
    pub(crate) table: &'a Table,
    presence: &'a Presence,
}

impl LiveView<'_> {
    /// Returns the time since which the player in a seat has been absent; `None` if the player is
    /// present or the seat is empty.
    pub(crate) fn absent_since(&self, seat: Seat) -> Option<Timestamp> {
        self.presence.absent_since(self.table, seat)
    }
}

/// Handle to all live tables.
#[derive(Clone)]
pub(crate) struct LiveTables {
    shared: Arc<LiveContext>,
}

/// State shared by the tables' tasks.
struct LiveContext {
    tables: Mutex<HashMap<TableId, mpsc::Sender<TableRequest>>>,
    store: Store,
    thinkers: BotPool,
    idle: Duration,
    hub: Hub,
}

impl LiveTables {
    /// Creates the registry without any live table.
    pub(crate) fn new(store: Store, bots: &BotConfig, idle: Duration, hub: Hub) -> LiveTables {
        let thinkers = BotPool::new(bots);
        LiveTables {
            shared: Arc::new(LiveContext {
                tables: Mutex::default(),
                store,
                thinkers,
                idle,
                hub,
            }),
        }
    }

    /// Starts a task for a table that was just stored.
    pub(crate) fn adopt(&self, table: Table) {
        let id = table.id();
        let (sender, mailbox) = mpsc::channel(MAILBOX);
        self.shared.tables().insert(id, sender.clone());
        let (shared, me) = (self.shared.clone(), sender.downgrade());
        tokio::spawn(async move { actor::Actor::new(table, shared, me).run(mailbox).await });
    }

    /// Returns the permits that limit concurrent searches.
    pub(crate) fn search_permits(&self) -> Arc<Semaphore> {
        self.shared.thinkers.search_permits()
    }

    /// Loads a table if it is not live, so that its bot resumes.
    pub(crate) fn wake(&self, id: TableId) {
        let _ = self.sender(id);
    }

    /// Applies a command at a table. Returns when the events are durable.
    pub(crate) async fn act(
        &self,
        id: TableId,
        who: Requester,
        command: Command,
        view: bool,
    ) -> Result<CommandResult, LiveError> {
        let (reply, answer) = oneshot::channel();
        self.send(
            id,
            TableRequest::Apply(Box::new(actor::CommandRequest {
                who,
                command,
                view,
                reply,
            })),
        )
        .await?;
        answer.await.map_err(|_| LiveError::Busy)?
    }

    /// Reads from a table.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        id: TableId,
        read: impl FnOnce(&Table) -> T + Send + 'static,
    ) -> Result<T, LiveError> {
        self.read_with_presence(id, |seen| read(seen.table)).await
    }

    /// Reads from a table and the presence of its players.
    pub(crate) async fn read_with_presence<T: Send + 'static>(
        &self,
        id: TableId,
        read: impl FnOnce(LiveView<'_>) -> T + Send + 'static,
    ) -> Result<T, LiveError> {
        let (reply, answer) = oneshot::channel();
        let read = Box::new(move |seen: Result<LiveView<'_>, LiveError>| {
            // The requester may be gone.
            let _ = reply.send(seen.map(read));
        });
        self.send(id, TableRequest::Read(read)).await?;
        answer.await.map_err(|_| LiveError::Busy)?
    }

    /// Returns the time since which the player on turn has been absent: no open socket or event
    /// stream, and no action.
    pub(crate) async fn absent_since(&self, id: TableId) -> Result<Option<Timestamp>, LiveError> {
        self.read_with_presence(id, |seen| seen.absent_since(seen.table.on_turn()?))
            .await
    }

    /// Subscribes to a table's events after version `after`. The person counts as present while the
    /// subscription is kept.
    pub(crate) async fn subscribe(
        &self,
        id: TableId,
        after: u64,
        who: Option<Requester>,
    ) -> Result<Subscription, LiveError> {
        let (reply, answer) = oneshot::channel();
        self.send(id, TableRequest::Subscribe { after, who, reply })
            .await?;
        answer.await.map_err(|_| LiveError::Busy)?
    }

    /// Applies due automatic events, such as a fallen flag. Returns when they are durable.
    async fn tick(&self, id: TableId) -> Result<(), LiveError> {
        let (reply, answer) = oneshot::channel();
        self.send(id, TableRequest::Tick(reply)).await?;
        answer.await.map_err(|_| LiveError::Busy)?
    }

    /// Returns true if the table has a task in this process.
    fn is_live(&self, id: TableId) -> bool {
        self.shared
            .tables()
            .get(&id)
            .is_some_and(|sender| !sender.is_closed())
    }

    /// Deletes a table, its events and its task.
    pub(crate) async fn delete(&self, id: TableId) -> Result<(), LiveError> {
        let (reply, answer) = oneshot::channel();
        self.send(id, TableRequest::Delete(reply)).await?;
        answer.await.map_err(|_| LiveError::Busy)?
    }

    async fn send(&self, id: TableId, mut request: TableRequest) -> Result<(), LiveError> {
        for _ in 0..TRIES {
            match self.sender(id).send(request).await {
                Ok(()) => return Ok(()),
                Err(mpsc::error::SendError(back)) => request = back,
            }
        }
        Err(LiveError::Busy)
    }

    /// Returns the sender to a table's task, starting the task if needed.
    fn sender(&self, id: TableId) -> mpsc::Sender<TableRequest> {
        let mut tables = self.shared.tables();
        if let Some(sender) = tables.get(&id).filter(|sender| !sender.is_closed()) {
            return sender.clone();
        }
        let (sender, mailbox) = mpsc::channel(MAILBOX);
        tables.insert(id, sender.clone());
        let (shared, me) = (self.shared.clone(), sender.downgrade());
        tokio::spawn(actor::load_and_run(id, shared, me, mailbox));
        sender
    }
}

impl LiveContext {
    fn tables(&self) -> std::sync::MutexGuard<'_, HashMap<TableId, mpsc::Sender<TableRequest>>> {
        // No code that can panic runs while the lock is held.
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes a task from the registry, unless a newer task of the same table has taken its place.
    fn forget(&self, id: TableId, me: &mpsc::WeakSender<TableRequest>) {
        let mut tables = self.tables();
        let mine = |sender: &mpsc::Sender<TableRequest>| {
            me.upgrade().is_some_and(|me| me.same_channel(sender))
        };
        if tables.get(&id).is_some_and(mine) {
            tables.remove(&id);
        }
    }
}
