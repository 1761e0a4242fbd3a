//! Times at which nobody could play, because no node was up or the database was away: the clocks
//! stood still.
//!
//! Each node whose clock agrees with the database's writes a sign of life, a beat, into it twice a
//! second. A gap between beats is an outage, which the first node after it records. A table gets the
//! time back before anything else happens there, and before a flag falls the node makes sure that it
//! knows of the latest outage.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use parlor_store::{Outage, SILENT_MS, Store, StoreError};
use parlor_table::{EVENT_FORMAT, Timestamp};
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use crate::AppState;
use crate::live::LiveError;
use crate::sources::Sources;

/// Interval of the beats.
const BEAT_EVERY: Duration = Duration::from_millis(500);
/// Time after a beat that failed for which nobody waits for another one.
const FAILURE_AGE: Duration = Duration::from_secs(1);
/// Age of a beat from which an outage may have gone unnoticed.
const MAX_AGE: Duration = Duration::from_millis(2_500);
/// Age of a beat from which the node is cut off from the others: less than the minute for which they
/// take those who are connected to it for present.
const CUT_OFF: Duration = Duration::from_secs(30);
/// Age of the oldest outages that still matter, in milliseconds: longer than a move by mail.
const REMEMBERED_MS: i64 = 40 * 24 * 3_600_000;
/// Largest difference of the clocks with which a node takes part, in milliseconds: times would be
/// charged to the wrong player.
const MAX_CLOCK_OFFSET_MS: i64 = 250;
/// Longest answer of the database by which the clocks are compared.
const QUICK_MS: i64 = 200;

/// This node's beats, and the outages that they revealed. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Downtime(Arc<DowntimeState>);

struct DowntimeState {
    store: Store,
    node: i64,
    sources: Sources,
    /// Held during a beat.
    beating: tokio::sync::Mutex<()>,
    seen: Mutex<Seen>,
    /// Time at which another node was last found to be gone.
    gone: watch::Sender<Option<Timestamp>>,
}

#[derive(Default)]
struct Seen {
    /// Time before the last beat.
    beaten: Option<Instant>,
    /// Time of the last beat by the database's clock, in milliseconds since the Unix epoch.
    beaten_at: Option<i64>,
    /// Time at which the clocks were compared last, also by this node's clock, in milliseconds since
    /// the Unix epoch.
    compared: Option<(Instant, i64)>,
    /// Time and error of the last beat, if it failed.
    failed: Option<(Instant, StoreError)>,
    outages: Arc<Vec<Outage>>,
    nodes: u64,
    /// Numbers of the other nodes that give signs of life.
    others: Vec<i64>,
    /// Newest format of events that all nodes can read.
    event_format: u16,
    /// Difference of the database's clock to this node's, in milliseconds.
    offset: i64,
}

impl Downtime {
    /// Begins to beat: after this, all outages before are known. `node` is the number of this node.
    pub(crate) async fn begin(
        store: Store,
        node: i64,
        sources: Sources,
    ) -> Result<Downtime, StoreError> {
        let downtime = Downtime(Arc::new(DowntimeState {
            store,
            node,
            sources,
            beating: tokio::sync::Mutex::default(),
            seen: Mutex::default(),
            gone: watch::Sender::default(),
        }));
        downtime.beat().await?;
        Ok(downtime)
    }

    /// Beats. Returns true if there was an outage before.
    async fn beat(&self) -> Result<bool, StoreError> {
        let _alone = self.0.beating.lock().await;
        self.beat_alone().await
    }

    /// Beats, while no other beat is under way.
    async fn beat_alone(&self) -> Result<bool, StoreError> {
        let beaten = self.write_beat().await;
        self.lock().failed = beaten.clone().err().map(|error| (Instant::now(), error));
        beaten
    }

    /// Compares the clocks and beats if they agree: a node whose clock is wrong changes nothing, so
    /// it is not up, and its beat would have a time that is wrong for the others.
    async fn write_beat(&self) -> Result<bool, StoreError> {
        let state = &self.0;
        let known = self.outages();
        let (started, before) = (Instant::now(), state.sources.now().millis());
        let now = state.store.time().await?;
        let after = state.sources.now().millis();
        // A slow answer says little.
        let offset = (after - before < QUICK_MS).then(|| now - (before + after) / 2);
        let offset = offset.unwrap_or_else(|| self.clock_offset());
        if self.is_too_far(offset) {
            let mut seen = self.lock();
            seen.compared = Some((started, before));
            seen.offset = offset;
            return Ok(false);
        }
        let beat = state.store.beat(state.node, EVENT_FORMAT).await?;
        let since = known
            .last()
            .map_or(beat.now - REMEMBERED_MS, |outage| outage.ended_at);
        let mut new = state.store.outages(since).await?;
        // The database's clock was wrong.
        new.retain(|outage| outage.ended_at <= beat.now);
        let mut seen = self.lock();
        seen.beaten = Some(started);
        seen.compared = Some((started, before));
        seen.offset = offset;
        seen.nodes = beat.nodes;
        seen.event_format = beat.event_format;
        let others = std::mem::replace(&mut seen.others, beat.others);
        if others.iter().any(|node| !seen.others.contains(node)) {
            state.gone.send_replace(Some(state.sources.now()));
        }
        // A node that starts logs the outage that it ended itself; others have logged older ones.
        let last_beat = seen.beaten_at.replace(beat.now).unwrap_or(beat.now - 1);
        let is_fresh = |outage: &&Outage| outage.ended_at > last_beat;
        for outage in new.iter().filter(is_fresh) {
            tracing::warn!(
                seconds = (outage.ended_at - outage.began_at) as f64 / 1e3,
                "nobody could play for a while: the clocks get the time back"
            );
        }
        if new.is_empty() {
            return Ok(false);
        }
        seen.outages = Arc::new(known.iter().copied().chain(new).collect());
        Ok(true)
    }

    /// Returns the outages that are known, the latest last.
    fn outages(&self) -> Arc<Vec<Outage>> {
        self.lock().outages.clone()
    }

    /// Returns all outages that ended before now, the latest last.
    pub(crate) async fn all_outages(&self) -> Result<Arc<Vec<Outage>>, LiveError> {
        let is_fresh = |seen: &Seen| seen.beaten.is_some_and(|at| at.elapsed() < MAX_AGE);
        if is_fresh(&self.lock()) {
            return Ok(self.outages());
        }
        let _alone = self.0.beating.lock().await;
        // Another caller may have found out meanwhile.
        let failed = self.lock().failed.clone();
        match failed.filter(|(at, _)| at.elapsed() < FAILURE_AGE) {
            Some((_, error)) => return Err(error.into()),
            None if is_fresh(&self.lock()) => {}
            None => drop(self.beat_alone().await?),
        }
        if self.is_too_far(self.clock_offset()) {
            return Err(LiveError::WrongClock);
        }
        Ok(self.outages())
    }

    /// Returns the error of the last beat, if it failed: a database that can be read may refuse writes, as
    /// on a full disk.
    pub(crate) fn check_writable(&self) -> Result<(), StoreError> {
        match &self.lock().failed {
            Some((_, error)) => Err(error.clone()),
            None => Ok(()),
        }
    }

    /// Returns true if this difference of the clocks is too large for a node among others.
    fn is_too_far(&self, offset: i64) -> bool {
        self.0.store.is_shared() && offset.abs() > MAX_CLOCK_OFFSET_MS
    }

    /// Returns the number of nodes, including this one, by the last beat.
    pub(crate) fn nodes(&self) -> u64 {
        self.lock().nodes
    }

    /// Returns true if all nodes that may go on with a table can read events of this format, by the
    /// last beat.
    pub(crate) fn reads(&self, event_format: u16) -> bool {
        self.lock().event_format >= event_format
    }

    /// Returns true if another node gives signs of life in the database of this one.
    pub(crate) fn knows(&self, node: u64) -> bool {
        self.lock().others.contains(&node.cast_signed())
    }

    /// Returns true if this node's clock differs too much from the database's, or has jumped since
    /// they were compared.
    pub(crate) fn is_clock_wrong(&self) -> bool {
        let now = self.0.sources.now().millis();
        let seen = self.lock();
        let jump = seen.compared.map_or(0, |(compared, at)| {
            let passed = i64::try_from(compared.elapsed().as_millis()).unwrap_or(i64::MAX);
            now - at - passed
        });
        seen.offset.abs() > MAX_CLOCK_OFFSET_MS || jump.abs() > MAX_CLOCK_OFFSET_MS
    }

    /// Completes when this node has not reached the database for half a minute. Those who are
    /// connected here would be missing at the other nodes, and must look for one of them.
    pub(crate) async fn cut_off(&self) {
        loop {
            let beaten = self.lock().beaten;
            let age = beaten.map_or(Duration::ZERO, |beaten| beaten.elapsed());
            if age >= CUT_OFF {
                return;
            }
            sleep(CUT_OFF - age).await;
        }
    }

    /// Returns a receiver that changes when another node is gone.
    pub(crate) fn gone(&self) -> watch::Receiver<Option<Timestamp>> {
        self.0.gone.subscribe()
    }

    /// Returns the time at which another node was last found to be gone.
    pub(crate) fn last_gone(&self) -> Option<Timestamp> {
        *self.0.gone.borrow()
    }

    /// Returns the difference of the database's clock to this node's, in milliseconds.
    pub(crate) fn clock_offset(&self) -> i64 {
        self.lock().offset
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        // No code that can panic runs while the lock is held.
        self.0.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits until it is known whether other nodes run, a second and a quarter at most: those that were
/// killed look alive for as long. The first beat then tells whether there was an outage.
pub(crate) async fn look_for_others(store: &Store) -> Result<(), StoreError> {
    const PAUSE: Duration = Duration::from_millis(50);
    let mut known = None;
    while let Some((at, age)) = store.last_beat().await? {
        let has_beaten = known.is_some_and(|known| known < at);
        if age >= SILENT_MS || has_beaten {
            break;
        }
        known = Some(at);
        sleep(PAUSE).await;
    }
    Ok(())
}

/// Beats until the store is closed.
pub(crate) async fn run(state: AppState) {
    let downtime = state.nodes().downtime();
    let mut rounds = interval(BEAT_EVERY);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut was_wrong, mut gone) = (false, downtime.gone());
    loop {
        rounds.tick().await;
        let beaten = downtime.beat().await;
        let is_gone = gone.has_changed().unwrap_or(false);
        gone.mark_unchanged();
        match beaten {
            Ok(was_away) if was_away || is_gone => state.live().look_again(),
            Ok(_) => {}
            Err(StoreError::Closed) => return,
            Err(error) => tracing::debug!(%error, "could not give a sign of life"),
        }
        let is_wrong = state.nodes().is_clock_wrong();
        if is_wrong && !was_wrong {
            let offset_ms = downtime.clock_offset();
            tracing::error!(
                offset_ms,
                "this server's clock differs from the database's: it changes nothing"
            );
        }
        was_wrong = is_wrong;
        metrics::gauge!("parlor_nodes").set(downtime.nodes() as f64);
    }
}

impl fmt::Debug for Downtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Downtime")
            .field("node", &self.0.node)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use parlor_store::{Loss, SimulatedNetwork, Trip};

    use super::*;

    const START: i64 = 1_800_000_000_000;

    /// A network without delay, and a database's clock that can be set.
    #[derive(Default)]
    struct DatabaseClock {
        time: AtomicI64,
    }

    impl SimulatedNetwork for DatabaseClock {
        fn trip(&self) -> Trip {
            Trip {
                there: Duration::ZERO,
                back: Duration::ZERO,
                loss: Loss::Nothing,
            }
        }

        fn database_time(&self) -> i64 {
            self.time.load(Ordering::Relaxed)
        }
    }

    #[tokio::test]
    async fn while_the_clock_of_the_database_is_wrong_nobody_is_up() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("house.db");
        let url = format!("sqlite:{}", file.display());
        Store::open(&url).await.unwrap().close().await;
        let database = Arc::new(DatabaseClock::default());
        let store = Store::open_simulated(&file, database.clone());
        let time = Arc::new(AtomicI64::new(START));
        let clock = time.clone();
        let clock = move || Timestamp::from_millis(clock.load(Ordering::Relaxed));
        let sources = Sources::new(clock, |_| unreachable!());
        let set = |seconds: i64, wrong: i64| {
            time.store(START + 1_000 * seconds, Ordering::Relaxed);
            let now = START + 1_000 * (seconds + wrong);
            database.time.store(now, Ordering::Relaxed);
        };
        set(0, 0);
        let downtime = Downtime::begin(store, 1, sources).await.unwrap();
        // Its clock jumps forward by two hours, and is right again after ten seconds.
        for seconds in [1, 5, 9] {
            set(seconds, 7_200);
            assert!(!downtime.beat().await.unwrap());
            assert_eq!(downtime.clock_offset(), 7_200_000);
        }
        set(10, 0);
        assert!(downtime.beat().await.unwrap(), "there was an outage");
        let outages: Vec<_> = downtime.outages().iter().copied().collect();
        let ten_seconds = Outage {
            began_at: START,
            ended_at: START + 10_000,
        };
        assert_eq!(outages, [ten_seconds], "of these ten seconds alone");
        assert_eq!(downtime.clock_offset(), 0);
    }

    #[tokio::test]
    async fn a_clock_that_jumps_is_wrong_before_it_is_compared_again() {
        let store = Store::open("sqlite::memory:").await.unwrap();
        let jump = Arc::new(AtomicI64::new(0));
        let (jumped, system) = (jump.clone(), Sources::system());
        let clock = move || {
            let now = system.now().millis() + jumped.load(Ordering::Relaxed);
            Timestamp::from_millis(now)
        };
        let sources = Sources::new(clock, |_| unreachable!());
        let downtime = Downtime::begin(store, 1, sources).await.unwrap();
        assert!(!downtime.is_clock_wrong());
        for wrong in [30_000, -30_000, 400] {
            jump.store(wrong, Ordering::Relaxed);
            assert!(downtime.is_clock_wrong(), "{wrong} ms");
            jump.store(0, Ordering::Relaxed);
            assert!(!downtime.is_clock_wrong());
        }
    }
}
