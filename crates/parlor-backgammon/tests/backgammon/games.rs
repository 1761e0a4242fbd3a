//! Random games, and a comparison of the generator with the legality check.

use std::collections::BTreeSet;

use parlor_backgammon::{
    Board, CheckerStep, Dice, Die, Game, Move, Phase, Play, Rules, Setup, Side, WHITE,
};
use parlor_core::playout::Scratch;
use parlor_core::{Outcome, Position, Turn, random_below};
use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use crate::brute::side;
use crate::plain::{faces, results, walks};

fn sum(side: Side) -> u32 {
    side.counts().iter().map(|n| u32::from(*n)).sum()
}

#[test]
fn a_hundred_thousand_random_games_end_with_fifteen_checkers_a_side_throughout() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut scratch: Scratch<Game> = Scratch::default();
    let (mut wins, mut plies, mut points) = ([0u32; 2], 0u64, [0u32; 4]);
    for _ in 0..100_000 {
        let mut game = Game::new(Rules::GAME);
        for ply in 0.. {
            assert!(ply < 10_000, "a game of {ply} plies: {game:?}");
            match game.turn() {
                Turn::Chance => {
                    let chance = game
                        .random_chance(&mut rng, &mut scratch.chances)
                        .expect("luck decides");
                    game.resolve_unchecked(&chance);
                }
                Turn::Move(_) => {
                    let m = game
                        .random_move(&mut rng, &mut scratch.moves)
                        .expect("a seat moves");
                    game.play_unchecked(&m);
                    let board = game.board();
                    assert_eq!(
                        (sum(board.mover()), sum(board.other())),
                        (15, 15),
                        "{m:?} led to {board:?}"
                    );
                    plies += 1;
                }
                Turn::Over(Outcome::Won { by, points: worth }) => {
                    wins[by.index()] += 1;
                    points[usize::from(worth)] += 1;
                    break;
                }
                Turn::Over(outcome) => panic!("{outcome:?}"),
            }
        }
    }
    assert_eq!(wins.iter().sum::<u32>(), 100_000);
    assert_eq!(points[0], 0);
    assert!(
        points[1..].iter().all(|n| *n > 0),
        "single games, gammons and backgammons: {points:?}"
    );
    // Both colors have equal chances: five standard deviations are 790.
    assert!(wins[0].abs_diff(50_000) < 800, "{wins:?}");
    assert!((5_000_000..20_000_000).contains(&plies), "{plies} plies");
}

#[test]
fn random_choice_reaches_every_play_equally_often() {
    let board = Board::START;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for roll in ["31", "66", "22"] {
        let dice = Dice::from(roll.parse::<parlor_backgammon::Roll>().expect("a roll"));
        let mut plays: Vec<Play> = Vec::new();
        board.plays_into(dice, &mut plays);
        let mut chosen = vec![0i64; plays.len()];
        let each = 2_000;
        for _ in 0..each * plays.len() {
            let play = board.random_play(dice, &mut rng);
            chosen[plays
                .iter()
                .position(|known| *known == play)
                .expect("a play of the list")] += 1;
        }
        // Six standard deviations of a count whose mean is 2,000.
        assert!(
            chosen.iter().all(|n| (n - each as i64).abs() < 270),
            "{roll}: {chosen:?}"
        );
    }
}

/// Returns dice as a roll leaves them: numbers below 36 are throws, the others up to 65 are one to
/// four times a face.
fn dice(n: u8) -> Dice {
    let die = |n: u8| Die::new(n % 6 + 1).expect("a face");
    if n < 36 {
        Dice::from(parlor_backgammon::Roll::new(die(n), die(n / 6)))
    } else {
        Dice::Same {
            die: die(n),
            times: 1 + n / 6 % 4,
        }
    }
}

/// Returns a play to try: a legal one with random changes, or random numbers.
fn random_play_to_check(board: &Board, dice: Dice, seed: u64) -> Play {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut steps = board.random_play(dice, &mut rng).steps().to_vec();
    if random_below(&mut rng, 3) == 0 {
        let all = dice.faces();
        let any = |rng: &mut _| {
            let (from, die) = (
                random_below(rng, 26) as u8,
                all[random_below(rng, all.len() as u32) as usize].pips(),
            );
            CheckerStep {
                from,
                to: from.saturating_sub(die),
            }
        };
        steps = (0..random_below(&mut rng, 5))
            .map(|_| any(&mut rng))
            .collect();
    }
    for _ in 0..random_below(&mut rng, 3) {
        let at = random_below(&mut rng, steps.len() as u32 + 1) as usize;
        let last = steps.len().saturating_sub(1);
        match (random_below(&mut rng, 5), steps.len()) {
            (0, 1..) => drop(steps.remove(at.min(last))),
            (1, 2..) => steps.swap(at % 2, 1),
            (2, 1..) => {
                let step = &mut steps[at.min(last)];
                *step = CheckerStep {
                    from: random_below(&mut rng, 28) as u8,
                    ..*step
                };
            }
            (3, 1..) => {
                let step = &mut steps[at.min(last)];
                *step = CheckerStep {
                    to: random_below(&mut rng, 27) as u8,
                    ..*step
                };
            }
            (_, ..4) => steps.insert(
                at,
                CheckerStep {
                    from: random_below(&mut rng, 26) as u8,
                    to: random_below(&mut rng, 25) as u8,
                },
            ),
            _ => {}
        }
    }
    Play::new(&steps).expect("at most four steps")
}

/// Returns a game in which white is to play these dice, if possible.
fn game(board: Board, dice: Dice) -> Option<Game> {
    let counts = [board.mover().counts(), board.other().counts()];
    let setup = Setup {
        counts,
        on_roll: WHITE,
        phase: Phase::Moving(dice),
        ..Setup::new(Rules::GAME)
    };
    setup.validate().ok()
}

fn agree(board: Board, dice: Dice, play: Play) -> Result<bool, TestCaseError> {
    let Some(game) = game(board, dice) else {
        return Ok(false);
    };
    let mut ends = BTreeSet::new();
    walks(&board, &faces(dice), play.steps(), &mut ends);
    let known = results(&board, &faces(dice));
    let legal = ends.iter().any(|end| known.contains(end));
    let checked = game.check(&Move::Play(play));
    prop_assert_eq!(
        checked.is_ok(),
        legal,
        "{:?} on {:?} with {:?}: {:?}",
        play,
        board,
        dice,
        checked
    );
    if legal {
        let mut listed: Vec<Board> = Vec::new();
        board.afterstates_into(dice, &mut listed);
        let mut played = game.clone();
        played.play_unchecked(&Move::Play(play));
        let after = played.white_board();
        prop_assert!(
            listed.contains(&after),
            "{:?} on {:?} leads to {:?}, which is not listed",
            play,
            board,
            after
        );
    }
    Ok(legal)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn the_check_and_the_list_agree_on_whatever_is_tried(
        one: u64, other: u64, near in 3u8..=25, far in 3u8..=25, throw in 0u8..66, tries: [u64; 4]
    ) {
        let (mover, taken) = side(one, near, 0);
        let (other, _) = side(other, far, taken);
        let board = Board::new(mover, other).expect("no point is shared");
        let dice = dice(throw);
        for seed in tries {
            agree(board, dice, random_play_to_check(&board, dice, seed))?;
        }
    }
}

#[test]
fn what_is_tried_is_legal_about_as_often_as_not() {
    let (mut legal, all) = (0, 4_000u64);
    for seed in 0..all {
        let (mover, taken) = side(seed, 3 + (seed % 23) as u8, 0);
        let (other, _) = side(seed + 1_000_000, 25 - (seed % 19) as u8, taken);
        let board = Board::new(mover, other).expect("no point is shared");
        let dice = dice((seed % 66) as u8);
        legal += u32::from(
            agree(board, dice, random_play_to_check(&board, dice, seed)).expect("both agree"),
        );
    }
    assert!((1_000..3_000).contains(&legal), "{legal} of {all}");
}
