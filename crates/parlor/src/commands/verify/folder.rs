//! Tables of a repository.

use std::io::Write;
use std::path::{Path, PathBuf};

use parlor_git::player::{read_folder, tables};
use parlor_git::verify::{Checked, verify as verify_folder};
use serde_json::json;

use super::extent;
use crate::failure::Failure;

/// Verifies a table's folder, or all tables of a house, and says whether they hold.
pub fn verify(path: &Path, as_json: bool, out: &mut dyn Write) -> Result<bool, Failure> {
    let folders: Vec<PathBuf> = if path.join("table.json").exists() {
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
    let mut sound = true;
    for folder in folders {
        let checked = match read_folder(&folder) {
            Ok(files) => verify_folder(&files),
            Err(broken) => Checked { report: None, files: 0, problems: vec![broken] },
        };
        sound &= checked.problems.is_empty();
        let name = folder.display().to_string();
        tell(as_json, name.trim_end_matches('/'), &checked, out)?;
    }
    Ok(sound)
}

fn tell(as_json: bool, name: &str, checked: &Checked, out: &mut dyn Write) -> Result<(), Failure> {
    let holds = checked.problems.is_empty();
    if as_json {
        let problem = |broken: &parlor_git::folder::Broken| json!({ "file": broken.file, "message": broken.reason });
        let problems: Vec<_> = checked.problems.iter().map(problem).collect();
        let line = json!({ "record": name, "holds": holds, "files": checked.files, "problems": problems });
        writeln!(out, "{line}")?;
        return Ok(());
    }
    match &checked.report {
        Some(report) if holds => writeln!(out, "{name}: holds ({}, {} move files)", extent(report), checked.files)?,
        _ => writeln!(out, "{name}: does not hold")?,
    }
    for broken in &checked.problems {
        writeln!(out, "  {broken}")?;
    }
    Ok(())
}
