//! Presses that come a moment too soon or too late, and what the banner says meanwhile.

use parlor_games::GameKind;
use serde_json::json;
use thirtyfour::Key;

use crate::backgammon::made;
use crate::driver::{Browser, DESK, PHONE, Screen, with_browsers};
use crate::games::{play, seated, stones};
use crate::house::House;

/// Begins to count what the page sends, and to note its alerts.
const WATCH: &str = "(() => { window.sent = []; window.alerts = []; const real = window.fetch; \
    window.fetch = (url, init) => { if (init?.method === 'POST') sent.push(String(init.body)); return real(url, init); }; \
    const refused = document.getElementById('refused'); \
    new MutationObserver(() => refused.textContent && alerts.push(refused.textContent)) \
      .observe(refused, { childList: true, characterData: true, subtree: true }); return true; })()";
/// Ids of what can be seen in the banner.
const SHOWN: &str = "[...document.querySelectorAll('.banner > *')].filter((element) => \
    element.textContent && getComputedStyle(element).visibility === 'visible').map((element) => element.id)";

/// Opens a table whose player on turn can double, and returns its id.
async fn before_a_double(browser: &Browser, house: &House) -> String {
    let options = json!({ "cube": "on" });
    let wanted = json!({ "opponent": "here", "luck_by_hand": true, "options": options });
    let id = made(browser, house, wanted).await;
    let moves = json!([["chance", { "chance": "3-1" }], ["moves", { "move": "8/5,6/5" }]]);
    for one in moves.as_array().unwrap() {
        assert_eq!(
            browser.value(&by_api(&id, &one[0], &one[1])).await,
            json!(true)
        );
    }
    browser
        .until("document.querySelector('#part-entry [data-move=double]')")
        .await;
    browser.value(WATCH).await;
    id
}

/// Script that sends something past the page.
fn by_api(id: &str, verb: &serde_json::Value, body: &serde_json::Value) -> String {
    let verb = verb.as_str().unwrap();
    format!(
        "fetch('/api/v1/tables/{id}/{verb}', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, \
         body: {} }}).then((answer) => answer.ok)",
        json!(body.to_string())
    )
}

/// Returns a point that is on the button to double and, when that is gone, on another one.
async fn on_both(browser: &Browser, house: &House) -> [f64; 2] {
    let boxes = "JSON.stringify([...document.querySelectorAll('#part-entry [data-move]')].map((button) => { \
        const box = button.getBoundingClientRect(); return [button.dataset.move, box.left, box.top, box.right, box.bottom]; }))";
    before_a_double(browser, house).await;
    let before = browser.value(boxes).await;
    browser
        .value("document.querySelector('[data-move=double]').click()")
        .await;
    browser
        .until("document.querySelector('#part-entry [data-move=drop]')")
        .await;
    let after = browser.value(boxes).await;
    let (before, after) = (before.as_str().unwrap(), after.as_str().unwrap());
    let point = format!(
        "(() => {{ const [, ...one] = {before}.find(([move]) => move === 'double'); \
           for (const [, ...other] of {after}) {{ \
             const [left, top, right, bottom] = [0, 1, 2, 3].map((n) => (n < 2 ? Math.max : Math.min)(one[n], other[n])); \
             if (right - left > 4 && bottom - top > 4) return [(left + right) / 2, (top + bottom) / 2]; }} }})()"
    );
    let at = browser.value(&point).await;
    [
        at[0].as_f64().expect("buttons lie where others lay"),
        at[1].as_f64().unwrap(),
    ]
}

/// Returns the middle of a button.
async fn middle(browser: &Browser, name: &str) -> [f64; 2] {
    let script = format!(
        "(() => {{ const box = document.querySelector('#part-entry [data-move={name}]').getBoundingClientRect(); \
         return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
    );
    let at = browser.value(&script).await;
    [at[0].as_f64().unwrap(), at[1].as_f64().unwrap()]
}

async fn press(browser: &Browser, touch: bool, at: [f64; 2]) {
    browser.pointer_down(touch, at).await;
    browser.pointer_up(touch, at).await;
}

async fn sent(browser: &Browser) -> usize {
    browser.value("sent.length").await.as_u64().unwrap() as usize
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn the_second_press_of_a_double_click_does_nothing() {
    with_browsers(async |house, browsers| {
        for screen in [
            DESK,
            PHONE,
            Screen {
                width: 844,
                height: 390,
                ..PHONE
            },
        ] {
            let ann = browsers.open(screen).await;
            let touch = screen.touch;
            let at = on_both(&ann, house).await;
            before_a_double(&ann, house).await;
            // However busy the machine is, the second press comes soon after the change: the page
            // takes that for later than it is.
            let later = "(() => { const now = performance.now.bind(performance); performance.now = () => now() + 20_000; })()";
            ann.value(later).await;
            press(&ann, touch, at).await;
            ann.until("document.querySelector('#part-entry [data-move=drop]')")
                .await;
            press(&ann, touch, at).await;
            assert_eq!(
                sent(&ann).await,
                1,
                "the second press was meant for what is gone"
            );
            let under = format!(
                "document.elementFromPoint({}, {}).closest('[data-move]') !== null",
                at[0], at[1]
            );
            assert_eq!(
                ann.value(&under).await,
                json!(true),
                "there is something to press by mistake"
            );
            // A key means what has the focus, at any time.
            ann.value("document.querySelector('#part-entry [data-move=take]').focus()")
                .await;
            ann.press(Key::Enter).await;
            ann.until("document.querySelector('#part-entry [data-move=drop]') === null")
                .await;
            assert_eq!(sent(&ann).await, 2);

            // With time to look, a press is meant for the new button.
            before_a_double(&ann, house).await;
            press(&ann, touch, at).await;
            ann.until("document.querySelector('#part-entry [data-move=drop]')")
                .await;
            let now = ann.value("performance.now()").await.as_f64().unwrap();
            ann.until(&format!("performance.now() > {}", now + 600.0))
                .await;
            press(&ann, touch, at).await;
            assert_eq!(sent(&ann).await, 2);
            assert_eq!(ann.value("alerts").await, json!([]));
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn whoever_presses_what_the_page_still_shows_is_not_alarmed() {
    with_browsers(async |house, browsers| {
        for screen in [DESK, PHONE] {
            let (ann, eve) = (browsers.open(screen).await, browsers.open(DESK).await);
            let id = before_a_double(&ann, house).await;
            eve.go(&house.url("/about")).await;
            let version = format!("fetch('/api/v1/tables/{id}').then((answer) => answer.json()).then((table) => table.version)");
            let before = eve.value(&version).await;
            // The player doubles in another tab, and the news takes its time.
            ann.delay_answers(4_000).await;
            let double = by_api(&id, &json!("moves"), &json!({ "move": "double" }));
            ann.value(&format!("void ({double})")).await;
            eve.until(&format!("{version}.then((is) => is > {before})")).await;
            let at = middle(&ann, "roll").await;
            press(&ann, screen.touch, at).await;
            ann.says("#hinted", "You have moved in another window.").await;
            ann.until("document.querySelector('#part-entry [data-move=take]')").await;
            ann.picture(&format!("late-press-{}", screen.width)).await;
            assert_eq!(ann.value("alerts").await, json!([]));
            ann.delay_answers(0).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn whoever_has_moved_in_another_window_is_told_so() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(DESK).await);
        seated(house, &ann, &bob).await;
        ann.says("#part-status", "Your turn").await;
        ann.value(WATCH).await;
        let path = ann.value("location.pathname").await;
        let id = path.as_str().unwrap().trim_start_matches("/t/").to_owned();
        // The other window moves, and what this one asks for then takes its time.
        ann.delay_answers(4_000).await;
        let elsewhere = by_api(&id, &json!("moves"), &json!({ "move": "1,1" }));
        ann.value(&format!("void ({elsewhere})")).await;
        stones(&bob, 1).await;
        ann.click("#cell-0-0").await;
        ann.says("#hinted", "You have moved in another window.")
            .await;
        ann.until("document.querySelectorAll('.stone').length === 1")
            .await;
        assert_eq!(ann.value("alerts").await, json!([]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn arrows_step_through_the_game_after_a_click_and_move_the_focus_after_tab() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        let game = GameKind::all()[0].name();
        made(
            &ann,
            house,
            json!({ "game": game, "preset": "0", "opponent": "here" }),
        )
        .await;
        play(&ann, 1, 1).await;
        play(&ann, 0, 0).await;
        for (key, left) in [
            (Key::Left, 1),
            (Key::Left, 0),
            (Key::Right, 1),
            (Key::Right, 2),
        ] {
            ann.press(key).await;
            stones(&ann, left).await;
        }
        // Back in the board by Tab, its keys are those of the board.
        ann.value("document.querySelector('.steps a').focus()")
            .await;
        let is_on = |id: &str| format!("document.activeElement.id === '{id}'");
        ann.driver
            .action_chain()
            .key_down(Key::Shift)
            .send_keys(Key::Tab)
            .key_up(Key::Shift)
            .perform()
            .await
            .unwrap();
        ann.until(&is_on("cell-0-0")).await;
        ann.press(Key::Right).await;
        ann.until(&is_on("cell-0-1")).await;
        ann.press(Key::Down).await;
        ann.until(&is_on("cell-1-1")).await;
        assert_eq!(
            ann.value("document.querySelectorAll('.stone').length")
                .await,
            json!(2)
        );
        ann.press(Key::Right).await;
        ann.press(Key::Enter).await;
        stones(&ann, 3).await;
        ann.press(Key::Left).await;
        ann.until(&is_on("cell-1-1")).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn while_a_move_is_on_its_way_the_banner_says_so() {
    with_browsers(async |house, browsers| {
        for screen in [DESK, PHONE] {
            let (ann, bob) = (browsers.open(screen).await, browsers.open(DESK).await);
            seated(house, &ann, &bob).await;
            ann.says("#part-status", "Your turn").await;
            assert_eq!(ann.value(SHOWN).await, json!(["part-status"]));
            ann.delay_answers(3_000).await;
            ann.click("#cell-1-1").await;
            assert_eq!(ann.value(SHOWN).await, json!(["underway"]));
            ann.picture(&format!("underway-{}", screen.width)).await;
            ann.says("#part-status", "Waiting for Bob").await;
            ann.until("document.getElementById('underway').textContent === ''")
                .await;
            assert_eq!(ann.value(SHOWN).await, json!(["part-status"]));
            ann.delay_answers(0).await;
            play(&bob, 0, 0).await;
            ann.says("#part-status", "Your turn").await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_network_that_goes_away_is_reported_within_three_seconds() {
    with_browsers(async |house, browsers| {
        for clock in ["none", "300%2B3"] {
            let ann = browsers.open(DESK).await;
            made(&ann, house, json!({ "game": GameKind::all()[0].name(), "preset": "0", "opponent": "here", "clock": clock })).await;
            let note = "(() => { window.since = performance.now(); const lost = document.getElementById('connection'); \
                new MutationObserver(() => { if (lost.textContent && !window.lost) window.lost = performance.now(); }) \
                  .observe(lost, { childList: true }); return true; })()";
            ann.value(note).await;
            ann.go_offline(true).await;
            ann.says("#connection", "Connection lost, trying again").await;
            let took = ann.value("window.lost - window.since").await.as_f64().unwrap();
            assert!(took < 3_000.0, "{took} ms");
            ann.go_offline(false).await;
            ann.until("document.getElementById('connection').textContent === ''").await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn presses_for_all_on_one_device_are_played_in_their_order() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        let game = GameKind::all()[0].name();
        made(&ann, house, json!({ "game": game, "preset": "0", "opponent": "here" })).await;
        ann.value(WATCH).await;
        // All before the first answer, and one of them twice, as with a double click.
        let press = "(() => { const all = [...document.querySelectorAll('.place')]; \
            for (const [n, detail] of [[0, 1], [1, 1], [1, 2], [2, 1], [3, 1]]) \
              all[n].dispatchEvent(new MouseEvent('click', { bubbles: true, detail })); \
            window.wanted = all.slice(0, 4).map((place) => place.id); return true; })()";
        assert_eq!(ann.value(press).await, json!(true));
        ann.until("sent.length === 4 && document.querySelector('#underway').textContent === ''").await;
        let free = "[...document.querySelectorAll('.place.legal')].filter((place) => wanted.includes(place.id)).length";
        assert_eq!(ann.value(free).await, json!(0), "four places are taken");
        assert_eq!(ann.value("alerts").await, json!([]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_click_before_the_scripts_have_loaded_plays() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        ann.set_up(house, "Classic 3 × 3", "Each other, on this device", "Ann")
            .await;
        ann.is_live().await;
        // Modules run once the whole page is there; this click comes with the board.
        ann.begin_pages_with(
            "new MutationObserver((_, observer) => { const cell = document.getElementById('cell-1-1'); if (!cell) return; \
             observer.disconnect(); window.wasLive = !!document.querySelector('main.live'); \
             cell.dispatchEvent(new PointerEvent('click', { bubbles: true, detail: 1 })); }) \
             .observe(document, { childList: true, subtree: true });",
        )
        .await;
        let url = ann.value("location.href").await;
        ann.go(url.as_str().unwrap()).await;
        ann.until("document.querySelectorAll('.stone').length === 1")
            .await;
        assert_eq!(ann.value("window.wasLive").await, json!(false));
        play(&ann, 0, 0).await;
        ann.until("document.querySelectorAll('.stone').length === 2").await;
    })
    .await;
}
