//! Messages of a table as they are written, as one person may read them.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use parlor_store::TalkMessage;
use parlor_table::TableId;

use super::{MAX_MESSAGES, Room, TalkLine, TalkRights};
use crate::AppState;
use crate::auth::Requester;
use crate::error::Error;
use crate::live::{NoFrame, TalkChannel, table_key};

/// A serialized message.
#[derive(Clone, Debug)]
pub(crate) struct TalkFrame {
    /// Number of the message.
    pub(crate) n: i64,
    room: Room,
    /// Account of the author.
    user: Option<i64>,
    /// The message as JSON.
    pub(crate) json: String,
}

impl TalkFrame {
    /// Serializes a message.
    pub(crate) fn new(table: TableId, message: TalkMessage) -> TalkFrame {
        let user = message.author.user;
        let line = TalkLine::new(table, message);
        TalkFrame {
            n: line.n,
            room: line.room,
            user,
            json: serde_json::to_string(&line).unwrap_or_default(),
        }
    }
}

/// Receiver of a table's messages for one person.
pub(crate) struct TalkListener {
    state: AppState,
    id: TableId,
    who: Option<Requester>,
    channel: TalkChannel,
    rights: TalkRights,
    /// True if something has happened at the table that may change the rights.
    is_stale: bool,
    /// Accounts whose messages the person does not want to see.
    unheard: BTreeSet<i64>,
    /// Number of the last message that was passed on or left out.
    last: i64,
    /// True if messages after the last one must be read from the store.
    is_behind: bool,
    ready: VecDeque<Arc<TalkFrame>>,
}

impl TalkListener {
    /// Listens to the messages after a number.
    pub(crate) async fn open(
        state: &AppState,
        id: TableId,
        who: Option<Requester>,
        after: i64,
    ) -> Result<TalkListener, Error> {
        let rights = state.talk_rights(id, who.as_ref()).await?;
        let unheard = state.unheard_by(who.as_ref()).await?;
        let channel = state.live().listen_to_talk(id).await?;
        Ok(TalkListener {
            state: state.clone(),
            id,
            who,
            channel,
            rights,
            is_stale: false,
            unheard,
            last: after,
            is_behind: true,
            ready: VecDeque::new(),
        })
    }

    /// Learns that something has happened at the table.
    pub(crate) fn hear_event(&mut self) {
        self.is_stale = true;
    }

    /// Returns the next message that the person may read and wants to see. Nothing is lost if the
    /// returned future is dropped.
    pub(crate) async fn next(&mut self) -> Result<Arc<TalkFrame>, NoFrame> {
        loop {
            if self.is_behind {
                self.catch_up().await;
            }
            while let Some(frame) = self.ready.front().cloned() {
                if frame.n > self.last && self.is_stale {
                    self.refresh_rights().await;
                }
                self.ready.pop_front();
                let is_new = frame.n > self.last;
                self.last = self.last.max(frame.n);
                if is_new && self.wants(&frame) {
                    return Ok(frame);
                }
            }
            match self.channel.next().await {
                Ok(frame) => self.ready.push_back(frame),
                Err(NoFrame::Lagged) => self.is_behind = true,
                Err(end) => return Err(end),
            }
        }
    }

    fn wants(&self, frame: &TalkFrame) -> bool {
        let is_unheard = frame.user.is_some_and(|user| self.unheard.contains(&user));
        self.rights.may_read(frame.room) && !is_unheard
    }

    /// Reads the messages after the last one.
    async fn catch_up(&mut self) {
        let rooms = Room::ALL.map(Room::stored);
        let table = table_key(self.id);
        let last = self.ready.back().map_or(self.last, |frame| frame.n);
        let found = self.state.store();
        let found = found.talk(table, &rooms, Some(last), MAX_MESSAGES).await;
        // Without the store there is nothing new to read either.
        let found = found.unwrap_or_default();
        self.is_behind = found.len() as u64 == MAX_MESSAGES;
        let frames = found.into_iter();
        let frames = frames.map(|message| Arc::new(TalkFrame::new(self.id, message)));
        self.ready.extend(frames);
    }

    async fn refresh_rights(&mut self) {
        match self.state.talk_rights(self.id, self.who.as_ref()).await {
            Ok(rights) => (self.rights, self.is_stale) = (rights, false),
            Err(error) => tracing::debug!(detail = error.detail, "rights are not known"),
        }
    }
}
