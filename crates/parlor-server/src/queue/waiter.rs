//! A waiting player's stream of events.

use std::time::Duration;

use futures::stream::{self, Stream};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

use super::pool::{Terms, Ticket, WIDENS_EVERY};
use super::{MatchedSeat, PairingOffer, QueueEvent};
use crate::AppState;
use crate::auth::OpaqueToken;

/// A waiting player. Dropping it leaves the queue.
#[derive(Debug)]
pub(crate) struct Waiter {
    state: AppState,
    terms: Terms,
    ticket: Ticket,
    offers: mpsc::Receiver<PairingOffer>,
    widens: Instant,
    expires: Instant,
    /// Window in the last event sent.
    last_window: Option<u32>,
    fresh: Option<OpaqueToken>,
    /// True if an offer arrived after the reader was gone.
    missed: bool,
    over: bool,
}

impl Drop for Waiter {
    fn drop(&mut self) {
        self.state.queue().leave(&self.terms, self.ticket);
    }
}

impl Waiter {
    pub(super) fn new(
        state: AppState,
        terms: Terms,
        ticket: Ticket,
        offers: mpsc::Receiver<PairingOffer>,
        since: Instant,
        fresh: Option<OpaqueToken>,
    ) -> Waiter {
        let expires = since + state.limits().queue_time;
        Waiter {
            state,
            terms,
            ticket,
            offers,
            widens: since + WIDENS_EVERY,
            expires,
            last_window: None,
            fresh,
            missed: false,
            over: false,
        }
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
            self.state.queue().leave(&self.terms, self.ticket);
        }
        Some(news)
    }

    async fn wait(&mut self) -> QueueEvent {
        loop {
            self.state.queue().pair(&self.state, &self.terms);
            if let Some(news) = self.widened() {
                return news;
            }
            tokio::select! {
                biased;
                offer = self.offers.recv() => match offer {
                    Some(offer) => if let Some(news) = self.accept(offer).await { return news },
                    None => return QueueEvent::Left { reason: if self.missed { "absent" } else { "replaced" } },
                },
                () = sleep_until(self.expires) => return QueueEvent::Expired,
                () = sleep_until(self.widens) => self.widens += WIDENS_EVERY,
            }
        }
    }

    /// Returns a `waiting` event if the window has changed since the last one.
    fn widened(&mut self) -> Option<QueueEvent> {
        let left =
            self.expires.saturating_duration_since(Instant::now()) + Duration::from_millis(500);
        let news = self
            .state
            .queue()
            .news(&self.terms, self.ticket, left.as_secs())?;
        let QueueEvent::Waiting { window, .. } = news else {
            return None;
        };
        (self.last_window.replace(window) != Some(window)).then_some(news)
    }

    /// Accepts an offer and waits for the seat. Returns `None` if the other side did not accept,
    /// and the wait goes on.
    async fn accept(&mut self, offer: PairingOffer) -> Option<QueueEvent> {
        let (matched, made) = oneshot::channel();
        if offer.send(matched).is_err() {
            self.missed = true;
            return None;
        }
        tokio::select! {
            biased;
            made = made => made.ok().map(|matched| self.matched(matched)),
            // No other offer can come before this one is settled, so the inbox can only be closed:
            // a later entry has replaced this one.
            _ = self.offers.recv() => Some(QueueEvent::Left { reason: "replaced" }),
        }
    }

    fn matched(&mut self, matched: MatchedSeat) -> QueueEvent {
        let MatchedSeat { table, seat } = matched;
        let token = self.fresh.take().map(|token| token.as_str().to_owned());
        QueueEvent::Matched {
            table,
            url: format!("/t/{table}"),
            seat,
            token,
        }
    }
}
