//! `parlor serve`: the server and its web pages.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;

use clap::Args;
use parlor_server::{Config, MIN_FILES, Server, StartError, TlsError};
use parlor_store::Store;
use serde::Serialize;

use crate::error::CommandError;
use crate::limit_args::{BotArgs, LimitArgs, positive};
use crate::logging;
use crate::settings::{LogFormat, NoticesSetting, ServerSettings, SettingsArgs, TalkSetting};
use crate::signals::stop_signal;

/// Most time that the end waits for what is still computed.
const COMPUTING_AT_END: Duration = Duration::from_secs(1);

/// Run the server: web pages, API, live events.
///
/// Prints its address when it is ready. Ctrl-C or SIGTERM stops it after pending requests have been
/// answered.
#[derive(Args, Debug, Serialize)]
#[command(after_help = "\
Every setting can also be given in the --config file and in environment variables such as PARLOR_BIND and PARLOR_DATABASE.
The command line overrides the environment, and the environment overrides the file.

Examples:
  parlor serve
  parlor serve --bind 0.0.0.0:80 --public-url https://games.example.org --trusted-proxies 10.0.0.0/8
  parlor serve --bind 0.0.0.0:443 --tls-certificate fullchain.pem --tls-key privkey.pem
  parlor serve --database postgres://parlor:secret@localhost/parlor
  parlor serve --config parlor.toml --log parlor_server=debug --log-format json")]
pub struct ServeArgs {
    #[command(flatten)]
    #[serde(skip)]
    settings: SettingsArgs,
    /// Host and port to listen on; port 0 picks a free one [default: 127.0.0.1:8080]
    #[arg(long, value_name = "HOST:PORT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    bind: Option<String>,
    /// NATS server by which several servers on one database tell each other what happens, as
    /// nats://HOST:PORT [default: PostgreSQL itself; with MySQL, each asks the database]
    #[arg(long, value_name = "URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    bus: Option<String>,
    /// Public base URL, such as `https://games.example.org`
    #[arg(long, value_name = "URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    public_url: Option<String>,
    /// Proxies to believe about clients' addresses (Forwarded, X-Forwarded-For): addresses and
    /// networks, separated by commas
    #[arg(long, value_name = "LIST")]
    #[serde(skip_serializing_if = "Option::is_none")]
    trusted_proxies: Option<String>,
    /// Believe everybody who connects about the client's address; only if none but a proxy can
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    trust_proxy: bool,
    /// Certificate in PEM, to speak HTTPS without a proxy; read again when it changes
    #[arg(long, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    tls_certificate: Option<std::path::PathBuf>,
    /// Private key of the certificate, in PEM
    #[arg(long, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    tls_key: Option<std::path::PathBuf>,
    /// Address and port of the metrics for Prometheus, or off [default: 127.0.0.1:9464, if free]
    #[arg(long, value_name = "ADDRESS:PORT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    metrics_bind: Option<String>,
    /// Contact for reports of weaknesses, for /.well-known/security.txt: mailto:... or https://...
    #[arg(long, value_name = "URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    security_contact: Option<String>,
    /// Texts that people may write to each other at tables: off, ready-made phrases only, or on [default: on]
    #[arg(long, value_name = "WHAT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    talk: Option<TalkSetting>,
    /// Notices to members who have no page open, by Web Push, ntfy and webhooks: on or off [default: on]
    #[arg(long, value_name = "WHAT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    notices: Option<NoticesSetting>,
    /// Contact whom push services can tell of problems with notices: mailto:... or https://... [default: the contact
    /// for weaknesses, or the public URL]
    #[arg(long, value_name = "URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    notices_contact: Option<String>,
    /// Send notices also to private networks, by plain HTTP and to any port; only for tests, or where all
    /// members may send requests to your own services
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    notices_to_private: bool,
    /// Time within which a database server must answer a statement, in milliseconds; one that is not
    /// heard of for half as long counts as away [default: 4000]
    #[arg(long, value_name = "MS", value_parser = positive::<NonZeroU32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    database_timeout_ms: Option<NonZeroU32>,
    /// Log filter, such as `warn` or `info,parlor_server=debug` [default: RUST_LOG, or info]
    #[arg(long, value_name = "FILTER")]
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<String>,
    /// Log format [default: text]
    #[arg(long, value_name = "FORMAT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    log_format: Option<LogFormat>,
    #[command(flatten)]
    #[serde(flatten)]
    bots: BotArgs,
    #[command(flatten)]
    #[serde(flatten)]
    limits: LimitArgs,
}

pub fn run(args: &ServeArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let settings = ServerSettings::load(&args.settings, args)?;
    let address = settings.address()?;
    let filter = settings.log.as_deref();
    let filter = filter.map(|filter| (settings.name_in_source("log"), filter));
    let _lines = logging::init(filter, settings.log_format)?;
    // A warning only: Kubernetes sets such variables for a service that is called parlor.
    let unknown = ServerSettings::unknown_variables();
    if !unknown.is_empty() {
        let names = unknown.join(", ");
        tracing::warn!(
            names,
            "variables that are not settings: see `parlor serve --help`"
        );
    }
    // Before files are opened, and before the limits of connections are derived from it.
    let files = parlor_server::raise_file_limit();
    if let Ok(files) = files {
        check_files(files)?;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(parlor_server::worker_threads())
        .enable_all()
        .build();
    let runtime = runtime
        .map_err(|error| CommandError::Other(format!("cannot start the server: {error}")))?;
    let served = runtime.block_on(serve(&settings, address, files, out));
    // Nobody waits for what is still computed, such as the move of a bot: everything stored is stored.
    runtime.shutdown_timeout(COMPUTING_AT_END);
    served
}

/// Refuses a number of files with which nobody could be served.
fn check_files(files: u64) -> Result<(), CommandError> {
    if files >= MIN_FILES {
        return Ok(());
    }
    Err(CommandError::Other(format!(
        "the system lets the server open only {files} files, but it needs at least {MIN_FILES}, and one more for each \
         visitor: raise the limit (ulimit -Hn, or LimitNOFILE of a systemd unit)"
    )))
}

async fn serve(
    settings: &ServerSettings,
    address: SocketAddr,
    files: io::Result<u64>,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let stopped = stop_signal().map_err(CommandError::other)?;
    let stop = async move {
        stopped.await;
        tracing::info!("shutting down: pending requests are still answered");
    };
    // Before anything is made in the database.
    let public_url = settings.public_url()?;
    let trusted_proxies = settings.trusted_proxies()?;
    let tls = settings.tls()?;
    let metrics = settings.metrics_bind()?;
    let store = Store::open_with(&settings.database, &settings.store())
        .await
        .map_err(|error| settings.error("database", error))?;
    let connections = settings.connection_limits();
    let config = Config {
        bus: settings.bus.clone(),
        public_url,
        trusted_proxies,
        tls,
        metrics,
        security_contact: settings.security_contact.clone(),
        connections: connections.clone(),
        limits: settings.limits(),
        talk: settings.talk.into(),
        notices: settings.notices(),
        bots: settings.bots(),
        ..Config::new(address, store)
    };
    let server = Server::bind(config)
        .await
        .map_err(|error| start_error(settings, &error))?;
    tracing::info!(
        version = env!("CARGO_PKG_VERSION"),
        address = %server.local_addr(),
        public_url = settings.public_url.as_deref(),
        database = settings.database_kind(),
        bus = server.bus(),
        nodes = server.nodes(),
        https = settings.tls_certificate.is_some(),
        trusted_proxies = if settings.trust_proxy { Some("everybody") } else { settings.trusted_proxies.as_deref() },
        metrics = server.metrics_addr().map(|address| address.to_string()),
        bot_threads = settings.bots().threads,
        "serving"
    );
    if settings.trust_proxy && !server.local_addr().ip().is_loopback() {
        tracing::warn!(
            "trust_proxy: whoever reaches this address can claim any client address and pass all limits: name the proxies in trusted_proxies instead"
        );
    }
    if !settings.trust_proxy
        && settings.trusted_proxies()?.trusts_everybody()
        && !server.local_addr().ip().is_loopback()
    {
        tracing::warn!(
            "trusted_proxies: with a network of all addresses, whoever reaches this address can claim any client address and pass all limits: name the proxies alone"
        );
    }
    if settings.is_public_url_plain() {
        tracing::warn!(
            "public_url: it begins with http:// although the server speaks HTTPS: links lead nowhere, and cookies are not kept from plain HTTP"
        );
    }
    if let Some(metrics) = server.metrics_addr().filter(|at| !at.ip().is_loopback()) {
        tracing::warn!(
            address = %metrics,
            "metrics_bind: whoever reaches this address can read the metrics: bind them to 127.0.0.1, or keep others away with a firewall"
        );
    }
    if !parlor_git::is_installed() {
        tracing::warn!(
            "git cannot be run: tables cannot be cloned, nor moves be pushed, until it is installed"
        );
    }
    match files {
        Ok(files) => {
            tracing::info!(files, "the number of files that may be open");
            if let Some(room) = connections.room_if_exceeded(files) {
                tracing::warn!(
                    "connections: the open files leave room for {room} only: raise the limit of files (ulimit -n), or newcomers may not be served"
                );
            }
            if settings.connections_per_address.is_some()
                && let Some(all) = connections.all_if_exceeded_by_one(files)
            {
                tracing::warn!(
                    "connections_per_address: there can be {all} connections in all, so that one address can take every one: lower it"
                );
            }
        }
        Err(error) => tracing::warn!(%error, "cannot raise the limit of open files"),
    }
    let scheme = if settings.tls_certificate.is_some() {
        "https"
    } else {
        "http"
    };
    writeln!(out, "{scheme}://{}/", reachable(server.local_addr()))?;
    out.flush()?;
    let served = server.run(stop).await;
    served.map_err(|error| CommandError::Other(format!("the server stopped: {error}")))
}

/// Names the setting that an error concerns.
fn start_error(settings: &ServerSettings, error: &StartError) -> CommandError {
    let key = match error {
        StartError::Bind { .. } => "bind",
        StartError::MetricsBind { .. } | StartError::OwnAddress { .. } => "metrics_bind",
        StartError::SecurityContact(_) => "security_contact",
        StartError::NoticesContact(_) => "notices_contact",
        StartError::PublicUrl(_) => "public_url",
        StartError::Tls(TlsError::NoKey(_) | TlsError::UnusableKey(_)) => "tls_key",
        StartError::Tls(TlsError::File { file, .. }) if settings.tls_key.as_ref() == Some(file) => {
            "tls_key"
        }
        StartError::Tls(_) => "tls_certificate",
        StartError::Bus(_) => "bus",
        StartError::Store(_) => "database",
        _ => return CommandError::other(error),
    };
    settings.error(key, error)
}

/// Returns the address to show; for an unspecified address the loopback address.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

#[cfg(test)]
mod tests {
    use super::reachable;

    #[test]
    fn the_printed_address_can_be_opened() {
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
