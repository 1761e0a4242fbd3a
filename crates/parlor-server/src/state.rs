//! State shared by all handlers.

use std::fmt;
use std::sync::Arc;

use parlor_store::Store;
use tokio::sync::watch;

use crate::analyses::Analyses;
use crate::auth::{Passwords, Revocations};
use crate::config::{Config, Limits};
use crate::edge::attempts::Attempts;
use crate::edge::limits::{RequestRate, Streams, TableQuotas};
use crate::error::Error;
use crate::git::Repos;
use crate::hub::Hub;
use crate::live::LiveTables;
use crate::queue::Queue;
use crate::statistics::{DrawCounter, Statistics};

/// State shared by all handlers; cheap to clone.
///
/// Operations shared by pages and API handlers are methods of this type, in `tables.rs`,
/// `accounts.rs` and others.
#[derive(Clone)]
pub struct AppState {
    inner: Arc<AppStateInner>,
}

struct AppStateInner {
    store: Store,
    live: LiveTables,
    hub: Hub,
    limits: Limits,
    trust_proxy: bool,
    public_url: Option<String>,
    rate: Option<RequestRate>,
    quotas: TableQuotas,
    sign_ups: Attempts,
    logins: Attempts,
    passwords: Passwords,
    revocations: Revocations,
    streams: Arc<Streams>,
    queue: Queue,
    counter: DrawCounter,
    analyses: Analyses,
    repos: Repos,
    analysis_attempts: Attempts,
    closing: watch::Sender<bool>,
}

impl AppState {
    /// Creates the state of a server. Must be called on a tokio runtime.
    pub fn new(config: &Config) -> AppState {
        let limits = config.limits.clone();
        let hub = Hub::default();
        let live = LiveTables::new(config.store.clone(), &config.bots, limits.idle, hub.clone());
        let public_url = config
            .public_url
            .as_ref()
            .map(|url| url.trim_end_matches('/').to_owned());
        AppState {
            inner: Arc::new(AppStateInner {
                store: config.store.clone(),
                analyses: Analyses::new(live.search_permits()),
                live,
                hub,
                trust_proxy: config.trust_proxy,
                public_url,
                rate: RequestRate::new(&limits),
                quotas: TableQuotas::new(limits.tables_per_hour),
                sign_ups: Attempts::new(limits.sign_ups_per_hour),
                analysis_attempts: Attempts::new(limits.analyses_per_hour),
                logins: Attempts::new(limits.failed_logins_per_hour),
                passwords: Passwords::new(),
                revocations: Revocations::new(),
                streams: Arc::new(Streams::new(limits.streams, limits.streams_per_address)),
                limits,
                queue: Queue::default(),
                counter: DrawCounter::default(),
                repos: Repos::default(),
                closing: watch::Sender::new(false),
            }),
        }
    }

    pub(crate) fn store(&self) -> &Store {
        &self.inner.store
    }

    pub(crate) fn live(&self) -> &LiveTables {
        &self.inner.live
    }

    pub(crate) fn hub(&self) -> &Hub {
        &self.inner.hub
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.inner.limits
    }

    pub(crate) fn trust_proxy(&self) -> bool {
        self.inner.trust_proxy
    }

    /// Returns the public base URL without a trailing slash, if configured.
    pub(crate) fn public_url(&self) -> Option<&str> {
        self.inner.public_url.as_deref()
    }

    /// Returns true if the public URL is HTTPS.
    pub(crate) fn is_https(&self) -> bool {
        self.public_url()
            .is_some_and(|url| url.starts_with("https://"))
    }

    pub(crate) fn rate(&self) -> Option<&RequestRate> {
        self.inner.rate.as_ref()
    }

    pub(crate) fn quotas(&self) -> &TableQuotas {
        &self.inner.quotas
    }

    /// Returns the counter of created accounts.
    pub(crate) fn sign_ups(&self) -> &Attempts {
        &self.inner.sign_ups
    }

    /// Returns the counter of failed logins.
    pub(crate) fn logins(&self) -> &Attempts {
        &self.inner.logins
    }

    pub(crate) fn passwords(&self) -> &Passwords {
        &self.inner.passwords
    }

    pub(crate) fn revocations(&self) -> &Revocations {
        &self.inner.revocations
    }

    pub(crate) fn streams(&self) -> &Arc<Streams> {
        &self.inner.streams
    }

    pub(crate) fn queue(&self) -> &Queue {
        &self.inner.queue
    }

    /// Returns the analyses of finished games.
    pub(crate) fn analyses(&self) -> &Analyses {
        &self.inner.analyses
    }

    /// Returns the git repositories of tables.
    pub(crate) fn repos(&self) -> &Repos {
        &self.inner.repos
    }

    /// Returns the counter of requested analyses.
    pub(crate) fn analysis_attempts(&self) -> &Attempts {
        &self.inner.analysis_attempts
    }

    /// Returns the dice statistics of finished tables.
    pub(crate) async fn statistics(&self) -> Result<Arc<Statistics>, Error> {
        Ok(self.inner.counter.statistics(&self.inner.store).await?)
    }

    /// Ends all event streams, sockets and analyses, so that the server can shut down.
    pub(crate) fn close_streams(&self) {
        self.inner.analyses.close();
        self.inner.closing.send_replace(true);
    }

    /// Completes when event streams and sockets have to end.
    pub(crate) fn closing(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut closing = self.inner.closing.subscribe();
        async move {
            // An error means that the state was dropped, which counts as closing, too.
            let _ = closing.wait_for(|closing| *closing).await;
        }
    }
}

impl fmt::Debug for AppState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AppState")
            .field("store", &self.inner.store)
            .finish_non_exhaustive()
    }
}
