use reqwest::Method;
use serde_json::json;

use super::house::{Answer, House, Made};
use super::stored;

/// Creates a private table with a free seat.
async fn unlisted(house: &House) -> Made {
    house
        .create(json!({ "game": "mnk", "listed": false }))
        .await
}

#[tokio::test]
async fn a_private_table_is_not_listed_and_is_joined_by_its_link_only() {
    let house = House::open().await;
    let made = unlisted(&house).await;
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
    // To the uninvited, a table that is full says no more than before.
    house
        .post(&path, json!({ "name": "Eve" }))
        .await
        .problem(403, "invite-needed");
    house
        .post(&path, json!({ "name": "Cleo", "invite": invite }))
        .await
        .problem(409, "full");
}

#[tokio::test]
async fn who_may_watch_a_private_table_may_watch_its_rematch() {
    let house = House::open().await;
    let made = unlisted(&house).await;
    let join = json!({ "name": "Bob", "invite": made.json["invite"] });
    let joined = house
        .post(&format!("/api/v1/tables/{}/join", made.id), join)
        .await
        .expect(200);
    let link = made.json["watch_url"].as_str().unwrap();
    let page = link.strip_prefix(&house.url).unwrap();
    let visited = house.get(page).await;
    assert_eq!(visited.status, 200);
    let cookie = visited.cookie("parlor_tables");
    let bob = joined["token"].as_str().unwrap();
    house
        .act(bob, &made.id, "resign", json!({}))
        .await
        .expect(200);
    house
        .act(bob, &made.id, "rematch", json!({}))
        .await
        .expect(200);
    let agreed = house.act(&made.token, &made.id, "rematch", json!({})).await;
    let next = agreed.expect(200)["next"].as_str().unwrap().to_owned();
    let rematch = format!("/t/{next}");
    assert_eq!(house.get(&rematch).await.status, 403);
    let watched = house
        .request(Method::GET, &rematch)
        .header("cookie", cookie);
    assert_eq!(Answer::of(watched).await.status, 200);
}

#[tokio::test]
async fn an_unlisted_table_from_before_private_ones_can_be_watched_by_its_id() {
    let house = House::open().await;
    let made = unlisted(&house).await;
    let path = format!("/api/v1/tables/{}", made.id);
    house.get(&path).await.problem(403, "private-table");
    house
        .get("/api/v1/tables/00000000001")
        .await
        .problem(404, "not-found");
    // A table as an earlier version has stored it.
    let guests = stored::guests();
    let table = stored::table_at(stored::now(), parlor_games::mnk::KIND, None, guests);
    let mut row = stored::row(&table);
    row.listed = false;
    let created = &mut row.events[0].body;
    created["listed"] = json!(false);
    assert_eq!(created.get("private"), None, "it was not known then");
    stored::write(&house.database(), row).await;
    let old = format!("/api/v1/tables/{}", table.id());
    house.get(&old).await.expect(200);
}

#[tokio::test]
async fn no_token_is_ever_shown_to_others() {
    let house = House::open().await;
    let made = unlisted(&house).await;
    let invite = made.json["invite"].as_str().unwrap().to_owned();
    let join = json!({ "name": "Bob", "invite": invite });
    let joined = house
        .post(&format!("/api/v1/tables/{}/join", made.id), join)
        .await
        .expect(200);
    let bob = joined["token"].as_str().unwrap();
    let link = made.json["watch_url"].as_str().unwrap();
    let watch = link.rsplit("watch=").next().unwrap().to_owned();
    for rest in [
        "",
        "/events?follow=false",
        "/record",
        "/verify",
        "/legal",
        "/svg",
    ] {
        let path = format!("/api/v1/tables/{}{rest}", made.id);
        let shown = house.get_as(&watch, &path).await;
        assert_eq!(shown.status, 200, "{path}: {}", shown.text);
        let and = if path.contains('?') { '&' } else { '?' };
        let linked = house.get(&format!("{path}{and}watch={watch}")).await;
        assert_eq!(linked.status, 200, "{path}: {}", linked.text);
        let text = shown.text;
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
