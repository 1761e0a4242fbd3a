//! A game with its cube as one seat sees it, and what can come of a double.

use parlor_backgammon::{Board, CHECKERS, Crawford, Game};
use parlor_core::Seat;

use super::bearoff::{self, Pair};
use super::chances::Chances;
use super::cube::{self, Owner};
use super::stakes::{Ends, Stakes, gammons_count};

/// A game as one seat sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct View {
    /// What points are worth to the seat.
    pub(super) stakes: Stakes,
    /// What the cube shows.
    pub(super) value: i32,
    /// Whose it is.
    pub(super) owner: Owner,
    /// Whether gammons count as long as the cube stays where it is.
    pub(super) gammons: bool,
}

impl View {
    /// What a seat sees.
    pub(super) fn of(game: &Game, seat: Seat) -> View {
        let cube = game.cube();
        let owner = match cube.owner() {
            _ if !game.rules().cube || game.crawford() == Crawford::Now => Owner::Gone,
            None => Owner::Nobody,
            Some(owner) if owner == seat => Owner::Me,
            Some(_) => Owner::Other,
        };
        View {
            stakes: Stakes::of(game, seat),
            value: i32::from(cube.value()),
            owner,
            gammons: gammons_count(game.rules(), cube.turned()),
        }
    }

    /// What the ends of this game are worth if the cube is not turned any more.
    pub(super) fn ends(&self) -> Ends {
        Ends::at(self.stakes, self.value, self.gammons)
    }

    /// What chances are worth with the cube at a value and with an owner, by the model.
    pub(super) fn worth(&self, chances: &Chances, value: i32, owner: Owner, life: f64) -> f64 {
        let gammons = self.gammons || value != self.value;
        cube::worth(self.stakes, chances, value, owner, gammons, life)
    }

    /// What the last checkers are worth for points when the other, who sees the board so, is to move.
    pub(super) fn exact(&self, after: &Board) -> Option<f64> {
        if self.stakes != Stakes::Money || after.other().off() == CHECKERS {
            return None;
        }
        Some(self.points_of(bearoff::pair(after)?.before().swapped()))
    }

    /// What the last checkers are worth with the cube as the seat sees it, for points.
    pub(super) fn points_of(&self, pair: Pair) -> f64 {
        let worth = match self.owner {
            Owner::Nobody => pair.nobodys,
            Owner::Me => pair.mine,
            Owner::Other => pair.theirs,
            Owner::Gone => 2.0 * pair.win - 1.0,
        };
        f64::from(self.value) * f64::from(worth)
    }

    /// The same game after the seat has doubled and the other has taken.
    pub(super) const fn doubled(self) -> View {
        View {
            value: 2 * self.value,
            owner: Owner::Other,
            gammons: true,
            ..self
        }
    }

    /// The same game as the other sees it.
    pub(super) const fn swapped(self) -> View {
        View {
            stakes: self.stakes.swapped(),
            owner: self.owner.swapped(),
            ..self
        }
    }

    /// What it is worth to have played to a board, which the other, who is to move, sees so: the other doubles where that is better for
    /// the other. The chances are the seat's. It is exact for the last checkers, and else by the model.
    pub(super) fn worth_after(&self, chances: &Chances, after: &Board) -> f64 {
        if let Some(exact) = self.exact(after) {
            return exact;
        }
        let (theirs, life) = (self.swapped(), cube::life(after));
        let chances = chances.swapped();
        -if theirs.may_double() && !is_over(after) {
            Offer::new(&theirs, &chances, life).worth()
        } else {
            theirs.worth(&chances, theirs.value, theirs.owner, life)
        }
    }

    /// Whether the cube is the seat's to turn, and of use.
    pub(super) fn may_double(&self) -> bool {
        matches!(self.owner, Owner::Nobody | Owner::Me) && self.stakes.can_use(self.value)
    }

    /// How much worse than to roll it may seem to double, and be right, when the other should take and when the other should drop: who
    /// loses the match with the game loses nothing by a take, and who can win no more than one cube loses nothing by a drop.
    pub(super) fn slack(&self) -> [f64; 2] {
        let [won, lost, more] = [1, -1, -2].map(|times| self.stakes.points(times * self.value));
        let most = self.ends().wins.into_iter().fold(won, f64::max);
        [
            if more < lost {
                0.0
            } else {
                0.01 * (won - lost)
            },
            if most > won { 0.0 } else { 1e-6 * (won - lost) },
        ]
    }

    /// A worth on the scale from -1 to 1.
    pub(super) fn scaled(&self, worth: f64) -> f64 {
        match self.stakes {
            Stakes::Money => (worth / f64::from(3 * self.value)).clamp(-1.0, 1.0),
            Stakes::Match { .. } => worth.clamp(-1.0, 1.0),
        }
    }
}

/// What can come of a double, in the eyes of who may offer it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    /// Rolling without it.
    pub(super) held: f64,
    /// Doubling, and the other takes.
    pub(super) taken: f64,
    /// Doubling, and the other drops.
    pub(super) dropped: f64,
    /// Taken after the double was doubled.
    pub(super) beavered: f64,
    /// How much worse a double may seem that costs nothing, and be right: one that should be taken, one that should be dropped.
    pub(super) slack: [f64; 2],
}

impl Offer {
    /// By the model of the cube.
    pub(super) fn new(view: &View, chances: &Chances, life: f64) -> Offer {
        Offer {
            held: view.worth(chances, view.value, view.owner, life),
            taken: view.worth(chances, 2 * view.value, Owner::Other, life),
            dropped: view.stakes.points(view.value),
            beavered: view.worth(chances, 4 * view.value, Owner::Other, life),
            slack: view.slack(),
        }
    }

    /// The same for the last checkers, played for points.
    pub(super) fn exact(view: &View, board: &Board) -> Option<Offer> {
        let pair = bearoff::pair(board).filter(|_| view.stakes == Stakes::Money)?;
        let held = if view.owner == Owner::Me {
            pair.mine
        } else {
            pair.nobodys
        };
        let worth = |points: f32| f64::from(view.value) * f64::from(points);
        Some(Offer {
            held: worth(held),
            taken: worth(2.0 * pair.theirs),
            dropped: worth(1.0),
            beavered: worth(4.0 * pair.theirs),
            slack: [0.0, 1e-6],
        })
    }

    /// Whether to double rather than roll: when it is better, and when it is as good as equal and there is nothing to lose by it, as for
    /// a trailer after the Crawford game.
    pub(super) fn is_good(&self) -> bool {
        let slack = self.slack[usize::from(self.taken > self.dropped)];
        self.taken.min(self.dropped) + slack > self.held
    }

    /// What the better of both is worth.
    pub(super) fn worth(&self) -> f64 {
        self.held.max(self.taken.min(self.dropped))
    }
}

/// Whether a side has no checker left.
pub(super) fn is_over(board: &Board) -> bool {
    board.mover().off() == CHECKERS || board.other().off() == CHECKERS
}
