//! Timeouts: a clock runs out, or a game that has not begun or a table that has not filled up is
//! aborted. A rated game has begun once both players have moved.

use parlor_core::{Outcome, Seat};

use crate::table::TableStatus;
use crate::{EndReason, Table, TableEvent, Timestamp};

pub(crate) fn tick(table: &mut Table, now: Timestamp) {
    if table.due_at().is_none_or(|due| due > now) {
        return;
    }
    if table.asked_until().is_some_and(|until| until <= now) {
        return super::ask::expire(table, now);
    }
    let flagged = table.clock.as_ref().and_then(|clock| clock.lost(now));
    let has_moved = table.awaited_first_move().is_none();
    match flagged {
        Some(seat) if table.status == TableStatus::Playing && has_moved => flag(table, now, seat),
        _ => table.end(now, EndReason::Abort, None),
    }
}

/// Handles a clock that has run out. With two players the other one wins; in a larger game, and in
/// a team of any size, the effect is that of a resignation.
fn flag(table: &mut Table, now: Timestamp, seat: Seat) {
    if table.is_duel() {
        table.push(
            now,
            TableEvent::Flagged {
                seat,
                replaced_by: None,
                name: None,
            },
        );
        return table.end(
            now,
            EndReason::Time,
            Some(Outcome::won(seat.next(2)).into()),
        );
    }
    let how = EndReason::Time;
    table.replace_or_end(now, &[seat], how, |seat, replaced_by, name| {
        TableEvent::Flagged {
            seat,
            replaced_by,
            name,
        }
    });
}
