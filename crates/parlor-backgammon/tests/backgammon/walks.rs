//! Random games under all rules, for tests that inspect every position.

use parlor_backgammon::{Dice, Game, Move, Phase, Rules, Setup, StartLayout};
use parlor_core::{Position, Turn, random_below};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// Returns rules of every kind.
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
            start: StartLayout::Printed,
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

/// Event in a random game.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A seat moved.
    Moved(Move),
    /// The dice fell.
    Rolled(parlor_backgammon::Chance),
}

/// Plays a random game or match to its end, and calls `see` with every position and the next event,
/// `None` for the last.
pub fn walk(rules: Rules, seed: u64, see: impl FnMut(&Game, Option<&Event>)) {
    walk_from(Game::new(rules), seed, see);
}

/// Like [`walk`], from any position.
pub fn walk_from(mut game: Game, seed: u64, mut see: impl FnMut(&Game, Option<&Event>)) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut scratch = Vec::new();
    loop {
        match game.turn() {
            Turn::Over(_) => return see(&game, None),
            Turn::Chance => {
                let chances = game.chances();
                let chance = chances[random_below(&mut rng, chances.len() as u32) as usize].0;
                see(&game, Some(&Event::Rolled(chance)));
                game.resolve(&chance);
            }
            Turn::Move(_) => {
                let mut m = game
                    .random_move(&mut rng, &mut scratch)
                    .expect("somebody can move");
                // Half of the doubles and drops would end most games early.
                if matches!(m, Move::Double | Move::Drop) && random_below(&mut rng, 4) > 0 {
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

/// Returns a game without the information that text formats lose: the last result and the decision
/// to roll.
pub fn forgetful(game: &Game) -> Game {
    let mut setup = Setup {
        last: None,
        ..Setup::from_game(game)
    };
    if setup.phase == Phase::Rolling && game.can_double(game.on_roll()) {
        setup.phase = Phase::Cube;
    }
    setup.validate().expect("a game")
}

/// Returns `true` if a seat is on turn.
pub fn is_going_on(game: &Game) -> bool {
    !matches!(game.phase(), Phase::Opening | Phase::Over)
}

/// Returns the game with part of its roll played.
pub fn part_of_a_roll(game: &Game) -> Option<Game> {
    let Phase::Moving(Dice::Same { die, .. }) = game.phase() else {
        return None;
    };
    Setup {
        phase: Phase::Moving(Dice::Same { die, times: 2 }),
        ..Setup::from_game(game)
    }
    .validate()
    .ok()
}
