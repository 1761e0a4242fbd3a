//! Plays.

use std::cmp::Reverse;

use parlor_core::NotationError;

use crate::game::Game;
use crate::legality::walk;
use crate::play::{Name, Play, Step};
use crate::{BAR, Board, Die, OFF};

/// The play as the generator makes it, if it is legal; else as it is.
pub(crate) fn canonical(game: &Game, play: &Play) -> Play {
    let Some(dice) = game.dice() else {
        return *play;
    };
    let mut results: Vec<(Play, Board)> = Vec::new();
    game.board().results_into(dice, &mut results);
    if results.iter().any(|(known, _)| known == play) {
        return *play;
    }
    let Ok(after) = walk(&game.board(), dice, play) else {
        return *play;
    };
    results
        .into_iter()
        .find(|(_, result)| *result == after)
        .map_or(*play, |(known, _)| known)
}

/// A way of one checker over two or more points, each with whether it hits there.
struct Leg {
    points: Vec<(u8, bool)>,
}

impl Leg {
    /// The points alone.
    fn way(&self) -> Vec<u8> {
        self.points.iter().map(|(point, _)| *point).collect()
    }
}

/// Writes a play: the rearmost checkers first, the same ways counted, parts joined by commas.
pub(crate) fn write_play(board: &Board, play: &Play) -> String {
    if play.is_pass() {
        return "pass".to_owned();
    }
    let mut legs = legs(board, play);
    // The rearmost first; among the same ways the one that hits, whose star then stands for all of them.
    legs.sort_by_key(|leg| {
        (
            Reverse(leg.points[0].0),
            leg.way(),
            Reverse(leg.points.clone()),
        )
    });
    let alike = legs.chunk_by(|one, other| one.way() == other.way());
    let words = alike.map(|legs| match legs.len() {
        1 => write_leg(&legs[0]),
        times => format!("{}({times})", write_leg(&legs[0])),
    });
    words.collect::<Vec<String>>().join(",")
}

fn write_leg(leg: &Leg) -> String {
    let point =
        |(point, hits): &(u8, bool)| format!("{}{}", Name(*point), if *hits { "*" } else { "" });
    leg.points
        .iter()
        .map(point)
        .collect::<Vec<String>>()
        .join("/")
}

/// Joins the steps of a checker that goes on. A point between is kept only where the checker hits.
fn legs(board: &Board, play: &Play) -> Vec<Leg> {
    let mut legs: Vec<Leg> = Vec::new();
    let mut now = *board;
    for step in play.steps() {
        let end = (step.to, now.is_blot(step.to));
        now = now.stepped(*step);
        match legs
            .iter_mut()
            .find(|leg| leg.points.last().is_some_and(|(at, _)| *at == step.from))
        {
            Some(leg) => {
                leg.points.pop_if(|(_, hits)| !*hits);
                leg.points.push(end);
            }
            None => legs.push(Leg {
                points: vec![(step.from, false), end],
            }),
        }
    }
    legs
}

/// One part of a written play: `13/7*/5(2)`.
struct Part {
    points: Vec<u8>,
    times: usize,
}

/// Reads a play. Where dice lie, a text that means a legal play becomes that play, whatever the order of its parts and
/// whether or not it names the points between.
pub(super) fn read(game: &Game, text: &str) -> Result<Play, NotationError> {
    let bad = || {
        NotationError::new(
            text,
            "a play such as 13/7*,8/5(2), bar/24, 6/off or pass; roll, double, take, drop or beaver",
        )
    };
    if text == "pass" {
        return Ok(Play::PASS);
    }
    let words = text
        .split(|c: char| c == ',' || c.is_whitespace())
        .filter(|word| !word.is_empty());
    let parts: Vec<Part> = words
        .map(|word| read_part(word).ok_or_else(bad))
        .collect::<Result<_, _>>()?;
    if parts.is_empty()
        || parts
            .iter()
            .map(|part| part.times * (part.points.len() - 1))
            .sum::<usize>()
            > 4
    {
        return Err(bad());
    }
    let raw: Vec<Step> = parts.iter().flat_map(steps).collect();
    let meant = game
        .dice()
        .and_then(|dice| meant(&game.board(), dice, &raw));
    match meant {
        Some(play) => Ok(play),
        None => {
            let faces = game.dice().map(|dice| dice.faces()).unwrap_or_default();
            let apart: Vec<Step> = raw.iter().flat_map(|step| apart(*step, &faces)).collect();
            Play::new(&apart)
                .or_else(|| Play::new(&raw))
                .ok_or_else(bad)
        }
    }
}

fn read_part(word: &str) -> Option<Part> {
    let (way, times) = match word.strip_suffix(')') {
        Some(word) => {
            let (way, times) = word.split_once('(')?;
            (
                way,
                times.parse().ok().filter(|times| (1..=4).contains(times))?,
            )
        }
        None => (word, 1),
    };
    let points: Vec<u8> = way
        .split('/')
        .map(|point| read_point(point.trim_end_matches('*')))
        .collect::<Option<_>>()?;
    (points.len() >= 2).then_some(Part { points, times })
}

fn read_point(text: &str) -> Option<u8> {
    match text {
        "bar" | "b" => Some(BAR),
        "off" | "o" => Some(OFF),
        _ if text.bytes().all(|b| b.is_ascii_digit()) => {
            text.parse().ok().filter(|point| *point <= BAR)
        }
        _ => None,
    }
}

fn steps(part: &Part) -> impl Iterator<Item = Step> {
    let ways: Vec<Step> = part
        .points
        .windows(2)
        .map(|pair| Step {
            from: pair[0],
            to: pair[1],
        })
        .collect();
    std::iter::repeat_n(ways, part.times).flatten()
}

/// The legal play that is meant by these ways: the checkers leave and come where it says, and nobody is hit on a point that is
/// not named, if that can be avoided.
fn meant(board: &Board, dice: crate::Dice, raw: &[Step]) -> Option<Play> {
    let change = change(raw);
    let mut results: Vec<(Play, Board)> = Vec::new();
    board.results_into(dice, &mut results);
    let named = |point: u8| raw.iter().any(|step| step.to == point);
    let surprise = |play: &Play| {
        let hits = hits(board, play);
        let unnamed = hits.iter().filter(|point| !named(**point)).count();
        let missed = raw
            .iter()
            .filter(|step| board.is_blot(step.to) && !hits.contains(&step.to))
            .count();
        (missed, unnamed)
    };
    let fitting = results
        .iter()
        .map(|(play, _)| play)
        .filter(|play| self::change(play.steps()) == change);
    fitting.min_by_key(|play| surprise(play)).copied()
}

/// How the mover's counts change.
fn change(steps: &[Step]) -> [i8; 26] {
    let mut change = [0; 26];
    for step in steps {
        change[usize::from(step.from)] -= 1;
        change[usize::from(step.to)] += 1;
    }
    change
}

fn hits(board: &Board, play: &Play) -> Vec<u8> {
    play.steps()
        .iter()
        .map(|step| step.to)
        .filter(|to| board.is_blot(*to))
        .collect()
}

/// A way of several dice as its steps, if it is one.
fn apart(step: Step, faces: &[Die]) -> Vec<Step> {
    let [one, other] = match *faces {
        [one, other] => [one.pips(), other.pips()],
        [die, ..] => return same(step, die.pips()),
        [] => return vec![step],
    };
    if one != other && step.to != OFF && step.pips() == one + other {
        let turn = step.from - one;
        return vec![
            Step {
                from: step.from,
                to: turn,
            },
            Step {
                from: turn,
                to: step.to,
            },
        ];
    }
    vec![step]
}

fn same(step: Step, die: u8) -> Vec<Step> {
    if step.to >= step.from || (step.to != OFF && !step.pips().is_multiple_of(die)) {
        return vec![step];
    }
    let mut steps = Vec::new();
    let mut from = step.from;
    while from > step.to {
        let to = from.saturating_sub(die).max(step.to);
        steps.push(Step { from, to });
        from = to;
    }
    steps
}
