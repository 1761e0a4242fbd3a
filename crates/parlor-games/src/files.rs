//! Standalone validation of game files, with findings.

mod json;

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::{GameKind, OptionsError};

pub use json::{Document, NotJson};

/// Size limit of a file, in bytes.
pub const LIMIT: usize = 1 << 20;
/// Number of hexadecimal digits of the content hash in the name of a move file.
const CONTENT_DIGITS: usize = 6;
/// Number of hexadecimal digits of the state hash in a move file.
const STATE_DIGITS: usize = 16;

/// Format of a game's files that can be validated on their own.
pub trait FileFormat: Send + Sync {
    /// Returns the name of the format for display, such as "state of backgammon".
    fn title(&self) -> &'static str;

    /// Returns the JSON Schema of the format.
    fn schema(&self) -> &'static str;

    /// Returns true if this file name, given without its folder, belongs to the format.
    fn is_name(&self, name: &str) -> bool;

    /// Returns the fields by which an unnamed file is recognized.
    fn fields(&self) -> &'static [&'static str];

    /// Checks a file and returns everything that is wrong with it. `options` are the game's options
    /// that the files themselves do not state.
    ///
    /// # Errors
    /// Every problem with the options.
    fn check(&self, name: &str, json: &Value, options: &Value) -> Result<Checked, OptionsError>;
}

/// Handle to a [`FileFormat`].
#[derive(Clone, Copy)]
pub struct FileKind(&'static dyn FileFormat);

/// Problem or note about a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Stable identifier for programs.
    pub rule: &'static str,
    /// Message for display.
    pub message: String,
}

/// Result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Format of the file; `None` if it is unknown.
    pub kind: Option<FileKind>,
    /// Findings that make it invalid.
    pub problems: Vec<Finding>,
    /// Findings that do not make it invalid.
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
    /// Returns true if there are no problems.
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
    /// Creates a handle to a format.
    pub const fn new(format: &'static dyn FileFormat) -> FileKind {
        FileKind(format)
    }

    /// Returns the name of the format for display.
    pub fn title(self) -> &'static str {
        self.0.title()
    }

    /// Returns the JSON Schema of the format.
    pub fn schema(self) -> &'static str {
        self.0.schema()
    }

    /// Recognizes a file by its name, or else by its fields.
    fn recognize(name: &str, content: Option<&Value>) -> Option<FileKind> {
        if let Some(kind) = FileKind::all().find(|kind| kind.0.is_name(name)) {
            return Some(kind);
        }
        let fields = content?.as_object()?;
        let count = |kind: &FileKind| {
            let known = kind.0.fields().iter();
            known.filter(|name| fields.contains_key(**name)).count()
        };
        // If several have the same number of fields, the first one listed wins.
        let best = FileKind::all().rev().max_by_key(count)?;
        (count(&best) > 0).then_some(best)
    }

    fn all() -> impl DoubleEndedIterator<Item = FileKind> {
        let formats = GameKind::all().iter().flat_map(|kind| kind.files());
        formats.map(|format| FileKind(*format))
    }
}

impl PartialEq for FileKind {
    fn eq(&self, other: &FileKind) -> bool {
        self.title() == other.title()
    }
}

impl Eq for FileKind {}

impl fmt::Debug for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FileKind({})", self.title())
    }
}

/// Checks a file: recognizes its format and finds everything that is wrong with it. `name` is the
/// file name without its folder, or empty. `options` are the game's options that the files
/// themselves do not state; `null` for the defaults.
///
/// ```
/// use parlor_games::files;
/// use serde_json::Value;
/// let checked = files::check("state.json", b"{\"turn\": 0}", &Value::Null)?;
/// assert!(checked.problems.iter().any(|problem| problem.message == "turn: expected a whole number from 1, got 0"));
/// assert!(checked.problems.iter().any(|problem| problem.message == "board is missing"));
/// # Ok::<(), parlor_games::OptionsError>(())
/// ```
///
/// # Errors
/// Every problem with the options.
pub fn check(name: &str, bytes: &[u8], options: &Value) -> Result<Checked, OptionsError> {
    if bytes.len() > LIMIT {
        let problem = Finding::new("size", format_args!("the file has more than {LIMIT} bytes"));
        return Ok(Checked::refused(FileKind::recognize(name, None), problem));
    }
    let document = match Document::read(bytes) {
        Ok(document) => document,
        Err(error) => {
            let kind = FileKind::recognize(name, None);
            return Ok(Checked::refused(kind, Finding::new("json", error)));
        }
    };
    let kind = FileKind::recognize(name, Some(&document.value));
    let mut checked = match kind {
        Some(kind) => kind.0.check(name, &document.value, options)?,
        None => {
            let titles: Vec<&str> = FileKind::all().map(FileKind::title).collect();
            let message = format!("the format is unknown: not a {}", titles.join(" or a "));
            Checked::refused(None, Finding::new("kind", message))
        }
    };
    checked.problems.splice(0..0, document.doubled());
    Ok(checked)
}

/// Returns the schema of an option that the games' files leave open, such as `start`; `None` if
/// there is no such option.
///
/// ```
/// use parlor_games::{choices, files};
/// let schema = files::option_schema("start").expect("the starting position of backgammon's files");
/// assert_eq!(schema["default"], "standard");
/// assert_eq!(choices(&schema)[1], ("printed", "As printed, white down"));
/// ```
pub fn option_schema(name: &str) -> Option<Value> {
    let games = GameKind::all()
        .iter()
        .filter(|kind| !kind.files().is_empty());
    let mut schemas = games.map(|kind| kind.options_schema());
    schemas.find_map(|schema| schema["properties"].get(name).cloned())
}

/// Returns the digits in a move file's name: the first six of the SHA-256 of its content, written
/// as JSON without whitespace, names in alphabetical order, non-ASCII characters unescaped.
///
/// ```
/// use parlor_games::files::content_hash;
/// let (one, other) = (serde_json::json!({ "b": 1, "a": [2] }), serde_json::json!({ "a": [2], "b": 1 }));
/// assert_eq!(content_hash(&one), content_hash(&other));
/// ```
pub fn content_hash(value: &Value) -> String {
    let mut text = String::new();
    canonical(value, &mut text);
    let mut digits = hexadecimal(text.as_bytes());
    digits.truncate(CONTENT_DIGITS);
    digits
}

/// Returns the hash of a state as stated in a move file: the first 16 hexadecimal digits of the
/// SHA-256 of all bytes of `state.json`.
///
/// ```
/// use parlor_games::files::digest;
/// assert_eq!(digest(b"{}\n"), "ca3d163bab055381");
/// ```
pub fn digest(bytes: &[u8]) -> String {
    let mut digits = hexadecimal(bytes);
    digits.truncate(STATE_DIGITS);
    digits
}

/// Parses an RFC 3339 timestamp, the strict form of ISO 8601 that JSON Schema requires, into
/// nanoseconds since the Unix epoch; `None` if it is invalid. A leap second is only valid at the
/// end of a month.
///
/// ```
/// use parlor_games::files::timestamp;
/// assert_eq!(timestamp("2025-01-21T12:00:00Z"), timestamp("2025-01-21T13:00:00.000+01:00"));
/// assert_eq!(timestamp("2025-01-21 noon"), None);
/// ```
pub fn timestamp(text: &str) -> Option<i128> {
    // The grammar requires a T here; the parser accepts any character.
    let has_t = matches!(text.as_bytes().get(10), Some(b'T' | b't'));
    let moment = OffsetDateTime::parse(text, &Rfc3339).ok().filter(|_| has_t);
    moment.map(OffsetDateTime::unix_timestamp_nanos)
}

fn hexadecimal(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").expect("a text takes everything");
            text
        })
}

/// Writes JSON without whitespace, names in alphabetical order. `serde_json` would keep insertion
/// order if another crate enables that feature.
fn canonical(value: &Value, text: &mut String) {
    match value {
        Value::Array(items) => {
            for (n, item) in items.iter().enumerate() {
                text.push(if n == 0 { '[' } else { ',' });
                canonical(item, text);
            }
            text.push_str(if items.is_empty() { "[]" } else { "]" });
        }
        Value::Object(fields) => {
            let sorted: BTreeMap<&String, &Value> = fields.iter().collect();
            for (n, (name, value)) in sorted.into_iter().enumerate() {
                text.push(if n == 0 { '{' } else { ',' });
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                canonical(value, text);
            }
            text.push_str(if fields.is_empty() { "{}" } else { "}" });
        }
        plain => text.push_str(&plain.to_string()),
    }
}
