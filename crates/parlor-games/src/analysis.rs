//! What an analysis of a game tells, whatever the game.
//!
//! An [`Analyst`] judges one step of a record at a time, from the position before it and the step's text, and needs to know nothing of
//! the others: whoever asks can show how far it is, stop, remember what was found, and share the work among threads with an analyst each.
//! [`Analysis::of`] sums up what was judged; [`analyse`] does it all in one go.
//!
//! All worths are in the [`Units::worth`], seen from who decides unless said otherwise.
//!
//! ```
//! use parlor_games::analysis::{AnalysisSettings, Judged, Mark, analyse};
//! use parlor_games::{GameKind, Story};
//! let steps = ["3-1", "13/10,6/5"].map(str::to_owned).to_vec();
//! let story = Story { options: serde_json::json!({"cube": "on"}), names: Vec::new(), steps };
//! let settings = AnalysisSettings { plies: 0, ..AnalysisSettings::default() };
//! let analysis = analyse(GameKind::Backgammon, &story, &settings, &mut |_, _| true)?;
//! let Judged::Decision(decision) = &analysis.steps[1] else { panic!("a play") };
//! assert_eq!((decision.ranked[0].text.as_str(), decision.mark), ("8/5 6/5", Mark::Blunder));
//! assert!(GameKind::Mnk.analyst(&settings).is_err());
//! # Ok::<(), parlor_games::analysis::AnalysisError>(())
//! ```

mod totals;

use std::ops::Range;
use std::sync::Arc;

use parlor_bots::backgammon::rollout;
pub use parlor_bots::backgammon::rollout::Tally;
use parlor_bots::{Alone, Budget, Crew, Nodes};
use parlor_core::{Seat, Turn};
use serde::Serialize;

use crate::{AnyPosition, GameKind, OptionsError, PlayError, Story, backgammon};
pub use totals::{Part, Sums, Totals};

/// How an analysis is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct AnalysisSettings {
    /// How far an analyst looks ahead, from 0 to [`AnalysisSettings::MOST_PLIES`].
    pub plies: u32,
    /// Whether what may still be doubled counts; otherwise only what the stake is now.
    pub cubeful: bool,
    /// How many alternatives are told of a decision, the best first; what was played is told besides.
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

/// How positions are played on to judge them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct RolloutSettings {
    /// How far the players look ahead: 0 or 1.
    pub plies: u32,
    /// After how many draws a game is cut short and judged as it stands; nothing to play all to the end.
    pub truncate: Option<u32>,
    /// From which all luck follows.
    pub seed: u64,
    /// How many alternatives are compared; what was played always is.
    pub most: usize,
}

impl Default for RolloutSettings {
    /// Players that look no further than their moves, games of eleven draws, four alternatives.
    fn default() -> RolloutSettings {
        let rollout::Settings {
            plies,
            truncate,
            seed,
            ..
        } = rollout::Settings::default();
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
/// The luck of a game follows from its number. Several threads may run different games of one rollout; their tallies are
/// [merged](Tally::merge) in any order, and the same games come to the same whoever plays them.
pub trait Rollout: Send + Sync {
    /// Plays the games with these numbers, for each of the alternatives.
    fn run(&self, games: Range<u32>) -> Tally;

    /// What there is to say about the position when these games are counted in. With an empty tally it is what was known before.
    fn assess(&self, tally: &Tally) -> Assessment;
}

/// Judges positions and steps of a game.
pub trait Analyst: Send {
    /// How it judges, for people: "2-ply".
    fn method(&self) -> String;

    /// What its numbers are in a game such as this.
    fn units(&self, position: &AnyPosition) -> Units;

    /// What a step of a record shows. Whether `text` is a move or a draw follows from whose turn it is in `before`, as in a [`Story`].
    /// A text that does not fit shows nothing. When the budget ends the thinking, what was found until then counts, and
    /// [`Ranked::method`] says so.
    fn step(&mut self, before: &AnyPosition, text: &str, budget: &mut dyn Budget) -> Judged;

    /// What there is to say about a position in which nothing was played yet.
    fn position(&mut self, position: &AnyPosition, budget: &mut dyn Budget) -> Assessment;

    /// Prepares to play a position on, in which `played` was or would be played; nothing where there is nothing to play on for.
    fn rollout(
        &mut self,
        position: &AnyPosition,
        played: Option<&str>,
        settings: &RolloutSettings,
        budget: &mut dyn Budget,
    ) -> Option<Box<dyn Rollout>>;

    /// What a seat made of a finished game, in [`Units::stake`]; nothing while it goes on.
    fn result(&self, last: &AnyPosition, seat: Seat) -> Option<f64>;

    /// The rates that players of this game compare, with their names, of the seat with this number.
    fn rates(&self, sums: &Sums, seat: u8) -> Vec<(&'static str, f64)>;
}

/// What the numbers of an analysis are counted in, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Units {
    /// Worths and losses: "points for each point on the cube".
    pub worth: &'static str,
    /// What is at stake, such as [`Totals::cost`]: "points", or "share of the match".
    pub stake: &'static str,
}

/// The analysis of a record.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// What its numbers are counted in.
    pub units: Units,
    /// How it was made, for people: "2-ply".
    pub method: String,
    /// One for each step of the record, in its order; fewer when it was stopped.
    pub steps: Vec<Judged>,
    /// One for each seat.
    pub seats: Vec<Totals>,
}

/// What a step shows.
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
    /// Who decided.
    pub seat: u8,
    /// What kind of decision it was, as in [`Part::topic`]: "play", "cube".
    pub topic: &'static str,
    /// What it was about: "42", "double", "answer".
    pub about: String,
    /// What the position is worth to the first seat of the table after the best decision: what a graph shows.
    pub standing: f64,
    /// How likely the first seat then is to win what is played for, the game or the match; from 0 to 1.
    pub winning: f64,
    /// What to decide in words, where the list does not say it by itself: "Double, take".
    pub verdict: Option<String>,
    /// Numbers behind the verdict, with their titles: ("double, take", 0.83).
    pub details: Vec<(&'static str, f64)>,
    /// What could have been decided, the best first. Long lists are cut, but what was played is always there.
    pub ranked: Vec<Ranked>,
    /// How many there were before the list was cut.
    pub all: usize,
    /// Which of them was played, as an index.
    pub played: Option<usize>,
    /// How much less than the best it was worth, 0 or more.
    pub loss: f64,
    /// How bad that is.
    pub mark: Mark,
    /// Whether the decision counts in rates: there was something to decide.
    pub counts: bool,
    /// What a worth of 1 amounts to, in [`Units::stake`].
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
    /// What it is worth.
    pub worth: f64,
    /// The standard error of that, where it was found by playing on.
    pub error: Option<f64>,
    /// How much less than the best.
    pub loss: f64,
    /// More about it, for people, with titles: ("win", 0.53).
    pub details: Vec<(&'static str, f64)>,
    /// How it was judged: "2-ply", "1296 games".
    pub method: String,
}

/// A draw.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Luck {
    /// Whose luck it was.
    pub seat: u8,
    /// The draw as players write it: "42".
    pub text: String,
    /// How much more than the average draw it was worth to that seat.
    pub luck: f64,
    /// What a worth of 1 amounts to, in [`Units::stake`].
    pub stake: f64,
}

/// What there is to say about a position in which nothing was played yet.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Assessment {
    /// What it promises before the next draw; of dice that lie, before they fell.
    pub prospects: Option<Prospects>,
    /// What the seat on turn can decide, nothing being played.
    pub decision: Option<Decision>,
}

/// What a position promises before a draw.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prospects {
    /// Whose draw it is, and from whom all is seen.
    pub seat: u8,
    /// What it is worth.
    pub worth: f64,
    /// The standard error of that, where it was found by playing on.
    pub error: Option<f64>,
    /// How likely that seat is to win what is played for, the game or the match; from 0 to 1.
    pub winning: f64,
    /// More about it, with titles: ("win", 0.53).
    pub details: Vec<(&'static str, f64)>,
    /// How it was judged: "2-ply", "1296 games".
    pub method: String,
}

/// How bad a mistake is.
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

/// Why there is no analysis.
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
        /// What was asked for.
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
        /// Why not.
        reason: PlayError,
    },
}

impl GameKind {
    /// Whether there is an analysis of this game.
    pub const fn can_analyse(self) -> bool {
        match self {
            GameKind::Backgammon => true,
            GameKind::Mnk | GameKind::Ultimate | GameKind::Pandemic => false,
            #[cfg(feature = "testing")]
            GameKind::Pig => false,
        }
    }

    /// Somebody who judges positions of this game.
    ///
    /// # Errors
    /// When nobody does, or not by these settings.
    pub fn analyst(self, settings: &AnalysisSettings) -> Result<Box<dyn Analyst>, AnalysisError> {
        self.analyst_with_crew(settings, Arc::new(Alone))
    }

    /// The same, with threads that share the work on a single position. What is found does not depend on them; of a whole record each
    /// step is better left to an analyst of its own.
    ///
    /// # Errors
    /// When nobody does, or not by these settings.
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
        match self {
            GameKind::Backgammon => Ok(Box::new(backgammon::analysis::Judge::new(settings, crew))),
            _ => Err(AnalysisError::NoAnalyst { game: self }),
        }
    }
}

impl Analysis {
    /// Sums up judged steps, from the position before the first to the one after the last.
    pub fn of(
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

/// Analyses a whole record. `progress` hears how many of how many steps are judged, and ends it by answering `false`: the analysis is then
/// of the steps until there.
///
/// # Errors
/// When there is no analysis of the game, not by these settings, or the story does not follow its rules.
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
    Ok(Analysis::of(&*analyst, &first, &position, judged))
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
