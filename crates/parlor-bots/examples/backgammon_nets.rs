//! Compares nets for backgammon, as `parlor train` makes them.
//!
//! ```text
//! backgammon_nets match A B GAMES SEED       points per game of nets A against nets B or `greedy`
//! backgammon_nets positions NETS COUNT SEED  positions from self-play, for others to evaluate
//! backgammon_nets loss NETS [NETS…]          loss per held-out decision, by the built-in nets
//! backgammon_nets join FILE NETS [NETS…]     writes several nets to one file, best first
//! ```
//! `house` names the built-in nets.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fs;

use parlor_backgammon::{Board, Die, Roll};
use parlor_bots::Prng;
use parlor_bots::backgammon::training::{
    BackgammonSelfPlayer, HeldOutSet, points_against_greedy, points_between,
};
use parlor_bots::backgammon::{BackgammonEvaluator, BackgammonNets};
use parlor_core::random_below;
use rand_xoshiro::rand_core::SeedableRng;

type Done = Result<(), Box<dyn Error>>;

fn main() -> Done {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["match", a, b, games, seed] => contest(a, b, games.parse()?, seed.parse()?),
        ["positions", nets, count, seed] => positions(nets, count.parse()?, seed.parse()?),
        ["loss", ref nets @ ..] => loss(nets),
        ["join", file, ref nets @ ..] => {
            let nets: Result<Vec<Vec<u8>>, _> = nets.iter().map(fs::read).collect();
            Ok(fs::write(file, nets?.concat())?)
        }
        _ => Err("see the first lines of the source for how it is called".into()),
    }
}

fn loss(nets: &[&str]) -> Done {
    let held_back = HeldOutSet::new(&load("house")?, 2_000, 7);
    for nets in nets {
        let (loss, error) = held_back.loss(&load(nets)?);
        println!(
            "{nets}: {:.2} ({:.2}) thousandths of a point per decision",
            1e3 * loss,
            1e3 * error
        );
    }
    Ok(())
}

fn load(file: &str) -> Result<BackgammonEvaluator, Box<dyn Error>> {
    if file == "house" {
        return Ok(BackgammonEvaluator::new(&BackgammonNets::built_in()));
    }
    Ok(BackgammonEvaluator::new(
        &BackgammonNets::from_bytes(&fs::read(file)?).ok_or_else(|| format!("{file}: no nets"))?,
    ))
}

fn contest(a: &str, b: &str, games: u32, seed: u64) -> Done {
    let mut rng = Prng::seed_from_u64(seed);
    let (points, error) = match b {
        "greedy" => points_against_greedy(&load(a)?, games, &mut rng),
        b => points_between(&load(a)?, &load(b)?, games, &mut rng),
    };
    println!("{a} against {b}: {points:+.4} ({error:.4}) points per game, {games} games");
    Ok(())
}

/// Writes one position in twelve as JSON lines: 24 points, white's positive, from white's far end;
/// black moves down.
fn positions(nets: &str, count: usize, seed: u64) -> Done {
    let mut rng = Prng::seed_from_u64(seed);
    let mut player = BackgammonSelfPlayer::new(load(nets)?, false);
    let die = |rng: &mut Prng| Die::new(random_below(rng, 6) as u8 + 1).expect("1 to 6");
    let (mut board, mut told) = (Board::START, 0);
    while told < count {
        let dice = [die(&mut rng), die(&mut rng)];
        if random_below(&mut rng, 12) == 0 {
            told += 1;
            println!("{}", line(&board, dice));
        }
        board = player.best(&board, Roll::new(dice[0], dice[1])).0;
        if board.swapped().won().is_some() {
            board = Board::START;
        }
    }
    Ok(())
}

/// Formats a board and dice as JSON. The mover is black, whose point p has the index p - 1.
fn line(board: &Board, dice: [Die; 2]) -> String {
    let (mover, other) = (board.mover(), board.other());
    let at = |point: u8| i32::from(other.count(25 - point)) - i32::from(mover.count(point));
    let points: Vec<i32> = (1..=24).map(at).collect();
    format!(
        r#"{{"board":{points:?},"bar":[{},{}],"off":[{},{}],"turn":"b","dice":[{},{}]}}"#,
        other.bar(),
        mover.bar(),
        other.off(),
        mover.off(),
        dice[0],
        dice[1]
    )
}
