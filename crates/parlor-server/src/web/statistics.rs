//! Dice statistics: how often each roll came up.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use parlor_games::GameKind;

use super::error_page::WebError;
use super::page::HtmlPage;
use crate::AppState;
use crate::statistics::{ChanceCount, DrawGroup, Fit, NEWEST, Statistics};

/// Width and height of the bar in each row.
const BAR: (f64, f64) = (180.0, 16.0);

/// Shows the dice statistics.
pub(super) async fn show(State(state): State<AppState>) -> Result<Response, WebError> {
    let statistics = state.statistics().await?;
    let body = html! {
        main #main.members tabindex="-1" {
            h1 { "Dice statistics" }
            (about(&statistics))
            @for group in &statistics.groups { (section(group)) }
        }
    };
    Ok(HtmlPage::new("Dice statistics – Parlor", body).into_response())
}

fn about(statistics: &Statistics) -> Markup {
    html! {
        section.card {
            p { "How often each roll came up in finished games, compared with fair dice. This covers the newest "
                (NEWEST) " finished games of each game with dice, currently " (statistics.tables) ", except those played with real dice. Cards are not counted, because every card drawn changes the odds. The numbers are up to a minute old." }
            @if statistics.waiting > 0 { p { "Another " (statistics.waiting) " games are yet to be counted. Reload the page in a moment." } }
            p.small.soft { "In each row, the dark bar is the observed share, the vertical mark the expected one, and the thin line the 99 % confidence interval (Wilson). Even with perfect dice, one row in a hundred misses its mark by chance, so about 19 in 100 tables of 21 rolls have at least one such row. The test below each table covers all rows together: p is the probability that perfect dice deviate at least as much." }
            p { a href="/luck" { "How to verify every roll" } " · " a href="/api/v1/statistics/dice" { "JSON" } }
            @if statistics.groups.is_empty() { p { "No finished games with dice yet." } }
        }
    }
}

fn section(group: &DrawGroup) -> Markup {
    let game = GameKind::from_name(group.game).map_or(group.game, GameKind::title);
    let name = format!("{game}: {}", group.title);
    html! {
        section.card {
            h2 { (name) }
            p { (group.draws) " in total." }
            (rows(&name, &group.chances, group.fit))
            @if !group.faces.is_empty() {
                h3 { "Faces of the dice" }
                (rows(&format!("{name}, faces"), &group.faces, group.faces_fit))
            }
        }
    }
}

fn rows(name: &str, counted: &[ChanceCount], fit: Option<Fit>) -> Markup {
    let most = counted
        .iter()
        .map(|row| row.high.max(row.fair))
        .fold(0.0, f64::max);
    html! {
        div.scroll tabindex="0" role="region" aria-label=(name) {
            table.numbers {
                thead { tr { th.name { "Result" } th { "Observed" } th { "Expected" } th { "Share" } th { span.hidden { "Chart" } } } }
                tbody {
                    @for row in counted {
                        tr.off[off(row)] {
                            th.name scope="row" { (row.label) }
                            td { (row.times) }
                            td { (format!("{:.1}", row.expected)) }
                            td { (format!("{:.1} – {:.1} %", 100.0 * row.low, 100.0 * row.high)) }
                            td { (bar(row, most)) }
                        }
                    }
                }
            }
        }
        p.small {
            @match fit {
                Some(fit) => { (format!("χ² = {:.1} with {} degrees of freedom, p = {:.3}.", fit.chi_squared, fit.degrees, fit.p)) }
                None => { "Not enough data yet for a test of all rows together." }
            }
        }
    }
}

/// True if the fair share lies outside the confidence interval, given enough data.
fn off(row: &ChanceCount) -> bool {
    row.expected >= 5.0 && (row.fair < row.low || row.fair > row.high)
}

fn bar(row: &ChanceCount, most: f64) -> Markup {
    let (width, height) = BAR;
    let x = |share: f64| {
        format!(
            "{:.1}",
            if most > 0.0 {
                width * share / most
            } else {
                0.0
            }
        )
    };
    #[allow(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    let seen = if row.expected > 0.0 {
        row.fair * row.times as f64 / row.expected
    } else {
        0.0
    };
    html! {
        svg.bars viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) aria-hidden="true" {
            rect.seen x="0" y="3" width=(x(seen)) height=(height - 6.0) {}
            line.range x1=(x(row.low)) x2=(x(row.high)) y1=(height / 2.0) y2=(height / 2.0) {}
            line.fair x1=(x(row.fair)) x2=(x(row.fair)) y1="0" y2=(height) {}
        }
    }
}
