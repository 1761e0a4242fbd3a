//! `parlor admin token`: API tokens of members.

use std::io::Write;

use clap::{Args, Subcommand};

use super::{audit_line, now, with_store};
use crate::error::CommandError;
use crate::settings::SettingsArgs;

/// Manage the API tokens of members.
#[derive(Args, Debug)]
pub struct TokenArgs {
    #[command(subcommand)]
    command: TokenCommand,
}

#[derive(Subcommand, Debug)]
enum TokenCommand {
    /// Revoke a token: it becomes invalid at once, and its open connections to a running server are
    /// closed within two seconds
    Revoke {
        /// The token's number, as shown on the admin pages
        id: i64,
        #[command(flatten)]
        settings: SettingsArgs,
    },
}

pub fn run(args: &TokenArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let TokenCommand::Revoke { id, settings } = &args.command;
    with_store(settings, async |store| {
        let audit = audit_line("revoke token", format!("token {id}"), "");
        let revoked = store
            .revoke_token(*id, None, now(), Some(audit))
            .await
            .map_err(CommandError::other)?;
        if revoked {
            Ok(())
        } else {
            Err(CommandError::Other(format!(
                "there is no token {id} to revoke"
            )))
        }
    })?;
    writeln!(out, "revoked token {id}")?;
    Ok(())
}
