//! Jobs waiting for computing time, shared fairly between those they are for.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::time::{Duration, Instant};

/// Microseconds that a client's turn adds to its credit.
const QUANTUM: i64 = 50_000;
/// Maximum debt in microseconds, so that one long job is not held against a client for long.
const MAX_DEBT: i64 = 2_000_000;
/// Time after which a job without a deadline goes before a later one with a deadline.
const PATIENCE: Duration = Duration::from_secs(60);

/// Queue with deficit round robin between clients: the clients with waiting jobs take turns, each
/// turn earns the same time, and a job starts when its client has credit. The time that it takes is
/// charged when it is done, so a client with many or long jobs waits longer.
#[derive(Debug)]
pub(super) struct FairQueue<K, J> {
    clients: HashMap<K, ClientJobs<J>>,
    /// Clients with waiting jobs, the one whose turn it is first.
    turns: VecDeque<K>,
}

#[derive(Debug)]
struct ClientJobs<J> {
    /// Microseconds of computing time that it may use before others, or that others may use before
    /// it.
    credit: i64,
    waiting: Vec<WaitingJob<J>>,
    running: usize,
}

#[derive(Debug)]
struct WaitingJob<J> {
    job: J,
    rank: JobRank,
}

/// Order of a client's own jobs: those of games before others, then by the time they are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct JobRank {
    in_background: bool,
    needed: Instant,
}

impl<J> Default for ClientJobs<J> {
    fn default() -> ClientJobs<J> {
        ClientJobs {
            credit: 0,
            waiting: Vec::new(),
            running: 0,
        }
    }
}

impl<J> ClientJobs<J> {
    /// Takes the first job that is `suitable`.
    fn take(&mut self, suitable: impl Fn(&J) -> bool) -> Option<J> {
        let jobs = self.waiting.iter().enumerate();
        let (at, _) = jobs
            .filter(|(_, waiting)| suitable(&waiting.job))
            .min_by_key(|(_, waiting)| waiting.rank)?;
        self.credit -= QUANTUM;
        self.running += 1;
        Some(self.waiting.swap_remove(at).job)
    }
}

impl<K: Copy + Eq + Hash, J> FairQueue<K, J> {
    pub(super) fn new() -> FairQueue<K, J> {
        FairQueue {
            clients: HashMap::new(),
            turns: VecDeque::new(),
        }
    }

    /// Adds a job of a client, needed by a deadline if it has one. Jobs in the background come after
    /// the client's other jobs.
    pub(super) fn push(
        &mut self,
        client: K,
        job: J,
        deadline: Option<Instant>,
        in_background: bool,
        now: Instant,
    ) {
        let jobs = self.clients.entry(client).or_default();
        if jobs.waiting.is_empty() {
            self.turns.push_back(client);
        }
        let rank = JobRank {
            in_background,
            needed: deadline.unwrap_or(now + PATIENCE),
        };
        jobs.waiting.push(WaitingJob { job, rank });
    }

    /// Returns the next job with its client. Once it is done, [`FairQueue::finish`] must be called.
    pub(super) fn pop(&mut self) -> Option<(K, J)> {
        loop {
            let client = *self.turns.front()?;
            let jobs = self.clients.get_mut(&client)?;
            if jobs.credit <= 0 {
                jobs.credit += QUANTUM;
            }
            let job = (jobs.credit > 0).then(|| jobs.take(|_| true)).flatten();
            if jobs.credit <= 0 || jobs.waiting.is_empty() {
                self.end_turn();
            }
            if let Some(job) = job {
                return Some((client, job));
            }
        }
    }

    /// Returns the first job in the order of turns that is `suitable`, whatever its client's credit.
    pub(super) fn pop_suitable(&mut self, suitable: impl Fn(&J) -> bool) -> Option<(K, J)> {
        for _ in 0..self.turns.len() {
            let client = *self.turns.front()?;
            let job = self.clients.get_mut(&client)?.take(&suitable);
            self.end_turn();
            if let Some(job) = job {
                return Some((client, job));
            }
        }
        None
    }

    /// Charges a client for a job that is done.
    pub(super) fn finish(&mut self, client: K, used: Duration) {
        let used = i64::try_from(used.as_micros()).unwrap_or(i64::MAX);
        if let Some(jobs) = self.clients.get_mut(&client) {
            jobs.running = jobs.running.saturating_sub(1);
            // A quantum was charged at the start.
            let credit = jobs.credit.saturating_add(QUANTUM).saturating_sub(used);
            jobs.credit = credit.max(-MAX_DEBT);
            self.forget_if_even(client);
        }
    }

    /// Drops the waiting jobs that are not wanted any more.
    pub(super) fn retain(&mut self, wanted: impl Fn(&J) -> bool) {
        for jobs in self.clients.values_mut() {
            jobs.waiting.retain(|waiting| wanted(&waiting.job));
        }
        let clients = &self.clients;
        self.turns.retain(|client| {
            clients
                .get(client)
                .is_some_and(|jobs| !jobs.waiting.is_empty())
        });
        self.forgive_if_idle();
    }

    /// Changes the waiting jobs of a client.
    pub(super) fn jobs_of(&mut self, client: K) -> impl Iterator<Item = &mut J> {
        let jobs = self.clients.get_mut(&client).into_iter();
        jobs.flat_map(|jobs| &mut jobs.waiting)
            .map(|waiting| &mut waiting.job)
    }

    /// Returns the number of waiting jobs.
    pub(super) fn len(&self) -> usize {
        let waiting = |client| self.clients.get(client).map(|jobs| jobs.waiting.len());
        self.turns.iter().filter_map(waiting).sum()
    }

    /// Returns each client's waiting and running jobs.
    pub(super) fn by_client(&self) -> impl Iterator<Item = (K, usize, usize)> {
        let clients = self.clients.iter();
        clients.map(|(client, jobs)| (*client, jobs.waiting.len(), jobs.running))
    }

    /// Passes the turn on.
    fn end_turn(&mut self) {
        let Some(client) = self.turns.pop_front() else {
            return;
        };
        match self.clients.get_mut(&client) {
            Some(jobs) if !jobs.waiting.is_empty() => self.turns.push_back(client),
            Some(jobs) => {
                // Credit is not saved up.
                jobs.credit = jobs.credit.min(0);
                self.forget_if_even(client);
            }
            None => {}
        }
        self.forgive_if_idle();
    }

    fn forget_if_even(&mut self, client: K) {
        let is_even =
            |jobs: &ClientJobs<J>| jobs.waiting.is_empty() && jobs.running == 0 && jobs.credit >= 0;
        if self.clients.get(&client).is_some_and(is_even) {
            self.clients.remove(&client);
        }
        self.forgive_if_idle();
    }

    /// Forgives all debts once nobody waits: there is nobody to be fair to.
    fn forgive_if_idle(&mut self) {
        if self.turns.is_empty() {
            self.clients.retain(|_, jobs| jobs.running > 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type TestQueue = FairQueue<&'static str, u32>;

    fn queue(jobs: &[(&'static str, u32)]) -> TestQueue {
        let (mut queue, now) = (FairQueue::new(), Instant::now());
        for &(client, count) in jobs {
            (0..count).for_each(|n| queue.push(client, n, None, false, now));
        }
        queue
    }

    /// Runs jobs of the same length, `threads` at a time, and returns whose they were.
    fn run(queue: &mut TestQueue, threads: usize, of: Duration) -> Vec<&'static str> {
        let mut order = Vec::new();
        loop {
            let batch: Vec<_> = (0..threads).map_while(|_| queue.pop()).collect();
            if batch.is_empty() {
                return order;
            }
            for (client, _) in batch {
                order.push(client);
                queue.finish(client, of);
            }
        }
    }

    #[test]
    fn who_has_one_game_does_not_wait_for_who_has_two_hundred() {
        for threads in 1..4 {
            let mut queue = queue(&[("flood", 200), ("ann", 1), ("bob", 1)]);
            let order = run(&mut queue, threads, Duration::from_millis(300));
            assert_eq!(order.len(), 202);
            for client in ["ann", "bob"] {
                let at = order.iter().position(|one| *one == client).unwrap();
                assert!(at < 4, "{client} is number {at} with {threads} threads");
            }
        }
    }

    #[test]
    fn clients_with_equal_demand_get_equal_shares() {
        let mut queue = queue(&[("a", 60), ("b", 60), ("c", 60)]);
        let order = run(&mut queue, 1, Duration::from_millis(120));
        for client in ["a", "b", "c"] {
            let count = order[..90].iter().filter(|one| **one == client).count();
            assert!((29..=31).contains(&count), "{client}: {count} of 90");
        }
    }

    #[test]
    fn shares_are_of_time_and_not_of_jobs() {
        let mut queue = queue(&[("long", 100), ("short", 100)]);
        let mut used = HashMap::from([("long", 0), ("short", 0)]);
        let mut counts = HashMap::from([("long", 0), ("short", 0)]);
        for _ in 0..60 {
            let (client, _) = queue.pop().unwrap();
            let millis = if client == "long" { 200 } else { 50 };
            queue.finish(client, Duration::from_millis(millis));
            *used.get_mut(client).unwrap() += millis;
            *counts.get_mut(client).unwrap() += 1;
        }
        let [long, short] = ["long", "short"].map(|client| used[client]);
        assert!(long.abs_diff(short) <= 250, "{used:?}");
        assert!(counts["short"] >= 3 * counts["long"], "{counts:?}");
    }

    #[test]
    fn a_debt_ends_when_nobody_waits() {
        let mut queue = queue(&[("a", 1)]);
        queue.pop().unwrap();
        queue.finish("a", Duration::from_secs(100));
        assert!(queue.clients.is_empty());
        queue.push("a", 7, None, false, Instant::now());
        assert_eq!(queue.pop(), Some(("a", 7)));
    }

    #[test]
    fn games_come_before_the_background_and_the_nearest_deadline_first() {
        let (mut queue, now) = (FairQueue::new(), Instant::now());
        let soon = |seconds| Some(now + Duration::from_secs(seconds));
        queue.push("a", "analysis", None, true, now);
        queue.push("a", "no clock", None, false, now);
        queue.push("a", "ten seconds", soon(10), false, now);
        queue.push("a", "a second", soon(1), false, now);
        let order: Vec<_> = std::iter::from_fn(|| queue.pop())
            .map(|(_, job)| job)
            .collect();
        assert_eq!(order, ["a second", "ten seconds", "no clock", "analysis"]);
    }

    #[test]
    fn suitable_jobs_are_taken_in_turns_and_others_stay() {
        let mut queue = queue(&[("a", 4), ("b", 4), ("c", 1)]);
        let odd: Vec<_> = std::iter::from_fn(|| queue.pop_suitable(|n| n % 2 == 1)).collect();
        assert_eq!(odd, [("a", 1), ("b", 1), ("a", 3), ("b", 3)]);
        assert_eq!(queue.len(), 5);
    }

    #[test]
    fn jobs_that_nobody_wants_any_more_are_dropped() {
        let mut queue = queue(&[("a", 3), ("b", 1)]);
        queue.retain(|n| *n == 2);
        assert_eq!(queue.pop(), Some(("a", 2)));
        assert_eq!((queue.pop(), queue.len()), (None, 0));
    }
}
