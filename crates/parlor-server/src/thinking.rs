//! Computing time of the house, shared fairly between clients: bots' searches, analyses, passwords and
//! pages.

mod places;
mod queue;
mod turns;
mod usual_times;

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use parlor_table::{Player, Table, UserId};
use tokio::sync::oneshot;

pub(crate) use self::places::{Full, Place, Places};
use self::queue::{FairQueue, JobRank};
pub(crate) use self::turns::FairTurns;
use self::usual_times::{Sort, UsualTimes};
use crate::config::BotConfig;
use crate::edge::Client;
use crate::error::{Error, Throttle};

/// Time by which a client may be ahead of its share.
const BURST: Duration = Duration::from_millis(100);
/// Interval at which a job that has lent its permit looks for it without being told.
const LENT_CHECK: Duration = Duration::from_millis(100);

/// Client who pays for a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Payer {
    /// A member, at any address.
    Member(UserId),
    /// The guests at an address.
    Address(Client),
    /// The guests whose address is not known: after a restart, until one of them sends a command.
    Unknown,
}

impl Payer {
    /// Returns the payer whose share of the computing time this one has. Guests share it with those
    /// at the 255 addresses beside theirs, since one stranger may have them all; they can sign in.
    pub(crate) fn sharing(self) -> Payer {
        match self {
            Payer::Address(client) => Payer::Address(client.network()),
            Payer::Member(_) | Payer::Unknown => self,
        }
    }

    /// Returns who pays for a table of which nothing but its log is known: its first member.
    pub(crate) fn of_table(table: &Table) -> Payer {
        let user = |player: &Player| match player {
            Player::Human { user, .. } => *user,
            Player::Open | Player::Bot { .. } => None,
        };
        let member = table.players().iter().find_map(user);
        member.map_or(Payer::Unknown, Payer::Member)
    }
}

/// Purpose of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobKind {
    /// A bot's move, needed before a clock runs out if there is one.
    Move { deadline: Option<Instant> },
    /// A step of an analysis.
    Analysis,
}

/// Something to compute.
pub(crate) struct Job {
    pub(crate) kind: JobKind,
    /// Name of jobs that take about as long.
    pub(crate) name: String,
    pub(crate) is_awaited: IsAwaited,
}

impl JobKind {
    fn name(self) -> &'static str {
        match self {
            JobKind::Move { .. } => "move",
            JobKind::Analysis => "analysis",
        }
    }
}

/// Permits to compute. At most as many are out at once as the house has threads for it, and one
/// more for moves that cannot wait.
#[derive(Clone)]
pub(crate) struct Thinking {
    shared: Arc<ThinkingShared>,
}

struct ThinkingShared {
    state: Mutex<ThinkingState>,
    /// True while a job that somebody awaits waits for a permit.
    is_wanted: AtomicBool,
    /// Wakes the jobs that have lent their permits to others.
    given_back: Condvar,
    /// Tables where only bots play, by who made them.
    bot_tables: Arc<Places>,
}

struct ThinkingState {
    queue: FairQueue<Payer, Waiter>,
    /// Jobs that nobody awaits. They run when there are no others, leave one permit for others to
    /// come if there is more than one, and lend theirs to others.
    unattended: FairQueue<Payer, Waiter>,
    /// Permits that are not out.
    free: usize,
    /// Permits that nobody awaits a job for leave free for others to come.
    reserve: usize,
    /// Jobs that have lent their permits.
    lent: usize,
    /// True while the permit for moves that cannot wait is not out.
    spare: bool,
    last: u64,
    usual_times: UsualTimes,
}

struct Waiter {
    number: u64,
    kind: JobKind,
    sort: Sort,
    is_awaited: IsAwaited,
    since: Instant,
    cannot_wait: bool,
    reply: oneshot::Sender<Permit>,
}

/// Function that tells whether somebody is there for whom a job is done.
pub(crate) type IsAwaited = Box<dyn Fn() -> bool + Send>;

impl Waiter {
    fn is_wanted(&self) -> bool {
        !self.reply.is_closed()
    }

    fn push_to(self, queue: &mut FairQueue<Payer, Waiter>, payer: Payer) {
        let rank = match self.kind {
            JobKind::Move { deadline } => JobRank::of_game(deadline, self.since),
            JobKind::Analysis => JobRank::in_background(self.since),
        };
        queue.push(payer, self, rank);
    }
}

/// Permit to compute until it is dropped. The time is charged to its client.
pub(crate) struct Permit {
    shared: Arc<ThinkingShared>,
    payer: Payer,
    kind: JobKind,
    sort: Sort,
    expected: Duration,
    since: Instant,
    /// Time for which others had it.
    lent: Cell<Duration>,
    is_spare: bool,
    is_attended: bool,
}

impl Permit {
    /// Returns true if others wait for this permit, which is the only one of its kind, so that the
    /// job must be done in a few milliseconds.
    pub(crate) fn is_hurried(&self) -> bool {
        self.is_spare
    }

    /// Lends the permit of a job that nobody awaits to those that somebody does, and blocks the thread
    /// until it is back. Returns the time that this took. Cheap if nobody wants it.
    pub(crate) fn lend(&self) -> Duration {
        let shared = &self.shared;
        if self.is_attended || self.is_spare || !shared.is_wanted.load(Ordering::Relaxed) {
            return Duration::ZERO;
        }
        let lent = Instant::now();
        {
            let mut state = shared.state();
            state.free += 1;
            state.lent += 1;
        }
        shared.hand_out();
        let mut state = shared.state();
        loop {
            state.queue.retain(Waiter::is_wanted);
            if state.free > 0 && state.queue.len() == 0 {
                break;
            }
            let waited = shared.given_back.wait_timeout(state, LENT_CHECK);
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        state.free -= 1;
        state.lent -= 1;
        let time = lent.elapsed();
        self.lent.set(self.lent.get() + time);
        time
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let used = self.since.elapsed().saturating_sub(self.lent.get());
        {
            let mut state = self.shared.state();
            let queue = if self.is_attended {
                &mut state.queue
            } else {
                &mut state.unattended
            };
            queue.finish(self.payer, self.expected, used);
            if !self.is_spare {
                // Moves that cannot wait are cut short.
                state.usual_times.learn(self.sort, used);
            }
            if self.is_spare {
                state.spare = true;
            } else {
                state.free += 1;
            }
        }
        let kind = self.kind.name();
        metrics::gauge!("parlor_thinking_running").decrement(1);
        metrics::histogram!("parlor_thinking_seconds", "kind" => kind).record(used.as_secs_f64());
        self.shared.hand_out();
    }
}

/// Clients with waiting or running jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ThinkingClient {
    pub(crate) payer: Payer,
    pub(crate) waiting: usize,
    pub(crate) running: usize,
}

impl Thinking {
    pub(crate) fn new(bots: &BotConfig) -> Thinking {
        let state = ThinkingState {
            queue: FairQueue::new(BURST),
            unattended: FairQueue::new(BURST),
            free: bots.threads.max(1),
            reserve: usize::from(bots.threads > 1),
            lent: 0,
            spare: true,
            last: 0,
            usual_times: UsualTimes::default(),
        };
        Thinking {
            shared: Arc::new(ThinkingShared {
                state: Mutex::new(state),
                is_wanted: AtomicBool::new(false),
                given_back: Condvar::new(),
                bot_tables: Places::new(
                    bots.bot_tables_per_client,
                    bots.bot_tables,
                    Some("parlor_bot_tables"),
                ),
            }),
        }
    }

    /// Waits for a permit to compute for a client. `None` if the house is closing. Others go first as
    /// soon as nobody awaits the job.
    ///
    /// A move that has waited for a quarter of the time until its deadline gets the spare permit
    /// next.
    pub(crate) async fn permit(&self, payer: Payer, job: Job) -> Option<Permit> {
        let (payer, kind) = (payer.sharing(), job.kind);
        let (reply, mut answer) = oneshot::channel();
        let now = Instant::now();
        let number = {
            let mut state = self.shared.state();
            state.last += 1;
            let waiter = Waiter {
                number: state.last,
                kind,
                sort: state.usual_times.sort(job.name),
                is_awaited: job.is_awaited,
                since: now,
                cannot_wait: false,
                reply,
            };
            waiter.push_to(&mut state.queue, payer);
            state.last
        };
        self.shared.hand_out();
        if let JobKind::Move {
            deadline: Some(deadline),
        } = kind
        {
            let patience = deadline.saturating_duration_since(now) / 4;
            match tokio::time::timeout(patience, &mut answer).await {
                Ok(permit) => return permit.ok(),
                Err(_) => self.shared.hurry(payer, number),
            }
        }
        answer.await.ok()
    }

    /// Counts a table where only bots play.
    ///
    /// # Errors
    /// If there are too many such tables, of this client or in all.
    pub(crate) fn open_bot_table(&self, payer: Payer) -> Result<Place, Error> {
        let taken = self.shared.bot_tables.take(payer);
        taken.map_err(|full| {
            metrics::counter!("parlor_bot_tables_refused_total").increment(1);
            let (count, whose) = match full {
                Full::OfClient(count) => (count, "of yours"),
                Full::OfAll(count) => (count, "of this house"),
            };
            let refusal = format!(
                "only bots play at {count} tables {whose}, which is as many as can be: wait until one of these games is over"
            );
            Error::throttled(refusal, Throttle::at_once("bot-tables", count))
        })
    }

    /// Returns the clients with jobs, those with the most first.
    pub(crate) fn clients(&self) -> Vec<ThinkingClient> {
        let state = self.shared.state();
        let mut counts: HashMap<Payer, (usize, usize)> = HashMap::new();
        for (payer, waiting, running) in state.queue.by_client().chain(state.unattended.by_client())
        {
            let of_client = counts.entry(payer).or_default();
            *of_client = (of_client.0 + waiting, of_client.1 + running);
        }
        drop(state);
        let client = |(payer, (waiting, running))| ThinkingClient {
            payer,
            waiting,
            running,
        };
        let mut clients: Vec<_> = counts.into_iter().map(client).collect();
        clients.sort_by_key(|client| std::cmp::Reverse(client.waiting + client.running));
        clients
    }
}

impl ThinkingState {
    /// Returns the next job, and whether somebody awaits it.
    fn pop(&mut self) -> Option<(Payer, Waiter, bool)> {
        let usual_times = &self.usual_times;
        let expected = |waiter: &Waiter| usual_times.of(waiter.sort);
        while let Some((payer, waiter)) = self.queue.pop(expected) {
            if (waiter.is_awaited)() {
                return Some((payer, waiter, true));
            }
            self.queue.finish(payer, expected(&waiter), Duration::ZERO);
            waiter.push_to(&mut self.unattended, payer);
        }
        if self.free <= self.reserve + self.lent {
            return None;
        }
        let (payer, waiter) = self.unattended.pop(expected)?;
        Some((payer, waiter, false))
    }
}

impl ThinkingShared {
    fn state(&self) -> MutexGuard<'_, ThinkingState> {
        // No code that can panic runs while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands out free permits to those whose turn it is.
    fn hand_out(self: &Arc<ThinkingShared>) {
        while let Some((permit, reply)) = self.next() {
            metrics::gauge!("parlor_thinking_running").increment(1);
            // A waiter that is gone gives the permit back at once.
            let _ = reply.send(permit);
        }
        let is_wanted = self.state().queue.len() > 0;
        self.is_wanted.store(is_wanted, Ordering::Relaxed);
        self.given_back.notify_all();
    }

    fn next(self: &Arc<ThinkingShared>) -> Option<(Permit, oneshot::Sender<Permit>)> {
        let mut state = self.state();
        state.queue.retain(Waiter::is_wanted);
        state.unattended.retain(Waiter::is_wanted);
        let waiting = state.queue.len() + state.unattended.len();
        metrics::gauge!("parlor_thinking_waiting").set(waiting as f64);
        let (payer, waiter, is_spare, is_attended) = if state.free > 0 {
            let (payer, waiter, is_attended) = state.pop()?;
            state.free -= 1;
            (payer, waiter, false, is_attended)
        } else if state.spare {
            let cannot_wait = |waiter: &Waiter| waiter.cannot_wait;
            let ThinkingState {
                queue,
                unattended,
                usual_times,
                ..
            } = &mut *state;
            let expected = |waiter: &Waiter| usual_times.of(waiter.sort);
            let attended = queue.pop_suitable(cannot_wait, expected);
            let is_attended = attended.is_some();
            let (payer, waiter) =
                attended.or_else(|| unattended.pop_suitable(cannot_wait, expected))?;
            state.spare = false;
            (payer, waiter, true, is_attended)
        } else {
            return None;
        };
        let expected = state.usual_times.of(waiter.sort);
        let waited = waiter.since.elapsed().as_secs_f64();
        let kind = waiter.kind.name();
        metrics::histogram!("parlor_thinking_wait_seconds", "kind" => kind).record(waited);
        let permit = Permit {
            shared: self.clone(),
            payer,
            kind: waiter.kind,
            sort: waiter.sort,
            expected,
            since: Instant::now(),
            lent: Cell::default(),
            is_spare,
            is_attended,
        };
        Some((permit, waiter.reply))
    }

    /// Lets a waiting job have the spare permit.
    fn hurry(self: &Arc<ThinkingShared>, payer: Payer, number: u64) {
        {
            let mut state = self.state();
            let ThinkingState {
                queue, unattended, ..
            } = &mut *state;
            let mut jobs = queue.jobs_of(payer).chain(unattended.jobs_of(payer));
            if let Some(waiter) = jobs.find(|waiter| waiter.number == number) {
                waiter.cannot_wait = true;
            }
        }
        self.hand_out();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thinking(threads: usize) -> Thinking {
        Thinking::new(&BotConfig {
            threads,
            bot_tables: 3,
            bot_tables_per_client: 2,
            ..BotConfig::default()
        })
    }

    fn member(number: u64) -> Payer {
        Payer::Member(UserId::new(number).unwrap())
    }

    const MOVE: JobKind = JobKind::Move { deadline: None };

    fn job(kind: JobKind, is_awaited: IsAwaited) -> Job {
        Job {
            kind,
            name: "job".to_owned(),
            is_awaited,
        }
    }

    impl Thinking {
        /// Waits for a permit for a job that is awaited all the time.
        async fn awaited(&self, payer: Payer, kind: JobKind) -> Option<Permit> {
            self.permit(payer, job(kind, Box::new(|| true))).await
        }
    }

    #[tokio::test]
    async fn who_has_left_comes_after_everybody_else() {
        let thinking = thinking(1);
        let busy = thinking.awaited(member(1), MOVE).await.unwrap();
        let (done, mut order) = tokio::sync::mpsc::unbounded_channel();
        let is_here = Arc::new(AtomicBool::new(true));
        let wait = |who: u64, is_awaited: IsAwaited| {
            let (thinking, done) = (thinking.clone(), done.clone());
            tokio::spawn(async move {
                let permit = thinking.permit(member(who), job(MOVE, is_awaited)).await;
                done.send(who).unwrap();
                drop(permit);
            })
        };
        let waiting = |count: usize| {
            let counts = thinking.clients();
            counts.iter().map(|client| client.waiting).sum::<usize>() == count
        };
        for n in 0..5 {
            let is_here = is_here.clone();
            wait(2, Box::new(move || is_here.load(Ordering::Relaxed)));
            while !waiting(n + 1) {
                tokio::task::yield_now().await;
            }
        }
        is_here.store(false, Ordering::Relaxed);
        for n in 5..7 {
            wait(3, Box::new(|| true));
            while !waiting(n + 1) {
                tokio::task::yield_now().await;
            }
        }
        drop(busy);
        let mut who = Vec::new();
        for _ in 0..7 {
            who.push(order.recv().await.unwrap());
        }
        assert_eq!(who, [3, 3, 2, 2, 2, 2, 2]);
    }

    #[tokio::test]
    async fn what_nobody_awaits_leaves_a_permit_to_who_comes_next() {
        let thinking = thinking(3);
        let alone = |who| thinking.permit(member(who), job(MOVE, Box::new(|| false)));
        let [first, second] = [alone(1).await.unwrap(), alone(2).await.unwrap()];
        let mut third = std::pin::pin!(alone(3));
        assert!(futures::poll!(&mut third).is_pending());
        let person = thinking.awaited(member(4), MOVE).await.unwrap();
        drop(person);
        assert!(futures::poll!(&mut third).is_pending());
        drop((first, second));
        assert!(third.await.is_some());
    }

    #[tokio::test]
    async fn what_nobody_awaits_lends_its_permit_to_who_comes() {
        let thinking = thinking(1);
        let alone = || thinking.permit(member(1), job(MOVE, Box::new(|| false)));
        let long = alone().await.unwrap();
        assert_eq!(long.lend(), Duration::ZERO, "nobody wants it");
        let mut person = std::pin::pin!(thinking.awaited(member(2), MOVE));
        assert!(futures::poll!(&mut person).is_pending());
        let (done, is_done) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let lent = long.lend();
            let _ = done.send(());
            (lent, long)
        });
        let permit = person.await.unwrap();
        let mut next = std::pin::pin!(alone());
        assert!(futures::poll!(&mut next).is_pending());
        let mut is_done = std::pin::pin!(is_done);
        assert!(futures::poll!(&mut is_done).is_pending(), "it is lent");
        drop(permit);
        is_done.await.unwrap();
        assert!(
            futures::poll!(&mut next).is_pending(),
            "it is back with its owner"
        );
        let (lent, long) = thread.join().unwrap();
        assert!(lent > Duration::ZERO);
        drop(long);
        assert!(next.await.is_some());
    }

    #[tokio::test]
    async fn no_more_permits_are_out_than_there_are_threads() {
        let thinking = thinking(2);
        let [a, b] = [member(1), member(2)];
        let first = thinking.awaited(a, MOVE).await.unwrap();
        let _second = thinking.awaited(a, MOVE).await.unwrap();
        let third = tokio::spawn({
            let thinking = thinking.clone();
            async move { thinking.awaited(b, MOVE).await }
        });
        while thinking.clients().iter().all(|client| client.waiting == 0) {
            tokio::task::yield_now().await;
        }
        assert!(!third.is_finished());
        drop(first);
        assert!(
            third
                .await
                .unwrap()
                .is_some_and(|permit| !permit.is_hurried())
        );
    }

    #[tokio::test]
    async fn a_move_that_cannot_wait_gets_the_spare_permit_and_only_one_at_a_time() {
        let thinking = thinking(1);
        let _busy = thinking.awaited(member(1), MOVE).await.unwrap();
        let deadline = Some(Instant::now() + Duration::from_millis(20));
        let hurried = JobKind::Move { deadline };
        let spare = thinking.awaited(member(2), hurried).await.unwrap();
        assert!(spare.is_hurried());
        let next = thinking.awaited(member(3), hurried);
        let mut next = std::pin::pin!(next);
        let early = tokio::time::timeout(Duration::from_millis(100), &mut next).await;
        assert!(early.is_err(), "the spare permit is out");
        drop(spare);
        assert!(next.await.is_some_and(|permit| permit.is_hurried()));
    }

    #[tokio::test]
    async fn guests_at_addresses_beside_each_other_have_one_share() {
        let thinking = thinking(1);
        let _busy = thinking.awaited(member(1), MOVE).await.unwrap();
        let addresses = [[10, 0, 0, 1], [10, 0, 0, 200], [10, 0, 1, 1]];
        let guests = addresses.map(|address| {
            let payer = Payer::Address(Client(address.into()));
            let thinking = thinking.clone();
            tokio::spawn(async move { thinking.awaited(payer, MOVE).await })
        });
        let waiting = || -> Vec<usize> {
            let clients = thinking.clients();
            let counts = clients.iter().map(|client| client.waiting);
            counts.filter(|waiting| *waiting > 0).collect()
        };
        while waiting().iter().sum::<usize>() < guests.len() {
            tokio::task::yield_now().await;
        }
        assert_eq!(waiting(), [2, 1]);
        guests.iter().for_each(tokio::task::JoinHandle::abort);
    }

    #[tokio::test]
    async fn who_stops_waiting_leaves_the_permit_to_others() {
        let thinking = thinking(1);
        let busy = thinking.awaited(member(1), MOVE).await.unwrap();
        let gone = thinking.awaited(member(2), MOVE);
        assert!(tokio::time::timeout(Duration::ZERO, gone).await.is_err());
        drop(busy);
        assert!(thinking.awaited(member(3), MOVE).await.is_some());
        assert_eq!(thinking.clients(), []);
    }

    #[tokio::test]
    async fn a_search_that_panics_gives_its_permit_back() {
        let thinking = thinking(1);
        let permit = thinking.awaited(member(1), MOVE).await.unwrap();
        let search = std::thread::spawn(move || {
            let _permit = permit;
            panic!("a bot failed");
        });
        assert!(search.join().is_err());
        assert!(thinking.awaited(member(2), MOVE).await.is_some());
    }

    #[test]
    fn tables_of_bots_alone_are_limited_for_each_client_and_in_all() {
        let thinking = thinking(1);
        let open = |n| thinking.open_bot_table(member(n));
        let first = open(1).unwrap();
        let _second = open(1).unwrap();
        assert!(open(1).is_err_and(|error| error.detail.contains("2 tables of yours")));
        let _third = open(2).unwrap();
        assert!(open(3).is_err_and(|error| error.detail.contains("3 tables of this house")));
        drop(first);
        assert!(open(3).is_ok());
    }
}
