//! Setting up a house, its players and its tables: commits of the referee without anybody asking.

use std::collections::BTreeMap;

use parlor_games::GameKind;
use parlor_games::repository::schemas;
use parlor_table::TableId;
use serde::Serialize;

use crate::files::{House, Identity, Person, TableFile, pretty};
use crate::folder::{Broken, Folder};
use crate::git::{Commit, GitError, NewCommit, Object, Repository};
use crate::page;
use crate::paths::{BOARD, HOUSE, INDEX, OVERVIEW, STATE, Slug, TABLE, TABLES};
use crate::playing::{BOT, CannotBegin, Invitation, Playing};
use crate::seal::{HouseSecret, Sealed, TRAILER};

/// Why something cannot be done with a house.
#[derive(Debug, thiserror::Error)]
pub enum HouseError {
    /// Git refused.
    #[error(transparent)]
    Git(#[from] GitError),
    /// There is no house yet.
    #[error(
        "this repository is no house: no commit on {0} has this referee's seal (a wrong secret, or run parlor git init)"
    )]
    NoHouse(String),
    /// There is a house already.
    #[error("this repository is a house already: {HOUSE} is there")]
    IsHouse,
    /// A file of the house cannot be read.
    #[error(transparent)]
    Broken(#[from] Broken),
    /// The table cannot be made.
    #[error(transparent)]
    CannotBegin(#[from] CannotBegin),
    /// There is a table of this name.
    #[error("there is a table {0} already")]
    TableThere(Slug),
    /// A player who is not known.
    #[error(
        "{name} is no player of this house: add them with parlor git player {name} --email ADDRESS"
    )]
    NoPlayer {
        /// The name.
        name: String,
    },
    /// A name that cannot be a player's.
    #[error("a player's name has 1 to 40 characters of a-z, A-Z, 0-9, '.', '_' and '-', not {0:?}")]
    BadName(String),
    /// Others were quicker all the time.
    #[error("others pushed each time: nothing was written after {0} tries; run it again")]
    TooBusy(u32),
    /// Somebody must see to it: there are pushed commits that the referee has not looked at.
    #[error("there are commits that the referee has not looked at: run parlor git referee first")]
    Unjudged,
}

/// Where a house is kept.
#[derive(Clone, Debug)]
pub struct Place {
    /// The repository.
    pub repository: Repository,
    /// The branch.
    pub branch: String,
    /// The remote that the branch is fetched from and pushed to; nothing for the repository's own branch.
    pub remote: Option<String>,
}

/// The ref that holds the referee's last commit, as far as this repository knows.
pub const SEALED: &str = "refs/parlor/sealed";
/// The ref that a remote's branch is fetched into.
pub const INCOMING: &str = "refs/parlor/incoming";
/// What only the referee writes.
pub const OWN: [&str; 2] = [TABLES, HOUSE];

impl Place {
    /// The branch as a ref.
    pub fn head(&self) -> String {
        format!("refs/heads/{}", self.branch)
    }

    /// Where the branch is now.
    ///
    /// # Errors
    /// When git refuses.
    pub fn tip(&self) -> Result<Option<String>, GitError> {
        match &self.remote {
            None => self.repository.tip(&self.head()),
            Some(remote) => match self.repository.fetch(remote, &self.branch, INCOMING) {
                Ok(()) => self.repository.tip(INCOMING),
                // A remote without the branch: it is empty.
                Err(GitError::Refused { message, .. }) if message.contains("find remote ref") => {
                    Ok(None)
                }
                Err(error) => Err(error),
            },
        }
    }

    /// Makes a commit the branch's last, if nobody was quicker.
    ///
    /// # Errors
    /// When git refuses.
    pub fn land(&self, commit: &str, old: Option<&str>) -> Result<bool, GitError> {
        let landed = match &self.remote {
            None => self.repository.move_ref(&self.head(), commit, old)?,
            Some(remote) => self.repository.push(remote, commit, &self.branch)?,
        };
        if landed {
            let known = self.repository.tip(SEALED)?;
            self.repository.move_ref(SEALED, commit, known.as_deref())?;
        }
        Ok(landed)
    }

    /// The referee's last commit that `tip` rests on.
    ///
    /// # Errors
    /// When git refuses, or there is none.
    pub fn base(&self, tip: &str, secret: &HouseSecret) -> Result<Commit, HouseError> {
        let found = self
            .repository
            .find_back(tip, |commit| is_sealed(commit, secret))?;
        found.ok_or_else(|| HouseError::NoHouse(self.branch.clone()))
    }
}

/// Whether a commit is the referee's own.
pub fn is_sealed(commit: &Commit, secret: &HouseSecret) -> bool {
    let Some((message, seal)) = commit.message.rsplit_once(TRAILER) else {
        return false;
    };
    let parents = commit.parents.join(" ");
    let sealed = Sealed {
        tree: &commit.tree,
        parents: &parents,
        time: commit.time,
        message,
    };
    secret.is_seal(&sealed, seal.trim())
}

/// Makes a commit with the referee's seal.
///
/// # Errors
/// When git refuses.
pub fn seal(
    repository: &Repository,
    secret: &HouseSecret,
    new: NewCommit<'_>,
) -> Result<String, GitError> {
    let parents = new.parents.join(" ");
    let sealed = Sealed {
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

/// Makes a repository a house: `house.json`, schemas, a page, a description and a workflow.
///
/// # Errors
/// When it is one already, or git refuses.
pub fn init(
    place: &Place,
    secret: &HouseSecret,
    identity: Identity,
    now: i64,
) -> Result<String, HouseError> {
    write(
        place,
        secret,
        now,
        "Make this repository a house",
        |there, files| {
            if there.is_some() {
                return Err(HouseError::IsHouse);
            }
            files.insert(HOUSE.to_owned(), Some(pretty(&House::new(identity))));
            files.extend(Index::default().files());
            for kind in GameKind::ALL {
                for schema in schemas(*kind) {
                    files.insert(
                        format!("schemas/{}", schema.name),
                        Some(schema.text.into_bytes()),
                    );
                }
            }
            for (name, content) in page::INITIAL {
                files.insert((*name).to_owned(), Some(content.as_bytes().to_vec()));
            }
            Ok(())
        },
    )
}

/// Adds a player, or what they are known by.
///
/// # Errors
/// When the name will not do, the house cannot be read, or git refuses.
pub fn add_player(
    place: &Place,
    secret: &HouseSecret,
    name: &str,
    known_by: &Person,
    now: i64,
) -> Result<String, HouseError> {
    let sound = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if !(1..=40).contains(&name.len()) || !name.chars().all(sound) || name.starts_with('-') {
        return Err(HouseError::BadName(name.to_owned()));
    }
    write(
        place,
        secret,
        now,
        &format!("Add player {name}"),
        |there, files| {
            let mut house = there
                .ok_or_else(|| HouseError::NoHouse(place.branch.clone()))?
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
            files.insert(HOUSE.to_owned(), Some(pretty(&house)));
            Ok(())
        },
    )
}

/// Sets up a table.
///
/// # Errors
/// When it is there already, a player is not known, the game cannot be begun so, or git refuses.
pub fn new_table(
    place: &Place,
    secret: &HouseSecret,
    slug: &Slug,
    invitation: &Invitation,
) -> Result<String, HouseError> {
    let title = format!("Set up table {slug}: {}", invitation.game.title());
    write(place, secret, invitation.now, &title, |there, files| {
        let there = there.ok_or_else(|| HouseError::NoHouse(place.branch.clone()))?;
        if there.objects.contains_key(&slug.file(TABLE)) {
            return Err(HouseError::TableThere(slug.clone()));
        }
        let house = there.house()?;
        let unknown = invitation
            .players
            .iter()
            .find(|name| !name.starts_with(BOT) && !house.people.contains_key(*name));
        if let Some(name) = unknown {
            return Err(HouseError::NoPlayer { name: name.clone() });
        }
        let folder = Playing::begin(invitation.clone(), secret)?.folder();
        let mut index = there.index()?;
        index.set(slug, &folder);
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

/// How often a commit is tried when others push at the same time.
pub const TRIES: u32 = 20;

/// Writes files that only the referee writes, on top of a branch where nothing else has changed them.
fn write(
    place: &Place,
    secret: &HouseSecret,
    now: i64,
    title: &str,
    change: impl Fn(
        Option<&There<'_>>,
        &mut BTreeMap<String, Option<Vec<u8>>>,
    ) -> Result<(), HouseError>,
) -> Result<String, HouseError> {
    let repository = &place.repository;
    for _ in 0..TRIES {
        let tip = place.tip()?;
        let objects = match &tip {
            Some(tip) => repository.tree(tip, &OWN)?,
            None => BTreeMap::new(),
        };
        let mut time = now;
        let is_house = objects.contains_key(HOUSE);
        if let Some(tip) = tip.as_deref().filter(|_| is_house) {
            let base = place.base(tip, secret)?;
            time = time.max(base.time + 1);
            if repository.tree(&base.id, &OWN)? != objects {
                return Err(HouseError::Unjudged);
            }
        }
        let there = There {
            repository,
            objects: &objects,
        };
        let mut files = BTreeMap::new();
        change(is_house.then_some(&there), &mut files)?;
        let paths: Vec<&str> = files.keys().map(String::as_str).chain(OWN).collect();
        let tree = repository.compose(tip.as_deref(), &paths, &objects, &files)?;
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
        if place.land(&commit, tip.as_deref())? {
            return Ok(commit);
        }
    }
    Err(HouseError::TooBusy(TRIES))
}

/// What a commit holds of the referee's files.
#[derive(Clone, Copy, Debug)]
pub struct There<'a> {
    /// The repository.
    pub repository: &'a Repository,
    /// The entries by their paths.
    pub objects: &'a BTreeMap<String, Object>,
}

impl There<'_> {
    /// The house's file.
    ///
    /// # Errors
    /// When it is missing or cannot be read.
    pub fn house(&self) -> Result<House, HouseError> {
        let folder = self.files(|path| path == HOUSE, "")?;
        Ok(folder.read(HOUSE)?)
    }

    /// The list of tables.
    ///
    /// # Errors
    /// When it is missing or cannot be read.
    pub fn index(&self) -> Result<Index, HouseError> {
        let folder = self.files(|path| path == INDEX, "")?;
        Ok(folder.read(INDEX)?)
    }

    /// The files of a table.
    ///
    /// # Errors
    /// When git refuses.
    pub fn table(&self, slug: &Slug) -> Result<Folder, HouseError> {
        let prefix = slug.file("");
        self.files(|path| path.starts_with(&prefix), &prefix)
    }

    fn files(&self, wanted: impl Fn(&str) -> bool, prefix: &str) -> Result<Folder, HouseError> {
        let found: Vec<(&String, &Object)> = self
            .objects
            .iter()
            .filter(|(path, object)| wanted(path) && object.is_file())
            .collect();
        let ids: Vec<&str> = found.iter().map(|(_, object)| object.id.as_str()).collect();
        let blobs = self.repository.blobs(&ids)?;
        let name = |path: &str| path.strip_prefix(prefix).unwrap_or(path).to_owned();
        Ok(Folder {
            files: found
                .into_iter()
                .map(|(path, _)| name(path))
                .zip(blobs)
                .collect(),
        })
    }
}

/// `tables/index.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, serde::Deserialize)]
pub struct Index {
    /// The tables by their names.
    pub tables: Vec<Entry>,
}

/// A table in the list.
#[derive(Clone, Debug, PartialEq, Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The folder's name.
    pub id: String,
    /// The game's name.
    pub game: String,
    /// The game's name for people.
    pub title: String,
    /// Who sits where.
    pub players: serde_json::Map<String, serde_json::Value>,
    /// `playing` or `completed`.
    pub status: String,
    /// Who has won.
    pub winner: Option<String>,
    /// The number of the turn.
    pub turn: u64,
    /// When the table last changed.
    pub updated_at: String,
}

impl Index {
    /// The list as files: for programs, and for people with a picture of every table.
    pub fn files(&self) -> [(String, Option<Vec<u8>>); 2] {
        let mut told = "# Tables\n".to_owned();
        for entry in &self.tables {
            let Entry {
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
            let stand = match &entry.winner {
                Some(winner) => format!("{winner} has won"),
                None if status == "completed" => "over".to_owned(),
                None => format!("turn {turn}"),
            };
            told.push_str(&format!(
                "\n## [{id}]({id})\n\n{title}, {}: {stand}.\n\n![The board]({id}/{BOARD})\n",
                players.join(", ")
            ));
        }
        [
            (INDEX.to_owned(), Some(pretty(self))),
            (OVERVIEW.to_owned(), Some(told.into_bytes())),
        ]
    }

    /// Puts a table as its files tell it; one that cannot be read is left out.
    pub fn set(&mut self, slug: &Slug, folder: &Folder) {
        self.tables.retain(|entry| entry.id != slug.as_str());
        let (Ok(table), Ok(state)) = (
            folder.read::<TableFile>(TABLE),
            folder.read::<serde_json::Value>(STATE),
        ) else {
            return;
        };
        let text = |name: &str| state[name].as_str().map(str::to_owned);
        self.tables.push(Entry {
            id: slug.to_string(),
            title: GameKind::from_name(&table.game)
                .map_or(table.game.clone(), |kind| kind.title().to_owned()),
            game: table.game,
            players: table.players,
            status: text("status").unwrap_or_default(),
            winner: text("winner"),
            turn: state["turn"].as_u64().unwrap_or_default(),
            updated_at: text("updatedAt").unwrap_or_default(),
        });
        self.tables.sort_by(|one, other| one.id.cmp(&other.id));
    }
}

/// A fresh id of a table.
pub fn fresh_id(now: i64, random: u64) -> TableId {
    TableId::fresh(crate::files::stamp(now), random)
}
