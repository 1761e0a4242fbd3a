use parlor_store::{Append, Store};
use serde_json::json;

use super::house::{House, PATIENCE, classic};

#[tokio::test]
async fn a_restarted_house_goes_on_where_it_was() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    house.play(&id, &tokens, &["1,1", "0,0"]).await;
    let (table, log) = (house.table(&id).await, house.log(&id).await);
    let house = house.restart().await;
    assert_eq!(house.table(&id).await, table);
    assert_eq!(house.log(&id).await, log);
    house
        .post_as(
            &tokens[0],
            &format!("/api/v1/tables/{id}/moves"),
            json!({ "move": "2,2" }),
        )
        .await
        .expect(200);
}

#[tokio::test]
async fn every_acknowledged_move_is_in_the_database_at_once() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let store = Store::open(&house.database()).await.unwrap();
    let number = id.parse::<parlor_table::TableId>().unwrap().number() as i64;
    for (n, text) in ["0,0", "1,0", "0,1", "1,1", "0,2"].into_iter().enumerate() {
        let body = json!({ "move": text });
        let done = house
            .post_as(&tokens[n % 2], &format!("/api/v1/tables/{id}/moves"), body)
            .await
            .expect(200);
        let stored = store.load(number).await.unwrap().unwrap();
        assert_eq!(stored.row.version, done["version"].as_u64().unwrap());
        assert!(stored.events.iter().any(|event| event.body["move"] == text));
    }
    store.close().await;
}

#[tokio::test]
async fn an_idle_table_leaves_memory_and_comes_back() {
    let house = House::with(|config| config.limits.idle = std::time::Duration::ZERO).await;
    let (id, tokens) = house.two(classic()).await;
    // Each request may find the table unloaded, unloading, or just loaded.
    for text in ["0,0", "1,0", "0,1", "1,1"] {
        let table = house.table(&id).await;
        let token = &tokens[table["turn"]["seat"].as_u64().unwrap() as usize];
        house
            .post_as(
                token,
                &format!("/api/v1/tables/{id}/moves"),
                json!({ "move": text }),
            )
            .await
            .expect(200);
    }
    let table = house.table(&id).await;
    assert_eq!(table["plies"], 4);

    // A table in memory does not notice what is written behind its back; one that was unloaded
    // reads it.
    let store = Store::open(&house.database()).await.unwrap();
    let winning = parlor_store::StoredEvent {
        version: table["version"].as_u64().unwrap() + 1,
        at: 0,
        body: json!({ "type": "moved", "seat": 0, "move": "0,2", "id": null }),
    };
    let number = id.parse::<parlor_table::TableId>().unwrap().number() as i64;
    store
        .append(Append::new(number, vec![winning]))
        .await
        .unwrap();
    store.close().await;
    // Each look keeps the table in memory for another millisecond, so looks must not follow closely.
    let mut looks = tokio::time::interval(std::time::Duration::from_millis(50));
    let deadline = tokio::time::Instant::now() + PATIENCE;
    while house.table(&id).await["plies"] != 5 {
        assert!(
            tokio::time::Instant::now() < deadline,
            "the table leaves memory"
        );
        looks.tick().await;
    }
}

#[tokio::test]
async fn a_move_that_another_process_made_first_gives_409_and_is_told_to_watchers() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let mut watching = super::house::Lines::open(&house, &id, 3).await;
    let store = Store::open(&house.database()).await.unwrap();
    let number = id.parse::<parlor_table::TableId>().unwrap().number() as i64;
    let body = json!({ "type": "moved", "seat": 0, "move": "2,2", "id": null });
    store
        .append(Append::new(
            number,
            vec![parlor_store::StoredEvent {
                version: 4,
                at: 0,
                body,
            }],
        ))
        .await
        .unwrap();
    store.close().await;
    let path = format!("/api/v1/tables/{id}/moves");
    let lost = json!({ "move": "1,1", "version": 3 });
    let lost = house.post_as(&tokens[0], &path, lost).await;
    assert_eq!(lost.problem(409, "stale-version")["current"], 4);
    assert_eq!(watching.next().await.unwrap()["move"], "2,2");
    house
        .post_as(&tokens[1], &path, json!({ "move": "1,1" }))
        .await
        .expect(200);
    assert_eq!(watching.next().await.unwrap()["move"], "1,1");
}

#[tokio::test]
async fn a_database_that_went_away_gives_503_and_says_nothing_of_it() {
    let store = Store::open("sqlite::memory:").await.unwrap();
    let house = House::on(store.clone()).await;
    let (id, tokens) = house.two(classic()).await;
    store.close().await;
    let path = format!("/api/v1/tables/{id}/moves");
    let answer = house
        .post_as(&tokens[0], &path, json!({ "move": "1,1" }))
        .await
        .problem(503, "unavailable");
    assert!(!answer.to_string().contains("closed"), "{answer}");
    house.get("/readyz").await.problem(503, "unavailable");
    house.get("/healthz").await.expect(200);
}
