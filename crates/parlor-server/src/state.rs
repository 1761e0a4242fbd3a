//! State shared by all handlers.

use std::fmt;
use std::sync::{Arc, Weak};
use std::time::Duration;

use parlor_store::Store;
use parlor_table::Timestamp;
use tokio::sync::{Semaphore, watch};

use crate::advice;
use crate::analyses::Analyses;
use crate::auth::{Passwords, Revocation, Revocations};
use crate::config::{Config, Limits};
use crate::edge::answers::Answers;
use crate::edge::crowd::Crowd;
use crate::edge::floods::Floods;
use crate::edge::git_budget::GitBudget;
use crate::edge::limits::Streams;
use crate::edge::rates::Rates;
use crate::edge::reading::answers_at_once;
use crate::edge::turns::Turns;
use crate::edge::{LimitLog, TrustedProxies};
use crate::error::Error;
use crate::git::Repos;
use crate::hub::Hub;
use crate::live::LiveTables;
use crate::nodes::Nodes;
use crate::notices::Notices;
use crate::people::People;
use crate::queue::Queue;
use crate::sources::Sources;
use crate::statistics::{DrawCounter, Statistics};
use crate::talk::TalkPolicy;
use crate::thinking::{FairTurns, Places};

/// Sockets of an address that may be sent a table's events at once, and how many more of all addresses.
const REPLAYS_EACH: usize = 4;
const REPLAY_TURNS: usize = 4;

/// Time that an answer to who only reads takes, about.
const USUAL_ANSWER: Duration = Duration::from_millis(5);

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
    nodes: Nodes,
    people: People,
    sources: Sources,
    limits: Limits,
    talk_policy: TalkPolicy,
    notices: Notices,
    trusted_proxies: TrustedProxies,
    speaks_https: bool,
    security_contact: Option<String>,
    public_url: Option<String>,
    rates: Arc<Rates>,
    passwords: Passwords,
    revocations: Revocations,
    answers: Arc<Answers>,
    crowd: Crowd,
    replays: Arc<Turns>,
    readers: Arc<FairTurns>,
    verifying: Arc<Semaphore>,
    streams: Arc<Streams>,
    queue: Queue,
    counter: DrawCounter,
    analyses: Analyses,
    advice_places: Arc<Places>,
    repos: Repos,
    git_budget: Arc<GitBudget>,
    limit_log: LimitLog,
    floods: Floods,
    closing: watch::Sender<bool>,
}

impl AppState {
    /// Creates the state of a server. Must be called on a tokio runtime.
    pub(crate) fn new(config: &Config, nodes: Nodes) -> AppState {
        let limits = config.limits.clone();
        let shared = Some(config.store.clone()).filter(Store::is_shared);
        let rates = Arc::new(Rates::new(&limits, shared));
        tokio::spawn(sweep(Arc::downgrade(&rates)));
        let hub = Hub::default();
        let people = People::new(config.sources.clone(), config.store.is_shared());
        let live = LiveTables::new(config, hub.clone(), nodes.clone(), people.clone());
        let public_url = config
            .public_url
            .as_ref()
            .map(|url| url.trim_end_matches('/').to_owned());
        AppState {
            inner: Arc::new(AppStateInner {
                store: config.store.clone(),
                analyses: Analyses::new(live.thinking().clone()),
                advice_places: advice::places(),
                live,
                hub,
                nodes,
                people,
                sources: config.sources.clone(),
                talk_policy: config.talk,
                notices: Notices::new(&config.notices),
                trusted_proxies: config.trusted_proxies.clone(),
                speaks_https: config.tls.is_some(),
                security_contact: config.security_contact.clone(),
                public_url,
                rates,
                passwords: Passwords::new(),
                revocations: Revocations::new(),
                answers: Arc::new(Answers::new(limits.answers, limits.answers_per_address)),
                crowd: Crowd::new(&limits),
                replays: Turns::new(REPLAYS_EACH, REPLAY_TURNS),
                readers: FairTurns::new(answers_at_once(), USUAL_ANSWER),
                verifying: Arc::new(Semaphore::new(1)),
                streams: Arc::new(Streams::new(limits.streams, limits.streams_per_address)),
                git_budget: Arc::new(GitBudget::new(
                    limits.git_seconds_per_minute,
                    limits.git_at_once,
                )),
                limit_log: LimitLog::default(),
                floods: Floods::new(limits.refusals_per_second),
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

    /// Returns what is known of the other servers on this database.
    pub(crate) fn nodes(&self) -> &Nodes {
        &self.inner.nodes
    }

    /// Returns who is there.
    pub(crate) fn people(&self) -> &People {
        &self.inner.people
    }

    /// Returns the sources of time and of the randomness of games.
    pub(crate) fn sources(&self) -> &Sources {
        &self.inner.sources
    }

    /// Returns the current time.
    pub(crate) fn now(&self) -> Timestamp {
        self.inner.sources.now()
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.inner.limits
    }

    /// Returns what people may write at tables.
    pub(crate) fn talk_policy(&self) -> TalkPolicy {
        self.inner.talk_policy
    }

    /// Returns what it takes to tell members who have no page open.
    pub(crate) fn notices(&self) -> &Notices {
        &self.inner.notices
    }

    /// Returns the URL for reports of weaknesses.
    pub(crate) fn security_contact(&self) -> Option<&str> {
        self.inner.security_contact.as_deref()
    }

    pub(crate) fn trusted_proxies(&self) -> &TrustedProxies {
        &self.inner.trusted_proxies
    }

    /// Returns the public base URL without a trailing slash, if configured.
    pub(crate) fn public_url(&self) -> Option<&str> {
        self.inner.public_url.as_deref()
    }

    /// Returns true if browsers reach the server by HTTPS: its own, or that of its public URL.
    pub(crate) fn is_https(&self) -> bool {
        let public = self.public_url();
        public.map_or(self.inner.speaks_https, |url| url.starts_with("https://"))
    }

    /// Returns the rates of requests, tables and others.
    pub(crate) fn rates(&self) -> &Rates {
        &self.inner.rates
    }

    pub(crate) fn passwords(&self) -> &Passwords {
        &self.inner.passwords
    }

    pub(crate) fn revocations(&self) -> &Revocations {
        &self.inner.revocations
    }

    /// Closes the connections opened with credentials that have become invalid, here and on other
    /// nodes.
    pub(crate) fn revoke(&self, revoked: Revocation) {
        self.inner.nodes.tell_revoked(&revoked);
        self.inner.revocations.announce(revoked);
    }

    /// Returns the turn of verifying a record.
    pub(crate) fn verifying(&self) -> &Arc<Semaphore> {
        &self.inner.verifying
    }

    /// Returns the line of those who ask for much at once.
    pub(crate) fn crowd(&self) -> &Crowd {
        &self.inner.crowd
    }

    /// Returns the turns to compute answers to those who only read.
    pub(crate) fn readers(&self) -> &Arc<FairTurns> {
        &self.inner.readers
    }

    /// Returns the turns of sockets that ask for a table's events.
    pub(crate) fn replays(&self) -> &Arc<Turns> {
        &self.inner.replays
    }

    /// Returns the answers that are computed or read.
    pub(crate) fn answers(&self) -> &Arc<Answers> {
        &self.inner.answers
    }

    pub(crate) fn floods(&self) -> &Floods {
        &self.inner.floods
    }

    pub(crate) fn limit_log(&self) -> &LimitLog {
        &self.inner.limit_log
    }

    pub(crate) fn streams(&self) -> &Arc<Streams> {
        &self.inner.streams
    }

    pub(crate) fn queue(&self) -> &Queue {
        &self.inner.queue
    }

    /// Returns the places of requests for advice that are answered or wait.
    pub(crate) fn advice_places(&self) -> &Arc<Places> {
        &self.inner.advice_places
    }

    /// Returns the analyses of finished games.
    pub(crate) fn analyses(&self) -> &Analyses {
        &self.inner.analyses
    }

    /// Returns the git repositories of tables.
    pub(crate) fn repos(&self) -> &Repos {
        &self.inner.repos
    }

    /// Returns the budget of each address for git.
    pub(crate) fn git_budget(&self) -> &Arc<GitBudget> {
        &self.inner.git_budget
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

    /// Completes when event streams and sockets have to end: the server closes, or is cut off from the
    /// others.
    pub(crate) fn streams_end(&self) -> impl Future<Output = ()> + Send + 'static {
        let (closing, downtime) = (self.closing(), self.nodes().downtime().clone());
        async move {
            tokio::select! {
                () = closing => {}
                () = downtime.cut_off() => {}
            }
        }
    }

    /// Completes when the server closes.
    pub(crate) fn closing(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut closing = self.inner.closing.subscribe();
        async move {
            // An error means that the state was dropped, which counts as closing, too.
            let _ = closing.wait_for(|closing| *closing).await;
        }
    }
}

/// Keeps the rates from growing with every client that was ever seen, until they are dropped.
async fn sweep(rates: Weak<Rates>) {
    const INTERVAL: Duration = Duration::from_secs(60);
    loop {
        tokio::time::sleep(INTERVAL).await;
        let Some(rates) = rates.upgrade() else {
            return;
        };
        rates.sweep().await;
    }
}

impl fmt::Debug for AppState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AppState")
            .field("store", &self.inner.store)
            .finish_non_exhaustive()
    }
}
