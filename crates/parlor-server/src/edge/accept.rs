//! The accept loop: connections with limits of their own, before any request.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::ConnectInfo;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt;
use tower_http::timeout::TimeoutBody;

use super::Client;
use super::busy::{BusyBody, Requests};
use super::connections::{ConnectionPermit, Connections};
use super::held::Held;
use super::tls::{self, Tls};
use crate::{AppState, ConnectionLimits};

/// Time that a connection gets to close after it was asked to.
const FAREWELL: Duration = Duration::from_secs(1);

/// Accepts and serves connections.
#[derive(Debug)]
pub(crate) struct Acceptor {
    pub(crate) listener: TcpListener,
    pub(crate) limits: ConnectionLimits,
    pub(crate) state: AppState,
    pub(crate) tls: Option<Arc<Tls>>,
}

impl Acceptor {
    /// Serves connections until the state closes; then completes when pending requests are
    /// finished.
    pub(crate) async fn run(self, router: Router) {
        let open = Arc::new(Connections::new(self.limits.total, self.limits.per_address));
        let mut closing = pin!(self.state.closing());
        let (mut serving, mut told) = (JoinSet::new(), None);
        loop {
            let accepted = tokio::select! {
                accepted = accept(&self.listener, &mut told) => accepted,
                Some(_) = serving.join_next() => continue,
                () = &mut closing => break,
            };
            let (stream, peer) = accepted;
            // Without a permit the socket is dropped, which closes it.
            let is_proxy = self.state.trusted_proxies().trusts(peer.ip());
            if let Some(permit) = open.open(Client::of(peer.ip()), is_proxy) {
                let connection = Connection {
                    peer,
                    limits: self.limits.clone(),
                    router: router.clone(),
                    requests: Requests::default(),
                    tls: self.tls.as_ref().map(|tls| tls.acceptor()),
                };
                serving.spawn(connection.serve(stream, permit, self.state.closing()));
            }
        }
        drop(self.listener);
        while serving.join_next().await.is_some() {}
    }
}

/// Accepts a connection. Errors, such as too many open files, are waited out: they concern one
/// connection, or pass. `told` is when one was logged last.
async fn accept(listener: &TcpListener, told: &mut Option<Instant>) -> (TcpStream, SocketAddr) {
    const PAUSE: Duration = Duration::from_millis(50);
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) => tell(&error, told),
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Logs an error, unless another was logged within the last second.
fn tell(error: &io::Error, told: &mut Option<Instant>) {
    const EVERY: Duration = Duration::from_secs(1);
    if told.is_none_or(|told| told.elapsed() >= EVERY) {
        tracing::warn!(%error, "cannot accept a connection; trying again");
        *told = Some(Instant::now());
    }
}

/// Everything that serving one connection needs.
struct Connection {
    peer: SocketAddr,
    limits: ConnectionLimits,
    router: Router,
    requests: Requests,
    tls: Option<TlsAcceptor>,
}

impl Connection {
    /// Serves requests until the connection is closed, is idle for too long, or the server closes.
    async fn serve(
        self,
        stream: TcpStream,
        permit: ConnectionPermit,
        closing: impl Future<Output = ()>,
    ) {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "could not disable the delay of a connection");
        }
        let Some(tls) = self.tls.clone() else {
            let held = Held {
                stream,
                _permit: permit,
            };
            return self.serve_on(held, closing).await;
        };
        let handshake = async {
            let Some(stream) = tls::without_plain_http(stream).await? else {
                return Ok(None);
            };
            let held = Held {
                stream,
                _permit: permit,
            };
            tls.accept(held).await.map(Some)
        };
        match timeout(self.limits.header_time, handshake).await {
            Ok(Ok(Some(stream))) => self.serve_on(stream, closing).await,
            Ok(Ok(None)) => {}
            Ok(Err(error)) => tracing::trace!(%error, "a TLS handshake failed"),
            Err(_) => tracing::trace!("a TLS handshake took too long"),
        }
    }

    async fn serve_on(
        self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        closing: impl Future<Output = ()>,
    ) {
        let io = TokioIo::new(stream);
        let builder = protocols(&self.limits);
        let service = service_fn(|request| self.answer(request));
        let mut serving = pin!(builder.serve_connection_with_upgrades(io, service));
        tokio::select! {
            result = &mut serving => return log(result),
            () = self.requests.until_idle(self.limits.header_time, self.limits.idle_time) => {}
            () = closing => {}
        }
        serving.as_mut().graceful_shutdown();
        tokio::select! {
            result = &mut serving => log(result),
            () = self.requests.until_idle(FAREWELL, FAREWELL) => {}
        }
    }

    fn answer(
        &self,
        request: Request<Incoming>,
    ) -> impl Future<Output = Result<Response<BusyBody>, Infallible>> + Send + 'static {
        let body_time = self.limits.body_time;
        let mut request = request.map(|body| {
            if body.is_end_stream() {
                Body::empty()
            } else {
                Body::new(TimeoutBody::new(body_time, body))
            }
        });
        request.extensions_mut().insert(ConnectInfo(self.peer));
        let (router, busy) = (self.router.clone(), self.requests.begin());
        async move {
            let response = router.oneshot(request).await?;
            Ok(response.map(|body| BusyBody { body, _busy: busy }))
        }
    }
}

/// Returns the protocols: HTTP/1.1, and HTTP/2 by prior knowledge.
fn protocols(limits: &ConnectionLimits) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_time.max(limits.idle_time));
    builder.http2().timer(TokioTimer::new());
    builder
}

fn log(result: Result<(), Box<dyn std::error::Error + Send + Sync>>) {
    if let Err(error) = result {
        tracing::trace!(error, "a connection ended");
    }
}
