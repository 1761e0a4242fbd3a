//! `parlor verify`: replaying records and deriving their luck again.

mod folder;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use parlor_table::Record;
use parlor_table::verify::{Report, verify};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::source::read;

/// Replays records of games, derives their luck again, and says what does not hold.
#[derive(Args, Debug)]
#[command(after_help = "\
Where a folder is a clone of a house, or a table in one, every commit of its referee is looked at too. Whether they are the referee's is
known by their seals, which only the house's secret can check: 64 hexadecimal digits in PARLOR_GIT_SECRET, or --secret-file.

Exit codes: 0 when every record holds, 1 when one does not, 2 when one cannot be read.

Examples:
  parlor verify game.json
  parlor verify http://127.0.0.1:8080/t/0c5m8xq3k2a
  parlor verify http://127.0.0.1:8080/api/v1/tables/0c5m8xq3k2a/record
  parlor verify - --json < game.json
  parlor verify .                          all tables of a repository and its history (see parlor git); tables/ID for one")]
pub struct Verify {
    /// Files, http addresses of tables or records, folders of tables in a repository, or - for standard input
    #[arg(required = true, value_name = "FILE|URL|FOLDER")]
    records: Vec<String>,
    /// Print one line of JSON for each record
    #[arg(long)]
    json: bool,
    /// The file with the secret of the house, to check the seals of its referee
    #[arg(long, env = "PARLOR_GIT_SECRET_FILE", value_name = "FILE")]
    secret_file: Option<PathBuf>,
}

pub fn run(args: &Verify, out: &mut dyn Write) -> Result<(), Failure> {
    let mut sound = true;
    let mut unreadable = None;
    for name in &args.records {
        if Path::new(name).is_dir() {
            sound &= folder::verify(Path::new(name), args, out)?;
            continue;
        }
        match read(name) {
            Err(reason) => {
                tell_unreadable(args.json, name, &reason, out)?;
                unreadable = unreadable.or(Some(format!("{name}: {reason}")));
            }
            Ok(bytes) => {
                let checked =
                    serde_json::from_slice::<Record>(&bytes).map(|record| verify(&record));
                let checked =
                    checked.map_err(|error| format!("this is no record of a game: {error}"));
                sound &= checked.as_ref().is_ok_and(Report::holds);
                tell(args.json, name, checked, out)?;
            }
        }
    }
    out.flush()?;
    match (unreadable, sound) {
        (Some(reason), _) => Err(Failure::Refused(reason)),
        (None, false) => Err(Failure::Unsound),
        (None, true) => Ok(()),
    }
}

fn tell_unreadable(
    json: bool,
    name: &str,
    reason: &str,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if json {
        writeln!(
            out,
            "{}",
            json!({ "record": name, "holds": Value::Null, "error": reason })
        )?;
    }
    Ok(())
}

fn tell(
    json: bool,
    name: &str,
    checked: Result<Report, String>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if json {
        let mut line = match &checked {
            Ok(report) => serde_json::to_value(report).unwrap_or_default(),
            Err(reason) => {
                json!({ "problems": [{ "step": null, "rule": "form", "message": reason }] })
            }
        };
        line["record"] = name.into();
        line["holds"] = checked.is_ok_and(|report| report.holds()).into();
        writeln!(out, "{line}")?;
        return Ok(());
    }
    match checked {
        Err(reason) => writeln!(out, "{name}: {reason}")?,
        Ok(report) if report.holds() => writeln!(out, "{name}: holds ({})", extent(&report))?,
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

/// What was checked, in words.
pub(super) fn extent(report: &Report) -> String {
    let counted = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let moves = counted(report.moves, "move");
    match (report.draws, report.luck_checked) {
        (0, _) => moves,
        (draws, true) => format!("{moves}, {} of luck derived again", counted(draws, "draw")),
        (draws, false) => format!(
            "{moves}, {} of luck not yet to be checked",
            counted(draws, "draw")
        ),
    }
}
