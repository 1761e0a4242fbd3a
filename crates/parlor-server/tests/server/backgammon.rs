//! Backgammon over HTTP: a game with luck whose moves are entered in steps.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::{Value, json};

use super::house::House;

/// Returns the first legal move of the seat on turn.
async fn first(house: &House, id: &str) -> Option<(usize, String)> {
    let legal = house
        .get(&format!("/api/v1/tables/{id}/legal"))
        .await
        .expect(200);
    let seat = legal["seat"].as_u64()? as usize;
    Some((seat, legal["moves"][0].as_str()?.to_owned()))
}

/// Plays first legal moves until the game is over.
async fn play_on(house: &House, id: &str, tokens: &[String; 2]) -> Value {
    for _ in 0..4_000 {
        let Some((seat, text)) = first(house, id).await else {
            return house.table(id).await;
        };
        assert_ne!(text, "pass", "nobody is asked to pass");
        house
            .act(&tokens[seat], id, "moves", json!({ "move": text }))
            .await
            .expect(200);
    }
    panic!("the game goes on and on");
}

#[tokio::test]
async fn a_whole_game_is_played_by_requests_and_passes_are_made_by_the_house() {
    let house = House::open().await;
    let (id, tokens) = house
        .two(json!({ "game": "backgammon", "luck_text": "Ann's salt" }))
        .await;
    let table = play_on(&house, &id, &tokens).await;
    assert_eq!(
        (&table["status"], &table["ending"]["how"]),
        (&json!("over"), &json!("rules"))
    );
    assert_eq!(table["luck"]["texts"][0], "Ann's salt");
    let report = house
        .get(&format!("/api/v1/tables/{id}/verify"))
        .await
        .expect(200);
    assert_eq!(
        (&report["holds"], &report["luck_checked"]),
        (&json!(true), &json!(true))
    );
    let log = house.log(&id).await;
    assert_eq!(log.last().unwrap()["type"], "revealed");
    let page = house.get(&format!("/t/{id}")).await.text;
    assert!(
        page.contains("Verified: all"),
        "the page says what came of the check"
    );
}

#[tokio::test]
async fn a_move_is_made_part_by_part() {
    let house = House::open().await;
    let (id, tokens) = house.two(json!({ "game": "backgammon" })).await;
    let path = format!("/api/v1/tables/{id}/clicks");
    let start = house.get(&path).await.expect(200);
    assert_eq!(
        (&start["steps"], &start["whole"], &start["svg"]),
        (&json!(""), &Value::Null, &Value::Null)
    );
    let mut at = start.clone();
    let before = house.table(&id).await;
    for step in 1.. {
        let Some(click) = at["clicks"]
            .as_array()
            .unwrap()
            .iter()
            .find(|click| click["partial"] == true)
        else {
            break;
        };
        assert_eq!(click["path"].as_array().unwrap().len(), 2);
        let draft = click["move"].as_str().unwrap();
        at = house
            .get(&format!("{path}?draft={draft}"))
            .await
            .expect(200);
        assert!(at["svg"].as_str().unwrap().starts_with("<svg"));
        assert!(step <= 2, "two dice are played in two steps at most");
    }
    let whole = at["whole"]
        .as_str()
        .expect("when nothing is left to do the move is whole");
    assert_eq!(
        house.table(&id).await,
        before,
        "what is only begun changes nothing"
    );
    let seat = start["seat"].as_u64().unwrap() as usize;
    let begun = at["steps"].as_str().unwrap();
    let page = house
        .request(reqwest::Method::GET, &format!("/t/{id}?draft={begun}"))
        .header("cookie", format!("parlor_guest={}", tokens[seat]));
    let page = page.send().await.unwrap().text().await.unwrap();
    assert!(
        !page.contains("was dropped"),
        "the mover sees what was begun"
    );
    house
        .act(
            &tokens[seat],
            &id,
            "moves",
            json!({ "move": whole, "version": at["version"] }),
        )
        .await
        .expect(200);
    // No player has a checker on their 23 point this early, whatever was rolled.
    house
        .get(&format!("{path}?draft=23/22"))
        .await
        .problem(422, "bad-draft");
    house
        .get(&format!("{path}?draft=nonsense"))
        .await
        .problem(422, "bad-draft");
    house
        .get(&format!("{path}?draught=13/7"))
        .await
        .problem(400, "bad-request");
}

/// Returns the page of a table for the holder of a token, who has begun a move after so many steps.
async fn page_with_draft(house: &House, id: &str, token: &str, of: usize) -> String {
    let page = house
        .request(reqwest::Method::GET, &format!("/t/{id}?draft=13/7&of={of}"))
        .header("cookie", format!("parlor_guest={token}"));
    page.send().await.unwrap().text().await.unwrap()
}

#[tokio::test]
async fn a_draft_that_was_just_played_is_not_called_dropped() {
    let house = House::open().await;
    let (id, tokens) = house.two(json!({ "game": "backgammon" })).await;
    let (seat, text) = first(&house, &id).await.unwrap();
    let steps = async || {
        let log = house.log(&id).await;
        let is_step = |event: &&Value| event["type"] == "moved" || event["type"] == "chance";
        log.iter().filter(is_step).count()
    };
    let of = steps().await;
    house
        .act(&tokens[seat], &id, "moves", json!({ "move": text }))
        .await
        .expect(200);
    let dropped = async |seat: usize, of: usize| {
        page_with_draft(&house, &id, &tokens[seat], of)
            .await
            .contains("was dropped")
    };
    assert!(!dropped(seat, of).await, "the mover's own play was stored");
    assert!(dropped(1 - seat, of).await, "another played meanwhile");
    assert!(
        dropped(seat, steps().await + 1).await,
        "what followed has been taken back since"
    );
}

#[tokio::test]
async fn what_the_rules_forbid_is_refused_with_a_reason_and_changes_nothing() {
    let house = House::open().await;
    let (id, tokens) = house.two(json!({ "game": "backgammon" })).await;
    let seat = first(&house, &id).await.unwrap().0;
    let before = house.table(&id).await;
    for text in [
        "24/1",
        "roll",
        "double",
        "take",
        "pass",
        "13/13",
        "bar/20",
        "13/7,8/7,6/5,6/5",
        "31",
        "",
    ] {
        house
            .act(&tokens[seat], &id, "moves", json!({ "move": text }))
            .await
            .problem(422, "illegal-move");
    }
    let chance = json!({ "chance": "66" });
    house
        .act(&tokens[seat], &id, "chance", chance.clone())
        .await
        .problem(409, "drawn-by-house");
    let (_, text) = first(&house, &id).await.unwrap();
    house
        .act(&tokens[1 - seat], &id, "moves", json!({ "move": text }))
        .await
        .problem(403, "not-your-turn");
    house
        .post(&format!("/api/v1/tables/{id}/chance"), chance)
        .await
        .problem(401, "no-token");
    assert_eq!(house.table(&id).await, before);
}

#[tokio::test]
async fn real_dice_are_typed_in_and_the_table_and_its_record_say_so() {
    let house = House::open().await;
    let wanted = json!({ "game": "backgammon", "luck_by_hand": true });
    let (id, tokens) = house.two(wanted).await;
    let table = house.table(&id).await;
    assert_eq!(
        (&table["luck"]["by_hand"], &table["luck"]["commitment"]),
        (&json!(true), &Value::Null)
    );
    assert_eq!(table["turn"]["kind"], "chance");
    let type_in = async |token: &str, chance: &str| {
        house
            .act(token, &id, "chance", json!({ "chance": chance }))
            .await
    };
    type_in(&tokens[0], "66").await.problem(422, "illegal-move");
    type_in(&tokens[0], "4-4")
        .await
        .problem(422, "illegal-move");
    let stale = json!({ "chance": "6-4", "version": 1 });
    house
        .act(&tokens[0], &id, "chance", stale)
        .await
        .problem(409, "stale-version");
    let stranger = house.create(json!({ "game": "mnk" })).await.token;
    type_in(&stranger, "6-4").await.problem(403, "not-seated");
    type_in(&tokens[1], "6-4").await.expect(200);
    type_in(&tokens[1], "6-4")
        .await
        .problem(409, "not-lucks-turn");
    let page = house.get(&format!("/t/{id}")).await.text;
    assert!(page.contains("real dice"), "the page says it");
    house
        .act(&tokens[0], &id, "moves", json!({ "move": "24/14" }))
        .await
        .expect(200);
    type_in(&tokens[0], "31").await.expect(200);
    let record = house
        .get(&format!("/api/v1/tables/{id}/record"))
        .await
        .expect(200);
    assert_eq!(
        record["luck"],
        json!({ "by_hand": true, "texts": ["", ""], "secret": null })
    );
    assert_eq!(record["log"][0]["chance"], "6-4");
    let listed = house
        .get("/api/v1/tables?game=backgammon")
        .await
        .expect(200);
    assert_eq!(listed["tables"][0]["summary"]["luck_by_hand"], true);
}

#[tokio::test]
async fn real_dice_go_with_neither_clocks_nor_games_without_luck() {
    let house = House::open().await;
    let clock = json!({ "kind": "total", "initial_ms": 60_000 });
    for wanted in [
        json!({ "game": "backgammon", "luck_by_hand": true, "clock": clock }),
        json!({ "game": "mnk", "luck_by_hand": true }),
    ] {
        house
            .post("/api/v1/tables", wanted)
            .await
            .problem(422, "not-by-hand");
    }
}

#[tokio::test]
async fn the_stand_alone_program_derives_every_roll_and_names_the_one_that_was_changed() {
    let house = House::open().await;
    let (id, tokens) = house
        .two(json!({ "game": "backgammon", "options": { "length": 1 } }))
        .await;
    house
        .act(&tokens[1], &id, "luck", json!({ "text": "too late" }))
        .await
        .problem(409, "luck-drawn");
    play_on(&house, &id, &tokens).await;
    let record = house
        .get(&format!("/api/v1/tables/{id}/record"))
        .await
        .expect(200);
    let folder = super::house::Folder::new();
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/verify_luck.py");
    let check = |name: &str, record: &Value| {
        let file = folder.0.join(name);
        std::fs::write(&file, record.to_string()).unwrap();
        let output = Command::new("python3")
            .arg(program)
            .arg(&file)
            .output()
            .expect("Python is here");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    let draws = record["log"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|step| step["chance"].is_string())
        .count();
    let (status, said) = check("sound.json", &record);
    assert_eq!(
        (status, said.trim()),
        (
            Some(0),
            format!("{draws} rolls: all follow from the secret.").as_str()
        )
    );
    let mut changed = record.clone();
    let step = record["log"]
        .as_array()
        .unwrap()
        .iter()
        .rposition(|step| step["chance"].is_string())
        .unwrap();
    let rolled = record["log"][step]["chance"].as_str().unwrap();
    changed["log"][step]["chance"] = json!(if rolled == "66" { "65" } else { "66" });
    let (status, said) = check("changed.json", &changed);
    assert!(
        status == Some(1) && said.contains(&format!("step {step}: the record says")),
        "{status:?} {said}"
    );
    assert!(said.contains(&format!("is {rolled}")), "{said}");
    let mut other = record.clone();
    other["luck"]["secret"] = json!("00".repeat(32));
    let (status, said) = check("other.json", &other);
    assert!(status == Some(1) && said.contains("committed to"), "{said}");
    assert_eq!(check("open.json", &json!({ "game": "mnk" })).0, Some(2));
}

#[tokio::test]
async fn the_statistics_count_what_was_rolled_at_finished_tables() {
    let house = House::open().await;
    let (id, tokens) = house.two(json!({ "game": "backgammon" })).await;
    let none = house.get("/api/v1/statistics/dice").await.expect(200);
    assert_eq!((&none["tables"], &none["groups"]), (&json!(0), &json!([])));
    assert_eq!(house.get("/statistics/dice").await.status, 200);
    play_on(&house, &id, &tokens).await;
    let record = house
        .get(&format!("/api/v1/tables/{id}/record"))
        .await
        .expect(200);
    let mut rolled: BTreeMap<String, u64> = BTreeMap::new();
    for step in record["log"].as_array().unwrap() {
        step["chance"]
            .as_str()
            .into_iter()
            .for_each(|chance| *rolled.entry(chance.to_owned()).or_default() += 1);
    }
    // The previous result is cached for a minute, so another server on the same store is asked.
    let house = house.restart().await;
    let counted = house.get("/api/v1/statistics/dice").await.expect(200);
    assert_eq!(
        (&counted["tables"], &counted["waiting"]),
        (&json!(1), &json!(0))
    );
    let groups = counted["groups"].as_array().unwrap();
    let sizes: Vec<usize> = groups
        .iter()
        .map(|group| group["chances"].as_array().unwrap().len())
        .collect();
    assert_eq!(sizes, [30, 21], "opening rolls and rolls");
    for group in groups {
        let mut expected = 0.0;
        for chance in group["chances"].as_array().unwrap() {
            let times = rolled
                .get(chance["chance"].as_str().unwrap())
                .copied()
                .unwrap_or_default();
            assert_eq!(chance["times"], times);
            expected += chance["expected"].as_f64().unwrap();
            let (low, high) = (
                chance["low"].as_f64().unwrap(),
                chance["high"].as_f64().unwrap(),
            );
            assert!((0.0..high).contains(&low) && high <= 1.0);
        }
        assert!((expected - group["draws"].as_f64().unwrap()).abs() < 1e-6);
    }
    let faces = groups[1]["faces"].as_array().unwrap();
    let dice: u64 = faces
        .iter()
        .map(|face| face["times"].as_u64().unwrap())
        .sum();
    assert_eq!(
        (faces.len(), dice),
        (6, 2 * groups[1]["draws"].as_u64().unwrap())
    );
    assert!(house.get("/statistics/dice").await.text.contains("Rolls"));
}
