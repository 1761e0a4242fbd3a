//! Clocks: without connected clients, across a restart, and for a thousand tables at once.

use std::time::Duration;

use futures::future::join_all;
use parlor_store::{ListFilter, RowStatus, Store};
use parlor_table::{Table, TimeControl};
use serde_json::{Value, json};

use super::house::{House, PATIENCE};
use super::stored::{self, TOKENS};
use crate::new_database::in_new_database;

/// Durations are printed as figures, not asserted (`-- --nocapture a_thousand`).
const TABLES: usize = 1_000;
const MEMBERS: i64 = 40;

/// Time after which a game that was lost on time must have ended, on the busiest machine.
const LATEST_MS: i64 = 60_000;

/// Lock that keeps the tests with many tables from running concurrently.
static CROWDED: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

fn second() -> Option<TimeControl> {
    TimeControl::total(1_000, 0).ok()
}

fn timed(ms: u64) -> Value {
    json!({ "game": "mnk", "clock": { "kind": "total", "initial_ms": ms } })
}

/// Waits until this many tables in the store are over, and returns the time.
async fn all_over(store: &Store, count: usize) -> i64 {
    let filter = ListFilter {
        statuses: vec![RowStatus::Over],
        ..ListFilter::default()
    };
    let mut looks = tokio::time::interval(Duration::from_millis(20));
    let found = async {
        while store.count(&filter).await.unwrap() < count as u64 {
            looks.tick().await;
        }
    };
    tokio::time::timeout(PATIENCE, found)
        .await
        .expect("all games end");
    stored::now()
}

/// Stores a thousand rated games whose clocks reach zero one second after `at`.
fn thousand(at: i64) -> Vec<Table> {
    let one = |n: usize| {
        let user = n as i64 % MEMBERS + 1;
        let other = user % MEMBERS + 1;
        let mut table = stored::table_at(
            at,
            parlor_games::mnk::KIND,
            second(),
            stored::members([user, other]),
        );
        stored::play_at(&mut table, at, &["1,1", "0,0"]);
        table
    };
    (0..TABLES).map(one).collect()
}

async fn write_all(store: &Store, tables: &[Table]) {
    for written in join_all(tables.iter().map(|table| store.create(stored::row(table)))).await {
        written.unwrap();
    }
}

/// Asserts that each game was lost on time, soon enough after `zero`, and counted once for each
/// member.
async fn all_ended_and_counted_once(store: &Store, tables: &[Table], zero: i64) {
    for table in tables {
        let id = table.id().number() as i64;
        let stored = store.load(id).await.unwrap().unwrap();
        let ends = stored
            .events
            .iter()
            .filter(|event| event.body["type"] == "ended")
            .collect::<Vec<_>>();
        assert_eq!(ends.len(), 1);
        assert_eq!(ends[0].body["ending"]["how"], "time");
        assert_eq!(ends[0].body["ending"]["outcome"]["seat"], 1);
        assert!(ends[0].at >= zero, "{} ms before zero", zero - ends[0].at);
        let late = ends[0].at - zero;
        assert!(late < LATEST_MS, "{late} ms after zero");
        let changes = store.changes_of_table(id).await.unwrap();
        assert_eq!(changes.len(), 2);
        assert!(changes.iter().all(|change| change.rated));
        assert_eq!(
            changes
                .iter()
                .map(|change| change.elo_after - change.elo_before)
                .sum::<i32>(),
            0
        );
    }
    let (mut games, mut points) = (0, 0);
    for user in 1..=MEMBERS {
        let standing = store
            .rating(user, "mnk@bullet")
            .await
            .unwrap()
            .unwrap()
            .standing;
        games += standing.wins + standing.losses;
        points += standing.elo - 1_000;
    }
    assert_eq!((games as usize, points), (2 * tables.len(), 0));
}

#[tokio::test]
async fn a_thousand_tables_without_sockets_end_at_zero_and_count_once() {
    let _alone = CROWDED.lock().await;
    let house = House::open().await;
    let store = Store::open(&house.database()).await.unwrap();
    stored::accounts(&store, MEMBERS).await;
    // The clocks start when all tables are stored.
    let start = stored::now() + 6_000;
    let tables = thousand(start);
    write_all(&store, &tables).await;
    let over = all_over(&store, TABLES).await;
    println!(
        "{TABLES} tables were over {} ms after zero",
        over - start - 1_000
    );
    all_ended_and_counted_once(&store, &tables, start + 1_000).await;
    store.close().await;
}

#[tokio::test]
async fn a_thousand_tables_that_fell_due_while_the_house_was_closed_end_when_it_opens() {
    let _alone = CROWDED.lock().await;
    let mut house = House::open().await;
    house.close().await;
    let store = Store::open(&house.database()).await.unwrap();
    stored::accounts(&store, MEMBERS).await;
    let tables = thousand(stored::now() - 3_600_000);
    write_all(&store, &tables).await;
    let again = Store::open(&house.database()).await.unwrap();
    let opened = stored::now();
    let _house = House::on(again).await;
    let over = all_over(&store, TABLES).await;
    println!(
        "{TABLES} tables were over {} ms after the opening",
        over - opened
    );
    all_ended_and_counted_once(&store, &tables, opened).await;
    store.close().await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn of_two_nodes_one_ends_a_game_and_it_counts_once() {
    in_new_database("PARLOR_TEST_POSTGRES", |url| async move {
        let store = Store::open(&url).await.unwrap();
        stored::accounts(&store, MEMBERS).await;
        let start = stored::now() + 1_000;
        let tables: Vec<Table> = thousand(start).into_iter().take(100).collect();
        write_all(&store, &tables).await;
        let other = Store::open(&url).await.unwrap();
        let (_one, _two) = (House::on(store.clone()).await, House::on(other).await);
        all_over(&store, 100).await;
        for table in &tables {
            let id = table.id().number() as i64;
            let events = store.load(id).await.unwrap().unwrap().events;
            let ends = events.iter().filter(|event| event.body["type"] == "ended");
            assert_eq!(ends.count(), 1);
            assert_eq!(store.changes_of_table(id).await.unwrap().len(), 2);
        }
    })
    .await;
}

#[tokio::test]
async fn a_table_in_memory_ends_at_zero_with_nobody_connected() {
    let house = House::open().await;
    let (id, tokens) = house.two(timed(1_000)).await;
    house.play(&id, &tokens, &["1,1"]).await;
    let store = Store::open(&house.database()).await.unwrap();
    all_over(&store, 1).await;
    let events = store
        .load(id.parse::<parlor_table::TableId>().unwrap().number() as i64)
        .await
        .unwrap()
        .unwrap()
        .events;
    let at = |kind: &str| {
        events
            .iter()
            .find(|event| event.body["type"] == kind)
            .unwrap()
            .at
    };
    assert!(at("flagged") - at("moved") >= 1_000, "not before zero");
    store.close().await;
}

#[tokio::test]
async fn a_game_that_nobody_begins_and_a_table_that_nobody_comes_to_are_called_off() {
    let house = House::open().await;
    let clock = TimeControl::total(60_000, 0).ok();
    let now = stored::now();
    let waiting = stored::table_at(
        now - 60_000,
        parlor_games::mnk::KIND,
        clock,
        stored::guests(),
    );
    let open = vec![stored::guests().remove(0), parlor_table::Player::Open];
    let open = stored::table_at(now - 3_600_000, parlor_games::mnk::KIND, clock, open);
    for table in [waiting, open] {
        let id = table.id().to_string();
        stored::write(&house.database(), stored::row(&table)).await;
        let seen = house.until(&id, 1, |event| event["type"] == "ended").await;
        assert_eq!(
            seen.last().unwrap()["ending"],
            json!({ "how": "abort", "outcome": null })
        );
    }
}

#[tokio::test]
async fn a_table_has_the_usual_time_unless_another_or_none_is_wanted() {
    let house = House::open().await;
    let clock = async |wanted: Value| house.create(wanted).await.json["table"]["clock"].clone();
    assert_eq!(clock(json!({ "game": "ultimate" })).await["words"], "6 min");
    assert_eq!(
        clock(json!({ "game": "ultimate", "clock": null })).await,
        Value::Null
    );
    let seats = json!([{ "kind": "me" }, { "kind": "bot", "spec": "level:1" }]);
    assert_eq!(
        clock(json!({ "game": "ultimate", "seats": seats })).await,
        Value::Null
    );
    assert_eq!(clock(json!({ "game": "mnk" })).await, Value::Null);
    let mail = json!({ "kind": "correspondence", "days": 3 });
    assert_eq!(
        clock(json!({ "game": "mnk", "clock": mail })).await["words"],
        "3 days per move"
    );
    let quick = json!({ "kind": "total", "initial_ms": 180_000, "increment_ms": 2_000 });
    assert_eq!(
        clock(json!({ "game": "mnk", "clock": quick })).await["left_ms"],
        json!([180_000, 180_000])
    );
    for wrong in [
        json!({ "kind": "total", "initial_ms": 1 }),
        json!({ "kind": "sand" }),
        json!(360),
        json!({}),
    ] {
        let wanted = json!({ "game": "mnk", "clock": wrong });
        house
            .post("/api/v1/tables", wanted)
            .await
            .problem(422, "bad-content");
    }
}

#[tokio::test]
async fn some_games_have_a_delay_and_time_by_the_length_of_a_match() {
    let house = House::open().await;
    let clock = async |wanted: Value| house.create(wanted).await.json["table"]["clock"].clone();
    let long = json!({ "game": "backgammon", "options": { "length": 5 } });
    let usual = clock(long).await;
    let control = json!({ "kind": "delay", "initial_ms": 600_000, "delay_ms": 8_000 });
    assert_eq!(
        (&usual["control"], &usual["words"]),
        (&control, &json!("10 min + 8 s delay"))
    );
    let by_hand = json!({ "game": "backgammon", "luck_by_hand": true });
    assert_eq!(clock(by_hand).await, Value::Null);
    let games = house.get("/api/v1/games").await.expect(200);
    let games = games.as_array().unwrap();
    let named = |name: &str| games.iter().find(|game| game["name"] == name).unwrap();
    let presets = &named("backgammon")["presets"];
    assert_eq!(presets[0]["usual_clock"]["initial_ms"], 120_000);
    assert_eq!(presets[3]["usual_clock"], control);
    assert_eq!(presets[3]["clocks"][1]["delay_ms"], 12_000);
    assert_eq!(named("mnk")["presets"][0].get("usual_clock"), None);
    let made = json!({ "kind": "bronstein", "initial_ms": 60_000, "delay_ms": 5_000 });
    let shown = clock(json!({ "game": "mnk", "clock": made })).await;
    assert_eq!((&shown["control"], &shown["delay_ms"]), (&made, &json!(0)));
    for wrong in [
        json!({ "kind": "delay", "initial_ms": 60_000 }),
        json!({ "kind": "delay", "initial_ms": 60_000, "delay_ms": 0 }),
        json!({ "kind": "bronstein", "initial_ms": 60_000, "delay_ms": 5_000, "increment_ms": 1 }),
    ] {
        house
            .post("/api/v1/tables", json!({ "game": "mnk", "clock": wrong }))
            .await
            .problem(422, "bad-content");
    }
}

#[tokio::test]
async fn answers_carry_the_clocks_and_the_time() {
    let house = House::open().await;
    let before = stored::now();
    let (id, tokens) = house.two(timed(60_000)).await;
    let moved = house.play(&id, &tokens, &["1,1"]).await;
    let shown = house.get(&format!("/api/v1/tables/{id}")).await.expect(200);
    assert_eq!(moved["clock"], shown["clock"]);
    assert_eq!(
        (&shown["clock"]["running"], &shown["clock"]["since"]),
        (&json!(1), &shown["updated_at"])
    );
    let now = |answer: &Value| answer["now"].as_i64().unwrap();
    assert!(before <= now(&moved) && now(&moved) <= now(&shown) && now(&shown) <= stored::now());
}

#[tokio::test]
async fn bots_do_not_lose_on_time() {
    let thorough = |config: &mut parlor_server::Config| {
        config.bots.time = Duration::from_secs(5);
        config.bots.nodes = u64::MAX;
    };
    let house = House::with(thorough).await;
    let bot = json!({ "kind": "bot", "spec": "level:3" });
    let wanted = json!({
        "game": "ultimate", "seats": [bot, bot], "clock": { "kind": "total", "initial_ms": 1_500 },
    });
    let made = house.create(wanted).await;
    let seen = house
        .until(&made.id, 0, |event| event["type"] == "ended")
        .await;
    assert_eq!(seen.last().unwrap()["ending"]["how"], "rules");
}

#[tokio::test]
async fn while_the_house_is_closed_the_clock_stands_still() {
    let mut house = House::open().await;
    let (id, tokens) = house.two(timed(3_000)).await;
    house.play(&id, &tokens, &["1,1", "0,0", "2,2"]).await;
    house.close().await;
    let closed = stored::now();
    // Time passes: more than was left on the clock.
    tokio::time::sleep(Duration::from_millis(3_500)).await;
    let opened = stored::now();
    let database = house.database();
    let again = House::on(Store::open(&database).await.unwrap()).await;
    let paused = again
        .until(&id, 0, |event: &Value| event["type"] == "paused")
        .await;
    let paused = paused.last().unwrap().clone();
    let [from, until] = ["from", "until"].map(|name| paused[name].as_i64().unwrap());
    assert!(
        from <= closed + 50 && until >= opened,
        "{paused} {closed} {opened}"
    );
    let log = again
        .until(&id, 0, |event: &Value| event["type"] == "ended")
        .await;
    let at = |kind: &str| {
        let event = log.iter().rev().find(|event| event["type"] == kind);
        event.unwrap()["at"].as_i64().unwrap()
    };
    let charged = at("flagged") - at("moved") - (until - from);
    assert!(charged >= 2_900, "flagged after {charged} ms");
    assert_eq!(
        log.iter().filter(|event| event["type"] == "paused").count(),
        1
    );
}

#[tokio::test]
async fn a_move_is_charged_with_the_time_since_the_turn() {
    let house = House::open().await;
    let at = stored::now() - 20_000;
    let mut table = stored::table_at(
        at,
        parlor_games::mnk::KIND,
        TimeControl::total(60_000, 0).ok(),
        stored::guests(),
    );
    stored::play_at(&mut table, at, &["1,1"]);
    stored::write(&house.database(), stored::row(&table)).await;
    let moved = house
        .act(
            TOKENS[1],
            &table.id().to_string(),
            "moves",
            json!({ "move": "0,0" }),
        )
        .await
        .expect(200);
    let left = moved["clock"]["left_ms"][1].as_i64().unwrap();
    assert!((30_000..=40_000).contains(&left), "{left}");
}

#[tokio::test]
async fn a_measured_delay_is_told_with_a_move_and_bounded() {
    let house = House::open().await;
    let (id, [ann, bob]) = house.two(timed(60_000)).await;
    let play = async |token: &str, text: &str, lag_ms: Value| {
        let body = json!({ "move": text, "lag_ms": lag_ms });
        house.act(token, &id, "moves", body).await
    };
    for (wrong, problem) in [
        (json!(-1), "bad-content"),
        (json!(60_001), "bad-lag"),
        (json!(1.5), "bad-content"),
        (json!("20"), "bad-content"),
    ] {
        let refused = play(&ann, "1,1", wrong).await;
        refused.problem(422, problem);
    }
    play(&ann, "1,1", json!(200)).await.expect(200);
    let moved = play(&bob, "0,0", json!(60_000)).await.expect(200);
    let lags = &moved["clock"]["lag"];
    let start = json!({ "measured_ms": 200, "allowed_ms": 0, "quota_ms": 4 * 390 });
    assert_eq!(lags[0], start, "no clock ran");
    let allowed = lags[1]["allowed_ms"].as_i64().unwrap();
    assert!(allowed <= 3 * 390, "{allowed}");
    assert_eq!(lags[1]["measured_ms"], 60_000);
    assert_eq!(lags[1]["quota_ms"], 4 * 390 - allowed);
    let log = house.log(&id).await;
    assert_eq!(log[0]["lag_allowance"], true);
    let mut moved = log.iter().filter(|event| event["type"] == "moved");
    let lag = moved.next_back().unwrap()["lag"].clone();
    let expected = json!({ "measured_ms": 60_000, "allowed_ms": allowed });
    assert_eq!(lag, expected);
    let path = format!("/api/v1/tables/{id}/record");
    let record = house.get(&path).await.expect(200);
    assert_eq!(record["log"][1]["lag"], expected);
    let report = house.post("/api/v1/verify", record).await.expect(200);
    assert_eq!(report["problems"], json!([]));
}
