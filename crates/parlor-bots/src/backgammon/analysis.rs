//! Analysis of decisions and of the luck of the dice.
//!
//! A [`BackgammonAnalyst`] examines one step of a game at a time and needs nothing from the steps
//! before it. A caller may go through a record in any order, stop, cache results, or share the work
//! among several analysts.
//!
//! # Equities
//! All equities are on one scale, whatever the stakes: 1 is a single game won at the present cube,
//! -1 one lost. In money play that is points per point on the cube; in a match it is the match
//! winning chance, shifted and scaled. The *stake* reported with it is the value of an equity of 1:
//! points, or a share of the match.
//!
//! With the cube taken into account ([`AnalystSettings::cubeful`]) a double is evaluated as in
//! play, by searching the doubles that may follow. The chances after a play, and those of a
//! rollout, are converted to equities by the model of the cube.

mod cube;
mod luck;
mod plays;
mod rolled;
mod scale;

use std::sync::Arc;

use parlor_backgammon::{Chance, Game, Move, Phase};
use parlor_core::{Position, Seat};

use super::chances::Chances;
use super::cube_state::CubeState;
use super::evaluator::BackgammonEvaluator;
use super::net_player::built_in;
use super::search::BackgammonSearch;
use crate::{Budget, Crew};
pub use cube::{CubeAdvice, CubeAnalysis};
pub use luck::RollLuck;
pub use rolled::RolloutAnalysis;
use scale::EquityScale;

/// Depth and method of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalystSettings {
    /// Plies to look ahead, from 0 to 3.
    pub plies: u32,
    /// True to take later doubles into account; false to value this game at the present cube.
    pub cubeful: bool,
}

impl AnalystSettings {
    /// Maximum number of plies.
    pub const MAX_PLIES: u32 = super::search::MAX_PLIES;
}

impl Default for AnalystSettings {
    /// Returns the default settings: two plies, cubeful.
    fn default() -> AnalystSettings {
        AnalystSettings {
            plies: 2,
            cubeful: true,
        }
    }
}

/// Analysis of one decision: every alternative, and the one that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionAnalysis {
    /// Seat that decides.
    pub seat: Seat,
    /// Chances of that seat after its best choice; for a cube decision, before the roll.
    pub chances: Chances,
    /// Probability that the seat then wins the match, or the game if there is no match.
    pub winning: f64,
    /// Alternatives, best first.
    pub ranked: Vec<RankedMove>,
    /// Index of the chosen alternative; `None` if nothing was chosen, or something that is not
    /// judged (a resignation).
    pub played: Option<usize>,
    /// True if the decision counts in error rates: a play with more than one different result, an
    /// offered double, the answer to one, or a double not offered that was
    /// [close](CubeAnalysis::is_close) or right.
    pub counts: bool,
    /// Equities of doubling and rolling, for a cube decision.
    pub cube: Option<CubeAnalysis>,
    /// Value of an equity of 1: points, or a share of the match.
    pub stake: f64,
}

impl DecisionAnalysis {
    /// Returns the equity lost against the best alternative, 0 or more.
    pub fn loss(&self) -> f64 {
        self.played
            .and_then(|played| self.ranked.get(played))
            .map_or(0.0, |played| played.loss)
    }
}

/// One alternative of a decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// Chances of the deciding seat after the move; for a cube decision, those before the roll.
    pub chances: Chances,
    /// Equity of the deciding seat.
    pub equity: f64,
    /// Equity lost against the best alternative, 0 or more.
    pub loss: f64,
    /// Plies searched. Alternatives that seemed far behind may be searched less deeply than the
    /// best; the chosen one never is.
    pub plies: u32,
    /// Number of games of its [rollout](BackgammonAnalyst::roll_out); 0 if it was not rolled out.
    pub games: u32,
    /// Standard error of the equity, if rolled out. Rollouts are played without the cube, and so is
    /// their error.
    pub error: Option<f64>,
}

/// Evaluation of a position before the roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositionProspects {
    /// Seat on roll.
    pub seat: Seat,
    /// Chances of that seat.
    pub chances: Chances,
    /// Equity if the seat does not double now.
    pub equity: f64,
    /// Equity if nobody doubles again.
    pub cubeless: f64,
    /// Probability that the seat wins the match, or the game if there is no match.
    pub winning: f64,
    /// Plies searched.
    pub plies: u32,
    /// Number of games of its [rollout](BackgammonAnalyst::roll_out); 0 if it was not rolled out.
    pub games: u32,
    /// Standard error of the equity, if rolled out. Rollouts are played without the cube, and so is
    /// their error.
    pub error: Option<f64>,
}

impl PositionProspects {
    /// Evaluates a position from the chances of the seat on roll; `held` is the value of rolling
    /// now.
    fn new(game: &Game, chances: &Chances, held: f64, plies: u32) -> PositionProspects {
        let view = CubeState::new(game, game.on_roll());
        let scale = EquityScale::new(&view);
        PositionProspects {
            seat: game.on_roll(),
            chances: *chances,
            equity: scale.equity(held),
            cubeless: scale.equity(view.ends().worth(chances)),
            winning: scale.winning(held, chances),
            plies,
            games: 0,
            error: None,
        }
    }
}

/// Severity of a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MistakeGrade {
    /// No mistake, or a negligible one.
    Fine,
    /// A loss of at least 0.02.
    Inaccuracy,
    /// A loss of at least 0.04.
    Error,
    /// A loss of at least 0.08.
    Blunder,
}

impl MistakeGrade {
    /// Grades a decision by the equity it lost.
    pub fn from_loss(loss: f64) -> MistakeGrade {
        match loss {
            0.08.. => MistakeGrade::Blunder,
            0.04.. => MistakeGrade::Error,
            0.02.. => MistakeGrade::Inaccuracy,
            _ => MistakeGrade::Fine,
        }
    }
}

/// Step of a game that can be analyzed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameStep<'a> {
    /// A move by a seat.
    Move(&'a Move),
    /// A roll of the dice.
    Chance(&'a Chance),
}

/// Result of analysing one step.
#[derive(Clone, Debug, PartialEq)]
pub enum Judgment {
    /// A decision with alternatives.
    Decision(DecisionAnalysis),
    /// A move without alternatives: a pass, or the only play.
    Forced(Seat),
    /// The luck of a roll.
    Luck(RollLuck),
    /// Nothing to judge: a resignation or its answer, or a step that is not legal.
    Nothing,
}

/// Analyst that judges games with the best built-in net.
///
/// ```
/// use parlor_backgammon::{Game, Rules};
/// use parlor_bots::Nodes;
/// use parlor_bots::backgammon::analysis::{
///     AnalystSettings, BackgammonAnalyst, GameStep, Judgment, MistakeGrade,
/// };
/// use parlor_core::{Notation, Position};
/// let mut game = Game::new(Rules::MONEY);
/// game.resolve(&game.parse_chance("3-1")?);
/// let mut analyst = BackgammonAnalyst::new(AnalystSettings { plies: 0, cubeful: true });
/// let played = game.parse_move("13/10 6/5")?;
/// let judgment = analyst.judge(&game, GameStep::Move(&played), &mut Nodes(u64::MAX));
/// let Judgment::Decision(decision) = judgment else { panic!("a play with alternatives") };
/// assert_eq!(game.move_text(&decision.ranked[0].mv), "8/5,6/5");
/// assert!(decision.counts && MistakeGrade::from_loss(decision.loss()) == MistakeGrade::Blunder);
/// # Ok::<(), parlor_core::NotationError>(())
/// ```
pub struct BackgammonAnalyst {
    eval: Arc<BackgammonEvaluator>,
    search: BackgammonSearch,
    settings: AnalystSettings,
}

impl BackgammonAnalyst {
    /// Creates an analyst with the best built-in net.
    pub fn new(settings: AnalystSettings) -> BackgammonAnalyst {
        BackgammonAnalyst {
            search: BackgammonSearch::new(built_in(0)),
            eval: built_in(0),
            settings,
        }
    }

    /// Shares searches deeper than 0 plies among a crew. The results stay the same.
    #[must_use]
    pub fn with_crew(self, crew: Arc<dyn Crew>) -> BackgammonAnalyst {
        BackgammonAnalyst {
            search: self.search.with_crew(crew),
            ..self
        }
    }

    /// Analyses one step of this game. If the budget ends the search, the result of fewer plies
    /// counts.
    pub fn judge(&mut self, game: &Game, event: GameStep<'_>, budget: &mut dyn Budget) -> Judgment {
        let judged = match event {
            GameStep::Chance(chance) => self.luck(game, chance).map(Judgment::Luck),
            GameStep::Move(mv) => self.judge_move(game, mv, budget),
        };
        judged.unwrap_or(Judgment::Nothing)
    }

    fn judge_move(&mut self, game: &Game, mv: &Move, budget: &mut dyn Budget) -> Option<Judgment> {
        game.check(mv).ok()?;
        let seat = game.turn().seat()?;
        if game.dice().is_some()
            && matches!(mv, Move::Play(_))
            && game.count_moves(&mut Vec::new()) == 1
        {
            return Some(Judgment::Forced(seat));
        }
        self.decision(game, Some(mv), budget)
            .filter(|decision| decision.played.is_some())
            .map(Judgment::Decision)
    }

    /// Analyses the decision that a seat has in this game; `played` is the move it chose, if any.
    /// Returns `None` if no seat has a decision, or only one about a resignation.
    pub fn decision(
        &mut self,
        game: &Game,
        played: Option<&Move>,
        budget: &mut dyn Budget,
    ) -> Option<DecisionAnalysis> {
        self.search.nodes = 0;
        if game.resigning().is_some() {
            return None;
        }
        match game.phase() {
            Phase::Moving(dice) => Some(self.plays(game, dice, played, budget)),
            Phase::Cube | Phase::Doubled | Phase::Beavered => Some(self.cube(game, played, budget)),
            Phase::Opening | Phase::Rolling | Phase::Over => None,
        }
    }

    /// Evaluates a position for the seat on roll before the roll, ignoring dice already rolled.
    /// Returns `None` before the opening roll and after the end.
    pub fn prospects(&mut self, game: &Game, budget: &mut dyn Budget) -> Option<PositionProspects> {
        self.search.nodes = 0;
        if matches!(game.phase(), Phase::Opening | Phase::Over) {
            return None;
        }
        let view = CubeState::new(game, game.on_roll());
        if !self.settings.cubeful {
            let (chances, plies) = self.before_roll(game, &view, budget);
            return Some(PositionProspects::new(
                game,
                &chances,
                view.ends().worth(&chances),
                plies,
            ));
        }
        let found = self
            .search
            .doubling(&view, &game.board(), self.settings.plies, budget);
        let held = cube::exact_worth(&view, &game.board()).unwrap_or(found.offer.held);
        Some(PositionProspects::new(
            game,
            &found.chances,
            held,
            found.plies,
        ))
    }

    /// Returns the chances of the seat on roll and the plies searched.
    fn before_roll(
        &mut self,
        game: &Game,
        view: &CubeState,
        budget: &mut dyn Budget,
    ) -> (Chances, u32) {
        self.search
            .deepest_chances(&game.board(), self.settings.plies, &view.ends(), budget)
    }
}

/// Sorts the alternatives, best first, and sets the loss of each.
fn rank(ranked: &mut [RankedMove]) {
    ranked.sort_by(|a, b| b.equity.total_cmp(&a.equity));
    let best = ranked.first().map_or(0.0, |best| best.equity);
    ranked
        .iter_mut()
        .for_each(|one| one.loss = best - one.equity);
}
