//! Limits of git's processes: memory, computing time, file sizes, waiting time and output.
//!
//! The input of git was pushed by others, so no call may take more than its share. A process
//! begins in a group of its own and gets its limits from outside right after it was started, before
//! it gets any input: setting them in between would need unsafe code, and a shell or `prlimit` may
//! be missing. Until then it runs only git's own start. Processes that it starts inherit them.

use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Limits of one process of git.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProcessLimits {
    /// Address space, in bytes.
    pub(super) memory: u64,
    /// A single allocation, in bytes: git refuses to unpack larger objects.
    pub(super) allocation: u64,
    /// Computing time, in seconds.
    pub(super) cpu_seconds: u64,
    /// A single file that is written, in bytes.
    pub(super) file: u64,
    /// Time until the process has ended, or has answered a question.
    pub(super) time: Duration,
    /// Output that is read, in bytes.
    pub(super) output: usize,
}

impl ProcessLimits {
    /// Limits of all calls whose input or repository others can write to.
    pub(super) const STRICT: ProcessLimits = ProcessLimits {
        memory: 1 << 30,
        allocation: 64 << 20,
        cpu_seconds: 60,
        file: 256 << 20,
        time: Duration::from_secs(120),
        output: 64 << 20,
    };

    /// Prepares a call: a process group of its own, and the limits that git keeps by itself.
    pub(super) fn prepare(&self, git: &mut Command) {
        git.env("GIT_ALLOC_LIMIT", self.allocation.to_string());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(git, 0);
    }

    /// Limits a process that has just been started. It has had no input yet.
    #[cfg(target_os = "linux")]
    pub(super) fn apply(&self, child: &Child) -> std::io::Result<()> {
        use rustix::process::{Resource, Rlimit, prlimit};
        let Some(pid) = process_id(child) else {
            return Ok(());
        };
        for (resource, limit) in [
            (Resource::As, self.memory),
            (Resource::Cpu, self.cpu_seconds),
            (Resource::Fsize, self.file),
            (Resource::Core, 0),
        ] {
            let both = Rlimit {
                current: Some(limit),
                maximum: Some(limit),
            };
            match prlimit(Some(pid), resource, both) {
                // It has ended already, or this process has a lower limit itself.
                Ok(_) | Err(rustix::io::Errno::SRCH | rustix::io::Errno::PERM) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Other systems cannot limit a process from outside; git's own limits remain.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn apply(&self, _: &Child) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(unix)]
fn process_id(child: &Child) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(child.id()).ok()?)
}

/// Ends a process and all that it has started. It must not have been waited for: its number could
/// be another's.
pub(super) fn kill_group(child: &Killable) {
    #[cfg(unix)]
    if let Some(pid) = child.0 {
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = child;
}

/// Handle to a process group, for the thread that watches over its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Killable(#[cfg(unix)] Option<rustix::process::Pid>);

impl Killable {
    pub(super) fn new(child: &Child) -> Killable {
        #[cfg(unix)]
        return Killable(process_id(child));
        #[cfg(not(unix))]
        {
            let _ = child;
            Killable()
        }
    }

    /// Waits until the process has ended, but leaves its number to it.
    pub(super) fn wait_without_reaping(&self) {
        #[cfg(unix)]
        if let Some(pid) = self.0 {
            use rustix::process::{WaitId, WaitIdOptions, waitid};
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(pid), options) {}
        }
    }
}

/// Watches over the time of a process: what it is asked must be answered in time.
#[derive(Debug)]
pub(super) struct Watch {
    signals: Option<Sender<Signal>>,
    thread: Option<std::thread::JoinHandle<bool>>,
}

#[derive(Clone, Copy, Debug)]
enum Signal {
    Begin,
    End,
}

impl Watch {
    /// Starts to watch a process.
    pub(super) fn new(process: Killable, time: Duration) -> Watch {
        let (signals, received) = channel();
        Watch {
            signals: Some(signals),
            thread: Some(std::thread::spawn(move || watch(process, time, &received))),
        }
    }

    /// A question was asked: the time runs.
    pub(super) fn begin(&self) {
        self.send(Signal::Begin);
    }

    /// It was answered.
    pub(super) fn end(&self) {
        self.send(Signal::End);
    }

    fn send(&self, signal: Signal) {
        if let Some(signals) = &self.signals {
            let _ = signals.send(signal);
        }
    }

    /// Stops watching. Returns true if the process was killed because its time was up.
    pub(super) fn stop(&mut self) -> bool {
        self.signals = None;
        self.thread
            .take()
            .is_some_and(|thread| thread.join().unwrap_or_default())
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.stop();
    }
}

fn watch(process: Killable, time: Duration, received: &Receiver<Signal>) -> bool {
    while let Ok(signal) = received.recv() {
        if matches!(signal, Signal::End) {
            continue;
        }
        match received.recv_timeout(time) {
            Ok(_) => {}
            Err(RecvTimeoutError::Disconnected) => return false,
            Err(RecvTimeoutError::Timeout) => {
                kill_group(&process);
                return true;
            }
        }
    }
    false
}
