//! Analysis panel of a finished game: the request, its progress, and the result for the step on
//! display.

mod curve;
mod moments;

use maud::{Markup, html};
use parlor_games::analysis::{Analysis, Decision, Judged, Luck, Mark, Ranked, Totals};

use super::page_parts::address;
use super::phrases::{self, capital};
use super::snapshot::TableSnapshot;
use crate::analyses::AnalysisStatus;

/// Formats of values and their changes: numbers with a sign or, for a team's chance to win, percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ValueFormat {
    is_chance: bool,
}

impl ValueFormat {
    fn new(analysis: &Analysis) -> ValueFormat {
        ValueFormat {
            is_chance: analysis.units.is_team_chance,
        }
    }

    /// Formats a value: "+0.125", "58.0 %".
    fn value(self, value: f64) -> String {
        if self.is_chance {
            share(value)
        } else {
            signed(value)
        }
    }

    /// Formats the change of a value: "+0.125", "−12.5 %".
    fn change(self, change: f64) -> String {
        if !self.is_chance {
            signed(change)
        } else if is_zero(change) {
            share(0.0)
        } else {
            format!("{:+.1} %", 100.0 * change).replace('-', "−")
        }
    }

    /// Formats the cost of a mistake: "−0.125", "−12.5 %".
    fn cost(self, loss: f64) -> String {
        self.change(-loss.abs())
    }

    /// Formats a standard error: "0.012", "1.2 %".
    fn error(self, error: f64) -> String {
        if self.is_chance {
            share(error)
        } else {
            format!("{error:.3}")
        }
    }
}

/// State of a finished game's analysis, as its page shows it.
pub(super) enum AnalysisState {
    /// Not requested yet.
    Offered,
    /// Requested; with its progress or result.
    Requested(AnalysisStatus),
}

impl TableSnapshot {
    /// Returns the analysis once it is ready.
    fn judgment(&self) -> Option<&Analysis> {
        match &self.surroundings.analysis {
            Some(AnalysisState::Requested(AnalysisStatus::Ready(analysis))) => Some(analysis),
            _ => None,
        }
    }

    /// Returns the label of a seat, with its player's name if that is another.
    fn seat_title(&self, seat: u8) -> String {
        let Some(seat) = self.game.view.seats.get(usize::from(seat)) else {
            return String::new();
        };
        let who = phrases::player_name(seat);
        if who == seat.label {
            who.to_owned()
        } else {
            format!("{} ({who})", seat.label)
        }
    }

    fn label(&self, seat: u8) -> &str {
        self.game
            .view
            .seats
            .get(usize::from(seat))
            .map_or("", |seat| &seat.label)
    }
}

/// Renders the panel; empty for games without analysis.
pub(super) fn panel(table: &TableSnapshot) -> Markup {
    let Some(shown) = &table.surroundings.analysis else {
        return html! {};
    };
    html! {
        section.card.analysis aria-labelledby="analysis" {
            @match shown {
                AnalysisState::Offered => { (title()) (offer(table)) }
                AnalysisState::Requested(AnalysisStatus::Waiting { ahead }) => {
                    (title())
                    p { "Waiting for " (ahead) @if *ahead == 1 { " other game" } @else { " other games" } "." }
                    (pending(table, None))
                }
                AnalysisState::Requested(AnalysisStatus::Running { done, of }) => {
                    (title())
                    p { (done) " of " (of) " steps analyzed." }
                    (pending(table, Some((*done, *of))))
                }
                AnalysisState::Requested(AnalysisStatus::Failed(why)) => { (title()) p { "This game could not be analyzed: " (why.to_string()) "." } }
                AnalysisState::Requested(AnalysisStatus::Ready(analysis)) => (ready(table, analysis)),
            }
        }
    }
}

fn title() -> Markup {
    html! { h2 #analysis { "Analysis" } }
}

fn offer(table: &TableSnapshot) -> Markup {
    html! {
        p { "See what each decision was worth, where the game was lost, and how lucky the draws were." }
        form method="post" action={ "/t/" (table.game.view.id) "/analysis" } data-live {
            @if table.board.step < table.game.moves.len() { input type="hidden" name="step" value=(table.board.step); }
            button.main { "Analyze the game" }
        }
    }
}

fn pending(table: &TableSnapshot, done: Option<(usize, usize)>) -> Markup {
    html! {
        @match done {
            Some((done, of)) => progress data-pending aria-labelledby="analysis" value=(done) max=(of) {},
            None => progress data-pending aria-labelledby="analysis" {},
        }
        p.nojs { a href={ (address(table, table.board.step)) "#part-analysis" } { "Refresh" } }
    }
}

fn ready(table: &TableSnapshot, analysis: &Analysis) -> Markup {
    html! {
        div.head { (title()) (mistakes(table, analysis)) }
        (curve::draw(table, analysis))
        div.shown { (shown(table, analysis)) }
        @if analysis.units.is_team_chance {
            (moments::list(table, analysis))
            div.totals { (moments::totals(table, analysis)) }
        } @else {
            div.totals { (totals(table, analysis)) }
        }
        p.small.soft {
            @if analysis.units.is_team_chance {
                "Analyzed with " (analysis.method) ". Values are " (analysis.units.worth) ". "
            } @else {
                "Analyzed at " (analysis.method) ". Values are in " (analysis.units.worth) ", from the point of view of the player deciding. "
            }
            a href={ "/api/v1/tables/" (table.game.view.id) "/analysis" } { "JSON" }
        }
    }
}

/// Links to the mistakes before and after the step on display.
fn mistakes(table: &TableSnapshot, analysis: &Analysis) -> Markup {
    let steps: Vec<usize> = decisions(analysis)
        .filter(|(_, at)| at.mark > Mark::Fine)
        .map(|(step, _)| step)
        .collect();
    let before = steps.iter().rev().find(|step| **step < table.board.step);
    let after = steps.iter().find(|step| **step > table.board.step);
    let link = |to: Option<&usize>, name: &str| {
        html! {
            @match to {
                Some(step) => a.button href=(address(table, *step)) data-step=(step) data-keep=(name) { (name) },
                None => span.button.off { (name) },
            }
        }
    };
    html! {
        nav.mistakes aria-label="Mistakes" {
            (link(before, "Previous mistake"))
            (link(after, "Next mistake"))
        }
    }
}

/// Renders the decision or draw that led to the step on display.
fn shown(table: &TableSnapshot, analysis: &Analysis) -> Markup {
    let Some(last) = table.board.step.checked_sub(1) else {
        return html! {
            h3 { "Start" }
            p { "Step through the game, or click a point in the graph." }
        };
    };
    let said = table
        .game
        .moves
        .get(last)
        .map_or("", |played| played.label.as_str());
    let when = match table.move_number(table.board.step) {
        0 => "Before the first move".to_owned(),
        number => format!("Move {number}"),
    };
    let draw = |n: usize| match analysis.steps.get(n) {
        Some(Judged::Luck(luck)) => Some(luck),
        _ => None,
    };
    let format = ValueFormat::new(analysis);
    match analysis.steps.get(last) {
        Some(Judged::Decision(decision)) => html! {
            h3 { (when) ", " (table.label(decision.seat)) ": " (said) }
            (verdict(table, decision, format))
            @if let Some(luck) = last.checked_sub(1).and_then(draw) { (lucky(table, luck, format)) }
            (ranked(table, decision, format))
            (numbers(table, decision))
        },
        Some(Judged::Forced { .. }) => html! {
            h3 { (when) ": " (said) }
            p { "This move was forced." }
        },
        Some(Judged::Luck(luck)) => html! {
            h3 { (when) ": " (said) }
            (lucky(table, luck, format))
        },
        _ => html! {
            h3 { (when) ": " (said) }
            p { "There was nothing to decide." }
        },
    }
}

fn verdict(table: &TableSnapshot, decision: &Decision, format: ValueFormat) -> Markup {
    let best = decision
        .verdict
        .as_ref()
        .or(decision.ranked.first().map(|best| &best.text));
    html! {
        p class={ "verdict " (word(decision.mark)) } {
            @if decision.played.is_none() {
                "This decision was not analyzed."
            } @else if decision.mark > Mark::Fine {
                (badge(decision.mark)) " " b { (hint(table, word(decision.mark))) ", " (format.cost(decision.loss)) }
            } @else if is_zero(decision.loss) {
                b { "Best move." }
            } @else {
                b { (labelled(table, "Good", "fine")) ", " (format.cost(decision.loss)) }
            }
            @if let Some(best) = best.filter(|_| decision.mark > Mark::Fine) {
                ". Better: " b { (best) } "."
                @if let Some(best) = decision.ranked.first().filter(|best| !best.reasons.is_empty()) { " Why: " (best.reasons.join("; ")) "." }
            }
        }
    }
}

fn lucky(table: &TableSnapshot, luck: &Luck, format: ValueFormat) -> Markup {
    html! { p.luck { (labelled(table, "Luck", "luck")) " with " (luck.text) " for " (table.label(luck.seat)) ": " b { (format.change(luck.luck)) } } }
}

fn ranked(table: &TableSnapshot, decision: &Decision, format: ValueFormat) -> Markup {
    // The candidates may have been analyzed to different depths.
    let mixed = decision
        .ranked
        .windows(2)
        .any(|pair| pair[0].method != pair[1].method);
    let titles = decision
        .ranked
        .first()
        .map(|choice| choice.details.as_slice())
        .unwrap_or_default();
    let chance = |choice: &Ranked, title: &str| {
        choice
            .details
            .iter()
            .find(|(name, _)| *name == title)
            .map(|(_, value)| *value)
    };
    html! {
        div.scroll tabindex="0" role="region" aria-label="Candidate moves" {
            table.numbers.wordy[format.is_chance] {
                thead {
                    tr {
                        th.name { (hint(table, &decision.topic)) } th { (hint(table, "value")) } th { (hint(table, "loss")) }
                        @for (title, _) in titles { th { (hint(table, title)) } }
                        @if mixed { th { (hint(table, "depth")) } }
                    }
                }
                tbody {
                    @for (n, choice) in decision.ranked.iter().enumerate() {
                        tr.me[decision.played == Some(n)] {
                            th.name scope="row" { (choice.text) @if decision.played == Some(n) { " " span.tag { "played" } } }
                            td { (format.value(choice.worth)) @if let Some(error) = choice.error { " ± " (format.error(error)) } }
                            td { @if n > 0 { (format.cost(choice.loss)) } }
                            @for (title, _) in titles { td { @if let Some(value) = chance(choice, title) { (share(value)) } } }
                            @if mixed { td { (choice.method) } }
                        }
                    }
                }
            }
        }
        @if decision.all > decision.ranked.len() {
            p.small.soft { (decision.all - decision.ranked.len()) " more not listed." }
        }
    }
}

/// Renders the numbers behind a decision.
fn numbers(table: &TableSnapshot, decision: &Decision) -> Markup {
    html! {
        @if !decision.details.is_empty() {
            dl.behind { @for (name, value) in &decision.details { div { dt { (hint(table, name)) } dd { (plain(*value)) } } } }
        }
    }
}

/// Renders each player's totals over the whole game.
fn totals(table: &TableSnapshot, analysis: &Analysis) -> Markup {
    let seats = &analysis.seats;
    let rates = seats
        .first()
        .map(|seat| seat.rates.as_slice())
        .unwrap_or_default();
    let rate = |seat: &Totals, name: &str| {
        seat.rates
            .iter()
            .find(|(other, _)| *other == name)
            .map(|(_, rate)| *rate)
    };
    let mut topics: Vec<&str> = seats
        .iter()
        .flat_map(|seat| &seat.parts)
        .map(|part| &*part.topic)
        .collect();
    topics.sort_unstable();
    topics.dedup();
    let part = |seat: &Totals, topic: &str| {
        seat.parts
            .iter()
            .find(|part| part.topic == topic)
            .map(|part| part.loss)
    };
    let stake = &analysis.units.stake;
    let row = |name: &str, term: &str, of: &dyn Fn(&Totals) -> String| {
        html! { tr { th.name scope="row" { (labelled(table, name, term)) } @for seat in seats { td { (of(seat)) } } } }
    };
    html! {
        h3 { "Whole game" }
        div.scroll tabindex="0" role="region" aria-label="Whole game" {
            table.numbers {
                thead { tr { th.name { span.hidden { "Statistic" } } @for seat in seats { th { (table.seat_title(seat.seat)) } } } }
                tbody {
                    @for (mark, name) in [(Mark::Inaccuracy, "Inaccuracies"), (Mark::Error, "Errors"), (Mark::Blunder, "Blunders")] {
                        (row(name, word(mark), &|seat| seat.marks.get(mark as usize).copied().unwrap_or_default().to_string()))
                    }
                    @for topic in &topics {
                        (row(&format!("Lost, {topic}"), topic, &|seat| part(seat, topic).map_or_else(String::new, cost)))
                    }
                    (row("Lost in total", "lost", &|seat| cost(seat.loss)))
                    (row(&format!("… as {stake}"), "cost", &|seat| cost(seat.cost)))
                    @for (name, _) in rates {
                        (row(&capital(name), name, &|seat| rate(seat, name).map_or_else(String::new, |rate| format!("{rate:.1}"))))
                    }
                    (row("Luck", "luck", &|seat| signed(seat.luck)))
                    (row(&format!("… as {stake}"), "luck cost", &|seat| signed(seat.luck_cost)))
                    @if seats.iter().any(|seat| seat.result.is_some()) {
                        (row(&format!("Result, {stake}"), "result", &|seat| seat.result.map_or_else(String::new, signed)))
                        (row("… luck-adjusted", "adjusted", &|seat| seat.adjusted.map_or_else(String::new, signed)))
                    }
                }
            }
        }
    }
}

/// Explanations of numbers that every analysis has, by term.
const TERMS: &[(&str, &str)] = &[
    (
        "value",
        "What the position is worth after this move, for the player deciding: above 0 is good for that player.",
    ),
    ("loss", "How much worse this move is than the best one."),
    (
        "depth",
        "How far ahead the computer looked at this move. Deeper is more reliable.",
    ),
    ("fine", "As good as the best move, or nearly so."),
    ("inaccuracy", "A small mistake."),
    ("error", "A mistake that often costs something."),
    ("blunder", "A big mistake."),
    ("lost", "All losses of the game's decisions together."),
    (
        "cost",
        "What these losses cost at the stakes of their moments.",
    ),
    (
        "luck",
        "How much better or worse the draws were than average ones. Above 0 is good luck.",
    ),
    (
        "luck cost",
        "What this luck was worth at the stakes of its moments.",
    ),
    ("result", "What the game brought in the end."),
    (
        "adjusted",
        "The result without luck: a better measure of skill than the result itself.",
    ),
];

/// Renders a term, in capitals at its start, that explains itself when pointed at or tapped.
fn hint(table: &TableSnapshot, term: &str) -> Markup {
    labelled(table, &capital(term), term)
}

/// Renders a label that explains a term when pointed at or tapped.
fn labelled(table: &TableSnapshot, label: &str, term: &str) -> Markup {
    let own = table.game.kind.explain_number(term);
    let common = TERMS.iter().find(|(known, _)| *known == term);
    html! {
        @match own.or(common.map(|(_, text)| *text)) {
            Some(text) => button.hint type="button" data-hint=(text) { (label) },
            None => (label),
        }
    }
}

/// Renders the mark of a mistake in the list of moves; empty for other moves.
pub(super) fn beside(table: &TableSnapshot, step: usize) -> Markup {
    let Some(analysis) = table.judgment() else {
        return html! {};
    };
    let judged = step.checked_sub(1).and_then(|at| analysis.steps.get(at));
    let Some(Judged::Decision(decision)) = judged else {
        return html! {};
    };
    let format = ValueFormat::new(analysis);
    html! {
        @if decision.mark > Mark::Fine {
            span.judged { (badge(decision.mark)) span.hidden { (word(decision.mark)) } span { (format.cost(decision.loss)) } }
        }
    }
}

/// Renders the symbol of a mark: `?!`, `?` or `??`.
fn badge(mark: Mark) -> Markup {
    html! { span class={ "sign " (word(mark)) } aria-hidden="true" { (sign(mark)) } }
}

/// Returns all decisions, each with the number of its step, from 1.
fn decisions(analysis: &Analysis) -> impl Iterator<Item = (usize, &Decision)> {
    (1..)
        .zip(&analysis.steps)
        .filter_map(|(step, judged)| match judged {
            Judged::Decision(decision) => Some((step, decision)),
            _ => None,
        })
}

fn sign(mark: Mark) -> &'static str {
    match mark {
        Mark::Fine => "",
        Mark::Inaccuracy => "?!",
        Mark::Error => "?",
        Mark::Blunder => "??",
    }
}

fn word(mark: Mark) -> &'static str {
    match mark {
        Mark::Fine => "fine",
        Mark::Inaccuracy => "inaccuracy",
        Mark::Error => "error",
        Mark::Blunder => "blunder",
    }
}

/// True if a number is zero when rounded to three decimals.
fn is_zero(value: f64) -> bool {
    value.abs() < 0.0005
}

/// Formats a number with its sign and three decimals: "+0.125".
fn signed(value: f64) -> String {
    if is_zero(value) {
        "0.000".to_owned()
    } else {
        format!("{value:+.3}").replace('-', "−")
    }
}

/// Formats the cost of a mistake: "−0.125".
fn cost(loss: f64) -> String {
    signed(-loss.abs())
}

/// Formats a number without a plus sign: "0.125".
fn plain(value: f64) -> String {
    signed(value).trim_start_matches('+').to_owned()
}

fn share(value: f64) -> String {
    format!("{:.1} %", 100.0 * value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_signs_that_can_be_read_and_nothing_has_none() {
        assert_eq!(
            [0.125, -0.1255, 0.0004, -0.0004].map(signed),
            ["+0.125", "−0.126", "0.000", "0.000"]
        );
        assert_eq!(
            (cost(0.08), cost(0.0), share(0.5314)),
            ("−0.080".into(), "0.000".into(), "53.1 %".into())
        );
    }

    #[test]
    fn the_chance_of_a_team_is_told_in_percent() {
        let [points, chance] = [false, true].map(|is_chance| ValueFormat { is_chance });
        assert_eq!(
            (points.value(0.5), points.cost(0.125), points.error(0.01)),
            ("+0.500".into(), "−0.125".into(), "0.010".into())
        );
        assert_eq!(
            (chance.value(0.5), chance.cost(0.125), chance.error(0.01)),
            ("50.0 %".into(), "−12.5 %".into(), "1.0 %".into())
        );
        assert_eq!(
            [0.031, -0.2, 0.0].map(|change| chance.change(change)),
            ["+3.1 %", "−20.0 %", "0.0 %"]
        );
    }

    #[test]
    fn each_mark_is_told_by_its_sign_and_by_its_word() {
        let marks = [Mark::Fine, Mark::Inaccuracy, Mark::Error, Mark::Blunder];
        assert_eq!(marks.map(sign), ["", "?!", "?", "??"]);
        assert_eq!(
            marks.map(|mark| mark as usize),
            [0, 1, 2, 3],
            "as the counts of a seat are ordered"
        );
    }
}
