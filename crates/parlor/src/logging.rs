//! Logging to standard error.

use std::io::{self, IsTerminal};

use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};
use tracing_subscriber::{fmt, registry};

use crate::error::CommandError;
use crate::settings::LogFormat;

/// Default filter. PostgreSQL would otherwise log messages at every start, each connection that an outage
/// breaks would have a line of its own, and what happens to the connection to NATS would be there twice. Strangers can cause warnings of the HTTP/2 library at will.
const DEFAULT_FILTER: &str =
    "info,sqlx::postgres::notice=warn,sqlx_core::pool=warn,async_nats=off,h2=error";

/// Number of lines that wait for whoever reads the log. Those that come when so many wait are lost: the
/// server does not wait for its log.
const WAITING_LINES: usize = 10_000;
/// Names of the levels in a filter.
const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

/// Starts logging, until what is returned is dropped: then the last lines are written. `filter` is the name
/// of the setting and its value; without it, `RUST_LOG` is used.
///
/// # Errors
/// If the filter is invalid.
pub fn init(filter: Option<(&str, &str)>, format: LogFormat) -> Result<WorkerGuard, CommandError> {
    let variable = std::env::var("RUST_LOG").ok();
    let variable = variable.as_deref().map(|text| ("RUST_LOG", text));
    let given = filter.or(variable).filter(|(_, text)| !text.is_empty());
    let (name, text) = given.unwrap_or(("log", DEFAULT_FILTER));
    let filter =
        log_filter(text).map_err(|reason| CommandError::Other(format!("{name}: {reason}")))?;
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

fn log_filter(text: &str) -> Result<EnvFilter, String> {
    check_filter(text)?;
    EnvFilter::try_new(text).map_err(|error| format!("{text:?} is not a valid log filter: {error}"))
}

/// Checks that each part of a filter names a level: a word that is none is taken for the name of a part of
/// the program, and everything else would be left out of the log.
fn check_filter(text: &str) -> Result<(), String> {
    let Some((part, fault)) = text.split(',').find_map(|part| Some((part, fault(part)?))) else {
        return Ok(());
    };
    let of = match part == text {
        true => String::new(),
        false => format!(" in {text:?}"),
    };
    Err(format!(
        "{part:?}{of} {fault}: write {}, or TARGET=LEVEL, such as info,parlor_server=debug",
        LEVELS.join(", ")
    ))
}

/// Says what is wrong with a part of a filter, if it is seen at once.
fn fault(part: &str) -> Option<&'static str> {
    let is_level = |word: &str| LEVELS.contains(&word.to_lowercase().as_str());
    if part.is_empty() {
        return Some("is empty");
    }
    if part.contains(char::is_whitespace) {
        return Some("has a space");
    }
    match part.rsplit_once('=') {
        None if is_level(part) => None,
        None => Some("is no level"),
        // Spans with fields are left to the library.
        Some(_) if part.contains(['[', ']', '{', '}']) => None,
        Some(("", _)) => Some("names nothing before the ="),
        Some((_, level)) if is_level(level) || matches!(level.parse(), Ok(0..=5_u8)) => None,
        Some(_) => Some("has no level after the ="),
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
            "warn,parlor_server=5",
            "info,[request{method=GET}]=debug",
            DEFAULT_FILTER,
        ] {
            assert!(log_filter(good).is_ok(), "{good}");
        }
        for (bad, said) in [
            ("verbose", "\"verbose\" is no level: write off, error"),
            ("info,", "\"\" in \"info,\" is empty: write off"),
            (",", "is empty"),
            ("parlor_server", "is no level"),
            ("info,chatty", "\"chatty\" in \"info,chatty\" is no level"),
            (
                "info, sqlx=warn",
                "\" sqlx=warn\" in \"info, sqlx=warn\" has a space",
            ),
            ("parlor_server=loud", "has no level after the ="),
            ("parlor_server=", "has no level after the ="),
            ("parlor_server=6", "has no level after the ="),
            ("=nonsense=", "\"=nonsense=\" has no level after the ="),
            ("=info", "names nothing before the ="),
            ("[x]=loud", "\"[x]=loud\" is not a valid log filter"),
        ] {
            let refused = log_filter(bad).map(drop);
            assert!(
                matches!(&refused, Err(reason) if reason.contains(said)),
                "{bad}: {refused:?}"
            );
        }
    }
}
