//! People who leave a team over HTTP: the bot that stands in, its level, and the way back.

use parlor_table::Record;
use parlor_table::verify::verify;
use reqwest::Method;
use serde_json::{Value, json};

use super::house::{Answer, House};

/// Returns a table with Ann on turn as the Dispatcher, Bob as the Medic, and their tokens.
async fn dispatcher_and_medic(house: &House) -> (String, [String; 2]) {
    let options = json!({ "roles": ["Dispatcher", "Medic"], "events": [], "consent": "ask" });
    for _ in 0..200 {
        let wanted = json!({ "game": "pandemic", "options": options });
        let (id, tokens) = house.two(wanted).await;
        if house.table(&id).await["turn"]["seat"] == 0 {
            return (id, tokens);
        }
    }
    panic!("Ann never begins");
}

async fn choose(house: &House, token: &str, id: &str, body: Value) -> Answer {
    let request = house.request(Method::PUT, &format!("/api/v1/tables/{id}/stand-in"));
    Answer::of(request.bearer_auth(token).json(&body)).await
}

/// Returns the page of a table as the holder of a token sees it.
async fn page_of(house: &House, token: &str, id: &str) -> String {
    let page = house.request(Method::GET, &format!("/t/{id}"));
    let page = page.header("cookie", format!("parlor_guest={token}"));
    page.send().await.unwrap().text().await.unwrap()
}

#[tokio::test]
async fn whoever_is_only_asked_for_consent_reads_so() {
    let house = House::open().await;
    let (id, [ann, bob]) = dispatcher_and_medic(&house).await;
    let asked = json!({ "move": "drive:Medic:Miami" });
    house.act(&ann, &id, "moves", asked).await.expect(200);
    let page = page_of(&house, &bob, &id).await;
    assert!(
        page.contains("</bdi> asks you") && page.contains(" asks you – Pandemic</title>"),
        "{page}"
    );
    assert!(!page.contains("Your turn"));
    let page = page_of(&house, &ann, &id).await;
    assert!(page.contains("Waiting for <bdi>Bob</bdi>"), "{page}");
    let watcher = house.get(&format!("/t/{id}")).await.text;
    assert!(watcher.contains("<bdi>Bob</bdi> is asked"), "{watcher}");
}

async fn seat_of_bob(house: &House, id: &str) -> (Value, Value, Value) {
    let seat = house.table(id).await["seats"][1].clone();
    (
        seat["kind"].clone(),
        seat["name"].clone(),
        seat["stands_in_for"].clone(),
    )
}

async fn last_event(house: &House, id: &str) -> Value {
    let log = house.log(id).await;
    log.last().unwrap().clone()
}

#[tokio::test]
async fn a_partner_leaves_and_the_other_chooses_the_level_and_the_partner_comes_back() {
    let house = House::open().await;
    let (id, [ann, bob]) = dispatcher_and_medic(&house).await;
    let level = |level: u8| json!({ "seat": 1, "spec": format!("level:{level}") });
    let early = choose(&house, &ann, &id, level(5)).await;
    early.problem(409, "no-stand-in");
    let here = house.act(&bob, &id, "return", json!({})).await;
    here.problem(409, "not-gone");

    house.act(&bob, &id, "resign", json!({})).await.expect(200);
    let left = last_event(&house, &id).await;
    assert_eq!(
        (&left["type"], &left["name"], &left["replaced_by"]),
        (&json!("resigned"), &json!("Bob"), &json!("level:3"))
    );
    let bot = |spec: &str| (json!("bot"), json!(spec), json!("Bob"));
    assert_eq!(seat_of_bob(&house, &id).await, bot("level:3"));
    let path = format!("/api/v1/tables/{id}");
    let shown = house.get_as(&bob, &path).await.expect(200);
    assert_eq!((&shown["you"], &shown["left"]), (&json!([]), &json!([1])));
    for token in [&ann, &house.member("Mallory").await] {
        let shown = house.get_as(token, &path).await.expect(200);
        assert_eq!(shown["left"], Value::Null);
    }

    choose(&house, &ann, &id, level(5)).await.expect(200);
    assert_eq!(seat_of_bob(&house, &id).await, bot("level:5"));
    let chosen = last_event(&house, &id).await;
    assert_eq!(
        (&chosen["type"], &chosen["by"], &chosen["spec"]),
        (&json!("stand_in_chosen"), &json!(0), &json!("level:5"))
    );
    let mallory = house.member("Eve").await;
    for token in [&bob, &mallory] {
        let answer = choose(&house, token, &id, level(1)).await;
        answer.problem(403, "not-seated");
    }
    let answer = house.act(&mallory, &id, "return", json!({})).await;
    answer.problem(403, "not-seated");
    for (body, status, kind) in [
        (json!({ "seat": 0, "spec": "level:1" }), 409, "no-stand-in"),
        (json!({ "seat": 2, "spec": "level:1" }), 422, "no-such-seat"),
        (json!({ "seat": 1, "spec": "level:6" }), 422, "unknown-bot"),
        (json!({ "seat": 1 }), 422, "bad-content"),
    ] {
        let answer = choose(&house, &ann, &id, body).await;
        answer.problem(status, kind);
    }

    // A restart forgets nobody who left.
    let house = house.restart().await;
    house.act(&bob, &id, "return", json!({})).await.expect(200);
    let returned = last_event(&house, &id).await;
    assert_eq!(
        (&returned["type"], &returned["name"]),
        (&json!("returned"), &json!("Bob"))
    );
    let person = (json!("human"), json!("Bob"), Value::Null);
    assert_eq!(seat_of_bob(&house, &id).await, person);
    let late = choose(&house, &ann, &id, level(1)).await;
    late.problem(409, "no-stand-in");

    // Ann asks for Bob's consent, which he gives himself.
    for (token, text) in [(&ann, "drive:Medic:Miami"), (&bob, "agree")] {
        let played = house
            .act(token, &id, "moves", json!({ "move": text }))
            .await;
        played.expect(200);
    }
    let record = house.get(&format!("{path}/record")).await.expect(200);
    let changes = record["handovers"].as_array().unwrap();
    let changes: Vec<_> = changes
        .iter()
        .map(|one| (&one["why"], &one["name"]))
        .collect();
    let name = &json!("Bob");
    let all = ["resigned", "chosen", "returned"].map(|why| json!(why));
    assert_eq!(changes, all.each_ref().map(|why| (why, name)));
}

#[tokio::test]
async fn the_game_of_those_who_remain_ends_for_those_who_left_and_verifies() {
    let house = House::open().await;
    let (id, [ann, bob]) = dispatcher_and_medic(&house).await;
    house.act(&bob, &id, "resign", json!({})).await.expect(200);
    house.act(&ann, &id, "resign", json!({})).await.expect(200);
    let late = house.act(&bob, &id, "return", json!({})).await;
    late.problem(409, "over");
    let late = choose(&house, &ann, &id, json!({ "seat": 1, "spec": "level:1" })).await;
    late.problem(409, "over");
    let path = format!("/api/v1/tables/{id}");
    let record = house.get(&format!("{path}/record")).await.expect(200);
    assert_eq!(record["players"][1]["stands_in_for"], "Bob");
    let record: Record = serde_json::from_value(record).unwrap();
    let report = verify(&record);
    assert!(report.is_valid() && report.luck_checked, "{report:?}");
    let list = house.get("/api/v1/tables").await.expect(200);
    let tables = list["tables"].as_array().unwrap();
    let listed = tables.iter().find(|table| table["id"] == id.as_str());
    assert_eq!(listed.unwrap()["seats"][1]["stands_in_for"], "Bob");
}

#[tokio::test]
async fn a_member_who_comes_back_shares_the_result_and_plays_on_as_a_member() {
    let house = House::open().await;
    let (ann, bob) = (house.member("Ann").await, house.member("Bob").await);
    let seats = json!([{ "kind": "me" }, { "kind": "open" }]);
    let wanted = json!({ "game": "pandemic", "seats": seats });
    let made = house.post_as(&ann, "/api/v1/tables", wanted).await;
    let made = made.expect(201);
    let id = made["table"]["id"].as_str().unwrap().to_owned();
    house.act(&bob, &id, "join", json!({})).await.expect(200);
    house.act(&bob, &id, "resign", json!({})).await.expect(200);
    house.act(&bob, &id, "return", json!({})).await.expect(200);
    assert_eq!(house.table(&id).await["seats"][1]["member"], true);
    let current = house.get_as(&bob, "/api/v1/me/games").await.expect(200);
    let games = current["tables"].as_array().unwrap();
    assert!(
        games.iter().any(|game| game["id"] == id.as_str()),
        "{games:?}"
    );
    for token in [&ann, &bob] {
        house.act(token, &id, "resign", json!({})).await.expect(200);
    }
    for name in ["Ann", "Bob"] {
        let profile = house.get(&format!("/api/v1/players/{name}")).await;
        assert_eq!(profile.expect(200)["games"][0]["losses"], 1, "{name}, once");
    }
}
