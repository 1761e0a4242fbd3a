//! The referee: looks at what was pushed since its last commit, and writes the next.

use std::collections::{BTreeMap, BTreeSet};

use parlor_games::repository::{MoveName, digest};

use crate::files::{House, Identity};
use crate::git::{Commit, GitError, NewCommit, Object, Repository};
use crate::house::{HouseError, OWN, Place as Whereabouts, SEALED, TRIES, There, is_sealed, seal};
use crate::judge::{Content, Foreign, Offered, judge};
use crate::paths::{Place, STATE, Slug, TABLE, shown};
use crate::seal::HouseSecret;

/// The longest file that is looked at, in bytes.
pub const LONGEST: u64 = 64 << 10;

/// What a referee is told besides.
#[derive(Clone, Debug, Default)]
pub struct Circumstances {
    /// Who pushed, where a platform says so.
    pub actor: Option<String>,
    /// The time in seconds since 1970: commits that say they were made later were made now.
    pub now: i64,
}

/// What came of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// The referee's new commit; nothing when there was nothing to do.
    pub commit: Option<String>,
    /// What was done, a line each.
    pub said: Vec<String>,
    /// What cannot be mended by a referee, a line each.
    pub trouble: Vec<String>,
}

/// Looks at everything that was pushed since the referee's last commit, and writes the next. Running it again changes nothing.
///
/// # Errors
/// When this is no house of this secret, git refuses, or others push all the time.
pub fn run(
    place: &Whereabouts,
    secret: &HouseSecret,
    around: &Circumstances,
) -> Result<Round, HouseError> {
    for _ in 0..TRIES {
        let tip = place
            .tip()?
            .ok_or_else(|| HouseError::NoHouse(place.branch.clone()))?;
        let (round, commit) = look(place, secret, around, &tip)?;
        let Some(commit) = commit else {
            return Ok(round);
        };
        if place.land(&commit, Some(&tip))? {
            return Ok(Round {
                commit: Some(commit),
                ..round
            });
        }
    }
    Err(HouseError::TooBusy(TRIES))
}

/// What was pushed, sorted by tables.
#[derive(Default)]
struct Pushed {
    offered: BTreeMap<Slug, Vec<(usize, Offered)>>,
    foreign: BTreeMap<Slug, Vec<Foreign>>,
    /// Changes outside of any table.
    stray: Vec<String>,
}

fn look(
    place: &Whereabouts,
    secret: &HouseSecret,
    around: &Circumstances,
    tip: &str,
) -> Result<(Round, Option<String>), HouseError> {
    let repository = &place.repository;
    let known = repository.tip(SEALED)?;
    let mut round = Round::default();
    let mut parents = vec![tip.to_owned()];
    let mut base = place.base(tip, secret);
    if let Some(known) = known
        && !repository.is_ancestor(&known, tip)?
    {
        let last = repository.find_back(&known, |commit| is_sealed(commit, secret))?;
        let is_later =
            |base: &Commit| Ok::<_, GitError>(!repository.is_ancestor(&known, &base.id)?);
        if let Some(last) = last
            && base.as_ref().map_or(Ok(true), is_later)?
        {
            round.said.push(
                "the history was rewritten: everything the referee had written is back".to_owned(),
            );
            parents.push(last.id.clone());
            base = Ok(last);
        }
    }
    let base = base?;
    if base.id == tip {
        return Ok((round, None));
    }
    let rewritten = parents.len() > 1;
    let before = repository.tree(&base.id, &OWN)?;
    let after = repository.tree(tip, &OWN)?;
    if before == after && !rewritten {
        return Ok((round, None));
    }
    let commits = repository.commits(tip, Some(&base.id))?;
    let there = There {
        repository,
        objects: &before,
    };
    let house = there.house()?;
    let scene = Scene {
        repository,
        house: &house,
        around,
        commits: &commits,
        before: &before,
        after: &after,
    };
    let pushed = scene.sort()?;

    let tables: BTreeSet<&Slug> = pushed.offered.keys().chain(pushed.foreign.keys()).collect();
    let mut files = BTreeMap::new();
    let mut index = there.index()?;
    round.said.extend(pushed.stray.iter().cloned());
    for slug in tables {
        let folder = there.table(slug)?;
        let mut offered = pushed.offered.get(slug).cloned().unwrap_or_default();
        offered.sort_by(|(one, a), (other, b)| (one, &a.name).cmp(&(other, &b.name)));
        let offered: Vec<Offered> = offered.into_iter().map(|(_, offered)| offered).collect();
        let foreign = pushed
            .foreign
            .get(slug)
            .map(Vec::as_slice)
            .unwrap_or_default();
        match judge(&folder, secret, &offered, foreign) {
            Ok(ruling) => {
                round
                    .said
                    .extend(ruling.said.iter().map(|line| format!("{slug}: {line}")));
                index.set(slug, &ruling.folder);
                let changed = ruling
                    .folder
                    .files
                    .into_iter()
                    .filter(|(name, bytes)| folder.files.get(name) != Some(bytes));
                files.extend(changed.map(|(name, bytes)| (slug.file(&name), Some(bytes))));
            }
            Err(broken) => round.trouble.push(format!(
                "{slug}: {broken}: nothing can be played at this table"
            )),
        }
    }
    files.extend(index.files());
    let tree = repository.compose(Some(tip), &OWN, &before, &files)?;
    let latest = commits
        .iter()
        .map(|commit| commit.time.min(around.now))
        .max()
        .unwrap_or_default();
    let time = latest.max(base.time + 1);
    let message = message(&round.said);
    let commit = seal(
        repository,
        secret,
        NewCommit {
            tree: &tree,
            parents: &parents,
            time,
            message: &message,
        },
    )?;
    Ok((round, Some(commit)))
}

fn message(said: &[String]) -> String {
    let title = match said {
        [] => "Put back what only the referee writes".to_owned(),
        [one] => shown(one),
        [_, ..] => format!("Look at {} things that were pushed", said.len()),
    };
    // Every line begins with our own sign, whatever a player wrote: the seal comes last and is read from the end.
    let lines: String = said
        .iter()
        .take(200)
        .map(|line| format!("- {line}\n"))
        .collect();
    format!("{title}\n\n{lines}")
}

/// Everything between the referee's last commit and the branch's last.
struct Scene<'a> {
    repository: &'a Repository,
    house: &'a House,
    around: &'a Circumstances,
    commits: &'a [Commit],
    before: &'a BTreeMap<String, Object>,
    after: &'a BTreeMap<String, Object>,
}

impl Scene<'_> {
    fn sort(&self) -> Result<Pushed, GitError> {
        let origins = self.origins()?;
        let mut pushed = Pushed::default();
        let paths: BTreeSet<&String> = self.before.keys().chain(self.after.keys()).collect();
        for path in paths {
            let (was, is) = (self.before.get(path), self.after.get(path));
            if was == is {
                continue;
            }
            let last = self.commits.len().saturating_sub(1);
            let origin = is
                .and_then(|object| origins.get(&(path.clone(), object.id.clone())))
                .copied()
                .unwrap_or(last);
            let what = match (was, is) {
                (None, _) => "added",
                (_, None) => "deleted",
                _ => "changed",
            };
            let Some(commit) = self.commits.get(origin) else {
                continue;
            };
            let (from, at) = (self.who(commit), commit.time.min(self.around.now));
            let is_table = |table: &Slug| self.before.contains_key(&table.file(TABLE));
            match Place::of(path) {
                Some(Place::Move { table, name }) if was.is_none() && is_table(&table) => {
                    if let Some(object) = is {
                        let offered = self.offered(&table, name, object, commit, from, at)?;
                        pushed
                            .offered
                            .entry(table)
                            .or_default()
                            .push((origin, offered));
                    }
                }
                Some(Place::Move { table, .. } | Place::Own { table, .. }) if is_table(&table) => {
                    let path = path[table.file("").len()..].to_owned();
                    pushed.foreign.entry(table).or_default().push(Foreign {
                        path,
                        what,
                        from,
                        at,
                    });
                }
                _ => pushed.stray.push(format!(
                    "{} was {what} by {}: taken back",
                    shown(path),
                    shown(&from)
                )),
            }
        }
        Ok(pushed)
    }

    /// For each new content of a path the first commit that brought it. Merges bring nothing of their own.
    fn origins(&self) -> Result<BTreeMap<(String, String), usize>, GitError> {
        let mut origins = BTreeMap::new();
        for (n, commit) in self
            .commits
            .iter()
            .enumerate()
            .filter(|(_, commit)| commit.parents.len() < 2)
        {
            for (path, object) in self.repository.brought(&commit.id, &OWN)? {
                origins.entry((path, object.id)).or_insert(n);
            }
        }
        Ok(origins)
    }

    fn who(&self, commit: &Commit) -> String {
        match (self.house.identity, &self.around.actor) {
            (Identity::Actor, Some(actor)) => actor.clone(),
            _ => format!("{} <{}>", commit.name, commit.email),
        }
    }

    fn offered(
        &self,
        table: &Slug,
        name: &str,
        object: &Object,
        commit: &Commit,
        from: String,
        at: i64,
    ) -> Result<Offered, GitError> {
        let content = if object.is_file() {
            match self.repository.sizes(&[&object.id])?[..] {
                [size] if size <= LONGEST => {
                    Content::File(self.repository.blobs(&[&object.id])?.remove(0))
                }
                [size, ..] => Content::TooLong(size),
                [] => Content::NoFile,
            }
        } else {
            Content::NoFile
        };
        let by = self.players(commit)?;
        let seen = self.seen(table, name, commit)?;
        Ok(Offered {
            name: name.to_owned(),
            content,
            by,
            from,
            seen,
            at,
        })
    }

    /// The players whom a commit can come from.
    fn players(&self, commit: &Commit) -> Result<Vec<String>, GitError> {
        let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
        Ok(match self.house.identity {
            Identity::Email => owned(self.house.by_email(&commit.email)),
            Identity::Actor => owned(
                self.around
                    .actor
                    .as_deref()
                    .map(|actor| self.house.by_actor(actor))
                    .unwrap_or_default(),
            ),
            Identity::Signature => {
                let people = self.house.people.iter();
                let signers: Vec<(&str, &str)> = people
                    .flat_map(|(name, person)| {
                        person
                            .keys
                            .iter()
                            .map(move |key| (name.as_str(), key.as_str()))
                    })
                    .collect();
                self.repository
                    .signer(&commit.id, &signers)?
                    .into_iter()
                    .collect()
            }
        })
    }

    /// The hash of the state that the commit was made on, if it shows the same position: the moves before it may not have been
    /// looked at yet, and messages may have come since.
    fn seen(&self, table: &Slug, name: &str, commit: &Commit) -> Result<Vec<String>, GitError> {
        let Some(parent) = commit.parents.first() else {
            return Ok(Vec::new());
        };
        let path = table.file(STATE);
        let tree = self.repository.tree(parent, &[&path])?;
        let Some(object) = tree.get(&path).filter(|object| object.is_file()) else {
            return Ok(Vec::new());
        };
        if self
            .repository
            .sizes(&[&object.id])?
            .iter()
            .any(|size| *size > LONGEST * 16)
        {
            return Ok(Vec::new());
        }
        let bytes = self.repository.blobs(&[&object.id])?.remove(0);
        let state: serde_json::Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let last = state["lastMove"]["sequence"].as_u64().unwrap_or(0);
        let next = MoveName::parse(name).map(|named| u64::from(named.sequence));
        // Whoever moves at once after another whose move was not looked at yet has seen the state before both.
        let fits = next.is_some_and(|next| last < next);
        Ok(if fits {
            vec![digest(&bytes)]
        } else {
            Vec::new()
        })
    }
}
