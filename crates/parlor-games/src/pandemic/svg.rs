//! Picture of a game of Pandemic: a world map with tracks and decks on its oceans, and below it
//! every player's hand and the discard piles.
//!
//! Diseases differ by color, letter and shape: blue circles (B), yellow diamonds (Y), black squares
//! (K), red triangles (R). Cities have ids such as `city-Paris`, cards `card-Paris`, pawns
//! `pawn-Medic`, cubes `cube-blue-Paris-0`; see `ids`.

mod board;
mod cities;
mod decks;
mod discards;
mod hands;
pub(crate) mod ids;
mod look;
mod notes;
mod outlook;
pub(crate) mod page;
mod pieces;
mod plates;
mod tracks;
mod world;

use std::collections::BTreeMap;

use parlor_pandemic::{Card, Cities, City, Color, EventCard, Role};

use self::discards::Discards;
use self::hands::Hands;
use super::view::{PandemicView, PhaseView, PlayerView, colour};
use crate::TurnView;
use crate::svg::{Doc, number};

/// Width of the picture and height of its map, in user units.
const WIDTH: f64 = 1200.0;
const MAP: f64 = 632.0;

const FONT: (&str, &str) = (
    "font-family",
    "system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif",
);

/// Draws a view.
pub fn draw(view: &PandemicView) -> String {
    let table = Scene::new(view);
    let hands = Hands::new(&table);
    let discards = Discards::new(&table, hands.bottom() + 8.0);
    let mut doc = Doc::with(
        WIDTH,
        discards.bottom(),
        &title(&table),
        "board pandemic",
        &[FONT],
    );
    map(&mut doc, &table);
    hands.draw(&mut doc, &table);
    discards.draw(&mut doc, &table);
    doc.finish()
}

/// Draws the map and everything on it.
fn map(doc: &mut Doc, table: &Scene<'_>) {
    define(doc);
    board::draw(doc);
    cities::draw(doc, table);
    tracks::draw(doc, table);
    decks::draw(doc, table);
    notes::turn(doc, table);
    pieces::draw(doc, table);
    notes::draw(doc, table);
}

/// Defines the shapes that are used by reference.
fn define(doc: &mut Doc) {
    doc.open("defs", &[]);
    board::define(doc);
    cities::define(doc);
    pieces::define(doc);
    hands::define(doc);
    doc.close();
}

/// View with its names parsed.
struct Scene<'a> {
    view: &'a PandemicView,
    players: Vec<Player<'a>>,
    stations: Cities,
    cured: Vec<Color>,
    eradicated: Vec<Color>,
}

/// Player with the parsed data that the picture shows.
struct Player<'a> {
    shown: &'a PlayerView,
    role: Option<Role>,
    city: Option<City>,
}

impl Player<'_> {
    /// Returns the player's name: the role, or the seat before roles are dealt.
    fn name(&self, seat: usize) -> String {
        self.role.map_or_else(
            || format!("Player {}", seat + 1),
            |role| role.name().to_owned(),
        )
    }

    /// Returns the cards in the hand and the one on the role card, with a remark for the latter.
    fn held(&self) -> impl Iterator<Item = (Card, &'static str)> {
        let names = self.shown.hand.iter().chain(&self.shown.single_use);
        let stored = self
            .shown
            .stored
            .as_deref()
            .and_then(EventCard::from_name)
            .map(Card::Event);
        let hand = names
            .filter_map(|name| Card::from_name(name))
            .map(|card| (card, ""));
        hand.chain(stored.map(|card| (card, "stored on the role card")))
    }

    /// Returns the number of cards that count toward the hand limit.
    fn cards(&self) -> usize {
        self.shown.hand.len() + self.shown.single_use.len()
    }
}

impl<'a> Scene<'a> {
    fn new(view: &'a PandemicView) -> Scene<'a> {
        let player = |shown: &'a PlayerView| Player {
            shown,
            role: shown.role.as_deref().and_then(Role::from_name),
            city: City::from_name(&shown.city),
        };
        let among = |names: &[String]| {
            Color::ALL
                .into_iter()
                .filter(|color| names.iter().any(|name| name == colour(*color)))
                .collect()
        };
        Scene {
            view,
            players: view.players.iter().map(player).collect(),
            stations: cities(&view.research_centres),
            cured: among(&view.cured),
            eradicated: among(&view.eradicated),
        }
    }

    /// Returns the number of cubes of each color in a city.
    fn cubes(&self, city: City) -> impl Iterator<Item = (Color, u8)> {
        let here = self.view.infection.get(city.name());
        let own = [city.color()].into_iter();
        let order = own.chain(
            Color::ALL
                .into_iter()
                .filter(move |color| *color != city.color()),
        );
        order.filter_map(move |color| here?.get(colour(color)).map(|count| (color, *count)))
    }

    /// Returns the chains of outbreaks that one more cube in a city would cause, each starting with
    /// that city.
    fn chains(&self, city: City) -> impl Iterator<Item = (Color, &[String])> {
        let here = self.view.chains.get(city.name());
        Color::ALL
            .into_iter()
            .filter_map(move |color| here?.get(colour(color)).map(|chain| (color, &chain[..])))
    }

    /// Returns true if two cities would break out in the same chain.
    fn break_out_together(&self, one: City, other: City) -> bool {
        let mut chains = self.view.chains.values().flat_map(BTreeMap::values);
        chains.any(|chain| {
            [one, other]
                .iter()
                .all(|city| chain.iter().any(|name| name == city.name()))
        })
    }

    /// Returns the pawns in a city in seat order.
    fn pawns(&self, city: City) -> impl Iterator<Item = Role> {
        self.players
            .iter()
            .filter(move |player| player.city == Some(city))
            .filter_map(|player| player.role)
    }

    /// Returns the seat that has to answer, if it is not the one on turn.
    fn asked(&self) -> Option<usize> {
        match self.view.turn {
            TurnView::Move { seat } if seat != self.view.active => Some(usize::from(seat)),
            _ => None,
        }
    }

    /// Returns true if the viewer is the one who is asked for consent.
    fn asks_viewer(&self) -> bool {
        let consent = self.view.consent.as_ref();
        consent.is_some_and(|consent| Some(consent.asked) == self.view.seen_from)
    }

    fn name(&self, seat: usize) -> String {
        self.players
            .get(seat)
            .map_or_else(String::new, |player| player.name(seat))
    }

    fn of_color(&self, counts: &BTreeMap<String, u8>, color: Color) -> u8 {
        counts.get(colour(color)).copied().unwrap_or_default()
    }
}

fn cities(names: &[String]) -> Cities {
    names
        .iter()
        .filter_map(|name| City::from_name(name))
        .collect()
}

/// Returns a description of the picture in words.
fn title(table: &Scene<'_>) -> String {
    let view = table.view;
    let cures = view.cured.len();
    let state = format!(
        "{} of 8 outbreaks, infection rate {}, {} of 4 cures, {} player cards left",
        view.outbreaks, view.rate, cures, view.player_deck.left
    );
    if let Some(ending) = notes::ending(view) {
        return format!("Pandemic: {ending} {state}");
    }
    let active = usize::from(view.active);
    let who = if view.phase == PhaseView::Setup {
        String::new()
    } else {
        format!("{}: ", table.name(active))
    };
    format!("Pandemic: {who}{}; {state}", notes::phase(table))
}

/// Formats a probability in whole percent; never 0 for a possible event.
fn percent(share: f64) -> String {
    let whole = (share * 100.0).round();
    if share > 0.0 && whole < 1.0 {
        "under 1\u{a0}%".to_owned()
    } else {
        format!("{}\u{a0}%", number(whole))
    }
}
