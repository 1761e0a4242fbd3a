//! Exact values, compared with published results.

use std::collections::{HashMap, HashSet};

use parlor_core::{Notation, Position, Turn};
use parlor_tictactoe::mnk::solver::{self, GameValue, Solver, SolverError};
use parlor_tictactoe::mnk::{Board, Cell, Rules};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

fn empty(rows: u8, columns: u8, k: u8) -> Board {
    Board::new(Rules::new(rows, columns, k, &['X', 'O']).expect("rules within the limits"))
}

fn at(text: &str) -> Board {
    Board::from_text(text).expect("a position of the test")
}

#[test]
fn the_classic_game_is_a_draw() {
    assert_eq!(solver::solve(&empty(3, 3, 3)), Ok(GameValue::Draw));
}

#[test]
fn all_4520_unfinished_classic_positions_have_the_published_values() {
    let mut solver = Solver::new();
    let (mut first, mut second, mut draws) = (0, 0, 0);
    for board in super::classic::reachable()
        .into_iter()
        .filter(|board| !board.turn().is_over())
    {
        let x_to_move = board.stones() % 2 == 0;
        match solver.value(&board).expect("a small board") {
            GameValue::Draw => draws += 1,
            GameValue::Win if x_to_move => first += 1,
            GameValue::Loss if !x_to_move => first += 1,
            _ => second += 1,
        }
    }
    assert_eq!((first, second, draws), (2_310, 1_158, 1_052));
}

#[test]
fn boards_solved_by_others_have_the_published_values() {
    for (rows, columns, k, value) in [
        (3, 4, 3, GameValue::Win),
        (4, 3, 3, GameValue::Win),
        (4, 4, 3, GameValue::Win),
        (4, 4, 4, GameValue::Draw),
        (5, 4, 4, GameValue::Draw),
        (6, 4, 4, GameValue::Draw),
        (5, 5, 4, GameValue::Draw),
        (5, 5, 5, GameValue::Draw),
        (6, 5, 4, GameValue::Win),
        (6, 6, 4, GameValue::Win),
        (1, 1, 1, GameValue::Win),
        (2, 2, 2, GameValue::Win),
        (1, 5, 3, GameValue::Draw),
    ] {
        assert_eq!(
            solver::solve(&empty(rows, columns, k)),
            Ok(value),
            "{rows}x{columns}x{k}"
        );
    }
}

#[test]
fn wins_are_quick_and_losses_slow() {
    let mut solver = Solver::new();
    let board = at("3x3x3 XO XX./OO./...");
    assert_eq!(solver.best_moves(&board), Ok(vec![Cell::new(0, 2)]));
    assert_eq!(solver.plies_to_win(&board), Ok(Some(1)));
    let lost = at("3x3x3 XO X.O/.../X.."); // O must block, and is not lost after all
    assert_eq!(solver.best_moves(&lost), Ok(vec![Cell::new(1, 0)]));
    let fork = at("3x3x3 XO XO./.../...");
    assert_eq!(solver.value(&fork), Ok(GameValue::Win));
    assert_eq!(solver.plies_to_win(&fork), Ok(Some(5)));
}

#[test]
fn a_finished_game_has_a_value_and_no_best_move() {
    let won = at("3x3x3 XO XXX/OO./...");
    assert_eq!(solver::solve(&won), Ok(GameValue::Loss));
    assert_eq!(solver::best_moves(&won), Ok(vec![]));
    let full = at("3x3x3 XO XOX/XOO/OXX");
    assert_eq!(solver::solve(&full), Ok(GameValue::Draw));
    assert_eq!(solver::best_moves(&full), Ok(vec![]));
    let large = at("4x4x4 XO XXXX/OOO./..../....");
    assert_eq!(solver::solve(&large), Ok(GameValue::Loss));
}

/// Computes the value by plain minimax; `known` caches values by text.
fn by_definition(board: &Board, known: &mut HashMap<String, GameValue>) -> GameValue {
    if let Some(outcome) = board.turn().outcome() {
        return if outcome.winner().is_some() {
            GameValue::Loss
        } else {
            GameValue::Draw
        };
    }
    let text = board.text();
    if let Some(&value) = known.get(&text) {
        return value;
    }
    let child = |cell: &Cell| {
        let mut child = board.clone();
        child.play(cell);
        child
    };
    let values = board
        .legal_moves()
        .iter()
        .map(|cell| by_definition(&child(cell), known).reversed())
        .max();
    let value = values.expect("a seat to move has a move");
    known.insert(text, value);
    value
}

#[test]
fn values_and_best_moves_on_larger_boards_match_plain_minimax() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut values = HashSet::new();
    for (rows, columns, k) in [
        (4, 4, 3),
        (4, 4, 4),
        (5, 4, 4),
        (3, 6, 3),
        (2, 7, 3),
        (4, 5, 3),
    ] {
        let mut solver = Solver::new();
        let mut known = HashMap::new();
        for _ in 0..12 {
            let mut board = empty(rows, columns, k);
            while u16::from(rows) * u16::from(columns) - board.stones() > 8
                && !board.turn().is_over()
            {
                let cell = board
                    .random_move(&mut rng, &mut Vec::new())
                    .expect("a seat is to move");
                board.play(&cell);
            }
            let value = by_definition(&board, &mut known);
            values.insert(value);
            assert_eq!(solver.value(&board), Ok(value), "{}", board.text());
            let mut keep = board.legal_moves();
            keep.retain(|cell| {
                let mut child = board.clone();
                child.play(cell);
                by_definition(&child, &mut known).reversed() == value
            });
            assert_eq!(solver.best_moves(&board), Ok(keep), "{}", board.text());
        }
    }
    assert_eq!(
        values.len(),
        3,
        "wins, draws and losses should all have come up"
    );
}

#[test]
fn perfect_play_never_loses() {
    fn explore(board: &Board, perfect: u8, solver: &mut Solver) {
        match board.turn() {
            Turn::Over(outcome) => {
                let winner = outcome.winner().map(|seat| seat.number());
                assert!(
                    winner.is_none() || winner == Some(perfect),
                    "lost: {}",
                    board.text()
                );
            }
            Turn::Chance => unreachable!("no luck in this game"),
            Turn::Move(seat) => {
                let moves = match seat.number() == perfect {
                    true => solver.best_moves(board).expect("a small board"),
                    false => board.legal_moves(),
                };
                for cell in moves {
                    let mut child = board.clone();
                    child.play(&cell);
                    explore(&child, perfect, solver);
                }
            }
        }
    }
    let mut solver = Solver::new();
    explore(&empty(3, 3, 3), 0, &mut solver);
    explore(&empty(3, 3, 3), 1, &mut solver);
}

#[test]
fn boards_beyond_the_limits_are_refused_with_the_reason() {
    let large = empty(15, 15, 5);
    assert_eq!(
        solver::solve(&large),
        Err(SolverError::TooLarge {
            rows: 15,
            columns: 15
        })
    );
    assert_eq!(
        solver::solve(&large).map_err(|e| e.to_string()),
        Err(
            "a 15x15 board is too large to solve: at most 7 rows and columns and 36 cells"
                .to_owned()
        )
    );
    let three = Board::new(Rules::new(3, 3, 3, &['X', 'O', 'A']).expect("rules within the limits"));
    assert_eq!(solver::solve(&three), Err(SolverError::TooManySeats(3)));
    assert_eq!(
        Solver::with_limit(10).value(&empty(6, 6, 5)),
        Err(SolverError::TooHard { limit: 10 })
    );
}
