//! Scores of a game.

use std::fmt;
use std::str::FromStr;

use skillratings::Outcomes;

/// One player's score in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    /// One point.
    Win,
    /// Half a point.
    Draw,
    /// No point.
    Loss,
}

impl Score {
    /// All scores, best to worst.
    pub const ALL: [Self; 3] = [Self::Win, Self::Draw, Self::Loss];

    /// Returns the points: 1, 0.5 or 0.
    #[must_use]
    pub const fn points(self) -> f64 {
        match self {
            Self::Win => 1.0,
            Self::Draw => 0.5,
            Self::Loss => 0.0,
        }
    }

    /// Returns the only opponent's score in the same game.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }

    /// Returns the name: `win`, `draw` or `loss`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Draw => "draw",
            Self::Loss => "loss",
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Error for a word that is not a score.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a score: win, draw or loss")]
pub struct UnknownScore(pub String);

impl FromStr for Score {
    type Err = UnknownScore;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|score| score.as_str() == s)
            .ok_or_else(|| UnknownScore(s.to_owned()))
    }
}

impl From<Score> for Outcomes {
    fn from(score: Score) -> Self {
        match score {
            Score::Win => Self::WIN,
            Score::Draw => Self::DRAW,
            Score::Loss => Self::LOSS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_stored_by_its_name() {
        for (score, name) in [
            (Score::Win, "win"),
            (Score::Draw, "draw"),
            (Score::Loss, "loss"),
        ] {
            assert_eq!((score.as_str(), score.to_string().as_str()), (name, name));
            assert_eq!(name.parse(), Ok(score));
        }
        assert_eq!("won".parse::<Score>(), Err(UnknownScore("won".to_owned())));
    }
}
