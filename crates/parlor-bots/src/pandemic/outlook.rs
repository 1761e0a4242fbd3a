//! Probabilities of the next infection cards, and travel distances.

use parlor_pandemic::{Cities, City, Game, Stage};

/// Horizon of the `later` chances, in turns.
const LATER_TURNS: f32 = 3.0;

/// Distance between all pairs of cities by drives.
static DISTANCES: [[u8; City::COUNT]; City::COUNT] = distances();

const fn distances() -> [[u8; City::COUNT]; City::COUNT] {
    let mut table = [[0; City::COUNT]; City::COUNT];
    let mut from = 0;
    while from < City::COUNT {
        let mut to = 0;
        while to < City::COUNT {
            if let (Some(a), Some(b)) = (City::new(from as u8), City::new(to as u8)) {
                table[from][to] = a.distance(b);
            }
            to += 1;
        }
        from += 1;
    }
    table
}

/// Probabilities of infection cards, from public knowledge. They are valid until a card is drawn.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// For each city, the chance that its card is drawn in this turn's infection step.
    pub(super) now: [f32; City::COUNT],
    /// For each city, the chance that its card is drawn within the next few turns.
    pub(super) later: [f32; City::COUNT],
    /// For each city, the chance that an epidemic hits it within the next few turns.
    pub(super) struck: [f32; City::COUNT],
}

impl Outlook {
    /// Computes the outlook of a position.
    pub fn new(game: &Game) -> Outlook {
        let mut outlook = Outlook {
            now: [0.0; City::COUNT],
            later: [0.0; City::COUNT],
            struck: [0.0; City::COUNT],
        };
        outlook.update(game);
        outlook
    }

    /// Recomputes the outlook for another position.
    pub(super) fn update(&mut self, game: &Game) {
        *self = Outlook {
            now: [0.0; City::COUNT],
            later: [0.0; City::COUNT],
            struck: [0.0; City::COUNT],
        };
        let infecting = matches!(game.stage(), Stage::Infect(_));
        let soon = if infecting {
            0.0
        } else {
            epidemic_chance(game, 2.0)
        };
        let later = epidemic_chance(game, 2.0 * LATER_TURNS);
        let rate = f32::from(game.rate());
        let quiet = if game.quiet_night() { 0.0 } else { 1.0 };
        let first = if infecting {
            f32::from(game.infections_left())
        } else {
            quiet * rate
        };
        let (mut now, mut then) = (first, rate * (LATER_TURNS - 1.0) + first);
        for layer in game.infection().layers() {
            let size = layer.len() as f32;
            let (p, q) = (
                (now / size).min(1.0) * (1.0 - soon),
                (then / size).min(1.0) * (1.0 - 0.5 * later),
            );
            for city in layer {
                self.now[city.index()] = p;
                self.later[city.index()] = q;
            }
            (now, then) = ((now - size).max(0.0), (then - size).max(0.0));
            if then <= 0.0 {
                break;
            }
        }
        self.add_epidemic(game, quiet * soon, later, rate);
    }

    /// Adds the effect of an epidemic: the discards come back on top.
    fn add_epidemic(&mut self, game: &Game, soon: f32, later: f32, rate: f32) {
        let back = game.infection().discard();
        let size = back.len() as f32 + 1.0;
        let (p, q) = (
            (rate / size).min(1.0) * soon,
            (rate * LATER_TURNS * 0.6 / size).min(1.0) * later,
        );
        for city in back {
            self.now[city.index()] += p;
            self.later[city.index()] += q;
        }
        let bottom = game.infection().bottom_layer();
        let each = later / (bottom.len() as f32).max(1.0);
        for city in bottom {
            self.struck[city.index()] = each;
        }
    }
}

/// Returns the chance of an epidemic among the next `draws` cards.
fn epidemic_chance(game: &Game, draws: f32) -> f32 {
    let (pile, left, waiting) = game.deck().pile();
    if game.deck().is_empty() {
        return 0.0;
    }
    let left = f32::from(left);
    let here = if waiting {
        (draws / left).min(1.0)
    } else {
        0.0
    };
    let beyond = draws - left;
    if beyond <= 0.0 || pile + 1 >= game.rules().piles() {
        return here;
    }
    1.0 - (1.0 - here) * (1.0 - (beyond / f32::from(game.rules().pile(pile + 1))).min(1.0))
}

/// Travel distances without cards, including shuttles between stations.
#[derive(Clone, Copy, Debug)]
pub struct TravelDistances {
    /// Actions from each city to the nearest station.
    to_station: [u8; City::COUNT],
    mean: f32,
}

impl TravelDistances {
    /// Computes the distances for these stations.
    pub fn new(stations: Cities) -> TravelDistances {
        let mut to_station = [9; City::COUNT];
        for station in stations {
            for (best, distance) in to_station.iter_mut().zip(&DISTANCES[station.index()]) {
                *best = (*best).min(*distance);
            }
        }
        let sum = to_station
            .iter()
            .fold(0, |sum, distance| sum + u16::from(*distance));
        TravelDistances {
            to_station,
            mean: f32::from(sum) / City::COUNT as f32,
        }
    }

    /// Returns the actions from a city to the nearest station.
    #[inline]
    pub fn to_station(&self, from: City) -> u8 {
        self.to_station[from.index()]
    }

    /// Returns the actions from one city to another without cards.
    #[inline]
    pub fn actions_between(&self, from: City, to: City) -> u8 {
        let shuttle = self.to_station[from.index()] + 1 + self.to_station[to.index()];
        DISTANCES[from.index()][to.index()].min(shuttle)
    }

    /// Writes the actions from a city to every city into `row`.
    #[inline]
    pub(super) fn row(&self, from: City, row: &mut [u8; City::COUNT]) {
        let (distances, shuttle) = (&DISTANCES[from.index()], self.to_station[from.index()] + 1);
        for ((actions, distance), rest) in row.iter_mut().zip(distances).zip(&self.to_station) {
            *actions = (*distance).min(shuttle + rest);
        }
    }

    /// Returns the mean distance of all cities to their nearest station.
    pub(super) fn mean(&self) -> f32 {
        self.mean
    }
}
