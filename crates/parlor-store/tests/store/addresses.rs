//! Database addresses and the errors for invalid ones.

use std::sync::Arc;

use parlor_store::{ListFilter, ListPage, NewStoredTable, Store, StoreError};

use sea_orm::ConnectionTrait;

use crate::databases::{Database, with};

async fn refusal(url: &str) -> StoreError {
    Store::open(url).await.expect_err("this address is wrong")
}

#[tokio::test]
async fn an_unknown_scheme_lists_the_known_ones() {
    for url in [
        "parlor.db",
        "oracle://scott:tiger@host/db",
        "",
        ":",
        "SQLITE:x",
    ] {
        let error = refusal(url).await;
        assert!(
            matches!(error, StoreError::Scheme { .. }),
            "{url}: {error:?}"
        );
        let text = error.to_string();
        assert!(
            ["sqlite:", "postgres://", "mysql://"]
                .iter()
                .all(|right| text.contains(right)),
            "{text}"
        );
        assert!(!text.contains("tiger"), "{text}");
    }
}

#[tokio::test]
async fn an_address_that_cannot_be_read_says_so() {
    for url in [
        "postgres://host:port/db",
        "mysql://[::1/db",
        "sqlite:x.db?mode=sometimes",
        "mysql://u:sesame@h",
        "postgres://u:sesame@h:x/",
    ] {
        let error = refusal(url).await;
        assert!(
            matches!(error, StoreError::Address { .. }),
            "{url}: {error:?}"
        );
        assert!(
            !format!("{error} {error:?}").contains("sesame"),
            "{error:?}"
        );
        assert!(error.to_string().contains(": write "), "{error}");
    }
    for scheme in ["postgres", "mysql"] {
        let text = refusal(&format!("{scheme}://ada:sesame@/house"))
            .await
            .to_string();
        let right = format!("empty host: write {scheme}://USER:PASSWORD@HOST:PORT/DATABASE");
        assert!(text.contains(&right), "{text}");
    }
}

#[tokio::test]
async fn an_address_without_a_database_says_what_is_missing() {
    for (url, missing) in [
        ("postgres://", "neither a host nor a database"),
        ("postgres:///", "neither a host nor a database"),
        ("postgresql://127.0.0.1", "names no database"),
        (
            "postgres://127.0.0.1:1/?sslmode=disable",
            "names no database",
        ),
        ("postgres://?host=127.0.0.1", "names no database"),
        ("mysql://127.0.0.1", "names no database"),
    ] {
        let error = refusal(url).await;
        let text = error.to_string();
        assert!(
            matches!(error, StoreError::Address { .. }) && text.contains(missing),
            "{url}: {text}"
        );
        assert!(text.contains("://USER@HOST/DATABASE"), "{text}");
    }
}

#[tokio::test]
async fn an_unreachable_server_is_named_without_the_password() {
    // A port that was free a moment ago, so nothing listens there.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    for scheme in ["postgres", "postgresql", "mysql", "mariadb"] {
        let error = refusal(&format!("{scheme}://ada:sesame@127.0.0.1:{port}/house")).await;
        assert!(matches!(error, StoreError::Unreachable { .. }), "{error:?}");
        let text = format!("{error} {error:?}");
        assert!(
            text.contains(&format!("ada@127.0.0.1:{port}/house")) && text.contains("refused"),
            "{text}"
        );
        assert!(!text.contains("sesame"), "{text}");
    }
}

/// A server that answers is not said to be silent.
pub async fn a_missing_database_is_named(database: Arc<Database>) {
    let error = refusal(&format!("{}_of_nobody", database.url)).await;
    assert!(matches!(error, StoreError::Refused { .. }), "{error:?}");
    let text = error.to_string();
    for said in ["_of_nobody", "refuses: ", ": create this database"] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(!text.contains("does not answer"), "{text}");
}

/// Since release 15 a user of PostgreSQL may create tables in a database of its own only.
#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn a_user_of_postgresql_who_may_not_create_tables_is_told_so() {
    with(Database::postgres().await, |database| async move {
        let db = database.raw().await;
        let role = format!("parlor_test_{}", std::process::id());
        for statement in [
            format!("CREATE ROLE {role} LOGIN PASSWORD 'sesame'"),
            "REVOKE CREATE ON SCHEMA public FROM PUBLIC".to_owned(),
        ] {
            db.execute_unprepared(&statement).await.unwrap();
        }
        let (_, server) = database.url.split_once("://").unwrap();
        let (_, address) = server.rsplit_once('@').unwrap_or(("", server));
        let refused = Store::open(&format!("postgres://{role}:sesame@{address}")).await;
        let wrong = Store::open(&format!("postgres://{role}_:sesame@{address}")).await;
        db.execute_unprepared(&format!("DROP ROLE {role}"))
            .await
            .unwrap();
        let error = refused.unwrap_err();
        assert!(matches!(error, StoreError::NotWritable { .. }), "{error:?}");
        let text = error.to_string();
        assert!(text.contains("must be allowed to create tables"), "{text}");
        let error = wrong.unwrap_err();
        assert!(matches!(error, StoreError::Refused { .. }), "{error:?}");
        assert!(!format!("{error:?}").contains("sesame"), "{error:?}");
    })
    .await;
}

#[test]
fn an_address_that_is_a_path_is_shown_as_one_of_a_file() {
    for (scheme, right) in [
        ("parlor.db", "sqlite:parlor.db,"),
        ("oracle", "sqlite:FILE,"),
    ] {
        let scheme = scheme.to_owned();
        let text = StoreError::Scheme { scheme }.to_string();
        assert!(text.contains(right), "{text}");
    }
}

#[tokio::test]
async fn a_sqlite_file_that_cannot_be_opened_is_named() {
    let database = Database::sqlite();
    let missing = database.folder.join("no/such/folder/house.db");
    let folder = database.folder.clone();
    for (file, said) in [
        (missing, "no/such/folder does not exist"),
        (folder, "it is a folder: name a file in it"),
    ] {
        let error = refusal(&format!("sqlite:{}", file.display())).await;
        assert!(
            matches!(&error, StoreError::NoFile { location, reason }
                if *location == file.display().to_string() && reason.contains(said)),
            "{error:?}"
        );
    }

    let text = database.folder.join("letter.db");
    std::fs::write(
        &text,
        "Dear reader, this is a letter and no database at all. ".repeat(100),
    )
    .unwrap();
    let error = refusal(&format!("sqlite:{}", text.display())).await;
    assert!(matches!(error, StoreError::NoFile { .. }), "{error:?}");
    assert!(error.to_string().contains("not a database"), "{error:?}");
    if cfg!(unix) {
        let error = refusal("sqlite:/dev/null").await;
        assert!(error.to_string().contains("no ordinary file"), "{error:?}");
    }
    with(database, async |_| ()).await;
}

#[tokio::test]
async fn stores_in_memory_are_apart_and_work_like_any_other() {
    let (one, other) = (
        Store::open("sqlite::memory:").await.unwrap(),
        Store::open("sqlite::memory:").await.unwrap(),
    );
    one.create(NewStoredTable::new(1, "mnk", 0)).await.unwrap();
    assert_eq!(
        one.list(&ListFilter::default(), &ListPage::default())
            .await
            .unwrap()
            .len(),
        1
    );
    assert_eq!(other.count(&ListFilter::default()).await.unwrap(), 0);
    assert!(matches!(
        one.create(NewStoredTable::new(1, "mnk", 0)).await,
        Err(StoreError::Exists)
    ));
    one.close().await;
    other.close().await;
}
