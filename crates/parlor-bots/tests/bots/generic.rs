//! The bots that play any game.

use parlor_bots::{Level, Nodes, Spec, Strategy, generic};
use parlor_core::testing::pig::Pig;
use parlor_core::{Outcome, Position, Turn, playout::choose_weighted};
use parlor_tictactoe::mnk::{Board, Rules};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

fn level(number: u8) -> Spec {
    Spec::Level(Level::new(number).expect("a level from 1 to 5"))
}

/// Plays one game between `specs`, with at most 1,000 nodes per move.
fn outcome<P: Position + PartialEq>(start: &P, specs: [Spec; 2], seed: u64) -> Outcome {
    let mut luck = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut position = start.clone();
    let mut bots =
        specs.map(|spec| generic::build::<P>(spec, seed).expect("these play every game"));
    loop {
        match position.turn() {
            Turn::Over(outcome) => return outcome,
            Turn::Chance => {
                let chances = position.chances();
                position.resolve(choose_weighted(&mut luck, &chances).expect("luck has results"));
            }
            Turn::Move(seat) => {
                let choice = bots[seat.index()].choose(&position, &mut Nodes(1_000));
                position.play(&choice.expect("a seat is to move").mv);
            }
        }
    }
}

/// Returns the percentage of points that `spec` scores against `opponent`, starting every other
/// game.
fn score<P: Position + PartialEq>(start: &P, spec: Spec, opponent: Spec, games: u64) -> u64 {
    let points = |game| {
        let first = game % 2 == 0;
        let specs = if first {
            [spec, opponent]
        } else {
            [opponent, spec]
        };
        match outcome(start, specs, game).winner() {
            None => 1,
            Some(winner) => 2 * u64::from((winner.index() == 0) == first),
        }
    };
    (0..games).map(points).sum::<u64>() * 50 / games
}

/// Asserts that each level does about as well against level 1 as the one below it or better, and
/// that level 5 beats level 1 clearly.
fn assert_levels_are_ordered<P: Position + PartialEq>(start: &P) {
    let scores: Vec<u64> = (1..=5)
        .map(|number| score(start, level(number), level(1), 60))
        .collect();
    for pair in scores.windows(2) {
        assert!(pair[1] + 10 >= pair[0], "percent by level: {scores:?}");
    }
    assert!(scores[4] >= 75, "percent by level: {scores:?}");
}

#[test]
fn levels_are_ordered_at_a_game_of_luck() {
    assert_levels_are_ordered(&Pig::new(30));
}

#[test]
fn levels_are_ordered_at_a_game_without_luck() {
    let rules = Rules::new(5, 5, 4, &['x', 'o']).expect("rules of a 5 by 5 board");
    assert_levels_are_ordered(&Board::new(rules));
}

#[test]
fn every_offer_is_built_under_its_name_and_plays() {
    for spec in generic::offers() {
        assert_eq!(generic::suits(spec), Ok(()));
        let mut bot = generic::build::<Pig>(spec, 1).expect("it is offered");
        assert_eq!(bot.name(), spec.to_string());
        assert!(bot.choose(&Pig::new(20), &mut Nodes(50)).is_some());
    }
    let limited: Spec = "mcts:nodes=7".parse().expect("a spec");
    let mut bot = generic::build::<Pig>(limited, 1).expect("it plays every game");
    assert_eq!(bot.name(), "mcts:nodes=7");
    let choice = bot.choose(&Pig::new(20), &mut Nodes(100));
    assert_eq!(choice.expect("a seat is to move").info.nodes, 7);
}

#[test]
fn strategies_that_must_know_the_game_are_refused() {
    for spec in ["perfect", "alphabeta", "alphabeta:nodes=5"] {
        let spec: Spec = spec.parse().expect("a spec");
        let refusal = generic::suits(spec).expect_err("it does not play every game");
        assert_eq!(refusal.spec, spec);
        assert_eq!(generic::build::<Pig>(spec, 1).err(), Some(refusal));
    }
}

#[test]
fn the_same_seed_plays_the_same_game_also_after_forgetting() {
    for spec in generic::offers() {
        let play = |bot: &mut dyn Strategy<Pig>| {
            let position = Pig::new(20);
            let think = |_| bot.choose(&position, &mut Nodes(40));
            (0..8).map(think).collect::<Vec<_>>()
        };
        let mut bot = generic::build::<Pig>(spec, 3).expect("it is offered");
        let first = play(&mut bot);
        bot.forget();
        assert_eq!(play(&mut bot), first);
        let mut again = generic::build::<Pig>(spec, 3).expect("it is offered");
        assert_eq!(play(&mut again), first);
    }
}
