//! Verification of histories: rewritten commits and foreign changes are reported.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use parlor_git::HouseSecret;
use parlor_git::files::to_pretty_json;
use parlor_git::git::{REFEREE_EMAIL, REFEREE_NAME, StopSwitch, TreeBase};
use parlor_git::history::{HistoryProblem, HistoryReport, SealCheck, check};
use parlor_git::paths::Slug;
use parlor_git::serve::TableRepository;
use parlor_table::{
    Command as Verb, Issuer, NewTable, Player, SeatKey, Secret, Table, TableId, Timestamp,
};
use serde_json::{Value, json};

use crate::house::{Clone, House, git, git_in, open_repository};

/// A house with a game of backgammon after four moves, and clones of both players.
fn house_with_game() -> (House, Slug, [Clone; 2]) {
    let house = House::open(&["alice", "bob"]);
    let slug = house.table(
        "t",
        parlor_games::backgammon::KIND,
        json!({}),
        &["alice", "bob"],
    );
    let players = [house.clone_of("alice"), house.clone_of("bob")];
    play_moves(&house, &slug, &players, 4);
    (house, slug, players)
}

fn play_moves(house: &House, slug: &Slug, [alice, bob]: &[Clone; 2], moves: usize) {
    for _ in 0..moves {
        let player = if house.state(slug)["activePlayer"] == "white" {
            alice
        } else {
            bob
        };
        player.pull();
        let text = player.legal(slug)[0].clone();
        player.play(slug, &text).unwrap();
        house.referee();
    }
}

fn check_history(at: &Path, table: Option<&Slug>, secret: Option<&HouseSecret>) -> HistoryReport {
    check(&open_repository(at), table, secret).unwrap()
}

fn commits(at: &Path) -> Vec<String> {
    git(at, &["rev-list", "--reverse", "--first-parent", "HEAD"])
        .lines()
        .map(str::to_owned)
        .collect()
}

/// Returns the referee's `n`th commit that wrote the table's state, from 0.
fn nth_state(at: &Path, n: usize) -> String {
    let all = git(
        at,
        &[
            "log",
            "--reverse",
            "--format=%H",
            "--",
            "tables/t/state.json",
        ],
    );
    all.lines().nth(n).unwrap().to_owned()
}

/// Returns the tree of a commit with files changed, or deleted if `None`.
fn altered_tree(at: &Path, commit: &str, files: &BTreeMap<String, Option<Vec<u8>>>) -> String {
    let repository = open_repository(at);
    let tree = git(at, &["rev-parse", &format!("{commit}^{{tree}}")]);
    let base = TreeBase {
        rest: Some(&tree),
        kept: None,
        names: &[],
    };
    repository.compose_tree(base, files).unwrap()
}

/// Creates a commit with the author, time and message of another.
fn recommit(at: &Path, like: &str, tree: &str, parent: Option<&str>) -> String {
    let about = git(at, &["log", "-1", "--format=%cn%n%ce%n%ct", like]);
    let [name, email, time] = about.lines().collect::<Vec<_>>()[..] else {
        panic!("{about}")
    };
    let message = git(at, &["log", "-1", "--format=%B", like]);
    let mut command = git_in(at);
    command.args(["commit-tree", tree, "-m", &message]);
    command.args(parent.into_iter().flat_map(|parent| ["-p", parent]));
    for role in ["AUTHOR", "COMMITTER"] {
        command
            .env(format!("GIT_{role}_NAME"), name)
            .env(format!("GIT_{role}_EMAIL"), email);
        command.env(format!("GIT_{role}_DATE"), format!("{time} +0000"));
    }
    let done = command.output().unwrap();
    assert!(done.status.success());
    String::from_utf8(done.stdout).unwrap().trim().to_owned()
}

/// Rewrites the branch of a clone: one commit gets another tree, and all later ones are recreated.
/// Returns the new id of that commit.
fn rewrite(at: &Path, commit: &str, tree: &str) -> String {
    let all = commits(at);
    let n = all.iter().position(|other| other == commit).unwrap();
    let first = recommit(at, commit, tree, Some(&all[n - 1]));
    let mut tip = first.clone();
    for later in &all[n + 1..] {
        tip = recommit(at, later, &format!("{later}^{{tree}}"), Some(&tip));
    }
    git(at, &["reset", "--quiet", "--hard", &tip]);
    first
}

/// Changes one JSON file in an old commit, recreates everything after it, and returns the new
/// commit and the problems found.
fn problems_after_change(
    house: &House,
    n: usize,
    file: &str,
    change: impl Fn(&mut Value),
) -> (String, Vec<HistoryProblem>) {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("mallory");
    git(
        house.dir.path(),
        &["clone", "--quiet", "house.git", dir.to_str().unwrap()],
    );
    let commit = nth_state(&dir, n);
    let path = format!("tables/t/{file}");
    let mut json: Value =
        serde_json::from_str(&git(&dir, &["show", &format!("{commit}:{path}")])).unwrap();
    change(&mut json);
    let tree = altered_tree(
        &dir,
        &commit,
        &BTreeMap::from([(path, Some(to_pretty_json(&json)))]),
    );
    let named = rewrite(&dir, &commit, &tree);
    let history = check_history(&dir, None, None);
    assert_eq!(history.commits, commits(&dir).len());
    let sealed = check_history(&dir, None, Some(&house.secret));
    assert_eq!(sealed.problems.len(), 1);
    assert_eq!(
        (&*sealed.problems[0].commit, &*sealed.problems[0].file),
        (&*named, "tables"),
        "the seal is broken, too"
    );
    (named, history.problems)
}

#[test]
fn a_history_is_valid_after_the_referee_reverted_foreign_changes() {
    let (house, slug, players) = house_with_game();
    let alice = &players[0];
    alice.push_file("tables/t/state.json", b"{}");
    alice.push_file("tables/t/notes.txt", b"mine");
    alice.push_file("tables/t/moves/0009-white-abcdef.json", b"{}");
    house.referee();
    // A merge has the player's own commits first.
    alice.pull();
    fs::write(alice.path.join("words.txt"), "Mine.\n").unwrap();
    git(&alice.path, &["add", "."]);
    git(&alice.path, &["commit", "--quiet", "-m", "My words"]);
    play_moves(
        &house,
        &slug,
        &[("anna", "alice"), ("ben", "bob")]
            .map(|(name, player)| other_clone(&house, name, player)),
        2,
    );
    git(
        &alice.path,
        &["pull", "--quiet", "--no-rebase", "--no-edit"],
    );
    git(&alice.path, &["push", "--quiet"]);
    play_moves(&house, &slug, &players, 1);
    let player = if house.state(&slug)["activePlayer"] == "white" {
        &players[0]
    } else {
        &players[1]
    };
    player.play(&slug, "resign").unwrap();
    house.referee();
    alice.pull();
    let history = check_history(&alice.path, None, None);
    assert_eq!(history.problems, []);
    assert_eq!(
        (history.seals, history.pending.len(), history.shallow),
        (SealCheck::Unchecked, 0, false)
    );
    // Made a house, two players, a table, four moves, three things undone at once, two moves, one,
    // and the end.
    assert_eq!(history.referee_commits, 4 + 4 + 1 + 2 + 1 + 1);
    let sealed = check_history(&alice.path, Some(&slug), Some(&house.secret));
    assert_eq!(
        HistoryReport {
            seals: SealCheck::Unchecked,
            ..sealed.clone()
        },
        history
    );
    assert_eq!(sealed.seals, SealCheck::Checked);
    let stranger = check_history(&alice.path, None, Some(&HouseSecret::new([8; 32])));
    assert!(
        stranger.problems[0]
            .reason
            .contains("no commit up to this one has a seal"),
        "{:?}",
        stranger.problems
    );
    let job = house.dir.path().join("job");
    let url = format!("file://{}", house.branch.repository.path().display());
    git(
        house.dir.path(),
        &[
            "clone",
            "--quiet",
            "--depth",
            "3",
            &url,
            job.to_str().unwrap(),
        ],
    );
    let history = check_history(&job, None, Some(&house.secret));
    assert_eq!(
        (history.problems, history.shallow, history.commits),
        (vec![], true, 3)
    );
}

/// Creates another clone of a player.
fn other_clone(house: &House, name: &str, player: &str) -> Clone {
    let clone = house.clone_of(name);
    git(
        &clone.path,
        &["config", "user.email", &format!("{player}@example.org")],
    );
    clone
}

#[test]
fn a_rewritten_commit_is_reported() {
    let (house, _, _) = house_with_game();
    let (named, problems) = problems_after_change(&house, 2, "record.json", |record| {
        let roll = record["log"]
            .as_array_mut()
            .unwrap()
            .iter_mut()
            .find(|step| step["n"] == 1)
            .unwrap();
        roll["chance"] = if roll["chance"] == "66" { "55" } else { "66" }.into();
    });
    assert!(
        problems.iter().all(|problem| problem.commit == named),
        "{problems:?}"
    );
    assert!(
        ["tables/t/record.json", "tables/t/state.json"].contains(&&*problems[0].file),
        "{problems:?}"
    );
    let one = |(named, problems): (String, Vec<HistoryProblem>), file: &str, reason: &str| {
        assert_eq!(
            (problems.len(), &*problems[0].commit, &*problems[0].file),
            (1, &*named, file),
            "{problems:?}"
        );
        assert!(problems[0].reason.contains(reason), "{problems:?}");
        assert!(
            problems[0]
                .to_string()
                .starts_with(&format!("commit {}: tables/t/", &named[..10]))
        );
    };
    let board = problems_after_change(&house, 3, "state.json", |state| {
        state["board"][0] = 7.into()
    });
    one(board, "tables/t/state.json", "the moves lead to");
    let commitment = problems_after_change(&house, 1, "table.json", |table| {
        table["luck"]["commitment"] = "00".repeat(32).into()
    });
    one(
        commitment,
        "tables/t/table.json",
        "luck: the record says something else",
    );
    let order = problems_after_change(&house, 2, "state.json", |state| {
        let late = json!({ "type": "info", "text": "I was here first.", "timestamp": "2001-01-01T00:00:00Z" });
        state["messages"].as_array_mut().unwrap().push(late);
    });
    one(
        order,
        "tables/t/state.json",
        "not in the order of their times",
    );
    let old = problems_after_change(&house, 3, "state.json", |state| {
        state["updatedAt"] = "2001-01-01T00:00:00Z".into();
        state["messages"] = json!([]);
    });
    one(old, "tables/t/state.json", "it is older than in commit");
}

#[test]
fn a_game_that_goes_back_is_reported() {
    let (house, slug, _) = house_with_game();
    let mallory = house.clone_of("mallory");
    let at = &mallory.path;
    // The fourth move is taken back by a commit that holds by itself: all files are those of the
    // second.
    let (earlier, later) = (nth_state(at, 2), nth_state(at, 4));
    let named = rewrite(at, &later, &format!("{earlier}^{{tree}}"));
    let problems = check_history(at, Some(&slug), None).problems;
    let files: Vec<&str> = problems
        .iter()
        .map(|problem| problem.file.as_str())
        .collect();
    assert!(
        problems.iter().all(|problem| problem.commit == named),
        "{problems:?}"
    );
    assert_eq!(
        files.iter().filter(|file| file.contains("/moves/")).count(),
        1,
        "{problems:?}"
    );
    assert!(
        files.contains(&"tables/t/record.json") && files.contains(&"tables/t/state.json"),
        "{problems:?}"
    );
    git(at, &["rm", "--quiet", "-r", "tables/t"]);
    let gone = recommit(at, &later, &git(at, &["write-tree"]), Some("HEAD"));
    git(at, &["reset", "--quiet", "--hard", &gone]);
    let problems = check_history(at, None, None).problems;
    assert_eq!(
        problems
            .last()
            .map(|problem| (&*problem.commit, &*problem.file)),
        Some((&*gone, "tables/t"))
    );
}

#[test]
fn a_rewritten_history_is_valid_after_the_referee_restored_it() {
    let (house, slug, players) = house_with_game();
    let mallory = house.clone_of("mallory");
    let commit = nth_state(&mallory.path, 2);
    let tree = altered_tree(
        &mallory.path,
        &commit,
        &BTreeMap::from([("tables/t/board.svg".to_owned(), Some(b"<svg/>".to_vec()))]),
    );
    rewrite(&mallory.path, &commit, &tree);
    git(&mallory.path, &["push", "--quiet", "--force"]);
    let look_again = |name: &str| {
        let clone = house.clone_of(name);
        (
            check_history(&clone.path, None, None),
            check_history(&clone.path, None, Some(&house.secret)),
        )
    };
    let (without, with) = look_again("eve");
    assert_eq!(
        without.problems,
        [],
        "pictures are not compared: only the seal tells"
    );
    assert!(
        with.problems[0]
            .reason
            .contains("its seal is not this house's"),
        "{with:?}"
    );
    let said = house.referee().actions;
    assert!(said[0].contains("the history was rewritten"), "{said:?}");
    for clone in &players {
        git(&clone.path, &["fetch", "--quiet"]);
        git(&clone.path, &["reset", "--quiet", "--hard", "origin/main"]);
    }
    play_moves(&house, &slug, &players, 1);
    let (without, with) = look_again("yves");
    assert_eq!((without.problems, with.problems), (vec![], vec![]));
}

#[test]
fn unprocessed_changes_are_pending_or_reported() {
    let (house, slug, players) = house_with_game();
    let player = if house.state(&slug)["activePlayer"] == "white" {
        &players[0]
    } else {
        &players[1]
    };
    player.pull();
    let text = player.legal(&slug)[0].clone();
    let path = player.play(&slug, &text).unwrap();
    let history = check_history(&player.path, None, Some(&house.secret));
    assert_eq!(
        (history.pending, &history.problems[..]),
        (vec![path], &[][..])
    );
    player.push_file("tables/t/notes.txt", b"mine");
    let named = git(&player.path, &["rev-parse", "HEAD"]);
    player.push_file("README.md", b"Our own words.\n");
    fs::remove_file(player.path.join("house.json")).unwrap();
    player.push_all("no house");
    let last = git(&player.path, &["rev-parse", "HEAD"]);
    let history = check_history(&player.path, None, None);
    let found: Vec<(&str, &str)> = history
        .problems
        .iter()
        .map(|problem| (&*problem.commit, &*problem.file))
        .collect();
    assert_eq!(
        found,
        [(&*named, "tables/t/notes.txt"), (&*last, "house.json")]
    );
    assert!(
        history.problems[0]
            .reason
            .contains("it was added, only the referee writes it"),
        "{history:?}"
    );
    assert_eq!(
        check_history(&player.path, Some(&slug), None)
            .problems
            .len(),
        1,
        "only this table"
    );
}

#[test]
fn a_server_without_seals_may_say_that_a_move_was_taken_back() {
    let (house, _, _) = house_with_game();
    let clone = house.clone_of("server");
    let at = &clone.path;
    // The same history as a server would write it, and then a move less.
    let unsealed = |tree: &str, parent: Option<&str>, message: &str| {
        let mut command = git_in(at);
        command.args(["commit-tree", tree, "-m", message]);
        command.args(parent.into_iter().flat_map(|parent| ["-p", parent]));
        for role in ["AUTHOR", "COMMITTER"] {
            command
                .env(format!("GIT_{role}_NAME"), REFEREE_NAME)
                .env(format!("GIT_{role}_EMAIL"), REFEREE_EMAIL);
        }
        String::from_utf8(command.output().unwrap().stdout)
            .unwrap()
            .trim()
            .to_owned()
    };
    let mut tip = None;
    for n in 0..5 {
        tip = Some(unsealed(
            &format!("{}^{{tree}}", nth_state(at, n)),
            tip.as_deref(),
            "A move",
        ));
    }
    let (earlier, tip) = (nth_state(at, 3), tip.unwrap());
    let state = git(at, &["show", &format!("{earlier}:tables/t/state.json")]) + "\n";
    let mut json: Value = serde_json::from_str(&state).unwrap();
    json["updatedAt"] = house.state(&"t".parse().unwrap())["updatedAt"].clone();
    let tree = altered_tree(
        at,
        &earlier,
        &BTreeMap::from([(
            "tables/t/state.json".to_owned(),
            Some(to_pretty_json(&json)),
        )]),
    );
    let back = unsealed(
        &tree,
        Some(&tip),
        "Bob\n\n- bob: the last move was taken back\n",
    );
    git(at, &["reset", "--quiet", "--hard", &back]);
    let history = check_history(at, None, None);
    assert_eq!(
        (
            &history.problems[..],
            history.seals,
            history.referee_commits
        ),
        (&[][..], SealCheck::None, 6)
    );
    let quiet = unsealed(&tree, Some(&tip), "Nothing happened");
    git(at, &["reset", "--quiet", "--hard", &quiet]);
    assert_eq!(
        check_history(at, None, None).problems.len(),
        3,
        "the turn, the move file and the record"
    );
}

#[test]
fn a_servers_table_is_valid_with_a_takeback_and_to_its_end() {
    for game in [parlor_games::mnk::KIND, parlor_games::backgammon::KIND] {
        let keys = ["ann", "ben"].map(SeatKey::from_token);
        let players = keys
            .iter()
            .map(|key| Player::human("Ann", *key).unwrap())
            .collect();
        let secret = game.has_luck().then(|| Secret::new([7; 32]));
        let new = NewTable {
            secret,
            ..NewTable::new(TableId::new(7).unwrap(), game, json!({}), players)
        };
        let mut clock = 1_700_000_000_000;
        let mut now = || {
            clock += 1_000;
            Timestamp::from_millis(clock)
        };
        let mut table = Table::create(now(), new).unwrap();
        let mut act = |table: &mut Table, seat: usize, verb: Verb| {
            table.apply(now(), &Issuer::Key(keys[seat]), verb).unwrap()
        };
        for n in 0..5 {
            let seat = table.position().turn().seat().unwrap().index();
            let text = table.position().legal()[0].text.clone();
            act(&mut table, seat, Verb::play(&text));
            // Moves that luck has answered are not taken back.
            if n == 2 && game == parlor_games::mnk::KIND {
                act(&mut table, seat, Verb::OfferTakeback);
                act(&mut table, 1 - seat, Verb::AcceptTakeback);
            }
        }
        act(&mut table, 1, Verb::Resign);
        let root = tempfile::tempdir().unwrap();
        let (bare, clone) = (root.path().join("table.git"), root.path().join("clone"));
        fs::create_dir(&bare).unwrap();
        TableRepository::create(&bare, table.log(), &[], StopSwitch::default()).unwrap();
        git(root.path(), &["clone", "--quiet", "table.git", "clone"]);
        let history = check_history(&clone, None, None);
        let taken = if game == parlor_games::mnk::KIND {
            1
        } else {
            0
        };
        assert_eq!(
            (&history.problems[..], history.seals),
            (&[][..], SealCheck::None),
            "{game:?}"
        );
        assert_eq!(
            (history.commits, history.referee_commits),
            (8 + taken, 8 + taken),
            "set up, begun, five moves, given up"
        );
    }
}
