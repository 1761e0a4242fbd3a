//! Talk at tables: who may read and write what, its limits, reports and silence.

use std::time::Duration;

use parlor_server::TalkPolicy;
use parlor_store::{TalkMessage, TalkPerson, TalkRoom};
use reqwest::Method;
use reqwest::header::COOKIE;
use serde_json::{Value, json};

use super::house::{Answer, House, classic};
use super::members::{Member, form};
use super::socket::Socket;

/// Token of a guest who has no seat.
const WATCHER: &str = "00112233445566778899aabbccddeeff00112233";

fn path(table: &str) -> String {
    format!("/api/v1/tables/{table}/talk")
}

async fn say(house: &House, token: &str, table: &str, said: Value) -> Answer {
    house.post_as(token, &path(table), said).await
}

fn text(text: &str) -> Value {
    json!({ "text": text })
}

fn phrase(id: &str) -> Value {
    json!({ "phrase": id })
}

/// Returns the texts that the holder of a token may read.
async fn read(house: &House, token: &str, table: &str) -> Vec<String> {
    let talk = house.get_as(token, &path(table)).await.expect(200);
    let messages = talk["messages"].as_array().unwrap();
    let text = |message: &Value| message["text"].as_str().unwrap().to_owned();
    messages.iter().map(text).collect()
}

/// Returns what may be written in the players' room and in the watchers'.
async fn rights(house: &House, token: &str, table: &str) -> [String; 2] {
    let talk = house.get_as(token, &path(table)).await.expect(200);
    let room = |n: usize| talk["rooms"][n]["write"].as_str().unwrap().to_owned();
    [room(0), room(1)]
}

/// Creates a private table of a guest and another, joined by its link.
async fn private(house: &House) -> (String, [String; 2], String) {
    let made = house
        .create(json!({ "game": "mnk", "listed": false }))
        .await;
    let join = json!({ "name": "Bob", "invite": made.json["invite"] });
    let path = format!("/api/v1/tables/{}/join", made.id);
    let joined = house.post(&path, join).await.expect(200);
    let watch = made.json["watch_url"].as_str().unwrap();
    let watch = watch.rsplit_once('=').unwrap().1.to_owned();
    let second = joined["token"].as_str().unwrap().to_owned();
    (made.id, [made.token, second], watch)
}

#[tokio::test]
async fn players_and_watchers_have_a_room_each_until_the_game_is_over() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let line = say(&house, &tokens[0], &id, phrase("good-luck")).await;
    let line = line.expect(201);
    assert_eq!(
        [&line["room"], &line["name"], &line["text"], &line["seat"]],
        [
            &json!("players"),
            &json!("Ann"),
            &json!("Good luck!"),
            &json!(0)
        ]
    );
    let watching = say(&house, WATCHER, &id, phrase("hello")).await.expect(201);
    assert_eq!(watching["room"], "watchers");
    let name = watching["name"].as_str().unwrap();
    assert!(name.starts_with("Guest ") && name.len() == 10, "{name}");
    assert_eq!(read(&house, &tokens[1], &id).await, ["Good luck!"]);
    assert_eq!(read(&house, WATCHER, &id).await, ["Hello!"]);
    let anonymous = house.get(&path(&id)).await.expect(200);
    assert_eq!(anonymous["messages"], json!([watching]));
    assert_eq!(anonymous["you"], Value::Null);
    house
        .post(&path(&id), phrase("hello"))
        .await
        .problem(401, "no-token");
    let rooms = [(&tokens[0], "watchers"), (&WATCHER.to_owned(), "players")];
    for (token, room) in rooms {
        let other = json!({ "phrase": "hello", "room": room });
        say(&house, token, &id, other)
            .await
            .problem(403, "not-in-room");
        let only = format!("{}?room={room}", path(&id));
        house.get_as(token, &only).await.problem(403, "not-in-room");
    }
    house
        .act(&tokens[1], &id, "resign", json!({}))
        .await
        .expect(200);
    assert_eq!(
        read(&house, &tokens[0], &id).await,
        ["Good luck!", "Hello!"]
    );
    assert_eq!(read(&house, WATCHER, &id).await, ["Hello!"]);
    let both = json!({ "phrase": "thanks", "room": "watchers" });
    let last = say(&house, &tokens[0], &id, both).await.expect(201);
    assert_eq!(read(&house, WATCHER, &id).await, ["Hello!", "Thank you!"]);
    let after = format!("{}?after={}", path(&id), line["n"]);
    let later = house.get_as(&tokens[0], &after).await.expect(200);
    assert_eq!(later["messages"], json!([watching, last]));
}

#[tokio::test]
async fn talk_is_neither_in_the_log_nor_in_the_record() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let (before, record) = (house.log(&id).await, format!("/api/v1/tables/{id}/record"));
    let kept = house.get(&record).await.expect(200);
    say(&house, &tokens[0], &id, phrase("oops"))
        .await
        .expect(201);
    assert_eq!(house.log(&id).await, before);
    assert_eq!(house.get(&record).await.expect(200), kept);
    assert!(!kept.to_string().contains("talk"), "{kept}");
}

#[tokio::test]
async fn guests_write_phrases_and_members_texts_but_at_private_tables_everybody_writes() {
    let house = House::open().await;
    let ann = Member::sign_up(&house, "Ann").await;
    let made = house.post_as(&ann.token, "/api/v1/tables", classic()).await;
    let id = made.expect(201)["table"]["id"].as_str().unwrap().to_owned();
    let join = format!("/api/v1/tables/{id}/join");
    let joined = house.post(&join, json!({ "name": "Gus" })).await;
    let gus = joined.expect(200)["token"].as_str().unwrap().to_owned();
    let line = say(&house, &ann.token, &id, text("  How are you? ")).await;
    let line = line.expect(201);
    assert_eq!(
        [&line["text"], &line["member"]],
        [&json!("How are you?"), &json!(true)]
    );
    assert_eq!(line["phrase"], Value::Null);
    say(&house, &gus, &id, text("Fine"))
        .await
        .problem(403, "phrases-only");
    say(&house, &gus, &id, phrase("thanks")).await.expect(201);
    assert_eq!(rights(&house, &gus, &id).await, ["phrases", "nothing"]);
    assert_eq!(rights(&house, &ann.token, &id).await, ["text", "nothing"]);
    assert_eq!(rights(&house, WATCHER, &id).await, ["nothing", "phrases"]);
    let (id, tokens, watch) = private(&house).await;
    say(&house, &tokens[1], &id, text("Only we read this"))
        .await
        .expect(201);
    house.get(&path(&id)).await.problem(403, "private-table");
    say(&house, WATCHER, &id, phrase("hello"))
        .await
        .problem(403, "private-table");
    let linked = format!("{}?watch={watch}", path(&id));
    let by_link = house.post_as(WATCHER, &linked, text("Nice table")).await;
    by_link.expect(201);
    assert_eq!(read(&house, &watch, &id).await, ["Nice table"]);
}

#[tokio::test]
async fn what_cannot_be_written_is_refused() {
    let house = House::open().await;
    let (id, tokens, _) = private(&house).await;
    let long = "a".repeat(201);
    for bad in [
        "",
        "   ",
        "\u{200b}",
        "two\nlines",
        "bell\u{7}",
        "\u{202e}txt",
        &long,
    ] {
        say(&house, &tokens[0], &id, text(bad))
            .await
            .problem(422, "bad-content");
    }
    for bad in [
        json!({}),
        json!({ "text": "a", "phrase": "hello" }),
        phrase("nonsense"),
        json!({ "text": 7 }),
    ] {
        say(&house, &tokens[0], &id, bad)
            .await
            .problem(422, "bad-content");
    }
    say(&house, &tokens[0], &id, text(&"ñ".repeat(200)))
        .await
        .expect(201);
    say(&house, &tokens[0], "0000000000z", text("a"))
        .await
        .problem(404, "not-found");
}

#[tokio::test]
async fn teammates_suggest_moves_and_point_at_places() {
    let house = House::open().await;
    let (id, tokens) = house.two(json!({ "game": "pandemic" })).await;
    let legal = house.get(&format!("/api/v1/tables/{id}/legal")).await;
    let legal = legal.expect(200);
    let drive = legal["moves"].as_array().unwrap().iter();
    let drive = drive.map(|text| text.as_str().unwrap());
    let drive = drive
        .clone()
        .find(|text| text.starts_with("drive:"))
        .unwrap();
    let (on_turn, mate) = match legal["seat"].as_u64().unwrap() {
        0 => (&tokens[0], &tokens[1]),
        _ => (&tokens[1], &tokens[0]),
    };
    let line = say(&house, mate, &id, json!({ "suggest": drive })).await;
    let line = line.expect(201);
    assert_eq!(
        [
            &line["phrase"],
            &line["suggests"],
            &line["points_at"],
            &line["room"]
        ],
        [
            &json!("suggest"),
            &json!(drive),
            &Value::Null,
            &json!("players")
        ]
    );
    assert!(
        line["text"].as_str().unwrap().starts_with("How about: "),
        "{line}"
    );
    let line = say(
        &house,
        on_turn,
        &id,
        json!({ "point_at": "city-Sao-Paulo" }),
    )
    .await;
    let line = line.expect(201);
    assert_eq!(
        [&line["phrase"], &line["points_at"], &line["text"]],
        [
            &json!("point"),
            &json!("city-Sao-Paulo"),
            &json!("Look at São Paulo!")
        ]
    );
    let refused = [
        (json!({ "suggest": "drive:Atlantis" }), "bad-content"),
        (json!({ "suggest": "nothing" }), "bad-content"),
        (json!({ "point_at": "city-Atlantis" }), "bad-content"),
        (
            json!({ "point_at": "city-Paris", "phrase": "hello" }),
            "bad-content",
        ),
        (json!({ "phrase": "suggest" }), "bad-content"),
        (json!({ "phrase": "point:city-Paris" }), "bad-content"),
    ];
    for (said, code) in refused {
        say(&house, mate, &id, said).await.problem(422, code);
    }
    let watched = say(&house, WATCHER, &id, json!({ "point_at": "city-Paris" })).await;
    watched.problem(403, "not-in-room");
    // Opponents do not help each other.
    let (game, players) = house.two(classic()).await;
    let said = say(&house, &players[0], &game, json!({ "suggest": "1,1" })).await;
    said.problem(422, "bad-content");
    assert_eq!(read(&house, mate, &id).await.len(), 2);
}

#[tokio::test]
async fn every_game_offers_its_own_phrases_after_those_of_all() {
    let house = House::open().await;
    for game in house
        .get("/api/v1/games")
        .await
        .expect(200)
        .as_array()
        .unwrap()
    {
        let made = house.create(json!({ "game": game["name"] })).await;
        let talk = house.get_as(&made.token, &path(&made.id)).await.expect(200);
        let phrases = talk["phrases"].as_array().unwrap();
        assert_eq!(phrases[0]["text"], "Hello!");
        let last = phrases.last().unwrap()["id"].as_str().unwrap();
        let line = say(&house, &made.token, &made.id, phrase(last))
            .await
            .expect(201);
        assert_eq!(line["text"], phrases.last().unwrap()["text"]);
    }
}

#[tokio::test]
async fn a_person_who_writes_too_much_is_told_when_to_go_on() {
    let house = House::with(|config| config.limits.talk_per_minute = Some(6)).await;
    let (id, tokens) = house.two(classic()).await;
    for _ in 0..5 {
        say(&house, &tokens[0], &id, phrase("hello"))
            .await
            .expect(201);
    }
    let late = say(&house, &tokens[0], &id, phrase("hello")).await;
    let wait: u64 = late.headers["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!((1..=2).contains(&wait), "{wait}");
    late.problem(429, "too-many-requests");
    say(&house, &tokens[1], &id, phrase("hello"))
        .await
        .expect(201);
    let free = House::with(|config| config.limits.talk_per_minute = None).await;
    let (id, tokens) = free.two(classic()).await;
    for _ in 0..70 {
        say(&free, &tokens[0], &id, phrase("hello"))
            .await
            .expect(201);
    }
}

#[tokio::test]
async fn a_table_and_a_house_can_be_without_talk_and_a_house_with_phrases_only() {
    let house = House::open().await;
    let mut quiet = classic();
    quiet["talk"] = json!(false);
    let (id, tokens) = house.two(quiet).await;
    for off in [
        say(&house, &tokens[0], &id, phrase("hello")).await,
        house.get_as(&tokens[0], &path(&id)).await,
    ] {
        off.problem(403, "talk-off");
    }
    assert_eq!(house.log(&id).await[0]["without_talk"], true);
    assert!(
        !house
            .get(&format!("/t/{id}"))
            .await
            .text
            .contains("id=\"talk\"")
    );
    house
        .act(&tokens[0], &id, "resign", json!({}))
        .await
        .expect(200);
    for token in &tokens {
        house
            .act(token, &id, "rematch", json!({}))
            .await
            .expect(200);
    }
    let next = house.table(&id).await["next"].as_str().unwrap().to_owned();
    house
        .get_as(&tokens[0], &path(&next))
        .await
        .problem(403, "talk-off");
    let off = House::with(|config| config.talk = TalkPolicy::Off).await;
    let (id, tokens) = off.two(classic()).await;
    say(&off, &tokens[0], &id, phrase("hello"))
        .await
        .problem(403, "talk-off");
    let phrases = House::with(|config| config.talk = TalkPolicy::Phrases).await;
    let (id, tokens, _) = private(&phrases).await;
    say(&phrases, &tokens[0], &id, text("Hi"))
        .await
        .problem(403, "phrases-only");
    say(&phrases, &tokens[0], &id, phrase("hello"))
        .await
        .expect(201);
}

#[tokio::test]
async fn muted_and_blocked_members_are_not_heard() {
    let house = House::open().await;
    let ann = Member::sign_up(&house, "Ann").await;
    let bob = Member::sign_up(&house, "Bob").await;
    let made = house.post_as(&ann.token, "/api/v1/tables", classic()).await;
    let id = made.expect(201)["table"]["id"].as_str().unwrap().to_owned();
    house
        .act(&bob.token, &id, "join", json!({}))
        .await
        .expect(200);
    say(&house, &bob.token, &id, text("Blah")).await.expect(201);
    let send = async |method: Method, path: &str| {
        let path = format!("/api/v1/me/{path}");
        Answer::of(house.request(method, &path).bearer_auth(&ann.token)).await
    };
    assert_eq!(read(&house, &ann.token, &id).await, ["Blah"]);
    for list in ["mutes", "blocks"] {
        let bob_there = format!("{list}/bob");
        assert_eq!(send(Method::PUT, &bob_there).await.status, 204);
        assert_eq!(read(&house, &ann.token, &id).await, [""; 0], "{list}");
        assert_eq!(read(&house, &bob.token, &id).await, ["Blah"]);
        let listed = send(Method::GET, list).await.expect(200);
        assert_eq!(listed[list][0]["name"], "Bob");
        assert_eq!(send(Method::DELETE, &bob_there).await.status, 204);
        send(Method::DELETE, &bob_there)
            .await
            .problem(404, "not-found");
    }
    assert_eq!(read(&house, &ann.token, &id).await, ["Blah"]);
    send(Method::PUT, "mutes/Ann")
        .await
        .problem(422, "bad-content");
    send(Method::PUT, "mutes/Nobody")
        .await
        .problem(404, "not-found");
    send(Method::PUT, "mutes/Bob").await;
    let export = send(Method::GET, "export").await.text;
    assert!(
        export.contains(r#"{"type":"mute","mute":{"name":"Bob""#),
        "{export}"
    );
    let his = house.get_as(&bob.token, "/api/v1/me/export").await.text;
    assert!(
        his.contains(r#"{"type":"message""#) && his.contains("Blah"),
        "{his}"
    );
}

#[tokio::test]
async fn reports_reach_the_admins_who_can_silence_their_authors() {
    let house = House::open().await;
    let (id, tokens, _) = private(&house).await;
    let rude = say(&house, &tokens[1], &id, text("You fool"))
        .await
        .expect(201);
    let kind = say(&house, &tokens[1], &id, phrase("thanks"))
        .await
        .expect(201);
    let report = async |token: &str, n: &Value, body: Value| {
        let path = format!("{}/{n}/report", path(&id));
        house.post_as(token, &path, body).await
    };
    let abuse = || json!({ "reason": "abuse", "note": "rude" });
    for _ in 0..2 {
        let reported = report(&tokens[0], &rude["n"], abuse()).await;
        assert_eq!(reported.status, 204, "{}", reported.text);
    }
    report(&tokens[1], &rude["n"], abuse())
        .await
        .problem(422, "bad-content");
    report(&tokens[0], &kind["n"], abuse())
        .await
        .problem(422, "bad-content");
    report(&tokens[0], &json!(1), abuse())
        .await
        .problem(404, "not-found");
    report(&tokens[0], &json!("x"), abuse())
        .await
        .problem(404, "not-found");
    report(&tokens[0], &rude["n"], json!({ "reason": "boring" }))
        .await
        .problem(422, "bad-content");
    report(WATCHER, &rude["n"], abuse())
        .await
        .problem(403, "private-table");

    let eve = Member::sign_up(&house, "Eve").await;
    let get = async |path: &str| {
        Answer::of(house.request(Method::GET, path).header(COOKIE, &eve.cookie)).await
    };
    assert_eq!(get("/admin/talk").await.status, 403);
    let account = house.store().user_by_name("Eve").await.unwrap().unwrap();
    let line = parlor_store::AuditLine {
        at: 1,
        admin_id: None,
        admin_name: "tests".to_owned(),
        action: "promote".to_owned(),
        target: format!("player Eve ({})", account.id),
        detail: String::new(),
    };
    assert!(
        house
            .store()
            .set_admin(account.id, true, line)
            .await
            .unwrap()
    );
    let page = get("/admin/talk").await.text;
    for part in [
        "1 open report",
        "You fool",
        "Insults or threats",
        "rude",
        "Bob",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let number = page.split("/admin/talk/").nth(1).unwrap();
    let number = number.split('/').next().unwrap().to_owned();
    let post = async |path: &str, fields: &[(&str, &str)]| {
        let request = form(house.request(Method::POST, path), fields);
        Answer::of(request.header(COOKIE, &eve.cookie)).await
    };
    let silence = format!("/admin/talk/{number}/silence");
    assert_eq!(post(&silence, &[("hours", "77")]).await.status, 422);
    let silenced = post(&silence, &[("hours", "24"), ("reason", "rude")]).await;
    assert!(
        silenced.text.contains("0 open reports"),
        "{}",
        silenced.text
    );
    assert!(!silenced.text.contains("You fool"), "the copy is gone");
    let refused = say(&house, &tokens[1], &id, phrase("hello")).await;
    assert!(refused.problem(403, "silenced")["until"].as_i64().unwrap() > 0);
    say(&house, &tokens[0], &id, phrase("hello"))
        .await
        .expect(201);
    let log = get("/admin/log").await.text;
    for action in ["silence", "close report"] {
        assert!(log.contains(action), "{log}");
    }
    let key = silenced
        .text
        .split("name=\"person\" value=\"")
        .nth(1)
        .unwrap();
    let key = key.split('"').next().unwrap().to_owned();
    post("/admin/talk/unsilence", &[("person", &key)]).await;
    say(&house, &tokens[1], &id, phrase("hello"))
        .await
        .expect(201);
    // A member, by the page of the account.
    Member::sign_up(&house, "Bot-like").await;
    let member = house
        .store()
        .user_by_name("Bot-like")
        .await
        .unwrap()
        .unwrap();
    let action = format!("/admin/players/{}/silence", member.id);
    let page = post(&action, &[("hours", "1"), ("reason", "spam")]).await;
    assert!(page.text.contains("Bot-like"), "{}", page.text);
}

#[tokio::test]
async fn a_silenced_member_writes_neither_as_a_player_nor_as_a_watcher() {
    let house = House::open().await;
    let ann = Member::sign_up(&house, "Ann").await;
    let (id, _) = house.two(classic()).await;
    say(&house, &ann.token, &id, text("Go!")).await.expect(201);
    let user = house.store().user_by_name("Ann").await.unwrap().unwrap();
    let until = i64::MAX / 2;
    let silence = parlor_store::Silence {
        person: TalkPerson {
            key: parlor_server::talk_key(user.id).unwrap(),
            user: Some(user.id),
            name: user.name,
        },
        at: 1,
        until,
        reason: String::new(),
    };
    let line = parlor_store::AuditLine {
        at: 1,
        admin_id: None,
        admin_name: "tests".to_owned(),
        action: "silence".to_owned(),
        target: "player Ann".to_owned(),
        detail: String::new(),
    };
    house.store().silence(&silence, line).await.unwrap();
    say(&house, &ann.token, &id, phrase("hello"))
        .await
        .problem(403, "silenced");
    let talk = house.get_as(&ann.token, &path(&id)).await.expect(200);
    assert_eq!(talk["silenced_until"], json!(until));
    let export = house.get_as(&ann.token, "/api/v1/me/export").await.text;
    let told = format!(r#"{{"type":"silence","at":1,"until":{until},"reason":""}}"#);
    assert!(export.contains(&told), "{export}");
}

#[tokio::test]
async fn old_messages_are_deleted() {
    let mut house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let table: parlor_table::TableId = id.parse().unwrap();
    let old = TalkMessage {
        n: 0,
        at: 5,
        room: TalkRoom::Players,
        author: TalkPerson {
            key: "key".to_owned(),
            user: None,
            name: "Ann".to_owned(),
        },
        seat: None,
        phrase: None,
        text: "long ago".to_owned(),
    };
    let key = i64::try_from(table.number()).unwrap();
    house.store().say(key, &old).await.unwrap();
    say(&house, &tokens[0], &id, phrase("hello"))
        .await
        .expect(201);
    assert_eq!(read(&house, &tokens[0], &id).await, ["long ago", "Hello!"]);
    house = house.restart().await;
    let since = std::time::Instant::now();
    while read(&house, &tokens[0], &id).await != ["Hello!"] {
        assert!(since.elapsed() < super::house::PATIENCE);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn talk_goes_on_after_a_restart() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let house = house.restart().await;
    say(&house, &tokens[0], &id, phrase("hello"))
        .await
        .expect(201);
    assert_eq!(read(&house, &tokens[1], &id).await, ["Hello!"]);
    assert_eq!(read(&house, WATCHER, &id).await, [""; 0]);
}

/// Returns the text of the next message of the talk that a socket brings.
async fn heard(socket: &mut Socket) -> String {
    loop {
        let news = socket.told().await;
        if news["type"] == "talk" {
            return news["message"]["text"].as_str().unwrap().to_owned();
        }
    }
}

#[tokio::test]
async fn messages_come_through_the_socket_to_those_who_may_read_them() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    say(&house, &tokens[0], &id, phrase("hello"))
        .await
        .expect(201);
    let mut bob = Socket::open(&house, &id, Some(&tokens[1])).await;
    let mut watcher = Socket::open(&house, &id, None).await;
    for socket in [&mut bob, &mut watcher] {
        socket.say(json!({ "type": "subscribe", "after": 0 })).await;
        socket.say(json!({ "type": "talk", "after": 0 })).await;
    }
    assert_eq!(heard(&mut bob).await, "Hello!");
    say(&house, &tokens[0], &id, phrase("have-fun"))
        .await
        .expect(201);
    say(&house, WATCHER, &id, phrase("oops")).await.expect(201);
    assert_eq!(heard(&mut bob).await, "Have fun!");
    assert_eq!(
        heard(&mut watcher).await,
        "Oops …",
        "nothing of the players"
    );
    house
        .act(&tokens[0], &id, "resign", json!({}))
        .await
        .expect(200);
    while bob.told().await["event"]["type"] != "ended" {}
    say(&house, WATCHER, &id, phrase("well-played"))
        .await
        .expect(201);
    assert_eq!(heard(&mut bob).await, "Well played!", "after the game");
    assert_eq!(heard(&mut watcher).await, "Well played!");
    // From a number on, and in order.
    let line = say(&house, &tokens[1], &id, phrase("thanks"))
        .await
        .expect(201);
    let mut again = Socket::open(&house, &id, Some(&tokens[0])).await;
    let after = line["n"].as_i64().unwrap() - 1;
    again.say(json!({ "type": "talk", "after": after })).await;
    assert_eq!(heard(&mut again).await, "Thank you!");
}

#[tokio::test]
async fn pages_show_talk_and_send_it_without_a_script() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let cookie = |token: &str| format!("parlor_guest={token}");
    let page = async |token: &str| {
        let request = house.request(Method::GET, &format!("/t/{id}"));
        Answer::of(request.header(COOKIE, cookie(token))).await.text
    };
    assert!(page(&tokens[0]).await.contains("id=\"talk\""));
    let post = async |token: &str, verb: &str, fields: &[(&str, &str)]| {
        let path = format!("/t/{id}/talk{verb}");
        let request = form(house.request(Method::POST, &path), fields);
        Answer::of(request.header(COOKIE, cookie(token))).await
    };
    let answered = post(
        &tokens[0],
        "",
        &[("room", "players"), ("phrase", "have-fun")],
    )
    .await;
    assert_eq!(answered.status, 200, "the client follows the redirect");
    assert!(
        page(&tokens[1])
            .await
            .contains(r#"<span class="text">Have fun!</span>"#)
    );
    assert!(
        !page(WATCHER)
            .await
            .contains(r#"<span class="text">Have fun!</span>"#)
    );
    let request = form(
        house.request(Method::POST, &format!("/t/{id}/talk")),
        &[("phrase", "hello")],
    );
    let new = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .build();
    let new = new
        .unwrap()
        .execute(request.build().unwrap())
        .await
        .unwrap();
    assert_eq!(new.status(), 303);
    assert!(
        new.headers()["set-cookie"]
            .to_str()
            .unwrap()
            .contains("parlor_guest=")
    );
    // Hidden for a browser, and shown again.
    let hidden = post(&tokens[0], "/hide", &[("talk", "off")]).await;
    assert_eq!(hidden.status, 200);
    let request = house.request(Method::GET, &format!("/t/{id}"));
    let both = format!("{}; parlor_talk=off", cookie(&tokens[0]));
    let page = Answer::of(request.header(COOKIE, both)).await.text;
    assert!(!page.contains("id=\"talk\"") && page.contains("Show talk at tables"));
}

#[tokio::test]
async fn who_left_a_team_and_who_remains_with_bots_keep_their_talk() {
    let house = House::open().await;
    let (id, [ann, bob]) = house.two(json!({ "game": "pandemic" })).await;
    let panel = async |token: &str, path: &str| {
        let request = house.request(Method::GET, path);
        let request = request.header(COOKIE, format!("parlor_guest={token}"));
        let answer = Answer::of(request).await;
        assert_eq!(answer.status, 200, "{path}");
        answer.text.contains("data-room=\"players\"")
    };
    say(&house, &ann, &id, phrase("hello")).await.expect(201);
    house.act(&bob, &id, "resign", json!({})).await.expect(200);
    for token in [&ann, &bob] {
        for path in [format!("/t/{id}"), format!("/t/{id}/talk")] {
            assert!(panel(token, &path).await, "{path}");
        }
        assert_eq!(rights(&house, token, &id).await, ["phrases", "nothing"]);
        assert_eq!(read(&house, token, &id).await, ["Hello!"]);
    }
    // People who left write under the same name, but suggest no moves.
    let line = say(&house, &bob, &id, phrase("must-go")).await;
    let line = line.expect(201);
    assert_eq!(
        (&line["name"], &line["room"], &line["seat"]),
        (&json!("Bob"), &json!("players"), &Value::Null)
    );
    let place = json!({ "point_at": "city-Cairo" });
    let answer = say(&house, &bob, &id, place).await;
    answer.problem(403, "not-in-room");
    assert_eq!(read(&house, &ann, &id).await.len(), 2);
    assert_eq!(rights(&house, WATCHER, &id).await, ["nothing", "phrases"]);

    house.act(&bob, &id, "return", json!({})).await.expect(200);
    assert_eq!(read(&house, &bob, &id).await.len(), 2);
    house.act(&bob, &id, "resign", json!({})).await.expect(200);
    house.act(&ann, &id, "resign", json!({})).await.expect(200);
    assert!(panel(&ann, &format!("/t/{id}")).await, "after the game");
    assert_eq!(rights(&house, &bob, &id).await, ["nothing", "phrases"]);
}

/// Table of a team of two in a game under way, with the token of the one on turn, the other's, and a way
/// of three moves for the first: there, back, and there again.
async fn team(house: &House) -> (String, String, String, [String; 3]) {
    let (id, [first, second]) = house.two(json!({ "game": "pandemic" })).await;
    let legal = house.get(&format!("/api/v1/tables/{id}/legal")).await;
    let seat = legal.expect(200)["seat"].as_u64();
    let (on_turn, mate) = if seat == Some(0) {
        (first, second)
    } else {
        (second, first)
    };
    // All pawns begin in Atlanta.
    let way = ["drive:Chicago", "drive:Atlanta", "drive:Miami"].map(str::to_owned);
    (id, on_turn, mate, way)
}

/// Asks how a plan goes on.
async fn planned(house: &House, id: &str, moves: &[String], since: Option<u64>) -> Answer {
    let since = since.map_or_else(String::new, |since| format!("&since={since}"));
    let moves = moves.join("+");
    let path = format!("/api/v1/tables/{id}/plan?moves={moves}{since}");
    house.get(&path).await
}

/// Returns the moves that are left of a plan.
fn left(plan: &Value) -> Vec<&str> {
    let moves = plan["moves"].as_array().unwrap().iter();
    moves.map(|step| step["move"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_teammate_composes_and_proposes_a_plan_of_several_moves() {
    let house = House::open().await;
    let (id, on_turn, mate, way) = team(&house).await;
    let plan = planned(&house, &id, &way, None).await.expect(200);
    assert_eq!(left(&plan), way);
    assert_eq!(
        plan["moves"][0]["way"],
        json!(["city-Atlanta", "city-Chicago"])
    );
    let next = plan["next"].as_array().unwrap();
    let goes_on = |text: &str| next.iter().any(|click| click["move"] == text);
    assert!(
        goes_on("drive:Atlanta") && !goes_on("drive:Chicago"),
        "{plan}"
    );
    let line = say(&house, &mate, &id, json!({ "plan": way })).await;
    let line = line.expect(201);
    assert_eq!(line["phrase"], "plan");
    assert_eq!(line["plan"]["moves"], json!(way));
    let text = line["text"].as_str().unwrap();
    assert!(
        text.starts_with("How about: 1 Drive to Chicago, 2 Drive to Atlanta, 3 "),
        "{text}"
    );
    // The team reads it, however long it is.
    let talk = house.get_as(&on_turn, &path(&id)).await.expect(200);
    assert_eq!(talk["messages"][0], line);
    let there_and_back = [&way[..2], &way[..2], &["draw".to_owned()][..]].concat();
    let line = say(&house, &mate, &id, json!({ "plan": there_and_back })).await;
    let line = line.expect(201);
    assert_eq!(line["plan"]["moves"], json!(there_and_back));
    let talk = house.get_as(&on_turn, &path(&id)).await.expect(200);
    assert_eq!(talk["messages"][1], line);
}

#[tokio::test]
async fn a_plan_that_does_not_fit_is_refused_with_the_step_that_is_wrong() {
    let house = House::open().await;
    let (id, _, mate, way) = team(&house).await;
    let wrong = json!(["drive:Chicago", "drive:Tokyo", "drive:Atlanta"]);
    let refused = say(&house, &mate, &id, json!({ "plan": wrong })).await;
    let problem = refused.problem(422, "bad-content");
    assert_eq!(
        [&problem["field"], &problem["step"]],
        [&json!("plan"), &json!(2)]
    );
    let path = format!("/api/v1/tables/{id}/plan?moves=drive:Atlantis");
    let problem = house.get(&path).await.problem(422, "bad-content");
    assert_eq!(problem["step"], 1);
    for plan in [
        json!([]),
        json!(vec!["drive:Chicago"; 13]),
        json!("drive:Chicago"),
    ] {
        let refused = say(&house, &mate, &id, json!({ "plan": plan })).await;
        refused.problem(422, "bad-content");
    }
    let both = json!({ "plan": way, "phrase": "hello" });
    let refused = say(&house, &mate, &id, both).await;
    refused.problem(422, "bad-content");
    for phrase in ["plan", "plan:0 drive:Chicago"] {
        let refused = say(&house, &mate, &id, json!({ "phrase": phrase })).await;
        refused.problem(422, "bad-content");
    }
    // Watchers propose nothing, and opponents do not help each other.
    let watched = say(&house, WATCHER, &id, json!({ "plan": way })).await;
    watched.problem(403, "not-in-room");
    let (game, players) = house.two(classic()).await;
    let said = say(&house, &players[0], &game, json!({ "plan": ["1,1"] })).await;
    said.problem(422, "bad-content");
    let path = format!("/api/v1/tables/{game}/plan?moves=1,1");
    house.get(&path).await.problem(422, "bad-content");
    assert!(read(&house, &mate, &id).await.is_empty());
}

#[tokio::test]
async fn a_plan_is_shown_until_it_is_played_or_the_game_goes_another_way() {
    let house = House::open().await;
    let (id, on_turn, mate, way) = team(&house).await;
    let line = say(&house, &mate, &id, json!({ "plan": way })).await;
    let since = line.expect(201)["plan"]["since"].as_u64();
    let moves = format!("/api/v1/tables/{id}/moves");
    let play = async |text: &str| {
        let played = house.post_as(&on_turn, &moves, json!({ "move": text }));
        played.await.expect(200);
    };
    play(&way[0]).await;
    let plan = planned(&house, &id, &way, since).await.expect(200);
    assert_eq!(left(&plan), way[1..]);
    // A plan that was fine before no longer fits.
    let late = say(&house, &mate, &id, json!({ "plan": way })).await;
    assert_eq!(late.problem(422, "bad-content")["step"], 1);
    play(&way[1]).await;
    play("drive:Washington").await;
    let gone = planned(&house, &id, &way, since).await;
    gone.problem(409, "plan-out-of-date");
    let ahead = planned(&house, &id, &way, Some(9_999)).await;
    ahead.problem(409, "plan-out-of-date");
}
