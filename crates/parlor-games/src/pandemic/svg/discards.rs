//! Discard piles by color, below the hands: the cards played, and those that an epidemic puts back
//! on top.

use parlor_pandemic::{Card, City, Color};

use super::look::{Rect, n, symbol};
use super::tracks::plate;
use super::{Scene, WIDTH, hands};
use crate::pandemic::view::PandemicView;
use crate::svg::Doc;

const GAP: f64 = 10.0;
/// Space for the border of a plate.
const EDGE: f64 = 2.0;
const PLATE: f64 = (WIDTH - 2.0 * EDGE - GAP) / 2.0;
/// Height of the title line and of a line of names.
const HEAD: f64 = 26.0;
const LINE: f64 = 15.0;

/// Contents and layout of both piles.
pub(super) struct Discards<'a> {
    top: f64,
    pub(super) infection: Vec<Vec<&'a str>>,
    pub(super) player: Vec<Vec<&'a str>>,
}

impl<'a> Discards<'a> {
    /// Lays out the piles below `top`.
    pub(super) fn new(table: &Scene<'a>, top: f64) -> Discards<'a> {
        let view = table.view;
        let infection = Color::ALL.map(|color| {
            let names = view.infection_discard.iter().map(String::as_str);
            names
                .filter(|name| City::from_name(name).is_some_and(|city| city.color() == color))
                .collect()
        });
        let player = Color::ALL.map(Some).into_iter().chain([None]).map(|color| {
            let cards = view
                .player_discard
                .iter()
                .filter_map(|name| Card::from_name(name));
            let column = cards.filter(|card| match card {
                Card::City(city) => Some(city.color()) == color,
                Card::Event(_) => color.is_none(),
            });
            column.map(hands::short).collect()
        });
        Discards {
            top,
            infection: infection.to_vec(),
            player: player.collect(),
        }
    }

    fn height(&self) -> f64 {
        let lines = self
            .infection
            .iter()
            .chain(&self.player)
            .map(Vec::len)
            .max()
            .unwrap_or_default();
        HEAD + LINE * lines.max(1) as f64 + 7.0
    }

    /// Returns the lower edge of the picture.
    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height() + EDGE
    }

    /// Draws the piles. Screen readers get the same content from the piles on the map.
    pub(super) fn draw(&self, doc: &mut Doc, table: &Scene<'_>) {
        doc.open(
            "g",
            &[
                ("class", "discards"),
                ("font-size", "12"),
                ("aria-hidden", "true"),
            ],
        );
        let [infection, player] = titles(table.view);
        self.pile(doc, EDGE, &infection, &self.infection, 145.0);
        // Event names are long and need a wider column.
        self.pile(doc, EDGE + PLATE + GAP, &player, &self.player, 113.0);
        doc.close();
    }

    fn pile(&self, doc: &mut Doc, left: f64, title: &str, columns: &[Vec<&str>], step: f64) {
        plate(doc, Rect::new(left, self.top, PLATE, self.height()), title);
        for (k, names) in columns
            .iter()
            .enumerate()
            .filter(|(_, names)| !names.is_empty())
        {
            let (x, y) = (left + 12.0 + step * k as f64, self.top + HEAD);
            symbol(doc, mark(k), x + 7.0, y + LINE / 2.0, &[]);
            column(doc, x + 20.0, y - 3.0, names);
        }
        doc.close();
    }
}

/// Returns the titles of the piles, with the cards removed from them.
pub(super) fn titles(view: &PandemicView) -> [String; 2] {
    let titled = |title: &str, many: usize, removed: &[String]| {
        let removed = if removed.is_empty() {
            String::new()
        } else {
            format!(", removed: {}", removed.join(", "))
        };
        format!("{title}: {many}{removed}")
    };
    [
        titled(
            "Infection cards discarded",
            view.infection_discard.len(),
            &view.infection_removed,
        ),
        titled(
            "Player cards discarded",
            view.player_discard.len(),
            &view.removed_events,
        ),
    ]
}

/// Returns the id of the mark of a list: a color's shape, or the star of events.
pub(super) fn mark(place: usize) -> &'static str {
    Color::ALL
        .get(place)
        .map_or("star", |color| hands::mark(*color))
}

/// Draws names below each other.
fn column(doc: &mut Doc, x: f64, y: f64, names: &[&str]) {
    let (x, y, step) = (n(x), n(y), n(LINE));
    doc.open("text", &[("y", &y)]);
    for name in names {
        doc.open("tspan", &[("x", &x), ("dy", &step)]);
        doc.content(name);
        doc.close();
    }
    doc.close();
}
