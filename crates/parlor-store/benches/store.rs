//! Benchmark of durable moves per second: `cargo bench -p parlor-store --bench store -- [URL]`.
//!
//! Without an address it uses a new SQLite file in the current folder. Each figure comes from
//! tables that play concurrently, each waiting for the answer to its last move before the next,
//! like real players; after 40 moves a new table starts. `1` in flight is the sequential figure.
//! Prints one line of JSON.
#![allow(clippy::print_stdout, reason = "the figures go to the standard output")]

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures::future::try_join_all;
use parlor_store::{Append, NewStoredTable, Store, StoreError, StoredEvent};
use serde_json::{Value, json};

const IN_FLIGHT: [usize; 4] = [1, 16, 256, 2_000];
const SECONDS: f64 = 5.0;
/// Moves per game.
const MOVES: u64 = 40;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // Cargo passes `--bench`.
    let url = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let file = std::env::current_dir()?.join(format!("bench-{}.db", std::process::id()));
    let store = Store::open(
        &url.clone()
            .unwrap_or_else(|| format!("sqlite:{}", file.display())),
    )
    .await?;
    let mut figures = Vec::new();
    for tables in IN_FLIGHT {
        figures.push(play(&store, tables).await?);
    }
    println!(
        "{}",
        json!({"database": store.location(), "seconds_each": SECONDS, "figures": figures})
    );
    store.close().await;
    if url.is_none() {
        std::fs::remove_file(file)?;
    }
    Ok(())
}

/// Returns an id that follows time and that no earlier run has used.
fn next_id() -> i64 {
    static LAST: AtomicI64 = AtomicI64::new(0);
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("the clock is past 1970")
        .as_micros() as i64;
    LAST.fetch_max(now, Ordering::Relaxed);
    LAST.fetch_add(1, Ordering::Relaxed)
}

async fn play(store: &Store, tables: usize) -> Result<Value, Box<dyn Error>> {
    let stop = Arc::new(AtomicBool::new(false));
    let started = Instant::now();
    let players: Vec<_> = (0..tables)
        .map(|n| tokio::spawn(player(store.clone(), n, stop.clone())))
        .collect();
    tokio::time::sleep(Duration::from_secs_f64(SECONDS)).await;
    stop.store(true, Ordering::Relaxed);
    let (mut waits, mut ids) = (Vec::new(), Vec::new());
    for player in players {
        let played = player.await??;
        waits.extend(played.waits);
        ids.extend(played.ids);
    }
    let seconds = started.elapsed().as_secs_f64();
    try_join_all(ids.into_iter().map(|id| store.delete(id))).await?;
    waits.sort_unstable();
    let at = |share: f64| {
        waits
            .get((waits.len() as f64 * share) as usize)
            .map(|wait| wait.as_micros() as f64 / 1_000.0)
    };
    Ok(json!({
        "tables_in_flight": tables,
        "moves_per_second": (waits.len() as f64 / seconds).round(),
        "p50_ms": at(0.50),
        "p99_ms": at(0.99),
    }))
}

#[derive(Default)]
struct Played {
    ids: Vec<i64>,
    /// Time until each move was durable.
    waits: Vec<Duration>,
}

/// Plays one table after another until stopped; only moves are counted.
async fn player(store: Store, n: usize, stop: Arc<AtomicBool>) -> Result<Played, StoreError> {
    let mut played = Played::default();
    // Start in the middle of games, so that they do not all end at the same time.
    let mut left = n as u64 % MOVES + 1;
    loop {
        let id = next_id();
        let seats =
            json!([{"name": "Ada", "kind": "person"}, {"name": "Bot", "kind": "bot", "level": 3}]);
        let options = json!({"rows": 3, "columns": 3, "run": 3, "seats": 2});
        store
            .create(NewStoredTable {
                seats,
                options,
                secret: Some(vec![7; 32]),
                ..NewStoredTable::new(id, "mnk", 0)
            })
            .await?;
        played.ids.push(id);
        for version in 1..=left {
            if stop.load(Ordering::Relaxed) {
                return Ok(played);
            }
            let move_id = format!("{id:x}-{version:x}");
            let body = json!({"type": "moved", "seat": version % 2, "move": "b2", "id": move_id, "by": "ada"});
            let event = StoredEvent {
                version,
                at: 1_700_000_000_000 + version as i64,
                body,
            };
            let started = Instant::now();
            store.append(Append::new(id, vec![event])).await?;
            played.waits.push(started.elapsed());
        }
        left = MOVES;
    }
}
