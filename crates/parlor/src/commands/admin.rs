//! `parlor admin`: administration of a server's data.

mod backup;
mod log;
mod restore;
mod table;
mod talk;
mod token;
mod user;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, Subcommand};
use parlor_store::{AuditLine, Store};
use tokio::runtime::Runtime;

use crate::error::CommandError;
use crate::settings::{ServerSettings, SettingsArgs};

/// Manage a server's database: backups, accounts, tables, tokens, talk, the log. The server may be running, except for `restore`.
#[derive(Args, Debug)]
pub struct AdminArgs {
    #[command(subcommand)]
    command: AdminCommand,
}

#[derive(Subcommand, Debug)]
enum AdminCommand {
    Backup(backup::BackupArgs),
    Restore(restore::RestoreArgs),
    User(user::UserArgs),
    Table(table::TableArgs),
    Token(token::TokenArgs),
    Talk(talk::TalkArgs),
    Log(log::LogArgs),
}

pub fn run(args: &AdminArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    match &args.command {
        AdminCommand::Backup(args) => backup::run(args, out),
        AdminCommand::Restore(args) => restore::run(args, out),
        AdminCommand::User(args) => user::run(args, out),
        AdminCommand::Table(args) => table::run(args, out),
        AdminCommand::Token(args) => token::run(args, out),
        AdminCommand::Talk(args) => talk::run(args, out),
        AdminCommand::Log(args) => log::run(args, out),
    }
}

/// Runs a task with an existing store.
fn with_store<T>(
    sources: &SettingsArgs,
    task: impl AsyncFnOnce(&Store) -> Result<T, CommandError>,
) -> Result<T, CommandError> {
    let settings = existing_database(sources)?;
    runtime()?.block_on(run_with(&settings, task))
}

/// Returns the settings, whose database exists if it is a file.
fn existing_database(sources: &SettingsArgs) -> Result<ServerSettings, CommandError> {
    let settings = ServerSettings::load(sources, serde_json::json!({}))?;
    if let Some(missing) = missing_file(&settings.database) {
        let reason = format!("there is no database {}", missing.display());
        return Err(settings.error("database", reason));
    }
    Ok(settings)
}

fn runtime() -> Result<Runtime, CommandError> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(CommandError::other)
}

/// Opens the store, runs a task with it and closes it.
async fn run_with<T>(
    settings: &ServerSettings,
    task: impl AsyncFnOnce(&Store) -> Result<T, CommandError>,
) -> Result<T, CommandError> {
    let store = Store::open_with(&settings.database, &settings.store())
        .await
        .map_err(|error| settings.error("database", error))?;
    let result = task(&store).await;
    store.close().await;
    result
}

/// Returns the audit log entry for an action of this command.
fn audit_line(action: &str, target: String, detail: &str) -> AuditLine {
    AuditLine {
        at: now(),
        admin_id: None,
        admin_name: "command line".to_owned(),
        action: action.to_owned(),
        target,
        detail: detail.to_owned(),
    }
}

/// Returns the time in milliseconds since the Unix epoch.
fn now() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Returns the file of a SQLite database if it does not exist: opening would create an empty one.
fn missing_file(url: &str) -> Option<PathBuf> {
    let name = url.strip_prefix("sqlite:")?;
    let path = Path::new(name.strip_prefix("//").unwrap_or(name));
    // The store says what is missing.
    if path.as_os_str().is_empty() {
        return None;
    }
    // Names with these characters are escaped in the URL; the store decodes them.
    let is_plain = !name.contains(['%', '?', '#']) && !name.starts_with(":memory:");
    (is_plain && !path.exists()).then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::missing_file;

    #[test]
    fn only_a_plain_file_can_be_missing() {
        assert!(missing_file("sqlite:/nowhere/at-all.db").is_some());
        assert!(missing_file("sqlite:///nowhere/at-all.db").is_some());
        for url in [
            "sqlite::memory:",
            "postgres://localhost/x",
            "sqlite:/",
            "sqlite:",
            "sqlite://",
            "sqlite:Cargo.toml",
        ] {
            assert_eq!(missing_file(url), None, "{url}");
        }
    }
}
