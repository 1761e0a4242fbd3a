//! A waiting player's stream of events.

use std::sync::Arc;
use std::time::Duration;

use futures::stream::{self, Stream};
use parlor_store::Pairing;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::matching::{WIDENS_EVERY, window};
use super::{QueueEvent, Waiting};
use crate::AppState;
use crate::auth::OpaqueToken;
use crate::live;

/// Time without a look at the queue after which somebody who lost the place was absent.
const ABSENT: Duration = Duration::from_secs(3);

/// A waiting player. Dropping it leaves the queue.
#[derive(Debug)]
pub(crate) struct Waiter {
    state: AppState,
    ticket: i64,
    rating: i32,
    most: u32,
    since: Instant,
    seen: watch::Receiver<Arc<Waiting>>,
    /// Last round that may not have seen this player yet.
    entered: u64,
    widens: Instant,
    expires: Instant,
    /// Window in the last event sent.
    last_window: Option<u32>,
    /// Table of the pairing that was accepted.
    accepted: Option<i64>,
    /// Time of the last look at the queue.
    looked: Instant,
    fresh: Option<OpaqueToken>,
    over: bool,
}

impl Drop for Waiter {
    fn drop(&mut self) {
        self.leave();
    }
}

impl Waiter {
    /// Creates the stream of a player who enters under `ticket`.
    pub(super) fn new(
        state: AppState,
        ticket: i64,
        (rating, most): (i32, u32),
        fresh: Option<OpaqueToken>,
    ) -> Waiter {
        let since = Instant::now();
        Waiter {
            ticket,
            rating,
            most,
            since,
            seen: state.queue().watch(),
            entered: u64::MAX,
            widens: since + WIDENS_EVERY,
            expires: since + state.limits().queue_time,
            last_window: None,
            accepted: None,
            looked: since,
            fresh,
            over: false,
            state,
        }
    }

    /// Records that the player is stored, so that every round from now on sees the entry.
    pub(super) fn entered(mut self) -> Waiter {
        self.entered = self.state.queue().last_round();
        self
    }

    /// Returns the stream of events until the wait ends.
    pub(crate) fn news(self) -> impl Stream<Item = QueueEvent> + Send + 'static {
        stream::unfold(self, async |mut waiter| {
            let news = waiter.next().await?;
            Some((news, waiter))
        })
    }

    async fn next(&mut self) -> Option<QueueEvent> {
        if self.over {
            return None;
        }
        let news = self.wait().await;
        if !matches!(news, QueueEvent::Waiting { .. }) {
            self.over = true;
            self.leave();
        }
        Some(news)
    }

    fn leave(&self) {
        self.state.queue().leave(&self.state, self.ticket);
    }

    async fn wait(&mut self) -> QueueEvent {
        loop {
            if let Some(news) = self.look().await {
                return news;
            }
            let expires = sleep_until(self.expires);
            tokio::select! {
                biased;
                changed = self.seen.changed() => if changed.is_err() { return QueueEvent::Expired },
                () = expires, if self.accepted.is_none() => return QueueEvent::Expired,
                () = sleep_until(self.widens) => self.widens += WIDENS_EVERY,
            }
        }
    }

    /// Looks at the queue and accepts a pairing. Returns what there is to tell.
    async fn look(&mut self) -> Option<QueueEvent> {
        let was_absent = self.looked.elapsed() > ABSENT;
        self.looked = Instant::now();
        let waiting = self.seen.borrow_and_update().clone();
        if waiting.round <= self.entered {
            return None;
        }
        let Some(me) = waiting.player(self.ticket) else {
            let reason = if was_absent { "absent" } else { "replaced" };
            return Some(QueueEvent::Left { reason });
        };
        match me.pairing {
            Some(pairing) if pairing.is_made => self.matched(pairing),
            Some(pairing) => {
                self.accept(pairing).await;
                None
            }
            None => {
                self.accepted = None;
                self.widened(waiting.count(&me.terms))
            }
        }
    }

    /// Returns a `waiting` event if the window has changed since the last one.
    fn widened(&mut self, waiting: usize) -> Option<QueueEvent> {
        let waited = i64::try_from(self.since.elapsed().as_millis()).unwrap_or(i64::MAX);
        let window = window(waited, self.most);
        let left =
            self.expires.saturating_duration_since(Instant::now()) + Duration::from_millis(500);
        let news = QueueEvent::Waiting {
            waiting,
            rating: self.rating,
            window,
            seconds_left: left.as_secs(),
        };
        (self.last_window.replace(window) != Some(window)).then_some(news)
    }

    /// Accepts a pairing, once.
    async fn accept(&mut self, pairing: Pairing) {
        if pairing.is_accepted || self.accepted == Some(pairing.table) {
            return;
        }
        let store = self.state.store();
        match store.accept_pairing(self.ticket, pairing.table).await {
            Ok(true) => {
                self.accepted = Some(pairing.table);
                self.state.queue().wake();
                self.state.nodes().tell_queue();
            }
            // It has ended: the next round tells how.
            Ok(false) => {}
            Err(error) => tracing::debug!(%error, "could not accept a pairing"),
        }
    }

    fn matched(&mut self, pairing: Pairing) -> Option<QueueEvent> {
        let table = live::table_id(pairing.table)?;
        let token = self.fresh.take().map(|token| token.as_str().to_owned());
        Some(QueueEvent::Matched {
            table,
            url: format!("/t/{table}"),
            seat: pairing.seat,
            token,
        })
    }
}
