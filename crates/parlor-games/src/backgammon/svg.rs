//! The picture of a game of backgammon: two fields of maple in a walnut frame, with the points let
//! into them in two woods.
//!
//! The board is seen from one seat, whose home is at the bottom right, or at the bottom left when
//! the board is turned. The places that can be clicked are `point-0` to `point-23` by the row of
//! `state.json`, and `bar-` and `off-` with a color. Checkers are `w-12-4`: color, place and how
//! many lie below. Those that the last play moved or hit say in `data-from` where they lay before
//! it, and in `data-step` when they moved, so that a page can show the play without knowing the
//! game.

mod dice;
mod frame;
mod notes;
mod pieces;
mod places;
mod replay;
mod trail;

use self::frame::{Frame, HEIGHT, WIDTH};
use self::replay::Replay;
use super::view::{BackgammonView, PhaseView, StepView};
use super::{COLORS, seat_of};
use crate::svg::{Doc, wood};

const FONT: (&str, &str) = (
    "font-family",
    "ui-rounded,'Avenir Next','Segoe UI',system-ui,sans-serif",
);

/// The id of a place's element: `point-0` to `point-23` by the row, `bar-white`, `off-black`.
pub fn place_id(color: &str, place: i8) -> String {
    match place {
        replay::ON_BAR => format!("bar-{color}"),
        replay::IS_OFF => format!("off-{color}"),
        place => format!("point-{place}"),
    }
}

/// Returns true if these steps can have led to the view's board.
pub(super) fn leads_here(view: &BackgammonView, steps: &[StepView]) -> bool {
    Replay::again(view, steps).is_some()
}

/// Draws a view.
pub fn draw(view: &BackgammonView) -> String {
    let (frame, replay) = (Frame::of(view), Replay::of(view));
    let mut doc = Doc::with(WIDTH, HEIGHT, &title(view), "board backgammon", &[FONT]);
    doc.open("defs", &[]);
    wood::define(&mut doc);
    frame::define(&mut doc);
    pieces::define(&mut doc);
    doc.close();
    frame.draw(&mut doc);
    pieces::draw(&mut doc, &frame, &replay);
    trail::draw(&mut doc, &frame, &replay);
    pieces::counts(&mut doc, &frame, &replay);
    dice::draw(&mut doc, &frame, view);
    dice::cube(&mut doc, &frame, view);
    notes::draw(&mut doc, &frame, view);
    places::draw(&mut doc, &frame, view);
    doc.finish()
}

/// The picture in words.
fn title(view: &BackgammonView) -> String {
    let seat = view.active_player.as_deref().and_then(seat_of);
    let (who, other) = seat.map_or(("", ""), |seat| {
        (COLORS[seat.index()], COLORS[seat.next(2).index()])
    });
    let dice: Vec<String> = view.dice.iter().map(u8::to_string).collect();
    let next = match view.phase {
        _ if view.resigning.is_some() => notes::resigning(view).unwrap_or_default(),
        PhaseView::Opening => "the opening roll comes next".to_owned(),
        PhaseView::Cube => format!("{who} rolls or doubles"),
        PhaseView::Doubled => format!("{who} doubles, {other} takes or drops"),
        PhaseView::Beavered => format!("{other} beavers, {who} takes or drops"),
        PhaseView::Rolling => format!("{who} rolls"),
        PhaseView::Moving => format!("{who} plays {}", dice.join(" ")),
        PhaseView::Over => match &view.result {
            Some(result) => notes::words(view, result),
            None => "the game is over".to_owned(),
        },
    };
    format!("Backgammon: {next}")
}
