//! `kill -9` during 200 games: no acknowledged move is lost, and every game can be continued.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::folder;
use crate::serve::{RunningServer, serve};

const GAMES: usize = 200;
/// Number of acknowledged moves after which the server is killed, in the middle of all games.
const KILL_AFTER: usize = 2_500;
const SIDE: usize = 6;

/// Returns the moves of every game: the cells in order, until X fills the first column.
fn moves() -> Vec<String> {
    (0..=SIDE * (SIDE - 1))
        .map(|cell| format!("{},{}", cell / SIDE, cell % SIDE))
        .collect()
}

/// A game with one person on both sides, and the number of moves that the server has acknowledged.
struct Game {
    id: String,
    token: String,
    acknowledged: usize,
}

fn start(place: &Path) -> RunningServer {
    let free = [
        ("PARLOR_REQUESTS_PER_SECOND", "0"),
        ("PARLOR_TABLES_PER_HOUR", "0"),
    ];
    serve(place, &["--bind", "127.0.0.1:0", "--log", "warn"], &free)
}

fn api(address: &str, path: &str) -> String {
    format!("http://{address}/api/v1/tables{path}")
}

async fn create(client: &reqwest::Client, address: &str) -> Game {
    let wanted = json!({
        "game": "mnk", "options": {"rows": SIDE, "columns": SIDE, "k": SIDE},
        "seats": [{"kind": "me", "name": "X"}, {"kind": "me", "name": "O"}],
    });
    let answer = client
        .post(api(address, ""))
        .json(&wanted)
        .send()
        .await
        .expect("the server answers");
    let made: Value = answer.json().await.expect("JSON");
    let text = |value: &Value| {
        value
            .as_str()
            .unwrap_or_else(|| panic!("{made}"))
            .to_owned()
    };
    Game {
        id: text(&made["table"]["id"]),
        token: text(&made["token"]),
        acknowledged: 0,
    }
}

/// Continues a game until it is over or the server is gone. Moves are retried with the same ids, so
/// none is played twice.
async fn play_on(
    client: reqwest::Client,
    address: String,
    mut game: Game,
    total: Arc<AtomicUsize>,
) -> Game {
    let url = api(&address, &format!("/{}/moves", game.id));
    for (number, text) in moves().iter().enumerate().skip(game.acknowledged) {
        let body = json!({"move": text, "id": format!("m{number}")});
        let Ok(answer) = client
            .post(&url)
            .bearer_auth(&game.token)
            .json(&body)
            .send()
            .await
        else {
            return game;
        };
        let status = answer.status();
        let Ok(answer) = answer.text().await else {
            return game;
        };
        assert!(
            status.is_success(),
            "move {number} of {}: {status} {answer}",
            game.id
        );
        game.acknowledged = number + 1;
        total.fetch_add(1, Ordering::Relaxed);
    }
    game
}

async fn play_all(
    client: &reqwest::Client,
    address: &str,
    games: Vec<Game>,
    fatal: Option<RunningServer>,
) -> Vec<Game> {
    let total = Arc::new(AtomicUsize::new(0));
    let mut tasks = JoinSet::new();
    for game in games {
        tasks.spawn(play_on(
            client.clone(),
            address.to_owned(),
            game,
            total.clone(),
        ));
    }
    if let Some(server) = fatal {
        while total.load(Ordering::Relaxed) < KILL_AFTER {
            tokio::task::yield_now().await;
        }
        assert_eq!(
            server.end("-KILL").0,
            None,
            "a killed process has no exit code"
        );
    }
    tasks.join_all().await
}

async fn get(client: &reqwest::Client, url: String) -> Value {
    let answer = client.get(url).send().await.expect("the server answers");
    answer.json().await.expect("JSON")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_acknowledged_move_is_lost_and_every_game_goes_on() {
    let place = folder("crash");
    let client = reqwest::Client::new();
    let server = start(&place);
    let address = server.address.clone();
    let mut games = Vec::new();
    for _ in 0..GAMES {
        games.push(create(&client, &address).await);
    }
    let games = play_all(&client, &address, games, Some(server)).await;
    let whole = moves();
    assert!(
        games.iter().any(|game| game.acknowledged < whole.len()),
        "the server died too late"
    );

    let server = start(&place);
    let address = server.address.clone();
    for game in &games {
        let record = get(&client, api(&address, &format!("/{}/record", game.id))).await;
        let log: Vec<_> = record["log"]
            .as_array()
            .expect("a log")
            .iter()
            .map(|step| step["move"].clone())
            .collect();
        assert_eq!(
            log,
            whole[..log.len()],
            "the moves in their order, none missing"
        );
        let in_flight = log.len() - game.acknowledged;
        assert!(
            in_flight <= 1,
            "{} moves are there, {} were acknowledged",
            log.len(),
            game.acknowledged
        );
    }
    let games = play_all(&client, &address, games, None).await;
    for game in &games {
        let url = api(&address, &format!("/{}", game.id));
        let table = get(&client, url.clone()).await;
        assert_eq!(
            (&table["status"], &table["plies"]),
            (&json!("over"), &json!(whole.len())),
            "{table}"
        );
        let report = get(&client, format!("{url}/verify")).await;
        assert_eq!(report["problems"], json!([]), "{report}");
    }
    assert_eq!(server.end("-TERM").0, Some(0));
}
