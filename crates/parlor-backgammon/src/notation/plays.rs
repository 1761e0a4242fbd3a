//! Plays as text.

use std::cmp::Reverse;

use parlor_core::NotationError;

use crate::game::Game;
use crate::legality::board_after;
use crate::play::{CheckerStep, Play, PointName};
use crate::{BAR, Board, Die, OFF};

/// Returns the play in the generator's form if it is legal, otherwise unchanged.
pub(crate) fn canonical(game: &Game, play: &Play) -> Play {
    let Some(dice) = game.dice() else {
        return *play;
    };
    let mut results: Vec<(Play, Board)> = Vec::new();
    game.board().results_into(dice, &mut results);
    if results.iter().any(|(known, _)| known == play) {
        return *play;
    }
    let Ok(after) = board_after(&game.board(), dice, play) else {
        return *play;
    };
    results
        .into_iter()
        .find(|(_, result)| *result == after)
        .map_or(*play, |(known, _)| known)
}

/// Path of one checker over two or more points, each with a flag that is true if it hits there.
struct Leg {
    points: Vec<(u8, bool)>,
}

impl Leg {
    /// Returns the points without the hit flags.
    fn points(&self) -> Vec<u8> {
        self.points.iter().map(|(point, _)| *point).collect()
    }
}

/// Writes a play: rearmost checkers first, equal paths counted, parts joined by commas.
pub(crate) fn write_play(board: &Board, play: &Play) -> String {
    if play.is_pass() {
        return "pass".to_owned();
    }
    let mut legs = legs(board, play);
    // Rearmost first; among equal paths the one that hits comes first, so that its star is written.
    legs.sort_by_key(|leg| {
        (
            Reverse(leg.points[0].0),
            leg.points(),
            Reverse(leg.points.clone()),
        )
    });
    let alike = legs.chunk_by(|one, other| one.points() == other.points());
    let words = alike.map(|legs| match legs.len() {
        1 => write_leg(&legs[0]),
        times => format!("{}({times})", write_leg(&legs[0])),
    });
    words.collect::<Vec<String>>().join(",")
}

fn write_leg(leg: &Leg) -> String {
    let point = |(point, hits): &(u8, bool)| {
        format!("{}{}", PointName(*point), if *hits { "*" } else { "" })
    };
    leg.points
        .iter()
        .map(point)
        .collect::<Vec<String>>()
        .join("/")
}

/// Joins consecutive steps of the same checker. An intermediate point is kept only where the
/// checker hits.
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

/// One part of a written play, such as `13/7*/5(2)`.
struct PlayPart {
    points: Vec<u8>,
    times: usize,
}

/// Reads a play. If the dice have been rolled and the text matches a legal play, that play is
/// returned, whatever the order of the parts and whether or not intermediate points are named.
pub(super) fn read(game: &Game, text: &str) -> Result<Play, NotationError> {
    let bad = || {
        NotationError::new(
            text,
            "a play such as 13/7*,8/5(2), bar/24, 6/off or pass; roll, double, take, drop or \
             beaver",
        )
    };
    if text == "pass" {
        return Ok(Play::PASS);
    }
    let words = text
        .split(|c: char| c == ',' || c.is_whitespace())
        .filter(|word| !word.is_empty());
    let parts: Vec<PlayPart> = words
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
    let raw: Vec<CheckerStep> = parts.iter().flat_map(steps).collect();
    let matching_play = game
        .dice()
        .and_then(|dice| matching_play(&game.board(), dice, &raw));
    match matching_play {
        Some(play) => Ok(play),
        None => {
            let faces = game.dice().map(|dice| dice.faces()).unwrap_or_default();
            let split: Vec<CheckerStep> = raw
                .iter()
                .flat_map(|step| split_step(*step, &faces))
                .collect();
            Play::new(&split)
                .or_else(|| Play::new(&raw))
                .ok_or_else(bad)
        }
    }
}

fn read_part(word: &str) -> Option<PlayPart> {
    let (path, times) = match word.strip_suffix(')') {
        Some(word) => {
            let (path, times) = word.split_once('(')?;
            (
                path,
                times.parse().ok().filter(|times| (1..=4).contains(times))?,
            )
        }
        None => (word, 1),
    };
    let points: Vec<u8> = path
        .split('/')
        .map(|point| read_point(point.trim_end_matches('*')))
        .collect::<Option<_>>()?;
    (points.len() >= 2).then_some(PlayPart { points, times })
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

fn steps(part: &PlayPart) -> impl Iterator<Item = CheckerStep> {
    let path: Vec<CheckerStep> = part
        .points
        .windows(2)
        .map(|pair| CheckerStep {
            from: pair[0],
            to: pair[1],
        })
        .collect();
    std::iter::repeat_n(path, part.times).flatten()
}

/// Returns the legal play that matches the given steps: checkers leave and arrive as written. Plays
/// that hit only on named points are preferred.
fn matching_play(board: &Board, dice: crate::Dice, raw: &[CheckerStep]) -> Option<Play> {
    let change = change(raw);
    let mut results: Vec<(Play, Board)> = Vec::new();
    board.results_into(dice, &mut results);
    let named = |point: u8| raw.iter().any(|step| step.to == point);
    let mismatch = |play: &Play| {
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
    fitting.min_by_key(|play| mismatch(play)).copied()
}

/// Returns the change in the mover's checker counts.
fn change(steps: &[CheckerStep]) -> [i8; 26] {
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

/// Splits a step that spans several dice into single steps, if possible.
fn split_step(step: CheckerStep, faces: &[Die]) -> Vec<CheckerStep> {
    let [one, other] = match *faces {
        [one, other] => [one.pips(), other.pips()],
        [die, ..] => return split_double(step, die.pips()),
        [] => return vec![step],
    };
    if one != other && step.to != OFF && step.pips() == one + other {
        let middle = step.from - one;
        return vec![
            CheckerStep {
                from: step.from,
                to: middle,
            },
            CheckerStep {
                from: middle,
                to: step.to,
            },
        ];
    }
    vec![step]
}

fn split_double(step: CheckerStep, die: u8) -> Vec<CheckerStep> {
    if step.to >= step.from || (step.to != OFF && !step.pips().is_multiple_of(die)) {
        return vec![step];
    }
    let mut steps = Vec::new();
    let mut from = step.from;
    while from > step.to {
        let to = from.saturating_sub(die).max(step.to);
        steps.push(CheckerStep { from, to });
        from = to;
    }
    steps
}
