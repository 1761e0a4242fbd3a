//! Logs, to standard error.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};
use tracing_subscriber::{fmt, registry};

use crate::failure::Failure;
use crate::settings::LogFormat;

/// What is logged when nobody says otherwise. Migrations and PostgreSQL tell of themselves at every start.
const USUAL: &str = "info,sea_orm_migration=warn,sqlx::postgres::notice=warn";

/// Begins to log. Without a filter `RUST_LOG` is asked.
///
/// # Errors
/// When the filter cannot be read.
pub fn start(filter: Option<&str>, format: LogFormat) -> Result<(), Failure> {
    let said = filter
        .map(str::to_owned)
        .or_else(|| std::env::var("RUST_LOG").ok())
        .filter(|text| !text.is_empty());
    let text = said.unwrap_or_else(|| USUAL.to_owned());
    let filter = EnvFilter::try_new(&text);
    let filter = filter
        .map_err(|error| Failure::Refused(format!("{text:?} is no filter of logs: {error}")))?;
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
    started.map_err(Failure::refused)
}
