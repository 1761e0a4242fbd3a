//! Random rules, random play: the bitboards compared with a plain vector of cells.

use parlor_core::{Notation, Outcome, Position, Seat, Turn};
use parlor_tictactoe::mnk::{Board, Cell, MAX_SIDE, Rules};
use proptest::prelude::*;
use proptest::test_runner::{Config, FileFailurePersistence};

/// A board that stores nothing but its cells.
#[derive(Clone)]
pub struct Naive {
    rules: Rules,
    cells: Vec<Option<u8>>,
}

impl Naive {
    pub fn new(rules: Rules) -> Naive {
        Naive {
            rules,
            cells: vec![None; usize::from(rules.rows()) * usize::from(rules.columns())],
        }
    }

    /// Copies the stones of a board.
    pub fn from_board(board: &Board) -> Naive {
        let cells = board
            .cells()
            .map(|cell| board.at(cell).map(Seat::number))
            .collect();
        Naive {
            rules: *board.rules(),
            cells,
        }
    }

    fn stones(&self) -> usize {
        self.cells.iter().flatten().count()
    }

    fn mover(&self) -> u8 {
        (self.stones() % usize::from(self.rules.seats())) as u8
    }

    fn put(&mut self, index: usize) {
        self.cells[index] = Some(self.mover());
    }

    fn winner(&self) -> Option<u8> {
        let (rows, columns) = (
            i32::from(self.rules.rows()),
            i32::from(self.rules.columns()),
        );
        let owner = |row: i32, column: i32| {
            let on = (0..rows).contains(&row) && (0..columns).contains(&column);
            if on {
                self.cells[(row * columns + column) as usize]
            } else {
                None
            }
        };
        for at in 0..rows * columns {
            let (row, column) = (at / columns, at % columns);
            let Some(seat) = owner(row, column) else {
                continue;
            };
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                if (0..i32::from(self.rules.k()))
                    .all(|i| owner(row + i * down, column + i * right) == Some(seat))
                {
                    return Some(seat);
                }
            }
        }
        None
    }

    fn turn(&self) -> Turn {
        match self.winner() {
            Some(seat) => Turn::Over(Outcome::won(Seat::new(seat).expect("a seat of the game"))),
            None if self.stones() == self.cells.len() => Turn::Over(Outcome::Draw),
            None => Turn::Move(Seat::new(self.mover()).expect("a seat of the game")),
        }
    }

    /// Counts the leaves of the game tree by full inspection of every position.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.turn().is_over() {
            return 0;
        }
        let empty = (0..self.cells.len()).filter(|&index| self.cells[index].is_none());
        empty
            .map(|index| {
                let mut child = self.clone();
                child.put(index);
                child.perft(depth - 1)
            })
            .sum()
    }
}

fn any_rules() -> impl Strategy<Value = Rules> {
    let side = prop_oneof![3 => 1..=8u8, 1 => 1..=MAX_SIDE];
    (side.clone(), side, 2..=8usize).prop_flat_map(|(rows, columns, seats)| {
        let longest = rows.max(columns).min(6);
        let symbols = Rules::default_symbols(seats).expect("a number within the limits");
        (1..=longest).prop_map(move |k| {
            Rules::new(rows, columns, k, symbols).expect("rules within the limits")
        })
    })
}

fn config() -> Config {
    Config {
        cases: 300,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..Config::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn turns_and_wins_match_a_plain_board(rules in any_rules(), picks in prop::collection::vec(any::<prop::sample::Index>(), 0..120)) {
        let (mut board, mut naive) = (Board::new(rules), Naive::new(rules));
        for pick in picks {
            prop_assert_eq!(board.turn(), naive.turn(), "{}", board.text());
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let cell = moves[pick.index(moves.len())];
            board.play(&cell);
            naive.put(cell.index(rules.columns()));
        }
        prop_assert_eq!(board.turn(), naive.turn(), "{}", board.text());
        let winners = board.winning_cells();
        prop_assert_eq!(winners.is_empty(), naive.winner().is_none());
        prop_assert!(winners.iter().all(|cell| naive.cells[cell.index(rules.columns())] == naive.winner()));
        prop_assert_eq!(Board::from_text(&board.text()), Ok(board));
    }

    #[test]
    fn check_accepts_exactly_the_generated_moves(rules in any_rules(), picks in prop::collection::vec(any::<prop::sample::Index>(), 0..60)) {
        let mut board = Board::new(rules);
        for pick in picks {
            let moves = board.legal_moves();
            if !moves.is_empty() {
                board.play(&moves[pick.index(moves.len())]);
            }
        }
        let moves = board.legal_moves();
        for row in 0..=rules.rows() {
            for column in (0..=rules.columns()).chain([u8::MAX]) {
                let cell = Cell::new(row, column);
                prop_assert_eq!(board.check(&cell).is_ok(), moves.contains(&cell), "{} in {}", cell, board.text());
            }
        }
    }

    #[test]
    fn a_setup_is_accepted_exactly_when_play_can_reach_it(cells in prop::collection::vec(prop_oneof![Just(None), Just(Some('X')), Just(Some('O'))], 9)) {
        let reachable = REACHABLE.with(|all| all.contains(&cells));
        let setup = parlor_tictactoe::mnk::Setup::from_cells(Rules::classic(), cells);
        prop_assert_eq!(setup.validate().is_ok(), reachable);
    }

    #[test]
    fn no_text_makes_the_parsers_panic(text in "\\PC{0,40}", rows in "[X.O/]{0,14}") {
        let board = Board::new(Rules::classic());
        let _ = board.parse_move(&text);
        let _ = Board::from_text(&text);
        let _ = Board::from_text(&format!("3x3x3 XO {rows}"));
    }
}

thread_local! {
    static REACHABLE: std::collections::BTreeSet<Vec<Option<char>>> = super::classic::reachable()
        .iter()
        .map(|board| board.cells().map(|cell| board.symbol_at(cell)).collect())
        .collect();
}
