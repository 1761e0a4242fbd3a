//! Pairing of two players: creates a table if both are present and accept.

use std::time::Duration;

use parlor_table::{Command, NewTable};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::pool::{Terms, Ticket};
use super::{MatchedSeat, QueuedPlayer};
use crate::AppState;
use crate::error::Error;
use crate::thinking::Payer;

/// Timeout for a stream to accept an offer.
const OFFER_TIMEOUT: Duration = Duration::from_secs(5);

/// One side of a pairing.
type Side = (Ticket, QueuedPlayer);

/// Creates the table, or returns both players to the queue.
pub(super) async fn run(state: AppState, terms: Terms, mut sides: [Side; 2]) {
    if state.sources().coin() {
        sides.swap(0, 1);
    }
    let [first, second] = &sides;
    match tokio::join!(offer(&first.1), offer(&second.1)) {
        (Some(a), Some(b)) => seat_both(&state, &terms, &sides, [a, b]).await,
        answers => {
            for ((ticket, _), present) in
                sides.iter().zip([answers.0.is_some(), answers.1.is_some()])
            {
                if present {
                    state.queue().release(&terms, *ticket);
                } else {
                    state.queue().leave(&terms, *ticket);
                }
            }
        }
    }
    // The players that are free again may match others.
    state.queue().pair(&state, &terms);
}

/// Offers an opponent to a stream, which accepts when it is being read.
async fn offer(queued: &QueuedPlayer) -> Option<oneshot::Sender<MatchedSeat>> {
    let (taken, answer) = oneshot::channel();
    queued.offers.upgrade()?.try_send(taken).ok()?;
    timeout(OFFER_TIMEOUT, answer).await.ok()?.ok()
}

async fn seat_both(
    state: &AppState,
    terms: &Terms,
    sides: &[Side; 2],
    replies: [oneshot::Sender<MatchedSeat>; 2],
) {
    let release = || {
        sides
            .iter()
            .for_each(|(ticket, _)| state.queue().release(terms, *ticket))
    };
    let made = match create_table(state, terms, sides).await {
        Ok(made) => made,
        Err(error) => {
            tracing::error!(?error, "could not create the table of a pairing");
            return release();
        }
    };
    // Last chance for a player to leave without affecting the other.
    if replies.iter().any(oneshot::Sender::is_closed) {
        if let Err(error) = state
            .act(made, sides[0].1.who.clone(), Command::Abort)
            .await
        {
            tracing::warn!(?error, table = %made, "could not call off an abandoned table");
        }
        return release();
    }
    metrics::counter!("parlor_pairings_total").increment(1);
    for (seat, matched) in (0u8..).zip(replies) {
        // A player who leaves now still has a seat; the table is called off when the game does not
        // start.
        let _ = matched.send(MatchedSeat { table: made, seat });
    }
}

async fn create_table(
    state: &AppState,
    terms: &Terms,
    sides: &[Side; 2],
) -> Result<parlor_table::TableId, Error> {
    let players = sides
        .iter()
        .map(|(_, queued)| queued.player.clone())
        .collect();
    let new = NewTable {
        secret: terms.game.has_luck().then(|| state.sources().secret()),
        clock: terms.clock,
        rated: terms.rated,
        ..NewTable::new(
            state.sources().table_id(),
            terms.game,
            terms.options.clone(),
            players,
        )
    };
    Ok(state.store_table(new, None, Payer::Unknown, None).await?.id)
}
