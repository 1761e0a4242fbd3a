//! Pieces on the map: cubes, research stations, pawns.

use parlor_pandemic::{City, Color, Role};

use super::look::{cell, initial, ink, place, role, shape, symbol, write};
use super::{Scene, cities, ids};
use crate::svg::Doc;

/// Distance from the center of a city down to its cubes, normally and with its name in between.
const CUBES: f64 = 20.0;
const NAME: f64 = 14.0;
/// Distance between cubes.
const CUBE: f64 = 13.0;
/// Offset of a station from the center of its city, right and down.
const STATION: (f64, f64) = (18.5, 4.0);
/// Height of a pawn with its outline, and the part of the outline below its foot.
const PAWN: f64 = 26.5;
const LINE: f64 = 1.0;
/// Distance from the center of a city up to the foot of a pawn.
const FOOT: f64 = 6.0;

/// Defines shapes that are used by reference.
pub(super) fn define(doc: &mut Doc) {
    for color in Color::ALL {
        let style = [
            ("id", cube(color)),
            ("fill", ink(color)),
            ("stroke", "#fffaf0"),
            ("stroke-width", "1.2"),
            ("stroke-linejoin", "round"),
        ];
        doc.path(&shape(color, 0.0, 0.0, 5.6), &style);
    }
    doc.open(
        "g",
        &[
            ("id", "station"),
            ("stroke", "#4a4438"),
            ("stroke-width", "1.3"),
            ("stroke-linejoin", "round"),
        ],
    );
    doc.path("M-7.5 0L0-7.5 7.5 0H5.5V7H-5.5V0z", &[("fill", "#fdfbf4")]);
    doc.path(
        "M-1.2-2.8h2.4v2.3h2.3v2.4h-2.3v2.3h-2.4v-2.3h-2.3v-2.4h2.3z",
        &[("fill", "#2b8a5f"), ("stroke", "none")],
    );
    doc.close();
    // The origin of a pawn is the middle of its foot.
    let body = "M-10 0c0-7 4-9 5-13.5a7 7 0 1 1 10 0c1 4.5 5 6.5 5 13.5z";
    doc.path(
        body,
        &[
            ("id", "pawn"),
            ("stroke-width", "1.5"),
            ("stroke-linejoin", "round"),
        ],
    );
    doc.empty("circle", &[("id", "foot"), ("r", "17")]);
}

/// Returns the id of a cube's shape.
pub(super) const fn cube(color: Color) -> &'static str {
    match color {
        Color::Blue => "cube-b",
        Color::Yellow => "cube-y",
        Color::Black => "cube-k",
        Color::Red => "cube-r",
    }
}

pub(super) fn draw(doc: &mut Doc, table: &Scene<'_>) {
    doc.open(
        "g",
        &[
            ("class", "pieces"),
            ("pointer-events", "none"),
            ("aria-hidden", "true"),
        ],
    );
    for city in City::all() {
        cubes(doc, table, city);
    }
    for city in table.stations {
        let (x, y) = place(city);
        let id = format!("station-{}", city.text());
        let (aside, down) = STATION;
        let aside = if cities::is_named_left(city) {
            aside
        } else {
            -aside
        };
        symbol(doc, "station", x + aside, y + down, &[("id", &id)]);
    }
    doc.close();
    doc.open(
        "g",
        &[
            ("class", "pieces"),
            ("font-size", "11"),
            ("font-weight", "700"),
            ("text-anchor", "middle"),
            ("pointer-events", "all"),
        ],
    );
    for city in City::all() {
        let pawns: Vec<Role> = table.pawns(city).collect();
        let ((x, _), foot) = (place(city), foot(city, pawns.len()));
        // More than two pawns are closer together; the letters on them remain legible.
        let step = if pawns.len() > 2 { 16.0 } else { 19.0 };
        for (k, role) in pawns.iter().enumerate() {
            pawn(doc, *role, city, x + spread(k, pawns.len(), step), foot);
        }
    }
    doc.close();
}

/// Returns the y coordinate of the foot of the pawns in a city. Several pawns are wide enough to
/// touch its name, so they are placed above it, but within the map.
fn foot(city: City, pawns: usize) -> f64 {
    let (_, y) = place(city);
    let name = cities::top_of_name(city)
        .filter(|_| pawns > 1)
        .unwrap_or_default();
    (y - FOOT.max(name + LINE)).max(PAWN)
}

/// Returns the offset from the center of item `k` of `many` items placed side by side.
fn spread(k: usize, many: usize, step: f64) -> f64 {
    (k as f64 - (many as f64 - 1.0) / 2.0) * step
}

fn cubes(doc: &mut Doc, table: &Scene<'_>, city: City) {
    let (x, y) = place(city);
    let top = y
        + CUBES
        + if cities::is_named_below(city) {
            NAME
        } else {
            0.0
        };
    for (row, (color, count)) in table.cubes(city).enumerate() {
        let many = usize::from(count);
        for k in 0..many {
            let id = format!("cube-{color}-{}-{k}", city.text());
            symbol(
                doc,
                cube(color),
                x + spread(k, many, CUBE),
                top + CUBE * row as f64,
                &[("id", &id)],
            );
        }
    }
}

fn pawn(doc: &mut Doc, who: Role, city: City, x: f64, y: f64) {
    let (id, label) = (ids::pawn(who), format!("{} in {city}", who.name()));
    let (fill, on) = role(who);
    doc.open(
        "g",
        &[
            ("id", &id),
            ("class", "place pawn"),
            ("role", "img"),
            ("aria-label", &label),
        ],
    );
    cell(doc, "foot", x, y - 11.0);
    symbol(
        doc,
        "pawn",
        x,
        y,
        &[("class", "body"), ("fill", fill), ("stroke", "#33291c")],
    );
    write(doc, x, y - 3.0, initial(who), &[("fill", on)]);
    doc.close();
}
