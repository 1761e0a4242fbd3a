//! A separate database for each test, removed afterwards even if the test fails.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use sea_orm::{ConnectionTrait, Database as Connect, DatabaseConnection, DbBackend};

/// Database of a test.
pub struct Database {
    pub url: String,
    /// Folder for the test's files.
    pub folder: PathBuf,
    server: Option<(DatabaseConnection, String)>,
}

impl Database {
    pub fn sqlite() -> Self {
        let folder = folder();
        Self {
            url: format!("sqlite:{}", folder.join("house.db").display()),
            folder,
            server: None,
        }
    }

    pub async fn postgres() -> Self {
        Self::on_server("PARLOR_TEST_POSTGRES").await
    }

    pub async fn mysql() -> Self {
        Self::on_server("PARLOR_TEST_MYSQL").await
    }

    async fn on_server(variable: &str) -> Self {
        let server_url = std::env::var(variable)
            .unwrap_or_else(|_| panic!("{variable} contains the address of a server"));
        let server = Connect::connect(&server_url)
            .await
            .expect("the test server answers");
        let name = unique();
        server
            .execute_unprepared(&format!("CREATE DATABASE {name}"))
            .await
            .expect("a database can be created");
        let (server_part, _) = server_url
            .rsplit_once('/')
            .expect("the address names a database");
        Self {
            url: format!("{server_part}/{name}"),
            folder: folder(),
            server: Some((server, name)),
        }
    }

    pub fn is_sqlite(&self) -> bool {
        self.server.is_none()
    }

    /// Opens a connection that bypasses the store, to inspect and to break things.
    pub async fn raw(&self) -> DatabaseConnection {
        Connect::connect(&self.url).await.unwrap()
    }

    async fn remove(&self) {
        if let Some((server, name)) = &self.server {
            // A failed test may not have closed its connections yet.
            let force = if server.get_database_backend() == DbBackend::Postgres {
                "WITH (FORCE)"
            } else {
                ""
            };
            server
                .execute_unprepared(&format!("DROP DATABASE {name} {force}"))
                .await
                .unwrap();
        }
        std::fs::remove_dir_all(&self.folder).unwrap();
    }
}

/// Runs the test and removes the database in any case.
pub async fn with<F>(database: Database, test: impl FnOnce(std::sync::Arc<Database>) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let database = std::sync::Arc::new(database);
    let ended = tokio::spawn(test(database.clone())).await;
    database.remove().await;
    if let Err(e) = ended {
        eprintln!("failed on {}", database.url);
        std::panic::resume_unwind(e.into_panic());
    }
}

fn unique() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_micros();
    format!(
        "parlor_test_{}_{}_{now}",
        std::process::id(),
        COUNT.fetch_add(1, Ordering::Relaxed)
    )
}

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(unique());
    std::fs::create_dir(&folder).unwrap();
    folder
}
