//! `parlor check`: validation of single files.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use clap::Args;
use clap::builder::PossibleValuesParser;
use parlor_games::choices;
use parlor_games::files::{self, Document, Finding};
use parlor_table::Record;
use parlor_table::verify::verify;
use serde::Serialize;
use serde_json::{Value, json};

use crate::error::CommandError;

/// Maximum size of a file in bytes; records may be longer than other files.
const MAX_FILE_BYTES: usize = 16 << 20;

/// Validate files: state.json and move files of backgammon, records of any game.
#[derive(Args, Debug)]
#[command(after_help = "\
A state.json or move file does not say which starting position it assumes; use --start for that. A position that breaks no rule
but cannot be reached is valid, with a note. Records are replayed and their luck is derived again, as `parlor verify` does.

Exit codes: 0 if every file is valid, 1 if one is not, 2 if one cannot be read.

Examples:
  parlor check tables/7/state.json tables/7/moves/*.json
  parlor check state.json --start printed-up
  parlor check game.json --json")]
pub struct CheckArgs {
    /// Files to check, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// The starting position that backgammon files assume
    #[arg(long, default_value = usual_start(), value_parser = start_parser())]
    start: String,
    /// Print one line of JSON per file
    #[arg(long)]
    json: bool,
}

/// Name of the option with the starting position, which files do not state.
const START: &str = "start";

fn start_schema() -> Value {
    files::option_schema(START).unwrap_or_default()
}

fn usual_start() -> String {
    let usual = &start_schema()["default"];
    usual.as_str().unwrap_or_default().to_owned()
}

fn start_parser() -> PossibleValuesParser {
    let schema = start_schema();
    let names = choices(&schema)
        .into_iter()
        .map(|(name, _)| name.to_owned());
    PossibleValuesParser::new(names.collect::<Vec<_>>())
}

/// Result of checking a file.
#[derive(Serialize)]
struct FileCheck<'a> {
    file: &'a str,
    valid: bool,
    problems: Vec<Finding>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<Finding>,
    /// Human-readable kind of the file.
    #[serde(skip)]
    title: &'static str,
}

pub fn run(args: &CheckArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let mut all_valid = true;
    let mut unreadable = None;
    for file in &args.files {
        let result = match read(file) {
            Ok(bytes) => check_file(file, &bytes, &args.start),
            Err(reason) => {
                unreadable = unreadable.or(Some(format!("{file}: {reason}")));
                FileCheck::invalid(file, "read", format!("cannot read the file: {reason}"))
            }
        };
        all_valid &= result.valid;
        if args.json {
            writeln!(out, "{}", result.to_json())?
        } else {
            result.print(out)?
        }
    }
    out.flush()?;
    match (unreadable, all_valid) {
        (Some(reason), _) => Err(CommandError::Other(reason)),
        (None, false) => Err(CommandError::CheckFailed),
        (None, true) => Ok(()),
    }
}

fn read(file: &str) -> Result<Vec<u8>, String> {
    let limited = |source: &mut dyn Read| {
        let mut bytes = Vec::new();
        let limit = u64::try_from(MAX_FILE_BYTES).unwrap_or(u64::MAX) + 1;
        source
            .take(limit)
            .read_to_end(&mut bytes)
            .map(|_| bytes)
            .map_err(|error| error.to_string())
    };
    if file == "-" {
        limited(&mut io::stdin().lock())
    } else {
        limited(&mut fs::File::open(file).map_err(|error| error.to_string())?)
    }
}

/// Checks a file. Records have a `format` field; all other files are recognized by their game.
fn check_file<'a>(file: &'a str, bytes: &[u8], start: &str) -> FileCheck<'a> {
    if bytes.len() > MAX_FILE_BYTES {
        return FileCheck::invalid(
            file,
            "size",
            format!("the file has more than {MAX_FILE_BYTES} bytes"),
        );
    }
    match Document::read(bytes) {
        Ok(document) if document.value.get("format").is_some() => check_record(file, document),
        _ => {
            let name = Path::new(file)
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            let options = json!({ START: start });
            let checked = match files::check(name, bytes, &options) {
                Ok(checked) => checked,
                Err(error) => return FileCheck::invalid(file, "options", error.to_string()),
            };
            let title = checked.kind.map_or("unknown file", files::FileKind::title);
            FileCheck {
                file,
                valid: checked.is_valid(),
                problems: checked.problems,
                notes: checked.notes,
                title,
            }
        }
    }
}

fn check_record(file: &str, document: Document) -> FileCheck<'_> {
    let mut problems = document.doubled();
    match serde_json::from_value::<Record>(document.value) {
        Ok(record) => problems.extend(verify(&record).problems.into_iter().map(|found| {
            let place = found
                .step
                .map_or_else(String::new, |step| format!("step {}: ", step + 1));
            Finding {
                rule: found.rule,
                message: format!("{place}{}", found.message),
            }
        })),
        Err(error) => problems.push(Finding {
            rule: "form",
            message: format!("not a record of a game: {error}"),
        }),
    }
    FileCheck {
        file,
        valid: problems.is_empty(),
        problems,
        notes: Vec::new(),
        title: "record",
    }
}

impl FileCheck<'_> {
    fn invalid<'a>(file: &'a str, rule: &'static str, message: String) -> FileCheck<'a> {
        FileCheck {
            file,
            valid: false,
            problems: vec![Finding { rule, message }],
            notes: Vec::new(),
            title: "",
        }
    }

    fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a result is plain data")
    }

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let file: String = self
            .file
            .chars()
            .map(|c| if c.is_control() { '?' } else { c })
            .collect();
        if self.valid {
            writeln!(out, "{file}: valid ({})", self.title)?;
        } else {
            writeln!(out, "{file}: invalid")?;
        }
        for Finding { rule, message } in &self.problems {
            writeln!(out, "  {rule}: {message}")?;
        }
        for Finding { rule, message } in &self.notes {
            writeln!(out, "  note: {rule}: {message}")?;
        }
        Ok(())
    }
}
