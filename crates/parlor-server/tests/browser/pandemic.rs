//! A team of two persons and a bot: clicks on the map, an event out of turn, a question, an undo, a reload.

use serde_json::{Value, json};
use thirtyfour::Key;

use crate::backgammon::finish;
use crate::driver::{Browser, DESK, PHONE, Screen, with_browsers};
use crate::house::House;

/// So many steps are made by hand; the rest goes by the API, which is faster.
const BY_HAND: usize = 24;
const NARROW: Screen = Screen { width: 390, height: 844, ..PHONE };
/// What Bob can play in Ann's turn without asking anybody and without looking at cards.
const OWN_EVENT: &str = "grant|quiet-night|resilient";
const STEPS: &str = "document.querySelector('#part-steps .where').textContent";

/// The fields of the form, for a browser that has no seat yet: afterwards it has a cookie.
async fn first_table(ann: &Browser, bob: &Browser, house: &House) -> String {
    ann.go(&house.url("/about")).await;
    let form =
        "game=pandemic&name=Ann&listed=yes&preset=own&opponent=both&bot=level:1&option.players=3&option.consent=ask";
    let post = format!(
        "fetch('/new', {{ method: 'POST', headers: {{ 'content-type': 'application/x-www-form-urlencoded' }}, \
         body: '{form}' }}).then((answer) => new URL(answer.url).pathname)"
    );
    let path = ann.value(&post).await;
    bob.go(&house.url(path.as_str().unwrap())).await;
    bob.is_live().await;
    bob.value("document.querySelector('[name=name]').value = 'Bob'").await;
    bob.click("#part-share button").await;
    bob.until("document.querySelector('#part-share form') === null").await;
    path.as_str().unwrap().trim_start_matches("/t/").to_owned()
}

/// A table where Ann begins and Bob holds an event that he can play at once.
async fn seated(ann: &Browser, bob: &Browser, house: &House) -> String {
    let mut id = first_table(ann, bob, house).await;
    for _ in 0..300 {
        let legal = ann.value(&format!("fetch('/api/v1/tables/{id}/legal').then((answer) => answer.json())")).await;
        let events = legal["moves"].as_array().unwrap().iter().zip(legal["seats"].as_array().unwrap());
        let held = |(text, seat): (&Value, &Value)| {
            *seat == 1 && OWN_EVENT.split('|').any(|event| text.as_str().unwrap().starts_with(event))
        };
        if legal["seat"] == 0 && events.into_iter().any(held) {
            for who in [ann, bob] {
                who.go(&house.url(&format!("/t/{id}"))).await;
                who.is_live().await;
            }
            return id;
        }
        let send = |path: String, body: Value| {
            format!(
                "fetch('{path}', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, body: {} }})\
                 .then((answer) => answer.json())",
                json!(body.to_string())
            )
        };
        let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "open" }, { "kind": "bot", "spec": "level:1" }]);
        let wanted = json!({ "game": "pandemic", "options": { "players": 3 }, "seats": seats });
        let made = ann.value(&send("/api/v1/tables".to_owned(), wanted)).await;
        id = made["table"]["id"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
        bob.value(&send(format!("/api/v1/tables/{id}/join"), json!({ "name": "Bob" }))).await;
    }
    panic!("luck never brought it about");
}

/// The ways that a page could click now, each as text, whether it is a part, and elements.
async fn ways(browser: &Browser) -> Vec<Vec<String>> {
    let clicks = browser.value("fetch(location.pathname + '/state').then((answer) => answer.json())").await;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let way = |click: &Value| click.as_array().unwrap().iter().map(text).collect();
    clicks["clicks"].as_array().unwrap().iter().map(way).collect()
}

async fn touch(browser: &Browser, ids: &[String]) {
    for id in ids {
        let click = "dispatchEvent(new MouseEvent('click', { bubbles: true }))";
        browser.until(&format!("document.getElementById({}).matches('.legal')", json!(id))).await;
        browser.value(&format!("document.getElementById({}).{click}", json!(id))).await;
    }
}

/// Whether the page waits for its reader: a button of the one on turn, or something on the board in their turn.
const TO_DO: &str = "(() => { if (/together/.test(document.getElementById('part-status').textContent)) return 'over'; \
     if (!document.title.startsWith('●')) return ''; \
     const agree = document.querySelector('#part-entry [data-move=agree]'); \
     return agree ? 'asked' : 'mine'; })()";

async fn next<'a>(ann: &'a Browser, bob: &'a Browser) -> (&'a Browser, String) {
    for _ in 0..4_000 {
        for who in [ann, bob] {
            let to_do = who.value(TO_DO).await;
            if let Some(to_do) = to_do.as_str().filter(|to_do| !to_do.is_empty()) {
                return (who, to_do.to_owned());
            }
        }
        tokio::task::yield_now().await;
    }
    panic!("nobody is to do anything: {}", ann.value("document.body.innerText").await);
}

/// Makes one step of whoever is on turn: on the map as long as there is a way of one click, else by a button.
async fn step(who: &Browser, n: usize) {
    let before = who.value(STEPS).await;
    let ways = ways(who).await;
    let short: Vec<&Vec<String>> = ways.iter().filter(|way| way.len() == 3).collect();
    if !short.is_empty() && n % 4 != 3 {
        touch(who, &short[n * 5 % short.len()][2..]).await;
    } else if who.value("document.querySelector('#part-entry .entry:not(.aside) button') !== null").await == json!(true)
    {
        let last = "[...document.querySelectorAll('#part-entry .entry:not(.aside) button')].pop().click()";
        who.driver.execute(last, Vec::<Value>::new()).await.unwrap();
    } else {
        touch(who, &ways[0][2..]).await;
    }
    who.until(&format!("{STEPS} !== {before}")).await;
}

/// Bob plays an event in Ann's turn and takes it back, which Ann sees; then she takes back a move of hers with the keyboard.
async fn out_of_turn_and_back(ann: &Browser, bob: &Browser) {
    assert_eq!(bob.value("document.title.startsWith('●')").await, json!(false), "nobody calls Bob to the table");
    let bobs = ways(bob).await;
    let own = bobs.iter().find(|way| OWN_EVENT.split('|').any(|event| way[0].starts_with(event)));
    let own = own.unwrap_or_else(|| panic!("Bob's events: {bobs:?}"));
    let before = bob.value(STEPS).await;
    touch(bob, &own[2..]).await;
    bob.until(&format!("{STEPS} !== {before}")).await;
    ann.until(&format!("{STEPS} !== {before} && document.title.startsWith('●')")).await;
    ann.until("document.querySelector('[data-undo]') === null").await;
    bob.picture("pandemic-event").await;
    bob.click("[data-undo] button").await;
    for who in [ann, bob] {
        who.until(&format!("{STEPS} === {before}")).await;
    }
    let drive = ways(ann).await.into_iter().find(|way| way.len() == 3 && way[0].starts_with("drive")).unwrap();
    let focus = format!("document.getElementById({}).focus(); return 0", json!(drive[2]));
    ann.driver.execute(focus, Vec::<Value>::new()).await.unwrap();
    ann.press(Key::Enter).await;
    ann.until(&format!("{STEPS} !== {before} && document.querySelector('[data-undo]')")).await;
    ann.press(Key::Backspace).await;
    ann.until(&format!("{STEPS} === {before}")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_browsers_and_a_bot_play_as_a_team_with_an_event_out_of_turn_and_an_undo() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(NARROW).await);
        let id = seated(&ann, &bob, house).await;
        out_of_turn_and_back(&ann, &bob).await;
        let fits = "document.documentElement.scrollWidth <= innerWidth";
        assert_eq!(bob.value(fits).await, json!(true), "the page is no wider than a phone");
        ann.picture("pandemic").await;
        bob.picture("pandemic-phone").await;
        for n in 0..BY_HAND {
            let (who, to_do) = next(&ann, &bob).await;
            match to_do.as_str() {
                "over" => break,
                "asked" => {
                    let before = who.value(STEPS).await;
                    who.says("#part-entry [role=alert]", "agree").await;
                    who.click(&format!("#part-entry [data-move={}]", if n % 2 == 0 { "agree" } else { "decline" }))
                        .await;
                    who.until(&format!("{STEPS} !== {before}")).await;
                }
                _ => step(who, n).await,
            }
            if n == BY_HAND / 2 {
                who.driver.refresh().await.unwrap();
                who.is_live().await;
            }
        }
        finish(house, [&ann, &bob], &id).await;
        for who in [&ann, &bob] {
            who.until("/You (won|lost) together/.test(document.getElementById('part-status').textContent)").await;
            who.says("#part-luck", "Verified: all").await;
            assert_eq!(who.complaints().await, Vec::<String>::new());
        }
        ann.picture("pandemic-over").await;
        let record = ann.value(&format!("fetch('/api/v1/tables/{id}/record').then((answer) => answer.json())")).await;
        let record: parlor_table::Record = serde_json::from_value(record).unwrap();
        let report = parlor_table::verify::verify(&record);
        assert!(report.holds() && report.luck_checked && report.moves > BY_HAND / 2, "{report:?}");
    })
    .await;
}
