//! Throughput of ultimate tic-tac-toe: random playouts one by one and in batches, and perft leaves.
//!
//! `cargo bench -p parlor-tictactoe --bench ultimate`

use divan::{Bencher, counter::ItemsCount};
use parlor_core::playout::Scratch;
use parlor_core::{perft, playout, random_below};
use parlor_tictactoe::ultimate::{Game, Rules, playouts};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

/// Baseline: squares in arrays, every line checked.
#[path = "../tests/ultimate/naive.rs"]
#[allow(dead_code)]
mod naive;

fn main() {
    divan::main();
}

/// Number of playouts per iteration, so that timer overhead does not matter.
const BATCH: u32 = 1000;

#[divan::bench(args = Rules::ALL)]
fn playouts_one_by_one(bencher: Bencher<'_, '_>, rules: Rules) {
    let start = Game::new(rules);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut scratch = Scratch::default();
    bencher.counter(ItemsCount::new(BATCH)).bench_local(|| {
        let play = |_| playout(&mut { start }, &mut rng, u32::MAX, &mut scratch).plies;
        (0..BATCH).map(play).sum::<u32>()
    });
}

#[divan::bench]
fn playouts_of_plain_squares(bencher: Bencher<'_, '_>) {
    let start = naive::Naive::new(Rules::default());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    bencher
        .counter(ItemsCount::new(BATCH / 10))
        .bench_local(|| {
            for _ in 0..BATCH / 10 {
                let mut game = start.clone();
                while game.ending.is_none() {
                    let moves = game.moves();
                    game.play(moves[random_below(&mut rng, moves.len() as u32) as usize]);
                }
            }
        });
}

#[divan::bench(args = Rules::ALL)]
fn playouts_many_at_once(bencher: Bencher<'_, '_>, rules: Rules) {
    let start = Game::new(rules);
    let games = 10 * BATCH;
    bencher
        .counter(ItemsCount::new(games))
        .bench_local(|| playouts::batch(divan::black_box(&start), games, 1));
}

#[divan::bench(args = [Rules::ALL[0], Rules::ALL[1]])]
fn perft_leaves_to_depth_6(bencher: Bencher<'_, '_>, rules: Rules) {
    let start = Game::new(rules);
    let count = perft(&start, 6);
    bencher
        .counter(ItemsCount::new(count))
        .bench_local(|| perft(divan::black_box(&start), 6));
}
