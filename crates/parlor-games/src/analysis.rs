//! Analysis of games: mistakes, luck and rates, independent of the game.
//!
//! An [`Analyst`] judges one step of a record at a time, from the position before it and the step's
//! text. Steps are independent of each other, so a caller can show progress, stop early, cache
//! results, and split the work among threads with one analyst each. [`Analysis::from_steps`] sums
//! up the judged steps; [`analyze`] does everything in one call.
//!
//! All values are in [`Units::worth`] and from the deciding seat's point of view unless stated
//! otherwise.
//!
//! ```
//! use parlor_games::analysis::{AnalysisSettings, Judged, Mark, analyze};
//! use parlor_games::{GameKind, Story};
//! let steps = ["3-1", "13/10,6/5"].map(str::to_owned).to_vec();
//! let story = Story { options: serde_json::json!({"cube": "on"}), names: Vec::new(), steps };
//! let settings = AnalysisSettings { plies: 0, ..AnalysisSettings::default() };
//! let analysis = analyze(GameKind::from_name("backgammon")?, &story, &settings, &mut |_, _| true)?;
//! let Judged::Decision(decision) = &analysis.steps[1] else { panic!("a play") };
//! assert_eq!((decision.ranked[0].text.as_str(), decision.mark), ("8/5 6/5", Mark::Blunder));
//! assert!(GameKind::from_name("mnk")?.analyst(&settings).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod replay;
mod totals;
mod turning_points;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use parlor_bots::backgammon::rollout;
pub use parlor_bots::backgammon::rollout::RolloutTally;
use parlor_bots::{Alone, Budget, Crew, Nodes};
use parlor_core::{Seat, Turn};
use serde::{Deserialize, Serialize};

use crate::{AnyPosition, GameKind, OptionsError, PlayError, Story};
pub use replay::{Replay, TurnStart};
pub use totals::{Part, Sums, Totals};
pub use turning_points::TurningPoint;

/// Settings of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct AnalysisSettings {
    /// Plies to look ahead, from 0 to [`AnalysisSettings::MOST_PLIES`].
    pub plies: u32,
    /// True for cubeful analysis, which accounts for future doubles; false to consider only the
    /// current stake.
    pub cubeful: bool,
    /// Maximum number of alternatives reported per decision, best first, in addition to the move
    /// played.
    pub most: usize,
}

impl AnalysisSettings {
    /// Maximum of [`AnalysisSettings::plies`].
    pub const MOST_PLIES: u32 = 3;
    /// Settings of advice to the players of a team: as deep as possible, four turns.
    pub const ADVICE: AnalysisSettings = AnalysisSettings {
        plies: AnalysisSettings::MOST_PLIES,
        cubeful: true,
        most: 4,
    };
    /// Settings of the course of a game so far, whose positions are many: see [`Replay::course`].
    pub const COURSE: AnalysisSettings = AnalysisSettings {
        plies: 1,
        ..AnalysisSettings::ADVICE
    };
}

impl Default for AnalysisSettings {
    /// Returns the default settings: two plies, cubeful, ten alternatives.
    fn default() -> AnalysisSettings {
        AnalysisSettings {
            plies: 2,
            cubeful: true,
            most: 10,
        }
    }
}

/// Settings of a rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct RolloutSettings {
    /// Plies that the players look ahead, 0 or 1.
    pub plies: u32,
    /// Number of draws after which a game is truncated and its position evaluated; `None` plays
    /// every game to the end.
    pub truncate: Option<u32>,
    /// Seed of all luck.
    pub seed: u64,
    /// Maximum number of alternatives compared, in addition to the move played.
    pub most: usize,
}

impl Default for RolloutSettings {
    /// Returns the default settings: players without lookahead, games truncated after eleven draws,
    /// four alternatives.
    fn default() -> RolloutSettings {
        let rollout::BackgammonRolloutSettings {
            plies,
            truncate,
            seed,
            ..
        } = rollout::BackgammonRolloutSettings::default();
        RolloutSettings {
            plies,
            truncate,
            seed,
            most: 4,
        }
    }
}

/// A rollout: a position that can be played out many times.
///
/// The luck of a game is determined by its number. Several threads may run different games of one
/// rollout and [merge](RolloutTally::merge) their tallies in any order; the same games give the
/// same result on any thread.
pub trait Rollout: Send + Sync {
    /// Plays the games with these numbers for each of the alternatives.
    fn run(&self, games: Range<u32>) -> RolloutTally;

    /// Assesses the position, including the games in `tally`. An empty tally gives the assessment
    /// from before the rollout.
    fn assess(&self, tally: &RolloutTally) -> Assessment;
}

/// Judges positions and steps of a game.
pub trait Analyst: Send {
    /// Returns the name of the method for display, such as "2-ply".
    fn method(&self) -> String;

    /// Returns the units of the numbers for a game like this one.
    fn units(&self, position: &AnyPosition) -> Units;

    /// Judges a step of a record. As in a [`Story`], `text` is a move or a draw depending on the
    /// turn in `before`. A text that does not fit gives [`Judged::Nothing`]. When the budget runs
    /// out, the judgment is based on the search so far, as [`Ranked::method`] states.
    fn step(&mut self, before: &AnyPosition, text: &str, budget: &mut dyn Budget) -> Judged;

    /// Assesses a position before its next move.
    fn position(&mut self, position: &AnyPosition, budget: &mut dyn Budget) -> Assessment;

    /// Estimates the prospects of a position before whatever comes next, without comparing moves, for the
    /// course of a game in progress. `None` if the game has no such estimate, as by default.
    fn prospects(&mut self, position: &AnyPosition, budget: &mut dyn Budget) -> Option<Prospects> {
        let _ = (position, budget);
        None
    }

    /// Prepares a rollout of a position in which `played` was or would be played; `None` if the
    /// position cannot be rolled out.
    fn rollout(
        &mut self,
        position: &AnyPosition,
        played: Option<&str>,
        settings: &RolloutSettings,
        budget: &mut dyn Budget,
    ) -> Option<Box<dyn Rollout>>;

    /// Returns the points that a seat won or lost in a finished game, in [`Units::stake`]; `None`
    /// if the game is not over.
    fn result(&self, last: &AnyPosition, seat: Seat) -> Option<f64>;

    /// Returns the rates that players of this game compare, with their names, for the seat numbered
    /// `seat`.
    fn rates(&self, sums: &Sums, seat: u8) -> Vec<Number>;
}

/// A number for display, with its title, such as ("win", 0.53).
pub type Number = (Cow<'static, str>, f64);

/// Units of the numbers of an analysis, for display.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Units {
    /// Unit of values and losses, such as "points for each point on the cube".
    pub worth: Cow<'static, str>,
    /// Unit of stakes, such as [`Totals::cost`]: "points", or "share of the match".
    pub stake: Cow<'static, str>,
    /// True if values are the chance of a team to win, from 0 to 1 and the same for all its seats.
    /// They are shown in percent, without stakes and results.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_team_chance: bool,
}

/// Analysis of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// Units of the numbers.
    pub units: Units,
    /// Name of the method for display, such as "2-ply".
    pub method: String,
    /// Judgments of the steps of the record, in order; fewer if the analysis was stopped.
    pub steps: Vec<Judged>,
    /// Totals of each seat.
    pub seats: Vec<Totals>,
}

/// Judgment of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Judged {
    /// A move with a choice.
    Decision(Decision),
    /// A move without a choice.
    Forced {
        /// Number of the seat.
        seat: u8,
    },
    /// A draw.
    Luck(Luck),
    /// A step that cannot be judged.
    Nothing,
}

/// Judgment of a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// Number of the seat that decided.
    pub seat: u8,
    /// Kind of decision, as in [`Part::topic`]: "play", "cube".
    pub topic: Cow<'static, str>,
    /// Subject of the decision: "42", "double", "answer".
    pub about: String,
    /// Value of the position for the first seat of the table after the best decision, as plotted in
    /// a graph.
    pub standing: f64,
    /// Probability that the first seat then wins the game or match, from 0 to 1.
    pub winning: f64,
    /// Best decision in words if the list does not show it, such as "Double, take".
    pub verdict: Option<String>,
    /// Numbers behind the verdict, with their titles, such as ("double, take", 0.83).
    pub details: Vec<Number>,
    /// Alternatives, best first. Long lists are truncated but always include the move played.
    pub ranked: Vec<Ranked>,
    /// Number of alternatives before truncation.
    pub all: usize,
    /// Index of the alternative that was played.
    pub played: Option<usize>,
    /// Loss against the best alternative, 0 or more.
    pub loss: f64,
    /// Grade of the mistake.
    pub mark: Mark,
    /// True if the decision counts toward rates because there was a real choice.
    pub counts: bool,
    /// Points won per unit of worth, in [`Units::stake`].
    pub stake: f64,
}

/// Alternative of a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranked {
    /// The move's canonical text.
    #[serde(rename = "move")]
    pub canonical: String,
    /// Text of the move as players write it.
    pub text: String,
    /// Value.
    pub worth: f64,
    /// Standard error of the value if it comes from a rollout.
    pub error: Option<f64>,
    /// Loss against the best alternative.
    pub loss: f64,
    /// Further numbers for display, with their titles, such as ("win", 0.53).
    pub details: Vec<Number>,
    /// Name of the method for display, such as "2-ply" or "1296 games".
    pub method: String,
    /// Reasons for the move in a few words each, such as "cures blue", the most important first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// The move, and what is planned after it, on the board: for each step the id of the element
    /// where it happens, or those between which something moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trail: Vec<Vec<String>>,
}

/// Judgment of a draw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Luck {
    /// Number of the seat that drew.
    pub seat: u8,
    /// Text of the draw as players write it, such as "42".
    pub text: String,
    /// Value of the draw for that seat minus the value of an average draw.
    pub luck: f64,
    /// Points won per unit of worth, in [`Units::stake`].
    pub stake: f64,
}

/// Assessment of a position before its next move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Assessment {
    /// Prospects before the next draw; if the dice are already rolled, before that roll.
    pub prospects: Option<Prospects>,
    /// Decision of the seat on turn, with no move played.
    pub decision: Option<Decision>,
}

/// Prospects of a position before a draw.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prospects {
    /// Number of the seat that draws; all numbers are from its point of view.
    pub seat: u8,
    /// Value.
    pub worth: f64,
    /// Standard error of the value if it comes from a rollout.
    pub error: Option<f64>,
    /// Probability that the seat wins the game or match, from 0 to 1.
    pub winning: f64,
    /// Further numbers for display, with their titles, such as ("win", 0.53).
    pub details: Vec<Number>,
    /// Name of the method for display, such as "2-ply" or "1296 games".
    pub method: String,
}

/// Grade of a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// No mistake, or a negligible one.
    Fine,
    /// Small mistake.
    Inaccuracy,
    /// Mistake that costs games in the long run.
    Error,
    /// Mistake that costs games at once.
    Blunder,
}

/// Reason why a game cannot be analyzed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnalysisError {
    /// The game has no analysis.
    #[error("there is no analysis of {}", game.title())]
    NoAnalyst {
        /// The game.
        game: GameKind,
    },
    /// The analysis does not look this many plies ahead.
    #[error("an analysis looks 0 to {most} plies ahead, not {plies}", most = AnalysisSettings::MOST_PLIES)]
    Plies {
        /// Plies requested.
        plies: u32,
    },
    /// The options are invalid.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A step is not playable.
    #[error("step {step}, {text}: {reason}")]
    Step {
        /// Number of the step, from 1.
        step: usize,
        /// Text of the step.
        text: String,
        /// Reason why it is not playable.
        reason: PlayError,
    },
}

/// Factory of analysts for one game, as returned by [`Game::analysis`](crate::Game::analysis).
pub trait AnalysisEngine: Send + Sync {
    /// Builds an analyst whose work on a single position is shared by the threads of `crew`.
    fn analyst(&self, settings: &AnalysisSettings, crew: Arc<dyn Crew>) -> Box<dyn Analyst>;

    /// Explains a [`Number`] with this title, or a [`Part::topic`], in a sentence or two.
    fn explain(&self, title: &str) -> Option<&'static str> {
        let _ = title;
        None
    }
}

impl GameKind {
    /// Returns true if this game has an analysis.
    pub fn can_analyze(self) -> bool {
        self.analysis().is_some()
    }

    /// Explains a number of this game's analysis by its title, in a sentence or two.
    pub fn explain_number(self, title: &str) -> Option<&'static str> {
        self.analysis()?.explain(title)
    }

    /// Builds an analyst for this game.
    ///
    /// # Errors
    /// If the game has no analysis or does not support these settings.
    pub fn analyst(self, settings: &AnalysisSettings) -> Result<Box<dyn Analyst>, AnalysisError> {
        self.analyst_with_crew(settings, Arc::new(Alone))
    }

    /// Builds an analyst whose work on a single position is shared by the threads of `crew`. Its
    /// results do not depend on the threads. For a whole record it is faster to give each step its
    /// own analyst.
    ///
    /// # Errors
    /// If the game has no analysis or does not support these settings.
    pub fn analyst_with_crew(
        self,
        settings: &AnalysisSettings,
        crew: Arc<dyn Crew>,
    ) -> Result<Box<dyn Analyst>, AnalysisError> {
        if settings.plies > AnalysisSettings::MOST_PLIES {
            return Err(AnalysisError::Plies {
                plies: settings.plies,
            });
        }
        let analysis = self.analysis();
        let analysis = analysis.ok_or(AnalysisError::NoAnalyst { game: self })?;
        Ok(analysis.analyst(settings, crew))
    }
}

impl Analysis {
    /// Sums up judged steps. `first` and `last` are the positions before the first step and after
    /// the last one.
    pub fn from_steps(
        analyst: &dyn Analyst,
        first: &AnyPosition,
        last: &AnyPosition,
        steps: Vec<Judged>,
    ) -> Analysis {
        let sums = Sums::from_steps(first.seats(), &steps);
        Analysis {
            units: analyst.units(first),
            method: analyst.method(),
            seats: totals::seat_totals(analyst, &sums, last),
            steps,
        }
    }
}

/// Analyses a whole record. `progress` is called with the number of steps judged so far and the
/// number of all steps; if it returns `false`, the analysis ends and covers the steps judged so
/// far.
///
/// # Errors
/// If the game has no analysis, does not support these settings, or the story breaks its rules.
pub fn analyze(
    kind: GameKind,
    story: &Story,
    settings: &AnalysisSettings,
    progress: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<Analysis, AnalysisError> {
    let mut analyst = kind.analyst(settings)?;
    let first = story.start(kind)?;
    let (mut position, mut judged) = (first.clone(), Vec::new());
    for (n, text) in story.steps.iter().enumerate() {
        if !progress(n, story.steps.len()) {
            break;
        }
        let step = analyst.step(&position, text, &mut Nodes(u64::MAX));
        follow(&mut position, text).map_err(|reason| AnalysisError::Step {
            step: n + 1,
            text: text.clone(),
            reason,
        })?;
        judged.push(step);
    }
    progress(judged.len(), story.steps.len());
    Ok(Analysis::from_steps(&*analyst, &first, &position, judged))
}

/// Applies a step of a story: a draw if luck is next, otherwise a move of the seat it belongs to, which
/// is not always the one on turn.
///
/// # Errors
/// If the step is not playable; the position is then unchanged.
pub fn follow(position: &mut AnyPosition, text: &str) -> Result<(), PlayError> {
    match position.turn() {
        Turn::Move(seat) => {
            let mover = position.mover(text).unwrap_or(seat);
            position.play(text, mover).map(drop)
        }
        // For a finished game, `resolve` returns the appropriate error.
        Turn::Chance | Turn::Over(_) => position.resolve(text),
    }
}
