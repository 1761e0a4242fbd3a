//! Live tables: one task for each, and handles to send requests to them.
//!
//! A requested table is loaded from the store into its own task, the only one of this process to
//! change it. After a while without requests the task ends, and the table is in the store only. Its
//! watchers stay: their feed is kept outside the task.

mod actor;
mod bots;
mod feed;
mod idle_bots;
mod settlement;
mod stored;
mod sweeper;
mod talk;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use parlor_core::Seat;
use parlor_store::{Store, StoreError};
use parlor_table::{
    ClockView, Command, Ending, LogEntry, Refusal, SeatKey, Table, TableId, TableStatus, TableTurn,
    TableView, Timestamp,
};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::{Instant, timeout};

use self::actor::{Actor, Bill, TableRequest};
use self::bots::BotPool;
use self::feed::{Feed, Feeds, PastEvents};
use self::stored::BadStoredTable;
use crate::auth::Requester;
use crate::config::Config;
use crate::hub::Hub;
use crate::nodes::Nodes;
use crate::people::{People, Presence};
use crate::sources::Sources;
use crate::thinking::{Payer, Place, Thinking};

pub(crate) use self::feed::{Audience, EventFrame, NoFrame, Spectator, Subscription, Watcher};
pub(crate) use self::stored::{load, new_table, table_id, table_key};
pub(crate) use self::sweeper::sweep;
pub(crate) use self::talk::TalkChannel;

/// Maximum number of requests queued for one table; further senders wait.
const MAILBOX: usize = 64;
/// Number of attempts to send a request, in case the task has just ended.
const TRIES: u32 = 8;
/// Time within which a table's task answers a request. One that waits longer, behind others that
/// wait for the database, would hold up whoever sent it.
const PATIENCE: Duration = Duration::from_secs(5);

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
    #[error("the table's task did not answer a question in time")]
    Late,
    #[error("this server's clock differs from the database's")]
    WrongClock,
    #[error("another node, of an earlier release, could not read what would be stored")]
    EarlierNodes,
    #[error("table {0} has a corrupt log: {1}")]
    BadLog(TableId, BadStoredTable),
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
    /// Seat on turn, luck, or the outcome.
    pub(crate) turn: TableTurn,
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
    /// The current time.
    pub(crate) now: Timestamp,
    presence: Presence<'a>,
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

/// A table's task in the registry.
#[derive(Clone)]
struct LiveTable {
    sender: mpsc::Sender<TableRequest>,
    /// True once the table is known to be visible to everybody.
    is_public: Arc<AtomicBool>,
    /// Latest version heard of, from other nodes or the database.
    heard: Arc<AtomicU64>,
}

impl LiveTable {
    fn new(sender: mpsc::Sender<TableRequest>) -> LiveTable {
        LiveTable {
            sender,
            is_public: Arc::default(),
            heard: Arc::default(),
        }
    }

    fn learn(&self, table: &Table) {
        self.is_public.store(!table.is_private(), Ordering::Relaxed);
    }
}

/// Number of past events that a watcher gets at once, so that whoever missed a few waits for nobody.
const FIRST_PAGE: usize = 32;
/// Number of further past events that are read at once: long games have thousands.
const PAGE: usize = 256;

/// State shared by the tables' tasks.
struct LiveContext {
    tables: Mutex<HashMap<TableId, LiveTable>>,
    store: Store,
    thinkers: BotPool,
    idle: Duration,
    hub: Hub,
    feeds: Feeds,
    nodes: Nodes,
    people: People,
    sources: Sources,
    /// Taken while a further page of past events is read.
    page_turn: Semaphore,
}

impl LiveTables {
    /// Creates the registry without any live table.
    pub(crate) fn new(config: &Config, hub: Hub, nodes: Nodes, people: People) -> LiveTables {
        let thinkers = BotPool::new(&config.bots, config.sources.clone(), people.clone());
        LiveTables {
            shared: Arc::new(LiveContext {
                tables: Mutex::default(),
                store: config.store.clone(),
                thinkers,
                idle: config.limits.idle,
                hub,
                feeds: Feeds::default(),
                nodes,
                people,
                sources: config.sources.clone(),
                page_turn: Semaphore::new(1),
            }),
        }
    }

    /// Starts a task for a table that was just stored. `payer` pays for its bots; `bots_alone` is
    /// its place if only bots play there.
    pub(crate) fn adopt(&self, table: Table, payer: Payer, bots_alone: Option<Place>) {
        let bill = Bill { payer, bots_alone };
        let id = table.id();
        let (sender, mailbox) = mpsc::channel(MAILBOX);
        let live = LiveTable::new(sender.clone());
        live.learn(&table);
        let heard = live.heard.clone();
        self.shared.tables().insert(id, live);
        self.shared.nodes.tell(&table, table.log());
        let (shared, me) = (self.shared.clone(), sender.downgrade());
        tokio::spawn(async move {
            Actor::new(table, shared, me, heard, bill)
                .created_here()
                .run(mailbox)
                .await
        });
    }

    /// Returns the permits to compute.
    pub(crate) fn thinking(&self) -> &Thinking {
        &self.shared.thinkers.thinking
    }

    /// Loads a table that this node has just stored, so that its bot begins. `payer` pays for its
    /// bots.
    pub(crate) fn wake(&self, id: TableId, payer: Payer) {
        let _ = self.sender(id, Some(payer));
    }

    /// Reads a table from the store without making it live; `None` if there is none with this key.
    pub(crate) async fn stored(&self, key: i64) -> Result<Option<Table>, LiveError> {
        match table_id(key) {
            Some(id) => load(&self.shared.store, id).await,
            None => Ok(None),
        }
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
        let request = TableRequest::Apply(Box::new(actor::CommandRequest {
            asked: Instant::now(),
            who,
            command,
            view,
            reply,
        }));
        self.ask(id, request, answer, LiveError::Busy).await
    }

    /// Reads from a table.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        id: TableId,
        read: impl FnOnce(&Table) -> T + Send + 'static,
    ) -> Result<T, LiveError> {
        self.read_view(id, false, |seen| read(seen.table)).await
    }

    /// Reads from a table, which is not loaded for it.
    pub(crate) async fn peek<T: Send + 'static>(
        &self,
        id: TableId,
        read: impl FnOnce(&Table) -> T + Send + 'static,
    ) -> Result<T, LiveError> {
        if self.is_live(id) {
            return self.read(id, read).await;
        }
        let table = load(&self.shared.store, id).await?;
        table.as_ref().map(read).ok_or(LiveError::NotFound)
    }

    /// Reads from a table and the presence of its players.
    pub(crate) async fn read_with_presence<T: Send + 'static>(
        &self,
        id: TableId,
        read: impl FnOnce(LiveView<'_>) -> T + Send + 'static,
    ) -> Result<T, LiveError> {
        self.read_view(id, true, read).await
    }

    async fn read_view<T: Send + 'static>(
        &self,
        id: TableId,
        with_presence: bool,
        read: impl FnOnce(LiveView<'_>) -> T + Send + 'static,
    ) -> Result<T, LiveError> {
        let (reply, answer) = oneshot::channel();
        let read = Box::new(move |seen: Result<LiveView<'_>, LiveError>| {
            // The requester may be gone.
            let _ = reply.send(seen.map(read));
        });
        let request = TableRequest::Read {
            read,
            with_presence,
        };
        self.ask(id, request, answer, LiveError::Late).await
    }

    /// Makes sure that nothing is missing from a table in memory that was stored before this call.
    /// Does nothing where no other node can change it.
    pub(crate) async fn confirm(&self, id: TableId) -> Result<(), LiveError> {
        if self.shared.nodes.last_asked().is_none() {
            return Ok(());
        }
        let (reply, answer) = oneshot::channel();
        let asked = Instant::now();
        let request = TableRequest::Confirm { asked, reply };
        self.ask(id, request, answer, LiveError::Late).await
    }

    /// Subscribes to a table's events after version `after`. The person counts as present while the
    /// subscription is kept. The table is not loaded for it.
    pub(crate) async fn subscribe(
        &self,
        id: TableId,
        after: u64,
        who: Option<Requester>,
    ) -> Result<Subscription, LiveError> {
        self.subscribe_to_page(id, after, who, FIRST_PAGE).await
    }

    /// Subscribes again, after the last of the past events of a subscription that had not all of them.
    ///
    /// One page is read after another, whoever they are for: readers of long logs wait for each other,
    /// and leave the other threads and the connections to the database to the games.
    pub(crate) async fn subscribe_further(
        &self,
        id: TableId,
        after: u64,
    ) -> Result<Subscription, LiveError> {
        // The semaphore is never closed.
        let _turn = self.shared.page_turn.acquire().await.ok();
        self.subscribe_to_page(id, after, None, PAGE).await
    }

    async fn subscribe_to_page(
        &self,
        id: TableId,
        after: u64,
        who: Option<Requester>,
        page: usize,
    ) -> Result<Subscription, LiveError> {
        let feed = self.shared.feed(id);
        let live = feed.watch();
        let mut past = self.past(id, after, page).await?;
        while past.is_whole && !feed.begin(past.version) {
            let told = feed.latest();
            let later = self.past(id, past.version.max(after), page).await?;
            if later.is_whole && Some(later.version) < told {
                self.shared.feeds.rewind(id);
                return Err(LiveError::Busy);
            }
            past.extend(later);
        }
        Ok(Subscription {
            past: past.frames,
            live: past.is_whole.then_some(live),
            audience: feed.audience(),
            present: who.map(|who| self.shared.people.enter(&who)),
        })
    }

    /// Returns a page of a table's events after a version, from its task or the store.
    async fn past(&self, id: TableId, after: u64, page: usize) -> Result<PastEvents, LiveError> {
        if !self.is_live(id) {
            return stored::past(&self.shared.store, id, after, page).await;
        }
        let (reply, answer) = oneshot::channel();
        let request = TableRequest::Events { after, page, reply };
        let (entries, version) = self.ask(id, request, answer, LiveError::Late).await?;
        let last = entries.last().map_or(version, |last| last.version);
        // They are serialized here, so that the table's task goes on with its moves.
        Ok(PastEvents {
            frames: entries.iter().map(EventFrame::from_entry).collect(),
            version: last,
            is_whole: last >= version,
        })
    }

    /// Applies due automatic events, such as a fallen flag. Returns when they are durable.
    async fn tick(&self, id: TableId) -> Result<(), LiveError> {
        let (reply, answer) = oneshot::channel();
        let request = TableRequest::Tick(reply);
        self.ask(id, request, answer, LiveError::Busy).await
    }

    /// Returns true if the table has a task in this process.
    fn is_live(&self, id: TableId) -> bool {
        self.shared
            .tables()
            .get(&id)
            .is_some_and(|live| !live.sender.is_closed())
    }

    /// Returns true if somebody with one of these keys may see a table. `keys` is not called if
    /// everybody may.
    pub(crate) async fn is_visible_to(
        &self,
        id: TableId,
        keys: impl AsyncFnOnce() -> Vec<SeatKey>,
    ) -> Result<bool, LiveError> {
        let known = |live: &LiveTable| live.is_public.load(Ordering::Relaxed);
        if self.shared.tables().get(&id).is_some_and(known) {
            return Ok(true);
        }
        // Private tables are not listed, and a listed one need not be loaded to be seen.
        if !self.is_live(id) {
            let row = self.shared.store.row(table_key(id)).await?;
            if row.ok_or(LiveError::NotFound)?.listed {
                return Ok(true);
            }
        }
        let keys = keys().await;
        self.peek(id, move |table| table.is_visible_to(&keys)).await
    }

    /// Returns the tables that are in memory or watched here.
    pub(crate) fn followed(&self) -> Vec<TableId> {
        let watched = self.shared.feeds.watched();
        let mut ids: Vec<TableId> = watched.iter().map(|feed| feed.id()).collect();
        ids.extend(self.shared.tables().keys().copied());
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Returns the tables that have spectators here, and how many.
    pub(crate) fn audiences(&self) -> Vec<(TableId, u32)> {
        let watched = self.shared.feeds.watched();
        let counts = watched
            .iter()
            .map(|feed| (feed.id(), feed.audience().here()));
        counts.filter(|(_, count)| *count > 0).collect()
    }

    /// Learns the number of spectators that a table has on another node.
    pub(crate) fn hear_audience(&self, id: TableId, node: u64, count: u32) {
        if let Some(feed) = self.shared.feeds.get(id) {
            feed.audience().hear(node, count);
        }
    }

    /// Learns the stored versions of tables, of which those that were not found were deleted.
    pub(crate) fn learn_versions(&self, asked: &[TableId], found: &[(i64, u64)]) {
        let found: HashMap<i64, u64> = found.iter().copied().collect();
        for &id in asked {
            match found.get(&table_key(id)) {
                Some(&version) => {
                    self.doubt(id, version);
                    // No event is known to be new, but what is missing will be noticed.
                    self.hear(id, u64::MAX, version, Vec::new(), false);
                }
                None => self.hear_deleted(id),
            }
        }
    }

    /// Lets a table be compared with the stored one, if more is known of it here than was stored when
    /// the database was asked: either it has just moved on, or the database has lost events.
    fn doubt(&self, id: TableId, stored: u64) {
        let live = self.shared.tables().get(&id).cloned();
        if let Some(live) = live.filter(|live| !live.sender.is_closed()) {
            if live.heard.load(Ordering::Acquire) > stored {
                let (first, entries) = (u64::MAX, Vec::new());
                // A full mailbox has requests that are refused or confirmed by the database.
                let _ = live
                    .sender
                    .try_send(TableRequest::Follow { first, entries });
            }
        } else if let Some(feed) = self.shared.feeds.get(id)
            && feed.latest() > Some(stored)
        {
            tokio::spawn(check(self.shared.clone(), feed));
        }
    }

    /// Learns that another node has brought a table to a version, by events of which the first has
    /// the number `first`. If `is_listening`, somebody here wants to know what it means.
    pub(crate) fn hear(
        &self,
        id: TableId,
        first: u64,
        version: u64,
        entries: Vec<LogEntry>,
        is_listening: bool,
    ) {
        let live = self.shared.tables().get(&id).cloned();
        if let Some(live) = live.filter(|live| !live.sender.is_closed()) {
            if live.heard.fetch_max(version, Ordering::AcqRel) < version {
                // A full mailbox has requests that will notice the version.
                let _ = live
                    .sender
                    .try_send(TableRequest::Follow { first, entries });
            }
            return;
        }
        if let Some(feed) = self.shared.feeds.get(id).filter(|feed| feed.is_watched()) {
            let frames = entries.iter().map(EventFrame::from_entry);
            let is_behind = feed.latest().is_some_and(|latest| latest < version);
            if is_behind && !(feed.publish(frames) && feed.latest() >= Some(version)) {
                tokio::spawn(catch_up(self.shared.store.clone(), feed));
            }
        }
        if is_listening {
            let live = self.clone();
            let request = TableRequest::Follow { first, entries };
            tokio::spawn(async move { live.send(id, request).await });
        }
    }

    /// Learns that a table was deleted elsewhere.
    pub(crate) fn hear_deleted(&self, id: TableId) {
        let live = self.shared.tables().get(&id).cloned();
        match live {
            // The task finds out that the table is gone.
            Some(live) => drop(live.sender.try_send(TableRequest::Follow {
                first: u64::MAX,
                entries: Vec::new(),
            })),
            None => self.shared.feeds.close(id),
        }
    }

    /// Lets the tables in memory look for an outage, whose time they give back, and for bots that nobody
    /// asks any more, after one of these was just learned of.
    pub(crate) fn look_again(&self) {
        for live in self.shared.tables().values() {
            // A full mailbox has requests before which it is done, too.
            let _ = live.sender.try_send(TableRequest::LookAgain);
        }
    }

    /// Lets the finished games in memory read the names again of those who have played, after an account
    /// may have been closed.
    pub(crate) fn read_names(&self, user: i64) {
        for live in self.shared.tables().values() {
            // A table with a full mailbox goes on under the old name until nobody looks at it.
            let _ = live.sender.try_send(TableRequest::Renamed(user));
        }
    }

    /// Deletes a table, its events and its task.
    pub(crate) async fn delete(&self, id: TableId) -> Result<(), LiveError> {
        let (reply, answer) = oneshot::channel();
        let request = TableRequest::Delete(reply);
        self.ask(id, request, answer, LiveError::Busy).await
    }

    /// Sends a request and waits for its answer. Returns `late` if none came in time.
    async fn ask<T>(
        &self,
        id: TableId,
        request: TableRequest,
        answer: oneshot::Receiver<Result<T, LiveError>>,
        late: LiveError,
    ) -> Result<T, LiveError> {
        let answered = async {
            self.send(id, request).await?;
            answer.await.map_err(|_| LiveError::Busy)?
        };
        timeout(PATIENCE, answered).await.unwrap_or(Err(late))
    }

    async fn send(&self, id: TableId, mut request: TableRequest) -> Result<(), LiveError> {
        for _ in 0..TRIES {
            match self.sender(id, None).send(request).await {
                Ok(()) => return Ok(()),
                Err(mpsc::error::SendError(back)) => request = back,
            }
        }
        Err(LiveError::Busy)
    }

    /// Returns the sender to a table's task, starting the task if needed.
    fn sender(&self, id: TableId, payer: Option<Payer>) -> mpsc::Sender<TableRequest> {
        let mut tables = self.shared.tables();
        if let Some(live) = tables.get(&id).filter(|live| !live.sender.is_closed()) {
            return live.sender.clone();
        }
        let (sender, mailbox) = mpsc::channel(MAILBOX);
        let live = LiveTable::new(sender.clone());
        let heard = live.heard.clone();
        tables.insert(id, live);
        let (shared, me) = (self.shared.clone(), sender.downgrade());
        tokio::spawn(actor::load_and_run(id, shared, me, heard, mailbox, payer));
        sender
    }
}

/// Counts and logs a table that was just stored.
pub(crate) fn report_created(table: &Table) {
    metrics::counter!("parlor_tables_created_total").increment(1);
    tracing::info!(table = %table.id(), game = %table.kind().name(), "a table was created");
}

/// Ends the streams of watchers who got events that the database has lost.
async fn check(shared: Arc<LiveContext>, feed: Arc<Feed>) {
    let told = feed.latest();
    let stored = shared.store.versions(&[table_key(feed.id())]).await;
    let is_behind = |found: &Vec<(i64, u64)>| {
        let found = found.first().map(|(_, version)| *version);
        found.is_some() && found < told
    };
    if stored.is_ok_and(|found| is_behind(&found)) {
        shared.feeds.rewind(feed.id());
    }
}

/// Reads what the watchers of a table that is not in memory lack, and sends it to them.
async fn catch_up(store: Store, feed: Arc<Feed>) {
    loop {
        let after = feed.latest().unwrap_or_default();
        match stored::past(&store, feed.id(), after, PAGE).await {
            Ok(past) => {
                if !feed.publish(past.frames) || past.is_whole {
                    return;
                }
            }
            Err(error) => {
                tracing::warn!(table = %feed.id(), %error, "could not follow another node");
                return;
            }
        }
    }
}

impl LiveContext {
    /// Returns the feed of a table.
    fn feed(&self, id: TableId) -> Arc<Feed> {
        let follow = || self.nodes.follow_table(id);
        self.feeds.open(id, follow)
    }

    fn tables(&self) -> std::sync::MutexGuard<'_, HashMap<TableId, LiveTable>> {
        // No code that can panic runs while the lock is held.
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes in the registry who may see a table that was just loaded.
    fn learn(&self, table: &Table) {
        if let Some(live) = self.tables().get(&table.id()) {
            live.learn(table);
        }
    }

    /// Removes a task from the registry, unless a newer task of the same table has taken its place.
    fn forget(&self, id: TableId, me: &mpsc::WeakSender<TableRequest>) {
        let mut tables = self.tables();
        let mine = |live: &LiveTable| me.upgrade().is_some_and(|me| me.same_channel(&live.sender));
        if tables.get(&id).is_some_and(mine) {
            tables.remove(&id);
        }
    }
}
