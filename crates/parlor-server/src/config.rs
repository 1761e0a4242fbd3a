//! Configuration of a server.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use parlor_store::Store;

/// Configuration of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// Address to listen on; port 0 picks a free port.
    pub bind: SocketAddr,
    /// Store of tables and accounts.
    pub store: Store,
    /// Public base URL, such as `https://games.example.org`, used in links; cookies are `Secure` if
    /// it is HTTPS.
    pub public_url: Option<String>,
    /// True to take the client's address from the last entry of `X-Forwarded-For`. Only safe behind
    /// a proxy that sets it.
    pub trust_proxy: bool,
    /// Limits per client.
    pub limits: Limits,
    /// Limits of the bots' searches.
    pub bots: BotConfig,
}

impl Config {
    /// Creates a configuration with defaults for everything but the address and the store.
    pub fn new(bind: SocketAddr, store: Store) -> Config {
        Config {
            bind,
            store,
            public_url: None,
            trust_proxy: false,
            limits: Limits::default(),
            bots: BotConfig::default(),
        }
    }
}

/// Limits per client and for the server. `None` means unlimited.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Maximum size of a request's body, in bytes.
    pub body: usize,
    /// Sustained requests per second and address.
    pub requests_per_second: Option<NonZeroU32>,
    /// Requests that an address may send in a burst before the rate applies.
    pub request_burst: NonZeroU32,
    /// Tables created per hour, per guest and per address.
    pub tables_per_hour: Option<u32>,
    /// Accounts created per hour and address.
    pub sign_ups_per_hour: Option<u32>,
    /// Failed logins per hour and address.
    pub failed_logins_per_hour: Option<u32>,
    /// Analyses requested per hour and address, not counting cached ones.
    pub analyses_per_hour: Option<u32>,
    /// Open event streams and sockets per address.
    pub streams_per_address: usize,
    /// Open event streams and sockets in total.
    pub streams: usize,
    /// Sustained messages per second on a socket; bursts of four seconds' worth are allowed.
    pub messages_per_second: Option<NonZeroU32>,
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
            tables_per_hour: Some(240),
            sign_ups_per_hour: Some(20),
            failed_logins_per_hour: Some(60),
            analyses_per_hour: Some(60),
            streams_per_address: 64,
            streams: 20_000,
            messages_per_second: NonZeroU32::new(50),
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
}

impl Default for BotConfig {
    fn default() -> BotConfig {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        BotConfig {
            threads: cores.saturating_sub(1).max(1),
            time: Duration::from_millis(300),
            nodes: 200_000,
        }
    }
}
