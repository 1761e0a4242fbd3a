//! What the engine knows: the game, the position, the options, the bot.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use parlor_bots::{Alone, Crew};
use parlor_core::{Outcome, Turn};
use parlor_games::bots::{self, Bot};
use parlor_games::{AnyPosition, GameKind, choices};
use serde_json::{Map, Value};

use super::Heard;
use super::go::{Answer, Request, Search, lines_of, number};
use crate::crew::Threads;
use crate::failure::Failure;
use crate::game::{Game, follow, known_options, typed, words_of};

/// The bot that thinks when nothing is said about it.
const USUAL_BOT: &str = "level:5";
/// The most threads that can be asked for.
const MOST_THREADS: usize = 256;

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
    /// Who shares the work on a move. One thread unless told otherwise: whoever lets engines play each other shares out the cores.
    crew: Arc<dyn Crew>,
    /// The bot that thought last, with all it remembers.
    bot: Option<(String, Box<dyn Bot>)>,
    /// The bot that thinks now.
    thinking: String,
}

impl State {
    pub fn new(game: Game) -> Result<State, Failure> {
        let position = game.start()?;
        let spec = USUAL_BOT.to_owned();
        let (kind, options, crew) = (game.kind, game.options, Arc::new(Alone));
        Ok(State {
            kind,
            options,
            position,
            spec,
            crew,
            bot: None,
            thinking: String::new(),
        })
    }

    /// Does what a line says.
    ///
    /// # Errors
    /// What is wrong with it; nothing has changed then.
    pub fn obey(&mut self, line: &str) -> Result<Said, String> {
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else {
            return Ok(Said::Nothing);
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
                let [depth] = rest[..] else {
                    return Err("perft needs a depth: perft N".to_owned());
                };
                let depth =
                    u32::try_from(number(depth)?).map_err(|_| format!("{depth} is too deep"))?;
                format!("perft {depth} {}", self.position.perft(depth))
            }
            "show" => format!("{}{}", self.position.terminal(None), self.position.text()),
            "quit" => return Ok(Said::Quit),
            _ => return Err(format!("there is no command {:?}", shortened(first))),
        };
        Ok(Said::Text(text))
    }

    fn greeting(&self) -> String {
        let mut lines = vec![format!(
            "id name Parlor {} ({})",
            env!("CARGO_PKG_VERSION"),
            self.kind.name()
        )];
        lines.push("id author the authors of Parlor".to_owned());
        lines.extend(
            known_options(&[self.kind])
                .iter()
                .map(|(name, schema)| option_line(name, schema)),
        );
        lines.push("option name level type spin default 5 min 1 max 5".to_owned());
        let bots: String = bots::list(&self.position)
            .iter()
            .map(|bot| format!(" var {}", bot.spec))
            .collect();
        lines.push(format!(
            "option name bot type combo default {USUAL_BOT}{bots}"
        ));
        lines.push(format!(
            "option name threads type spin default 1 min 1 max {MOST_THREADS}"
        ));
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
            "threads" => self.lend(word.unwrap_or("1")),
            _ => self.set_game_option(name, word),
        }
    }

    /// Lends so many threads to the bots that can use them. Their moves are the same with any number, only sooner.
    fn lend(&mut self, word: &str) -> Result<Said, String> {
        let threads = word
            .parse()
            .ok()
            .filter(|threads: &NonZeroUsize| threads.get() <= MOST_THREADS);
        let threads = threads.ok_or_else(|| format!("threads are from 1 to {MOST_THREADS}"))?;
        self.crew = Arc::new(Threads(threads));
        // The bot that is kept has the old ones.
        self.bot = None;
        Ok(Said::Nothing)
    }

    /// Options may fit together only when all of them are set, so one that does not yet make a game is kept.
    fn set_game_option(&mut self, name: &str, word: Option<&str>) -> Result<Said, String> {
        let known = known_options(&[self.kind]);
        let Some(schema) = known.get(name) else {
            let names: Vec<&str> = known
                .keys()
                .map(String::as_str)
                .chain(["level", "bot", "threads"])
                .collect();
            return Err(format!(
                "there is no option {:?}; there are {}",
                shortened(name),
                names.join(", ")
            ));
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
            Err(error) => Ok(Said::Text(format!(
                "info string these options make no game yet: {error}"
            ))),
        }
    }

    /// The position that `startpos` or a text and moves lead to.
    fn place(&self, rest: &[&str]) -> Result<AnyPosition, String> {
        let end = rest
            .iter()
            .position(|word| *word == "moves")
            .unwrap_or(rest.len());
        let mut position = match rest[..end] {
            [] => {
                return Err("a position is needed: position startpos, or position TEXT".to_owned());
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

    /// Sets a bot to work; nothing when no seat is to move.
    ///
    /// # Errors
    /// When there is no such bot.
    pub fn begin(
        &mut self,
        request: Request,
        send: &Sender<Heard>,
    ) -> Result<Option<Search>, String> {
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
        Ok(Some(Search::begin(
            bot,
            self.position.clone(),
            &request,
            send.clone(),
        )))
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

/// A foreign word, fit to be repeated.
fn shortened(word: &str) -> String {
    word.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::channel;

    use serde_json::json;

    use super::*;

    /// A game that begins, after its set-up.
    fn pandemic() -> State {
        let options = json!({ "players": 2, "roles": ["Medic", "Scientist"], "events": [] });
        let mut state = State::new(Game {
            kind: GameKind::Pandemic,
            options,
        })
        .expect("a game");
        while let Turn::Chance = state.position.turn() {
            let (text, _) = state.position.chances().swap_remove(0);
            state.position.resolve(&text).expect("one of the chances");
        }
        state
    }

    /// What a bot finds in so many nodes.
    fn best(state: &mut State) -> String {
        let (send, heard) = channel();
        let Ok(Said::Go(request)) = state.obey("go nodes 3000") else {
            panic!("no search")
        };
        let _search = state
            .begin(request, &send)
            .expect("a bot")
            .expect("a seat to move");
        let Ok(Heard::Found(answer)) = heard.recv() else {
            panic!("no answer")
        };
        state
            .finish(*answer)
            .lines()
            .last()
            .expect("a line")
            .to_owned()
    }

    /// Works alone and counts what it was asked for.
    #[derive(Default)]
    struct Counting(AtomicUsize);

    impl Crew for Counting {
        fn each(&self, jobs: usize, work: &(dyn Fn(usize) + Sync)) {
            self.0.fetch_add(jobs, Ordering::Relaxed);
            Alone.each(jobs, work);
        }
    }

    #[test]
    fn a_search_is_shared_among_the_threads_that_are_lent() {
        let (mut state, crew) = (pandemic(), Arc::new(Counting::default()));
        state.crew = crew.clone();
        best(&mut state);
        assert!(crew.0.load(Ordering::Relaxed) > 1);
    }

    #[test]
    fn more_threads_change_no_move() {
        let mut state = pandemic();
        let alone = best(&mut state);
        assert!(state.obey("setoption name threads value 3").is_ok());
        assert_eq!(best(&mut state), alone);
    }

    #[test]
    fn a_number_of_threads_that_cannot_be_is_refused_and_changes_nothing() {
        let (mut state, crew) = (pandemic(), Arc::new(Counting::default()));
        state.crew = crew.clone();
        for wrong in ["0", "-1", "257", "many"] {
            let said = state.obey(&format!("setoption name threads value {wrong}"));
            let reason = said.err().unwrap_or_else(|| panic!("{wrong} is taken"));
            assert_eq!(reason, "threads are from 1 to 256");
        }
        best(&mut state);
        assert!(crew.0.load(Ordering::Relaxed) > 1, "the crew is the same");
        assert!(
            state.obey("setoption name threads").is_ok(),
            "without a value, one thread"
        );
        let before = crew.0.load(Ordering::Relaxed);
        best(&mut state);
        assert_eq!(
            crew.0.load(Ordering::Relaxed),
            before,
            "the bot that was kept is not asked again"
        );
    }

    #[test]
    fn the_greeting_names_the_threads() {
        let Ok(Said::Text(greeting)) = pandemic().obey("ugi") else {
            panic!("no greeting")
        };
        assert!(
            greeting
                .lines()
                .any(|line| line == "option name threads type spin default 1 min 1 max 256")
        );
    }
}
