use reqwest::Method;
use serde_json::json;

use super::house::{Answer, House};

#[tokio::test]
async fn a_private_table_is_not_listed_and_is_joined_by_its_link_only() {
    let house = House::open().await;
    let made = house
        .create(json!({ "game": "mnk", "listed": false }))
        .await;
    let invite = made.json["invite"].as_str().unwrap();
    assert_eq!(
        made.json["join_url"],
        format!("{}/t/{}?invite={invite}", house.url, made.id)
    );
    assert_eq!(
        house.get("/api/v1/tables").await.expect(200)["tables"],
        json!([])
    );
    let path = format!("/api/v1/tables/{}/join", made.id);
    house
        .post(&path, json!({ "name": "Eve" }))
        .await
        .problem(403, "invite-needed");
    house
        .post(&path, json!({ "name": "Eve", "invite": "guess" }))
        .await
        .problem(403, "invite-needed");
    house
        .post(&path, json!({ "name": "Eve", "invite": made.token }))
        .await
        .problem(403, "invite-needed");
    let joined = house
        .post(&path, json!({ "name": "Bob", "invite": invite }))
        .await
        .expect(200);
    assert_eq!(joined["status"], "playing");
}

#[tokio::test]
async fn no_token_is_ever_shown_to_others() {
    let house = House::open().await;
    let made = house
        .create(json!({ "game": "mnk", "listed": false }))
        .await;
    let invite = made.json["invite"].as_str().unwrap().to_owned();
    let join = json!({ "name": "Bob", "invite": invite });
    let joined = house
        .post(&format!("/api/v1/tables/{}/join", made.id), join)
        .await
        .expect(200);
    let bob = joined["token"].as_str().unwrap();
    for rest in [
        "",
        "/events?follow=false",
        "/record",
        "/verify",
        "/legal",
        "/svg",
    ] {
        let text = house
            .get(&format!("/api/v1/tables/{}{rest}", made.id))
            .await
            .text;
        for secret in [
            made.token.as_str(),
            invite.as_str(),
            bob,
            "\"key\"",
            "\"invite\"",
        ] {
            assert!(!text.contains(secret), "{rest}: {text}");
        }
    }
}

#[tokio::test]
async fn a_browsers_cookie_is_as_good_as_a_token() {
    let house = House::open().await;
    let made = house.create(json!({ "game": "mnk" })).await;
    let cookie = format!("theme=dark; parlor_guest={}", made.token);
    let path = format!("/api/v1/tables/{}", made.id);
    let shown = Answer::of(house.request(Method::GET, &path).header("cookie", &cookie))
        .await
        .expect(200);
    assert_eq!(shown["you"], json!([0]));
    let other = format!("parlor_guest={}", "0".repeat(40));
    let shown = Answer::of(house.request(Method::GET, &path).header("cookie", &other))
        .await
        .expect(200);
    assert_eq!(shown["you"], json!([]));
}
