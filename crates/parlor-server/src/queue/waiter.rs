//! Waiting, as a stream of news.

use std::time::Duration;

use futures::stream::{self, Stream};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

use super::pool::{Terms, Ticket, WIDENS_EVERY};
use super::{News, Offer, Place};
use crate::AppState;
use crate::auth::Token;

/// Somebody who waits. They leave when this is dropped.
#[derive(Debug)]
pub(crate) struct Waiter {
    state: AppState,
    terms: Terms,
    ticket: Ticket,
    offers: mpsc::Receiver<Offer>,
    widens: Instant,
    expires: Instant,
    /// The window last told.
    told: Option<u32>,
    fresh: Option<Token>,
    /// Whether an offer came when nobody read.
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
        offers: mpsc::Receiver<Offer>,
        since: Instant,
        fresh: Option<Token>,
    ) -> Waiter {
        let expires = since + state.limits().queue_time;
        Waiter {
            state,
            terms,
            ticket,
            offers,
            widens: since + WIDENS_EVERY,
            expires,
            told: None,
            fresh,
            missed: false,
            over: false,
        }
    }

    /// What is told while it is read, to the end.
    pub(crate) fn news(self) -> impl Stream<Item = News> + Send + 'static {
        stream::unfold(self, async |mut waiter| {
            let news = waiter.next().await?;
            Some((news, waiter))
        })
    }

    async fn next(&mut self) -> Option<News> {
        if self.over {
            return None;
        }
        let news = self.wait().await;
        if !matches!(news, News::Waiting { .. }) {
            self.over = true;
            self.state.queue().leave(&self.terms, self.ticket);
        }
        Some(news)
    }

    async fn wait(&mut self) -> News {
        loop {
            self.state.queue().pair(&self.state, &self.terms);
            if let Some(news) = self.widened() {
                return news;
            }
            tokio::select! {
                biased;
                offer = self.offers.recv() => match offer {
                    Some(offer) => if let Some(news) = self.take(offer).await { return news },
                    None => return News::Left { reason: if self.missed { "absent" } else { "replaced" } },
                },
                () = sleep_until(self.expires) => return News::Expired,
                () = sleep_until(self.widens) => self.widens += WIDENS_EVERY,
            }
        }
    }

    /// The news that the window is another than the one last told.
    fn widened(&mut self) -> Option<News> {
        let left =
            self.expires.saturating_duration_since(Instant::now()) + Duration::from_millis(500);
        let news = self
            .state
            .queue()
            .news(&self.terms, self.ticket, left.as_secs())?;
        let News::Waiting { window, .. } = news else {
            return None;
        };
        (self.told.replace(window) != Some(window)).then_some(news)
    }

    /// Takes an offer, and hears how it went. Nothing when the other side did not take it: the waiting goes on.
    async fn take(&mut self, offer: Offer) -> Option<News> {
        let (place, made) = oneshot::channel();
        if offer.send(place).is_err() {
            self.missed = true;
            return None;
        }
        tokio::select! {
            biased;
            made = made => made.ok().map(|place| self.matched(place)),
            // Another offer cannot come before this one is settled: the end says that a later entry took this one's place.
            _ = self.offers.recv() => Some(News::Left { reason: "replaced" }),
        }
    }

    fn matched(&mut self, place: Place) -> News {
        let Place { table, seat } = place;
        let token = self.fresh.take().map(|token| token.as_str().to_owned());
        News::Matched {
            table,
            url: format!("/t/{table}"),
            seat,
            token,
        }
    }
}
