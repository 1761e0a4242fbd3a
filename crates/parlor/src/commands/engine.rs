//! `parlor engine`: a game and its bots behind a line protocol, in the manner of UGI.

mod go;
mod state;

use std::collections::VecDeque;
use std::io::{self, BufReader, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use clap::Args;

use crate::failure::Failure;
use crate::game::Game;
use crate::lines;
use go::{Answer, Search};
use state::{Said, State};

/// Drives a game and its bots by lines on standard input, in the manner of UGI.
///
/// Unknown and wrong lines are answered by a line that begins with `error`, and the conversation goes on.
#[derive(Args, Debug)]
#[command(after_help = "\
Lines:
  ugi                                        who is there, and the options
  isready                                    readyok, even while thinking
  setoption name NAME value VALUE            an option of the game, or `level`, `bot` or `threads`; without value, its default
  uginewgame                                 forget everything about the last game
  position startpos [moves M1 M2 …]          in games with luck, what luck brings stands among the moves
  position TEXT [moves M1 M2 …]
  go [movetime MS] [nodes N] [level L] [bot NAME] [infinite]
                                             info …, then bestmove …
  stop                                       end the thinking now
  query gameover | result | p1turn           response …
  legal                                      legal M1 M2 … (or chance C1 C2 … where luck decides)
  perft N                                    perft N COUNT
  show                                       the board, then the position's text
  quit                                       after what was asked before; `stop` first to leave a long thought

Example:
  printf 'position startpos moves 1,1\\ngo nodes 1000\\nquit\\n' | parlor engine mnk")]
pub struct Engine {
    #[command(flatten)]
    game: Game,
}

/// What the conversation waits for.
pub(crate) enum Heard {
    /// A line of the other side.
    Line(lines::Line),
    /// The other side has said all it will.
    End,
    /// A bot has found its move.
    Found(Box<Answer>),
}

pub fn run(args: &Engine, out: &mut dyn Write) -> Result<(), Failure> {
    let state = State::new(args.game.clone())?;
    let (send, heard) = channel();
    let lines = send.clone();
    thread::spawn(move || listen(&lines));
    Conversation {
        state,
        search: None,
        waiting: VecDeque::new(),
        send,
        leaving: false,
        out,
    }
    .hold(&heard)
}

/// Passes on every line, until the input ends or nobody wants more.
fn listen(send: &Sender<Heard>) {
    let mut input = BufReader::new(io::stdin());
    // An input that cannot be read has ended.
    while let Ok(Some(line)) = lines::next(&mut input) {
        if send.send(Heard::Line(line)).is_err() {
            return;
        }
    }
    let _ = send.send(Heard::End);
}

struct Conversation<'a> {
    state: State,
    /// The thinking that goes on.
    search: Option<Search>,
    /// Lines that came meanwhile and need the position or the bot: they take their turn afterwards.
    waiting: VecDeque<String>,
    send: Sender<Heard>,
    /// Whether the other side has said its last word.
    leaving: bool,
    out: &'a mut dyn Write,
}

impl Conversation<'_> {
    fn hold(&mut self, heard: &Receiver<Heard>) -> Result<(), Failure> {
        let mut ended = false;
        while !(ended && self.search.is_none()) {
            match heard.recv() {
                Ok(Heard::Line(line)) => match line.map(String::from_utf8) {
                    Ok(Ok(line)) => ended |= self.hear(&line)?,
                    Ok(Err(_)) => self.say("error the line is not UTF-8")?,
                    Err(too_long) => self.say(&format!("error {too_long}"))?,
                },
                Ok(Heard::Found(answer)) => ended |= self.found(*answer)?,
                Ok(Heard::End) | Err(_) => {
                    ended = true;
                    self.leave();
                }
            }
        }
        Ok(())
    }

    /// The other side will say no more: nobody is left to end a search without a limit, this one or one that waits.
    fn leave(&mut self) {
        self.leaving = true;
        self.search
            .iter()
            .filter(|search| search.endless)
            .for_each(Search::stop);
    }

    /// Takes a line in. Says whether it was the last.
    fn hear(&mut self, line: &str) -> Result<bool, Failure> {
        let first = line.split_whitespace().next().unwrap_or_default();
        let Some(search) = &self.search else {
            return self.obey(line);
        };
        match first {
            "stop" => search.stop(),
            "isready" => self.say("readyok")?,
            "quit" => {
                // It takes its turn, so that a script piped in is answered whole.
                self.waiting.push_back(line.to_owned());
                self.leave();
            }
            _ => self.waiting.push_back(line.to_owned()),
        }
        Ok(false)
    }

    /// Does what a line says. Says whether it was the last.
    fn obey(&mut self, line: &str) -> Result<bool, Failure> {
        match self.state.obey(line) {
            Ok(Said::Text(text)) => self.say(&text)?,
            Ok(Said::Nothing) => {}
            Ok(Said::Go(request)) => match self.state.begin(request, &self.send) {
                Ok(search) => {
                    self.search = search;
                    if self.leaving {
                        self.leave();
                    }
                }
                Err(reason) => self.say(&format!("error {reason}"))?,
            },
            Ok(Said::Quit) => return Ok(true),
            Err(reason) => self.say(&format!("error {reason}"))?,
        }
        if self.search.is_none() && matches!(line.split_whitespace().next(), Some("go")) {
            // There was nothing to think about; whoever asked still waits for this line.
            self.say("bestmove none")?;
        }
        Ok(false)
    }

    /// Tells what a bot found, and goes on with what waited. Says whether that ended the conversation.
    fn found(&mut self, answer: Answer) -> Result<bool, Failure> {
        self.search = None;
        let text = self.state.finish(answer);
        self.say(&text)?;
        while self.search.is_none() {
            let Some(line) = self.waiting.pop_front() else {
                break;
            };
            if self.obey(&line)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn say(&mut self, text: &str) -> Result<(), Failure> {
        writeln!(self.out, "{text}")?;
        Ok(self.out.flush()?)
    }
}
