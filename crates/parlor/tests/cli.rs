//! Tests of the binary as a process: arguments, input, both outputs, exit code.

#[path = "cli/admin.rs"]
mod admin;
#[path = "cli/advise.rs"]
mod advise;
#[path = "cli/analyze.rs"]
mod analyze;
#[path = "cli/check.rs"]
mod check;
#[path = "cli/count.rs"]
mod count;
#[path = "cli/crash.rs"]
mod crash;
#[path = "cli/engine.rs"]
mod engine;
#[path = "cli/exchange.rs"]
mod exchange;
#[path = "cli/external.rs"]
mod external;
#[path = "cli/git.rs"]
mod git;
#[path = "cli/git_history.rs"]
mod git_history;
#[path = "cli/legal.rs"]
mod legal;
#[path = "cli/pandemic.rs"]
mod pandemic;
#[path = "cli/play.rs"]
mod play;
#[path = "cli/serve.rs"]
mod serve;
#[path = "cli/shell.rs"]
mod shell;
#[path = "cli/train.rs"]
mod train;
#[path = "cli/ultimate.rs"]
mod ultimate;
#[path = "cli/verify.rs"]
mod verify;
#[path = "cli/windows.rs"]
mod windows;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Variables that make git ignore the settings of the tester and the machine.
const NO_GIT_SETTINGS: [(&str, &str); 2] = [
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
];

/// Returns a call of git in a folder without the tester's settings.
fn git_in(path: &Path) -> Command {
    let mut command = Command::new("git");
    command.envs(NO_GIT_SETTINGS).arg("-C").arg(path);
    command
}

/// Returns a command that runs the program without the settings of the tester's environment.
fn parlor(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parlor"));
    command.args(args).envs(NO_GIT_SETTINGS);
    for (name, _) in
        std::env::vars().filter(|(name, _)| name.starts_with("PARLOR_") || name == "RUST_LOG")
    {
        command.env_remove(name);
    }
    command
}

/// Result of a run.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program writes UTF-8");
        Ran {
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

impl Ran {
    /// Returns the last line of the output.
    fn last(&self) -> &str {
        self.out.lines().last().unwrap_or_default()
    }

    /// Asserts that it failed with one line that contains the reason, and exit code 2.
    fn is_refused_with(&self, reason: &str) {
        assert_eq!(self.code, Some(2), "{}", self.err);
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        assert!(
            self.err.starts_with("parlor: ") && self.err.contains(reason),
            "{}",
            self.err
        );
    }
}

/// Runs the program with an input.
fn run_with(args: &[&str], input: &[u8]) -> Ran {
    let mut child = parlor(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // Written from another thread, so that neither side blocks the other. A program that ends early
    // does not read everything.
    let writer = std::thread::spawn(move || pipe.write_all(&input).ok());
    let ran = child.wait_with_output().expect("the program ends").into();
    writer.join().expect("the input is written");
    ran
}

/// Runs the program with an empty input.
fn run(args: &[&str]) -> Ran {
    run_with(args, b"")
}

/// Creates an empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder of the test");
    path
}
