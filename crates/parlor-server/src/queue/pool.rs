//! Pairing of waiting players, as a plain data structure. The time is an argument.

use std::collections::HashMap;
use std::time::Duration;

use parlor_games::GameKind;
use parlor_table::{SeatKey, TimeControl};
use serde_json::Value;
use tokio::time::Instant;

/// Initial maximum rating difference.
const FIRST_WINDOW: u32 = 100;
/// Increase of the window every [`WIDENS_EVERY`], in rating points.
const WIDENS_BY: u32 = 10;
/// Interval at which the window widens.
pub(super) const WIDENS_EVERY: Duration = Duration::from_secs(1);

/// Terms of a game: only players with equal terms are paired.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Terms {
    /// Game to play.
    pub(crate) game: GameKind,
    /// Complete options of the game.
    pub(crate) options: Value,
    /// Time control.
    pub(crate) clock: Option<TimeControl>,
    /// True if the game affects the players' ratings.
    pub(crate) rated: bool,
}

/// Number of an entry; later ones are higher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Ticket(pub(super) u64);

/// A waiting player.
#[derive(Clone, Debug)]
pub(super) struct QueueEntry {
    /// Number of the entry.
    pub(super) ticket: Ticket,
    /// Keys of the person: two entries with a common key belong to one person.
    pub(super) keys: Vec<SeatKey>,
    /// Rating of the player.
    pub(super) rating: i32,
    /// Maximum rating difference to an opponent, however long the wait.
    pub(super) most: u32,
    /// Time when the wait started.
    pub(super) since: Instant,
    /// True while a pairing is in progress.
    pub(super) busy: bool,
}

impl QueueEntry {
    /// Returns the current maximum rating difference to an opponent.
    pub(super) fn window(&self, now: Instant) -> u32 {
        let steps = now.saturating_duration_since(self.since).as_secs() / WIDENS_EVERY.as_secs();
        let widened = u32::try_from(steps)
            .unwrap_or(u32::MAX)
            .saturating_mul(WIDENS_BY)
            .saturating_add(FIRST_WINDOW);
        widened.min(self.most)
    }

    fn is_same_person(&self, other: &QueueEntry) -> bool {
        self.keys.iter().any(|key| other.keys.contains(key))
    }

    /// Returns true if each is in the other's window now.
    fn accepts(&self, other: &QueueEntry, now: Instant) -> bool {
        let distance = self.rating.abs_diff(other.rating);
        distance <= self.window(now) && distance <= other.window(now) && !self.is_same_person(other)
    }
}

/// Waiting players, grouped by terms.
#[derive(Debug, Default)]
pub(super) struct Pool {
    groups: HashMap<Terms, Vec<QueueEntry>>,
}

impl Pool {
    /// Adds a player. Entries of the same person, on any terms, are removed; returns their tickets.
    pub(super) fn enter(&mut self, terms: Terms, entry: QueueEntry) -> Vec<Ticket> {
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

    /// Removes a player, if still present.
    pub(super) fn leave(&mut self, terms: &Terms, ticket: Ticket) {
        let Some(group) = self.groups.get_mut(terms) else {
            return;
        };
        group.retain(|entry| entry.ticket != ticket);
        if group.is_empty() {
            self.groups.remove(terms);
        }
    }

    /// Makes a player available again after a failed pairing, keeping the time waited.
    pub(super) fn release(&mut self, terms: &Terms, ticket: Ticket) {
        let group = self.groups.get_mut(terms).into_iter().flatten();
        group
            .filter(|entry| entry.ticket == ticket)
            .for_each(|entry| entry.busy = false);
    }

    /// Returns the number of players waiting on these terms.
    pub(super) fn waiting(&self, terms: &Terms) -> usize {
        self.groups.get(terms).map_or(0, Vec::len)
    }

    /// Returns a player's entry.
    pub(super) fn entry(&self, terms: &Terms, ticket: Ticket) -> Option<&QueueEntry> {
        self.groups
            .get(terms)?
            .iter()
            .find(|entry| entry.ticket == ticket)
    }

    /// Pairs available players within each other's windows, nearest ratings first and, among
    /// equals, longest wait first. They are busy until they leave or are released.
    pub(super) fn pair(&mut self, terms: &Terms, now: Instant) -> Vec<[Ticket; 2]> {
        let Some(group) = self.groups.get_mut(terms) else {
            return Vec::new();
        };
        let mut free: Vec<&mut QueueEntry> = group.iter_mut().filter(|entry| !entry.busy).collect();
        free.sort_by_key(|entry| entry.rating);
        let mut candidates = Vec::new();
        for (n, entry) in free.iter().enumerate() {
            let reach = entry.window(now);
            let near = free[n + 1..]
                .iter()
                .enumerate()
                .take_while(|(_, other)| entry.rating.abs_diff(other.rating) <= reach);
            for (m, other) in near.filter(|(_, other)| entry.accepts(other, now)) {
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

    /// Returns terms of a classic game.
    fn terms(rated: bool) -> Terms {
        let game = GameKind::all()[0];
        Terms {
            game,
            options: Value::Null,
            clock: None,
            rated,
        }
    }

    fn entry(ticket: u64, rating: i32, since: Instant) -> QueueEntry {
        let keys = vec![SeatKey::from_token(&format!("person {ticket}"))];
        QueueEntry {
            ticket: Ticket(ticket),
            keys,
            rating,
            most: u32::MAX,
            since,
            busy: false,
        }
    }

    fn pool(entries: impl IntoIterator<Item = QueueEntry>) -> Pool {
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
        let narrow = QueueEntry {
            most: 50,
            ..entry(1, 1000, now)
        };
        assert_eq!(
            (narrow.window(now), narrow.window(now + seconds(60))),
            (50, 50)
        );
        let wide = QueueEntry {
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
        let (member, guest) = (SeatKey::from_token("member"), SeatKey::from_token("guest"));
        let both = QueueEntry {
            keys: vec![member, guest],
            ..entry(1, 1000, now)
        };
        let mut pool = Pool::default();
        assert!(pool.enter(terms(false), both).is_empty());
        let again = QueueEntry {
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
                    SeatKey::from_token(&draw(60).to_string()),
                    SeatKey::from_token(&draw(60).to_string()),
                ];
                let most = u32::try_from(draw(500)).unwrap();
                let new = QueueEntry {
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
                assert!(a.accepts(b, now) && b.accepts(a, now) && a.busy && b.busy);
            }
            let free: Vec<&QueueEntry> = pool
                .groups
                .values()
                .flatten()
                .filter(|entry| !entry.busy)
                .collect();
            for (n, a) in free.iter().enumerate() {
                assert!(
                    free[n + 1..].iter().all(|b| !a.accepts(b, now)),
                    "two were left who suit each other"
                );
            }
        }
    }
}
