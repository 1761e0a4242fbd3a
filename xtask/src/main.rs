//! Workspace checks that `cargo test` alone cannot express: `cargo xtask floors`.
//!
//! Every crate declares its floor in its own manifest (`[package.metadata.parlor] floor = 4`), so a
//! new crate needs no change here. [`floors`] holds the rules, [`exceptions`] the few places that
//! may break one.

mod exceptions;
mod floors;
mod games;
mod scan;
#[cfg(test)]
mod tests;
mod workspace;

use std::process::ExitCode;

use exceptions::EXCEPTIONS;
use workspace::Workspace;

fn main() -> ExitCode {
    let command = std::env::args().nth(1);
    match command.as_deref() {
        Some("floors") => report(check_floors()),
        _ => report(Err(
            "usage: cargo xtask floors   (checks dependencies, words and names of games by floor)"
                .into(),
        )),
    }
}

#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command writes to its terminal"
)]
fn report(result: Result<String, String>) -> ExitCode {
    match result {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(text) => {
            eprintln!("{text}");
            ExitCode::FAILURE
        }
    }
}

/// Checks this workspace; the error lists every violation.
fn check_floors() -> Result<String, String> {
    let workspace = Workspace::load()?;
    let problems = floors::check(&workspace, EXCEPTIONS)?;
    if problems.is_empty() {
        Ok(format!(
            "floors: {} crates and {} exceptions checked, all rules hold",
            workspace.members.len(),
            EXCEPTIONS.len()
        ))
    } else {
        Err(format!(
            "{} violations of the floors:\n  {}",
            problems.len(),
            problems.join("\n  ")
        ))
    }
}
