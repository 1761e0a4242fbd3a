//! Quick matches over HTTP.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::SET_COOKIE;
use axum::response::Response;
use futures::StreamExt;
use serde::Deserialize;
use utoipa::IntoParams;

use super::events;
use crate::AppState;
use crate::auth::{self, Caller, Guest, Scope, Token, Who};
use crate::edge::{self, Client};
use crate::error::Error;
use crate::extract::{Body, Params, parse};
use crate::live::{self, Frame};
use crate::queue::{News, Queue, Wish};

/// Waits for an opponent.
///
/// The answer stays open while you wait, one line for each piece of news; who closes it has left. It begins with `waiting`
/// and ends with `matched`, `expired` or `left`; an empty line says that the stream is alive. Who waits twice leaves the
/// first place. With `Accept: text/event-stream` the news are server-sent events.
#[utoipa::path(
    post, path = "/queue", tag = "queue", request_body = Wish,
    responses((status = OK, content((News = "application/x-ndjson"), (String = "text/event-stream"))))
)]
pub(crate) async fn wait(
    State(state): State<AppState>,
    client: Client,
    caller: Option<Caller>,
    headers: HeaderMap,
    Body(wish): Body<Wish>,
) -> Result<Response, Error> {
    let token = Token::fresh();
    let (who, fresh) = match &caller {
        Some(caller) => (caller.who().clone(), None),
        None => (Who::guest(token.key()), Some(token)),
    };
    stream(&state, client, &headers, wish, caller.as_ref(), who, fresh).await
}

/// The same wish as an address.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Query {
    /// The game's name.
    game: String,
    /// The game's options, a JSON object.
    options: Option<String>,
    /// How much time the players have, a JSON object or `null`.
    clock: Option<String>,
    /// Whether the game counts for the players' ratings.
    #[serde(default)]
    rated: bool,
    /// How many rating points an opponent may be away at most.
    window: Option<u32>,
    /// The name to be shown.
    name: Option<String>,
}

impl Query {
    fn wish(self) -> Result<Wish, Error> {
        let Query {
            game,
            options,
            clock,
            rated,
            window,
            name,
        } = self;
        let options = options
            .map(|text| parse(text.as_bytes()))
            .transpose()?
            .unwrap_or_default();
        let clock = match clock.as_deref() {
            None => None,
            Some("null") => Some(None),
            Some(text) => Some(Some(parse(text.as_bytes())?)),
        };
        Ok(Wish {
            game,
            options,
            clock,
            rated,
            window,
            name,
        })
    }
}

/// Waits for an opponent, from a browser.
///
/// As the other method. A browser without a cookie gets one: it is who waits.
#[utoipa::path(
    get, path = "/queue", tag = "queue", params(Query),
    responses((status = OK, content((String = "text/event-stream"), (News = "application/x-ndjson"))))
)]
pub(crate) async fn listen(
    State(state): State<AppState>,
    client: Client,
    caller: Option<Caller>,
    guest: Guest,
    headers: HeaderMap,
    Params(query): Params<Query>,
) -> Result<Response, Error> {
    if edge::is_foreign(&headers, state.public_url()) {
        return Err(Error::forbidden(
            "cross-site",
            "a page of another site asked for this",
        ));
    }
    caller
        .as_ref()
        .map_or(Ok(()), |caller| caller.may(Scope::Play))?;
    let who = caller
        .as_ref()
        .map_or_else(|| guest.who().clone(), |caller| caller.who().clone());
    let mut response = stream(
        &state,
        client,
        &headers,
        query.wish()?,
        caller.as_ref(),
        who,
        None,
    )
    .await?;
    if let Some(cookie) = guest.set_cookie().filter(|_| caller.is_none()) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    Ok(response)
}

async fn stream(
    state: &AppState,
    client: Client,
    headers: &HeaderMap,
    wish: Wish,
    caller: Option<&Caller>,
    who: Who,
    fresh: Option<Token>,
) -> Result<Response, Error> {
    let revoked = auth::revoked(caller, state);
    let place = state.streams().open(client)?;
    state.quotas().count(client, who.keys().next())?;
    let news = Queue::enter(state, wish, who, fresh).await?.news();
    let frames = news.map(move |news| {
        let _held = &place;
        frame(&news)
    });
    let frames = frames
        .take_until(state.closing())
        .take_until(Box::pin(revoked));
    Ok(if events::wants_sse(headers) {
        events::as_sse(frames)
    } else {
        events::as_lines(frames)
    })
}

fn frame(news: &News) -> Arc<Frame> {
    let json = serde_json::to_string(news).unwrap_or_default();
    Arc::new(Frame {
        version: live::now().millis().unsigned_abs(),
        kind: news.kind().to_owned(),
        json,
    })
}
