//! A store whose network and time are simulated, for tests of several servers on one database.
//!
//! The database is an SQLite file on which any number of simulated servers have a store each. A
//! statement blocks the thread, so that servers which take turns on one thread do the same in each
//! run, and their time, which the runtime simulates, passes only on the network.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures::executor::block_on;
use sea_orm::sqlx::ConnectOptions;
use sea_orm::sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};
use sea_orm::{ConnAcquireErr, DbErr, SqlxSqliteConnector};
use tokio::time::sleep;

use crate::Store;
use crate::connect::DatabasePools;
use crate::connections::Connections;
use crate::error::unanswered;

/// Time within which a simulated database must answer.
pub(crate) const LIMIT: Duration = Duration::from_secs(5);
/// Number of connections of a store. Some wait to be given back while others are taken.
const CONNECTIONS: u32 = 64;

/// The network between a store and its simulated database, and the database's clock.
pub trait SimulatedNetwork: Send + Sync {
    /// Decides what becomes of the next statement or commit.
    fn trip(&self) -> Trip;

    /// Returns the database's time, in milliseconds since the Unix epoch.
    fn database_time(&self) -> i64;
}

/// Fate of a statement, or of a commit, on its way to the database and back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trip {
    /// Time until it reaches the database, or until it is known to be lost.
    pub there: Duration,
    /// Time until the answer is back, or until it is known to be lost.
    pub back: Duration,
    /// Loss on the way, if any.
    pub loss: Loss,
}

/// Loss between a store and its simulated database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Nothing.
    Nothing,
    /// The statement, which the database never sees.
    Statement,
    /// The answer, so that the store does not know what has happened.
    Answer,
}

/// A simulated network that can be shared.
#[derive(Clone)]
pub(crate) struct Network(pub(crate) Arc<dyn SimulatedNetwork>);

impl Network {
    /// Sends a statement on its trip.
    pub(crate) async fn send<T>(
        &self,
        statement: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, DbErr> {
        let trip = self.0.trip();
        sleep(trip.there).await;
        match trip.loss {
            Loss::Statement => Err(lost()),
            loss => arrive(block_on(statement), trip.back, loss).await,
        }
    }

    /// Sends the beginning of a transaction on its way. No time passes between it and the commit, so
    /// that transactions never meet.
    pub(crate) async fn begin<T>(
        &self,
        begin: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, DbErr> {
        let trip = self.0.trip();
        sleep(trip.there).await;
        match trip.loss {
            Loss::Nothing => block_on(begin),
            Loss::Statement | Loss::Answer => Err(lost()),
        }
    }

    /// Sends a commit; only its answer takes time.
    pub(crate) async fn commit(
        &self,
        commit: impl Future<Output = Result<(), DbErr>>,
    ) -> Result<(), DbErr> {
        let trip = self.0.trip();
        if trip.loss == Loss::Statement {
            // Rolls back.
            drop(commit);
            return arrive(Ok(()), trip.back, Loss::Answer).await;
        }
        arrive(block_on(commit), trip.back, trip.loss).await
    }
}

async fn arrive<T>(done: Result<T, DbErr>, back: Duration, loss: Loss) -> Result<T, DbErr> {
    sleep(back).await;
    if loss == Loss::Answer {
        return Err(unanswered(back));
    }
    done
}

fn lost() -> DbErr {
    DbErr::ConnectionAcquire(ConnAcquireErr::Timeout)
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network").finish_non_exhaustive()
    }
}

impl Store {
    /// Opens an SQLite file, written by [`Store::open`], as the database of several simulated
    /// servers: the store behaves as one on a database server. What is written does not survive a
    /// crash of the machine.
    #[must_use]
    pub fn open_simulated(file: &Path, network: Arc<dyn SimulatedNetwork>) -> Store {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .foreign_keys(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Off)
            .disable_statement_logging();
        let pool = SqlitePoolOptions::new()
            .max_connections(CONNECTIONS)
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
            .connect_lazy_with(options);
        let connections = SqlxSqliteConnector::from_sqlx_sqlite_pool(pool);
        let connections = Connections::simulated(connections, Network(network));
        Store::on(DatabasePools {
            reads: connections.clone(),
            writes: connections,
            writers: 2,
            location: file.display().to_string(),
            file: None,
        })
    }
}
