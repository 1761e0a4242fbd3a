//! Draws, takebacks, extra time, claims and readiness over HTTP.

use std::time::Duration;

use parlor_table::TimeControl;
use reqwest::Method;
use serde_json::{Value, json};

use super::house::{Answer, House, Lines, PATIENCE, classic};
use super::socket::Socket;
use super::stored::{self, TOKENS};

/// Starts a server with two players at a table with clocks, after these moves.
async fn begun(moves: &[&str]) -> (House, String, [String; 2]) {
    let house = House::open().await;
    let wanted = json!({ "game": "mnk", "clock": { "kind": "total", "initial_ms": 600_000 } });
    let (id, tokens) = house.two(wanted).await;
    house.play(&id, &tokens, moves).await;
    (house, id, tokens)
}

fn action(action: &str) -> Value {
    json!({ "action": action })
}

#[tokio::test]
async fn a_draw_is_offered_declined_offered_again_and_accepted() {
    let (house, id, tokens) = begun(&["1,1", "0,0"]).await;
    house
        .act(&tokens[0], &id, "draw", action("offer"))
        .await
        .expect(200);
    assert_eq!(house.table(&id).await["offers"]["draw"], json!([0]));
    house
        .act(&tokens[0], &id, "draw", action("accept"))
        .await
        .problem(409, "nothing-offered");
    house
        .act(&tokens[1], &id, "draw", action("decline"))
        .await
        .expect(200);
    house
        .act(&tokens[0], &id, "draw", action("offer"))
        .await
        .problem(409, "offered-already");
    house
        .act(&tokens[0], &id, "moves", json!({ "move": "0,1" }))
        .await
        .expect(200);
    house
        .act(&tokens[0], &id, "draw", action("offer"))
        .await
        .expect(200);
    let agreed = house
        .act(&tokens[1], &id, "draw", action("accept"))
        .await
        .expect(200);
    assert_eq!(
        agreed["ending"],
        json!({ "how": "agreement", "outcome": { "kind": "draw" } })
    );
}

#[tokio::test]
async fn a_draw_is_off_the_table_when_the_other_side_moves() {
    let (house, id, tokens) = begun(&["1,1"]).await;
    house
        .act(&tokens[0], &id, "draw", action("offer"))
        .await
        .expect(200);
    house
        .act(&tokens[1], &id, "moves", json!({ "move": "0,0" }))
        .await
        .expect(200);
    house
        .act(&tokens[1], &id, "draw", action("accept"))
        .await
        .problem(409, "nothing-offered");
}

#[tokio::test]
async fn bots_play_on_and_agree_to_takebacks() {
    let house = House::open().await;
    let made =
        house.create(json!({ "game": "mnk", "seats": [{ "kind": "me" }, { "kind": "bot", "spec": "random" }] })).await;
    house
        .act(&made.token, &made.id, "draw", action("offer"))
        .await
        .problem(409, "bots-play-on");
    house
        .act(&made.token, &made.id, "moves", json!({ "move": "1,1" }))
        .await
        .expect(200);
    house
        .until(&made.id, 0, |event| {
            event["type"] == "moved" && event["seat"] == 1
        })
        .await;
    house
        .act(&made.token, &made.id, "takeback", action("offer"))
        .await
        .expect(200);
    let table = house.table(&made.id).await;
    assert_eq!(
        (&table["plies"], &table["turn"]["seat"]),
        (&json!(0), &json!(0))
    );
}

#[tokio::test]
async fn a_move_is_taken_back_with_its_answer_if_the_other_side_agrees() {
    let (house, id, tokens) = begun(&["1,1", "0,0"]).await;
    house
        .act(&tokens[0], &id, "takeback", action("offer"))
        .await
        .expect(200);
    assert_eq!(house.table(&id).await["offers"]["takeback"], 0);
    house
        .act(&tokens[0], &id, "takeback", action("accept"))
        .await
        .problem(409, "nothing-offered");
    house
        .act(&tokens[1], &id, "takeback", action("decline"))
        .await
        .expect(200);
    house
        .act(&tokens[1], &id, "takeback", action("accept"))
        .await
        .problem(409, "nothing-offered");
    house
        .act(&tokens[0], &id, "takeback", action("offer"))
        .await
        .expect(200);
    house
        .act(&tokens[1], &id, "takeback", action("accept"))
        .await
        .expect(200);
    let table = house.table(&id).await;
    assert_eq!(
        (&table["plies"], &table["last_move"]),
        (&json!(0), &Value::Null)
    );
    house
        .act(&tokens[0], &id, "takeback", action("offer"))
        .await
        .problem(409, "nothing-to-take-back");
}

#[tokio::test]
async fn moves_stand_in_games_with_luck() {
    let house = House::open().await;
    let (id, tokens) = house.two(json!({ "game": "pig" })).await;
    house
        .act(&tokens[0], &id, "takeback", action("offer"))
        .await
        .problem(409, "no-takebacks");
    house
        .act(&tokens[0], &id, "draw", action("offer"))
        .await
        .problem(409, "no-draws");
}

#[tokio::test]
async fn time_is_given_to_the_other_side_with_and_without_a_body() {
    let (house, id, tokens) = begun(&[]).await;
    let path = format!("/api/v1/tables/{id}/give-time");
    let plain = Answer::of(house.request(Method::POST, &path).bearer_auth(&tokens[0]))
        .await
        .expect(200);
    assert_eq!(plain["clock"]["left_ms"], json!([600_000, 615_000]));
    let given = house
        .act(&tokens[1], &id, "give-time", json!({ "seconds": 60 }))
        .await
        .expect(200);
    assert_eq!(given["clock"]["left_ms"], json!([660_000, 615_000]));
    house
        .act(&tokens[1], &id, "give-time", json!({}))
        .await
        .expect(200);
    house
        .act(&tokens[1], &id, "give-time", json!({ "seconds": 0 }))
        .await
        .problem(422, "bad-gift");
    house
        .act(&tokens[1], &id, "give-time", json!({ "seconds": -1 }))
        .await
        .problem(422, "bad-content");
    let (id, tokens) = house.two(classic()).await;
    house
        .act(&tokens[0], &id, "give-time", json!({}))
        .await
        .problem(409, "no-clock");
}

#[tokio::test]
async fn who_begins_and_is_ready_starts_the_clock() {
    let (house, id, tokens) = begun(&[]).await;
    let other = house
        .act(&tokens[1], &id, "ready", json!({}))
        .await
        .expect(200);
    assert_eq!(other["clock"]["running"], Value::Null);
    let first = house
        .act(&tokens[0], &id, "ready", json!({}))
        .await
        .expect(200);
    assert_eq!(
        (&first["clock"]["running"], &first["version"]),
        (&json!(0), &json!(5))
    );
    let again = house
        .act(&tokens[0], &id, "ready", json!({}))
        .await
        .expect(200);
    assert_eq!(again["version"], 5);
    let seats = house.table(&id).await["seats"].clone();
    assert_eq!(
        (&seats[0]["ready"], &seats[1]["ready"]),
        (&json!(true), &json!(true))
    );
}

#[tokio::test]
async fn strangers_and_those_without_a_token_do_none_of_it_and_nonsense_is_told() {
    let (house, id, _) = begun(&["1,1"]).await;
    let stranger = house.create(classic()).await.token;
    let verbs = [
        ("ready", json!({})),
        ("draw", action("offer")),
        ("takeback", action("offer")),
        ("give-time", json!({})),
        ("claim", json!({ "claim": "win" })),
    ];
    for (verb, body) in verbs {
        house
            .act(&stranger, &id, verb, body.clone())
            .await
            .problem(403, "not-seated");
        house
            .post(&format!("/api/v1/tables/{id}/{verb}"), body.clone())
            .await
            .problem(401, "no-token");
        house
            .act(&stranger, "00000000000", verb, body)
            .await
            .problem(404, "not-found");
    }
    for (verb, body) in [
        ("draw", action("dance")),
        ("takeback", json!({})),
        ("claim", json!({ "claim": "all" })),
    ] {
        house
            .act(&stranger, &id, verb, body)
            .await
            .problem(422, "bad-content");
    }
    assert_eq!(house.table(&id).await["version"], 4);
}

#[tokio::test]
async fn nothing_is_claimed_of_who_was_here_within_the_minute_whatever_the_claim_says() {
    let (house, id, tokens) = begun(&["1,1"]).await;
    house
        .act(&tokens[0], &id, "claim", json!({ "claim": "win" }))
        .await
        .problem(409, "nothing-to-claim");
    house
        .act(&tokens[1], &id, "claim", json!({ "claim": "draw" }))
        .await
        .problem(409, "nothing-to-claim");
    let lie = json!({ "claim": "win", "absent_since": 0 });
    house
        .act(&tokens[0], &id, "claim", lie)
        .await
        .problem(422, "bad-content");
}

#[tokio::test]
async fn whoever_asks_anything_is_there() {
    let (house, id, tokens) = begun(&["1,1"]).await;
    let seen_since = async || {
        let path = format!("/api/v1/tables/{id}");
        let table = house.get_as(&tokens[0], &path);
        let away = table.await.expect(200)["away"].as_array().unwrap().clone();
        let second = away.iter().find(|away| away["seat"] == 1).unwrap();
        second["since"].as_i64().unwrap()
    };
    let of_table = [
        "",
        "/legal",
        "/clicks?draft=",
        "/record",
        "/svg",
        "/analysis",
        "/talk",
    ];
    let of_table = of_table.map(|what| format!("/api/v1/tables/{id}{what}"));
    let others = ["/api/v1/tables?game=mnk", "/api/v1/games"];
    for path in of_table.into_iter().chain(others.map(str::to_owned)) {
        let asked = stored::now();
        house.get_as(&tokens[1], &path).await;
        assert!(seen_since().await >= asked, "{path}");
        // Somebody else's questions do not count.
        house.get(&path).await;
        let before = stored::now();
        house.get_as(&tokens[0], &path).await;
        assert!(seen_since().await <= before, "{path}");
    }
}

#[tokio::test]
async fn without_clocks_a_game_is_claimed_after_a_week_without_a_move() {
    let house = House::open().await;
    let at = stored::now() - 7 * 24 * 3_600_000;
    for (claim, outcome) in [
        ("win", json!({ "kind": "won", "seat": 0, "points": 1 })),
        ("draw", json!({ "kind": "draw" })),
    ] {
        let mut table = stored::table_at(at, parlor_games::mnk::KIND, None, stored::guests());
        stored::play_at(&mut table, at, &["1,1"]);
        stored::write(&house.database(), stored::row(&table)).await;
        let claimed = house
            .act(
                TOKENS[0],
                &table.id().to_string(),
                "claim",
                json!({ "claim": claim }),
            )
            .await
            .expect(200);
        assert_eq!(
            claimed["ending"],
            json!({ "how": "claim", "outcome": outcome })
        );
    }
}

#[tokio::test]
async fn by_mail_the_clock_decides_and_nothing_is_claimed() {
    let house = House::open().await;
    let at = stored::now() - 8 * 24 * 3_600_000;
    let mut table = stored::table_at(
        at,
        parlor_games::mnk::KIND,
        TimeControl::correspondence(9).ok(),
        stored::guests(),
    );
    stored::play_at(&mut table, at, &["1,1"]);
    stored::write(&house.database(), stored::row(&table)).await;
    let id = table.id().to_string();
    house
        .act(TOKENS[0], &id, "claim", json!({ "claim": "win" }))
        .await
        .problem(409, "nothing-to-claim");
}

/// Waits until exactly these seats are absent.
async fn until_away(house: &House, id: &str, wanted: Value) -> Value {
    let mut looks = tokio::time::interval(Duration::from_millis(10));
    let away = async {
        loop {
            let away = house.get(&format!("/api/v1/tables/{id}")).await.expect(200)["away"].clone();
            let seats: Value = away
                .as_array()
                .unwrap()
                .iter()
                .map(|away| away["seat"].clone())
                .collect();
            if seats == wanted {
                return away;
            }
            looks.tick().await;
        }
    };
    tokio::time::timeout(PATIENCE, away)
        .await
        .expect("those are away")
}

#[tokio::test]
async fn who_has_a_stream_or_socket_open_is_there_and_away_since_it_was_closed() {
    let (house, id, tokens) = begun(&["1,1"]).await;
    until_away(&house, &id, json!([0, 1])).await;
    let stream = |token: &str| {
        let path = format!("/api/v1/tables/{id}/events?after=0");
        house
            .request(Method::GET, &path)
            .header("accept", "application/x-ndjson")
            .bearer_auth(token)
    };
    let before = stored::now();
    let one = Lines::of(stream(&tokens[1])).await;
    let two = Lines::of(stream(&tokens[1])).await;
    until_away(&house, &id, json!([0])).await;
    drop(one);
    until_away(&house, &id, json!([0])).await;
    drop(two);
    let away = until_away(&house, &id, json!([0, 1])).await;
    assert!(away[1]["since"].as_i64().unwrap() >= before);
    assert!(away[0]["since"].as_i64().unwrap() < before);
    // A socket counts from its opening on, even if nothing is asked of it.
    let socket = Socket::open(&house, &id, Some(&tokens[1])).await;
    until_away(&house, &id, json!([0])).await;
    drop(socket);
    until_away(&house, &id, json!([0, 1])).await;
}

#[tokio::test]
async fn a_rematch_swaps_the_sides_and_keeps_clock_and_rating() {
    let house = House::open().await;
    let tokens = [house.member("Ann").await, house.member("Bob").await];
    let clock = json!({ "kind": "total", "initial_ms": 180_000, "increment_ms": 1_000 });
    let wanted = json!({ "game": "mnk", "clock": clock, "rated": true });
    let made = house
        .post_as(&tokens[0], "/api/v1/tables", wanted)
        .await
        .expect(201);
    let id = made["table"]["id"].as_str().unwrap();
    house
        .act(&tokens[1], id, "join", json!({ "name": "Bob" }))
        .await
        .expect(200);
    house.play(id, &tokens, &["1,1", "0,0"]).await;
    house
        .act(&tokens[1], id, "resign", json!({}))
        .await
        .expect(200);
    house
        .act(&tokens[0], id, "rematch", json!({}))
        .await
        .expect(200);
    let next = house
        .act(&tokens[1], id, "rematch", json!({}))
        .await
        .expect(200)["next"]
        .clone();
    let table = house.table(next.as_str().unwrap()).await;
    assert_eq!(
        (&table["seats"][0]["name"], &table["seats"][1]["name"]),
        (&json!("Bob"), &json!("Ann"))
    );
    assert_eq!(
        (&table["clock"]["control"], &table["rated"]),
        (&clock, &json!(true))
    );
    assert_eq!(table["clock"]["left_ms"], json!([180_000, 180_000]));
}

#[tokio::test]
async fn a_rated_table_is_for_members() {
    let house = House::open().await;
    house
        .post("/api/v1/tables", json!({ "game": "mnk", "rated": true }))
        .await
        .problem(403, "members-only");
    let ann = house.member("Ann").await;
    let made = house
        .post_as(
            &ann,
            "/api/v1/tables",
            json!({ "game": "mnk", "rated": true }),
        )
        .await
        .expect(201);
    let id = made["table"]["id"].as_str().unwrap();
    assert_eq!(
        (
            &made["table"]["seats"][0]["name"],
            &made["table"]["seats"][0]["member"]
        ),
        (&json!("Ann"), &json!(true))
    );
    house
        .post(
            &format!("/api/v1/tables/{id}/join"),
            json!({ "name": "Bob" }),
        )
        .await
        .problem(403, "members-only");
    house
        .act(&ann, id, "join", json!({ "name": "Ann", "seat": 1 }))
        .await
        .problem(403, "against-oneself");
}
