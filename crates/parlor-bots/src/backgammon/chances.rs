//! Probabilities of the possible results of a game.

use parlor_backgammon::{Board, CHECKERS, Win};

/// Winning and losing chances of the player whose position is evaluated, each from 0 to 1.
///
/// Gammons are included in the wins and backgammons in the gammons, so that `win_backgammon <=
/// win_gammon <= win`, and likewise for losses. The chance to lose is `1 - win`.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Chances {
    /// Chance to win at all.
    pub win: f32,
    /// Chance to win a gammon or a backgammon.
    pub win_gammon: f32,
    /// Chance to win a backgammon.
    pub win_backgammon: f32,
    /// Chance to lose a gammon or a backgammon.
    pub lose_gammon: f32,
    /// Chance to lose a backgammon.
    pub lose_backgammon: f32,
}

impl Chances {
    /// Number of chances.
    pub const COUNT: usize = 5;

    /// Returns the chances of a player who has won in this way.
    pub fn won(win: Win) -> Chances {
        let at_least = |least: Win| f32::from(u8::from(win >= least));
        Chances {
            win: 1.0,
            win_gammon: at_least(Win::Gammon),
            win_backgammon: at_least(Win::Backgammon),
            ..Chances::default()
        }
    }

    /// Returns the five chances in declaration order.
    pub const fn to_array(self) -> [f32; Self::COUNT] {
        [
            self.win,
            self.win_gammon,
            self.win_backgammon,
            self.lose_gammon,
            self.lose_backgammon,
        ]
    }

    /// Creates chances from the five numbers in declaration order.
    pub const fn from_array(chances: [f32; Self::COUNT]) -> Chances {
        let [
            win,
            win_gammon,
            win_backgammon,
            lose_gammon,
            lose_backgammon,
        ] = chances;
        Chances {
            win,
            win_gammon,
            win_backgammon,
            lose_gammon,
            lose_backgammon,
        }
    }

    /// Returns the chances of the opponent.
    #[must_use]
    pub const fn swapped(self) -> Chances {
        Chances {
            win: 1.0 - self.win,
            win_gammon: self.lose_gammon,
            win_backgammon: self.lose_backgammon,
            lose_gammon: self.win_gammon,
            lose_backgammon: self.win_backgammon,
        }
    }

    /// Returns the expected points per game without a cube, from -3 to 3.
    #[inline]
    pub const fn equity(self) -> f32 {
        2.0 * self.win - 1.0 + self.win_gammon + self.win_backgammon
            - self.lose_gammon
            - self.lose_backgammon
    }

    /// Clamps the chances to those possible on a board seen from the player: ordered, and without a
    /// gammon against a side that has borne off a checker.
    #[inline]
    #[must_use]
    pub fn clamped_to(self, board: &Board) -> Chances {
        let win = self.win.clamp(0.0, 1.0);
        let gammons = |chance: f32, most: f32, off: u8| {
            if off > 0 {
                0.0
            } else {
                chance.clamp(0.0, most)
            }
        };
        let win_gammon = gammons(self.win_gammon, win, board.other().off());
        let lose_gammon = gammons(self.lose_gammon, 1.0 - win, board.mover().off());
        Chances {
            win,
            win_gammon,
            win_backgammon: self.win_backgammon.clamp(0.0, win_gammon),
            lose_gammon,
            lose_backgammon: self.lose_backgammon.clamp(0.0, lose_gammon),
        }
    }

    /// Returns the weighted sum of chances; the weights should sum to 1.
    pub fn mean(parts: impl IntoIterator<Item = (Chances, f32)>) -> Chances {
        let mut sum = [0.0; Self::COUNT];
        for (chances, weight) in parts {
            sum.iter_mut()
                .zip(chances.to_array())
                .for_each(|(sum, chance)| *sum += weight * chance);
        }
        Chances::from_array(sum)
    }
}

/// Returns the certain chances of the player to move if either side has borne off its last checker.
pub(super) fn final_chances(board: &Board) -> Option<Chances> {
    if board.other().off() == CHECKERS {
        return board.swapped().won().map(|win| Chances::won(win).swapped());
    }
    board.won().map(Chances::won)
}
