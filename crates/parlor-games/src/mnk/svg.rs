//! The picture of an m,n,k board.

use crate::mnk::view::View;
use crate::svg::{Doc, number};

const CELL: f64 = 100.0;
const MARGIN: f64 = 20.0;

/// The id of a cell's element.
pub fn cell_id(row: u8, column: u8) -> String {
    format!("cell-{row}-{column}")
}

/// Draws a view.
pub fn draw(view: &View) -> String {
    let side = |n: u8| f64::from(n) * CELL + 2.0 * MARGIN;
    let mut doc = Doc::new(side(view.columns), side(view.rows), "Board");
    for (row, cells) in (0u8..).zip(&view.board) {
        for (column, symbol) in (0u8..).zip(cells) {
            let corner = |n: u8| MARGIN + f64::from(n) * CELL;
            let label = format!("row {}, column {}, {}", row + 1, column + 1, symbol.as_deref().unwrap_or("empty"));
            doc.open("g", &[("id", &cell_id(row, column)), ("class", "place"), ("aria-label", &label)]);
            let (x, y, w) = (number(corner(column)), number(corner(row)), number(CELL - 4.0));
            doc.empty(
                "rect",
                &[("x", &x), ("y", &y), ("width", &w), ("height", &w), ("class", "cell"), ("fill", "#eee")],
            );
            if let Some(symbol) = symbol {
                doc.text(corner(column) + CELL / 2.0, corner(row) + 0.72 * CELL, 60.0, "stone", symbol);
            }
            doc.close();
        }
    }
    doc.finish()
}
