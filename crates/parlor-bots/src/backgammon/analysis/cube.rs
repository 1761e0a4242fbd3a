//! Doubles and their answers.

use parlor_backgammon::{Board, Game, Move, Phase};
use parlor_core::Position;

use super::super::bearoff;
use super::super::chances::Chances;
use super::super::cube;
use super::super::offer::{Offer, View};
use super::super::stakes::Stakes;
use super::scale::Scale;
use super::{Analyst, Decision, Ranked, rank};
use crate::Budget;

/// What can come of a double, seen from who offers it or may offer it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cube {
    /// What it is worth to roll without doubling.
    pub held: f64,
    /// To double, and the other takes.
    pub taken: f64,
    /// To double, and the other drops: 1 but where the match says otherwise.
    pub dropped: f64,
    /// To double, and the other doubles at once and keeps the cube; where the rules allow that.
    pub beavered: Option<f64>,
    /// What both do best.
    pub advice: Advice,
    /// Whether it is a redouble: the cube was turned before.
    pub again: bool,
}

/// What both do best when the cube may be turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advice {
    /// Whether to double.
    pub double: bool,
    /// Whether not to double because the game is worth more than the sure win.
    pub too_good: bool,
    /// What the other answers to a double: take, drop or beaver.
    pub answer: Move,
}

impl Cube {
    /// How much doubling may be better or worse than rolling to count as close: 0.16, as GNU Backgammon counts.
    pub const CLOSE: f64 = 0.16;

    fn new(offer: &Offer, scale: &Scale, beavers: bool, again: bool) -> Cube {
        let [held, taken, dropped] =
            [offer.held, offer.taken, offer.dropped].map(|worth| scale.equity(worth));
        let beavered = beavers.then(|| scale.equity(offer.beavered));
        let advice = Advice::new(held, taken, dropped, beavered);
        Cube {
            held,
            taken,
            dropped,
            beavered,
            advice,
            again,
        }
    }

    /// What it is worth to double when the other answers best.
    pub fn doubled(&self) -> f64 {
        let least = self.taken.min(self.dropped);
        self.beavered.map_or(least, |beavered| least.min(beavered))
    }

    /// Whether doubling and rolling are worth about the same.
    pub fn is_close(&self) -> bool {
        (self.doubled() - self.held).abs() < Self::CLOSE
    }

    /// How often the other would have to answer wrongly, taking for dropping or the other way round, for a double to be right that is
    /// not; from 0 to 1. `None` when it is right, and when no answer would make it so.
    pub fn wrong_answers_needed(&self) -> Option<f64> {
        let (right, wrong) = (self.taken.min(self.dropped), self.taken.max(self.dropped));
        (!self.advice.double && right < self.held && self.held < wrong)
            .then(|| (self.held - right) / (wrong - right))
    }
}

impl Advice {
    fn new(held: f64, taken: f64, dropped: f64, beavered: Option<f64>) -> Advice {
        let (answer, doubled) = match beavered {
            Some(beavered) if beavered < taken.min(dropped) => (Move::Beaver, beavered),
            _ if taken > dropped => (Move::Drop, dropped),
            _ => (Move::Take, taken),
        };
        let double = doubled > held;
        Advice {
            double,
            too_good: !double && held > dropped,
            answer,
        }
    }
}

impl Analyst {
    /// Roll or double, or the answer.
    pub(super) fn cube(
        &mut self,
        game: &Game,
        played: Option<&Move>,
        budget: &mut dyn Budget,
    ) -> Decision {
        let view = View::of(game, game.on_roll());
        if !self.settings.cubeful {
            let (chances, plies) = self.before_roll(game, &view, budget);
            return Decision::about_the_cube(game, played, &chances, plies, false);
        }
        let found = self
            .search
            .doubling(&view, &game.board(), self.settings.plies, budget);
        Decision::about_an_offer(game, played, &found.chances, found.plies, &found.offer)
    }
}

impl Decision {
    /// Roll or double, or the answer, when these are the chances of the seat on roll.
    pub(super) fn about_the_cube(
        game: &Game,
        played: Option<&Move>,
        chances: &Chances,
        plies: u32,
        cubeful: bool,
    ) -> Decision {
        let view = View::of(game, game.on_roll());
        Decision::about_an_offer(
            game,
            played,
            chances,
            plies,
            &offer(&view, chances, &game.board(), cubeful),
        )
    }

    fn about_an_offer(
        game: &Game,
        played: Option<&Move>,
        chances: &Chances,
        plies: u32,
        offer: &Offer,
    ) -> Decision {
        let view = View::of(game, game.on_roll());
        let scale = Scale::of(&view);
        let may_beaver = game.rules().beavers && view.stakes.can_use(2 * view.value);
        let cube = Cube::new(offer, &scale, may_beaver, game.cube().turned() > 0);
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
            Ranked {
                mv,
                chances: seen,
                equity,
                loss: 0.0,
                plies,
                games: 0,
                error: None,
            }
        });
        let mut ranked: Vec<Ranked> = ranked.collect();
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
        Decision {
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

impl Cube {
    /// What a move about the cube is worth to who makes it; `beavered` is what a taken beaver is worth to who doubled first.
    fn equity(&self, phase: Phase, mv: Move, beavered: f64, view: &View, scale: &Scale) -> f64 {
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

/// What it is worth to the seat on roll to roll now.
pub(super) fn held(view: &View, chances: &Chances, board: &Board, cubeful: bool) -> f64 {
    if !cubeful {
        return view.ends().worth(chances);
    }
    exactly(view, board)
        .unwrap_or_else(|| view.worth(chances, view.value, view.owner, cube::life(board)))
}

/// The same for the last checkers, played for points.
pub(super) fn exactly(view: &View, board: &Board) -> Option<f64> {
    bearoff::pair(board)
        .filter(|_| view.stakes == Stakes::Money)
        .map(|pair| view.points_of(pair))
}

fn offer(view: &View, chances: &Chances, board: &Board, cubeful: bool) -> Offer {
    let life = if cubeful { cube::life(board) } else { 0.0 };
    Offer::exact(view, board)
        .filter(|_| cubeful)
        .unwrap_or_else(|| Offer::new(view, chances, life))
}
