//! A server on its own port, which can be stopped and restarted there.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use parlor_server::{Config, Server};
use parlor_store::{Store, StoreOptions};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

pub struct House {
    pub address: SocketAddr,
    folder: PathBuf,
    database: String,
    running: Option<(oneshot::Sender<()>, JoinHandle<std::io::Result<()>>)>,
}

impl House {
    /// Starts a server with a database file of its own.
    pub async fn open() -> House {
        House::start(None).await
    }

    /// Starts a server with this database.
    pub async fn on(database: String) -> House {
        House::start(Some(database)).await
    }

    async fn start(database: Option<String>) -> House {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "parlor-pages-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let file = || format!("sqlite:{}", folder.join("house.db").display());
        let mut house = House {
            address: ([127, 0, 0, 1], 0).into(),
            database: database.unwrap_or_else(file),
            folder,
            running: None,
        };
        house.reopen().await;
        house
    }

    /// Restarts the stopped server at the same address.
    pub async fn reopen(&mut self) {
        // The disk of a machine that runs many tests may stand still for seconds.
        let timeout = Duration::from_secs(30);
        let store = Store::open_with(&self.database(), &StoreOptions { timeout })
            .await
            .unwrap();
        let mut config = Config::new(self.address, store);
        config.limits.requests_per_second = None;
        config.limits.git_seconds_per_minute = None;
        config.limits.tables_per_hour = None;
        config.limits.open_tables_per_address = None;
        config.bots.time = Duration::from_millis(50);
        config.bots.nodes = 500;
        let server = Server::bind(config).await.unwrap();
        self.address = server.local_addr();
        let (stop, stopped) = oneshot::channel::<()>();
        let task = tokio::spawn(server.run(async {
            let _ = stopped.await;
        }));
        self.running = Some((stop, task));
    }

    /// Stops the server and closes its connections.
    pub async fn close(&mut self) {
        let (stop, task) = self.running.take().expect("the house is open");
        stop.send(()).unwrap();
        task.await.unwrap().unwrap();
    }

    /// Returns the URL of its database.
    pub fn database(&self) -> String {
        self.database.clone()
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
