//! The writers: tasks that commit whatever is waiting, together.

use sea_orm::DatabaseConnection;
use tokio::sync::{Mutex, mpsc, oneshot, watch};
use tokio::task::JoinHandle;

use crate::StoreError;
use crate::batch::{Answer, Change, Failure, apply};
use crate::error::is_unavailable;

/// Requests that may wait for one writer; more callers wait for a place.
const QUEUE: usize = 4096;
/// Requests in one transaction.
pub(crate) const BATCH: usize = 500;
/// How often a change that stands alone is tried. A deadlock or a race with another process is over by then.
const TRIES: u32 = 3;

struct Request {
    change: Change,
    answer: oneshot::Sender<Answer>,
}

/// The writers of a store, and the way to them.
#[derive(Debug)]
pub(crate) struct Writers {
    queues: Vec<mpsc::Sender<Request>>,
    stop: watch::Sender<bool>,
    tasks: Mutex<Vec<JoinHandle<()>>>,
}

impl Writers {
    /// Starts `count` writers on the current runtime.
    pub fn start(db: &DatabaseConnection, count: u32) -> Self {
        let (stop, stopped) = watch::channel(false);
        let (queues, tasks) = (0..count)
            .map(|_| {
                let (queue, requests) = mpsc::channel(QUEUE);
                (
                    queue,
                    tokio::spawn(serve(db.clone(), requests, stopped.clone())),
                )
            })
            .unzip();
        Self {
            queues,
            stop,
            tasks: Mutex::new(tasks),
        }
    }

    /// Writes the change, and returns when it is durable.
    pub async fn write(&self, change: Change) -> Answer {
        let (answer, answered) = oneshot::channel();
        let queue = &self.queues[share(change.id(), self.queues.len())];
        queue
            .send(Request { change, answer })
            .await
            .map_err(|_| StoreError::Closed)?;
        answered.await.map_err(|_| StoreError::Closed)?
    }

    /// Whether every writer is there.
    pub fn alive(&self) -> bool {
        self.queues.iter().all(|queue| !queue.is_closed())
    }

    /// Takes no more requests, and returns when those that wait are answered.
    pub async fn close(&self) {
        self.stop.send_replace(true);
        for task in self.tasks.lock().await.drain(..) {
            if let Err(e) = task.await {
                tracing::error!(error = %e, "a writer of the store died");
            }
        }
    }
}

/// Which writer serves a table: always the same one. Ids follow time, so their bits are mixed first.
fn share(id: i64, writers: usize) -> usize {
    let mixed = (id as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    mixed as usize % writers
}

async fn serve(
    db: DatabaseConnection,
    mut requests: mpsc::Receiver<Request>,
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
        gather(&mut requests, &mut batch).await;
        commit(&db, std::mem::take(&mut batch)).await;
    }
}

/// Lets every caller that is ready now put its request into the batch. The first one wakes the writer, which would
/// otherwise go to the disk with that one request while hundreds stand behind it. Costs nothing when nobody does.
async fn gather(requests: &mut mpsc::Receiver<Request>, batch: &mut Vec<Request>) {
    tokio::task::yield_now().await;
    while batch.len() < BATCH
        && let Ok(request) = requests.try_recv()
    {
        batch.push(request);
    }
}

async fn commit(db: &DatabaseConnection, batch: Vec<Request>) {
    let changes: Vec<&Change> = batch.iter().map(|request| &request.change).collect();
    match apply(db, &changes).await {
        Ok(answers) => {
            for (request, answer) in batch.into_iter().zip(answers) {
                reply(request, answer);
            }
        }
        Err(Failure::Aborted(e)) if !is_unavailable(&e) => {
            tracing::warn!(error = %e, size = batch.len(), "a batch failed; its changes are written one by one");
            one_by_one(db, batch).await;
        }
        Err(failure) => reply_all(batch, failure),
    }
}

/// Writes each change by itself, so that the one that cannot be written spoils nothing for the others.
async fn one_by_one(db: &DatabaseConnection, batch: Vec<Request>) {
    let mut batch = batch.into_iter();
    while let Some(request) = batch.next() {
        match alone(db, &request.change).await {
            Ok(answer) => reply(request, answer),
            Err(Failure::Aborted(e)) if is_unavailable(&e) => {
                let rest = std::iter::once(request).chain(batch).collect();
                return reply_all(rest, Failure::Aborted(e));
            }
            Err(failure) => reply(request, Err(failure.into())),
        }
    }
}

async fn alone(db: &DatabaseConnection, change: &Change) -> Result<Answer, Failure> {
    let mut tries = 1;
    loop {
        match apply(db, &[change]).await {
            Ok(mut answers) => return Ok(answers.pop().expect("one change has one answer")),
            Err(Failure::Aborted(e)) if tries < TRIES && !is_unavailable(&e) => tries += 1,
            Err(failure) => return Err(failure),
        }
    }
}

fn reply(request: Request, answer: Answer) {
    // A caller that has gone away does not need the answer.
    let _ = request.answer.send(answer);
}

fn reply_all(batch: Vec<Request>, failure: Failure) {
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
        let waiting = writers.write(Change::Delete(1, None));
        let death = async {
            for task in writers.tasks.lock().await.iter() {
                task.abort();
            }
        };
        // The request is in the queue, and the writer has not been polled since.
        let (waiting, ()) = tokio::join!(waiting, death);
        assert!(matches!(waiting, Err(StoreError::Closed)), "{waiting:?}");
        assert!(matches!(
            writers.write(Change::Delete(1, None)).await,
            Err(StoreError::Closed)
        ));
        assert!(!writers.alive());
    }

    #[test]
    fn tables_created_in_a_row_are_shared_among_the_writers() {
        let mut served = [0; 4];
        (0..4_000).for_each(|id| served[share((1_700_000_000_000 << 10) + (id << 10), 4)] += 1);
        assert!(
            served.iter().all(|&n| (800..1_200).contains(&n)),
            "{served:?}"
        );
    }
}
