//! The best in each game.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use parlor_games::GameKind;
use serde::Deserialize;

use super::oops::Oops;
use super::shell::Page;
use crate::AppState;
use crate::auth::current_member;
use crate::error::Error;
use crate::extract::Params;
use crate::profiles::Place;

/// How many are shown.
const ROWS: u64 = 100;

/// Which game.
#[derive(Debug, Deserialize)]
pub(super) struct Query {
    game: Option<String>,
}

/// The page.
pub(super) async fn show(
    State(state): State<AppState>,
    Params(query): Params<Query>,
) -> Result<Response, Oops> {
    let kind = match query.game.as_deref() {
        Some(name) => {
            GameKind::from_name(name).map_err(|error| Error::not_found(&error.to_string()))?
        }
        None => first(&state).await?,
    };
    let places = state.leaderboard(kind, ROWS, None).await?;
    let body = html! {
        main #main.members tabindex="-1" {
            h1 { "Leaderboard" }
            nav.chips aria-label="Games" {
                @for other in GameKind::ALL.iter().filter(|kind| !kind.is_cooperative()) {
                    a href={ "/leaderboard?game=" (other.name()) } aria-current=[(*other == kind).then_some("page")] { (other.title()) }
                }
            }
            section.card {
                h2 { (kind.title()) }
                @if places.is_empty() {
                    p.soft { "Nobody has finished a rated game yet. Sign up, make a rated table, and the first place is yours." }
                } @else {
                    (table(&places))
                }
            }
        }
    };
    Ok(Page {
        title: format!("Leaderboard of {} – Parlor", kind.title()),
        live: false,
        body,
    }
    .into_response())
}

/// The first game that somebody has a place in.
async fn first(state: &AppState) -> Result<GameKind, Error> {
    for kind in GameKind::ALL {
        if !state.leaderboard(*kind, 1, None).await?.is_empty() {
            return Ok(*kind);
        }
    }
    GameKind::ALL
        .first()
        .copied()
        .ok_or_else(|| Error::not_found("this house has no games"))
}

fn table(places: &[Place]) -> Markup {
    let me = current_member();
    html! {
        div.scroll tabindex="0" role="region" aria-label="Leaderboard" {
            table.numbers {
                thead {
                    tr {
                        th scope="col" { "Place" } th.name scope="col" { "Name" } th scope="col" { "Elo" }
                        th scope="col" { abbr title="Glicko-2 rating, and how unsure it is" { "Glicko-2" } }
                        th scope="col" { "Won" } th scope="col" { "Drawn" } th scope="col" { "Lost" }
                    }
                }
                tbody {
                    @for (n, place) in (1..).zip(places) {
                        @let rating = &place.rating;
                        tr.me[me.as_deref() == Some(&place.name)] {
                            td { (n) }
                            th.name scope="row" {
                                a href={ "/players/" (place.name) } { (place.name) }
                                @if place.kind == "bot" { " " span.tag { "bot" } }
                            }
                            td { b { (rating.elo) } }
                            td { (super::player::glicko(&rating.glicko)) }
                            td { (rating.wins) } td { (rating.draws) } td { (rating.losses) }
                        }
                    }
                }
            }
        }
        p.small.soft { "A question mark stands behind ratings that are no more than a guess so far." }
    }
}
