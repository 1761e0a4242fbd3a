//! A member's public profile: rating, record and latest games.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use parlor_games::GameKind;
use parlor_store::User;
use serde_json::Value;

use super::error_page::WebError;
use super::graph::{self, GraphPoint};
use super::page::HtmlPage;
use super::rating::rounded;
use super::snapshot::Viewer;
use super::{dates, phrases};
use crate::AppState;
use crate::accounts::store_id;
use crate::error::Error;
use crate::extract::NamePath;
use crate::profiles::{GameRating, GlickoRating, Profile, RatingPoint};
use crate::ratings::RatingPool;
use crate::tables::TableSummary;

/// Maximum number of latest games shown.
const LATEST: u64 = 12;
/// Maximum number of rows of the table below a graph.
const VALUES: usize = 50;

/// Shows a profile. Redirects to the name as its owner capitalizes it.
pub(super) async fn show(
    State(state): State<AppState>,
    viewer: Viewer,
    NamePath(name): NamePath,
) -> Result<Response, WebError> {
    let user = state.find_user(&name).await?;
    if user.name != name {
        return Ok(Redirect::permanent(&format!("/players/{}", user.name)).into_response());
    }
    let member = viewer.who.as_ref().and_then(|who| who.member());
    let profile = state.profile(&user).await?;
    let latest = state.tables_of(user.id, member, None, LATEST).await?;
    let mut games = Vec::new();
    for rating in &profile.games {
        let Ok(kind) = GameKind::from_name(&rating.game) else {
            continue;
        };
        let pool = RatingPool::from_names(kind, Some(&rating.variant), Some(rating.pace))?;
        let points = state.rating_points(user.id, &pool).await?;
        games.push(game(&profile, &pool, rating, &points));
    }
    let relation = match member {
        None => Relation::Stranger,
        Some(member) if member.name == profile.name => Relation::Own,
        Some(member) => {
            let blocked = state.store().has_blocked(store_id(member.id), user.id);
            let is_blocked = blocked.await.map_err(Error::from)?;
            Relation::Other { is_blocked }
        }
    };
    let body = html! {
        main #main.members tabindex="-1" {
            (head(&profile, relation))
            @for game in &games { (game) }
            @if games.is_empty() { section.card { p.soft { "No finished games yet." } } }
            (games_played(&profile.name, &latest))
        }
    };
    Ok(HtmlPage::new(format!("{} – Parlor", profile.name), body).into_response())
}

/// Relation of the viewer to the member whose profile it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// Not signed in.
    Stranger,
    /// The member.
    Own,
    /// Another member, who may have blocked this one.
    Other { is_blocked: bool },
}

fn head(profile: &Profile, relation: Relation) -> Markup {
    html! {
        div.title {
            h1 { bdi { (profile.name) } }
            @if profile.kind == "bot" { span.tag { "bot" } }
            @if User::is_closed_name(&profile.name) { span.tag { "closed account" } }
            @else if profile.banned { span.tag.bad-tag { "banned" } }
            @match relation {
                Relation::Stranger => {},
                Relation::Own => a.button href="/account" { "Your account" },
                Relation::Other { is_blocked } => (block_button(&profile.name, is_blocked)),
            }
        }
        @if relation == (Relation::Other { is_blocked: true }) {
            p.soft { "You have blocked " bdi { (profile.name) } ": no challenges, and no quick pairing." }
        }
        p.soft {
            @match &profile.owner {
                Some(owner) => { "Bot of " a href={ "/players/" (owner) } { (owner) } ", since " (dates::day(profile.joined_at)) "." },
                None => { "Member since " (dates::day(profile.joined_at)) "." (level(profile.level)) },
            }
        }
    }
}

/// Renders the button that blocks or unblocks the member.
fn block_button(name: &str, is_blocked: bool) -> Markup {
    let (verb, words) = if is_blocked {
        ("unblock", "Unblock")
    } else {
        ("block", "Block")
    };
    html! {
        form method="post" action={ "/players/" (name) "/" (verb) } {
            button aria-label={ (words) " " (name) } { (words) }
        }
    }
}

fn level(level: &str) -> Markup {
    let words = match level {
        "beginner" => "a beginner",
        "casual" => "a casual player",
        "club" => "a club player",
        "strong" => "a strong player",
        _ => return html! {},
    };
    html! { " Self-assessment: " (words) "." }
}

/// Renders a Glicko-2 rating ± twice its deviation, and whether it is provisional.
pub(super) fn glicko(rating: &GlickoRating) -> Markup {
    html! {
        (format!("{:.0}", rating.rating)) span.soft { (format!(" ± {:.0}", 2.0 * rating.deviation)) }
        @if rating.provisional { " " span.small.soft { "provisional" } }
    }
}

/// Renders the sentence that tells the two ratings apart.
pub(super) fn explanation() -> Markup {
    html! {
        p.small.soft {
            "The rating is the Glicko-2 rating, ± twice its deviation: the strength lies in that range with 95 % confidence, and \
             a rating is provisional while the range is wide. Elo is the simpler number beside it, without a range."
        }
    }
}

fn game(
    profile: &Profile,
    pool: &RatingPool,
    rating: &GameRating,
    points: &[RatingPoint],
) -> Markup {
    let kind = pool.game;
    let id = pool.key().replace([':', '@'], "-");
    html! {
        section.card aria-labelledby={ "game-" (id) } {
            h2 id={ "game-" (id) } { (kind.title()) @if !kind.is_cooperative() { " " span.small.soft { (rating.words) } } }
            @if kind.is_cooperative() {
                dl.figures {
                    div { dt { "Won together" } dd { (rating.wins) } }
                    div { dt { "Lost together" } dd { (rating.losses) } }
                }
                p.small.soft { "Players win or lose as a team, so this game isn't rated." }
            } @else {
                (figures(rating))
                (graph::draw(&id, &format!("Rating of {} in {}, {}", profile.name, kind.title(), rating.words), &dots(points)))
                @if !points.is_empty() { (values(points)) }
                (explanation())
            }
        }
    }
}

fn figures(rating: &GameRating) -> Markup {
    html! {
        dl.figures {
            div { dt { "Rating" } dd { (glicko(&rating.glicko)) } }
            div { dt { "Elo" } dd { (rating.elo) } }
            div { dt { "Won" } dd { (rating.wins) } }
            div { dt { "Drawn" } dd { (rating.draws) } }
            div { dt { "Lost" } dd { (rating.losses) } }
        }
    }
}

/// Returns the rating before the first game and after each.
fn dots(points: &[RatingPoint]) -> Vec<GraphPoint> {
    let first = points.first().map(|point| GraphPoint {
        at: point.at,
        value: rounded(point.glicko_before),
        game: None,
        opponent: None,
    });
    let after = points.iter().map(|point| GraphPoint {
        at: point.at,
        value: rounded(point.glicko),
        game: point.table.map(|table| format!("/t/{table}")),
        opponent: point.opponent.clone(),
    });
    first.into_iter().chain(after).collect()
}

/// Renders the graph's data as a table.
fn values(points: &[RatingPoint]) -> Markup {
    html! {
        details.values {
            summary { "Rating history" }
            div.scroll tabindex="0" role="region" aria-label="Rating history" {
                table.numbers {
                    thead { tr { th scope="col" { "Day" } th.name scope="col" { "Opponent" } th scope="col" { "Result" } th scope="col" { "Rating" } th scope="col" { "Change" } th scope="col" { "Elo" } } }
                    tbody {
                        @for point in points.iter().rev().take(VALUES) {
                            tr {
                                th scope="row" { (dates::day(point.at)) }
                                td.name { (opponent(point)) }
                                td { (result(point.score)) } td { (rounded(point.glicko)) }
                                td { (change(rounded(point.glicko) - rounded(point.glicko_before))) } td { (point.elo) }
                            }
                        }
                    }
                }
            }
            @if points.len() > VALUES { p.small.soft { "The latest " (VALUES) " games." } }
        }
    }
}

/// Renders the name of an opponent, with a link to the game if it is listed.
fn opponent(point: &RatingPoint) -> Markup {
    let name = point.opponent.as_deref().unwrap_or("–");
    html! { @match point.table { Some(table) => a href={ "/t/" (table) } { bdi { (name) } }, None => bdi { (name) } } }
}

fn result(score: &str) -> &'static str {
    match score {
        "win" => "won",
        "loss" => "lost",
        _ => "drawn",
    }
}

/// Formats a change with its sign, with a proper minus.
pub(super) fn change(points: i32) -> String {
    match points {
        0 => "±0".to_owned(),
        up @ 1.. => format!("+{up}"),
        down => format!("−{}", down.unsigned_abs()),
    }
}

fn games_played(name: &str, tables: &[TableSummary]) -> Markup {
    html! {
        section.card {
            h2 { "Latest games" }
            @if tables.is_empty() { p.soft { "No public games yet." } }
            ul.tables {
                @for table in tables {
                    @let kind = GameKind::from_name(&table.game).ok();
                    li {
                        a href={ "/t/" (table.id) } {
                            span { b { (players(kind, table)) } br; span.small.soft { (what(kind, table)) ", " (dates::day(table.updated_at)) } }
                            span.tag { (how(name, table)) }
                        }
                    }
                }
            }
        }
    }
}

/// Lists the players of a table.
fn players(kind: Option<GameKind>, table: &TableSummary) -> Markup {
    let position = kind.and_then(|kind| kind.start(&table.options).ok());
    let seats = table.seats.as_array().into_iter().flatten();
    let name = |seat: &Value| {
        if let Some(person) = seat["stands_in_for"].as_str() {
            return Some(phrases::stand_in(person));
        }
        let name = seat["name"].as_str()?.to_owned();
        Some(match &position {
            _ if seat["owner"].is_string() => phrases::program(&name),
            Some(position) if seat["kind"] == "bot" => phrases::bot(position, name),
            _ => name,
        })
    };
    let names: Vec<Option<String>> = seats.map(name).collect();
    phrases::players(names.iter().map(Option::as_deref))
}

/// Describes the game of a table.
fn what(kind: Option<GameKind>, table: &TableSummary) -> String {
    match kind {
        Some(kind) => format!(
            "{}, {}",
            kind.title(),
            phrases::options(kind, &table.options)
        ),
        None => table.game.clone(),
    }
}

/// Returns the result of a table for one of its players.
fn how(name: &str, table: &TableSummary) -> &'static str {
    match table.status {
        "open" => return "open",
        "playing" => return "in progress",
        "aborted" => return "called off",
        _ => {}
    }
    let outcome = table
        .summary
        .as_ref()
        .map_or(&Value::Null, |summary| &summary["ending"]["outcome"]);
    let seats = table.seats.as_array().into_iter().flatten();
    let mine: Vec<usize> = seats
        .enumerate()
        .filter(|(_, seat)| seat["member"] == true && seat["name"] == name)
        .map(|(n, _)| n)
        .collect();
    match outcome["kind"].as_str() {
        Some("won") => {
            let winner = outcome["seat"]
                .as_u64()
                .and_then(|seat| usize::try_from(seat).ok());
            if winner.is_some_and(|seat| mine.contains(&seat)) {
                "won"
            } else {
                "lost"
            }
        }
        Some("draw") => "drawn",
        Some("team_won") => "won",
        Some("team_lost") => "lost",
        _ => "over",
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn changes_have_signs() {
        assert_eq!([-16, 0, 3].map(super::change), ["−16", "±0", "+3"]);
    }
}
