//! Times at which nobody could play.

use crate::{Table, TableEvent, TableStatus, Timestamp};

/// Shortest time that is given back, in milliseconds: less is not worth an event.
const SHORTEST_MS: i64 = 250;

/// Lets the running clock stand still between two times, but for what was given back before, unless
/// it had run out by then.
pub(crate) fn pause(table: &mut Table, now: Timestamp, from: Timestamp, until: Timestamp) {
    let clock = table.clock.as_ref();
    let clock = clock.filter(|_| table.status == TableStatus::Playing);
    let Some((clock, (_, since))) = clock.and_then(|clock| Some((clock, clock.running()?))) else {
        return;
    };
    let from = from.max(since).max(table.paused_until);
    let until = until.min(now);
    let is_long = until.millis() - from.millis() >= SHORTEST_MS;
    if is_long && clock.flagged(from).is_none() {
        table.push(now, TableEvent::Paused { from, until });
    }
}
