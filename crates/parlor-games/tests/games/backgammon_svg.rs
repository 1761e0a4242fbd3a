//! Backgammon pictures, parsed back as XML.

use std::collections::{BTreeMap, BTreeSet};

use parlor_core::{Seat, Turn};
use parlor_games::{AnyPosition, Perspective};
use roxmltree::{Document, Node};
use serde_json::{Value, json};

/// Width of a small phone in pixels.
const TELEPHONE: f64 = 360.0;

fn start(options: Value) -> AnyPosition {
    parlor_games::backgammon::KIND
        .start(&options)
        .unwrap_or_else(|error| panic!("{options}: {error}"))
}

/// Returns a game after alternating moves and rolls; rolls are digits, such as `31` or `3-1`.
fn after(options: Value, texts: &str) -> (AnyPosition, Option<String>) {
    let (mut position, mut last) = (start(options), None);
    for text in texts.split_whitespace() {
        match position.turn() {
            Turn::Chance => position
                .resolve(text)
                .unwrap_or_else(|error| panic!("{text}: {error}")),
            Turn::Move(seat) => {
                let played = position
                    .play(text, seat)
                    .unwrap_or_else(|error| panic!("{text}: {error}"));
                last = if played.contains('/') {
                    Some(played)
                } else {
                    last
                };
            }
            Turn::Over(_) => panic!("{text}: the game is over"),
        }
    }
    (position, last)
}

fn view(options: Value, texts: &str) -> Value {
    let (position, last) = after(options, texts);
    position.view(last.as_deref())
}

fn svg(view: &Value) -> String {
    parlor_games::backgammon::KIND
        .svg(view)
        .unwrap_or_else(|error| panic!("{view}: {error}"))
}

/// Returns the view with some fields changed.
fn with(mut view: Value, fields: Value) -> Value {
    let Value::Object(fields) = fields else {
        panic!("{fields} are no fields")
    };
    for (name, value) in fields {
        view[name] = value;
    }
    view
}

fn look<T>(view: &Value, read: impl Fn(&Document<'_>) -> T) -> T {
    let svg = svg(view);
    read(&Document::parse(&svg).unwrap_or_else(|error| panic!("{view}: {error}")))
}

fn find<'a>(picture: &'a Document<'a>, id: &str) -> Node<'a, 'a> {
    picture
        .descendants()
        .find(|node| node.attribute("id") == Some(id))
        .unwrap_or_else(|| panic!("there is no {id}"))
}

fn has_class(node: &Node<'_, '_>, class: &str) -> bool {
    node.attribute("class")
        .is_some_and(|all| all.split(' ').any(|one| one == class))
}

fn class<'a>(picture: &'a Document<'a>, class: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    picture
        .descendants()
        .filter(move |node| has_class(node, class))
}

fn number(node: &Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name)
        .and_then(|value| value.parse().ok())
        .unwrap_or_else(|| panic!("no {name}: {node:?}"))
}

/// Returns the width and height of the picture.
fn size(picture: &Document<'_>) -> (f64, f64) {
    let view_box = picture
        .root_element()
        .attribute("viewBox")
        .expect("a view box");
    let numbers: Vec<f64> = view_box
        .split(' ')
        .map(|n| n.parse().expect("a number"))
        .collect();
    (numbers[2], numbers[3])
}

/// Returns left, top, width and height of the area of a place that takes clicks.
fn room(picture: &Document<'_>, id: &str) -> [f64; 4] {
    let cell = find(picture, id)
        .children()
        .find(|node| has_class(node, "cell"))
        .expect("a cell");
    let d = cell
        .attribute("d")
        .expect("a path")
        .replace(['M', 'h', 'v', 'z'], " ");
    let numbers: Vec<f64> = d
        .split_whitespace()
        .map(|n| n.parse().expect("a number"))
        .collect();
    [numbers[0], numbers[1], numbers[2], numbers[3]]
}

/// Returns the checkers, each with its id and center.
fn checkers(picture: &Document<'_>) -> BTreeMap<String, (f64, f64)> {
    let drawn = picture
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "use")));
    let pieces = drawn.filter(|node| {
        node.parent()
            .is_some_and(|parent| has_class(&parent, "pieces"))
    });
    pieces
        .map(|node| {
            (
                node.attribute("id").expect("an id").to_owned(),
                (number(&node, "x"), number(&node, "y")),
            )
        })
        .collect()
}

/// Visits the positions of whole games, with the last play of each. The rule for picking moves
/// differs between games.
fn walks(options: Value, games: usize, visit: impl Fn(&AnyPosition, &Value)) {
    for game in 0..games {
        let (mut position, mut last) = (start(options.clone()), None);
        for n in game..game + 400 {
            visit(&position, &position.view(last.as_deref()));
            match position.turn() {
                Turn::Over(_) => break,
                Turn::Chance => {
                    let chances = position.chances();
                    position
                        .resolve(&chances[(n * 11 + game) % chances.len()].0)
                        .expect("one of the chances");
                }
                Turn::Move(seat) => {
                    let legal = position.legal();
                    // Take doubles, or else every match would end early.
                    let text = match legal
                        .iter()
                        .find(|one| one.text == "take")
                        .filter(|_| n % 3 > 0)
                    {
                        Some(take) => take.text.clone(),
                        None => legal[(n * 7 + 3) % legal.len()].text.clone(),
                    };
                    let played = position.play(&text, seat).expect("a legal move");
                    last = if played.contains('/') {
                        Some(played)
                    } else {
                        last
                    };
                }
            }
        }
    }
}

fn tables() -> Vec<Value> {
    let money = json!({"cube": "on", "beavers": "on", "jacoby": "on"});
    vec![
        json!({}),
        money,
        json!({"length": 5, "cube": "on"}),
        json!({"start": "printed"}),
        json!({"start": "printed-up"}),
    ]
}

#[test]
fn every_picture_of_a_game_is_sound() {
    for options in tables() {
        walks(options, 2, |_, view| {
            for more in [json!({}), json!({"seen_from": 1}), json!({"flipped": true})] {
                look(&with(view.clone(), more), sound);
            }
        });
    }
}

fn sound(picture: &Document<'_>) {
    let ids: Vec<&str> = picture
        .descendants()
        .filter_map(|node| node.attribute("id"))
        .collect();
    let all: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), all.len(), "no id is there twice: {ids:?}");
    for node in picture.descendants().filter(Node::is_element) {
        assert!(!["style", "script", "image", "foreignObject"].contains(&node.tag_name().name()));
        assert!(
            node.attribute("style").is_none()
                && node.attributes().all(|a| !a.value().contains("var("))
        );
        let pointed = node
            .attribute("href")
            .and_then(|href| href.strip_prefix('#'));
        let filled = node
            .attribute("fill")
            .and_then(|fill| fill.strip_prefix("url(#")?.strip_suffix(')'));
        assert!(
            [pointed, filled]
                .into_iter()
                .flatten()
                .all(|id| all.contains(id))
        );
    }
}

#[test]
fn every_click_of_every_play_and_of_every_half_made_play_is_on_a_place() {
    let on_places = |view: &Value, clicks: &[parlor_games::Click]| {
        look(view, |picture| {
            for id in clicks.iter().flat_map(|click| &click.path) {
                assert!(has_class(&find(picture, id), "place"), "{id}");
            }
        });
    };
    for options in tables() {
        walks(options, 1, |position, view| {
            let clicks = position.clicks();
            on_places(view, &clicks);
            for click in clicks.iter().filter(|click| click.partial).take(3) {
                let draft = position.draft(&click.text).expect("a part of a play");
                on_places(&draft.view, &draft.clicks);
            }
        });
    }
}

#[test]
fn each_side_has_fifteen_checkers_where_the_view_says() {
    for options in tables() {
        walks(options, 2, |_, view| {
            let ids: Vec<String> = look(view, |picture| checkers(picture).into_keys().collect());
            let on = |place: &str| {
                ids.iter()
                    .filter(|id| id.starts_with(&format!("{place}-")))
                    .count() as i64
            };
            for (n, count) in view["board"].as_array().expect("a row").iter().enumerate() {
                assert_eq!(
                    on(&format!("w-{n}")) - on(&format!("b-{n}")),
                    count.as_i64().expect("a count"),
                    "{n}: {view}"
                );
            }
            for (color, letter) in [("white", "w"), ("black", "b")] {
                assert_eq!(
                    on(&format!("{letter}-bar")),
                    view["bar"][color].as_i64().expect("a count")
                );
                assert_eq!(
                    on(&format!("{letter}-off")),
                    view["home"][color].as_i64().expect("a count")
                );
                assert_eq!(on(letter), 15);
            }
        });
    }
}

#[test]
fn nothing_lies_or_is_written_outside_and_checkers_lie_on_their_places() {
    for options in tables() {
        walks(options, 2, |_, view| {
            look(view, |picture| {
                let (width, height) = size(picture);
                for text in picture
                    .descendants()
                    .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")))
                {
                    let length = text.text().unwrap_or_default().chars().count() as f64;
                    let (Some(x), y) = (text.attribute("x"), number(&text, "y")) else {
                        continue;
                    };
                    let (x, half): (f64, f64) = (
                        x.parse().expect("x"),
                        0.3 * length * number(&text, "font-size"),
                    );
                    let inside = text
                        .ancestors()
                        .any(|node| node.attribute("transform").is_some());
                    assert!(
                        inside || (x - half >= 0.0 && x + half <= width && y > 0.0 && y < height),
                        "{text:?}"
                    );
                }
                for (id, (x, y)) in checkers(picture) {
                    let mut parts = id.rsplitn(2, '-').skip(1);
                    let (color, place) = parts
                        .next()
                        .and_then(|spot| spot.split_once('-'))
                        .expect("color and place");
                    let color = if color == "w" { "white" } else { "black" };
                    let place = match place {
                        "bar" | "off" => format!("{place}-{color}"),
                        point => format!("point-{point}"),
                    };
                    let [left, top, wide, high] = room(picture, &place);
                    assert!(
                        x > left && x < left + wide && y > top && y < top + high,
                        "{id} is not on {place}"
                    );
                }
            });
        });
    }
}

#[test]
fn a_point_is_wide_enough_for_a_finger_on_a_small_telephone() {
    look(&view(json!({}), ""), |picture| {
        let (width, height) = size(picture);
        for place in class(picture, "place") {
            let [_, _, wide, high] = room(picture, place.attribute("id").expect("an id"));
            assert!(
                wide * TELEPHONE / width >= 24.0 && high >= height / 2.5,
                "{wide} x {high}"
            );
        }
    });
}

#[test]
fn places_do_not_overlap() {
    look(&view(json!({}), ""), |picture| {
        let rooms: Vec<_> = class(picture, "place")
            .map(|place| room(picture, place.attribute("id").expect("an id")))
            .collect();
        assert_eq!(rooms.len(), 28);
        for (n, one) in rooms.iter().enumerate() {
            for other in &rooms[n + 1..] {
                let apart = |from: usize, by: usize| {
                    one[from] + one[by] <= other[from] || other[from] + other[by] <= one[from]
                };
                assert!(apart(0, 2) || apart(1, 3), "{one:?} {other:?}");
            }
        }
    });
}

#[test]
fn the_viewers_home_is_at_the_bottom_right_or_left() {
    let right_and_low = |view: Value, id: &str| {
        look(&view, |picture| {
            let ((width, height), [left, top, wide, _]) = (size(picture), room(picture, id));
            (left + wide / 2.0 > width / 2.0, top >= height / 2.0)
        })
    };
    let board = |options: Value, more: Value| with(view(options, ""), more);
    for (more, low_home, high_home, right) in [
        (json!({}), "point-0", "point-23", true),
        (json!({"seen_from": 0}), "point-0", "point-23", true),
        (json!({"seen_from": 1}), "point-23", "point-0", true),
        (json!({"flipped": true}), "point-0", "point-23", false),
        (
            json!({"seen_from": 1, "flipped": true}),
            "point-23",
            "point-0",
            false,
        ),
    ] {
        assert_eq!(
            right_and_low(board(json!({}), more.clone()), low_home),
            (right, true),
            "{more}"
        );
        assert_eq!(
            right_and_low(board(json!({}), more.clone()), high_home),
            (right, false),
            "{more}"
        );
        // If white moves up the row, its home is at the other end of the row.
        let up = json!({"start": "printed-up"});
        assert_eq!(
            right_and_low(board(up, more.clone()), high_home),
            (right, true),
            "{more}"
        );
    }
    let seen = |more: Value| {
        ["off-white", "bar-white"].map(|id| right_and_low(board(json!({}), more.clone()), id).1)
    };
    assert_eq!(seen(json!({})), [true, true]);
    assert_eq!(seen(json!({"seen_from": 1})), [false, false]);
}

#[test]
fn screen_readers_are_told_points_as_the_viewer_counts_them() {
    let label = |view: &Value, id: &str| {
        look(view, |picture| {
            find(picture, id).attribute("aria-label").map(str::to_owned)
        })
    };
    let fresh = view(json!({}), "6-1");
    for (id, white, black) in [
        (
            "point-23",
            "point 24, 2 white checkers",
            "point 1, 2 white checkers",
        ),
        (
            "point-11",
            "point 12, 5 black checkers",
            "point 13, 5 black checkers",
        ),
        ("point-1", "point 2, empty", "point 23, empty"),
        ("bar-white", "white bar, empty", "white bar, empty"),
    ] {
        assert_eq!(label(&fresh, id).as_deref(), Some(white));
        assert_eq!(
            label(&with(fresh.clone(), json!({"seen_from": 1})), id).as_deref(),
            Some(black)
        );
    }
    let up = view(json!({"start": "printed-up"}), "6-1");
    assert_eq!(
        label(&up, "point-0").as_deref(),
        Some("point 24, 2 white checkers")
    );
    let hit = with(
        fresh,
        json!({"bar": {"white": 1, "black": 2}, "home": {"white": 3, "black": 0}}),
    );
    assert_eq!(
        label(&hit, "bar-white").as_deref(),
        Some("white bar, 1 white checker")
    );
    assert_eq!(
        label(&hit, "bar-black").as_deref(),
        Some("black bar, 2 black checkers")
    );
    assert_eq!(
        label(&hit, "off-white").as_deref(),
        Some("white off, 3 white checkers")
    );
    assert_eq!(
        label(&hit, "dice").as_deref(),
        Some("white's dice: 6 and 1")
    );
}

#[test]
fn numbers_are_those_that_the_viewer_counts() {
    let numbers = |more: Value| {
        look(&with(view(json!({}), ""), more), |picture| {
            let written = picture
                .descendants()
                .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "tspan")));
            let mut at: Vec<(u32, String)> = written
                .map(|node| {
                    (
                        number(&node, "x") as u32,
                        node.text().expect("a number").to_owned(),
                    )
                })
                .collect();
            at.sort();
            at.dedup();
            at.into_iter().map(|(_, text)| text).collect::<Vec<_>>()
        })
    };
    let plain = numbers(json!({}));
    assert_eq!(
        (plain.len(), &plain[..2], &plain[22..]),
        (
            24,
            &["12".to_owned(), "13".to_owned()][..],
            &["1".to_owned(), "24".to_owned()][..]
        )
    );
    assert_eq!(
        numbers(json!({"seen_from": 1})),
        plain,
        "both sides count from their own home"
    );
    assert_eq!(numbers(json!({"flipped": true}))[..2], ["1", "24"]);
}

#[test]
fn points_have_the_numbers_of_the_seat_on_turn_where_one_person_plays_both() {
    let shown = |more: Value| {
        look(&with(view(json!({}), "6-1"), more), |picture| {
            let label = find(picture, "point-23").attribute("aria-label");
            let lower = picture
                .descendants()
                .find(|node| has_class(node, "numbers"))
                .expect("a row of numbers");
            let texts = lower.descendants().filter(|node| node.is_text());
            let numbers: String = texts.filter_map(|node| node.text()).collect();
            let label = label.expect("a label").to_owned();
            (room(picture, "point-23"), label, numbers)
        })
    };
    let up: String = (1..=12).map(|point: u8| point.to_string()).collect();
    let down: String = (13..=24).rev().map(|point: u8| point.to_string()).collect();
    let (place, label, lower) = shown(json!({"seen_from": 0}));
    assert_eq!(
        (label.as_str(), &lower),
        ("point 24, 2 white checkers", &up)
    );
    assert_eq!(
        shown(json!({"seen_from": 0, "counted_by": 0})),
        (place, label, lower)
    );
    let (same, label, lower) = shown(json!({"seen_from": 0, "counted_by": 1}));
    assert_eq!(
        (label.as_str(), &lower),
        ("point 1, 2 white checkers", &down)
    );
    assert_eq!(same, place, "the board is not turned");
}

/// Returns the checkers that moved, as `from to step`, in the order of the picture.
fn moved(view: &Value) -> Vec<String> {
    look(view, |picture| {
        let moved = picture
            .descendants()
            .filter(|node| node.attribute("data-from").is_some());
        let text = |node: Node<'_, '_>| {
            ["data-from", "id", "data-step"]
                .map(|name| node.attribute(name).unwrap_or("?"))
                .join(" ")
        };
        moved.map(text).collect()
    })
}

#[test]
fn checkers_that_were_moved_or_hit_say_where_they_were_before() {
    assert_eq!(moved(&view(json!({}), "3-1")), [""; 0]);
    assert_eq!(
        moved(&view(json!({}), "3-1 8/5,6/5")),
        ["w-7-2 w-4-0 0", "w-5-4 w-4-1 1"]
    );
    // Black's 24/20 hits the blot on white's 5 point.
    let hit = view(json!({}), "3-1 13/10,6/5 41 24/20*,6/5");
    assert_eq!(
        moved(&hit),
        ["b-0-1 b-4-0 0", "w-4-0 w-bar-0 0.5", "b-18-4 b-19-0 1"]
    );
    // One checker makes two steps and hits on the way; its origin is that of the first step.
    let on = view(json!({}), "3-1 13/10,6/5 42 24/20*/18");
    assert_eq!(moved(&on), ["b-0-1 b-6-0 0", "w-4-0 w-bar-0 0.5"]);
    let heads = look(&on, |picture| {
        class(picture, "head")
            .map(|node| node.attribute("d").unwrap_or("").matches('M').count())
            .sum::<usize>()
    });
    assert_eq!(heads, 1, "one checker, one arrow");
}

#[test]
fn a_play_that_is_being_made_shows_its_own_steps() {
    let (position, _) = after(json!({}), "3-1");
    let draft = |steps: &str| position.draft(steps).expect("a part of a play").view;
    assert_eq!(moved(&draft("13/10")), ["w-12-4 w-9-0 0"]);
    assert_eq!(moved(&draft("13/10,10/9")), ["w-12-4 w-8-0 0"]);
    look(&draft("13/10"), |picture| {
        assert_eq!(
            find(picture, "dice").attribute("aria-label"),
            Some("white's dice: 3 and 1, 1 played")
        );
        let spent: Vec<_> = class(picture, "spent")
            .filter_map(|node| node.attribute("id"))
            .collect();
        assert_eq!(spent, ["die-white-0-3"]);
    });
}

#[test]
fn what_the_last_play_left_reached_and_hit_is_marked() {
    let marks = |view: &Value| {
        look(view, |picture| {
            ["trail", "left", "core", "hit"].map(|name| class(picture, name).count())
        })
    };
    assert_eq!(marks(&view(json!({}), "3-1")), [0, 0, 0, 0]);
    assert_eq!(marks(&view(json!({}), "3-1 8/5,6/5")), [1, 1, 1, 0]);
    assert_eq!(
        marks(&view(json!({}), "3-1 13/10,6/5 41 24/20*,6/5")),
        [1, 1, 1, 1]
    );
}

#[test]
fn a_last_play_that_cannot_have_led_here_is_not_shown() {
    let board = view(json!({}), "3-1 8/5,6/5");
    let step = |from: i8, to: i8, player: &str, hit: bool| json!([{"player": player, "from": from, "to": to, "hit": hit}]);
    let shown = |last: Value| !moved(&with(board.clone(), json!({"last": last}))).is_empty();
    assert!(shown(step(7, 4, "white", false)));
    assert!(!shown(step(7, 3, "white", false)), "nobody is there");
    assert!(!shown(step(7, 4, "white", true)), "nobody is on the bar");
    assert!(
        !shown(step(0, 4, "white", false)),
        "two colors would have been on a point"
    );
    assert!(!shown(step(7, 4, "green", false)), "nobody plays green");
    assert!(!shown(step(24, -1, "white", false)), "nobody is on the bar");
}

#[test]
fn after_a_pass_the_last_play_is_still_told_as_whose_it_was() {
    let closed = "game aBBBBBB-C---------------n- 1 w:21 0-0";
    let mut position = parlor_games::backgammon::KIND
        .position(closed)
        .expect("black is on the bar before a closed home");
    let last = position.play("8/7,8/6", Seat::FIRST).expect("legal");
    position.resolve("31").expect("a roll");
    let at_once = moved(&position.view(Some(&last)));
    assert_eq!(
        at_once.iter().collect::<BTreeSet<_>>().len(),
        2,
        "{at_once:?}"
    );
    position
        .play("pass", Seat::SECOND)
        .expect("nothing else can be played");
    position.resolve("61").expect("a roll");
    let later = position.view(Some(&last));
    assert_eq!(moved(&later), at_once);
    assert!(
        later["last"]
            .as_array()
            .expect("steps")
            .iter()
            .all(|step| step["player"] == "white")
    );
}

#[test]
fn a_new_game_of_a_match_does_not_show_the_last_play_of_the_one_before() {
    let (position, _) = after(json!({"length": 3, "cube": "on"}), "3-1");
    assert_eq!(position.view(Some("8/5,6/5"))["last"], json!([]));
}

#[test]
fn stacks_of_more_than_five_say_how_many_there_are() {
    let written = |view: &Value| {
        look(view, |picture| {
            let counts =
                class(picture, "counts").flat_map(|group| group.children().collect::<Vec<_>>());
            counts
                .filter_map(|node| node.text().map(str::to_owned))
                .collect::<Vec<_>>()
        })
    };
    let mut board = view(json!({}), "3-1");
    assert_eq!(written(&board), [""; 0]);
    for (place, count) in [(5, 15), (12, 0), (7, 0), (23, 0), (18, -6), (0, -1)] {
        board["board"][place] = json!(count);
    }
    assert_eq!(written(&board), ["15", "6"]);
    look(&board, |picture| {
        let all = checkers(picture);
        let spots: BTreeSet<String> = (0..9)
            .map(|n| format!("{:?}", all[&format!("w-5-{n}")]))
            .collect();
        assert_eq!(
            spots.len(),
            9,
            "no checker of the two lower layers is hidden by another of them"
        );
    });
    // Checkers borne off are seen edge-on, fifteen of them stacked.
    let off = with(board, json!({"home": {"white": 15, "black": 6}}));
    assert_eq!(written(&off), ["15", "6"]);
}

fn cube(view: &Value) -> (Option<String>, Option<String>, f64, f64) {
    look(view, |picture| {
        let cube = find(picture, "cube");
        let at = cube
            .first_element_child()
            .and_then(|inner| inner.attribute("transform"))
            .expect("a place")
            .to_owned();
        let at = at
            .trim_start_matches("translate(")
            .split(')')
            .next()
            .expect("two numbers")
            .to_owned();
        let (x, y) = at.split_once(' ').expect("two numbers");
        let text = cube
            .descendants()
            .find_map(|node| node.text().map(str::to_owned));
        let ((width, height), x, y) = (
            size(picture),
            x.parse::<f64>().expect("x"),
            y.parse::<f64>().expect("y"),
        );
        (
            cube.attribute("aria-label").map(str::to_owned),
            text,
            x / width,
            y / height,
        )
    })
}

#[test]
fn the_cube_lies_in_the_middle_with_its_owner_or_before_who_is_to_answer() {
    let options = json!({"length": 5, "cube": "on"});
    let (label, face, _, y) = cube(&view(options.clone(), "3-1 8/5,6/5"));
    assert_eq!(
        (label.as_deref(), face.as_deref()),
        (Some("doubling cube: 1, in the middle"), Some("64"))
    );
    assert!((y - 0.5).abs() < 0.01);
    // Black doubles; white, at the bottom, rolls its dice on the right.
    let offered = view(options.clone(), "3-1 8/5,6/5 double");
    let (label, face, x, y) = cube(&offered);
    assert_eq!(
        (label.as_deref(), face.as_deref()),
        (Some("doubling cube: black doubles to 2"), Some("2"))
    );
    assert!(x > 0.6 && (y - 0.5).abs() < 0.01);
    assert_eq!(
        look(&offered, |picture| class(picture, "offered").count()),
        1
    );
    let (_, _, x, _) = cube(&with(offered.clone(), json!({"flipped": true})));
    assert!(x < 0.4);
    let taken = view(options, "3-1 8/5,6/5 double take");
    let (label, face, _, y) = cube(&taken);
    assert_eq!(
        (label.as_deref(), face.as_deref()),
        (Some("doubling cube: 2, white's"), Some("2"))
    );
    assert!(y > 0.8);
    let (_, _, _, y) = cube(&with(taken.clone(), json!({"seen_from": 1})));
    assert!(y < 0.2);
    assert_eq!(look(&taken, |picture| class(picture, "offered").count()), 0);
}

#[test]
fn without_a_cube_there_is_none_and_the_crawford_game_is_named() {
    let has = |view: &Value, id: &str| svg(view).contains(&format!("id=\"{id}\""));
    assert!(!has(&view(json!({}), ""), "cube"));
    let fresh = view(json!({"length": 3, "cube": "on"}), "");
    assert!(has(&fresh, "cube") && !svg(&fresh).contains("Crawford"));
    let crawford = with(
        fresh,
        json!({"crawford": true, "score": {"white": 2, "black": 0}}),
    );
    assert!(!has(&crawford, "cube") && svg(&crawford).contains(">Crawford<"));
    look(&crawford, |picture| {
        let labels: Vec<_> = class(picture, "score")
            .filter_map(|node| node.attribute("aria-label"))
            .collect();
        assert_eq!(
            labels,
            ["white has 2 of 3 points", "black has 0 of 3 points"]
        );
    });
    assert_eq!(
        look(&view(json!({}), ""), |picture| class(picture, "score")
            .count()),
        0
    );
}

#[test]
fn dice_lie_on_the_half_of_whose_turn_it_is() {
    let dice = |view: &Value| {
        look(view, |picture| {
            let dice = class(picture, "die").filter_map(|die| die.first_element_child());
            let x = dice.filter_map(|die| {
                die.attribute("transform")?
                    .split(['(', ' '])
                    .nth(1)?
                    .parse::<f64>()
                    .ok()
            });
            x.map(|x| x > size(picture).0 / 2.0).collect::<Vec<bool>>()
        })
    };
    assert_eq!(dice(&view(json!({}), "")), [false; 0]);
    assert_eq!(dice(&view(json!({}), "3-1")), [true, true]);
    assert_eq!(dice(&view(json!({}), "1-3")), [false, false]);
    assert_eq!(
        dice(&with(view(json!({}), "1-3"), json!({"seen_from": 1}))),
        [true, true]
    );
    let double = view(json!({}), "3-1 8/5,6/5 66");
    assert_eq!(dice(&double), [false; 4]);
    let used = with(double, json!({"diceUsed": [6, 6, 6]}));
    assert_eq!(look(&used, |picture| class(picture, "spent").count()), 3);
    assert_eq!(
        look(&used, |picture| find(picture, "dice")
            .attribute("aria-label")
            .map(str::to_owned))
        .as_deref(),
        Some("black's dice: four times 6, 3 played")
    );
}

#[test]
fn pips_and_whose_turn_it_is_are_told() {
    let labels = |view: &Value| {
        look(view, |picture| {
            class(picture, "pips")
                .filter_map(|node| node.attribute("aria-label").map(str::to_owned))
                .collect::<Vec<_>>()
        })
    };
    assert_eq!(
        labels(&view(json!({}), "")),
        ["white: 167 pips", "black: 167 pips"]
    );
    assert_eq!(
        labels(&view(json!({}), "3-1 8/5,6/5")),
        ["white: 163 pips", "black: 167 pips, on turn"]
    );
    let title = |view: &Value| {
        look(view, |picture| {
            picture
                .root_element()
                .attribute("aria-label")
                .map(str::to_owned)
        })
    };
    assert_eq!(
        title(&view(json!({}), "")).as_deref(),
        Some("Backgammon: the opening roll comes next")
    );
    assert_eq!(
        title(&view(json!({}), "3-1 8/5,6/5 66")).as_deref(),
        Some("Backgammon: Black plays 6 6 6 6")
    );
}

#[test]
fn a_result_is_told_when_there_is_one() {
    let banner = |view: &Value| {
        look(view, |picture| {
            class(picture, "banner")
                .find_map(|node| node.attribute("aria-label").map(str::to_owned))
        })
    };
    let options = json!({"length": 5, "cube": "on"});
    assert_eq!(banner(&view(options.clone(), "3-1")), None);
    let dropped = view(options, "3-1 8/5,6/5 double drop");
    assert_eq!(
        banner(&dropped).as_deref(),
        Some("Double dropped: Black wins 1 point")
    );
    let resigned = view(json!({}), "3-1 resign:2");
    assert_eq!(banner(&resigned).as_deref(), Some("White resigns a gammon"));
    let over = |result: Value| {
        with(
            view(json!({}), ""),
            json!({"phase": "over", "result": result}),
        )
    };
    let gammon = json!({"winner": "white", "points": 4, "how": "gammon"});
    assert_eq!(
        banner(&over(gammon.clone())).as_deref(),
        Some("White wins a gammon: 4 points")
    );
    let match_over = with(over(gammon), json!({"score": {"white": 5, "black": 3}}));
    assert_eq!(
        banner(&match_over).as_deref(),
        Some("White wins the match, 5\u{2013}3")
    );
}

#[test]
fn a_picture_is_drawn_from_the_view_alone() {
    let (position, last) = after(
        json!({"length": 5, "cube": "on"}),
        "3-1 8/5,6/5 double take 64",
    );
    let read: Value =
        serde_json::from_str(&position.view(last.as_deref()).to_string()).expect("JSON");
    assert_eq!(svg(&read), position.svg(last.as_deref()));
    let perspective = Perspective {
        seat: Some(Seat::SECOND),
        counted_by: Some(Seat::FIRST),
        flipped: true,
        ..Perspective::default()
    };
    let black = position.page_for(position.view(last.as_deref()), perspective);
    let more = json!({"seen_from": 1, "counted_by": 0, "flipped": true});
    assert_eq!(svg(&with(read, more)), black);
}

#[test]
fn a_picture_is_small() {
    for options in tables() {
        walks(options, 1, |_, view| {
            assert!(svg(view).len() < 22_000, "{} bytes", svg(view).len())
        });
    }
}
