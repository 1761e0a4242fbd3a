//! Chances to win as a team of level 4 has them.
//!
//! Rollouts are played by the quick policy, whose teams win far less often than those that search: at the
//! start of a game it gives a team that wins eight games of ten a chance of one fifth. The odds of rollouts
//! are therefore mapped to the odds of such teams by what became of their games.

use parlor_pandemic::Game;

/// Weights of the logarithm of the odds for two to four players: constant, cards of the player deck, and
/// odds of the rollouts.
///
/// They are fitted to 9,544 positions of 456 games: `pandemic_teams PLAYERS EPIDEMICS 38 1 level:4
/// --positions` with two, four, five and six epidemics each, then `pandemic_tune chances PLAYERS FILE...`
/// with the four outputs.
const WEIGHTS: [[f64; 3]; 3] = [
    [1.151, 1.407, 0.880],
    [1.217, 1.622, 1.094],
    [1.295, 1.455, 0.959],
];
/// Number of cards that counts as one.
const CARDS: f64 = 50.0;

/// A chance, and how much it changes with that of the rollouts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LikelyChance {
    pub(super) chance: f64,
    /// Derivative by the chance of the rollouts.
    pub(super) slope: f64,
}

/// Maps the chance of rollouts from a position. Certainty stays certainty.
pub(super) fn likely(rolled: f64, game: &Game) -> LikelyChance {
    if rolled <= 0.0 || rolled >= 1.0 {
        let (chance, slope) = (rolled.clamp(0.0, 1.0), 0.0);
        return LikelyChance { chance, slope };
    }
    let players = usize::from(game.rules().players()).clamp(2, 4);
    let [constant, cards, odds] = WEIGHTS[players - 2];
    let left = f64::from(game.deck().len()) / CARDS;
    let log_odds = constant + cards * left + odds * (rolled / (1.0 - rolled)).ln();
    let chance = 1.0 / (1.0 + (-log_odds).exp());
    LikelyChance {
        chance,
        slope: odds * chance * (1.0 - chance) / (rolled * (1.0 - rolled)),
    }
}

#[cfg(test)]
mod tests {
    use parlor_pandemic::Rules;

    use super::*;

    #[test]
    fn chances_grow_with_those_of_rollouts_and_keep_certainty() {
        for players in 2..=4 {
            let game = Game::new(Rules::new(players, 5).unwrap());
            let chance = |rolled: f64| likely(rolled, &game).chance;
            assert_eq!((chance(0.0), chance(1.0)), (0.0, 1.0));
            for hundredth in 1..100 {
                let rolled = f64::from(hundredth) / 100.0;
                let step = 1e-6;
                let rise = (chance(rolled + step) - chance(rolled - step)) / (2.0 * step);
                let slope = likely(rolled, &game).slope;
                assert!(
                    rise > 0.0 && (slope / rise - 1.0).abs() < 1e-3,
                    "{rolled}: {slope}, {rise}"
                );
            }
        }
    }
}
