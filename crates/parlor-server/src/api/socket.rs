//! The WebSocket of a table: moves with acknowledgments, and events from any version on.
//!
//! Messages are JSON texts of two closed types, one for each direction: [`ClientIn`] and
//! [`ClientOut`].

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Extension, State};
use axum::response::Response;
use parlor_table::{
    ClockView, Command, Ending, Lag, MoveId, Refusal, TableId, TableStatus, TableTurn, Timestamp,
};
use problem_details::ProblemDetails;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::sync::watch;
use utoipa::ToSchema;

use super::schema;
use crate::AppState;
use crate::auth::{self, Caller, Scope};
use crate::edge::limits::{MessageRate, StreamPermit};
use crate::edge::{Client, Cut};
use crate::error::Error;
use crate::extract::{TablePath, parse};
use crate::live::{Audience, CommandResult, EventFrame, NoFrame, Spectator, Subscription, Watcher};
use crate::people::PresenceGuard;
use crate::talk::{TalkFrame, TalkLine, TalkListener};

/// Maximum length of a message, in bytes.
const MESSAGE_LIMIT: usize = 8 << 10;
/// Bytes that may wait for a client that does not read, the longest message among them. Beyond that the
/// socket is dropped.
const UNREAD_LIMIT: usize = 4 << 20;
/// Maximum size of a message that is read before it is refused, in bytes. Closing a connection with
/// unread bytes resets it, and the client would not learn why.
const READ_LIMIT: usize = 8 * MESSAGE_LIMIT;
/// Size of the read and write buffers, in bytes. The default of 128 KiB would dominate the memory
/// of a quiet socket.
const BUFFER: usize = 4 << 10;
/// Interval of pings to the client.
const PING_EVERY: Duration = Duration::from_secs(25);
/// Time after which a silent client is considered gone; also the timeout for sending a message.
const PATIENCE: Duration = Duration::from_secs(60);
/// Timeout for the client to close its side.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);
/// Time for which a client's reading of a table's events keeps others waiting.
const LONGEST_REPLAY: Duration = Duration::from_secs(1);
/// Close code for a client that is too slow: connect again and subscribe from the last version
/// seen.
const TOO_SLOW: u16 = 4008;
/// Close code for a client whose session or token has ended.
const REVOKED: u16 = 4401;

/// Message from a client.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum ClientIn {
    /// Play a move.
    Move {
        /// Text of the move.
        #[serde(rename = "move")]
        text: String,
        /// Client-chosen id of this move; the acknowledgment repeats it, and resending the move
        /// with it is harmless.
        #[schema(pattern = "^[A-Za-z0-9_-]{1,64}$")]
        id: String,
        /// Version of the table that the move was decided on.
        version: Option<u64>,
        /// Round trip that you measured, in milliseconds, as in requests of the HTTP API.
        #[schema(maximum = 60_000)]
        lag_ms: Option<u64>,
    },
    /// Send all events after a version, then live ones.
    Subscribe {
        /// Last version seen; 0 for all events.
        after: u64,
        /// True to receive the number of spectators.
        #[serde(default)]
        #[schema(default = false)]
        audience: bool,
    },
    /// Send the messages of the table's talk that you may read, after a number, then live ones.
    Talk {
        /// Number of the last message seen; 0 for all.
        after: i64,
    },
    /// Ask for a `pong`.
    Ping {},
}

impl ClientIn {
    /// Returns the id of a move.
    fn move_id(&self) -> Option<&str> {
        match self {
            ClientIn::Move { id, .. } => Some(id),
            ClientIn::Subscribe { .. } | ClientIn::Talk { .. } | ClientIn::Ping {} => None,
        }
    }
}

/// Message from the server.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ClientOut<'a> {
    /// An event at the table.
    Event {
        /// Number of the event.
        version: u64,
        /// The event.
        #[schema(value_type = schema::LogEntrySchema)]
        event: &'a RawValue,
        /// Server time of this message, in milliseconds since the Unix epoch.
        #[schema(value_type = i64)]
        now: Timestamp,
    },
    /// Your move was played and is durable.
    Ack {
        /// Id of the move.
        id: &'a str,
        /// Version: the number of the table's last event.
        version: u64,
        /// Status of the table.
        #[schema(value_type = schema::StatusSchema)]
        status: TableStatus,
        #[schema(value_type = schema::TurnSchema)]
        turn: TableTurn,
        /// Ending, once the game is over.
        #[schema(value_type = Option<schema::EndingSchema>, required)]
        ending: Option<Ending>,
        /// Clocks; `null` at tables without time control.
        #[schema(value_type = Option<schema::ClockSchema>, required)]
        clock: Option<ClockView>,
        /// Server time of this message, in milliseconds since the Unix epoch.
        #[schema(value_type = i64)]
        now: Timestamp,
    },
    /// Your message was refused.
    Error {
        /// Id of the move, if the message was one.
        id: Option<&'a str>,
        /// Reason, as in responses of the HTTP API.
        #[schema(value_type = schema::ProblemSchema)]
        problem: Box<ProblemDetails<Map<String, Value>>>,
    },
    /// Number of spectators, if it was asked for.
    Audience {
        /// Number of spectators.
        count: u32,
    },
    /// A message of the table's talk, if it was asked for.
    Talk {
        /// The message.
        #[schema(value_type = TalkLine)]
        message: &'a RawValue,
    },
    /// Reply to a `ping`. Half of the round-trip time is the delay of an event on its way to you,
    /// and of your moves on their way to the server.
    Pong {
        /// Server time of this message, in milliseconds since the Unix epoch.
        #[schema(value_type = i64)]
        now: Timestamp,
    },
}

/// Opens a WebSocket for a table.
///
/// Send `{"type":"subscribe","after":0}` for events and
/// `{"type":"move","id":"m1","move":"1,1","version":3}` to play; each move is answered with `ack`
/// or `error` and its id. `{"type":"talk","after":0}` asks for the messages of the table's talk. Whoever has
/// opened it with credentials counts as present. Messages count as requests
/// of your address. Close codes: 1001 server
/// shutting down, 1003 not a text message, 1008 too many messages, 1009 message too long, 4008 too
/// slow, 4401 session or token ended, 4404 table deleted.
#[utoipa::path(
    get, path = "/tables/{id}/socket", operation_id = "open_socket", tag = "events", params(schema::TableIdPath),
    responses((status = SWITCHING_PROTOCOLS, description = "Texts of `ClientIn` one way and `ClientOut` the other"))
)]
pub(crate) async fn open(
    State(state): State<AppState>,
    TablePath(id): TablePath,
    client: Client,
    caller: Option<Caller>,
    cut: Option<Extension<Cut>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Error> {
    let upgrade = upgrade.map_err(|rejection| Error::bad_request(rejection.body_text()))?;
    state.read(id, |_| ()).await?;
    let permit = state.streams().open(client)?;
    let rate = MessageRate::new(state.limits().messages_per_second);
    let upgrade = upgrade.read_buffer_size(BUFFER).write_buffer_size(BUFFER);
    let upgrade = upgrade.max_write_buffer_size(UNREAD_LIMIT);
    Ok(upgrade
        .max_message_size(READ_LIMIT)
        .max_frame_size(READ_LIMIT)
        .on_upgrade(move |socket| {
            let present = caller.as_ref();
            let present = present.map(|caller| state.people().enter(caller.who()));
            let session = SocketSession {
                state,
                id,
                client,
                caller,
                socket,
                rate,
                live: None,
                talk: None,
                seen: 0,
                audience: None,
                _present: present,
                cut: cut.map(|Extension(cut)| cut).unwrap_or_default(),
                count: None,
                last_heard: Instant::now(),
            };
            session.run(permit)
        }))
}

struct SocketSession {
    state: AppState,
    id: TableId,
    client: Client,
    caller: Option<Caller>,
    socket: WebSocket,
    rate: MessageRate,
    live: Option<Watcher>,
    /// Messages of the table's talk, if the client asked for them.
    talk: Option<TalkListener>,
    seen: u64,
    /// Audience of the table, and our place in it unless we hold a seat.
    audience: Option<(Audience, Option<Spectator>)>,
    /// Marks the person as present.
    _present: Option<PresenceGuard>,
    /// Ends the connection of a client that floods it.
    cut: Cut,
    /// Number of spectators, if the client asked for it.
    count: Option<watch::Receiver<u32>>,
    last_heard: Instant,
}

/// Reason for the end of a session.
enum SocketEnd {
    /// The client is gone.
    Gone,
    /// The server closes the connection.
    Close(u16, &'static str),
}

impl SocketSession {
    async fn run(mut self, _permit: StreamPermit) {
        let closing = self.state.streams_end();
        let revoked = auth::until_revoked(self.caller.as_ref(), &self.state);
        let cut = self.cut.clone();
        tokio::pin!(closing, revoked);
        let mut pings = tokio::time::interval(PING_EVERY);
        let end = loop {
            let step = tokio::select! {
                message = self.socket.recv() => self.receive(message).await,
                frame = next(&mut self.live) => self.forward(frame).await,
                message = next_message(&mut self.talk) => self.forward_message(message).await,
                count = changed(&mut self.count) => self.send(&ClientOut::Audience { count }).await,
                _ = pings.tick() => self.ping().await,
                () = &mut closing => Err(SocketEnd::Close(close_code::AWAY, "the server is shutting down")),
                () = cut.wait() => Err(SocketEnd::Gone),
                () = &mut revoked => Err(SocketEnd::Close(REVOKED, "your session or token has ended")),
            };
            if let Err(end) = step {
                break end;
            }
        };
        if let SocketEnd::Close(code, reason) = end {
            let _ = tokio::time::timeout(CLOSE_TIMEOUT, self.close(code, reason)).await;
        }
    }

    async fn receive(
        &mut self,
        message: Option<Result<Message, axum::Error>>,
    ) -> Result<(), SocketEnd> {
        self.last_heard = Instant::now();
        let message = match message {
            Some(Ok(message)) => message,
            Some(Err(error)) if is_too_long(&error) => {
                return Err(SocketEnd::Close(close_code::SIZE, "message too long"));
            }
            Some(Err(_)) | None => return Err(SocketEnd::Gone),
        };
        let length = match &message {
            Message::Text(text) => text.len(),
            Message::Binary(bytes) => bytes.len(),
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) => 0,
        };
        if length > MESSAGE_LIMIT {
            return Err(SocketEnd::Close(close_code::SIZE, "message too long"));
        }
        match message {
            // Each ping is answered, which takes memory if the client does not read.
            _ if !self.rate.admit() => {
                metrics::counter!("parlor_throttled_total", "policy" => "messages").increment(1);
                self.state.limit_log().note_other("messages", self.client);
                Err(SocketEnd::Close(close_code::POLICY, "too many messages"))
            }
            Message::Text(text) => {
                let admitted = self.state.rates().request(self.client);
                match (admitted, parse(text.as_bytes())) {
                    (Ok(()), Ok(asked)) => self.answer(asked).await,
                    (Err(error), Ok(asked)) => self.refuse(asked.move_id(), error).await,
                    (Err(error), Err(_)) | (Ok(()), Err(error)) => self.refuse(None, error).await,
                }
            }
            Message::Binary(_) => Err(SocketEnd::Close(
                close_code::UNSUPPORTED,
                "messages must be text",
            )),
            Message::Ping(_) | Message::Pong(_) => Ok(()),
            Message::Close(_) => Err(SocketEnd::Gone),
        }
    }

    async fn answer(&mut self, asked: ClientIn) -> Result<(), SocketEnd> {
        match asked {
            ClientIn::Move {
                text,
                id,
                version,
                lag_ms,
            } => match self.play(text, &id, version, lag_ms).await {
                Ok(CommandResult {
                    version,
                    status,
                    turn,
                    ending,
                    clock,
                    now,
                    ..
                }) => {
                    self.send(&ClientOut::Ack {
                        id: &id,
                        version,
                        status,
                        turn,
                        ending,
                        clock,
                        now,
                    })
                    .await
                }
                Err(error) => self.refuse(Some(&id), error).await,
            },
            ClientIn::Subscribe { after, audience } => self.subscribe(after, audience).await,
            ClientIn::Talk { after } => self.listen_to_talk(after).await,
            ClientIn::Ping {} => {
                self.send(&ClientOut::Pong {
                    now: self.state.now(),
                })
                .await
            }
        }
    }

    async fn play(
        &mut self,
        text: String,
        id: &str,
        version: Option<u64>,
        lag_ms: Option<u64>,
    ) -> Result<CommandResult, Error> {
        let missing = || Error::unauthorized("only the holder of a seat's token can move");
        let caller = self.caller.as_ref().ok_or_else(missing)?;
        caller.require(Scope::Play)?;
        let who = caller.who().clone();
        let command = Command::Move {
            text,
            id: Some(MoveId::new(id)?),
            version,
            lag: Lag::from_millis(lag_ms.unwrap_or(0)).map_err(Refusal::from)?,
        };
        self.state.act(self.id, who, command).await
    }

    async fn subscribe(&mut self, after: u64, count: bool) -> Result<(), SocketEnd> {
        let who = self.caller.as_ref().map(|caller| caller.who().clone());
        // Events of a long game are thousands of messages, and an address may have many sockets.
        let turn = self.state.replays().begin(self.client).await;
        let _turn = turn.for_at_most(LONGEST_REPLAY);
        let live = self.state.live().clone();
        let mut page = live.subscribe(self.id, after, who).await;
        if page.is_ok() {
            (self.seen, self.live) = (after, None);
        }
        loop {
            let Subscription {
                past,
                live: watcher,
                audience,
                ..
            } = match page {
                Ok(subscription) => subscription,
                Err(error) => return self.refuse(None, error.into()).await,
            };
            for frame in past {
                self.event(&frame).await?;
            }
            let Some(watcher) = watcher else {
                page = live.subscribe_further(self.id, self.seen).await;
                continue;
            };
            self.live = Some(watcher);
            self.count = count.then(|| audience.count());
            self.audience = Some((audience, None));
            self.update_audience().await;
            return Ok(());
        }
    }

    async fn listen_to_talk(&mut self, after: i64) -> Result<(), SocketEnd> {
        let who = self.caller.as_ref().map(|caller| caller.who().clone());
        match TalkListener::open(&self.state, self.id, who, after).await {
            Ok(listener) => self.talk = Some(listener),
            Err(error) => return self.refuse(None, error).await,
        }
        Ok(())
    }

    async fn forward_message(
        &mut self,
        message: Result<Arc<TalkFrame>, NoFrame>,
    ) -> Result<(), SocketEnd> {
        let Ok(frame) = message else {
            // The stream of events tells that the table was deleted.
            self.talk = None;
            return Ok(());
        };
        let message = serde_json::from_str(&frame.json).map_err(|_| SocketEnd::Gone)?;
        self.send(&ClientOut::Talk { message }).await
    }

    async fn forward(&mut self, frame: Result<Arc<EventFrame>, NoFrame>) -> Result<(), SocketEnd> {
        match frame {
            Ok(frame) => self.event(&frame).await,
            Err(NoFrame::Lagged) => Err(SocketEnd::Close(TOO_SLOW, "too slow")),
            Err(NoFrame::Rewound) => Err(SocketEnd::Close(
                close_code::AWAY,
                "the database has lost the last events: read the table again",
            )),
            Err(NoFrame::Closed) => Err(SocketEnd::Close(4404, "the table was deleted")),
        }
    }

    async fn event(&mut self, frame: &EventFrame) -> Result<(), SocketEnd> {
        if frame.version <= self.seen {
            return Ok(());
        }
        self.seen = frame.version;
        if let Some(talk) = &mut self.talk {
            talk.hear_event();
        }
        let event = serde_json::from_str(&frame.json).map_err(|_| SocketEnd::Gone)?;
        self.send(&ClientOut::Event {
            version: frame.version,
            event,
            now: self.state.now(),
        })
        .await?;
        if matches!(frame.kind.as_str(), "joined" | "left") {
            self.update_audience().await;
        }
        Ok(())
    }

    /// Joins the audience, or leaves it if the client now holds a seat.
    async fn update_audience(&mut self) {
        let who = self.caller.as_ref().map(|caller| caller.who().clone());
        let seated = self
            .state
            .read(self.id, move |table| {
                who.is_some_and(|who| !who.seats(table).is_empty())
            })
            .await;
        if let (Some((audience, place)), Ok(seated)) = (&mut self.audience, seated) {
            *place = if seated {
                None
            } else {
                place.take().or_else(|| Some(audience.enter()))
            };
        }
    }

    async fn refuse(&mut self, id: Option<&str>, error: Error) -> Result<(), SocketEnd> {
        self.send(&ClientOut::Error {
            id,
            problem: error.problem().boxed(),
        })
        .await
    }

    async fn ping(&mut self) -> Result<(), SocketEnd> {
        if self.last_heard.elapsed() > PATIENCE {
            return Err(SocketEnd::Gone);
        }
        self.write(Message::Ping(axum::body::Bytes::new())).await
    }

    async fn send(&mut self, out: &ClientOut<'_>) -> Result<(), SocketEnd> {
        let text = serde_json::to_string(out).map_err(|_| SocketEnd::Gone)?;
        self.write(Message::Text(text.into())).await
    }

    async fn write(&mut self, message: Message) -> Result<(), SocketEnd> {
        match tokio::time::timeout(PATIENCE, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(SocketEnd::Gone),
        }
    }

    /// Closes the socket and reads the remaining messages; unread data would reset the connection
    /// before the client reads the close frame.
    async fn close(&mut self, code: u16, reason: &'static str) {
        let frame = CloseFrame {
            code,
            reason: reason.into(),
        };
        if self.socket.send(Message::Close(Some(frame))).await.is_ok() {
            while let Some(Ok(_)) = self.socket.recv().await {}
        }
    }
}

async fn next(live: &mut Option<Watcher>) -> Result<Arc<EventFrame>, NoFrame> {
    match live {
        Some(live) => live.next().await,
        None => std::future::pending().await,
    }
}

async fn next_message(talk: &mut Option<TalkListener>) -> Result<Arc<TalkFrame>, NoFrame> {
    match talk {
        Some(talk) => talk.next().await,
        None => std::future::pending().await,
    }
}

async fn changed(count: &mut Option<watch::Receiver<u32>>) -> u32 {
    if let Some(receiver) = count
        && receiver.changed().await.is_ok()
    {
        return *receiver.borrow_and_update();
    }
    std::future::pending().await
}

fn is_too_long(error: &axum::Error) -> bool {
    // The WebSocket library's error type is not part of axum's API.
    error.to_string().contains("too long") || error.to_string().contains("too big")
}
