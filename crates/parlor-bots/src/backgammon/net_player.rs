//! Player that searches with a net and handles the cube.

use std::sync::{Arc, LazyLock};

use parlor_backgammon::{Board, Dice, Game, Move, Phase, Win};
use parlor_core::{Position, Turn};

use super::chances::Chances;
use super::cube_state::CubeState;
use super::evaluator::BackgammonEvaluator;
use super::net::BackgammonNets;
use super::search::{BackgammonSearch, Candidate, DoublingResult};
use super::stakes::{EndingValues, Stakes};
use crate::{Budget, Choice, Crew, Info, Strategy};

/// Weights in the repository, made by `parlor train backgammon`.
static WEIGHTS: &[u8] = include_bytes!("weights.bin");

/// Evaluators of the built-in nets, shared by all players: the best first, then earlier stages of
/// the same training.
static BUILT_IN: LazyLock<Vec<Arc<BackgammonEvaluator>>> = LazyLock::new(|| {
    let mut bytes = WEIGHTS;
    let nets = std::iter::from_fn(|| BackgammonNets::read(&mut bytes));
    nets.map(|nets| Arc::new(BackgammonEvaluator::new(&nets)))
        .collect()
});

/// Returns the built-in evaluator with this number, or the last one if there are fewer.
pub(super) fn built_in(number: usize) -> Arc<BackgammonEvaluator> {
    Arc::clone(
        BUILT_IN
            .get(number)
            .or(BUILT_IN.last())
            .expect("the repository has nets"),
    )
}

impl BackgammonNets {
    /// Returns the best nets in the repository.
    pub fn built_in() -> BackgammonNets {
        BackgammonNets::read(&mut &*WEIGHTS)
            .expect("the stored nets have the shape of this version")
    }
}

/// Strength of a [`NetPlayer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetPlayerSettings {
    /// Plies to look ahead, from 0 (only the positions after its plays) to 3.
    pub plies: u32,
    /// Index of the built-in nets: 0 is the best, higher numbers are weaker.
    pub net: usize,
    /// True if plays are compared by their value with the cube; false to compare by points, or by
    /// match equity, as if nobody doubled again.
    pub cubeful: bool,
}

impl NetPlayerSettings {
    /// Returns the settings for the best net, with the cube taken into account.
    pub const fn with_plies(plies: u32) -> NetPlayerSettings {
        NetPlayerSettings {
            plies,
            net: 0,
            cubeful: true,
        }
    }
}

/// Time saver of the search that can be turned off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortcut {
    /// A quick net preselects the replies that the full net evaluates. Without it, chances differ
    /// slightly and are more accurate.
    QuickNet,
    /// Positions searched before are remembered. Without it, chances are the same.
    Cache,
}

/// Player with a trained net, exact chances for bearing off, and a model of the cube.
///
/// Nothing in it is random: for the same positions and budgets in nodes it plays the same moves
/// everywhere. One node of the budget is one evaluated position. If the budget ends a deeper
/// search, the result of the previous ply counts.
pub struct NetPlayer {
    search: BackgammonSearch,
    settings: NetPlayerSettings,
}

impl NetPlayer {
    /// Creates a player with built-in nets.
    pub fn new(settings: NetPlayerSettings) -> NetPlayer {
        NetPlayer {
            search: BackgammonSearch::new(built_in(settings.net)),
            settings,
        }
    }

    /// Creates a player with other nets.
    pub fn with_evaluator(eval: BackgammonEvaluator, settings: NetPlayerSettings) -> NetPlayer {
        NetPlayer {
            search: BackgammonSearch::new(Arc::new(eval)),
            settings,
        }
    }

    /// Shares searches deeper than 0 plies among a crew. The moves stay the same.
    #[must_use]
    pub fn with_crew(self, crew: Arc<dyn Crew>) -> NetPlayer {
        NetPlayer {
            search: self.search.with_crew(crew),
            ..self
        }
    }

    /// Turns a time saver off, to measure its effect.
    #[must_use]
    pub fn without(mut self, shortcut: Shortcut) -> NetPlayer {
        let options = self.search.options_mut();
        match shortcut {
            Shortcut::QuickNet => options.likely = None,
            Shortcut::Cache => options.uses_cache = false,
        }
        self
    }

    /// Returns the chances of the player on roll before the roll, searched as deep as the settings
    /// say and the budget allows.
    pub fn chances(&mut self, board: &Board, budget: &mut dyn Budget) -> Chances {
        self.search
            .deepest_chances(
                board,
                self.settings.plies,
                &EndingValues::new(Stakes::Money, 1, true),
                budget,
            )
            .0
    }

    fn play(&mut self, game: &Game, dice: Dice, budget: &mut dyn Budget) -> Option<Choice<Move>> {
        let view = CubeState::new(game, game.on_roll());
        let ends = view.ends();
        let cubeful = |chances: &Chances, after: &Board| view.worth_after(chances, after);
        let dead = |chances: &Chances, _: &Board| ends.worth(chances);
        let worth: super::search::WorthFn<'_> = if self.settings.cubeful {
            &cubeful
        } else {
            &dead
        };
        let (ranked, depth) = self.search.plays(
            &game.board(),
            dice,
            self.settings.plies,
            &ends,
            worth,
            budget,
        );
        let best: &Candidate = ranked.first()?;
        Some(self.choice(
            Move::Play(best.play),
            view.scaled(worth(&best.chances, &best.after)),
            depth,
        ))
    }

    /// Decides about the cube: roll, double, take, drop or beaver.
    fn decide_cube(&mut self, game: &Game, budget: &mut dyn Budget) -> Choice<Move> {
        let view = CubeState::new(game, game.on_roll());
        let DoublingResult {
            offer,
            plies: depth,
            ..
        } = self
            .search
            .doubling(&view, &game.board(), self.settings.plies, budget);
        let (mv, worth) = match game.phase() {
            Phase::Cube if offer.is_right() => (Move::Double, offer.taken.min(offer.dropped)),
            Phase::Cube => (Move::Roll, offer.held),
            Phase::Beavered if offer.beavered >= view.stakes.points(-2 * view.value) => {
                (Move::Take, offer.beavered)
            }
            Phase::Beavered => (Move::Drop, view.stakes.points(-2 * view.value)),
            _ if offer.taken > offer.dropped => (Move::Drop, -offer.dropped),
            _ if offer.taken < 0.0 && game.check(&Move::Beaver).is_ok() => {
                (Move::Beaver, -offer.taken)
            }
            _ => (Move::Take, -offer.taken),
        };
        self.choice(mv, view.scaled(worth), depth)
    }

    /// Answers a resignation: accepts it unless playing on promises more.
    fn answer_resignation(
        &mut self,
        game: &Game,
        offered: Win,
        budget: &mut dyn Budget,
    ) -> Choice<Move> {
        let view = CubeState::new(game, game.on_roll());
        let played_on = match game.dice() {
            Some(dice) => self.play(game, dice, budget),
            None => Some(self.decide_cube(game, budget)),
        };
        let (hoped, depth) =
            played_on.map_or((0.0, 0), |on| (on.info.value.unwrap_or(0.0), on.info.depth));
        let points = if view.gammons {
            i32::from(offered.factor())
        } else {
            1
        };
        let resigned = view.scaled(view.stakes.points(-points * view.value));
        let (mv, value) = if resigned <= hoped + 1e-6 {
            (Move::Accept, -resigned)
        } else {
            (Move::Refuse, -hoped)
        };
        self.choice(mv, value, depth)
    }

    fn choice(&self, mv: Move, value: f64, depth: u32) -> Choice<Move> {
        let info = Info {
            nodes: self.search.nodes,
            value: Some(value),
            exact: false,
            depth,
            line: vec![mv],
        };
        Choice { mv, info }
    }
}

impl Strategy<Game> for NetPlayer {
    fn name(&self) -> String {
        format!("{}-ply", self.settings.plies)
    }

    fn choose(&mut self, game: &Game, budget: &mut dyn Budget) -> Option<Choice<Move>> {
        self.search.nodes = 0;
        if let Some(offered) = game.resigning() {
            return Some(self.answer_resignation(game, offered, budget));
        }
        match (game.turn(), game.dice()) {
            (Turn::Move(_), Some(dice)) => self.play(game, dice, budget),
            (Turn::Move(_), None) => Some(self.decide_cube(game, budget)),
            _ => None,
        }
    }

    fn forget(&mut self) {
        self.search.forget();
    }

    fn memory(&self) -> usize {
        self.search.memory()
    }
}
