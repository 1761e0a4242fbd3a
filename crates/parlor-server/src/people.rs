//! Presence: people with a connection open, or heard from lately, on this node or another.
//!
//! Presence is a person's and not a table's: whoever has any stream or socket open, asks, plays or
//! pushes is there for all of their games. Other nodes know it from the database, to which each node
//! tells at once when a person's first connection opens or the last one closes, or somebody is heard
//! from again after ten seconds, and every ten seconds who else was heard from.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use parlor_core::Seat;
use parlor_store::{PersonSign, Store, StoreError};
use parlor_table::{LogEntry, Player, Table, TableEvent, Timestamp};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout};

use crate::auth::Requester;
use crate::sources::Sources;

/// Interval at which the database is told who was heard from, so that somebody may have been heard
/// from for so long after the time that it has.
const TELL_EVERY: Duration = Duration::from_secs(10);
/// The same in milliseconds.
const TELL_EVERY_MS: i64 = TELL_EVERY.as_millis() as i64;
/// Delay before the database is told of opened and closed connections, so that several are told at
/// once.
const GATHER: Duration = Duration::from_millis(50);
/// Delay before what could not be told is told again.
const RETRY: Duration = Duration::from_millis(500);
/// Interval at which the database forgets those who were not seen for a day.
const FORGET_EVERY: Duration = Duration::from_secs(3_600);
/// Time after which other nodes may have forgotten when somebody was seen, in milliseconds.
const FORGOTTEN_MS: i64 = 24 * 3_600_000;
/// Number of guests from one address per hour of whom other nodes are told. Anybody can be many
/// guests.
const TOLD_PER_HOUR: NonZeroU32 = NonZeroU32::new(2_000).expect("not zero");
/// Number of remembered people at which those who were not heard from for the longest time are
/// forgotten.
const MAX_REMEMBERED: usize = 1 << 16;

/// People who are there, as far as this node knows. Cheap to clone.
#[derive(Clone)]
pub(crate) struct People(Arc<PeopleState>);

struct PeopleState {
    sources: Sources,
    known: Mutex<KnownPeople>,
    /// Wakes the task that tells the database.
    changed: Notify,
    /// Guests of whom other nodes are told, by address; `None` if there is no other node.
    told: Option<DefaultKeyedRateLimiter<IpAddr>>,
}

struct KnownPeople {
    /// By fingerprint.
    people: HashMap<u64, Person>,
    /// Time since which everybody who was heard from is known.
    since: Timestamp,
    /// Fingerprints of those whose row in the database is out of date.
    untold: HashSet<u64>,
}

#[derive(Clone, Copy)]
struct Person {
    /// Number of open connections.
    lines: u32,
    /// Time of the last sign of life.
    seen: Timestamp,
    /// True if other nodes are told.
    is_told: bool,
    /// Time at which they were told last.
    told: Option<Timestamp>,
}

impl Person {
    /// Returns true if other nodes know of no sign of life within [`TELL_EVERY`] before `now`.
    fn is_unknown(&self, now: Timestamp) -> bool {
        self.told
            .is_none_or(|told| now.millis() - told.millis() >= TELL_EVERY_MS)
    }
}

/// An open connection of a person, until it is dropped.
#[derive(Debug)]
pub(crate) struct PresenceGuard {
    people: People,
    fingerprints: Vec<u64>,
}

impl Drop for PresenceGuard {
    fn drop(&mut self) {
        self.people.change(&self.fingerprints, |person| {
            person.lines = person.lines.saturating_sub(1);
            person.lines == 0
        });
    }
}

impl People {
    /// Creates the state of a node that starts now. If `is_shared`, other nodes must be told, by
    /// [`tell`].
    pub(crate) fn new(sources: Sources, is_shared: bool) -> People {
        let known = KnownPeople {
            people: HashMap::new(),
            since: sources.now(),
            untold: HashSet::new(),
        };
        People(Arc::new(PeopleState {
            sources,
            known: Mutex::new(known),
            changed: Notify::new(),
            told: is_shared.then(|| RateLimiter::keyed(Quota::per_hour(TOLD_PER_HOUR))),
        }))
    }

    /// Counts a person as present until the returned guard is dropped.
    pub(crate) fn enter(&self, who: &Requester) -> PresenceGuard {
        let fingerprints = self.meet(who);
        self.change(&fingerprints, |person| {
            person.lines += 1;
            person.lines == 1
        });
        PresenceGuard {
            people: self.clone(),
            fingerprints,
        }
    }

    /// Records a sign of life: a request.
    pub(crate) fn hear_from(&self, who: &Requester) {
        let fingerprints = self.meet(who);
        self.change(&fingerprints, |_| false);
    }

    /// Returns the fingerprints of a person, who is remembered from now on.
    fn meet(&self, who: &Requester) -> Vec<u64> {
        let fingerprints: Vec<u64> = who.keys().map(|key| key.fingerprint()).collect();
        let mut known = self.lock();
        let is_new = fingerprints
            .iter()
            .any(|fingerprint| !known.people.contains_key(fingerprint));
        if !is_new {
            return fingerprints;
        }
        let address = who.address().filter(|_| who.member().is_none());
        let is_told = match (&self.0.told, address) {
            (Some(told), Some(address)) => told.check_key(&address).is_ok(),
            (Some(_), None) => true,
            (None, _) => false,
        };
        let (lines, seen) = (0, self.0.sources.now());
        for fingerprint in &fingerprints {
            let person = known.people.entry(*fingerprint);
            person.or_insert(Person {
                lines,
                seen,
                is_told,
                told: None,
            });
        }
        known.forget_some();
        fingerprints
    }

    /// Changes what is known of people, who were heard from now. If `change` returns true, or they
    /// were not told for some time, other nodes are told at once.
    fn change(&self, fingerprints: &[u64], change: impl Fn(&mut Person) -> bool) {
        let seen = self.0.sources.now();
        let mut known = self.lock();
        let mut is_urgent = false;
        for &fingerprint in fingerprints {
            let Some(person) = known.people.get_mut(&fingerprint) else {
                continue;
            };
            person.seen = seen;
            let is_first_or_last = change(person);
            // A row that says that somebody is there needs no later time.
            if person.is_told && (is_first_or_last || person.lines == 0) {
                is_urgent |= is_first_or_last || person.is_unknown(seen);
                known.untold.insert(fingerprint);
            }
        }
        drop(known);
        if is_urgent {
            self.0.changed.notify_one();
        }
    }

    /// Returns the time since which the player in a seat has been absent from this node, with no
    /// open connection and no action; `None` if the player is present or the seat is not a person's.
    fn absent_since(&self, table: &Table, seat: Seat) -> Option<Timestamp> {
        let fingerprint = fingerprint(table, seat)?;
        let known = self.lock();
        let person = known.people.get(&fingerprint).copied();
        let seen = match person {
            Some(person) if person.lines > 0 => return None,
            Some(person) => person.seen,
            None => known.since,
        };
        drop(known);
        // The clock may have been wrong.
        let seen = seen.min(self.0.sources.now());
        Some(last_act(table, seat).map_or(seen, |acted| acted.max(seen)))
    }

    /// Returns true if one of these people is connected to this node, was heard from within `lately`,
    /// or is not known here.
    pub(crate) fn is_any_here(&self, fingerprints: &[u64], lately: Duration) -> bool {
        let now = self.0.sources.now().millis();
        let lately = i64::try_from(lately.as_millis()).unwrap_or(i64::MAX);
        let known = self.lock();
        fingerprints.iter().any(|fingerprint| {
            let person = known.people.get(fingerprint);
            person.is_none_or(|person| person.lines > 0 || now - person.seen.millis() <= lately)
        })
    }

    /// Returns what this node knows of a person.
    pub(crate) fn sign_of(&self, fingerprint: u64) -> Option<PersonSign> {
        let known = self.lock();
        let person = known.people.get(&fingerprint)?;
        Some(PersonSign {
            person: fingerprint.cast_signed(),
            is_there: person.lines > 0,
            seen_at: person.seen.millis(),
        })
    }

    /// Returns everybody who is connected to this node, or was heard from within `lately`.
    pub(crate) fn present(&self, lately: Duration) -> Vec<PersonSign> {
        let since = self.0.sources.now().millis();
        let since = since - i64::try_from(lately.as_millis()).unwrap_or(i64::MAX);
        let known = self.lock();
        let people = known.people.iter();
        let present =
            people.filter(|(_, person)| person.lines > 0 || person.seen.millis() >= since);
        present
            .map(|(fingerprint, person)| PersonSign {
                person: fingerprint.cast_signed(),
                is_there: person.lines > 0,
                seen_at: person.seen.millis(),
            })
            .collect()
    }

    /// Forgets the addresses of which all people may be told again.
    fn forget_addresses(&self) {
        if let Some(told) = &self.0.told {
            told.retain_recent();
            told.shrink_to_fit();
        }
    }

    /// Takes the signs that the database was not told.
    fn take_untold(&self) -> Vec<PersonSign> {
        let mut known = self.lock();
        let untold = std::mem::take(&mut known.untold);
        let now = self.0.sources.now();
        let sign = |fingerprint: u64| {
            let person = known.people.get_mut(&fingerprint)?;
            person.told = Some(now);
            Some(PersonSign {
                person: fingerprint.cast_signed(),
                is_there: person.lines > 0,
                seen_at: person.seen.min(now).millis(),
            })
        };
        untold.into_iter().filter_map(sign).collect()
    }

    fn lock(&self) -> MutexGuard<'_, KnownPeople> {
        // No code that can panic runs while the lock is held.
        self.0.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KnownPeople {
    /// Keeps the memory within bounds.
    fn forget_some(&mut self) {
        if self.people.len() < MAX_REMEMBERED {
            return;
        }
        let away = self.people.values().filter(|person| person.lines == 0);
        let mut seen: Vec<Timestamp> = away.map(|person| person.seen).collect();
        seen.sort_unstable();
        let Some(&median) = seen.get(seen.len() / 2) else {
            return;
        };
        self.people
            .retain(|_, person| person.lines > 0 || person.seen > median);
        self.since = self.since.max(median);
    }
}

/// Tells the database who is there, until the store is closed. `node` is the number of this node, whose
/// clock may be wrong.
pub(crate) async fn tell(
    people: People,
    store: Store,
    node: i64,
    is_clock_wrong: impl Fn() -> bool,
) {
    let mut forgot = Instant::now();
    loop {
        if forgot.elapsed() >= FORGET_EVERY {
            forgot = Instant::now();
            people.forget_addresses();
            if let Err(error) = store.forget_absent().await {
                tracing::debug!(%error, "could not forget who is away");
            }
        }
        if timeout(TELL_EVERY, people.0.changed.notified())
            .await
            .is_ok()
        {
            sleep(GATHER).await;
        }
        if is_clock_wrong() {
            sleep(RETRY).await;
            people.0.changed.notify_one();
            continue;
        }
        let signs = people.take_untold();
        match store.tell_presence(node, &signs).await {
            Ok(()) => {}
            Err(StoreError::Closed) => return,
            Err(error) => {
                tracing::debug!(%error, "could not tell who is there");
                let again = signs.iter().map(|sign| sign.person.cast_unsigned());
                people.lock().untold.extend(again);
                sleep(RETRY).await;
                people.0.changed.notify_one();
            }
        }
    }
}

/// Presence of a table's players, on all nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Presence<'a> {
    pub(crate) people: &'a People,
    pub(crate) elsewhere: &'a Elsewhere,
}

impl Presence<'_> {
    /// Returns the time since which the player in a seat has been absent, with no open connection
    /// and no action; `None` if the player is present or the seat is not a person's.
    pub(crate) fn absent_since(self, table: &Table, seat: Seat) -> Option<Timestamp> {
        let here = self.people.absent_since(table, seat)?;
        let sign = fingerprint(table, seat).and_then(|person| self.elsewhere.signs.get(&person));
        match sign {
            Some(sign) if sign.is_there => None,
            Some(sign) => {
                let seen = Timestamp::from_millis(sign.seen_at + TELL_EVERY_MS);
                Some(here.max(seen.min(self.people.0.sources.now())))
            }
            None => Some(here.max(self.elsewhere.known_since)),
        }
    }
}

/// Presence of a table's players, as other nodes told it.
#[derive(Debug)]
pub(crate) struct Elsewhere {
    signs: HashMap<u64, PersonSign>,
    /// Time since which everybody who was seen by other nodes has a sign.
    known_since: Timestamp,
}

impl Default for Elsewhere {
    fn default() -> Elsewhere {
        Elsewhere {
            signs: HashMap::new(),
            known_since: Timestamp::from_millis(0),
        }
    }
}

impl Elsewhere {
    /// Reads what other nodes than `node` told of those players of a table that are absent here.
    pub(crate) async fn read(
        people: &People,
        store: &Store,
        node: i64,
        table: &Table,
    ) -> Result<Elsewhere, StoreError> {
        let seats = Seat::all(table.position().seats());
        let absent = seats.filter(|seat| people.absent_since(table, *seat).is_some());
        let absent: Vec<i64> = absent
            .filter_map(|seat| fingerprint(table, seat))
            .map(u64::cast_signed)
            .collect();
        if absent.is_empty() {
            return Ok(Elsewhere::default());
        }
        let signs = store.presence(&absent, node).await?.into_iter();
        let signs = signs.map(|sign| (sign.person.cast_unsigned(), sign));
        let now = people.0.sources.now().millis();
        Ok(Elsewhere {
            signs: signs.collect(),
            known_since: Timestamp::from_millis(now - FORGOTTEN_MS),
        })
    }
}

/// Returns the fingerprint of the player in a seat; `None` if it is not a person.
fn fingerprint(table: &Table, seat: Seat) -> Option<u64> {
    match table.players().get(seat.index())? {
        Player::Human { key, .. } => Some(key.fingerprint()),
        Player::Open | Player::Bot { .. } => None,
    }
}

/// Returns the fingerprints of all people at a table.
pub(crate) fn fingerprints(table: &Table) -> Vec<u64> {
    let seats = Seat::all(table.position().seats());
    seats.filter_map(|seat| fingerprint(table, seat)).collect()
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

impl fmt::Debug for People {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("People").finish_non_exhaustive()
    }
}
#[cfg(test)]
mod tests {
    use parlor_games::GameKind;
    use parlor_table::{Command, Issuer, NewTable, Player, SeatKey, TableId};
    use serde_json::json;

    use super::*;
    use crate::edge::Client;

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

    /// Returns the time since which a player has been absent from this node.
    fn absent(people: &People, table: &Table, seat: Seat) -> Option<Timestamp> {
        let elsewhere = &Elsewhere::default();
        Presence { people, elsewhere }.absent_since(table, seat)
    }

    #[test]
    fn who_has_a_connection_open_is_there() {
        let (table, ann, bob) = ann_and_bob();
        let people = People::new(at(LONG_AGO), false);
        let (_one, two) = (people.enter(&ann), people.enter(&ann));
        drop(two);
        assert_eq!(
            absent(&people, &table, Seat::FIRST),
            None,
            "one of two is still open"
        );
        assert_eq!(absent(&people, &table, Seat::SECOND), Some(LONG_AGO));
        let cleo = Requester::from_guest(SeatKey::from_token("Cleo's token"));
        let _look_on = people.enter(&cleo);
        assert_eq!(absent(&people, &table, Seat::SECOND), Some(LONG_AGO));
        let _bob = people.enter(&bob);
        assert_eq!(absent(&people, &table, Seat::SECOND), None);
    }

    /// Returns sources whose clock shows what is set.
    fn settable() -> (Sources, Arc<Mutex<Timestamp>>) {
        let now = Arc::new(Mutex::new(LONG_AGO));
        let clock = now.clone();
        let sources = Sources::new(move || *clock.lock().unwrap(), |_| unreachable!());
        (sources, now)
    }

    #[test]
    fn who_left_is_away_since_the_last_connection_closed_or_request() {
        let (table, ann, _) = ann_and_bob();
        let (sources, now) = settable();
        let people = People::new(sources, false);
        let there = people.enter(&ann);
        *now.lock().unwrap() = later(70);
        drop(there);
        *now.lock().unwrap() = later(99);
        assert_eq!(absent(&people, &table, Seat::FIRST), Some(later(70)));
        people.hear_from(&ann);
        assert_eq!(absent(&people, &table, Seat::FIRST), Some(later(99)));
    }

    #[test]
    fn who_acts_without_a_connection_is_away_since_then() {
        let (mut table, ann, _) = ann_and_bob();
        let people = People::new(at(later(50)), false);
        assert_eq!(
            absent(&people, &table, Seat::FIRST),
            Some(later(50)),
            "nobody knows what was before"
        );
        table
            .apply(later(90), &ann.by(), Command::play("1,1"))
            .unwrap();
        assert_eq!(absent(&people, &table, Seat::FIRST), Some(later(90)));
        let bob = SeatKey::from_token("Bob's token");
        table
            .apply(later(95), &Issuer::Key(bob), Command::play("0,0"))
            .unwrap();
        assert_eq!(absent(&people, &table, Seat::FIRST), Some(later(90)));
    }

    #[test]
    fn what_other_nodes_tell_counts_too() {
        let (table, ann, _) = ann_and_bob();
        let (sources, now) = settable();
        let people = People::new(sources, true);
        let person = SeatKey::from_token("Bob's token").fingerprint();
        let told = |is_there, seen_at| {
            let person_sign = PersonSign {
                person: person.cast_signed(),
                is_there,
                seen_at,
            };
            let signs = HashMap::from([(person, person_sign)]);
            let presence = Presence {
                people: &people,
                elsewhere: &Elsewhere {
                    signs,
                    ..Elsewhere::default()
                },
            };
            presence.absent_since(&table, Seat::SECOND)
        };
        assert_eq!(told(true, 0), None);
        *now.lock().unwrap() = later(20_000);
        assert_eq!(told(false, later(7).millis()), Some(later(10_007)));
        *now.lock().unwrap() = later(5_000);
        let absent_since = told(false, later(7).millis());
        assert_eq!(absent_since, Some(later(5_000)), "not in the future");
        assert_eq!(told(false, 0), Some(LONG_AGO));
        assert_eq!(absent(&people, &table, Seat::FIRST), Some(LONG_AGO));
        let _ann = people.enter(&ann);
        let told: Vec<bool> = people.take_untold().iter().map(|s| s.is_there).collect();
        assert_eq!(told, [true]);
        people.hear_from(&ann);
        assert_eq!(people.take_untold(), [], "it is known that Ann is there");
    }

    #[tokio::test]
    async fn whoever_was_not_heard_from_for_ten_seconds_is_told_at_once() {
        let (_, ann, _) = ann_and_bob();
        let (sources, now) = settable();
        let people = People::new(sources, true);
        let is_woken = async || {
            let woken = people.0.changed.notified();
            timeout(Duration::ZERO, woken).await.is_ok()
        };
        people.hear_from(&ann);
        assert!(is_woken().await, "nobody knew Ann");
        assert_eq!(people.take_untold().len(), 1);
        for (ms, is_urgent) in [(9_999, false), (10_000, true)] {
            *now.lock().unwrap() = later(ms);
            people.hear_from(&ann);
            assert_eq!(is_woken().await, is_urgent, "{ms} ms");
        }
        assert_eq!(people.take_untold().len(), 1);
        people.hear_from(&ann);
        assert!(!is_woken().await);
        assert_eq!(people.take_untold().len(), 1, "told with the others");
    }

    #[test]
    fn of_the_guests_of_one_address_not_all_are_told() {
        let people = People::new(at(LONG_AGO), true);
        let from = |n: u32, last: u8| {
            let key = SeatKey::from_token(&n.to_string());
            Requester::from_guest(key).at_client(Client([10, 0, 0, last].into()))
        };
        for n in 0..3_000 {
            people.hear_from(&from(n, 1));
        }
        people.hear_from(&from(3_000, 2));
        let told = TOLD_PER_HOUR.get() as usize + 1;
        assert_eq!(people.take_untold().len(), told);
        drop(people.enter(&from(2_999, 1)));
        assert_eq!(people.take_untold(), [], "still not");
        drop(people.enter(&from(3_000, 2)));
        assert_eq!(people.take_untold().len(), 1);
    }

    #[test]
    fn those_not_heard_from_for_long_are_forgotten_but_nobody_present() {
        let (table, ann, bob) = ann_and_bob();
        let (sources, now) = settable();
        let people = People::new(sources, false);
        let _ann = people.enter(&ann);
        people.hear_from(&bob);
        for n in 1..=MAX_REMEMBERED as i64 {
            *now.lock().unwrap() = later(n);
            let key = SeatKey::from_token(&n.to_string());
            people.hear_from(&Requester::from_guest(key));
        }
        assert!(people.lock().people.len() <= MAX_REMEMBERED / 2 + 2);
        assert_eq!(absent(&people, &table, Seat::FIRST), None);
        let since = absent(&people, &table, Seat::SECOND).unwrap();
        assert!(since > later(MAX_REMEMBERED as i64 / 3), "{since:?}");
    }
}
