//! The same story on every database, and what only one of them knows.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr, reason = "clippy sees no tests in helpers")]

#[path = "store/addresses.rs"]
mod addresses;
#[path = "store/databases.rs"]
mod databases;
#[path = "store/durability.rs"]
mod durability;
#[path = "store/story.rs"]
mod story;

use databases::Database;

#[tokio::test]
async fn the_story_on_a_sqlite_file() {
    databases::with(Database::sqlite(), story::tell).await;
}

#[tokio::test]
async fn the_story_on_postgresql() {
    match Database::postgres().await {
        Some(database) => databases::with(database, story::tell).await,
        None => databases::left_out("PostgreSQL, because PARLOR_TEST_POSTGRES names no server"),
    }
}

#[tokio::test]
async fn the_story_on_mysql() {
    match Database::mysql().await {
        Some(database) => databases::with(database, story::tell).await,
        None => databases::left_out("MySQL/MariaDB, because PARLOR_TEST_MYSQL names no server"),
    }
}
