//! The search for boards that cannot be solved.

use parlor_connect_four::heuristic::HeuristicSearch;
use parlor_connect_four::solver::ExactSolver;
use parlor_connect_four::{Board, Rules};
use parlor_core::{Notation, Position};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use super::{board, position, standard};

/// Number of positions that takes a fraction of a second.
const SOME: u64 = 30_000;

#[test]
fn a_win_in_one_is_taken_and_a_loss_in_one_is_stopped() {
    for (columns, rows) in [(7, 6), (8, 8), (9, 7), (12, 12)] {
        let rules = Rules::new(columns, rows, 4).expect("rules within the limits");
        let mut search = HeuristicSearch::new();
        let win = Board::from_moves(rules, "1,2,1,2,1,2").expect("a game");
        let found = search
            .choose(&win, 1, &mut |_| false)
            .expect("the game goes on");
        assert_eq!(
            (found.mv.to_string(), found.payoff, found.proven),
            ("1".into(), 1.0, true)
        );
        let block = Board::from_moves(rules, "1,2,1,2,1").expect("a game");
        let found = search
            .choose(&block, 4, &mut |n| n > SOME)
            .expect("the game goes on");
        assert_eq!(found.mv.to_string(), "1");
    }
}

#[test]
fn an_open_three_is_seen_coming() {
    // Two in the bottom row with space on both sides: red makes three that cannot be stopped.
    let mut game = board(9, 8, 4);
    for text in ["5", "5", "6"] {
        let m = game.parse_move(text).expect("a column");
        game.play(&m);
    }
    let found = HeuristicSearch::new()
        .choose(&game, 8, &mut |_| false)
        .expect("the game goes on");
    let stops = ["3", "4", "7", "8"];
    assert!(stops.contains(&found.mv.to_string().as_str()), "{found:?}");
}

#[test]
fn what_it_calls_proven_is_what_the_solver_says() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let (mut search, mut solver) = (HeuristicSearch::new(), ExactSolver::new());
    let (mut wins, mut losses) = (0, 0);
    for game in 0..300 {
        let mut board = standard("");
        for _ in 0..22 + game % 14 {
            if let Some(m) = board.random_move(&mut rng, &mut Vec::new()) {
                board.play(&m);
            }
        }
        let Some(found) = search.choose(&board, 64, &mut |n| n > SOME) else {
            continue;
        };
        if found.proven {
            let value = solver.value(&board, &mut |_| false).expect("a small board");
            assert_eq!(found.payoff, f64::from(value.payoff()), "{}", board.text());
            board.play(&found.mv);
            let after = solver.value(&board, &mut |_| false).expect("a small board");
            assert_eq!(after.reversed(), value, "{}", board.text());
            wins += u32::from(value.payoff() > 0);
            losses += u32::from(value.payoff() < 0);
        }
    }
    assert!(wins > 20 && losses > 10, "{wins} wins and {losses} losses");
}

#[test]
fn a_search_is_a_function_of_the_position_and_the_limit() {
    let game = position("8x8x4 4,5,4,5");
    let once = HeuristicSearch::new().choose(&game, 20, &mut |n| n > SOME);
    let mut search = HeuristicSearch::new();
    assert_eq!(search.choose(&game, 20, &mut |n| n > SOME), once);
    search.choose(&standard("4"), 20, &mut |n| n > SOME);
    assert_eq!(
        search.choose(&game, 20, &mut |n| n > SOME),
        once,
        "after another board"
    );
}

#[test]
fn without_any_time_there_is_still_a_sensible_move() {
    let mut search = HeuristicSearch::new();
    for (moves, expected) in [("121212", "1"), ("12121", "1"), ("", "4")] {
        let game = standard(moves);
        let found = search
            .choose(&game, 64, &mut |_| true)
            .expect("the game goes on");
        assert_eq!(found.mv.to_string(), expected, "{moves}");
        assert!(game.check(&found.mv).is_ok());
    }
    assert_eq!(search.choose(&standard("1212121"), 4, &mut |_| false), None);
}

#[test]
fn looking_further_ahead_wins_more_games() {
    // Every pair of first moves, with both colors.
    let mut points = [0, 0];
    for opening in 0..64 {
        for swapped in [0, 1] {
            let mut game = board(8, 8, 4);
            for column in [opening % 8, opening / 8] {
                game.play(&parlor_connect_four::Move::new(column));
            }
            let mut search = [
                HeuristicSearch::with_table(12),
                HeuristicSearch::with_table(12),
            ];
            while !game.turn().is_over() {
                let side = (usize::from(game.plies()) + swapped) % 2;
                let depth = [2, 6][side];
                let found = search[side].choose(&game, depth, &mut |_| false);
                game.play(&found.expect("the game goes on").mv);
            }
            let won = game.turn().outcome().and_then(|outcome| outcome.winner());
            if let Some(winner) = won {
                points[(winner.index() + swapped) % 2] += 1;
            }
        }
    }
    assert!(
        points[1] > 2 * points[0],
        "two plies {} : six plies {}",
        points[0],
        points[1]
    );
}
