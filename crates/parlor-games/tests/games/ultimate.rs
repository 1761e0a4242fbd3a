//! Ultimate tic-tac-toe as a table game: options, views, JSON positions, pictures, terminal.

use std::collections::BTreeSet;

use parlor_core::{Seat, Turn};
use parlor_games::console::{Accent, INVALID_MOVE};
use parlor_games::{AnyPosition, GameClock, choices, in_order};
use roxmltree::{Document, Node};
use serde_json::{Value, json};

/// X has won the top right and the bottom left board and O the bottom one. X has just tied the
/// bottom right one and sent O to the left one.
const MIDDLE: &str = "53 30 03 35 58 80 05 50 02 26 61 11 14 48 86 63 36 64 47 78 81 18 88 82 25 55 54 41 17 72 24 44 40 00 \
                    07 75 51 16 68 84 42 27 23 31 12 85 56 67 46 66 62 87 60 08 83";
/// O wins on the diagonal; two boards are tied.
const WON: &str = "10 02 26 65 53 33 38 85 50 07 78 86 67 77 71 17 75 56 62 20 05 51 16 68 81 14 45 54 46 61 15 58 83 32 27 70 \
                   08 87 74 40 03 37 76 60 01 11 52 25 57 72 22 21 42 28 80 06 66 63 34 43 31 82 23 36 64 44 47 73 35 55 24 \
                   48 88 84 00 04";

const EMPTY: [[&str; 9]; 9] = [[""; 9]; 9];

fn start(options: Value) -> AnyPosition {
    parlor_games::ultimate::KIND
        .start(&options)
        .unwrap_or_else(|error| panic!("{options}: {error}"))
}

/// Returns the standard game after these moves.
fn after(moves: &str) -> AnyPosition {
    played(start(json!({})), moves)
}

fn played(mut position: AnyPosition, moves: &str) -> AnyPosition {
    for text in moves.split_whitespace() {
        let seat = position.turn().seat().expect("the game goes on");
        position
            .play(text, seat)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    position
}

fn picture_of(position: &AnyPosition, last: Option<&str>, look: impl Fn(&Document<'_>)) {
    let svg = position.svg(last);
    look(&Document::parse(&svg).unwrap_or_else(|error| panic!("{}: {error}", position.text())));
}

fn last_of(moves: &str) -> Option<&str> {
    moves.split_whitespace().last()
}

fn by_id<'a>(picture: &'a Document<'a>, id: &str) -> Node<'a, 'a> {
    let found = picture
        .descendants()
        .find(|node| node.attribute("id") == Some(id));
    found.unwrap_or_else(|| panic!("there is no {id}"))
}

fn count(picture: &Document<'_>, class: &str) -> usize {
    let has = |node: &Node<'_, '_>| {
        node.attribute("class")
            .is_some_and(|all| all.split(' ').any(|one| one == class))
    };
    picture.descendants().filter(has).count()
}

#[test]
fn options_are_completed_and_asked_for_with_their_words() {
    assert_eq!(
        start(json!({})).options(),
        json!({"won_boards": "closed", "no_line": "draw"})
    );
    assert_eq!(
        start(json!({"no_line": "count"})).options(),
        json!({"won_boards": "closed", "no_line": "count"})
    );
    assert_eq!(
        start(json!({"won_boards": "open"}))
            .text()
            .split(' ')
            .next(),
        Some("open")
    );
    let schema = parlor_games::ultimate::KIND.options_schema();
    let asked: Vec<_> = in_order(&schema)
        .into_iter()
        .map(|(name, property)| (name.as_str(), choices(property)))
        .collect();
    assert_eq!(
        asked[0],
        (
            "won_boards",
            vec![("closed", "Closed"), ("open", "Open until full")]
        )
    );
    assert_eq!(
        asked[1],
        (
            "no_line",
            vec![("draw", "A draw"), ("count", "Most boards wins")]
        )
    );
}

#[test]
fn bad_options_name_the_field_and_what_would_be_right() {
    let cases = [
        (
            json!({"won_boards": "ajar"}),
            "won_boards",
            "expected closed or open, got \"ajar\"",
        ),
        (json!({"won_boards": true}), "won_boards", "got a boolean"),
        (json!({"no_line": 3}), "no_line", "draw or count"),
        (json!({"rows": 3}), "rows", "won_boards, no_line"),
        (json!("open"), "", "a string"),
    ];
    for (options, field, part) in cases {
        let error = parlor_games::ultimate::KIND
            .start(&options)
            .err()
            .unwrap_or_else(|| panic!("{options} was accepted"));
        assert_eq!(error.problems[0].field, field, "{options}");
        assert!(
            error.problems[0].message.contains(part),
            "{options}: {error}"
        );
    }
    let both = parlor_games::ultimate::KIND
        .start(&json!({"won_boards": "", "no_line": ""}))
        .expect_err("both are wrong");
    assert_eq!(both.problems.len(), 2);
}

#[test]
fn a_view_shows_boards_results_target_last_move_and_lines() {
    let view = after("40 04").view(Some("04"));
    assert_eq!(
        view["boards"][4],
        json!(["X", "", "", "", "", "", "", "", ""])
    );
    assert_eq!(view["boards"][0][4], "O");
    assert_eq!(view["meta"], json!(["", "", "", "", "", "", "", "", ""]));
    assert_eq!(
        (&view["target"], &view["playable"]),
        (&json!(4), &json!([4]))
    );
    assert_eq!(
        (&view["mover"], &view["last"]),
        (&json!("X"), &json!([0, 4]))
    );
    assert_eq!(view["turn"], json!({"kind": "move", "seat": 0}));
    let free = after("").view(None);
    assert_eq!(
        (&free["target"], &free["playable"]),
        (&Value::Null, &json!([0, 1, 2, 3, 4, 5, 6, 7, 8]))
    );
    let won = after(WON).view(last_of(WON));
    assert_eq!(won["lines"], json!([[0, 4, 8]]));
    assert_eq!(
        won["meta"],
        json!(["O", "O", "X", "", "O", "T", "X", "T", "O"])
    );
    assert_eq!(
        won["turn"],
        json!({"kind": "over", "outcome": {"kind": "won", "seat": 1, "points": 1}})
    );
    assert_eq!(
        (&won["mover"], &won["target"], &won["playable"]),
        (&Value::Null, &Value::Null, &json!([]))
    );
}

#[test]
fn every_position_of_a_game_reads_back_from_its_view_under_all_rules() {
    for preset in parlor_games::ultimate::KIND.presets() {
        let mut position = start(preset.options);
        for ply in 0.. {
            let read = parlor_games::ultimate::KIND
                .position_from_json(&position.view(None))
                .expect("its own view");
            assert_eq!(read.text(), position.text());
            let Turn::Move(seat) = position.turn() else {
                break;
            };
            let legal = position.legal();
            let text = legal[(ply * 7 + 3) % legal.len()].text.clone();
            position.play(&text, seat).expect("a legal move");
        }
    }
}

#[test]
fn a_position_is_read_from_boards_and_target_alone() {
    let mut boards = json!(EMPTY);
    boards[4] = json!(["X", null, ".", "", "", "", "", "", ""]);
    let read = |json: Value| {
        parlor_games::ultimate::KIND
            .position_from_json(&json)
            .map(|position| position.legal().len())
    };
    assert_eq!(read(json!({"boards": boards, "target": 0})), Ok(9));
    assert!(
        read(json!({"boards": boards})).is_err(),
        "a mark in the corner leaves no free choice"
    );
    boards[4][0] = "O".into();
    assert!(
        read(json!({"boards": boards, "target": 0})).is_err(),
        "X begins"
    );
    let empty = json!(EMPTY);
    for bad in [
        json!({}),
        json!(null),
        json!({"boards": EMPTY[..8]}),
        json!({"boards": EMPTY.map(|_| [""; 8])}),
        json!({"boards": EMPTY.map(|_| ["Z"; 9])}),
        json!({"boards": EMPTY.map(|_| vec![1; 9])}),
        json!({"boards": empty, "target": 9}),
        json!({"boards": empty, "target": "4"}),
        json!({"boards": empty, "target": -1}),
        json!({"boards": empty, "won_boards": "ajar"}),
        json!({"boards": empty, "meta": ["X", "", "", "", "", "", "", "", ""]}),
        json!({"boards": empty, "meta": ["T", "", "", "", "", "", "", "", ""]}),
        json!({"boards": empty, "meta": EMPTY[0][..8]}),
    ] {
        assert!(read(bad.clone()).is_err(), "{bad}");
    }
}

#[test]
fn a_view_that_names_no_board_is_no_picture() {
    let whole = after("40").view(Some("40"));
    assert!(parlor_games::ultimate::KIND.svg(&whole).is_ok());
    for (field, value) in [
        ("target", json!(9)),
        ("playable", json!([12])),
        ("last", json!([4, 9])),
        ("lines", json!([[0, 1, 9]])),
        ("meta", json!([])),
        ("boards", json!(EMPTY.map(|_| ["Y"; 9]))),
    ] {
        let mut view = whole.clone();
        view[field] = value;
        assert!(parlor_games::ultimate::KIND.svg(&view).is_err(), "{field}");
    }
}

#[test]
fn the_picture_shows_results_target_last_move_and_line() {
    picture_of(&after(MIDDLE), last_of(MIDDLE), |picture| {
        assert_eq!(
            by_id(picture, "won-2").attribute("class"),
            Some("stone large")
        );
        assert_eq!(
            (
                count(picture, "tint-0"),
                count(picture, "tint-1"),
                count(picture, "hatch")
            ),
            (2, 1, 1)
        );
        assert_eq!(
            (
                count(picture, "lit"),
                count(picture, "dim"),
                count(picture, "last"),
                count(picture, "line")
            ),
            (1, 4, 1, 0)
        );
        assert_eq!(
            by_id(picture, "stone-8-3").attribute("class"),
            Some("stone faded")
        );
        assert_eq!(
            by_id(picture, "stone-5-3").attribute("class"),
            Some("stone")
        );
        assert_eq!(
            picture.root_element().attribute("data-piece"),
            Some("mark-1")
        );
    });
    picture_of(&after(WON), last_of(WON), |picture| {
        assert_eq!(
            (
                count(picture, "lit"),
                count(picture, "dim"),
                count(picture, "last"),
                count(picture, "line")
            ),
            (0, 0, 1, 1)
        );
        assert_eq!(count(picture, "won"), 3);
        assert_eq!(picture.root_element().attribute("data-piece"), None);
    });
}

#[test]
fn a_won_board_that_is_played_on_keeps_its_marks_strong() {
    let open = played(
        start(json!({"won_boards": "open"})),
        "00 01 10 02 20 03 30 04 40 05 50 06 60 07 70 08 80",
    );
    assert!(open.view(None)["meta"][0] == "O", "{}", open.text());
    picture_of(&open, None, |picture| {
        assert_eq!(
            by_id(picture, "won-0").attribute("opacity"),
            Some("1"),
            "its nine squares are full"
        );
    });
    let open = played(start(json!({"won_boards": "open"})), "04 40 03 30 05");
    picture_of(&open, None, |picture| {
        assert_eq!(by_id(picture, "won-0").attribute("opacity"), Some("0.3"));
        assert_eq!(
            by_id(picture, "stone-0-4").attribute("class"),
            Some("stone")
        );
    });
}

#[test]
fn pictures_are_sound_from_the_first_move_to_the_last() {
    for options in parlor_games::ultimate::KIND
        .presets()
        .into_iter()
        .map(|preset| preset.options)
    {
        let mut position = start(options);
        let mut last: Option<String> = None;
        for ply in 0.. {
            picture_of(&position, last.as_deref(), |picture| {
                let ids: Vec<&str> = picture
                    .descendants()
                    .filter_map(|node| node.attribute("id"))
                    .collect();
                let all: BTreeSet<&str> = ids.iter().copied().collect();
                assert_eq!(ids.len(), all.len(), "no id is there twice");
                for node in picture.descendants().filter(Node::is_element) {
                    assert!(!["style", "script", "image"].contains(&node.tag_name().name()));
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
                let clicks = position.clicks();
                assert_eq!(clicks.len(), position.legal().len());
                for click in clicks {
                    assert_eq!(
                        by_id(picture, &click.path[0]).attribute("class"),
                        Some("place"),
                        "{}",
                        click.text
                    );
                }
            });
            let Turn::Move(seat) = position.turn() else {
                break;
            };
            let legal = position.legal();
            last = Some(
                position
                    .play(&legal[(ply * 5 + 1) % legal.len()].text, seat)
                    .expect("a legal move"),
            );
        }
    }
}

#[test]
fn a_mark_keeps_its_id_when_its_board_is_decided() {
    let ids = |position: &AnyPosition| {
        let svg = position.svg(None);
        let picture = Document::parse(&svg).expect("XML");
        let pieces = picture
            .descendants()
            .find(|node| node.attribute("class") == Some("pieces"))
            .expect("pieces");
        pieces
            .children()
            .filter_map(|node| node.attribute("id").map(str::to_owned))
            .collect::<BTreeSet<_>>()
    };
    let before = after("04 40 03 30");
    let decided = after("04 40 03 30 05");
    let added: Vec<String> = ids(&decided).difference(&ids(&before)).cloned().collect();
    assert!(ids(&before).is_subset(&ids(&decided)));
    assert_eq!(added, ["stone-0-5", "won-0"]);
}

#[test]
fn screen_readers_are_told_squares_results_and_where_to_play() {
    let position = after("04 40 03 30 05");
    picture_of(&position, Some("05"), |picture| {
        let label = |id: &str| {
            by_id(picture, id)
                .attribute("aria-label")
                .map(str::to_owned)
        };
        assert_eq!(
            label("cell-0-4").as_deref(),
            Some("top left board, center square, X")
        );
        assert_eq!(
            label("cell-8-1").as_deref(),
            Some("bottom right board, top square, empty")
        );
        let board = |n: &str| {
            by_id(picture, n)
                .parent()
                .and_then(|board| board.attribute("aria-label").map(str::to_owned))
        };
        assert_eq!(
            board("cell-0-0").as_deref(),
            Some("top left board, won by X")
        );
        assert_eq!(
            board("cell-5-0").as_deref(),
            Some("right board, undecided, open to the player on turn")
        );
        let title = picture.root_element().attribute("aria-label");
        assert_eq!(
            title,
            Some("Ultimate tic-tac-toe: O has to play in the right board")
        );
    });
    assert_eq!(position.label("58"), "right board, bottom right square");
    assert_eq!(position.label("nonsense"), "nonsense");
}

#[test]
fn the_terminal_shows_results_the_target_and_the_last_move() {
    assert_eq!(
        after("04 40 03 30 05").terminal(Some("05")),
        r"
 0 X won   | 1         | 2
  \     /  |  .  .  .  |  .  .  .
     X (X) |  .  .  .  |  .  .  .
  /     \  |  .  .  .  |  .  .  .
-----------+-----------+-----------
 3         | 4         | 5
  O  .  .  |  O  .  .  |  0  1  2
  .  .  .  |  .  .  .  |  3  4  5
  .  .  .  |  .  .  .  |  6  7  8
-----------+-----------+-----------
 6         | 7         | 8
  .  .  .  |  .  .  .  |  .  .  .
  .  .  .  |  .  .  .  |  .  .  .
  .  .  .  |  .  .  .  |  .  .  .
O plays in board 5.
"
        .trim_start_matches('\n')
    );
    let over = after(WON).terminal(None);
    assert!(
        over.contains("5 tied") && over.ends_with("The game is over.\n"),
        "{over}"
    );
}

#[test]
fn answers_are_two_digits_or_one_where_the_board_is_given() {
    let (free, sent) = (after(""), after("40"));
    assert!(
        free.prompt("Ann")
            .starts_with("Ann, enter your move (board [0-8] and square [0-8]")
    );
    assert!(sent.prompt("Bob").contains("in board 0"));
    for (line, text) in [("40", "40"), (" 4 0 ", "40"), ("4,0", "40"), ("99", "99")] {
        assert_eq!(free.answer(line).as_deref(), Ok(text), "{line:?}");
    }
    assert_eq!(sent.answer("7").as_deref(), Ok("07"));
    for line in ["", "4", "400", "four", "4x", "-1", "٤٠"] {
        assert!(free.answer(line).is_err(), "{line:?}");
    }
    assert!(free.clone().play("99", Seat::FIRST).is_err() && !INVALID_MOVE.is_empty());
}

#[test]
fn the_screen_has_a_spot_for_every_square_and_heavy_lines_where_to_play() {
    let position = after("04 40 03 30 05");
    let screen = position.screen(Some("05"));
    assert_eq!(screen.spots.len(), 81);
    for click in position.clicks() {
        assert!(
            screen.spots.iter().any(|spot| spot.id == click.path[0]),
            "{click:?}"
        );
    }
    let width = screen.lines[0].chars().count();
    assert!(
        screen.spots.iter().all(|spot| usize::from(spot.x) + 3 < width && usize::from(spot.y) < screen.lines.len())
    );
    let last = screen
        .spots
        .iter()
        .find(|spot| spot.accent == Accent::Last)
        .expect("the last move is marked");
    assert_eq!(
        (last.id.as_str(), last.text.as_str(), last.seat),
        ("cell-0-5", "(X)", Some(0))
    );
    assert_eq!(screen.lines[0], "┌ 0 X won ┐ ┌ 1 ──────┐ ┌ 2 ──────┐");
    assert_eq!(screen.lines[5], "┌ 3 ──────┐ ┌ 4 ──────┐ ┏ 5 ━━━━━━┓");
    let won = after(WON).screen(None);
    assert_eq!(
        won.spots
            .iter()
            .filter(|spot| spot.accent == Accent::Won)
            .count(),
        27
    );
}

#[test]
fn the_news_of_a_finished_game_is_what_ended_it() {
    let won = after(WON);
    assert_eq!(won.news().as_deref(), Some("Three boards in a row."));
    assert_eq!(after(&WON[..WON.len() - 3]).news(), None);
}

#[test]
fn games_are_played_on_a_clock_of_six_minutes_and_can_be_drawn() {
    let six_minutes = GameClock::Total {
        initial_ms: 360_000,
        increment_ms: 0,
    };
    let usual = parlor_games::ultimate::KIND.usual_clock(&json!({}));
    assert_eq!(usual, Some(six_minutes));
    assert!(
        parlor_games::ultimate::KIND.can_be_drawn() && !parlor_games::ultimate::KIND.has_luck()
    );
}
