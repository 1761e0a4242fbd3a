//! Analysis of games: mistakes, luck and rates, whatever the game.
//!
//! An [`Analyst`] judges one step of a record at a time, from the position before it and the step's
//! text, and needs to know nothing of the others: whoever asks can show how far it is, stop,
//! remember what was found, and share the work among threads with an analyst each. [`Analysis::from_steps`]
//! sums up what was judged; [`analyse`] does it all in one go.
//!
//! All worths are in the [`Units::worth`], seen from who decides unless said otherwise.
//!
//! ```
//! use parlor_games::analysis::{AnalysisSettings, Judged, Mark, analyse};
//! use parlor_games::{GameKind, Story};
//! let steps = ["3-1", "13/10,6/5"].map(str::to_owned).to_vec();
//! let story = Story { options: serde_json::json!({"cube": "on"}), names: Vec::new(), steps };
//! let settings = AnalysisSettings { plies: 0, ..AnalysisSettings::default() };
//! let analysis = analyse(GameKind::from_name("backgammon")?, &story, &settings, &mut |_, _| true)?;
//! let Judged::Decision(decision) = &analysis.steps[1] else { panic!("a play") };
//! assert_eq!((decision.ranked[0].text.as_str(), decision.mark), ("8/5 6/5", Mark::Blunder));
//! assert!(GameKind::from_name("mnk")?.analyst(&settings).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod totals;

use std::ops::Range;
use std::sync::Arc;

use parlor_bots::backgammon::rollout;
pub use parlor_bots::backgammon::rollout::RolloutTally;
use parlor_bots::{Alone, Budget, Crew, Nodes};
use parlor_core::{Seat, Turn};
use serde::Serialize;

use crate::{AnyPosition, GameKind, OptionsError, PlayError, Story};
pub use totals::{Part, Sums, Totals};

/// Settings of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct AnalysisSettings {
    /// Plies that an analyst looks ahead, from 0 to [`AnalysisSettings::MOST_PLIES`].
    pub plies: u32,
    /// True if future doubles count; otherwise only the present stake does.
    pub cubeful: bool,
    /// Maximum number of alternatives reported per decision, best first, in addition to the move
    /// played.
    pub most: usize,
}

impl AnalysisSettings {
    /// The most plies.
    pub const MOST_PLIES: u32 = 3;
}

impl Default for AnalysisSettings {
    /// Two plies, with the cube, and ten alternatives.
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
    /// Plies that the players look ahead: 0 or 1.
    pub plies: u32,
    /// After how many draws a game is cut short and judged as it stands; nothing to play all to the
    /// end.
    pub truncate: Option<u32>,
    /// From which all luck follows.
    pub seed: u64,
    /// Maximum number of alternatives compared, in addition to the move played.
    pub most: usize,
}

impl Default for RolloutSettings {
    /// Players that look no further than their moves, games of eleven draws, four alternatives.
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

/// A position that can be played on many times.
///
/// The luck of a game follows from its number. Several threads may run different games of one
/// rollout; their tallies are [merged](RolloutTally::merge) in any order, and the same games come to the
/// same whoever plays them.
pub trait Rollout: Send + Sync {
    /// Plays the games with these numbers, for each of the alternatives.
    fn run(&self, games: Range<u32>) -> RolloutTally;

    /// Assesses the position with these games counted in. An empty tally gives what was known
    /// before.
    fn assess(&self, tally: &RolloutTally) -> Assessment;
}

/// Judges positions and steps of a game.
pub trait Analyst: Send {
    /// Returns the method of judging, for people: "2-ply".
    fn method(&self) -> String;

    /// Returns the units of its numbers in a game such as this.
    fn units(&self, position: &AnyPosition) -> Units;

    /// Judges a step of a record. Whether `text` is a move or a draw follows from whose turn it is
    /// in `before`, as in a [`Story`]. A text that does not fit shows nothing. When the budget is
    /// spent, the judgment rests on the search so far, and [`Ranked::method`] says so.
    fn step(&mut self, before: &AnyPosition, text: &str, budget: &mut dyn Budget) -> Judged;

    /// Assesses a position in which nothing was played yet.
    fn position(&mut self, position: &AnyPosition, budget: &mut dyn Budget) -> Assessment;

    /// Prepares to play a position on, in which `played` was or would be played; nothing where
    /// there is nothing to play on for.
    fn rollout(
        &mut self,
        position: &AnyPosition,
        played: Option<&str>,
        settings: &RolloutSettings,
        budget: &mut dyn Budget,
    ) -> Option<Box<dyn Rollout>>;

    /// Returns what a seat won or lost in a finished game, in [`Units::stake`]; `None` while it
    /// goes on.
    fn result(&self, last: &AnyPosition, seat: Seat) -> Option<f64>;

    /// The rates that players of this game compare, with their names, of the seat with this number.
    fn rates(&self, sums: &Sums, seat: u8) -> Vec<(&'static str, f64)>;
}

/// Units of the numbers of an analysis, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Units {
    /// Worths and losses: "points for each point on the cube".
    pub worth: &'static str,
    /// Unit of stakes, such as [`Totals::cost`]: "points", or "share of the match".
    pub stake: &'static str,
}

/// The analysis of a record.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// Units of its numbers.
    pub units: Units,
    /// Method, for people: "2-ply".
    pub method: String,
    /// One for each step of the record, in its order; fewer when it was stopped.
    pub steps: Vec<Judged>,
    /// One for each seat.
    pub seats: Vec<Totals>,
}

/// Judgment of a step.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Judged {
    /// A seat decided.
    Decision(Decision),
    /// A seat moved and had no choice.
    Forced {
        /// The seat.
        seat: u8,
    },
    /// Luck decided.
    Luck(Luck),
    /// Nothing that can be judged.
    Nothing,
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decision {
    /// Seat that decided.
    pub seat: u8,
    /// Kind of decision, as in [`Part::topic`]: "play", "cube".
    pub topic: &'static str,
    /// Subject of the decision: "42", "double", "answer".
    pub about: String,
    /// Worth of the position to the first seat of the table after the best decision: the value that
    /// a graph shows.
    pub standing: f64,
    /// Probability that the first seat then wins the game or match, from 0 to 1.
    pub winning: f64,
    /// Best decision in words, where the list does not say it by itself: "Double, take".
    pub verdict: Option<String>,
    /// Numbers behind the verdict, with their titles: ("double, take", 0.83).
    pub details: Vec<(&'static str, f64)>,
    /// Alternatives, best first. Long lists are cut, but the move played is always there.
    pub ranked: Vec<Ranked>,
    /// Number of alternatives before the list was cut.
    pub all: usize,
    /// Index of the alternative that was played.
    pub played: Option<usize>,
    /// Loss against the best alternative, 0 or more.
    pub loss: f64,
    /// Grade of the mistake.
    pub mark: Mark,
    /// True if the decision counts in rates: there was something to decide.
    pub counts: bool,
    /// Points won per unit of worth, in [`Units::stake`].
    pub stake: f64,
}

/// Something that could have been decided.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranked {
    /// The move's canonical text.
    #[serde(rename = "move")]
    pub canonical: String,
    /// As players write it.
    pub text: String,
    /// Worth.
    pub worth: f64,
    /// The standard error of that, where it was found by playing on.
    pub error: Option<f64>,
    /// Loss against the best alternative.
    pub loss: f64,
    /// More about it, for people, with titles: ("win", 0.53).
    pub details: Vec<(&'static str, f64)>,
    /// Method: "2-ply", "1296 games".
    pub method: String,
}

/// A draw.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Luck {
    /// Seat whose luck it was.
    pub seat: u8,
    /// The draw as players write it: "42".
    pub text: String,
    /// Worth to that seat above that of the average draw.
    pub luck: f64,
    /// Points won per unit of worth, in [`Units::stake`].
    pub stake: f64,
}

/// Assessment of a position in which nothing was played yet.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Assessment {
    /// Prospects before the next draw; with dice on the table, before they were rolled.
    pub prospects: Option<Prospects>,
    /// Decision of the seat on turn, with nothing played.
    pub decision: Option<Decision>,
}

/// Prospects of a position before a draw.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prospects {
    /// Seat that draws, from whose view the numbers are.
    pub seat: u8,
    /// Worth.
    pub worth: f64,
    /// The standard error of that, where it was found by playing on.
    pub error: Option<f64>,
    /// Probability that the seat wins the game or match, from 0 to 1.
    pub winning: f64,
    /// More about it, with titles: ("win", 0.53).
    pub details: Vec<(&'static str, f64)>,
    /// Method: "2-ply", "1296 games".
    pub method: String,
}

/// Grade of a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// None, or next to nothing.
    Fine,
    /// A small one.
    Inaccuracy,
    /// One that costs games in the long run.
    Error,
    /// One that costs games at once.
    Blunder,
}

/// Reason why there is no analysis.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnalysisError {
    /// Nobody judges this game.
    #[error("there is no analysis of {}", game.title())]
    NoAnalyst {
        /// The game.
        game: GameKind,
    },
    /// Nobody looks so far ahead.
    #[error("an analysis looks 0 to {most} plies ahead, not {plies}", most = AnalysisSettings::MOST_PLIES)]
    Plies {
        /// Plies asked for.
        plies: u32,
    },
    /// The options make no game.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A step cannot be played.
    #[error("step {step}, {text}: {reason}")]
    Step {
        /// Its number, from 1.
        step: usize,
        /// Its text.
        text: String,
        /// Reason.
        reason: PlayError,
    },
}

/// Factory of analysts of one game: the analysis that a [`Game`](crate::Game) names.
pub trait AnalysisEngine: Send + Sync {
    /// Builds an analyst, with threads that share the work on a single position.
    fn analyst(&self, settings: &AnalysisSettings, crew: Arc<dyn Crew>) -> Box<dyn Analyst>;
}

impl GameKind {
    /// Returns true if there is an analysis of this game.
    pub fn can_analyse(self) -> bool {
        self.analysis().is_some()
    }

    /// Builds an analyst, which judges positions of this game.
    ///
    /// # Errors
    /// If there is no analysis of the game, or not by these settings.
    pub fn analyst(self, settings: &AnalysisSettings) -> Result<Box<dyn Analyst>, AnalysisError> {
        self.analyst_with_crew(settings, Arc::new(Alone))
    }

    /// Builds an analyst with threads that share the work on a single position. Its results do not
    /// depend on them; for a whole record it is faster to leave each step to an analyst of its own.
    ///
    /// # Errors
    /// If there is no analysis of the game, or not by these settings.
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
    /// Sums up judged steps, from the position before the first to the one after the last.
    pub fn from_steps(
        analyst: &dyn Analyst,
        first: &AnyPosition,
        last: &AnyPosition,
        steps: Vec<Judged>,
    ) -> Analysis {
        let sums = Sums::of(first.seats(), &steps);
        Analysis {
            units: analyst.units(first),
            method: analyst.method(),
            seats: totals::of(analyst, &sums, last),
            steps,
        }
    }
}

/// Analyses a whole record. `progress` hears how many of how many steps are judged, and ends it by
/// answering `false`: the analysis is then of the steps until there.
///
/// # Errors
/// When there is no analysis of the game, not by these settings, or the story does not follow its
/// rules.
pub fn analyse(
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

/// Takes a step of a story: a draw where luck is next, a move of the seat on turn otherwise.
///
/// # Errors
/// When the step cannot be taken; the position is then unchanged.
pub fn follow(position: &mut AnyPosition, text: &str) -> Result<(), PlayError> {
    match position.turn() {
        Turn::Move(seat) => position.play(text, seat).map(drop),
        // A finished game names itself when it is asked.
        Turn::Chance | Turn::Over(_) => position.resolve(text),
    }
}
