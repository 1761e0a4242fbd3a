//! The lobby: make a table, join one, watch one, go on with one's own.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use parlor_core::Turn;
use parlor_games::GameKind;
use parlor_table::{Status, TableId};
use serde_json::Value;

use super::oops::Oops;
use super::shell::Page;
use super::snapshot::{Viewer, name_bots};
use super::{create, memory, words};
use crate::AppState;
use crate::tables::{Listed, Listing};

/// How many tables a list shows.
const ROWS: u64 = 12;

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
pub(super) async fn show(State(state): State<AppState>, viewer: Viewer) -> Result<Response, Oops> {
    let own = own(&state, &viewer).await;
    let seats_free = |table: &Listed| !own.iter().any(|own| own.id == table.id);
    let mut open = list(&state, Status::Open).await?;
    open.retain(seats_free);
    let mut live = list(&state, Status::Playing).await?;
    live.retain(seats_free);
    let body = html! {
        main #main.lobby tabindex="-1" {
            div.hero {
                div {
                    h1 { "A table is ready." }
                    p { "Send a friend a link, sit down together at one screen, or let the computer try you. No account, nothing to install." }
                }
                (PreEscaped(ornament()))
            }
            section.card aria-labelledby="new" {
                h2 #new { "New table" }
                (games(&viewer))
            }
            div.lists {
                @if !own.is_empty() { (own_tables(&own)) }
                (tables("Open tables", "Nobody is waiting right now. Set up a table and show it in the lobby.", "Join", &open))
                (tables("Live tables", "No listed game is going on.", "Watch", &live))
            }
        }
    };
    Ok(Page { title: "Parlor – board games at a table of your own".to_owned(), live: false, body }.into_response())
}

async fn list(state: &AppState, status: Status) -> Result<Vec<Listed>, Oops> {
    Ok(state.list(&Listing { status: Some(status), limit: Some(ROWS), ..Listing::default() }).await?)
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

fn tables(title: &str, none: &str, verb: &str, tables: &[Listed]) -> Markup {
    html! {
        section.card {
            h2 { (title) }
            @if tables.is_empty() { p.soft { (none) } }
            ul.tables {
                @for table in tables {
                    @let kind = GameKind::from_name(&table.game).ok();
                    li {
                        a href={ "/t/" (table.id) } {
                            span { b { (players(kind, table)) } br; span.small.soft { (game(kind, table)) } }
                            span.tag { (verb) }
                        }
                    }
                }
            }
        }
    }
}

fn players(kind: Option<GameKind>, table: &Listed) -> String {
    let position = kind.and_then(|kind| kind.start(&table.options).ok());
    let seats = table.seats.as_array().into_iter().flatten();
    let name = |seat: &Value| {
        let name = seat["name"].as_str()?.to_owned();
        Some(match &position {
            Some(position) if seat["kind"] == "bot" => words::bot(position, name),
            _ => name,
        })
    };
    let names: Vec<Option<String>> = seats.map(name).collect();
    words::players(names.iter().map(Option::as_deref))
}

fn game(kind: Option<GameKind>, table: &Listed) -> String {
    match kind {
        Some(kind) => format!("{}, {}", kind.title(), words::options(kind, &table.options)),
        None => table.game.clone(),
    }
}
