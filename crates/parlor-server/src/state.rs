//! What all handlers share.

use std::fmt;
use std::sync::Arc;

use parlor_store::Store;
use tokio::sync::watch;

use crate::analyses::Analyses;
use crate::auth::{Passwords, Revocations};
use crate::config::{Config, Limits};
use crate::edge::attempts::Attempts;
use crate::edge::limits::{Quotas, RequestRate, Streams};
use crate::error::Error;
use crate::git::Repos;
use crate::hub::Hub;
use crate::live::Live;
use crate::queue::Queue;
use crate::statistics::{Counter, Statistics};

/// What all handlers share; cheap to clone.
///
/// What a page or an API handler does with tables are methods of this type, in `tables.rs`.
#[derive(Clone)]
pub struct AppState {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    live: Live,
    hub: Hub,
    limits: Limits,
    trust_proxy: bool,
    public_url: Option<String>,
    rate: Option<RequestRate>,
    quotas: Quotas,
    sign_ups: Attempts,
    logins: Attempts,
    passwords: Passwords,
    revocations: Revocations,
    streams: Arc<Streams>,
    queue: Queue,
    counter: Counter,
    analyses: Analyses,
    repos: Repos,
    asked_analyses: Attempts,
    closing: watch::Sender<bool>,
}

impl AppState {
    /// The state of a server that is made from this. Must be called on a tokio runtime.
    pub fn new(config: &Config) -> AppState {
        let limits = config.limits.clone();
        let hub = Hub::default();
        let live = Live::new(config.store.clone(), &config.bots, limits.idle, hub.clone());
        let public_url = config
            .public_url
            .as_ref()
            .map(|url| url.trim_end_matches('/').to_owned());
        AppState {
            inner: Arc::new(Inner {
                store: config.store.clone(),
                analyses: Analyses::new(live.turns()),
                live,
                hub,
                trust_proxy: config.trust_proxy,
                public_url,
                rate: RequestRate::new(&limits),
                quotas: Quotas::new(limits.tables_per_hour),
                sign_ups: Attempts::new(limits.sign_ups_per_hour),
                asked_analyses: Attempts::new(limits.analyses_per_hour),
                logins: Attempts::new(limits.failed_logins_per_hour),
                passwords: Passwords::new(),
                revocations: Revocations::new(),
                streams: Arc::new(Streams::new(limits.streams, limits.streams_per_address)),
                limits,
                queue: Queue::default(),
                counter: Counter::default(),
                repos: Repos::default(),
                closing: watch::Sender::new(false),
            }),
        }
    }

    pub(crate) fn store(&self) -> &Store {
        &self.inner.store
    }

    pub(crate) fn live(&self) -> &Live {
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

    /// How the house is reached from outside, without a slash at the end, if the configuration says so.
    pub(crate) fn public_url(&self) -> Option<&str> {
        self.inner.public_url.as_deref()
    }

    /// Whether browsers reach the house through HTTPS.
    pub(crate) fn is_https(&self) -> bool {
        self.public_url()
            .is_some_and(|url| url.starts_with("https://"))
    }

    pub(crate) fn rate(&self) -> Option<&RequestRate> {
        self.inner.rate.as_ref()
    }

    pub(crate) fn quotas(&self) -> &Quotas {
        &self.inner.quotas
    }

    /// Accounts that were made.
    pub(crate) fn sign_ups(&self) -> &Attempts {
        &self.inner.sign_ups
    }

    /// Logins that failed.
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

    /// Analyses of finished games.
    pub(crate) fn analyses(&self) -> &Analyses {
        &self.inner.analyses
    }

    /// Tables as git repositories.
    pub(crate) fn repos(&self) -> &Repos {
        &self.inner.repos
    }

    /// Analyses that were asked for.
    pub(crate) fn asked_analyses(&self) -> &Attempts {
        &self.inner.asked_analyses
    }

    /// What luck did at finished tables.
    pub(crate) async fn statistics(&self) -> Result<Arc<Statistics>, Error> {
        Ok(self.inner.counter.look(&self.inner.store).await?)
    }

    /// Ends all event streams, sockets and analyses, so that the server can stop.
    pub(crate) fn close_streams(&self) {
        self.inner.analyses.close();
        self.inner.closing.send_replace(true);
    }

    /// Returns when event streams and sockets have to end.
    pub(crate) fn closing(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut closing = self.inner.closing.subscribe();
        async move {
            // An error says that the state is gone, which is an end as well.
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
