//! Checkers: discs on the board, seen edge-on once borne off.
//!
//! White checkers have two fine rings, black ones a ring of brass studs, so that they differ in
//! more than color.

use parlor_backgammon::WHITE;

use super::frame::{EDGE_ON, Frame, RADIUS};
use super::replay::{Checker, IS_OFF, Replay, Spot};
use crate::svg::{Doc, number};

/// Defines the discs and edges.
pub(super) fn define(doc: &mut Doc) {
    disc_color(doc, "ivory", ["#fffdf4", "#f3e7cd", "#d3bd94"]);
    disc_color(doc, "ebony", ["#5b5049", "#2e2723", "#14100e"]);
    edge_color(doc, "ivory-edge", ["#c9b48b", "#fff9e8", "#bfa87c"]);
    edge_color(doc, "ebony-edge", ["#1d1714", "#6b5e55", "#1a1411"]);
    shadow(doc);
    doc.open("g", &[("id", "disc-white")]);
    disc(doc, "url(#ivory)", "#7d6440");
    ring(doc, 14.0, "#b79a6a", &[("stroke-width", "1.3")]);
    ring(doc, 9.5, "#c9b085", &[("stroke-width", "1")]);
    doc.close();
    doc.open("g", &[("id", "disc-black")]);
    disc(doc, "url(#ebony)", "#0c0908");
    ring(
        doc,
        17.0,
        "#a39486",
        &[("stroke-width", "0.9"), ("stroke-opacity", "0.7")],
    );
    ring(
        doc,
        12.6,
        "#d2aa63",
        &[
            ("stroke-width", "2.4"),
            ("stroke-linecap", "round"),
            ("stroke-dasharray", "0.01 5.645"),
        ],
    );
    doc.close();
    edges(doc);
}

fn disc_color(doc: &mut Doc, id: &str, colors: [&str; 3]) {
    doc.open(
        "radialGradient",
        &[("id", id), ("cx", "0.4"), ("cy", "0.34"), ("r", "0.72")],
    );
    for (offset, color) in ["0", "0.6", "1"].into_iter().zip(colors) {
        doc.empty("stop", &[("offset", offset), ("stop-color", color)]);
    }
    doc.close();
}

fn edge_color(doc: &mut Doc, id: &str, colors: [&str; 3]) {
    doc.open("linearGradient", &[("id", id)]);
    for (offset, color) in ["0", "0.42", "1"].into_iter().zip(colors) {
        doc.empty("stop", &[("offset", offset), ("stop-color", color)]);
    }
    doc.close();
}

/// Defines the soft shadow that all discs share.
fn shadow(doc: &mut Doc) {
    doc.open("radialGradient", &[("id", "soft")]);
    for (offset, opacity) in [("0.72", "0.5"), ("0.86", "0.28"), ("1", "0")] {
        doc.empty(
            "stop",
            &[
                ("offset", offset),
                ("stop-color", "#1d0d02"),
                ("stop-opacity", opacity),
            ],
        );
    }
    doc.close();
}

fn disc(doc: &mut Doc, fill: &str, rim: &str) {
    doc.empty(
        "circle",
        &[
            ("cx", "1"),
            ("cy", "2.6"),
            ("r", "21"),
            ("fill", "url(#soft)"),
        ],
    );
    let r = number(RADIUS - 0.5);
    doc.empty(
        "circle",
        &[
            ("r", &r),
            ("fill", fill),
            ("stroke", rim),
            ("stroke-width", "1"),
        ],
    );
}

fn ring(doc: &mut Doc, r: f64, stroke: &str, more: &[(&str, &str)]) {
    let r = number(r);
    doc.empty(
        "circle",
        &[
            &[("r", r.as_str()), ("fill", "none"), ("stroke", stroke)][..],
            more,
        ]
        .concat(),
    );
}

fn edges(doc: &mut Doc) {
    let (y, height) = (number(-EDGE_ON / 2.0), number(EDGE_ON));
    let place = [
        ("x", "-18"),
        ("y", y.as_str()),
        ("width", "36"),
        ("height", height.as_str()),
        ("rx", "3"),
    ];
    doc.open("g", &[("id", "edge-white")]);
    doc.empty(
        "rect",
        &[
            &place[..],
            &[("fill", "url(#ivory-edge)"), ("stroke", "#7d6440")],
        ]
        .concat(),
    );
    doc.path(
        "M-17-1.5H17M-17 1.5H17",
        &[("stroke", "#b79a6a"), ("stroke-width", "0.8")],
    );
    doc.close();
    doc.open("g", &[("id", "edge-black")]);
    doc.empty(
        "rect",
        &[
            &place[..],
            &[("fill", "url(#ebony-edge)"), ("stroke", "#000")],
        ]
        .concat(),
    );
    let studs = [
        ("stroke", "#d2aa63"),
        ("stroke-width", "2.2"),
        ("stroke-linecap", "round"),
        ("stroke-dasharray", "0.01 5.59"),
    ];
    doc.path("M-14 0H14.5", &studs);
    doc.close();
}

/// Draws all checkers. They let clicks through to the places.
pub(super) fn draw(doc: &mut Doc, frame: &Frame, replay: &Replay) {
    doc.open("g", &[("class", "pieces"), ("pointer-events", "none")]);
    for checker in replay.checkers() {
        one(doc, frame, &checker);
    }
    doc.close();
}

fn one(doc: &mut Doc, frame: &Frame, checker: &Checker) {
    let Spot { seat, place, .. } = checker.at;
    let href = match (seat == WHITE, place == IS_OFF) {
        (true, false) => "#disc-white",
        (false, false) => "#disc-black",
        (true, true) => "#edge-white",
        (false, true) => "#edge-black",
    };
    let (id, from, step) = (checker.at.id(), checker.from.id(), number(checker.step));
    let (x, y) = frame.spot(checker.at);
    let (x, y) = (number(x), number(y));
    let lies = [
        ("id", id.as_str()),
        ("href", href),
        ("x", x.as_str()),
        ("y", y.as_str()),
    ];
    let came = [("data-from", from.as_str()), ("data-step", step.as_str())];
    doc.empty(
        "use",
        &[&lies[..], if checker.has_moved() { &came } else { &[] }].concat(),
    );
}

/// Draws the number of checkers on the topmost one of every stack of more than five.
pub(super) fn counts(doc: &mut Doc, frame: &Frame, replay: &Replay) {
    let style = [
        ("class", "counts"),
        ("aria-hidden", "true"),
        ("pointer-events", "none"),
        ("font-weight", "700"),
    ];
    doc.open("g", &style);
    for top in replay.tall() {
        let (x, y) = frame.spot(top);
        let (ink, plate) = if top.seat == WHITE {
            ("#3b2a12", "#f3e7cd")
        } else {
            ("#f6e6c4", "#2e2723")
        };
        doc.empty(
            "circle",
            &[
                ("cx", &number(x)),
                ("cy", &number(y)),
                ("r", "11"),
                ("fill", plate),
            ],
        );
        doc.text_with(
            x,
            y + 6.5,
            18.0,
            &(top.height + 1).to_string(),
            &[("fill", ink)],
        );
    }
    doc.close();
}
