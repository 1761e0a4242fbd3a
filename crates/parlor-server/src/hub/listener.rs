//! Listeners for a person's notifications.

use std::sync::Arc;

use parlor_table::SeatKey;
use tokio::sync::mpsc;

use super::{Hub, Notification};
use crate::nodes::Followed;

/// Receiver of a person's notifications; unsubscribes when dropped.
#[derive(Debug)]
pub(crate) struct Listener {
    hub: Hub,
    keys: Vec<SeatKey>,
    number: u64,
    notes: mpsc::Receiver<Arc<Notification>>,
    _followed: Vec<Followed>,
}

impl Listener {
    pub(super) fn new(
        hub: Hub,
        keys: Vec<SeatKey>,
        number: u64,
        notes: mpsc::Receiver<Arc<Notification>>,
        followed: Vec<Followed>,
    ) -> Listener {
        Listener {
            hub,
            keys,
            number,
            notes,
            _followed: followed,
        }
    }

    /// Returns the next notification; `None` if the listener fell behind and missed some.
    pub(crate) async fn next(&mut self) -> Option<Arc<Notification>> {
        self.notes.recv().await
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.hub.forget(&self.keys, self.number);
    }
}
