//! Tables of a repository.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use parlor_git::history::{History, Seals, check};
use parlor_git::paths::Slug;
use parlor_git::player::{read_folder, tables};
use parlor_git::verify::{Checked, verify as verify_folder};
use parlor_git::{HouseSecret, Repository};
use serde_json::{Value, json};

use super::{Verify, extent};
use crate::failure::Failure;

/// Verifies a table's folder, or all tables of a house, and the history behind them; says whether they hold.
pub fn verify(path: &Path, args: &Verify, out: &mut dyn Write) -> Result<bool, Failure> {
    let as_json = args.json;
    let is_table = path.join("table.json").exists();
    let folders: Vec<PathBuf> = if is_table {
        vec![path.to_owned()]
    } else {
        let slugs = tables(path).map_err(|_| {
            Failure::Refused(format!(
                "{}: this is neither a table's folder nor one with tables below it",
                path.display()
            ))
        })?;
        slugs.iter().map(|slug| path.join(slug.file(""))).collect()
    };
    let history = match clone_of(path, is_table) {
        Some((repository, table)) => {
            let secret = secret(args.secret_file.as_deref())?;
            Some(check(&repository, table.as_ref(), secret.as_ref()).map_err(Failure::refused)?)
        }
        None => None,
    };
    let waiting = history
        .as_ref()
        .map(|history| history.waiting.as_slice())
        .unwrap_or_default();
    let mut sound = true;
    for folder in folders {
        let checked = match read_folder(&folder) {
            Ok(mut files) => {
                // What the referee has not looked at is no part of the game yet.
                let real = folder.canonicalize().unwrap_or_else(|_| folder.clone());
                let waits = |name: &str| waiting.iter().any(|path| real.join(name).ends_with(path));
                files.files.retain(|name, _| !waits(name));
                verify_folder(&files)
            }
            Err(broken) => Checked {
                report: None,
                files: 0,
                problems: vec![broken],
            },
        };
        sound &= checked.problems.is_empty();
        let name = folder.display().to_string();
        tell(as_json, name.trim_end_matches('/'), &checked, out)?;
    }
    tell_history(as_json, &path.display().to_string(), history.as_ref(), out)?;
    Ok(sound && history.is_none_or(|history| history.holds()))
}

/// The clone that a folder is, or, for a table, lies in.
fn clone_of(path: &Path, is_table: bool) -> Option<(Repository, Option<Slug>)> {
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
    let fits = table.as_ref().is_none_or(|slug: &Slug| {
        top.join(slug.file(""))
            .canonicalize()
            .is_ok_and(|at| at == path)
    });
    if !fits || !Repository::is_at(top) {
        return None;
    }
    Repository::open(top)
        .ok()
        .map(|repository| (repository, table))
}

/// The secret of the house, where one is given.
fn secret(file: Option<&Path>) -> Result<Option<HouseSecret>, Failure> {
    const VARIABLE: &str = "PARLOR_GIT_SECRET";
    let (text, from) = match (file, std::env::var(VARIABLE)) {
        (Some(file), _) => {
            let name = file.display().to_string();
            (
                fs::read_to_string(file)
                    .map_err(|error| Failure::Refused(format!("{name}: {error}")))?,
                name,
            )
        }
        (None, Ok(text)) => (text, VARIABLE.to_owned()),
        (None, Err(_)) => return Ok(None),
    };
    let secret = HouseSecret::from_hex(&text);
    secret
        .map(Some)
        .ok_or_else(|| Failure::Refused(format!("{from}: a secret is 64 hexadecimal digits")))
}

/// So many of a history's faults are told at most: one rewritten commit can bring many.
const MOST: usize = 20;

fn tell_history(
    as_json: bool,
    name: &str,
    history: Option<&History>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Some(history) = history.filter(|history| history.answers > 0 || !history.holds()) else {
        let reason = "this is no clone of a house";
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
        Seals::Checked => ("checked", "each of its seals checked"),
        Seals::Unchecked => (
            "unchecked",
            "its seals not checked, which needs the house's secret",
        ),
        Seals::None => ("none", "without seals"),
    };
    if as_json {
        let problem = |misfit: &parlor_git::history::Misfit| json!({ "commit": misfit.commit, "file": misfit.file, "message": misfit.reason });
        let problems: Vec<_> = history.problems.iter().map(problem).collect();
        let line = json!({
            "history": name, "holds": history.holds(), "commits": history.commits, "answers": history.answers,
            "waiting": history.waiting, "seals": seals, "shallow": history.shallow, "problems": problems,
        });
        writeln!(out, "{line}")?;
        return Ok(());
    }
    let History {
        commits,
        answers,
        waiting,
        ..
    } = history;
    let verdict = if history.holds() {
        "holds"
    } else {
        "does not hold"
    };
    let waiting = match waiting.len() {
        0 => String::new(),
        1 => ", 1 new move file waits for it".to_owned(),
        many => format!(", {many} new move files wait for it"),
    };
    let shallow = if history.shallow {
        "; the clone is shallow, so the beginning was not looked at"
    } else {
        ""
    };
    writeln!(
        out,
        "{name}: history {verdict} ({commits} commits, {answers} of the referee, {word}{waiting}{shallow})"
    )?;
    for misfit in history.problems.iter().take(MOST) {
        writeln!(out, "  {misfit}")?;
    }
    match history.problems.len().saturating_sub(MOST) {
        0 => {}
        more => writeln!(out, "  and {more} more")?,
    }
    Ok(())
}

fn tell(as_json: bool, name: &str, checked: &Checked, out: &mut dyn Write) -> Result<(), Failure> {
    let holds = checked.problems.is_empty();
    if as_json {
        let problem = |broken: &parlor_git::folder::Broken| json!({ "file": broken.file, "message": broken.reason });
        let problems: Vec<_> = checked.problems.iter().map(problem).collect();
        let line =
            json!({ "record": name, "holds": holds, "files": checked.files, "problems": problems });
        writeln!(out, "{line}")?;
        return Ok(());
    }
    match &checked.report {
        Some(report) if holds => writeln!(
            out,
            "{name}: holds ({}, {} move files)",
            extent(report),
            checked.files
        )?,
        _ => writeln!(out, "{name}: does not hold")?,
    }
    for broken in &checked.problems {
        writeln!(out, "  {broken}")?;
    }
    Ok(())
}
