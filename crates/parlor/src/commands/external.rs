//! `parlor external`: a bot that another program plays against over a socket.

use std::io::{self, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use parlor_backgammon::fibs::{FibsBoard, answer};
use parlor_backgammon::{Phase, Rules};
use parlor_bots::backgammon::{Eval, NetPlayer, Settings};
use parlor_bots::{Level, Nodes, Strategy};

use super::train;
use crate::crew::Threads;
use crate::failure::Failure;
use crate::lines;

/// Plays as an external player: another program connects and asks for moves.
///
/// Prints one line with its address when it is ready, and serves one client after another until Ctrl-C.
/// A line that cannot be understood is answered by one that begins with `error`.
#[derive(Args, Debug)]
#[command(after_help = "\
GNU Backgammon sends a board line for each decision and is answered by a play such as `8/5 6/5`, an empty line when nothing can be
moved, `roll`, `double`, `take`, `drop` or `beaver`. The line does not say how money games are played; --jacoby and --beavers do.
Nor does it say that there is a cube: until a client asks whether to roll or double, plays are chosen as if there were none.

Example:
  parlor external backgammon --listen 127.0.0.1:4711
  and in GNU Backgammon: set beavers 0, then set player 0 external 127.0.0.1:4711")]
pub struct External {
    /// The game
    #[arg(value_enum)]
    game: Kind,
    /// Host and port to listen on; port 0 takes any free one
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:4711")]
    listen: String,
    /// How strong the bot is, 1 to 5 [default: 5]
    #[arg(long, value_name = "L", value_parser = level, conflicts_with = "plies")]
    level: Option<Level>,
    /// Plies to look ahead with the best net, in place of a level: 0 to 3
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(0..=3))]
    plies: Option<u32>,
    /// Nets to judge by in place of the house's own, as `parlor train` writes them
    #[arg(long, value_name = "FILE", requires = "plies")]
    net: Option<PathBuf>,
    /// Threads that look ahead together; the moves are the same with any number
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads)]
    threads: NonZeroUsize,
    /// Nobody doubles: compare plays without a cube, whatever is asked
    #[arg(long, conflicts_with_all = ["jacoby", "beavers"])]
    cubeless: bool,
    /// In money games gammons count only after a double
    #[arg(long)]
    jacoby: bool,
    /// In money games whoever is doubled may double again at once
    #[arg(long)]
    beavers: bool,
}

/// The games that can be played so.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum Kind {
    /// GNU Backgammon's external player: board lines of FIBS
    Backgammon,
}

fn level(text: &str) -> Result<Level, String> {
    text.parse()
        .ok()
        .and_then(Level::new)
        .ok_or_else(|| "a level from 1 to 5".to_owned())
}

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|n: &NonZeroUsize| n.get() <= 256);
    number.ok_or_else(|| "a number of threads from 1 to 256".to_owned())
}

pub fn run(args: &External, out: &mut dyn Write) -> Result<(), Failure> {
    let Kind::Backgammon = args.game;
    let refused =
        |error| Failure::Refused(format!("nobody can be heard on {}: {error}", args.listen));
    let listener = TcpListener::bind(&args.listen).map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    let mut player = Player::new(args)?;
    writeln!(out, "listening on {address}")?;
    out.flush()?;
    loop {
        // Whoever leaves in the middle of a word leaves only this conversation.
        if let Ok((client, _)) = listener.accept() {
            player.cube_seen = false;
            let _ = talk(&client, &mut player);
        }
    }
}

/// Answers one client, line by line, until it leaves.
fn talk(client: &TcpStream, player: &mut Player) -> io::Result<()> {
    client.set_nodelay(true)?;
    let mut input = BufReader::new(client);
    let mut out = client;
    while let Some(line) = lines::next(&mut input)? {
        let said = match line.map(String::from_utf8) {
            Ok(Ok(line)) => player.hear(&line),
            Ok(Err(_)) => Some("error the line is not UTF-8".to_owned()),
            Err(too_long) => Some(format!("error {too_long}")),
        };
        if let Some(said) = said {
            out.write_all(format!("{said}\n").as_bytes())?;
        }
    }
    Ok(())
}

/// A bot, and the rules about which a board line says nothing.
struct Player {
    bot: NetPlayer,
    rules: Rules,
    /// Whether this client has shown that there is a cube.
    cube_seen: bool,
}

impl Player {
    fn new(args: &External) -> Result<Player, Failure> {
        let money = Rules {
            jacoby: args.jacoby,
            beavers: args.beavers,
            ..Rules::MONEY
        };
        let rules = if args.cubeless { Rules::GAME } else { money };
        let level = || Settings::of(args.level.unwrap_or(Level::HIGHEST));
        let settings = args.plies.map_or_else(level, Settings::plies);
        let bot = match &args.net {
            None => NetPlayer::new(settings),
            Some(file) => NetPlayer::with(Eval::new(&train::nets(file)?), settings),
        };
        let bot = bot.with_crew(Arc::new(Threads(args.threads)));
        Ok(Player {
            bot,
            rules,
            cube_seen: false,
        })
    }

    /// The answer to a line; nothing to an empty one, such as the zero byte that GNU Backgammon ends its lines with.
    fn hear(&mut self, line: &str) -> Option<String> {
        let line = line.trim_matches(|c: char| c == '\0' || c.is_whitespace());
        (!line.is_empty()).then(|| {
            self.decide(line)
                .unwrap_or_else(|reason| format!("error {reason}"))
        })
    }

    fn decide(&mut self, line: &str) -> Result<String, String> {
        let board = FibsBoard::parse(line).map_err(|error| error.to_string())?;
        // Only where there is a cube somebody asks before the dice fall, offers it, or has turned it.
        self.cube_seen |= board.dice == [[0; 2]; 2] || board.doubled || board.cube > 1;
        let rules = if self.cube_seen {
            self.rules
        } else {
            Rules {
                cube: false,
                ..self.rules
            }
        };
        let game = board.game_by(rules).map_err(|error| error.to_string())?;
        if game.phase() == Phase::Rolling {
            return Ok("roll".to_owned());
        }
        let choice = self.bot.choose(&game, &mut Nodes(u64::MAX));
        choice
            .map(|choice| answer(&game, &choice.mv))
            .ok_or_else(|| "nobody is to move here".to_owned())
    }
}
