//! The task that owns one table and is its only writer.

mod time;

use std::sync::Arc;
use std::time::Duration;

use parlor_store::StoreError;
use parlor_table::{
    Command, Issuer, LogEntry, Refusal, Table, TableEvent, TableId, TableStatus, Timestamp,
};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

use super::bots::{BotReply, TableBots};
use super::feed::Feed;
use super::presence::Presence;
use super::{CommandResult, LiveContext, LiveError, LiveView, Subscription, stored};
use crate::auth::Requester;
use crate::thinking::{BotTablePermit, Payer};

/// Callback that reads a table, or receives the error if there is none.
type TableReader = Box<dyn FnOnce(Result<LiveView<'_>, LiveError>) + Send>;

/// Request to a table's task.
pub(super) enum TableRequest {
    Apply(Box<CommandRequest>),
    Read(TableReader),
    Subscribe {
        after: u64,
        who: Option<Requester>,
        reply: oneshot::Sender<Result<Subscription, LiveError>>,
    },
    Delete(oneshot::Sender<Result<(), LiveError>>),
    Tick(oneshot::Sender<Result<(), LiveError>>),
    BotReply(Box<BotReply>),
}

/// Command and the channel for its result.
pub(super) struct CommandRequest {
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
            return Actor::new(table, shared, me, bill).run(mailbox).await;
        }
        Ok(None) => LiveError::NotFound,
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
        TableRequest::Read(read) => read(Err(error)),
        TableRequest::Subscribe { reply, .. } => drop(reply.send(Err(error))),
        TableRequest::Delete(reply) | TableRequest::Tick(reply) => drop(reply.send(Err(error))),
        TableRequest::BotReply(_) => {}
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
    pub(super) bots_alone: Option<BotTablePermit>,
}

/// State of a table's task.
pub(super) struct Actor {
    table: Table,
    shared: Arc<LiveContext>,
    me: mpsc::WeakSender<TableRequest>,
    feed: Feed,
    presence: Presence,
    bots: TableBots,
    bill: Bill,
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
        bill: Bill,
    ) -> Actor {
        let (feed, presence, bots) = (
            Feed::default(),
            Presence::new(shared.sources.clone()),
            TableBots::default(),
        );
        Actor {
            table,
            shared,
            me,
            feed,
            presence,
            bots,
            bill,
            retry: Instant::now(),
            lost: None,
        }
    }

    /// Runs until the table is idle or lost.
    pub(super) async fn run(mut self, mut mailbox: mpsc::Receiver<TableRequest>) {
        let _gauge = LiveTableGauge::new();
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
        self.shared.thinkers.idle.forget(self.table.id());
        mailbox.close();
        while let Some(request) = mailbox.recv().await {
            match &self.lost {
                None => self.serve(request).await,
                Some(error) => refuse(request, error.clone()),
            }
        }
    }

    async fn serve(&mut self, request: TableRequest) {
        match request {
            TableRequest::Apply(act) => {
                let by = act.who.at(&self.table);
                let result = self.apply(&by, act.command).await;
                if result.is_ok() {
                    self.bill.payer = act.who.payer();
                }
                let view = act.view;
                // The requester may be gone.
                let _ = act.reply.send(result.map(|()| self.result(view)));
                self.think();
            }
            TableRequest::Read(read) => read(Ok(LiveView {
                table: &self.table,
                now: self.now(),
                presence: &self.presence,
            })),
            TableRequest::Subscribe { after, who, reply } => {
                let present = who.map(|who| self.presence.enter(&self.table, who));
                let _ = reply.send(Ok(Subscription {
                    present,
                    ..self.feed.subscribe(&self.table, after)
                }));
            }
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
                let _ = reply.send(deleted);
            }
            TableRequest::BotReply(reply) => self.play(*reply).await,
        }
    }

    fn now(&self) -> Timestamp {
        self.shared.sources.now()
    }

    fn result(&self, view: bool) -> CommandResult {
        CommandResult {
            version: self.table.version(),
            status: self.table.status(),
            turn: self.table.position().turn().into(),
            ending: self.table.ending(),
            next: self.table.next(),
            clock: self.table.clock_view(),
            now: self.now(),
            view: view.then(|| Box::new(self.table.view())),
        }
    }

    /// Applies a command and makes its events durable before anyone is notified.
    async fn apply(&mut self, by: &Issuer, command: Command) -> Result<(), LiveError> {
        if self.is_seated_already(by, &command) {
            return Ok(());
        }
        let now = self.now();
        let on_turn = self.table.on_turn();
        let absent_since = on_turn.and_then(|seat| self.presence.absent_since(&self.table, seat));
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
                self.feed.publish(&entries);
                self.shared.hub.publish(&self.table, &entries);
            }
            Err(_) => self.reload(before).await,
        }
        kept
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
        // The next table comes first, so that a link to it never dangles.
        if let Some(next) = next {
            self.create_rematch(next).await?;
        }
        let kept = self
            .shared
            .store
            .append(stored::append(&self.table, before, entries))
            .await;
        // If the outcome is unknown, the link may be stored: an unused table does less harm than a
        // link to none.
        let is_refused = !matches!(kept, Ok(()) | Err(StoreError::InDoubt(_)));
        if let Some(next) = next.filter(|_| is_refused) {
            let _ = self.shared.store.delete(stored::table_key(next)).await;
        }
        Ok(kept?)
    }

    async fn create_rematch(&mut self, next: TableId) -> Result<(), LiveError> {
        let secret = self
            .table
            .kind()
            .has_luck()
            .then(|| self.shared.sources.secret());
        let table = self.table.rematch(self.now(), next, secret)?;
        self.shared.store.create(stored::new_table(&table)).await?;
        self.shared.hub.publish(&table, table.log());
        if table.bot_to_move().is_some() {
            let shared = self.shared.clone();
            super::LiveTables { shared }.wake(next, Some(self.bill.payer));
        }
        Ok(())
    }

    /// Reloads the table after a failed append. Watchers, who have seen the events up to `seen`,
    /// get those that another process stored.
    async fn reload(&mut self, seen: u64) {
        match stored::load(&self.shared.store, self.table.id()).await {
            Ok(Some(table)) => {
                self.table = table;
                let seen = usize::try_from(seen).unwrap_or(usize::MAX);
                let missed = self.table.log().get(seen..).unwrap_or_default();
                self.feed.publish(missed);
                self.shared.hub.publish(&self.table, missed);
            }
            Ok(None) => self.lost = Some(LiveError::NotFound),
            Err(error) => self.lost = Some(error),
        }
    }

    /// Starts a search for the bot on turn, or for bots that could move out of turn, unless one is
    /// running.
    fn think(&mut self) {
        if self.table.status() == TableStatus::Playing && self.lost.is_none() {
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
        let thinkers = &self.shared.thinkers;
        let text = self.bots.take_back(&self.table, reply, thinkers);
        if version == self.table.version() {
            let played = match text {
                Some(text) => {
                    let command = Command::Move {
                        text,
                        id: None,
                        version: Some(version),
                    };
                    self.apply(&Issuer::Bot(seat), command).await
                }
                None if out_of_turn => Ok(()),
                None => Err(LiveError::Busy),
            };
            match played {
                Ok(()) if out_of_turn => {}
                Ok(()) => self.bots.succeeded(),
                Err(error @ LiveError::Store(_)) => self.lost = Some(error),
                Err(LiveError::Refused(Refusal::TimeExceeded)) => {}
                Err(error) => {
                    tracing::warn!(table = %self.table.id(), %seat, %error, "a bot failed");
                    self.bots.failed(&self.table, &self.shared.thinkers);
                }
            }
        }
        self.think();
    }
}
