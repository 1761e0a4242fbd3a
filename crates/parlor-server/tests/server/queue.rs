use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::house::{House, Lines};

/// Waits for a game, as a guest with or without a token.
async fn wait(house: &House, token: Option<&str>, wish: &Value) -> Lines {
    let request = house.request(Method::POST, "/api/v1/queue").json(wish);
    let request = match token {
        Some(token) => request.bearer_auth(token),
        None => request,
    };
    Lines::of(request).await
}

/// Returns the first event of this type; fails if the stream ends before.
async fn until(lines: &mut Lines, kind: &str) -> Value {
    loop {
        let line = lines
            .next()
            .await
            .unwrap_or_else(|| panic!("the stream ended before {kind}"));
        if line["type"] == kind {
            return line;
        }
    }
}

/// Returns a guest's token.
async fn token(house: &House) -> String {
    house.create(json!({ "game": "mnk" })).await.token
}

#[tokio::test]
async fn two_guests_are_matched_and_play_at_a_table_that_others_can_watch() {
    let house = House::open().await;
    let wish =
        json!({ "game": "mnk", "clock": { "kind": "total", "initial_ms": 60_000 }, "name": "Ann" });
    let mut ann = wait(&house, None, &wish).await;
    let first = ann.next().await.unwrap();
    assert_eq!(
        (&first["type"], &first["waiting"], &first["window"]),
        (&json!("waiting"), &json!(1), &json!(100))
    );
    assert_eq!(
        (&first["rating"], &first["seconds_left"]),
        (&json!(1000), &json!(30))
    );
    let mut bob = wait(&house, None, &wish).await;
    let (ann, bob) = (
        until(&mut ann, "matched").await,
        until(&mut bob, "matched").await,
    );
    assert_eq!(ann["table"], bob["table"]);
    assert_eq!(ann["url"], format!("/t/{}", ann["table"].as_str().unwrap()));
    let seats = [&ann, &bob].map(|matched| matched["seat"].as_u64().unwrap());
    assert!(seats == [0, 1] || seats == [1, 0], "{seats:?}");
    let id = &ann["table"].as_str().unwrap().to_owned();
    let table = house.table(id).await;
    assert_eq!(
        (&table["status"], &table["listed"], &table["rated"]),
        (&json!("playing"), &json!(true), &json!(false))
    );
    assert_eq!(
        table["clock"]["running"],
        Value::Null,
        "the clock waits until the one who begins is ready"
    );
    let mut tokens = [ann, bob].map(|matched| matched["token"].as_str().unwrap().to_owned());
    if seats[0] == 1 {
        tokens.swap(0, 1);
    }
    house.play(id, &tokens, &["1,1", "0,0"]).await;
}

#[tokio::test]
async fn a_stream_ends_with_its_match() {
    let house = House::open().await;
    let wish = json!({ "game": "mnk" });
    let (mut one, mut two) = (
        wait(&house, None, &wish).await,
        wait(&house, None, &wish).await,
    );
    until(&mut one, "matched").await;
    until(&mut two, "matched").await;
    assert_eq!((one.next().await, two.next().await), (None, None));
}

#[tokio::test]
async fn hundreds_who_come_at_once_are_all_matched() {
    const GUESTS: usize = 400;
    let house = House::with(|config| {
        config.limits.streams_per_address = GUESTS;
        config.limits.answers_per_address = GUESTS;
        config.limits.queue_time = Duration::from_secs(120);
    })
    .await;
    let wish = json!({ "game": "mnk" });
    let guests = (0..GUESTS).map(async |_| {
        let mut guest = wait(&house, None, &wish).await;
        let matched = until(&mut guest, "matched").await;
        matched["table"].as_str().unwrap().to_owned()
    });
    let mut tables = futures::future::join_all(guests).await;
    tables.sort_unstable();
    let (pairs, []) = tables.as_chunks::<2>() else {
        panic!("an even number")
    };
    assert!(pairs.iter().all(|[one, other]| one == other));
    tables.dedup();
    assert_eq!(
        tables.len(),
        GUESTS / 2,
        "nobody shares a table with others"
    );
}

#[tokio::test]
async fn who_closes_the_connection_is_not_matched() {
    let house = House::open().await;
    let wish = json!({ "game": "mnk" });
    let mut gone = wait(&house, None, &wish).await;
    until(&mut gone, "waiting").await;
    drop(gone);
    let mut one = wait(&house, None, &wish).await;
    let alone = async {
        // The server notices the closed connection with a delay.
        while until(&mut one, "waiting").await["waiting"] != 1 {}
    };
    tokio::time::timeout(Duration::from_secs(60), alone)
        .await
        .expect("the server notices the closed connection");
    let mut two = wait(&house, None, &wish).await;
    let (one, two) = (
        until(&mut one, "matched").await,
        until(&mut two, "matched").await,
    );
    assert_eq!(one["table"], two["table"]);
}

#[tokio::test]
async fn nobody_waits_longer_than_the_house_wants() {
    let house = House::with(|config| config.limits.queue_time = Duration::from_millis(2500)).await;
    let mut alone = wait(&house, None, &json!({ "game": "mnk" })).await;
    let mut windows = Vec::new();
    loop {
        let line = alone.next().await.unwrap();
        if line["type"] == "expired" {
            break;
        }
        windows.push(line["window"].as_u64().unwrap());
    }
    // A busy machine may miss the last widening, half a second before the end.
    assert!(windows.len() >= 2, "{windows:?}");
    let widening: Vec<u64> = (0..windows.len() as u64).map(|n| 100 + 10 * n).collect();
    assert_eq!(windows, widening, "the window widens by ten each second");
    assert!(windows.len() <= 3, "{windows:?}");
    assert_eq!(alone.next().await, None);
}

#[tokio::test]
async fn nobody_meets_themselves_and_a_second_entry_takes_the_place_of_the_first() {
    let house = House::open().await;
    let token = token(&house).await;
    let wish = json!({ "game": "mnk" });
    let mut first = wait(&house, Some(&token), &wish).await;
    until(&mut first, "waiting").await;
    let mut second = wait(&house, Some(&token), &wish).await;
    assert_eq!(until(&mut first, "left").await["reason"], "replaced");
    assert_eq!(first.next().await, None);
    assert_eq!(until(&mut second, "waiting").await["waiting"], 1);
    let mut other = wait(&house, None, &wish).await;
    let (mine, theirs) = (
        until(&mut second, "matched").await,
        until(&mut other, "matched").await,
    );
    assert_eq!(mine["table"], theirs["table"]);
    assert_eq!(mine["token"], Value::Null, "who showed a token keeps it");
}

#[tokio::test]
async fn only_those_who_want_the_same_game_meet() {
    let house = House::open().await;
    let blitz = json!({ "kind": "total", "initial_ms": 180_000, "increment_ms": 0 });
    let wishes = [
        json!({ "game": "mnk" }),
        json!({ "game": "mnk", "options": { "rows": 5, "columns": 5, "k": 4 } }),
        json!({ "game": "mnk", "clock": blitz }),
    ];
    let mut streams = Vec::new();
    for wish in &wishes {
        let mut stream = wait(&house, None, wish).await;
        assert_eq!(until(&mut stream, "waiting").await["waiting"], 1);
        streams.push(stream);
    }
    // The same options spelled out: those of the classic game are the defaults.
    let same = json!({ "game": "mnk", "options": { "k": 3, "columns": 3 }, "clock": null });
    let mut same = wait(&house, None, &same).await;
    let found = until(&mut same, "matched").await;
    assert_eq!(
        until(&mut streams[0], "matched").await["table"],
        found["table"]
    );
}

#[tokio::test]
async fn a_browser_waits_by_server_sent_events_and_gets_a_cookie() {
    let house = House::open().await;
    let clock = "%7B%22kind%22%3A%22total%22%2C%22initial_ms%22%3A60000%7D";
    let path = format!("/api/v1/queue?game=mnk&clock={clock}&name=Ann");
    let request = house
        .request(Method::GET, &path)
        .header("accept", "text/event-stream");
    let response = request.send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert!(
        response.headers()["set-cookie"]
            .to_str()
            .unwrap()
            .starts_with("parlor_guest=")
    );
    let mut other = wait(
        &house,
        None,
        &json!({ "game": "mnk", "clock": { "kind": "total", "initial_ms": 60_000 } }),
    )
    .await;
    let found = until(&mut other, "matched").await;
    let text = response.text().await.unwrap();
    assert!(
        text.contains("event: waiting\n") && text.contains("event: matched\n"),
        "{text}"
    );
    let data = text
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .next_back()
        .unwrap();
    let data: Value = serde_json::from_str(data).unwrap();
    assert_eq!(
        (&data["table"], &data["token"]),
        (&found["table"], &Value::Null),
        "the token is the cookie"
    );
}

#[tokio::test]
async fn wishes_that_cannot_be_are_refused_before_anybody_waits() {
    let house = House::open().await;
    let refused = async |wish: Value| house.post("/api/v1/queue", wish).await;
    refused(json!({ "game": "chess" }))
        .await
        .problem(422, "bad-content");
    refused(json!({ "game": "mnk", "options": { "k": 99 } }))
        .await
        .problem(422, "bad-options");
    let three = json!({ "seats": 3, "rows": 6, "columns": 6, "k": 4 });
    refused(json!({ "game": "mnk", "options": three }))
        .await
        .problem(422, "bad-content");
    refused(json!({ "game": "mnk", "clock": { "kind": "total", "initial_ms": 0 } }))
        .await
        .problem(422, "bad-content");
    refused(json!({ "game": "mnk", "rated": true }))
        .await
        .problem(403, "members-only");
    refused(json!({ "game": "mnk", "name": "" }))
        .await
        .problem(422, "bad-name");
    house
        .get("/api/v1/queue?game=mnk&clock=soon")
        .await
        .problem(400, "bad-request");
    house.get("/api/v1/queue").await.problem(400, "bad-request");
    let foreign = house
        .request(Method::GET, "/api/v1/queue?game=mnk")
        .header("sec-fetch-site", "cross-site");
    super::house::Answer::of(foreign)
        .await
        .problem(403, "cross-site");
}

#[tokio::test]
async fn waiting_ends_when_the_house_closes() {
    let mut house = House::open().await;
    let mut waiting = wait(&house, None, &json!({ "game": "mnk" })).await;
    until(&mut waiting, "waiting").await;
    house.close().await;
    let last = json!({ "type": "closed", "reason": "away" });
    assert_eq!(waiting.next().await, Some(last));
    assert_eq!(waiting.next().await, None);
}
