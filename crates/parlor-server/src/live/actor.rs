//! The task that owns one table and is its only writer.

mod following;
mod time;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use parlor_store::StoreError;
use parlor_table::{
    Command, Issuer, Lag, LogEntry, Refusal, SeatKey, Table, TableEvent, TableId, TableStatus,
    Timestamp, UserId,
};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

use self::following::Freshness;
use super::bots::{BotReply, TableBots};
use super::feed::Feed;
use super::{CommandResult, LiveContext, LiveError, LiveView, PATIENCE, stored};
use crate::auth::Requester;
use crate::hub;
use crate::people::{Elsewhere, Presence};
use crate::thinking::{Payer, Place};

/// Interval at which the database is asked who is there, to show it.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// Number of attempts to apply a command while other nodes change the table. A bot there may play a whole
/// turn within milliseconds.
const MAX_TRIES: u32 = 20;

/// Time after which somebody who polls is no longer there to be asked, in milliseconds.
const HERE_MS: i64 = 20_000;

/// Callback that reads a table, or receives the error if there is none.
type TableReader = Box<dyn FnOnce(Result<LiveView<'_>, LiveError>) + Send>;

/// Request to a table's task.
pub(super) enum TableRequest {
    Apply(Box<CommandRequest>),
    Read {
        read: TableReader,
        /// True if it matters who is there.
        with_presence: bool,
    },
    /// Reads a page of the events after a version, and the table's version.
    Events {
        after: u64,
        page: usize,
        reply: oneshot::Sender<Result<(Vec<LogEntry>, u64), LiveError>>,
    },
    /// Confirms the table: nothing that was stored before `asked` may be missing.
    Confirm {
        asked: Instant,
        reply: oneshot::Sender<Result<(), LiveError>>,
    },
    /// Folds in what another node stored, and notifies the listeners here of the events from
    /// version `first` on.
    Follow {
        first: u64,
        entries: Vec<LogEntry>,
    },
    /// Gives the side on turn the time back of an outage, and asks a bot that a node which is gone was
    /// to ask.
    LookAgain,
    /// Reads the names again of those who have played, if this account may be one of theirs and the
    /// game is over.
    Renamed(i64),
    Delete(oneshot::Sender<Result<(), LiveError>>),
    Tick(oneshot::Sender<Result<(), LiveError>>),
    BotReply(Box<BotReply>),
}

/// Command and the channel for its result.
pub(super) struct CommandRequest {
    pub(super) asked: Instant,
    pub(super) who: Requester,
    pub(super) command: Command,
    pub(super) view: bool,
    pub(super) reply: oneshot::Sender<Result<CommandResult, LiveError>>,
}

/// Loads a table and runs its task. If that fails, all queued requests get the error.
pub(super) async fn load_and_run(
    id: TableId,
    shared: Arc<LiveContext>,
    me: mpsc::WeakSender<TableRequest>,
    heard: Arc<AtomicU64>,
    mut mailbox: mpsc::Receiver<TableRequest>,
    payer: Option<Payer>,
) {
    let error = match stored::load(&shared.store, id).await {
        Ok(Some(table)) => {
            shared.learn(&table);
            let bill = Bill {
                payer: payer.unwrap_or_else(|| Payer::of_table(&table)),
                bots_alone: None,
            };
            let actor = Actor::new(table, shared, me, heard, bill);
            // A payer is named only by those who have just created the table.
            let actor = if payer.is_some() {
                actor.created_here()
            } else {
                actor
            };
            return actor.run(mailbox).await;
        }
        Ok(None) => {
            shared.feeds.close(id);
            LiveError::NotFound
        }
        Err(error) => error,
    };
    shared.forget(id, &me);
    mailbox.close();
    while let Some(request) = mailbox.recv().await {
        refuse(request, error.clone());
    }
}

fn refuse(request: TableRequest, error: LiveError) {
    // The requester may be gone.
    match request {
        TableRequest::Apply(act) => drop(act.reply.send(Err(error))),
        TableRequest::Read { read, .. } => read(Err(error)),
        TableRequest::Events { reply, .. } => drop(reply.send(Err(error))),
        TableRequest::Confirm { reply, .. }
        | TableRequest::Delete(reply)
        | TableRequest::Tick(reply) => drop(reply.send(Err(error))),
        TableRequest::Follow { .. }
        | TableRequest::LookAgain
        | TableRequest::Renamed(_)
        | TableRequest::BotReply(_) => {}
    }
}

/// Gauge of live tables, decremented also when a task panics.
struct LiveTableGauge;

impl LiveTableGauge {
    fn new() -> LiveTableGauge {
        metrics::gauge!("parlor_live_tables").increment(1);
        LiveTableGauge
    }
}

impl Drop for LiveTableGauge {
    fn drop(&mut self) {
        metrics::gauge!("parlor_live_tables").decrement(1);
    }
}

/// Payment for a table's bots.
pub(super) struct Bill {
    /// Client whose share of computing time they use: the last who did something at the table.
    pub(super) payer: Payer,
    /// Place of a table where only bots play.
    pub(super) bots_alone: Option<Place>,
}

/// State of a table's task.
pub(super) struct Actor {
    table: Table,
    shared: Arc<LiveContext>,
    me: mpsc::WeakSender<TableRequest>,
    feed: Arc<Feed>,
    bots: TableBots,
    bill: Bill,
    /// Version that this task wrote last; 0 if it wrote none.
    wrote: u64,
    /// Time from which bots think here, though another node wrote the last event.
    think_at: Option<Instant>,
    /// Knowledge of the stored table, which other nodes may change.
    freshness: Freshness,
    /// Players who are there on other nodes, and the time at which the database was asked.
    elsewhere: Elsewhere,
    seen_elsewhere: Option<Instant>,
    /// Number of outages whose time was given back, if any had passed on the clock.
    given_back: usize,
    /// Earliest time to retry automatic events after they could not be stored.
    retry: Instant,
    /// Error that ends the task, because its table no longer matches the stored one.
    lost: Option<LiveError>,
}

impl Actor {
    pub(super) fn new(
        table: Table,
        shared: Arc<LiveContext>,
        me: mpsc::WeakSender<TableRequest>,
        heard: Arc<AtomicU64>,
        bill: Bill,
    ) -> Actor {
        let feed = shared.feed(table.id());
        let freshness = Freshness::new(heard, table.version());
        Actor {
            table,
            shared,
            me,
            feed,
            bots: TableBots::default(),
            bill,
            wrote: 0,
            think_at: None,
            freshness,
            elsewhere: Elsewhere::default(),
            seen_elsewhere: None,
            given_back: 0,
            retry: Instant::now(),
            lost: None,
        }
    }

    /// Marks the table as written here, which its creation was.
    pub(super) fn created_here(mut self) -> Actor {
        self.wrote = self.table.version();
        self
    }

    /// Runs until the table is idle or lost.
    pub(super) async fn run(mut self, mut mailbox: mpsc::Receiver<TableRequest>) {
        let _gauge = LiveTableGauge::new();
        // Watchers may lack what was stored before the table was loaded.
        self.feed
            .publish_log(self.table.log(), self.table.version());
        self.announce_recent();
        let _ = self.give_time_back().await;
        self.ask().await;
        self.think();
        let idle = self.shared.idle;
        let mut busy = false;
        let timer = sleep_until(Instant::now() + idle);
        tokio::pin!(timer);
        while self.lost.is_none() {
            let due = self.due();
            tokio::select! {
                biased;
                request = mailbox.recv() => match request {
                    Some(TableRequest::Tick(reply)) => {
                        let _ = reply.send(self.tick_overdue().await);
                        if self.is_finished() && !busy {
                            break;
                        }
                    }
                    Some(request) => {
                        busy = true;
                        self.serve(request).await;
                        self.tick_if_due().await;
                    }
                    None => break,
                },
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                    let _ = self.tick().await;
                }
                () = sleep_until(self.think_at.unwrap_or_else(Instant::now)), if self.think_at.is_some() => {
                    self.ask().await;
                    self.think();
                }
                () = &mut timer => {
                    let soon = due.is_some_and(|due| due <= Instant::now() + idle);
                    if !(busy || soon || self.feed.is_watched() || self.bots.thinking()) {
                        break;
                    }
                    busy = false;
                    timer.as_mut().reset(Instant::now() + idle.max(Duration::from_millis(1)));
                }
            }
        }
        self.finish(mailbox).await;
    }

    /// Leaves the registry and answers the remaining requests.
    async fn finish(mut self, mut mailbox: mpsc::Receiver<TableRequest>) {
        self.shared.forget(self.table.id(), &self.me);
        if let Some(LiveError::NotFound) = self.lost {
            self.shared.feeds.close(self.table.id());
        }
        mailbox.close();
        while let Some(request) = mailbox.recv().await {
            match &self.lost {
                None => self.serve(request).await,
                Some(error) => refuse(request, error.clone()),
            }
        }
        // A search that ends later forgets its bot itself.
        self.shared.thinkers.idle.forget(self.table.id());
    }

    async fn serve(&mut self, request: TableRequest) {
        // The caller has been told that the outcome is unknown.
        if let TableRequest::Apply(act) = &request
            && act.asked.elapsed() > PATIENCE
        {
            return;
        }
        // Before the state is checked: a silent database lets this wait.
        if let TableRequest::Read {
            with_presence: true,
            ..
        } = &request
        {
            self.see_elsewhere().await;
        }
        if self.is_outdated(&request)
            && let Err(error) = self.catch_up().await
        {
            return refuse(request, error);
        }
        match request {
            TableRequest::Apply(act) => {
                let result = self.apply(&act.who, act.command).await;
                if result.is_ok() {
                    self.bill.payer = act.who.payer();
                }
                let view = act.view;
                // The requester may be gone.
                let _ = act.reply.send(result.map(|()| self.result(view)));
                self.ask().await;
                self.think();
            }
            TableRequest::Read { read, .. } => read(Ok(LiveView {
                table: &self.table,
                now: self.now(),
                presence: self.presence(),
            })),
            TableRequest::Events { after, page, reply } => {
                let seen = usize::try_from(after).unwrap_or(usize::MAX);
                let past = self.table.log().iter().skip(seen).take(page);
                let _ = reply.send(Ok((past.cloned().collect(), self.table.version())));
            }
            TableRequest::Confirm { asked, reply } => {
                let _ = reply.send(self.confirm_since(asked).await);
            }
            TableRequest::Follow { first, entries } => self.follow(first, entries).await,
            TableRequest::LookAgain => {
                let _ = self.give_time_back().await;
                self.think();
            }
            TableRequest::Renamed(user) => self.read_names(user).await,
            TableRequest::Tick(reply) => {
                let _ = reply.send(self.tick_overdue().await);
            }
            TableRequest::Delete(reply) => {
                let result = self
                    .shared
                    .store
                    .delete(stored::table_key(self.table.id()))
                    .await;
                let deleted = match result {
                    Ok(true) => Ok(()),
                    Ok(false) => Err(LiveError::NotFound),
                    Err(error) => Err(error.into()),
                };
                self.lost = Some(deleted.clone().err().unwrap_or(LiveError::NotFound));
                self.shared.nodes.tell_deleted(self.table.id());
                let _ = reply.send(deleted);
            }
            TableRequest::BotReply(reply) => self.play(*reply).await,
        }
    }

    fn now(&self) -> Timestamp {
        self.shared.sources.now()
    }

    /// Returns who of the players is there.
    fn presence(&self) -> Presence<'_> {
        Presence {
            people: &self.shared.people,
            elsewhere: &self.elsewhere,
        }
    }

    /// Returns the time since which the player on turn has been absent from all nodes.
    async fn absent_since(&mut self) -> Result<Option<Timestamp>, LiveError> {
        if self.shared.nodes.last_asked().is_some() {
            self.elsewhere = self.read_elsewhere().await?;
        }
        let presence = self.presence();
        let on_turn = self.table.on_turn();
        Ok(on_turn.and_then(|seat| presence.absent_since(&self.table, seat)))
    }

    /// Asks the database who is there, unless it was asked lately. What is known stays if it does
    /// not answer.
    async fn see_elsewhere(&mut self) {
        let is_fresh = self
            .seen_elsewhere
            .is_some_and(|at| at.elapsed() < LOOK_EVERY);
        if self.shared.nodes.last_asked().is_none() || is_fresh {
            return;
        }
        if let Ok(elsewhere) = self.read_elsewhere().await {
            self.elsewhere = elsewhere;
        }
        self.seen_elsewhere = Some(Instant::now());
    }

    async fn read_elsewhere(&self) -> Result<Elsewhere, StoreError> {
        let LiveContext {
            people,
            store,
            nodes,
            ..
        } = &*self.shared;
        Elsewhere::read(people, store, nodes.number(), &self.table).await
    }

    fn result(&self, view: bool) -> CommandResult {
        CommandResult {
            version: self.table.version(),
            status: self.table.status(),
            turn: self.table.turn(),
            ending: self.table.ending(),
            next: self.table.next(),
            clock: self.table.clock_view(),
            now: self.now(),
            view: view.then(|| Box::new(self.table.view())),
        }
    }

    /// Applies a person's command. If another node was faster, its events are folded in and the
    /// command is applied again; one that was refused because of an old state is, too.
    async fn apply(&mut self, who: &Requester, command: Command) -> Result<(), LiveError> {
        let (mut tries, began) = (0, Instant::now());
        loop {
            let by = who.at(&self.table);
            let applied = self.apply_once(&by, command.clone()).await;
            tries += 1;
            let again = match &applied {
                Err(LiveError::Conflict { .. }) => tries < MAX_TRIES,
                Err(LiveError::Refused(_)) if tries < MAX_TRIES => self.recheck(began).await?,
                _ => false,
            };
            if !again || self.lost.is_some() {
                return applied;
            }
        }
    }

    /// Applies a command and makes its events durable before anyone is notified.
    async fn apply_once(&mut self, by: &Issuer, command: Command) -> Result<(), LiveError> {
        if self.is_seated_already(by, &command) {
            return Ok(());
        }
        if !self.shared.nodes.downtime().reads(command.event_format()) {
            return Err(LiveError::EarlierNodes);
        }
        self.check_clock()?;
        self.give_time_back().await?;
        let now = self.now();
        let absent_since = match &command {
            Command::Claim(_) => self.absent_since().await?,
            _ => None,
        };
        match self
            .table
            .apply_with_absence(now, by, command, absent_since)
        {
            Ok(entries) => self.publish(entries).await,
            Err(late @ Refusal::TimeExceeded) => {
                // The game is lost on time, which is stored before anyone is notified.
                let end = self.table.apply(now, &Issuer::Driver, Command::Tick)?;
                match self.publish(end).await {
                    Ok(()) | Err(LiveError::Conflict { .. }) => Err(late.into()),
                    Err(error) => Err(error),
                }
            }
            Err(reason) => Err(reason.into()),
        }
    }

    /// Stores new events and notifies watchers.
    async fn publish(&mut self, entries: Vec<LogEntry>) -> Result<(), LiveError> {
        let Some(first) = entries.first() else {
            return Ok(());
        };
        let before = first.version - 1;
        let kept = self.keep(before, &entries).await;
        match &kept {
            Ok(()) => {
                metrics::counter!("parlor_events_total").increment(entries.len() as u64);
                self.freshness.confirm(self.table.version());
                self.wrote = self.table.version();
                self.announce(before);
                self.shared.nodes.tell(&self.table, &entries);
            }
            Err(_) => self.roll_back(before).await,
        }
        kept
    }

    /// Notifies all watchers and listeners here of the events after version `before`.
    fn announce(&self, before: u64) {
        let seen = usize::try_from(before).unwrap_or(usize::MAX);
        let new = self.table.log().get(seen..).unwrap_or_default();
        self.feed.publish_log(self.table.log(), before);
        self.shared.hub.publish(&self.table, new);
    }

    /// Returns true for a repeated request to join: one without a seat number, from a player who
    /// has a seat.
    fn is_seated_already(&self, by: &Issuer, command: &Command) -> bool {
        let seated = by
            .key()
            .is_some_and(|key| !self.table.seats_with_key(&key).is_empty());
        seated && matches!(command, Command::Join { seat: None, .. })
    }

    async fn keep(&mut self, before: u64, entries: &[LogEntry]) -> Result<(), LiveError> {
        let next = entries.iter().find_map(|entry| match entry.event {
            TableEvent::RematchAgreed { next } => Some(next),
            _ => None,
        });
        let invited = self.invited_to_tell(entries).await;
        let mut append = stored::append(&self.table, before, entries, invited);
        // The next table comes first, so that a link to it never dangles. Its players are told with the
        // link: another node may be faster with another table.
        let rematch = match next {
            Some(next) => {
                let (rematch, notes) = self.create_rematch(next).await?;
                append.notes.extend(notes);
                Some(rematch)
            }
            None => None,
        };
        let kept = self.shared.store.append(append).await;
        // If the outcome is unknown, the link may be stored: an unused table does less harm than a
        // link to none.
        let is_refused = !matches!(kept, Ok(()) | Err(StoreError::InDoubt(_)));
        match rematch {
            Some(rematch) if is_refused => {
                let key = stored::table_key(rematch.id());
                let _ = self.shared.store.delete(key).await;
            }
            Some(rematch) => self.announce_rematch(&rematch),
            None => {}
        }
        Ok(kept?)
    }

    /// Returns the invited member who has no seat, if the game ends with these entries.
    async fn invited_to_tell(&self, entries: &[LogEntry]) -> Option<UserId> {
        let ends = |entry: &LogEntry| matches!(entry.event, TableEvent::Ended { .. });
        let key = hub::invited_key(&self.table).filter(|_| entries.iter().any(ends))?;
        if !self.table.seats_with_key(&key).is_empty() {
            return None;
        }
        let named = self
            .shared
            .store
            .players(stored::table_key(self.table.id()));
        let users = named.await.ok()?.into_iter().map(|(user, _)| user);
        users
            .filter_map(|user| UserId::new(user.unsigned_abs()).ok())
            .find(|user| SeatKey::from_member(*user) == key)
    }

    /// Stores the table of a rematch. Returns it with the notes for its players, who are not told yet.
    async fn create_rematch(&self, next: TableId) -> Result<(Table, Vec<(i64, Value)>), LiveError> {
        let secret = self
            .table
            .kind()
            .has_luck()
            .then(|| self.shared.sources.secret());
        let table = self.table.rematch(self.now(), next, secret)?;
        let mut new = stored::new_table(&table);
        let notes = std::mem::take(&mut new.notes);
        self.shared.store.create(new).await?;
        Ok((table, notes))
    }

    /// Tells everybody of the table of a rematch.
    fn announce_rematch(&self, table: &Table) {
        super::report_created(table);
        self.shared.hub.publish(table, table.log());
        self.shared.nodes.tell(table, table.log());
        if table.bot_to_move().is_some() {
            let shared = self.shared.clone();
            super::LiveTables { shared }.wake(table.id(), self.bill.payer);
        }
    }

    /// Asks the players who are there and can move out of turn, before the player on turn goes on.
    async fn ask(&mut self) {
        let mut seats = self.table.to_ask();
        let is_read = self.shared.nodes.downtime().reads(Command::ASKING_SINCE);
        if seats.is_empty() || !is_read || self.lost.is_some() || self.left_to_writer().is_some() {
            return;
        }
        self.see_elsewhere().await;
        let presence = self.presence();
        let now = self.now().millis();
        seats.retain(|seat| {
            let since = presence.absent_since(&self.table, *seat);
            since.is_none_or(|since| now - since.millis() < HERE_MS)
        });
        if seats.is_empty() {
            return;
        }
        let asked = self.apply_once(&Issuer::Driver, Command::Ask { seats });
        if let Err(error) = asked.await {
            tracing::debug!(table = %self.table.id(), %error, "could not ask for moves out of turn");
        }
    }

    /// Starts a search for the bot on turn, or for bots that could move out of turn, unless one is
    /// running.
    fn think(&mut self) {
        self.think_at = None;
        if self.table.status() == TableStatus::Playing && self.lost.is_none() {
            if let Some(wait) = self.left_to_writer() {
                self.think_at = Some(Instant::now() + wait);
                return;
            }
            let (payer, thinkers) = (self.bill.payer, &self.shared.thinkers);
            self.bots.think(&self.table, payer, thinkers, &self.me);
        } else if self.table.status() != TableStatus::Open {
            self.bill.bots_alone = None;
            self.shared.thinkers.idle.forget(self.table.id());
        }
    }

    /// Plays a bot's move, unless the table has changed meanwhile. After a failed move the bot is
    /// asked again, and in the end a random move is played.
    async fn play(&mut self, reply: BotReply) {
        let (seat, version, out_of_turn) = (reply.seat, reply.version, reply.out_of_turn);
        let text = self.bots.finish(reply);
        if version == self.table.version() {
            let played = match text {
                Some(text) => {
                    let command = Command::Move {
                        text,
                        id: None,
                        version: Some(version),
                        lag: Lag::ZERO,
                    };
                    self.apply_once(&Issuer::Bot(seat), command).await
                }
                None if out_of_turn => Ok(()),
                None => Err(LiveError::Busy),
            };
            match played {
                Ok(()) if out_of_turn => {}
                Ok(()) => self.bots.succeeded(),
                Err(error @ LiveError::Store(_)) => self.lost = Some(error),
                // Another node was faster, or the time is over.
                Err(LiveError::Conflict { .. } | LiveError::Refused(Refusal::TimeExceeded)) => {}
                Err(error) => {
                    tracing::warn!(table = %self.table.id(), %seat, %error, "a bot failed");
                    self.bots.failed(&self.table, &self.shared.thinkers);
                }
            }
        }
        self.ask().await;
        self.think();
    }
}

#[cfg(test)]
mod tests;
