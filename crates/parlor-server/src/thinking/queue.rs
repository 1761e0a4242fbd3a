//! Jobs waiting for computing time, shared fairly between those they are for.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::{Duration, Instant};

/// Maximum debt in microseconds, so that one long job is not held against a client for long.
const MAX_DEBT: i64 = 2_000_000;
/// Most microseconds that a job is charged with, so that no sum overflows.
const MAX_MICROS: i64 = 3_600_000_000;
/// Time after which a job without a deadline goes before a later one with a deadline.
const PATIENCE: Duration = Duration::from_secs(60);

/// Queue with fair queueing between clients: a virtual clock shows the time that each of those who
/// want some has had, and the job goes first whose client has had least once it is done.
///
/// A client with many or long jobs therefore waits longer, and whoever has one short job does not wait
/// for one long job of each of the others. Jobs are charged with their expected time when they start
/// and with their real time when they are done. This is start-time fair queueing (Goyal, Vin and
/// Cheng, 1996), ordered by finish tags.
#[derive(Debug)]
pub(super) struct FairQueue<K, J> {
    clients: HashMap<K, ClientJobs<J>>,
    /// Virtual time in microseconds.
    now: i64,
    /// Microseconds by which a client may be ahead of its share.
    burst: i64,
    /// True if only those may be ahead who come anew, or use less than half of their share.
    only_first: bool,
    /// Number of jobs so far.
    last: u64,
}

#[derive(Debug)]
struct ClientJobs<J> {
    /// Virtual time up to which the client has used its share.
    used_until: i64,
    waiting: Vec<WaitingJob<J>>,
    running: usize,
}

#[derive(Debug)]
struct WaitingJob<J> {
    job: J,
    number: u64,
    rank: JobRank,
}

/// Order of a client's own jobs: those of games before others, then by the time they are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct JobRank {
    in_background: bool,
    needed: Instant,
}

impl JobRank {
    /// Returns the rank of a job of a game that was asked for at `since`.
    pub(super) fn of_game(deadline: Option<Instant>, since: Instant) -> JobRank {
        JobRank {
            in_background: false,
            needed: deadline.unwrap_or(since + PATIENCE),
        }
    }

    /// Returns the rank of a job that comes after those of games.
    pub(super) fn in_background(since: Instant) -> JobRank {
        JobRank {
            in_background: true,
            needed: since,
        }
    }
}

impl<J> ClientJobs<J> {
    fn new(used_until: i64) -> ClientJobs<J> {
        ClientJobs {
            used_until,
            waiting: Vec::new(),
            running: 0,
        }
    }

    /// Returns the index of the first job that is `suitable`.
    fn first(&self, suitable: impl Fn(&J) -> bool) -> Option<usize> {
        let jobs = self.waiting.iter().enumerate();
        let suitable = jobs.filter(|(_, waiting)| suitable(&waiting.job));
        let first = suitable.min_by_key(|(_, waiting)| (waiting.rank, waiting.number));
        first.map(|(at, _)| at)
    }

    fn is_active(&self) -> bool {
        !self.waiting.is_empty() || self.running > 0
    }
}

impl<K: Copy + Eq + Hash, J> FairQueue<K, J> {
    /// Creates an empty queue. Clients may be ahead of their shares by `burst`, so that whoever has used
    /// little lately waits for nobody.
    pub(super) fn new(burst: Duration) -> FairQueue<K, J> {
        FairQueue {
            clients: HashMap::new(),
            now: 0,
            burst: micros(burst),
            only_first: false,
            last: 0,
        }
    }

    /// Creates an empty queue in which whoever comes anew, or uses less than half of the share, goes before
    /// the others, be they hundreds with no more than their shares. `usual` is about the time that jobs take.
    pub(super) fn newcomers_first(usual: Duration) -> FairQueue<K, J> {
        FairQueue {
            only_first: true,
            // The client that has waited longest is behind its share by one job.
            ..FairQueue::new(usual * 2)
        }
    }

    /// Adds a job of a client.
    pub(super) fn push(&mut self, client: K, job: J, rank: JobRank) {
        self.last += 1;
        let waiting = WaitingJob {
            job,
            number: self.last,
            rank,
        };
        let even = self.now - self.burst;
        let jobs = self.clients.entry(client);
        let jobs = jobs.or_insert_with(|| ClientJobs::new(even));
        if !jobs.is_active() {
            // Time is not saved up.
            jobs.used_until = jobs.used_until.max(even);
        }
        jobs.waiting.push(waiting);
    }

    /// Returns the next job with its client, if jobs will take as long as is `expected` of them. Once it
    /// is done, [`FairQueue::finish`] must be called.
    pub(super) fn pop(&mut self, expected: impl Fn(&J) -> Duration) -> Option<(K, J)> {
        self.pop_suitable(|_| true, expected)
    }

    /// Returns the next job that is `suitable`, like [`FairQueue::pop`].
    pub(super) fn pop_suitable(
        &mut self,
        suitable: impl Fn(&J) -> bool,
        expected: impl Fn(&J) -> Duration,
    ) -> Option<(K, J)> {
        let firsts = self.clients.iter().filter_map(|(client, jobs)| {
            let at = jobs.first(&suitable)?;
            let waiting = jobs.waiting.get(at)?;
            let end = jobs.used_until + micros(expected(&waiting.job));
            Some(((end, waiting.number), *client, at))
        });
        let (_, client, at) = firsts.min_by_key(|(tag, _, _)| *tag)?;
        self.catch_up();
        let jobs = self.clients.get_mut(&client)?;
        let waiting = jobs.waiting.swap_remove(at);
        jobs.used_until += micros(expected(&waiting.job));
        jobs.running += 1;
        Some((client, waiting.job))
    }

    /// Lets the clock show at least what each of those who wait has used.
    fn catch_up(&mut self) {
        let waiting = self.clients.values();
        let waiting = waiting.filter(|jobs| !jobs.waiting.is_empty());
        let least = waiting.map(|jobs| jobs.used_until).min();
        self.now = self.now.max(least.unwrap_or(self.now));
    }

    /// Charges a client for a job that is done, with the time that it was expected to take and that it
    /// took.
    pub(super) fn finish(&mut self, client: K, expected: Duration, used: Duration) {
        let Some(jobs) = self.clients.get_mut(&client) else {
            return;
        };
        jobs.running = jobs.running.saturating_sub(1);
        let before = jobs.used_until - micros(expected);
        jobs.used_until = (before + micros(used)).min(self.now + MAX_DEBT);
        if self.only_first {
            // A client that uses less than half of the share stays ahead of those who use all of theirs.
            let counted = before + 2 * micros(used);
            jobs.used_until = jobs.used_until.max(counted.min(self.now));
        }
        let active = self.clients.values().filter(|jobs| jobs.is_active());
        let sharing = i64::try_from(active.count()).unwrap_or(i64::MAX);
        self.now += micros(used) / sharing.max(1);
        self.forget_even();
    }

    /// Drops the waiting jobs that are not wanted any more.
    pub(super) fn retain(&mut self, wanted: impl Fn(&J) -> bool) {
        for jobs in self.clients.values_mut() {
            jobs.waiting.retain(|waiting| wanted(&waiting.job));
        }
        self.forget_even();
    }

    /// Returns the waiting jobs of a client, which may be changed.
    pub(super) fn jobs_of(&mut self, client: K) -> impl Iterator<Item = &mut J> {
        let jobs = self.clients.get_mut(&client).into_iter();
        jobs.flat_map(|jobs| &mut jobs.waiting)
            .map(|waiting| &mut waiting.job)
    }

    /// Returns the number of waiting jobs.
    pub(super) fn len(&self) -> usize {
        self.clients.values().map(|jobs| jobs.waiting.len()).sum()
    }

    /// Returns each client's waiting and running jobs.
    pub(super) fn by_client(&self) -> impl Iterator<Item = (K, usize, usize)> {
        let clients = self.clients.iter().filter(|(_, jobs)| jobs.is_active());
        clients.map(|(client, jobs)| (*client, jobs.waiting.len(), jobs.running))
    }

    /// Forgets clients without jobs who have used no more than a new one has, and forgives all debts
    /// once nobody waits: there is nobody to be fair to.
    fn forget_even(&mut self) {
        let (even, nobody_waits) = (self.now - self.burst, self.len() == 0);
        self.clients
            .retain(|_, jobs| jobs.is_active() || (!nobody_waits && jobs.used_until > even));
    }
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).map_or(MAX_MICROS, |micros| micros.min(MAX_MICROS))
}

#[cfg(test)]
mod tests {
    use super::*;

    type TestQueue = FairQueue<&'static str, u32>;

    const USUAL: Duration = Duration::from_millis(50);
    const BURST: Duration = Duration::from_millis(100);

    fn queue(jobs: &[(&'static str, u32)]) -> TestQueue {
        let (mut queue, now) = (FairQueue::new(BURST), Instant::now());
        for &(client, count) in jobs {
            (0..count).for_each(|n| queue.push(client, n, JobRank::of_game(None, now)));
        }
        queue
    }

    /// Runs jobs of the same length, `threads` at a time, and returns whose they were.
    fn run(queue: &mut TestQueue, threads: usize, of: Duration) -> Vec<&'static str> {
        let mut order = Vec::new();
        loop {
            let batch: Vec<_> = (0..threads).map_while(|_| queue.pop(|_| USUAL)).collect();
            if batch.is_empty() {
                return order;
            }
            for (client, _) in batch {
                order.push(client);
                queue.finish(client, USUAL, of);
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
            let (client, _) = queue.pop(|_| USUAL).unwrap();
            let millis = if client == "long" { 200 } else { 50 };
            queue.finish(client, USUAL, Duration::from_millis(millis));
            *used.get_mut(client).unwrap() += millis;
            *counts.get_mut(client).unwrap() += 1;
        }
        let [long, short] = ["long", "short"].map(|client| used[client]);
        assert!(long.abs_diff(short) <= 250, "{used:?}");
        assert!(counts["short"] >= 3 * counts["long"], "{counts:?}");
    }

    const LONG: Duration = Duration::from_millis(400);
    const SHORT: Duration = Duration::from_millis(30);

    fn expected(job: &&str) -> Duration {
        if *job == "short" { SHORT } else { LONG }
    }

    #[test]
    fn a_short_job_does_not_wait_for_a_long_one_of_every_other_client() {
        let mut queue = FairQueue::new(BURST);
        let rank = JobRank::of_game(None, Instant::now());
        (0..120).for_each(|client| queue.push(client, "long", rank));
        for _ in 0..10 {
            let (client, _) = queue.pop(expected).unwrap();
            queue.finish(client, LONG, LONG);
        }
        queue.push(1_000, "short", rank);
        assert_eq!(queue.pop(expected), Some((1_000, "short")));
        // With such jobs again and again, it has no more than its share of the time.
        queue.finish(1_000, SHORT, SHORT);
        let mut used = HashMap::from([("short", Duration::ZERO), ("long", Duration::ZERO)]);
        for _ in 0..200 {
            queue.push(1_000, "short", rank);
            let (client, job) = queue.pop(expected).unwrap();
            let time = expected(&job);
            queue.finish(client, time, time);
            *used.get_mut(job).unwrap() += time;
            queue.retain(|job| *job == "long");
            queue.push(client % 1_000, "long", rank);
        }
        assert!(used["short"] <= used["long"] / 60 + SHORT * 4, "{used:?}");
    }

    #[test]
    fn newcomers_go_before_hundreds_who_have_no_more_than_their_shares() {
        let mut queue = FairQueue::newcomers_first(SHORT);
        let rank = JobRank::of_game(None, Instant::now());
        let run = |queue: &mut FairQueue<u32, ()>| {
            let (client, ()) = queue.pop(|_| SHORT).unwrap();
            queue.finish(client, SHORT, SHORT);
            client
        };
        (0..300).for_each(|client| queue.push(client, (), rank));
        for newcomer in 1_000..1_050 {
            // They ask again as soon as they are answered.
            for _ in 0..377 {
                let client = run(&mut queue);
                queue.push(client, (), rank);
            }
            queue.push(newcomer, (), rank);
            assert_eq!(run(&mut queue), newcomer);
        }
    }

    #[test]
    fn who_uses_little_goes_before_hundreds_who_use_all_they_can() {
        let mut queue = FairQueue::newcomers_first(USUAL);
        let (rank, used) = (JobRank::of_game(None, Instant::now()), USUAL);
        let crowd = 500;
        let reader = crowd;
        (0..crowd).for_each(|client| queue.push(client, used, rank));
        let run = |queue: &mut FairQueue<u32, Duration>| {
            let (client, took) = queue.pop(|_| USUAL).expect("many wait");
            queue.finish(client, USUAL, took);
            if client != reader {
                queue.push(client, used, rank);
            }
            client
        };
        // Everybody has a turn in each round, and after the first the reader has a job of a fifth of that.
        for round in 0..10 {
            for turn in 0..crowd {
                let client = run(&mut queue);
                assert_ne!(client, reader, "{turn} in round {round}");
            }
            queue.push(reader, used / 5, rank);
            assert_eq!(run(&mut queue), reader, "in round {round}");
        }
    }

    #[test]
    fn strangers_who_come_one_after_the_other_do_not_stop_a_long_job() {
        let mut queue = FairQueue::new(BURST);
        let rank = JobRank::of_game(None, Instant::now());
        queue.push(0, "long", rank);
        let before = (1..1_000).take_while(|stranger| {
            queue.push(*stranger, "short", rank);
            let (client, job) = queue.pop(expected).unwrap();
            queue.finish(client, SHORT, SHORT);
            job == "short"
        });
        assert!(before.count() < 50);
    }

    #[test]
    fn a_debt_ends_when_nobody_waits() {
        let mut queue = queue(&[("a", 1)]);
        queue.pop(|_| USUAL).unwrap();
        queue.finish("a", USUAL, Duration::from_secs(100));
        assert!(queue.clients.is_empty());
        queue.push("a", 7, JobRank::of_game(None, Instant::now()));
        assert_eq!(queue.pop(|_| USUAL), Some(("a", 7)));
    }

    #[test]
    fn games_come_before_the_background_and_the_nearest_deadline_first() {
        let (mut queue, now) = (FairQueue::new(BURST), Instant::now());
        let soon = |seconds| Some(now + Duration::from_secs(seconds));
        let game = |deadline| JobRank::of_game(deadline, now);
        queue.push("a", "analysis", JobRank::in_background(now));
        queue.push("a", "no clock", game(None));
        queue.push("a", "ten seconds", game(soon(10)));
        queue.push("a", "a second", game(soon(1)));
        let order: Vec<_> = std::iter::from_fn(|| queue.pop(|_| USUAL))
            .map(|(_, job)| job)
            .collect();
        assert_eq!(order, ["a second", "ten seconds", "no clock", "analysis"]);
    }

    #[test]
    fn suitable_jobs_are_taken_in_turns_and_others_stay() {
        let mut queue = queue(&[("a", 4), ("b", 4), ("c", 1)]);
        let odd: Vec<_> =
            std::iter::from_fn(|| queue.pop_suitable(|n| n % 2 == 1, |_| USUAL)).collect();
        assert_eq!(odd, [("a", 1), ("b", 1), ("a", 3), ("b", 3)]);
        assert_eq!(queue.len(), 5);
    }

    #[test]
    fn jobs_that_nobody_wants_any_more_are_dropped() {
        let mut queue = queue(&[("a", 3), ("b", 1)]);
        queue.retain(|n| *n == 2);
        assert_eq!(queue.pop(|_| USUAL), Some(("a", 2)));
        assert_eq!((queue.pop(|_| USUAL), queue.len()), (None, 0));
    }
}
