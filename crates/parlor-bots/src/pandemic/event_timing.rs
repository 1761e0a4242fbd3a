//! Decisions between actions: events before infections and in epidemics, and the order of a
//! forecast.

use parlor_pandemic::{Cities, City, Color, EventCard, EventPlay, Game, Move, Stage, TurnStep};

use super::policy::{EventScope, PandemicPolicy};

impl PandemicPolicy {
    /// Returns an event that is worth playing before the next infection card. The outlook must be
    /// up to date.
    pub(super) fn before_infection(&self, game: &Game, events: EventScope) -> Option<Move> {
        let held = |event| game.holder(event).is_some_and(|seat| events.includes(seat));
        let (quiet, forecast) = (held(EventCard::OneQuietNight), held(EventCard::Forecast));
        if game.stage() != Stage::Infect(false) || game.quiet_night() || !(quiet || forecast) {
            return None;
        }
        let fear = self.expected_outbreaks(game) * (1.0 + f32::from(game.outbreaks()) / 4.0);
        let unknown = game.infection().top_layer().len() > 1;
        if forecast && unknown && fear > self.weights.forecast {
            return Some(EventPlay::Forecast.into());
        }
        (quiet && fear > self.weights.quiet).then_some(EventPlay::QuietNight.into())
    }

    /// Returns the expected number of outbreaks in this infection step, including chains.
    pub(super) fn expected_outbreaks(&self, game: &Game) -> f32 {
        let outbreaks = |color: Color| {
            let full = game
                .cubes()
                .with_exactly(color, 3)
                .minus(game.protected(color));
            let full = if game.is_eradicated(color) {
                Cities::NONE
            } else {
                full
            };
            let chain = move |city: City| 1.0 + 0.7 * city.neighbors().and(full).len() as f32;
            let own = full.and(color.cities()).into_iter();
            own.map(|city| self.outlook.now[city.index()] * chain(city))
                .sum::<f32>()
        };
        Color::ALL.into_iter().map(outbreaks).sum()
    }

    /// Returns the removal of a discard that is too dangerous to come back.
    pub(super) fn resilient(&self, game: &Game, events: EventScope) -> Option<Move> {
        game.holder(EventCard::ResilientPopulation)
            .filter(|seat| events.includes(*seat))?;
        let worst = game
            .infection()
            .discard()
            .into_iter()
            .max_by_key(|city| badness(game, *city))?;
        (badness(game, worst) >= 30).then_some(EventPlay::Resilient { city: worst }.into())
    }
}

/// Scores the harm if the card of a city were drawn now.
pub(super) fn badness(game: &Game, city: City) -> u32 {
    let color = city.color();
    if game.is_eradicated(color) || game.protected(color).has(city) {
        return 0;
    }
    let cubes = game.cubes().count(city, color);
    let near = city
        .neighbors()
        .and(game.cubes().with_exactly(color, 3))
        .len();
    match cubes {
        3 => 30 + 10 * near,
        2 => 6 + near,
        1 => 3,
        _ => 2,
    }
}

/// Returns the next card of a forecast to put back: the least harmful first.
pub(super) fn next_of_forecast(game: &Game, seen: Cities) -> Option<Move> {
    seen.into_iter()
        .min_by_key(|city| badness(game, *city))
        .map(|city| TurnStep::Next { city }.into())
}
