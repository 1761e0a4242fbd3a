//! Transactions on the write connections.

use sea_orm::{
    DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, SqliteTransactionMode,
    TransactionOptions, TransactionTrait,
};

use crate::StoreError;
use crate::audit::{AuditLine, insert};

/// Begins a write transaction. SQLite must know from the start that it writes: it refuses to
/// upgrade a reader after another write.
pub(crate) async fn begin(db: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let mode = (db.get_database_backend() == DbBackend::Sqlite)
        .then_some(SqliteTransactionMode::Immediate);
    let options = TransactionOptions {
        sqlite_transaction_mode: mode,
        ..TransactionOptions::default()
    };
    db.begin_with_options(options).await
}

/// Commits the changes, with an optional audit line.
pub(crate) async fn commit(
    transaction: DatabaseTransaction,
    audit: Option<AuditLine>,
) -> Result<(), StoreError> {
    if let Some(line) = audit {
        insert(&transaction, [line]).await?;
    }
    transaction.commit().await.map_err(StoreError::InDoubt)
}
