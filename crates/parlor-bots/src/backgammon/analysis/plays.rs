//! Plays of dice.

use parlor_backgammon::{Board, Dice, Game, Move};

use super::super::chances::Chances;
use super::super::offer::View;
use super::super::search::Candidate;
use super::scale::Scale;
use super::{Analyst, Decision, Ranked, rank};
use crate::Budget;

/// Which plays are looked at with each further ply: so many, and none that seems worse than the best by more. What was chosen is
/// always looked at. It is more than a player looks at, because people want to see what they thought of.
const FILTERS: [(usize, f64); 3] = [(12, 0.25), (6, 0.15), (4, 0.10)];

/// A play and what was found about it.
struct Found {
    candidate: Candidate,
    plies: u32,
}

impl Analyst {
    pub(super) fn plays(
        &mut self,
        game: &Game,
        dice: Dice,
        played: Option<&Move>,
        budget: &mut dyn Budget,
    ) -> Decision {
        let view = View::of(game, game.on_roll());
        let scale = Scale::of(&view);
        let chosen = played.and_then(|mv| result(game, mv));
        let found = self.found(game, dice, &view, chosen, budget);
        let mut ranked: Vec<Ranked> = found.iter().map(|found| found.ranked(&scale)).collect();
        rank_by_depth(&mut ranked);
        let chosen = found
            .iter()
            .find(|found| Some(found.candidate.after) == chosen);
        let chosen = chosen.map(|found| Move::Play(found.candidate.play));
        let best = &found[0].candidate;
        Decision {
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

    /// All plays, the best first: those looked at most deeply before the others.
    fn found(
        &mut self,
        game: &Game,
        dice: Dice,
        view: &View,
        chosen: Option<Board>,
        budget: &mut dyn Budget,
    ) -> Vec<Found> {
        let (settings, ends) = (self.settings, view.ends());
        let worth =
            |chances: &Chances, after: &Board| worth_after(view, settings.cubeful, chances, after);
        let (candidates, _) = self
            .search
            .plays(&game.board(), dice, 0, &ends, &worth, budget);
        let mut found: Vec<Found> = candidates
            .into_iter()
            .map(|candidate| Found {
                candidate,
                plies: 0,
            })
            .collect();
        let scale = Scale::of(view);
        for (plies, (most, within)) in (1..=settings.plies).zip(FILTERS) {
            let best = scale.equity(found[0].candidate.worth);
            // Only what is still compared at this depth goes on to the next.
            let likely = found.iter().take(most).take_while(|one| {
                one.plies + 1 == plies && best - scale.equity(one.candidate.worth) <= within
            });
            let likely = likely.count();
            if found.len() < 2 {
                return found;
            }
            let goes = |n: usize, one: &Found| n < likely || Some(one.candidate.after) == chosen;
            let going: Vec<usize> = (0..found.len()).filter(|n| goes(*n, &found[*n])).collect();
            let candidates: Vec<Candidate> = going.iter().map(|n| found[*n].candidate).collect();
            let Some(deeper) = self
                .search
                .deepened(&candidates, plies, &ends, &worth, budget)
            else {
                return found;
            };
            for (n, candidate) in going.into_iter().zip(deeper) {
                found[n] = Found { candidate, plies };
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

impl Found {
    fn ranked(&self, scale: &Scale) -> Ranked {
        Ranked {
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

/// What was looked at most deeply knows best: the others follow, and none of them seems better than the best.
pub(super) fn rank_by_depth(ranked: &mut [Ranked]) {
    let best = ranked.first().copied();
    if let Some(best) = best {
        ranked
            .iter_mut()
            .for_each(|one| one.equity = one.equity.min(best.equity));
    }
    rank(ranked);
}

/// What it is worth to who has just played to leave this board, which is seen from the other.
pub(super) fn worth_after(view: &View, cubeful: bool, chances: &Chances, after: &Board) -> f64 {
    if !cubeful {
        return view.ends().worth(chances);
    }
    view.worth_after(chances, after)
}

/// The board after a play, seen from the other player.
fn result(game: &Game, mv: &Move) -> Option<Board> {
    let Move::Play(play) = mv else { return None };
    Some(game.board().played(play).swapped())
}
