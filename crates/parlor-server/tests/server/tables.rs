use reqwest::Method;
use serde_json::{Value, json};

use super::house::{Answer, House, classic};

#[tokio::test]
async fn chance_decides_who_has_which_side_on_request() {
    let house = House::open().await;
    let mut seated = [0_u32; 2];
    for _ in 0..40 {
        let wanted = json!({ "game": "mnk", "random_seats": true });
        let made = house.create(wanted).await;
        let kinds = [0_usize, 1].map(|n| made.json["table"]["seats"][n]["kind"].clone());
        let mine = usize::from(kinds[0] == "open");
        assert_eq!(
            (&kinds[mine], &kinds[1 - mine]),
            (&json!("human"), &json!("open"))
        );
        seated[mine] += 1;
    }
    assert!(seated[0] > 0 && seated[1] > 0, "{seated:?}");
}

#[tokio::test]
async fn a_new_table_answers_with_its_address_its_view_and_a_token() {
    let house = House::open().await;
    let answer = house.post("/api/v1/tables", classic()).await;
    let location = answer.headers["location"].to_str().unwrap().to_owned();
    let made = answer.expect(201);
    let id = made["table"]["id"].as_str().unwrap();
    assert_eq!(location, format!("/api/v1/tables/{id}"));
    assert_eq!(made["table"]["status"], "open");
    assert_eq!(made["table"]["seats"][0]["name"], "Ann");
    assert_eq!(made["token"].as_str().unwrap().len(), 40);
    assert_eq!(made["join_url"], format!("{}/t/{id}", house.url));
    assert_eq!(made["invite"], Value::Null);
}

#[tokio::test]
async fn without_seats_the_maker_sits_first_and_the_others_are_open() {
    let house = House::open().await;
    let made = house
        .create(
            json!({ "game": "mnk", "options": { "seats": 3, "rows": 6, "columns": 6, "k": 4 } }),
        )
        .await;
    let kinds: Vec<&Value> = made.json["table"]["seats"]
        .as_array()
        .unwrap()
        .iter()
        .map(|seat| &seat["kind"])
        .collect();
    assert_eq!(kinds, ["human", "open", "open"]);
}

#[tokio::test]
async fn a_table_of_bots_only_gives_no_token() {
    let house = House::open().await;
    let bot = json!({ "kind": "bot", "spec": "random" });
    let made = house
        .create(json!({ "game": "mnk", "seats": [bot, bot] }))
        .await;
    assert_eq!(made.json["token"], Value::Null);
}

#[tokio::test]
async fn whoever_shows_a_token_keeps_it() {
    let house = House::open().await;
    let first = house.create(classic()).await;
    let second = house
        .post_as(&first.token, "/api/v1/tables", classic())
        .await
        .expect(201);
    assert_eq!(second["token"], Value::Null);
    let path = format!("/api/v1/tables/{}", second["table"]["id"].as_str().unwrap());
    let shown = Answer::of(house.request(Method::GET, &path).bearer_auth(&first.token))
        .await
        .expect(200);
    assert_eq!(shown["you"], json!([0]));
    assert_eq!(house.get(&path).await.expect(200)["you"], json!([]));
}

#[tokio::test]
async fn a_table_that_was_seen_is_not_sent_again_until_it_changes() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let path = format!("/api/v1/tables/{id}");
    let first = house.get(&path).await;
    let tag = first.headers["etag"].clone();
    let is_of = |tag: &reqwest::header::HeaderValue, version: &str| {
        let tag = tag.to_str().unwrap().trim_matches('"').to_owned();
        tag.split_once('.')
            .is_some_and(|(number, away)| number == version && away.contains("0@"))
    };
    assert!(is_of(&tag, "3"), "both are away: {tag:?}");
    let again = Answer::of(
        house
            .request(Method::GET, &path)
            .header("if-none-match", tag.clone()),
    )
    .await;
    assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""));
    house.play(&id, &tokens, &["1,1"]).await;
    let moved = Answer::of(
        house
            .request(Method::GET, &path)
            .header("if-none-match", tag),
    )
    .await;
    let tag = moved.headers["etag"].clone();
    assert!(is_of(&tag, "4"), "{tag:?}");
    assert_eq!(moved.expect(200)["last_move"], "1,1");
    // Ann comes back.
    let seen = house.get_as(&tokens[0], "/api/v1/games").await;
    seen.expect(200);
    let again = house
        .request(Method::GET, &path)
        .header("if-none-match", tag);
    assert_eq!(Answer::of(again).await.status, 200);
}

#[tokio::test]
async fn the_list_is_filtered_newest_first_and_read_in_pages() {
    let house = House::open().await;
    let mut made = Vec::new();
    for _ in 0..5 {
        made.push(house.create(classic()).await.id);
    }
    let (playing, _) = house.two(classic()).await;
    house
        .create(json!({ "game": "mnk", "listed": false }))
        .await;
    let ids = |page: &Value| -> Vec<String> {
        page["tables"]
            .as_array()
            .unwrap()
            .iter()
            .map(|table| table["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let open = house
        .get("/api/v1/tables?status=open&game=mnk&limit=3")
        .await
        .expect(200);
    made.sort();
    made.reverse();
    assert_eq!(ids(&open), made[..3]);
    let rest = format!(
        "/api/v1/tables?status=open&limit=3&before={}",
        open["next"].as_str().unwrap()
    );
    let rest = house.get(&rest).await.expect(200);
    assert_eq!(ids(&rest), made[3..]);
    assert_eq!(rest["next"], Value::Null);
    let live = house.get("/api/v1/tables?status=playing").await.expect(200);
    assert_eq!(ids(&live), [playing]);
    assert_eq!(
        live["tables"][0]["summary"]["turn"],
        json!({ "kind": "move", "seat": 0 })
    );
    let clock = json!({ "kind": "total", "initial_ms": 300_000, "increment_ms": 3_000 });
    house.create(json!({ "game": "mnk", "clock": clock })).await;
    let newest = house.get("/api/v1/tables?limit=1").await.expect(200);
    assert_eq!(
        (
            &newest["tables"][0]["summary"]["clock"],
            &newest["tables"][0]["rated"]
        ),
        (&clock, &json!(false))
    );
    assert!(ids(&house.get("/api/v1/tables?game=chess").await.expect(200)).is_empty());
}

#[tokio::test]
async fn a_picture_is_svg_and_can_be_stepped_back() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    house.play(&id, &tokens, &["1,1", "0,0"]).await;
    let path = format!("/api/v1/tables/{id}/svg");
    let now = house.get(&path).await;
    assert_eq!(now.headers["content-type"], "image/svg+xml");
    assert!(now.text.starts_with("<svg"), "{}", now.text);
    let empty = house.get(&format!("{path}?at=0")).await;
    let one = house.get(&format!("{path}?at=1")).await;
    assert_ne!(empty.text, one.text);
    assert_eq!(house.get(&format!("{path}?at=2")).await.text, now.text);
    house
        .get(&format!("{path}?at=3"))
        .await
        .problem(404, "not-found");
    let seen = house
        .request(Method::GET, &path)
        .header("if-none-match", now.headers["etag"].clone());
    assert_eq!(Answer::of(seen).await.status, 304);
}
