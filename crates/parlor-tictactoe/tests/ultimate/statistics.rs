//! Uniform random play comes out as other programs found it, one by one and many at once.

use parlor_core::{Outcome, Position, Seat, playout};
use parlor_tictactoe::ultimate::playouts::{Tally, batch};
use parlor_tictactoe::ultimate::{Game, Rules};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

const GAMES: u32 = 200_000;

fn one_by_one(start: &Game, games: u32, seed: u64) -> Tally {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut tally = Tally::default();
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

/// The shares of X, O and draws, and the mean length.
fn shares(tally: Tally) -> [f64; 4] {
    [tally.x, tally.o, tally.draws, tally.plies].map(|count| count as f64 / tally.games() as f64)
}

/// Four standard errors of a share are 0.0044, of the mean length 0.08; the published figures are rounded.
fn agree(tally: Tally, [x, o, draws, plies]: [f64; 4]) {
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

/// As several independent programs found them.
const PUBLISHED: [f64; 4] = [0.412, 0.366, 0.222, 58.9];

#[test]
fn random_play_gives_x_41_percent_and_lasts_59_plies() {
    agree(
        one_by_one(&Game::new(Rules::default()), GAMES, 1),
        PUBLISHED,
    );
}

#[test]
fn so_do_many_games_at_once() {
    agree(batch(&Game::new(Rules::default()), GAMES, 1), PUBLISHED);
}

#[test]
fn many_at_once_come_out_as_one_by_one_from_any_position_under_all_rules() {
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
fn exactly_as_many_games_are_played_as_asked_for() {
    for games in [0, 1, 2, 63, 64, 65, 1000, 51_775, 51_776, 51_777, 110_000] {
        let tally = batch(&Game::new(Rules::default()), games, 9);
        assert_eq!(tally.games(), u64::from(games));
        assert!(tally.plies <= 81 * u64::from(games) && tally.plies >= 17 * u64::from(games));
    }
}

#[test]
fn the_same_arguments_give_the_same_tally_everywhere() {
    let start = Game::new(Rules::default());
    assert_eq!(batch(&start, 5000, 1), batch(&start, 5000, 1));
    assert_ne!(batch(&start, 5000, 1), batch(&start, 5000, 2));
    // A golden value: it must come out alike whatever vector registers there are.
    assert_eq!(
        batch(&start, 5000, 1),
        Tally {
            x: 2067,
            o: 1832,
            draws: 1101,
            plies: 294_782
        }
    );
}

#[test]
fn a_finished_game_is_only_counted() {
    let mut game = Game::new(Rules::default());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let end = playout(&mut game, &mut rng, 81, &mut Default::default());
    let tally = batch(&game, 7, 1);
    assert_eq!((tally.games(), tally.plies), (7, 0));
    assert_eq!(tally.x == 7, end.outcome == Some(Outcome::won(Seat::FIRST)));
}
