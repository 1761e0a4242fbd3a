//! What the doubling cube is worth, and whether to turn it.
//!
//! Between a dead cube, that nobody turns any more, and a live one, that is turned at the very moment when the other is
//! indifferent between take and drop, stands what a cube is really worth: [`LIFE`] of the way (R. Janowski, "Take-Points in Money
//! Games", 1993). A live cube's worth is a line through few points: the sure loss, the point where the other cashes, the point where the
//! player cashes, the sure win.
//!
//! The model says what it is worth to roll. Who looks ahead asks it only about the last positions: see `search::cubeful`. Compared with
//! that it undervalues rolling with the cube in the middle by 0.03 points, so whoever does not look ahead doubles a little early.

use parlor_backgammon::Board;

use super::chances::Chances;
use super::stakes::{Ends, Stakes};

/// How live a cube is as long as checkers can be hit.
pub(super) const LIFE: f64 = 0.68;

/// Who may turn the cube next, as a player sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// Both may.
    Nobody,
    /// The player.
    Me,
    /// The other.
    Other,
    /// There is no cube, or nobody may turn it in this game.
    Gone,
}

impl Owner {
    /// The same as the other player sees it.
    pub(super) const fn swapped(self) -> Owner {
        match self {
            Owner::Me => Owner::Other,
            Owner::Other => Owner::Me,
            Owner::Nobody | Owner::Gone => self,
        }
    }
}

/// How live the cube is on a board: less in a race, and the less the shorter it is.
pub(super) fn life(board: &Board) -> f64 {
    if !board.is_race() {
        return LIFE;
    }
    let pips = f64::from(board.mover().pips().min(board.other().pips()));
    (0.5 + pips / 500.0).min(LIFE)
}

/// What chances are worth to a player with a cube of this value; without `gammons` an unturned cube makes all wins single (Jacoby).
pub(super) fn worth(
    stakes: Stakes,
    chances: &Chances,
    value: i32,
    owner: Owner,
    gammons: bool,
    life: f64,
) -> f64 {
    let model = Model {
        points: &|points| stakes.points(points),
        stakes,
        life,
        gammons,
    };
    model.worth(chances, value, owner)
}

/// As [`worth`], with points worth what `points` says.
pub(super) fn worth_by(
    points: &dyn Fn(i32) -> f64,
    stakes: Stakes,
    chances: &Chances,
    value: i32,
    owner: Owner,
    life: f64,
) -> f64 {
    Model {
        points,
        stakes,
        life,
        gammons: true,
    }
    .worth(chances, value, owner)
}

struct Model<'a> {
    /// What it is worth to the player to win so many points.
    points: &'a dyn Fn(i32) -> f64,
    stakes: Stakes,
    life: f64,
    /// Whether gammons count before the cube is turned.
    gammons: bool,
}

impl Model<'_> {
    fn worth(&self, chances: &Chances, value: i32, owner: Owner) -> f64 {
        let ends = self.ends(value, self.gammons);
        let dead = ends.worth(chances);
        if owner == Owner::Gone || self.life <= 0.0 {
            return dead;
        }
        let live = self
            .line(chances, value, owner, &ends)
            .at(f64::from(chances.win));
        dead + self.life * (live - dead)
    }

    fn ends(&self, value: i32, gammons: bool) -> Ends {
        let worth = |sign: i32| {
            std::array::from_fn(|n| {
                (self.points)(sign * value * if gammons { n as i32 + 1 } else { 1 })
            })
        };
        Ends {
            wins: worth(1),
            losses: worth(-1),
        }
    }

    /// What a live cube is worth for every chance to win, with the gammons of these chances.
    fn line(&self, chances: &Chances, value: i32, owner: Owner, ends: &Ends) -> Line {
        let mine = matches!(owner, Owner::Me | Owner::Nobody) && self.stakes.can_use(value);
        let theirs =
            matches!(owner, Owner::Other | Owner::Nobody) && self.stakes.swapped().can_use(value);
        Line {
            lost: ends.loss(chances),
            take: theirs.then(|| (self.take_point(chances, value), (self.points)(-value))),
            cash: mine.then(|| (self.cash_point(chances, value), (self.points)(value))),
            won: ends.win(chances),
        }
    }

    /// How likely the player has to win to take a cube of this value, which is doubled.
    fn take_point(&self, chances: &Chances, value: i32) -> f64 {
        if self.stakes == Stakes::Money {
            let (win, loss) = self.per_point(chances);
            return ((loss - 0.5) / (win + loss + 0.5)).clamp(0.0, 1.0);
        }
        let ends = self.ends(2 * value, true);
        self.line(chances, 2 * value, Owner::Me, &ends)
            .reaches((self.points)(-value))
    }

    /// How likely the player has to win for the other to drop when the player doubles.
    fn cash_point(&self, chances: &Chances, value: i32) -> f64 {
        if self.stakes == Stakes::Money {
            let (win, loss) = self.per_point(chances);
            return ((loss + 1.0) / (win + loss + 0.5)).clamp(0.0, 1.0);
        }
        let ends = self.ends(2 * value, true);
        self.line(chances, 2 * value, Owner::Other, &ends)
            .reaches((self.points)(value))
    }

    /// Points won with a win and lost with a loss, on average, with a cube of 1.
    fn per_point(&self, chances: &Chances) -> (f64, f64) {
        let ends = self.ends(1, true);
        (ends.win(chances), -ends.loss(chances))
    }
}

/// A worth that rises with the chance to win, in up to three straight parts.
struct Line {
    lost: f64,
    /// Where the other would double the player out.
    take: Option<(f64, f64)>,
    /// Where the player would double the other out.
    cash: Option<(f64, f64)>,
    won: f64,
}

impl Line {
    /// The corners, from left to right.
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

    /// The least chance to win that is worth so much.
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
