//! Logging to standard error.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};
use tracing_subscriber::{fmt, registry};

use crate::error::CommandError;
use crate::settings::LogFormat;

/// Default filter. PostgreSQL would otherwise log messages at every start, and what happens to the
/// connection to NATS would be there twice. Strangers can cause warnings of the HTTP/2 library at will.
const DEFAULT_FILTER: &str = "info,sqlx::postgres::notice=warn,async_nats=off,h2=error";

/// Starts logging. Without a filter, `RUST_LOG` is used.
///
/// # Errors
/// If the filter is invalid.
pub fn init(filter: Option<&str>, format: LogFormat) -> Result<(), CommandError> {
    let given = filter
        .map(str::to_owned)
        .or_else(|| std::env::var("RUST_LOG").ok())
        .filter(|text| !text.is_empty());
    let text = given.unwrap_or_else(|| DEFAULT_FILTER.to_owned());
    let filter = EnvFilter::try_new(&text);
    let filter = filter.map_err(|error| {
        CommandError::Other(format!("{text:?} is not a valid log filter: {error}"))
    })?;
    let lines = registry().with(filter);
    let started: Result<(), TryInitError> = match format {
        LogFormat::Text => lines
            .with(
                fmt::layer()
                    .with_ansi(io::stderr().is_terminal())
                    .with_writer(io::stderr),
            )
            .try_init(),
        LogFormat::Json => lines
            .with(fmt::layer().json().with_writer(io::stderr))
            .try_init(),
    };
    started.map_err(CommandError::other)
}
