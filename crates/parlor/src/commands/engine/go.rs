//! Thinking about a move, beside the conversation.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use parlor_bots::Budget;
use parlor_games::AnyPosition;
use parlor_games::bots::{Bot, Deadline, Thought};

use super::Heard;

/// How long to think when nothing is said about it.
const USUAL: Duration = Duration::from_millis(1000);

/// What `go` asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    movetime: Option<Duration>,
    nodes: Option<u64>,
    infinite: bool,
    /// A bot for this move only.
    pub bot: Option<String>,
}

impl Request {
    /// Reads what follows `go`.
    ///
    /// # Errors
    /// The first word that is not understood.
    pub fn read<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Request, String> {
        let mut request = Request::default();
        while let Some(word) = words.next() {
            let mut value = |what: &str| {
                words
                    .next()
                    .ok_or_else(|| format!("go {word} needs {what}"))
            };
            match word {
                "movetime" => {
                    request.movetime = Some(Duration::from_millis(number(value("milliseconds")?)?))
                }
                "nodes" => request.nodes = Some(number(value("a number")?)?),
                "level" => request.bot = Some(format!("level:{}", number(value("a number")?)?)),
                "bot" => request.bot = Some(value("a name")?.to_owned()),
                "infinite" => request.infinite = true,
                _ => {
                    return Err(format!(
                        "go does not know {word:?}: there are movetime, nodes, level, bot, infinite"
                    ));
                }
            }
        }
        Ok(request)
    }
}

/// A whole number.
pub fn number(word: &str) -> Result<u64, String> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse()
        .ok()
        .filter(|_| digits)
        .ok_or_else(|| format!("{word:?} is no whole number"))
}

/// What a bot found, and the bot for the next time.
pub struct Answer {
    /// Nothing when it broke down.
    pub bot: Option<Box<dyn Bot>>,
    pub thought: Option<Thought>,
    pub elapsed: Duration,
}

/// A bot at work.
pub struct Search {
    stop: Arc<AtomicBool>,
    /// Whether it works until it is stopped.
    pub endless: bool,
}

impl Search {
    /// Sets a bot to work on a thread of its own, which sends its answer when it is done.
    pub fn begin(
        mut bot: Box<dyn Bot>,
        position: AnyPosition,
        request: &Request,
        send: Sender<Heard>,
    ) -> Search {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let unlimited = request.movetime.is_none() && request.nodes.is_none();
        let time = request
            .movetime
            .or((unlimited && !request.infinite).then_some(USUAL));
        let nodes = request.nodes.unwrap_or(u64::MAX);
        thread::spawn(move || {
            let begin = Instant::now();
            let mut deadline = time.map(Deadline::after);
            let mut budget = |spent: u64| {
                stopped.load(Ordering::Relaxed)
                    || spent >= nodes
                    || deadline.as_mut().is_some_and(|d| d.spent(spent))
            };
            // A bot that breaks down must not leave the other side waiting.
            let thought = catch_unwind(AssertUnwindSafe(|| bot.think(&position, &mut budget)));
            let bot = thought.is_ok().then_some(bot);
            let answer = Answer {
                bot,
                thought: thought.unwrap_or_default(),
                elapsed: begin.elapsed(),
            };
            // Nobody listens any more when the conversation has ended.
            let _ = send.send(Heard::Found(Box::new(answer)));
        });
        Search {
            stop,
            endless: unlimited && request.infinite,
        }
    }

    /// Asks the bot to come to an end.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// The lines that tell a thought.
pub fn lines_of(thought: Option<&Thought>, elapsed: Duration) -> String {
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
    use super::Request;

    #[test]
    fn a_wrong_word_of_go_is_named() {
        let read = |text: &str| Request::read(text.split_whitespace());
        assert!(read("movetime 100 nodes 5 level 3").is_ok());
        for (text, reason) in [
            ("fast", "\"fast\""),
            ("nodes", "needs"),
            ("nodes -1", "\"-1\""),
            ("movetime x", "\"x\""),
        ] {
            let error = read(text).expect_err("this cannot be obeyed");
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
