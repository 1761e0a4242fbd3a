//! Messages of a table's talk, from the store to those who listen here.

use std::sync::Arc;

use parlor_store::{TalkMessage, TalkRoom};
use parlor_table::TableId;
use tokio::sync::broadcast;

use super::feed::Feed;
use super::{LiveError, LiveTables, NoFrame, table_key};
use crate::talk::TalkFrame;

/// Number of messages that a listener may lag behind before it has to read the store.
const BACKLOG: usize = 32;
/// Number of messages that are read at once.
const PAGE: u64 = 200;

/// Receiver of the messages of both rooms.
#[derive(Debug)]
pub(crate) struct TalkChannel {
    frames: broadcast::Receiver<Arc<TalkFrame>>,
    /// Keeps the feed while somebody listens.
    _feed: Arc<Feed>,
}

impl TalkChannel {
    /// Returns the next message.
    pub(crate) async fn next(&mut self) -> Result<Arc<TalkFrame>, NoFrame> {
        self.frames.recv().await.map_err(|error| match error {
            broadcast::error::RecvError::Lagged(_) => NoFrame::Lagged,
            broadcast::error::RecvError::Closed => NoFrame::Closed,
        })
    }
}

/// Talk of a feed.
#[derive(Debug, Default)]
pub(super) struct TalkFeed {
    sender: Option<broadcast::Sender<Arc<TalkFrame>>>,
    /// Number of the last message that all listeners have or read themselves; `None` until it is
    /// known.
    latest: Option<i64>,
}

impl TalkFeed {
    /// Adds a listener, who reads from the store what was stored before.
    fn listen(&mut self) -> broadcast::Receiver<Arc<TalkFrame>> {
        if !self.is_heard() {
            self.latest = None;
        }
        let sender = self
            .sender
            .get_or_insert_with(|| broadcast::channel(BACKLOG).0);
        sender.subscribe()
    }

    fn is_heard(&self) -> bool {
        let sender = self.sender.as_ref();
        sender.is_some_and(|sender| sender.receiver_count() > 0)
    }

    /// Sends messages that follow those which the listeners have.
    fn publish(&mut self, table: TableId, messages: Vec<TalkMessage>) {
        for message in messages {
            if self.latest.is_some_and(|latest| message.n > latest) {
                self.latest = Some(message.n);
                if let Some(sender) = &self.sender {
                    // The last listener may have just left.
                    let _ = sender.send(Arc::new(TalkFrame::new(table, message)));
                }
            }
        }
    }

    /// Ends the channel of a deleted table.
    pub(super) fn close(&mut self) {
        self.sender = None;
    }
}

impl LiveTables {
    /// Listens to a table's messages from now on. Those from before must be read after this.
    pub(crate) async fn listen_to_talk(&self, id: TableId) -> Result<TalkChannel, LiveError> {
        let feed = self.shared.feed(id);
        let frames = feed.talk().listen();
        let ends = self.shared.store.talk_ends(&[table_key(id)]).await?;
        let end = ends.first().map_or(0, |(_, end)| *end);
        feed.talk().latest.get_or_insert(end);
        Ok(TalkChannel {
            frames,
            _feed: feed,
        })
    }

    /// Sends the messages that listeners of a table lack.
    pub(crate) async fn publish_talk(&self, id: TableId) {
        let Some(feed) = self.shared.feeds.get(id) else {
            return;
        };
        loop {
            let after = {
                let talk = feed.talk();
                talk.latest.filter(|_| talk.is_heard())
            };
            let Some(after) = after else {
                return;
            };
            let read = self
                .shared
                .store
                .talk(table_key(id), &TalkRoom::ALL, Some(after), PAGE);
            match read.await {
                Ok(messages) => {
                    let is_all = (messages.len() as u64) < PAGE;
                    feed.talk().publish(id, messages);
                    if is_all {
                        return;
                    }
                }
                Err(error) => {
                    // The next message, or the next question to the database, tries again.
                    tracing::debug!(table = %id, %error, "could not read messages");
                    return;
                }
            }
        }
    }

    /// Learns that a table has messages up to a number, stored by another node.
    pub(crate) fn hear_talk(&self, id: TableId, n: i64) {
        let Some(feed) = self.shared.feeds.get(id) else {
            return;
        };
        let is_news = {
            let talk = feed.talk();
            talk.is_heard() && talk.latest.is_some_and(|latest| latest < n)
        };
        if is_news {
            let live = self.clone();
            tokio::spawn(async move { live.publish_talk(id).await });
        }
    }

    /// Returns the tables whose talk somebody listens to here.
    pub(crate) fn heard_tables(&self) -> Vec<TableId> {
        let feeds = self.shared.feeds.all();
        let heard = feeds.iter().filter(|feed| feed.talk().is_heard());
        heard.map(|feed| feed.id()).collect()
    }
}
