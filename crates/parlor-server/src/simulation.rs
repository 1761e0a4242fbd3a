//! Whole houses of several nodes in simulation: everything but the sockets and the threads is the
//! real server, while time, network and failures follow from a seed.
//!
//! Nodes run on one thread in turns, each on a runtime of its own whose time stands still between
//! the turns. They share a database whose answers are late or lost, and a bus whose hints are late,
//! lost or doubled. They are killed, ended, stopped and continued, and their clocks differ. People play,
//! watch, listen, claim and wait for opponents on any of them, and note what they were told; at the
//! end all of it must fit together.
//!
//! A failure names its seed. The same seed gives the same failures at the same times; only the order
//! in which the standard library's hash maps are walked may differ. These run more seeds, or one:
//!
//! ```sh
//! PARLOR_SEEDS=1000..2000 cargo test --release -p parlor-server --lib simulation
//! PARLOR_SEEDS=1234..1235 cargo test --release -p parlor-server --lib simulation
//! ```

mod chance;
mod house;
mod network;
mod people;

use std::ops::Range;

use self::house::House;
use self::people::Story;

/// Time during which things fail, in milliseconds: in most simulations, and in each tenth one, where
/// people who think can be away for long enough to be claimed.
const TROUBLE_MS: [i64; 2] = [4_000, 20_000];
/// Time after it in which everything must come right, in milliseconds.
const PEACE_MS: i64 = 8_000;

/// Runs one simulation and returns what was wrong.
fn simulate(seed: u64) -> Vec<String> {
    let mut house = House::new(seed);
    let story = Story::begin(&mut house);
    let is_long = seed.is_multiple_of(10);
    house.pass(TROUBLE_MS[usize::from(is_long)], true);
    house.heal();
    story.calm();
    house.pass(PEACE_MS, false);
    story.check(&mut house)
}

/// Runs a part of the seeds. The tests are several, so that they run side by side.
fn simulate_all(seeds: Range<u64>) {
    let wanted = std::env::var("PARLOR_SEEDS").ok();
    let wanted = wanted.and_then(|range| {
        let (first, end) = range.split_once("..")?;
        Some(first.parse().ok()?..end.parse().ok()?)
    });
    let size = seeds.end - seeds.start;
    let seeds = match wanted {
        // Each of the tests takes its share.
        Some(Range { start, end }) => {
            let (part, parts) = (seeds.start / size, SEEDS / size);
            (start..end)
                .filter(move |seed| seed % parts == part)
                .collect()
        }
        None => seeds.collect::<Vec<_>>(),
    };
    for seed in seeds {
        let wrong = simulate(seed);
        assert!(wrong.is_empty(), "seed {seed}:\n{}", wrong.join("\n"));
    }
}

/// Number of seeds of all tests here.
const SEEDS: u64 = 500;

#[test]
fn nothing_is_lost_in_the_first_hundred() {
    simulate_all(0..100);
}

#[test]
fn nothing_is_lost_in_the_second_hundred() {
    simulate_all(100..200);
}

#[test]
fn nothing_is_lost_in_the_third_hundred() {
    simulate_all(200..300);
}

#[test]
fn nothing_is_lost_in_the_fourth_hundred() {
    simulate_all(300..400);
}

#[test]
fn nothing_is_lost_in_the_fifth_hundred() {
    simulate_all(400..500);
}
