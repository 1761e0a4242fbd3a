//! The empty map: sea, land, a grid of the globe, and the connections between the cities.

use std::fmt::Write;

use parlor_pandemic::{City, across_the_edge};

use super::look::{Rect, n, place, write};
use super::world::LAND;
use super::{MAP, WIDTH};
use crate::svg::Doc;

/// Corner radius of the map.
const ROUND: f64 = 16.0;
/// Points at the map's west and east edges where the Pacific connections leave it, from the top.
const EDGES: [(f64, f64); 3] = [(130.0, 138.0), (176.0, 262.0), (232.0, 470.0)];

/// Defines shapes that are used by reference.
pub(super) fn define(doc: &mut Doc) {
    doc.open("linearGradient", &[("id", "sea"), ("x2", "0"), ("y2", "1")]);
    doc.empty("stop", &[("class", "sea-a"), ("stop-color", "#e0ecf0")]);
    doc.empty(
        "stop",
        &[
            ("class", "sea-b"),
            ("offset", "1"),
            ("stop-color", "#c2d8e2"),
        ],
    );
    doc.close();
    doc.open("clipPath", &[("id", "edge")]);
    whole().draw(doc, ROUND, &[]);
    doc.close();
}

fn whole() -> Rect {
    Rect::new(0.0, 0.0, WIDTH, MAP)
}

/// Draws the map.
pub(super) fn draw(doc: &mut Doc) {
    whole().draw(doc, ROUND, &[("fill", "url(#sea)")]);
    doc.open("g", &[("clip-path", "url(#edge)"), ("fill", "none")]);
    let land = [
        ("class", "land"),
        ("fill", "#f6efdd"),
        ("stroke", "#cdbd97"),
        ("stroke-width", "1.3"),
        ("fill-rule", "evenodd"),
    ];
    doc.path(LAND, &land);
    doc.path(
        &grid(),
        &[
            ("class", "grid"),
            ("stroke", "#5c87a0"),
            ("stroke-opacity", ".17"),
        ],
    );
    doc.path(
        &ways(),
        &[
            ("class", "way"),
            ("stroke", "#7d6c54"),
            ("stroke-opacity", ".62"),
            ("stroke-width", "1.7"),
        ],
    );
    let dashed = [
        ("class", "way"),
        ("stroke", "#7d6c54"),
        ("stroke-opacity", ".62"),
        ("stroke-width", "1.7"),
        ("stroke-dasharray", "5 4"),
    ];
    doc.path(&stubs(), &dashed);
    doc.close();
    signs(doc);
    whole().draw(
        doc,
        ROUND,
        &[
            ("class", "rim"),
            ("fill", "none"),
            ("stroke", "#8f7f62"),
            ("stroke-opacity", ".55"),
            ("stroke-width", "1.5"),
        ],
    );
}

/// Returns the meridians and parallels, slightly curved.
fn grid() -> String {
    let mut d = String::new();
    for k in 1..10 {
        let (x, bow) = (120.0 * f64::from(k), f64::from(k - 5) * 9.0);
        let _ = write!(d, "M{} 0q{} {} 0 {}", n(x), n(bow), n(MAP / 2.0), n(MAP));
    }
    for k in 1..6 {
        let y = f64::from(k) * MAP / 6.0;
        let _ = write!(
            d,
            "M0 {}q{} {} {} 0",
            n(y.round()),
            n(WIDTH / 2.0),
            n(f64::from(k - 3) * 14.0),
            n(WIDTH)
        );
    }
    d
}

fn ways() -> String {
    let mut d = String::new();
    for city in City::all() {
        let over = across_the_edge();
        let beyond = |other: City| over.contains(&(city, other)) || over.contains(&(other, city));
        for other in city
            .neighbors()
            .into_iter()
            .filter(|other| *other > city && !beyond(*other))
        {
            let ((x, y), (to_x, to_y)) = (place(city), place(other));
            let _ = write!(d, "M{} {}l{} {}", n(x), n(y), n(to_x - x), n(to_y - y));
        }
    }
    d
}

fn stubs() -> String {
    let mut d = String::new();
    for ((west, east), (left, right)) in across_the_edge().into_iter().zip(EDGES) {
        let ((x, y), (east_x, east_y)) = (place(west), place(east));
        let _ = write!(
            d,
            "M0 {}L{} {}M{} {}L{} {}",
            n(left),
            n(x),
            n(y),
            n(WIDTH),
            n(right),
            n(east_x),
            n(east_y)
        );
    }
    d
}

/// Draws the destinations of the Pacific connections at the edges, clear of the cubes there.
fn signs(doc: &mut Doc) {
    doc.open(
        "g",
        &[
            ("class", "sign"),
            ("font-size", "9.5"),
            ("font-style", "italic"),
            ("fill", "#5d6f78"),
            ("aria-hidden", "true"),
        ],
    );
    for (k, ((west, east), (left, right))) in across_the_edge().into_iter().zip(EDGES).enumerate() {
        let down = if k == 0 { -5.0 } else { 12.0 };
        write(
            doc,
            4.0,
            left + down,
            &format!("\u{2190} {}", east.name()),
            &[],
        );
        write(
            doc,
            WIDTH - 4.0,
            right - 4.0,
            &format!("{} \u{2192}", west.name()),
            &[("text-anchor", "end")],
        );
    }
    doc.close();
}
