//! Logging to standard error.

use std::io::{self, IsTerminal};

use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};
use tracing_subscriber::{fmt, registry};

use crate::error::CommandError;
use crate::settings::LogFormat;

/// Default filter. PostgreSQL would otherwise log messages at every start, and what happens to the
/// connection to NATS would be there twice. Strangers can cause warnings of the HTTP/2 library at will.
const DEFAULT_FILTER: &str = "info,sqlx::postgres::notice=warn,async_nats=off,h2=error";

/// Number of lines that wait for whoever reads the log. Those that come when so many wait are lost: the
/// server does not wait for its log.
const WAITING_LINES: usize = 10_000;
/// Names of the levels in a filter.
const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

/// Starts logging, until what is returned is dropped: then the last lines are written. Without a filter,
/// `RUST_LOG` is used.
///
/// # Errors
/// If the filter is invalid.
pub fn init(filter: Option<&str>, format: LogFormat) -> Result<WorkerGuard, CommandError> {
    let given = filter
        .map(str::to_owned)
        .or_else(|| std::env::var("RUST_LOG").ok())
        .filter(|text| !text.is_empty());
    let text = given.unwrap_or_else(|| DEFAULT_FILTER.to_owned());
    check_filter(&text)?;
    let filter = EnvFilter::try_new(&text);
    let filter = filter.map_err(|error| {
        CommandError::Other(format!("{text:?} is not a valid log filter: {error}"))
    })?;
    let lines = registry().with(filter);
    let (writer, guard) = NonBlockingBuilder::default()
        .buffered_lines_limit(WAITING_LINES)
        .finish(io::stderr());
    let started: Result<(), TryInitError> = match format {
        LogFormat::Text => lines
            .with(
                fmt::layer()
                    .with_ansi(io::stderr().is_terminal())
                    .with_writer(writer),
            )
            .try_init(),
        LogFormat::Json => lines
            .with(fmt::layer().json().with_writer(writer))
            .try_init(),
    };
    started.map_err(CommandError::other)?;
    Ok(guard)
}

/// Checks that each part of a filter names a level: a word that is none is taken for the name of a part of
/// the program, and everything else would be left out of the log.
fn check_filter(text: &str) -> Result<(), CommandError> {
    let is_level = |word: &str| LEVELS.contains(&word.trim().to_lowercase().as_str());
    let names_none = |part: &&str| !part.contains('=') && !is_level(part);
    match text.split(',').find(names_none) {
        None => Ok(()),
        Some(part) => Err(CommandError::Other(format!(
            "{part:?} in the log filter {text:?} is no level: write {}, or TARGET=LEVEL",
            LEVELS.join(", ")
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_of_a_filter_names_a_level() {
        for good in [
            "info",
            "DEBUG",
            "info,sqlx=warn",
            "parlor_server=debug",
            DEFAULT_FILTER,
        ] {
            assert!(check_filter(good).is_ok(), "{good}");
        }
        for bad in ["verbose", "info,", ",", "parlor_server", "info,chatty"] {
            let refused = check_filter(bad);
            let says = |text: &str| text.contains("is no level: write off, error");
            assert!(
                matches!(&refused, Err(CommandError::Other(text)) if says(text)),
                "{bad}"
            );
        }
    }
}
