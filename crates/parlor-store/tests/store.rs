//! The same scenarios on every database, and tests for a single one.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "clippy sees no tests in helpers"
)]

#[path = "store/accounts.rs"]
mod accounts;
#[path = "store/addresses.rs"]
mod addresses;
#[path = "store/databases.rs"]
mod databases;
#[path = "store/durability.rs"]
mod durability;
#[path = "store/lists.rs"]
mod lists;
#[path = "store/results.rs"]
mod results;
#[path = "store/story.rs"]
mod story;

use databases::Database;

macro_rules! on_every_database {
    ($story:path, $sqlite:ident, $postgresql:ident, $mysql:ident) => {
        #[tokio::test]
        async fn $sqlite() {
            databases::with(Database::sqlite(), $story).await;
        }

        #[tokio::test]
        async fn $postgresql() {
            match Database::postgres().await {
                Some(database) => databases::with(database, $story).await,
                None => {
                    databases::left_out("PostgreSQL, because PARLOR_TEST_POSTGRES names no server")
                }
            }
        }

        #[tokio::test]
        async fn $mysql() {
            match Database::mysql().await {
                Some(database) => databases::with(database, $story).await,
                None => {
                    databases::left_out("MySQL/MariaDB, because PARLOR_TEST_MYSQL names no server")
                }
            }
        }
    };
}

on_every_database!(
    story::run,
    the_story_on_a_sqlite_file,
    the_story_on_postgresql,
    the_story_on_mysql
);
on_every_database!(
    accounts::run,
    accounts_on_a_sqlite_file,
    accounts_on_postgresql,
    accounts_on_mysql
);
on_every_database!(
    results::run,
    results_on_a_sqlite_file,
    results_on_postgresql,
    results_on_mysql
);
on_every_database!(
    lists::run,
    lists_on_a_sqlite_file,
    lists_on_postgresql,
    lists_on_mysql
);
