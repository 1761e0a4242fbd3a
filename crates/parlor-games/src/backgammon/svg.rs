//! Picture of a game of backgammon: two maple fields in a walnut frame, with points inlaid in two
//! woods.
//!
//! The board is seen from one seat, whose home is at the bottom right, or at the bottom left if the
//! board is flipped. Clickable places have the ids `point-0` to `point-23`, numbered as in the row
//! of `state.json`, and `bar-` and `off-` with a color. A checker's id, such as `w-12-4`, consists
//! of its color, its place and the number of checkers below it. A checker that the last play moved
//! or hit has its previous place in `data-from` and the time of its move in `data-step`, so that a
//! page can animate the play without knowing the game.

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

/// Returns the id of a place's element: `point-0` to `point-23` by row, `bar-white`, `off-black`.
pub fn place_id(color: &str, place: i8) -> String {
    match place {
        replay::ON_BAR => format!("bar-{color}"),
        replay::IS_OFF => format!("off-{color}"),
        place => format!("point-{place}"),
    }
}

/// Returns true if these steps can lead to the view's board.
pub(super) fn leads_here(view: &BackgammonView, steps: &[StepView]) -> bool {
    Replay::again(view, steps).is_some()
}

/// Draws a view.
pub fn draw(view: &BackgammonView) -> String {
    let (frame, replay) = (Frame::from_view(view), Replay::from_view(view));
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

/// Returns a description of the picture in words.
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
