//! `parlor verify`: replay of records and verification of their luck.

mod folder;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use parlor_table::Record;
use parlor_table::verify::{VerificationReport, verify};
use serde_json::{Value, json};

use crate::error::CommandError;
use crate::source::read;

/// Replay records of games, derive their luck again, and report every mismatch.
#[derive(Args, Debug)]
#[command(after_help = "\
For a clone of a repository with games, or a table in one, the referee's commits are checked too. Their seals can only be checked
with the referee's secret: 64 hexadecimal digits in PARLOR_GIT_SECRET, or --secret-file.

Exit codes: 0 if every record holds, 1 if one does not, 2 if one cannot be read.

Examples:
  parlor verify game.json
  parlor verify http://127.0.0.1:8080/t/0c5m8xq3k2a
  parlor verify http://127.0.0.1:8080/api/v1/tables/0c5m8xq3k2a/record
  parlor verify - --json < game.json
  parlor verify .                          all tables of a repository and its history (see parlor git); tables/ID for one table")]
pub struct VerifyArgs {
    /// Files, http URLs of tables or records, folders with tables, or - for standard input
    #[arg(required = true, value_name = "FILE|URL|FOLDER")]
    records: Vec<String>,
    /// Print one line of JSON per record
    #[arg(long)]
    json: bool,
    /// File with the referee's secret, to check seals
    #[arg(long, env = "PARLOR_GIT_SECRET_FILE", value_name = "FILE")]
    secret_file: Option<PathBuf>,
}

pub fn run(args: &VerifyArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let mut all_hold = true;
    let mut unreadable = None;
    for name in &args.records {
        if Path::new(name).is_dir() {
            all_hold &= folder::verify(Path::new(name), args, out)?;
            continue;
        }
        match read(name) {
            Err(reason) => {
                print_unreadable(args.json, name, &reason, out)?;
                unreadable = unreadable.or(Some(format!("{name}: {reason}")));
            }
            Ok(bytes) => {
                let checked =
                    serde_json::from_slice::<Record>(&bytes).map(|record| verify(&record));
                let checked = checked.map_err(|error| format!("not a record of a game: {error}"));
                all_hold &= checked.as_ref().is_ok_and(VerificationReport::is_valid);
                print(args.json, name, checked, out)?;
            }
        }
    }
    out.flush()?;
    match (unreadable, all_hold) {
        (Some(reason), _) => Err(CommandError::Other(reason)),
        (None, false) => Err(CommandError::CheckFailed),
        (None, true) => Ok(()),
    }
}

fn print_unreadable(
    json: bool,
    name: &str,
    reason: &str,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    if json {
        writeln!(
            out,
            "{}",
            json!({ "record": name, "holds": Value::Null, "error": reason })
        )?;
    }
    Ok(())
}

fn print(
    json: bool,
    name: &str,
    checked: Result<VerificationReport, String>,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    if json {
        let mut line = match &checked {
            Ok(report) => serde_json::to_value(report).unwrap_or_default(),
            Err(reason) => {
                json!({ "problems": [{ "step": null, "rule": "form", "message": reason }] })
            }
        };
        line["record"] = name.into();
        line["holds"] = checked.is_ok_and(|report| report.is_valid()).into();
        writeln!(out, "{line}")?;
        return Ok(());
    }
    match checked {
        Err(reason) => writeln!(out, "{name}: {reason}")?,
        Ok(report) if report.is_valid() => writeln!(out, "{name}: holds ({})", summary(&report))?,
        Ok(report) => {
            writeln!(out, "{name}: does not hold")?;
            for problem in &report.problems {
                let place = problem.step.map_or("whole record".to_owned(), |step| {
                    format!("step {}", step + 1)
                });
                writeln!(out, "  {place}: {}: {}", problem.rule, problem.message)?;
            }
        }
    }
    Ok(())
}

/// Summarizes the checks in words.
pub(super) fn summary(report: &VerificationReport) -> String {
    let counted = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let moves = counted(report.moves, "move");
    match (report.draws, report.luck_checked) {
        (0, _) => moves,
        (draws, true) => format!("{moves}, {} of luck derived again", counted(draws, "draw")),
        (draws, false) => format!(
            "{moves}, {} of luck that cannot be checked yet",
            counted(draws, "draw")
        ),
    }
}
