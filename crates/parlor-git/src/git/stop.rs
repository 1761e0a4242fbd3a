//! Switch that ends the calls of git, for a server that ends.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::limits::{Killable, kill_group};

/// Switch that ends all calls of git in the repositories that have it, and lets no more begin. Cheap to
/// clone; all clones are the same switch.
#[derive(Clone, Debug, Default)]
pub struct StopSwitch(Arc<Mutex<Calls>>);

#[derive(Debug, Default)]
struct Calls {
    is_stopped: bool,
    running: Vec<Killable>,
}

/// Call of git that the switch ends, until this is dropped.
#[derive(Debug)]
pub(super) struct StoppableCall<'a> {
    switch: &'a StopSwitch,
    process: Killable,
}

impl StopSwitch {
    /// Ends the calls that run. Those that would begin later fail.
    pub fn stop(&self) {
        let mut calls = self.lock();
        calls.is_stopped = true;
        for process in &calls.running {
            kill_group(process);
        }
    }

    /// Returns true if calls have been ended.
    pub fn is_stopped(&self) -> bool {
        self.lock().is_stopped
    }

    /// Notes that a process runs. It must not be waited for before the result is dropped: its number
    /// could be another's.
    pub(super) fn note(&self, process: Killable) -> StoppableCall<'_> {
        let mut calls = self.lock();
        if calls.is_stopped {
            kill_group(&process);
        }
        calls.running.push(process);
        StoppableCall {
            switch: self,
            process,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Calls> {
        // No code that can panic runs while the lock is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for StoppableCall<'_> {
    fn drop(&mut self) {
        let mut calls = self.switch.lock();
        let found = calls.running.iter().position(|one| *one == self.process);
        if let Some(index) = found {
            calls.running.swap_remove(index);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::{GitError, Repository};
    use super::StopSwitch;

    #[test]
    fn a_call_that_runs_is_ended_and_no_other_begins() {
        let folder = tempfile::tempdir().unwrap();
        let stop = StopSwitch::default();
        let repository = Repository::create_bare(folder.path(), "main", stop.clone()).unwrap();
        let running = folder.path().join("running");
        let alias = format!("alias.linger=!touch '{}' && sleep 600", running.display());
        let ended = std::thread::scope(|scope| {
            let call = scope.spawn(|| repository.text(&["-c", &alias, "linger"]));
            while !running.exists() && !call.is_finished() {
                std::thread::yield_now();
            }
            stop.stop();
            call.join().unwrap()
        });
        assert!(matches!(ended, Err(GitError::Ended)), "{ended:?}");
        let later = repository.text(&["rev-parse", "--git-dir"]);
        assert!(matches!(later, Err(GitError::Ended)), "{later:?}");
    }
}
