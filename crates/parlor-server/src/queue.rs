//! Quick matches: who waits here is paired with somebody who wants the same game.
//!
//! Waiting is a stream. It is there as long as its reader is: whoever closes the connection has left. A pairing is offered
//! to both streams, and the table is only kept when both take it.

mod pairing;
mod pool;
mod waiter;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use parlor_games::GameKind;
use parlor_table::{Player, Refused, TableId, TimeControl, UserId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use utoipa::ToSchema;

use self::pool::{Entry, Pool, Ticket};
use crate::AppState;
use crate::auth::{Token, Who};
use crate::error::Error;
use crate::tables;

pub(crate) use self::pool::Terms;
pub(crate) use self::waiter::Waiter;

/// What a guest's play counts as in games for fun.
const GUEST_RATING: i32 = 1000;
/// Offers that may wait for one stream; it answers each before it is made another.
const OFFERS: usize = 2;

/// The game that somebody waits for.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wish {
    /// The game's name. It must have two seats.
    #[schema(example = "mnk")]
    pub(crate) game: String,
    /// The game's options; missing ones take their defaults.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub(crate) options: Value,
    /// How much time the players have: what is usual for the game when not said, and as much as they like with `null`.
    #[serde(default, deserialize_with = "tables::said")]
    #[schema(value_type = Option<crate::api::schema::TimeControl>)]
    pub(crate) clock: Option<Option<TimeControl>>,
    /// Whether the game counts for the players' ratings. Only members of the house can play such a game.
    #[serde(default)]
    #[schema(default = false)]
    pub(crate) rated: bool,
    /// How many rating points an opponent may be away at most; as many as the wait brings when not said.
    pub(crate) window: Option<u32>,
    /// The name to be shown; "Guest" when not said. Members are called by their own names.
    pub(crate) name: Option<String>,
}

impl Wish {
    fn terms(&self) -> Result<Terms, Error> {
        let game = GameKind::from_name(&self.game)
            .map_err(|error| Error::unprocessable(error.to_string()).with("field", "game"))?;
        let position = game.start(&self.options).map_err(Refused::from)?;
        if position.seats() != 2 {
            return Err(Error::unprocessable(
                "only games of two are paired here: make a table for more",
            ));
        }
        if self.rated && game.is_cooperative() {
            return Err(Refused::TeamsAreNotRated.into());
        }
        let usual = || {
            game.usual_time()
                .map(|ms| TimeControl::total(ms, 0))
                .transpose()
        };
        let clock = self.clock.map_or_else(usual, Ok).map_err(Refused::from)?;
        Ok(Terms {
            game,
            options: position.options(),
            clock,
            rated: self.rated,
        })
    }
}

/// What is told to somebody who waits.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum News {
    /// At the start, and whenever the window widens.
    Waiting {
        /// How many wait for the same game, you among them.
        waiting: usize,
        /// Your rating.
        rating: i32,
        /// How many points away an opponent may be now.
        window: u32,
        /// For how many more seconds you wait.
        seconds_left: u64,
    },
    /// Somebody was found; the game is on. Nothing follows.
    Matched {
        /// The table.
        #[schema(value_type = String)]
        table: TableId,
        /// Its page.
        url: String,
        /// Your seat.
        seat: u8,
        /// Your token, if you showed none: whoever shows it is you. It is shown only once.
        #[serde(skip_serializing_if = "Option::is_none")]
        token: Option<String>,
    },
    /// Nobody was found in time. Nothing follows.
    Expired,
    /// You wait here no more. Nothing follows.
    Left {
        /// Why: `replaced` by a later entry of your own, or `absent` when an opponent was found.
        reason: &'static str,
    },
}

impl News {
    /// The name of its kind.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            News::Waiting { .. } => "waiting",
            News::Matched { .. } => "matched",
            News::Expired => "expired",
            News::Left { .. } => "left",
        }
    }
}

/// All who wait for a quick match.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    state: Mutex<Waiting>,
}

#[derive(Debug, Default)]
struct Waiting {
    pool: Pool,
    /// What belongs to the entries of the pool, and the one strong end of each inbox: a stream hears that its place is lost.
    desks: HashMap<Ticket, (Desk, mpsc::Sender<Offer>)>,
    last: u64,
}

/// Where somebody who waits is reached, and who that is.
#[derive(Clone, Debug)]
struct Desk {
    player: Player,
    who: Who,
    offers: mpsc::WeakSender<Offer>,
}

/// An opponent was found: whoever takes the offer sends where to hear how it went.
type Offer = oneshot::Sender<oneshot::Sender<Place>>;

/// A seat at the table that a pairing made.
#[derive(Clone, Copy, Debug)]
struct Place {
    table: TableId,
    seat: u8,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // Nothing that can panic is done while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets somebody wait. Nothing happens until the result is read.
    ///
    /// `fresh` is the token of a guest who showed none.
    pub(crate) async fn enter(
        state: &AppState,
        wish: Wish,
        who: Who,
        fresh: Option<Token>,
    ) -> Result<Waiter, Error> {
        let terms = wish.terms()?;
        if terms.rated && who.account().is_none() {
            return Err(Refused::MembersOnly.into());
        }
        let player = who.player(wish.name.as_deref().unwrap_or(tables::GUEST_NAME))?;
        let rating = rating(state, &who, terms.game).await?;
        let most = wish.window.unwrap_or(u32::MAX);
        let (offers, inbox) = mpsc::channel(OFFERS);
        let desk = Desk {
            player,
            who,
            offers: offers.downgrade(),
        };
        let (since, keys) = (Instant::now(), desk.who.keys().collect());
        let ticket = state.queue().add(&terms, (desk, offers), |ticket| Entry {
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
        desk: (Desk, mpsc::Sender<Offer>),
        entry: impl FnOnce(Ticket) -> Entry,
    ) -> Ticket {
        let mut waiting = self.lock();
        waiting.last += 1;
        let ticket = Ticket(waiting.last);
        for replaced in waiting.pool.enter(terms.clone(), entry(ticket)) {
            waiting.desks.remove(&replaced);
        }
        waiting.desks.insert(ticket, desk);
        metrics::gauge!("parlor_queue").set(waiting.desks.len() as f64);
        ticket
    }

    fn leave(&self, terms: &Terms, ticket: Ticket) {
        let mut waiting = self.lock();
        waiting.pool.leave(terms, ticket);
        waiting.desks.remove(&ticket);
        metrics::gauge!("parlor_queue").set(waiting.desks.len() as f64);
    }

    /// A pairing came to nothing, and this side of it is still here.
    fn release(&self, terms: &Terms, ticket: Ticket) {
        self.lock().pool.release(terms, ticket);
    }

    /// Pairs whom it can on these terms.
    fn pair(&self, state: &AppState, terms: &Terms) {
        let mut waiting = self.lock();
        for tickets in waiting.pool.pair(terms, Instant::now()) {
            let desks =
                tickets.map(|ticket| waiting.desks.get(&ticket).map(|(desk, _)| desk.clone()));
            let [Some(a), Some(b)] = desks else { continue };
            tokio::spawn(pairing::run(
                state.clone(),
                terms.clone(),
                [(tickets[0], a), (tickets[1], b)],
            ));
        }
    }

    /// How it stands for somebody who waits; nothing when they do so no more.
    fn news(&self, terms: &Terms, ticket: Ticket, seconds_left: u64) -> Option<News> {
        let waiting = self.lock();
        let entry = waiting.pool.entry(terms, ticket)?;
        let (rating, window) = (entry.rating, entry.window(Instant::now()));
        Some(News::Waiting {
            waiting: waiting.pool.waiting(terms),
            rating,
            window,
            seconds_left,
        })
    }
}

/// How strong somebody plays.
async fn rating(state: &AppState, who: &Who, game: GameKind) -> Result<i32, Error> {
    match who.account() {
        Some(member) => elo(state, member.id, game).await,
        None => Ok(GUEST_RATING),
    }
}

/// How strong a member plays: the Elo of the game, or what it begins with.
pub(crate) async fn elo(state: &AppState, member: UserId, game: GameKind) -> Result<i32, Error> {
    let user = i64::try_from(member.number()).expect("an id is below 2^53");
    if let Some(rating) = state.store().rating(user, game.name()).await? {
        return Ok(rating.standing.elo);
    }
    let level = state.store().user(user).await?.map(|user| user.level);
    Ok(level.unwrap_or_default().elo())
}
