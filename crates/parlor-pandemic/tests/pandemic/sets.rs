//! Sets, and the size of what is made of them.

use parlor_core::Seat;
use parlor_pandemic::{
    Action, Card, Cards, Cities, City, Color, ColorCities, Colors, EventCard, EventCards, Game,
    Move, Role, Roles, Seats,
};

use crate::help::{chosen, city, seat};

fn cities(numbers: &[u8]) -> Cities {
    let city = |number: &u8| City::new(*number).expect("a number below 48");
    numbers.iter().map(city).collect()
}

#[test]
fn sets_support_set_operations() {
    let (some, others) = (cities(&[0, 1, 3]), cities(&[1, 2]));
    assert_eq!(some.and(others), cities(&[1]));
    assert_eq!(some.or(others), cities(&[0, 1, 2, 3]));
    assert_eq!(some.minus(others), cities(&[0, 3]));
    assert_eq!(some.len(), 3);
    assert_eq!(some.into_iter().collect::<Cities>(), some);
    assert_eq!(City::all().collect::<Cities>(), Cities::ALL);
    assert!(Cities::NONE.is_empty() && !some.is_empty());
    assert_eq!(some.without(City::ATLANTA).with(City::ATLANTA), some);
    assert!(some.has(City::ATLANTA) && !others.has(City::ATLANTA));
}

#[test]
fn every_set_lists_its_members_in_order() {
    assert!(Cities::ALL.into_iter().eq(City::all()));
    assert!(EventCards::ALL.into_iter().eq(EventCard::ALL));
    assert!(Roles::ALL.into_iter().eq(Role::ALL));
    assert!(Colors::ALL.into_iter().eq(Color::ALL));
    assert!(Seats::ALL.into_iter().eq(Seat::all(4)));
    assert_eq!(Seats::one(seat(2)).iter().len(), 1);
    assert_eq!(Colors::NONE.iter().next(), None);
}

#[test]
fn cards_are_cities_and_events() {
    let paris = city("Paris");
    let cards: Cards = [Card::Event(EventCard::Forecast), Card::City(paris)]
        .into_iter()
        .collect();
    assert_eq!(cards.cities(), Cities::one(paris));
    assert_eq!(cards.events(), EventCards::one(EventCard::Forecast));
    let both = Cards::from_cities(cards.cities()).or(Cards::from_events(cards.events()));
    assert_eq!(both, cards);
    assert_eq!(format!("{cards:?}"), "{City(Paris), Event(Forecast)}");
}

#[test]
fn subsets_of_a_color_are_all_those_of_a_size() {
    for color in Color::ALL {
        for size in 1..=5 {
            let all: Vec<ColorCities> =
                ColorCities::new(color, Cities::ALL).subsets(size).collect();
            let expected = (0..1_u16 << 12).rev();
            let expected = expected.filter(|bits| bits.count_ones() == size);
            assert!(
                all.iter()
                    .copied()
                    .eq(expected.map(|bits| chosen(color, bits)))
            );
        }
    }
    let pair = chosen(Color::Red, 0b101);
    assert_eq!(pair.subsets(2).collect::<Vec<_>>(), [pair]);
    assert_eq!(pair.subsets(3).count(), 0);
    assert_eq!(chosen(Color::Red, 0).subsets(0).count(), 0);
}

#[test]
fn moves_and_games_are_small() {
    assert_eq!(size_of::<ColorCities>(), 2);
    assert_eq!(size_of::<Action>(), 4);
    assert_eq!(size_of::<Option<Move>>(), 4);
    assert_eq!(size_of::<Game>(), 304);
}
