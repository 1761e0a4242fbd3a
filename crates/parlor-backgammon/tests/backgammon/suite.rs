//! The conformance suite for every kind of backgammon game.

use parlor_backgammon::{Chance, Game, Rules, StartLayout};
use parlor_core::Position;
use parlor_core::testing::Suite;

#[test]
fn every_kind_of_game_passes_the_conformance_suite() {
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
        start: StartLayout::Printed,
        ..Rules::GAME
    }));
    suite(10).run(&Game::new(Rules {
        start: StartLayout::PrintedUp,
        ..Rules::GAME
    }));
}

#[test]
fn positions_and_chances_are_strings_in_json() {
    let mut game = Game::new(Rules::GAME);
    let chance = game.chances()[0].0;
    game.resolve(&chance);
    let json = serde_json::to_string(&(&game, chance)).unwrap();
    assert_eq!(json, format!("[\"{game}\",\"{chance}\"]"));
    let read: (Game, Chance) = serde_json::from_str(&json).unwrap();
    assert_eq!(read, (game, chance));
}
