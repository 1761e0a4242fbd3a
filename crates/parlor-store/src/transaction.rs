//! Transactions on the write connections.

use sea_orm::prelude::async_trait::async_trait;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult,
    SqliteTransactionMode, Statement, TransactionOptions,
};

use crate::StoreError;
use crate::audit::{AuditLine, insert};
use crate::connections::{BoxFuture, Connections};

/// A transaction whose statements do not wait forever. Dropping it rolls back.
pub(crate) struct Transaction {
    inner: DatabaseTransaction,
    connections: Connections,
    /// Pool that the connection belongs to.
    generation: u64,
}

impl Transaction {
    pub fn new(inner: DatabaseTransaction, connections: Connections, generation: u64) -> Self {
        Self {
            inner,
            connections,
            generation,
        }
    }

    /// Commits. After an error the outcome is unknown.
    pub fn commit(self) -> BoxFuture<'static, Result<(), DbErr>> {
        let Self {
            inner,
            connections,
            generation,
        } = self;
        Box::pin(async move {
            match connections.network() {
                Some(network) => network.commit(inner.commit()).await,
                None => connections.limited(generation, inner.commit()).await,
            }
        })
    }
}

#[async_trait]
impl ConnectionTrait for Transaction {
    fn get_database_backend(&self) -> DbBackend {
        self.inner.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        let executed = self.inner.execute_raw(statement);
        self.connections.limited(self.generation, executed).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        let executed = self.inner.execute_unprepared(sql);
        self.connections.limited(self.generation, executed).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        let found = self.inner.query_one_raw(statement);
        self.connections.limited(self.generation, found).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let found = self.inner.query_all_raw(statement);
        self.connections.limited(self.generation, found).await
    }
}

/// Begins a write transaction. SQLite must know from the start that it writes: it refuses to
/// upgrade a reader after another write.
pub(crate) async fn begin(db: &Connections) -> Result<Transaction, DbErr> {
    let mode = (db.get_database_backend() == DbBackend::Sqlite)
        .then_some(SqliteTransactionMode::Immediate);
    db.begin(TransactionOptions {
        sqlite_transaction_mode: mode,
        ..TransactionOptions::default()
    })
    .await
}

/// Commits the changes, with an optional audit line.
pub(crate) async fn commit(
    transaction: Transaction,
    audit: Option<AuditLine>,
) -> Result<(), StoreError> {
    if let Some(line) = audit {
        insert(&transaction, [line]).await?;
    }
    transaction.commit().await.map_err(StoreError::InDoubt)
}
