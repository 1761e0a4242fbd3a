//! Makes the net for backgammon, from nothing to the weights in the repository.
//!
//! ```text
//! train_backgammon run FOLDER GAMES SEED [FROM]     trains until so many games, or goes on with what is in FOLDER; FROM is a net to begin with
//! train_backgammon net CHECKPOINT FILE              the net of a checkpoint, as it is stored in the repository
//! train_backgammon match A B GAMES SEED             points per game of net A against net B, or against `greedy`
//! train_backgammon positions NET COUNT SEED         positions of games of a net against itself, to be judged by others
//! ```
//! In FOLDER are `checkpoint`, the newest state, and `net-GAMES`, the nets on the way.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use parlor_backgammon::{Board, Die, Roll};
use parlor_bots::Prng;
use parlor_bots::backgammon::training::{Player, Training, against_greedy, between};
use parlor_bots::backgammon::{Eval, Nets, Size};
use parlor_core::below;
use rand_xoshiro::rand_core::SeedableRng;

type Done = Result<(), Box<dyn Error>>;

fn main() -> Done {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["run", folder, games, seed, ref from @ ..] => {
            run(Path::new(folder), games.parse()?, seed.parse()?, from.first().copied())
        }
        ["net", checkpoint, file] => {
            let training = Training::from_bytes(&fs::read(checkpoint)?).ok_or("not a checkpoint of this shape")?;
            Ok(fs::write(file, training.nets().to_bytes())?)
        }
        ["match", a, b, games, seed] => contest(a, b, games.parse()?, seed.parse()?),
        ["positions", net, count, seed] => positions(net, count.parse()?, seed.parse()?),
        _ => Err("see the first lines of the source for how it is called".into()),
    }
}

fn load(file: &str) -> Result<Eval, Box<dyn Error>> {
    Ok(Eval::new(&Nets::from_bytes(&fs::read(file)?).ok_or("not a net of this shape")?))
}

fn run(folder: &Path, games: u64, seed: u64, from: Option<&str>) -> Done {
    const REPORT: Duration = Duration::from_secs(30);
    fs::create_dir_all(folder)?;
    let path = folder.join("checkpoint");
    let mut training = match (fs::read(&path), from) {
        (Ok(bytes), _) => Training::from_bytes(&bytes).ok_or("not a checkpoint of this shape")?.until(games),
        (_, Some(net)) => {
            let nets = Nets::from_bytes(&fs::read(net)?).ok_or("not a net of this shape")?;
            Training::from_nets(nets, seed, games)
        }
        _ => Training::new(
            &Nets::zero(if std::env::var_os("SMALL").is_some() { Size::Small } else { Size::Full }),
            seed,
            games,
        ),
    };
    let mut told = Progress::default();
    let mut next = 1_000;
    while next <= training.games() {
        next = after(next);
    }
    while !training.is_done() {
        let start = Instant::now();
        let eval = Eval::new(&training.nets());
        let threads: u64 = std::env::var("THREADS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
        let parts = std::thread::scope(|scope| {
            let (training, eval) = (&training, &eval);
            let all: Vec<_> = (0..threads)
                .map(|t| {
                    scope.spawn(move || {
                        (t..Training::PARTS)
                            .step_by(threads as usize)
                            .map(|p| (p, training.play(eval, p)))
                            .collect::<Vec<_>>()
                    })
                })
                .collect();
            let mut parts: Vec<_> = all.into_iter().flat_map(|one| one.join().expect("no panic")).collect();
            parts.sort_by_key(|(p, _)| *p);
            parts.into_iter().map(|(_, part)| part).collect()
        });
        let round = training.learn(parts);
        told.add(start.elapsed(), round.samples, round.judged, round.error);
        if told.time >= REPORT || training.is_done() {
            told.tell(&training);
            fs::write(&path, training.to_bytes())?;
        }
        if training.games() >= next || training.is_done() {
            fs::write(folder.join(format!("net-{}", training.games())), training.nets().to_bytes())?;
            next = after(next);
        }
    }
    Ok(())
}

/// 1,000, 2,000, 5,000, 10,000, … games.
fn after(games: u64) -> u64 {
    if games.to_string().starts_with('2') { games / 2 * 5 } else { games * 2 }
}

#[derive(Default)]
struct Progress {
    time: Duration,
    rounds: u32,
    samples: usize,
    judged: u64,
    error: f32,
}

impl Progress {
    fn add(&mut self, time: Duration, samples: usize, judged: u64, error: f32) {
        self.time += time;
        self.rounds += 1;
        self.samples += samples;
        self.judged += judged;
        self.error += error;
    }

    fn tell(&mut self, training: &Training) {
        let seconds = self.time.as_secs_f64();
        let games = f64::from(self.rounds) * Training::ROUND as f64;
        let (points, error) = against_greedy(&Eval::new(&training.nets()), 1_000, &mut Prng::seed_from_u64(1));
        println!(
            "{} games, {:.0} games/s, {:.0} k positions judged/s, rate {:.1e}, lambda {:.2}, error {:.4}, {points:+.3} ({error:.3}) \
             points per game against greedy",
            training.games(),
            games / seconds,
            self.judged as f64 / seconds / 1e3,
            training.rate(),
            training.trust(),
            self.error / self.rounds.max(1) as f32,
        );
        *self = Progress::default();
    }
}

fn contest(a: &str, b: &str, games: u32, seed: u64) -> Done {
    let mut rng = Prng::seed_from_u64(seed);
    let (points, error) = match b {
        "greedy" => against_greedy(&load(a)?, games, &mut rng),
        b => between(&load(a)?, &load(b)?, games, &mut rng),
    };
    println!("{a} against {b}: {points:+.4} ({error:.4}) points per game, {games} games");
    Ok(())
}

/// Writes one position in twelve, as lines of JSON: 24 points, white's positive, from white's far end; black moves down.
fn positions(net: &str, count: usize, seed: u64) -> Done {
    let mut rng = Prng::seed_from_u64(seed);
    let mut player = Player::new(load(net)?, false);
    let die = |rng: &mut Prng| Die::new(below(rng, 6) as u8 + 1).expect("1 to 6");
    let (mut board, mut told) = (Board::START, 0);
    while told < count {
        let dice = [die(&mut rng), die(&mut rng)];
        if below(&mut rng, 12) == 0 {
            told += 1;
            println!("{}", line(&board, dice));
        }
        board = player.best(&board, Roll::new(dice[0], dice[1])).0;
        if board.swapped().won().is_some() {
            board = Board::START;
        }
    }
    Ok(())
}

/// The mover is black, whose point p has the index p - 1.
fn line(board: &Board, dice: [Die; 2]) -> String {
    let (mover, other) = (board.mover(), board.other());
    let at = |point: u8| i32::from(other.count(25 - point)) - i32::from(mover.count(point));
    let points: Vec<i32> = (1..=24).map(at).collect();
    format!(
        r#"{{"board":{points:?},"bar":[{},{}],"off":[{},{}],"turn":"b","dice":[{},{}]}}"#,
        other.bar(),
        mover.bar(),
        other.off(),
        mover.off(),
        dice[0],
        dice[1]
    )
}
