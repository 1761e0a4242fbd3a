//! Elo ratings in whole points.

use std::fmt;
use std::str::FromStr;

use skillratings::elo::{EloRating, expected_score};

use crate::Score;

/// Maximum change of a rating in one game.
const K: f64 = 32.0;

/// Returns the rating change of a player against an opponent: `32 * (score - expected)`, rounded
/// half away from zero. Both ratings are those before the game, and the opponent's change is the
/// negative of this one, so the sum of all ratings stays constant.
///
/// ```
/// use parlor_ratings::{Score, elo_change};
///
/// assert_eq!(elo_change(1_000, 1_000, Score::Win), 16);
/// assert_eq!(elo_change(1_000, 1_400, Score::Win), 29);
/// assert_eq!(elo_change(1_000, 1_400, Score::Loss), -3);
/// ```
#[must_use]
pub fn elo_change(own: i32, opponent: i32, score: Score) -> i32 {
    // Only the difference matters, and in this form both sides compute with the same numbers.
    let difference = f64::from(own) - f64::from(opponent);
    let (better, worse) = expected_score(
        &EloRating {
            rating: difference.abs(),
        },
        &EloRating { rating: 0.0 },
    );
    let expected = if difference >= 0.0 { better } else { worse };
    // `round` rounds half away from zero. The result lies between -32 and 32.
    (K * (score.points() - expected)).round() as i32
}

/// A player's declared strength, which determines the initial Elo rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DeclaredLevel {
    /// New to the game: 200.
    Beginner,
    /// Plays now and then: 400.
    Casual,
    /// Plays in a club: 700.
    Club,
    /// Plays well: 900.
    Strong,
    /// Not declared: 1000.
    #[default]
    Undeclared,
}

impl DeclaredLevel {
    /// Levels that a player can declare, weakest first.
    pub const DECLARED: [Self; 4] = [Self::Beginner, Self::Casual, Self::Club, Self::Strong];

    /// Returns the initial Elo rating.
    #[must_use]
    pub const fn elo(self) -> i32 {
        match self {
            Self::Beginner => 200,
            Self::Casual => 400,
            Self::Club => 700,
            Self::Strong => 900,
            Self::Undeclared => 1_000,
        }
    }

    /// Returns the name: `beginner`, `casual`, `club`, `strong` or `undeclared`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Beginner => "beginner",
            Self::Casual => "casual",
            Self::Club => "club",
            Self::Strong => "strong",
            Self::Undeclared => "undeclared",
        }
    }
}

impl fmt::Display for DeclaredLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Error for a word that is not a declarable level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a level: beginner, casual, club or strong")]
pub struct UnknownLevel(pub String);

impl FromStr for DeclaredLevel {
    type Err = UnknownLevel;

    /// Parses a declarable level, or `undeclared`.
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let all = Self::DECLARED.into_iter().chain([Self::Undeclared]);
        all.into_iter()
            .find(|start| start.as_str() == s)
            .ok_or_else(|| UnknownLevel(s.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_level_is_stored_by_its_name() {
        let names = DeclaredLevel::DECLARED.map(|level| level.to_string());
        assert_eq!(names, ["beginner", "casual", "club", "strong"]);
        for level in DeclaredLevel::DECLARED {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
    }

    #[test]
    fn equals_play_for_sixteen_points() {
        for rating in [-50, 0, 200, 1_000, 3_000] {
            assert_eq!(
                Score::ALL.map(|score| elo_change(rating, rating, score)),
                [16, 0, -16]
            );
        }
    }

    /// Computed independently, in exact arithmetic: 32 (s - 1 / (1 + 10^(-d/400))).
    #[test]
    fn changes_match_a_known_table() {
        let table = [
            (0, [16, 0, -16]),
            (5, [16, 0, -16]),
            (50, [14, -2, -18]),
            (100, [12, -4, -20]),
            (200, [8, -8, -24]),
            (300, [5, -11, -27]),
            (400, [3, -13, -29]),
            (600, [1, -15, -31]),
            (800, [0, -16, -32]),
            (2_800, [0, -16, -32]),
        ];
        for (difference, changes) in table {
            assert_eq!(
                Score::ALL.map(|score| elo_change(1_000 + difference, 1_000, score)),
                changes,
                "+{difference}"
            );
        }
    }

    #[test]
    fn declared_levels_start_where_the_specification_says() {
        assert_eq!(
            DeclaredLevel::DECLARED.map(DeclaredLevel::elo),
            [200, 400, 700, 900]
        );
        assert_eq!(DeclaredLevel::default().elo(), 1_000);
        for start in DeclaredLevel::DECLARED {
            assert_eq!(start.as_str().parse(), Ok(start));
        }
        assert!(
            "grandmaster".parse::<DeclaredLevel>().is_err()
                && "Club".parse::<DeclaredLevel>().is_err()
        );
    }

    fn score() -> impl Strategy<Value = Score> {
        prop::sample::select(Score::ALL.to_vec())
    }

    proptest! {
        #[test]
        fn changes_of_both_players_are_opposite(a in -4_000..4_000, b in -4_000..4_000, score in score()) {
            prop_assert_eq!(elo_change(a, b, score), -elo_change(b, a, score.reversed()));
        }

        #[test]
        fn a_better_score_never_earns_less(a in -4_000..4_000, b in -4_000..4_000) {
            let [win, draw, loss] = Score::ALL.map(|score| elo_change(a, b, score));
            prop_assert!(win >= draw && draw >= loss && win - loss >= 31);
            prop_assert!((0..=32).contains(&win) && (-32..=0).contains(&loss));
        }

        #[test]
        fn only_the_difference_counts(a in -4_000..4_000, b in -4_000..4_000, by in -4_000..4_000, score in score()) {
            prop_assert_eq!(elo_change(a, b, score), elo_change(a + by, b + by, score));
        }
    }

    #[test]
    fn extreme_ratings_are_handled() {
        assert_eq!(elo_change(i32::MAX, i32::MIN, Score::Loss), -32);
        assert_eq!(elo_change(i32::MIN, i32::MAX, Score::Draw), 16);
    }
}
