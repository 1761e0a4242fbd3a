//! Clicks for a play: checker by checker, from point to point.

use parlor_backgammon::{
    BAR, CheckerStep, Game, Move, OFF, PartialPlay, Phase, Play, Win, color_name,
};
use parlor_core::{Notation, Position};
use parlor_formats::state_json::place;

use super::svg;
use super::view::{BackgammonView, steps_of};
use crate::{Click, Draft};

/// Returns the possible first parts of a move.
pub(super) fn first_parts(game: &Game) -> Vec<Click> {
    match game.phase() {
        Phase::Moving(dice) if game.resigning().is_none() => {
            ways(game, &PartialPlay::new(game.board(), dice))
        }
        _ => game
            .legal_moves()
            .iter()
            .map(|m| button_click(game, &game.move_text(m)))
            .collect(),
    }
}

/// Returns a click for a move made by a button rather than on the board.
fn button_click(game: &Game, text: &str) -> Click {
    let cube = u32::from(game.cube().value());
    let label = match (text, game.phase()) {
        ("accept", _) => match game.resigning() {
            Some(win) => format!("Accept the resignation: win {}", win.words()),
            None => "Accept".to_owned(),
        },
        ("refuse", _) => "Refuse and play on".to_owned(),
        ("roll", _) => "Roll the dice".to_owned(),
        ("double", _) => format!("Double to {}", 2 * cube),
        ("take", Phase::Beavered) => format!("Take at {}", 4 * cube),
        ("take", _) => format!("Take at {}", 2 * cube),
        ("drop", Phase::Beavered) => format!("Drop and lose {}", 2 * cube),
        ("drop", _) => format!("Drop and lose {cube}"),
        ("beaver", _) => format!("Beaver: double to {} and keep the cube", 4 * cube),
        _ => text.to_owned(),
    };
    Click::whole(text.to_owned(), Vec::new(), label)
}

/// Returns clicks for resigning the current game.
pub(super) fn resignations(game: &Game) -> Vec<Click> {
    if !game.can_resign() {
        return Vec::new();
    }
    let jacoby = game.rules().jacoby && game.cube().turned() == 0;
    let wins = if jacoby {
        &[Win::Single][..]
    } else {
        &[Win::Single, Win::Gammon, Win::Backgammon]
    };
    let points = |win: Win| win.factor() * game.cube().value();
    let words = |win: Win| match points(win) {
        1 => format!("Resign {}, 1 point", win.words()),
        points => format!("Resign {}, {points} points", win.words()),
    };
    wins.iter()
        .map(|win| Click::whole(game.move_text(&Move::Resign(*win)), Vec::new(), words(*win)))
        .collect()
}

/// Returns the draft of a play. `steps` are steps such as `13/7,8/7` that can be made one after the
/// other.
pub(super) fn draft(game: &Game, steps: &str) -> Option<Draft> {
    let mut partial = PartialPlay::new(game.board(), game.dice()?);
    for step in steps.split(',').filter(|step| !step.is_empty()) {
        partial = partial.stepped(read(step)?)?;
    }
    let whole = partial
        .is_complete()
        .then(|| game.move_text(&Move::Play(partial.play())));
    let clicks = ways(game, &partial);
    let back = partial
        .steps()
        .split_last()
        .map(|(_, before)| written(before));
    let view = serde_json::to_value(view(game, &partial)).ok()?;
    Some(Draft {
        view,
        clicks,
        whole,
        back,
        steps: written(partial.steps()),
    })
}

/// Parses a single step, such as `13/7`, `bar/20` or `6/off`.
fn read(text: &str) -> Option<CheckerStep> {
    let point = |word: &str| match word {
        "bar" => Some(BAR),
        "off" => Some(OFF),
        word => word.parse().ok().filter(|point| (1..=24).contains(point)),
    };
    let (from, to) = text.split_once('/')?;
    Some(CheckerStep {
        from: point(from)?,
        to: point(to)?,
    })
}

fn written(steps: &[CheckerStep]) -> String {
    steps
        .iter()
        .map(CheckerStep::to_string)
        .collect::<Vec<_>>()
        .join(",")
}

/// Returns the view of the board in the middle of a play.
fn view(game: &Game, partial: &PartialPlay) -> BackgammonView {
    let board = partial.board();
    let white = if game.on_roll() == parlor_backgammon::WHITE {
        board
    } else {
        board.swapped()
    };
    let mut view = BackgammonView::on_board(game, &white);
    let mut left: Vec<u8> = partial.dice_left().iter().map(|die| die.pips()).collect();
    for die in &view.dice {
        match left.iter().position(|other| other == die) {
            Some(n) => drop(left.swap_remove(n)),
            None => view.dice_used.push(*die),
        }
    }
    let mut before = partial.start();
    for step in partial.steps() {
        let star = if before.is_blot(step.to) { "*" } else { "" };
        view.last
            .extend(steps_of(game, game.on_roll(), &format!("{step}{star}")));
        before = before.stepped(*step);
    }
    view
}

/// Returns clicks for the possible next moves of a checker: single steps, and several steps of the
/// same checker to points out of reach of one.
fn ways(game: &Game, partial: &PartialPlay) -> Vec<Click> {
    let mut found: Vec<(CheckerStep, Vec<CheckerStep>)> = Vec::new();
    let mut open = vec![(partial.clone(), Vec::new())];
    while !open.is_empty() {
        let mut longer = Vec::new();
        for (at, made) in open {
            let going_on = |step: &CheckerStep| {
                made.last()
                    .is_none_or(|last: &CheckerStep| last.to == step.from)
            };
            for step in at.next_steps().into_iter().filter(going_on) {
                let mut steps = made.clone();
                steps.push(step);
                let whole = CheckerStep {
                    from: steps[0].from,
                    to: step.to,
                };
                if found
                    .iter()
                    .any(|(known, by)| *known == whole && by.len() <= steps.len())
                {
                    continue;
                }
                found.push((whole, steps.clone()));
                longer.extend(at.stepped(step).map(|next| (next, steps)));
            }
        }
        open = longer;
    }
    found
        .into_iter()
        .map(|(way, steps)| click(game, partial, way, &steps))
        .collect()
}

fn click(game: &Game, partial: &PartialPlay, way: CheckerStep, steps: &[CheckerStep]) -> Click {
    let (start, seat) = (game.rules().start, game.on_roll());
    let id = |point: u8| svg::place_id(color_name(seat), place(start, seat, point));
    let mut board = partial.board();
    let mut hits = false;
    for step in steps {
        hits |= board.is_blot(step.to);
        board = board.stepped(*step);
    }
    let name = |point: u8| match point {
        BAR => "the bar".to_owned(),
        OFF => "off".to_owned(),
        point => point.to_string(),
    };
    let label = format!(
        "{} to {}{}",
        name(way.from),
        name(way.to),
        if hits { ", hitting" } else { "" }
    );
    let all: Vec<CheckerStep> = partial.steps().iter().chain(steps).copied().collect();
    debug_assert!(Play::new(&all).is_some(), "a play has at most four steps");
    Click {
        text: written(&all),
        path: vec![id(way.from), id(way.to)],
        label,
        asks: false,
        partial: true,
    }
}
