//! Quick pairing: players who wait for the same game are paired.
//!
//! A player waits by reading a stream; closing the connection leaves the queue. A pairing is
//! offered to both streams, and the table is kept only if both accept.

mod pairing;
mod pool;
mod waiter;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use parlor_games::GameKind;
use parlor_table::{Player, Refusal, TableId, TimeControl, UserId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use utoipa::ToSchema;

use self::pool::{Pool, QueueEntry, Ticket};
use crate::AppState;
use crate::api::schema;
use crate::auth::{OpaqueToken, Requester};
use crate::error::Error;
use crate::tables;

pub(crate) use self::pool::Terms;
pub(crate) use self::waiter::Waiter;

/// Rating assumed for guests.
const GUEST_RATING: i32 = 1000;
/// Capacity of a stream's inbox for offers; each is answered before the next is made.
const OFFERS: usize = 2;

/// Request for a quick pairing.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueueRequest {
    /// Name of the game, which must have two seats.
    #[schema(value_type = schema::GameNameSchema, example = "mnk")]
    pub(crate) game: String,
    /// Options of the game; missing ones take their defaults.
    #[serde(default)]
    #[schema(value_type = Option<schema::GameOptionsRequestSchema>)]
    pub(crate) options: Value,
    /// Time control; defaults to the game's usual one. `null` means no time control.
    #[serde(default, deserialize_with = "tables::present_or_null")]
    #[schema(value_type = Option<schema::TimeControlSchema>)]
    pub(crate) clock: Option<Option<TimeControl>>,
    /// True to play for the players' ratings, which is only possible for members.
    #[serde(default)]
    #[schema(default = false)]
    pub(crate) rated: bool,
    /// Maximum rating difference to the opponent; by default it widens with the waiting time
    /// without a limit.
    #[schema(maximum = 4_294_967_295i64)]
    pub(crate) window: Option<u32>,
    /// Display name; defaults to "Guest". Members keep their account names.
    #[schema(
        min_length = 1,
        max_length = 40,
        pattern = "^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$"
    )]
    pub(crate) name: Option<String>,
}

impl QueueRequest {
    fn terms(&self) -> Result<Terms, Error> {
        let game = GameKind::from_name(&self.game)
            .map_err(|error| Error::unprocessable(error.to_string()).with("field", "game"))?;
        let position = game.start(&self.options).map_err(Refusal::from)?;
        if position.seats() != 2 {
            return Err(Error::unprocessable(
                "only games with two seats are paired here: create a table instead",
            ));
        }
        if self.rated && game.is_cooperative() {
            return Err(Refusal::TeamsAreNotRated.into());
        }
        let usual = || {
            game.usual_time()
                .map(|ms| TimeControl::total(ms, 0))
                .transpose()
        };
        let clock = self.clock.map_or_else(usual, Ok).map_err(Refusal::from)?;
        Ok(Terms {
            game,
            options: position.options(),
            clock,
            rated: self.rated,
        })
    }
}

/// Event in the stream of a waiting player.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum QueueEvent {
    /// Sent at the start and whenever the rating window widens.
    Waiting {
        /// Number of players waiting for the same game, including you.
        waiting: usize,
        /// Your rating.
        rating: i32,
        /// Current maximum rating difference to an opponent.
        window: u32,
        /// Seconds until the wait expires.
        seconds_left: u64,
    },
    /// An opponent was found and the game has started. Last event.
    Matched {
        /// Id of the table.
        #[schema(value_type = String)]
        table: TableId,
        /// URL path of the table's page.
        url: String,
        /// Your seat.
        seat: u8,
        /// Your new token, if the request had none: it is the key to your seat. It is shown only
        /// once.
        #[serde(skip_serializing_if = "Option::is_none")]
        token: Option<String>,
    },
    /// No opponent was found in time. Last event.
    Expired,
    /// You were removed from the queue. Last event.
    Left {
        /// Reason: `replaced` by a later request of yours, or `absent` when an opponent was found.
        reason: &'static str,
    },
}

impl QueueEvent {
    /// Returns the type of the event, as in JSON.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            QueueEvent::Waiting { .. } => "waiting",
            QueueEvent::Matched { .. } => "matched",
            QueueEvent::Expired => "expired",
            QueueEvent::Left { .. } => "left",
        }
    }
}

/// Queue for quick pairings.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    state: Mutex<QueueState>,
}

#[derive(Debug, Default)]
struct QueueState {
    pool: Pool,
    /// Players behind the pool's entries, each with the only strong sender to the stream's inbox.
    /// Dropping the sender informs the stream that it has lost its place.
    players: HashMap<Ticket, (QueuedPlayer, mpsc::Sender<PairingOffer>)>,
    last: u64,
}

/// A waiting player and the inbox of their stream.
#[derive(Clone, Debug)]
struct QueuedPlayer {
    player: Player,
    who: Requester,
    offers: mpsc::WeakSender<PairingOffer>,
}

/// Offer of an opponent. To accept it, a stream sends the channel on which it expects its seat.
type PairingOffer = oneshot::Sender<oneshot::Sender<MatchedSeat>>;

/// Seat at the table created for a pairing.
#[derive(Clone, Copy, Debug)]
struct MatchedSeat {
    table: TableId,
    seat: u8,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, QueueState> {
        // No code that can panic runs while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a player to the queue. Pairing starts when the returned stream is read.
    ///
    /// `fresh` is the new token of a guest whose request had none.
    pub(crate) async fn enter(
        state: &AppState,
        wish: QueueRequest,
        who: Requester,
        fresh: Option<OpaqueToken>,
    ) -> Result<Waiter, Error> {
        let terms = wish.terms()?;
        if terms.rated && who.member().is_none() {
            return Err(Refusal::MembersOnly.into());
        }
        let player = who.player(wish.name.as_deref().unwrap_or(tables::GUEST_NAME))?;
        let rating = rating(state, &who, terms.game).await?;
        let most = wish.window.unwrap_or(u32::MAX);
        let (offers, inbox) = mpsc::channel(OFFERS);
        let queued = QueuedPlayer {
            player,
            who,
            offers: offers.downgrade(),
        };
        let (since, keys) = (Instant::now(), queued.who.keys().collect());
        let ticket = state
            .queue()
            .add(&terms, (queued, offers), |ticket| QueueEntry {
                ticket,
                keys,
                rating,
                most,
                since,
                busy: false,
            });
        Ok(Waiter::new(
            state.clone(),
            terms,
            ticket,
            inbox,
            since,
            fresh,
        ))
    }

    fn add(
        &self,
        terms: &Terms,
        queued: (QueuedPlayer, mpsc::Sender<PairingOffer>),
        entry: impl FnOnce(Ticket) -> QueueEntry,
    ) -> Ticket {
        let mut waiting = self.lock();
        waiting.last += 1;
        let ticket = Ticket(waiting.last);
        for replaced in waiting.pool.enter(terms.clone(), entry(ticket)) {
            waiting.players.remove(&replaced);
        }
        waiting.players.insert(ticket, queued);
        metrics::gauge!("parlor_queue").set(waiting.players.len() as f64);
        ticket
    }

    fn leave(&self, terms: &Terms, ticket: Ticket) {
        let mut waiting = self.lock();
        waiting.pool.leave(terms, ticket);
        waiting.players.remove(&ticket);
        metrics::gauge!("parlor_queue").set(waiting.players.len() as f64);
    }

    /// Makes a player available again after a failed pairing.
    fn release(&self, terms: &Terms, ticket: Ticket) {
        self.lock().pool.release(terms, ticket);
    }

    /// Pairs players who wait on these terms.
    fn pair(&self, state: &AppState, terms: &Terms) {
        let mut waiting = self.lock();
        for tickets in waiting.pool.pair(terms, Instant::now()) {
            let players = tickets.map(|ticket| {
                waiting
                    .players
                    .get(&ticket)
                    .map(|(queued, _)| queued.clone())
            });
            let [Some(a), Some(b)] = players else {
                continue;
            };
            tokio::spawn(pairing::run(
                state.clone(),
                terms.clone(),
                [(tickets[0], a), (tickets[1], b)],
            ));
        }
    }

    /// Returns the `waiting` event for a player; `None` if they no longer wait.
    fn news(&self, terms: &Terms, ticket: Ticket, seconds_left: u64) -> Option<QueueEvent> {
        let waiting = self.lock();
        let entry = waiting.pool.entry(terms, ticket)?;
        let (rating, window) = (entry.rating, entry.window(Instant::now()));
        Some(QueueEvent::Waiting {
            waiting: waiting.pool.waiting(terms),
            rating,
            window,
            seconds_left,
        })
    }
}

/// Returns the rating used to pair a player.
async fn rating(state: &AppState, who: &Requester, game: GameKind) -> Result<i32, Error> {
    match who.member() {
        Some(member) => elo(state, member.id, game).await,
        None => Ok(GUEST_RATING),
    }
}

/// Returns a member's Elo rating in a game, or the initial one.
pub(crate) async fn elo(state: &AppState, member: UserId, game: GameKind) -> Result<i32, Error> {
    let user = i64::try_from(member.number()).expect("an id is below 2^53");
    if let Some(rating) = state.store().rating(user, game.name()).await? {
        return Ok(rating.standing.elo);
    }
    let level = state.store().user(user).await?.map(|user| user.level);
    Ok(level.unwrap_or_default().elo())
}
