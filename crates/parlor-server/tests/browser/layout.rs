//! The parts of a page that are in sight without scrolling, on common sizes of screens.

use parlor_games::GameKind;
use serde_json::{Value, json};

use crate::access::{findings, fits};
use crate::backgammon::made;
use crate::driver::{ACROSS, Browser, SIZES, Screen, with_browsers};
use crate::games::{play, seated_with_clocks};
use crate::house::House;

/// Names what is cut off, covered or outside of the window, of all that a player needs.
const OUT_OF_SIGHT: &str = "(() => { scrollTo(0, 0); const out = []; \
    const wide = document.querySelector('#board [data-sight]'); \
    const needed = '.banner, #part-seats li, .clock, .tools button, ' + (!wide ? '#board .board, .steps, form.flip button, #part-entry button, #part-entry .button' \
      : innerWidth > 900 ? '#board [data-sight], .steps, #part-entry button.main' : '.steps, #part-entry button.main'); \
    if (wide && wide.getBoundingClientRect().top > innerHeight / 2) out.push('the board begins below the middle'); \
    for (const element of document.querySelectorAll(needed)) { \
      const box = element.getBoundingClientRect(); const name = element.className?.baseVal ?? (element.className || element.textContent); \
      if (box.width === 0) continue; \
      if (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1) \
        out.push(`${name}: ${[box.left, box.top, box.right, box.bottom].map(Math.round)} of ${innerWidth}x${innerHeight}`); \
      for (const [x, y] of [[.5, .1], [.5, .9]]) { \
        const hit = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height); \
        if (hit && !element.contains(hit) && !hit.contains(element)) out.push(`${name} lies under ${hit.outerHTML.slice(0, 80)}`); } } \
    for (const element of document.querySelectorAll('#part-seats .name, #part-seats .small, .clock')) \
      if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline') out.push(`cut off: ${element.textContent}`); \
    return out; })()";
/// Pixels between the board and what is below it.
const GAP: &str = "(() => { const end = document.querySelector('.stage').getBoundingClientRect().bottom; \
    return Math.round(document.querySelector('.under').getBoundingClientRect().top - end); })()";

async fn all_is_in_sight(browser: &Browser, what: &str) {
    browser.picture(&format!("sight-{what}")).await;
    assert_eq!(browser.value(OUT_OF_SIGHT).await, json!([]), "{what}");
    // A board that is wider than a phone has more below it.
    let gap = browser.value(GAP).await.as_i64().unwrap();
    let wide = "document.querySelector('#board [data-sight]') !== null";
    assert!(
        gap < 24 || browser.value(wide).await == json!(true),
        "{what}: {gap} px under the board"
    );
}

/// Clicks through a backgammon play until it is complete.
async fn enter_a_play(browser: &Browser, what: &str) {
    for _ in 0..8 {
        all_is_in_sight(browser, what).await;
        if browser
            .value("document.querySelector('#part-entry button[data-move]') !== null")
            .await
            == json!(true)
        {
            return;
        }
        let before = browser.value("location.search").await;
        let click = "document.querySelector('#board .legal:not(.chosen)').dispatchEvent(new MouseEvent('click', { bubbles: true }))";
        browser
            .until("document.querySelector('#board .legal')")
            .await;
        browser.value(click).await;
        browser.value(click).await;
        browser
            .until(&format!("location.search !== {before}"))
            .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn board_players_clocks_and_buttons_are_in_sight_on_every_screen() {
    with_browsers(async |house, browsers| {
        for (n, (size, screen)) in SIZES.into_iter().chain(ACROSS).enumerate() {
            let ann = browsers.open(screen).await;
            let usual = GameKind::all().iter().map(|kind| (kind.name(), "0"));
            for (game, preset) in usual.chain([("mnk", "2")]) {
                let wanted = json!({ "game": game, "preset": preset, "opponent": "here", "clock": "300%2B3" });
                made(&ann, house, wanted).await;
                let what = format!("{game}{preset}-{size}");
                all_is_in_sight(&ann, &what).await;
                if game == "pandemic" {
                    // The words of the first button depend on luck.
                    let longest = "document.querySelector('#part-entry .entry button').textContent = \
                                   'Give Ho Chi Minh City to the Quarantine Specialist'";
                    ann.value(longest).await;
                    all_is_in_sight(&ann, &format!("{what}-long")).await;
                }
                if game == "backgammon" {
                    enter_a_play(&ann, &what).await;
                }
                fits(&ann, &what).await;
                // By night only the colors differ.
                if n < SIZES.len() {
                    let dark = !screen.dark;
                    ann.set_screen(Screen { dark, ..screen }).await;
                    assert_eq!(findings(&ann).await, Vec::<String>::new(), "{what}, dark: {dark}");
                    ann.set_screen(screen).await;
                }
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn names_ratings_and_clocks_of_a_rated_game_are_not_cut_off() {
    with_browsers(async |house, browsers| {
        for (n, (size, screen)) in SIZES.into_iter().enumerate() {
            let (ann, bob) = (browsers.open(screen).await, browsers.open(screen).await);
            let name = |who: &str| format!("{who}{n}");
            ann.sign_up(house, &name("Annabella")).await;
            bob.sign_up(house, &name("Bartholomew")).await;
            ann.set_up_timed(house, "10", "").await;
            let table = ann.value("location.pathname").await;
            bob.go(&house.url(table.as_str().unwrap())).await;
            bob.is_live().await;
            bob.click("#part-share button").await;
            bob.says("#part-status", "Waiting for Annabella").await;
            ann.says("#part-status", "Your turn").await;
            play(&ann, 0, 0).await;
            for (who, browser) in [("ann", &ann), ("bob", &bob)] {
                browser.says("#part-seats", "1500?").await;
                browser.until("document.querySelector('.clock.runs')").await;
                let what = format!("rated-{who}-{size}");
                all_is_in_sight(browser, &what).await;
                fits(browser, &what).await;
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn one_banner_at_the_top_says_whose_turn_it_is_or_that_the_connection_is_lost() {
    with_browsers(async |house, browsers| {
        const SHOWN: &str = "[...document.querySelectorAll('.banner > *')].filter((element) => \
            element.textContent && getComputedStyle(element).visibility === 'visible').map((element) => element.id)";
        let mut open = Vec::new();
        for (size, screen) in SIZES {
            let ann = browsers.open(screen).await;
            made(&ann, house, json!({ "game": "mnk", "preset": "0", "opponent": "here" })).await;
            assert_eq!(ann.value(SHOWN).await, json!(["part-status"]));
            ann.value("scrollTo(0, document.body.scrollHeight)").await;
            open.push((size, ann));
        }
        house.close().await;
        for (size, ann) in &open {
            ann.says("#connection", "Connection lost, trying again").await;
            assert_eq!(ann.value(SHOWN).await, json!(["connection"]));
            ann.picture(&format!("lost-{size}")).await;
            let top = "document.getElementById('connection').getBoundingClientRect().top";
            assert_eq!(ann.value(top).await, json!(0), "{size}: it stays in sight");
            ann.value("scrollTo(0, 0)").await;
            let is_inside = "(() => { const [one, other] = ['#connection', '.banner'].map((name) => document.querySelector(name).getBoundingClientRect()); \
                return one.top >= other.top && one.bottom <= other.bottom && getComputedStyle(document.querySelector('.banner'), '::after').content === 'none'; })()";
            ann.until(is_inside).await;
            ann.picture(&format!("lost-above-{size}")).await;
        }
        house.reopen().await;
        for (_, ann) in &open {
            ann.until("document.getElementById('connection').textContent === ''").await;
            assert_eq!(ann.value(SHOWN).await, json!(["part-status"]));
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn dice_are_not_counted_as_moves_and_the_address_follows_the_step() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(SIZES[0].1).await;
        let options = json!({ "cube": "on" });
        let id = made(&ann, house, json!({ "opponent": "here", "luck_by_hand": true, "options": options })).await;
        let posts: Value = json!([
            ["chance", { "chance": "3-1" }], ["moves", { "move": "8/5,6/5" }], ["moves", { "move": "roll" }],
            ["chance", { "chance": "42" }], ["moves", { "move": "8/4,6/4" }],
        ]);
        let script = format!(
            "(async () => {{ for (const [verb, body] of {posts}) {{ const answer = await fetch('/api/v1/tables/{id}/' + verb, \
               {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, body: JSON.stringify(body) }}); \
               if (!answer.ok) return await answer.text(); }} return 'ok'; }})()"
        );
        assert_eq!(ann.value(&script).await, json!("ok"));
        ann.says("#part-steps", "Move 2 of 2").await;
        let numbers = "[...document.querySelectorAll('#part-moves li')].map((line) => line.querySelector('.no')?.textContent ?? '')";
        assert_eq!(ann.value(numbers).await, json!(["", "1.", "2."]));
        ann.click("#part-moves a[data-step='2']").await;
        ann.says("#part-steps", "Move 1 of 2").await;
        assert_eq!(ann.value("location.search").await, json!("?step=2"));
        ann.says("#part-status", "Back to the game").await;
        ann.driver.refresh().await.unwrap();
        ann.is_live().await;
        ann.says("#part-steps", "Move 1 of 2").await;
        ann.click("#part-status a").await;
        ann.says("#part-steps", "Move 2 of 2").await;
        assert_eq!(ann.value("location.search").await, json!(""));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn whose_turn_it_is_stays_in_sight_when_the_banner_is_scrolled_away() {
    with_browsers(async |house, browsers| {
        for (size, screen) in SIZES {
            let ann = browsers.open(screen).await;
            made(&ann, house, json!({ "opponent": "here" })).await;
            let shown = "document.getElementById('sight').checkVisibility()";
            assert_eq!(ann.value(shown).await, json!(false), "{size}");
            ann.value("(() => { window.moved = 0; new PerformanceObserver((list) => moved += list.getEntries().length).observe({ type: 'layout-shift' }); \
                       scrollTo(0, document.body.scrollHeight); })()").await;
            ann.until(shown).await;
            let status = ann.value("document.getElementById('part-status').firstElementChild.textContent").await;
            assert_eq!(ann.value("document.getElementById('sight').textContent").await, status, "{size}");
            assert_eq!(ann.value("document.getElementById('sight').getBoundingClientRect().top").await, json!(0));
            ann.picture(&format!("scrolled-{size}")).await;
            ann.value("scrollTo(0, 0)").await;
            ann.until(&format!("!{shown}")).await;
            assert_eq!(ann.value("moved").await, json!(0), "{size}");
        }
    })
    .await;
}

/// Opens a table of a game at which Bob sits, too, so that they can talk.
async fn with_bob(ann: &Browser, house: &House, game: &str) {
    let wanted = json!({ "game": game, "preset": "0", "opponent": "friend" });
    made(ann, house, wanted).await;
    let join = "fetch(location.pathname + '/join', { method: 'POST', credentials: 'omit', \
        body: new URLSearchParams({ name: 'Bob' }) }).then((answer) => answer.ok)";
    assert_eq!(ann.value(join).await, json!(true), "{game}");
    ann.says("#part-seats", "Bob").await;
    ann.driver.refresh().await.unwrap();
    ann.is_live().await;
    ann.until("document.querySelector('.talk-button')").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn the_title_of_a_game_stands_clear_of_the_buttons_beside_it() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(SIZES[3].1).await;
        for kind in GameKind::all() {
            let game = kind.name();
            with_bob(&ann, house, game).await;
            let beyond = "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.title h1'))";
            assert_eq!(ann.value(beyond).await, json!(0), "{game}");
        }
    })
    .await;
}

/// Sets the widest spacing of text that readers may ask for.
const SPACED: &str = "(() => { const sheet = new CSSStyleSheet(); \
    sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-bottom: 2em !important }'); \
    document.adoptedStyleSheets = [sheet]; return true; })()";
/// Names what is wider than the page, and a title that runs into the buttons beside it.
const RUNS_OVER: &str = "(() => { const out = []; const root = document.documentElement; \
    if (root.scrollWidth > root.clientWidth) out.push(`${root.scrollWidth} px of ${root.clientWidth}`); \
    const title = document.querySelector('.title h1'); const words = document.createRange(); words.selectNodeContents(title); \
    const [one, other] = [words, document.querySelector('.tools')].map((part) => part.getBoundingClientRect()); \
    const beside = title.offsetWidth > 1 && one.bottom > other.top && one.top < other.bottom; \
    if (beside && one.right > other.left) out.push(`the title runs into the buttons by ${one.right - other.left} px`); \
    return out; })()";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn wide_spacing_of_text_makes_no_page_of_a_table_wider_than_its_window() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(SIZES[3].1).await;
        for kind in GameKind::all() {
            let game = kind.name();
            with_bob(&ann, house, game).await;
            ann.value(SPACED).await;
            for (width, height) in [
                (640, 400),
                (512, 384),
                (320, 640),
                (320, 256),
                (390, 844),
                (844, 390),
            ] {
                ann.set_screen(Screen {
                    width,
                    height,
                    ..SIZES[3].1
                })
                .await;
                assert_eq!(
                    ann.value(RUNS_OVER).await,
                    json!([]),
                    "{game} {width}x{height}"
                );
            }
            ann.set_screen(SIZES[3].1).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn text_twice_as_large_makes_no_page_of_a_table_wider_than_a_phone() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(SIZES[0].1).await;
        for kind in GameKind::all() {
            let game = kind.name();
            with_bob(&ann, house, game).await;
            ann.value("document.documentElement.style.fontSize = '200%'")
                .await;
            for (width, height) in [(390, 844), (320, 568)] {
                let screen = Screen { width, height, ..SIZES[0].1 };
                ann.set_screen(screen).await;
                let fits = "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.documentElement)";
                assert_eq!(ann.value(fits).await, json!(true), "{game} {width}x{height}");
            }
            ann.set_screen(SIZES[0].1).await;
        }
    })
    .await;
}

/// Wordy contents of the buttons' bar: what is asked depends on luck.
const QUESTION: &str = "(() => { document.querySelector('#part-entry .entries').innerHTML = `<div class=\"bar entry\"> \
    <p>The Operations Expert asks: may I move you to Ho Chi Minh City, which counts as one of my actions?</p> \
    <form><button class=\"main\">Agree</button></form><form><button>Decline</button></form></div>`; return true; })()";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn a_team_of_three_or_four_with_clocks_sees_all_and_answers_questions() {
    with_browsers(async |house, browsers| {
        for (size, screen) in SIZES {
            let ann = browsers.open(screen).await;
            for players in [3, 4] {
                let options = json!({ "players": players });
                let wanted = json!({ "game": "pandemic", "opponent": "here", "clock": "300%2B3", "options": options });
                made(&ann, house, wanted).await;
                let what = format!("team-of-{players}-{size}");
                all_is_in_sight(&ann, &what).await;
                ann.value(QUESTION).await;
                all_is_in_sight(&ann, &format!("{what}-asked")).await;
                let hidden = "[...document.querySelectorAll('#part-entry button')].filter((button) => { \
                    const box = button.getBoundingClientRect(); \
                    return !button.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)); \
                    }).map((button) => button.textContent)";
                assert_eq!(ann.value(hidden).await, json!([]), "{what}");
                fits(&ann, &what).await;
            }
            ann.leave().await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn eight_players_with_clocks_see_the_board_on_a_phone() {
    with_browsers(async |house, browsers| {
        for (size, screen) in SIZES {
            let ann = browsers.open(screen).await;
            let options = json!({ "rows": 10, "columns": 10, "k": 4, "seats": 8 });
            let wanted = json!({ "game": "mnk", "opponent": "here", "clock": "300%2B3", "options": options });
            made(&ann, house, wanted).await;
            all_is_in_sight(&ann, &format!("eight-{size}")).await;
        }
    })
    .await;
}

/// The browser slows a page down by computing, which takes the time of all other tests.
mod full {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
    async fn nothing_moves_while_a_page_comes_however_slowly() {
        with_browsers(async |house, browsers| {
            for (size, screen) in SIZES {
                let ann = browsers.open(screen).await;
                for kind in GameKind::all() {
                    made(&ann, house, json!({ "game": kind.name(), "preset": "0", "opponent": "here", "clock": "300%2B3" })).await;
                    ann.slow_down(6).await;
                    for _ in 0..3 {
                        ann.driver.refresh().await.unwrap();
                        ann.is_live().await;
                        ann.value(WATCH_ALL).await;
                        ann.value(FRAMES).await;
                        assert_eq!(ann.value("shifts").await, json!([]), "{}, {size}", kind.name());
                    }
                    ann.slow_down(1).await;
                }
                ann.leave().await;
            }
        })
        .await;
    }

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
    async fn nothing_moves_while_the_lobby_comes_however_slowly() {
        with_browsers(async |house, browsers| {
            for (n, (size, screen)) in SIZES.into_iter().enumerate() {
                let ann = browsers.open(screen).await;
                for member in [false, true] {
                    if member {
                        ann.sign_up(house, &format!("Ann{n}")).await;
                    }
                    ann.slow_down(6).await;
                    for _ in 0..3 {
                        ann.go(&house.url("/")).await;
                        ann.value(WATCH_ALL).await;
                        ann.value(FRAMES).await;
                        assert_eq!(ann.value("shifts").await, json!([]), "{size}, {member}");
                    }
                    ann.slow_down(1).await;
                }
                ann.leave().await;
            }
        })
        .await;
    }
}

/// Begins to note what moves on the page without anybody having scrolled.
const WATCH: &str = "(() => { window.shifts = []; const name = (node) => node?.id || node?.className?.baseVal || node?.className || node?.nodeName; \
    new PerformanceObserver((list) => { for (const shift of list.getEntries()) for (const { node, previousRect, currentRect } of shift.sources) \
      shifts.push(`${name(node)}: ${JSON.stringify(previousRect)} -> ${JSON.stringify(currentRect)}`); }).observe({ type: 'layout-shift' }); return true; })()";

/// Notes what has moved since the page came.
const WATCH_ALL: &str = "(() => { window.shifts = []; const name = (node) => node?.id || node?.className?.baseVal || node?.className || node?.nodeName; \
    new PerformanceObserver((list) => { for (const shift of list.getEntries()) for (const { node, previousRect, currentRect } of shift.sources) \
      shifts.push(`${name(node)}: ${JSON.stringify(previousRect)} -> ${JSON.stringify(currentRect)}`); }).observe({ type: 'layout-shift', buffered: true }); return true; })()";

/// Lets two frames pass, after which all that has moved is known.
const FRAMES: &str =
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))";

async fn nothing_has_moved(both: [&Browser; 2], what: &str) {
    for (who, browser) in ["ann", "bob"].into_iter().zip(both) {
        browser.value(FRAMES).await;
        assert_eq!(browser.value("shifts").await, json!([]), "{what}: {who}");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn nothing_moves_when_somebody_sits_down_moves_or_offers_something() {
    with_browsers(async |house, browsers| {
        for (n, (size, screen)) in SIZES.into_iter().chain(ACROSS).enumerate() {
            let (ann, bob) = (browsers.open(screen).await, browsers.open(screen).await);
            // Their seats have ratings.
            ann.sign_up(house, &format!("Ann{n}")).await;
            bob.sign_up(house, &format!("Bob{n}")).await;
            seated_with_clocks(house, &ann, &bob, async |who| {
                who.value(WATCH).await;
            })
            .await;
            ann.says("#part-offers", "Press Ready").await;
            ann.says("#part-status", "or the game is called off").await;
            nothing_has_moved([&ann, &bob], &format!("{size}, seated")).await;
            ann.click("form[action$='/ready'] button").await;
            ann.until("document.querySelector('.clock.runs')").await;
            bob.until("document.querySelector('.clock.runs')").await;
            nothing_has_moved([&ann, &bob], &format!("{size}, ready")).await;
            play(&ann, 1, 1).await;
            bob.says("#part-status", "Your turn").await;
            nothing_has_moved([&ann, &bob], &format!("{size}, the first move")).await;
            play(&bob, 0, 0).await;
            ann.says("#part-status", "Your turn").await;
            nothing_has_moved([&ann, &bob], &format!("{size}, the second move")).await;
            let offer = "document.querySelector('form[action$=\"/draw\"] button').click()";
            bob.value(offer).await;
            bob.says("#part-status", "You offered a draw.").await;
            ann.says("#part-offers", "offers a draw.").await;
            ann.picture(&format!("offer-{size}")).await;
            nothing_has_moved([&ann, &bob], &format!("{size}, an offer")).await;
            ann.click("form[action$='/draw/decline'] button").await;
            ann.until("document.getElementById('part-offers').textContent === ''")
                .await;
            nothing_has_moved([&ann, &bob], &format!("{size}, the answer")).await;
            let take_back = "document.querySelector('form[action$=\"/takeback\"] button').click()";
            bob.value(take_back).await;
            ann.says("#part-offers", "asks to take back").await;
            bob.says("#part-status", "You asked to take back").await;
            nothing_has_moved([&ann, &bob], &format!("{size}, a move to take back")).await;
        }
    })
    .await;
}

/// Boxes of what stands in the lobby.
const LOBBY: &str = "[...document.querySelectorAll('main section, main h2, #play details, .filter, .foot')].map((part) => { \
    const box = part.getBoundingClientRect(); return [box.x, box.y + scrollY, box.width, box.height]; })";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn nothing_moves_in_the_lobby_when_an_opponent_is_sought_and_not_found() {
    with_browsers(async |house, browsers| {
        for (n, (size, screen)) in SIZES.into_iter().enumerate() {
            let ann = browsers.open(screen).await;
            ann.sign_up(house, &format!("Ann{n}")).await;
            ann.go(&house.url("/")).await;
            let before = ann.value(LOBBY).await;
            let seeks = "document.querySelector('[data-cancel]').checkVisibility({ visibilityProperty: true })";
            assert_eq!(ann.value(seeks).await, json!(false));
            ann.value(WATCH).await;
            ann.click("[data-queue] button").await;
            ann.until(seeks).await;
            ann.value(FRAMES).await;
            assert_eq!(ann.value(LOBBY).await, before, "{size}");
            ann.click("[data-cancel]").await;
            ann.until(&format!("!{seeks}")).await;
            // Said when nobody comes for a long time.
            ann.value("document.querySelector('[data-outcome]').textContent = 'No opponent found. Try again, or create a table and list it in the lobby.'").await;
            ann.value(FRAMES).await;
            assert_eq!(ann.value(LOBBY).await, before, "{size}");
            assert_eq!(ann.value("shifts").await, json!([]), "{size}");
            ann.picture(&format!("not-found-{size}")).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn the_links_of_a_member_stand_side_by_side_without_a_hole() {
    with_browsers(async |house, browsers| {
        const LINKS: &str = "[...document.querySelectorAll('.top nav a:not([data-waiting])')].filter((link) => link.checkVisibility()).map((link) => { \
            const box = link.getBoundingClientRect(); return [box.left, box.right, box.top]; })";
        const GAPS: &str = "((links) => links.slice(1).map(([left, , top], n) => top === links[n][2] ? Math.round(left - links[n][1]) : 0))";
        for (n, (size, screen)) in SIZES.into_iter().enumerate() {
            let ann = browsers.open(screen).await;
            ann.sign_up(house, &format!("Annabella{n}")).await;
            for page in ["/", "/leaderboard"] {
                ann.go(&house.url(page)).await;
                let before = ann.value(LINKS).await;
                let gaps = ann.value(&format!("{GAPS}({LINKS})")).await;
                let small = |gap: &Value| gap.as_i64().unwrap() < 24;
                assert!(gaps.as_array().unwrap().iter().all(small), "{size}, {page}: {gaps}");
                ann.value("(() => { const count = document.querySelector('[data-waiting]'); count.hidden = false; count.textContent = '2'; })()").await;
                assert_eq!(ann.value(LINKS).await, before, "{size}, {page}");
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_refusal_or_a_hint_in_the_banner_moves_nothing() {
    with_browsers(async |house, browsers| {
        // The longest ones.
        const REFUSED: &str =
            "Something between you and the server has answered for it. See whether it was done.";
        const HINTED: &str =
            "The connection was lost for a moment. This is how the table stands now.";
        for (size, screen) in SIZES.into_iter().chain(ACROSS) {
            let ann = browsers.open(screen).await;
            for game in ["mnk", "backgammon", "pandemic"] {
                let wanted = json!({ "game": game, "preset": "0", "opponent": "here" });
                made(&ann, house, wanted).await;
                ann.value(WATCH).await;
                let boxes = "['.banner', '#board', '#part-seats', '.steps', '#part-entry'].map((name) => { \
                    const box = document.querySelector(name).getBoundingClientRect(); return [name, box.x, box.y, box.width, box.height]; })";
                let before = ann.value(boxes).await;
                for (id, text) in [("refused", REFUSED), ("hinted", HINTED)] {
                    let what = format!("{game}, {size}, {id}");
                    ann.value(&format!("document.getElementById('{id}').textContent = '{text}'"))
                        .await;
                    ann.value(FRAMES).await;
                    assert_eq!(ann.value(boxes).await, before, "{what}");
                    let is_whole = format!(
                        "(({{ scrollHeight, clientHeight }}) => scrollHeight <= clientHeight)(document.getElementById('{id}'))"
                    );
                    assert_eq!(ann.value(&is_whole).await, json!(true), "{what}");
                    ann.value(&format!("document.getElementById('{id}').textContent = ''"))
                        .await;
                }
                assert_eq!(ann.value("shifts").await, json!([]), "{game}, {size}");
            }
            ann.leave().await;
        }
    })
    .await;
}

/// Names the words whose color is light.
const LIGHT: &str = "[...document.querySelectorAll('body, body :is(h1, h2, p, b, span, a, button, .clock)')].filter((element) => { \
    const parts = getComputedStyle(element).color.match(/[\\d.]+/g).map(Number); \
    return element.checkVisibility() && element.textContent.trim() && Math.max(...parts.slice(0, 3)) > 160; }) \
    .map((element) => element.outerHTML.slice(0, 90))";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn what_is_printed_is_dark_in_every_theme() {
    with_browsers(async |house, browsers| {
        for theme in ["system", "dark"] {
            let ann = browsers.open(SIZES[0].1).await;
            made(
                &ann,
                house,
                json!({ "game": "mnk", "preset": "0", "opponent": "here", "clock": "300%2B3" }),
            )
            .await;
            let choose = format!(
                "fetch('/settings', {{ method: 'POST', headers: {{ Accept: 'application/json' }}, \
                 body: new URLSearchParams({{ theme: '{theme}' }}) }}).then((answer) => answer.ok)"
            );
            assert_eq!(ann.value(&choose).await, json!(true));
            ann.driver.refresh().await.unwrap();
            ann.is_live().await;
            play(&ann, 1, 1).await;
            play(&ann, 0, 0).await;
            assert_eq!(
                ann.value("document.documentElement.dataset.theme").await,
                json!(theme)
            );
            ann.print().await;
            assert_eq!(ann.value(LIGHT).await, json!([]), "{theme}");
        }
    })
    .await;
}
