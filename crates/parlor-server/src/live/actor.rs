//! The task of one table: the only writer.

mod time;

use std::sync::Arc;
use std::time::Duration;

use parlor_table::{By, Command, Entry, Event, Refused, Secret, Status, Table, TableId};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

use super::bots::{Brains, Thought};
use super::feed::Feed;
use super::presence::Presence;
use super::{Done, LiveError, Seen, Shared, Subscription, stored};
use crate::auth::{self, Who};

/// Looks at a table, or hears why there is none.
type Look = Box<dyn FnOnce(Result<Seen<'_>, LiveError>) + Send>;

/// What is asked of a table's task.
pub(super) enum Request {
    Act(Box<Act>),
    Read(Look),
    Subscribe {
        after: u64,
        who: Option<Who>,
        reply: oneshot::Sender<Result<Subscription, LiveError>>,
    },
    Delete(oneshot::Sender<Result<(), LiveError>>),
    Tick(oneshot::Sender<Result<(), LiveError>>),
    Thought(Box<Thought>),
}

/// A command and where its answer goes.
pub(super) struct Act {
    pub(super) who: Who,
    pub(super) command: Command,
    pub(super) view: bool,
    pub(super) reply: oneshot::Sender<Result<Done, LiveError>>,
}

/// Loads a table and serves it. When there is none, everybody who asked is told so.
pub(super) async fn load_and_run(
    id: TableId,
    shared: Arc<Shared>,
    me: mpsc::WeakSender<Request>,
    mut mailbox: mpsc::Receiver<Request>,
) {
    let error = match stored::load(&shared.store, id).await {
        Ok(Some(table)) => return Actor::new(table, shared, me).run(mailbox).await,
        Ok(None) => LiveError::NotFound,
        Err(error) => error,
    };
    shared.forget(id, &me);
    mailbox.close();
    while let Some(request) = mailbox.recv().await {
        refuse(request, error.clone());
    }
}

fn refuse(request: Request, error: LiveError) {
    // Whoever asked may have gone away.
    match request {
        Request::Act(act) => drop(act.reply.send(Err(error))),
        Request::Read(look) => look(Err(error)),
        Request::Subscribe { reply, .. } => drop(reply.send(Err(error))),
        Request::Delete(reply) | Request::Tick(reply) => drop(reply.send(Err(error))),
        Request::Thought(_) => {}
    }
}

/// Counts live tables, also those whose task dies.
struct Counted;

impl Counted {
    fn new() -> Counted {
        metrics::gauge!("parlor_live_tables").increment(1);
        Counted
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        metrics::gauge!("parlor_live_tables").decrement(1);
    }
}

/// A live table.
pub(super) struct Actor {
    table: Table,
    shared: Arc<Shared>,
    me: mpsc::WeakSender<Request>,
    feed: Feed,
    presence: Presence,
    brains: Brains,
    /// Before this time brings nothing: what it brought could not be stored.
    retry: Instant,
    /// Why the task has to end: what it holds is no longer what is stored.
    lost: Option<LiveError>,
}

impl Actor {
    pub(super) fn new(table: Table, shared: Arc<Shared>, me: mpsc::WeakSender<Request>) -> Actor {
        let (feed, presence, brains) = (
            Feed::default(),
            Presence::new(stored::now()),
            Brains::default(),
        );
        Actor {
            table,
            shared,
            me,
            feed,
            presence,
            brains,
            retry: Instant::now(),
            lost: None,
        }
    }

    /// Serves until the table is idle or lost.
    pub(super) async fn run(mut self, mut mailbox: mpsc::Receiver<Request>) {
        let _counted = Counted::new();
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
                    Some(Request::Tick(reply)) => {
                        let _ = reply.send(self.see_to().await);
                        if self.is_done_with() && !busy {
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
                    if !(busy || soon || self.feed.is_watched() || self.brains.thinking()) {
                        break;
                    }
                    busy = false;
                    timer.as_mut().reset(Instant::now() + idle.max(Duration::from_millis(1)));
                }
            }
        }
        self.finish(mailbox).await;
    }

    /// Leaves the list and answers what came in meanwhile.
    async fn finish(mut self, mut mailbox: mpsc::Receiver<Request>) {
        self.shared.forget(self.table.id(), &self.me);
        mailbox.close();
        while let Some(request) = mailbox.recv().await {
            match &self.lost {
                None => self.serve(request).await,
                Some(error) => refuse(request, error.clone()),
            }
        }
    }

    async fn serve(&mut self, request: Request) {
        match request {
            Request::Act(act) => {
                let by = act.who.at(&self.table);
                let result = self.apply(&by, act.command).await;
                let view = act.view;
                // Whoever asked may have gone away.
                let _ = act.reply.send(result.map(|()| self.done(view)));
                self.think();
            }
            Request::Read(look) => look(Ok(Seen {
                table: &self.table,
                presence: &self.presence,
            })),
            Request::Subscribe { after, who, reply } => {
                let present = who.map(|who| self.presence.enter(&self.table, who));
                let _ = reply.send(Ok(Subscription {
                    present,
                    ..self.feed.subscribe(&self.table, after)
                }));
            }
            Request::Tick(reply) => {
                let _ = reply.send(self.see_to().await);
            }
            Request::Delete(reply) => {
                let result = self.shared.store.delete(stored::key(self.table.id())).await;
                self.lost = Some(LiveError::NotFound);
                let found = |there| {
                    if there {
                        Ok(())
                    } else {
                        Err(LiveError::NotFound)
                    }
                };
                let _ = reply.send(result.map_err(LiveError::from).and_then(found));
            }
            Request::Thought(thought) => self.play(*thought).await,
        }
    }

    fn done(&self, view: bool) -> Done {
        Done {
            version: self.table.version(),
            status: self.table.status(),
            turn: self.table.position().turn().into(),
            ending: self.table.ending(),
            next: self.table.next(),
            clock: self.table.clock_view(),
            now: stored::now(),
            view: view.then(|| Box::new(self.table.view())),
        }
    }

    /// Does what is asked, and makes it durable before anybody hears of it.
    async fn apply(&mut self, by: &By, command: Command) -> Result<(), LiveError> {
        if self.is_seated_already(by, &command) {
            return Ok(());
        }
        let now = stored::now();
        match self.table.apply(now, by, self.completed(command)) {
            Ok(entries) => self.publish(entries).await,
            Err(late @ Refused::TimeExceeded) => {
                // The game is lost, and is stored as lost before anybody hears of it.
                let end = self.table.apply(now, &By::House, Command::Tick)?;
                match self.publish(end).await {
                    Ok(()) | Err(LiveError::Conflict { .. }) => Err(late.into()),
                    Err(error) => Err(error),
                }
            }
            Err(reason) => Err(reason.into()),
        }
    }

    /// A command with what only the house knows.
    fn completed(&self, command: Command) -> Command {
        match command {
            Command::Claim { claim, .. } => {
                let missing = self.table.on_turn();
                let absent_since =
                    missing.and_then(|seat| self.presence.absent_since(&self.table, seat));
                Command::Claim {
                    claim,
                    absent_since,
                }
            }
            command => command,
        }
    }

    /// Makes durable what has just happened, and tells those who watch.
    async fn publish(&mut self, entries: Vec<Entry>) -> Result<(), LiveError> {
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

    /// A request to join that does not name a seat, from somebody who has one, is a retry.
    fn is_seated_already(&self, by: &By, command: &Command) -> bool {
        let seated = by
            .key()
            .is_some_and(|key| !self.table.seats_of(&key).is_empty());
        seated && matches!(command, Command::Join { seat: None, .. })
    }

    async fn keep(&mut self, before: u64, entries: &[Entry]) -> Result<(), LiveError> {
        let next = entries.iter().find_map(|entry| match entry.event {
            Event::RematchAgreed { next } => Some(next),
            _ => None,
        });
        // The next table comes first: a link to it must never lead nowhere.
        if let Some(next) = next {
            self.found_rematch(next).await?;
        }
        let kept = self
            .shared
            .store
            .append(stored::append(&self.table, before, entries))
            .await;
        if let (Err(_), Some(next)) = (&kept, next) {
            let _ = self.shared.store.delete(stored::key(next)).await;
        }
        Ok(kept?)
    }

    async fn found_rematch(&mut self, next: TableId) -> Result<(), LiveError> {
        let secret = self.table.kind().has_luck().then(fresh_secret);
        let table = self.table.rematch(stored::now(), next, secret)?;
        self.shared.store.create(stored::new_table(&table)).await?;
        self.shared.hub.publish(&table, table.log());
        if table.bot_to_move().is_some() {
            let shared = self.shared.clone();
            super::Live { shared }.wake(next);
        }
        Ok(())
    }

    /// Throws away what could not be kept. Watchers, who have seen the events up to `seen`, hear what happened elsewhere.
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

    /// Sets a bot to think that is on turn or could move out of turn, unless one does already.
    fn think(&mut self) {
        if self.table.status() == Status::Playing && self.lost.is_none() {
            self.brains
                .think(&self.table, &self.shared.thinkers, &self.me);
        } else if self.table.status() != Status::Open {
            self.brains = Brains::default();
        }
    }

    /// Plays what a bot came up with, unless something has happened meanwhile. One that cannot be played is thought about again, in
    /// the end by chance.
    async fn play(&mut self, thought: Thought) {
        let (seat, version, aside) = (thought.seat, thought.version, thought.aside);
        let text = self.brains.rest(thought, &self.shared.thinkers);
        if version == self.table.version() {
            let played = match text {
                Some(text) => {
                    let command = Command::Move {
                        text,
                        id: None,
                        version: Some(version),
                    };
                    self.apply(&By::Bot(seat), command).await
                }
                None if aside => Ok(()),
                None => Err(LiveError::Busy),
            };
            match played {
                Ok(()) if aside => {}
                Ok(()) => self.brains.succeeded(),
                Err(error @ LiveError::Store(_)) => self.lost = Some(error),
                Err(LiveError::Refused(Refused::TimeExceeded)) => {}
                Err(error) => {
                    tracing::warn!(table = %self.table.id(), %seat, %error, "a bot failed");
                    self.brains.failed(seat);
                }
            }
        }
        self.think();
    }
}

/// A secret for the luck of a table.
pub(crate) fn fresh_secret() -> Secret {
    let mut bytes = [0; 32];
    auth::fill(&mut bytes);
    Secret::new(bytes)
}
