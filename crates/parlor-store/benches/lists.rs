//! Benchmark of list pages: `cargo bench -p parlor-store --bench lists -- [URL]`.
//!
//! Without an address it uses a new SQLite file in the current folder. Fills it with 10,000 tables,
//! runs each query 200 times in sequence, and prints one line of JSON: milliseconds for a page of
//! 50, and for the count.
#![allow(clippy::print_stdout, reason = "the figures go to the standard output")]

use std::error::Error;
use std::time::Instant;

use futures::future::try_join_all;
use parlor_store::{
    ListFilter, ListPage, NewStoredTable, PlayerFilter, PlayerRole, RowStatus, Store, StoreError,
    StoredEvent,
};
use serde_json::{Map, Value, json};

const TABLES: i64 = 10_000;
const TIMES: usize = 200;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // Cargo passes `--bench`.
    let url = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let file = std::env::current_dir()?.join(format!("bench-lists-{}.db", std::process::id()));
    let store = Store::open(
        &url.clone()
            .unwrap_or_else(|| format!("sqlite:{}", file.display())),
    )
    .await?;
    try_join_all((1..=TABLES).map(|n| store.create(table(n)))).await?;
    let (mut figures, first) = (Map::new(), ListPage::default());
    for (name, filter) in queries() {
        let page = median(|| store.list(&filter, &first)).await?;
        let count = median(|| store.count(&filter)).await?;
        figures.insert(name.to_owned(), json!({"page_ms": page, "count_ms": count}));
    }
    let mine = PlayerFilter {
        statuses: vec![RowStatus::Playing],
        ..PlayerFilter::default()
    };
    figures.insert(
        "my games".into(),
        json!({"page_ms": median(|| store.tables_of(7, &mine, &first)).await?}),
    );
    figures.insert(
        "due".into(),
        json!({"page_ms": median(|| store.due(TABLES / 2, 50)).await?}),
    );
    println!(
        "{}",
        json!({"database": store.location(), "tables": TABLES, "figures": figures})
    );
    store.close().await;
    if url.is_none() {
        std::fs::remove_file(file)?;
    }
    Ok(())
}

fn queries() -> [(&'static str, ListFilter); 7] {
    let all = ListFilter::default();
    let playing = ListFilter {
        statuses: vec![RowStatus::Playing],
        ..all.clone()
    };
    [
        ("all", all.clone()),
        (
            "playing, X on turn",
            ListFilter {
                turn: Some("X".into()),
                ..playing.clone()
            },
        ),
        (
            "nobody on turn matches",
            ListFilter {
                turn: Some("Z".into()),
                ..all.clone()
            },
        ),
        (
            "a game and a day",
            ListFilter {
                game: Some("ultimate".into()),
                created_from: Some(10),
                created_before: Some(900),
                ..all.clone()
            },
        ),
        (
            "options",
            ListFilter {
                options: Some(options(2)),
                ..all.clone()
            },
        ),
        (
            "listed classic games",
            ListFilter {
                game: Some("mnk".into()),
                options: Some(options(0)),
                listed_only: true,
                ..all.clone()
            },
        ),
        (
            "id prefix",
            ListFilter {
                ids: ListFilter::decimal_prefix("99"),
                ..all
            },
        ),
    ]
}

fn options(n: i64) -> Value {
    json!({"rows": 3 + n, "columns": 3 + n, "run": 3, "seats": 2})
}

fn table(n: i64) -> NewStoredTable {
    let seats = json!([
        {"label": "X", "kind": "person", "name": "Ada", "member": true},
        {"label": "O", "kind": "bot", "name": "Bot", "level": 3},
    ]);
    let event = |version| StoredEvent {
        version,
        at: n,
        body: json!({"type": "moved", "seat": 0, "move": "b2"}),
    };
    NewStoredTable {
        status: if n % 10 == 0 {
            RowStatus::Playing
        } else {
            RowStatus::Over
        },
        options: options(n % 5),
        seats,
        secret: Some(vec![7; 32]),
        events: (1..=9).map(event).collect(),
        due_at: (n % 10 == 0).then_some(n),
        turn: Some(if n % 3 == 0 { "X" } else { "O" }.to_owned()),
        players: vec![
            (n % 100, PlayerRole::Seated),
            (n % 71 + 100, PlayerRole::Seated),
        ],
        ..NewStoredTable::new(n, if n % 4 == 0 { "ultimate" } else { "mnk" }, n)
    }
}

/// Returns the median time of a query, in milliseconds.
async fn median<T, F: Future<Output = Result<T, StoreError>>>(
    ask: impl Fn() -> F,
) -> Result<f64, StoreError> {
    let mut times = Vec::with_capacity(TIMES);
    for _ in 0..TIMES {
        let started = Instant::now();
        ask().await?;
        times.push(started.elapsed());
    }
    times.sort_unstable();
    Ok(times[TIMES / 2].as_micros() as f64 / 1_000.0)
}
