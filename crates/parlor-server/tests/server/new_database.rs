//! Databases on a server, for one test each.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU32, Ordering};

use futures::FutureExt;
use sea_orm::{ConnectionTrait, Database};

/// Runs a test in a new database on the server that the variable names, and drops the database.
pub async fn in_new_database<F>(variable: &str, test: impl FnOnce(String) -> F)
where
    F: Future<Output = ()>,
{
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let server_url = std::env::var(variable)
        .unwrap_or_else(|_| panic!("{variable} contains the address of a server"));
    let server = Database::connect(&server_url).await.unwrap();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("parlor_server_{}_{count}", std::process::id());
    server
        .execute_unprepared(&format!("CREATE DATABASE {name}"))
        .await
        .unwrap();
    let (server_part, _) = server_url
        .rsplit_once('/')
        .expect("the address names a database");
    let done = AssertUnwindSafe(test(format!("{server_part}/{name}")))
        .catch_unwind()
        .await;
    let force = if server_url.starts_with("postgres") {
        "WITH (FORCE)"
    } else {
        ""
    };
    server
        .execute_unprepared(&format!("DROP DATABASE {name} {force}"))
        .await
        .unwrap();
    if let Err(panic) = done {
        std::panic::resume_unwind(panic);
    }
}
