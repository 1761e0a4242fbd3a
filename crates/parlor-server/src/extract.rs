//! Extractors for requests. Anything that cannot be parsed becomes an [`Error`].

use std::borrow::Cow;

use axum::body::{Bytes, HttpBody};
use axum::extract::rejection::{BytesRejection, FailedToBufferBody};
use axum::extract::{FromRequest, FromRequestParts, OptionalFromRequest, Path, Query, Request};
use axum::http::Uri;
use axum::http::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::request::Parts;
use parlor_table::TableId;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tower_http::timeout::TimeoutError;

use crate::AppState;
use crate::auth::Caller;
use crate::error::Error;

/// A JSON body.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<AppState> for Body<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &AppState) -> Result<Body<T>, Error> {
        if !is_json(&request) {
            return Err(Error::media_type("application/json"));
        }
        let bytes = bytes(request, state).await?;
        parse(&bytes).map(Body)
    }
}

/// An optional JSON body.
impl<T: DeserializeOwned> OptionalFromRequest<AppState> for Body<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &AppState) -> Result<Option<Body<T>>, Error> {
        if request.headers().contains_key(CONTENT_TYPE) || !request.body().is_end_stream() {
            <Body<T> as FromRequest<AppState>>::from_request(request, state)
                .await
                .map(Some)
        } else {
            Ok(None)
        }
    }
}

/// Reads the raw body, up to the size limit.
pub(crate) async fn bytes(request: Request, state: &AppState) -> Result<Bytes, Error> {
    let too_large = Error::too_large(state.limits().body);
    // A body that is announced as too large need not be sent.
    if announced_length(&request) > Some(state.limits().body) {
        return Err(too_large);
    }
    Bytes::from_request(request, state)
        .await
        .map_err(|rejection| match rejection {
            BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)) => {
                too_large
            }
            other => unreadable(&other, other.body_text()),
        })
}

/// Returns the length of the body as its header announces it.
fn announced_length(request: &Request) -> Option<usize> {
    let value = request.headers().get(CONTENT_LENGTH)?;
    value.to_str().ok()?.parse().ok()
}

/// Returns the error for a body that cannot be read: 408 if it stopped arriving, or 400.
pub(crate) fn unreadable(rejection: &(dyn std::error::Error + 'static), detail: String) -> Error {
    let mut causes = std::iter::successors(Some(rejection), |error| error.source());
    if causes.any(|cause| cause.is::<TimeoutError>()) {
        Error::timeout()
    } else {
        Error::bad_request(detail)
    }
}

/// Parses a JSON object. Distinguishes invalid JSON (400), also if nested too deeply, from an
/// unexpected shape (422).
pub(crate) fn parse<T: DeserializeOwned>(text: &[u8]) -> Result<T, Error> {
    let text = &*with_plain_integers(text);
    let shape = match serde_json::from_slice(text) {
        Ok(value) if text.trim_ascii_start().starts_with(b"{") => return Ok(value),
        // Serde would also accept arrays for structs, which clients must not rely on.
        _ if text.trim_ascii_start().starts_with(b"[") => {
            Error::unprocessable("expected a JSON object, not an array")
        }
        Ok(_) => Error::unprocessable("expected a JSON object"),
        Err(error) => Error::unprocessable(error.to_string()),
    };
    let syntax = serde_json::from_slice::<Value>(text).err();
    Err(syntax.map_or(shape, |error| {
        Error::bad_request(format!("invalid JSON: {error}"))
    }))
}

/// Writes numbers such as `16.0` and `2e3` as integers, which they are to JSON Schema but not to
/// serde.
fn with_plain_integers(text: &[u8]) -> Cow<'_, [u8]> {
    let is_suspect = |bytes: &[u8]| {
        bytes == b"-0" || bytes[0].is_ascii_digit() && matches!(bytes[1], b'.' | b'e' | b'E')
    };
    if !text.windows(2).any(is_suspect) {
        return Cow::Borrowed(text);
    }
    let parsed = serde_json::from_slice(text).ok();
    let written = parsed.and_then(|mut value: Value| {
        make_integers(&mut value);
        serde_json::to_vec(&value).ok()
    });
    // Invalid JSON is left for the parser to refuse.
    written.map_or(Cow::Borrowed(text), Cow::Owned)
}

fn make_integers(value: &mut Value) {
    /// Integers of up to this size are exact as floating-point numbers.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) if number.is_f64() => {
            let float = number.as_f64().unwrap_or(f64::NAN);
            if float.fract() == 0.0 && float.abs() <= EXACT {
                *value = (float as i64).into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(make_integers),
        Value::Object(fields) => fields.values_mut().for_each(make_integers),
        _ => {}
    }
}

fn is_json(request: &Request) -> bool {
    let value = request
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let essence = value.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

/// The table id in the path, also of a private table that the sender may not see: for those who show
/// its invite in the body.
#[derive(Debug)]
pub(crate) struct UnseenTablePath(pub(crate) TableId);

impl FromRequestParts<AppState> for UnseenTablePath {
    type Rejection = Error;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<UnseenTablePath, Error> {
        // A path may have further parameters.
        #[derive(serde::Deserialize)]
        struct Named {
            id: String,
        }
        let path = Path::<Named>::from_request_parts(parts, state).await;
        let id = path.ok().and_then(|Path(named)| named.id.parse().ok());
        id.map(UnseenTablePath)
            .ok_or_else(|| Error::not_found("there is no such table"))
    }
}

/// The table id in the path, of a table that the sender may see.
#[derive(Debug)]
pub(crate) struct TablePath(pub(crate) TableId);

impl FromRequestParts<AppState> for TablePath {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<TablePath, Error> {
        let UnseenTablePath(id) = UnseenTablePath::from_request_parts(parts, state).await?;
        // A person who asks for anything of a table is there.
        Caller::note(parts, state).await;
        state.ensure_visible(id, parts).await?;
        Ok(TablePath(id))
    }
}

/// The table id in the path, of a table that the sender may see. What a program with a token then
/// reads is not older than its request, whichever node it heard of the table from.
#[derive(Debug)]
pub(crate) struct PresentTablePath(pub(crate) TableId);

impl FromRequestParts<AppState> for PresentTablePath {
    type Rejection = Error;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<PresentTablePath, Error> {
        let TablePath(id) = TablePath::from_request_parts(parts, state).await?;
        if parts.headers.contains_key(AUTHORIZATION) {
            state.live().confirm(id).await?;
        }
        Ok(PresentTablePath(id))
    }
}

/// A name in the path. One that cannot be decoded is not found.
#[derive(Debug)]
pub(crate) struct NamePath(pub(crate) String);

impl FromRequestParts<AppState> for NamePath {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<NamePath, Error> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        path.map(|Path(name)| NamePath(name))
            .map_err(|_| Error::not_found("there is no member with that name"))
    }
}

/// The query parameters. The token of a link to a private table may be among them on every route,
/// whether the route knows it or not.
#[derive(Debug)]
pub(crate) struct Params<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<AppState> for Params<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Params<T>, Error> {
        let query = parts.uri.query().unwrap_or_default();
        if without_links(query).contains("%00") {
            // No database can look for it.
            return Err(Error::bad_request("the query has a NUL character (%00)"));
        }
        let query = Query::<T>::from_request_parts(parts, state).await;
        let query = query.or_else(|rejection| {
            let without_links = without_links(parts.uri.query().unwrap_or_default());
            let uri = Uri::builder()
                .path_and_query(format!("/?{without_links}"))
                .build();
            let query = uri.ok().and_then(|uri| Query::<T>::try_from_uri(&uri).ok());
            query.ok_or(rejection)
        });
        query
            .map(|Query(value)| Params(value))
            .map_err(|rejection| Error::bad_request(rejection.body_text()))
    }
}

/// Leaves the tokens of links to private tables out of a query.
fn without_links(query: &str) -> String {
    let is_link = |part: &&str| part.starts_with("invite=") || part.starts_with("watch=");
    let parts: Vec<&str> = query.split('&').filter(|part| !is_link(part)).collect();
    parts.join("&")
}
