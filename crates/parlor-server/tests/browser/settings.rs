//! Settings: kept with the account or in the browser, and known before the first paint.

use parlor_games::GameKind;
use serde_json::{Value, json};
use thirtyfour::Key;

use crate::access::fits;
use crate::backgammon::made;
use crate::driver::{Browser, DESK, PHONE, SIZES, Screen, with_browsers};
use crate::games::{play, seated, stones};
use crate::house::House;

/// Chooses a word on the page with all settings, or in the drawer.
async fn choose(browser: &Browser, name: &str, word: &str) {
    let saved = "performance.getEntriesByType('resource').filter((one) => one.name.endsWith('/settings')).length";
    let before = browser.value(saved).await;
    let control = format!("[data-settings] [name={name}][value={word}]");
    browser
        .until(&format!("document.querySelector('{control}')"))
        .await;
    browser.click(&control).await;
    browser.until(&format!("{saved} > {before}")).await;
}

const PAPER: &str = "getComputedStyle(document.body).backgroundColor";
const LIGHT: &str = "rgb(245, 239, 228)";
const DARK: &str = "rgb(26, 23, 20)";

/// Returns the value of an attribute of the root element as the server sends it.
async fn sent(browser: &Browser, name: &str) -> Value {
    let tag = "fetch(location.href).then((answer) => answer.text()).then((text) => /<html[^>]*>/.exec(text)[0])";
    let tag = browser.value(tag).await;
    let word = tag
        .as_str()
        .unwrap()
        .split(&format!("{name}=\""))
        .nth(1)
        .map(|rest| rest.split('"').next().unwrap().to_owned());
    json!(word)
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn the_page_with_all_settings_fits_every_screen_and_applies_at_once() {
    with_browsers(async |house, browsers| {
        for (size, screen) in SIZES {
            let ann = browsers.open(screen).await;
            ann.go(&house.url("/settings")).await;
            ann.until("document.documentElement.classList.contains('js')")
                .await;
            fits(&ann, &format!("settings, {size}")).await;
            ann.picture(&format!("settings-{size}")).await;
            assert_eq!(ann.value(PAPER).await, json!(LIGHT));
            choose(&ann, "theme", "dark").await;
            assert_eq!(ann.value(PAPER).await, json!(DARK), "at once");
            fits(&ann, &format!("dark settings, {size}")).await;
            ann.picture(&format!("settings-{size}-dark")).await;
            ann.driver.refresh().await.unwrap();
            assert_eq!(ann.value(PAPER).await, json!(DARK), "and from then on");
            ann.go(&house.url("/api/docs/")).await;
            assert_eq!(ann.value(PAPER).await, json!(DARK), "on every page");
            ann.go(&house.url("/settings")).await;
            assert_eq!(sent(&ann, "data-theme").await, json!("dark"));
            ann.go(&house.url("/nothing-here")).await;
            assert_eq!(ann.value(PAPER).await, json!(DARK), "on every page");
            assert_eq!(
                ann.complaints()
                    .await
                    .iter()
                    .filter(|line| !line.contains("404"))
                    .count(),
                0
            );
        }
        let night = browsers.open(Screen { dark: true, ..DESK }).await;
        night.go(&house.url("/settings")).await;
        assert_eq!(
            night.value(PAPER).await,
            json!(DARK),
            "as the system asks for"
        );
        choose(&night, "theme", "light").await;
        assert_eq!(night.value(PAPER).await, json!(LIGHT));
        night.go(&house.url("/")).await;
        assert_eq!(night.value(PAPER).await, json!(LIGHT));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn settings_go_with_the_account_and_stay_in_the_browser_of_a_guest() {
    with_browsers(async |house, browsers| {
        let (ann, elsewhere) = (browsers.open(DESK).await, browsers.open(PHONE).await);
        ann.sign_up(house, "Ann").await;
        ann.go(&house.url("/settings")).await;
        choose(&ann, "sound", "off").await;
        choose(&ann, "board-backgammon", "slate").await;
        elsewhere.go(&house.url("/login")).await;
        assert_eq!(sent(&elsewhere, "data-sound").await, json!("on"));
        let body = json!({ "name": "Ann", "password": "a long password" }).to_string();
        let init = json!({ "method": "POST", "headers": { "content-type": "application/json" }, "body": body });
        let status = format!("fetch('/api/v1/sessions', {init}).then((answer) => answer.ok)");
        assert_eq!(elsewhere.value(&status).await, json!(true));
        assert_eq!(sent(&elsewhere, "data-sound").await, json!("off"));
        made(&elsewhere, house, json!({ "opponent": "here" })).await;
        assert_eq!(sent(&elsewhere, "data-board").await, json!("slate"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_setting_applies_in_other_tabs_at_once() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        made(&ann, house, json!({ "opponent": "here" })).await;
        let table = ann.driver.window().await.unwrap();
        let page = ann.driver.new_tab().await.unwrap();
        ann.driver.switch_to_window(page).await.unwrap();
        ann.go(&house.url("/settings")).await;
        choose(&ann, "theme", "dark").await;
        choose(&ann, "board-backgammon", "slate").await;
        ann.driver.switch_to_window(table).await.unwrap();
        ann.until(&format!("{PAPER} === '{DARK}'")).await;
        assert_eq!(
            ann.value("document.documentElement.dataset.theme").await,
            json!("dark")
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn every_game_has_two_boards_that_look_different_by_day_and_night() {
    with_browsers(async |house, browsers| {
        for dark in [false, true] {
            let ann = browsers.open(Screen { dark, ..DESK }).await;
            for kind in GameKind::all().iter().filter(|kind| !kind.style().is_empty()) {
                let (game, [_, second]) = (kind.name(), kind.board_styles());
                made(&ann, house, json!({ "game": game, "preset": "0", "opponent": "here" })).await;
                let colors = "[...document.querySelectorAll('#board *')].map((part) => getComputedStyle(part)).map((style) => style.stopColor + style.fill).join()";
                let before = ann.value(colors).await;
                ann.click("[data-drawer=settings]").await;
                choose(&ann, &format!("board-{game}"), second.name).await;
                assert_ne!(ann.value(colors).await, before, "{game}");
                ann.click("#drawer .head button").await;
                ann.picture(&format!("board-{game}-{}{}", second.name, if dark { "-dark" } else { "" })).await;
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_move_waits_to_be_confirmed_by_click_tap_key_or_button() {
    with_browsers(async |house, browsers| {
        for (name, screen) in [("desk", DESK), ("phone", SIZES[1].1)] {
            let ann = browsers.open(screen).await;
            ann.go(&house.url("/settings")).await;
            choose(&ann, "confirm", "always").await;
            made(&ann, house, json!({ "game": "mnk", "preset": "0", "opponent": "here" })).await;
            ann.until("document.querySelector('#cell-1-1.legal')").await;
            let touch = |id: &'static str| {
                let ann = ann.clone();
                async move { if screen.touch { ann.tap(id).await } else { ann.click(&format!("#{id}")).await } }
            };
            touch("cell-1-1").await;
            ann.until("document.querySelector('#confirm:popover-open') && document.querySelector('#cell-1-1.proposed') && document.querySelector('.ghost.aimed')").await;
            ann.picture(&format!("confirm-{name}")).await;
            stones(&ann, 0).await;
            touch("cell-0-0").await;
            ann.until("document.querySelector('#cell-0-0.proposed') && !document.querySelector('#cell-1-1.proposed')").await;
            ann.click("#confirm [data-confirm=no]").await;
            ann.until("!document.querySelector('#confirm:popover-open') && !document.querySelector('.proposed, .ghost')").await;
            // Half of a double click confirms nothing. In one script, so that they are halves on a slow machine, too.
            ann.value("[1, 2].map(() => document.getElementById('cell-1-1').dispatchEvent(new MouseEvent('click', { bubbles: true })))").await;
            ann.until("document.querySelector('#cell-1-1.proposed')").await;
            stones(&ann, 0).await;
            ann.until("document.querySelector('#confirm[data-armed]')").await;
            touch("cell-1-1").await;
            stones(&ann, 1).await;
            touch("cell-0-0").await;
            ann.until("document.querySelector('#confirm:popover-open')").await;
            ann.click("#confirm [data-confirm=yes]").await;
            stones(&ann, 2).await;
            ann.until("document.querySelector('#cell-2-2.legal')").await;
            ann.value("document.getElementById('cell-2-2').focus()").await;
            ann.press(Key::Enter).await;
            ann.until("document.querySelector('#cell-2-2.proposed')").await;
            ann.press(Key::Escape).await;
            ann.until("!document.querySelector('.proposed')").await;
            ann.press(Key::Enter).await;
            ann.until("document.querySelector('#confirm[data-armed]')").await;
            ann.press(Key::Enter).await;
            stones(&ann, 3).await;
        }
    })
    .await;
}

async fn premoves(house: &House, ann: &Browser, bob: &Browser) {
    seated(house, ann, bob).await;
    play(ann, 1, 1).await;
    // Taken back by a click, then chosen again.
    for on in [true, false, true] {
        ann.until("document.querySelector('#cell-0-2.ahead')").await;
        ann.click("#cell-0-2").await;
        ann.until(&format!(
            "Boolean(document.querySelector('#cell-0-2.premove')) === {on}"
        ))
        .await;
    }
    ann.picture("premove").await;
    // One click changes it.
    ann.click("#cell-0-1").await;
    let chosen =
        "JSON.stringify([...document.querySelectorAll('.premove')].map((place) => place.id))";
    ann.until(&format!("{chosen} === '[\"cell-0-1\"]'")).await;
    ann.click("#cell-0-2").await;
    ann.until(&format!("{chosen} === '[\"cell-0-2\"]'")).await;
    ann.driver.refresh().await.unwrap();
    ann.is_live().await;
    ann.until("document.querySelector('#cell-0-2.premove')")
        .await;
    stones(ann, 1).await;
    play(bob, 0, 0).await;
    stones(ann, 3).await;
    ann.until("document.getElementById('stone-0-2')").await;
    // One that the opponent makes impossible is dropped.
    ann.until("document.querySelector('#cell-2-0.ahead')").await;
    ann.click("#cell-2-0").await;
    ann.until("document.querySelector('#cell-2-0.premove')")
        .await;
    play(bob, 2, 0).await;
    ann.says("#hinted", "isn't possible any more").await;
    // The words in place of the status say whose turn it is, too.
    ann.says("#hinted", "Your turn").await;
    ann.until("document.getElementById('refused').textContent === ''")
        .await;
    ann.until("document.querySelector('.legal') && !document.querySelector('.premove')")
        .await;
    stones(ann, 4).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_move_chosen_in_advance_is_played_when_its_turn_comes_if_it_is_possible() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(DESK).await);
        premoves(house, &ann, &bob).await;
        // One that is chosen while the player's own move is still being sent is kept.
        seated(house, &ann, &bob).await;
        ann.until("document.querySelector('#cell-1-1.legal')").await;
        let both = "for (const id of ['cell-1-1', 'cell-0-2']) \
            document.getElementById(id).dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))";
        ann.driver.execute(both, Vec::<Value>::new()).await.unwrap();
        ann.until("document.querySelector('#cell-0-2.premove[aria-pressed=true]')")
            .await;
        stones(&ann, 1).await;
        play(&bob, 0, 0).await;
        stones(&ann, 3).await;
        assert_eq!(
            (ann.complaints().await, bob.complaints().await),
            (vec![], vec![])
        );
        ann.go(&house.url("/settings")).await;
        choose(&ann, "premoves", "off").await;
        seated(house, &ann, &bob).await;
        play(&ann, 1, 1).await;
        ann.says("#part-status", "Waiting for Bob").await;
        assert_eq!(
            ann.value("document.querySelector('.ahead')").await,
            Value::Null
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_premove_in_ultimate_waits_for_the_board_that_the_opponent_chooses() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(PHONE).await, browsers.open(DESK).await);
        let id = made(
            &ann,
            house,
            json!({ "game": "ultimate", "opponent": "friend" }),
        )
        .await;
        bob.go(&house.url(&format!("/t/{id}"))).await;
        bob.is_live().await;
        bob.value("document.querySelector('[name=name]').value = 'Bob'")
            .await;
        bob.click("#part-share button").await;
        let marks = "document.querySelectorAll('#board .stone').length";
        ann.until("document.querySelector('#board .legal')").await;
        ann.tap("cell-4-4").await;
        ann.until("document.querySelector('#cell-0-8.ahead')").await;
        ann.tap("cell-0-8").await;
        ann.until("document.querySelector('#cell-0-8.premove')")
            .await;
        ann.picture("premove-ultimate").await;
        bob.until("document.querySelector('#cell-4-0.legal')").await;
        bob.click("#cell-4-0").await;
        bob.until(&format!("{marks} === 3")).await;
        ann.until("document.querySelector('#stone-0-8')").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn coordinates_motion_and_sound_follow_the_settings() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        made(&ann, house, json!({ "game": "mnk", "preset": "2", "opponent": "here" })).await;
        let letters = "getComputedStyle(document.querySelector('.coordinates')).visibility";
        assert_eq!(ann.value(letters).await, json!("visible"));
        ann.value("(() => { window.tones = 0; const start = OscillatorNode.prototype.start; OscillatorNode.prototype.start = function (at) { window.tones++; return start.call(this, at); }; })()").await;
        play(&ann, 7, 7).await;
        ann.until("window.tones > 0").await;
        ann.click(".mute").await;
        ann.until("document.querySelector('.mute[aria-pressed=false]')").await;
        let heard = ann.value("window.tones").await;
        play(&ann, 7, 8).await;
        assert_eq!(ann.value("window.tones").await, heard, "muted");
        ann.click("[data-drawer=settings]").await;
        ann.until("document.querySelector('#drawer [name=sound][value=off]').checked").await;
        choose(&ann, "coordinates", "off").await;
        assert_eq!(ann.value(letters).await, json!("hidden"));
        choose(&ann, "motion", "off").await;
        ann.click("#drawer .head button").await;
        play(&ann, 8, 8).await;
        assert_eq!(ann.value("document.getAnimations().length").await, json!(0));
        ann.click("[data-drawer=settings]").await;
        choose(&ann, "motion", "fast").await;
        ann.click("#drawer .head button").await;
        let watch = "(() => { window.rates = []; const rate = Object.getOwnPropertyDescriptor(Animation.prototype, 'playbackRate'); \
             Object.defineProperty(Animation.prototype, 'playbackRate', { ...rate, set(to) { rates.push(to); rate.set.call(this, to); } }); })()";
        ann.value(watch).await;
        play(&ann, 8, 7).await;
        ann.until("window.rates.includes(3)").await;
        assert_eq!(sent(&ann, "data-motion").await, json!("fast"));
    })
    .await;
}
