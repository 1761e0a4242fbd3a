//! How fast the backgammon bot judges and thinks: `cargo bench -p parlor-bots --bench backgammon`. Items are positions judged,
//! generating the plays included.

use divan::counter::ItemsCount;
use parlor_backgammon::{Board, Game, Rules};
use parlor_bots::backgammon::training::{From, Player};
use parlor_bots::backgammon::{Eval, NetPlayer, Nets, Settings};
use parlor_bots::{Nodes, Prng, Strategy};
use parlor_core::{Notation, Position};
use rand_xoshiro::rand_core::SeedableRng;

fn main() {
    divan::main();
}

/// Games of the house's net against itself, looking at every play of every roll.
#[divan::bench(sample_count = 20, args = ["wide", "portable"])]
fn games_against_itself(bencher: divan::Bencher<'_, '_>, registers: &str) {
    let nets = Nets::house();
    let eval = if registers == "wide" { Eval::new(&nets) } else { Eval::portable(&nets) };
    let games = |eval: Eval| {
        let mut player = Player::new(eval, false);
        let (mut rng, mut samples) = (Prng::seed_from_u64(1), Vec::new());
        for _ in 0..20 {
            player.game(From::Start, &mut rng, 0.0, &mut samples);
        }
        player.judged
    };
    let judged = games(eval.clone());
    bencher.counter(ItemsCount::new(judged)).with_inputs(|| eval.clone()).bench_values(games);
}

/// One board after the other, nothing shared between them.
#[divan::bench(sample_count = 50)]
fn single_boards(bencher: divan::Bencher<'_, '_>) {
    let eval = Eval::new(&Nets::house());
    let mut after: Vec<Board> = Vec::new();
    parlor_backgammon::Roll::all().for_each(|roll| {
        let mut results = Vec::new();
        Board::START.afterstates_into(roll.into(), &mut results);
        after.append(&mut results);
    });
    let total = |boards: &[Board]| boards.iter().map(|board| eval.chances(board).win).sum::<f32>();
    bencher.counter(ItemsCount::new(after.len())).bench(|| total(divan::black_box(&after)));
}

/// A decision in the opening, so many plies deep.
#[divan::bench(sample_count = 20, args = [0, 1, 2])]
fn decision(bencher: divan::Bencher<'_, '_>, plies: u32) {
    let mut game = Game::new(Rules::MONEY);
    for text in ["6-2", "24/18,13/11", "roll", "43"] {
        match game.parse_chance(text) {
            Ok(chance) => game.resolve(&chance),
            Err(_) => game.play(&game.parse_move(text).expect("a move")),
        }
    }
    let think =
        || NetPlayer::new(Settings::plies(plies)).choose(&game, &mut Nodes(u64::MAX)).expect("a seat is to move");
    bencher.counter(ItemsCount::new(think().info.nodes)).bench(think);
}
