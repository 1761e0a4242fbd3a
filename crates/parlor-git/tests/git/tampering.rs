//! Verification reports the file of a changed die, state or move.

use parlor_git::folder::TableFolder;
use parlor_git::verify::verify;
use serde_json::{Value, json};

use crate::house::House;

fn problem(folder: &TableFolder) -> (String, String) {
    let problems = verify(folder).problems;
    let first = problems.first().expect("a problem is found");
    (first.file.clone(), first.reason.clone())
}

#[test]
fn later_changes_are_reported() {
    let house = House::open(&["alice", "bob"]);
    let slug = house.table(
        "t",
        parlor_games::backgammon::KIND,
        json!({}),
        &["alice", "bob"],
    );
    let (alice, bob) = (house.clone_of("alice"), house.clone_of("bob"));
    for _ in 0..3 {
        let state = house.state(&slug);
        let player = if state["activePlayer"] == "white" {
            &alice
        } else {
            &bob
        };
        player.pull();
        let text = player.legal(&slug)[0].clone();
        player.play(&slug, &text).unwrap();
        house.referee();
    }
    let open = house.folder(&slug);
    assert_eq!(verify(&open).problems, []);
    let state = house.state(&slug);
    (if state["activePlayer"] == "white" {
        &alice
    } else {
        &bob
    })
    .play(&slug, "resign")
    .unwrap();
    house.referee();
    let folder = house.folder(&slug);
    assert_eq!(verify(&folder).problems, []);
    let changed = |name: &str, change: &dyn Fn(&mut Value)| {
        let mut folder = folder.clone();
        let mut value: Value = folder.read(name).unwrap();
        change(&mut value);
        folder
            .files
            .insert(name.to_owned(), parlor_git::files::to_pretty_json(&value));
        problem(&folder)
    };
    let (file, reason) = changed("record.json", &|record| {
        let steps = record["log"].as_array_mut().unwrap();
        let roll = steps.iter_mut().find(|step| step["n"] == 1).unwrap();
        roll["chance"] = if roll["chance"] == "66" { "55" } else { "66" }.into();
    });
    assert_eq!(file, "record.json");
    assert!(reason.contains("luck"), "{reason}");
    let (file, reason) = changed("state.json", &|state| state["board"][0] = json!(7));
    assert_eq!(file, "state.json");
    assert!(reason.contains("the moves lead to"), "{reason}");
    let (file, _) = changed("state.json", &|state| state["dice"] = json!([6, 5]));
    assert_eq!(file, "state.json");
    let name = folder
        .files
        .keys()
        .find(|name| name.starts_with("moves/0002"))
        .unwrap()
        .clone();
    let (file, reason) = changed(&name, &|file| file["comment"] = json!("I never said this"));
    assert_eq!(file, name);
    assert!(reason.contains("hash"), "{reason}");
    let (file, _) = changed("table.json", &|table| {
        table["luck"]["secret"] = json!("00".repeat(32))
    });
    assert_eq!(file, "table.json");
    let mut without = folder.clone();
    without.files.remove(&name);
    assert!(problem(&without).0.starts_with("moves/0003"));
    without.files.remove("record.json");
    assert_eq!(problem(&without).0, "record.json");
}
