//! Server settings: defaults, then a TOML file, then environment variables, then the command line.

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use figment::Figment;
use figment::providers::{Env, Format, Serialized, Toml};
use serde::{Deserialize, Serialize};

use crate::error::CommandError;

/// Prefix of environment variables.
const ENV_PREFIX: &str = "PARLOR_";

/// All settings. Every field is a key of the file and, in capitals after `PARLOR_`, an environment
/// variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerSettings {
    /// Host and port to listen on.
    pub bind: String,
    /// URL of the database.
    pub database: String,
    /// Public base URL.
    pub public_url: Option<String>,
    /// True if the client's address is taken from `X-Forwarded-For`.
    pub trust_proxy: bool,
    /// Log filter.
    pub log: Option<String>,
    /// Log format.
    pub log_format: LogFormat,
    /// Number of bots that think at once; by default one core is left free.
    pub bot_threads: Option<usize>,
    /// Thinking time of a bot per move, in milliseconds.
    pub bot_time_ms: Option<u64>,
    /// Maximum number of nodes a bot searches per move.
    pub bot_nodes: Option<u64>,
    /// Sustained number of requests per second from one address; 0 for no limit.
    pub requests_per_second: Option<u32>,
    /// Number of tables that one guest and one address may create per hour; 0 for no limit.
    pub tables_per_hour: Option<u32>,
}

impl Default for ServerSettings {
    fn default() -> ServerSettings {
        ServerSettings {
            bind: "127.0.0.1:8080".to_owned(),
            database: "sqlite:parlor.db".to_owned(),
            public_url: None,
            trust_proxy: false,
            log: None,
            log_format: LogFormat::Text,
            bot_threads: None,
            bot_time_ms: None,
            bot_nodes: None,
            requests_per_second: None,
            tables_per_hour: None,
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
    /// If the file cannot be read, or a value is invalid; the message names the key and its source.
    pub fn load(
        args: &SettingsArgs,
        overrides: impl Serialize,
    ) -> Result<ServerSettings, CommandError> {
        let mut figment = Figment::from(Serialized::defaults(ServerSettings::default()));
        if let Some(path) = &args.config {
            // A file named explicitly must exist.
            std::fs::read_to_string(path)
                .map_err(|error| CommandError::Other(format!("{}: {error}", path.display())))?;
            figment = figment.merge(Toml::file_exact(path));
        }
        let keys: Vec<String> = keys();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        figment = figment.merge(Env::prefixed(ENV_PREFIX).only(&keys));
        figment = figment
            .merge(Serialized::defaults(args))
            .merge(Serialized::defaults(overrides));
        figment.extract().map_err(|errors| {
            let reasons: Vec<String> = errors.into_iter().map(|error| error.to_string()).collect();
            CommandError::Other(reasons.join("; "))
        })
    }

    /// Resolves the address to listen on.
    ///
    /// # Errors
    /// If it cannot be resolved.
    pub fn address(&self) -> Result<SocketAddr, CommandError> {
        let resolved = self
            .bind
            .to_socket_addrs()
            .ok()
            .and_then(|mut addresses| addresses.next());
        let reason = || {
            format!(
                "bind: {:?} is not a host and port, such as 127.0.0.1:8080",
                self.bind
            )
        };
        resolved.ok_or_else(|| CommandError::Other(reason()))
    }

    /// Returns the server's settings for bots.
    pub fn bots(&self) -> parlor_server::BotConfig {
        let defaults = parlor_server::BotConfig::default();
        parlor_server::BotConfig {
            threads: self
                .bot_threads
                .map_or(defaults.threads, |threads| threads.max(1)),
            time: self
                .bot_time_ms
                .map_or(defaults.time, Duration::from_millis),
            nodes: self.bot_nodes.unwrap_or(defaults.nodes),
        }
    }

    /// Returns the server's limits for clients.
    pub fn limits(&self) -> parlor_server::Limits {
        let defaults = parlor_server::Limits::default();
        parlor_server::Limits {
            requests_per_second: self
                .requests_per_second
                .map_or(defaults.requests_per_second, std::num::NonZeroU32::new),
            tables_per_hour: self
                .tables_per_hour
                .map_or(defaults.tables_per_hour, |limit| {
                    Some(limit).filter(|n| *n > 0)
                }),
            ..defaults
        }
    }
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
            assert!(refusal(jail, "bnid = '1.1.1.1:1'").contains("bnid"));
            assert!(refusal(jail, "bind = ").contains("p.toml"));
            Ok(())
        });
    }

    #[test]
    fn zero_means_no_limit() {
        let settings = ServerSettings {
            requests_per_second: Some(0),
            tables_per_hour: Some(0),
            ..ServerSettings::default()
        };
        let limits = settings.limits();
        assert!(limits.requests_per_second.is_none() && limits.tables_per_hour.is_none());
    }
}
