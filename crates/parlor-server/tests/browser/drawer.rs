//! Rules, help and settings beside the board.

use serde_json::{Value, json};
use thirtyfour::Key;

use crate::access::fits;
use crate::backgammon::{made, step};
use crate::driver::{ACROSS, Browser, SIZES, by_day_and_night, with_browsers};
use crate::games::{play, seated_with_clocks};
use crate::house::House;

/// Things that have to stay in sight and that the drawer covers. On a phone upright, the banner's words are at the
/// top of the window.
const COVERED: &str = "(() => { const drawer = document.getElementById('drawer').getBoundingClientRect(); \
    const upright = innerWidth < 896 && innerHeight > 480; \
    const kept = upright ? ['#sight'] : ['#board', '.banner', '#part-seats', '.clock']; \
    return kept.filter((one) => { const box = document.querySelector(one)?.getBoundingClientRect(); \
      return box && box.width > 0 && Math.min(drawer.right, box.right) - Math.max(drawer.left, box.left) > 1 \
        && Math.min(drawer.bottom, box.bottom) - Math.max(drawer.top, box.top) > 1; }); })()";

/// True if a click in the middle of a cell reaches it.
async fn is_in_reach(browser: &Browser, id: &str) -> Value {
    let script = format!(
        "(() => {{ const cell = document.getElementById('{id}'); const box = cell.getBoundingClientRect(); \
         return cell.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)); }})()"
    );
    browser.value(&script).await
}

async fn opens_beside_the_board(browser: &Browser, house: &House, name: &str) {
    browser
        .set_up(house, "Classic 3 × 3", "Each other, on this device", "Ann")
        .await;
    let table = browser.value("location.pathname").await;
    for (section, text) in [
        ("help", "With the keyboard"),
        ("settings", "Sound"),
        ("rules", "unbroken straight line"),
    ] {
        browser.click(&format!("[data-drawer={section}]")).await;
        let body = format!("#drawer:popover-open #drawer-{section}[open]");
        browser.says(&body, text).await;
        browser
            .until("document.querySelectorAll('#drawer details[open]').length === 1")
            .await;
        if section == "help" {
            browser
                .says(&body, "chooses your next move in advance")
                .await;
        }
        browser.picture(&format!("drawer-{section}-{name}")).await;
        fits(browser, &format!("{section}, {name}")).await;
        if section != "rules" {
            browser.click("#drawer .head button").await;
            browser
                .until("!document.querySelector('#drawer:popover-open')")
                .await;
        }
    }
    assert_eq!(browser.value(COVERED).await, json!([]), "{name}");
    assert_eq!(
        is_in_reach(browser, "cell-0-0").await,
        json!(true),
        "{name}"
    );
    play(browser, 0, 0).await;
    browser
        .until("document.querySelector('#drawer:popover-open')")
        .await;
    browser.click("#drawer-rules summary").await;
    browser.press(Key::Home).await;
    browser.press(Key::Escape).await;
    browser
        .until("!document.querySelector('#drawer:popover-open') && document.activeElement.dataset.drawer === 'rules'")
        .await;
    browser
        .until("document.querySelectorAll('.stone').length === 1")
        .await;
    assert_eq!(browser.value("location.pathname").await, table);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn rules_help_and_settings_open_beside_the_board_on_every_screen() {
    with_browsers(async |house, browsers| {
        for (n, (size, screen)) in SIZES.into_iter().enumerate() {
            for dark in [false, true] {
                // By night, one desktop and one phone will do.
                if dark && n > 1 {
                    continue;
                }
                let ann = browsers
                    .open(crate::driver::Screen { dark, ..screen })
                    .await;
                let name = format!("{size}{}", if dark { "-dark" } else { "" });
                opens_beside_the_board(&ann, house, &name).await;
            }
        }
    })
    .await;
}

/// Buttons of the turn that cannot be clicked, of those that are not pushed aside, and what covers the board. A
/// button below the sign of its row comes when the sign is clicked.
const BURIED: &str = "(() => { const all = [...document.querySelectorAll('#part-entry :is(.button, button, summary)')]; \
    const bar = document.getElementById('part-entry').getBoundingClientRect(); \
    const buttons = all.filter((button) => { const box = button.getBoundingClientRect(); \
      return button.checkVisibility() && box.right <= innerWidth && box.y + box.height / 2 < bar.bottom; }); \
    const buried = buttons.filter((button) => { const box = button.getBoundingClientRect(); \
      const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2); \
      return !button.contains(hit) && !(hit?.matches('.goes-left, .goes-right') && hit.contains(button)); }); \
    const board = (document.querySelector('#board [data-sight]') ?? document.querySelector('#board .board')).getBoundingClientRect(); \
    const [drawer, ...tops] = [document.getElementById('drawer'), ...buttons].map((one) => one.getBoundingClientRect()); \
    const over = [drawer, ...tops].filter((box) => box.left < board.right - 1 && box.top < board.bottom - 1); \
    return buttons.length === 0 ? 'there are no buttons' : [...buried.map((button) => button.textContent), ...over.map((box) => `from ${box.top}, the board ends at ${board.bottom}`)]; })()";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn the_drawer_covers_neither_the_buttons_of_the_turn_nor_the_board_on_a_phone() {
    with_browsers(async |house, browsers| {
        let phones = SIZES.into_iter().skip(1).chain(ACROSS.into_iter().skip(1));
        for (size, screen) in phones {
            let ann = browsers.open(screen).await;
            for game in ["backgammon", "pandemic"] {
                made(
                    &ann,
                    house,
                    json!({ "game": game, "preset": "0", "opponent": "here" }),
                )
                .await;
                if game == "backgammon" {
                    step(&ann).await;
                }
                ann.until("document.querySelector('#part-entry .entry')")
                    .await;
                let before = ann.value(BAR).await;
                ann.click("[data-drawer=rules]").await;
                ann.says("#drawer:popover-open #drawer-rules[open]", "the")
                    .await;
                ann.until(&format!("{BURIED}.length === 0")).await;
                ann.picture(&format!("drawer-{game}-{size}")).await;
                assert_eq!(ann.value(COVERED).await, json!([]), "{game}, {size}");
                fits(&ann, &format!("{game}, {size}, with the rules")).await;
                ann.press(Key::Escape).await;
                ann.until("!document.querySelector('#drawer:popover-open') && scrollY === 0")
                    .await;
                assert_eq!(
                    ann.value(BAR).await,
                    before,
                    "{game}, {size}: back in its place"
                );
            }
            ann.leave().await;
        }
    })
    .await;
}

/// Box of the bar with the buttons of the turn.
const BAR: &str = "(() => { const box = document.getElementById('part-entry').getBoundingClientRect(); return [box.x, box.y, box.width, box.height]; })()";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_game_against_the_computer_has_a_clock_only_if_one_was_chosen() {
    with_browsers(async |house, browsers| {
        let (_, screen) = by_day_and_night(crate::driver::PHONE)[0];
        let ann = browsers.open(screen).await;
        let game = |clock: &str| json!({ "game": "ultimate", "opponent": "bot", "clock": clock });
        for (clock, faces) in [("usual", 0), ("60%2B0", 2)] {
            made(&ann, house, game(clock)).await;
            let shown = ann
                .value("document.querySelectorAll('.clock').length")
                .await;
            assert_eq!(shown, json!(faces), "{clock}");
            assert_eq!(
                ann.value("document.querySelector('main').textContent.includes('called off')")
                    .await,
                json!(false),
                "a game against the computer waits for its first move"
            );
        }
        made(
            &ann,
            house,
            json!({ "game": "ultimate", "opponent": "here", "clock": "usual" }),
        )
        .await;
        ann.says("[data-clock]", "6:00").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn whoever_reads_the_rules_sees_when_the_game_would_be_called_off() {
    with_browsers(async |house, browsers| {
        for (size, screen) in SIZES.into_iter().chain(ACROSS) {
            let (ann, bob) = (browsers.open(screen).await, browsers.open(screen).await);
            seated_with_clocks(house, &ann, &bob, async |_| {}).await;
            ann.says("#part-status", "or the game is called off").await;
            ann.click("[data-drawer=rules]").await;
            ann.until("document.querySelector('#drawer:popover-open #drawer-rules[open]')").await;
            ann.picture(&format!("countdown-{size}")).await;
            assert_eq!(ann.value(COVERED).await, json!([]), "{size}");
            // One of the two lines with the countdown can be seen, and goes on.
            let left = "[document.querySelector('#part-status .note'), document.getElementById('sight')].find((line) => { \
                const box = line.getBoundingClientRect(); const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2); \
                return line.checkVisibility() && (line.contains(hit) || hit?.contains(line)); })?.textContent.match(/0:\\d\\d/)?.[0]";
            ann.until(left).await;
            let first = ann.value(left).await;
            ann.until(&format!("({left}) !== {first}")).await;
        }
    })
    .await;
}
