//! The menu below the map.
//!
//! A position in Pandemic can have a thousand legal moves. Each menu entry therefore stands for the
//! common part of several moves, and a city on the map completes it: `fly`, then Tokyo.

use parlor_core::{Notation, Position};
use parlor_pandemic::{Action, City, EventPlay, Game, Move, TurnStep};

use crate::Click;
use crate::console::{Accent, Spot};
use crate::pandemic::{label, terminal};

pub(super) fn city_id(city: City) -> String {
    format!("city-{}", city.text())
}

/// Returns the path through the menu to a move.
pub(super) fn click(game: &Game, m: &Move, all: &[Move]) -> Click {
    let text = game.move_text(m);
    let said = label(game, &text);
    let path = match (city_of(m), entry(game, m)) {
        (Some(city), _) if is_plainest(game, m, city, all) => vec![city_id(city)],
        (Some(city), Some(entry)) => vec![format!("do-{entry}"), city_id(city)],
        (None, Some(entry)) => vec![format!("do-{entry}")],
        (_, None) => Vec::new(),
    };
    Click::whole(text, path, said)
}

/// Returns the city that completes the path of a move, for moves that differ by a city.
fn city_of(m: &Move) -> Option<City> {
    match *m {
        Move::Action(Action::Travel { to, .. } | Action::Expert { to, .. })
        | Move::Event(
            EventPlay::Airlift { to, .. }
            | EventPlay::Grant { at: to, .. }
            | EventPlay::Resilient { city: to },
        )
        | Move::Step(TurnStep::Next { city: to }) => Some(to),
        _ => None,
    }
}

/// Returns true if selecting the city alone means this move: the first move of the pawn on turn to
/// that city that costs no card.
fn is_plainest(game: &Game, m: &Move, city: City, all: &[Move]) -> bool {
    let free = |m: &Move| match *m {
        Move::Action(Action::Travel { pawn, way, to }) => {
            way.is_free() && pawn == game.active() && to == city
        }
        Move::Step(TurnStep::Next { city: next }) => next == city,
        _ => false,
    };
    free(m) && all.iter().find(|other| free(other)) == Some(m)
}

/// Returns the menu entry of a move: the part of its text that it shares with others.
fn entry(game: &Game, m: &Move) -> Option<String> {
    let text = game.move_text(m);
    let words: Vec<&str> = text.split(':').collect();
    Some(match m {
        Move::Step(TurnStep::Next { .. }) => return None,
        Move::Action(Action::Travel { way, .. }) if way.is_free() => match words[..] {
            [_, role, _] => format!("move:{role}"),
            _ => return None,
        },
        Move::Action(Action::Travel { .. }) | Move::Event(EventPlay::Airlift { .. }) => {
            words[..words.len() - 1].join(":")
        }
        Move::Action(Action::Expert { card, .. }) => format!("expert:{}", card.text()),
        Move::Event(EventPlay::Grant {
            from: Some(from), ..
        }) => format!("grant:{}", from.text()),
        Move::Event(EventPlay::Grant { .. }) => "grant".to_owned(),
        Move::Event(EventPlay::Resilient { .. }) => "resilient".to_owned(),
        _ => text,
    })
}

/// Returns a menu entry in words.
fn title(game: &Game, entry: &str, m: &Move) -> String {
    let text = entry.replace([':', '-'], " ");
    match m {
        Move::Action(Action::Cure { cards }) => {
            let color = cards.color();
            let held = game.hand(game.active()).cities().and(color.cities());
            let kept = held.minus(cards.cities());
            let kept: Vec<&str> = kept.into_iter().map(City::code).collect();
            if kept.is_empty() {
                format!("cure {color}")
            } else {
                format!("cure {color}, keep {}", kept.join(" "))
            }
        }
        Move::Action(Action::Travel { .. } | Action::Expert { .. })
        | Move::Event(
            EventPlay::Airlift { .. } | EventPlay::Grant { .. } | EventPlay::Resilient { .. },
        ) => format!("{text} …"),
        _ => text,
    }
}

/// Returns the available entries and appends the lines for them.
pub(super) fn spots(game: &Game, lines: &mut Vec<String>) -> Vec<Spot> {
    let mut spots: Vec<Spot> = Vec::new();
    let (mut x, mut y) = (0, lines.len() as u16);
    for m in game.legal_moves() {
        let Some(entry) = entry(game, &m) else {
            continue;
        };
        let id = format!("do-{entry}");
        if spots.iter().any(|spot| spot.id == id) {
            continue;
        }
        let text = format!("[{}]", title(game, &entry, &m));
        let width = text.chars().count();
        if usize::from(x) + width > terminal::WIDTH {
            (x, y) = (0, y + 1);
        }
        spots.push(Spot {
            id,
            x,
            y,
            text,
            seat: None,
            tint: None,
            accent: Accent::None,
        });
        x += width as u16 + 1;
    }
    let rows = if spots.is_empty() {
        0
    } else {
        usize::from(y) + 1 - lines.len()
    };
    lines.extend(std::iter::repeat_n(String::new(), rows));
    spots
}
