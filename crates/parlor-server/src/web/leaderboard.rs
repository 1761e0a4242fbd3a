//! Leaderboard of each game.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use parlor_games::GameKind;
use parlor_table::Pace;
use serde::Deserialize;

use super::error_page::WebError;
use super::page::HtmlPage;
use crate::AppState;
use crate::auth::current_member;
use crate::error::Error;
use crate::extract::Params;
use crate::profiles::LeaderboardEntry;
use crate::ratings::RatingPool;

/// Maximum number of players shown.
const ROWS: u64 = 100;

/// Query of the leaderboard.
#[derive(Debug, Deserialize)]
pub(super) struct LeaderboardQuery {
    game: Option<String>,
    /// Key of the variant.
    variant: Option<String>,
    /// Name of the pace.
    pace: Option<String>,
}

/// Shows the leaderboard of one variant of a game, at one pace.
pub(super) async fn show(
    State(state): State<AppState>,
    Params(query): Params<LeaderboardQuery>,
) -> Result<Response, WebError> {
    let kind = match query.game.as_deref() {
        Some(name) => {
            GameKind::from_name(name).map_err(|error| Error::not_found(&error.to_string()))?
        }
        None => first(&state).await?,
    };
    let (variant, pace) = (query.variant.as_deref(), query.pace.as_deref());
    let pool = RatingPool::from_names(kind, variant, pace)?;
    let places = state.leaderboard(&pool, ROWS, None).await?;
    let body = html! {
        main #main.members tabindex="-1" {
            h1 { "Leaderboard" }
            nav.chips aria-label="Games" {
                @for other in GameKind::all().iter().filter(|kind| !kind.is_cooperative()) {
                    a href={ "/leaderboard?game=" (other.name()) } aria-current=[(*other == kind).then_some("page")] { (other.title()) }
                }
            }
            (others(&pool))
            section.card {
                h2 { (kind.title()) " " span.small.soft { (pool.words()) } }
                @if places.is_empty() {
                    p.soft { "No rated games yet. Sign up, create a rated table, and first place is yours." }
                } @else {
                    (table(&places))
                }
            }
        }
    };
    Ok(HtmlPage::new(format!("Leaderboard of {} – Parlor", kind.title()), body).into_response())
}

/// Renders links to the leaderboards of the game's other variants and paces.
fn others(pool: &RatingPool) -> Markup {
    let variants = pool.game.variants();
    let address = |variant: &str, pace: Pace| {
        let game = pool.game.name();
        format!(
            "/leaderboard?game={game}&variant={variant}&pace={}",
            pace.name()
        )
    };
    html! {
        @if variants.len() > 1 {
            nav.chips aria-label="Variants" {
                @for other in &variants {
                    a href=(address(&other.key, pool.pace)) aria-current=[(other.key == pool.variant.key).then_some("page")] { (other.title) }
                }
            }
        }
        nav.chips aria-label="Paces" {
            @for pace in Pace::ALL {
                a href=(address(&pool.variant.key, pace)) aria-current=[(pace == pool.pace).then_some("page")] { (pace.title()) }
            }
        }
    }
}

/// Returns the first game with any ranked players.
async fn first(state: &AppState) -> Result<GameKind, Error> {
    for kind in GameKind::all() {
        let pool = RatingPool::from_names(*kind, None, None)?;
        if !state.leaderboard(&pool, 1, None).await?.is_empty() {
            return Ok(*kind);
        }
    }
    GameKind::all()
        .first()
        .copied()
        .ok_or_else(|| Error::not_found("this server has no games"))
}

fn table(places: &[LeaderboardEntry]) -> Markup {
    let me = current_member();
    html! {
        div.scroll tabindex="0" role="region" aria-label="Leaderboard" {
            table.numbers {
                thead {
                    tr {
                        th scope="col" { "Rank" } th.name scope="col" { "Name" } th scope="col" { "Rating" }
                        th.more scope="col" { "Elo" }
                        th scope="col" { "Won" } th scope="col" { "Drawn" } th scope="col" { "Lost" }
                    }
                }
                tbody {
                    @for (n, place) in (1..).zip(places) {
                        @let rating = &place.rating;
                        tr.me[me.as_deref() == Some(&place.name)] {
                            td { (n) }
                            th.name scope="row" {
                                a href={ "/players/" (place.name) } { bdi { (place.name) } }
                                @if let Some(owner) = &place.owner { " " span.tag title={ "Bot of " (owner) } { "bot" } }
                            }
                            td { (super::player::glicko(&rating.glicko)) }
                            td.more { (rating.elo) }
                            td { (rating.wins) } td { (rating.draws) } td { (rating.losses) }
                        }
                    }
                }
            }
        }
        (super::player::explanation())
    }
}
