//! What a credential is good for.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Something that a credential allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Scope {
    /// Making tables, sitting down, and everything that is done at a table.
    Play,
    /// Seeing what is one's own: one's games, one's stream of events.
    Read,
    /// The account itself: its tokens, its bots, its password.
    Account,
    /// Keeping the house. Only admins have it.
    Admin,
}

impl Scope {
    /// Every scope.
    pub(crate) const ALL: [Scope; 4] = [Scope::Play, Scope::Read, Scope::Account, Scope::Admin];

    /// The word for it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Scope::Play => "play",
            Scope::Read => "read",
            Scope::Account => "account",
            Scope::Admin => "admin",
        }
    }
}

/// A set of scopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Scopes(u8);

impl Scopes {
    /// What guests may do, and programs when nothing else is said.
    pub(crate) const USUAL: Scopes = Scopes(Scopes::bit(Scope::Play) | Scopes::bit(Scope::Read));

    const fn bit(scope: Scope) -> u8 {
        1 << scope as u8
    }

    /// What a member's session may do.
    pub(crate) fn of_session(admin: bool) -> Scopes {
        Scope::ALL
            .into_iter()
            .filter(|scope| admin || *scope != Scope::Admin)
            .collect()
    }

    /// What a stored token may do; words that are none count for nothing.
    pub(crate) fn stored(words: &[String], admin: bool) -> Scopes {
        let known = |word: &String| Scope::ALL.into_iter().find(|scope| scope.name() == word);
        words
            .iter()
            .filter_map(known)
            .filter(|scope| admin || *scope != Scope::Admin)
            .collect()
    }

    /// Whether the scope is among them.
    pub(crate) fn has(self, scope: Scope) -> bool {
        self.0 & Scopes::bit(scope) != 0
    }

    /// Those among them.
    pub(crate) fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |scope| self.has(*scope))
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Scopes {
        Scopes(
            scopes
                .into_iter()
                .fold(0, |set, scope| set | Scopes::bit(scope)),
        )
    }
}
