//! Verification of tables in a repository.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use parlor_git::history::{HistoryReport, SealCheck, check};
use parlor_git::paths::Slug;
use parlor_git::player::{list_tables, read_folder};
use parlor_git::verify::{FolderReport, verify as verify_folder};
use parlor_git::{HouseSecret, Repository};
use serde_json::{Value, json};

use super::{VerifyArgs, summary};
use crate::error::CommandError;

/// Verifies a table's folder, or all tables of a repository, and their history. Returns true if all
/// of it holds.
pub fn verify(path: &Path, args: &VerifyArgs, out: &mut dyn Write) -> Result<bool, CommandError> {
    let as_json = args.json;
    let is_table = path.join("table.json").exists();
    let folders: Vec<PathBuf> = if is_table {
        vec![path.to_owned()]
    } else {
        let slugs = list_tables(path).map_err(|_| {
            CommandError::Other(format!(
                "{}: neither a table's folder nor a folder with tables",
                path.display()
            ))
        })?;
        slugs.iter().map(|slug| path.join(slug.file(""))).collect()
    };
    let history = match enclosing_clone(path, is_table) {
        Some((repository, table)) => {
            let secret = read_secret(args.secret_file.as_deref())?;
            Some(check(&repository, table.as_ref(), secret.as_ref()).map_err(CommandError::other)?)
        }
        None => None,
    };
    let waiting = history
        .as_ref()
        .map(|history| history.pending.as_slice())
        .unwrap_or_default();
    let mut all_hold = true;
    for folder in folders {
        let checked = match read_folder(&folder) {
            Ok(mut files) => {
                // Files that the referee has not seen yet are not part of the game.
                let real = folder.canonicalize().unwrap_or_else(|_| folder.clone());
                let is_waiting =
                    |name: &str| waiting.iter().any(|path| real.join(name).ends_with(path));
                files.files.retain(|name, _| !is_waiting(name));
                verify_folder(&files)
            }
            Err(broken) => FolderReport {
                report: None,
                files: 0,
                problems: vec![broken],
            },
        };
        all_hold &= checked.problems.is_empty();
        let name = folder.display().to_string();
        print(as_json, name.trim_end_matches('/'), &checked, out)?;
    }
    print_history(as_json, &path.display().to_string(), history.as_ref(), out)?;
    Ok(all_hold && history.is_none_or(|history| history.is_valid()))
}

/// Returns the clone that a folder is or, for a table, is part of; and the table.
fn enclosing_clone(path: &Path, is_table: bool) -> Option<(Repository, Option<Slug>)> {
    let path = path.canonicalize().ok()?;
    let top = if is_table {
        path.parent()?.parent()?
    } else {
        &path
    };
    let table = if is_table {
        Some(path.file_name()?.to_str()?.parse().ok()?)
    } else {
        None
    };
    let is_table_folder = table.as_ref().is_none_or(|slug: &Slug| {
        top.join(slug.file(""))
            .canonicalize()
            .is_ok_and(|at| at == path)
    });
    if !is_table_folder || !Repository::is_at(top) {
        return None;
    }
    Repository::open(top)
        .ok()
        .map(|repository| (repository, table))
}

/// Reads the referee's secret, if one is given.
fn read_secret(file: Option<&Path>) -> Result<Option<HouseSecret>, CommandError> {
    const VARIABLE: &str = "PARLOR_GIT_SECRET";
    let (text, from) = match (file, std::env::var(VARIABLE)) {
        (Some(file), _) => {
            let name = file.display().to_string();
            (
                fs::read_to_string(file)
                    .map_err(|error| CommandError::Other(format!("{name}: {error}")))?,
                name,
            )
        }
        (None, Ok(text)) => (text, VARIABLE.to_owned()),
        (None, Err(_)) => return Ok(None),
    };
    let secret = HouseSecret::from_hex(&text);
    secret
        .map(Some)
        .ok_or_else(|| CommandError::Other(format!("{from}: a secret is 64 hexadecimal digits")))
}

/// Maximum number of problems listed per history: one rewritten commit can cause many.
const MAX_LISTED: usize = 20;

fn print_history(
    as_json: bool,
    name: &str,
    history: Option<&HistoryReport>,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let Some(history) =
        history.filter(|history| history.referee_commits > 0 || !history.is_valid())
    else {
        let reason = "not a clone of a repository with games";
        if as_json {
            writeln!(
                out,
                "{}",
                json!({ "history": name, "holds": Value::Null, "error": reason })
            )?;
        } else {
            writeln!(out, "{name}: history not checked: {reason}")?;
        }
        return Ok(());
    };
    let (seals, word) = match history.seals {
        SealCheck::Checked => ("checked", "all seals checked"),
        SealCheck::Unchecked => (
            "unchecked",
            "seals not checked without the referee's secret",
        ),
        SealCheck::None => ("none", "without seals"),
    };
    if as_json {
        let problem = |misfit: &parlor_git::history::HistoryProblem| json!({ "commit": misfit.commit, "file": misfit.file, "message": misfit.reason });
        let problems: Vec<_> = history.problems.iter().map(problem).collect();
        let line = json!({
            "history": name, "holds": history.is_valid(), "commits": history.commits, "answers": history.referee_commits,
            "waiting": history.pending, "seals": seals, "shallow": history.shallow, "problems": problems,
        });
        writeln!(out, "{line}")?;
        return Ok(());
    }
    let HistoryReport {
        commits,
        referee_commits,
        pending,
        ..
    } = history;
    let verdict = if history.is_valid() {
        "holds"
    } else {
        "does not hold"
    };
    let waiting = match pending.len() {
        0 => String::new(),
        1 => ", 1 new move file waiting".to_owned(),
        many => format!(", {many} new move files waiting"),
    };
    let shallow = if history.shallow {
        "; the clone is shallow, so its beginning was not checked"
    } else {
        ""
    };
    writeln!(
        out,
        "{name}: history {verdict} ({commits} commits, {referee_commits} by the referee, {word}{waiting}{shallow})"
    )?;
    for misfit in history.problems.iter().take(MAX_LISTED) {
        writeln!(out, "  {misfit}")?;
    }
    match history.problems.len().saturating_sub(MAX_LISTED) {
        0 => {}
        more => writeln!(out, "  and {more} more")?,
    }
    Ok(())
}

fn print(
    as_json: bool,
    name: &str,
    checked: &FolderReport,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let holds = checked.problems.is_empty();
    if as_json {
        let problem = |broken: &parlor_git::folder::FileError| json!({ "file": broken.file, "message": broken.reason });
        let problems: Vec<_> = checked.problems.iter().map(problem).collect();
        let line =
            json!({ "record": name, "holds": holds, "files": checked.files, "problems": problems });
        writeln!(out, "{line}")?;
        return Ok(());
    }
    match &checked.report {
        Some(report) if holds => writeln!(
            out,
            "{name}: holds ({}, {} move file{})",
            summary(report),
            checked.files,
            if checked.files == 1 { "" } else { "s" }
        )?,
        _ => writeln!(out, "{name}: does not hold")?,
    }
    for broken in &checked.problems {
        writeln!(out, "  {broken}")?;
    }
    Ok(())
}
