//! The server: binding, running and shutting down.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use parlor_store::{Store, StoreError};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::downtime::{self, Downtime};
use crate::edge::accept::{self, Acceptor};
use crate::edge::disk;
use crate::edge::tls::Tls;
use crate::nodes::{self, Incoming, Nodes};
use crate::{
    AppState, BusError, Config, ConnectionLimits, MetricsBind, TlsError, live, notices, ops, queue,
    router, talk,
};

/// Time that pending requests get at shutdown.
const PATIENCE: Duration = Duration::from_secs(10);
/// Part of it for work on repositories, which takes longer than anything else and is asked for again.
const GIT_PATIENCE: Duration = Duration::from_secs(1);

/// A server that is bound to its port and ready to run.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    limits: ConnectionLimits,
    state: AppState,
    tls: Option<Arc<Tls>>,
    metrics: Option<TcpListener>,
    hints: Incoming,
}

/// Error when starting a server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The address cannot be bound, usually because it is in use.
    #[error("cannot listen on {address}: {source}{}", advice(.source))]
    Bind {
        /// Address to listen on.
        address: SocketAddr,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The address of the metrics cannot be bound, usually because it is in use.
    #[error(
        "cannot listen on {address} for metrics: {source}{}, or none with --metrics-bind off", advice(.source)
    )]
    MetricsBind {
        /// Address to listen on.
        address: SocketAddr,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The address of the metrics is the one that the server itself listens on.
    #[error(
        "the server itself listens on {address}: name another port for metrics, or none with --metrics-bind off"
    )]
    OwnAddress {
        /// Address for metrics.
        address: SocketAddr,
    },
    /// The contact for reports of weaknesses is no URL of a kind that a mailer or browser opens.
    #[error("{0:?} is not a contact: write mailto:NAME@HOST or https://HOST/PAGE")]
    SecurityContact(String),
    /// The contact for push services is no such URL.
    #[error("{0:?} is not a contact: write mailto:NAME@HOST or https://HOST/PAGE")]
    NoticesContact(String),
    /// The public URL is invalid.
    #[error(
        "{0:?} is not a public URL: write http://HOST or https://HOST, without a query or fragment"
    )]
    PublicUrl(String),
    /// The certificate or its key cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The bus between several servers cannot be used.
    #[error(transparent)]
    Bus(#[from] BusError),
    /// The store is not available.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Server {
    /// Binds the port and checks the store. Must be called on a tokio runtime.
    ///
    /// # Errors
    /// [`StartError`] if the port or the store is not available, or the public URL is invalid.
    pub async fn bind(config: Config) -> Result<Server, StartError> {
        if let Some(url) = config.public_url.as_ref().filter(|url| !is_public_url(url)) {
            return Err(StartError::PublicUrl(url.clone()));
        }
        let contact = config.security_contact.as_ref();
        if let Some(contact) = contact.filter(|contact| !ops::is_contact(contact)) {
            return Err(StartError::SecurityContact(contact.clone()));
        }
        let contact = config.notices.contact.as_ref();
        if let Some(contact) = contact.filter(|contact| !ops::is_contact(contact)) {
            return Err(StartError::NoticesContact(contact.clone()));
        }
        let tls = config.tls.clone().map(Tls::load).transpose()?.map(Arc::new);
        if let Some(url) = &config.bus {
            Nodes::check_bus(url, &config.store)?;
        }
        wait_for_answer(&config.store).await?;
        config.store.reserve()?;
        let (listener, address) = listen(config.bind).await?;
        let metrics = listen_for_metrics(config.metrics, address).await?;
        ops::install_metrics();
        let node = config.sources.random_u64();
        let store = config.store.clone();
        downtime::look_for_others(&store).await?;
        let downtime = Downtime::begin(store, node.cast_signed(), config.sources.clone()).await?;
        let (nodes, hints) =
            Nodes::open(config.bus.as_deref(), &config.store, node, downtime).await?;
        Ok(Server {
            listener,
            address,
            limits: config.connections.clone(),
            state: AppState::new(&config, nodes),
            tls,
            metrics,
            hints,
        })
    }

    /// Returns the address that the server listens on.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address of the metrics, if there are any.
    pub fn metrics_addr(&self) -> Option<SocketAddr> {
        self.metrics.as_ref()?.local_addr().ok()
    }

    /// Returns the name of the bus between several servers on the database; `None` for SQLite, which
    /// only one can serve.
    pub fn bus(&self) -> Option<&'static str> {
        Some(self.state.nodes().report()?.bus)
    }

    /// Returns the number of servers on the database, including this one; `None` for SQLite, which
    /// only one can serve.
    pub fn nodes(&self) -> Option<u64> {
        Some(self.state.nodes().report()?.nodes)
    }

    /// Serves until `shutdown` completes; then ends streams and sockets, finishes pending requests,
    /// and closes the store.
    ///
    /// # Errors
    /// None at present: errors of the listening socket are logged and waited out.
    pub async fn run(self, shutdown: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        self.run_until(Box::pin(shutdown)).await;
        Ok(())
    }

    /// Serves until `shutdown` completes. Not generic, so that the whole server is compiled here and
    /// not in each program that runs one.
    fn run_until(self, shutdown: BoxFuture<'static, ()>) -> BoxFuture<'static, ()> {
        Box::pin(self.serve(shutdown))
    }

    async fn serve(self, shutdown: BoxFuture<'static, ()>) {
        let mut chores = begin_chores(&self.state, self.hints);
        chores.spawn(ops::run_metrics_upkeep());
        if let Some(tls) = &self.tls {
            chores.spawn(tls.clone().watch());
        }
        if let Some(listener) = self.metrics {
            let routes = ops::metrics_routes(self.state.store().clone());
            chores.spawn(accept::serve_few(listener, routes));
        }
        let serving = Acceptor {
            listener: self.listener,
            limits: self.limits,
            state: self.state.clone(),
            tls: self.tls,
        };
        let patience = async {
            shutdown.await;
            self.state.close_streams();
            tokio::time::sleep(GIT_PATIENCE).await;
            self.state.repos().stop();
            tokio::time::sleep(PATIENCE - GIT_PATIENCE).await;
        };
        tokio::select! {
            () = serving.run(router(self.state.clone())) => {}
            () = patience => {}
        }
        // Work for clients that have left would keep the process.
        self.state.repos().stop();
        chores.abort_all();
        self.state.nodes().leave().await;
        self.state.store().close().await;
    }
}

/// Waits until the store answers, for half a minute at most: a database server may just be starting.
async fn wait_for_answer(store: &Store) -> Result<(), StoreError> {
    const PATIENCE: Duration = Duration::from_secs(30);
    const PAUSE: Duration = Duration::from_secs(2);
    let began = Instant::now();
    let mut is_told = false;
    loop {
        match store.ping().await {
            Err(StoreError::Unavailable(error)) if began.elapsed() < PATIENCE => {
                if !is_told {
                    let seconds = PATIENCE.as_secs();
                    tracing::warn!(%error, "waiting for the database, for {seconds} seconds at most");
                }
                is_told = true;
            }
            answer => {
                if is_told && answer.is_ok() {
                    let seconds = began.elapsed().as_secs_f64();
                    tracing::info!(seconds, "the database answers");
                }
                return answer;
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Begins what a node does without being asked.
pub(crate) fn begin_chores(state: &AppState, hints: Incoming) -> JoinSet<()> {
    let mut chores = JoinSet::new();
    chores.spawn(live::sweep(state.live().clone(), state.store().clone()));
    chores.spawn(nodes::run(state.clone(), hints));
    chores.spawn(queue::run(state.clone()));
    chores.spawn(downtime::run(state.clone()));
    chores.spawn(talk::run(state.clone()));
    chores.spawn(notices::run(state.clone()));
    chores.spawn(disk::watch(state.clone()));
    chores
}

/// Returns what to do about an address that cannot be listened on.
fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::AddrInUse => "; another program listens there: end it, or name another port",
        io::ErrorKind::AddrNotAvailable => {
            "; name an address of this machine, or 0.0.0.0 for all of them"
        }
        io::ErrorKind::PermissionDenied => {
            "; ports below 1024 need a permission (of a systemd unit, AmbientCapabilities=CAP_NET_BIND_SERVICE): \
             grant it, or name a port from 1024"
        }
        _ => "; name another address",
    }
}

async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), StartError> {
    let bind = |source| StartError::Bind { address, source };
    let listener = TcpListener::bind(address).await.map_err(bind)?;
    let address = listener.local_addr().map_err(bind)?;
    Ok((listener, address))
}

/// Listens for requests of metrics beside the server's own address, on which it listens already.
async fn listen_for_metrics(
    bind: MetricsBind,
    own: SocketAddr,
) -> Result<Option<TcpListener>, StartError> {
    let address = match bind {
        MetricsBind::Off => return Ok(None),
        MetricsBind::At(address) | MetricsBind::IfFree(address) => address,
    };
    let refused = |source: io::Error| match source.kind() {
        io::ErrorKind::AddrInUse if overlap(address, own) => StartError::OwnAddress { address },
        _ => StartError::MetricsBind { address, source },
    };
    match (TcpListener::bind(address).await.map_err(refused), bind) {
        (Ok(listener), _) => Ok(Some(listener)),
        (Err(error), MetricsBind::At(_)) => Err(error),
        (Err(error), _) => {
            tracing::warn!(%error, "no metrics");
            Ok(None)
        }
    }
}

/// Returns true if two addresses have the same port, and one of them the other's host or all hosts.
fn overlap(one: SocketAddr, other: SocketAddr) -> bool {
    let is_any = one.ip().is_unspecified() || other.ip().is_unspecified();
    one.port() == other.port() && (is_any || one.ip() == other.ip())
}

fn is_public_url(url: &str) -> bool {
    let host = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"));
    // A fragment is no part of a `Uri`.
    host.is_some_and(|host| !host.is_empty() && !host.contains(['?', '#']))
        && url.parse::<axum::http::Uri>().is_ok()
}
