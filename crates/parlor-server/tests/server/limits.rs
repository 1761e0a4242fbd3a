use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use futures::future::join_all;
use reqwest::Method;
use serde_json::json;

use super::accounts::member;
use super::house::{Answer, House, Lines, classic};

#[tokio::test]
async fn too_many_requests_are_refused() {
    let house = House::with(|config| {
        config.limits.requests_per_second = NonZeroU32::new(1);
        config.limits.request_burst = NonZeroU32::new(5).unwrap();
    })
    .await;
    let (started, mut served) = (Instant::now(), Vec::new());
    for n in 0..30 {
        let answer = house.get("/healthz").await;
        if answer.status == 200 {
            served.push(n);
        } else {
            assert!(answer.headers.contains_key("retry-after"));
            answer.problem(429, "too-many-requests");
        }
    }
    assert_eq!(served[..5], [0, 1, 2, 3, 4], "the burst");
    let refilled = started.elapsed().as_secs() + 1;
    assert!(
        served.len() as u64 <= 5 + refilled,
        "{} in {refilled} s",
        served.len()
    );
}

#[tokio::test]
async fn a_guest_makes_only_so_many_tables() {
    let house = House::with(|config| config.limits.tables_per_hour = Some(2)).await;
    let made = house.create(classic()).await;
    house
        .post("/tictactoe/api/games/", json!({}))
        .await
        .expect(201);
    house
        .post("/api/v1/tables", classic())
        .await
        .problem(429, "too-many-requests");
    house
        .post_as(&made.token, "/api/v1/tables", classic())
        .await
        .problem(429, "too-many-requests");
    assert_eq!(
        house.post("/tictactoe/api/games/", json!({})).await.status,
        429
    );
    assert_eq!(
        house.get("/api/v1/tables").await.expect(200)["tables"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[tokio::test]
async fn what_is_refused_does_not_count_as_a_table() {
    let house = House::with(|config| config.limits.tables_per_hour = Some(2)).await;
    let (id, tokens) = house.two(classic()).await;
    for _ in 0..3 {
        let impossible = json!({ "game": "mnk", "options": { "rows": 0 } });
        house
            .post("/api/v1/tables", impossible)
            .await
            .problem(422, "bad-options");
        let rematch = house.act(&tokens[0], &id, "rematch", json!({})).await;
        rematch.problem(409, "not-over");
        let stranger = json!({ "game": "no-such-game" });
        let queued = house.post("/api/v1/queue", stranger).await;
        queued.problem(422, "bad-content");
    }
    house.create(classic()).await;
    house
        .post("/api/v1/tables", classic())
        .await
        .problem(429, "too-many-requests");
}

#[tokio::test]
async fn bots_share_the_hourly_number_of_their_owner() {
    let house = House::with(|config| {
        config.limits.tables_per_hour = Some(2);
        config.trusted_proxies = "127.0.0.1".parse().unwrap();
    })
    .await;
    let ann = member(&house, "Ann").await;
    let make_bot = async |name: &str| {
        let made = ann
            .post(&house, "/api/v1/bots", json!({ "name": name }))
            .await;
        made.expect(201)["token"].as_str().unwrap().to_owned()
    };
    let bots = [make_bot("first").await, make_bot("second").await];
    let mut addresses = 1..;
    let mut create = async |sender: (&str, String)| {
        let address = format!("10.0.0.{}", addresses.next().unwrap());
        let request = house.request(Method::POST, "/api/v1/tables");
        let request = request
            .header("x-forwarded-for", address)
            .header(sender.0, sender.1);
        Answer::of(request.json(&classic())).await
    };
    let by_ann = || ("cookie", ann.cookie.clone());
    let by_bot = |n: usize| ("authorization", format!("Bearer {}", bots[n]));
    create(by_ann()).await.expect(201);
    create(by_bot(0)).await.expect(201);
    create(by_bot(1)).await.problem(429, "too-many-requests");
    create(by_ann()).await.problem(429, "too-many-requests");
}

#[tokio::test]
async fn a_rematch_is_a_new_table_for_the_hourly_number() {
    let house = House::with(|config| config.limits.tables_per_hour = Some(3)).await;
    let (mut id, tokens) = house.two(classic()).await;
    let mut made = 1;
    let refused = loop {
        for token in &tokens {
            house.act(token, &id, "abort", json!({})).await;
        }
        let offered = house.act(&tokens[0], &id, "rematch", json!({})).await;
        if offered.status == 429 {
            break offered;
        }
        let agreed = house.act(&tokens[1], &id, "rematch", json!({})).await;
        if agreed.status == 429 {
            break agreed;
        }
        let table = house.table(&id).await;
        id = table["next"].as_str().expect("the next table").to_owned();
        made += 1;
    };
    assert!(made <= 3, "{made} tables");
    let wait = refused.headers["retry-after"].to_str().unwrap();
    let wait: u64 = wait.parse().unwrap();
    assert!((60..=3600 / 3).contains(&wait), "{wait} s");
    assert_eq!(refused.headers["ratelimit-policy"], "\"tables\";q=3;w=3600");
    let said = refused.problem(429, "too-many-requests");
    let detail = said["detail"].as_str().unwrap();
    assert!(detail.ends_with(" min"), "{detail}");
}

#[tokio::test]
async fn every_refusal_says_when_to_try_again() {
    let house = House::with(|config| config.limits.tables_per_hour = Some(1)).await;
    house.create(classic()).await;
    let api = house.post("/api/v1/tables", classic()).await;
    let classic_api = house.post("/tictactoe/api/games/", json!({})).await;
    let page = house
        .request(Method::POST, "/new")
        .header("content-type", "application/x-www-form-urlencoded")
        .body("game=mnk");
    for refused in [api, classic_api, Answer::of(page).await] {
        assert_eq!(refused.status, 429, "{}", refused.text);
        let header = |name| refused.headers[name].to_str().unwrap();
        let wait: u64 = header("retry-after").parse().unwrap();
        assert!((60..=3600).contains(&wait), "{wait} s");
        assert_eq!(header("ratelimit-policy"), "\"tables\";q=1;w=3600");
        assert!(header("ratelimit").starts_with("\"tables\";r=0;t="));
    }
}

#[tokio::test]
async fn few_challenges_of_one_member_wait_for_another() {
    let house = House::open().await;
    let [ann, cid] = [house.member("Ann").await, house.member("Cid").await];
    let bob = house.member("Bob").await;
    let challenge = async |by: &str| {
        let seats = json!([{ "kind": "me" }, { "kind": "player", "name": "Bob" }]);
        let wanted = json!({ "game": "mnk", "seats": seats });
        house.post_as(by, "/api/v1/tables", wanted).await
    };
    let first = challenge(&ann).await.expect(201);
    challenge(&ann).await.expect(201);
    challenge(&ann).await.expect(201);
    let refused = challenge(&ann).await.problem(422, "bad-content");
    assert_eq!(
        refused["detail"],
        "3 of your challenges wait for this member: withdraw one, or wait for an answer"
    );
    challenge(&cid).await.expect(201);
    let id = first["table"]["id"].as_str().unwrap();
    house.act(&bob, id, "abort", json!({})).await.expect(200);
    challenge(&ann).await.expect(201);
    let dan = house.member("Dan").await;
    let at_once = join_all((0..8).map(|_| challenge(&dan))).await;
    let made = at_once.iter().filter(|answer| answer.status == 201);
    assert_eq!(made.count(), 3);
}

#[tokio::test]
async fn a_member_challenges_another_only_so_often() {
    let house = House::with(|config| config.limits.challenges_per_hour = Some(2)).await;
    let ann = house.member("Ann").await;
    house.member("Bob").await;
    house.member("Cid").await;
    let challenge = async |name: &str| {
        let seats = json!([{ "kind": "me" }, { "kind": "player", "name": name }]);
        let wanted = json!({ "game": "mnk", "seats": seats });
        house.post_as(&ann, "/api/v1/tables", wanted).await
    };
    challenge("Bob").await.expect(201);
    challenge("Bob").await.expect(201);
    let refused = challenge("Bob").await.problem(429, "too-many-requests");
    let detail = refused["detail"].as_str().unwrap();
    assert!(detail.starts_with("you have challenged this player too often"));
    challenge("Cid").await.expect(201);
}

#[tokio::test]
async fn only_so_many_streams_are_open_at_once_and_places_come_back() {
    let mut house = House::with(|config| config.limits.streams_per_address = 2).await;
    let made = house.create(classic()).await;
    let path = format!("/api/v1/tables/{}/events", made.id);
    let mut first = Lines::open(&house, &made.id, 0).await;
    first.next().await.unwrap();
    let _second = Lines::open(&house, &made.id, 0).await;
    let refused = house.get(&path).await;
    let header = |name: &str| {
        refused
            .headers
            .get(name)
            .map(|value| value.to_str().unwrap())
    };
    assert_eq!(
        header("ratelimit-policy"),
        Some(r#""streams";q=2;qu="concurrent-requests""#)
    );
    assert_eq!(header("ratelimit"), Some(r#""streams";r=0"#));
    assert_eq!(header("retry-after"), None, "nobody can tell");
    refused.problem(429, "too-many-requests");
    let counted = r#"parlor_throttled_total{policy="streams"} "#;
    let metrics = house.metrics().await;
    assert!(metrics.contains(counted), "{metrics}");
    drop(first);
    // The server notices a lost connection with its next write.
    let place_comes_back = async {
        while house.get(&format!("{path}?follow=false")).await.status != 200 {
            house
                .post_as(
                    &made.token,
                    &format!("/api/v1/tables/{}/join", made.id),
                    json!({ "name": "Ann" }),
                )
                .await
                .expect(200);
        }
    };
    tokio::time::timeout(Duration::from_secs(60), place_comes_back)
        .await
        .expect("the server notices the closed stream");
    house.close().await;
}
