//! Evaluation graph of a finished game. A click on it goes to the move.

use maud::{Markup, html};
use parlor_games::analysis::{Analysis, Mark};

use super::{ValueFormat, decisions, word};
use crate::web::page_parts::address;
use crate::web::snapshot::TableSnapshot;

/// Size of the picture, in its own units.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 220.0;
/// Margins around the plot area.
const LEFT: f64 = 58.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 34.0;
/// Distances between grid lines to choose from.
const STEPS: [f64; 11] = [0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
/// Maximum number of such distances.
const MOST: f64 = 4.0;
/// Maximum number of clickable bands; in longer games several moves share one.
const PLACES: usize = 150;

/// Evaluation of the game at one decision.
struct CurvePoint<'a> {
    step: usize,
    /// Number of the move.
    number: usize,
    seat: u8,
    standing: f64,
    loss: f64,
    mark: Mark,
    at: (f64, f64),
    text: &'a str,
}

/// Draws the graph; empty if fewer than two decisions were analyzed.
pub(super) fn draw(table: &TableSnapshot, analysis: &Analysis) -> Markup {
    let all = analysis.steps.len();
    let format = ValueFormat::new(analysis);
    let scale = if format.is_chance {
        CurveScale::CHANCE
    } else {
        CurveScale::from_values(decisions(analysis).map(|(_, decision)| decision.standing))
    };
    let points: Vec<CurvePoint<'_>> = decisions(analysis)
        .map(|(step, decision)| CurvePoint {
            step,
            number: table.move_number(step),
            seat: decision.seat,
            standing: decision.standing,
            loss: decision.loss,
            mark: decision.mark,
            at: (x(step, all), scale.y(decision.standing)),
            text: table
                .game
                .moves
                .get(step - 1)
                .map_or("", |played| &played.label),
        })
        .collect();
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return html! {};
    };
    if points.len() < 2 {
        return html! {};
    }
    let line: Vec<String> = points.iter().map(|point| place(point.at)).collect();
    let zero = round(scale.y(0.0));
    let area = format!(
        "M{} {zero}L{}L{} {zero}Z",
        round(first.at.0),
        line.join(" "),
        round(last.at.0)
    );
    let mistakes = || points.iter().filter(|point| point.mark > Mark::Fine);
    html! {
        svg.graph.standing viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="group" aria-labelledby="standing-title" aria-describedby="standing-desc" {
            title #standing-title { (heading(table, analysis)) }
            desc #standing-desc { (describe(&points, format)) }
            @for (value, text) in scale.lines() {
                path.grid d={ "M" (LEFT) " " (round(scale.y(value))) "H" (WIDTH - RIGHT) } {}
                text x=(LEFT - 8.0) y=(round(scale.y(value))) dy=".35em" text-anchor="end" aria-hidden="true" { (text) }
            }
            path.area d=(area) {}
            path.axis d={ "M" (LEFT) " " (zero) "H" (WIDTH - RIGHT) } {}
            text x=(LEFT) y=(HEIGHT - 10.0) aria-hidden="true" { "1" }
            text x=(WIDTH - RIGHT) y=(HEIGHT - 10.0) text-anchor="end" aria-hidden="true" { (table.move_number(all)) }
            @if let ([one, other], false) = (table.game.view.seats.as_slice(), format.is_chance) {
                text.whose x=(LEFT + 8.0) y=(TOP + 10.0) aria-hidden="true" { "↑ " (one.label) }
                text.whose x=(LEFT + 8.0) y=(HEIGHT - BOTTOM - 6.0) aria-hidden="true" { "↓ " (other.label) }
            }
            polyline.curve points=(line.join(" ")) {}
            (present(table, &points, all))
            g.places aria-hidden="true" { @for (point, from, to) in bands(&points) { (band(table, point, (from, to), format)) } }
            @for point in mistakes() { (mistake(table, point, format)) }
        }
        @if mistakes().next().is_some() { (legend()) }
    }
}

/// Marks the step on display.
fn present(table: &TableSnapshot, points: &[CurvePoint<'_>], all: usize) -> Markup {
    let at = round(x(table.board.step, all));
    let point = points.iter().find(|point| point.step == table.board.step);
    html! {
        path.present d={ "M" (at) " " (TOP - 6.0) "V" (HEIGHT - BOTTOM + 6.0) } {}
        @if let Some(point) = point { circle.present cx=(round(point.at.0)) cy=(round(point.at.1)) r="9" {} }
    }
}

/// Returns the points with the left and right edge of their clickable bands.
fn bands<'a>(points: &'a [CurvePoint<'a>]) -> impl Iterator<Item = (&'a CurvePoint<'a>, f64, f64)> {
    let share = points.len().div_ceil(PLACES).max(1);
    let chosen: Vec<&CurvePoint<'_>> = points
        .chunks(share)
        .filter_map(|chunk| chunk.get(chunk.len() / 2))
        .collect();
    let ends = chosen
        .windows(2)
        .map(|pair| f64::midpoint(pair[0].at.0, pair[1].at.0));
    let ends: Vec<f64> = std::iter::once(LEFT)
        .chain(ends)
        .chain([WIDTH - RIGHT])
        .collect();
    chosen
        .into_iter()
        .enumerate()
        .map(move |(n, point)| (point, ends[n], ends[n + 1]))
}

fn band(
    table: &TableSnapshot,
    point: &CurvePoint<'_>,
    (from, to): (f64, f64),
    format: ValueFormat,
) -> Markup {
    let path = format!(
        "M{} {TOP}H{}V{}H{}Z",
        round(from),
        round(to),
        HEIGHT - BOTTOM,
        round(from)
    );
    html! {
        a href=(address(table, point.step)) data-step=(point.step) tabindex="-1" {
            path d=(path) {}
            title { (point.number) ". " (table.label(point.seat)) ", " (point.text) ": " (format.value(point.standing)) }
        }
    }
}

fn mistake(table: &TableSnapshot, point: &CurvePoint<'_>, format: ValueFormat) -> Markup {
    let name = format!(
        "Move {}, {}, {}: {}, {}",
        point.number,
        table.label(point.seat),
        point.text,
        word(point.mark),
        format.cost(point.loss)
    );
    html! {
        a class={ "mistake " (word(point.mark)) } href=(address(table, point.step)) data-step=(point.step)
            data-keep={ "mistake-" (point.step) } aria-label=(name) {
            path d=(shape(point.mark, point.at)) {}
            title { (name) }
        }
    }
}

/// Returns the shape that marks a kind of mistake.
fn shape(mark: Mark, (x, y): (f64, f64)) -> String {
    let (x, y) = (round(x), round(y));
    match mark {
        Mark::Fine => String::new(),
        Mark::Inaccuracy => format!("M{x} {y}m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0Z"),
        Mark::Error => format!("M{x} {y}m0-7l7 7l-7 7l-7-7Z"),
        Mark::Blunder => format!("M{x} {y}m-8.5-7h17l-8.5 15Z"),
    }
}

fn legend() -> Markup {
    html! {
        p.legend.small.soft aria-hidden="true" {
            @for mark in [Mark::Inaccuracy, Mark::Error, Mark::Blunder] {
                span {
                    svg viewBox="-10 -10 20 20" { g class={ "mistake " (word(mark)) } { path d=(shape(mark, (0.0, 0.0))) {} } }
                    (word(mark)) " " (super::sign(mark))
                }
            }
        }
    }
}

fn heading(table: &TableSnapshot, analysis: &Analysis) -> String {
    if analysis.units.is_team_chance {
        return super::capital(&analysis.units.worth);
    }
    format!(
        "Evaluation for {}, in {}",
        table.label(0),
        analysis.units.worth
    )
}

/// Describes the graph in words.
fn describe(points: &[CurvePoint<'_>], format: ValueFormat) -> String {
    let by =
        |one: &&CurvePoint<'_>, other: &&CurvePoint<'_>| one.standing.total_cmp(&other.standing);
    let (Some(low), Some(high)) = (points.iter().min_by(by), points.iter().max_by(by)) else {
        return String::new();
    };
    let count = |mark: Mark| points.iter().filter(|point| point.mark == mark).count();
    format!(
        "Highest {} at move {}, lowest {} at move {}. Inaccuracies: {}, errors: {}, blunders: {}.",
        format.value(high.standing),
        high.number,
        format.value(low.standing),
        low.number,
        count(Mark::Inaccuracy),
        count(Mark::Error),
        count(Mark::Blunder)
    )
}

#[allow(
    clippy::cast_precision_loss,
    reason = "games are shorter than 2^53 moves"
)]
fn x(step: usize, all: usize) -> f64 {
    LEFT + (WIDTH - LEFT - RIGHT) * step as f64 / all.max(1) as f64
}

fn place((x, y): (f64, f64)) -> String {
    format!("{},{}", round(x), round(y))
}

fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// Vertical scale, which always includes zero.
struct CurveScale {
    low: f64,
    high: f64,
    step: f64,
    /// True if the values are chances, which are labelled in percent.
    is_chance: bool,
}

impl CurveScale {
    /// Scale of chances, from 0 to 1.
    const CHANCE: CurveScale = CurveScale {
        low: 0.0,
        high: 1.0,
        step: 0.25,
        is_chance: true,
    };

    fn from_values(values: impl Iterator<Item = f64>) -> CurveScale {
        let values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        let low = values.iter().copied().fold(0.0, f64::min);
        let high = values.iter().copied().fold(0.0, f64::max);
        let span = |step: f64| (high / step).ceil() - (low / step).floor();
        let step = STEPS
            .into_iter()
            .find(|step| span(*step) <= MOST)
            .unwrap_or((high - low) / 2.0);
        // At least one line on each side, so that a game without swings has a plot area, too.
        let low = ((low / step).floor() * step).min(-step);
        let high = ((high / step).ceil() * step).max(step);
        CurveScale {
            low,
            high,
            step,
            is_chance: false,
        }
    }

    fn y(&self, value: f64) -> f64 {
        let part = (value - self.low) / (self.high - self.low);
        HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * part
    }

    /// Returns the grid lines with their labels.
    fn lines(&self) -> impl Iterator<Item = (f64, String)> {
        let digits = if self.step < 0.1 {
            2
        } else {
            usize::from(self.step < 1.0)
        };
        let text = move |value: f64| {
            if self.is_chance {
                return format!("{:.0} %", 100.0 * value);
            }
            let text = format!("{value:+.digits$}").replace('-', "−");
            if value.abs() < self.step / 2.0 {
                "0".to_owned()
            } else {
                text
            }
        };
        let count = ((self.high - self.low) / self.step).round();
        let values =
            std::iter::successors(Some(0.0), move |n| (n + 1.0 <= count).then_some(n + 1.0));
        values.map(move |n| (self.low + n * self.step, text(self.low + n * self.step)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_lies_in_the_plot_and_a_better_one_is_higher() {
        for values in [
            vec![0.0, 0.0],
            vec![0.3, -0.07],
            vec![-2.9, 2.9],
            vec![0.01],
            vec![-700.0, 3.0],
            vec![],
        ] {
            let scale = CurveScale::from_values(values.iter().copied());
            let lines: Vec<(f64, String)> = scale.lines().collect();
            assert!((3..=7).contains(&lines.len()), "{lines:?} for {values:?}");
            assert!(lines.iter().any(|(_, text)| text == "0"), "{lines:?}");
            for value in values.iter().chain([&0.0]) {
                assert!(
                    (TOP - 1e-9..=HEIGHT - BOTTOM + 1e-9).contains(&scale.y(*value)),
                    "{value} of {values:?}"
                );
                assert!(scale.y(*value + 1.0) < scale.y(*value));
            }
        }
    }

    #[test]
    fn bands_fill_the_plot_without_gaps_and_are_not_too_many() {
        for count in [1, 2, 149, 150, 151, 1_000] {
            let point = |step: usize| CurvePoint {
                step,
                number: step,
                seat: 0,
                standing: 0.0,
                loss: 0.0,
                mark: Mark::Fine,
                at: (x(step, count), 0.0),
                text: "",
            };
            let points: Vec<CurvePoint<'_>> = (1..=count).map(point).collect();
            let bands: Vec<_> = bands(&points).collect();
            assert!(
                bands.len() <= PLACES && bands.len() >= count.min(PLACES) / 2,
                "{} for {count}",
                bands.len()
            );
            assert!(
                (bands[0].1 - LEFT).abs() < 1e-9
                    && (bands[bands.len() - 1].2 - (WIDTH - RIGHT)).abs() < 1e-9
            );
            assert!(
                bands
                    .windows(2)
                    .all(|pair| pair[0].2 == pair[1].1 && pair[0].1 < pair[0].2)
            );
        }
    }

    #[test]
    fn each_kind_of_mistake_has_a_shape_of_its_own() {
        let shapes =
            [Mark::Inaccuracy, Mark::Error, Mark::Blunder].map(|mark| shape(mark, (1.0, 2.0)));
        assert!(shapes.iter().all(|shape| shape.starts_with("M1 2m")));
        assert!(shapes[0] != shapes[1] && shapes[1] != shapes[2] && shapes[0] != shapes[2]);
    }
}
