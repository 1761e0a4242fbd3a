//! Workspace checks that `cargo test` alone cannot express: `cargo xtask floors` and
//! `cargo xtask footprint GAME`.
//!
//! Every crate declares its floor in its own manifest (`[package.metadata.parlor] floor = 4`), so a
//! new crate needs no change here. [`floors`] holds the rules, [`exceptions`] the few places that
//! may break one.

mod exceptions;
mod floors;
mod footprint;
mod games;
mod scan;
#[cfg(test)]
mod tests;
mod workspace;

use std::process::ExitCode;

use exceptions::EXCEPTIONS;
use footprint::Footprint;
use workspace::Workspace;

const USAGE: &str = "usage: cargo xtask COMMAND

  floors           check dependencies, words and names of games by floor
  footprint GAME   list the lines that name a game outside its own folders";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["floors"] => report(check_floors()),
        ["footprint", game] => report(footprint(game)),
        _ => report(Err(USAGE.to_owned())),
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

fn footprint(game: &str) -> Result<String, String> {
    let workspace = Workspace::load_without_transitive()?;
    Footprint::find(&workspace, game).map(|footprint| footprint.report())
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
