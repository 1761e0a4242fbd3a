//! A player's standing in one game, and its update after each game played.

use crate::{DeclaredLevel, Glicko, Score, elo_change};

/// A player's ratings and record in one game, such as ultimate tic-tac-toe.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    /// Elo rating, in whole points.
    pub elo: i32,
    /// Glicko-2 rating.
    pub glicko: Glicko,
    /// Games won, rated or not.
    pub wins: u32,
    /// Games lost, rated or not.
    pub losses: u32,
    /// Games drawn, rated or not.
    pub draws: u32,
}

impl Default for Standing {
    /// Returns the initial standing of a player who declared no level.
    fn default() -> Self {
        Self::new(DeclaredLevel::default())
    }
}

impl Standing {
    /// Creates the initial standing.
    #[must_use]
    pub fn new(level: DeclaredLevel) -> Self {
        Self {
            elo: level.elo(),
            glicko: Glicko::default(),
            wins: 0,
            losses: 0,
            draws: 0,
        }
    }

    /// Returns the standing with which the player begins in another variant of the game, or at another
    /// pace: with the same ratings, as uncertain as those of a newcomer, and without games.
    #[must_use]
    pub fn elsewhere(&self) -> Self {
        Self {
            elo: self.elo,
            glicko: self.glicko.as_newcomer(),
            wins: 0,
            losses: 0,
            draws: 0,
        }
    }

    /// Returns the number of games played, rated or not.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.wins
            .saturating_add(self.losses)
            .saturating_add(self.draws)
    }

    /// Returns the standing after an unrated game, which adds to the record and leaves the ratings
    /// alone.
    #[must_use]
    pub fn after_unrated(mut self, score: Score) -> Self {
        let counter = match score {
            Score::Win => &mut self.wins,
            Score::Draw => &mut self.draws,
            Score::Loss => &mut self.losses,
        };
        *counter = counter.saturating_add(1);
        self
    }
}

/// Returns the standings of two players after their game. An unrated game only adds to the record.
///
/// Games with other numbers of players are never rated: use [`Standing::after_unrated`] for
/// each player.
#[must_use]
pub fn standings_after(before: [Standing; 2], score_of_first: Score, rated: bool) -> [Standing; 2] {
    let [mut first, mut second] = before;
    if rated {
        let won = elo_change(first.elo, second.elo, score_of_first);
        first.elo = first.elo.saturating_add(won);
        second.elo = second.elo.saturating_sub(won);
        first.glicko = before[0]
            .glicko
            .after(&[(before[1].glicko, score_of_first)]);
        second.glicko = before[1]
            .glicko
            .after(&[(before[0].glicko, score_of_first.reversed())]);
    }
    [
        first.after_unrated(score_of_first),
        second.after_unrated(score_of_first.reversed()),
    ]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn two_newcomers_play_for_sixteen_points() {
        let [winner, loser] = standings_after([Standing::default(); 2], Score::Win, true);
        assert_eq!(
            (winner.elo, winner.wins, winner.losses, winner.draws),
            (1_016, 1, 0, 0)
        );
        assert_eq!(
            (loser.elo, loser.wins, loser.losses, loser.draws),
            (984, 0, 1, 0)
        );
        assert!(winner.glicko.rating() > 1_500.0 && loser.glicko.rating() < 1_500.0);
        assert!(
            (winner.glicko.rating() + loser.glicko.rating() - 3_000.0).abs() < 1e-6,
            "equals move alike"
        );
    }

    #[test]
    fn an_unrated_game_only_adds_to_the_record() {
        let before = [Standing::new(DeclaredLevel::Club), Standing::default()];
        let [first, second] = standings_after(before, Score::Draw, false);
        assert_eq!(
            [first, second],
            before.map(|standing| Standing {
                draws: 1,
                ..standing
            })
        );
    }

    fn anybody() -> impl Strategy<Value = Standing> {
        (-1_000..4_000, 0_u32..9, 0_u32..9, 0_u32..9).prop_map(|(elo, wins, losses, draws)| {
            Standing {
                elo,
                wins,
                losses,
                draws,
                ..Standing::default()
            }
        })
    }

    proptest! {
        #[test]
        fn a_game_conserves_points_and_adds_one_game(a in anybody(), b in anybody(), rated: bool, score in 0..3_usize) {
            let score = Score::ALL[score];
            let [first, second] = standings_after([a, b], score, rated);
            prop_assert_eq!(first.elo + second.elo, a.elo + b.elo);
            prop_assert_eq!((first.games(), second.games()), (a.games() + 1, b.games() + 1));
            prop_assert_eq!(standings_after([b, a], score.reversed(), rated), [second, first], "the order does not matter");
        }

        #[test]
        fn any_season_conserves_points(games in prop::collection::vec((0..5_usize, 0..5_usize, 0..3_usize), 0..200)) {
            let mut players = DeclaredLevel::DECLARED.into_iter().chain([DeclaredLevel::Undeclared]).map(Standing::new).collect::<Vec<_>>();
            let sum = players.iter().map(|player| player.elo).sum::<i32>();
            for (a, b, score) in games.into_iter().filter(|(a, b, _)| a != b) {
                [players[a], players[b]] = standings_after([players[a], players[b]], Score::ALL[score], true);
            }
            prop_assert_eq!(players.iter().map(|player| player.elo).sum::<i32>(), sum);
            prop_assert_eq!(players.iter().map(|player| player.wins).sum::<u32>(), players.iter().map(|player| player.losses).sum::<u32>());
        }
    }
}
