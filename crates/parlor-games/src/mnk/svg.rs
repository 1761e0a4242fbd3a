//! Picture of an m,n,k board: a maple field in a walnut frame.
//!
//! Small boards are trays with carved cells and lacquered marks; from nine rows or columns on,
//! marks are stones on line crossings, engraved with the symbol. Cells have the ids
//! `cell-ROW-COLUMN`, marks `stone-ROW-COLUMN`; the root's `data-piece` names the mark to be placed
//! next, so that a page can preview it without knowing the game.

mod frame;

use self::frame::Frame;
use crate::TurnView;
use crate::mnk::view::MnkView;
use crate::svg::{Doc, marks, number, wood};

/// Returns the id of a cell's element.
pub fn cell_id(row: u8, column: u8) -> String {
    format!("cell-{row}-{column}")
}

/// Returns the id of the mark on a cell.
pub fn stone_id(row: u8, column: u8) -> String {
    format!("stone-{row}-{column}")
}

/// Draws a view.
pub fn draw(view: &MnkView) -> String {
    let frame = Frame::from_view(view);
    let title = format!(
        "Board of {} by {}, {} in a row win",
        view.rows, view.columns, view.k
    );
    let piece = match view.turn {
        TurnView::Move { seat } => marks::id(usize::from(seat)),
        TurnView::Chance | TurnView::Over { .. } => String::new(),
    };
    let class = if frame.stones {
        "board stones"
    } else {
        "board tray"
    };
    let more = [("data-piece", piece.as_str())];
    let more = if piece.is_empty() {
        &more[..0]
    } else {
        &more[..]
    };
    let mut doc = Doc::with(frame.width(), frame.height(), &title, class, more);
    doc.open("defs", &[]);
    wood::define(&mut doc);
    if frame.stones {
        marks::define_stones(&mut doc, &view.symbols);
    } else {
        marks::define(&mut doc, &view.symbols, frame.cell);
    }
    doc.close();
    frame.draw(&mut doc);
    if let Some((row, column)) = view.last.filter(|_| !frame.stones) {
        last_cell(&mut doc, &frame, row, column);
    }
    places(&mut doc, &frame, view);
    stones(&mut doc, &frame, view);
    if let Some((row, column)) = view.last.filter(|_| frame.stones) {
        last_ring(&mut doc, &frame, row, column);
    }
    lines(&mut doc, &frame, view);
    doc.finish()
}

/// Draws the clickable cells, each with a label for screen readers.
fn places(doc: &mut Doc, frame: &Frame, view: &MnkView) {
    doc.open(
        "g",
        &[("class", "places"), ("fill", "#fff"), ("fill-opacity", "0")],
    );
    let inset = if frame.stones { 0.0 } else { 5.0 };
    let side = number(frame.cell - 2.0 * inset);
    let round = number(if frame.stones { frame.cell * 0.3 } else { 14.0 });
    for (row, cells) in (0u8..).zip(&view.board) {
        for (column, symbol) in (0u8..).zip(cells) {
            let label = format!(
                "row {}, column {}, {}",
                row + 1,
                column + 1,
                symbol.as_deref().unwrap_or("empty")
            );
            doc.open(
                "g",
                &[
                    ("id", &cell_id(row, column)),
                    ("class", "place"),
                    ("role", "img"),
                    ("aria-label", &label),
                ],
            );
            let (x, y) = (
                number(frame.left(column) + inset),
                number(frame.top(row) + inset),
            );
            let at = [
                ("class", "cell"),
                ("x", &x),
                ("y", &y),
                ("width", &side),
                ("height", &side),
                ("rx", &round),
            ];
            doc.empty("rect", &at);
            doc.close();
        }
    }
    doc.close();
}

/// Draws the marks. They let clicks through to the cells below.
fn stones(doc: &mut Doc, frame: &Frame, view: &MnkView) {
    doc.open("g", &[("class", "pieces"), ("pointer-events", "none")]);
    for (row, cells) in (0u8..).zip(&view.board) {
        for (column, symbol) in (0u8..).zip(cells) {
            let seat = symbol
                .as_ref()
                .and_then(|symbol| view.symbols.iter().position(|s| s == symbol));
            let Some(seat) = seat else { continue };
            let class = if view.line.contains(&(row, column)) {
                "stone won"
            } else {
                "stone"
            };
            doc.open("g", &[("id", &stone_id(row, column)), ("class", class)]);
            let (x, y) = (number(frame.center_x(column)), number(frame.center_y(row)));
            doc.empty(
                "use",
                &[
                    ("href", &format!("#{}", marks::id(seat))),
                    ("x", &x),
                    ("y", &y),
                ],
            );
            doc.close();
        }
    }
    doc.close();
}

/// Highlights the cell of the last move on a tray.
fn last_cell(doc: &mut Doc, frame: &Frame, row: u8, column: u8) {
    let (x, y) = (
        number(frame.left(column) + 7.0),
        number(frame.top(row) + 7.0),
    );
    let side = number(frame.cell - 14.0);
    doc.empty(
        "rect",
        &[
            ("class", "last"),
            ("x", &x),
            ("y", &y),
            ("width", &side),
            ("height", &side),
            ("rx", "12"),
            ("fill", "#fff6dc"),
            ("fill-opacity", "0.62"),
            ("stroke", "#8f6a35"),
            ("stroke-width", "2"),
            ("stroke-dasharray", "1 7"),
            ("stroke-linecap", "round"),
        ],
    );
}

/// Draws a ring around the stone of the last move.
fn last_ring(doc: &mut Doc, frame: &Frame, row: u8, column: u8) {
    let (x, y) = (number(frame.center_x(column)), number(frame.center_y(row)));
    doc.empty(
        "circle",
        &[
            ("class", "last"),
            ("cx", &x),
            ("cy", &y),
            ("r", &number(frame.cell * 0.47)),
            ("fill", "none"),
            ("stroke", "#b3402a"),
            ("stroke-width", "2.4"),
            ("pointer-events", "none"),
        ],
    );
}

/// Draws a stroke through every winning run.
fn lines(doc: &mut Doc, frame: &Frame, view: &MnkView) {
    let width = frame.cell * if frame.stones { 0.14 } else { 0.09 };
    for (from, to) in runs(view) {
        let (x1, y1) = (frame.center_x(from.1), frame.center_y(from.0));
        let (x2, y2) = (frame.center_x(to.1), frame.center_y(to.0));
        let length = (x2 - x1).hypot(y2 - y1).max(1.0);
        let over = frame.cell * if frame.stones { 0.2 } else { 0.32 };
        let (dx, dy) = ((x2 - x1) / length * over, (y2 - y1) / length * over);
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
        let outer = number(width + frame.cell * 0.05);
        doc.path(
            &d,
            &[
                ("class", "line-edge"),
                ("pathLength", "1"),
                ("stroke", "#4d2f12"),
                ("stroke-width", &outer),
            ],
        );
        doc.path(
            &d,
            &[
                ("class", "line-core"),
                ("pathLength", "1"),
                ("stroke", "#ffe9ad"),
                ("stroke-width", &number(width)),
            ],
        );
        doc.close();
    }
}

/// Returns the ends of every run of at least `k` among the winning cells.
fn runs(view: &MnkView) -> Vec<((u8, u8), (u8, u8))> {
    let symbol = |(row, column): (u8, u8)| {
        view.board
            .get(usize::from(row))?
            .get(usize::from(column))?
            .as_deref()
    };
    let step = |(row, column): (u8, u8), down: i8, right: i8| {
        let next = (
            row.checked_add_signed(down)?,
            column.checked_add_signed(right)?,
        );
        view.line.contains(&next).then_some(next)
    };
    let mut runs = Vec::new();
    for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        for &start in &view.line {
            let same = |cell: &(u8, u8)| symbol(*cell) == symbol(start);
            if step(start, -down, -right).filter(same).is_some() {
                continue;
            }
            let run: Vec<_> =
                std::iter::successors(Some(start), |cell| step(*cell, down, right).filter(same))
                    .collect();
            if run.len() >= usize::from(view.k) {
                runs.push((start, run[run.len() - 1]));
            }
            if view.k == 1 {
                return runs;
            }
        }
    }
    runs
}
