//! Middleware around all routes: client addresses, rate limits, timeouts, cross-site checks and
//! security headers.

pub(crate) mod attempts;
pub(crate) mod layers;
pub(crate) mod limits;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::AppState;
use crate::error::Error;

const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; \
     frame-ancestors 'none'",
);
/// The API documentation page needs inline styles.
const DOCS_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
     frame-ancestors 'none'",
);

/// Address of a client. For IPv6, only the network half is significant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client(pub(crate) IpAddr);

impl FromRequestParts<AppState> for Client {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<Client, Self::Rejection> {
        let peer = parts
            .extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map(|ConnectInfo(peer)| peer.ip());
        Ok(client(peer, &parts.headers, state.trust_proxy()))
    }
}

fn client(peer: Option<IpAddr>, headers: &HeaderMap, trust_proxy: bool) -> Client {
    let forwarded = || {
        let last = headers
            .get_all("x-forwarded-for")
            .into_iter()
            .next_back()?
            .to_str()
            .ok()?;
        last.rsplit(',').next()?.trim().parse().ok()
    };
    let address = trust_proxy
        .then(forwarded)
        .flatten()
        .or(peer)
        .unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
    Client(match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => IpAddr::V4(v4),
            None => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << 64))),
        },
    })
}

/// Middleware that rejects or times out requests and adds security headers to the response.
pub(crate) async fn guard(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let docs = request.uri().path().starts_with("/api/docs");
    let result = match admit(&state, &request) {
        Ok(()) => tokio::time::timeout(state.limits().request_time, next.run(request)).await,
        Err(error) => Ok(error.into_response()),
    };
    let mut response =
        result.unwrap_or_else(|_| Error::unavailable("a request took too long").into_response());
    secure(response.headers_mut(), docs);
    response
}

fn admit(state: &AppState, request: &Request) -> Result<(), Error> {
    if let Some(rate) = state.rate() {
        let peer = request
            .extensions()
            .get::<ConnectInfo<SocketAddr>>()
            .map(|ConnectInfo(peer)| peer.ip());
        rate.check(client(peer, request.headers(), state.trust_proxy()))?;
    }
    if changes_something(request) && is_foreign(request.headers(), state.public_url()) {
        return Err(Error::forbidden(
            "cross-site",
            "requests from pages of other sites are not allowed",
        ));
    }
    Ok(())
}

/// Returns true for unsafe methods and for WebSocket upgrades, which use GET but can play moves.
fn changes_something(request: &Request) -> bool {
    let safe = matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    !safe || request.headers().contains_key(header::UPGRADE)
}

/// Returns true if a browser reports that another site's page made the request. A request with a
/// token in its header cannot be forged that way.
pub(crate) fn is_foreign(headers: &HeaderMap, public_url: Option<&str>) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if headers.contains_key(header::AUTHORIZATION) {
        return false;
    }
    if let Some(site) = text(HeaderName::from_static("sec-fetch-site")) {
        return !matches!(site, "same-origin" | "none");
    }
    let Some(origin) = text(header::ORIGIN) else {
        return headers.contains_key(header::ORIGIN);
    };
    let host = origin.split_once("://").map(|(_, host)| host);
    host.is_none() || (host != text(header::HOST) && Some(origin) != public_url)
}

fn secure(headers: &mut HeaderMap, docs: bool) {
    let policy = if docs { DOCS_POLICY } else { POLICY };
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(policy);
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("same-origin"),
    );
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
}

/// Fallback for unknown paths.
pub(crate) async fn nowhere() -> Error {
    Error::not_found("there is nothing at this address")
}

/// Fallback for unsupported methods.
pub(crate) async fn wrong_method() -> Error {
    Error::method_not_allowed()
}

/// Response for a handler that panicked.
pub(crate) fn panicked(cause: Box<dyn std::any::Any + Send>) -> Response {
    let text = cause
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| cause.downcast_ref::<&str>().copied());
    let response = Error::internal(text.unwrap_or("a handler panicked")).into_response();
    debug_assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
    response
}
