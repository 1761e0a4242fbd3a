//! Who is where, and what everybody holds, in the form that features are read from.

use parlor_core::Seat;
use parlor_pandemic::{Cities, City, Color, Game, Move, Role};

use super::outlook::Ways;

/// Actions to each city.
type Row = [u8; City::COUNT];

/// Who collects a color, as sets of seats.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rivals {
    /// Who has enough for a cure.
    pub(super) ready: u8,
    /// Who has at most one card less than the most that anybody has.
    pub(super) close: u8,
}

/// Pawns, hands and ways of a position.
#[derive(Clone, Debug)]
pub struct Scene {
    pub(super) seats: usize,
    pub(super) pawns: [City; 4],
    /// For each seat: actions to each city.
    pub(super) far: [Row; 4],
    /// For each seat: actions to the nearest station.
    pub(super) to_station: [u8; 4],
    /// City cards.
    pub(super) hands: [Cities; 4],
    /// All of them.
    pub(super) held: Cities,
    /// For each city card that is held: actions from its holder to the city.
    pub(super) carried: Row,
    /// For each color: who collects it.
    pub(super) rivals: [Rivals; 4],
    /// For each seat: how many of each color it holds.
    pub(super) counts: [[u8; 4]; 4],
    /// For each seat: how many cards it holds.
    pub(super) sizes: [u8; 4],
    /// Cards of each color that nobody has seen.
    pub(super) unseen: [u8; 4],
    /// Cards that each seat needs for a cure.
    pub(super) need: [u8; 4],
    /// The least of them.
    pub(super) least_need: u8,
    /// The seat that plays next.
    pub(super) next: usize,
    pub(super) medic: Option<usize>,
    pub(super) researcher: Option<usize>,
    pub(super) station_mean: f32,
}

impl Scene {
    /// The scene of a position with the ways that its stations make.
    pub fn new(game: &Game, ways: &Ways) -> Scene {
        let players = game.rules().players();
        let mut scene = Scene {
            seats: usize::from(players),
            pawns: [City::ATLANTA; 4],
            far: [[0; City::COUNT]; 4],
            to_station: [0; 4],
            hands: [Cities::NONE; 4],
            held: Cities::NONE,
            carried: [0; City::COUNT],
            rivals: [Rivals::default(); 4],
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
            scene.count(game, seat);
            scene.go(game, ways, seat);
            let n = seat.index();
            match game.role(seat) {
                Some(Role::Scientist) => (scene.need[n], scene.least_need) = (4, 4),
                Some(Role::Medic) => scene.medic = Some(n),
                Some(Role::Researcher) => scene.researcher = Some(n),
                _ => {}
            }
        }
        scene.compare();
        scene
    }

    /// The scene after a move, with the position that it led to; the stations must be the same as before.
    pub(super) fn after(&self, game: &Game, m: &Move, ways: &Ways) -> Scene {
        let mut scene = self.clone();
        if !matches!(
            m,
            Move::Drive { .. } | Move::Shuttle { .. } | Move::Join { .. } | Move::Treat { .. }
        ) {
            match m {
                Move::Airlift { .. } | Move::Discard { .. } => {
                    game.rules()
                        .seats()
                        .for_each(|seat| scene.count(game, seat));
                }
                Move::Give { to: other, .. } | Move::Take { from: other, .. } => {
                    scene.count(game, game.active());
                    scene.count(game, *other);
                    scene.carry(*other);
                    scene.carry(game.active());
                }
                _ => scene.count(game, game.active()),
            }
            scene.compare();
        }
        match m {
            Move::Drive { pawn, .. }
            | Move::Shuttle { pawn, .. }
            | Move::Join { pawn, .. }
            | Move::Fly { pawn, .. }
            | Move::Charter { pawn, .. }
            | Move::Airlift { pawn, .. } => scene.go(game, ways, *pawn),
            Move::Expert { .. } => scene.go(game, ways, game.active()),
            _ => {}
        }
        scene
    }

    /// Sees where a pawn is.
    fn go(&mut self, game: &Game, ways: &Ways, seat: Seat) {
        let (n, pawn) = (seat.index(), game.pawn(seat));
        self.pawns[n] = pawn;
        self.to_station[n] = ways.to_station(pawn);
        ways.row(pawn, &mut self.far[n]);
        self.carry(seat);
    }

    /// Sees how far a seat is from the cities of its cards.
    fn carry(&mut self, seat: Seat) {
        let far = &self.far[seat.index()];
        for city in self.hands[seat.index()] {
            self.carried[city.index()] = far[city.index()];
        }
    }

    /// Sees what a seat holds.
    fn count(&mut self, game: &Game, seat: Seat) {
        let (n, hand) = (seat.index(), game.hand(seat));
        self.hands[n] = hand.cities();
        self.counts[n] = by_color(hand.cities());
        self.sizes[n] = hand.len() as u8;
    }

    /// Sees who collects what.
    fn compare(&mut self) {
        self.held = self.hands.into_iter().fold(Cities::NONE, Cities::or);
        for (color, rivals) in self.rivals.iter_mut().enumerate() {
            let held = self.counts.map(|counts| counts[color]);
            let most = held.into_iter().max().unwrap_or(0);
            *rivals = Rivals::default();
            for (n, (held, need)) in held.into_iter().zip(self.need).enumerate().take(self.seats) {
                rivals.ready |= u8::from(held >= need) << n;
                rivals.close |= u8::from(held + 2 > most) << n;
            }
        }
    }

    /// Actions from the nearest pawn to each city.
    pub(super) fn nearest(&self) -> Row {
        let mut row = self.far[0];
        for far in &self.far[1..self.seats] {
            row.iter_mut()
                .zip(far)
                .for_each(|(best, far)| *best = (*best).min(*far));
        }
        row
    }

    /// Actions from all pawns to their nearest stations.
    pub(super) fn station_ways(&self) -> u8 {
        self.to_station.iter().sum()
    }
}

/// How many cities of each color.
fn by_color(cities: Cities) -> [u8; 4] {
    Color::ALL.map(|color| cities.and(color.cities()).len() as u8)
}
