//! Dice and cube.

use parlor_backgammon::{WHITE, color_name};
use parlor_core::Seat;

use super::frame::{BAR, Frame, MIDDLE, RAIL};
use crate::backgammon::seat_of;
use crate::backgammon::view::{BackgammonView, CubeView};
use crate::svg::{Doc, number};

/// Side of a die and of the cube, in user units.
const DIE: f64 = 36.0;
const CUBE: f64 = 34.0;

/// Draws the dice of the player on roll on that player's half of the board, with used dice dimmed.
pub(super) fn draw(doc: &mut Doc, frame: &Frame, view: &BackgammonView) {
    let Some(seat) = view
        .active_player
        .as_deref()
        .and_then(seat_of)
        .filter(|_| !view.dice.is_empty())
    else {
        return;
    };
    let label = format!("{}'s dice: {}", color_name(seat), dice_label(view));
    doc.open(
        "g",
        &[
            ("id", "dice"),
            ("class", "pieces"),
            ("role", "img"),
            ("aria-label", &label),
            ("pointer-events", "none"),
        ],
    );
    let (step, mut used) = (
        if view.dice.len() > 2 { 45.0 } else { 52.0 },
        view.dice_used.clone(),
    );
    let first = frame.half_x(seat) - step * (view.dice.len() - 1) as f64 / 2.0;
    for (n, &face) in view.dice.iter().enumerate() {
        let spent = used
            .iter()
            .position(|die| *die == face)
            .map(|n| used.swap_remove(n))
            .is_some();
        die(doc, seat, (first + step * n as f64, n), face, spent);
    }
    doc.close();
}

/// Describes the dice, "6 and 1" or "four times 3", including the used ones.
fn dice_label(view: &BackgammonView) -> String {
    let all = match view.dice[..] {
        [one, other] => format!("{one} and {other}"),
        [one, ..] => format!("four times {one}"),
        [] => String::new(),
    };
    match view.dice_used.len() {
        0 => all,
        used => format!("{all}, {used} played"),
    }
}

fn die(doc: &mut Doc, seat: Seat, (x, n): (f64, usize), face: u8, spent: bool) {
    let (body, edge, ink) = if seat == WHITE {
        ("url(#ivory)", "#7d6440", "#33261a")
    } else {
        ("url(#ebony)", "#0c0908", "#f6e6c4")
    };
    // A new roll gets new ids, so that a page can tell that the dice changed.
    let id = format!("die-{}-{n}-{face}", color_name(seat));
    let turned = ["-5", "4", "-3", "6"][n % 4];
    let place = format!(
        "translate({} {}) rotate({turned})",
        number(x),
        number(MIDDLE)
    );
    let class = [
        ("id", id.as_str()),
        ("class", if spent { "die spent" } else { "die" }),
    ];
    doc.open(
        "g",
        &[&class[..], if spent { &[("opacity", "0.38")] } else { &[] }].concat(),
    );
    doc.open("g", &[("transform", &place)]);
    square(
        doc,
        DIE,
        (1.2, 3.2),
        &[("fill", "#1d0d02"), ("fill-opacity", "0.3")],
    );
    square(
        doc,
        DIE,
        (0.0, 0.0),
        &[("fill", body), ("stroke", edge), ("stroke-width", "1")],
    );
    doc.path(
        pips(face),
        &[
            ("stroke", ink),
            ("stroke-width", "7.4"),
            ("stroke-linecap", "round"),
        ],
    );
    doc.close();
    doc.close();
}

fn square(doc: &mut Doc, side: f64, (dx, dy): (f64, f64), style: &[(&str, &str)]) {
    let [x, y, width, round] = [dx - side / 2.0, dy - side / 2.0, side, side * 0.2].map(number);
    let place = [
        ("x", x.as_str()),
        ("y", &y),
        ("width", &width),
        ("height", &width),
        ("rx", &round),
    ];
    doc.empty("rect", &[&place[..], style].concat());
}

/// Returns the pips of a face as path data.
fn pips(face: u8) -> &'static str {
    match face {
        1 => "M0 0h0",
        2 => "M-9-9h0M9 9h0",
        3 => "M-9-9h0M0 0h0M9 9h0",
        4 => "M-9-9h0M9-9h0M-9 9h0M9 9h0",
        5 => "M-9-9h0M9-9h0M0 0h0M-9 9h0M9 9h0",
        _ => "M-9-9h0M9-9h0M-9 0h0M9 0h0M-9 9h0M9 9h0",
    }
}

/// Draws the cube: in the middle of the bar, at its owner's end of it, or, while it is offered, on
/// the half of the player who has to answer.
pub(super) fn cube(doc: &mut Doc, frame: &Frame, view: &BackgammonView) {
    let Some(cube) = view.cube.as_ref().filter(|_| !view.crawford) else {
        return;
    };
    let owner = cube.owner.as_deref().and_then(seat_of);
    let end =
        |seat: Seat| MIDDLE + frame.down(seat) * (MIDDLE - RAIL - CUBE / 2.0 - (BAR - CUBE) / 2.0);
    let (x, y) = match (offer(cube), owner) {
        (Some((by, _)), _) => (frame.half_x(by.next(2)), MIDDLE),
        (None, Some(owner)) => (frame.bar_x(), end(owner)),
        (None, None) => (frame.bar_x(), MIDDLE),
    };
    let place = format!("translate({} {})", number(x), number(y));
    let place = if offer(cube).is_some() {
        format!("{place} scale(1.35)")
    } else {
        place
    };
    doc.open("g", &[("class", "pieces"), ("pointer-events", "none")]);
    let class = if offer(cube).is_some() {
        "cube offered"
    } else {
        "cube"
    };
    doc.open(
        "g",
        &[
            ("id", "cube"),
            ("class", class),
            ("role", "img"),
            ("aria-label", &words(cube)),
        ],
    );
    doc.open("g", &[("transform", &place)]);
    if offer(cube).is_some() {
        let glow = [
            ("class", "glow"),
            ("fill", "#ffd873"),
            ("fill-opacity", "0.45"),
            ("stroke", "#8a2b12"),
            ("stroke-width", "2"),
        ];
        square(doc, CUBE + 11.0, (0.0, 0.0), &glow);
    }
    square(
        doc,
        CUBE,
        (1.0, 2.6),
        &[("fill", "#1d0d02"), ("fill-opacity", "0.35")],
    );
    square(
        doc,
        CUBE,
        (0.0, 0.0),
        &[("fill", "url(#ivory)"), ("stroke", "#7d6440")],
    );
    square(
        doc,
        CUBE - 6.0,
        (0.0, 0.0),
        &[
            ("fill", "none"),
            ("stroke", "#b79a6a"),
            ("stroke-width", "0.8"),
        ],
    );
    let face = face(cube);
    let size = [22.0, 19.0, 14.0, 11.0][face.len().clamp(1, 4) - 1];
    doc.text_with(
        0.0,
        size * 0.36,
        size,
        &face,
        &[
            ("fill", "#33261a"),
            ("font-weight", "700"),
            ("aria-hidden", "true"),
        ],
    );
    (0..3).for_each(|_| doc.close());
}

/// Returns the seat that offers the cube, and the value offered.
fn offer(cube: &CubeView) -> Option<(Seat, u16)> {
    Some((cube.by.as_deref().and_then(seat_of)?, cube.offered?))
}

/// Returns the face of the cube. A cube that has not been turned shows 64, as on a real board.
fn face(cube: &CubeView) -> String {
    match offer(cube) {
        Some((_, offered)) => offered.to_string(),
        None if cube.value == 1 => "64".to_owned(),
        None => cube.value.to_string(),
    }
}

fn words(cube: &CubeView) -> String {
    match (offer(cube), &cube.owner) {
        (Some((by, at)), _) => format!("doubling cube: {} doubles to {at}", color_name(by)),
        (None, Some(owner)) => format!("doubling cube: {}, {owner}'s", cube.value),
        (None, None) => format!("doubling cube: {}, in the middle", cube.value),
    }
}
