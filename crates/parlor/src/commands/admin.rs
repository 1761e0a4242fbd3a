//! `parlor admin`: looking after a house.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use parlor_store::Store;

use crate::failure::Failure;
use crate::settings::{Settings, Sources};

/// Looks after the data of a house.
#[derive(Args, Debug)]
pub struct Admin {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand, Debug)]
enum Task {
    Backup(Backup),
}

/// Copies the database into a new file while the server plays on.
///
/// The copy is whole and consistent, and holds everything, secrets included. PostgreSQL and MySQL have tools of their own for this.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parlor admin backup parlor-today.db
  parlor admin backup /backups/parlor.db --database sqlite:/var/lib/parlor/parlor.db")]
struct Backup {
    /// The file to write, which must not exist
    file: PathBuf,
    #[command(flatten)]
    sources: Sources,
}

pub fn run(args: &Admin, out: &mut dyn Write) -> Result<(), Failure> {
    let Task::Backup(args) = &args.task;
    let settings = Settings::gather(&args.sources, serde_json::json!({}))?;
    if let Some(missing) = missing_file(&settings.database) {
        return Err(Failure::Refused(format!("there is no database {}", missing.display())));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::refused)?;
    runtime.block_on(async {
        let store = Store::open(&settings.database).await.map_err(Failure::refused)?;
        let copied = store.backup(&args.file).await;
        store.close().await;
        copied.map_err(Failure::refused)
    })?;
    writeln!(out, "{}", args.file.display())?;
    Ok(())
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
        for url in ["sqlite::memory:", "postgres://localhost/x", "sqlite:/", "sqlite:Cargo.toml"] {
            assert_eq!(missing_file(url), None, "{url}");
        }
    }
}
