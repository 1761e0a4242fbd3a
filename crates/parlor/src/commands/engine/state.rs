//! What the engine knows: the game, the position, the options, the bot.

use std::sync::mpsc::Sender;

use parlor_core::{Outcome, Turn};
use parlor_games::bots::{self, Bot};
use parlor_games::{AnyPosition, GameKind, choices};
use serde_json::{Map, Value};

use super::Heard;
use super::go::{Answer, Request, Search, lines_of, number};
use crate::failure::Failure;
use crate::game::{Game, follow, known_options, typed, words_of};

/// The bot that thinks when nothing is said about it.
const USUAL_BOT: &str = "level:5";

/// What a line leads to.
pub enum Said {
    /// An answer of one or more lines.
    Text(String),
    /// Nothing to say.
    Nothing,
    /// A search, to be begun.
    Go(Request),
    /// The end.
    Quit,
}

pub struct State {
    kind: GameKind,
    options: Value,
    position: AnyPosition,
    /// The bot for `go` without one.
    spec: String,
    /// The bot that thought last, with all it remembers.
    bot: Option<(String, Box<dyn Bot>)>,
    /// The bot that thinks now.
    thinking: String,
}

impl State {
    pub fn new(game: Game) -> Result<State, Failure> {
        let position = game.start()?;
        let spec = USUAL_BOT.to_owned();
        Ok(State { kind: game.kind, options: game.options, position, spec, bot: None, thinking: String::new() })
    }

    /// Does what a line says.
    ///
    /// # Errors
    /// What is wrong with it; nothing has changed then.
    pub fn obey(&mut self, line: &str) -> Result<Said, String> {
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { return Ok(Said::Nothing) };
        let rest: Vec<&str> = words.collect();
        let text = match first {
            "ugi" => self.greeting(),
            "isready" => "readyok".to_owned(),
            "uginewgame" => {
                self.position = self.kind.start(&self.options).map_err(|error| error.to_string())?;
                self.bot = None;
                return Ok(Said::Nothing);
            }
            "setoption" => return self.set(&rest),
            "position" => {
                self.position = self.place(&rest)?;
                return Ok(Said::Nothing);
            }
            "go" => return Request::read(rest.into_iter()).map(Said::Go),
            "stop" => return Ok(Said::Nothing),
            "query" => format!("response {}", self.query(&rest)?),
            "legal" => self.legal(),
            "perft" => {
                let [depth] = rest[..] else { return Err("perft needs a depth: perft N".to_owned()) };
                let depth = u32::try_from(number(depth)?).map_err(|_| format!("{depth} is too deep"))?;
                format!("perft {depth} {}", self.position.perft(depth))
            }
            "show" => format!("{}{}", self.position.terminal(None), self.position.text()),
            "quit" => return Ok(Said::Quit),
            _ => return Err(format!("there is no command {:?}", shortened(first))),
        };
        Ok(Said::Text(text))
    }

    fn greeting(&self) -> String {
        let mut lines = vec![format!("id name Parlor {} ({})", env!("CARGO_PKG_VERSION"), self.kind.name())];
        lines.push("id author the authors of Parlor".to_owned());
        lines.extend(known_options(&[self.kind]).iter().map(|(name, schema)| option_line(name, schema)));
        lines.push("option name level type spin default 5 min 1 max 5".to_owned());
        let bots: String = bots::list(&self.position).iter().map(|bot| format!(" var {}", bot.spec)).collect();
        lines.push(format!("option name bot type combo default {USUAL_BOT}{bots}"));
        lines.push("ugiok".to_owned());
        lines.join("\n")
    }

    /// `name X value Y`; without a value the option takes its default again.
    fn set(&mut self, rest: &[&str]) -> Result<Said, String> {
        let (name, word) = match rest {
            ["name", name] | ["name", name, "value"] => (*name, None),
            ["name", name, "value", word] => (*name, Some(*word)),
            _ => return Err("an option is set by: setoption name NAME value VALUE".to_owned()),
        };
        match name {
            "level" | "bot" => {
                let spec = word.map_or(USUAL_BOT.to_owned(), |word| match name {
                    "level" => format!("level:{word}"),
                    _ => word.to_owned(),
                });
                bots::check(&self.position, &spec).map_err(|error| error.to_string())?;
                self.spec = spec;
                Ok(Said::Nothing)
            }
            _ => self.set_game_option(name, word),
        }
    }

    /// Options may fit together only when all of them are set, so one that does not yet make a game is kept.
    fn set_game_option(&mut self, name: &str, word: Option<&str>) -> Result<Said, String> {
        let known = known_options(&[self.kind]);
        let Some(schema) = known.get(name) else {
            let names: Vec<&str> = known.keys().map(String::as_str).chain(["level", "bot"]).collect();
            return Err(format!("there is no option {:?}; there are {}", shortened(name), names.join(", ")));
        };
        let mut options = match self.options.take() {
            Value::Object(options) => options,
            _ => Map::new(),
        };
        match word {
            Some(word) => options.insert(name.to_owned(), typed(Some(schema), word)),
            None => options.remove(name),
        };
        self.options = Value::Object(options);
        match self.kind.start(&self.options) {
            Ok(position) => {
                self.position = position;
                self.bot = None;
                Ok(Said::Nothing)
            }
            Err(error) => Ok(Said::Text(format!("info string these options make no game yet: {error}"))),
        }
    }

    /// The position that `startpos` or a text and moves lead to.
    fn place(&self, rest: &[&str]) -> Result<AnyPosition, String> {
        let end = rest.iter().position(|word| *word == "moves").unwrap_or(rest.len());
        let mut position = match rest[..end] {
            [] => return Err("a position is needed: position startpos, or position TEXT".to_owned()),
            ["startpos"] => self.kind.start(&self.options).map_err(|error| error.to_string())?,
            _ => self.kind.position(&rest[..end].join(" ")).map_err(|error| error.to_string())?,
        };
        follow(&mut position, rest.iter().skip(end + 1).copied())?;
        Ok(position)
    }

    fn query(&self, rest: &[&str]) -> Result<String, String> {
        let turn = self.position.turn();
        match rest {
            ["gameover"] => Ok(turn.is_over().to_string()),
            ["p1turn"] => Ok((turn.seat() == Some(parlor_core::Seat::FIRST)).to_string()),
            ["result"] => Ok(match turn.outcome() {
                None => "none".to_owned(),
                Some(Outcome::Won { by, .. }) => format!("p{}win", by.number() + 1),
                Some(Outcome::Draw) => "draw".to_owned(),
                Some(Outcome::TeamWon) => "teamwin".to_owned(),
                Some(Outcome::TeamLost) => "teamloss".to_owned(),
            }),
            _ => Err("one can query gameover, result and p1turn".to_owned()),
        }
    }

    fn legal(&self) -> String {
        let (head, texts): (_, Vec<String>) = match self.position.turn() {
            Turn::Chance => ("chance", self.position.chances().into_iter().map(|(text, _)| text).collect()),
            Turn::Move(_) | Turn::Over(_) => ("legal", self.position.legal().into_iter().map(|m| m.text).collect()),
        };
        [head].into_iter().chain(texts.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
    }

    /// Sets a bot to work; nothing when no seat is to move.
    ///
    /// # Errors
    /// When there is no such bot.
    pub fn begin(&mut self, request: Request, send: &Sender<Heard>) -> Result<Option<Search>, String> {
        let spec = request.bot.clone().unwrap_or_else(|| self.spec.clone());
        let known = self.bot.take_if(|(name, _)| *name == spec);
        let bot = match known {
            Some((_, bot)) => bot,
            None => bots::bot(&self.position, &spec, 0).map_err(|error| error.to_string())?,
        };
        if self.position.turn().seat().is_none() {
            return Ok(None);
        }
        self.thinking = spec;
        Ok(Some(Search::begin(bot, self.position.clone(), &request, send.clone())))
    }

    /// Keeps the bot for the next time and tells what it found.
    pub fn finish(&mut self, answer: Answer) -> String {
        let spec = std::mem::take(&mut self.thinking);
        self.bot = answer.bot.map(|bot| (spec, bot));
        lines_of(answer.thought.as_ref(), answer.elapsed)
    }
}

fn option_line(name: &str, schema: &Value) -> String {
    let default = match &schema["default"] {
        Value::Null => String::new(),
        value => words_of(value),
    };
    let default = if default.is_empty() { "<empty>" } else { &default };
    match (schema["type"].as_str(), &schema["minimum"], &schema["maximum"]) {
        (Some("integer"), least, most) if !least.is_null() && !most.is_null() => {
            format!("option name {name} type spin default {default} min {least} max {most}")
        }
        _ if !choices(schema).is_empty() => {
            let words: String = choices(schema).into_iter().map(|(word, _)| format!(" var {word}")).collect();
            format!("option name {name} type combo default {default}{words}")
        }
        (Some("boolean"), ..) => format!("option name {name} type check default {default}"),
        _ => format!("option name {name} type string default {default}"),
    }
}

/// A foreign word, fit to be repeated.
fn shortened(word: &str) -> String {
    word.chars().take(40).collect()
}
