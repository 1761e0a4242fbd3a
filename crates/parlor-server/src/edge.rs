//! Connections, and middleware around all routes: client addresses, rate limits, timeouts,
//! cross-site checks and security headers.

pub(crate) mod accept;
pub(crate) mod answer;
pub(crate) mod answers;
mod arrival;
mod busy;
mod by_address;
mod connections;
pub(crate) mod crowd;
mod cut;
pub(crate) mod disk;
pub(crate) mod floods;
pub(crate) mod git_budget;
mod heads;
mod held;
pub(crate) mod layers;
mod limit_log;
pub(crate) mod limits;
pub(crate) mod packed;
mod progress;
mod proxies;
pub(crate) mod rates;
mod read_ahead;
pub(crate) mod reading;
mod streams;
pub(crate) mod tls;
pub(crate) mod turns;
mod watch;

pub(crate) use self::limit_log::LimitLog;
pub use self::proxies::{BadProxy, TrustedProxies};
pub(crate) use self::rates::TableCreator;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Version};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use self::answer::{Answer, LiveStream};
use self::arrival::Arrival;
pub(crate) use self::cut::Cut;
use crate::error::{Error, LIMIT_HEADER};
use crate::live::LiveError;
use crate::{AppState, advice, git, web};

const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; \
     frame-ancestors 'none'",
);

/// Address of a client. For IPv6, only the network half is significant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client(pub(crate) IpAddr);

impl Client {
    /// Returns the client that sent a request.
    pub(crate) fn from_parts(parts: &Parts, state: &AppState) -> Client {
        let peer = parts
            .extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map(|ConnectInfo(peer)| peer.ip());
        client(peer, &parts.headers, state.trusted_proxies())
    }

    /// Returns the client at an address.
    fn of(address: IpAddr) -> Client {
        Client(match address {
            IpAddr::V4(_) => address,
            IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
                Some(v4) => IpAddr::V4(v4),
                None => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << 64))),
            },
        })
    }

    /// Returns the first address of the network that the client is in: of the 256 addresses that
    /// differ in the last byte only, or for IPv6 its own.
    pub(crate) fn network(self) -> Client {
        Client(match self.0 {
            IpAddr::V4(v4) => IpAddr::V4(Ipv4Addr::from_bits(v4.to_bits() & (u32::MAX << 8))),
            v6 @ IpAddr::V6(_) => v6,
        })
    }
}

impl FromRequestParts<AppState> for Client {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &AppState,
    ) -> Result<Client, Self::Rejection> {
        Ok(Client::from_parts(parts, state))
    }
}

fn client(peer: Option<IpAddr>, headers: &HeaderMap, proxies: &TrustedProxies) -> Client {
    let peer = peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
    Client::of(proxies.client(peer, headers))
}

/// Middleware that rejects or times out requests and adds security headers to the response.
pub(crate) async fn guard(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let answer = request.extensions().get::<Arc<Answer>>().cloned();
    let (arrival, request) = Arrival::watch(request);
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let peer = peer(&request);
    let client = client(peer, request.headers(), state.trusted_proxies());
    let is_proxy = peer.is_some_and(|peer| state.trusted_proxies().trusts(peer));
    if let Some(peer) = peer.filter(|_| !is_proxy) {
        proxies::hint_at_unknown(peer, request.headers());
    }
    // The clients of a proxy share its connections.
    let connection = request
        .extensions()
        .get::<Cut>()
        .filter(|_| !is_proxy)
        .cloned();
    if let Some(connection) = &connection
        && state.floods().is_shut_out(client)
    {
        connection.cut();
        return StatusCode::TOO_MANY_REQUESTS.into_response();
    }
    let only_reads = !changes_something(&request) || git::is_fetch(uri.path());
    let is_check = is_check_by_proxy(peer, &request, state.trusted_proxies());
    let turn = if is_check {
        Ok(None)
    } else {
        state.crowd().wait(client, state.answers()).await
    };
    let limited = match turn {
        _ if is_check => Ok(None),
        Ok(turn) => count(&state, &request, client).map(|()| turn),
        Err(error) => Err(error),
    };
    if let (Err(_), Some(connection)) = (&limited, connection)
        && state.floods().count(client)
    {
        connection.cut();
    }
    let admitted = limited.and_then(|turn| {
        if is_check {
            Ok(turn)
        } else {
            admit(&state, &request).map(|()| turn)
        }
    });
    let result = match admitted {
        Ok(turn) => {
            let run = tokio::time::timeout(state.limits().request_time, next.run(request));
            crowd::work_in_turn(turn, answer.as_deref(), run).await
        }
        Err(error) => {
            let wants_page = web::wants_page(&request);
            let is_whole = drain(request, state.limits().body).await;
            let mut refusal = web::refuse_briefly(error, wants_page);
            if !is_whole {
                let close = HeaderValue::from_static("close");
                refusal.headers_mut().insert(header::CONNECTION, close);
            }
            Ok(refusal)
        }
    };
    let mut response = result.unwrap_or_else(|_| {
        let error = too_late(&arrival, uri.path(), only_reads);
        match git::is_remote(uri.path()) {
            true => git::refuse(error),
            false => error.into_response(),
        }
    });
    if response.extensions().get::<LiveStream>().is_some()
        && let Some(answer) = answer
    {
        answer.uncount();
    }
    if let Some(limit) = response.headers().get(LIMIT_HEADER) {
        state.limit_log().note(limit, client, &method, &uri);
    }
    secure(response.headers_mut(), state.is_https());
    response
}

/// Returns the error for a request that was not answered in time, perhaps because its body arrives
/// in drips.
fn too_late(arrival: &Arrival, path: &str, only_reads: bool) -> Error {
    if arrival.is_awaited() {
        Error::timeout()
    } else if advice::is_asked_at(path) {
        advice::too_late()
    } else if only_reads {
        Error::too_slow()
    } else {
        Error::in_doubt("a request took too long")
    }
}

/// Reads the body of a request that is refused without looking at it. Otherwise a connection of HTTP/1
/// would be closed while the client still sends, and its next request would fail. Returns false if there
/// was too much, or if it came too slowly: then the connection is lost.
async fn drain(request: Request, limit: usize) -> bool {
    const PATIENCE: Duration = Duration::from_secs(1);
    if request.version() == Version::HTTP_2 {
        // Its stream alone ends.
        return true;
    }
    let body = axum::body::to_bytes(request.into_body(), limit);
    tokio::time::timeout(PATIENCE, body)
        .await
        .is_ok_and(|body| body.is_ok())
}

/// Returns the address that a request came from.
fn peer(request: &Request) -> Option<IpAddr> {
    let connection = request.extensions().get::<ConnectInfo<SocketAddr>>();
    connection.map(|ConnectInfo(peer)| peer.ip())
}

/// Counts a request for the limits of its client.
fn count(state: &AppState, request: &Request, client: Client) -> Result<(), Error> {
    if let Some(answer) = request.extensions().get::<Arc<Answer>>() {
        answer.count(state.answers(), client)?;
    }
    state.rates().request(client)
}

fn admit(state: &AppState, request: &Request) -> Result<(), Error> {
    if !names_one_host(request) {
        return Err(Error::bad_request("name the host once, in the header Host"));
    }
    if changes_something(request) && is_foreign(request.headers(), state.public_url()) {
        return Err(Error::forbidden(
            "cross-site",
            "requests from pages of other sites are not allowed",
        ));
    }
    if changes_something(request) && state.nodes().is_clock_wrong() {
        return Err(LiveError::WrongClock.into());
    }
    Ok(())
}

/// Returns true for a proxy's own question whether the server is well. It must not be refused because
/// of what strangers send: the proxy would send nobody to the server any more.
fn is_check_by_proxy(peer: Option<IpAddr>, request: &Request, proxies: &TrustedProxies) -> bool {
    let is_own = |headers: &HeaderMap| {
        !headers.contains_key(header::FORWARDED) && !headers.contains_key("x-forwarded-for")
    };
    matches!(request.uri().path(), "/healthz" | "/readyz")
        && peer.is_some_and(|peer| proxies.trusts(peer))
        && is_own(request.headers())
}

/// Returns true if a request names the host as its version of HTTP wants it: in one header since
/// HTTP/1.1, which HTTP/2 replaces by a part of the address.
fn names_one_host(request: &Request) -> bool {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    match request.version() {
        Version::HTTP_11 => hosts == 1,
        _ => hosts <= 1,
    }
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

/// Default for keeping an answer: its reader alone may, and asks again before using it.
const KEPT_BY_READER: HeaderValue = HeaderValue::from_static("private, no-cache");

fn secure(headers: &mut HeaderMap, https: bool) {
    let kept = headers
        .entry(header::CACHE_CONTROL)
        .or_insert(KEPT_BY_READER);
    if kept == "no-cache" {
        *kept = KEPT_BY_READER;
    }
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(POLICY);
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("same-origin"),
    );
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    if https {
        let year = HeaderValue::from_static("max-age=31536000");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, year);
    }
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
