//! Naming a game, its options and a position on the command line.
//!
//! Every option of every game is a flag of its own, made from the catalogue: `--rows 4`, and `--won-boards open` for
//! `won_boards`. The same can be said as `--option rows=4`.

use std::collections::BTreeMap;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use parlor_core::Turn;
use parlor_games::{AnyPosition, GameKind, choices};
use serde_json::{Map, Value};

use crate::failure::Failure;

/// A game and its options.
#[derive(Clone, Debug)]
pub struct Game {
    /// Which game.
    pub kind: GameKind,
    /// The options that were named; null when none was.
    pub options: Value,
}

/// A position: the game's start or another one, and moves from there.
#[derive(Args, Clone, Debug)]
pub struct Place {
    #[command(flatten)]
    game: Game,
    /// The position to begin with, as text, in place of the game's start and its options
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Moves to play first, separated by blanks; in games with luck also what luck brings
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true
    )]
    moves: String,
}

impl Game {
    /// The game's first position.
    ///
    /// # Errors
    /// When the options make no game.
    pub fn start(&self) -> Result<AnyPosition, Failure> {
        self.kind.start(&self.options).map_err(Failure::refused)
    }
}

impl Place {
    /// The game.
    pub fn kind(&self) -> GameKind {
        self.game.kind
    }

    /// Whether options of the game are named.
    pub fn has_options(&self) -> bool {
        !self.game.options.is_null()
    }

    /// The position that is meant.
    ///
    /// # Errors
    /// When the options, the text or a move are wrong.
    pub fn find(&self) -> Result<AnyPosition, Failure> {
        let mut position = match &self.position {
            None => self.game.start()?,
            Some(_) if self.has_options() => {
                return Err(Failure::Refused(
                    "--position says everything about the game: leave its options out".into(),
                ));
            }
            Some(text) => self.game.kind.position(text).map_err(Failure::refused)?,
        };
        follow(&mut position, self.moves.split_whitespace()).map_err(Failure::Refused)?;
        Ok(position)
    }
}

/// Plays texts from a position on: a chance where luck decides, a move elsewhere. Returns the last move.
///
/// # Errors
/// The first text that does not do, and why; the position is then somewhere on the way.
pub fn follow<'a>(
    position: &mut AnyPosition,
    texts: impl Iterator<Item = &'a str>,
) -> Result<Option<String>, String> {
    let mut last = None;
    for text in texts {
        let done = match position.turn() {
            Turn::Chance => position.resolve(text),
            // A finished game says so itself, whoever asks.
            turn => {
                let seat = position
                    .seat_of(text)
                    .or(turn.seat())
                    .unwrap_or(parlor_core::Seat::FIRST);
                position.play(text, seat).map(|text| last = Some(text))
            }
        };
        done.map_err(|reason| format!("{text}: {reason}"))?;
    }
    Ok(last)
}

/// The options that any game has, by name, with their schemas.
pub fn known_options(kinds: &[GameKind]) -> BTreeMap<String, Value> {
    let properties = |kind: &GameKind| match kind.options_schema()["properties"].take() {
        Value::Object(properties) => properties,
        _ => Map::new(),
    };
    kinds.iter().flat_map(properties).collect()
}

/// The value that a word stands for: what the schema asks for, else the word itself, for the game to refuse. A list is written with
/// commas.
pub fn typed(schema: Option<&Value>, word: &str) -> Value {
    let kind = schema.and_then(|schema| schema["type"].as_str());
    let wanted = |value: &Value| value.is_number() || value.is_boolean();
    let read = || serde_json::from_str(word).ok().filter(wanted);
    match kind {
        Some("string") => None,
        Some("array") => Some(
            word.split(',')
                .map(str::trim)
                .filter(|item| !item.is_empty())
                .map(Value::from)
                .collect(),
        ),
        _ => read(),
    }
    .unwrap_or_else(|| Value::from(word))
}

impl Args for Game {
    fn augment_args(command: Command) -> Command {
        let games = GameKind::ALL.iter().map(|kind| kind.name());
        let game = Arg::new("game")
            .value_name("GAME")
            .required(true)
            .value_parser(PossibleValuesParser::new(games));
        let option = Arg::new("option")
            .long("option")
            .short('o')
            .value_name("KEY=VALUE")
            .action(ArgAction::Append);
        let command = command
            .arg(game.help("Which game"))
            .arg(option.help("An option of the game by name; may be repeated"));
        known_options(GameKind::ALL)
            .into_iter()
            .fold(command, |command, (name, schema)| {
                let arg = flag(&name, &schema);
                // A flag that the command itself has keeps its meaning; the option is then set by --option.
                let taken = command
                    .get_arguments()
                    .any(|other| other.get_long() == arg.get_long());
                if taken { command } else { command.arg(arg) }
            })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The flag of an option; a name of one letter is a short flag too.
fn flag(name: &str, schema: &Value) -> Arg {
    let mut help = schema["title"].as_str().unwrap_or(name).to_owned();
    if let Some(more) = schema["description"].as_str() {
        help = format!("{help} ({more})");
    }
    if !schema["default"].is_null() {
        let default = words_of(&schema["default"]);
        let default = if default.is_empty() { "none" } else { &default };
        help = format!("{help} [default: {default}]");
    }
    let of = if schema["type"] == "array" {
        &schema["items"]
    } else {
        schema
    };
    let words: Vec<&str> = choices(of).into_iter().map(|(word, _)| word).collect();
    if !words.is_empty() {
        help = format!("{help} [possible values: {}]", words.join(", "));
    }
    let mut letters = name.chars();
    let short = letters.next().filter(|_| letters.next().is_none());
    let mut arg = Arg::new(id(name))
        .long(name.replace('_', "-"))
        .value_name(name.to_uppercase())
        .help(help);
    arg = arg
        .help_heading("Options of the game")
        .allow_hyphen_values(true);
    if let Some(short) = short {
        arg = arg.short(short);
    }
    arg
}

/// A value as it is written in a flag: the items of a list are separated by commas.
pub fn words_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(words_of).collect::<Vec<_>>().join(","),
        _ => value.to_string(),
    }
}

/// The name under which clap knows an option of a game.
fn id(name: &str) -> String {
    format!("game-{name}")
}

impl FromArgMatches for Game {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Game, clap::Error> {
        let name: &String = matches.get_one("game").expect("the game is required");
        let kind = GameKind::from_name(name).expect("only names of games are let in");
        let mut options = Map::new();
        let known = known_options(&[kind]);
        for name in known_options(GameKind::ALL).keys() {
            // A command that uses the flag for itself has no such argument.
            if let Ok(Some(word)) = matches.try_get_one::<String>(&id(name)) {
                options.insert(name.clone(), typed(known.get(name), word));
            }
        }
        for pair in matches.get_many::<String>("option").into_iter().flatten() {
            let Some((key, word)) = pair.split_once('=') else {
                let text = format!("an option of the game is written KEY=VALUE, not {pair:?}");
                return Err(clap::Error::raw(clap::error::ErrorKind::InvalidValue, text));
            };
            options.insert(key.to_owned(), typed(known.get(key), word));
        }
        let options = if options.is_empty() {
            Value::Null
        } else {
            Value::Object(options)
        };
        Ok(Game { kind, options })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Game::from_arg_matches(matches)?;
        Ok(())
    }
}
