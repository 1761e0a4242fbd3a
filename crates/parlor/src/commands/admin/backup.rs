//! `parlor admin backup`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::{existing_database, run_with, runtime};
use crate::error::CommandError;
use crate::settings::SettingsArgs;
use crate::signals::stop_signal;

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
    let settings = existing_database(&args.settings)?;
    runtime()?.block_on(async {
        let interrupted = stop_signal().map_err(CommandError::other)?;
        let backup = run_with(&settings, async |store| {
            store.backup(&args.file).await.map_err(CommandError::other)
        });
        // A copy that is given up removes what it has written. The database is not closed then, which
        // would wait for the rest of the copy.
        tokio::select! {
            result = backup => result,
            () = interrupted => Err(CommandError::Other("the backup was interrupted".to_owned())),
        }
    })?;
    writeln!(out, "{}", args.file.display())?;
    Ok(())
}
