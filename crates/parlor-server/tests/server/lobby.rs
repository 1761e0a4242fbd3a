//! The lobby: real tables come first, whatever strangers do.

use std::time::Duration;

use futures::future::join_all;
use parlor_store::{NewStoredTable, Store};
use parlor_table::{Player, SeatKey};
use reqwest::Method;
use serde_json::{Value, json};

use super::house::{Answer, House, Lines, classic};
use super::sources::ManualClock;
use super::stored;
use crate::new_database::in_new_database;

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;
/// Number of tables that strangers have made and left.
const STRANGERS: usize = 10_000;

/// Returns the tables that a page links to, in order.
async fn shown(house: &House, path: &str) -> Vec<String> {
    let page = house.request(Method::GET, path);
    let page = Answer::of(page.header("accept", "text/html")).await;
    assert_eq!(page.status, 200, "{}", page.text);
    let links = page.text.split("href=\"/t/").skip(1);
    links.map(|link| link[..11].to_owned()).collect()
}

/// Opens the stream of a table as one of its players.
async fn stream(house: &House, token: &str, id: &str) -> Lines {
    let path = format!("/api/v1/tables/{id}/events");
    let request = house.request(Method::GET, &path).bearer_auth(token);
    Lines::of(request.header("accept", "application/x-ndjson")).await
}

/// Writes the tables of strangers as their requests would, a moment from now.
async fn write_strangers(store: &Store) {
    let at = stored::now() + 1_000;
    for some in (0..STRANGERS).collect::<Vec<_>>().chunks(1_000) {
        let rows = some.iter().map(|n| {
            let key = SeatKey::from_token(&format!("stranger {n}"));
            let players = vec![Player::human("Stranger", key).unwrap(), Player::Open];
            let table = stored::table_at(at, parlor_games::mnk::KIND, None, players);
            let row = NewStoredTable {
                people: vec![key.fingerprint().cast_signed()],
                made_from: Some(*n as i64 / 60),
                ..stored::row(&table)
            };
            store.create(row)
        });
        for written in join_all(rows).await {
            written.unwrap();
        }
    }
}

async fn strangers_come(url: &str) {
    let store = Store::open(url).await.unwrap();
    let house = House::on_with(store, |config| {
        config.trusted_proxies = "127.0.0.1".parse().unwrap();
        config.limits.open_tables_per_address = Some(60);
    })
    .await;
    let (mut real, mut streams) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        let made = house.create(classic()).await;
        streams.push(stream(&house, &made.token, &made.id).await);
        real.push(made.id);
    }
    write_strangers(house.store()).await;
    // Some were heard from just now, from addresses of their own.
    for n in 0..60 {
        let address = format!("10.0.{}.{}", n / 20, n % 20);
        let request = house.request(Method::POST, "/api/v1/tables");
        let request = request.header("x-forwarded-for", address);
        Answer::of(request.json(&classic())).await.expect(201);
    }
    real.sort_unstable();
    let first = |tables: &[String]| {
        let mut first = tables[..3].to_vec();
        first.sort_unstable();
        first
    };
    let first_page = shown(&house, "/").await;
    assert_eq!((first_page.len(), first(&first_page)), (12, real.clone()));
    let whole = shown(&house, "/tables/open").await;
    assert_eq!((whole.len(), first(&whole)), (48, real));
    let rest = shown(&house, "/tables/open?page=2").await;
    assert_eq!(rest.len(), 63 - 48, "nobody who is away");
    assert!(!rest.iter().any(|id| whole.contains(id)));
}

#[tokio::test]
async fn ten_thousand_tables_of_strangers_leave_the_real_ones_first() {
    strangers_come("sqlite::memory:").await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn ten_thousand_tables_of_strangers_leave_the_real_ones_first_on_postgresql() {
    in_new_database("PARLOR_TEST_POSTGRES", |url| async move {
        strangers_come(&url).await;
    })
    .await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_MYSQL"]
async fn ten_thousand_tables_of_strangers_leave_the_real_ones_first_on_mysql() {
    in_new_database("PARLOR_TEST_MYSQL", |url| async move {
        strangers_come(&url).await;
    })
    .await;
}

#[tokio::test]
async fn games_that_somebody_attends_come_before_those_of_bots() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let _stream = stream(&house, &tokens[1], &id).await;
    let bot = json!({ "kind": "bot", "spec": "random" });
    for _ in 0..3 {
        let pair = json!({ "game": "mnk", "seats": [{ "kind": "me" }, bot] });
        house.create(pair).await;
    }
    let live = shown(&house, "/tables/live").await;
    assert_eq!((live.len(), &live[0]), (4, &id));
    assert_eq!(shown(&house, "/tables/live?game=backgammon").await, [""; 0]);
}

#[tokio::test]
async fn games_of_the_record_api_are_not_in_the_lobby() {
    let house = House::open().await;
    let games = "/tictactoe/api/games/";
    house.post(games, json!({})).await.expect(201);
    let (id, _) = house.two(classic()).await;
    assert_eq!(shown(&house, "/").await, [id]);
    let listed = house.get(games).await.expect(200);
    assert_eq!(listed.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_long_list_goes_on_at_a_page_of_its_own() {
    let house = House::open().await;
    for _ in 0..13 {
        house.create(classic()).await;
    }
    let lobby = house.get("/").await;
    assert!(lobby.text.contains(r#"href="/tables/open""#));
    assert_eq!(shown(&house, "/").await.len(), 12);
    assert_eq!(shown(&house, "/tables/open").await.len(), 13);
    let of_game = house.get("/?game=mnk").await;
    assert!(of_game.text.contains(r#"href="/tables/open?game=mnk""#));
    assert_eq!(shown(&house, "/tables/open?page=20").await, [""; 0]);
}

/// Starts a house with this clock, whose tables leave the memory at once.
async fn forgetful(clock: &ManualClock) -> House {
    let sources = clock.sources();
    House::alone_with(|config| {
        config.sources = sources;
        config.limits.idle = Duration::ZERO;
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_open_while_somebody_waits_there() {
    let clock = ManualClock::new();
    let house = forgetful(&clock).await;
    let made = house.create(classic()).await;
    assert_eq!(shown(&house, "/").await, [made.id.as_str()]);
    clock.advance(61_000);
    assert_eq!(shown(&house, "/").await, [""; 0], "nobody is there");
    house.get_as(&made.token, "/api/v1/games").await.expect(200);
    assert_eq!(shown(&house, "/").await, [made.id.as_str()]);
    let _stream = stream(&house, &made.token, &made.id).await;
    clock.advance(HOUR_MS);
    assert_eq!(shown(&house, "/").await, [made.id], "still connected");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_nobody_comes_to_is_called_off() {
    let clock = ManualClock::new();
    let house = forgetful(&clock).await;
    let id = house.create(classic()).await.id;
    clock.advance(14 * DAY_MS);
    let log = house.until(&id, 0, |entry| entry["type"] == "ended").await;
    assert_eq!(log.last().unwrap()["ending"]["how"], "abort");
}

#[tokio::test(flavor = "multi_thread")]
async fn games_without_a_clock_leave_the_live_list_when_they_are_asleep() {
    let clock = ManualClock::new();
    let house = forgetful(&clock).await;
    let (untimed, tokens) = house.two(classic()).await;
    clock.advance(1_000);
    let days = json!({ "game": "mnk", "clock": { "kind": "correspondence", "days": 14 } });
    let (timed, _) = house.two(days).await;
    clock.advance(2 * DAY_MS);
    let awake = shown(&house, "/tables/live").await;
    assert_eq!(awake, [timed.clone(), untimed.clone()]);
    clock.advance(2 * DAY_MS);
    assert_eq!(shown(&house, "/tables/live").await, [timed.as_str()]);
    let played = json!({ "move": "1,1" });
    house
        .act(&tokens[0], &untimed, "moves", played)
        .await
        .expect(200);
    assert_eq!(shown(&house, "/tables/live").await, [untimed, timed]);
}

#[tokio::test]
async fn an_address_has_only_so_many_open_tables() {
    let house = House::with(|config| config.limits.open_tables_per_address = Some(2)).await;
    let first = house.create(classic()).await;
    house.create(classic()).await;
    let refused = house.post("/api/v1/tables", classic()).await;
    let policy = refused.headers["ratelimit-policy"].to_str().unwrap();
    assert!(policy.starts_with(r#""open-tables";q=2"#), "{policy}");
    refused.problem(429, "too-many-requests");
    let bot = json!({ "kind": "bot", "spec": "random" });
    let full = json!({ "game": "mnk", "seats": [{ "kind": "me" }, bot] });
    house.create(full).await;
    let joined = json!({ "name": "Bob" });
    let path = format!("/api/v1/tables/{}/join", first.id);
    house.post(&path, joined).await.expect(200);
    let third = house.create(classic()).await;
    house.post("/api/v1/tables", classic()).await.expect(429);
    house
        .act(&third.token, &third.id, "abort", Value::Null)
        .await
        .expect(200);
    house.create(classic()).await;
}
