//! Players: the quick policy, and the search.

use std::sync::Arc;

use parlor_core::{Position, Seat, Turn, random_below};
use parlor_pandemic::{Action, Consent, Game, Interrupt, Move, Stage, TurnStep, Way};
use rand_xoshiro::rand_core::SeedableRng;

use super::plans::{Idea, over_limit};
use super::policy::{EventScope, PandemicPolicy};
use super::search::{Planner, PlannerSettings, TeamPlan};
use super::weights::PolicyWeights;
use crate::{AtMost, Budget, Choice, Crew, Info, Prng, Strategy};

/// Player that follows the quick policy and sometimes plays a random action.
pub struct QuickPlayer {
    greedy: PandemicPolicy,
    careless: u32,
    seed: u64,
    rng: Prng,
}

impl QuickPlayer {
    /// Creates a player for games of `players` seats that plays a random action in `careless`
    /// percent of cases.
    pub fn new(players: u8, careless: u32, seed: u64) -> QuickPlayer {
        let greedy = PandemicPolicy::new(PolicyWeights::built_in(players));
        QuickPlayer {
            greedy,
            careless,
            seed,
            rng: Prng::seed_from_u64(seed),
        }
    }

    /// Returns a careless action now and then, never an event.
    fn careless_move(&mut self, game: &Game) -> Option<Move> {
        if game.stage() != Stage::Actions
            || game.interrupt().is_some()
            || random_below(&mut self.rng, 100) >= self.careless
        {
            return None;
        }
        let mut moves = game.legal_moves();
        moves.retain(|m| {
            matches!(
                m,
                Move::Action(
                    Action::Travel {
                        way: Way::Drive,
                        ..
                    } | Action::Treat { .. }
                ) | Move::Step(TurnStep::Discard { .. })
            )
        });
        let count = moves.len() as u32;
        (count > 0).then(|| moves.swap_remove(random_below(&mut self.rng, count) as usize))
    }
}

impl Strategy<Game> for QuickPlayer {
    fn name(&self) -> String {
        "greedy".to_owned()
    }

    fn choose(&mut self, game: &Game, _: &mut dyn Budget) -> Option<Choice<Move>> {
        let seat = game.turn().seat()?;
        if let Some(Interrupt::Consent { .. }) = game.interrupt() {
            return Some(Choice::new(answer_request(game)));
        }
        if let Some(m) = self.careless_move(game) {
            return Some(Choice::new(m));
        }
        let m = self
            .greedy
            .decide(&game.with_consent(Consent::Implied), EventScope::Seat(seat));
        m.map(|m| Choice::new(legal_or_draw(game, m)))
    }

    fn interject(&mut self, game: &Game, seat: Seat, _: &mut dyn Budget) -> Option<Choice<Move>> {
        if !holds_event(game, seat) || self.careless > 0 {
            return None;
        }
        let m = self
            .greedy
            .interject(&game.with_consent(Consent::Implied), seat)?;
        game.check(&m).is_ok().then(|| Choice::new(m))
    }

    fn forget(&mut self) {
        self.rng = Prng::seed_from_u64(self.seed);
    }
}

/// Maximum number of nodes for a decision between actions: there are few choices, and many such
/// decisions.
const MAX_NODES_BETWEEN_ACTIONS: u64 = 100_000;

/// Player that searches whole turns, and follows its plan as long as the game goes as expected.
pub struct PlanningPlayer {
    planner: Planner,
    /// Planned moves, each with the position it is planned for.
    expected: Vec<(Game, Move)>,
    chance: f64,
}

impl PlanningPlayer {
    /// Creates a player for games of `players` seats.
    pub fn new(players: u8, settings: PlannerSettings, seed: u64) -> PlanningPlayer {
        PlanningPlayer {
            planner: Planner::new(players, settings, seed),
            expected: Vec::new(),
            chance: 0.0,
        }
    }

    /// Shares rollouts among a crew. The moves stay the same.
    #[must_use]
    pub fn with_crew(self, crew: Arc<dyn Crew>) -> PlanningPlayer {
        PlanningPlayer {
            planner: self.planner.with_crew(crew),
            ..self
        }
    }

    /// Returns the move that was planned for this position.
    fn planned_move(&self, game: &Game) -> Option<Move> {
        let plain = game.with_consent(Consent::Implied);
        let (_, m) = self
            .expected
            .iter()
            .find(|(expected, _)| *expected == plain)?;
        (game.check(m).is_ok()).then_some(*m)
    }

    /// Stores the positions and moves of a plan.
    fn remember(&mut self, game: &Game, plan: &TeamPlan) {
        let mut game = game.with_consent(Consent::Implied);
        (self.expected, self.chance) = (Vec::new(), plan.chance_of_win);
        for m in &plan.moves {
            self.expected.push((game, *m));
            game.play_unchecked(m);
        }
    }

    /// Evaluates ideas and returns the first move of the best plan that is legal for the asking
    /// seat.
    fn think(
        &mut self,
        game: &Game,
        ideas: Vec<Idea>,
        budget: &mut dyn Budget,
    ) -> Option<Choice<Move>> {
        let most = if game.stage() == Stage::Actions {
            u64::MAX
        } else {
            MAX_NODES_BETWEEN_ACTIONS
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

impl Strategy<Game> for PlanningPlayer {
    fn name(&self) -> String {
        "planner".to_owned()
    }

    fn choose(&mut self, game: &Game, budget: &mut dyn Budget) -> Option<Choice<Move>> {
        let seat = game.turn().seat()?;
        if let Some(Interrupt::Consent { .. }) = game.interrupt() {
            return Some(Choice::new(answer_request(game)));
        }
        if let Some(m) = self
            .planned_move(game)
            .filter(|m| game.mover(m) == Some(seat))
        {
            return Some(self.choice(m, 0, vec![m]));
        }
        if !holds_event(game, seat)
            && game.interrupt().is_none()
            && over_limit(game).is_none()
            && let Some(m) = only_move(game)
        {
            return Some(Choice::new(m));
        }
        let ideas = self.planner.ideas(game, EventScope::Seat(seat));
        self.think(game, ideas, budget)
            .or_else(|| game.legal_moves().first().copied().map(Choice::new))
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
        if let Some(m) = self.planned_move(game) {
            return mine(&m).then(|| self.choice(m, 0, vec![m]));
        }
        if matches!(game.stage(), Stage::NextEpidemic) || over_limit(game).is_some() {
            return None;
        }
        if game.stage() == Stage::Actions
            && (game.actions() < parlor_pandemic::ACTIONS
                || !self.planner.holds_action_event(game, seat))
        {
            return None;
        }
        let ideas = self.planner.ideas(game, EventScope::Seat(seat));
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

/// Returns the only sensible move if the seat on turn has no event.
fn only_move(game: &Game) -> Option<Move> {
    let step = match game.stage() {
        Stage::Intensify => TurnStep::Intensify,
        Stage::NextEpidemic => TurnStep::Epidemic,
        Stage::Infect(_) => TurnStep::InfectAll,
        Stage::Actions if game.actions() == 0 => TurnStep::Draw,
        Stage::Actions | Stage::Setup(_) | Stage::Draw(_) | Stage::Epidemic | Stage::Infecting => {
            return None;
        }
    };
    Some(step.into())
}

/// Returns true if a seat holds an event, in hand or stored.
fn holds_event(game: &Game, seat: Seat) -> bool {
    parlor_pandemic::EventCard::ALL
        .into_iter()
        .any(|event| game.holder(event) == Some(seat))
}

/// Answers a partner's request. Partners agree, because the plan was made for the team, unless the
/// card would break a complete set in the hand of a player who can use it.
fn answer_request(game: &Game) -> Move {
    let Some(Interrupt::Consent { asked, by, request }) = game.interrupt() else {
        return TurnStep::Agree.into();
    };
    let Move::Action(Action::Take { card, .. }) = request else {
        return TurnStep::Agree.into();
    };
    let color = card.color().cities();
    let held = |seat: Seat| game.hand(seat).cities().and(color).len();
    let breaks = !game.is_cured(card.color()) && held(asked) == game.cards_for_cure(asked);
    if breaks && held(by) + 1 < game.cards_for_cure(by) {
        TurnStep::Decline.into()
    } else {
        TurnStep::Agree.into()
    }
}

/// Returns the move, or ends the actions if it is not legal because a partner declined.
fn legal_or_draw(game: &Game, m: Move) -> Move {
    if game.check(&m).is_ok() {
        m
    } else {
        TurnStep::Draw.into()
    }
}
