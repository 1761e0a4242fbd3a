//! Pawns and hands of a position, in the form that features are computed from.

use parlor_core::Seat;
use parlor_pandemic::{Action, Cities, City, Color, EventPlay, Game, Move, Role, Seats, TurnStep};

use super::outlook::TravelDistances;

/// Actions to each city.
type ActionsRow = [u8; City::COUNT];

/// Collectors of a color.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Collectors {
    /// Seats with enough cards for a cure.
    pub(super) ready: Seats,
    /// Seats with at most one card less than the largest holding.
    pub(super) close: Seats,
}

/// Pawns, hands and distances of a position.
#[derive(Clone, Debug)]
pub struct PandemicScene {
    pub(super) seats: usize,
    pub(super) pawns: [City; 4],
    /// For each seat, the actions to each city.
    pub(super) far: [ActionsRow; 4],
    /// For each seat, the actions to the nearest station.
    pub(super) to_station: [u8; 4],
    /// City cards of each seat.
    pub(super) hands: [Cities; 4],
    /// City cards of all seats.
    pub(super) held: Cities,
    /// For each city card that is held, the actions from its holder to the city.
    pub(super) carried: ActionsRow,
    /// Collectors of each color.
    pub(super) collectors: [Collectors; 4],
    /// For each seat, the number of cards of each color.
    pub(super) counts: [[u8; 4]; 4],
    /// For each seat, the number of cards in hand.
    pub(super) sizes: [u8; 4],
    /// For each color, the number of cards not seen yet.
    pub(super) unseen: [u8; 4],
    /// For each seat, the number of cards needed for a cure.
    pub(super) need: [u8; 4],
    /// Minimum of `need`.
    pub(super) least_need: u8,
    /// Index of the seat that plays next.
    pub(super) next: usize,
    pub(super) medic: Option<usize>,
    pub(super) researcher: Option<usize>,
    pub(super) station_mean: f32,
}

impl PandemicScene {
    /// Computes the scene of a position, given its travel distances.
    pub fn new(game: &Game, ways: &TravelDistances) -> PandemicScene {
        let players = game.rules().players();
        let mut scene = PandemicScene {
            seats: usize::from(players),
            pawns: [City::ATLANTA; 4],
            far: [[0; City::COUNT]; 4],
            to_station: [0; 4],
            hands: [Cities::NONE; 4],
            held: Cities::NONE,
            carried: [0; City::COUNT],
            collectors: [Collectors::default(); 4],
            counts: [[0; 4]; 4],
            sizes: [0; 4],
            unseen: by_color(game.deck().unseen().cities()),
            need: [5; 4],
            least_need: 5,
            next: game.active().next(players).index(),
            medic: None,
            researcher: None,
            station_mean: ways.mean(),
        };
        for seat in game.rules().seats() {
            scene.update_hand(game, seat);
            scene.update_pawn(game, ways, seat);
            let n = seat.index();
            match game.role(seat) {
                Some(Role::Scientist) => (scene.need[n], scene.least_need) = (4, 4),
                Some(Role::Medic) => scene.medic = Some(n),
                Some(Role::Researcher) => scene.researcher = Some(n),
                _ => {}
            }
        }
        scene.update_collectors();
        scene
    }

    /// Updates the scene after a move that led to `game`. The stations must not have changed.
    pub(super) fn after(&self, game: &Game, m: &Move, ways: &TravelDistances) -> PandemicScene {
        let mut scene = self.clone();
        match *m {
            Move::Action(Action::Travel { pawn, way, .. }) => {
                if !way.is_free() {
                    scene.update_hands(game, [game.active()]);
                }
                scene.update_pawn(game, ways, pawn);
            }
            Move::Action(Action::Treat { .. }) => {}
            Move::Action(Action::Expert { .. }) => {
                scene.update_hands(game, [game.active()]);
                scene.update_pawn(game, ways, game.active());
            }
            Move::Action(Action::Give { to: other, .. } | Action::Take { from: other, .. }) => {
                scene.update_hands(game, [game.active(), other]);
                scene.update_carried(other);
                scene.update_carried(game.active());
            }
            Move::Event(EventPlay::Airlift { pawn, .. }) => {
                scene.update_hands(game, game.rules().seats());
                scene.update_pawn(game, ways, pawn);
            }
            Move::Step(TurnStep::Discard { .. }) => scene.update_hands(game, game.rules().seats()),
            Move::Action(Action::Build { .. } | Action::Cure { .. } | Action::Fetch { .. })
            | Move::Event(
                EventPlay::Grant { .. }
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
            ) => scene.update_hands(game, [game.active()]),
        }
        scene
    }

    /// Updates the hands of some seats, and the collectors.
    fn update_hands(&mut self, game: &Game, seats: impl IntoIterator<Item = Seat>) {
        for seat in seats {
            self.update_hand(game, seat);
        }
        self.update_collectors();
    }

    /// Updates the position of a pawn.
    fn update_pawn(&mut self, game: &Game, ways: &TravelDistances, seat: Seat) {
        let (n, pawn) = (seat.index(), game.pawn(seat));
        self.pawns[n] = pawn;
        self.to_station[n] = ways.to_station(pawn);
        ways.row(pawn, &mut self.far[n]);
        self.update_carried(seat);
    }

    /// Updates the distances of a seat to the cities of its cards.
    fn update_carried(&mut self, seat: Seat) {
        let far = &self.far[seat.index()];
        for city in self.hands[seat.index()] {
            self.carried[city.index()] = far[city.index()];
        }
    }

    /// Updates the hand of a seat.
    fn update_hand(&mut self, game: &Game, seat: Seat) {
        let (n, hand) = (seat.index(), game.hand(seat));
        self.hands[n] = hand.cities();
        self.counts[n] = by_color(hand.cities());
        self.sizes[n] = hand.len() as u8;
    }

    /// Updates the collectors of each color.
    fn update_collectors(&mut self) {
        self.held = self.hands.into_iter().fold(Cities::NONE, Cities::or);
        for (color, collectors) in self.collectors.iter_mut().enumerate() {
            let held = self.counts.map(|counts| counts[color]);
            let most = held.into_iter().max().unwrap_or(0);
            *collectors = Collectors::default();
            let seats = Seats::ALL.into_iter().zip(held.into_iter().zip(self.need));
            for (seat, (held, need)) in seats.take(self.seats) {
                if held >= need {
                    collectors.ready = collectors.ready.with(seat);
                }
                if held + 2 > most {
                    collectors.close = collectors.close.with(seat);
                }
            }
        }
    }

    /// Returns the actions from the nearest pawn to each city.
    pub(super) fn nearest(&self) -> ActionsRow {
        let mut row = self.far[0];
        for far in &self.far[1..self.seats] {
            row.iter_mut()
                .zip(far)
                .for_each(|(best, far)| *best = (*best).min(*far));
        }
        row
    }

    /// Returns the sum of the actions from each pawn to its nearest station.
    pub(super) fn total_to_station(&self) -> u8 {
        self.to_station.iter().sum()
    }
}

/// Returns the number of cities of each color.
fn by_color(cities: Cities) -> [u8; 4] {
    Color::ALL.map(|color| cities.and(color.cities()).len() as u8)
}
