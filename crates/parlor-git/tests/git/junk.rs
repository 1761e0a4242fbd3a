//! Malformed and malicious pushes.

use std::fs;
use std::os::unix::fs::symlink;

use parlor_core::Seat;
use parlor_games::repository::{MoveFile, digest};
use serde_json::json;

use crate::house::{House, git};

/// Returns the name and contents of a valid first move.
fn valid_move(
    house: &House,
    slug: &parlor_git::paths::Slug,
    comment: Option<&str>,
) -> (String, String) {
    let folder = house.folder(slug);
    let file = MoveFile {
        seat: Seat::FIRST,
        text: "1,1".to_owned(),
        timestamp: "2026-11-22T08:00:00Z".to_owned(),
        expected_state: digest(&folder.files["state.json"]),
        comment: comment.map(str::to_owned),
    };
    file.write(&parlor_git::player::position(&folder).unwrap().0, 1)
}

#[test]
fn junk_among_the_moves_is_refused_and_named() {
    let house = House::open(&["alice", "bob"]);
    let slug = house.table("t", parlor_games::mnk::KIND, json!({}), &["alice", "bob"]);
    let alice = house.clone_of("alice");
    let (name, content) = valid_move(&house, &slug, None);
    let branch = alice.path.join("tables/t/moves");
    fs::create_dir_all(&branch).unwrap();
    let put = |name: &str, bytes: &[u8]| fs::write(branch.join(name), bytes).unwrap();
    put("0001-x-000000.json", content.as_bytes());
    put("0001-x-a1b2c3.json", &[0, 159, 146, 150, 255]);
    put("0001-x-a1b2c4.json", b"");
    put(
        "0001-x-a1b2c5.json",
        "{\"player\": \"x\", \"player\": \"o\"}".as_bytes(),
    );
    put("0001-x-a1b2c6.json", &vec![b' '; 100_000]);
    put("0001-x-a1b2c7.json", "[".repeat(50_000).as_bytes());
    put("$(touch pwned); `touch pwned`.json", content.as_bytes());
    put("--help", content.as_bytes());
    put("0001-x-a1b2c8.json\n0001-x-a1b2c9.json", content.as_bytes());
    symlink("/etc/passwd", branch.join("0001-x-a1b2ca.json")).unwrap();
    symlink(format!("../{name}"), branch.join("0001-x-a1b2cb.json")).unwrap();
    fs::create_dir_all(branch.join("deeper")).unwrap();
    put("deeper/0001-x-a1b2cc.json", content.as_bytes());
    fs::create_dir_all(alice.path.join("tables/..t")).unwrap();
    fs::write(alice.path.join("tables/..t/table.json"), "{}").unwrap();
    fs::write(alice.path.join("tables/stray"), "{}").unwrap();
    alice.push_all("junk");
    let report = house.referee();
    assert_eq!(report.actions.len(), 14, "{:#?}", report.actions);
    assert!(
        !house.dir.path().join("pwned").exists()
            && !house.branch.repository.path().join("pwned").exists()
    );
    assert_eq!(house.folder(&slug).moves().unwrap(), []);
    let tree = git(
        house.branch.repository.path(),
        &["ls-tree", "-r", "--name-only", "main", "tables"],
    );
    let names: Vec<&str> = tree.lines().collect();
    assert_eq!(
        names,
        [
            "tables/README.md",
            "tables/index.json",
            "tables/t/board.svg",
            "tables/t/record.json",
            "tables/t/state.json",
            "tables/t/table.json"
        ]
    );
    assert_eq!(house.verify(&slug).problems, []);
    alice.play(&slug, "1,1").unwrap();
    house.referee();
    assert_eq!(
        house.state(&slug)["lastMove"]["sequence"],
        1,
        "the table is as good as before"
    );
}

#[test]
fn line_endings_and_shell_syntax_are_harmless() {
    let house = House::open(&["alice", "bob"]);
    let slug = house.table("t", parlor_games::mnk::KIND, json!({}), &["alice", "bob"]);
    let alice = house.clone_of("alice");
    let (name, content) = valid_move(
        &house,
        &slug,
        Some("$(reboot) `id` \"; rm -rf / #<script>alert(1)</script>"),
    );
    alice.push_file(
        &format!("tables/t/moves/{name}"),
        content.replace('\n', "\r\n").as_bytes(),
    );
    house.referee();
    assert_eq!(house.state(&slug)["lastMove"]["file"], name);
    assert_eq!(house.verify(&slug).problems, []);
}

#[test]
fn a_wrong_state_number_or_illegal_move_is_refused_with_a_reason() {
    let house = House::open(&["alice", "bob"]);
    let slug = house.table("t", parlor_games::mnk::KIND, json!({}), &["alice", "bob"]);
    let (alice, bob) = (house.clone_of("alice"), house.clone_of("bob"));
    let folder = house.folder(&slug);
    let (position, _) = parlor_git::player::position(&folder).unwrap();
    let file = |seat, text: &str, state: &str| MoveFile {
        seat,
        text: text.to_owned(),
        timestamp: "2026-11-22T08:00:00Z".to_owned(),
        expected_state: state.to_owned(),
        comment: None,
    };
    let now = || digest(&house.folder(&slug).files["state.json"]);
    let refused = |file: MoveFile, sequence: u32, reason: &str| {
        let (name, content) = file.write(&position, sequence);
        let who = if file.seat == Seat::FIRST {
            &alice
        } else {
            &bob
        };
        who.push_file(&format!("tables/t/moves/{name}"), content.as_bytes());
        house.referee();
        let said = house.last_message(&slug);
        assert!(said.starts_with(&name) && said.contains(reason), "{said}");
    };
    refused(
        file(Seat::FIRST, "1,1", "0123456789abcdef"),
        1,
        "it was made for another state",
    );
    refused(
        file(Seat::FIRST, "1,1", &now()),
        2,
        "the next move has number 0001, not 0002",
    );
    refused(file(Seat::SECOND, "1,1", &now()), 1, "Not your turn");
    alice.play(&slug, "1,1").unwrap();
    house.referee();
    bob.pull();
    let mut taken = file(Seat::SECOND, "1,1", &now());
    let (name, content) = taken.write(&position, 2);
    bob.push_file(&format!("tables/t/moves/{name}"), content.as_bytes());
    house.referee();
    assert!(
        house.last_message(&slug).contains("rejected: "),
        "{}",
        house.last_message(&slug)
    );
    taken.text = MoveFile::RESIGN.to_owned();
    taken.expected_state = now();
    let (name, content) = taken.write(&position, 2);
    bob.push_file(&format!("tables/t/moves/{name}"), content.as_bytes());
    house.referee();
    let state = house.state(&slug);
    assert_eq!(
        (&state["status"], &state["winner"]),
        (&json!("completed"), &json!("x"))
    );
    assert_eq!(house.verify(&slug).problems, []);
}
