//! A house of several simulated nodes.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request, StatusCode};
use futures::StreamExt;
use parlor_store::{Store, StoreError};
use parlor_table::Timestamp;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tower::ServiceExt;

use super::chance::Chance;
use super::network::{Cable, Weather, Wire};
use crate::downtime::Downtime;
use crate::nodes::Nodes;
use crate::server::begin_chores;
use crate::{AppState, Config, Limits, NoticeConfig, Sources, router};

/// Time of a turn, in milliseconds.
const TICK_MS: i64 = 10;
/// Time at which each simulation begins, in milliseconds since the Unix epoch.
const BEGINNING: i64 = 1_900_000_000_000;
/// Names of the members.
pub(super) const MEMBERS: [&str; 4] = ["Ann", "Bob", "Cem", "Dee"];
/// Time for which a node that was asked to end goes on answering, in milliseconds.
const DRAIN_MS: i64 = 500;
/// Time after which a person gives up on a request.
const PATIENCE: Duration = Duration::from_secs(3);

/// A house of several nodes, and the people's own runtime.
pub(super) struct House {
    pub(super) weather: Arc<Weather>,
    pub(super) chance: Chance,
    pub(super) doors: Doors,
    /// Runs what people do.
    pub(super) people: Runtime,
    nodes: Vec<Node>,
    wire: Wire,
    /// Time of the next failure, in milliseconds since the Unix epoch.
    trouble_at: i64,
    /// Time until which the database is away.
    database_back_at: i64,
    /// Times at which no node ran, though the database was there.
    pub(super) outages: Vec<Range<i64>>,
    folder: TempDir,
}

/// A node, running or not.
struct Node {
    running: Option<RunningNode>,
    /// Difference of its clock, in milliseconds.
    skew: i64,
    /// Time at which it starts or continues, if it does not run.
    back_at: i64,
    /// True while it is stopped, but not dead.
    is_stopped: bool,
    /// Time at which it ends, if it was asked to.
    ends_at: Option<i64>,
    /// Time for which it was stopped, in milliseconds.
    missed: u64,
    /// Time of the last message between it and the database that was lost.
    lost: Arc<AtomicI64>,
}

struct RunningNode {
    runtime: Runtime,
    state: AppState,
    chores: JoinSet<()>,
    outgoing: mpsc::Receiver<String>,
    incoming: mpsc::Sender<String>,
}

/// Entrances by which people reach the nodes that run.
#[derive(Clone)]
pub(super) struct Doors {
    open: Arc<Mutex<BTreeMap<usize, Door>>>,
    pub(super) weather: Arc<Weather>,
    pub(super) chance: Chance,
}

#[derive(Clone)]
pub(super) struct Door {
    pub(super) node: usize,
    handle: Handle,
    router: Router,
    /// Time since which the node has run and reached the database, in milliseconds since the epoch.
    lost: Arc<AtomicI64>,
}

impl House {
    pub(super) fn new(seed: u64) -> House {
        let chance = Chance::new(seed);
        let weather = Arc::new(Weather::default());
        weather.now.store(BEGINNING, Ordering::Relaxed);
        let folder = tempfile::tempdir().unwrap();
        std::fs::copy(&template().file, database(&folder)).unwrap();
        let size = 2 + chance.below(6);
        let node = |_| Node {
            running: None,
            skew: chance.below(400).cast_signed() - 200,
            back_at: BEGINNING,
            is_stopped: false,
            ends_at: None,
            missed: 0,
            lost: Arc::new(AtomicI64::new(0)),
        };
        let mut house = House {
            doors: Doors {
                open: Arc::default(),
                weather: weather.clone(),
                chance: chance.fork(),
            },
            wire: Wire::new(weather.clone(), chance.fork()),
            people: runtime(),
            nodes: (0..size).map(node).collect(),
            trouble_at: BEGINNING + 1_000,
            database_back_at: BEGINNING,
            outages: Vec::new(),
            folder,
            weather,
            chance,
        };
        house.pass(100, false);
        house
    }

    /// Lets time pass; if `is_rough`, with failures.
    pub(super) fn pass(&mut self, ms: i64, is_rough: bool) {
        self.weather.is_rough.store(is_rough, Ordering::Relaxed);
        let end = self.weather.now() + ms;
        while self.weather.now() < end {
            let now = self.weather.now.fetch_add(TICK_MS, Ordering::Relaxed) + TICK_MS;
            if is_rough && now >= self.trouble_at {
                self.make_trouble(now);
            }
            if now >= self.database_back_at {
                let is_down = &self.weather.is_database_down;
                is_down.store(false, Ordering::Relaxed);
            }
            for node in 0..self.nodes.len() {
                self.take_turn(node, now);
            }
            pass(&self.people, TICK_MS.unsigned_abs());
        }
    }

    /// Ends all failures.
    pub(super) fn heal(&mut self) {
        let now = self.weather.now();
        self.database_back_at = now;
        for outage in &mut self.outages {
            outage.end = outage.end.min(now);
        }
        for node in &mut self.nodes {
            node.back_at = node.back_at.min(now);
        }
    }

    /// Lets something fail.
    fn make_trouble(&mut self, now: i64) {
        let ms = |from: u64, to: u64| (from + self.chance.below(to - from)).cast_signed();
        self.trouble_at = now + ms(1_000, 6_000);
        let node = usize::try_from(self.chance.below(self.nodes.len() as u64)).unwrap();
        let back_at = now + ms(100, 9_000);
        match self.chance.below(10) {
            0 => {
                let is_down = &self.weather.is_database_down;
                is_down.store(true, Ordering::Relaxed);
                self.database_back_at = self.database_back_at.max(now + ms(100, 12_000));
                self.outages.push(now..self.database_back_at);
            }
            1 => {
                (0..self.nodes.len()).for_each(|node| self.kill(node, back_at));
                self.outages.push(now..back_at);
            }
            2..=4 => self.kill(node, back_at),
            5 | 6 => self.drain(node, now, back_at),
            _ => self.stop(node, back_at),
        }
    }

    /// Kills a node as `kill -9` does.
    fn kill(&mut self, index: usize, back_at: i64) {
        let node = &mut self.nodes[index];
        self.doors.lock().remove(&index);
        node.is_stopped = false;
        node.ends_at = None;
        node.missed = 0;
        node.back_at = node.back_at.max(back_at);
        if let Some(RunningNode {
            runtime, chores, ..
        }) = node.running.take()
        {
            let context = runtime.enter();
            drop(chores);
            drop(context);
            runtime.shutdown_background();
        }
    }

    /// Asks a node to end, as `kill` does.
    fn drain(&mut self, index: usize, now: i64, back_at: i64) {
        let node = &mut self.nodes[index];
        let Some(running) = &node.running else { return };
        if node.is_stopped || node.ends_at.is_some() {
            return;
        }
        self.doors.lock().remove(&index);
        let _context = running.runtime.enter();
        running.state.close_streams();
        node.ends_at = Some(now + DRAIN_MS);
        node.back_at = back_at.max(now + DRAIN_MS);
    }

    /// Ends a node that was asked to.
    fn end(&mut self, index: usize) {
        let node = &mut self.nodes[index];
        if let Some(running) = &mut node.running {
            let RunningNode {
                runtime,
                state,
                chores,
                ..
            } = running;
            runtime.block_on(async {
                chores.abort_all();
                state.nodes().leave().await;
            });
        }
        self.kill(index, 0);
    }

    /// Stops a node as `kill -STOP` does.
    fn stop(&mut self, index: usize, back_at: i64) {
        let node = &mut self.nodes[index];
        if node.running.is_some() && !node.is_stopped && node.ends_at.is_none() {
            node.is_stopped = true;
            node.back_at = back_at;
        }
    }

    /// Lets a node run for a tick.
    fn take_turn(&mut self, index: usize, now: i64) {
        let hints = self.wire.arrive(index);
        let size = self.nodes.len();
        let node = &mut self.nodes[index];
        if node.running.is_none() {
            if now >= node.back_at {
                self.start(index);
            }
            return;
        }
        if node.is_stopped && now < node.back_at {
            node.missed += TICK_MS.unsigned_abs();
        }
        node.is_stopped &= now < node.back_at;
        let Some(running) = node.running.as_mut().filter(|_| !node.is_stopped) else {
            return;
        };
        for hint in hints {
            let _ = running.incoming.try_send(hint);
        }
        let missed = std::mem::take(&mut node.missed);
        if missed > 0 {
            // The time that has passed meanwhile passes for the node all at once.
            node.lost.store(now, Ordering::Relaxed);
            let missed = Duration::from_millis(missed);
            running.runtime.block_on(tokio::time::advance(missed));
        }
        pass(&running.runtime, TICK_MS.unsigned_abs());
        while let Ok(hint) = running.outgoing.try_recv() {
            self.wire.send(size, &hint);
        }
        if node.ends_at.is_some_and(|ends_at| now >= ends_at) {
            self.end(index);
        }
    }

    /// Starts a node, unless the database is away.
    fn start(&mut self, index: usize) {
        let node = &mut self.nodes[index];
        let cable = Arc::new(Cable {
            weather: self.weather.clone(),
            chance: self.chance.fork(),
            lost: node.lost.clone(),
        });
        let (weather, skew) = (self.weather.clone(), node.skew);
        let luck = self.chance.fork();
        let sources = Sources::new(
            move || Timestamp::from_millis(weather.now() + skew),
            move |bytes| luck.fill(bytes),
        );
        let number = self.chance.next();
        let file = database(&self.folder);
        let runtime = runtime();
        let started = runtime.block_on(async {
            let store = Store::open_simulated(&file, cable);
            let downtime =
                Downtime::begin(store.clone(), number.cast_signed(), sources.clone()).await?;
            let config = Config {
                limits: limits(),
                sources,
                notices: NoticeConfig {
                    on: false,
                    ..NoticeConfig::default()
                },
                ..Config::new(SocketAddr::from(([127, 0, 0, 1], 0)), store)
            };
            let (sender, outgoing) = mpsc::channel(4_096);
            let (incoming, hints) = mpsc::channel(4_096);
            let nodes = Nodes::simulated(sender, &config.store, number, downtime);
            let state = AppState::new(&config, nodes);
            let chores = begin_chores(&state, hints);
            Ok::<_, StoreError>((state, chores, outgoing, incoming))
        });
        match started {
            Ok((state, chores, outgoing, incoming)) => {
                let door = Door {
                    node: index,
                    handle: runtime.handle().clone(),
                    router: router(state.clone()),
                    lost: node.lost.clone(),
                };
                self.doors.lock().insert(index, door);
                node.running = Some(RunningNode {
                    runtime,
                    state,
                    chores,
                    outgoing,
                    incoming,
                });
            }
            Err(_) => {
                runtime.shutdown_background();
                node.back_at = self.weather.now() + 500;
            }
        }
    }
}

impl Drop for House {
    fn drop(&mut self) {
        for node in 0..self.nodes.len() {
            self.kill(node, i64::MAX);
        }
    }
}

impl Doors {
    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<usize, Door>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the door of some node that runs, as far as can be seen from outside.
    pub(super) fn any(&self) -> Option<Door> {
        let open = self.lock();
        let n = self.chance.below(open.len().max(1) as u64);
        open.values().nth(usize::try_from(n).unwrap()).cloned()
    }

    /// Returns the doors of all nodes that run.
    pub(super) fn all(&self) -> Vec<Door> {
        self.lock().values().cloned().collect()
    }
}

impl Door {
    /// Returns the time of the last failure between this node and the database, or of the node.
    pub(super) fn last_trouble(&self) -> i64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// Sends a request and returns the status and the JSON of the answer; `None` if none came.
    pub(super) async fn ask(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: Value,
    ) -> Option<(StatusCode, Value)> {
        let router = self.router.clone();
        let request = request(method, path, token, &body);
        let answer = self.handle.spawn(async move {
            let Ok(answer) = router.oneshot(request).await;
            let status = answer.status();
            let bytes = axum::body::to_bytes(answer.into_body(), 1 << 20)
                .await
                .ok()?;
            Some((
                status,
                serde_json::from_slice(&bytes).unwrap_or(Value::Null),
            ))
        });
        timeout(PATIENCE, answer).await.ok()?.ok()?
    }

    /// Opens a stream of JSON lines. It ends with the node, or with the receiver.
    pub(super) fn listen(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: &Value,
    ) -> mpsc::UnboundedReceiver<Value> {
        let (lines, receiver) = mpsc::unbounded_channel();
        let router = self.router.clone();
        let request = request(method, path, token, body);
        self.handle.spawn(async move {
            let Ok(answer) = router.oneshot(request).await;
            if answer.status() != StatusCode::OK {
                return;
            }
            let mut chunks = answer.into_body().into_data_stream();
            let mut text = Vec::new();
            loop {
                let chunk = tokio::select! {
                    chunk = chunks.next() => chunk,
                    () = lines.closed() => return,
                };
                let Some(Ok(chunk)) = chunk else { return };
                text.extend_from_slice(&chunk);
                while let Some(end) = text.iter().position(|byte| *byte == b'\n') {
                    let line: Vec<u8> = text.drain(..=end).collect();
                    match serde_json::from_slice::<Value>(&line) {
                        Ok(json) if json["type"] == "closed" => return,
                        Ok(json) => drop(lines.send(json)),
                        Err(_) => {}
                    }
                }
            }
        });
        receiver
    }
}

fn request(method: Method, path: &str, token: Option<&str>, body: &Value) -> Request<Body> {
    let mut request = Request::builder()
        .method(method)
        .header("host", "house")
        .uri(path)
        .header("accept", "application/x-ndjson, application/json")
        .header("content-type", "application/json");
    if let Some(token) = token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let mut request = request.body(Body::from(body)).unwrap();
    let peer = SocketAddr::from(([127, 0, 0, 1], 1));
    request.extensions_mut().insert(ConnectInfo(peer));
    request
}

/// Returns a runtime whose time stands still unless it runs.
fn runtime() -> Runtime {
    let mut builder = Builder::new_current_thread();
    builder.enable_time().start_paused(true).build().unwrap()
}

fn pass(runtime: &Runtime, ms: u64) {
    runtime.block_on(async { sleep(Duration::from_millis(ms)).await });
}

fn database(folder: &TempDir) -> PathBuf {
    folder.path().join("house.db")
}

/// Returns limits that no simulation reaches: rates are limited by the real time.
fn limits() -> Limits {
    Limits {
        requests_per_second: None,
        tables_per_hour: None,
        open_tables_per_address: None,
        sign_ups_per_hour: None,
        logins_per_hour: None,
        logins_per_account: None,
        tokens_per_hour: None,
        challenges_per_hour: None,
        messages_per_second: None,
        streams_per_address: 10_000,
        ..Limits::default()
    }
}

/// A database with accounts, made once for all simulations.
pub(super) struct Template {
    file: PathBuf,
    /// API tokens of the [`MEMBERS`].
    pub(super) tokens: Vec<String>,
    _folder: TempDir,
}

pub(super) fn template() -> &'static Template {
    static TEMPLATE: OnceLock<Template> = OnceLock::new();
    TEMPLATE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let file = database(&folder);
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let tokens = runtime.block_on(make_members(&file));
        Template {
            file,
            tokens,
            _folder: folder,
        }
    })
}

/// Creates the members in a new file and returns their tokens.
async fn make_members(file: &Path) -> Vec<String> {
    let store = Store::open(&format!("sqlite:{}", file.display()))
        .await
        .unwrap();
    let config = Config::new(SocketAddr::from(([127, 0, 0, 1], 0)), store.clone());
    let sources = config.sources.clone();
    let downtime = Downtime::begin(store.clone(), 1, sources).await.unwrap();
    let (nodes, _hints) = Nodes::open(None, &store, 1, downtime).await.unwrap();
    let router = router(AppState::new(&config, nodes));
    let mut tokens = Vec::new();
    for name in MEMBERS {
        let account = json!({ "name": name, "password": "correct horse" });
        let sign_up = request(Method::POST, "/api/v1/accounts", None, &account);
        let made = router.clone().oneshot(sign_up).await.unwrap();
        let cookie = made.headers()["set-cookie"].to_str().unwrap();
        let cookie = cookie.split(';').next().unwrap().to_owned();
        let wanted = json!({ "name": "simulation" });
        let mut wanted = request(Method::POST, "/api/v1/tokens", None, &wanted);
        wanted
            .headers_mut()
            .insert("cookie", cookie.parse().unwrap());
        let made = router.clone().oneshot(wanted).await.unwrap();
        let body = axum::body::to_bytes(made.into_body(), 1 << 16)
            .await
            .unwrap();
        let made: Value = serde_json::from_slice(&body).unwrap();
        tokens.push(made["token"].as_str().unwrap().to_owned());
    }
    // Their signs of life are of another time.
    store.leave(1).await.unwrap();
    store.close().await;
    tokens
}
