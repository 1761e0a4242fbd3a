//! Extractors for requests. Anything that cannot be parsed becomes an [`Error`].

use axum::body::{Bytes, HttpBody};
use axum::extract::rejection::{BytesRejection, FailedToBufferBody};
use axum::extract::{FromRequest, FromRequestParts, OptionalFromRequest, Path, Query, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use parlor_table::TableId;
use serde::de::DeserializeOwned;

use crate::AppState;
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
    Bytes::from_request(request, state)
        .await
        .map_err(|rejection| match rejection {
            BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)) => {
                too_large
            }
            other => Error::bad_request(other.body_text()),
        })
}

/// Parses a JSON object. Distinguishes invalid JSON (400), also if nested too deeply, from an
/// unexpected shape (422).
pub(crate) fn parse<T: DeserializeOwned>(text: &[u8]) -> Result<T, Error> {
    let shape = match serde_json::from_slice(text) {
        Ok(value) if text.trim_ascii_start().starts_with(b"{") => return Ok(value),
        // Serde would also accept arrays for structs, which clients must not rely on.
        _ if text.trim_ascii_start().starts_with(b"[") => {
            Error::unprocessable("expected a JSON object, not an array")
        }
        Ok(_) => Error::unprocessable("expected a JSON object"),
        Err(error) => Error::unprocessable(error.to_string()),
    };
    let syntax = serde_json::from_slice::<serde_json::Value>(text).err();
    Err(syntax.map_or(shape, |error| {
        Error::bad_request(format!("invalid JSON: {error}"))
    }))
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

/// The table id in the path.
#[derive(Debug)]
pub(crate) struct TablePath(pub(crate) TableId);

impl FromRequestParts<AppState> for TablePath {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<TablePath, Error> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        let id = path.ok().and_then(|Path(text)| text.parse().ok());
        id.map(TablePath)
            .ok_or_else(|| Error::not_found("there is no such table"))
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

/// The query parameters.
#[derive(Debug)]
pub(crate) struct Params<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<AppState> for Params<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Params<T>, Error> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        query
            .map(|Query(value)| Params(value))
            .map_err(|rejection| Error::bad_request(rejection.body_text()))
    }
}
