//! Writers: tasks that commit all waiting changes together.

use sea_orm::DatabaseConnection;
use tokio::sync::{Mutex, mpsc, oneshot, watch};
use tokio::task::JoinHandle;

use crate::StoreError;
use crate::batch::{BatchFailure, TableChange, WriteResult, apply};
use crate::error::is_unavailable;

/// Maximum number of requests queued per writer; more callers wait for space.
const QUEUE_CAPACITY: usize = 4096;
/// Maximum number of requests per transaction.
pub(crate) const BATCH: usize = 500;
/// Number of attempts for a change on its own. By then a deadlock or a race with another process is
/// over.
const MAX_ATTEMPTS: u32 = 3;

struct WriteRequest {
    change: TableChange,
    answer: oneshot::Sender<WriteResult>,
}

/// Handle to the writers of a store.
#[derive(Debug)]
pub(crate) struct Writers {
    queues: Vec<mpsc::Sender<WriteRequest>>,
    stop: watch::Sender<bool>,
    tasks: Mutex<Vec<JoinHandle<()>>>,
}

impl Writers {
    /// Starts `count` writers on the current runtime.
    pub fn start(db: &DatabaseConnection, count: u32) -> Self {
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
            queues,
            stop,
            tasks: Mutex::new(tasks),
        }
    }

    /// Writes the change and returns when it is durable.
    pub async fn write(&self, change: TableChange) -> WriteResult {
        let (answer, answered) = oneshot::channel();
        let queue = &self.queues[writer_index(change.id(), self.queues.len())];
        queue
            .send(WriteRequest { change, answer })
            .await
            .map_err(|_| StoreError::Closed)?;
        answered.await.map_err(|_| StoreError::Closed)?
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

/// Returns the index of the writer for a table, always the same one. Ids follow time, so their bits
/// are mixed first.
fn writer_index(id: i64, writers: usize) -> usize {
    let mixed = (id as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    mixed as usize % writers
}

async fn run_writer(
    db: DatabaseConnection,
    mut requests: mpsc::Receiver<WriteRequest>,
    mut stop: watch::Receiver<bool>,
) {
    let mut open = true;
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
        commit(&db, std::mem::take(&mut batch)).await;
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

async fn commit(db: &DatabaseConnection, batch: Vec<WriteRequest>) {
    let changes: Vec<&TableChange> = batch.iter().map(|request| &request.change).collect();
    match apply(db, &changes).await {
        Ok(answers) => {
            for (request, answer) in batch.into_iter().zip(answers) {
                reply(request, answer);
            }
        }
        Err(BatchFailure::Aborted(e)) if !is_unavailable(&e) => {
            tracing::warn!(
                error = %e,
                size = batch.len(),
                "a batch failed; its changes are written one by one"
            );
            one_by_one(db, batch).await;
        }
        Err(failure) => reply_all(batch, failure),
    }
}

/// Writes each change by itself, so that one failing change does not affect the others.
async fn one_by_one(db: &DatabaseConnection, batch: Vec<WriteRequest>) {
    let mut batch = batch.into_iter();
    while let Some(request) = batch.next() {
        match write_alone(db, &request.change).await {
            Ok(answer) => reply(request, answer),
            Err(BatchFailure::Aborted(e)) if is_unavailable(&e) => {
                let rest = std::iter::once(request).chain(batch).collect();
                return reply_all(rest, BatchFailure::Aborted(e));
            }
            Err(failure) => reply(request, Err(failure.into())),
        }
    }
}

async fn write_alone(
    db: &DatabaseConnection,
    change: &TableChange,
) -> Result<WriteResult, BatchFailure> {
    let mut attempts = 1;
    loop {
        match apply(db, &[change]).await {
            Ok(mut answers) => return Ok(answers.pop().expect("one change has one answer")),
            Err(BatchFailure::Aborted(e)) if attempts < MAX_ATTEMPTS && !is_unavailable(&e) => {
                attempts += 1
            }
            Err(failure) => return Err(failure),
        }
    }
}

fn reply(request: WriteRequest, answer: WriteResult) {
    // A caller that has gone away does not need the result.
    let _ = request.answer.send(answer);
}

fn reply_all(batch: Vec<WriteRequest>, failure: BatchFailure) {
    let error = StoreError::from(failure);
    tracing::error!(%error, size = batch.len(), "a batch was not written");
    for request in batch {
        reply(request, Err(error.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect::connect;

    #[tokio::test]
    async fn callers_of_a_dead_writer_get_an_error_and_do_not_wait() {
        let db = connect("sqlite::memory:").await.unwrap().writes;
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
