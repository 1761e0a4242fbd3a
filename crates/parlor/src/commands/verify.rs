//! `parlor verify`: replaying records and deriving their luck again.

use std::fs;
use std::io::{self, Read, Write};
use std::time::Duration;

use clap::Args;
use parlor_table::verify::{Report, verify};
use parlor_table::{Record, TableId};
use serde_json::{Value, json};

use crate::failure::Failure;

/// The longest record that is read, in bytes.
const LIMIT: usize = 16 << 20;
/// How long a server may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Replays records of games, derives their luck again, and says what does not hold.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 when every record holds, 1 when one does not, 2 when one cannot be read.

Examples:
  parlor verify game.json
  parlor verify http://127.0.0.1:8080/t/0c5m8xq3k2a
  parlor verify http://127.0.0.1:8080/api/v1/tables/0c5m8xq3k2a/record
  parlor verify - --json < game.json")]
pub struct Verify {
    /// Files, http addresses of tables or records, or - for standard input
    #[arg(required = true, value_name = "FILE|URL")]
    records: Vec<String>,
    /// Print one line of JSON for each record
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Verify, out: &mut dyn Write) -> Result<(), Failure> {
    let mut sound = true;
    let mut unreadable = None;
    for name in &args.records {
        match read(name) {
            Err(reason) => {
                tell_unreadable(args.json, name, &reason, out)?;
                unreadable = unreadable.or(Some(format!("{name}: {reason}")));
            }
            Ok(bytes) => {
                let checked = serde_json::from_slice::<Record>(&bytes).map(|record| verify(&record));
                let checked = checked.map_err(|error| format!("this is no record of a game: {error}"));
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

fn tell_unreadable(json: bool, name: &str, reason: &str, out: &mut dyn Write) -> Result<(), Failure> {
    if json {
        writeln!(out, "{}", json!({ "record": name, "holds": Value::Null, "error": reason }))?;
    }
    Ok(())
}

fn tell(json: bool, name: &str, checked: Result<Report, String>, out: &mut dyn Write) -> Result<(), Failure> {
    if json {
        let mut line = match &checked {
            Ok(report) => serde_json::to_value(report).unwrap_or_default(),
            Err(reason) => json!({ "problems": [{ "step": null, "rule": "form", "message": reason }] }),
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
                let place = problem.step.map_or("whole record".to_owned(), |step| format!("step {}", step + 1));
                writeln!(out, "  {place}: {}: {}", problem.rule, problem.message)?;
            }
        }
    }
    Ok(())
}

/// What was checked, in words.
fn extent(report: &Report) -> String {
    let counted = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let moves = counted(report.moves, "move");
    match (report.draws, report.luck_checked) {
        (0, _) => moves,
        (draws, true) => format!("{moves}, {} of luck derived again", counted(draws, "draw")),
        (draws, false) => format!("{moves}, {} of luck not yet to be checked", counted(draws, "draw")),
    }
}

fn read(name: &str) -> Result<Vec<u8>, String> {
    let limited = |source: &mut dyn Read| {
        let mut bytes = Vec::new();
        let limit = u64::try_from(LIMIT).unwrap_or(u64::MAX) + 1;
        source.take(limit).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        if bytes.len() > LIMIT { Err(too_long()) } else { Ok(bytes) }
    };
    if name == "-" {
        limited(&mut io::stdin().lock())
    } else if name.starts_with("http://") {
        fetch(&record_of(name))
    } else if name.starts_with("https://") {
        Err("this program speaks plain http only: fetch the record with another tool and check the file".into())
    } else {
        limited(&mut fs::File::open(name).map_err(|error| error.to_string())?)
    }
}

fn too_long() -> String {
    format!("a record has at most {LIMIT} bytes")
}

/// The address of a table's record, where the address is that of its page.
fn record_of(url: &str) -> String {
    let table = url.split_once("/t/").and_then(|(house, rest)| {
        let id = rest.split(['/', '?', '#']).next()?;
        Some((house, id.parse::<TableId>().ok()?))
    });
    table.map_or_else(|| url.to_owned(), |(house, id)| format!("{house}/api/v1/tables/{id}/record"))
}

fn fetch(url: &str) -> Result<Vec<u8>, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|e| e.to_string())?;
    runtime.block_on(async {
        let client = reqwest::Client::builder().timeout(PATIENCE).build().map_err(|error| innermost(&error))?;
        let answer = client.get(url).header("accept", "application/json").send().await;
        let mut answer = answer.map_err(|error| innermost(&error))?;
        if !answer.status().is_success() {
            return Err(format!("the server answers {}", answer.status()));
        }
        let mut bytes = Vec::new();
        while let Some(part) = answer.chunk().await.map_err(|error| innermost(&error))? {
            bytes.extend_from_slice(&part);
            if bytes.len() > LIMIT {
                return Err(too_long());
            }
        }
        Ok(bytes)
    })
}

/// The cause at the bottom, which is what a person can do something about.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::record_of;

    #[test]
    fn the_address_of_a_table_leads_to_its_record() {
        let record = "http://house:1/api/v1/tables/0384k0g1kd4/record";
        for page in ["http://house:1/t/0384k0g1kd4", "http://house:1/t/0384k0g1kd4?step=3#x", record] {
            assert_eq!(record_of(page), record);
        }
        assert_eq!(record_of("http://house/t/other"), "http://house/t/other");
    }
}
