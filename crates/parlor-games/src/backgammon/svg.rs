//! The picture of a game of backgammon.

use super::view::View;
use crate::svg::{Doc, number};

/// The id of a place's element: `point-0` to `point-23` by the row, `bar-white`, `off-black`.
pub fn place_id(color: &str, place: i8) -> String {
    match place {
        -1 => format!("bar-{color}"),
        24 => format!("off-{color}"),
        place => format!("point-{place}"),
    }
}

/// Draws a view.
pub fn draw(view: &View) -> String {
    let mut doc = Doc::new(780.0, 100.0, "Backgammon");
    for (n, count) in view.board.iter().enumerate() {
        let id = place_id("", n as i8);
        doc.open("g", &[("id", &id), ("class", "place"), ("aria-label", &format!("point {}: {count}", n + 1))]);
        let x = number(10.0 + 30.0 * n as f64);
        doc.empty("rect", &[("x", &x), ("y", "20"), ("width", "28"), ("height", "60"), ("fill", "#eee")]);
        doc.text(24.0 + 30.0 * n as f64, 55.0, 16.0, "label", &count.to_string());
        doc.close();
    }
    doc.finish()
}
