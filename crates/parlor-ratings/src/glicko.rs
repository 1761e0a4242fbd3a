//! Glicko-2 ratings (Mark Glickman, <http://www.glicko.net/glicko/glicko2.pdf>), one rating period
//! per game.

use std::ops::RangeInclusive;

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

use crate::Score;

/// Deviation above which a rating is provisional.
const SETTLED: f64 = 110.0;

/// Range of ratings. The arithmetic holds for two players of it: it divides by zero when they are 6,400
/// points apart.
const RATINGS: RangeInclusive<f64> = 0.0..=4_000.0;

/// Range of deviations.
const DEVIATIONS: RangeInclusive<f64> = 1.0..=500.0;

/// Range of volatilities.
const VOLATILITIES: RangeInclusive<f64> = 0.000_1..=1.0;

/// A Glicko-2 rating: numbers within the ranges for which the arithmetic holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glicko {
    rating: f64,
    deviation: f64,
    volatility: f64,
}

/// Error for numbers that are no Glicko-2 rating.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum InvalidGlicko {
    /// The rating is out of range, or not a number.
    #[error("the rating {0} is not from 0 to 4000")]
    Rating(f64),
    /// The deviation is out of range, or not a number.
    #[error("the deviation {0} is not from 1 to 500")]
    Deviation(f64),
    /// The volatility is out of range, or not a number.
    #[error("the volatility {0} is not from 0.0001 to 1")]
    Volatility(f64),
}

impl Default for Glicko {
    /// Returns the rating of an unknown player.
    fn default() -> Self {
        let Glicko2Rating {
            rating,
            deviation,
            volatility,
        } = Glicko2Rating::new();
        Self {
            rating,
            deviation,
            volatility,
        }
    }
}

impl Glicko {
    /// Creates a rating from 0 to 4000, with a deviation from 1 to 500 and a volatility from 0.0001 to 1.
    ///
    /// # Errors
    /// [`InvalidGlicko`] names the first number that is out of its range, or not a number.
    pub fn new(rating: f64, deviation: f64, volatility: f64) -> Result<Self, InvalidGlicko> {
        if !RATINGS.contains(&rating) {
            return Err(InvalidGlicko::Rating(rating));
        }
        if !DEVIATIONS.contains(&deviation) {
            return Err(InvalidGlicko::Deviation(deviation));
        }
        if !VOLATILITIES.contains(&volatility) {
            return Err(InvalidGlicko::Volatility(volatility));
        }
        Ok(Self {
            rating,
            deviation,
            volatility,
        })
    }

    /// Creates the rating nearest to these numbers. In place of one that is not a number it has that of an
    /// unknown player.
    #[must_use]
    pub fn nearest(rating: f64, deviation: f64, volatility: f64) -> Self {
        let unknown = Self::default();
        Self {
            rating: nearest(rating, &RATINGS, unknown.rating),
            deviation: nearest(deviation, &DEVIATIONS, unknown.deviation),
            volatility: nearest(volatility, &VOLATILITIES, unknown.volatility),
        }
    }

    /// Returns the estimated strength, initially 1500. It is not on the same scale as Elo.
    #[must_use]
    pub const fn rating(&self) -> f64 {
        self.rating
    }

    /// Returns the rating deviation, initially 350; with 95% confidence the strength lies within two
    /// deviations.
    #[must_use]
    pub const fn deviation(&self) -> f64 {
        self.deviation
    }

    /// Returns the expected fluctuation of the strength itself, initially 0.06.
    #[must_use]
    pub const fn volatility(&self) -> f64 {
        self.volatility
    }

    /// Returns true if the rating is still provisional: its deviation is above 110.
    #[must_use]
    pub fn is_provisional(&self) -> bool {
        self.deviation > SETTLED
    }

    /// Returns the same rating, as uncertain as that of an unknown player.
    #[must_use]
    pub fn as_newcomer(&self) -> Self {
        Self {
            rating: self.rating,
            ..Self::default()
        }
    }

    /// Returns the rating after one period with these games, each given by the opponent's rating
    /// before the period and the score. Parlor makes every game a period of its own; the paper
    /// recommends ten to fifteen games. A result out of range is replaced by the nearest rating.
    #[must_use]
    pub fn after(&self, games: &[(Self, Score)]) -> Self {
        // The system constant of the paper's example.
        let config = Glicko2Config {
            tau: 0.5,
            ..Glicko2Config::new()
        };
        let games: Vec<(Glicko2Rating, Outcomes)> = games
            .iter()
            .map(|&(opponent, score)| (opponent.into(), score.into()))
            .collect();
        let after = glicko2_rating_period(&(*self).into(), &games, &config);
        Self::nearest(after.rating, after.deviation, after.volatility)
    }
}

/// Returns the number of a range nearest to `value`, or `unknown` if that is not a number.
fn nearest(value: f64, range: &RangeInclusive<f64>, unknown: f64) -> f64 {
    if value.is_nan() {
        return unknown;
    }
    value.clamp(*range.start(), *range.end())
}

impl From<Glicko> for Glicko2Rating {
    fn from(
        Glicko {
            rating,
            deviation,
            volatility,
        }: Glicko,
    ) -> Self {
        Self {
            rating,
            deviation,
            volatility,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rating_of(rating: f64, deviation: f64) -> Glicko {
        Glicko::new(rating, deviation, 0.06).unwrap()
    }

    #[test]
    fn the_example_of_the_paper_is_reproduced() {
        let games = [
            (rating_of(1_400.0, 30.0), Score::Win),
            (rating_of(1_550.0, 100.0), Score::Loss),
            (rating_of(1_700.0, 300.0), Score::Loss),
        ];
        let Glicko {
            rating,
            deviation,
            volatility,
        } = rating_of(1_500.0, 200.0).after(&games);
        assert!((rating - 1_464.05).abs() < 0.02, "{rating}");
        assert!((deviation - 151.52).abs() < 0.01, "{deviation}");
        assert!((volatility - 0.05999).abs() < 0.000_01, "{volatility}");
    }

    #[test]
    fn ratings_are_provisional_until_some_games_are_played() {
        let mut newcomer = Glicko::default();
        assert_eq!(newcomer, rating_of(1_500.0, 350.0));
        let mut games = 0;
        while newcomer.is_provisional() && games < 20 {
            let score = if games % 2 == 0 {
                Score::Win
            } else {
                Score::Loss
            };
            newcomer = newcomer.after(&[(rating_of(1_500.0, 60.0), score)]);
            games += 1;
        }
        assert!((5..20).contains(&games), "{games}");
        assert!(
            !rating_of(1_500.0, 110.0).is_provisional()
                && rating_of(1_500.0, 110.01).is_provisional()
        );
    }

    #[test]
    fn sitting_out_increases_the_deviation() {
        let after = rating_of(1_500.0, 100.0).after(&[]);
        assert!(after.deviation > 100.0 && after.rating == 1_500.0);
    }

    fn anybody() -> impl Strategy<Value = Glicko> {
        (0.0..4_000.0, 20.0..350.0, 0.01..0.1).prop_map(|(rating, deviation, volatility)| {
            Glicko::new(rating, deviation, volatility).unwrap()
        })
    }

    /// Returns ratings up to the ends of their ranges.
    fn extreme() -> impl Strategy<Value = Glicko> {
        let rating = prop_oneof![Just(0.0), 0.0..=4_000.0, Just(4_000.0)];
        let deviation = prop_oneof![Just(1.0), 1.0..=500.0, Just(500.0)];
        let volatility = prop_oneof![Just(0.000_1), 0.000_1..=1.0, Just(1.0)];
        (rating, deviation, volatility).prop_map(|(rating, deviation, volatility)| {
            Glicko::new(rating, deviation, volatility).unwrap()
        })
    }

    #[test]
    fn numbers_out_of_range_are_refused_by_name() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.1, 4_000.1] {
            let refused = Glicko::new(bad, 350.0, 0.06).unwrap_err();
            assert!(matches!(refused, InvalidGlicko::Rating(_)), "{refused}");
        }
        for bad in [f64::NAN, f64::INFINITY, 0.0, -350.0, 500.1] {
            let refused = Glicko::new(1_500.0, bad, 0.06).unwrap_err();
            assert!(matches!(refused, InvalidGlicko::Deviation(_)), "{refused}");
        }
        for bad in [f64::NAN, f64::INFINITY, 0.0, -0.06, 1.1] {
            let refused = Glicko::new(1_500.0, 350.0, bad).unwrap_err();
            assert!(matches!(refused, InvalidGlicko::Volatility(_)), "{refused}");
        }
        assert_eq!(
            Glicko::new(f64::NAN, 350.0, 0.06).unwrap_err().to_string(),
            "the rating NaN is not from 0 to 4000"
        );
    }

    #[test]
    fn stored_numbers_become_the_nearest_rating() {
        assert_eq!(
            Glicko::nearest(f64::NAN, f64::NAN, f64::NAN),
            Glicko::default()
        );
        assert_eq!(
            Glicko::nearest(f64::INFINITY, 0.0, 2.0),
            Glicko::new(4_000.0, 1.0, 1.0).unwrap()
        );
        assert_eq!(
            Glicko::nearest(1_623.4, 80.5, 0.059),
            Glicko::new(1_623.4, 80.5, 0.059).unwrap()
        );
    }

    proptest! {
        #[test]
        fn any_period_of_valid_ratings_ends_with_a_valid_one(
            own in extreme(),
            games in prop::collection::vec((extreme(), 0..3_usize), 0..12),
        ) {
            let games: Vec<_> = games.into_iter().map(|(other, score)| (other, Score::ALL[score])).collect();
            let after = own.after(&games);
            prop_assert_eq!(Glicko::new(after.rating, after.deviation, after.volatility), Ok(after));
        }

        #[test]
        fn winning_raises_and_losing_lowers_a_finite_rating(own in anybody(), other in anybody()) {
            let [win, draw, loss] = Score::ALL.map(|score| own.after(&[(other, score)]));
            prop_assert!(win.rating >= own.rating && own.rating >= loss.rating, "{win:?} {loss:?}");
            prop_assert!(win.rating >= draw.rating && draw.rating >= loss.rating);
            for after in [win, draw, loss] {
                prop_assert!([after.rating, after.deviation, after.volatility].iter().all(|n| n.is_finite()));
                prop_assert!(after.deviation > 0.0 && after.deviation < 360.0 && after.volatility > 0.0, "{after:?}");
            }
        }
    }
}
