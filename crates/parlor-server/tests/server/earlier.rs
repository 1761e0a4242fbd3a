//! The house of an earlier release goes on: `tools/earlier_house.py` played there with the program of
//! that release, and kept its database and what it answered.

use std::io::Read;

use flate2::read::GzDecoder;
use parlor_store::Store;
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::house::{House, Lines, sqlite};

/// Database as the program of the earlier release left it.
const DATABASE: &[u8] = include_bytes!("../earlier/house.db.gz");
/// Tokens, games in progress, and what each address answered.
const TOLD: &[u8] = include_bytes!("../earlier/house.json.gz");

/// Opens a copy of the earlier house, which lives in the folder.
async fn earlier() -> (House, Value, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("parlor.db"), unpacked(DATABASE)).unwrap();
    let store = Store::open(&sqlite(folder.path())).await.unwrap();
    let told = serde_json::from_slice(&unpacked(TOLD)).unwrap();
    (House::on(store).await, told, folder)
}

fn unpacked(packed: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut bytes).unwrap();
    bytes
}

fn token<'t>(told: &'t Value, who: &str) -> &'t str {
    told["tokens"][who].as_str().unwrap()
}

/// Returns true if an answer has all that one had before; objects may have more fields.
fn tells_again(now: &Value, before: &Value) -> bool {
    match (now, before) {
        (Value::Object(now), Value::Object(before)) => before
            .iter()
            .all(|(name, before)| now.get(name).is_some_and(|now| tells_again(now, before))),
        (Value::Array(now), Value::Array(before)) => {
            let mut pairs = now.iter().zip(before);
            now.len() == before.len() && pairs.all(|(now, before)| tells_again(now, before))
        }
        (now, before) => now == before,
    }
}

#[tokio::test]
async fn its_records_verify_and_all_that_it_told_is_told_again() {
    let (house, told, _folder) = earlier().await;
    let mut records = 0;
    for (address, before) in told["answers"].as_object().unwrap() {
        if let Some(table) = address.strip_suffix("/events?follow=false") {
            let table = table.strip_prefix("/api/v1/tables/").unwrap();
            let before = before.as_array().unwrap();
            // A game in progress has got back the time in which nobody could play.
            let now = house.log(table).await;
            assert_eq!(&now[..before.len()], before, "{address}");
        } else {
            let now = house.get(address).await.expect(200);
            assert!(tells_again(&now, before), "{address}: {now}, not {before}");
        }
        if address.ends_with("/verify") {
            assert_eq!(before["holds"], true, "{address}");
            records += 1;
        }
    }
    assert!(records >= 6, "of every game, but only {records}");
}

#[tokio::test]
async fn its_games_go_on_for_those_who_played_them() {
    let (house, told, _folder) = earlier().await;
    let running = told["running"].as_array().unwrap();
    assert!(running.len() >= 2, "{running:?}");
    for game in running {
        let id = game["table"].as_str().unwrap();
        let token = token(&told, game["by"].as_str().unwrap());
        let legal = house.get(&format!("/api/v1/tables/{id}/legal")).await;
        let text = legal.expect(200)["moves"][0].clone();
        let version = house.table(id).await["version"].as_u64();
        let played = house.act(token, id, "moves", json!({ "move": text })).await;
        assert!(played.expect(200)["version"].as_u64() > version);
        let entry = house.log(id).await[version.unwrap() as usize].clone();
        assert_eq!((&entry["type"], &entry["move"]), (&json!("moved"), &text));
        assert!(
            entry["after"]["turn"].is_object(),
            "new events tell the turn"
        );
    }
}

#[tokio::test]
async fn its_members_sign_in_and_find_their_challenges() {
    let (house, told, _folder) = earlier().await;
    for name in ["Ada", "Grace"] {
        let login = json!({ "name": name, "password": "a long way to Tipperary" });
        let signed_in = house.post("/api/v1/sessions", login).await;
        assert!(signed_in.status.is_success(), "{}", signed_in.text);
        let me = house
            .get_as(token(&told, name), "/api/v1/me")
            .await
            .expect(200);
        assert_eq!(me["name"], name);
    }
    let events = house.request(Method::GET, "/api/v1/me/events");
    let mut lines = Lines::of(events.bearer_auth(token(&told, "Grace"))).await;
    let mut kinds = Vec::new();
    while kinds.last() != Some(&json!("caught_up")) {
        kinds.push(lines.next().await.unwrap()["type"].clone());
    }
    kinds.sort_unstable_by_key(Value::to_string);
    assert_eq!(kinds, ["caught_up", "challenge", "game_start", "your_turn"]);
}
