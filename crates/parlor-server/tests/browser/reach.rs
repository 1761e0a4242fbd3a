//! Parts of the page that have to be in reach on small screens, and with large letters.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use parlor_games::GameKind;
use serde_json::{Value, json};

use crate::access::fits;
use crate::backgammon::{made, step};
use crate::driver::{ACROSS, Browser, DESK, SIZES, Screen, with_browsers};
use crate::games::{play, seated_with_clocks};

/// A screen of 1280x1024 at 400 %.
const ZOOMED: Screen = Screen {
    width: 320,
    height: 256,
    dark: false,
    touch: true,
};
const SMALL: Screen = Screen {
    height: 568,
    ..ZOOMED
};

/// Time within which a page has made room for what has just come.
const SETTLED: Duration = Duration::from_secs(5);

/// Phones, upright and across.
fn phones() -> impl Iterator<Item = (&'static str, Screen)> {
    let usual = SIZES.into_iter().filter(|(_, screen)| screen.touch);
    usual.chain(ACROSS).chain([("320x568", SMALL)])
}

/// True if an element is whole in the window and nothing lies over its middle.
async fn is_in_reach(browser: &Browser, selector: &str) -> Value {
    let script = format!(
        "(() => {{ const element = document.querySelector({}); const box = element?.getBoundingClientRect(); if (!box?.width) return 'none'; \
           const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2); \
           return box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1 && element.contains(hit) \
             || `${{[box.left, box.top, box.right, box.bottom].map(Math.round)}} under ${{hit?.outerHTML.slice(0, 90)}}`; }})()",
        json!(selector)
    );
    // The page may still be making room for something.
    let since = Instant::now();
    loop {
        let found = browser.value(&script).await;
        if found == json!(true) || since.elapsed() > SETTLED {
            return found;
        }
        tokio::task::yield_now().await;
    }
}

/// Presses the middle of an element with a finger or the mouse, and scrolls nothing.
async fn press(browser: &Browser, touch: bool, selector: &str) {
    let script = format!(
        "(() => {{ const box = document.querySelector({}).getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
        json!(selector)
    );
    let at = browser.value(&script).await;
    let at = [at[0].as_f64().unwrap(), at[1].as_f64().unwrap()];
    browser.pointer_down(touch, at).await;
    browser.pointer_up(touch, at).await;
}

/// Pixels by which one element covers another.
fn covers(one: &str, other: &str) -> String {
    format!(
        "(() => {{ const [a, b] = ['{one}', '{other}'].map((name) => document.querySelector(name).getBoundingClientRect()); \
           return Math.round(Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) && Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top))); }})()"
    )
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn an_offer_can_be_answered_while_the_rules_are_open() {
    with_browsers(async |house, browsers| {
        for (size, screen) in phones().chain([("desk", DESK)]) {
            let (ann, bob) = (browsers.open(screen).await, browsers.open(DESK).await);
            seated_with_clocks(house, &ann, &bob, async |_| {}).await;
            play(&ann, 1, 1).await;
            play(&bob, 0, 0).await;
            ann.until("document.querySelector('form[action$=\"/draw\"]')").await;
            ann.click("[data-drawer=rules]").await;
            ann.says("#drawer:popover-open #drawer-rules", "unbroken straight line").await;
            bob.value("document.querySelector('form[action$=\"/draw\"] button').click()").await;
            ann.says("#part-offers", "offers a draw").await;
            ann.picture(&format!("offer-drawer-{size}")).await;
            for answer in ["accept", "decline"] {
                let button = format!("form[action$='/draw/{answer}'] button");
                assert_eq!(is_in_reach(&ann, &button).await, json!(true), "{size}: {answer}");
            }
            assert_eq!(is_in_reach(&ann, "#drawer .head button").await, json!(true), "{size}");
            fits(&ann, size).await;
            press(&ann, screen.touch, "form[action$='/draw/decline'] button").await;
            ann.until("document.getElementById('part-offers').textContent === ''").await;
            bob.says("#hinted", "The draw was declined.").await;
            if screen.width < 400 {
                ann.click("#drawer .head button").await;
                // Without the drawer, it covers neither the board nor the arrows on the smallest screens.
                ann.value("scrollTo(0, 0)").await;
                play(&ann, 2, 2).await;
                bob.until("document.querySelector('form[action$=\"/takeback\"]') && document.title.startsWith('●')").await;
                bob.value("document.querySelector('form[action$=\"/takeback\"] button').click()").await;
                ann.says("#part-offers", "asks to take back").await;
                ann.picture(&format!("offer-{size}-alone")).await;
                if screen.height < 700 {
                    for other in ["#board", ".steps", ".banner", "#part-seats"] {
                        assert_eq!(ann.value(&covers("#part-offers", other)).await, json!(0), "{size}: {other}");
                    }
                }
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn the_question_whether_one_is_ready_leaves_the_board_in_sight() {
    with_browsers(async |house, browsers| {
        for (size, screen) in [("400-percent", ZOOMED), ("320x568", SMALL)] {
            let (ann, bob) = (browsers.open(screen).await, browsers.open(DESK).await);
            seated_with_clocks(house, &ann, &bob, async |_| {}).await;
            ann.says("#part-offers", "Press Ready").await;
            ann.value("scrollTo(0, 0)").await;
            ann.picture(&format!("ready-{size}")).await;
            assert_eq!(is_in_reach(&ann, "form[action$='/ready'] button").await, json!(true), "{size}");
            for other in ["#board", ".banner", "#part-seats"] {
                assert_eq!(ann.value(&covers("#part-offers", other)).await, json!(0), "{size}: {other}");
            }
            // Scrolled to, most of the window is board.
            ann.value("document.getElementById('board').scrollIntoView()").await;
            ann.until("document.getElementById('sight').checkVisibility()").await;
            let free = "(() => { const covered = [...document.querySelectorAll('#part-offers, #sight')].map((one) => one.getBoundingClientRect().bottom); \
                return innerHeight - Math.max(...covered); })()";
            let free = ann.value(free).await.as_f64().unwrap();
            ann.picture(&format!("ready-{size}-scrolled")).await;
            assert!(free >= 160.0, "{size}: {free} px of the board");
            fits(&ann, size).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn the_question_whether_one_is_ready_and_the_open_talk_leave_the_board_in_sight() {
    with_browsers(async |house, browsers| {
        let (size, screen) = SIZES[1];
        let (ann, bob) = (browsers.open(screen).await, browsers.open(DESK).await);
        seated_with_clocks(house, &ann, &bob, async |_| {}).await;
        ann.says("#part-offers", "Press Ready").await;
        ann.until("document.querySelector('.talk-button')").await;
        ann.value("scrollTo(0, 0)").await;
        ann.click(".talk-button").await;
        ann.until("document.querySelector('#talk:popover-open')").await;
        ann.picture(&format!("ready-talk-{size}")).await;
        assert_eq!(is_in_reach(&ann, "form[action$='/ready'] button").await, json!(true));
        assert_eq!(is_in_reach(&ann, "#talk .close").await, json!(true));
        for other in ["#board", ".banner", "#part-seats", "#talk"] {
            assert_eq!(ann.value(&covers("#part-offers", other)).await, json!(0), "{other}");
        }
        // Half of the board can be seen, as without the question.
        let seen = "(() => { const board = document.getElementById('board').getBoundingClientRect(); \
            return (document.getElementById('talk').getBoundingClientRect().top - board.top) / board.height; })()";
        let seen = ann.value(seen).await.as_f64().unwrap();
        assert!(seen > 0.5, "{seen}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn the_question_whether_one_is_ready_gives_way_to_a_move_that_is_begun() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(SMALL).await;
        // The dice choose who begins.
        for _ in 0..40 {
            made(
                &ann,
                house,
                json!({ "opponent": "friend", "clock": "300%2B3" }),
            )
            .await;
            let join = "fetch(location.pathname + '/join', { method: 'POST', credentials: 'omit', \
                body: new URLSearchParams({ name: 'Bob' }) }).then((answer) => answer.ok)";
            assert_eq!(ann.value(join).await, json!(true));
            ann.says("#part-offers", "Press Ready").await;
            if ann
                .value("document.querySelector('#part-status .yours-now') !== null")
                .await
                == json!(true)
            {
                break;
            }
        }
        let asks = "document.querySelector('.bar.start').checkVisibility()";
        assert_eq!(ann.value(asks).await, json!(true));
        step(&ann).await;
        assert_eq!(ann.value(asks).await, json!(false));
        ann.click("#part-entry a[data-draft='']").await;
        ann.until(asks).await;
    })
    .await;
}

/// Names what the menu of the game shows beyond the edges of the window.
const CUT_OFF: &str = "[...document.querySelectorAll('#part-actions .actions > *')].filter((one) => { const box = one.getBoundingClientRect(); \
    return box.width > 0 && (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1); }) \
    .map((one) => one.textContent)";
/// Names what can follow a game and lies under the sign that closes its result.
const UNDER_CLOSE: &str = "(() => { const sign = document.querySelector('#end .close').getBoundingClientRect(); \
    return [...document.querySelectorAll('#end .actions :is(button, a)')].filter((one) => { const box = one.getBoundingClientRect(); \
      return Math.min(sign.right, box.right) - Math.max(sign.left, box.left) > 1 && Math.min(sign.bottom, box.bottom) - Math.max(sign.top, box.top) > 1; \
    }).map((one) => one.textContent); })()";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn on_a_phone_one_resigns_without_scrolling() {
    with_browsers(async |house, browsers| {
        for (size, screen) in phones() {
            let ann = browsers.open(screen).await;
            let usual = GameKind::all().iter().map(|kind| json!({ "game": kind.name(), "preset": "0" }));
            let for_three = json!({ "game": "mnk", "options": { "rows": 6, "columns": 6, "k": 4, "seats": 3 } });
            for mut table in usual.chain([for_three]) {
                table["opponent"] = json!("here");
                table["clock"] = json!("300%2B3");
                let what = format!("{}-{size}", table["game"].as_str().unwrap());
                made(&ann, house, table).await;
                assert_eq!(is_in_reach(&ann, ".menu").await, json!(true), "{what}");
                press(&ann, true, ".menu").await;
                ann.until("document.querySelector('#part-actions:popover-open')").await;
                let resign = "#part-actions details:has(form[action$='/resign']) summary";
                assert_eq!(is_in_reach(&ann, resign).await, json!(true), "{what}");
                assert_eq!(ann.value(CUT_OFF).await, json!([]), "{what}");
                press(&ann, true, resign).await;
                let sure = "#part-actions form[action$='/resign'] button";
                ann.until("document.querySelector('#part-actions details[open] form[action$=\"/resign\"]')").await;
                ann.picture(&format!("resign-{what}")).await;
                fits(&ann, &what).await;
                assert_eq!(is_in_reach(&ann, sure).await, json!(true), "{what}");
                assert_eq!(ann.value("scrollY").await, json!(0), "{what}");
                press(&ann, true, sure).await;
                ann.until("document.querySelector('#end:popover-open') && !document.querySelector('#part-actions:popover-open')").await;
                assert_eq!(ann.value(UNDER_CLOSE).await, json!([]), "{what}");
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_long_name_leaves_the_board_where_it_is() {
    with_browsers(async |house, browsers| {
        let mut tops: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        for name in ["Ann", &"W".repeat(40), "Bartholomew Montgomery-Fotheringay"] {
            let ann = browsers.open(DESK).await;
            ann.set_up(house, "Classic 3 × 3", "The computer", name)
                .await;
            for (size, screen) in phones().chain([("desk", DESK)]) {
                ann.set_screen(screen).await;
                ann.value("scrollTo(0, 0)").await;
                ann.picture(&format!("name-{}-{size}", name.len())).await;
                let top = "document.getElementById('board').getBoundingClientRect().top";
                tops.entry(size).or_default().push(ann.value(top).await);
            }
        }
        for (size, tops) in tops {
            assert!(tops.iter().all(|top| *top == tops[0]), "{size}: {tops:?}");
        }
    })
    .await;
}
