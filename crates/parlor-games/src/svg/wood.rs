//! Wooden boards: a walnut frame with inlaid maple fields.

use super::{Doc, number};

/// Rectangle in user units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rect {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Rect {
    /// Returns the rectangle enlarged by `by` on every side.
    pub(crate) fn grown(self, by: f64) -> Rect {
        let Rect {
            left,
            top,
            width,
            height,
        } = self;
        Rect {
            left: left - by,
            top: top - by,
            width: width + 2.0 * by,
            height: height + 2.0 * by,
        }
    }

    /// Draws the rectangle with rounded corners.
    pub(crate) fn draw(self, doc: &mut Doc, round: f64, attributes: &[(&str, &str)]) {
        let [x, y, width, height, round] =
            [self.left, self.top, self.width, self.height, round].map(number);
        let place = [
            ("x", x.as_str()),
            ("y", &y),
            ("width", &width),
            ("height", &height),
            ("rx", &round),
        ];
        doc.empty("rect", &[&place[..], attributes].concat());
    }
}

/// Draws the walnut block below everything else.
pub(crate) fn board(doc: &mut Doc, width: f64, height: f64, round: f64) {
    let (w, h) = (number(width), number(height));
    let all = |class, fill| {
        [
            ("class", class),
            ("width", w.as_str()),
            ("height", h.as_str()),
            ("fill", fill),
        ]
    };
    let corner = number(round);
    doc.empty(
        "rect",
        &[&all("frame", "url(#wood-frame)")[..], &[("rx", &corner)]].concat(),
    );
    doc.empty(
        "rect",
        &[
            &all("grain", "url(#grain)")[..],
            &[("rx", &corner), ("opacity", "0.5")],
        ]
        .concat(),
    );
    let rim = Rect {
        left: 0.0,
        top: 0.0,
        width,
        height,
    }
    .grown(-1.5);
    let light = [
        ("class", "rim"),
        ("fill", "none"),
        ("stroke", "#fff"),
        ("stroke-opacity", "0.16"),
    ];
    rim.draw(doc, round - 1.5, &light);
}

/// Draws a hairline of brass.
pub(crate) fn inlay(doc: &mut Doc, rect: Rect) {
    let brass = [
        ("class", "inlay"),
        ("fill", "none"),
        ("stroke", "#d8b573"),
        ("stroke-width", "1.6"),
    ];
    rect.draw(doc, 6.0, &brass);
}

/// Draws a maple field. It is recessed into the frame: its upper left edge is in shade, its lower
/// right edge catches light.
pub(crate) fn field(doc: &mut Doc, rect: Rect) {
    rect.draw(
        doc,
        6.0,
        &[("class", "field"), ("fill", "url(#wood-field)")],
    );
    rect.draw(doc, 6.0, &[("class", "grain"), ("fill", "url(#grain)")]);
    let (l, t) = (rect.left + 1.0, rect.top + 1.0);
    let (r, b) = (rect.left + rect.width - 1.0, rect.top + rect.height - 1.0);
    let [left, top, right, bottom] = [l, t, r, b].map(number);
    let [inner_left, inner_top, inner_right, inner_bottom] =
        [l + 5.0, t + 5.0, r - 5.0, b - 5.0].map(number);
    let inner = [
        ("fill", "none"),
        ("stroke-width", "2"),
        ("stroke-linecap", "round"),
    ];
    let shade =
        format!("M{left} {inner_bottom}V{inner_top}Q{left} {top} {inner_left} {top}H{inner_right}");
    let dark = [
        ("class", "edge-shade"),
        ("stroke", "#3b2009"),
        ("stroke-opacity", "0.45"),
    ];
    doc.path(&shade, &[&inner[..], &dark].concat());
    let shine = format!(
        "M{inner_left} {bottom}H{inner_right}Q{right} {bottom} {right} {inner_bottom}V{inner_top}"
    );
    let light = [
        ("class", "edge-shine"),
        ("stroke", "#fff6e0"),
        ("stroke-opacity", "0.35"),
    ];
    doc.path(&shine, &[&inner[..], &light].concat());
}

/// Draws a line carved along `d`, `width` units wide, with light on its far edge.
pub(crate) fn groove(doc: &mut Doc, d: &str, width: f64) {
    let (light, shift) = (number(width * 0.88), number(width * 0.6));
    doc.open("g", &[("fill", "none"), ("stroke-linecap", "round")]);
    let far = format!("translate({shift} {shift})");
    let lit = [
        ("class", "groove-light"),
        ("transform", &far),
        ("stroke", "#fff3d6"),
        ("stroke-opacity", "0.7"),
    ];
    doc.path(d, &[&lit[..], &[("stroke-width", &light)]].concat());
    doc.path(
        d,
        &[
            ("class", "groove"),
            ("stroke", "#80562b"),
            ("stroke-width", &number(width)),
        ],
    );
    doc.close();
}

/// Defines the gradients and the grain.
pub(crate) fn define(doc: &mut Doc) {
    gradient(
        doc,
        "wood-frame",
        &[
            ("0", "frame-a", "#7b4d2c"),
            ("0.55", "frame-b", "#68401f"),
            ("1", "frame-c", "#583317"),
        ],
    );
    gradient(
        doc,
        "wood-field",
        &[
            ("0", "field-a", "#f1dab0"),
            ("0.5", "field-b", "#e8cb98"),
            ("1", "field-c", "#dfbd84"),
        ],
    );
    doc.open(
        "pattern",
        &[
            ("id", "grain"),
            ("width", "260"),
            ("height", "118"),
            ("patternUnits", "userSpaceOnUse"),
        ],
    );
    let waves = [
        (
            "M0 9q65-7 130 0t130 0M0 27q65 5 130 0t130 0M0 71q65 9 130 0t130 0",
            "0.09",
            "1.6",
        ),
        (
            "M0 17q65-4 130 0t130 0M0 46q65-11 130 0t130 0M0 96q65 4 130 0t130 0",
            "0.07",
            "3.2",
        ),
        (
            "M0 36q65 8 130 0t130 0M0 58q65-6 130 0t130 0M0 84q65-8 130 0t130 0M0 108q65 6 130 0t130 0",
            "0.06",
            "1",
        ),
    ];
    for (d, opacity, width) in waves {
        let style = [
            ("fill", "none"),
            ("stroke", "#5a3110"),
            ("stroke-opacity", opacity),
            ("stroke-width", width),
        ];
        doc.path(d, &style);
    }
    doc.close();
}

fn gradient(doc: &mut Doc, id: &str, stops: &[(&str, &str, &str)]) {
    doc.open(
        "linearGradient",
        &[
            ("id", id),
            ("x1", "0"),
            ("y1", "0"),
            ("x2", "0.35"),
            ("y2", "1"),
        ],
    );
    for (offset, class, color) in stops {
        doc.empty(
            "stop",
            &[("offset", offset), ("class", class), ("stop-color", color)],
        );
    }
    doc.close();
}
