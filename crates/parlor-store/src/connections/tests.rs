//! Pools of connections to a server, played by databases in memory and statements that are futures.

use std::borrow::Cow;
use std::future::{pending, ready};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use sea_orm::sqlx::Error as SqlxError;
use sea_orm::sqlx::error::{DatabaseError, ErrorKind};
use sea_orm::sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sea_orm::{ConnAcquireErr, RuntimeErr, SqlxSqliteConnector};
use tokio::time::advance;

use super::*;
use crate::error::is_unavailable;
use crate::simulation::{Loss, SimulatedNetwork, Trip};
use crate::{StoreError, StoreOptions};

/// Time within which a statement is answered, an eighth more than the option that sets it.
const LIMIT: Duration = Duration::from_secs(9);
const OPTIONS: StoreOptions = StoreOptions {
    timeout: Duration::from_secs(8),
};

fn in_memory() -> DatabaseConnection {
    let options = SqliteConnectOptions::new().in_memory(true);
    let pool = SqlitePoolOptions::new().connect_lazy_with(options);
    SqlxSqliteConnector::from_sqlx_sqlite_pool(pool)
}

/// Connections to a server that says that it is there, and a counter of the pools that were opened.
fn server() -> (Connections, Arc<AtomicU32>) {
    server_that(|| Box::pin(ready(Ok(()))))
}

type Answer = BoxFuture<'static, Result<(), SqlxError>>;

/// Connections to a server that answers like this when it is asked whether it is there.
fn server_that(
    answers: impl Fn() -> Answer + Send + Sync + 'static,
) -> (Connections, Arc<AtomicU32>) {
    let opened = Arc::new(AtomicU32::new(0));
    let counter = opened.clone();
    let open = move || {
        counter.fetch_add(1, Ordering::Relaxed);
        in_memory()
    };
    let server = Server::new(&OPTIONS, Box::new(answers));
    (Connections::to_server(server, Box::new(open)), opened)
}

fn pools(opened: &AtomicU32) -> u32 {
    opened.load(Ordering::Relaxed)
}

fn silence() -> impl Future<Output = Result<(), DbErr>> {
    pending()
}

fn no_connection_became_free() -> DbErr {
    DbErr::ConnectionAcquire(ConnAcquireErr::Timeout)
}

fn connection_was_lost() -> DbErr {
    let e = io::Error::from(io::ErrorKind::ConnectionReset);
    DbErr::Exec(RuntimeErr::SqlxError(Arc::new(SqlxError::Io(e))))
}

fn pool_was_closed() -> DbErr {
    DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed)
}

#[tokio::test(start_paused = true)]
async fn a_silent_server_gets_its_time_and_then_new_connections_once() {
    let (server, opened) = server();
    let asked = Instant::now();
    let late = server.limited(0, silence()).await.unwrap_err();
    assert!(
        late.to_string().contains("no answer within 9000 ms"),
        "{late}"
    );
    let waited = asked.elapsed();
    assert!((LIMIT..LIMIT * 2).contains(&waited), "{waited:?}");
    assert_eq!((pools(&opened), server.current().0), (2, 1));
    server.limited(0, silence()).await.unwrap_err();
    assert_eq!(pools(&opened), 2, "a connection of the pool before");
    server.limited(1, silence()).await.unwrap_err();
    assert_eq!((pools(&opened), server.current().0), (3, 2));
}

#[tokio::test(start_paused = true)]
async fn an_answer_in_time_is_passed_on() {
    let (server, opened) = server();
    let answer = server.limited(0, ready(Ok(7))).await;
    assert_eq!(answer.unwrap(), 7);
    let run = server.run(|_| ready(Ok(8))).await;
    assert_eq!(run.unwrap(), (0, 8));
    assert_eq!(pools(&opened), 1);
}

#[tokio::test(start_paused = true)]
async fn connections_that_do_not_come_back_are_given_up_after_half_the_time() {
    let (server, opened) = server();
    let acquire = async || {
        let failed = ready(Err::<(), _>(no_connection_became_free()));
        server.limited(0, failed).await.unwrap_err()
    };
    advance(LIMIT / 2 - Duration::from_millis(1)).await;
    acquire().await;
    assert_eq!(pools(&opened), 1, "others are answered");
    // An error from the server is an answer; an error from the network is none.
    let said = DbErr::Custom("no such table".to_owned());
    server
        .limited(0, ready(Err::<(), _>(said)))
        .await
        .unwrap_err();
    advance(LIMIT / 2 - Duration::from_millis(1)).await;
    let lost = ready(Err::<(), _>(connection_was_lost()));
    server.limited(0, lost).await.unwrap_err();
    acquire().await;
    assert_eq!(pools(&opened), 1, "the server has just answered");
    advance(Duration::from_millis(1)).await;
    acquire().await;
    assert_eq!(pools(&opened), 2, "nothing was heard since");
}

#[tokio::test(start_paused = true)]
async fn an_operation_whose_pool_was_replaced_is_tried_on_the_next() {
    let (server, opened) = server();
    let tries = AtomicU32::new(0);
    let done = server
        .run(|_| {
            let first = tries.fetch_add(1, Ordering::Relaxed) == 0;
            if first {
                server.replace(0);
            }
            ready(if first {
                Err(pool_was_closed())
            } else {
                Ok(())
            })
        })
        .await;
    assert_eq!(done.unwrap(), (1, ()));
    assert_eq!((tries.into_inner(), pools(&opened)), (2, 2));
    let closed = server.run(|_| ready(Err::<(), _>(pool_was_closed()))).await;
    assert!(is_closed(&closed.unwrap_err()), "by somebody else");
}

#[tokio::test(start_paused = true)]
async fn an_operation_that_waits_for_ever_ends_with_new_connections() {
    let (server, opened) = server();
    let late = server.run(|_| silence()).await.unwrap_err();
    assert!(is_lost(&late), "{late}");
    assert_eq!(pools(&opened), 2);
}

#[tokio::test(start_paused = true)]
async fn closed_connections_stay_closed() {
    let (server, opened) = server();
    assert!(!server.has_replaced(0) && server.has_replaced(1));
    server.close().await;
    assert!(!server.has_replaced(1), "for good");
    server.limited(0, silence()).await.unwrap_err();
    assert_eq!(pools(&opened), 1);
    let closed = server.run(|_| ready(Err::<(), _>(pool_was_closed()))).await;
    assert!(is_closed(&closed.unwrap_err()));
}

#[tokio::test(start_paused = true)]
async fn whoever_waits_for_a_server_that_is_away_hears_so_together_and_who_comes_at_once() {
    let is_there = Arc::new(AtomicBool::new(false));
    let answers = is_there.clone();
    let (server, opened) = server_that(move || match answers.load(Ordering::Relaxed) {
        true => Box::pin(ready(Ok(()))),
        false => Box::pin(pending()),
    });
    let asked = Instant::now();
    let later = async {
        advance(Duration::from_secs(1)).await;
        server.run(|_| silence()).await.unwrap_err()
    };
    let (first, second) = tokio::join!(server.limited(0, silence()), later);
    let told = asked.elapsed();
    assert!(is_unavailable(&first.unwrap_err()) && is_unavailable(&second));
    let change: StoreError = unknown_outcome(second).into();
    assert!(
        matches!(change, StoreError::InDoubt(_)),
        "it was sent: {change}"
    );
    assert!((LIMIT / 5..LIMIT / 2).contains(&told), "{told:?}");
    assert_eq!(pools(&opened), 2);

    let refused_at = Instant::now();
    for _ in 0..100 {
        let sent = AtomicU32::new(0);
        let refused = server.run(|_| {
            sent.fetch_add(1, Ordering::Relaxed);
            ready(Ok(()))
        });
        assert!(is_unavailable(&refused.await.unwrap_err()));
        assert_eq!(sent.into_inner(), 0);
        let changed = server.execute_unprepared("DELETE FROM t").await;
        let changed: StoreError = changed.unwrap_err().into();
        assert!(
            matches!(changed, StoreError::Unavailable(_)),
            "nothing was sent: {changed}"
        );
    }
    assert_eq!((refused_at.elapsed(), pools(&opened)), (Duration::ZERO, 2));
    assert!(server.is_away());

    is_there.store(true, Ordering::Relaxed);
    let returned = async {
        while server.run(|_| ready(Ok(()))).await.is_err() {
            tokio::time::sleep(LIMIT / 100).await;
        }
    };
    timeout(LIMIT / 2, returned).await.unwrap();
    assert!(!server.is_away());
}

#[tokio::test(start_paused = true)]
async fn a_server_that_answers_others_is_slow_and_not_away() {
    let (server, opened) = server_that(|| Box::pin(pending()));
    let others = async {
        for _ in 0..20 {
            tokio::time::sleep(LIMIT / 20).await;
            server.limited(0, ready(Ok(()))).await.unwrap();
        }
    };
    let (late, ()) = tokio::join!(server.limited(0, silence()), others);
    let late = late.unwrap_err().to_string();
    assert!(late.contains("no answer within 9000 ms"), "{late}");
    assert_eq!(pools(&opened), 2);
    assert!(!server.is_away());
}

#[tokio::test(start_paused = true)]
async fn a_lost_connection_makes_one_ask_at_once() {
    let asked = Arc::new(AtomicU32::new(0));
    let counter = asked.clone();
    let (server, _) = server_that(move || {
        counter.fetch_add(1, Ordering::Relaxed);
        let refused = io::Error::from(io::ErrorKind::ConnectionRefused);
        Box::pin(ready(Err(SqlxError::Io(refused))))
    });
    for _ in 0..3 {
        let lost = ready(Err::<(), _>(connection_was_lost()));
        server.limited(0, lost).await.unwrap_err();
    }
    tokio::task::yield_now().await;
    assert!(server.is_away());
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    server.close().await;
    advance(LIMIT).await;
    tokio::task::yield_now().await;
    let last = asked.load(Ordering::Relaxed);
    advance(LIMIT).await;
    tokio::task::yield_now().await;
    assert_eq!(asked.load(Ordering::Relaxed), last, "nobody needs to know");
}

#[tokio::test]
async fn a_file_has_no_limit_and_belongs_to_one_process() {
    let file = Connections::to_file(in_memory());
    assert_eq!(file.limit(), None);
    assert!(!file.is_shared() && file.network().is_none() && file.postgres().is_none());
    file.ping().await.unwrap();
    file.execute_unprepared("CREATE TABLE t (n INTEGER)")
        .await
        .unwrap();
    file.close().await;
    assert!(is_closed(&file.ping().await.unwrap_err()));
    let (server, _) = server();
    assert_eq!(server.limit(), Some(LIMIT));
    server.ping().await.unwrap();
    assert!(format!("{server:?}").starts_with("Connections { backend: Sqlite"));
}

/// Network on which every answer gets lost.
struct NoAnswers;

impl SimulatedNetwork for NoAnswers {
    fn trip(&self) -> Trip {
        Trip {
            there: Duration::ZERO,
            back: Duration::ZERO,
            loss: Loss::Answer,
        }
    }

    fn database_time(&self) -> i64 {
        0
    }
}

#[tokio::test]
async fn a_change_whose_answer_is_lost_is_in_doubt_but_not_a_question() {
    let db = Connections::simulated(in_memory(), Network(Arc::new(NoAnswers)));
    let statement = |sql| Statement::from_string(DbBackend::Sqlite, sql);
    let is_in_doubt = |e: DbErr| matches!(e.into(), StoreError::InDoubt(_));
    let changed = db.execute_unprepared("CREATE TABLE t (n INTEGER)").await;
    assert!(is_in_doubt(changed.unwrap_err()));
    let changed = db.execute_raw(statement("DELETE FROM t")).await;
    assert!(is_in_doubt(changed.unwrap_err()));
    let asked = db.query_one_raw(statement("SELECT n FROM t")).await;
    assert!(!is_in_doubt(asked.unwrap_err()));
    let asked = db.query_all_raw(statement("SELECT n FROM t")).await;
    assert!(!is_in_doubt(asked.unwrap_err()));
}

/// Refusal of PostgreSQL when all of its connections are taken.
#[derive(Debug)]
struct TooManyClients;

impl fmt::Display for TooManyClients {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sorry, too many clients already")
    }
}

impl std::error::Error for TooManyClients {}

impl DatabaseError for TooManyClients {
    fn message(&self) -> &str {
        "sorry, too many clients already"
    }

    fn code(&self) -> Option<Cow<'_, str>> {
        Some("53300".into())
    }

    fn as_error(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
        self
    }

    fn as_error_mut(&mut self) -> &mut (dyn std::error::Error + Send + Sync + 'static) {
        self
    }

    fn into_error(self: Box<Self>) -> Box<dyn std::error::Error + Send + Sync + 'static> {
        self
    }

    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_without_a_free_connection_is_away_for_those_who_have_none() {
    let is_full = Arc::new(AtomicBool::new(true));
    let answers = is_full.clone();
    let (server, _) = server_that(move || {
        let is_full = answers.load(Ordering::Relaxed);
        let refused = || SqlxError::Database(Box::new(TooManyClients));
        Box::pin(ready(if is_full { Err(refused()) } else { Ok(()) }))
    });
    // A statement that takes long on a connection of ours.
    let slow = async {
        tokio::time::sleep(LIMIT / 2).await;
        Ok(())
    };
    server.limited(0, slow).await.unwrap();
    assert!(!server.is_away(), "it serves us");
    advance(LIMIT / 2).await;
    let failed = ready(Err::<(), _>(no_connection_became_free()));
    server.limited(0, failed).await.unwrap_err();
    tokio::task::yield_now().await;
    assert!(server.is_away(), "nobody waits for the next one");
    is_full.store(false, Ordering::Relaxed);
    let returned = async {
        while server.run(|_| ready(Ok(()))).await.is_err() {
            tokio::time::sleep(LIMIT / 100).await;
        }
    };
    timeout(LIMIT / 2, returned).await.unwrap();
}
