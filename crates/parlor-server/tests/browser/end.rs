//! The end of a game, on pages that are open when it comes.

use parlor_games::GameKind;
use serde_json::{Value, json};
use thirtyfour::Key;

use crate::access::fits;
use crate::backgammon::made;
use crate::driver::{ACROSS, Browser, DESK, PHONE, SIZES, Screen, with_browsers};
use crate::games::{play, seated};

/// Every game with its first preset, and a large board.
fn games() -> impl Iterator<Item = (GameKind, &'static str)> {
    let usual = GameKind::all().iter().map(|kind| (*kind, "0"));
    let large = GameKind::all().first().map(|kind| (*kind, "2"));
    usual.chain(large)
}

/// Begins to note what moves on the page, and what is announced.
const WATCH: &str = "(() => { window.moved = []; window.said = []; scrollTo(0, 0); \
    const name = (node) => node?.id || node?.className?.baseVal || node?.className || node?.tagName || node?.textContent; \
    new PerformanceObserver((list) => { for (const shift of list.getEntries()) for (const { node, previousRect, currentRect } of shift.sources) \
      moved.push(`${name(node)}: ${JSON.stringify(previousRect)} -> ${JSON.stringify(currentRect)}`); }).observe({ type: 'layout-shift' }); \
    new MutationObserver(() => said.push(document.getElementById('say').textContent)).observe(document.getElementById('say'), { childList: true }); \
    window.boxes = () => ['#board .board', '.banner', '#part-seats', '.steps', '#part-moves section'].map((one) => { \
      const box = document.querySelector(one)?.getBoundingClientRect(); return [one, box?.x, box?.y, box?.width, box?.height]; }); \
    window.before = boxes(); window.focus = document.activeElement; return true; })()";
/// Resigns, without touching the page.
const RESIGN: &str = "fetch(location.pathname + '/resign', { method: 'POST', body: new URLSearchParams(), headers: { accept: 'application/json' } }).then((answer) => answer.ok)";
const OPEN: &str = "document.querySelector('#end:popover-open #end-title') && document.querySelector('#end').getAnimations().length === 0";
/// Pixels of the board that the panel covers.
const COVERED: &str = "(() => { const one = document.querySelector('#end').getBoundingClientRect(); \
    const other = document.querySelector('#board .board').getBoundingClientRect(); \
    const across = Math.min(one.right, other.right) - Math.max(one.left, other.left); \
    const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top); \
    return across > 1 && down > 1 ? [Math.round(across), Math.round(down)] : [0, 0]; })()";
/// Names of other things in sight that the panel covers.
const HIDDEN: &str = "(() => { const one = document.querySelector('#end').getBoundingClientRect(); \
    return ['.banner', '#part-seats', '.steps'].filter((name) => { const other = document.querySelector(name).getBoundingClientRect(); \
      return Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1; }); })()";
/// Buttons of the panel that are out of the window or too small for a thumb.
const OUT_OF_REACH: &str = "[...document.querySelectorAll('#end :is(button, a.button)')].filter((button) => { \
    const box = button.getBoundingClientRect(); return box.left < 0 || box.right > innerWidth || box.top < 0 || box.bottom > innerHeight || box.height < 44 \
      || [.1, .5, .9].some((x) => !button.contains(document.elementFromPoint(box.x + x * box.width, box.y + box.height / 2))); }).map((button) => button.textContent)";

/// Lets two frames pass.
const FRAMES: &str =
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))";

async fn nothing_moved(browser: &Browser, what: &str) {
    browser.value(FRAMES).await;
    let before = browser.value("before").await;
    assert_eq!(browser.value("boxes()").await, before, "{what}");
    assert_eq!(browser.value("moved").await, json!([]), "{what}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn nothing_moves_when_a_game_ends_and_what_follows_is_in_reach() {
    with_browsers(async |house, browsers| {
        for (size, screen) in SIZES {
            for dark in [false, true] {
                // By night, one desktop and one phone will do.
                if dark && size.len() < 8 && size != "390x844" {
                    continue;
                }
                let ann = browsers.open(Screen { dark, ..screen }).await;
                for (kind, preset) in games() {
                    let game = kind.name();
                    let what = format!("{game}{preset}-{size}{}", if dark { "-dark" } else { "" });
                    made(
                        &ann,
                        house,
                        json!({ "game": game, "preset": preset, "opponent": "here" }),
                    )
                    .await;
                    ann.until("document.getElementById('say').textContent")
                        .await;
                    ann.value(WATCH).await;
                    assert_eq!(ann.value(RESIGN).await, json!(true), "{what}");
                    ann.until(OPEN).await;
                    ann.picture(&format!("end-{what}")).await;
                    nothing_moved(&ann, &what).await;
                    assert_eq!(ann.value(OUT_OF_REACH).await, json!([]), "{what}");
                    if !kind.is_cooperative() {
                        assert_eq!(ann.value(COVERED).await, json!([0, 0]), "{what}");
                    }
                    assert_eq!(ann.value("said.length").await, json!(1), "{what}");
                    assert_eq!(
                        ann.value("focus === document.activeElement").await,
                        json!(true),
                        "{what}"
                    );
                    if kind.is_cooperative() || preset == "2" {
                        fits(&ann, &what).await;
                    }
                    ann.press(Key::Escape).await;
                    ann.until("!document.querySelector('#end:popover-open')")
                        .await;
                }
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn nothing_moves_when_a_game_ends_while_its_buttons_lie_over_the_page() {
    with_browsers(async |house, browsers| {
        for (size, screen) in SIZES.into_iter().skip(1) {
            let ann = browsers.open(screen).await;
            for game in ["mnk", "backgammon", "pandemic"] {
                made(
                    &ann,
                    house,
                    json!({ "game": game, "preset": "0", "opponent": "here", "clock": "300%2B3" }),
                )
                .await;
                ann.value("document.getElementById('part-actions').showPopover()")
                    .await;
                ann.value(WATCH).await;
                assert_eq!(ann.value(RESIGN).await, json!(true));
                ann.until(OPEN).await;
                nothing_moved(&ann, &format!("{game}, {size}")).await;
            }
            ann.leave().await;
        }
    })
    .await;
}

async fn headline(browser: &Browser) -> Value {
    browser.until(OPEN).await;
    browser
        .value("document.getElementById('end-title').textContent")
        .await
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn winner_and_loser_see_who_won_and_a_later_visit_shows_the_result_in_place() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(PHONE).await);
        seated(house, &ann, &bob).await;
        for (who, row, column) in [(&ann, 1, 1), (&bob, 0, 0), (&ann, 0, 2), (&bob, 1, 0)] {
            play(who, row, column).await;
        }
        ann.value(WATCH).await;
        bob.value(WATCH).await;
        play(&ann, 2, 0).await;
        assert_eq!(headline(&ann).await, json!("You won"));
        assert_eq!(headline(&bob).await, json!("You lost"));
        for (who, name, shreds) in [(&ann, "winner", 24), (&bob, "loser", 0)] {
            who.says("#end .how", "Three in a row.").await;
            let falling = "document.querySelectorAll('.shreds i').length";
            assert_eq!(who.value(falling).await, json!(shreds), "{name}");
            nothing_moved(who, name).await;
            who.picture(&format!("end-{name}")).await;
        }
        ann.click("#end .close").await;
        ann.until("!document.querySelector('#end:popover-open')")
            .await;
        bob.driver.refresh().await.unwrap();
        bob.is_live().await;
        bob.says("#part-status", "You lost").await;
        ann.driver.refresh().await.unwrap();
        ann.is_live().await;
        let open = "document.querySelector('#end:popover-open') !== null";
        assert_eq!(
            ann.value(open).await,
            json!(false),
            "all stands beside the board"
        );
        assert_eq!(
            (ann.complaints().await, bob.complaints().await),
            (vec![], vec![])
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn the_end_of_a_rated_game_shows_both_ratings_and_leads_both_to_a_rematch() {
    with_browsers(async |house, browsers| {
        for (n, (size, screen)) in SIZES.into_iter().enumerate() {
            let (ann, bob) = (browsers.open(screen).await, browsers.open(screen).await);
            ann.sign_up(house, &format!("Annabella{n}")).await;
            bob.sign_up(house, &format!("Bartholomew{n}")).await;
            ann.set_up_timed(house, "10", "").await;
            let table = ann.value("location.pathname").await;
            bob.go(&house.url(table.as_str().unwrap())).await;
            bob.is_live().await;
            bob.click("#part-share button").await;
            bob.says("#part-status", "Waiting for Annabella").await;
            play(&ann, 1, 1).await;
            play(&bob, 0, 0).await;
            ann.says("#part-status", "Your turn").await;
            for who in [&ann, &bob] {
                who.value(WATCH).await;
            }
            assert_eq!(bob.value(RESIGN).await, json!(true));
            for (who, name, text) in [(&ann, "won", "You won by resignation"), (&bob, "lost", "You lost by resignation")] {
                assert!(headline(who).await.as_str().unwrap().contains(text));
                let rated = who.value("[...document.querySelectorAll('#end .rating')].map((one) => /\\(([+−]\\d+)\\)/.exec(one.textContent)[1])").await;
                assert_eq!(rated, json!(["+162", "−162"]), "{size}");
                who.picture(&format!("end-{name}-{size}")).await;
                nothing_moved(who, &format!("{name}-{size}")).await;
                assert_eq!(who.value(COVERED).await, json!([0, 0]), "{name}-{size}");
                assert_eq!(who.value(HIDDEN).await, json!([]), "{name}-{size}");
                assert_eq!(who.value(OUT_OF_REACH).await, json!([]), "{name}-{size}");
            }
            let rematch = "#end form[action$='/rematch'] button";
            ann.click(rematch).await;
            ann.says("#end .asked", "Rematch: waiting for Bartholomew").await;
            bob.says("#end .asked", "wants a rematch").await;
            bob.picture(&format!("end-asked-{size}")).await;
            bob.click(rematch).await;
            let elsewhere = format!("location.pathname !== {table} && document.querySelector('main.live')");
            ann.until(&elsewhere).await;
            bob.until(&elsewhere).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_team_sees_its_end_together_and_an_analysis_opens_below_the_board() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(SIZES[1].1).await;
        made(&ann, house, json!({ "game": "pandemic", "preset": "0", "opponent": "here" })).await;
        assert_eq!(ann.value(RESIGN).await, json!(true));
        assert!(headline(&ann).await.as_str().unwrap().starts_with("You lost together"));
        made(&ann, house, json!({ "opponent": "bot" })).await;
        ann.until("document.querySelector('.legal, #part-entry button')").await;
        assert_eq!(ann.value(RESIGN).await, json!(true));
        ann.until(OPEN).await;
        ann.click("#end form[action$='/analysis'] button").await;
        ann.until("!document.querySelector('#end:popover-open') && document.querySelector('#part-analysis [data-pending], #part-analysis .standing')")
            .await;
        ann.until("document.querySelector('#part-analysis').getBoundingClientRect().top < innerHeight").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn nothing_flutters_for_those_who_want_less_motion() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        ann.reduce_motion().await;
        made(
            &ann,
            house,
            json!({ "game": "mnk", "preset": "0", "opponent": "here" }),
        )
        .await;
        assert_eq!(ann.value(RESIGN).await, json!(true));
        ann.until(OPEN).await;
        assert_eq!(
            ann.value("getComputedStyle(document.querySelector('.shreds')).display")
                .await,
            json!("none")
        );
        assert_eq!(ann.value("document.getAnimations().length").await, json!(0));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn on_a_phone_the_panel_is_there_at_a_later_visit_until_it_is_closed() {
    with_browsers(async |house, browsers| {
        for (size, screen) in SIZES.into_iter().skip(1).chain(ACROSS) {
            let ann = browsers.open(screen).await;
            made(&ann, house, json!({ "game": "mnk", "preset": "0", "opponent": "here" })).await;
            assert_eq!(ann.value(RESIGN).await, json!(true));
            ann.until(OPEN).await;
            let rematch = "(({ left, top, right, bottom }) => [left, top, right, bottom])(document.querySelector('#end form[action$=\"/rematch\"] button').getBoundingClientRect())";
            let before = ann.value(rematch).await;
            ann.driver.refresh().await.unwrap();
            ann.is_live().await;
            ann.until(OPEN).await;
            ann.picture(&format!("end-again-{size}")).await;
            assert_eq!(ann.value(OUT_OF_REACH).await, json!([]), "{size}");
            assert_eq!(ann.value(rematch).await, before, "{size}: in the same place");
            let shreds = "[...document.querySelectorAll('.shreds')].filter((one) => one.checkVisibility()).length";
            assert_eq!(ann.value(shreds).await, json!(0), "{size}: it is celebrated once");
            assert_eq!(ann.value("document.activeElement === document.body").await, json!(true), "{size}");
            fits(&ann, &format!("a later visit, {size}")).await;
            ann.click("#end .close").await;
            ann.driver.refresh().await.unwrap();
            ann.is_live().await;
            assert_eq!(ann.value("document.querySelector('#end:popover-open') === null").await, json!(true), "{size}: it was closed");
            ann.leave().await;
        }
        // So it is on a desktop if the board takes the width of the page, and the buttons stand far below it.
        let ann = browsers.open(SIZES[0].1).await;
        made(&ann, house, json!({ "game": "pandemic", "preset": "0", "opponent": "here" })).await;
        assert_eq!(ann.value(RESIGN).await, json!(true));
        ann.until(OPEN).await;
        ann.driver.refresh().await.unwrap();
        ann.is_live().await;
        ann.until(OPEN).await;
        ann.picture("end-again-desk").await;
        assert_eq!(ann.value(OUT_OF_REACH).await, json!([]), "on a desktop");
        fits(&ann, "a later visit on a desktop").await;
        let options = "(({ textContent, scrollHeight, clientHeight }) => textContent !== '' && scrollHeight <= clientHeight + 1)(document.querySelector('.facts'))";
        assert_eq!(ann.value(options).await, json!(true), "its options are read whole beside the title");
    })
    .await;
}

/// Parts of the result in the banner that are cut off, covered, or out of the banner or the window.
const CUT: &str = "(() => { const banner = document.querySelector('.banner').getBoundingClientRect(); \
    return [...document.querySelectorAll('#part-status :is(.says, .how)')].filter((part) => { \
      const box = part.getBoundingClientRect(); const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2); \
      const cut = getComputedStyle(part).display !== 'inline' && (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1); \
      return cut || !hit?.closest('.banner') || box.top < banner.top || box.bottom > banner.bottom || box.bottom > innerHeight; \
    }).map((part) => part.textContent); })()";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn the_banner_says_who_won_and_how_on_every_screen() {
    with_browsers(async |house, browsers| {
        for (size, screen) in SIZES.into_iter().chain(ACROSS) {
            let ann = browsers.open(screen).await;
            made(&ann, house, json!({ "game": "mnk", "preset": "0", "opponent": "here" })).await;
            let height = "document.querySelector('.banner').getBoundingClientRect().height";
            let before = ann.value(height).await;
            for (row, column) in [(1, 1), (0, 0), (0, 2), (1, 0), (2, 0)] {
                play(&ann, row, column).await;
            }
            ann.until(OPEN).await;
            for visit in ["as it ends", "later"] {
                ann.says("#part-status .says", "X won").await;
                ann.says("#part-status .how", "Three in a row.").await;
                assert_eq!(ann.value(CUT).await, json!([]), "{size}, {visit}");
                ann.driver.refresh().await.unwrap();
                ann.is_live().await;
            }
            // The longest of these sentences has room, too.
            ann.value("document.querySelector('#part-status .how').textContent = 'All boards are decided, and none of the players has won.'").await;
            assert_eq!(ann.value(CUT).await, json!([]), "{size}, a long reason");
            assert_eq!(ann.value(height).await, before, "{size}");
            for game in ["mnk", "backgammon", "pandemic"] {
                made(&ann, house, json!({ "game": game, "preset": "0", "opponent": "here" })).await;
                assert_eq!(ann.value(RESIGN).await, json!(true));
                ann.until(OPEN).await;
                ann.until("/ by resignation|: everybody has left/.test(document.querySelector('#part-status .says').textContent)").await;
                assert_eq!(ann.value(CUT).await, json!([]), "{size}, {game}");
            }
            ann.leave().await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn the_result_lies_over_neither_the_talk_nor_the_board() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(SIZES[0].1).await, browsers.open(PHONE).await);
        seated(house, &ann, &bob).await;
        play(&ann, 1, 1).await;
        play(&bob, 0, 0).await;
        ann.until("document.getElementById('talk').checkVisibility()")
            .await;
        ann.says("#part-status", "Your turn").await;
        ann.value(WATCH).await;
        assert_eq!(bob.value(RESIGN).await, json!(true));
        ann.until(OPEN).await;
        let over_talk = COVERED.replace("#board .board", "#talk");
        assert_eq!(ann.value(&over_talk).await, json!([0, 0]));
        assert_eq!(ann.value(COVERED).await, json!([0, 0]));
        assert_eq!(ann.value(HIDDEN).await, json!([]));
        assert_eq!(ann.value(OUT_OF_REACH).await, json!([]));
        nothing_moved(&ann, "the result beside the talk").await;
        ann.picture("end-talk").await;
    })
    .await;
}
