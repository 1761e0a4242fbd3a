//! Pictures of boards, parsed back as XML.

use std::collections::{BTreeMap, BTreeSet};

use parlor_core::Turn;
use parlor_games::{AnyPosition, svg};
use roxmltree::{Document, Node};
use serde_json::{Value, json};

use super::{after, start};

/// Plays the first legal move of each position until `plies` are played or the game is over.
fn played(options: Value, plies: usize) -> (AnyPosition, Option<String>) {
    let mut position = start(options);
    let mut last = None;
    for _ in 0..plies {
        let Turn::Move(seat) = position.turn() else {
            break;
        };
        let text = position.legal()[0].text.clone();
        last = Some(position.play(&text, seat).expect("the first legal move"));
    }
    (position, last)
}

fn boards() -> Vec<(AnyPosition, Option<String>)> {
    vec![
        played(json!({}), 0),
        played(json!({}), 4),
        played(json!({}), 9),
        played(json!({ "rows": 15, "columns": 15, "k": 5 }), 40),
        played(json!({ "rows": 6, "columns": 6, "k": 4, "seats": 3 }), 11),
        played(
            json!({ "rows": 1, "columns": 26, "k": 3, "symbols": "ABCDEFGH" }),
            12,
        ),
        played(
            json!({ "rows": 26, "columns": 26, "k": 26, "seats": 8 }),
            100,
        ),
        played(
            json!({ "rows": 5, "columns": 5, "k": 5, "symbols": "<&\"'>#" }),
            20,
        ),
        played(
            json!({ "rows": 9, "columns": 9, "k": 5, "symbols": "&<☃ß" }),
            20,
        ),
        played(json!({ "rows": 1, "columns": 1, "k": 1 }), 1),
    ]
}

fn ids<'a>(picture: &'a Document<'a>) -> Vec<&'a str> {
    picture
        .descendants()
        .filter_map(|node| node.attribute("id"))
        .collect()
}

fn find<'a>(picture: &'a Document<'a>, id: &str) -> Node<'a, 'a> {
    let found = picture
        .descendants()
        .find(|node| node.attribute("id") == Some(id));
    found.unwrap_or_else(|| panic!("there is no {id}"))
}

#[test]
fn every_picture_is_well_formed_and_no_id_is_there_twice() {
    for (position, last) in boards() {
        let svg = position.svg(last.as_deref());
        let picture =
            Document::parse(&svg).unwrap_or_else(|error| panic!("{}: {error}", position.text()));
        assert_eq!(picture.root_element().tag_name().name(), "svg");
        let ids = ids(&picture);
        assert_eq!(
            ids.iter().collect::<BTreeSet<_>>().len(),
            ids.len(),
            "{}",
            position.text()
        );
    }
}

#[test]
fn every_click_of_every_legal_move_is_on_a_place_of_the_picture() {
    for (position, last) in boards() {
        let svg = position.svg(last.as_deref());
        let picture = Document::parse(&svg).expect("well-formed");
        let clicks = position.clicks();
        assert_eq!(clicks.len(), position.legal().len());
        for id in clicks.iter().flat_map(|click| &click.path) {
            assert_eq!(find(&picture, id).attribute("class"), Some("place"));
        }
    }
}

#[test]
fn every_reference_in_a_picture_leads_to_something_in_it() {
    for (position, last) in boards() {
        let svg = position.svg(last.as_deref());
        let picture = Document::parse(&svg).expect("well-formed");
        let ids: BTreeSet<&str> = ids(&picture).into_iter().collect();
        for node in picture.descendants() {
            let pointed = node
                .attribute("href")
                .and_then(|href| href.strip_prefix('#'));
            let filled = node
                .attribute("fill")
                .and_then(|fill| fill.strip_prefix("url(#")?.strip_suffix(')'));
            for id in [pointed, filled, node.attribute("data-piece")]
                .into_iter()
                .flatten()
            {
                assert!(ids.contains(id), "{id} in {}", position.text());
            }
        }
    }
}

#[test]
fn nothing_in_a_picture_comes_from_elsewhere_or_needs_a_style_sheet() {
    for (position, last) in boards() {
        let svg = position.svg(last.as_deref());
        let picture = Document::parse(&svg).expect("well-formed");
        for node in picture.descendants().filter(Node::is_element) {
            assert!(
                !["style", "script", "image", "foreignObject"].contains(&node.tag_name().name())
            );
            assert!(node.attribute("style").is_none());
            assert!(
                node.attributes()
                    .all(|a| !a.value().contains("var(") && !a.name().starts_with("on"))
            );
        }
    }
}

#[test]
fn symbols_that_mean_something_in_xml_are_shown_as_they_are() {
    let (position, last) = played(
        json!({ "rows": 5, "columns": 5, "k": 5, "symbols": "<&\"'>#" }),
        6,
    );
    let svg = position.svg(last.as_deref());
    let picture = Document::parse(&svg).expect("well-formed");
    let labels: BTreeMap<&str, &str> = picture
        .descendants()
        .filter(|node| node.attribute("class") == Some("place"))
        .filter_map(|node| node.attribute("id").zip(node.attribute("aria-label")))
        .collect();
    let shown: Vec<&str> = (0..5)
        .map(|column| labels[format!("cell-0-{column}").as_str()])
        .collect();
    let expected = ["<", "&", "\"", "'", ">"].map(|s| s.to_owned());
    for (n, (label, symbol)) in shown.iter().zip(expected).enumerate() {
        assert_eq!(*label, format!("row 1, column {}, {symbol}", n + 1));
    }
    let texts: Vec<&str> = picture
        .descendants()
        .filter_map(|node| node.text())
        .collect();
    assert!(
        ["<", "&", "\"", "'", ">", "#"]
            .iter()
            .all(|symbol| texts.contains(symbol))
    );
}

#[test]
fn places_and_marks_keep_their_ids_from_picture_to_picture() {
    let (before, last) = played(json!({ "rows": 9, "columns": 9, "k": 5 }), 10);
    let (later, later_last) = played(json!({ "rows": 9, "columns": 9, "k": 5 }), 11);
    let (first, second) = (
        before.svg(last.as_deref()),
        later.svg(later_last.as_deref()),
    );
    let (first, second) = (
        Document::parse(&first).expect("XML"),
        Document::parse(&second).expect("XML"),
    );
    let all = |picture: &Document<'_>| {
        ids(picture)
            .into_iter()
            .map(str::to_owned)
            .collect::<BTreeSet<_>>()
    };
    let added: Vec<String> = all(&second).difference(&all(&first)).cloned().collect();
    assert!(all(&first).is_subset(&all(&second)));
    assert_eq!(added, ["stone-1-1"]);
}

#[test]
fn the_next_mark_is_named_while_the_game_goes_on() {
    let root_piece = |position: &AnyPosition| {
        let svg = position.svg(None);
        let picture = Document::parse(&svg).expect("XML");
        picture
            .root_element()
            .attribute("data-piece")
            .map(str::to_owned)
    };
    assert_eq!(root_piece(&after(&[])), Some("mark-0".to_owned()));
    assert_eq!(root_piece(&after(&["1,1"])), Some("mark-1".to_owned()));
    assert_eq!(
        root_piece(&after(&["0,0", "1,0", "0,1", "1,1", "0,2"])),
        None
    );
}

#[test]
fn every_winning_run_is_struck_through_once_and_its_marks_are_marked() {
    let strokes = |moves: &[&str]| {
        let svg = after(moves).svg(moves.last().copied());
        let picture = Document::parse(&svg).expect("XML");
        let count = |class: &str| {
            picture
                .descendants()
                .filter(|n| n.attribute("class") == Some(class))
                .count()
        };
        (count("line"), count("stone won"), count("last"))
    };
    assert_eq!(strokes(&["0,0", "1,0", "0,1"]), (0, 0, 1));
    assert_eq!(strokes(&["0,0", "1,0", "0,1", "1,1", "0,2"]), (1, 3, 1));
    // A row and a diagonal are completed at once.
    assert_eq!(
        strokes(&[
            "0,1", "1,0", "0,2", "2,0", "1,1", "1,2", "2,2", "2,1", "0,0"
        ]),
        (2, 5, 1)
    );
}

#[test]
fn a_picture_is_drawn_from_the_view_alone() {
    let position = after(&["1,1", "0,0"]);
    let view: Value = serde_json::from_str(&position.view(Some("0,0")).to_string()).expect("JSON");
    assert_eq!(
        parlor_games::mnk::KIND.svg(&view).expect("a view"),
        position.svg(Some("0,0"))
    );
}

#[test]
fn what_xml_cannot_hold_is_replaced() {
    assert_eq!(svg::escape("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
    assert_eq!(
        svg::escape("\u{0}\u{8}\u{ffff}"),
        "\u{fffd}\u{fffd}\u{fffd}"
    );
    assert_eq!(
        (svg::number(-0.001), svg::number(2.50), svg::number(33.333)),
        ("0".into(), "2.5".into(), "33.33".into())
    );
}
