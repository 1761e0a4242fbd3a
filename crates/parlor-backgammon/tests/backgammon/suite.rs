//! What must hold of every game of the house, and of every game of backgammon.

use parlor_backgammon::{Game, Rules, Start};
use parlor_core::testing::Suite;

#[test]
fn every_kind_of_game_keeps_the_rules_of_the_house() {
    let suite = |games| Suite {
        games,
        ..Suite::default()
    };
    suite(30).run(&Game::new(Rules::GAME));
    suite(30).run(&Game::new(Rules {
        beavers: true,
        ..Rules::MONEY
    }));
    suite(10).run(&Game::new(Rules::match_to(3).expect("a length")));
    suite(4).run(&Game::new(Rules {
        crawford: false,
        ..Rules::match_to(7).expect("a length")
    }));
    suite(10).run(&Game::new(Rules {
        start: Start::Printed,
        ..Rules::GAME
    }));
    suite(10).run(&Game::new(Rules {
        start: Start::PrintedUp,
        ..Rules::GAME
    }));
}
