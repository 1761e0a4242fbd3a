//! Graph of a rating over time.

use maud::{Markup, html};

use super::dates;

/// Size of the picture, in its own units.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 240.0;
/// Margins around the plot area, with room for labels that stay readable on a phone.
const LEFT: f64 = 64.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 38.0;
/// Distances between grid lines to choose from.
const STEPS: [i32; 10] = [5, 10, 20, 25, 50, 100, 200, 250, 500, 1000];
/// Maximum number of grid lines.
const LINES: i32 = 5;
/// Maximum number of games that get a dot each.
const MARKS: usize = 60;

/// A rating at a point in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GraphPoint {
    /// Time, in milliseconds since the Unix epoch.
    pub(super) at: i64,
    /// Rating.
    pub(super) value: i32,
    /// Address of the game that led to the rating, if it is listed.
    pub(super) game: Option<String>,
    /// Name of the opponent in that game.
    pub(super) opponent: Option<String>,
}

/// Draws ratings in order, equally spaced, with dates below. `name` makes element ids unique on the
/// page. Empty for fewer than two ratings.
pub(super) fn draw(name: &str, title: &str, points: &[GraphPoint]) -> Markup {
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return html! {};
    };
    if points.len() < 2 {
        return html! {};
    }
    let scale = RatingScale::from_points(points);
    let steps = points.len() - 1;
    let x = |n: usize| LEFT + (WIDTH - LEFT - RIGHT) * n as f64 / steps as f64;
    let places: Vec<(f64, f64)> = points
        .iter()
        .enumerate()
        .map(|(n, point)| (x(n), scale.y(point.value)))
        .collect();
    let line: Vec<String> = places
        .iter()
        .map(|(x, y)| format!("{x:.1},{y:.1}"))
        .collect();
    let [first, middle, last] = [first, &points[steps / 2], last].map(|point| dates::day(point.at));
    html! {
        svg.graph viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="group" aria-labelledby={ "graph-" (name) "-title graph-" (name) "-desc" } {
            title id={ "graph-" (name) "-title" } { (title) }
            desc id={ "graph-" (name) "-desc" } { (description(points)) }
            @for value in scale.lines() {
                path.grid d={ "M" (LEFT) " " (round(scale.y(value))) "H" (WIDTH - RIGHT) } {}
                text x=(LEFT - 8.0) y=(round(scale.y(value))) dy=".35em" text-anchor="end" { (value) }
            }
            path.axis d={ "M" (LEFT) " " (TOP) "V" (HEIGHT - BOTTOM) "H" (WIDTH - RIGHT) } {}
            text x=(LEFT) y=(HEIGHT - 12.0) text-anchor="start" { (first) }
            @if middle != first && middle != last {
                text.wide x=(round(x(steps / 2))) y=(HEIGHT - 12.0) text-anchor="middle" { (middle) }
            }
            @if last != first { text x=(WIDTH - RIGHT) y=(HEIGHT - 12.0) text-anchor="end" { (last) } }
            polyline.curve points=(line.join(" ")) {}
            @for (n, (point, (x, y))) in points.iter().zip(&places).enumerate() {
                @if points.len() <= MARKS || n == steps {
                    @let dot = dot(point, (*x, *y), n == steps);
                    // The table below the graph has the same links, in reach of the keyboard.
                    @match &point.game { Some(game) => a href=(game) tabindex="-1" { (dot) }, None => (dot) }
                }
            }
        }
    }
}

/// Renders the dot of a rating, which tells the day and the opponent.
fn dot(point: &GraphPoint, (x, y): (f64, f64), is_last: bool) -> Markup {
    html! {
        circle.dot cx=(round(x)) cy=(round(y)) r=(if is_last { "5" } else { "3.2" }) {
            title {
                (point.value) ", " (dates::day(point.at))
                @if let Some(opponent) = &point.opponent { ", against " (opponent) }
            }
        }
    }
}

/// Describes the graph in one sentence.
fn description(points: &[GraphPoint]) -> String {
    let values = || points.iter().map(|point| point.value);
    let (lowest, highest) = (
        values().min().unwrap_or_default(),
        values().max().unwrap_or_default(),
    );
    let ends = points
        .first()
        .zip(points.last())
        .map(|(first, last)| (first.value, last.value))
        .unwrap_or_default();
    let games = points.len().saturating_sub(1);
    format!(
        "From {} to {} in {games} games; never below {lowest}, never above {highest}.",
        ends.0, ends.1
    )
}

fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// Vertical scale of the graph.
struct RatingScale {
    low: i32,
    high: i32,
    step: i32,
}

impl RatingScale {
    fn from_points(points: &[GraphPoint]) -> RatingScale {
        let values = || points.iter().map(|point| point.value);
        let (low, high) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
        let fits = |step: &i32| (high - low) / step < LINES - 1;
        let step = STEPS
            .into_iter()
            .find(fits)
            .unwrap_or((high - low) / (LINES - 2) + 1);
        let low = low.div_euclid(step) * step;
        // At least one step, so that a constant rating has a plot area, too.
        let high = (high + step - 1).div_euclid(step) * step;
        RatingScale {
            low,
            high: high.max(low + step),
            step,
        }
    }

    fn y(&self, value: i32) -> f64 {
        let part = f64::from(value - self.low) / f64::from(self.high - self.low);
        HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * part
    }

    fn lines(&self) -> impl Iterator<Item = i32> {
        let step = usize::try_from(self.step).unwrap_or(1);
        (self.low..=self.high).step_by(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(values: &[i32]) -> Vec<GraphPoint> {
        values
            .iter()
            .enumerate()
            .map(|(n, value)| GraphPoint {
                at: n as i64 * 86_400_000,
                value: *value,
                game: (n > 0).then(|| format!("/t/game-{n}")),
                opponent: (n > 0).then(|| "Bob".to_owned()),
            })
            .collect()
    }

    #[test]
    fn every_value_lies_in_the_plot_and_a_higher_one_is_higher() {
        for values in [
            vec![1000, 1016],
            vec![1000, 1000],
            vec![-7, 3, -20],
            vec![200, 2900, 14],
            vec![0, i32::from(i16::MAX)],
        ] {
            let scale = RatingScale::from_points(&points(&values));
            let lines = scale.lines().count();
            assert!((2..=8).contains(&lines), "{lines} lines for {values:?}");
            for value in &values {
                assert!(
                    (TOP..=HEIGHT - BOTTOM).contains(&scale.y(*value)),
                    "{value} of {values:?}"
                );
                assert!(scale.y(*value + 1) < scale.y(*value));
            }
        }
    }

    #[test]
    fn the_graph_is_described_in_words() {
        let svg = draw("mnk", "Elo of Ann", &points(&[1000, 1016, 990, 1004])).into_string();
        assert!(
            svg.contains("From 1000 to 1004 in 3 games; never below 990, never above 1016."),
            "{svg}"
        );
        assert!(
            svg.contains("aria-labelledby=\"graph-mnk-title graph-mnk-desc\"")
                && svg.contains("1 Jan 1970")
        );
        assert_eq!(svg.matches(", against Bob</title>").count(), 3);
        assert!(svg.contains("<a href=\"/t/game-3\" tabindex=\"-1\"><circle"));
        assert!(
            draw("mnk", "Elo of Ann", &points(&[1000]))
                .into_string()
                .is_empty()
        );
    }

    #[test]
    fn a_rating_that_never_moved_has_a_line_across() {
        let svg = draw("mnk", "Elo of Ann", &points(&[1000, 1000, 1000])).into_string();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
