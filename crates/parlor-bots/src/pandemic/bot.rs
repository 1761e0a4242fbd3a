//! The players: the quick policy, and the search.

use std::sync::Arc;

use parlor_core::{Position, Seat, Turn, below};
use parlor_pandemic::{Game, Interrupt, Move, Stage};
use rand_xoshiro::rand_core::SeedableRng;

use super::greedy::{Events, Greedy};
use super::plans::{Idea, over_limit};
use super::search::{Plan, Planner, Settings};
use super::weights::Weights;
use crate::{AtMost, Budget, Choice, Crew, Info, Prng, Strategy};

/// Plays by the quick policy, now and then without thinking.
pub struct Quick {
    greedy: Greedy,
    careless: u32,
    seed: u64,
    rng: Prng,
}

impl Quick {
    /// A player for games of so many players that plays any legal move in so many of a hundred cases.
    pub fn new(players: u8, careless: u32, seed: u64) -> Quick {
        let greedy = Greedy::new(Weights::house(players));
        Quick {
            greedy,
            careless,
            seed,
            rng: Prng::seed_from_u64(seed),
        }
    }

    /// Any action, but no event.
    fn slip(&mut self, game: &Game) -> Option<Move> {
        if game.stage() != Stage::Actions
            || game.interrupt().is_some()
            || below(&mut self.rng, 100) >= self.careless
        {
            return None;
        }
        let mut moves = game.legal_moves();
        moves.retain(|m| {
            matches!(
                m,
                Move::Drive { .. } | Move::Treat { .. } | Move::Discard { .. }
            )
        });
        let count = moves.len() as u32;
        (count > 0).then(|| moves.swap_remove(below(&mut self.rng, count) as usize))
    }
}

impl Strategy<Game> for Quick {
    fn name(&self) -> String {
        "greedy".to_owned()
    }

    fn choose(&mut self, game: &Game, _: &mut dyn Budget) -> Option<Choice<Move>> {
        let seat = game.turn().seat()?;
        if let Some(Interrupt::Consent { .. }) = game.interrupt() {
            return Some(Choice::blind(answer(game)));
        }
        if let Some(m) = self.slip(game) {
            return Some(Choice::blind(m));
        }
        let m = self
            .greedy
            .decide(&game.with_consent(false), Events::Of(seat));
        m.map(|m| Choice::blind(legal(game, m)))
    }

    fn interject(&mut self, game: &Game, seat: Seat, _: &mut dyn Budget) -> Option<Choice<Move>> {
        if !holds_event(game, seat) || self.careless > 0 {
            return None;
        }
        let m = self.greedy.interject(&game.with_consent(false), seat)?;
        game.check(&m).is_ok().then(|| Choice::blind(m))
    }

    fn forget(&mut self) {
        self.rng = Prng::seed_from_u64(self.seed);
    }
}

/// The most nodes for a decision between actions: there are few choices, and many such decisions.
const BETWEEN: u64 = 100_000;

/// Searches whole turns, and keeps to a plan as long as the game goes as it expects.
pub struct Thinker {
    planner: Planner,
    /// What is to be played in which position.
    expected: Vec<(Game, Move)>,
    chance: f64,
}

impl Thinker {
    /// A player for games of so many players that searches so.
    pub fn new(players: u8, settings: Settings, seed: u64) -> Thinker {
        Thinker {
            planner: Planner::new(players, settings, seed),
            expected: Vec::new(),
            chance: 0.0,
        }
    }

    /// Shares roll-outs among a crew. The moves are the same.
    #[must_use]
    pub fn with_crew(self, crew: Arc<dyn Crew>) -> Thinker {
        Thinker {
            planner: self.planner.with_crew(crew),
            ..self
        }
    }

    /// The move that was planned for this position.
    fn known(&self, game: &Game) -> Option<Move> {
        let plain = game.with_consent(false);
        let (_, m) = self
            .expected
            .iter()
            .find(|(expected, _)| *expected == plain)?;
        (game.check(m).is_ok()).then_some(*m)
    }

    /// Remembers what a plan expects.
    fn remember(&mut self, game: &Game, plan: &Plan) {
        let mut game = game.with_consent(false);
        (self.expected, self.chance) = (Vec::new(), plan.chance_of_win);
        for m in &plan.moves {
            self.expected.push((game, *m));
            game.play_unchecked(m);
        }
    }

    /// Thinks about a position and says what to play, as far as a seat can have a word.
    fn think(
        &mut self,
        game: &Game,
        ideas: Vec<Idea>,
        budget: &mut dyn Budget,
    ) -> Option<Choice<Move>> {
        let most = if game.stage() == Stage::Actions {
            u64::MAX
        } else {
            BETWEEN
        };
        let (plans, nodes) = self.planner.judge(
            ideas,
            &mut AtMost {
                nodes: most,
                inner: budget,
            },
        );
        let plan = plans
            .into_iter()
            .find(|plan| plan.moves.first().is_some_and(|m| game.check(m).is_ok()))?;
        self.remember(game, &plan);
        Some(self.choice(plan.moves[0], nodes, plan.moves))
    }

    fn choice(&self, mv: Move, nodes: u64, line: Vec<Move>) -> Choice<Move> {
        let value = Some(2.0 * self.chance - 1.0);
        Choice {
            mv,
            info: Info {
                nodes,
                value,
                exact: false,
                depth: line.len() as u32,
                line,
            },
        }
    }
}

impl Strategy<Game> for Thinker {
    fn name(&self) -> String {
        "planner".to_owned()
    }

    fn choose(&mut self, game: &Game, budget: &mut dyn Budget) -> Option<Choice<Move>> {
        let seat = game.turn().seat()?;
        if let Some(Interrupt::Consent { .. }) = game.interrupt() {
            return Some(Choice::blind(answer(game)));
        }
        if let Some(m) = self.known(game).filter(|m| game.mover(m) == Some(seat)) {
            return Some(self.choice(m, 0, vec![m]));
        }
        if !holds_event(game, seat)
            && game.interrupt().is_none()
            && over_limit(game).is_none()
            && let Some(m) = only_move(game)
        {
            return Some(Choice::blind(m));
        }
        let ideas = self.planner.ideas(game, Events::Of(seat));
        self.think(game, ideas, budget)
            .or_else(|| game.legal_moves().first().copied().map(Choice::blind))
    }

    fn interject(
        &mut self,
        game: &Game,
        seat: Seat,
        budget: &mut dyn Budget,
    ) -> Option<Choice<Move>> {
        if !holds_event(game, seat)
            || game.interrupt().is_some()
            || !matches!(game.turn(), Turn::Move(_))
        {
            return None;
        }
        let mine = |m: &Move| m.event().is_some() && game.mover(m) == Some(seat);
        if let Some(m) = self.known(game) {
            return mine(&m).then(|| self.choice(m, 0, vec![m]));
        }
        if matches!(game.stage(), Stage::NextEpidemic) || over_limit(game).is_some() {
            return None;
        }
        if game.stage() == Stage::Actions
            && (game.actions() < parlor_pandemic::ACTIONS || !self.planner.lifts(game, seat))
        {
            return None;
        }
        let ideas = self.planner.ideas(game, Events::Of(seat));
        if !ideas
            .iter()
            .any(|idea| idea.moves.iter().any(|m| m.event().is_some()))
        {
            return None;
        }
        self.think(game, ideas, budget)
            .filter(|choice| mine(&choice.mv))
    }

    fn forget(&mut self) {
        self.expected.clear();
    }
}

/// What goes on by itself when the seat on turn has no event.
fn only_move(game: &Game) -> Option<Move> {
    match game.stage() {
        Stage::Intensify => Some(Move::Intensify),
        Stage::NextEpidemic => Some(Move::Epidemic),
        Stage::Infect(_) => Some(Move::InfectAll),
        Stage::Actions if game.actions() == 0 => Some(Move::Draw),
        _ => None,
    }
}

/// Whether a seat holds an event, in hand or stored.
fn holds_event(game: &Game, seat: Seat) -> bool {
    parlor_pandemic::Event::ALL
        .into_iter()
        .any(|event| game.holder(event) == Some(seat))
}

/// Partners agree: they have planned it for the team. Only a complete set of cards is not given out of the hand of who can use it.
fn answer(game: &Game) -> Move {
    let Some(Interrupt::Consent { asked, by, request }) = game.interrupt() else {
        return Move::Agree;
    };
    let Move::Take { card, .. } = request else {
        return Move::Agree;
    };
    let color = card.color().cities();
    let held = |seat: Seat| game.hand(seat).cities().and(color).len();
    let breaks = !game.is_cured(card.color()) && held(asked) == game.cards_for_cure(asked);
    if breaks && held(by) + 1 < game.cards_for_cure(by) {
        Move::Decline
    } else {
        Move::Agree
    }
}

/// The move, or any that is legal where somebody has declined it.
fn legal(game: &Game, m: Move) -> Move {
    if game.check(&m).is_ok() {
        m
    } else {
        Move::Draw
    }
}
