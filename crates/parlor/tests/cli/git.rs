//! `parlor git`: games in a repository, with the referee run by a hook.
#![allow(clippy::unwrap_used, reason = "clippy sees no tests in helpers")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Ran, folder, git_in, parlor, run};

const SECRET: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

fn git(path: &Path, args: &[&str]) -> String {
    let done = git_in(path).args(args).output().expect("git starts");
    assert!(
        done.status.success(),
        "git {args:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
    String::from_utf8(done.stdout).unwrap()
}

/// Runs the program in a folder with the referee's secret.
fn with_secret(at: &Path, args: &[&str]) -> String {
    let ran = parlor(&["git", "-C", at.to_str().unwrap()])
        .args(args)
        .env("PARLOR_GIT_SECRET", SECRET)
        .output()
        .unwrap();
    assert!(
        ran.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&ran.stderr)
    );
    String::from_utf8(ran.stdout).unwrap()
}

/// Creates a house in a bare repository in this folder.
fn bare_house(dir: &Path) -> PathBuf {
    let bare = dir.join("house.git");
    fs::create_dir_all(&bare).unwrap();
    git(
        &bare,
        &["init", "--quiet", "--bare", "--initial-branch=main"],
    );
    with_secret(&bare, &["init"]);
    bare
}

#[test]
fn a_game_is_played_through_a_bare_repository_with_a_hook() {
    let dir = folder("git-hook");
    let bare = bare_house(&dir);
    for name in ["alice", "bob"] {
        with_secret(
            &bare,
            &["player", name, "--email", &format!("{name}@example.org")],
        );
    }
    with_secret(
        &bare,
        &[
            "new",
            "friday",
            "backgammon",
            "--length",
            "1",
            "--players",
            "alice,bob",
        ],
    );
    let hook = bare.join("hooks/post-receive");
    let program = env!("CARGO_BIN_EXE_parlor");
    fs::write(
        &hook,
        format!("#!/bin/sh\nPARLOR_GIT_SECRET={SECRET} exec '{program}' git referee\n"),
    )
    .unwrap();
    let mut rights = fs::metadata(&hook).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut rights, 0o755);
    fs::set_permissions(&hook, rights).unwrap();
    for name in ["alice", "bob"] {
        git(&dir, &["clone", "--quiet", "house.git", name]);
        git(&dir.join(name), &["config", "user.name", name]);
        git(
            &dir.join(name),
            &["config", "user.email", &format!("{name}@example.org")],
        );
    }
    let shown = |name: &str| {
        git(&dir.join(name), &["pull", "--quiet", "--rebase"]);
        run(&[
            "git",
            "-C",
            dir.join(name).to_str().unwrap(),
            "show",
            "friday",
            "--legal",
        ])
        .out
    };
    let mut turns = 0;
    let last = loop {
        let seen = shown("alice");
        let Some(word) = seen.lines().find_map(|line| {
            line.strip_prefix("turn ")?
                .split(", ")
                .nth(1)?
                .strip_suffix(" to move")
        }) else {
            break seen;
        };
        let player = if word == "white" { "alice" } else { "bob" };
        shown(player);
        let text = seen.lines().last().unwrap();
        let ran = run(&[
            "git",
            "-C",
            dir.join(player).to_str().unwrap(),
            "move",
            "friday",
            text,
        ]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{text}");
        assert!(
            ran.out.starts_with("tables/friday/moves/") && ran.out.ends_with(", pushed\n"),
            "{}",
            ran.out
        );
        turns += 1;
        assert!(turns < 400, "the game ends");
    };
    assert!(last.contains("Game over: "), "{last}");
    let verified = run(&["verify", dir.join("alice").to_str().unwrap()]);
    assert_eq!(verified.code, Some(0), "{}", verified.out);
    assert!(verified.out.contains("derived again"), "{}", verified.out);
    let state = dir.join("alice/tables/friday/state.json");
    let checked = run(&["check", state.to_str().unwrap()]);
    assert_eq!(checked.code, Some(0), "{}", checked.out);
    let text = fs::read_to_string(&state).unwrap();
    fs::write(&state, text.replacen("\"turn\": ", "\"turn\": 1", 1)).unwrap();
    let verified = run(&["verify", dir.join("alice/tables/friday").to_str().unwrap()]);
    assert_eq!(verified.code, Some(1));
    assert!(
        verified.out.contains("state.json: line 2 says"),
        "{}",
        verified.out
    );
    git(&dir.join("alice"), &["checkout", "--quiet", "."]);
    let pages = dir.join("public");
    let ran = run(&[
        "git",
        "-C",
        dir.join("alice").to_str().unwrap(),
        "page",
        "--out",
        pages.to_str().unwrap(),
    ]);
    assert!(
        ran.out.ends_with("shows 1 table\n"),
        "{} {}",
        ran.out,
        ran.err
    );
    assert!(
        pages.join("tables/friday/steps/1.svg").is_file() && pages.join("index.html").is_file()
    );
}

#[test]
fn a_house_refuses_pushes_that_do_harm() {
    let dir = folder("git-harm");
    let bare = bare_house(&dir);
    for (name, value) in [
        ("receive.fsckObjects", "true"),
        ("transfer.fsckObjects", "true"),
        ("receive.denyNonFastForwards", "true"),
        ("receive.denyDeletes", "true"),
        ("receive.maxInputSize", "8m"),
        ("receive.hideRefs", "refs/parlor\nrefs/replace"),
    ] {
        let set = git(&bare, &["config", "--get-all", name]);
        assert_eq!(set.trim_end(), value, "{name}");
    }
    git(&dir, &["clone", "--quiet", "house.git", "clone"]);
    let clone = dir.join("clone");
    let refused = |args: &[&str], reason: &str| {
        let done = git_in(&clone).arg("push").args(args).output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(!done.status.success() && said.contains(reason), "{said}");
    };
    refused(&["origin", ":main"], "deletion prohibited");
    refused(
        &["origin", "main:refs/parlor/sealed"],
        "deny updating a hidden ref",
    );
    refused(
        &[
            "origin",
            "main:refs/replace/0123456789012345678901234567890123456789",
        ],
        "hidden ref",
    );
    let base = git(&clone, &["rev-parse", "HEAD"]);
    let commit = git(&clone, &["cat-file", "commit", "HEAD"]);
    let no_date = commit.lines().map(|line| {
        let line = line
            .strip_prefix("committer ")
            .map(|_| "committer Mallory <m@x>")
            .unwrap_or(line);
        format!("{line}\n")
    });
    let no_date: String = no_date.collect();
    fs::write(clone.join("odd"), no_date).unwrap();
    let odd = git(
        &clone,
        &["hash-object", "-t", "commit", "-w", "--literally", "odd"],
    );
    let tree = git(&clone, &["rev-parse", "HEAD^{tree}"]);
    let child = git(
        &clone,
        &[
            "-c",
            "user.name=m",
            "-c",
            "user.email=m@x",
            "commit-tree",
            tree.trim(),
            "-p",
            base.trim(),
            "-p",
            odd.trim(),
            "-m",
            "Odd",
        ],
    );
    refused(
        &["origin", &format!("{}:refs/heads/main", child.trim())],
        "missingSpaceBeforeDate",
    );
    // Doing it again does not list them twice.
    let ran = parlor(&["git", "-C", bare.to_str().unwrap(), "init"])
        .env("PARLOR_GIT_SECRET", SECRET)
        .output()
        .unwrap();
    assert!(!ran.status.success());
}

#[test]
fn a_hook_refuses_what_the_referee_would_put_back() {
    let dir = folder("git-gate");
    let bare = bare_house(&dir);
    let hook = bare.join("hooks/pre-receive");
    fs::create_dir_all(bare.join("hooks")).unwrap();
    let program = env!("CARGO_BIN_EXE_parlor");
    fs::write(
        &hook,
        format!("#!/bin/sh\nexec '{program}' git check-push\n"),
    )
    .unwrap();
    let rights = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&hook, rights).unwrap();
    git(&dir, &["clone", "--quiet", "house.git", "clone"]);
    let clone = dir.join("clone");
    for (name, value) in [("user.name", "m"), ("user.email", "m@x")] {
        git(&clone, &["config", name, value]);
    }
    let before = git(&bare, &["rev-parse", "main"]);
    // Ten thousand times ten files.
    for n in 0..10 {
        let folder = clone.join(format!("bomb/{n}"));
        fs::create_dir_all(&folder).unwrap();
        for n in 0..10 {
            fs::write(folder.join(n.to_string()), "x").unwrap();
        }
    }
    git(&clone, &["add", "."]);
    for _ in 0..4 {
        let tree = git(&clone, &["write-tree", "--prefix=bomb/"]);
        for n in 0..10 {
            git(
                &clone,
                &["rm", "-r", "--quiet", "--cached", &format!("bomb/{n}")],
            );
            git(
                &clone,
                &["read-tree", &format!("--prefix=bomb/{n}/"), tree.trim()],
            );
        }
        if git(&clone, &["ls-files"]).lines().count() > 10_100 {
            break;
        }
    }
    git(&clone, &["commit", "--quiet", "-m", "Boom"]);
    let pushed = git_in(&clone)
        .args(["push", "origin", "main"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&pushed.stderr).into_owned();
    assert!(!pushed.status.success(), "{said}");
    assert!(
        said.contains("remote: what was pushed beside the tables by m <m@x>"),
        "{said}"
    );
    assert!(said.contains("more than 10000 files"), "{said}");
    assert_eq!(git(&bare, &["rev-parse", "main"]), before);
    git(&clone, &["reset", "--quiet", "--hard", "origin/main"]);
    fs::write(clone.join("words.txt"), "Ours.\n").unwrap();
    git(&clone, &["add", "words.txt"]);
    git(&clone, &["commit", "--quiet", "-m", "Words"]);
    git(&clone, &["push", "--quiet", "origin", "main"]);
}

#[test]
fn invalid_calls_are_refused_in_one_sentence() {
    let dir = folder("git-refused");
    let house = dir.join("house");
    let path = house.to_str().unwrap();
    let refused = |args: &[&str], reason: &str| {
        let ran = run(&[&["git", "-C", path], args].concat());
        assert_eq!(ran.code, Some(2), "{args:?}");
        assert!(ran.err.contains(reason), "{args:?}: {}", ran.err);
    };
    refused(&["log"], "there are no tables here");
    refused(&["referee"], "cannot change to");
    fs::create_dir_all(&house).unwrap();
    let secretly = parlor(&["git", "-C", path, "referee"])
        .env("PARLOR_GIT_SECRET", SECRET)
        .output()
        .unwrap();
    let said = String::from_utf8(secretly.stderr).unwrap();
    // The tests may or may not run inside a repository.
    assert!(
        said.contains("is inside a repository but not its top folder")
            || said.contains("not a git repository"),
        "{said}"
    );
    refused(
        &["init"],
        "the referee has no secret: set PARLOR_GIT_SECRET or pass --secret-file",
    );
    let secret = dir.join("secret");
    let ran = run(&[
        "git",
        "-C",
        path,
        "init",
        "--secret-file",
        secret.to_str().unwrap(),
    ]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(
        house.join(".git").is_dir(),
        "a repository of its own, even inside another"
    );
    assert!(house.join("house.json").is_file() && house.join("schemas/state.json").is_file());
    let with = ["--secret-file", secret.to_str().unwrap()];
    let refuse = |args: &[&str], reason: &str| refused(&[args, &with].concat(), reason);
    refuse(&["init"], "this repository is already a house");
    refuse(
        &["player", "a b", "--email", "a@b"],
        "a player's name has 1 to 40 characters",
    );
    refuse(
        &["new", "Friday!", "mnk", "--players", "a,b"],
        "a table's name has 1 to 40 characters",
    );
    refuse(
        &["new", "friday", "mnk", "--players", "a,b"],
        "a is not a player of this house",
    );
    refuse(
        &["referee", "--branch=--upload-pack=x"],
        "is not a valid branch name",
    );
    refused(&["move", "friday", "1,1"], "there is no table friday here");
    refused(&["show", "friday"], "there is no table friday here");
    fs::write(dir.join("other"), "zz\n").unwrap();
    let other = dir.join("other");
    refused(
        &["referee", "--secret-file", other.to_str().unwrap()],
        "a secret is 64 hexadecimal digits",
    );
    fs::write(&other, format!("{SECRET}\n")).unwrap();
    refused(
        &["referee", "--secret-file", other.to_str().unwrap()],
        "no commit on main has this referee's seal",
    );
}

/// Creates a `git` that kills its caller on the n-th call.
fn deadly(dir: &Path, n: usize) -> PathBuf {
    let bin = dir.join(format!("bin-{n}"));
    fs::create_dir_all(&bin).unwrap();
    let real = Command::new("sh")
        .args(["-c", "command -v git"])
        .output()
        .unwrap();
    let real = String::from_utf8(real.stdout).unwrap();
    let (real, count) = (real.trim(), bin.join("count"));
    let count = count.display();
    let script = format!(
        "#!/bin/sh\necho x >> '{count}'\n[ \"$(wc -l < '{count}')\" -eq {n} ] && kill -9 $PPID && exit 1\nexec '{real}' \"$@\"\n"
    );
    let path = bin.join("git");
    fs::write(&path, script).unwrap();
    let mut rights = fs::metadata(&path).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut rights, 0o755);
    fs::set_permissions(&path, rights).unwrap();
    bin
}

#[test]
fn a_referee_killed_at_any_step_is_completed_by_the_next_run() {
    let dir = folder("git-killed");
    let bare = bare_house(&dir);
    with_secret(&bare, &["player", "alice", "--email", "alice@example.org"]);
    with_secret(
        &bare,
        &["new", "friday", "backgammon", "--players", "alice,alice"],
    );
    git(&dir, &["clone", "--quiet", "house.git", "alice"]);
    let clone = dir.join("alice");
    git(&clone, &["config", "user.name", "alice"]);
    git(&clone, &["config", "user.email", "alice@example.org"]);
    let at = clone.to_str().unwrap();
    let seen = run(&["git", "-C", at, "show", "friday", "--legal"]).out;
    let played = run(&[
        "git",
        "-C",
        at,
        "move",
        "friday",
        seen.lines().last().unwrap(),
    ]);
    assert_eq!((played.code, played.err.as_str()), (Some(0), ""));
    let tip = |at: &Path| git(at, &["rev-parse", "main"]);
    let copy = |name: &str| {
        git(&dir, &["clone", "--quiet", "--mirror", "house.git", name]);
        dir.join(name)
    };
    let expected = {
        let whole = copy("whole.git");
        with_secret(&whole, &["referee"]);
        tip(&whole)
    };
    let mut killed = 0;
    for n in 1.. {
        let place = copy(&format!("killed-{n}.git"));
        let bin = deadly(&dir, n);
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
        let ran = parlor(&["git", "-C", place.to_str().unwrap(), "referee"])
            .env("PARLOR_GIT_SECRET", SECRET)
            .env("PATH", path)
            .output()
            .unwrap();
        with_secret(&place, &["referee"]);
        assert_eq!(tip(&place), expected, "killed at step {n}");
        git(&place, &["fsck", "--strict"]);
        fs::remove_dir_all(&place).unwrap();
        if ran.status.success() {
            break;
        }
        killed += 1;
    }
    assert!(killed > 10, "{killed}");
}

#[test]
fn the_work_tree_is_updated_after_the_referee() {
    let house = folder("git-files").join("house");
    fs::create_dir_all(&house).unwrap();
    git(&house, &["init", "--quiet", "--initial-branch=main"]);
    with_secret(&house, &["init"]);
    with_secret(&house, &["player", "ann", "--email", "ann@example.org"]);
    with_secret(
        &house,
        &["new", "friday", "mnk", "--players", "ann,bot:level:1"],
    );
    git(&house, &["config", "user.name", "Ann"]);
    git(&house, &["config", "user.email", "ann@example.org"]);
    with_secret(&house, &["move", "friday", "1,1", "--no-push"]);
    let said = with_secret(&house, &["referee"]);
    assert!(said.contains("answered by commit"), "{said}");
    let state: serde_json::Value =
        serde_json::from_slice(&fs::read(house.join("tables/friday/state.json")).unwrap()).unwrap();
    assert_eq!(state["lastMove"]["sequence"], 2, "hers and the bot's");
    assert_eq!(git(&house, &["status", "--porcelain"]), "");
}

#[test]
fn a_house_in_a_new_repository_takes_the_place_of_its_empty_branch() {
    let house = folder("git-trunk").join("house");
    fs::create_dir_all(&house).unwrap();
    git(&house, &["init", "--quiet", "--initial-branch=trunk"]);
    with_secret(&house, &["init"]);
    with_secret(&house, &["player", "ann", "--email", "ann@example.org"]);
    with_secret(&house, &["new", "t", "mnk", "--players", "ann,bot:random"]);
    let head = git(&house, &["symbolic-ref", "HEAD"]);
    assert_eq!(head.trim(), "refs/heads/main");
    assert_eq!(git(&house, &["status", "--porcelain"]), "");
    assert!(house.join("tables/t/state.json").exists());
    let log = with_secret(&house, &["log"]);
    assert!(log.contains('t'), "{log}");
}

#[test]
fn a_repository_of_another_user_is_opened_only_if_git_is_told_that_it_is_safe() {
    let dir = folder("git-owner");
    let (house, home) = (dir.join("house"), dir.join("home"));
    for folder in [&house, &home] {
        fs::create_dir_all(folder).unwrap();
    }
    with_secret(&house, &["init"]);
    let referee = || -> Ran {
        parlor(&["git", "-C", house.to_str().unwrap(), "referee"])
            .env("PARLOR_GIT_SECRET", SECRET)
            // Git's own tests pretend with this variable that all files belong to somebody else.
            .env("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
            .env_remove("GIT_CONFIG_GLOBAL")
            .env("HOME", &home)
            .output()
            .unwrap()
            .into()
    };
    let refused = referee();
    assert!(
        refused.code == Some(2) && refused.err.contains("dubious ownership"),
        "{}",
        refused.err
    );
    let settings = format!("[safe]\n\tdirectory = {}\n", house.display());
    fs::write(home.join(".gitconfig"), settings).unwrap();
    let ran = referee();
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}
