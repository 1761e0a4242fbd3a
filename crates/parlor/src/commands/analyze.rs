//! `parlor analyze`: evaluation of positions and of the decisions in games.

mod games;
mod input;
mod numbers;
mod parallel;
mod position;
mod style;
mod team;

use std::io::Write;
use std::num::NonZero;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use parlor_games::GameKind;
use parlor_games::analysis::{AnalysisSettings, Mark, RolloutSettings};

use crate::error::CommandError;
use input::AnalysisInput;

/// Analyze a position or a game: equities, chances, errors, luck.
///
/// For a position, shows its ranked plays or cube decision. For a game or match, judges every
/// move, marks errors and computes the players' error rates. docs/analysis.md explains the numbers.
/// For a game of a team, shows its chance to win turn by turn and the moments that decided it.
#[derive(Args, Debug)]
#[command(after_help = "\
INPUT is a file (a record, state.json, .mat, .sgf), the http URL of a table, - for standard input, an XGID, a GNU Backgammon
Position ID with or without a Match ID (4HPwATDgc/ABMA:cAgAAAAAAAAA), a FIBS board line, or a position as `parlor engine` writes it.

For a game of a team, INPUT is a record: a file, the http URL of a table, or -.

Marks: ?! loses at least 0.02, ? 0.04, ?? 0.08 compared to the best.

Examples:
  parlor analyze backgammon XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10
  parlor analyze backgammon 4HPwATDgc/ABMA --dice 42 --plies 3
  parlor analyze backgammon 4HPwATDgc/ABMA --dice 42 --rollout 5184
  parlor analyze backgammon match.mat --only errors
  parlor analyze backgammon http://127.0.0.1:8080/t/0c5m8xq3k2a --json
  parlor analyze pandemic game.json --plies 1")]
pub struct AnalyzeArgs {
    /// The game
    #[arg(value_parser = PossibleValuesParser::new(GameKind::all().iter().map(|kind| kind.name())))]
    game: String,
    /// A position, a file, an http URL, or - for standard input
    #[arg(value_name = "INPUT", allow_hyphen_values = true)]
    input: Option<String>,
    /// Plies to look ahead, 0 to 3
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=3))]
    plies: u32,
    /// Roll these dice first: 31, or 3-1 for an opening roll
    #[arg(long, value_name = "ROLL")]
    dice: Option<String>,
    /// Number of candidates to list, or to roll out [default: 8, or 4 with --rollout]
    #[arg(long, value_name = "N", value_parser = positive())]
    moves: Option<usize>,
    /// Roll out the best candidates with this many games each [default: 1296 games]
    #[arg(long, value_name = "GAMES", num_args = 0..=1, default_missing_value = "1296", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    rollout: Option<u32>,
    /// Evaluate each game of a rollout after this many rolls; 0 plays to the end
    #[arg(long, value_name = "N", default_value_t = 11, requires = "rollout")]
    truncate: u32,
    /// Seed for the dice of a rollout
    #[arg(long, value_name = "S", default_value_t = 1, requires = "rollout")]
    seed: u64,
    /// Ignore the doubling cube
    #[arg(long)]
    cubeless: bool,
    /// Only this game of a match or session
    #[arg(long = "game", value_name = "N", value_parser = positive())]
    number: Option<usize>,
    /// List only moves with this mark or worse
    #[arg(long, value_name = "WHICH", value_enum, conflicts_with = "json")]
    only: Option<MarkFilter>,
    /// Number of threads; the results do not depend on it [default: number of cores]
    #[arg(long, value_name = "N", value_parser = positive())]
    threads: Option<usize>,
    /// Print a JSON document
    #[arg(long)]
    json: bool,
}

/// Filter for the listed moves.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum MarkFilter {
    /// ? and ??
    Errors,
    /// ??
    Blunders,
}

impl MarkFilter {
    /// Returns the mildest mark to list.
    const fn min_mark(self) -> Mark {
        match self {
            MarkFilter::Errors => Mark::Error,
            MarkFilter::Blunders => Mark::Blunder,
        }
    }
}

fn positive() -> impl Fn(&str) -> Result<usize, String> + Clone + Send + Sync + 'static {
    |text| {
        text.parse()
            .ok()
            .filter(|n| (1..=100_000).contains(n))
            .ok_or_else(|| "expected a number from 1 to 100000".to_owned())
    }
}

pub fn run(args: &AnalyzeArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let kind = GameKind::from_name(&args.game).map_err(CommandError::other)?;
    if !kind.can_analyze() {
        return Err(CommandError::Other(wrong_game(kind.name())));
    }
    if kind.is_cooperative() {
        return team::run(args, kind, out);
    }
    let input = args
        .input
        .as_deref()
        .ok_or_else(|| CommandError::Other(format!("missing input: {}", input::ACCEPTED)))?;
    match input::read(input).map_err(CommandError::Other)? {
        AnalysisInput::Position(game) => {
            if let Some(option) = args.games_only_option() {
                return Err(CommandError::Other(format!(
                    "{option} applies to games, but {input:?} is a position"
                )));
            }
            position::run(args, &game, out)
        }
        AnalysisInput::Games(transcript) => {
            if let Some(option) = args.positions_only_option() {
                return Err(CommandError::Other(format!(
                    "{option} applies to positions, but {input:?} contains games"
                )));
            }
            games::run(args, &transcript, out)
        }
    }
}

/// Says why a record of this game is not analyzed as one of another game.
fn wrong_game(name: &str) -> String {
    if GameKind::from_name(name).is_ok_and(GameKind::can_analyze) {
        return format!("this is a game of {name}: use `parlor analyze {name}`");
    }
    let games: Vec<&str> = GameKind::all()
        .iter()
        .filter(|kind| kind.can_analyze())
        .map(|kind| kind.name())
        .collect();
    format!(
        "{name} has no analysis; these games have one: {}",
        games.join(", ")
    )
}

impl AnalyzeArgs {
    fn settings(&self) -> AnalysisSettings {
        AnalysisSettings {
            plies: self.plies,
            cubeful: !self.cubeless,
            most: self.moves.unwrap_or(8),
        }
    }

    fn rollout_settings(&self) -> RolloutSettings {
        let defaults = RolloutSettings::default();
        let truncate = (self.truncate > 0).then_some(self.truncate);
        RolloutSettings {
            truncate,
            seed: self.seed,
            most: self.moves.unwrap_or(defaults.most),
            ..defaults
        }
    }

    fn threads(&self) -> usize {
        self.threads
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get))
    }

    /// Returns an option that was given but applies only to games.
    fn games_only_option(&self) -> Option<&'static str> {
        match (self.number, self.only) {
            (Some(_), _) => Some("--game"),
            (_, Some(_)) => Some("--only"),
            _ => None,
        }
    }

    /// Returns an option that was given but applies only to games of opponents.
    fn opponents_only_option(&self) -> Option<&'static str> {
        if self.cubeless {
            return Some("--cubeless");
        }
        self.games_only_option()
            .or_else(|| self.positions_only_option())
    }

    /// Returns an option that was given but applies only to positions.
    fn positions_only_option(&self) -> Option<&'static str> {
        match (&self.dice, self.rollout) {
            (Some(_), _) => Some("--dice"),
            (_, Some(_)) => Some("--rollout"),
            _ => None,
        }
    }
}

/// Formats a number with its sign; zero has a space in its place.
fn signed(number: f64, digits: usize) -> String {
    let text = format!("{number:+.digits$}");
    let is_zero = text
        .bytes()
        .all(|byte| matches!(byte, b'+' | b'-' | b'0' | b'.'));
    if is_zero {
        text.replacen(['+', '-'], " ", 1)
    } else {
        text
    }
}

/// Returns the annotation symbol of a mark.
const fn mark_symbol(mark: Mark) -> &'static str {
    match mark {
        Mark::Fine => "",
        Mark::Inaccuracy => "?!",
        Mark::Error => "?",
        Mark::Blunder => "??",
    }
}

#[cfg(test)]
mod tests {
    use super::signed;

    #[test]
    fn a_zero_has_no_sign() {
        assert_eq!(
            [0.0, -0.0004, 0.0006, -1.25].map(|number| signed(number, 3)),
            [" 0.000", " 0.000", "+0.001", "-1.250"]
        );
    }
}
