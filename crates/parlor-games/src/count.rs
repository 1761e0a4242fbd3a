//! Counting and measuring at full speed: the few operations that a text per move would slow down.

use parlor_bots::{Mcts, Nodes, Strategy};
use parlor_core::playout::{Scratch, playout};
use parlor_core::{Position, perft};
use parlor_tictactoe::mnk::Inner;
use parlor_tictactoe::ultimate;

use crate::AnyPosition;
use crate::tenant::Tenant;

/// What a series of playouts came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Playouts {
    /// Games played to their end.
    pub games: u64,
    /// Moves in all of them.
    pub plies: u64,
}

/// Calls a generic function with the concrete position inside, without an enum to ask at every move.
macro_rules! concrete {
    ($inner:expr, $position:ident, $call:expr) => {{
        let $position = $inner;
        $call
    }};
    ($any:expr, $position:ident => $call:expr) => {
        match $any {
            AnyPosition::Mnk(board) => match board.inner() {
                Inner::Three($position) => $call,
                Inner::Small($position) => $call,
                Inner::Middle(wide) => concrete!(&**wide, $position, $call),
                Inner::Large(wide) => concrete!(&**wide, $position, $call),
                Inner::SmallMany($position) => $call,
                Inner::LargeMany(wide) => concrete!(&**wide, $position, $call),
            },
            AnyPosition::Ultimate($position) => $call,
            AnyPosition::Backgammon($position) => $call,
            AnyPosition::Pandemic(game) => concrete!(&**game, $position, $call),
            #[cfg(feature = "testing")]
            AnyPosition::Pig($position) => $call,
        }
    };
}

/// Calls a generic function with the position inside.
macro_rules! each {
    ($any:expr, $position:ident => $call:expr) => {
        match $any {
            AnyPosition::Mnk($position) => $call,
            AnyPosition::Ultimate($position) => $call,
            AnyPosition::Backgammon($position) => $call,
            AnyPosition::Pandemic(game) => concrete!(&**game, $position, $call),
            #[cfg(feature = "testing")]
            AnyPosition::Pig($position) => $call,
        }
    };
}

impl AnyPosition {
    /// The number of ways to play `depth` more moves; see [`perft`](fn@parlor_core::perft).
    pub fn perft(&self, depth: u32) -> u64 {
        concrete!(self, position => perft(position, depth))
    }

    /// The same count split by the first move's text; see [`divide`](parlor_core::perft::divide).
    pub fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        each!(self, position => divide(position, depth))
    }

    /// Plays `games` random games from here to their ends; the same for the same `seed`. A game of more than a million
    /// moves is broken off.
    pub fn playouts(&self, games: u64, seed: u64) -> Playouts {
        match self {
            // Nothing but the tally is asked for, so many games can be played beside each other.
            AnyPosition::Ultimate(game) => many(game, games, seed),
            _ => concrete!(self, position => playouts(position, games, seed)),
        }
    }

    /// Searches with plain random playouts for so many simulations, and says how many it did: fewer when the position is
    /// proven before, none when only one move is legal. Where luck comes first it brings the first thing it can.
    pub fn simulations(&self, most: u64, seed: u64) -> u64 {
        concrete!(self, position => simulations(position, most, seed))
    }

    /// Plays `games` games of the house's net for this game against itself, each from the start, and says how many positions it judged;
    /// `None` where no net judges single positions. The first call makes the net ready, too, even for no games.
    pub fn evaluations(&self, games: u64, seed: u64) -> Option<u64> {
        match self {
            AnyPosition::Backgammon(_) => Some(parlor_bots::backgammon::self_play(games, seed)),
            _ => None,
        }
    }
}

fn divide<P: Tenant>(position: &P, depth: u32) -> Vec<(String, u64)> {
    let counts = perft::divide(position, depth);
    counts
        .into_iter()
        .map(|(m, leaves)| (position.move_text(&m), leaves))
        .collect()
}

fn playouts<P: Position>(position: &P, games: u64, seed: u64) -> Playouts {
    use rand_xoshiro::rand_core::SeedableRng;
    let mut rng = parlor_bots::Prng::seed_from_u64(seed);
    let mut scratch = Scratch::default();
    let play = |sum: Playouts, _| {
        let end = playout(&mut position.clone(), &mut rng, 1_000_000, &mut scratch);
        Playouts {
            games: sum.games + 1,
            plies: sum.plies + u64::from(end.plies),
        }
    };
    (0..games).fold(Playouts::default(), play)
}

fn many(game: &ultimate::Game, games: u64, seed: u64) -> Playouts {
    let (mut sum, mut left) = (Playouts::default(), games);
    while left > 0 {
        let now = u32::try_from(left).unwrap_or(u32::MAX);
        left -= u64::from(now);
        let tally = ultimate::playouts::batch(game, now, seed.wrapping_add(left));
        sum = Playouts {
            games: sum.games + tally.games(),
            plies: sum.plies + tally.plies,
        };
    }
    sum
}

fn simulations<P: Position + PartialEq>(position: &P, most: u64, seed: u64) -> u64 {
    let mut start = position.clone();
    while let Some((first, _)) = start.chances().into_iter().next() {
        start.resolve_unchecked(&first);
    }
    let choice = Mcts::new(seed).choose(&start, &mut Nodes(most));
    choice.map_or(0, |choice| choice.info.nodes)
}

#[cfg(test)]
mod tests {
    use crate::GameKind;

    #[test]
    fn counts_agree_with_what_is_known_of_the_classic_board() {
        let start = GameKind::Mnk
            .start(&serde_json::Value::Null)
            .expect("the defaults are a game");
        assert_eq!(
            (0..=5).map(|depth| start.perft(depth)).collect::<Vec<_>>(),
            [1, 9, 72, 504, 3024, 15_120]
        );
        let divided = start.divide(5);
        assert_eq!(divided.len(), 9);
        assert_eq!(
            divided.iter().map(|(_, leaves)| leaves).sum::<u64>(),
            15_120
        );
    }

    #[test]
    fn a_net_judges_hundreds_of_positions_in_a_game_of_backgammon() {
        let start = GameKind::Backgammon
            .start(&serde_json::Value::Null)
            .expect("the defaults are a game");
        let judged = start.evaluations(10, 7).expect("a net");
        assert_eq!(start.evaluations(10, 7), Some(judged));
        assert!((2_000..30_000).contains(&judged), "{judged}");
        assert_eq!(start.evaluations(0, 7), Some(0));
        let start = GameKind::Mnk
            .start(&serde_json::Value::Null)
            .expect("the defaults are a game");
        assert_eq!(start.evaluations(1, 7), None);
    }

    #[test]
    fn playouts_are_the_same_for_the_same_seed() {
        let start = GameKind::Mnk
            .start(&serde_json::Value::Null)
            .expect("the defaults are a game");
        let played = start.playouts(100, 7);
        assert_eq!(played, start.playouts(100, 7));
        assert_eq!(start.simulations(500, 1), 500);
        assert!(played.games == 100 && (500..=900).contains(&played.plies));
        let start = GameKind::Ultimate
            .start(&serde_json::Value::Null)
            .expect("the defaults are a game");
        let played = start.playouts(1000, 7);
        assert_eq!(played, start.playouts(1000, 7));
        assert!(
            played.games == 1000 && (57_000..=61_000).contains(&played.plies),
            "58.9 moves each are usual"
        );
        assert_eq!(start.playouts(0, 7), Default::default());
    }
}
