//! `parlor external`: a bot for other programs, reached over a socket.

use std::io::{self, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use parlor_backgammon::fibs::{FibsBoard, answer};
use parlor_backgammon::{Phase, Rules};
use parlor_bots::backgammon::{BackgammonEvaluator, NetPlayer, NetPlayerSettings};
use parlor_bots::{Level, Nodes, Strategy};

use super::train;
use crate::crew::ThreadCrew;
use crate::error::CommandError;
use crate::lines;

/// Serve a bot as an external player: another program connects and asks for moves.
///
/// Prints its address when it is ready, then serves one client after another until Ctrl-C. The
/// answer to an invalid line begins with `error`.
#[derive(Args, Debug)]
#[command(after_help = "\
For each decision GNU Backgammon sends a board line. The answer is a play such as `8/5 6/5`, an empty line if no checker can move,
`roll`, `double`, `take`, `drop` or `beaver`. The line says nothing about the rules of money games; use --jacoby and --beavers.
Nor does it mention the cube: until a client asks whether to roll or double, plays are chosen as if there were none.

Example:
  parlor external backgammon --listen 127.0.0.1:4711
  In GNU Backgammon: set beavers 0, then set player 0 external 127.0.0.1:4711")]
pub struct ExternalArgs {
    /// The game
    #[arg(value_enum)]
    game: ExternalGame,
    /// Host and port to listen on; port 0 picks a free one
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:4711")]
    listen: String,
    /// Strength of the bot, 1 to 5 [default: 5]
    #[arg(long, value_name = "L", value_parser = parse_level, conflicts_with = "plies")]
    level: Option<Level>,
    /// Look ahead this many plies with the best net, 0 to 3, instead of playing at a level
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(0..=3))]
    plies: Option<u32>,
    /// Evaluate with these nets, written by `parlor train`, instead of the built-in ones
    #[arg(long, value_name = "FILE", requires = "plies")]
    net: Option<PathBuf>,
    /// Number of threads; the moves do not depend on it
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_threads)]
    threads: NonZeroUsize,
    /// Play without the doubling cube
    #[arg(long, conflicts_with_all = ["jacoby", "beavers"])]
    cubeless: bool,
    /// Jacoby rule: in money games gammons count only after a double
    #[arg(long)]
    jacoby: bool,
    /// Beavers: in money games a doubled player may redouble at once
    #[arg(long)]
    beavers: bool,
}

/// Games with an external player.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum ExternalGame {
    /// GNU Backgammon's protocol: FIBS board lines
    Backgammon,
}

fn parse_level(text: &str) -> Result<Level, String> {
    text.parse()
        .ok()
        .and_then(Level::new)
        .ok_or_else(|| "expected a level from 1 to 5".to_owned())
}

fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|n: &NonZeroUsize| n.get() <= 256);
    number.ok_or_else(|| "expected a number of threads from 1 to 256".to_owned())
}

pub fn run(args: &ExternalArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let ExternalGame::Backgammon = args.game;
    let refused = |error| CommandError::Other(format!("cannot listen on {}: {error}", args.listen));
    let listener = TcpListener::bind(&args.listen).map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    let mut player = ExternalPlayer::new(args)?;
    writeln!(out, "listening on {address}")?;
    out.flush()?;
    loop {
        // A client that disconnects ends only its own connection.
        if let Ok((client, _)) = listener.accept() {
            player.cube_seen = false;
            let _ = serve_client(&client, &mut player);
        }
    }
}

/// Answers one client, line by line, until it disconnects.
fn serve_client(client: &TcpStream, player: &mut ExternalPlayer) -> io::Result<()> {
    client.set_nodelay(true)?;
    let mut input = BufReader::new(client);
    let mut out = client;
    while let Some(line) = lines::read_line(&mut input)? {
        let reply = match line.map(String::from_utf8) {
            Ok(Ok(line)) => player.reply_to(&line),
            Ok(Err(_)) => Some("error the line is not UTF-8".to_owned()),
            Err(too_long) => Some(format!("error {too_long}")),
        };
        if let Some(reply) = reply {
            out.write_all(format!("{reply}\n").as_bytes())?;
        }
    }
    Ok(())
}

/// A bot, and the rules that a board line does not include.
struct ExternalPlayer {
    bot: NetPlayer,
    rules: Rules,
    /// True once this client has shown that there is a cube.
    cube_seen: bool,
}

impl ExternalPlayer {
    fn new(args: &ExternalArgs) -> Result<ExternalPlayer, CommandError> {
        let money_rules = Rules {
            jacoby: args.jacoby,
            beavers: args.beavers,
            ..Rules::MONEY
        };
        let rules = if args.cubeless {
            Rules::GAME
        } else {
            money_rules
        };
        let level = || NetPlayerSettings::from_level(args.level.unwrap_or(Level::HIGHEST));
        let settings = args.plies.map_or_else(level, NetPlayerSettings::with_plies);
        let bot = match &args.net {
            None => NetPlayer::new(settings),
            Some(file) => NetPlayer::with_evaluator(
                BackgammonEvaluator::new(&train::read_nets(file)?),
                settings,
            ),
        };
        let bot = bot.with_crew(Arc::new(ThreadCrew(args.threads)));
        Ok(ExternalPlayer {
            bot,
            rules,
            cube_seen: false,
        })
    }

    /// Returns the reply to a line; none to an empty one, such as the zero byte that GNU Backgammon
    /// ends its lines with.
    fn reply_to(&mut self, line: &str) -> Option<String> {
        let line = line.trim_matches(|c: char| c == '\0' || c.is_whitespace());
        (!line.is_empty()).then(|| {
            self.decide(line)
                .unwrap_or_else(|reason| format!("error {reason}"))
        })
    }

    fn decide(&mut self, line: &str) -> Result<String, String> {
        let board = FibsBoard::parse(line).map_err(|error| error.to_string())?;
        // Only in games with a cube does a client ask before the roll, and is the cube offered or
        // turned.
        self.cube_seen |= board.dice == [[0; 2]; 2] || board.doubled || board.cube > 1;
        let rules = if self.cube_seen {
            self.rules
        } else {
            Rules {
                cube: false,
                ..self.rules
            }
        };
        let game = board
            .to_game_with(rules)
            .map_err(|error| error.to_string())?;
        if game.phase() == Phase::Rolling {
            return Ok("roll".to_owned());
        }
        let choice = self.bot.choose(&game, &mut Nodes(u64::MAX));
        choice
            .map(|choice| answer(&game, &choice.mv))
            .ok_or_else(|| "no side is to move".to_owned())
    }
}
