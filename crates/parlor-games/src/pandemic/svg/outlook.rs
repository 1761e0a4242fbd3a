//! Outlook below the map of a page: the danger in each city, the contents of the decks as far as
//! they are known, and the meaning of the marks on the map.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use parlor_pandemic::{City, Color};

use super::look::count;
use super::{Scene, page, percent};
use crate::svg::Doc;

/// Marks on the map and their meanings.
const MARKS: [(&str, &str); 5] = [
    ("plays", "solid ring: a click there is a move"),
    ("starts", "dashed ring: a click there begins a move"),
    ("warns", "red ring: one more cube is an outbreak"),
    ("arc", "arc: chance of an infection before the next turn"),
    ("glows", "glow: changed since your last move"),
];

pub(super) fn draw(doc: &mut Doc, table: &Scene<'_>) {
    doc.open("div", &[("class", "outlook")]);
    dangers(doc, table);
    infection_deck(doc, table);
    player_deck(doc, table);
    marks(doc);
    doc.close();
}

/// Opens a part that can be unfolded. `name` is unique, so that it stays open.
fn part(doc: &mut Doc, name: &str, title: &str) {
    doc.open("details", &[("class", "part"), ("data-open", name)]);
    page::words(doc, "summary", "", title);
}

/// Draws the cities in danger, those that are most likely to break out first.
fn dangers(doc: &mut Doc, table: &Scene<'_>) {
    let view = table.view;
    let of = |risks: &BTreeMap<String, f64>, city: City| {
        risks.get(city.name()).copied().unwrap_or_default()
    };
    let mut cities: Vec<(City, f64, f64)> = City::all()
        .map(|city| (city, of(&view.outbreak_risk, city), of(&view.risk, city)))
        .filter(|(_, outbreak, infection)| outbreak.max(*infection) > 0.0)
        .collect();
    cities.sort_by(|one, other| {
        (other.1, other.2)
            .partial_cmp(&(one.1, one.2))
            .unwrap_or(Ordering::Equal)
    });
    let title = match cities.first() {
        Some((city, outbreak, _)) if *outbreak > 0.0 => {
            format!("Danger: outbreak in {city} {}", percent(*outbreak))
        }
        _ => "Danger: no outbreak can come".to_owned(),
    };
    part(doc, "danger", &title);
    page::words(
        doc,
        "p",
        "soft",
        "If nobody acts any more; epidemics that the next cards may bring are counted.",
    );
    doc.open("table", &[]);
    doc.open("tr", &[]);
    for head in ["City", "Outbreak", "Infection"] {
        doc.open("th", &[("scope", "col")]);
        doc.content(head);
        doc.close();
    }
    doc.close();
    for (city, outbreak, infection) in cities {
        doc.open("tr", &[]);
        doc.open("th", &[("scope", "row")]);
        doc.content(&format!("{city} ({})", city.color().letter()));
        doc.close();
        for share in [outbreak, infection] {
            let text = if share > 0.0 {
                percent(share)
            } else {
                "\u{2013}".to_owned()
            };
            page::words(doc, "td", "", &text);
        }
        doc.close();
    }
    doc.close();
    doc.close();
}

/// Draws the layers of the infection deck from the top.
fn infection_deck(doc: &mut Doc, table: &Scene<'_>) {
    let deck = &table.view.infection_deck;
    let cards = count(usize::from(deck.left), "card");
    part(
        doc,
        "infection",
        &format!("Infection deck: {cards} from the top"),
    );
    doc.open("ol", &[]);
    for layer in &deck.layers {
        doc.open("li", &[]);
        if layer.len() > 1 {
            page::words(doc, "b", "", &format!("{} in any order: ", layer.len()));
        }
        doc.content(&layer.join(", "));
        doc.close();
    }
    doc.close();
    doc.close();
}

/// Draws the cards that are still in the player deck.
fn player_deck(doc: &mut Doc, table: &Scene<'_>) {
    let deck = &table.view.player_deck;
    let cards = count(usize::from(deck.left), "card");
    part(doc, "player", &format!("Player deck: {cards}"));
    let cities = Color::ALL.map(|color| format!("{} {color}", table.of_color(&deck.unseen, color)));
    page::words(doc, "p", "", &format!("Cities: {}.", cities.join(", ")));
    let events = if deck.unseen_events.is_empty() {
        "No event is left in it.".to_owned()
    } else {
        format!("Events: {}.", deck.unseen_events.join(", "))
    };
    page::words(doc, "p", "", &events);
    let pile = count(usize::from(deck.pile), "card");
    let epidemic = match (deck.epidemics, deck.epidemic) {
        (0, _) => "No epidemic is left.".to_owned(),
        (left, true) => format!(
            "{} to come; one is among the next {pile}.",
            count(usize::from(left), "epidemic")
        ),
        (left, false) => format!(
            "{} to come; none is among the next {pile}.",
            count(usize::from(left), "epidemic")
        ),
    };
    page::words(doc, "p", "", &epidemic);
    doc.close();
}

/// Draws the meanings of the marks on the map.
fn marks(doc: &mut Doc) {
    part(doc, "marks", "Marks on the map");
    doc.open("ul", &[]);
    for (class, meaning) in MARKS {
        doc.open("li", &[]);
        page::words(doc, "i", class, "");
        doc.content(meaning);
        doc.close();
    }
    doc.close();
    doc.close();
}
