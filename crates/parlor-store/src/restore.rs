//! Restoring of backups.
//!
//! Copying a backup over the file of a database is not enough: SQLite would replay the log that a killed
//! server has left beside it, and undo the restore.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use sea_orm::sqlx::ConnectOptions;
use sea_orm::sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, SqlxError, SqlxSqliteConnector,
    Statement,
};

use crate::StoreError;
use crate::backup::{PartialCopy, beside, copy, is_taken, sync_folder_of};
use crate::connect::sqlite_file;
use crate::error::sqlx;
use crate::migration::refuse_unknown;
use crate::nodes::lock;

/// Ends of the names of SQLite's logs beside a database: parts of it that a killed process has left.
const LOGS: [&str; 2] = ["-wal", "-journal"];

/// Backup that was restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// File of the database.
    pub file: PathBuf,
    /// Number of tables.
    pub tables: u64,
    /// Number of accounts.
    pub accounts: u64,
    /// Time of the latest event, in milliseconds since the Unix epoch; `None` without events.
    pub last_event_at: Option<i64>,
    /// Name under which the database is kept that was there before; `None` if there was none.
    pub kept: Option<PathBuf>,
}

/// Puts a copy of a backup in the place of the SQLite database at `url`, for its owner only. What was there
/// is kept beside it, with its logs, as `FILE.before-LABEL`. The backup may be any copy of a database of
/// this release or an earlier one, with the log beside it if it has one.
///
/// # Errors
/// [`StoreError::Restore`] if a server uses the database, or the backup is missing, damaged or no database of Parlor, or
/// cannot be copied; [`StoreError::RestoreElsewhere`] for other databases, with the name of the tool to use;
/// [`StoreError::Scheme`] and [`StoreError::Address`] for an invalid address, and the errors of
/// [`Store::reserve`](crate::Store::reserve).
pub async fn restore(url: &str, backup: &Path, label: &str) -> Result<Restored, StoreError> {
    let elsewhere = |database, tool| Err(StoreError::RestoreElsewhere { database, tool });
    match url.split_once(':').map_or(url, |(scheme, _)| scheme) {
        "sqlite" => {}
        "postgres" | "postgresql" => return elsewhere("PostgreSQL", "pg_restore or psql"),
        "mysql" | "mariadb" => return elsewhere("MySQL", "mariadb or mysql"),
        scheme => {
            let scheme = scheme.to_owned();
            return Err(StoreError::Scheme { scheme });
        }
    }
    let file = sqlite_file(url)?;
    // The database's logs are beside the file itself, whatever name leads to it.
    let file = file.canonicalize().unwrap_or(file);
    let failed = |reason: String| StoreError::Restore {
        path: backup.to_owned(),
        reason,
    };
    let reservation = lock(&file).map_err(|e| match e {
        StoreError::InUse { location } => failed(format!("a server uses {location}: stop it")),
        e => e,
    })?;
    require_backup(backup, &file).map_err(failed)?;
    let db = open(backup).await.map_err(|e| failed(e.to_string()))?;
    let copied = check_and_copy(&db, &file).await;
    // The copy is there; closing may fail.
    let _ = db.close().await;
    let (copy, found) = copied.map_err(failed)?;
    let kept = beside(&file, &format!(".before-{label}"));
    let place = move || {
        let _reservation = reservation;
        let kept = put_in_place(&copy, &file, kept)?;
        Ok::<_, io::Error>(Restored {
            file,
            kept,
            ..found
        })
    };
    let placed = tokio::task::spawn_blocking(place).await;
    placed
        .map_err(|e| failed(e.to_string()))?
        .map_err(|e| failed(e.to_string()))
}

/// Refuses a backup that is no file, or the database itself.
fn require_backup(backup: &Path, file: &Path) -> Result<(), String> {
    let found = backup.canonicalize().map_err(|e| e.to_string())?;
    if !found.is_file() {
        return Err("it is no ordinary file".to_owned());
    }
    match found == file {
        true => Err("it is the database itself".to_owned()),
        false => Ok(()),
    }
}

/// Opens a backup in a way that changes nothing in it or beside it.
async fn open(backup: &Path) -> Result<DatabaseConnection, SqlxError> {
    // Without a log nothing has to be created beside it, as in a folder that cannot be written to.
    let has_log = LOGS.iter().any(|end| beside(backup, end).exists());
    let options = SqliteConnectOptions::new()
        .filename(backup)
        .read_only(true)
        .immutable(!has_log)
        .disable_statement_logging();
    let pool = SqlitePoolOptions::new().max_connections(1);
    let pool = pool.connect_with(options).await?;
    Ok(SqlxSqliteConnector::from_sqlx_sqlite_pool(pool))
}

/// Checks a backup and copies it to a temporary name beside the database. Returns the reason if it
/// cannot be one, or cannot be copied.
async fn check_and_copy(
    db: &DatabaseConnection,
    file: &Path,
) -> Result<(PartialCopy, Restored), String> {
    refuse_unknown(db).await.map_err(reason)?;
    refuse_damaged(db).await?;
    let found = describe(db, file).await.map_err(reason)?;
    let partial = beside(file, ".partial");
    if is_taken(&partial).map_err(|e| e.to_string())? {
        return Err(format!(
            "{} exists: another command writes it, or one was killed; if none is running, delete it",
            partial.display()
        ));
    }
    Ok((copy(db, &partial).await?, found))
}

/// Refuses a database of which SQLite says that it is damaged.
async fn refuse_damaged(db: &DatabaseConnection) -> Result<(), String> {
    let check = Statement::from_string(DbBackend::Sqlite, "PRAGMA integrity_check(1)");
    let rows = db.query_all_raw(check).await;
    let damaged = |reason: String| format!("it is damaged: {reason}");
    for row in rows.map_err(|e| damaged(reason(e)))? {
        let text: String = row.try_get_by_index(0).map_err(reason)?;
        if text != "ok" {
            return Err(damaged(text));
        }
    }
    Ok(())
}

/// Counts what is in a backup.
async fn describe(db: &DatabaseConnection, file: &Path) -> Result<Restored, DbErr> {
    let number = async |sql: &str| -> Result<Option<i64>, DbErr> {
        let statement = Statement::from_string(DbBackend::Sqlite, sql);
        let row = db.query_one_raw(statement).await?;
        row.map_or(Ok(None), |row| row.try_get_by_index(0))
    };
    let count = |found: Option<i64>| found.map_or(0, i64::cast_unsigned);
    Ok(Restored {
        file: file.to_owned(),
        tables: count(number("SELECT COUNT(*) FROM game_tables").await?),
        accounts: count(number("SELECT COUNT(*) FROM users").await?),
        last_event_at: number("SELECT MAX(at) FROM table_events").await?,
        kept: None,
    })
}

/// Returns an error's reason in words.
fn reason(e: DbErr) -> String {
    match (&e, sqlx(&e)) {
        (DbErr::Custom(reason), _) => reason.clone(),
        (_, Some(SqlxError::Database(refusal))) => refusal.message().to_owned(),
        _ => e.to_string(),
    }
}

/// Gives a copy the name of the database. Returns the name under which the database is kept that was
/// there.
fn put_in_place(copy: &PartialCopy, file: &Path, kept: PathBuf) -> io::Result<Option<PathBuf>> {
    File::open(&copy.path)?.sync_all()?;
    let was_there = file.exists();
    if was_there {
        // From now on until the copy has its name, the file has two, with which no server starts.
        std::fs::hard_link(file, &kept)?;
    }
    for end in LOGS {
        if_there(std::fs::rename(beside(file, end), beside(&kept, end)))?;
    }
    if_there(std::fs::remove_file(beside(file, "-shm")))?;
    std::fs::rename(&copy.path, file)?;
    sync_folder_of(file);
    Ok(was_there.then_some(kept))
}

/// Ignores that a file is missing.
fn if_there(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}
