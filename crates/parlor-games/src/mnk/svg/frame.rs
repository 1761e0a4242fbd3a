//! Grid lines and coordinates on the wood.

use crate::mnk::view::MnkView;
use crate::svg::wood::{self, Rect};
use crate::svg::{Doc, number};

/// Number of rows or columns from which marks are stones on crossings.
const STONES_FROM: u8 = 9;
/// Number of rows or columns from which the frame shows coordinates.
const COORDINATES_FROM: u8 = 4;

/// Layout of the picture, in user units.
pub(super) struct Frame {
    pub(super) cell: f64,
    pub(super) stones: bool,
    rows: u8,
    columns: u8,
    margin: f64,
    coordinates: bool,
}

impl Frame {
    pub(super) fn from_view(view: &MnkView) -> Frame {
        let longer = view.rows.max(view.columns);
        let stones = longer >= STONES_FROM;
        let coordinates = longer >= COORDINATES_FROM;
        let (cell, margin) = match (stones, coordinates) {
            (true, _) => (40.0, 27.0),
            (false, true) => (100.0, 46.0),
            (false, false) => (100.0, 26.0),
        };
        Frame {
            cell,
            stones,
            rows: view.rows,
            columns: view.columns,
            margin,
            coordinates,
        }
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

    /// Draws everything below the marks.
    pub(super) fn draw(&self, doc: &mut Doc) {
        self.wood(doc);
        let d = if self.stones {
            self.crossings()
        } else {
            self.grooves()
        };
        wood::groove(doc, &d, if self.stones { 1.1 } else { 3.4 });
        self.dots(doc);
        if self.coordinates {
            self.coordinates(doc);
        }
    }

    fn wood(&self, doc: &mut Doc) {
        wood::board(doc, self.width(), self.height(), self.margin * 0.8);
        let (left, top) = (self.left(0), self.top(0));
        let (width, height) = (self.left(self.columns) - left, self.top(self.rows) - top);
        let field = Rect {
            left,
            top,
            width,
            height,
        };
        wood::inlay(doc, field.grown(if self.stones { 4.0 } else { 7.0 }));
        wood::field(doc, field);
    }

    /// Returns the lines between the cells, which stop short of the field's edge.
    fn grooves(&self) -> String {
        let short = 12.0;
        let mut d = String::new();
        for column in 1..self.columns {
            let x = number(self.left(column));
            d += &format!(
                "M{x} {}V{}",
                number(self.top(0) + short),
                number(self.top(self.rows) - short)
            );
        }
        for row in 1..self.rows {
            let y = number(self.top(row));
            d += &format!(
                "M{} {y}H{}",
                number(self.left(0) + short),
                number(self.left(self.columns) - short)
            );
        }
        d
    }

    /// Returns the lines through the centers of the cells.
    fn crossings(&self) -> String {
        let mut d = String::new();
        for column in 0..self.columns {
            let x = number(self.center_x(column));
            d += &format!(
                "M{x} {}V{}",
                number(self.center_y(0)),
                number(self.center_y(self.rows - 1))
            );
        }
        for row in 0..self.rows {
            let y = number(self.center_y(row));
            d += &format!(
                "M{} {y}H{}",
                number(self.center_x(0)),
                number(self.center_x(self.columns - 1))
            );
        }
        d
    }

    /// Draws the star points on a board of stones.
    fn dots(&self, doc: &mut Doc) {
        if !self.stones || self.rows != self.columns || self.rows.is_multiple_of(2) {
            return;
        }
        let (edge, middle) = (3, self.rows / 2);
        let far = self.rows - 1 - edge;
        let mut d = String::new();
        for (row, column) in [
            (edge, edge),
            (edge, far),
            (far, edge),
            (far, far),
            (middle, middle),
        ] {
            d += &format!(
                "M{} {}h0",
                number(self.center_x(column)),
                number(self.center_y(row))
            );
        }
        let style = [
            ("class", "groove"),
            ("stroke", "#80562b"),
            ("stroke-width", "7"),
            ("stroke-linecap", "round"),
        ];
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
                (
                    "font-family",
                    "ui-rounded,'Avenir Next','Segoe UI',system-ui,sans-serif",
                ),
                ("font-weight", "600"),
                ("pointer-events", "none"),
            ],
        );
        let middle = (self.margin - if self.stones { 4.0 } else { 7.0 }) / 2.0;
        for column in 0..self.columns {
            doc.text_with(
                self.center_x(column),
                middle + down,
                size,
                &(column + 1).to_string(),
                &[],
            );
        }
        for row in 0..self.rows {
            doc.text_with(
                middle,
                self.center_y(row) + down,
                size,
                &(row + 1).to_string(),
                &[],
            );
        }
        doc.close();
    }
}
