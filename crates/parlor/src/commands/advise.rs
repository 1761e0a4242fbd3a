//! `parlor advise`: the adviser of a team's table on a server.

use std::env;
use std::io::Write;

use clap::Args;

use crate::advice::Advice;
use crate::error::CommandError;
use crate::source;

/// Variable of the environment with the token of the player.
const TOKEN: &str = "PARLOR_TOKEN";

/// Ask the adviser at a team's table on a server for the best turns.
///
/// Only the players of the table are advised, unless it was created without an adviser. The variable
/// PARLOR_TOKEN has the token of your seat or of your account.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  export PARLOR_TOKEN=parlor_…
  parlor advise http://127.0.0.1:8080/t/0c5m8xq3k2a")]
pub struct AdviseArgs {
    /// The http URL of the table
    #[arg(value_name = "URL")]
    table: String,
    /// Print a JSON document
    #[arg(long)]
    json: bool,
}

pub fn run(args: &AdviseArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let refused = |reason: String| CommandError::Other(format!("{}: {reason}", args.table));
    let token = env::var(TOKEN).unwrap_or_default();
    if token.is_empty() {
        return Err(CommandError::Other(format!(
            "only players are advised: set {TOKEN} to the token of your seat or account"
        )));
    }
    let bytes = source::post(&args.table, "advice", &token).map_err(refused)?;
    let advice: Advice = serde_json::from_slice(&bytes)
        .map_err(|error| refused(format!("the answer is no advice: {error}")))?;
    if args.json {
        let json = serde_json::to_string_pretty(&advice).map_err(CommandError::other)?;
        writeln!(out, "{json}")?;
        return Ok(());
    }
    for line in advice.lines() {
        writeln!(out, "{line}")?;
    }
    Ok(())
}
