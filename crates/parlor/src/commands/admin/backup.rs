//! `parlor admin backup`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::with_store;
use crate::failure::Failure;
use crate::settings::Sources;

/// Copies the database into a new file while the server plays on.
///
/// The copy is whole and consistent, and holds everything, secrets included. PostgreSQL and MySQL have tools of their own for this.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parlor admin backup parlor-today.db
  parlor admin backup /backups/parlor.db --database sqlite:/var/lib/parlor/parlor.db")]
pub struct Backup {
    /// The file to write, which must not exist
    file: PathBuf,
    #[command(flatten)]
    sources: Sources,
}

pub fn run(args: &Backup, out: &mut dyn Write) -> Result<(), Failure> {
    with_store(&args.sources, async |store| {
        store.backup(&args.file).await.map_err(Failure::refused)
    })?;
    writeln!(out, "{}", args.file.display())?;
    Ok(())
}
