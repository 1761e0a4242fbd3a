//! Tracks, decks and notes in HTML, next to the map of a page. A style sheet puts them on the
//! oceans of a wide map, and into a strip below the map of a phone. Ids and classes are those of the
//! picture.

use parlor_pandemic::{ACTIONS, Card, Color, EventCard, MAX_OUTBREAKS, RATES};

use super::look::count;
use super::{Scene, decks, hands, ids, notes, page, pieces, tracks};
use crate::pandemic::view::{ConsentView, ForecastView, PhaseView};
use crate::svg::Doc;

pub(super) fn draw(doc: &mut Doc, table: &Scene<'_>) {
    doc.open("div", &[("class", "tracks")]);
    turn(doc, table);
    outbreaks(doc, table);
    rate(doc, table);
    infection_cards(doc, table);
    // A player who is asked reads the question beside the answers.
    let consent = table.view.consent.as_ref().filter(|_| !table.asks_viewer());
    match (consent, &table.view.forecast) {
        (Some(consent), _) => question(doc, table, consent),
        (None, Some(forecast)) => self::forecast(doc, forecast),
        (None, None) => player_cards(doc, table),
    }
    cures(doc, table);
    doc.close();
}

/// Opens a plate. With a label, screen readers get that instead of its contents.
fn plate(doc: &mut Doc, class: &str, label: &str) {
    let class = format!("track {class}");
    let all = [("class", &*class), ("role", "img"), ("aria-label", label)];
    doc.open("div", if label.is_empty() { &all[..1] } else { &all });
}

/// Opens a place that can be clicked.
fn place(doc: &mut Doc, id: &str, class: &str, label: &str) {
    doc.open(
        "div",
        &[
            ("id", id),
            ("class", class),
            ("role", "img"),
            ("aria-label", label),
            ("title", label),
        ],
    );
}

/// Draws the player on turn, the actions left, and the phase.
fn turn(doc: &mut Doc, table: &Scene<'_>) {
    let view = table.view;
    let phase = notes::phase(table);
    plate(doc, "turn", &phase);
    let active = table
        .players
        .get(usize::from(view.active))
        .filter(|_| view.phase != PhaseView::Setup);
    if let Some(role) = active.and_then(|player| player.role) {
        page::icon(doc, "badge", "0 0 26 26");
        hands::badge(doc, role, 13.0, 13.0);
        doc.close();
        page::words(doc, "b", "", role.name());
    }
    doc.open("span", &[("class", "dots")]);
    for k in 0..ACTIONS {
        let left = k < view.actions && view.phase != PhaseView::Over;
        page::words(doc, "i", if left { "left" } else { "" }, "");
    }
    doc.close();
    page::words(doc, "span", "soft", &phase);
    if view.quiet_night {
        page::words(doc, "span", "soft", "quiet night");
    }
    doc.close();
}

/// Draws a track of numbers, of which one is the present one.
fn scale(doc: &mut Doc, numbers: impl Iterator<Item = u8>, now: usize) {
    doc.open("span", &[("class", "scale")]);
    for (k, number) in numbers.enumerate() {
        let class = if k == now { "now" } else { "" };
        page::words(doc, "i", class, &number.to_string());
    }
    doc.close();
}

fn outbreaks(doc: &mut Doc, table: &Scene<'_>) {
    let now = table.view.outbreaks;
    let label = format!("{now} of {MAX_OUTBREAKS} outbreaks");
    plate(doc, "outbreaks", &label);
    heading(doc, "Outbreaks");
    page::words(doc, "b", "many", &format!("{now} / {MAX_OUTBREAKS}"));
    scale(doc, 0..=MAX_OUTBREAKS, usize::from(now));
    doc.close();
}

fn rate(doc: &mut Doc, table: &Scene<'_>) {
    plate(doc, "rate", &tracks::rate_label(table));
    heading(doc, "{Infection }rate");
    page::words(doc, "b", "many", &table.view.rate.to_string());
    scale(
        doc,
        RATES.into_iter(),
        usize::from(table.view.infection_rate),
    );
    doc.close();
}

/// Draws a heading. Where there is little room, the words in braces are left out.
fn heading(doc: &mut Doc, text: &str) {
    doc.open("span", &[("class", "soft name")]);
    for (n, part) in text.split(['{', '}']).enumerate() {
        if n % 2 == 1 {
            page::words(doc, "span", "wide", part);
        } else {
            doc.content(part);
        }
    }
    doc.close();
}

/// Draws a pile as its number of cards.
fn pile(doc: &mut Doc, id: &str, number: usize, label: &str) {
    place(doc, id, "place pile", label);
    doc.content(&number.to_string());
    doc.close();
}

fn infection_cards(doc: &mut Doc, table: &Scene<'_>) {
    let deck = decks::infection_words(table.view);
    plate(doc, "infection", "");
    heading(doc, "Infection{ cards}");
    pile(doc, ids::INFECTION_DECK, deck.left, &deck.label);
    doc.open("span", &[("class", "notes"), ("aria-hidden", "true")]);
    page::words(doc, "span", "soft", "from the top");
    page::words(doc, "b", "", &deck.top);
    doc.close();
    let discarded = table.view.infection_discard.len();
    pile(doc, ids::INFECTION_DISCARD, discarded, &deck.discard_label);
    doc.close();
}

fn player_cards(doc: &mut Doc, table: &Scene<'_>) {
    let view = table.view;
    let deck = decks::player_words(view);
    plate(doc, "player-cards", "");
    heading(doc, "Player{ cards}");
    pile(
        doc,
        ids::PLAYER_DECK,
        usize::from(view.player_deck.left),
        &deck.label,
    );
    doc.open("span", &[("class", "notes"), ("aria-hidden", "true")]);
    page::words(doc, "b", "", &deck.turns);
    page::words(doc, "span", "soft", &deck.chance);
    doc.close();
    pile(
        doc,
        ids::PLAYER_DISCARD,
        view.player_discard.len(),
        &deck.discard_label,
    );
    let left = decks::stations_left(view);
    let label = format!("{} left", count(left, "research station"));
    place(doc, ids::STATIONS, "place", &label);
    page::icon(doc, "mark", "-9 -9 18 18");
    super::look::symbol(doc, "station", 0.0, 0.0, &[]);
    doc.close();
    doc.content(&format!("\u{00d7}\u{00a0}{left}"));
    doc.close();
    let events = view
        .player_discard
        .iter()
        .filter_map(|name| EventCard::from_name(name));
    doc.open("span", &[("class", "pieces played")]);
    for event in events {
        let label = format!("{event}, on the discard pile");
        place(doc, &ids::card(event.into()), "place card event", &label);
        doc.content(&decks::initials(event));
        doc.close();
    }
    doc.close();
    doc.close();
}

fn cures(doc: &mut Doc, table: &Scene<'_>) {
    plate(doc, "cures", "");
    heading(doc, "Cures, and cubes left");
    for color in Color::ALL {
        let cure = tracks::cure_words(table, color);
        place(doc, &ids::cure(color), "place cure", &cure.label);
        page::icon(doc, "shape", "-19 -20 38 38");
        tracks::cure_shape(doc, table, color, 0.0, 0.0);
        doc.close();
        // The space keeps the word apart from the letter for those that read the text.
        page::words(doc, "span", "soft", &format!(" {}", cure.word));
        doc.close();
        let left = table.of_color(&table.view.supply, color);
        let label = format!(
            "{} left",
            count(usize::from(left), &format!("{color} cube"))
        );
        place(doc, &ids::supply(color), "place supply", &label);
        page::icon(doc, "mark", "-7 -7 14 14");
        super::look::symbol(doc, pieces::cube(color), 0.0, 0.0, &[]);
        doc.close();
        let class = if left <= 5 { "low" } else { "" };
        page::words(doc, "b", class, &left.to_string());
        doc.close();
    }
    doc.close();
}

/// Draws a question to another player in the place of the player cards.
fn question(doc: &mut Doc, table: &Scene<'_>, consent: &ConsentView) {
    let text = notes::question_text(table, consent);
    plate(doc, "asks question", &text);
    heading(doc, "A question");
    page::words(doc, "b", "", &text);
    doc.close();
}

/// Draws the cards of a forecast, those already put back first.
fn forecast(doc: &mut Doc, forecast: &ForecastView) {
    plate(doc, "asks forecast", "");
    heading(doc, "Forecast: next comes \u{2026}");
    doc.open("span", &[("class", "pieces cards")]);
    for (k, (city, placed)) in notes::forecast_cities(forecast).enumerate() {
        let label = notes::forecast_label(k, city, placed);
        let class = if placed { "card placed" } else { "place card" };
        doc.open(
            "div",
            &[
                ("id", &ids::forecast(city)),
                ("class", class),
                ("role", "img"),
                ("aria-label", &label),
            ],
        );
        page::mark(doc, hands::mark_of(Card::City(city)));
        let number = if placed {
            format!("{}. ", k + 1)
        } else {
            String::new()
        };
        page::words(doc, "span", "", &format!("{number}{city}"));
        doc.close();
    }
    doc.close();
    doc.close();
}
