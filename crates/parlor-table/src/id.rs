//! Names of tables and points in time.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The name of a table: a number below 2^53, so that every JSON reader holds it exactly, growing with time.
///
/// Its text form is eleven characters of Crockford's base 32, as in `/t/0c5m8xq3k2a`.
///
/// ```
/// use parlor_table::TableId;
/// let id = TableId::new(123_456_789).expect("below 2^53");
/// assert_eq!(id.to_string(), "000003nqk8n");
/// assert_eq!("000003nqk8n".parse(), Ok(id));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(u64);

const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH: usize = 11;
/// 2026-01-01 00:00:00 UTC, the zero of the time in an id.
const EPOCH_MS: i64 = 1_767_225_600_000;
const RANDOM_BITS: u32 = 12;

impl TableId {
    /// The largest number of an id.
    pub const MAX: u64 = (1 << 53) - 1;

    /// The id with this number.
    ///
    /// # Errors
    /// When the number is above [`TableId::MAX`].
    pub fn new(number: u64) -> Result<TableId, BadTableId> {
        if number <= Self::MAX {
            Ok(TableId(number))
        } else {
            Err(BadTableId)
        }
    }

    /// A fresh id for a table made at `now`: 41 bits of milliseconds since 2026, then 12 of the random bits given.
    /// Two tables of one millisecond may collide once in 4,096; the store refuses the second.
    pub fn fresh(now: Timestamp, random: u64) -> TableId {
        let elapsed = now
            .millis()
            .saturating_sub(EPOCH_MS)
            .clamp(0, (1 << 41) - 1) as u64;
        TableId((elapsed << RANDOM_BITS) | (random & ((1 << RANDOM_BITS) - 1)))
    }

    /// The number.
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |place: usize| char::from(DIGITS[(self.0 >> (5 * place)) as usize & 31]);
        (0..LENGTH)
            .rev()
            .try_for_each(|place| fmt::Write::write_char(f, digit(place)))
    }
}

impl FromStr for TableId {
    type Err = BadTableId;

    fn from_str(text: &str) -> Result<TableId, BadTableId> {
        if text.len() != LENGTH {
            return Err(BadTableId);
        }
        let digit = |c: u8| {
            DIGITS
                .iter()
                .position(|d| *d == c)
                .map(|d| d as u64)
                .ok_or(BadTableId)
        };
        let number = text
            .bytes()
            .try_fold(0u64, |sum, c| Ok((sum << 5) | digit(c)?))?;
        TableId::new(number)
    }
}

impl Serialize for TableId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TableId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<TableId, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// The number of an account: below 2^53 and not zero, so that every JSON reader and every database holds it exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct UserId(u64);

impl UserId {
    /// The account with this number.
    ///
    /// # Errors
    /// When the number is 0 or above [`TableId::MAX`].
    pub fn new(number: u64) -> Result<UserId, BadUserId> {
        if (1..=TableId::MAX).contains(&number) {
            Ok(UserId(number))
        } else {
            Err(BadUserId)
        }
    }

    /// The number.
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl TryFrom<u64> for UserId {
    type Error = BadUserId;

    fn try_from(number: u64) -> Result<UserId, BadUserId> {
        UserId::new(number)
    }
}

impl From<UserId> for u64 {
    fn from(id: UserId) -> u64 {
        id.0
    }
}

/// A number that names no account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("that is no account number: they go from 1 to 2^53 - 1")]
pub struct BadUserId;

/// A text or number that names no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("that is no table id: ids are eleven characters of 0-9 and a-z without i, l, o and u")]
pub struct BadTableId;

/// A point in time: milliseconds since 1970-01-01 00:00 UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The point this many milliseconds after the epoch.
    pub const fn from_millis(millis: i64) -> Timestamp {
        Timestamp(millis)
    }

    /// Milliseconds since the epoch.
    pub const fn millis(self) -> i64 {
        self.0
    }
}
