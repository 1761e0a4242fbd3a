//! Load generator that measures the throughput and latency of moves: many games at once, over HTTP
//! with keep-alive connections or over WebSockets.
//!
//! ```text
//! cargo run --release -p parlor-server --example load -- [--games 256] [--seconds 10] [--way rest|socket] [--url http://…]
//! ```
//!
//! Without `--url` it starts its own server in another process, with its own database file, and
//! reports that process's CPU time. It prints one line of JSON: moves per second, latency from
//! sending a move to its durable acknowledgment, and server CPU time per move.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures::future::join_all;
use futures::{SinkExt, StreamExt};
use parlor_server::{Config, Server};
use parlor_store::Store;
use reqwest::Client;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

struct LoadOptions {
    games: usize,
    seconds: u64,
    way: String,
    url: Option<String>,
    serve: Option<String>,
}

fn parse_options() -> Result<LoadOptions, BoxError> {
    let mut options = LoadOptions {
        games: 256,
        seconds: 10,
        way: "rest".to_owned(),
        url: None,
        serve: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments
            .next()
            .ok_or_else(|| format!("{name} needs a value"))?;
        match name.as_str() {
            "--games" => options.games = value.parse()?,
            "--seconds" => options.seconds = value.parse()?,
            "--way" => options.way = value,
            "--url" => options.url = Some(value),
            "--serve" => options.serve = Some(value),
            _ => return Err(format!("{name} is no option").into()),
        }
    }
    Ok(options)
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let options = parse_options()?;
    if let Some(database) = &options.serve {
        return serve(database).await;
    }
    let server = match &options.url {
        Some(_) => None,
        None => Some(ServerProcess::start()?),
    };
    let url = options
        .url
        .clone()
        .or_else(|| server.as_ref().map(|server| server.url.clone()))
        .unwrap_or_default();
    let client = Client::builder()
        .no_proxy()
        .pool_max_idle_per_host(options.games)
        .tcp_nodelay(true)
        .build()?;
    let seats = join_all((0..options.games).map(|_| sit_down(&client, &url))).await;
    let seats = seats.into_iter().collect::<Result<Vec<_>, _>>()?;
    let before = server.as_ref().map(ServerProcess::cpu);
    let stop = Arc::new(AtomicBool::new(false));
    let start = Instant::now();
    let games: Vec<_> = seats
        .into_iter()
        .map(|seat| {
            let (client, url, stop, sockets) = (
                client.clone(),
                url.clone(),
                stop.clone(),
                options.way == "socket",
            );
            tokio::spawn(async move {
                if sockets {
                    play_over_socket(&url, seat, &stop).await
                } else {
                    play_over_http(&client, &url, seat, &stop).await
                }
            })
        })
        .collect();
    tokio::time::sleep(Duration::from_secs(options.seconds)).await;
    stop.store(true, Ordering::Relaxed);
    let mut latencies = Vec::new();
    for game in games {
        latencies.extend(game.await??);
    }
    let elapsed = start.elapsed();
    latencies.sort_unstable();
    let at = |part: f64| {
        latencies
            .get((latencies.len() as f64 * part) as usize)
            .map_or(0.0, |d| d.as_secs_f64() * 1e3)
    };
    let moves = latencies.len().max(1);
    let cpu = server
        .as_ref()
        .zip(before)
        .map(|(server, before)| (server.cpu() - before).as_secs_f64() * 1e6 / moves as f64);
    #[allow(
        clippy::print_stdout,
        reason = "the figures are what this program is for"
    )]
    {
        println!(
            "{}",
            json!({
                "way": options.way, "games": options.games, "moves": latencies.len(),
                "moves_per_second": (moves as f64 / elapsed.as_secs_f64()).round(),
                "p50_ms": at(0.5), "p99_ms": at(0.99), "server_cpu_us_per_move": cpu,
                "server_resident_kib": server.as_ref().and_then(ServerProcess::resident_kib),
            })
        );
    }
    Ok(())
}

/// Credentials for both sides of a long game.
struct Seat {
    table: String,
    token: String,
}

const SIDE: usize = 19;

async fn sit_down(client: &Client, url: &str) -> Result<Seat, BoxError> {
    let me = json!({ "kind": "me" });
    let wanted = json!({ "game": "mnk", "options": { "rows": SIDE, "columns": SIDE, "k": SIDE }, "seats": [me, me] });
    let made: Value = client
        .post(format!("{url}/api/v1/tables"))
        .json(&wanted)
        .send()
        .await?
        .json()
        .await?;
    let text = |value: &Value| {
        value
            .as_str()
            .map(str::to_owned)
            .ok_or_else(|| format!("no table was made: {made}"))
    };
    Ok(Seat {
        table: text(&made["table"]["id"])?,
        token: text(&made["token"])?,
    })
}

/// Returns the moves of a long game without a winner.
fn moves() -> impl Iterator<Item = String> {
    (0..SIDE * (SIDE - 1)).map(|n| format!("{},{}", n / SIDE, n % SIDE))
}

async fn play_over_http(
    client: &Client,
    url: &str,
    mut seat: Seat,
    stop: &AtomicBool,
) -> Result<Vec<Duration>, BoxError> {
    let mut latencies = Vec::new();
    loop {
        let path = format!("{url}/api/v1/tables/{}/moves", seat.table);
        for (n, text) in moves().enumerate() {
            if stop.load(Ordering::Relaxed) {
                return Ok(latencies);
            }
            let body = json!({ "move": text, "id": format!("m{n}"), "version": n + 2 });
            let sent = Instant::now();
            let answer = client
                .post(&path)
                .bearer_auth(&seat.token)
                .json(&body)
                .send()
                .await?;
            let status = answer.status();
            let answer = answer.bytes().await?;
            if !status.is_success() {
                return Err(String::from_utf8_lossy(&answer).into_owned().into());
            }
            latencies.push(sent.elapsed());
        }
        seat = sit_down(client, url).await?;
    }
}

async fn play_over_socket(
    url: &str,
    mut seat: Seat,
    stop: &AtomicBool,
) -> Result<Vec<Duration>, BoxError> {
    let mut latencies = Vec::new();
    loop {
        let address = format!(
            "{}/api/v1/tables/{}/socket",
            url.replacen("http", "ws", 1),
            seat.table
        );
        let mut request = address.into_client_request()?;
        request
            .headers_mut()
            .insert("authorization", format!("Bearer {}", seat.token).parse()?);
        let (mut socket, _) = tokio_tungstenite::connect_async(request).await?;
        for (n, text) in moves().enumerate() {
            if stop.load(Ordering::Relaxed) {
                return Ok(latencies);
            }
            let message =
                json!({ "type": "move", "move": text, "id": format!("m{n}"), "version": n + 2 });
            let sent = Instant::now();
            socket.send(Message::text(message.to_string())).await?;
            let answer = loop {
                match socket.next().await.ok_or("the socket closed")?? {
                    Message::Text(text) => break text,
                    Message::Close(frame) => return Err(format!("closed: {frame:?}").into()),
                    _ => {}
                }
            };
            if !answer.contains("\"ack\"") {
                return Err(answer.as_str().to_owned().into());
            }
            latencies.push(sent.elapsed());
        }
        seat = sit_down(&Client::builder().no_proxy().build()?, url).await?;
    }
}

/// Serves without limits until standard input ends.
async fn serve(database: &str) -> Result<(), BoxError> {
    let mut config = Config::new(
        SocketAddr::from(([127, 0, 0, 1], 0)),
        Store::open(database).await?,
    );
    config.connections.per_address = None;
    config.limits.requests_per_second = None;
    config.limits.git_seconds_per_minute = None;
    config.limits.tables_per_hour = None;
    config.limits.open_tables_per_address = None;
    config.limits.messages_per_second = None;
    config.limits.streams_per_address = usize::MAX;
    let server = Server::bind(config).await?;
    #[allow(
        clippy::print_stdout,
        reason = "this is how the other process learns the port"
    )]
    {
        println!("http://{}", server.local_addr());
    }
    let ended = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        let _ = std::io::stdin().read_line(&mut line);
    });
    server.run(async { drop(ended.await) }).await?;
    Ok(())
}

/// A server in another process.
struct ServerProcess {
    process: Child,
    url: String,
    folder: std::path::PathBuf,
}

impl ServerProcess {
    fn start() -> Result<ServerProcess, BoxError> {
        let folder = std::env::temp_dir().join(format!("parlor-load-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let database = format!("sqlite:{}", folder.join("load.db").display());
        let mut process = Command::new(std::env::current_exe()?)
            .args(["--serve", &database])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let out = process.stdout.take().ok_or("the server has no output")?;
        let mut url = String::new();
        BufReader::new(out).read_line(&mut url)?;
        Ok(ServerProcess {
            process,
            url: url.trim().to_owned(),
            folder,
        })
    }

    /// Returns the CPU time used so far (Linux only; zero elsewhere).
    fn cpu(&self) -> Duration {
        const TICK: Duration = Duration::from_millis(10);
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id()))
            .unwrap_or_default();
        let fields = stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .split_whitespace();
        fields
            .skip(11)
            .take(2)
            .filter_map(|ticks| ticks.parse::<u32>().ok())
            .map(|ticks| TICK * ticks)
            .sum()
    }

    /// Returns the resident memory, in KiB (Linux only).
    fn resident_kib(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?
            .split_whitespace()
            .next()?
            .parse()
            .ok()
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
