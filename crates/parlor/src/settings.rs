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
mod tests {
    use figment::Jail;
    use serde_json::json;

    use super::*;

    fn loaded(config: Option<&str>, overrides: serde_json::Value) -> ServerSettings {
        let args = SettingsArgs {
            config: config.map(PathBuf::from),
            database: None,
        };
        ServerSettings::load(&args, overrides).expect("valid settings")
    }

    #[test]
    fn a_limit_for_one_above_the_limit_for_all_is_refused() {
        Jail::expect_with(|_| {
            let args = SettingsArgs {
                config: None,
                database: None,
            };
            for (one, all) in [
                ("streams_per_address", "streams"),
                ("answers_per_address", "answers"),
                ("connections_per_address", "connections"),
                ("bot_tables_per_client", "bot_tables"),
            ] {
                let refused = ServerSettings::load(&args, json!({ one: 9, all: 8 }));
                let flag = |key: &str| format!("--{}", key.replace('_', "-"));
                let said = format!("{} is 9, but {} allows only 8", flag(one), flag(all));
                assert!(
                    matches!(&refused, Err(CommandError::Other(text)) if text.contains(&said)),
                    "{one} and {all}"
                );
                loaded(None, json!({ one: 8, all: 8 }));
                loaded(None, json!({ all: 1 }));
            }
            for one in [
                "streams_per_address",
                "answers_per_address",
                "bot_tables_per_client",
            ] {
                let refused = ServerSettings::load(&args, json!({ one: 1_000_000 }));
                assert!(refused.is_err(), "{one} is above the default for all");
            }
            // Without a limit there is nothing to contradict.
            loaded(
                None,
                json!({ "connections_per_address": 9, "connections": 0 }),
            );
            Ok(())
        });
    }

    #[test]
    fn the_command_line_overrides_the_environment_the_file_and_the_defaults() {
        Jail::expect_with(|jail| {
            assert_eq!(loaded(None, json!({})), ServerSettings::default());
            jail.create_file(
                "p.toml",
                "bind = '1.1.1.1:1'\ndatabase = 'sqlite:file'\ntrust_proxy = true",
            )?;
            jail.set_env("PARLOR_BIND", "2.2.2.2:2");
            jail.set_env("PARLOR_BOT_TIME_MS", "7");
            jail.set_env("PARLOR_SOMETHING_ELSE", "ignored");
            let unknown = ServerSettings::unknown_variables();
            assert!(unknown.contains(&"PARLOR_SOMETHING_ELSE".to_owned()));
            assert!(!unknown.contains(&"PARLOR_BIND".to_owned()));
            let settings = loaded(Some("p.toml"), json!({ "bot_time_ms": 9 }));
            assert_eq!(settings.database, "sqlite:file", "set in the file only");
            assert!(settings.trust_proxy);
            assert_eq!(
                settings.bind, "2.2.2.2:2",
                "the environment overrides the file"
            );
            assert_eq!(
                settings.bot_time_ms,
                Some(9),
                "the command line overrides the environment"
            );
            Ok(())
        });
    }

    #[test]
    fn an_invalid_value_is_reported_with_its_key_and_source() {
        Jail::expect_with(|jail| {
            let refusal = |jail: &mut Jail, text: &str| {
                jail.create_file("p.toml", text)
                    .expect("a temporary folder");
                let args = SettingsArgs {
                    config: Some("p.toml".into()),
                    database: None,
                };
                match ServerSettings::load(&args, json!({})) {
                    Err(CommandError::Other(reason)) => reason,
                    other => panic!("{other:?}"),
                }
            };
            let reason = refusal(jail, "trust_proxy = 'perhaps'");
            assert!(
                reason.contains("trust_proxy") && reason.contains("p.toml"),
                "{reason}"
            );
            for (text, said) in [
                (
                    "trust_proxy = 'perhaps'",
                    "trust_proxy: 'perhaps' is not true or false",
                ),
                (
                    "trust_proxy = \"true\"",
                    "trust_proxy: 'true' in quotes is a text: write true without them",
                ),
                (
                    "bot_time_ms = \"300\"",
                    "bot_time_ms: '300' in quotes is a text: write 300 without them",
                ),
                (
                    "bot_time_ms = \"-3\"",
                    "bot_time_ms: '-3' is not a whole number from 0",
                ),
                ("bnid = '1.1.1.1:1'", "there is no setting 'bnid'"),
                ("bind = ", "p.toml, line 1, column 8: there is no value"),
                (
                    "bind = 8080",
                    "bind: 8080 is a port without a host: write \"127.0.0.1:8080\"",
                ),
                (
                    "public_url = 8080",
                    "public_url: 8080 is not a text: write it in quotes",
                ),
                (
                    "talk = false",
                    "talk: false is none of off, phrases, on: write one in quotes",
                ),
                (
                    "database_timeout_ms = 4.0",
                    "database_timeout_ms: 4.0 is not a whole number from 1 to 4294967295: write 4",
                ),
                ("talk = off", "p.toml, line 1, column 8: invalid string"),
                (
                    "streams = 3\n\n[limits]\n",
                    "p.toml, line 3: there is no setting 'limits'",
                ),
                (
                    "# streams = 1\nbind = '[::1]:1'\n streams = 'many'",
                    "p.toml, line 3: streams: 'many' is not a whole number",
                ),
                (
                    "trusted_proxies = [\"127.0.0.1\", \"10.0.0.0/8\"]",
                    "trusted_proxies: a list is not a text: write one, with commas between its parts",
                ),
                ("log_format = 'xml'", "'xml' is none of text, json"),
                (
                    "requests_per_second = -1",
                    "-1 is not a whole number from 0 to 4294967295",
                ),
                (
                    "request_burst = 0",
                    "0 is not a whole number from 1 to 4294967295",
                ),
            ] {
                let reason = refusal(jail, text);
                assert!(reason.contains(said), "{text}: {reason}");
            }
            jail.set_env("PARLOR_BOT_TIME_MS", "soon");
            let reason = refusal(jail, "");
            assert_eq!(
                reason,
                "PARLOR_BOT_TIME_MS: 'soon' is not a whole number from 0 to 18446744073709551615"
            );
            jail.set_env("PARLOR_BOT_TIME_MS", "4.0");
            let reason = refusal(jail, "");
            assert!(
                reason.ends_with("18446744073709551615: write 4"),
                "{reason}"
            );
            jail.set_env("PARLOR_BOT_TIME_MS", "4");
            jail.set_env("PARLOR_TALK", "false");
            let reason = refusal(jail, "");
            assert_eq!(reason, "PARLOR_TALK: false is none of off, phrases, on");
            Ok(())
        });
    }

    #[test]
    fn proxies_are_named_or_everybody_is_trusted() {
        let settings = |trusted_proxies: Option<&str>, trust_proxy| ServerSettings {
            trusted_proxies: trusted_proxies.map(str::to_owned),
            trust_proxy,
            ..ServerSettings::default()
        };
        let one = [127, 0, 0, 1].into();
        let trusts =
            |settings: ServerSettings| settings.trusted_proxies().map(|all| all.trusts(one));
        assert!(!trusts(settings(None, false)).unwrap());
        assert!(trusts(settings(Some("127.0.0.1"), false)).unwrap());
        assert!(trusts(settings(None, true)).unwrap());
        for wrong in [
            settings(Some("127.0.0.1"), true),
            settings(Some("a"), false),
        ] {
            assert!(wrong.trusted_proxies().is_err());
        }
        for empty in ["", " ", ","] {
            let refused = settings(Some(empty), false).trusted_proxies();
            let said = "trusted_proxies: it is empty";
            assert!(
                matches!(&refused, Err(CommandError::Other(text)) if text.contains(said)),
                "{empty:?}: {refused:?}"
            );
        }
    }

    #[test]
    fn a_public_url_without_encryption_does_not_fit_a_certificate() {
        for (url, certificate, is_plain) in [
            (Some("http://games.example"), Some("certificate.pem"), true),
            (
                Some("https://games.example"),
                Some("certificate.pem"),
                false,
            ),
            (None, Some("certificate.pem"), false),
            (Some("http://games.example"), None, false),
        ] {
            let settings = ServerSettings {
                public_url: url.map(str::to_owned),
                tls_certificate: certificate.map(Into::into),
                ..ServerSettings::default()
            };
            assert_eq!(
                settings.is_public_url_plain(),
                is_plain,
                "{url:?} {certificate:?}"
            );
        }
    }

    fn reason<T: fmt::Debug>(refused: Result<T, CommandError>) -> String {
        match refused {
            Err(CommandError::Other(reason)) => reason,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_setting_is_named_as_it_is_where_it_comes_from() {
        Jail::expect_with(|jail| {
            jail.create_file("p.toml", "# of the house\nbind = 'x'\ntls_key = ''\n")?;
            let settings = loaded(Some("p.toml"), json!({}));
            let refused = reason(settings.address());
            assert!(refused.starts_with("p.toml, line 2: bind: \"x\" has no port"));
            assert!(reason(settings.tls()).starts_with("p.toml, line 3: tls_key: it is empty"));
            jail.set_env("PARLOR_BIND", "x");
            let settings = loaded(Some("p.toml"), json!({ "tls_certificate": "" }));
            assert!(reason(settings.address()).starts_with("PARLOR_BIND: \"x\" has no port"));
            assert!(reason(settings.tls()).starts_with("--tls-certificate: it is empty"));
            let settings = loaded(Some("p.toml"), json!({ "bind": "y" }));
            assert!(reason(settings.address()).starts_with("--bind: \"y\" has no port"));
            assert_eq!(settings.name_in_source("streams"), "streams");
            Ok(())
        });
    }

    #[test]
    fn an_address_without_a_host_or_a_port_is_told_what_it_lacks() {
        for (text, said) in [
            ("8080", "write 127.0.0.1:8080, or 0.0.0.0:8080 for all"),
            (":81", "names no host: write 127.0.0.1:81, or 0.0.0.0:81"),
            (
                "",
                "it is empty: write a host and port, such as 127.0.0.1:8080",
            ),
            ("[::1]", "has no port: write [::1]:8080"),
            ("::1", "has no port: write [::1]:8080"),
            ("0.0.0.0", "has no port: write 0.0.0.0:8080"),
            ("localhost", "has no port: write localhost:8080"),
            ("127.0.0.1:", "needs a port from 0 to 65535"),
            ("127.0.0.1:99999", "needs a port from 0 to 65535"),
            ("http://127.0.0.1:8080", "is a URL: write a host and port"),
            ("a b", "is not a host and port, such as 127.0.0.1:8080"),
            ("a..b:80", "the host \"a..b\" cannot be found"),
        ] {
            let bind = text.to_owned();
            let settings = ServerSettings {
                bind,
                metrics_bind: Some(text.to_owned()),
                ..ServerSettings::default()
            };
            let refused = reason(settings.address());
            assert!(refused.contains(said), "{text}: {refused}");
            let refused = reason(settings.metrics_bind());
            assert!(refused.ends_with("; or off"), "{text}: {refused}");
        }
        for good in ["127.0.0.1:0", "[::1]:8080", "localhost:80"] {
            assert!(resolve(good, USUAL_BIND).is_ok(), "{good}");
        }
    }

    #[test]
    fn a_certificate_and_its_key_are_named_together() {
        let settings = |certificate: Option<&str>, key: Option<&str>| ServerSettings {
            tls_certificate: certificate.map(Into::into),
            tls_key: key.map(Into::into),
            ..ServerSettings::default()
        };
        assert!(
            settings(None, None)
                .tls()
                .is_ok_and(|files| files.is_none())
        );
        assert!(settings(Some("c"), Some("k")).tls().is_ok());
        for (certificate, key, said) in [
            (
                Some("c"),
                None,
                "tls_certificate: a certificate needs its key",
            ),
            (None, Some("k"), "tls_key: a key needs its certificate"),
            (Some(""), Some("k"), "tls_certificate: it is empty"),
            (Some("c"), Some(""), "tls_key: it is empty"),
        ] {
            let refused = reason(settings(certificate, key).tls());
            assert!(refused.starts_with(said), "{refused}");
        }
    }

    #[test]
    fn limits_of_answers_are_settings() {
        let settings = ServerSettings {
            answers_per_address: NonZeroUsize::new(5),
            unread_seconds: NonZeroU32::new(7),
            ..ServerSettings::default()
        };
        let limits = settings.limits();
        assert_eq!((limits.answers_per_address, limits.answers), (5, 4096));
        let unread = settings.connection_limits().unread_time;
        assert_eq!(unread, Duration::from_secs(7));
    }

    fn public_url(url: &str) -> Result<Option<String>, CommandError> {
        let public_url = Some(url.to_owned());
        let settings = ServerSettings {
            public_url,
            ..ServerSettings::default()
        };
        settings.public_url()
    }

    #[test]
    fn a_public_url_has_no_path() {
        let read = |url: &str| public_url(url).is_ok();
        assert!(
            ["http://127.0.0.1:8080", "https://games.example.org/"]
                .into_iter()
                .all(read)
        );
        let bad = [
            "games.example.org",
            "https://example.org/sub",
            "https://",
            "ftp://example.org",
            "https://a b",
        ];
        assert!(!bad.into_iter().any(read));
    }

    #[test]
    fn a_public_url_that_is_none_is_told_what_is_wrong() {
        for (url, said) in [
            ("", "it is empty"),
            (
                "games.example.org",
                "does not begin with http:// or https://: write a site such as https://games.example.org",
            ),
            ("x.org:81", "write a site such as https://x.org:81"),
            ("ftp://x.org", "does not begin with http:// or https://"),
            ("mailto:a", "does not begin with http:// or https://"),
            (
                "https://x.org/sub/",
                "has a path, but the house is at the root",
            ),
            ("https://x.org/sub", "write https://x.org"),
            ("https://x.org/?a=b", "has a query or a fragment"),
            ("https://x.org#a", "has a query or a fragment"),
            ("https://a b", "has a space"),
        ] {
            let refused = reason(public_url(url));
            assert!(refused.contains(said), "{url}: {refused}");
        }
    }

    #[test]
    fn the_scheme_of_a_public_url_may_be_in_capitals() {
        for (written, read) in [
            ("HTTPS://Games.example", "https://Games.example"),
            ("Http://127.0.0.1:80/", "http://127.0.0.1:80/"),
            ("https://xn--mnchen-3ya.de.", "https://xn--mnchen-3ya.de."),
            ("http://my_house-2:8080", "http://my_house-2:8080"),
        ] {
            let found = public_url(written).unwrap();
            assert_eq!(found.as_deref(), Some(read));
        }
    }

    #[test]
    fn an_address_has_half_of_all_connections_at_most_unless_it_is_set() {
        let limits = |connections, connections_per_address| {
            let settings = ServerSettings {
                connections: Some(connections),
                connections_per_address,
                ..ServerSettings::default()
            };
            settings.connection_limits().per_address
        };
        assert_eq!(limits(1, None), Some(1));
        assert_eq!(limits(100, None), Some(50));
        assert_eq!(limits(100, Some(80)), Some(80));
    }

    #[test]
    fn a_public_url_has_a_port_that_exists_and_no_password() {
        for url in [
            "https://x.org:8443",
            "https://x.org:65535/",
            "http://[::1]",
            "http://[::1]:8080",
        ] {
            assert!(public_url(url).is_ok(), "{url}");
        }
        for (url, said) in [
            ("https://x.org:99999", "from 1 to 65535"),
            ("https://x.org:0", "from 1 to 65535"),
            ("https://x.org:", "from 1 to 65535"),
            ("https://x.org:+80", "from 1 to 65535"),
            ("http://[::1]:65536", "from 1 to 65535"),
            ("https://:443", "names no host"),
            ("https://..", "a host that cannot exist"),
            ("https://-", "a host that cannot exist"),
            ("https://x..org", "a host that cannot exist"),
            ("https://[::1", "a host that cannot exist"),
            ("https://x%20y.org", "a host that cannot exist"),
            ("https://münchen.de", "in punycode"),
            ("https://user:pw@x.org", "a user name or a password"),
            ("https://user@x.org/", "a user name or a password"),
        ] {
            let Err(CommandError::Other(reason)) = public_url(url) else {
                panic!("{url} is accepted");
            };
            assert!(reason.contains(said), "{url}: {reason}");
            assert!(!reason.contains("pw@"), "{reason}");
        }
    }

    #[test]
    fn zero_means_no_limit() {
        let settings = ServerSettings {
            requests_per_second: Some(0),
            tables_per_hour: Some(0),
            connections_per_address: Some(0),
            connections: Some(0),
            ..ServerSettings::default()
        };
        let limits = settings.limits();
        assert!(limits.requests_per_second.is_none() && limits.tables_per_hour.is_none());
        let limits = settings.connection_limits();
        assert!(limits.per_address.is_none() && limits.total.is_none());
    }
}
