//! Layout of the board, and the wood below the checkers.

use parlor_backgammon::{BLACK, StartLayout, WHITE};
use parlor_core::Seat;

use super::replay::Spot;
use crate::backgammon::view::BackgammonView;
use crate::svg::wood::{self, Rect};
use crate::svg::{Doc, number};

/// Width of a point, in user units. It is as large as the board allows: 24 pixels on a phone that
/// is 360 pixels wide, enough for a finger.
pub(super) const POINT: f64 = 40.0;
/// Radius of a checker.
pub(super) const RADIUS: f64 = 18.5;
/// Width of the bar, and of the trays for checkers borne off.
pub(super) const BAR: f64 = 42.0;
/// Length of a point: five checkers.
const LENGTH: f64 = 196.0;
/// Height of the free strip between the points of the two sides, used for dice.
pub(super) const STRIP: f64 = 68.0;
/// Height of the upper and lower rails, which show the numbers of the points.
pub(super) const RAIL: f64 = 27.0;
/// Width of the wood outside the outer field, between field and trays, and outside the trays.
const SIDE: f64 = 12.0;
const DIVIDER: f64 = 10.0;
const EDGE: f64 = 10.0;
const FIELD: f64 = 6.0 * POINT;
pub(super) const WIDTH: f64 = SIDE + 2.0 * FIELD + BAR + DIVIDER + BAR + EDGE;
const DEPTH: f64 = 2.0 * LENGTH + STRIP;
pub(super) const HEIGHT: f64 = DEPTH + 2.0 * RAIL;
/// Vertical center of the board.
pub(super) const MIDDLE: f64 = HEIGHT / 2.0;
/// Height of a checker borne off, which stands on its edge.
pub(super) const EDGE_ON: f64 = 11.4;

/// Layout of the board as seen by a viewer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    start: StartLayout,
    /// Seat at the bottom.
    pub(super) viewer: Seat,
    /// Seat whose numbers the points have.
    counted_by: Seat,
    flipped: bool,
}

impl Frame {
    pub(super) fn from_view(view: &BackgammonView) -> Frame {
        let side = |seat: u8| if seat == 1 { BLACK } else { WHITE };
        let viewer = view.seen_from.map_or(WHITE, side);
        Frame {
            start: view.start(),
            viewer,
            counted_by: view.counted_by.map_or(viewer, side),
            flipped: view.flipped,
        }
    }

    /// Returns the viewer's number for a place in the row.
    pub(super) fn point(&self, place: i8) -> u8 {
        self.start.point(self.viewer == WHITE, place as usize)
    }

    /// Returns the number that the viewer's point has on the board.
    pub(super) fn shown(&self, point: u8) -> u8 {
        if self.counted_by == self.viewer {
            point
        } else {
            25 - point
        }
    }

    /// Returns the place in the row of the viewer's point.
    pub(super) fn place(&self, point: u8) -> i8 {
        self.start.index(self.viewer == WHITE, point) as i8
    }

    /// Returns true if the viewer's point is in the lower half.
    fn is_low(point: u8) -> bool {
        point <= 12
    }

    /// Converts a length measured from the side without trays into an x coordinate.
    fn across(&self, from_outside: f64) -> f64 {
        if self.flipped {
            WIDTH - from_outside
        } else {
            from_outside
        }
    }

    /// Returns the direction away from the homes: -1 for left, 1 for right.
    pub(super) fn outside(&self) -> f64 {
        if self.flipped { 1.0 } else { -1.0 }
    }

    /// Returns the x coordinate of the center of the viewer's point.
    pub(super) fn point_x(&self, point: u8) -> f64 {
        let column = f64::from(if Frame::is_low(point) {
            12 - point
        } else {
            point - 13
        });
        let bar = if column >= 6.0 { BAR } else { 0.0 };
        self.across(SIDE + bar + (column + 0.5) * POINT)
    }

    /// Returns the x coordinate of the center of the bar.
    pub(super) fn bar_x(&self) -> f64 {
        self.across(SIDE + FIELD + BAR / 2.0)
    }

    /// Returns the x coordinate of the center of the trays.
    pub(super) fn tray_x(&self) -> f64 {
        self.across(WIDTH - EDGE - BAR / 2.0)
    }

    /// Returns the x coordinate of the center of the half in which a seat rolls its dice: on its
    /// right, unless the board is flipped.
    pub(super) fn half_x(&self, seat: Seat) -> f64 {
        self.across(
            SIDE + FIELD / 2.0
                + if seat == self.viewer {
                    FIELD + BAR
                } else {
                    0.0
                },
        )
    }

    /// Returns 1 (down) for the viewer, -1 (up) for the other side.
    pub(super) fn down(&self, seat: Seat) -> f64 {
        if seat == self.viewer { 1.0 } else { -1.0 }
    }

    /// Returns the center of a checker.
    pub(super) fn spot(&self, spot: Spot) -> (f64, f64) {
        let Spot {
            seat,
            place,
            height,
        } = spot;
        let toward = self.down(seat);
        match place {
            -1 => (
                self.bar_x(),
                MIDDLE + toward * (BAR + RADIUS + level(height) * 2.0 * RADIUS),
            ),
            24 => {
                let groups = 2.0 * f64::from(height / 5);
                let up = 4.0 + EDGE_ON / 2.0 + f64::from(height) * (EDGE_ON + 0.4) + groups;
                (self.tray_x(), MIDDLE + toward * (DEPTH / 2.0 - up))
            }
            place => {
                let point = self.point(place);
                let toward = if Frame::is_low(point) { 1.0 } else { -1.0 };
                let up = 2.5 + RADIUS + level(height) * 2.0 * RADIUS;
                (self.point_x(point), MIDDLE + toward * (DEPTH / 2.0 - up))
            }
        }
    }

    /// Returns the area of a place: a point up to the middle of the board, half of the bar, or half
    /// of the trays' column.
    pub(super) fn room(&self, seat: Seat, place: i8) -> Rect {
        let (x, width, low) = match place {
            -1 => (self.bar_x(), BAR, seat == self.viewer),
            24 => (self.tray_x(), BAR, seat == self.viewer),
            place => (
                self.point_x(self.point(place)),
                POINT,
                Frame::is_low(self.point(place)),
            ),
        };
        let top = if low { MIDDLE } else { RAIL };
        Rect {
            left: x - width / 2.0,
            top,
            width,
            height: DEPTH / 2.0,
        }
    }

    /// Draws the frame, fields, points and numbers.
    pub(super) fn draw(&self, doc: &mut Doc) {
        wood::board(doc, WIDTH, HEIGHT, 14.0);
        for field in self.fields() {
            wood::inlay(doc, field.grown(3.5));
            wood::field(doc, field);
        }
        self.hinges(doc);
        self.points(doc);
        for field in self.fields() {
            field.draw(doc, 6.0, &[("class", "depth"), ("fill", "url(#depth)")]);
        }
        self.trays(doc);
        self.numbers(doc);
    }

    fn fields(&self) -> [Rect; 2] {
        [SIDE, SIDE + FIELD + BAR].map(|from| {
            let left = if self.flipped {
                WIDTH - from - FIELD
            } else {
                from
            };
            Rect {
                left,
                top: RAIL,
                width: FIELD,
                height: DEPTH,
            }
        })
    }

    /// Draws the points in two alternating woods.
    fn points(&self, doc: &mut Doc) {
        let mut woods = [String::new(), String::new()];
        for point in 1..=24u8 {
            let x = self.point_x(point);
            let (base, toward) = if Frame::is_low(point) {
                (RAIL + DEPTH, -1.0)
            } else {
                (RAIL, 1.0)
            };
            let [from, y, tip] = [x - 18.0, base + toward * 1.5, toward * LENGTH].map(number);
            woods[usize::from(point % 2)] +=
                &format!("M{from} {y}l17 {tip}h2l17 {}z", number(-toward * LENGTH));
        }
        let line = [
            ("stroke", "#f6e3bb"),
            ("stroke-width", "1.2"),
            ("stroke-linejoin", "round"),
        ];
        for (d, (class, fill)) in woods.iter().zip([
            ("point dark", "url(#point-a)"),
            ("point light", "url(#point-b)"),
        ]) {
            doc.path(
                d,
                &[&[("class", class), ("fill", fill)][..], &line].concat(),
            );
        }
    }

    /// Draws the seam of the bar, where the board folds, and its hinges.
    fn hinges(&self, doc: &mut Doc) {
        let (x, from, to) = (number(self.bar_x()), number(RAIL), number(RAIL + DEPTH));
        let seam = [
            ("class", "seam"),
            ("stroke", "#3a200d"),
            ("stroke-width", "1.6"),
        ];
        doc.path(&format!("M{x} {from}V{to}"), &seam);
        for y in [MIDDLE - 172.0, MIDDLE + 172.0] {
            doc.empty("use", &[("href", "#hinge"), ("x", &x), ("y", &number(y))]);
        }
    }

    /// Draws the wells for checkers borne off, one per side.
    fn trays(&self, doc: &mut Doc) {
        let left = self.tray_x() - BAR / 2.0 + 1.0;
        let height = 15.0 * (EDGE_ON + 0.4) + 11.0;
        for top in [RAIL, RAIL + DEPTH - height] {
            let well = Rect {
                left,
                top,
                width: BAR - 2.0,
                height,
            };
            well.draw(
                doc,
                5.0,
                &[
                    ("class", "well"),
                    ("fill", "#2b1503"),
                    ("fill-opacity", "0.42"),
                ],
            );
            let rim = [
                ("class", "inlay"),
                ("fill", "none"),
                ("stroke", "#d8b573"),
                ("stroke-opacity", "0.7"),
            ];
            well.draw(doc, 5.0, &rim);
        }
    }

    fn numbers(&self, doc: &mut Doc) {
        let style = [
            ("class", "numbers"),
            ("aria-hidden", "true"),
            ("fill", "#efd9b4"),
            ("font-weight", "600"),
        ];
        for (points, y) in [
            (1..=12, HEIGHT - RAIL / 2.0 + 6.0),
            (13..=24, RAIL / 2.0 + 4.0),
        ] {
            let row = [
                ("y", number(y)),
                ("font-size", "14".to_owned()),
                ("text-anchor", "middle".to_owned()),
            ];
            let row = row.each_ref().map(|(name, value)| (*name, value.as_str()));
            doc.open("text", &[&style[..], &row].concat());
            for point in points {
                doc.open("tspan", &[("x", &number(self.point_x(point)))]);
                doc.content(&self.shown(point).to_string());
                doc.close();
            }
            doc.close();
        }
    }
}

/// Returns the level of a checker along the point, in checkers. Five lie in a row, the sixth lies
/// on top between the first two, and so on: fifteen make a pyramid.
fn level(height: u8) -> f64 {
    let (mut rest, mut row, mut start) = (height, 5, 0.0);
    while rest >= row && row > 1 {
        rest -= row;
        row -= 1;
        start += 0.5;
    }
    start + f64::from(rest)
}

/// Defines the colors of the points and the shading of the fields.
pub(super) fn define(doc: &mut Doc) {
    doc.open(
        "linearGradient",
        &[
            ("id", "depth"),
            ("x1", "0"),
            ("y1", "0"),
            ("x2", "0"),
            ("y2", "1"),
        ],
    );
    for (offset, opacity) in [
        ("0", "0.34"),
        ("0.035", "0.08"),
        ("0.09", "0"),
        ("0.95", "0"),
        ("1", "0.16"),
    ] {
        doc.empty(
            "stop",
            &[
                ("offset", offset),
                ("stop-color", "#2b1503"),
                ("stop-opacity", opacity),
            ],
        );
    }
    doc.close();
    hinge(doc);
    for (id, from, to) in [
        ("point-a", "#6f4022", "#8a5430"),
        ("point-b", "#a4512f", "#bb6a41"),
    ] {
        doc.open(
            "linearGradient",
            &[
                ("id", id),
                ("x1", "0"),
                ("y1", "0"),
                ("x2", "1"),
                ("y2", "0"),
            ],
        );
        doc.empty(
            "stop",
            &[("offset", "0"), ("class", id), ("stop-color", from)],
        );
        doc.empty(
            "stop",
            &[("offset", "1"), ("class", id), ("stop-color", to)],
        );
        doc.close();
    }
}

/// Draws a brass hinge with four screws.
fn hinge(doc: &mut Doc) {
    doc.open("g", &[("id", "hinge"), ("class", "hinge")]);
    let plate = Rect {
        left: -11.0,
        top: -17.0,
        width: 22.0,
        height: 34.0,
    };
    plate.draw(
        doc,
        2.5,
        &[
            ("fill", "#c99f58"),
            ("stroke", "#6b4a1d"),
            ("stroke-width", "0.8"),
        ],
    );
    let screws = [
        ("stroke", "#7d5a26"),
        ("stroke-width", "3.4"),
        ("stroke-linecap", "round"),
    ];
    doc.path("M-6.5-11h0M-6.5 11h0M6.5-11h0M6.5 11h0", &screws);
    doc.path(
        "M0-17v34",
        &[
            ("stroke", "#f1d491"),
            ("stroke-width", "3"),
            ("stroke-dasharray", "6 1"),
        ],
    );
    doc.close();
}
