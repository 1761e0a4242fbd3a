//! Reasons for a turn: what it achieves, in a few words each.

use parlor_bots::pandemic::AdvisedTurn;
use parlor_core::Seat;
use parlor_pandemic::{City, Color, Game, PandemicEnding};

use crate::pandemic::narrative::{self, count, the};

/// Maximum number of reasons.
const MOST: usize = 4;
/// Smallest change of the chance of an outbreak that is a reason.
const NOTABLE: f64 = 0.05;
/// Maximum number of cities that are named for their danger.
const CITIES: usize = 2;

/// Lists what a turn achieves, the most important first.
pub(super) fn list(before: &Game, turn: &AdvisedTurn) -> Vec<String> {
    let after = &turn.end;
    match after.ending() {
        Some(PandemicEnding::Cured) => return vec!["wins the game".to_owned()],
        Some(ending) => return vec![narrative::end(ending).trim_end_matches('.').to_owned()],
        None => {}
    }
    let mut reasons = cures(before, after);
    reasons.extend(dangers(before, after));
    reasons.extend(sets(before, after));
    let stations = after.stations().minus(before.stations());
    reasons.extend(stations.iter().map(|city| format!("a station in {city}")));
    reasons.extend(treated(before, after));
    reasons.truncate(MOST);
    reasons
}

fn cures(before: &Game, after: &Game) -> Vec<String> {
    let cured = Color::ALL
        .into_iter()
        .filter(|color| after.is_cured(*color) && !before.is_cured(*color))
        .map(|color| format!("cures {color}"));
    let eradicated = Color::ALL
        .into_iter()
        .filter(|color| after.is_eradicated(*color) && !before.is_eradicated(*color))
        .map(|color| format!("eradicates {color}"));
    cured.chain(eradicated).collect()
}

/// Names the cities whose outbreak becomes less likely before the next turn.
fn dangers(before: &Game, after: &Game) -> Vec<String> {
    let (then, now) = (before.danger(), after.danger());
    let of = |city: City| (then.outbreak(city), now.outbreak(city));
    let mut safer: Vec<(City, f64, f64)> = City::all()
        .map(|city| (city, of(city).0, of(city).1))
        .filter(|(_, then, now)| then - now >= NOTABLE)
        .collect();
    safer.sort_by(|a, b| (b.1 - b.2).total_cmp(&(a.1 - a.2)));
    let says = |(city, then, now): (City, f64, f64)| {
        if percent(now) == 0 {
            format!(
                "keeps {city} from an outbreak: {} % before the next turn",
                percent(then)
            )
        } else {
            format!(
                "an outbreak in {city} before the next turn: {} % in place of {} %",
                percent(now),
                percent(then)
            )
        }
    };
    safer.into_iter().take(CITIES).map(says).collect()
}

/// Names the players who come closer to a cure, or are where they can discover one.
fn sets(before: &Game, after: &Game) -> Vec<String> {
    let mut sets = Vec::new();
    for seat in after.rules().seats() {
        for color in Color::ALL.into_iter().filter(|c| !after.is_cured(*c)) {
            let (then, now) = (held(before, seat, color), held(after, seat, color));
            let needed = after.cards_for_cure(seat);
            let can = |game: &Game, held: u32| held >= needed && at_station(game, seat);
            if can(after, now) && !can(before, then) {
                sets.push(format!("{} can then cure {color}", the(after, seat)));
            } else if now > then && now > 1 {
                let cards = now.min(needed);
                sets.push(format!(
                    "{} then holds {cards} of the {needed} {color} cards for a cure",
                    the(after, seat)
                ));
            }
        }
    }
    sets
}

fn held(game: &Game, seat: Seat, color: Color) -> u32 {
    game.hand(seat).cities().and(color.cities()).len()
}

fn at_station(game: &Game, seat: Seat) -> bool {
    game.stations().has(game.pawn(seat))
}

fn treated(before: &Game, after: &Game) -> Option<String> {
    let all = |game: &Game| -> u32 {
        let colors = Color::ALL.into_iter();
        colors.map(|c| u32::from(game.cubes().on_board(c))).sum()
    };
    let removed = all(before).checked_sub(all(after)).filter(|n| *n > 0)?;
    Some(format!("removes {}", count(removed, "cube")))
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "chances are from 0 to 1"
)]
fn percent(chance: f64) -> u32 {
    (100.0 * chance).round() as u32
}
