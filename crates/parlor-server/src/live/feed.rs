//! Telling those who watch.

use std::sync::Arc;

use parlor_table::{Entry, Table};
use tokio::sync::{broadcast, watch};

use super::Present;

/// Events that a watcher may be behind before it has to catch up from the log.
const BACKLOG: usize = 128;

/// An event as it goes out.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The event's number.
    pub(crate) version: u64,
    /// What kind of event: `moved`.
    pub(crate) kind: String,
    /// The event as JSON, without anything that is not for everybody.
    pub(crate) json: String,
}

impl Frame {
    fn of(entry: &Entry) -> Frame {
        let json = entry.public();
        let kind = json["type"].as_str().unwrap_or_default().to_owned();
        Frame {
            version: entry.version,
            kind,
            json: json.to_string(),
        }
    }
}

/// What a watcher gets: what was, then what comes, without a gap.
#[derive(Debug)]
pub(crate) struct Subscription {
    /// The events up to now.
    pub(crate) past: Vec<Frame>,
    /// The events from now on. Closed when the table's task ends; lagging when the watcher is too slow.
    pub(crate) live: broadcast::Receiver<Arc<Frame>>,
    /// Those who look on without a seat.
    pub(crate) audience: Audience,
    /// The watcher's own connection: as long as it is kept, the watcher is there.
    pub(crate) present: Option<Present>,
}

/// Those who look on without a seat, as far as they say so by [`Audience::enter`].
#[derive(Clone, Debug)]
pub(crate) struct Audience(watch::Sender<u32>);

impl Default for Audience {
    fn default() -> Audience {
        Audience(watch::Sender::new(0))
    }
}

impl Audience {
    /// One more, until the guard is dropped.
    pub(crate) fn enter(&self) -> Spectator {
        self.0.send_modify(|count| *count += 1);
        Spectator(self.clone())
    }

    /// How many there are, now and whenever that changes.
    pub(crate) fn count(&self) -> watch::Receiver<u32> {
        let mut count = self.0.subscribe();
        count.mark_changed();
        count
    }
}

/// One of the audience.
#[derive(Debug)]
pub(crate) struct Spectator(Audience);

impl Drop for Spectator {
    fn drop(&mut self) {
        self.0.0.send_modify(|count| *count -= 1);
    }
}

/// The watchers of one table. Costs nothing until the first comes.
#[derive(Debug, Default)]
pub(crate) struct Feed {
    audience: Audience,
    sender: Option<broadcast::Sender<Arc<Frame>>>,
}

impl Feed {
    /// A new watcher, who has seen the events up to `after`.
    pub(crate) fn subscribe(&mut self, table: &Table, after: u64) -> Subscription {
        let sender = self
            .sender
            .get_or_insert_with(|| broadcast::channel(BACKLOG).0);
        let seen = usize::try_from(after).unwrap_or(usize::MAX);
        let past = table.log().iter().skip(seen).map(Frame::of).collect();
        Subscription {
            past,
            live: sender.subscribe(),
            audience: self.audience.clone(),
            present: None,
        }
    }

    /// Tells everybody.
    pub(crate) fn publish(&self, entries: &[Entry]) {
        let Some(sender) = self
            .sender
            .as_ref()
            .filter(|sender| sender.receiver_count() > 0)
        else {
            return;
        };
        for entry in entries {
            // The last watcher may have left just now.
            let _ = sender.send(Arc::new(Frame::of(entry)));
        }
    }

    /// Whether somebody watches.
    pub(crate) fn is_watched(&self) -> bool {
        self.sender
            .as_ref()
            .is_some_and(|sender| sender.receiver_count() > 0)
    }
}
