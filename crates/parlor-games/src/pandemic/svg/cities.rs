//! Cities: their marks and names, their risk of infection, and a warning if one more cube would
//! cause an outbreak.

use std::fmt::Write;

use parlor_pandemic::{City, Color, across_the_edge};

use super::look::{breadth, cell, count, ink, n, on_ink, place, shape, symbol, write};
use super::{Scene, ids, percent};
use crate::svg::Doc;

/// Probability of infection below which a city has no risk mark.
const LIKELY: f64 = 0.095;
/// Distance from the center of a city to its warning ring.
const RING: f64 = 20.0;
/// Radius of the spot of a city that takes clicks.
const SPOT: f64 = 19.0;
/// Size of the letters of names.
const LETTERS: f64 = 12.0;

/// Placement of a city's name: to the right (1) or left (-1) with a vertical offset, or below (0)
/// with a horizontal offset.
#[rustfmt::skip]
const NAMES: [(i8, i8); City::COUNT] = [
    (-1, -5), (-1, -7), (1, 0), (-1, 0), (-1, 7), (1, 0), (1, -3), (1, 0), (-1, 0), (1, 0), (-1, 5), (0, 26),
    (1, 0), (1, 0), (1, 0), (-1, 0), (-1, 0), (-1, 0), (-1, 0), (0, 4), (-1, 0), (1, 0), (-1, 0), (1, 0),
    (1, 0), (0, -6), (-1, 7), (-1, 0), (1, -7), (1, 0), (-1, -7), (0, 0), (1, 0), (-1, 0), (-1, 7), (1, 0),
    (1, -7), (-1, 0), (1, 7), (-1, -6), (-1, 0), (1, 0), (1, 0), (1, -7), (-1, 0), (-1, 0), (1, 0), (1, 0),
];

/// Distance from the center of a city down to the baseline of a name without offset.
const BASE: f64 = 4.0;
/// Height of letters above the baseline.
const ASCENT: f64 = 9.0;

/// Returns true if a city's name is below it, where its cubes would otherwise be.
pub(super) const fn is_named_below(city: City) -> bool {
    NAMES[city.index()].0 == 0
}

/// Returns the distance from the center of a city up to the top of its name; `None` if the name is
/// below it.
pub(super) fn top_of_name(city: City) -> Option<f64> {
    let (side, down) = NAMES[city.index()];
    (side != 0).then(|| ASCENT - BASE - f64::from(down))
}

/// Returns true if a city's name is on the left, where a station would otherwise be.
pub(super) const fn is_named_left(city: City) -> bool {
    NAMES[city.index()].0 < 0
}

pub(super) fn draw(doc: &mut Doc, table: &Scene<'_>) {
    marks(doc, table);
    doc.open(
        "g",
        &[
            ("class", "cities"),
            ("font-size", &n(LETTERS)),
            ("font-weight", "600"),
            ("fill", "#2a241d"),
            ("pointer-events", "all"),
        ],
    );
    let (below, above): (Vec<City>, Vec<City>) =
        City::all().partition(|city| is_drawn_first(*city));
    for city in below.into_iter().chain(above) {
        one(doc, table, city);
    }
    doc.close();
}

/// Returns true if a city's name reaches into the spot of another one, which lies above it and takes the
/// clicks there.
fn is_drawn_first(city: City) -> bool {
    City::all().any(|other| other != city && reaches(city, other))
}

/// Returns true if a city's name reaches into the spot of another one, in the widest of the usual fonts.
fn reaches(city: City, other: City) -> bool {
    let ((x, base, anchor), width) = (name_place(city), breadth(city.name()) * LETTERS);
    let left = match anchor {
        "start" => x,
        "end" => x - width,
        _ => x - width / 2.0,
    };
    let (top, bottom) = (base - LETTERS, base + BASE);
    let (to_x, to_y) = place(other);
    let across = (left - to_x).max(to_x - left - width).max(0.0);
    let down = (top - to_y).max(to_y - bottom).max(0.0);
    across.hypot(down) < SPOT
}

/// Returns the coordinates of a city's name, and the part of it that lies there.
fn name_place(city: City) -> (f64, f64, &'static str) {
    let ((x, y), (side, down)) = (place(city), NAMES[city.index()]);
    let moved = f64::from(down);
    match side {
        1 => (x + 15.0, y + moved + BASE, "start"),
        -1 => (x - 15.0, y + moved + BASE, "end"),
        _ => (x + moved, y + 25.0, "middle"),
    }
}

/// Draws rings around cities: a full one if one more cube would cause an outbreak, and an arc for
/// the probability of infection.
fn marks(doc: &mut Doc, table: &Scene<'_>) {
    doc.open("g", &[("fill", "none"), ("aria-hidden", "true")]);
    doc.open(
        "g",
        &[
            ("class", "risk"),
            ("stroke", "#7b3fa0"),
            ("stroke-width", "4"),
        ],
    );
    let risks = table
        .view
        .risk
        .iter()
        .filter_map(|(name, risk)| City::from_name(name).map(|city| (city, *risk)));
    for (city, risk) in risks.filter(|(_, risk)| *risk >= LIKELY) {
        let (x, y) = place(city);
        let dashes = format!("{} 100", n((risk * 100.0).round()));
        let d = format!("M{} {}a16.5 16.5 0 1 1-.01 0", n(x), n(y - 16.5));
        doc.path(&d, &[("pathLength", "100"), ("stroke-dasharray", &dashes)]);
    }
    doc.close();
    let style = [
        ("class", "alarm"),
        ("stroke", "#d0201a"),
        ("stroke-width", "2.4"),
        ("stroke-dasharray", "6 3"),
    ];
    doc.open("g", &style);
    for city in City::all().filter(|city| table.chains(*city).next().is_some()) {
        let (x, y) = place(city);
        doc.empty("circle", &[("cx", &n(x)), ("cy", &n(y)), ("r", &n(RING))]);
    }
    let ways = spreading(table);
    if !ways.is_empty() {
        doc.path(
            &ways,
            &[("stroke-width", "3.2"), ("stroke-dasharray", "none")],
        );
    }
    doc.close();
    doc.close();
}

/// Returns the links between outbreaks in a chain, from the edge of one ring to the next.
fn spreading(table: &Scene<'_>) -> String {
    let mut d = String::new();
    let over = across_the_edge();
    for city in City::all() {
        let beyond = |other: City| over.contains(&(city, other)) || over.contains(&(other, city));
        let later = |other: &City| {
            *other > city && !beyond(*other) && table.break_out_together(city, *other)
        };
        for other in city.neighbors().into_iter().filter(later) {
            let ((x, y), (to_x, to_y)) = (place(city), place(other));
            let (across, down) = (to_x - x, to_y - y);
            let part = RING / across.hypot(down);
            let whole = 1.0 - 2.0 * part;
            let (from_x, from_y) = ((x + across * part).round(), (y + down * part).round());
            let _ = write!(
                d,
                "M{} {}l{} {}",
                n(from_x),
                n(from_y),
                n((across * whole).round()),
                n((down * whole).round())
            );
        }
    }
    d
}

fn one(doc: &mut Doc, table: &Scene<'_>, city: City) {
    let (id, label, (x, y)) = (ids::city(city), label(table, city), place(city));
    let over = beyond_the_edge(city);
    let mut attributes = vec![
        ("id", id.as_str()),
        ("class", "place city"),
        ("role", "img"),
        ("aria-label", label.as_str()),
    ];
    if !over.is_empty() {
        attributes.push(("data-across", over.as_str()));
    }
    doc.open("g", &attributes);
    let warnings = warnings(table, city);
    // Without a chain, the ring around the city is clear enough.
    if table.chains(city).any(|(_, chain)| chain.len() > 1) {
        doc.open("title", &[]);
        doc.content(&warnings.join("; "));
        doc.close();
    }
    cell(doc, "spot", x, y);
    symbol(doc, node(city.color()), x, y, &[]);
    let (name_x, base, anchor) = name_place(city);
    // Texts start at their place unless they are told otherwise.
    let told = [("text-anchor", anchor)];
    let told = &told[usize::from(anchor == "start")..];
    write(doc, name_x, base, city.name(), told);
    doc.close();
}

/// Returns the ids of the cities that a way from this one reaches across the edge of the map.
fn beyond_the_edge(city: City) -> String {
    let beyond = |(west, east): (City, City)| {
        let other = if city == west { east } else { west };
        (city == west || city == east).then(|| ids::city(other))
    };
    let ids = across_the_edge().into_iter().filter_map(beyond);
    ids.collect::<Vec<_>>().join(" ")
}

/// Returns the id of a city's mark.
const fn node(color: Color) -> &'static str {
    match color {
        Color::Blue => "node-b",
        Color::Yellow => "node-y",
        Color::Black => "node-k",
        Color::Red => "node-r",
    }
}

/// Defines the marks of cities: the disease's shape with its letter.
pub(super) fn define(doc: &mut Doc) {
    doc.empty("circle", &[("id", "spot"), ("r", &n(SPOT))]);
    for color in Color::ALL {
        doc.open("g", &[("id", node(color))]);
        let style = [
            ("fill", ink(color)),
            ("stroke", "#fffaf0"),
            ("stroke-width", "2"),
            ("stroke-linejoin", "round"),
        ];
        doc.path(&shape(color, 0.0, 0.0, 10.5), &style);
        let letter = color.letter().to_string();
        let down = if color == Color::Red { 6.5 } else { 4.0 };
        let style = [
            ("class", "letter"),
            ("text-anchor", "middle"),
            ("font-size", "11"),
            ("font-weight", "700"),
            ("fill", on_ink(color)),
        ];
        write(doc, 0.0, down, &letter, &style);
        doc.close();
    }
}

/// Returns the warnings of a city: "1 more blue cube: outbreak in Paris, Essen".
fn warnings(table: &Scene<'_>, city: City) -> Vec<String> {
    let warning = |(color, chain): (Color, &[String])| {
        format!("1 more {color} cube: outbreak in {}", chain.join(", "))
    };
    table.chains(city).map(warning).collect()
}

/// Describes a city: "Paris, blue, 2 blue cubes, station, Medic here, 12 % infection next, 4 %
/// outbreak".
fn label(table: &Scene<'_>, city: City) -> String {
    let mut words = vec![city.name().to_owned(), city.color().name().to_owned()];
    for (color, cubes) in table.cubes(city) {
        words.push(count(usize::from(cubes), &format!("{color} cube")));
    }
    words.extend(warnings(table, city));
    if table.stations.has(city) {
        words.push("station".to_owned());
    }
    let pawns: Vec<&str> = table.pawns(city).map(|role| role.name()).collect();
    if !pawns.is_empty() {
        words.push(format!("{} here", pawns.join(" and ")));
    }
    if let Some(risk) = table.view.risk.get(city.name()) {
        words.push(format!("{} infection next", percent(*risk)));
    }
    if let Some(risk) = table.view.outbreak_risk.get(city.name()) {
        words.push(format!("{} outbreak", percent(*risk)));
    }
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_click_on_the_spot_of_a_city_never_means_the_name_of_another_one() {
        let covers: Vec<(City, City)> = City::all()
            .flat_map(|city| City::all().map(move |other| (city, other)))
            .filter(|(city, other)| city != other && reaches(*city, *other))
            .collect();
        assert!(!covers.is_empty());
        for (city, other) in covers {
            let is_below = !is_drawn_first(other) || city.index() < other.index();
            assert!(is_below, "{city} reaches into {other}");
        }
    }
}
