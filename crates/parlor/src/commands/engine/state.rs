//! State of an engine session: game, position, options, bot.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use parlor_bots::{Alone, Crew};
use parlor_core::{Outcome, Turn};
use parlor_games::bots::{self, Bot};
use parlor_games::{AnyPosition, GameKind, choices};
use serde_json::{Map, Value};

use super::EngineEvent;
use super::go::{EngineSearch, GoRequest, SearchResult, format_thought, parse_number};
use crate::crew::ThreadCrew;
use crate::error::CommandError;
use crate::game_args::{GameArgs, format_value, option_schemas, parse_value, replay};

/// Bot used unless another is set.
const DEFAULT_BOT: &str = "level:5";
/// Maximum value of the `threads` option.
const MAX_THREADS: usize = 256;

/// Effect of a line.
pub enum EngineReply {
    /// One or more lines to print.
    Text(String),
    /// Nothing to print.
    Nothing,
    /// A search to start.
    Go(GoRequest),
    /// End of the session.
    Quit,
}

/// The position and settings that lines refer to.
pub struct EngineState {
    kind: GameKind,
    options: Value,
    position: AnyPosition,
    /// Bot for a `go` that names none.
    spec: String,
    /// Threads lent to searches. One by default, because a tournament distributes the cores itself.
    crew: Arc<dyn Crew>,
    /// Bot of the last search with its memory.
    bot: Option<(String, Box<dyn Bot>)>,
    /// Name of the bot that is searching.
    thinking: String,
}

impl EngineState {
    /// Starts with the game's first position.
    ///
    /// # Errors
    /// If the options are invalid.
    pub fn new(game: GameArgs) -> Result<EngineState, CommandError> {
        let position = game.start()?;
        let spec = DEFAULT_BOT.to_owned();
        let (kind, options, crew) = (game.kind, game.options, Arc::new(Alone));
        Ok(EngineState {
            kind,
            options,
            position,
            spec,
            crew,
            bot: None,
            thinking: String::new(),
        })
    }

    /// Executes a line.
    ///
    /// # Errors
    /// Returns the problem as text; the state is then unchanged.
    pub fn execute(&mut self, line: &str) -> Result<EngineReply, String> {
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else {
            return Ok(EngineReply::Nothing);
        };
        let rest: Vec<&str> = words.collect();
        let text = match first {
            "ugi" => self.greeting(),
            "isready" => "readyok".to_owned(),
            "uginewgame" => {
                self.position = self
                    .kind
                    .start(&self.options)
                    .map_err(|error| error.to_string())?;
                self.bot = None;
                return Ok(EngineReply::Nothing);
            }
            "setoption" => return self.set_option(&rest),
            "position" => {
                self.position = self.parse_position(&rest)?;
                return Ok(EngineReply::Nothing);
            }
            "go" => return GoRequest::parse(rest.into_iter()).map(EngineReply::Go),
            "stop" => return Ok(EngineReply::Nothing),
            "query" => format!("response {}", self.query(&rest)?),
            "legal" => self.legal(),
            "perft" => {
                let [depth] = rest[..] else {
                    return Err("missing depth: perft N".to_owned());
                };
                let depth = u32::try_from(parse_number(depth)?)
                    .map_err(|_| format!("{depth} is too deep"))?;
                format!("perft {depth} {}", self.position.perft(depth))
            }
            "show" => format!("{}{}", self.position.terminal(None), self.position.text()),
            "quit" => return Ok(EngineReply::Quit),
            _ => return Err(format!("unknown command {:?}", truncated(first))),
        };
        Ok(EngineReply::Text(text))
    }

    fn greeting(&self) -> String {
        let mut lines = vec![format!(
            "id name Parlor {} ({})",
            env!("CARGO_PKG_VERSION"),
            self.kind.name()
        )];
        lines.push("id author the authors of Parlor".to_owned());
        lines.extend(
            option_schemas(self.kind)
                .iter()
                .map(|(name, schema)| option_line(name, schema)),
        );
        lines.push("option name level type spin default 5 min 1 max 5".to_owned());
        let bots: String = bots::list(&self.position)
            .iter()
            .map(|bot| format!(" var {}", bot.spec))
            .collect();
        lines.push(format!(
            "option name bot type combo default {DEFAULT_BOT}{bots}"
        ));
        lines.push(format!(
            "option name threads type spin default 1 min 1 max {MAX_THREADS}"
        ));
        lines.push("ugiok".to_owned());
        lines.join("\n")
    }

    /// Executes `setoption name X value Y`; without a value the option is reset to its default.
    fn set_option(&mut self, rest: &[&str]) -> Result<EngineReply, String> {
        let (name, word) = match rest {
            ["name", name] | ["name", name, "value"] => (*name, None),
            ["name", name, "value", word] => (*name, Some(*word)),
            _ => return Err("expected: setoption name NAME value VALUE".to_owned()),
        };
        match name {
            "level" | "bot" => {
                let spec = word.map_or(DEFAULT_BOT.to_owned(), |word| match name {
                    "level" => format!("level:{word}"),
                    _ => word.to_owned(),
                });
                bots::check(&self.position, &spec).map_err(|error| error.to_string())?;
                self.spec = spec;
                Ok(EngineReply::Nothing)
            }
            "threads" => self.set_threads(word.unwrap_or("1")),
            _ => self.set_game_option(name, word),
        }
    }

    /// Sets the number of threads for bots that can use several. It changes only the speed, not the
    /// moves.
    fn set_threads(&mut self, word: &str) -> Result<EngineReply, String> {
        let threads = word
            .parse()
            .ok()
            .filter(|threads: &NonZeroUsize| threads.get() <= MAX_THREADS);
        let threads = threads.ok_or_else(|| format!("threads must be from 1 to {MAX_THREADS}"))?;
        self.crew = Arc::new(ThreadCrew(threads));
        // The kept bot holds the old crew.
        self.bot = None;
        Ok(EngineReply::Nothing)
    }

    /// Sets an option of the game. Options may be consistent only once all of them are set, so an
    /// invalid combination is kept.
    fn set_game_option(&mut self, name: &str, word: Option<&str>) -> Result<EngineReply, String> {
        let known = option_schemas(self.kind);
        let Some(schema) = known.get(name) else {
            let names: Vec<&str> = known
                .keys()
                .map(String::as_str)
                .chain(["level", "bot", "threads"])
                .collect();
            return Err(format!(
                "unknown option {:?}; the options are {}",
                truncated(name),
                names.join(", ")
            ));
        };
        let mut options = match self.options.take() {
            Value::Object(options) => options,
            _ => Map::new(),
        };
        match word {
            Some(word) => options.insert(name.to_owned(), parse_value(Some(schema), word)),
            None => options.remove(name),
        };
        self.options = Value::Object(options);
        match self.kind.start(&self.options) {
            Ok(position) => {
                self.position = position;
                self.bot = None;
                Ok(EngineReply::Nothing)
            }
            Err(error) => Ok(EngineReply::Text(format!(
                "info string the options are not valid yet: {error}"
            ))),
        }
    }

    /// Parses `startpos` or a position's text, followed by moves.
    fn parse_position(&self, rest: &[&str]) -> Result<AnyPosition, String> {
        let end = rest
            .iter()
            .position(|word| *word == "moves")
            .unwrap_or(rest.len());
        let mut position = match rest[..end] {
            [] => {
                return Err("missing position: position startpos, or position TEXT".to_owned());
            }
            ["startpos"] => self
                .kind
                .start(&self.options)
                .map_err(|error| error.to_string())?,
            _ => self
                .kind
                .position(&rest[..end].join(" "))
                .map_err(|error| error.to_string())?,
        };
        replay(&mut position, rest.iter().skip(end + 1).copied())?;
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
            _ => Err("unknown query; expected gameover, result or p1turn".to_owned()),
        }
    }

    fn legal(&self) -> String {
        let (head, texts): (_, Vec<String>) = match self.position.turn() {
            Turn::Chance => (
                "chance",
                self.position
                    .chances()
                    .into_iter()
                    .map(|(text, _)| text)
                    .collect(),
            ),
            Turn::Move(_) | Turn::Over(_) => (
                "legal",
                self.position.legal().into_iter().map(|m| m.text).collect(),
            ),
        };
        [head]
            .into_iter()
            .chain(texts.iter().map(String::as_str))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Starts a search; returns `None` if no seat is to move.
    ///
    /// # Errors
    /// If there is no such bot.
    pub fn start_search(
        &mut self,
        request: GoRequest,
        send: &Sender<EngineEvent>,
    ) -> Result<Option<EngineSearch>, String> {
        let spec = request.bot.clone().unwrap_or_else(|| self.spec.clone());
        let known = self.bot.take_if(|(name, _)| *name == spec);
        let bot = match known {
            Some((_, bot)) => bot,
            None => bots::bot_with_crew(&self.position, &spec, 0, Arc::clone(&self.crew))
                .map_err(|error| error.to_string())?,
        };
        if self.position.turn().seat().is_none() {
            return Ok(None);
        }
        self.thinking = spec;
        Ok(Some(EngineSearch::start(
            bot,
            self.position.clone(),
            &request,
            send.clone(),
        )))
    }

    /// Keeps the bot for the next search and returns the lines to print.
    pub fn finish_search(&mut self, result: SearchResult) -> String {
        let spec = std::mem::take(&mut self.thinking);
        self.bot = result.bot.map(|bot| (spec, bot));
        format_thought(result.thought.as_ref(), result.elapsed)
    }
}

/// Formats the `option` line of a game option.
fn option_line(name: &str, schema: &Value) -> String {
    let default = match &schema["default"] {
        Value::Null => String::new(),
        value => format_value(value),
    };
    let default = if default.is_empty() {
        "<empty>"
    } else {
        &default
    };
    match (
        schema["type"].as_str(),
        &schema["minimum"],
        &schema["maximum"],
    ) {
        (Some("integer"), least, most) if !least.is_null() && !most.is_null() => {
            format!("option name {name} type spin default {default} min {least} max {most}")
        }
        _ if !choices(schema).is_empty() => {
            let words: String = choices(schema)
                .into_iter()
                .map(|(word, _)| format!(" var {word}"))
                .collect();
            format!("option name {name} type combo default {default}{words}")
        }
        (Some("boolean"), ..) => format!("option name {name} type check default {default}"),
        _ => format!("option name {name} type string default {default}"),
    }
}

/// Returns the beginning of a word, for an error message.
fn truncated(word: &str) -> String {
    word.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::channel;

    use serde_json::json;

    use super::*;

    /// A new game after its setup draws.
    fn pandemic() -> EngineState {
        let options = json!({ "players": 2, "roles": ["Medic", "Scientist"], "events": [] });
        let mut state = EngineState::new(GameArgs {
            kind: parlor_games::pandemic::KIND,
            options,
        })
        .expect("a game");
        while let Turn::Chance = state.position.turn() {
            let (text, _) = state.position.chances().swap_remove(0);
            state.position.resolve(&text).expect("one of the chances");
        }
        state
    }

    /// Returns the best move after 3,000 nodes.
    fn best(state: &mut EngineState) -> String {
        let (send, events) = channel();
        let Ok(EngineReply::Go(request)) = state.execute("go nodes 3000") else {
            panic!("no search")
        };
        let _search = state
            .start_search(request, &send)
            .expect("a bot")
            .expect("a seat to move");
        let Ok(EngineEvent::SearchDone(result)) = events.recv() else {
            panic!("no result")
        };
        state
            .finish_search(*result)
            .lines()
            .last()
            .expect("a line")
            .to_owned()
    }

    /// Crew of one thread that counts the jobs.
    #[derive(Default)]
    struct Counting(AtomicUsize);

    impl Crew for Counting {
        fn each(&self, jobs: usize, work: &(dyn Fn(usize) + Sync)) {
            self.0.fetch_add(jobs, Ordering::Relaxed);
            Alone.each(jobs, work);
        }
    }

    #[test]
    fn a_search_uses_the_crew() {
        let (mut state, crew) = (pandemic(), Arc::new(Counting::default()));
        state.crew = crew.clone();
        best(&mut state);
        assert!(crew.0.load(Ordering::Relaxed) > 1);
    }

    #[test]
    fn more_threads_change_no_move() {
        let mut state = pandemic();
        let alone = best(&mut state);
        assert!(state.execute("setoption name threads value 3").is_ok());
        assert_eq!(best(&mut state), alone);
    }

    #[test]
    fn an_invalid_number_of_threads_is_refused_and_changes_nothing() {
        let (mut state, crew) = (pandemic(), Arc::new(Counting::default()));
        state.crew = crew.clone();
        for wrong in ["0", "-1", "257", "many"] {
            let said = state.execute(&format!("setoption name threads value {wrong}"));
            let reason = said.err().unwrap_or_else(|| panic!("{wrong} is accepted"));
            assert_eq!(reason, "threads must be from 1 to 256");
        }
        best(&mut state);
        assert!(crew.0.load(Ordering::Relaxed) > 1, "the crew is the same");
        assert!(
            state.execute("setoption name threads").is_ok(),
            "without a value, one thread"
        );
        let before = crew.0.load(Ordering::Relaxed);
        best(&mut state);
        assert_eq!(
            crew.0.load(Ordering::Relaxed),
            before,
            "the kept bot with the old crew is dropped"
        );
    }

    #[test]
    fn the_greeting_lists_the_threads_option() {
        let Ok(EngineReply::Text(greeting)) = pandemic().execute("ugi") else {
            panic!("no greeting")
        };
        assert!(
            greeting
                .lines()
                .any(|line| line == "option name threads type spin default 1 min 1 max 256")
        );
    }
}
