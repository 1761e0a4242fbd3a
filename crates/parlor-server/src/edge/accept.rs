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
use axum::http::header::CONTENT_ENCODING;
use axum::http::{Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_util::io::InspectReader;
use tower::ServiceExt;
use tower_http::timeout::TimeoutBody;

use super::Client;
use super::answer::{Answer, AnswerBody};
use super::busy::PATIENCE;
use super::connections::{ConnectionPermit, Connections, OpenConnection};
use super::held::Held;
use super::read_ahead::ReadAhead;
use super::streams::{self, StreamTasks};
use super::tls::{self, Tls};
use super::watch::Watch;
use crate::{AppState, ConnectionLimits};

/// Time that a connection gets to close after it was asked to.
const FAREWELL: Duration = Duration::from_secs(1);
/// Time for which a server that closes takes one more request on a connection: it may be on its way.
const LAST_REQUEST: Duration = Duration::from_millis(500);

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
            tokio::select! {
                (stream, peer) = accept(&self.listener, &mut told) => {
                    self.begin(stream, peer, &open, &router, &mut serving);
                }
                Some(_) = serving.join_next() => {}
                () = &mut closing => break,
            }
        }
        for (stream, peer) in self.waiting() {
            self.begin(stream, peer, &open, &router, &mut serving);
        }
        drop(self.listener);
        while serving.join_next().await.is_some() {}
    }

    /// Begins to serve a connection, if there is room for it.
    fn begin(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        open: &Arc<Connections>,
        router: &Router,
        serving: &mut JoinSet<()>,
    ) {
        let is_proxy = self.state.trusted_proxies().trusts(peer.ip());
        let known = OpenConnection::default();
        let client = Client::of(peer.ip());
        if !is_proxy && self.state.floods().is_shut_out(client) {
            metrics::counter!("parlor_connections_refused_total").increment(1);
            return;
        }
        let Some(permit) = open.open(client, is_proxy, known.clone()) else {
            // The socket is dropped, which closes it.
            return self.state.limit_log().note_other("connections", client);
        };
        let connection = Connection {
            state: self.state.clone(),
            peer,
            is_proxy,
            limits: self.limits.clone(),
            router: router.clone(),
            known: known.clone(),
            tls: self.tls.as_ref().map(|tls| tls.acceptor()),
        };
        let served = connection.serve(stream, permit, self.state.closing());
        serving.spawn(async move {
            tokio::select! {
                () = served => {}
                () = known.cut.wait() => {}
            }
        });
    }

    /// Returns the connections that were made but not accepted yet. Clients may have sent a request
    /// over them already, and do not send it again elsewhere if they cannot know that it was not read.
    fn waiting(&self) -> Vec<(TcpStream, SocketAddr)> {
        /// More than any backlog. New ones may arrive as fast as they are accepted.
        const MOST: usize = 4_096;
        let socket = SockRef::from(&self.listener);
        let accepted = std::iter::from_fn(|| socket.accept().ok());
        let connections = accepted.filter_map(|(socket, peer)| {
            socket.set_nonblocking(true).ok()?;
            Some((TcpStream::from_std(socket.into()).ok()?, peer.as_socket()?))
        });
        connections.take(MOST).collect()
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
    state: AppState,
    peer: SocketAddr,
    is_proxy: bool,
    limits: ConnectionLimits,
    router: Router,
    known: OpenConnection,
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
        let unread_time = self.limits.unread_time;
        let requests = self.known.requests.clone();
        let Some(tls) = self.tls.clone() else {
            let held = Held::new(stream, unread_time, requests, permit);
            return self.serve_on(held, closing).await;
        };
        let handshake = async {
            let Some(stream) = tls::without_plain_http(stream).await? else {
                return Ok(None);
            };
            let held = Held::new(stream, unread_time, requests, permit);
            tls.accept(held).await.map(Some)
        };
        let mut closing = pin!(closing);
        let handshake = timeout(self.limits.header_time, handshake);
        let shaken = tokio::select! {
            shaken = handshake => shaken,
            () = &mut closing => return,
        };
        match shaken {
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
        let counted = (self.state.clone(), Client::of(self.peer.ip()));
        let counted = Some(counted).filter(|_| !self.is_proxy);
        let mut watch = Watch::new(self.known.clone(), counted);
        let io = TokioIo::new(InspectReader::new(stream, move |bytes| watch.see(bytes)));
        let builder = protocols(&self.state, &self.limits, self.is_proxy);
        let requests = self.known.requests.clone();
        let service = service_fn(|request| self.answer(request));
        let mut serving = pin!(builder.serve_connection_with_upgrades(io, service));
        let closed = async {
            closing.await;
            requests.until_busy(LAST_REQUEST).await;
        };
        tokio::select! {
            result = &mut serving => return log(result),
            () = requests.until_idle(self.limits.header_time, self.limits.idle_time) => {}
            () = closed => {}
        }
        serving.as_mut().graceful_shutdown();
        let waiting = async {
            // A request that has waited for its client may still get its rest, and an answer be read.
            tokio::time::sleep(PATIENCE).await;
            requests.until_waiting_for(PATIENCE).await;
        };
        tokio::select! {
            result = &mut serving => log(result),
            () = requests.until_idle(FAREWELL, FAREWELL) => {}
            () = waiting => {}
        }
    }

    fn answer(
        &self,
        request: Request<Incoming>,
    ) -> impl Future<Output = Result<Response<AnswerBody>, Infallible>> + Send + 'static {
        let body_time = self.limits.body_time;
        let mut request = request.map(|body| {
            if body.is_end_stream() {
                Body::empty()
            } else {
                Body::new(TimeoutBody::new(body_time, body))
            }
        });
        request.extensions_mut().insert(ConnectInfo(self.peer));
        request.extensions_mut().insert(self.known.cut.clone());
        let (router, busy) = (self.router.clone(), self.known.requests.begin());
        let connection = self.known.clone();
        async move {
            let answer = Arc::new(match streams::current() {
                Some(progress) => Answer::multiplexed(progress, connection.requests),
                None => Answer::alone(connection),
            });
            request.extensions_mut().insert(answer.clone());
            let response = router.oneshot(request).await?;
            if response.status() == StatusCode::SWITCHING_PROTOCOLS {
                busy.begin_forever();
            }
            let is_compressed = response.headers().contains_key(CONTENT_ENCODING);
            Ok(response.map(|mut body| {
                if is_compressed {
                    body = Body::new(ReadAhead::new(body));
                }
                AnswerBody::new(body, answer, busy)
            }))
        }
    }
}

/// Serves a router that is not for everybody to a few connections at a time, each for one request and a
/// short time, so that whoever reaches it cannot take the files of the house.
pub(crate) async fn serve_few(listener: TcpListener, router: Router) {
    const MOST: usize = 32;
    const TIME: Duration = Duration::from_secs(10);
    let (places, mut told) = (Arc::new(Semaphore::new(MOST)), None);
    loop {
        let (stream, _) = accept(&listener, &mut told).await;
        let Ok(place) = places.clone().try_acquire_owned() else {
            continue;
        };
        let router = router.clone();
        tokio::spawn(async move {
            let service = service_fn(|request: Request<Incoming>| {
                router.clone().oneshot(request.map(Body::new))
            });
            let mut protocol = http1::Builder::new();
            let serving = protocol
                .keep_alive(false)
                .serve_connection(TokioIo::new(stream), service);
            // A reader that takes longer is cut off.
            let _ = timeout(TIME, serving).await;
            drop(place);
        });
    }
}

/// Returns the protocols: HTTP/1.1, and HTTP/2 by prior knowledge. A proxy may have more requests
/// at once on a connection of HTTP/2: they are those of many people.
fn protocols(state: &AppState, limits: &ConnectionLimits, is_proxy: bool) -> Builder<StreamTasks> {
    /// Bytes that are buffered of a request's headers, and of answers, on a connection of HTTP/1.1.
    const BUFFER: usize = 16 << 10;
    /// Bytes that are buffered of each answer on a connection of HTTP/2.
    const STREAM_BUFFER: usize = 32 << 10;
    /// Bytes that a client may send on a stream, and on a connection, before they are read.
    const WINDOWS: (u32, u32) = (64 << 10, 256 << 10);
    const STREAMS: u32 = 64;
    const STREAMS_OF_PROXY: u32 = 256;
    let mut builder = Builder::new(StreamTasks {
        unread_time: limits.unread_time,
        state: state.clone(),
    });
    builder
        .http1()
        .timer(TokioTimer::new())
        .max_buf_size(BUFFER)
        .header_read_timeout(limits.header_time.max(limits.idle_time));
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(if is_proxy { STREAMS_OF_PROXY } else { STREAMS })
        .max_send_buf_size(STREAM_BUFFER)
        .initial_stream_window_size(WINDOWS.0)
        .initial_connection_window_size(WINDOWS.1);
    builder
}

fn log(result: Result<(), Box<dyn std::error::Error + Send + Sync>>) {
    if let Err(error) = result {
        tracing::trace!(error, "a connection ended");
    }
}
