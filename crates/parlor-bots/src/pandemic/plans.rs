//! Generation of plans: whole turns by beam search, and the few choices between turns.

use parlor_core::{Position, Seat};
use parlor_pandemic::{
    Cities, City, EventCard, EventPlay, FORECAST, Game, HAND_LIMIT, Interrupt, Move,
    PandemicEnding, Stage, TurnStep,
};

use super::candidates::{self, Width};
use super::event_timing::badness;
use super::policy::{EventScope, PandemicPolicy, PositionValue};

/// Moves that can be played in sequence, and the resulting position.
#[derive(Clone, Debug)]
pub(super) struct Idea {
    /// Position after the moves.
    pub(super) game: Game,
    /// Moves.
    pub(super) moves: Vec<Move>,
    /// Value of that position by the quick policy.
    pub(super) value: f32,
}

/// Position within a turn that is being planned.
struct BeamNode {
    game: Game,
    value: PositionValue,
    moves: Vec<Move>,
}

impl PandemicPolicy {
    /// Returns the ideas for this position, best first by the quick policy. Only events in `events`
    /// are used.
    pub(super) fn ideas(
        &mut self,
        game: &Game,
        events: EventScope,
        width: usize,
        most: usize,
    ) -> Vec<Idea> {
        self.update_outlook(game);
        match (game.interrupt(), game.stage()) {
            (Some(Interrupt::Order { seen, placed, .. }), _) => {
                forecast_orders(game, seen, placed.iter().flatten().count())
            }
            (Some(_), _) => Vec::new(),
            (None, Stage::Actions) if over_limit(game).is_none() => {
                self.turns(game, events, width, most)
            }
            _ => self.choices(game, events),
        }
    }

    /// Finds whole turns by a beam search over single actions.
    fn turns(&mut self, game: &Game, events: EventScope, width: usize, most: usize) -> Vec<Idea> {
        let mut beam = vec![BeamNode {
            game: *game,
            value: self.evaluate(game).value,
            moves: Vec::new(),
        }];
        let mut done: Vec<Idea> = Vec::new();
        while !beam.is_empty() {
            let mut next = Vec::new();
            for node in &beam {
                self.grow(node, events, &mut next);
                done.push(finished(node));
            }
            if let Some(won) = next
                .iter()
                .position(|node| node.game.ending() == Some(PandemicEnding::Cured))
            {
                let BeamNode { game, moves, .. } = next.swap_remove(won);
                return vec![Idea {
                    game,
                    moves,
                    value: f32::MAX,
                }];
            }
            beam = best_distinct(next, width);
        }
        done.sort_by(|a, b| b.value.total_cmp(&a.value));
        done.truncate(most);
        done
    }

    /// Appends all positions one action later in a turn.
    fn grow(&mut self, node: &BeamNode, events: EventScope, next: &mut Vec<BeamNode>) {
        let mut moves = Vec::new();
        candidates::actions(&node.game, Width::Wide, &mut moves);
        candidates::quick_events(
            &node.game,
            Width::Narrow,
            |seat| events.includes(seat),
            &mut moves,
        );
        let known = self.evaluate(&node.game);
        for m in moves {
            let (mut game, mut value) = self.evaluate_move(&node.game, &m, &known);
            let mut line = node.moves.clone();
            line.push(m);
            while let Some(seat) = over_limit(&game).filter(|_| game.ending().is_none()) {
                let Some(discard) = self.discard(&game, seat) else {
                    break;
                };
                (game, value) = self.evaluate_move(&game, &discard, &self.evaluate(&game));
                line.push(discard);
            }
            next.push(BeamNode {
                game,
                value,
                moves: line,
            });
        }
    }

    /// Returns single moves outside the action stage.
    fn choices(&mut self, game: &Game, events: EventScope) -> Vec<Idea> {
        let mut moves = Vec::new();
        if let Some(seat) = over_limit(game) {
            let cards = game.hand(seat).iter();
            moves.extend(cards.map(|card| Move::Step(TurnStep::Discard { card })));
        } else {
            let step = match game.stage() {
                Stage::Intensify => TurnStep::Intensify,
                Stage::NextEpidemic => TurnStep::Epidemic,
                _ => TurnStep::InfectAll,
            };
            moves.push(step.into());
        }
        self.event_choices(game, events, &mut moves);
        let known = self.evaluate(game);
        let idea = |m: Move| {
            let (game, value) = self.evaluate_move(game, &m, &known);
            Idea {
                game,
                moves: vec![m],
                value: value.sum(),
            }
        };
        moves.into_iter().map(idea).collect()
    }

    /// Appends the events that may be played between actions.
    fn event_choices(&mut self, game: &Game, events: EventScope, moves: &mut Vec<Move>) {
        let held = |event| game.holder(event).is_some_and(|seat| events.includes(seat));
        if held(EventCard::ResilientPopulation) {
            let mut cards: Vec<City> = game.infection().discard().into_iter().collect();
            cards.sort_by_key(|city| std::cmp::Reverse(badness(game, *city)));
            moves.extend(
                cards
                    .into_iter()
                    .take(3)
                    .map(|city| Move::Event(EventPlay::Resilient { city })),
            );
        }
        if game.stage() == Stage::Intensify {
            return;
        }
        if held(EventCard::OneQuietNight) && !game.quiet_night() {
            moves.push(EventPlay::QuietNight.into());
        }
        if held(EventCard::Forecast) && game.infection().top_layer().len() > 1 {
            moves.push(EventPlay::Forecast.into());
        }
        moves.extend(self.event_action(game, events));
    }
}

/// Returns the first seat over the hand limit.
pub(super) fn over_limit(game: &Game) -> Option<Seat> {
    game.rules()
        .seats()
        .find(|seat| game.hand(*seat).len() > HAND_LIMIT)
}

/// Ends a turn and returns it as an idea.
fn finished(node: &BeamNode) -> Idea {
    let (mut game, mut moves) = (node.game, node.moves.clone());
    let draw = TurnStep::Draw.into();
    game.play_unchecked(&draw);
    moves.push(draw);
    Idea {
        game,
        moves,
        value: node.value.sum(),
    }
}

/// Keeps the best nodes with distinct positions.
fn best_distinct(mut nodes: Vec<BeamNode>, width: usize) -> Vec<BeamNode> {
    nodes.sort_by(|a, b| b.value.sum().total_cmp(&a.value.sum()));
    let mut kept: Vec<BeamNode> = Vec::new();
    for node in nodes {
        if kept.len() == width {
            break;
        }
        if !kept.iter().any(|other| other.game == node.game) {
            kept.push(node);
        }
    }
    kept
}

/// Returns the orders of a forecast that differ in the cards of the next infection step; within
/// each part the least harmful card comes first.
fn forecast_orders(game: &Game, seen: Cities, placed: usize) -> Vec<Idea> {
    let mut cards: Vec<City> = seen.into_iter().collect();
    cards.sort_by_key(|city| badness(game, *city));
    let soon = usize::from(game.rate())
        .saturating_sub(placed)
        .min(cards.len());
    let parts =
        (0..1_u32 << cards.len().min(FORECAST)).filter(|part| part.count_ones() as usize == soon);
    let idea = |part: u32| {
        let first = cards.iter().enumerate().filter(|(n, _)| part >> n & 1 == 1);
        let then = cards.iter().enumerate().filter(|(n, _)| part >> n & 1 == 0);
        let mut after = *game;
        let mut moves = Vec::new();
        for (_, city) in first.chain(then).take(cards.len().saturating_sub(1).max(1)) {
            let m = TurnStep::Next { city: *city }.into();
            after.play_unchecked(&m);
            moves.push(m);
        }
        Idea {
            game: after,
            moves,
            value: 0.0,
        }
    };
    parts.map(idea).collect()
}
