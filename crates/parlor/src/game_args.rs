//! Command-line arguments for a game, its options and a position.
//!
//! Every option of every game is a flag, built from the game's schema: `--rows 4`, and
//! `--won-boards open` for `won_boards`. `--option rows=4` means the same.

use std::collections::BTreeMap;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use parlor_core::Turn;
use parlor_games::{AnyPosition, GameKind, choices};
use serde_json::{Map, Value};

use crate::error::CommandError;

/// A game and its options.
#[derive(Clone, Debug)]
pub struct GameArgs {
    /// The game.
    pub kind: GameKind,
    /// Options given on the command line; null if there are none.
    pub options: Value,
}

/// A position: the start of the game or a given one, and moves from there.
#[derive(Args, Clone, Debug)]
pub struct PositionArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Start from this position, written as text, instead of the game's start
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Moves to play first, separated by spaces; in games with luck, including rolls and draws
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true
    )]
    moves: String,
}

impl GameArgs {
    /// Returns the start position.
    ///
    /// # Errors
    /// If the options are invalid.
    pub fn start(&self) -> Result<AnyPosition, CommandError> {
        self.kind.start(&self.options).map_err(CommandError::other)
    }
}

impl PositionArgs {
    /// Returns the game.
    pub fn kind(&self) -> GameKind {
        self.game.kind
    }

    /// Returns the options of the game that are given; null if there are none.
    pub fn options(&self) -> &Value {
        &self.game.options
    }

    /// True if a position or moves are given.
    pub fn is_past_start(&self) -> bool {
        self.position.is_some() || !self.moves.is_empty()
    }

    /// True if any option of the game is given.
    pub fn has_options(&self) -> bool {
        !self.game.options.is_null()
    }

    /// Returns the position that the arguments describe.
    ///
    /// # Errors
    /// If the options, the text or a move are invalid.
    pub fn to_position(&self) -> Result<AnyPosition, CommandError> {
        let mut position = match &self.position {
            None => self.game.start()?,
            Some(_) if self.has_options() => {
                return Err(CommandError::Other(
                    "--position already includes the options of the game; remove the others".into(),
                ));
            }
            Some(text) => self.game.kind.position(text).map_err(CommandError::other)?,
        };
        replay(&mut position, self.moves.split_whitespace()).map_err(CommandError::Other)?;
        Ok(position)
    }
}

/// Plays texts from a position: a chance where luck decides, otherwise a move. Returns the last
/// move.
///
/// # Errors
/// The first invalid text with the reason; the texts before it have been played.
pub fn replay<'a>(
    position: &mut AnyPosition,
    texts: impl Iterator<Item = &'a str>,
) -> Result<Option<String>, String> {
    let mut last = None;
    for text in texts {
        let done = match position.turn() {
            Turn::Chance => position.resolve(text),
            // A finished game refuses the move itself, for any seat.
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

/// Returns the schemas of a game's options by name.
pub fn option_schemas(kind: GameKind) -> BTreeMap<String, Value> {
    match kind.options_schema()["properties"].take() {
        Value::Object(properties) => properties.into_iter().collect(),
        _ => BTreeMap::new(),
    }
}

/// An option of a game: the game's name and the option's schema.
type OptionUse = (&'static str, Value);

/// Returns all options by name, each with the games that have it.
fn option_uses() -> BTreeMap<String, Vec<OptionUse>> {
    let mut uses: BTreeMap<String, Vec<OptionUse>> = BTreeMap::new();
    for kind in GameKind::all() {
        for (name, schema) in option_schemas(*kind) {
            uses.entry(name).or_default().push((kind.name(), schema));
        }
    }
    uses
}

/// Parses an option's value by its schema: a list is separated by commas. A word that does not fit
/// stays a string, which the game then refuses.
pub fn parse_value(schema: Option<&Value>, word: &str) -> Value {
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

impl Args for GameArgs {
    fn augment_args(command: Command) -> Command {
        let games = GameKind::all().iter().map(|kind| kind.name());
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
            .arg(game.help("The game"))
            .arg(option.help("Set an option of the game by name; may be repeated"));
        option_uses()
            .into_iter()
            .fold(command, |command, (name, uses)| {
                let arg = option_arg(&name, &uses);
                // A flag of the command itself takes precedence; the option is then set with --option.
                let is_taken = command
                    .get_arguments()
                    .any(|other| other.get_long() == arg.get_long());
                if is_taken { command } else { command.arg(arg) }
            })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Returns the flag for an option; a name of one letter is a short flag as well.
fn option_arg(name: &str, uses: &[OptionUse]) -> Arg {
    let title = |schema: &Value| schema["title"].as_str().map(str::to_owned);
    let mut help = common(uses, title).unwrap_or_else(|| name.to_owned());
    let more = |schema: &Value| schema["description"].as_str().map(str::to_owned);
    if let Some(more) = common(uses, more) {
        help = format!("{help} ({more})");
    }
    if let Some(default) = common(uses, default_text) {
        help = format!("{help} [default: {default}]");
    }
    if let Some(words) = common(uses, choices_text) {
        help = format!("{help} [possible values: {words}]");
    }
    let mut letters = name.chars();
    let short = letters.next().filter(|_| letters.next().is_none());
    let mut arg = Arg::new(arg_id(name))
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

/// Returns the text that all games have for an option, or each game's own, such as `3 (ONE GAME);
/// 6 (ANOTHER)`.
fn common(uses: &[OptionUse], text: impl Fn(&Value) -> Option<String>) -> Option<String> {
    let texts: Vec<(&str, String)> = uses
        .iter()
        .filter_map(|(game, schema)| Some((*game, text(schema)?)))
        .collect();
    let (_, first) = texts.first()?;
    if texts.len() == uses.len() && texts.iter().all(|(_, text)| text == first) {
        return Some(first.clone());
    }
    let own = texts.iter().map(|(game, text)| format!("{text} ({game})"));
    Some(own.collect::<Vec<_>>().join("; "))
}

fn default_text(schema: &Value) -> Option<String> {
    let default = Some(&schema["default"]).filter(|default| !default.is_null())?;
    let text = format_value(default);
    Some(if text.is_empty() { "none".into() } else { text })
}

fn choices_text(schema: &Value) -> Option<String> {
    let of_items = schema["type"] == "array";
    let schema = if of_items { &schema["items"] } else { schema };
    let words: Vec<&str> = choices(schema).into_iter().map(|(word, _)| word).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// Formats a value as it is written in a flag: the items of a list are separated by commas.
pub fn format_value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(format_value).collect::<Vec<_>>().join(","),
        _ => value.to_string(),
    }
}

/// Returns the clap id of a game option.
fn arg_id(name: &str) -> String {
    format!("game-{name}")
}

impl FromArgMatches for GameArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<GameArgs, clap::Error> {
        let name: &String = matches.get_one("game").expect("clap requires the game");
        let kind = GameKind::from_name(name).expect("clap accepts only names of games");
        let mut options = Map::new();
        let known = option_schemas(kind);
        for name in option_uses().keys() {
            // Fails if the command has a flag of that name itself.
            if let Ok(Some(word)) = matches.try_get_one::<String>(&arg_id(name)) {
                options.insert(name.clone(), parse_value(known.get(name), word));
            }
        }
        for pair in matches.get_many::<String>("option").into_iter().flatten() {
            let Some((key, word)) = pair.split_once('=') else {
                let text = format!("expected KEY=VALUE for an option of the game, got {pair:?}");
                return Err(clap::Error::raw(clap::error::ErrorKind::InvalidValue, text));
            };
            options.insert(key.to_owned(), parse_value(known.get(key), word));
        }
        let options = if options.is_empty() {
            Value::Null
        } else {
            Value::Object(options)
        };
        Ok(GameArgs { kind, options })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = GameArgs::from_arg_matches(matches)?;
        Ok(())
    }
}
