//! Decks, discard piles and research stations next to the board.

use parlor_pandemic::EventCard;

use super::look::{Rect, count, n, room, symbol, write};
use super::tracks::plate;
use super::{Scene, ids, percent};
use crate::pandemic::view::PandemicView;
use crate::svg::Doc;

/// Number of research stations in the game.
const STATIONS: usize = parlor_pandemic::STATIONS as usize;

const INFECTION: Rect = Rect::new(1010.0, 12.0, 178.0, 72.0);
const PLAYER: Rect = Rect::new(450.0, 474.0, 174.0, 146.0);
/// Area of an open question or forecast.
pub(super) const ASKED: Rect = PLAYER;

pub(super) fn draw(doc: &mut Doc, table: &Scene<'_>) {
    infection(doc, table);
    if table.view.forecast.is_some() || table.view.consent.is_some() {
        return;
    }
    plate(doc, PLAYER, "Player cards");
    player_deck(doc, table);
    player_discard(doc, table);
    stations(doc, table);
    doc.close();
}

/// Draws a pile: a few stacked cards and their number.
fn pile(doc: &mut Doc, id: &str, at: (f64, f64), (number, label): (usize, &str), fill: &str) {
    let (x, y) = at;
    doc.open(
        "g",
        &[
            ("id", id),
            ("class", "place pile"),
            ("role", "img"),
            ("aria-label", label),
        ],
    );
    doc.open("title", &[]);
    doc.content(label);
    doc.close();
    let height = number.min(24) as f64 / 8.0;
    let card = Rect::new(x, y, 30.0, 38.0);
    if number == 0 {
        card.draw(doc, 4.0, &EMPTY);
    } else {
        let style = [
            ("fill", fill),
            ("stroke", "#fffaf0"),
            ("stroke-width", "1.3"),
        ];
        Rect {
            left: x + height,
            top: y + height,
            ..card
        }
        .draw(doc, 4.0, &style);
        card.draw(doc, 4.0, &[[("class", "cell")].as_slice(), &style].concat());
    }
    let class = if number == 0 { "soft" } else { "on" };
    let ink = if number == 0 { "#5f5444" } else { "#fff" };
    let style = [
        ("class", class),
        ("font-size", "15"),
        ("font-weight", "700"),
        ("text-anchor", "middle"),
        ("fill", ink),
    ];
    write(doc, x + 15.0, y + 25.0, &number.to_string(), &style);
    doc.close();
}

/// Shapes of empty piles.
const EMPTY: [(&str, &str); 5] = [
    ("class", "cell"),
    ("fill", "none"),
    ("pointer-events", "all"),
    ("stroke", "#8f7f62"),
    ("stroke-dasharray", "3 3"),
];

/// Infection deck and its discard pile in words.
pub(super) struct InfectionWords {
    pub(super) left: usize,
    pub(super) label: String,
    /// Numbers of cards in the layers from the top.
    pub(super) top: String,
    pub(super) discard_label: String,
}

pub(super) fn infection_words(view: &PandemicView) -> InfectionWords {
    let layers: Vec<String> = view
        .infection_deck
        .layers
        .iter()
        .map(|layer| layer.len().to_string())
        .collect();
    let left = usize::from(view.infection_deck.left);
    let mut top = layers[..layers.len().min(3)].join(" \u{00b7} ");
    if layers.len() > 3 {
        top.push_str(" \u{00b7} \u{2026}");
    }
    InfectionWords {
        left,
        label: format!(
            "Infection deck, {}, in layers from the top: {}",
            count(left, "card"),
            layers.join(", ")
        ),
        top,
        discard_label: format!(
            "Infection discard pile, {}",
            listed(&view.infection_discard)
        ),
    }
}

fn infection(doc: &mut Doc, table: &Scene<'_>) {
    let view = table.view;
    plate(doc, INFECTION, "Infection cards");
    let words = infection_words(view);
    let (x, y) = (INFECTION.left + 12.0, INFECTION.top + 27.0);
    let deck = (words.left, &*words.label);
    pile(doc, ids::INFECTION_DECK, (x, y), deck, "#2f7d5b");
    pile(
        doc,
        ids::INFECTION_DISCARD,
        (x + 128.0, y),
        (view.infection_discard.len(), &words.discard_label),
        "#6f8f80",
    );
    let small = [
        ("class", "soft"),
        ("font-size", "11.5"),
        ("fill", "#5f5444"),
    ];
    write(doc, x + 38.0, y + 15.0, "from the top", &small);
    write(
        doc,
        x + 38.0,
        y + 31.0,
        &words.top,
        &[("font-size", "13"), ("font-weight", "600")],
    );
    doc.close();
}

fn listed(names: &[String]) -> String {
    let many = count(names.len(), "card");
    if names.is_empty() {
        many
    } else {
        format!("{many}: {}", names.join(", "))
    }
}

/// Player deck and its discard pile in words.
pub(super) struct PlayerWords {
    pub(super) label: String,
    pub(super) turns: String,
    pub(super) chance: String,
    pub(super) discard_label: String,
}

pub(super) fn player_words(view: &PandemicView) -> PlayerWords {
    let deck = &view.player_deck;
    let (left, turns) = (usize::from(deck.left), usize::from(deck.left / 2));
    let mut discard_label = format!("Player discard pile, {}", listed(&view.player_discard));
    if !view.removed_events.is_empty() {
        discard_label.push_str(&format!(
            "; removed from the game: {}",
            view.removed_events.join(", ")
        ));
    }
    PlayerWords {
        label: format!(
            "Player deck, {}, {} left, {} still to come, epidemic in the next two cards: {}",
            count(left, "card"),
            count(turns, "turn"),
            count(usize::from(deck.epidemics), "epidemic"),
            percent(deck.epidemic_chance)
        ),
        turns: format!("{} left", count(turns, "turn")),
        chance: format!("epidemic {}", percent(deck.epidemic_chance)),
        discard_label,
    }
}

fn player_deck(doc: &mut Doc, table: &Scene<'_>) {
    let left = usize::from(table.view.player_deck.left);
    let words = player_words(table.view);
    let (x, y) = (PLAYER.left + 12.0, PLAYER.top + 30.0);
    pile(
        doc,
        ids::PLAYER_DECK,
        (x, y),
        (left, &words.label),
        "#2b5f8f",
    );
    doc.open(
        "g",
        &[
            ("font-size", "13"),
            ("font-weight", "600"),
            ("aria-hidden", "true"),
        ],
    );
    write(doc, x + 40.0, y + 15.0, &words.turns, &[]);
    write(
        doc,
        x + 40.0,
        y + 32.0,
        &words.chance,
        &[
            ("class", "soft"),
            ("font-size", "11.5"),
            ("fill", "#5f5444"),
        ],
    );
    doc.close();
}

fn player_discard(doc: &mut Doc, table: &Scene<'_>) {
    let view = table.view;
    let label = player_words(view).discard_label;
    let (x, y) = (PLAYER.left + 12.0, PLAYER.top + 84.0);
    pile(
        doc,
        ids::PLAYER_DISCARD,
        (x, y),
        (view.player_discard.len(), &label),
        "#7d93a6",
    );
    let events = view
        .player_discard
        .iter()
        .filter_map(|name| EventCard::from_name(name));
    doc.open(
        "g",
        &[
            ("class", "pieces cards"),
            ("font-weight", "700"),
            ("fill", "#2a241d"),
        ],
    );
    for (k, event) in events.enumerate() {
        played(
            doc,
            event,
            Rect::new(
                PLAYER.left + 10.0 + 31.0 * k as f64,
                PLAYER.top + 126.0,
                29.0,
                16.0,
            ),
        );
    }
    doc.close();
}

/// Returns the initials of an event: `OQN`.
pub(super) fn initials(event: EventCard) -> String {
    let words = event.name().split(' ');
    words.filter_map(|word| word.chars().next()).collect()
}

/// Draws an event on the discard pile, which the Contingency Planner can retrieve.
fn played(doc: &mut Doc, event: EventCard, at: Rect) {
    let (id, label) = (
        ids::card(event.into()),
        format!("{event}, on the discard pile"),
    );
    doc.open(
        "g",
        &[
            ("id", &id),
            ("class", "place card event"),
            ("role", "img"),
            ("aria-label", &label),
        ],
    );
    at.draw(
        doc,
        5.0,
        &[
            ("class", "cell"),
            ("fill", "#f4ecfa"),
            ("stroke", "#7b3fa0"),
            ("stroke-width", "1.2"),
        ],
    );
    let initials = initials(event);
    let middle = at.left + at.width / 2.0;
    let size = if initials.len() > 2 { "9" } else { "11" };
    write(
        doc,
        middle,
        at.top + 12.0,
        &initials,
        &[("text-anchor", "middle"), ("font-size", size)],
    );
    doc.close();
}

/// Returns the number of research stations next to the board.
pub(super) fn stations_left(view: &PandemicView) -> usize {
    STATIONS.saturating_sub(view.research_centres.len())
}

fn stations(doc: &mut Doc, table: &Scene<'_>) {
    let left = stations_left(table.view);
    let label = format!("{} left", count(left, "research station"));
    let (x, y) = (PLAYER.left + 122.0, PLAYER.top + 84.0);
    doc.open(
        "g",
        &[
            ("id", ids::STATIONS),
            ("class", "place"),
            ("role", "img"),
            ("aria-label", &label),
        ],
    );
    room(doc, Rect::new(x - 18.0, y, 60.0, 38.0));
    symbol(doc, "station", x - 2.0, y + 20.0, &[]);
    write(
        doc,
        x + 12.0,
        y + 25.0,
        &format!("\u{00d7} {}", n(left as f64)),
        &[("font-size", "15"), ("font-weight", "700")],
    );
    doc.close();
}
