use std::num::NonZeroU32;

use serde_json::json;

use super::house::{House, Lines, classic};

#[tokio::test]
async fn too_many_requests_are_refused() {
    let house = House::with(|config| {
        config.limits.requests_per_second = NonZeroU32::new(1);
        config.limits.request_burst = NonZeroU32::new(5).unwrap();
    })
    .await;
    let mut refused = 0;
    for _ in 0..30 {
        let answer = house.get("/healthz").await;
        if answer.status != 200 {
            assert!(answer.headers.contains_key("retry-after"));
            answer.problem(429, "too-many-requests");
            refused += 1;
        }
    }
    assert!(refused > 0);
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
async fn only_so_many_streams_are_open_at_once_and_places_come_back() {
    let mut house = House::with(|config| config.limits.streams_per_address = 2).await;
    let made = house.create(classic()).await;
    let path = format!("/api/v1/tables/{}/events", made.id);
    let mut first = Lines::open(&house, &made.id, 0).await;
    first.next().await.unwrap();
    let _second = Lines::open(&house, &made.id, 0).await;
    house.get(&path).await.problem(429, "too-many-requests");
    drop(first);
    // The server notices a lost connection with its next write.
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
    house.close().await;
}
