//! What the referee decides about one table: pure, from files to files.

use parlor_games::repository::NoteKind;

use crate::folder::{Broken, Folder};
use crate::paths::shown;
use crate::playing::{Playing, Submission};
use crate::seal::HouseSecret;

/// What lies at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A file.
    File(Vec<u8>),
    /// A file that is too long to be looked at, with its bytes.
    TooLong(u64),
    /// A link or something else that is no file.
    NoFile,
}

/// A new file among a table's moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offered {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub content: Content,
    /// The players whom its commit can come from.
    pub by: Vec<String>,
    /// Who made the commit, in words.
    pub from: String,
    /// Hashes of states that the player can have seen.
    pub seen: Vec<String>,
    /// When, in seconds since 1970.
    pub at: i64,
}

/// A change of a file that is not the players'.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// The path within the folder.
    pub path: String,
    /// `added`, `changed` or `deleted`.
    pub what: &'static str,
    /// Who made the commit, in words.
    pub from: String,
    /// When, in seconds since 1970.
    pub at: i64,
}

/// What became of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// Its files as they are to be.
    pub folder: Folder,
    /// What was done, a line each.
    pub said: Vec<String>,
}

/// Decides about everything that was pushed to a table since the last time, in order: first what is to be taken back, then moves by
/// their commits.
///
/// # Errors
/// When the folder itself does not hold; then nothing can be played at this table.
pub fn judge(
    folder: &Folder,
    secret: &HouseSecret,
    offered: &[Offered],
    foreign: &[Foreign],
) -> Result<Ruling, Broken> {
    let mut playing = Playing::resume(folder, secret)?;
    let mut said = Vec::new();
    for Foreign {
        path,
        what,
        from,
        at,
    } in foreign
    {
        let text = format!(
            "{} was {what} by {}: taken back, only the referee writes it",
            shown(path),
            shown(from)
        );
        said.push(text.clone());
        playing.warn(NoteKind::Warning, text, *at);
    }
    for Offered {
        name,
        content,
        by,
        from,
        seen,
        at,
    } in offered
    {
        let outcome = match content {
            Content::File(bytes) => playing.submit(Submission {
                name,
                bytes,
                by,
                from: &shown(from),
                seen,
                at: *at,
            }),
            Content::TooLong(bytes) => {
                Err(format!("the file has {bytes} bytes, which no move needs"))
            }
            Content::NoFile => Err("it is no file".to_owned()),
        };
        match outcome {
            Ok(()) => said.push(format!("{} played", shown(name))),
            Err(reason) => {
                let text = format!(
                    "{} by {} was rejected: {}",
                    shown(name),
                    shown(from),
                    short(&reason)
                );
                said.push(text.clone());
                playing.warn(NoteKind::Error, text, *at);
            }
        }
    }
    Ok(Ruling {
        folder: playing.folder(),
        said,
    })
}

fn short(reason: &str) -> String {
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
