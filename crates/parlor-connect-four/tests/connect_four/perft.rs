//! Perft: published counts for 7x6, and counts verified twice for other boards.

use parlor_connect_four::{Board, Rules, Stacks};
use parlor_core::testing::perft_table;
use parlor_core::{Notation, perft};

use super::naive::Naive;

const TABLE: &str = include_str!("connect_four.perft");

/// Maximum count that is checked in every test run.
const LIMIT: u64 = 50_000_000;

#[test]
fn the_table_of_leaf_counts_holds() {
    let counts = TABLE
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    let checked = perft_table(&Board::new(Rules::STANDARD), TABLE, LIMIT);
    assert_eq!(checked, counts.count());
}

#[test]
fn the_bitboards_count_alike_in_words_of_every_size() {
    let rules = Rules::STANDARD;
    let wide = Stacks::<parlor_connect_four::Bits192>::new(rules).expect("49 bits fit");
    assert_eq!(
        perft(&Stacks::<u64>::new(rules).expect("49 bits fit"), 7),
        823_536
    );
    assert_eq!(
        perft(&Stacks::<u128>::new(rules).expect("49 bits fit"), 7),
        823_536
    );
    assert_eq!(perft(&wide, 7), 823_536);
}

#[test]
fn a_program_without_bitboards_counts_the_same() {
    let mut start = Board::new(Rules::STANDARD);
    let mut again = 0;
    let facts = TABLE.lines().map(str::trim);
    for line in facts.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(text) = line.strip_prefix("position ") {
            start = match text {
                "startpos" => Board::new(Rules::STANDARD),
                text => super::position(text),
            };
            continue;
        }
        let (depth, count) = line.split_once(' ').expect("a line of a perft table");
        let depth: u32 = depth.parse().expect("a depth");
        let count: u64 = count.parse().expect("a count");
        if count <= 120_000 {
            let naive = Naive::from_board(&start);
            assert_eq!(
                naive.perft(depth),
                count,
                "perft {depth} of {}",
                start.text()
            );
            again += 1;
        }
    }
    assert!(again > 40, "only {again} counts were small enough");
}
