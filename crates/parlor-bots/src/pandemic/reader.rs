//! Extraction of features from a position.

use parlor_core::Seat;
use parlor_pandemic::{Cards, Cities, Color, EventCard, Game, Role};

use super::features::{Feature, FeatureShape, FeatureSink};
use super::outlook::Outlook;
use super::scene::PandemicScene;

/// Feature reader. The features of cubes, of pawns and cubes, and of hands are computed separately,
/// because a move seldom changes all of them.
#[derive(Clone, Copy, Debug)]
pub struct FeatureReader<'a> {
    /// Chances of the next infection cards.
    pub outlook: &'a Outlook,
    /// Parameters of the features.
    pub shape: &'a FeatureShape,
    /// Value of a card in a partner's hand, by the actions needed to hand it over.
    pub discounts: &'a [f32; FARTHEST],
}

/// Upper bound on the actions that two pawns together need to reach a city.
pub const FARTHEST: usize = 32;

/// Returns the value of cards in partners' hands by distance.
pub fn discounts(shape: &FeatureShape) -> [f32; FARTHEST] {
    std::array::from_fn(|actions| shape.share / (1.0 + shape.share_far * actions as f32))
}

macro_rules! put {
    ($sink:expr, $($feature:ident: $value:expr),+ $(,)?) => {{
        $($sink.add(Feature::$feature as usize, $value);)+
    }};
}

impl FeatureReader<'_> {
    /// Adds all features.
    pub fn all(&self, game: &Game, scene: &PandemicScene, sink: &mut impl FeatureSink) {
        self.danger(game, sink);
        self.reach(game, scene, sink);
        self.sets(game, scene, sink);
        self.stock(game, scene, sink);
        self.time(game, sink);
    }

    /// Adds the features of cubes and the dangers they pose.
    pub fn danger(&self, game: &Game, sink: &mut impl FeatureSink) {
        let cubes = game.cubes();
        let guarded = guarded(game);
        let (mut threes, mut near) = (0.0, 0.0);
        for color in Color::ALL {
            if game.is_eradicated(color) {
                put!(sink, Eradicated: 1.0);
                continue;
            }
            let own = color.cities();
            let (full, two) = (cubes.with_exactly(color, 3), cubes.with_exactly(color, 2));
            put!(sink, Threes: full.len() as f32, Twos: two.len() as f32);
            for city in full.and(own) {
                let care = if guarded.has(city) {
                    self.shape.guarded
                } else {
                    1.0
                };
                let at = city.index();
                threes += care * self.outlook.now[at];
                near += care * self.outlook.later[at];
                let chained = city.neighbors().and(full).len() as f32;
                put!(sink, Chains: care * self.outlook.later[at] * chained);
            }
            for city in two.and(own) {
                let care = if guarded.has(city) {
                    self.shape.guarded
                } else {
                    1.0
                };
                let at = city.index();
                put!(
                    sink,
                    TwosNow: care * self.outlook.now[at],
                    TwosLater: care * self.outlook.later[at],
                );
            }
            let one = cubes.with_exactly(color, 1).and(own);
            let (mut ones, mut struck) = (0.0, 0.0);
            for city in one {
                ones += self.outlook.later[city.index()];
            }
            for city in one.or(two.and(own)).or(full.and(own)) {
                struck += self.outlook.struck[city.index()];
            }
            let on_board = f32::from(cubes.on_board(color));
            let scarce = (on_board - 12.0).max(0.0) / 6.0;
            put!(
                sink,
                OnesLater: ones,
                Struck: struck,
                Cubes: on_board * 0.1,
                Supply: scarce * scarce,
            );
            put!(sink, CubesByRate: on_board * 0.025 * f32::from(game.rate()));
            if game.is_cured(color) {
                put!(sink, CuredCubes: on_board * 0.1);
            }
        }
        let outbreaks = f32::from(game.outbreaks()) / 8.0;
        put!(sink, ThreesNow: threes, ThreesLater: near);
        put!(
            sink,
            ThreesNowByOutbreaks: threes * outbreaks,
            ThreesLaterByOutbreaks: near * outbreaks,
        );
    }

    /// Adds the distances of pawns to cities with cubes.
    pub fn reach(&self, game: &Game, scene: &PandemicScene, sink: &mut impl FeatureSink) {
        let cubes = game.cubes();
        let (mut threes, mut twos, mut ones, mut far_medic, mut next) = (0.0, 0.0, 0, 0.0, 0.0);
        let (nearest, coming) = (scene.nearest(), &scene.far[scene.next]);
        let medic = scene.medic.map_or(&[0; 48], |seat| &scene.far[seat]);
        for color in Color::ALL {
            let (full, two) = (cubes.with_exactly(color, 3), cubes.with_exactly(color, 2));
            for city in full {
                let at = city.index();
                let weight = self.shape.base + self.outlook.later[at];
                threes += weight * f32::from(nearest[at]);
                next += weight * f32::from(coming[at]);
                far_medic += weight * f32::from(medic[at]);
            }
            for city in two {
                let at = city.index();
                let weight = self.shape.base + self.outlook.later[at];
                twos += weight * f32::from(nearest[at]);
                far_medic += 0.5 * weight * f32::from(medic[at]);
            }
            if full.or(two).is_empty() {
                for city in cubes.with_exactly(color, 1) {
                    ones += u32::from(nearest[city.index()]);
                }
            }
        }
        put!(
            sink,
            FarThrees: threes,
            FarTwos: twos,
            FarMedic: far_medic,
            FarThreesNext: next,
            FarOnes: 0.1 * ones as f32,
        );
        put!(sink, FarStations: f32::from(scene.total_to_station()));
    }

    /// Adds the features of cards collected for cures, which depend on hands and pawns.
    pub fn sets(&self, game: &Game, scene: &PandemicScene, sink: &mut impl FeatureSink) {
        let mut collectors = [0_u8; 4];
        let (mut best, mut worst, mut total) = (5.0_f32, 0.0_f32, 0.0);
        for color in Color::ALL
            .into_iter()
            .filter(|color| !game.is_cured(*color))
        {
            let (seat, missing) = self.collector(scene, color, sink);
            collectors[seat] += 1;
            let step = missing as usize;
            let part = missing - step as f32;
            sink.add(Feature::Missing0 as usize + step, 1.0 - part);
            if part > 0.0 {
                sink.add(Feature::Missing0 as usize + step + 1, part);
            }
            (best, worst, total) = (best.min(missing), worst.max(missing), total + missing);
        }
        let same = collectors
            .iter()
            .map(|count| count.saturating_sub(1))
            .sum::<u8>();
        put!(
            sink,
            SameCollector: f32::from(same),
            MissingBest: best,
            MissingWorst: worst,
            MissingByTime: total * time(game),
        );
    }

    /// Adds the features of cures, hands and stations, which do not change when a pawn moves.
    pub fn stock(&self, game: &Game, scene: &PandemicScene, sink: &mut impl FeatureSink) {
        let mut useful = 0;
        for color in Color::ALL
            .into_iter()
            .filter(|color| !game.is_cured(*color))
        {
            let in_hands = scene
                .counts
                .iter()
                .map(|counts| counts[color.index()])
                .sum::<u8>();
            useful += in_hands;
            slack(
                i32::from(in_hands + scene.unseen[color.index()]) - i32::from(scene.least_need),
                sink,
            );
        }
        match game.cures() {
            1 => put!(sink, Cures1: 1.0),
            2 => put!(sink, Cures2: 1.0),
            3 => put!(sink, Cures3: 1.0),
            4 => put!(sink, Fours: 1.0),
            _ => {}
        }
        hands(game, scene, useful, time(game), sink);
        put!(sink, StationMean: scene.station_mean, Stations: game.stations().len() as f32);
    }

    /// Returns the seat that collects a color and the number of cards it is missing.
    fn collector(
        &self,
        scene: &PandemicScene,
        color: Color,
        sink: &mut impl FeatureSink,
    ) -> (usize, f32) {
        let rivals = scene.collectors[color.index()];
        if !rivals.ready.is_empty() {
            let (mut seat, mut ready) = (0, f32::MAX);
            for n in rivals.ready.into_iter().map(Seat::index) {
                let far = f32::from(scene.to_station[n]) + if n == scene.next { 0.0 } else { 0.5 };
                if far < ready {
                    (seat, ready) = (n, far);
                }
            }
            let next = if seat == scene.next { 1.0 } else { 0.0 };
            put!(sink, Ready: 1.0, ReadyFar: ready, ReadyNext: next);
            return (seat, 0.0);
        }
        let mut found = (0, 9.0);
        for n in rivals.close.into_iter().map(Seat::index) {
            let missing = f32::from(scene.need[n] - scene.counts[n][color.index()]);
            let missing = (missing - self.shared(scene, n, color.cities())).clamp(0.3, 5.0);
            if missing < found.1 {
                found = (n, missing);
            }
        }
        found
    }

    /// Returns the value of the partners' cards of a color to a collector.
    #[inline]
    fn shared(&self, scene: &PandemicScene, seat: usize, own: Cities) -> f32 {
        let here = &scene.far[seat];
        let mut cards = scene.held.minus(scene.hands[seat]).and(own);
        let (mut worth, mut least) = (0.0, FARTHEST as u8 - 1);
        if let Some(giver) = scene.researcher.filter(|giver| *giver != seat) {
            let any = scene.hands[giver].and(own);
            cards = cards.minus(any);
            if !any.is_empty() {
                least = here[scene.pawns[giver].index()];
                worth = any.len() as f32 * self.discount(least);
            }
        }
        for city in cards {
            let actions = here[city.index()] + scene.carried[city.index()];
            worth += self.discount(actions);
            least = least.min(actions);
        }
        if worth > 0.0 {
            worth + self.shape.share_best * self.discount(least)
        } else {
            worth
        }
    }

    /// Returns the value of a card that takes this many actions to reach its collector.
    #[inline]
    fn discount(&self, actions: u8) -> f32 {
        self.discounts[usize::from(actions) % FARTHEST]
    }

    /// Adds the features of the progress of the game.
    pub fn time(&self, game: &Game, sink: &mut impl FeatureSink) {
        let outbreaks = f32::from(game.outbreaks()) / 8.0;
        let left = f32::from(game.rules().epidemics().saturating_sub(game.epidemics()));
        let deck = f32::from(game.deck().len()) * 0.1;
        put!(sink, Outbreaks: outbreaks, OutbreaksSquared: outbreaks * outbreaks, One: 1.0);
        put!(sink, Deck: deck, Rate: f32::from(game.rate()), EpidemicsLeft: left);
        put!(sink, Late: f32::from(4 - game.cures()) / (deck + 0.4));
    }
}

/// Returns the weight of a missing card, given the cards left to draw.
fn time(game: &Game) -> f32 {
    10.0 / (f32::from(game.deck().len()) + 6.0)
}

fn hands(game: &Game, scene: &PandemicScene, useful: u8, time: f32, sink: &mut impl FeatureSink) {
    let useful = f32::from(useful);
    let cities = scene.counts.as_flattened().iter().sum::<u8>();
    let over = scene
        .sizes
        .iter()
        .map(|size| size.saturating_sub(5))
        .sum::<u8>();
    put!(
        sink,
        Wanted: useful,
        Spare: f32::from(cities) - useful,
        Over: f32::from(over),
        WantedByTime: useful * time,
    );
    if scene.sizes.iter().sum::<u8>() == cities && game.stored().is_none() {
        return;
    }
    let all = game
        .rules()
        .seats()
        .fold(Cards::NONE, |all, seat| all.or(game.hand(seat)));
    let held = game.stored().map_or(all, |stored| all.with(stored));
    for (n, event) in EventCard::ALL.into_iter().enumerate() {
        if held.has(event) {
            sink.add(Feature::Airlift as usize + n, 1.0);
        }
    }
}

/// Adds the features of the cards of a color beyond those needed.
fn slack(slack: i32, sink: &mut impl FeatureSink) {
    match slack {
        ..=-1 => put!(sink, Lost: 1.0),
        0 => put!(sink, Slack0: 1.0),
        1 => put!(sink, Slack1: 1.0),
        2 => put!(sink, Slack2: 1.0),
        _ => {}
    }
    put!(sink, SlackMean: slack.clamp(0, 7) as f32);
}

/// Returns the cities protected by the Quarantine Specialist.
fn guarded(game: &Game) -> Cities {
    game.seat_of(Role::QuarantineSpecialist)
        .map_or(Cities::NONE, |seat| {
            let at = game.pawn(seat);
            at.neighbors().with(at)
        })
}
