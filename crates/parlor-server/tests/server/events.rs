use reqwest::Method;
use serde_json::{Value, json};

use super::house::{Answer, House, Lines, classic};
use super::socket::Socket;

#[tokio::test]
async fn events_are_caught_up_from_any_version_and_then_live() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    house.play(&id, &tokens, &["1,1"]).await;
    let mut late = Lines::open(&house, &id, 2).await;
    let mut early = Lines::open(&house, &id, 0).await;
    let body = json!({ "move": "0,0" });
    house
        .post_as(&tokens[1], &format!("/api/v1/tables/{id}/moves"), body)
        .await
        .expect(200);
    for (stream, from) in [(&mut early, 1), (&mut late, 3)] {
        for version in from..=5 {
            assert_eq!(stream.next().await.unwrap()["version"], version);
        }
    }
}

#[tokio::test]
async fn server_sent_events_carry_version_type_and_data() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    house.play(&id, &tokens, &["1,1"]).await;
    let path = format!("/api/v1/tables/{id}/events?follow=false");
    let all = house.get(&path).await;
    assert_eq!(all.headers["content-type"], "text/event-stream");
    let events: Vec<&str> = all
        .text
        .split("\n\n")
        .filter(|event| !event.is_empty())
        .collect();
    assert_eq!(events.len(), 4);
    let mut lines = events[3].lines();
    assert_eq!(lines.next(), Some("id: 4"));
    assert_eq!(lines.next(), Some("event: moved"));
    let data = lines.next().unwrap().strip_prefix("data: ").unwrap();
    assert_eq!(serde_json::from_str::<Value>(data).unwrap()["move"], "1,1");
    let rest = Answer::of(
        house
            .request(Method::GET, &path)
            .header("last-event-id", "3"),
    )
    .await;
    assert_eq!(rest.text.trim(), events[3]);
}

#[tokio::test]
async fn a_stream_ends_when_the_house_closes() {
    let mut house = House::open().await;
    let made = house.create(classic()).await;
    let mut stream = Lines::open(&house, &made.id, 1).await;
    house.close().await;
    let last = json!({ "type": "closed", "reason": "away" });
    assert_eq!(stream.next().await, Some(last));
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn a_watcher_who_reads_late_still_gets_every_event_once() {
    let house = House::open().await;
    let options = json!({ "game": "mnk", "options": { "rows": 19, "columns": 19, "k": 19 } });
    let (id, tokens) = house.two(options).await;
    let mut slow = Lines::open(&house, &id, 0).await;
    let moves: Vec<String> = (0..300).map(|n| format!("{},{}", n / 19, n % 19)).collect();
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    house.play(&id, &tokens, &moves).await;
    for version in 1..=303 {
        assert_eq!(slow.next().await.unwrap()["version"], version);
    }
}

#[tokio::test]
async fn a_long_log_is_whole_for_everybody_though_it_is_read_in_pages() {
    let house = House::open().await;
    let options = json!({ "game": "mnk", "options": { "rows": 25, "columns": 25, "k": 25 } });
    let (id, tokens) = house.two(options).await;
    let moves: Vec<String> = (0..560).map(|n| format!("{},{}", n / 25, n % 25)).collect();
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    house.play(&id, &tokens, &moves).await;
    let versions = |log: &[Value]| -> Vec<u64> {
        let versions = log.iter().map(|event| event["version"].as_u64());
        versions.map(Option::unwrap).collect()
    };
    let log = house.log(&id).await;
    assert_eq!(versions(&log), (1..=563).collect::<Vec<_>>());
    let mut socket = Socket::open(&house, &id, None).await;
    socket.say(json!({ "type": "subscribe", "after": 1 })).await;
    for event in &log[1..] {
        assert_eq!(&socket.told().await["event"], event);
    }
    let house = house.restart().await;
    assert_eq!(house.log(&id).await, log, "from the database");
    let mut after = Lines::open(&house, &id, 300).await;
    for event in &log[300..] {
        assert_eq!(after.next().await.as_ref(), Some(event));
    }
}
