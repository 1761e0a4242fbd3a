//! Contents of the files that only the referee writes.

use std::collections::BTreeMap;

use parlor_table::{Ending, TableId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Contents of `house.json`: the players and the way commits are attributed to them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HouseFile {
    /// Name of the format, always [`HouseFile::FORMAT`].
    pub format: String,
    /// Means of identifying the player who made a commit.
    pub identity: Identity,
    /// Players by name.
    pub people: BTreeMap<String, Person>,
}

/// Means of identifying the player who made a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Identity {
    /// E-mail address of the committer. Sufficient among friends, or if the hosting server checks
    /// it.
    Email,
    /// SSH signature of the commit.
    Signature,
    /// User name of the pusher, as reported by the hosting platform.
    Actor,
}

/// Identities of a player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// E-mail addresses, compared case-insensitively.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub emails: Vec<String>,
    /// SSH public keys, each in the form `ssh-ed25519 AAAA...`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// User names on hosting platforms, compared case-insensitively.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actors: Vec<String>,
}

impl HouseFile {
    /// Name of the file format.
    pub const FORMAT: &str = "parlor-git-house/1";

    /// Creates a house without players.
    pub fn new(identity: Identity) -> HouseFile {
        HouseFile {
            format: HouseFile::FORMAT.to_owned(),
            identity,
            people: BTreeMap::new(),
        }
    }

    /// Returns the players with this e-mail address.
    pub fn players_by_email(&self, email: &str) -> Vec<&str> {
        self.people_with(|person| &person.emails, email)
    }

    /// Returns the players with this user name on the hosting platform.
    pub fn players_by_actor(&self, actor: &str) -> Vec<&str> {
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

/// Contents of `table.json`: the terms of a game and its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TableFile {
    /// Name of the format, always [`TableFile::FORMAT`].
    pub format: String,
    /// Id of the table, which enters every draw of luck.
    pub table: TableId,
    /// Name of the game.
    pub game: String,
    /// Complete options of the game.
    pub options: Value,
    /// Players by the names of their seats, in seat order.
    pub players: serde_json::Map<String, Value>,
    /// Commitment to the table's luck; `None` in games without luck.
    pub luck: Option<LuckFile>,
    /// Time of creation, in RFC 3339.
    pub created_at: String,
    /// Ending; `None` while the game is in progress.
    pub result: Option<Ending>,
}

/// Commitment to a table's luck.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LuckFile {
    /// SHA-256 of the secret, published from the start.
    pub commitment: String,
    /// Secret in hexadecimal, once the game is over.
    pub secret: Option<String>,
}

impl TableFile {
    /// Name of the file format.
    pub const FORMAT: &str = "parlor-git-table/1";
}

/// Serializes a value as the referee writes it: JSON indented by two spaces, with a final newline.
pub fn to_pretty_json(value: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text.into_bytes()
}

/// Formats seconds since the Unix epoch as RFC 3339, such as `2026-11-22T08:00:00Z`.
///
/// ```
/// use parlor_git::files::{format_time, parse_time};
/// assert_eq!(format_time(1_795_334_400), "2026-11-22T08:00:00Z");
/// assert_eq!(parse_time("2026-11-22T08:00:00Z"), Some(1_795_334_400));
/// ```
pub fn format_time(seconds: i64) -> String {
    // Times outside the years 1970 to 9999 are clamped.
    let seconds = seconds.clamp(0, 253_402_300_799);
    let time = OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    time.format(&Rfc3339).unwrap_or_default()
}

/// Parses an RFC 3339 time into seconds since the Unix epoch.
pub fn parse_time(text: &str) -> Option<i64> {
    OffsetDateTime::parse(text, &Rfc3339)
        .ok()
        .map(OffsetDateTime::unix_timestamp)
}

/// Converts seconds since the Unix epoch to a [`Timestamp`].
pub fn to_timestamp(seconds: i64) -> Timestamp {
    Timestamp::from_millis(seconds.saturating_mul(1_000))
}
