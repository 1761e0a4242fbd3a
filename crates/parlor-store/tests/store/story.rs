//! A scenario of everything a server does with its store, from the first start to a restart.

use std::sync::Arc;

use futures::future::{join, join_all};
use parlor_store::{
    Append, ListFilter, ListPage, MAX_COMMIT_BYTES, NewStoredTable, RowStatus, RowUpdate, Store,
    StoreError, StoredCommit, StoredEvent, StoredTable,
};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

use crate::databases::Database;

pub async fn run(database: Arc<Database>) {
    let store = eight_start_at_once_on_an_empty_database(&database).await;
    let second = Store::open(&database.url).await.unwrap();
    an_empty_store_has_no_tables(&store).await;
    a_table_is_read_as_it_was_written(&store).await;
    lists_are_newest_first_and_filtered(&store).await;
    a_stale_version_writes_nothing(&store).await;
    of_two_moves_at_once_exactly_one_is_played(&store, &second).await;
    of_two_creations_at_once_exactly_one_happens(&store, &second).await;
    a_failing_request_does_not_affect_others(&database, &store).await;
    a_table_can_be_created_and_deleted_in_one_batch(&store).await;
    any_text_survives(&store).await;
    what_cannot_be_stored_is_refused(&store).await;
    commits_belong_to_their_table(&store).await;
    deleting_a_table_deletes_its_events(&database, &store).await;
    a_backup_is_whole_while_others_write(&database, &store).await;
    second.close().await;
    closing_finishes_all_writes_and_a_restart_finds_them(&database, store).await;
}

pub fn event(version: u64, body: Value) -> StoredEvent {
    StoredEvent {
        version,
        at: 1_000 + version as i64,
        body,
    }
}

pub fn moved(version: u64) -> StoredEvent {
    event(
        version,
        json!({"type": "moved", "seat": version % 2, "move": "b2", "id": format!("m{version}")}),
    )
}

pub fn opened(id: i64) -> NewStoredTable {
    NewStoredTable {
        events: vec![event(1, json!({"type": "opened"}))],
        ..NewStoredTable::new(id, "mnk", 1_000)
    }
}

async fn loaded(store: &Store, id: i64) -> StoredTable {
    let table = store.load(id).await.unwrap().expect("the table exists");
    let versions: Vec<u64> = table.events.iter().map(|e| e.version).collect();
    assert_eq!(
        versions,
        (1..=table.row.version).collect::<Vec<_>>(),
        "no gap, no double"
    );
    table
}

async fn eight_start_at_once_on_an_empty_database(database: &Database) -> Store {
    let stores = join_all((0..8).map(|_| Store::open(&database.url))).await;
    let mut stores: Vec<Store> = stores.into_iter().map(Result::unwrap).collect();
    let store = stores.pop().unwrap();
    for other in stores {
        other.close().await;
    }
    store.ping().await.unwrap();
    store
}

async fn an_empty_store_has_no_tables(store: &Store) {
    assert_eq!(
        store
            .list(&ListFilter::default(), &ListPage::default())
            .await
            .unwrap(),
        []
    );
    assert_eq!(store.count(&ListFilter::default()).await.unwrap(), 0);
    assert_eq!(store.load(1).await.unwrap(), None);
    assert_eq!(store.row(1).await.unwrap(), None);
    assert!(matches!(
        store.events(1, 0, 10).await,
        Err(StoreError::NotFound)
    ));
    assert!(matches!(
        store.append(Append::new(1, vec![moved(1)])).await,
        Err(StoreError::NotFound)
    ));
    assert!(!store.delete(1).await.unwrap());
}

async fn a_table_is_read_as_it_was_written(store: &Store) {
    let new = NewStoredTable {
        seats: json!([{"name": "Ada"}, null]),
        options: json!({"rows": 3, "columns": 3, "run": 3}),
        secret: Some(vec![0, 1, 254, 255]),
        ..opened(1)
    };
    store.create(new.clone()).await.unwrap();
    let table = loaded(store, 1).await;
    assert_eq!(
        (table.row.version, table.row.status, table.row.listed),
        (1, RowStatus::Open, true)
    );
    assert_eq!(
        (&table.row.seats, &table.row.options, &table.row.summary),
        (&new.seats, &new.options, &None)
    );
    assert_eq!((table.secret, &table.events), (new.secret, &new.events));
    assert_eq!((table.row.created_at, table.row.updated_at), (1_000, 1_001));

    let update = RowUpdate {
        status: Some(RowStatus::Playing),
        seats: Some(json!(["Ada", "Bob"])),
        ..RowUpdate::default()
    };
    store
        .append(Append {
            update,
            ..Append::new(1, vec![moved(2), moved(3)])
        })
        .await
        .unwrap();
    store.append(Append::new(1, vec![moved(4)])).await.unwrap();
    let row = loaded(store, 1).await.row;
    assert_eq!(
        (row.version, row.status, row.updated_at),
        (4, RowStatus::Playing, 1_004)
    );
    assert_eq!(
        (&row.seats, &row.options),
        (&json!(["Ada", "Bob"]), &new.options),
        "what is not updated stays"
    );
    assert_eq!(store.row(1).await.unwrap(), Some(row));

    let update = RowUpdate {
        status: Some(RowStatus::Over),
        listed: Some(false),
        summary: Some(json!("draw")),
        ..RowUpdate::default()
    };
    store
        .append(Append {
            expected: 4,
            update,
            ..Append::new(1, Vec::new())
        })
        .await
        .unwrap();
    let row = loaded(store, 1).await.row;
    assert_eq!(
        (row.version, row.status, row.listed, row.summary),
        (4, RowStatus::Over, false, Some(json!("draw")))
    );

    assert_eq!(store.events(1, 1, 2).await.unwrap(), [moved(2), moved(3)]);
    assert_eq!(store.events(1, 3, 100).await.unwrap(), [moved(4)]);
    assert_eq!(store.events(1, 4, u64::MAX).await.unwrap(), []);
    assert_eq!(store.events(1, u64::MAX, 100).await.unwrap(), []);
}

async fn lists_are_newest_first_and_filtered(store: &Store) {
    for id in 10..20 {
        let game = if id % 2 == 0 { "mnk" } else { "ultimate" };
        let status = RowStatus::ALL[id as usize % 4];
        store
            .create(NewStoredTable {
                status,
                listed: id != 18,
                ..NewStoredTable::new(id, game, id)
            })
            .await
            .unwrap();
    }
    let list = async |filter: ListFilter, before, limit| -> Vec<i64> {
        let rows = store
            .list(&filter, &ListPage { before, limit })
            .await
            .unwrap();
        rows.into_iter().map(|row| row.id).collect()
    };
    let all = ListFilter::default();
    assert_eq!(list(all.clone(), None, 4).await, [19, 18, 17, 16]);
    assert_eq!(list(all.clone(), Some(16), 4).await, [15, 14, 13, 12]);
    assert_eq!(list(all.clone(), Some(12), u64::MAX).await, [11, 10, 1]);
    let ultimate = ListFilter {
        game: Some("ultimate".into()),
        ..ListFilter::default()
    };
    assert_eq!(list(ultimate.clone(), None, 3).await, [19, 17, 15]);
    assert_eq!(store.count(&ultimate).await.unwrap(), 5);
    let live = ListFilter {
        statuses: vec![RowStatus::Open, RowStatus::Playing],
        listed_only: true,
        ..ListFilter::default()
    };
    assert_eq!(list(live.clone(), None, 9).await, [17, 16, 13, 12]);
    assert_eq!(store.count(&live).await.unwrap(), 4);
    let shouted = ListFilter {
        game: Some("MNK".into()),
        ..ListFilter::default()
    };
    assert_eq!(
        store.count(&shouted).await.unwrap(),
        0,
        "game keys are case-sensitive"
    );
}

async fn a_stale_version_writes_nothing(store: &Store) {
    let before = loaded(store, 1).await;
    for expected in [0, 3, 5, u64::MAX - 1] {
        let update = RowUpdate {
            status: Some(RowStatus::Aborted),
            ..RowUpdate::default()
        };
        let stale = Append {
            update,
            ..Append::new(1, vec![moved(expected + 1)])
        };
        let refused = store.append(stale).await;
        assert!(
            matches!(refused, Err(StoreError::Conflict { current: 4 })),
            "{expected}: {refused:?}"
        );
    }
    assert_eq!(loaded(store, 1).await, before);
}

/// The competing writes use two stores, as two processes would.
async fn of_two_moves_at_once_exactly_one_is_played(store: &Store, second: &Store) {
    let ids = 100..164;
    join_all(ids.clone().map(|id| store.create(opened(id))))
        .await
        .into_iter()
        .for_each(Result::unwrap);
    for version in 2..=6 {
        let rivals = ids.clone().map(|id| {
            let by = |name: &str| Append::new(id, vec![event(version, json!({"by": name}))]);
            let (here, there) = (by("here"), by("there"));
            // Half of the pairs meet within one store, perhaps within one batch.
            let other = if id % 2 == 0 { second } else { store };
            async move { (id, join(store.append(here), other.append(there)).await) }
        });
        for (id, outcome) in join_all(rivals).await {
            let winner = match outcome {
                (Ok(()), Err(StoreError::Conflict { current })) if current == version => "here",
                (Err(StoreError::Conflict { current }), Ok(())) if current == version => "there",
                outcome => panic!("table {id} at {version}: {outcome:?}"),
            };
            let last = loaded(second, id).await.events.pop().unwrap();
            assert_eq!(last, event(version, json!({"by": winner})), "table {id}");
        }
    }
}

async fn of_two_creations_at_once_exactly_one_happens(store: &Store, second: &Store) {
    let pairs = (200..232).map(|id| join(store.create(opened(id)), second.create(opened(id))));
    for outcome in join_all(pairs).await {
        assert!(
            matches!(
                outcome,
                (Ok(()), Err(StoreError::Exists)) | (Err(StoreError::Exists), Ok(()))
            ),
            "{outcome:?}"
        );
    }
}

async fn a_failing_request_does_not_affect_others(database: &Database, store: &Store) {
    let poison = if database.is_sqlite() {
        "CREATE TRIGGER poison BEFORE INSERT ON table_events WHEN NEW.body LIKE '%poison%'
         BEGIN SELECT RAISE(ABORT, 'poison'); END"
    } else {
        "ALTER TABLE table_events ADD CONSTRAINT poison CHECK (body NOT LIKE '%poison%')"
    };
    let raw = database.raw().await;
    raw.execute_unprepared(poison).await.unwrap();
    raw.close().await.unwrap();

    // Sent from one task without a pause, so they are queued together.
    let answers = join_all((100..164).map(|id| async move {
        let answer = match id % 8 {
            0 => {
                store
                    .append(Append::new(id, vec![event(7, json!("poison"))]))
                    .await
            }
            1 => store.append(Append::new(id, vec![moved(3)])).await,
            2 => store.create(opened(id)).await,
            3 => store.append(Append::new(id + 9_000, vec![moved(7)])).await,
            _ => store.append(Append::new(id, vec![moved(7)])).await,
        };
        (id, answer)
    }));
    for (id, answer) in answers.await {
        let (expected, version) = match id % 8 {
            0 => (matches!(answer, Err(StoreError::Database(_))), 6),
            1 => (
                matches!(answer, Err(StoreError::Conflict { current: 6 })),
                6,
            ),
            2 => (matches!(answer, Err(StoreError::Exists)), 6),
            3 => (matches!(answer, Err(StoreError::NotFound)), 6),
            _ => (answer.is_ok(), 7),
        };
        assert!(expected, "table {id}: {answer:?}");
        assert_eq!(loaded(store, id).await.row.version, version, "table {id}");
    }
}

async fn a_table_can_be_created_and_deleted_in_one_batch(store: &Store) {
    let id = 300;
    let (created, moved_on, deleted, again, wrong) = tokio::join!(
        store.create(opened(id)),
        store.append(Append::new(id, vec![moved(2)])),
        store.delete(id),
        store.create(NewStoredTable {
            game: "ultimate".into(),
            ..opened(id)
        }),
        store.append(Append::new(id, vec![moved(3)])),
    );
    created.unwrap();
    moved_on.unwrap();
    assert!(deleted.unwrap());
    again.unwrap();
    assert!(
        matches!(wrong, Err(StoreError::Conflict { current: 1 })),
        "{wrong:?}"
    );
    let table = loaded(store, id).await;
    assert_eq!(
        (table.row.game.as_str(), table.row.version),
        ("ultimate", 1)
    );
}

async fn any_text_survives(store: &Store) {
    let texts = [
        "Zoë ♟ 🎲 👩‍👩‍👧‍👦 日本語",
        "𝕏\u{10ffff}",
        "a\0b",
        "'; DROP TABLE game_tables; --",
        "\\ \" \n\t\u{7f}",
        "",
    ];
    let long: String = "8-byte🎲".chars().cycle().take(800_000).collect();
    assert!(long.len() > 1_000_000);
    let mut bodies: Vec<Value> = texts
        .iter()
        .map(|text| json!({"chat": text, "n": -1.5e300}))
        .collect();
    bodies.extend([
        json!(long),
        json!(null),
        json!([u64::MAX, i64::MIN]),
        json!({"b": 1, "a": {"z": [], "y": {}}}),
    ]);
    let events: Vec<StoredEvent> = bodies
        .into_iter()
        .zip(1..)
        .map(|(body, version)| event(version, body))
        .collect();
    let new = NewStoredTable {
        seats: json!(texts),
        options: json!({ texts[0]: texts[2] }),
        ..opened(400)
    };
    store
        .create(NewStoredTable {
            events: events.clone(),
            ..new.clone()
        })
        .await
        .unwrap();
    let big = (11..21)
        .map(|version| event(version, json!(long.clone())))
        .collect::<Vec<_>>();
    store.append(Append::new(400, big.clone())).await.unwrap();
    let table = loaded(store, 400).await;
    assert_eq!(
        (&table.row.seats, &table.row.options),
        (&new.seats, &new.options)
    );
    assert!(
        table.events[..10] == events && table.events[10..] == big,
        "every body is as it was"
    );
}

async fn what_cannot_be_stored_is_refused(store: &Store) {
    let gap = store
        .append(Append {
            expected: 4,
            ..Append::new(1, vec![moved(6)])
        })
        .await;
    assert!(
        matches!(
            gap,
            Err(StoreError::Gap {
                expected: 5,
                found: 6
            })
        ),
        "{gap:?}"
    );
    let gap = store
        .create(NewStoredTable {
            events: vec![moved(1), moved(3)],
            ..opened(500)
        })
        .await;
    assert!(
        matches!(
            gap,
            Err(StoreError::Gap {
                expected: 2,
                found: 3
            })
        ),
        "{gap:?}"
    );
    let big = store
        .append(Append::new(1, vec![event(5, json!("x".repeat(5 << 20)))]))
        .await;
    assert!(matches!(big, Err(StoreError::TooBig { .. })), "{big:?}");
    let long = store
        .create(NewStoredTable {
            game: "g".repeat(65),
            ..opened(500)
        })
        .await;
    assert!(
        matches!(
            long,
            Err(StoreError::TooBig {
                bytes: 65,
                limit: 64
            })
        ),
        "{long:?}"
    );
    assert_eq!(store.row(500).await.unwrap(), None);
}

fn commit(id: char, version: u64) -> StoredCommit {
    StoredCommit {
        id: id.to_string().repeat(40),
        version,
        body: b"tree \xff\0\n".to_vec(),
        name: "0001-white-a1b2c3.json".to_owned(),
        file: vec![0, 255, b'\''],
    }
}

async fn commits_belong_to_their_table(store: &Store) {
    let missing = store.save_commit(999, commit('a', 2)).await;
    assert!(matches!(missing, Err(StoreError::NotFound)), "{missing:?}");
    for id in [450, 451] {
        store.create(opened(id)).await.unwrap();
    }
    for (table, commit) in [
        (450, commit('b', 3)),
        (450, commit('a', 2)),
        (451, commit('a', 9)),
    ] {
        store.save_commit(table, commit).await.unwrap();
    }
    assert_eq!(
        store.commits(450).await.unwrap(),
        [commit('a', 2), commit('b', 3)]
    );
    // Retried on a table that has moved on.
    store.save_commit(450, commit('a', 5)).await.unwrap();
    assert_eq!(
        store.commits(450).await.unwrap(),
        [commit('b', 3), commit('a', 5)]
    );
    let long = StoredCommit {
        file: vec![7; MAX_COMMIT_BYTES],
        ..commit('c', 6)
    };
    store.save_commit(450, long.clone()).await.unwrap();
    assert_eq!(store.commits(450).await.unwrap()[2], long);
    let longer = store
        .save_commit(
            450,
            StoredCommit {
                body: vec![7; MAX_COMMIT_BYTES + 1],
                ..commit('d', 7)
            },
        )
        .await;
    assert!(
        matches!(longer, Err(StoreError::TooBig { .. })),
        "{longer:?}"
    );
    assert!(store.delete(450).await.unwrap());
    assert_eq!(store.commits(450).await.unwrap(), []);
    assert_eq!(store.commits(451).await.unwrap(), [commit('a', 9)]);
    assert!(store.delete(451).await.unwrap());
}

async fn deleting_a_table_deletes_its_events(database: &Database, store: &Store) {
    assert!(store.delete(400).await.unwrap());
    assert!(!store.delete(400).await.unwrap());
    assert_eq!(store.load(400).await.unwrap(), None);
    let late = store.append(Append::new(400, vec![moved(21)])).await;
    assert!(matches!(late, Err(StoreError::NotFound)), "{late:?}");
    let raw = database.raw().await;
    let left = Statement::from_string(
        raw.get_database_backend(),
        "SELECT 1 FROM table_events WHERE table_id = 400",
    );
    assert_eq!(raw.query_all_raw(left).await.unwrap().len(), 0);
    raw.close().await.unwrap();
}

async fn a_backup_is_whole_while_others_write(database: &Database, store: &Store) {
    let target = database.folder.join("copy.db");
    if !database.is_sqlite() {
        let refused = store.backup(&target).await;
        assert!(
            matches!(refused, Err(StoreError::BackupElsewhere { .. })),
            "{refused:?}"
        );
        return;
    }
    let ids = 600..632;
    join_all(ids.clone().map(|id| store.create(opened(id))))
        .await
        .into_iter()
        .for_each(Result::unwrap);
    let play = join_all(ids.clone().map(|id| async move {
        for version in 2..=40 {
            store
                .append(Append::new(id, vec![moved(version)]))
                .await
                .unwrap();
        }
    }));
    let (backup, _) = join(store.backup(&target), play).await;
    backup.unwrap();
    let copy = Store::open(&format!("sqlite:{}", target.display()))
        .await
        .unwrap();
    assert_eq!(loaded(&copy, 1).await, loaded(store, 1).await);
    for id in ids {
        let (copied, whole) = (loaded(&copy, id).await, loaded(store, id).await);
        assert_eq!(
            copied.events,
            whole.events[..copied.events.len()],
            "what is copied is a beginning of what was played"
        );
    }
    copy.close().await;
    let again = store.backup(&target).await;
    assert!(matches!(again, Err(StoreError::Backup { .. })), "{again:?}");
    let nowhere = store
        .backup(&database.folder.join("no/such/folder.db"))
        .await;
    assert!(
        matches!(nowhere, Err(StoreError::Backup { .. })),
        "{nowhere:?}"
    );
}

async fn closing_finishes_all_writes_and_a_restart_finds_them(database: &Database, store: Store) {
    let ids = 700..764;
    join_all(ids.clone().map(|id| store.create(opened(id))))
        .await
        .into_iter()
        .for_each(Result::unwrap);
    let everything = ListPage {
        before: None,
        limit: 10_000,
    };
    let rows = store
        .list(
            &ListFilter {
                listed_only: true,
                ..ListFilter::default()
            },
            &everything,
        )
        .await
        .unwrap();
    assert!(rows.len() > 150);

    let last_moves = join_all(
        ids.clone()
            .map(|id| store.append(Append::new(id, vec![moved(2)]))),
    );
    let (answers, ()) = join(last_moves, store.close()).await;
    store.close().await;
    let closed = store.append(Append::new(700, vec![moved(3)])).await;
    assert!(matches!(closed, Err(StoreError::Closed)), "{closed:?}");
    assert!(matches!(store.row(700).await, Err(StoreError::Closed)));
    assert!(matches!(store.ping().await, Err(StoreError::Closed)));

    let store = Store::open(&database.url).await.unwrap();
    for (id, answer) in ids.zip(answers) {
        let expected = match answer {
            Ok(()) => 2,
            Err(StoreError::Closed) => 1,
            Err(e) => panic!("table {id}: {e}"),
        };
        assert_eq!(loaded(&store, id).await.row.version, expected, "table {id}");
    }
    for row in rows.into_iter().filter(|row| row.id < 700) {
        assert_eq!(loaded(&store, row.id).await.row, row);
    }
    store.close().await;
}
