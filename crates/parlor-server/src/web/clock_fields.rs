//! Form fields for the clock of a new table, and for rated play.

use maud::{Markup, html};
use parlor_games::GameKind;
use parlor_table::{BadTimeControl, TimeControl};

use super::actions::FormFields;

/// Value of the choice "Custom".
const OWN: &str = "own";
/// Value of the choice of a game's usual time.
const USUAL: &str = "usual";
/// Choices: value and label. A value is seconds for the game plus increment in seconds, or days per
/// move.
const CHOICES: [(&str, &str); 10] = [
    ("none", "No clock"),
    ("60+0", "1 min"),
    ("180+2", "3 min + 2 s"),
    ("300+3", "5 min + 3 s"),
    ("360+0", "6 min"),
    ("600+5", "10 min + 5 s"),
    ("1800+20", "30 min + 20 s"),
    ("1d", "1 day per move"),
    ("3d", "3 days per move"),
    ("7d", "7 days per move"),
];

/// Renders the fields. Only members can play rated games, and team games are never rated.
pub(super) fn fields(kind: GameKind, member: bool) -> Markup {
    html! {
        fieldset {
            legend { "Time" }
            div.fields {
                label.field {
                    span { "Clock" }
                    select name="clock" {
                        @if let Some(ms) = kind.usual_time() {
                            option value=(USUAL) { (ms / 60_000) " min, but none against the computer" }
                        }
                        @for (value, words) in CHOICES { option value=(value) { (words) } }
                        option value=(OWN) { "Custom" }
                    }
                }
            }
            div.own.fields {
                (number("minutes", "Minutes per player", "10", "0.1", "1440"))
                (number("increment", "Increment in seconds", "5", "0", "600"))
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
    if let Some(days) = choice.strip_suffix('d') {
        return TimeControl::correspondence(days.parse().unwrap_or_default())
            .map(|control| Some(Some(control)));
    }
    let (game, each_move) = match choice {
        OWN => (
            times(fields.get("minutes"), 60_000.0),
            times(fields.get("increment"), 1_000.0),
        ),
        _ => {
            let (game, each_move) = choice.split_once('+').unwrap_or((choice, "0"));
            (times(Some(game), 1_000.0), times(Some(each_move), 1_000.0))
        }
    };
    TimeControl::total(game, each_move).map(|control| Some(Some(control)))
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
