//! The referee's decisions about one table, as a pure function from files to files.

use parlor_games::repository::NoteKind;

use crate::folder::{FileError, TableFolder};
use crate::paths::sanitized;
use crate::refereed_table::{RefereedTable, Submission};
use crate::seal::HouseSecret;

/// Contents of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileContent {
    /// A file.
    File(Vec<u8>),
    /// File that is too long to be read, with its size in bytes.
    TooLong(u64),
    /// Link or other entry that is not a file.
    NoFile,
}

/// New file in a table's folder of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedMove {
    /// Name of the file.
    pub name: String,
    /// Contents of the file.
    pub content: FileContent,
    /// Players that the commit may have come from.
    pub by: Vec<String>,
    /// Description of the commit's author, for messages.
    pub from: String,
    /// Hashes of earlier states on which the player may have based the move.
    pub seen: Vec<String>,
    /// Time of the commit, in seconds since the Unix epoch.
    pub at: i64,
}

/// Change to a file that only the referee may write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignChange {
    /// Path within the folder.
    pub path: String,
    /// `added`, `changed` or `deleted`.
    pub what: &'static str,
    /// Description of the commit's author, for messages.
    pub from: String,
    /// Time of the commit, in seconds since the Unix epoch.
    pub at: i64,
}

/// Result of judging a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// New contents of the table's folder.
    pub folder: TableFolder,
    /// Log of the actions taken, one line each.
    pub messages: Vec<String>,
}

/// Processes everything that was pushed to a table since the referee's last commit: first reports
/// foreign changes, then plays or rejects the offered moves in order.
///
/// # Errors
/// [`FileError`] if the table's own files are inconsistent. Nothing can be played at the table
/// then.
pub fn judge(
    folder: &TableFolder,
    secret: &HouseSecret,
    offered: &[OfferedMove],
    foreign: &[ForeignChange],
) -> Result<Ruling, FileError> {
    let mut table = RefereedTable::resume(folder, secret)?;
    let mut messages = Vec::new();
    for ForeignChange {
        path,
        what,
        from,
        at,
    } in foreign
    {
        let text = format!(
            "{} was {what} by {}: taken back, only the referee writes it",
            sanitized(path),
            sanitized(from)
        );
        messages.push(text.clone());
        table.add_note(NoteKind::Warning, text, *at);
    }
    for OfferedMove {
        name,
        content,
        by,
        from,
        seen,
        at,
    } in offered
    {
        let outcome = match content {
            FileContent::File(bytes) => table.submit(Submission {
                name,
                bytes,
                by,
                from: &sanitized(from),
                seen,
                at: *at,
            }),
            FileContent::TooLong(bytes) => {
                Err(format!("the file has {bytes} bytes, which no move needs"))
            }
            FileContent::NoFile => Err("it is no file".to_owned()),
        };
        match outcome {
            Ok(()) => messages.push(format!("{} played", sanitized(name))),
            Err(reason) => {
                let text = format!(
                    "{} by {} was rejected: {}",
                    sanitized(name),
                    sanitized(from),
                    shorten(&reason)
                );
                messages.push(text.clone());
                table.add_note(NoteKind::Error, text, *at);
            }
        }
    }
    Ok(Ruling {
        folder: table.folder(),
        messages,
    })
}

fn shorten(reason: &str) -> String {
    let plain: String = reason
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(300)
        .collect();
    if reason.chars().count() > 300 {
        format!("{plain}...")
    } else {
        plain
    }
}
