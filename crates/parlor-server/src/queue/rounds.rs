//! The rounds in which this node reads who waits, and pairs them.
//!
//! Those who wait are rows in the database, so that people at different nodes meet. A pairing is
//! offered to both by marking their rows, if neither has an offer; each accepts at the node where
//! the stream is read; and the node that offered it makes the table, which counts only if both still
//! wait then. Whatever a node leaves unfinished ends by itself after five seconds.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use futures::stream::{self, StreamExt};
use parlor_store::{Store, StoreError, WaitingPlayer};
use parlor_table::{Command, NewTable, Player, TableId};
use tokio::time::{Instant, sleep, timeout};

use super::Waiting;
use super::matching::{self, Blocks, QueuedPlayer, Terms};
use crate::AppState;
use crate::auth::Requester;
use crate::error::Error;
use crate::live;
use crate::thinking::Payer;

/// Interval of rounds in which nothing happens here.
const POLL: Duration = Duration::from_secs(1);
/// Number of pairings that are offered in a round. More would be too old when they are accepted.
const MOST_OFFERS: usize = 128;
/// Number of tables that are made at once.
const MADE_AT_ONCE: usize = 16;
/// Interval at which the database learns that people still wait here.
const STILL_THERE: Duration = Duration::from_secs(2);

/// Pairs people while somebody waits at this node. Ends when the store is closed.
pub(crate) async fn run(state: AppState) {
    let queue = state.queue();
    let node = state.nodes().number();
    let mut offered = HashSet::new();
    let mut told: Option<Instant> = None;
    loop {
        if queue.is_empty_here() {
            queue.wake.notified().await;
            continue;
        }
        if state.nodes().is_clock_wrong() {
            // Others pair.
            sleep(POLL).await;
            continue;
        }
        if told.is_none_or(|told| told.elapsed() >= STILL_THERE) {
            match state.store().go_on_waiting(node).await {
                Err(StoreError::Closed) => return,
                Err(error) => tracing::debug!(%error, "could not say who still waits"),
                Ok(()) => told = Some(Instant::now()),
            }
        }
        let begun = Instant::now();
        let changed = round(&state, &mut offered).await;
        // There is time for everything else, however many wait.
        sleep(begun.elapsed().min(POLL) / 4).await;
        match changed {
            Ok(true) => {
                state.nodes().tell_queue();
                continue;
            }
            Ok(false) => {}
            Err(StoreError::Closed) => return,
            Err(error) => tracing::debug!(%error, "could not pair those who wait"),
        }
        // A time-out is the usual end of a round in which nothing happens.
        let _ = timeout(POLL, queue.wake.notified()).await;
    }
}

/// Reads who waits, tells those who wait here, and goes on with their pairings. Returns true if it
/// has changed something. `offered` holds the tables of the pairings that this node has offered.
async fn round(state: &AppState, offered: &mut HashSet<TableId>) -> Result<bool, StoreError> {
    let (queue, store) = (state.queue(), state.store());
    let round = queue.begin_round();
    let (now, mut players) = store.waiting().await?;
    let mut gone = matching::replaced(&players);
    // Players who left while being stored are here no more.
    let node = state.nodes().number();
    let left = |player: &&WaitingPlayer| player.node == node && !queue.is_here(player.ticket);
    gone.extend(players.iter().filter(left).map(|player| player.ticket));
    players.retain(|player| !gone.contains(&player.ticket));
    let pairs = pairs(store, &players, now).await?;
    let mut is_changed = !gone.is_empty();
    store.stop_waiting(&gone).await?;
    let mut by_table = sides(&players);
    let mut agreed = Vec::new();
    for id in offered.clone() {
        let sides = by_table.remove(&live::table_key(id)).unwrap_or_default();
        let is_open = sides.iter().all(|side| !has_begun(side));
        if sides.len() == 2 && is_open && sides.iter().all(is_accepted) {
            offered.remove(&id);
            agreed.push((id, sides));
            is_changed = true;
        } else if sides.len() < 2 || !is_open {
            offered.remove(&id);
            store.release_pairing(live::table_key(id)).await?;
            is_changed = true;
        }
    }
    stream::iter(agreed)
        .for_each_concurrent(MADE_AT_ONCE, async |(id, sides)| {
            make_table(state, id, &sides).await;
        })
        .await;
    queue.show(Waiting::new(round, players));
    // The other nodes pair those who wait there.
    let is_own = |pair: &[i64; 2]| pair.iter().any(|ticket| queue.is_here(*ticket));
    for mut pair in pairs.into_iter().filter(is_own).take(MOST_OFFERS) {
        if state.sources().coin() {
            pair.swap(0, 1);
        }
        let id = state.sources().table_id();
        if store.pair(pair, live::table_key(id)).await? {
            offered.insert(id);
            is_changed = true;
        }
    }
    Ok(is_changed)
}

/// Returns the tickets of players to be paired, none of whom has blocked the other.
async fn pairs(
    store: &Store,
    players: &[WaitingPlayer],
    now: i64,
) -> Result<Vec<[i64; 2]>, StoreError> {
    let accounts: Vec<i64> = players.iter().filter_map(matching::account).collect();
    let pairs = matching::pairs(players, now, &Blocks::new());
    // The database is asked only if it can make a difference.
    if pairs.is_empty() || accounts.len() < 2 {
        return Ok(pairs);
    }
    let blocks = store.blocks_among(&accounts).await?;
    Ok(matching::pairs(players, now, &blocks))
}

/// Returns the players who were offered a table, by its key, the first seat's first.
fn sides(players: &[WaitingPlayer]) -> HashMap<i64, Vec<WaitingPlayer>> {
    let mut sides: HashMap<i64, Vec<WaitingPlayer>> = HashMap::new();
    for player in players {
        if let Some(pairing) = player.pairing {
            sides.entry(pairing.table).or_default().push(player.clone());
        }
    }
    for sides in sides.values_mut() {
        sides.sort_by_key(|side| side.pairing.map(|pairing| pairing.seat));
    }
    sides
}

fn is_accepted(side: &WaitingPlayer) -> bool {
    side.pairing.is_some_and(|pairing| pairing.is_accepted)
}

fn has_begun(side: &WaitingPlayer) -> bool {
    side.pairing.is_some_and(|pairing| pairing.is_made)
}

/// Makes the table of a pairing that both have accepted, or lets them wait on.
async fn make_table(state: &AppState, id: TableId, sides: &[WaitingPlayer]) {
    let key = live::table_key(id);
    let made = create_table(state, id, sides).await;
    let (made, creator) = match made {
        Ok(made) => made,
        Err(error) => {
            tracing::error!(?error, "could not create the table of a pairing");
            return release(state, key).await;
        }
    };
    // Last chance for a player to leave without affecting the other.
    match state.store().settle_pairing(key).await {
        Ok(true) if made == id => metrics::counter!("parlor_pairings_total").increment(1),
        settled => {
            if let Err(error) = settled {
                tracing::warn!(%error, "could not tell those who were paired");
            }
            if let Err(error) = state.act(made, creator, Command::Abort).await {
                tracing::warn!(?error, table = %made, "could not call off an abandoned table");
            }
            release(state, key).await;
        }
    }
}

async fn release(state: &AppState, key: i64) {
    if let Err(error) = state.store().release_pairing(key).await {
        tracing::warn!(%error, "could not let those who were paired wait on");
    }
}

/// Creates the table of a pairing. Returns its id and one of its players.
async fn create_table(
    state: &AppState,
    id: TableId,
    sides: &[WaitingPlayer],
) -> Result<(TableId, Requester), Error> {
    let other_release = || Error::unavailable("those who wait were written by another release");
    let queued = |side: &WaitingPlayer| {
        let queued: Option<QueuedPlayer> = serde_json::from_str(&side.player).ok();
        Some(queued?.player)
    };
    let players: Option<Vec<_>> = sides.iter().map(queued).collect();
    let players = players.ok_or_else(other_release)?;
    let terms = sides.first().and_then(|side| Terms::from_text(&side.terms));
    let terms = terms.ok_or_else(other_release)?;
    let key = players.iter().find_map(|player| match player {
        Player::Human { key, .. } => Some(*key),
        Player::Open | Player::Bot { .. } => None,
    });
    let creator = Requester::from_guest(key.ok_or_else(other_release)?);
    let new = NewTable {
        secret: terms.game.has_luck().then(|| state.sources().secret()),
        clock: terms.clock,
        rated: terms.rated,
        ..NewTable::new(id, terms.game, terms.options, players)
    };
    // Those who wait are counted when they enter the queue.
    let made = state
        .store_table(new, None, Payer::Unknown, None, None)
        .await?;
    Ok((made.id, creator))
}
