//! Throughput of backgammon: distinct plays generated, random playouts, and perft leaves.
//!
//! `cargo bench -p parlor-backgammon --bench backgammon`

use divan::{Bencher, counter::ItemsCount};
use parlor_backgammon::{Board, Dice, Game, Move, Play, Rules};
use parlor_core::playout::{Scratch, choose_weighted};
use parlor_core::{Position, perft, playout};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

/// Baseline: the rules of a single step, every order tried, results kept in a set.
#[path = "../tests/backgammon/plain.rs"]
#[allow(dead_code)]
mod plain;

fn main() {
    divan::main();
}

/// Boards and dice from random games, the same in every run.
fn boards() -> Vec<(Board, Dice)> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut boards, mut moves) = (Vec::new(), Vec::new());
    while boards.len() < 10_000 {
        let mut game = Game::new(Rules::GAME);
        while !game.turn().is_over() {
            if let Some(dice) = game.dice() {
                boards.push((game.board(), dice));
                let m = game.random_move(&mut rng, &mut moves).expect("dice lie");
                game.play_unchecked(&m);
            } else {
                let chance = *choose_weighted(&mut rng, &game.chances()).expect("luck decides");
                game.resolve_unchecked(&chance);
            }
        }
    }
    boards
}

fn all_plays(boards: &[(Board, Dice)]) -> u64 {
    boards
        .iter()
        .map(|(board, dice)| board.count_plays(*dice))
        .sum()
}

#[divan::bench]
fn plays(bencher: Bencher<'_, '_>) {
    let boards = boards();
    let mut out: Vec<Play> = Vec::new();
    bencher
        .counter(ItemsCount::new(all_plays(&boards)))
        .bench_local(|| {
            for (board, dice) in &boards {
                divan::black_box(board).plays_into(*dice, &mut out);
                divan::black_box(&out);
            }
        });
}

#[divan::bench]
fn plays_with_boards(bencher: Bencher<'_, '_>) {
    let boards = boards();
    let mut out: Vec<(Play, Board)> = Vec::new();
    bencher
        .counter(ItemsCount::new(all_plays(&boards)))
        .bench_local(|| {
            for (board, dice) in &boards {
                divan::black_box(board).results_into(*dice, &mut out);
                divan::black_box(&out);
            }
        });
}

#[divan::bench]
fn boards_after(bencher: Bencher<'_, '_>) {
    let boards = boards();
    let mut out: Vec<Board> = Vec::new();
    bencher
        .counter(ItemsCount::new(all_plays(&boards)))
        .bench_local(|| {
            for (board, dice) in &boards {
                divan::black_box(board).afterstates_into(*dice, &mut out);
                divan::black_box(&out);
            }
        });
}

#[divan::bench]
fn plays_counted(bencher: Bencher<'_, '_>) {
    let boards = boards();
    bencher
        .counter(ItemsCount::new(all_plays(&boards)))
        .bench_local(|| all_plays(divan::black_box(&boards)));
}

#[divan::bench]
fn plays_by_plain_rules(bencher: Bencher<'_, '_>) {
    let boards = &boards()[..100];
    bencher
        .counter(ItemsCount::new(all_plays(boards)))
        .bench_local(|| {
            for (board, dice) in boards {
                divan::black_box(plain::results(
                    divan::black_box(board),
                    &plain::faces(*dice),
                ));
            }
        });
}

/// Checks legal plays with the checker that gives reasons.
#[divan::bench]
fn checks(bencher: Bencher<'_, '_>) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut games: Vec<(Game, Move)> = Vec::new();
    let mut game = Game::new(Rules::GAME);
    while !game.turn().is_over() {
        match game.random_move(&mut rng, &mut Vec::new()) {
            Some(m) => {
                games.push((game.clone(), m));
                game.play_unchecked(&m);
            }
            None => {
                let chance = *choose_weighted(&mut rng, &game.chances()).expect("luck decides");
                game.resolve_unchecked(&chance);
            }
        }
    }
    bencher
        .counter(ItemsCount::new(games.len()))
        .bench_local(|| {
            games
                .iter()
                .filter(|(game, m)| divan::black_box(game).check(m).is_ok())
                .count()
        });
}

/// Playouts per iteration, so that timer overhead does not dominate.
const BATCH: u32 = 100;

#[divan::bench(args = ["game", "money", "match to 3"])]
fn playouts(bencher: Bencher<'_, '_>, name: &str) {
    let start = Game::new(match name {
        "game" => Rules::GAME,
        "money" => Rules::MONEY,
        _ => Rules::match_to(3).expect("a length"),
    });
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut scratch = Scratch::default();
    bencher.counter(ItemsCount::new(BATCH)).bench_local(|| {
        let play = |_| playout(&mut start.clone(), &mut rng, u32::MAX, &mut scratch).plies;
        (0..BATCH).map(play).sum::<u32>()
    });
}

#[divan::bench]
fn perft_leaves_to_depth_2(bencher: Bencher<'_, '_>) {
    let start = Game::new(Rules::GAME);
    let count = perft(&start, 2);
    bencher
        .counter(ItemsCount::new(count))
        .bench_local(|| perft(divan::black_box(&start), 2));
}
