//! Perft tables, and independent checks of their counts.

use parlor_core::Notation;
use parlor_core::testing::perft_table;
use parlor_tictactoe::ultimate::{Game, Rules};

use super::naive::Naive;

const TABLE: &str = include_str!("ultimate.perft");

#[test]
fn perft_counts_match_the_table() {
    let checked = perft_table(&Game::new(Rules::default()), TABLE, 300_000_000);
    assert_eq!(
        checked,
        TABLE
            .lines()
            .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()))
            .count()
    );
}

/// No perft counts are published for the variations, so squares in arrays count the smaller ones
/// again.
#[test]
fn arrays_of_squares_have_the_same_perft() {
    let mut again = 0;
    let mut start = Game::new(Rules::default());
    for line in TABLE
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if let Some(text) = line.strip_prefix("position ") {
            start = if text == "startpos" {
                start
            } else {
                Game::from_text(text).expect("a position of the table")
            };
            continue;
        }
        let (depth, count) = line.split_once(' ').expect("a line of a perft table");
        let (depth, count): (u32, u64) = (
            depth.parse().expect("a depth"),
            count.parse().expect("a count"),
        );
        if count <= 1_000_000 {
            assert_eq!(
                Naive::from_game(&start).perft(depth),
                count,
                "perft {depth} of {}",
                start.text()
            );
            again += 1;
        }
    }
    assert!(again > 20, "only {again} counts were small enough");
}
