//! One story test, run on every database that the environment provides.

use std::io::Write;

use parlor_store::Store;
use sea_orm::{ConnectionTrait, Database};
use serde_json::json;

use super::house::{House, classic};
use super::tictactoe;

async fn story(url: &str) {
    let house = House::on(Store::open(url).await.unwrap()).await;
    tictactoe::story(&house).await;
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

/// Runs the story in a new database on the server that the variable names.
async fn on_server(variable: &str, what: &str) {
    let Ok(server_url) = std::env::var(variable) else {
        // Written directly to stderr, since the test harness captures the output of passing tests.
        let _ = writeln!(
            std::io::stderr(),
            "left out: {what}, because {variable} names no server"
        );
        return;
    };
    let server = Database::connect(&server_url).await.unwrap();
    let name = format!("parlor_server_{}", std::process::id());
    server
        .execute_unprepared(&format!("CREATE DATABASE {name}"))
        .await
        .unwrap();
    let (server_part, _) = server_url
        .rsplit_once('/')
        .expect("the address names a database");
    let url = format!("{server_part}/{name}");
    let told = tokio::spawn(async move { story(&url).await }).await;
    let force = if server_url.starts_with("postgres") {
        "WITH (FORCE)"
    } else {
        ""
    };
    server
        .execute_unprepared(&format!("DROP DATABASE {name} {force}"))
        .await
        .unwrap();
    told.unwrap();
}

#[tokio::test]
async fn the_story_holds_on_postgresql() {
    on_server("PARLOR_TEST_POSTGRES", "PostgreSQL").await;
}

#[tokio::test]
async fn the_story_holds_on_mysql() {
    on_server("PARLOR_TEST_MYSQL", "MySQL/MariaDB").await;
}
