//! Pandemic over HTTP: a team with open hands, moves out of turn, requests between players, and
//! undo.

use std::process::Command;

use parlor_table::TableId;
use serde_json::{Value, json};

use super::house::{Folder, House, Lines, moves_of};
use super::socket::Socket;

fn ask() -> Value {
    json!({ "game": "pandemic", "options": { "roles": ["Dispatcher", "Medic"], "events": [] } })
}

/// Creates tables until one fits, since the cards cannot be chosen.
async fn table_where(
    house: &House,
    wanted: Value,
    suits: impl Fn(&Value, &Value) -> bool,
) -> (String, [String; 2]) {
    for _ in 0..200 {
        let (id, tokens) = house.two(wanted.clone()).await;
        let (table, legal) = (house.table(&id).await, legal(house, &id).await);
        if suits(&table, &legal) {
            return (id, tokens);
        }
    }
    panic!("luck never brought it about");
}

async fn legal(house: &House, id: &str) -> Value {
    house
        .get(&format!("/api/v1/tables/{id}/legal"))
        .await
        .expect(200)
}

async fn play(house: &House, token: &str, id: &str, text: &str) -> Value {
    house
        .act(token, id, "moves", json!({ "move": text }))
        .await
        .expect(200)
}

async fn undo(house: &House, token: &str, id: &str) -> super::house::Answer {
    house
        .act(token, id, "takeback", json!({ "action": "offer" }))
        .await
}

/// Plays until the game is over: the players' moves are chosen by counting, and bots move by
/// themselves. `now_and_then` is called before each move with its number.
async fn play_on(house: &House, id: &str, tokens: &[String; 2]) -> usize {
    let mut version = 0;
    for n in 0..3_000 {
        let table = house.table(id).await;
        if table["status"] == "over" {
            return n;
        }
        let legal = legal(house, id).await;
        let Some(seat) = legal["seat"]
            .as_u64()
            .and_then(|seat| usize::try_from(seat).ok())
        else {
            continue;
        };
        let Some(token) = tokens.get(seat) else {
            // A bot is on turn.
            let after = legal["version"].as_u64().unwrap();
            house.until(id, after, |_| true).await;
            continue;
        };
        let own = moves_of(&legal, seat as u64);
        let hurries = n % 3 == 0 && own.iter().any(|text| text == "draw");
        let text = if hurries {
            "draw".to_owned()
        } else {
            own[n * 7 % own.len()].clone()
        };
        let body = json!({ "move": text, "version": legal["version"] });
        let answer = house.act(token, id, "moves", body).await;
        // A bot may have played an event first.
        assert!(
            answer.status == 200 || answer.json["type"] == "/problems/stale-version",
            "{text}: {}",
            answer.text
        );
        let now = house.table(id).await["version"].as_u64().unwrap();
        assert!(now > version, "something happens with every step");
        version = now;
    }
    panic!("the game goes on and on");
}

#[tokio::test]
async fn two_persons_and_a_bot_play_a_whole_game_and_its_luck_is_derived_by_a_stand_alone_program()
{
    let house = House::open().await;
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "open" }, { "kind": "bot", "spec": "level:1" }]);
    let wanted = json!({ "game": "pandemic", "options": { "players": 3 }, "seats": seats, "luck_text": "Ann's salt" });
    let (id, tokens) = house.two(wanted).await;
    play_on(&house, &id, &tokens).await;
    let table = house.table(&id).await;
    assert_eq!(
        (&table["ending"]["how"], &table["status"]),
        (&json!("rules"), &json!("over"))
    );
    assert!(
        ["team_won", "team_lost"].contains(&table["ending"]["outcome"]["kind"].as_str().unwrap())
    );
    let report = house
        .get(&format!("/api/v1/tables/{id}/verify"))
        .await
        .expect(200);
    assert_eq!(
        (&report["holds"], &report["luck_checked"]),
        (&json!(true), &json!(true))
    );
    let page = house.get(&format!("/t/{id}")).await.text;
    assert!(
        page.contains("The team ") && page.contains("Verified: all"),
        "the page says how it came out"
    );

    let record = house
        .get(&format!("/api/v1/tables/{id}/record"))
        .await
        .expect(200);
    let draws = record["log"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|step| step["chance"].is_string())
        .count();
    let (status, said) = stand_alone(&record);
    assert_eq!(
        (status, said.trim()),
        (
            Some(0),
            format!("{draws} draws: all follow from the secret.").as_str()
        )
    );
    let mut changed = record.clone();
    let cards = |step: &Value| {
        step["chance"]
            .as_str()
            .is_some_and(|chance| chance.starts_with("infect:"))
    };
    let step = changed["log"]
        .as_array()
        .unwrap()
        .iter()
        .rposition(cards)
        .unwrap();
    let last = changed["log"][step]["chance"].clone();
    let other = |step: &&Value| cards(step) && step["chance"] != last;
    let other = record["log"]
        .as_array()
        .unwrap()
        .iter()
        .find(other)
        .unwrap()["chance"]
        .clone();
    changed["log"][step]["chance"] = other;
    let (status, said) = stand_alone(&changed);
    assert!(
        status == Some(1) && said.contains(&format!("step {step}: ")),
        "{status:?} {said}"
    );
}

fn stand_alone(record: &Value) -> (Option<i32>, String) {
    let folder = Folder::new();
    let file = folder.0.join("record.json");
    std::fs::write(&file, record.to_string()).unwrap();
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/verify_luck.py");
    let output = Command::new("python3")
        .arg(program)
        .arg(&file)
        .output()
        .expect("Python is here");
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stdout).into_owned(),
    )
}

#[tokio::test]
async fn an_event_is_played_out_of_turn_by_who_holds_it_and_by_nobody_else() {
    let house = House::open().await;
    let wanted = json!({ "game": "pandemic", "options": { "events": ["One Quiet Night"] } });
    let held = |table: &Value, legal: &Value| {
        let on_turn = table["turn"]["seat"].as_u64().unwrap();
        moves_of(legal, 1 - on_turn) == ["quiet-night"]
    };
    let (id, tokens) = table_where(&house, wanted, held).await;
    let table = house.table(&id).await;
    let on_turn = usize::try_from(table["turn"]["seat"].as_u64().unwrap()).unwrap();
    let (mover, holder) = (&tokens[on_turn], &tokens[1 - on_turn]);
    let asides: Vec<Value> = legal(&house, &id).await["clicks"]
        .as_array()
        .unwrap()
        .clone();
    let seats: Vec<&Value> = asides
        .iter()
        .filter(|click| click["move"] == "quiet-night")
        .map(|c| &c["seat"])
        .collect();
    assert!(
        !seats.is_empty() && seats.iter().all(|seat| **seat == json!(1 - on_turn)),
        "{seats:?}"
    );
    assert!(
        asides
            .iter()
            .any(|click| click["move"] == "draw" && click.get("seat").is_none())
    );

    for (token, text) in [(mover, "quiet-night"), (holder, "draw")] {
        house
            .act(token, &id, "moves", json!({ "move": text }))
            .await
            .problem(403, "not-your-turn");
    }
    let mut events = Lines::open(&house, &id, table["version"].as_u64().unwrap()).await;
    let done = play(&house, holder, &id, "quiet-night").await;
    assert_eq!(
        done["turn"],
        json!({ "kind": "move", "seat": on_turn }),
        "the turn goes on"
    );
    let event = events.next().await.unwrap();
    assert_eq!(
        (&event["seat"], &event["move"]),
        (&json!(1 - on_turn), &json!("quiet-night"))
    );
    assert_eq!(house.table(&id).await["undo"], json!(1 - on_turn));
    undo(&house, mover, &id)
        .await
        .problem(409, "others-have-moved");
    undo(&house, holder, &id).await.expect(200);
    assert_eq!(events.next().await.unwrap()["type"], "taken_back");
}

#[tokio::test]
async fn the_page_offers_an_event_to_its_holder_only_and_says_whose_turn_it_is() {
    let house = House::open().await;
    let wanted = json!({ "game": "pandemic", "options": { "events": ["One Quiet Night"] } });
    let held = |table: &Value, legal: &Value| {
        moves_of(legal, 1 - table["turn"]["seat"].as_u64().unwrap()).len() == 1
    };
    let (id, tokens) = table_where(&house, wanted, held).await;
    let on_turn =
        usize::try_from(house.table(&id).await["turn"]["seat"].as_u64().unwrap()).unwrap();
    let state = async |token: &str| {
        let request = house.request(reqwest::Method::GET, &format!("/t/{id}/state"));
        let answer = request
            .header("cookie", format!("parlor_guest={token}"))
            .send()
            .await
            .unwrap();
        serde_json::from_str::<Value>(&answer.text().await.unwrap()).unwrap()
    };
    let (mover, holder) = (
        state(&tokens[on_turn]).await,
        state(&tokens[1 - on_turn]).await,
    );
    let entry = |state: &Value| state["parts"]["part-entry"].as_str().unwrap().to_owned();
    assert!(
        entry(&holder).contains("value=\"quiet-night\"")
            && !entry(&holder).contains("value=\"draw\"")
    );
    assert!(entry(&mover).contains("value=\"draw\"") && !entry(&mover).contains("quiet-night"));
    assert_eq!(
        (&mover["turn"], &holder["turn"]),
        (&json!(true), &json!(false)),
        "an event in hand is no call to move"
    );
    let moves = |state: &Value| {
        state["clicks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|click| click[0].clone())
            .collect::<Vec<_>>()
    };
    assert!(
        moves(&holder).iter().all(|text| text == "quiet-night"),
        "{:?}",
        moves(&holder)
    );
    assert!(!moves(&mover).is_empty() && !moves(&mover).contains(&json!("quiet-night")));
}

#[tokio::test]
async fn a_partner_is_asked_agrees_or_declines_and_only_the_last_deed_is_taken_back() {
    let house = House::open().await;
    let (id, tokens) = table_where(&house, ask(), |table, _| table["turn"]["seat"] == 0).await;
    undo(&house, &tokens[0], &id)
        .await
        .problem(409, "nothing-to-take-back");
    let start = house.table(&id).await["text"].clone();
    play(&house, &tokens[0], &id, "drive:Medic:Miami").await;
    let asked = house.table(&id).await;
    assert_eq!(
        (&asked["turn"]["seat"], &asked["undo"]),
        (&json!(1), &json!(0))
    );
    house
        .act(&tokens[0], &id, "moves", json!({ "move": "agree" }))
        .await
        .problem(403, "not-your-turn");
    undo(&house, &tokens[0], &id).await.expect(200);
    assert_eq!(
        house.table(&id).await["text"],
        start,
        "nobody has answered, so it never was"
    );

    for to in ["Miami", "Chicago", "Chicago"] {
        play(&house, &tokens[0], &id, &format!("drive:Medic:{to}")).await;
        play(&house, &tokens[1], &id, "decline").await;
    }
    let reason = house
        .act(
            &tokens[0],
            &id,
            "moves",
            json!({ "move": "drive:Medic:Chicago" }),
        )
        .await;
    assert!(
        reason.problem(422, "illegal-move")["detail"]
            .as_str()
            .unwrap()
            .contains("declined")
    );
    play(&house, &tokens[0], &id, "drive:Chicago").await;
    play(&house, &tokens[0], &id, "drive:Medic:Washington").await;
    play(&house, &tokens[1], &id, "agree").await;
    undo(&house, &tokens[0], &id)
        .await
        .problem(409, "others-have-moved");
    play(&house, &tokens[0], &id, "draw").await;
    undo(&house, &tokens[0], &id)
        .await
        .problem(409, "luck-has-decided");
    let log = house.log(&id).await;
    assert_eq!(
        log.iter()
            .filter(|event| event["type"] == "taken_back")
            .count(),
        1
    );
}

#[tokio::test]
async fn one_person_with_both_seats_is_not_asked() {
    let house = House::open().await;
    let me = json!({ "kind": "me", "name": "Ann" });
    let mut wanted = ask();
    wanted["seats"] = json!([me, me]);
    for _ in 0..100 {
        let made = house.create(wanted.clone()).await;
        if house.table(&made.id).await["turn"]["seat"] != 0 {
            continue;
        }
        play(&house, &made.token, &made.id, "drive:Medic:Miami").await;
        let log = house.log(&made.id).await;
        assert_eq!(
            log.last().unwrap()["move"],
            "agree",
            "the answer is a step that everybody sees"
        );
        undo(&house, &made.token, &made.id).await.expect(200);
        assert_eq!(house.table(&made.id).await["plies"], 0);
        return;
    }
    panic!("the first seat never began");
}

#[tokio::test]
async fn whoever_declines_proposes_something_else_instead() {
    let house = House::open().await;
    let (id, tokens) = table_where(&house, ask(), |table, _| table["turn"]["seat"] == 0).await;
    play(&house, &tokens[0], &id, "drive:Medic:Miami").await;
    play(&house, &tokens[1], &id, "decline").await;
    let moves = ["drive:Medic:Chicago", "drive:Chicago"];
    let instead = json!({ "plan": moves });
    let line = house.act(&tokens[1], &id, "talk", instead).await;
    let since = line.expect(201)["plan"]["since"].as_u64().unwrap();
    let plan = format!(
        "/api/v1/tables/{id}/plan?since={since}&moves={}",
        moves.join("+")
    );
    let left = async || {
        let plan = house.get(&plan).await.expect(200);
        assert_eq!(plan["seat"], 0, "the one who asked");
        let steps = plan["moves"].as_array().unwrap().clone();
        let texts = steps.iter().map(|step| step["move"].as_str().unwrap());
        texts.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(left().await, moves);
    play(&house, &tokens[0], &id, moves[0]).await;
    assert_eq!(left().await, moves[1..], "while the owner is asked again");
    play(&house, &tokens[1], &id, "agree").await;
    assert_eq!(left().await, moves[1..]);
    play(&house, &tokens[0], &id, moves[1]).await;
    assert!(left().await.is_empty());
}

#[tokio::test]
async fn a_bot_agrees_by_itself_and_plays_its_turn() {
    let house = House::open().await;
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "bot", "spec": "level:2" }]);
    let mut wanted = ask();
    wanted["seats"] = seats;
    let made = house.create(wanted).await;
    let began = house.table(&made.id).await["version"].as_u64().unwrap();
    for _ in 0..400 {
        let legal = legal(&house, &made.id).await;
        match legal["seat"].as_u64() {
            Some(0) if moves_of(&legal, 0).contains(&"drive:Medic:Miami".to_owned()) => {
                play(&house, &made.token, &made.id, "drive:Medic:Miami").await;
                let answered =
                    |event: &Value| event["move"] == "agree" || event["move"] == "decline";
                let after = legal["version"].as_u64().unwrap();
                let seen = house.until(&made.id, after, answered).await;
                assert_eq!(seen.last().unwrap()["seat"], 1);
                return;
            }
            Some(0) => {
                let first = moves_of(&legal, 0)
                    .into_iter()
                    .find(|text| text == "draw" || text == "agree");
                let first = first.unwrap_or_else(|| moves_of(&legal, 0)[0].clone());
                play(&house, &made.token, &made.id, &first).await;
            }
            Some(_) => drop(
                house
                    .until(&made.id, legal["version"].as_u64().unwrap(), |_| true)
                    .await,
            ),
            None => break,
        }
    }
    let log = house.log(&made.id).await;
    assert!(
        log.iter()
            .any(|event| event["seat"] == 1 && event["type"] == "moved"),
        "the bot moves: began at {began}"
    );
}

#[tokio::test]
async fn a_team_is_neither_rated_nor_drawn_and_who_leaves_is_replaced() {
    let house = House::open().await;
    let (ann, bob) = (house.member("Ann").await, house.member("Bob").await);
    let rated = json!({ "game": "pandemic", "rated": true });
    house
        .post_as(&ann, "/api/v1/tables", rated)
        .await
        .problem(422, "teams-are-not-rated");
    let wanted = json!({ "game": "pandemic", "seats": [{ "kind": "me" }, { "kind": "open" }] });
    let made = house
        .post_as(&ann, "/api/v1/tables", wanted)
        .await
        .expect(201);
    let id = made["table"]["id"].as_str().unwrap().to_owned();
    house.act(&bob, &id, "join", json!({})).await.expect(200);
    house
        .act(&ann, &id, "draw", json!({ "action": "offer" }))
        .await
        .problem(409, "no-draws");
    house
        .act(&ann, &id, "claim", json!({ "claim": "stand_in" }))
        .await
        .problem(409, "nothing-to-claim");
    house.act(&bob, &id, "resign", json!({})).await.expect(200);
    let table = house.table(&id).await;
    assert_eq!(
        (&table["status"], &table["seats"][1]["kind"]),
        (&json!("playing"), &json!("bot"))
    );
    let done = house.act(&ann, &id, "resign", json!({})).await.expect(200);
    assert_eq!(
        done["ending"],
        json!({ "how": "resignation", "outcome": { "kind": "team_lost" } })
    );
    for name in ["Ann", "Bob"] {
        let profile = house
            .get(&format!("/api/v1/players/{name}"))
            .await
            .expect(200);
        let played = &profile["games"][0];
        assert_eq!(
            (&played["game"], &played["wins"], &played["losses"]),
            (&json!("pandemic"), &json!(0), &json!(1))
        );
        let page = house.get(&format!("/players/{name}")).await.text;
        assert!(
            page.contains("Lost together") && !page.contains("Elo"),
            "{page}"
        );
    }
    assert!(
        house
            .get(&format!("/t/{id}"))
            .await
            .text
            .contains("The team lost: everybody has left")
    );
}

#[tokio::test]
async fn a_game_goes_on_after_a_restart_with_its_undo_and_watchers_catch_up() {
    let house = House::open().await;
    let (id, tokens) = table_where(&house, ask(), |table, _| table["turn"]["seat"] == 0).await;
    for text in ["drive:Miami", "drive:Atlanta"] {
        play(&house, &tokens[0], &id, text).await;
    }
    undo(&house, &tokens[0], &id).await.expect(200);
    let (table, log) = (house.table(&id).await, house.log(&id).await);
    let house = house.restart().await;
    assert_eq!(
        (house.table(&id).await, house.log(&id).await),
        (table.clone(), log)
    );
    assert_eq!((&table["plies"], &table["undo"]), (&json!(1), &json!(0)));
    let version = table["version"].as_u64().unwrap();
    let mut socket = Socket::open(&house, &id, None).await;
    socket
        .say(json!({ "type": "subscribe", "after": version - 1 }))
        .await;
    assert_eq!(socket.told().await["event"]["type"], "taken_back");
    undo(&house, &tokens[0], &id).await.expect(200);
    assert_eq!(socket.told().await["event"]["moves"], 1);
    play(&house, &tokens[0], &id, "draw").await;
    let drawn = house
        .until(&id, version + 1, |event| event["type"] == "chance")
        .await;
    assert_eq!(
        drawn.last().unwrap()["n"],
        table["luck"]["drawn"],
        "undo has used up no draw"
    );
    play_on(&house, &id, &tokens).await;
    let report = house
        .get(&format!("/api/v1/tables/{id}/verify"))
        .await
        .expect(200);
    assert_eq!(
        (&report["holds"], &report["luck_checked"]),
        (&json!(true), &json!(true))
    );
}

#[tokio::test]
async fn a_finished_table_has_a_page_and_a_record_of_sensible_size_and_leaves_the_dice_statistics_alone()
 {
    let house = House::open().await;
    let (id, tokens) = house
        .two(json!({ "game": "pandemic", "options": { "consent": "implied" } }))
        .await;
    let steps = play_on(&house, &id, &tokens).await;
    let page = house.get(&format!("/t/{id}")).await.text;
    let svg = page
        .find("<svg")
        .zip(page.rfind("</svg>"))
        .map_or(0, |(from, to)| to - from);
    let styles = page
        .split("<style>")
        .skip(1)
        .filter_map(|part| part.find("</style>"));
    let styles: usize = styles.sum();
    assert!(styles < 55_000, "{styles} bytes of styles");
    // Each event has a line in the list of moves.
    let (rest, events) = (page.len() - svg - styles, house.log(&id).await.len());
    assert!(
        rest < 19_000 + 100 * events,
        "{rest} bytes beside the picture and the styles after {steps} moves, {events} events"
    );
    let record = house.get(&format!("/api/v1/tables/{id}/record")).await.text;
    let part = |from: &str, to: &str| {
        page.find(from)
            .zip(page.find(to))
            .map_or(0, |(from, to)| to.saturating_sub(from))
    };
    let (moves, board) = (
        part("id=\"part-moves\"", "id=\"part-luck\""),
        part("id=\"board\"", "id=\"part-entry\""),
    );
    println!(
        "after {steps} moves: {} bytes of page, {board} of board, {moves} of moves, {} of record",
        page.len(),
        record.len()
    );
    assert!(record.len() < 75_000, "{} bytes", record.len());
    let counted = house.get("/api/v1/statistics/dice").await.expect(200);
    assert_eq!(
        (&counted["tables"], &counted["groups"]),
        (&json!(0), &json!([]))
    );
    assert!(id.parse::<TableId>().is_ok());
}

/// Returns true if a seat other than the first, which is on turn, holds the only event.
fn holds_out_of_turn(table: &Value, legal: &Value) -> bool {
    table["turn"]["seat"] == 0 && !moves_of(legal, 1).is_empty()
}

#[tokio::test]
async fn the_player_on_turn_waits_for_a_partner_who_is_asked() {
    let house = House::open().await;
    let wanted =
        json!({ "game": "pandemic", "options": { "events": ["One Quiet Night"], "epidemics": 0 } });
    let (id, [ann, bob]) = table_where(&house, wanted, holds_out_of_turn).await;
    let asking = format!("/api/v1/tables/{id}/asking");
    let chosen = house
        .put_as(&bob, &asking, json!({ "when": "crucial" }))
        .await;
    assert_eq!(chosen.status, 200, "{}", chosen.text);
    let wrong = house
        .put_as(&bob, &asking, json!({ "when": "sometimes" }))
        .await;
    wrong.problem(422, "bad-content");
    house
        .act(&bob, &id, "pass", json!({}))
        .await
        .problem(409, "not-asked");
    play(&house, &ann, &id, "draw").await;
    let table = house.table(&id).await;
    assert_eq!(table["seats"][1]["asking"], "crucial");
    assert_eq!(table["asked"]["seats"], json!([1]), "{table}");
    let waits = house
        .act(&ann, &id, "moves", json!({ "move": "infect" }))
        .await;
    waits.problem(409, "others-asked");

    let passed = house.act(&bob, &id, "pass", json!({})).await;
    assert_eq!(passed.status, 200, "{}", passed.text);
    assert_eq!(house.table(&id).await["asked"], Value::Null);
    play(&house, &ann, &id, "infect").await;
    let kinds: Vec<_> = house.log(&id).await;
    let kinds: Vec<_> = kinds.iter().map(|event| event["type"].clone()).collect();
    let asked = kinds.iter().filter(|kind| **kind == "asked").count();
    assert_eq!(asked, 1, "{kinds:?}");
}

#[tokio::test]
async fn a_bot_waits_for_a_person_who_is_asked() {
    let house = House::open().await;
    let me_and_bot = json!([{ "kind": "me" }, { "kind": "bot", "spec": "level:1" }]);
    let wanted = json!({
        "game": "pandemic", "seats": me_and_bot,
        "options": { "events": ["Airlift", "Forecast", "One Quiet Night"], "epidemics": 0 },
    });
    let mut asked = 0;
    for _ in 0..40 {
        let made = house.create(wanted.clone()).await;
        let (id, token) = (made.id.clone(), made.token.clone());
        let asking = format!("/api/v1/tables/{id}/asking");
        house
            .put_as(&token, &asking, json!({ "when": "crucial" }))
            .await;
        // Ann ends her turns at once, until the bot has had three.
        for _ in 0..30 {
            let table = house.table_as(&token, &id).await;
            if table["status"] != "playing" {
                break;
            }
            let version = table["version"].as_u64().unwrap();
            if table["asked"]["seats"] == json!([0]) {
                assert_eq!(table["turn"]["seat"], 1, "the bot waits");
                let bot_moves = |log: &[Value]| {
                    let moved = |event: &&Value| event["type"] == "moved" && event["seat"] == 1;
                    log.iter().filter(moved).count()
                };
                let before = bot_moves(&house.log(&id).await);
                let passed = house.act(&token, &id, "pass", json!({ "rest_of_turn": true }));
                assert_eq!(passed.await.status, 200);
                let goes_on = |event: &Value| event["type"] == "moved" && event["seat"] == 1;
                house.until(&id, version, goes_on).await;
                assert!(bot_moves(&house.log(&id).await) > before);
                asked += 1;
                break;
            }
            let legal = legal(&house, &id).await;
            let mine = moves_of(&legal, 0);
            let step =
                |text: &&String| ["draw", "infect:all", "infect", "agree"].contains(&text.as_str());
            match mine.iter().find(step).or(mine.first()) {
                Some(text) if table["turn"]["seat"] == 0 => {
                    play(&house, &token, &id, text).await;
                }
                _ => drop(house.until(&id, version, |_| true).await),
            }
        }
        if asked >= 3 {
            break;
        }
    }
    assert!(asked >= 3, "{asked}");
}
