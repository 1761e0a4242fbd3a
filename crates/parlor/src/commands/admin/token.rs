//! `parlor admin token`: tokens of members.

use std::io::Write;

use clap::{Args, Subcommand};

use super::{line, now, with_store};
use crate::failure::Failure;
use crate::settings::Sources;

/// Looks after the tokens of members.
#[derive(Args, Debug)]
pub struct Tokens {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand, Debug)]
enum Task {
    /// Revokes a token: it stops counting at once, and what a running server has open for it is closed within half a minute
    Revoke {
        /// The token's number, as the pages for admins show it
        id: i64,
        #[command(flatten)]
        sources: Sources,
    },
}

pub fn run(args: &Tokens, out: &mut dyn Write) -> Result<(), Failure> {
    let Task::Revoke { id, sources } = &args.task;
    with_store(sources, async |store| {
        let audit = line("revoke token", format!("token {id}"), "");
        let revoked = store
            .revoke_token(*id, None, now(), Some(audit))
            .await
            .map_err(Failure::refused)?;
        if revoked {
            Ok(())
        } else {
            Err(Failure::Refused(format!(
                "there is no token {id} that counts"
            )))
        }
    })?;
    writeln!(out, "token {id} is revoked")?;
    Ok(())
}
