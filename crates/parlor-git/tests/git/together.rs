//! Concurrency and interruptions.

use std::fs;
use std::thread;

use parlor_git::house::HouseBranch;
use parlor_git::referee::run;
use serde_json::json;

use crate::house::{House, git, git_in, open_repository};

#[test]
fn a_referee_is_idempotent_and_deterministic() {
    let house = House::open(&["alice", "bob"]);
    let slug = house.table(
        "t",
        parlor_games::backgammon::KIND,
        json!({}),
        &["alice", "bob"],
    );
    let (alice, bob) = (house.clone_of("alice"), house.clone_of("bob"));
    let first = house.state(&slug);
    let player = if first["activePlayer"] == "white" {
        &alice
    } else {
        &bob
    };
    player.pull();
    let text = player.legal(&slug)[0].clone();
    player.play(&slug, &text).unwrap();
    // One that is killed before its last step has left nothing but objects: the next writes the
    // same commit again.
    let copy = house.dir.path().join("copy.git");
    git(
        house.dir.path(),
        &["clone", "--quiet", "--mirror", "house.git", "copy.git"],
    );
    let other = HouseBranch {
        repository: open_repository(&copy),
        name: "main".to_owned(),
        remote: None,
    };
    let [one, two] =
        [&house.branch, &other].map(|branch| run(branch, &house.secret, &house.context()).unwrap());
    assert!(one.commit.is_some());
    assert_eq!(one, two, "dice, times and all");
    let tip = house.tip();
    assert_eq!(house.referee().commit, None);
    assert_eq!(house.tip(), tip);
}

#[test]
fn concurrent_referees_write_one_commit() {
    let house = House::open(&["alice", "bob"]);
    let slug = house.table("t", parlor_games::mnk::KIND, json!({}), &["alice", "bob"]);
    house.clone_of("alice").play(&slug, "1,1").unwrap();
    let before: usize = git(
        house.branch.repository.path(),
        &["rev-list", "--count", "main"],
    )
    .parse()
    .unwrap();
    thread::scope(|scope| {
        for n in 0..4 {
            let house = &house;
            scope.spawn(move || {
                if n % 2 == 0 {
                    house.referee()
                } else {
                    house.referee_by_job()
                }
            });
        }
    });
    let after: usize = git(
        house.branch.repository.path(),
        &["rev-list", "--count", "main"],
    )
    .parse()
    .unwrap();
    assert_eq!(after, before + 1);
    assert_eq!(house.state(&slug)["turn"], 2);
}

#[test]
fn several_moves_in_one_run_are_played_in_order() {
    let house = House::open(&["alice", "bob"]);
    let slug = house.table("t", parlor_games::mnk::KIND, json!({}), &["alice", "bob"]);
    let (alice, bob) = (house.clone_of("alice"), house.clone_of("bob"));
    alice.play(&slug, "1,1").unwrap();
    bob.pull();
    let folder = bob.folder(&slug);
    let mut seen = parlor_git::player::position(&folder).unwrap().0;
    seen.play("1,1", parlor_core::Seat::FIRST).unwrap();
    let file = parlor_games::repository::MoveFile {
        seat: parlor_core::Seat::SECOND,
        text: "0,0".to_owned(),
        timestamp: "2026-11-22T08:00:00Z".to_owned(),
        expected_state: parlor_games::repository::digest(&folder.files["state.json"]),
        comment: None,
    };
    let (name, content) = file.write(&seen, 2);
    bob.push_file(&format!("tables/t/moves/{name}"), content.as_bytes());
    let report = house.referee();
    assert_eq!(report.actions.len(), 2, "{:?}", report.actions);
    assert_eq!(house.state(&slug)["turn"], 3);
    assert_eq!(house.verify(&slug).problems, []);
}

#[test]
fn a_rewritten_history_is_restored_and_moves_on_it_still_count() {
    let house = House::open(&["alice", "bob"]);
    let slug = house.table("t", parlor_games::mnk::KIND, json!({}), &["alice", "bob"]);
    let (alice, bob) = (house.clone_of("alice"), house.clone_of("bob"));
    let old = house.tip();
    alice.play(&slug, "1,1").unwrap();
    house.referee();
    bob.play(&slug, "0,0").unwrap();
    house.referee();
    let state = house.state(&slug);
    git(&alice.path, &["reset", "--quiet", "--hard", &old]);
    fs::write(alice.path.join("README.md"), "as if nothing had been\n").unwrap();
    git(
        &alice.path,
        &["commit", "--quiet", "--all", "-m", "rewritten"],
    );
    git(
        &alice.path,
        &["push", "--quiet", "--force", "origin", "HEAD"],
    );
    let report = house.referee();
    assert!(
        report.actions[0].contains("history was rewritten"),
        "{:?}",
        report.actions
    );
    let now = house.state(&slug);
    assert_eq!(
        (&now["position"], &now["turn"]),
        (&state["position"], &state["turn"])
    );
    assert_eq!(house.verify(&slug).problems, []);
    alice.play(&slug, "2,2").unwrap();
    house.referee();
    assert_eq!(house.state(&slug)["turn"], 4);
}

#[test]
fn merges_contribute_only_what_their_parents_do() {
    let house = House::open(&["alice", "bob"]);
    let slugs = ["one", "two"]
        .map(|name| house.table(name, parlor_games::mnk::KIND, json!({}), &["alice", "bob"]));
    let alice = house.clone_of("alice");
    git(&alice.path, &["checkout", "--quiet", "-b", "side"]);
    let wanted = |slug| parlor_git::player::PlayRequest {
        table: slug,
        text: "1,1",
        seat: None,
        comment: None,
        remote: None,
        now: crate::house::BEGIN,
    };
    parlor_git::player::play(&alice.repository, &wanted(&slugs[0])).unwrap();
    git(&alice.path, &["checkout", "--quiet", "main"]);
    parlor_git::player::play(&alice.repository, &wanted(&slugs[1])).unwrap();
    git(
        &alice.path,
        &["merge", "--quiet", "--no-ff", "--no-commit", "side"],
    );
    fs::write(alice.path.join("tables/one/state.json"), "{}").unwrap();
    alice.push_all("merged");
    house.referee();
    for slug in &slugs {
        assert_eq!(house.state(slug)["turn"], 2, "{slug}");
        assert_eq!(house.verify(slug).problems, []);
    }
}

#[test]
fn ten_players_push_to_ten_tables_at_once_and_nothing_is_lost() {
    let names: Vec<String> = (0..10).map(|n| format!("p{n}")).collect();
    let house = House::open(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let slugs: Vec<_> = names
        .iter()
        .map(|name| {
            house.table(
                &format!("t-{name}"),
                parlor_games::mnk::KIND,
                json!({ "rows": 4, "columns": 4 }),
                &[name, name],
            )
        })
        .collect();
    let clones: Vec<_> = names.iter().map(|name| house.clone_of(name)).collect();
    for report in 0..3 {
        thread::scope(|scope| {
            for (clone, slug) in clones.iter().zip(&slugs) {
                scope.spawn(move || {
                    clone.pull();
                    let text = clone.legal(slug)[report].clone();
                    clone.play(slug, &text).unwrap();
                });
            }
            let house = &house;
            scope.spawn(move || house.referee());
        });
        house.referee();
        for slug in &slugs {
            assert_eq!(house.state(slug)["turn"], report + 2, "{slug}");
        }
    }
    for slug in &slugs {
        assert_eq!(house.verify(slug).problems, []);
    }
    let fsck = git_in(house.branch.repository.path())
        .args(["fsck", "--strict"])
        .output()
        .unwrap();
    assert!(
        fsck.status.success(),
        "{}",
        String::from_utf8_lossy(&fsck.stderr)
    );
}
