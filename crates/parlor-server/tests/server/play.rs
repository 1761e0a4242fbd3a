use futures::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use super::house::{Answer, House, classic};

#[tokio::test]
async fn two_persons_play_a_game_to_its_end() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let legal = house
        .get(&format!("/api/v1/tables/{id}/legal"))
        .await
        .expect(200);
    assert_eq!(legal["moves"].as_array().unwrap().len(), 9);
    assert_eq!(legal["clicks"].as_array().unwrap().len(), 9);
    assert_eq!((&legal["seat"], &legal["version"]), (&json!(0), &json!(3)));
    let last = house
        .play(&id, &tokens, &["0,0", "1,0", "0,1", "1,1", "0,2"])
        .await;
    assert_eq!(last["status"], "over");
    assert_eq!(
        last["ending"],
        json!({ "how": "rules", "outcome": { "kind": "won", "seat": 0, "points": 1 } })
    );
    assert_eq!(
        last["table"],
        Value::Null,
        "the whole table comes only when it is asked for"
    );
    let legal = house
        .get(&format!("/api/v1/tables/{id}/legal"))
        .await
        .expect(200);
    assert_eq!(legal["moves"], json!([]));
    let more = house
        .post_as(
            &tokens[1],
            &format!("/api/v1/tables/{id}/moves"),
            json!({ "move": "2,2" }),
        )
        .await;
    assert_eq!(
        more.problem(409, "over")["detail"],
        "Game is already finished"
    );
}

#[tokio::test]
async fn a_move_answers_with_the_whole_table_when_asked() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let path = format!("/api/v1/tables/{id}/moves?view=true");
    let answer = house
        .post_as(&tokens[0], &path, json!({ "move": "1,1" }))
        .await
        .expect(200);
    let mut table = house.table(&id).await;
    table.as_object_mut().unwrap().remove("you");
    assert_eq!(answer["table"], table);
}

#[tokio::test]
async fn a_repeated_move_is_played_once() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let path = format!("/api/v1/tables/{id}/moves");
    let body = json!({ "move": "1,1", "id": "first", "version": 3 });
    let mut first = house
        .post_as(&tokens[0], &path, body.clone())
        .await
        .expect(200);
    let again = house.post_as(&tokens[0], &path, body).await.expect(200);
    first["now"] = again["now"].clone();
    assert_eq!(first, again);
    assert_eq!(house.log(&id).await.len(), 4);
    let other = json!({ "move": "0,0", "id": "first" });
    house
        .post_as(&tokens[0], &path, other)
        .await
        .problem(409, "move-id-reused");
}

#[tokio::test]
async fn a_stale_version_is_refused_with_the_current_one() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    house.play(&id, &tokens, &["1,1"]).await;
    let path = format!("/api/v1/tables/{id}/moves");
    let stale = house
        .post_as(&tokens[1], &path, json!({ "move": "0,0", "version": 3 }))
        .await;
    assert_eq!(stale.problem(409, "stale-version")["current"], 4);
    assert_eq!(house.table(&id).await["version"], 4);
}

#[tokio::test]
async fn a_click_counts_although_a_draw_is_offered_at_that_moment() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    house.play(&id, &tokens, &["1,1"]).await;
    let seen = house.table(&id).await["version"].as_u64().unwrap();
    let offer = json!({ "action": "offer" });
    house.act(&tokens[0], &id, "draw", offer).await.expect(200);
    let click = |place: &str| {
        let body = format!("move={place}&version={seen}");
        house
            .request(Method::POST, &format!("/t/{id}/play"))
            .header("content-type", "application/x-www-form-urlencoded")
            .header("accept", "application/json")
            .header("cookie", format!("parlor_guest={}", tokens[1]))
            .body(body)
    };
    Answer::of(click("0%2C0")).await.expect(200);
    // A move since then is another matter.
    let stale = Answer::of(click("2%2C2")).await;
    stale.problem(409, "stale-version");
}

#[tokio::test]
async fn of_many_moves_at_once_exactly_one_is_played() {
    let house = House::open().await;
    for _ in 0..5 {
        let (id, tokens) = house.two(classic()).await;
        let path = format!("/api/v1/tables/{id}/moves");
        let bodies =
            (0..9).map(|n| json!({ "move": format!("{},{}", n / 3, n % 3), "version": 3 }));
        let answers = join_all(bodies.map(|body| house.post_as(&tokens[0], &path, body))).await;
        let mut played = 0;
        for answer in answers {
            match answer.status.as_u16() {
                200 => played += 1,
                _ => drop(answer.problem(409, "stale-version")),
            }
        }
        assert_eq!(played, 1);
        assert_eq!(house.log(&id).await.len(), 4);
    }
}

#[tokio::test]
async fn nobody_moves_for_another_seat() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let path = format!("/api/v1/tables/{id}/moves");
    let body = json!({ "move": "1,1" });
    house
        .post(&path, body.clone())
        .await
        .problem(401, "no-token");
    let stranger = house.create(classic()).await.token;
    house
        .post_as(&stranger, &path, body.clone())
        .await
        .problem(403, "not-seated");
    house
        .post_as(&tokens[1], &path, body.clone())
        .await
        .problem(403, "not-your-turn");
    house
        .post_as("guess", &path, body.clone())
        .await
        .problem(401, "no-token");
    house
        .post_as(&"0".repeat(40), &path, body.clone())
        .await
        .problem(403, "not-seated");
    let basic = house
        .request(Method::POST, &path)
        .basic_auth("ann", Some("x"))
        .json(&body);
    Answer::of(basic).await.problem(401, "no-token");
    assert_eq!(house.log(&id).await.len(), 3);
}

#[tokio::test]
async fn a_refused_move_says_the_games_own_reason() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    house.play(&id, &tokens, &["1,1"]).await;
    let path = format!("/api/v1/tables/{id}/moves");
    let taken = house
        .post_as(&tokens[1], &path, json!({ "move": "1,1" }))
        .await
        .problem(422, "illegal-move");
    assert_eq!(taken["detail"], "Position already occupied");
    house
        .post_as(&tokens[1], &path, json!({ "move": "queen to e7" }))
        .await
        .problem(422, "illegal-move");
    house
        .post_as(
            &tokens[1],
            &path,
            json!({ "move": "0,0", "id": "no blanks" }),
        )
        .await
        .problem(422, "bad-move-id");
}

#[tokio::test]
async fn joining_twice_keeps_the_seat_and_a_full_table_takes_nobody() {
    let house = House::open().await;
    let made = house.create(classic()).await;
    let path = format!("/api/v1/tables/{}/join", made.id);
    let again = house
        .post_as(&made.token, &path, json!({ "name": "Ann" }))
        .await
        .expect(200);
    assert_eq!(
        (&again["version"], &again["status"]),
        (&json!(1), &json!("open"))
    );
    house
        .post(&path, json!({ "name": "Bob", "seat": 0 }))
        .await
        .problem(409, "seat-taken");
    house
        .post(&path, json!({ "name": "Bob", "seat": 7 }))
        .await
        .problem(422, "no-such-seat");
    house
        .post(&path, json!({ "name": "Bob", "seat": 1 }))
        .await
        .expect(200);
    house
        .post(&path, json!({ "name": "Cid" }))
        .await
        .problem(409, "full");
}

#[tokio::test]
async fn a_person_can_leave_resign_and_abort() {
    let house = House::open().await;
    let three = json!({ "game": "mnk", "options": { "rows": 5, "columns": 5, "seats": 3 } });
    let open = house.create(three).await;
    let joined = house
        .post(
            &format!("/api/v1/tables/{}/join", open.id),
            json!({ "name": "Bob" }),
        )
        .await
        .expect(200);
    let bob = joined["token"].as_str().unwrap();
    let left = house
        .post_as(bob, &format!("/api/v1/tables/{}/leave", open.id), json!({}))
        .await
        .expect(200);
    assert_eq!(left["status"], "open");
    assert_eq!(house.table(&open.id).await["seats"][1]["kind"], "open");

    let (id, tokens) = house.two(classic()).await;
    let resigned = house
        .post_as(
            &tokens[1],
            &format!("/api/v1/tables/{id}/resign"),
            json!({}),
        )
        .await
        .expect(200);
    assert_eq!(resigned["ending"]["how"], "resignation");
    assert_eq!(resigned["ending"]["outcome"]["seat"], 0);

    let (id, tokens) = house.two(classic()).await;
    let aborted = house
        .post_as(&tokens[1], &format!("/api/v1/tables/{id}/abort"), json!({}))
        .await
        .expect(200);
    assert_eq!(aborted["status"], "aborted");
    let (id, tokens) = house.two(classic()).await;
    house.play(&id, &tokens, &["0,0", "1,1"]).await;
    house
        .post_as(&tokens[0], &format!("/api/v1/tables/{id}/abort"), json!({}))
        .await
        .problem(409, "too-late-to-abort");
}

#[tokio::test]
async fn a_rematch_begins_when_both_have_asked() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let path = format!("/api/v1/tables/{id}/rematch");
    house
        .post_as(&tokens[0], &path, json!({}))
        .await
        .problem(409, "not-over");
    house
        .post_as(
            &tokens[0],
            &format!("/api/v1/tables/{id}/resign"),
            json!({}),
        )
        .await
        .expect(200);
    let asked = house
        .post_as(&tokens[0], &path, json!({}))
        .await
        .expect(200);
    assert_eq!(asked["next"], Value::Null);
    for (token, action, code) in [
        (&tokens[0], "decline", 409),
        (&tokens[0], "accept", 409),
        (&tokens[1], "deny", 422),
    ] {
        let refused = house
            .post_as(token, &path, json!({ "action": action }))
            .await;
        assert_eq!(refused.expect(code)["next"], Value::Null, "{action}");
    }
    let declined = json!({ "action": "decline" });
    house.post_as(&tokens[1], &path, declined).await.expect(200);
    let seats = house.table(&id).await["seats"].clone();
    assert_eq!(
        (&seats[0]["rematch"], &seats[1]["declined_rematch"]),
        (&json!(false), &json!(true))
    );
    house
        .post_as(&tokens[0], &path, json!({}))
        .await
        .expect(200);
    let agreed = house
        .post_as(&tokens[1], &path, json!({}))
        .await
        .expect(200);
    let next = agreed["next"].as_str().unwrap();
    let table = house.table(next).await;
    assert_eq!(
        (&table["status"], &table["previous"]),
        (&json!("playing"), &json!(id))
    );
    assert_eq!(table["seats"][0]["name"], "Bob", "the other begins");
    house
        .post_as(
            &tokens[1],
            &format!("/api/v1/tables/{next}/moves"),
            json!({ "move": "1,1" }),
        )
        .await
        .expect(200);
    assert_eq!(
        house
            .post_as(&tokens[0], &path, json!({}))
            .await
            .expect(200)["next"],
        next
    );
}
