//! Listeners for a person's notifications.

use parlor_table::SeatKey;
use tokio::sync::mpsc;

use super::{Hub, News};
use crate::nodes::Followed;

/// Receiver of a person's notifications; unsubscribes when dropped.
#[derive(Debug)]
pub(crate) struct Listener {
    hub: Hub,
    keys: Vec<SeatKey>,
    number: u64,
    news: mpsc::Receiver<News>,
    _followed: Vec<Followed>,
}

impl Listener {
    pub(super) fn new(
        hub: Hub,
        keys: Vec<SeatKey>,
        number: u64,
        news: mpsc::Receiver<News>,
        followed: Vec<Followed>,
    ) -> Listener {
        Listener {
            hub,
            keys,
            number,
            news,
            _followed: followed,
        }
    }

    /// Returns the next news; `None` if the listener fell behind and missed some.
    pub(crate) async fn next(&mut self) -> Option<News> {
        self.news.recv().await
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.hub.forget(&self.keys, self.number);
    }
}
