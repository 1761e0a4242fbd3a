//! Throughput of random games and perft, compared with lists of discs:
//!
//! `cargo bench -p parlor-connect-four`

use divan::{Bencher, counter::ItemsCount};
use parlor_connect_four::{Bits192, Board, Rules, Stacks};
use parlor_core::playout::Scratch;
use parlor_core::{Position, perft, playout};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

fn main() {
    divan::main();
}

/// Number of games per iteration.
const BATCH: u32 = 1000;

fn rules(columns: u8, rows: u8, k: u8) -> Rules {
    Rules::new(columns, rows, k).expect("rules within the limits")
}

fn playouts<P: Position>(bencher: Bencher<'_, '_>, start: &P) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut scratch = Scratch::default();
    bencher.counter(ItemsCount::new(BATCH)).bench_local(|| {
        let play = |_| playout(&mut start.clone(), &mut rng, u32::MAX, &mut scratch).plies;
        (0..BATCH).map(play).sum::<u32>()
    });
}

fn leaves<P: Position>(bencher: Bencher<'_, '_>, start: &P, depth: u32) {
    let count = perft(start, depth);
    bencher
        .counter(ItemsCount::new(count))
        .bench_local(|| perft(divan::black_box(start), depth));
}

#[divan::bench_group]
mod playouts_7x6 {
    use super::*;

    #[divan::bench]
    fn stacks_64(bencher: Bencher<'_, '_>) {
        let start = Stacks::<u64>::new(Rules::STANDARD).expect("49 bits fit");
        playouts(bencher, &start);
    }

    #[divan::bench]
    fn stacks_192(bencher: Bencher<'_, '_>) {
        let start = Stacks::<Bits192>::new(Rules::STANDARD).expect("49 bits fit");
        playouts(bencher, &start);
    }

    #[divan::bench]
    fn board(bencher: Bencher<'_, '_>) {
        playouts(bencher, &Board::new(Rules::STANDARD));
    }
}

#[divan::bench_group]
mod playouts_12x12 {
    use super::*;

    #[divan::bench]
    fn board(bencher: Bencher<'_, '_>) {
        playouts(bencher, &Board::new(rules(12, 12, 5)));
    }
}

#[divan::bench_group]
mod perft_leaves {
    use super::*;

    #[divan::bench]
    fn board_7x6_to_depth_8(bencher: Bencher<'_, '_>) {
        leaves(bencher, &Board::new(Rules::STANDARD), 8);
    }

    #[divan::bench]
    fn stacks_7x6_to_depth_8(bencher: Bencher<'_, '_>) {
        let start = Stacks::<u64>::new(Rules::STANDARD).expect("49 bits fit");
        leaves(bencher, &start, 8);
    }

    #[divan::bench]
    fn board_12x12_to_depth_5(bencher: Bencher<'_, '_>) {
        leaves(bencher, &Board::new(rules(12, 12, 5)), 5);
    }
}
