//! Databases of earlier and later releases.

use std::sync::Arc;

use serde_json::json;

use self::databases::{Database, with};
use super::{Migration, apply_pending};
use crate::{
    Append, ChallengesFrom, GameScores, ListFilter, ListPage, PlayerRole, RowStatus, RowUpdate,
    Score, Store, StoreError, StoredEvent, StoredSession, User,
};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};

#[path = "../../tests/store/databases.rs"]
#[allow(
    dead_code,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "these are the helpers of all tests"
)]
mod databases;

/// Rows as written by the first release: a table with two events, and one without any.
const OLD: [&str; 3] = [
    "INSERT INTO game_tables (id, game, status, listed, version, seats, options, secret, summary, created_at, updated_at)
     VALUES (5, 'mnk', 'playing', TRUE, 2, '[\"Ada\",\"Bob\"]', '{\"rows\":3,\"columns\":3}', NULL, NULL, 1, 2)",
    "INSERT INTO game_tables (id, game, status, listed, version, seats, options, secret, summary, created_at, updated_at)
     VALUES (6, 'mnk', 'open', TRUE, 0, '[]', '{}', NULL, '\"new\"', 3, 3)",
    "INSERT INTO table_events (table_id, version, at, body) VALUES (5, 1, 1, '\"opened\"'), (5, 2, 2, '\"moved\"')",
];

async fn empty(database: &Database) -> DatabaseConnection {
    if database.is_sqlite() {
        std::fs::File::create(database.folder.join("house.db")).unwrap();
    }
    database.raw().await
}

async fn an_old_database_goes_on(database: Arc<Database>) {
    let db = empty(&database).await;
    apply_pending(&db, 1, "a test").await.unwrap();
    for statement in OLD {
        db.execute_unprepared(statement).await.unwrap();
    }
    let (store, second) = tokio::join!(Store::open(&database.url), Store::open(&database.url));
    let (store, second) = (store.unwrap(), second.unwrap());
    second.close().await;
    let old = store.load(5).await.unwrap().unwrap();
    assert_eq!(
        (old.row.due_at, old.row.turn.as_ref(), old.row.rated),
        (None, None, false)
    );
    assert_eq!(
        (old.row.status, old.row.version, old.events.len()),
        (RowStatus::Playing, 2, 2)
    );
    assert_eq!(
        (&old.row.seats, &old.row.options),
        (&json!(["Ada", "Bob"]), &json!({"rows": 3, "columns": 3}))
    );
    assert_eq!(store.players(5).await.unwrap(), []);
    for (options, ids) in [(json!({"columns": 3, "rows": 3}), [5]), (json!({}), [6])] {
        let filter = ListFilter {
            options: Some(options),
            ..ListFilter::default()
        };
        let found = store.list(&filter, &ListPage::default()).await.unwrap();
        assert_eq!(found.iter().map(|row| row.id).collect::<Vec<_>>(), ids);
    }
    store.create_user(User::new(1, "Ada", 0)).await.unwrap();
    let scores = GameScores {
        game: "mnk".into(),
        rated: false,
        players: vec![(1, Score::Win)],
    };
    let update = RowUpdate {
        due_at: Some(Some(9)),
        ..RowUpdate::default()
    };
    let events = vec![StoredEvent {
        version: 3,
        at: 3,
        body: json!("ended"),
    }];
    let players = Some(vec![(1, PlayerRole::Seated)]);
    store
        .append(Append {
            update,
            players,
            scores: Some(scores),
            ..Append::new(5, events)
        })
        .await
        .unwrap();
    assert_eq!(store.due(9, 9).await.unwrap(), [5]);
    assert_eq!(
        store.rating(1, "mnk").await.unwrap().unwrap().standing.wins,
        1
    );
    store.close().await;

    // MySQL commits around every change, so a migration can be interrupted before it is
    // remembered. Repeating it keeps everything.
    db.execute_unprepared(
        "DELETE FROM seaql_migrations WHERE version <> 'm0001_tables_and_events'",
    )
    .await
    .unwrap();
    db.close().await.unwrap();
    let store = Store::open(&database.url).await.unwrap();
    let kept = store.load(5).await.unwrap().unwrap();
    assert_eq!((kept.events.len(), kept.row.version), (3, 3));
    assert_eq!(store.user(1).await.unwrap().unwrap().name, "Ada");
    let rating = store.rating(1, "mnk").await.unwrap().unwrap();
    assert_eq!(rating.standing.wins, 1);
    store.close().await;
}

/// A process of the release before the latest migration goes on writing after it.
async fn an_earlier_process_goes_on_with_members(database: Arc<Database>) {
    let db = empty(&database).await;
    apply_pending(&db, Migration::ALL.len() - 1, "a test")
        .await
        .unwrap();
    let sign_in = |hash: u8| {
        let hash = hex::encode([hash; 32]);
        format!(
            "INSERT INTO sessions (hash, user_id, created_at, expires_at) VALUES ('{hash}', 1, 5, 50)"
        )
    };
    db.execute_unprepared(
        "INSERT INTO users (id, name, folded, kind, admin, created_at) VALUES (1, 'Ada', 'ada', 'person', FALSE, 0)",
    )
    .await
    .unwrap();
    db.execute_unprepared(&sign_in(1)).await.unwrap();
    let store = Store::open(&database.url).await.unwrap();
    db.execute_unprepared(&sign_in(2)).await.unwrap();
    db.execute_unprepared(
        "INSERT INTO users (id, name, folded, kind, admin, created_at) VALUES (2, 'Bob', 'bob', 'person', FALSE, 0)",
    )
    .await
    .unwrap();
    for id in [1, 2] {
        let user = store.user(id).await.unwrap().unwrap();
        assert_eq!(user.challenges_from, ChallengesFrom::Everybody);
    }
    assert!(store.block(2, 1, 5, 1).await.unwrap());
    store
        .set_challenges_from(2, ChallengesFrom::Nobody)
        .await
        .unwrap();
    assert!(store.set_settings(2, "theme=dark").await.unwrap());
    db.execute_unprepared("UPDATE users SET admin = TRUE WHERE id = 2")
        .await
        .unwrap();
    let bob = store.user(2).await.unwrap().unwrap();
    assert_eq!(
        (bob.admin, bob.challenges_from),
        (true, ChallengesFrom::Nobody)
    );
    assert_eq!(bob.settings.as_deref(), Some("theme=dark"));
    let found = store.sessions_of(1, 10).await.unwrap();
    let session = StoredSession {
        user_id: 1,
        created_at: 5,
        expires_at: 50,
        browser: None,
        last_used_at: None,
    };
    assert_eq!(found, [([1; 32], session.clone()), ([2; 32], session)]);
    store.touch_session(&[2; 32], 9).await.unwrap();
    // The process gives signs of life, and cannot read the events that came with the latest migration.
    let now = store.time().await.unwrap();
    db.execute_unprepared(&format!(
        "INSERT INTO server_nodes (id, started_at, beat_at, stopped) VALUES (7, {now}, {now}, FALSE)"
    ))
    .await
    .unwrap();
    let read = async || store.beat(8, 1).await.unwrap().event_format;
    let least = if database.is_sqlite() { 1 } else { 0 };
    assert_eq!(read().await, least);
    db.execute_unprepared("UPDATE server_nodes SET stopped = TRUE WHERE id = 7")
        .await
        .unwrap();
    assert_eq!(read().await, 1);
    let read = db
        .query_one_raw(Statement::from_string(
            db.get_database_backend(),
            "SELECT COUNT(*) FROM sessions WHERE user_id = 1 AND expires_at > 10",
        ))
        .await
        .unwrap();
    let count: i64 = read.unwrap().try_get_by_index(0).unwrap();
    assert_eq!(count, 2);
    store.close().await;
    db.close().await.unwrap();
}

async fn a_database_from_the_future_is_refused(database: Arc<Database>) {
    let db = empty(&database).await;
    apply_pending(&db, usize::MAX, "a test").await.unwrap();
    db.execute_unprepared(
        "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m9999_cards', 0)",
    )
    .await
    .unwrap();
    db.close().await.unwrap();
    let refused = Store::open(&database.url).await;
    assert!(
        matches!(refused, Err(StoreError::Migration(_))),
        "{refused:?}"
    );
}

#[tokio::test]
async fn an_old_sqlite_file_goes_on() {
    with(Database::sqlite(), an_old_database_goes_on).await;
    with(Database::sqlite(), an_earlier_process_goes_on_with_members).await;
    with(Database::sqlite(), a_database_from_the_future_is_refused).await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn an_old_postgresql_database_goes_on() {
    with(Database::postgres().await, an_old_database_goes_on).await;
    with(
        Database::postgres().await,
        an_earlier_process_goes_on_with_members,
    )
    .await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_MYSQL"]
async fn an_old_mysql_database_goes_on() {
    with(Database::mysql().await, an_old_database_goes_on).await;
    with(
        Database::mysql().await,
        an_earlier_process_goes_on_with_members,
    )
    .await;
}
