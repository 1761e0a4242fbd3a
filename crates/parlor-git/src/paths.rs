//! Where everything lies in a house's repository.

use std::fmt;
use std::str::FromStr;

/// The folder of all tables.
pub const TABLES: &str = "tables";
/// The file that says who plays here and how they prove it.
pub const HOUSE: &str = "house.json";
/// A table's own files, beside its moves.
pub const TABLE: &str = "table.json";
/// The published state.
pub const STATE: &str = "state.json";
/// Everything that was played and drawn.
pub const RECORD: &str = "record.json";
/// The picture.
pub const BOARD: &str = "board.svg";
/// The folder of a table's moves.
pub const MOVES: &str = "moves";
/// The list of all tables.
pub const INDEX: &str = "tables/index.json";
/// The same for people, with pictures.
pub const OVERVIEW: &str = "tables/README.md";

/// The name of a table's folder: 1 to 40 characters of `a-z`, `0-9` and `-`, beginning with a letter or digit.
///
/// ```
/// use parlor_git::paths::Slug;
/// assert!("friday-night".parse::<Slug>().is_ok());
/// assert!(["", "..", "-x", "A", "a/b", "a b", "a.b"].iter().all(|text| text.parse::<Slug>().is_err()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slug(String);

impl Slug {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path of a file of this table.
    pub fn file(&self, name: &str) -> String {
        format!("{TABLES}/{}/{name}", self.0)
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text that cannot name a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a table's name has 1 to 40 characters of a-z, 0-9 and -, and begins with a letter or digit"
)]
pub struct BadSlug;

impl FromStr for Slug {
    type Err = BadSlug;

    fn from_str(text: &str) -> Result<Slug, BadSlug> {
        let sound = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let is_name =
            (1..=40).contains(&text.len()) && text.bytes().all(sound) && !text.starts_with('-');
        if is_name {
            Ok(Slug(text.to_owned()))
        } else {
            Err(BadSlug)
        }
    }
}

/// What a path below `tables` is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place<'a> {
    /// A file in a table's folder of moves.
    Move {
        /// The table.
        table: Slug,
        /// The file's name.
        name: &'a str,
    },
    /// Any other file of a table.
    Own {
        /// The table.
        table: Slug,
        /// The path within the folder.
        name: &'a str,
    },
    /// A path that belongs to no table.
    Stray,
}

impl Place<'_> {
    /// What a path is; nothing when it does not lie below `tables`.
    pub fn of(path: &str) -> Option<Place<'_>> {
        let rest = path.strip_prefix("tables/")?;
        let Some((slug, name)) = rest.split_once('/') else {
            return Some(Place::Stray);
        };
        let Ok(table) = slug.parse() else {
            return Some(Place::Stray);
        };
        match name.strip_prefix("moves/") {
            Some(name) if !name.contains('/') => Some(Place::Move { table, name }),
            _ => Some(Place::Own { table, name }),
        }
    }
}

/// A text that comes from somebody else, fit for a line: without control characters, and not long.
pub fn shown(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .take(80)
        .collect();
    if text.chars().count() > 80 {
        format!("{plain}...")
    } else {
        plain
    }
}
