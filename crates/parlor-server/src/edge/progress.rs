//! Progress of a client in sending a request and reading its answer.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::{Duration, Instant};

use super::cut::Cut;

/// Progress of a client in sending a request and reading its answer.
///
/// The client has something to read while the connection has not taken all that is ready: it asks
/// for the next part only when it has room for it, and holds the parts that it took until they are
/// sent.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    cut: Cut,
    state: Mutex<ProgressState>,
}

#[derive(Debug)]
struct ProgressState {
    /// True if the next part is ready as far as we know, and was not asked for yet.
    is_ready: bool,
    /// Parts that the connection took and has not sent yet.
    taken: usize,
    /// True if the rest of the request's body is waited for.
    is_arriving: bool,
    /// Time at which the request began.
    begun: Instant,
    /// Time of the last progress.
    at: Instant,
    /// Task that waits until everything is sent.
    waiting: Option<Waker>,
}

impl Default for ProgressState {
    fn default() -> ProgressState {
        ProgressState {
            is_ready: false,
            taken: 0,
            is_arriving: false,
            begun: Instant::now(),
            at: Instant::now(),
            waiting: None,
        }
    }
}

impl Progress {
    /// Creates the progress of an answer that does not exist yet. `cut` drops it.
    pub(super) fn new(cut: Cut) -> Progress {
        Progress {
            cut,
            state: Mutex::default(),
        }
    }

    /// Records that there is an answer to read.
    pub(super) fn begin(&self) {
        self.set_ready(true);
    }

    /// Records that all parts so far were asked for, and the next one does not exist yet.
    pub(super) fn wait_for_more(&self) {
        self.set_ready(false);
    }

    /// Records that the connection took a part.
    pub(super) fn take_part(&self) {
        let mut state = self.state();
        state.taken += 1;
        state.is_ready = true;
        state.at = Instant::now();
    }

    /// Records that a part was sent.
    pub(super) fn finish_part(&self) {
        let mut state = self.state();
        state.taken -= 1;
        state.at = Instant::now();
        let is_sent = state.taken == 0;
        let waiting = state.waiting.take_if(|_| is_sent);
        drop(state);
        if let Some(waker) = waiting {
            waker.wake();
        }
    }

    /// Records that the rest of the request's body is waited for, or that more of it has come.
    pub(super) fn set_arriving(&self, is_arriving: bool) {
        let mut state = self.state();
        state.is_arriving = is_arriving;
        state.at = Instant::now();
    }

    /// Returns true if all parts that the connection took were sent; otherwise wakes the task once
    /// they are.
    pub(super) fn is_sent_or_wakes(&self, waker: &Waker) -> bool {
        let mut state = self.state();
        if state.taken > 0 {
            state.waiting = Some(waker.clone());
        }
        state.taken == 0
    }

    /// Returns true if all parts that the connection took were sent.
    pub(super) fn is_sent(&self) -> bool {
        self.state().taken == 0
    }

    /// Returns the time since which the client has read nothing of what it could; `None` if there
    /// is nothing to read.
    pub(super) fn unread_since(&self) -> Option<Instant> {
        let state = self.state();
        (state.is_ready || state.taken > 0).then_some(state.at)
    }

    /// Returns the time since which the client has neither sent the rest of its request nor read what
    /// it could; `None` if nothing is expected of it.
    pub(super) fn stalled_since(&self) -> Option<Instant> {
        let state = self.state();
        let is_awaited = state.is_arriving || state.is_ready || state.taken > 0;
        is_awaited.then_some(state.at)
    }

    /// Returns the time at which a request began that now waits for its client, to send the rest of it or
    /// to read; `None` if nothing is expected of the client.
    pub(super) fn awaited_since(&self) -> Option<Instant> {
        let state = self.state();
        let is_awaited = state.is_arriving || state.is_ready || state.taken > 0;
        is_awaited.then_some(state.begun)
    }

    /// Completes when the client has read nothing for a time, and up to a quarter more, although
    /// there was something to read.
    pub(super) async fn until_unread_for(&self, time: Duration) {
        let is_unread = || {
            self.unread_since()
                .is_some_and(|since| since.elapsed() >= time)
        };
        while !is_unread() {
            tokio::time::sleep(time / 4).await;
        }
    }

    /// Drops the answer, for which its client lets the server wait.
    pub(super) fn drop_stalled(&self) {
        metrics::counter!("parlor_answers_dropped_total").increment(1);
        self.cut.cut();
    }

    /// Returns the signal that drops the answer.
    pub(super) fn cut(&self) -> &Cut {
        &self.cut
    }

    fn set_ready(&self, is_ready: bool) {
        let mut state = self.state();
        state.is_ready = is_ready;
        state.at = Instant::now();
    }

    fn state(&self) -> MutexGuard<'_, ProgressState> {
        // No code that can panic runs while this lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
impl Progress {
    /// Returns the progress of a request that began a while ago.
    pub(super) fn slow(since: Duration) -> Progress {
        let progress = Progress::default();
        progress.state().begun -= since;
        progress
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_ready_can_be_unread() {
        let progress = Progress::default();
        let is_unread = || progress.unread_since().is_some();
        assert!(!is_unread(), "there is no answer yet");
        progress.begin();
        assert!(is_unread(), "not asked for");
        progress.take_part();
        progress.wait_for_more();
        assert!(is_unread(), "taken, but not sent");
        progress.finish_part();
        assert!(!is_unread(), "a stream on which nothing happens");
        progress.take_part();
        progress.finish_part();
        assert!(is_unread(), "the rest is not asked for");
    }

    #[tokio::test]
    async fn progress_begins_the_time_anew() {
        let progress = Progress::default();
        progress.begin();
        let first = progress.unread_since();
        progress.until_unread_for(Duration::from_millis(1)).await;
        progress.take_part();
        assert!(progress.unread_since() > first);
    }
}
