//! A game with its cube as one seat sees it, and what can come of a double.

use parlor_backgammon::{Board, CHECKERS, Crawford, Game};
use parlor_core::Seat;

use super::bearoff;
use super::chances::Chances;
use super::cube::{self, Owner};
use super::stakes::{Ends, Stakes, gammons_count};

/// A game as one seat sees it.
#[derive(Clone, Copy, Debug)]
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
        let pair = bearoff::pair(after)?.before().swapped();
        let worth = match self.owner {
            Owner::Nobody => pair.nobodys,
            Owner::Me => pair.mine,
            Owner::Other => pair.theirs,
            Owner::Gone => 2.0 * pair.win - 1.0,
        };
        Some(f64::from(self.value) * f64::from(worth))
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
}

impl Offer {
    /// By the model of the cube.
    pub(super) fn new(view: &View, chances: &Chances, life: f64) -> Offer {
        Offer {
            held: view.worth(chances, view.value, view.owner, life),
            taken: view.worth(chances, 2 * view.value, Owner::Other, life),
            dropped: view.stakes.points(view.value),
            beavered: view.worth(chances, 4 * view.value, Owner::Other, life),
        }
    }

    /// The same for the last checkers, played for points.
    pub(super) fn exact(view: &View, board: &Board) -> Option<Offer> {
        let pair = bearoff::pair(board).filter(|_| view.stakes == Stakes::Money)?;
        let held = if view.owner == Owner::Me { pair.mine } else { pair.nobodys };
        let worth = |points: f32| f64::from(view.value) * f64::from(points);
        Some(Offer {
            held: worth(held),
            taken: worth(2.0 * pair.theirs),
            dropped: worth(1.0),
            beavered: worth(4.0 * pair.theirs),
        })
    }

    /// Whether it is better to double than to roll.
    pub(super) fn is_good(&self) -> bool {
        self.taken.min(self.dropped) > self.held
    }
}
