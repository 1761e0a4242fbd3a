//! Trains the net for ultimate tic-tac-toe, from scratch to the weights in the repository.
//!
//! ```text
//! train_ultimate playouts FILE COUNT EACH SEED
//!     samples from random games, with the mean result of EACH playouts
//! train_ultimate play NET FILE SECONDS NODES SEED
//!     samples from self-play of a net
//! train_ultimate fit NET FROM PASSES TRUST SEED FILE...
//!     a net fitted to samples, starting from the net FROM or from `random`
//! train_ultimate match A B GAMES BUDGET SEED [KEY=VALUE...]
//! ```
//! The sides of a match are files of nets, `house` for the built-in net, or `playouts` for a tree
//! search without a net. A budget is `100ms` or `5000` simulations. Keys of a match:
//! `a.exploration`, `b.temperature`, `a.lookahead`, `b.budget`.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::time::{Duration, Instant};

use parlor_bots::ultimate::training::{
    UltimateSample, UltimateSelfPlayer, UltimateTrainer, playouts,
};
use parlor_bots::ultimate::{NetSearch, NetSearchSettings, UltimateNet, UltimatePlayouts};
use parlor_bots::{Budget, Mcts, Nodes, Prng, Strategy, mcts};
use parlor_core::{Position, Seat, random_below};
use parlor_tictactoe::ultimate::{Game, Rules};
use rand_xoshiro::rand_core::SeedableRng;

type Done = Result<(), Box<dyn Error>>;

fn main() -> Done {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["playouts", file, count, each, seed] => save(
            file,
            &playouts(count.parse()?, each.parse()?, seed.parse()?),
        ),
        ["play", net, file, seconds, nodes, seed] => play(
            net,
            file,
            Duration::from_secs(seconds.parse()?),
            nodes.parse()?,
            seed.parse()?,
        ),
        ["fit", to, from, passes, trust, seed, ref files @ ..] => fit(
            to,
            from,
            passes.parse()?,
            trust.parse()?,
            seed.parse()?,
            files,
        ),
        ["match", a, b, games, budget, seed, ref settings @ ..] => {
            contest([a, b], games.parse()?, budget, seed.parse()?, settings)
        }
        _ => Err("see the first lines of the source for how it is called".into()),
    }
}

fn save(file: &str, samples: &[UltimateSample]) -> Done {
    let mut out = BufWriter::new(File::options().create(true).append(true).open(file)?);
    for sample in samples {
        out.write_all(&sample.to_bytes())?;
    }
    Ok(out.flush()?)
}

fn load(file: &str) -> Result<UltimateNet, Box<dyn Error>> {
    Ok(UltimateNet::from_bytes(&fs::read(file)?).ok_or("not a net of this shape")?)
}

fn play(net: &str, file: &str, time: Duration, nodes: u64, seed: u64) -> Done {
    let mut player =
        UltimateSelfPlayer::new(&load(net)?, NetSearchSettings::default(), nodes, seed);
    let start = Instant::now();
    let (mut games, mut total) = (0, 0);
    while start.elapsed() < time {
        let mut samples = Vec::new();
        for _ in 0..50 {
            player.game(&mut samples);
        }
        save(file, &samples)?;
        (games, total) = (games + 50, total + samples.len());
    }
    println!(
        "{games} games, {total} samples in {:.0} s",
        start.elapsed().as_secs_f64()
    );
    Ok(())
}

fn fit(to: &str, from: &str, passes: u32, trust: f32, seed: u64, files: &[&str]) -> Done {
    const BATCH: usize = 1024;
    let mut samples = Vec::new();
    for file in files {
        samples.extend(
            fs::read(file)?
                .as_chunks()
                .0
                .iter()
                .map(UltimateSample::from_bytes),
        );
    }
    // The last part is held out: whole games, never learned from.
    let held = samples.split_off(samples.len() - (samples.len() / 20).min(50_000));
    let mut rng = Prng::seed_from_u64(seed);
    let mut trainer = if from == "random" {
        UltimateTrainer::new(seed)
    } else {
        UltimateTrainer::from_net(load(from)?, seed)
    };
    println!("{} samples, {} held back", samples.len(), held.len());
    for pass in 0..passes {
        for i in (1..samples.len()).rev() {
            samples.swap(i, random_below(&mut rng, i as u32 + 1) as usize);
        }
        let mut error = 0.0;
        let batches = samples.len().div_ceil(BATCH);
        for (i, batch) in samples.chunks(BATCH).enumerate() {
            let done = (pass as f32 + i as f32 / batches as f32) / passes as f32;
            let rate = 2e-3 * (0.5 + 0.5 * (done * std::f32::consts::PI).cos()) + 1e-5;
            error += trainer.step(batch.iter(), trust, rate);
        }
        println!(
            "pass {pass}: {:.5}, held back {:.5}",
            error / batches as f32,
            trainer.error(held.iter(), trust)
        );
        fs::write(to, trainer.net().to_bytes())?;
    }
    Ok(())
}

/// Creates a budget for each move.
type Limit = Box<dyn Fn() -> Box<dyn Budget>>;

fn budget(text: &str) -> Result<Limit, Box<dyn Error>> {
    Ok(match text.strip_suffix("ms") {
        Some(ms) => {
            let time = Duration::from_millis(ms.parse()?);
            Box::new(move || {
                let end = Instant::now() + time;
                Box::new(move |nodes: u64| nodes.is_multiple_of(16) && Instant::now() >= end)
            })
        }
        None => {
            let nodes = text.parse()?;
            Box::new(move || Box::new(Nodes(nodes)))
        }
    })
}

type Bot = Box<dyn Strategy<Game>>;

fn side(name: &str, settings: NetSearchSettings, seed: u64) -> Result<Bot, Box<dyn Error>> {
    Ok(match name {
        "playouts" => Box::new(Mcts::with_policy(
            seed,
            UltimatePlayouts,
            mcts::MctsSettings::default(),
        )),
        "house" => Box::new(NetSearch::with_net(
            &UltimateNet::built_in(),
            settings,
            seed,
        )),
        file => Box::new(NetSearch::with_net(&load(file)?, settings, seed)),
    })
}

fn contest(names: [&str; 2], games: u32, limit: &str, seed: u64, words: &[&str]) -> Done {
    let mut settings = [NetSearchSettings::default(); 2];
    let mut limits = [budget(limit)?, budget(limit)?];
    for word in words {
        let (key, value) = word.split_once('=').ok_or("KEY=VALUE")?;
        let (who, name) = key.split_once('.').ok_or("a.KEY or b.KEY")?;
        let who = usize::from(who == "b");
        match name {
            "exploration" => settings[who].exploration = value.parse()?,
            "temperature" => settings[who].temperature = value.parse()?,
            "lookahead" => settings[who].lookahead = value.parse()?,
            "budget" => limits[who] = budget(value)?,
            _ => return Err("no such setting".into()),
        }
    }
    let mut bots = [
        side(names[0], settings[0], seed)?,
        side(names[1], settings[1], seed + 1)?,
    ];
    let mut rng = Prng::seed_from_u64(seed);
    let (mut ends, mut pairs) = ([0; 3], Vec::new());
    for _ in 0..games / 2 {
        let mut start = Game::new(Rules::default());
        for _ in 0..4 {
            start
                .random_move(&mut rng, &mut Vec::new())
                .iter()
                .for_each(|mv| start.play(mv));
        }
        let points = [Seat::FIRST, Seat::SECOND].map(|seat| duel(start, &mut bots, &limits, seat));
        points
            .into_iter()
            .for_each(|points| ends[points as usize] += 1);
        pairs.push(f64::from(points[0] + points[1]) / 4.0);
    }
    let score = pairs.iter().sum::<f64>() / pairs.len() as f64;
    let spread =
        pairs.iter().map(|pair| (pair - score).powi(2)).sum::<f64>() / (pairs.len() as f64 - 1.0);
    let error = 1.96 * (spread / pairs.len() as f64).sqrt();
    let elo = |s: f64| -400.0 * (1.0 / s.clamp(1e-4, 1.0 - 1e-4) - 1.0).log10();
    let [low, middle, high] = [score - error, score, score + error].map(elo);
    let [lost, drawn, won] = ends;
    println!(
        "W {won} D {drawn} L {lost}  score {score:.3}  Elo {middle:+.0} [{low:+.0}, {high:+.0}]  {names:?} {limit} {words:?}"
    );
    Ok(())
}

/// Returns the points of the first bot, which has this seat: 0, 1 or 2.
fn duel(mut game: Game, bots: &mut [Bot; 2], limits: &[Limit; 2], seat: Seat) -> i32 {
    bots.iter_mut().for_each(|bot| bot.forget());
    while let Some(turn) = game.turn().seat() {
        let who = usize::from(turn != seat);
        let Some(choice) = bots[who].choose(&game, &mut *limits[who]()) else {
            break;
        };
        game.play(&choice.mv);
    }
    1 + game
        .turn()
        .outcome()
        .map_or(0, |outcome| outcome.payoff(seat, 2))
}
