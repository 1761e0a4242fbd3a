//! Rollouts are unbiased, with and without variance reduction.

use parlor_backgammon::Board;
use parlor_bots::backgammon::rollout::{BackgammonRolloutSettings, BoardRollout, RolloutEstimate};
use parlor_bots::backgammon::training::BackgammonTraining;
use parlor_bots::backgammon::{
    self, BackgammonEvaluator, BackgammonNetSize, BackgammonNets, NetPlayer,
};
use parlor_bots::{Alone, Crew, Nodes};

use crate::backgammon::board;

/// Settings that play all games to the end, without tables.
const WHOLE: BackgammonRolloutSettings = BackgammonRolloutSettings {
    plies: 0,
    truncate: None,
    seed: 7,
    reduced: true,
    tables: false,
};

fn estimate(board: Board, settings: BackgammonRolloutSettings, games: u32) -> RolloutEstimate {
    BoardRollout::new(vec![board], settings)
        .run(0..games)
        .estimate(0)
        .expect("games")
}

/// Returns a contact position in the middle of a game.
fn middle() -> Board {
    board(
        &[(24, 2), (13, 3), (8, 3), (6, 5), (5, 2)],
        &[(24, 1), (22, 1), (13, 4), (8, 3), (6, 4), (4, 2)],
    )
}

#[test]
fn rollouts_of_the_last_checkers_give_the_exact_chances() {
    let few = [
        board(&[(6, 1), (5, 1)], &[(1, 2), (3, 1)]),
        board(&[(6, 2), (2, 1)], &[(4, 2), (1, 1)]),
        board(&[(3, 3)], &[(2, 4)]),
    ];
    for few in few {
        let exact = f64::from(
            BackgammonEvaluator::new(&BackgammonNets::built_in())
                .chances(&few)
                .win,
        );
        let plain = estimate(
            few,
            BackgammonRolloutSettings {
                reduced: false,
                ..WHOLE
            },
            3 * 1296,
        );
        let [win, error] = [f64::from(plain.chances.win), plain.errors[0]];
        assert!(
            (win - exact).abs() < 4.0 * error.max(1e-4),
            "{few:?}: {win} is not {exact} +- {error}"
        );
        // With known chances all luck is accounted for, so all games agree.
        let reduced = estimate(few, WHOLE, 36);
        assert!(
            (f64::from(reduced.chances.win) - exact).abs() < 1e-5 && reduced.errors[0] < 1e-5,
            "{reduced:?}"
        );
    }
}

#[test]
fn variance_reduction_keeps_the_mean_and_shrinks_the_error() {
    let race = board(
        &[(11, 1), (8, 2), (6, 4), (5, 4), (4, 4)],
        &[(13, 1), (7, 3), (6, 4), (5, 4), (3, 3)],
    );
    for board in [middle(), race] {
        let plain = estimate(
            board,
            BackgammonRolloutSettings {
                reduced: false,
                truncate: Some(14),
                ..WHOLE
            },
            216,
        );
        let reduced = estimate(
            board,
            BackgammonRolloutSettings {
                seed: 8,
                truncate: Some(14),
                ..WHOLE
            },
            72,
        );
        let apart =
            |a: f64, b: f64, errors: [f64; 2]| (a - b).abs() / errors[0].hypot(errors[1]).max(1e-6);
        assert!(
            apart(plain.worth, reduced.worth, [plain.error, reduced.error]) < 4.0,
            "{plain:?} {reduced:?}"
        );
        for (n, (a, b)) in plain
            .chances
            .to_array()
            .into_iter()
            .zip(reduced.chances.to_array())
            .enumerate()
        {
            let far = apart(
                f64::from(a),
                f64::from(b),
                [plain.errors[n], reduced.errors[n]],
            );
            assert!(far < 4.0, "chance {n}: {plain:?} {reduced:?}");
        }
        // With a third of the games.
        assert!(
            reduced.error < plain.error / 1.5,
            "{} {}",
            reduced.error,
            plain.error
        );
    }
}

#[test]
fn a_poor_net_makes_a_rollout_less_precise_but_not_biased() {
    let mut training =
        BackgammonTraining::new(&BackgammonNets::zero(BackgammonNetSize::Small), 1, 4_000);
    training.round();
    let nets = training.nets();
    let played = |reduced: bool, seed: u64| {
        let settings = BackgammonRolloutSettings {
            reduced,
            seed,
            truncate: Some(6),
            ..WHOLE
        };
        BoardRollout::with_evaluator(BackgammonEvaluator::new(&nets), vec![middle()], settings)
            .run(0..252)
            .estimate(0)
            .expect("games")
    };
    let (plain, reduced) = (played(false, 1), played(true, 2));
    assert!(plain.error > 0.0 && reduced.error > 0.0);
    let apart = (plain.worth - reduced.worth).abs();
    assert!(
        apart < 4.0 * plain.error.hypot(reduced.error),
        "{plain:?} {reduced:?}"
    );
}

#[test]
fn players_may_look_ahead() {
    let settings = BackgammonRolloutSettings {
        truncate: Some(3),
        ..BackgammonRolloutSettings::default()
    };
    let [still, ahead] = [0, 1].map(|plies| {
        estimate(
            middle(),
            BackgammonRolloutSettings { plies, ..settings },
            36,
        )
    });
    assert_ne!(still, ahead);
    assert!(
        (still.worth - ahead.worth).abs() < 0.1,
        "{still:?} {ahead:?}"
    );
}

#[test]
fn a_rollout_of_one_roll_equals_a_one_ply_search() {
    let eval = BackgammonEvaluator::new(&BackgammonNets::built_in());
    let still = estimate(
        middle(),
        BackgammonRolloutSettings {
            truncate: Some(0),
            ..WHOLE
        },
        2,
    );
    assert_eq!(still.chances.to_array(), eval.chances(&middle()).to_array());
    let one = estimate(
        middle(),
        BackgammonRolloutSettings {
            truncate: Some(1),
            ..WHOLE
        },
        36,
    );
    let ahead = NetPlayer::new(backgammon::NetPlayerSettings::with_plies(1))
        .chances(&middle(), &mut Nodes(u64::MAX));
    // The luck of every roll is subtracted again.
    assert!(one.errors.iter().all(|error| *error < 1e-6), "{one:?}");
    for (one, ahead) in one.chances.to_array().into_iter().zip(ahead.to_array()) {
        assert!((one - ahead).abs() < 1e-5, "{one} {ahead}");
    }
    // All first rolls have come up once, so their mean is the same without variance reduction.
    let plain = estimate(
        middle(),
        BackgammonRolloutSettings {
            truncate: Some(1),
            reduced: false,
            ..WHOLE
        },
        36,
    );
    assert!(
        (f64::from(plain.chances.win) - f64::from(one.chances.win)).abs() < 1e-5
            && plain.errors[0] > 1e-3,
        "{plain:?}"
    );
}

#[test]
fn tallies_do_not_depend_on_crew_or_merge_order() {
    let boards = vec![middle(), Board::START];
    let rollout = BoardRollout::new(
        boards,
        BackgammonRolloutSettings {
            truncate: Some(3),
            ..BackgammonRolloutSettings::default()
        },
    );
    let whole = rollout.run(0..40);
    let mut parts = rollout.run(30..40);
    parts.merge(&rollout.run(0..7));
    parts.merge(&rollout.run(7..30));
    assert_eq!(whole, parts);
    let mut seen = 0;
    let all = rollout.run_all(40, &Backwards, &mut |tally| {
        seen = tally.games();
        true
    });
    assert_eq!((&all, seen), (&whole, 40));
    assert_ne!(
        whole,
        BoardRollout::new(
            vec![middle(), Board::START],
            BackgammonRolloutSettings {
                seed: 2,
                truncate: Some(3),
                ..WHOLE
            }
        )
        .run(0..40)
    );
    let stopped = rollout.run_all(100_000, &Alone, &mut |_| false);
    assert!(stopped.games() < 1_000);
}

/// Starts with the last job.
struct Backwards;

impl Crew for Backwards {
    fn each(&self, jobs: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..jobs).rev().for_each(work);
    }
}

#[test]
fn a_board_is_compared_with_the_same_dice() {
    let other = board(
        &[(24, 2), (13, 2), (8, 3), (6, 6), (5, 2)],
        &[(24, 1), (22, 1), (13, 4), (8, 3), (6, 4), (4, 2)],
    );
    let rollout = BoardRollout::new(
        vec![middle(), middle(), other],
        BackgammonRolloutSettings {
            truncate: Some(4),
            ..BackgammonRolloutSettings::default()
        },
    );
    let tally = rollout.run(0..36);
    let [first, same, other] = [0, 1, 2].map(|n| tally.estimate(n).expect("games"));
    assert_eq!((same.difference, same.difference_error), (0.0, 0.0));
    assert_eq!(first.chances, same.chances);
    assert!(
        (other.difference - (other.worth - first.worth)).abs() < 1e-6,
        "{other:?}"
    );
    assert!(tally.estimate(3).is_none());
}
