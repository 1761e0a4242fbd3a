//! Input of the analysis: positions and games in all common notations.

use std::fmt::Display;
use std::path::Path;

use parlor_backgammon::fibs::FibsBoard;
use parlor_backgammon::transcript::{
    ActionKind, GameRecord, LogStep, ReplayError, Transcript, TranscriptAction,
};
use parlor_backgammon::{Game, Phase, Rules, ids, mat, sgf};
use parlor_core::{Notation, Position};
use parlor_table::{Record, RecordStep};
use serde_json::Value;

use super::numbers::MoveNumbers;
use crate::source;

/// Description of everything that is accepted.
pub const ACCEPTED: &str = "a file (record, state.json, .mat, .sgf), the http URL of a table, - for standard input, an XGID, a Position ID \
with or without a Match ID, a FIBS board line, or a position as `parlor engine` writes it";

/// Prefix of a FIBS board line.
const FIBS_PREFIX: &str = "board:";
/// Prefix of an XGID.
const XGID_PREFIX: &str = "XGID=";

/// A position or games to analyze.
#[derive(Debug)]
pub enum AnalysisInput {
    /// One position.
    Position(Box<Game>),
    /// Played games.
    Games(Transcript),
}

/// Reads a file, a URL or a position's text.
///
/// # Errors
/// The problem as text.
pub fn read(input: &str) -> Result<AnalysisInput, String> {
    let text = input.trim();
    let is_text = text.starts_with(FIBS_PREFIX) || text.starts_with(XGID_PREFIX);
    let is_source = text == "-" || text.starts_with("http://") || text.starts_with("https://");
    // A named pipe is no regular file, but can be read like one.
    let is_file = |path: &Path| path.exists() && !path.is_dir();
    if is_source || !is_text && is_file(Path::new(input)) {
        let name = if text == "-" { "standard input" } else { input };
        return source::read(input)
            .and_then(|bytes| parse_file(input, &bytes))
            .map_err(|reason| format!("{name}: {reason}"));
    }
    match parse_position(text) {
        Some(Ok(game)) => Ok(AnalysisInput::Position(Box::new(game))),
        Some(Err(reason)) => Err(reason),
        None => Err(format!(
            "{text:?} is neither a file nor a position; expected {ACCEPTED}"
        )),
    }
}

/// Parses a position in one line; `None` if it has no known form.
fn parse_position(text: &str) -> Option<Result<Game, String>> {
    if text.starts_with(FIBS_PREFIX) {
        return Some(
            FibsBoard::parse(text)
                .and_then(|board| board.to_game())
                .map_err(|error| error.to_string()),
        );
    }
    if text.split_whitespace().count() >= 5 {
        return Some(Game::from_text(text).map_err(|error| error.to_string()));
    }
    if text.starts_with(XGID_PREFIX) {
        return Some(ids::game_from_xgid(text).map_err(|error| error.to_string()));
    }
    let is_path = text.contains('.') || text.contains(char::is_whitespace) || text.is_empty();
    match ids::game_from_id(text) {
        Ok(game) => Some(Ok(game)),
        Err(ids::IdError::Unknown) => None,
        // A name that happens to be as long as an ID is a missing file.
        Err(_) if is_path => None,
        Err(error) => Some(Err(error.to_string())),
    }
}

/// Parses a file: matches of other programs by its extension, everything else by its content.
fn parse_file(name: &str, bytes: &[u8]) -> Result<AnalysisInput, String> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}').trim();
    let extension = Path::new(name)
        .extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or_default()
        .to_ascii_lowercase();
    if text.is_empty() {
        return Err("the file is empty".to_owned());
    }
    match extension.as_str() {
        "mat" => return read_mat(text),
        "sgf" => return read_sgf(text),
        _ => {}
    }
    if text.starts_with('{') {
        return parse_json(text);
    }
    if text.starts_with('(') {
        return read_sgf(text);
    }
    if let Some(id) = text
        .split_whitespace()
        .find(|word| word.starts_with(XGID_PREFIX))
    {
        return single_position(ids::game_from_xgid(id));
    }
    if text.lines().count() == 1 {
        return parse_position(text)
            .unwrap_or_else(|| Err(unknown_format()))
            .map(|game| AnalysisInput::Position(Box::new(game)));
    }
    if is_mat(text) {
        read_mat(text)
    } else {
        Err(unknown_format())
    }
}

fn unknown_format() -> String {
    "unknown format; expected a record, state.json, .mat, .sgf, an XGID, a Position ID, a FIBS board line, \
     or a position as `parlor engine` writes it"
        .to_owned()
}

fn single_position(game: Result<Game, impl Display>) -> Result<AnalysisInput, String> {
    game.map(|game| AnalysisInput::Position(Box::new(game)))
        .map_err(|error| error.to_string())
}

/// True if a text looks like a match in Jellyfish's format.
fn is_mat(text: &str) -> bool {
    text.lines().map(str::trim).any(|line| {
        line.ends_with("point match") || line.strip_prefix("Game ").is_some_and(is_number)
    })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn parse_json(text: &str) -> Result<AnalysisInput, String> {
    let json: Value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    if json.get("format").is_some() {
        let record = serde_json::from_value(json)
            .map_err(|error| format!("not a record of a game: {error}"))?;
        return replay(&record).map(AnalysisInput::Games);
    }
    let position = parlor_games::backgammon::KIND
        .position_from_json(&json)
        .map_err(|error| error.to_string())?;
    let game = position.downcast_ref::<Game>().ok_or_else(unknown_format)?;
    Ok(AnalysisInput::Position(Box::new(game.clone())))
}

/// Returns the games of a record.
fn replay(record: &Record) -> Result<Transcript, String> {
    if record.game != parlor_games::backgammon::KIND.name() {
        return Err(super::wrong_game(&record.game));
    }
    let start = parlor_games::backgammon::KIND
        .start(&record.options)
        .map_err(|error| error.to_string())?;
    let start = start.downcast_ref::<Game>().ok_or_else(unknown_format)?;
    let log: Vec<LogStep> = record.log.iter().map(to_logged).collect();
    let mut names = record.to_story().names.into_iter();
    let names = std::array::from_fn(|_| names.next().unwrap_or_default());
    Transcript::replay_from(start.clone(), names, &log)
        .map_err(|bad| format!("{}: {bad}", location(start, &log, &bad)))
}

fn to_logged(step: &RecordStep) -> LogStep {
    match step {
        RecordStep::Move { text, .. } => LogStep::Move(text.clone()),
        RecordStep::Chance { chance, .. } => LogStep::Chance(chance.clone()),
    }
}

/// Describes the game and move number of an illegal step.
fn location(start: &Game, log: &[LogStep], bad: &ReplayError) -> String {
    let valid = log.get(..bad.at - 1).unwrap_or_default();
    let Ok(before) = Transcript::replay_from(start.clone(), Default::default(), valid) else {
        return String::new();
    };
    let games = before.games();
    match games.last() {
        Some(game) if game.result().is_none() => {
            format!("game {}, move {}", games.len(), next_number(game))
        }
        // The game before is over, so this is the first step of the next.
        _ => format!("game {}, move 1", games.len() + 1),
    }
}

/// Returns the number of the next move.
fn next_number(game: &GameRecord) -> usize {
    let mut numbers = MoveNumbers::default();
    let last = game
        .actions()
        .iter()
        .map(|action| numbers.advance(action.seat.number()))
        .last();
    match game.actions().last() {
        // The move for these dice comes next.
        Some(TranscriptAction {
            kind: ActionKind::Roll(_),
            ..
        }) => last.unwrap_or(1),
        _ => numbers.peek(game.end().on_roll().number()),
    }
}

fn read_mat(text: &str) -> Result<AnalysisInput, String> {
    mat::read(text).map(AnalysisInput::Games).map_err(|error| {
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

fn read_sgf(text: &str) -> Result<AnalysisInput, String> {
    sgf::read(text).map(AnalysisInput::Games).map_err(|error| {
        let lines: Vec<&str> = text.lines().take(error.line).collect();
        let before = lines.join("\n");
        let Some(game_start) = before.rfind("(;") else {
            return error.to_string();
        };
        let game = before.matches("(;").count();
        // Each move is a node that begins with W or B.
        let mut numbers = MoveNumbers::default();
        let nodes = before[game_start..].split(';').map(str::trim_start);
        let seats = nodes.filter_map(|node| match node.as_bytes() {
            [b'W', b'[', ..] => Some(0),
            [b'B', b'[', ..] => Some(1),
            _ => None,
        });
        match seats.map(|seat| numbers.advance(seat)).last() {
            Some(number) => format!("game {game}, move {number}: {error}"),
            None => format!("game {game}: {error}"),
        }
    })
}

/// Rolls given dice in a position without dice.
///
/// # Errors
/// If the position has dice, cannot have any now, or the text is not a roll.
pub fn with_dice(game: &Game, dice: &str) -> Result<Game, String> {
    let mut game = game.clone();
    match game.phase() {
        Phase::Moving(_) => return Err("--dice: the position already has dice".to_owned()),
        Phase::Over => return Err("--dice: the game is over".to_owned()),
        Phase::Doubled | Phase::Beavered => {
            return Err("--dice: the double must be answered first".to_owned());
        }
        Phase::Cube => game.play_unchecked(&parlor_backgammon::Move::Roll),
        Phase::Opening | Phase::Rolling => {}
    }
    let chance = game
        .parse_chance(dice)
        .map_err(|error| format!("--dice: {error}"))?;
    let opening = "an opening roll is two different dice, White's first, such as 3-1";
    let hint = if game.phase() == Phase::Opening {
        opening
    } else {
        "a roll is written like 31"
    };
    game.try_resolve(&chance)
        .map_err(|_| format!("--dice: {dice} is not possible here: {hint}"))?;
    Ok(game)
}

/// Returns the game without a cube; unchanged if the cube has been turned.
pub fn without_cube(game: &Game) -> Game {
    let mut setup = parlor_backgammon::Setup::from_game(game);
    setup.rules = Rules {
        cube: false,
        ..setup.rules
    }
    .normalized();
    if setup.phase == Phase::Cube {
        setup.phase = Phase::Rolling;
    }
    setup.crawford = parlor_backgammon::Crawford::Before;
    setup.validate().unwrap_or_else(|_| game.clone())
}
