//! A bot that was written from docs/bots.md, and what everybody sees of it.

use parlor_games::GameKind;
use reqwest::Method;
use serde_json::{Value, json};

use super::house::{Answer, House, Lines, classic};
use super::members::Member;

/// Creates a bot of a member and returns its token.
async fn create_bot(house: &House, owner: &Member, name: &str) -> String {
    let made = house.post_as(&owner.token, "/api/v1/bots", json!({ "name": name }));
    let made = made.await.expect(201);
    made["token"].as_str().unwrap().to_owned()
}

/// Opens an account's stream of events.
async fn stream(house: &House, token: &str) -> Lines {
    let events = house.request(Method::GET, "/api/v1/me/events");
    Lines::of(events.bearer_auth(token)).await
}

/// Returns the milliseconds that a seat has left at the time of the answer.
fn time_left(table: &Value, seat: usize) -> i64 {
    let clock = &table["clock"];
    let left = clock["left_ms"][seat].as_i64().unwrap();
    match clock["running"] == seat {
        true => left - (table["now"].as_i64().unwrap() - clock["since"].as_i64().unwrap()),
        false => left,
    }
}

/// Plays one game as the page says, and returns its ending.
async fn play_one(house: &House, token: &str, mut events: Lines) -> Value {
    loop {
        let event = events.next().await.expect("the stream goes on");
        let Some(id) = event["table"].as_str() else {
            continue;
        };
        match event["type"].as_str().unwrap() {
            "challenge" => drop(house.act(token, id, "join", json!({})).await.expect(200)),
            "game_start" => drop(house.act(token, id, "ready", json!({})).await),
            "your_turn" => {
                let path = format!("/api/v1/tables/{id}");
                let table = house.get_as(token, &path).await.expect(200);
                let seat = table["you"][0].as_u64().unwrap() as usize;
                let left = time_left(&table, seat);
                assert!((1..=60_000).contains(&left), "{left} ms: {table}");
                let legal = house.get_as(token, &format!("{path}/legal")).await;
                let text = legal.expect(200)["moves"][0].clone();
                let version = &table["version"];
                let played =
                    json!({ "move": text, "version": version, "id": format!("m{version}") });
                let played = house.act(token, id, "moves", played).await;
                assert!([200, 409].contains(&played.status.as_u16()), "{played:?}");
            }
            "game_over" => return event["ending"].clone(),
            _ => {}
        }
    }
}

#[tokio::test]
async fn it_plays_and_is_known_as_a_bot_everywhere() {
    let house = House::open().await;
    let (ann, bob) = (
        Member::sign_up(&house, "Ann").await,
        Member::sign_up(&house, "Bob").await,
    );
    let bot = create_bot(&house, &ann, "AnnsBot").await;
    let directory = house.get("/api/v1/directory/bots").await.expect(200);
    assert_eq!(directory["members"], json!([]), "it has not played yet");
    let streams = (stream(&house, &bot).await, stream(&house, &bob.token).await);
    let wanted = json!({
        "game": "mnk",
        "clock": { "kind": "total", "initial_ms": 60_000 },
        "seats": [{ "kind": "me" }, { "kind": "player", "name": "AnnsBot" }],
    });
    let made = house.post_as(&bob.token, "/api/v1/tables", wanted);
    let id = made.await.expect(201)["table"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let endings = tokio::join!(
        play_one(&house, &bot, streams.0),
        play_one(&house, &bob.token, streams.1)
    );
    let won = json!({ "kind": "won", "seat": 0 });
    for ending in [endings.0, endings.1] {
        assert_eq!(ending["how"], "rules");
        assert_eq!(
            (&ending["outcome"]["kind"], &ending["outcome"]["seat"]),
            (&won["kind"], &won["seat"])
        );
    }
    let of_seats = |seats: &Value| {
        let facts = |seat: &Value| {
            [
                seat["kind"].clone(),
                seat["name"].clone(),
                seat["owner"].clone(),
            ]
        };
        seats
            .as_array()
            .unwrap()
            .iter()
            .map(facts)
            .collect::<Vec<_>>()
    };
    let known = [
        [json!("human"), json!("Bob"), Value::Null],
        [json!("bot"), json!("AnnsBot"), json!("Ann")],
    ];
    assert_eq!(of_seats(&house.table(&id).await["seats"]), known);
    let record = house.get(&format!("/api/v1/tables/{id}/record")).await;
    assert_eq!(of_seats(&record.expect(200)["players"]), known);
    let verdict = house.get(&format!("/api/v1/tables/{id}/verify")).await;
    assert_eq!(verdict.expect(200)["holds"], true);
    let joined = house.log(&id).await;
    let joined = joined.iter().find(|event| event["type"] == "joined");
    assert_eq!(joined.unwrap()["player"]["owner"], "Ann");
    let me = house.get_as(&bot, "/api/v1/me").await.expect(200);
    assert_eq!((&me["kind"], &me["owner"]), (&json!("bot"), &json!("Ann")));
    let me = house.get_as(&bob.token, "/api/v1/me").await.expect(200);
    assert_eq!(
        (&me["kind"], &me["owner"]),
        (&json!("person"), &Value::Null)
    );

    let directory = house.get("/api/v1/directory/bots").await.expect(200);
    let members = directory["members"].as_array().unwrap();
    assert_eq!(members.len(), 1);
    assert_eq!(
        (&members[0]["name"], &members[0]["owner"]),
        (&json!("AnnsBot"), &json!("Ann"))
    );
    let game = &members[0]["games"][0];
    assert_eq!((&game["game"], &game["losses"]), (&json!("mnk"), &json!(1)));
    let page = house.get("/bots").await;
    assert!(
        page.text.contains(r#"href="/players/AnnsBot""#),
        "{}",
        page.text
    );
    let page = house.get(&format!("/t/{id}")).await;
    assert!(page.text.contains("Bot of Ann"), "{}", page.text);
}

#[tokio::test]
async fn the_directory_has_the_houses_bots_and_goes_on_page_by_page() {
    let house = House::open().await;
    let directory = house.get("/api/v1/directory/bots").await.expect(200);
    let games = directory["house"].as_array().unwrap();
    assert_eq!(games.len(), GameKind::all().len());
    for game in games {
        let bots = game["bots"].as_array().unwrap();
        let levels: Vec<u64> = bots
            .iter()
            .filter_map(|bot| bot["level"].as_u64())
            .collect();
        assert!(!levels.is_empty() && levels.is_sorted(), "{game}");
        for bot in bots {
            assert!(bot["spec"].is_string() && bot["title"].is_string(), "{bot}");
            assert_eq!(bot["name"].is_string(), bot["level"].is_u64(), "{bot}");
            if bot["level"] == 3 {
                assert_eq!(bot["name"], "Wren", "alike in every game");
            }
        }
    }
    let page = house.get("/bots").await;
    assert!(page.text.contains("Level 3, Wren (club)"), "{}", page.text);
    assert!(page.text.contains("class=\"face face-3\""));
    assert!(page.text.contains("Strength 3 of 5"), "{}", page.text);
    assert!(house.get("/").await.text.contains(r#"href="/bots""#));

    let ann = Member::sign_up(&house, "Ann").await;
    let [one, other] = [
        create_bot(&house, &ann, "Zeta").await,
        create_bot(&house, &ann, "alpha").await,
    ];
    let made = house.post_as(&one, "/api/v1/tables", classic()).await;
    let id = made.expect(201)["table"]["id"].as_str().unwrap().to_owned();
    let lobby = house.get("/").await;
    assert!(lobby.text.contains("Zeta (bot)"), "{}", lobby.text);
    house.act(&other, &id, "join", json!({})).await.expect(200);
    house.act(&one, &id, "resign", json!({})).await.expect(200);
    let first = house
        .get("/api/v1/directory/bots?limit=1")
        .await
        .expect(200);
    assert_eq!(
        (&first["members"][0]["name"], &first["next"]),
        (&json!("alpha"), &json!("alpha"))
    );
    let rest = house.get("/api/v1/directory/bots?after=alpha").await;
    let rest = rest.expect(200);
    assert_eq!(
        (&rest["members"][0]["name"], &rest["next"]),
        (&json!("Zeta"), &Value::Null)
    );
    let deleted = house.request(Method::DELETE, "/api/v1/bots/Zeta");
    let deleted = Answer::of(deleted.bearer_auth(&ann.token)).await;
    assert_eq!(deleted.status, 204);
    let rest = house.get("/api/v1/directory/bots?after=alpha").await;
    assert_eq!(rest.expect(200)["members"], json!([]));
}

#[tokio::test]
async fn people_meet_a_bot_in_the_queue_only_if_both_wish_so() {
    let house = House::open().await;
    let ann = Member::sign_up(&house, "Ann").await;
    let bot = create_bot(&house, &ann, "AnnsBot").await;
    let wait = async |token: &str, mixed: bool| {
        let wish = json!({ "game": "mnk", "clock": null, "mixed": mixed });
        let request = house.request(Method::POST, "/api/v1/queue").json(&wish);
        Lines::of(request.bearer_auth(token)).await
    };
    let matched = async |mut lines: Lines| loop {
        let line = lines.next().await.expect("the stream goes on");
        if line["type"] == "matched" {
            return line["table"].as_str().unwrap().to_owned();
        }
    };
    let mut people = Vec::new();
    for name in ["Bob", "Cleo", "Dora"] {
        people.push(Member::sign_up(&house, name).await.token);
    }
    // The bot has waited for longest, but the others do not want it.
    let waiting = wait(&bot, true).await;
    let bob = wait(&people[0], false).await;
    let cleo = wait(&people[1], false).await;
    assert_eq!(matched(bob).await, matched(cleo).await);
    let dora = wait(&people[2], true).await;
    let id = matched(dora).await;
    assert_eq!(matched(waiting).await, id);
    let seats = house.table(&id).await["seats"].clone();
    let is_bot = |seat: &Value| seat["owner"] == "Ann" && seat["kind"] == "bot";
    assert!(seats.as_array().unwrap().iter().any(is_bot), "{seats}");
}
