//! `parlor analyze`: what a position promises, and what the decisions of a game were worth.

mod games;
mod numbers;
mod paint;
mod position;
mod spread;
mod subject;

use std::io::Write;
use std::num::NonZero;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use parlor_games::GameKind;
use parlor_games::analysis::{AnalysisSettings, Mark, RolloutSettings};

use crate::failure::Failure;
use subject::Subject;

/// Tells what is best in a position and how good each move of a game was: equities, chances, errors, luck.
///
/// A position is shown with its ranked plays or its cube decision; of a game or match each move is judged, errors are marked, and the
/// players' error rates follow. docs/analysis.md says what the numbers mean.
#[derive(Args, Debug)]
#[command(after_help = "\
WHAT is a file (a record, state.json, .mat, .sgf), the http address of a table, - for standard input, an XGID, a Position ID of
GNU Backgammon alone or with a Match ID (4HPwATDgc/ABMA:cAgAAAAAAAAA), a FIBS board line, or a position as `parlor engine` writes it.

Marks: ?! from 0.02, ? from 0.04, ?? from 0.08 less than the best.

Examples:
  parlor analyze backgammon XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10
  parlor analyze backgammon 4HPwATDgc/ABMA --dice 42 --plies 3
  parlor analyze backgammon 4HPwATDgc/ABMA --dice 42 --rollout 5184
  parlor analyze backgammon match.mat --only errors
  parlor analyze backgammon http://127.0.0.1:8080/t/0c5m8xq3k2a --json")]
pub struct Analyze {
    /// Which game
    #[arg(value_parser = PossibleValuesParser::new(GameKind::ALL.iter().map(|kind| kind.name())))]
    game: String,
    /// A position, a file, an http address, or - for standard input
    #[arg(value_name = "WHAT", allow_hyphen_values = true)]
    what: Option<String>,
    /// Plies to look ahead, 0 to 3
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=3))]
    plies: u32,
    /// The roll to play in a position that has no dice: 31, or 3-1 for an opening roll
    #[arg(long, value_name = "ROLL")]
    dice: Option<String>,
    /// How many candidates are told of a decision, or rolled out [default: 8, and 4 to roll out]
    #[arg(long, value_name = "N", value_parser = many())]
    moves: Option<usize>,
    /// Play the position on so many times, for each of the best candidates [default: 1296 games]
    #[arg(long, value_name = "GAMES", num_args = 0..=1, default_missing_value = "1296", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    rollout: Option<u32>,
    /// End each game of a rollout after so many rolls and judge it as it stands; 0 plays them all to the end
    #[arg(long, value_name = "N", default_value_t = 11, requires = "rollout")]
    truncate: u32,
    /// From which the dice of a rollout follow
    #[arg(long, value_name = "S", default_value_t = 1, requires = "rollout")]
    seed: u64,
    /// Compare by what the stake is now, as if nobody could double any more
    #[arg(long)]
    cubeless: bool,
    /// Only this game of a match or session
    #[arg(long = "game", value_name = "N", value_parser = many())]
    number: Option<usize>,
    /// List only moves as bad as this, or worse
    #[arg(long, value_name = "WHICH", value_enum, conflicts_with = "json")]
    only: Option<Only>,
    /// Threads that think; the results are the same with any number [default: one for each core]
    #[arg(long, value_name = "N", value_parser = many())]
    threads: Option<usize>,
    /// Print everything as one JSON document
    #[arg(long)]
    json: bool,
}

/// What is listed.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Only {
    /// ? and ??
    Errors,
    /// ??
    Blunders,
}

impl Only {
    /// The least mark that is listed.
    const fn least(self) -> Mark {
        match self {
            Only::Errors => Mark::Error,
            Only::Blunders => Mark::Blunder,
        }
    }
}

fn many() -> impl Fn(&str) -> Result<usize, String> + Clone + Send + Sync + 'static {
    |text| {
        text.parse()
            .ok()
            .filter(|n| (1..=100_000).contains(n))
            .ok_or_else(|| "a number from 1 on".to_owned())
    }
}

pub fn run(args: &Analyze, out: &mut dyn Write) -> Result<(), Failure> {
    let kind = GameKind::from_name(&args.game).map_err(Failure::refused)?;
    if !kind.can_analyse() {
        return Err(Failure::Refused(format!(
            "there is no analysis of {kind}; {}",
            analyzed()
        )));
    }
    let what = args.what.as_deref().ok_or_else(|| {
        Failure::Refused(format!("say what is to be analyzed: {}", subject::ACCEPTED))
    })?;
    match subject::read(what).map_err(Failure::Refused)? {
        Subject::Position(game) => {
            if let Some(option) = args.of_games() {
                return Err(Failure::Refused(format!(
                    "{option} is for games, and {what:?} is a position"
                )));
            }
            position::run(args, &game, out)
        }
        Subject::Games(transcript) => {
            if let Some(option) = args.of_positions() {
                return Err(Failure::Refused(format!(
                    "{option} is for positions, and {what:?} holds games"
                )));
            }
            games::run(args, &transcript, out)
        }
    }
}

/// Which games have an analysis.
fn analyzed() -> String {
    let games: Vec<&str> = GameKind::ALL
        .iter()
        .filter(|kind| kind.can_analyse())
        .map(|kind| kind.name())
        .collect();
    format!("there is one of {}", games.join(", "))
}

impl Analyze {
    fn settings(&self) -> AnalysisSettings {
        AnalysisSettings {
            plies: self.plies,
            cubeful: !self.cubeless,
            most: self.moves.unwrap_or(8),
        }
    }

    fn rollout_settings(&self) -> RolloutSettings {
        let usual = RolloutSettings::default();
        let truncate = (self.truncate > 0).then_some(self.truncate);
        RolloutSettings {
            truncate,
            seed: self.seed,
            most: self.moves.unwrap_or(usual.most),
            ..usual
        }
    }

    fn threads(&self) -> usize {
        self.threads
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get))
    }

    /// An option that is set and says something about games only.
    fn of_games(&self) -> Option<&'static str> {
        match (self.number, self.only) {
            (Some(_), _) => Some("--game"),
            (_, Some(_)) => Some("--only"),
            _ => None,
        }
    }

    /// An option that is set and says something about positions only.
    fn of_positions(&self) -> Option<&'static str> {
        match (&self.dice, self.rollout) {
            (Some(_), _) => Some("--dice"),
            (_, Some(_)) => Some("--rollout"),
            _ => None,
        }
    }
}

/// A number with its sign, which is never that of a zero.
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

/// How bad a decision was, as annotators write it.
const fn sign_of(mark: Mark) -> &'static str {
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
