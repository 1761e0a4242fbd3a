//! Server settings: defaults, then a TOML file, then environment variables, then the command line.

use std::collections::BTreeMap;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use figment::Figment;
use figment::providers::{Env, Format, Serialized, Toml};
use serde::{Deserialize, Serialize};

use crate::addresses::{fault_of_public_url, resolve, with_small_scheme};
use crate::error::CommandError;
use crate::setting_error;
use parlor_server::{BadProxy, MetricsBind, NoticeConfig, TalkPolicy, TlsFiles, TrustedProxies};

/// Prefix of environment variables.
pub const ENV_PREFIX: &str = "PARLOR_";

/// Address to listen on, unless another one is set.
const USUAL_BIND: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080);
/// Address for metrics, unless another one is set.
const USUAL_METRICS_BIND: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 9464);

/// Variables of other commands, with the same prefix.
const OTHER_VARIABLES: [&str; 4] = [
    "PARLOR_CONFIG",
    "PARLOR_GIT_ACTOR",
    "PARLOR_GIT_SECRET",
    "PARLOR_GIT_SECRET_FILE",
];

/// All settings. Every field is a key of the file and, in capitals after `PARLOR_`, an environment
/// variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerSettings {
    /// Host and port to listen on.
    pub bind: String,
    /// URL of the database.
    pub database: String,
    /// Time within which a database server must answer, in milliseconds.
    pub database_timeout_ms: Option<NonZeroU32>,
    /// Address of the bus between several servers.
    pub bus: Option<String>,
    /// Public base URL.
    pub public_url: Option<String>,
    /// True if everybody who connects is a trusted proxy.
    pub trust_proxy: bool,
    /// Addresses and networks of trusted proxies, separated by commas.
    pub trusted_proxies: Option<String>,
    /// File with the certificate, if the server speaks HTTPS itself.
    pub tls_certificate: Option<PathBuf>,
    /// File with the key of the certificate.
    pub tls_key: Option<PathBuf>,
    /// Address for metrics, or `off`.
    pub metrics_bind: Option<String>,
    /// Address to report weaknesses to: `mailto:` or `https:`.
    pub security_contact: Option<String>,
    /// Switch for notices to members who have no page open.
    pub notices: NoticesSetting,
    /// Contact whom push services can tell of problems with notices: `mailto:` or `https:`.
    pub notices_contact: Option<String>,
    /// True if notices may be sent into private networks.
    pub notices_to_private: bool,
    /// Log filter.
    pub log: Option<String>,
    /// Log format.
    pub log_format: LogFormat,
    /// Number of bots that think at once; by default one core is left free.
    pub bot_threads: Option<NonZeroUsize>,
    /// Thinking time of a bot per move, in milliseconds.
    pub bot_time_ms: Option<u64>,
    /// Maximum number of nodes a bot searches per move.
    pub bot_nodes: Option<u64>,
    /// Maximum memory of all bots between their moves, in MiB.
    pub bot_memory_mb: Option<usize>,
    /// Number of games in progress between bots alone.
    pub bot_tables: Option<usize>,
    /// The same number for each member, and for the guests of each address.
    pub bot_tables_per_client: Option<usize>,
    /// Sustained number of requests per second from one address; 0 for no limit.
    pub requests_per_second: Option<u32>,
    /// Number of requests that one address may send at once before that rate applies.
    pub request_burst: Option<NonZeroU32>,
    /// Number of refused requests of one address in a second before it is shut out for ten seconds; 0 for
    /// no limit.
    pub refusals_per_second: Option<u32>,
    /// Largest body of a request, in bytes.
    pub body_bytes: Option<NonZeroUsize>,
    /// Room on the disk of the database below which nothing new can begin, in MiB; 0 for no limit.
    pub disk_reserve_mb: Option<u64>,
    /// Number of tables that one guest and one address may create per hour; 0 for no limit.
    pub tables_per_hour: Option<u32>,
    /// Number of tables with free seats per address; 0 for no limit.
    pub open_tables_per_address: Option<u32>,
    /// Number of days without a move after which a game without a clock leaves the list of live games; 0 for
    /// never.
    pub asleep_days: Option<u32>,
    /// Number of accounts that one address may create per hour; 0 for no limit.
    pub sign_ups_per_hour: Option<u32>,
    /// Number of attempts to sign in per hour and address; 0 for no limit.
    pub logins_per_hour: Option<u32>,
    /// Number of attempts to sign in per hour and account; 0 for no limit.
    pub logins_per_account: Option<u32>,
    /// Number of attempts to sign in to one account from one place before one must wait between them.
    pub logins_at_once: Option<NonZeroU32>,
    /// Number of seconds that one must wait then.
    pub login_pause_seconds: Option<NonZeroU32>,
    /// Number of API tokens that one account may create per hour; 0 for no limit.
    pub tokens_per_hour: Option<u32>,
    /// Number of exports of all data of an account per hour; 0 for no limit.
    pub exports_per_hour: Option<u32>,
    /// Number of times per hour that a member may challenge the same member; 0 for no limit.
    pub challenges_per_hour: Option<u32>,
    /// Number of analyses per hour and address; 0 for no limit.
    pub analyses_per_hour: Option<u32>,
    /// Texts that people may write at tables.
    pub talk: TalkSetting,
    /// Number of messages per minute that a person may write at tables; 0 for no limit.
    pub talk_per_minute: Option<u32>,
    /// Number of messages of one person before one must wait between them.
    pub talk_at_once: Option<NonZeroU32>,
    /// Number of seconds that one must wait then.
    pub talk_pause_seconds: Option<NonZeroU32>,
    /// Number of reports of messages per hour and person; 0 for no limit.
    pub reports_per_hour: Option<u32>,
    /// Number of days for which messages at tables are kept; 0 for ever.
    pub talk_days: Option<u32>,
    /// Number of seconds per minute that git may work for one address; 0 for no limit.
    pub git_seconds_per_minute: Option<u32>,
    /// Number of requests of git from one address at once.
    pub git_at_once: Option<NonZeroUsize>,
    /// Number of open event streams and sockets per address.
    pub streams_per_address: Option<NonZeroUsize>,
    /// Number of open event streams and sockets in all.
    pub streams: Option<NonZeroUsize>,
    /// Sustained number of messages per second on one socket; 0 for no limit.
    pub messages_per_second: Option<u32>,
    /// Number of seconds until the headers of a connection's first request must be complete.
    pub header_seconds: Option<NonZeroU32>,
    /// Number of seconds from an answer until the headers of the next request must be complete.
    pub idle_seconds: Option<NonZeroU32>,
    /// Number of seconds after which a body that makes no progress is given up.
    pub body_seconds: Option<NonZeroU32>,
    /// Number of seconds until an answer must have begun.
    pub answer_seconds: Option<NonZeroU32>,
    /// Number of seconds after which an answer is dropped that nobody reads.
    pub unread_seconds: Option<NonZeroU32>,
    /// Number of requests of one address whose answers are computed or not read yet.
    pub answers_per_address: Option<NonZeroUsize>,
    /// Number of such requests in all.
    pub answers: Option<NonZeroUsize>,
    /// Number of open connections of one address; 0 for no limit.
    pub connections_per_address: Option<usize>,
    /// Number of open connections in all; 0 for no limit. By default as many as the limit of open
    /// files allows.
    pub connections: Option<usize>,
    /// Names of the settings that have no default value, by their keys, where their values come from.
    #[serde(skip)]
    names: BTreeMap<String, String>,
}

impl Default for ServerSettings {
    fn default() -> ServerSettings {
        ServerSettings {
            bind: USUAL_BIND.to_string(),
            database: "sqlite:parlor.db".to_owned(),
            database_timeout_ms: None,
            bus: None,
            public_url: None,
            trust_proxy: false,
            trusted_proxies: None,
            tls_certificate: None,
            tls_key: None,
            metrics_bind: None,
            security_contact: None,
            notices: NoticesSetting::On,
            notices_contact: None,
            notices_to_private: false,
            log: None,
            log_format: LogFormat::Text,
            bot_threads: None,
            bot_time_ms: None,
            bot_nodes: None,
            bot_memory_mb: None,
            bot_tables: None,
            bot_tables_per_client: None,
            requests_per_second: None,
            request_burst: None,
            refusals_per_second: None,
            body_bytes: None,
            disk_reserve_mb: None,
            tables_per_hour: None,
            open_tables_per_address: None,
            asleep_days: None,
            sign_ups_per_hour: None,
            logins_per_hour: None,
            logins_per_account: None,
            logins_at_once: None,
            login_pause_seconds: None,
            tokens_per_hour: None,
            exports_per_hour: None,
            challenges_per_hour: None,
            analyses_per_hour: None,
            talk: TalkSetting::On,
            talk_per_minute: None,
            talk_at_once: None,
            talk_pause_seconds: None,
            reports_per_hour: None,
            talk_days: None,
            git_seconds_per_minute: None,
            git_at_once: None,
            streams_per_address: None,
            streams: None,
            messages_per_second: None,
            header_seconds: None,
            idle_seconds: None,
            body_seconds: None,
            answer_seconds: None,
            unread_seconds: None,
            answers_per_address: None,
            answers: None,
            connections_per_address: None,
            connections: None,
            names: BTreeMap::new(),
        }
    }
}

/// Format of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Plain lines.
    Text,
    /// One JSON object per line.
    Json,
}

/// Texts that people may write at tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum TalkSetting {
    /// Nothing.
    Off,
    /// Ready-made phrases.
    Phrases,
    /// Ready-made phrases and texts.
    On,
}

impl From<TalkSetting> for TalkPolicy {
    fn from(setting: TalkSetting) -> TalkPolicy {
        match setting {
            TalkSetting::Off => TalkPolicy::Off,
            TalkSetting::Phrases => TalkPolicy::Phrases,
            TalkSetting::On => TalkPolicy::On,
        }
    }
}

/// Switch for notices to members who have no page open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum NoticesSetting {
    /// They are not.
    Off,
    /// They are, if they want.
    On,
}

/// Command-line arguments that name the sources of settings.
#[derive(Args, Clone, Debug, Default, Serialize)]
pub struct SettingsArgs {
    /// A TOML file with settings
    #[arg(long, value_name = "FILE", env = "PARLOR_CONFIG")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// The database: sqlite:FILE, postgres://USER:PASSWORD@HOST/NAME or
    /// mysql://USER:PASSWORD@HOST/NAME [default: sqlite:parlor.db]
    #[arg(long, value_name = "URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
}

impl ServerSettings {
    /// Loads the settings from all sources; `overrides` are those of the command line, in the same
    /// fields.
    ///
    /// # Errors
    /// If the file cannot be read, a value is invalid, or two limits contradict each other; the message
    /// names the key and its source.
    pub fn load(
        args: &SettingsArgs,
        overrides: impl Serialize,
    ) -> Result<ServerSettings, CommandError> {
        let mut figment = Figment::from(Serialized::defaults(ServerSettings::default()));
        if let Some(path) = &args.config {
            // A file named explicitly must exist.
            std::fs::read_to_string(path).map_err(|error| {
                CommandError::Other(format!(
                    "cannot read the file of settings {}: {error}",
                    path.display()
                ))
            })?;
            figment = figment.merge(Toml::file_exact(path));
        }
        let keys: Vec<String> = keys();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        figment = figment.merge(Env::prefixed(ENV_PREFIX).only(&keys));
        figment = figment
            .merge(Serialized::defaults(args))
            .merge(Serialized::defaults(overrides));
        let mut settings: ServerSettings = figment.extract().map_err(|errors| {
            let reasons: Vec<String> = errors
                .into_iter()
                .map(|error| setting_error::describe(&error))
                .collect();
            CommandError::Other(reasons.join("; "))
        })?;
        let name = |key: &&str| {
            let name = setting_error::name_in_source(figment.find_metadata(key)?, key)?;
            Some(((*key).to_owned(), name))
        };
        settings.names = keys.iter().filter_map(name).collect();
        settings.check_limits()?;
        Ok(settings)
    }

    /// Returns the name of a setting where its value comes from, such as `--bind` or `PARLOR_BIND`; its
    /// key, if it has its default value.
    pub fn name_in_source<'a>(&'a self, key: &'a str) -> &'a str {
        self.names.get(key).map_or(key, String::as_str)
    }

    /// Creates an error about a setting, with its name.
    pub fn error(&self, key: &str, reason: impl fmt::Display) -> CommandError {
        CommandError::Other(format!("{}: {reason}", self.name_in_source(key)))
    }

    /// Returns the configuration of notices.
    pub fn notices(&self) -> NoticeConfig {
        NoticeConfig {
            on: self.notices == NoticesSetting::On,
            contact: self.notices_contact.clone(),
            to_private: self.notices_to_private,
            ..NoticeConfig::default()
        }
    }

    /// Checks that no limit is set that another one makes pointless.
    fn check_limits(&self) -> Result<(), CommandError> {
        let limits = parlor_server::Limits::default();
        let bots = parlor_server::BotConfig::default();
        let whole = |set: Option<NonZeroUsize>| set.map(NonZeroUsize::get);
        // Zero means that there is no limit.
        let bounded = |set: Option<usize>| set.filter(|limit| *limit > 0);
        let pairs = [
            (
                ("streams_per_address", whole(self.streams_per_address)),
                ("streams", whole(self.streams).or(Some(limits.streams))),
            ),
            (
                ("answers_per_address", whole(self.answers_per_address)),
                ("answers", whole(self.answers).or(Some(limits.answers))),
            ),
            (
                (
                    "connections_per_address",
                    bounded(self.connections_per_address),
                ),
                ("connections", bounded(self.connections)),
            ),
            (
                ("bot_tables_per_client", self.bot_tables_per_client),
                ("bot_tables", self.bot_tables.or(Some(bots.bot_tables))),
            ),
        ];
        for ((part, of_one), (all, in_all)) in pairs {
            if let (Some(of_one), Some(in_all)) = (of_one, in_all)
                && of_one > in_all
            {
                let (part, all) = (self.name_in_source(part), self.name_in_source(all));
                return Err(CommandError::Other(format!(
                    "{part} is {of_one}, but {all} allows only {in_all} in all: lower one or raise the other"
                )));
            }
        }
        Ok(())
    }

    /// Returns the environment variables that look like settings and are none: misspelt ones, perhaps.
    pub fn unknown_variables() -> Vec<String> {
        let keys = keys();
        let is_unknown = |name: &String| {
            name.strip_prefix(ENV_PREFIX)
                .is_some_and(|key| !keys.contains(&key.to_lowercase()) && !key.starts_with("TEST_"))
                && !OTHER_VARIABLES.contains(&name.as_str())
        };
        let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        let mut unknown: Vec<String> = names.filter(is_unknown).collect();
        unknown.sort();
        unknown
    }

    /// Resolves the address to listen on.
    ///
    /// # Errors
    /// If it cannot be resolved.
    pub fn address(&self) -> Result<SocketAddr, CommandError> {
        resolve(&self.bind, USUAL_BIND).map_err(|reason| self.error("bind", reason))
    }

    /// Returns the kind of the database, without its address and password.
    pub fn database_kind(&self) -> &str {
        self.database.split(':').next().unwrap_or_default()
    }

    /// Returns true if the public URL begins with `http:` although the server speaks HTTPS.
    pub fn is_public_url_plain(&self) -> bool {
        let public = self.public_url.as_deref();
        let is_plain = |url: &str| url.to_ascii_lowercase().starts_with("http://");
        self.tls_certificate.is_some() && public.is_some_and(is_plain)
    }

    /// Returns the proxies whose reports of clients' addresses are believed.
    ///
    /// # Errors
    /// If an address or a network is none, if there is none, or if everybody is trusted as well.
    pub fn trusted_proxies(&self) -> Result<TrustedProxies, CommandError> {
        let listed = self.trusted_proxies.as_deref();
        match listed {
            Some(_) if self.trust_proxy => Err(CommandError::Other(format!(
                "{} and {}: name the proxies, or trust everybody who connects, but not both",
                self.name_in_source("trusted_proxies"),
                self.name_in_source("trust_proxy")
            ))),
            None if self.trust_proxy => Ok(TrustedProxies::everybody()),
            None => Ok(TrustedProxies::default()),
            Some(list) => {
                let bad = |error: BadProxy| self.error("trusted_proxies", error);
                let proxies: TrustedProxies = list.parse().map_err(bad)?;
                if proxies.is_empty() {
                    let reason = "it is empty: name addresses or networks, such as 127.0.0.1 or 10.0.0.0/8, or leave it out";
                    return Err(self.error("trusted_proxies", reason));
                }
                Ok(proxies)
            }
        }
    }

    /// Returns the public base URL, whose scheme is in small letters.
    ///
    /// # Errors
    /// If it is no URL of a site's root, where all addresses of the pages begin.
    pub fn public_url(&self) -> Result<Option<String>, CommandError> {
        match self.public_url.as_deref().and_then(fault_of_public_url) {
            None => Ok(self.public_url.as_deref().map(with_small_scheme)),
            Some(fault) => Err(self.error("public_url", fault)),
        }
    }

    /// Returns the files for HTTPS.
    ///
    /// # Errors
    /// If there is a certificate without a key, or a key without a certificate.
    pub fn tls(&self) -> Result<Option<TlsFiles>, CommandError> {
        let (certificate, key) = (&self.tls_certificate, &self.tls_key);
        for (name, file) in [("tls_certificate", certificate), ("tls_key", key)] {
            if file
                .as_ref()
                .is_some_and(|file| file.as_os_str().is_empty())
            {
                let reason = "it is empty: name a file in PEM, or leave it out";
                return Err(self.error(name, reason));
            }
        }
        match (certificate.clone(), key.clone()) {
            (None, None) => Ok(None),
            (Some(certificate), Some(key)) => Ok(Some(TlsFiles { certificate, key })),
            (Some(_), None) => Err(self.error(
                "tls_certificate",
                "a certificate needs its key: name its file with tls_key, too",
            )),
            (None, Some(_)) => Err(self.error(
                "tls_key",
                "a key needs its certificate: name its file with tls_certificate, too",
            )),
        }
    }

    /// Returns the address for metrics.
    ///
    /// # Errors
    /// If it is neither an address nor `off`.
    pub fn metrics_bind(&self) -> Result<MetricsBind, CommandError> {
        match self.metrics_bind.as_deref() {
            None => Ok(MetricsBind::IfFree(USUAL_METRICS_BIND)),
            Some("off") => Ok(MetricsBind::Off),
            Some(text) => resolve(text, USUAL_METRICS_BIND)
                .map(MetricsBind::At)
                .map_err(|reason| self.error("metrics_bind", format!("{reason}; or off"))),
        }
    }

    /// Returns the options for opening the database.
    pub fn store(&self) -> parlor_store::StoreOptions {
        let mut options = parlor_store::StoreOptions::default();
        if let Some(ms) = self.database_timeout_ms {
            options.timeout = Duration::from_millis(ms.get().into());
        }
        options
    }

    /// Returns the server's settings for bots.
    pub fn bots(&self) -> parlor_server::BotConfig {
        let defaults = parlor_server::BotConfig::default();
        parlor_server::BotConfig {
            threads: self.bot_threads.map_or(defaults.threads, NonZeroUsize::get),
            time: self
                .bot_time_ms
                .map_or(defaults.time, Duration::from_millis),
            nodes: self.bot_nodes.unwrap_or(defaults.nodes),
            memory: self.bot_memory_mb.map_or(defaults.memory, |mb| mb << 20),
            bot_tables: self.bot_tables.unwrap_or(defaults.bot_tables),
            bot_tables_per_client: self
                .bot_tables_per_client
                .unwrap_or(defaults.bot_tables_per_client),
        }
    }

    /// Returns the server's limits of connections.
    pub fn connection_limits(&self) -> parlor_server::ConnectionLimits {
        let defaults = parlor_server::ConnectionLimits::default();
        let limit =
            |set: Option<usize>, default| set.map_or(default, |n| Some(n).filter(|n| *n > 0));
        let total = limit(self.connections, defaults.total);
        // Half is left for the others.
        let usual = match (defaults.per_address, total) {
            (Some(usual), Some(total)) => Some(usual.min((total / 2).max(1))),
            (usual, _) => usual,
        };
        parlor_server::ConnectionLimits {
            header_time: seconds(self.header_seconds, defaults.header_time),
            idle_time: seconds(self.idle_seconds, defaults.idle_time),
            body_time: seconds(self.body_seconds, defaults.body_time),
            unread_time: seconds(self.unread_seconds, defaults.unread_time),
            per_address: limit(self.connections_per_address, usual),
            total,
        }
    }

    /// Returns the server's limits for clients.
    pub fn limits(&self) -> parlor_server::Limits {
        let defaults = parlor_server::Limits::default();
        let or_none = |set: Option<u32>, usual| set.map_or(usual, |n| Some(n).filter(|n| *n > 0));
        let rate = |set: Option<u32>, usual| set.map_or(usual, NonZeroU32::new);
        parlor_server::Limits {
            body: self.body_bytes.map_or(defaults.body, NonZeroUsize::get),
            requests_per_second: rate(self.requests_per_second, defaults.requests_per_second),
            request_burst: self.request_burst.unwrap_or(defaults.request_burst),
            refusals_per_second: rate(self.refusals_per_second, defaults.refusals_per_second),
            disk_reserve: self.disk_reserve_mb.map_or(defaults.disk_reserve, |mb| {
                Some(mb.saturating_mul(1 << 20)).filter(|bytes| *bytes > 0)
            }),
            tables_per_hour: or_none(self.tables_per_hour, defaults.tables_per_hour),
            open_tables_per_address: or_none(
                self.open_tables_per_address,
                defaults.open_tables_per_address,
            ),
            asleep_days: or_none(self.asleep_days, defaults.asleep_days),
            sign_ups_per_hour: or_none(self.sign_ups_per_hour, defaults.sign_ups_per_hour),
            logins_per_hour: or_none(self.logins_per_hour, defaults.logins_per_hour),
            logins_per_account: or_none(self.logins_per_account, defaults.logins_per_account),
            logins_at_once: self.logins_at_once.unwrap_or(defaults.logins_at_once),
            login_pause: seconds(self.login_pause_seconds, defaults.login_pause),
            tokens_per_hour: or_none(self.tokens_per_hour, defaults.tokens_per_hour),
            exports_per_hour: or_none(self.exports_per_hour, defaults.exports_per_hour),
            challenges_per_hour: or_none(self.challenges_per_hour, defaults.challenges_per_hour),
            analyses_per_hour: or_none(self.analyses_per_hour, defaults.analyses_per_hour),
            talk_per_minute: or_none(self.talk_per_minute, defaults.talk_per_minute),
            talk_at_once: self.talk_at_once.unwrap_or(defaults.talk_at_once),
            talk_pause: seconds(self.talk_pause_seconds, defaults.talk_pause),
            reports_per_hour: or_none(self.reports_per_hour, defaults.reports_per_hour),
            talk_days: or_none(self.talk_days, defaults.talk_days),
            git_seconds_per_minute: rate(
                self.git_seconds_per_minute,
                defaults.git_seconds_per_minute,
            ),
            git_at_once: self
                .git_at_once
                .map_or(defaults.git_at_once, NonZeroUsize::get),
            answers_per_address: self
                .answers_per_address
                .map_or(defaults.answers_per_address, NonZeroUsize::get),
            answers: self.answers.map_or(defaults.answers, NonZeroUsize::get),
            streams_per_address: self
                .streams_per_address
                .map_or(defaults.streams_per_address, NonZeroUsize::get),
            streams: self.streams.map_or(defaults.streams, NonZeroUsize::get),
            messages_per_second: rate(self.messages_per_second, defaults.messages_per_second),
            request_time: seconds(self.answer_seconds, defaults.request_time),
            ..defaults
        }
    }
}

/// Returns a number of seconds as a time, or the usual time.
fn seconds(set: Option<NonZeroU32>, usual: Duration) -> Duration {
    set.map_or(usual, |n| Duration::from_secs(n.get().into()))
}

/// Returns the keys of all settings.
fn keys() -> Vec<String> {
    match serde_json::to_value(ServerSettings::default()) {
        Ok(serde_json::Value::Object(fields)) => fields.into_iter().map(|(key, _)| key).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
#[expect(
    clippy::result_large_err,
    reason = "figment's jail requires its own error type"
)]
mod tests;
