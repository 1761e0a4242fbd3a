//! A desk where long work is done one piece after the other, beside everything else, and what came of it is kept for a while.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use parlor_table::TableId;

/// So many pieces may wait for their turn.
pub(super) const LINE: usize = 8;
/// So many results are kept.
const KEPT: usize = 64;
/// So many steps they may have together: some games are very long.
const KEPT_STEPS: usize = 16_000;

/// What work is about: the first so many steps of a table. A finished game never gets more of them, so its name stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) table: TableId,
    pub(crate) steps: usize,
}

/// How a piece of work stands.
#[derive(Debug)]
pub(crate) enum Standing<T> {
    /// So many pieces, one at least, are done before it.
    Waiting { ahead: usize },
    /// It is being done.
    Running { done: usize, of: usize },
    /// It is done.
    Ready(Arc<T>),
    /// It cannot be done.
    Failed(Arc<str>),
}

/// Too much waits already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Full;

/// How far a piece of work has come, told by the one who does it.
#[derive(Debug)]
pub(super) struct Progress {
    done: AtomicUsize,
    closed: Arc<AtomicBool>,
}

impl Progress {
    /// So many steps are done. Returns whether to go on: nobody wants the rest when the house closes.
    pub(super) fn tell(&self, done: usize) -> bool {
        self.done.store(done, Ordering::Relaxed);
        !self.closed.load(Ordering::Relaxed)
    }
}

type Work<T> = Box<dyn FnOnce(&Progress) -> Result<T, String> + Send>;

/// The desk. What is being done when it goes away is told to stop.
pub(super) struct Desk<T> {
    shared: Arc<Shared<T>>,
}

struct Shared<T> {
    papers: Mutex<Papers<T>>,
    closed: Arc<AtomicBool>,
}

struct Papers<T> {
    line: VecDeque<(Name, Work<T>)>,
    current: Option<(Name, Arc<Progress>)>,
    /// Whether somebody works through the line.
    busy: bool,
    /// Those that were asked for last are at the end.
    kept: VecDeque<(Name, Kept<T>)>,
}

type Kept<T> = Result<Arc<T>, Arc<str>>;

impl<T: Send + Sync + 'static> Desk<T> {
    pub(super) fn new() -> Desk<T> {
        let papers = Papers {
            line: VecDeque::new(),
            current: None,
            busy: false,
            kept: VecDeque::new(),
        };
        Desk {
            shared: Arc::new(Shared {
                papers: Mutex::new(papers),
                closed: Arc::default(),
            }),
        }
    }

    /// How a piece of work stands; nothing when nobody has asked for it lately.
    pub(super) fn look(&self, name: Name) -> Option<Standing<T>> {
        self.shared.papers().standing(name)
    }

    /// Has a piece of work done, unless it is done already or will be. Must be called on a tokio runtime.
    ///
    /// # Errors
    /// [`Full`], when too much waits already.
    pub(super) fn begin(
        &self,
        name: Name,
        work: impl FnOnce(&Progress) -> Result<T, String> + Send + 'static,
    ) -> Result<Standing<T>, Full> {
        let mut papers = self.shared.papers();
        if let Some(standing) = papers.standing(name) {
            return Ok(standing);
        }
        if papers.line.len() >= LINE {
            return Err(Full);
        }
        papers.line.push_back((name, Box::new(work)));
        if !papers.busy {
            papers.busy = true;
            let shared = self.shared.clone();
            drop(tokio::task::spawn_blocking(move || shared.work()));
        }
        Ok(papers
            .standing(name)
            .expect("it has just been put into the line"))
    }

    /// Stops what is being done, and does nothing more.
    pub(super) fn close(&self) {
        self.shared.closed.store(true, Ordering::Relaxed);
        self.shared.papers().line.clear();
    }
}

impl<T> Drop for Desk<T> {
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::Relaxed);
    }
}

impl<T> Shared<T> {
    fn papers(&self) -> MutexGuard<'_, Papers<T>> {
        // Nothing that can panic is done while the lock is held.
        self.papers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does all that waits, one piece after the other.
    fn work(&self) {
        while let Some((name, work, progress)) = self.next() {
            let result = catch_unwind(AssertUnwindSafe(|| work(&progress)));
            let result =
                result.unwrap_or_else(|_| Err("something went wrong on our side".to_owned()));
            self.papers()
                .keep(name, result.map(Arc::new).map_err(Arc::from));
        }
    }

    /// The next piece, which is the current one from now on.
    fn next(&self) -> Option<(Name, Work<T>, Arc<Progress>)> {
        let mut papers = self.papers();
        let next = papers
            .line
            .pop_front()
            .filter(|_| !self.closed.load(Ordering::Relaxed));
        papers.busy = next.is_some();
        let (name, work) = next?;
        let progress = Arc::new(Progress {
            done: AtomicUsize::new(0),
            closed: self.closed.clone(),
        });
        papers.current = Some((name, progress.clone()));
        Some((name, work, progress))
    }
}

impl<T> Papers<T> {
    fn standing(&mut self, name: Name) -> Option<Standing<T>> {
        if let Some(at) = self.kept.iter().position(|(kept, _)| *kept == name) {
            let last = self.kept.remove(at)?;
            let standing = match &last.1 {
                Ok(result) => Standing::Ready(result.clone()),
                Err(why) => Standing::Failed(why.clone()),
            };
            self.kept.push_back(last);
            return Some(standing);
        }
        if let Some((_, progress)) = self
            .current
            .as_ref()
            .filter(|(current, _)| *current == name)
        {
            return Some(Standing::Running {
                done: progress.done.load(Ordering::Relaxed),
                of: name.steps,
            });
        }
        let at = self.line.iter().position(|(waiting, _)| *waiting == name)?;
        Some(match at + usize::from(self.current.is_some()) {
            // It begins at once.
            0 => Standing::Running {
                done: 0,
                of: name.steps,
            },
            ahead => Standing::Waiting { ahead },
        })
    }

    /// Keeps what came of the current piece, in the place of what nobody has asked for the longest.
    fn keep(&mut self, name: Name, result: Kept<T>) {
        self.current = None;
        self.kept.push_back((name, result));
        let steps = |kept: &VecDeque<(Name, Kept<T>)>| {
            kept.iter().map(|(name, _)| name.steps).sum::<usize>()
        };
        while self.kept.len() > 1 && (self.kept.len() > KEPT || steps(&self.kept) > KEPT_STEPS) {
            self.kept.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    fn name(table: u64, steps: usize) -> Name {
        Name {
            table: TableId::new(table).unwrap(),
            steps,
        }
    }

    /// Work that says when it has begun and ends when it is told a result.
    fn held() -> (
        impl FnOnce(&Progress) -> Result<u32, String> + Send,
        Receiver<()>,
        Sender<u32>,
    ) {
        let (began, begun) = channel();
        let (end, ended) = channel();
        let work = move |progress: &Progress| {
            progress.tell(7);
            began.send(()).unwrap();
            ended.recv().map_err(|_| "given up".to_owned())
        };
        (work, begun, end)
    }

    async fn result(desk: &Desk<u32>, name: Name) -> Result<u32, String> {
        loop {
            match desk.look(name) {
                Some(Standing::Ready(result)) => return Ok(*result),
                Some(Standing::Failed(why)) => return Err(why.to_string()),
                _ => tokio::task::yield_now().await,
            }
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn one_piece_is_done_at_a_time_and_the_others_wait_in_their_order() {
        let desk = Desk::new();
        let [first, second, third] = [1, 2, 3].map(|table| name(table, 10));
        assert!(desk.look(first).is_none());
        let (work, begun, end) = held();
        assert!(matches!(
            desk.begin(first, work),
            Ok(Standing::Running { of: 10, .. })
        ));
        begun.recv().unwrap();
        assert!(matches!(
            desk.look(first),
            Some(Standing::Running { done: 7, of: 10 })
        ));
        let (work, begun_second, end_second) = held();
        assert!(matches!(
            desk.begin(second, work),
            Ok(Standing::Waiting { ahead: 1 })
        ));
        assert!(matches!(
            desk.begin(third, |_: &Progress| Ok(3)),
            Ok(Standing::Waiting { ahead: 2 })
        ));
        assert!(
            begun_second.try_recv().is_err(),
            "the second waits for the first"
        );
        end.send(1).unwrap();
        begun_second.recv().unwrap();
        assert_eq!(result(&desk, first).await, Ok(1));
        assert!(matches!(
            desk.look(third),
            Some(Standing::Waiting { ahead: 1 })
        ));
        end_second.send(2).unwrap();
        assert_eq!(
            (result(&desk, second).await, result(&desk, third).await),
            (Ok(2), Ok(3))
        );
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_is_asked_for_again_is_not_done_again() {
        let desk = Desk::new();
        let game = name(1, 10);
        desk.begin(game, |_: &Progress| Ok(1)).unwrap();
        assert_eq!(result(&desk, game).await, Ok(1));
        let again = desk.begin(game, |_: &Progress| unreachable!("it is done already"));
        assert!(matches!(again, Ok(Standing::Ready(result)) if *result == 1));
        // The same table with more steps is something else.
        desk.begin(name(1, 11), |_: &Progress| Ok(2)).unwrap();
        assert_eq!(
            (result(&desk, name(1, 11)).await, result(&desk, game).await),
            (Ok(2), Ok(1))
        );
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn when_too_much_waits_more_is_refused_until_there_is_room() {
        let desk = Desk::new();
        let (work, begun, end) = held();
        desk.begin(name(0, 1), work).unwrap();
        begun.recv().unwrap();
        for table in 1..=LINE as u64 {
            desk.begin(name(table, 1), |_: &Progress| Ok(1)).unwrap();
        }
        assert_eq!(
            desk.begin(name(99, 1), |_: &Progress| Ok(1)).err(),
            Some(Full)
        );
        assert!(
            desk.begin(name(3, 1), |_: &Progress| Ok(1)).is_ok(),
            "what waits already is not refused"
        );
        end.send(0).unwrap();
        result(&desk, name(LINE as u64, 1)).await.unwrap();
        assert!(desk.begin(name(99, 1), |_: &Progress| Ok(1)).is_ok());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_fails_or_panics_says_so_and_hinders_nothing_after_it() {
        let desk = Desk::new();
        desk.begin(name(1, 1), |_: &Progress| Err("no".to_owned()))
            .unwrap();
        desk.begin(name(2, 1), |_: &Progress| panic!("a fault in the work"))
            .unwrap();
        desk.begin(name(3, 1), |_: &Progress| Ok(3)).unwrap();
        assert_eq!(result(&desk, name(3, 1)).await, Ok(3));
        assert_eq!(result(&desk, name(1, 1)).await, Err("no".to_owned()));
        assert!(result(&desk, name(2, 1)).await.is_err());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn only_so_much_is_kept_and_what_was_asked_for_last_stays() {
        let desk = Desk::new();
        for table in 0..KEPT as u64 {
            desk.begin(name(table, 1), |_: &Progress| Ok(1)).unwrap();
            result(&desk, name(table, 1)).await.unwrap();
        }
        assert!(desk.look(name(0, 1)).is_some());
        desk.begin(name(1_000, 1), |_: &Progress| Ok(1)).unwrap();
        result(&desk, name(1_000, 1)).await.unwrap();
        assert!(desk.look(name(0, 1)).is_some() && desk.look(name(1, 1)).is_none());
        let long = name(1_001, KEPT_STEPS);
        desk.begin(long, |_: &Progress| Ok(1)).unwrap();
        result(&desk, long).await.unwrap();
        assert!(desk.look(name(0, 1)).is_none() && desk.look(long).is_some());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn when_the_desk_closes_work_is_told_to_stop_and_nothing_more_is_begun() {
        let desk = Desk::new();
        let (began, begun) = channel();
        let (stopped, stop) = channel();
        let work = move |progress: &Progress| {
            began.send(()).unwrap();
            while progress.tell(0) {
                std::thread::yield_now();
            }
            stopped.send(()).unwrap();
            Err("stopped".to_owned())
        };
        desk.begin(name(1, 1), work).unwrap();
        desk.begin(name(2, 1), |_: &Progress| {
            unreachable!("the desk is closed")
        })
        .unwrap();
        begun.recv().unwrap();
        desk.close();
        stop.recv().unwrap();
        assert_eq!(result(&desk, name(1, 1)).await, Err("stopped".to_owned()));
        assert!(desk.look(name(2, 1)).is_none());
    }
}
