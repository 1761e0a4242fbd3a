//! Line in which requests of addresses that have many under way wait to begin.

use tokio::sync::Semaphore;

use super::Client;
use super::answers::Answers;

/// Requests under way with which an address has many: more than a browser has at once over HTTP/1.1.
const MANY: usize = 8;

/// Line in which requests of addresses that have many under way wait to begin: one begins after another,
/// and between any two of them the server does what others have asked for. Without it, ten thousand
/// requests that come at once are ten thousand tasks ahead of everybody else's next move.
#[derive(Debug)]
pub(crate) struct Crowd {
    turn: Semaphore,
}

impl Crowd {
    pub(crate) fn new() -> Crowd {
        Crowd {
            turn: Semaphore::new(1),
        }
    }

    /// Completes when a request of a client may begin.
    pub(super) async fn wait(&self, client: Client, answers: &Answers) {
        if answers.len_of(client) >= MANY {
            // The semaphore is never closed. Giving the turn back wakes the next one, which runs after
            // what is ready by then.
            drop(self.turn.acquire().await);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures::FutureExt;

    use super::*;

    #[test]
    fn only_who_has_many_requests_waits_for_a_turn() {
        let answers = Arc::new(Answers::new(100, 100));
        let [many, few] = [1, 2].map(|last| Client([10, 0, 0, last].into()));
        let open = |client| answers.open(client, Arc::default()).unwrap();
        let held: Vec<_> = (0..MANY).map(|_| open(many)).collect();
        let _other: Vec<_> = (1..MANY).map(|_| open(few)).collect();
        let crowd = Crowd::new();
        let may_begin = |client| crowd.wait(client, &answers).now_or_never().is_some();
        assert!(may_begin(many), "nobody is before it");
        let turn = crowd.turn.try_acquire().unwrap();
        assert!(!may_begin(many));
        assert!(may_begin(few));
        drop(held);
        assert!(may_begin(many), "its requests are answered");
        drop(turn);
    }
}
