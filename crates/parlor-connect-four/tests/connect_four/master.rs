//! The strongest player never gives away the value of a position.

use parlor_connect_four::book::{BookLevel, OpeningBook};
use parlor_connect_four::heuristic::ChosenMove;
use parlor_connect_four::master::Master;
use parlor_connect_four::solver::ExactSolver;
use parlor_connect_four::{Board, Move};
use parlor_core::{Notation, Outcome, Position, Seat, Turn};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use super::{board, standard};

/// Number of positions that one move may visit; level 5 gets slightly more.
const LIMIT: u64 = 3_000_000;

fn choose(master: &mut Master, board: &Board) -> ChosenMove {
    let chosen = master.choose(board, &mut |visited| visited >= LIMIT);
    chosen.expect("the game goes on")
}

/// Way of playing against the master.
#[derive(Clone, Copy, Debug)]
enum Opponent {
    /// Plays at random.
    Random,
    /// Loses as late as possible.
    Stubborn,
    /// Completes and blocks lines, else plays at random.
    Alert,
}

impl Opponent {
    fn choose(self, board: &Board, solver: &mut ExactSolver, rng: &mut Xoshiro256PlusPlus) -> Move {
        let any = board
            .random_move(rng, &mut Vec::new())
            .expect("the game goes on");
        match self {
            Opponent::Random => any,
            Opponent::Alert => board
                .winning_move()
                .or(board.blocking_move())
                .unwrap_or(any),
            Opponent::Stubborn => {
                let best = solver
                    .best_move(board, &mut |_| false)
                    .expect("a small board");
                best.expect("the game goes on").0
            }
        }
    }
}

/// Plays a game to its end and checks that no move of the master reduces the value of the position.
fn play_out(start: Board, seat: Seat, opponent: Opponent, rng: &mut Xoshiro256PlusPlus) -> Outcome {
    let (mut master, mut solver, mut game) = (Master::new(), ExactSolver::new(), start);
    loop {
        match game.turn() {
            Turn::Over(outcome) => return outcome,
            Turn::Move(mover) if mover == seat => {
                let before = game;
                let chosen = choose(&mut master, &game);
                game.play(&chosen.mv);
                if before.plies() >= 12 {
                    let mut value = |game| solver.value(game, &mut |_| false).expect("small");
                    let kept = value(&game).reversed();
                    assert_eq!(kept, value(&before), "{} in {}", chosen.mv, before.text());
                }
            }
            Turn::Move(_) | Turn::Chance => game.play(&opponent.choose(&game, &mut solver, rng)),
        }
    }
}

/// Returns all positions possible after the first seat has played the whole book.
fn behind_the_book() -> Vec<Board> {
    let mut level = BookLevel::first(Seat::FIRST);
    loop {
        let find = |board: &Board| Some(OpeningBook::standard().find(board)?.0);
        let moves: Option<Vec<Move>> = level.positions().iter().map(find).collect();
        let Some(moves) = moves else {
            return level.positions().to_vec();
        };
        level = level.next(&moves).expect("the moves of the book are legal");
    }
}

/// The first seat has a won position at the end of the book, whatever the replies, and from a
/// sample of these positions it wins against random and stubborn play.
#[test]
fn the_first_seat_never_leaves_the_won_path() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(42);
    let ends = behind_the_book();
    assert!(ends.len() > 40_000 && ends.iter().all(|board| board.plies() == 16));
    let opponents = [Opponent::Random, Opponent::Stubborn, Opponent::Alert];
    let mut games = 0;
    for (start, opponent) in ends.iter().step_by(173).zip(opponents.iter().cycle()) {
        let outcome = play_out(*start, Seat::FIRST, *opponent, &mut rng);
        assert_eq!(
            outcome,
            Outcome::won(Seat::FIRST),
            "{opponent:?} from {}",
            start.text()
        );
        games += 1;
    }
    assert!(games > 250, "{games} games");
}

#[test]
fn the_first_seat_wins_whole_games() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(43);
    for game in 0..60 {
        let opponent = [Opponent::Random, Opponent::Alert][game % 2];
        let outcome = play_out(standard(""), Seat::FIRST, opponent, &mut rng);
        assert_eq!(outcome, Outcome::won(Seat::FIRST), "game {game}");
    }
}

/// The second seat exploits the first seat's mistakes, whenever they occur.
#[test]
fn the_second_seat_keeps_every_win_and_draw_it_is_given() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(44);
    for column in 1..=7 {
        for opponent in [Opponent::Random, Opponent::Alert, Opponent::Alert] {
            let start = standard(&format!("{column}"));
            let value = OpeningBook::standard()
                .find(&start)
                .expect("a first move")
                .1;
            let outcome = play_out(start, Seat::SECOND, opponent, &mut rng);
            let payoff = outcome.payoff(Seat::SECOND, 2);
            assert!(
                payoff >= i32::from(value.payoff()),
                "{opponent:?} after {column}"
            );
        }
    }
}

/// Uses positions outside the book with the usual number of discs. Any value that can be proven in
/// time is kept.
#[test]
fn any_position_that_can_be_proven_is_kept() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(45);
    let mut values = [0; 3];
    for game in 0..60 {
        let mut start = standard("");
        while start.plies() < 14 + game % 4 && !start.turn().is_over() {
            start.play(
                &start
                    .random_move(&mut rng, &mut Vec::new())
                    .expect("a move"),
            );
        }
        let Turn::Move(seat) = start.turn() else {
            continue;
        };
        let value = ExactSolver::new()
            .value(&start, &mut |_| false)
            .expect("a small board");
        let outcome = play_out(start, seat, Opponent::Alert, &mut rng);
        assert!(
            outcome.payoff(seat, 2) >= i32::from(value.payoff()),
            "{}",
            start.text()
        );
        values[(value.payoff() + 1) as usize] += 1;
    }
    assert!(values[0] > 5 && values[2] > 5, "{values:?}");
}

#[test]
fn a_win_is_taken_at_once_and_a_loss_put_off() {
    let mut master = Master::new();
    let mut never = |_| false;
    for (moves, expected) in [("121212", "1"), ("334455", "26"), ("445566", "37")] {
        let chosen = master.choose(&standard(moves), &mut never);
        let chosen = chosen.expect("the game goes on");
        assert!(
            chosen.proven && expected.contains(&chosen.mv.to_string()),
            "{moves}: {chosen:?}"
        );
    }
    let lost = standard("2252576253462244111563365343671351441");
    let chosen = master.choose(&lost, &mut never).expect("the game goes on");
    assert_eq!((chosen.payoff, chosen.proven), (-1.0, true));
    let mut solver = ExactSolver::new();
    let mut after = lost;
    after.play(&chosen.mv);
    assert_eq!(
        solver.score(&after, &mut never),
        Ok(1),
        "the last disc wins, not an earlier one"
    );
}

#[test]
fn boards_that_are_not_solved_are_played_too() {
    for (columns, rows, k) in [(8, 8, 4), (9, 7, 5), (12, 12, 5), (8, 7, 4)] {
        let mut game = board(columns, rows, k);
        let mut master = Master::new();
        for _ in 0..12 {
            let mut stop = |visited| visited >= 3_000;
            let Some(chosen) = master.choose(&game, &mut stop) else {
                break;
            };
            assert!(chosen.visited < 10_000, "{}", chosen.visited);
            game.play(&chosen.mv);
        }
        assert_eq!(game.plies(), 12);
    }
}

#[test]
fn the_same_limits_give_the_same_moves() {
    let game = standard("172635");
    let once = choose(&mut Master::new(), &game);
    let mut master = Master::new();
    assert_eq!(choose(&mut master, &game), once);
    choose(&mut master, &standard("44"));
    master.forget();
    assert_eq!(choose(&mut master, &game), once);
    assert_eq!(
        Master::new().choose(&standard("1212121"), &mut |_| false),
        None
    );
}
