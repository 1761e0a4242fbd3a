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
use crate::error::Error;
use crate::extract::Params;

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
            div.lists {
                (play::card(&viewer))
                section.card aria-labelledby="new" {
                    h2 #new { "New table" }
                    (games(&viewer))
                }
            }
            div.lists {
                (play::challenges(&asked))
                @if !own.is_empty() { (own_tables(&own)) }
                (listed::filter(chosen))
                (listed::list("Open tables", "Nobody is waiting right now. Set up a table and show it in the lobby.", "Join", &open))
                (listed::list("Live tables", "No listed game is going on.", "Watch", &live))
            }
        }
    };
    Ok(Page { title: "Parlor – board games at a table of your own".to_owned(), live: false, body }.into_response())
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
    let Some(kind) = GameKind::ALL.first() else { return String::new() };
    let Ok(mut position) = kind.start(&Value::Null) else { return String::new() };
    let mut last = None;
    let mut seed: usize = 4;
    while let Turn::Move(seat) = position.turn() {
        let legal = position.legal();
        seed = seed.wrapping_mul(5).wrapping_add(7);
        let Some(chosen) = legal.get(seed % legal.len().max(1)).map(|m| m.text.clone()) else { break };
        last = position.play(&chosen, seat).ok();
    }
    position.svg(last.as_deref()).replacen("role=\"group\"", "aria-hidden=\"true\"", 1)
}

/// The tables this browser was at and still has a seat, the ones that wait for it first.
async fn own(state: &AppState, viewer: &Viewer) -> Vec<Own> {
    let Some(who) = &viewer.who else { return Vec::new() };
    let mut own = Vec::new();
    for remembered in memory::tables(&viewer.headers) {
        let who = who.clone();
        let found = state.read(remembered.id, move |table| {
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
        own.extend(found.await.ok().flatten());
    }
    let rank = |own: &Own| match own.status {
        Status::Playing if own.my_turn => 0,
        Status::Playing => 1,
        Status::Open => 2,
        Status::Over | Status::Aborted => 3,
    };
    own.sort_by_key(rank);
    own.truncate(10);
    own
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
