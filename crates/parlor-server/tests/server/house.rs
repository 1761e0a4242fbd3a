//! A server to test, on a free port with a temporary database, and a client for it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use parlor_server::{Config, MetricsBind, Server};
use parlor_store::{Store, StoreOptions};
use reqwest::{Client, Method, RequestBuilder, StatusCode};
use sea_orm::{ConnectionTrait, Database};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Timeout for events that a test expects.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub struct House {
    pub url: String,
    metrics_url: String,
    store: Store,
    pub client: Client,
    folder: Folder,
    running: Option<(oneshot::Sender<()>, JoinHandle<std::io::Result<()>>)>,
}

/// A folder, and a database with its name, both deleted when dropped.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "parlor-server-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        if let Some(server) = database_server() {
            execute(&server, format!("CREATE DATABASE {}", database_name(&path)));
        }
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
        if let Some(server) = database_server() {
            // A failed test may not have closed its connections yet.
            let force = if server.starts_with("postgres") {
                " WITH (FORCE)"
            } else {
                ""
            };
            execute(
                &server,
                format!("DROP DATABASE {}{force}", database_name(&self.0)),
            );
        }
    }
}

/// Response with its status, headers and JSON (or null).
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: reqwest::header::HeaderMap,
    pub json: Value,
    pub text: String,
}

impl Answer {
    pub async fn of(request: RequestBuilder) -> Answer {
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let text = response.text().await.unwrap();
        let json = serde_json::from_str(&text).unwrap_or(Value::Null);
        Answer {
            status,
            headers,
            json,
            text,
        }
    }

    /// Returns a cookie that the response must set, as `NAME=VALUE`.
    #[track_caller]
    pub fn cookie(&self, name: &str) -> String {
        let set = self.headers.get_all("set-cookie").iter();
        let pairs = set.filter_map(|cookie| cookie.to_str().ok()?.split(';').next());
        let mut named = pairs.filter(|pair| pair.starts_with(&format!("{name}=")));
        named.next().expect("the cookie is set").to_owned()
    }

    /// Returns the JSON of a response that must have this status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        self.json
    }

    /// Returns the JSON of a response that must be a problem document of this type.
    #[track_caller]
    pub fn problem(self, status: u16, kind: &str) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        assert_eq!(
            self.headers["content-type"], "application/problem+json",
            "{}",
            self.text
        );
        assert_eq!(
            self.json["type"],
            format!("/problems/{kind}"),
            "{}",
            self.text
        );
        assert_eq!(self.json["status"], status);
        assert!(
            self.json["title"].is_string() && self.json["detail"].is_string(),
            "{}",
            self.text
        );
        self.json
    }
}

impl House {
    /// Starts a server with default settings, but without a limit on requests.
    pub async fn open() -> House {
        House::with(|_| {}).await
    }

    /// Starts a server with other settings.
    pub async fn with(change: impl FnOnce(&mut Config)) -> House {
        let folder = Folder::new();
        let store = open_store(&database(&folder.0)).await;
        House::start(folder, store, change).await
    }

    /// Starts a server on SQLite wherever the others are: only there may it have a clock of its own.
    pub async fn alone_with(change: impl FnOnce(&mut Config)) -> House {
        let folder = Folder::new();
        let store = open_store(&sqlite(&folder.0)).await;
        House::start(folder, store, change).await
    }

    /// Starts a server on another database.
    pub async fn on(store: Store) -> House {
        House::start(Folder::new(), store, |_| {}).await
    }

    /// Starts a server with other settings on another database.
    pub async fn on_with(store: Store, change: impl FnOnce(&mut Config)) -> House {
        House::start(Folder::new(), store, change).await
    }

    async fn start(folder: Folder, store: Store, change: impl FnOnce(&mut Config)) -> House {
        let mut config = Config::new(([127, 0, 0, 1], 0).into(), store);
        config.limits.requests_per_second = None;
        config.limits.git_seconds_per_minute = None;
        config.limits.tables_per_hour = None;
        config.limits.open_tables_per_address = None;
        config.limits.sign_ups_per_hour = None;
        config.limits.logins_per_hour = None;
        config.limits.logins_per_account = None;
        config.metrics = MetricsBind::At(([127, 0, 0, 1], 0).into());
        config.bots.time = Duration::from_millis(20);
        config.bots.nodes = 300;
        change(&mut config);
        let store = config.store.clone();
        let server = Server::bind(config).await.unwrap();
        let url = format!("http://{}", server.local_addr());
        let metrics_url = format!("http://{}/metrics", server.metrics_addr().unwrap());
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(server.run(async {
            let _ = stopped.await;
        }));
        let client = Client::builder()
            .no_proxy()
            .timeout(PATIENCE)
            .build()
            .unwrap();
        House {
            store,
            url,
            metrics_url,
            client,
            folder,
            running: Some((stop, task)),
        }
    }

    /// Returns the store, to change it as other programs do.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Returns the address of the metrics.
    pub fn metrics_address(&self) -> &str {
        let url = self.metrics_url.trim_start_matches("http://");
        url.trim_end_matches("/metrics")
    }

    /// Returns the metrics.
    pub async fn metrics(&self) -> String {
        let request = self.client.get(&self.metrics_url);
        request.send().await.unwrap().text().await.unwrap()
    }

    /// Shuts the server down gracefully.
    pub async fn close(&mut self) {
        let (stop, task) = self.running.take().expect("the house is open");
        stop.send(()).unwrap();
        task.await.unwrap().unwrap();
    }

    /// Restarts the server on the same database.
    pub async fn restart(mut self) -> House {
        self.close().await;
        let House { folder, .. } = self;
        let store = open_store(&database(&folder.0)).await;
        House::start(folder, store, |_| {}).await
    }

    pub fn database(&self) -> String {
        database(&self.folder.0)
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.url))
    }

    pub async fn get(&self, path: &str) -> Answer {
        Answer::of(self.request(Method::GET, path)).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        Answer::of(self.request(Method::POST, path).json(&body)).await
    }

    /// Posts with this token.
    pub async fn post_as(&self, token: &str, path: &str, body: Value) -> Answer {
        Answer::of(
            self.request(Method::POST, path)
                .bearer_auth(token)
                .json(&body),
        )
        .await
    }

    /// Sends a PUT request with this token.
    pub async fn put_as(&self, token: &str, path: &str, body: Value) -> Answer {
        let request = self.request(Method::PUT, path).bearer_auth(token);
        Answer::of(request.json(&body)).await
    }

    /// Creates a table, which must succeed.
    #[track_caller]
    pub fn create(&self, wanted: Value) -> impl Future<Output = Made> {
        let request = self.request(Method::POST, "/api/v1/tables").json(&wanted);
        async move {
            let made = Answer::of(request).await.expect(201);
            Made {
                id: made["table"]["id"].as_str().unwrap().to_owned(),
                token: made["token"].as_str().unwrap_or_default().to_owned(),
                json: made,
            }
        }
    }

    /// Creates a table with two players and returns their tokens.
    pub async fn two(&self, wanted: Value) -> (String, [String; 2]) {
        let made = self.create(wanted).await;
        let joined = self
            .post(
                &format!("/api/v1/tables/{}/join", made.id),
                json!({ "name": "Bob" }),
            )
            .await
            .expect(200);
        (
            made.id,
            [made.token, joined["token"].as_str().unwrap().to_owned()],
        )
    }

    /// Creates a member and returns the token.
    pub async fn member(&self, name: &str) -> String {
        let account = json!({ "name": name, "password": "correct horse" });
        let made = self.post("/api/v1/accounts", account).await;
        let cookie = made.headers["set-cookie"]
            .to_str()
            .unwrap()
            .split(';')
            .next()
            .unwrap()
            .to_owned();
        made.expect(201);
        let request = self
            .request(Method::POST, "/api/v1/tokens")
            .header("cookie", cookie);
        let token = Answer::of(request.json(&json!({ "name": "test" })))
            .await
            .expect(201);
        token["token"].as_str().unwrap().to_owned()
    }

    /// Sends a command to a table with this token.
    pub async fn act(&self, token: &str, id: &str, verb: &str, body: Value) -> Answer {
        self.post_as(token, &format!("/api/v1/tables/{id}/{verb}"), body)
            .await
    }

    /// Plays moves, each with the token of the seat on turn.
    pub async fn play(&self, table: &str, tokens: &[String; 2], moves: &[&str]) -> Value {
        let mut last = Value::Null;
        for (n, text) in moves.iter().enumerate() {
            let path = format!("/api/v1/tables/{table}/moves");
            last = self
                .post_as(&tokens[n % 2], &path, json!({ "move": text }))
                .await
                .expect(200);
        }
        last
    }

    /// Sends a GET request with this token.
    pub async fn get_as(&self, token: &str, path: &str) -> Answer {
        Answer::of(self.request(Method::GET, path).bearer_auth(token)).await
    }

    /// Returns the public state of a table.
    pub async fn table(&self, id: &str) -> Value {
        House::without_time(self.get(&format!("/api/v1/tables/{id}")).await)
    }

    /// Returns the state of a table that the holder of this token may see.
    pub async fn table_as(&self, token: &str, id: &str) -> Value {
        House::without_time(self.get_as(token, &format!("/api/v1/tables/{id}")).await)
    }

    fn without_time(answer: Answer) -> Value {
        let mut table = answer.expect(200);
        for passing in ["now", "away"] {
            table
                .as_object_mut()
                .unwrap()
                .remove(passing)
                .expect(passing);
        }
        table
    }

    /// Returns the events of a table so far.
    pub async fn log(&self, id: &str) -> Vec<Value> {
        let path = format!("/api/v1/tables/{id}/events?follow=false");
        let lines = Answer::of(
            self.request(Method::GET, &path)
                .header("accept", "application/x-ndjson"),
        )
        .await;
        lines
            .text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Reads a table's events until one matches; fails if the stream ends or times out.
    pub async fn until(&self, id: &str, after: u64, enough: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut events = Lines::open(self, id, after).await;
        let mut seen = Vec::new();
        loop {
            let event = events.next().await.expect("the stream goes on");
            seen.push(event);
            if seen.last().is_some_and(&enough) {
                return seen;
            }
        }
    }
}

/// Returns the moves of a seat among the legal ones.
pub fn moves_of(legal: &Value, seat: u64) -> Vec<String> {
    let moves = legal["moves"].as_array().unwrap();
    let seats = legal["seats"].as_array().unwrap();
    let own = moves.iter().zip(seats).filter(|(_, of)| **of == seat);
    own.map(|(text, _)| text.as_str().unwrap().to_owned())
        .collect()
}

/// A newly created table.
pub struct Made {
    pub id: String,
    pub token: String,
    pub json: Value,
}

/// A stream of events, one per line.
pub struct Lines {
    response: reqwest::Response,
    text: Vec<u8>,
}

impl Lines {
    pub async fn open(house: &House, id: &str, after: u64) -> Lines {
        let path = format!("/api/v1/tables/{id}/events?after={after}");
        let request = house
            .request(Method::GET, &path)
            .header("accept", "application/x-ndjson");
        Lines::of(request).await
    }

    /// Opens the stream that answers a request.
    pub async fn of(request: RequestBuilder) -> Lines {
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200, "{}", response.text().await.unwrap());
        Lines {
            response,
            text: Vec::new(),
        }
    }

    /// Returns the next event; `None` when the stream ends.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            while let Some(end) = self.text.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.text.drain(..=end).collect();
                if line.len() > 1 {
                    return Some(serde_json::from_slice(&line).unwrap());
                }
            }
            let chunk = tokio::time::timeout(PATIENCE, self.response.chunk())
                .await
                .expect("something comes in time");
            self.text.extend_from_slice(&chunk.ok()??);
        }
    }
}

/// Opens a database with patience: the disk of a machine that runs many tests may stand still for
/// seconds.
async fn open_store(url: &str) -> Store {
    let timeout = Duration::from_secs(30);
    Store::open_with(url, &StoreOptions { timeout })
        .await
        .unwrap()
}

/// Returns the address of the folder's database: a file in it, or a database of its name on the
/// server that `PARLOR_TEST_SERVER_ON` contains the address of.
pub fn database(folder: &Path) -> String {
    match database_server() {
        None => sqlite(folder),
        Some(server) => {
            let (server, _) = server.rsplit_once('/').expect("a database is named");
            format!("{server}/{}", database_name(folder))
        }
    }
}

/// Returns the address of a database file in this folder.
pub fn sqlite(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("parlor.db").display())
}

fn database_server() -> Option<String> {
    std::env::var("PARLOR_TEST_SERVER_ON").ok()
}

/// Returns the name of a folder's database on a server.
fn database_name(folder: &Path) -> String {
    let name = folder.file_name().expect("a folder has a name");
    format!("house_{}", name.to_string_lossy().replace('-', "_"))
}

/// Executes a statement in a thread of its own, because `drop` cannot wait for a future.
fn execute(server: &str, statement: String) {
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            runtime.unwrap().block_on(async {
                let server = Database::connect(server).await.unwrap();
                server.execute_unprepared(&statement).await.unwrap();
                server.close().await.unwrap();
            });
        });
    });
}

/// Request for a classic game with the creator in the first seat.
pub fn classic() -> Value {
    json!({ "game": "mnk", "seats": [{ "kind": "me", "name": "Ann" }, { "kind": "open" }] })
}
