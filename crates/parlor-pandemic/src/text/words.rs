//! Text of cities, cards and seats, written and parsed.

use parlor_core::Seat;

use crate::{Card, Cards, Cities, City, Color, EventCard, Role, Stage};

/// Letters of the four colors in order.
const LETTERS: [char; 4] = ['b', 'y', 'k', 'r'];

pub(super) fn cities(cities: Cities) -> String {
    cities.into_iter().map(City::code).collect()
}

/// Parses codes run together; none may appear twice.
pub(super) fn read_cities(text: &str) -> Option<Vec<City>> {
    if !text.is_ascii() || !text.len().is_multiple_of(3) {
        return None;
    }
    let mut found = Vec::new();
    for at in (0..text.len()).step_by(3) {
        let city = City::all().find(|city| city.code() == &text[at..at + 3])?;
        if found.contains(&city) {
            return None;
        }
        found.push(city);
    }
    Some(found)
}

pub(super) fn read_set(text: &str) -> Option<Cities> {
    read_cities(text).map(|cities| cities.into_iter().collect())
}

pub(super) fn cards(cards: Cards) -> String {
    let places = Some(cities(cards.cities())).filter(|places| !places.is_empty());
    let events = cards.events().iter().map(|event| event.text().to_owned());
    places
        .into_iter()
        .chain(events)
        .collect::<Vec<_>>()
        .join("+")
}

pub(super) fn read_cards(text: &str) -> Option<Cards> {
    let mut found = Cards::NONE;
    for part in text.split('+').filter(|_| !text.is_empty()) {
        let new = match EventCard::from_name(part) {
            Some(event) => Cards::NONE.with(event),
            None => read_set(part)
                .filter(|set| !set.is_empty())
                .map(Cards::from_cities)?,
        };
        if !new.and(found).is_empty() {
            return None;
        }
        found = found.or(new);
    }
    Some(found)
}

pub(super) fn colors(cubes: [u8; 4]) -> String {
    let there = LETTERS
        .into_iter()
        .zip(cubes)
        .filter(|(_, cubes)| *cubes > 0);
    there
        .map(|(letter, cubes)| format!("{letter}{cubes}"))
        .collect()
}

/// Parses `b3k1`, with every color at most once.
pub(super) fn read_colors(text: &str) -> Option<[u8; 4]> {
    let mut cubes = [0; 4];
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        let color = LETTERS.iter().position(|known| *known == letter)?;
        let count = rest.next()?.to_digit(10).filter(|count| *count > 0)?;
        if std::mem::replace(&mut cubes[color], count as u8) > 0 {
            return None;
        }
    }
    Some(cubes)
}

pub(super) fn cured(cured: [bool; 4]) -> String {
    LETTERS
        .into_iter()
        .zip(cured)
        .filter(|(_, cured)| *cured)
        .map(|(letter, _)| letter)
        .collect()
}

pub(super) fn read_cured(text: &str) -> Option<[bool; 4]> {
    let known = text
        .chars()
        .all(|letter| LETTERS.contains(&letter) && text.matches(letter).count() == 1);
    known.then(|| Color::ALL.map(|color| text.contains(LETTERS[color.index()])))
}

pub(super) fn role(role: Option<Role>) -> &'static str {
    role.map_or("-", Role::text)
}

pub(super) fn read_role(text: &str) -> Option<Option<Role>> {
    if text == "-" {
        Some(None)
    } else {
        Role::from_name(text).map(Some)
    }
}

pub(super) fn read_seat(text: &str) -> Option<Seat> {
    read_count(text).and_then(|number| Seat::new(number).ok())
}

/// Parses a small unsigned number.
pub(super) fn read_count(text: &str) -> Option<u8> {
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())?
}

pub(super) fn events(events: Cards) -> String {
    let names: Vec<&str> = events.iter().map(Card::text).collect();
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(",")
    }
}

/// Returns the text of a stage with its count: actions, cards to draw or infection cards.
pub(super) fn stage(stage: Stage, actions: u8, infections: u8) -> String {
    match stage {
        Stage::Setup(step) => format!("setup:{step}"),
        Stage::Actions => format!("actions:{actions}"),
        Stage::Draw(left) => format!("draw:{left}"),
        Stage::Epidemic => "epidemic".to_owned(),
        Stage::Intensify => "intensify".to_owned(),
        Stage::NextEpidemic => "second".to_owned(),
        Stage::Infect(false) => "infect".to_owned(),
        Stage::Infect(true) => format!("between:{infections}"),
        Stage::Infecting => format!("turning:{infections}"),
    }
}

/// Parses a stage with its actions and infection cards; the latter are `None` if the infection rate
/// determines them.
pub(super) fn read_stage(text: &str) -> Option<(Stage, u8, Option<u8>)> {
    let (name, count) = match text.split_once(':') {
        Some((name, count)) => (name, Some(read_count(count)?)),
        None => (text, None),
    };
    Some(match (name, count) {
        ("setup", Some(step)) => (Stage::Setup(step), 0, Some(0)),
        ("actions", Some(left)) => (Stage::Actions, left, Some(0)),
        ("draw", Some(left)) => (Stage::Draw(left), 0, Some(0)),
        ("epidemic", None) => (Stage::Epidemic, 0, Some(0)),
        ("intensify", None) => (Stage::Intensify, 0, Some(0)),
        ("second", None) => (Stage::NextEpidemic, 0, Some(0)),
        ("infect", None) => (Stage::Infect(false), 0, None),
        ("between", Some(left)) => (Stage::Infect(true), 0, Some(left)),
        ("turning", Some(left)) => (Stage::Infecting, 0, Some(left)),
        _ => return None,
    })
}
