use parlor_store::{Append, RowUpdate, Store};
use serde_json::json;

use super::house::House;

fn against(spec: &str) -> serde_json::Value {
    json!({ "game": "mnk", "seats": [{ "kind": "me" }, { "kind": "bot", "spec": spec }] })
}

#[tokio::test]
async fn a_bot_answers_each_move() {
    let house = House::open().await;
    let made = house.create(against("level:1")).await;
    let path = format!("/api/v1/tables/{}/moves", made.id);
    house
        .post_as(&made.token, &path, json!({ "move": "1,1" }))
        .await
        .expect(200);
    let seen = house
        .until(&made.id, 0, |event| {
            event["type"] == "moved" && event["seat"] == 1
        })
        .await;
    assert_eq!(seen.last().unwrap()["version"], 4);
}

#[tokio::test]
async fn bots_play_each_other_to_the_end() {
    let house = House::open().await;
    for (one, other) in [("random", "level:3"), ("level:5", "level:5")] {
        let bot = |spec| json!({ "kind": "bot", "spec": spec });
        let made = house
            .create(json!({ "game": "mnk", "seats": [bot(one), bot(other)] }))
            .await;
        let seen = house
            .until(&made.id, 0, |event| event["type"] == "ended")
            .await;
        assert!(seen.iter().filter(|event| event["type"] == "moved").count() >= 5);
        assert_eq!(
            house
                .get(&format!("/api/v1/tables/{}/verify", made.id))
                .await
                .expect(200)["holds"],
            true
        );
    }
}

#[tokio::test]
async fn a_bot_that_was_to_move_goes_on_after_a_restart() {
    let house = House::open().await;
    let made = house.create(against("level:1")).await;
    // The move is written directly to the store, so that the server never asks the bot.
    let store = Store::open(&house.database()).await.unwrap();
    let id = made.id.parse::<parlor_table::TableId>().unwrap().number() as i64;
    let moved = parlor_store::StoredEvent {
        version: 3,
        at: 0,
        body: json!({ "type": "moved", "seat": 0, "move": "1,1", "id": null }),
    };
    let update = RowUpdate {
        due_at: Some(Some(0)),
        ..RowUpdate::default()
    };
    store
        .append(Append {
            update,
            ..Append::new(id, vec![moved])
        })
        .await
        .unwrap();
    store.close().await;
    let house = house.restart().await;
    let seen = house
        .until(&made.id, 3, |event| event["type"] == "moved")
        .await;
    assert_eq!(seen[0]["seat"], 1);
}

#[tokio::test]
async fn a_bot_whose_name_is_gone_is_replaced_by_lot() {
    let house = House::open().await;
    let made = house.create(json!({ "game": "mnk" })).await;
    let store = Store::open(&house.database()).await.unwrap();
    let id = made.id.parse::<parlor_table::TableId>().unwrap().number() as i64;
    let event = |version, body| parlor_store::StoredEvent {
        version,
        at: 0,
        body,
    };
    let events = vec![
        event(
            2,
            json!({ "type": "joined", "seat": 1, "player": { "kind": "bot", "spec": "the old master" } }),
        ),
        event(3, json!({ "type": "started" })),
    ];
    store.append(Append::new(id, events)).await.unwrap();
    store.close().await;
    let house = house.restart().await;
    let path = format!("/api/v1/tables/{}/moves", made.id);
    house
        .post_as(&made.token, &path, json!({ "move": "1,1" }))
        .await
        .expect(200);
    let seen = house
        .until(&made.id, 4, |event| event["type"] == "moved")
        .await;
    assert_eq!(seen[0]["seat"], 1);
}
