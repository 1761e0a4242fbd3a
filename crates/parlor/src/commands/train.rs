//! `parlor train`: makes the nets that a bot judges by, from nothing.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use parlor_bots::backgammon::training::{Goals, HeldBack, Part, Round, Training};
use parlor_bots::backgammon::{Eval, Nets, Size};

use crate::failure::Failure;

/// How often it is told how things stand, and everything is written down.
const REPORT: Duration = Duration::from_secs(30);
/// Decisions by which strength is told, and the seed of their games.
const HELD_BACK: (usize, u64) = (400, 7);

/// Trains a bot's nets by games against itself.
///
/// In the folder are `checkpoint`, from which the same command goes on; `net-GAMES`, the nets on the way; and `curve.tsv`, what
/// each report said.
#[derive(Args, Debug)]
#[command(after_help = "\
No other program's judgment is used. The games of a round are played on all cores; the same seed makes the same nets whatever their
number. Strength is the loss per decision on held-back decisions, as the house's own nets judge them looking one roll ahead.

Examples:
  parlor train backgammon nets --games 1000000
  parlor train backgammon more --games 1100000 --from nets/net-1000448 --refine
  parlor external backgammon --net nets/net-1000448        the nets as an opponent of GNU Backgammon")]
pub struct Train {
    /// The game
    #[arg(value_enum)]
    game: Kind,
    /// Where the training is kept
    folder: PathBuf,
    /// How many games the training has in all; more of them can be asked for later
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// What its luck begins with
    #[arg(long, default_value_t = 2026)]
    seed: u64,
    /// How large the nets are: full for strength, small for lower levels
    #[arg(long, value_enum, default_value = "full")]
    size: NetSize,
    /// Nets to begin with in place of random ones
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Learn what the nets say of the next roll on average: for nets that are good already
    #[arg(long, requires = "from")]
    refine: bool,
    /// Learn races alone, from wherever the checkers may be
    #[arg(long, requires = "from", conflicts_with = "refine")]
    races: bool,
    /// Threads that play [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Stop after so many minutes; the same command goes on later
    #[arg(long, value_name = "M")]
    minutes: Option<f64>,
}

/// The games with nets.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum Kind {
    /// Five chances of every position
    Backgammon,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum NetSize {
    Full,
    Small,
}

pub fn run(args: &Train, out: &mut dyn Write) -> Result<(), Failure> {
    let Kind::Backgammon = args.game;
    let start = Instant::now();
    let limit = args
        .minutes
        .map(|minutes| Duration::try_from_secs_f64(60.0 * minutes).unwrap_or(Duration::MAX));
    fs::create_dir_all(&args.folder).map_err(|error| refused(&args.folder, &error))?;
    let checkpoint = args.folder.join("checkpoint");
    let mut training = begin(args, &checkpoint)?;
    let threads = args.threads.map_or_else(cores, usize::from);
    let held_back = HeldBack::new(&Eval::new(&Nets::house()), HELD_BACK.0, HELD_BACK.1);
    let mut since = Since::new();
    let mut next = next_net(training.games());
    while !training.is_done() {
        let eval = Eval::new(&training.nets());
        let parts = play(&training, &eval, threads);
        since.add(training.learn(parts));
        let over = limit.is_some_and(|limit| start.elapsed() >= limit);
        let last = training.is_done() || over;
        if since.began.elapsed() >= REPORT || last {
            let report = since.report(&training, &held_back);
            writeln!(out, "{report}")?;
            out.flush()?;
            append(&args.folder.join("curve.tsv"), &report.row())?;
            write(&checkpoint, &training.to_bytes())?;
            since = Since::new();
        }
        if training.games() >= next || training.is_done() {
            write(
                &args.folder.join(format!("net-{}", training.games())),
                &training.nets().to_bytes(),
            )?;
            next = next_net(training.games());
        }
        if over {
            break;
        }
    }
    Ok(())
}

/// What is in the folder, or a new training.
fn begin(args: &Train, checkpoint: &Path) -> Result<Training, Failure> {
    match fs::read(checkpoint) {
        Ok(bytes) => {
            let training = Training::from_bytes(&bytes);
            let training = training.ok_or_else(|| {
                Failure::Refused(format!(
                    "{}: not a checkpoint of this version",
                    checkpoint.display()
                ))
            })?;
            return Ok(training.until(args.games));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(refused(checkpoint, &error)),
    }
    let goals = match (args.refine, args.races) {
        (true, _) => Goals::Ahead,
        (_, true) => Goals::Races,
        _ => Goals::Later,
    };
    let size = match args.size {
        NetSize::Full => Size::Full,
        NetSize::Small => Size::Small,
    };
    match &args.from {
        None => Ok(Training::new(&Nets::zero(size), args.seed, args.games)),
        Some(file) => Ok(Training::from_nets(
            nets(file)?,
            goals,
            args.seed,
            args.games,
        )),
    }
}

/// Nets that were stored in a file.
///
/// # Errors
/// When the file cannot be read or has something else.
pub fn nets(file: &Path) -> Result<Nets, Failure> {
    let bytes = fs::read(file).map_err(|error| refused(file, &error))?;
    let nets = Nets::from_bytes(&bytes);
    nets.ok_or_else(|| {
        Failure::Refused(format!(
            "{}: no nets; `parlor train` writes them as net-GAMES",
            file.display()
        ))
    })
}

/// Plays the parts of a round, each on the next thread that is free.
fn play(training: &Training, eval: &Eval, threads: usize) -> Vec<Part> {
    let todo = Mutex::new(0..Training::PARTS);
    let work = || {
        let mut done = Vec::new();
        // Whoever holds the lock only counts: it is never poisoned.
        while let Some(part) = todo.lock().ok().and_then(|mut todo| todo.next()) {
            done.push((part, training.play(eval, part)));
        }
        done
    };
    let mut parts = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut parts = work();
        parts.extend(
            others
                .into_iter()
                .flat_map(|other| other.join().unwrap_or_default()),
        );
        parts
    });
    parts.sort_by_key(|(part, _)| *part);
    parts.into_iter().map(|(_, part)| part).collect()
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// 1,000, 2,000, 5,000, 10,000, … games: the first of them beyond so many.
fn next_net(games: u64) -> u64 {
    let mut next = 1_000;
    while next <= games {
        next = if next.to_string().starts_with('2') {
            next / 2 * 5
        } else {
            next * 2
        };
    }
    next
}

/// What has happened since the last report.
struct Since {
    began: Instant,
    games: u64,
    judged: u64,
    samples: usize,
    /// Of all samples together.
    error: f64,
}

impl Since {
    fn new() -> Since {
        Since {
            began: Instant::now(),
            games: 0,
            judged: 0,
            samples: 0,
            error: 0.0,
        }
    }

    fn add(&mut self, round: Round) {
        self.games += Training::ROUND;
        self.judged += round.judged;
        self.samples += round.samples;
        self.error += f64::from(round.error) * round.samples as f64;
    }

    fn report(&self, training: &Training, held_back: &HeldBack) -> Report {
        let seconds = self.began.elapsed().as_secs_f64().max(1e-9);
        Report {
            games: training.games(),
            games_per_second: self.games as f64 / seconds,
            judged_per_second: self.judged as f64 / seconds,
            rate: training.rate(),
            trust: training.trust(),
            error: self.error / self.samples.max(1) as f64,
            loss: held_back.loss(&Eval::new(&training.nets())),
        }
    }
}

/// How a training stands.
struct Report {
    games: u64,
    games_per_second: f64,
    judged_per_second: f64,
    rate: f32,
    trust: f32,
    /// The mean squared error of the equity.
    error: f64,
    /// Per held-back decision, in points, with its standard error.
    loss: (f64, f64),
}

impl Report {
    /// The same in columns, for a curve.
    fn row(&self) -> String {
        let Report {
            games,
            games_per_second,
            rate,
            trust,
            error,
            loss,
            ..
        } = self;
        format!(
            "{games}\t{games_per_second:.0}\t{rate:.2e}\t{trust:.3}\t{error:.5}\t{:.6}\t{:.6}\n",
            loss.0, loss.1
        )
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} games, {:.0} games/s, {:.0} k positions/s, rate {:.1e}, lambda {:.2}, squared error {:.4}, loses {:.2} ({:.2}) \
             thousandths of a point per decision",
            self.games,
            self.games_per_second,
            self.judged_per_second / 1e3,
            self.rate,
            self.trust,
            self.error,
            1e3 * self.loss.0,
            1e3 * self.loss.1
        )
    }
}

/// Replaces a file in one step, so that a training that is cut off leaves the old one.
fn write(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let new = file.with_extension("new");
    let done = fs::write(&new, bytes).and_then(|()| fs::rename(&new, file));
    done.map_err(|error| refused(file, &error))
}

fn append(file: &Path, line: &str) -> Result<(), Failure> {
    let opened = fs::OpenOptions::new().create(true).append(true).open(file);
    opened
        .and_then(|mut file| file.write_all(line.as_bytes()))
        .map_err(|error| refused(file, &error))
}

fn refused(file: &Path, error: &io::Error) -> Failure {
    Failure::Refused(format!("{}: {error}", file.display()))
}
