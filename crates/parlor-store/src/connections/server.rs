//! Reachability of a database server.
//!
//! When statements wait and nothing is heard of the server, one question is asked on a connection of
//! its own. If that finds no answer either, the server is *away*: whoever waits for it is told so, and
//! whoever comes is refused at once, until the question, which is asked again and again, is answered.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sea_orm::sqlx::{ConnectOptions, Connection};
use sea_orm::{DbErr, SqlxError};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::BoxFuture;
use crate::StoreOptions;
use crate::error::{away, unanswered};

/// Function that asks the server for a sign of life on a new connection.
pub(crate) type Question = Box<dyn Fn() -> BoxFuture<'static, Result<(), SqlxError>> + Send + Sync>;

/// A database server, as far as it can be reached.
pub(crate) struct Server {
    /// Time within which it must answer a statement.
    limit: Duration,
    /// Silence after which it is asked whether it is there.
    suspicion: Duration,
    /// Time within which it must answer that.
    question_limit: Duration,
    /// Time until it is asked again.
    pause: Duration,
    question: Question,
    state: watch::Sender<State>,
    heard_at: Mutex<Instant>,
    /// True if no connection became free, and nothing was heard since.
    starved: AtomicBool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Answers,
    /// It has been asked whether it is there.
    Asked,
    Away,
    /// The connections were closed for good.
    Closed,
}

impl Server {
    pub fn new(options: &StoreOptions, question: Question) -> Arc<Self> {
        Arc::new(Self {
            limit: options.patience(),
            suspicion: options.timeout / 5,
            question_limit: options.timeout * 3 / 10,
            pause: options.timeout / 20,
            question,
            state: watch::Sender::new(State::Answers),
            heard_at: Mutex::new(Instant::now()),
            starved: AtomicBool::new(false),
        })
    }

    /// Returns the time within which the server must answer a statement.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    /// Returns an error if the server is known to be away.
    pub fn check(&self) -> Result<(), DbErr> {
        match *self.state.borrow() {
            State::Away => Err(away()),
            _ => Ok(()),
        }
    }

    /// Remembers that the server has answered.
    pub fn heard(&self) {
        self.starved.store(false, Ordering::Relaxed);
        *self.heard_at() = Instant::now();
    }

    /// Remembers that no connection became free in time, and finds out whether the server gives any.
    pub fn starve(self: &Arc<Self>) {
        self.starved.store(true, Ordering::Relaxed);
        self.suspect();
    }

    /// Waits for an answer. Gives up at the deadline, or as soon as the server is known to be away,
    /// and returns the reason then.
    pub async fn answer<T>(
        self: &Arc<Self>,
        deadline: Instant,
        mut statement: Pin<&mut impl Future<Output = T>>,
    ) -> Result<T, DbErr> {
        let mut state = self.state.subscribe();
        let started = Instant::now();
        loop {
            let pause = deadline.min(Instant::now() + self.suspicion);
            tokio::select! {
                biased;
                done = &mut statement => return Ok(done),
                // It may have been sent.
                _ = state.wait_for(|state| *state == State::Away) => {
                    return Err(unanswered(started.elapsed()));
                }
                () = sleep_until(pause) => {}
            }
            if pause == deadline {
                return Err(unanswered(self.limit));
            }
            if self.heard_at().elapsed() >= self.suspicion {
                self.suspect();
            }
        }
    }

    /// Finds out whether the server is there, in the background, unless that is under way.
    pub fn suspect(self: &Arc<Self>) {
        let ask = self.state.send_if_modified(|state| {
            let answers = *state == State::Answers;
            if answers {
                *state = State::Asked;
            }
            answers
        });
        if ask {
            tokio::spawn(self.clone().ask());
        }
    }

    /// Asks until there is an answer, or nobody needs one.
    async fn ask(self: Arc<Self>) {
        let mut away_since = None;
        while Arc::strong_count(&self) > 1 {
            let asked = Instant::now();
            let answer = timeout(self.question_limit, (self.question)()).await;
            let reason = match answer {
                Ok(Ok(())) => None,
                // One that has no connection left is no use to those who have none.
                Ok(Err(e)) if is_full(&e) && self.starved.load(Ordering::Relaxed) => {
                    Some(e.to_string())
                }
                Ok(Err(e)) if is_answer(&e) => None,
                // Another connection may have been served meanwhile by a server that is slow.
                _ if *self.heard_at() > asked => None,
                Ok(Err(e)) => Some(e.to_string()),
                Err(_) => Some("no answer".to_owned()),
            };
            let Some(reason) = reason else {
                self.heard();
                if self.change(State::Answers) == State::Away {
                    let seconds = away_since.map(|since: Instant| since.elapsed().as_secs_f64());
                    tracing::info!(seconds, "the database answers again");
                }
                return;
            };
            match self.change(State::Away) {
                State::Closed => return,
                State::Away => {}
                State::Answers | State::Asked => {
                    away_since = Some(asked);
                    tracing::error!(
                        reason,
                        "the database is away: requests are refused until it answers"
                    );
                }
            }
            sleep(self.pause).await;
        }
    }

    /// Changes the state unless the connections were closed. Returns the state before.
    fn change(&self, next: State) -> State {
        let mut before = next;
        self.state.send_if_modified(|state| {
            before = *state;
            if before != State::Closed {
                *state = next;
            }
            before != *state
        });
        before
    }

    /// Asks no more.
    pub fn close(&self) {
        self.state.send_replace(State::Closed);
    }

    fn heard_at(&self) -> MutexGuard<'_, Instant> {
        self.heard_at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the question for servers that are connected to with these options.
pub(crate) fn question<O>(options: O) -> Question
where
    O: ConnectOptions<Connection: Sized> + Sync,
{
    Box::new(move || {
        let options = options.clone();
        Box::pin(async move {
            let mut connection = options.connect().await?;
            connection.ping().await?;
            connection.close().await
        })
    })
}

/// Returns `true` if an error was sent by a server that serves others. One that is starting cannot do
/// anything yet.
fn is_answer(e: &SqlxError) -> bool {
    const POSTGRES_STARTS_OR_ENDS: [&str; 2] = ["57P03", "57P01"];
    match e {
        SqlxError::Database(e) => !e
            .code()
            .is_some_and(|code| POSTGRES_STARTS_OR_ENDS.contains(&code.as_ref())),
        _ => false,
    }
}

/// Returns `true` if a server refused a connection because it has too many.
fn is_full(e: &SqlxError) -> bool {
    const POSTGRES: &str = "53300";
    // The driver tells the SQLSTATE of MySQL's error 1040.
    const MYSQL: &str = "08004";
    let code = e.as_database_error().and_then(|e| e.code());
    code.is_some_and(|code| [POSTGRES, MYSQL].contains(&code.as_ref()))
}
