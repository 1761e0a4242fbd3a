//! The quick policy: the move after which the position looks best.

use std::sync::Arc;

use parlor_core::Seat;
use parlor_pandemic::{ACTIONS, Game, Interrupt, Move, Role, Stage};

use super::candidates::{self, Width};
use super::features::{Sink, Sum};
use super::outlook::{Outlook, Ways};
use super::reader::{FARTHEST, Reader, discounts};
use super::scene::Scene;
use super::weights::Weights;

/// Chooses moves for the whole team by their weights, a few microseconds for each.
#[derive(Clone, Debug)]
pub struct Greedy {
    pub(super) weights: Arc<Weights>,
    pub(super) outlook: Outlook,
    discounts: [f32; FARTHEST],
    seen: Option<Sight>,
    moves: Vec<Move>,
}

/// What the outlook depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sight {
    deck: u8,
    infection: u8,
    top: u64,
    discard: u64,
    quiet: bool,
    stage: Stage,
    left: u8,
}

/// The parts of a position's value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Value {
    danger: f32,
    reach: f32,
    sets: f32,
    stock: f32,
}

/// What is known of a position from which moves are tried.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) value: Value,
    ways: Ways,
    scene: Scene,
}

impl Value {
    pub(super) fn sum(self) -> f32 {
        self.danger + self.reach + self.sets + self.stock
    }
}

/// Whose events may be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Events {
    /// Everybody's: the team thinks as one.
    Team,
    /// One seat's.
    Of(Seat),
}

impl Events {
    /// Whether a seat's events are among them.
    pub fn are_of(self, seat: Seat) -> bool {
        self == Events::Team || self == Events::Of(seat)
    }
}

impl Greedy {
    /// A policy with these weights.
    pub fn new(weights: Arc<Weights>) -> Greedy {
        let outlook = Outlook {
            now: [0.0; 48],
            later: [0.0; 48],
            struck: [0.0; 48],
        };
        Greedy {
            discounts: discounts(&weights.shape),
            weights,
            outlook,
            seen: None,
            moves: Vec::new(),
        }
    }

    /// Brings the outlook up to date.
    pub(super) fn look(&mut self, game: &Game) {
        let sight = Sight {
            deck: game.deck().len(),
            infection: game.infection().len(),
            top: game.infection().top_layer().bits(),
            discard: game.infection().discard().bits(),
            quiet: game.quiet_night(),
            stage: if matches!(game.stage(), Stage::Infect(_)) {
                Stage::Infect(true)
            } else {
                Stage::Actions
            },
            left: game.infections_left(),
        };
        if self.seen != Some(sight) {
            self.outlook.look(game);
            self.seen = Some(sight);
        }
    }

    /// The move of the seat on turn, or an event of the seats whose events may be played; `None` when no seat is to move.
    pub fn decide(&mut self, game: &Game, events: Events) -> Option<Move> {
        match game.interrupt() {
            Some(Interrupt::Consent { .. }) => return Some(Move::Agree),
            Some(Interrupt::Order { seen, .. }) => {
                return super::windows::next_of_forecast(game, seen);
            }
            Some(Interrupt::Look { .. }) => return None,
            None => {}
        }
        if matches!(game.stage(), Stage::Actions | Stage::Infect(_))
            && let Some(seat) = game.rules().seats().find(|seat| game.is_over_limit(*seat))
        {
            return self.discard(game, seat);
        }
        match game.stage() {
            Stage::Actions => Some(self.act(game, events)),
            Stage::Infect(_) => {
                self.look(game);
                Some(
                    self.before_infection(game, events)
                        .unwrap_or(Move::InfectAll),
                )
            }
            Stage::Intensify => Some(self.resilient(game, events).unwrap_or(Move::Intensify)),
            Stage::NextEpidemic => Some(Move::Epidemic),
            Stage::Setup(_) | Stage::Draw(_) | Stage::Epidemic | Stage::Infecting => None,
        }
    }

    /// The event that a seat plays while another is on turn.
    pub fn interject(&mut self, game: &Game, seat: Seat) -> Option<Move> {
        if game.interrupt().is_some() {
            return None;
        }
        match game.stage() {
            Stage::Actions if game.actions() == ACTIONS => {
                self.look(game);
                self.event_action(game, Events::Of(seat))
            }
            Stage::Infect(_) => {
                self.look(game);
                self.before_infection(game, Events::Of(seat))
            }
            Stage::Intensify => self.resilient(game, Events::Of(seat)),
            _ => None,
        }
    }

    /// What a position is worth by the weights; only differences mean something.
    pub fn value(&mut self, game: &Game) -> f32 {
        self.look(game);
        self.parts(game, &Scene::new(game, &Ways::new(game.stations())))
            .sum()
    }

    pub(super) fn reader(&self) -> Reader<'_> {
        Reader {
            outlook: &self.outlook,
            shape: &self.weights.shape,
            discounts: &self.discounts,
        }
    }

    fn sum(&self, add: impl FnOnce(&Reader<'_>, &mut Sum<'_>)) -> f32 {
        let mut sum = Sum {
            weights: &self.weights.linear,
            sum: 0.0,
        };
        add(&self.reader(), &mut sum);
        sum.sum
    }

    pub(super) fn parts(&self, game: &Game, scene: &Scene) -> Value {
        Value {
            danger: self.sum(|reader, sum| reader.danger(game, sum)),
            reach: self.sum(|reader, sum| reader.reach(game, scene, sum)),
            sets: self.sum(|reader, sum| reader.sets(game, scene, sum)),
            stock: self.sum(|reader, sum| reader.stock(game, scene, sum)),
        }
    }

    /// The value after a move, when that before it is known.
    pub(super) fn after(&self, before: &Game, m: &Move, known: &Known) -> (Game, Value) {
        let mut game = *before;
        parlor_core::Position::play_unchecked(&mut game, m);
        let value = match m {
            Move::Treat { .. } => {
                let danger = self.sum(|reader, sum| reader.danger(&game, sum));
                let reach = self.sum(|reader, sum| reader.reach(&game, &known.scene, sum));
                Value {
                    danger,
                    reach,
                    ..known.value
                }
            }
            Move::Give { .. } | Move::Take { .. } | Move::Fetch { .. } | Move::Discard { .. } => {
                let scene = known.scene.after(&game, m, &known.ways);
                let sets = self.sum(|reader, sum| reader.sets(&game, &scene, sum));
                Value {
                    sets,
                    stock: self.sum(|reader, sum| reader.stock(&game, &scene, sum)),
                    ..known.value
                }
            }
            Move::Cure { .. } => self.parts(&game, &Scene::new(&game, &known.ways)),
            Move::Build { .. } | Move::Grant { .. } => {
                let scene = Scene::new(&game, &Ways::new(game.stations()));
                let stock = self.sum(|reader, sum| reader.stock(&game, &scene, sum));
                self.moved(
                    &game,
                    &scene,
                    Value {
                        stock,
                        ..known.value
                    },
                )
            }
            m => {
                let stirs = matches!(
                    game.role(moved(before, m)),
                    Some(Role::QuarantineSpecialist | Role::Medic)
                );
                let danger = if stirs {
                    self.sum(|reader, sum| reader.danger(&game, sum))
                } else {
                    known.value.danger
                };
                let scene = known.scene.after(&game, m, &known.ways);
                let free = matches!(
                    m,
                    Move::Drive { .. } | Move::Shuttle { .. } | Move::Join { .. }
                );
                let stock = if free {
                    known.value.stock
                } else {
                    self.sum(|reader, sum| reader.stock(&game, &scene, sum))
                };
                self.moved(
                    &game,
                    &scene,
                    Value {
                        danger,
                        stock,
                        ..known.value
                    },
                )
            }
        };
        (game, value)
    }

    /// The value where pawns or stations have changed.
    fn moved(&self, game: &Game, scene: &Scene, value: Value) -> Value {
        let reach = self.sum(|reader, sum| reader.reach(game, scene, sum));
        Value {
            reach,
            sets: self.sum(|reader, sum| reader.sets(game, scene, sum)),
            ..value
        }
    }

    /// What is known of a position.
    pub(super) fn know(&self, game: &Game) -> Known {
        let ways = Ways::new(game.stations());
        let scene = Scene::new(game, &ways);
        Known {
            value: self.parts(game, &scene),
            ways,
            scene,
        }
    }

    /// The best action, or the end of the actions.
    fn act(&mut self, game: &Game, events: Events) -> Move {
        let mut moves = std::mem::take(&mut self.moves);
        self.look(game);
        candidates::actions(game, Width::Narrow, &mut moves);
        if game.actions() == ACTIONS {
            candidates::quick_events(game, Width::Narrow, |seat| events.are_of(seat), &mut moves);
        }
        let best = self.best(game, &moves);
        self.moves = moves;
        best.unwrap_or(Move::Draw)
    }

    /// The best airlift or grant, if one is better than none.
    pub(super) fn event_action(&mut self, game: &Game, events: Events) -> Option<Move> {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        candidates::quick_events(game, Width::Narrow, |seat| events.are_of(seat), &mut moves);
        let best = self.best(game, &moves);
        self.moves = moves;
        best
    }

    /// The best of some moves, if it is better than none.
    fn best(&self, game: &Game, moves: &[Move]) -> Option<Move> {
        let known = self.know(game);
        let (mut best, mut most) = (None, known.value.sum());
        for m in moves {
            let value = self.after(game, m, &known).1.sum();
            if value > most + 1e-4 {
                (best, most) = (Some(*m), value);
            }
        }
        best
    }

    pub(super) fn discard(&mut self, game: &Game, seat: Seat) -> Option<Move> {
        self.look(game);
        let known = self.know(game);
        let worth = |m: &Move| {
            let value = self.after(game, m, &known).1;
            value.sets + value.stock
        };
        let all = game.hand(seat).iter().map(|card| Move::Discard { card });
        all.map(|m| (worth(&m), m))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, m)| m)
    }
}

/// Whose pawn a move moves.
fn moved(before: &Game, m: &Move) -> Seat {
    match m {
        Move::Drive { pawn, .. }
        | Move::Fly { pawn, .. }
        | Move::Charter { pawn, .. }
        | Move::Shuttle { pawn, .. }
        | Move::Join { pawn, .. }
        | Move::Airlift { pawn, .. } => *pawn,
        _ => before.active(),
    }
}

/// Adds everything that is known of a position to a sink, whoever asks.
pub fn read(game: &Game, shape: &super::features::Shape, sink: &mut impl Sink) {
    let outlook = Outlook::new(game);
    Reader {
        outlook: &outlook,
        shape,
        discounts: &discounts(shape),
    }
    .all(game, &Scene::new(game, &Ways::new(game.stations())), sink);
}
