//! Several servers, or nodes, on one database: what they tell each other, and how each learns what
//! it was not told.
//!
//! The database is the truth. A hint on the bus makes news of another node arrive at once; a lost
//! one costs at most two seconds, because each node asks the database so often which of the tables
//! that it has in memory or shows to watchers have moved on. With SQLite there is one node, which
//! asks nothing.

mod admin;
mod bus;
mod hint;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use parlor_store::{Store, StoreError};
use parlor_table::{LogEntry, SeatKey, Table, TableId, UserId};
use tokio::time::{Instant, MissedTickBehavior, interval};

use self::admin::AuditReader;
use self::bus::{Bus, Topic};
use self::hint::{Hint, News};
use crate::auth::Revocation;
use crate::downtime::Downtime;
use crate::{AppState, hub, live, people};

pub(crate) use self::bus::{Followed, Incoming};

/// Interval at which the database is asked. The answer must be there before a state counts as old.
const ASK_EVERY: Duration = Duration::from_millis(1_500);
/// Interval at which the audit log is read, and ended credentials are asked for.
const READ_EVERY: Duration = Duration::from_secs(1);
/// Age of changes that were not heard of, though somebody listens here, in milliseconds.
const LATELY_MS: i64 = 10_000;
/// Number of a table's last events that are told if it is not known which were.
const FEW: u64 = 8;
/// Time without a beat on the bus after which it counts as interrupted.
const SILENCE: Duration = Duration::from_secs(5);

/// Time after which a stranger that was not heard again is forgotten.
const STRANGE: Duration = Duration::from_secs(60);

/// The bus cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
#[error("cannot use the bus {url}: {reason}")]
pub struct BusError {
    url: String,
    reason: String,
}

/// Handle to what this node knows of the others.
#[derive(Clone)]
pub(crate) struct Nodes(Arc<NodesState>);

struct NodesState {
    store: Store,
    /// Number of this node, chosen at random.
    node: u64,
    bus: Bus,
    /// Time of the last question that was answered; `None` if nobody else can change the database.
    asked: Mutex<Option<Instant>>,
    /// Time at which the bus brought this node's own beat back.
    heard: Mutex<Option<Instant>>,
    /// Time at which the bus last brought anything of another node; at first, that of the start.
    heard_others: Mutex<Instant>,
    stranger: Mutex<Option<Stranger>>,
    downtime: Downtime,
}

/// A sender of hints that does not serve this database.
struct Stranger {
    node: u64,
    /// Time at which it was first heard.
    since: Instant,
    /// True once the operator was told.
    is_told: bool,
}

/// Report on the other nodes, for operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodesReport {
    /// Name of the bus.
    pub(crate) bus: &'static str,
    /// True if hints arrive.
    pub(crate) is_connected: bool,
    /// True if there are other nodes, but none is heard: they use another bus.
    is_unheard: bool,
    /// Number of nodes, including this one.
    pub(crate) nodes: u64,
    /// Difference of the database's clock to this node's, in milliseconds.
    pub(crate) clock_offset: i64,
}

impl NodesReport {
    /// Describes the bus, as in `NATS, connected`.
    pub(crate) fn bus_text(&self) -> String {
        let state = match self.bus {
            "none" => "",
            _ if !self.is_connected => ", not connected",
            _ if self.is_unheard => ", connected, but no other node uses it",
            _ => ", connected",
        };
        format!("{}{state}", self.bus)
    }
}

impl Nodes {
    /// Checks the address of a bus, before other nodes know of this one.
    pub(crate) fn check_bus(url: &str, store: &Store) -> Result<(), BusError> {
        if store.is_shared() {
            return bus::check(url);
        }
        Err(BusError {
            url: url.to_owned(),
            reason: "SQLite is for one server; several need PostgreSQL or MySQL".to_owned(),
        })
    }

    /// Opens the bus at `url`, or without one that of the database, and returns the hints of others.
    /// `downtime` has the beats of the node with the number `node`.
    pub(crate) async fn open(
        url: Option<&str>,
        store: &Store,
        node: u64,
        downtime: Downtime,
    ) -> Result<(Nodes, Incoming), BusError> {
        let (bus, hints) = Bus::open(url, store).await?;
        Ok((Nodes::on(bus, store, node, downtime), hints))
    }

    /// Creates the handle of a node whose hints go to `outgoing`.
    #[cfg(test)]
    pub(crate) fn simulated(
        outgoing: tokio::sync::mpsc::Sender<String>,
        store: &Store,
        node: u64,
        downtime: Downtime,
    ) -> Nodes {
        Nodes::on(Bus::Postgres(outgoing), store, node, downtime)
    }

    fn on(bus: Bus, store: &Store, node: u64, downtime: Downtime) -> Nodes {
        let asked = store.is_shared().then(Instant::now);
        let state = NodesState {
            store: store.clone(),
            node,
            bus,
            asked: Mutex::new(asked),
            heard: Mutex::default(),
            heard_others: Mutex::new(Instant::now()),
            stranger: Mutex::default(),
            downtime,
        };
        Nodes(Arc::new(state))
    }

    /// Returns the time of the last answered question about what moved on; `None` if no other node
    /// can change anything.
    pub(crate) fn last_asked(&self) -> Option<Instant> {
        *self.0.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the other nodes about the last `entries` of a table, which must be durable.
    pub(crate) fn tell(&self, table: &Table, entries: &[LogEntry]) {
        if matches!(self.0.bus, Bus::None) || entries.is_empty() {
            return;
        }
        let people = hub::concerned_keys(table);
        let hint = self.hint(News::of_table(table, entries, &people));
        let topics = people.iter().map(person_topic);
        let topics = topics.chain([table_topic(table.id())]);
        self.0.bus.send_to_all(topics, &hint);
    }

    /// Tells the other nodes that a table was deleted.
    pub(crate) fn tell_deleted(&self, table: TableId) {
        let hint = self.hint(News::Deleted { table });
        self.0.bus.send(table_topic(table), hint);
    }

    /// Tells the other nodes that a table has messages up to a number.
    pub(crate) fn tell_talk(&self, table: TableId, n: i64) {
        let hint = self.hint(News::Talk { table, n });
        self.0.bus.send(table_topic(table), hint);
    }

    /// Tells the other nodes that sessions or tokens have ended.
    pub(crate) fn tell_revoked(&self, revoked: &Revocation) {
        let news = match revoked {
            Revocation::Token(token) => News::TokenRevoked { token: *token },
            Revocation::Session { user, .. }
            | Revocation::Sessions(user)
            | Revocation::User(user)
            | Revocation::Recheck(user) => News::Revoked { user: *user },
        };
        self.0.bus.send(everybody(), self.hint(news));
    }

    /// Tells the other nodes that somebody began or ceased to wait for an opponent, or is being paired.
    pub(crate) fn tell_queue(&self) {
        self.0.bus.send(everybody(), self.hint(News::Queue));
    }

    /// Returns true if this node's clock differs too much from that of the others, so that it must
    /// change nothing.
    pub(crate) fn is_clock_wrong(&self) -> bool {
        self.last_asked().is_some() && self.0.downtime.is_clock_wrong()
    }

    /// Returns the number of this node in the database.
    pub(crate) fn number(&self) -> i64 {
        self.0.node.cast_signed()
    }

    /// Asks for hints about a table until the returned guard is dropped.
    pub(crate) fn follow_table(&self, table: TableId) -> Followed {
        self.0.bus.follow(table_topic(table))
    }

    /// Asks for hints about a person's tables until the returned guard is dropped.
    pub(crate) fn follow_person(&self, key: &SeatKey) -> Followed {
        self.0.bus.follow(person_topic(key))
    }

    /// Returns what is known of the other nodes; `None` if there cannot be any.
    pub(crate) fn report(&self) -> Option<NodesReport> {
        self.last_asked()?;
        let heard = *self.0.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let others = *self.heard_others();
        let nodes = self.0.downtime.nodes();
        Some(NodesReport {
            bus: self.0.bus.name(),
            is_connected: self.0.bus.is_up()
                && heard.is_some_and(|heard| heard.elapsed() < SILENCE),
            is_unheard: nodes > 1 && others.elapsed() >= SILENCE,
            nodes,
            clock_offset: self.0.downtime.clock_offset(),
        })
    }

    fn heard_others(&self) -> MutexGuard<'_, Instant> {
        // No code that can panic runs while the lock is held.
        self.0
            .heard_others
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Warns of another house on the same bus. Its hints count for nothing here. A node that has just
    /// started is a stranger, too, until its first sign of life is read.
    fn meet_stranger(&self, node: u64) {
        let mut stranger = self.stranger();
        match &mut *stranger {
            Some(known) if known.node == node => {
                if !known.is_told && known.since.elapsed() >= SILENCE {
                    known.is_told = true;
                    tracing::warn!(
                        "another house uses this bus, too, and its hints are ignored: give each its own prefix"
                    );
                }
            }
            Some(known) if known.is_told || known.since.elapsed() < STRANGE => {}
            _ => {
                *stranger = Some(Stranger {
                    node,
                    since: Instant::now(),
                    is_told: false,
                });
            }
        }
    }

    /// Notes that a node is one of this house.
    fn greet(&self, node: u64) {
        let mut stranger = self.stranger();
        if stranger.as_ref().is_some_and(|known| known.node == node) {
            *stranger = None;
        }
    }

    fn stranger(&self) -> MutexGuard<'_, Option<Stranger>> {
        // No code that can panic runs while the lock is held.
        self.0
            .stranger
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn hint(&self, news: News) -> String {
        let node = self.0.node;
        Hint { node, news }.to_text()
    }

    /// Returns the beats of this node.
    pub(crate) fn downtime(&self) -> &Downtime {
        &self.0.downtime
    }

    /// Says goodbye to the others, unless this node's clock is wrong: then they think it gone.
    pub(crate) async fn leave(&self) {
        if self.is_clock_wrong() {
            return;
        }
        if let Err(error) = self.0.store.leave(self.number()).await {
            tracing::debug!(%error, "could not say goodbye to the database");
        }
    }
}

fn table_topic(table: TableId) -> Topic {
    Topic(format!("table.{}", table.number()))
}

fn person_topic(key: &SeatKey) -> Topic {
    Topic(format!("person.{}", key.fingerprint()))
}

fn everybody() -> Topic {
    Topic("house".to_owned())
}

/// Follows whoever else changes the database: other nodes, and admins on the command line. Ends when
/// the store is closed.
pub(crate) async fn run(state: AppState, hints: Incoming) {
    tokio::join!(
        follow_admins(&state),
        follow_nodes(&state, hints),
        tell_presence(&state)
    );
}

/// Does what the audit log asks for, and closes connections whose credentials others have ended.
async fn follow_admins(state: &AppState) {
    let mut rounds = interval(READ_EVERY);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut reader = None;
    loop {
        rounds.tick().await;
        let read = match &mut reader {
            None => AuditReader::new(state.store())
                .await
                .map(|new| reader = Some(new)),
            Some(reader) => reader.read(state).await,
        };
        let asked = match read {
            Ok(()) if state.nodes().last_asked().is_some() => {
                state.revocations().ask(state.store()).await
            }
            read => read,
        };
        match asked {
            Ok(()) => {}
            Err(StoreError::Closed) => return,
            Err(error) => tracing::debug!(%error, "could not ask what admins and others ended"),
        }
    }
}

/// Tells the other nodes who is there.
async fn tell_presence(state: &AppState) {
    let nodes = state.nodes();
    if nodes.last_asked().is_some() {
        let (people, store) = (state.people().clone(), state.store().clone());
        people::tell(people, store, nodes.number(), || nodes.is_clock_wrong()).await;
    }
}

/// Follows the other nodes: by their hints, and by asking the database.
async fn follow_nodes(state: &AppState, mut hints: Incoming) {
    let nodes = state.nodes().clone();
    if nodes.last_asked().is_none() {
        return;
    }
    let _house = nodes.0.bus.follow(everybody());
    let mut rounds = interval(ASK_EVERY);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let ask = async {
        let (mut is_silent, mut logged) = (false, HashMap::new());
        loop {
            rounds.tick().await;
            let asked = ask(state, &nodes, &mut logged).await;
            match &asked {
                Err(StoreError::Closed) => return,
                Err(error) if !is_silent => tracing::warn!(%error, "could not ask what moved on"),
                _ => {}
            }
            is_silent = asked.is_err();
        }
    };
    let hear = async {
        while let Some(text) = hints.recv().await {
            match serde_json::from_str::<Hint>(&text) {
                Ok(hint) => hear(state, &nodes, hint),
                Err(error) => tracing::debug!(%error, "a hint of another release, or of nobody"),
            }
        }
        // Without a bus no hint comes.
        std::future::pending().await
    };
    tokio::select! {
        () = ask => {}
        () = hear => {}
    }
}

/// Asks the database which of the tables that matter here have moved on: those in memory, those that
/// are watched, and those of members who listen here; which tables have new messages; and which logs of
/// these members. `logged` has how far the logs had come before.
async fn ask(
    state: &AppState,
    nodes: &Nodes,
    logged: &mut HashMap<i64, u64>,
) -> Result<(), StoreError> {
    let started = Instant::now();
    let tables = state.live().followed();
    let keys: Vec<i64> = tables.iter().copied().map(live::table_key).collect();
    let versions = state.store().versions(&keys).await?;
    state.live().learn_versions(&tables, &versions);
    *nodes.0.asked.lock().unwrap_or_else(PoisonError::into_inner) = Some(started);
    nodes.0.bus.send(everybody(), nodes.hint(News::Beat));
    for (table, count) in state.live().audiences() {
        let news = News::Audience { table, count };
        nodes.0.bus.send(table_topic(table), nodes.hint(news));
    }
    let heard: Vec<i64> = state
        .live()
        .heard_tables()
        .into_iter()
        .map(live::table_key)
        .collect();
    for (key, n) in state.store().talk_ends(&heard).await? {
        if let Some(id) = live::table_id(key) {
            state.live().hear_talk(id, n);
        }
    }
    let members = state.hub().members();
    let since = state.now().millis() - LATELY_MS;
    for (key, version) in state.store().changed_tables_of(&members, since).await? {
        let Some(id) = live::table_id(key) else {
            continue;
        };
        let published = state.hub().published(id);
        if published.is_none_or(|published| published < version) {
            let first = published.map_or(version.saturating_sub(FEW), |published| published + 1);
            state.live().hear(id, first, version, Vec::new(), true);
        }
    }
    let ends = state.store().last_notes(&members).await?;
    for &(user, last) in &ends {
        let is_new = logged.get(&user) != Some(&last);
        let user = UserId::new(user.unsigned_abs()).ok();
        if let Some(user) = user.filter(|_| is_new) {
            state.hub().tell_logged(user, last);
        }
    }
    *logged = ends.into_iter().collect();
    Ok(())
}

/// Handles a hint.
fn hear(state: &AppState, nodes: &Nodes, hint: Hint) {
    if hint.node == nodes.0.node {
        if hint.news == News::Beat {
            *nodes.0.heard.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
        return;
    }
    if !nodes.0.downtime.knows(hint.node) {
        return nodes.meet_stranger(hint.node);
    }
    nodes.greet(hint.node);
    *nodes.heard_others() = Instant::now();
    match hint.news {
        News::Moved {
            table,
            first,
            version,
            entries,
            people,
        } => {
            let is_listening = state.hub().is_listening(&people);
            state
                .live()
                .hear(table, first, version, entries, is_listening);
        }
        News::Deleted { table } => state.live().hear_deleted(table),
        News::Revoked { user } => {
            state.revocations().announce(Revocation::Recheck(user));
            state.live().read_names(user);
        }
        News::TokenRevoked { token } => state.revocations().announce(Revocation::Token(token)),
        News::Queue => state.queue().wake(),
        News::Audience { table, count } => {
            state.live().hear_audience(table, hint.node, count);
        }
        News::Talk { table, n } => state.live().hear_talk(table, n),
        News::Beat => {}
    }
}

impl fmt::Debug for Nodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nodes")
            .field("node", &self.0.node)
            .field("bus", &self.0.bus)
            .finish_non_exhaustive()
    }
}
