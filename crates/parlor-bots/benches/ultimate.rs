//! Speed of the ultimate tic-tac-toe searches: `cargo bench -p parlor-bots --bench ultimate`. Items
//! are simulations.

use divan::counter::ItemsCount;
use parlor_bots::ultimate::{NetSearch, UltimatePlayouts};
use parlor_bots::{Mcts, Nodes, Policy, Strategy, Uniform, mcts::MctsSettings};
use parlor_core::{Notation, Position};
use parlor_tictactoe::ultimate::{Game, Rules};

const NODES: u64 = 100_000;

fn main() {
    divan::main();
}

/// Returns the position after these moves.
fn after(moves: &str) -> Game {
    let mut game = Game::new(Rules::default());
    for text in moves.split_whitespace() {
        let mv = game.parse_move(text).expect("a legal move");
        game.play(&mv);
    }
    game
}

fn search<S: Strategy<Game>>(
    bencher: divan::Bencher<'_, '_>,
    start: Game,
    make: impl Fn() -> S + Sync,
) {
    bencher
        .counter(ItemsCount::new(NODES))
        .with_inputs(make)
        .bench_values(|mut search| {
            search.choose(&start, &mut Nodes(NODES));
            search
        });
}

fn playouts<Q: Policy<Game> + Copy + Sync>(policy: Q) -> impl Fn() -> Mcts<Game, Q> + Sync {
    move || Mcts::with_policy(1, policy, MctsSettings::default())
}

#[divan::bench(sample_count = 10, args = ["", "44 40 04"])]
fn tree_search_with_random_playouts(bencher: divan::Bencher<'_, '_>, moves: &str) {
    search(bencher, after(moves), playouts(Uniform::default()));
}

#[divan::bench(sample_count = 10, args = ["", "44 40 04"])]
fn tree_search_with_keen_playouts(bencher: divan::Bencher<'_, '_>, moves: &str) {
    search(bencher, after(moves), playouts(UltimatePlayouts));
}

#[divan::bench(sample_count = 10, args = ["", "44 40 04"])]
fn tree_search_with_the_net(bencher: divan::Bencher<'_, '_>, moves: &str) {
    search(bencher, after(moves), || NetSearch::new(1));
}
