//! Events of Pandemic when their holder is asked: by buttons in a person's turn, and on the board in a
//! bot's. All the moments at which they can be played are tested over HTTP.
//!
//! Cards are entered by hand, so that each table has the hands and the draws that it needs.

use serde_json::{Value, json};

use crate::access::FITS;
use crate::driver::{Browser, DESK, with_browsers};
use crate::hands::{self, AFAR};
use crate::house::House;
use crate::pandemic::{IS_ASKED, NARROW, first_table, posted, tell_fast, touch, ways};

/// Events, and the beginnings of their moves. The holder is the Researcher.
const EVENTS: [(&str, &str); 5] = [
    ("Airlift", "airlift:Researcher"),
    ("Forecast", "forecast"),
    ("Government Grant", "grant"),
    ("One Quiet Night", "quiet-night"),
    ("Resilient Population", "resilient"),
];
/// Cards that a forecast shows, in the order in which they are put back.
const ORDER: [&str; 6] = ["Milan", "Madrid", "London", "Essen", "Chicago", "Atlanta"];

/// Returns a script that sends JSON to the API and returns the answer.
fn sent(path: &str, body: &Value) -> String {
    format!(
        "fetch('/api/v1/tables{path}', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, \
         body: JSON.stringify({body}) }}).then((answer) => answer.json())"
    )
}

/// Enters the results of draws, one after the other.
async fn enter(ann: &Browser, id: &str, chances: &[String]) {
    for chance in chances {
        let answer = ann
            .value(&sent(
                &format!("/{id}/chance"),
                &json!({ "chance": chance }),
            ))
            .await;
        assert!(answer["version"].is_u64(), "{chance}: {answer}");
    }
}

/// Creates a table of Ann, Bob, who holds the event and is asked, and a bot. The bot is on turn, or Ann.
async fn seated(
    ann: &Browser,
    bob: &Browser,
    (event, verb): (&'static str, &str),
    bots: bool,
) -> String {
    // The first pile has an epidemic on top if it is entered.
    let epidemics = if verb == "resilient" { 12 } else { 0 };
    let options = json!({
        "players": 3, "epidemics": epidemics, "events": [event], "consent": "implied",
        "roles": ["Scientist", "Researcher", "Medic"],
    });
    let wanted = json!({
        "game": "pandemic", "luck_by_hand": true, "options": options,
        "seats": [{ "kind": "me", "name": "Ann" }, { "kind": "open" }, { "kind": "bot", "spec": "level:1" }],
    });
    let made = ann.value(&sent("", &wanted)).await;
    let id = made["table"]["id"]
        .as_str()
        .unwrap_or_else(|| panic!("{made}"))
        .to_owned();
    bob.value(&sent(&format!("/{id}/join"), &json!({ "name": "Bob" })))
        .await;
    let choose = posted(&id, "asking", &json!({ "when": "crucial" }));
    assert_eq!(bob.value(&choose).await, json!(200));
    enter(ann, &id, &hands::setup(if bots { 2 } else { 0 }, event)).await;
    id
}

/// Returns what is drawn before the window opens, and after the event.
fn draws(verb: &str) -> (Vec<String>, Vec<String>) {
    let texts =
        |texts: &[&str]| -> Vec<String> { texts.iter().map(|&text| text.to_owned()).collect() };
    let before = match verb {
        "resilient" => texts(&["draw:Epidemic", "draw:Seoul", "bottom:Sydney"]),
        _ => texts(&["draw:Seoul", "draw:Tokyo"]),
    };
    let after = match verb {
        "quiet-night" => Vec::new(),
        // These are on top.
        "forecast" => texts(&["infect:Milan", "infect:Madrid"]),
        "resilient" => texts(&["infect:Montreal", "infect:Moscow"]),
        _ => texts(&["infect:Atlanta", "infect:Chicago"]),
    };
    (before, after)
}

/// Plays Bob's event: on the board, or with a button as far as there is one.
async fn play(bob: &Browser, verb: &str, on_board: bool) {
    let ways = ways(bob).await;
    let is_meant = |way: &&Vec<String>| {
        way.len() > 2 && way[0].starts_with(verb) && (way[0] == verb || way[0].ends_with(AFAR))
    };
    let way = ways.iter().find(is_meant);
    let places = &way.unwrap_or_else(|| panic!("{verb}: {ways:?}"))[2..];
    if on_board {
        touch(bob, places).await;
    } else if ["forecast", "quiet-night"].contains(&verb) {
        bob.click(&format!("#part-entry .asked [data-move='{verb}']"))
            .await;
    } else {
        let opener = format!("#part-entry .asked [data-opens='{}']", places[0]);
        bob.click(&opener).await;
        touch(bob, &places[1..]).await;
    }
    bob.until(&format!("!{IS_ASKED}")).await;
}

/// Turns up the cards of Bob's forecast, and puts them back with buttons.
async fn put_back(ann: &Browser, bob: &Browser, id: &str) {
    enter(ann, id, &ORDER.map(|city| format!("look:{city}"))).await;
    // The last one follows.
    for city in &ORDER[..5] {
        let button = format!("#part-entry [data-move='next:{city}']");
        bob.click(&button).await;
        bob.until(&format!(
            "document.querySelector({}) === null",
            json!(button)
        ))
        .await;
    }
}

/// Checks what the event has done.
async fn check_effect(ann: &Browser, id: &str, verb: &str) {
    let table = format!("fetch('/api/v1/tables/{id}').then((answer) => answer.json())");
    let position = ann.value(&table).await["position"].clone();
    let has_afar = |field: &str| position[field].as_array().unwrap().contains(&json!(AFAR));
    let holds = match verb {
        "forecast" => {
            let layers = position["infection_deck"]["layers"].as_array().unwrap();
            layers.starts_with(&ORDER.map(|city| json!([city])))
        }
        "grant" => has_afar("research_centres"),
        // The turn is over.
        "quiet-night" => position["phase"] == "actions" && position["actions"] == 4,
        "resilient" => has_afar("infection_removed"),
        _ => position["players"][1]["city"] == AFAR,
    };
    assert!(holds, "{verb}: {position}");
}

/// Bob is asked and plays his event, while Ann reads that she waits for him.
async fn asked_and_played(
    (ann, bob): (&Browser, &Browser),
    house: &House,
    event: (&'static str, &str),
    bots: bool,
    what: &str,
) {
    let (_, verb) = event;
    let id = seated(ann, bob, event, bots).await;
    for who in [ann, bob] {
        who.go(&house.url(&format!("/t/{id}"))).await;
        who.is_live().await;
    }
    if !bots {
        let draw = posted(&id, "play", &json!({ "move": "draw" }));
        assert_eq!(ann.value(&draw).await, json!(200));
    }
    ann.until("document.querySelector('#part-entry select[name=chance]')")
        .await;
    let (before, after) = draws(verb);
    enter(ann, &id, &before).await;
    bob.until(IS_ASKED).await;
    bob.until("document.title.startsWith('● Do you want to step in?')")
        .await;
    ann.says("#part-status", "Bob may step in").await;
    ann.says("#part-status", "The game goes on in").await;
    ann.until("!document.title.startsWith('●')").await;
    assert_eq!(bob.value(FITS).await, json!(true), "{what}");
    bob.picture(&format!("pandemic-window-{what}")).await;

    play(bob, verb, bots).await;
    if verb == "forecast" {
        put_back(ann, bob, &id).await;
    }
    check_effect(ann, &id, verb).await;
    enter(ann, &id, &after).await;
    let next = if bots { ann } else { bob };
    next.until("document.title.startsWith('● Your turn')").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn every_event_is_asked_for_and_played_in_turns_of_a_person_and_of_a_bot() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(DESK).await);
        first_table(&ann, &bob, house, "opponent=friend&option.players=2").await;
        for who in [&ann, &bob] {
            tell_fast(who).await;
        }
        for (n, event) in EVENTS.into_iter().enumerate() {
            for bots in [false, true] {
                let is_phone = (n + usize::from(bots)) % 2 == 1;
                bob.set_screen(if is_phone { NARROW } else { DESK }).await;
                let verb = event.1.split(':').next().unwrap();
                let turn = if bots { "bot" } else { "person" };
                let size = if is_phone { "phone" } else { "desk" };
                let what = format!("{verb}-{turn}-{size}");
                asked_and_played((&ann, &bob), house, event, bots, &what).await;
            }
        }
        for who in [&ann, &bob] {
            assert_eq!(who.complaints().await, Vec::<String>::new());
        }
    })
    .await;
}

/// Holds back the page's questions for the state of the table.
const HOLD: &str = "(() => { const real = window.fetch; window.held = []; window.holds = (url) => url.includes('/state'); \
    window.fetch = (url, init) => holds(String(url)) ? new Promise((done) => held.push(() => done(real(url, init)))) : real(url, init); return true; })()";
/// Goes on with them, except for those by which the page tells one step after the other.
const HOLD_TELLING: &str = "(() => { const shown = Number(document.querySelector('main').dataset.step); \
    window.holds = (url) => Number(new URL(url, location.href).searchParams.get('step')) > shown; \
    held.splice(0).forEach((go) => go()); return true; })()";
/// Goes on with all of them.
const GO_ON: &str = "(window.holds = () => false, held.splice(0).forEach((go) => go()), true)";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn whoever_is_asked_while_steps_are_told_sees_the_present_with_all_buttons() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(DESK).await);
        first_table(&ann, &bob, house, "opponent=friend&option.players=2").await;
        for screen in [DESK, NARROW] {
            bob.set_screen(screen).await;
            let id = seated(&ann, &bob, ("One Quiet Night", "quiet-night"), false).await;
            bob.go(&house.url(&format!("/t/{id}"))).await;
            bob.is_live().await;
            bob.value(HOLD).await;
            let draw = posted(&id, "play", &json!({ "move": "draw" }));
            assert_eq!(ann.value(&draw).await, json!(200));
            enter(&ann, &id, &["draw:Seoul".to_owned()]).await;
            // Both steps come at once, and the first of them is told for as long as the test wants.
            bob.value(HOLD_TELLING).await;
            bob.until("document.querySelector('main.tells')").await;
            enter(&ann, &id, &["draw:Tokyo".to_owned()]).await;
            let plays = "document.querySelector('#part-entry .asked [data-move=quiet-night]')";
            bob.until(plays).await;
            let is_marked = "document.querySelector('.hand .card.legal') !== null";
            assert_eq!(
                bob.value(is_marked).await,
                json!(true),
                "the card in the hand"
            );
            bob.picture(&format!("pandemic-interrupted-{}", screen.width))
                .await;
            let is_latest = "document.querySelector('#part-status [data-step]') === null";
            assert_eq!(bob.value(is_latest).await, json!(true));
            // The rest of the telling does not come back.
            bob.value(GO_ON).await;
            bob.has_been_told().await;
            assert_eq!(bob.value(&format!("{plays} !== null")).await, json!(true));
            bob.click("#part-entry .asked [data-move=quiet-night]")
                .await;
            bob.until(&format!("!{IS_ASKED}")).await;
            check_effect(&ann, &id, "quiet-night").await;
        }
    })
    .await;
}
