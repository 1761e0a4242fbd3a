//! Speed of the Pandemic bots: `cargo bench -p parlor-bots --bench pandemic`. Items are moves,
//! rollouts, positions or turns.

use divan::Bencher;
use divan::counter::ItemsCount;
use parlor_bots::pandemic::{EventScope, PandemicPolicy, Planner, PlannerSettings, PolicyWeights};
use parlor_bots::{Nodes, Prng};
use parlor_core::{Position, Turn};
use parlor_pandemic::{Consent, Game, Rules, Stage};
use rand_xoshiro::rand_core::SeedableRng;

fn main() {
    divan::main();
}

fn greedy(players: u8) -> PandemicPolicy {
    PandemicPolicy::new(PolicyWeights::built_in(players))
}

/// Returns starts of turns from games of the quick policy, and the number of moves of the games.
fn turns(players: u8, games: u64) -> (Vec<Game>, usize) {
    let (mut policy, mut found, mut moves) = (greedy(players), Vec::new(), 0);
    let rules = Rules::new(players, 5)
        .expect("a game of the box")
        .with_consent(Consent::Implied);
    for seed in 0..games {
        let (mut game, mut rng) = (Game::new(rules), Prng::seed_from_u64(seed));
        loop {
            match game.turn() {
                Turn::Over(_) => break,
                Turn::Chance => {
                    let chance = game
                        .random_chance(&mut rng, &mut Vec::new())
                        .expect("luck decides");
                    game.resolve_unchecked(&chance);
                }
                Turn::Move(_) => {
                    if game.stage() == Stage::Actions && game.actions() == 4 {
                        found.push(game);
                    }
                    game.play_unchecked(
                        &policy
                            .decide(&game, EventScope::Team)
                            .expect("a seat is to move"),
                    );
                    moves += 1;
                }
            }
        }
    }
    (found, moves)
}

/// Whole games of the quick policy; items are moves.
#[divan::bench(args = [2, 4])]
fn quick_moves(bencher: Bencher<'_, '_>, players: u8) {
    bencher
        .counter(ItemsCount::new(turns(players, 8).1))
        .bench(|| turns(players, 8).1);
}

/// Rollouts of six turns with an evaluation at the end.
#[divan::bench(args = [2, 4])]
fn rollouts(bencher: Bencher<'_, '_>, players: u8) {
    let (turns, mut policy) = (turns(players, 8).0, greedy(players));
    let mut rng = Prng::seed_from_u64(1);
    bencher
        .counter(ItemsCount::new(turns.len()))
        .bench_local(|| {
            turns
                .iter()
                .map(|game| policy.roll_out(*game, 6, &mut rng).steps)
                .sum::<u32>()
        });
}

/// Evaluations of positions.
#[divan::bench(args = [2, 4])]
fn evaluations(bencher: Bencher<'_, '_>, players: u8) {
    let (turns, mut policy) = (turns(players, 8).0, greedy(players));
    bencher
        .counter(ItemsCount::new(turns.len()))
        .bench_local(|| turns.iter().map(|game| policy.value(game)).sum::<f32>());
}

/// Planning of turns without rollouts.
#[divan::bench(args = [2, 4])]
fn beams(bencher: Bencher<'_, '_>, players: u8) {
    let turns = turns(players, 1).0;
    let mut planner = Planner::new(
        players,
        PlannerSettings {
            width: 40,
            plans: 24,
            rollouts: 0,
            turns: 6,
        },
        1,
    );
    bencher
        .counter(ItemsCount::new(turns.len()))
        .bench_local(|| {
            turns
                .iter()
                .map(|game| planner.plans(game, EventScope::Team, &mut Nodes(0)).0.len())
                .sum::<usize>()
        });
}
