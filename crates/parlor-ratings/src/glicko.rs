//! Glicko-2 (Mark Glickman, <http://www.glicko.net/glicko/glicko2.pdf>), one rating period per game.

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

use crate::Score;

/// A deviation above this means that the rating is still a guess.
const SETTLED: f64 = 110.0;

/// A Glicko-2 rating: a strength, and how sure of it we are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glicko {
    /// The strength; 1500 at the start. Not on the same scale as the Elo.
    pub rating: f64,
    /// The strength lies within two of these with 95 % confidence; 350 at the start.
    pub deviation: f64,
    /// How much the strength itself wanders; 0.06 at the start.
    pub volatility: f64,
}

impl Default for Glicko {
    /// Somebody of whom nothing is known.
    fn default() -> Self {
        Glicko2Rating::new().into()
    }
}

impl Glicko {
    /// Whether the rating is still a guess: its deviation is above 110.
    #[must_use]
    pub fn provisional(&self) -> bool {
        self.deviation > SETTLED
    }

    /// The rating after one period with these games: each the opponent as they were before the period, and the score.
    /// The house makes every game a period of its own; the paper's advice is ten to fifteen.
    #[must_use]
    pub fn after(&self, games: &[(Self, Score)]) -> Self {
        // System constant 0.5, as in the paper's example.
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

    fn of(rating: f64, deviation: f64) -> Glicko {
        Glicko {
            rating,
            deviation,
            volatility: 0.06,
        }
    }

    #[test]
    fn the_example_of_the_paper_comes_out() {
        let games = [
            (of(1_400.0, 30.0), Score::Win),
            (of(1_550.0, 100.0), Score::Loss),
            (of(1_700.0, 300.0), Score::Loss),
        ];
        let Glicko {
            rating,
            deviation,
            volatility,
        } = of(1_500.0, 200.0).after(&games);
        assert!((rating - 1_464.05).abs() < 0.02, "{rating}");
        assert!((deviation - 151.52).abs() < 0.01, "{deviation}");
        assert!((volatility - 0.05999).abs() < 0.000_01, "{volatility}");
    }

    #[test]
    fn a_newcomer_is_a_guess_until_some_games_are_played() {
        let mut newcomer = Glicko::default();
        assert_eq!(newcomer, of(1_500.0, 350.0));
        let mut games = 0;
        while newcomer.provisional() {
            let score = if games % 2 == 0 {
                Score::Win
            } else {
                Score::Loss
            };
            newcomer = newcomer.after(&[(of(1_500.0, 60.0), score)]);
            games += 1;
        }
        assert!((5..20).contains(&games), "{games}");
        assert!(!of(1_500.0, 110.0).provisional() && of(1_500.0, 110.01).provisional());
    }

    #[test]
    fn sitting_out_makes_us_less_sure() {
        let after = of(1_500.0, 100.0).after(&[]);
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
        fn winning_raises_losing_lowers_and_everything_stays_a_number(own in anybody(), other in anybody()) {
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
