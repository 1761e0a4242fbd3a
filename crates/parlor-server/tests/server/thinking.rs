//! Floods of games against bots: the house's computing time is shared between clients.

use std::time::Duration;

use serde_json::{Value, json};

use super::admin::Office;
use super::house::House;

/// Seats of a game in which a bot moves first.
fn bot_first(spec: &str) -> Value {
    json!([{ "kind": "bot", "spec": spec }, { "kind": "me" }])
}

/// Returns the events of a table until the first move.
async fn first_move(house: &House, id: &str) -> Value {
    let seen = house.until(id, 0, |event| event["type"] == "moved").await;
    seen.last().unwrap().clone()
}

async fn slow_bots() -> House {
    House::with(|config| {
        config.bots.threads = 1;
        config.bots.time = Duration::from_millis(80);
        config.bots.nodes = u64::MAX;
    })
    .await
}

#[tokio::test]
async fn a_flood_of_games_does_not_delay_the_bots_of_others() {
    let office = Office::of(slow_bots().await).await;
    let house = &office.house;
    let ann = house.member("Ann").await;
    let wanted = json!({ "game": "ultimate", "seats": bot_first("level:5") });
    let mut flood = Vec::new();
    for _ in 0..60 {
        flood.push(house.create(wanted.clone()).await.id);
    }
    let load = office.page("/admin/load").await;
    assert!(load.contains("Guests near 127.0.0.0"), "{load}");
    let made = house.post_as(&ann, "/api/v1/tables", wanted).await;
    let table = made.expect(201)["table"]["id"].as_str().unwrap().to_owned();
    let asked = house.log(&table).await[0]["at"].as_i64().unwrap();
    let answered = first_move(house, &table).await["at"].as_i64().unwrap();
    let mut meanwhile = 0;
    for id in &flood {
        let at = first_move(house, id).await["at"].as_i64().unwrap();
        meanwhile += u32::from(asked < at && at < answered);
    }
    // The one that was running and one more in turn, and those that moved while Ann's table was
    // stored, which takes its time on a busy machine.
    assert!(meanwhile <= 15, "{meanwhile} of 60 bots moved before Ann's");
}

#[tokio::test]
async fn no_bot_loses_on_time_in_a_flood_of_games() {
    let house = House::with(|config| {
        config.bots.threads = 1;
        config.bots.time = Duration::from_secs(1);
        config.bots.nodes = u64::MAX;
    })
    .await;
    let clock = json!({ "kind": "total", "initial_ms": 10_000 });
    let wanted = json!({ "game": "ultimate", "seats": bot_first("level:4"), "clock": clock });
    let mut flood = Vec::new();
    for _ in 0..60 {
        flood.push(house.create(wanted.clone()).await.id);
    }
    for id in &flood {
        let seen = house
            .until(id, 0, |event| {
                event["type"] == "moved" || event["type"] == "ended"
            })
            .await;
        assert_eq!(seen.last().unwrap()["type"], "moved");
    }
}

#[tokio::test]
async fn games_between_bots_alone_are_limited() {
    let house = House::with(|config| {
        config.bots.time = Duration::from_millis(30);
        config.bots.bot_tables_per_client = 2;
    })
    .await;
    let bot = json!({ "kind": "bot", "spec": "level:4" });
    let wanted = json!({ "game": "ultimate", "seats": [bot, bot] });
    let first = house.create(wanted.clone()).await;
    house.create(wanted.clone()).await;
    let refused = house.post("/api/v1/tables", wanted.clone()).await;
    let problem = refused.problem(429, "too-many-requests");
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("only bots play at 2 tables"), "{detail}");
    // With a person there is no such limit, and one more may begin once a game is over.
    house
        .create(json!({ "game": "ultimate", "seats": bot_first("level:1") }))
        .await;
    house
        .until(&first.id, 0, |event| event["type"] == "ended")
        .await;
    // Its answer comes after everything that belongs to the end of the game.
    house.table(&first.id).await;
    house.create(wanted).await;
}
