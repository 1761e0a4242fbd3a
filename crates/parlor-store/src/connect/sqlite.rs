//! Opening of SQLite files.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sea_orm::sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sea_orm::sqlx::{ConnectOptions, Connection};
use sea_orm::{ConnectionTrait, SqlxError, SqlxSqliteConnector};

use super::{DatabasePools, READERS, STATEMENT_CACHE, refuse_foreign, unreachable};
use crate::StoreError;
use crate::connections::{Connections, FILE_LOCK_PATIENCE};
use crate::error::{is_not_sqlite, is_sqlite_busy, is_sqlite_unopened, not_migrated, sqlx};
use crate::files::{NamedFile, create_private, is_readable_by_others, refuse_impossible};
use crate::migration::{foreign_tables, migrate};
use crate::writer::BATCH;

/// Time limit for locks that other processes hold on a file while it is opened, and for a connection to
/// become free.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Number of pages (of 4 KiB) after which SQLite moves its log into the file. Live games change the
/// same pages again and again, so a larger value than the default of 1,000 saves work.
const CHECKPOINT_PAGES: u32 = 4_000;

/// Opens and migrates a file, or a database in memory.
pub(super) async fn open(
    options: SqliteConnectOptions,
    query: &str,
) -> Result<DatabasePools, StoreError> {
    if query.contains(":memory:") || query.contains("mode=memory") {
        return connect(options, None).await;
    }
    let file = options.get_filename().to_owned();
    if !query.contains("mode=ro") {
        refuse_impossible(&file)?;
        prepare(&file)?;
    }
    let location = file.display().to_string();
    refuse_foreign_file(options.clone(), &location).await?;
    connect(options, Some(location)).await
}

/// Creates the file if it is missing, for its owner only; SQLite gives its other files the same
/// permissions.
fn prepare(file: &Path) -> Result<(), StoreError> {
    let created = create_private(file);
    if let Err(e) = &created
        && !file.exists()
    {
        return Err(StoreError::NoFile {
            location: file.display().to_string(),
            reason: format!("it cannot be created: {e}"),
        });
    }
    if created.is_err() && is_readable_by_others(file) {
        tracing::warn!(
            file = %file.display(),
            "other users may read the database, which contains secrets; `chmod 600` keeps them out"
        );
    }
    Ok(())
}

/// Refuses a file with the tables of another program before anything in it is changed.
async fn refuse_foreign_file(
    options: SqliteConnectOptions,
    location: &str,
) -> Result<(), StoreError> {
    let options = options
        .busy_timeout(BUSY_TIMEOUT)
        .disable_statement_logging();
    let pool = SqlitePoolOptions::new().max_connections(1);
    let db = SqlxSqliteConnector::from_sqlx_sqlite_pool(retry(pool, options, location).await?);
    let found = foreign_tables(&db).await;
    // The answer is there; closing may fail.
    let _ = db.close().await;
    let found = found.map_err(|e| match sqlx(&e) {
        Some(e) => unopened(location, e),
        None => StoreError::Unavailable(e),
    })?;
    refuse_foreign(location, &found)
}

/// Opens a file, or without a location a database in memory.
async fn connect(
    options: SqliteConnectOptions,
    location: Option<String>,
) -> Result<DatabasePools, StoreError> {
    let in_memory = location.is_none();
    let file = location
        .is_some()
        .then(|| options.get_filename().to_owned());
    let location = location.unwrap_or_else(|| "memory".to_owned());
    let options = options
        .create_if_missing(true)
        .foreign_keys(true)
        .journal_mode(if in_memory {
            SqliteJournalMode::Memory
        } else {
            SqliteJournalMode::Wal
        })
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(BUSY_TIMEOUT)
        .statement_cache_capacity(STATEMENT_CACHE)
        .pragma("wal_autocheckpoint", CHECKPOINT_PAGES.to_string())
        // A writer reads the rows of a whole batch; they should arrive at once, not in portions.
        .row_buffer_size(BATCH)
        .disable_statement_logging();
    // Idle connections stay open, because a database in memory is lost with its last connection.
    // A free connection that counts as being in a transaction is closed, which rolls back: when a
    // commit fails because the disk is full, SQLite ends the transaction by itself, so the rollback
    // that sqlx sends fails and is counted as not done. All later "transactions" of the connection
    // would be savepoints inside one that nobody commits.
    let pool = SqlitePoolOptions::new()
        .acquire_timeout(BUSY_TIMEOUT)
        .idle_timeout(None)
        .max_lifetime(None)
        .before_acquire(|connection, _| {
            let is_free = !connection.is_in_transaction();
            Box::pin(async move { Ok(is_free) })
        });
    let first = retry(pool.clone().max_connections(1), options.clone(), &location).await?;
    let writes = SqlxSqliteConnector::from_sqlx_sqlite_pool(first.clone());
    // In memory, one connection serves reads and writes in turn.
    let reads = if in_memory {
        writes.clone()
    } else {
        // A file that was removed meanwhile is not made again.
        let reading = options.clone().create_if_missing(false);
        let pool = pool.max_connections(READERS);
        SqlxSqliteConnector::from_sqlx_sqlite_pool(pool.connect_lazy_with(reading))
    };
    migrate(&writes, &location)
        .await
        .map_err(|e| not_migrated(e, &location))?;
    // Another process may migrate for a while; no change waits for as long.
    first.set_connect_options(options.busy_timeout(FILE_LOCK_PATIENCE));
    let milliseconds = FILE_LOCK_PATIENCE.as_millis();
    writes
        .execute_unprepared(&format!("PRAGMA busy_timeout = {milliseconds}"))
        .await?;
    let named = file.as_deref().map(|path| Arc::new(NamedFile::new(path)));
    Ok(DatabasePools {
        reads: Connections::to_file(reads).of_file(named.clone()),
        writes: Connections::changing_file(writes).of_file(named),
        writers: 1,
        location,
        file,
    })
}

/// Returns the error of a file that SQLite does not take for a database, or cannot open.
fn unopened(location: &str, e: &SqlxError) -> StoreError {
    if is_sqlite_busy(e) {
        return unreachable(location, e);
    }
    let message = match e {
        SqlxError::Database(e) => e.message().to_owned(),
        e => e.to_string(),
    };
    let reason = match File::open(location) {
        // SQLite does not say why it cannot open a file.
        Err(fault) if is_sqlite_unopened(e) => format!("{message}: {fault}"),
        Ok(_) if is_sqlite_unopened(e) => {
            format!("{message}: this user must be able to write in its folder, too")
        }
        _ if is_not_sqlite(e) => format!("{message}: name another one"),
        _ => message,
    };
    StoreError::NoFile {
        location: location.to_owned(),
        reason,
    }
}

/// Opens an SQLite file. Another process that creates the same file at this moment locks it in a
/// way that the busy timeout does not cover, so opening is retried for the same time.
async fn retry(
    pool: SqlitePoolOptions,
    options: SqliteConnectOptions,
    location: &str,
) -> Result<SqlitePool, StoreError> {
    let started = tokio::time::Instant::now();
    loop {
        match pool.clone().connect_with(options.clone()).await {
            Ok(pool) => return Ok(pool),
            Err(e) if is_sqlite_busy(&e) && started.elapsed() < BUSY_TIMEOUT => {
                tokio::time::sleep(BUSY_TIMEOUT / 100).await
            }
            Err(e) => return Err(unopened(location, &e)),
        }
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::Statement;

    use super::*;
    use crate::StoreOptions;

    /// Without these settings an acknowledged move could be lost with the machine, which no test
    /// that kills only the process notices.
    #[tokio::test]
    async fn sqlite_writes_are_on_the_disk_before_they_are_acknowledged() {
        let folder = std::env::temp_dir().join(format!("parlor-settings-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let url = format!("sqlite:{}", folder.join("house.db").display());
        let pools = super::super::connect(&url, &StoreOptions::default())
            .await
            .unwrap();
        let setting = async |connection: &Connections, name: &str| {
            let sql = format!("PRAGMA {name}");
            let statement = Statement::from_string(connection.get_database_backend(), sql);
            let row = connection.query_one_raw(statement).await.unwrap().unwrap();
            row.try_get_by_index::<String>(0)
                .or_else(|_| row.try_get_by_index::<i64>(0).map(|n| n.to_string()))
                .unwrap()
        };
        for connection in [&pools.writes, &pools.reads] {
            assert_eq!(setting(connection, "synchronous").await, "2", "FULL");
            assert_eq!(setting(connection, "journal_mode").await, "wal");
        }
        pools.reads.close().await;
        pools.writes.close().await;
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
