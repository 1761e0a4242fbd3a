//! The opening book: complete, consistent, and correct where the solver is fast enough.

use parlor_connect_four::book::{BookLevel, OpeningBook};
use parlor_connect_four::solver::{ExactSolver, ProvenValue};
use parlor_connect_four::{Board, Move, Rules};
use parlor_core::{Notation, Position, Seat};

use super::standard;

/// Number of discs of the last positions in each book.
const LAST: [(Seat, u8); 2] = [(Seat::FIRST, 14), (Seat::SECOND, 11)];

/// Returns the levels of a seat's book, with the book's moves and values.
fn levels(seat: Seat, last: u8) -> Vec<(BookLevel, Vec<(Move, ProvenValue)>)> {
    let mut level = BookLevel::first(seat);
    let mut all = Vec::new();
    while level.positions()[0].plies() <= last {
        let find = |board: &Board| {
            let found = OpeningBook::standard().find(board);
            found.unwrap_or_else(|| panic!("{} is not in the book", board.text()))
        };
        let found: Vec<(Move, ProvenValue)> = level.positions().iter().map(find).collect();
        let moves: Vec<Move> = found.iter().map(|&(m, _)| m).collect();
        let next = level.next(&moves).expect("the moves of the book are legal");
        all.push((level, found));
        level = next;
    }
    all
}

fn replies(board: &Board, m: Move) -> Vec<Board> {
    let mut after = *board;
    after.play(&m);
    let reply = |m: Move| {
        let mut reply = after;
        reply.play(&m);
        reply
    };
    after.legal_moves().into_iter().map(reply).collect()
}

#[test]
fn the_first_seat_wins_the_standard_game_in_the_middle() {
    let start = Board::new(Rules::STANDARD);
    let found = OpeningBook::standard().find(&start);
    assert_eq!(found, Some((Move::new(3), ProvenValue::Win)));
}

#[test]
fn the_first_move_decides_who_wins() {
    use ProvenValue::{Draw, Loss, Win};
    // Values for the seat that replies: all first moves except the middle three columns lose.
    let values = [Win, Win, Draw, Loss, Draw, Win, Win];
    for (column, value) in (1..).zip(values) {
        let found = OpeningBook::standard().find(&standard(&format!("{column}")));
        assert_eq!(
            found.map(|(_, value)| value),
            Some(value),
            "column {column}"
        );
    }
}

#[test]
fn the_book_of_the_first_seat_wins_against_every_reply() {
    let (seat, last) = LAST[0];
    let mut positions = 0;
    for (level, found) in levels(seat, last) {
        assert!(found.iter().all(|&(_, value)| value == ProvenValue::Win));
        positions += level.positions().len();
    }
    assert!(positions > 20_000, "{positions} positions");
}

/// A win remains a win and a draw is no loss after every reply; if no better value is possible, one
/// reply proves it.
#[test]
fn values_in_the_book_follow_from_those_behind() {
    for (seat, last) in LAST {
        for (level, found) in levels(seat, last - 2) {
            for (board, &(m, value)) in level.positions().iter().zip(&found) {
                let values: Vec<ProvenValue> = replies(board, m)
                    .iter()
                    .map(|reply| match OpeningBook::standard().find(reply) {
                        Some((_, value)) => value,
                        None => {
                            assert!(reply.turn().is_over(), "{}", reply.text());
                            ProvenValue::Loss
                        }
                    })
                    .collect();
                let worst = values.iter().min().copied();
                let worst = worst.unwrap_or(ProvenValue::Win);
                assert_eq!(worst, value, "{m} in {}", board.text());
            }
        }
    }
}

#[test]
fn the_solver_agrees_with_the_end_of_the_book() {
    let mut checked = 0;
    for (seat, last) in LAST {
        let (level, found) = levels(seat, last).pop().expect("a level");
        let step = level.positions().len() / 60;
        for (board, &(m, value)) in level.positions().iter().zip(&found).step_by(step.max(1)) {
            let mut solver = ExactSolver::new();
            let mut never = |_| false;
            assert_eq!(
                solver.value(board, &mut never),
                Ok(value),
                "{}",
                board.text()
            );
            let mut after = *board;
            after.play(&m);
            let kept = solver.value(&after, &mut never).map(ProvenValue::reversed);
            assert_eq!(kept, Ok(value), "{m} in {}", board.text());
            checked += 1;
        }
    }
    assert!(checked >= 120, "{checked} positions");
}

#[test]
fn the_book_knows_mirror_images_and_no_other_board() {
    let book = OpeningBook::standard();
    let (m, value) = book.find(&standard("41")).expect("a position of the book");
    let mirrored = book.find(&standard("47"));
    assert_eq!(mirrored, Some((Move::new(6 - m.column), value)));
    let large = Rules::new(8, 7, 4).expect("rules within the limits");
    assert_eq!(book.find(&Board::new(large)), None);
    assert_eq!(book.find(&standard("1212121")), None);
    assert!(!book.is_empty() && book.len() > 20_000);
}

#[test]
fn a_text_that_is_no_book_is_refused() {
    for text in ["5\n11", "x", "44", "4\n1111111", " 4", "4 "] {
        assert!(OpeningBook::read(Seat::FIRST, text).is_none(), "{text:?}");
    }
    assert!(OpeningBook::read(Seat::FIRST, "4\n4444").is_some());
    assert!(OpeningBook::read(Seat::FIRST, "").is_some_and(|book| book.is_empty()));
}
