//! Moves per second that become durable: `cargo bench -p parlor-store --bench store -- [URL]`.
//!
//! Without an address it uses a new SQLite file in the current folder. Each figure comes from tables that play side by
//! side, each waiting for the answer to its last move before it makes the next, as players do; `1` in flight is the
//! one-by-one figure. Prints one line of JSON.
#![allow(clippy::print_stdout, reason = "the figures go to the standard output")]

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures::future::try_join_all;
use parlor_store::{Append, Event, NewTable, RowUpdate, Store, StoreError};
use serde_json::{Value, json};

const IN_FLIGHT: [i64; 4] = [1, 16, 256, 2_000];
const SECONDS: f64 = 5.0;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // Cargo passes `--bench`.
    let url = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let file = std::env::current_dir()?.join(format!("bench-{}.db", std::process::id()));
    let store = Store::open(&url.clone().unwrap_or_else(|| format!("sqlite:{}", file.display()))).await?;
    let mut figures = Vec::new();
    let mut first = since_1970()?;
    for tables in IN_FLIGHT {
        figures.push(play(&store, first, tables).await?);
        for id in first..first + tables {
            store.delete(id).await?;
        }
        first += tables;
    }
    println!("{}", json!({"database": store.place(), "seconds_each": SECONDS, "figures": figures}));
    store.close().await;
    if url.is_none() {
        std::fs::remove_file(file)?;
    }
    Ok(())
}

/// Ids that no earlier run has used.
fn since_1970() -> Result<i64, Box<dyn Error>> {
    Ok(i64::try_from(std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.as_micros())?)
}

async fn play(store: &Store, first: i64, tables: i64) -> Result<Value, Box<dyn Error>> {
    let ids = first..first + tables;
    try_join_all(ids.clone().map(|id| {
        let seats = json!([{"name": "Ada", "kind": "person"}, {"name": "Bot", "kind": "bot", "level": 3}]);
        let options = json!({"rows": 3, "columns": 3, "run": 3, "seats": 2});
        store.create(NewTable { seats, options, secret: Some(vec![7; 32]), ..NewTable::new(id, "mnk", 0) })
    }))
    .await?;
    let stop = Arc::new(AtomicBool::new(false));
    let started = Instant::now();
    let players: Vec<_> = ids.map(|id| tokio::spawn(one_table(store.clone(), id, stop.clone()))).collect();
    tokio::time::sleep(Duration::from_secs_f64(SECONDS)).await;
    stop.store(true, Ordering::Relaxed);
    let mut waits = Vec::new();
    for player in players {
        waits.extend(player.await??);
    }
    let seconds = started.elapsed().as_secs_f64();
    waits.sort_unstable();
    let at =
        |share: f64| waits.get((waits.len() as f64 * share) as usize).map(|wait| wait.as_micros() as f64 / 1_000.0);
    Ok(json!({
        "tables_in_flight": tables,
        "moves_per_second": (waits.len() as f64 / seconds).round(),
        "p50_ms": at(0.50),
        "p99_ms": at(0.99),
    }))
}

/// Plays one table until told to stop; returns how long each move took to be durable.
async fn one_table(store: Store, id: i64, stop: Arc<AtomicBool>) -> Result<Vec<Duration>, StoreError> {
    let mut waits = Vec::new();
    for version in 1.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let move_id = format!("{id:x}-{version:x}");
        let body = json!({"type": "moved", "seat": version % 2, "move": "b2", "id": move_id, "by": "ada"});
        let event = Event { version, at: 1_700_000_000_000 + version as i64, body };
        let started = Instant::now();
        store.append(Append { update: RowUpdate::default(), ..Append::new(id, vec![event]) }).await?;
        waits.push(started.elapsed());
    }
    Ok(waits)
}
