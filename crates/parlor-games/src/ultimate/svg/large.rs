//! Drawings over a whole board: the winner's mark, the sign of a tie, and lines of three boards.

use super::frame::{CELL, center, middle};
use super::won_id;
use crate::svg::{Doc, marks, number};
use crate::ultimate::SYMBOLS;
use crate::ultimate::view::UltimateView;

/// Distance from the center of a large mark to its ends, and the width of its strokes.
const REACH: f64 = 37.0;
const STROKE: f64 = 14.0;

/// Defines the large marks of both seats, centered on the origin.
pub(super) fn define(doc: &mut Doc) {
    for (seat, symbol) in SYMBOLS.iter().enumerate() {
        doc.open("g", &[("id", &id(seat))]);
        marks::large(doc, seat, symbol, REACH, STROKE);
        doc.close();
    }
}

fn id(seat: usize) -> String {
    format!("large-{seat}")
}

/// Draws the large mark of a decided board.
pub(super) fn mark(doc: &mut Doc, view: &UltimateView, board: u8, opacity: &str) {
    let owner = view.meta[usize::from(board)];
    let won = view.lines.iter().flatten().any(|&other| other == board);
    let class = if won {
        "stone large won"
    } else {
        "stone large"
    };
    let (x, y) = middle(board);
    doc.open(
        "g",
        &[
            ("id", &won_id(board)),
            ("class", class),
            ("opacity", opacity),
        ],
    );
    match owner.seat() {
        Some(seat) => {
            let href = format!("#{}", id(usize::from(seat)));
            doc.empty(
                "use",
                &[("href", &href), ("x", &number(x)), ("y", &number(y))],
            );
        }
        None => equal(doc, x, y),
    }
    doc.close();
}

/// Draws an equals sign for a tied board.
fn equal(doc: &mut Doc, x: f64, y: f64) {
    let d = format!(
        "M{} {}h52M{} {}h52",
        number(x - 26.0),
        number(y - 14.0),
        number(x - 26.0),
        number(y + 14.0)
    );
    doc.open(
        "g",
        &[
            ("fill", "none"),
            ("stroke-linecap", "round"),
            ("stroke-width", "13"),
        ],
    );
    let shade = [
        ("class", "mark-shade"),
        ("transform", "translate(1 3)"),
        ("stroke", "#2b1503"),
    ];
    doc.path(&d, &[&shade[..], &[("stroke-opacity", "0.25")]].concat());
    doc.path(&d, &[("class", "equal"), ("stroke", "#5d564e")]);
    doc.close();
}

/// Draws a stroke through every line of three boards.
pub(super) fn lines(doc: &mut Doc, view: &UltimateView) {
    for &[from, _, to] in &view.lines {
        let ((x1, y1), (x2, y2)) = (center(from, 4), center(to, 4));
        let length = (x2 - x1).hypot(y2 - y1).max(1.0);
        let (dx, dy) = ((x2 - x1) / length * CELL, (y2 - y1) / length * CELL);
        let d = format!(
            "M{} {}L{} {}",
            number(x1 - dx),
            number(y1 - dy),
            number(x2 + dx),
            number(y2 + dy)
        );
        doc.open(
            "g",
            &[
                ("class", "line"),
                ("fill", "none"),
                ("stroke-linecap", "round"),
                ("pointer-events", "none"),
            ],
        );
        doc.path(
            &d,
            &[
                ("class", "line-edge"),
                ("pathLength", "1"),
                ("stroke", "#4d2f12"),
                ("stroke-width", "14"),
            ],
        );
        doc.path(
            &d,
            &[
                ("class", "line-core"),
                ("pathLength", "1"),
                ("stroke", "#ffe9ad"),
                ("stroke-width", "9"),
            ],
        );
        doc.close();
    }
}
