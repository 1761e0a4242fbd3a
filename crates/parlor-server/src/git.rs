//! Every table as a git remote: clone it, push a move file, fetch the answer. Git's own protocol over HTTP; whether a move counts is
//! decided where it always is, by the table.

mod repos;

use std::convert::Infallible;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequestParts, Path, Request, State};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, WWW_AUTHENTICATE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use parlor_games::repository::MoveFile;
use parlor_git::serve::{BRANCH, Refusal, Wanted};
use parlor_git::wire::{self, Push};
use parlor_table::{Command, MoveId, Refused, TableId};
use serde::Deserialize;
use tower_http::decompression::RequestDecompressionLayer;

use crate::AppState;
use crate::auth::{Caller, Scope, Unscoped, Who};
use crate::error::Error;
use crate::extract::Params;
use crate::live::{self, LiveError};

pub(crate) use self::repos::Repos;

/// The longest push that is looked at, in bytes: more than any move needs, so that what is too long is refused with a reason.
const LONGEST_PUSH: usize = 1 << 20;

/// The remotes.
pub(crate) fn routes() -> Router<AppState> {
    let longest = DefaultBodyLimit::max(LONGEST_PUSH);
    Router::new()
        .route("/git/{name}", get(page))
        .route("/git/{name}/info/refs", get(refs))
        .route(
            "/git/{name}/git-upload-pack",
            post(upload).layer(RequestDecompressionLayer::new()),
        )
        .route(
            "/git/{name}/git-receive-pack",
            post(receive)
                .layer::<_, Infallible>(RequestDecompressionLayer::new())
                .layer(longest),
        )
        .layer(middleware::from_fn(token_as_password))
}

/// Git sends a name and a password, where the rest of the house reads a token: the password is the token, the name does not matter.
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

/// What is wrong, as git shows it: a plain text, and a question for name and password.
struct Told(Error);

impl From<Error> for Told {
    fn from(error: Error) -> Told {
        Told(error)
    }
}

impl From<LiveError> for Told {
    fn from(error: LiveError) -> Told {
        Told(error.into())
    }
}

impl IntoResponse for Told {
    fn into_response(self) -> Response {
        let problem = self.0.problem();
        let status = problem.status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let text = problem.detail.unwrap_or_default() + "\n";
        let mut response =
            (status, [(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response();
        if status == StatusCode::UNAUTHORIZED {
            let basic = HeaderValue::from_static(
                "Basic realm=\"Parlor: any name, and a token as the password\"",
            );
            response.headers_mut().insert(WWW_AUTHENTICATE, basic);
        }
        response
    }
}

/// The table whose repository the path names, with or without `.git`.
struct Remote(TableId);

impl FromRequestParts<AppState> for Remote {
    type Rejection = Told;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Remote, Told> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        let id = path
            .ok()
            .and_then(|Path(name)| name.strip_suffix(".git").unwrap_or(&name).parse().ok());
        id.map(Remote)
            .ok_or_else(|| Told(Error::not_found("there is no such table")))
    }
}

/// Whoever opens the remote's address in a browser wants to see the table.
async fn page(Remote(id): Remote) -> Redirect {
    Redirect::to(&format!("/t/{id}"))
}

#[derive(Debug, Deserialize)]
struct Service {
    service: Option<String>,
}

/// What there is to fetch, or where a push would begin. Git asks for a password only if it is told so here.
async fn refs(
    State(state): State<AppState>,
    Remote(id): Remote,
    Params(Service { service }): Params<Service>,
    headers: HeaderMap,
    caller: Result<Option<Caller>, Error>,
) -> Result<Response, Told> {
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
            let refs = refs.map_err(Error::internal)?;
            let body = if is_second {
                refs
            } else {
                wire::announced("git-upload-pack", &refs)
            };
            Ok(answer("upload-pack-advertisement", body))
        }
        Some("git-receive-pack") => {
            player(caller)?;
            let tip = state
                .repos()
                .with(&state, id, |served| served.tip().to_owned())
                .await?;
            Ok(answer(
                "receive-pack-advertisement",
                wire::advertisement(BRANCH, &tip),
            ))
        }
        _ => Err(Told(Error::forbidden(
            "git",
            "this address is for git: git clone it",
        ))),
    }
}

/// Somebody whose token may play.
fn player(caller: Option<Caller>) -> Result<Who, Told> {
    let missing =
        || Error::unauthorized("to push a move, give a token of your account as the password");
    let caller = caller.ok_or_else(missing)?;
    caller.may(Scope::Play)?;
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

/// Somebody fetches.
async fn upload(
    State(state): State<AppState>,
    Remote(id): Remote,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Told> {
    let protocol = protocol(&headers);
    let said = state
        .repos()
        .with(&state, id, move |served| {
            served.upload_pack(&body, protocol.as_deref())
        })
        .await?;
    let said = said.map_err(|error| Error::bad_request(error.to_string()))?;
    Ok(answer("upload-pack-result", said))
}

/// Somebody pushes.
async fn receive(
    State(state): State<AppState>,
    Remote(id): Remote,
    caller: Result<Unscoped, Error>,
    body: Bytes,
) -> Result<Response, Told> {
    let who = player(Some(caller?.0))?;
    let push = wire::read_push(&body).map_err(|error| Error::bad_request(error.to_string()))?;
    // Git asks with an empty push whether its password is good.
    if push.updates.is_empty() {
        return Ok(answer("receive-pack-result", Vec::new()));
    }
    let said = match look(&state, id, &who, &push, &body).await? {
        Ok(wanted) => play(&state, id, who, wanted).await?,
        Err(refusal) => Err(refusal),
    };
    let body = match said {
        Ok(lines) => wire::answer(&push, Ok(()), &lines),
        Err(Refusal { reason, told }) => wire::answer(&push, Err(reason), &[told]),
    };
    Ok(answer("receive-pack-result", body))
}

/// Whether what was pushed is a move.
async fn look(
    state: &AppState,
    id: TableId,
    who: &Who,
    push: &Push<'_>,
    body: &Bytes,
) -> Result<Result<Wanted, Refusal>, Told> {
    let [update] = &push.updates[..] else {
        let told = "push to main, and to nothing else".to_owned();
        return Ok(Err(Refusal {
            reason: "only main",
            told,
        }));
    };
    let (who, update, pack) = (who.clone(), update.clone(), body.slice_ref(push.pack));
    let judged = state.repos().with(state, id, move |served| {
        let seats = who.seats(served.mirror().table());
        let quarantine = tempfile::tempdir()?;
        Ok::<_, std::io::Error>(served.judge(&update, &pack, &seats, quarantine.path()))
    });
    Ok(judged.await?.map_err(Error::internal)?)
}

/// Plays a move that was pushed. Its commit is stored first: the table's log then names it.
async fn play(
    state: &AppState,
    id: TableId,
    who: Who,
    wanted: Wanted,
) -> Result<Result<Vec<String>, Refusal>, Told> {
    let Wanted { pushed, text, .. } = wanted;
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
        }
    };
    let behind = || {
        let told =
            "the table has moved on: git pull --rebase, look at it, and decide anew".to_owned();
        Refusal {
            reason: "fetch first",
            told,
        }
    };
    match state.live().act(id, who, command, false).await {
        Ok(_) => {}
        Err(LiveError::Refused(Refused::Stale { .. }) | LiveError::Conflict { .. }) => {
            return Ok(Err(behind()));
        }
        Err(LiveError::Refused(refused)) => {
            return Ok(Err(Refusal {
                reason: "refused",
                told: refused.to_string(),
            }));
        }
        Err(error) => return Err(error.into()),
    }
    let said = state
        .repos()
        .with(state, id, move |served| {
            served.told(&commit).map(str::to_owned)
        })
        .await?;
    Ok(said.ok_or_else(behind).map(|message| lines(&message)))
}

/// What is told to whoever pushed a move.
fn lines(message: &str) -> Vec<String> {
    let told = message
        .lines()
        .filter_map(|line| line.strip_prefix("- "))
        .map(str::to_owned);
    told.chain(["git pull brings the table as it is now".to_owned()])
        .collect()
}

/// The number of a table in the store.
fn key(id: TableId) -> i64 {
    live::key(id)
}
