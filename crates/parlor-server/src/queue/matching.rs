//! Pairing of the players who wait, as plain functions. The time is an argument.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashSet};
use std::time::Duration;

use parlor_games::GameKind;
use parlor_store::WaitingPlayer;
use parlor_table::{Player, TimeControl};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::accounts::store_id;

/// Initial maximum rating difference.
const FIRST_WINDOW: u32 = 100;
/// Increase of the window every [`WIDENS_EVERY`], in rating points.
const WIDENS_BY: u32 = 10;
/// Interval at which the window widens.
pub(super) const WIDENS_EVERY: Duration = Duration::from_secs(1);

/// Terms of a game: only players with equal terms are paired.
#[derive(Clone, Debug, PartialEq)]
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

/// Terms as they are stored.
#[derive(Serialize, Deserialize)]
struct TermsJson {
    game: String,
    options: Value,
    clock: Option<TimeControl>,
    rated: bool,
}

impl Terms {
    /// Writes the terms; equal ones as equal texts.
    pub(super) fn to_text(&self) -> String {
        let json = TermsJson {
            game: self.game.name().to_owned(),
            options: self.options.clone(),
            clock: self.clock,
            rated: self.rated,
        };
        serde_json::to_string(&json).expect("terms are plain data")
    }

    /// Reads terms; `None` if they are those of another release.
    pub(super) fn from_text(text: &str) -> Option<Terms> {
        let json: TermsJson = serde_json::from_str(text).ok()?;
        Some(Terms {
            game: GameKind::from_name(&json.game).ok()?,
            options: json.options,
            clock: json.clock,
            rated: json.rated,
        })
    }
}

/// The person who waits, as stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct QueuedPlayer {
    /// Player to seat.
    pub(super) player: Player,
    /// Fingerprints of the person's keys: two entries with a common one belong to one person.
    pub(super) people: Vec<u64>,
    /// True if a person takes a bot for an opponent, or a bot a person.
    #[serde(default)]
    pub(super) mixed: bool,
}

/// Returns the maximum rating difference to an opponent after a wait: at most `most`.
pub(super) fn window(waited_ms: i64, most: u32) -> u32 {
    let every = i64::try_from(WIDENS_EVERY.as_millis()).expect("a second");
    let steps = u32::try_from((waited_ms / every).max(0)).unwrap_or(u32::MAX);
    let widened = steps.saturating_mul(WIDENS_BY).saturating_add(FIRST_WINDOW);
    widened.min(most)
}

/// Blocks among those who wait: the account that blocks and the one that is blocked.
pub(super) type Blocks = BTreeSet<(i64, i64)>;

/// Somebody who waits and is not being paired.
struct Candidate<'p> {
    entry: &'p WaitingPlayer,
    people: Vec<u64>,
    /// Account of the player.
    account: Option<i64>,
    /// The player, if the entry can be read.
    player: Option<Player>,
    /// True for a member's bot.
    is_bot: bool,
    /// True if a person takes a bot for an opponent, or a bot a person.
    mixed: bool,
    window: u32,
}

impl<'p> Candidate<'p> {
    fn new(entry: &'p WaitingPlayer, now: i64) -> Candidate<'p> {
        let queued = queued(entry);
        let player = queued.as_ref().map(|queued| &queued.player);
        Candidate {
            account: player.and_then(Player::user).map(store_id),
            is_bot: player.and_then(Player::owner).is_some(),
            mixed: queued.as_ref().is_some_and(|queued| queued.mixed),
            player: player.cloned(),
            people: queued.map(|queued| queued.people).unwrap_or_default(),
            window: window(
                now - entry.since,
                u32::try_from(entry.most).unwrap_or(u32::MAX),
            ),
            entry,
        }
    }
}

impl Candidate<'_> {
    /// Returns the order of waits, the longest first.
    fn wait(&self) -> (i64, i64) {
        (self.entry.since, self.entry.ticket)
    }

    fn distance(&self, other: &Candidate<'_>) -> u32 {
        self.entry.rating.abs_diff(other.entry.rating)
    }

    /// Returns true if an opponent after this one, in the order of ratings, may still be one for it.
    fn reaches(&self, other: &Candidate<'_>) -> bool {
        self.entry.terms == other.entry.terms && self.distance(other) <= self.window
    }

    /// Returns true if both are people, both are bots, or both wish to meet the others.
    fn is_kind_for(&self, other: &Candidate<'_>) -> bool {
        self.is_bot == other.is_bot || self.mixed && other.mixed
    }

    /// Returns true if one is the other's bot, or both are bots of one member.
    fn is_allied_with(&self, other: &Candidate<'_>) -> bool {
        match (&self.player, &other.player) {
            (Some(one), Some(other)) => one.is_allied_with(other),
            _ => false,
        }
    }

    /// Returns true if each is in the other's window and takes it for an opponent.
    fn accepts(&self, other: &Candidate<'_>) -> bool {
        self.distance(other) <= self.window.min(other.window)
            && self.is_kind_for(other)
            && !self.is_allied_with(other)
            && !self
                .people
                .iter()
                .any(|person| other.people.contains(person))
    }

    /// Returns true if one of the two has blocked the other.
    fn avoids(&self, other: &Candidate<'_>, blocks: &Blocks) -> bool {
        match (self.account, other.account) {
            (Some(one), Some(other)) => {
                blocks.contains(&(one, other)) || blocks.contains(&(other, one))
            }
            _ => false,
        }
    }
}

/// Returns the tickets of players to be paired at the time `now`: those of equal terms within each
/// other's windows, nearest ratings first and, among equals, longest wait first. `players` are in the
/// order of their waits; those that are being paired stay out. Two accounts are never paired if one has
/// blocked the other.
pub(super) fn pairs(players: &[WaitingPlayer], now: i64, blocks: &Blocks) -> Vec<[i64; 2]> {
    let free = players.iter().filter(|entry| entry.pairing.is_none());
    let mut free: Vec<Candidate<'_>> = free.map(|entry| Candidate::new(entry, now)).collect();
    let order = |one: &Candidate<'_>| (one.entry.rating, one.wait());
    free.sort_by(|a, b| (&a.entry.terms, order(a)).cmp(&(&b.entry.terms, order(b))));
    let mut taken = vec![false; free.len()];
    // Of each player's opponents further on, the best is the next one that suits and is free, so that
    // one pair of each is enough: all pairs of thousands would be millions.
    let best = |n: usize, from: usize, taken: &[bool]| {
        let one = &free[n];
        let near = free.iter().enumerate().skip(from);
        let mut near = near.take_while(|(_, other)| one.reaches(other));
        let suits = |m: usize, other: &Candidate<'_>| {
            !taken[m] && one.accepts(other) && !one.avoids(other, blocks)
        };
        let (m, other) = near.find(|(m, other)| suits(*m, other))?;
        let (first, second) = (one.wait().min(other.wait()), one.wait().max(other.wait()));
        Some(Reverse((one.distance(other), first, second, n, m)))
    };
    let first = (0..free.len()).filter_map(|n| best(n, n + 1, &taken));
    let mut candidates: BinaryHeap<_> = first.collect();
    let mut pairs = Vec::new();
    while let Some(Reverse((_, (_, first), (_, second), n, m))) = candidates.pop() {
        if taken[n] {
            continue;
        }
        if taken[m] {
            candidates.extend(best(n, m + 1, &taken));
            continue;
        }
        (taken[n], taken[m]) = (true, true);
        pairs.push([first, second]);
    }
    pairs
}

/// Returns the tickets of earlier entries of people who entered again. `players` are in the order
/// of their waits.
pub(super) fn replaced(players: &[WaitingPlayer]) -> Vec<i64> {
    let mut later: HashSet<u64> = HashSet::new();
    let mut replaced = Vec::new();
    for entry in players.iter().rev() {
        let people = people(entry);
        let is_made = entry.pairing.is_some_and(|pairing| pairing.is_made);
        if !is_made && people.iter().any(|person| later.contains(person)) {
            replaced.push(entry.ticket);
        }
        later.extend(people);
    }
    replaced
}

fn people(entry: &WaitingPlayer) -> Vec<u64> {
    queued(entry)
        .map(|queued| queued.people)
        .unwrap_or_default()
}

/// Returns the account of somebody who waits; `None` for guests.
pub(super) fn account(entry: &WaitingPlayer) -> Option<i64> {
    queued(entry)?.player.user().map(store_id)
}

fn queued(entry: &WaitingPlayer) -> Option<QueuedPlayer> {
    serde_json::from_str(&entry.player).ok()
}

#[cfg(test)]
mod tests {
    use parlor_store::Pairing;
    use parlor_table::SeatKey;

    use super::*;

    /// Returns terms of a classic game.
    fn terms(rated: bool) -> Terms {
        Terms {
            game: GameKind::all()[0],
            options: Value::Null,
            clock: None,
            rated,
        }
    }

    fn queued(people: &[u64]) -> String {
        let player = Player::human("Ann", SeatKey::from_token("Ann's token")).unwrap();
        let people = people.to_vec();
        serde_json::to_string(&QueuedPlayer {
            player,
            people,
            mixed: false,
        })
        .unwrap()
    }

    fn entry(ticket: i64, rating: i32, since: i64) -> WaitingPlayer {
        WaitingPlayer {
            ticket,
            node: 1,
            terms: terms(false).to_text(),
            player: queued(&[ticket.cast_unsigned()]),
            rating,
            most: u32::MAX.into(),
            since,
            pairing: None,
        }
    }

    #[test]
    fn terms_are_read_back() {
        let blitz = Terms {
            clock: TimeControl::total(180_000, 0).ok(),
            ..terms(true)
        };
        assert_eq!(Terms::from_text(&blitz.to_text()), Some(blitz));
        assert_eq!(Terms::from_text("{}"), None);
    }

    #[test]
    fn a_hundred_points_apart_are_paired_at_once_and_one_more_after_a_second() {
        assert_eq!(
            pairs(&[entry(1, 1000, 0), entry(2, 1100, 0)], 0, &Blocks::new()),
            [[1, 2]]
        );
        let far = [entry(1, 1000, 0), entry(2, 1101, 0)];
        assert!(pairs(&far, 999, &Blocks::new()).is_empty());
        assert_eq!(pairs(&far, 1_000, &Blocks::new()), [[1, 2]]);
    }

    #[test]
    fn both_windows_must_reach_the_other() {
        let players = [entry(1, 1000, 0), entry(2, 1300, 19_000)];
        assert!(
            pairs(&players, 30_000, &Blocks::new()).is_empty(),
            "the second has waited for eleven seconds only"
        );
        assert_eq!(pairs(&players, 39_000, &Blocks::new()), [[1, 2]]);
    }

    #[test]
    fn a_window_never_grows_beyond_what_its_owner_wants() {
        assert_eq!((window(0, 50), window(60_000, 50)), (50, 50));
        assert_eq!(
            [0, 1, 3, 9].map(|s| window(1_000 * s, 130)),
            [100, 110, 130, 130]
        );
        let narrow = WaitingPlayer {
            most: 50,
            ..entry(1, 1000, 0)
        };
        assert!(pairs(&[narrow, entry(3, 1051, 0)], 60_000, &Blocks::new()).is_empty());
        assert_eq!(window(i64::MAX, u32::MAX), u32::MAX);
        assert_eq!(window(-5_000, 130), 100, "clocks may differ");
    }

    #[test]
    fn the_nearest_rating_comes_first_and_then_the_longest_wait() {
        let nearest = [entry(1, 1000, 0), entry(2, 1060, 0), entry(3, 1050, 0)];
        assert_eq!(pairs(&nearest, 0, &Blocks::new()), [[2, 3]]);
        let longest = [entry(4, 1000, 0), entry(2, 1000, 1), entry(3, 1000, 2)];
        assert_eq!(pairs(&longest, 2, &Blocks::new()), [[4, 2]]);
    }

    #[test]
    fn nobody_meets_themselves_and_the_later_entry_stays() {
        let both = WaitingPlayer {
            player: queued(&[7, 8]),
            ..entry(1, 1000, 0)
        };
        let again = WaitingPlayer {
            player: queued(&[8]),
            terms: terms(true).to_text(),
            ..entry(2, 1000, 5)
        };
        let same_terms = WaitingPlayer {
            terms: both.terms.clone(),
            ..again.clone()
        };
        assert!(pairs(&[both.clone(), same_terms], 5, &Blocks::new()).is_empty());
        let other = entry(3, 1000, 6);
        assert_eq!(replaced(&[both.clone(), again.clone(), other]), [1]);
        let pairing = Pairing {
            table: 5,
            seat: 0,
            is_accepted: true,
            is_made: true,
        };
        let made = WaitingPlayer {
            pairing: Some(pairing),
            ..both
        };
        assert_eq!(replaced(&[made, again]), [0; 0], "that game has begun");
    }

    #[test]
    fn only_those_who_want_the_same_and_are_free_meet() {
        let blitz = Terms {
            clock: TimeControl::total(180_000, 0).ok(),
            ..terms(false)
        };
        let of = |ticket, terms: &Terms| WaitingPlayer {
            terms: terms.to_text(),
            ..entry(ticket, 1000, 0)
        };
        let pairing = Pairing {
            table: 5,
            seat: 1,
            is_accepted: false,
            is_made: false,
        };
        let busy = WaitingPlayer {
            pairing: Some(pairing),
            ..entry(4, 1000, 0)
        };
        let players = [
            of(1, &terms(false)),
            of(2, &terms(true)),
            of(3, &blitz),
            busy,
        ];
        assert!(pairs(&players, 0, &Blocks::new()).is_empty());
    }

    #[test]
    fn a_blocked_account_is_passed_over_for_the_next() {
        let of = |ticket: i64, rating| {
            let user = parlor_table::UserId::new(ticket.unsigned_abs()).unwrap();
            let player = Player::member("Ann", user).unwrap();
            let people = vec![ticket.unsigned_abs()];
            let player = serde_json::to_string(&QueuedPlayer {
                player,
                people,
                mixed: false,
            })
            .unwrap();
            WaitingPlayer {
                player,
                ..entry(ticket, rating, 0)
            }
        };
        let players = [of(1, 1000), of(2, 1001), of(3, 1050)];
        assert_eq!(account(&players[1]), Some(2));
        assert_eq!(account(&entry(4, 1000, 0)), None);
        assert_eq!(pairs(&players, 0, &Blocks::new()), [[1, 2]]);
        for block in [(1, 2), (2, 1)] {
            assert_eq!(pairs(&players, 0, &Blocks::from([block])), [[2, 3]]);
            assert!(pairs(&players[..2], 60_000, &Blocks::from([block])).is_empty());
        }
    }

    #[test]
    fn a_bot_meets_people_only_if_both_wish_so() {
        let of = |ticket: i64, owner: Option<&str>, mixed| {
            let user = parlor_table::UserId::new(ticket.unsigned_abs()).unwrap();
            let player = match owner {
                Some(owner) => Player::program("AnnsBot", user, owner),
                None => Player::member("Bob", user),
            };
            let queued = QueuedPlayer {
                player: player.unwrap(),
                people: vec![ticket.unsigned_abs()],
                mixed,
            };
            WaitingPlayer {
                player: serde_json::to_string(&queued).unwrap(),
                ..entry(ticket, 1000, ticket)
            }
        };
        let paired = |one: bool, other: bool| {
            let players = [of(1, Some("Ann"), one), of(2, None, other)];
            !pairs(&players, 60_000, &Blocks::new()).is_empty()
        };
        let both = [false, true].map(|one| [false, true].map(|other| paired(one, other)));
        assert_eq!(both, [[false, false], [false, true]]);
        let own = [of(1, Some("Bob"), true), of(2, None, true)];
        assert!(pairs(&own, 60_000, &Blocks::new()).is_empty(), "his own");
        let bots = [
            of(1, Some("Ann"), false),
            of(2, None, true),
            of(3, Some("Cleo"), false),
        ];
        assert_eq!(pairs(&bots, 60_000, &Blocks::new()), [[1, 3]]);
    }

    /// Pairs by the definition: the best of all pairs, again and again.
    fn pairs_by_definition(players: &[WaitingPlayer], now: i64) -> Vec<[i64; 2]> {
        let mut free: Vec<&WaitingPlayer> = players.iter().collect();
        let wait = |entry: &WaitingPlayer| (entry.since, entry.ticket);
        let window =
            |entry: &WaitingPlayer| window(now - entry.since, u32::try_from(entry.most).unwrap());
        let mut found = Vec::new();
        loop {
            let each = free.iter().flat_map(|a| free.iter().map(move |b| (*a, *b)));
            let best = each
                .filter(|(a, b)| wait(a) < wait(b) && a.terms == b.terms)
                .filter(|(a, b)| a.rating.abs_diff(b.rating) <= window(a).min(window(b)))
                .filter(|(a, b)| !people(a).iter().any(|person| people(b).contains(person)))
                .min_by_key(|(a, b)| (a.rating.abs_diff(b.rating), wait(a), wait(b)));
            let Some((a, b)) = best else {
                return found;
            };
            free.retain(|entry| ![a.ticket, b.ticket].contains(&entry.ticket));
            found.push([a.ticket, b.ticket]);
        }
    }

    #[test]
    fn thousands_who_want_the_same_are_paired_by_their_wait() {
        let players: Vec<_> = (0..6_000).map(|n| entry(n, 1000, n)).collect();
        let expected: Vec<_> = (0..3_000).map(|n| [2 * n, 2 * n + 1]).collect();
        assert_eq!(pairs(&players, 6_000, &Blocks::new()), expected);
    }

    #[test]
    fn pairings_are_disjoint_fair_and_leave_nobody_who_suits_another() {
        let mut seed: u64 = 1;
        let mut draw = |below: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for spread in [1, 10, 100].into_iter().cycle().take(300) {
            let number = |n: u64| i64::try_from(n).unwrap();
            let players: Vec<WaitingPlayer> = (0..draw(40))
                .map(|ticket| WaitingPlayer {
                    player: queued(&[draw(60), draw(60)]),
                    rating: 600 + spread * i32::try_from(draw(1200)).unwrap() / 100,
                    most: number(draw(500)),
                    ..entry(number(ticket), 0, number(draw(30_000)))
                })
                .collect();
            let pairs = pairs(&players, 30_000, &Blocks::new());
            assert_eq!(pairs, pairs_by_definition(&players, 30_000));
            let mut seen: Vec<i64> = pairs.iter().flatten().copied().collect();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), 2 * pairs.len(), "nobody is in two pairings");
            let suit = |a: &WaitingPlayer, b: &WaitingPlayer| {
                let most = |entry: &WaitingPlayer| {
                    window(30_000 - entry.since, u32::try_from(entry.most).unwrap())
                };
                let strangers = !people(a).iter().any(|person| people(b).contains(person));
                strangers && a.rating.abs_diff(b.rating) <= most(a).min(most(b))
            };
            let named = |ticket: i64| players.iter().find(|entry| entry.ticket == ticket).unwrap();
            assert!(pairs.iter().all(|[a, b]| suit(named(*a), named(*b))));
            let free = players.iter().filter(|entry| !seen.contains(&entry.ticket));
            let free: Vec<&WaitingPlayer> = free.collect();
            for (n, a) in free.iter().enumerate() {
                assert!(
                    free[n + 1..].iter().all(|b| !suit(a, b)),
                    "two were left who suit each other"
                );
            }
        }
    }
}
