//! Files of the house that can be checked by themselves: which there are, and what is wrong with one.

mod json;

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::backgammon::state;

pub use json::{Document, NotJson};
pub use parlor_backgammon::Start;

/// The longest file that is looked at, in bytes.
pub const LIMIT: usize = 1 << 20;

/// A file that is known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// `state.json`: a game of backgammon in a repository.
    BackgammonState,
    /// A move file beside it.
    BackgammonMove,
}

/// Something about a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// A stable name for programs.
    pub rule: &'static str,
    /// What it is.
    pub message: String,
}

/// What a check came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// What the file is; nothing when it is none of the house's.
    pub kind: Option<FileKind>,
    /// What is wrong with it; empty when it is valid.
    pub problems: Vec<Finding>,
    /// What else there is to know; no reason to refuse it.
    pub notes: Vec<Finding>,
}

impl Finding {
    pub(crate) fn new(rule: &'static str, message: impl fmt::Display) -> Finding {
        Finding {
            rule,
            message: message.to_string(),
        }
    }
}

impl Checked {
    /// Whether nothing is wrong.
    pub fn is_valid(&self) -> bool {
        self.problems.is_empty()
    }

    fn refused(kind: Option<FileKind>, problem: Finding) -> Checked {
        Checked {
            kind,
            problems: vec![problem],
            notes: Vec::new(),
        }
    }
}

impl FileKind {
    /// What the file is called.
    pub const fn title(self) -> &'static str {
        match self {
            FileKind::BackgammonState => "state of backgammon",
            FileKind::BackgammonMove => "move of backgammon",
        }
    }

    /// The JSON Schema of such files.
    pub const fn schema(self) -> &'static str {
        match self {
            FileKind::BackgammonState => state::SCHEMA,
            FileKind::BackgammonMove => state::MOVE_SCHEMA,
        }
    }

    /// What a file is meant to be: by its name, else by the fields that it has.
    fn of(name: &str, content: Option<&Value>) -> Option<FileKind> {
        if name == state::FILE_NAME {
            return Some(FileKind::BackgammonState);
        }
        if state::is_move_name(name) {
            return Some(FileKind::BackgammonMove);
        }
        let fields = content?.as_object()?;
        let has = |names: &[&str]| {
            names
                .iter()
                .filter(|name| fields.contains_key(**name))
                .count()
        };
        match (has(&state::FIELDS), has(&state::MOVE_FIELDS)) {
            (0, 0) => None,
            (of_state, of_move) if of_state >= of_move => Some(FileKind::BackgammonState),
            _ => Some(FileKind::BackgammonMove),
        }
    }
}

/// Looks at a file: which it is, and what is wrong with it, everything at once. `name` is the file's name without its folder,
/// or empty. Files that do not say from which start they count are read from `start`.
///
/// ```
/// use parlor_games::files::{self, Start};
/// let checked = files::check("state.json", b"{\"turn\": 0}", Start::Standard);
/// assert!(checked.problems.iter().any(|problem| problem.message == "turn: 0 does not do: a whole number from 1 is needed"));
/// assert!(checked.problems.iter().any(|problem| problem.message == "board is missing"));
/// ```
pub fn check(name: &str, bytes: &[u8], start: Start) -> Checked {
    if bytes.len() > LIMIT {
        let problem = Finding::new("size", format_args!("the file has more than {LIMIT} bytes"));
        return Checked::refused(FileKind::of(name, None), problem);
    }
    let document = match Document::read(bytes) {
        Ok(document) => document,
        Err(error) => {
            return Checked::refused(FileKind::of(name, None), Finding::new("json", error));
        }
    };
    let kind = FileKind::of(name, Some(&document.value));
    let mut checked = match kind {
        Some(FileKind::BackgammonState) => state::check(&document.value, start),
        Some(FileKind::BackgammonMove) => state::check_move(name, &document.value, start),
        None => {
            let message =
                "this is no file of the house: neither a state.json nor a move file of backgammon";
            Checked::refused(None, Finding::new("kind", message))
        }
    };
    checked.problems.splice(0..0, document.doubled());
    checked
}
