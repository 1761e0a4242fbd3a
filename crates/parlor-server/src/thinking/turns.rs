//! Turns to compute something short, such as a page, shared fairly between clients.

use std::collections::HashSet;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio::time::timeout;

use super::queue::{FairQueue, JobRank};
use crate::edge::Client;

/// Turns to compute something that takes milliseconds. As many are out at once as threads may be busy
/// with it, half of them to one network at most; the next one is for the network whose clients have
/// computed least lately.
#[derive(Debug)]
pub(crate) struct FairTurns {
    /// Turns that a network can have at once.
    each: usize,
    /// Time that most turns take, about.
    usual: Duration,
    state: Mutex<TurnState>,
}

#[derive(Debug)]
struct TurnState {
    queue: FairQueue<Client, WaitingClient>,
    /// Turns that are not out.
    free: usize,
}

/// Client that waits for a turn.
#[derive(Debug)]
struct WaitingClient {
    network: Client,
    reply: oneshot::Sender<FairTurn>,
}

/// Turn to compute until it is dropped. The time counts for the client's network.
#[derive(Debug)]
pub(crate) struct FairTurn {
    turns: Arc<FairTurns>,
    network: Client,
    since: Instant,
}

impl FairTurns {
    /// Creates turns of which `at_once` can be out at once, and that usually take about this time.
    pub(crate) fn new(at_once: usize, usual: Duration) -> Arc<FairTurns> {
        let state = TurnState {
            queue: FairQueue::newcomers_first(usual),
            free: at_once.max(1),
        };
        Arc::new(FairTurns {
            each: at_once.div_ceil(2).max(1),
            usual,
            state: Mutex::new(state),
        })
    }

    /// Waits for a turn of a client.
    pub(crate) async fn begin(self: &Arc<FairTurns>, client: Client) -> FairTurn {
        loop {
            let (reply, turn) = oneshot::channel();
            let (network, rank) = (client.network(), JobRank::of_game(None, Instant::now()));
            let waiting = WaitingClient { network, reply };
            self.state().queue.push(network, waiting, rank);
            self.hand_out();
            // A reply that is lost was never answered: nobody drops one that is still wanted.
            if let Ok(turn) = turn.await {
                return turn;
            }
        }
    }

    /// Works for a client in a turn, unless `given_up` completes before it has one: then nothing is done and
    /// the result is `None`. Work that takes longer than `longest` goes on without it: it waits for
    /// something else, such as a database that is away, and others are not to wait for that.
    ///
    /// The turn is kept while the work waits: work that had a connection to the database, and waited for
    /// its turn to go on, would keep the connection from moves.
    pub(crate) async fn work<T>(
        self: &Arc<FairTurns>,
        client: Client,
        longest: Duration,
        given_up: impl Future<Output = ()>,
        work: impl Future<Output = T>,
    ) -> Option<T> {
        let turn = tokio::select! {
            biased;
            turn = self.begin(client) => turn,
            () = given_up => return None,
        };
        let mut work = pin!(work);
        let done = timeout(longest, &mut work).await;
        drop(turn);
        Some(match done {
            Ok(done) => done,
            Err(_) => work.await,
        })
    }

    /// Hands out free turns to those who come next.
    fn hand_out(self: &Arc<FairTurns>) {
        while let Some((turn, reply)) = self.next() {
            // A client that is gone gives the turn back at once.
            let _ = reply.send(turn);
        }
    }

    fn next(self: &Arc<FairTurns>) -> Option<(FairTurn, oneshot::Sender<FairTurn>)> {
        let mut state = self.state();
        if state.free == 0 {
            return None;
        }
        state.queue.retain(|waiting| !waiting.reply.is_closed());
        let clients = state.queue.by_client();
        let busy: HashSet<Client> = clients
            .filter(|(_, _, running)| *running >= self.each)
            .map(|(network, _, _)| network)
            .collect();
        let may_have = |waiting: &WaitingClient| !busy.contains(&waiting.network);
        let popped = state.queue.pop_suitable(may_have, |_| self.usual);
        let (network, WaitingClient { reply, .. }) = popped?;
        state.free -= 1;
        let turn = FairTurn {
            turns: self.clone(),
            network,
            since: Instant::now(),
        };
        Some((turn, reply))
    }

    fn state(&self) -> MutexGuard<'_, TurnState> {
        // No code that can panic runs while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for FairTurn {
    fn drop(&mut self) {
        let used = self.since.elapsed();
        {
            let mut state = self.turns.state();
            state.queue.finish(self.network, self.turns.usual, used);
            state.free += 1;
        }
        self.turns.hand_out();
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use futures::FutureExt;

    use super::*;

    const USUAL: Duration = Duration::from_millis(300);

    /// Returns a client in a network of its own.
    fn client(n: u8) -> Client {
        Client([10, 0, n, 1].into())
    }

    #[test]
    fn whoever_has_had_none_goes_before_those_who_want_many() {
        let turns = FairTurns::new(2, USUAL);
        let first = turns.begin(client(1)).now_or_never();
        let mut again: Vec<_> = (0..3).map(|_| Box::pin(turns.begin(client(1)))).collect();
        for one in &mut again {
            assert!(one.now_or_never().is_none(), "a network has one of two");
        }
        let other = turns.begin(client(3)).now_or_never();
        assert!(first.is_some() && other.is_some());
        let mut newcomer = Box::pin(turns.begin(client(2)));
        assert!((&mut newcomer).now_or_never().is_none(), "both are out");
        drop(first);
        let turn = newcomer.now_or_never();
        assert!(turn.is_some(), "the newcomer goes first");
        assert!(again.iter_mut().all(|one| one.now_or_never().is_none()));
        drop(turn);
        let next = again.iter_mut().filter_map(|one| one.now_or_never());
        assert_eq!(next.map(drop).count(), 3, "one after the other");
    }

    #[test]
    fn the_turn_of_who_is_gone_is_for_others() {
        let turns = FairTurns::new(1, USUAL);
        let held = turns.begin(client(1)).now_or_never();
        let mut gone = Box::pin(turns.begin(client(2)));
        assert!((&mut gone).now_or_never().is_none());
        drop((gone, held));
        assert!(turns.begin(client(3)).now_or_never().is_some());
        assert_eq!(turns.state().free, 1);
    }

    #[tokio::test(start_paused = true)]
    async fn work_that_takes_long_goes_on_without_its_turn() {
        let turns = FairTurns::new(1, USUAL);
        let longest = Duration::from_secs(1);
        let (news, waits) = oneshot::channel();
        let mut long = pin!(turns.work(client(1), longest, pending(), waits));
        assert!(futures::poll!(&mut long).is_pending());
        let mut other = pin!(turns.work(client(2), longest, pending(), async { 2 }));
        assert!(futures::poll!(&mut other).is_pending(), "the turn is out");
        let given_up = turns.work(client(3), longest, ready(()), async { 3 });
        assert_eq!(given_up.await, None);
        tokio::time::advance(longest).await;
        assert!(futures::poll!(&mut long).is_pending());
        assert_eq!(other.await, Some(2));
        news.send(1).unwrap();
        assert_eq!(long.await, Some(Ok(1)));
    }
}
