//! Factory of Pandemic bots.

use std::sync::Arc;

use parlor_pandemic::{Game, Rules};

use super::player::{PlanningPlayer, QuickPlayer};
use super::search::PlannerSettings;
use crate::named::NamedStrategy;
use crate::{Crew, Level, Mcts, Random, Spec, Strategy, Unsuitable};

/// Returns the strategies for games under these rules, those best suited to people first.
pub fn offers(rules: &Rules) -> Vec<Spec> {
    let all = Level::all().map(Spec::Level).chain([Spec::Random]);
    all.filter(|&spec| suits(spec, rules).is_ok()).collect()
}

/// Checks that a strategy can play under these rules.
///
/// # Errors
/// [`Unsuitable`] with the reason and the alternatives.
pub fn suits(spec: Spec, _: &Rules) -> Result<(), Unsuitable> {
    let reason = match spec {
        Spec::Random | Spec::Mcts { .. } | Spec::Level(_) => return Ok(()),
        Spec::Perfect => "perfect play of this game is unknown",
        Spec::AlphaBeta { .. } => {
            "a team game has no opponent to search against; choose level:1 to level:5"
        }
    };
    Err(Unsuitable {
        spec,
        reason: reason.to_owned(),
    })
}

/// Builds a player for games under these rules. The same seed plays the same moves for the same
/// budgets in nodes.
///
/// Level 1 follows the quick policy ([`QuickPlayer`]) and is often careless; level 2 follows it
/// strictly. The others search whole turns ([`PlanningPlayer`]) with about 100, 800 and 6,000
/// rollouts each, as far as the budget allows.
///
/// ```
/// use parlor_bots::{Nodes, pandemic};
/// use parlor_core::{Position, playout};
/// use parlor_pandemic::{Game, Rules};
/// use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
/// let rules = Rules::new(2, 4)?;
/// let mut game = Game::new(rules);
/// let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
/// while let Some(chance) = game.random_chance(&mut rng, &mut Vec::new()) {
///     game.resolve(&chance);
/// }
/// let mut bot = pandemic::build("level:2".parse()?, &rules, 1)?;
/// let choice = bot.choose(&game, &mut Nodes(1_000)).expect("a seat is to move");
/// assert!(game.check(&choice.mv).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Unsuitable`] if the strategy cannot play under these rules.
pub fn build(spec: Spec, rules: &Rules, seed: u64) -> Result<Box<dyn Strategy<Game>>, Unsuitable> {
    build_with_crew(spec, rules, seed, Arc::new(crate::Alone))
}

/// Builds the same player with a crew that shares the rollouts.
///
/// # Errors
/// [`Unsuitable`] if the strategy cannot play under these rules.
pub fn build_with_crew(
    spec: Spec,
    rules: &Rules,
    seed: u64,
    crew: Arc<dyn Crew>,
) -> Result<Box<dyn Strategy<Game>>, Unsuitable> {
    suits(spec, rules)?;
    Ok(match spec {
        Spec::Level(level) => {
            let player = player(level, rules.players(), seed, crew);
            Box::new(NamedStrategy::new(spec, player))
        }
        Spec::Mcts { nodes } => NamedStrategy::limited(spec, nodes, Box::new(Mcts::new(seed))),
        _ => Box::new(Random::new(seed)),
    })
}

/// Returns the search parameters of levels 3 to 5. Games of four are rolled out for more than one
/// round, because the cards a plan gives to a partner pay off only then.
const fn settings(level: Level, players: u8) -> PlannerSettings {
    match level.number() {
        ..=3 => PlannerSettings {
            width: 12,
            plans: 8,
            rollouts: 96,
            turns: 4,
        },
        4 => PlannerSettings {
            width: 40,
            plans: 24,
            rollouts: 800,
            turns: if players < 4 { 4 } else { 6 },
        },
        _ => PlannerSettings {
            width: 60,
            plans: 40,
            rollouts: 6_000,
            turns: 6,
        },
    }
}

/// Returns the name of a level for display, which says how the bot decides.
///
/// ```
/// use parlor_bots::{Level, pandemic};
/// let names = Level::all().map(pandemic::level_title).collect::<Vec<_>>();
/// assert_eq!(names[1..4], ["Level 2, first idea", "Level 3, weighs 8 plans", "Level 4, weighs 24 plans"]);
/// ```
#[must_use]
pub const fn level_title(level: Level) -> &'static str {
    match level.number() {
        1 => "Level 1, careless",
        2 => "Level 2, first idea",
        3 => "Level 3, weighs 8 plans",
        4 => "Level 4, weighs 24 plans",
        _ => "Level 5, weighs 40 plans",
    }
}

/// Returns the player of a level.
fn player(level: Level, players: u8, seed: u64, crew: Arc<dyn Crew>) -> Box<dyn Strategy<Game>> {
    match level.number() {
        1 => Box::new(QuickPlayer::new(players, 40, seed)),
        2 => Box::new(QuickPlayer::new(players, 0, seed)),
        _ => Box::new(PlanningPlayer::new(players, settings(level, players), seed).with_crew(crew)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_levels_say_how_many_plans_they_weigh() {
        for level in Level::all().skip(2) {
            let plans = format!("weighs {} plans", settings(level, 4).plans);
            assert!(level_title(level).ends_with(&plans), "{plans}");
        }
    }
}
