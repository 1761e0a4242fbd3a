//! The settings of the person who runs the referee do not matter.

use std::fs;
use std::path::{Path, PathBuf};

use parlor_git::Repository;
use parlor_git::house::HouseBranch;
use parlor_git::referee::{RefereeReport, run};
use serde_json::json;

use crate::house::{House, git};

/// Creates a home folder with settings that change what git writes, prints and runs.
fn hostile_home(dir: &Path) -> PathBuf {
    let home = dir.join("home");
    let hooks = home.join("hooks");
    let attributes = home.join(".config/git/attributes");
    for folder in [&hooks, attributes.parent().unwrap()] {
        fs::create_dir_all(folder).unwrap();
    }
    let settings = format!(
        "[commit]\n\tgpgSign = true\n\
         [core]\n\thooksPath = {hooks}\n\tautocrlf = true\n\tlogAllRefUpdates = always\n\
         [gpg]\n\tformat = ssh\n\tprogram = /nonexistent/gpg\n\
         [gpg \"ssh\"]\n\tprogram = /nonexistent/ssh-keygen\n\
         [i18n]\n\tcommitEncoding = latin1\n\tlogOutputEncoding = utf-16\n\
         [init]\n\tdefaultBranch = odd\n\
         [log]\n\tshowSignature = true\n\
         [safe]\n\tbareRepository = explicit\n\
         [user]\n\tuseConfigOnly = true\n",
        hooks = hooks.display()
    );
    fs::write(home.join(".gitconfig"), settings).unwrap();
    fs::write(attributes, "* text eol=crlf\n").unwrap();
    for name in ["post-checkout", "post-index-change", "pre-push"] {
        let hook = hooks.join(name);
        let trace = home.join("hook-ran");
        fs::write(
            &hook,
            format!("#!/bin/sh\ntouch '{}'\nexit 1\n", trace.display()),
        )
        .unwrap();
        let mut rights = fs::metadata(&hook).unwrap().permissions();
        std::os::unix::fs::PermissionsExt::set_mode(&mut rights, 0o755);
        fs::set_permissions(&hook, rights).unwrap();
    }
    home
}

#[test]
fn the_settings_of_the_referee_s_user_change_nothing() {
    let house = House::open(&["alice", "bob"]);
    let slug = house.table("t", parlor_games::mnk::KIND, json!({}), &["alice", "bob"]);
    let alice = house.clone_of("alice");
    // Without this file only the settings decide about line endings.
    fs::remove_file(alice.path.join(".gitattributes")).unwrap();
    alice.push_all("no attributes");
    alice.play(&slug, "1,1").unwrap();

    let home = hostile_home(house.dir.path());
    let copy = |options: &[&str], from: &str, name: &str| {
        let args = [&["clone", "--quiet"], options, &[from, name]].concat();
        git(house.dir.path(), &args);
        Repository::open(&house.dir.path().join(name))
            .unwrap()
            .with_env("HOME", &home)
            .with_env("XDG_CONFIG_HOME", home.join(".config"))
    };
    let bare = copy(&["--mirror"], "house.git", "bare.git");
    let desk = copy(&[], "house.git", "desk");
    let remote = copy(&["--mirror"], "house.git", "remote.git");
    let job = copy(&[], "remote.git", "job");
    let referee = |repository: &Repository, remote: Option<&str>| -> RefereeReport {
        let branch = HouseBranch {
            repository: repository.clone(),
            name: "main".to_owned(),
            remote: remote.map(str::to_owned),
        };
        run(&branch, &house.secret, &house.context()).unwrap()
    };
    let expected = house.referee();
    assert!(expected.commit.is_some());
    assert_eq!(referee(&bare, None), expected, "in a bare repository");
    assert_eq!(referee(&desk, None), expected, "in a work tree");
    assert_eq!(referee(&job, Some("origin")), expected, "with a remote");
    assert_eq!(
        git(remote.path(), &["rev-parse", "main"]),
        expected.commit.unwrap()
    );

    assert!(desk.refresh_work_tree("main"));
    let written = fs::read(desk.path().join(slug.file("state.json"))).unwrap();
    assert_eq!(written, house.folder(&slug).files["state.json"]);
    assert!(!home.join("hook-ran").exists());
    let reflog = git(
        desk.path(),
        &["log", "-1", "--walk-reflogs", "--format=%gn", "main"],
    );
    assert_eq!(reflog, "Parlor referee");

    let setting = desk.run_as_user(&["config", "commit.gpgSign"]).unwrap();
    assert_eq!(setting, "true", "a player's own commands do read them");
}
