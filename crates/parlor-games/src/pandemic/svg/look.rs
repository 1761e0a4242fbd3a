//! Colors, shapes and drawing helpers shared by all parts of the picture.

use parlor_pandemic::{City, Color, Role};

use crate::svg::{Doc, number};

/// Returns a disease's color. It is always used together with a shape or a letter.
pub(super) const fn ink(color: Color) -> &'static str {
    match color {
        Color::Blue => "#2b63ad",
        Color::Yellow => "#e3b22a",
        Color::Black => "#35353f",
        Color::Red => "#c2352b",
    }
}

/// Returns the color of text on a disease's color.
pub(super) const fn on_ink(color: Color) -> &'static str {
    if matches!(color, Color::Yellow) {
        "#3a2a00"
    } else {
        "#fff"
    }
}

/// Returns a disease's shape as path data: circle, diamond, square or triangle. `size` is about
/// half its width.
pub(super) fn shape(color: Color, x: f64, y: f64, size: f64) -> String {
    let [s, x, y] = [size, x, y];
    match color {
        Color::Blue => format!("M{} {}a{s} {s} 0 1 1 0 .01z", n(x - s), n(y)),
        Color::Yellow => {
            let d = n(s * 1.2);
            format!("M{} {}l{d} {d} -{d} {d} -{d}-{d}z", n(x), n(y - s * 1.2))
        }
        Color::Black => format!(
            "M{} {}h{w}v{w}h-{w}z",
            n(x - s * 0.9),
            n(y - s * 0.9),
            w = n(s * 1.8)
        ),
        Color::Red => {
            format!(
                "M{} {}l{w} {h}h-{b}z",
                n(x),
                n(y - s * 1.2),
                w = n(s * 1.15),
                h = n(s * 2.0),
                b = n(s * 2.3)
            )
        }
    }
}

/// Returns a role's color and the color of text on it.
pub(super) const fn role(role: Role) -> (&'static str, &'static str) {
    match role {
        Role::ContingencyPlanner => ("#3fa9c9", "#06222b"),
        Role::Dispatcher => ("#b0479f", "#fff"),
        Role::Medic => ("#e8772e", "#2b1000"),
        Role::OperationsExpert => ("#79b83a", "#12260a"),
        Role::QuarantineSpecialist => ("#1f6b43", "#fff"),
        Role::Researcher => ("#8a5a33", "#fff"),
        Role::Scientist => ("#f4f1ea", "#2a241d"),
    }
}

/// Returns the letter on a role's pawn, unique to each role.
pub(super) fn initial(role: Role) -> &'static str {
    &role.name()[..1]
}

/// Formats a number for SVG.
pub(super) fn n(value: f64) -> String {
    number(value)
}

/// Returns the coordinates of a city on the map, in whole units.
pub(super) fn place(city: City) -> (f64, f64) {
    let (x, y) = city.place();
    // Farther to the west, Kolkata leaves room for the name of Hong Kong.
    let aside = if city.name() == "Kolkata" { 13.0 } else { 0.0 };
    (
        (f64::from(x) * super::WIDTH).round() - aside,
        (f64::from(y) * super::MAP).round(),
    )
}

/// Rectangle in user units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rect {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Rect {
    pub(super) const fn new(left: f64, top: f64, width: f64, height: f64) -> Rect {
        Rect {
            left,
            top,
            width,
            height,
        }
    }

    /// Draws the rectangle with rounded corners.
    pub(super) fn draw(&self, doc: &mut Doc, round: f64, attributes: &[(&str, &str)]) {
        let [x, y, width, height, r] = [self.left, self.top, self.width, self.height, round].map(n);
        let mut all = vec![
            ("x", &*x),
            ("y", &*y),
            ("width", &*width),
            ("height", &*height),
            ("rx", &*r),
        ];
        all.extend_from_slice(attributes);
        doc.empty("rect", &all);
    }
}

/// Draws a copy of a shape defined elsewhere.
pub(super) fn symbol(doc: &mut Doc, what: &str, x: f64, y: f64, attributes: &[(&str, &str)]) {
    let (href, x, y) = (format!("#{what}"), n(x), n(y));
    let mut all = vec![("href", &*href), ("x", &*x), ("y", &*y)];
    all.extend_from_slice(attributes);
    doc.empty("use", &all);
}

/// Draws a text that starts at `x`, unless its attributes change the anchor.
pub(super) fn write(doc: &mut Doc, x: f64, y: f64, text: &str, attributes: &[(&str, &str)]) {
    let (x, y) = (n(x), n(y));
    let mut all = vec![("x", &*x), ("y", &*y)];
    all.extend_from_slice(attributes);
    doc.open("text", &all);
    doc.content(text);
    doc.close();
}

/// Draws an invisible copy of a shape that takes clicks and lights up if a click is legal.
pub(super) fn cell(doc: &mut Doc, what: &str, x: f64, y: f64) {
    symbol(doc, what, x, y, &[("class", "cell"), ("fill", "none")]);
}

/// Draws a rectangle that takes clicks.
pub(super) fn room(doc: &mut Doc, room: Rect) {
    room.draw(
        doc,
        7.0,
        &[
            ("class", "cell"),
            ("fill", "none"),
            ("pointer-events", "all"),
        ],
    );
}

/// Formats a count: `1 cube`, `2 cubes`.
pub(super) fn count(many: usize, what: &str) -> String {
    format!("{many} {what}{}", if many == 1 { "" } else { "s" })
}

/// Returns the width of a text relative to its font size, in the widest of the usual fonts.
pub(super) fn breadth(text: &str) -> f64 {
    let letter = |letter: char| match letter {
        'i' | 'j' | 'l' | 'I' | 'J' | '.' | ' ' => 0.32,
        'f' | 'r' | 't' => 0.42,
        'm' | 'M' | 'W' => 0.98,
        'w' => 0.82,
        'A'..='Z' => 0.79,
        _ => 0.64,
    };
    text.chars().map(letter).sum()
}
