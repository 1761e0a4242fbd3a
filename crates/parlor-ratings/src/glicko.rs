//! Glicko-2 ratings (Mark Glickman, <http://www.glicko.net/glicko/glicko2.pdf>), one rating period
//! per game.

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

use crate::Score;

/// Deviation above which a rating is provisional.
const SETTLED: f64 = 110.0;

/// A Glicko-2 rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glicko {
    /// Estimated strength, initially 1500. Not on the same scale as Elo.
    pub rating: f64,
    /// Rating deviation, initially 350; with 95% confidence the strength lies within two
    /// deviations.
    pub deviation: f64,
    /// Expected fluctuation of the strength itself, initially 0.06.
    pub volatility: f64,
}

impl Default for Glicko {
    /// Returns the rating of an unknown player.
    fn default() -> Self {
        Glicko2Rating::new().into()
    }
}

impl Glicko {
    /// Returns true if the rating is still provisional: its deviation is above 110.
    #[must_use]
    pub fn is_provisional(&self) -> bool {
        self.deviation > SETTLED
    }

    /// Returns the rating after one period with these games, each given by the opponent's rating
    /// before the period and the score. Parlor makes every game a period of its own; the paper
    /// recommends ten to fifteen games.
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
        glicko2_rating_period(&(*self).into(), &games, &config).into()
    }
}

impl From<Glicko2Rating> for Glicko {
    fn from(
        Glicko2Rating {
            rating,
            deviation,
            volatility,
        }: Glicko2Rating,
    ) -> Self {
        Self {
            rating,
            deviation,
            volatility,
        }
    }
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
        Glicko {
            rating,
            deviation,
            volatility: 0.06,
        }
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
        (0.0..4_000.0, 20.0..350.0, 0.01..0.1).prop_map(|(rating, deviation, volatility)| Glicko {
            rating,
            deviation,
            volatility,
        })
    }

    proptest! {
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
