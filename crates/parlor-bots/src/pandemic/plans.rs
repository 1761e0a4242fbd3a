//! What could be done now: whole turns found by a beam, and the few choices of the moments between them.

use parlor_core::{Position, Seat};
use parlor_pandemic::{
    Cities, City, Ending, Event, FORECAST, Game, HAND_LIMIT, Interrupt, Move, Stage,
};

use super::candidates::{self, Width};
use super::greedy::{Events, Greedy, Value};
use super::windows::badness;

/// Moves that could be played one after the other, and where they lead.
#[derive(Clone, Debug)]
pub(super) struct Idea {
    /// The position after them.
    pub(super) game: Game,
    /// The moves.
    pub(super) moves: Vec<Move>,
    /// How good the quick policy finds it.
    pub(super) value: f32,
}

/// A position within a turn that is being planned.
struct Node {
    game: Game,
    value: Value,
    moves: Vec<Move>,
}

impl Greedy {
    /// What could be done in this position, the quick policy's favorites first; no moves of seats whose events may not be played.
    pub(super) fn ideas(
        &mut self,
        game: &Game,
        events: Events,
        width: usize,
        most: usize,
    ) -> Vec<Idea> {
        self.look(game);
        match (game.interrupt(), game.stage()) {
            (Some(Interrupt::Order { seen, placed, .. }), _) => {
                orders(game, seen, placed.iter().flatten().count())
            }
            (Some(_), _) => Vec::new(),
            (None, Stage::Actions) if over_limit(game).is_none() => {
                self.turns(game, events, width, most)
            }
            _ => self.choices(game, events),
        }
    }

    /// Whole turns, by a beam over single actions.
    fn turns(&mut self, game: &Game, events: Events, width: usize, most: usize) -> Vec<Idea> {
        let mut beam = vec![Node {
            game: *game,
            value: self.know(game).value,
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
                .position(|node| node.game.ending() == Some(Ending::Cured))
            {
                let Node { game, moves, .. } = next.swap_remove(won);
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

    /// All that can be done next in a turn.
    fn grow(&mut self, node: &Node, events: Events, next: &mut Vec<Node>) {
        let mut moves = Vec::new();
        candidates::actions(&node.game, Width::Wide, &mut moves);
        candidates::quick_events(
            &node.game,
            Width::Narrow,
            |seat| events.are_of(seat),
            &mut moves,
        );
        let known = self.know(&node.game);
        for m in moves {
            let (mut game, mut value) = self.after(&node.game, &m, &known);
            let mut line = node.moves.clone();
            line.push(m);
            while let Some(seat) = over_limit(&game).filter(|_| game.ending().is_none()) {
                let Some(discard) = self.discard(&game, seat) else {
                    break;
                };
                (game, value) = self.after(&game, &discard, &self.know(&game));
                line.push(discard);
            }
            next.push(Node {
                game,
                value,
                moves: line,
            });
        }
    }

    /// Single moves outside of the actions.
    fn choices(&mut self, game: &Game, events: Events) -> Vec<Idea> {
        let mut moves = Vec::new();
        if let Some(seat) = over_limit(game) {
            moves.extend(game.hand(seat).iter().map(|card| Move::Discard { card }));
        } else {
            moves.push(match game.stage() {
                Stage::Intensify => Move::Intensify,
                Stage::NextEpidemic => Move::Epidemic,
                _ => Move::InfectAll,
            });
        }
        self.event_choices(game, events, &mut moves);
        let known = self.know(game);
        let idea = |m: Move| {
            let (game, value) = self.after(game, &m, &known);
            Idea {
                game,
                moves: vec![m],
                value: value.sum(),
            }
        };
        moves.into_iter().map(idea).collect()
    }

    /// Events that may be played between actions.
    fn event_choices(&mut self, game: &Game, events: Events, moves: &mut Vec<Move>) {
        let held = |event| game.holder(event).is_some_and(|seat| events.are_of(seat));
        if held(Event::ResilientPopulation) {
            let mut cards: Vec<City> = game.infection().discard().into_iter().collect();
            cards.sort_by_key(|city| std::cmp::Reverse(badness(game, *city)));
            moves.extend(
                cards
                    .into_iter()
                    .take(3)
                    .map(|city| Move::Resilient { city }),
            );
        }
        if game.stage() == Stage::Intensify {
            return;
        }
        if held(Event::OneQuietNight) && !game.quiet_night() {
            moves.push(Move::QuietNight);
        }
        if held(Event::Forecast) && game.infection().top_layer().len() > 1 {
            moves.push(Move::Forecast);
        }
        moves.extend(self.event_action(game, events));
    }
}

/// The first seat with too many cards.
pub(super) fn over_limit(game: &Game) -> Option<Seat> {
    game.rules()
        .seats()
        .find(|seat| game.hand(*seat).len() > HAND_LIMIT)
}

/// A turn that ends here.
fn finished(node: &Node) -> Idea {
    let (mut game, mut moves) = (node.game, node.moves.clone());
    game.play_unchecked(&Move::Draw);
    moves.push(Move::Draw);
    Idea {
        game,
        moves,
        value: node.value.sum(),
    }
}

/// The best nodes of different positions.
fn best_distinct(mut nodes: Vec<Node>, width: usize) -> Vec<Node> {
    nodes.sort_by(|a, b| b.value.sum().total_cmp(&a.value.sum()));
    let mut kept: Vec<Node> = Vec::new();
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

/// Orders of a forecast: which cards come in the next step, the least harm first, and then the rest.
fn orders(game: &Game, seen: Cities, placed: usize) -> Vec<Idea> {
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
            let m = Move::Next { city: *city };
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
