//! `parlor admin log`: the audit log.

use std::io::Write;

use clap::Args;
use parlor_store::{AuditFilter, ListPage};

use super::with_store;
use crate::error::CommandError;
use crate::settings::SettingsArgs;

/// Entries read at once.
const BATCH: u64 = 500;

/// Print what admins did, newest first: one JSON object per line.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parlor admin log > log.jsonl
  parlor admin log --search ban --database sqlite:/var/lib/parlor/parlor.db")]
pub struct LogArgs {
    /// Only entries with this text in the admin's name, the action or the target
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
    #[command(flatten)]
    settings: SettingsArgs,
}

pub fn run(args: &LogArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let filter = AuditFilter {
        search: args.search.clone(),
        ..AuditFilter::default()
    };
    with_store(&args.settings, async |store| {
        let mut page = ListPage {
            before: None,
            limit: BATCH,
        };
        loop {
            let entries = store
                .audit(&filter, &page)
                .await
                .map_err(CommandError::other)?;
            for entry in &entries {
                writeln!(out, "{}", entry.to_json())?;
            }
            match entries.last() {
                Some(last) if entries.len() as u64 == BATCH => page.before = Some(last.id),
                _ => return Ok(()),
            }
        }
    })
}
