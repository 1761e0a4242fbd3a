//! A recorded game from the first disc to the last.

use parlor_core::{Notation, Position};

use super::{position, standard};

const GAME: &str = include_str!("game.txt");

#[test]
fn the_game_is_played_as_it_was_written_down() {
    let mut game = standard("");
    for line in GAME.lines().filter(|line| !line.starts_with('#')) {
        let (m, text) = line
            .split_once(' ')
            .expect("a move and the position after it");
        let m = game.parse_move(m).expect("a column");
        game.play(&m);
        assert_eq!(game.text(), text);
        assert_eq!(position(text), game);
    }
    assert_eq!(game.plies(), 41);
    assert_eq!(game.winning_slots().len(), 4);
}
