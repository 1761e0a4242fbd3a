//! Notes on the frame: pip counts, side on turn, score, Crawford game, result.

use parlor_backgammon::{BLACK, WHITE, color_name};
use parlor_core::Seat;

use super::frame::{Frame, HEIGHT, MIDDLE, RAIL, WIDTH};
use crate::backgammon::view::{BackgammonView, PhaseView, ResultView};
use crate::backgammon::{COLORS, seat_of};
use crate::svg::wood::Rect;
use crate::svg::{Doc, number};

pub(super) fn draw(doc: &mut Doc, frame: &Frame, view: &BackgammonView) {
    doc.open(
        "g",
        &[
            ("class", "notes"),
            ("fill", "#efd9b4"),
            ("font-weight", "600"),
            ("pointer-events", "none"),
        ],
    );
    for seat in [WHITE, BLACK] {
        pips(doc, frame, view, seat);
        score(doc, frame, view, seat);
    }
    crawford(doc, frame, view);
    doc.close();
    banner(doc, view);
}

/// Draws a side's pip count between the trays, with a disc in the side's color and an arrow if it
/// is on turn.
fn pips(doc: &mut Doc, frame: &Frame, view: &BackgammonView, seat: Seat) {
    let (x, y) = (frame.tray_x(), MIDDLE + 21.0 * frame.down(seat));
    let pips = view.pips.get(seat);
    let turn = view.active_player.as_deref() == Some(color_name(seat));
    let label = format!(
        "{}: {pips} pips{}",
        color_name(seat),
        if turn { ", on turn" } else { "" }
    );
    doc.open(
        "g",
        &[("class", "pips"), ("role", "img"), ("aria-label", &label)],
    );
    if turn {
        let plate = Rect {
            left: x - 19.0,
            top: y - 14.0,
            width: 38.0,
            height: 28.0,
        };
        plate.draw(doc, 7.0, &[("class", "turn"), ("fill", "#f0cf8a")]);
    }
    let ink = if turn { "#3b2009" } else { "#efd9b4" };
    doc.text_with(
        x,
        y + 6.0,
        16.5,
        &pips.to_string(),
        &[("class", if turn { "on" } else { "off" }), ("fill", ink)],
    );
    doc.close();
}

/// Draws a side's match score at its end of the bar.
fn score(doc: &mut Doc, frame: &Frame, view: &BackgammonView, seat: Seat) {
    let Some(score) = view.score else { return };
    let length = view.options["length"].as_u64().unwrap_or_default();
    let y = if frame.down(seat) > 0.0 {
        HEIGHT - RAIL / 2.0
    } else {
        RAIL / 2.0
    };
    let text = format!("{}/{length}", score.get(seat));
    let label = format!(
        "{} has {} of {length} points",
        color_name(seat),
        score.get(seat)
    );
    doc.open(
        "g",
        &[("class", "score"), ("role", "img"), ("aria-label", &label)],
    );
    let plate = Rect {
        left: frame.bar_x() - 20.0,
        top: y - 10.0,
        width: 40.0,
        height: 20.0,
    };
    plate.draw(doc, 5.0, &[("class", "plate"), ("fill", "#d8b573")]);
    let size = if text.len() > 4 { 12.0 } else { 15.0 };
    doc.text_with(
        frame.bar_x(),
        y + size * 0.36,
        size,
        &text,
        &[("fill", "#3b2009"), ("font-weight", "700")],
    );
    doc.close();
}

/// Draws the note of the Crawford game, in place of the cube.
fn crawford(doc: &mut Doc, frame: &Frame, view: &BackgammonView) {
    if view.crawford {
        let turned = format!("rotate(-90 {} {})", number(frame.bar_x()), number(MIDDLE));
        let note = [
            ("class", "crawford"),
            ("transform", turned.as_str()),
            ("letter-spacing", "1"),
        ];
        doc.text_with(frame.bar_x(), MIDDLE + 4.5, 13.0, "Crawford", &note);
    }
}

/// Draws the result, or an offer to resign, across the middle of the board.
fn banner(doc: &mut Doc, view: &BackgammonView) {
    let shown = matches!(view.phase, PhaseView::Over | PhaseView::Opening);
    let result = view
        .result
        .as_ref()
        .filter(|_| shown)
        .map(|result| words(view, result));
    let Some(text) = resigning(view).or(result) else {
        return;
    };
    let size = if text.len() > 34 { 16.0 } else { 19.0 };
    let width = (text.len() as f64 * size * 0.56 + 40.0).min(WIDTH - 40.0);
    let ribbon = Rect {
        left: (WIDTH - width) / 2.0,
        top: MIDDLE - 20.0,
        width,
        height: 40.0,
    };
    doc.open(
        "g",
        &[
            ("class", "banner"),
            ("role", "img"),
            ("aria-label", &text),
            ("pointer-events", "none"),
        ],
    );
    let shade = Rect {
        top: ribbon.top + 3.0,
        ..ribbon
    };
    shade.draw(doc, 9.0, &[("fill", "#1d0d02"), ("fill-opacity", "0.35")]);
    ribbon.draw(
        doc,
        9.0,
        &[
            ("class", "ribbon"),
            ("fill", "#2b5a48"),
            ("stroke", "#d8b573"),
            ("stroke-width", "2"),
        ],
    );
    let style = [
        ("fill", "#fdf9f1"),
        ("font-weight", "700"),
        ("aria-hidden", "true"),
    ];
    doc.text_with(WIDTH / 2.0, MIDDLE + size * 0.36, size, &text, &style);
    doc.close();
}

/// Returns an offer to resign in words.
pub(super) fn resigning(view: &BackgammonView) -> Option<String> {
    let seat = view.active_player.as_deref().and_then(seat_of)?;
    let what = match view.resigning.as_deref()? {
        "single" => "a single game".to_owned(),
        win => format!("a {win}"),
    };
    Some(format!("{} resigns {what}", COLORS[seat.index()]))
}

/// Returns the result in words.
pub(super) fn words(view: &BackgammonView, result: &ResultView) -> String {
    let winner = seat_of(&result.winner).map_or("Nobody", |seat| COLORS[seat.index()]);
    if let Some(score) = view.score.filter(|_| view.phase == PhaseView::Over) {
        let high = score.white.max(score.black);
        return format!(
            "{winner} wins the match, {high}\u{2013}{}",
            score.white.min(score.black)
        );
    }
    let points = format!(
        "{} point{}",
        result.points,
        if result.points == 1 { "" } else { "s" }
    );
    match result.how.as_str() {
        "gammon" => format!("{winner} wins a gammon: {points}"),
        "backgammon" => format!("{winner} wins a backgammon: {points}"),
        "dropped" => format!("Double dropped: {winner} wins {points}"),
        _ => format!("{winner} wins {points}"),
    }
}
