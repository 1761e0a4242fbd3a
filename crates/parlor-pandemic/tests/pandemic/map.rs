//! The map, compared with lists of connections by name.

use std::collections::BTreeSet;

use parlor_pandemic::{Cities, City, Color, across_the_edge};

use crate::help::city;

const BLUE: &str = "Atlanta: Chicago, Washington, Miami | Chicago: San Francisco, Los Angeles, Mexico City, Atlanta, Montreal | \
    Essen: London, Paris, Milan, St. Petersburg | London: New York, Madrid, Paris, Essen | \
    Madrid: New York, London, Paris, Algiers, São Paulo | Milan: Essen, Paris, Istanbul | Montreal: Chicago, Washington, New York | \
    New York: Montreal, Washington, London, Madrid | Paris: London, Madrid, Essen, Milan, Algiers | \
    San Francisco: Tokyo, Manila, Los Angeles, Chicago | St. Petersburg: Essen, Istanbul, Moscow | \
    Washington: Atlanta, Miami, Montreal, New York";
const YELLOW: &str = "Bogotá: Miami, Mexico City, Lima, Buenos Aires, São Paulo | Buenos Aires: Bogotá, São Paulo | \
    Johannesburg: Kinshasa, Khartoum | Khartoum: Cairo, Lagos, Kinshasa, Johannesburg | Kinshasa: Lagos, Khartoum, Johannesburg | \
    Lagos: São Paulo, Kinshasa, Khartoum | Lima: Mexico City, Bogotá, Santiago | \
    Los Angeles: San Francisco, Chicago, Mexico City, Sydney | Mexico City: Los Angeles, Chicago, Miami, Bogotá, Lima | \
    Miami: Atlanta, Washington, Mexico City, Bogotá | Santiago: Lima | São Paulo: Bogotá, Buenos Aires, Madrid, Lagos";
const BLACK: &str = "Algiers: Madrid, Paris, Istanbul, Cairo | Baghdad: Istanbul, Tehran, Cairo, Riyadh, Karachi | \
    Cairo: Algiers, Istanbul, Baghdad, Riyadh, Khartoum | Chennai: Mumbai, Delhi, Kolkata, Bangkok, Jakarta | \
    Delhi: Tehran, Karachi, Mumbai, Chennai, Kolkata | Istanbul: Milan, St. Petersburg, Moscow, Baghdad, Cairo, Algiers | \
    Karachi: Baghdad, Tehran, Delhi, Mumbai, Riyadh | Kolkata: Delhi, Chennai, Bangkok, Hong Kong | \
    Moscow: St. Petersburg, Istanbul, Tehran | Mumbai: Karachi, Delhi, Chennai | Riyadh: Cairo, Baghdad, Karachi | \
    Tehran: Moscow, Baghdad, Karachi, Delhi";
const RED: &str = "Bangkok: Kolkata, Chennai, Jakarta, Ho Chi Minh City, Hong Kong | Beijing: Seoul, Shanghai | \
    Ho Chi Minh City: Jakarta, Bangkok, Hong Kong, Manila | Hong Kong: Kolkata, Bangkok, Ho Chi Minh City, Manila, Taipei, Shanghai | \
    Jakarta: Chennai, Bangkok, Ho Chi Minh City, Sydney | Manila: San Francisco, Ho Chi Minh City, Hong Kong, Taipei, Sydney | \
    Osaka: Tokyo, Taipei | Seoul: Beijing, Shanghai, Tokyo | Shanghai: Beijing, Seoul, Tokyo, Taipei, Hong Kong | \
    Sydney: Jakarta, Manila, Los Angeles | Taipei: Shanghai, Osaka, Hong Kong, Manila | Tokyo: Seoul, Shanghai, Osaka, San Francisco";

#[test]
fn every_city_has_the_printed_connections_and_color() {
    for (color, list) in Color::ALL.into_iter().zip([BLUE, YELLOW, BLACK, RED]) {
        let rows: Vec<&str> = list.split(" | ").collect();
        assert_eq!(rows.len(), 12, "{color}");
        for row in rows {
            let (name, near) = row.split_once(": ").expect("a city and its connections");
            let here = City::all()
                .find(|city| city.name() == name)
                .expect("the printed name");
            assert_eq!(here.color(), color, "{name}");
            assert!(color.cities().has(here));
            assert_eq!(
                here.neighbors(),
                near.split(", ").map(city).collect::<Cities>(),
                "{name}"
            );
        }
    }
}

#[test]
fn there_are_93_connections_and_all_go_both_ways() {
    let ways: Vec<(City, City)> = City::all()
        .flat_map(|from| from.neighbors().into_iter().map(move |to| (from, to)))
        .collect();
    assert_eq!(ways.len(), 2 * 93);
    assert!(
        ways.iter()
            .all(|(from, to)| from != to && to.neighbors().has(*from))
    );
    assert_eq!(
        ways.iter()
            .filter(|(from, to)| from.color() != to.color())
            .count(),
        2 * 19
    );
}

#[test]
fn santiago_is_a_dead_end_and_hong_kong_and_istanbul_are_hubs() {
    let mut histogram = [0; 7];
    City::all().for_each(|city| histogram[city.neighbors().len() as usize] += 1);
    assert_eq!(histogram, [0, 1, 4, 12, 16, 13, 2]);
    assert_eq!(city("Santiago").neighbors().len(), 1);
    assert_eq!(
        (
            city("Hong Kong").neighbors().len(),
            city("Istanbul").neighbors().len()
        ),
        (6, 6)
    );
}

#[test]
fn distances_match_walks_along_connections() {
    let mut sum = 0;
    let mut far = BTreeSet::new();
    for from in City::all() {
        let mut reached = Cities::one(from);
        for steps in 0..=9 {
            for to in reached {
                let known = from.distance(to);
                assert!(known <= steps);
                if known == steps {
                    sum += u32::from(steps);
                    if steps == 9 && from < to {
                        far.insert((from.name(), to.name()));
                    }
                }
            }
            reached = reached
                .into_iter()
                .fold(reached, |all, city| all.or(city.neighbors()));
        }
        assert_eq!(reached, Cities::ALL);
    }
    let expected = [
        ("Johannesburg", "Beijing"),
        ("Johannesburg", "Osaka"),
        ("Johannesburg", "Seoul"),
        ("Kinshasa", "Beijing"),
    ];
    assert_eq!(far, BTreeSet::from(expected));
    assert_eq!(
        (f64::from(sum) / (48.0 * 47.0) * 100.0).round(),
        414.0,
        "the mean distance is 4.14"
    );
}

#[test]
fn only_chicago_and_lima_share_a_population() {
    let mut by_people: Vec<(u32, &str)> = City::all()
        .map(|city| (city.population(), city.name()))
        .collect();
    by_people.sort_unstable();
    assert_eq!(
        (by_people[0], by_people[47]),
        ((575_000, "Essen"), (26_063_000, "Jakarta"))
    );
    let ties: Vec<_> = by_people
        .windows(2)
        .filter(|pair| pair[0].0 == pair[1].0)
        .collect();
    assert_eq!(ties, [[(9_121_000, "Chicago"), (9_121_000, "Lima")]]);
}

#[test]
fn three_connections_cross_the_pacific_and_the_edge_of_the_picture() {
    let across: BTreeSet<(City, City)> = across_the_edge().into_iter().collect();
    let long = City::all().flat_map(|from| from.neighbors().into_iter().map(move |to| (from, to)));
    let long = long.filter(|(from, to)| from.coordinates().0 < -90.0 && to.coordinates().0 > 90.0);
    assert_eq!(long.collect::<BTreeSet<_>>(), across);
}

#[test]
fn names_texts_and_codes_are_unique() {
    let codes: BTreeSet<&str> = City::all().map(City::code).collect();
    assert_eq!(codes.len(), 48);
    for here in City::all() {
        assert!(
            here.code().len() == 3
                && here
                    .code()
                    .bytes()
                    .all(|letter| letter.is_ascii_alphabetic())
        );
        assert!(
            here.text()
                .bytes()
                .all(|letter| letter.is_ascii_alphabetic() || letter == b'-'),
            "{here}"
        );
        assert_eq!(
            [here.name(), here.text(), here.code()].map(City::from_name),
            [Some(here); 3]
        );
        assert_eq!(City::new(here.index() as u8), Some(here));
    }
    assert_eq!(City::new(48), None);
}
