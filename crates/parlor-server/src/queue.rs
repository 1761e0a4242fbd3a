//! Quick pairing: players who wait for the same game are paired.
//!
//! A player waits by reading a stream; closing the connection leaves the queue. A pairing is
//! offered to both players, at whichever nodes they wait, and the table is kept only if both accept.

mod matching;
mod rounds;
mod waiter;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use parlor_games::GameKind;
use parlor_store::WaitingPlayer;
use parlor_table::{Refusal, TableId, TimeControl};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::{Notify, watch};
use utoipa::ToSchema;

use self::matching::QueuedPlayer;
use crate::AppState;
use crate::accounts::store_id;
use crate::api::schema;
use crate::auth::{OpaqueToken, Requester};
use crate::downtime::Downtime;
use crate::edge::TableCreator;
use crate::error::Error;
use crate::live::LiveError;
use crate::ratings::RatingPool;
use crate::tables;

pub(crate) use self::matching::Terms;
pub(crate) use self::rounds::run;
pub(crate) use self::waiter::Waiter;

/// Rating assumed for guests.
const GUEST_RATING: i32 = 1000;
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
    /// Maximum Elo difference to the opponent; by default it widens with the waiting time
    /// without a limit.
    #[schema(maximum = 4_294_967_295i64)]
    pub(crate) window: Option<u32>,
    /// True if a person may meet a bot, or a bot a person. Both must wish so; otherwise people meet people,
    /// and bots meet bots.
    #[serde(default)]
    #[schema(default = false)]
    pub(crate) mixed: bool,
    /// Display name; defaults to "Guest". Members keep their account names.
    #[schema(
        min_length = 1,
        max_length = 40,
        pattern = "^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$"
    )]
    pub(crate) name: Option<String>,
}

impl QueueRequest {
    fn terms(&self, downtime: &Downtime) -> Result<Terms, Error> {
        let game = GameKind::from_name(&self.game)
            .map_err(|error| Error::unprocessable(error.to_string()).with("field", "game"))?;
        tables::refuse_unseen(&self.options)?;
        let position = game.start(&self.options).map_err(Refusal::from)?;
        if position.seats() != 2 {
            return Err(Error::unprocessable(
                "only games with two seats are paired here: create a table instead",
            ));
        }
        if self.rated && game.is_cooperative() {
            return Err(Refusal::TeamsAreNotRated.into());
        }
        let options = position.options();
        let clock = match self.clock {
            Some(chosen) => chosen,
            None => tables::usual_clock(game, &options, downtime)?,
        };
        if !downtime.reads(clock.map_or(0, TimeControl::event_format)) {
            return Err(LiveError::EarlierNodes.into());
        }
        Ok(Terms {
            game,
            options,
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
        /// Your Elo rating, by which opponents are found.
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

/// The queue for quick pairings, as this node sees it.
#[derive(Debug)]
pub(crate) struct Queue {
    /// Tickets of those who wait at this node.
    here: Mutex<HashSet<i64>>,
    /// Wakes the task that pairs them.
    wake: Notify,
    /// Number of the last round that has begun.
    round: AtomicU64,
    /// Everybody who waits, at any node.
    seen: watch::Sender<Arc<Waiting>>,
}

/// Everybody who waits, as read in a round.
#[derive(Debug, Default)]
struct Waiting {
    /// Number of the round.
    round: u64,
    /// Those who wait, by their tickets.
    players: HashMap<i64, WaitingPlayer>,
    /// Number of players by the terms on which they wait.
    counts: HashMap<String, usize>,
}

impl Waiting {
    fn new(round: u64, players: Vec<WaitingPlayer>) -> Waiting {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for player in &players {
            match counts.get_mut(&player.terms) {
                Some(count) => *count += 1,
                None => drop(counts.insert(player.terms.clone(), 1)),
            }
        }
        let players = players.into_iter();
        Waiting {
            round,
            players: players.map(|player| (player.ticket, player)).collect(),
            counts,
        }
    }

    fn player(&self, ticket: i64) -> Option<&WaitingPlayer> {
        self.players.get(&ticket)
    }

    /// Returns the number of players who wait on these terms.
    fn count(&self, terms: &str) -> usize {
        self.counts.get(terms).copied().unwrap_or(0)
    }
}

impl Default for Queue {
    fn default() -> Queue {
        Queue {
            here: Mutex::default(),
            wake: Notify::new(),
            round: AtomicU64::new(0),
            seen: watch::Sender::default(),
        }
    }
}

impl Queue {
    /// Adds a player to the queue, whose table counts for `creator`.
    ///
    /// `fresh` is the new token of a guest whose request had none.
    pub(crate) async fn enter(
        state: &AppState,
        wish: QueueRequest,
        who: Requester,
        fresh: Option<OpaqueToken>,
        creator: TableCreator,
    ) -> Result<Waiter, Error> {
        let terms = wish.terms(state.nodes().downtime())?;
        if terms.rated && who.member().is_none() {
            return Err(Refusal::MembersOnly.into());
        }
        let player = who.player(wish.name.as_deref().unwrap_or(tables::GUEST_NAME))?;
        state.rates().table(creator).await?;
        let pool = RatingPool::new(terms.game, &terms.options, terms.clock);
        let rating = rating(state, &who, &pool).await?;
        let most = wish.window.unwrap_or(u32::MAX);
        let people = who.keys().map(|key| key.fingerprint()).collect();
        let queued = QueuedPlayer {
            player,
            people,
            mixed: wish.mixed,
        };
        let ticket = state.sources().random_u64().cast_signed();
        let entry = WaitingPlayer {
            ticket,
            node: state.nodes().number(),
            terms: terms.to_text(),
            player: serde_json::to_string(&queued).expect("a player is plain data"),
            rating,
            most: most.into(),
            since: 0,
            pairing: None,
        };
        state.queue().here().insert(ticket);
        // From here on the entry is removed when the waiter is dropped, whatever happens.
        let waiter = Waiter::new(state.clone(), ticket, (rating, most), fresh);
        state.store().wait(entry).await?;
        let queue = state.queue();
        metrics::gauge!("parlor_queue").set(queue.here().len() as f64);
        queue.wake();
        state.nodes().tell_queue();
        Ok(waiter.entered())
    }

    /// Removes a player who waits at this node.
    fn leave(&self, state: &AppState, ticket: i64) {
        let mut here = self.here();
        if !here.remove(&ticket) {
            return;
        }
        metrics::gauge!("parlor_queue").set(here.len() as f64);
        drop(here);
        let state = state.clone();
        tokio::spawn(async move {
            match state.store().stop_waiting(&[ticket]).await {
                Ok(()) => state.nodes().tell_queue(),
                // The entry is too old soon.
                Err(error) => tracing::debug!(%error, "could not remove who waited"),
            }
            state.queue().wake();
        });
    }

    /// Begins a round at once, if somebody waits here.
    pub(crate) fn wake(&self) {
        self.wake.notify_one();
    }

    fn watch(&self) -> watch::Receiver<Arc<Waiting>> {
        self.seen.subscribe()
    }

    /// Returns the number of the last round that has begun.
    fn last_round(&self) -> u64 {
        self.round.load(Ordering::Acquire)
    }

    /// Begins a round and returns its number.
    fn begin_round(&self) -> u64 {
        self.round.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// Shows those who wait here who else waits.
    fn show(&self, waiting: Waiting) {
        self.seen.send_replace(Arc::new(waiting));
    }

    fn is_empty_here(&self) -> bool {
        self.here().is_empty()
    }

    fn is_here(&self, ticket: i64) -> bool {
        self.here().contains(&ticket)
    }

    fn here(&self) -> MutexGuard<'_, HashSet<i64>> {
        // No code that can panic runs while the lock is held.
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the Elo rating by which a player is paired.
async fn rating(state: &AppState, who: &Requester, pool: &RatingPool) -> Result<i32, Error> {
    let Some(member) = who.member() else {
        return Ok(GUEST_RATING);
    };
    let key = pool.key();
    let standing = state.store().standing(store_id(member.id), &key).await?;
    Ok(standing.unwrap_or_default().elo)
}
