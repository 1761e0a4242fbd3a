//! Things that are not written while a node of an earlier release serves beside this one.

use parlor_store::Store;
use serde_json::{Value, json};

use super::nodes::{Bus, node, until_ready};
use crate::new_database::in_new_database;

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn no_clock_is_written_that_an_earlier_node_could_not_read() {
    in_new_database("PARLOR_TEST_POSTGRES", |url| async move {
        let house = node(&url, Bus::Postgres).await;
        let earlier = Store::open(&url).await.unwrap();
        earlier.beat(77, 3).await.unwrap();
        until_ready([&house, &house], "nodes: 2").await;
        let delay = json!({ "kind": "delay", "initial_ms": 60_000, "delay_ms": 5_000 });
        let delayed = json!({ "game": "mnk", "clock": delay });
        for path in ["/api/v1/tables", "/api/v1/queue"] {
            let refused = house.post(path, delayed.clone()).await;
            refused.problem(503, "unavailable");
        }
        let usual = json!({ "game": "backgammon" });
        let made = house.create(usual.clone()).await;
        assert_eq!(made.json["table"]["clock"], Value::Null);
        let clock = json!({ "kind": "total", "initial_ms": 60_000, "increment_ms": 1_000 });
        let increments = json!({ "game": "mnk", "clock": clock });
        let made = house.create(increments.clone()).await;
        assert_eq!(house.log(&made.id).await[0].get("increments_return"), None);

        assert_eq!(house.log(&made.id).await[0].get("lag_allowance"), None);
        assert_eq!(made.json["table"]["clock"].get("lag"), None);

        earlier.leave(77).await.unwrap();
        until_ready([&house, &house], "nodes: 1").await;
        house.post("/api/v1/tables", delayed).await.expect(201);
        let made = house.create(usual).await;
        assert_eq!(made.json["table"]["clock"]["control"]["kind"], "delay");
        let made = house.create(increments).await;
        let created = house.log(&made.id).await[0].clone();
        assert_eq!(created["increments_return"], true);
        assert_eq!(created["lag_allowance"], true);
    })
    .await;
}
