//! Speed of the searches: `cargo bench -p parlor-bots`. Items are simulations or nodes.

use divan::counter::ItemsCount;
use parlor_bots::mnk::{AlphaBeta, MnkPlayouts};
use parlor_bots::{Mcts, Nodes, Policy, Strategy, Uniform, mcts::MctsSettings};
use parlor_core::Position;
use parlor_tictactoe::mnk::{Board, Cell, Grid, Rules, Three, Wide};

fn main() {
    divan::main();
}

fn rules(rows: u8, columns: u8, k: u8, seats: usize) -> Rules {
    Rules::new(
        rows,
        columns,
        k,
        Rules::default_symbols(seats).expect("a symbol for each seat"),
    )
    .expect("known rules")
}

fn tree_search<P: Position + PartialEq>(
    bencher: divan::Bencher<'_, '_>,
    start: P,
    policy: impl Policy<P> + Copy + Sync,
    nodes: u64,
) {
    let search = || Mcts::with_policy(1, policy, MctsSettings::default());
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
    tree_search(bencher, start, MnkPlayouts, 2_000);
}

#[divan::bench(sample_count = 10)]
fn tree_search_6x6_three_seats_seeing_threats(bencher: divan::Bencher<'_, '_>) {
    let start = Grid::<8>::new(rules(6, 6, 4, 3).shape()).expect("6x6 fits");
    tree_search(bencher, start, MnkPlayouts, 5_000);
}

/// Searches for this many nodes from a position that is not solved by then.
#[divan::bench(sample_count = 10, args = ["6x6x5", "9x9x5", "15x15x5"])]
fn alpha_beta(bencher: divan::Bencher<'_, '_>, shape: &str) {
    const NODES: u64 = 100_000;
    let (side, k) = match shape {
        "6x6x5" => (6, 5),
        "9x9x5" => (9, 5),
        _ => (15, 5),
    };
    let board = Board::new(rules(side, side, k, 2));
    let mut search = AlphaBeta::new();
    let nodes = search
        .choose(&board, &mut Nodes(NODES))
        .expect("a seat is to move")
        .info
        .nodes;
    assert!(
        nodes >= NODES,
        "the position is settled after {nodes} nodes"
    );
    bencher
        .counter(ItemsCount::new(NODES))
        .with_inputs(AlphaBeta::new)
        .bench_values(|mut search| search.choose(&board, &mut Nodes(NODES)));
}
