//! The player: a search, and the cube.

use std::sync::{Arc, LazyLock};

use parlor_backgammon::{Board, Dice, Game, Move, Phase, Win};
use parlor_core::{Position, Turn};

use super::chances::Chances;
use super::eval::Eval;
use super::net::Nets;
use super::offer::View;
use super::search::{Candidate, Doubling, Search};
use super::stakes::{Ends, Stakes};
use crate::{Budget, Choice, Crew, Info, Strategy};

/// The weights in the repository; `parlor train backgammon` made them.
static WEIGHTS: &[u8] = include_bytes!("weights.bin");

/// The house's nets made ready, shared by all players: the best first, then ever earlier ones of the same training.
static HOUSE: LazyLock<Vec<Arc<Eval>>> = LazyLock::new(|| {
    let mut bytes = WEIGHTS;
    let nets = std::iter::from_fn(|| Nets::read(&mut bytes));
    nets.map(|nets| Arc::new(Eval::new(&nets))).collect()
});

/// One of them; the last where there are not so many.
pub(super) fn house(number: usize) -> Arc<Eval> {
    Arc::clone(
        HOUSE
            .get(number)
            .or(HOUSE.last())
            .expect("the repository has nets"),
    )
}

impl Nets {
    /// What the best weights in the repository are.
    pub fn house() -> Nets {
        Nets::read(&mut &*WEIGHTS).expect("the stored nets have the shape of this version")
    }
}

/// How a player thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How far it looks ahead: 0 (only the positions after its plays) to 3.
    pub plies: u32,
    /// Which of the house's nets it uses: 0 the best, then ever weaker ones.
    pub net: usize,
    /// Whether plays are compared by what they are worth with the cube, not only by points or by the match without more doubles.
    pub cubeful: bool,
}

impl Settings {
    /// With the best net and with the cube in mind.
    pub const fn plies(plies: u32) -> Settings {
        Settings {
            plies,
            net: 0,
            cubeful: true,
        }
    }
}

/// What saves time when looking ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortcut {
    /// A quick net picks the answers that are judged by the net proper. Without it chances are a little different, and better.
    Glances,
    /// What was looked ahead is remembered. Without it chances are the same.
    Memory,
}

/// A player with a trained net, exact chances for bearing off, and a model of the cube.
///
/// For a series of positions and budgets in nodes its moves are the same everywhere: nothing in it is random. One node of the budget is
/// one position judged. When the budget ends a deeper search, what was found one ply less deep counts.
pub struct NetPlayer {
    search: Search,
    settings: Settings,
}

impl NetPlayer {
    /// With the weights of the house.
    pub fn new(settings: Settings) -> NetPlayer {
        NetPlayer {
            search: Search::new(house(settings.net)),
            settings,
        }
    }

    /// With another net, made ready.
    pub fn with(eval: Eval, settings: Settings) -> NetPlayer {
        NetPlayer {
            search: Search::new(Arc::new(eval)),
            settings,
        }
    }

    /// Shares what is looked at deeper than 0 plies among a crew. The moves are the same.
    #[must_use]
    pub fn with_crew(self, crew: Arc<dyn Crew>) -> NetPlayer {
        NetPlayer {
            search: self.search.with_crew(crew),
            ..self
        }
    }

    /// Goes without something that saves time, to see what it is good for.
    #[must_use]
    pub fn without(mut self, shortcut: Shortcut) -> NetPlayer {
        let care = self.search.care_mut();
        match shortcut {
            Shortcut::Glances => care.likely = None,
            Shortcut::Memory => care.remembers = false,
        }
        self
    }

    /// What the chances of the seat on roll are before it rolls, looked ahead as the settings say and the budget allows.
    pub fn chances(&mut self, board: &Board, budget: &mut dyn Budget) -> Chances {
        self.search
            .deepest_chances(
                board,
                self.settings.plies,
                &Ends::at(Stakes::Money, 1, true),
                budget,
            )
            .0
    }

    fn play(&mut self, game: &Game, dice: Dice, budget: &mut dyn Budget) -> Option<Choice<Move>> {
        let view = View::of(game, game.on_roll());
        let ends = view.ends();
        let cubeful = |chances: &Chances, after: &Board| view.worth_after(chances, after);
        let dead = |chances: &Chances, _: &Board| ends.worth(chances);
        let worth: super::search::Worth<'_> = if self.settings.cubeful {
            &cubeful
        } else {
            &dead
        };
        let (ranked, depth) = self.search.plays(
            &game.board(),
            dice,
            self.settings.plies,
            &ends,
            worth,
            budget,
        );
        let best: &Candidate = ranked.first()?;
        Some(self.choice(
            Move::Play(best.play),
            view.scaled(worth(&best.chances, &best.after)),
            depth,
        ))
    }

    /// Roll, double, take, drop or beaver.
    fn decide(&mut self, game: &Game, budget: &mut dyn Budget) -> Choice<Move> {
        let view = View::of(game, game.on_roll());
        let Doubling {
            offer,
            plies: depth,
            ..
        } = self
            .search
            .doubling(&view, &game.board(), self.settings.plies, budget);
        let (mv, worth) = match game.phase() {
            Phase::Cube if offer.is_good() => (Move::Double, offer.taken.min(offer.dropped)),
            Phase::Cube => (Move::Roll, offer.held),
            Phase::Beavered if offer.beavered >= view.stakes.points(-2 * view.value) => {
                (Move::Take, offer.beavered)
            }
            Phase::Beavered => (Move::Drop, view.stakes.points(-2 * view.value)),
            _ if offer.taken > offer.dropped => (Move::Drop, -offer.dropped),
            _ if offer.taken < 0.0 && game.check(&Move::Beaver).is_ok() => {
                (Move::Beaver, -offer.taken)
            }
            _ => (Move::Take, -offer.taken),
        };
        self.choice(mv, view.scaled(worth), depth)
    }

    /// Accepts a resignation when the one who offers it can hope for no less by playing on.
    fn answer(&mut self, game: &Game, offered: Win, budget: &mut dyn Budget) -> Choice<Move> {
        let view = View::of(game, game.on_roll());
        let played_on = match game.dice() {
            Some(dice) => self.play(game, dice, budget),
            None => Some(self.decide(game, budget)),
        };
        let (hoped, depth) =
            played_on.map_or((0.0, 0), |on| (on.info.value.unwrap_or(0.0), on.info.depth));
        let points = if view.gammons {
            i32::from(offered.factor())
        } else {
            1
        };
        let resigned = view.scaled(view.stakes.points(-points * view.value));
        let (mv, value) = if resigned <= hoped + 1e-6 {
            (Move::Accept, -resigned)
        } else {
            (Move::Refuse, -hoped)
        };
        self.choice(mv, value, depth)
    }

    fn choice(&self, mv: Move, value: f64, depth: u32) -> Choice<Move> {
        let info = Info {
            nodes: self.search.nodes,
            value: Some(value),
            exact: false,
            depth,
            line: vec![mv],
        };
        Choice { mv, info }
    }
}

impl Strategy<Game> for NetPlayer {
    fn name(&self) -> String {
        format!("{}-ply", self.settings.plies)
    }

    fn choose(&mut self, game: &Game, budget: &mut dyn Budget) -> Option<Choice<Move>> {
        self.search.nodes = 0;
        if let Some(offered) = game.resigning() {
            return Some(self.answer(game, offered, budget));
        }
        match (game.turn(), game.dice()) {
            (Turn::Move(_), Some(dice)) => self.play(game, dice, budget),
            (Turn::Move(_), None) => Some(self.decide(game, budget)),
            _ => None,
        }
    }

    fn forget(&mut self) {
        self.search.forget();
    }
}
