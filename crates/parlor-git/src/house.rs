//! Administration of a house: creating it, adding players and setting up tables.

mod branch;
mod table_index;
mod tree;

use std::collections::BTreeMap;

use parlor_games::GameKind;
use parlor_games::repository::schemas;
use parlor_table::TableId;

use crate::files::{HouseFile, Identity, Person, to_pretty_json};
use crate::folder::FileError;
use crate::git::{
    FileChanges, GitError, NewCommit, ObjectError, ObjectReader, ReadBudget, TreeBase,
};
use crate::page;
use crate::paths::{HOUSE, Slug, TABLE};
use crate::refereed_table::{BOT, CreateTableError, RefereedTable, TableSetup};
use crate::seal::HouseSecret;

pub use self::branch::{HouseBranch, INCOMING, REFEREE_PATHS, SEALED, is_sealed, seal};
pub use self::table_index::{IndexEntry, TableIndex};
pub use self::tree::HouseTree;

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

impl From<ObjectError> for HouseError {
    fn from(error: ObjectError) -> HouseError {
        HouseError::Git(error.into())
    }
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
    change: impl Fn(Option<&HouseTree<'_>>, &mut FileChanges) -> Result<(), HouseError>,
) -> Result<String, HouseError> {
    let repository = &branch.repository;
    for _ in 0..MAX_ATTEMPTS {
        let tip = branch.tip()?;
        let mut reader = ObjectReader::new(repository, ReadBudget::REFEREE);
        let tree = match &tip {
            Some(tip) => Some(reader.commit(tip)?.tree),
            None => None,
        };
        let is_house = match &tree {
            Some(tree) => reader.tree(tree)?.get(HOUSE).is_some(),
            None => false,
        };
        let (mut time, mut objects) = (now, BTreeMap::new());
        if let (Some(tip), Some(tree), true) = (&tip, &tree, is_house) {
            let base = branch.last_sealed(tip, secret)?;
            time = time.max(base.time + 1);
            let changes = reader.differences(Some(&base.tree), tree, Some(&REFEREE_PATHS));
            if !changes.is_ok_and(|changes| changes.is_empty()) {
                return Err(HouseError::PendingCommits);
            }
            objects = repository.tree(&base.id, &REFEREE_PATHS)?;
        }
        let current = HouseTree {
            repository,
            objects: &objects,
        };
        let mut files = FileChanges::new();
        change(is_house.then_some(&current), &mut files)?;
        let base = TreeBase {
            rest: tree.as_deref(),
            kept: None,
            names: &[],
        };
        let tree = repository.compose_tree(base, &files)?;
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

/// Generates an id for a table created at `now`, in seconds since the Unix epoch.
pub fn fresh_id(now: i64, random: u64) -> TableId {
    TableId::fresh(crate::files::to_timestamp(now), random)
}
