//! Permissions of players and the attribution of commits.

use std::fs;

use parlor_git::referee::{RunContext, run};
use parlor_git::{HouseSecret, Identity, Person};
use serde_json::{Value, json};

use crate::house::{House, git};

#[test]
fn a_move_by_the_wrong_player_is_refused_and_removed() {
    let house = House::open(&["alice", "bob"]);
    let slug = house.table("t", parlor_games::mnk::KIND, json!({}), &["alice", "bob"]);
    let bob = house.clone_of("bob");
    let before = house.state(&slug);
    bob.play(&slug, "1,1").unwrap();
    let report = house.referee();
    assert!(
        report.actions[0].contains("x is alice, but the commit comes from bob <bob@example.org>"),
        "{:?}",
        report.actions
    );
    let folder = house.folder(&slug);
    assert_eq!(folder.moves().unwrap(), []);
    let state: Value = folder.read("state.json").unwrap();
    assert_eq!(
        (&state["position"], &state["turn"]),
        (&before["position"], &before["turn"])
    );
    assert_eq!(
        state["messages"].as_array().unwrap().last().unwrap()["type"],
        "error"
    );
    assert!(
        state["updatedAt"].as_str() > before["updatedAt"].as_str(),
        "a rejection is a change too"
    );
    assert_eq!(house.verify(&slug).problems, []);
}

#[test]
fn foreign_changes_are_reverted() {
    let house = House::open(&["alice", "bob"]);
    let slug = house.table("t", parlor_games::mnk::KIND, json!({}), &["alice", "bob"]);
    let alice = house.clone_of("alice");
    alice.play(&slug, "1,1").unwrap();
    house.referee();
    alice.pull();
    let good = house.folder(&slug);
    let moved = good
        .files
        .keys()
        .find(|name| name.starts_with("moves/"))
        .unwrap()
        .clone();
    let branch = alice.path.join("tables/t");
    for name in [
        "state.json",
        "table.json",
        "record.json",
        "board.svg",
        &moved,
    ] {
        fs::write(branch.join(name), "{}").unwrap();
    }
    fs::write(branch.join("notes.txt"), "mine").unwrap();
    fs::create_dir_all(alice.path.join("tables/other/moves")).unwrap();
    fs::write(alice.path.join("tables/other/table.json"), "{}").unwrap();
    fs::write(alice.path.join("house.json"), "{}").unwrap();
    fs::write(alice.path.join("README.md"), "Our own words.\n").unwrap();
    alice.push_all("everything is mine");
    let report = house.referee();
    assert_eq!(report.actions.len(), 8, "{:?}", report.actions);
    let now = house.folder(&slug);
    for (name, bytes) in &good.files {
        assert!(
            name == "state.json" || now.files[name] == *bytes,
            "{name} is as it was"
        );
    }
    assert!(
        house.last_message(&slug).contains("was")
            && house.last_message(&slug).contains("taken back")
    );
    let tree = git(
        house.branch.repository.path(),
        &["ls-tree", "-r", "--name-only", "main"],
    );
    assert!(!tree.contains("notes.txt") && !tree.contains("tables/other"));
    assert_eq!(
        git(house.branch.repository.path(), &["show", "main:README.md"]),
        "Our own words.",
        "the rest is not the referee's"
    );
    assert_eq!(house.verify(&slug).problems, []);
    fs::remove_dir_all(alice.path.join("tables")).unwrap();
    git(&alice.path, &["checkout", "--quiet", "."]);
    alice.pull();
    fs::remove_dir_all(alice.path.join("tables")).unwrap();
    alice.push_all("and now nothing is there");
    house.referee();
    assert_eq!(house.verify(&slug).problems, []);
    assert_eq!(house.folder(&slug).moves().unwrap().len(), 1);
}

#[test]
fn a_forged_seal_or_another_secret_does_not_pass() {
    let house = House::open(&["alice", "bob"]);
    let slug = house.table("t", parlor_games::mnk::KIND, json!({}), &["alice", "bob"]);
    let alice = house.clone_of("alice");
    let seal = git(&alice.path, &["log", "-1", "--format=%B"]);
    let good = house.folder(&slug);
    fs::write(alice.path.join("tables/t/state.json"), "{}").unwrap();
    git(&alice.path, &["add", "."]);
    git(
        &alice.path,
        &[
            "-c",
            "user.name=Parlor referee",
            "-c",
            "user.email=referee@parlor.invalid",
            "commit",
            "--quiet",
            "-m",
            &seal,
        ],
    );
    git(&alice.path, &["push", "--quiet"]);
    house.referee();
    assert_eq!(
        house.folder(&slug).files["table.json"],
        good.files["table.json"]
    );
    assert_eq!(house.verify(&slug).problems, []);
    let stranger = HouseSecret::new([8; 32]);
    let refused = run(&house.branch, &stranger, &house.context()).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("no commit on main has this referee's seal"),
        "{refused}"
    );
}

#[test]
fn the_platform_can_identify_the_pusher() {
    let house = House::known_by(Identity::Actor, &["alice", "bob"]);
    let slug = house.table("t", parlor_games::mnk::KIND, json!({}), &["alice", "bob"]);
    let bob = house.clone_of("bob");
    bob.play(&slug, "1,1").unwrap();
    let by = |actor: &str| RunContext {
        actor: Some(actor.to_owned()),
        now: i64::MAX,
    };
    run(&house.branch, &house.secret, &by("bob-there")).unwrap();
    assert!(
        house
            .last_message(&slug)
            .contains("x is alice, but the commit comes from bob-there")
    );
    bob.play(&slug, "1,1").unwrap();
    run(&house.branch, &house.secret, &by("Alice-There")).unwrap();
    assert_eq!(
        house.state(&slug)["lastMove"]["sequence"],
        1,
        "names on platforms know no case"
    );
}

#[test]
fn a_signature_proves_who_made_a_commit() {
    let house = House::known_by(Identity::Signature, &["alice", "bob"]);
    let slug = house.table("t", parlor_games::mnk::KIND, json!({}), &["alice", "bob"]);
    let alice = house.clone_of("alice");
    let keys = house.dir.path().join("keys");
    fs::create_dir(&keys).unwrap();
    for name in ["alice", "bob"] {
        let file = keys.join(name);
        let made = std::process::Command::new("ssh-keygen")
            .args([
                "-q",
                "-t",
                "ed25519",
                "-N",
                "",
                "-f",
                file.to_str().unwrap(),
            ])
            .status()
            .expect("ssh-keygen is there");
        assert!(made.success());
        let known = Person {
            keys: vec![
                fs::read_to_string(file.with_extension("pub"))
                    .unwrap()
                    .trim()
                    .to_owned(),
            ],
            ..Person::default()
        };
        parlor_git::house::add_player(
            &house.branch,
            &house.secret,
            name,
            &known,
            crate::house::BEGIN,
        )
        .unwrap();
    }
    alice.play(&slug, "1,1").unwrap();
    house.referee();
    assert!(
        house.last_message(&slug).contains("rejected: x is alice"),
        "an address alone proves nothing here"
    );
    let sign = |key: &str| {
        git(&alice.path, &["config", "gpg.format", "ssh"]);
        git(
            &alice.path,
            &[
                "config",
                "user.signingKey",
                keys.join(key).to_str().unwrap(),
            ],
        );
        git(&alice.path, &["config", "commit.gpgSign", "true"]);
    };
    sign("bob");
    alice.play(&slug, "1,1").unwrap();
    house.referee();
    assert!(
        house.last_message(&slug).contains("rejected: x is alice"),
        "bob's key is not alice's"
    );
    sign("alice");
    alice.play(&slug, "1,1").unwrap();
    house.referee();
    assert_eq!(house.state(&slug)["lastMove"]["sequence"], 1);
}
