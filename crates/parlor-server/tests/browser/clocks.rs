//! Games with clocks, and what two players offer each other.

use serde_json::json;
use thirtyfour::Key;

use crate::backgammon::made;
use crate::driver::{ACROSS, Browser, DESK, PHONE, SIZES, with_browsers};
use crate::games::{play, seated, stones};
use crate::house::House;

/// Seats two people at a listed table with the given minutes per player.
async fn timed(house: &House, ann: &Browser, bob: &Browser, minutes: &str) {
    ann.set_up_timed(house, minutes, "Ann").await;
    let path = ann.value("location.pathname").await;
    bob.go(&house.url(path.as_str().unwrap())).await;
    bob.is_live().await;
    bob.value("document.querySelector('[name=name]').value = 'Bob'")
        .await;
    bob.click("#part-share button").await;
    bob.says("#part-status", "Waiting for Ann").await;
    ann.says("#part-status", "Your turn").await;
}

/// Waits until the clock of a seat runs and no longer shows `start`.
async fn ticks(browser: &Browser, seat: u8, start: &str) {
    let face = format!("document.querySelector('[data-clock=\"{seat}\"].runs')");
    browser
        .until(&format!(
            "{face} && {face}.textContent !== {}",
            json!(start)
        ))
        .await;
}

async fn confirm(browser: &Browser, verb: &str) {
    browser
        .click(&format!(
            "details.confirm:has(form[action$='/{verb}']) summary"
        ))
        .await;
    browser
        .click(&format!("details[open] form[action$='/{verb}'] button"))
        .await;
}

async fn press(browser: &Browser, verb: &str) {
    browser
        .click(&format!("form[action$='/{verb}'] button"))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_click_while_a_button_is_at_work_counts() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(DESK).await);
        timed(house, &ann, &bob, "5").await;
        ann.value(
            "(() => { document.querySelector(\"form[action$='/ready'] button\").click(); \
             document.querySelector('#board .place.legal').dispatchEvent(new MouseEvent('click', { bubbles: true })); })()",
        )
        .await;
        stones(&bob, 1).await;
        assert_eq!(ann.complaints().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn clocks_run_and_offers_are_answered() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(DESK).await);
        timed(house, &ann, &bob, "5").await;
        bob.says("[data-clock='0']", "5:00").await;
        bob.says(".title", "5 min · casual").await;
        ann.says("#part-status", "or the game is called off").await;
        press(&bob, "ready").await;
        ann.says("#part-seats", "ready").await;
        press(&ann, "ready").await;
        ticks(&ann, 0, "5:00").await;
        ticks(&bob, 0, "5:00").await;
        play(&ann, 1, 1).await;
        ticks(&ann, 1, "5:00").await;
        play(&bob, 0, 0).await;
        ann.says("#part-moves a > i", " s").await;
        // A draw is offered and declined.
        confirm(&ann, "draw").await;
        ann.says("#part-status", "You offered a draw.").await;
        bob.says("#part-offers", "Ann offers a draw.").await;
        press(&bob, "draw/decline").await;
        ann.until("!document.getElementById('part-status').textContent.includes('You offered')").await;
        confirm(&ann, "draw").await;
        ann.says("#refused", "ou have already offered this").await;
        // A takeback is requested and accepted.
        press(&ann, "takeback").await;
        bob.says("#part-offers", "Ann asks to take back the last move.").await;
        press(&bob, "takeback/accept").await;
        stones(&ann, 0).await;
        stones(&bob, 0).await;
        ticks(&bob, 0, "5:00").await;
        // The opponent gets more time.
        press(&bob, "give-time").await;
        ann.until("document.querySelector('[data-clock=\"0\"]').textContent.startsWith('5:')").await;
        // A draw is agreed on.
        play(&ann, 0, 0).await;
        play(&bob, 1, 1).await;
        confirm(&bob, "draw").await;
        press(&ann, "draw/accept").await;
        ann.says("#part-status", "Draw by agreement").await;
        bob.says("#part-status", "Draw by agreement").await;
        ann.until("!document.querySelector('.clock.runs')").await;
        // Stepping back shows the clocks of that moment.
        ann.press(Key::Home).await;
        stones(&ann, 0).await;
        ann.until("[...document.querySelectorAll('.clock')].every((clock) => clock.textContent === '5:00')").await;
        assert_eq!((ann.complaints().await.len(), bob.complaints().await), (1, vec![]), "one offer was refused");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_flag_falls_and_both_pages_say_so_before_the_rematch() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(DESK).await);
        timed(house, &ann, &bob, "0.1").await;
        // The last seconds are short, so the page records what it showed.
        let watch = "window.seen = { said: '' }; new MutationObserver(() => { \
             seen.said += document.getElementById('say').textContent; \
             const clock = document.querySelector('[data-clock=\"1\"]'); \
             seen.low ||= clock.matches('.low.runs'); \
             seen.tenths ||= /^0:0[1-9]\\.\\d$/.test(clock.textContent); \
             }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });";
        bob.driver.execute(watch, Vec::new()).await.unwrap();
        play(&ann, 1, 1).await;
        ann.says("#part-status", "You won on time").await;
        bob.says("#part-status", "You lost on time").await;
        bob.says("[data-clock='1']", "0:00.0").await;
        bob.until("seen.low && seen.tenths && seen.said.includes(' seconds left.')").await;
        bob.click("#end form[action$=rematch] button").await;
        ann.says("#end .asked", "Bob wants a rematch.").await;
        let before = ann.value("location.pathname").await;
        ann.click("#end form[action$=rematch] button").await;
        ann.until(&format!("location.pathname !== {before} && document.querySelector('main.live')")).await;
        ann.says("#part-status", "Waiting for Bob").await;
        ann.says(".title", "6 s").await;
        bob.says("#part-status", "Your turn").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn notifications_are_off_until_switched_on_and_sounds_on_until_muted() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        ann.set_up(house, "Classic 3 × 3", "Each other, on this device", "Ann").await;
        let count = "window.tones = 0; const real = AudioContext.prototype.createOscillator; \
                     AudioContext.prototype.createOscillator = function () { window.tones += 1; return real.call(this); };";
        ann.driver.execute(count, Vec::new()).await.unwrap();
        ann.until("document.querySelector('.mute[aria-pressed=true]')").await;
        play(&ann, 1, 1).await;
        ann.until("window.tones > 0").await;
        ann.click(".mute").await;
        ann.until("document.querySelector('.mute[aria-pressed=false]')").await;
        let heard = ann.value("window.tones").await;
        play(&ann, 0, 0).await;
        assert_eq!(ann.value("window.tones").await, heard);
        ann.driver.refresh().await.unwrap();
        ann.until("document.querySelector('.mute[aria-pressed=false]')").await;
        ann.until("document.querySelector('[data-switch=notify][aria-pressed=false]')").await;
        // Permission cannot be granted in this browser, and the page only asks after a click.
        ann.value("Notification.requestPermission = async () => 'denied'").await;
        ann.click("[data-drawer=settings]").await;
        ann.click("[data-switch=notify]").await;
        ann.says("#say", "Notifications are blocked").await;
        ann.until("document.querySelector('[data-switch=notify][aria-pressed=false]')").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_delay_is_counted_down_before_the_clock_runs() {
    with_browsers(async |house, browsers| {
        for (size, screen) in SIZES {
            let ann = browsers.open(screen).await;
            let wanted =
                json!({ "game": "mnk", "preset": "0", "opponent": "here", "clock": "60d4" });
            made(&ann, house, wanted).await;
            play(&ann, 1, 1).await;
            let face = "document.querySelector('[data-clock=\"1\"].runs')";
            ann.until(&format!(
                "{face}.dataset.delay > 0 && {face}.textContent === '1:00'"
            ))
            .await;
            ann.picture(&format!("delay-{size}")).await;
            ann.until(&format!(
                "!('delay' in {face}.dataset) && {face}.textContent !== '1:00'"
            ))
            .await;
            assert_eq!(ann.complaints().await, Vec::<String>::new());
            ann.leave().await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_rated_game_is_for_members_and_shows_what_it_changed() {
    with_browsers(async |house, browsers| {
        let (ann, bob, eve) = (
            browsers.open(DESK).await,
            browsers.open(DESK).await,
            browsers.open(DESK).await,
        );
        ann.sign_up(house, "Ann").await;
        bob.sign_up(house, "Bob").await;
        ann.set_up_timed(house, "5", "").await;
        ann.says(".title", "5 min · rated").await;
        let table = ann.value("location.href").await;
        for guest in [&bob, &eve] {
            guest.go(table.as_str().unwrap()).await;
            guest.is_live().await;
        }
        eve.says("#part-share", "Sign in to play").await;
        bob.says("#part-seats .rating", "1500?").await;
        bob.says("#part-share", "Playing as Bob").await;
        bob.click("#part-share button").await;
        ann.until("document.querySelectorAll('#part-seats a[href^=\"/players/\"]').length === 2")
            .await;
        play(&ann, 1, 1).await;
        bob.says("#part-status", "Your turn").await;
        bob.says("#part-status", "or the game is called off").await;
        let resigns = "document.querySelector('form[action$=\"/resign\"]') === null";
        assert_eq!(
            bob.value(resigns).await,
            json!(true),
            "the game can be called off"
        );
        play(&bob, 0, 0).await;
        ann.says("#part-status", "Your turn").await;
        confirm(&bob, "resign").await;
        for page in [&ann, &bob, &eve] {
            page.says("#part-seats li:nth-child(1)", "1662? (+162)")
                .await;
            page.says("#part-seats li:nth-child(2)", "1338? (−162)")
                .await;
        }
        ann.picture("rated-1280").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn both_read_when_a_game_can_be_claimed() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(PHONE).await);
        timed(house, &ann, &bob, "1").await;
        play(&ann, 1, 1).await;
        bob.says("#part-status", "Your turn").await;
        play(&bob, 0, 0).await;
        ann.says("#part-status", "Your turn").await;
        play(&ann, 0, 2).await;
        bob.says("#part-status", "Your turn").await;
        bob.go("about:blank").await;
        ann.says(".banner", "has left").await;
        let left = "Number(document.querySelector('.banner [data-due]').textContent.replace('0:', ''))";
        let left = ann.value(left).await.as_f64().unwrap();
        assert!(left > 8.0, "{left} s of twenty");
        ann.picture("absent-countdown").await;
        let claim = "document.querySelector('#part-offers form[action$=\"/claim\"] button')?.checkVisibility()";
        ann.until(claim).await;
        ann.picture("absent-claim").await;
        let late = "document.querySelector('.banner [data-due]') === null";
        assert_eq!(ann.value(late).await, json!(true), "no countdown beside it");

        timed(house, &bob, &ann, "5").await;
        play(&bob, 1, 1).await;
        ann.says("#part-status", "Your turn").await;
        bob.says("#part-status", "Waiting for").await;
        house.close().await;
        // Those who read that the server restarts need no warning.
        bob.says("#connection", "Back in a moment").await;
        ann.says("#connection", "Your game can be claimed in").await;
        bob.says("#connection", "Connection lost").await;
        ann.picture("cut-off-on-turn").await;
        let warned = "document.querySelector('#connection [data-due]') !== null";
        assert_eq!(bob.value(warned).await, json!(false), "it is not Bob's turn");
        house.reopen().await;
        ann.until("document.getElementById('connection').textContent === ''").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn whoever_is_cut_off_reads_of_a_claim_that_is_near_and_of_time_that_is_up() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(DESK).await);
        seated(house, &ann, &bob).await;
        ann.says("#part-status", "Your turn").await;
        ann.go_offline(true).await;
        ann.says("#connection", "trying again …").await;
        let warned = "document.querySelector('#connection [data-due]') !== null";
        assert_eq!(ann.value(warned).await, json!(false), "it is days away");
        ann.go_offline(false).await;
        ann.until("document.getElementById('connection').textContent === ''")
            .await;

        timed(house, &ann, &bob, "1").await;
        play(&ann, 1, 1).await;
        play(&bob, 0, 0).await;
        ticks(&ann, 0, "1:00").await;
        ann.go_offline(true).await;
        ann.says("#connection", "trying again …").await;
        let later = "(() => { const now = performance.now.bind(performance); performance.now = () => now() + 120_000; })()";
        ann.value(later).await;
        ann.says("#connection", "Your time is up.").await;
        assert_eq!(ann.value(warned).await, json!(false));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn tenths_of_a_second_have_room_and_move_nothing() {
    with_browsers(async |house, browsers| {
        /// Widths of each clock and heights of its row with several times, running or not; true for what is cut off.
        const WIDTHS: &str = "[...document.querySelectorAll('.clock')].map((clock) => [...new Set([['5:00', ''], ['59:59', 'runs'], ['0:10', 'low runs'], \
            ['0:09.9', 'low runs'], ['0:08.8', 'low']].map(([text, names]) => { clock.className = `clock ${names}`; clock.textContent = text; \
            return [clock.getBoundingClientRect().width, clock.closest('li').getBoundingClientRect().height, clock.scrollWidth > clock.clientWidth].join(); }))])";
        let eight = json!({ "rows": 10, "columns": 10, "k": 4, "seats": 8 });
        let tables = [
            json!({ "game": "mnk", "preset": "0" }),
            json!({ "game": "mnk", "options": eight }),
            json!({ "game": "pandemic", "preset": "0" }),
            json!({ "game": "pandemic", "options": { "players": 4 } }),
        ];
        for (size, screen) in SIZES.into_iter().chain(ACROSS) {
            let ann = browsers.open(screen).await;
            for table in &tables {
                let mut wanted = table.clone();
                wanted["opponent"] = json!("here");
                wanted["clock"] = json!("300%2B3");
                made(&ann, house, wanted).await;
                let widths = ann.value(WIDTHS).await;
                let is_steady = |clock: &serde_json::Value| {
                    let all = clock.as_array().unwrap();
                    all.len() == 1 && all[0].as_str().unwrap().ends_with(",false")
                };
                let clocks = widths.as_array().unwrap();
                assert!(!clocks.is_empty() && clocks.iter().all(is_steady), "{size}, {table}: {widths}");
            }
            ann.leave().await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn the_page_tells_and_shows_the_delay_of_the_network() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(DESK).await);
        timed(house, &ann, &bob, "5").await;
        let title = "document.querySelector('[data-clock=\"1\"]').title";
        bob.until(&format!("{title} === 'Network delay: up to 3000 ms of a move are not charged'")).await;
        ann.until("!document.querySelector('[data-clock=\"0\"]').title.includes('measured')").await;
        play(&ann, 1, 1).await;
        bob.says("#part-status", "Your turn").await;
        bob.delay_answers(300).await;
        // The delay measured before this move is that of pings, through the socket.
        play(&bob, 0, 0).await;
        bob.says("#part-status", "Waiting for Ann").await;
        play(&ann, 0, 1).await;
        bob.says("#part-status", "Your turn").await;
        play(&bob, 0, 2).await;
        let measured = format!("/Network delay: [0-9]{{2,}} ms measured, [0-9]+ ms not charged/.test({title})");
        ann.until(&measured).await;
        bob.until(&measured).await;
        bob.until("/Network delay of Bob: [0-9]+ ms measured/.test(document.getElementById('part-lag').textContent)").await;
        assert_eq!((ann.complaints().await, bob.complaints().await), (vec![], vec![]));
    })
    .await;
}
