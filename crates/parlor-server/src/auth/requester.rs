//! The people who send requests.

use std::net::IpAddr;

use parlor_core::Seat;
use parlor_table::{Issuer, Player, SeatKey, Table, UserId};

use crate::accounts::refuse_reserved_for_guest;
use crate::edge::Client;
use crate::error::Error;
use crate::thinking::Payer;

/// A person with an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) id: UserId,
    pub(crate) name: String,
    /// The account that the member belongs to, if it is a bot.
    pub(crate) owner: Option<UserId>,
    /// Name of that account.
    pub(crate) owner_name: Option<String>,
}

impl Member {
    /// Returns the account that answers for what the member uses up: that of its owner for a bot.
    fn answering(&self) -> UserId {
        self.owner.unwrap_or(self.id)
    }
}

/// Identity of the person behind a request: a member, the holder of a guest's token, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Requester {
    member: Option<Member>,
    guest: Option<SeatKey>,
    client: Option<Client>,
}

impl Requester {
    /// Creates the identity of a guest.
    pub(crate) fn from_guest(key: SeatKey) -> Requester {
        Requester {
            member: None,
            guest: Some(key),
            client: None,
        }
    }

    /// Adds the address that the request came from.
    pub(crate) fn at_client(self, client: Client) -> Requester {
        let client = Some(client);
        Requester { client, ..self }
    }

    /// Returns the address that the request came from, if known.
    pub(crate) fn address(&self) -> Option<IpAddr> {
        self.client.map(|client| client.0)
    }

    /// Returns who pays for what is computed for this person.
    pub(crate) fn payer(&self) -> Payer {
        let address = || self.client.map_or(Payer::Unknown, Payer::Address);
        self.member()
            .map_or_else(address, |member| Payer::Member(member.answering()))
    }

    /// Returns the key under which this person's tables are counted, that of the owner for a bot.
    pub(crate) fn counted_as(&self) -> Option<SeatKey> {
        match self.member() {
            Some(member) => Issuer::Member(member.answering()).key(),
            None => self.guest,
        }
    }

    /// Creates the identity of a member, whose browser may have a guest's token as well.
    pub(crate) fn from_member(member: Member, guest: Option<SeatKey>) -> Requester {
        Requester {
            member: Some(member),
            guest,
            client: None,
        }
    }

    /// Returns the member; `None` for guests.
    pub(crate) fn member(&self) -> Option<&Member> {
        self.member.as_ref()
    }

    /// Returns the keys that can own seats, the account's first.
    pub(crate) fn keys(&self) -> impl Iterator<Item = SeatKey> {
        self.bys().filter_map(|by| by.key())
    }

    /// Returns the issuer of commands that take a new seat.
    pub(crate) fn by(&self) -> Issuer {
        self.bys()
            .next()
            .expect("somebody has an account or a token")
    }

    /// Returns the issuer that holds this person's seats at a table, or that can take seats back there.
    pub(crate) fn at(&self, table: &Table) -> Issuer {
        let is = |test: fn(&Table, &SeatKey) -> bool| {
            let mut bys = self.bys();
            bys.find(|by| by.key().is_some_and(|key| test(table, &key)))
        };
        is(|table, key| !table.seats_with_key(key).is_empty())
            .or_else(|| is(|table, key| table.seats_to_take_back(key).is_ok()))
            .unwrap_or_else(|| self.by())
    }

    /// Returns this person's seats at a table.
    pub(crate) fn seats(&self, table: &Table) -> Vec<Seat> {
        self.at(table)
            .key()
            .map(|key| table.seats_with_key(&key))
            .unwrap_or_default()
    }

    /// Returns the seats that this person left and can take back.
    pub(crate) fn seats_to_take_back(&self, table: &Table) -> Vec<Seat> {
        let seats = |key: SeatKey| table.seats_to_take_back(&key).ok();
        self.at(table).key().and_then(seats).unwrap_or_default()
    }

    /// Returns true if this person left a game and can take the seat back.
    pub(crate) fn can_return(&self, table: &Table) -> bool {
        !self.seats_to_take_back(table).is_empty()
    }

    /// Returns the name of the member to whom this program belongs; `None` for people.
    pub(crate) fn owner(&self) -> Option<&str> {
        self.member()?.owner_name.as_deref()
    }

    /// Returns the name to display: a member's account name, or the name given by a guest, unless it
    /// could be taken for the house itself.
    pub(crate) fn name(&self, given: &str) -> Result<String, Error> {
        if let Some(member) = self.member() {
            return Ok(member.name.clone());
        }
        refuse_reserved_for_guest(given)?;
        Ok(given.to_owned())
    }

    /// Returns the player to seat under a name.
    pub(crate) fn player(&self, given: &str) -> Result<Player, Error> {
        let name = self.name(given)?;
        let player = match self.by() {
            Issuer::Member(user) => match self.owner() {
                Some(owner) => Player::program(&name, user, owner),
                None => Player::member(&name, user),
            },
            by => Player::human(&name, by.key().expect("a person has a key")),
        };
        Ok(player?)
    }

    fn bys(&self) -> impl Iterator<Item = Issuer> {
        self.member
            .as_ref()
            .map(|member| Issuer::Member(member.id))
            .into_iter()
            .chain(self.guest.map(Issuer::Key))
    }
}
