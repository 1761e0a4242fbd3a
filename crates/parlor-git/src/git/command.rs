//! One call of git: starting the process, passing its input, reading its output.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};

use super::GitError;
use super::StopSwitch;
use super::limits::{Killable, ProcessLimits, Watch, kill_group};

/// Error output that is kept, in bytes.
const MAX_ERROR_BYTES: usize = 16 << 10;

/// Call of git that has not been started yet.
#[derive(Debug)]
pub(super) struct GitCommand {
    process: Command,
    /// Name of the subcommand, for error messages.
    name: String,
    /// `None` for what a user has typed, who can wait or stop it.
    limits: Option<ProcessLimits>,
    stop: StopSwitch,
}

/// Output of a process, and its end.
struct Printed {
    status: ExitStatus,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    /// The limit that it was stopped at.
    stopped: Option<String>,
}

impl GitCommand {
    /// Completes a process that runs git with these arguments.
    pub(super) fn new(mut process: Command, args: &[&str]) -> GitCommand {
        process.args(args);
        GitCommand {
            process,
            name: subcommand(args).to_owned(),
            limits: None,
            stop: StopSwitch::default(),
        }
    }

    /// Limits what the call may take.
    pub(super) fn limited(mut self, limits: ProcessLimits) -> GitCommand {
        limits.prepare(&mut self.process);
        self.limits = Some(limits);
        self
    }

    /// Lets a switch end the call, which must be limited.
    pub(super) fn stopped_by(mut self, stop: StopSwitch) -> GitCommand {
        self.stop = stop;
        self
    }

    /// Sets an environment variable.
    pub(super) fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> GitCommand {
        self.process.env(name, value);
        self
    }

    /// Runs git and returns its output as text, without trailing newlines.
    pub(super) fn text(self, input: &[u8]) -> Result<String, GitError> {
        let bytes = self.bytes(input)?;
        Ok(String::from_utf8_lossy(&bytes)
            .trim_end_matches('\n')
            .to_owned())
    }

    /// Runs git and returns its output.
    pub(super) fn bytes(self, input: &[u8]) -> Result<Vec<u8>, GitError> {
        let (name, stop) = (self.name.clone(), self.stop.clone());
        let printed = self.run(input)?;
        if stop.is_stopped() && !printed.status.success() {
            return Err(GitError::Ended);
        }
        if let Some(limit) = printed.stopped {
            return Err(GitError::Stopped {
                command: name,
                limit,
            });
        }
        if printed.status.success() {
            Ok(printed.stdout)
        } else {
            Err(GitError::Refused {
                command: name,
                message: String::from_utf8_lossy(&printed.stderr).trim().to_owned(),
            })
        }
    }

    /// Runs git, whose answer is its exit status, and returns true for success.
    pub(super) fn succeeds(self) -> Result<bool, GitError> {
        Ok(self.run(&[])?.status.success())
    }

    /// Starts git for questions and answers, which the caller reads.
    pub(super) fn converse(mut self) -> Result<Child, GitError> {
        self.start(Stdio::piped(), Stdio::null())
    }

    fn run(mut self, input: &[u8]) -> Result<Printed, GitError> {
        let stdin = if input.is_empty() {
            Stdio::null()
        } else {
            Stdio::piped()
        };
        let child = self.start(stdin, Stdio::piped())?;
        Ok(match self.limits {
            Some(limits) => exchange_within(child, input, &limits, &self.stop)?,
            None => exchange(child, input)?,
        })
    }

    fn start(&mut self, stdin: Stdio, stderr: Stdio) -> Result<Child, GitError> {
        if self.stop.is_stopped() {
            return Err(GitError::Ended);
        }
        let child = self
            .process
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .map_err(GitError::NotStarted)?;
        if let Some(limits) = &self.limits {
            limits.apply(&child)?;
        }
        Ok(child)
    }
}

/// Passes the input to a process and waits for its end.
fn exchange(mut child: Child, input: &[u8]) -> std::io::Result<Printed> {
    let stdin = child.stdin.take();
    // Input is written on another thread, because git may answer before it has read everything.
    let output = std::thread::scope(|scope| {
        if let Some(mut stdin) = stdin {
            scope.spawn(move || stdin.write_all(input));
        }
        child.wait_with_output()
    })?;
    Ok(Printed {
        status: output.status,
        stdout: output.stdout,
        stderr: output.stderr,
        stopped: None,
    })
}

/// Passes the input to a process and waits for its end, but stops it at its limits.
fn exchange_within(
    mut child: Child,
    input: &[u8],
    limits: &ProcessLimits,
    stop: &StopSwitch,
) -> std::io::Result<Printed> {
    let process = Killable::new(&child);
    let stoppable = stop.note(process);
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let mut watch = Watch::new(process, limits.time);
    watch.begin();
    let (stdout, stderr) = std::thread::scope(|scope| {
        if let Some(mut stdin) = stdin {
            scope.spawn(move || stdin.write_all(input));
        }
        let errors = scope.spawn(move || read_beginning(stderr, MAX_ERROR_BYTES));
        let output = read_beginning(stdout, limits.output);
        if !output.as_ref().is_ok_and(|output| output.is_whole) {
            kill_group(&process);
        }
        (output, errors.join())
    });
    // The number of the process stays its own until nobody can kill it any more.
    process.wait_without_reaping();
    let is_late = watch.stop();
    drop(stoppable);
    let status = child.wait()?;
    let stdout = stdout?;
    let stopped = if is_late {
        Some(format!("{} seconds", limits.time.as_secs()))
    } else if !stdout.is_whole {
        Some(format!("{} bytes of output", limits.output))
    } else {
        limits.signal(status)
    };
    let stderr = stderr.ok().and_then(Result::ok).unwrap_or_default();
    Ok(Printed {
        status,
        stdout: stdout.bytes,
        stderr: stderr.bytes,
        stopped,
    })
}

/// The beginning of what a process prints.
#[derive(Default)]
struct Beginning {
    bytes: Vec<u8>,
    /// True if there was no more.
    is_whole: bool,
}

/// Reads at most `most` bytes.
fn read_beginning(from: Option<impl Read>, most: usize) -> std::io::Result<Beginning> {
    let mut bytes = Vec::new();
    let Some(mut from) = from else {
        return Ok(Beginning {
            bytes,
            is_whole: true,
        });
    };
    from.by_ref()
        .take(most as u64 + 1)
        .read_to_end(&mut bytes)?;
    let is_whole = bytes.len() <= most;
    bytes.truncate(most);
    Ok(Beginning { bytes, is_whole })
}

impl ProcessLimits {
    /// Returns the limit that ended a process with a signal.
    fn signal(&self, status: ExitStatus) -> Option<String> {
        #[cfg(unix)]
        {
            use rustix::process::Signal;
            let signal = std::os::unix::process::ExitStatusExt::signal(&status)?;
            let is = |one: Signal| one.as_raw() == signal;
            if is(Signal::XCPU) || is(Signal::KILL) {
                return Some(format!("{} seconds of computing", self.cpu_seconds));
            }
            if is(Signal::XFSZ) {
                return Some(format!("{} bytes in a file", self.file));
            }
            Some(format!("signal {signal}"))
        }
        #[cfg(not(unix))]
        {
            let _ = status;
            None
        }
    }
}

/// Returns the name of the subcommand, which follows git's own options and their values.
fn subcommand<'a>(args: &[&'a str]) -> &'a str {
    args.iter()
        .find(|word| !word.is_empty() && !word.starts_with('-') && !word.contains('='))
        .copied()
        .unwrap_or_default()
}
