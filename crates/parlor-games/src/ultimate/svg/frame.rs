//! Layout of the boards, and the wood below the marks.

use crate::svg::wood::{self, Rect};
use crate::svg::{Doc, number};

/// Side of a square, in user units.
pub(super) const CELL: f64 = 40.0;
/// Width of the wood around the nine squares of a tray.
const PAD: f64 = 5.0;
/// Width of the wood between two trays.
const GAP: f64 = 10.0;
/// Width of the wood around all trays.
const MARGIN: f64 = 14.0;
const TRAY: f64 = 3.0 * CELL + 2.0 * PAD;
/// Side of the whole picture.
pub(super) const SIDE: f64 = 3.0 * TRAY + 2.0 * GAP + 2.0 * MARGIN;
/// Reference to the hatching of tied boards.
pub(super) const HATCH: &str = "url(#hatch)";

/// Returns the column and row of a board, or of a square in its board.
fn place(n: u8) -> (f64, f64) {
    (f64::from(n % 3), f64::from(n / 3))
}

/// Returns the area of a board's tray.
pub(super) fn tray(board: u8) -> Rect {
    let (column, row) = place(board);
    let at = |n: f64| MARGIN + n * (TRAY + GAP);
    Rect {
        left: at(column),
        top: at(row),
        width: TRAY,
        height: TRAY,
    }
}

/// Returns the center of a board.
pub(super) fn middle(board: u8) -> (f64, f64) {
    center(board, 4)
}

/// Returns the area of a square.
pub(super) fn cell(board: u8, square: u8) -> Rect {
    let (tray, (column, row)) = (tray(board), place(square));
    Rect {
        left: tray.left + PAD + column * CELL,
        top: tray.top + PAD + row * CELL,
        width: CELL,
        height: CELL,
    }
}

/// Returns the center of a square.
pub(super) fn center(board: u8, square: u8) -> (f64, f64) {
    let cell = cell(board, square);
    (cell.left + CELL / 2.0, cell.top + CELL / 2.0)
}

/// Draws the frame and the nine trays.
pub(super) fn wood(doc: &mut Doc) {
    wood::board(doc, SIDE, SIDE, 15.0);
    let all = Rect {
        left: MARGIN,
        top: MARGIN,
        width: SIDE - 2.0 * MARGIN,
        height: SIDE - 2.0 * MARGIN,
    };
    wood::inlay(doc, all.grown(7.0));
    for board in 0..9 {
        wood::field(doc, tray(board));
    }
}

/// Draws the lines between the squares.
pub(super) fn grooves(doc: &mut Doc) {
    let short = PAD + 4.0;
    let mut d = String::new();
    for tray in (0..9).map(tray) {
        let [from_x, to_x] = [tray.left + short, tray.left + TRAY - short].map(number);
        let [from_y, to_y] = [tray.top + short, tray.top + TRAY - short].map(number);
        for n in [1.0, 2.0] {
            let [x, y] = [tray.left + PAD + n * CELL, tray.top + PAD + n * CELL].map(number);
            d += &format!("M{x} {from_y}V{to_y}M{from_x} {y}H{to_x}");
        }
    }
    wood::groove(doc, &d, 1.8);
}

/// Defines the hatching.
pub(super) fn define(doc: &mut Doc) {
    let size = [
        ("width", "9"),
        ("height", "9"),
        ("patternUnits", "userSpaceOnUse"),
    ];
    doc.open("pattern", &[&[("id", "hatch")][..], &size].concat());
    let lines = [
        ("class", "hatching"),
        ("fill", "none"),
        ("stroke", "#4a3a28"),
        ("stroke-opacity", "0.35"),
    ];
    doc.path(
        "M-2 2L2-2M0 9L9 0M7 11L11 7",
        &[&lines[..], &[("stroke-width", "1.6")]].concat(),
    );
    doc.close();
}
