//! What time brings by itself: a clock that reaches zero, a game that nobody begins, a table that nobody comes to.

use parlor_core::{Outcome, Seat};

use crate::table::Status;
use crate::{Event, How, Table, Timestamp};

pub(crate) fn tick(table: &mut Table, now: Timestamp) {
    if table.due_at().is_none_or(|due| due > now) {
        return;
    }
    let flagged = table.clock.as_ref().and_then(|clock| clock.flagged(now));
    match flagged {
        Some(seat) if table.status == Status::Playing => flag(table, now, seat),
        _ => table.end(now, How::Abort, None),
    }
}

/// A clock is at zero. Between two the other wins; in a larger game, and in a team of any size, it is as if the seat had resigned.
fn flag(table: &mut Table, now: Timestamp, seat: Seat) {
    if table.is_duel() {
        table.push(
            now,
            Event::Flagged {
                seat,
                replaced_by: None,
            },
        );
        return table.end(now, How::Time, Some(Outcome::won(seat.next(2)).into()));
    }
    table.give_up(now, &[seat], How::Time, |seat, replaced_by| {
        Event::Flagged { seat, replaced_by }
    });
}
