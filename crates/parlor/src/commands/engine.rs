//! `parlor engine`: a game and its bots behind a line protocol in the style of UGI.

mod go;
mod state;

use std::collections::VecDeque;
use std::io::{self, BufReader, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use clap::Args;

use crate::error::CommandError;
use crate::game_args::GameArgs;
use crate::lines;
use go::{EngineSearch, SearchResult};
use state::{EngineReply, EngineState};

/// Control a game and its bots with lines on standard input, in the style of UGI.
///
/// Unknown and invalid lines are answered with a line that begins with `error`; the session goes on.
#[derive(Args, Debug)]
#[command(after_help = "\
Lines:
  ugi                                        print name and options
  isready                                    print readyok, even during a search
  setoption name NAME value VALUE            set an option of the game, `level`, `bot` or `threads`; reset it without value
  uginewgame                                 start a new game
  position startpos [moves M1 M2 …]          set up a position; in games with luck the moves include rolls and draws
  position TEXT [moves M1 M2 …]
  go [movetime MS] [nodes N] [level L] [bot NAME] [infinite]
                                             search; print info …, then bestmove …
  stop                                       stop the search
  query gameover | result | p1turn           print response …
  legal                                      print legal M1 M2 … (or chance C1 C2 … if luck decides)
  perft N                                    print perft N COUNT
  show                                       print the board, then the position as text
  quit                                       quit after the lines before it; use `stop` first to cut a search short

Example:
  printf 'position startpos moves 1,1\\ngo nodes 1000\\nquit\\n' | parlor engine mnk")]
pub struct EngineArgs {
    #[command(flatten)]
    game: GameArgs,
}

/// An event that the session waits for.
pub(crate) enum EngineEvent {
    /// A line of input.
    Line(lines::Line),
    /// The end of the input.
    InputEnded,
    /// The end of a search.
    SearchDone(Box<SearchResult>),
}

pub fn run(args: &EngineArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let state = EngineState::new(args.game.clone())?;
    let (send, events) = channel();
    let lines = send.clone();
    thread::spawn(move || forward_lines(&lines));
    EngineSession {
        state,
        search: None,
        queued: VecDeque::new(),
        send,
        input_ended: false,
        out,
    }
    .run(&events)
}

/// Forwards every line until the input ends or the session is over.
fn forward_lines(send: &Sender<EngineEvent>) {
    let mut input = BufReader::new(io::stdin());
    // An unreadable input counts as ended.
    while let Ok(Some(line)) = lines::read_line(&mut input) {
        if send.send(EngineEvent::Line(line)).is_err() {
            return;
        }
    }
    let _ = send.send(EngineEvent::InputEnded);
}

/// The session with one client.
struct EngineSession<'a> {
    state: EngineState,
    /// The running search.
    search: Option<EngineSearch>,
    /// Lines that need the position or the bot, queued until the search ends.
    queued: VecDeque<String>,
    send: Sender<EngineEvent>,
    /// True once the input has ended.
    input_ended: bool,
    out: &'a mut dyn Write,
}

impl EngineSession<'_> {
    fn run(&mut self, events: &Receiver<EngineEvent>) -> Result<(), CommandError> {
        let mut ended = false;
        while !(ended && self.search.is_none()) {
            match events.recv() {
                Ok(EngineEvent::Line(line)) => match line.map(String::from_utf8) {
                    Ok(Ok(line)) => ended |= self.handle_line(&line)?,
                    Ok(Err(_)) => self.print("error the line is not UTF-8")?,
                    Err(too_long) => self.print(&format!("error {too_long}"))?,
                },
                Ok(EngineEvent::SearchDone(result)) => ended |= self.finish_search(*result)?,
                Ok(EngineEvent::InputEnded) | Err(_) => {
                    ended = true;
                    self.end_input();
                }
            }
        }
        Ok(())
    }

    /// Records the end of the input. An endless search can no longer be stopped by the client, so
    /// it is stopped here, and a queued one as soon as it starts.
    fn end_input(&mut self) {
        self.input_ended = true;
        self.search
            .iter()
            .filter(|search| search.is_endless)
            .for_each(EngineSearch::stop);
    }

    /// Handles a line of input: executes it, or queues it during a search. Returns true after `quit`.
    fn handle_line(&mut self, line: &str) -> Result<bool, CommandError> {
        let first = line.split_whitespace().next().unwrap_or_default();
        let Some(search) = &self.search else {
            return self.execute(line);
        };
        match first {
            "stop" => search.stop(),
            "isready" => self.print("readyok")?,
            "quit" => {
                // Queued like other lines, so that a piped script is answered completely.
                self.queued.push_back(line.to_owned());
                self.end_input();
            }
            _ => self.queued.push_back(line.to_owned()),
        }
        Ok(false)
    }

    /// Executes a line. Returns true after `quit`.
    fn execute(&mut self, line: &str) -> Result<bool, CommandError> {
        match self.state.execute(line) {
            Ok(EngineReply::Text(text)) => self.print(&text)?,
            Ok(EngineReply::Nothing) => {}
            Ok(EngineReply::Go(request)) => match self.state.start_search(request, &self.send) {
                Ok(search) => {
                    self.search = search;
                    if self.input_ended {
                        self.end_input();
                    }
                }
                Err(reason) => self.print(&format!("error {reason}"))?,
            },
            Ok(EngineReply::Quit) => return Ok(true),
            Err(reason) => self.print(&format!("error {reason}"))?,
        }
        if self.search.is_none() && matches!(line.split_whitespace().next(), Some("go")) {
            // No search was started, but the client still waits for this line.
            self.print("bestmove none")?;
        }
        Ok(false)
    }

    /// Prints the result of a search and executes the queued lines. Returns true after `quit`.
    fn finish_search(&mut self, result: SearchResult) -> Result<bool, CommandError> {
        self.search = None;
        let text = self.state.finish_search(result);
        self.print(&text)?;
        while self.search.is_none() {
            let Some(line) = self.queued.pop_front() else {
                break;
            };
            if self.execute(&line)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn print(&mut self, text: &str) -> Result<(), CommandError> {
        writeln!(self.out, "{text}")?;
        Ok(self.out.flush()?)
    }
}
