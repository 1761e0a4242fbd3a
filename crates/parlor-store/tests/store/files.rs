//! Files that belong to Parlor and to nobody else, and databases that do not.

use std::path::Path;
use std::sync::Arc;

use parlor_store::{Append, Store, StoreError, restore};
use sea_orm::ConnectionTrait;
use serde_json::json;
use tokio::process::Command;

use crate::databases::{Database, with};
use crate::story::{event, moved, opened};

const CHILD: &str = "PARLOR_TEST_CREATE_FILES";
const FAILING_CHILD: &str = "PARLOR_TEST_FAIL_TO_BACK_UP";

#[cfg(unix)]
fn mode(file: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(file).unwrap().permissions().mode() & 0o777
}

/// Not a test by itself: a process that creates a database and a backup under a lax umask.
#[tokio::test]
async fn a_child_creates_files() {
    let Ok(url) = std::env::var(CHILD) else {
        return;
    };
    let store = Store::open(&url).await.unwrap();
    store.create(opened(1)).await.unwrap();
    store.append(Append::new(1, vec![moved(2)])).await.unwrap();
    let file = Path::new(url.strip_prefix("sqlite:").unwrap());
    store
        .backup(&file.with_file_name("backup.db"))
        .await
        .unwrap();
    // The other files of the database exist only as long as it is open.
    std::process::abort();
}

#[cfg(unix)]
#[tokio::test]
async fn nobody_else_can_read_what_parlor_writes() {
    with(Database::sqlite(), async |database| {
        Command::new("sh")
            .args(["-c", "umask 0; exec \"$0\" \"$@\""])
            .arg(std::env::current_exe().unwrap())
            .args(["files::a_child_creates_files", "--exact"])
            .env(CHILD, &database.url)
            .output()
            .await
            .unwrap();
        let names = ["house.db", "house.db-wal", "house.db-shm", "backup.db"];
        let modes = names.map(|name| (name, mode(&database.folder.join(name))));
        assert_eq!(modes, names.map(|name| (name, 0o600)));
        let copy = format!("sqlite:{}", database.folder.join("backup.db").display());
        for url in [&database.url, &copy] {
            let store = Store::open(url).await.unwrap();
            assert_eq!(
                store.load(1).await.unwrap().unwrap().row.version,
                2,
                "{url}"
            );
            store.close().await;
        }
    })
    .await;
}

#[cfg(unix)]
#[tokio::test]
async fn the_permissions_of_a_file_that_exists_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    with(Database::sqlite(), async |database| {
        let file = database.folder.join("house.db");
        Store::open(&database.url).await.unwrap().close().await;
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o640)).unwrap();
        Store::open(&database.url).await.unwrap().close().await;
        assert_eq!(mode(&file), 0o640);
    })
    .await;
}

#[tokio::test]
async fn a_sqlite_file_of_another_program_is_refused_and_left_as_it_was() {
    with(Database::sqlite(), async |database| {
        let file = database.folder.join("house.db");
        std::fs::File::create(&file).unwrap();
        let db = database.raw().await;
        for name in ["users", "orders"] {
            let create = format!("CREATE TABLE {name} (id INTEGER PRIMARY KEY, phone TEXT)");
            db.execute_unprepared(&create).await.unwrap();
        }
        db.close().await.unwrap();
        let before = std::fs::read(&file).unwrap();
        let refused = Store::open(&database.url)
            .await
            .expect_err("it is another program's");
        let text = refused.to_string();
        assert!(
            text.contains("house.db") && text.contains("orders, users"),
            "{text}"
        );
        assert_eq!(std::fs::read(&file).unwrap(), before);
    })
    .await;
}

pub async fn a_foreign_table_is_refused(database: Arc<Database>) {
    let db = database.raw().await;
    for name in ["users", "orders"] {
        let create = format!("CREATE TABLE {name} (id INTEGER PRIMARY KEY)");
        db.execute_unprepared(&create).await.unwrap();
    }
    let refused = Store::open(&database.url).await;
    assert!(
        matches!(&refused, Err(StoreError::Foreign { found, .. }) if found == "users"),
        "{refused:?}"
    );
    // Nothing was left behind, so the house can move in once the name is free.
    db.execute_unprepared("DROP TABLE users").await.unwrap();
    db.close().await.unwrap();
    let store = Store::open(&database.url).await.unwrap();
    store.create(opened(1)).await.unwrap();
    store.close().await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn a_database_without_room_for_every_name_is_refused() {
    with(Database::postgres().await, async |database: Arc<Database>| {
        let server = database.raw().await;
        let (rest, name) = database.url.rsplit_once('/').unwrap();
        let latin = format!("{name}_latin1");
        let create = format!("CREATE DATABASE {latin} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");
        server.execute_unprepared(&create).await.unwrap();
        let refused = Store::open(&format!("{rest}/{latin}")).await;
        let drop = format!("DROP DATABASE {latin} WITH (FORCE)");
        server.execute_unprepared(&drop).await.unwrap();
        server.close().await.unwrap();
        assert!(
            matches!(&refused, Err(StoreError::Encoding { encoding, .. }) if encoding == "LATIN1"),
            "{refused:?}"
        );
    })
    .await;
}

#[tokio::test]
async fn a_database_that_cannot_be_written_to_is_not_ready() {
    with(Database::sqlite(), async |database| {
        Store::open(&database.url).await.unwrap().close().await;
        let store = Store::open(&format!("{}?mode=ro", database.url))
            .await
            .unwrap();
        let unready = store.ping().await.expect_err("every write would fail");
        let text = unready.to_string();
        assert!(
            text.contains("house.db cannot be written to") && text.contains("readonly"),
            "{text}"
        );
        store.close().await;
    })
    .await;
}

#[tokio::test]
async fn a_backup_beside_one_that_was_killed_says_what_to_do() {
    with(Database::sqlite(), async |database| {
        let store = Store::open(&database.url).await.unwrap();
        let copy = database.folder.join("copy.db");
        let partial = database.folder.join("copy.db.partial");
        std::fs::write(&partial, "half").unwrap();
        let refused = store.backup(&copy).await.unwrap_err().to_string();
        assert!(
            refused.contains("copy.db.partial exists") && refused.ends_with("delete it"),
            "{refused}"
        );
        assert_eq!(
            std::fs::read(&partial).unwrap(),
            b"half",
            "it may be in use"
        );
        std::fs::remove_file(&partial).unwrap();
        store.backup(&copy).await.unwrap();
        store.close().await;
    })
    .await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_backup_to_a_link_that_leads_nowhere_leaves_nothing_behind() {
    with(Database::sqlite(), async |database| {
        let store = Store::open(&database.url).await.unwrap();
        let link = database.folder.join("copy.db");
        std::os::unix::fs::symlink(database.folder.join("nowhere/copy.db"), &link).unwrap();
        let refused = store.backup(&link).await.unwrap_err().to_string();
        assert!(refused.contains("exists already"), "{refused}");
        store.close().await;
        let left: Vec<_> = std::fs::read_dir(&database.folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.contains("copy"))
            .collect();
        assert_eq!(left, ["copy.db"]);
    })
    .await;
}

/// Not a test by itself: a process that may not write files as large as its database.
#[tokio::test]
async fn a_child_cannot_finish_a_backup() {
    let Ok(url) = std::env::var(FAILING_CHILD) else {
        return;
    };
    let store = Store::open(&url).await.unwrap();
    let file = Path::new(url.strip_prefix("sqlite:").unwrap());
    let failed = store.backup(&file.with_file_name("copy.db")).await;
    // Closing might write too much, too.
    std::process::exit(i32::from(failed.is_ok()));
}

#[cfg(unix)]
#[tokio::test]
async fn a_backup_that_fails_leaves_nothing_behind() {
    with(Database::sqlite(), async |database| {
        let store = Store::open(&database.url).await.unwrap();
        store.create(opened(1)).await.unwrap();
        let large = event(2, json!({ "type": "moved", "text": "x".repeat(3 << 20) }));
        store.append(Append::new(1, vec![large])).await.unwrap();
        store.close().await;
        // A mebibyte, or half of one, as the shell counts.
        let child = Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 1024; exec \"$0\" \"$@\""])
            .arg(std::env::current_exe().unwrap())
            .args(["files::a_child_cannot_finish_a_backup", "--exact"])
            .env(FAILING_CHILD, &database.url)
            .output()
            .await
            .unwrap();
        assert!(child.status.success(), "{child:?}");
        let names = std::fs::read_dir(&database.folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let left: Vec<_> = names.filter(|name| name.contains("copy")).collect();
        assert!(left.is_empty(), "{left:?}");
    })
    .await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_with_two_names_is_neither_opened_nor_reserved() {
    with(Database::sqlite(), async |database| {
        let store = Store::open(&database.url).await.unwrap();
        let other = database.folder.join("other.db");
        std::fs::hard_link(database.folder.join("house.db"), &other).unwrap();
        let opened = Store::open(&format!("sqlite:{}", other.display())).await;
        for refused in [store.reserve().unwrap_err(), opened.unwrap_err()] {
            assert!(
                matches!(refused, StoreError::SeveralNames { .. }),
                "{refused}"
            );
        }
        std::fs::remove_file(&other).unwrap();
        store.reserve().unwrap();
        store.close().await;
    })
    .await;
}

#[tokio::test]
async fn a_damaged_backup_is_not_restored_and_leaves_nothing_behind() {
    with(Database::sqlite(), async |database| {
        let store = Store::open(&database.url).await.unwrap();
        for id in 1..=40 {
            store.create(opened(id)).await.unwrap();
        }
        let copy = database.folder.join("copy.db");
        store.backup(&copy).await.unwrap();
        store.close().await;
        let whole = std::fs::read(&copy).unwrap();
        let mut damaged = whole.clone();
        // Everything but its beginning.
        damaged[20_480..].fill(0x5a);
        std::fs::write(&copy, damaged).unwrap();
        let files = || std::fs::read_dir(&database.folder).unwrap().count();
        let before = (
            std::fs::read(database.folder.join("house.db")).unwrap(),
            files(),
        );
        let refused = restore(&database.url, &copy, "now").await;
        assert!(
            matches!(refused, Err(StoreError::Restore { .. })),
            "{refused:?}"
        );
        let _ = std::fs::remove_file(database.folder.join("house.db.lock"));
        let after = (
            std::fs::read(database.folder.join("house.db")).unwrap(),
            files(),
        );
        assert!(before == after, "the database is as it was");
        std::fs::write(&copy, whole).unwrap();
        let restored = restore(&database.url, &copy, "now").await.unwrap();
        let event_at = opened(1).events[0].at;
        assert_eq!(
            (restored.tables, restored.accounts, restored.last_event_at),
            (40, 0, Some(event_at))
        );
        #[cfg(unix)]
        assert_eq!(mode(&restored.file), 0o600);
        assert!(
            restored
                .kept
                .is_some_and(|kept| kept.ends_with("house.db.before-now"))
        );
    })
    .await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_that_lost_its_name_is_not_used() {
    with(Database::sqlite(), async |database| {
        let store = Store::open(&database.url).await.unwrap();
        store.create(opened(1)).await.unwrap();
        let (file, copy) = (
            database.folder.join("house.db"),
            database.folder.join("copy.db"),
        );
        let aside = database.folder.join("aside.db");
        store.backup(&copy).await.unwrap();
        std::fs::rename(&file, &aside).unwrap();
        for is_there in [false, true] {
            if is_there {
                std::fs::rename(&copy, &file).unwrap();
            }
            let beaten = store.beat(1, 0).await.unwrap_err();
            assert!(beaten.is_replaced() && beaten.is_away(), "{beaten}");
            let refused = store.create(opened(2)).await.unwrap_err();
            assert!(refused.is_replaced(), "{refused}");
        }
        assert!(store.ping().await.unwrap_err().is_replaced());
        assert!(store.load(1).await.unwrap_err().is_replaced());
        std::fs::rename(&aside, &file).unwrap();
        store.beat(1, 0).await.unwrap();
        store.create(opened(2)).await.unwrap();
        store.close().await;
    })
    .await;
}
