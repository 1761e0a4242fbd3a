//! The page that counts what luck did.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use parlor_games::GameKind;

use super::oops::Oops;
use super::shell::Page;
use crate::AppState;
use crate::statistics::{Counted, Fit, Group, NEWEST, Statistics};

/// Width and height of the picture beside each number.
const BAR: (f64, f64) = (180.0, 16.0);

/// The page.
pub(super) async fn show(State(state): State<AppState>) -> Result<Response, Oops> {
    let statistics = state.statistics().await?;
    let body = html! {
        main #main.members tabindex="-1" {
            h1 { "Dice statistics" }
            (about(&statistics))
            @for group in &statistics.groups { (section(group)) }
        }
    };
    Ok(Page {
        title: "Dice statistics – Parlor".to_owned(),
        live: false,
        body,
    }
    .into_response())
}

fn about(statistics: &Statistics) -> Markup {
    html! {
        section.card {
            p { "What came up in finished games, beside what fair dice do on average. Counted are the newest "
                (NEWEST) " finished tables of each game with luck, " (statistics.tables) " at the moment, without those where the players rolled real dice. Cards are not counted: what can be drawn changes with every card. The numbers are up to a minute old." }
            @if statistics.waiting > 0 { p { "Another " (statistics.waiting) " tables are still to be read: look again." } }
            p.small.soft { "In each row the dark bar is what was seen, the upright stroke what is fair, and the thin line the range in which the true share lies with 99 % confidence (Wilson’s interval). One row in a hundred misses its stroke by chance alone: among 21 rolls at least one does in about 19 of 100 such tables, even with perfect dice. The test below each table looks at all rows together; p says how often perfect dice differ at least as much." }
            p { a href="/luck" { "How every single roll can be checked" } " · " a href="/api/v1/statistics/dice" { "The numbers as JSON" } }
            @if statistics.groups.is_empty() { p { "No game with dice has been finished yet." } }
        }
    }
}

fn section(group: &Group) -> Markup {
    let game = GameKind::from_name(group.game).map_or(group.game, GameKind::title);
    html! {
        section.card {
            h2 { (game) ": " (group.title) }
            p { (group.draws) " in all." }
            (rows(&group.chances, group.fit))
            @if !group.faces.is_empty() {
                h3 { "The faces of the dice" }
                (rows(&group.faces, group.faces_fit))
            }
        }
    }
}

fn rows(counted: &[Counted], fit: Option<Fit>) -> Markup {
    let most = counted
        .iter()
        .map(|row| row.high.max(row.fair))
        .fold(0.0, f64::max);
    html! {
        div.scroll tabindex="0" role="region" aria-label="Counts" {
            table.numbers {
                thead { tr { th.name { "What" } th { "Seen" } th { "Fair" } th { "Share" } th aria-label="Picture" {} } }
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
                None => { "Too few yet for a test of all rows together." }
            }
        }
    }
}

/// Whether what is fair lies outside the range, when there is enough to say so.
fn off(row: &Counted) -> bool {
    row.expected >= 5.0 && (row.fair < row.low || row.fair > row.high)
}

fn bar(row: &Counted, most: f64) -> Markup {
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
