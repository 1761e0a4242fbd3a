//! Tasks for the streams of HTTP/2 connections.

use std::sync::Arc;
use std::time::Duration;

use hyper::rt::Executor;

use super::busy::PATIENCE;
use super::progress::Progress;
use crate::AppState;

tokio::task_local! {
    /// Progress of the answer on the stream whose task this is.
    static PROGRESS: Arc<Progress>;
}

/// Runs each stream of an HTTP/2 connection in a task of its own, and drops it if its answer is not
/// read: other streams of the connection, which at a proxy are those of other people, go on. A server
/// that closes waits for a second only.
#[derive(Clone, Debug)]
pub(super) struct StreamTasks {
    /// Time without progress after which an answer is dropped.
    pub(super) unread_time: Duration,
    /// Tells when the server closes.
    pub(super) state: AppState,
}

impl<F> Executor<F> for StreamTasks
where
    F: Future<Output: Send> + Send + 'static,
{
    fn execute(&self, stream: F) {
        let progress = Arc::<Progress>::default();
        let unread_time = self.unread_time;
        let watched = progress.clone();
        let closing = self.state.closing();
        let task = async move {
            let unread_at_close = async {
                closing.await;
                // An answer that has waited for its client may still be read.
                tokio::time::sleep(PATIENCE).await;
                watched.until_unread_for(PATIENCE).await;
            };
            tokio::select! {
                _ = stream => {}
                () = watched.cut().wait() => {}
                () = watched.until_unread_for(unread_time) => watched.drop_stalled(),
                () = unread_at_close => watched.drop_stalled(),
            }
        };
        tokio::spawn(PROGRESS.scope(progress, task));
    }
}

/// Returns the progress of the answer on the stream whose task calls; `None` on a connection that
/// has no streams.
pub(super) fn current() -> Option<Arc<Progress>> {
    PROGRESS.try_with(Arc::clone).ok()
}
