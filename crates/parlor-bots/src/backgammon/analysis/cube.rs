//! Analysis of doubles and their answers.

use parlor_backgammon::{Board, Game, Move, Phase};
use parlor_core::Position;

use super::super::bearoff;
use super::super::chances::Chances;
use super::super::cube;
use super::super::cube_state::{CubeState, DoubleValues};
use super::super::stakes::Stakes;
use super::scale::EquityScale;
use super::{BackgammonAnalyst, DecisionAnalysis, RankedMove, rank};
use crate::Budget;

/// Equities of the cube actions, seen from the seat that may double.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubeAnalysis {
    /// Equity of rolling without doubling.
    pub held: f64,
    /// Equity of doubling if the opponent takes.
    pub taken: f64,
    /// Equity of doubling if the opponent drops: 1, unless the match score changes it.
    pub dropped: f64,
    /// Equity of doubling if the opponent beavers; `None` if the rules have no beavers.
    pub beavered: Option<f64>,
    /// Best actions of both sides.
    pub advice: CubeAdvice,
    /// True for a redouble: the cube was turned before.
    pub again: bool,
}

/// Best cube actions of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CubeAdvice {
    /// True if doubling is right.
    pub double: bool,
    /// True if doubling is wrong because playing on is worth more than cashing the point.
    pub too_good: bool,
    /// Best answer to a double: take, drop or beaver.
    pub answer: Move,
}

impl CubeAnalysis {
    /// Maximum difference between doubling and rolling that counts as close: 0.16, as in GNU
    /// Backgammon.
    pub const CLOSE: f64 = 0.16;

    fn new(offer: &DoubleValues, scale: &EquityScale, beavers: bool, again: bool) -> CubeAnalysis {
        let [held, taken, dropped] =
            [offer.held, offer.taken, offer.dropped].map(|worth| scale.equity(worth));
        let beavered = beavers.then(|| scale.equity(offer.beavered));
        let advice = CubeAdvice::new(held, taken, dropped, beavered);
        CubeAnalysis {
            held,
            taken,
            dropped,
            beavered,
            advice,
            again,
        }
    }

    /// Returns the equity of doubling when the opponent answers best.
    pub fn doubled(&self) -> f64 {
        let least = self.taken.min(self.dropped);
        self.beavered.map_or(least, |beavered| least.min(beavered))
    }

    /// Returns true if doubling and rolling are worth about the same.
    pub fn is_close(&self) -> bool {
        (self.doubled() - self.held).abs() < Self::CLOSE
    }

    /// Returns the share of wrong answers, taking instead of dropping or the reverse, that would
    /// make a wrong double right; from 0 to 1. Returns `None` if the double is right, and if no
    /// answers would make it right.
    pub fn wrong_answers_needed(&self) -> Option<f64> {
        let (right, wrong) = (self.taken.min(self.dropped), self.taken.max(self.dropped));
        (!self.advice.double && right < self.held && self.held < wrong)
            .then(|| (self.held - right) / (wrong - right))
    }
}

impl CubeAdvice {
    fn new(held: f64, taken: f64, dropped: f64, beavered: Option<f64>) -> CubeAdvice {
        let (answer, doubled) = match beavered {
            Some(beavered) if beavered < taken.min(dropped) => (Move::Beaver, beavered),
            _ if taken > dropped => (Move::Drop, dropped),
            _ => (Move::Take, taken),
        };
        let double = doubled > held;
        CubeAdvice {
            double,
            too_good: !double && held > dropped,
            answer,
        }
    }
}

impl BackgammonAnalyst {
    /// Analyses a cube decision: roll or double, or the answer to a double.
    pub(super) fn cube(
        &mut self,
        game: &Game,
        played: Option<&Move>,
        budget: &mut dyn Budget,
    ) -> DecisionAnalysis {
        let view = CubeState::new(game, game.on_roll());
        if !self.settings.cubeful {
            let (chances, plies) = self.before_roll(game, &view, budget);
            return DecisionAnalysis::from_chances(game, played, &chances, plies, false);
        }
        let found = self
            .search
            .doubling(&view, &game.board(), self.settings.plies, budget);
        DecisionAnalysis::from_double_values(
            game,
            played,
            &found.chances,
            found.plies,
            &found.offer,
        )
    }
}

impl DecisionAnalysis {
    /// Analyses a cube decision from the chances of the seat on roll.
    pub(super) fn from_chances(
        game: &Game,
        played: Option<&Move>,
        chances: &Chances,
        plies: u32,
        cubeful: bool,
    ) -> DecisionAnalysis {
        let view = CubeState::new(game, game.on_roll());
        DecisionAnalysis::from_double_values(
            game,
            played,
            chances,
            plies,
            &double_values(&view, chances, &game.board(), cubeful),
        )
    }

    fn from_double_values(
        game: &Game,
        played: Option<&Move>,
        chances: &Chances,
        plies: u32,
        offer: &DoubleValues,
    ) -> DecisionAnalysis {
        let view = CubeState::new(game, game.on_roll());
        let scale = EquityScale::new(&view);
        let may_beaver = game.rules().beavers && view.stakes.can_use(2 * view.value);
        let cube = CubeAnalysis::new(offer, &scale, may_beaver, game.cube().turned() > 0);
        let seat = game.turn().seat().unwrap_or(game.on_roll());
        let mine = seat == game.on_roll();
        let seen = if mine { *chances } else { chances.swapped() };
        let ranked = game.legal_moves().into_iter().map(|mv| {
            let equity = cube.equity(
                game.phase(),
                mv,
                scale.equity(offer.beavered),
                &view,
                &scale,
            );
            RankedMove {
                mv,
                chances: seen,
                equity,
                loss: 0.0,
                plies,
                games: 0,
                error: None,
            }
        });
        let mut ranked: Vec<RankedMove> = ranked.collect();
        rank(&mut ranked);
        let best = if mine {
            ranked[0].equity
        } else {
            -ranked[0].equity
        };
        let winning = scale.winning(scale.worth(best), chances);
        let played = played.and_then(|mv| ranked.iter().position(|ranked| ranked.mv == *mv));
        let rolled = matches!(game.phase(), Phase::Cube)
            && played.is_none_or(|n| ranked[n].mv == Move::Roll);
        DecisionAnalysis {
            seat,
            chances: seen,
            winning: if mine { winning } else { 1.0 - winning },
            played,
            counts: !rolled || cube.is_close() || cube.advice.double,
            ranked,
            cube: Some(cube),
            stake: scale.stake(),
        }
    }
}

impl CubeAnalysis {
    /// Returns the equity of a cube action for the seat that takes it; `beavered` is the equity of
    /// a taken beaver for the seat that doubled first.
    fn equity(
        &self,
        phase: Phase,
        mv: Move,
        beavered: f64,
        view: &CubeState,
        scale: &EquityScale,
    ) -> f64 {
        match (phase, mv) {
            (Phase::Cube, Move::Double) => self.doubled(),
            (Phase::Cube, _) => self.held,
            (Phase::Beavered, Move::Take) => beavered,
            (Phase::Beavered, _) => scale.equity(view.stakes.points(-2 * view.value)),
            (_, Move::Drop) => -self.dropped,
            (_, Move::Beaver) => -beavered,
            _ => -self.taken,
        }
    }
}

/// Returns the value of rolling now to the seat on roll.
pub(super) fn held(view: &CubeState, chances: &Chances, board: &Board, cubeful: bool) -> f64 {
    if !cubeful {
        return view.ends().worth(chances);
    }
    exact_worth(view, board)
        .unwrap_or_else(|| view.worth(chances, view.value, view.owner, cube::liveliness(board)))
}

/// Returns the exact value of rolling with the last checkers in money play.
pub(super) fn exact_worth(view: &CubeState, board: &Board) -> Option<f64> {
    bearoff::pair(board)
        .filter(|_| view.stakes == Stakes::Money)
        .map(|pair| view.points_from_pair(pair))
}

fn double_values(
    view: &CubeState,
    chances: &Chances,
    board: &Board,
    cubeful: bool,
) -> DoubleValues {
    let liveliness = if cubeful {
        cube::liveliness(board)
    } else {
        0.0
    };
    DoubleValues::exact(view, board)
        .filter(|_| cubeful)
        .unwrap_or_else(|| DoubleValues::new(view, chances, liveliness))
}
