//! A database server that falls silent while many games are played, and speaks again.

use std::collections::BTreeSet;
use std::time::Duration;

use futures::future::join_all;
use parlor_store::{ListFilter, ListPage, Store, StoreOptions};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};

use super::house::House;
use crate::new_database::in_new_database;

#[path = "../../../parlor-store/tests/store/proxy.rs"]
mod proxy;

use proxy::{Old, Proxy};

const GAMES: usize = 16;
/// Moves of each game before the silence, and in total. Nobody wins with so few.
const BEFORE: usize = 4;
const MOVES: usize = 12;
/// Far longer than a game takes to write again.
const PATIENCE: Duration = Duration::from_secs(120);
/// Pause before a client repeats what was not served.
const PAUSE: Duration = Duration::from_millis(50);

struct Game {
    id: String,
    tokens: [String; 2],
}

impl Game {
    async fn open(house: &House) -> Game {
        let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "open" }]);
        let options = json!({ "rows": 6, "columns": 6, "k": 6 });
        let wanted = json!({ "game": "mnk", "seats": seats, "options": options });
        let (id, tokens) = house.two(wanted).await;
        Game { id, tokens }
    }

    /// Plays moves and repeats each with its id until it is accepted. Returns how often a move was
    /// not served.
    async fn play(&self, house: &House, moves: std::ops::Range<usize>) -> usize {
        let path = format!("/api/v1/tables/{}/moves", self.id);
        let mut unserved = 0;
        for n in moves {
            let body = json!({ "move": format!("{},{}", n / 6, n % 6), "id": format!("move-{n}") });
            loop {
                let answer = house
                    .post_as(&self.tokens[n % 2], &path, body.clone())
                    .await;
                if answer.status == 200 {
                    break;
                }
                let detail = answer.problem(503, "unavailable")["detail"].to_string();
                assert!(!detail.contains("nothing was"), "{detail}");
                unserved += 1;
                sleep(PAUSE).await;
            }
        }
        unserved
    }
}

/// Waits until the house answers the question whether it is ready in this way.
async fn until_ready(house: &House, status: u16) {
    let asked = async {
        loop {
            let started = Instant::now();
            let answer = house.get("/readyz").await;
            // Load balancers do not wait longer.
            assert!(started.elapsed() < Duration::from_secs(10), "{answer:?}");
            if answer.status.as_u16() == status {
                return;
            }
            sleep(PAUSE).await;
        }
    };
    let asked = timeout(PATIENCE, asked).await;
    asked.unwrap_or_else(|_| panic!("the house never answers {status}"));
}

async fn games_go_on(url: String, old: Old) {
    let (proxy, through) = Proxy::start(&url).await;
    let options = StoreOptions {
        timeout: Duration::from_secs(1),
    };
    let store = Store::open_with(&through, &options).await.unwrap();
    let mut house = House::on(store).await;
    let games = join_all((0..GAMES).map(|_| Game::open(&house))).await;
    join_all(games.iter().map(|game| game.play(&house, 0..BEFORE))).await;
    until_ready(&house, 200).await;

    let playing = join_all(games.iter().map(|game| game.play(&house, BEFORE..MOVES)));
    let silence = async {
        proxy.fall_silent();
        until_ready(&house, 503).await;
        // So long that every write under way gives up.
        sleep(options.timeout * 3).await;
        until_ready(&house, 503).await;
        proxy.recover(old);
        until_ready(&house, 200).await;
    };
    let (unserved, ()) = timeout(PATIENCE, async { tokio::join!(playing, silence) })
        .await
        .expect("every game writes again");
    assert!(unserved.iter().sum::<usize>() > 0, "nobody noticed");
    house.close().await;
    assert_stored_once(&url, &games).await;
}

/// Checks the stored moves of all games: each once, in order.
async fn assert_stored_once(url: &str, games: &[Game]) {
    let direct = Store::open(url).await.unwrap();
    let rows = direct
        .list(&ListFilter::default(), &ListPage::default())
        .await
        .unwrap();
    assert_eq!(rows.len(), games.len());
    let expected: Vec<String> = (0..MOVES).map(|n| format!("move-{n}")).collect();
    let mut ids = BTreeSet::new();
    for row in rows {
        let table = direct.load(row.id).await.unwrap().unwrap();
        let moves: Vec<&Value> = table
            .events
            .iter()
            .map(|event| &event.body)
            .filter(|body| body["type"] == "moved")
            .collect();
        let stored: Vec<&str> = moves
            .iter()
            .filter_map(|body| body["id"].as_str())
            .collect();
        assert_eq!(stored, expected, "table {}", row.id);
        assert_eq!(moves.len(), MOVES);
        ids.insert(row.id);
    }
    assert_eq!(ids.len(), games.len());
    direct.close().await;
}

macro_rules! on_every_server {
    ($($old:expr => $postgresql:ident, $mysql:ident;)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            #[ignore = "needs PARLOR_TEST_POSTGRES"]
            async fn $postgresql() {
                in_new_database("PARLOR_TEST_POSTGRES", |url| games_go_on(url, $old)).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            #[ignore = "needs PARLOR_TEST_MYSQL"]
            async fn $mysql() {
                in_new_database("PARLOR_TEST_MYSQL", |url| games_go_on(url, $old)).await;
            }
        )*
    };
}

on_every_server! {
    Old::Silent => games_go_on_although_old_postgresql_connections_stay_silent,
        games_go_on_although_old_mysql_connections_stay_silent;
    Old::Late => games_go_on_although_postgresql_answers_late,
        games_go_on_although_mysql_answers_late;
    Old::Closed => games_go_on_although_postgresql_connections_were_closed,
        games_go_on_although_mysql_connections_were_closed;
}

async fn a_start_waits_for_the_database(url: String) {
    let (proxy, through) = Proxy::start(&url).await;
    let options = StoreOptions {
        timeout: Duration::from_secs(1),
    };
    let store = Store::open_with(&through, &options).await.unwrap();
    proxy.fall_silent();
    let starting = House::on(store);
    let silence = async {
        // The first question was given up.
        proxy.until_tried_again().await;
        proxy.recover(Old::Silent);
    };
    let started = async { tokio::join!(starting, silence) };
    let (mut house, ()) = timeout(PATIENCE, started).await.expect("it starts in time");
    assert_eq!(house.get("/readyz").await.status, 200);
    house.close().await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn a_start_waits_for_postgres() {
    in_new_database("PARLOR_TEST_POSTGRES", a_start_waits_for_the_database).await;
}
