//! Quick policy: plays the move that leads to the best-looking position.

use std::sync::Arc;

use parlor_core::Seat;
use parlor_pandemic::{
    ACTIONS, Action, Cities, EventPlay, Game, Interrupt, Move, Role, Stage, TurnStep,
};

use super::candidates::{self, Width};
use super::features::{FeatureSink, WeightedSum};
use super::outlook::{Outlook, TravelDistances};
use super::reader::{FARTHEST, FeatureReader, discounts};
use super::scene::PandemicScene;
use super::weights::PolicyWeights;

/// Policy that chooses moves for the whole team by weighted features, in a few microseconds each.
#[derive(Clone, Debug)]
pub struct PandemicPolicy {
    pub(super) weights: Arc<PolicyWeights>,
    pub(super) outlook: Outlook,
    discounts: [f32; FARTHEST],
    outlook_inputs: Option<OutlookInputs>,
    moves: Vec<Move>,
}

/// Inputs of the outlook, to detect changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OutlookInputs {
    deck: u8,
    infection: u8,
    top: Cities,
    discard: Cities,
    quiet: bool,
    stage: Stage,
    left: u8,
}

/// Parts of a position's value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PositionValue {
    danger: f32,
    reach: f32,
    sets: f32,
    stock: f32,
}

/// Evaluated position from which moves are tried.
#[derive(Clone, Debug)]
pub(super) struct EvaluatedPosition {
    pub(super) value: PositionValue,
    ways: TravelDistances,
    scene: PandemicScene,
}

impl PositionValue {
    pub(super) fn sum(self) -> f32 {
        self.danger + self.reach + self.sets + self.stock
    }
}

/// Seats whose events may be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventScope {
    /// Every seat: the team acts as one.
    Team,
    /// One seat only.
    Seat(Seat),
}

impl EventScope {
    /// Returns true if the events of a seat may be played.
    pub fn includes(self, seat: Seat) -> bool {
        self == EventScope::Team || self == EventScope::Seat(seat)
    }
}

impl PandemicPolicy {
    /// Creates a policy with these weights.
    pub fn new(weights: Arc<PolicyWeights>) -> PandemicPolicy {
        let outlook = Outlook {
            now: [0.0; 48],
            later: [0.0; 48],
            struck: [0.0; 48],
        };
        PandemicPolicy {
            discounts: discounts(&weights.shape),
            weights,
            outlook,
            outlook_inputs: None,
            moves: Vec::new(),
        }
    }

    /// Updates the outlook if it has changed.
    pub(super) fn update_outlook(&mut self, game: &Game) {
        let inputs = OutlookInputs {
            deck: game.deck().len(),
            infection: game.infection().len(),
            top: game.infection().top_layer(),
            discard: game.infection().discard(),
            quiet: game.quiet_night(),
            stage: if matches!(game.stage(), Stage::Infect(_)) {
                Stage::Infect(true)
            } else {
                Stage::Actions
            },
            left: game.infections_left(),
        };
        if self.outlook_inputs != Some(inputs) {
            self.outlook.update(game);
            self.outlook_inputs = Some(inputs);
        }
    }

    /// Returns the move of the seat on turn, or an event in `events`; `None` if no seat is to move.
    pub fn decide(&mut self, game: &Game, events: EventScope) -> Option<Move> {
        match game.interrupt() {
            Some(Interrupt::Consent { .. }) => return Some(TurnStep::Agree.into()),
            Some(Interrupt::Order { seen, .. }) => {
                return super::event_timing::next_of_forecast(game, seen);
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
                self.update_outlook(game);
                Some(
                    self.before_infection(game, events)
                        .unwrap_or(TurnStep::InfectAll.into()),
                )
            }
            Stage::Intensify => Some(
                self.resilient(game, events)
                    .unwrap_or(TurnStep::Intensify.into()),
            ),
            Stage::NextEpidemic => Some(TurnStep::Epidemic.into()),
            Stage::Setup(_) | Stage::Draw(_) | Stage::Epidemic | Stage::Infecting => None,
        }
    }

    /// Returns an event for a seat to play while another is on turn.
    pub fn interject(&mut self, game: &Game, seat: Seat) -> Option<Move> {
        if game.interrupt().is_some() {
            return None;
        }
        match game.stage() {
            Stage::Actions if game.actions() == ACTIONS => {
                self.update_outlook(game);
                self.event_action(game, EventScope::Seat(seat))
            }
            Stage::Infect(_) => {
                self.update_outlook(game);
                self.before_infection(game, EventScope::Seat(seat))
            }
            Stage::Intensify => self.resilient(game, EventScope::Seat(seat)),
            _ => None,
        }
    }

    /// Returns the value of a position. Only differences of values are meaningful.
    pub fn value(&mut self, game: &Game) -> f32 {
        self.update_outlook(game);
        self.parts(
            game,
            &PandemicScene::new(game, &TravelDistances::new(game.stations())),
        )
        .sum()
    }

    pub(super) fn reader(&self) -> FeatureReader<'_> {
        FeatureReader {
            outlook: &self.outlook,
            shape: &self.weights.shape,
            discounts: &self.discounts,
        }
    }

    fn sum(&self, add: impl FnOnce(&FeatureReader<'_>, &mut WeightedSum<'_>)) -> f32 {
        let mut sum = WeightedSum {
            weights: &self.weights.linear,
            sum: 0.0,
        };
        add(&self.reader(), &mut sum);
        sum.sum
    }

    pub(super) fn parts(&self, game: &Game, scene: &PandemicScene) -> PositionValue {
        PositionValue {
            danger: self.sum(|reader, sum| reader.danger(game, sum)),
            reach: self.sum(|reader, sum| reader.reach(game, scene, sum)),
            sets: self.sum(|reader, sum| reader.sets(game, scene, sum)),
            stock: self.sum(|reader, sum| reader.stock(game, scene, sum)),
        }
    }

    /// Plays a move and evaluates the result incrementally.
    pub(super) fn evaluate_move(
        &self,
        before: &Game,
        m: &Move,
        known: &EvaluatedPosition,
    ) -> (Game, PositionValue) {
        let mut game = *before;
        parlor_core::Position::play_unchecked(&mut game, m);
        let value = match m {
            Move::Action(Action::Treat { .. }) => {
                let danger = self.sum(|reader, sum| reader.danger(&game, sum));
                let reach = self.sum(|reader, sum| reader.reach(&game, &known.scene, sum));
                PositionValue {
                    danger,
                    reach,
                    ..known.value
                }
            }
            Move::Action(Action::Give { .. } | Action::Take { .. } | Action::Fetch { .. })
            | Move::Step(TurnStep::Discard { .. }) => {
                let scene = known.scene.after(&game, m, &known.ways);
                let sets = self.sum(|reader, sum| reader.sets(&game, &scene, sum));
                PositionValue {
                    sets,
                    stock: self.sum(|reader, sum| reader.stock(&game, &scene, sum)),
                    ..known.value
                }
            }
            Move::Action(Action::Cure { .. }) => {
                self.parts(&game, &PandemicScene::new(&game, &known.ways))
            }
            Move::Action(Action::Build { .. }) | Move::Event(EventPlay::Grant { .. }) => {
                let scene = PandemicScene::new(&game, &TravelDistances::new(game.stations()));
                let stock = self.sum(|reader, sum| reader.stock(&game, &scene, sum));
                self.moved(
                    &game,
                    &scene,
                    PositionValue {
                        stock,
                        ..known.value
                    },
                )
            }
            Move::Action(Action::Travel { .. } | Action::Expert { .. })
            | Move::Event(
                EventPlay::Airlift { .. }
                | EventPlay::Forecast
                | EventPlay::QuietNight
                | EventPlay::Resilient { .. },
            )
            | Move::Step(
                TurnStep::Next { .. }
                | TurnStep::Agree
                | TurnStep::Decline
                | TurnStep::Draw
                | TurnStep::Infect
                | TurnStep::InfectAll
                | TurnStep::Intensify
                | TurnStep::Epidemic,
            ) => {
                let affects_danger = matches!(
                    game.role(moved_pawn(before, m)),
                    Some(Role::QuarantineSpecialist | Role::Medic)
                );
                let danger = if affects_danger {
                    self.sum(|reader, sum| reader.danger(&game, sum))
                } else {
                    known.value.danger
                };
                let scene = known.scene.after(&game, m, &known.ways);
                let free = matches!(m, Move::Action(Action::Travel { way, .. }) if way.is_free());
                let stock = if free {
                    known.value.stock
                } else {
                    self.sum(|reader, sum| reader.stock(&game, &scene, sum))
                };
                self.moved(
                    &game,
                    &scene,
                    PositionValue {
                        danger,
                        stock,
                        ..known.value
                    },
                )
            }
        };
        (game, value)
    }

    /// Updates the value after pawns or stations have changed.
    fn moved(&self, game: &Game, scene: &PandemicScene, value: PositionValue) -> PositionValue {
        let reach = self.sum(|reader, sum| reader.reach(game, scene, sum));
        PositionValue {
            reach,
            sets: self.sum(|reader, sum| reader.sets(game, scene, sum)),
            ..value
        }
    }

    /// Evaluates a position from which moves are tried.
    pub(super) fn evaluate(&self, game: &Game) -> EvaluatedPosition {
        let ways = TravelDistances::new(game.stations());
        let scene = PandemicScene::new(game, &ways);
        EvaluatedPosition {
            value: self.parts(game, &scene),
            ways,
            scene,
        }
    }

    /// Returns the best action, or the end of the actions.
    fn act(&mut self, game: &Game, events: EventScope) -> Move {
        let mut moves = std::mem::take(&mut self.moves);
        self.update_outlook(game);
        candidates::actions(game, Width::Narrow, &mut moves);
        if game.actions() == ACTIONS {
            candidates::quick_events(
                game,
                Width::Narrow,
                |seat| events.includes(seat),
                &mut moves,
            );
        }
        let best = self.best(game, &moves);
        self.moves = moves;
        best.unwrap_or(TurnStep::Draw.into())
    }

    /// Returns the best airlift or grant, if one is better than none.
    pub(super) fn event_action(&mut self, game: &Game, events: EventScope) -> Option<Move> {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        candidates::quick_events(
            game,
            Width::Narrow,
            |seat| events.includes(seat),
            &mut moves,
        );
        let best = self.best(game, &moves);
        self.moves = moves;
        best
    }

    /// Returns the best of some moves, if one is better than none.
    fn best(&self, game: &Game, moves: &[Move]) -> Option<Move> {
        let known = self.evaluate(game);
        let (mut best, mut most) = (None, known.value.sum());
        for m in moves {
            let value = self.evaluate_move(game, m, &known).1.sum();
            if value > most + 1e-4 {
                (best, most) = (Some(*m), value);
            }
        }
        best
    }

    pub(super) fn discard(&mut self, game: &Game, seat: Seat) -> Option<Move> {
        self.update_outlook(game);
        let known = self.evaluate(game);
        let worth = |m: &Move| {
            let value = self.evaluate_move(game, m, &known).1;
            value.sets + value.stock
        };
        let all = game
            .hand(seat)
            .iter()
            .map(|card| TurnStep::Discard { card }.into());
        all.map(|m| (worth(&m), m))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, m)| m)
    }
}

/// Returns the seat whose pawn a move moves.
fn moved_pawn(before: &Game, m: &Move) -> Seat {
    match *m {
        Move::Action(Action::Travel { pawn, .. })
        | Move::Event(EventPlay::Airlift { pawn, .. }) => pawn,
        _ => before.active(),
    }
}

/// Adds all features of a position to a sink, without reusing earlier results.
pub fn read_features(
    game: &Game,
    shape: &super::features::FeatureShape,
    sink: &mut impl FeatureSink,
) {
    let outlook = Outlook::new(game);
    FeatureReader {
        outlook: &outlook,
        shape,
        discounts: &discounts(shape),
    }
    .all(
        game,
        &PandemicScene::new(game, &TravelDistances::new(game.stations())),
        sink,
    );
}
