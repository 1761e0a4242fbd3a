//! The files that only the referee writes.

use std::collections::BTreeMap;

use parlor_table::{Ending, TableId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// `house.json`: who plays here, and how commits prove who made them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct House {
    /// Always [`House::FORMAT`].
    pub format: String,
    /// What a player is known by.
    pub identity: Identity,
    /// The players by their names.
    pub people: BTreeMap<String, Person>,
}

/// What a player is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Identity {
    /// The committer's e-mail address; enough among friends, and where the server checks it.
    Email,
    /// The SSH signature of the commit.
    Signature,
    /// The name that the platform gives for whoever pushed.
    Actor,
}

/// A player of the house.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// E-mail addresses, compared without regard to case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub emails: Vec<String>,
    /// SSH public keys, each as `ssh-ed25519 AAAA...`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// Names on platforms, compared without regard to case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actors: Vec<String>,
}

impl House {
    /// The name of the format.
    pub const FORMAT: &str = "parlor-git-house/1";

    /// A house without players.
    pub fn new(identity: Identity) -> House {
        House {
            format: House::FORMAT.to_owned(),
            identity,
            people: BTreeMap::new(),
        }
    }

    /// The players whom an e-mail address belongs to.
    pub fn by_email(&self, email: &str) -> Vec<&str> {
        self.people_with(|person| &person.emails, email)
    }

    /// The players whom a platform's name belongs to.
    pub fn by_actor(&self, actor: &str) -> Vec<&str> {
        self.people_with(|person| &person.actors, actor)
    }

    fn people_with<'a>(
        &'a self,
        list: impl Fn(&Person) -> &Vec<String>,
        wanted: &str,
    ) -> Vec<&'a str> {
        let has = |person: &Person| {
            list(person)
                .iter()
                .any(|text| text.eq_ignore_ascii_case(wanted))
        };
        self.people
            .iter()
            .filter(|(_, person)| has(person))
            .map(|(name, _)| name.as_str())
            .collect()
    }
}

/// `table.json`: what was agreed at a table, and how it ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TableFile {
    /// Always [`TableFile::FORMAT`].
    pub format: String,
    /// The table's id, which its luck is drawn for.
    pub table: TableId,
    /// The game's name.
    pub game: String,
    /// The game's complete options.
    pub options: Value,
    /// Who sits where, by the words for the seats, in the order of seats.
    pub players: serde_json::Map<String, Value>,
    /// The luck; nothing in games without it.
    pub luck: Option<LuckFile>,
    /// When the table was made.
    pub created_at: String,
    /// How it ended; nothing while it goes on.
    pub result: Option<Ending>,
}

/// The luck of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LuckFile {
    /// SHA-256 of the secret, from the beginning on.
    pub commitment: String,
    /// The secret, when the game is over.
    pub secret: Option<String>,
}

impl TableFile {
    /// The name of the format.
    pub const FORMAT: &str = "parlor-git-table/1";
}

/// JSON as the house writes it: two blanks for each step inwards, a line break at the end.
pub fn pretty(value: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text.into_bytes()
}

/// A moment as files write it, to the second: `2026-11-22T08:00:00Z`.
///
/// ```
/// use parlor_git::files::{moment, seconds};
/// assert_eq!(moment(1_795_334_400), "2026-11-22T08:00:00Z");
/// assert_eq!(seconds("2026-11-22T08:00:00Z"), Some(1_795_334_400));
/// ```
pub fn moment(seconds: i64) -> String {
    // Years that no date can have become the nearest that can.
    let seconds = seconds.clamp(0, 253_402_300_799);
    let time = OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    time.format(&Rfc3339).unwrap_or_default()
}

/// The seconds since 1970 of a moment in a file.
pub fn seconds(text: &str) -> Option<i64> {
    OffsetDateTime::parse(text, &Rfc3339)
        .ok()
        .map(OffsetDateTime::unix_timestamp)
}

/// The same for tables.
pub fn stamp(seconds: i64) -> Timestamp {
    Timestamp::from_millis(seconds.saturating_mul(1_000))
}
