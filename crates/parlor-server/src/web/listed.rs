//! Tables that everybody may see, as the lobby lists them.

use maud::{Markup, html};
use parlor_games::GameKind;
use parlor_table::{Player, Status, Table, TableId, UserId};

use super::oops::Oops;
use super::snapshot::name_bots;
use super::words;
use crate::tables::Listing;
use crate::{AppState, queue};

/// How many tables a list shows.
const ROWS: u64 = 12;

/// A table in a list.
pub(super) struct Shown {
    pub(super) id: TableId,
    kind: GameKind,
    players: String,
    what: String,
    /// Who waits there, when it is one member.
    host: Option<UserId>,
    rating: Option<i32>,
}

impl Shown {
    fn of(table: &Table) -> Shown {
        let mut view = table.view();
        name_bots(&mut view, table);
        let rules = words::options(table.kind(), table.options());
        let hosts: Vec<UserId> = table.players().iter().filter_map(Player::user).collect();
        Shown {
            id: table.id(),
            kind: table.kind(),
            players: words::players(view.seats.iter().map(|seat| seat.name.as_deref())),
            what: format!("{}, {rules} · {}", table.kind().title(), words::pace(&view)),
            host: if let [host] = hosts.as_slice() {
                Some(*host)
            } else {
                None
            },
            rating: None,
        }
    }
}

/// The newest tables that have come this far, of one game or of all.
pub(super) async fn load(
    state: &AppState,
    status: Status,
    game: Option<GameKind>,
) -> Result<Vec<Shown>, Oops> {
    let game = game.map(|game| game.name().to_owned());
    let rows = state
        .list(&Listing {
            game,
            status: Some(status),
            limit: Some(ROWS),
            ..Listing::default()
        })
        .await?;
    let mut tables = Vec::new();
    for row in rows {
        // What cannot be shown now is left out.
        let Ok(mut table) = state.read(row.id, Shown::of).await else {
            continue;
        };
        if let Some(host) = table.host.filter(|_| status == Status::Open) {
            table.rating = queue::elo(state, host, table.kind).await.ok();
        }
        tables.push(table);
    }
    Ok(tables)
}

/// A list of tables, and what to do with them in one word.
pub(super) fn list(title: &str, none: &str, verb: &str, tables: &[Shown]) -> Markup {
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
                                @if let Some(rating) = table.rating { " " span.soft title="Rating of the one who waits" { "(" (rating) ")" } }
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

/// Which game's tables are shown.
pub(super) fn filter(chosen: Option<GameKind>) -> Markup {
    html! {
        @if GameKind::ALL.len() > 1 {
            nav.filter aria-label="Tables of" {
                a href="/" aria-current=[chosen.is_none().then_some("true")] { "All games" }
                @for kind in GameKind::ALL {
                    a href={ "/?game=" (kind.name()) } aria-current=[(chosen == Some(*kind)).then_some("true")] { (kind.title()) }
                }
            }
        }
    }
}
