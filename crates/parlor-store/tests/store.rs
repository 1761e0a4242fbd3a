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
#[path = "store/files.rs"]
mod files;
#[path = "store/lists.rs"]
mod lists;
#[path = "store/nodes.rs"]
mod nodes;
#[path = "store/notices.rs"]
mod notices;
#[path = "store/proxy.rs"]
mod proxy;
#[path = "store/results.rs"]
mod results;
#[path = "store/silence.rs"]
mod silence;
#[path = "store/simulated.rs"]
mod simulated;
#[path = "store/story.rs"]
mod story;
#[path = "store/talk.rs"]
mod talk;

use databases::Database;

macro_rules! on_every_server {
    ($story:path, $postgresql:ident, $mysql:ident) => {
        #[tokio::test]
        #[ignore = "needs PARLOR_TEST_POSTGRES"]
        async fn $postgresql() {
            databases::with(Database::postgres().await, $story).await;
        }

        #[tokio::test]
        #[ignore = "needs PARLOR_TEST_MYSQL"]
        async fn $mysql() {
            databases::with(Database::mysql().await, $story).await;
        }
    };
}

macro_rules! on_every_database {
    ($story:path, $sqlite:ident, $postgresql:ident, $mysql:ident) => {
        #[tokio::test]
        async fn $sqlite() {
            databases::with(Database::sqlite(), $story).await;
        }

        on_every_server!($story, $postgresql, $mysql);
    };
}

on_every_server!(
    addresses::a_missing_database_is_named,
    a_missing_database_of_postgresql_is_named,
    a_missing_database_of_mysql_is_named
);

on_every_database!(
    nodes::run,
    processes_know_of_each_other_by_sqlite,
    processes_know_of_each_other_by_postgresql,
    processes_know_of_each_other_by_mysql
);

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
on_every_database!(
    notices::run,
    notices_on_a_sqlite_file,
    notices_on_postgresql,
    notices_on_mysql
);
on_every_database!(
    talk::run,
    talk_on_a_sqlite_file,
    talk_on_postgresql,
    talk_on_mysql
);
on_every_server!(
    silence::a_change_in_doubt_is_made_exactly_once,
    a_change_in_doubt_is_made_exactly_once_on_postgresql,
    a_change_in_doubt_is_made_exactly_once_on_mysql
);
on_every_server!(
    silence::a_silence_ends_for_everybody,
    a_silence_ends_for_everybody_on_postgresql,
    a_silence_ends_for_everybody_on_mysql
);
on_every_server!(
    silence::a_lock_that_is_kept_refuses_only_who_needs_it,
    a_lock_that_is_kept_refuses_only_who_needs_it_on_postgresql,
    a_lock_that_is_kept_refuses_only_who_needs_it_on_mysql
);
on_every_server!(
    files::a_foreign_table_is_refused,
    a_foreign_table_is_refused_on_postgresql,
    a_foreign_table_is_refused_on_mysql
);
