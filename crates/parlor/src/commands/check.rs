//! `parlor check`: files of the house, each looked at by itself.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use parlor_games::files::{self, Document, Finding, Start};
use parlor_table::Record;
use parlor_table::verify::verify;
use serde::Serialize;

use crate::failure::Failure;

/// The longest file that is read, in bytes: a record may be longer than other files.
const LIMIT: usize = 16 << 20;

/// Checks files: state.json and move files of backgammon, records of games.
#[derive(Args, Debug)]
#[command(after_help = "\
A state.json and a move file do not say from which start they count: --start says it. A file that keeps all rules but that no
play leads to is valid, with a note. Records are replayed and their luck is derived again, as verify does.

Exit codes: 0 when every file is valid, 1 when one is not, 2 when one cannot be read.

Examples:
  parlor check tables/7/state.json tables/7/moves/*.json
  parlor check state.json --start printed-up
  parlor check game.json --json")]
pub struct Check {
    /// Files, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// The start that states and moves of backgammon count from
    #[arg(long, default_value = Start::Standard.name(), value_parser = starts())]
    start: Start,
    /// Print one line of JSON for each file
    #[arg(long)]
    json: bool,
}

fn starts() -> impl TypedValueParser<Value = Start> {
    let names = PossibleValuesParser::new(Start::ALL.map(Start::name));
    names.map(|name| Start::from_name(&name).expect("only names of starts are possible"))
}

/// What is said of a file.
#[derive(Serialize)]
struct Answer<'a> {
    file: &'a str,
    valid: bool,
    problems: Vec<Finding>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<Finding>,
    /// What the file is.
    #[serde(skip)]
    title: &'static str,
}

pub fn run(args: &Check, out: &mut dyn Write) -> Result<(), Failure> {
    let mut all_valid = true;
    let mut unreadable = None;
    for file in &args.files {
        let answer = match read(file) {
            Ok(bytes) => look(file, &bytes, args.start),
            Err(reason) => {
                unreadable = unreadable.or(Some(format!("{file}: {reason}")));
                Answer::refused(file, "read", format!("the file cannot be read: {reason}"))
            }
        };
        all_valid &= answer.valid;
        if args.json {
            writeln!(out, "{}", answer.json())?
        } else {
            answer.tell(out)?
        }
    }
    out.flush()?;
    match (unreadable, all_valid) {
        (Some(reason), _) => Err(Failure::Refused(reason)),
        (None, false) => Err(Failure::Unsound),
        (None, true) => Ok(()),
    }
}

fn read(file: &str) -> Result<Vec<u8>, String> {
    let limited = |source: &mut dyn Read| {
        let mut bytes = Vec::new();
        let limit = u64::try_from(LIMIT).unwrap_or(u64::MAX) + 1;
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

/// Records say what they are; everything else the games know.
fn look<'a>(file: &'a str, bytes: &[u8], start: Start) -> Answer<'a> {
    if bytes.len() > LIMIT {
        return Answer::refused(
            file,
            "size",
            format!("the file has more than {LIMIT} bytes"),
        );
    }
    match Document::read(bytes) {
        Ok(document) if document.value.get("format").is_some() => record(file, document),
        _ => {
            let name = Path::new(file)
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            let checked = files::check(name, bytes, start);
            let title = checked
                .kind
                .map_or("no file of the house", files::FileKind::title);
            Answer {
                file,
                valid: checked.is_valid(),
                problems: checked.problems,
                notes: checked.notes,
                title,
            }
        }
    }
}

fn record(file: &str, document: Document) -> Answer<'_> {
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
            message: format!("this is no record of a game: {error}"),
        }),
    }
    Answer {
        file,
        valid: problems.is_empty(),
        problems,
        notes: Vec::new(),
        title: "record",
    }
}

impl Answer<'_> {
    fn refused<'a>(file: &'a str, rule: &'static str, message: String) -> Answer<'a> {
        Answer {
            file,
            valid: false,
            problems: vec![Finding { rule, message }],
            notes: Vec::new(),
            title: "",
        }
    }

    fn json(&self) -> String {
        serde_json::to_string(self).expect("an answer is plain data")
    }

    fn tell(&self, out: &mut dyn Write) -> io::Result<()> {
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
