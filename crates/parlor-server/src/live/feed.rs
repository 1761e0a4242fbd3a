//! Live events for the watchers of tables, whether or not the tables are in memory.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use parlor_table::{LogEntry, TableId};
use tokio::sync::{broadcast, watch};
use tokio::time::Instant;

use super::talk::TalkFeed;
use crate::nodes::Followed;
use crate::people::PresenceGuard;

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
    /// Serializes an event for everybody.
    pub(super) fn from_entry(entry: &LogEntry) -> EventFrame {
        let json = entry.public();
        let kind = json["type"].as_str().unwrap_or_default().to_owned();
        EventFrame {
            version: entry.version,
            kind,
            json: json.to_string(),
        }
    }
}

/// Events of a table after a version, a page of them at most.
#[derive(Debug)]
pub(super) struct PastEvents {
    pub(super) frames: Vec<EventFrame>,
    /// Version of the last of them, or of the table if there are none.
    pub(super) version: u64,
    /// True if there are no later ones.
    pub(super) is_whole: bool,
}

impl PastEvents {
    pub(super) fn extend(&mut self, later: PastEvents) {
        self.frames.extend(later.frames);
        (self.version, self.is_whole) = (later.version, later.is_whole);
    }
}

/// Past events followed by live ones, without a gap.
#[derive(Debug)]
pub(crate) struct Subscription {
    /// Events up to now, or the first page of them.
    pub(crate) past: Vec<EventFrame>,
    /// Events from now on, some of which may be among the past ones. `None` if there are more past
    /// events: subscribe again after the last.
    pub(crate) live: Option<Watcher>,
    /// Spectators of the table.
    pub(crate) audience: Audience,
    /// Marks the watcher as present while it is kept.
    pub(crate) present: Option<PresenceGuard>,
}

/// Receiver of a table's events as they happen.
#[derive(Debug)]
pub(crate) struct Watcher {
    frames: broadcast::Receiver<Arc<EventFrame>>,
    feed: Arc<Feed>,
}

/// Reason why a watcher gets no event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoFrame {
    /// The watcher was too slow and has missed some: it must subscribe again.
    Lagged,
    /// The table was deleted.
    Closed,
    /// The database has lost events that the watcher got.
    Rewound,
}

impl Watcher {
    /// Returns the next event.
    pub(crate) async fn next(&mut self) -> Result<Arc<EventFrame>, NoFrame> {
        self.frames.recv().await.map_err(|error| match error {
            broadcast::error::RecvError::Lagged(_) => NoFrame::Lagged,
            broadcast::error::RecvError::Closed if self.feed.lock().is_rewound => NoFrame::Rewound,
            broadcast::error::RecvError::Closed => NoFrame::Closed,
        })
    }
}

/// Age at which another node's number of spectators no longer counts, as it may be dead.
const COUNT_AGE: Duration = Duration::from_secs(5);

/// Counter of a table's spectators: of those that announced themselves here with
/// [`Audience::enter`], and of those that other nodes tell of.
#[derive(Clone, Debug)]
pub(crate) struct Audience(Arc<AudienceState>);

#[derive(Debug)]
struct AudienceState {
    counts: Mutex<Counts>,
    total: watch::Sender<u32>,
}

#[derive(Debug, Default)]
struct Counts {
    here: u32,
    /// Numbers on other nodes, and when they were heard.
    elsewhere: HashMap<u64, (u32, Instant)>,
}

impl Default for Audience {
    fn default() -> Audience {
        Audience(Arc::new(AudienceState {
            counts: Mutex::default(),
            total: watch::Sender::new(0),
        }))
    }
}

impl Audience {
    /// Counts a spectator until the returned guard is dropped.
    pub(crate) fn enter(&self) -> Spectator {
        self.change(|counts| counts.here += 1);
        Spectator(self.clone())
    }

    /// Returns a receiver of the current count and its changes.
    pub(crate) fn count(&self) -> watch::Receiver<u32> {
        let mut count = self.0.total.subscribe();
        count.mark_changed();
        count
    }

    /// Returns the number of spectators on this node, and forgets those of nodes that are silent.
    pub(super) fn here(&self) -> u32 {
        let mut here = 0;
        self.change(|counts| {
            counts
                .elsewhere
                .retain(|_, (_, heard)| heard.elapsed() < COUNT_AGE);
            here = counts.here;
        });
        here
    }

    /// Learns the number of spectators on another node.
    pub(super) fn hear(&self, node: u64, count: u32) {
        self.change(|counts| {
            counts.elsewhere.insert(node, (count, Instant::now()));
        });
    }

    fn change(&self, change: impl FnOnce(&mut Counts)) {
        // No code that can panic runs while the lock is held.
        let counts = self.0.counts.lock();
        let mut counts = counts.unwrap_or_else(PoisonError::into_inner);
        change(&mut counts);
        let elsewhere = counts.elsewhere.values().map(|(count, _)| *count);
        let total = elsewhere.fold(counts.here, u32::saturating_add);
        self.0
            .total
            .send_if_modified(|shown| std::mem::replace(shown, total) != total);
    }
}

/// Guard that counts as one spectator.
#[derive(Debug)]
pub(crate) struct Spectator(Audience);

impl Drop for Spectator {
    fn drop(&mut self) {
        self.0.change(|counts| counts.here -= 1);
    }
}

/// The feeds of all tables that are watched here or in memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Feeds(Arc<Mutex<HashMap<TableId, Weak<Feed>>>>);

impl Feeds {
    /// Returns the feed of a table, made anew if nobody holds it.
    /// `follow` asks for the hints of other nodes.
    pub(super) fn open(&self, id: TableId, follow: impl FnOnce() -> Followed) -> Arc<Feed> {
        let mut feeds = self.lock();
        if let Some(feed) = feeds.get(&id).and_then(Weak::upgrade) {
            return feed;
        }
        let feed = Arc::new(Feed {
            id,
            feeds: self.clone(),
            audience: Audience::default(),
            state: Mutex::default(),
            talk: Mutex::default(),
            _followed: follow(),
        });
        feeds.insert(id, Arc::downgrade(&feed));
        feed
    }

    /// Returns the feed of a table, if anybody holds it.
    pub(super) fn get(&self, id: TableId) -> Option<Arc<Feed>> {
        self.lock().get(&id).and_then(Weak::upgrade)
    }

    /// Returns the feeds that have watchers.
    pub(super) fn watched(&self) -> Vec<Arc<Feed>> {
        let feeds: Vec<_> = self.lock().values().filter_map(Weak::upgrade).collect();
        feeds.into_iter().filter(|feed| feed.is_watched()).collect()
    }

    /// Returns all feeds.
    pub(super) fn all(&self) -> Vec<Arc<Feed>> {
        self.lock().values().filter_map(Weak::upgrade).collect()
    }

    /// Ends the streams of all watchers of a deleted table.
    pub(super) fn close(&self, id: TableId) {
        self.end(id, false);
    }

    /// Ends the streams of all watchers of a table of which the database has lost the last events, as
    /// after a failover to a copy that was behind. New watchers see what is stored.
    pub(super) fn rewind(&self, id: TableId) {
        self.end(id, true);
    }

    fn end(&self, id: TableId, is_rewound: bool) {
        let feed = self.lock().remove(&id);
        if let Some(feed) = feed.and_then(|feed| feed.upgrade()) {
            feed.talk().close();
            let mut state = feed.lock();
            state.is_rewound = is_rewound;
            state.sender = Sender::Closed;
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<TableId, Weak<Feed>>> {
        // No code that can panic runs while the lock is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The watchers of one table.
///
/// All watchers get the same events in the order of their versions, each once and without a gap,
/// whoever publishes them: the table's task, or the news of another node.
pub(super) struct Feed {
    id: TableId,
    feeds: Feeds,
    audience: Audience,
    state: Mutex<FeedState>,
    talk: Mutex<TalkFeed>,
    _followed: Followed,
}

#[derive(Debug, Default)]
struct FeedState {
    sender: Sender,
    /// Version of the last event that all watchers have; `None` before the first one came.
    latest: Option<u64>,
    /// True if the watchers got events that the database has lost.
    is_rewound: bool,
}

/// Channel to the watchers; allocated for the first one.
#[derive(Debug, Default)]
enum Sender {
    #[default]
    Unused,
    Open(broadcast::Sender<Arc<EventFrame>>),
    Closed,
}

impl Feed {
    /// Returns the table whose events these are.
    pub(super) fn id(&self) -> TableId {
        self.id
    }

    /// Returns the spectators.
    pub(super) fn audience(&self) -> Audience {
        self.audience.clone()
    }

    /// Returns the talk of the table.
    pub(super) fn talk(&self) -> MutexGuard<'_, TalkFeed> {
        // No code that can panic runs while the lock is held.
        self.talk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the version of the last event that all watchers have.
    pub(super) fn latest(&self) -> Option<u64> {
        self.lock().latest
    }

    /// Adds a watcher. Past events must be read after this and told with [`Feed::begin`].
    pub(super) fn watch(self: &Arc<Self>) -> Watcher {
        let mut state = self.lock();
        if let Sender::Unused = state.sender {
            state.sender = Sender::Open(broadcast::channel(BACKLOG).0);
        }
        let frames = match &state.sender {
            Sender::Open(sender) => sender.subscribe(),
            // A receiver without a sender is at its end.
            Sender::Unused | Sender::Closed => broadcast::channel(1).1,
        };
        Watcher {
            frames,
            feed: self.clone(),
        }
    }

    /// Tells that a new watcher has the events up to `version`, read after it began to watch.
    /// Returns false if other watchers have got later ones, so that it must read again.
    pub(super) fn begin(&self, version: u64) -> bool {
        let mut state = self.lock();
        let latest = *state.latest.get_or_insert(version);
        version >= latest
    }

    /// Sends events that follow each other to all watchers, without those that they have. Returns
    /// false, and sends nothing, if events between are missing.
    pub(super) fn publish(&self, frames: impl IntoIterator<Item = EventFrame>) -> bool {
        let mut state = self.lock();
        for frame in frames {
            let version = frame.version;
            match state.latest {
                Some(latest) if version <= latest => continue,
                Some(latest) if version > latest + 1 => return false,
                _ => state.latest = Some(version),
            }
            if let Sender::Open(sender) = &state.sender {
                // The last watcher may have just left.
                let _ = sender.send(Arc::new(frame));
            }
        }
        true
    }

    /// Sends the last events of a table's whole log to all watchers: those after `before`, and
    /// earlier ones that they do not have.
    pub(super) fn publish_log(&self, log: &[LogEntry], before: u64) {
        let from = self.latest().map_or(before, |latest| latest.min(before));
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        let new = log.get(from..).unwrap_or_default();
        if self.is_watched() {
            self.publish(new.iter().map(EventFrame::from_entry));
        } else if let Some(last) = new.last() {
            // Nobody needs the frames, and whoever comes next reads the log.
            self.lock().latest = Some(last.version);
        }
    }

    /// Returns true if there are watchers.
    pub(super) fn is_watched(&self) -> bool {
        match &self.lock().sender {
            Sender::Open(sender) => sender.receiver_count() > 0,
            Sender::Unused | Sender::Closed => false,
        }
    }

    fn lock(&self) -> MutexGuard<'_, FeedState> {
        // No code that can panic runs while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        let mut feeds = self.feeds.lock();
        // A new feed of the same table may have taken its place.
        if feeds
            .get(&self.id)
            .is_some_and(|feed| feed.strong_count() == 0)
        {
            feeds.remove(&self.id);
        }
    }
}

impl fmt::Debug for Feed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feed")
            .field("id", &self.id)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
