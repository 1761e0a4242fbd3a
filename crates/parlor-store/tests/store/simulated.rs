//! A store on a simulated network, where statements and answers get lost and time is exact.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use parlor_store::{
    Append, GameScores, Loss, NewStoredTable, Outage, PersonSign, Score, SimulatedNetwork, Store,
    StoreError, Trip, User, WaitingPlayer,
};
use tokio::time::{Instant, sleep};

use crate::databases::{self, Database};
use crate::story::{moved, opened};

const NOTHING: (Loss, u64) = (Loss::Nothing, 0);
/// A statement that gets lost, which is known 100 ms later.
const STATEMENT: (Loss, u64) = (Loss::Statement, 100);
/// An answer that gets lost, which is known 100 ms later.
const ANSWER: (Loss, u64) = (Loss::Answer, 100);

/// A network that loses what a test tells it to, and then nothing or everything.
#[derive(Default)]
struct Network {
    now: AtomicI64,
    /// Losses of the next trips, each with its delay in milliseconds.
    next: Mutex<VecDeque<(Loss, u64)>>,
    is_down: Mutex<bool>,
}

impl Network {
    fn lose(&self, trips: &[(Loss, u64)]) {
        *self.next.lock().unwrap() = trips.iter().copied().collect();
    }

    fn go_down(&self) {
        *self.is_down.lock().unwrap() = true;
    }

    fn set_time(&self, ms: i64) {
        self.now.store(ms, Ordering::Relaxed);
    }

    /// Returns the number of trips that were to come and have not been made.
    fn left(&self) -> usize {
        self.next.lock().unwrap().len()
    }
}

impl SimulatedNetwork for Network {
    fn trip(&self) -> Trip {
        let usual = match *self.is_down.lock().unwrap() {
            true => STATEMENT,
            false => NOTHING,
        };
        let (loss, ms) = self.next.lock().unwrap().pop_front().unwrap_or(usual);
        Trip {
            there: Duration::ZERO,
            back: Duration::from_millis(ms),
            loss,
        }
    }

    fn database_time(&self) -> i64 {
        self.now.load(Ordering::Relaxed)
    }
}

/// Runs a test with a store on a new database, and with time that passes only while all wait.
async fn with<F>(test: impl FnOnce(Store, Arc<Network>, std::path::PathBuf) -> F + Send + 'static)
where
    F: Future<Output = ()> + Send + 'static,
{
    databases::with(Database::sqlite(), |database| async move {
        Store::open(&database.url).await.unwrap().close().await;
        tokio::time::pause();
        let file = database.folder.join("house.db");
        let network = Arc::new(Network::default());
        let store = Store::open_simulated(&file, network.clone());
        test(store.clone(), network, file).await;
        store.close().await;
        tokio::time::resume();
    })
    .await;
}

fn end_of_game(id: i64, user: i64) -> Append {
    Append {
        scores: Some(GameScores {
            game: "mnk".to_owned(),
            rated: false,
            players: vec![(user, Score::Win)],
        }),
        ..Append::new(id, vec![moved(2), moved(3)])
    }
}

#[tokio::test]
async fn a_change_in_doubt_is_made_exactly_once() {
    with(|store, network, _| async move {
        store.create_user(User::new(1, "Ada", 0)).await.unwrap();
        let doubts: [&[_]; 5] = [
            &[NOTHING, STATEMENT],
            &[NOTHING, ANSWER],
            &[NOTHING, ANSWER, STATEMENT, STATEMENT],
            &[NOTHING, STATEMENT, NOTHING, STATEMENT],
            &[NOTHING, ANSWER, NOTHING, ANSWER],
        ];
        for (id, lost) in (1..).zip(doubts) {
            network.lose(lost);
            store.create(opened(id)).await.unwrap();
            assert_eq!(network.left(), 0, "all of it happened");
            let other = NewStoredTable::new(id, "mnk", 9);
            let other = store.create(other).await;
            assert!(matches!(other, Err(StoreError::Exists)), "{other:?}");

            network.lose(lost);
            store.append(end_of_game(id, 1)).await.unwrap();
            assert_eq!(network.left(), 0, "all of it happened");
            let stored = store.load(id).await.unwrap().unwrap();
            assert_eq!((stored.row.version, stored.events.len()), (3, 3));
            let rating = store.rating(1, "mnk").await.unwrap().unwrap();
            assert_eq!(i64::from(rating.standing.wins), id, "{lost:?}");

            network.lose(lost);
            assert!(store.delete(id).await.unwrap());
            assert!(store.load(id).await.unwrap().is_none());
            network.lose(lost);
            assert!(!store.delete(id).await.unwrap(), "refused, not in doubt");
            // The writer still looks after its transaction.
            sleep(Duration::from_secs(1)).await;
            assert_eq!(network.left(), 0, "all of it happened");
        }
    })
    .await;
}

#[tokio::test]
async fn in_a_batch_in_doubt_only_what_was_accepted_is_written_again() {
    with(|store, network, _| async move {
        for id in [1, 3] {
            store.create(opened(id)).await.unwrap();
        }
        network.lose(&[NOTHING, STATEMENT]);
        let (fits, stale) = tokio::join!(
            store.append(Append::new(1, vec![moved(2)])),
            store.append(Append::new(1, vec![moved(3)])),
        );
        assert!(fits.is_ok(), "{fits:?}");
        assert!(
            matches!(stale, Err(StoreError::Conflict { current: 2 }) | Ok(())),
            "it comes after the first, or with it: {stale:?}"
        );
    })
    .await;
}

#[tokio::test]
async fn another_writer_may_be_faster_than_a_change_in_doubt() {
    with(|store, network, file| async move {
        store.create(opened(1)).await.unwrap();
        let other = Store::open_simulated(&file, Arc::new(Network::default()));
        network.lose(&[NOTHING, STATEMENT]);
        let meanwhile = async {
            sleep(Duration::from_millis(50)).await;
            let mut event = moved(2);
            event.at += 1;
            other.append(Append::new(1, vec![event])).await.unwrap();
        };
        let late = store.append(Append::new(1, vec![moved(2)]));
        let (late, ()) = tokio::join!(late, meanwhile);
        assert!(
            matches!(late, Err(StoreError::Conflict { current: 2 })),
            "{late:?}"
        );
        other.close().await;
    })
    .await;
}

#[tokio::test]
async fn what_stays_in_doubt_is_reported_after_twice_the_limit() {
    with(|store, network, _| async move {
        store.create(opened(1)).await.unwrap();
        network.lose(&[NOTHING, ANSWER]);
        network.go_down();
        let asked = Instant::now();
        let doubtful = store.append(Append::new(1, vec![moved(2)])).await;
        assert!(
            matches!(doubtful, Err(StoreError::InDoubt(_))),
            "{doubtful:?}"
        );
        let waited = asked.elapsed();
        assert!(
            (Duration::from_secs(10)..Duration::from_secs(11)).contains(&waited),
            "{waited:?}"
        );
    })
    .await;
}

#[tokio::test]
async fn what_never_reached_the_database_is_not_in_doubt() {
    with(|store, network, _| async move {
        network.lose(&[STATEMENT]);
        let created = store.create(opened(1)).await;
        assert!(
            matches!(created, Err(StoreError::Unavailable(_))),
            "{created:?}"
        );
        assert!(store.load(1).await.unwrap().is_none());
        network.lose(&[STATEMENT]);
        let read = store.row(1).await;
        assert!(matches!(read, Err(StoreError::Unavailable(_))), "{read:?}");
        network.lose(&[ANSWER]);
        let read = store.row(1).await;
        assert!(matches!(read, Err(StoreError::Unavailable(_))), "{read:?}");
        network.lose(&[STATEMENT]);
        let named = store.create_user(User::new(1, "Ada", 0)).await;
        assert!(
            matches!(named, Err(StoreError::Unavailable(_))),
            "{named:?}"
        );
        assert!(store.user(1).await.unwrap().is_none());
        network.lose(&[ANSWER]);
        let named = store.create_user(User::new(1, "Ada", 0)).await;
        assert!(matches!(named, Err(StoreError::InDoubt(_))), "{named:?}");
        assert!(store.user(1).await.unwrap().is_some());
    })
    .await;
}

#[tokio::test]
async fn a_ping_has_a_second_and_a_half_and_its_result_is_reused_for_a_moment() {
    with(|store, network, _| async move {
        network.lose(&[(Loss::Nothing, 2_000)]);
        let asked = Instant::now();
        let silent = store.ping().await;
        assert!(
            matches!(silent, Err(StoreError::Unavailable(_))),
            "{silent:?}"
        );
        assert!((1_500..1_510).contains(&asked.elapsed().as_millis()));
        sleep(Duration::from_millis(240)).await;
        assert!(store.ping().await.is_err(), "the last result");
        sleep(Duration::from_secs(3)).await;
        store.ping().await.unwrap();
        network.go_down();
        store.ping().await.unwrap();
        sleep(Duration::from_millis(260)).await;
        let down = store.ping().await;
        assert!(matches!(down, Err(StoreError::Unavailable(_))), "{down:?}");
    })
    .await;
}

#[tokio::test]
async fn processes_count_for_six_seconds_after_a_sign_of_life() {
    with(|store, network, _| async move {
        assert!(store.is_shared() && !store.can_notify());
        network.set_time(100_000);
        let first = store.beat(1, 1).await.unwrap();
        assert_eq!((first.now, first.nodes), (100_000, 1));
        network.set_time(101_249);
        assert_eq!(store.beat(2, 1).await.unwrap().others, [1]);
        network.set_time(101_250);
        let beat = store.beat(2, 1).await.unwrap();
        assert!(beat.others.is_empty(), "{beat:?}");
        network.set_time(105_999);
        assert_eq!(store.beat(2, 1).await.unwrap().nodes, 2);
        network.set_time(106_000);
        assert_eq!(store.beat(2, 1).await.unwrap().nodes, 1);
        store.beat(1, 1).await.unwrap();
        store.leave(2).await.unwrap();
        assert_eq!(store.beat(1, 1).await.unwrap().nodes, 1);
    })
    .await;
}

fn outage(began_at: i64, ended_at: i64) -> Outage {
    Outage { began_at, ended_at }
}

#[tokio::test]
async fn more_than_two_and_a_half_seconds_without_any_sign_of_life_are_an_outage() {
    with(|store, network, _| async move {
        store.beat(1, 1).await.unwrap();
        network.set_time(1_000);
        store.beat(2, 1).await.unwrap();
        network.set_time(3_500);
        store.beat(1, 1).await.unwrap();
        assert_eq!(store.outages(-1).await.unwrap(), [], "node 2 gave one");
        network.set_time(6_001);
        store.beat(2, 1).await.unwrap();
        network.set_time(20_000);
        store.beat(1, 1).await.unwrap();
        let all = [outage(3_500, 6_001), outage(6_001, 20_000)];
        assert_eq!(store.outages(0).await.unwrap(), all);
        assert_eq!(store.outages(6_000).await.unwrap(), all);
        assert_eq!(store.outages(6_001).await.unwrap(), all[1..]);
    })
    .await;
}

#[tokio::test]
async fn a_quarter_of_a_second_without_servers_is_an_outage() {
    with(|store, network, _| async move {
        store.beat(1, 1).await.unwrap();
        assert_eq!(store.last_beat().await.unwrap(), Some((0, 0)));
        // Node 1 is late, but may serve.
        network.set_time(1_249);
        assert_eq!(store.last_beat().await.unwrap(), Some((0, 1_249)));
        store.beat(2, 1).await.unwrap();
        network.set_time(2_499);
        store.beat(1, 1).await.unwrap();
        store.beat(2, 1).await.unwrap();
        assert_eq!(store.outages(-1).await.unwrap(), []);
        store.leave(1).await.unwrap();
        store.leave(2).await.unwrap();
        assert_eq!(store.last_beat().await.unwrap(), None, "both stopped");
        network.set_time(2_749);
        store.beat(3, 1).await.unwrap();
        assert_eq!(store.outages(-1).await.unwrap(), [], "soon enough");
        store.leave(3).await.unwrap();
        network.set_time(3_000);
        store.beat(4, 1).await.unwrap();
        assert_eq!(store.outages(-1).await.unwrap(), [outage(2_749, 3_000)]);
        // Node 4 died: it has been silent for too long.
        network.set_time(4_250);
        store.beat(5, 1).await.unwrap();
        let again = store.outages(3_000).await.unwrap();
        assert_eq!(again, [outage(3_000, 4_250)]);
    })
    .await;
}

#[tokio::test]
async fn the_latest_sign_of_life_is_kept_however_long_ago() {
    with(|store, network, _| async move {
        const DAY: i64 = 24 * 3_600_000;
        store.beat(1, 1).await.unwrap();
        network.set_time(3 * DAY);
        store.leave(2).await.unwrap();
        store.beat(3, 1).await.unwrap();
        assert_eq!(store.outages(-1).await.unwrap(), [outage(0, 3 * DAY)]);
    })
    .await;
}

fn sign(person: i64, is_there: bool, seen_at: i64) -> PersonSign {
    PersonSign {
        person,
        is_there,
        seen_at,
    }
}

#[tokio::test]
async fn the_people_of_a_dead_process_may_not_know_it_for_a_minute() {
    with(|store, network, _| async move {
        store.tell_presence(1, &[sign(7, true, 500)]).await.unwrap();
        network.set_time(1_000);
        store.beat(1, 1).await.unwrap();
        network.set_time(60_999);
        assert_eq!(
            store.presence(&[7], 99).await.unwrap(),
            [sign(7, true, 1_000)]
        );
        network.set_time(61_000);
        let gone = [sign(7, false, 61_000)];
        assert_eq!(store.presence(&[7], 99).await.unwrap(), gone);
        store.tell_presence(2, &[sign(7, true, 100)]).await.unwrap();
        store.beat(2, 1).await.unwrap();
        assert_eq!(
            store.presence(&[7], 99).await.unwrap(),
            [sign(7, true, 61_000)]
        );
        store.leave(2).await.unwrap();
        assert_eq!(
            store.presence(&[7], 99).await.unwrap(),
            gone,
            "it was ended"
        );
    })
    .await;
}

#[tokio::test]
async fn who_was_away_for_a_day_is_forgotten() {
    with(|store, network, _| async move {
        const DAY: i64 = 24 * 3_600_000;
        let signs = [sign(7, false, 0), sign(8, true, 0), sign(9, false, 1)];
        store.tell_presence(1, &signs).await.unwrap();
        network.set_time(DAY);
        store.forget_absent().await.unwrap();
        assert_eq!(store.presence(&[7, 8, 9], 99).await.unwrap().len(), 3);
        network.set_time(DAY + 1);
        store.forget_absent().await.unwrap();
        let left = store.presence(&[7, 8, 9], 99).await.unwrap();
        assert_eq!(left, [sign(8, false, 0), sign(9, false, 1)]);
    })
    .await;
}

fn waiting(ticket: i64, node: i64) -> WaitingPlayer {
    WaitingPlayer {
        ticket,
        node,
        terms: "chess".to_owned(),
        player: "Ann".to_owned(),
        rating: 1_500,
        most: 200,
        since: 0,
        pairing: None,
    }
}

async fn tickets(store: &Store) -> Vec<i64> {
    let (_, players) = store.waiting().await.unwrap();
    players.iter().map(|player| player.ticket).collect()
}

#[tokio::test]
async fn nobody_waits_for_longer_than_six_seconds_without_a_sign_of_life() {
    with(|store, network, _| async move {
        store.wait(waiting(2, 1)).await.unwrap();
        network.set_time(1);
        store.wait(waiting(1, 2)).await.unwrap();
        let (now, players) = store.waiting().await.unwrap();
        let since: Vec<i64> = players.iter().map(|player| player.since).collect();
        assert_eq!((now, since), (1, vec![0, 1]));
        network.set_time(6_000);
        assert_eq!(tickets(&store).await, [2, 1]);
        store.go_on_waiting(2).await.unwrap();
        network.set_time(6_001);
        assert_eq!(tickets(&store).await, [1]);
        store.go_on_waiting(2).await.unwrap();
        network.set_time(0);
        assert_eq!(tickets(&store).await, [1], "the other is gone");
    })
    .await;
}

#[tokio::test]
async fn a_pairing_is_accepted_within_five_seconds_or_ends() {
    with(|store, network, _| async move {
        for ticket in [1, 2] {
            store.wait(waiting(ticket, 1)).await.unwrap();
        }
        assert!(!store.pair([1, 3], 50).await.unwrap(), "3 does not wait");
        assert!(store.pair([2, 1], 50).await.unwrap());
        assert!(!store.pair([1, 2], 51).await.unwrap(), "paired already");
        assert!(store.accept_pairing(2, 50).await.unwrap());
        let (_, players) = store.waiting().await.unwrap();
        let seats: Vec<_> = players.iter().map(|p| p.pairing.map(|p| p.seat)).collect();
        assert_eq!(
            seats,
            [Some(1), Some(0)],
            "the first ticket has the first seat"
        );
        network.set_time(5_000);
        store.go_on_waiting(1).await.unwrap();
        assert_eq!(tickets(&store).await, [1, 2]);
        network.set_time(5_001);
        store.go_on_waiting(1).await.unwrap();
        let (_, players) = store.waiting().await.unwrap();
        assert_eq!((players.len(), players[0].ticket), (1, 2));
        assert_eq!(players[0].pairing, None, "who accepted waits on");
    })
    .await;
}

#[tokio::test]
async fn a_quota_comes_back_with_time_up_to_its_burst() {
    with(|store, network, _| async move {
        network.set_time(10_000);
        let spend = async || store.spend(7, 1_000, 3).await.unwrap();
        for _ in 0..3 {
            assert_eq!(spend().await, None);
        }
        assert_eq!(spend().await, Some(1_000));
        network.set_time(10_600);
        assert_eq!(spend().await, Some(400));
        assert_eq!(store.spend(8, 1_000, 1).await.unwrap(), None, "another one");
        network.set_time(11_000);
        assert_eq!((spend().await, spend().await), (None, Some(1_000)));
        store.forget_full_quotas().await.unwrap();
        assert_eq!(spend().await, Some(1_000), "it is not full");
        network.set_time(60_000);
        store.forget_full_quotas().await.unwrap();
        for _ in 0..3 {
            assert_eq!(spend().await, None);
        }
        assert_eq!(spend().await, Some(1_000), "never more than the burst");
    })
    .await;
}
