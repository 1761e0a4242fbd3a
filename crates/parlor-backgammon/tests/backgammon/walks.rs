//! Random games by every set of rules, for whoever wants to look at each of their positions.

use parlor_backgammon::{Dice, Game, Move, Phase, Rules, Setup, Start};
use parlor_core::{Position, Turn, below};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// Rules of every kind.
pub fn all_rules() -> Vec<Rules> {
    let to = |length| Rules::match_to(length).expect("a length");
    vec![
        Rules::GAME,
        Rules::MONEY,
        Rules {
            jacoby: false,
            ..Rules::MONEY
        },
        Rules {
            beavers: true,
            ..Rules::MONEY
        },
        Rules {
            start: Start::Printed,
            ..Rules::MONEY
        },
        Rules {
            cube: false,
            ..to(5)
        },
        Rules {
            crawford: false,
            ..to(4)
        },
        to(1),
        to(2),
        to(5),
        to(7),
        to(25),
        to(64),
    ]
}

/// What happened in a step of a game.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A seat moved.
    Moved(Move),
    /// The dice fell.
    Fell(parlor_backgammon::Chance),
}

/// Plays a random game or match to its end and shows every position with what happens next in it, the last one with nothing.
pub fn walk(rules: Rules, seed: u64, see: impl FnMut(&Game, Option<&Event>)) {
    walk_from(Game::new(rules), seed, see);
}

/// The same from anywhere.
pub fn walk_from(mut game: Game, seed: u64, mut see: impl FnMut(&Game, Option<&Event>)) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut scratch = Vec::new();
    loop {
        match game.turn() {
            Turn::Over(_) => return see(&game, None),
            Turn::Chance => {
                let chances = game.chances();
                let chance = chances[below(&mut rng, chances.len() as u32) as usize].0;
                see(&game, Some(&Event::Fell(chance)));
                game.resolve(&chance);
            }
            Turn::Move(_) => {
                let mut m = game
                    .random_move(&mut rng, &mut scratch)
                    .expect("somebody can move");
                // Half of the doubles and drops would leave little of a game.
                if matches!(m, Move::Double | Move::Drop) && below(&mut rng, 4) > 0 {
                    m = if m == Move::Double {
                        Move::Roll
                    } else {
                        Move::Take
                    };
                }
                see(&game, Some(&Event::Moved(m)));
                game.play(&m);
            }
        }
    }
}

/// What is left of a game when it is told without how the last one ended, and without the decision to roll.
pub fn forgetful(game: &Game) -> Game {
    let mut setup = Setup {
        last: None,
        ..Setup::of(game)
    };
    if setup.phase == Phase::Rolling && game.may_double(game.on_roll()) {
        setup.phase = Phase::Cube;
    }
    setup.validate().expect("a game")
}

/// Whether somebody is on turn.
pub fn is_going_on(game: &Game) -> bool {
    !matches!(game.phase(), Phase::Opening | Phase::Over)
}

/// A roll of which something is played.
pub fn part_of_a_roll(game: &Game) -> Option<Game> {
    let Phase::Moving(Dice::Same { die, .. }) = game.phase() else {
        return None;
    };
    Setup {
        phase: Phase::Moving(Dice::Same { die, times: 2 }),
        ..Setup::of(game)
    }
    .validate()
    .ok()
}
