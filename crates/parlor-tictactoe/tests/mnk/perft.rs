//! Perft tables, and independent checks of their counts.

use parlor_core::testing::perft_table;
use parlor_core::{Notation, perft};
use parlor_tictactoe::mnk::{Board, Rules, Three};

use super::properties::Naive;

const TABLE: &str = include_str!("mnk.perft");

#[test]
fn perft_counts_match_the_table() {
    let checked = perft_table(&Board::new(Rules::classic()), TABLE, 300_000_000);
    assert_eq!(
        checked,
        TABLE
            .lines()
            .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()))
            .count()
    );
}

#[test]
fn perft_of_the_fast_path_matches_the_table() {
    let counts = [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872];
    assert_eq!(
        (1..=9)
            .map(|depth| perft(&Three::new(), depth))
            .collect::<Vec<_>>(),
        counts
    );
}

/// No perft counts are published for boards other than 3x3, so a program that shares nothing with
/// this one counts the smaller ones again.
#[test]
fn a_plain_board_has_the_same_perft() {
    let mut again = 0;
    let mut start = Board::new(Rules::classic());
    for line in TABLE
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if let Some(text) = line.strip_prefix("position ") {
            start = if text == "startpos" {
                start
            } else {
                Board::from_text(text).expect("a position of the table")
            };
            continue;
        }
        let (depth, count) = line.split_once(' ').expect("a line of a perft table");
        let (depth, count): (u32, u64) = (
            depth.parse().expect("a depth"),
            count.parse().expect("a count"),
        );
        if count <= 60_000 {
            assert_eq!(
                Naive::from_board(&start).perft(depth),
                count,
                "perft {depth} of {}",
                start.text()
            );
            again += 1;
        }
    }
    assert!(again > 20, "only {again} counts were small enough");
}
