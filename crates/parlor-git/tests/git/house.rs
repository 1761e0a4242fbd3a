//! A house in a bare repository, and players with clones of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use parlor_games::GameKind;
use parlor_git::folder::Folder;
use parlor_git::house::{Place, add_player, init, new_table};
use parlor_git::paths::Slug;
use parlor_git::player::{Wanted, play, position, read_folder};
use parlor_git::playing::Invitation;
use parlor_git::referee::{Circumstances, Round, run};
use parlor_git::verify::{Checked, verify};
use parlor_git::{HouseSecret, Identity, Person, Repository};
use parlor_table::TableId;
use serde_json::Value;
use tempfile::TempDir;

/// The time at which the house was made; commits of players come later, by the clock of git.
pub const BEGIN: i64 = 1_700_000_000;

pub struct House {
    pub dir: TempDir,
    pub secret: HouseSecret,
    pub place: Place,
}

pub struct Clone {
    pub path: PathBuf,
    pub repository: Repository,
}

/// Runs git and gives what it prints.
pub fn git(path: &Path, args: &[&str]) -> String {
    let done = Command::new("git")
        .arg("-C")
        .arg(path)
        .args(args)
        .output()
        .expect("git starts");
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
        let repository = Repository::open(&bare).unwrap();
        let place = Place {
            repository,
            branch: "main".to_owned(),
            remote: None,
        };
        init(&place, &secret, identity, BEGIN).unwrap();
        for name in people {
            let known = Person {
                emails: vec![format!("{name}@example.org")],
                actors: vec![format!("{name}-there")],
                keys: Vec::new(),
            };
            add_player(&place, &secret, name, &known, BEGIN).unwrap();
        }
        House { dir, secret, place }
    }

    pub fn table(&self, slug: &str, game: GameKind, options: Value, players: &[&str]) -> Slug {
        let slug: Slug = slug.parse().unwrap();
        let number = slug
            .as_str()
            .bytes()
            .fold(1, |sum, byte| sum * 31 % 1_000_003 + u64::from(byte));
        let invitation = Invitation {
            table: TableId::new(number).unwrap(),
            game,
            options,
            players: players.iter().map(|name| (*name).to_owned()).collect(),
            now: BEGIN,
        };
        new_table(&self.place, &self.secret, &slug, &invitation).unwrap();
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
        let repository = Repository::open(&path).unwrap();
        Clone { path, repository }
    }

    pub fn around(&self) -> Circumstances {
        Circumstances {
            actor: None,
            now: i64::MAX,
        }
    }

    /// Runs the referee in the bare repository, as a hook does.
    pub fn referee(&self) -> Round {
        let round = run(&self.place, &self.secret, &self.around()).unwrap();
        assert_eq!(round.trouble, Vec::<String>::new());
        round
    }

    /// Runs it as a job does, which has only a fresh clone.
    pub fn referee_by_job(&self) -> Round {
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
        let repository = Repository::open(&job.path().join("job")).unwrap();
        let place = Place {
            repository,
            branch: "main".to_owned(),
            remote: Some("origin".to_owned()),
        };
        run(&place, &self.secret, &self.around()).unwrap()
    }

    pub fn tip(&self) -> String {
        git(self.place.repository.path(), &["rev-parse", "main"])
    }

    /// The table as a fresh clone has it.
    pub fn folder(&self, slug: &Slug) -> Folder {
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

    pub fn verify(&self, slug: &Slug) -> Checked {
        verify(&self.folder(slug))
    }

    /// The text of the last message.
    pub fn said(&self, slug: &Slug) -> String {
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

    pub fn folder(&self, slug: &Slug) -> Folder {
        read_folder(&self.path.join(slug.file(""))).unwrap()
    }

    pub fn play(&self, slug: &Slug, text: &str) -> Result<String, String> {
        self.pull();
        let wanted = Wanted {
            table: slug,
            text,
            seat: None,
            comment: None,
            remote: Some("origin"),
            now: BEGIN + 60,
        };
        play(&self.repository, &wanted).map_err(|error| error.to_string())
    }

    /// The legal moves of whoever is on turn, in the clone as it is.
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
