//! Configuration of a server.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use parlor_store::Store;

use crate::{ConnectionLimits, NoticeConfig, Sources, TalkPolicy, TlsFiles, TrustedProxies};

/// Configuration of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// Address to listen on; port 0 picks a free port.
    pub bind: SocketAddr,
    /// Store of tables and accounts.
    pub store: Store,
    /// Address of the bus for hints between several servers on one database, such as
    /// `nats://127.0.0.1:4222`; by default that of the database, if it has any.
    pub bus: Option<String>,
    /// Public base URL, such as `https://games.example.org`, used in links; cookies are `Secure` if
    /// it is HTTPS, or the server speaks HTTPS itself.
    pub public_url: Option<String>,
    /// Proxies whose reports of clients' addresses are believed.
    pub trusted_proxies: TrustedProxies,
    /// Certificate, if the server speaks HTTPS itself.
    pub tls: Option<TlsFiles>,
    /// Address for metrics.
    pub metrics: MetricsBind,
    /// URL for reports of weaknesses, `mailto:` or `https:`, shown in `/.well-known/security.txt`.
    pub security_contact: Option<String>,
    /// Limits of connections.
    pub connections: ConnectionLimits,
    /// Limits per client.
    pub limits: Limits,
    /// Texts that people may write at tables.
    pub talk: TalkPolicy,
    /// Notices to members who have no page open.
    pub notices: NoticeConfig,
    /// Limits of the bots' searches.
    pub bots: BotConfig,
    /// Sources of time and of the randomness of games.
    pub sources: Sources,
}

impl Config {
    /// Creates a configuration with defaults for everything but the address and the store.
    pub fn new(bind: SocketAddr, store: Store) -> Config {
        Config {
            bind,
            store,
            bus: None,
            public_url: None,
            trusted_proxies: TrustedProxies::default(),
            tls: None,
            metrics: MetricsBind::Off,
            security_contact: None,
            connections: ConnectionLimits::default(),
            limits: Limits::default(),
            talk: TalkPolicy::default(),
            notices: NoticeConfig::default(),
            bots: BotConfig::default(),
            sources: Sources::system(),
        }
    }
}

/// Address for the metrics of a server, which are not for everybody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MetricsBind {
    /// None.
    #[default]
    Off,
    /// This one, unless another process has taken it.
    IfFree(SocketAddr),
    /// This one.
    At(SocketAddr),
}

/// Limits per client and for the server. `None` means unlimited.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Maximum size of a request's body, in bytes.
    pub body: usize,
    /// Sustained requests and messages on sockets per second and address.
    pub requests_per_second: Option<NonZeroU32>,
    /// Requests that an address may send in a burst before the rate applies.
    pub request_burst: NonZeroU32,
    /// Requests of an address that are refused in a second before its connections are closed and no
    /// new ones are served for ten seconds.
    pub refusals_per_second: Option<NonZeroU32>,
    /// Room on the disk of the database, in bytes, below which nothing new can begin.
    pub disk_reserve: Option<u64>,
    /// Tables created per hour, by rematch or otherwise, per guest and per address.
    pub tables_per_hour: Option<u32>,
    /// Tables with free seats per address.
    pub open_tables_per_address: Option<u32>,
    /// Days without a move after which a game without a clock leaves the list of live games; `None` keeps
    /// it there.
    pub asleep_days: Option<u32>,
    /// Accounts created per hour and address.
    pub sign_ups_per_hour: Option<u32>,
    /// Attempts to sign in per hour and address, not counting browsers known to the account.
    pub logins_per_hour: Option<u32>,
    /// Attempts to sign in per hour and account, not counting browsers known to it. `None` also
    /// lifts the limit for each account and address.
    pub logins_per_account: Option<u32>,
    /// Attempts to sign in to one account from one address, or a browser known to it, before one must
    /// wait between them.
    pub logins_at_once: NonZeroU32,
    /// Time that one must wait then; not zero.
    pub login_pause: Duration,
    /// API tokens created per hour and account.
    pub tokens_per_hour: Option<u32>,
    /// Exports of all data of an account per hour.
    pub exports_per_hour: Option<u32>,
    /// Challenges of one member by another per hour.
    pub challenges_per_hour: Option<u32>,
    /// Analyses requested per hour and address, not counting cached ones.
    pub analyses_per_hour: Option<u32>,
    /// Requests per address that are answered, or whose answers are not read yet; not counting
    /// streams.
    pub answers_per_address: usize,
    /// Such requests in total. At the limit, an answer that is not read gives way to a new one.
    pub answers: usize,
    /// Messages per minute that a person may write at tables, and ten minutes' worth before the rate
    /// applies. An address has ten times as many.
    pub talk_per_minute: Option<u32>,
    /// Messages of a person before one must wait between them.
    pub talk_at_once: NonZeroU32,
    /// Time that one must wait then; not zero.
    pub talk_pause: Duration,
    /// Reports of messages per hour and person, and per address.
    pub reports_per_hour: Option<u32>,
    /// Days for which messages at tables are kept; `None` keeps them.
    pub talk_days: Option<u32>,
    /// Open event streams and sockets per address.
    pub streams_per_address: usize,
    /// Open event streams and sockets in total.
    pub streams: usize,
    /// Sustained messages per second on a socket; bursts of four seconds' worth are allowed.
    pub messages_per_second: Option<NonZeroU32>,
    /// Seconds per minute and address that git may work for; four minutes' worth may be used at
    /// once.
    pub git_seconds_per_minute: Option<NonZeroU32>,
    /// Requests of git at once per address.
    pub git_at_once: usize,
    /// Timeout until the response begins.
    pub request_time: Duration,
    /// Timeout of quick pairing.
    pub queue_time: Duration,
    /// Time after which an unused and unwatched table is unloaded from memory.
    pub idle: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body: 64 << 10,
            requests_per_second: NonZeroU32::new(100),
            request_burst: const { NonZeroU32::new(1000).expect("not zero") },
            refusals_per_second: NonZeroU32::new(1000),
            disk_reserve: Some(256 << 20),
            tables_per_hour: Some(240),
            open_tables_per_address: Some(60),
            asleep_days: Some(3),
            sign_ups_per_hour: Some(20),
            logins_per_hour: Some(300),
            logins_per_account: Some(60),
            logins_at_once: const { NonZeroU32::new(10).expect("not zero") },
            login_pause: Duration::from_secs(30),
            tokens_per_hour: Some(60),
            exports_per_hour: Some(6),
            challenges_per_hour: Some(10),
            analyses_per_hour: Some(60),
            answers_per_address: 256,
            answers: 4096,
            talk_per_minute: Some(6),
            talk_at_once: const { NonZeroU32::new(5).expect("not zero") },
            talk_pause: Duration::from_secs(2),
            reports_per_hour: Some(20),
            talk_days: Some(30),
            streams_per_address: 128,
            streams: 20_000,
            messages_per_second: NonZeroU32::new(50),
            git_seconds_per_minute: NonZeroU32::new(15),
            git_at_once: 4,
            request_time: Duration::from_secs(20),
            queue_time: Duration::from_secs(30),
            idle: Duration::from_secs(60),
        }
    }
}

/// Limits of the bots' searches.
#[derive(Clone, Debug)]
pub struct BotConfig {
    /// Number of concurrent searches.
    pub threads: usize,
    /// Time per move.
    pub time: Duration,
    /// Maximum number of nodes per move, regardless of the time.
    pub nodes: u64,
    /// Maximum memory in bytes of all bots that are not searching. Those that are, no more than
    /// `threads` and one, have up to some 40 MB each in addition.
    pub memory: usize,
    /// Number of tables with games in progress where only bots play.
    pub bot_tables: usize,
    /// The same number for each member, and for the guests of each address.
    pub bot_tables_per_client: usize,
}

impl Default for BotConfig {
    fn default() -> BotConfig {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        BotConfig {
            threads: cores.saturating_sub(1).max(1),
            time: Duration::from_millis(300),
            nodes: 200_000,
            memory: 64 << 20,
            bot_tables: 64,
            bot_tables_per_client: 4,
        }
    }
}
