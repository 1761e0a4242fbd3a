//! Who is there: the players who have a socket or a stream of events open.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use parlor_core::Seat;
use parlor_table::{Entry, Event, Table, Timestamp};

use super::stored;
use crate::auth::Who;

/// Who is there at one table, as far as this process knows.
#[derive(Clone, Debug)]
pub(super) struct Presence(Arc<Mutex<Connections>>);

#[derive(Debug)]
struct Connections {
    next: u64,
    open: BTreeMap<u64, Who>,
    /// Whose connection was closed, and when, since somebody last looked.
    closed: Vec<(Who, Timestamp)>,
    /// By seat: when a connection was last closed.
    last: BTreeMap<Seat, Timestamp>,
    /// When the table was taken into memory. What was open before is closed since then at the latest.
    since: Timestamp,
}

/// Somebody's open connection, until it is dropped.
#[derive(Debug)]
pub(crate) struct Present {
    number: u64,
    presence: Presence,
}

impl Drop for Present {
    fn drop(&mut self) {
        let mut connections = self.presence.lock();
        if let Some(who) = connections.open.remove(&self.number) {
            connections.closed.push((who, stored::now()));
        }
    }
}

impl Presence {
    /// Nobody is there yet.
    pub(super) fn new(since: Timestamp) -> Presence {
        let (open, closed, last) = (BTreeMap::new(), Vec::new(), BTreeMap::new());
        Presence(Arc::new(Mutex::new(Connections {
            next: 0,
            open,
            closed,
            last,
            since,
        })))
    }

    /// Somebody opened a connection.
    pub(super) fn enter(&self, table: &Table, who: Who) -> Present {
        let mut connections = self.lock();
        connections.sort_out(table);
        let number = connections.next;
        connections.next += 1;
        connections.open.insert(number, who);
        drop(connections);
        Present {
            number,
            presence: self.clone(),
        }
    }

    /// Since when the person in a seat is away: neither had a connection open nor did anything. `None` for who is there,
    /// and for seats without a person.
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

    fn lock(&self) -> MutexGuard<'_, Connections> {
        // Nothing that can panic is done while the lock is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connections {
    /// Finds the seats of those who closed a connection. Most of those who look on have none and are forgotten.
    fn sort_out(&mut self, table: &Table) {
        for (who, at) in self.closed.drain(..) {
            self.last
                .extend(who.seats(table).into_iter().map(|seat| (seat, at)));
        }
    }
}

/// When the person in a seat last did something.
fn last_act(table: &Table, seat: Seat) -> Option<Timestamp> {
    let acts = table.log().iter().rev();
    acts.filter(|entry| actor(entry) == Some(seat))
        .map(|entry| entry.at)
        .next()
}

fn actor(entry: &Entry) -> Option<Seat> {
    match entry.event {
        Event::Joined { seat, .. }
        | Event::Ready { seat }
        | Event::LuckText { seat, .. }
        | Event::Moved { seat, .. }
        | Event::DrawOffered { seat }
        | Event::DrawDeclined { seat }
        | Event::TakebackOffered { seat }
        | Event::TakebackDeclined { seat }
        | Event::TimeGiven { seat, .. } => Some(seat),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use parlor_games::GameKind;
    use parlor_table::{By, Command, Key, NewTable, Player, TableId};
    use serde_json::json;

    use super::*;

    const LONG_AGO: Timestamp = Timestamp::from_millis(1_800_000_000_000);

    fn ann_and_bob() -> (Table, Who, Who) {
        let (ann, bob) = (Key::of("Ann's token"), Key::of("Bob's token"));
        let players = vec![
            Player::human("Ann", ann).unwrap(),
            Player::human("Bob", bob).unwrap(),
        ];
        let new = NewTable::new(
            TableId::new(7).unwrap(),
            GameKind::ALL[0],
            json!({}),
            players,
        );
        (
            Table::create(LONG_AGO, new).unwrap(),
            Who::guest(ann),
            Who::guest(bob),
        )
    }

    fn later(ms: i64) -> Timestamp {
        Timestamp::from_millis(LONG_AGO.millis() + ms)
    }

    #[test]
    fn who_has_a_connection_open_is_there() {
        let (table, ann, bob) = ann_and_bob();
        let presence = Presence::new(LONG_AGO);
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
        let _look_on = presence.enter(&table, Who::guest(Key::of("Cleo's token")));
        assert_eq!(presence.absent_since(&table, Seat::SECOND), Some(LONG_AGO));
        let _bob = presence.enter(&table, bob);
        assert_eq!(presence.absent_since(&table, Seat::SECOND), None);
    }

    #[test]
    fn who_left_is_away_since_the_last_connection_closed() {
        let (table, ann, _) = ann_and_bob();
        let presence = Presence::new(LONG_AGO);
        let before = stored::now();
        drop(presence.enter(&table, ann));
        let since = presence.absent_since(&table, Seat::FIRST).unwrap();
        assert!((before..=stored::now()).contains(&since));
    }

    #[test]
    fn who_acts_without_a_connection_is_away_since_then() {
        let (mut table, ann, _) = ann_and_bob();
        let presence = Presence::new(later(50));
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
                &By::Key(Key::of("Bob's token")),
                Command::play("0,0"),
            )
            .unwrap();
        assert_eq!(presence.absent_since(&table, Seat::FIRST), Some(later(90)));
    }
}
