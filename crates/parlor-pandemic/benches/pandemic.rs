//! Throughput of random games, copies and move generation: `cargo bench -p parlor-pandemic`.

use divan::{Bencher, black_box};
use parlor_core::playout::Scratch;
use parlor_core::{Position, playout};
use parlor_pandemic::{Cards, Consent, Game, Rules};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

fn main() {
    divan::main();
}

/// Number of games per iteration, long and short ones together.
const GAMES: usize = 200;

fn rules(players: u8) -> Rules {
    Rules::new(players, 4)
        .expect("a game of the box")
        .with_consent(Consent::Implied)
}

fn play(bencher: Bencher<'_, '_>, rules: Rules) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut scratch = Scratch::default();
    bencher
        .counter(divan::counter::ItemsCount::new(GAMES))
        .bench_local(|| {
            let plies = |_| {
                let mut game = Game::new(rules);
                playout(&mut game, &mut rng, 100_000, &mut scratch).plies
            };
            (0..GAMES).map(plies).sum::<u32>()
        });
}

/// Plays whole random games with all events and every moment to play them, setup included.
#[divan::bench(args = [2, 3, 4])]
fn random_game(bencher: Bencher<'_, '_>, players: u8) {
    play(bencher, rules(players));
}

/// Plays whole random games without events.
#[divan::bench(args = [2, 4])]
fn random_game_without_events(bencher: Bencher<'_, '_>, players: u8) {
    play(bencher, rules(players).with_events(Cards::NONE));
}

fn middle() -> Game {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut game = Game::new(rules(4));
    playout(&mut game, &mut rng, 60, &mut Scratch::default());
    game
}

/// Copies a game.
#[divan::bench]
fn copy(bencher: Bencher<'_, '_>) {
    let game = middle();
    bencher.bench_local(|| black_box(*black_box(&game)));
}

/// Generates all legal moves at the beginning of a turn.
#[divan::bench]
fn legal_moves(bencher: Bencher<'_, '_>) {
    let (game, mut moves) = (middle(), Vec::new());
    bencher.bench_local(|| {
        black_box(&game).legal_moves_into(&mut moves);
        moves.len()
    });
}

/// Computes what threatens the cities, with an epidemic that may come first.
#[divan::bench]
fn danger(bencher: Bencher<'_, '_>) {
    let game = middle();
    bencher.bench_local(|| black_box(&game).danger());
}
