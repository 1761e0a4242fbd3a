//! What a decision was worth, and what the dice brought.
//!
//! An [`Analyst`] looks at one step of a game at a time and needs to know nothing of the steps before it, so whoever asks may go
//! through a record in any order, stop, remember what was found, or share the work among several analysts.
//!
//! # Equities
//! All equities are on one scale, whatever is played for: 1 is a single game won at the present cube, -1 one lost. In money play that
//! is points for each point on the cube; in a match it is the chance to win the match, moved and stretched so. What an equity of 1
//! amounts to is told beside it as a *stake*: points, or a share of the match.
//!
//! With the cube in mind ([`Settings::cubeful`]) a double is judged as in play: by looking ahead at who would double when. The chances after
//! a play, and those that a rollout tells, are worth what the model of the cube makes of them.

mod cube;
mod luck;
mod plays;
mod rolled;
mod scale;

use std::sync::Arc;

use parlor_backgammon::{Chance, Game, Move, Phase};
use parlor_core::{Position, Seat};

use super::bot::house;
use super::chances::Chances;
use super::eval::Eval;
use super::offer::View;
use super::search::Search;
use crate::{Budget, Crew};
pub use cube::{Advice, Cube};
pub use luck::Luck;
pub use rolled::RolledOut;
use scale::Scale;

/// How an analyst looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How far it looks ahead: 0 to 3.
    pub plies: u32,
    /// Whether what follows from the cube counts, or only what this game is worth as the cube stands.
    pub cubeful: bool,
}

impl Settings {
    /// The most plies.
    pub const MOST_PLIES: u32 = super::search::MOST_PLIES;
}

impl Default for Settings {
    /// Two plies, with the cube in mind.
    fn default() -> Settings {
        Settings {
            plies: 2,
            cubeful: true,
        }
    }
}

/// A decision of a seat with everything that could have been decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Who decides.
    pub seat: Seat,
    /// The chances of that seat when it decides best; of a cube decision, before the roll.
    pub chances: Chances,
    /// How likely the seat then is to win what is played for: the match, or the single game.
    pub winning: f64,
    /// What can be decided, the best first.
    pub ranked: Vec<Ranked>,
    /// Which of them was chosen, as an index; `None` when nothing was, or something that is not judged (a resignation).
    pub played: Option<usize>,
    /// Whether it counts in error rates: a play with more than one different result; a double that was offered and the answer to
    /// one; a double that was not offered, when it was [close](Cube::is_close) or would have been right.
    pub counts: bool,
    /// About the cube, where the decision is about it.
    pub cube: Option<Cube>,
    /// What an equity of 1 amounts to: points, or a share of the match.
    pub stake: f64,
}

impl Decision {
    /// How much less than the best was chosen, 0 or more.
    pub fn loss(&self) -> f64 {
        self.played
            .and_then(|played| self.ranked.get(played))
            .map_or(0.0, |played| played.loss)
    }
}

/// Something that can be decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// The move.
    pub mv: Move,
    /// The chances after it, seen from who decides; of a cube decision, those before the roll.
    pub chances: Chances,
    /// What it is worth to who decides.
    pub equity: f64,
    /// How much less than the best, 0 or more.
    pub loss: f64,
    /// How many plies it was looked ahead. What seemed far behind was looked at less deeply than the best, what was chosen never.
    pub plies: u32,
    /// How many games it was [rolled out](Analyst::roll_out) for; 0 when it was not.
    pub games: u32,
    /// The standard error of the equity, where it was rolled out: that of what is rolled out, which is played without the cube.
    pub error: Option<f64>,
}

/// What a position promises before the dice fall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prospects {
    /// Who is on roll.
    pub seat: Seat,
    /// That seat's chances.
    pub chances: Chances,
    /// What they are worth, if the seat does not double now.
    pub equity: f64,
    /// What they are worth if nobody doubles any more.
    pub cubeless: f64,
    /// How likely the seat is to win what is played for: the match, or the single game.
    pub winning: f64,
    /// How many plies it was looked ahead.
    pub plies: u32,
    /// How many games it was [rolled out](Analyst::roll_out) for; 0 when it was not.
    pub games: u32,
    /// The standard error of the equity, where it was rolled out: that of what is rolled out, which is played without the cube.
    pub error: Option<f64>,
}

impl Prospects {
    /// What these chances of the seat on roll promise it, when it is worth so much to roll.
    fn of(game: &Game, chances: &Chances, held: f64, plies: u32) -> Prospects {
        let view = View::of(game, game.on_roll());
        let scale = Scale::of(&view);
        Prospects {
            seat: game.on_roll(),
            chances: *chances,
            equity: scale.equity(held),
            cubeless: scale.equity(view.ends().worth(chances)),
            winning: scale.winning(held, chances),
            plies,
            games: 0,
            error: None,
        }
    }
}

/// How bad a mistake is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// None, or next to nothing.
    Fine,
    /// At least 0.02.
    Inaccuracy,
    /// At least 0.04.
    Error,
    /// At least 0.08.
    Blunder,
}

impl Mark {
    /// By how much less than the best a decision was worth.
    pub fn of(loss: f64) -> Mark {
        match loss {
            0.08.. => Mark::Blunder,
            0.04.. => Mark::Error,
            0.02.. => Mark::Inaccuracy,
            _ => Mark::Fine,
        }
    }
}

/// What happens in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// A seat decides.
    Move(&'a Move),
    /// The dice fall.
    Chance(&'a Chance),
}

/// What an event shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Judged {
    /// A decision.
    Decision(Decision),
    /// A move without a choice: a pass, or the only play.
    Forced(Seat),
    /// A roll.
    Luck(Luck),
    /// Nothing that is judged: a resignation and its answer, or what the game does not allow.
    Nothing,
}

/// Judges the positions of games with the best net of the house.
///
/// ```
/// use parlor_backgammon::{Game, Rules};
/// use parlor_bots::Nodes;
/// use parlor_bots::backgammon::analysis::{Analyst, Event, Judged, Mark, Settings};
/// use parlor_core::{Notation, Position};
/// let mut game = Game::new(Rules::MONEY);
/// game.resolve(&game.parse_chance("3-1")?);
/// let mut analyst = Analyst::new(Settings { plies: 0, cubeful: true });
/// let played = game.parse_move("13/10 6/5")?;
/// let Judged::Decision(decision) = analyst.judge(&game, Event::Move(&played), &mut Nodes(u64::MAX)) else { panic!() };
/// assert_eq!(game.move_text(&decision.ranked[0].mv), "8/5,6/5");
/// assert!(decision.counts && Mark::of(decision.loss()) == Mark::Blunder);
/// # Ok::<(), parlor_core::NotationError>(())
/// ```
pub struct Analyst {
    eval: Arc<Eval>,
    search: Search,
    settings: Settings,
}

impl Analyst {
    /// With the weights of the house.
    pub fn new(settings: Settings) -> Analyst {
        Analyst {
            search: Search::new(house(0)),
            eval: house(0),
            settings,
        }
    }

    /// Shares what is looked at deeper than 0 plies among a crew. What is found is the same.
    #[must_use]
    pub fn with_crew(self, crew: Arc<dyn Crew>) -> Analyst {
        Analyst {
            search: self.search.with_crew(crew),
            ..self
        }
    }

    /// What an event shows that happens in this game. When the budget ends the thinking, what was found with fewer plies counts.
    pub fn judge(&mut self, game: &Game, event: Event<'_>, budget: &mut dyn Budget) -> Judged {
        let judged = match event {
            Event::Chance(chance) => self.luck(game, chance).map(Judged::Luck),
            Event::Move(mv) => self.judge_move(game, mv, budget),
        };
        judged.unwrap_or(Judged::Nothing)
    }

    fn judge_move(&mut self, game: &Game, mv: &Move, budget: &mut dyn Budget) -> Option<Judged> {
        game.check(mv).ok()?;
        let seat = game.turn().seat()?;
        if game.dice().is_some()
            && matches!(mv, Move::Play(_))
            && game.count_moves(&mut Vec::new()) == 1
        {
            return Some(Judged::Forced(seat));
        }
        self.decision(game, Some(mv), budget)
            .filter(|decision| decision.played.is_some())
            .map(Judged::Decision)
    }

    /// The decision that a seat has in this game, in which `played` was or would be chosen. `None` when no seat has one, or when it
    /// is about a resignation.
    pub fn decision(
        &mut self,
        game: &Game,
        played: Option<&Move>,
        budget: &mut dyn Budget,
    ) -> Option<Decision> {
        self.search.nodes = 0;
        if game.resigning().is_some() {
            return None;
        }
        match game.phase() {
            Phase::Moving(dice) => Some(self.plays(game, dice, played, budget)),
            Phase::Cube | Phase::Doubled | Phase::Beavered => Some(self.cube(game, played, budget)),
            Phase::Opening | Phase::Rolling | Phase::Over => None,
        }
    }

    /// What a position promises the seat on roll before the dice fall, or before those fell that lie. `None` before the opening roll
    /// and after the end.
    pub fn prospects(&mut self, game: &Game, budget: &mut dyn Budget) -> Option<Prospects> {
        self.search.nodes = 0;
        if matches!(game.phase(), Phase::Opening | Phase::Over) {
            return None;
        }
        let view = View::of(game, game.on_roll());
        if !self.settings.cubeful {
            let (chances, plies) = self.before_roll(game, &view, budget);
            return Some(Prospects::of(
                game,
                &chances,
                view.ends().worth(&chances),
                plies,
            ));
        }
        let found = self
            .search
            .doubling(&view, &game.board(), self.settings.plies, budget);
        let held = cube::exactly(&view, &game.board()).unwrap_or(found.offer.held);
        Some(Prospects::of(game, &found.chances, held, found.plies))
    }

    /// The chances of the seat on roll, and how many plies they were looked ahead.
    fn before_roll(&mut self, game: &Game, view: &View, budget: &mut dyn Budget) -> (Chances, u32) {
        self.search
            .deepest_chances(&game.board(), self.settings.plies, &view.ends(), budget)
    }
}

/// The best first, with what each is worth less than it.
fn rank(ranked: &mut [Ranked]) {
    ranked.sort_by(|a, b| b.equity.total_cmp(&a.equity));
    let best = ranked.first().map_or(0.0, |best| best.equity);
    ranked
        .iter_mut()
        .for_each(|one| one.loss = best - one.equity);
}
