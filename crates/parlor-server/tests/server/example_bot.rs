//! The example bot in `examples/bots` against a real server.

use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

use reqwest::Method;
use serde_json::{Value, json};

use super::house::{Answer, House, Lines};

/// The running example bot; it is killed when dropped.
struct Bot(Child);

impl Bot {
    fn start(house: &House, token: &str, args: &[&str]) -> Bot {
        let script =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots/parlor_bot.py");
        let mut python = Command::new("python3");
        python
            .arg("-B")
            .arg(script)
            .args(["--url", &house.url])
            .args(args)
            .env("PARLOR_TOKEN", token);
        Bot(python
            .env("no_proxy", "*")
            .stdout(Stdio::null())
            .spawn()
            .unwrap())
    }

    async fn end(mut self) -> ExitStatus {
        tokio::task::spawn_blocking(move || self.0.wait().unwrap())
            .await
            .unwrap()
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.0.kill();
    }
}

/// Ann's token, and the token of her bot.
async fn ann_and_her_bot(house: &House) -> [String; 2] {
    let made = house
        .post(
            "/api/v1/accounts",
            json!({ "name": "Ann", "password": "correct horse" }),
        )
        .await;
    let cookie = made.headers["set-cookie"]
        .to_str()
        .unwrap()
        .split(';')
        .next()
        .unwrap()
        .to_owned();
    made.expect(201);
    let make = async |path: &str, wanted: Value| {
        let request = house
            .request(Method::POST, path)
            .header("cookie", &cookie)
            .json(&wanted);
        Answer::of(request).await.expect(201)["token"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    [
        make("/api/v1/tokens", json!({ "name": "test" })).await,
        make("/api/v1/bots", json!({ "name": "AnnsBot" })).await,
    ]
}

/// Plays Ann's side to the end, following her events: the first legal move each time.
async fn play(house: &House, ann: &str, events: &mut Lines, table: &str) -> Value {
    loop {
        let event = events.next().await.unwrap();
        match event["type"].as_str() {
            Some("your_turn") => {
                let legal = house
                    .get(&format!("/api/v1/tables/{table}/legal"))
                    .await
                    .expect(200);
                let path = format!("/api/v1/tables/{table}/moves");
                house
                    .post_as(ann, &path, json!({ "move": legal["moves"][0] }))
                    .await
                    .expect(200);
            }
            Some("game_over") => return event,
            _ => {}
        }
    }
}

#[tokio::test]
async fn the_example_bot_takes_a_challenge_plays_to_the_end_and_agrees_to_a_rematch() {
    let house = House::open().await;
    let [ann, token] = ann_and_her_bot(&house).await;
    let bot = Bot::start(&house, &token, &["--games", "mnk", "--stop-after", "2"]);
    let request = house
        .request(Method::GET, "/api/v1/me/events")
        .bearer_auth(&ann);
    let mut events = Lines::of(request).await;
    let wanted = json!({ "game": "mnk", "seats": [{ "kind": "player", "name": "AnnsBot" }, { "kind": "me" }],
        "clock": { "kind": "total", "initial_ms": 60_000 } });
    let made = house
        .post_as(&ann, "/api/v1/tables", wanted)
        .await
        .expect(201);
    let id = made["table"]["id"].as_str().unwrap();
    let over = play(&house, &ann, &mut events, id).await;
    assert_eq!(
        (&over["table"], &over["ending"]["how"]),
        (&json!(id), &json!("rules"))
    );
    house
        .post_as(&ann, &format!("/api/v1/tables/{id}/rematch"), json!({}))
        .await
        .expect(200);
    let start = events.next().await.unwrap();
    assert_eq!(start["type"], "game_start", "{start}");
    let next = start["table"].as_str().unwrap();
    assert_eq!(
        play(&house, &ann, &mut events, next).await["ending"]["how"],
        "rules"
    );
    assert!(bot.end().await.success());
}

#[tokio::test]
async fn the_example_bot_declines_what_it_does_not_play_and_needs_a_token_that_counts() {
    let house = House::open().await;
    let [ann, token] = ann_and_her_bot(&house).await;
    let _bot = Bot::start(&house, &token, &["--games", "ultimate"]);
    let mut events = Lines::of(
        house
            .request(Method::GET, "/api/v1/me/events")
            .bearer_auth(&ann),
    )
    .await;
    let wanted = json!({ "game": "mnk", "seats": [{ "kind": "me" }, { "kind": "player", "name": "annsbot" }] });
    house
        .post_as(&ann, "/api/v1/tables", wanted)
        .await
        .expect(201);
    while events.next().await.unwrap()["type"] != "game_over" {}
    let stranger = Bot::start(&house, &format!("parlor_{}", "0".repeat(40)), &[]);
    assert!(!stranger.end().await.success());
}
