//! Wood, lines and coordinates.

use crate::mnk::view::View;
use crate::svg::{Doc, number};

/// From this many rows or columns on, marks are stones on crossings.
const STONES_FROM: u8 = 9;
/// From this many rows or columns on, the frame carries coordinates.
const COORDINATES_FROM: u8 = 4;

/// Where everything lies, in user units.
pub(super) struct Frame {
    pub(super) cell: f64,
    pub(super) stones: bool,
    rows: u8,
    columns: u8,
    margin: f64,
    coordinates: bool,
}

impl Frame {
    pub(super) fn of(view: &View) -> Frame {
        let longer = view.rows.max(view.columns);
        let stones = longer >= STONES_FROM;
        let coordinates = longer >= COORDINATES_FROM;
        let (cell, margin) = match (stones, coordinates) {
            (true, _) => (40.0, 27.0),
            (false, true) => (100.0, 46.0),
            (false, false) => (100.0, 26.0),
        };
        Frame { cell, stones, rows: view.rows, columns: view.columns, margin, coordinates }
    }

    pub(super) fn width(&self) -> f64 {
        self.left(self.columns) + self.margin
    }

    pub(super) fn height(&self) -> f64 {
        self.top(self.rows) + self.margin
    }

    pub(super) fn left(&self, column: u8) -> f64 {
        self.margin + f64::from(column) * self.cell
    }

    pub(super) fn top(&self, row: u8) -> f64 {
        self.margin + f64::from(row) * self.cell
    }

    pub(super) fn center_x(&self, column: u8) -> f64 {
        self.left(column) + self.cell / 2.0
    }

    pub(super) fn center_y(&self, row: u8) -> f64 {
        self.top(row) + self.cell / 2.0
    }

    /// Everything below the marks.
    pub(super) fn draw(&self, doc: &mut Doc) {
        self.wood(doc);
        let d = if self.stones { self.crossings() } else { self.grooves() };
        let (light, dark) = if self.stones { ("0.8", "1.1") } else { ("3", "3.4") };
        let offset = if self.stones { "translate(0.7 0.7)" } else { "translate(2 2)" };
        doc.open("g", &[("fill", "none"), ("stroke-linecap", "round")]);
        doc.path(
            &d,
            &[
                ("class", "groove-light"),
                ("transform", offset),
                ("stroke", "#fff3d6"),
                ("stroke-opacity", "0.7"),
                ("stroke-width", light),
            ],
        );
        doc.path(&d, &[("class", "groove"), ("stroke", "#80562b"), ("stroke-width", dark)]);
        doc.close();
        self.dots(doc);
        if self.coordinates {
            self.coordinates(doc);
        }
    }

    fn wood(&self, doc: &mut Doc) {
        let (w, h) = (number(self.width()), number(self.height()));
        let round = self.margin * 0.8;
        let all = |class, fill| [("class", class), ("width", w.as_str()), ("height", h.as_str()), ("fill", fill)];
        let corner = number(round);
        doc.empty("rect", &[&all("frame", "url(#wood-frame)")[..], &[("rx", &corner)]].concat());
        doc.empty("rect", &[&all("grain", "url(#grain)")[..], &[("rx", &corner), ("opacity", "0.5")]].concat());
        let edge = number(round - 1.5);
        let (iw, ih) = (number(self.width() - 3.0), number(self.height() - 3.0));
        let rim = [("class", "rim"), ("x", "1.5"), ("y", "1.5"), ("width", &iw), ("height", &ih), ("rx", &edge)];
        doc.empty("rect", &[&rim[..], &[("fill", "none"), ("stroke", "#fff"), ("stroke-opacity", "0.16")]].concat());
        // A hairline of brass runs around the field.
        let inlay = if self.stones { 4.0 } else { 7.0 };
        self.field(doc, inlay, &[("class", "inlay"), ("fill", "none"), ("stroke", "#d8b573"), ("stroke-width", "1.6")]);
        self.field(doc, 0.0, &[("class", "field"), ("fill", "url(#wood-field)")]);
        self.field(doc, 0.0, &[("class", "grain"), ("fill", "url(#grain)")]);
        // The field lies deeper than the frame: its upper left edge is in shade, its lower right edge catches light.
        let (l, t) = (self.left(0) + 1.0, self.top(0) + 1.0);
        let (r, b) = (self.left(self.columns) - 1.0, self.top(self.rows) - 1.0);
        let [left, top, right, bottom] = [l, t, r, b].map(number);
        let [inner_left, inner_top, inner_right, inner_bottom] = [l + 5.0, t + 5.0, r - 5.0, b - 5.0].map(number);
        let inner = [("fill", "none"), ("stroke-width", "2"), ("stroke-linecap", "round")];
        let shade = format!("M{left} {inner_bottom}V{inner_top}Q{left} {top} {inner_left} {top}H{inner_right}");
        let dark = [("class", "edge-shade"), ("stroke", "#3b2009"), ("stroke-opacity", "0.45")];
        doc.path(&shade, &[&inner[..], &dark].concat());
        let shine = format!("M{inner_left} {bottom}H{inner_right}Q{right} {bottom} {right} {inner_bottom}V{inner_top}");
        let light = [("class", "edge-shine"), ("stroke", "#fff6e0"), ("stroke-opacity", "0.35")];
        doc.path(&shine, &[&inner[..], &light].concat());
    }

    /// The field's rectangle, grown by so much on every side.
    fn field(&self, doc: &mut Doc, grown: f64, attributes: &[(&str, &str)]) {
        let x = number(self.left(0) - grown);
        let y = number(self.top(0) - grown);
        let width = number(self.left(self.columns) - self.left(0) + 2.0 * grown);
        let height = number(self.top(self.rows) - self.top(0) + 2.0 * grown);
        let place = [("x", x.as_str()), ("y", &y), ("width", &width), ("height", &height), ("rx", "6")];
        doc.empty("rect", &[&place[..], attributes].concat());
    }

    /// Lines between the cells, stopping short of the field's edge.
    fn grooves(&self) -> String {
        let short = 12.0;
        let mut d = String::new();
        for column in 1..self.columns {
            let x = number(self.left(column));
            d += &format!("M{x} {}V{}", number(self.top(0) + short), number(self.top(self.rows) - short));
        }
        for row in 1..self.rows {
            let y = number(self.top(row));
            d += &format!("M{} {y}H{}", number(self.left(0) + short), number(self.left(self.columns) - short));
        }
        d
    }

    /// Lines through the middle of the cells.
    fn crossings(&self) -> String {
        let mut d = String::new();
        for column in 0..self.columns {
            let x = number(self.center_x(column));
            d += &format!("M{x} {}V{}", number(self.center_y(0)), number(self.center_y(self.rows - 1)));
        }
        for row in 0..self.rows {
            let y = number(self.center_y(row));
            d += &format!("M{} {y}H{}", number(self.center_x(0)), number(self.center_x(self.columns - 1)));
        }
        d
    }

    /// The points that help the eye on a board of stones.
    fn dots(&self, doc: &mut Doc) {
        if !self.stones || self.rows != self.columns || self.rows.is_multiple_of(2) {
            return;
        }
        let (edge, middle) = (3, self.rows / 2);
        let far = self.rows - 1 - edge;
        let mut d = String::new();
        for (row, column) in [(edge, edge), (edge, far), (far, edge), (far, far), (middle, middle)] {
            d += &format!("M{} {}h0", number(self.center_x(column)), number(self.center_y(row)));
        }
        let style = [("class", "groove"), ("stroke", "#80562b"), ("stroke-width", "7"), ("stroke-linecap", "round")];
        doc.path(&d, &style);
    }

    fn coordinates(&self, doc: &mut Doc) {
        let size = if self.stones { 12.0 } else { 20.0 };
        let down = size * 0.36;
        doc.open(
            "g",
            &[
                ("class", "coordinates"),
                ("aria-hidden", "true"),
                ("fill", "#efd9b4"),
                ("font-family", "ui-rounded,'Avenir Next','Segoe UI',system-ui,sans-serif"),
                ("font-weight", "600"),
                ("pointer-events", "none"),
            ],
        );
        let middle = (self.margin - if self.stones { 4.0 } else { 7.0 }) / 2.0;
        for column in 0..self.columns {
            doc.text_with(self.center_x(column), middle + down, size, &(column + 1).to_string(), &[]);
        }
        for row in 0..self.rows {
            doc.text_with(middle, self.center_y(row) + down, size, &(row + 1).to_string(), &[]);
        }
        doc.close();
    }
}

/// The gradients and the grain.
pub(super) fn define(doc: &mut Doc) {
    gradient(
        doc,
        "wood-frame",
        &[("0", "frame-a", "#7b4d2c"), ("0.55", "frame-b", "#68401f"), ("1", "frame-c", "#583317")],
    );
    gradient(
        doc,
        "wood-field",
        &[("0", "field-a", "#f1dab0"), ("0.5", "field-b", "#e8cb98"), ("1", "field-c", "#dfbd84")],
    );
    doc.open("pattern", &[("id", "grain"), ("width", "260"), ("height", "118"), ("patternUnits", "userSpaceOnUse")]);
    let waves = [
        ("M0 9q65-7 130 0t130 0M0 27q65 5 130 0t130 0M0 71q65 9 130 0t130 0", "0.09", "1.6"),
        ("M0 17q65-4 130 0t130 0M0 46q65-11 130 0t130 0M0 96q65 4 130 0t130 0", "0.07", "3.2"),
        ("M0 36q65 8 130 0t130 0M0 58q65-6 130 0t130 0M0 84q65-8 130 0t130 0M0 108q65 6 130 0t130 0", "0.06", "1"),
    ];
    for (d, opacity, width) in waves {
        let style = [("fill", "none"), ("stroke", "#5a3110"), ("stroke-opacity", opacity), ("stroke-width", width)];
        doc.path(d, &style);
    }
    doc.close();
}

fn gradient(doc: &mut Doc, id: &str, stops: &[(&str, &str, &str)]) {
    doc.open("linearGradient", &[("id", id), ("x1", "0"), ("y1", "0"), ("x2", "0.35"), ("y2", "1")]);
    for (offset, class, color) in stops {
        doc.empty("stop", &[("offset", offset), ("class", class), ("stop-color", color)]);
    }
    doc.close();
}
