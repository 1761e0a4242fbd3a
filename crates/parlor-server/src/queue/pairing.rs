//! Two who suit each other: a table for them, if both are there and take it.

use std::time::Duration;

use parlor_table::{Command, NewTable};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::pool::{Terms, Ticket};
use super::{Desk, Place};
use crate::AppState;
use crate::auth;
use crate::error::Error;
use crate::{live, tables};

/// How long a stream may take to say that its reader is there.
const PRESENT: Duration = Duration::from_secs(5);

/// One side of a pairing.
type Side = (Ticket, Desk);

/// Makes the table, or lets both wait on.
pub(super) async fn run(state: AppState, terms: Terms, mut sides: [Side; 2]) {
    if auth::random() & 1 == 1 {
        sides.swap(0, 1);
    }
    let [first, second] = &sides;
    match tokio::join!(offer(&first.1), offer(&second.1)) {
        (Some(a), Some(b)) => settle(&state, &terms, &sides, [a, b]).await,
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
    // Whoever is free again may suit somebody else.
    state.queue().pair(&state, &terms);
}

/// Tells a stream of the opponent. It answers when it is read.
async fn offer(desk: &Desk) -> Option<oneshot::Sender<Place>> {
    let (taken, answer) = oneshot::channel();
    desk.offers.upgrade()?.try_send(taken).ok()?;
    timeout(PRESENT, answer).await.ok()?.ok()
}

async fn settle(
    state: &AppState,
    terms: &Terms,
    sides: &[Side; 2],
    places: [oneshot::Sender<Place>; 2],
) {
    let release = || {
        sides
            .iter()
            .for_each(|(ticket, _)| state.queue().release(terms, *ticket))
    };
    let made = match found(state, terms, sides).await {
        Ok(made) => made,
        Err(error) => {
            tracing::error!(?error, "a pairing has no table");
            return release();
        }
    };
    // The last moment at which somebody can have left without the other losing anything.
    if places.iter().any(oneshot::Sender::is_closed) {
        if let Err(error) = state
            .act(made, sides[0].1.who.clone(), Command::Abort)
            .await
        {
            tracing::warn!(?error, table = %made, "a table without players could not be called off");
        }
        return release();
    }
    metrics::counter!("parlor_pairings_total").increment(1);
    for (seat, place) in (0u8..).zip(places) {
        // Whoever leaves just now is at a table all the same; it is called off when the game does not begin.
        let _ = place.send(Place { table: made, seat });
    }
}

async fn found(
    state: &AppState,
    terms: &Terms,
    sides: &[Side; 2],
) -> Result<parlor_table::TableId, Error> {
    let players = sides.iter().map(|(_, desk)| desk.player.clone()).collect();
    let new = NewTable {
        secret: terms.game.has_luck().then(live::fresh_secret),
        clock: terms.clock,
        rated: terms.rated,
        ..NewTable::new(
            tables::fresh_id(),
            terms.game,
            terms.options.clone(),
            players,
        )
    };
    Ok(state.found(new, None).await?.id)
}
