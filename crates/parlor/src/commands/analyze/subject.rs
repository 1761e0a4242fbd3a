//! What is to be analyzed: positions and games in all the ways in which people pass them on.

use std::fmt::Display;
use std::path::Path;

use parlor_backgammon::fibs::FibsBoard;
use parlor_backgammon::transcript::{Act, Action, BadStep, GameRecord, Logged, Transcript};
use parlor_backgammon::{Game, Phase, Rules, ids, mat, sgf};
use parlor_core::{Notation, Position};
use parlor_games::{AnyPosition, GameKind};
use parlor_table::{Record, Step};
use serde_json::Value;

use super::numbers::Numbers;
use crate::source;

/// What is accepted, for whoever wrote something else.
pub const ACCEPTED: &str = "a file (record, state.json, .mat, .sgf), the http address of a table, - for standard input, an XGID, a Position ID \
alone or with a Match ID, a FIBS board line, or a position in the house's own words";

/// What begins a FIBS board line.
const FIBS: &str = "board:";
/// What begins an XGID.
const XGID: &str = "XGID=";

/// Something that can be analyzed.
#[derive(Debug)]
pub enum Subject {
    /// One position.
    Position(Box<Game>),
    /// Games that were played.
    Games(Transcript),
}

/// Reads what a name, an address or a text stands for.
///
/// # Errors
/// What is wrong with it, in words.
pub fn read(what: &str) -> Result<Subject, String> {
    let text = what.trim();
    let is_text = text.starts_with(FIBS) || text.starts_with(XGID);
    let is_place = text == "-" || text.starts_with("http://") || text.starts_with("https://");
    // A pipe of the shell is no regular file, but can be read like one.
    let is_there = |path: &Path| path.exists() && !path.is_dir();
    if is_place || !is_text && is_there(Path::new(what)) {
        let name = if text == "-" { "standard input" } else { what };
        return source::read(what)
            .and_then(|bytes| file(what, &bytes))
            .map_err(|reason| format!("{name}: {reason}"));
    }
    match position(text) {
        Some(Ok(game)) => Ok(Subject::Position(Box::new(game))),
        Some(Err(reason)) => Err(reason),
        None => Err(format!(
            "{text:?} is no file and no position; what can be analyzed is {ACCEPTED}"
        )),
    }
}

/// A position in one line. `None` where it has the form of none.
fn position(text: &str) -> Option<Result<Game, String>> {
    if text.starts_with(FIBS) {
        return Some(
            FibsBoard::parse(text)
                .and_then(|board| board.game())
                .map_err(|error| error.to_string()),
        );
    }
    if text.split_whitespace().count() >= 5 {
        return Some(Game::from_text(text).map_err(|error| error.to_string()));
    }
    if text.starts_with(XGID) {
        return Some(ids::game_from_xgid(text).map_err(|error| error.to_string()));
    }
    let is_path = text.contains('.') || text.contains(char::is_whitespace) || text.is_empty();
    match ids::game_from_id(text) {
        Ok(game) => Some(Ok(game)),
        Err(ids::IdError::Unknown) => None,
        // A name that happens to be as long as an ID is a file that is not there.
        Err(_) if is_path => None,
        Err(error) => Some(Err(error.to_string())),
    }
}

/// What a file holds: its name's end tells matches of other programs, and its content everything else.
fn file(name: &str, bytes: &[u8]) -> Result<Subject, String> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}').trim();
    let end = Path::new(name)
        .extension()
        .and_then(|end| end.to_str())
        .unwrap_or_default()
        .to_ascii_lowercase();
    if text.is_empty() {
        return Err("there is nothing in it".to_owned());
    }
    match end.as_str() {
        "mat" => return read_mat(text),
        "sgf" => return read_sgf(text),
        _ => {}
    }
    if text.starts_with('{') {
        return json(text);
    }
    if text.starts_with('(') {
        return read_sgf(text);
    }
    if let Some(id) = text.split_whitespace().find(|word| word.starts_with(XGID)) {
        return lone(ids::game_from_xgid(id));
    }
    if text.lines().count() == 1 {
        return position(text)
            .unwrap_or_else(|| Err(not_known()))
            .map(|game| Subject::Position(Box::new(game)));
    }
    if is_mat(text) {
        read_mat(text)
    } else {
        Err(not_known())
    }
}

fn not_known() -> String {
    "this is no game and no position that can be read; what can be is a record, state.json, .mat, .sgf, an XGID, a Position ID, \
     a FIBS board line, or a position in the house's own words"
        .to_owned()
}

fn lone(game: Result<Game, impl Display>) -> Result<Subject, String> {
    game.map(|game| Subject::Position(Box::new(game)))
        .map_err(|error| error.to_string())
}

/// Whether a text looks like a match of Jellyfish's format.
fn is_mat(text: &str) -> bool {
    text.lines().map(str::trim).any(|line| {
        line.ends_with("point match") || line.strip_prefix("Game ").is_some_and(is_number)
    })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn json(text: &str) -> Result<Subject, String> {
    let json: Value =
        serde_json::from_str(text).map_err(|error| format!("this is no JSON: {error}"))?;
    if json.get("format").is_some() {
        let record = serde_json::from_value(json)
            .map_err(|error| format!("this is no record of a game: {error}"))?;
        return replayed(&record).map(Subject::Games);
    }
    match GameKind::Backgammon
        .position_from_json(&json)
        .map_err(|error| error.to_string())?
    {
        AnyPosition::Backgammon(game) => Ok(Subject::Position(Box::new(game))),
        _ => Err(not_known()),
    }
}

/// The games of a record.
fn replayed(record: &Record) -> Result<Transcript, String> {
    if record.game != GameKind::Backgammon.name() {
        return Err(format!(
            "this is a game of {}; {}",
            record.game,
            super::analyzed()
        ));
    }
    let start = match GameKind::Backgammon
        .start(&record.options)
        .map_err(|error| error.to_string())?
    {
        AnyPosition::Backgammon(game) => game,
        _ => return Err(not_known()),
    };
    let log: Vec<Logged> = record.log.iter().map(logged).collect();
    let mut names = record.story().names.into_iter();
    let names = std::array::from_fn(|_| names.next().unwrap_or_default());
    Transcript::replay_from(start.clone(), names, &log)
        .map_err(|bad| format!("{}: {bad}", place(&start, &log, &bad)))
}

fn logged(step: &Step) -> Logged {
    match step {
        Step::Move { text, .. } => Logged::Move(text.clone()),
        Step::Chance { chance, .. } => Logged::Chance(chance.clone()),
    }
}

/// The game and the move of a step that cannot be.
fn place(start: &Game, log: &[Logged], bad: &BadStep) -> String {
    let sound = log.get(..bad.at - 1).unwrap_or_default();
    let Ok(before) = Transcript::replay_from(start.clone(), Default::default(), sound) else {
        return String::new();
    };
    let games = before.games();
    match games.last() {
        Some(game) if game.result().is_none() => {
            format!("game {}, move {}", games.len(), next_number(game))
        }
        // After the last point of a game the next one has not begun.
        _ => format!("game {}, move 1", games.len() + 1),
    }
}

/// The number of the move that comes next.
fn next_number(game: &GameRecord) -> usize {
    let mut numbers = Numbers::default();
    let last = game
        .actions()
        .iter()
        .map(|action| numbers.count(action.seat.number()))
        .last();
    match game.actions().last() {
        // The dice have fallen, and this is their move.
        Some(Action {
            act: Act::Roll(_), ..
        }) => last.unwrap_or(1),
        _ => numbers.next(game.end().on_roll().number()),
    }
}

fn read_mat(text: &str) -> Result<Subject, String> {
    mat::read(text).map(Subject::Games).map_err(|error| {
        let before = || text.lines().take(error.line);
        let game = before()
            .filter(|line| line.trim().strip_prefix("Game ").is_some_and(is_number))
            .count();
        let number = before()
            .last()
            .and_then(|line| line.trim().split_once(')'))
            .map(|(number, _)| number.trim());
        match number.filter(|number| is_number(number)) {
            Some(number) if game > 0 => format!("game {game}, move {number}: {error}"),
            _ => error.to_string(),
        }
    })
}

fn read_sgf(text: &str) -> Result<Subject, String> {
    sgf::read(text).map(Subject::Games).map_err(|error| {
        let lines: Vec<&str> = text.lines().take(error.line).collect();
        let before = lines.join("\n");
        let Some(begun) = before.rfind("(;") else {
            return error.to_string();
        };
        let game = before.matches("(;").count();
        // Each move is a node that begins with W or B.
        let mut numbers = Numbers::default();
        let nodes = before[begun..].split(';').map(str::trim_start);
        let seats = nodes.filter_map(|node| match node.as_bytes() {
            [b'W', b'[', ..] => Some(0),
            [b'B', b'[', ..] => Some(1),
            _ => None,
        });
        match seats.map(|seat| numbers.count(seat)).last() {
            Some(number) => format!("game {game}, move {number}: {error}"),
            None => format!("game {game}: {error}"),
        }
    })
}

/// Lets dice fall in a position that has none.
///
/// # Errors
/// When dice lie already, cannot fall now, or are none.
pub fn with_dice(game: &Game, dice: &str) -> Result<Game, String> {
    let mut game = game.clone();
    match game.phase() {
        Phase::Moving(_) => return Err("--dice: the position has its dice already".to_owned()),
        Phase::Over => return Err("--dice: the game is over".to_owned()),
        Phase::Doubled | Phase::Beavered => {
            return Err("--dice: a double waits for its answer".to_owned());
        }
        Phase::Cube => game.play_unchecked(&parlor_backgammon::Move::Roll),
        Phase::Opening | Phase::Rolling => {}
    }
    let chance = game
        .parse_chance(dice)
        .map_err(|error| format!("--dice: {error}"))?;
    let opening = "before the first roll it is two different dice, white's first, such as 3-1";
    let hint = if game.phase() == Phase::Opening {
        opening
    } else {
        "a roll is written such as 31"
    };
    game.try_resolve(&chance)
        .map_err(|_| format!("--dice: {dice} cannot fall here: {hint}"))?;
    Ok(game)
}

/// The same game without a cube, if it has not been turned.
pub fn without_cube(game: &Game) -> Game {
    let mut setup = parlor_backgammon::Setup::of(game);
    setup.rules = Rules {
        cube: false,
        ..setup.rules
    }
    .normal();
    if setup.phase == Phase::Cube {
        setup.phase = Phase::Rolling;
    }
    setup.crawford = parlor_backgammon::Crawford::Before;
    setup.validate().unwrap_or_else(|_| game.clone())
}
