//! Analysis by rollout.

use parlor_backgammon::{Board, Game, Move, Phase};
use parlor_core::Seat;

use super::super::chances::Chances;
use super::super::cube_state::CubeState;
use super::super::rollout::{self, BoardRollout, RolloutEstimate, RolloutTally};
use super::cube::held;
use super::plays::{rank_by_depth, worth_after};
use super::scale::EquityScale;
use super::{BackgammonAnalyst, DecisionAnalysis, PositionProspects};
use crate::Budget;

/// Position that is rolled out, with the analysis made before.
#[derive(Clone)]
pub struct RolloutAnalysis {
    game: Game,
    view: CubeState,
    cubeful: bool,
    prospects: Option<PositionProspects>,
    decision: Option<DecisionAnalysis>,
    played: Option<Move>,
    rollout: BoardRollout,
    /// Moves that lead to the rollout's boards; `None` if it is one board before the roll.
    moves: Option<Vec<Move>>,
}

impl BackgammonAnalyst {
    /// Prepares a rollout of a position. With dice on the board it rolls out the best plays, at
    /// most `most`, and the chosen one. Otherwise it rolls out the position before the roll and
    /// derives the best cube action. Returns `None` before the opening roll, after the end, and if
    /// a resignation is to be answered.
    pub fn roll_out(
        &mut self,
        game: &Game,
        played: Option<&Move>,
        settings: rollout::BackgammonRolloutSettings,
        most: usize,
        budget: &mut dyn Budget,
    ) -> Option<RolloutAnalysis> {
        if matches!(game.phase(), Phase::Opening | Phase::Over) || game.resigning().is_some() {
            return None;
        }
        let view = CubeState::new(game, game.on_roll());
        let decision = self.decision(game, played, budget);
        let prospects = self.prospects(game, budget);
        let moves = decision
            .as_ref()
            .filter(|_| game.dice().is_some())
            .map(|decision| moves_to_roll_out(decision, most));
        let (boards, ends) = match &moves {
            Some(moves) => (
                moves
                    .iter()
                    .filter_map(|mv| board_after(game, mv))
                    .collect(),
                view.ends().swapped(),
            ),
            None => (vec![game.board()], view.ends()),
        };
        let rollout = BoardRollout::for_ends(self.eval.clone(), boards, ends, settings);
        let (game, cubeful) = (game.clone(), self.settings.cubeful);
        Some(RolloutAnalysis {
            game,
            view,
            cubeful,
            prospects,
            decision,
            played: played.copied(),
            rollout,
            moves,
        })
    }
}

/// Returns the best plays and the chosen one.
fn moves_to_roll_out(decision: &DecisionAnalysis, most: usize) -> Vec<Move> {
    let chosen = |n: usize| n < most || decision.played == Some(n);
    decision
        .ranked
        .iter()
        .enumerate()
        .filter(|(n, _)| chosen(*n))
        .map(|(_, ranked)| ranked.mv)
        .collect()
}

/// Returns the board after a play, seen from the opponent.
fn board_after(game: &Game, mv: &Move) -> Option<Board> {
    let Move::Play(play) = mv else { return None };
    Some(game.board().played(play).swapped())
}

impl RolloutAnalysis {
    /// Returns the rollout, whose games the caller runs.
    pub fn rollout(&self) -> &BoardRollout {
        &self.rollout
    }

    /// Returns the seat on roll.
    pub fn seat(&self) -> Seat {
        self.game.on_roll()
    }

    /// Evaluates the position before the roll, using the tally if the rollout started there.
    pub fn prospects(&self, tally: &RolloutTally) -> Option<PositionProspects> {
        let before = self.prospects?;
        if self.moves.is_some() {
            return Some(before);
        }
        let Some(found) = tally.estimate(0) else {
            return Some(before);
        };
        let chances = found.chances.clamped_to(&self.game.board());
        let held = held(&self.view, &chances, &self.game.board(), self.cubeful);
        Some(
            PositionProspects::new(&self.game, &chances, held, before.plies)
                .rolled(&found, &EquityScale::new(&self.view)),
        )
    }

    /// Analyses the decision with the results of the tally. Alternatives that were not rolled out
    /// never rank above the best one that was.
    pub fn decision(&self, tally: &RolloutTally) -> Option<DecisionAnalysis> {
        let mut decision = self.decision.clone()?;
        let scale = EquityScale::new(&self.view);
        let Some(moves) = &self.moves else {
            let Some(found) = tally.estimate(0) else {
                return Some(decision);
            };
            let chances = found.chances.clamped_to(&self.game.board());
            let plies = decision.ranked.first().map_or(0, |best| best.plies);
            let mut rolled = DecisionAnalysis::from_chances(
                &self.game,
                self.played.as_ref(),
                &chances,
                plies,
                self.cubeful,
            );
            for ranked in &mut rolled.ranked {
                (ranked.games, ranked.error) = (found.games, Some(found.error / scale.unit()));
            }
            return Some(rolled);
        };
        let chosen = decision.played.map(|played| decision.ranked[played].mv);
        for (n, (mv, board)) in moves.iter().zip(self.rollout.boards()).enumerate() {
            let Some(found) = tally.estimate(n) else {
                return Some(decision);
            };
            let chances: Chances = found.chances.clamped_to(board).swapped();
            for ranked in decision.ranked.iter_mut().filter(|ranked| ranked.mv == *mv) {
                ranked.equity =
                    scale.equity(worth_after(&self.view, self.cubeful, &chances, board));
                (ranked.chances, ranked.games) = (chances, found.games);
                ranked.error = Some(found.error / scale.unit());
            }
        }
        decision
            .ranked
            .sort_by(|a, b| b.games.cmp(&a.games).then(b.equity.total_cmp(&a.equity)));
        rank_by_depth(&mut decision.ranked);
        let best = decision.ranked.first()?;
        decision.chances = best.chances;
        decision.winning = scale.winning(scale.worth(best.equity), &best.chances);
        decision.played =
            chosen.and_then(|mv| decision.ranked.iter().position(|ranked| ranked.mv == mv));
        Some(decision)
    }
}

impl PositionProspects {
    fn rolled(self, found: &RolloutEstimate, scale: &EquityScale) -> PositionProspects {
        PositionProspects {
            games: found.games,
            error: Some(found.error / scale.unit()),
            ..self
        }
    }
}
