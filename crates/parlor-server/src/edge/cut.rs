//! Signal that ends a connection or a stream.

use std::sync::Arc;

use tokio::sync::Notify;

/// Signal that ends a connection, or one stream of it, without waiting for anything.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cut(Arc<Notify>);

impl Cut {
    /// Gives the signal. It is not lost if nobody waits for it yet.
    pub(crate) fn cut(&self) {
        self.0.notify_one();
    }

    /// Completes when the signal was given. Only one task may wait for it.
    pub(crate) async fn wait(&self) {
        self.0.notified().await;
    }
}
