//! The panel with its holes, and its feet.

use super::HOLE;
use crate::connect_four::view::ConnectFourView;
use crate::svg::{Doc, number};

/// Width of a slot.
const SLOT: f64 = 100.0;
/// Width of the panel's rim around the slots.
const RIM: f64 = 26.0;
/// Space on the left and right for the feet.
const SIDE: f64 = 34.0;
/// Space above the panel for the next disc.
const ABOVE: f64 = 96.0;
/// Height of the panel's lower rim, which shows the numbers of the columns.
const NUMBERS: f64 = 44.0;
/// Height of the feet below the panel.
const FEET: f64 = 46.0;

/// Layout of the picture, in user units.
pub(super) struct BoardStand {
    columns: u8,
    rows: u8,
}

impl BoardStand {
    pub(super) fn new(view: &ConnectFourView) -> BoardStand {
        BoardStand {
            columns: view.columns,
            rows: view.rows,
        }
    }

    pub(super) fn width(&self) -> f64 {
        self.right() + SIDE
    }

    pub(super) fn height(&self) -> f64 {
        self.bottom() + FEET
    }

    /// Returns the x coordinate of the center of a column, counted from 0.
    pub(super) fn x(&self, column: u8) -> f64 {
        SIDE + RIM + SLOT * (f64::from(column) + 0.5)
    }

    /// Returns the y coordinate of the center of a row, counted from 0 at the top.
    pub(super) fn y(&self, row: u8) -> f64 {
        ABOVE + RIM + SLOT * (f64::from(row) + 0.5)
    }

    /// Returns the y coordinate of the center of a disc above the panel.
    pub(super) fn above(&self) -> f64 {
        ABOVE / 2.0
    }

    /// Returns the y coordinate of the panel's lower edge.
    pub(super) fn bottom(&self) -> f64 {
        ABOVE + RIM + SLOT * f64::from(self.rows) + NUMBERS
    }

    /// Returns the x coordinate of the panel's right edge.
    fn right(&self) -> f64 {
        SIDE + 2.0 * RIM + SLOT * f64::from(self.columns)
    }

    /// Draws the feet, and the wall behind the holes.
    pub(super) fn back(&self, doc: &mut Doc) {
        self.feet(doc);
        let [x, y] = [SIDE + 8.0, ABOVE + 8.0].map(number);
        let width = number(self.right() - SIDE - 16.0);
        let height = number(self.bottom() - ABOVE - 16.0);
        doc.empty(
            "rect",
            &[
                ("class", "wall"),
                ("x", &x),
                ("y", &y),
                ("width", &width),
                ("height", &height),
                ("rx", "20"),
                ("fill", "#dce5f4"),
            ],
        );
    }

    /// Draws a foot on each side: a post next to the panel, on a base.
    fn feet(&self, doc: &mut Doc) {
        let (top, floor) = (ABOVE + 60.0, self.height() - 6.0);
        for (x, inner) in [(SIDE, 1.0), (self.right(), -1.0)] {
            let d = format!(
                "M{} {}Q{} {} {} {}V{}H{}Q{} {} {} {}H{}Q{} {} {} {}V{}z",
                number(x + inner * 10.0),
                number(top),
                number(x - inner * 14.0),
                number(top),
                number(x - inner * 14.0),
                number(top + 24.0),
                number(floor - 26.0),
                number(x - inner * 18.0),
                number(x - inner * 31.0),
                number(floor - 22.0),
                number(x - inner * 31.0),
                number(floor),
                number(x + inner * 56.0),
                number(x + inner * 56.0),
                number(floor - 22.0),
                number(x + inner * 40.0),
                number(floor - 26.0),
                number(self.bottom() - 20.0),
            );
            doc.path(&d, &[("class", "foot"), ("fill", "#12388f")]);
        }
    }

    /// Draws the panel in front of the discs.
    pub(super) fn panel(&self, doc: &mut Doc) {
        let d = self.outline() + &self.holes(HOLE);
        doc.open("g", &[("class", "front"), ("pointer-events", "none")]);
        doc.path(
            &d,
            &[
                ("class", "panel"),
                ("fill", "#1f57c3"),
                ("fill-rule", "evenodd"),
            ],
        );
        let edge = [
            ("class", "panel-edge"),
            ("fill", "none"),
            ("stroke", "#5b8df0"),
            ("stroke-width", "3"),
            ("stroke-opacity", "0.8"),
        ];
        doc.path(&self.rim_light(), &edge);
        self.rims(doc);
        self.numbers(doc);
        doc.close();
    }

    fn outline(&self) -> String {
        let (left, top, right, bottom) = (SIDE, ABOVE, self.right(), self.bottom());
        let round = 26.0;
        format!(
            "M{} {}H{}a{r} {r} 0 0 1 {r} {r}V{}a{r} {r} 0 0 1 -{r} {r}\
             H{}a{r} {r} 0 0 1 -{r} -{r}V{}a{r} {r} 0 0 1 {r} -{r}z",
            number(left + round),
            number(top),
            number(right - round),
            number(bottom - round),
            number(left + round),
            number(top + round),
            r = number(round),
        )
    }

    /// Returns the highlight along the upper edge.
    fn rim_light(&self) -> String {
        format!(
            "M{} {}Q{} {y} {} {y}H{}Q{} {y} {} {}",
            number(SIDE + 4.0),
            number(ABOVE + 26.0),
            number(SIDE + 5.0),
            number(SIDE + 26.0),
            number(self.right() - 26.0),
            number(self.right() - 5.0),
            number(self.right() - 4.0),
            number(ABOVE + 26.0),
            y = number(ABOVE + 4.0),
        )
    }

    /// Returns a circle for every slot, as path data.
    fn holes(&self, radius: f64) -> String {
        let r = number(radius);
        let across = number(2.0 * radius);
        let mut d = String::new();
        for row in 0..self.rows {
            for column in 0..self.columns {
                let (x, y) = (number(self.x(column) - radius), number(self.y(row)));
                d += &format!("M{x} {y}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0 -{across} 0z");
            }
        }
        d
    }

    /// Draws the edges of the holes: shaded above, lit below.
    fn rims(&self, doc: &mut Doc) {
        let half = |sweep: u8| {
            let radius = HOLE + 1.5;
            let r = number(radius);
            let mut d = String::new();
            for row in 0..self.rows {
                for column in 0..self.columns {
                    let (x, y) = (number(self.x(column) - radius), number(self.y(row)));
                    d += &format!("M{x} {y}a{r} {r} 0 0 {sweep} {} 0", number(2.0 * radius));
                }
            }
            d
        };
        for (class, sweep, color, opacity) in [
            ("hole-shade", 1, "#0b2a70", "0.75"),
            ("hole-light", 0, "#6f9cf5", "0.65"),
        ] {
            doc.path(
                &half(sweep),
                &[
                    ("class", class),
                    ("fill", "none"),
                    ("stroke", color),
                    ("stroke-width", "3.5"),
                    ("stroke-opacity", opacity),
                ],
            );
        }
    }

    /// Draws the numbers of the columns on the panel.
    fn numbers(&self, doc: &mut Doc) {
        doc.open(
            "g",
            &[
                ("class", "column-numbers"),
                ("aria-hidden", "true"),
                ("fill", "#dbe7ff"),
                (
                    "font-family",
                    "ui-rounded,'Avenir Next','Segoe UI',system-ui,sans-serif",
                ),
                ("font-weight", "600"),
            ],
        );
        for column in 0..self.columns {
            let y = self.bottom() - 15.0;
            doc.text_with(self.x(column), y, 24.0, &(column + 1).to_string(), &[]);
        }
        doc.close();
    }
}
