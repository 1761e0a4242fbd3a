//! Pandemic in a terminal: prompts, parsing of answers, and a screen with the map and a menu.

mod menu;
mod read;

use parlor_core::Position;
use parlor_pandemic::{Game, Interrupt, Stage};

use super::{question, terminal};
use crate::Click;
use crate::console::{Accent, Screen, Spot, Tint};

pub(super) use read::answer;

pub(super) fn prompt(game: &Game, name: &str) -> String {
    let examples = match (game.interrupt(), game.stage()) {
        (Some(Interrupt::Consent { .. }), _) => "agree or decline",
        (Some(_), _) => "a city",
        (None, Stage::Actions) if game.rules().seats().any(|seat| game.is_over_limit(seat)) => {
            "such as discard Paris"
        }
        (None, Stage::Actions) => "such as drive Paris, treat blue or draw",
        (None, Stage::Intensify) => "intensify, or resilient and a city",
        (None, Stage::NextEpidemic) => "epidemic, or an event",
        _ => "infect or infect all, or an event",
    };
    let asked = question(game).map_or_else(String::new, |question| format!("{question}\n"));
    format!("{asked}{name}, enter your move ({examples}; ? lists all):")
}

/// Returns the moves with their paths: a city on the map if a pawn can simply move there, else a
/// menu entry, followed by a city if the move needs one.
pub(super) fn choices(game: &Game) -> Vec<Click> {
    let moves = game.legal_moves();
    moves.iter().map(|m| menu::click(game, m, &moves)).collect()
}

/// Returns the map, the state of the game, and the menu.
pub(super) fn screen(game: &Game, _last: Option<&str>) -> Screen {
    let mut lines = terminal::bare(game);
    let mut spots = cities(game);
    lines.extend(terminal::below(game));
    spots.extend(menu::spots(game, &mut lines));
    lines.push(String::new());
    lines.extend(terminal::ways(game));
    lines.extend(terminal::decks(game));
    Screen { lines, spots }
}

fn cities(game: &Game) -> Vec<Spot> {
    let near = game.pawn(game.active()).neighbors();
    let rows =
        (0..terminal::MAP_LINES).flat_map(|row| terminal::cities_of(row).map(move |at| (row, at)));
    let spot = |(row, (column, city)): (u16, (u16, parlor_pandemic::City))| Spot {
        id: menu::city_id(city),
        x: column,
        y: row,
        text: terminal::shown(game, row, column, city),
        seat: None,
        tint: Some(Tint::from(city.color())),
        accent: if near.has(city) {
            Accent::Near
        } else {
            Accent::None
        },
    };
    rows.map(spot).collect()
}

impl From<parlor_pandemic::Color> for Tint {
    fn from(color: parlor_pandemic::Color) -> Tint {
        match color {
            parlor_pandemic::Color::Blue => Tint::Blue,
            parlor_pandemic::Color::Yellow => Tint::Yellow,
            parlor_pandemic::Color::Black => Tint::Gray,
            parlor_pandemic::Color::Red => Tint::Red,
        }
    }
}
