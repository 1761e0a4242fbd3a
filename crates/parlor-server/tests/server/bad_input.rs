//! Bad input never causes a 5xx, always gets a problem document, and changes nothing.

use reqwest::{Body, Method};
use serde_json::json;

use super::house::{Answer, House, classic};

#[tokio::test]
async fn tables_that_cannot_be_are_refused_and_not_made() {
    let house = House::open().await;
    let me = json!({ "kind": "me", "name": "Ann" });
    let cases = [
        (json!({ "game": "chess" }), "bad-content"),
        (json!({ "game": 5 }), "bad-content"),
        (json!({}), "bad-content"),
        (json!({ "game": "mnk", "colour": "red" }), "bad-content"),
        (
            json!({ "game": "mnk", "options": { "symbols": "X\u{3164}" } }),
            "bad-content",
        ),
        (
            json!({ "game": "mnk", "options": { "symbols": ["\u{2800}", "O"] } }),
            "bad-content",
        ),
        (
            json!({ "game": "mnk", "options": { "rows": 1000 } }),
            "bad-options",
        ),
        (
            json!({ "game": "mnk", "options": { "rows": 1e300 } }),
            "bad-options",
        ),
        (
            json!({ "game": "mnk", "options": { "rows": -1, "columns": true } }),
            "bad-options",
        ),
        (
            json!({ "game": "mnk", "options": { "rows": 3, "columns": 3, "k": 4 } }),
            "bad-options",
        ),
        (
            json!({ "game": "mnk", "options": { "symbols": "XX" } }),
            "bad-options",
        ),
        (
            json!({ "game": "mnk", "options": { "symbols": "X." } }),
            "bad-options",
        ),
        (json!({ "game": "mnk", "options": [3, 3] }), "bad-options"),
        (
            json!({ "game": "mnk", "options": { "seats": 200 } }),
            "bad-options",
        ),
        (json!({ "game": "mnk", "seats": [me] }), "wrong-seats"),
        (
            json!({ "game": "mnk", "seats": [me, me, me] }),
            "wrong-seats",
        ),
        (json!({ "game": "mnk", "seats": [] }), "wrong-seats"),
        (
            json!({ "game": "mnk", "seats": [me, { "kind": "dragon" }] }),
            "bad-content",
        ),
        (
            json!({ "game": "mnk", "seats": [me, { "kind": "bot", "spec": "level:99" }] }),
            "unknown-bot",
        ),
        (
            json!({ "game": "mnk", "seats": [{ "kind": "me", "name": "" }, { "kind": "open" }] }),
            "bad-name",
        ),
        (
            json!({ "game": "mnk", "seats": [{ "kind": "me", "name": "a\u{7}b" }, { "kind": "open" }] }),
            "bad-name",
        ),
        (
            json!({ "game": "mnk", "seats": [{ "kind": "me", "name": "x".repeat(41) }, { "kind": "open" }] }),
            "bad-name",
        ),
        (json!({ "game": "mnk", "luck_text": "hello" }), "no-luck"),
        (
            json!({ "game": "pig", "luck_text": "x".repeat(101) }),
            "bad-luck-text",
        ),
    ];
    for (wanted, kind) in cases {
        let answer = house.post("/api/v1/tables", wanted.clone()).await;
        let status = if kind == "no-luck" { 409 } else { 422 };
        answer.problem(status, kind);
    }
    assert_eq!(
        house.get("/api/v1/tables").await.expect(200)["tables"],
        json!([])
    );
}

#[tokio::test]
async fn bodies_that_cannot_be_read_are_refused() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let path = format!("/api/v1/tables/{id}/moves");
    let send = |kind: Option<&'static str>, body: Body| {
        let request = house
            .request(Method::POST, &path)
            .bearer_auth(&tokens[0])
            .body(body);
        Answer::of(match kind {
            Some(kind) => request.header("content-type", kind),
            None => request,
        })
    };
    let json = Some("application/json");
    send(json, Body::from("{"))
        .await
        .problem(400, "bad-request");
    send(json, Body::from("")).await.problem(400, "bad-request");
    send(json, Body::from(vec![0xff, 0xfe, b'"']))
        .await
        .problem(400, "bad-request");
    send(json, Body::from(format!("{{\"move\":\"{}\"}}", "\u{fffd}")))
        .await
        .problem(422, "illegal-move");
    send(json, Body::from(b"{\"move\":\"\xff\"}".to_vec()))
        .await
        .problem(400, "bad-request");
    send(json, Body::from("[".repeat(20_000)))
        .await
        .problem(400, "bad-request");
    send(
        json,
        Body::from(format!("{{\"move\":{}", "[".repeat(20_000))),
    )
    .await
    .problem(400, "bad-request");
    let nested = format!("{{\"move\":{}{}}}", "[".repeat(20_000), "]".repeat(20_000));
    send(json, Body::from(nested))
        .await
        .problem(400, "bad-request");
    send(json, Body::from("[\"1,1\",null,null]"))
        .await
        .problem(422, "bad-content");
    send(json, Body::from("null"))
        .await
        .problem(422, "bad-content");
    send(json, Body::from("{\"move\":\"1,1\",\"move\":\"0,0\"}"))
        .await
        .problem(422, "bad-content");
    send(json, Body::from("{\"move\":\"1,1\",\"version\":-1}"))
        .await
        .problem(422, "bad-content");
    send(json, Body::from("{\"move\":\"1,1\",\"version\":1e99}"))
        .await
        .problem(422, "bad-content");
    send(None, Body::from("{\"move\":\"1,1\"}"))
        .await
        .problem(415, "media-type");
    send(Some("text/plain"), Body::from("{\"move\":\"1,1\"}"))
        .await
        .problem(415, "media-type");
    send(
        Some("application/x-www-form-urlencoded"),
        Body::from("move=1,1"),
    )
    .await
    .problem(415, "media-type");
    assert_eq!(house.table(&id).await["version"], 3);
}

#[tokio::test]
async fn a_body_of_ten_megabytes_is_too_large() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let path = format!("/api/v1/tables/{id}/moves");
    let big = format!("{{\"move\":\"{}\"}}", "x".repeat(10 << 20));
    let request = house
        .request(Method::POST, &path)
        .bearer_auth(&tokens[0])
        .header("content-type", "application/json");
    Answer::of(request.body(big))
        .await
        .problem(413, "too-large");
    let record = house
        .request(Method::POST, "/api/v1/verify")
        .header("content-type", "application/json");
    Answer::of(record.body(" ".repeat(70_000)))
        .await
        .problem(413, "too-large");
    let game = house
        .request(Method::POST, "/tictactoe/api/games/")
        .header("content-type", "application/json");
    assert_eq!(Answer::of(game.body(" ".repeat(70_000))).await.status, 413);
}

#[tokio::test]
async fn addresses_that_lead_nowhere_are_not_found() {
    let house = House::open().await;
    for id in [
        "00000000000",
        "zzzzzzzzzzz",
        "nothing",
        "../../etc",
        "%00",
        "%F0%9F",
        "99999999999999999999999",
        "ILOU",
    ] {
        for rest in [
            "", "/legal", "/events", "/record", "/verify", "/svg", "/socket",
        ] {
            let answer = house.get(&format!("/api/v1/tables/{id}{rest}")).await;
            assert_eq!(
                answer.status,
                if rest == "/socket" && answer.status == 400 {
                    400
                } else {
                    404
                },
                "{id}{rest}"
            );
            assert_eq!(
                answer.headers["content-type"], "application/problem+json",
                "{id}{rest}"
            );
        }
    }
    house.get("/api/v1/nothing").await.problem(404, "not-found");
    house.get("/api/v2/games").await.problem(404, "not-found");
    let moves = "/api/v1/tables/00000000000/moves";
    house
        .post_as(&"a".repeat(40), moves, json!({ "move": "1,1" }))
        .await
        .problem(404, "not-found");
}

#[tokio::test]
async fn a_wrong_method_or_query_is_a_problem_too() {
    let house = House::open().await;
    let made = house.create(classic()).await;
    let path = format!("/api/v1/tables/{}", made.id);
    for method in [Method::PUT, Method::PATCH, Method::DELETE, Method::POST] {
        let answer = Answer::of(house.request(method, &path)).await;
        assert!(answer.headers.contains_key("allow"));
        answer.problem(405, "method-not-allowed");
    }
    for query in [
        "status=lost",
        "limit=many",
        "before=x",
        "limit=-1",
        "colour=red",
        "game=%00",
    ] {
        house
            .get(&format!("/api/v1/tables?{query}"))
            .await
            .problem(400, "bad-request");
    }
    house
        .get(&format!("{path}/svg?at=-1"))
        .await
        .problem(400, "bad-request");
    house
        .get(&format!("{path}/events?after=x"))
        .await
        .problem(400, "bad-request");
}

#[tokio::test]
async fn a_page_of_another_site_can_change_nothing() {
    let house = House::open().await;
    let made = house.create(classic()).await;
    let resign = format!("/api/v1/tables/{}/abort", made.id);
    let cookie = format!("parlor_guest={}", made.token);
    let request = || {
        house
            .request(Method::POST, &resign)
            .header("cookie", &cookie)
    };
    for (header, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", "https://evil.example"),
        ("origin", "null"),
    ] {
        Answer::of(request().header(header, value))
            .await
            .problem(403, "cross-site");
    }
    assert_eq!(house.table(&made.id).await["status"], "open");
    let own = request()
        .header("origin", &house.url)
        .header("sec-fetch-site", "same-origin");
    assert_eq!(Answer::of(own).await.expect(200)["status"], "aborted");
}

#[tokio::test]
async fn whole_numbers_may_be_written_with_a_point() {
    let house = House::open().await;
    let text = r#"{"game":"mnk","options":{"rows":5.0,"columns":5.0,"k":4e0},"clock":{"kind":"total","initial_ms":6e4}}"#;
    let request = house
        .request(Method::POST, "/api/v1/tables")
        .header("content-type", "application/json")
        .body(text);
    let made = Answer::of(request).await.expect(201);
    assert_eq!(made["table"]["options"]["rows"], 5);
    let half = text.replace("5.0,\"columns\"", "5.5,\"columns\"");
    let request = house
        .request(Method::POST, "/api/v1/tables")
        .header("content-type", "application/json")
        .body(half);
    Answer::of(request).await.problem(422, "bad-options");
}
