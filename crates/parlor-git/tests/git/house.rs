//! Test fixture: a house in a bare repository, and clones of its players.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use parlor_games::GameKind;
use parlor_git::folder::TableFolder;
use parlor_git::house::{HouseBranch, add_player, create_house, create_table};
use parlor_git::paths::Slug;
use parlor_git::player::{PlayRequest, play, position, read_folder};
use parlor_git::referee::{RefereeReport, RunContext, run};
use parlor_git::refereed_table::TableSetup;
use parlor_git::verify::{FolderReport, verify};
use parlor_git::{HouseSecret, Identity, Person, Repository};
use parlor_table::TableId;
use serde_json::Value;
use tempfile::TempDir;

/// Time at which the house is created. Players' commits come later, by the system clock.
pub const BEGIN: i64 = 1_700_000_000;

pub struct House {
    pub dir: TempDir,
    pub secret: HouseSecret,
    pub branch: HouseBranch,
}

pub struct Clone {
    pub path: PathBuf,
    pub repository: Repository,
}

/// Variables that make git ignore the settings of the tester and the machine.
const NO_USER_SETTINGS: [(&str, &str); 2] = [
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
];

/// Returns a call of git in a folder without the tester's settings.
pub fn git_in(path: &Path) -> Command {
    let mut command = Command::new("git");
    command.envs(NO_USER_SETTINGS).arg("-C").arg(path);
    command
}

/// Opens a repository without the tester's settings, even for what a player does.
pub fn open_repository(path: &Path) -> Repository {
    NO_USER_SETTINGS.iter().fold(
        Repository::open(path).unwrap(),
        |repository, (name, value)| repository.with_env(name, value),
    )
}

/// Runs git and returns its output.
pub fn git(path: &Path, args: &[&str]) -> String {
    let done = git_in(path).args(args).output().expect("git starts");
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

impl House {
    pub fn open(people: &[&str]) -> House {
        House::known_by(Identity::Email, people)
    }

    pub fn known_by(identity: Identity, people: &[&str]) -> House {
        let dir = tempfile::tempdir().unwrap();
        let bare = dir.path().join("house.git");
        fs::create_dir(&bare).unwrap();
        git(
            &bare,
            &["init", "--quiet", "--bare", "--initial-branch=main"],
        );
        let secret = HouseSecret::new([7; 32]);
        let repository = open_repository(&bare);
        let branch = HouseBranch {
            repository,
            name: "main".to_owned(),
            remote: None,
        };
        create_house(&branch, &secret, identity, BEGIN).unwrap();
        for name in people {
            let known = Person {
                emails: vec![format!("{name}@example.org")],
                actors: vec![format!("{name}-there")],
                keys: Vec::new(),
            };
            add_player(&branch, &secret, name, &known, BEGIN).unwrap();
        }
        House {
            dir,
            secret,
            branch,
        }
    }

    pub fn table(&self, slug: &str, game: GameKind, options: Value, players: &[&str]) -> Slug {
        let slug: Slug = slug.parse().unwrap();
        let number = slug
            .as_str()
            .bytes()
            .fold(1, |sum, byte| sum * 31 % 1_000_003 + u64::from(byte));
        let invitation = TableSetup {
            table: TableId::new(number).unwrap(),
            game,
            options,
            players: players.iter().map(|name| (*name).to_owned()).collect(),
            now: BEGIN,
        };
        create_table(&self.branch, &self.secret, &slug, &invitation).unwrap();
        slug
    }

    pub fn clone_of(&self, name: &str) -> Clone {
        let path = self.dir.path().join(name);
        git(self.dir.path(), &["clone", "--quiet", "house.git", name]);
        git(&path, &["config", "user.name", name]);
        git(
            &path,
            &["config", "user.email", &format!("{name}@example.org")],
        );
        let repository = open_repository(&path);
        Clone { path, repository }
    }

    pub fn context(&self) -> RunContext {
        RunContext {
            actor: None,
            now: i64::MAX,
        }
    }

    /// Runs the referee in the bare repository, as a hook does.
    pub fn referee(&self) -> RefereeReport {
        let report = run(&self.branch, &self.secret, &self.context()).unwrap();
        assert_eq!(report.problems, Vec::<String>::new());
        report
    }

    /// Runs the referee as a CI job does, with only a fresh clone.
    pub fn referee_by_job(&self) -> RefereeReport {
        let job = tempfile::tempdir().unwrap();
        git(
            self.dir.path(),
            &[
                "clone",
                "--quiet",
                "house.git",
                job.path().join("job").to_str().unwrap(),
            ],
        );
        let repository = open_repository(&job.path().join("job"));
        let branch = HouseBranch {
            repository,
            name: "main".to_owned(),
            remote: Some("origin".to_owned()),
        };
        run(&branch, &self.secret, &self.context()).unwrap()
    }

    pub fn tip(&self) -> String {
        git(self.branch.repository.path(), &["rev-parse", "main"])
    }

    /// Returns the table's folder in a fresh clone.
    pub fn folder(&self, slug: &Slug) -> TableFolder {
        let dir = tempfile::tempdir().unwrap();
        git(
            self.dir.path(),
            &[
                "clone",
                "--quiet",
                "house.git",
                dir.path().join("look").to_str().unwrap(),
            ],
        );
        read_folder(&dir.path().join("look").join(slug.file(""))).unwrap()
    }

    pub fn state(&self, slug: &Slug) -> Value {
        self.folder(slug).read("state.json").unwrap()
    }

    pub fn verify(&self, slug: &Slug) -> FolderReport {
        verify(&self.folder(slug))
    }

    /// Returns the text of the table's last message.
    pub fn last_message(&self, slug: &Slug) -> String {
        let state = self.state(slug);
        state["messages"].as_array().unwrap().last().unwrap()["text"]
            .as_str()
            .unwrap()
            .to_owned()
    }
}

impl Clone {
    pub fn pull(&self) {
        git(&self.path, &["pull", "--quiet", "--rebase"]);
    }

    pub fn folder(&self, slug: &Slug) -> TableFolder {
        read_folder(&self.path.join(slug.file(""))).unwrap()
    }

    pub fn play(&self, slug: &Slug, text: &str) -> Result<String, String> {
        self.pull();
        let wanted = PlayRequest {
            table: slug,
            text,
            seat: None,
            comment: None,
            remote: Some("origin"),
            now: BEGIN + 60,
        };
        play(&self.repository, &wanted).map_err(|error| error.to_string())
    }

    /// Returns the legal moves in the clone's current position.
    pub fn legal(&self, slug: &Slug) -> Vec<String> {
        position(&self.folder(slug))
            .unwrap()
            .0
            .legal()
            .into_iter()
            .map(|legal| legal.text)
            .collect()
    }

    /// Writes a file, commits it and pushes.
    pub fn push_file(&self, path: &str, bytes: &[u8]) {
        self.pull();
        let file = self.path.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, bytes).unwrap();
        self.push_all("a file");
    }

    /// Commits everything and pushes.
    pub fn push_all(&self, title: &str) {
        git(&self.path, &["add", "--all", "."]);
        git(&self.path, &["commit", "--quiet", "-m", title]);
        git(&self.path, &["push", "--quiet", "origin", "HEAD"]);
    }
}
