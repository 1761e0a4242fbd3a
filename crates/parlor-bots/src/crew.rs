//! Threads that a caller lends to a search.

use std::sync::OnceLock;

/// Executor of independent jobs, in parallel if it has several threads.
///
/// A strategy starts no threads of its own. A caller that has some lends them as a crew; results
/// are the same with any crew.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use parlor_bots::{Alone, Crew};
/// let sum = AtomicUsize::new(0);
/// Alone.each(5, &|job| {
///     sum.fetch_add(job, Ordering::Relaxed);
/// });
/// assert_eq!(sum.into_inner(), 0 + 1 + 2 + 3 + 4);
/// ```
pub trait Crew: Send + Sync {
    /// Runs `work(0)` to `work(jobs - 1)`, each once, in any order, and returns when all are done.
    fn each(&self, jobs: usize, work: &(dyn Fn(usize) + Sync));
}

/// Crew without further threads: it runs one job after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Crew for Alone {
    fn each(&self, jobs: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..jobs).for_each(work);
    }
}

/// Returns the result of each job, in order.
///
/// # Panics
/// If the crew leaves out a job or runs one twice.
pub(crate) fn gather<T: Send + Sync>(
    crew: &dyn Crew,
    jobs: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let done: Vec<OnceLock<T>> = (0..jobs).map(|_| OnceLock::new()).collect();
    crew.each(jobs, &|job| {
        assert!(
            done[job].set(work(job)).is_ok(),
            "a crew does no part twice"
        )
    });
    done.into_iter()
        .map(|cell| cell.into_inner().expect("a crew does all parts"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Starts with the last job.
    struct Backwards;

    impl Crew for Backwards {
        fn each(&self, jobs: usize, work: &(dyn Fn(usize) + Sync)) {
            (0..jobs).rev().for_each(work);
        }
    }

    #[test]
    fn gathered_results_are_in_job_order() {
        assert_eq!(gather(&Alone, 4, |job| job * job), [0, 1, 4, 9]);
        assert_eq!(gather(&Backwards, 4, |job| job * job), [0, 1, 4, 9]);
        assert!(gather(&Backwards, 0, |job| job).is_empty());
    }
}
