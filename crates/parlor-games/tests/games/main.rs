//! Tests of the catalogue and of type-erased positions.

mod analysis;
mod analysis_gnubg;
mod backgammon;
mod backgammon_moves;
mod backgammon_state;
mod backgammon_svg;
mod bots;
mod catalogue;
mod counts;
mod mnk;
mod pandemic;
mod pandemic_analysis;
mod pandemic_svg;
mod pandemic_words;
mod plans;
mod svg;
mod ultimate;

use parlor_core::Seat;
use parlor_games::AnyPosition;
use serde_json::{Value, json};

fn start(options: Value) -> AnyPosition {
    parlor_games::mnk::KIND
        .start(&options)
        .unwrap_or_else(|error| panic!("{options}: {error}"))
}

/// Returns the classic board after these moves.
fn after(moves: &[&str]) -> AnyPosition {
    let mut position = start(json!({}));
    for (text, seat) in moves
        .iter()
        .zip([Seat::FIRST, Seat::SECOND].into_iter().cycle())
    {
        position
            .play(text, seat)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    position
}

/// Checks a backgammon file with this start layout.
fn check_file(
    name: &str,
    bytes: &[u8],
    start: parlor_backgammon::StartLayout,
) -> parlor_games::files::Checked {
    let options = json!({ "start": start.name() });
    parlor_games::files::check(name, bytes, &options).expect("the start is an option")
}
