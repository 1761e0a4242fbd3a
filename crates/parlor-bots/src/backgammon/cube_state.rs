//! State of the cube as one seat sees it, and the values of a double.

use parlor_backgammon::{Board, CHECKERS, Crawford, Game};
use parlor_core::Seat;

use super::bearoff::{self, BearoffPair};
use super::chances::Chances;
use super::cube::{self, CubeOwner};
use super::stakes::{EndingValues, Stakes, gammons_count};

/// Stakes and cube of a game as one seat sees them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CubeState {
    /// Value of points to the seat.
    pub(super) stakes: Stakes,
    /// Value that the cube shows.
    pub(super) value: i32,
    /// Seat that may turn the cube.
    pub(super) owner: CubeOwner,
    /// True if gammons count while the cube stays as it is.
    pub(super) gammons: bool,
}

impl CubeState {
    /// Returns the state as a seat sees it.
    pub(super) fn new(game: &Game, seat: Seat) -> CubeState {
        let cube = game.cube();
        let owner = match cube.owner() {
            _ if !game.rules().cube || game.crawford() == Crawford::Now => CubeOwner::Dead,
            None => CubeOwner::Centered,
            Some(owner) if owner == seat => CubeOwner::Me,
            Some(_) => CubeOwner::Opponent,
        };
        CubeState {
            stakes: Stakes::new(game, seat),
            value: i32::from(cube.value()),
            owner,
            gammons: gammons_count(game.rules(), cube.turned()),
        }
    }

    /// Returns the value of each ending of this game if the cube is not turned again.
    pub(super) fn ends(&self) -> EndingValues {
        EndingValues::new(self.stakes, self.value, self.gammons)
    }

    /// Returns the value of chances with this cube value and owner, by the model of the cube.
    pub(super) fn worth(
        &self,
        chances: &Chances,
        value: i32,
        owner: CubeOwner,
        liveliness: f64,
    ) -> f64 {
        let gammons = self.gammons || value != self.value;
        cube::worth(self.stakes, chances, value, owner, gammons, liveliness)
    }

    /// Returns the exact value of the last checkers in money play when the opponent, from whose
    /// side `after` is seen, is to move.
    pub(super) fn exact(&self, after: &Board) -> Option<f64> {
        if self.stakes != Stakes::Money || after.other().off() == CHECKERS {
            return None;
        }
        Some(self.points_from_pair(bearoff::pair(after)?.before().swapped()))
    }

    /// Returns the value of the last checkers in money play with the cube as the seat sees it.
    pub(super) fn points_from_pair(&self, pair: BearoffPair) -> f64 {
        let worth = match self.owner {
            CubeOwner::Centered => pair.centered,
            CubeOwner::Me => pair.mine,
            CubeOwner::Opponent => pair.theirs,
            CubeOwner::Dead => 2.0 * pair.win - 1.0,
        };
        f64::from(self.value) * f64::from(worth)
    }

    /// Returns the state after the seat has doubled and the opponent has taken.
    pub(super) const fn doubled(self) -> CubeState {
        CubeState {
            value: 2 * self.value,
            owner: CubeOwner::Opponent,
            gammons: true,
            ..self
        }
    }

    /// Returns the state as the opponent sees it.
    pub(super) const fn swapped(self) -> CubeState {
        CubeState {
            stakes: self.stakes.swapped(),
            owner: self.owner.swapped(),
            ..self
        }
    }

    /// Returns the value of having played to a board, which is seen from the opponent, who is to
    /// move and doubles if that is better. The chances are the seat's. The value is exact for the
    /// last checkers, otherwise by the model of the cube.
    pub(super) fn worth_after(&self, chances: &Chances, after: &Board) -> f64 {
        if let Some(exact) = self.exact(after) {
            return exact;
        }
        let (theirs, liveliness) = (self.swapped(), cube::liveliness(after));
        let chances = chances.swapped();
        -if theirs.may_double() && !is_over(after) {
            DoubleValues::new(&theirs, &chances, liveliness).worth()
        } else {
            theirs.worth(&chances, theirs.value, theirs.owner, liveliness)
        }
    }

    /// Returns true if the seat may turn the cube and it is of use.
    pub(super) fn may_double(&self) -> bool {
        matches!(self.owner, CubeOwner::Centered | CubeOwner::Me) && self.stakes.can_use(self.value)
    }

    /// Returns how much worse than rolling a double may seem and still be right, if the opponent
    /// should take and if the opponent should drop. A player who loses the match with the game
    /// risks nothing by a take, and one who cannot win more than the cube's value risks nothing by
    /// a drop.
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

    /// Scales a value to the range from -1 to 1.
    pub(super) fn scaled(&self, worth: f64) -> f64 {
        match self.stakes {
            Stakes::Money => (worth / f64::from(3 * self.value)).clamp(-1.0, 1.0),
            Stakes::Match { .. } => worth.clamp(-1.0, 1.0),
        }
    }
}

/// Values of the cube actions to the player who may double.
#[derive(Clone, Copy, Debug)]
pub(super) struct DoubleValues {
    /// Value of rolling without doubling.
    pub(super) held: f64,
    /// Value of doubling if the opponent takes.
    pub(super) taken: f64,
    /// Value of doubling if the opponent drops.
    pub(super) dropped: f64,
    /// Value of doubling if the opponent beavers and the beaver is taken.
    pub(super) beavered: f64,
    /// Maximum apparent loss of a double that costs nothing and is still right: one that should be
    /// taken, one that should be dropped.
    pub(super) slack: [f64; 2],
}

impl DoubleValues {
    /// Computes the values by the model of the cube.
    pub(super) fn new(view: &CubeState, chances: &Chances, liveliness: f64) -> DoubleValues {
        DoubleValues {
            held: view.worth(chances, view.value, view.owner, liveliness),
            taken: view.worth(chances, 2 * view.value, CubeOwner::Opponent, liveliness),
            dropped: view.stakes.points(view.value),
            beavered: view.worth(chances, 4 * view.value, CubeOwner::Opponent, liveliness),
            slack: view.slack(),
        }
    }

    /// Returns the exact values for the last checkers in money play.
    pub(super) fn exact(view: &CubeState, board: &Board) -> Option<DoubleValues> {
        let pair = bearoff::pair(board).filter(|_| view.stakes == Stakes::Money)?;
        let held = if view.owner == CubeOwner::Me {
            pair.mine
        } else {
            pair.centered
        };
        let worth = |points: f32| f64::from(view.value) * f64::from(points);
        Some(DoubleValues {
            held: worth(held),
            taken: worth(2.0 * pair.theirs),
            dropped: worth(1.0),
            beavered: worth(4.0 * pair.theirs),
            slack: [0.0, 1e-6],
        })
    }

    /// Returns true if doubling is better than rolling, or equally good within the slack, so that
    /// nothing is lost by it, as for the trailer after the Crawford game.
    pub(super) fn is_right(&self) -> bool {
        let slack = self.slack[usize::from(self.taken > self.dropped)];
        self.taken.min(self.dropped) + slack > self.held
    }

    /// Returns the value of the better action.
    pub(super) fn worth(&self) -> f64 {
        self.held.max(self.taken.min(self.dropped))
    }
}

/// Returns true if a side has no checkers left.
pub(super) fn is_over(board: &Board) -> bool {
    board.mover().off() == CHECKERS || board.other().off() == CHECKERS
}
