//! `parlor admin table`: tables.

use std::io::Write;
use std::str::FromStr;

use clap::{Args, Subcommand};
use parlor_store::{ListFilter, ListPage, Store, StoreError, TableRow, TableSearch};
use parlor_table::TableId;
use serde_json::json;

use super::{audit_line, with_store};
use crate::error::CommandError;
use crate::settings::SettingsArgs;

/// List and delete tables.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parlor admin table list --search ann            with this text in an id or a name
  parlor admin table delete 0c5m8xq3k2a           as in its address
  parlor admin table delete 1301936443965440 1301936443973632")]
pub struct TableArgs {
    #[command(subcommand)]
    command: TableCommand,
}

#[derive(Subcommand, Debug)]
enum TableCommand {
    /// List tables, newest first
    List {
        /// Only tables with this text in their ids or their players' names
        #[arg(long)]
        search: Option<String>,
        /// Maximum number of tables
        #[arg(long, default_value_t = 50)]
        limit: u64,
        /// Print one JSON object per table
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        settings: SettingsArgs,
    },
    /// Delete tables for good, with all their moves; ratings do not change, and a running server closes
    /// them within two seconds
    Delete {
        /// Numbers of the tables, or their ids as in their addresses
        #[arg(required = true)]
        tables: Vec<TableKey>,
        #[command(flatten)]
        settings: SettingsArgs,
    },
}

/// Table that is named by its number or by its id as in its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TableKey(i64);

/// Error of parsing a [`TableKey`].
#[derive(Debug, thiserror::Error)]
#[error("neither the number of a table nor an id as in its address, such as 0c5m8xq3k2a")]
struct BadTableKey;

impl FromStr for TableKey {
    type Err = BadTableKey;

    fn from_str(text: &str) -> Result<TableKey, BadTableKey> {
        // Ids of eleven digits are rather those of an address: numbers have more.
        let spelled = text.parse::<TableId>().map(TableId::number).ok();
        let number = spelled.or_else(|| text.parse().ok());
        let key = number.and_then(|number| i64::try_from(number).ok());
        key.map(TableKey).ok_or(BadTableKey)
    }
}

pub fn run(args: &TableArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    match &args.command {
        TableCommand::List {
            search,
            limit,
            json,
            settings,
        } => {
            let search = search.as_ref().map(|text| TableSearch {
                text: text.clone(),
                ids: Vec::new(),
            });
            let filter = ListFilter {
                search,
                ..ListFilter::default()
            };
            let page = ListPage {
                before: None,
                limit: *limit,
            };
            let rows = with_store(settings, async |store| {
                store
                    .list(&filter, &page)
                    .await
                    .map_err(CommandError::other)
            })?;
            for row in &rows {
                let line = match *json {
                    true => format_json(row),
                    false => format_line(row),
                };
                writeln!(out, "{line}")?;
            }
            Ok(())
        }
        TableCommand::Delete { tables, settings } => {
            let deleted = with_store(settings, async |store| delete(store, tables).await)?;
            for id in deleted {
                writeln!(out, "deleted table {id}")?;
            }
            Ok(())
        }
    }
}

/// Deletes tables, or none if one of them does not exist, and returns their numbers.
async fn delete(store: &Store, tables: &[TableKey]) -> Result<Vec<i64>, CommandError> {
    let mut rows: Vec<TableRow> = Vec::new();
    for TableKey(id) in tables {
        let row = store.row(*id).await.map_err(CommandError::other)?;
        let missing = || CommandError::Other(format!("there is no table {id}"));
        rows.push(row.ok_or_else(missing)?);
    }
    let mut deleted = Vec::new();
    for row in rows {
        if delete_row(store, &row).await.map_err(CommandError::other)? {
            deleted.push(row.id);
        }
    }
    Ok(deleted)
}

async fn delete_row(store: &Store, row: &TableRow) -> Result<bool, StoreError> {
    let detail = format!("{}, {}", row.game, row.status);
    let line = audit_line("delete table", format!("table {}", row.id), &detail);
    store.delete_audited(row.id, line).await
}

/// Returns the id of a table as in its address.
fn spelled(row: &TableRow) -> String {
    let number = u64::try_from(row.id).ok();
    let id = number.and_then(|number| TableId::new(number).ok());
    id.map_or_else(|| row.id.to_string(), |id| id.to_string())
}

fn names(row: &TableRow) -> Vec<&str> {
    let seats = row.seats.as_array().into_iter().flatten();
    seats.filter_map(|seat| seat["name"].as_str()).collect()
}

fn format_line(row: &TableRow) -> String {
    let (game, status) = (&row.game, row.status);
    let (id, names) = (spelled(row), names(row).join(", "));
    format!("{id} {:<16} {game:<12} {status:<8} {names}", row.id)
        .trim_end()
        .to_owned()
}

fn format_json(row: &TableRow) -> String {
    json!({
        "id": spelled(row), "number": row.id, "game": row.game, "status": row.status.as_str(), "result": row.result,
        "turn": row.turn, "players": names(row), "created_at": row.created_at, "updated_at": row.updated_at,
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::TableKey;

    #[test]
    fn tables_are_named_by_numbers_and_as_in_their_addresses() {
        for (text, number) in [
            ("000003nqk8n", Some(123_456_789)),
            ("123456789", Some(123_456_789)),
            ("1301936443965440", Some(1_301_936_443_965_440)),
            ("x", None),
            ("-1", None),
        ] {
            let key = text.parse::<TableKey>().ok();
            assert_eq!(key, number.map(TableKey), "{text}");
        }
    }
}
