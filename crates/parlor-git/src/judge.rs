//! The referee's decisions about one table, as a pure function from files to files.

use parlor_games::repository::NoteKind;

use crate::folder::{FileError, TableFolder};
use crate::paths::sanitized;
use crate::refereed_table::{MoveRejection, RefereedTable, Submission};
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
    for change in foreign {
        messages.push(report_foreign_change(&mut table, change));
    }
    for offered in offered {
        messages.push(play_or_reject(&mut table, offered));
    }
    Ok(Ruling {
        folder: table.folder(),
        messages,
    })
}

/// Reports a change to a table's players and returns the message.
fn report_foreign_change(table: &mut RefereedTable, change: &ForeignChange) -> String {
    let text = format!(
        "{} was {} by {}: taken back, only the referee writes it",
        sanitized(&change.path),
        change.what,
        sanitized(&change.from)
    );
    table.add_note(NoteKind::Warning, text.clone(), change.at);
    text
}

/// Plays a move, or reports to the table's players why it was rejected. Returns the message.
fn play_or_reject(table: &mut RefereedTable, offered: &OfferedMove) -> String {
    let from = sanitized(&offered.from);
    match submit(table, offered, &from) {
        Ok(()) => format!("{} played", sanitized(&offered.name)),
        Err(rejection) => {
            let text = format!(
                "{} by {from} was rejected: {}",
                sanitized(&offered.name),
                shorten(&rejection.to_string())
            );
            table.add_note(NoteKind::Error, text.clone(), offered.at);
            text
        }
    }
}

/// Reason why an offered move was rejected.
#[derive(Debug, thiserror::Error)]
enum OfferRejection {
    /// The file is too long, with its size in bytes.
    #[error("the file has {0} bytes, which no move needs")]
    TooLong(u64),
    /// It is a link or another entry that is not a file.
    #[error("it is no file")]
    NoFile,
    /// The table rejected the move.
    #[error(transparent)]
    Move(#[from] MoveRejection),
}

fn submit(
    table: &mut RefereedTable,
    offered: &OfferedMove,
    from: &str,
) -> Result<(), OfferRejection> {
    let bytes = match &offered.content {
        FileContent::File(bytes) => bytes,
        FileContent::TooLong(size) => return Err(OfferRejection::TooLong(*size)),
        FileContent::NoFile => return Err(OfferRejection::NoFile),
    };
    table.submit(Submission {
        name: &offered.name,
        bytes,
        by: &offered.by,
        from,
        seen: &offered.seen,
        at: offered.at,
    })?;
    Ok(())
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
