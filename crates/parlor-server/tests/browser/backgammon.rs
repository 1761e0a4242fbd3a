//! A game whose moves are made in parts, with dice and a cube, played by hand.

use serde_json::{Value, json};
use thirtyfour::Key;

use crate::access::{fits, is_faultless};
use crate::driver::{Browser, DESK, PHONE, Screen, by_day_and_night, with_browsers};
use crate::house::House;

/// Number of turns made by clicks; the rest of the match uses the API, which is faster.
const BY_HAND: usize = 12;
const NARROW: Screen = Screen {
    width: 360,
    ..PHONE
};

/// Seats two people at a match to 3 with the cube.
async fn seated(house: &House, ann: &Browser, bob: &Browser) -> String {
    let options = json!({ "length": 3, "cube": "on" });
    let id = made(
        ann,
        house,
        json!({ "game": "backgammon", "options": options }),
    )
    .await;
    bob.go(&house.url(&format!("/t/{id}"))).await;
    bob.is_live().await;
    bob.value("document.querySelector('[name=name]').value = 'Bob'")
        .await;
    bob.value("document.querySelector('[name=luck_text]').value = 'Bob’s pepper'")
        .await;
    bob.click("#part-share button").await;
    bob.until("document.querySelector('#part-share form') === null")
        .await;
    id
}

/// Creates a table in this browser, opens its page, and returns its id.
pub async fn made(browser: &Browser, house: &House, wanted: Value) -> String {
    browser.go(&house.url("/about")).await;
    // The form gives the browser its guest cookie.
    let form: Vec<String> = form(&wanted)
        .into_iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let post = format!(
        "fetch('/new', {{ method: 'POST', headers: {{ 'content-type': 'application/x-www-form-urlencoded' }}, \
         body: {} }}).then((answer) => new URL(answer.url).pathname)",
        json!(form.join("&"))
    );
    let path = browser.value(&post).await;
    let path = path.as_str().unwrap();
    browser.go(&house.url(path)).await;
    browser.is_live().await;
    path.trim_start_matches("/t/").to_owned()
}

/// Returns the form fields for a new table.
fn form(wanted: &Value) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = [
        ("game", wanted["game"].as_str().unwrap_or("backgammon")),
        ("clock", wanted["clock"].as_str().unwrap_or("none")),
        ("name", "Ann"),
        ("listed", "yes"),
        ("preset", wanted["preset"].as_str().unwrap_or("own")),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec();
    fields.push((
        "opponent".to_owned(),
        wanted["opponent"].as_str().unwrap_or("friend").to_owned(),
    ));
    fields.push(("bot".to_owned(), "random".to_owned()));
    fields.extend(
        wanted["luck_by_hand"]
            .as_bool()
            .map(|_| ("luck_by_hand".to_owned(), "yes".to_owned())),
    );
    for (name, value) in wanted["options"].as_object().into_iter().flatten() {
        fields.push((
            format!("option.{name}"),
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned),
        ));
    }
    fields
}

/// Script that returns the browser's next action: `said` for a button, `board` for a checker,
/// `over`, or nothing.
pub const TO_DO: &str = "(() => { if (/won|lost/.test(document.getElementById('part-status').textContent)) return 'over'; \
     if (document.querySelector('#part-entry [data-move]')) return 'said'; \
     return document.querySelector('#board .legal') ? 'board' : ''; })()";

/// Waits until one of the browsers has something to do.
async fn next<'a>(ann: &'a Browser, bob: &'a Browser) -> (&'a Browser, &'a Browser, String) {
    for _ in 0..2_000 {
        for (who, other) in [(ann, bob), (bob, ann)] {
            let to_do = who.value(TO_DO).await;
            if let Some(to_do) = to_do.as_str().filter(|to_do| !to_do.is_empty()) {
                return (who, other, to_do.to_owned());
            }
        }
        tokio::task::yield_now().await;
    }
    panic!(
        "no browser has anything to do: {}",
        ann.value("document.body.innerText").await
    );
}

/// Clicks the first checker that can move, and its first destination.
pub async fn step(browser: &Browser) {
    let before = browser.value("location.search").await;
    for _ in 0..2 {
        let legal = browser
            .value("document.querySelector('#board .legal:not(.chosen)').id")
            .await;
        let id = legal.as_str().unwrap();
        browser
            .value(&format!(
                "document.getElementById('{id}').dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))"
            ))
            .await;
    }
    browser
        .until(&format!(
            "location.search !== {before} && document.querySelector('[data-draft]')"
        ))
        .await;
}

/// Plays a whole turn by clicks and confirms it.
pub async fn turn(browser: &Browser) {
    while browser
        .value("document.querySelector('#part-entry button[data-move]') === null")
        .await
        == json!(true)
    {
        step(browser).await;
    }
    confirm(browser).await;
}

async fn confirm(browser: &Browser) {
    browser.click("#part-entry button.main").await;
    browser
        .until("document.querySelector('[data-draft]') === null && location.search === ''")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn two_browsers_finish_a_match_with_the_cube_and_its_record_verifies() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(DESK).await);
        let id = seated(house, &ann, &bob).await;
        let (mut turns, mut doubled) = (0, false);
        while turns < BY_HAND {
            let (who, other, to_do) = next(&ann, &bob).await;
            match to_do.as_str() {
                "over" => break,
                "board" => {
                    turn(who).await;
                    turns += 1;
                    if turns == 5 {
                        who.driver.refresh().await.unwrap();
                        who.is_live().await;
                    }
                }
                _ if !doubled
                    && who
                        .value("document.querySelector('[data-move=double]') !== null")
                        .await
                        == json!(true) =>
                {
                    who.says("#part-entry", "Double to 2").await;
                    who.click("#part-entry [data-move=double]").await;
                    who.until("document.querySelector('[data-move=double]') === null")
                        .await;
                    other
                        .says("#part-entry [role=status]", "doubles to 2: take or drop?")
                        .await;
                    other.picture("backgammon-take").await;
                    other.click("#part-entry [data-move=take]").await;
                    other
                        .until("document.querySelector('[data-move=take]') === null")
                        .await;
                    doubled = true;
                }
                _ => {
                    let version = who
                        .value("document.querySelector('[name=version]').value")
                        .await;
                    who.click("#part-entry button.main").await;
                    who.until(&format!(
                        "document.querySelector('#part-entry [name=version]')?.value !== {version}"
                    ))
                    .await;
                }
            }
        }
        assert!(doubled, "the cube was turned");
        finish(house, [&ann, &bob], &id).await;
        for who in [&ann, &bob] {
            who.until("/won|lost/.test(document.getElementById('part-status').textContent)")
                .await;
            who.says("#part-status", "wins the match").await;
            who.says("#part-luck", "Verified: all").await;
            who.says("#part-luck", "Bob’s pepper").await;
            assert_eq!(who.complaints().await, Vec::<String>::new());
        }
        ann.picture("backgammon-over").await;
        verified(&ann, &id).await;
        ann.go(&house.url("/statistics/dice")).await;
        ann.says("main", "Faces of the dice").await;
        ann.picture("backgammon-statistics").await;
        is_faultless(&ann, "the dice statistics").await;
    })
    .await;
}

/// Plays the rest through the API with the browsers' cookies: always rolls, never doubles, takes
/// the first legal move, draws cards where possible, and plays no events.
pub async fn finish(house: &House, both: [&Browser; 2], id: &str) {
    for who in both {
        who.go(&house.url("/about")).await;
        let script = format!(
            "window.finish = (async () => {{ const url = '/api/v1/tables/{id}'; \
               for (;;) {{ \
                 const table = await (await fetch(url)).json(); \
                 if (table.status === 'over') return true; \
                 const send = (verb, body) => fetch(url + verb, {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, \
                   body: JSON.stringify(body) }}); \
                 if (table.asked?.seats.some((seat) => table.you.includes(seat))) {{ await send('/pass', {{ rest_of_turn: true }}); continue; }} \
                 const legal = await (await fetch(url + '/legal')).json(); \
                 if (!table.you.includes(legal.seat)) {{ await new Promise((go) => setTimeout(go, 5)); continue; }} \
                 const own = legal.moves.filter((_, n) => legal.seats[n] === legal.seat); \
                 await send('/moves', {{ move: own.find((move) => move === 'draw') ?? own[0] }}); \
               }} }})().then(() => document.body.classList.add('over')); return 0"
        );
        who.driver
            .execute(script, Vec::<Value>::new())
            .await
            .unwrap();
    }
    for who in both {
        who.until("document.body.classList.contains('over')").await;
        who.go(&house.url(&format!("/t/{id}"))).await;
        who.is_live().await;
    }
}

/// Checks that the record verifies, and that a changed die is found at its step.
async fn verified(browser: &Browser, id: &str) {
    let record = browser
        .value(&format!(
            "fetch('/api/v1/tables/{id}/record').then((answer) => answer.json())"
        ))
        .await;
    let record: parlor_table::Record = serde_json::from_value(record).unwrap();
    let report = parlor_table::verify::verify(&record);
    assert!(report.is_valid() && report.luck_checked, "{report:?}");
    assert!(
        report.draws >= 12
            && record.log.iter().any(
                |step| matches!(step, parlor_table::RecordStep::Move { text, .. } if text == "take")
            )
    );
    let mut changed = record;
    let last = changed
        .log
        .iter()
        .rposition(|step| matches!(step, parlor_table::RecordStep::Chance { .. }))
        .unwrap();
    if let parlor_table::RecordStep::Chance { chance, .. } = &mut changed.log[last] {
        *chance = if chance == "66" { "65" } else { "66" }.to_owned();
    }
    let report = parlor_table::verify::verify(&changed);
    let finding = report
        .problems
        .iter()
        .find(|problem| problem.rule == "luck")
        .expect("the die is noticed");
    assert_eq!(finding.step, Some(last));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_turn_is_made_and_unmade_with_the_keyboard_alone() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        made(&ann, house, json!({ "opponent": "here" })).await;
        for _ in 0..40 {
            if ann
                .value("document.activeElement.matches('.place.legal')")
                .await
                == json!(true)
            {
                break;
            }
            ann.press(Key::Tab).await;
        }
        let steps = async || {
            ann.value("document.querySelectorAll('#part-moves [data-step]').length")
                .await
        };
        let before = steps().await;
        let enter = async |id: &str| {
            let reach = format!("document.getElementById('{id}').focus(); return 0");
            ann.driver
                .execute(reach, Vec::<Value>::new())
                .await
                .unwrap();
            ann.press(Key::Enter).await;
        };
        let once = async || {
            let before = ann.value("location.search").await;
            for _ in 0..2 {
                let id = ann
                    .value("document.querySelector('#board .legal:not(.chosen)').id")
                    .await;
                enter(id.as_str().unwrap()).await;
            }
            ann.until(&format!(
                "location.search !== {before} && document.querySelector('[data-draft]')"
            ))
            .await;
        };
        once().await;
        let begun = ann.value("location.search").await;
        // One click can make two steps of a checker; each Escape takes back one.
        while ann.value("location.search").await != json!("") {
            let before = ann.value("location.search").await;
            ann.press(Key::Escape).await;
            ann.until(&format!("location.search !== {before}")).await;
        }
        ann.until("document.querySelector('[data-draft]') === null")
            .await;
        assert_ne!(begun, json!(""));
        for _ in 0..4 {
            if ann
                .value("document.activeElement.matches('#part-entry button.main')")
                .await
                == json!(true)
            {
                break;
            }
            once().await;
        }
        ann.until("document.activeElement.matches('#part-entry button.main')")
            .await;
        assert_eq!(
            steps().await,
            before,
            "nothing is played before it is confirmed"
        );
        ann.press(Key::Enter).await;
        ann.until("location.search === '' && document.activeElement.matches('.place.legal')")
            .await;
        ann.until(&format!(
            "document.querySelectorAll('#part-moves [data-step]').length > {before}"
        ))
        .await;
        assert_eq!(ann.complaints().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_checker_is_dragged_undone_and_kept_through_a_reload_and_a_flip() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        made(&ann, house, json!({ "opponent": "here" })).await;
        let path = ann.value("JSON.parse(document.getElementById('board').dataset.clicks)[0].slice(2)").await;
        let middle = |id: &Value| {
            format!(
                "(() => {{ const b = document.querySelector('#' + {id} + ' .cell, #' + {id} + ' rect, #' + {id}).getBoundingClientRect(); \
                 return [b.x + b.width / 2, b.y + b.height / 2]; }})()"
            )
        };
        ann.value("document.getElementById('board').scrollIntoView({ block: 'center' })").await;
        let mut points = Vec::new();
        for id in path.as_array().unwrap() {
            let at = ann.value(&middle(id)).await;
            points.push((at[0].as_f64().unwrap() as i64, at[1].as_f64().unwrap() as i64));
        }
        let chain = ann.driver.action_chain().move_to(points[0].0, points[0].1).click_and_hold();
        chain.move_to(points[1].0, points[1].1).release().perform().await.unwrap();
        ann.until("document.querySelector('[data-draft]')").await;
        let begun = ann.value("location.search").await;
        ann.driver.refresh().await.unwrap();
        ann.is_live().await;
        assert_eq!(ann.value("location.search").await, begun);
        ann.until("document.querySelector('[data-draft]')").await;
        let picture = ann.value("document.querySelector('#board svg').outerHTML").await;
        ann.click("form.flip button").await;
        ann.until("document.querySelector('form.flip [aria-pressed=true]')").await;
        ann.until(&format!("document.querySelector('#board svg').outerHTML !== {picture}")).await;
        assert_eq!(ann.value("location.search").await, begun, "what was begun is kept");
        ann.click("a[data-draft]").await;
        ann.until("document.querySelector('[data-draft]') === null").await;
        ann.go(&house.url(&format!("{}?draft=24/1&of=1", ann.value("location.pathname").await.as_str().unwrap()))).await;
        ann.says("#refused", "was dropped").await;
        assert_eq!(ann.complaints().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn against_the_computer_whole_moves_are_played_without_asking_when_that_is_wished() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        made(&ann, house, json!({ "opponent": "bot" })).await;
        ann.until("document.querySelector('#board .legal')").await;
        step(&ann).await;
        if ann.value("document.querySelector('#part-entry button[data-move]') === null").await == json!(true) {
            ann.click("[data-auto]").await;
        } else {
            ann.value("document.documentElement.dataset.confirm = 'never'").await;
            confirm(&ann).await;
        }
        const STATE: &str = "location.search + document.getElementById('part-moves').textContent";
        for _ in 0..12 {
            ann.until("document.querySelector('#board .legal')").await;
            let before = ann.value(STATE).await;
            let click = "document.querySelector('#board .legal:not(.chosen)').dispatchEvent(new MouseEvent('click', { bubbles: true }))";
            ann.value(click).await;
            ann.value(click).await;
            ann.until(&format!("({STATE}) !== {before}")).await;
        }
        ann.until("document.querySelectorAll('#part-moves li').length > 6").await;
        assert_eq!(ann.value("document.querySelector('#part-entry button[data-move]')").await, Value::Null);
        assert_eq!(ann.complaints().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn one_person_with_both_colors_reads_the_numbers_of_the_one_on_turn() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        let wanted = json!({ "opponent": "here", "luck_by_hand": true });
        made(&ann, house, wanted).await;
        for (dice, lower, other) in [("6-4", "1", "24"), ("31", "24", "1"), ("52", "1", "24")] {
            let field = "document.querySelector('#part-entry [name=chance]')";
            ann.until(field).await;
            ann.value(&format!("{field}.value = '{dice}'")).await;
            ann.click("#part-entry button.main").await;
            ann.until("document.querySelector('#board .legal')").await;
            // The page comes with the list of clicks.
            ann.driver.refresh().await.unwrap();
            ann.is_live().await;
            let rails = "[...document.querySelectorAll('#board .numbers')].map((row) => row.firstElementChild.textContent)";
            let shown = ann.value(rails).await;
            assert_eq!(shown[0], json!(lower), "{dice}: {shown}, not {other}");
            let named = "JSON.parse(document.getElementById('board').dataset.clicks).every(([step, , from]) => step.startsWith('bar') || \
                document.getElementById(from).getAttribute('aria-label').startsWith(`point ${step.split('/')[0]}, `))";
            assert_eq!(ann.value(named).await, json!(true), "{dice}");
            turn(&ann).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn real_dice_are_typed_in_on_the_page() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        made(
            &ann,
            house,
            json!({ "opponent": "here", "luck_by_hand": true }),
        )
        .await;
        ann.says("#part-status", "enter the result").await;
        ann.says(".title", "real dice").await;
        ann.picture("backgammon-by-hand").await;
        ann.value("document.querySelector('[name=chance]').value = '6-4'")
            .await;
        ann.click("#part-entry button.main").await;
        ann.until("document.querySelector('#board .legal')").await;
        ann.says("#part-status", "White rolls 6, Black 4").await;
        turn(&ann).await;
        ann.says("#part-entry", "Black rolls").await;
        ann.value("document.querySelector('[name=chance]').value = '31'")
            .await;
        ann.click("#part-entry button.main").await;
        ann.until("document.querySelector('#board .legal')").await;
        ann.says("#part-status", "3-1").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn the_table_fits_by_day_and_night_and_has_no_serious_accessibility_problem() {
    with_browsers(async |house, browsers| {
        for (name, screen) in by_day_and_night(NARROW) {
            let ann = browsers.open(screen).await;
            made(
                &ann,
                house,
                json!({ "opponent": "here", "options": { "length": 3, "cube": "on" } }),
            )
            .await;
            let look = async |what: &str| {
                ann.picture(&format!("backgammon-{what}-{name}")).await;
                fits(&ann, &format!("{what}, {name}")).await;
            };
            look("start").await;
            step(&ann).await;
            look("begun").await;
            while ann
                .value("document.querySelector('#part-entry button[data-move]') === null")
                .await
                == json!(true)
            {
                step(&ann).await;
            }
            look("whole").await;
            confirm(&ann).await;
            ann.until("document.querySelector('[data-move=roll]')")
                .await;
            look("cube").await;
            ann.click("[data-move=double]").await;
            ann.until("document.querySelector('[data-move=take]')")
                .await;
            look("doubled").await;
            for page in ["/luck", "/statistics/dice"] {
                ann.go(&house.url(page)).await;
                look(page.trim_start_matches('/').split('/').next_back().unwrap()).await;
            }
        }
    })
    .await;
}
