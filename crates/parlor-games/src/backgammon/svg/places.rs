//! Clickable places: every point, both sides' bars and trays.

use parlor_backgammon::{BLACK, WHITE, color_name};
use parlor_core::Seat;

use super::frame::Frame;
use super::place_id;
use super::replay::{IS_OFF, ON_BAR, Spot};
use crate::backgammon::view::BackgammonView;
use crate::svg::{Doc, number};

/// Draws the places from the viewer's highest point to the lowest, each with a label for screen
/// readers. They lie above the checkers, so that highlights on them are visible.
pub(super) fn draw(doc: &mut Doc, frame: &Frame, view: &BackgammonView) {
    doc.open(
        "g",
        &[("class", "places"), ("fill", "#fff"), ("fill-opacity", "0")],
    );
    for point in (1..=24).rev() {
        let place = frame.place(point);
        let count = view.board[place as usize];
        let seat = if count < 0 { BLACK } else { WHITE };
        let count = count.unsigned_abs();
        let shown = frame.shown(point);
        let label = match count {
            0 => format!("point {shown}, empty"),
            count => format!("point {shown}, {}", checkers(seat, count)),
        };
        one(
            doc,
            frame,
            Spot {
                seat,
                place,
                height: count.saturating_sub(1),
            },
            &label,
        );
    }
    for (place, name, counts) in [(ON_BAR, "bar", view.bar), (IS_OFF, "off", view.home)] {
        for seat in [frame.viewer, frame.viewer.next(2)] {
            let count = counts.get(seat);
            let label = match count {
                0 => format!("{} {name}, empty", color_name(seat)),
                count => format!("{} {name}, {}", color_name(seat), checkers(seat, count)),
            };
            one(
                doc,
                frame,
                Spot {
                    seat,
                    place,
                    height: count.saturating_sub(1),
                },
                &label,
            );
        }
    }
    doc.close();
}

fn checkers(seat: Seat, count: u8) -> String {
    format!(
        "{count} {} checker{}",
        color_name(seat),
        if count == 1 { "" } else { "s" }
    )
}

/// Draws a place: the area that takes clicks, and a mark around its topmost checker.
fn one(doc: &mut Doc, frame: &Frame, top: Spot, label: &str) {
    let id = place_id(color_name(top.seat), top.place);
    doc.open(
        "g",
        &[
            ("id", &id),
            ("class", "place"),
            ("role", "img"),
            ("aria-label", label),
        ],
    );
    let room = frame.room(top.seat, top.place);
    let [left, upper, width, height] = [room.left, room.top, room.width, room.height].map(number);
    doc.path(
        &format!("M{left} {upper}h{width}v{height}h-{width}z"),
        &[("class", "cell")],
    );
    let (x, y) = frame.spot(top);
    let (x, y) = (number(x), number(y));
    match top.place {
        IS_OFF => doc.path(&format!("M{x} {y}m-13 0h26"), &[("class", "mark flat")]),
        _ => doc.empty(
            "circle",
            &[("class", "mark"), ("cx", &x), ("cy", &y), ("r", "15.5")],
        ),
    }
    doc.close();
}
