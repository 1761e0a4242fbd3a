//! The lobby: make a table, join one, watch one, go on with one's own.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use parlor_core::Turn;
use parlor_games::GameKind;
use parlor_table::{Status, TableId};
use serde::Deserialize;
use serde_json::Value;

use super::listed::Shown;
use super::oops::Oops;
use super::shell::Page;
use super::snapshot::{Viewer, name_bots};
use super::{create, listed, memory, play, words};
use crate::AppState;
use crate::auth::Who;
use crate::error::Error;
use crate::extract::Params;
use crate::profiles::Current;

/// How many tables of one's own are shown.
const MOST_OWN: usize = 10;

/// What is shown.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Query {
    /// Only tables of this game, among those that others made.
    game: Option<String>,
}

/// A table of one's own.
struct Own {
    id: TableId,
    kind: GameKind,
    options: Value,
    status: Status,
    players: String,
    my_turn: bool,
}

/// The page.
pub(super) async fn show(
    State(state): State<AppState>,
    viewer: Viewer,
    query: Result<Params<Query>, Error>,
) -> Result<Response, Oops> {
    let query = query.map(|Params(query)| query).unwrap_or_default();
    let own = own(&state, &viewer).await;
    let asked = play::asked(&state, &viewer).await?;
    let elsewhere = |table: &Shown| !own.iter().any(|own| own.id == table.id);
    let chosen = query.game.and_then(|game| GameKind::from_name(&game).ok());
    let mut open = listed::load(&state, Status::Open, chosen).await?;
    open.retain(elsewhere);
    let mut live = listed::load(&state, Status::Playing, chosen).await?;
    live.retain(elsewhere);
    let body = html! {
        main #main.lobby tabindex="-1" {
            div.hero {
                div {
                    h1 { "A table is ready." }
                    p { "Send a friend a link, sit down together at one screen, or let the computer try you. No account, nothing to install." }
                }
                (PreEscaped(ornament()))
            }
            (play::challenges(&asked))
            div.lists {
                (play::card(&viewer))
                section.card aria-labelledby="new" {
                    h2 #new { "New table" }
                    (games(&viewer))
                }
            }
            div.lists {
                @if !own.is_empty() { (own_tables(&own)) }
                (listed::filter(chosen))
                (listed::list("Open tables", "Nobody is waiting right now. Set up a table and show it in the lobby.", "Join", &open))
                (listed::list("Live tables", "No listed game is going on.", "Watch", &live))
            }
        }
    };
    Ok(Page {
        title: "Parlor – board games at a table of your own".to_owned(),
        live: false,
        body,
    }
    .into_response())
}

fn games(viewer: &Viewer) -> Markup {
    html! {
        @if let [kind] = GameKind::ALL { (create::form(*kind, viewer)) } @else {
            @for (n, kind) in GameKind::ALL.iter().enumerate() {
                details name="game" open[n == 0] {
                    summary { h3 { (kind.title()) } }
                    (create::form(*kind, viewer))
                }
            }
        }
    }
}

/// A finished game of the house's first game, to look at.
fn ornament() -> String {
    let Some(kind) = GameKind::ALL.first() else {
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

/// One's own tables, the ones that wait for one first: a member's from the store, and those that this browser was at and
/// still has a seat.
async fn own(state: &AppState, viewer: &Viewer) -> Vec<Own> {
    let Some(who) = &viewer.who else {
        return Vec::new();
    };
    let mut ids = match who.account() {
        Some(member) => state
            .current_tables(member)
            .await
            .map(ids)
            .unwrap_or_default(),
        None => Vec::new(),
    };
    ids.truncate(MOST_OWN);
    for remembered in memory::tables(&viewer.headers) {
        if !ids.contains(&remembered.id) {
            ids.push(remembered.id);
        }
    }
    let mut own = Vec::new();
    for id in ids {
        own.extend(seated(state, who, id).await);
    }
    let rank = |own: &Own| match own.status {
        Status::Playing if own.my_turn => 0,
        Status::Playing => 1,
        Status::Open => 2,
        Status::Over | Status::Aborted => 3,
    };
    own.sort_by_key(rank);
    own.truncate(MOST_OWN);
    own
}

fn ids(tables: Vec<Current>) -> Vec<TableId> {
    tables.into_iter().map(|current| current.table.id).collect()
}

/// A table, if there is a seat of theirs.
async fn seated(state: &AppState, who: &Who, id: TableId) -> Option<Own> {
    let who = who.clone();
    let found = state.read(id, move |table| {
        let seats = who.seats(table);
        let mut view = table.view();
        name_bots(&mut view, table);
        let players = words::players(view.seats.iter().map(|seat| seat.name.as_deref()));
        (!seats.is_empty()).then(|| Own {
            id: table.id(),
            kind: table.kind(),
            options: table.options().clone(),
            status: table.status(),
            players,
            my_turn: table.on_turn().is_some_and(|seat| seats.contains(&seat)),
        })
    });
    found.await.ok().flatten()
}

fn own_tables(own: &[Own]) -> Markup {
    let tag = |own: &Own| match own.status {
        Status::Playing if own.my_turn => "Your turn",
        Status::Playing => "Their turn",
        Status::Open => "Waiting",
        Status::Over => "Finished",
        Status::Aborted => "Called off",
    };
    html! {
        section.card aria-labelledby="own" {
            h2 #own { "Your tables" }
            ul.tables {
                @for table in own {
                    li {
                        a href={ "/t/" (table.id) } {
                            span { b { (table.players) } br; span.small.soft { (table.kind.title()) ", " (words::options(table.kind, &table.options)) } }
                            span.tag.turn[table.my_turn] { (tag(table)) }
                        }
                    }
                }
            }
        }
    }
}
