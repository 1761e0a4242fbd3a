//! Answers to those who only read: pages, and what programs ask for.

use std::thread;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::Method;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::sleep;

use super::{Client, changes_something};
use crate::AppState;
use crate::error::Error;

/// Time after which an answer is computed without a turn. A page of a long game takes less even on a busy
/// machine; a database that is away takes more.
const LONGEST: Duration = Duration::from_secs(1);
/// Time for which turns are still waited for once the server ends.
const LAST_TURNS: Duration = Duration::from_secs(1);

/// Returns the number of answers to those who only read that are worked on at once: as many as there are
/// cores, of which each waits for the database at times.
pub(crate) fn answers_at_once() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the number of threads that a server's runtime should have, beside those for what blocks.
///
/// A long answer keeps its thread for up to a tenth of a second. Those threads that can be kept so come on
/// top of one for each core: a move always finds one that is free, and the system gives it a core at once,
/// since it needs one only briefly.
///
/// ```
/// let cores = std::thread::available_parallelism().map_or(1, usize::from);
/// assert!(parlor_server::worker_threads() > cores);
/// ```
pub fn worker_threads() -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    cores + answers_at_once()
}

/// Middleware that computes answers to those who only read in turns.
///
/// A page of a long game takes milliseconds. Hundreds that are asked for at once would keep all threads
/// from the moves of those who play.
pub(crate) async fn in_turn(
    State(state): State<AppState>,
    client: Client,
    request: Request,
    next: Next,
) -> Response {
    if changes_something(&request) || *request.method() == Method::OPTIONS {
        return next.run(request).await;
    }
    let closing = state.closing();
    let given_up = async {
        closing.await;
        sleep(LAST_TURNS).await;
    };
    let answered = state
        .readers()
        .work(client, LONGEST, given_up, next.run(request));
    answered.await.unwrap_or_else(|| {
        let refused = Error::crowded("the server is ending; ask again");
        refused.retry_after(1).into_response()
    })
}

/// Packs a page, which would otherwise be packed as it is sent, and so out of turn.
pub(crate) async fn packed(response: Response) -> Response {
    let kind = response.headers().get(CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_page = ["text/html", "application/json"]
        .iter()
        .any(|whole| kind.starts_with(whole));
    if !is_page {
        return response;
    }
    let (head, body) = response.into_parts();
    match to_bytes(body, usize::MAX).await {
        Ok(body) => Response::from_parts(head, Body::from(body)),
        Err(error) => Error::internal(error).into_response(),
    }
}
