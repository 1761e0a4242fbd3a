//! Somebody who listens.

use std::sync::Arc;

use parlor_table::Key;
use tokio::sync::mpsc;

use super::{Hub, Note};

/// Somebody who listens, until this is dropped.
#[derive(Debug)]
pub(crate) struct Listener {
    hub: Hub,
    keys: Vec<Key>,
    number: u64,
    notes: mpsc::Receiver<Arc<Note>>,
}

impl Listener {
    pub(super) fn new(
        hub: Hub,
        keys: Vec<Key>,
        number: u64,
        notes: mpsc::Receiver<Arc<Note>>,
    ) -> Listener {
        Listener {
            hub,
            keys,
            number,
            notes,
        }
    }

    /// The next note; nothing when the listener fell behind, and has missed some.
    pub(crate) async fn next(&mut self) -> Option<Arc<Note>> {
        self.notes.recv().await
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.hub.forget(&self.keys, self.number);
    }
}
