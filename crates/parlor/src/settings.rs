//! The settings of a server: defaults, then a TOML file, then the environment, then the command line.

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use figment::Figment;
use figment::providers::{Env, Format, Serialized, Toml};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// What a variable of the environment begins with.
const PREFIX: &str = "PARLOR_";

/// All settings, complete. Every field is a key of the file and, after `PARLOR_`, a variable of the environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Host and port to listen on.
    pub bind: String,
    /// The address of the database.
    pub database: String,
    /// How the house is reached from outside.
    pub public_url: Option<String>,
    /// Whether `X-Forwarded-For` is believed.
    pub trust_proxy: bool,
    /// What is logged.
    pub log: Option<String>,
    /// How it is logged.
    pub log_format: LogFormat,
    /// How many bots think at once; one core is left free when not said.
    pub bot_threads: Option<usize>,
    /// How long a bot thinks about a move, in milliseconds.
    pub bot_time_ms: Option<u64>,
    /// How many nodes a bot looks at for a move.
    pub bot_nodes: Option<u64>,
    /// Requests per second from one address, over time; 0 is no limit.
    pub requests_per_second: Option<u32>,
    /// Tables that one guest, and one address, makes in an hour; 0 is no limit.
    pub tables_per_hour: Option<u32>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
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

/// How a log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object per line.
    Json,
}

/// Where the settings of a command come from.
#[derive(Args, Clone, Debug, Default, Serialize)]
pub struct Sources {
    /// A TOML file with settings
    #[arg(long, value_name = "FILE", env = "PARLOR_CONFIG")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// The database: sqlite:FILE, postgres://USER:PASSWORD@HOST/NAME or mysql://USER:PASSWORD@HOST/NAME [default: sqlite:parlor.db]
    #[arg(long, value_name = "URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
}

impl Settings {
    /// The settings that come of all sources; `over` is what the command line says, in the same fields.
    ///
    /// # Errors
    /// When the file cannot be read, or a value is wrong; the reason names the key and its source.
    pub fn gather(sources: &Sources, over: impl Serialize) -> Result<Settings, Failure> {
        let mut figment = Figment::from(Serialized::defaults(Settings::default()));
        if let Some(path) = &sources.config {
            // A file that is named has to be there.
            std::fs::read_to_string(path)
                .map_err(|error| Failure::Refused(format!("{}: {error}", path.display())))?;
            figment = figment.merge(Toml::file_exact(path));
        }
        let known: Vec<String> = known();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        figment = figment.merge(Env::prefixed(PREFIX).only(&known));
        figment = figment
            .merge(Serialized::defaults(sources))
            .merge(Serialized::defaults(over));
        figment.extract().map_err(|errors| {
            let reasons: Vec<String> = errors.into_iter().map(|error| error.to_string()).collect();
            Failure::Refused(reasons.join("; "))
        })
    }

    /// The address to listen on.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn address(&self) -> Result<SocketAddr, Failure> {
        let found = self
            .bind
            .to_socket_addrs()
            .ok()
            .and_then(|mut addresses| addresses.next());
        let wrong = || {
            format!(
                "bind: {:?} is no host and port, such as 127.0.0.1:8080",
                self.bind
            )
        };
        found.ok_or_else(|| Failure::Refused(wrong()))
    }

    /// How bots think.
    pub fn bots(&self) -> parlor_server::Bots {
        let usual = parlor_server::Bots::default();
        parlor_server::Bots {
            threads: self
                .bot_threads
                .map_or(usual.threads, |threads| threads.max(1)),
            time: self.bot_time_ms.map_or(usual.time, Duration::from_millis),
            nodes: self.bot_nodes.unwrap_or(usual.nodes),
        }
    }

    /// What a client may use.
    pub fn limits(&self) -> parlor_server::Limits {
        let usual = parlor_server::Limits::default();
        parlor_server::Limits {
            requests_per_second: self
                .requests_per_second
                .map_or(usual.requests_per_second, std::num::NonZeroU32::new),
            tables_per_hour: self
                .tables_per_hour
                .map_or(usual.tables_per_hour, |most| Some(most).filter(|n| *n > 0)),
            ..usual
        }
    }
}

/// The keys of all settings.
fn known() -> Vec<String> {
    match serde_json::to_value(Settings::default()) {
        Ok(serde_json::Value::Object(fields)) => fields.into_iter().map(|(key, _)| key).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
#[expect(
    clippy::result_large_err,
    reason = "the jail of figment wants its own error"
)]
mod tests {
    use figment::Jail;
    use serde_json::json;

    use super::*;

    fn gathered(config: Option<&str>, over: serde_json::Value) -> Settings {
        let sources = Sources {
            config: config.map(PathBuf::from),
            database: None,
        };
        Settings::gather(&sources, over).expect("sound settings")
    }

    #[test]
    fn the_command_line_beats_the_environment_beats_the_file_beats_the_defaults() {
        Jail::expect_with(|jail| {
            assert_eq!(gathered(None, json!({})), Settings::default());
            jail.create_file(
                "p.toml",
                "bind = '1.1.1.1:1'\ndatabase = 'sqlite:file'\ntrust_proxy = true",
            )?;
            jail.set_env("PARLOR_BIND", "2.2.2.2:2");
            jail.set_env("PARLOR_BOT_TIME_MS", "7");
            jail.set_env("PARLOR_SOMETHING_ELSE", "is not ours");
            let settings = gathered(Some("p.toml"), json!({ "bot_time_ms": 9 }));
            assert_eq!(settings.database, "sqlite:file", "only the file says it");
            assert!(settings.trust_proxy);
            assert_eq!(
                settings.bind, "2.2.2.2:2",
                "the environment wins over the file"
            );
            assert_eq!(
                settings.bot_time_ms,
                Some(9),
                "the command line wins over the environment"
            );
            Ok(())
        });
    }

    #[test]
    fn a_wrong_value_is_named_with_its_key_and_its_source() {
        Jail::expect_with(|jail| {
            let refused = |jail: &mut Jail, text: &str| {
                jail.create_file("p.toml", text)
                    .expect("a folder of our own");
                let sources = Sources {
                    config: Some("p.toml".into()),
                    database: None,
                };
                match Settings::gather(&sources, json!({})) {
                    Err(Failure::Refused(reason)) => reason,
                    other => panic!("{other:?}"),
                }
            };
            let wrong = refused(jail, "trust_proxy = 'perhaps'");
            assert!(
                wrong.contains("trust_proxy") && wrong.contains("p.toml"),
                "{wrong}"
            );
            assert!(refused(jail, "bnid = '1.1.1.1:1'").contains("bnid"));
            assert!(refused(jail, "bind = ").contains("p.toml"));
            Ok(())
        });
    }

    #[test]
    fn zero_is_no_limit() {
        let settings = Settings {
            requests_per_second: Some(0),
            tables_per_hour: Some(0),
            ..Settings::default()
        };
        let limits = settings.limits();
        assert!(limits.requests_per_second.is_none() && limits.tables_per_hour.is_none());
    }
}
