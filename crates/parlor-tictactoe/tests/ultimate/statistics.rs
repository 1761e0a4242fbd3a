//! Uniform random play matches published figures, one game at a time and in batches.

use parlor_core::{Outcome, Position, Seat, playout};
use parlor_tictactoe::ultimate::playouts::{PlayoutTally, batch};
use parlor_tictactoe::ultimate::{Game, Rules};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

const GAMES: u32 = 200_000;

fn one_by_one(start: &Game, games: u32, seed: u64) -> PlayoutTally {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut tally = PlayoutTally::default();
    for _ in 0..games {
        let end = playout(&mut start.clone(), &mut rng, 81, &mut Default::default());
        tally.plies += u64::from(end.plies);
        match end.outcome.and_then(Outcome::winner) {
            Some(Seat::FIRST) => tally.x += 1,
            Some(_) => tally.o += 1,
            None => tally.draws += 1,
        }
    }
    tally
}

/// Returns the shares of X wins, O wins and draws, and the mean length.
fn shares(tally: PlayoutTally) -> [f64; 4] {
    [tally.x, tally.o, tally.draws, tally.plies].map(|count| count as f64 / tally.games() as f64)
}

/// Asserts that the results match. Four standard errors are 0.0044 for a share and 0.08 for the
/// mean length; the published figures are rounded.
fn agree(tally: PlayoutTally, [x, o, draws, plies]: [f64; 4]) {
    let found = shares(tally);
    for (found, expected) in found.into_iter().zip([x, o, draws]) {
        assert!(
            (found - expected).abs() < 0.0055,
            "{tally:?}: {found} where {expected} is expected"
        );
    }
    assert!(
        (found[3] - plies).abs() < 0.15,
        "{tally:?}: {} plies where {plies} are expected",
        found[3]
    );
}

/// Figures found by several independent programs.
const PUBLISHED: [f64; 4] = [0.412, 0.366, 0.222, 58.9];

#[test]
fn random_play_gives_x_41_percent_and_lasts_59_plies() {
    agree(
        one_by_one(&Game::new(Rules::default()), GAMES, 1),
        PUBLISHED,
    );
}

#[test]
fn batches_match_the_published_figures() {
    agree(batch(&Game::new(Rules::default()), GAMES, 1), PUBLISHED);
}

#[test]
fn batches_match_single_games_from_any_position_under_all_rules() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for rules in Rules::ALL {
        for plies in [0, 1, 20, 41, 50] {
            let mut start = Game::new(rules);
            for _ in 0..plies {
                if let Some(m) = start.random_move(&mut rng, &mut Vec::new()) {
                    start.play(&m);
                }
            }
            let single = one_by_one(&start, 40_000, 5);
            let many = batch(&start, 40_000, 5);
            assert_eq!(many.games(), 40_000);
            for (one, other) in shares(single).into_iter().zip(shares(many)).take(3) {
                // Five standard errors of the difference of two shares.
                assert!(
                    (one - other).abs() < 0.0177,
                    "{start:?}: {single:?} and {many:?}"
                );
            }
            assert!(
                (shares(single)[3] - shares(many)[3]).abs() < 0.4,
                "{start:?}: {single:?} and {many:?}"
            );
        }
    }
}

#[test]
fn a_batch_plays_exactly_the_requested_number_of_games() {
    for games in [0, 1, 2, 63, 64, 65, 1000, 51_775, 51_776, 51_777, 110_000] {
        let tally = batch(&Game::new(Rules::default()), games, 9);
        assert_eq!(tally.games(), u64::from(games));
        assert!(tally.plies <= 81 * u64::from(games) && tally.plies >= 17 * u64::from(games));
    }
}

#[test]
fn tallies_are_reproducible() {
    let start = Game::new(Rules::default());
    assert_eq!(batch(&start, 5000, 1), batch(&start, 5000, 1));
    assert_ne!(batch(&start, 5000, 1), batch(&start, 5000, 2));
    // Golden value: it must be the same for every register width.
    assert_eq!(
        batch(&start, 5000, 1),
        PlayoutTally {
            x: 2067,
            o: 1832,
            draws: 1101,
            plies: 294_782
        }
    );
}

#[test]
fn playouts_of_a_finished_game_repeat_its_outcome() {
    let mut game = Game::new(Rules::default());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let end = playout(&mut game, &mut rng, 81, &mut Default::default());
    let tally = batch(&game, 7, 1);
    assert_eq!((tally.games(), tally.plies), (7, 0));
    assert_eq!(tally.x == 7, end.outcome == Some(Outcome::won(Seat::FIRST)));
}
