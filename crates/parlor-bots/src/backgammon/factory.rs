//! From a name to a strategy that plays backgammon.

use parlor_backgammon::{Game, Move, Rules};

use super::bot::NetPlayer;
use super::level;
use crate::{Budget, Choice, Level, Random, Spec, Strategy, Unsuitable};

/// The strategies that a game under these rules can be played against, the best first choice for people first.
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
        Spec::Random | Spec::Level(_) => return Ok(()),
        Spec::Perfect => "nobody knows perfect play of this game",
        Spec::Mcts { .. } | Spec::AlphaBeta { .. } => {
            "with dice a search looks at every roll instead; choose level:1 to level:5"
        }
    };
    Err(Unsuitable {
        spec,
        reason: reason.to_owned(),
    })
}

/// Builds a strategy for single games and matches under these rules, with or without the cube.
///
/// Only `random` uses the seed; the levels play the same every time, for the same budgets in nodes.
///
/// ```
/// use parlor_backgammon::{Game, Rules};
/// use parlor_bots::{Nodes, backgammon};
/// use parlor_core::{Notation, Position};
/// let mut game = Game::new(Rules::MONEY);
/// game.resolve(&game.parse_chance("3-1")?);
/// let mut bot = backgammon::build("level:4".parse()?, &game.rules(), 1)?;
/// let choice = bot.choose(&game, &mut Nodes(1_000)).expect("a seat is to move");
/// assert_eq!(game.move_text(&choice.mv), "8/5,6/5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Unsuitable`] when the strategy cannot play under these rules.
pub fn build(spec: Spec, rules: &Rules, seed: u64) -> Result<Box<dyn Strategy<Game>>, Unsuitable> {
    suits(spec, rules)?;
    Ok(match spec {
        Spec::Level(level) => Box::new(Leveled {
            level,
            inner: level::player(level),
        }),
        _ => Box::new(Random::new(seed)),
    })
}

/// The player of a level, by its name.
struct Leveled {
    level: Level,
    inner: NetPlayer,
}

impl Strategy<Game> for Leveled {
    fn name(&self) -> String {
        Spec::Level(self.level).to_string()
    }

    fn choose(&mut self, game: &Game, budget: &mut dyn Budget) -> Option<Choice<Move>> {
        self.inner.choose(game, budget)
    }

    fn forget(&mut self) {
        self.inner.forget();
    }
}
