//! Games played by hand.

use serde_json::json;
use thirtyfour::Key;

use crate::driver::{Browser, DESK, PHONE, with_browsers};
use crate::house::House;

const FRIEND: &str = "A friend, by link";
const COMPUTER: &str = "The computer";
const HERE: &str = "Each other, on this device";
const CLASSIC: &str = "Classic 3 × 3";
const GOMOKU: &str = "Gomoku 15 × 15";

/// Plays on a place once it is this browser's turn, and waits until the mark is there.
pub async fn play(browser: &Browser, row: u8, column: u8) {
    browser
        .until(&format!(
            "document.querySelector('#cell-{row}-{column}.legal')"
        ))
        .await;
    browser.click(&format!("#cell-{row}-{column}")).await;
    browser
        .until(&format!("document.getElementById('stone-{row}-{column}')"))
        .await;
}

pub async fn stones(browser: &Browser, count: usize) {
    browser
        .until(&format!(
            "document.querySelectorAll('.stone').length === {count}"
        ))
        .await;
}

/// Seats two people at a private table.
pub async fn seated(house: &House, ann: &Browser, bob: &Browser) {
    ann.set_up(house, CLASSIC, FRIEND, "Ann").await;
    ann.says("#part-status", "Waiting for another player").await;
    let link = ann.value("document.getElementById('link').value").await;
    bob.go(link.as_str().unwrap()).await;
    bob.is_live().await;
    bob.value("document.querySelector('[name=name]').value = 'Bob <b>'")
        .await;
    bob.click("#part-share button").await;
    bob.says("#part-status", "Waiting for Ann").await;
}

/// Seats two people at a listed table with clocks. `watch` sees each page before the second sits down.
pub async fn seated_with_clocks(
    house: &House,
    ann: &Browser,
    bob: &Browser,
    watch: impl AsyncFn(&Browser),
) {
    ann.set_up_timed(house, "5", "Ann").await;
    let table = ann.value("location.href").await;
    bob.go(table.as_str().unwrap()).await;
    bob.is_live().await;
    watch(ann).await;
    watch(bob).await;
    // A member has no field for a name.
    let field = "document.querySelector('#part-share [name=name]')";
    bob.value(&format!("{field} && ({field}.value = 'Bob')"))
        .await;
    bob.click("#part-share button").await;
    bob.says("#part-status", "Waiting for Ann").await;
    ann.says("#part-status", "Your turn").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn two_browsers_play_by_link_to_the_end_and_one_reloads_meanwhile() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(DESK).await);
        seated(house, &ann, &bob).await;
        ann.says("#part-seats", "Bob <b>").await;
        play(&ann, 1, 1).await;
        play(&bob, 0, 0).await;
        bob.driver.refresh().await.unwrap();
        bob.is_live().await;
        stones(&bob, 2).await;
        play(&ann, 0, 2).await;
        bob.until("document.title.startsWith('● Your turn')").await;
        play(&bob, 1, 0).await;
        play(&ann, 2, 0).await;
        ann.says("#part-status", "You won").await;
        bob.says("#part-status", "You lost").await;
        bob.until("document.querySelector('.board .line') && document.querySelectorAll('.won').length === 3").await;
        assert_eq!((ann.complaints().await, bob.complaints().await), (vec![], vec![]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_rematch_brings_both_to_the_next_table_with_the_other_beginning() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(DESK).await);
        seated(house, &ann, &bob).await;
        play(&ann, 1, 1).await;
        play(&bob, 0, 0).await;
        ann.click("details.confirm:has(form[action$=resign]) summary")
            .await;
        ann.click("details[open] button").await;
        ann.says("#part-status", "You lost by resignation").await;
        bob.says("#part-status", "You won by resignation").await;
        bob.click("#end form[action$=rematch] button").await;
        ann.says("#part-seats", "wants a rematch").await;
        let before = ann.value("location.pathname").await;
        ann.click("#end form[action$=rematch] button").await;
        ann.until(&format!(
            "location.pathname !== {before} && document.querySelector('main.live')"
        ))
        .await;
        ann.says("#part-status", "Waiting for Bob <b>").await;
        bob.says("#part-status", "Your turn").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_game_against_the_computer_comes_to_its_end() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        ann.set_up(house, CLASSIC, COMPUTER, "Ann").await;
        loop {
            ann.until("document.querySelector('.legal') || /won|lost|draw/i.test(document.title)")
                .await;
            if ann.value("/won|lost|draw/i.test(document.title)").await == json!(true) {
                break;
            }
            let before = ann
                .value("document.querySelectorAll('.stone').length")
                .await;
            let place = ann.value("document.querySelector('.legal').id").await;
            ann.click(&format!("#{}", place.as_str().unwrap())).await;
            ann.until(&format!(
                "document.querySelectorAll('.stone').length > {before}"
            ))
            .await;
        }
        ann.until("document.querySelectorAll('.stone').length >= 5")
            .await;
        ann.says("#part-actions", "Rematch").await;
        assert_eq!(ann.complaints().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_game_is_played_with_the_keyboard_alone() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        ann.set_up(house, CLASSIC, HERE, "Ann").await;
        for _ in 0..30 {
            if ann.value("document.activeElement.matches('.place')").await == json!(true) {
                break;
            }
            ann.press(Key::Tab).await;
        }
        let focus = async |id: &str| {
            ann.until(&format!(
                "document.activeElement.id === '{id}' && document.querySelector('.legal')"
            ))
            .await;
        };
        focus("cell-0-0").await;
        ann.press(Key::Enter).await;
        stones(&ann, 1).await;
        for (n, (keys, id)) in [
            (vec![Key::Down], "cell-1-0"),
            (vec![Key::Up, Key::Right], "cell-0-1"),
            (vec![Key::Down], "cell-1-1"),
            (vec![Key::Up, Key::Right], "cell-0-2"),
        ]
        .into_iter()
        .enumerate()
        {
            for key in keys {
                ann.press(key).await;
            }
            focus(id).await;
            if n % 2 == 0 {
                ann.press(" ").await
            } else {
                ann.press(Key::Enter).await
            }
            stones(&ann, n + 2).await;
        }
        ann.says("#part-status", "X won").await;
        ann.says("#say", "X: row 1, column 3. X won.").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_refused_move_says_why_beside_the_board() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        ann.set_up(house, CLASSIC, HERE, "Ann").await;
        play(&ann, 1, 1).await;
        ann.click("#cell-1-1").await;
        ann.says("#hinted", "row 2, column 2, X: you can't play there").await;
        // The page only offers legal moves, so the request has to be changed on its way.
        ann.driver
            .execute(
                "const real = fetch; window.fetch = (url, init) => { \
                 if (init?.body?.has('move')) init.body.set('move', '1,1'); return real(url, init); };",
                Vec::new(),
            )
            .await
            .unwrap();
        ann.click("#cell-0-0").await;
        ann.until("/occupied|taken/i.test(document.getElementById('refused').textContent)").await;
        stones(&ann, 1).await;
        ann.until("!document.querySelector('.ghost.pending, .place.pending') && document.querySelector('.legal')")
            .await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_move_that_came_too_soon_or_met_a_proxy_alone_is_made_again() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        ann.set_up(house, CLASSIC, HERE, "Ann").await;
        ann.value(
            "(() => { const real = fetch; const first = [new Response('', { status: 502 }), \
             new Response('{}', { status: 429, headers: { 'Retry-After': '1' } })]; \
             window.fetch = (url, init) => init?.body?.has('move') && first.length ? Promise.resolve(first.shift()) : real(url, init); \
             window.left = first; })()",
        )
        .await;
        play(&ann, 1, 1).await;
        stones(&ann, 1).await;
        assert_eq!(ann.value("left.length").await, json!(0));
        ann.until("document.getElementById('refused').textContent === '' && !document.querySelector('main.lost')").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn one_steps_back_through_the_game_and_on_again() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        ann.set_up(house, CLASSIC, HERE, "Ann").await;
        for (row, column) in [(0, 0), (1, 1), (2, 2)] {
            play(&ann, row, column).await;
        }
        ann.click("#part-steps [aria-label='Previous move']").await;
        stones(&ann, 2).await;
        ann.until("!document.querySelector('.legal')").await;
        ann.says("#part-steps", "Move 2 of 3").await;
        ann.click("#part-moves a[data-step='1']").await;
        stones(&ann, 1).await;
        ann.value("document.activeElement.blur()").await;
        ann.press(Key::Home).await;
        stones(&ann, 0).await;
        ann.press(Key::Right).await;
        stones(&ann, 1).await;
        ann.press(Key::End).await;
        stones(&ann, 3).await;
        play(&ann, 0, 2).await;
        // The same by plain URLs.
        let path = ann.value("location.pathname").await;
        ann.go(&house.url(&format!("{}?step=2", path.as_str().unwrap())))
            .await;
        stones(&ann, 2).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn after_many_steps_one_press_of_back_leaves_the_table_and_forward_returns_to_the_step() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        ann.set_up(house, CLASSIC, HERE, "Ann").await;
        for (row, column) in [(0, 0), (1, 1), (2, 2)] {
            play(&ann, row, column).await;
        }
        let table = ann.value("location.pathname").await;
        ann.go(&house.url("/about")).await;
        ann.go(&house.url(table.as_str().unwrap())).await;
        ann.is_live().await;
        let entries = ann.value("history.length").await;
        ann.click("#part-steps [aria-label='Previous move']").await;
        stones(&ann, 2).await;
        ann.click("#part-steps [aria-label='First position']").await;
        stones(&ann, 0).await;
        ann.click("#part-moves a[data-step='1']").await;
        stones(&ann, 1).await;
        assert_eq!(ann.value("history.length").await, entries);
        ann.driver.back().await.unwrap();
        ann.until("location.pathname === '/about'").await;
        ann.driver.forward().await.unwrap();
        ann.is_live().await;
        stones(&ann, 1).await;
        ann.says("#part-steps", "Move 1 of 3").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_lost_connection_is_said_and_heals() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(DESK).await);
        seated(house, &ann, &bob).await;
        play(&ann, 1, 1).await;
        stones(&bob, 1).await;
        house.close().await;
        ann.says("#connection", "Connection lost, trying again")
            .await;
        bob.says("#connection", "Connection lost, trying again")
            .await;
        // A move made while offline is kept and arrives once.
        bob.click("#cell-0-0").await;
        bob.until("document.querySelector('.ghost.pending')").await;
        house.reopen().await;
        stones(&bob, 2).await;
        stones(&ann, 2).await;
        ann.until("document.getElementById('connection').textContent === ''")
            .await;
        play(&ann, 0, 1).await;
        stones(&bob, 3).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn everything_fits_a_small_dark_screen_and_a_finger_aims_first() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(PHONE).await;
        let fits = async || {
            let wide = ann.value("document.documentElement.scrollWidth").await;
            assert_eq!(wide, json!(320), "nothing sticks out to the side");
        };
        ann.go(&house.url("/")).await;
        fits().await;
        ann.picture("lobby-320-dark").await;
        ann.set_up(house, GOMOKU, COMPUTER, "Ann").await;
        fits().await;
        let paper = ann
            .value("getComputedStyle(document.body).backgroundColor")
            .await;
        assert_eq!(paper, json!("rgb(26, 23, 20)"));
        ann.value("document.getElementById('board').scrollIntoView()")
            .await;
        ann.tap("cell-7-7").await;
        ann.says("#hinted", "Tap again to play row 8, column 8")
            .await;
        stones(&ann, 0).await;
        ann.tap("cell-7-7").await;
        ann.until("document.getElementById('stone-7-7')").await;
        stones(&ann, 2).await;
        ann.picture("gomoku-320-dark").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn the_table_page_does_not_move_under_the_reader() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        ann.set_up(house, CLASSIC, COMPUTER, "Ann").await;
        // Observers are called in the order of registration: once paints are reported, all shifts
        // are known.
        let shift = "new Promise((done) => { let sum = 0; \
            new PerformanceObserver((list) => list.getEntries().forEach((entry) => sum += entry.value)) \
                .observe({ type: 'layout-shift', buffered: true }); \
            new PerformanceObserver(() => done(sum)).observe({ type: 'paint', buffered: true }); })";
        assert_eq!(ann.value(shift).await, json!(0));
    })
    .await;
}
