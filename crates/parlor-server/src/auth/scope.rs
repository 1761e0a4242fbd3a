//! Scopes of credentials.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A permission that a credential can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Scope {
    /// Create and join tables, and everything that players do there.
    Play,
    /// Read private data: one's own games and one's event stream.
    Read,
    /// Manage the account: its tokens, bots, blocks, password and settings.
    Account,
    /// Administer the server. Only admins have it.
    Admin,
}

impl Scope {
    /// All scopes.
    pub(crate) const ALL: [Scope; 4] = [Scope::Play, Scope::Read, Scope::Account, Scope::Admin];

    /// Returns the scope's name.
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
    /// Scopes of guests, and default scopes of API tokens.
    pub(crate) const USUAL: Scopes = Scopes(Scopes::bit(Scope::Play) | Scopes::bit(Scope::Read));

    const fn bit(scope: Scope) -> u8 {
        1 << scope as u8
    }

    /// Returns the scopes of a member's session.
    pub(crate) fn of_session(admin: bool) -> Scopes {
        Scope::ALL
            .into_iter()
            .filter(|scope| admin || *scope != Scope::Admin)
            .collect()
    }

    /// Returns the scopes of a stored token; unknown names are ignored.
    pub(crate) fn stored(words: &[String], admin: bool) -> Scopes {
        let known = |word: &String| Scope::ALL.into_iter().find(|scope| scope.name() == word);
        words
            .iter()
            .filter_map(known)
            .filter(|scope| admin || *scope != Scope::Admin)
            .collect()
    }

    /// Returns true if the set contains the scope.
    pub(crate) fn has(self, scope: Scope) -> bool {
        self.0 & Scopes::bit(scope) != 0
    }

    /// Returns the scopes in the set.
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
