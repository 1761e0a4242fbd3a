//! Drags of pieces on the board, with a mouse and with a finger.

use serde_json::{Value, json};

use crate::backgammon::made;
use crate::driver::{Browser, DESK, PHONE, Screen, with_browsers};
use crate::house::House;

/// Changes with every step of a move and with every move.
const STATE: &str = "location.search + document.getElementById('part-moves').textContent";
/// Place and target of all drags that continue the game, as the server lists them.
const DRAGS: &str = "fetch(location.pathname + '/state' + location.search, { headers: { accept: 'application/json' } }) \
     .then((answer) => answer.json()).then((table) => table.clicks.filter((click) => click.length === 4).map((click) => click.slice(2)))";
const CARRIED: &str = "document.querySelector('#board .carried > *')";

type Point = [f64; 2];

fn between([x, y]: Point, [to_x, to_y]: Point, part: f64) -> Point {
    [x + (to_x - x) * part, y + (to_y - y) * part]
}

fn is_near([x, y]: Point, [other_x, other_y]: Point) -> bool {
    (x - other_x).hypot(y - other_y) < 3.0
}

fn point(value: &Value) -> Point {
    [value[0].as_f64().unwrap(), value[1].as_f64().unwrap()]
}

/// Returns the middle of what an expression selects.
async fn middle(browser: &Browser, element: &str) -> Point {
    let box_of = format!("{element}.getBoundingClientRect()");
    let at = browser
        .value(&format!(
            "((b) => [b.x + b.width / 2, b.y + b.height / 2])({box_of})"
        ))
        .await;
    point(&at)
}

/// Returns the middle of the mark of a place, or of the place.
async fn middle_of_place(browser: &Browser, id: &str) -> Point {
    let place = format!("document.getElementById({})", json!(id));
    middle(
        browser,
        &format!("(({place}).querySelector('.mark, .cell') ?? {place})"),
    )
    .await
}

/// Carries a piece from a point to another in several moves, and looks at it on the way.
async fn carry(browser: &Browser, touch: bool, from: Point, to: Point) {
    browser.pointer_down(touch, from).await;
    // The first step is long enough to be a drag even between neighbors on a phone.
    for part in [0.5, 0.7, 0.9, 1.0] {
        let here = between(from, to, part);
        browser.pointer_move(touch, here).await;
        browser.until(CARRIED).await;
        let piece = middle(browser, CARRIED).await;
        assert!(is_near(piece, here), "{piece:?} does not follow {here:?}");
    }
    browser
        .until("document.querySelector('#board.dragging .legal:not(.chosen)')")
        .await;
}

/// Confirms a complete move, and waits until a piece can be moved.
async fn ready(browser: &Browser) {
    browser
        .until("document.querySelector('#board .legal, #part-entry button[data-move]')")
        .await;
    if browser
        .value("document.querySelector('#part-entry button[data-move]') !== null")
        .await
        == json!(true)
    {
        browser.click("#part-entry button[data-move]").await;
        browser
            .until("document.querySelector('#board .legal')")
            .await;
    }
    browser
        .value("document.getElementById('board').scrollIntoView({ block: 'center' })")
        .await;
    still(browser).await;
}

/// Waits until no piece moves.
async fn still(browser: &Browser) {
    let still = "document.getAnimations().every((a) => a.playState === 'finished' || a.effect?.getTiming().iterations === Infinity)";
    browser.until(still).await;
}

/// Makes moves by drags only. Each one must arrive.
async fn drag_often(screen: Screen, drags: usize) {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(screen).await;
        new_table(&ann, house).await;
        for drag in 0..drags {
            if ann
                .value("/won|lost/.test(document.getElementById('part-status').textContent)")
                .await
                == json!(true)
            {
                new_table(&ann, house).await;
            }
            ready(&ann).await;
            let ways = ann.value(DRAGS).await;
            let way = &ways.as_array().unwrap()[drag % ways.as_array().unwrap().len()];
            let (from, to) = (way[0].as_str().unwrap(), way[1].as_str().unwrap());
            let before = ann.value(STATE).await;
            let ends = [
                middle_of_place(&ann, from).await,
                middle_of_place(&ann, to).await,
            ];
            carry(&ann, screen.touch, ends[0], ends[1]).await;
            ann.until("document.querySelector('#board .place.over')")
                .await;
            ann.pointer_up(screen.touch, ends[1]).await;
            ann.until(&format!("({STATE}) !== {before}")).await;
            ann.until("document.querySelector('#board :is(.carried, .lifted)') === null")
                .await;
            assert_eq!(
                ann.value("document.getElementById('refused').textContent")
                    .await,
                json!("")
            );
        }
        assert_eq!(ann.complaints().await, Vec::<String>::new());
    })
    .await;
}

async fn new_table(browser: &Browser, house: &House) {
    made(browser, house, json!({ "opponent": "here" })).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn every_drag_with_a_mouse_arrives() {
    drag_often(DESK, 10).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn every_drag_with_a_finger_arrives() {
    drag_often(PHONE, 10).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_piece_dropped_in_the_wrong_place_glides_back() {
    with_browsers(async |house, browsers| {
        for screen in [DESK, PHONE] {
            let ann = browsers.open(screen).await;
            new_table(&ann, house).await;
            ready(&ann).await;
            let ways = ann.value(DRAGS).await;
            let from = ways[0][0].as_str().unwrap();
            let before = ann.value(STATE).await;
            let start = middle_of_place(&ann, from).await;
            // The board's middle is between the points.
            let wrong = [
                start[0],
                middle(&ann, "document.querySelector('#board')").await[1],
            ];
            carry(&ann, screen.touch, start, wrong).await;
            ann.pointer_up(screen.touch, wrong).await;
            ann.until("document.querySelector('#board :is(.carried, .lifted)') === null")
                .await;
            ann.until("document.querySelector('#board:not(.dragging) .legal')")
                .await;
            assert_eq!(ann.value(STATE).await, before);
            assert!(is_near(middle_of_place(&ann, from).await, start));
            assert_eq!(ann.complaints().await, Vec::<String>::new());
        }
    })
    .await;
}

/// Creates a game for two pawns at this browser and returns the path of its page. `more` is further form fields.
async fn pawns(browser: &Browser, house: &House, more: &str) -> String {
    browser.go(&house.url("/about")).await;
    let form = format!(
        "game=pandemic&name=Ann&listed=yes&preset=own&opponent=here&option.players=2{more}"
    );
    let post = format!(
        "fetch('/new', {{ method: 'POST', headers: {{ 'content-type': 'application/x-www-form-urlencoded' }}, \
         body: '{form}' }}).then((answer) => new URL(answer.url).pathname)"
    );
    browser.value(&post).await.as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_pawn_is_dragged_to_another_city_with_a_mouse_and_with_a_finger() {
    with_browsers(async |house, browsers| {
        for screen in [DESK, Screen { width: 390, height: 844, ..PHONE }] {
            let ann = browsers.open(screen).await;
            let path = pawns(&ann, house, "").await;
            ann.go(&house.url(&path)).await;
            ann.is_live().await;
            for _ in 0..3 {
                ann.until("document.querySelector('#board .pawn.legal')").await;
                let ways = ann.value(DRAGS).await;
                let own = |way: &&Value| way[0].as_str().unwrap().starts_with("pawn-");
                let way = ways.as_array().unwrap().iter().find(own).unwrap();
                let (from, to) = (way[0].as_str().unwrap(), way[1].as_str().unwrap());
                let show = format!("document.getElementById('{from}').scrollIntoView({{ block: 'center', inline: 'center' }})");
                ann.value(&show).await;
                still(&ann).await;
                let before = ann.value(STATE).await;
                let ends = [middle_of_place(&ann, from).await, middle_of_place(&ann, to).await];
                carry(&ann, screen.touch, ends[0], ends[1]).await;
                ann.picture(&format!("drag-pawn-{}", screen.width)).await;
                ann.pointer_up(screen.touch, ends[1]).await;
                ann.until(&format!("({STATE}) !== {before}")).await;
            }
            assert_eq!(ann.complaints().await, Vec::<String>::new());
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn the_bar_of_buttons_keeps_its_place_below_the_hand_while_a_pawn_is_dragged_on_a_phone() {
    with_browsers(async |house, browsers| {
        const BAR: &str = "((box) => [box.top, box.height])(document.querySelector('#part-entry .entries').getBoundingClientRect())";
        // Whole, and neither out of the window nor under the bar.
        const HAND: &str = "((hand, bar) => hand.top >= 0 && hand.height > 100 && hand.bottom <= bar.top)\
            (document.querySelector('.hand').getBoundingClientRect(), document.querySelector('#part-entry .entries').getBoundingClientRect())";
        for (width, height) in [(320, 640), (390, 844)] {
            let ann = browsers.open(Screen { width, height, ..PHONE }).await;
            // Without events, which can be played out of turn by buttons of their own.
            let path = pawns(&ann, house, "&option.events=list").await;
            ann.go(&house.url(&path)).await;
            ann.is_live().await;
            ann.until("document.querySelector('#board .pawn.legal')").await;
            assert_eq!(ann.value(HAND).await, json!(true), "{width}x{height}");
            let bar = ann.value(BAR).await;
            ann.picture(&format!("hand-above-bar-{width}")).await;
            // Neighbors are too near to each other to drag between them on a map as small as that of the smaller phone.
            for _ in 0..if width == 390 { 3 } else { 0 } {
                ann.until("document.querySelector('#board .pawn.legal')").await;
                let ways = ann.value(DRAGS).await;
                let own = |way: &&Value| way[0].as_str().unwrap().starts_with("pawn-");
                let way = ways.as_array().unwrap().iter().find(own).unwrap();
                let (from, to) = (way[0].as_str().unwrap(), way[1].as_str().unwrap());
                still(&ann).await;
                let before = ann.value(STATE).await;
                let ends = [middle_of_place(&ann, from).await, middle_of_place(&ann, to).await];
                carry(&ann, PHONE.touch, ends[0], ends[1]).await;
                assert_eq!(ann.value(BAR).await, bar, "{width}x{height}, during the drag");
                ann.pointer_up(PHONE.touch, ends[1]).await;
                ann.until(&format!("({STATE}) !== {before}")).await;
                assert_eq!(ann.value(BAR).await, bar, "{width}x{height}, after the drag");
                assert_eq!(ann.value(HAND).await, json!(true), "{width}x{height}");
            }
            assert_eq!(ann.complaints().await, Vec::<String>::new());
        }
    })
    .await;
}

/// Tests that take minutes.
mod full {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
    async fn each_of_40_drags_with_a_mouse_arrives() {
        drag_often(DESK, 40).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
    async fn each_of_40_drags_with_a_finger_arrives() {
        drag_often(PHONE, 40).await;
    }
}
