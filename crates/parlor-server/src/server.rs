//! The server: binding, running and shutting down.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::{AppState, Config, live, ops, router};

/// Time that pending requests get at shutdown.
const PATIENCE: Duration = Duration::from_secs(10);

/// A server that is bound to its port and ready to run.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    state: AppState,
}

/// Error when starting a server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The address cannot be bound, usually because it is in use.
    #[error("cannot listen on {address}: {source}")]
    Bind {
        /// Address to listen on.
        address: SocketAddr,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The public URL is invalid.
    #[error("{0:?} is not a public URL: write http://HOST or https://HOST")]
    PublicUrl(String),
    /// The store is not available.
    #[error(transparent)]
    Store(#[from] parlor_store::StoreError),
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
        config.store.ping().await?;
        let bind = |source| StartError::Bind {
            address: config.bind,
            source,
        };
        let listener = TcpListener::bind(config.bind).await.map_err(bind)?;
        let address = listener.local_addr().map_err(bind)?;
        ops::install_metrics();
        Ok(Server {
            listener,
            address,
            state: AppState::new(&config),
        })
    }

    /// Returns the address that the server listens on.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `shutdown` completes; then ends streams and sockets, finishes pending requests,
    /// and closes the store.
    ///
    /// # Errors
    /// An I/O error if the listening socket fails.
    pub async fn run(self, shutdown: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let mut chores = JoinSet::new();
        chores.spawn(live::sweep(
            self.state.live().clone(),
            self.state.store().clone(),
        ));
        chores.spawn(ops::run_metrics_upkeep());
        let (state, closing) = (self.state.clone(), self.state.closing());
        let service =
            router(self.state.clone()).into_make_service_with_connect_info::<SocketAddr>();
        let listener = self.listener.tap_io(|stream| {
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!(%error, "could not disable the delay of a connection");
            }
        });
        let serving = axum::serve(listener, service).with_graceful_shutdown(async move {
            shutdown.await;
            state.close_streams();
        });
        let patience = async {
            closing.await;
            tokio::time::sleep(PATIENCE).await;
        };
        let result = tokio::select! {
            result = serving.into_future() => result,
            () = patience => Ok(()),
        };
        chores.abort_all();
        self.state.store().close().await;
        result
    }
}

fn is_public_url(url: &str) -> bool {
    let host = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"));
    host.is_some_and(|host| !host.is_empty() && url.parse::<axum::http::Uri>().is_ok())
}
