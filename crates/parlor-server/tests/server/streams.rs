use parlor_store::NewStoredTable;
use reqwest::Method;
use serde_json::{Value, json};

use super::house::{Answer, House, Lines, classic};

/// Opens a personal event stream.
async fn listen(house: &House, token: &str, query: &str) -> Lines {
    let path = format!("/api/v1/me/events{query}");
    Lines::of(house.request(Method::GET, &path).bearer_auth(token)).await
}

/// Returns the types of the messages, with the game's table where there is one, up to `caught_up`.
async fn standing(lines: &mut Lines) -> Vec<(String, String)> {
    let mut told = Vec::new();
    loop {
        let line = lines.next().await.unwrap();
        let text = |field: &str| line[field].as_str().unwrap_or_default().to_owned();
        if line["type"] == "caught_up" {
            return told;
        }
        told.push((text("type"), text("table")));
    }
}

/// Returns the next line, which must be of this type.
async fn expect(lines: &mut Lines, kind: &str) -> Value {
    let line = lines
        .next()
        .await
        .unwrap_or_else(|| panic!("the stream ended before {kind}"));
    assert_eq!(line["type"], kind, "{line}");
    line
}

/// Creates a member and a token with these scopes.
async fn member(house: &House, name: &str, scopes: Value) -> String {
    let made = house
        .post(
            "/api/v1/accounts",
            json!({ "name": name, "password": "correct horse" }),
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
    let wanted = json!({ "name": "test", "scopes": scopes });
    let request = house
        .request(Method::POST, "/api/v1/tokens")
        .header("cookie", cookie)
        .json(&wanted);
    Answer::of(request).await.expect(201)["token"]
        .as_str()
        .unwrap()
        .to_owned()
}

async fn usual(house: &House, name: &str) -> String {
    member(house, name, json!(["play", "read"])).await
}

fn challenge(name: &str) -> Value {
    json!({ "game": "mnk", "seats": [{ "kind": "me" }, { "kind": "player", "name": name }] })
}

/// Creates a table and returns its id.
async fn table(house: &House, token: &str, wanted: Value) -> String {
    let made = house
        .post_as(token, "/api/v1/tables", wanted)
        .await
        .expect(201);
    made["table"]["id"].as_str().unwrap().to_owned()
}

async fn act(house: &House, token: &str, id: &str, verb: &str, body: Value) -> Answer {
    house
        .post_as(token, &format!("/api/v1/tables/{id}/{verb}"), body)
        .await
}

#[tokio::test]
async fn a_guest_hears_of_a_game_from_its_start_to_its_end() {
    let house = House::open().await;
    let ann = house.create(classic()).await;
    let mut events = listen(&house, &ann.token, "").await;
    assert_eq!(standing(&mut events).await, []);
    let bob = house
        .post(
            &format!("/api/v1/tables/{}/join", ann.id),
            json!({ "name": "Bob" }),
        )
        .await
        .expect(200);
    let bob = bob["token"].as_str().unwrap().to_owned();
    let start = expect(&mut events, "game_start").await;
    assert_eq!(
        (&start["table"], &start["game"], &start["you"]),
        (&json!(ann.id), &json!("mnk"), &json!([0]))
    );
    assert_eq!(
        (&start["players"], &start["url"]),
        (&json!(["Ann", "Bob"]), &json!(format!("/t/{}", ann.id)))
    );
    expect(&mut events, "your_turn").await;
    house
        .play(&ann.id, &[ann.token, bob.clone()], &["1,1", "0,0"])
        .await;
    expect(&mut events, "their_turn").await;
    assert_eq!(expect(&mut events, "your_turn").await["version"], 5);
    act(&house, &bob, &ann.id, "draw", json!({ "action": "offer" })).await;
    assert_eq!(expect(&mut events, "offer").await["offer"], "draw");
    act(&house, &bob, &ann.id, "resign", json!({}))
        .await
        .expect(200);
    assert_eq!(
        expect(&mut events, "game_over").await["ending"]["how"],
        "resignation"
    );
}

/// Reads what a stream begins with: types and numbers, and at last the number in `caught_up`.
async fn beginning(lines: &mut Lines) -> Vec<(String, Option<u64>)> {
    let mut told = Vec::new();
    loop {
        let line = lines.next().await.unwrap();
        let kind = line["type"].as_str().unwrap().to_owned();
        let is_end = kind == "caught_up";
        told.push((kind, line["n"].as_u64()));
        if is_end {
            return told;
        }
    }
}

#[tokio::test]
async fn who_was_cut_off_hears_exactly_what_was_missed_in_order() {
    let house = House::open().await;
    let (ann, bob) = (usual(&house, "Ann").await, usual(&house, "Bob").await);
    let named = |told: &[(&str, Option<u64>)]| {
        let told = told.iter().map(|(kind, n)| ((*kind).to_owned(), *n));
        told.collect::<Vec<_>>()
    };
    let mut events = listen(&house, &bob, "").await;
    assert_eq!(
        beginning(&mut events).await,
        named(&[("caught_up", Some(0))])
    );
    let id = table(&house, &ann, challenge("Bob")).await;
    assert_eq!(expect(&mut events, "challenge").await["n"], 1);
    drop(events);
    act(&house, &bob, &id, "join", json!({})).await.expect(200);
    act(&house, &ann, &id, "moves", json!({ "move": "1,1" }))
        .await
        .expect(200);
    act(&house, &ann, &id, "draw", json!({ "action": "offer" }))
        .await
        .expect(200);
    act(&house, &ann, &id, "resign", json!({}))
        .await
        .expect(200);
    let second = table(&house, &ann, challenge("Bob")).await;
    act(&house, &ann, &second, "abort", json!({}))
        .await
        .expect(200);
    let third = table(&house, &ann, challenge("Bob")).await;
    let missed = [
        ("game_start", Some(2)),
        ("offer", Some(3)),
        ("game_over", Some(4)),
        ("challenge", Some(5)),
        ("challenge_gone", Some(6)),
        ("challenge", Some(7)),
        ("caught_up", Some(7)),
    ];
    let mut again = listen(&house, &bob, "?after=1").await;
    assert_eq!(beginning(&mut again).await, named(&missed));
    act(&house, &bob, &third, "join", json!({}))
        .await
        .expect(200);
    assert_eq!(expect(&mut again, "game_start").await["n"], 8);
    expect(&mut again, "their_turn").await;
    act(&house, &ann, &third, "moves", json!({ "move": "1,1" }))
        .await
        .expect(200);
    assert_eq!(expect(&mut again, "your_turn").await["n"], Value::Null);

    let house = house.restart().await;
    let mut later = listen(&house, &bob, "?after=7").await;
    let turn = [
        ("game_start", Some(8)),
        ("your_turn", None),
        ("caught_up", Some(8)),
    ];
    assert_eq!(beginning(&mut later).await, named(&turn));
    // Numbers that the house has not given yet: how everything stands.
    let stands = [
        ("game_start", None),
        ("your_turn", None),
        ("caught_up", Some(8)),
    ];
    let mut odd = listen(&house, &bob, "?after=9").await;
    assert_eq!(beginning(&mut odd).await, named(&stands));
    let request = house
        .request(Method::GET, "/api/v1/me/events")
        .header("last-event-id", "8");
    let mut by_id = Lines::of(request.bearer_auth(&bob)).await;
    assert_eq!(
        beginning(&mut by_id).await,
        named(&[("your_turn", None), ("caught_up", Some(8))])
    );
}

#[tokio::test]
async fn who_is_far_behind_hears_everything_though_the_log_is_read_in_pages() {
    let house = House::open().await;
    let (ann, bob) = (usual(&house, "Ann").await, usual(&house, "Bob").await);
    let id = house.store().user_by_name("Bob").await.unwrap().unwrap().id;
    let add = async |table: i64, count: usize| {
        let gone = json!({ "type": "challenge_gone", "table": "00000000001", "version": 2 });
        let table = NewStoredTable {
            notes: vec![(id, gone); count],
            ..NewStoredTable::new(table, "mnk", 1)
        };
        house.store().create(table).await.unwrap();
    };
    add(1, 450).await;
    for after in [0, 50, 449, 450] {
        let mut events = listen(&house, &bob, &format!("?after={after}")).await;
        let mut told = beginning(&mut events).await;
        assert_eq!(told.pop(), Some(("caught_up".to_owned(), Some(450))));
        let gone = |n| ("challenge_gone".to_owned(), Some(n));
        assert_eq!(told, (after + 1..=450).map(gone).collect::<Vec<_>>());
    }
    // More than a page is added while a stream is open, which learns of it with the next note.
    let mut events = listen(&house, &bob, "?after=450").await;
    beginning(&mut events).await;
    add(2, 600).await;
    table(&house, &ann, challenge("Bob")).await;
    for n in 451..=1_050 {
        assert_eq!(expect(&mut events, "challenge_gone").await["n"], n);
    }
    assert_eq!(expect(&mut events, "challenge").await["n"], 1_051);
    // The missed notes are no longer kept, so the stream tells how everything stands.
    add(3, 2_000).await;
    let mut late = listen(&house, &bob, "?after=450").await;
    let stands = ["challenge", "caught_up"].map(str::to_owned);
    let told = beginning(&mut late).await;
    assert_eq!(
        told,
        stands
            .into_iter()
            .zip([None, Some(3_051)])
            .collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn nobody_is_told_anything_who_does_not_say_who_they_are() {
    let house = House::open().await;
    house
        .get("/api/v1/me/events")
        .await
        .problem(401, "no-token");
    let writer = member(&house, "Ann", json!(["play"])).await;
    let request = house
        .request(Method::GET, "/api/v1/me/events")
        .bearer_auth(writer);
    Answer::of(request).await.problem(403, "wrong-scope");
}

#[tokio::test]
async fn a_member_who_comes_back_is_told_what_was_missed() {
    let house = House::open().await;
    let (ann, bob) = (usual(&house, "Ann").await, usual(&house, "Bob").await);
    let open = json!({ "game": "mnk", "seats": [{ "kind": "me" }, { "kind": "open" }] });
    let mut ids = Vec::new();
    for _ in 0..3 {
        let id = table(&house, &ann, open.clone()).await;
        act(&house, &bob, &id, "join", json!({})).await.expect(200);
        ids.push(id);
    }
    let mut events = listen(&house, &bob, "").await;
    let stands = standing(&mut events).await;
    assert_eq!(
        stands,
        ids.iter()
            .map(|id| ("game_start".to_owned(), id.clone()))
            .collect::<Vec<_>>()
    );
    act(&house, &ann, &ids[0], "moves", json!({ "move": "1,1" }))
        .await
        .expect(200);
    let last = expect(&mut events, "your_turn").await["at"]
        .as_i64()
        .unwrap();
    drop(events);
    act(&house, &ann, &ids[1], "moves", json!({ "move": "1,1" }))
        .await
        .expect(200);
    act(&house, &ann, &ids[2], "resign", json!({}))
        .await
        .expect(200);
    let asked = table(&house, &ann, challenge("bob")).await;
    let mut again = listen(&house, &bob, &format!("?since={last}")).await;
    let told = |kind: &str, id: &str| (kind.to_owned(), id.to_owned());
    let missed = [
        told("game_start", &ids[0]),
        told("your_turn", &ids[0]),
        told("game_start", &ids[1]),
        told("your_turn", &ids[1]),
        told("game_over", &ids[2]),
        told("challenge", &asked),
    ];
    assert_eq!(standing(&mut again).await, missed);
    act(&house, &bob, &ids[0], "moves", json!({ "move": "0,0" }))
        .await
        .expect(200);
    assert_eq!(
        expect(&mut again, "their_turn").await["table"],
        ids[0],
        "and then what happens"
    );
}

#[tokio::test]
async fn a_browser_hears_by_server_sent_events_and_goes_on_from_the_last_one() {
    let mut house = House::open().await;
    let (ann, bob) = (usual(&house, "Ann").await, usual(&house, "Bob").await);
    let id = table(&house, &ann, challenge("Bob")).await;
    let request = |since: &str| {
        let request = house
            .request(Method::GET, "/api/v1/me/events")
            .bearer_auth(&bob);
        request
            .header("accept", "text/event-stream")
            .header("last-event-id", since)
    };
    let mut response = request("0").send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    act(&house, &bob, &id, "abort", json!({})).await.expect(200);
    let mut text = String::new();
    while !text.contains("challenge_gone") {
        let chunk = response.chunk().await.unwrap();
        text += std::str::from_utf8(&chunk.expect("the stream goes on")).unwrap();
    }
    house.close().await;
    text += &response.text().await.unwrap();
    let kinds: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("event: "))
        .collect();
    assert_eq!(
        kinds,
        ["challenge", "caught_up", "challenge_gone", "closed"],
        "{text}"
    );
    let ids: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("id: "))
        .collect();
    assert_eq!(ids, ["1", "1", "2"], "the end is nothing to go on from");
}

#[tokio::test]
async fn a_challenge_is_told_to_the_one_who_is_asked_and_begins_when_it_is_taken() {
    let house = House::open().await;
    let (ann, bob) = (usual(&house, "Ann").await, usual(&house, "Bob").await);
    let mut events = listen(&house, &bob, "").await;
    standing(&mut events).await;
    let wanted = json!({ "rated": true, "clock": { "kind": "total", "initial_ms": 60_000 }, "game": "mnk",
        "seats": [{ "kind": "player", "name": "BOB" }, { "kind": "me" }] });
    let id = table(&house, &ann, wanted).await;
    let asked = expect(&mut events, "challenge").await;
    assert_eq!(
        (&asked["table"], &asked["players"]),
        (&json!(id), &json!([null, "Ann"]))
    );
    assert_eq!(
        (&asked["rated"], &asked["clock"]["initial_ms"]),
        (&json!(true), &json!(60_000))
    );
    assert_eq!(asked["options"]["k"], 3);
    let listed = house.get("/api/v1/tables").await.expect(200);
    assert_eq!(listed["tables"], json!([]), "nobody else is shown it");
    act(&house, &bob, &id, "join", json!({})).await.expect(200);
    assert_eq!(expect(&mut events, "game_start").await["you"], json!([0]));
    expect(&mut events, "your_turn").await;
    act(&house, &bob, &id, "moves", json!({ "move": "1,1" }))
        .await
        .expect(200);
}

#[tokio::test]
async fn a_challenge_can_be_declined_by_the_one_who_is_asked_and_by_nobody_else() {
    let house = House::open().await;
    let (ann, bob, carl) = (
        usual(&house, "Ann").await,
        usual(&house, "Bob").await,
        usual(&house, "Carl").await,
    );
    let id = table(&house, &ann, challenge("Bob")).await;
    act(&house, &carl, &id, "join", json!({}))
        .await
        .problem(403, "invite-needed");
    act(&house, &carl, &id, "abort", json!({}))
        .await
        .problem(403, "not-seated");
    house
        .post(&format!("/api/v1/tables/{id}/join"), json!({}))
        .await
        .problem(403, "invite-needed");
    let mut hers = listen(&house, &ann, "").await;
    standing(&mut hers).await;
    act(&house, &bob, &id, "abort", json!({})).await.expect(200);
    assert_eq!(
        expect(&mut hers, "game_over").await["ending"]["how"],
        "abort"
    );
    act(&house, &bob, &id, "join", json!({}))
        .await
        .problem(409, "over");
    let mut his = listen(&house, &bob, "").await;
    assert_eq!(standing(&mut his).await, []);
    let other = table(&house, &ann, challenge("Bob")).await;
    assert_eq!(expect(&mut his, "challenge").await["table"], other);
    act(&house, &ann, &other, "abort", json!({}))
        .await
        .expect(200);
    assert_eq!(expect(&mut his, "challenge_gone").await["table"], other);
}

#[tokio::test]
async fn challenges_that_cannot_be_are_refused() {
    let house = House::open().await;
    let ann = usual(&house, "Ann").await;
    house
        .post("/api/v1/tables", challenge("Ann"))
        .await
        .problem(403, "members-only");
    let refused = async |wanted: Value| house.post_as(&ann, "/api/v1/tables", wanted).await;
    refused(challenge("nobody"))
        .await
        .problem(422, "bad-content");
    refused(challenge("not a name"))
        .await
        .problem(422, "bad-content");
    refused(challenge("ann"))
        .await
        .problem(403, "against-oneself");
    let both = json!({ "kind": "player", "name": "Ann" });
    refused(json!({ "game": "mnk", "seats": [both, both] }))
        .await
        .problem(422, "bad-content");
}

#[tokio::test]
async fn a_revoked_token_closes_its_stream() {
    let house = House::open().await;
    let ann = member(&house, "Ann", json!(["play", "read", "account"])).await;
    let mut events = listen(&house, &ann, "").await;
    standing(&mut events).await;
    let tokens = Answer::of(
        house
            .request(Method::GET, "/api/v1/tokens")
            .bearer_auth(&ann),
    )
    .await
    .expect(200);
    let path = format!("/api/v1/tokens/{}", tokens["tokens"][0]["id"]);
    Answer::of(house.request(Method::DELETE, &path).bearer_auth(&ann))
        .await
        .expect(204);
    let last = json!({ "type": "closed", "reason": "revoked" });
    assert_eq!(events.next().await, Some(last));
    assert_eq!(events.next().await, None);
}

#[tokio::test]
async fn two_members_are_matched_for_a_rated_game() {
    let house = House::open().await;
    let (ann, bob) = (usual(&house, "Ann").await, usual(&house, "Bob").await);
    let mut events = listen(&house, &ann, "").await;
    standing(&mut events).await;
    let wish =
        json!({ "game": "mnk", "rated": true, "clock": { "kind": "total", "initial_ms": 60_000 } });
    let wait = |token: &str| {
        Lines::of(
            house
                .request(Method::POST, "/api/v1/queue")
                .bearer_auth(token)
                .json(&wish),
        )
    };
    let (_a, _b) = (wait(&ann).await, wait(&bob).await);
    // The streams are read by their own connections.
    let id = expect(&mut events, "game_start").await["table"]
        .as_str()
        .unwrap()
        .to_owned();
    let table = house.table(&id).await;
    assert_eq!(
        (&table["rated"], &table["seats"][0]["member"]),
        (&json!(true), &json!(true))
    );
}

#[tokio::test]
async fn every_line_fits_its_description() {
    let house = House::open().await;
    let description = house.get("/api/openapi.json").await.expect(200);
    let fits = |names: &[&str], line: &Value| {
        let any: Vec<Value> = names
            .iter()
            .map(|name| json!({ "$ref": format!("#/components/schemas/{name}") }))
            .collect();
        let schema = json!({ "anyOf": any, "components": description["components"] });
        let errors: Vec<String> = jsonschema::validator_for(&schema)
            .unwrap()
            .iter_errors(line)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:?} in {line}");
    };
    let (ann, bob) = (usual(&house, "Ann").await, usual(&house, "Bob").await);
    let asked = table(&house, &ann, challenge("Bob")).await;
    let mut events = listen(&house, &bob, "").await;
    let wish = json!({ "game": "mnk", "clock": { "kind": "correspondence", "days": 2 } });
    fits(&["QueueRequest"], &wish);
    let wait = |token: &str| {
        Lines::of(
            house
                .request(Method::POST, "/api/v1/queue")
                .bearer_auth(token)
                .json(&wish),
        )
    };
    let (mut a, _b) = (wait(&ann).await, wait(&bob).await);
    let mut kinds = Vec::new();
    while let Some(line) = a.next().await {
        fits(&["QueueEvent"], &line);
        kinds.push(line["type"].as_str().unwrap().to_owned());
    }
    assert_eq!(kinds, ["waiting", "matched"]);
    act(&house, &ann, &asked, "abort", json!({}))
        .await
        .expect(200);
    for _ in 0..5 {
        let line = events.next().await.unwrap();
        fits(&["Notification", "MyEventsControl"], &line);
        assert!(line["type"] != "closed", "{line}");
    }
}
