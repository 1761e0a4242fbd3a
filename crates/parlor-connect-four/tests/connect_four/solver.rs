//! The solver compared with plain enumeration, published values and its own results.

use std::collections::BTreeMap;

use parlor_connect_four::solver::{ExactSolver, ProvenValue, Unsolved};
use parlor_connect_four::{Board, Rules};
use parlor_core::{Notation, Position, Turn};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use super::naive::Naive;
use super::{board, position, standard};

const NEVER: fn(u64) -> bool = |_| false;

fn score(solver: &mut ExactSolver, board: &Board) -> i32 {
    solver.score(board, &mut { NEVER }).expect("a small board")
}

/// Exhaustive search without pruning.
#[derive(Default)]
struct Enumeration {
    known: BTreeMap<Vec<Vec<u8>>, i32>,
}

impl Enumeration {
    /// Returns the score for the seat to move, as the solver defines it.
    fn score(&mut self, game: &Naive) -> i32 {
        let slots = usize::from(game.rules.slots());
        let left = (slots - game.discs()) as i32;
        match game.turn() {
            Turn::Over(outcome) if outcome.winner().is_some() => return -(left / 2 + 1),
            Turn::Over(_) => return 0,
            Turn::Move(_) | Turn::Chance => {}
        }
        if let Some(&score) = self.known.get(&game.columns) {
            return score;
        }
        let children = game.open().into_iter().map(|column| {
            let mut child = game.clone();
            child.drop_disc(column);
            -self.score(&child)
        });
        let best = children.max().expect("a move of a game that goes on");
        self.known.insert(game.columns.clone(), best);
        best
    }
}

/// Returns a position with `left` empty slots after random play; `None` if the game ends first.
fn random_position(start: Board, left: u8, rng: &mut Xoshiro256PlusPlus) -> Option<Board> {
    let mut game = start;
    while game.rules().slots() - game.plies() > left {
        let m = game.random_move(rng, &mut Vec::new())?;
        game.play(&m);
    }
    (!game.turn().is_over()).then_some(game)
}

#[test]
fn scores_and_moves_agree_with_an_enumeration_of_all_continuations() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    let mut checked = 0;
    for (columns, rows, k, left) in [
        (4, 4, 3, 16),
        (4, 4, 4, 12),
        (5, 4, 3, 12),
        (4, 5, 4, 11),
        (5, 5, 4, 11),
        (6, 4, 4, 11),
        (7, 6, 4, 11),
        (8, 7, 5, 10),
        (12, 4, 4, 9),
        (4, 12, 5, 10),
    ] {
        let start = board(columns, rows, k);
        let (mut solver, mut all) = (ExactSolver::new(), Enumeration::default());
        for _ in 0..60 {
            let Some(game) = random_position(start, left, &mut rng) else {
                continue;
            };
            let expected = all.score(&Naive::from_board(&game));
            assert_eq!(score(&mut solver, &game), expected, "{}", game.text());
            let value = ProvenValue::from_score(expected);
            assert_eq!(
                solver.value(&game, &mut { NEVER }),
                Ok(value),
                "{}",
                game.text()
            );
            let after = |m| {
                let mut after = game;
                after.play(&m);
                Naive::from_board(&after)
            };
            let good = solver
                .good_move(&game, &mut { NEVER })
                .expect("a small board");
            let (m, found) = good.expect("the game goes on");
            assert_eq!(found, value, "{}", game.text());
            let kept = ProvenValue::from_score(-all.score(&after(m)));
            assert_eq!(kept, value, "{m} in {}", game.text());
            let best = solver
                .best_move(&game, &mut { NEVER })
                .expect("a small board");
            let (m, found) = best.expect("the game goes on");
            assert_eq!(
                (found, -all.score(&after(m))),
                (expected, expected),
                "{}",
                game.text()
            );
            checked += 1;
        }
    }
    assert!(checked > 300, "{checked} positions");
}

#[test]
fn a_finished_game_has_the_score_of_its_loser() {
    let mut solver = ExactSolver::new();
    let quick = standard("1212121");
    assert_eq!(score(&mut solver, &quick), -18);
    assert_eq!(solver.value(&quick, &mut { NEVER }), Ok(ProvenValue::Loss));
    assert_eq!(solver.best_move(&quick, &mut { NEVER }), Ok(None));
    assert_eq!(solver.good_move(&quick, &mut { NEVER }), Ok(None));
    let drawn = position("4x4x4 RYRY/RYYR/YRRY/RRYY");
    assert_eq!(score(&mut solver, &drawn), 0);
    assert_eq!(
        score(&mut solver, &standard("121212")),
        18,
        "three in a column, and on turn"
    );
}

/// Uses positions of Pascal Pons's test sets with their published scores.
#[test]
fn published_scores_of_late_positions_hold() {
    let mut solver = ExactSolver::new();
    for (moves, expected) in [
        ("2252576253462244111563365343671351441", -1),
        ("7422341735647741166133573473242566", 1),
        ("23163416124767223154467471272416755633", 0),
        ("65214673556155731566316327373221417", -1),
    ] {
        assert_eq!(score(&mut solver, &standard(moves)), expected, "{moves}");
    }
}

/// The values were confirmed by a search of a few lines without any of the solver's optimizations.
#[test]
fn small_boards_are_drawn_and_six_by_four_is_lost() {
    for (columns, rows, expected) in [
        (4, 4, ProvenValue::Draw),
        (4, 5, ProvenValue::Draw),
        (5, 4, ProvenValue::Draw),
        (4, 6, ProvenValue::Draw),
        (6, 4, ProvenValue::Loss),
        (5, 5, ProvenValue::Draw),
    ] {
        let value = ExactSolver::new().value(&board(columns, rows, 4), &mut { NEVER });
        assert_eq!(value, Ok(expected), "{columns}x{rows}");
    }
}

#[test]
fn a_position_and_its_mirror_image_have_one_score() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    for left in [24, 26, 28] {
        let found = (0..20).find_map(|_| random_position(standard(""), left, &mut rng));
        let game = found.expect("a game that goes on");
        let scores = [game, game.mirrored()].map(|game| score(&mut ExactSolver::new(), &game));
        assert_eq!(scores[0], scores[1], "{}", game.text());
    }
}

#[test]
fn answers_do_not_depend_on_earlier_questions() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(10);
    let mut experienced = ExactSolver::new();
    for _ in 0..40 {
        let Some(game) = random_position(standard(""), 22, &mut rng) else {
            continue;
        };
        let fresh = score(&mut ExactSolver::new(), &game);
        let _ = experienced.value(&game, &mut { NEVER });
        assert_eq!(score(&mut experienced, &game), fresh, "{}", game.text());
        let small = random_position(board(4, 4, 4), 8, &mut rng);
        if let Some(small) = small {
            let fresh = score(&mut ExactSolver::new(), &small);
            assert_eq!(
                score(&mut experienced, &small),
                fresh,
                "after another board"
            );
        }
    }
}

#[test]
fn a_board_of_more_than_64_bits_is_too_large() {
    assert!(ExactSolver::accepts(Rules::STANDARD));
    assert!(!ExactSolver::accepts(board(8, 8, 4).rules()));
    let refused = ExactSolver::new().value(&board(8, 8, 4), &mut { NEVER });
    let size = Unsolved::TooLarge {
        columns: 8,
        rows: 8,
    };
    assert_eq!(refused, Err(size));
}

#[test]
fn a_search_that_is_told_to_stop_says_so_and_does_no_harm() {
    let game = standard("44444");
    let mut solver = ExactSolver::new();
    let mut asked = 0;
    let stopped = solver.value(&game, &mut |visited| {
        asked += 1;
        visited > 20_000
    });
    assert_eq!(stopped, Err(Unsolved::Stopped));
    assert!(asked > 1 && solver.visited() > 20_000);
    let late = standard("2252576253462244111563365343");
    let fresh = score(&mut ExactSolver::new(), &late);
    assert_eq!(score(&mut solver, &late), fresh);
}
