//! A queue that runs long jobs one at a time on a blocking thread, and caches their results. Clients
//! take turns.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use parlor_table::TableId;

use crate::thinking::Payer;

/// Maximum number of waiting jobs of one client.
pub(super) const MAX_WAITING_EACH: usize = 8;
/// Maximum number of waiting jobs.
pub(super) const MAX_WAITING: usize = 64;
/// Maximum number of cached results.
const MAX_RESULTS: usize = 64;
/// Maximum total number of steps of the cached results: some games are very long.
const MAX_RESULT_STEPS: usize = 16_000;

/// Key of a job: the first `steps` steps of a table. A finished game never gets more steps, so its
/// key is stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AnalysisKey {
    pub(crate) table: TableId,
    pub(crate) steps: usize,
}

/// Status of a job.
#[derive(Debug)]
pub(crate) enum JobStatus<T, E> {
    /// Waiting for `ahead` other jobs, at least one.
    Waiting { ahead: usize },
    /// Running: `done` of `of` steps are finished.
    Running { done: usize, of: usize },
    /// Finished.
    Ready(Arc<T>),
    /// Failed, with the reason.
    Failed(Arc<JobError<E>>),
}

/// Reason why there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum JobError<E> {
    /// The job failed.
    #[error(transparent)]
    Failed(E),
    /// The job panicked.
    #[error("something went wrong on our side")]
    Panicked,
}

/// Reason why no other job can wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WorkQueueFull {
    /// The client has too many.
    OfClient,
    /// All clients together have too many.
    OfAll,
}

/// Progress of a running job, reported by the job itself.
#[derive(Debug)]
pub(super) struct JobProgress {
    done: AtomicUsize,
    /// True if nobody wants the result any more.
    is_dropped: AtomicBool,
    closed: Arc<AtomicBool>,
}

impl JobProgress {
    /// Reports the number of steps done. Returns false if the job should stop because the server is
    /// shutting down, or nobody wants the result any more.
    pub(super) fn report(&self, done: usize) -> bool {
        self.done.store(done, Ordering::Relaxed);
        !self.closed.load(Ordering::Relaxed) && !self.is_dropped()
    }

    fn is_dropped(&self) -> bool {
        self.is_dropped.load(Ordering::Relaxed)
    }
}

type Job<T, E> = Box<dyn FnOnce(&JobProgress) -> Result<T, E> + Send>;

/// A job queue. Dropping it stops the running job.
pub(super) struct WorkQueue<T, E> {
    shared: Arc<WorkQueueShared<T, E>>,
}

struct WorkQueueShared<T, E> {
    state: Mutex<WorkQueueState<T, E>>,
    closed: Arc<AtomicBool>,
}

struct WorkQueueState<T, E> {
    line: VecDeque<WaitingJob<T, E>>,
    current: Option<(AnalysisKey, Arc<JobProgress>)>,
    /// True while a thread is working through the queue.
    busy: bool,
    /// Results, least recently used first.
    kept: VecDeque<(AnalysisKey, JobResult<T, E>)>,
}

struct WaitingJob<T, E> {
    name: AnalysisKey,
    payer: Payer,
    work: Job<T, E>,
}

type JobResult<T, E> = Result<Arc<T>, Arc<JobError<E>>>;

impl<T: Send + Sync + 'static, E: Send + Sync + 'static> WorkQueue<T, E> {
    pub(super) fn new() -> WorkQueue<T, E> {
        let state = WorkQueueState {
            line: VecDeque::new(),
            current: None,
            busy: false,
            kept: VecDeque::new(),
        };
        WorkQueue {
            shared: Arc::new(WorkQueueShared {
                state: Mutex::new(state),
                closed: Arc::default(),
            }),
        }
    }

    /// Returns the status of a job; `None` if it is neither waiting nor running nor cached.
    pub(super) fn status(&self, name: AnalysisKey) -> Option<JobStatus<T, E>> {
        self.shared.state().standing(name)
    }

    /// Checks that another job of a client can wait.
    ///
    /// # Errors
    /// [`WorkQueueFull`] if too many jobs are waiting.
    pub(super) fn ensure_room(&self, payer: Payer) -> Result<(), WorkQueueFull> {
        self.shared.state().ensure_room(payer)
    }

    /// Queues a job, unless it is known already. Must be called on a tokio runtime.
    ///
    /// # Errors
    /// [`WorkQueueFull`] if too many jobs are waiting.
    pub(super) fn submit(
        &self,
        name: AnalysisKey,
        payer: Payer,
        work: impl FnOnce(&JobProgress) -> Result<T, E> + Send + 'static,
    ) -> Result<JobStatus<T, E>, WorkQueueFull> {
        let mut state = self.shared.state();
        if let Some(standing) = state.standing(name) {
            return Ok(standing);
        }
        state.ensure_room(payer)?;
        let work = Box::new(work);
        state.line.push_back(WaitingJob { name, payer, work });
        if !state.busy {
            state.busy = true;
            let shared = self.shared.clone();
            drop(tokio::task::spawn_blocking(move || shared.work()));
        }
        Ok(state
            .standing(name)
            .expect("it has just been put into the line"))
    }

    /// Caches the result of a job that was run elsewhere, and returns its status.
    pub(super) fn keep(&self, name: AnalysisKey, result: T) -> JobStatus<T, E> {
        let mut state = self.shared.state();
        match state.standing(name) {
            Some(known @ JobStatus::Ready(_)) => known,
            _ => {
                let result = Arc::new(result);
                state.cache(name, Ok(result.clone()));
                JobStatus::Ready(result)
            }
        }
    }

    /// Stops a job that waits or runs, and forgets it.
    pub(super) fn discard(&self, name: AnalysisKey) {
        let mut state = self.shared.state();
        state.line.retain(|waiting| waiting.name != name);
        if let Some((_, progress)) = state.current.as_ref().filter(|(job, _)| *job == name) {
            progress.is_dropped.store(true, Ordering::Relaxed);
        }
    }

    /// Stops the running job and discards the waiting ones.
    pub(super) fn close(&self) {
        self.shared.closed.store(true, Ordering::Relaxed);
        self.shared.state().line.clear();
    }
}

impl<T, E> Drop for WorkQueue<T, E> {
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::Relaxed);
    }
}

impl<T, E> WorkQueueShared<T, E> {
    fn state(&self) -> MutexGuard<'_, WorkQueueState<T, E>> {
        // No code that can panic runs while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs all waiting jobs, one after the other.
    fn work(&self) {
        while let Some((name, work, progress)) = self.next() {
            let result = match catch_unwind(AssertUnwindSafe(|| work(&progress))) {
                Ok(result) => result.map_err(JobError::Failed),
                Err(_) => Err(JobError::Panicked),
            };
            let mut state = self.state();
            state.current = None;
            if progress.is_dropped() {
                continue;
            }
            state.cache(name, result.map(Arc::new).map_err(Arc::new));
        }
    }

    /// Takes the next job and makes it the current one.
    fn next(&self) -> Option<(AnalysisKey, Job<T, E>, Arc<JobProgress>)> {
        let mut state = self.state();
        let next = state
            .take()
            .filter(|_| !self.closed.load(Ordering::Relaxed));
        state.busy = next.is_some();
        let WaitingJob { name, work, .. } = next?;
        let progress = Arc::new(JobProgress {
            done: AtomicUsize::new(0),
            is_dropped: AtomicBool::new(false),
            closed: self.closed.clone(),
        });
        state.current = Some((name, progress.clone()));
        Some((name, work, progress))
    }
}

impl<T, E> WorkQueueState<T, E> {
    fn ensure_room(&self, payer: Payer) -> Result<(), WorkQueueFull> {
        let own = self.line.iter().filter(|waiting| waiting.payer == payer);
        if own.count() >= MAX_WAITING_EACH {
            Err(WorkQueueFull::OfClient)
        } else if self.line.len() >= MAX_WAITING {
            Err(WorkQueueFull::OfAll)
        } else {
            Ok(())
        }
    }

    /// Takes the first job in line. Its client's other jobs come after those of everybody else then:
    /// clients take turns.
    fn take(&mut self) -> Option<WaitingJob<T, E>> {
        let taken = self.line.pop_front()?;
        let (own, others): (VecDeque<_>, VecDeque<_>) = self
            .line
            .drain(..)
            .partition(|waiting| waiting.payer == taken.payer);
        self.line = others;
        self.line.extend(own);
        Some(taken)
    }

    fn standing(&mut self, name: AnalysisKey) -> Option<JobStatus<T, E>> {
        if let Some(at) = self.kept.iter().position(|(kept, _)| *kept == name) {
            let last = self.kept.remove(at)?;
            let standing = match &last.1 {
                Ok(result) => JobStatus::Ready(result.clone()),
                Err(why) => JobStatus::Failed(why.clone()),
            };
            self.kept.push_back(last);
            return Some(standing);
        }
        if let Some((_, progress)) = self
            .current
            .as_ref()
            .filter(|(current, progress)| *current == name && !progress.is_dropped())
        {
            return Some(JobStatus::Running {
                done: progress.done.load(Ordering::Relaxed),
                of: name.steps,
            });
        }
        let at = self.line.iter().position(|waiting| waiting.name == name)?;
        Some(match at + usize::from(self.current.is_some()) {
            // It starts at once.
            0 => JobStatus::Running {
                done: 0,
                of: name.steps,
            },
            ahead => JobStatus::Waiting { ahead },
        })
    }

    /// Caches a result and evicts the least recently used ones.
    fn cache(&mut self, name: AnalysisKey, result: JobResult<T, E>) {
        self.kept.push_back((name, result));
        let steps = |kept: &VecDeque<(AnalysisKey, JobResult<T, E>)>| {
            kept.iter().map(|(name, _)| name.steps).sum::<usize>()
        };
        while self.kept.len() > 1
            && (self.kept.len() > MAX_RESULTS || steps(&self.kept) > MAX_RESULT_STEPS)
        {
            self.kept.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;
    use crate::edge::Client;

    /// Failure of a job in these tests.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum TestFailure {
        Refused,
        Stopped,
        GivenUp,
    }

    type TestQueue = WorkQueue<u32, TestFailure>;

    fn name(table: u64, steps: usize) -> AnalysisKey {
        AnalysisKey {
            table: TableId::new(table).unwrap(),
            steps,
        }
    }

    /// A job that signals its start and ends when it is sent a result.
    fn held() -> (
        impl FnOnce(&JobProgress) -> Result<u32, TestFailure> + Send,
        Receiver<()>,
        Sender<u32>,
    ) {
        let (began, begun) = channel();
        let (end, ended) = channel();
        let work = move |progress: &JobProgress| {
            progress.report(7);
            began.send(()).unwrap();
            ended.recv().map_err(|_| TestFailure::GivenUp)
        };
        (work, begun, end)
    }

    async fn result(queue: &TestQueue, name: AnalysisKey) -> Result<u32, JobError<TestFailure>> {
        loop {
            match queue.status(name) {
                Some(JobStatus::Ready(result)) => return Ok(*result),
                Some(JobStatus::Failed(why)) => return Err(*why),
                _ => tokio::task::yield_now().await,
            }
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_is_discarded_is_forgotten_and_can_be_queued_again() {
        let queue = TestQueue::new();
        let [first, second] = [1, 2].map(|table| name(table, 10));
        let (work, begun, end) = held();
        assert!(queue.submit(first, Payer::Unknown, work).is_ok());
        begun.recv().unwrap();
        assert!(
            queue
                .submit(second, Payer::Unknown, |_| unreachable!())
                .is_ok()
        );
        queue.discard(second);
        queue.discard(first);
        assert!(queue.status(first).is_none() && queue.status(second).is_none());
        let again = queue.submit(first, Payer::Unknown, |progress| {
            assert!(progress.report(1));
            Ok(5)
        });
        assert!(matches!(again, Ok(JobStatus::Waiting { ahead: 1 })));
        end.send(3).unwrap();
        assert_eq!(result(&queue, first).await, Ok(5));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn one_piece_is_done_at_a_time_and_the_others_wait_in_their_order() {
        let queue = TestQueue::new();
        let [first, second, third] = [1, 2, 3].map(|table| name(table, 10));
        assert!(queue.status(first).is_none());
        let (work, begun, end) = held();
        assert!(matches!(
            queue.submit(first, Payer::Unknown, work),
            Ok(JobStatus::Running { of: 10, .. })
        ));
        begun.recv().unwrap();
        assert!(matches!(
            queue.status(first),
            Some(JobStatus::Running { done: 7, of: 10 })
        ));
        let (work, begun_second, end_second) = held();
        assert!(matches!(
            queue.submit(second, Payer::Unknown, work),
            Ok(JobStatus::Waiting { ahead: 1 })
        ));
        assert!(matches!(
            queue.submit(third, Payer::Unknown, |_: &JobProgress| Ok(3)),
            Ok(JobStatus::Waiting { ahead: 2 })
        ));
        assert!(
            begun_second.try_recv().is_err(),
            "the second waits for the first"
        );
        end.send(1).unwrap();
        begun_second.recv().unwrap();
        assert_eq!(result(&queue, first).await, Ok(1));
        assert!(matches!(
            queue.status(third),
            Some(JobStatus::Waiting { ahead: 1 })
        ));
        end_second.send(2).unwrap();
        assert_eq!(
            (result(&queue, second).await, result(&queue, third).await),
            (Ok(2), Ok(3))
        );
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_is_asked_for_again_is_not_done_again() {
        let queue = TestQueue::new();
        let game = name(1, 10);
        queue
            .submit(game, Payer::Unknown, |_: &JobProgress| Ok(1))
            .unwrap();
        assert_eq!(result(&queue, game).await, Ok(1));
        let again = queue.submit(game, Payer::Unknown, |_: &JobProgress| {
            unreachable!("it is done already")
        });
        assert!(matches!(again, Ok(JobStatus::Ready(result)) if *result == 1));
        // The same table with more steps is another job.
        queue
            .submit(name(1, 11), Payer::Unknown, |_: &JobProgress| Ok(2))
            .unwrap();
        assert_eq!(
            (
                result(&queue, name(1, 11)).await,
                result(&queue, game).await
            ),
            (Ok(2), Ok(1))
        );
    }

    fn client(last: u8) -> Payer {
        Payer::Address(Client([10, 0, 0, last].into()))
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn when_too_much_waits_more_is_refused_until_there_is_room() {
        let queue = TestQueue::new();
        let (work, begun, end) = held();
        let done = |_: &JobProgress| Ok(1);
        queue.submit(name(200, 1), client(0), work).unwrap();
        begun.recv().unwrap();
        let each = MAX_WAITING_EACH as u64;
        for table in 0..MAX_WAITING as u64 {
            let payer = client((table / each) as u8);
            queue.submit(name(table, 1), payer, done).unwrap();
            if table == each - 1 {
                let again = queue.submit(name(99, 1), payer, done).err();
                assert_eq!(again, Some(WorkQueueFull::OfClient));
            }
        }
        assert_eq!(
            queue.submit(name(99, 1), client(99), done).err(),
            Some(WorkQueueFull::OfAll)
        );
        assert!(
            queue.submit(name(3, 1), client(0), done).is_ok(),
            "what waits already is not refused"
        );
        end.send(0).unwrap();
        result(&queue, name(each - 1, 1)).await.unwrap();
        assert!(queue.submit(name(99, 1), client(99), done).is_ok());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn clients_take_turns() {
        let queue = TestQueue::new();
        let (work, begun, end) = held();
        queue.submit(name(10, 1), client(1), work).unwrap();
        begun.recv().unwrap();
        let (told, order) = channel();
        for (table, payer) in [(11, 1), (12, 1), (13, 1), (21, 2), (22, 2), (31, 3)] {
            let told = told.clone();
            let work = move |_: &JobProgress| {
                told.send(table).unwrap();
                Ok(1)
            };
            queue.submit(name(table, 1), client(payer), work).unwrap();
        }
        end.send(0).unwrap();
        let order: Vec<u64> = order.iter().take(6).collect();
        assert_eq!(order, [11, 21, 31, 12, 22, 13]);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_fails_or_panics_says_so_and_hinders_nothing_after_it() {
        let queue = TestQueue::new();
        queue
            .submit(name(1, 1), Payer::Unknown, |_: &JobProgress| {
                Err(TestFailure::Refused)
            })
            .unwrap();
        queue
            .submit(name(2, 1), Payer::Unknown, |_: &JobProgress| {
                panic!("a fault in the work")
            })
            .unwrap();
        queue
            .submit(name(3, 1), Payer::Unknown, |_: &JobProgress| Ok(3))
            .unwrap();
        assert_eq!(result(&queue, name(3, 1)).await, Ok(3));
        assert_eq!(
            result(&queue, name(1, 1)).await,
            Err(JobError::Failed(TestFailure::Refused))
        );
        assert_eq!(result(&queue, name(2, 1)).await, Err(JobError::Panicked));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn only_so_much_is_kept_and_what_was_asked_for_last_stays() {
        let queue = TestQueue::new();
        for table in 0..MAX_RESULTS as u64 {
            queue
                .submit(name(table, 1), Payer::Unknown, |_: &JobProgress| Ok(1))
                .unwrap();
            result(&queue, name(table, 1)).await.unwrap();
        }
        assert!(queue.status(name(0, 1)).is_some());
        queue
            .submit(name(1_000, 1), Payer::Unknown, |_: &JobProgress| Ok(1))
            .unwrap();
        result(&queue, name(1_000, 1)).await.unwrap();
        assert!(queue.status(name(0, 1)).is_some() && queue.status(name(1, 1)).is_none());
        let long = name(1_001, MAX_RESULT_STEPS);
        queue
            .submit(long, Payer::Unknown, |_: &JobProgress| Ok(1))
            .unwrap();
        result(&queue, long).await.unwrap();
        assert!(queue.status(name(0, 1)).is_none() && queue.status(long).is_some());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn when_the_desk_closes_work_is_told_to_stop_and_nothing_more_is_begun() {
        let queue = TestQueue::new();
        let (began, begun) = channel();
        let (stopped, stop) = channel();
        let work = move |progress: &JobProgress| {
            began.send(()).unwrap();
            while progress.report(0) {
                std::thread::yield_now();
            }
            stopped.send(()).unwrap();
            Err(TestFailure::Stopped)
        };
        queue.submit(name(1, 1), Payer::Unknown, work).unwrap();
        queue
            .submit(name(2, 1), Payer::Unknown, |_: &JobProgress| {
                unreachable!("the queue is closed")
            })
            .unwrap();
        begun.recv().unwrap();
        queue.close();
        stop.recv().unwrap();
        assert_eq!(
            result(&queue, name(1, 1)).await,
            Err(JobError::Failed(TestFailure::Stopped))
        );
        assert!(queue.status(name(2, 1)).is_none());
    }
}
