//! From a name to a strategy that plays Pandemic.

use std::sync::Arc;

use parlor_core::Seat;
use parlor_pandemic::{Game, Move, Rules};

use super::bot::{Quick, Thinker};
use super::search::Settings;
use crate::{AtMost, Budget, Choice, Crew, Level, Mcts, Random, Spec, Strategy, Unsuitable};

/// The strategies that can sit at a table with these rules, the best first choice for people first.
pub fn offers(rules: &Rules) -> Vec<Spec> {
    let all = Level::all().map(Spec::Level).chain([Spec::Random]);
    all.filter(|&spec| suits(spec, rules).is_ok()).collect()
}

/// Whether a strategy can play under these rules.
///
/// # Errors
/// Why not, and what can.
pub fn suits(spec: Spec, _: &Rules) -> Result<(), Unsuitable> {
    let reason = match spec {
        Spec::Random | Spec::Mcts { .. } | Spec::Level(_) => return Ok(()),
        Spec::Perfect => "nobody knows perfect play of this game",
        Spec::AlphaBeta { .. } => "there is nobody to play against; choose level:1 to level:5",
    };
    Err(Unsuitable {
        spec,
        reason: reason.to_owned(),
    })
}

/// Builds a player for games under these rules; the same seed plays the same, for the same budgets in nodes.
///
/// Level 1 plays by the quick policy ([`Quick`]) and is often careless, level 2 plays by it. The others search whole turns ([`Thinker`]):
/// with about 100 roll-outs for each, 800, and 6,000, as far as the budget allows.
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
/// [`Unsuitable`] when the strategy cannot play under these rules.
pub fn build(spec: Spec, rules: &Rules, seed: u64) -> Result<Box<dyn Strategy<Game>>, Unsuitable> {
    build_with_crew(spec, rules, seed, Arc::new(crate::Alone))
}

/// The same with a crew that does the roll-outs.
///
/// # Errors
/// [`Unsuitable`] when the strategy cannot play under these rules.
pub fn build_with_crew(
    spec: Spec,
    rules: &Rules,
    seed: u64,
    crew: Arc<dyn Crew>,
) -> Result<Box<dyn Strategy<Game>>, Unsuitable> {
    suits(spec, rules)?;
    let named = |nodes, inner| Box::new(Named { spec, nodes, inner });
    Ok(match spec {
        Spec::Level(level) => named(u64::MAX, player(level, rules.players(), seed, crew)),
        Spec::Mcts { nodes } => named(nodes.unwrap_or(u64::MAX), Box::new(Mcts::new(seed))),
        _ => Box::new(Random::new(seed)),
    })
}

/// How the levels search that do. Four players are looked ahead for more than one round: what a plan gives to a partner shows only then.
const fn settings(level: Level, players: u8) -> Settings {
    match level.number() {
        ..=3 => Settings {
            width: 12,
            plans: 8,
            roll_outs: 96,
            turns: 4,
        },
        4 => Settings {
            width: 40,
            plans: 24,
            roll_outs: 800,
            turns: if players < 4 { 4 } else { 6 },
        },
        _ => Settings {
            width: 60,
            plans: 40,
            roll_outs: 6_000,
            turns: 6,
        },
    }
}

/// The player of a level.
fn player(level: Level, players: u8, seed: u64, crew: Arc<dyn Crew>) -> Box<dyn Strategy<Game>> {
    match level.number() {
        1 => Box::new(Quick::new(players, 40, seed)),
        2 => Box::new(Quick::new(players, 0, seed)),
        _ => Box::new(Thinker::new(players, settings(level, players), seed).with_crew(crew)),
    }
}

/// A player with a name, and with a budget of its own.
struct Named {
    spec: Spec,
    nodes: u64,
    inner: Box<dyn Strategy<Game>>,
}

impl Strategy<Game> for Named {
    fn name(&self) -> String {
        self.spec.to_string()
    }

    fn choose(&mut self, game: &Game, budget: &mut dyn Budget) -> Option<Choice<Move>> {
        self.inner.choose(
            game,
            &mut AtMost {
                nodes: self.nodes,
                inner: budget,
            },
        )
    }

    fn interject(
        &mut self,
        game: &Game,
        seat: Seat,
        budget: &mut dyn Budget,
    ) -> Option<Choice<Move>> {
        self.inner.interject(
            game,
            seat,
            &mut AtMost {
                nodes: self.nodes,
                inner: budget,
            },
        )
    }

    fn forget(&mut self) {
        self.inner.forget();
    }
}
