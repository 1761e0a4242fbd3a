//! `parlor admin`: looking after a house.

mod backup;
mod token;
mod user;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, Subcommand};
use parlor_store::{AuditLine, Store};

use crate::failure::Failure;
use crate::settings::{Settings, Sources};

/// Looks after the data of a house, while its server runs or not.
#[derive(Args, Debug)]
pub struct Admin {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand, Debug)]
enum Task {
    Backup(backup::Backup),
    User(user::Users),
    Token(token::Tokens),
}

pub fn run(args: &Admin, out: &mut dyn Write) -> Result<(), Failure> {
    match &args.task {
        Task::Backup(args) => backup::run(args, out),
        Task::User(args) => user::run(args, out),
        Task::Token(args) => token::run(args, out),
    }
}

/// Does something with the store of a house that is there already.
fn with_store<T>(
    sources: &Sources,
    work: impl AsyncFnOnce(&Store) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let settings = Settings::gather(sources, serde_json::json!({}))?;
    if let Some(missing) = missing_file(&settings.database) {
        return Err(Failure::Refused(format!(
            "there is no database {}",
            missing.display()
        )));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Failure::refused)?;
    runtime.block_on(async {
        let store = Store::open(&settings.database)
            .await
            .map_err(Failure::refused)?;
        let done = work(&store).await;
        store.close().await;
        done
    })
}

/// What the log will say of something that was done here.
fn line(action: &str, target: String, detail: &str) -> AuditLine {
    AuditLine {
        at: now(),
        admin_id: None,
        admin_name: "command line".to_owned(),
        action: action.to_owned(),
        target,
        detail: detail.to_owned(),
    }
}

/// The time in milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// The file of a SQLite database that is not there: opening it would make an empty one.
fn missing_file(url: &str) -> Option<PathBuf> {
    let name = url.strip_prefix("sqlite:")?;
    let path = Path::new(name.strip_prefix("//").unwrap_or(name));
    // A name with these is written otherwise than it is read; the store knows how.
    let plain = !name.contains(['%', '?', '#']) && !name.starts_with(":memory:");
    (plain && !path.exists()).then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::missing_file;

    #[test]
    fn only_a_file_that_should_be_there_is_missed() {
        assert!(missing_file("sqlite:/nowhere/at-all.db").is_some());
        assert!(missing_file("sqlite:///nowhere/at-all.db").is_some());
        for url in [
            "sqlite::memory:",
            "postgres://localhost/x",
            "sqlite:/",
            "sqlite:Cargo.toml",
        ] {
            assert_eq!(missing_file(url), None, "{url}");
        }
    }
}
