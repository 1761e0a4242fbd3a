//! Form fields for the clock of a new table, and for rated play.

use maud::{Markup, html};
use parlor_games::GameKind;
use parlor_table::{BadTimeControl, TimeControl};

use super::actions::FormFields;

/// Value of the choice "Custom".
const OWN: &str = "own";
/// Value of the choice of a game's usual time.
const USUAL: &str = "usual";
/// Days for each move that can be chosen.
const DAYS: [u64; 3] = [1, 3, 7];

/// Renders the fields. Only members can play rated games, and team games are never rated.
pub(super) fn fields(kind: GameKind, member: bool) -> Markup {
    html! {
        fieldset {
            legend { "Time" }
            div.fields {
                label.field {
                    span { "Clock" }
                    select name="clock" {
                        @if let Some(words) = usual_words(kind) { option value=(USUAL) { (words) } }
                        option value="none" { "No clock" }
                        @for control in choices(kind) { option value=(control.code()) { (control) } }
                        option value=(OWN) { "Custom" }
                    }
                }
            }
            div.own.fields {
                (number("minutes", "Minutes per player", "10", "0.1", "1440"))
                (number("increment", "Seconds for each move", "5", "0", "600"))
                label.field {
                    span { "They are" }
                    select name="manner" {
                        option value="increment" { "added after the move" }
                        option value="delay" { "waited before the clock runs" }
                        option value="bronstein" { "returned after the move, as far as used" }
                    }
                }
            }
            @if member && !kind.is_cooperative() {
                label.pick.rated {
                    input type="checkbox" name="rated" value="yes";
                    span { "Rated: counts for both players’ ratings" }
                }
            }
        }
    }
}

/// Returns the usual clocks of a game's presets, each once.
fn usual_clocks(kind: GameKind) -> Vec<TimeControl> {
    let mut clocks = Vec::new();
    for preset in kind.presets() {
        let usual = kind.usual_clock(&preset.options);
        let usual = usual.and_then(|clock| TimeControl::try_from(clock).ok());
        if let Some(usual) = usual.filter(|usual| !clocks.contains(usual)) {
            clocks.push(usual);
        }
    }
    clocks
}

fn usual_words(kind: GameKind) -> Option<String> {
    match usual_clocks(kind).as_slice() {
        [] => None,
        [usual] => Some(format!("{usual}; not with the computer")),
        [_, ..] => Some("By the rules; not with the computer".to_owned()),
    }
}

/// Returns the clocks to choose from: those of the game's presets, each once, and days for each move.
fn choices(kind: GameKind) -> Vec<TimeControl> {
    let presets = kind.presets().into_iter();
    let clocks = presets.flat_map(|preset| kind.clocks(&preset.options));
    let clocks = clocks.filter_map(|clock| TimeControl::try_from(clock).ok());
    let days = DAYS.into_iter().map(TimeControl::correspondence);
    let mut choices = Vec::new();
    for control in clocks.chain(days.flatten()) {
        if !choices.contains(&control) {
            choices.push(control);
        }
    }
    choices
}

fn number(name: &str, words: &str, usual: &str, least: &str, most: &str) -> Markup {
    html! {
        label.field {
            span { (words) }
            input type="number" inputmode="decimal" name=(name) value=(usual) min=(least) max=(most) step="any";
        }
    }
}

/// Reads the chosen clock: `None` for the usual one, `Some(None)` for no clock.
pub(super) fn chosen(fields: &FormFields) -> Result<Option<Option<TimeControl>>, BadTimeControl> {
    let Some(choice) = fields.get("clock").filter(|choice| *choice != USUAL) else {
        return Ok(None);
    };
    if choice == "none" {
        return Ok(Some(None));
    }
    let control = match choice {
        OWN => own(fields)?,
        _ => choice.parse()?,
    };
    Ok(Some(Some(control)))
}

/// Reads the fields of a custom clock.
fn own(fields: &FormFields) -> Result<TimeControl, BadTimeControl> {
    let game = times(fields.get("minutes"), 60_000.0);
    let each_move = times(fields.get("increment"), 1_000.0);
    match fields.get("manner") {
        Some("delay") if each_move > 0 => TimeControl::delay(game, each_move),
        Some("bronstein") if each_move > 0 => TimeControl::bronstein(game, each_move),
        _ => TimeControl::total(game, each_move),
    }
}

/// Converts a number in some unit to milliseconds. Anything but a number is zero, and large numbers
/// saturate.
fn times(text: Option<&str>, unit: f64) -> u64 {
    let number: f64 = text
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or_default();
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates"
    )]
    let ms = (number * unit).round() as u64;
    ms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_offers_its_own_clocks_with_its_usual_one_first() {
        let own = parlor_games::backgammon::KIND;
        let words = usual_words(own).expect("a usual clock");
        assert!(words.starts_with("By the rules"), "{words}");
        let codes = |kind| choices(kind).into_iter().map(TimeControl::code);
        let offered: Vec<String> = codes(own).collect();
        for code in ["120d8", "120d12", "360d8", "840d12", "3d"] {
            assert!(offered.iter().any(|other| other == code), "{code}");
        }
        assert_eq!(usual_words(parlor_games::mnk::KIND), None);
        let other: Vec<String> = codes(parlor_games::mnk::KIND).collect();
        assert_eq!(other[..3], ["60+0", "180+2", "300+3"]);
    }

    #[test]
    fn every_clock_on_offer_reads_back() {
        for kind in GameKind::all() {
            for control in choices(*kind) {
                assert_eq!(control.code().parse::<TimeControl>(), Ok(control));
            }
        }
    }
}
