//! Value of wins and losses: points in money play, winning chances in a match.

use parlor_backgammon::{Crawford, Game, Rules};
use parlor_core::Seat;

use super::chances::Chances;
use super::match_equity;

/// Conversion of points to values for one player: points in money play, and in a match from -1
/// (lost) to 1 (won).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stakes {
    /// Money play: each point counts alike.
    Money,
    /// Match in which both players still need some points.
    Match {
        /// Points that the player and the opponent still need.
        away: [u8; 2],
        crawford: Crawford,
    },
}

impl Stakes {
    /// Returns the stakes of the current game for a seat.
    pub(super) fn new(game: &Game, seat: Seat) -> Stakes {
        match (game.away(seat), game.away(seat.next(2))) {
            (Some(mine), Some(theirs)) => Stakes::Match {
                away: [mine, theirs],
                crawford: game.crawford(),
            },
            _ => Stakes::Money,
        }
    }

    /// Returns the stakes of the opponent.
    pub(super) const fn swapped(self) -> Stakes {
        match self {
            Stakes::Money => Stakes::Money,
            Stakes::Match {
                away: [mine, theirs],
                crawford,
            } => Stakes::Match {
                away: [theirs, mine],
                crawford,
            },
        }
    }

    /// Returns the value of winning this many points, or of losing them if negative.
    pub(super) fn points(self, points: i32) -> f64 {
        match self {
            Stakes::Money => f64::from(points),
            Stakes::Match {
                away: [mine, theirs],
                crawford,
            } => {
                let left = |away: u8, won: i32| (i32::from(away) - won.max(0)).max(0) as u8;
                2.0 * match_equity::winning_chance(
                    left(mine, points),
                    left(theirs, -points),
                    crawford,
                ) - 1.0
            }
        }
    }

    /// Returns true if the player could use a cube of this value: one more win at it is not enough.
    pub(super) fn can_use(self, value: i32) -> bool {
        match self {
            Stakes::Money => value < 1 << parlor_backgammon::Cube::MAX_TURNS,
            Stakes::Match {
                away: [mine, _], ..
            } => value < i32::from(mine),
        }
    }
}

/// Values of the three ways to win and the three to lose if the cube is not turned again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EndingValues {
    pub(super) wins: [f64; 3],
    pub(super) losses: [f64; 3],
}

impl EndingValues {
    /// Returns the values with this cube; without `gammons` every result counts as a single game
    /// (Jacoby).
    pub(super) fn new(stakes: Stakes, value: i32, gammons: bool) -> EndingValues {
        let worth = |sign: i32| {
            std::array::from_fn(|n| {
                stakes.points(sign * value * if gammons { n as i32 + 1 } else { 1 })
            })
        };
        EndingValues {
            wins: worth(1),
            losses: worth(-1),
        }
    }

    /// Returns the value of chances.
    pub(super) fn worth(&self, chances: &Chances) -> f64 {
        let win = f64::from(chances.win);
        win * self.win(chances) + (1.0 - win) * self.loss(chances)
    }

    /// Returns the mean value of a win.
    pub(super) fn win(&self, chances: &Chances) -> f64 {
        mean(
            &self.wins,
            chances.win,
            chances.win_gammon,
            chances.win_backgammon,
        )
    }

    /// Returns the mean value of a loss.
    pub(super) fn loss(&self, chances: &Chances) -> f64 {
        mean(
            &self.losses,
            1.0 - chances.win,
            chances.lose_gammon,
            chances.lose_backgammon,
        )
    }

    /// Returns the same valuation as a weighted sum of the five chances without its constant, for
    /// fast comparison.
    pub(super) fn weights(&self) -> ChanceWeights {
        let [single, gammon, backgammon] = self.wins;
        let [lost, lost_gammon, lost_backgammon] = self.losses;
        ChanceWeights(
            [
                single - lost,
                gammon - single,
                backgammon - gammon,
                lost_gammon - lost,
                lost_backgammon - lost_gammon,
            ]
            .map(|weight| weight as f32),
        )
    }

    /// Returns the values for the opponent.
    pub(super) fn swapped(&self) -> EndingValues {
        EndingValues {
            wins: self.losses.map(|x| -x),
            losses: self.wins.map(|x| -x),
        }
    }
}

fn mean(worth: &[f64; 3], all: f32, gammons: f32, backgammons: f32) -> f64 {
    if all <= 1e-6 {
        return worth[0];
    }
    let part = |chance: f32| f64::from((chance / all).clamp(0.0, 1.0));
    worth[0] + part(gammons) * (worth[1] - worth[0]) + part(backgammons) * (worth[2] - worth[1])
}

/// Weight of each of the five chances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ChanceWeights([f32; Chances::COUNT]);

impl ChanceWeights {
    /// Returns the weighted sum.
    #[inline]
    pub(super) fn sum(&self, chances: &Chances) -> f32 {
        self.0
            .iter()
            .zip(chances.to_array())
            .map(|(weight, chance)| weight * chance)
            .sum()
    }
}

/// Returns true if gammons count in a game whose cube was turned this many times.
pub(super) fn gammons_count(rules: Rules, turned: u8) -> bool {
    !(rules.jacoby && turned == 0)
}
