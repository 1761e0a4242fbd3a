//! Plays entered step by step.

use std::collections::BTreeSet;

use parlor_backgammon::{Board, CheckerStep, Game, Move, PartialPlay, Roll, Rules};
use parlor_core::{Position, Turn, playout::choose_weighted};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

/// Returns positions of random games.
fn turns(seed: u64, most: usize) -> Vec<Game> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut found = Vec::new();
    while found.len() < most {
        let mut game = Game::new(Rules::GAME);
        loop {
            match game.turn() {
                Turn::Over(_) => break,
                Turn::Chance => game.resolve_unchecked(
                    choose_weighted(&mut rng, &game.chances()).expect("dice have faces"),
                ),
                Turn::Move(_) => {
                    found.push(game.clone());
                    let m = game
                        .random_move(&mut rng, &mut Vec::new())
                        .expect("a seat to move has a move");
                    game.play_unchecked(&m);
                }
            }
        }
    }
    found.truncate(most);
    found
}

/// Collects all boards that can be reached step by step.
fn reached(partial: &PartialPlay, out: &mut BTreeSet<Board>) {
    let next = partial.next_steps();
    if next.is_empty() {
        assert!(partial.is_complete(), "a play got stuck: {partial:?}");
        out.insert(partial.board());
    }
    for step in next {
        reached(&partial.stepped(step).expect("what may come next can"), out);
    }
}

#[test]
fn entering_steps_leads_to_all_results_and_no_others() {
    for game in turns(1, 1_500) {
        let dice = game.dice().expect("a turn has dice");
        let mut results = Vec::new();
        game.board().afterstates_into(dice, &mut results);
        let mut found = BTreeSet::new();
        reached(&PartialPlay::new(game.board(), dice), &mut found);
        assert_eq!(found, results.into_iter().collect(), "{game:?}");
    }
}

#[test]
fn every_order_that_can_be_entered_is_a_legal_move() {
    for game in turns(2, 400) {
        let mut open = vec![PartialPlay::new(
            game.board(),
            game.dice().expect("a turn has dice"),
        )];
        while let Some(partial) = open.pop() {
            if partial.is_complete() {
                game.check(&Move::Play(partial.play()))
                    .unwrap_or_else(|reason| panic!("{reason}: {partial:?}"));
            }
            open.extend(
                partial
                    .next_steps()
                    .into_iter()
                    .filter_map(|step| partial.stepped(step))
                    .take(3),
            );
        }
    }
}

#[test]
fn steps_that_would_waste_a_die_are_not_offered() {
    let roll: Roll = "61".parse().expect("a roll");
    let partial = PartialPlay::new(Board::START, roll.into());
    assert!(
        partial.stepped(CheckerStep { from: 24, to: 19 }).is_none(),
        "no die shows five"
    );
    assert!(
        partial.stepped(CheckerStep { from: 13, to: 12 }).is_none(),
        "the point is blocked"
    );
    let begun = partial
        .stepped(CheckerStep { from: 13, to: 7 })
        .expect("the six can come first");
    assert_eq!(
        begun
            .dice_left()
            .iter()
            .map(|die| die.pips())
            .collect::<Vec<_>>(),
        [1]
    );
    assert!(!begun.is_complete());
}

#[test]
fn a_checker_borne_off_leaves_open_which_die_took_it() {
    let text = "game --C---------------------a- 1 w:65 0-0";
    let game =
        <Game as parlor_core::Notation>::from_text(text).expect("white has three checkers left");
    let partial = PartialPlay::new(game.board(), game.dice().expect("dice lie"));
    let one = partial
        .stepped(CheckerStep { from: 2, to: 0 })
        .expect("a higher die bears off");
    let two = one
        .stepped(CheckerStep { from: 2, to: 0 })
        .expect("so does the other");
    assert!(two.is_complete() && two.dice_left().is_empty());
}

#[test]
fn a_path_of_several_checkers_is_written_once_with_its_star() {
    // Black has a blot on white's point 2.
    let text = "game --a---E-C---eE---c-d-a--B- 1 w:66 0-0";
    let game = <Game as parlor_core::Notation>::from_text(text).expect("a position");
    let hit =
        <Game as parlor_core::Notation>::parse_move(&game, "13/7 8/2* 8/2 13/7").expect("a play");
    assert_eq!(
        <Game as parlor_core::Notation>::move_text(&game, &hit),
        "13/7(2),8/2*(2)"
    );
    let again = <Game as parlor_core::Notation>::parse_move(&game, "13/7(2),8/2*(2)")
        .expect("its own text");
    assert_eq!(
        <Game as parlor_core::Notation>::move_text(&game, &again),
        "13/7(2),8/2*(2)"
    );
}
