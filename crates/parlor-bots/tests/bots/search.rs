//! Tree search in a game with luck.

use std::collections::HashMap;

use parlor_bots::{AtMost, Budget, Mcts, Nodes, Random, Strategy};
use parlor_core::testing::pig::{Pig, PigMove, PigRoll};
use parlor_core::{Notation, Position, Turn, playout::choose_weighted};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use super::lamps::{Lamp, Lamps};

const TARGET: u16 = 12;

/// Winning chances of the seat to move under best play, for every (own bank, other bank, pot), by
/// value iteration.
struct Optimum(HashMap<(u16, u16, u16), f64>);

impl Optimum {
    fn compute() -> Optimum {
        let mut values = HashMap::new();
        for own in 0..TARGET {
            for other in 0..TARGET {
                for pot in 0..TARGET + 6 {
                    values.insert((own, other, pot), 0.5);
                }
            }
        }
        let mut optimum = Optimum(values);
        for _ in 0..200 {
            let keys: Vec<_> = optimum.0.keys().copied().collect();
            for (own, other, pot) in keys {
                let value = optimum
                    .hold(own, other, pot)
                    .max(optimum.roll(own, other, pot));
                optimum.0.insert((own, other, pot), value);
            }
        }
        optimum
    }

    fn hold(&self, own: u16, other: u16, pot: u16) -> f64 {
        if own + pot >= TARGET {
            1.0
        } else {
            1.0 - self.0[&(other, own + pot, 0)]
        }
    }

    fn roll(&self, own: u16, other: u16, pot: u16) -> f64 {
        let bust = 1.0 - self.0[&(other, own, 0)];
        let on = |pips: u16| match own + pot + pips >= TARGET {
            true => 1.0,
            false => self.0[&(own, other, pot + pips)],
        };
        (bust + (2..=6).map(on).sum::<f64>()) / 6.0
    }
}

fn pig(own: u16, other: u16, pot: u16) -> Pig {
    Pig::from_text(&format!("{TARGET} {own}:{other} {pot} 0 waiting")).expect("a position of Pig")
}

#[test]
fn tree_search_holds_and_rolls_like_the_exact_optimum_where_it_is_clear() {
    let optimum = Optimum::compute();
    let (mut clear, mut right, mut off) = (0, 0, 0.0_f64);
    for own in (0..TARGET).step_by(3) {
        for other in (0..TARGET).step_by(3) {
            for pot in 0..TARGET - own {
                let (hold, roll) = (optimum.hold(own, other, pot), optimum.roll(own, other, pot));
                if (hold - roll).abs() < 0.05 {
                    continue;
                }
                let best = if hold > roll {
                    PigMove::Hold
                } else {
                    PigMove::Roll
                };
                let mut bot = Mcts::new(11);
                let choice = bot
                    .choose(&pig(own, other, pot), &mut Nodes(6_000))
                    .expect("a seat is to move");
                clear += 1;
                right += u32::from(choice.mv == best);
                let value = choice.info.value.expect("a tree search estimates");
                off = off.max((value - (2.0 * hold.max(roll) - 1.0)).abs());
            }
        }
    }
    assert!(clear > 50, "only {clear} clear positions");
    assert_eq!(
        right, clear,
        "of {clear} clear positions, {right} are played right"
    );
    assert!(off < 0.2, "a value is off by {off}");
}

#[test]
fn tree_search_beats_random_play_at_a_game_of_luck() {
    let mut luck = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut won = 0;
    for game in 0..60 {
        let mut position = Pig::new(30);
        let mut bots: [Box<dyn Strategy<Pig>>; 2] =
            [Box::new(Mcts::new(game)), Box::new(Random::new(game))];
        let winner = loop {
            match position.turn() {
                Turn::Over(outcome) => break outcome.winner().expect("somebody wins at Pig"),
                Turn::Chance => {
                    let chances = position.chances();
                    position
                        .resolve(choose_weighted(&mut luck, &chances).expect("a die has faces"));
                }
                Turn::Move(seat) => {
                    let bot = &mut bots[(seat.index() + game as usize) % 2];
                    let mv = bot
                        .choose(&position, &mut Nodes(200))
                        .expect("a seat is to move")
                        .mv;
                    position.play(&mv);
                }
            }
        };
        won += u32::from(winner.index() == game as usize % 2);
    }
    assert!(won >= 54, "won {won} of 60");
}

#[test]
fn the_same_seed_and_budget_give_the_same_choice() {
    let think = |seed| {
        Mcts::new(seed)
            .choose(&pig(3, 4, 2), &mut Nodes(2_000))
            .expect("a seat is to move")
    };
    assert_eq!(think(1), think(1));
    assert_ne!(think(1).info.value, think(2).info.value);
}

#[test]
fn forgetting_makes_a_strategy_new() {
    let mut bot = Mcts::new(4);
    let first = bot.choose(&pig(0, 0, 0), &mut Nodes(500));
    bot.choose(&pig(5, 5, 5), &mut Nodes(500));
    Strategy::<Pig>::forget(&mut bot);
    assert_eq!(bot.choose(&pig(0, 0, 0), &mut Nodes(500)), first);
}

#[test]
fn the_tree_is_kept_when_the_game_continues() {
    let mut position = pig(0, 0, 0);
    let mut bot = Mcts::new(9);
    bot.choose(&position, &mut Nodes(5_000))
        .expect("a seat is to move");
    position.play(&PigMove::Roll);
    position.resolve(&PigRoll::new(4).expect("four is a face of a die"));
    let size = bot.size();
    bot.choose(&position, &mut Nodes(0))
        .expect("a seat is to move");
    assert!(bot.visits() > 300, "only {} visits were kept", bot.visits());
    assert!(
        bot.size() < size / 2,
        "what cannot be reached any more is forgotten"
    );

    bot.choose(&pig(9, 9, 0), &mut Nodes(0))
        .expect("a seat is to move");
    assert_eq!(
        bot.visits(),
        0,
        "nothing is known of a position of another game"
    );
}

#[test]
fn a_budget_bounds_the_nodes_and_zero_still_gives_a_move() {
    let nodes = |budget: &mut dyn Budget| {
        Mcts::new(1)
            .choose(&pig(0, 0, 0), budget)
            .map(|choice| choice.info.nodes)
            .expect("a seat is to move")
    };
    assert_eq!(nodes(&mut Nodes(0)), 0);
    assert_eq!(nodes(&mut Nodes(777)), 777);
    assert_eq!(
        nodes(&mut AtMost {
            nodes: 10,
            inner: &mut Nodes(777)
        }),
        10
    );
    assert_eq!(
        nodes(&mut AtMost {
            nodes: 777,
            inner: &mut |nodes| nodes >= 5
        }),
        5
    );
}

#[test]
fn the_tree_stops_growing_at_its_limit() {
    let settings = parlor_bots::mcts::MctsSettings {
        max_nodes: 100,
        ..Default::default()
    };
    let mut bot = Mcts::with_policy(1, parlor_bots::Uniform::default(), settings);
    let choice = bot
        .choose(&pig(0, 0, 0), &mut Nodes(2_000))
        .expect("a seat is to move");
    assert_eq!(choice.info.nodes, 2_000);
    assert!(bot.size() <= 100, "{} nodes", bot.size());
}

#[test]
fn there_is_no_choice_if_no_seat_is_to_move() {
    let mut rolling = pig(0, 0, 0);
    rolling.play(&PigMove::Roll);
    assert_eq!(Mcts::new(1).choose(&rolling, &mut Nodes(10)), None);
    assert_eq!(Random::new(1).choose(&rolling, &mut Nodes(10)), None);
}

#[test]
fn a_seat_plays_its_own_moves_and_counts_on_those_of_others() {
    let choice = Mcts::new(1)
        .choose(&Lamps::default(), &mut Nodes(200))
        .expect("a seat is to move");
    assert_eq!(
        (choice.mv, choice.info.value),
        (Lamp::Light, Some(1.0)),
        "the partner can do the rest: {choice:?}"
    );
    assert!(choice.info.line.contains(&Lamp::Spare));
}
