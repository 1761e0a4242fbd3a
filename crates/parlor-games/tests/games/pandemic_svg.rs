//! Pictures of Pandemic and the click paths of its moves, parsed back as XML over whole games.

use std::collections::{BTreeMap, BTreeSet};

use parlor_core::Turn;
use parlor_games::{AnyPosition, Click};
use parlor_pandemic::{Card, City, EventCard};
use roxmltree::{Document, Node};
use serde_json::{Value, json};

/// Maximum size of all clicks of a position, as sent to a browser, in bytes.
const MOST_CLICKS: usize = 48 * 1024;
/// Cards whose short names are not a prefix of the full name.
const SHORTENED: [&str; 3] = [
    "Resilient Population",
    "Government Grant",
    "One Quiet Night",
];
/// Maximum size of a picture, in bytes.
const MOST_PICTURE: usize = 53 * 1024;

fn start(options: Value) -> AnyPosition {
    parlor_games::pandemic::KIND
        .start(&options)
        .unwrap_or_else(|error| panic!("{options}: {error}"))
}

fn svg(view: &Value) -> String {
    parlor_games::pandemic::KIND
        .svg(view)
        .unwrap_or_else(|error| panic!("{view}: {error}"))
}

/// Small random number generator, so that the walks are reproducible.
struct Dice(u64);

impl Dice {
    fn below(&mut self, many: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % many
    }
}

/// Visits the positions of whole games. Diseases are treated and cured often, so that games last
/// long and reach every stage.
fn walk(options: Value, seed: u64, mut visit: impl FnMut(&AnyPosition, Option<&str>)) {
    let (mut position, mut dice, mut last) = (start(options), Dice(seed), None::<String>);
    loop {
        visit(&position, last.as_deref());
        match position.turn() {
            Turn::Over(_) => return,
            Turn::Chance => {
                let chances = position.chances();
                position
                    .resolve(&chances[dice.below(chances.len())].0)
                    .expect("one of the chances");
            }
            Turn::Move(_) => {
                let legal = position.legal();
                let wise = legal
                    .iter()
                    .find(|m| m.text.starts_with("cure:") || m.text.starts_with("treat:"));
                let m = wise.filter(|_| dice.below(3) > 0).cloned();
                let m = m.unwrap_or_else(|| legal[dice.below(legal.len())].clone());
                last = Some(position.play(&m.text, m.seat).expect("a legal move"));
            }
        }
    }
}

/// Visits games of two to four players, with and without consent, with the roles that have the most
/// choices.
fn games(mut visit: impl FnMut(&AnyPosition, Option<&str>)) {
    let roles = [
        json!([]),
        json!(["Dispatcher", "Operations Expert"]),
        json!(["Contingency Planner", "Researcher"]),
        json!(["Scientist", "Medic"]),
        json!(["Quarantine Specialist", "Dispatcher"]),
    ];
    for (n, roles) in roles.into_iter().cycle().take(10).enumerate() {
        let options = json!({
            "players": 2 + n % 3, "epidemics": 3 + n % 4, "consent": if n % 2 == 0 { "ask" } else { "implied" }, "roles": roles,
        });
        walk(options, n as u64, &mut visit);
    }
}

fn has_class(node: &Node<'_, '_>, class: &str) -> bool {
    node.attribute("class")
        .is_some_and(|all| all.split(' ').any(|one| one == class))
}

fn ids<'a>(picture: &'a Document<'a>) -> Vec<&'a str> {
    picture
        .descendants()
        .filter_map(|node| node.attribute("id"))
        .collect()
}

/// Returns the places, each with its id and its label for screen readers.
fn places(picture: &Document<'_>) -> BTreeMap<String, String> {
    let places = picture
        .descendants()
        .filter(|node| has_class(node, "place"));
    places
        .map(|node| {
            let of = |name: &str| {
                node.attribute(name)
                    .unwrap_or_else(|| panic!("no {name}: {node:?}"))
                    .to_owned()
            };
            (of("id"), of("aria-label"))
        })
        .collect()
}

/// Returns a game after these moves and chances.
fn after(options: Value, texts: &str) -> AnyPosition {
    let mut position = start(options);
    for text in texts.split_whitespace() {
        match position.turn() {
            Turn::Chance => position
                .resolve(text)
                .unwrap_or_else(|error| panic!("{text}: {error}")),
            Turn::Move(_) => {
                let legal = position.legal();
                let m = legal
                    .iter()
                    .find(|m| m.text == text)
                    .unwrap_or_else(|| panic!("{text} is not legal"));
                let (text, seat) = (m.text.clone(), m.seat);
                position
                    .play(&text, seat)
                    .unwrap_or_else(|error| panic!("{text}: {error}"));
            }
            Turn::Over(_) => panic!("{text}: the game is over"),
        }
    }
    position
}

/// Returns a two-player game with the Medic, who begins, and the Dispatcher, after a fixed setup.
fn set_up() -> AnyPosition {
    let infections = "infect:Paris infect:Cairo infect:Tokyo infect:Lima infect:Delhi infect:Milan infect:Miami infect:Lagos infect:Osaka";
    let hands = "deal:Jakarta deal:Atlanta deal:Chicago deal:Airlift deal:Essen deal:Forecast deal:London deal:Madrid";
    after(
        json!({ "players": 2, "roles": ["Medic", "Dispatcher"] }),
        &format!("{infections} {hands}"),
    )
}

fn paths_of<'a>(clicks: &'a [Click], text: &str) -> Vec<Vec<&'a str>> {
    let of = clicks.iter().filter(|click| click.text == text);
    of.map(|click| click.path.iter().map(String::as_str).collect())
        .collect()
}

#[test]
fn every_picture_of_a_game_is_small_and_well_formed_and_its_ids_are_its_own() {
    games(|position, last| {
        let view = position.view(last);
        let text = svg(&view);
        assert!(
            text.len() <= MOST_PICTURE,
            "{} bytes: {}",
            text.len(),
            position.text()
        );
        let picture =
            Document::parse(&text).unwrap_or_else(|error| panic!("{error}: {}", position.text()));
        let all = ids(&picture);
        let own: BTreeSet<&str> = all.iter().copied().collect();
        assert_eq!(all.len(), own.len(), "{}", position.text());
        for node in picture.descendants().filter(Node::is_element) {
            assert!(
                !["style", "script", "image", "foreignObject"].contains(&node.tag_name().name())
            );
            let pointed = node
                .attribute("href")
                .and_then(|href| href.strip_prefix('#'));
            let filled = node
                .attribute("fill")
                .and_then(|fill| fill.strip_prefix("url(#")?.strip_suffix(')'));
            for id in [pointed, filled].into_iter().flatten() {
                assert!(own.contains(id), "{id}: {}", position.text());
            }
        }
    });
}

#[test]
fn cities_name_those_that_a_way_reaches_across_the_edge_of_the_map() {
    let text = svg(&set_up().view(None));
    let picture = Document::parse(&text).expect("a picture is XML");
    let across: BTreeSet<(String, String)> = picture
        .descendants()
        .filter_map(|node| Some((node.attribute("id")?, node.attribute("data-across")?)))
        .flat_map(|(id, others)| {
            let others = others.split(' ').map(str::to_owned);
            others.map(move |other| (id.to_owned(), other))
        })
        .collect();
    let wanted = parlor_pandemic::across_the_edge().into_iter();
    let id = |city: City| format!("city-{}", city.text());
    let both = |(west, east)| [(id(west), id(east)), (id(east), id(west))];
    assert_eq!(across, wanted.flat_map(both).collect::<BTreeSet<_>>());
}

/// Returns every element with an id, with its class and label.
fn named(xml: &str) -> BTreeMap<String, [String; 2]> {
    let picture = Document::parse(xml).unwrap_or_else(|error| panic!("{error}: {xml}"));
    let own = |node: Node<'_, '_>, name: &str| node.attribute(name).unwrap_or_default().to_owned();
    let named = picture
        .descendants()
        .filter(|node| node.has_attribute("id"));
    named
        .map(|node| {
            (
                own(node, "id"),
                [own(node, "class"), own(node, "aria-label")],
            )
        })
        .collect()
}

#[test]
fn a_page_has_everything_that_the_picture_has_once_and_under_the_same_name() {
    games(|position, last| {
        let view = position.view(last);
        let page = parlor_games::pandemic::KIND
            .page(&view)
            .expect("its own view");
        assert!(
            page.len() <= MOST_PICTURE,
            "{} bytes: {}",
            page.len(),
            position.text()
        );
        assert_eq!(named(&page), named(&svg(&view)), "{}", position.text());
        let parsed = Document::parse(&page).expect("well-formed");
        assert_eq!(
            ids(&parsed).len(),
            named(&page).len(),
            "no id twice: {}",
            position.text()
        );
        let root = parsed.root_element();
        assert!(
            root.has_tag_name(("http://www.w3.org/1999/xhtml", "div")) && has_class(&root, "board")
        );
        for node in parsed
            .descendants()
            .filter(|node| node.attribute("href").is_some())
        {
            let id = node
                .attribute("href")
                .and_then(|href| href.strip_prefix('#'))
                .expect("a reference within the page");
            assert!(ids(&parsed).contains(&id), "{id}: {}", position.text());
        }
    });
}

#[test]
fn every_legal_move_has_a_way_over_places_of_the_picture_or_a_button() {
    games(|position, last| {
        let text = svg(&position.view(last));
        let picture = Document::parse(&text).expect("well-formed");
        let places = places(&picture);
        let clicks = position.clicks();
        for id in clicks.iter().flat_map(|click| &click.path) {
            assert!(
                places.contains_key(id),
                "{id} is no place: {}",
                position.text()
            );
        }
        let legal: BTreeSet<String> = position.legal().into_iter().map(|m| m.text).collect();
        let offered: BTreeSet<String> = clicks.iter().map(|click| click.text.clone()).collect();
        assert_eq!(offered, legal, "{}", position.text());
    });
}

#[test]
fn no_way_to_a_move_is_the_beginning_of_the_way_to_another() {
    games(|position, _| {
        let mut paths: Vec<Vec<String>> = position
            .clicks()
            .into_iter()
            .map(|click| click.path)
            .collect();
        paths.retain(|path| !path.is_empty());
        paths.sort();
        for pair in paths.windows(2) {
            assert!(
                !pair[1].starts_with(&pair[0]),
                "{:?} and {:?}: {}",
                pair[0],
                pair[1],
                position.text()
            );
        }
    });
}

#[test]
fn the_ways_of_all_moves_are_short_enough_to_be_sent() {
    games(|position, _| {
        let on_board = position
            .clicks()
            .into_iter()
            .filter(|click| !click.path.is_empty());
        let bytes: usize = on_board
            .map(|click| json!([click.text, false, click.path]).to_string().len() + 1)
            .sum();
        assert!(bytes <= MOST_CLICKS, "{bytes} bytes: {}", position.text());
    });
}

#[test]
fn a_card_is_never_lost_by_a_single_click() {
    games(|position, _| {
        for click in position
            .clicks()
            .iter()
            .filter(|click| click.path.len() == 1)
        {
            let verb = click.text.split(':').next().unwrap_or_default();
            assert!(
                !["fly", "charter", "expert", "give", "airlift", "grant"].contains(&verb),
                "{}",
                click.text
            );
        }
    });
}

#[test]
fn a_city_says_all_there_is_to_know_of_it() {
    let position = set_up();
    let text = svg(&position.view(None));
    let picture = Document::parse(&text).expect("well-formed");
    let places = places(&picture);
    assert_eq!(
        places["city-Paris"],
        "Paris, blue, 3 blue cubes, 1 more blue cube: outbreak in Paris, 3\u{a0}% infection next, 3\u{a0}% outbreak"
    );
    assert_eq!(
        places["city-Lagos"],
        "Lagos, yellow, 1 yellow cube, 3\u{a0}% infection next"
    );
    let atlanta = &places["city-Atlanta"];
    assert!(
        atlanta.starts_with("Atlanta, blue, station, Medic and Dispatcher here, "),
        "{atlanta}"
    );
    assert!(
        atlanta.ends_with(" 5\u{a0}% infection next, under 1\u{a0}% outbreak"),
        "2 of 39 cards, or with an epidemic the bottom one, too: {atlanta}"
    );
    assert_eq!(
        places.keys().filter(|id| id.starts_with("city-")).count(),
        48
    );
}

#[test]
fn pieces_lie_where_the_view_has_them() {
    games(|position, last| {
        let view = position.view(last);
        let text = svg(&view);
        let picture = Document::parse(&text).expect("well-formed");
        let all: BTreeSet<&str> = ids(&picture).into_iter().collect();
        let cubes: u64 = view["infection"]
            .as_object()
            .expect("cities")
            .values()
            .flat_map(|city| {
                city.as_object()
                    .expect("colors")
                    .values()
                    .filter_map(Value::as_u64)
            })
            .sum();
        assert_eq!(
            all.iter()
                .filter(|id| id.matches('-').count() >= 3 && id.starts_with("cube-"))
                .count() as u64,
            cubes
        );
        let stations = view["research_centres"].as_array().expect("stations").len();
        assert_eq!(
            all.iter().filter(|id| id.starts_with("station-")).count(),
            stations
        );
        let players = view["players"].as_array().expect("players");
        let roles = players
            .iter()
            .filter(|player| !player["role"].is_null())
            .count();
        assert_eq!(
            all.iter().filter(|id| id.starts_with("pawn-")).count(),
            roles
        );
        let held = players.iter().map(|player| {
            let many = |field: &str| player[field].as_array().map_or(0, Vec::len);
            many("hand") + many("single_use") + usize::from(player.get("stored").is_some())
        });
        let open = held.sum::<usize>();
        let events = position
            .legal()
            .iter()
            .filter(|m| m.text.starts_with("fetch:"))
            .count();
        let cards = all.iter().filter(|id| id.starts_with("card-")).count();
        assert!(
            cards >= open + events,
            "{cards} cards are shown of {open} held and {events} to fetch: {}",
            position.text()
        );
    });
}

#[test]
fn a_free_way_is_one_click_and_a_flight_is_paid_by_its_card() {
    let clicks = set_up().clicks();
    assert_eq!(
        paths_of(&clicks, "drive:Chicago"),
        [vec!["city-Chicago"], vec!["pawn-Medic", "city-Chicago"]]
    );
    let (first, second) = (
        vec!["card-Jakarta", "city-Jakarta"],
        vec!["city-Jakarta", "card-Jakarta"],
    );
    assert_eq!(paths_of(&clicks, "fly:Jakarta"), [first, second]);
    // No flight can be made by accident to a city that the pawn can drive to.
    assert_eq!(
        paths_of(&clicks, "fly:Chicago"),
        [vec!["card-Chicago", "city-Chicago"]]
    );
    assert_eq!(
        paths_of(&clicks, "charter:Osaka"),
        [
            vec!["card-Atlanta", "city-Osaka"],
            vec!["city-Osaka", "card-Atlanta"]
        ]
    );
    assert_eq!(
        paths_of(&clicks, "airlift:Dispatcher:Lima"),
        [vec!["card-Airlift", "pawn-Dispatcher", "city-Lima"]]
    );
    assert_eq!(
        paths_of(&clicks, "give:Atlanta:Dispatcher"),
        [vec![], vec!["card-Atlanta", "player-1"]]
    );
    assert_eq!(paths_of(&clicks, "draw"), [Vec::<&str>::new()]);
}

#[test]
fn what_is_never_seen_is_nowhere_in_the_picture() {
    let position = set_up();
    let text = svg(&position.view(None));
    let picture = Document::parse(&text).expect("well-formed");
    let places = places(&picture);
    let cards: Vec<&String> = places.keys().filter(|id| id.starts_with("card-")).collect();
    assert_eq!(cards.len(), 8, "only the two hands: {cards:?}");
    assert!(
        places["infection-deck"].ends_with("39 cards, in layers from the top: 39"),
        "{}",
        places["infection-deck"]
    );
    assert!(
        places["infection-discard"].contains("9 cards")
            && places["infection-discard"].contains("Osaka")
    );
}

#[test]
fn everything_on_a_discard_pile_is_read_below_the_hands() {
    let mut discarded = 0;
    games(|position, last| {
        let view = position.view(last);
        let text = svg(&view);
        let picture = Document::parse(&text).expect("well-formed");
        let below = picture
            .descendants()
            .find(|node| has_class(node, "discards"))
            .expect("the piles");
        let shown: Vec<&str> = below
            .descendants()
            .filter(|node| node.has_tag_name("tspan"))
            .filter_map(|node| node.text())
            .collect();
        let names = |pile: &str| view[pile].as_array().expect("a pile").clone();
        let all = [names("infection_discard"), names("player_discard")].concat();
        assert_eq!(shown.len(), all.len(), "{}", position.text());
        // The longest names are shortened on cards.
        let is_shown = |name: &Value| {
            name.as_str()
                .is_some_and(|name| shown.iter().any(|shown| name.starts_with(shown)))
        };
        let hidden: Vec<&Value> = all
            .iter()
            .filter(|name| {
                !SHORTENED.contains(&name.as_str().unwrap_or_default()) && !is_shown(name)
            })
            .collect();
        assert!(hidden.is_empty(), "{hidden:?}: {}", position.text());
        discarded = discarded.max(all.len());
    });
    assert!(discarded > 40, "only {discarded} cards were discarded");
}

#[test]
fn a_card_to_discard_is_on_the_table_and_a_button_too() {
    let mut discards = BTreeSet::new();
    games(|position, _| {
        let clicks = position.clicks();
        for click in clicks
            .iter()
            .filter(|click| click.text.starts_with("discard:") && click.path.is_empty())
        {
            let name = click
                .label
                .strip_prefix("Discard ")
                .expect("what the button says");
            let ways = paths_of(&clicks, &click.text);
            assert_eq!(ways.len(), 2, "{}", click.text);
            assert_eq!(
                ways[1][0],
                format!("card-{}", click.text.trim_start_matches("discard:"))
            );
            discards.insert(name.to_owned());
        }
        let buttons = clicks
            .iter()
            .filter(|click| click.path.is_empty() && click.text.starts_with("discard:"))
            .count();
        let legal = position
            .legal()
            .iter()
            .filter(|m| m.text.starts_with("discard:"))
            .count();
        assert_eq!(buttons, legal, "{}", position.text());
    });
    assert!(discards.len() > 20, "only {discards:?} could be discarded");
}

#[test]
fn the_cards_of_a_forecast_are_on_the_table_and_buttons_too() {
    let mut forecasts = 0;
    games(|position, _| {
        let clicks = position.clicks();
        for city in clicks
            .iter()
            .filter_map(|click| click.text.strip_prefix("next:"))
        {
            let ways = paths_of(&clicks, &format!("next:{city}"));
            assert_eq!(ways, [vec![], vec![format!("forecast-{city}").as_str()]]);
            forecasts += 1;
        }
    });
    assert!(forecasts > 0, "nobody has looked ahead");
}

/// Rectangle: left, top, right, bottom.
#[derive(Clone, Copy, Debug)]
struct Frame([f64; 4]);

impl Frame {
    /// Returns the frame of a shape relative to its center or foot.
    fn around(x: f64, y: f64, [left, up, right, down]: [f64; 4]) -> Frame {
        Frame([x - left, y - up, x + right, y + down])
    }

    fn meets(&self, other: &Frame) -> bool {
        let (Frame(a), Frame(b)) = (self, other);
        a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
    }

    fn is_within(&self, other: &Frame) -> bool {
        let (Frame(a), Frame(b)) = (self, other);
        a[0] >= b[0] && a[1] >= b[1] && a[2] <= b[2] && a[3] <= b[3]
    }
}

fn number_of(node: Node<'_, '_>, name: &str) -> f64 {
    let value = node
        .attribute(name)
        .unwrap_or_else(|| panic!("no {name}: {node:?}"));
    value.parse().unwrap_or_else(|_| panic!("{name}: {value}"))
}

/// Returns the width of a text in DejaVu Sans, which is wider than most fonts. Bold adds a tenth.
fn width(text: &str, size: f64) -> f64 {
    let letter = |letter: char| match letter {
        'i' | 'j' | 'l' => 0.28,
        '.' | ' ' => 0.32,
        'r' | 't' => 0.41,
        'I' | 'J' => 0.3,
        'm' | 'M' | 'W' => 0.97,
        'w' => 0.82,
        'B' | 'C' | 'K' | 'L' | 'P' | 'R' | 'S' | 'T' => 0.7,
        'A'..='Z' => 0.79,
        _ => 0.635,
    };
    text.chars().map(letter).sum::<f64>() * size
}

/// Returns the area of a line of text, without descenders.
fn text_frame(node: Node<'_, '_>, size: f64, broader: f64) -> Frame {
    let width = width(node.text().expect("a text"), size) * broader;
    let before = match node.attribute("text-anchor") {
        Some("end") => width,
        Some("middle") => width / 2.0,
        _ => 0.0,
    };
    Frame::around(
        number_of(node, "x"),
        number_of(node, "y"),
        [before, 0.73 * size, width - before, 0.0],
    )
}

fn by_id<'a>(picture: &'a Document<'a>, id: &str) -> Node<'a, 'a> {
    let found = picture
        .descendants()
        .find(|node| node.attribute("id") == Some(id));
    found.unwrap_or_else(|| panic!("{id} is not in the picture"))
}

/// Returns the view of a four-player game with all pawns, a station and cubes in one city.
fn crowd(city: City, players: usize) -> Value {
    let roles = ["Medic", "Dispatcher", "Scientist", "Researcher"];
    let mut view = start(json!({ "players": players })).view(None);
    for (seat, role) in roles.iter().enumerate().take(players) {
        view["players"][seat]["role"] = json!(role);
        view["players"][seat]["city"] = json!(city.name());
    }
    view["research_centres"] = json!([city.name()]);
    view["infection"] = json!({ city.name(): { "COLOUR_BLUE": 3, "COLOUR_RED": 2 } });
    view
}

#[test]
fn the_name_cubes_station_and_pawns_of_a_city_hide_nothing_of_each_other() {
    for (city, players) in City::all().flat_map(|city| (2..=4).map(move |players| (city, players)))
    {
        let text = svg(&crowd(city, players));
        let picture = Document::parse(&text).expect("well-formed");
        let at = |node: Node<'_, '_>, sides| {
            Frame::around(number_of(node, "x"), number_of(node, "y"), sides)
        };
        let mut label = by_id(&picture, &format!("city-{}", city.text())).descendants();
        let name = label
            .rfind(|node| node.has_tag_name("text"))
            .expect("a name");
        let mut shown = vec![("name".to_owned(), text_frame(name, 12.0, 1.1))];
        let mut pawns = Vec::new();
        for node in picture
            .descendants()
            .filter(|node| node.attribute("id").is_some())
        {
            let id = node.attribute("id").unwrap_or_default();
            if id.starts_with("cube-") && id.matches('-').count() >= 3 {
                shown.push((id.to_owned(), at(node, [5.6; 4])));
            } else if id.starts_with("station-") {
                shown.push((id.to_owned(), at(node, [7.5, 7.5, 7.5, 7.0])));
            } else if id.starts_with("pawn-") {
                let body = node
                    .children()
                    .find(|node| node.attribute("href") == Some("#pawn"))
                    .expect("a body");
                pawns.push(at(body, [10.0, 25.4, 10.0, 0.0]));
            }
        }
        assert_eq!((shown.len(), pawns.len()), (7, players), "{city}");
        let map = Frame([0.0, 0.0, 1200.0, 632.0]);
        for pawn in &pawns {
            assert!(pawn.is_within(&map), "{city}: a pawn is beyond the edge");
            for (what, frame) in &shown {
                assert!(
                    !pawn.meets(frame),
                    "{city}, {players} pawns: one hides {what}, {pawn:?} {frame:?}"
                );
            }
        }
        for (n, (what, frame)) in shown.iter().enumerate() {
            let other = shown[..n].iter().find(|(_, other)| frame.meets(other));
            assert!(other.is_none(), "{city}: {what} and {other:?}");
        }
        // The letter on a pawn remains legible although the next pawn overlaps its side.
        for pair in pawns.windows(2) {
            assert!(pair[1].0[0] - pair[0].0[0] >= 16.0, "{city}");
        }
    }
}

#[test]
fn the_name_of_every_card_fits_on_it_in_every_hand() {
    let cities = City::all().map(Card::City);
    let events = EventCard::ALL.into_iter().map(Card::Event);
    let cards: Vec<Card> = cities.chain(events).collect();
    for (players, hand) in
        (2..=4).flat_map(|players| cards.chunks(7).map(move |hand| (players, hand)))
    {
        let mut view = start(json!({ "players": players })).view(None);
        let names = |wanted: fn(&Card) -> bool| {
            hand.iter()
                .filter(|card| wanted(card))
                .map(|card| card.name())
                .collect()
        };
        let last = &mut view["players"][players - 1];
        let (in_hand, single_use): (Vec<&str>, Vec<&str>) = (
            names(|card| matches!(card, Card::City(_))),
            names(|card| matches!(card, Card::Event(_))),
        );
        (last["hand"], last["single_use"]) = (json!(in_hand), json!(single_use));
        let text = svg(&view);
        let picture = Document::parse(&text).expect("well-formed");
        for card in hand {
            let group = by_id(&picture, &format!("card-{}", card.text()));
            let rect = group
                .children()
                .find(|node| node.has_tag_name("rect"))
                .expect("paper");
            let label = group
                .children()
                .find(|node| node.has_tag_name("text"))
                .expect("a name");
            let size = label
                .attribute("font-size")
                .map_or(12.0, |size| size.parse().expect("a size"));
            assert!(size >= 10.0, "{card}: {size} is too small to be read");
            let (left, top) = (number_of(rect, "x"), number_of(rect, "y"));
            let paper = Frame([
                left,
                top,
                left + number_of(rect, "width"),
                top + number_of(rect, "height"),
            ]);
            let name = text_frame(label, size, 1.0);
            assert!(
                name.is_within(&paper),
                "{players} players, {card}: {name:?} is beyond {paper:?}"
            );
        }
    }
}

#[test]
fn the_chain_of_an_outbreak_is_told_before_it_happens() {
    let position = set_up();
    let view = position.view(None);
    assert_eq!(
        view["chains"]["Paris"],
        json!({ "COLOUR_BLUE": ["Paris"] }),
        "nobody else has three cubes there"
    );
    let mut told = 0;
    games(|position, _| {
        let view = position.view(None);
        let text = svg(&view);
        let picture = Document::parse(&text).expect("well-formed");
        let places = places(&picture);
        let rings = picture
            .descendants()
            .find(|node| has_class(node, "alarm"))
            .expect("the rings")
            .children();
        let rings = rings.filter(|node| node.has_tag_name("circle")).count();
        assert_eq!(rings, view["chains"].as_object().expect("cities").len());
        // The next infection matches the announced chains.
        for (chance, _) in position.chances() {
            let Some(city) = chance
                .strip_prefix("infect:")
                .and_then(|name| City::all().find(|c| c.text() == name))
            else {
                continue;
            };
            let color = format!("COLOUR_{}", city.color().name().to_uppercase());
            let chain = view["chains"][city.name()][&color]
                .as_array()
                .map_or(0, Vec::len);
            let mut after = position.clone();
            after.resolve(&chance).expect("one of the chances");
            let after = after.view(None);
            let number = |view: &Value| view["outbreaks"].as_u64().expect("a number") as usize;
            if view["phase"] != "setup" {
                assert_eq!(
                    number(&after) - number(&view),
                    chain,
                    "{chance}: {}",
                    position.text()
                );
            }
            if chain > 1 {
                let names: Vec<&str> = view["chains"][city.name()][&color]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str)
                    .collect();
                let warning = format!(
                    "1 more {} cube: outbreak in {}",
                    city.color(),
                    names.join(", ")
                );
                let said = &places[&format!("city-{}", city.text())];
                assert!(said.contains(&warning) && text.contains(&warning), "{said}");
                told += 1;
            }
        }
    });
    assert!(told > 10, "{told} chains are few");
}

#[test]
fn texts_of_a_view_that_mean_something_in_xml_are_shown_as_they_are() {
    let mut view = set_up().view(None);
    view["players"][0]["role"] = json!("<Medic & \"friends\">");
    view["infection_discard"] = json!(["<&>"]);
    let text = svg(&view);
    let picture = Document::parse(&text).expect("well-formed");
    assert!(places(&picture)["infection-discard"].ends_with("1 card: <&>"));
}

#[test]
fn a_picture_names_whose_turn_it_is_and_how_the_game_stands() {
    let position = set_up();
    let text = svg(&position.view(None));
    let picture = Document::parse(&text).expect("well-formed");
    let title = picture
        .root_element()
        .attribute("aria-label")
        .expect("a title");
    let says = "Pandemic: Dispatcher: 4 actions left; 0 of 8 outbreaks, infection rate 2, 0 of 4 cures, 49 player cards left";
    let other = says.replace("Dispatcher:", "Medic:");
    assert!(title == says || title == other, "{title}");
}
