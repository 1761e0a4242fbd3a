//! Talk at tables: one room for the players and one for the watchers.
//!
//! Talk is kept apart from the games: messages have a table of their own in the database, numbers of
//! their own, and a channel of their own to watchers. Writing and reading does not load a table, and
//! no bot hears of it.

mod listener;
mod moderation;
mod phrases;
mod plans;
mod rights;
mod suggestions;
mod text;

use axum::http::StatusCode;
use parlor_store::{StoreError, TalkMessage, TalkPerson, TalkRoom};
use parlor_table::{SeatKey, TableId};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::AppState;
use crate::accounts::store_id;
use crate::auth::Requester;
use crate::edge::Client;
use crate::error::Error;
use crate::live::table_key;

pub(crate) use self::listener::{TalkFrame, TalkListener};
pub use self::moderation::talk_key;
pub(crate) use self::moderation::{MuteInfo, ReportReason, ReportRequest, run};
pub(crate) use self::phrases::{Phrase, phrases};
use self::plans::Plan;
pub(crate) use self::plans::PlanResponse;
pub(crate) use self::rights::{TalkRights, Writing};
use self::suggestions::{Argument, Suggestion, Worded};

/// Maximum number of messages in one answer.
pub(crate) const MAX_MESSAGES: u64 = 200;
/// Maximum length of a message, in characters.
pub(crate) const MAX_LENGTH: usize = 200;

/// Texts that people may write at the tables of a house.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TalkPolicy {
    /// Nothing: tables have no talk.
    Off,
    /// Ready-made phrases only.
    Phrases,
    /// Ready-made phrases, and texts where the table allows them.
    #[default]
    On,
}

/// Room of a table's talk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Room {
    /// Room of the players, who alone read and write there. Those who left and can come back are among
    /// them.
    Players,
    /// Room of the watchers; after the end of the game, of everybody.
    Watchers,
}

impl Room {
    /// Both rooms.
    pub(crate) const ALL: [Room; 2] = [Room::Players, Room::Watchers];

    /// Returns the name, as in JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Room::Players => "players",
            Room::Watchers => "watchers",
        }
    }

    const fn stored(self) -> TalkRoom {
        match self {
            Room::Players => TalkRoom::Players,
            Room::Watchers => TalkRoom::Watchers,
        }
    }
}

impl From<TalkRoom> for Room {
    fn from(room: TalkRoom) -> Room {
        match room {
            TalkRoom::Players => Room::Players,
            TalkRoom::Watchers => Room::Watchers,
        }
    }
}

/// A message at a table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TalkLine {
    /// Number of the message: later ones at the same table have larger numbers.
    pub(crate) n: i64,
    /// Time of the message, in milliseconds since the Unix epoch.
    pub(crate) at: i64,
    pub(crate) room: Room,
    /// Id of the author at this table. The same person has another one at each table.
    pub(crate) author: String,
    /// Name of the author.
    pub(crate) name: String,
    /// True if the author is a member.
    pub(crate) member: bool,
    /// Seat that the author had.
    pub(crate) seat: Option<u8>,
    /// Id of the ready-made phrase; `null` for free text.
    pub(crate) phrase: Option<String>,
    /// Move of the seat on turn that the author suggests.
    pub(crate) suggests: Option<String>,
    /// Id of the element of the board's picture that the author points at.
    pub(crate) points_at: Option<String>,
    /// Moves of the seat on turn that the author proposes, one after the other.
    pub(crate) plan: Option<Plan>,
    /// Text of the message. It is plain text.
    pub(crate) text: String,
}

impl TalkLine {
    /// Returns the public form of a message.
    pub(crate) fn new(table: TableId, message: TalkMessage) -> TalkLine {
        let phrase = message.phrase.map(Argument::stored);
        let (phrase, argument) = phrase.map_or((None, None), |(id, more)| (Some(id), more));
        let (suggests, points_at, plan) = match argument {
            Some(Argument::Suggestion(Suggestion::Move(text))) => (Some(text), None, None),
            Some(Argument::Suggestion(Suggestion::Place(id))) => (None, Some(id), None),
            Some(Argument::Plan(plan)) => (None, None, Some(plan)),
            None => (None, None, None),
        };
        TalkLine {
            n: message.n,
            at: message.at,
            room: message.room.into(),
            author: author_id(table, &message.author.key),
            name: message.author.name,
            member: message.author.user.is_some(),
            seat: message.seat,
            phrase,
            suggests,
            points_at,
            plan,
            text: message.text,
        }
    }
}

/// Request to write a message: a text, a phrase, or what the author suggests to teammates.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SayRequest {
    /// Room; by default that of the players for those who have a seat, and that of the watchers for
    /// others.
    pub(crate) room: Option<Room>,
    /// Text, on one line.
    #[schema(min_length = 1, max_length = 200)]
    pub(crate) text: Option<String>,
    /// Id of a ready-made phrase.
    #[schema(example = "good-luck")]
    pub(crate) phrase: Option<String>,
    /// Move that the seat on turn can make, as in `legal`, to suggest it in a game that is won together.
    #[schema(max_length = 56, example = "drive:Cairo")]
    pub(crate) suggest: Option<String>,
    /// Id of an element of the board's picture, such as `city-Cairo`, to point at it in such a game.
    #[schema(max_length = 58, example = "city-Cairo")]
    pub(crate) point_at: Option<String>,
    /// Moves of the seat on turn in such a game, one after the other, to propose them as a plan.
    #[schema(min_items = 1, max_items = 12, example = json!(["drive:Cairo", "treat:black"]))]
    pub(crate) plan: Option<Vec<String>>,
}

/// Talk of a table as one person may see it.
#[derive(Debug)]
pub(crate) struct TalkView {
    /// Rights of the person.
    pub(crate) rights: TalkRights,
    /// Messages, oldest first.
    pub(crate) lines: Vec<TalkLine>,
    /// Id of the person as an author at this table.
    pub(crate) you: Option<String>,
    /// Time until which the person may not write, in milliseconds since the Unix epoch.
    pub(crate) silenced_until: Option<i64>,
}

impl AppState {
    /// Returns what a person may do in a table's talk. The table is not loaded for it.
    ///
    /// # Errors
    /// `talk-off` if the house or the table has no talk.
    pub(crate) async fn talk_rights(
        &self,
        id: TableId,
        who: Option<&Requester>,
    ) -> Result<TalkRights, Error> {
        let off = |what: &str| Error::forbidden("talk-off", format!("there is no talk at {what}"));
        if self.talk_policy() == TalkPolicy::Off {
            return Err(off("the tables of this house"));
        }
        let (policy, who) = (self.talk_policy(), who.cloned());
        let read = move |table: &_| TalkRights::new(policy, table, who.as_ref());
        let rights = self.live().peek(id, read).await?;
        rights.ok_or_else(|| off("this table"))
    }

    /// Returns the messages of a table that a person may read: those after a number, or else the
    /// last ones. `room` selects one room.
    pub(crate) async fn talk(
        &self,
        id: TableId,
        who: Option<&Requester>,
        room: Option<Room>,
        after: Option<i64>,
    ) -> Result<TalkView, Error> {
        let rights = self.talk_rights(id, who).await?;
        if room.is_some_and(|room| !rights.may_read(room)) {
            return Err(not_in_room());
        }
        let rooms = Room::ALL
            .into_iter()
            .filter(|read| rights.may_read(*read) && room.is_none_or(|only| only == *read));
        let rooms: Vec<TalkRoom> = rooms.map(Room::stored).collect();
        let found = self
            .store()
            .talk(table_key(id), &rooms, after, MAX_MESSAGES);
        let found = found.await?;
        let unheard = self.unheard_by(who).await?;
        let heard = |message: &TalkMessage| {
            let user = message.author.user;
            user.is_none_or(|user| !unheard.contains(&user))
        };
        let lines = found.into_iter().filter(heard);
        Ok(TalkView {
            lines: lines.map(|message| TalkLine::new(id, message)).collect(),
            you: rights.person(who).map(|person| author_id(id, &person.key)),
            silenced_until: self.silenced_until(who).await?,
            rights,
        })
    }

    /// Returns the accounts whose messages a person does not want to see.
    pub(crate) async fn unheard_by(
        &self,
        who: Option<&Requester>,
    ) -> Result<std::collections::BTreeSet<i64>, Error> {
        match who.and_then(Requester::member) {
            Some(member) => Ok(self.store().unheard_by(store_id(member.id)).await?),
            None => Ok(std::collections::BTreeSet::new()),
        }
    }

    /// Returns the time until which a person may not write, in milliseconds since the Unix epoch.
    async fn silenced_until(&self, who: Option<&Requester>) -> Result<Option<i64>, Error> {
        let keys: Vec<String> = who
            .iter()
            .flat_map(|who| who.keys())
            .map(person_key)
            .collect();
        if keys.is_empty() {
            return Ok(None);
        }
        let now = self.now().millis();
        let silences = self.store().silences_of(&keys, now).await?;
        Ok(silences.first().map(|silence| silence.until))
    }

    /// Returns the text of what somebody says, and the phrase that is stored with it.
    async fn words(
        &self,
        id: TableId,
        rights: &TalkRights,
        room: Room,
        said: SayRequest,
    ) -> Result<(String, Option<String>), Error> {
        let one = "send one of `text`, `phrase`, `suggest`, `point_at` and `plan`";
        match only_one(said).ok_or_else(|| Error::unprocessable(one))? {
            Said::Text(text) => Ok((text::checked(&text)?, None)),
            Said::Phrase(phrase) => {
                let phrase = phrases::find(rights.kind, &phrase)?;
                Ok((phrase.text.to_owned(), Some(phrase.id.to_owned())))
            }
            // Watchers give no advice.
            Said::Suggestion(_) | Said::Plan(_)
                if room != Room::Players || rights.seat.is_none() =>
            {
                Err(not_in_room())
            }
            Said::Plan(moves) => {
                let word = move |table: &_| plans::word(table, &moves);
                let Worded { phrase, text } = self.live().peek(id, word).await??;
                Ok((text, Some(phrase)))
            }
            Said::Suggestion(suggestion) => {
                let worded = self
                    .live()
                    .peek(id, move |table: &_| suggestion.word(table));
                let Worded { phrase, text } = worded.await??;
                Ok((text, Some(phrase)))
            }
        }
    }

    /// Writes a message at a table. Returns when it is durable.
    pub(crate) async fn say(
        &self,
        id: TableId,
        who: &Requester,
        client: Client,
        said: SayRequest,
    ) -> Result<TalkLine, Error> {
        let rights = self.talk_rights(id, Some(who)).await?;
        let room = said.room.unwrap_or_else(|| rights.own_room());
        let (text, phrase) = self.words(id, &rights, room, said).await?;
        match rights.writing(room) {
            Writing::Nothing => return Err(not_in_room()),
            Writing::Phrases if phrase.is_none() => {
                return Err(Error::forbidden("phrases-only", rights.why_phrases_only()));
            }
            Writing::Phrases | Writing::Text => {}
        }
        if let Some(until) = self.silenced_until(Some(who)).await? {
            let detail = "you cannot write for now: an admin has silenced you";
            return Err(Error::forbidden("silenced", detail).with("until", until));
        }
        let key = who.keys().next();
        self.rates().talk(client, key).await?;
        let author = rights
            .person(Some(who))
            .ok_or_else(|| Error::internal("a person who writes has no key"))?;
        let name = author.name.unwrap_or_else(|| guest_name(id, &author.key));
        let mut message = TalkMessage {
            n: 0,
            at: self.now().millis(),
            room: room.stored(),
            author: TalkPerson {
                key: author.key,
                user: author.user,
                name,
            },
            seat: rights.seat,
            phrase,
            text,
        };
        message.n = match self.store().say(table_key(id), &message).await {
            Err(StoreError::NotFound) => return Err(Error::not_found("there is no such table")),
            said => said?,
        };
        metrics::counter!("parlor_talk_messages_total").increment(1);
        self.live().publish_talk(id).await;
        self.hub().marks().add_talk(id);
        self.nodes().tell_talk(id, message.n);
        Ok(TalkLine::new(id, message))
    }
}

/// Takes the one thing that is said out of a request.
fn only_one(said: SayRequest) -> Option<Said> {
    let all = [
        said.text.map(Said::Text),
        said.phrase.map(Said::Phrase),
        said.suggest
            .map(|text| Said::Suggestion(Suggestion::Move(text))),
        said.point_at
            .map(|id| Said::Suggestion(Suggestion::Place(id))),
        said.plan.map(Said::Plan),
    ];
    let mut all = all.into_iter().flatten();
    all.next().filter(|_| all.next().is_none())
}

/// Content of a message.
enum Said {
    Text(String),
    Phrase(String),
    Suggestion(Suggestion),
    Plan(Vec<String>),
}

fn not_in_room() -> Error {
    let detail = "the players' room is for those who have a seat, and the watchers' room is closed to them until the game is over";
    Error::new(StatusCode::FORBIDDEN, "not-in-room", "Not allowed", detail)
}

/// Returns the key under which a person is stored. It tells nothing about the person's own key.
pub(crate) fn person_key(key: SeatKey) -> String {
    format!("{:016x}", key.fingerprint())
}

/// Returns the id of a person as an author at a table.
fn author_id(table: TableId, person: &str) -> String {
    let text = format!("parlor-author/1\n{table}\n{person}");
    hex::encode(&Sha256::digest(text)[..6])
}

/// Returns the name of a guest without a seat, who could otherwise write by it.
fn guest_name(table: TableId, person: &str) -> String {
    format!("Guest {}", &author_id(table, person)[..4])
}
