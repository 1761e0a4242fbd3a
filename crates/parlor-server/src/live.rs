//! Live tables: one task for each, and the way to them.
//!
//! A table that somebody asks for is loaded from the store into a task of its own, which is the only one to change it.
//! When nobody has asked for a while and nobody watches, the task ends and the table is only in the store again.

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
    ClockView, Command, Ending, Refused, Status, Table, TableId, TableView, Timestamp,
};
use tokio::sync::{Semaphore, mpsc, oneshot};

use self::actor::Request;
use self::bots::Thinkers;
use self::presence::Presence;
use crate::auth::Who;
use crate::config::Bots;
use crate::hub::Hub;

pub(crate) use self::actor::fresh_secret;
pub(crate) use self::feed::{Audience, Frame, Spectator, Subscription};
pub(crate) use self::presence::Present;
pub(crate) use self::stored::{id, key, load, new_table, now};
pub(crate) use self::sweeper::sweep;

/// Requests that may wait for one table; more callers wait for a place.
const MAILBOX: usize = 64;
/// How often a request is sent again because the task ended just then.
const TRIES: u32 = 8;

/// Why something was not done at a table. Nothing changed, unless the store is in doubt.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum LiveError {
    #[error("there is no such table")]
    NotFound,
    #[error(transparent)]
    Refused(#[from] Refused),
    #[error("another node was faster: the table is at version {current}")]
    Conflict { current: u64 },
    #[error(transparent)]
    Store(StoreError),
    #[error("the table's task did not answer")]
    Busy,
    #[error("table {0} is stored wrongly: {1}")]
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

/// What became of a command.
#[derive(Debug)]
pub(crate) struct Done {
    /// Number of the last event now.
    pub(crate) version: u64,
    /// How far the game has come.
    pub(crate) status: Status,
    /// What happens next.
    pub(crate) turn: TurnView,
    /// How the game ended.
    pub(crate) ending: Option<Ending>,
    /// The table of the rematch.
    pub(crate) next: Option<TableId>,
    /// The clocks.
    pub(crate) clock: Option<ClockView>,
    /// The time of it.
    pub(crate) now: Timestamp,
    /// The whole table, if it was asked for.
    pub(crate) view: Option<Box<TableView>>,
}

/// A table and who is there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    /// The table.
    pub(crate) table: &'a Table,
    presence: &'a Presence,
}

impl Seen<'_> {
    /// Since when the person in a seat is away; `None` for who is there, and for seats without a person.
    pub(crate) fn absent_since(&self, seat: Seat) -> Option<Timestamp> {
        self.presence.absent_since(self.table, seat)
    }
}

/// All live tables.
#[derive(Clone)]
pub(crate) struct Live {
    shared: Arc<Shared>,
}

/// What the tables' tasks share.
struct Shared {
    tables: Mutex<HashMap<TableId, mpsc::Sender<Request>>>,
    store: Store,
    thinkers: Thinkers,
    idle: Duration,
    hub: Hub,
}

impl Live {
    /// No table is live yet.
    pub(crate) fn new(store: Store, bots: &Bots, idle: Duration, hub: Hub) -> Live {
        let thinkers = Thinkers::new(bots);
        Live {
            shared: Arc::new(Shared {
                tables: Mutex::default(),
                store,
                thinkers,
                idle,
                hub,
            }),
        }
    }

    /// Puts a table that was just stored into a task of its own.
    pub(crate) fn adopt(&self, table: Table) {
        let id = table.id();
        let (sender, mailbox) = mpsc::channel(MAILBOX);
        self.shared.tables().insert(id, sender.clone());
        let (shared, me) = (self.shared.clone(), sender.downgrade());
        tokio::spawn(async move { actor::Actor::new(table, shared, me).run(mailbox).await });
    }

    /// What whoever thinks takes first, so that only so many think at once.
    pub(crate) fn turns(&self) -> Arc<Semaphore> {
        self.shared.thinkers.turns()
    }

    /// Loads a table if it is not live, so that its bot goes on thinking.
    pub(crate) fn wake(&self, id: TableId) {
        let _ = self.sender(id);
    }

    /// Does what is asked at a table. The answer comes when the events are durable.
    pub(crate) async fn act(
        &self,
        id: TableId,
        who: Who,
        command: Command,
        view: bool,
    ) -> Result<Done, LiveError> {
        let (reply, answer) = oneshot::channel();
        self.send(
            id,
            Request::Act(Box::new(actor::Act {
                who,
                command,
                view,
                reply,
            })),
        )
        .await?;
        answer.await.map_err(|_| LiveError::Busy)?
    }

    /// Looks at a table.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        id: TableId,
        look: impl FnOnce(&Table) -> T + Send + 'static,
    ) -> Result<T, LiveError> {
        self.see(id, |seen| look(seen.table)).await
    }

    /// Looks at a table and at who is there.
    pub(crate) async fn see<T: Send + 'static>(
        &self,
        id: TableId,
        look: impl FnOnce(Seen<'_>) -> T + Send + 'static,
    ) -> Result<T, LiveError> {
        let (reply, answer) = oneshot::channel();
        let look = Box::new(move |seen: Result<Seen<'_>, LiveError>| {
            // Whoever asked may have gone away.
            let _ = reply.send(seen.map(look));
        });
        self.send(id, Request::Read(look)).await?;
        answer.await.map_err(|_| LiveError::Busy)?
    }

    /// Since when the person on turn at a table is away: neither had a socket or a stream of events open nor did anything.
    pub(crate) async fn absent_since(&self, id: TableId) -> Result<Option<Timestamp>, LiveError> {
        self.see(id, |seen| seen.absent_since(seen.table.on_turn()?))
            .await
    }

    /// All events of a table after version `after`, and those to come, for somebody who is there as long as the
    /// subscription is kept.
    pub(crate) async fn subscribe(
        &self,
        id: TableId,
        after: u64,
        who: Option<Who>,
    ) -> Result<Subscription, LiveError> {
        let (reply, answer) = oneshot::channel();
        self.send(id, Request::Subscribe { after, who, reply })
            .await?;
        answer.await.map_err(|_| LiveError::Busy)?
    }

    /// Lets happen what time brings to a table by itself. The answer comes when it is durable.
    async fn tick(&self, id: TableId) -> Result<(), LiveError> {
        let (reply, answer) = oneshot::channel();
        self.send(id, Request::Tick(reply)).await?;
        answer.await.map_err(|_| LiveError::Busy)?
    }

    /// Whether a table has a task here.
    fn is_live(&self, id: TableId) -> bool {
        self.shared
            .tables()
            .get(&id)
            .is_some_and(|sender| !sender.is_closed())
    }

    /// Removes a table, its events and its task.
    pub(crate) async fn delete(&self, id: TableId) -> Result<(), LiveError> {
        let (reply, answer) = oneshot::channel();
        self.send(id, Request::Delete(reply)).await?;
        answer.await.map_err(|_| LiveError::Busy)?
    }

    async fn send(&self, id: TableId, mut request: Request) -> Result<(), LiveError> {
        for _ in 0..TRIES {
            match self.sender(id).send(request).await {
                Ok(()) => return Ok(()),
                Err(mpsc::error::SendError(back)) => request = back,
            }
        }
        Err(LiveError::Busy)
    }

    /// The way to a table's task, which is started when there is none.
    fn sender(&self, id: TableId) -> mpsc::Sender<Request> {
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

impl Shared {
    fn tables(&self) -> std::sync::MutexGuard<'_, HashMap<TableId, mpsc::Sender<Request>>> {
        // Nothing that can panic is done while the lock is held.
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a table's own task out of the list; a newer task of the same table stays.
    fn forget(&self, id: TableId, me: &mpsc::WeakSender<Request>) {
        let mut tables = self.tables();
        let mine =
            |sender: &mpsc::Sender<Request>| me.upgrade().is_some_and(|me| me.same_channel(sender));
        if tables.get(&id).is_some_and(mine) {
            tables.remove(&id);
        }
    }
}
