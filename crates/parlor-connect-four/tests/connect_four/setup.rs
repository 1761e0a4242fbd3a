//! Validation of setups, with every kind of fault.

use parlor_connect_four::{
    Board, InvalidSetup, MAX_SIDE, MIN_SIDE, Rules, Setup, SetupFault, Slot,
};
use parlor_core::{Notation, Position, Seat};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use std::collections::BTreeSet;

use super::{board, position};

fn faults(text: &str) -> Vec<SetupFault> {
    let setup = Setup::from_text(text).expect("the form is right");
    setup.validate().expect_err("the setup is wrong").0
}

#[test]
fn floating_discs_are_faults() {
    assert_eq!(
        faults("4x4x4 ..../R.../..Y./...."),
        [
            SetupFault::Floating(Slot::new(0, 2)),
            SetupFault::Floating(Slot::new(2, 1))
        ]
    );
}

#[test]
fn red_has_as_many_discs_as_yellow_or_one_more() {
    assert!(Setup::from_text("4x4x4 ..../..../..../RY..").is_ok_and(|s| s.validate().is_ok()));
    assert!(Setup::from_text("4x4x4 ..../..../R.../RY..").is_ok_and(|s| s.validate().is_ok()));
    for (text, first, second) in [
        ("4x4x4 ..../..../..../Y...", 0, 1),
        ("4x4x4 ..../..../..../R.R.", 2, 0),
        ("4x4x4 ..../..../Y.../RY..", 1, 2),
    ] {
        assert_eq!(faults(text), [SetupFault::Counts { first, second }]);
    }
}

#[test]
fn all_faults_are_listed() {
    assert_eq!(
        faults("4x4x4 ...R/..../..../YYYY"),
        [
            SetupFault::Floating(Slot::new(3, 3)),
            SetupFault::Counts {
                first: 1,
                second: 4
            },
        ]
    );
    let text = InvalidSetup(faults("4x4x4 ...R/..../..../YYYY")).to_string();
    assert_eq!(
        text,
        "the disc at column 4, row 4 has nothing below it; 1 red and 4 yellow discs do not come \
         from taking turns: red has as many as yellow, or one more"
    );
}

#[test]
fn both_seats_cannot_have_a_line() {
    assert_eq!(
        faults("4x4x4 ..../..../YYYY/RRRR"),
        [SetupFault::TwoWinners]
    );
}

#[test]
fn the_winner_moved_last() {
    assert_eq!(
        faults("5x4x4 ...../...../YYY../RRRRY"),
        [SetupFault::WinnerNotLast(Seat::FIRST)]
    );
    let text = SetupFault::WinnerNotLast(Seat::SECOND).to_string();
    assert_eq!(text, "yellow has a line, but red moved last");
}

#[test]
fn one_last_disc_completes_all_lines_of_the_winner() {
    assert_eq!(
        faults("9x4x4 ........./........./YYY..YYY./RRRRYRRRR"),
        [SetupFault::LinesApart(Seat::FIRST)]
    );
    let seven = position("7x4x4 ......./......./YYY.YYY/RRRRRRR");
    assert!(seven.turn().is_over(), "the disc in the middle came last");
}

#[test]
fn a_line_with_discs_on_all_of_it_cannot_be_the_last() {
    assert_eq!(
        faults("5x4x4 ...../...../YYRY./RRRRY"),
        [SetupFault::LinesApart(Seat::FIRST)]
    );
}

#[test]
fn columns_that_cannot_be_filled_in_turns_are_a_fault() {
    // Yellow is at the bottom of every column, but red drops the first disc.
    assert_eq!(faults("4x4x4 ..../..../RR../YY.."), [SetupFault::Order]);
    assert_eq!(
        SetupFault::Order.to_string(),
        "the columns cannot have been filled by taking turns"
    );
}

#[test]
fn a_wrong_number_of_slots_is_a_fault() {
    let setup = Setup::new(Rules::STANDARD, vec![None; 41]);
    let text = setup.validate().map_err(|e| e.to_string());
    assert_eq!(
        text,
        Err("41 slots are given where the board has 42".to_owned())
    );
}

#[test]
fn a_third_seat_has_no_discs() {
    let rules = Rules::new(4, 4, 4).expect("rules within the limits");
    let mut slots = vec![None; 16];
    slots[15] = Some(Seat::new(2).expect("a third seat"));
    let text = Setup::new(rules, slots)
        .validate()
        .map_err(|e| e.to_string());
    let expected = "the disc at column 4, row 1 belongs to seat 3, but only two seats play";
    assert_eq!(
        text.map_err(|text| text.replace("seat 2", "seat 3")),
        Err(expected.to_owned())
    );
}

/// On a small board with short lines all reachable positions are known, and every other arrangement
/// of discs is rejected.
#[test]
fn a_setup_is_accepted_exactly_if_play_can_reach_it() {
    let start = board(4, 4, 3);
    let mut reached = BTreeSet::from([start.text()]);
    let mut level = vec![start];
    for _ in 0..6 {
        let mut next = Vec::new();
        for game in level {
            for m in game.legal_moves() {
                let mut child = game;
                child.play(&m);
                if reached.insert(child.text()) {
                    next.push(child);
                }
            }
        }
        level = next;
    }
    // All heights with at most 6 discs, and all colors of these discs.
    let (mut tried, mut accepted) = (0, 0);
    for heights in 0..5_usize.pow(4) {
        let heights: Vec<usize> = (0..4).map(|i| heights / 5_usize.pow(i) % 5).collect();
        let discs: usize = heights.iter().sum();
        if discs > 6 {
            continue;
        }
        for colors in 0..1_usize << discs {
            let mut slots = vec![None; 16];
            let mut disc = 0;
            for (column, &height) in heights.iter().enumerate() {
                for row in 0..height {
                    let seat = [Seat::FIRST, Seat::SECOND][colors >> disc & 1];
                    slots[(3 - row) * 4 + column] = Some(seat);
                    disc += 1;
                }
            }
            let setup = Setup::new(start.rules(), slots).validate();
            tried += 1;
            if let Ok(game) = setup {
                assert!(reached.contains(&game.text()), "{}", game.text());
                accepted += 1;
            }
        }
    }
    assert_eq!(accepted, reached.len());
    assert!(tried > 4 * accepted, "{tried} tried, {accepted} accepted");
}

/// Validates positions of random games, with and without lines, on boards of all sizes: the search
/// for an order always succeeds.
#[test]
fn every_game_has_an_order_that_is_found_soon() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    for columns in MIN_SIDE..=MAX_SIDE {
        for rows in MIN_SIDE..=MAX_SIDE {
            let mut game = board(columns, rows, columns.max(rows));
            while let Some(m) = game.random_move(&mut rng, &mut Vec::new()) {
                game.play(&m);
                assert_eq!(Board::from_text(&game.text()), Ok(game));
            }
        }
    }
}
