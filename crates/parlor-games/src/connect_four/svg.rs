//! Picture of a Connect Four board: discs behind a blue panel with holes, on two feet.
//!
//! Columns have the ids `column-1` and so on, counted from the left; discs have `disc-COLUMN-ROW`,
//! with rows counted from 1 at the bottom. Discs differ by an embossed shape as well as by color: a
//! star on red ones, a ring on yellow ones.

mod stand;

use parlor_connect_four::Slot;

use self::stand::BoardStand;
use super::view::{ConnectFourView, DiscColor};
use crate::svg::{Doc, number};

/// Returns the id of a column's element; `column` counts from 0.
pub(super) fn column_id(column: u8) -> String {
    format!("column-{}", column + 1)
}

/// Returns the id of the disc in a slot.
pub(super) fn disc_id(slot: Slot) -> String {
    format!("disc-{}-{}", slot.column + 1, slot.row + 1)
}

/// Radius of a disc; holes are slightly smaller. A slot is 100 units wide.
const DISC: f64 = 45.0;
/// Radius of a hole.
const HOLE: f64 = 41.0;

/// Draws a view.
pub(super) fn draw(view: &ConnectFourView) -> String {
    let frame = BoardStand::new(view);
    let title = format!(
        "Connect Four board of {} columns and {} rows, {} in a row win",
        view.columns, view.rows, view.k
    );
    let mut doc = Doc::with(
        frame.width(),
        frame.height(),
        &title,
        "board connect-four",
        &[],
    );
    define(&mut doc);
    frame.back(&mut doc);
    discs(&mut doc, &frame, view);
    frame.panel(&mut doc);
    marks(&mut doc, &frame, view);
    columns(&mut doc, &frame, view);
    doc.finish()
}

/// Defines the discs of both colors, for `use`.
fn define(doc: &mut Doc) {
    doc.open("defs", &[]);
    for color in [DiscColor::Red, DiscColor::Yellow] {
        let (body, edge, light) = match color {
            DiscColor::Red => ("#d3312f", "#8f1518", "#f0736a"),
            DiscColor::Yellow => ("#f8cf2c", "#b48608", "#fff0a0"),
        };
        let name = color.name();
        doc.open("g", &[("id", &format!("four-{name}"))]);
        circle(
            doc,
            DISC,
            &[("class", &format!("{name}-edge")), ("fill", edge)],
        );
        circle(
            doc,
            DISC - 3.5,
            &[("class", &format!("{name}-body")), ("fill", body)],
        );
        let emboss = [
            ("class", &*format!("{name}-shine")),
            ("fill", "none"),
            ("stroke", light),
            ("stroke-width", "3"),
            ("stroke-linejoin", "round"),
            ("stroke-opacity", "0.85"),
        ];
        let groove = [
            ("class", &*format!("{name}-groove")),
            ("fill", "none"),
            ("stroke", edge),
            ("stroke-width", "2.5"),
            ("stroke-linejoin", "round"),
            ("stroke-opacity", "0.6"),
        ];
        circle(doc, 33.0, &groove);
        match color {
            DiscColor::Red => {
                doc.path(&star(20.0, 1.5), &groove);
                doc.path(&star(20.0, 0.0), &emboss);
            }
            DiscColor::Yellow => {
                circle(doc, 16.5, &groove);
                circle(doc, 14.5, &emboss);
            }
        }
        doc.close();
    }
    doc.close();
}

/// Draws a circle around the origin.
fn circle(doc: &mut Doc, radius: f64, attributes: &[(&str, &str)]) {
    let radius = number(radius);
    doc.empty("circle", &[&[("r", radius.as_str())], attributes].concat());
}

/// Returns a five-pointed star around the origin, shifted down by `down`.
fn star(radius: f64, down: f64) -> String {
    let point = |n: u8| {
        let angle = f64::from(n) * std::f64::consts::PI / 5.0;
        let reach = if n.is_multiple_of(2) {
            radius
        } else {
            radius * 0.45
        };
        let (x, y) = (angle.sin() * reach, down - angle.cos() * reach);
        format!("{} {}", number(x), number(y))
    };
    let points: Vec<String> = (0..10).map(point).collect();
    format!("M{}z", points.join("L"))
}

/// Draws the discs behind the panel. A new disc drops from above the board; its class gives the
/// distance.
fn discs(doc: &mut Doc, frame: &BoardStand, view: &ConnectFourView) {
    doc.open("g", &[("class", "pieces"), ("pointer-events", "none")]);
    for (place, color) in places(view) {
        let Some(color) = color else { continue };
        let slot = slot(view, place);
        let won = if view.line.contains(&place) {
            " won"
        } else {
            ""
        };
        let class = format!("disc fall-{}{won}", place.0 + 1);
        doc.open("g", &[("id", &disc_id(slot)), ("class", &class)]);
        let (x, y) = (number(frame.x(place.1)), number(frame.y(place.0)));
        let href = format!("#four-{}", color.name());
        doc.empty("use", &[("href", &href), ("x", &x), ("y", &y)]);
        doc.close();
    }
    doc.close();
}

/// Draws the mark of the last disc and the winning line.
fn marks(doc: &mut Doc, frame: &BoardStand, view: &ConnectFourView) {
    doc.open(
        "g",
        &[
            ("class", "marks"),
            ("pointer-events", "none"),
            ("fill", "none"),
        ],
    );
    let ring = |doc: &mut Doc, (row, column): (u8, u8), class: &str, color: &str, width: &str| {
        let (x, y) = (number(frame.x(column)), number(frame.y(row)));
        doc.empty(
            "circle",
            &[
                ("class", class),
                ("cx", &x),
                ("cy", &y),
                ("r", &number(HOLE - 1.0)),
                ("stroke", color),
                ("stroke-width", width),
            ],
        );
    };
    for &place in &view.line {
        ring(doc, place, "won-edge", "#0b1f4d", "10");
        ring(doc, place, "won-ring", "#ffffff", "6");
    }
    if let Some(place) = view.last.filter(|_| view.line.is_empty()) {
        ring(doc, place, "last-edge", "#0b1f4d", "7");
        ring(doc, place, "last", "#ffffff", "3.5");
    }
    doc.close();
}

/// Draws the columns, clickable over their full height, each with a preview of the disc.
fn columns(doc: &mut Doc, frame: &BoardStand, view: &ConnectFourView) {
    doc.open("g", &[("class", "places")]);
    for column in 0..view.columns {
        let discs = (0..view.rows)
            .rev()
            .map_while(|row| disc(view, (row, column)));
        let discs: Vec<&str> = discs.map(DiscColor::name).collect();
        let free = usize::from(view.rows) - discs.len();
        let label = match discs.len() {
            0 => format!("column {}, empty", column + 1),
            _ if free == 0 => format!("column {}, full: {}", column + 1, discs.join(", ")),
            _ => format!(
                "column {}, from the bottom {}",
                column + 1,
                discs.join(", ")
            ),
        };
        doc.open(
            "g",
            &[
                ("id", &column_id(column)),
                ("class", "place"),
                ("role", "img"),
                ("aria-label", &label),
            ],
        );
        let (x, height) = (number(frame.x(column) - 50.0), number(frame.bottom()));
        doc.empty(
            "rect",
            &[
                ("class", "cell"),
                ("x", &x),
                ("y", "0"),
                ("width", "100"),
                ("height", &height),
                ("rx", "18"),
                ("fill", "#fff"),
                ("fill-opacity", "0"),
            ],
        );
        if let (Some(mover), Some(row)) = (view.mover, u8::try_from(free).ok()) {
            preview(doc, frame, mover, column, row.checked_sub(1));
        }
        doc.close();
    }
    doc.close();
}

/// Draws the disc of the seat on turn above a column, and its shadow in the slot it would drop to.
fn preview(doc: &mut Doc, frame: &BoardStand, mover: DiscColor, column: u8, row: Option<u8>) {
    let Some(row) = row else { return };
    doc.open("g", &[("class", "preview"), ("opacity", "0")]);
    let href = format!("#four-{}", mover.name());
    let x = number(frame.x(column));
    let above = number(frame.above());
    doc.empty(
        "use",
        &[("class", "held"), ("href", &href), ("x", &x), ("y", &above)],
    );
    let y = number(frame.y(row));
    doc.empty(
        "circle",
        &[
            ("class", &format!("shade {}-body", mover.name())),
            ("cx", &x),
            ("cy", &y),
            ("r", &number(HOLE - 4.0)),
            ("fill-opacity", "0.45"),
        ],
    );
    doc.close();
}

/// Returns every slot of the board as row and column from the top left, with its disc.
fn places(view: &ConnectFourView) -> impl Iterator<Item = ((u8, u8), Option<DiscColor>)> + '_ {
    let rows = (0u8..).zip(&view.board);
    rows.flat_map(|(row, discs)| {
        (0u8..)
            .zip(discs)
            .map(move |(column, &disc)| ((row, column), disc))
    })
}

fn disc(view: &ConnectFourView, (row, column): (u8, u8)) -> Option<DiscColor> {
    *view.board.get(usize::from(row))?.get(usize::from(column))?
}

fn slot(view: &ConnectFourView, (row, column): (u8, u8)) -> Slot {
    Slot::new(column, view.rows.saturating_sub(row + 1))
}
