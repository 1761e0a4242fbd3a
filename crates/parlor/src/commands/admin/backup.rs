//! `parlor admin backup`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::with_store;
use crate::error::CommandError;
use crate::settings::SettingsArgs;

/// Copy the SQLite database to a new file; the server may be running.
///
/// The copy is consistent and complete, including secrets. For PostgreSQL and MySQL, use their own
/// tools.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parlor admin backup parlor-today.db
  parlor admin backup /backups/parlor.db --database sqlite:/var/lib/parlor/parlor.db")]
pub struct BackupArgs {
    /// The file to write; it must not exist
    file: PathBuf,
    #[command(flatten)]
    settings: SettingsArgs,
}

pub fn run(args: &BackupArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    with_store(&args.settings, async |store| {
        store.backup(&args.file).await.map_err(CommandError::other)
    })?;
    writeln!(out, "{}", args.file.display())?;
    Ok(())
}
