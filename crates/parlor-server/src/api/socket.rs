//! The WebSocket of a table: moves with acknowledgments, and events from any version on.
//!
//! Two closed types go over it, one each way, as JSON texts: [`ClientIn`] and [`ClientOut`].

use std::time::{Duration, Instant};

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use parlor_games::TurnView;
use parlor_table::{ClockView, Command, Ending, MoveId, Status, TableId, Timestamp};
use problem_details::ProblemDetails;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use utoipa::ToSchema;

use super::schema;
use crate::AppState;
use crate::auth::{self, Caller, Scope};
use crate::edge::Client;
use crate::edge::limits::{MessageRate, Place};
use crate::error::Error;
use crate::extract::{Id, parse};
use crate::live::{self, Audience, Done, Frame, Present, Spectator, Subscription};

/// The longest message, in bytes.
const MESSAGE_LIMIT: usize = 8 << 10;
/// What is set aside for reading and for writing, in bytes: the usual 128 KiB would be the larger part of a quiet socket.
const BUFFER: usize = 4 << 10;
/// How often the other side is asked whether it is there.
const PING_EVERY: Duration = Duration::from_secs(25);
/// After so long without a word the other side is gone; and so long it may take to take a message.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long the other side may take to say goodbye.
const GOODBYE: Duration = Duration::from_secs(2);
/// Close code of a watcher who is too slow: connect again, and subscribe from the last version seen.
const TOO_SLOW: u16 = 4008;
/// Close code of somebody whose session or token has ended.
const REVOKED: u16 = 4401;

/// What a client says.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum ClientIn {
    /// Play a move.
    Move {
        /// The move's text.
        #[serde(rename = "move")]
        text: String,
        /// A name of your own for this move; the acknowledgment carries it, and repeating it is harmless.
        id: String,
        /// The version of the table that you decided on.
        version: Option<u64>,
    },
    /// Send all events after this version, and those to come.
    Subscribe {
        /// The last version seen; 0 for everything.
        after: u64,
        /// Whether to be told how many look on without a seat.
        #[serde(default)]
        #[schema(default = false)]
        audience: bool,
    },
    /// Say something.
    Ping {},
}

/// What the house says.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ClientOut<'a> {
    /// Something happened at the table.
    Event {
        /// The event's number.
        version: u64,
        /// The event.
        #[schema(value_type = Object)]
        event: &'a RawValue,
        /// The house's time when it says so, in milliseconds since 1970.
        #[schema(value_type = i64)]
        now: Timestamp,
    },
    /// Your move is played, and durable.
    Ack {
        /// The move's id.
        id: &'a str,
        /// Number of the table's last event now.
        version: u64,
        /// How far the game has come.
        #[schema(value_type = schema::Status)]
        status: Status,
        /// What happens next.
        #[schema(value_type = schema::Turn)]
        turn: TurnView,
        /// How the game ended.
        #[schema(value_type = Option<schema::Ending>, required)]
        ending: Option<Ending>,
        /// The clocks, at tables that have them.
        #[schema(value_type = Option<schema::Clock>, required)]
        clock: Option<ClockView>,
        /// The house's time of this answer, in milliseconds since 1970.
        #[schema(value_type = i64)]
        now: Timestamp,
    },
    /// What you said was not done.
    Error {
        /// The move's id, if it was a move.
        id: Option<&'a str>,
        /// Why, as in responses of the HTTP API.
        #[schema(value_type = schema::Problem)]
        problem: Box<ProblemDetails<Map<String, Value>>>,
    },
    /// How many look on without a seat, to those who asked for it.
    Audience {
        /// How many.
        count: u32,
    },
    /// You said something. Half of the time between your `ping` and this is what an event takes to you, and what your moves
    /// take to the house.
    Pong {
        /// The house's time when it says so, in milliseconds since 1970.
        #[schema(value_type = i64)]
        now: Timestamp,
    },
}

/// Opens a WebSocket.
///
/// Send `{"type":"subscribe","after":0}` for events and `{"type":"move","id":"m1","move":"1,1","version":3}` to play; each
/// move is answered by `ack` or `error` with its id. Whoever holds a seat and has subscribed counts as being there. Close codes: 1001 the house closes, 1003 not a text, 1008 too many
/// messages, 1009 too long a message, 4008 too slow, 4401 your session or token has ended, 4404 the table is gone.
#[utoipa::path(
    get, path = "/tables/{id}/socket", tag = "events", params(("id" = String, Path)),
    responses((status = SWITCHING_PROTOCOLS, description = "Texts of `ClientIn` one way and `ClientOut` the other"))
)]
pub(crate) async fn open(
    State(state): State<AppState>,
    Id(id): Id,
    client: Client,
    caller: Option<Caller>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Error> {
    let upgrade = upgrade.map_err(|rejection| Error::bad_request(rejection.body_text()))?;
    state.read(id, |_| ()).await?;
    let place = state.streams().open(client)?;
    let rate = MessageRate::new(state.limits().messages_per_second);
    let upgrade = upgrade.read_buffer_size(BUFFER).write_buffer_size(BUFFER);
    Ok(upgrade
        .max_message_size(MESSAGE_LIMIT)
        .max_frame_size(MESSAGE_LIMIT)
        .on_upgrade(move |socket| {
            let session = Session {
                state,
                id,
                caller,
                socket,
                rate,
                live: None,
                seen: 0,
                seat: None,
                present: None,
                count: None,
                heard: Instant::now(),
            };
            session.run(place)
        }))
}

struct Session {
    state: AppState,
    id: TableId,
    caller: Option<Caller>,
    socket: WebSocket,
    rate: MessageRate,
    live: Option<Receiver<std::sync::Arc<Frame>>>,
    seen: u64,
    /// The audience of the table, and our place in it unless we hold a seat.
    seat: Option<(Audience, Option<Spectator>)>,
    /// That we are there.
    present: Option<Present>,
    /// How many look on, if that was asked for.
    count: Option<watch::Receiver<u32>>,
    heard: Instant,
}

/// Why a session ends.
enum End {
    /// The other side is gone.
    Gone,
    /// We say goodbye.
    Close(u16, &'static str),
}

impl Session {
    async fn run(mut self, _place: Place) {
        let closing = self.state.closing();
        let revoked = auth::revoked(self.caller.as_ref(), &self.state);
        tokio::pin!(closing, revoked);
        let mut pings = tokio::time::interval(PING_EVERY);
        let end = loop {
            let step = tokio::select! {
                message = self.socket.recv() => self.hear(message).await,
                frame = next(&mut self.live) => self.tell(frame).await,
                count = changed(&mut self.count) => self.send(&ClientOut::Audience { count }).await,
                _ = pings.tick() => self.ping().await,
                () = &mut closing => Err(End::Close(close_code::AWAY, "the house closes")),
                () = &mut revoked => Err(End::Close(REVOKED, "what you came in with does not count any more")),
            };
            if let Err(end) = step {
                break end;
            }
        };
        if let End::Close(code, reason) = end {
            let _ = tokio::time::timeout(GOODBYE, self.goodbye(code, reason)).await;
        }
    }

    async fn hear(&mut self, message: Option<Result<Message, axum::Error>>) -> Result<(), End> {
        self.heard = Instant::now();
        let message = match message {
            Some(Ok(message)) => message,
            Some(Err(error)) if is_too_long(&error) => {
                return Err(End::Close(close_code::SIZE, "too long a message"));
            }
            Some(Err(_)) | None => return Err(End::Gone),
        };
        match message {
            Message::Text(_) | Message::Binary(_) if !self.rate.admit() => {
                Err(End::Close(close_code::POLICY, "too many messages"))
            }
            Message::Text(text) => match parse(text.as_bytes()) {
                Ok(asked) => self.answer(asked).await,
                Err(error) => self.refuse(None, error).await,
            },
            Message::Binary(_) => Err(End::Close(close_code::UNSUPPORTED, "messages are texts")),
            Message::Ping(_) | Message::Pong(_) => Ok(()),
            Message::Close(_) => Err(End::Gone),
        }
    }

    async fn answer(&mut self, asked: ClientIn) -> Result<(), End> {
        match asked {
            ClientIn::Move { text, id, version } => match self.play(text, &id, version).await {
                Ok(Done {
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
            ClientIn::Ping {} => self.send(&ClientOut::Pong { now: live::now() }).await,
        }
    }

    async fn play(&mut self, text: String, id: &str, version: Option<u64>) -> Result<Done, Error> {
        let missing = || Error::unauthorized("only those who show the token of a seat can move");
        let caller = self.caller.as_ref().ok_or_else(missing)?;
        caller.may(Scope::Play)?;
        let who = caller.who().clone();
        let id = Some(MoveId::new(id)?);
        self.state
            .act(self.id, who, Command::Move { text, id, version })
            .await
    }

    async fn subscribe(&mut self, after: u64, count: bool) -> Result<(), End> {
        let who = self.caller.as_ref().map(|caller| caller.who().clone());
        let subscription = self.state.live().subscribe(self.id, after, who).await;
        let Subscription {
            past,
            live,
            audience,
            present,
        } = match subscription {
            Ok(subscription) => subscription,
            Err(error) => return self.refuse(None, error.into()).await,
        };
        (self.seen, self.live, self.present) = (after, Some(live), present);
        self.count = count.then(|| audience.count());
        self.seat = Some((audience, None));
        for frame in past {
            self.event(&frame).await?;
        }
        self.sit().await;
        Ok(())
    }

    async fn tell(&mut self, frame: Result<std::sync::Arc<Frame>, RecvError>) -> Result<(), End> {
        match frame {
            Ok(frame) => self.event(&frame).await,
            Err(RecvError::Lagged(_)) => Err(End::Close(TOO_SLOW, "too slow")),
            // The table's task ended: it is loaded again, or the table is gone.
            Err(RecvError::Closed) => {
                self.live = None;
                match self.state.live().read(self.id, |_| ()).await {
                    Ok(()) => self.subscribe(self.seen, self.count.is_some()).await,
                    Err(_) => Err(End::Close(4404, "the table is gone")),
                }
            }
        }
    }

    async fn event(&mut self, frame: &Frame) -> Result<(), End> {
        if frame.version <= self.seen {
            return Ok(());
        }
        self.seen = frame.version;
        let event = serde_json::from_str(&frame.json).map_err(|_| End::Gone)?;
        self.send(&ClientOut::Event {
            version: frame.version,
            event,
            now: live::now(),
        })
        .await?;
        if matches!(frame.kind.as_str(), "joined" | "left") {
            self.sit().await;
        }
        Ok(())
    }

    /// Takes a place in the audience, or gives it up for a seat at the table.
    async fn sit(&mut self) {
        let who = self.caller.as_ref().map(|caller| caller.who().clone());
        let seated = self
            .state
            .read(self.id, move |table| {
                who.is_some_and(|who| !who.seats(table).is_empty())
            })
            .await;
        if let (Some((audience, place)), Ok(seated)) = (&mut self.seat, seated) {
            *place = if seated {
                None
            } else {
                place.take().or_else(|| Some(audience.enter()))
            };
        }
    }

    async fn refuse(&mut self, id: Option<&str>, error: Error) -> Result<(), End> {
        self.send(&ClientOut::Error {
            id,
            problem: error.problem().boxed(),
        })
        .await
    }

    async fn ping(&mut self) -> Result<(), End> {
        if self.heard.elapsed() > PATIENCE {
            return Err(End::Gone);
        }
        self.put(Message::Ping(axum::body::Bytes::new())).await
    }

    async fn send(&mut self, out: &ClientOut<'_>) -> Result<(), End> {
        let text = serde_json::to_string(out).map_err(|_| End::Gone)?;
        self.put(Message::Text(text.into())).await
    }

    async fn put(&mut self, message: Message) -> Result<(), End> {
        match tokio::time::timeout(PATIENCE, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(End::Gone),
        }
    }

    /// Closes, and hears the other side out: what it has sent already would otherwise cut the line before it reads why.
    async fn goodbye(&mut self, code: u16, reason: &'static str) {
        let frame = CloseFrame {
            code,
            reason: reason.into(),
        };
        if self.socket.send(Message::Close(Some(frame))).await.is_ok() {
            while let Some(Ok(_)) = self.socket.recv().await {}
        }
    }
}

async fn next(
    live: &mut Option<Receiver<std::sync::Arc<Frame>>>,
) -> Result<std::sync::Arc<Frame>, RecvError> {
    match live {
        Some(live) => live.recv().await,
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
    // The library's own error type is not part of axum's interface.
    error.to_string().contains("too long") || error.to_string().contains("too big")
}
