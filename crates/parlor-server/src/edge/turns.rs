//! Turns for what an address does several times at once.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;

use super::Client;
use super::by_address::{ByAddress, Place};

/// Work of which each address may begin some at once; what it wants beyond that waits for one of a few
/// turns, which all addresses share. Who asks for little never waits for who asks for much.
#[derive(Debug)]
pub(crate) struct Turns {
    /// Number that an address may have under way without a turn.
    free: usize,
    turns: Arc<Semaphore>,
    /// All that is under way or waits.
    addresses: Mutex<ByAddress<()>>,
}

/// Work under way, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    all: Arc<Turns>,
    place: Place,
    _permit: Option<OwnedSemaphorePermit>,
}

impl Turns {
    pub(crate) fn new(free: usize, turns: usize) -> Arc<Turns> {
        Arc::new(Turns {
            free,
            turns: Arc::new(Semaphore::new(turns)),
            addresses: Mutex::default(),
        })
    }

    /// Completes when a client may begin.
    pub(crate) async fn begin(self: &Arc<Turns>, client: Client) -> Turn {
        let (before, place) = {
            let mut addresses = self.lock();
            (addresses.len_of(client), addresses.add(client, ()))
        };
        // It is counted from now on, also while it waits.
        let mut turn = Turn {
            all: self.clone(),
            place,
            _permit: None,
        };
        if before >= self.free {
            // The semaphore is never closed.
            turn._permit = self.turns.clone().acquire_owned().await.ok();
        }
        turn
    }

    fn lock(&self) -> MutexGuard<'_, ByAddress<()>> {
        // No code that can panic runs while this lock is held.
        self.addresses
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    /// Ends the turn when what is returned is dropped, or after this time: work may wait for a client.
    pub(crate) fn for_at_most(self, longest: Duration) -> oneshot::Sender<()> {
        let (done, end) = oneshot::channel();
        tokio::spawn(async move {
            // After either, the turn is over.
            let _ = timeout(longest, end).await;
            drop(self);
        });
        done
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.all.lock().remove(self.place);
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[test]
    fn only_who_has_begun_enough_waits_for_a_turn() {
        let turns = Turns::new(2, 1);
        let [many, few] = [1, 2].map(|last| Client([10, 0, 0, last].into()));
        let begin = |client| turns.begin(client).now_or_never();
        let mut held: Vec<_> = (0..3).map(|_| begin(many).unwrap()).collect();
        assert!(begin(many).is_none(), "two and the one turn are under way");
        assert!(begin(few).is_some());
        held.pop();
        assert!(begin(many).is_some(), "the turn is free again");
        held.clear();
        assert_eq!(turns.lock().len(), 0, "nobody is remembered");
    }

    #[tokio::test(start_paused = true)]
    async fn a_turn_ends_with_its_work_or_its_time() {
        let turns = Turns::new(0, 1);
        let client = Client([10, 0, 0, 1].into());
        let longest = Duration::from_secs(1);
        let done = turns.begin(client).await.for_at_most(longest);
        assert!(turns.begin(client).now_or_never().is_none());
        drop(done);
        let _stuck = turns.begin(client).await.for_at_most(longest);
        turns.begin(client).await;
    }
}
