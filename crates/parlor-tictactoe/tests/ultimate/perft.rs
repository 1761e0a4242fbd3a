//! The tables of leaf counts.

use parlor_core::testing::perft_table;
use parlor_tictactoe::ultimate::{Game, Rules};

const TABLE: &str = include_str!("ultimate.perft");

#[test]
fn the_table_of_leaf_counts_holds() {
    let checked = perft_table(&Game::new(Rules::default()), TABLE, 300_000_000);
    assert_eq!(checked, TABLE.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).count());
}
