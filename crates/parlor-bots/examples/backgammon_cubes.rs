//! Cube decisions of the backgammon bot, for `tools/gnubg_cubes.py` to judge:
//! `cargo run -p parlor-bots --example backgammon_cubes -- 300 1 2 0`.
//!
//! Arguments: number of positions (300), seed (1), plies the bot looks ahead (2), and length of the
//! matches, 0 for money (0). The positions are those before a roll in self-play at 0 plies in which
//! a player may double and is not far behind. Each line is an XGID and the bot's cube actions:
//! `double` or `roll`, and `take` or `drop` as the answer to a double.
#![allow(clippy::print_stdout)]

use std::error::Error;

use parlor_backgammon::{Crawford, Game, Move, Phase, Rules, Setup, ids};
use parlor_bots::backgammon::{NetPlayer, NetPlayerSettings};
use parlor_bots::{Nodes, Prng, Strategy};
use parlor_core::playout::choose_weighted;
use parlor_core::{Position, Turn, random_below};
use rand_xoshiro::rand_core::SeedableRng;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |n: usize, usual: u64| words.get(n).map_or(Ok(usual), |word| word.parse());
    let (mut left, plies, length) = (word(0, 300)?, word(2, 2)? as u32, word(3, 0)? as u8);
    let mut rng = Prng::seed_from_u64(word(1, 1)?);
    let mut bots = [
        NetPlayer::new(NetPlayerSettings::with_plies(0)),
        NetPlayer::new(NetPlayerSettings::with_plies(plies)),
    ];
    while left > 0 {
        let mut game = begin(length, &mut rng)?;
        let score = game.score();
        while left > 0 && game.score() == score && !game.turn().is_over() {
            if let Some(line) = about(&game, &mut bots, &mut rng)? {
                println!("{line}");
                left -= 1;
            }
            step(&mut game, &mut bots[0], &mut rng);
        }
    }
    Ok(())
}

/// Returns money rules, or a match at some score without the Crawford game.
fn begin(length: u8, rng: &mut Prng) -> Result<Game, Box<dyn Error>> {
    let Some(rules) = Rules::match_to(length).filter(|_| length > 1) else {
        return Ok(Game::new(Rules::MONEY));
    };
    loop {
        let mut setup = Setup::new(rules);
        setup.score = [(); 2].map(|()| random_below(rng, length.into()) as u8);
        let last = setup.score.contains(&(length - 1));
        setup.crawford = if last {
            Crawford::After
        } else {
            Crawford::Before
        };
        if let Ok(game) = setup.validate() {
            return Ok(game);
        }
    }
}

/// Prints one of the positions, now and then, with the bot's actions.
fn about(
    game: &Game,
    bots: &mut [NetPlayer; 2],
    rng: &mut Prng,
) -> Result<Option<String>, Box<dyn Error>> {
    if game.phase() != Phase::Cube || random_below(rng, 8) > 0 {
        return Ok(None);
    }
    let least = if game.rules().is_match() { -0.1 } else { 0.2 };
    if bots[0]
        .chances(&game.board(), &mut Nodes(u64::MAX))
        .equity()
        < least
    {
        return Ok(None);
    }
    let mut offered = game.clone();
    offered.play(&Move::Double);
    let mut does = |game: &Game, mv: Move| {
        bots[1]
            .choose(game, &mut Nodes(u64::MAX))
            .is_some_and(|c| c.mv == mv)
    };
    let double = if does(game, Move::Double) {
        "double"
    } else {
        "roll"
    };
    let answer = if does(&offered, Move::Drop) {
        "drop"
    } else {
        "take"
    };
    Ok(Some(format!("{} {double} {answer}", ids::xgid(game)?)))
}

fn step(game: &mut Game, bot: &mut NetPlayer, rng: &mut Prng) {
    if game.turn() == Turn::Chance {
        let mut chances = Vec::new();
        game.chances_into(&mut chances);
        let chance = *choose_weighted(rng, &chances).expect("luck has a choice");
        game.resolve(&chance);
    } else if let Some(choice) = bot.choose(game, &mut Nodes(u64::MAX)) {
        game.play(&choice.mv);
    }
}
