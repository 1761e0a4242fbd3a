//! What a server is made from.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use parlor_store::Store;

/// What a server is made from.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen; port 0 takes any free one.
    pub bind: SocketAddr,
    /// Where tables are kept.
    pub store: Store,
    /// How the house is reached from outside, such as `https://games.example.org`; links and cookies follow it.
    pub public_url: Option<String>,
    /// Whether the last entry of `X-Forwarded-For` names the client: only behind a proxy that sets it.
    pub trust_proxy: bool,
    /// What one client may use.
    pub limits: Limits,
    /// How bots think.
    pub bots: Bots,
}

impl Config {
    /// A server at this address with this store, everything else as usual.
    pub fn new(bind: SocketAddr, store: Store) -> Config {
        Config {
            bind,
            store,
            public_url: None,
            trust_proxy: false,
            limits: Limits::default(),
            bots: Bots::default(),
        }
    }
}

/// What one client may use. `None` is no limit.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a request's body.
    pub body: usize,
    /// Requests per second and address, over time.
    pub requests_per_second: Option<NonZeroU32>,
    /// Requests at once from one address, before that rate counts.
    pub request_burst: NonZeroU32,
    /// Tables made per hour by one guest, and by one address.
    pub tables_per_hour: Option<u32>,
    /// Accounts made per hour from one address.
    pub sign_ups_per_hour: Option<u32>,
    /// Wrong names and passwords per hour from one address.
    pub failed_logins_per_hour: Option<u32>,
    /// Analyses of games asked for per hour from one address, without those that are there already.
    pub analyses_per_hour: Option<u32>,
    /// Event streams and sockets open at once from one address.
    pub streams_per_address: usize,
    /// Event streams and sockets open at once altogether.
    pub streams: usize,
    /// Messages per second on one socket, over time; four seconds' worth may come at once.
    pub messages_per_second: Option<NonZeroU32>,
    /// How long a request may take until its answer begins.
    pub request_time: Duration,
    /// How long one waits for a quick match.
    pub queue_time: Duration,
    /// How long a table that nobody watches and nobody asks for stays in memory.
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

/// How bots think.
#[derive(Clone, Debug)]
pub struct Bots {
    /// How many think at once.
    pub threads: usize,
    /// How long one thinks about a move.
    pub time: Duration,
    /// How many nodes one looks at for a move, whatever the time.
    pub nodes: u64,
}

impl Default for Bots {
    fn default() -> Bots {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Bots {
            threads: cores.saturating_sub(1).max(1),
            time: Duration::from_millis(300),
            nodes: 200_000,
        }
    }
}
