//! Rollouts: what they tell is right on average, whatever is done to make it precise.

use parlor_backgammon::Board;
use parlor_bots::backgammon::rollout::{Estimate, Rollout, Settings};
use parlor_bots::backgammon::training::Training;
use parlor_bots::backgammon::{self, Eval, NetPlayer, Nets, Size};
use parlor_bots::{Alone, Crew, Nodes};

use crate::backgammon::board;

/// All games to the end, without tables.
const WHOLE: Settings = Settings {
    plies: 0,
    truncate: None,
    seed: 7,
    reduced: true,
    tables: false,
};

fn found(board: Board, settings: Settings, games: u32) -> Estimate {
    Rollout::new(vec![board], settings)
        .run(0..games)
        .estimate(0)
        .expect("games")
}

/// A contact position in the middle of a game.
fn middle() -> Board {
    board(
        &[(24, 2), (13, 3), (8, 3), (6, 5), (5, 2)],
        &[(24, 1), (22, 1), (13, 4), (8, 3), (6, 4), (4, 2)],
    )
}

#[test]
fn rollouts_of_the_last_checkers_come_to_the_exact_chances() {
    let few = [
        board(&[(6, 1), (5, 1)], &[(1, 2), (3, 1)]),
        board(&[(6, 2), (2, 1)], &[(4, 2), (1, 1)]),
        board(&[(3, 3)], &[(2, 4)]),
    ];
    for few in few {
        let exact = f64::from(Eval::new(&Nets::house()).chances(&few).win);
        let plain = found(
            few,
            Settings {
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
        // Where the chances are known all luck is seen, and nothing is left to differ.
        let reduced = found(few, WHOLE, 36);
        assert!(
            (f64::from(reduced.chances.win) - exact).abs() < 1e-5 && reduced.errors[0] < 1e-5,
            "{reduced:?}"
        );
    }
}

#[test]
fn taking_off_the_luck_changes_no_mean_and_most_of_the_error() {
    let race = board(
        &[(11, 1), (8, 2), (6, 4), (5, 4), (4, 4)],
        &[(13, 1), (7, 3), (6, 4), (5, 4), (3, 3)],
    );
    for board in [middle(), race] {
        let plain = found(
            board,
            Settings {
                reduced: false,
                truncate: Some(14),
                ..WHOLE
            },
            216,
        );
        let reduced = found(
            board,
            Settings {
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
fn a_poor_net_makes_a_rollout_less_precise_but_no_less_true() {
    let mut training = Training::new(&Nets::zero(Size::Small), 1, 4_000);
    training.round();
    let nets = training.nets();
    let played = |reduced: bool, seed: u64| {
        let settings = Settings {
            reduced,
            seed,
            truncate: Some(6),
            ..WHOLE
        };
        Rollout::with(Eval::new(&nets), vec![middle()], settings)
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
    let settings = Settings {
        truncate: Some(3),
        ..Settings::default()
    };
    let [still, ahead] = [0, 1].map(|plies| found(middle(), Settings { plies, ..settings }, 36));
    assert_ne!(still, ahead);
    assert!(
        (still.worth - ahead.worth).abs() < 0.1,
        "{still:?} {ahead:?}"
    );
}

#[test]
fn a_rollout_of_one_roll_is_a_look_one_ply_ahead() {
    let eval = Eval::new(&Nets::house());
    let still = found(
        middle(),
        Settings {
            truncate: Some(0),
            ..WHOLE
        },
        2,
    );
    assert_eq!(still.chances.to_array(), eval.chances(&middle()).to_array());
    let one = found(
        middle(),
        Settings {
            truncate: Some(1),
            ..WHOLE
        },
        36,
    );
    let ahead =
        NetPlayer::new(backgammon::Settings::plies(1)).chances(&middle(), &mut Nodes(u64::MAX));
    // Whatever comes up, its luck is taken off again.
    assert!(one.errors.iter().all(|error| *error < 1e-6), "{one:?}");
    for (one, ahead) in one.chances.to_array().into_iter().zip(ahead.to_array()) {
        assert!((one - ahead).abs() < 1e-5, "{one} {ahead}");
    }
    // All first rolls have come up once, so that their mean is the same without that.
    let plain = found(
        middle(),
        Settings {
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
fn games_come_to_the_same_whoever_plays_them_and_however_they_are_added() {
    let boards = vec![middle(), Board::START];
    let rollout = Rollout::new(
        boards,
        Settings {
            truncate: Some(3),
            ..Settings::default()
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
        Rollout::new(
            vec![middle(), Board::START],
            Settings {
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

/// Begins with the last part.
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
    let rollout = Rollout::new(
        vec![middle(), middle(), other],
        Settings {
            truncate: Some(4),
            ..Settings::default()
        },
    );
    let tally = rollout.run(0..36);
    let [first, same, other] = [0, 1, 2].map(|n| tally.estimate(n).expect("games"));
    assert_eq!((same.more, same.more_error), (0.0, 0.0));
    assert_eq!(first.chances, same.chances);
    assert!(
        (other.more - (other.worth - first.worth)).abs() < 1e-6,
        "{other:?}"
    );
    assert!(tally.estimate(3).is_none());
}
