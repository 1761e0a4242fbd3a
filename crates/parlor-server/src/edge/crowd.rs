//! Line in which requests of addresses that have many under way wait to begin.

use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::Client;
use super::answer::Answer;
use super::answers::Answers;
use super::by_address::{ByAddress, Place};
use crate::config::Limits;
use crate::error::Error;

/// Requests under way with which an address has many: more than a browser has at once over HTTP/1.1.
const MANY: usize = 8;
/// The same while the house has a crowd.
const MANY_IN_CROWD: usize = 2;
/// Requests under way in all from which there is a crowd.
const CROWD: usize = 256;
/// Requests that wait in line at most, in all and of one address: each holds some kilobytes.
const WAITING: usize = 4_096;
const WAITING_EACH: usize = 256;
/// Requests that are worked on at once of all those who have many.
const TURNS: usize = 16;
/// Time after which a request goes on without a turn: it waits for something else.
const LONGEST: Duration = Duration::from_secs(1);

/// Line in which requests of addresses that have many under way wait to begin. A few of them are worked
/// on at once, and between any two the server does what others have asked for. Without it, ten thousand
/// requests that come at once are ten thousand tasks ahead of everybody else's next move.
#[derive(Debug)]
pub(crate) struct Crowd {
    /// False if addresses may ask for as much as they want: nobody waits then.
    is_limited: bool,
    turns: Arc<Semaphore>,
    waiting: Mutex<ByAddress<()>>,
}

/// Place in the line, returned when dropped.
struct Waiting<'a> {
    crowd: &'a Crowd,
    place: Place,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.crowd.line().remove(self.place);
    }
}

impl Crowd {
    /// Creates the line of a house. Without a limit of requests, nobody waits.
    pub(crate) fn new(limits: &Limits) -> Crowd {
        Crowd {
            is_limited: limits.requests_per_second.is_some(),
            turns: Arc::new(Semaphore::new(TURNS)),
            waiting: Mutex::default(),
        }
    }

    /// Completes when a request of a client may begin, with its turn if it needed one.
    ///
    /// # Errors
    /// 503 if too many wait already.
    pub(super) async fn wait(
        &self,
        client: Client,
        answers: &Answers,
    ) -> Result<Option<OwnedSemaphorePermit>, Error> {
        let (own, all) = answers.len_of(client);
        let many = if all < CROWD { MANY } else { MANY_IN_CROWD };
        if own < many || !self.is_limited {
            return Ok(None);
        }
        let _waiting = self.enter(client)?;
        // The semaphore is never closed.
        Ok(self.turns.clone().acquire_owned().await.ok())
    }

    /// Takes a place in the line.
    fn enter(&self, client: Client) -> Result<Waiting<'_>, Error> {
        let mut line = self.line();
        if line.len() >= WAITING || line.len_of(client) >= WAITING_EACH {
            let refusal = "too many requests wait for their turn; try again";
            return Err(Error::crowded(refusal));
        }
        let place = line.add(client, ());
        Ok(Waiting { crowd: self, place })
    }

    fn line(&self) -> MutexGuard<'_, ByAddress<()>> {
        // No code that can panic runs while this lock is held.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Works on a request. Its answer holds its turn meanwhile, for a while at most.
pub(super) async fn work_in_turn<T>(
    turn: Option<OwnedSemaphorePermit>,
    answer: Option<&Answer>,
    work: impl Future<Output = T>,
) -> T {
    let mut work = pin!(work);
    if let (Some(turn), Some(answer)) = (turn, answer) {
        answer.hold(turn);
        let done = timeout(LONGEST, &mut work).await;
        answer.end_turn();
        if let Ok(done) = done {
            return done;
        }
    }
    work.await
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[test]
    fn only_who_has_many_requests_waits_for_a_turn() {
        let answers = Arc::new(Answers::new(100, 100));
        let [many, few] = [1, 2].map(|last| Client([10, 0, 0, last].into()));
        let open = |client| answers.open(client, Arc::default()).unwrap();
        let held: Vec<_> = (0..MANY).map(|_| open(many)).collect();
        let _other: Vec<_> = (1..MANY).map(|_| open(few)).collect();
        let limits = Limits::default();
        assert!(limits.requests_per_second.is_some());
        let crowd = Crowd::new(&limits);
        let wait = |client| crowd.wait(client, &answers).now_or_never();
        let may_begin = |client| wait(client).is_some_and(|turn| turn.is_ok());
        assert!(may_begin(many), "nobody is before it");
        let turns = crowd.turns.clone().try_acquire_many_owned(TURNS as u32);
        assert!(!may_begin(many));
        assert!(may_begin(few));
        drop(held);
        assert!(may_begin(many), "its requests are answered");
        let one = Client([10, 0, 0, 3].into());
        let line: Vec<_> = std::iter::from_fn(|| crowd.enter(one).ok()).collect();
        assert_eq!(line.len(), WAITING_EACH);
        assert!(
            crowd.enter(few).is_ok(),
            "the line is long enough for others"
        );
        drop((line, turns));
        assert!(crowd.enter(one).is_ok() && crowd.line().len() == 0);
    }
}
