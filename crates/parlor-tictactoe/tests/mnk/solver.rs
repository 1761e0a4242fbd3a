//! Exact values, against published figures.

use std::collections::HashSet;

use parlor_core::{Notation, Position, Turn};
use parlor_tictactoe::mnk::solver::{self, Solver, SolverError, Value};
use parlor_tictactoe::mnk::{Board, Cell, Rules};

fn empty(rows: u8, columns: u8, k: u8) -> Board {
    Board::new(Rules::new(rows, columns, k, &['X', 'O']).expect("rules within the limits"))
}

fn at(text: &str) -> Board {
    Board::from_text(text).expect("a position of the test")
}

#[test]
fn the_classic_game_is_a_draw() {
    assert_eq!(solver::solve(&empty(3, 3, 3)), Ok(Value::Draw));
}

#[test]
fn the_values_of_all_4520_unfinished_classic_positions_are_as_published() {
    let mut solver = Solver::new();
    let (mut first, mut second, mut draws) = (0, 0, 0);
    for board in super::classic::reachable().into_iter().filter(|board| !board.turn().is_over()) {
        let x_to_move = board.stones() % 2 == 0;
        match solver.value(&board).expect("a small board") {
            Value::Draw => draws += 1,
            Value::Win if x_to_move => first += 1,
            Value::Loss if !x_to_move => first += 1,
            _ => second += 1,
        }
    }
    assert_eq!((first, second, draws), (2_310, 1_158, 1_052));
}

#[test]
fn boards_solved_by_others_have_the_published_values() {
    for (rows, columns, k, value) in [
        (3, 4, 3, Value::Win),
        (4, 3, 3, Value::Win),
        (4, 4, 3, Value::Win),
        (4, 4, 4, Value::Draw),
        (5, 4, 4, Value::Draw),
        (1, 1, 1, Value::Win),
        (2, 2, 2, Value::Win),
        (1, 5, 3, Value::Draw),
    ] {
        assert_eq!(solver::solve(&empty(rows, columns, k)), Ok(value), "{rows}x{columns}x{k}");
    }
}

#[test]
fn the_first_player_wins_6x5_with_four_in_a_row() {
    assert_eq!(solver::solve(&empty(6, 5, 4)), Ok(Value::Win));
}

#[test]
fn the_first_player_wins_6x6_with_four_in_a_row() {
    assert_eq!(solver::solve(&empty(6, 6, 4)), Ok(Value::Win));
}

#[test]
fn four_in_a_row_on_5x5_is_a_draw() {
    assert_eq!(solver::solve(&empty(5, 5, 4)), Ok(Value::Draw));
}

#[test]
fn five_in_a_row_on_5x5_is_a_draw() {
    assert_eq!(solver::solve(&empty(5, 5, 5)), Ok(Value::Draw));
}

#[test]
fn a_win_is_taken_at_once_and_a_loss_put_off() {
    let mut solver = Solver::new();
    let board = at("3x3x3 XO XX./OO./...");
    assert_eq!(solver.best_moves(&board), Ok(vec![Cell::new(0, 2)]));
    assert_eq!(solver.plies_to_win(&board), Ok(Some(1)));
    let lost = at("3x3x3 XO X.O/.../X.."); // O must block, and is not lost after all
    assert_eq!(solver.best_moves(&lost), Ok(vec![Cell::new(1, 0)]));
    let fork = at("3x3x3 XO XO./.../...");
    assert_eq!(solver.value(&fork), Ok(Value::Win));
    assert_eq!(solver.plies_to_win(&fork), Ok(Some(5)));
}

#[test]
fn a_finished_game_has_a_value_and_no_best_move() {
    let won = at("3x3x3 XO XXX/OO./...");
    assert_eq!(solver::solve(&won), Ok(Value::Loss));
    assert_eq!(solver::best_moves(&won), Ok(vec![]));
    let full = at("3x3x3 XO XOX/XOO/OXX");
    assert_eq!(solver::solve(&full), Ok(Value::Draw));
    assert_eq!(solver::best_moves(&full), Ok(vec![]));
    let large = at("4x4x4 XO XXXX/OOO./..../....");
    assert_eq!(solver::solve(&large), Ok(Value::Loss));
}

/// The two searches inside are different programs: a board that both can do must come out the same.
#[test]
fn yes_or_no_agrees_with_every_line_played_out() {
    let mut solver = Solver::new();
    let mut known = HashSet::new();
    let mut next = vec![empty(4, 4, 4)];
    for _ in 0..400 {
        let Some(board) = next.pop() else { break };
        let turn = board.turn();
        if !known.insert(board.text()) || !matches!(turn, Turn::Move(_)) {
            continue;
        }
        let value = solver.value(&board).expect("4x4 is within the limits");
        let best = solver.best_moves(&board).expect("4x4 is within the limits");
        let mut children = Vec::new();
        for cell in board.legal_moves() {
            let mut child = board.clone();
            child.play(&cell);
            let reached = solver.value(&child).expect("4x4 is within the limits").reversed();
            assert!(reached <= value, "{} has a better move than its value", board.text());
            assert_eq!(reached == value, best.contains(&cell), "{cell} in {}", board.text());
            children.push(child);
        }
        let at = known.len() * 7 % children.len();
        next.extend(children.drain(..).cycle_from(at));
    }
}

trait CycleFrom: Iterator + Sized {
    fn cycle_from(self, at: usize) -> std::vec::IntoIter<Self::Item> {
        let mut items: Vec<_> = self.collect();
        items.rotate_left(at);
        items.into_iter()
    }
}
impl<I: Iterator> CycleFrom for I {}

#[test]
fn perfect_play_never_loses_whatever_the_other_does() {
    fn explore(board: &Board, perfect: u8, solver: &mut Solver) {
        match board.turn() {
            Turn::Over(outcome) => {
                let winner = outcome.winner().map(|seat| seat.number());
                assert!(winner.is_none() || winner == Some(perfect), "lost: {}", board.text());
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
fn what_is_beyond_the_limits_is_refused_with_the_reason() {
    let large = empty(15, 15, 5);
    assert_eq!(solver::solve(&large), Err(SolverError::TooLarge { rows: 15, columns: 15 }));
    assert_eq!(
        solver::solve(&large).map_err(|e| e.to_string()),
        Err("a 15x15 board is too large to solve: at most 7 rows and columns and 36 cells".to_owned())
    );
    let three = Board::new(Rules::new(3, 3, 3, &['X', 'O', 'A']).expect("rules within the limits"));
    assert_eq!(solver::solve(&three), Err(SolverError::TooManySeats(3)));
    assert_eq!(Solver::with_limit(10).value(&empty(6, 6, 5)), Err(SolverError::TooHard { limit: 10 }));
}
