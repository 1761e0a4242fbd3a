//! Uniform random play comes out as other programs found it.

use parlor_core::{Outcome, Seat, playout};
use parlor_tictactoe::ultimate::{Game, Rules};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

const GAMES: u32 = 100_000;

#[test]
fn random_play_gives_x_41_percent_and_lasts_59_plies() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut x, mut o, mut plies) = (0, 0, 0);
    for _ in 0..GAMES {
        let end = playout(&mut Game::new(Rules::default()), &mut rng, 81, &mut Default::default());
        plies += end.plies;
        x += u32::from(end.outcome == Some(Outcome::won(Seat::FIRST)));
        o += u32::from(end.outcome == Some(Outcome::won(Seat::SECOND)));
    }
    let share = |count: u32| f64::from(count) / f64::from(GAMES);
    // Three standard errors of a share are 0.0047, of the mean length 0.1; the published figures are rounded.
    assert!((share(x) - 0.412).abs() < 0.0055, "X won {}", share(x));
    assert!((share(o) - 0.366).abs() < 0.0055, "O won {}", share(o));
    assert!((share(GAMES - x - o) - 0.222).abs() < 0.0055, "drawn {}", share(GAMES - x - o));
    assert!((share(plies) - 58.9).abs() < 0.15, "{} plies", share(plies));
}
