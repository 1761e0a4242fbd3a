//! A database server that stops answering, and what becomes of the changes on their way to it.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use parlor_store::{
    Append, GameScores, NewStoredTable, RowStatus, RowUpdate, Score, Store, StoreError,
    StoreOptions, User,
};
use sea_orm::{ConnectionTrait, DbBackend, TransactionTrait};
use tokio::time::timeout;

use crate::databases::{Database, with};
use crate::proxy::{Old, Proxy, Trap};
use crate::story::{moved, opened};

/// Far longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);

async fn open(url: &str) -> Store {
    let options = StoreOptions {
        timeout: Duration::from_secs(2),
    };
    Store::open_with(url, &options).await.unwrap()
}

/// Runs a change whose commit falls into a silence that ends when the store tries again.
async fn in_doubt<T>(proxy: &Proxy, trap: Trap, old: Old, change: impl Future<Output = T>) -> T {
    proxy.fall_silent_at_commit(trap);
    let recovery = async {
        proxy.until_tried_again().await;
        proxy.recover(old);
    };
    let both = async { tokio::join!(change, recovery).0 };
    timeout(PATIENCE, both).await.expect("it is settled")
}

pub async fn a_change_in_doubt_is_made_exactly_once(database: Arc<Database>) {
    let direct = open(&database.url).await;
    let mut id = 0;
    for trap in [Trap::Request, Trap::Answer] {
        for old in [Old::Silent, Old::Late, Old::Closed] {
            id += 1;
            let (proxy, url) = Proxy::start(&database.url).await;
            let store = open(&url).await;
            store
                .create_user(User::new(id, format!("Ada{id}"), 0))
                .await
                .unwrap();

            let created = in_doubt(&proxy, trap, old, store.create(opened(id))).await;
            assert!(created.is_ok(), "{trap:?} {old:?}: {created:?}");
            let again = store.create(NewStoredTable::new(id, "mnk", 9)).await;
            assert!(matches!(again, Err(StoreError::Exists)), "{again:?}");

            let end = Append {
                update: RowUpdate {
                    status: Some(RowStatus::Over),
                    ..RowUpdate::default()
                },
                scores: Some(GameScores {
                    game: "mnk".into(),
                    rated: false,
                    players: vec![(id, Score::Win)],
                }),
                ..Append::new(id, vec![moved(2), moved(3)])
            };
            let appended = in_doubt(&proxy, trap, old, store.append(end)).await;
            assert!(appended.is_ok(), "{trap:?} {old:?}: {appended:?}");
            let stored = direct.load(id).await.unwrap().unwrap();
            assert_eq!((stored.row.version, stored.events.len()), (3, 3));
            assert_eq!(stored.row.status, RowStatus::Over);
            let rating = direct.rating(id, "mnk").await.unwrap().unwrap();
            assert_eq!(rating.standing.wins, 1, "{trap:?} {old:?}");

            let stale = store.append(Append::new(id, vec![moved(3)])).await;
            assert!(
                matches!(stale, Err(StoreError::Conflict { current: 3 })),
                "{stale:?}"
            );
            store.append(Append::new(id, vec![moved(4)])).await.unwrap();

            let deleted = in_doubt(&proxy, trap, old, store.delete(id)).await;
            assert!(matches!(deleted, Ok(true)), "{trap:?} {old:?}: {deleted:?}");
            assert!(direct.load(id).await.unwrap().is_none());
            store.close().await;
        }
    }
    direct.close().await;
}

pub async fn a_silence_ends_for_everybody(database: Arc<Database>) {
    let (proxy, url) = Proxy::start(&database.url).await;
    let (store, direct) = (open(&url).await, open(&database.url).await);
    store.create(opened(1)).await.unwrap();
    store.ping().await.unwrap();

    proxy.fall_silent_at_commit(Trap::Answer);
    let appended = store.append(Append::new(1, vec![moved(2)]));
    let appended = timeout(PATIENCE, appended)
        .await
        .expect("nobody waits forever");
    assert!(
        matches!(appended, Err(StoreError::InDoubt(_))),
        "{appended:?}"
    );
    // Readers that give up must not use up the connections.
    join_all((0..40).map(|_| timeout(Duration::from_millis(10), store.load(1)))).await;
    let (read, pinged) = tokio::join!(store.load(1), store.ping());
    assert!(matches!(read, Err(StoreError::Unavailable(_))), "{read:?}");
    assert!(
        matches!(pinged, Err(StoreError::Unavailable(_))),
        "{pinged:?}"
    );
    let named = store.create_user(User::new(1, "Ada", 0)).await;
    assert!(
        matches!(
            named,
            Err(StoreError::Unavailable(_) | StoreError::InDoubt(_))
        ),
        "{named:?}"
    );

    proxy.recover(Old::Silent);
    let ready = async { while store.ping().await.is_err() {} };
    timeout(PATIENCE, ready).await.expect("the store recovers");
    let stored = store.load(1).await.unwrap().unwrap();
    assert_eq!(stored.row.version, 2, "the commit had reached the server");
    store.append(Append::new(1, vec![moved(3)])).await.unwrap();
    assert_eq!(direct.load(1).await.unwrap().unwrap().events.len(), 3);
    timeout(PATIENCE, store.close())
        .await
        .expect("closing does not wait for silent connections");
    direct.close().await;
}

pub async fn a_lock_that_is_kept_refuses_only_who_needs_it(database: Arc<Database>) {
    const TABLES: i64 = 200;
    let store = open(&database.url).await;
    join_all((1..=TABLES).map(|id| store.create(opened(id)))).await;
    let append = |id, version| store.append(Append::new(id, vec![moved(version)]));
    let raw = database.raw().await;

    let row = raw.begin().await.unwrap();
    row.execute_unprepared("SELECT id FROM game_tables WHERE id = 1 FOR UPDATE")
        .await
        .unwrap();
    let appends = join_all((1..=TABLES).map(|id| append(id, 2)));
    let mut appends = timeout(PATIENCE, appends).await.expect("nobody waits long");
    let refused = appends.remove(0);
    assert!(
        matches!(refused, Err(StoreError::Unavailable(_))),
        "{refused:?}"
    );
    for (n, other) in appends.into_iter().enumerate() {
        other.unwrap_or_else(|e| panic!("table {}: {e}", n + 2));
    }
    row.rollback().await.unwrap();
    append(1, 2).await.unwrap();

    let whole = raw.begin().await.unwrap();
    let lock = match whole.get_database_backend() {
        DbBackend::Postgres => "LOCK TABLE table_events IN ACCESS EXCLUSIVE MODE",
        _ => "LOCK TABLES table_events WRITE",
    };
    whole.execute_unprepared(lock).await.unwrap();
    // One at a time at each table, as a table's task does it, so that batches follow each other.
    let appends = join_all((1..=TABLES).map(async |id| {
        let first = append(id, 3).await;
        (first, append(id, 3).await)
    }));
    let appends = timeout(PATIENCE, appends).await.expect("nobody waits long");
    for refused in appends {
        assert!(
            matches!(
                refused,
                (
                    Err(StoreError::Unavailable(_)),
                    Err(StoreError::Unavailable(_))
                )
            ),
            "{refused:?}"
        );
    }
    if whole.get_database_backend() == DbBackend::MySql {
        whole.execute_unprepared("UNLOCK TABLES").await.unwrap();
    }
    whole.rollback().await.unwrap();
    for stored in join_all((1..=TABLES).map(|id| append(id, 3))).await {
        stored.unwrap();
    }
    store.close().await;
}

#[tokio::test]
async fn who_comes_while_another_process_locks_the_file_is_refused_with_who_waited() {
    const CHANGES: i64 = 60;
    with(Database::sqlite(), async |database: Arc<Database>| {
        let store = Store::open(&database.url).await.unwrap();
        join_all((1..=CHANGES).map(|id| store.create(opened(id)))).await;
        let raw = database.raw().await;
        let lock = raw.begin().await.unwrap();
        lock.execute_unprepared("UPDATE game_tables SET id = id")
            .await
            .unwrap();
        // Tables are changed by the writer, accounts beside it.
        let appends =
            join_all((1..=CHANGES).map(|id| store.append(Append::new(id, vec![moved(2)]))));
        let accounts = join_all(
            (1..=CHANGES).map(|id| store.create_user(User::new(id, format!("Ada{id}"), 0))),
        );
        let both = async { tokio::join!(appends, accounts) };
        let (appends, accounts) = timeout(PATIENCE, both).await.expect("nobody waits long");
        let refused = appends.into_iter().chain(accounts).map(Result::unwrap_err);
        let (at_once, waited): (Vec<_>, Vec<_>) = refused.partition(StoreError::is_away);
        assert!(
            !waited.is_empty() && at_once.len() >= CHANGES as usize / 2,
            "{at_once:?}"
        );
        for e in &waited {
            assert!(matches!(e, StoreError::Unavailable(_)), "{e:?}");
        }
        assert_eq!(
            store.load(1).await.unwrap().unwrap().row.version,
            1,
            "readers do not wait"
        );
        lock.rollback().await.unwrap();
        let stored = async {
            while let Err(e) = store.append(Append::new(1, vec![moved(2)])).await {
                assert!(e.is_away(), "{e:?}");
                tokio::task::yield_now().await;
            }
        };
        timeout(PATIENCE, stored).await.expect("the lock is gone");
        store.close().await;
    })
    .await;
}
