//! The notation documented in docs/pandemic.md is accepted by the program.

use parlor_core::{Notation, Position};
use parlor_pandemic::Game;

const PAPER: &str = include_str!("../../../../docs/pandemic.md");

/// Returns the texts between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Returns the first cells of the table under a heading.
fn first_cells(heading: &str) -> Vec<&'static str> {
    let section = PAPER.split_once(heading).expect("the heading").1;
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.filter_map(|row| row.split('|').nth(1)).collect()
}

fn documented_position() -> Game {
    let line = PAPER
        .lines()
        .find(|line| line.starts_with("2p4e "))
        .expect("a position");
    Game::from_text(line).expect("the documented position is one")
}

#[test]
fn the_documented_position_is_read() {
    assert!(!documented_position().legal_moves().is_empty());
}

#[test]
fn every_documented_move_round_trips() {
    let text = documented_position()
        .text()
        .replace("roles=Medic,Scientist", "roles=Dispatcher,Medic");
    let game = Game::from_text(&text).expect("two other roles");
    let moves: Vec<&str> = first_cells("\n## Moves\n")
        .into_iter()
        .flat_map(quoted)
        .collect();
    assert!(moves.len() > 25, "{moves:?}");
    for text in moves {
        assert_eq!(
            game.parse_move(text).map(|m| game.move_text(&m)).as_deref(),
            Ok(text)
        );
    }
}
