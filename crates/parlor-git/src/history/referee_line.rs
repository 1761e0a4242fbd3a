//! The line of the referee's commits in a history.

use std::collections::BTreeMap;

use super::has_seal;
use crate::git::GitCommit;
use crate::house::is_sealed;
use crate::seal::HouseSecret;

/// Domain of the e-mail addresses of the referee and of servers, which cannot exist.
const INVALID_DOMAIN: &str = "@parlor.invalid";

/// The referee's commits, oldest first, and the commits pushed since the last of them.
pub(super) struct RefereeLine<'a> {
    pub(super) referee_commits: Vec<&'a GitCommit>,
    pub(super) since: Vec<&'a GitCommit>,
}

impl<'a> RefereeLine<'a> {
    /// Finds the referee's commits among commits sorted with parents before children. With a secret
    /// those with its seals count, otherwise those that claim to be the referee's.
    pub(super) fn from_commits(
        commits: &'a [GitCommit],
        secret: Option<&HouseSecret>,
    ) -> RefereeLine<'a> {
        let predecessors = Predecessors::from_commits(commits, secret);
        let newest = predecessors.last.last().copied().flatten();
        let mut referee_commits: Vec<&GitCommit> =
            std::iter::successors(newest, |n| predecessors.before[*n])
                .map(|n| &commits[n])
                .collect();
        referee_commits.reverse();
        let since = commits
            .iter()
            .zip(&predecessors.last)
            .enumerate()
            .filter(|(n, (_, last))| newest.is_some() && **last == newest && Some(*n) != newest);
        RefereeLine {
            referee_commits,
            since: since.map(|(_, (commit, _))| commit).collect(),
        }
    }
}

/// Referee's commits that come before each commit, as indices.
struct Predecessors {
    /// The referee's latest commit among each commit and its ancestors.
    last: Vec<Option<usize>>,
    /// The referee's latest commit among each commit's ancestors alone.
    before: Vec<Option<usize>>,
}

impl Predecessors {
    fn from_commits(commits: &[GitCommit], secret: Option<&HouseSecret>) -> Predecessors {
        let numbers: BTreeMap<&str, usize> = commits
            .iter()
            .enumerate()
            .map(|(n, commit)| (commit.id.as_str(), n))
            .collect();
        let (mut last, mut before) = (Vec::<Option<usize>>::new(), Vec::new());
        let mut sealed = false;
        for (n, commit) in commits.iter().enumerate() {
            let last_of = |id: &String| {
                numbers
                    .get(id.as_str())
                    .and_then(|n| last.get(*n).copied().flatten())
            };
            let is_referee = match secret {
                Some(secret) => is_sealed(commit, secret),
                None => commit.email.ends_with(INVALID_DOMAIN) && (has_seal(commit) || !sealed),
            };
            let base = match &commit.parents[..] {
                // The last parent of a repairing commit is the one that it restores.
                [_, .., put_back] if is_referee => last_of(put_back),
                parents => parents.iter().filter_map(last_of).max(),
            };
            sealed |= is_referee && has_seal(commit);
            last.push(if is_referee { Some(n) } else { base });
            before.push(base);
        }
        Predecessors { last, before }
    }
}
