//! The binary as its users meet it: a process with arguments, an input, two outputs and an exit code.

#[path = "cli/admin.rs"]
mod admin;
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

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// The program, away from the settings of whoever runs the tests.
fn parlor(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parlor"));
    command.args(args);
    for (name, _) in
        std::env::vars().filter(|(name, _)| name.starts_with("PARLOR_") || name == "RUST_LOG")
    {
        command.env_remove(name);
    }
    command
}

/// What a run came to.
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
    /// The last line of the output.
    fn last(&self) -> &str {
        self.out.lines().last().unwrap_or_default()
    }

    /// That it was refused as all wrong calls are: one line, exit code 2.
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

/// Runs the program with this input.
fn run_with(args: &[&str], input: &[u8]) -> Ran {
    let mut child = parlor(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // Beside the reading, so that neither side waits for the other; a program that ends early reads no more.
    let writer = std::thread::spawn(move || pipe.write_all(&input).ok());
    let ran = child.wait_with_output().expect("the program ends").into();
    writer.join().expect("the input is written");
    ran
}

/// Runs the program with nothing to read.
fn run(args: &[&str]) -> Ran {
    run_with(args, b"")
}

/// A folder of the test's own, empty.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder of our own");
    path
}
