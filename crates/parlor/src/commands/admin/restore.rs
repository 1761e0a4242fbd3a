//! `parlor admin restore`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use parlor_git::files::format_time;
use parlor_store::restore;

use super::{now, runtime};
use crate::error::CommandError;
use crate::settings::{ServerSettings, SettingsArgs};
use crate::signals::stop_signal;

/// Put a backup in the place of the SQLite database; stop the server first.
///
/// The backup is checked and copied. The database that was there is kept beside it, with the time in its
/// name. Copying a backup over the database by other means is not safe: SQLite keeps a log beside it, which
/// it would replay over the backup. For PostgreSQL and MySQL, use their own tools.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parlor admin restore parlor-yesterday.db
  parlor admin restore /backups/parlor.db --database sqlite:/var/lib/parlor/parlor.db")]
pub struct RestoreArgs {
    /// The backup, or another copy of a database
    backup: PathBuf,
    #[command(flatten)]
    settings: SettingsArgs,
}

pub fn run(args: &RestoreArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let settings = ServerSettings::load(&args.settings, serde_json::json!({}))?;
    let label = format_time(now() / 1_000).replace(['-', ':'], "");
    let restored = runtime()?.block_on(async {
        let interrupted = stop_signal().map_err(CommandError::other)?;
        // A copy that is given up removes what it has written; what was there is still in its place.
        tokio::select! {
            restored = restore(&settings.database, &args.backup, &label) => {
                restored.map_err(CommandError::other)
            }
            () = interrupted => Err(CommandError::Other("the restore was interrupted".to_owned())),
        }
    })?;
    let latest = match restored.last_event_at {
        Some(at) => format_time(at / 1_000),
        None => "none".to_owned(),
    };
    writeln!(
        out,
        "{}: tables: {}, accounts: {}, latest event: {latest}",
        restored.file.display(),
        restored.tables,
        restored.accounts,
    )?;
    if let Some(kept) = restored.kept {
        writeln!(out, "the database before is kept as {}", kept.display())?;
    }
    Ok(())
}
