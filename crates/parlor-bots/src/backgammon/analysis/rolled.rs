//! Decisions judged by playing on.

use parlor_backgammon::{Board, Game, Move, Phase};
use parlor_core::Seat;

use super::super::chances::Chances;
use super::super::offer::View;
use super::super::rollout::{self, Estimate, Rollout, Tally};
use super::cube::held;
use super::plays::{rank_by_depth, worth_after};
use super::scale::Scale;
use super::{Analyst, Decision, Prospects};
use crate::Budget;

/// A position that is rolled out, and what was known of it before.
#[derive(Clone)]
pub struct RolledOut {
    game: Game,
    view: View,
    cubeful: bool,
    prospects: Option<Prospects>,
    decision: Option<Decision>,
    played: Option<Move>,
    rollout: Rollout,
    /// Which of the decision's moves the rollout's boards come from; nothing when it is one board before the roll.
    moves: Option<Vec<Move>>,
}

impl Analyst {
    /// Prepares to roll out a position: of dice that lie the best plays, so many at most, and the one that was or would be chosen; else
    /// the position before the roll, from which what is best with the cube is told. `None` before the opening roll, after the end,
    /// and where a resignation is to be answered.
    pub fn roll_out(
        &mut self,
        game: &Game,
        played: Option<&Move>,
        settings: rollout::Settings,
        most: usize,
        budget: &mut dyn Budget,
    ) -> Option<RolledOut> {
        if matches!(game.phase(), Phase::Opening | Phase::Over) || game.resigning().is_some() {
            return None;
        }
        let view = View::of(game, game.on_roll());
        let decision = self.decision(game, played, budget);
        let prospects = self.prospects(game, budget);
        let moves = decision
            .as_ref()
            .filter(|_| game.dice().is_some())
            .map(|decision| likely(decision, most));
        let (boards, ends) = match &moves {
            Some(moves) => (
                moves.iter().filter_map(|mv| after(game, mv)).collect(),
                view.ends().swapped(),
            ),
            None => (vec![game.board()], view.ends()),
        };
        let rollout = Rollout::at(self.eval.clone(), boards, ends, settings);
        let (game, cubeful) = (game.clone(), self.settings.cubeful);
        Some(RolledOut {
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

/// The best plays, and the one that was chosen.
fn likely(decision: &Decision, most: usize) -> Vec<Move> {
    let chosen = |n: usize| n < most || decision.played == Some(n);
    decision
        .ranked
        .iter()
        .enumerate()
        .filter(|(n, _)| chosen(*n))
        .map(|(_, ranked)| ranked.mv)
        .collect()
}

/// The board after a play, seen from the other player.
fn after(game: &Game, mv: &Move) -> Option<Board> {
    let Move::Play(play) = mv else { return None };
    Some(game.board().played(play).swapped())
}

impl RolledOut {
    /// What is played on; anybody may run its games.
    pub fn rollout(&self) -> &Rollout {
        &self.rollout
    }

    /// Who is on roll.
    pub fn seat(&self) -> Seat {
        self.game.on_roll()
    }

    /// What a position promises before the dice fall, as the games have it where it was rolled out from there.
    pub fn prospects(&self, tally: &Tally) -> Option<Prospects> {
        let before = self.prospects?;
        if self.moves.is_some() {
            return Some(before);
        }
        let Some(found) = tally.estimate(0) else {
            return Some(before);
        };
        let chances = found.chances.proper(&self.game.board());
        let held = held(&self.view, &chances, &self.game.board(), self.cubeful);
        Some(
            Prospects::of(&self.game, &chances, held, before.plies)
                .rolled(&found, &Scale::of(&self.view)),
        )
    }

    /// The decision as the games have it. What was not rolled out is never better than the best of what was.
    pub fn decision(&self, tally: &Tally) -> Option<Decision> {
        let mut decision = self.decision.clone()?;
        let scale = Scale::of(&self.view);
        let Some(moves) = &self.moves else {
            let Some(found) = tally.estimate(0) else {
                return Some(decision);
            };
            let chances = found.chances.proper(&self.game.board());
            let plies = decision.ranked.first().map_or(0, |best| best.plies);
            let mut rolled = Decision::about_the_cube(
                &self.game,
                self.played.as_ref(),
                &chances,
                plies,
                self.cubeful,
            );
            for ranked in &mut rolled.ranked {
                (ranked.games, ranked.error) = (found.games, Some(found.error / scale.one()));
            }
            return Some(rolled);
        };
        let chosen = decision.played.map(|played| decision.ranked[played].mv);
        for (n, (mv, board)) in moves.iter().zip(self.rollout.boards()).enumerate() {
            let Some(found) = tally.estimate(n) else {
                return Some(decision);
            };
            let chances: Chances = found.chances.proper(board).swapped();
            for ranked in decision.ranked.iter_mut().filter(|ranked| ranked.mv == *mv) {
                ranked.equity =
                    scale.equity(worth_after(&self.view, self.cubeful, &chances, board));
                (ranked.chances, ranked.games) = (chances, found.games);
                ranked.error = Some(found.error / scale.one());
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

impl Prospects {
    fn rolled(self, found: &Estimate, scale: &Scale) -> Prospects {
        Prospects {
            games: found.games,
            error: Some(found.error / scale.one()),
            ..self
        }
    }
}
