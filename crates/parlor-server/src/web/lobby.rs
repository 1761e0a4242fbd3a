//! The lobby: create, join or watch a table, or return to one of your own.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use parlor_core::Turn;
use parlor_games::GameKind;
use parlor_store::RowStatus;
use parlor_table::{TableId, TableStatus};
use serde::Deserialize;
use serde_json::Value;

use super::error_page::WebError;
use super::faces::name_bots;
use super::page::HtmlPage;
use super::snapshot::Viewer;
use super::table_list::{LobbyList, LobbyTable};
use super::{cookies, create, matchmaking, phrases, table_list};
use crate::AppState;
use crate::auth::Requester;
use crate::error::Error;
use crate::extract::Params;
use crate::profiles::CurrentTable;

/// Maximum number of the visitor's own tables shown.
const MOST_OWN: usize = 10;

/// Query of the lobby.
#[derive(Debug, Default, Deserialize)]
pub(super) struct LobbyQuery {
    /// Name of the only game to list; all games if missing.
    game: Option<String>,
}

/// A table where the visitor has a seat.
struct OwnTable {
    id: TableId,
    kind: GameKind,
    options: Value,
    status: TableStatus,
    players: Markup,
    my_turn: bool,
    /// True if the visitor left the game and can come back.
    is_gone: bool,
}

/// Shows the lobby.
pub(super) async fn show(
    State(state): State<AppState>,
    viewer: Viewer,
    query: Result<Params<LobbyQuery>, Error>,
) -> Result<Response, WebError> {
    let query = query.map(|Params(query)| query).unwrap_or_default();
    let own = own(&state, &viewer).await;
    let asked = matchmaking::load_challenges(&state, &viewer).await?;
    let elsewhere = |table: &LobbyTable| !own.iter().any(|own| own.id == table.id);
    let chosen = query.game.and_then(|game| GameKind::from_name(&game).ok());
    let mut open = LobbyList::load(&state, RowStatus::Open, chosen).await?;
    open.tables.retain(elsewhere);
    let mut live = LobbyList::load(&state, RowStatus::Playing, chosen).await?;
    live.tables.retain(elsewhere);
    let body = html! {
        main #main.lobby tabindex="-1" {
            div.hero {
                div {
                    h1 { "Your table is ready." }
                    p { "Send a friend a link, share one screen, or take on the computer. No account, nothing to install." }
                }
                (PreEscaped(ornament()))
            }
            (matchmaking::challenges(&asked))
            div.lists {
                (matchmaking::card(&viewer, chosen))
                section.card aria-labelledby="new" {
                    h2 #new { "New table" }
                    (games(&viewer, chosen))
                }
            }
            div.lists {
                @if !own.is_empty() { (own_tables(&own)) }
                (table_list::filter(chosen))
                (open.render(chosen))
                (live.render(chosen))
            }
        }
    };
    Ok(HtmlPage {
        game: ornamental_game(),
        ..HtmlPage::new("Parlor – board games with friends", body)
    }
    .into_response())
}

/// Renders the forms for new tables, that of the chosen game open, or else the first one.
fn games(viewer: &Viewer, chosen: Option<GameKind>) -> Markup {
    let shown = chosen.or_else(|| GameKind::all().first().copied());
    html! {
        @if let [kind] = GameKind::all() { (create::form(*kind, viewer)) } @else {
            @for kind in GameKind::all() {
                details name="game" open[shown == Some(*kind)] {
                    summary { h3 { (kind.title()) } }
                    (create::form(*kind, viewer))
                }
            }
        }
    }
}

/// Returns the game whose board decorates the page: the first one.
fn ornamental_game() -> Option<GameKind> {
    GameKind::all().first().copied()
}

/// Draws a finished game, for decoration.
fn ornament() -> String {
    let Some(kind) = ornamental_game() else {
        return String::new();
    };
    let Ok(mut position) = kind.start(&Value::Null) else {
        return String::new();
    };
    let mut last = None;
    let mut seed: usize = 4;
    while let Turn::Move(seat) = position.turn() {
        let legal = position.legal();
        seed = seed.wrapping_mul(5).wrapping_add(7);
        let Some(chosen) = legal.get(seed % legal.len().max(1)).map(|m| m.text.clone()) else {
            break;
        };
        last = position.play(&chosen, seat).ok();
    }
    position
        .svg(last.as_deref())
        .replacen("role=\"group\"", "aria-hidden=\"true\"", 1)
}

/// Loads the visitor's own tables, those where it is their turn first: a member's from the store,
/// and those from this browser's cookies where it still holds a seat.
async fn own(state: &AppState, viewer: &Viewer) -> Vec<OwnTable> {
    let Some(who) = &viewer.who else {
        return Vec::new();
    };
    let mut ids = match who.member() {
        Some(member) => state
            .current_tables(member)
            .await
            .map(ids)
            .unwrap_or_default(),
        None => Vec::new(),
    };
    ids.truncate(MOST_OWN);
    for remembered in cookies::tables(&viewer.headers) {
        if !ids.contains(&remembered.id) {
            ids.push(remembered.id);
        }
    }
    let mut own = Vec::new();
    for id in ids {
        own.extend(seated(state, who, id).await);
    }
    let rank = |own: &OwnTable| match own.status {
        TableStatus::Playing if own.my_turn => 0,
        TableStatus::Playing => 1,
        TableStatus::Open => 2,
        TableStatus::Over | TableStatus::Aborted => 3,
    };
    own.sort_by_key(rank);
    own.truncate(MOST_OWN);
    own
}

fn ids(tables: Vec<CurrentTable>) -> Vec<TableId> {
    tables.into_iter().map(|current| current.table.id).collect()
}

/// Loads a table if the visitor has a seat there, or can take one back.
async fn seated(state: &AppState, who: &Requester, id: TableId) -> Option<OwnTable> {
    let who = who.clone();
    let found = state.read(id, move |table| {
        let seats = who.seats(table);
        let mut view = table.view();
        name_bots(&mut view, table);
        let names = phrases::listed_names(&view);
        let players = phrases::players(names.iter().map(Option::as_deref));
        let is_gone = who.can_return(table);
        (is_gone || !seats.is_empty()).then(|| OwnTable {
            id: table.id(),
            kind: table.kind(),
            options: table.options().clone(),
            status: table.status(),
            players,
            my_turn: table.on_turn().is_some_and(|seat| seats.contains(&seat)),
            is_gone: is_gone && seats.is_empty(),
        })
    });
    found.await.ok().flatten()
}

fn own_tables(own: &[OwnTable]) -> Markup {
    let tag = |own: &OwnTable| match own.status {
        TableStatus::Playing if own.my_turn => "Your turn",
        TableStatus::Playing if own.is_gone => "You left",
        TableStatus::Playing => "Their turn",
        TableStatus::Open => "Waiting",
        TableStatus::Over => "Finished",
        TableStatus::Aborted => "Called off",
    };
    html! {
        section.card aria-labelledby="own" {
            h2 #own { "Your tables" }
            ul.tables {
                @for table in own {
                    li {
                        a href={ "/t/" (table.id) } {
                            span { b { (table.players) } br; span.small.soft { (table.kind.title()) ", " (phrases::options(table.kind, &table.options)) } }
                            span.tag.turn[table.my_turn] { (tag(table)) }
                        }
                    }
                }
            }
        }
    }
}
