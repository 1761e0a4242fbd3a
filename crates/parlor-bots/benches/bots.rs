//! How fast the searches are: `cargo bench -p parlor-bots`. Items are simulations or nodes.

use divan::counter::ItemsCount;
use parlor_bots::mnk::{AlphaBeta, Keen};
use parlor_bots::{Mcts, Nodes, Policy, Strategy, Uniform, mcts::Settings};
use parlor_core::{Position, Seat};
use parlor_tictactoe::mnk::{Board, Cell, Grid, Rules, Three, Wide};

fn main() {
    divan::main();
}

fn rules(rows: u8, columns: u8, k: u8, seats: usize) -> Rules {
    Rules::new(rows, columns, k, Rules::default_symbols(seats).expect("a symbol for each seat")).expect("known rules")
}

fn tree_search<P: Position + PartialEq>(
    bencher: divan::Bencher<'_, '_>,
    start: P,
    policy: impl Policy<P> + Copy + Sync,
    nodes: u64,
) {
    let search = || Mcts::with(1, policy, Settings::default());
    bencher
        .counter(ItemsCount::new(nodes))
        .with_inputs(search)
        .bench_values(|mut search| search.choose(&start, &mut Nodes(nodes)));
}

#[divan::bench(sample_count = 20)]
fn tree_search_3x3(bencher: divan::Bencher<'_, '_>) {
    tree_search(bencher, Three::new(), Uniform::default(), 100_000);
}

#[divan::bench(sample_count = 10)]
fn tree_search_15x15(bencher: divan::Bencher<'_, '_>) {
    let start = Wide::<16, 2>::new(rules(15, 15, 5, 2).shape()).expect("15x15 fits");
    tree_search(bencher, start, Uniform::default(), 10_000);
}

#[divan::bench(sample_count = 10)]
fn tree_search_15x15_seeing_threats(bencher: divan::Bencher<'_, '_>) {
    let mut start = Wide::<16, 2>::new(rules(15, 15, 5, 2).shape()).expect("15x15 fits");
    start.play(&Cell::new(7, 7));
    tree_search(bencher, start, Keen, 2_000);
}

#[divan::bench(sample_count = 10)]
fn tree_search_6x6_three_seats_seeing_threats(bencher: divan::Bencher<'_, '_>) {
    let start = Grid::<8>::new(rules(6, 6, 4, 3).shape()).expect("6x6 fits");
    tree_search(bencher, start, Keen, 5_000);
}

/// Four stones in the middle, and on from there.
#[divan::bench(sample_count = 10, args = [5, 6, 9, 15])]
fn alpha_beta(bencher: divan::Bencher<'_, '_>, side: u8) {
    const NODES: u64 = 100_000;
    let k = if side < 9 { 4 } else { 5 };
    let mut board = Board::new(rules(side, side, k, 2));
    let middle = side / 2;
    for (row, column) in [(middle, middle), (middle - 1, middle), (middle - 1, middle - 1), (middle + 1, middle + 1)] {
        board.play(&Cell::new(row, column));
    }
    assert_eq!(board.turn().seat(), Some(Seat::FIRST));
    bencher
        .counter(ItemsCount::new(NODES))
        .with_inputs(AlphaBeta::new)
        .bench_values(|mut search| search.choose(&board, &mut Nodes(NODES)));
}
