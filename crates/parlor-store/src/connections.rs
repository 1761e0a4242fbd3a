//! Connections that do not wait forever.
//!
//! A network that swallows packets never answers, and a connection that waits for such an answer
//! would keep its place in the pool until the operating system gives up on it, which takes a
//! quarter of an hour or more. So every wait for a database server has a limit. When it is
//! exceeded, the whole pool is replaced: connections as old as the silent one are probably silent,
//! too, and an answer that arrives late must not be taken for the answer to a later statement. A server
//! that is known to be away is not waited for at all; see [`server`].

mod file_lock;
mod server;

use std::fmt;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::executor::block_on;
use sea_orm::prelude::async_trait::async_trait;
use sea_orm::sqlx::PgPool;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, ExecResult, QueryResult, Statement,
    TransactionOptions, TransactionTrait,
};
use tokio::time::{Instant, timeout};

use crate::error::{is_acquire_timeout, is_closed, is_lost, replaced, unknown_outcome};
use crate::files::NamedFile;
use crate::simulation::{self, Network};
use crate::transaction::Transaction;

use self::file_lock::FileLock;
pub(crate) use self::file_lock::PATIENCE as FILE_LOCK_PATIENCE;
pub(crate) use self::server::{Server, question};

/// Future of a function that the drivers of databases are compiled for only once: an `async fn` is
/// compiled again by each crate that awaits it, with everything that it awaits in turn.
pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Function that opens a pool without waiting for a connection.
pub(crate) type OpenPool = Box<dyn Fn() -> DatabaseConnection + Send + Sync>;

/// A pool of connections that is replaced when the server falls silent.
#[derive(Clone)]
pub(crate) struct Connections {
    inner: Arc<Inner>,
}

struct Inner {
    backend: DbBackend,
    pool: Mutex<Pool>,
    server_pool: Option<ServerPool>,
    /// Lock that other processes may keep from those who change a file.
    file_lock: Option<FileLock>,
    /// File; `None` for a server and in memory.
    file: Option<Arc<NamedFile>>,
    /// Network of a simulation.
    network: Option<Network>,
}

/// Limits and replacement of a pool of connections to a server. A file needs neither.
struct ServerPool {
    server: Arc<Server>,
    open: OpenPool,
}

struct Pool {
    connections: DatabaseConnection,
    /// Number of pools before this one.
    generation: u64,
    answered_at: Instant,
    closed: bool,
}

impl Connections {
    /// Wraps a pool of connections to a file, without limits.
    pub fn to_file(connections: DatabaseConnection) -> Self {
        Self::new(connections, None, None, None)
    }

    /// Wraps the connection that changes a file, for whose lock nobody waits for long.
    pub fn changing_file(connection: DatabaseConnection) -> Self {
        Self::new(connection, None, Some(FileLock::new()), None)
    }

    /// Uses the file no longer once it is removed or replaced: what is stored in a file without a name is
    /// lost with the process, and a new connection would open another. There is no file in memory.
    pub fn of_file(mut self, file: Option<Arc<NamedFile>>) -> Self {
        if let Some(inner) = Arc::get_mut(&mut self.inner) {
            inner.file = file;
        }
        self
    }

    /// Wraps a pool of connections to a file as one to a simulated server.
    pub fn simulated(connections: DatabaseConnection, network: Network) -> Self {
        Self::new(connections, None, None, Some(network))
    }

    /// Opens a pool of connections to a server. Pools of the same one share what is known of it.
    pub fn to_server(server: Arc<Server>, open: OpenPool) -> Self {
        Self::new(open(), Some(ServerPool { server, open }), None, None)
    }

    fn new(
        connections: DatabaseConnection,
        server_pool: Option<ServerPool>,
        file_lock: Option<FileLock>,
        network: Option<Network>,
    ) -> Self {
        let pool = Pool {
            generation: 0,
            answered_at: Instant::now(),
            closed: false,
            connections,
        };
        Self {
            inner: Arc::new(Inner {
                backend: pool.connections.get_database_backend(),
                pool: Mutex::new(pool),
                server_pool,
                file_lock,
                file: None,
                network,
            }),
        }
    }

    /// Returns the time within which the server must answer; `None` for a file.
    pub fn limit(&self) -> Option<Duration> {
        let limit = self
            .inner
            .server_pool
            .as_ref()
            .map(|pool| pool.server.limit());
        limit.or(self.network().map(|_| simulation::LIMIT))
    }

    /// Returns `true` if the server is known to be away.
    pub fn is_away(&self) -> bool {
        self.check().is_err()
    }

    /// Returns an error, which says that nothing was sent, if the server is known to be away.
    pub fn check(&self) -> Result<(), DbErr> {
        match &self.inner.server_pool {
            Some(pool) => pool.server.check(),
            None => Ok(()),
        }
    }

    /// Looks whether the file was removed or replaced, after which statements are refused.
    pub async fn look_at_file(&self) {
        if let Some(file) = self.inner.file.clone() {
            // A look cannot fail.
            let _ = tokio::task::spawn_blocking(move || file.look()).await;
        }
    }

    /// Returns an error if the file is known to be removed or replaced.
    fn check_file(&self) -> Result<(), DbErr> {
        match &self.inner.file {
            Some(file) if file.is_replaced() => Err(replaced()),
            _ => Ok(()),
        }
    }

    /// Returns the network of a simulation.
    pub fn network(&self) -> Option<&Network> {
        self.inner.network.as_ref()
    }

    /// Returns `true` if several processes can use the database.
    pub fn is_shared(&self) -> bool {
        self.inner.backend != DbBackend::Sqlite || self.network().is_some()
    }

    /// Returns the pool, if it is one of PostgreSQL.
    pub fn postgres(&self) -> Option<PgPool> {
        let is_postgres = self.inner.backend == DbBackend::Postgres;
        is_postgres.then(|| {
            self.pool()
                .connections
                .get_postgres_connection_pool()
                .clone()
        })
    }

    /// Begins a transaction.
    pub fn begin(&self, options: TransactionOptions) -> BoxFuture<'_, Result<Transaction, DbErr>> {
        let begin =
            move |db: DatabaseConnection| async move { db.begin_with_options(options).await };
        Box::pin(async move {
            let (generation, transaction) = match self.network() {
                Some(network) => {
                    let db = self.pool().connections.clone();
                    (0, network.begin(begin(db)).await?)
                }
                None => self.run(begin).await?,
            };
            Ok(Transaction::new(transaction, self.clone(), generation))
        })
    }

    /// Checks that the database answers.
    pub fn ping(&self) -> BoxFuture<'_, Result<(), DbErr>> {
        let ping = |db: DatabaseConnection| async move { db.ping().await };
        Box::pin(async move { self.run(ping).await.map(|_| ()) })
    }

    /// Waits for a statement on a connection of the pool `generation`.
    pub async fn limited<T>(
        &self,
        generation: u64,
        statement: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, DbErr> {
        let Some(ServerPool { server, .. }) = &self.inner.server_pool else {
            return match self.network() {
                Some(_) => block_on(statement),
                None => statement.await,
            };
        };
        let deadline = Instant::now() + server.limit();
        let mut statement = pin!(statement);
        let answered = match server.check() {
            Ok(()) => server.answer(deadline, statement.as_mut()).await,
            Err(away) => Err(away),
        };
        match answered {
            Ok(result) => {
                self.note_answer(generation, &result);
                result
            }
            Err(reason) => {
                // Before the statement is dropped and gives its connection back.
                self.replace(generation);
                Err(reason)
            }
        }
    }

    /// Runs an operation that takes a connection from the pool. Returns the pool's generation and
    /// the result.
    async fn run<T, F>(
        &self,
        operation: impl Fn(DatabaseConnection) -> F,
    ) -> Result<(u64, T), DbErr>
    where
        F: Future<Output = Result<T, DbErr>>,
    {
        let Some(ServerPool { server, .. }) = &self.inner.server_pool else {
            self.check_file()?;
            let db = self.pool().connections.clone();
            let done = match (self.network(), &self.inner.file_lock) {
                (Some(network), _) => network.send(operation(db)).await?,
                (None, Some(lock)) => {
                    let _turn = lock.turn().await?;
                    let done = operation(db).await;
                    lock.note(&done);
                    done?
                }
                (None, None) => operation(db).await?,
            };
            return Ok((0, done));
        };
        let deadline = Instant::now() + server.limit();
        loop {
            server.check()?;
            let (generation, db) = self.current();
            let mut running = pin!(operation(db));
            match server.answer(deadline, running.as_mut()).await {
                Err(reason) => {
                    self.replace(generation);
                    return Err(reason);
                }
                // The pool was replaced before it had a connection for this operation.
                Ok(Err(e)) if is_closed(&e) && self.has_replaced(generation) => {}
                Ok(result) => {
                    self.note_answer(generation, &result);
                    return result.map(|done| (generation, done));
                }
            }
        }
    }

    fn current(&self) -> (u64, DatabaseConnection) {
        let pool = self.pool();
        (pool.generation, pool.connections.clone())
    }

    fn has_replaced(&self, generation: u64) -> bool {
        let pool = self.pool();
        !pool.closed && pool.generation != generation
    }

    /// Remembers that the server answered, unless it did not. If no connection became free and
    /// nothing was heard for as long, those in use wait in vain. If a connection was lost, the server
    /// may be.
    fn note_answer<T>(&self, generation: u64, result: &Result<T, DbErr>) {
        let Some(ServerPool { server, .. }) = &self.inner.server_pool else {
            return;
        };
        match result {
            Err(e) if is_acquire_timeout(e) => {
                let silence = self.pool().answered_at.elapsed();
                if silence >= server.limit() / 2 {
                    self.replace(generation);
                    server.starve();
                }
            }
            Err(e) if is_lost(e) => server.suspect(),
            _ => {
                self.pool().answered_at = Instant::now();
                server.heard();
            }
        }
    }

    /// Replaces the pool unless that has happened already. Connections in use are closed when they
    /// come back.
    fn replace(&self, generation: u64) {
        let Some(ServerPool { server, open }) = &self.inner.server_pool else {
            return;
        };
        let silent = {
            let mut pool = self.pool();
            if pool.closed || pool.generation != generation {
                return;
            }
            pool.generation += 1;
            std::mem::replace(&mut pool.connections, open())
        };
        // If the server is away, that is in the log.
        if server.check().is_ok() {
            tracing::warn!("the database does not answer; all connections are replaced");
        }
        close_in_background(&silent, server.limit());
    }

    /// Closes the pool for good.
    pub fn close(&self) -> BoxFuture<'_, ()> {
        let connections = {
            let mut pool = self.pool();
            pool.closed = true;
            pool.connections.clone()
        };
        if let Some(pool) = &self.inner.server_pool {
            pool.server.close();
        }
        Box::pin(async move {
            let closing = connections.close_by_ref();
            let closed = match self.limit() {
                None => closing.await,
                Some(limit) => timeout(limit, closing).await.unwrap_or(Ok(())),
            };
            if let Err(e) = closed {
                tracing::warn!(error = %e, "closing the database");
            }
        })
    }

    fn pool(&self) -> MutexGuard<'_, Pool> {
        // No code that can panic changes the pool while the lock is held.
        self.inner
            .pool
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes a pool: at once for those who want a connection, and in the background for the
/// connections, because saying goodbye to a silent server may take long.
fn close_in_background(connections: &DatabaseConnection, limit: Duration) {
    macro_rules! close {
        ($pool:expr) => {{
            let pool = $pool.clone();
            // The call marks the pool as closed; the future closes the connections.
            drop(pool.close());
            tokio::spawn(async move { timeout(limit, pool.close()).await });
        }};
    }
    match connections.get_database_backend() {
        DbBackend::Postgres => close!(connections.get_postgres_connection_pool()),
        DbBackend::MySql => close!(connections.get_mysql_connection_pool()),
        _ => {}
    }
}

/// A statement outside a transaction. One that changes something may have been executed even if no
/// answer came.
#[async_trait]
impl ConnectionTrait for Connections {
    fn get_database_backend(&self) -> DbBackend {
        self.inner.backend
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        let execute = |db: DatabaseConnection| {
            let statement = statement.clone();
            async move { db.execute_raw(statement).await }
        };
        let executed = self.run(execute).await;
        executed.map(|(_, done)| done).map_err(unknown_outcome)
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        let execute = |db: DatabaseConnection| async move { db.execute_unprepared(sql).await };
        let executed = self.run(execute).await;
        executed.map(|(_, done)| done).map_err(unknown_outcome)
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        let query = |db: DatabaseConnection| {
            let statement = statement.clone();
            async move { db.query_one_raw(statement).await }
        };
        self.run(query).await.map(|(_, found)| found)
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let query = |db: DatabaseConnection| {
            let statement = statement.clone();
            async move { db.query_all_raw(statement).await }
        };
        self.run(query).await.map(|(_, found)| found)
    }
}

impl fmt::Debug for Connections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connections")
            .field("backend", &self.inner.backend)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
