//! Who waits for whom: pairing as a plain value. The time is an argument.

use std::collections::HashMap;
use std::time::Duration;

use parlor_games::GameKind;
use parlor_table::{Key, TimeControl};
use serde_json::Value;
use tokio::time::Instant;

/// How far apart two ratings may be at first.
const FIRST_WINDOW: u32 = 100;
/// By how much the window widens with every [`WIDENS_EVERY`].
const WIDENS_BY: u32 = 10;
/// How often it widens.
pub(super) const WIDENS_EVERY: Duration = Duration::from_secs(1);

/// What two players must agree on: only those who say the same meet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Terms {
    /// The game.
    pub(crate) game: GameKind,
    /// Its complete options.
    pub(crate) options: Value,
    /// How much time the seats have.
    pub(crate) clock: Option<TimeControl>,
    /// Whether the game counts for the players' ratings.
    pub(crate) rated: bool,
}

/// The number of an entry; later ones are higher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Ticket(pub(super) u64);

/// Somebody who waits.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Its number.
    pub(super) ticket: Ticket,
    /// All that the person is known by: two entries with a key in common are one person's.
    pub(super) keys: Vec<Key>,
    /// How strong the person plays.
    pub(super) rating: i32,
    /// How far away an opponent may be at most, however long the wait.
    pub(super) most: u32,
    /// Since when.
    pub(super) since: Instant,
    /// Whether a pairing is under way, so that the entry is not free for another.
    pub(super) busy: bool,
}

impl Entry {
    /// How far away an opponent may be now.
    pub(super) fn window(&self, now: Instant) -> u32 {
        let steps = now.saturating_duration_since(self.since).as_secs() / WIDENS_EVERY.as_secs();
        let widened = u32::try_from(steps)
            .unwrap_or(u32::MAX)
            .saturating_mul(WIDENS_BY)
            .saturating_add(FIRST_WINDOW);
        widened.min(self.most)
    }

    fn is_same_person(&self, other: &Entry) -> bool {
        self.keys.iter().any(|key| other.keys.contains(key))
    }

    /// Whether both would play the other now.
    fn suits(&self, other: &Entry, now: Instant) -> bool {
        let distance = self.rating.abs_diff(other.rating);
        distance <= self.window(now) && distance <= other.window(now) && !self.is_same_person(other)
    }
}

/// All who wait.
#[derive(Debug, Default)]
pub(super) struct Pool {
    groups: HashMap<Terms, Vec<Entry>>,
}

impl Pool {
    /// Somebody comes. Whoever waited already, on whatever terms, does so no more; the answer says which entries that ended.
    pub(super) fn enter(&mut self, terms: Terms, entry: Entry) -> Vec<Ticket> {
        let mut replaced = Vec::new();
        self.groups.retain(|_, group| {
            group.retain(|old| {
                let same = old.is_same_person(&entry);
                replaced.extend(same.then_some(old.ticket));
                !same
            });
            !group.is_empty()
        });
        self.groups.entry(terms).or_default().push(entry);
        replaced
    }

    /// Somebody goes. Nothing happens when they are gone already.
    pub(super) fn leave(&mut self, terms: &Terms, ticket: Ticket) {
        let Some(group) = self.groups.get_mut(terms) else {
            return;
        };
        group.retain(|entry| entry.ticket != ticket);
        if group.is_empty() {
            self.groups.remove(terms);
        }
    }

    /// A pairing came to nothing: who is still here is free again, and has not lost the time waited.
    pub(super) fn release(&mut self, terms: &Terms, ticket: Ticket) {
        let group = self.groups.get_mut(terms).into_iter().flatten();
        group
            .filter(|entry| entry.ticket == ticket)
            .for_each(|entry| entry.busy = false);
    }

    /// How many wait on these terms.
    pub(super) fn waiting(&self, terms: &Terms) -> usize {
        self.groups.get(terms).map_or(0, Vec::len)
    }

    /// Somebody who waits.
    pub(super) fn entry(&self, terms: &Terms, ticket: Ticket) -> Option<&Entry> {
        self.groups
            .get(terms)?
            .iter()
            .find(|entry| entry.ticket == ticket)
    }

    /// Pairs those who are free and suit each other, the nearest ratings first and among equals who waited longest.
    /// They are busy from now on, until they leave or are released.
    pub(super) fn pair(&mut self, terms: &Terms, now: Instant) -> Vec<[Ticket; 2]> {
        let Some(group) = self.groups.get_mut(terms) else {
            return Vec::new();
        };
        let mut free: Vec<&mut Entry> = group.iter_mut().filter(|entry| !entry.busy).collect();
        free.sort_by_key(|entry| entry.rating);
        let mut candidates = Vec::new();
        for (n, entry) in free.iter().enumerate() {
            let reach = entry.window(now);
            let near = free[n + 1..]
                .iter()
                .enumerate()
                .take_while(|(_, other)| entry.rating.abs_diff(other.rating) <= reach);
            for (m, other) in near.filter(|(_, other)| entry.suits(other, now)) {
                let (first, second) = (
                    entry.ticket.min(other.ticket),
                    entry.ticket.max(other.ticket),
                );
                candidates.push((
                    entry.rating.abs_diff(other.rating),
                    first,
                    second,
                    n,
                    n + 1 + m,
                ));
            }
        }
        candidates.sort_unstable();
        let mut pairs = Vec::new();
        for (_, first, second, n, m) in candidates {
            if !free[n].busy && !free[m].busy {
                (free[n].busy, free[m].busy) = (true, true);
                pairs.push([first, second]);
            }
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Terms of a classic game.
    fn terms(rated: bool) -> Terms {
        let game = GameKind::ALL[0];
        Terms {
            game,
            options: Value::Null,
            clock: None,
            rated,
        }
    }

    fn entry(ticket: u64, rating: i32, since: Instant) -> Entry {
        let keys = vec![Key::of(&format!("person {ticket}"))];
        Entry {
            ticket: Ticket(ticket),
            keys,
            rating,
            most: u32::MAX,
            since,
            busy: false,
        }
    }

    fn pool(entries: impl IntoIterator<Item = Entry>) -> Pool {
        let mut pool = Pool::default();
        for entry in entries {
            pool.enter(terms(false), entry);
        }
        pool
    }

    fn tickets(pairs: &[[Ticket; 2]]) -> Vec<[u64; 2]> {
        pairs
            .iter()
            .map(|pair| pair.map(|Ticket(number)| number))
            .collect()
    }

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn a_hundred_points_apart_are_paired_at_once_and_one_more_after_a_second() {
        let now = Instant::now();
        let mut near = pool([entry(1, 1000, now), entry(2, 1100, now)]);
        assert_eq!(tickets(&near.pair(&terms(false), now)), [[1, 2]]);
        let mut far = pool([entry(1, 1000, now), entry(2, 1101, now)]);
        assert!(
            far.pair(&terms(false), now + Duration::from_millis(999))
                .is_empty()
        );
        assert_eq!(
            tickets(&far.pair(&terms(false), now + seconds(1))),
            [[1, 2]]
        );
    }

    #[test]
    fn both_windows_must_reach_the_other() {
        let now = Instant::now();
        let mut pool = pool([entry(1, 1000, now), entry(2, 1300, now + seconds(19))]);
        assert!(
            pool.pair(&terms(false), now + seconds(30)).is_empty(),
            "the second has waited for eleven seconds only"
        );
        assert_eq!(
            tickets(&pool.pair(&terms(false), now + seconds(39))),
            [[1, 2]]
        );
    }

    #[test]
    fn a_window_never_grows_beyond_what_its_owner_wants() {
        let now = Instant::now();
        let narrow = Entry {
            most: 50,
            ..entry(1, 1000, now)
        };
        assert_eq!(
            (narrow.window(now), narrow.window(now + seconds(60))),
            (50, 50)
        );
        let wide = Entry {
            most: 130,
            ..entry(2, 1000, now)
        };
        assert_eq!(
            [0, 1, 3, 9].map(|s| wide.window(now + seconds(s))),
            [100, 110, 130, 130]
        );
        let mut pool = pool([narrow, entry(3, 1051, now)]);
        assert!(pool.pair(&terms(false), now + seconds(60)).is_empty());
    }

    #[test]
    fn the_nearest_rating_comes_first_and_then_the_longest_wait() {
        let now = Instant::now();
        let mut nearest = pool([
            entry(1, 1000, now),
            entry(2, 1060, now),
            entry(3, 1050, now),
        ]);
        assert_eq!(tickets(&nearest.pair(&terms(false), now)), [[2, 3]]);
        let mut longest = pool([
            entry(4, 1000, now),
            entry(2, 1000, now),
            entry(3, 1000, now),
        ]);
        assert_eq!(tickets(&longest.pair(&terms(false), now)), [[2, 3]]);
    }

    #[test]
    fn nobody_meets_themselves() {
        let now = Instant::now();
        let (member, guest) = (Key::of("member"), Key::of("guest"));
        let both = Entry {
            keys: vec![member, guest],
            ..entry(1, 1000, now)
        };
        let mut pool = Pool::default();
        assert!(pool.enter(terms(false), both).is_empty());
        let again = Entry {
            keys: vec![guest],
            ..entry(2, 1000, now)
        };
        assert_eq!(
            pool.enter(terms(true), again),
            [Ticket(1)],
            "the second entry replaces the first"
        );
        assert_eq!(
            (pool.waiting(&terms(false)), pool.waiting(&terms(true))),
            (0, 1)
        );
    }

    #[test]
    fn only_those_who_want_the_same_meet() {
        let now = Instant::now();
        let mut pool = pool([entry(1, 1000, now)]);
        pool.enter(terms(true), entry(2, 1000, now));
        let blitz = Terms {
            clock: TimeControl::total(180_000, 0).ok(),
            ..terms(false)
        };
        pool.enter(blitz.clone(), entry(3, 1000, now));
        for terms in [terms(false), terms(true), blitz] {
            assert!(pool.pair(&terms, now).is_empty());
        }
    }

    #[test]
    fn who_is_released_keeps_the_time_waited_and_who_left_is_gone() {
        let now = Instant::now();
        let mut pool = pool([
            entry(1, 1000, now),
            entry(2, 1000, now),
            entry(3, 1300, now),
        ]);
        assert_eq!(tickets(&pool.pair(&terms(false), now)), [[1, 2]]);
        assert!(
            pool.pair(&terms(false), now + seconds(25)).is_empty(),
            "those of a pairing are not free"
        );
        pool.leave(&terms(false), Ticket(2));
        pool.release(&terms(false), Ticket(1));
        pool.release(&terms(false), Ticket(2));
        assert_eq!(
            tickets(&pool.pair(&terms(false), now + seconds(25))),
            [[1, 3]]
        );
    }

    #[test]
    fn pairings_are_disjoint_fair_and_leave_nobody_who_suits_another() {
        let start = Instant::now();
        let mut seed: u64 = 1;
        let mut draw = |below: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..300 {
            let mut pool = Pool::default();
            for ticket in 0..draw(40) {
                let since = start + Duration::from_millis(draw(30_000));
                let rating = 600 + i32::try_from(draw(1200)).unwrap();
                let keys = vec![
                    Key::of(&draw(60).to_string()),
                    Key::of(&draw(60).to_string()),
                ];
                let most = u32::try_from(draw(500)).unwrap();
                let new = Entry {
                    keys,
                    rating,
                    most,
                    since,
                    ..entry(ticket, 0, start)
                };
                pool.enter(terms(false), new);
            }
            let before = pool.waiting(&terms(false));
            let now = start + seconds(30);
            let pairs = pool.pair(&terms(false), now);
            let mut seen: Vec<Ticket> = pairs.iter().flatten().copied().collect();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), 2 * pairs.len(), "nobody is in two pairings");
            assert_eq!(pool.waiting(&terms(false)), before, "nobody is lost");
            for [a, b] in &pairs {
                let [a, b] = [a, b].map(|ticket| pool.entry(&terms(false), *ticket).unwrap());
                assert!(a.suits(b, now) && b.suits(a, now) && a.busy && b.busy);
            }
            let free: Vec<&Entry> = pool
                .groups
                .values()
                .flatten()
                .filter(|entry| !entry.busy)
                .collect();
            for (n, a) in free.iter().enumerate() {
                assert!(
                    free[n + 1..].iter().all(|b| !a.suits(b, now)),
                    "two were left who suit each other"
                );
            }
        }
    }
}
