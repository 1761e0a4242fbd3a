//! `parlor serve`: the server and its web pages.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use clap::Args;
use parlor_server::{Config, Server};
use parlor_store::Store;
use serde::Serialize;

use crate::failure::Failure;
use crate::logging;
use crate::settings::{LogFormat, Settings, Sources};

/// Serves the games over HTTP: web pages, API, live events.
///
/// Prints one line with its address when it is ready. Ctrl-C or SIGTERM ends it, after what was asked has been answered and written.
#[derive(Args, Debug, Serialize)]
#[command(after_help = "\
Every setting can also stand in the file, and in the environment in capitals after PARLOR_: PARLOR_BIND, PARLOR_DATABASE.
The command line wins over the environment, the environment over the file. In both also: bot_threads, bot_nodes,
requests_per_second, tables_per_hour (0 is no limit).

Examples:
  parlor serve
  parlor serve --bind 0.0.0.0:80 --public-url https://games.example.org --trust-proxy
  parlor serve --database postgres://parlor:secret@localhost/parlor
  parlor serve --config parlor.toml --log parlor_server=debug --log-format json")]
pub struct Serve {
    #[command(flatten)]
    #[serde(skip)]
    sources: Sources,
    /// Host and port to listen on; port 0 takes any free one [default: 127.0.0.1:8080]
    #[arg(long, value_name = "HOST:PORT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    bind: Option<String>,
    /// How the house is reached from outside, such as https://games.example.org
    #[arg(long, value_name = "URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    public_url: Option<String>,
    /// Believe X-Forwarded-For: only behind a proxy that sets it
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    trust_proxy: bool,
    /// How long a bot thinks about a move, in milliseconds
    #[arg(long, value_name = "MS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    bot_time_ms: Option<u64>,
    /// What to log, such as `warn` or `info,parlor_server=debug`; RUST_LOG when not said [default: info]
    #[arg(long, value_name = "FILTER")]
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<String>,
    /// How to log [default: text]
    #[arg(long, value_name = "FORMAT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    log_format: Option<LogFormat>,
}

pub fn run(args: &Serve, out: &mut dyn Write) -> Result<(), Failure> {
    let settings = Settings::gather(&args.sources, args)?;
    let address = settings.address()?;
    logging::start(settings.log.as_deref(), settings.log_format)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let runtime =
        runtime.map_err(|error| Failure::Refused(format!("the server cannot start: {error}")))?;
    runtime.block_on(serve(&settings, address, out))
}

async fn serve(
    settings: &Settings,
    address: SocketAddr,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let stop = stopped().map_err(Failure::refused)?;
    let store = Store::open(&settings.database)
        .await
        .map_err(Failure::refused)?;
    let config = Config {
        public_url: settings.public_url.clone(),
        trust_proxy: settings.trust_proxy,
        limits: settings.limits(),
        bots: settings.bots(),
        ..Config::new(address, store)
    };
    let server = Server::bind(config).await.map_err(Failure::refused)?;
    writeln!(out, "http://{}/", reachable(server.local_addr()))?;
    out.flush()?;
    let served = server.run(stop).await;
    served.map_err(|error| Failure::Refused(format!("the server had to stop: {error}")))
}

/// The address to show: where all addresses are listened on, the one of this machine.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// Waits for Ctrl-C or SIGTERM. The listening begins before the server says that it is ready.
fn stopped() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    #[cfg(unix)]
    let mut terminated = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    #[cfg(unix)]
    let mut interrupted =
        tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())?;
    Ok(async move {
        #[cfg(unix)]
        tokio::select! {
            _ = interrupted.recv() => {}
            _ = terminated.recv() => {}
        }
        #[cfg(not(unix))]
        // Without signals the process can only be ended from outside.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        tracing::info!("stopping: what was asked is still answered");
    })
}

#[cfg(test)]
mod tests {
    use super::reachable;

    #[test]
    fn the_address_shown_can_be_opened() {
        for (bound, shown) in [
            ("0.0.0.0:80", "127.0.0.1:80"),
            ("[::]:1", "[::1]:1"),
            ("10.0.0.1:5", "10.0.0.1:5"),
        ] {
            assert_eq!(
                reachable(bound.parse().expect("an address")).to_string(),
                shown
            );
        }
    }
}
