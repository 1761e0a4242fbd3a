//! Directory of bots: those of the house with their names, faces and strengths, and members' bots with their ratings.

use axum::extract::State;
use maud::{Markup, html};
use parlor_games::GameKind;
use serde::Deserialize;

use super::error_page::WebError;
use super::faces::Face;
use super::page::HtmlPage;
use super::player::glicko;
use crate::AppState;
use crate::directory::{MemberBot, house_bots};
use crate::extract::Params;

/// Number of members' bots on a page.
const ROWS: u64 = 50;

/// Query of the directory.
#[derive(Debug, Deserialize)]
pub(super) struct BotsQuery {
    /// Only members' bots after this name.
    after: Option<String>,
}

/// Shows the directory.
pub(super) async fn show(
    State(state): State<AppState>,
    Params(query): Params<BotsQuery>,
) -> Result<HtmlPage, WebError> {
    let members = state.member_bots(query.after.as_deref(), ROWS).await?;
    let is_first = query.after.is_none();
    let body = html! {
        main #main.members tabindex="-1" {
            h1 { "Bots" }
            @if is_first {
                p { "The house has bots of several strengths for every game. Those of a level have the same name and face in all of them. Choose one when you create a table in the " a href="/" { "lobby" } "." }
                @for kind in GameKind::all() { (house(*kind)) }
            }
            (of_members(&members))
        }
    };
    Ok(HtmlPage::new("Bots – Parlor", body))
}

/// Renders the house's bots for a game.
fn house(kind: GameKind) -> Markup {
    html! {
        section.card aria-labelledby={ "bots-" (kind.name()) } {
            h2 id={ "bots-" (kind.name()) } { (kind.title()) }
            ul.bots {
                @for bot in house_bots(kind) { li { (Face::new(&bot).sized(40)) span { b { (bot.introduction()) } @if let Some(level) = bot.level { br; span.small.soft { "Strength " (level) " of 5" } } } } }
            }
            p { a href={ "/?game=" (kind.name()) "#new" } { "Play " (kind.title()) } }
        }
    }
}

fn of_members(bots: &[MemberBot]) -> Markup {
    let next = bots.last().filter(|_| bots.len() as u64 == ROWS);
    html! {
        section.card aria-labelledby="of-members" {
            h2 #of-members { "Members’ bots" }
            @if bots.is_empty() {
                p.soft { "No bots of members have finished a game yet." }
            } @else {
                (table(bots))
                p.small.soft { "Sign in to challenge one in the lobby." }
            }
            p { "A bot of your own is a program that plays over the " a href="/api/docs/" { "API" } ". Create its account on the page of " a href="/account" { "yours" } "." }
            @if let Some(next) = next { p { a.button rel="next" href={ "/bots?after=" (next.name) } { "Next" } } }
        }
    }
}

fn table(bots: &[MemberBot]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Members’ bots" {
            table.numbers {
                thead {
                    tr {
                        th.name scope="col" { "Name" } th scope="col" { "Owner" } th scope="col" { "Game" } th scope="col" { "Rating" }
                        th.more scope="col" { "Elo" }
                        th scope="col" { "Won" } th scope="col" { "Drawn" } th scope="col" { "Lost" }
                    }
                }
                tbody {
                    @for bot in bots {
                        @for game in &bot.games {
                            @let kind = GameKind::from_name(&game.game).ok();
                            tr {
                                th.name scope="row" { a href={ "/players/" (bot.name) } { bdi { (bot.name) } } " " span.tag { "bot" } }
                                td { @if let Some(owner) = &bot.owner { a href={ "/players/" (owner) } { bdi { (owner) } } } }
                                td { @match kind { Some(kind) => { (kind.title()) ", " (game.words) } None => { (game.game) } } }
                                td { (glicko(&game.glicko)) }
                                td.more { (game.elo) }
                                td { (game.wins) } td { (game.draws) } td { (game.losses) }
                            }
                        }
                    }
                }
            }
        }
    }
}
