//! The referee goes on after any push: it says what was wrong, and the tables are played.

use parlor_games::mnk;
use parlor_git::history::check;
use parlor_git::paths::Slug;
use serde_json::json;

use crate::house::{Clone, House, git, git_in, open_repository};

/// A house with two tables, its players and somebody else.
fn house() -> (House, [Slug; 2], [Clone; 3]) {
    let house = House::open(&["alice", "bob"]);
    let slugs =
        ["one", "two"].map(|name| house.table(name, mnk::KIND, json!({}), &["alice", "bob"]));
    let clones = ["alice", "bob", "mallory"].map(|name| house.clone_of(name));
    (house, slugs, clones)
}

/// Plays a move at each table and checks that both are as good as before.
#[track_caller]
fn assert_goes_on(house: &House, slugs: &[Slug; 2], players: &[Clone]) {
    for slug in slugs {
        let turn = house.state(slug)["turn"].as_u64().unwrap();
        let player = &players[if turn % 2 == 1 { 0 } else { 1 }];
        player.pull();
        let text = player.legal(slug)[0].clone();
        player.play(slug, &text).unwrap();
        house.referee();
        assert_eq!(
            house.state(slug)["turn"],
            turn + 1,
            "{}",
            house.last_message(slug)
        );
        assert_eq!(house.verify(slug).problems, []);
    }
    let look = house.dir.path().join("look");
    git(house.dir.path(), &["clone", "--quiet", "house.git", "look"]);
    for secret in [None, Some(&house.secret)] {
        let history = check(&open_repository(&look), None, secret).unwrap();
        assert_eq!(history.problems, []);
    }
    std::fs::remove_dir_all(look).unwrap();
}

#[track_caller]
fn assert_told(house: &House, words: &[&str]) {
    let report = house.referee();
    let told = report.actions.join("\n");
    assert!(words.iter().all(|word| told.contains(word)), "{told}");
    let message = git(
        house.branch.repository.path(),
        &["log", "-1", "--format=%B", "main"],
    );
    assert!(words.iter().all(|word| message.contains(word)), "{message}");
}

#[test]
fn names_of_the_repository_itself_are_taken_back() {
    let (house, slugs, clones) = house();
    let mallory = &clones[2];
    let config = mallory.raw("blob", b"[core]\n\tfsmonitor = touch /tmp/pwned\n");
    let folder = mallory.raw_tree(&[("100644", b"config", &config)]);
    let link = mallory.raw("blob", b"/etc/passwd");
    for (mode, name, id) in [
        ("40000", &b".git"[..], &folder),
        ("40000", b".GIT", &folder),
        ("100644", b"..", &config),
        ("100644", b"git~1", &config),
        ("120000", b".gitmodules", &link),
        ("100644", &[b'n'; 300], &config),
        ("777777", b"mode", &config),
    ] {
        mallory.fetch();
        let commit = mallory.commit_of_tree(&mallory.top_with(mode, name, id));
        assert!(mallory.offer(&commit), "{mode} {name:?}");
        assert_told(
            &house,
            &["mallory@example.org", "beside the tables", "taken back"],
        );
        let names = git(
            house.branch.repository.path(),
            &["ls-tree", "--name-only", "main"],
        );
        let name = String::from_utf8_lossy(name);
        assert!(!names.lines().any(|line| line == name), "{names}");
    }
    assert_goes_on(&house, &slugs, &clones);
    // Among the tables.
    mallory.fetch();
    let tables = mallory.raw_tree(&[("40000", b".git", &folder), ("100644", b"\xff", &config)]);
    let commit = mallory.commit_of_tree(&mallory.top_with("40000", b"tables", &tables));
    assert!(mallory.offer(&commit));
    assert_told(
        &house,
        &["tables/.git/config was added by Mallory", "taken back"],
    );
    assert_goes_on(&house, &slugs, &clones);
}

#[test]
fn trees_that_are_none_are_taken_back() {
    let (house, slugs, clones) = house();
    let mallory = &clones[2];
    let file = mallory.raw("blob", b"x");
    let twice = mallory.raw_tree(&[("100644", b"a", &file), ("100644", b"a", &file)]);
    let unsorted = mallory.raw_tree(&[("100644", b"b", &file), ("100644", b"a", &file)]);
    let mut top = Vec::new();
    for id in [&twice, &unsorted] {
        top.push(mallory.top_with("40000", b"folder", id));
    }
    top.push(mallory.raw_tree(&[]));
    top.push(mallory.top_with("100644", b"tables", &file));
    top.push(mallory.top_with("100644", b"house.json", &file));
    let mut offered = 0;
    for tree in top {
        mallory.fetch();
        if mallory.offer(&mallory.commit_of_tree(&tree)) {
            offered += 1;
            assert_told(&house, &["taken back"]);
        }
    }
    assert!(offered >= 3, "{offered}");
    assert_goes_on(&house, &slugs, &clones);
    // Objects that git accepts from nobody are put into the repository itself.
    let bare = house.branch.repository.path();
    let own = Clone {
        path: bare.to_owned(),
        repository: house.branch.repository.clone(),
    };
    let sound = git(bare, &["ls-tree", "-r", "main"]);
    for bytes in [
        &b"garbage"[..],
        b"100644 a\0short",
        b"40000 \0aaaaaaaaaaaaaaaaaaaa",
    ] {
        let tree = own.raw("tree", bytes);
        for tree in [
            tree.clone(),
            own.top_with("40000", b"tables", &tree),
            own.top_with("40000", b"x", &tree),
        ] {
            let commit = own.raw_commit(&tree, b"committer M <m@x> 1 +0000\n\nGarbage\n");
            git(bare, &["update-ref", "refs/heads/main", &commit]);
            assert_told(&house, &["taken back", "a folder is no list of files"]);
        }
    }
    for tree in ["0".repeat(40), file.clone()] {
        let commit = own.raw_commit(&tree, b"committer M <m@x> 1 +0000\n\nNo tree\n");
        git(bare, &["update-ref", "refs/heads/main", &commit]);
        assert_told(&house, &["taken back"]);
    }
    // Git cannot send this history to anybody, but the files are there.
    assert_eq!(git(bare, &["ls-tree", "-r", "main"]), sound);
}

#[test]
fn odd_commits_are_read_and_their_moves_are_played() {
    let (house, slugs, clones) = house();
    let (alice, mallory) = (&clones[0], &clones[2]);
    let long = [
        b"committer M <m@x> 1 +0000\n\n".as_slice(),
        &vec![b'm'; 300 << 10],
    ]
    .concat();
    let odd: [&[u8]; 10] = [
        b"committer Mallory <m@x>\n\nNo date\n",
        b"committer Mallory\n\nNo address\n",
        b"committer <> 1 +0000\n\nNobody\n",
        b"committer M <m@x> 99999999999999999999 +9999\n\nLate\n",
        b"committer M <m@x> -1 -0000\n\nEarly\n",
        b"committer M\xff\xfe <m@x> 1 +0000\nencoding utf-16\n\n\xff\xfe\n",
        b"committer M <m@x> 1 +0000\n\nA NUL: \0 and more\n",
        b"\nNothing\n",
        b"committer M <m@x> 1 +0000\n\nParlor-Seal: 00\n",
        &long,
    ];
    let mut offered = 0;
    for rest in odd {
        mallory.fetch();
        let tree = git(&mallory.path, &["rev-parse", "HEAD^{tree}"]);
        offered += usize::from(mallory.offer(&mallory.raw_commit(&tree, rest)));
        house.referee();
    }
    assert!(offered >= 8, "{offered}");
    assert_goes_on(&house, &slugs, &clones);
    // A move counts, whatever else is odd about its commit.
    alice.pull();
    let text = alice.legal(&slugs[0])[0].clone();
    let wanted = parlor_git::player::PlayRequest {
        table: &slugs[0],
        text: &text,
        seat: None,
        comment: None,
        remote: None,
        now: crate::house::BEGIN,
    };
    let turn = house.state(&slugs[0])["turn"].as_u64().unwrap();
    let player = if turn % 2 == 1 { "alice" } else { "bob" };
    parlor_git::player::play(&alice.repository, &wanted).unwrap();
    let tree = git(&alice.path, &["rev-parse", "HEAD^{tree}"]);
    git(&alice.path, &["reset", "--quiet", "--hard", "HEAD~1"]);
    let rest = format!("committer {player} <{player}@example.org>\n\nNo date\n");
    assert!(alice.offer(&alice.raw_commit(&tree, rest.as_bytes())));
    house.referee();
    assert_eq!(
        house.state(&slugs[0])["turn"],
        turn + 1,
        "{}",
        house.last_message(&slugs[0])
    );
    assert_goes_on(&house, &slugs, &clones);
}

#[test]
fn a_deleted_branch_is_put_back() {
    let (house, slugs, clones) = house();
    assert_goes_on(&house, &slugs, &clones);
    let tip = house.tip();
    git(
        house.branch.repository.path(),
        &["update-ref", "-d", "refs/heads/main"],
    );
    let report = house.referee();
    assert_eq!(
        report.actions,
        ["the branch main was deleted: it is back as the referee left it"]
    );
    assert_eq!(house.tip(), tip);
    assert_goes_on(&house, &slugs, &clones);
    // A branch of the same name with nothing of the house.
    git(
        house.branch.repository.path(),
        &["update-ref", "-d", "refs/heads/main"],
    );
    let empty = clones[2].raw_tree(&[]);
    let root = clones[2].raw("commit", format!("tree {empty}\n\n").as_bytes());
    if clones[2].offer(&root) {
        assert_told(&house, &["the history was rewritten"]);
    } else {
        house.referee();
    }
    assert_goes_on(&house, &slugs, &clones);
}

#[test]
fn a_branch_at_an_object_that_is_no_commit_is_put_back() {
    let (house, slugs, clones) = house();
    assert_goes_on(&house, &slugs, &clones);
    let bare = house.branch.repository.path();
    let own = Clone {
        path: bare.to_owned(),
        repository: house.branch.repository.clone(),
    };
    // Git takes neither from anybody, nor moves a branch there.
    let put = |id: &str| std::fs::write(bare.join("refs/heads/main"), format!("{id}\n")).unwrap();
    let tip = house.tip();
    let tree = git(bare, &["rev-parse", "main^{tree}"]);
    let none = own.raw("commit", b"nothing here");
    put(&none);
    let report = house.referee();
    assert_eq!(
        report.actions,
        [format!(
            "the branch main was put at {}, which is no commit: it is back as the referee left it",
            &none[..10]
        )]
    );
    assert_eq!(house.tip(), tip);
    assert_goes_on(&house, &slugs, &clones);
    let on_top = format!(
        "tree {tree}\nparent {none}\nauthor M <m@x> 1 +0000\ncommitter M <m@x> 1 +0000\n\nOn top\n"
    );
    put(&own.raw("commit", on_top.as_bytes()));
    assert_told(&house, &["git cannot read the history", "cannot be listed"]);
    assert_eq!(house.referee().actions, [""; 0]);
    assert_goes_on(&house, &slugs, &clones);
}

#[test]
fn replacements_of_objects_count_for_nobody() {
    let (house, slugs, clones) = house();
    let mallory = &clones[2];
    let empty = mallory.raw_tree(&[]);
    let other = mallory.commit_of_tree(&empty);
    let ids = ["main", "main^{tree}"].map(|name| git(&mallory.path, &["rev-parse", name]));
    for (id, new) in ids.iter().zip([&other, &empty]) {
        git(
            &mallory.path,
            &["update-ref", &format!("refs/replace/{id}"), new],
        );
    }
    git(
        &mallory.path,
        &["push", "--quiet", "origin", "refs/replace/*:refs/replace/*"],
    );
    assert_goes_on(&house, &slugs, &clones);
}

#[test]
fn only_its_player_can_withdraw_a_move() {
    let (house, slugs, clones) = house();
    let [alice, _, mallory] = &clones;
    let remove = |clone: &Clone| {
        clone.pull();
        git(&clone.path, &["rm", "--quiet", "-r", "tables/one/moves"]);
        clone.push_all("gone");
    };
    alice.play(&slugs[0], "1,1").unwrap();
    remove(alice);
    house.referee();
    assert_eq!(
        house.state(&slugs[0])["turn"],
        1,
        "she has changed her mind"
    );
    alice.play(&slugs[0], "0,0").unwrap();
    remove(mallory);
    house.referee();
    assert_eq!(house.state(&slugs[0])["turn"], 2);
    assert_goes_on(&house, &slugs, &clones);
    // Nor does it help to push garbage before the referee has looked.
    mallory.fetch();
    let empty = mallory.raw_tree(&[]);
    let turn = house.state(&slugs[0])["turn"].as_u64().unwrap();
    let player = &clones[if turn % 2 == 1 { 0 } else { 1 }];
    player.pull();
    let text = player.legal(&slugs[0])[0].clone();
    player.play(&slugs[0], &text).unwrap();
    mallory.fetch();
    assert!(mallory.offer(&mallory.commit_of_tree(&empty)));
    assert_told(&house, &[".json played", "taken back"]);
    assert_eq!(house.state(&slugs[0])["turn"], turn + 1);
    assert_goes_on(&house, &slugs, &clones);
}

#[test]
fn what_only_a_merge_contains_comes_from_the_merge() {
    let (house, slugs, clones) = house();
    let [alice, _, mallory] = &clones;
    // Mallory's merge adds a move of Alice's, who then pushes something else on top.
    let wanted = parlor_git::player::PlayRequest {
        table: &slugs[0],
        text: "1,1",
        seat: None,
        comment: None,
        remote: None,
        now: crate::house::BEGIN,
    };
    git(&mallory.path, &["checkout", "--quiet", "-b", "side"]);
    std::fs::write(mallory.path.join("words.txt"), "x").unwrap();
    git(&mallory.path, &["add", "words.txt"]);
    git(&mallory.path, &["commit", "--quiet", "-m", "words"]);
    git(&mallory.path, &["checkout", "--quiet", "main"]);
    parlor_git::player::play(&mallory.repository, &wanted).unwrap();
    git(&mallory.path, &["reset", "--quiet", "--soft", "HEAD~1"]);
    let tree = git(&mallory.path, &["write-tree"]);
    let head = git(&mallory.path, &["rev-parse", "HEAD"]);
    let side = git(&mallory.path, &["rev-parse", "side"]);
    let merge = format!(
        "tree {tree}\nparent {head}\nparent {side}\nauthor m <m@x> 1 +0000\ncommitter m <m@x> 1 +0000\n\nMerge\n"
    );
    assert!(mallory.offer(&mallory.raw("commit", merge.as_bytes())));
    alice.push_file("hello.txt", b"hello");
    house.referee();
    assert_eq!(house.state(&slugs[0])["turn"], 1);
    let said = house.last_message(&slugs[0]);
    assert!(
        said.contains("rejected: x is alice, but the commit comes from m <m@x>"),
        "{said}"
    );
}

#[test]
fn a_check_names_what_is_wrong_and_goes_on() {
    let (house, slugs, clones) = house();
    assert_goes_on(&house, &slugs, &clones);
    let mallory = &clones[2];
    mallory.fetch();
    let tables = mallory.raw("tree", b"garbage");
    let top = mallory.top_with("40000", b"tables", &tables);
    let garbage = mallory.commit_of_tree(&top);
    let long = [
        b"committer M <m@x> 1 +0000\n\n".as_slice(),
        &vec![b'm'; 300 << 10],
    ]
    .concat();
    git(&mallory.path, &["update-ref", "HEAD", &garbage]);
    let last = mallory.raw_commit(&top, &long);
    git(&mallory.path, &["update-ref", "HEAD", &last]);
    let history = check(&mallory.repository, None, Some(&house.secret)).unwrap();
    let told: Vec<String> = history.problems.iter().map(ToString::to_string).collect();
    let of = |commit: &str, rest: &str| format!("commit {}: {rest}", &commit[..10]);
    let named = [
        of(&last, "the commit: it has 307"),
        of(&garbage, "tables: a folder is no list of files"),
    ];
    for named in named {
        assert!(
            told.iter().any(|line| line.starts_with(&named)),
            "{named}: {told:#?}"
        );
    }
    assert_eq!(told.len(), 2, "{told:#?}");
    assert!(history.referee_commits > 4, "the rest was checked");
    let fsck = git_in(&mallory.path)
        .args(["log", "--format=%H"])
        .output()
        .unwrap();
    assert!(fsck.status.success());
}
