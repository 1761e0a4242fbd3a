//! A player's operations in a clone: reading tables and making moves.

use std::fs;
use std::path::{Path, PathBuf};

use parlor_games::repository::{MoveFile, digest, seat_words};
use parlor_table::Record;

use crate::files::{TableFile, format_time};
use crate::folder::{FileError, TableFolder};
use crate::git::{GitError, Repository};
use crate::paths::{BOARD, MOVES, RECORD, STATE, Slug, TABLE};
use crate::replay::replay;

/// Maximum size of a file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// Error of an operation in a player's clone.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// Git failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A file of the table cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file cannot be written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The repository is bare.
    #[error("this repository has no work tree: play in a clone of it")]
    Bare,
    /// There is no such table.
    #[error("there is no table {0} here; parlor git log lists the tables")]
    NoTable(Slug),
    /// The move is not legal, or it is not this player's turn.
    #[error("{0}")]
    Illegal(String),
    /// Other pushes interfered on every attempt.
    #[error(
        "the branch changed on every attempt to push: your move is committed but not pushed; run git pull --rebase and git push"
    )]
    TooBusy,
    /// The table has changed since the move was made.
    #[error(
        "the table changed before your move could be pushed: pull and decide again; your move was discarded"
    )]
    MovedOn,
}

/// Move to make in a clone.
#[derive(Clone, Debug)]
pub struct PlayRequest<'a> {
    /// The table.
    pub table: &'a Slug,
    /// Move in the game's notation, or `resign`.
    pub text: &'a str,
    /// Name of the seat that moves; `None` for the seat on turn.
    pub seat: Option<&'a str>,
    /// Comment for the other players.
    pub comment: Option<String>,
    /// Remote to push to; `None` to commit without pushing.
    pub remote: Option<&'a str>,
    /// Time of the move, in seconds since the Unix epoch.
    pub now: i64,
}

/// Returns the tables of a work tree or folder, sorted by name.
///
/// # Errors
/// An I/O error if the folder cannot be read.
pub fn list_tables(root: &Path) -> std::io::Result<Vec<Slug>> {
    let mut found = Vec::new();
    let tables = root.join(crate::paths::TABLES);
    let entries = fs::read_dir(&tables).map_err(|error| {
        std::io::Error::new(error.kind(), format!("{}: {error}", tables.display()))
    })?;
    for entry in entries {
        let name = entry?.file_name();
        let slug = name.to_str().and_then(|name| name.parse::<Slug>().ok());
        found.extend(slug.filter(|slug| root.join(slug.file(TABLE)).is_file()));
    }
    found.sort();
    Ok(found)
}

/// Reads a table's folder. Symbolic links and overlong files are errors.
///
/// # Errors
/// [`FileError`] for the first file that cannot be read.
pub fn read_folder(path: &Path) -> Result<TableFolder, FileError> {
    let mut folder = TableFolder::default();
    let mut read = |name: String, path: PathBuf| -> Result<(), FileError> {
        let metadata = fs::symlink_metadata(&path).map_err(|error| FileError::new(&name, error))?;
        if !metadata.is_file() {
            return Err(FileError::new(&name, "it is not a regular file"));
        }
        if metadata.len() > MAX_FILE_BYTES {
            return Err(FileError::new(
                &name,
                format!("it has more than {MAX_FILE_BYTES} bytes"),
            ));
        }
        let bytes = fs::read(&path).map_err(|error| FileError::new(&name, error))?;
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
        let entries = fs::read_dir(&moves).map_err(|error| FileError::new(MOVES, error))?;
        for entry in entries {
            let entry = entry.map_err(|error| FileError::new(MOVES, error))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            read(format!("{MOVES}/{name}"), entry.path())?;
        }
    }
    Ok(folder)
}

/// Returns the position that a table's record leads to, and the text of the last move that leaves a
/// mark on the board.
///
/// # Errors
/// [`FileError`] if the record cannot be read or replayed.
pub fn position(
    folder: &TableFolder,
) -> Result<(parlor_games::AnyPosition, Option<String>), FileError> {
    let record: Record = folder.read(RECORD)?;
    let (position, mark) = replay(&record, |_| Ok(()))?;
    Ok((position, mark.map(str::to_owned)))
}

/// Makes a move: writes the move file, commits it as the user, and pushes. Returns the path of the
/// file.
///
/// # Errors
/// [`PlayerError`] if the move is illegal, git fails, or the table has changed in the meantime.
/// Nothing is left behind then, except after [`PlayerError::TooBusy`].
pub fn play(repository: &Repository, request: &PlayRequest<'_>) -> Result<String, PlayerError> {
    let root = repository.work_tree().ok_or(PlayerError::Bare)?;
    let table_path = root.join(request.table.file(""));
    if !table_path.join(TABLE).is_file() {
        return Err(PlayerError::NoTable(request.table.clone()));
    }
    let folder = read_folder(&table_path)?;
    let (name, content) = move_file(&folder, request)?;
    let path = request.table.file(&format!("{MOVES}/{name}"));
    fs::create_dir_all(table_path.join(MOVES))?;
    fs::write(root.join(&path), content)?;
    let title = format!("Play {} at {}", request.text, request.table);
    let committed = repository
        .run_as_user(&["add", "--", &path])
        .and_then(|_| repository.run_as_user(&["commit", "--quiet", "-m", &title, "--", &path]));
    if let Err(error) = committed {
        let _ =
            repository.run_as_user(&["rm", "--quiet", "--cached", "--ignore-unmatch", "--", &path]);
        fs::remove_file(root.join(&path))?;
        return Err(error.into());
    }
    match request.remote {
        None => Ok(path),
        Some(remote) => push(repository, request, remote, &folder, &root).map(|()| path),
    }
}

/// Maximum number of attempts to push while others push to other tables.
const MAX_ATTEMPTS: u32 = 30;

fn push(
    repository: &Repository,
    request: &PlayRequest<'_>,
    remote: &str,
    folder: &TableFolder,
    root: &Path,
) -> Result<(), PlayerError> {
    for _ in 0..MAX_ATTEMPTS {
        match repository.run_as_user(&["push", "--quiet", remote, "HEAD"]) {
            Ok(_) => return Ok(()),
            Err(GitError::Refused { message, .. }) if is_behind(&message) => {}
            Err(error) => return Err(error.into()),
        }
        repository.run_as_user(&["pull", "--quiet", "--rebase", "--no-autostash", remote])?;
        let state = fs::read(root.join(request.table.file(STATE)))?;
        if folder.files.get(STATE) != Some(&state) {
            // Only our own commit is on top, so only it is removed.
            repository.run_as_user(&["reset", "--quiet", "--keep", "HEAD~1"])?;
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

/// Returns the name and contents of the move file for a move.
///
/// # Errors
/// [`PlayerError::Illegal`] if the move is illegal, or [`PlayerError::File`] if a file of the table
/// cannot be read.
pub fn move_file(
    folder: &TableFolder,
    request: &PlayRequest<'_>,
) -> Result<(String, String), PlayerError> {
    let (position, _) = position(folder)?;
    let table: TableFile = folder.read(TABLE)?;
    let words = seat_words(&position);
    if table.result.is_some() {
        return Err(PlayerError::Illegal("Game is already finished".to_owned()));
    }
    let seat = match request.seat {
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
            let seat = position.seat_of(request.text).or(position.turn().seat());
            seat.ok_or_else(|| PlayerError::Illegal("it is nobody's turn".to_owned()))?
        }
    };
    let text = if request.text == MoveFile::RESIGN {
        request.text.to_owned()
    } else {
        let mut after = position.clone();
        after
            .play(request.text, seat)
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
        timestamp: format_time(request.now),
        expected_state: digest(folder.get(STATE)?),
        comment: request.comment.clone(),
    };
    Ok(file.write(&position, sequence))
}
