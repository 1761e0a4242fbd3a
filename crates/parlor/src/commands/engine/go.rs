//! Searches for a move, on a thread of their own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use parlor_bots::Budget;
use parlor_games::AnyPosition;
use parlor_games::bots::{Bot, Deadline, Thought};

use super::EngineEvent;

/// Thinking time if `go` sets no limit.
const DEFAULT_TIME: Duration = Duration::from_millis(1000);

/// Parsed arguments of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoRequest {
    movetime: Option<Duration>,
    nodes: Option<u64>,
    infinite: bool,
    /// Bot for this search only.
    pub bot: Option<String>,
}

impl GoRequest {
    /// Parses the words after `go`.
    ///
    /// # Errors
    /// The first invalid word with the reason.
    pub fn parse<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<GoRequest, String> {
        let mut request = GoRequest::default();
        while let Some(word) = words.next() {
            let mut value = |what: &str| {
                words
                    .next()
                    .ok_or_else(|| format!("go {word} needs {what}"))
            };
            match word {
                "movetime" => {
                    request.movetime =
                        Some(Duration::from_millis(parse_number(value("milliseconds")?)?))
                }
                "nodes" => request.nodes = Some(parse_number(value("a number")?)?),
                "level" => {
                    request.bot = Some(format!("level:{}", parse_number(value("a number")?)?))
                }
                "bot" => request.bot = Some(value("a name")?.to_owned()),
                "infinite" => request.infinite = true,
                _ => {
                    return Err(format!(
                        "unknown argument {word:?} of go; expected movetime, nodes, level, bot or infinite"
                    ));
                }
            }
        }
        Ok(request)
    }
}

/// Parses a whole number.
pub fn parse_number(word: &str) -> Result<u64, String> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse()
        .ok()
        .filter(|_| digits)
        .ok_or_else(|| format!("{word:?} is not a whole number"))
}

/// Result of a search, and the bot for the next one.
pub struct SearchResult {
    /// `None` if it panicked.
    pub bot: Option<Box<dyn Bot>>,
    pub thought: Option<Thought>,
    pub elapsed: Duration,
}

/// A running search.
pub struct EngineSearch {
    stop: Arc<AtomicBool>,
    /// True if it runs until it is stopped.
    pub is_endless: bool,
}

impl EngineSearch {
    /// Starts a search on a new thread, which sends the result when it is done.
    pub fn start(
        mut bot: Box<dyn Bot>,
        position: AnyPosition,
        request: &GoRequest,
        send: Sender<EngineEvent>,
    ) -> EngineSearch {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let is_unlimited = request.movetime.is_none() && request.nodes.is_none();
        let time = request
            .movetime
            .or((is_unlimited && !request.infinite).then_some(DEFAULT_TIME));
        let nodes = request.nodes.unwrap_or(u64::MAX);
        thread::spawn(move || {
            let start = Instant::now();
            let mut deadline = time.map(Deadline::after);
            let mut budget = |spent: u64| {
                stopped.load(Ordering::Relaxed)
                    || spent >= nodes
                    || deadline.as_mut().is_some_and(|d| d.spent(spent))
            };
            // A bot that panics must not leave the client waiting.
            let thought = catch_unwind(AssertUnwindSafe(|| bot.think(&position, &mut budget)));
            let bot = thought.is_ok().then_some(bot);
            let result = SearchResult {
                bot,
                thought: thought.unwrap_or_default(),
                elapsed: start.elapsed(),
            };
            // The receiver is gone if the session has ended.
            let _ = send.send(EngineEvent::SearchDone(Box::new(result)));
        });
        EngineSearch {
            stop,
            is_endless: is_unlimited && request.infinite,
        }
    }

    /// Asks the bot to stop.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Formats the result of a search as `info` and `bestmove` lines.
pub fn format_thought(thought: Option<&Thought>, elapsed: Duration) -> String {
    let Some(thought) = thought else {
        return "bestmove none".to_owned();
    };
    let ms = elapsed.as_millis();
    let per_second = (thought.nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64;
    let mut info = format!(
        "info depth {} nodes {} time {ms} nps {per_second}",
        thought.depth, thought.nodes
    );
    if let Some(value) = thought.value {
        info.push_str(&format!(" score cp {:.0}", 100.0 * value));
        info.push_str(if thought.exact { " exact" } else { "" });
    }
    if !thought.line.is_empty() {
        info.push_str(&format!(" pv {}", thought.line.join(" ")));
    }
    format!("{info}\nbestmove {}", thought.text)
}

#[cfg(test)]
mod tests {
    use super::GoRequest;

    #[test]
    fn an_invalid_argument_of_go_is_reported() {
        let parse = |text: &str| GoRequest::parse(text.split_whitespace());
        assert!(parse("movetime 100 nodes 5 level 3").is_ok());
        for (text, reason) in [
            ("fast", "\"fast\""),
            ("nodes", "needs"),
            ("nodes -1", "\"-1\""),
            ("movetime x", "\"x\""),
        ] {
            let error = parse(text).expect_err("invalid");
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
