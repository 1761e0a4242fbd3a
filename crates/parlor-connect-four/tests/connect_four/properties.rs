//! Random rules and random play: bitboards compared with a naive board.

use parlor_connect_four::{Board, MAX_SIDE, MIN_LINE, MIN_SIDE, Move, Rules, Slot};
use parlor_core::{Notation, Position, Turn};
use proptest::prelude::*;
use proptest::test_runner::Config;

use super::naive::Naive;

fn any_rules() -> impl Strategy<Value = Rules> {
    let side = || prop_oneof![2 => MIN_SIDE..=7, 1 => MIN_SIDE..=MAX_SIDE];
    (side(), side()).prop_flat_map(|(columns, rows)| {
        let k = prop_oneof![3 => MIN_LINE..=4, 1 => MIN_LINE..=columns.max(rows)];
        k.prop_map(move |k| Rules::new(columns, rows, k).expect("rules within the limits"))
    })
}

fn picks() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..=144)
}

fn config() -> Config {
    Config {
        cases: 300,
        ..Config::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn turns_heights_and_lines_agree_with_a_look_at_every_slot(rules in any_rules(), picks in picks()) {
        let (mut board, mut naive) = (Board::new(rules), Naive::new(rules));
        for pick in picks {
            prop_assert_eq!(board.turn(), naive.turn(), "{}", board.text());
            let moves = board.legal_moves();
            if board.turn().is_over() {
                break;
            }
            let open = naive.open();
            prop_assert_eq!(&moves, &open.iter().map(|&column| Move::new(column)).collect::<Vec<_>>());
            let m = moves[pick.index(moves.len())];
            let landing = board.landing(m);
            board.play(&m);
            naive.drop_disc(m.column);
            let height = naive.columns[usize::from(m.column)].len() as u8;
            prop_assert_eq!(landing, Some(Slot::new(m.column, height - 1)));
            prop_assert_eq!(board.height(m.column), height);
        }
        prop_assert_eq!(board.turn(), naive.turn(), "{}", board.text());
        prop_assert_eq!(usize::from(board.plies()), naive.discs());
        for slot in board.slots() {
            let disc = naive.at(i32::from(slot.column), i32::from(slot.row));
            prop_assert_eq!(board.at(slot).map(|seat| seat.number()), disc);
        }
        let lines: Vec<Slot> =
            naive.lines().iter().map(|&(column, row)| Slot::new(column as u8, row as u8)).collect();
        prop_assert_eq!(board.winning_slots(), lines);
        prop_assert_eq!(Board::from_text(&board.text()), Ok(board));
    }

    #[test]
    fn check_accepts_exactly_what_is_generated(rules in any_rules(), picks in picks()) {
        let mut board = Board::new(rules);
        for pick in picks {
            let moves = board.legal_moves();
            for column in (0..=rules.columns()).chain([u8::MAX]) {
                let m = Move::new(column);
                prop_assert_eq!(board.check(&m).is_ok(), moves.contains(&m), "{} in {}", m, board.text());
            }
            if let Some(m) = (!moves.is_empty()).then(|| moves[pick.index(moves.len())]) {
                board.play(&m);
            }
        }
    }

    #[test]
    fn a_game_is_its_moves_in_a_row(rules in any_rules(), picks in picks()) {
        let (mut board, mut texts) = (Board::new(rules), Vec::new());
        for pick in picks {
            let moves = board.legal_moves();
            if !matches!(board.turn(), Turn::Move(_)) {
                break;
            }
            let m = moves[pick.index(moves.len())];
            texts.push(board.move_text(&m));
            board.play(&m);
        }
        prop_assert_eq!(Board::from_moves(rules, &texts.join(",")), Ok(board));
        if rules.columns() <= 9 {
            prop_assert_eq!(Board::from_moves(rules, &texts.concat()), Ok(board));
        }
    }

    #[test]
    fn no_text_makes_the_readers_panic(text in "\\PC{0,40}", rows in "[RY./]{0,24}", moves in "[0-9, ]{0,20}") {
        let board = Board::new(Rules::STANDARD);
        let _ = board.parse_move(&text);
        let _ = Board::from_text(&text);
        let _ = Board::from_text(&format!("4x4x4 {rows}"));
        let _ = Board::from_text(&format!("12x4x4 {moves}"));
        let _ = Board::from_moves(Rules::STANDARD, &moves);
    }
}
