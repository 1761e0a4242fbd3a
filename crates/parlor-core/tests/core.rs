//! Tests of the core abstractions on the toy game.

use parlor_core::perft::{self, perft};
use parlor_core::testing::pig::{Pig, PigMove, PigRoll};
use parlor_core::testing::{Suite, perft_table};
use parlor_core::{NoChance, Notation, Outcome, Position, Seat, Turn, playout, random_below};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

#[test]
fn pig_passes_the_conformance_suite() {
    Suite::default().run(&Pig::new(20));
}

#[test]
fn a_chance_is_followed_by_every_face_in_perft() {
    let table = "position startpos\n1 2\n2 14\n# after a hold the other seat decides\nposition 20 0:0 0 1 waiting\n1 2";
    assert_eq!(perft_table(&Pig::new(20), table, u64::MAX), 3);
}

#[test]
#[should_panic(expected = "perft 1")]
fn a_wrong_perft_table_is_noticed() {
    perft_table(&Pig::new(20), "position startpos\n1 3", u64::MAX);
}

#[test]
fn divide_splits_perft_by_first_move() {
    let split = perft::divide(&Pig::new(20), 3);
    let total: u64 = split.iter().map(|(_, leaves)| leaves).sum();
    assert_eq!(total, perft(&Pig::new(20), 3));
    assert_eq!(split.len(), 2);
}

#[test]
fn a_move_is_refused_while_a_chance_is_due() {
    let mut pig = Pig::new(20);
    pig.play(&PigMove::Roll);
    assert_eq!(
        pig.try_play(&PigMove::Hold).map_err(|e| e.to_string()),
        Err("the die is still rolling".to_owned())
    );
    assert_eq!(pig.turn(), Turn::Chance);
}

#[test]
fn an_impossible_chance_is_refused() {
    let mut pig = Pig::new(20);
    let six = PigRoll::new(6).expect("six is a face");
    let before = pig.text();
    let refused = pig.try_resolve(&six).expect_err("nobody rolls now");
    assert_eq!(
        refused.to_string(),
        "6 is not a possible chance in this position"
    );
    assert_eq!(pig.text(), before);
}

#[test]
fn no_text_is_a_chance_of_a_game_without_luck() {
    let wrong = "6".parse::<NoChance>().expect_err("no chance");
    assert!(wrong.to_string().contains("there is no luck"), "{wrong}");
    assert!(serde_json::from_str::<NoChance>("\"6\"").is_err());
    let none: Vec<NoChance> = Vec::new();
    assert_eq!(serde_json::to_string(&none).expect("JSON"), "[]");
}

#[test]
fn a_playout_is_a_function_of_its_seed() {
    let end = |seed| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut pig = Pig::new(20);
        let end = playout(&mut pig, &mut rng, 10_000, &mut Default::default());
        (end, pig.text())
    };
    assert_eq!(end(7), end(7));
    assert!((0..20).any(|seed| end(seed) != end(7)));
}

#[test]
fn a_playout_stops_at_its_limit() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let end = playout(&mut Pig::new(1000), &mut rng, 5, &mut Default::default());
    assert_eq!((end.outcome, end.plies), (None, 5));
}

#[test]
fn random_below_is_uniform_within_five_sigma() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let mut seen = [0u32; 7];
    (0..70_000).for_each(|_| seen[random_below(&mut rng, 7) as usize] += 1);
    assert!(
        seen.iter()
            .all(|&n| (n as f64 - 10_000.0).abs() < 5.0 * 92.6),
        "{seen:?}"
    );
}

#[test]
fn payoffs_of_a_win_sum_to_zero_for_any_number_of_seats() {
    for seats in 1..=Seat::LIMIT {
        for by in Seat::all(seats) {
            let sum: i32 = Seat::all(seats)
                .map(|s| Outcome::Won { by, points: 3 }.payoff(s, seats))
                .sum();
            assert_eq!(sum, 0);
        }
    }
}
