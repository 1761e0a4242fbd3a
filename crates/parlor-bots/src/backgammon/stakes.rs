//! What winning and losing is worth: points in a single game, chances to win the match in a match.

use parlor_backgammon::{Crawford, Game, Rules};
use parlor_core::Seat;

use super::chances::Chances;
use super::equities;

/// What a game can be worth to a player, as numbers of his: points for money, and in a match from -1 (lost) to 1 (won).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stakes {
    /// Each point counts alike.
    Money,
    /// A match in which the player and the other still need so many points.
    Match {
        /// The player's points to go, and the other's.
        away: [u8; 2],
        crawford: Crawford,
    },
}

impl Stakes {
    /// What a game's current game is worth to a seat.
    pub(super) fn of(game: &Game, seat: Seat) -> Stakes {
        match (game.away(seat), game.away(seat.next(2))) {
            (Some(mine), Some(theirs)) => Stakes::Match {
                away: [mine, theirs],
                crawford: game.crawford(),
            },
            _ => Stakes::Money,
        }
    }

    /// The same for the other player.
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

    /// What it is worth to win so many points, or to lose them when they are negative.
    pub(super) fn points(self, points: i32) -> f64 {
        match self {
            Stakes::Money => f64::from(points),
            Stakes::Match {
                away: [mine, theirs],
                crawford,
            } => {
                let left = |away: u8, won: i32| (i32::from(away) - won.max(0)).max(0) as u8;
                2.0 * equities::after(left(mine, points), left(theirs, -points), crawford) - 1.0
            }
        }
    }

    /// Whether the player could use a cube of this value: one more win of it is not enough.
    pub(super) fn can_use(self, value: i32) -> bool {
        match self {
            Stakes::Money => value < 1 << parlor_backgammon::Cube::MOST,
            Stakes::Match {
                away: [mine, _], ..
            } => value < i32::from(mine),
        }
    }
}

/// What the three ways to win and the three to lose are worth, with nobody turning the cube any more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ends {
    pub(super) wins: [f64; 3],
    pub(super) losses: [f64; 3],
}

impl Ends {
    /// With a cube of this value; without `gammons` everything counts as a single game (Jacoby).
    pub(super) fn at(stakes: Stakes, value: i32, gammons: bool) -> Ends {
        let worth = |sign: i32| {
            std::array::from_fn(|n| {
                stakes.points(sign * value * if gammons { n as i32 + 1 } else { 1 })
            })
        };
        Ends {
            wins: worth(1),
            losses: worth(-1),
        }
    }

    /// What chances are worth.
    pub(super) fn worth(&self, chances: &Chances) -> f64 {
        let win = f64::from(chances.win);
        win * self.win(chances) + (1.0 - win) * self.loss(chances)
    }

    /// What a win is worth on average.
    pub(super) fn win(&self, chances: &Chances) -> f64 {
        mean(
            &self.wins,
            chances.win,
            chances.win_gammon,
            chances.win_backgammon,
        )
    }

    /// What a loss is worth on average.
    pub(super) fn loss(&self, chances: &Chances) -> f64 {
        mean(
            &self.losses,
            1.0 - chances.win,
            chances.lose_gammon,
            chances.lose_backgammon,
        )
    }

    /// The same as a weighted sum, from 0 on, of the five chances: quick to compare positions by.
    pub(super) fn weights(&self) -> Weights {
        let [single, gammon, backgammon] = self.wins;
        let [lost, lost_gammon, lost_backgammon] = self.losses;
        Weights(
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

    /// The same for the other player.
    pub(super) fn swapped(&self) -> Ends {
        Ends {
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

/// How much each of the five chances counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weights([f32; Chances::COUNT]);

impl Weights {
    /// The weighted sum.
    #[inline]
    pub(super) fn sum(&self, chances: &Chances) -> f32 {
        self.0
            .iter()
            .zip(chances.to_array())
            .map(|(weight, chance)| weight * chance)
            .sum()
    }
}

/// Whether gammons count in a game with a cube of this value.
pub(super) fn gammons_count(rules: Rules, turned: u8) -> bool {
    !(rules.jacoby && turned == 0)
}
