//! Somebody, in all the ways in which the tables know them.

use parlor_core::Seat;
use parlor_table::{By, Key, Player, Refused, Table, UserId};

/// Somebody with an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) id: UserId,
    pub(crate) name: String,
}

/// Who asks, in all the ways in which the house knows them: as a member, as the holder of a guest's token, or as both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Who {
    member: Option<Member>,
    guest: Option<Key>,
}

impl Who {
    /// The holder of a token.
    pub(crate) fn guest(key: Key) -> Who {
        Who {
            member: None,
            guest: Some(key),
        }
    }

    /// A member, whose browser may hold a guest's token as well.
    pub(crate) fn member(member: Member, guest: Option<Key>) -> Who {
        Who {
            member: Some(member),
            guest,
        }
    }

    /// The account, if there is one.
    pub(crate) fn account(&self) -> Option<&Member> {
        self.member.as_ref()
    }

    /// What seats are held by, the account first.
    pub(crate) fn keys(&self) -> impl Iterator<Item = Key> {
        self.bys().filter_map(|by| by.key())
    }

    /// What new seats are taken by.
    pub(crate) fn by(&self) -> By {
        self.bys()
            .next()
            .expect("somebody has an account or a token")
    }

    /// As this table knows them: the way in which they hold a seat.
    pub(crate) fn at(&self, table: &Table) -> By {
        let holds = |by: &By| by.key().is_some_and(|key| !table.seats_of(&key).is_empty());
        self.bys().find(holds).unwrap_or_else(|| self.by())
    }

    /// Their seats at a table.
    pub(crate) fn seats(&self, table: &Table) -> Vec<Seat> {
        self.at(table)
            .key()
            .map(|key| table.seats_of(&key))
            .unwrap_or_default()
    }

    /// The name to be shown: a member's own, or the one that a guest gives.
    pub(crate) fn name(&self, given: &str) -> String {
        self.account()
            .map_or_else(|| given.to_owned(), |member| member.name.clone())
    }

    /// Who sits down under a name.
    pub(crate) fn player(&self, given: &str) -> Result<Player, Refused> {
        match self.by() {
            By::Member(user) => Player::member(&self.name(given), user),
            by => Player::human(given, by.key().expect("a person has a key")),
        }
    }

    fn bys(&self) -> impl Iterator<Item = By> {
        self.member
            .as_ref()
            .map(|member| By::Member(member.id))
            .into_iter()
            .chain(self.guest.map(By::Key))
    }
}
