//! Threads that are lent to a search.

use std::num::{NonZero, NonZeroUsize};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use parlor_bots::Crew;

/// A number of threads, including the caller's. The others are spawned for each call: a search
/// takes milliseconds at a time, and a thread starts in a few hundredths of one.
pub struct ThreadCrew(pub NonZeroUsize);

impl ThreadCrew {
    /// Returns a crew with a thread for each core.
    pub fn all_cores() -> ThreadCrew {
        ThreadCrew(thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN))
    }
}

impl Crew for ThreadCrew {
    fn each(&self, jobs: usize, work: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        let work_through = || {
            loop {
                let job = next.fetch_add(1, Ordering::Relaxed);
                if job >= jobs {
                    break;
                }
                work(job);
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.0.get().min(jobs) {
                scope.spawn(work_through);
            }
            work_through();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_runs_once_on_any_number_of_threads() {
        for threads in [1, 2, 7] {
            let threads = ThreadCrew(NonZeroUsize::new(threads).expect("not 0"));
            for jobs in [0, 1, 2, 100] {
                let done: Vec<AtomicUsize> = (0..jobs).map(|_| AtomicUsize::new(0)).collect();
                threads.each(jobs, &|job| {
                    done[job].fetch_add(1, Ordering::Relaxed);
                });
                assert!(
                    done.into_iter().all(|times| times.into_inner() == 1),
                    "{jobs} jobs"
                );
            }
        }
    }
}
