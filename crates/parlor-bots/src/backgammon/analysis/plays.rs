//! Analysis of checker plays.

use parlor_backgammon::{Board, Dice, Game, Move};

use super::super::chances::Chances;
use super::super::cube_state::CubeState;
use super::super::search::Candidate;
use super::scale::EquityScale;
use super::{BackgammonAnalyst, DecisionAnalysis, RankedMove, rank};
use crate::Budget;

/// Plays to keep at each further ply: a maximum number, and a maximum equity behind the best. The
/// chosen play is always kept. The limits are wider than in play, because people want to see the
/// alternatives they considered.
const FILTERS: [(usize, f64); 3] = [(12, 0.25), (6, 0.15), (4, 0.10)];

/// Candidate play and the depth of its search.
struct SearchedPlay {
    candidate: Candidate,
    plies: u32,
}

impl BackgammonAnalyst {
    pub(super) fn plays(
        &mut self,
        game: &Game,
        dice: Dice,
        played: Option<&Move>,
        budget: &mut dyn Budget,
    ) -> DecisionAnalysis {
        let view = CubeState::new(game, game.on_roll());
        let scale = EquityScale::new(&view);
        let chosen = played.and_then(|mv| board_after(game, mv));
        let found = self.search_plays(game, dice, &view, chosen, budget);
        let mut ranked: Vec<RankedMove> = found.iter().map(|found| found.ranked(&scale)).collect();
        rank_by_depth(&mut ranked);
        let chosen = found
            .iter()
            .find(|found| Some(found.candidate.after) == chosen);
        let chosen = chosen.map(|found| Move::Play(found.candidate.play));
        let best = &found[0].candidate;
        DecisionAnalysis {
            seat: game.on_roll(),
            chances: best.chances,
            winning: scale.winning(best.worth, &best.chances),
            played: chosen.and_then(|mv| ranked.iter().position(|ranked| ranked.mv == mv)),
            counts: ranked.len() > 1,
            ranked,
            cube: None,
            stake: scale.stake(),
        }
    }

    /// Returns all plays, best first; those searched more deeply come before the others.
    fn search_plays(
        &mut self,
        game: &Game,
        dice: Dice,
        view: &CubeState,
        chosen: Option<Board>,
        budget: &mut dyn Budget,
    ) -> Vec<SearchedPlay> {
        let (settings, ends) = (self.settings, view.ends());
        let worth =
            |chances: &Chances, after: &Board| worth_after(view, settings.cubeful, chances, after);
        let (candidates, _) = self
            .search
            .plays(&game.board(), dice, 0, &ends, &worth, budget);
        let mut found: Vec<SearchedPlay> = candidates
            .into_iter()
            .map(|candidate| SearchedPlay {
                candidate,
                plies: 0,
            })
            .collect();
        let scale = EquityScale::new(view);
        for (plies, (most, within)) in (1..=settings.plies).zip(FILTERS) {
            let best = scale.equity(found[0].candidate.worth);
            // Only plays still compared at this depth go on to the next.
            let likely = found.iter().take(most).take_while(|one| {
                one.plies + 1 == plies && best - scale.equity(one.candidate.worth) <= within
            });
            let likely = likely.count();
            if found.len() < 2 {
                return found;
            }
            let goes =
                |n: usize, one: &SearchedPlay| n < likely || Some(one.candidate.after) == chosen;
            let going: Vec<usize> = (0..found.len()).filter(|n| goes(*n, &found[*n])).collect();
            let candidates: Vec<Candidate> = going.iter().map(|n| found[*n].candidate).collect();
            let Some(deeper) = self
                .search
                .deepen(&candidates, plies, &ends, &worth, budget)
            else {
                return found;
            };
            for (n, candidate) in going.into_iter().zip(deeper) {
                found[n] = SearchedPlay { candidate, plies };
            }
            found.sort_by(|a, b| {
                b.plies
                    .cmp(&a.plies)
                    .then(b.candidate.worth.total_cmp(&a.candidate.worth))
            });
        }
        found
    }
}

impl SearchedPlay {
    fn ranked(&self, scale: &EquityScale) -> RankedMove {
        RankedMove {
            mv: Move::Play(self.candidate.play),
            chances: self.candidate.chances,
            equity: scale.equity(self.candidate.worth),
            loss: 0.0,
            plies: self.plies,
            games: 0,
            error: None,
        }
    }
}

/// Ranks by the deepest search: plays searched less deeply follow, and none of them gets a higher
/// equity than the best.
pub(super) fn rank_by_depth(ranked: &mut [RankedMove]) {
    let best = ranked.first().copied();
    if let Some(best) = best {
        ranked
            .iter_mut()
            .for_each(|one| one.equity = one.equity.min(best.equity));
    }
    rank(ranked);
}

/// Returns the value of a board to the player who has just played; `after` is seen from the
/// opponent.
pub(super) fn worth_after(
    view: &CubeState,
    cubeful: bool,
    chances: &Chances,
    after: &Board,
) -> f64 {
    if !cubeful {
        return view.ends().worth(chances);
    }
    view.worth_after(chances, after)
}

/// Returns the board after a play, seen from the opponent.
fn board_after(game: &Game, mv: &Move) -> Option<Board> {
    let Move::Play(play) = mv else { return None };
    Some(game.board().played(play).swapped())
}
