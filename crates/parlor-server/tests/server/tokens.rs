use reqwest::Method;
use serde_json::{Value, json};

use super::accounts::{Member, PASSWORD, member};
use super::house::{Answer, House, Lines, classic};
use super::socket::Socket;

struct Token {
    id: i64,
    text: String,
}

async fn token(house: &House, ann: &Member, wanted: Value) -> Token {
    let made = ann.post(house, "/api/v1/tokens", wanted).await.expect(201);
    Token {
        id: made["id"].as_i64().unwrap(),
        text: made["token"].as_str().unwrap().to_owned(),
    }
}

async fn ask(house: &House, token: &str, method: Method, path: &str, body: Value) -> Answer {
    Answer::of(house.request(method, path).bearer_auth(token).json(&body)).await
}

async fn get(house: &House, token: &str, path: &str) -> Answer {
    Answer::of(house.request(Method::GET, path).bearer_auth(token)).await
}

#[tokio::test]
async fn a_program_plays_with_a_token_under_its_owners_name() {
    let house = House::open().await;
    let ann = member(&house, "Ann").await;
    let program = token(&house, &ann, json!({ "name": "my program" })).await;
    assert!(
        program.text.starts_with("parlor_") && program.text.len() == 47,
        "{}",
        program.text
    );
    let made = house
        .post_as(&program.text, "/api/v1/tables", classic())
        .await
        .expect(201);
    assert_eq!(
        made["token"],
        Value::Null,
        "whoever has an account needs no token of the seat"
    );
    assert_eq!(made["table"]["seats"][0]["name"], "Ann");
    let path = format!("/api/v1/tables/{}", made["table"]["id"].as_str().unwrap());
    assert_eq!(
        ann.get(&house, &path).await.expect(200)["you"],
        json!([0]),
        "it is the member's seat"
    );
    let listed = ann.get(&house, "/api/v1/tokens").await.expect(200)["tokens"].clone();
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!(
        (&listed[0]["name"], &listed[0]["scopes"]),
        (&json!("my program"), &json!(["play", "read"]))
    );
    assert!(listed[0]["token"].is_null(), "the text is shown only once");
}

#[tokio::test]
async fn a_token_does_only_what_its_scopes_say() {
    let house = House::open().await;
    let ann = member(&house, "Ann").await;
    let scoped = async |scope: &str| {
        token(&house, &ann, json!({ "name": scope, "scopes": [scope] }))
            .await
            .text
    };
    let (play, read, account) = (
        scoped("play").await,
        scoped("read").await,
        scoped("account").await,
    );
    let create = async |token: &str| house.post_as(token, "/api/v1/tables", classic()).await;
    let table = create(&play).await.expect(201)["table"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    for token in [&read, &account] {
        assert_eq!(
            create(token).await.problem(403, "wrong-scope")["scope"],
            "play"
        );
        for verb in ["join", "leave", "moves", "resign", "abort", "rematch"] {
            let path = format!("/api/v1/tables/{table}/{verb}");
            let body = if verb == "moves" {
                json!({ "move": "1,1" })
            } else {
                json!({ "name": "Ann" })
            };
            assert_eq!(
                house
                    .post_as(token, &path, body)
                    .await
                    .problem(403, "wrong-scope")["scope"],
                "play"
            );
        }
    }
    get(&house, &read, "/api/v1/me/games").await.expect(200);
    for token in [&play, &account] {
        assert_eq!(
            get(&house, token, "/api/v1/me/games")
                .await
                .problem(403, "wrong-scope")["scope"],
            "read"
        );
    }
    get(&house, &account, "/api/v1/tokens").await.expect(200);
    for token in [&play, &read] {
        let of_account = [
            (Method::GET, "/api/v1/tokens", json!({})),
            (Method::POST, "/api/v1/tokens", json!({ "name": "more" })),
            (Method::DELETE, "/api/v1/tokens/1", json!({})),
            (Method::GET, "/api/v1/bots", json!({})),
            (Method::POST, "/api/v1/bots", json!({ "name": "Bot" })),
            (Method::DELETE, "/api/v1/bots/Bot", json!({})),
            (
                Method::POST,
                "/api/v1/me/password",
                json!({ "current": PASSWORD, "new": "something longer" }),
            ),
        ];
        for (method, path, body) in of_account {
            assert_eq!(
                ask(&house, token, method, path, body)
                    .await
                    .problem(403, "wrong-scope")["scope"],
                "account"
            );
        }
    }
    for token in [&play, &read, &account] {
        assert_eq!(
            get(&house, token, "/api/v1/me").await.expect(200)["name"],
            "Ann"
        );
        get(&house, token, &format!("/api/v1/tables/{table}"))
            .await
            .expect(200);
    }
}

#[tokio::test]
async fn nobody_gives_away_more_than_they_have() {
    let house = House::open().await;
    let ann = member(&house, "Ann").await;
    let wanted = json!({ "name": "all", "scopes": ["play", "admin"] });
    assert_eq!(
        ann.post(&house, "/api/v1/tokens", wanted)
            .await
            .problem(403, "wrong-scope")["scope"],
        "admin"
    );
    let account = token(
        &house,
        &ann,
        json!({ "name": "account", "scopes": ["account"] }),
    )
    .await
    .text;
    let wanted = json!({ "name": "play", "scopes": ["account", "play"] });
    let refused = house
        .post_as(&account, "/api/v1/tokens", wanted)
        .await
        .problem(403, "wrong-scope");
    assert_eq!(refused["scope"], "play");
    for odd in [
        json!({ "name": "" }),
        json!({ "name": "x", "days": 0 }),
        json!({ "name": "x", "scopes": ["everything"] }),
    ] {
        ann.post(&house, "/api/v1/tokens", odd)
            .await
            .problem(422, "bad-content");
    }
}

#[tokio::test]
async fn what_a_member_has_is_nothing_to_a_guest_and_to_other_members() {
    let house = House::open().await;
    let (ann, bob) = (member(&house, "Ann").await, member(&house, "Bob").await);
    let anns = token(&house, &ann, json!({ "name": "Ann's" })).await;
    ann.post(&house, "/api/v1/bots", json!({ "name": "AnnsBot" }))
        .await
        .expect(201);
    let revoke = format!("/api/v1/tokens/{}", anns.id);
    bob.ask(&house, Method::DELETE, &revoke, None)
        .await
        .problem(404, "not-found");
    bob.ask(&house, Method::DELETE, "/api/v1/bots/AnnsBot", None)
        .await
        .problem(404, "not-found");
    bob.post(
        &house,
        "/api/v1/tokens",
        json!({ "name": "x", "bot": "AnnsBot" }),
    )
    .await
    .problem(404, "not-found");
    let guest = house.create(classic()).await.token;
    for path in [
        "/api/v1/me",
        "/api/v1/tokens",
        "/api/v1/bots",
        "/api/v1/me/games",
    ] {
        get(&house, &guest, path).await.problem(403, "members-only");
        house.get(path).await.problem(401, "no-token");
        get(&house, &format!("parlor_{}", "00".repeat(20)), path)
            .await
            .problem(401, "no-token");
        get(&house, "parlor_nonsense", path)
            .await
            .problem(401, "no-token");
    }
    assert_eq!(
        ann.get(&house, "/api/v1/tokens").await.expect(200)["tokens"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[tokio::test]
async fn a_revoked_token_is_worth_nothing_and_its_socket_and_stream_are_closed() {
    let house = House::open().await;
    let ann = member(&house, "Ann").await;
    let (gone, kept) = (
        token(&house, &ann, json!({ "name": "a" })).await,
        token(&house, &ann, json!({ "name": "b" })).await,
    );
    let table = house
        .post_as(&gone.text, "/api/v1/tables", classic())
        .await
        .expect(201);
    let id = table["table"]["id"].as_str().unwrap();
    let mut socket = Socket::open(&house, id, Some(&gone.text)).await;
    let mut other = Socket::open(&house, id, Some(&kept.text)).await;
    let path = format!("/api/v1/tables/{id}/events");
    let stream = house
        .request(Method::GET, &path)
        .bearer_auth(&gone.text)
        .header("accept", "application/x-ndjson");
    let mut stream = Lines::of(stream).await;
    stream.next().await.expect("the table was created");
    for socket in [&mut socket, &mut other] {
        socket.say(json!({ "type": "ping" })).await;
        assert_eq!(socket.told().await["type"], "pong");
    }
    ann.ask(
        &house,
        Method::DELETE,
        &format!("/api/v1/tokens/{}", gone.id),
        None,
    )
    .await
    .expect(204);
    assert_eq!(socket.closed().await, 4401);
    let last = json!({ "type": "closed", "reason": "revoked" });
    assert_eq!(stream.next().await, Some(last));
    assert_eq!(stream.next().await, None, "the stream ends");
    house
        .post_as(&gone.text, "/api/v1/tables", classic())
        .await
        .problem(401, "no-token");
    other.say(json!({ "type": "ping" })).await;
    assert_eq!(
        other.told().await["type"],
        "pong",
        "the other token's socket stays"
    );
    ann.ask(
        &house,
        Method::DELETE,
        &format!("/api/v1/tokens/{}", gone.id),
        None,
    )
    .await
    .problem(404, "not-found");
}

#[tokio::test]
async fn the_sockets_of_a_session_end_with_it() {
    let house = House::open().await;
    let ann = member(&house, "Ann").await;
    let id = house.create(classic()).await.id;
    let mut socket = Socket::with_cookie(&house, &id, &ann.cookie).await;
    socket.say(json!({ "type": "ping" })).await;
    assert_eq!(socket.told().await["type"], "pong");
    ann.ask(&house, Method::DELETE, "/api/v1/sessions/current", None)
        .await
        .expect(204);
    assert_eq!(socket.closed().await, 4401);
}

#[tokio::test]
async fn a_socket_that_was_opened_for_reading_does_not_move() {
    let house = House::open().await;
    let ann = member(&house, "Ann").await;
    let read = token(&house, &ann, json!({ "name": "eyes", "scopes": ["read"] }))
        .await
        .text;
    let id = ann
        .post(&house, "/api/v1/tables", classic())
        .await
        .expect(201)["table"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    house
        .post(
            &format!("/api/v1/tables/{id}/join"),
            json!({ "name": "Bob" }),
        )
        .await
        .expect(200);
    let mut socket = Socket::open(&house, &id, Some(&read)).await;
    socket
        .say(json!({ "type": "move", "id": "m1", "move": "1,1" }))
        .await;
    let refused = socket.told().await;
    assert_eq!(
        (&refused["type"], &refused["problem"]["scope"]),
        (&json!("error"), &json!("play"))
    );
}

#[tokio::test]
async fn a_bot_has_a_name_of_its_own_and_belongs_to_its_owner() {
    let house = House::open().await;
    let ann = member(&house, "Ann").await;
    let made = ann
        .post(&house, "/api/v1/bots", json!({ "name": "AnnsBot" }))
        .await
        .expect(201);
    let bot = made["token"].as_str().unwrap();
    assert_eq!(
        (&made["bot"], &made["scopes"]),
        (&json!("AnnsBot"), &json!(["play", "read"]))
    );
    let table = house
        .post_as(bot, "/api/v1/tables", classic())
        .await
        .expect(201);
    assert_eq!(table["table"]["seats"][0]["name"], "AnnsBot");
    let profile = house.get("/api/v1/players/annsbot").await.expect(200);
    assert_eq!(
        (&profile["kind"], &profile["owner"]),
        (&json!("bot"), &json!("Ann"))
    );
    let login = json!({ "name": "AnnsBot", "password": PASSWORD });
    house
        .post("/api/v1/sessions", login)
        .await
        .problem(401, "wrong-login");
    ann.post(&house, "/api/v1/bots", json!({ "name": "ann" }))
        .await
        .problem(409, "name-taken");
    let more = ann
        .post(
            &house,
            "/api/v1/tokens",
            json!({ "name": "second", "bot": "AnnsBot" }),
        )
        .await
        .expect(201);
    get(&house, more["token"].as_str().unwrap(), "/api/v1/me/games")
        .await
        .expect(200);
    let account = json!({ "name": "third", "bot": "AnnsBot", "scopes": ["account"] });
    ann.post(&house, "/api/v1/tokens", account)
        .await
        .problem(403, "wrong-scope");
    ann.ask(&house, Method::DELETE, "/api/v1/bots/AnnsBot", None)
        .await
        .expect(204);
    for token in [bot, more["token"].as_str().unwrap()] {
        get(&house, token, "/api/v1/me")
            .await
            .problem(401, "no-token");
    }
    assert_eq!(
        ann.get(&house, "/api/v1/bots").await.expect(200)["bots"],
        json!([])
    );
    ann.post(&house, "/api/v1/bots", json!({ "name": "AnnsBot" }))
        .await
        .problem(409, "name-taken");
}
