//! Presence of players: those who have an open socket or event stream.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use parlor_core::Seat;
use parlor_table::{LogEntry, Table, TableEvent, Timestamp};

use crate::auth::Requester;
use crate::sources::Sources;

/// Presence at one table, as far as this process knows.
#[derive(Clone, Debug)]
pub(super) struct Presence(Arc<Mutex<PresenceState>>);

#[derive(Debug)]
struct PresenceState {
    sources: Sources,
    next: u64,
    open: BTreeMap<u64, Requester>,
    /// Connections closed since the last query, with the times.
    closed: Vec<(Requester, Timestamp)>,
    /// Time of the last closed connection, by seat.
    last: BTreeMap<Seat, Timestamp>,
    /// Time when the table was loaded. Connections of other processes count as closed then.
    since: Timestamp,
}

/// An open connection of a person, until it is dropped.
#[derive(Debug)]
pub(crate) struct PresenceGuard {
    number: u64,
    presence: Presence,
}

impl Drop for PresenceGuard {
    fn drop(&mut self) {
        let mut connections = self.presence.lock();
        if let Some(who) = connections.open.remove(&self.number) {
            let now = connections.sources.now();
            connections.closed.push((who, now));
        }
    }
}

impl Presence {
    /// Creates the presence of a table that is loaded now.
    pub(super) fn new(sources: Sources) -> Presence {
        let (open, closed, last) = (BTreeMap::new(), Vec::new(), BTreeMap::new());
        let since = sources.now();
        Presence(Arc::new(Mutex::new(PresenceState {
            sources,
            next: 0,
            open,
            closed,
            last,
            since,
        })))
    }

    /// Records an open connection.
    pub(super) fn enter(&self, table: &Table, who: Requester) -> PresenceGuard {
        let mut connections = self.lock();
        connections.sort_out(table);
        let number = connections.next;
        connections.next += 1;
        connections.open.insert(number, who);
        drop(connections);
        PresenceGuard {
            number,
            presence: self.clone(),
        }
    }

    /// Returns the time since which the player in a seat has been absent, with no open connection
    /// and no action; `None` if the player is present or the seat is empty.
    pub(super) fn absent_since(&self, table: &Table, seat: Seat) -> Option<Timestamp> {
        let mut connections = self.lock();
        connections.sort_out(table);
        let here = connections
            .open
            .values()
            .any(|who| who.seats(table).contains(&seat));
        if here || !table.players()[seat.index()].is_human() {
            return None;
        }
        let closed = connections
            .last
            .get(&seat)
            .copied()
            .unwrap_or(connections.since);
        Some(last_act(table, seat).map_or(closed, |acted| acted.max(closed)))
    }

    fn lock(&self) -> MutexGuard<'_, PresenceState> {
        // No code that can panic runs while the lock is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PresenceState {
    /// Assigns closed connections to seats, and drops those of spectators.
    fn sort_out(&mut self, table: &Table) {
        for (who, at) in self.closed.drain(..) {
            self.last
                .extend(who.seats(table).into_iter().map(|seat| (seat, at)));
        }
    }
}

/// Returns the time of the last action by the player in a seat.
fn last_act(table: &Table, seat: Seat) -> Option<Timestamp> {
    let acts = table.log().iter().rev();
    acts.filter(|entry| actor(entry) == Some(seat))
        .map(|entry| entry.at)
        .next()
}

fn actor(entry: &LogEntry) -> Option<Seat> {
    match entry.event {
        TableEvent::Joined { seat, .. }
        | TableEvent::Ready { seat }
        | TableEvent::LuckText { seat, .. }
        | TableEvent::Moved { seat, .. }
        | TableEvent::DrawOffered { seat }
        | TableEvent::DrawDeclined { seat }
        | TableEvent::TakebackOffered { seat }
        | TableEvent::TakebackDeclined { seat }
        | TableEvent::TimeGiven { seat, .. } => Some(seat),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use parlor_games::GameKind;
    use parlor_table::{Command, Issuer, NewTable, Player, SeatKey, TableId};
    use serde_json::json;

    use super::*;

    const LONG_AGO: Timestamp = Timestamp::from_millis(1_800_000_000_000);

    fn ann_and_bob() -> (Table, Requester, Requester) {
        let (ann, bob) = (
            SeatKey::from_token("Ann's token"),
            SeatKey::from_token("Bob's token"),
        );
        let players = vec![
            Player::human("Ann", ann).unwrap(),
            Player::human("Bob", bob).unwrap(),
        ];
        let new = NewTable::new(
            TableId::new(7).unwrap(),
            GameKind::all()[0],
            json!({}),
            players,
        );
        (
            Table::create(LONG_AGO, new).unwrap(),
            Requester::from_guest(ann),
            Requester::from_guest(bob),
        )
    }

    /// Returns sources whose clock stands still.
    fn at(now: Timestamp) -> Sources {
        Sources::new(move || now, |_| unreachable!())
    }

    fn later(ms: i64) -> Timestamp {
        Timestamp::from_millis(LONG_AGO.millis() + ms)
    }

    #[test]
    fn who_has_a_connection_open_is_there() {
        let (table, ann, bob) = ann_and_bob();
        let presence = Presence::new(at(LONG_AGO));
        let (_one, two) = (
            presence.enter(&table, ann.clone()),
            presence.enter(&table, ann),
        );
        drop(two);
        assert_eq!(
            presence.absent_since(&table, Seat::FIRST),
            None,
            "one of two is still open"
        );
        assert_eq!(presence.absent_since(&table, Seat::SECOND), Some(LONG_AGO));
        let _look_on = presence.enter(
            &table,
            Requester::from_guest(SeatKey::from_token("Cleo's token")),
        );
        assert_eq!(presence.absent_since(&table, Seat::SECOND), Some(LONG_AGO));
        let _bob = presence.enter(&table, bob);
        assert_eq!(presence.absent_since(&table, Seat::SECOND), None);
    }

    #[test]
    fn who_left_is_away_since_the_last_connection_closed() {
        let (table, ann, _) = ann_and_bob();
        let now = Arc::new(Mutex::new(LONG_AGO));
        let clock = now.clone();
        let sources = Sources::new(move || *clock.lock().unwrap(), |_| unreachable!());
        let presence = Presence::new(sources);
        let there = presence.enter(&table, ann);
        *now.lock().unwrap() = later(70);
        drop(there);
        *now.lock().unwrap() = later(99);
        assert_eq!(presence.absent_since(&table, Seat::FIRST), Some(later(70)));
    }

    #[test]
    fn who_acts_without_a_connection_is_away_since_then() {
        let (mut table, ann, _) = ann_and_bob();
        let presence = Presence::new(at(later(50)));
        assert_eq!(
            presence.absent_since(&table, Seat::FIRST),
            Some(later(50)),
            "nobody knows what was before"
        );
        table
            .apply(later(90), &ann.by(), Command::play("1,1"))
            .unwrap();
        assert_eq!(presence.absent_since(&table, Seat::FIRST), Some(later(90)));
        table
            .apply(
                later(95),
                &Issuer::Key(SeatKey::from_token("Bob's token")),
                Command::play("0,0"),
            )
            .unwrap();
        assert_eq!(presence.absent_since(&table, Seat::FIRST), Some(later(90)));
    }
}
