//! Random play: the bitboards compared with squares in arrays.

use parlor_core::{Notation, Position};
use parlor_tictactoe::ultimate::{Board, Game, Illegal, MetaBoard, Move, Rules, Setup};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, FileFailurePersistence};

use super::naive::{Naive, Result};

fn config() -> Config {
    Config {
        cases: 400,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..Config::default()
    }
}

fn any_rules() -> impl Strategy<Value = Rules> {
    prop::sample::select(&Rules::ALL[..])
}

fn picks() -> impl Strategy<Value = Vec<Index>> {
    prop::collection::vec(any::<Index>(), 0..=81)
}

/// Plays moves chosen by `picks` until the game is over or the picks run out.
fn played(rules: Rules, picks: &[Index]) -> Game {
    let mut game = Game::new(rules);
    for pick in picks {
        let moves = game.legal_moves();
        if !moves.is_empty() {
            game.play(&moves[pick.index(moves.len())]);
        }
    }
    game
}

fn every_move() -> impl Iterator<Item = Move> {
    (0..81).map(|at| Move::new(at / 9, at % 9).expect("both are below nine"))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn play_matches_arrays_of_squares(rules in any_rules(), picks in picks()) {
        let (mut game, mut naive) = (Game::new(rules), Naive::new(rules));
        for pick in picks {
            prop_assert_eq!(game.turn(), naive.turn(), "{}", game.text());
            prop_assert_eq!(game.target().map(usize::from), naive.target, "{}", game.text());
            let moves = game.legal_moves();
            prop_assert_eq!(&moves, &naive.moves(), "{}", game.text());
            prop_assert_eq!(game.count_moves(&mut Vec::new()), moves.len() as u64);
            if moves.is_empty() {
                break;
            }
            let m = moves[pick.index(moves.len())];
            game.play(&m);
            naive.play(m);
            prop_assert_eq!(naive.results, Naive::from_game(&game).results, "{}", game.text());
        }
        prop_assert_eq!(game.turn(), naive.turn(), "{}", game.text());
    }

    #[test]
    fn check_names_the_first_reason_in_the_order_of_the_rules(rules in any_rules(), picks in picks()) {
        let game = played(rules, &picks);
        let (moves, naive) = (game.legal_moves(), Naive::from_game(&game));
        for m in every_move() {
            let board = game.board(m.board());
            let closed = if rules.open { board.is_full() } else { naive.results[usize::from(m.board())] != Result::Open };
            let expected = if naive.ending.is_some() {
                Err(Illegal::Finished)
            } else if game.target().is_some_and(|target| target != m.board()) {
                Err(Illegal::WrongBoard)
            } else if closed {
                Err(Illegal::Completed)
            } else if board.get(usize::from(m.square())) != Ok("") {
                Err(Illegal::Taken)
            } else {
                Ok(())
            };
            prop_assert_eq!(game.check(&m), expected, "{} in {}", m, game.text());
            prop_assert_eq!(expected.is_ok(), moves.contains(&m));
        }
    }

    #[test]
    fn games_round_trip_through_their_text(rules in any_rules(), picks in picks()) {
        let game = played(rules, &picks);
        prop_assert_eq!(Game::from_text(&game.text()), Ok(game));
    }

    #[test]
    fn the_results_follow_from_the_boards_when_won_boards_close(count in any::<bool>(), picks in picks()) {
        let game = played(Rules { open: false, count }, &picks);
        let boards: Vec<Board> = (0..9).map(|b| game.board(b)).collect();
        prop_assert_eq!(MetaBoard::new(&boards), Ok(game.meta()));
    }

    #[test]
    fn masks_agree_with_the_boards(rules in any_rules(), picks in picks()) {
        let game = played(rules, &picks);
        let playable = game.legal_moves().iter().fold(0, |all, m| all | 1 << m.board());
        prop_assert_eq!(game.playable(), playable);
        let marks = (0..9).flat_map(|b| game.board(b).to_list()).filter(|mark| !mark.is_empty()).count();
        prop_assert_eq!(game.plies() as usize, marks);
        for m in every_move() {
            let empty = game.board(m.board()).get(usize::from(m.square())) == Ok("");
            prop_assert_eq!(game.empty(m.board()) >> m.square() & 1 == 1, empty);
        }
    }

    #[test]
    fn random_moves_are_legal_moves(rules in any_rules(), picks in picks(), seed in any::<u64>()) {
        use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
        let game = played(rules, &picks);
        let (moves, mut rng) = (game.legal_moves(), Xoshiro256PlusPlus::seed_from_u64(seed));
        for _ in 0..20 {
            let picked = game.random_move(&mut rng, &mut Vec::new());
            prop_assert!(picked.map_or(moves.is_empty(), |m| moves.contains(&m)), "{:?} in {}", picked, game.text());
        }
    }

    #[test]
    fn no_text_makes_the_parsers_panic(text in "\\PC{0,40}", boards in "([XO.]{9}/){8}[XO.]{9}", rest in "[XO.0-9 -]{0,16}") {
        let game = Game::new(Rules::default());
        let _ = game.parse_move(&text);
        let _ = Game::from_text(&text);
        for rules in Rules::ALL {
            if let Ok(setup) = Setup::from_text(&format!("{rules} {boards} {rest}")) {
                let _ = setup.validate();
            }
        }
    }
}
