//! `parlor verify` on the history of a clone.
#![allow(clippy::unwrap_used, reason = "clippy sees no tests in helpers")]

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Ran, folder, git_in, parlor, run};

const SECRET: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

fn git(at: &Path, args: &[&str]) -> String {
    let done = git_in(at).args(args).output().expect("git starts");
    assert!(
        done.status.success(),
        "git {args:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
    String::from_utf8(done.stdout)
        .unwrap()
        .trim_end()
        .to_owned()
}

/// Runs the program with the referee's secret.
fn run_with_secret(args: &[&str]) -> Ran {
    parlor(args)
        .env("PARLOR_GIT_SECRET", SECRET)
        .output()
        .unwrap()
        .into()
}

#[test]
fn the_history_of_a_clone_is_verified_with_and_without_the_secret() {
    let dir = folder("git-history");
    let house = dir.join("house");
    let path = house.to_str().unwrap();
    fs::create_dir_all(&house).unwrap();
    let run_git = |args: &[&str]| {
        let ran = run_with_secret(&[&["git", "-C", path], args].concat());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
    };
    run_git(&["init"]);
    run_git(&["player", "alice", "--email", "alice@example.org"]);
    run_git(&["new", "friday", "mnk", "--players", "alice,alice"]);
    for (name, value) in [("user.name", "alice"), ("user.email", "alice@example.org")] {
        git(&house, &["config", name, value]);
    }
    for text in ["1,1", "0,0"] {
        run_git(&["move", "friday", text, "--no-push"]);
        run_git(&["referee"]);
        git(&house, &["reset", "--quiet", "--hard"]);
    }
    run_git(&["move", "friday", "2,2", "--no-push"]);
    let table = house.join("tables/friday");
    let ran = run(&["verify", path]);
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    let expected = format!(
        "{path}: history holds (8 commits, 5 by the referee, seals not checked without the referee's secret, \
         1 new move file waiting)"
    );
    assert_eq!(ran.last(), expected);
    let ran = run_with_secret(&["verify", table.to_str().unwrap()]);
    assert!(
        ran.code == Some(0) && ran.last().contains("all seals checked"),
        "{} {}",
        ran.out,
        ran.err
    );
    let ran = run(&["verify", path, "--json"]);
    let line: Value = serde_json::from_str(ran.last()).unwrap();
    assert_eq!(
        (&line["holds"], &line["answers"], &line["seals"]),
        (&true.into(), &5.into(), &"unchecked".into())
    );
    let copy = dir.join("copy/tables/friday");
    fs::create_dir_all(&copy).unwrap();
    for name in ["table.json", "record.json", "state.json"] {
        fs::copy(table.join(name), copy.join(name)).unwrap();
    }
    assert!(
        run(&["verify", copy.to_str().unwrap()])
            .last()
            .ends_with("history not checked: not a clone of a repository with games")
    );

    // Rewrite the referee's first answer with another message; only the seal reveals it.
    let all = git(&house, &["rev-list", "--reverse", "HEAD"]);
    let all: Vec<&str> = all.lines().collect();
    let message = git(&house, &["log", "-1", "--format=%B", all[4]]).replace("played", "PLAYED");
    let mut tip = all[3].to_owned();
    let mut named = String::new();
    for (n, commit) in all.iter().enumerate().skip(4) {
        let message = if n == 4 {
            message.clone()
        } else {
            git(&house, &["log", "-1", "--format=%B", commit])
        };
        let tree = format!("{commit}^{{tree}}");
        let made = git_in(&house)
            .args(["commit-tree", &tree, "-p", &tip, "-m", &message])
            .env(
                "GIT_COMMITTER_NAME",
                git(&house, &["log", "-1", "--format=%cn", commit]),
            )
            .env(
                "GIT_COMMITTER_EMAIL",
                git(&house, &["log", "-1", "--format=%ce", commit]),
            )
            .output()
            .unwrap();
        tip = String::from_utf8(made.stdout).unwrap().trim().to_owned();
        named = if n == 4 { tip[..10].to_owned() } else { named };
    }
    git(&house, &["reset", "--quiet", "--hard", &tip]);
    assert_eq!(run(&["verify", path]).code, Some(0));
    let ran = run_with_secret(&["verify", path]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.last().starts_with(&format!(
            "  commit {named}: tables: its seal is not this house's"
        )),
        "{}",
        ran.out
    );
    let nowhere = dir.join("nowhere");
    run(&["verify", path, "--secret-file", nowhere.to_str().unwrap()]).is_refused_with("nowhere");
}
