//! The dice game, with luck that anyone can verify.

use serde_json::{Value, json};

use super::house::House;

/// Plays a dice game to its end: each player rolls twice, then holds.
async fn play_dice(house: &House) -> String {
    let wanted = json!({ "game": "pig", "options": { "target": 20 }, "luck_text": "Ann's salt" });
    let made = house.create(wanted).await;
    let commitment = made.json["table"]["luck"]["commitment"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(commitment.len(), 64);
    let join = json!({ "name": "Bob", "luck_text": "Bob's pepper" });
    let joined = house
        .post(&format!("/api/v1/tables/{}/join", made.id), join)
        .await
        .expect(200);
    let tokens = [made.token, joined["token"].as_str().unwrap().to_owned()];
    for _ in 0..1000 {
        let table = house.table(&made.id).await;
        assert_eq!(table["luck"]["commitment"], commitment);
        if table["status"] == "over" {
            return made.id;
        }
        assert_eq!(
            table["luck"]["secret"],
            Value::Null,
            "the secret is shown only at the end"
        );
        let seat = table["turn"]["seat"].as_u64().unwrap() as usize;
        let text = if table["position"]["pot"].as_u64().unwrap() >= 8 {
            "hold"
        } else {
            "roll"
        };
        let path = format!("/api/v1/tables/{}/moves", made.id);
        house
            .post_as(&tokens[seat], &path, json!({ "move": text }))
            .await
            .expect(200);
    }
    panic!("the game goes on and on");
}

#[tokio::test]
async fn the_commitment_comes_first_the_secret_last_and_the_record_verifies() {
    let house = House::open().await;
    let id = play_dice(&house).await;
    let table = house.table(&id).await;
    assert_eq!(
        table["luck"]["texts"],
        json!(["Ann's salt", "Bob's pepper"])
    );
    assert_eq!(table["luck"]["secret"].as_str().unwrap().len(), 64);
    let log = house.log(&id).await;
    let revealed = log
        .iter()
        .position(|event| event["type"] == "revealed")
        .unwrap();
    assert_eq!(revealed, log.len() - 1);
    let report = house
        .get(&format!("/api/v1/tables/{id}/verify"))
        .await
        .expect(200);
    assert_eq!(
        (&report["holds"], &report["luck_checked"]),
        (&json!(true), &json!(true))
    );
    assert!(report["draws"].as_u64().unwrap() > 0);
    for step in 0..3 {
        assert_eq!(
            house
                .get(&format!("/api/v1/tables/{id}/svg?at={step}"))
                .await
                .status,
            200,
            "step {step}"
        );
    }
    let record = house
        .get(&format!("/api/v1/tables/{id}/record"))
        .await
        .expect(200);
    assert_eq!(
        house.post("/api/v1/verify", record).await.expect(200)["holds"],
        true
    );
}

#[tokio::test]
async fn a_tampered_record_does_not_verify() {
    let house = House::open().await;
    let id = play_dice(&house).await;
    let record = house
        .get(&format!("/api/v1/tables/{id}/record"))
        .await
        .expect(200);
    let step = record["log"]
        .as_array()
        .unwrap()
        .iter()
        .position(|step| step["chance"].is_string())
        .unwrap();
    let rolled = record["log"][step]["chance"].as_str().unwrap().to_owned();
    let mut luckier = record.clone();
    luckier["log"][step]["chance"] = json!(if rolled == "6" { "5" } else { "6" });
    let mut salted = record.clone();
    salted["luck"]["texts"][0] = json!("another text");
    let mut renamed = record.clone();
    renamed["luck"]["secret"] = json!("00".repeat(32));
    let mut shorter = record.clone();
    shorter["log"].as_array_mut().unwrap().pop();
    for (what, record) in [
        ("a roll", luckier),
        ("a text", salted),
        ("the secret", renamed),
        ("the end", shorter),
    ] {
        let report = house.post("/api/v1/verify", record).await.expect(200);
        assert_eq!(report["holds"], false, "{what} was changed");
        assert!(!report["problems"].as_array().unwrap().is_empty());
    }
    house
        .post("/api/v1/verify", json!({ "format": "something" }))
        .await
        .problem(422, "bad-content");
}

#[tokio::test]
async fn a_text_for_luck_counts_only_before_the_first_draw() {
    let house = House::open().await;
    let (id, tokens) = house.two(json!({ "game": "pig" })).await;
    let path = format!("/api/v1/tables/{id}/luck");
    house
        .post_as(&tokens[1], &path, json!({ "text": "pepper" }))
        .await
        .expect(200);
    house
        .post_as(
            &tokens[0],
            &format!("/api/v1/tables/{id}/moves"),
            json!({ "move": "roll" }),
        )
        .await
        .expect(200);
    house
        .post_as(&tokens[1], &path, json!({ "text": "more" }))
        .await
        .problem(409, "luck-drawn");
    assert_eq!(
        house.table(&id).await["luck"]["texts"],
        json!(["", "pepper"])
    );
}

#[tokio::test]
async fn luck_goes_on_from_the_same_secret_after_a_restart() {
    let house = House::open().await;
    let (id, tokens) = house
        .two(json!({ "game": "pig", "options": { "target": 5 } }))
        .await;
    let path = format!("/api/v1/tables/{id}/moves");
    house
        .post_as(&tokens[0], &path, json!({ "move": "roll" }))
        .await
        .expect(200);
    let house = house.restart().await;
    for _ in 0..1000 {
        let table = house.table(&id).await;
        if table["status"] == "over" {
            break;
        }
        let seat = table["turn"]["seat"].as_u64().unwrap() as usize;
        let text = if table["position"]["pot"].as_u64().unwrap() > 0 {
            "hold"
        } else {
            "roll"
        };
        house
            .post_as(&tokens[seat], &path, json!({ "move": text }))
            .await
            .expect(200);
    }
    let report = house
        .get(&format!("/api/v1/tables/{id}/verify"))
        .await
        .expect(200);
    assert_eq!(
        (&report["holds"], &report["luck_checked"]),
        (&json!(true), &json!(true))
    );
}
