//! The conformance suite from several starting positions, under all rules.

use parlor_core::testing::Suite;
use parlor_core::{Notation, Position};
use parlor_tictactoe::ultimate::{Game, Rules};

fn run(games: u32, start: &Game) {
    Suite {
        games,
        max_plies: 81,
        ..Suite::default()
    }
    .run(start);
}

#[test]
fn the_empty_board_conforms_under_all_rules() {
    for rules in Rules::ALL {
        run(60, &Game::new(rules));
    }
}

#[test]
fn positions_on_the_way_conform() {
    for rules in Rules::ALL {
        let mut game = Game::new(rules);
        for text in [
            "44", "40", "04", "42", "24", "46", "64", "48", "84", "41", "14",
        ] {
            game.play(&game.parse_move(text).expect("a move"));
            run(10, &game);
        }
    }
}
