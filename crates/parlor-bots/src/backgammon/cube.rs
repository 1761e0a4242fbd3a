//! Janowski's model of the doubling cube.
//!
//! The value of a cube lies between that of a dead cube, which is never turned again, and that of a
//! live one, which is turned at the very moment when the opponent is indifferent between take and
//! drop: [`LIVELINESS`] of the way (R. Janowski, "Take-Points in Money Games", 1993). The value
//! with a live cube is a piecewise linear function through few points: the sure loss, the point
//! where the opponent cashes, the point where the player cashes, the sure win.
//!
//! The model gives the value of rolling. A search applies it only to the last positions: see
//! `search::cubeful`. Compared with a search it undervalues rolling with a centered cube by 0.03
//! points, so a player who does not look ahead doubles a little early.

use parlor_backgammon::Board;

use super::chances::Chances;
use super::stakes::{EndingValues, Stakes};

/// Liveliness of the cube while checkers can be hit (1 is fully live).
pub(super) const LIVELINESS: f64 = 0.68;

/// Player who may turn the cube next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CubeOwner {
    /// Both players: the cube is centered.
    Centered,
    /// The player.
    Me,
    /// The opponent.
    Opponent,
    /// Neither: there is no cube, or nobody may turn it in this game.
    Dead,
}

impl CubeOwner {
    /// Returns the owner as the opponent sees it.
    pub(super) const fn swapped(self) -> CubeOwner {
        match self {
            CubeOwner::Me => CubeOwner::Opponent,
            CubeOwner::Opponent => CubeOwner::Me,
            CubeOwner::Centered | CubeOwner::Dead => self,
        }
    }
}

/// Returns the liveliness of the cube on a board: lower in a race, and the lower the shorter the
/// race.
pub(super) fn liveliness(board: &Board) -> f64 {
    if !board.is_race() {
        return LIVELINESS;
    }
    let pips = f64::from(board.mover().pips().min(board.other().pips()));
    (0.5 + pips / 500.0).min(LIVELINESS)
}

/// Returns the value of chances to a player with this cube; without `gammons` an unturned cube
/// makes all wins single (Jacoby).
pub(super) fn worth(
    stakes: Stakes,
    chances: &Chances,
    value: i32,
    owner: CubeOwner,
    gammons: bool,
    liveliness: f64,
) -> f64 {
    let model = CubeModel {
        points: &|points| stakes.points(points),
        stakes,
        liveliness,
        gammons,
    };
    model.worth(chances, value, owner)
}

/// Returns the same as [`worth`], with the values of points given by `points`.
pub(super) fn worth_by(
    points: &dyn Fn(i32) -> f64,
    stakes: Stakes,
    chances: &Chances,
    value: i32,
    owner: CubeOwner,
    liveliness: f64,
) -> f64 {
    CubeModel {
        points,
        stakes,
        liveliness,
        gammons: true,
    }
    .worth(chances, value, owner)
}

struct CubeModel<'a> {
    /// Value to the player of winning this many points.
    points: &'a dyn Fn(i32) -> f64,
    stakes: Stakes,
    liveliness: f64,
    /// True if gammons count before the cube is turned.
    gammons: bool,
}

impl CubeModel<'_> {
    fn worth(&self, chances: &Chances, value: i32, owner: CubeOwner) -> f64 {
        let ends = self.ends(value, self.gammons);
        let dead = ends.worth(chances);
        if owner == CubeOwner::Dead || self.liveliness <= 0.0 {
            return dead;
        }
        let live = self
            .line(chances, value, owner, &ends)
            .at(f64::from(chances.win));
        dead + self.liveliness * (live - dead)
    }

    fn ends(&self, value: i32, gammons: bool) -> EndingValues {
        let worth = |sign: i32| {
            std::array::from_fn(|n| {
                (self.points)(sign * value * if gammons { n as i32 + 1 } else { 1 })
            })
        };
        EndingValues {
            wins: worth(1),
            losses: worth(-1),
        }
    }

    /// Returns the value with a live cube as a function of the winning chance, at the gammon rates
    /// of these chances.
    fn line(
        &self,
        chances: &Chances,
        value: i32,
        owner: CubeOwner,
        ends: &EndingValues,
    ) -> WorthLine {
        let mine =
            matches!(owner, CubeOwner::Me | CubeOwner::Centered) && self.stakes.can_use(value);
        let theirs = matches!(owner, CubeOwner::Opponent | CubeOwner::Centered)
            && self.stakes.swapped().can_use(value);
        WorthLine {
            lost: ends.loss(chances),
            take: theirs.then(|| (self.take_point(chances, value), (self.points)(-value))),
            cash: mine.then(|| (self.cash_point(chances, value), (self.points)(value))),
            won: ends.win(chances),
        }
    }

    /// Returns the minimum winning chance at which the player takes a cube that is doubled from
    /// this value.
    fn take_point(&self, chances: &Chances, value: i32) -> f64 {
        if self.stakes == Stakes::Money {
            let (win, loss) = self.per_point(chances);
            return ((loss - 0.5) / (win + loss + 0.5)).clamp(0.0, 1.0);
        }
        let ends = self.ends(2 * value, true);
        self.line(chances, 2 * value, CubeOwner::Me, &ends)
            .reaches((self.points)(-value))
    }

    /// Returns the minimum winning chance of the player at which the opponent drops a double.
    fn cash_point(&self, chances: &Chances, value: i32) -> f64 {
        if self.stakes == Stakes::Money {
            let (win, loss) = self.per_point(chances);
            return ((loss + 1.0) / (win + loss + 0.5)).clamp(0.0, 1.0);
        }
        let ends = self.ends(2 * value, true);
        self.line(chances, 2 * value, CubeOwner::Opponent, &ends)
            .reaches((self.points)(value))
    }

    /// Returns the mean points won with a win and lost with a loss, at a cube of 1.
    fn per_point(&self, chances: &Chances) -> (f64, f64) {
        let ends = self.ends(1, true);
        (ends.win(chances), -ends.loss(chances))
    }
}

/// Value as a function of the winning chance, in up to three straight pieces.
struct WorthLine {
    lost: f64,
    /// Point at which the opponent would cash.
    take: Option<(f64, f64)>,
    /// Point at which the player would cash.
    cash: Option<(f64, f64)>,
    won: f64,
}

impl WorthLine {
    /// Returns the corners, from left to right.
    fn corners(&self) -> impl Iterator<Item = (f64, f64)> {
        let ends = [
            Some((0.0, self.lost)),
            self.take,
            self.cash,
            Some((1.0, self.won)),
        ];
        ends.into_iter().flatten()
    }

    fn at(&self, win: f64) -> f64 {
        let pairs = self.corners().zip(self.corners().skip(1));
        let (from, to) = pairs
            .filter(|(from, _)| from.0 <= win)
            .last()
            .expect("a line begins at 0");
        if to.0 - from.0 < 1e-9 {
            return to.1;
        }
        from.1 + (to.1 - from.1) * (win - from.0) / (to.0 - from.0)
    }

    /// Returns the lowest winning chance that has this value.
    fn reaches(&self, worth: f64) -> f64 {
        if worth <= self.lost {
            return 0.0;
        }
        for (from, to) in self.corners().zip(self.corners().skip(1)) {
            if to.1 >= worth {
                let rise = (to.1 - from.1).max(1e-12);
                return from.0 + (to.0 - from.0) * (worth - from.1) / rise;
            }
        }
        1.0
    }
}
