//! Speed of the backgammon bot: `cargo bench -p parlor-bots --bench backgammon`.
//! Items are positions evaluated, including the generation of plays, or decisions.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use divan::counter::ItemsCount;
use parlor_backgammon::{Board, Dice, Game, Phase, Roll, Rules, Setup, WHITE};
use parlor_bots::backgammon::training::{BackgammonSelfPlayer, GameStart};
use parlor_bots::backgammon::{
    BackgammonEvaluator, BackgammonNets, NetPlayer, NetPlayerSettings, Shortcut,
};
use parlor_bots::{Crew, Nodes, Prng, Strategy};
use rand_xoshiro::rand_core::SeedableRng;

fn main() {
    divan::main();
}

/// Self-play of the built-in net, with all plays of every roll evaluated; in the variant `quick`
/// the quick net preselects, and the plays it drops count too.
#[divan::bench(sample_count = 20, args = ["wide", "portable", "quick"])]
fn games_against_itself(bencher: divan::Bencher<'_, '_>, how: &str) {
    let nets = BackgammonNets::built_in();
    let eval = if how == "portable" {
        BackgammonEvaluator::portable(&nets)
    } else {
        BackgammonEvaluator::new(&nets)
    };
    let games = |eval: BackgammonEvaluator| {
        let mut player = BackgammonSelfPlayer::new(eval, how == "quick");
        let (mut rng, mut samples) = (Prng::seed_from_u64(1), Vec::new());
        for _ in 0..20 {
            player.game(GameStart::Start, &mut rng, 0.0, &mut samples);
        }
        player.judged
    };
    let judged = games(eval.clone());
    bencher
        .counter(ItemsCount::new(judged))
        .with_inputs(|| eval.clone())
        .bench_values(games);
}

/// Evaluates boards one after the other, with nothing shared between them.
#[divan::bench(sample_count = 50)]
fn single_boards(bencher: divan::Bencher<'_, '_>) {
    let eval = BackgammonEvaluator::new(&BackgammonNets::built_in());
    let mut after: Vec<Board> = Vec::new();
    Roll::all().for_each(|roll| {
        let mut results = Vec::new();
        Board::START.afterstates_into(roll.into(), &mut results);
        after.append(&mut results);
    });
    let total = |boards: &[Board]| {
        boards
            .iter()
            .map(|board| eval.chances(board).win)
            .sum::<f32>()
    };
    bencher
        .counter(ItemsCount::new(after.len()))
        .bench(|| total(divan::black_box(&after)));
}

/// Search of this many plies.
#[divan::bench(sample_count = 20, args = [0, 1, 2])]
fn decisions(bencher: divan::Bencher<'_, '_>, plies: u32) {
    decide(bencher, plies, &[]);
}

/// Search with all replies evaluated by the full net.
#[divan::bench(sample_count = 10, args = [1, 2])]
fn decisions_without_glances(bencher: divan::Bencher<'_, '_>, plies: u32) {
    decide(bencher, plies, &[Shortcut::QuickNet]);
}

/// Search without the cache.
#[divan::bench(sample_count = 10, args = [1, 2])]
fn decisions_without_memory(bencher: divan::Bencher<'_, '_>, plies: u32) {
    decide(bencher, plies, &[Shortcut::Cache]);
}

/// Search with a crew of two threads.
#[divan::bench(sample_count = 10, args = [1, 2])]
fn decisions_of_two_threads(bencher: divan::Bencher<'_, '_>, plies: u32) {
    let player = NetPlayer::new(NetPlayerSettings::with_plies(plies)).with_crew(Arc::new(Two));
    measure(bencher, player);
}

fn decide(bencher: divan::Bencher<'_, '_>, plies: u32, without: &[Shortcut]) {
    let player = NetPlayer::new(NetPlayerSettings::with_plies(plies));
    measure(
        bencher,
        without
            .iter()
            .fold(player, |player, shortcut| player.without(*shortcut)),
    );
}

/// Decisions about the cube and then about the play, in positions from self-play of the built-in
/// net. Items are decisions.
fn measure(bencher: divan::Bencher<'_, '_>, mut player: NetPlayer) {
    let games = games(16);
    bencher
        .counter(ItemsCount::new(games.len()))
        .bench_local(|| {
            player.forget();
            let think = |game| {
                player
                    .choose(game, &mut Nodes(u64::MAX))
                    .map_or(0, |choice| choice.info.nodes)
            };
            games.iter().map(think).sum::<u64>()
        });
}

/// Returns money games before the roll, each followed by the same game after the roll.
fn games(count: usize) -> Vec<Game> {
    let mut player =
        BackgammonSelfPlayer::new(BackgammonEvaluator::new(&BackgammonNets::built_in()), false);
    let (mut rng, mut samples) = (Prng::seed_from_u64(2), Vec::new());
    while samples.len() < 8 * count {
        player.game(GameStart::Start, &mut rng, 0.0, &mut samples);
    }
    let rolls = std::iter::repeat_with(Roll::all).flatten();
    let positions = samples.iter().step_by(8).zip(rolls).take(count);
    let phases = positions.flat_map(|(sample, roll)| {
        [Phase::Cube, Phase::Moving(Dice::from(roll))].map(|phase| {
            let mut setup = Setup::new(Rules::MONEY);
            setup.counts = [sample.board.mover().counts(), sample.board.other().counts()];
            (setup.phase, setup.on_roll) = (phase, WHITE);
            setup.validate().expect("a position of a game")
        })
    });
    phases.collect()
}

/// Crew of the calling thread and another.
struct Two;

impl Crew for Two {
    fn each(&self, jobs: usize, work: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        let busy = || {
            std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed))
                .take_while(|job| *job < jobs)
                .for_each(work)
        };
        std::thread::scope(|scope| {
            scope.spawn(busy);
            busy();
        });
    }
}
