//! Writers: tasks that commit all waiting changes together.

use std::time::Duration;

use sea_orm::DbErr;
use tokio::sync::{Mutex, mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use crate::StoreError;
use crate::batch::{Attempt, BatchFailure, TableChange, WriteResult, apply};
use crate::connections::Connections;
use crate::error::{is_statement_timeout, is_unavailable};
use crate::line_limit::{LineLimit, LogLine};

/// Maximum number of requests queued per writer; more callers wait for space.
const QUEUE_CAPACITY: usize = 4096;
/// Maximum number of requests per transaction.
pub(crate) const BATCH: usize = 500;
/// Number of attempts for a change on its own. By then a deadlock or a race with another process is
/// over.
const MAX_ATTEMPTS: u32 = 3;
/// Number of time limits for finding out what became of a commit. A server ends a transaction that
/// it hears nothing of after one.
const DOUBT_LIMITS: u32 = 2;
/// Part of the time limit after which nobody waits any more to find that out of a server that is away.
const AWAY_SHARE: f32 = 0.4;
/// Delay before asking again.
const DOUBT_DELAY: Duration = Duration::from_millis(100);

struct WriteRequest {
    change: TableChange,
    answer: oneshot::Sender<WriteResult>,
}

/// Handle to the writers of a store.
#[derive(Debug)]
pub(crate) struct Writers {
    db: Connections,
    queues: Vec<mpsc::Sender<WriteRequest>>,
    stop: watch::Sender<bool>,
    tasks: Mutex<Vec<JoinHandle<()>>>,
}

impl Writers {
    /// Starts `count` writers on the current runtime.
    pub fn start(db: &Connections, count: u32) -> Self {
        let (stop, stopped) = watch::channel(false);
        let (queues, tasks) = (0..count)
            .map(|_| {
                let (queue, requests) = mpsc::channel(QUEUE_CAPACITY);
                (
                    queue,
                    tokio::spawn(run_writer(db.clone(), requests, stopped.clone())),
                )
            })
            .unzip();
        Self {
            db: db.clone(),
            queues,
            stop,
            tasks: Mutex::new(tasks),
        }
    }

    /// Writes the change and returns when it is durable.
    pub async fn write(&self, change: TableChange) -> WriteResult {
        self.db.check()?;
        let id = change.id().unwrap_or_default();
        let queue = &self.queues[writer_index(id, self.queues.len())];
        let answered = enqueue(queue, change).await?;
        answered.await.map_err(|_| StoreError::Closed)?
    }

    /// Checks that every writer can write.
    pub async fn probe(&self) -> WriteResult {
        let mut answers = Vec::with_capacity(self.queues.len());
        for queue in &self.queues {
            answers.push(enqueue(queue, TableChange::Probe).await?);
        }
        for answered in answers {
            answered.await.map_err(|_| StoreError::Closed)??;
        }
        Ok(())
    }

    /// Returns `true` if every writer is running.
    pub fn are_alive(&self) -> bool {
        self.queues.iter().all(|queue| !queue.is_closed())
    }

    /// Accepts no more requests and returns when the waiting ones are answered.
    pub async fn close(&self) {
        self.stop.send_replace(true);
        for task in self.tasks.lock().await.drain(..) {
            if let Err(e) = task.await {
                tracing::error!(error = %e, "a writer of the store died");
            }
        }
    }
}

async fn enqueue(
    queue: &mpsc::Sender<WriteRequest>,
    change: TableChange,
) -> Result<oneshot::Receiver<WriteResult>, StoreError> {
    let (answer, answered) = oneshot::channel();
    queue
        .send(WriteRequest { change, answer })
        .await
        .map_err(|_| StoreError::Closed)?;
    Ok(answered)
}

/// Returns the index of the writer for a table, always the same one. Ids follow time, so their bits
/// are mixed first.
fn writer_index(id: i64, writers: usize) -> usize {
    let mixed = (id as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    mixed as usize % writers
}

async fn run_writer(
    db: Connections,
    mut requests: mpsc::Receiver<WriteRequest>,
    mut stop: watch::Receiver<bool>,
) {
    let mut open = true;
    let mut locks = LongLocks::default();
    let mut batch = Vec::with_capacity(BATCH);
    loop {
        let received = tokio::select! {
            received = requests.recv_many(&mut batch, BATCH) => received,
            _ = stop.changed(), if open => {
                open = false;
                requests.close();
                continue;
            }
        };
        if received == 0 {
            return;
        }
        fill_batch(&mut requests, &mut batch).await;
        commit(&db, std::mem::take(&mut batch), &mut locks).await;
    }
}

/// Locks that others keep for longer than the time limit. Whoever needs one is refused without waiting
/// until none was met for as long, so that nobody waits in vain behind somebody who does.
#[derive(Debug, Default)]
struct LongLocks {
    met: Option<Instant>,
}

impl LongLocks {
    fn attempt(&self, db: &Connections) -> Attempt {
        let limit = db.limit().unwrap_or_default();
        match self.met {
            Some(met) if met.elapsed() < limit => Attempt::PastLocks,
            _ => Attempt::First,
        }
    }

    fn meet(&mut self) {
        self.met = Some(Instant::now());
    }
}

/// Lets every caller that is ready add its request to the batch. The first request wakes the
/// writer, which would otherwise commit it alone while hundreds queue up behind it. Costs nothing
/// if none do.
async fn fill_batch(requests: &mut mpsc::Receiver<WriteRequest>, batch: &mut Vec<WriteRequest>) {
    tokio::task::yield_now().await;
    while batch.len() < BATCH
        && let Ok(request) = requests.try_recv()
    {
        batch.push(request);
    }
}

async fn commit(db: &Connections, batch: Vec<WriteRequest>, locks: &mut LongLocks) {
    let mut attempt = locks.attempt(db);
    let mut applied = apply(db, &changes(&batch), attempt).await;
    if attempt == Attempt::First && has_waited_in_vain(&applied) {
        static LINES: LineLimit = LineLimit::new();
        if let Some(LogLine { left_out }) = LINES.line() {
            tracing::warn!(
                left_out,
                "a lock is kept for too long; changes that need it are refused"
            );
        }
        locks.meet();
        attempt = Attempt::PastLocks;
        applied = apply(db, &changes(&batch), attempt).await;
    }
    if attempt == Attempt::PastLocks && is_locked_out(&applied) {
        locks.meet();
    }
    match applied {
        Ok(answers) => reply_each(batch, answers),
        Err(BatchFailure::Aborted(e)) if !is_unavailable(&e) && !is_statement_timeout(&e) => {
            static LINES: LineLimit = LineLimit::new();
            if batch.len() > 1
                && let Some(LogLine { left_out }) = LINES.line()
            {
                tracing::warn!(
                    error = %e,
                    size = batch.len(),
                    left_out,
                    "a batch failed; its changes are written one by one"
                );
            }
            one_by_one(db, batch).await;
        }
        Err(BatchFailure::InDoubt(e, answers)) => settle(db, batch, answers, e).await,
        Err(failure) => reply_all(batch, failure),
    }
}

/// Returns `true` if a batch was given up because it waited too long for a lock.
fn has_waited_in_vain(applied: &Result<Vec<WriteResult>, BatchFailure>) -> bool {
    matches!(applied, Err(BatchFailure::Aborted(e)) if is_statement_timeout(e))
}

/// Returns `true` if a change of a batch was refused because it needs a lock that somebody keeps.
fn is_locked_out(applied: &Result<Vec<WriteResult>, BatchFailure>) -> bool {
    let is_refused = |answer: &WriteResult| matches!(answer, Err(StoreError::Unavailable(_)));
    match applied {
        Ok(answers) => answers.iter().any(is_refused),
        Err(_) => has_waited_in_vain(applied),
    }
}

fn changes(batch: &[WriteRequest]) -> Vec<&TableChange> {
    batch.iter().map(|request| &request.change).collect()
}

/// Finds out what became of a batch whose commit was not confirmed, and writes what is not stored.
/// Changes that were refused are not concerned.
async fn settle(
    db: &Connections,
    batch: Vec<WriteRequest>,
    answers: Vec<WriteResult>,
    mut cause: DbErr,
) {
    let mut doubtful = Vec::with_capacity(batch.len());
    for (request, answer) in batch.into_iter().zip(answers) {
        match answer {
            Ok(()) => doubtful.push(request),
            refused => reply(request, refused),
        }
    }
    // The commit of a file fails or succeeds before anyone hears of it.
    let limit = db.limit().unwrap_or_default();
    let (patience, while_away) = (limit * DOUBT_LIMITS, limit.mul_f32(AWAY_SHARE));
    let started = Instant::now();
    while started.elapsed() < if db.is_away() { while_away } else { patience } {
        match apply(db, &changes(&doubtful), Attempt::AfterDoubt).await {
            Ok(answers) => {
                static LINES: LineLimit = LineLimit::new();
                if let Some(LogLine { left_out }) = LINES.line() {
                    tracing::warn!(
                        error = %cause,
                        size = doubtful.len(),
                        left_out,
                        "a commit was not confirmed; what it left out has been written"
                    );
                }
                return reply_each(doubtful, answers);
            }
            Err(BatchFailure::Aborted(e)) => {
                tracing::debug!(error = %e, "cannot find out yet what became of a commit");
            }
            Err(BatchFailure::InDoubt(e, _)) => cause = e,
        }
        sleep(DOUBT_DELAY).await;
    }
    reply_all(doubtful, BatchFailure::InDoubt(cause, Vec::new()));
}

/// Writes each change by itself, so that one failing change does not affect the others.
async fn one_by_one(db: &Connections, batch: Vec<WriteRequest>) {
    let mut batch = batch.into_iter();
    while let Some(request) = batch.next() {
        match write_alone(db, &request.change).await {
            Ok(answer) => reply(request, answer),
            Err(BatchFailure::Aborted(e)) if is_unavailable(&e) => {
                let rest = std::iter::once(request).chain(batch).collect();
                return reply_all(rest, BatchFailure::Aborted(e));
            }
            Err(BatchFailure::InDoubt(e, answers)) => settle(db, vec![request], answers, e).await,
            Err(failure) => reply(request, Err(failure.into())),
        }
    }
}

async fn write_alone(db: &Connections, change: &TableChange) -> Result<WriteResult, BatchFailure> {
    let mut attempts = 1;
    loop {
        match apply(db, &[change], Attempt::First).await {
            Ok(mut answers) => return Ok(answers.pop().expect("one change has one answer")),
            Err(BatchFailure::Aborted(e)) if attempts < MAX_ATTEMPTS && may_pass(&e) => {
                attempts += 1
            }
            Err(failure) => return Err(failure),
        }
    }
}

/// Returns `true` if an error may be over when the change is tried again at once.
fn may_pass(e: &DbErr) -> bool {
    !is_unavailable(e) && !is_statement_timeout(e)
}

fn reply_each(batch: Vec<WriteRequest>, answers: Vec<WriteResult>) {
    for (request, answer) in batch.into_iter().zip(answers) {
        reply(request, answer);
    }
}

fn reply(request: WriteRequest, answer: WriteResult) {
    // A caller that has gone away does not need the result.
    let _ = request.answer.send(answer);
}

fn reply_all(batch: Vec<WriteRequest>, failure: BatchFailure) {
    let error = StoreError::from(failure);
    static LINES: LineLimit = LineLimit::new();
    if let Some(LogLine { left_out }) = LINES.line() {
        tracing::error!(%error, size = batch.len(), left_out, "a batch was not written");
    }
    for request in batch {
        reply(request, Err(error.clone()));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Metadata, Subscriber};

    use super::*;
    use crate::StoreOptions;
    use crate::connect::connect;

    /// Counter of the lines of a log.
    #[derive(Clone, Default)]
    struct LogLines(Arc<AtomicUsize>);

    impl Subscriber for LogLines {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }

        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, _: &Record<'_>) {}

        fn record_follows_from(&self, _: &Id, _: &Id) {}

        fn event(&self, _: &Event<'_>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }

        fn enter(&self, _: &Id) {}

        fn exit(&self, _: &Id) {}
    }

    #[test]
    fn a_database_that_is_away_does_not_fill_the_log() {
        let lines = LogLines::default();
        tracing::subscriber::with_default(lines.clone(), || {
            for _ in 0..1_000 {
                let away = DbErr::Custom("the database is away".to_owned());
                reply_all(Vec::new(), BatchFailure::Aborted(away));
            }
        });
        assert_eq!(lines.0.load(Ordering::Relaxed), 60);
    }

    #[tokio::test]
    async fn callers_of_a_dead_writer_get_an_error_and_do_not_wait() {
        let db = connect("sqlite::memory:", &StoreOptions::default())
            .await
            .unwrap()
            .writes;
        let writers = Writers::start(&db, 1);
        let waiting = writers.write(TableChange::Delete(1, None));
        let death = async {
            for task in writers.tasks.lock().await.iter() {
                task.abort();
            }
        };
        // The request is queued, and the writer has not been polled since.
        let (waiting, ()) = tokio::join!(waiting, death);
        assert!(matches!(waiting, Err(StoreError::Closed)), "{waiting:?}");
        assert!(matches!(
            writers.write(TableChange::Delete(1, None)).await,
            Err(StoreError::Closed)
        ));
        assert!(!writers.are_alive());
    }

    #[test]
    fn tables_created_in_a_row_are_shared_among_the_writers() {
        let mut served = [0; 4];
        (0..4_000)
            .for_each(|id| served[writer_index((1_700_000_000_000 << 10) + (id << 10), 4)] += 1);
        assert!(
            served.iter().all(|&n| (800..1_200).contains(&n)),
            "{served:?}"
        );
    }
}
