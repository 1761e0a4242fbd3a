//! Administration of a house: creating it, adding players and setting up tables.

use std::collections::BTreeMap;

use parlor_games::GameKind;
use parlor_games::repository::schemas;
use parlor_table::TableId;
use serde::Serialize;

use crate::files::{HouseFile, Identity, Person, TableFile, to_pretty_json};
use crate::folder::{FileError, TableFolder};
use crate::git::{GitCommit, GitError, NewCommit, Repository, TreeEntry};
use crate::page;
use crate::paths::{BOARD, HOUSE, INDEX, OVERVIEW, STATE, Slug, TABLE, TABLES};
use crate::refereed_table::{BOT, CreateTableError, RefereedTable, TableSetup};
use crate::seal::{HouseSecret, SealedContent, TRAILER};

/// Error of an operation on a house.
#[derive(Debug, thiserror::Error)]
pub enum HouseError {
    /// Git failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The branch has no commit with this referee's seal.
    #[error(
        "this repository is not a house: no commit on {0} has this referee's seal (check the secret, or run parlor git init)"
    )]
    NotAHouse(String),
    /// The repository is already a house.
    #[error("this repository is already a house: it has {HOUSE}")]
    AlreadyAHouse,
    /// A file of the house cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The table cannot be created.
    #[error(transparent)]
    CreateTable(#[from] CreateTableError),
    /// There is already a table with this name.
    #[error("there is already a table {0}")]
    TableExists(Slug),
    /// The player is not known.
    #[error(
        "{name} is not a player of this house: add them with parlor git player {name} --email ADDRESS"
    )]
    UnknownPlayer {
        /// Name of the player.
        name: String,
    },
    /// The name is not a valid player name.
    #[error("a player's name has 1 to 40 characters of a-z, A-Z, 0-9, '.', '_' and '-', not {0:?}")]
    BadName(String),
    /// The branch changed on every attempt to write to it.
    #[error("the branch changed on each of {0} attempts, and nothing was written: run it again")]
    TooBusy(u32),
    /// There are pushed commits that the referee has not processed.
    #[error("there are commits that the referee has not processed: run parlor git referee first")]
    PendingCommits,
}

/// Branch of a repository, local or on a remote, that holds a house.
#[derive(Clone, Debug)]
pub struct HouseBranch {
    /// Repository.
    pub repository: Repository,
    /// Name of the branch.
    pub name: String,
    /// Remote that the branch is fetched from and pushed to; `None` for a local branch.
    pub remote: Option<String>,
}

/// Ref of the referee's last commit known to this repository.
pub const SEALED: &str = "refs/parlor/sealed";
/// Ref that a remote's branch is fetched into.
pub const INCOMING: &str = "refs/parlor/incoming";
/// Paths that only the referee may write.
pub const REFEREE_PATHS: [&str; 2] = [TABLES, HOUSE];

impl HouseBranch {
    /// Returns the full name of the local ref.
    pub fn local_ref(&self) -> String {
        format!("refs/heads/{}", self.name)
    }

    /// Returns the branch's last commit; `None` if the branch does not exist.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn tip(&self) -> Result<Option<String>, GitError> {
        match &self.remote {
            None => self.repository.tip(&self.local_ref()),
            Some(remote) => match self.repository.fetch(remote, &self.name, INCOMING) {
                Ok(()) => self.repository.tip(INCOMING),
                // The remote does not have the branch yet.
                Err(GitError::Refused { message, .. }) if message.contains("find remote ref") => {
                    Ok(None)
                }
                Err(error) => Err(error),
            },
        }
    }

    /// Moves the branch to a commit if its last commit is still `old`. Returns false if the branch
    /// has changed.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn publish(&self, commit: &str, old: Option<&str>) -> Result<bool, GitError> {
        let landed = match &self.remote {
            None => self.repository.update_ref(&self.local_ref(), commit, old)?,
            Some(remote) => self.repository.push(remote, commit, &self.name)?,
        };
        if landed {
            let known = self.repository.tip(SEALED)?;
            self.repository
                .update_ref(SEALED, commit, known.as_deref())?;
        }
        Ok(landed)
    }

    /// Returns the referee's latest commit among `tip` and its ancestors.
    ///
    /// # Errors
    /// [`HouseError::NotAHouse`] if there is none, or [`HouseError::Git`] if git fails.
    pub fn last_sealed(&self, tip: &str, secret: &HouseSecret) -> Result<GitCommit, HouseError> {
        let found = self
            .repository
            .find_ancestor(tip, |commit| is_sealed(commit, secret))?;
        found.ok_or_else(|| HouseError::NotAHouse(self.name.clone()))
    }
}

/// Returns true if a commit has a valid seal of the referee.
pub fn is_sealed(commit: &GitCommit, secret: &HouseSecret) -> bool {
    let Some((message, seal)) = commit.message.rsplit_once(TRAILER) else {
        return false;
    };
    let parents = commit.parents.join(" ");
    let sealed = SealedContent {
        tree: &commit.tree,
        parents: &parents,
        time: commit.time,
        message,
    };
    secret.is_seal(&sealed, seal.trim())
}

/// Creates a commit with the referee's seal and returns its id.
///
/// # Errors
/// [`GitError`] if git fails.
pub fn seal(
    repository: &Repository,
    secret: &HouseSecret,
    new: NewCommit<'_>,
) -> Result<String, GitError> {
    let parents = new.parents.join(" ");
    let sealed = SealedContent {
        tree: new.tree,
        parents: &parents,
        time: new.time,
        message: new.message,
    };
    let message = format!(
        "{}\n\n{TRAILER}{}\n",
        new.message.trim_end(),
        secret.seal(&sealed)
    );
    repository.commit(NewCommit {
        message: &message,
        ..new
    })
}

/// Turns a repository into a house by committing `house.json`, schemas, a page, a README and a
/// workflow. Returns the id of the commit.
///
/// # Errors
/// [`HouseError`] if it is already a house, or git fails.
pub fn create_house(
    branch: &HouseBranch,
    secret: &HouseSecret,
    identity: Identity,
    now: i64,
) -> Result<String, HouseError> {
    write(
        branch,
        secret,
        now,
        "Make this repository a house",
        |current, files| {
            if current.is_some() {
                return Err(HouseError::AlreadyAHouse);
            }
            files.insert(
                HOUSE.to_owned(),
                Some(to_pretty_json(&HouseFile::new(identity))),
            );
            files.extend(TableIndex::default().files());
            for kind in GameKind::all() {
                for schema in schemas(*kind) {
                    files.insert(
                        format!("schemas/{}", schema.name),
                        Some(schema.text.into_bytes()),
                    );
                }
            }
            for (name, content) in page::initial_files() {
                files.insert(name.to_owned(), Some(content.into_bytes()));
            }
            Ok(())
        },
    )
}

/// Adds a player, or further identities of a known player.
///
/// # Errors
/// [`HouseError`] if the name is invalid, the house cannot be read, or git fails.
pub fn add_player(
    branch: &HouseBranch,
    secret: &HouseSecret,
    name: &str,
    known_by: &Person,
    now: i64,
) -> Result<String, HouseError> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if !(1..=40).contains(&name.len()) || !name.chars().all(is_allowed) || name.starts_with('-') {
        return Err(HouseError::BadName(name.to_owned()));
    }
    write(
        branch,
        secret,
        now,
        &format!("Add player {name}"),
        |current, files| {
            let mut house = current
                .ok_or_else(|| HouseError::NotAHouse(branch.name.clone()))?
                .house()?;
            let person = house.people.entry(name.to_owned()).or_default();
            let add = |list: &mut Vec<String>, more: &[String]| {
                for text in more {
                    if !list.contains(text) {
                        list.push(text.clone());
                    }
                }
            };
            add(&mut person.emails, &known_by.emails);
            add(&mut person.keys, &known_by.keys);
            add(&mut person.actors, &known_by.actors);
            files.insert(HOUSE.to_owned(), Some(to_pretty_json(&house)));
            Ok(())
        },
    )
}

/// Sets up a table and returns the id of the commit.
///
/// # Errors
/// [`HouseError`] if the table exists, a player is unknown, the game cannot be set up as requested,
/// or git fails.
pub fn create_table(
    branch: &HouseBranch,
    secret: &HouseSecret,
    slug: &Slug,
    setup: &TableSetup,
) -> Result<String, HouseError> {
    let title = format!("Set up table {slug}: {}", setup.game.title());
    write(branch, secret, setup.now, &title, |current, files| {
        let current = current.ok_or_else(|| HouseError::NotAHouse(branch.name.clone()))?;
        if current.objects.contains_key(&slug.file(TABLE)) {
            return Err(HouseError::TableExists(slug.clone()));
        }
        let house = current.house()?;
        let unknown = setup
            .players
            .iter()
            .find(|name| !name.starts_with(BOT) && !house.people.contains_key(*name));
        if let Some(name) = unknown {
            return Err(HouseError::UnknownPlayer { name: name.clone() });
        }
        let folder = RefereedTable::create(setup.clone(), secret)?.folder();
        let mut index = current.index()?;
        index.update(slug, &folder);
        files.extend(index.files());
        files.extend(
            folder
                .files
                .into_iter()
                .map(|(name, bytes)| (slug.file(&name), Some(bytes))),
        );
        Ok(())
    })
}

/// Maximum number of attempts to commit while others push.
pub const MAX_ATTEMPTS: u32 = 20;

/// Commits changes to the referee's files, provided that nothing else has changed them on the
/// branch.
fn write(
    branch: &HouseBranch,
    secret: &HouseSecret,
    now: i64,
    title: &str,
    change: impl Fn(
        Option<&HouseTree<'_>>,
        &mut BTreeMap<String, Option<Vec<u8>>>,
    ) -> Result<(), HouseError>,
) -> Result<String, HouseError> {
    let repository = &branch.repository;
    for _ in 0..MAX_ATTEMPTS {
        let tip = branch.tip()?;
        let objects = match &tip {
            Some(tip) => repository.tree(tip, &REFEREE_PATHS)?,
            None => BTreeMap::new(),
        };
        let mut time = now;
        let is_house = objects.contains_key(HOUSE);
        if let Some(tip) = tip.as_deref().filter(|_| is_house) {
            let base = branch.last_sealed(tip, secret)?;
            time = time.max(base.time + 1);
            if repository.tree(&base.id, &REFEREE_PATHS)? != objects {
                return Err(HouseError::PendingCommits);
            }
        }
        let current = HouseTree {
            repository,
            objects: &objects,
        };
        let mut files = BTreeMap::new();
        change(is_house.then_some(&current), &mut files)?;
        let paths: Vec<&str> = files
            .keys()
            .map(String::as_str)
            .chain(REFEREE_PATHS)
            .collect();
        let tree = repository.build_tree(tip.as_deref(), &paths, &objects, &files)?;
        let parents: Vec<String> = tip.iter().cloned().collect();
        let commit = seal(
            repository,
            secret,
            NewCommit {
                tree: &tree,
                parents: &parents,
                time,
                message: title,
            },
        )?;
        if branch.publish(&commit, tip.as_deref())? {
            return Ok(commit);
        }
    }
    Err(HouseError::TooBusy(MAX_ATTEMPTS))
}

/// The referee's files in a commit.
#[derive(Clone, Copy, Debug)]
pub struct HouseTree<'a> {
    /// Repository.
    pub repository: &'a Repository,
    /// Entries by path.
    pub objects: &'a BTreeMap<String, TreeEntry>,
}

impl HouseTree<'_> {
    /// Reads `house.json`.
    ///
    /// # Errors
    /// [`HouseError`] if it is missing or malformed, or git fails.
    pub fn house(&self) -> Result<HouseFile, HouseError> {
        let folder = self.files(|path| path == HOUSE, "")?;
        Ok(folder.read(HOUSE)?)
    }

    /// Reads the list of tables.
    ///
    /// # Errors
    /// [`HouseError`] if it is missing or malformed, or git fails.
    pub fn index(&self) -> Result<TableIndex, HouseError> {
        let folder = self.files(|path| path == INDEX, "")?;
        Ok(folder.read(INDEX)?)
    }

    /// Reads the files of a table.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn table(&self, slug: &Slug) -> Result<TableFolder, HouseError> {
        let prefix = slug.file("");
        self.files(|path| path.starts_with(&prefix), &prefix)
    }

    fn files(
        &self,
        wanted: impl Fn(&str) -> bool,
        prefix: &str,
    ) -> Result<TableFolder, HouseError> {
        let entries: Vec<(&String, &TreeEntry)> = self
            .objects
            .iter()
            .filter(|(path, object)| wanted(path) && object.is_file())
            .collect();
        let ids: Vec<&str> = entries
            .iter()
            .map(|(_, object)| object.id.as_str())
            .collect();
        let blobs = self.repository.blobs(&ids)?;
        let name = |path: &str| path.strip_prefix(prefix).unwrap_or(path).to_owned();
        Ok(TableFolder {
            files: entries
                .into_iter()
                .map(|(path, _)| name(path))
                .zip(blobs)
                .collect(),
        })
    }
}

/// Contents of `tables/index.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, serde::Deserialize)]
pub struct TableIndex {
    /// Tables, sorted by name.
    pub tables: Vec<IndexEntry>,
}

/// Table in the list.
#[derive(Clone, Debug, PartialEq, Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IndexEntry {
    /// Name of the table's folder.
    pub id: String,
    /// Name of the game.
    pub game: String,
    /// Title of the game.
    pub title: String,
    /// Players by the names of their seats.
    pub players: serde_json::Map<String, serde_json::Value>,
    /// `playing` or `completed`.
    pub status: String,
    /// Seat name of the winner, if any.
    pub winner: Option<String>,
    /// Number of the turn.
    pub turn: u64,
    /// Time of the last change, in RFC 3339.
    pub updated_at: String,
}

impl TableIndex {
    /// Returns the list as files: one for programs, and one for people with a picture of every
    /// table.
    pub fn files(&self) -> [(String, Option<Vec<u8>>); 2] {
        let mut text = "# Tables\n".to_owned();
        for entry in &self.tables {
            let IndexEntry {
                id,
                title,
                status,
                turn,
                ..
            } = entry;
            let players: Vec<String> = entry
                .players
                .iter()
                .map(|(seat, name)| format!("{} ({seat})", name.as_str().unwrap_or_default()))
                .collect();
            let progress = match &entry.winner {
                Some(winner) => format!("{winner} has won"),
                None if status == "completed" => "over".to_owned(),
                None => format!("turn {turn}"),
            };
            text.push_str(&format!(
                "\n## [{id}]({id})\n\n{title}, {}: {progress}.\n\n![The board]({id}/{BOARD})\n",
                players.join(", ")
            ));
        }
        [
            (INDEX.to_owned(), Some(to_pretty_json(self))),
            (OVERVIEW.to_owned(), Some(text.into_bytes())),
        ]
    }

    /// Updates the entry of a table from its files, or removes it if they cannot be read.
    pub fn update(&mut self, slug: &Slug, folder: &TableFolder) {
        self.tables.retain(|entry| entry.id != slug.as_str());
        let (Ok(table), Ok(state)) = (
            folder.read::<TableFile>(TABLE),
            folder.read::<serde_json::Value>(STATE),
        ) else {
            return;
        };
        let field = |name: &str| state[name].as_str().map(str::to_owned);
        self.tables.push(IndexEntry {
            id: slug.to_string(),
            title: GameKind::from_name(&table.game)
                .map_or(table.game.clone(), |kind| kind.title().to_owned()),
            game: table.game,
            players: table.players,
            status: field("status").unwrap_or_default(),
            winner: field("winner"),
            turn: state["turn"].as_u64().unwrap_or_default(),
            updated_at: field("updatedAt").unwrap_or_default(),
        });
        self.tables.sort_by(|one, other| one.id.cmp(&other.id));
    }
}

/// Generates an id for a table created at `now`, in seconds since the Unix epoch.
pub fn fresh_id(now: i64, random: u64) -> TableId {
    TableId::fresh(crate::files::to_timestamp(now), random)
}
