//! Blocked members, and from whom members take challenges.

use reqwest::Method;
use reqwest::header::COOKIE;
use serde_json::{Value, json};

use super::house::{Answer, House, Lines};
use super::members::{Member, form};

/// Sends a request with a member's token.
async fn send(house: &House, method: Method, who: &Member, path: &str) -> Answer {
    let path = format!("/api/v1{path}");
    Answer::of(house.request(method, &path).bearer_auth(&who.token)).await
}

async fn challenge(house: &House, token: &str, name: &str) -> Answer {
    let wanted =
        json!({ "game": "mnk", "seats": [{ "kind": "me" }, { "kind": "player", "name": name }] });
    house.post_as(token, "/api/v1/tables", wanted).await
}

/// Changes from whom a member takes challenges.
async fn take_from(house: &House, who: &Member, from: Value) -> Answer {
    let request = house.request(Method::PATCH, "/api/v1/me");
    let request = request.bearer_auth(&who.token);
    Answer::of(request.json(&json!({ "challenges_from": from }))).await
}

/// Creates a bot of a member and returns its token.
async fn bot(house: &House, owner: &Member, name: &str) -> String {
    let made = house.post_as(&owner.token, "/api/v1/bots", json!({ "name": name }));
    let made = made.await.expect(201);
    made["token"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_blocked_member_cannot_challenge_until_unblocked() {
    let house = House::open().await;
    let ann = Member::sign_up(&house, "Ann").await;
    let bob = Member::sign_up(&house, "Bob").await;
    let cid = Member::sign_up(&house, "Cid").await;
    for _ in 0..2 {
        let blocked = send(&house, Method::PUT, &ann, "/me/blocks/bob").await;
        assert_eq!((blocked.status.as_u16(), blocked.text.as_str()), (204, ""));
    }
    let refused = challenge(&house, &bob.token, "ann").await;
    let refused = refused.problem(403, "no-challenges");
    assert_eq!(refused["detail"], "Ann takes no challenges from you");
    challenge(&house, &cid.token, "Ann").await.expect(201);
    challenge(&house, &ann.token, "Bob").await.expect(201);
    let list = send(&house, Method::GET, &ann, "/me/blocks").await;
    let list = list.expect(200);
    assert_eq!(list["blocks"].as_array().unwrap().len(), 1);
    assert_eq!(list["blocks"][0]["name"], "Bob");
    assert!(list["blocks"][0]["blocked_at"].as_i64().unwrap() > 0);
    let his = send(&house, Method::GET, &bob, "/me/blocks").await;
    assert_eq!(his.expect(200), json!({ "blocks": [] }));
    let export = send(&house, Method::GET, &ann, "/me/export").await;
    assert!(
        export
            .text
            .contains(r#"{"type":"block","block":{"name":"Bob""#)
    );
    let unblocked = send(&house, Method::DELETE, &ann, "/me/blocks/Bob").await;
    assert_eq!(unblocked.status, 204);
    challenge(&house, &bob.token, "Ann").await.expect(201);
}

#[tokio::test]
async fn a_block_holds_for_the_bots_of_both() {
    let house = House::open().await;
    let ann = Member::sign_up(&house, "Ann").await;
    let bob = Member::sign_up(&house, "Bob").await;
    bot(&house, &ann, "AnnsBot").await;
    let his = bot(&house, &bob, "BobsBot").await;
    challenge(&house, &his, "Ann").await.expect(201);
    let blocked = send(&house, Method::PUT, &ann, "/me/blocks/Bob").await;
    assert_eq!(blocked.status, 204);
    for (token, name) in [(&his, "Ann"), (&his, "AnnsBot"), (&bob.token, "AnnsBot")] {
        let refused = challenge(&house, token, name).await;
        refused.problem(403, "no-challenges");
    }
}

#[tokio::test]
async fn blocks_that_cannot_be_are_refused() {
    let house = House::open().await;
    let ann = Member::sign_up(&house, "Ann").await;
    Member::sign_up(&house, "Bob").await;
    let path = "/me/blocks/Bob";
    send(&house, Method::DELETE, &ann, path)
        .await
        .problem(404, "not-found");
    for method in [Method::PUT, Method::DELETE] {
        send(&house, method.clone(), &ann, "/me/blocks/Cid")
            .await
            .problem(404, "not-found");
        let anonymous = house.request(method, "/api/v1/me/blocks/Bob");
        Answer::of(anonymous).await.problem(401, "no-token");
    }
    send(&house, Method::PUT, &ann, "/me/blocks/ann")
        .await
        .problem(422, "bad-content");
    let narrow = json!({ "name": "narrow", "scopes": ["play", "read"] });
    let narrow = house.post_as(&ann.token, "/api/v1/tokens", narrow).await;
    let narrow = Member {
        token: narrow.expect(201)["token"].as_str().unwrap().to_owned(),
        cookie: String::new(),
    };
    for (method, path) in [
        (Method::GET, "/me/blocks"),
        (Method::PUT, path),
        (Method::DELETE, path),
    ] {
        let refused = send(&house, method, &narrow, path).await;
        assert_eq!(refused.problem(403, "wrong-scope")["scope"], "account");
    }
    take_from(&house, &narrow, json!("nobody"))
        .await
        .problem(403, "wrong-scope");
}

#[tokio::test]
async fn nobody_blocks_more_than_five_hundred() {
    let house = House::open().await;
    let ann = Member::sign_up(&house, "Ann").await;
    Member::sign_up(&house, "Bob").await;
    let id = house.store().user_by_name("Ann").await.unwrap().unwrap().id;
    for blocked in 1..=500 {
        assert!(house.store().block(id, blocked, 1, 500).await.unwrap());
    }
    let refused = send(&house, Method::PUT, &ann, "/me/blocks/Bob").await;
    assert_eq!(
        refused.problem(422, "bad-content")["detail"],
        "a member can block at most 500 others; unblock some first"
    );
}

#[tokio::test]
async fn challenges_are_taken_from_those_whom_the_member_wants() {
    let house = House::open().await;
    let ann = Member::sign_up(&house, "Ann").await;
    let bob = Member::sign_up(&house, "Bob").await;
    let me = send(&house, Method::GET, &ann, "/me").await.expect(200);
    assert_eq!(me["challenges_from"], "everybody");
    let changed = take_from(&house, &ann, json!("nobody")).await.expect(200);
    assert_eq!(changed["challenges_from"], "nobody");
    let detail = async || {
        let refused = challenge(&house, &bob.token, "Ann").await;
        refused.problem(403, "no-challenges")["detail"].clone()
    };
    assert_eq!(detail().await, "Ann takes no challenges");
    take_from(&house, &ann, json!("played_with"))
        .await
        .expect(200);
    let strangers = "Ann takes challenges only from people they have played with";
    assert_eq!(detail().await, strangers);
    // Tables by link are not affected, and a finished game counts.
    let open = json!({ "game": "mnk", "listed": false });
    let made = house.post_as(&bob.token, "/api/v1/tables", open).await;
    let made = made.expect(201);
    let id = made["table"]["id"].as_str().unwrap();
    let join = json!({ "invite": made["invite"] });
    house.act(&ann.token, id, "join", join).await.expect(200);
    assert_eq!(detail().await, strangers, "the game goes on");
    house
        .act(&bob.token, id, "moves", json!({ "move": "1,1" }))
        .await
        .expect(200);
    house
        .act(&bob.token, id, "resign", json!({}))
        .await
        .expect(200);
    challenge(&house, &bob.token, "Ann").await.expect(201);
    // A blocked member learns nothing as long as others are refused, too.
    send(&house, Method::PUT, &ann, "/me/blocks/Bob").await;
    assert_eq!(detail().await, "Ann takes no challenges from you");
    let request = house.request(Method::PATCH, "/api/v1/me");
    let nothing = Answer::of(request.bearer_auth(&ann.token).json(&json!({}))).await;
    assert_eq!(nothing.expect(200)["challenges_from"], "played_with");
    take_from(&house, &ann, json!("nobody")).await.expect(200);
    assert_eq!(detail().await, "Ann takes no challenges");
    take_from(&house, &ann, json!("friends"))
        .await
        .problem(422, "bad-content");
}

/// Returns the first event of this type, of this number of waiting players if given.
async fn until(lines: &mut Lines, kind: &str, waiting: Option<u64>) -> Value {
    loop {
        let line = lines.next().await.expect("the stream goes on");
        if line["type"] == kind && waiting.is_none_or(|waiting| line["waiting"] == waiting) {
            return line;
        }
    }
}

#[tokio::test]
async fn blocked_members_are_not_paired() {
    let house = House::open().await;
    let ann = Member::sign_up(&house, "Ann").await;
    let bob = Member::sign_up(&house, "Bob").await;
    let cid = Member::sign_up(&house, "Cid").await;
    let blocked = send(&house, Method::PUT, &bob, "/me/blocks/Ann").await;
    assert_eq!(blocked.status, 204);
    let wait = async |who: &Member| {
        let request = house.request(Method::POST, "/api/v1/queue");
        let request = request.bearer_auth(&who.token);
        Lines::of(request.json(&json!({ "game": "mnk" }))).await
    };
    let mut hers = wait(&ann).await;
    until(&mut hers, "waiting", Some(1)).await;
    let mut his = wait(&bob).await;
    until(&mut his, "waiting", Some(2)).await;
    until(&mut hers, "waiting", Some(2)).await;
    let mut third = wait(&cid).await;
    let matched = until(&mut hers, "matched", None).await;
    assert_eq!(
        matched["table"],
        until(&mut third, "matched", None).await["table"],
        "the longest wait comes first, and Bob waits on"
    );
}

#[tokio::test]
async fn the_pages_block_unblock_and_change_who_may_challenge() {
    let house = House::open().await;
    let ann = Member::sign_up(&house, "Ann").await;
    Member::sign_up(&house, "Bob").await;
    let page = async |path: &str| {
        let request = house.request(Method::GET, path);
        let page = Answer::of(request.header(COOKIE, &ann.cookie)).await;
        assert_eq!(page.status, 200, "{}", page.text);
        page.text
    };
    // The client follows the redirect.
    let submit = async |path: &str, fields: &[(&str, &str)]| {
        let request = form(house.request(Method::POST, path), fields);
        let answer = Answer::of(request.header(COOKIE, &ann.cookie)).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.text
    };
    let (block, unblock) = ("/players/Bob/block", "/players/Bob/unblock");
    assert!(!house.get("/players/Bob").await.text.contains(block));
    assert!(!page("/players/Ann").await.contains("/players/Ann/block"));
    assert!(page("/players/Bob").await.contains(block));
    assert!(submit(block, &[]).await.contains(unblock));
    let remove = "/account/blocks/Bob/remove";
    assert!(page("/account").await.contains(remove));
    assert!(!submit(remove, &[]).await.contains(remove));
    assert!(submit(block, &[]).await.contains(unblock));
    assert!(submit(unblock, &[]).await.contains(block));
    let everybody = r#"value="everybody" selected"#;
    assert!(page("/account").await.contains(everybody));
    let strict = [("from", "played_with")];
    let changed = submit("/account/challenges", &strict).await;
    assert!(changed.contains(r#"value="played_with" selected"#));
    let odd = form(
        house.request(Method::POST, "/account/challenges"),
        &[("from", "friends")],
    );
    assert_eq!(
        Answer::of(odd.header(COOKIE, &ann.cookie)).await.status,
        422
    );
}
