//! Live events for the watchers of a table.

use std::sync::Arc;

use parlor_table::{LogEntry, Table};
use tokio::sync::{broadcast, watch};

use super::PresenceGuard;

/// Number of events that a watcher may lag behind before it has to catch up from the log.
const BACKLOG: usize = 128;

/// A serialized event.
#[derive(Clone, Debug)]
pub(crate) struct EventFrame {
    /// Number of the event.
    pub(crate) version: u64,
    /// Type of the event, such as `moved`.
    pub(crate) kind: String,
    /// The event as JSON, without secrets.
    pub(crate) json: String,
}

impl EventFrame {
    fn from_entry(entry: &LogEntry) -> EventFrame {
        let json = entry.public();
        let kind = json["type"].as_str().unwrap_or_default().to_owned();
        EventFrame {
            version: entry.version,
            kind,
            json: json.to_string(),
        }
    }
}

/// Past events followed by live ones, without a gap.
#[derive(Debug)]
pub(crate) struct Subscription {
    /// Events up to now.
    pub(crate) past: Vec<EventFrame>,
    /// Events from now on. Closed when the table's task ends; lags when the watcher is too slow.
    pub(crate) live: broadcast::Receiver<Arc<EventFrame>>,
    /// Spectators of the table.
    pub(crate) audience: Audience,
    /// Marks the watcher as present while it is kept.
    pub(crate) present: Option<PresenceGuard>,
}

/// Counter of the spectators that announced themselves with [`Audience::enter`].
#[derive(Clone, Debug)]
pub(crate) struct Audience(watch::Sender<u32>);

impl Default for Audience {
    fn default() -> Audience {
        Audience(watch::Sender::new(0))
    }
}

impl Audience {
    /// Counts a spectator until the returned guard is dropped.
    pub(crate) fn enter(&self) -> Spectator {
        self.0.send_modify(|count| *count += 1);
        Spectator(self.clone())
    }

    /// Returns a receiver of the current count and its changes.
    pub(crate) fn count(&self) -> watch::Receiver<u32> {
        let mut count = self.0.subscribe();
        count.mark_changed();
        count
    }
}

/// Guard that counts as one spectator.
#[derive(Debug)]
pub(crate) struct Spectator(Audience);

impl Drop for Spectator {
    fn drop(&mut self) {
        self.0.0.send_modify(|count| *count -= 1);
    }
}

/// The watchers of one table. Allocates nothing until the first one subscribes.
#[derive(Debug, Default)]
pub(crate) struct Feed {
    audience: Audience,
    sender: Option<broadcast::Sender<Arc<EventFrame>>>,
}

impl Feed {
    /// Adds a watcher that has seen the events up to `after`.
    pub(crate) fn subscribe(&mut self, table: &Table, after: u64) -> Subscription {
        let sender = self
            .sender
            .get_or_insert_with(|| broadcast::channel(BACKLOG).0);
        let seen = usize::try_from(after).unwrap_or(usize::MAX);
        let past = table
            .log()
            .iter()
            .skip(seen)
            .map(EventFrame::from_entry)
            .collect();
        Subscription {
            past,
            live: sender.subscribe(),
            audience: self.audience.clone(),
            present: None,
        }
    }

    /// Sends new events to all watchers.
    pub(crate) fn publish(&self, entries: &[LogEntry]) {
        let Some(sender) = self
            .sender
            .as_ref()
            .filter(|sender| sender.receiver_count() > 0)
        else {
            return;
        };
        for entry in entries {
            // The last watcher may have just left.
            let _ = sender.send(Arc::new(EventFrame::from_entry(entry)));
        }
    }

    /// Returns true if there are watchers.
    pub(crate) fn is_watched(&self) -> bool {
        self.sender
            .as_ref()
            .is_some_and(|sender| sender.receiver_count() > 0)
    }
}
