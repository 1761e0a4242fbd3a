//! Backgammon search: its results do not depend on the cache or the crew.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parlor_backgammon::{Board, Chance, Game, Move, Rules};
use parlor_bots::backgammon::{Chances, GreedyBackgammon, NetPlayer, NetPlayerSettings, Shortcut};
use parlor_bots::{Choice, Crew, Nodes, Prng, Strategy};
use parlor_core::playout::choose_weighted;
use parlor_core::{Position, Turn};
use rand_xoshiro::rand_core::SeedableRng;

/// Crew of several threads, started anew for each batch of jobs.
struct Threads(usize);

impl Crew for Threads {
    fn each(&self, jobs: usize, work: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.0 {
                scope.spawn(|| {
                    loop {
                        let job = next.fetch_add(1, Ordering::Relaxed);
                        if job >= jobs {
                            break;
                        }
                        work(job);
                    }
                });
            }
        });
    }
}

/// Starts with the last job.
struct Backwards;

impl Crew for Backwards {
    fn each(&self, jobs: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..jobs).rev().for_each(work);
    }
}

/// Returns games with a seat to decide from a match between greedy players, one of every `step`.
fn decisions(count: usize, step: usize, seed: u64) -> Vec<Game> {
    let mut rng = Prng::seed_from_u64(seed);
    let (mut found, mut seen) = (Vec::new(), 0);
    let mut chances: Vec<(Chance, u32)> = Vec::new();
    while found.len() < count {
        let mut game = Game::new(Rules::match_to(5).expect("a match"));
        while found.len() < count {
            match game.turn() {
                Turn::Over(_) => break,
                Turn::Chance => {
                    game.chances_into(&mut chances);
                    game.resolve(
                        &choose_weighted(&mut rng, &chances)
                            .expect("luck has a choice")
                            .clone(),
                    );
                }
                Turn::Move(_) => {
                    seen += 1;
                    if seen % step == 0 {
                        found.push(game.clone());
                    }
                    let m = GreedyBackgammon
                        .choose(&game, &mut Nodes(0))
                        .expect("a seat is to move")
                        .mv;
                    game.play(&m);
                }
            }
        }
    }
    found
}

fn choose(player: &mut NetPlayer, game: &Game, nodes: u64) -> Choice<Move> {
    player
        .choose(game, &mut Nodes(nodes))
        .expect("a seat is to move")
}

fn player(plies: u32) -> NetPlayer {
    NetPlayer::new(NetPlayerSettings::with_plies(plies))
}

fn bits(chances: Chances) -> [u32; Chances::COUNT] {
    chances.to_array().map(f32::to_bits)
}

#[test]
fn the_cache_changes_no_result() {
    let (mut one, mut other) = (player(2), player(2).without(Shortcut::Cache));
    for game in decisions(12, 3, 1) {
        let (with, without) = (
            choose(&mut one, &game, u64::MAX),
            choose(&mut other, &game, u64::MAX),
        );
        assert_eq!(
            (with.mv, with.info.value),
            (without.mv, without.info.value),
            "{game:?}"
        );
        assert!(with.info.nodes <= without.info.nodes);
        // Now it is cached.
        let again = choose(&mut one, &game, u64::MAX);
        assert_eq!(
            (with.mv, with.info.value, with.info.depth),
            (again.mv, again.info.value, again.info.depth)
        );
        let chances =
            |player: &mut NetPlayer| bits(player.chances(&game.board(), &mut Nodes(u64::MAX)));
        assert_eq!(chances(&mut one), chances(&mut other), "{game:?}");
    }
}

#[test]
fn a_repeated_search_is_almost_free_until_the_cache_is_cleared() {
    let mut player = player(2);
    let game = &decisions(1, 9, 2)[0];
    let first = choose(&mut player, game, u64::MAX).info.nodes;
    assert!(choose(&mut player, game, u64::MAX).info.nodes < first / 10);
    player.forget();
    assert_eq!(choose(&mut player, game, u64::MAX).info.nodes, first);
}

#[test]
fn results_do_not_depend_on_the_crew() {
    for nodes in [3_000, 20_000, u64::MAX] {
        let crews: [Arc<dyn Crew>; 3] = [
            Arc::new(Threads(2)),
            Arc::new(Threads(5)),
            Arc::new(Backwards),
        ];
        let mut helped = crews.map(|crew| player(2).with_crew(crew));
        let mut alone = player(2);
        for game in decisions(6, 4, 3) {
            let found = choose(&mut alone, &game, nodes);
            helped
                .iter_mut()
                .for_each(|player| assert_eq!(choose(player, &game, nodes), found, "{game:?}"));
        }
    }
}

#[test]
fn a_crew_of_several_searches_three_plies_like_one() {
    let chances = |player: NetPlayer| {
        let mut player = player;
        bits(player.chances(&Board::START, &mut Nodes(30_000)))
    };
    assert_eq!(
        chances(player(3).with_crew(Arc::new(Threads(3)))),
        chances(player(3))
    );
}

#[test]
fn a_spent_budget_keeps_the_result_of_the_previous_ply() {
    let shallow = |plies: u32, game: &Game| choose(&mut player(plies), game, u64::MAX);
    for game in decisions(20, 2, 4)
        .iter()
        .filter(|game| game.dice().is_some())
    {
        let all = choose(&mut player(2), game, u64::MAX);
        for nodes in [all.info.nodes / 50, all.info.nodes / 2] {
            let hurried = choose(&mut player(2), game, nodes);
            let depth = hurried.info.depth;
            assert!(depth <= all.info.depth);
            assert_eq!((hurried.mv, hurried.info.value), {
                let found = shallow(depth, game);
                (found.mv, found.info.value)
            });
        }
    }
}

#[test]
fn the_quick_net_leaves_out_little_that_matters() {
    let (mut quick, mut whole) = (player(1), player(1).without(Shortcut::QuickNet));
    let games = decisions(150, 2, 5);
    let equity = |player: &mut NetPlayer| -> Vec<f32> {
        games
            .iter()
            .map(|game| player.chances(&game.board(), &mut Nodes(u64::MAX)).equity())
            .collect()
    };
    let (with, without) = (equity(&mut quick), equity(&mut whole));
    let apart: f32 = with
        .iter()
        .zip(&without)
        .map(|(a, b)| (a - b).abs())
        .sum::<f32>()
        / with.len() as f32;
    assert!(apart < 0.01, "{apart}");
}
