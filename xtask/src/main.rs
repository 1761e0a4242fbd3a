//! Checks of the workspace that are no tests: `cargo xtask floors`.

mod floors;

use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let task = std::env::args().nth(1);
    match task.as_deref() {
        Some("floors") => report(floors()),
        _ => report(Err(
            "usage: cargo xtask floors   (checks that no crate imports from a floor that it must not)".into()
        )),
    }
}

#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command talks to its terminal"
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

/// Asks cargo what rests on what, reads the sources, and checks both against the plan of the house.
fn floors() -> Result<String, String> {
    let metadata = cargo(&["metadata", "--format-version", "1", "--no-deps", "--locked"])?;
    let metadata =
        serde_json::from_str(&metadata).map_err(|error| format!("cargo metadata: {error}"))?;
    let mut graph =
        floors::Graph::read(&metadata).ok_or("cargo metadata has another shape than expected")?;
    for name in graph.members.keys() {
        let tree = cargo(&[
            "tree",
            "--package",
            name,
            "--edges",
            "normal",
            "--prefix",
            "none",
            "--locked",
        ])?;
        let names = tree
            .lines()
            .skip(1)
            .filter_map(|line| line.split_whitespace().next().map(str::to_owned));
        graph.below.insert(name.clone(), names.collect());
    }
    let mut found = floors::forbidden_edges(&graph);
    found.extend(floors::forbidden_words(&graph));
    if found.is_empty() {
        Ok(format!(
            "floors: {} crates, no forbidden edge",
            graph.members.len()
        ))
    } else {
        Err(format!("the floors do not hold:\n  {}", found.join("\n  ")))
    }
}

fn cargo(arguments: &[&str]) -> Result<String, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo).args(arguments).output();
    let output = output.map_err(|error| format!("cargo does not start: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}
