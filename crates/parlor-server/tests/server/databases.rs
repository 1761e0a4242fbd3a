//! One story test, run on every database that the environment provides.

use parlor_store::Store;
use serde_json::json;

use super::house::{House, classic};
use super::{record_endings, tictactoe};
use crate::new_database::in_new_database;

async fn story(url: &str) {
    let house = House::on(Store::open(url).await.unwrap()).await;
    tictactoe::story(&house).await;
    record_endings::story(&house).await;
    let (id, tokens) = house.two(classic()).await;
    house
        .play(&id, &tokens, &["0,0", "1,0", "0,1", "1,1", "0,2"])
        .await;
    assert_eq!(house.table(&id).await["status"], "over");
    assert_eq!(
        house
            .get(&format!("/api/v1/tables/{id}/verify"))
            .await
            .expect(200)["holds"],
        true
    );
    let (id, tokens) = house.two(classic()).await;
    let path = format!("/api/v1/tables/{id}/moves");
    let bodies = (0..9).map(|n| json!({ "move": format!("{},{}", n / 3, n % 3), "version": 3 }));
    let answers =
        futures::future::join_all(bodies.map(|body| house.post_as(&tokens[0], &path, body))).await;
    assert_eq!(
        answers.iter().filter(|answer| answer.status == 200).count(),
        1
    );
}

#[tokio::test]
async fn the_story_holds_in_memory() {
    story("sqlite::memory:").await;
}

async fn on_server(variable: &str) {
    in_new_database(variable, |url| async move { story(&url).await }).await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn the_story_holds_on_postgresql() {
    on_server("PARLOR_TEST_POSTGRES").await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_MYSQL"]
async fn the_story_holds_on_mysql() {
    on_server("PARLOR_TEST_MYSQL").await;
}
