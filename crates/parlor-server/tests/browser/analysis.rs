//! The analysis of a finished game on its replay page.

use serde_json::{Value, json};
use thirtyfour::{By, Key};

use crate::access::fits;
use crate::backgammon::made;
use crate::driver::{Browser, DESK, PHONE, Screen, by_day_and_night, with_browsers};
use crate::house::House;

const NARROW: Screen = Screen {
    width: 360,
    ..PHONE
};

/// Sends requests to the API as this browser's player, one after the other, and resigns at the end.
async fn play(browser: &Browser, id: &str, posts: Value) {
    let script = format!(
        "(async () => {{ const post = (verb, body) => fetch('/api/v1/tables/{id}/' + verb, {{ method: 'POST', \
           headers: {{ 'content-type': 'application/json' }}, body: JSON.stringify(body) }}); \
         for (const [verb, body] of {posts}) {{ const answer = await post(verb, body); if (!answer.ok) return await answer.text(); }} \
         return (await post('resign', {{}})).status; }})()"
    );
    assert_eq!(browser.value(&script).await, json!(200));
}

/// Plays a match with real dice that starts with a blunder and is resigned after three turns.
async fn short(browser: &Browser, house: &House) -> String {
    let options = json!({ "length": 3, "cube": "on" });
    let id = made(
        browser,
        house,
        json!({ "opponent": "here", "luck_by_hand": true, "options": options }),
    )
    .await;
    let draw = |chance: &str| json!(["chance", { "chance": chance }]);
    let go = |text: &str| json!(["moves", { "move": text }]);
    let posts = [
        draw("3-1"),
        go("13/10,6/5"),
        go("roll"),
        draw("66"),
        go("24/18,24/18,13/7,13/7"),
        go("roll"),
        draw("42"),
        go("8/4,6/4"),
    ];
    play(browser, &id, json!(posts)).await;
    id
}

/// Plays the start of a match with arbitrary moves and no doubles, then resigns it.
async fn long(browser: &Browser, house: &House) -> String {
    let options = json!({ "length": 3, "cube": "on" });
    let id = made(
        browser,
        house,
        json!({ "opponent": "here", "options": options }),
    )
    .await;
    let script = format!(
        "(async () => {{ const url = '/api/v1/tables/{id}'; \
           for (let n = 0; n < 70; n++) {{ \
             const legal = await (await fetch(url + '/legal')).json(); \
             const moves = legal.moves.filter((text) => text !== 'double'); \
             await fetch(url + '/moves', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, \
               body: JSON.stringify({{ move: moves[n * 7 % moves.length] }}) }}); }} return true; }})()"
    );
    assert_eq!(browser.value(&script).await, json!(true));
    play(browser, &id, json!([])).await;
    id
}

/// Requests the analysis and waits for it.
async fn analyze(browser: &Browser) {
    browser
        .until("document.querySelector('#part-analysis button')")
        .await;
    let close = "document.querySelector('#end:popover-open .close')?.click()";
    browser.value(close).await;
    browser.click("#part-analysis button").await;
    browser
        .until("document.querySelector('#part-analysis .standing')")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_finished_game_is_analyzed_and_its_blunder_is_found_by_mouse_and_by_keyboard() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        let id = short(&ann, house).await;
        ann.says("#part-analysis", "Analyze the game").await;
        analyze(&ann).await;
        ann.says("#part-moves", "??").await;
        // From the last step back to the blunder with the keyboard, which keeps its focus.
        let before = "document.querySelector('[data-keep=\"Previous mistake\"]')";
        for _ in 0..9 {
            if ann
                .value("document.querySelector('#part-steps .where').textContent")
                .await
                == json!("Move 1 of 3")
            {
                break;
            }
            let shown = ann.value("location.search").await;
            ann.driver
                .execute(format!("{before}.focus(); return 0"), Vec::<Value>::new())
                .await
                .unwrap();
            ann.press(Key::Enter).await;
            ann.until(&format!("location.search !== {shown}")).await;
        }
        ann.says("#part-steps", "Move 1 of 3").await;
        ann.says("#part-analysis .verdict", "Blunder, −0.").await;
        ann.says("#part-analysis .verdict", "Better: 8/5 6/5").await;
        ann.says("#part-analysis .me", "13/10 6/5").await;
        let rows = ann
            .value("document.querySelectorAll('#part-analysis .shown tbody tr').length")
            .await;
        assert!(rows.as_u64() >= Some(4), "alternatives: {rows}");
        let loss = ann
            .value("document.querySelector('#part-analysis .me td:nth-child(3)').textContent")
            .await;
        ann.says("#part-moves [aria-current]", loss.as_str().unwrap())
            .await;
        // The keys that step through the game update the panel.
        ann.press(Key::Right).await;
        ann.says("#part-analysis .shown h3", "Move 2").await;
        // A click on a point of the graph goes to its move.
        ann.click("#part-analysis a.mistake.blunder").await;
        ann.says("#part-analysis .shown h3", "Move 1").await;
        ann.driver.refresh().await.unwrap();
        ann.is_live().await;
        ann.says("#part-analysis", "Analyzed at").await;
        ann.go(&house.url(&format!("/t/{id}?step=2"))).await;
        ann.says("#part-analysis .verdict", "Blunder").await;
        assert_eq!(ann.complaints().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn every_number_of_the_analysis_explains_itself_to_pointer_finger_and_keyboard() {
    with_browsers(async |house, browsers| {
        for (name, screen) in [("desk", DESK), ("phone", NARROW)] {
            let ann = browsers.open(screen).await;
            let id = short(&ann, house).await;
            analyze(&ann).await;
            ann.go(&house.url(&format!("/t/{id}?step=2"))).await;
            ann.is_live().await;
            ann.says("#part-analysis .verdict", "Blunder").await;
            // Every cell with a number, one after the other.
            let unexplained = "[...document.querySelectorAll('.analysis td, .analysis dd, .analysis .verdict, .analysis .luck')]\
                .filter((cell) => /\\d/.test(cell.textContent)).filter((cell) => { \
                document.body.click(); cell.click(); \
                return !document.querySelector('#hint:popover-open')?.textContent; }).map((cell) => cell.outerHTML)";
            assert_eq!(ann.value(unexplained).await, json!([]), "{name}");
            let value = "#part-analysis .me td";
            ann.value(&format!("document.querySelector('{value}').scrollIntoView({{ block: 'center' }})")).await;
            ann.until("!document.querySelector('#hint:popover-open')").await;
            if screen.touch {
                ann.value(&format!("document.querySelector('{value}').id = 'tapped'")).await;
                ann.tap("tapped").await;
            } else {
                let cell = ann.driver.find(By::Css(value)).await.unwrap();
                ann.driver.action_chain().move_to_element_center(&cell).perform().await.unwrap();
            }
            ann.says("#hint:popover-open", "What the position is worth").await;
            ann.picture(&format!("hint-{name}")).await;
            fits(&ann, name).await;
            ann.press(Key::Escape).await;
            ann.until("!document.querySelector('#hint:popover-open')").await;
            ann.value("document.querySelector('#part-analysis .totals .hint').focus()").await;
            ann.says("#hint:popover-open", "A small mistake").await;
            ann.until("document.activeElement.getAttribute('aria-describedby') === 'hint'").await;
            assert_eq!(ann.complaints().await, Vec::<String>::new());
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn the_analysis_fits_by_day_and_night_and_has_no_serious_accessibility_problem() {
    with_browsers(async |house, browsers| {
        for (name, screen) in by_day_and_night(NARROW) {
            let ann = browsers.open(screen).await;
            let look = async |what: &str| {
                ann.value("document.getElementById('part-analysis').scrollIntoView({ block: 'start' })").await;
                ann.picture(&format!("analysis-{what}-{name}")).await;
                fits(&ann, &format!("{what}, {name}")).await;
            };
            let id = long(&ann, house).await;
            ann.says("#part-analysis", "Analyze the game").await;
            look("offered").await;
            analyze(&ann).await;
            let below = "document.documentElement.scrollHeight - document.querySelector('.foot').getBoundingClientRect().bottom - scrollY < 200";
            assert_eq!(ann.value(below).await, json!(true), "{name}: the page ends with its foot");
            look("end").await;
            for _ in 0..4 {
                let shown = ann.value("location.search").await;
                ann.value("document.querySelector('[data-keep=\"Previous mistake\"]').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))").await;
                ann.until(&format!("location.search !== {shown}")).await;
            }
            look("mistake").await;
            ann.value("document.querySelector('.totals').scrollIntoView({ block: 'end' })").await;
            ann.picture(&format!("analysis-totals-{name}")).await;
            ann.go(&house.url(&format!("/t/{id}?step=0"))).await;
            ann.picture(&format!("analysis-page-{name}")).await;
            look("start").await;
        }
    })
    .await;
}
