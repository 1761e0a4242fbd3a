//! `parlor train`: training of a bot's neural nets from scratch.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use parlor_bots::backgammon::training::{
    BackgammonTraining, HeldOutSet, RoundPart, RoundReport, TrainingGoals,
};
use parlor_bots::backgammon::{BackgammonEvaluator, BackgammonNetSize, BackgammonNets};

use crate::error::CommandError;

/// Interval of reports and checkpoints.
const REPORT_INTERVAL: Duration = Duration::from_secs(30);
/// Number of held-back decisions that measure strength, and the seed of their games.
const HELD_BACK: (usize, u64) = (400, 7);

/// Train a bot's nets by self-play.
///
/// The folder contains `checkpoint`, from which the same command continues; `net-GAMES`,
/// intermediate nets; and `curve.tsv`, the reports as a table.
#[derive(Args, Debug)]
#[command(after_help = "\
No other program is involved. The games of a round are played on all cores; the nets depend on the seed, not on the number of cores.
Strength is measured as the loss per decision on held-back positions, as judged by the built-in nets looking one roll ahead.

Examples:
  parlor train backgammon nets --games 1000000
  parlor train backgammon more --games 1100000 --from nets/net-1000448 --refine
  parlor external backgammon --net nets/net-1000448        play GNU Backgammon with the nets")]
pub struct TrainArgs {
    /// The game
    #[arg(value_enum)]
    game: TrainableGame,
    /// Folder of the training
    folder: PathBuf,
    /// Total number of games; can be increased later
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 2026)]
    seed: u64,
    /// Size of the nets: full for strength, small for lower levels
    #[arg(long, value_enum, default_value = "full")]
    size: NetSize,
    /// Start from these nets instead of random ones
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Learn the nets' average over the next roll; for nets that are good already
    #[arg(long, requires = "from")]
    refine: bool,
    /// Learn only races, from random starting points
    #[arg(long, requires = "from", conflicts_with = "refine")]
    races: bool,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Stop after this many minutes; run the same command to continue
    #[arg(long, value_name = "M")]
    minutes: Option<f64>,
}

/// Games with trainable nets.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum TrainableGame {
    /// Nets that estimate five outcome probabilities
    Backgammon,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum NetSize {
    Full,
    Small,
}

pub fn run(args: &TrainArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let TrainableGame::Backgammon = args.game;
    let start = Instant::now();
    let limit = args
        .minutes
        .map(|minutes| Duration::try_from_secs_f64(60.0 * minutes).unwrap_or(Duration::MAX));
    fs::create_dir_all(&args.folder).map_err(|error| file_error(&args.folder, &error))?;
    let checkpoint = args.folder.join("checkpoint");
    let mut training = resume_or_start(args, &checkpoint)?;
    let threads = args.threads.map_or_else(core_count, usize::from);
    let held_back = HeldOutSet::new(
        &BackgammonEvaluator::new(&BackgammonNets::built_in()),
        HELD_BACK.0,
        HELD_BACK.1,
    );
    let mut sums = ReportSums::new();
    let mut next = next_milestone(training.games());
    while !training.is_done() {
        let eval = BackgammonEvaluator::new(&training.nets());
        let parts = play_round(&training, &eval, threads);
        sums.add(training.learn(parts));
        let over = limit.is_some_and(|limit| start.elapsed() >= limit);
        let last = training.is_done() || over;
        if sums.began.elapsed() >= REPORT_INTERVAL || last {
            let report = sums.report(&training, &held_back);
            writeln!(out, "{report}")?;
            out.flush()?;
            append_line(&args.folder.join("curve.tsv"), &report.row())?;
            replace_file(&checkpoint, &training.to_bytes())?;
            sums = ReportSums::new();
        }
        if training.games() >= next || training.is_done() {
            replace_file(
                &args.folder.join(format!("net-{}", training.games())),
                &training.nets().to_bytes(),
            )?;
            next = next_milestone(training.games());
        }
        if over {
            break;
        }
    }
    Ok(())
}

/// Resumes the training in the folder, or starts a new one.
fn resume_or_start(
    args: &TrainArgs,
    checkpoint: &Path,
) -> Result<BackgammonTraining, CommandError> {
    match fs::read(checkpoint) {
        Ok(bytes) => {
            let training = BackgammonTraining::from_bytes(&bytes);
            let training = training.ok_or_else(|| {
                CommandError::Other(format!(
                    "{}: not a checkpoint of this version",
                    checkpoint.display()
                ))
            })?;
            return Ok(training.with_total_games(args.games));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(file_error(checkpoint, &error)),
    }
    let goals = match (args.refine, args.races) {
        (true, _) => TrainingGoals::Ahead,
        (_, true) => TrainingGoals::Races,
        _ => TrainingGoals::Later,
    };
    let size = match args.size {
        NetSize::Full => BackgammonNetSize::Full,
        NetSize::Small => BackgammonNetSize::Small,
    };
    match &args.from {
        None => Ok(BackgammonTraining::new(
            &BackgammonNets::zero(size),
            args.seed,
            args.games,
        )),
        Some(file) => Ok(BackgammonTraining::from_nets(
            read_nets(file)?,
            goals,
            args.seed,
            args.games,
        )),
    }
}

/// Reads nets from a file.
///
/// # Errors
/// If the file cannot be read or contains no nets.
pub fn read_nets(file: &Path) -> Result<BackgammonNets, CommandError> {
    let bytes = fs::read(file).map_err(|error| file_error(file, &error))?;
    let nets = BackgammonNets::from_bytes(&bytes);
    nets.ok_or_else(|| {
        CommandError::Other(format!(
            "{}: not a file of nets; `parlor train` writes them as net-GAMES",
            file.display()
        ))
    })
}

/// Plays the parts of a round, each on the next free thread.
fn play_round(
    training: &BackgammonTraining,
    eval: &BackgammonEvaluator,
    threads: usize,
) -> Vec<RoundPart> {
    let todo = Mutex::new(0..BackgammonTraining::PARTS);
    let work = || {
        let mut done = Vec::new();
        // The lock is never poisoned, because no code that holds it can panic.
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

fn core_count() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the first of 1,000, 2,000, 5,000, 10,000, … that exceeds a number of games.
fn next_milestone(games: u64) -> u64 {
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

/// Sums since the last report.
struct ReportSums {
    began: Instant,
    games: u64,
    evaluations: u64,
    samples: usize,
    /// Sum over all samples.
    error: f64,
}

impl ReportSums {
    fn new() -> ReportSums {
        ReportSums {
            began: Instant::now(),
            games: 0,
            evaluations: 0,
            samples: 0,
            error: 0.0,
        }
    }

    fn add(&mut self, round: RoundReport) {
        self.games += BackgammonTraining::ROUND;
        self.evaluations += round.judged;
        self.samples += round.samples;
        self.error += f64::from(round.error) * round.samples as f64;
    }

    fn report(&self, training: &BackgammonTraining, held_back: &HeldOutSet) -> TrainingReport {
        let seconds = self.began.elapsed().as_secs_f64().max(1e-9);
        TrainingReport {
            games: training.games(),
            games_per_second: self.games as f64 / seconds,
            evaluations_per_second: self.evaluations as f64 / seconds,
            rate: training.rate(),
            trust: training.trust(),
            error: self.error / self.samples.max(1) as f64,
            loss: held_back.loss(&BackgammonEvaluator::new(&training.nets())),
        }
    }
}

/// Progress of a training.
struct TrainingReport {
    games: u64,
    games_per_second: f64,
    evaluations_per_second: f64,
    rate: f32,
    trust: f32,
    /// Mean squared error of the equity.
    error: f64,
    /// Loss per held-back decision in points, and its standard error.
    loss: (f64, f64),
}

impl TrainingReport {
    /// Returns the report as a line of `curve.tsv`.
    fn row(&self) -> String {
        let TrainingReport {
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

impl fmt::Display for TrainingReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} games, {:.0} games/s, {:.0} k positions/s, rate {:.1e}, lambda {:.2}, squared error {:.4}, loses {:.2} ({:.2}) \
             thousandths of a point per decision",
            self.games,
            self.games_per_second,
            self.evaluations_per_second / 1e3,
            self.rate,
            self.trust,
            self.error,
            1e3 * self.loss.0,
            1e3 * self.loss.1
        )
    }
}

/// Replaces a file atomically, so that an interrupted training keeps the old one.
fn replace_file(file: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    let new = file.with_extension("new");
    let done = fs::write(&new, bytes).and_then(|()| fs::rename(&new, file));
    done.map_err(|error| file_error(file, &error))
}

fn append_line(file: &Path, line: &str) -> Result<(), CommandError> {
    let opened = fs::OpenOptions::new().create(true).append(true).open(file);
    opened
        .and_then(|mut file| file.write_all(line.as_bytes()))
        .map_err(|error| file_error(file, &error))
}

fn file_error(file: &Path, error: &io::Error) -> CommandError {
    CommandError::Other(format!("{}: {error}", file.display()))
}
