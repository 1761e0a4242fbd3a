//! Tracks: outbreaks, infection rate, cures and remaining cubes.

use parlor_pandemic::{Color, MAX_OUTBREAKS, RATES};

use super::look::{Rect, count, ink, n, on_ink, room, shape, symbol, write};
use super::{Scene, ids, pieces};
use crate::svg::Doc;

const TITLE: [(&str, &str); 4] = [
    ("class", "soft"),
    ("font-size", "11.5"),
    ("font-weight", "600"),
    ("fill", "#5f5444"),
];
const OUTBREAKS: Rect = Rect::new(12.0, 508.0, 156.0, 112.0);
const RATE: Rect = Rect::new(806.0, 12.0, 196.0, 72.0);
const CURES: Rect = Rect::new(774.0, 474.0, 214.0, 146.0);

pub(super) fn draw(doc: &mut Doc, table: &Scene<'_>) {
    outbreaks(doc, table);
    rate(doc, table);
    plate(doc, CURES, "Cures, and cubes left");
    for (k, color) in Color::ALL.into_iter().enumerate() {
        let x = CURES.left + 30.0 + 51.0 * k as f64;
        cure(doc, table, color, x);
        supply(doc, table, color, x);
    }
    doc.close();
}

/// Opens a plate on the sea with its title. The element stays open for its contents.
pub(super) fn plate(doc: &mut Doc, at: Rect, title: &str) {
    doc.open("g", &[("class", "ink"), ("fill", "#2a241d")]);
    let style = [
        ("class", "plate"),
        ("fill", "#fdf9f1"),
        ("fill-opacity", ".88"),
        ("stroke", "#b9aa8a"),
        ("stroke-opacity", ".7"),
    ];
    at.draw(doc, 10.0, &style);
    write(doc, at.left + 11.0, at.top + 18.0, title, &TITLE);
}

/// Draws the outbreak track from 0 to 8 in a zigzag.
fn outbreaks(doc: &mut Doc, table: &Scene<'_>) {
    let now = table.view.outbreaks;
    doc.open(
        "g",
        &[
            ("role", "img"),
            ("aria-label", &format!("{now} of {MAX_OUTBREAKS} outbreaks")),
        ],
    );
    plate(doc, OUTBREAKS, &format!("Outbreaks: {now}"));
    doc.open(
        "g",
        &[
            ("font-size", "13"),
            ("font-weight", "700"),
            ("text-anchor", "middle"),
        ],
    );
    for k in 0..=MAX_OUTBREAKS {
        let x = OUTBREAKS.left + 18.0 + 15.0 * f64::from(k);
        let y = OUTBREAKS.top + if k % 2 == 0 { 44.0 } else { 78.0 };
        // Colors from white to red.
        let paper = [
            "#fbf3e4", "#f9e8d3", "#f6d9bf", "#f2c7a8", "#ecb091", "#e5967a", "#dc7a64", "#d15a4c",
            "#b5271f",
        ];
        let class = if k == now { "step now" } else { "step" };
        let (cx, cy) = (n(x), n(y));
        let wide = if k == now { "3.2" } else { "1" };
        let stroke = if k == now { "#1f1a14" } else { "#a08a68" };
        let style = [
            ("class", class),
            ("cx", &*cx),
            ("cy", &*cy),
            ("r", "13.5"),
            ("fill", paper[usize::from(k)]),
            ("stroke", stroke),
            ("stroke-width", wide),
        ];
        doc.empty("circle", &style);
        let on = if k >= 7 { "#fff" } else { "#3a2015" };
        write(doc, x, y + 4.6, &k.to_string(), &[("fill", on)]);
    }
    doc.close();
    doc.close();
    doc.close();
}

/// Describes the infection rate.
pub(super) fn rate_label(table: &Scene<'_>) -> String {
    let view = table.view;
    format!(
        "Infection rate {}, step {} of {}; {}",
        view.rate,
        view.infection_rate + 1,
        RATES.len(),
        count(usize::from(view.epidemics), "epidemic")
    )
}

fn rate(doc: &mut Doc, table: &Scene<'_>) {
    let (now, rate) = (usize::from(table.view.infection_rate), table.view.rate);
    let label = rate_label(table);
    doc.open("g", &[("role", "img"), ("aria-label", &label)]);
    plate(doc, RATE, &format!("Infection rate {rate}"));
    doc.open(
        "g",
        &[
            ("font-size", "14"),
            ("font-weight", "700"),
            ("text-anchor", "middle"),
        ],
    );
    for (k, rate) in RATES.iter().enumerate() {
        let cell = Rect::new(
            RATE.left + 10.0 + 25.4 * k as f64,
            RATE.top + 28.0,
            23.4,
            32.0,
        );
        let (class, paper, on) = if k == now {
            ("step now", "#2f7d5b", "#fff")
        } else {
            ("step", "#eadfc8", "#5a4b34")
        };
        cell.draw(doc, 5.0, &[("class", class), ("fill", paper)]);
        write(
            doc,
            cell.left + 11.7,
            cell.top + 21.0,
            &rate.to_string(),
            &[("class", class), ("fill", on)],
        );
    }
    doc.close();
    doc.close();
    doc.close();
}

/// The state of a disease as it is shown and told.
pub(super) struct Cure {
    /// The words for screen readers. They begin with all that is shown, letter included, so that
    /// who speaks to their machine can say what they see.
    pub(super) label: String,
    /// The word that is shown.
    pub(super) word: &'static str,
}

/// Returns the state of a disease in words.
pub(super) fn cure_words(table: &Scene<'_>, color: Color) -> Cure {
    let (label, word) = if table.eradicated.contains(&color) {
        (format!("gone: {color} is eradicated"), "gone")
    } else if table.cured.contains(&color) {
        (format!("cured: {color}"), "cured")
    } else {
        let letter = color.letter();
        (format!("{letter} open: no cure for {color} yet"), "open")
    };
    Cure { label, word }
}

fn cure(doc: &mut Doc, table: &Scene<'_>, color: Color, x: f64) {
    let Cure { label, word } = cure_words(table, color);
    let id = ids::cure(color);
    doc.open(
        "g",
        &[
            ("id", &id),
            ("class", "place cure"),
            ("role", "img"),
            ("aria-label", &label),
        ],
    );
    room(doc, Rect::new(x - 23.0, CURES.top + 26.0, 46.0, 58.0));
    cure_shape(doc, table, color, x, CURES.top + 48.0);
    let weight = if word == "open" { "400" } else { "700" };
    write(
        doc,
        x,
        CURES.top + 79.0,
        word,
        &[
            ("class", "soft"),
            ("font-size", "11"),
            ("font-weight", weight),
            ("text-anchor", "middle"),
            ("fill", "#5f5444"),
        ],
    );
    doc.close();
}

/// Draws the shape of a disease: filled with a tick once it is cured, an outline with its letter
/// before.
pub(super) fn cure_shape(doc: &mut Doc, table: &Scene<'_>, color: Color, x: f64, y: f64) {
    let d = shape(color, x, y, 14.0);
    if table.cured.contains(&color) {
        doc.path(
            &d,
            &[
                ("fill", ink(color)),
                ("stroke", "#fffaf0"),
                ("stroke-width", "1.5"),
            ],
        );
        let tick = format!(
            "M{} {}l5 6 9-12",
            n(x - 7.0),
            n(y + if color == Color::Red { 3.0 } else { 1.0 })
        );
        doc.path(
            &tick,
            &[
                ("fill", "none"),
                ("stroke", on_ink(color)),
                ("stroke-width", "3"),
                ("stroke-linecap", "round"),
            ],
        );
    } else {
        let ring = [
            (
                "class",
                if color == Color::Black {
                    "ring k"
                } else {
                    "ring"
                },
            ),
            ("fill", "none"),
            ("stroke", ink(color)),
            ("stroke-width", "2.2"),
            ("stroke-dasharray", "4 3"),
        ];
        doc.path(&d, &ring);
        let down = if color == Color::Red { 7.0 } else { 4.5 };
        write(
            doc,
            x,
            y + down,
            &color.letter().to_string(),
            &[
                ("font-size", "13"),
                ("font-weight", "700"),
                ("text-anchor", "middle"),
            ],
        );
    }
}

fn supply(doc: &mut Doc, table: &Scene<'_>, color: Color, x: f64) {
    let left = table.of_color(&table.view.supply, color);
    let (id, label) = (
        ids::supply(color),
        format!(
            "{} left",
            count(usize::from(left), &format!("{color} cube"))
        ),
    );
    let y = CURES.top + 90.0;
    doc.open(
        "g",
        &[
            ("id", &id),
            ("class", "place supply"),
            ("role", "img"),
            ("aria-label", &label),
        ],
    );
    room(doc, Rect::new(x - 23.0, y, 46.0, 48.0));
    symbol(doc, pieces::cube(color), x, y + 12.0, &[]);
    let class = if left <= 5 { "low" } else { "count" };
    let fill = if left <= 5 { "#b3261e" } else { "#2a241d" };
    write(
        doc,
        x,
        y + 38.0,
        &left.to_string(),
        &[
            ("class", class),
            ("font-size", "17"),
            ("font-weight", "700"),
            ("text-anchor", "middle"),
            ("fill", fill),
        ],
    );
    doc.close();
}
