//! Plays ultimate tic-tac-toe over standard input and output, for matches against other programs.
//!
//! The argument is a bot by name, `mcts` when there is none. One line each way: `position startpos moves 40 08`, then
//! `go movetime MS` or `go nodes N`, answered by `bestmove 8x`.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::io::BufRead;
use std::time::{Duration, Instant};

use parlor_bots::{Budget, Nodes, Spec, Strategy, ultimate};
use parlor_core::{Notation, Position};
use parlor_tictactoe::ultimate::{Game, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let spec: Spec = std::env::args().nth(1).as_deref().unwrap_or("mcts").parse()?;
    let mut bot = ultimate::build(spec, &Rules::default(), 1)?;
    let mut game = Game::new(Rules::default());
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["position", "startpos", ref rest @ ..] => {
                game = Game::new(Rules::default());
                for text in rest.iter().skip(1) {
                    let mv = game.parse_move(text)?;
                    game.try_play(&mv)?;
                }
            }
            ["go", "movetime", ms] => {
                answer(&mut bot, &game, &mut until(Instant::now() + Duration::from_millis(ms.parse()?)))
            }
            ["go", "nodes", nodes] => answer(&mut bot, &game, &mut Nodes(nodes.parse()?)),
            ["quit"] => break,
            _ => {}
        }
    }
    Ok(())
}

/// Looks at the clock every few simulations.
fn until(end: Instant) -> impl FnMut(u64) -> bool {
    move |nodes| nodes.is_multiple_of(16) && Instant::now() >= end
}

fn answer(bot: &mut Box<dyn Strategy<Game>>, game: &Game, budget: &mut dyn Budget) {
    if let Some(choice) = bot.choose(game, budget) {
        let info = choice.info;
        println!("info nodes {} depth {} value {:?} exact {}", info.nodes, info.depth, info.value, info.exact);
        println!("bestmove {}", choice.mv);
    }
}
