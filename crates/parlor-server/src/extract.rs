//! Reading requests. Whatever cannot be read becomes our own [`Error`].

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

/// A JSON body that may be left out.
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

/// The raw body, as far as it is allowed to be long.
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

/// Reads a JSON object. What is no JSON at all, or nested too deeply, is told from what has another shape.
pub(crate) fn parse<T: DeserializeOwned>(text: &[u8]) -> Result<T, Error> {
    let shape = match serde_json::from_slice(text) {
        // Structures would be read from lists as well, which nobody should get used to.
        Ok(value) if text.trim_ascii_start().starts_with(b"{") => return Ok(value),
        Ok(_) => Error::unprocessable("an object is needed, not a list"),
        Err(error) => Error::unprocessable(error.to_string()),
    };
    let syntax = serde_json::from_slice::<serde_json::Value>(text).err();
    Err(syntax.map_or(shape, |error| {
        Error::bad_request(format!("that is no JSON: {error}"))
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

/// The table named in the path.
#[derive(Debug)]
pub(crate) struct Id(pub(crate) TableId);

impl FromRequestParts<AppState> for Id {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Id, Error> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        let id = path.ok().and_then(|Path(text)| text.parse().ok());
        id.map(Id)
            .ok_or_else(|| Error::not_found("there is no such table"))
    }
}

/// A name in the path. One that cannot be read names nobody.
#[derive(Debug)]
pub(crate) struct Named(pub(crate) String);

impl FromRequestParts<AppState> for Named {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Named, Error> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        path.map(|Path(name)| Named(name))
            .map_err(|_| Error::not_found("there is nobody of that name"))
    }
}

/// The query of the address.
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
