//! A team of two people and a bot: clicks on the map, an event out of turn, a question, an undo, a
//! reload.

use serde_json::{Value, json};
use thirtyfour::Key;

use crate::access::fits;
use crate::backgammon::finish;
use crate::driver::{ACROSS, Browser, DESK, PHONE, SIZES, Screen, by_day_and_night, with_browsers};
use crate::house::House;

/// Number of steps made by hand; the rest uses the API, which is faster.
const BY_HAND: usize = 24;
pub const NARROW: Screen = Screen {
    width: 390,
    height: 844,
    ..PHONE
};
/// Events that Bob can play in Ann's turn without asking anyone and without looking at cards.
const OWN_EVENT: &str = "grant|quiet-night|resilient";
pub const STEPS: &str = "document.querySelector('#part-steps .where').textContent";

/// Creates a table with the form, which also gives the browser its guest cookie, and returns the
/// path of its page. `fields` are further form fields.
pub async fn made(ann: &Browser, house: &House, fields: &str) -> String {
    ann.go(&house.url("/about")).await;
    let form = format!("game=pandemic&name=Ann&listed=yes&preset=own&{fields}");
    let post = format!(
        "fetch('/new', {{ method: 'POST', headers: {{ 'content-type': 'application/x-www-form-urlencoded' }}, \
         body: '{form}' }}).then((answer) => new URL(answer.url).pathname)"
    );
    ann.value(&post).await.as_str().unwrap().to_owned()
}

/// Creates a table and seats Bob at it.
pub async fn first_table(ann: &Browser, bob: &Browser, house: &House, fields: &str) -> String {
    let path = made(ann, house, fields).await;
    bob.go(&house.url(&path)).await;
    bob.is_live().await;
    bob.value("document.querySelector('[name=name]').value = 'Bob'")
        .await;
    bob.click("#part-share button").await;
    bob.until("document.querySelector('#part-share form') === null")
        .await;
    path.trim_start_matches("/t/").to_owned()
}

/// Chooses for somebody that steps are told fast.
pub async fn tell_fast(who: &Browser) {
    let fast = "fetch('/settings', { method: 'POST', headers: { Accept: 'application/json' }, \
         body: new URLSearchParams({ motion: 'fast' }) }).then((answer) => answer.ok)";
    assert_eq!(who.value(fast).await, json!(true));
}

/// Finds a table where Ann goes first and `suits` accepts the legal moves: the given one, or a new
/// one made from `wanted`.
pub async fn seated(
    (ann, bob): (&Browser, &Browser),
    house: &House,
    mut id: String,
    wanted: Value,
    suits: impl Fn(&Value) -> bool,
) -> String {
    for _ in 0..300 {
        let legal = ann
            .value(&format!(
                "fetch('/api/v1/tables/{id}/legal').then((answer) => answer.json())"
            ))
            .await;
        if legal["seat"] == 0 && suits(&legal) {
            for who in [ann, bob] {
                tell_fast(who).await;
                who.go(&house.url(&format!("/t/{id}"))).await;
                who.is_live().await;
            }
            return id;
        }
        let send = |path: String, body: &Value| {
            format!(
                "fetch('{path}', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, body: {} }})\
                 .then((answer) => answer.json())",
                json!(body.to_string())
            )
        };
        let made = ann.value(&send("/api/v1/tables".to_owned(), &wanted)).await;
        id = made["table"]["id"]
            .as_str()
            .unwrap_or_else(|| panic!("{made}"))
            .to_owned();
        bob.value(&send(
            format!("/api/v1/tables/{id}/join"),
            &json!({ "name": "Bob" }),
        ))
        .await;
    }
    panic!("no suitable table in 300 attempts");
}

/// Finds a table with a bot where Ann goes first and Bob holds an event he can play at once.
async fn with_an_event(ann: &Browser, bob: &Browser, house: &House) -> String {
    let form = "opponent=both&bot=level:1&option.players=3&option.consent=ask";
    let first = first_table(ann, bob, house, form).await;
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "open" }, { "kind": "bot", "spec": "level:1" }]);
    let wanted = json!({ "game": "pandemic", "options": { "players": 3 }, "seats": seats });
    let held = |legal: &Value| {
        let mut moves = legal["moves"]
            .as_array()
            .unwrap()
            .iter()
            .zip(legal["seats"].as_array().unwrap());
        let own = |text: &str| OWN_EVENT.split('|').any(|event| text.starts_with(event));
        moves.any(|(text, seat)| *seat == 1 && own(text.as_str().unwrap()))
    };
    seated((ann, bob), house, first, wanted, held).await
}

/// Finds a table of two where Ann goes first with this role and Bob is the Medic.
pub async fn first_with(role: &str, ann: &Browser, bob: &Browser, house: &House) -> String {
    let form = format!(
        "opponent=friend&option.players=2&option.consent=ask&option.events=list\
         &option.roles=list&option.roles.0={role}&option.roles.1=Medic"
    );
    let first = first_table(ann, bob, house, &form).await;
    let options = json!({ "players": 2, "consent": "ask", "events": [], "roles": [role, "Medic"] });
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "open" }]);
    seated(
        (ann, bob),
        house,
        first,
        json!({ "game": "pandemic", "options": options, "seats": seats }),
        |_| true,
    )
    .await
}

/// Returns the clicks available on a page: text, whether it is partial, and element ids.
pub async fn ways(browser: &Browser) -> Vec<Vec<String>> {
    let clicks = browser
        .value("fetch(location.pathname + '/state').then((answer) => answer.json())")
        .await;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let way = |click: &Value| click.as_array().unwrap().iter().map(text).collect();
    clicks["clicks"]
        .as_array()
        .unwrap()
        .iter()
        .map(way)
        .collect()
}

/// Clicks elements of the picture one after the other, each once a move is possible there.
pub async fn touch(browser: &Browser, ids: &[String]) {
    for id in ids {
        browser
            .until(&format!(
                "document.getElementById({}).matches('.legal')",
                json!(id)
            ))
            .await;
        press(browser, id).await;
    }
}

/// Clicks an element of the picture, whether or not a move is possible there.
async fn press(browser: &Browser, id: &str) {
    let click = "dispatchEvent(new MouseEvent('click', { bubbles: true }))";
    browser
        .value(&format!("document.getElementById({}).{click}", json!(id)))
        .await;
}

/// True if a page asks its player to step in.
pub const IS_ASKED: &str = "(document.querySelector('#part-entry .asked') !== null)";

/// Script that returns the browser's next action: `asked` for a question, `mine` for a turn,
/// `over`, or nothing.
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
    panic!(
        "no browser has anything to do: {}",
        ann.value("document.body.innerText").await
    );
}

/// Makes one step for the player on turn: on the map if one click is enough, otherwise by a button.
/// Returns false if the step was to pass on an event, which is not a move.
pub async fn step(who: &Browser, n: usize) -> bool {
    // The title says it before the steps until then have been told.
    let can = "document.querySelector('#board .legal, #part-entry .entry:not(.aside) button')";
    who.until(&format!("{IS_ASKED} || {can}")).await;
    if who.value(IS_ASKED).await == json!(true) {
        who.click("#part-entry .asked button.main").await;
        who.until(&format!("!{IS_ASKED}")).await;
        return false;
    }
    let before = who.value(STEPS).await;
    let ways = ways(who).await;
    let short: Vec<&Vec<String>> = ways.iter().filter(|way| way.len() == 3).collect();
    if !short.is_empty() && n % 4 != 3 {
        touch(who, &short[n * 5 % short.len()][2..]).await;
    } else if who
        .value("document.querySelector('#part-entry .entry:not(.aside) button') !== null")
        .await
        == json!(true)
    {
        let last =
            "[...document.querySelectorAll('#part-entry .entry:not(.aside) button')].pop().click()";
        who.driver.execute(last, Vec::<Value>::new()).await.unwrap();
    } else {
        touch(who, &ways[0][2..]).await;
    }
    who.until(&format!("{STEPS} !== {before}")).await;
    true
}

/// Bob plays an event in Ann's turn and undoes it, which Ann sees; then she undoes a move of her
/// own with the keyboard.
async fn out_of_turn_and_back(ann: &Browser, bob: &Browser) {
    assert_eq!(
        bob.value("document.title.startsWith('●')").await,
        json!(false),
        "nobody calls Bob to the table"
    );
    let bobs = ways(bob).await;
    let own = bobs
        .iter()
        .find(|way| OWN_EVENT.split('|').any(|event| way[0].starts_with(event)));
    let own = own.unwrap_or_else(|| panic!("Bob's events: {bobs:?}"));
    let before = bob.value(STEPS).await;
    touch(bob, &own[2..]).await;
    bob.until(&format!("{STEPS} !== {before}")).await;
    ann.until(&format!(
        "{STEPS} !== {before} && document.title.startsWith('●')"
    ))
    .await;
    ann.until("document.querySelector('[data-undo]') === null")
        .await;
    bob.picture("pandemic-event").await;
    bob.click("[data-undo] button").await;
    for who in [ann, bob] {
        who.until(&format!("{STEPS} === {before}")).await;
    }
    let drive = ways(ann)
        .await
        .into_iter()
        .find(|way| way.len() == 3 && way[0].starts_with("drive"))
        .unwrap();
    let focus = format!(
        "document.getElementById({}).focus(); return 0",
        json!(drive[2])
    );
    ann.driver
        .execute(focus, Vec::<Value>::new())
        .await
        .unwrap();
    ann.press(Key::Enter).await;
    ann.until(&format!(
        "{STEPS} !== {before} && document.querySelector('[data-undo]')"
    ))
    .await;
    ann.press(Key::Backspace).await;
    ann.until(&format!("{STEPS} === {before}")).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn who_holds_an_event_is_asked_and_plays_it_or_passes_while_the_other_waits() {
    with_browsers(async |house, browsers| {
        for (size, screen) in [("desk", DESK), ("phone", NARROW), ACROSS[0]] {
            let (ann, bob) = (browsers.open(DESK).await, browsers.open(screen).await);
            // After a quiet night it is Bob's turn.
            for answer in [("button.main", &ann), ("[data-move=quiet-night]", &bob)] {
                let event = ("One Quiet Night", "quiet-night");
                let id = holding(&ann, &bob, house, event).await;
                asked_and_answered((&ann, &bob), &id, answer, size).await;
            }
            ann.leave().await;
            bob.leave().await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn an_event_that_needs_a_place_has_a_button_that_begins_it() {
    with_browsers(async |house, browsers| {
        let events = [
            ("Airlift", "airlift"),
            ("Government Grant", "grant"),
            ("Resilient Population", "resilient"),
        ];
        for (screen, event) in [DESK, NARROW, PHONE].into_iter().zip(events) {
            let (ann, bob) = (browsers.open(DESK).await, browsers.open(screen).await);
            let id = holding(&ann, &bob, house, event).await;
            let play = posted(&id, "play", &json!({ "move": "draw" }));
            assert_eq!(ann.value(&play).await, json!(200));
            bob.until(IS_ASKED).await;
            bob.click("#part-entry .asked [data-opens]").await;
            bob.until("document.querySelector('#board .place.chosen')")
                .await;
            bob.picture(&format!("pandemic-{}", event.1)).await;
            // The pawn and the city, or the city.
            let next = "document.querySelector('#board .place.legal:not(.chosen)')";
            let press =
                format!("{next}?.dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))");
            bob.until(&format!("(!{IS_ASKED}) || ({press}, false)"))
                .await;
            let moved = format!(
                "fetch('/api/v1/tables/{id}/events?follow=false', {{ headers: {{ Accept: 'application/x-ndjson' }} }}) \
                   .then((answer) => answer.text()).then((text) => text.trim().split('\\n').map(JSON.parse) \
                   .find((event) => event.type === 'moved' && event.seat === 1).move)"
            );
            let text = bob.value(&moved).await;
            assert!(text.as_str().unwrap().starts_with(event.1), "{text}");
            ann.leave().await;
            bob.leave().await;
        }
    })
    .await;
}

/// Presses a button of the row of actions. On a phone the row is pushed on first until the button is free of
/// the signs at its edges.
async fn press_kind(browser: &Browser, selector: &str) {
    browser
        .until(&format!("document.querySelector({})", json!(selector)))
        .await;
    let push = format!(
        "(document.querySelector({}).scrollIntoView({{ inline: 'center', block: 'nearest', behavior: 'instant' }}), true)",
        json!(selector)
    );
    assert_eq!(browser.value(&push).await, json!(true));
    browser.click(selector).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn the_bar_of_actions_leads_to_each_move_and_says_why_one_is_not_possible() {
    with_browsers(async |house, browsers| {
        for (size, screen) in [("desk", DESK), ("phone", NARROW), ACROSS[0]] {
            let (ann, bob) = (browsers.open(screen).await, browsers.open(DESK).await);
            first_with("Scientist", &ann, &bob, house).await;
            let kind = |label: &str| format!("#part-entry .kinds [data-prompt^=\"{label} (\"]");
            let hint = "document.getElementById('hinted').textContent";
            let refused = "#part-entry .kinds [data-refused*='other research station']";
            press_kind(&ann, refused).await;
            ann.until(&format!("{hint}.includes('no other research station')"))
                .await;
            // Each kind shows only its own places, and a second press all of them again.
            let places = "document.querySelectorAll('#board .place.legal').length";
            let all = ann.value(places).await.as_u64().unwrap();
            press_kind(&ann, &kind("Drive")).await;
            ann.until(&format!("{places} > 0 && {places} < {all}"))
                .await;
            ann.says("#prompt", "choose a city next to yours").await;
            fits(&ann, &format!("the bar of actions, {size}")).await;
            ann.picture(&format!("pandemic-bar-{size}")).await;
            press_kind(&ann, &kind("Drive")).await;
            ann.until(&format!("{places} === {all}")).await;
            press_kind(&ann, &kind("Drive")).await;
            ann.until(&format!("{places} < {all}")).await;
            ann.press(Key::Escape).await;
            ann.until(&format!("{places} === {all}")).await;
            // One of the cards that Ann holds takes her to its city, without a click on the city.
            press_kind(&ann, &kind("Fly")).await;
            let flights = ways(&ann).await;
            let to = flights
                .iter()
                .find(|way| way[0].starts_with("fly:"))
                .unwrap();
            let card = to[2..].iter().find(|id| id.contains("card")).unwrap();
            let before = ann.value(STEPS).await;
            touch(&ann, std::slice::from_ref(card)).await;
            ann.until(&format!("{STEPS} !== {before}")).await;
            let pressed = "document.querySelector('.kinds [aria-pressed=true]') === null";
            ann.until(pressed).await;
            ann.leave().await;
            bob.leave().await;
        }
    })
    .await;
}

/// Finds a table where Ann goes first and Bob holds the only event, whose moves begin with this text.
async fn holding(
    ann: &Browser,
    bob: &Browser,
    house: &House,
    (event, moves_with): (&str, &str),
) -> String {
    let form = "opponent=friend&option.players=2&option.consent=ask";
    let first = first_table(ann, bob, house, form).await;
    let options = json!({ "players": 2, "events": [event], "epidemics": 0 });
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "open" }]);
    let wanted = json!({ "game": "pandemic", "options": options, "seats": seats });
    let held = |legal: &Value| {
        let moves = legal["moves"].as_array().unwrap();
        let mut moves = moves.iter().zip(legal["seats"].as_array().unwrap());
        moves.any(|(text, seat)| *seat == 1 && text.as_str().unwrap().starts_with(moves_with))
    };
    let id = seated((ann, bob), house, first, wanted, held).await;
    // Players who join on the page are asked anyway; this table may have been made by the API.
    let choose = posted(&id, "asking", &json!({ "when": "crucial" }));
    assert_eq!(bob.value(&choose).await, json!(200));
    id
}

/// Returns a script that sends a form of a table's page and returns the status of the answer.
pub fn posted(id: &str, form: &str, fields: &Value) -> String {
    format!(
        "fetch('/t/{id}/{form}', {{ method: 'POST', headers: {{ Accept: 'application/json' }}, \
         body: new URLSearchParams({fields}) }}).then((answer) => answer.status)"
    )
}

/// Ann ends her actions, Bob is asked and presses a button, and one of them goes on.
async fn asked_and_answered(
    (ann, bob): (&Browser, &Browser),
    id: &str,
    (answer, next): (&str, &Browser),
    size: &str,
) {
    let play = |text: &str| posted(id, "play", &json!({ "move": text }));
    assert_eq!(ann.value(&play("draw")).await, json!(200));
    bob.until(IS_ASKED).await;
    bob.until("document.title.startsWith('● Do you want to step in?')")
        .await;
    ann.says("#part-status", "Bob may step in").await;
    ann.says("#part-status", "The game goes on in").await;
    assert_eq!(ann.value(&play("infect")).await, json!(409), "she waits");
    let asked = format!(
        "fetch('/api/v1/tables/{id}').then((answer) => answer.json()).then((table) => table.asked.seats)"
    );
    assert_eq!(ann.value(&asked).await, json!([1]));
    fits(bob, &format!("asked, {size}")).await;
    bob.picture(&format!("pandemic-asked-{size}")).await;
    ann.picture(&format!("pandemic-waits-{size}")).await;
    bob.click(&format!("#part-entry .asked {answer}")).await;
    bob.until(&format!("!{IS_ASKED}")).await;
    next.until("document.title.startsWith('● Your turn')").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn two_browsers_and_a_bot_play_as_a_team_with_an_event_out_of_turn_and_an_undo() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(NARROW).await);
        let id = with_an_event(&ann, &bob, house).await;
        out_of_turn_and_back(&ann, &bob).await;
        let fits = "document.documentElement.scrollWidth <= innerWidth";
        assert_eq!(bob.value(fits).await, json!(true), "the page is no wider than a phone");
        ann.picture("pandemic").await;
        bob.picture("pandemic-phone").await;
        let mut moves = 0;
        for n in 0..BY_HAND {
            let (who, to_do) = next(&ann, &bob).await;
            let moved = match to_do.as_str() {
                // Played at random, a game can be lost within a few turns.
                "over" => break,
                "asked" => {
                    let before = who.value(STEPS).await;
                    who.says("#part-entry [role=status]", "agree").await;
                    who.click(&format!("#part-entry [data-move={}]", if n % 2 == 0 { "agree" } else { "decline" }))
                        .await;
                    who.until(&format!("{STEPS} !== {before}")).await;
                    true
                }
                _ => step(who, n).await,
            };
            moves += usize::from(moved);
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
        assert!(report.is_valid() && report.luck_checked && moves > 0 && report.moves >= moves, "{moves}, {report:?}");
    })
    .await;
}

/// Ann moves Bob's pawn, which needs his consent. Checks what both see, and presses Bob's answer.
async fn ask(ann: &Browser, bob: &Browser, city: &str, answer: &str) {
    touch(ann, &["pawn-Medic".to_owned(), format!("city-{city}")]).await;
    let question = format!("The Dispatcher wants to move your pawn to {city}. Do you agree?");
    let shown = "document.querySelector('#board .question')?.getAttribute('aria-label') ?? ''";
    ann.until(&format!(
        "/drives the Medic to {city}: does the Medic agree/i.test({shown})"
    ))
    .await;
    bob.until("document.title.startsWith('●')").await;
    ann.has_been_told().await;
    bob.has_been_told().await;
    let asked = bob
        .value("document.querySelector('#part-entry [role=status]').textContent")
        .await;
    assert_eq!(asked, json!(question));
    assert_eq!(
        bob.value("document.querySelector('#board .question') === null")
            .await,
        json!(true),
        "he reads it beside the answers"
    );
    assert_eq!(
        ann.value("document.querySelector('[data-move=agree]') === null")
            .await,
        json!(true),
        "it is not hers"
    );
    assert_eq!(
        ann.value("document.title.startsWith('●')").await,
        json!(false),
        "she waits"
    );
    bob.picture(&format!("pandemic-asked-{answer}")).await;
    let low = "document.querySelector('#part-entry .entries').offsetHeight < innerHeight / 4";
    assert_eq!(
        bob.value(low).await,
        json!(true),
        "what is said leaves the map to be seen"
    );
    bob.click(&format!("#part-entry [data-move={answer}]"))
        .await;
}

/// Waits until both see the city of Bob's pawn and Ann's remaining actions.
async fn both_see(ann: &Browser, bob: &Browser, city: &str, actions: &str) {
    for who in [ann, bob] {
        let label = |selector: &str| {
            format!("document.querySelector('{selector}').getAttribute('aria-label')")
        };
        let (pawn, turn) = (label("#pawn-Medic"), label("#board .turn"));
        who.until(&format!(
            "{pawn} === 'Medic in {city}' && {turn} === '{actions} left'"
        ))
        .await;
        who.until("document.querySelector('#board .question') === null")
            .await;
        who.has_been_told().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_partner_who_is_asked_says_no_and_then_yes_and_both_see_what_comes_of_it() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(NARROW).await);
        first_with("Dispatcher", &ann, &bob, house).await;
        ask(&ann, &bob, "Chicago", "decline").await;
        both_see(&ann, &bob, "Atlanta", "4 actions").await;
        ann.until("document.title.startsWith('●')").await;
        let again = ways(&ann)
            .await
            .into_iter()
            .find(|way| way[0].contains(":Medic:"));
        assert_eq!(
            again, None,
            "nobody asks twice without having done something in between"
        );
        touch(&ann, &["city-Washington".to_owned()]).await;
        both_see(&ann, &bob, "Atlanta", "3 actions").await;
        ask(&ann, &bob, "Miami", "agree").await;
        both_see(&ann, &bob, "Miami", "2 actions").await;
        for who in [&ann, &bob] {
            let told =
                "/declines[^]*agrees/.test(document.getElementById('part-moves').textContent)";
            assert_eq!(who.value(told).await, json!(true));
            assert_eq!(who.complaints().await, Vec::<String>::new());
        }
    })
    .await;
}

/// Names what is cut off of a question and its answers.
const CUT: &str = "(() => { const bar = document.querySelector('#part-entry .entries'); const out = []; \
    if (bar.scrollWidth > bar.clientWidth + 1) out.push(`${bar.scrollWidth} of ${bar.clientWidth} across`); \
    if (bar.scrollHeight > bar.clientHeight + 1) out.push(`${bar.scrollHeight} of ${bar.clientHeight} down`); \
    for (const part of bar.querySelectorAll('p, button')) { const box = part.getBoundingClientRect(); \
      const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2); \
      if (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || !part.contains(hit)) \
        out.push(`${part.textContent}: ${[box.left, box.top, box.right, box.bottom].map(Math.round)} of ${innerWidth}x${innerHeight}`); } \
    return out; })()";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn a_question_and_its_answers_are_read_whole_on_every_screen() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(DESK).await);
        first_with("Dispatcher", &ann, &bob, house).await;
        touch(&ann, &["pawn-Medic".to_owned(), "city-Washington".to_owned()]).await;
        bob.until("document.querySelector('#part-entry [data-move=agree]')").await;
        for (size, screen) in SIZES.into_iter().chain(ACROSS) {
            bob.set_screen(screen).await;
            bob.picture(&format!("pandemic-question-{size}")).await;
            if screen.width > 1_000 {
                let below = "[...document.querySelectorAll('.hand')].filter((hand) => hand.getBoundingClientRect().bottom > innerHeight).length";
                assert_eq!(bob.value(below).await, json!(0), "the hands are in sight");
                assert_eq!(bob.value(CARDS_FIT).await, json!([]), "{size}");
            }
            assert_eq!(bob.value(CUT).await, json!([]), "{size}");
            fits(&bob, size).await;
        }
    })
    .await;
}

/// Script that tries every card name on a card of the first hand and returns the names that don't
/// fit, or a note if the card lies outside the window.
const CARDS_FIT: &str = "(() => { \
     const card = document.querySelector('.hand .card'), name = card.querySelector('span'), was = name.textContent; \
     const cities = [...document.querySelectorAll('[id^=city-]')].map((city) => city.id.slice(5).replaceAll('-', ' ')); \
     const short = { 'Ho Chi Minh City': 'Ho Chi Minh', 'St Petersburg': 'St. Petersburg' }; \
     const all = cities.map((city) => short[city] ?? city).concat('Forecast', 'Gov. Grant', 'Quiet Night', 'Resilient Pop.'); \
     const box = card.getBoundingClientRect(); \
     const long = all.filter((text) => (name.textContent = text, name.scrollWidth > name.clientWidth)); \
     name.textContent = was; \
     return long.concat(all.length === 52 && box.left >= 0 && box.right <= innerWidth ? [] : [`${all.length} beside`]); })()";

/// Creates a table where the player on turn has to discard. Ann has both seats; drawing at once
/// fills the first hand in two turns.
async fn overfull(ann: &Browser, house: &House) {
    let path = made(
        ann,
        house,
        "opponent=here&option.players=2&option.epidemics=0&option.events=list",
    )
    .await;
    let script = format!(
        "(async () => {{ \
           const url = '/api/v1/tables/{}'; \
           const headers = {{ 'content-type': 'application/json' }}; \
           for (let n = 0; n < 40; n++) {{ \
             const legal = await (await fetch(url + '/legal')).json(); \
             if (legal.moves.some((move) => move.startsWith('discard:'))) return ''; \
             const move = ['draw', 'infect:all', 'infect'].find((move) => legal.moves.includes(move)); \
             const played = await fetch(url + '/moves', {{ method: 'POST', headers, body: JSON.stringify({{ move }}) }}); \
             if (!played.ok) return await played.text(); \
           }} }})()",
        path.trim_start_matches("/t/")
    );
    assert_eq!(ann.value(&script).await, json!(""));
    ann.go(&house.url(&path)).await;
    ann.is_live().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn the_table_fits_by_day_and_night_and_has_no_serious_accessibility_problem() {
    with_browsers(async |house, browsers| {
        for (name, screen) in by_day_and_night(NARROW) {
            let ann = browsers.open(screen).await;
            let look = async |what: &str| {
                ann.picture(&format!("pandemic-{what}-{name}")).await;
                fits(&ann, &format!("{what}, {name}")).await;
            };
            let path = made(&ann, house, "opponent=here&option.players=4").await;
            ann.go(&house.url(&path)).await;
            ann.is_live().await;
            look("start").await;
            // A card of the player on turn starts a flight.
            ann.until("document.querySelector('.hand.active .card.legal')").await;
            let card = ann.value("document.querySelector('.hand.active .card.legal').id").await;
            touch(&ann, &[card.as_str().unwrap().to_owned()]).await;
            ann.until("document.querySelector('.card.chosen')").await;
            look("chosen").await;
            let city = ann.value("[...document.querySelectorAll('.city.legal.plays')].pop().id").await;
            touch(&ann, &[city.as_str().unwrap().to_owned()]).await;
            ann.until("document.querySelector('.card.chosen') === null && document.querySelector('[data-undo]')").await;
            ann.driver.refresh().await.unwrap();
            ann.is_live().await;
            let pawn = "(() => { const pawn = document.querySelector('.world').dataset.sight; \
                 const box = document.getElementById(pawn).getBoundingClientRect(); return box.left >= 0 && box.right <= innerWidth; })()";
            assert_eq!(ann.value(pawn).await, json!(true), "{name}: the pawn is in sight on the far side of the map too");
            look("flown").await;
            let zoom = "(() => { const zoom = document.querySelector('[data-zoom]'); if (zoom.checkVisibility()) zoom.click(); })()";
            ann.value(zoom).await;
            let aside = "document.querySelector('.world').scrollLeft";
            let there = ann.value(&format!("{aside} = 120, {aside}")).await;
            ann.click("[data-undo] button").await;
            ann.until("document.querySelector('[data-undo]') === null").await;
            assert_eq!(ann.value(aside).await, there, "{name}: the map stays where it is as long as the turn is the same");
            overfull(&ann, house).await;
            look("discards").await;
            assert_eq!(ann.value(CARDS_FIT).await, json!([]), "{name}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn whoever_plays_all_seats_has_the_hand_on_turn_first() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(NARROW).await;
        let path = made(&ann, house, "opponent=here&option.players=2&option.epidemics=0&option.events=list").await;
        ann.go(&house.url(&path)).await;
        ann.is_live().await;
        let first = "(() => { const hand = document.querySelector('.hand'); return [hand.matches('.active'), hand.querySelector('b').textContent]; })()";
        let before = ann.value(first).await;
        assert_eq!(before[0], json!(true));
        let play = "(async () => { const url = `/api/v1/tables/${location.pathname.slice(3)}`, headers = { 'content-type': 'application/json' }; \
            for (const wanted of [['draw'], ['infect:all', 'infect']]) { \
              const { moves } = await (await fetch(`${url}/legal`)).json(); \
              const move = wanted.find((move) => moves.includes(move)); \
              if (!move) return ''; \
              const played = await fetch(`${url}/moves`, { method: 'POST', headers, body: JSON.stringify({ move }) }); \
              if (!played.ok) return await played.text(); } return ''; })()";
        assert_eq!(ann.value(play).await, json!(""));
        ann.until(&format!("{first}[1] !== {}", before[1])).await;
        assert_eq!(ann.value(first).await[0], json!(true), "the hand of the next player");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_hand_that_is_too_full_is_made_smaller_with_buttons_on_a_phone_and_by_the_keyboard() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(NARROW).await;
        overfull(&ann, house).await;
        let cards = "document.querySelectorAll('#part-entry [data-move^=\"discard:\"]')";
        assert_eq!(ann.value(&format!("{cards}.length")).await, json!(8), "one for each card of the hand");
        ann.picture("pandemic-discard").await;
        assert_eq!(ann.value(CARDS_FIT).await, json!([]), "every card is read whole without moving anything sideways");
        let before = ann.value(STEPS).await;
        let last = format!("const all = {cards}; all[all.length - 1].focus(); return all[all.length - 1].dataset.move");
        let gone = ann.driver.execute(last, Vec::<Value>::new()).await.unwrap();
        let gone = gone.json().as_str().unwrap().trim_start_matches("discard:").to_owned();
        ann.press(Key::Enter).await;
        ann.until(&format!("{STEPS} !== {before} && {cards}.length === 0")).await;
        ann.until(&format!(
            "document.querySelector('#board .player.active #card-{gone}, #board .cards > #card-{gone}') === null"
        ))
        .await;
        assert_eq!(ann.complaints().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_phone_shows_the_whole_map_and_a_finger_zooms_in_before_it_plays() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(PHONE).await;
        let path = made(&ann, house, "opponent=here&option.players=2").await;
        ann.go(&house.url(&path)).await;
        ann.is_live().await;
        ann.until("document.querySelector('.city.legal.plays')").await;
        let whole = "(() => { const world = document.querySelector('.world'); const map = world.firstElementChild.getBoundingClientRect(); \
             return world.scrollWidth <= world.clientWidth && map.left >= 0 && map.right <= innerWidth && map.bottom <= innerHeight; })()";
        assert_eq!(ann.value(whole).await, json!(true), "the map is seen whole");
        let sideways = "document.documentElement.scrollWidth <= innerWidth";
        assert_eq!(ann.value(sideways).await, json!(true));
        let city = ann.value("document.querySelector('.city.legal.plays').id").await;
        let tap = format!(
            "(() => {{ const city = document.getElementById({city}); const box = city.querySelector('.cell').getBoundingClientRect(); \
               city.dispatchEvent(new PointerEvent('click', {{ bubbles: true, pointerType: 'touch', \
                 clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 }})); return [box.width, box.x + box.width / 2]; }})()"
        );
        let before = ann.value(STEPS).await;
        let first = ann.value(&tap).await;
        assert!(first[0].as_f64().unwrap() < 28.0, "too small for a finger");
        assert_eq!(ann.value("document.querySelector('.world.near') !== null").await, json!(true));
        assert_eq!(ann.value(STEPS).await, before, "nothing is played");
        ann.picture("pandemic-near").await;
        let second = ann.value(&tap).await;
        assert!(second[0].as_f64().unwrap() >= 28.0, "large enough for a finger");
        ann.until(&format!("{STEPS} !== {before}")).await;
        assert_eq!(ann.value("document.querySelector('.world.near') !== null").await, json!(true), "it stays near");
        ann.driver.refresh().await.unwrap();
        ann.is_live().await;
        assert_eq!(ann.value("document.querySelector('.world.near') !== null").await, json!(true), "when the page is loaded again, too");
        ann.click("[data-zoom]").await;
        assert_eq!(ann.value(whole).await, json!(true));
        // Unfolded parts stay unfolded.
        ann.value("document.querySelector('[data-open=danger] summary').click()").await;
        ann.click("[data-undo] button").await;
        ann.until(&format!("{STEPS} === {before}")).await;
        assert_eq!(ann.value("document.querySelector('[data-open=danger]').open").await, json!(true));
        let rows = "[...document.querySelectorAll('[data-open=danger] td')].length";
        assert!(ann.value(rows).await.as_u64().unwrap() >= 2, "cities with their chances");
        assert_eq!(ann.complaints().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn the_result_is_said_once_the_last_steps_have_been_told() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        let path = made(&ann, house, "opponent=here&option.players=2").await;
        ann.go(&house.url(&path)).await;
        ann.is_live().await;
        let watch = "(() => { window.results = []; const status = document.getElementById('part-status'); \
             new MutationObserver(() => { const text = status.textContent; \
               if (/together/.test(text) && window.results.at(-1) !== text) window.results.push(text); }) \
               .observe(status, { childList: true, subtree: true }); return true; })()";
        ann.value(watch).await;
        // The team does nothing but draw, until it has lost.
        let id = path.trim_start_matches("/t/");
        let play = format!(
            "(async () => {{ const url = '/api/v1/tables/{id}'; for (;;) {{ \
               const {{ moves }} = await (await fetch(url + '/legal')).json(); if (!moves?.length) return true; \
               const move = moves.find((text) => /^(draw|infect)/.test(text)) ?? moves[0]; \
               await fetch(url + '/moves', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, \
                 body: JSON.stringify({{ move }}) }}); }} }})()"
        );
        assert_eq!(ann.value(&play).await, json!(true));
        ann.until("document.querySelector('#end:popover-open')").await;
        assert_eq!(ann.value("results.length").await, json!(1), "{}", ann.value("results").await);
        ann.picture("pandemic-told-end").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn what_happens_is_told_step_by_step_and_can_be_skipped_and_watched_again() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        // A question would end the telling.
        let form = "opponent=bot&bot=level:1&option.players=2&option.events=list&option.consent=implied";
        let path = made(&ann, house, form).await;
        ann.go(&house.url(&path)).await;
        ann.is_live().await;
        let tells = "document.querySelector('main.tells')";
        let mine = format!("document.querySelector('#part-entry [data-move=draw]') && !{tells}");
        // The bot may go first and ask whether it may do something.
        for _ in 0..200 {
            ann.until(&format!("{mine} || document.querySelector('[data-move=agree]')")).await;
            if ann.value(&format!("Boolean({mine})")).await == json!(true) {
                break;
            }
            // It may be gone: its answer is on the way.
            ann.value("document.querySelector('#part-entry [data-move=agree]')?.click()").await;
        }
        let watch = "(() => { window.told = []; const status = document.getElementById('part-status'); \
             new MutationObserver(() => { const text = status.querySelector('.recent')?.textContent; \
               if (text && window.told.at(-1) !== text) window.told.push(text); }).observe(status, { childList: true, subtree: true }); })()";
        ann.value(watch).await;
        ann.click("#part-entry details.confirm summary").await;
        ann.click("#part-entry [data-move=draw]").await;
        ann.until(tells).await;
        ann.until(&format!("!{tells}")).await;
        let told = ann.value("window.told").await;
        let told = told.as_array().unwrap().iter().map(|text| text.as_str().unwrap());
        // The step told last before that may be rendered once more.
        let told: Vec<&str> = told.skip_while(|text| !text.ends_with(": draws two cards.")).collect();
        let drawn = |text: &str| text.starts_with("The ") && text.matches(" draws ").count() == 1;
        assert!(told.len() >= 3 && drawn(told[1]), "each card by itself: {told:?}");
        let new = ann.value("document.querySelectorAll('.hand .changed').length").await;
        assert!(new.as_u64().unwrap() >= 1, "the new cards stay marked");
        ann.picture("pandemic-told").await;
        // It is there unless Ann is asked something just then.
        ann.until("document.querySelector('#part-status .whole')?.click() === undefined && document.querySelector('#recap:popover-open')").await;
        ann.until("document.querySelectorAll('#recap:popover-open li').length > 1").await;
        let listed = ann.value("[...document.querySelectorAll('#recap li')].map((li) => li.textContent)").await;
        assert!(listed.to_string().contains(told[1]), "{listed} has {}", told[1]);
        ann.picture("pandemic-recap").await;
        ann.value("document.getElementById('recap').hidePopover()").await;
        let latest = ann.value("document.querySelector('main').dataset.table && document.querySelector('#part-moves [aria-current]').textContent").await;
        ann.click("a[data-tell]").await;
        ann.until(tells).await;
        ann.until("document.querySelector('#part-status a[data-step]')").await;
        ann.click("#part-status a[data-step]").await;
        ann.until(&format!("!{tells}")).await;
        let shown = ann.value("document.querySelector('#part-moves [aria-current]').textContent").await;
        assert_eq!(shown, latest, "skipped to the present");
        ann.click("a[data-tell]").await;
        ann.until(&format!("{tells} && document.querySelector('#part-status a[data-step]')")).await;
        ann.driver.refresh().await.unwrap();
        ann.is_live().await;
        let past = "document.querySelector('#part-status a[data-step]')";
        assert_eq!(ann.value(past).await, Value::Null, "a reload shows the present");
        assert_eq!(ann.complaints().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn the_status_is_read_whole_while_steps_are_told_on_every_screen() {
    with_browsers(async |house, browsers| {
        for (size, screen) in SIZES.into_iter().chain(ACROSS) {
            let ann = browsers.open(screen).await;
            let path = made(&ann, house, "opponent=here&option.players=2").await;
            ann.go(&house.url(&path)).await;
            ann.is_live().await;
            let watch = "(() => { window.told = 0; window.cut = []; const status = document.getElementById('part-status'); \
                new MutationObserver(() => { const says = status.querySelector('.says'); told += Number(status.querySelector('.later') !== null); \
                  if (says.scrollWidth > says.clientWidth + 1) cut.push(says.textContent); }).observe(status, { childList: true, subtree: true }); return true; })()";
            ann.value(watch).await;
            let draw = format!(
                "fetch('/api/v1/tables/{}/moves', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, \
                 body: JSON.stringify({{ move: 'draw' }}) }}).then((answer) => answer.ok)",
                path.trim_start_matches("/t/")
            );
            assert_eq!(ann.value(&draw).await, json!(true), "{size}");
            ann.until("told > 0 && !document.querySelector('main.tells')").await;
            assert_eq!(ann.value("cut").await, json!([]), "{size}");
            // So is the one of the longest role, with and without the way back.
            let longest = "(() => { const says = document.querySelector('#part-status .says'); says.textContent = 'Quarantine Specialist to move'; \
                return says.scrollWidth <= says.clientWidth + 1; })()";
            assert_eq!(ann.value(longest).await, json!(true), "{size}");
            // The way back is there, and explains itself.
            ann.go(&house.url(&format!("{path}?step=1"))).await;
            ann.is_live().await;
            ann.picture(&format!("pandemic-step-{size}")).await;
            assert_eq!(ann.value(longest).await, json!(true), "{size}, earlier");
            ann.click("#part-status a[title='Back to the game']").await;
            ann.until("location.search === ''").await;
            ann.leave().await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn the_bar_of_actions_shows_that_it_goes_on_at_the_side() {
    with_browsers(async |house, browsers| {
        for (size, screen) in [SIZES[1], SIZES[3]] {
            let ann = browsers.open(screen).await;
            let path = made(&ann, house, "opponent=here&option.players=4").await;
            ann.go(&house.url(&path)).await;
            ann.is_live().await;
            ann.until("document.querySelector('#part-entry .kinds')").await;
            let signs = "(() => { const row = document.querySelector('#part-entry .kinds'); \
                return [row.scrollWidth > row.clientWidth, ...['::before', '::after'].map((side) => getComputedStyle(row, side).content !== 'none')]; })()";
            assert_eq!(ann.value(signs).await, json!([true, false, true]), "{size}");
            for (left, wanted) in [(60, [true, true, true]), (9_999, [true, true, false]), (0, [true, false, true])] {
                ann.value(&format!("document.querySelector('#part-entry .kinds').scrollLeft = {left}")).await;
                ann.until(&format!("JSON.stringify({signs}) === '{}'", json!(wanted))).await;
                ann.picture(&format!("pandemic-actions-{size}-{left}")).await;
            }
            // A tap on the sign pushes the row on, and presses no button below the sign.
            let edge = "(() => { const row = document.querySelector('#part-entry .kinds').getBoundingClientRect(); return [row.right - 12, row.y + row.height / 2]; })()";
            let edge = ann.value(edge).await;
            let at = [edge[0].as_f64().unwrap(), edge[1].as_f64().unwrap()];
            ann.pointer_down(true, at).await;
            ann.pointer_up(true, at).await;
            ann.until("document.querySelector('#part-entry .kinds').scrollLeft > 60").await;
            assert_eq!(ann.value("document.querySelector('#hinted').textContent").await, json!(""), "{size}");
            // Two lines of cards stand above it.
            let room = "(() => { const cards = document.querySelector('.hand .cards'), line = cards.firstElementChild.getBoundingClientRect(); \
                return document.querySelector('#part-entry .entries').getBoundingClientRect().top - line.top - 2 * line.height - parseFloat(getComputedStyle(cards).rowGap); })()";
            assert!(ann.value(room).await.as_f64().unwrap() >= 0.0, "{size}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn what_stands_below_the_map_is_free_of_the_hands_on_a_phone_across() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(SIZES[2].1).await;
        let path = made(&ann, house, "opponent=here&option.players=3").await;
        ann.go(&house.url(&path)).await;
        ann.is_live().await;
        for (width, height) in [(844, 390), (640, 400)] {
            ann.set_screen(Screen { width, height, ..SIZES[2].1 }).await;
            let covered = "[...document.querySelectorAll('.moves, #part-actions :is(button, summary), .about summary, .foot a')].filter((part) => part.checkVisibility()).filter((part) => { \
                part.scrollIntoView({ block: 'center' }); const box = part.getBoundingClientRect(); \
                return [.1, .5, .9].some((x) => !part.contains(document.elementFromPoint(box.x + x * box.width, box.y + box.height / 2))); }).map((part) => part.textContent)";
            assert_eq!(ann.value(covered).await, json!([]), "{width}x{height}");
            ann.picture(&format!("pandemic-below-{width}x{height}")).await;
            fits(&ann, &format!("below the map, {width}x{height}")).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn names_of_a_team_with_clocks_are_read_whole_on_the_smallest_phone() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(Screen { dark: false, ..PHONE }).await;
        let path = made(&ann, house, "opponent=friend&clock=300%2B3&option.players=4").await;
        ann.go(&house.url(&path)).await;
        ann.is_live().await;
        for name in ["Annabella", "Christoph", "Maximiliana W."] {
            let join = format!(
                "fetch(location.pathname + '/join', {{ method: 'POST', credentials: 'omit', body: new URLSearchParams({{ name: '{name}' }}) }}).then((answer) => answer.ok)"
            );
            assert_eq!(ann.value(&join).await, json!(true), "{name}");
            ann.says("#part-seats", name).await;
        }
        ann.until("document.querySelectorAll('#part-seats .clock').length === 4").await;
        ann.picture("pandemic-names").await;
        // A word that does not fit would be broken, and have two boxes.
        let broken = "[...document.querySelectorAll('#part-seats bdi')].filter((name) => { const [text] = name.childNodes; \
            const { top, height } = name.closest('.name').getBoundingClientRect(); const words = [...text.data.matchAll(/[^ ]+/g)]; \
            return words.some((word) => { const range = document.createRange(); range.setStart(text, word.index); range.setEnd(text, word.index + word[0].length); \
              const box = range.getBoundingClientRect(); return range.getClientRects().length > 1 || box.bottom > top + height + 1; }); }).map((name) => name.textContent)";
        assert_eq!(ann.value(broken).await, json!([]));
        // Two lines of a long name leave room for what is below their letters, and for none of a third line.
        let is_whole = "(() => { const name = document.querySelector('#part-seats .name'); name.classList.add('long'); const { lineHeight, fontSize } = getComputedStyle(name); \
            return parseFloat(lineHeight) > 1.14 * parseFloat(fontSize); })()";
        for screen in [PHONE, SIZES[0].1] {
            ann.set_screen(screen).await;
            assert_eq!(ann.value(is_whole).await, json!(true), "{} px", screen.width);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn custom_rules_say_how_hard_the_game_is() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(NARROW).await;
        ann.go(&house.url("/?game=pandemic")).await;
        ann.click("details[open] input[value=own]").await;
        let epidemics = async |number: &str| {
            let field = "document.getElementsByName('option.epidemics')[0]";
            ann.value(&format!("({field}.value = '{number}', {field}.dispatchEvent(new Event('input', {{ bubbles: true }})))")).await;
        };
        epidemics("6").await;
        ann.says("[data-difficulty]", "Heroic. A team of computers at level 4 wins").await;
        ann.picture("custom-difficulty").await;
        epidemics("5").await;
        ann.says("[data-difficulty]", "Standard. A team").await;
        // Fewer events are another game, of which nothing was measured.
        ann.click("[name='option.events.0']").await;
        ann.until("document.querySelector('[data-difficulty]').textContent === 'Standard.'").await;
        epidemics("99").await;
        ann.until("document.querySelector('[data-difficulty]').textContent === ''").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_teammate_points_at_a_city_and_suggests_a_move_that_is_played() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(DESK).await);
        first_with("Scientist", &ann, &bob, house).await;
        // Bob waits, and so says something about the city instead of going there.
        press(&bob, "city-Chicago").await;
        bob.until("document.querySelector('#plan:popover-open [name=suggest]')")
            .await;
        // All moves of the one on turn that end there: with a card of either city, also by air.
        let moves = "fetch(location.pathname + '/state').then((answer) => answer.json()).then(({ clicks }) => [...new Set(
            clicks.filter(([, partial, ...path]) => !partial && path.at(-1) === 'city-Chicago').map(([move]) => move))].sort())";
        let offered = "[...document.querySelectorAll('#plan [name=suggest]')].map((one) => one.value).sort()";
        let moves = ann.value(moves).await;
        assert_eq!(bob.value(offered).await, moves);
        assert!(moves.as_array().unwrap().contains(&json!("drive:Chicago")), "{moves}");
        bob.picture("plan-choices").await;
        bob.click("#plan [name=point_at]").await;
        bob.says("#hinted", "Your team sees it").await;
        bob.until("!document.querySelector('#plan:popover-open')")
            .await;
        ann.says("#hinted", "Bob: Look at Chicago!").await;
        ann.until("document.querySelector('#city-Chicago.pointed')")
            .await;
        press(&bob, "city-Chicago").await;
        bob.click("#plan [name=suggest][value='drive:Chicago']")
            .await;
        ann.says("#idea-text", "Bob: How about: ").await;
        ann.picture("plan-suggested").await;
        fits(&ann, "a suggested move").await;
        ann.click("#idea [data-play]").await;
        ann.says("#part-moves", "Chicago").await;
        bob.says("#part-moves", "Chicago").await;
        ann.until("!document.querySelector('#idea:popover-open')")
            .await;
        // In her own turn a click plays, and so points at nothing.
        let far = ann
            .value("document.querySelector('.city:not(.legal)').id")
            .await;
        press(&ann, far.as_str().unwrap()).await;
        ann.says("#hinted", "you can't play there").await;
        ann.until("!document.querySelector('#plan:popover-open')")
            .await;
    })
    .await;
}

/// Condition that a list has so many steps of a plan, and the board so many arrows.
fn steps(list: &str, number: usize) -> String {
    format!(
        "document.querySelectorAll('#{list} li').length === {number} && document.querySelectorAll('#board .advised-way').length === {number}"
    )
}

/// Waits until a drive is the last step of the plan that is composed. Of several moves that go there, it is
/// chosen.
async fn drives(browser: &Browser, city: &str, number: usize) {
    let (is_there, choice) = (
        steps("plan-steps", number),
        format!("#plan-choices [data-add='drive:{city}']"),
    );
    browser
        .until(&format!(
            "({is_there}) || document.querySelector(\"{choice}\")"
        ))
        .await;
    if browser.value(&is_there).await != json!(true) {
        browser.click(&choice).await;
    }
    browser.until(&is_there).await;
    browser
        .says(
            "#plan-steps li:last-child",
            &format!("{number} Drive to {city}"),
        )
        .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_teammate_plans_three_moves_that_are_played_one_by_one() {
    with_browsers(async |house, browsers| {
        for (size, screen) in [("desk", DESK), ("phone", NARROW)] {
            let (ann, bob) = (browsers.open(screen).await, browsers.open(screen).await);
            let id = first_with("Scientist", &ann, &bob, house).await;
            press(&bob, "city-Chicago").await;
            bob.click("#plan [data-compose]").await;
            drives(&bob, "Chicago", 1).await;
            press(&bob, "city-Atlanta").await;
            drives(&bob, "Atlanta", 2).await;
            // The last step can be taken back.
            press(&bob, "city-Washington").await;
            drives(&bob, "Washington", 3).await;
            bob.click("#plan-steps [data-remove]").await;
            bob.until(&steps("plan-steps", 2)).await;
            press(&bob, "city-Miami").await;
            drives(&bob, "Miami", 3).await;
            bob.picture(&format!("plan-composed-{size}")).await;
            fits(&bob, &format!("a plan on a {size}")).await;
            bob.click("#plan-send").await;
            bob.says("#idea-text", "Your plan").await;
            bob.until(&steps("idea-steps", 3)).await;
            ann.says("#idea-text", "Bob: How about this?").await;
            ann.until(&steps("idea-steps", 3)).await;
            ann.picture(&format!("plan-proposed-{size}")).await;
            fits(&ann, &format!("a proposed plan on a {size}")).await;
            let plays = "document.querySelector('#idea [data-play]').hidden";
            assert_eq!(bob.value(plays).await, json!(true), "Bob cannot play it");
            // Each step is offered once the one before it was played.
            for left in [2, 1] {
                ann.click("#idea [data-play]").await;
                for who in [&ann, &bob] {
                    who.until(&steps("idea-steps", left)).await;
                }
            }
            bob.says("#part-moves", "Chicago").await;
            // It is there at a later visit, too.
            ann.go(&house.url(&format!("/t/{id}"))).await;
            ann.is_live().await;
            ann.until(&steps("idea-steps", 1)).await;
            ann.says("#idea-steps", "1 Drive to Miami").await;
            ann.click("#idea [data-close]").await;
            bob.says("#hinted", "Ann: No, thanks.").await;
            for who in [&ann, &bob] {
                who.until("!document.querySelector('#idea:popover-open, #board .advised-way')")
                    .await;
            }
            // A plan that is composed is dropped once it no longer fits.
            press(&bob, "city-Miami").await;
            bob.click("#plan [data-compose]").await;
            drives(&bob, "Miami", 1).await;
            ann.value(&posted(&id, "play", &json!({ "move": "drive:Washington" })))
                .await;
            bob.says("#hinted", "your plan was dropped").await;
            bob.until("!document.querySelector('#plan:popover-open, #board .advised-way')")
                .await;
            for who in [ann, bob] {
                who.leave().await;
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn the_adviser_shows_who_asks_the_best_turns_and_their_ways() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(NARROW).await);
        first_with("Scientist", &ann, &bob, house).await;
        let closed = "document.querySelector('#advice:popover-open') === null";
        assert_eq!(ann.value(closed).await, json!(true), "it is never shown unasked");
        ann.click("[data-advice] button").await;
        ann.until("document.querySelector('#advice:popover-open .turns li')")
            .await;
        ann.says("#advice", "Your team wins").await;
        let vague = "[...document.querySelectorAll('#advice li > p:first-child')].map((line) => line.textContent).filter((text) => !/^[\\d.]+ % ± (0\\.\\d|[1-9][\\d.]*) % /.test(text))";
        assert_eq!(ann.value(vague).await, json!([]));
        // The way of the first turn is on the map, then that of another.
        let pressed = |n: u8| {
            format!("document.querySelector('#advice li:nth-child({n}) [data-trail][aria-pressed=true]')")
        };
        ann.until(&format!("{} && document.querySelector('#board :is(.advised-way, .advised)')", pressed(1)))
            .await;
        // It looks pressed, too.
        let color = |n: u8| {
            format!("getComputedStyle(document.querySelector('#advice li:nth-child({n}) [data-trail]')).backgroundColor")
        };
        let (first, second) = (ann.value(&color(1)).await, ann.value(&color(2)).await);
        assert_ne!(first, second);
        ann.picture("advice").await;
        fits(&ann, "advice").await;
        ann.click("#advice li:nth-child(2) [data-trail]").await;
        ann.until(&format!("{} && !{}", pressed(2), pressed(1))).await;
        assert_eq!(bob.value(closed).await, json!(true), "nobody else is told");
        // A partner may ask as well, on a phone from the menu.
        bob.click(".tools .menu").await;
        bob.click("[data-advice] button").await;
        bob.until("document.querySelector('#advice:popover-open .turns li')")
            .await;
        // There, the map stays in sight above it, and it begins at its top when it is asked again.
        let apart = "(() => { const map = document.querySelector('#board [data-sight]').getBoundingClientRect(), panel = document.getElementById('advice'); \
            return map.top >= 0 && map.bottom <= panel.getBoundingClientRect().top && panel.scrollTop === 0; })()";
        for (size, screen) in [("390x844", NARROW), ("320x640", PHONE)] {
            bob.click("#advice [data-close]").await;
            bob.set_screen(screen).await;
            bob.value("scrollTo(0, 0)").await;
            bob.click(".tools .menu").await;
            bob.click("[data-advice] button").await;
            bob.until("document.querySelector('#advice:popover-open .turns li')")
                .await;
            bob.until(apart).await;
            bob.picture(&format!("advice-{size}")).await;
            fits(&bob, &format!("advice, {size}")).await;
            bob.value("document.getElementById('advice').scrollTop = 9999").await;
        }
        // It ends with the position that it is about.
        ann.click("#advice form[action$='/play'] button").await;
        for who in [&ann, &bob] {
            who.until(&format!("{closed} && !document.querySelector('#board :is(.advised-way, .advised)')"))
                .await;
        }
    })
    .await;
}
