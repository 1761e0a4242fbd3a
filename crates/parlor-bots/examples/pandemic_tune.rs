//! Tunes the quick policy of Pandemic: `cargo run --release -p parlor-bots --example pandemic_tune
//! -- play 200 2 4`.
//!
//! `play GAMES PLAYERS EPIDEMICS` measures the policy. `evolve GENERATIONS SEED [PLAYERS]` evolves
//! its weights, and prints them. `leaf GAMES SEED PLAYERS` fits the value of a position to the
//! results of games of the policy. `chances PLAYERS FILE...` fits the adviser's chances to results of
//! teams: lines of `pandemic_teams --positions`, others are skipped. All results are functions of the seed.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::sync::Arc;

use parlor_bots::Prng;
use parlor_bots::pandemic::{EventScope, PandemicPolicy, PolicyWeights, features};
use parlor_core::{Outcome, Position, Turn, random_below};
use parlor_pandemic::{Consent, Game, PandemicEnding, Rules, Stage};
use rand_xoshiro::rand_core::SeedableRng;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |n: usize, default: u64| words.get(n).map_or(Ok(default), |word| word.parse::<u64>());
    match words.first().map(String::as_str) {
        Some("play") => play(number(1, 200)?, number(2, 2)? as u8, number(3, 4)? as u8)?,
        Some("evolve") => evolve(
            number(1, 50)?,
            number(2, 1)?,
            words.get(3).map(|word| word.parse()).transpose()?,
        )?,
        Some("leaf") => leaf(number(1, 2_000)?, number(2, 1)?, number(3, 2)? as u8)?,
        Some("chances") => chances(number(1, 2)? as u8, &words[2..])?,
        _ => println!(
            "play GAMES PLAYERS EPIDEMICS | evolve GENERATIONS SEED [PLAYERS] | leaf GAMES SEED PLAYERS | \
             chances PLAYERS FILE..."
        ),
    }
    Ok(())
}

/// Plays a game by the policy and returns it with the number of its moves; `look` is called at the
/// start of every turn.
fn one(
    greedy: &mut PandemicPolicy,
    rules: Rules,
    seed: u64,
    mut look: impl FnMut(&Game),
) -> (Game, u32) {
    let (mut game, mut rng) = (Game::new(rules), Prng::seed_from_u64(seed));
    let (mut scratch, mut steps, mut active) = (Vec::new(), 0, None);
    loop {
        match game.turn() {
            Turn::Over(_) => return (game, steps),
            Turn::Chance => {
                let chance = game
                    .random_chance(&mut rng, &mut scratch)
                    .expect("luck decides");
                game.resolve_unchecked(&chance);
            }
            Turn::Move(_) => {
                if game.stage() == Stage::Actions && active != Some(game.active()) {
                    active = Some(game.active());
                    look(&game);
                }
                let m = greedy
                    .decide(&game, EventScope::Team)
                    .expect("a seat is to move");
                game.play_unchecked(&m);
                steps += 1;
            }
        }
    }
}

/// Returns the CPU time of this thread in seconds, or 0 if the system does not report it.
fn cpu() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    told.split(' ')
        .next()
        .and_then(|nanoseconds| nanoseconds.parse::<f64>().ok())
        .unwrap_or(0.0)
        * 1e-9
}

fn rules(players: u8, epidemics: u8) -> Result<Rules, Box<dyn Error>> {
    Ok(Rules::new(players, epidemics)?.with_consent(Consent::Implied))
}

fn play(games: u64, players: u8, epidemics: u8) -> Result<(), Box<dyn Error>> {
    let mut greedy = PandemicPolicy::new(PolicyWeights::built_in(players));
    let (rules, begin) = (rules(players, epidemics)?, cpu());
    let (mut ends, mut cures, mut steps) = ([0; 4], 0, 0);
    for seed in 0..games {
        let (game, played) = one(&mut greedy, rules, seed, |_| {});
        let end = match game.ending() {
            Some(PandemicEnding::Cured) => 0,
            Some(PandemicEnding::Outbreaks) => 1,
            Some(PandemicEnding::Cubes(_)) => 2,
            _ => 3,
        };
        ends[end] += 1;
        cures += u32::from(game.cures());
        steps += played;
    }
    let took = cpu() - begin;
    println!(
        "{players} players, {epidemics} epidemics: won {:.1} %, lost by outbreaks {}, cubes {}, cards {}; {:.2} cures; {:.2} us per move",
        100.0 * f64::from(ends[0]) / games as f64,
        ends[1],
        ends[2],
        ends[3],
        f64::from(cures) / games as f64,
        1e6 * took / f64::from(steps)
    );
    Ok(())
}

/// Epidemics in the games that weights are tuned in.
const EPIDEMICS: [u8; 3] = [4, 5, 5];

/// Fitness of weights over a series of games: wins, plus a little for each cure and for the time
/// left.
fn fitness(
    weights: &PolicyWeights,
    players: Option<u8>,
    seeds: std::ops::Range<u64>,
) -> Result<Vec<f32>, Box<dyn Error>> {
    let mut greedy = PandemicPolicy::new(Arc::new(weights.clone()));
    let mut all = Vec::new();
    for seed in seeds {
        let players = players.unwrap_or(2 + (seed / 3 % 3) as u8);
        let epidemics = EPIDEMICS[seed as usize % EPIDEMICS.len()];
        let (game, _) = one(&mut greedy, rules(players, epidemics)?, seed, |_| {});
        let won = f32::from(u8::from(game.turn() == Turn::Over(Outcome::TeamWon)));
        all.push(won + 0.1 * f32::from(game.cures()));
    }
    Ok(all)
}

/// Returns an approximately normal number, mostly between -2 and 2.
fn normal(rng: &mut Prng) -> f32 {
    (0..12)
        .map(|_| random_below(rng, 1 << 20) as f32 / (1 << 20) as f32)
        .sum::<f32>()
        - 6.0
}

/// Evolution strategy with a distribution for each weight, paired games, and the better half of
/// each generation.
fn evolve(generations: u64, seed: u64, players: Option<u8>) -> Result<(), Box<dyn Error>> {
    const CHILDREN: usize = 24;
    const GAMES: u64 = 240;
    let mut rng = Prng::seed_from_u64(seed);
    let mut mean = PolicyWeights::built_in(players.unwrap_or(3)).to_list();
    let mut spread = mean.map(|weight| 0.12 * weight.abs() + 0.03);
    for generation in 0..generations {
        let first = 1_000_000 + (seed * 1_000 + generation) * GAMES;
        let mut children = Vec::new();
        for pair in 0..CHILDREN / 2 {
            let steps: Vec<f32> = spread
                .iter()
                .map(|spread| spread * normal(&mut rng))
                .collect();
            for sign in [1.0, -1.0] {
                let mut list = mean;
                list.iter_mut()
                    .zip(&steps)
                    .for_each(|(weight, step)| *weight += sign * step);
                let fit: f32 = fitness(
                    &PolicyWeights::from_list(&list),
                    players,
                    first..first + GAMES,
                )?
                .iter()
                .sum();
                children.push((fit, list));
            }
            let _ = pair;
        }
        children.sort_by(|a, b| b.0.total_cmp(&a.0));
        let best = &children[..CHILDREN / 3];
        let total: f32 = (0..best.len()).map(|rank| 1.0 / (1.0 + rank as f32)).sum();
        for at in 0..mean.len() {
            let share = |rank: usize| 1.0 / (1.0 + rank as f32) / total;
            let goal: f32 = best
                .iter()
                .enumerate()
                .map(|(rank, (_, list))| share(rank) * list[at])
                .sum();
            let wide = best
                .iter()
                .enumerate()
                .map(|(rank, (_, list))| share(rank) * (list[at] - mean[at]).powi(2));
            let wide = wide.sum::<f32>().sqrt();
            spread[at] = 0.85 * spread[at] + 0.15 * wide;
            mean[at] = 0.5 * mean[at] + 0.5 * goal;
        }
        let all: f32 = children.iter().map(|(fit, _)| fit).sum::<f32>() / CHILDREN as f32;
        println!(
            "generation {generation}: best {:.3}, mean {:.3}",
            best[0].0 / GAMES as f32,
            all / GAMES as f32
        );
        if generation % 10 == 9 {
            println!("{mean:?}");
        }
    }
    Ok(())
}

/// Logistic regression of results of games on the features at the start of turns.
fn leaf(games: u64, seed: u64, players: u8) -> Result<(), Box<dyn Error>> {
    let house = PolicyWeights::built_in(players);
    let mut greedy = PandemicPolicy::new(house.clone());
    let mut samples: Vec<([f32; features::FEATURES], f32)> = Vec::new();
    for n in 0..games {
        let epidemics = 4 + (n % 3) as u8;
        let mut seen = Vec::new();
        let (game, _) = one(
            &mut greedy,
            rules(players, epidemics)?,
            seed * 1_000_000 + n,
            |game| {
                let mut listed = features::FeatureList([0.0; features::FEATURES]);
                parlor_bots::pandemic::read_features(game, &house.shape, &mut listed);
                seen.push(listed.0);
            },
        );
        let won = f32::from(u8::from(game.turn() == Turn::Over(Outcome::TeamWon)));
        samples.extend(seen.into_iter().map(|list| (list, won)));
    }
    let weights = regress(&samples, seed);
    println!("{weights:?}");
    Ok(())
}

/// Fits the weights of the adviser's chances: constant, cards of the player deck, and odds of rollouts. Prints
/// how often positions were won, in five classes of chances.
fn chances(players: u8, files: &[String]) -> Result<(), Box<dyn Error>> {
    let mut samples: Vec<([f32; 3], f32)> = Vec::new();
    for file in files {
        for line in std::fs::read_to_string(file)?.lines() {
            let numbers: Result<Vec<f32>, _> = line.split(' ').map(str::parse).collect();
            if let Ok([of, share, odds, won]) = numbers.as_deref()
                && *of == f32::from(players)
            {
                samples.push(([1.0, *share, *odds], *won));
            }
        }
    }
    let weights = regress(&samples, 1);
    println!("{weights:?}");
    let chance = |list: &[f32; 3]| {
        let odds: f32 = list.iter().zip(&weights).map(|(x, w)| x * w).sum();
        1.0 / (1.0 + (-odds).exp())
    };
    for class in 0..5_u8 {
        let is_in = |told: f32| (5.0 * told).min(4.0) as u8 == class;
        let told = samples.iter().map(|(list, won)| (chance(list), won));
        let inside: Vec<(f32, &f32)> = told.filter(|(told, _)| is_in(*told)).collect();
        let count = inside.len() as f32;
        println!(
            "told {:.3}, won {:.3} of {count}",
            inside.iter().map(|(told, _)| told).sum::<f32>() / count,
            inside.iter().map(|(_, won)| *won).sum::<f32>() / count
        );
    }
    Ok(())
}

/// Fits weights by stochastic gradient descent with Adam, and returns the log loss on held-out
/// samples.
fn regress<const N: usize>(samples: &[([f32; N], f32)], seed: u64) -> [f32; N] {
    const HELD_BACK: usize = 10;
    let (mut weights, mut first, mut second) = ([0.0_f32; N], [0.0_f32; N], [0.0_f32; N]);
    let mut rng = Prng::seed_from_u64(seed);
    let learned = samples.len() - samples.len() / HELD_BACK;
    let odds = |weights: &[f32; N], list: &[f32; N]| {
        list.iter().zip(weights).map(|(x, w)| x * w).sum::<f32>()
    };
    // Few samples need as many rounds as many.
    let (rounds, batch) = ((20 * learned / 256).max(2_000), 256);
    for round in 1..=rounds {
        let mut gradient = [0.0_f32; N];
        for _ in 0..batch {
            let (list, won) = &samples[random_below(&mut rng, learned as u32) as usize];
            let error = 1.0 / (1.0 + (-odds(&weights, list)).exp()) - won;
            gradient
                .iter_mut()
                .zip(list)
                .for_each(|(sum, x)| *sum += error * x / batch as f32);
        }
        let rate = 0.02 * (1.0 - round as f32 / rounds as f32) + 1e-4;
        for at in 0..N {
            let slope = gradient[at] + 1e-5 * weights[at];
            first[at] = 0.9 * first[at] + 0.1 * slope;
            second[at] = 0.999 * second[at] + 0.001 * slope * slope;
            let correct =
                |moment: f32, base: f32| moment / (1.0 - base.powi(round.min(10_000) as i32));
            weights[at] -=
                rate * correct(first[at], 0.9) / (correct(second[at], 0.999).sqrt() + 1e-8);
        }
    }
    let loss = |(list, won): &([f32; N], f32)| {
        let p = (1.0 / (1.0 + (-odds(&weights, list)).exp())).clamp(1e-6, 1.0 - 1e-6);
        if *won > 0.5 {
            -f64::from(p.ln())
        } else {
            -f64::from((1.0 - p).ln())
        }
    };
    let held = &samples[learned..];
    let base = held.iter().map(|(_, won)| f64::from(*won)).sum::<f64>() / held.len() as f64;
    let mean = held.iter().map(loss).sum::<f64>() / held.len() as f64;
    println!(
        "{} positions, {:.3} of {} held back are won, loss {mean:.4}",
        samples.len(),
        base,
        held.len()
    );
    weights
}
