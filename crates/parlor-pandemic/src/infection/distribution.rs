//! Drawing from layers has exactly the same distribution as drawing from a shuffled deck.

use std::collections::BTreeMap;

use super::InfectionDeck;
use crate::{Cities, City};

/// Operation on the infection deck.
#[derive(Clone, Copy)]
enum DeckStep {
    /// Turn the top card.
    Top,
    /// Turn the bottom card.
    Bottom,
    /// Shuffle the discards and put them on top.
    Intensify,
    /// Look at this many cards and put them back, higher numbers first.
    Forecast(usize),
    /// Remove the lowest discarded card from the game.
    Remove,
}

/// Sequences of seen cards, each with its probability as a fraction.
type Known = BTreeMap<Vec<u8>, (u64, u64)>;

fn add(known: &mut Known, seen: Vec<u8>, (over, under): (u64, u64)) {
    let entry = known.entry(seen).or_insert((0, 1));
    let (top, bottom) = (entry.0 * under + over * entry.1, entry.1 * under);
    let common = gcd(top, bottom);
    *entry = (top / common, bottom / common);
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Draws from layers, following each possible card.
fn lazily(deck: InfectionDeck, steps: &[DeckStep], seen: Vec<u8>, under: u64, known: &mut Known) {
    let Some((step, rest)) = steps.split_first() else {
        return add(known, seen, (1, under));
    };
    let mut deck = deck;
    match *step {
        DeckStep::Intensify => {
            deck.intensify();
            lazily(deck, rest, seen, under, known);
        }
        DeckStep::Remove => {
            if let Some(city) = deck.discard.into_iter().next() {
                deck.discard = deck.discard.without(city);
                deck.removed = deck.removed.with(city);
            }
            lazily(deck, rest, seen, under, known);
        }
        DeckStep::Forecast(cards) => {
            draw_forecast(deck, cards, Cities::NONE, rest, seen, under, known)
        }
        DeckStep::Top | DeckStep::Bottom => {
            let top = matches!(step, DeckStep::Top);
            let layer = if top {
                deck.top_layer()
            } else {
                deck.bottom_layer()
            };
            for city in layer {
                let mut next = deck;
                if top {
                    next.take_top(city)
                } else {
                    next.take_bottom(city)
                }
                next.discard = next.discard.with(city);
                let seen = [&seen[..], &[city.index() as u8]].concat();
                lazily(next, rest, seen, under * u64::from(layer.len()), known);
            }
        }
    }
}

/// Draws the cards of a forecast one after the other.
fn draw_forecast(
    deck: InfectionDeck,
    left: usize,
    shown: Cities,
    rest: &[DeckStep],
    seen: Vec<u8>,
    under: u64,
    known: &mut Known,
) {
    let mut deck = deck;
    if left == 0 {
        // The card pushed last lies on top: the highest number.
        shown
            .into_iter()
            .for_each(|city| deck.push(Cities::one(city)));
        return lazily(deck, rest, seen, under, known);
    }
    let layer = deck.top_layer();
    for city in layer {
        let mut next = deck;
        next.take_top(city);
        let seen = [&seen[..], &[city.index() as u8]].concat();
        draw_forecast(
            next,
            left - 1,
            shown.with(city),
            rest,
            seen,
            under * u64::from(layer.len()),
            known,
        );
    }
}

/// Draws from an ordered deck, the last card on top, following every result of every shuffle.
fn eagerly(
    deck: &[u8],
    discard: &[u8],
    steps: &[DeckStep],
    seen: Vec<u8>,
    under: u64,
    known: &mut Known,
) {
    let Some((step, rest)) = steps.split_first() else {
        return add(known, seen, (1, under));
    };
    let mut deck = deck.to_vec();
    let mut discard = discard.to_vec();
    match *step {
        DeckStep::Intensify => {
            let orders = orders(&discard);
            for order in &orders {
                let whole = [&deck[..], order].concat();
                eagerly(
                    &whole,
                    &[],
                    rest,
                    seen.clone(),
                    under * orders.len() as u64,
                    known,
                );
            }
        }
        DeckStep::Remove => {
            discard.sort_unstable();
            eagerly(
                &deck,
                discard.get(1..).unwrap_or(&[]),
                rest,
                seen,
                under,
                known,
            );
        }
        DeckStep::Forecast(cards) => {
            let mut shown = deck.split_off(deck.len() - cards);
            let seen = seen
                .into_iter()
                .chain(shown.iter().rev().copied())
                .collect();
            shown.sort_unstable();
            deck.extend(shown);
            eagerly(&deck, &discard, rest, seen, under, known);
        }
        DeckStep::Top | DeckStep::Bottom => {
            let card = if matches!(step, DeckStep::Top) {
                deck.remove(deck.len() - 1)
            } else {
                deck.remove(0)
            };
            discard.push(card);
            let seen = [&seen[..], &[card]].concat();
            eagerly(&deck, &discard, rest, seen, under, known);
        }
    }
}

/// Returns all orders of some cards.
fn orders(cards: &[u8]) -> Vec<Vec<u8>> {
    if cards.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, card) in cards.iter().enumerate() {
        let rest = [&cards[..at], &cards[at + 1..]].concat();
        all.extend(
            orders(&rest)
                .into_iter()
                .map(|order| [&[*card][..], &order].concat()),
        );
    }
    all
}

fn same(cards: u8, steps: &[DeckStep]) {
    let all: Vec<u8> = (0..cards).collect();
    let mut deck = InfectionDeck::empty();
    deck.push(all.iter().filter_map(|card| City::new(*card)).collect());
    let (mut lazy, mut eager) = (Known::new(), Known::new());
    lazily(deck, steps, Vec::new(), 1, &mut lazy);
    let shuffles = orders(&all);
    shuffles.iter().for_each(|order| {
        eagerly(
            order,
            &[],
            steps,
            Vec::new(),
            shuffles.len() as u64,
            &mut eager,
        )
    });
    assert!(lazy.len() > 1);
    assert_eq!(lazy, eager);
}

#[test]
fn drawing_from_the_top_is_as_likely_as_from_a_shuffled_deck() {
    same(6, &[DeckStep::Top; 6]);
}

#[test]
fn an_epidemic_is_as_likely_as_with_a_shuffled_deck() {
    use DeckStep::{Bottom, Intensify, Top};
    same(
        6,
        &[Top, Top, Bottom, Intensify, Top, Top, Top, Top, Top, Top],
    );
    same(6, &[Top, Bottom, Intensify, Bottom, Intensify, Top, Top]);
    same(
        5,
        &[
            Top, Bottom, Intensify, Top, Top, Bottom, Intensify, Top, Top,
        ],
    );
}

#[test]
fn a_forecast_before_an_epidemic_is_as_likely_as_with_a_shuffled_deck() {
    use DeckStep::{Bottom, Forecast, Intensify, Top};
    same(
        6,
        &[Forecast(4), Top, Bottom, Intensify, Top, Top, Top, Top],
    );
    same(
        6,
        &[
            Top,
            Top,
            Bottom,
            Intensify,
            Forecast(5),
            Top,
            Bottom,
            Top,
            Top,
        ],
    );
    same(5, &[Forecast(5), Bottom, Top, Intensify, Top, Top, Top]);
}

#[test]
fn a_removed_card_is_as_likely_as_with_a_shuffled_deck() {
    use DeckStep::{Bottom, Intensify, Remove, Top};
    same(
        6,
        &[Top, Top, Bottom, Remove, Intensify, Top, Top, Top, Bottom],
    );
}
