//! Requests under way on a connection, from the headers to the end of the answer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

/// Time after which a connection whose client reads nothing has nothing to do, and after which a server that
/// closes waits for it no longer.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);

/// Counter of the requests under way on a connection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Requests {
    state: watch::Sender<RequestsState>,
    /// Time since which the client has read nothing of what is sent, if it is so.
    unread_since: Arc<Mutex<Option<Instant>>>,
}

#[derive(Debug)]
struct RequestsState {
    under_way: usize,
    /// Those of them that wait for the rest of their bodies.
    arriving: usize,
    begun: bool,
    /// True once the connection is a socket.
    is_socket: bool,
    /// Time at which a part of the next request's head came, if no more than that has come.
    head_since: Option<Instant>,
    /// Time since which the server has had nothing to do for any, if it has nothing to do.
    idle_since: Instant,
}

impl Default for RequestsState {
    fn default() -> RequestsState {
        RequestsState {
            under_way: 0,
            arriving: 0,
            begun: false,
            is_socket: false,
            head_since: None,
            idle_since: Instant::now(),
        }
    }
}

/// A request under way, until it is dropped.
#[derive(Debug)]
pub(crate) struct Busy(watch::Sender<RequestsState>);

impl Requests {
    /// Counts a request.
    pub(crate) fn begin(&self) -> Busy {
        self.state.send_modify(|state| {
            state.under_way += 1;
            state.begun = true;
        });
        Busy(self.state.clone())
    }

    /// Records whether what has come ends within the head of a request.
    pub(super) fn set_in_head(&self, is_in_head: bool) {
        self.state.send_if_modified(|state| {
            let is_new = state.head_since.is_some() != is_in_head;
            if is_new {
                state.head_since = is_in_head.then(Instant::now);
            }
            is_new
        });
    }

    /// True if the connection is no longer for requests, but a socket.
    pub(super) fn is_socket(&self) -> bool {
        self.state.borrow().is_socket
    }

    /// Returns the time since which all requests under way, if there are any, have waited for the
    /// client: to send the rest of their bodies, or for a second at least to read. `None` if one does
    /// not. A request whose headers are incomplete is not under way yet.
    pub(crate) fn idle_since(&self) -> Option<Instant> {
        let unread = self
            .unread_since()
            .filter(|since| since.elapsed() >= PATIENCE);
        let state = self.state.borrow();
        let idle = Some(state.idle_since).filter(|_| state.under_way == state.arriving);
        unread.or(idle)
    }

    /// Records whether the client lets the server wait with what is sent.
    pub(crate) fn set_unread(&self, is_unread: bool) {
        let mut since = self.unread_since();
        if since.is_some() != is_unread {
            *since = is_unread.then(Instant::now);
        }
    }

    /// Completes when all that is under way has waited for the client for this time, and up to a quarter
    /// more: to send the rest of a request, or to read.
    pub(super) async fn until_waiting_for(&self, time: Duration) {
        let waits = || {
            self.idle_since()
                .is_some_and(|since| since.elapsed() >= time)
        };
        while !waits() {
            tokio::time::sleep(time / 4).await;
        }
    }

    fn unread_since(&self) -> MutexGuard<'_, Option<Instant>> {
        // No code that can panic runs while this lock is held.
        self.unread_since
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a request under way that waits for the rest of its body.
    pub(crate) fn wait_for_body(&self) -> Arriving {
        self.state.send_modify(|state| {
            state.arriving += 1;
            state.idle_since = Instant::now();
        });
        Arriving(self.state.clone())
    }

    /// Completes when a request is under way, or after `time`.
    pub(crate) async fn until_busy(&self, time: Duration) {
        let mut state = self.state.subscribe();
        let busy = state.wait_for(|state| state.under_way > 0);
        // Both outcomes are the same to the caller.
        let _ = tokio::time::timeout(time, busy).await;
    }

    /// Completes when there has been no request under way for `first`, before the first one, or for
    /// `later`, after another; then also when the head of the next one takes longer than `first`.
    pub(crate) async fn until_idle(&self, first: Duration, later: Duration) {
        let called = Instant::now();
        let mut state = self.state.subscribe();
        loop {
            // The sender is in `self`: it cannot fail.
            let idle = state.wait_for(|state| state.under_way == 0).await;
            let (since, time) = idle.map_or((called, first), |state| {
                // A part of a head may have come while another request was under way.
                let since = state
                    .idle_since
                    .max(called)
                    .max(state.head_since.unwrap_or(called));
                let is_between = state.begun && state.head_since.is_none();
                (since, if is_between { later } else { first.min(later) })
            });
            let time = time.saturating_sub(since.elapsed());
            if tokio::time::timeout(time, state.changed()).await.is_err() {
                return;
            }
        }
    }
}

/// A request that waits for the rest of its body, until this is dropped.
#[derive(Debug)]
pub(crate) struct Arriving(watch::Sender<RequestsState>);

impl Drop for Arriving {
    fn drop(&mut self) {
        self.0.send_modify(|state| state.arriving -= 1);
    }
}

impl Busy {
    /// Counts a request that is under way for as long as its connection lasts: a socket.
    pub(crate) fn begin_forever(&self) {
        self.0.send_modify(|state| {
            state.under_way += 1;
            state.is_socket = true;
        });
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.send_modify(|state| {
            state.under_way -= 1;
            state.idle_since = Instant::now();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_that_nobody_reads_has_nothing_to_do_after_a_second() {
        let requests = Requests::default();
        let begun = Instant::now();
        let _busy = requests.begin();
        assert_eq!(requests.idle_since(), None);
        requests.set_unread(true);
        requests.set_unread(true);
        let since = loop {
            if let Some(since) = requests.idle_since() {
                break since;
            }
            assert!(begun.elapsed() < Duration::from_secs(60));
            std::thread::yield_now();
        };
        assert!(begun <= since && since.elapsed() >= PATIENCE);
        requests.set_unread(false);
        assert_eq!(requests.idle_since(), None);
    }
}
