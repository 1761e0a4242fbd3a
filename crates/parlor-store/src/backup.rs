//! Backups of a database in use.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use sea_orm::{ConnectionTrait, DbBackend, Statement};

use crate::StoreError;
use crate::connections::Connections;
use crate::files::create_private;

/// Ends of the names of files beside a database, which belong to it: SQLite's own, and our lock.
const BESIDE: [&str; 4] = ["-journal", "-wal", "-shm", ".lock"];

/// Copies the database in `file` to a new one.
pub(crate) async fn backup(
    db: &Connections,
    file: Option<&Path>,
    to: &Path,
) -> Result<(), StoreError> {
    match db.get_database_backend() {
        DbBackend::Postgres => Err(StoreError::BackupElsewhere {
            database: "PostgreSQL",
            tool: "pg_dump",
        }),
        DbBackend::MySql => Err(StoreError::BackupElsewhere {
            database: "MySQL",
            tool: "mariadb-dump or mysqldump",
        }),
        _ if file.is_some_and(|file| belongs_to(file, to)) => Err(StoreError::Backup {
            path: to.to_owned(),
            reason: "this name belongs to the database itself: choose another".to_owned(),
        }),
        _ => sqlite(db, to).await,
    }
}

/// Returns `true` for the name of a file beside the database, which the database would take for its
/// own.
fn belongs_to(database: &Path, path: &Path) -> bool {
    let parent = |path: &Path| Path::new(".").join(path.parent().unwrap_or(Path::new("")));
    let Ok(database) = database.canonicalize() else {
        return false;
    };
    let is_beside = |end: &&str| {
        let mut name = OsString::from(database.file_name().unwrap_or_default());
        name.push(end);
        Some(name.as_os_str()) == path.file_name()
    };
    let folder = parent(path).canonicalize().ok();
    BESIDE.iter().any(is_beside) && folder.as_deref() == database.parent()
}

/// Copies an SQLite database. Writes to a temporary name first, so that a file under the final name
/// is always a complete backup.
async fn sqlite(db: &Connections, to: &Path) -> Result<(), StoreError> {
    let failed = |reason: String| StoreError::Backup {
        path: to.to_owned(),
        reason,
    };
    let partial = beside(to, ".partial");
    let taken = |path| is_taken(path).map_err(|e| failed(e.to_string()));
    if taken(to)? {
        return Err(failed(format!("{} exists already", to.display())));
    }
    if taken(&partial)? {
        return Err(failed(format!(
            "{} exists: another backup writes it, or one was killed; if none is running, delete it",
            partial.display()
        )));
    }
    let copy = copy(db, &partial).await.map_err(failed)?;
    let target = to.to_owned();
    let finish = move || finish(&copy.path, &target);
    let finished = tokio::task::spawn_blocking(finish).await;
    finished
        .map_err(|e| failed(e.to_string()))?
        .map_err(|e| failed(e.to_string()))
}

/// Copies an SQLite database to a new file that is not complete under its name yet. Returns the reason if
/// that fails.
pub(crate) async fn copy(db: &impl ConnectionTrait, partial: &Path) -> Result<PartialCopy, String> {
    let name = partial.to_str().ok_or("the path is not Unicode")?;
    // SQLite accepts an empty file; one that it creates itself could be read by others.
    let copy = PartialCopy::create(partial).map_err(|e| e.to_string())?;
    let statement =
        Statement::from_sql_and_values(DbBackend::Sqlite, "VACUUM INTO ?", [name.into()]);
    let copied = db.execute_raw(statement).await;
    copied.map(|_| copy).map_err(|e| e.to_string())
}

/// Returns `true` if there is anything at a path, be it a link that leads nowhere.
pub(crate) fn is_taken(path: &Path) -> io::Result<bool> {
    match path.symlink_metadata() {
        Ok(_) => Ok(true),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(e),
    }
}

/// Returns the path of a file beside another one, with a longer name.
pub(crate) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(end);
    path.with_file_name(name)
}

/// Copy that is not complete yet. It is removed when it is dropped, as when a backup fails or is
/// interrupted.
#[derive(Debug)]
pub(crate) struct PartialCopy {
    pub(crate) path: PathBuf,
}

impl PartialCopy {
    /// Creates an empty file, which must not exist.
    fn create(path: &Path) -> io::Result<Self> {
        create_private(path)?;
        Ok(Self {
            path: path.to_owned(),
        })
    }
}

impl Drop for PartialCopy {
    fn drop(&mut self) {
        // An incomplete copy has no use; failing to remove it changes nothing. SQLite leaves its journal
        // beside a copy that it could not write.
        let _ = std::fs::remove_file(&self.path);
        let _ = std::fs::remove_file(beside(&self.path, "-journal"));
    }
}

/// Syncs the copy and gives it its final name. A link, unlike a rename, never replaces a file.
fn finish(partial: &Path, to: &Path) -> io::Result<()> {
    std::fs::File::open(partial)?.sync_all()?;
    std::fs::hard_link(partial, to)?;
    std::fs::remove_file(partial)?;
    sync_folder_of(to);
    Ok(())
}

/// Syncs the folder of a file, which has got its name. Not every system can sync folders; the file itself
/// is safe already.
pub(crate) fn sync_folder_of(file: &Path) {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let _ = std::fs::File::open(folder).and_then(|folder| folder.sync_all());
}
