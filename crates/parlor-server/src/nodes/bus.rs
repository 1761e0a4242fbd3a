//! Ways for hints from node to node. All of them may lose some.

use std::collections::HashMap;
use std::fmt;
use std::future::{Ready, ready};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::{Client, ConnectOptions, Event, ServerAddr};
use futures::StreamExt;
use parlor_store::Store;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

use super::BusError;

/// Number of hints that wait to be sent or handled; more are dropped.
const QUEUE: usize = 4_096;
/// Number of hints that are sent through the database at once.
const BATCH: usize = 100;
/// Delay before a lost connection is made again.
const RECONNECT: Duration = Duration::from_secs(1);
/// Time that NATS gets to answer at the start; nothing waits for it later.
const FIRST_ANSWER: Duration = Duration::from_secs(1);
/// Interval at which NATS is asked for a sign of life.
const PING: Duration = Duration::from_secs(5);
/// Prefix of the subjects in NATS, if the address names none.
const PREFIX: &str = "parlor";

/// Topic of a hint. If the bus can tell them apart, a node gets only those that it follows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Topic(pub(super) String);

/// A way for hints.
#[derive(Clone, Debug)]
pub(super) enum Bus {
    /// None: this process is the only one, or all ask the database.
    None,
    /// Notifications of PostgreSQL, which every node gets.
    Postgres(mpsc::Sender<String>),
    /// NATS, with a subject for each topic.
    Nats(Arc<Nats>),
}

/// Connection to NATS.
pub(super) struct Nats {
    client: Client,
    prefix: String,
    outgoing: mpsc::Sender<(Topic, String)>,
    incoming: mpsc::Sender<String>,
    followed: Mutex<HashMap<Topic, (usize, AbortHandle)>>,
}

/// Hints that arrive.
pub(crate) type Incoming = mpsc::Receiver<String>;

impl Bus {
    /// Opens the bus at `url`, or without one that of the database, if it has any.
    pub(super) async fn open(
        url: Option<&str>,
        store: &Store,
    ) -> Result<(Bus, Incoming), BusError> {
        let (incoming, hints) = mpsc::channel(QUEUE);
        let bus = match url {
            Some(url) => Bus::Nats(Nats::connect(url, incoming).await?),
            None if store.can_notify() => {
                let (outgoing, waiting) = mpsc::channel(QUEUE);
                tokio::spawn(notify(store.clone(), waiting));
                tokio::spawn(listen(store.clone(), incoming));
                Bus::Postgres(outgoing)
            }
            None => Bus::None,
        };
        Ok((bus, hints))
    }

    /// Returns the name of the bus.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Bus::None => "none",
            Bus::Postgres(_) => "PostgreSQL",
            Bus::Nats(_) => "NATS",
        }
    }

    /// Returns false if its connection is known to be lost.
    pub(super) fn is_up(&self) -> bool {
        match self {
            Bus::None | Bus::Postgres(_) => true,
            Bus::Nats(nats) => nats.is_connected(),
        }
    }

    /// Sends a hint, or drops it if too many wait.
    pub(super) fn send(&self, topic: Topic, hint: String) {
        let sent = match self {
            Bus::None => true,
            Bus::Postgres(outgoing) => outgoing.try_send(hint).is_ok(),
            Bus::Nats(nats) => nats.outgoing.try_send((topic, hint)).is_ok(),
        };
        if !sent {
            metrics::counter!("parlor_hints_dropped_total").increment(1);
        }
    }

    /// Sends a hint about several topics: once to each, or once where everybody gets all.
    pub(super) fn send_to_all(&self, topics: impl Iterator<Item = Topic>, hint: &str) {
        match self {
            Bus::None => {}
            Bus::Postgres(_) => self.send(Topic(String::new()), hint.to_owned()),
            Bus::Nats(_) => topics.for_each(|topic| self.send(topic, hint.to_owned())),
        }
    }

    /// Follows a topic until the returned guard is dropped.
    pub(super) fn follow(&self, topic: Topic) -> Followed {
        if let Bus::Nats(nats) = self {
            nats.follow(&topic);
        }
        Followed {
            bus: self.clone(),
            topic,
        }
    }
}

/// Guard of a followed topic.
#[derive(Debug)]
pub(crate) struct Followed {
    bus: Bus,
    topic: Topic,
}

#[cfg(test)]
impl Followed {
    /// Returns a guard of nothing.
    pub(crate) fn nothing() -> Followed {
        Bus::None.follow(Topic(String::new()))
    }
}

impl Drop for Followed {
    fn drop(&mut self) {
        if let Bus::Nats(nats) = &self.bus {
            nats.forget(&self.topic);
        }
    }
}

impl Nats {
    /// Connects to `nats://HOST:PORT/PREFIX`. If the server does not answer, goes on trying in the
    /// background.
    async fn connect(url: &str, incoming: mpsc::Sender<String>) -> Result<Arc<Nats>, BusError> {
        let (address, prefix) = parse(url)?;
        // Without the name and password that may be in the URL.
        let host_and_port = format!("{}:{}", address.host(), address.port());
        let options = ConnectOptions::new()
            .name("parlor")
            .retry_on_initial_connect()
            .ping_interval(PING)
            .event_callback(log_events());
        let client = options.connect(address).await.map_err(|error| BusError {
            url: url.to_owned(),
            reason: error.to_string(),
        })?;
        if timeout(FIRST_ANSWER, client.flush()).await.is_err() {
            tracing::warn!(
                host = host_and_port,
                "NATS does not answer yet: until it does, news of other nodes takes up to two seconds"
            );
        }
        let (outgoing, waiting) = mpsc::channel(QUEUE);
        let nats = Arc::new(Nats {
            client,
            prefix,
            outgoing,
            incoming,
            followed: Mutex::default(),
        });
        tokio::spawn(publish(nats.client.clone(), nats.prefix.clone(), waiting));
        Ok(nats)
    }

    fn is_connected(&self) -> bool {
        is_connected(&self.client)
    }

    fn follow(&self, topic: &Topic) {
        let mut followed = self.lock();
        if let Some((count, _)) = followed.get_mut(topic) {
            *count += 1;
            return;
        }
        let (client, incoming) = (self.client.clone(), self.incoming.clone());
        let subject = subject(&self.prefix, topic);
        let hear = async move {
            let Ok(mut hints) = client.subscribe(subject).await else {
                return;
            };
            while let Some(hint) = hints.next().await {
                if let Ok(text) = String::from_utf8(hint.payload.into()) {
                    // Dropped if too many wait.
                    let _ = incoming.try_send(text);
                }
            }
        };
        followed.insert(topic.clone(), (1, tokio::spawn(hear).abort_handle()));
    }

    fn forget(&self, topic: &Topic) {
        let mut followed = self.lock();
        let Some((count, task)) = followed.get_mut(topic) else {
            return;
        };
        *count -= 1;
        if *count == 0 {
            task.abort();
            followed.remove(topic);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Topic, (usize, AbortHandle)>> {
        // No code that can panic runs while the lock is held.
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Nats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nats")
            .field("prefix", &self.prefix)
            .finish_non_exhaustive()
    }
}

/// Returns what logs the events of a connection: of failures in a row, the first one.
fn log_events() -> impl Fn(Event) -> Ready<()> {
    let fails = AtomicBool::new(false);
    move |event| {
        let is_failure = matches!(event, Event::ClientError(_) | Event::ServerError(_));
        let failed = fails.swap(is_failure, Ordering::Relaxed);
        if is_failure && failed {
            tracing::debug!(%event, "NATS");
        } else {
            tracing::info!(%event, "NATS");
        }
        ready(())
    }
}

fn is_connected(client: &Client) -> bool {
    client.connection_state() == async_nats::connection::State::Connected
}

fn subject(prefix: &str, topic: &Topic) -> String {
    format!("{prefix}.{}", topic.0)
}

/// Checks an address.
pub(super) fn check(url: &str) -> Result<(), BusError> {
    parse(url).map(drop)
}

/// Splits an address into that of the server and the prefix of its subjects.
fn parse(url: &str) -> Result<(ServerAddr, String), BusError> {
    let bad = |reason: &str| BusError {
        url: url.to_owned(),
        reason: reason.to_owned(),
    };
    let rest = url
        .strip_prefix("nats://")
        .or_else(|| url.strip_prefix("tls://"));
    let rest = rest.ok_or_else(|| bad("expected nats://HOST:PORT"))?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let is_token = |text: &str| {
        text.chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
    };
    if host.is_empty() {
        return Err(bad("expected nats://HOST:PORT"));
    }
    if !is_token(path) {
        return Err(bad(
            "the prefix after the host may have letters, digits, - and _",
        ));
    }
    let scheme = url.len() - rest.len();
    let address = format!("{}{host}", &url[..scheme]).parse();
    let address = address.map_err(|error: std::io::Error| bad(&error.to_string()))?;
    let prefix = if path.is_empty() { PREFIX } else { path };
    Ok((address, prefix.to_owned()))
}

/// Publishes hints in NATS while there is a connection; they would be old after it.
async fn publish(client: Client, prefix: String, mut waiting: mpsc::Receiver<(Topic, String)>) {
    while let Some((topic, hint)) = waiting.recv().await {
        let sent = is_connected(&client)
            && client
                .publish(subject(&prefix, &topic), hint.into())
                .await
                .is_ok();
        if !sent {
            metrics::counter!("parlor_hints_dropped_total").increment(1);
        }
    }
}

/// Sends hints through PostgreSQL, many at once.
async fn notify(store: Store, mut waiting: mpsc::Receiver<String>) {
    let mut batch = Vec::with_capacity(BATCH);
    while waiting.recv_many(&mut batch, BATCH).await > 0 {
        if let Err(error) = store.notify(&batch).await {
            tracing::debug!(%error, "could not send hints");
            metrics::counter!("parlor_hints_dropped_total").increment(batch.len() as u64);
        }
        batch.clear();
    }
}

/// Receives hints through PostgreSQL until nobody wants them.
async fn listen(store: Store, incoming: mpsc::Sender<String>) {
    while !incoming.is_closed() {
        match store.listen().await {
            Ok(Some(mut listener)) => {
                // A lost connection is made again by the listener itself.
                while let Ok(heard) = listener.next().await {
                    if incoming.is_closed() {
                        return;
                    }
                    if let Some(hint) = heard {
                        // Dropped if too many wait.
                        let _ = incoming.try_send(hint);
                    }
                }
            }
            Ok(None) => return,
            Err(error) => tracing::debug!(%error, "cannot listen to the database"),
        }
        sleep(RECONNECT).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_server_and_perhaps_a_prefix() {
        let (address, prefix) = parse("nats://127.0.0.1:4222").unwrap();
        assert_eq!(
            (address.host(), address.port(), prefix.as_str()),
            ("127.0.0.1", 4222, "parlor")
        );
        assert_eq!(parse("nats://me:secret@host/club").unwrap().1, "club");
        for bad in [
            "redis://host",
            "nats://host/a.b",
            "nats://host/a/b",
            "host:4222",
            "nats://",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
