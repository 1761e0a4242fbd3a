//! Picture of a game of ultimate tic-tac-toe: nine maple trays in one walnut board.
//!
//! Trays that may be played in are lit and edged with brass; a decided one shows a large mark over
//! its small ones, and a tied one is hatched and shows an equals sign. Squares have the ids
//! `cell-BOARD-SQUARE`, their marks `stone-BOARD-SQUARE`, large marks `won-BOARD`; the root's
//! `data-piece` names the mark to be placed next.

mod frame;
mod large;

use self::frame::{CELL, HATCH, SIDE, tray};
use super::view::{Owner, UltimateView};
use super::{PLACES, SYMBOLS};
use crate::TurnView;
use crate::svg::wood;
use crate::svg::{Doc, marks, number};

/// Returns the id of a square's element.
pub fn cell_id(board: u8, square: u8) -> String {
    format!("cell-{board}-{square}")
}

/// Returns the id of the mark on a square.
pub fn stone_id(board: u8, square: u8) -> String {
    format!("stone-{board}-{square}")
}

/// Returns the id of the large mark on a decided board.
pub fn won_id(board: u8) -> String {
    format!("won-{board}")
}

/// Draws a view.
pub fn draw(view: &UltimateView) -> String {
    let piece = match view.turn {
        TurnView::Move { seat } => marks::id(usize::from(seat)),
        TurnView::Chance | TurnView::Over { .. } => String::new(),
    };
    let more = [("data-piece", piece.as_str())];
    let more = if piece.is_empty() {
        &more[..0]
    } else {
        &more[..]
    };
    let mut doc = Doc::with(SIDE, SIDE, &title(view), "board tray nine", more);
    doc.open("defs", &[]);
    wood::define(&mut doc);
    marks::define(&mut doc, &SYMBOLS, CELL);
    large::define(&mut doc);
    frame::define(&mut doc);
    doc.close();
    frame::wood(&mut doc);
    light(&mut doc, view);
    frame::grooves(&mut doc);
    results(&mut doc, view);
    places(&mut doc, view);
    stones(&mut doc, view);
    if let Some((board, square)) = view.last {
        last(&mut doc, board, square);
    }
    large::lines(&mut doc, view);
    doc.finish()
}

/// Returns a description of the picture in words.
fn title(view: &UltimateView) -> String {
    let place = |board: u8| PLACES[usize::from(board)];
    match (&view.mover, view.target) {
        (Some(mover), Some(board)) => {
            format!(
                "Ultimate tic-tac-toe: {mover} has to play in the {} board",
                place(board)
            )
        }
        (Some(mover), None) => format!("Ultimate tic-tac-toe: {mover} may play in any open board"),
        (None, _) => "Ultimate tic-tac-toe: the game is over".to_owned(),
    }
}

/// Lights the trays that the mover may play in and shades the other undecided ones.
fn light(doc: &mut Doc, view: &UltimateView) {
    doc.open("g", &[("class", "light"), ("pointer-events", "none")]);
    for board in 0..9 {
        let rect = tray(board);
        if view.playable.contains(&board) {
            rect.draw(
                doc,
                6.0,
                &[
                    ("class", "lit"),
                    ("fill", "#fff8e2"),
                    ("fill-opacity", "0.62"),
                ],
            );
            let edge = [
                ("class", "lit-edge"),
                ("fill", "none"),
                ("stroke", "#ffd873"),
                ("stroke-width", "4"),
            ];
            rect.grown(2.0).draw(doc, 8.0, &edge);
        } else if view.mover.is_some() && view.meta[usize::from(board)] == Owner::Open {
            rect.draw(
                doc,
                6.0,
                &[
                    ("class", "dim"),
                    ("fill", "#3b2009"),
                    ("fill-opacity", "0.12"),
                ],
            );
        }
    }
    doc.close();
}

/// Draws the result of each decided board: the winner's tint, or gray and hatching for a tie.
fn results(doc: &mut Doc, view: &UltimateView) {
    doc.open("g", &[("class", "results"), ("pointer-events", "none")]);
    for (board, owner) in (0..9).zip(view.meta) {
        let cover = match owner {
            Owner::Open => continue,
            Owner::X => [
                ("class", "tint tint-0"),
                ("fill", "#b9cde2"),
                ("fill-opacity", "0.56"),
            ],
            Owner::O => [
                ("class", "tint tint-1"),
                ("fill", "#f2b8a0"),
                ("fill-opacity", "0.56"),
            ],
            Owner::Tied => [
                ("class", "tied"),
                ("fill", "#b9b1a5"),
                ("fill-opacity", "0.75"),
            ],
        };
        tray(board).draw(doc, 6.0, &cover);
        if owner == Owner::Tied {
            tray(board).draw(doc, 6.0, &[("class", "hatch"), ("fill", HATCH)]);
        }
    }
    doc.close();
}

/// Draws the clickable squares board by board, each with a label for screen readers.
fn places(doc: &mut Doc, view: &UltimateView) {
    doc.open(
        "g",
        &[("class", "places"), ("fill", "#fff"), ("fill-opacity", "0")],
    );
    for board in 0..9u8 {
        doc.open(
            "g",
            &[("role", "group"), ("aria-label", &board_label(view, board))],
        );
        for square in 0..9u8 {
            let stands = match view.boards[usize::from(board)][usize::from(square)].seat() {
                Some(seat) => SYMBOLS[usize::from(seat)],
                None => "empty",
            };
            let label = format!(
                "{} board, {} square, {stands}",
                PLACES[usize::from(board)],
                PLACES[usize::from(square)]
            );
            let id = cell_id(board, square);
            doc.open(
                "g",
                &[
                    ("id", &id),
                    ("class", "place"),
                    ("role", "img"),
                    ("aria-label", &label),
                ],
            );
            frame::cell(board, square).draw(doc, 7.0, &[("class", "cell")]);
            doc.close();
        }
        doc.close();
    }
    doc.close();
}

fn board_label(view: &UltimateView, board: u8) -> String {
    let stands = match view.meta[usize::from(board)] {
        Owner::Open => "undecided",
        Owner::X => "won by X",
        Owner::O => "won by O",
        Owner::Tied => "tied",
    };
    let open = if view.playable.contains(&board) {
        ", open to the player on turn"
    } else {
        ""
    };
    format!("{} board, {stands}{open}", PLACES[usize::from(board)])
}

/// Draws the small marks, faded on decided boards, and the large ones. They let clicks through to
/// the squares below.
fn stones(doc: &mut Doc, view: &UltimateView) {
    doc.open("g", &[("class", "pieces"), ("pointer-events", "none")]);
    for board in 0..9u8 {
        let decided = view.meta[usize::from(board)] != Owner::Open;
        // A won board that can still be played in keeps its marks opaque, with the large mark
        // behind them.
        let played_on = decided
            && view.won_boards == "open"
            && view.boards[usize::from(board)]
                .iter()
                .any(|mark| mark.seat().is_none());
        if played_on {
            large::mark(doc, view, board, "0.3");
        }
        for square in 0..9u8 {
            let Some(seat) = view.boards[usize::from(board)][usize::from(square)].seat() else {
                continue;
            };
            let id = stone_id(board, square);
            let faded = [
                ("id", id.as_str()),
                ("class", "stone faded"),
                ("opacity", "0.3"),
            ];
            let strong = [("id", id.as_str()), ("class", "stone")];
            doc.open(
                "g",
                if decided && !played_on {
                    &faded[..]
                } else {
                    &strong
                },
            );
            let (x, y) = frame::center(board, square);
            let href = format!("#{}", marks::id(usize::from(seat)));
            doc.empty(
                "use",
                &[("href", &href), ("x", &number(x)), ("y", &number(y))],
            );
            doc.close();
        }
        if decided && !played_on {
            large::mark(doc, view, board, "1");
        }
    }
    doc.close();
}

/// Marks the last move: a ring around its square, above everything that could hide it.
fn last(doc: &mut Doc, board: u8, square: u8) {
    let ring = frame::cell(board, square).grown(-2.5);
    let style = [("fill", "none"), ("pointer-events", "none")];
    ring.draw(
        doc,
        8.0,
        &[
            &style[..],
            &[
                ("class", "last-halo"),
                ("stroke", "#fff3d6"),
                ("stroke-width", "5"),
            ],
        ]
        .concat(),
    );
    ring.draw(
        doc,
        8.0,
        &[
            &style[..],
            &[
                ("class", "last"),
                ("stroke", "#8a2b12"),
                ("stroke-width", "2.4"),
            ],
        ]
        .concat(),
    );
}
