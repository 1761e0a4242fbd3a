//! Drawing from piles over a common pool has exactly the same distribution as drawing from a
//! shuffled deck.

use std::collections::BTreeMap;

use super::PlayerDeck;
use crate::{Card, Cards, Rules};

/// Sequences of draws, `None` for an epidemic, each with its number of the `whole` equally likely
/// cases.
type Known = BTreeMap<Vec<Option<Card>>, u64>;

/// Draws card by card; `share` is the number of cases of the sequence so far.
fn lazily(deck: PlayerDeck, rules: Rules, seen: Vec<Option<Card>>, share: u64, known: &mut Known) {
    if deck.is_empty() {
        *known.entry(seen).or_insert(0) += share;
        return;
    }
    let (epidemic, other) = deck.weights();
    let sum = u64::from(epidemic) + u64::from(other) * u64::from(deck.unseen().len());
    let cards = deck
        .unseen()
        .iter()
        .filter(|_| other > 0)
        .map(|card| (Some(card), other));
    for (card, weight) in cards.chain((epidemic > 0).then_some((None, epidemic))) {
        let part = share * u64::from(weight);
        assert_eq!(
            part % sum,
            0,
            "the whole is divisible by every sum of weights"
        );
        let mut next = deck;
        next.drawn(rules, card);
        lazily(
            next,
            rules,
            [&seen[..], &[card]].concat(),
            part / sum,
            known,
        );
    }
}

/// Draws from every order of the unseen cards, cut into piles of these sizes, with an epidemic at
/// every place of its pile.
fn eagerly(
    unseen: &[Card],
    piles: &[(u8, bool)],
    seen: Vec<Option<Card>>,
    whole: u64,
    known: &mut Known,
) {
    let Some((&(size, epidemic), rest)) = piles.split_first() else {
        *known.entry(seen).or_insert(0) += whole;
        return;
    };
    let places: Vec<Option<u8>> = if epidemic {
        (0..size).map(Some).collect()
    } else {
        vec![None]
    };
    for place in &places {
        for (pile, left) in arrangements(unseen, usize::from(size - u8::from(epidemic))) {
            let mut cards: Vec<Option<Card>> = pile.into_iter().map(Some).collect();
            if let Some(place) = place {
                cards.insert(usize::from(*place), None);
            }
            let ways = places.len() as u64
                * falling(unseen.len() as u64, u64::from(size - u8::from(epidemic)));
            assert_eq!(whole % ways, 0);
            eagerly(
                &left,
                rest,
                [&seen[..], &cards].concat(),
                whole / ways,
                known,
            );
        }
    }
}

fn falling(n: u64, k: u64) -> u64 {
    (0..k).map(|i| n - i).product()
}

/// Returns every way to arrange `count` of the cards, with the rest.
fn arrangements(cards: &[Card], count: usize) -> Vec<(Vec<Card>, Vec<Card>)> {
    if count == 0 {
        return vec![(Vec::new(), cards.to_vec())];
    }
    let mut all = Vec::new();
    for (at, card) in cards.iter().enumerate() {
        let rest = [&cards[..at], &cards[at + 1..]].concat();
        all.extend(
            arrangements(&rest, count - 1)
                .into_iter()
                .map(|(more, left)| ([&[*card][..], &more].concat(), left)),
        );
    }
    all
}

/// Compares both ways at the end of a deck of twelve small piles, with this many cards and
/// epidemics left.
fn same(total: u8, epidemics: u8, piles: &[(u8, bool)]) {
    let rules = Rules::new(2, 12)
        .expect("within the limits")
        .with_events(Cards::NONE);
    let unseen: Cards = Cards::CITIES
        .iter()
        .take(usize::from(total - epidemics))
        .collect();
    let deck =
        PlayerDeck::from_unseen(rules, unseen, 0, epidemics).expect("the end of such a deck");
    // Divisible by every sum of weights on the way.
    let whole = 2_u64.pow(24) * 3_u64.pow(12) * 5_u64.pow(5) * 7;
    let (mut lazy, mut eager) = (Known::new(), Known::new());
    lazily(deck, rules, Vec::new(), whole, &mut lazy);
    eagerly(
        &unseen.iter().collect::<Vec<_>>(),
        piles,
        Vec::new(),
        whole,
        &mut eager,
    );
    assert_eq!(lazy.values().sum::<u64>(), whole);
    assert_eq!(lazy, eager);
}

#[test]
fn draws_are_as_likely_as_from_a_stacked_deck() {
    same(4, 1, &[(4, true)]);
    same(8, 2, &[(4, true), (4, true)]);
    same(6, 2, &[(2, true), (4, true)]);
    same(6, 1, &[(2, false), (4, true)]);
    same(5, 2, &[(1, true), (4, true)]);
    same(3, 0, &[(3, false)]);
}

#[test]
fn a_deck_is_known_from_its_cards_and_epidemics_alone() {
    for (players, epidemics) in [(2, 0), (2, 4), (3, 5), (4, 6), (3, 12)] {
        let rules = Rules::new(players, epidemics).expect("within the limits");
        let mut deck = PlayerDeck::new(rules);
        // The hands are dealt.
        deck.unseen = deck
            .unseen
            .iter()
            .skip((rules.first_hand() * u32::from(players)) as usize)
            .collect();
        let mut left = epidemics;
        let mut number = 0_u32;
        while !deck.is_empty() {
            assert_eq!(
                PlayerDeck::from_unseen(rules, deck.unseen, 0, left),
                Some(deck)
            );
            number += 1;
            let (_, size, here) = deck.pile();
            if here && (number.is_multiple_of(7) || size == 1) {
                deck.drawn(rules, None);
                left -= 1;
            } else {
                deck.drawn(rules, deck.unseen.nth(number % deck.unseen.len()));
            }
        }
        assert_eq!(
            PlayerDeck::from_unseen(rules, deck.unseen, 0, left),
            Some(deck),
            "also when it is empty"
        );
    }
}

#[test]
fn decks_that_no_game_has_are_not_made() {
    let rules = Rules::new(2, 4).expect("a game of the box");
    let unseen: Cards = Cards::CITIES.iter().take(45).collect();
    assert!(PlayerDeck::from_unseen(rules, unseen, 0, 4).is_some());
    let more: Cards = Cards::CITIES.iter().take(46).collect();
    assert_eq!(
        PlayerDeck::from_unseen(rules, more, 0, 3),
        None,
        "the first pile is whole, so its epidemic is in it"
    );
    assert_eq!(
        PlayerDeck::from_unseen(rules, Cards::CITIES, 0, 4),
        None,
        "too many"
    );
    assert_eq!(
        PlayerDeck::from_unseen(rules, Cards::NONE, 0, 2),
        None,
        "two epidemics in one pile"
    );
}

/// Returns the probability of two epidemics in one draw of two cards, at any time of a game: the
/// sum over all ways through the deck.
fn double(players: u8, epidemics: u8) -> f64 {
    let rules = Rules::new(players, epidemics).expect("a game of the box");
    // Shares of games in which the previous card of this draw was an epidemic, and in which the
    // pile's epidemic is still to come.
    let mut states: BTreeMap<(bool, bool), f64> = BTreeMap::from([((false, true), 1.0)]);
    let (mut doubles, mut drawn) = (0.0, 0_u32);
    for pile in 0..rules.piles() {
        let mut begun: BTreeMap<(bool, bool), f64> = BTreeMap::new();
        states
            .into_iter()
            .for_each(|((before, _), share)| *begun.entry((before, true)).or_insert(0.0) += share);
        states = begun;
        for left in (1..=rules.pile(pile)).rev() {
            let second = drawn % 2 == 1;
            let mut next: BTreeMap<(bool, bool), f64> = BTreeMap::new();
            for ((before, here), share) in states {
                let hit = if here { share / f64::from(left) } else { 0.0 };
                if second && before {
                    doubles += hit;
                    // Counted once: later draws do not matter.
                    *next.entry((false, here)).or_insert(0.0) += share - hit;
                } else {
                    *next.entry((!second, false)).or_insert(0.0) += hit;
                    *next.entry((false, here)).or_insert(0.0) += share - hit;
                }
            }
            states = next;
            drawn += 1;
        }
    }
    doubles
}

#[test]
fn two_epidemics_in_one_draw_are_as_rare_as_the_piles_make_them() {
    let percent = |players, epidemics| (double(players, epidemics) * 1_000.0).round() / 10.0;
    assert_eq!(
        [4, 5, 6].map(|epidemics| percent(2, epidemics)),
        [2.0, 0.0, 5.7]
    );
    assert_eq!(
        [4, 5, 6].map(|epidemics| percent(4, epidemics)),
        [2.0, 0.0, 5.7]
    );
    assert_eq!(
        [4, 5, 6].map(|epidemics| percent(3, epidemics)),
        [0.0, 0.0, 1.2]
    );
}

#[test]
fn a_draw_has_two_epidemics_only_over_an_odd_border_of_piles() {
    // Probability that the last card of a pile and the first of the next are both epidemics.
    let border = |rules: Rules, pile: u8| {
        1.0 / f64::from(rules.pile(pile)) / f64::from(rules.pile(pile + 1))
    };
    for (players, epidemics) in [(2, 4), (2, 5), (2, 6), (3, 4), (3, 5), (3, 6)] {
        let rules = Rules::new(players, epidemics).expect("a game of the box");
        let odd = |pile: &u8| {
            (0..=*pile)
                .map(|above| u32::from(rules.pile(above)))
                .sum::<u32>()
                % 2
                == 1
        };
        let sum: f64 = (0..epidemics - 1)
            .filter(odd)
            .map(|pile| border(rules, pile))
            .sum();
        let exact = double(players, epidemics);
        // At most the sum, and less only by games with two such draws.
        assert!(
            exact <= sum + 1e-12 && exact >= sum - sum * sum,
            "{players} players, {epidemics} epidemics: {exact}, {sum}"
        );
        assert_eq!(exact == 0.0, sum == 0.0);
    }
}

#[test]
fn the_card_at_a_place_is_the_one_that_a_list_has_there() {
    let mut bits = 0x9E37_79B9_7F4A_7C15_u64;
    for _ in 0..2_000 {
        bits = bits.rotate_left(7).wrapping_mul(0x2545_F491_4F6C_DD1D) ^ bits >> 23;
        let cards = Cards(bits & bits.rotate_left(11) & (Cards::CITIES.0 | Cards::EVENTS.0));
        let listed: Vec<Card> = cards.iter().collect();
        for n in 0..60 {
            assert_eq!(
                cards.nth(n),
                listed.get(n as usize).copied(),
                "{cards:?} {n}"
            );
        }
    }
    assert_eq!(
        (
            crate::sets::nth_bit(u64::MAX, 63),
            crate::sets::nth_bit(u64::MAX, 64),
            crate::sets::nth_bit(0, 0)
        ),
        (63, 64, 64)
    );
}
