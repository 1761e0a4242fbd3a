//! Marks of the seats, shared by all games in which seats place marks. They differ in shape as well
//! as in color.

use std::f64::consts::TAU;

use super::{Doc, number};

/// Side of the cells for which lacquered marks are designed.
const DRAWN_FOR: f64 = 100.0;
/// Lacquer colors by seat, for marks on a tray.
const INKS: [&str; 8] = [
    "#22405f", "#a8361e", "#2c6549", "#6a3d7c", "#6d4c0d", "#17626b", "#8c2f5d", "#3d3a38",
];
/// Stone colors by seat: the lit side, the shaded side, the engraving.
const STONES: [(&str, &str, &str); 8] = [
    ("#55504b", "#141210", "#e9dcc6"),
    ("#fffdf6", "#d5c8b2", "#9c3019"),
    ("#4f9372", "#1d4a34", "#f6efdf"),
    ("#8a5a9c", "#472355", "#f6efdf"),
    ("#a67a26", "#573c08", "#fff6df"),
    ("#33858f", "#0f474e", "#f6efdf"),
    ("#b04f7d", "#66203f", "#f6efdf"),
    ("#8b8782", "#4a4744", "#fffaf0"),
];

/// Returns the id of a seat's mark among the picture's definitions.
pub(crate) fn id(seat: usize) -> String {
    format!("mark-{seat}")
}

/// Defines every seat's mark as a stone for crossings 40 units apart, centered on the origin.
pub(crate) fn define_stones(doc: &mut Doc, symbols: &[String]) {
    for (seat, symbol) in symbols.iter().enumerate() {
        stone_color(doc, seat);
        doc.open("g", &[("id", &id(seat))]);
        stone(doc, seat, symbol);
        doc.close();
    }
}

/// Defines every seat's mark in lacquer for cells of `cell` units, centered on the origin.
pub(crate) fn define<S: AsRef<str>>(doc: &mut Doc, symbols: &[S], cell: f64) {
    for (seat, symbol) in symbols.iter().enumerate() {
        doc.open("g", &[("id", &id(seat))]);
        let scale = format!("scale({})", number(cell / DRAWN_FOR));
        if cell != DRAWN_FOR {
            doc.open("g", &[("transform", &scale)]);
        }
        lacquer(doc, seat, symbol.as_ref());
        if cell != DRAWN_FOR {
            doc.close();
        }
        doc.close();
    }
}

/// Draws a mark on a tray.
fn lacquer(doc: &mut Doc, seat: usize, symbol: &str) {
    match drawn(symbol, 25.0) {
        Some(d) => brush(doc, &d, seat, 14.0),
        None => token(doc, seat, symbol, INKS[seat % INKS.len()]),
    }
}

/// Draws the mark of a seat whose symbol is a cross or a ring. `reach` is the distance from its
/// center to its ends, `width` that of the strokes.
pub(crate) fn large(doc: &mut Doc, seat: usize, symbol: &str, reach: f64, width: f64) {
    if let Some(d) = drawn(symbol, reach) {
        brush(doc, &d, seat, width);
    }
}

/// Draws a stroke in a seat's color: shadow, body and highlight.
fn brush(doc: &mut Doc, d: &str, seat: usize, width: f64) {
    let class = format!("ink ink-{}", seat % INKS.len());
    let (body, light) = (number(width), number(width * 0.21));
    doc.open("g", &[("fill", "none"), ("stroke-linecap", "round")]);
    let shade = [
        ("class", "mark-shade"),
        ("transform", "translate(1 4)"),
        ("stroke", "#2b1503"),
    ];
    doc.path(
        d,
        &[
            &shade[..],
            &[("stroke-opacity", "0.25"), ("stroke-width", &body)],
        ]
        .concat(),
    );
    doc.path(
        d,
        &[
            ("class", &class),
            ("stroke", INKS[seat % INKS.len()]),
            ("stroke-width", &body),
        ],
    );
    let shine = [
        ("class", "mark-shine"),
        ("transform", "translate(-1 -2.4)"),
        ("stroke", "#fff"),
    ];
    doc.path(
        d,
        &[
            &shine[..],
            &[("stroke-opacity", "0.22"), ("stroke-width", &light)],
        ]
        .concat(),
    );
    doc.close();
}

/// Draws a tile with the symbol on it, for symbols other than cross and ring.
fn token(doc: &mut Doc, seat: usize, symbol: &str, ink: &str) {
    let d = outline(seat);
    let join = [("stroke-linejoin", "round"), ("stroke-width", "9")];
    let shade = [
        ("class", "mark-shade"),
        ("transform", "translate(1 4)"),
        ("fill", "#2b1503"),
        ("stroke", "#2b1503"),
    ];
    doc.path(&d, &[&shade[..], &join, &[("opacity", "0.25")]].concat());
    let class = format!("tile tile-{}", seat % INKS.len());
    doc.path(
        &d,
        &[
            &[("class", class.as_str()), ("fill", ink), ("stroke", ink)][..],
            &join,
        ]
        .concat(),
    );
    letter(doc, 38.0, symbol, "tile-letter", "#fdf3dd");
}

fn letter(doc: &mut Doc, size: f64, symbol: &str, class: &str, fill: &str) {
    let font = (
        "font-family",
        "ui-rounded,'Avenir Next','Segoe UI',system-ui,sans-serif",
    );
    doc.text_with(
        0.0,
        size * 0.36,
        size,
        symbol,
        &[
            ("class", class),
            ("fill", fill),
            font,
            ("font-weight", "700"),
        ],
    );
}

fn stone_color(doc: &mut Doc, seat: usize) {
    let (lit, shaded, _) = STONES[seat % STONES.len()];
    doc.open(
        "radialGradient",
        &[
            ("id", &format!("stone-color-{seat}")),
            ("cx", "0.38"),
            ("cy", "0.32"),
            ("r", "0.75"),
        ],
    );
    doc.empty("stop", &[("offset", "0"), ("stop-color", lit)]);
    doc.empty("stop", &[("offset", "1"), ("stop-color", shaded)]);
    doc.close();
}

/// Draws a stone with its symbol engraved.
fn stone(doc: &mut Doc, seat: usize, symbol: &str) {
    let engraving = STONES[seat % STONES.len()].2;
    doc.empty(
        "ellipse",
        &[
            ("cx", "0.8"),
            ("cy", "2.4"),
            ("rx", "17"),
            ("ry", "16.6"),
            ("fill", "#2b1503"),
            ("opacity", "0.32"),
        ],
    );
    let fill = format!("url(#stone-color-{seat})");
    doc.empty(
        "circle",
        &[
            ("r", "16.6"),
            ("fill", &fill),
            ("stroke", "#2b1503"),
            ("stroke-opacity", "0.35"),
            ("stroke-width", "0.8"),
        ],
    );
    match drawn(symbol, 5.6) {
        Some(d) => doc.path(
            &d,
            &[
                ("fill", "none"),
                ("stroke", engraving),
                ("stroke-width", "2.6"),
                ("stroke-linecap", "round"),
            ],
        ),
        None => letter(doc, 17.0, symbol, "stone-letter", engraving),
    }
}

/// Returns the path data of a cross or ring; `None` for all other symbols, which are written as
/// text.
fn drawn(symbol: &str, reach: f64) -> Option<String> {
    let r = number(reach);
    match symbol {
        "X" | "x" | "×" => Some(format!("M-{r}-{r}L{r} {r}M{r}-{r}L-{r} {r}")),
        "O" | "o" | "0" => {
            let (r, wide) = (number(reach * 1.08), number(reach * 2.16));
            Some(format!(
                "M-{r} 0a{r} {r} 0 1 1 {wide} 0a{r} {r} 0 1 1-{wide} 0z"
            ))
        }
        _ => None,
    }
}

/// Returns the outline of a seat's tile: square, disc, hexagon, diamond, pentagon, octagon, house,
/// triangle.
fn outline(seat: usize) -> String {
    match seat % 8 {
        0 => "M-25-25H25V25H-25z".to_owned(),
        1 => polygon(40, 30.0, 0.0),
        2 => polygon(6, 31.0, 0.0),
        3 => polygon(4, 36.0, 0.0),
        4 => polygon(5, 33.0, -0.25),
        5 => polygon(8, 31.0, 0.0625),
        6 => "M-25-8L0-32 25-8V26H-25z".to_owned(),
        _ => "M-36 26L0-36 36 26z".to_owned(),
    }
}

/// Returns a regular polygon rotated by `turned` full turns.
fn polygon(corners: u16, reach: f64, turned: f64) -> String {
    let corner = |i: u16| {
        let angle = TAU * (f64::from(i) / f64::from(corners) + turned);
        format!(
            "{} {}",
            number(reach * angle.cos()),
            number(reach * angle.sin())
        )
    };
    format!(
        "M{}z",
        (0..corners).map(corner).collect::<Vec<_>>().join("L")
    )
}
