//! Factory of backgammon bots.

use parlor_backgammon::{Game, Rules};

use super::level;
use crate::named::NamedStrategy;
use crate::{Level, Random, Spec, Strategy, Unsuitable};

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
        Spec::Random | Spec::Level(_) => return Ok(()),
        Spec::Perfect => "perfect play of this game is unknown",
        Spec::Mcts { .. } | Spec::AlphaBeta { .. } => {
            "games of dice have no such search; choose level:1 to level:5"
        }
    };
    Err(Unsuitable {
        spec,
        reason: reason.to_owned(),
    })
}

/// Builds a strategy for single games and matches under these rules, with or without the cube.
///
/// Only `random` uses the seed; the levels are deterministic for the same budgets in nodes.
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
/// [`Unsuitable`] if the strategy cannot play under these rules.
pub fn build(spec: Spec, rules: &Rules, seed: u64) -> Result<Box<dyn Strategy<Game>>, Unsuitable> {
    suits(spec, rules)?;
    Ok(match spec {
        Spec::Level(level) => Box::new(NamedStrategy::new(spec, Box::new(level::player(level)))),
        _ => Box::new(Random::new(seed)),
    })
}
