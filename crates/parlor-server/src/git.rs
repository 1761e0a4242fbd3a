//! Every table as a git remote: clone it, push a move file, fetch the reply. Speaks git's smart
//! HTTP protocol; moves are checked by the table, as everywhere else.

mod repos;
mod workshop;

use std::time::Duration;

use axum::Router;
use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::{FromRequestParts, Path, Request, State};
use axum::http::header::{
    ACCEPT_ENCODING, AUTHORIZATION, CACHE_CONTROL, CONNECTION, CONTENT_ENCODING, CONTENT_TYPE,
    WWW_AUTHENTICATE,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{MethodRouter, get, post};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use futures::TryStreamExt;
use parlor_games::repository::MoveFile;
use parlor_git::GitError;
use parlor_git::serve::{BRANCH, PlayableMove, PushRefusal};
use parlor_git::wire::{self, PushRequest};
use parlor_table::{Command, Lag, MoveId, Refusal, TableId};
use serde::Deserialize;
use tokio::time::timeout;
use tower::ServiceBuilder;
use tower_http::decompression::RequestDecompressionLayer;

use crate::AppState;
use crate::auth::{Caller, Requester, Scope, Unscoped};
use crate::edge::Client;
use crate::error::Error;
use crate::extract::{self, Params};
use crate::live::{self, LiveError};

pub(crate) use self::repos::Repos;

/// Maximum size of a push, in bytes: more than any move needs.
const MAX_PUSH: usize = 1 << 20;
/// Bytes beyond that which are read and dropped, so that the connection can be used again.
const MAX_DROPPED: usize = 32 << 20;
/// Time for which a push is still read after an answer that did not wait for its end. Git, which sends
/// without a pause, would otherwise meet a closed connection before it looks for the answer.
const FAREWELL: Duration = Duration::from_secs(1);

/// Returns the routes of the git remotes.
pub(crate) fn routes(state: &AppState) -> Router<AppState> {
    Router::new()
        .route("/git/{name}", get(redirect_to_table))
        .route("/git/{name}/info/refs", get(refs))
        .route("/git/{name}/git-upload-pack", unpacked(post(upload_pack)))
        .route("/git/{name}/git-receive-pack", unpacked(post(receive_pack)))
        .layer(middleware::from_fn(token_as_password))
        .route_layer(middleware::from_fn_with_state(state.clone(), admit))
}

/// Unpacks the bodies of a route's requests.
fn unpacked(route: MethodRouter<AppState>) -> MethodRouter<AppState> {
    let layers = ServiceBuilder::new()
        .layer(middleware::from_fn(require_known_encoding))
        .layer(RequestDecompressionLayer::new());
    route.layer(layers)
}

/// Refuses a body that cannot be unpacked. Gzip has two names, in capitals or not.
async fn require_known_encoding(mut request: Request, next: Next) -> Response {
    let gzip = HeaderValue::from_static("gzip");
    let known = match request.headers_mut().get_mut(CONTENT_ENCODING) {
        None => true,
        Some(encoding) if is_any_of(encoding, &["gzip", "x-gzip"]) => {
            encoding.clone_from(&gzip);
            true
        }
        Some(encoding) => is_any_of(encoding, &["identity"]),
    };
    if known {
        return next.run(request).await;
    }
    let wanted = "it is, or packed with gzip: the server cannot read its Content-Encoding";
    let mut refusal = refuse(Error::media_type(wanted));
    refusal.headers_mut().insert(ACCEPT_ENCODING, gzip);
    refusal
}

fn is_any_of(value: &HeaderValue, names: &[&str]) -> bool {
    names
        .iter()
        .any(|name| value.as_bytes().eq_ignore_ascii_case(name.as_bytes()))
}

/// Returns true for the addresses of the remotes.
pub(crate) fn is_remote(path: &str) -> bool {
    path.starts_with("/git/")
}

/// Returns true for the address of a fetch, which changes nothing although it is a POST.
pub(crate) fn is_fetch(path: &str) -> bool {
    is_remote(path) && path.ends_with("/git-upload-pack")
}

/// Returns an error in the form that git shows.
pub(crate) fn refuse(error: Error) -> Response {
    RemoteError(error).into_response()
}

/// Admits a request within the budget of its address, which pays for the work on it.
async fn admit(
    State(state): State<AppState>,
    client: Client,
    request: Request,
    next: Next,
) -> Response {
    match state.git_budget().open(client) {
        Ok(permit) => repos::paid_by(permit, next.run(request)).await,
        Err(error) => refuse(error),
    }
}

/// Turns git's basic authentication into a bearer token: the password is the token, the name is
/// ignored.
async fn token_as_password(mut request: Request, next: Next) -> Response {
    let password = request.headers().get(AUTHORIZATION).and_then(|value| {
        let (scheme, text) = value.to_str().ok()?.split_once(' ')?;
        let text = scheme
            .eq_ignore_ascii_case("basic")
            .then(|| BASE64_STANDARD.decode(text.trim()).ok())??;
        let text = String::from_utf8(text).ok()?;
        text.split_once(':')
            .map(|(_, password)| password.to_owned())
    });
    if let Some(bearer) =
        password.and_then(|token| HeaderValue::try_from(format!("Bearer {token}")).ok())
    {
        request.headers_mut().insert(AUTHORIZATION, bearer);
    }
    next.run(request).await
}

/// Error response for git: plain text, with a basic authentication challenge for 401.
struct RemoteError(Error);

impl From<Error> for RemoteError {
    fn from(error: Error) -> RemoteError {
        RemoteError(error)
    }
}

impl From<LiveError> for RemoteError {
    fn from(error: LiveError) -> RemoteError {
        RemoteError(error.into())
    }
}

impl IntoResponse for RemoteError {
    fn into_response(self) -> Response {
        let (status, mut headers) = (self.0.status, self.0.report());
        if status == StatusCode::UNAUTHORIZED {
            let basic = HeaderValue::from_static(
                "Basic realm=\"Parlor: any name, and a token as the password\"",
            );
            headers.insert(WWW_AUTHENTICATE, basic);
        }
        let kind = [(CONTENT_TYPE, "text/plain; charset=utf-8")];
        (status, headers, kind, self.0.detail + "\n").into_response()
    }
}

/// Table whose repository the path names, with or without `.git`.
struct Remote(TableId);

impl FromRequestParts<AppState> for Remote {
    type Rejection = RemoteError;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<Remote, RemoteError> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        let id = path
            .ok()
            .and_then(|Path(name)| name.strip_suffix(".git").unwrap_or(&name).parse().ok());
        let id = id.ok_or_else(|| Error::not_found("there is no such table"))?;
        let visible = state.ensure_visible(id, parts).await;
        let is_anonymous = !parts.headers.contains_key(AUTHORIZATION);
        match visible {
            Ok(()) => Ok(Remote(id)),
            // Git only asks for a password if it gets a 401.
            Err(error) if is_anonymous && error.status == StatusCode::FORBIDDEN => {
                Err(RemoteError(Error::unauthorized(
                    "this table is private: the password is a player's token, or the code in the watchers' link",
                )))
            }
            Err(error) => Err(RemoteError(error)),
        }
    }
}

/// Redirects browsers from the remote's URL to the table's page.
async fn redirect_to_table(Remote(id): Remote) -> Redirect {
    Redirect::to(&format!("/t/{id}"))
}

#[derive(Debug, Deserialize)]
struct ServiceQuery {
    service: Option<String>,
}

/// Advertises refs for a fetch or a push. Git only asks for a password if it gets a 401 here.
async fn refs(
    State(state): State<AppState>,
    Remote(id): Remote,
    Params(ServiceQuery { service }): Params<ServiceQuery>,
    headers: HeaderMap,
    caller: Result<Option<Caller>, Error>,
) -> Result<Response, RemoteError> {
    let caller = caller?;
    match service.as_deref() {
        Some("git-upload-pack") => {
            let protocol = protocol(&headers);
            let is_second = protocol
                .as_deref()
                .is_some_and(|text| text.split(':').any(|word| word == "version=2"));
            let refs = state
                .repos()
                .with(&state, id, move |served| {
                    served.advertise(protocol.as_deref())
                })
                .await?;
            let refs = refs.map_err(|error| failed(error, Error::internal))?;
            let body = if is_second {
                refs
            } else {
                wire::service_advertisement("git-upload-pack", &refs)
            };
            Ok(answer("upload-pack-advertisement", body))
        }
        Some("git-receive-pack") => {
            require_player(caller)?;
            let tip = state
                .repos()
                .with(&state, id, |served| served.tip().to_owned())
                .await?;
            Ok(answer(
                "receive-pack-advertisement",
                wire::advertisement(BRANCH, &tip),
            ))
        }
        _ => Err(RemoteError(Error::forbidden(
            "git",
            "this address is for git: use git clone",
        ))),
    }
}

/// Returns the identity of a caller whose token has the scope `play`.
fn require_player(caller: Option<Caller>) -> Result<Requester, RemoteError> {
    let missing =
        || Error::unauthorized("to push a move, use a token of your account as the password");
    let caller = caller.ok_or_else(missing)?;
    caller.require(Scope::Play)?;
    Ok(caller.who().clone())
}

fn protocol(headers: &HeaderMap) -> Option<String> {
    let text = headers.get("git-protocol")?.to_str().ok()?;
    let sound = |c: char| c.is_ascii_alphanumeric() || "=:._-".contains(c);
    (text.len() <= 100 && text.chars().all(sound)).then(|| text.to_owned())
}

fn answer(kind: &str, body: Vec<u8>) -> Response {
    let kind = format!("application/x-git-{kind}");
    (
        [(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache".to_owned())],
        body,
    )
        .into_response()
}

/// Serves a fetch.
async fn upload_pack(
    State(state): State<AppState>,
    Remote(id): Remote,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, RemoteError> {
    let protocol = protocol(&headers);
    let output = state
        .repos()
        .with(&state, id, move |served| {
            served.upload_pack(&body, protocol.as_deref())
        })
        .await?;
    let refused = |error: GitError| Error::bad_request(error.to_string());
    let output = output.map_err(|error| failed(error, refused))?;
    Ok(answer("upload-pack-result", output))
}

/// Returns the error for a call of git that failed, unless the server ended it or has no git.
fn failed(error: GitError, otherwise: impl FnOnce(GitError) -> Error) -> Error {
    repos::explained(error).unwrap_or_else(otherwise)
}

/// Accepts a push.
async fn receive_pack(
    State(state): State<AppState>,
    Remote(id): Remote,
    caller: Result<Unscoped, Error>,
    body: Body,
) -> Result<Response, RemoteError> {
    let who = require_player(Some(caller?.0))?;
    let mut arriving = body.into_data_stream();
    let (body, is_whole) = beginning(&mut arriving).await?;
    let push = wire::read_push(&body);
    if !is_whole {
        let push = push.map_err(|_| Error::too_large(MAX_PUSH))?;
        let is_over = drop_rest(&mut arriving).await?;
        let detail = format!(
            "this push has more than {} MiB, which no move needs: push one commit that adds one move file",
            MAX_PUSH >> 20
        );
        let report = wire::push_report(&push, Err("too much"), &[detail]);
        let mut answer = answer("receive-pack-result", report);
        if !is_over {
            // Git shows the report of an answer with status 200 only, and stops sending once that is
            // complete and says that the connection ends.
            let close = HeaderValue::from_static("close");
            answer.headers_mut().insert(CONNECTION, close);
            tokio::spawn(timeout(FAREWELL, async move {
                while let Ok(Some(_)) = next_part(&mut arriving).await {}
            }));
        }
        return Ok(answer);
    }
    let push = push.map_err(|error| Error::bad_request(error.to_string()))?;
    // Git sends an empty push to check its password.
    if push.updates.is_empty() {
        return Ok(answer("receive-pack-result", Vec::new()));
    }
    let output = match judge_push(&state, id, &who, &push, &body).await? {
        Ok(wanted) => play(&state, id, who, wanted).await?,
        Err(refusal) => Err(refusal),
    };
    let body = match output {
        Ok(lines) => wire::push_report(&push, Ok(()), &lines),
        Err(PushRefusal { reason, detail }) => wire::push_report(&push, Err(reason), &[detail]),
    };
    Ok(answer("receive-pack-result", body))
}

/// Reads a push up to its maximum size. Returns false with it if there is more.
async fn beginning(body: &mut BodyDataStream) -> Result<(Bytes, bool), Error> {
    let mut read = Vec::new();
    while let Some(part) = next_part(body).await? {
        let room = MAX_PUSH - read.len();
        read.extend_from_slice(&part[..part.len().min(room)]);
        if part.len() > room {
            return Ok((read.into(), false));
        }
    }
    Ok((read.into(), true))
}

/// Reads the rest of a push that is too large, and keeps nothing of it. Returns false if there is still
/// more.
async fn drop_rest(body: &mut BodyDataStream) -> Result<bool, Error> {
    let mut left = MAX_DROPPED;
    while let Some(part) = next_part(body).await? {
        let Some(rest) = left.checked_sub(part.len()) else {
            return Ok(false);
        };
        left = rest;
    }
    Ok(true)
}

async fn next_part(body: &mut BodyDataStream) -> Result<Option<Bytes>, Error> {
    let part = body.try_next().await;
    part.map_err(|error| extract::unreadable(&error, error.to_string()))
}

/// Checks that a push contains a single move.
async fn judge_push(
    state: &AppState,
    id: TableId,
    who: &Requester,
    push: &PushRequest<'_>,
    body: &Bytes,
) -> Result<Result<PlayableMove, PushRefusal>, RemoteError> {
    let [update] = &push.updates[..] else {
        let detail = "push only to main".to_owned();
        return Ok(Err(PushRefusal {
            reason: "only main",
            detail,
        }));
    };
    let (who, update, pack) = (who.clone(), update.clone(), body.slice_ref(push.pack));
    let judged = state.repos().with(state, id, move |served| {
        let seats = who.seats(served.mirror().table());
        let quarantine = tempfile::tempdir()?;
        Ok::<_, std::io::Error>(served.check_push(&update, &pack, &seats, quarantine.path()))
    });
    Ok(judged.await?.map_err(Error::internal)?)
}

/// Plays a pushed move. Its commit is stored first, so that the table's log can refer to it.
async fn play(
    state: &AppState,
    id: TableId,
    who: Requester,
    wanted: PlayableMove,
) -> Result<Result<Vec<String>, PushRefusal>, RemoteError> {
    let PlayableMove { pushed, text, .. } = wanted;
    let (commit, version) = (pushed.id.clone(), pushed.version - 1);
    state.repos().keep(state, id, pushed).await?;
    let command = if text == MoveFile::RESIGN {
        Command::Resign
    } else {
        let move_id = MoveId::new(&commit).map_err(Error::from)?;
        Command::Move {
            text,
            id: Some(move_id),
            version: Some(version),
            lag: Lag::ZERO,
        }
    };
    let behind = || {
        let detail =
            "the table has changed: run git pull --rebase, look at it and decide again".to_owned();
        PushRefusal {
            reason: "fetch first",
            detail,
        }
    };
    match state.live().act(id, who, command, false).await {
        Ok(_) => {}
        Err(LiveError::Refused(Refusal::Stale { .. }) | LiveError::Conflict { .. }) => {
            return Ok(Err(behind()));
        }
        Err(LiveError::Refused(refused)) => {
            return Ok(Err(PushRefusal {
                reason: "refused",
                detail: refused.to_string(),
            }));
        }
        Err(error) => return Err(error.into()),
    }
    let output = state
        .repos()
        .with(state, id, move |served| {
            served.reply_to(&commit).map(str::to_owned)
        })
        .await?;
    Ok(output
        .ok_or_else(behind)
        .map(|message| push_report(&message)))
}

/// Returns the lines that git shows after an accepted push.
fn push_report(message: &str) -> Vec<String> {
    let told = message
        .lines()
        .filter_map(|line| line.strip_prefix("- "))
        .map(str::to_owned);
    told.chain(["git pull to get the table as it is now".to_owned()])
        .collect()
}

/// Returns the id of a table in the store.
fn table_key(id: TableId) -> i64 {
    live::table_key(id)
}

#[cfg(test)]
mod tests {
    use super::{is_fetch, is_remote};

    #[test]
    fn a_fetch_is_told_from_a_push() {
        assert!(is_fetch("/git/038rgpa4xp4.git/git-upload-pack"));
        for path in [
            "/git/038rgpa4xp4.git/git-receive-pack",
            "/git/038rgpa4xp4/info/refs",
            "/api/v1/tables/git-upload-pack",
        ] {
            assert!(!is_fetch(path), "{path}");
        }
        assert!(is_remote("/git/038rgpa4xp4/info/refs") && !is_remote("/api/v1/tables"));
    }
}
