//! The moments that decided a team's game, and its totals.

use maud::{Markup, html};
use parlor_games::analysis::{Analysis, Mark, TurningPoint};

use super::{ValueFormat, labelled, word};
use crate::web::page_parts::address;
use crate::web::phrases::capital;
use crate::web::snapshot::TableSnapshot;

/// Renders the moments that decided the game, with links to them.
pub(super) fn list(table: &TableSnapshot, analysis: &Analysis) -> Markup {
    let moments = analysis.turning_points();
    html! {
        @if !moments.is_empty() {
            h3 { "Moments that decided it" }
            ol.moments { @for moment in &moments { li { (one(table, moment, ValueFormat::new(analysis))) } } }
        }
    }
}

fn one(table: &TableSnapshot, moment: &TurningPoint, format: ValueFormat) -> Markup {
    let played = table.game.moves.get(moment.step - 1);
    let label = played.map_or("", |played| played.label.as_str());
    html! {
        a href=(address(table, moment.step)) data-step=(moment.step) data-keep={ "moment-" (moment.step) } {
            "Move " (table.move_number(moment.step)) ": "
            @match moment.seat {
                Some(seat) => { (table.label(seat)) " " (label) }
                None => (capital(label)),
            }
        }
        " " b { (format.change(moment.change)) }
    }
}

/// Renders what the team lost by its decisions and won or lost by luck, over the whole game.
pub(super) fn totals(table: &TableSnapshot, analysis: &Analysis) -> Markup {
    let format = ValueFormat::new(analysis);
    let marks = |mark: Mark| -> u32 {
        let seats = analysis.seats.iter();
        seats.filter_map(|seat| seat.marks.get(mark as usize)).sum()
    };
    let sum = |counts: &dyn Fn(&TurningPoint) -> bool| -> f64 {
        let counted = analysis.changes().filter(|moment| counts(moment));
        counted.fold(0.0, |sum, moment| sum + moment.change)
    };
    let row = |name: &str, term: &str, value: String| {
        html! { tr { th.name scope="row" { (labelled(table, name, term)) } td { (value) } } }
    };
    html! {
        h3 { "Whole game" }
        div.scroll tabindex="0" role="region" aria-label="Whole game" {
            table.numbers {
                thead { tr { th.name { span.hidden { "Statistic" } } th { "Team" } } }
                tbody {
                    @for (mark, name) in [(Mark::Inaccuracy, "Inaccuracies"), (Mark::Error, "Errors"), (Mark::Blunder, "Blunders")] {
                        (row(name, word(mark), marks(mark).to_string()))
                    }
                    (row("Lost by decisions", "lost", format.change(sum(&|moment| moment.seat.is_some()))))
                    (row("Good luck", "luck", format.change(sum(&|moment| moment.seat.is_none() && moment.change > 0.0))))
                    (row("Bad luck", "luck", format.change(sum(&|moment| moment.seat.is_none() && moment.change < 0.0))))
                }
            }
        }
        p.small.soft { "Sums over all steps: a chance that is lost, won back and lost again counts each time." }
    }
}
