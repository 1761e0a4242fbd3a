//! Names of games, and the search for them above the list of games.

use std::collections::{BTreeMap, BTreeSet};

use crate::floors::{GAMES_FLOOR, Violation};
use crate::scan::{self, Language};
use crate::workspace::Workspace;

/// Returns the names of all games, without separators, each with the name that people know:
/// `connectfour` -> `connect_four`.
///
/// A name is a folder of the crate with the list of games that the list names (`mnk::Mnk`,
/// `&CONNECT_FOUR`), or the name of a rules crate without `parlor-`.
///
/// # Errors
/// If no crate has the list, or the list names no folder.
pub(crate) fn game_names(workspace: &Workspace) -> Result<BTreeMap<String, String>, String> {
    let mut names = BTreeMap::new();
    let holder = workspace
        .members
        .values()
        .find_map(|member| Some((member, member.games.as_ref()?)));
    let (holder, list) = holder.ok_or(
        "no crate has the list of games: declare it with `[package.metadata.parlor] games = { file, item }`",
    )?;
    let path = format!("{}/{}", holder.folder, list.file);
    let text = workspace
        .files
        .get(&path)
        .ok_or_else(|| format!("{path}: there is no such file, though the manifest names it"))?;
    let code = scan::shipped_code(text, Language::Rust).text;
    let listed =
        item(&code, &list.item).ok_or_else(|| format!("{path}: there is no list {}", list.item))?;
    for word in listed.split(|c: char| !c.is_alphanumeric() && c != '_') {
        let name = scan::words(word).map(|word| word.text).collect::<Vec<_>>();
        let folder = format!("{}/src/{}/", holder.folder, name.join("_"));
        if !word.is_empty() && workspace.files.keys().any(|file| file.starts_with(&folder)) {
            names.insert(name.concat(), name.join("_"));
        }
    }
    if names.is_empty() {
        return Err(format!("{path}: {} names no folder of a game", list.item));
    }
    for (name, member) in &workspace.members {
        if member.floor == Some(1) && member.direct.contains("parlor-core") {
            let name = name.strip_prefix("parlor-").unwrap_or(name);
            let words: Vec<String> = scan::words(name).map(|word| word.text).collect();
            names.insert(words.concat(), words.join("_"));
        }
    }
    Ok(names)
}

/// Returns the text of the list: the value of a constant or static, or, for a name such as `games!`,
/// the body of a macro call.
fn item<'a>(code: &'a str, name: &str) -> Option<&'a str> {
    if name.ends_with('!') {
        let call = code.find(&format!("{name} {{"))?;
        return code[call..].split('}').next();
    }
    let begins = ["const", "static"]
        .into_iter()
        .filter_map(|keyword| code.find(&format!("{keyword} {name}:")))
        .min()?;
    let text = &code[begins..];
    let value = &text[text.find('=')?..];
    // The semicolon of an array type stands before the value.
    value.split(';').next()
}

/// Returns every place above the list of games that names a game: in a path, an identifier, a
/// string or a selector. Comments, tests and examples in help texts may.
///
/// # Errors
/// If the list of games cannot be found.
pub(crate) fn named_games(workspace: &Workspace) -> Result<Vec<Violation>, String> {
    let names = game_names(workspace)?;
    let mut violations = Vec::new();
    for member in workspace.members.values() {
        if member.floor.is_none_or(|floor| floor <= GAMES_FLOOR) {
            continue;
        }
        let files: Vec<(&str, &str)> = workspace.files_of(member).collect();
        let code: Vec<_> = files
            .iter()
            .map(|(path, text)| (*path, scan::shipped_code(text, Language::of(path))))
            .collect();
        let tests: BTreeSet<String> = code
            .iter()
            .flat_map(|(path, code)| code.test_modules.iter().map(|name| child(path, name)))
            .collect();
        for (path, code) in &code {
            let is_test = tests.iter().any(|test| {
                path.strip_prefix(test.as_str())
                    .is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
            });
            // Dependencies on rules crates are edges.
            if is_test || path.ends_with("/Cargo.toml") {
                continue;
            }
            let inside = &path[member.folder.len()..];
            let mut lines = vec![(0, inside)];
            lines.extend((1..).zip(code.text.lines()));
            for (line, text) in lines {
                violations.extend(games_in(text, &names).into_iter().map(|name| Violation {
                    path: (*path).to_owned(),
                    line,
                    message: format!("names the game {name} above floor {GAMES_FLOOR}"),
                    name,
                }));
            }
        }
    }
    Ok(violations)
}

/// Returns the path, without `.rs`, of a module declared in a source file.
fn child(path: &str, module: &str) -> String {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    match file {
        "mod.rs" | "lib.rs" | "main.rs" => format!("{folder}/{module}"),
        _ => format!("{folder}/{}/{module}", file.trim_end_matches(".rs")),
    }
}

/// Returns the games that a line names, each once. `TicTacToe`, `tic-tac-toe`, "Tic tac toe" and
/// `parlor_tictactoe` are one game; `ultimately` is none.
pub(crate) fn games_in(line: &str, names: &BTreeMap<String, String>) -> BTreeSet<String> {
    let words: Vec<scan::Word> = scan::words(line).collect();
    let mut found = BTreeSet::new();
    for first in 0..words.len() {
        let mut joined = String::new();
        for word in &words[first..] {
            if !joined.is_empty() && !word.follows {
                break;
            }
            joined.push_str(&word.text);
            if let Some(name) = names.get(&joined) {
                found.insert(name.clone());
            }
            if !names.keys().any(|name| name.starts_with(&joined)) {
                break;
            }
        }
    }
    found
}
