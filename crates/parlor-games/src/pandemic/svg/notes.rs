//! Notes on the state of play: player on turn, question, forecast, result.

use parlor_pandemic::{ACTIONS, City};

use super::decks::ASKED;
use super::look::{Rect, count, n, write};
use super::tracks::plate;
use super::{MAP, Scene, WIDTH, hands, ids};
use crate::pandemic::view::{ConsentView, EndingView, ForecastView, PandemicView, PhaseView};
use crate::svg::Doc;

const TURN: Rect = Rect::new(12.0, 12.0, 246.0, 72.0);

/// Draws the notes above the pieces.
pub(super) fn draw(doc: &mut Doc, table: &Scene<'_>) {
    if let Some(consent) = &table.view.consent {
        question(doc, table, consent);
    }
    if let Some(forecast) = &table.view.forecast {
        self::forecast(doc, forecast);
    }
    if let Some(text) = ending(table.view) {
        banner(doc, &text, table.view.ending == Some(EndingView::Cured));
    }
}

/// Returns the phase in words.
pub(super) fn phase(table: &Scene<'_>) -> String {
    let view = table.view;
    let asked = table.asked().map(|seat| table.name(seat));
    match view.phase {
        PhaseView::Setup => "the table is set up".to_owned(),
        PhaseView::Actions => actions_left(view),
        PhaseView::Draw => "cards are drawn".to_owned(),
        PhaseView::Epidemic => "epidemic!".to_owned(),
        PhaseView::Intensify => "epidemic, about to intensify".to_owned(),
        PhaseView::NextEpidemic => "a second epidemic waits".to_owned(),
        PhaseView::Infect | PhaseView::Infecting => {
            format!(
                "{} to turn",
                count(usize::from(view.infections_left), "infection card")
            )
        }
        PhaseView::Limit => format!(
            "{} discards",
            asked.unwrap_or_else(|| table.name(usize::from(view.active)))
        ),
        PhaseView::Consent if table.asks_viewer() => actions_left(view),
        PhaseView::Consent => format!("{} is asked", asked.unwrap_or_default()),
        PhaseView::Look => "a forecast is looked at".to_owned(),
        PhaseView::Order => "a forecast is put in order".to_owned(),
        PhaseView::Over => "the game is over".to_owned(),
    }
}

fn actions_left(view: &PandemicView) -> String {
    format!("{} left", count(usize::from(view.actions), "action"))
}

/// Draws the player on turn, the actions left as discs, and the phase. It is below the pieces,
/// since a pawn in Montreal overlaps its edge.
pub(super) fn turn(doc: &mut Doc, table: &Scene<'_>) {
    let view = table.view;
    doc.open(
        "g",
        &[
            ("class", "turn"),
            ("role", "img"),
            ("aria-label", &phase(table)),
        ],
    );
    plate(doc, TURN, "");
    let active = table
        .players
        .get(usize::from(view.active))
        .filter(|_| view.phase != PhaseView::Setup);
    if let Some(role) = active.and_then(|player| player.role) {
        hands::badge(doc, role, TURN.left + 22.0, TURN.top + 22.0);
        write(
            doc,
            TURN.left + 42.0,
            TURN.top + 27.5,
            role.name(),
            &[("font-size", "15"), ("font-weight", "700")],
        );
    }
    for k in 0..ACTIONS {
        let (cx, cy) = (
            n(TURN.left + 18.0 + 19.0 * f64::from(k)),
            n(TURN.top + 52.0),
        );
        let left = k < view.actions && view.phase != PhaseView::Over;
        let (class, fill) = if left {
            ("action", "#2f7d5b")
        } else {
            ("action used", "#fff")
        };
        let shown = if left { "1" } else { "0" };
        doc.empty(
            "circle",
            &[
                ("class", class),
                ("cx", &cx),
                ("cy", &cy),
                ("r", "6.5"),
                ("fill", fill),
                ("fill-opacity", shown),
                ("stroke", "#2f7d5b"),
                ("stroke-width", "1.6"),
            ],
        );
    }
    let quiet = if view.quiet_night {
        " \u{00b7} quiet night"
    } else {
        ""
    };
    let text = format!("{}{quiet}", phase(table));
    let size = n(hands::fitting(&text, TURN.width - 98.0, 13.0));
    write(
        doc,
        TURN.left + 92.0,
        TURN.top + 56.5,
        &text,
        &[("class", "soft"), ("font-size", &size), ("fill", "#5f5444")],
    );
    doc.close();
    doc.close();
}

/// Returns a question to another player in words.
pub(super) fn question_text(table: &Scene<'_>, consent: &ConsentView) -> String {
    let [by, asked] = [consent.by, consent.asked].map(|seat| table.name(usize::from(seat)));
    format!("The {by} {}: does the {asked} agree?", consent.label)
}

/// Draws a question to another player over the player cards.
fn question(doc: &mut Doc, table: &Scene<'_>, consent: &ConsentView) {
    let text = question_text(table, consent);
    doc.open(
        "g",
        &[
            ("class", "question"),
            ("role", "img"),
            ("aria-label", &text),
        ],
    );
    plate(doc, ASKED, "A question");
    doc.open("g", &[("font-size", "12.5"), ("font-weight", "600")]);
    for (k, line) in lines(&text, 19).iter().take(7).enumerate() {
        write(
            doc,
            ASKED.left + 12.0,
            ASKED.top + 38.0 + 16.0 * k as f64,
            line,
            &[],
        );
    }
    doc.close();
    doc.close();
    doc.close();
}

/// Wraps words into lines of at most `room` characters.
fn lines(text: &str, room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Returns the cities of a forecast, those already put back first, with true for these.
pub(super) fn forecast_cities(forecast: &ForecastView) -> impl Iterator<Item = (City, bool)> {
    let placed = forecast.placed.iter().map(|name| (name, true));
    let cities = placed.chain(forecast.seen.iter().map(|name| (name, false)));
    cities.filter_map(|(name, placed)| Some((City::from_name(name)?, placed)))
}

/// Describes card `k` of a forecast.
pub(super) fn forecast_label(k: usize, city: City, placed: bool) -> String {
    if placed {
        format!("{city}, number {} from the top", k + 1)
    } else {
        format!("{city}, not put back yet")
    }
}

/// Draws the cards of a forecast, those already put back first.
fn forecast(doc: &mut Doc, forecast: &ForecastView) {
    doc.open("g", &[("class", "forecast")]);
    plate(doc, ASKED, "Forecast: next comes \u{2026}");
    doc.close();
    doc.open(
        "g",
        &[
            ("class", "pieces cards"),
            ("font-size", "12"),
            ("fill", "#2a241d"),
        ],
    );
    for (k, (city, placed)) in forecast_cities(forecast).enumerate() {
        let at = Rect::new(
            ASKED.left + 10.0,
            ASKED.top + 25.0 + 19.6 * k as f64,
            ASKED.width - 20.0,
            18.0,
        );
        let words = forecast_label(k, city, placed);
        let class = if placed { "card placed" } else { "place card" };
        doc.open(
            "g",
            &[
                ("id", &ids::forecast(city)),
                ("class", class),
                ("role", "img"),
                ("aria-label", &words),
            ],
        );
        let edge = super::look::ink(city.color());
        let full = if placed { ".35" } else { "1" };
        at.draw(
            doc,
            5.0,
            &[
                ("class", "cell"),
                ("fill", "#fffdf8"),
                ("fill-opacity", full),
                ("stroke", edge),
                ("stroke-width", "1.3"),
            ],
        );
        let number = if placed {
            format!("{}. ", k + 1)
        } else {
            String::new()
        };
        write(
            doc,
            at.left + 8.0,
            at.top + 13.0,
            &format!("{number}{city} ({})", city.color().letter()),
            &[],
        );
        doc.close();
    }
    doc.close();
}

/// Describes the end of the game.
pub(super) fn ending(view: &PandemicView) -> Option<String> {
    Some(match view.ending.as_ref()? {
        EndingView::Cured => "All four cures are found: the team wins!".to_owned(),
        EndingView::Outbreaks => "The eighth outbreak: the team loses.".to_owned(),
        EndingView::Cubes { colour } => {
            let color = colour.trim_start_matches("COLOUR_").to_lowercase();
            format!("No {color} cube is left: the team loses.")
        }
        EndingView::Cards => "No cards are left to draw: the team loses.".to_owned(),
    })
}

fn banner(doc: &mut Doc, text: &str, won: bool) {
    let width = text.len() as f64 * 14.2 + 64.0;
    let ribbon = Rect::new((WIDTH - width) / 2.0, MAP * 0.66, width, 58.0);
    doc.open(
        "g",
        &[
            ("class", "banner"),
            ("role", "img"),
            ("aria-label", text),
            ("pointer-events", "none"),
        ],
    );
    Rect {
        top: ribbon.top + 4.0,
        ..ribbon
    }
    .draw(doc, 12.0, &[("fill", "#10202a"), ("fill-opacity", ".35")]);
    let fill = if won { "#2f7d5b" } else { "#8f2a20" };
    ribbon.draw(
        doc,
        12.0,
        &[
            ("class", "ribbon"),
            ("fill", fill),
            ("stroke", "#fffaf0"),
            ("stroke-width", "2.5"),
        ],
    );
    let style = [
        ("font-size", "25"),
        ("font-weight", "700"),
        ("text-anchor", "middle"),
        ("fill", "#fff"),
    ];
    write(doc, WIDTH / 2.0, ribbon.top + 38.0, text, &style);
    doc.close();
}
