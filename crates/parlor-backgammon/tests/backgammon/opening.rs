//! Random events and their exact probabilities.

use std::collections::BTreeMap;

use parlor_backgammon::{BLACK, Chance, Dice, Game, Roll, Rules, StartLayout, WHITE};
use parlor_core::{Notation, Position, Turn};

#[test]
fn thirty_openings_are_equally_likely() {
    let chances = Game::new(Rules::GAME).chances();
    assert_eq!(chances.len(), 30);
    assert!(chances.iter().all(|(_, weight)| *weight == 1));
    let distinct: BTreeMap<String, ()> = chances
        .iter()
        .map(|(chance, _)| (Game::new(Rules::GAME).chance_text(chance), ()))
        .collect();
    assert_eq!(distinct.len(), 30);
}

#[test]
fn nobody_begins_with_a_double() {
    for (chance, _) in Game::new(Rules::GAME).chances() {
        let Chance::Opening { white, black } = chance else {
            panic!("{chance:?} is no opening")
        };
        assert_ne!(white, black);
    }
    let mut start = Game::new(Rules::GAME);
    let same = start.parse_chance("3-3").expect("readable");
    assert!(start.try_resolve(&same).is_err());
    assert!(
        start
            .try_resolve(&Chance::Roll("31".parse().expect("a roll")))
            .is_err()
    );
}

#[test]
fn both_begin_equally_often_and_the_higher_throw_plays_both_dice() {
    let mut begun = [0; 2];
    for (chance, _) in Game::new(Rules::GAME).chances() {
        let Chance::Opening { white, black } = chance else {
            panic!("{chance:?} is no opening")
        };
        let mut game = Game::new(Rules::GAME);
        game.resolve(&chance);
        let beginner = if white > black { WHITE } else { BLACK };
        assert_eq!(
            (game.on_roll(), game.turn()),
            (beginner, Turn::Move(beginner))
        );
        assert_eq!(
            game.dice(),
            Some(Dice::Two {
                high: white.max(black),
                low: white.min(black)
            })
        );
        begun[beginner.index()] += 1;
    }
    assert_eq!(begun, [15, 15]);
}

#[test]
fn a_later_roll_is_one_of_21_in_36_throws() {
    let mut game = Game::new(Rules::GAME);
    game.resolve(&game.parse_chance("3-1").expect("an opening"));
    game.play(&game.parse_move("8/5,6/5").expect("a play"));
    let chances = game.chances();
    assert_eq!(chances.len(), 21);
    assert_eq!(chances.iter().map(|(_, weight)| weight).sum::<u32>(), 36);
    for (chance, weight) in chances {
        let Chance::Roll(roll) = chance else {
            panic!("{chance:?} is no roll")
        };
        assert_eq!(
            weight,
            if roll.high() == roll.low() { 1 } else { 2 },
            "{roll}"
        );
    }
}

#[test]
fn two_thrown_dice_make_each_roll_as_often_as_its_weight_says() {
    let mut counted: BTreeMap<Roll, u32> = BTreeMap::new();
    for (white, black) in (1..=6).flat_map(|one| (1..=6).map(move |other| (one, other))) {
        let roll: Roll = format!("{white}{black}").parse().expect("a roll");
        *counted.entry(roll).or_default() += 1;
    }
    assert!(
        counted
            .iter()
            .map(|(roll, n)| (*roll, *n))
            .eq(Roll::all().map(|roll| (roll, roll.weight())))
    );
}

#[test]
fn every_start_has_the_same_opening_and_fifteen_checkers_a_side() {
    for start in StartLayout::ALL {
        let game = Game::new(Rules {
            start,
            ..Rules::GAME
        });
        assert_eq!(game.chances().len(), 30);
        for side in [game.board().mover(), game.board().other()] {
            assert_eq!(
                side.counts().iter().map(|n| u32::from(*n)).sum::<u32>(),
                15,
                "{start:?}"
            );
        }
    }
}

/// The row of 24 that the specification of `state.json` prints for a new game.
const PRINTED: [i8; 24] = [
    2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2,
];

fn row(start: StartLayout) -> [i8; 24] {
    let board = start.board();
    let mut row = [0; 24];
    for point in 1..=24u8 {
        row[start.index(true, point)] += board.mover().count(point) as i8;
        row[start.index(false, point)] -= board.other().count(point) as i8;
    }
    row
}

#[test]
fn the_starts_are_the_printed_row_and_its_opposite() {
    assert_eq!(row(StartLayout::Printed), PRINTED);
    assert_eq!(row(StartLayout::PrintedUp), PRINTED);
    assert_eq!(row(StartLayout::Standard), PRINTED.map(|count| -count));
}

#[test]
fn white_s_home_is_where_the_row_begins_unless_white_goes_up() {
    for start in StartLayout::ALL {
        let home = |white: bool| -> Vec<usize> {
            (1..=6).map(|point| start.index(white, point)).collect()
        };
        let (first, last): (Vec<usize>, Vec<usize>) = ((0..6).collect(), (18..24).rev().collect());
        let expected = if start == StartLayout::PrintedUp {
            [last, first]
        } else {
            [first, last]
        };
        assert_eq!([home(true), home(false)], expected, "{start:?}");
        for index in 0..24 {
            for white in [true, false] {
                assert_eq!(start.index(white, start.point(white, index)), index);
            }
        }
    }
}

#[test]
fn pips_at_the_start_are_167_or_208() {
    let pips =
        StartLayout::ALL.map(|start| (start.board().mover().pips(), start.board().other().pips()));
    assert_eq!(pips, [(167, 167), (208, 208), (167, 167)]);
}
