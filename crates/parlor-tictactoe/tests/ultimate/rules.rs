//! Rule tests, named as sentences.

use parlor_core::{Notation, Outcome, Position, Seat, Turn};
use parlor_tictactoe::ultimate::{Game, Illegal, Move, Rules, has_line};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

const STANDARD: Rules = Rules {
    open: false,
    count: false,
};
const OPEN: Rules = Rules {
    open: true,
    count: false,
};
const COUNT: Rules = Rules {
    open: false,
    count: true,
};

fn play(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        let m = game.parse_move(text).expect("a move");
        game.try_play(&m)
            .unwrap_or_else(|reason| panic!("{text}: {reason} in {}", game.text()));
    }
}

fn after(rules: Rules, moves: &[Move]) -> Game {
    let mut game = Game::new(rules);
    moves.iter().for_each(|m| game.play(m));
    game
}

fn check(game: &Game, text: &str) -> Result<(), Illegal> {
    game.check(&game.parse_move(text).expect("a move"))
}

/// Returns the first position of many random games that satisfies `wanted`, with the moves that led
/// to it.
fn find(rules: Rules, wanted: impl Fn(&Game) -> bool) -> (Game, Vec<Move>) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for _ in 0..100_000 {
        let (mut game, mut moves) = (Game::new(rules), Vec::new());
        while let Some(m) = game.random_move(&mut rng, &mut Vec::new()) {
            game.play(&m);
            moves.push(m);
            if wanted(&game) {
                return (game, moves);
            }
        }
    }
    panic!("100,000 random games had nothing like that");
}

fn by_line(game: &Game) -> bool {
    game.winning_boards() != 0
}

#[test]
fn x_moves_first_and_may_play_anywhere() {
    let start = Game::new(STANDARD);
    assert_eq!(start.turn(), Turn::Move(Seat::FIRST));
    assert_eq!(
        (start.target(), start.playable(), start.plies()),
        (None, 0o777, 0)
    );
    assert_eq!(start.legal_moves().len(), 81);
}

#[test]
fn a_position_takes_at_most_32_bytes() {
    assert!(size_of::<Game>() <= 32, "{} bytes", size_of::<Game>());
}

#[test]
fn the_square_played_determines_the_next_board() {
    let mut game = Game::new(STANDARD);
    play(&mut game, "47");
    assert_eq!(
        (game.turn(), game.target(), game.playable()),
        (Turn::Move(Seat::SECOND), Some(7), 1 << 7)
    );
    assert_eq!(
        check(&game, "40")
            .expect_err("board 7 was named")
            .to_string(),
        "Must play in the indicated board"
    );
}

#[test]
fn a_taken_square_is_refused() {
    let mut game = Game::new(STANDARD);
    play(&mut game, "44");
    assert_eq!(
        check(&game, "44").expect_err("X is there").to_string(),
        "Position already taken"
    );
}

#[test]
fn three_in_a_row_win_a_board() {
    let mut game = Game::new(STANDARD);
    play(&mut game, "00 03 30 06 60 01 10");
    play(&mut game, "04 40 05");
    assert_eq!(game.marks(Seat::SECOND, 0), 0b001_111_010);
    assert_eq!(
        (game.won(Seat::FIRST), game.won(Seat::SECOND), game.drawn()),
        (0, 1, 0)
    );
    assert_eq!(game.meta().to_list()[0], "O");
}

#[test]
fn a_player_sent_to_a_decided_board_may_choose_any_other() {
    let (game, moves) = find(STANDARD, |game| {
        game.target().is_none() && !game.turn().is_over()
    });
    let last = moves.last().expect("the start is not looked at");
    assert_eq!(game.decided() >> last.square() & 1, 1);
    assert_eq!(game.playable(), 0o777 & !game.decided());
    let sent = Move::new(last.square(), 0).expect("a square's number is a board's");
    assert_eq!(
        game.check(&sent).expect_err("it is decided").to_string(),
        "Board already completed"
    );
}

#[test]
fn a_won_board_is_closed_though_it_has_empty_squares() {
    let won_not_full =
        |game: &Game| (0..9).any(|b| game.won(Seat::FIRST) >> b & 1 == 1 && game.empty(b) != 0);
    let (game, _) = find(STANDARD, |game| {
        won_not_full(game) && game.target().is_none() && !game.turn().is_over()
    });
    let closed = (0..9)
        .find(|&b| game.won(Seat::FIRST) >> b & 1 == 1)
        .expect("X has won one");
    assert!(game.legal_moves().iter().all(|m| m.board() != closed));
}

#[test]
fn a_full_board_without_a_line_is_tied() {
    let (game, moves) = find(STANDARD, |game| game.drawn() != 0);
    let board = moves.last().expect("the start is not looked at").board();
    assert_eq!(game.drawn(), 1 << board);
    assert!(game.board(board).is_full() && game.board(board).check_winner().is_none());
}

#[test]
fn a_full_board_with_a_line_belongs_to_its_winner() {
    let full_and_won =
        |game: &Game, b: u8| game.empty(b) == 0 && game.won(Seat::SECOND) >> b & 1 == 1;
    let (game, _) = find(STANDARD, |game| (0..9).any(|b| full_and_won(game, b)));
    assert_eq!(game.drawn() & game.won(Seat::SECOND), 0);
}

#[test]
fn three_ties_in_a_line_do_not_win() {
    let (game, _) = find(STANDARD, |game| {
        has_line(game.drawn()) && game.decided() != 0o777
    });
    assert_eq!(game.turn().outcome(), None);
    assert_eq!(game.meta().get_winner(), None);
}

#[test]
fn three_boards_in_a_row_win_and_end_the_game() {
    for seat in Seat::all(2) {
        let (game, _) = find(STANDARD, |game| has_line(game.won(seat)));
        assert_eq!(game.turn(), Turn::Over(Outcome::won(seat)));
        assert_eq!((game.target(), game.playable()), (None, 0));
        assert!(has_line(game.winning_boards()) && game.winning_boards() & !game.won(seat) == 0);
        for text in ["00", "44", "88"] {
            assert_eq!(
                check(&game, text)
                    .expect_err("the game is over")
                    .to_string(),
                "Game is already finished"
            );
        }
    }
}

#[test]
fn all_boards_decided_without_a_line_is_a_draw_whoever_has_more() {
    let more =
        |game: &Game| game.won(Seat::FIRST).count_ones() > game.won(Seat::SECOND).count_ones();
    let (game, _) = find(STANDARD, |game| {
        game.decided() == 0o777 && !by_line(game) && more(game)
    });
    assert_eq!(game.turn(), Turn::Over(Outcome::Draw));
    assert_eq!((game.target(), game.playable()), (None, 0));
    assert!(game.meta().is_full());
}

#[test]
fn with_count_more_boards_win_when_all_are_decided() {
    let boards = |game: &Game, seat| game.won(seat).count_ones();
    for (more, fewer) in [(Seat::FIRST, Seat::SECOND), (Seat::SECOND, Seat::FIRST)] {
        let wanted = |game: &Game| {
            game.decided() == 0o777 && !by_line(game) && boards(game, more) > boards(game, fewer)
        };
        let (game, moves) = find(COUNT, wanted);
        assert_eq!(game.turn(), Turn::Over(Outcome::won(more)));
        assert_eq!(after(STANDARD, &moves).turn(), Turn::Over(Outcome::Draw));
    }
}

#[test]
fn with_count_equal_boards_are_a_draw_and_a_line_wins_at_once() {
    let boards = |game: &Game, seat| game.won(seat).count_ones();
    let even = |game: &Game| boards(game, Seat::FIRST) == boards(game, Seat::SECOND);
    let (game, _) = find(COUNT, |game| {
        game.decided() == 0o777 && !by_line(game) && even(game)
    });
    assert_eq!(game.turn(), Turn::Over(Outcome::Draw));
    let (game, _) = find(COUNT, |game| {
        by_line(game) && boards(game, Seat::FIRST) < boards(game, Seat::SECOND)
    });
    assert!(game.turn().is_over());
}

#[test]
fn with_open_boards_a_won_board_stays_playable() {
    let (game, _) = find(OPEN, |game| {
        game.target()
            .is_some_and(|target| game.decided() >> target & 1 == 1)
    });
    let target = game.target().expect("it was looked for");
    assert!(game.empty(target) != 0);
    assert!(game.legal_moves().iter().all(|m| m.board() == target));
}

#[test]
fn with_open_boards_the_first_winner_keeps_the_board() {
    let both = |game: &Game, b: u8| Seat::all(2).all(|seat| has_line(game.marks(seat, b)));
    for (first, later) in [(Seat::FIRST, Seat::SECOND), (Seat::SECOND, Seat::FIRST)] {
        let kept = |game: &Game, b: u8| both(game, b) && game.won(first) >> b & 1 == 1;
        let (game, moves) = find(OPEN, |game| (0..9).any(|b| kept(game, b)));
        let board = (0..9).find(|&b| kept(&game, b)).expect("it was looked for");
        let before = after(OPEN, &moves[..moves.len() - 1]);
        assert!(has_line(before.marks(first, board)) && !has_line(before.marks(later, board)));
        assert_eq!(game.won(later) >> board & 1, 0);
    }
}

#[test]
fn with_open_boards_only_a_full_board_gives_a_free_choice() {
    let (game, moves) = find(OPEN, |game| {
        game.target().is_none() && !game.turn().is_over()
    });
    let last = moves.last().expect("the start is not looked at");
    assert_eq!(game.empty(last.square()), 0);
    let not_full = (0..9)
        .filter(|&b| game.empty(b) != 0)
        .fold(0, |all, b| all | 1 << b);
    assert_eq!(game.playable(), not_full);
}

#[test]
fn with_open_boards_the_game_still_ends_when_all_boards_are_decided() {
    let (game, _) = find(OPEN, |game| {
        game.decided() == 0o777 && !by_line(game) && (0..9).any(|b| game.empty(b) != 0)
    });
    assert_eq!(game.turn(), Turn::Over(Outcome::Draw));
}
