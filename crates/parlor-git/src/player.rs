//! What a player does in a clone: look, and make a move.

use std::fs;
use std::path::{Path, PathBuf};

use parlor_games::repository::{MoveFile, digest, seat_words};
use parlor_table::Record;

use crate::files::{TableFile, moment};
use crate::folder::{Broken, Folder};
use crate::git::{GitError, Repository};
use crate::paths::{BOARD, MOVES, RECORD, STATE, Slug, TABLE};
use crate::replay::replay;

/// The longest file that is read.
const LONGEST: u64 = 16 << 20;

/// Why a player could not do something.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// Git refused.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A file of the table cannot be read.
    #[error(transparent)]
    Broken(#[from] Broken),
    /// A file cannot be written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The repository is bare.
    #[error("this repository has no work tree: clone it, and play in the clone")]
    Bare,
    /// There is no such table.
    #[error("there is no table {0} here; parlor git log lists the tables")]
    NoTable(Slug),
    /// The move is not legal, or it is not this player's turn.
    #[error("{0}")]
    Illegal(String),
    /// Others pushed all the time.
    #[error(
        "others pushed each time: the move is committed here, but not pushed; run git pull --rebase and git push"
    )]
    TooBusy,
    /// The table has moved on.
    #[error(
        "the table moved on before the move could be pushed: look again and decide anew; nothing was kept"
    )]
    MovedOn,
}

/// A move to be made.
#[derive(Clone, Debug)]
pub struct Wanted<'a> {
    /// The table.
    pub table: &'a Slug,
    /// The move in the game's notation, or `resign`.
    pub text: &'a str,
    /// Who moves, by the word for the seat; whoever is on turn when not said.
    pub seat: Option<&'a str>,
    /// A word to the others.
    pub comment: Option<String>,
    /// The remote to push to; nothing to commit only.
    pub remote: Option<&'a str>,
    /// The time in seconds since 1970.
    pub now: i64,
}

/// The tables of a work tree or folder, by name.
///
/// # Errors
/// When the folder cannot be read.
pub fn tables(root: &Path) -> std::io::Result<Vec<Slug>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root.join(crate::paths::TABLES))? {
        let name = entry?.file_name();
        let slug = name.to_str().and_then(|name| name.parse::<Slug>().ok());
        found.extend(slug.filter(|slug| root.join(slug.file(TABLE)).is_file()));
    }
    found.sort();
    Ok(found)
}

/// Reads a table's folder. Links are not followed, and files that are too long are not read.
///
/// # Errors
/// When a file cannot be read.
pub fn read_folder(path: &Path) -> Result<Folder, Broken> {
    let mut folder = Folder::default();
    let mut read = |name: String, path: PathBuf| -> Result<(), Broken> {
        let about = fs::symlink_metadata(&path).map_err(|error| Broken::new(&name, error))?;
        if !about.is_file() {
            return Err(Broken::new(&name, "it is no file"));
        }
        if about.len() > LONGEST {
            return Err(Broken::new(
                &name,
                format!("it has more than {LONGEST} bytes"),
            ));
        }
        let bytes = fs::read(&path).map_err(|error| Broken::new(&name, error))?;
        folder.files.insert(name, bytes);
        Ok(())
    };
    for name in [TABLE, STATE, RECORD, BOARD] {
        let file = path.join(name);
        if fs::symlink_metadata(&file).is_ok() {
            read(name.to_owned(), file)?;
        }
    }
    let moves = path.join(MOVES);
    if moves.is_dir() {
        let entries = fs::read_dir(&moves).map_err(|error| Broken::new(MOVES, error))?;
        for entry in entries {
            let entry = entry.map_err(|error| Broken::new(MOVES, error))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            read(format!("{MOVES}/{name}"), entry.path())?;
        }
    }
    Ok(folder)
}

/// The position of a table as its record tells it, and the text of the last move that shows.
///
/// # Errors
/// When the record cannot be read or played.
pub fn position(folder: &Folder) -> Result<(parlor_games::AnyPosition, Option<String>), Broken> {
    let record: Record = folder.read(RECORD)?;
    let (position, mark) = replay(&record, |_| Ok(()))?;
    Ok((position, mark.map(str::to_owned)))
}

/// Makes a move: writes the file, commits it as the user, and pushes. Returns the file's path.
///
/// # Errors
/// When the move is not legal, git refuses, or the table has moved on; then nothing is left behind.
pub fn play(repository: &Repository, wanted: &Wanted<'_>) -> Result<String, PlayerError> {
    let root = repository.work_tree().ok_or(PlayerError::Bare)?;
    let place = root.join(wanted.table.file(""));
    if !place.join(TABLE).is_file() {
        return Err(PlayerError::NoTable(wanted.table.clone()));
    }
    let folder = read_folder(&place)?;
    let (name, content) = file(&folder, wanted)?;
    let path = wanted.table.file(&format!("{MOVES}/{name}"));
    fs::create_dir_all(place.join(MOVES))?;
    fs::write(root.join(&path), content)?;
    let title = format!("Play {} at {}", wanted.text, wanted.table);
    let committed = repository
        .plainly(&["add", "--", &path])
        .and_then(|_| repository.plainly(&["commit", "--quiet", "-m", &title, "--", &path]));
    if let Err(error) = committed {
        let _ = repository.plainly(&["rm", "--quiet", "--cached", "--ignore-unmatch", "--", &path]);
        fs::remove_file(root.join(&path))?;
        return Err(error.into());
    }
    match wanted.remote {
        None => Ok(path),
        Some(remote) => push(repository, wanted, remote, &folder, &root).map(|()| path),
    }
}

/// How often a push is tried when others push to other tables at the same time.
const TRIES: u32 = 30;

fn push(
    repository: &Repository,
    wanted: &Wanted<'_>,
    remote: &str,
    folder: &Folder,
    root: &Path,
) -> Result<(), PlayerError> {
    for _ in 0..TRIES {
        match repository.plainly(&["push", "--quiet", remote, "HEAD"]) {
            Ok(_) => return Ok(()),
            Err(GitError::Refused { message, .. }) if is_behind(&message) => {}
            Err(error) => return Err(error.into()),
        }
        repository.plainly(&["pull", "--quiet", "--rebase", "--no-autostash", remote])?;
        let state = fs::read(root.join(wanted.table.file(STATE)))?;
        if folder.files.get(STATE) != Some(&state) {
            // Only our own commit is on top: it goes, and nothing else.
            repository.plainly(&["reset", "--quiet", "--keep", "HEAD~1"])?;
            return Err(PlayerError::MovedOn);
        }
    }
    Err(PlayerError::TooBusy)
}

fn is_behind(message: &str) -> bool {
    [
        "non-fast-forward",
        "fetch first",
        "cannot lock ref",
        "failed to update ref",
        "incorrect old value",
    ]
    .iter()
    .any(|said| message.contains(said))
}

/// The name and content of the move's file.
///
/// # Errors
/// When it is not legal.
pub fn file(folder: &Folder, wanted: &Wanted<'_>) -> Result<(String, String), PlayerError> {
    let (position, _) = position(folder)?;
    let table: TableFile = folder.read(TABLE)?;
    let words = seat_words(&position);
    if table.result.is_some() {
        return Err(PlayerError::Illegal("Game is already finished".to_owned()));
    }
    let seat = match wanted.seat {
        Some(word) => {
            let found = words
                .iter()
                .position(|other| other == word)
                .and_then(|n| parlor_core::Seat::new(u8::try_from(n).ok()?).ok());
            found.ok_or_else(|| {
                PlayerError::Illegal(format!("the seats are {}, not {word}", words.join(", ")))
            })?
        }
        None => {
            let seat = position.seat_of(wanted.text).or(position.turn().seat());
            seat.ok_or_else(|| PlayerError::Illegal("nobody is on turn".to_owned()))?
        }
    };
    let text = if wanted.text == MoveFile::RESIGN {
        wanted.text.to_owned()
    } else {
        let mut after = position.clone();
        after
            .play(wanted.text, seat)
            .map_err(|error| PlayerError::Illegal(error.to_string()))?
    };
    let sequence = folder
        .moves()?
        .last()
        .map_or(0, |(named, _, _)| named.sequence)
        + 1;
    let file = MoveFile {
        seat,
        text,
        timestamp: moment(wanted.now),
        expected_state: digest(folder.get(STATE)?),
        comment: wanted.comment.clone(),
    };
    Ok(file.write(&position, sequence))
}
