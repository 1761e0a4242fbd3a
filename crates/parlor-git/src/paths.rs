//! Layout of a house's repository.

use std::fmt;
use std::str::FromStr;

/// Folder of all tables.
pub const TABLES: &str = "tables";
/// File with the players of the house and their identities.
pub const HOUSE: &str = "house.json";
/// File with the terms and result of a table.
pub const TABLE: &str = "table.json";
/// File with the published state of a table.
pub const STATE: &str = "state.json";
/// File with the record of a table.
pub const RECORD: &str = "record.json";
/// File with the picture of the board.
pub const BOARD: &str = "board.svg";
/// Folder of a table's move files.
pub const MOVES: &str = "moves";
/// List of all tables, for programs.
pub const INDEX: &str = "tables/index.json";
/// List of all tables, for people.
pub const OVERVIEW: &str = "tables/README.md";

/// Name of a table's folder: 1 to 40 characters from `a-z`, `0-9` and `-`, beginning with a letter
/// or digit.
///
/// ```
/// use parlor_git::paths::Slug;
/// assert!("friday-night".parse::<Slug>().is_ok());
/// assert!(["", "..", "-x", "A", "a/b", "a b", "a.b"].iter().all(|text| text.parse::<Slug>().is_err()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slug(String);

impl Slug {
    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the path in the repository of a file of this table.
    pub fn file(&self, name: &str) -> String {
        format!("{TABLES}/{}/{name}", self.0)
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Error for a text that is not a valid table name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a table's name has 1 to 40 characters of a-z, 0-9 and -, and begins with a letter or digit"
)]
pub struct BadSlug;

impl FromStr for Slug {
    type Err = BadSlug;

    fn from_str(text: &str) -> Result<Slug, BadSlug> {
        let is_allowed =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let is_name = (1..=40).contains(&text.len())
            && text.bytes().all(is_allowed)
            && !text.starts_with('-');
        if is_name {
            Ok(Slug(text.to_owned()))
        } else {
            Err(BadSlug)
        }
    }
}

/// Classified path below the `tables` folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HousePath<'a> {
    /// A file in a table's folder of moves.
    Move {
        /// The table.
        table: Slug,
        /// Name of the file.
        name: &'a str,
    },
    /// Any other file in a table's folder.
    Other {
        /// The table.
        table: Slug,
        /// Path within the folder.
        name: &'a str,
    },
    /// Path that does not belong to any table.
    Outside,
}

impl HousePath<'_> {
    /// Classifies a path; returns `None` if it is not below `tables`.
    pub fn parse(path: &str) -> Option<HousePath<'_>> {
        let rest = path.strip_prefix("tables/")?;
        let Some((slug, name)) = rest.split_once('/') else {
            return Some(HousePath::Outside);
        };
        let Ok(table) = slug.parse() else {
            return Some(HousePath::Outside);
        };
        match name.strip_prefix("moves/") {
            Some(name) if !name.contains('/') => Some(HousePath::Move { table, name }),
            _ => Some(HousePath::Other { table, name }),
        }
    }
}

/// Makes an untrusted text safe for a single line: control characters become `?`, and it is cut
/// after 80 characters.
pub fn sanitized(text: &str) -> String {
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
