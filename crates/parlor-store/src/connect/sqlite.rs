//! Opening of SQLite files.

use std::path::Path;
use std::time::Duration;

use sea_orm::SqlxSqliteConnector;
use sea_orm::sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sea_orm::sqlx::{ConnectOptions, Connection};

use super::{DatabasePools, READERS, STATEMENT_CACHE, refuse_foreign, unreachable};
use crate::StoreError;
use crate::connections::Connections;
use crate::error::{is_sqlite_busy, is_sqlite_read_only};
use crate::files::{create_private, is_readable_by_others, refuse_folders_and_links};
use crate::migration::{foreign_tables, migrate};
use crate::writer::BATCH;

/// Time limit for locks that other processes hold on a file, and for a connection to become free.
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
        prepare(&file);
        refuse_folders_and_links(&file)?;
    }
    let location = file.display().to_string();
    refuse_foreign_file(options.clone(), &location).await?;
    connect(options, Some(location)).await
}

/// Creates the file if it is missing, for its owner only; SQLite gives its other files the same
/// permissions. A failure is left to SQLite, which will report it.
fn prepare(file: &Path) {
    let is_new = create_private(file).is_ok();
    if !is_new && is_readable_by_others(file) {
        tracing::warn!(
            file = %file.display(),
            "other users may read the database, which contains secrets; `chmod 600` keeps them out"
        );
    }
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
    let found = found.map_err(|e| StoreError::Unreachable {
        server: location.to_owned(),
        reason: e.to_string(),
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
    let writes = SqlxSqliteConnector::from_sqlx_sqlite_pool(first);
    // In memory, one connection serves reads and writes in turn.
    let reads = if in_memory {
        writes.clone()
    } else {
        SqlxSqliteConnector::from_sqlx_sqlite_pool(
            pool.max_connections(READERS).connect_lazy_with(options),
        )
    };
    migrate(&writes, &location)
        .await
        .map_err(|e| not_migrated(e, &location))?;
    Ok(DatabasePools {
        reads: Connections::to_file(reads),
        writes: Connections::to_file(writes),
        writers: 1,
        location,
        file,
    })
}

fn refused(e: sea_orm::DbErr, location: &str) -> StoreError {
    if is_sqlite_read_only(&e) {
        let (location, reason) = (location.to_owned(), e.to_string());
        return StoreError::NotWritable { location, reason };
    }
    StoreError::Migration(e)
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
            Err(e) => return Err(unreachable(location, &e)),
        }
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::{ConnectionTrait, Statement};

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
