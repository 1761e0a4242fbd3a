//! Advice on the page of a team's table, for those who ask.

use axum::Json;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use parlor_games::GameKind;
use parlor_games::analysis::{Assessment, Ranked};
use parlor_table::TableId;
use serde_json::json;

use super::error_page::ResponseFormat;
use super::page::HtmlPage;
use super::snapshot::TableSnapshot;
use crate::advice::Advice;

/// Size of the graph and its margins, in its own units.
const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 90.0;
const LEFT: f64 = 46.0;
const MARGIN: f64 = 8.0;

/// Renders the button that asks, for players who may.
pub(super) fn button(table: &TableSnapshot) -> Markup {
    html! {
        @if table.may.advice {
            form method="post" action={ "/t/" (table.game.view.id) "/advice" } data-advice { button { "Ask the adviser" } }
        }
    }
}

/// Returns true if tables of a game can have an adviser.
pub(super) fn is_offered(kind: GameKind) -> bool {
    kind.is_cooperative() && kind.can_analyze()
}

/// Renders the place where the script shows an answer, for whoever may still sit down, too.
pub(super) fn panel() -> Markup {
    html! { section #advice popover="manual" aria-labelledby="advice-title" {} }
}

/// Answers who asks: the script with the content of the panel, a browser without scripts with a page.
pub(super) fn answer(table: &TableSnapshot, advice: &Advice, wants: ResponseFormat) -> Response {
    let has_script = wants == ResponseFormat::Json;
    let content = content(table, advice, has_script);
    match wants {
        ResponseFormat::Json => {
            let answer = json!({ "version": advice.version, "html": content.into_string() });
            ([(CACHE_CONTROL, "no-store")], Json(answer)).into_response()
        }
        ResponseFormat::Html => page(table.game.view.id, &content).into_response(),
    }
}

fn page(id: TableId, content: &Markup) -> HtmlPage {
    let body = html! {
        main #main tabindex="-1" {
            div.card { (content) }
            p { a.button href={ "/t/" (id) } { "Back to the table" } }
        }
    };
    HtmlPage::new("Adviser", body)
}

fn content(table: &TableSnapshot, advice: &Advice, has_script: bool) -> Markup {
    let Assessment {
        prospects,
        decision,
    } = &advice.assessment;
    let turns = decision.as_ref().map_or(&[][..], |one| &one.ranked);
    let chance = decision.as_ref().map(|best| best.winning);
    let chance = chance.or(prospects.as_ref().map(|now| now.winning));
    let errors: Vec<f64> = turns.iter().filter_map(|turn| turn.error).collect();
    let decimals = decimals(&errors);
    html! {
        div.head {
            h2 #advice-title { "Adviser" }
            @if has_script { button.close type="button" data-close aria-label="Close" title="Close" { "×" } }
        }
        @if let Some(chance) = chance { p { "Your team wins " b { (rounded(chance, decimals)) } " of such games." } }
        (course(&advice.course, chance))
        ol.turns { @for turn in turns { li { (one(table, advice.version, turn, decimals, has_script)) } } }
        @if let Some(turn) = turns.iter().find(|turn| turn.error.is_some()) {
            p.small.soft { "Each turn was played on in " (turn.method) ", with cards drawn anew. The adviser knows no more than you." }
        }
    }
}

fn one(
    table: &TableSnapshot,
    version: u64,
    turn: &Ranked,
    decimals: usize,
    has_script: bool,
) -> Markup {
    let trail: Vec<String> = turn.trail.iter().map(|step| step.join(" ")).collect();
    let mut clicks = table.board.clicks.iter();
    let is_own = clicks.any(|click| !click.partial && click.text == turn.canonical);
    html! {
        p {
            b { (rounded(turn.worth, decimals)) }
            @if let Some(error) = turn.error { span.soft { " ± " (margin(error, decimals)) } }
            " " (turn.text)
        }
        @if !turn.reasons.is_empty() { p.small { (turn.reasons.join("; ")) } }
        div.actions {
            @if has_script && !trail.is_empty() { button type="button" data-trail=(trail.join(";")) aria-pressed="false" { "Show" } }
            @if is_own {
                form method="post" action={ "/t/" (table.game.view.id) "/play" } data-live {
                    input type="hidden" name="move" value=(turn.canonical);
                    input type="hidden" name="version" value=(version);
                    button { "Play the first step" }
                }
            }
        }
    }
}

/// Draws the chance to win over the game so far; nothing before the second turn.
fn course(course: &[(usize, f64)], now: Option<f64>) -> Markup {
    let chances: Vec<f64> = course
        .iter()
        .map(|(_, chance)| *chance)
        .chain(now)
        .collect();
    let (Some(first), Some(last), true) = (chances.first(), chances.last(), chances.len() > 2)
    else {
        return html! {};
    };
    let across = (WIDTH - LEFT) / (chances.len() - 1) as f64;
    let place = |(n, chance): (usize, &f64)| {
        let (x, y) = (LEFT + across * n as f64, height(*chance));
        format!("{x:.1},{y:.1}")
    };
    let line: Vec<String> = chances.iter().enumerate().map(place).collect();
    let words = format!(
        "The team's chance to win over {} turns: {} at first, {} now",
        course.len(),
        percent(*first),
        percent(*last)
    );
    html! {
        svg.graph.course viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(words) {
            @for share in [0.0, 0.5, 1.0] {
                path.grid d={ "M" (LEFT) " " (height(share)) "H" (WIDTH) } {}
                text x=(LEFT - 6.0) y=(height(share)) dy=".35em" text-anchor="end" { (percent(share)) }
            }
            polyline.curve points=(line.join(" ")) {}
        }
    }
}

/// Returns the height of a chance in the graph, in its own units.
fn height(chance: f64) -> f64 {
    HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * chance
}

/// Formats a chance: "58 %".
fn percent(chance: f64) -> String {
    rounded(chance, 0)
}

/// Formats a chance with decimals: "58.3 %".
fn rounded(chance: f64, decimals: usize) -> String {
    format!("{:.decimals$} %", 100.0 * chance)
}

/// Formats the error of a chance, which is 0 only if the chance is exact.
fn margin(error: f64, decimals: usize) -> String {
    let error = if error > 0.0 { error.max(0.001) } else { error };
    rounded(error, decimals)
}

/// Number of decimals of chances with these errors, one of which may be less than a percent.
fn decimals(errors: &[f64]) -> usize {
    usize::from(errors.iter().any(|error| *error < 0.01))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_below_a_percent_are_told_with_a_decimal() {
        let small = decimals(&[0.0034, 0.02]);
        assert_eq!(rounded(0.1732, small), "17.3 %");
        assert_eq!(margin(0.0034, small), "0.3 %");
        assert_eq!(margin(0.0002, small), "0.1 %");
        assert_eq!(margin(0.0, small), "0.0 %");
        let large = decimals(&[0.02]);
        assert_eq!(
            (rounded(0.1732, large), margin(0.02, large)),
            ("17 %".to_owned(), "2 %".to_owned())
        );
    }
}
