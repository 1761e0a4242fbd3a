//! Schema migrations. A released migration is never changed; new ones are added.

use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, SqliteTransactionMode,
    TransactionOptions, TransactionTrait,
};
use sea_orm_migration::{MigrationTrait, MigratorTrait};

mod m0001_tables_and_events;
mod m0002_accounts_and_ratings;
mod m0003_commits;
mod schema;
#[cfg(test)]
mod tests;

struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m0001_tables_and_events::TablesAndEvents),
            Box::new(m0002_accounts_and_ratings::AccountsAndRatings),
            Box::new(m0003_commits::TableCommits),
        ]
    }
}

/// Lock number that no other program is likely to use in the same database.
const LOCK: u64 = 0x7061_726c_6f72;

/// Updates the schema, one process at a time. `db` must be a pool of one connection, because locks
/// belong to a connection.
pub(crate) async fn migrate(db: &DatabaseConnection) -> Result<(), DbErr> {
    match db.get_database_backend() {
        DbBackend::MySql => {
            // MySQL commits implicitly around every schema change, so a transaction would protect
            // nothing.
            let name = format!("CONCAT('parlor ', MD5(DATABASE()), ' {LOCK}')");
            db.execute_unprepared(&format!("DO GET_LOCK({name}, 60)"))
                .await?;
            let migrated = Migrator::up(db, None).await;
            db.execute_unprepared(&format!("DO RELEASE_LOCK({name})"))
                .await?;
            migrated
        }
        DbBackend::Postgres => {
            let transaction = db.begin().await?;
            transaction
                .execute_unprepared(&format!("SELECT pg_advisory_xact_lock({LOCK})"))
                .await?;
            Migrator::up(&transaction, None).await?;
            transaction.commit().await
        }
        _ => {
            let mode = Some(SqliteTransactionMode::Immediate);
            let options = TransactionOptions {
                sqlite_transaction_mode: mode,
                ..TransactionOptions::default()
            };
            let transaction = db.begin_with_options(options).await?;
            Migrator::up(&transaction, None).await?;
            transaction.commit().await
        }
    }
}
