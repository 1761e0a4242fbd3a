//! Lists of public tables in the lobby.

use maud::{Markup, html};
use parlor_games::GameKind;
use parlor_table::{Player, Table, TableId, TableStatus, UserId};

use super::error_page::WebError;
use super::phrases;
use super::snapshot::name_bots;
use crate::tables::TableFilter;
use crate::{AppState, queue};

/// Maximum number of tables in a list.
const ROWS: u64 = 12;

/// A table in a list.
pub(super) struct LobbyTable {
    pub(super) id: TableId,
    kind: GameKind,
    players: Markup,
    what: String,
    /// Member waiting at the table, if there is exactly one.
    host: Option<UserId>,
    rating: Option<i32>,
}

impl LobbyTable {
    fn from_table(table: &Table) -> LobbyTable {
        let mut view = table.view();
        name_bots(&mut view, table);
        let rules = phrases::options(table.kind(), table.options());
        let hosts: Vec<UserId> = table.players().iter().filter_map(Player::user).collect();
        LobbyTable {
            id: table.id(),
            kind: table.kind(),
            players: phrases::players(view.seats.iter().map(|seat| seat.name.as_deref())),
            what: format!(
                "{}, {rules} · {}",
                table.kind().title(),
                phrases::time_and_stakes(&view)
            ),
            host: if let [host] = hosts.as_slice() {
                Some(*host)
            } else {
                None
            },
            rating: None,
        }
    }
}

/// Loads the newest tables with a status, of one game or of all.
pub(super) async fn load(
    state: &AppState,
    status: TableStatus,
    game: Option<GameKind>,
) -> Result<Vec<LobbyTable>, WebError> {
    let game = game.map(|game| game.name().to_owned());
    let rows = state
        .list(&TableFilter {
            game,
            status: Some(status),
            limit: Some(ROWS),
            ..TableFilter::default()
        })
        .await?;
    let mut tables = Vec::new();
    for row in rows {
        // Tables that can't be read now are left out.
        let Ok(mut table) = state.read(row.id, LobbyTable::from_table).await else {
            continue;
        };
        if let Some(host) = table.host.filter(|_| status == TableStatus::Open) {
            table.rating = queue::elo(state, host, table.kind).await.ok();
        }
        tables.push(table);
    }
    Ok(tables)
}

/// Renders a list of tables. `verb` is the label of each link, such as `Join`.
pub(super) fn list(title: &str, none: &str, verb: &str, tables: &[LobbyTable]) -> Markup {
    html! {
        section.card {
            h2 { (title) }
            @if tables.is_empty() { p.soft { (none) } }
            ul.tables {
                @for table in tables {
                    li {
                        a href={ "/t/" (table.id) } {
                            span {
                                b { (table.players) }
                                @if let Some(rating) = table.rating { " " span.soft title="Rating of the waiting player" { "(" (rating) ")" } }
                                br;
                                span.small.soft { (table.what) }
                            }
                            span.tag { (verb) }
                        }
                    }
                }
            }
        }
    }
}

/// Renders the filter by game.
pub(super) fn filter(chosen: Option<GameKind>) -> Markup {
    html! {
        @if GameKind::all().len() > 1 {
            nav.filter aria-label="Filter by game" {
                a href="/" aria-current=[chosen.is_none().then_some("true")] { "All games" }
                @for kind in GameKind::all() {
                    a href={ "/?game=" (kind.name()) } aria-current=[(chosen == Some(*kind)).then_some("true")] { (kind.title()) }
                }
            }
        }
    }
}
