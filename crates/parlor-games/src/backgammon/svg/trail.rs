//! The trail of the last play: origins of its checkers, and hits.

use parlor_backgammon::WHITE;

use super::frame::{Frame, MIDDLE, RADIUS};
use super::replay::{Replay, Way};
use crate::svg::{Doc, number};

/// Distance from a checker's center to the tip of its arrow, and the size of the head.
const SHORT: f64 = RADIUS - 4.0;
const HEAD: f64 = 11.0;

/// Draws an arrow for every checker that moved, a dashed ring at its origin, and a star at every
/// hit.
pub(super) fn draw(doc: &mut Doc, frame: &Frame, replay: &Replay) {
    let Some(first) = replay.ways.first() else {
        return;
    };
    let white = first.from.seat == WHITE;
    let (edge, core) = if white {
        ("#3b2009", "#fff6de")
    } else {
        ("#fff6de", "#241812")
    };
    let class = if white {
        "trail by-white"
    } else {
        "trail by-black"
    };
    let style = [
        ("class", class),
        ("fill", "none"),
        ("stroke-linecap", "round"),
        ("stroke-linejoin", "round"),
    ];
    doc.open(
        "g",
        &[
            &style[..],
            &[("pointer-events", "none"), ("aria-hidden", "true")],
        ]
        .concat(),
    );
    let left: String = replay
        .left()
        .into_iter()
        .map(|spot| ring(frame.spot(spot)))
        .collect();
    let dashes = [
        ("stroke", "#3b2009"),
        ("stroke-opacity", "0.55"),
        ("stroke-width", "1.6"),
        ("stroke-dasharray", "4 5"),
    ];
    doc.path(&left, &[&[("class", "left")][..], &dashes].concat());
    let (mut lines, mut heads) = (String::new(), String::new());
    for (n, way) in replay.ways.iter().enumerate() {
        // True if the same checker makes another step.
        let goes_on = replay.ways[n + 1..].iter().any(|next| next.from == way.to);
        lines += &line(frame, way, goes_on);
        heads += &if goes_on {
            String::new()
        } else {
            head(frame, way)
        };
    }
    doc.path(
        &lines,
        &[
            ("class", "edge"),
            ("stroke", edge),
            ("stroke-opacity", "0.6"),
            ("stroke-width", "4.4"),
        ],
    );
    doc.path(
        &lines,
        &[("class", "core"), ("stroke", core), ("stroke-width", "2.2")],
    );
    doc.path(
        &heads,
        &[
            ("class", "head"),
            ("fill", core),
            ("stroke", edge),
            ("stroke-width", "1.2"),
        ],
    );
    stars(doc, frame, replay);
    doc.close();
}

fn stars(doc: &mut Doc, frame: &Frame, replay: &Replay) {
    let stars: String = replay
        .ways
        .iter()
        .filter(|way| way.hit)
        .map(|way| star(frame.spot(way.to)))
        .collect();
    if !stars.is_empty() {
        doc.path(
            &stars,
            &[
                ("class", "hit"),
                ("fill", "#f2c14e"),
                ("stroke", "#7a1d0a"),
                ("stroke-width", "1.6"),
            ],
        );
    }
}

/// Returns the curvature of the line to a spot. Within one side of the board it bends toward the
/// middle, where no checkers lie; from side to side it bends away from the homes, as the checkers
/// move.
fn bend(frame: &Frame, way: &Way) -> (f64, f64) {
    let ((x1, y1), (x2, y2)) = (frame.spot(way.from), frame.spot(way.to));
    let (x, y) = ((x1 + x2) / 2.0, (y1 + y2) / 2.0);
    let reach = (x2 - x1).hypot(y2 - y1).min(240.0);
    if (y1 < MIDDLE) == (y2 < MIDDLE) {
        return (x, y + 0.16 * reach * if y < MIDDLE { 1.0 } else { -1.0 });
    }
    (x + 0.13 * reach * frame.outside(), y)
}

/// Returns the line of a step. It ends at the tip of the arrow, or at the center of the checker if
/// that moves on.
fn line(frame: &Frame, way: &Way, goes_on: bool) -> String {
    let (from, bent) = (frame.spot(way.from), bend(frame, way));
    let to = if goes_on {
        frame.spot(way.to)
    } else {
        tip(frame, way, SHORT + HEAD * 0.7)
    };
    format!("M{}Q{} {}", point(from), point(bent), point(to))
}

/// Returns the point at distance `before` from the end of a step's line.
fn tip(frame: &Frame, way: &Way, before: f64) -> (f64, f64) {
    let ((x, y), (ux, uy)) = (frame.spot(way.to), direction(frame, way));
    (x - ux * before, y - uy * before)
}

/// Returns the direction of a step at its end.
fn direction(frame: &Frame, way: &Way) -> (f64, f64) {
    let ((x, y), (bx, by)) = (frame.spot(way.to), bend(frame, way));
    let length = (x - bx).hypot(y - by).max(1.0);
    ((x - bx) / length, (y - by) / length)
}

fn head(frame: &Frame, way: &Way) -> String {
    let ((ux, uy), (x, y)) = (direction(frame, way), tip(frame, way, SHORT + HEAD));
    let wing = |side: f64| point((x + side * 5.0 * uy, y - side * 5.0 * ux));
    format!(
        "M{}L{}L{}z",
        point(tip(frame, way, SHORT)),
        wing(1.0),
        wing(-1.0)
    )
}

/// Returns a ring around a checker's origin.
fn ring((x, y): (f64, f64)) -> String {
    format!(
        "M{}a16 16 0 1 1 32 0a16 16 0 1 1-32 0z",
        point((x - 16.0, y))
    )
}

/// Returns a star next to a checker that hit.
fn star((x, y): (f64, f64)) -> String {
    format!(
        "M{}l2 5 5.2.4-4 3.4 1.3 5.1-4.5-2.8-4.5 2.8 1.3-5.1-4-3.4 5.2-.4z",
        point((x + 12.0, y - 20.0))
    )
}

fn point((x, y): (f64, f64)) -> String {
    format!(
        "{} {}",
        number((x * 2.0).round() / 2.0),
        number((y * 2.0).round() / 2.0)
    )
}
