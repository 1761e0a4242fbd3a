//! A network between a store and its database server that can fall silent.

use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// Fate of the connections made before the end of a silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Old {
    /// They stay silent forever.
    Silent,
    /// Data sent during the silence arrives late.
    Late,
    /// They are closed.
    Closed,
}

/// Part of a commit that begins a silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(dead_code, reason = "some tests only fall silent at any time")]
pub enum Trap {
    /// The commit does not reach the server.
    Request,
    /// The commit reaches the server, and its answer is held back.
    Answer,
}

#[derive(Clone, Debug, Default)]
struct State {
    is_silent: bool,
    trap: Option<Trap>,
    /// Number of connections made so far.
    connections: usize,
    /// Number of the first connection that is not old, and what becomes of those before it.
    first_new: usize,
    old: Option<Old>,
}

pub struct Proxy {
    state: Arc<watch::Sender<State>>,
    _tasks: JoinSet<()>,
}

impl Proxy {
    /// Starts a proxy to the server of a database address, and returns it with the address that
    /// leads through it.
    pub async fn start(url: &str) -> (Proxy, String) {
        let (before, rest) = url.rsplit_once('@').expect("the address names a user");
        let (server, database) = rest.split_once('/').expect("a database is named");
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(watch::Sender::new(State::default()));
        let mut tasks = JoinSet::new();
        tasks.spawn(accept(listener, server.to_owned(), state.clone()));
        let proxy = Proxy {
            state,
            _tasks: tasks,
        };
        // Commits must be recognizable.
        let plain = match url.starts_with("postgres") {
            true => "?sslmode=disable",
            false => "?ssl-mode=disabled",
        };
        (proxy, format!("{before}@{address}/{database}{plain}"))
    }

    /// Lets nothing pass in either direction, on any connection.
    #[allow(dead_code, reason = "some tests only use traps")]
    pub fn fall_silent(&self) {
        self.state.send_modify(|state| state.is_silent = true);
    }

    /// Falls silent at the next commit.
    #[allow(dead_code, reason = "some tests only fall silent at any time")]
    pub fn fall_silent_at_commit(&self, trap: Trap) {
        self.state.send_modify(|state| state.trap = Some(trap));
    }

    /// Waits until the proxy is silent and another connection is attempted.
    #[allow(dead_code, reason = "some tests wait for other things")]
    pub async fn until_tried_again(&self) {
        let mut state = self.state.subscribe();
        let silent = state.wait_for(|state| state.is_silent).await;
        let before = silent.expect("the proxy lives").connections;
        let tried = state.wait_for(|state| state.connections > before);
        drop(tried.await.expect("the proxy lives"));
    }

    /// Ends the silence.
    pub fn recover(&self, old: Old) {
        self.state.send_modify(|state| {
            state.is_silent = false;
            state.first_new = state.connections;
            state.old = Some(old);
        });
    }
}

async fn accept(listener: TcpListener, server: String, state: Arc<watch::Sender<State>>) {
    let mut connections = JoinSet::new();
    while let Ok((client, _)) = listener.accept().await {
        let mut number = 0;
        state.send_modify(|state| {
            number = state.connections;
            state.connections += 1;
        });
        connections.spawn(connect(client, server.clone(), number, state.clone()));
    }
}

async fn connect(
    client: TcpStream,
    server: String,
    number: usize,
    state: Arc<watch::Sender<State>>,
) {
    let Ok(server) = TcpStream::connect(server).await else {
        return;
    };
    let ((from_client, to_client), (from_server, to_server)) =
        (client.into_split(), server.into_split());
    let closed = {
        let mut state = state.subscribe();
        async move {
            let closed = |state: &State| state.old == Some(Old::Closed) && number < state.first_new;
            let _ = state.wait_for(closed).await;
        }
    };
    let requests = forward(from_client, to_server, number, state.clone(), true);
    let answers = forward(from_server, to_client, number, state, false);
    tokio::select! {
        _ = async { tokio::join!(requests, answers) } => {}
        () = closed => {}
    }
}

async fn forward(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    number: usize,
    state: Arc<watch::Sender<State>>,
    are_requests: bool,
) {
    let mut bytes = vec![0; 1 << 16];
    let mut seen = state.subscribe();
    loop {
        let read = from.read(&mut bytes).await.unwrap_or(0);
        // PostgreSQL ends a statement with a zero.
        let is_commit = [&b"COMMIT"[..], b"COMMIT\0"]
            .iter()
            .any(|commit| are_requests && bytes[..read].ends_with(commit));
        let mut sprung = None;
        if is_commit {
            state.send_if_modified(|state| {
                sprung = state.trap.take();
                state.is_silent |= sprung.is_some();
                sprung.is_some()
            });
        }
        let may_pass = |state: &State| {
            let is_muted = state.old == Some(Old::Silent) && number < state.first_new;
            !state.is_silent && !is_muted
        };
        if sprung != Some(Trap::Answer) && seen.wait_for(may_pass).await.is_err() {
            return;
        }
        // The end of a connection is held back like everything else.
        if read == 0 || to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}
