//! Ids of tables and accounts, and timestamps.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Id of a table: a number below 2^53, which every JSON reader can hold exactly. Ids grow with
/// time.
///
/// The text form is eleven characters of Crockford's base 32, as in `/t/0c5m8xq3k2a`.
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
/// 2026-01-01 00:00:00 UTC, the epoch of the time within an id.
const EPOCH_MS: i64 = 1_767_225_600_000;
const RANDOM_BITS: u32 = 12;

impl TableId {
    /// Largest number of an id.
    pub const MAX: u64 = (1 << 53) - 1;

    /// Creates an id from its number.
    ///
    /// # Errors
    /// [`BadTableId`] if the number is above [`TableId::MAX`].
    pub fn new(number: u64) -> Result<TableId, BadTableId> {
        if number <= Self::MAX {
            Ok(TableId(number))
        } else {
            Err(BadTableId)
        }
    }

    /// Generates an id for a table created at `now`: 41 bits of milliseconds since 2026, then the
    /// low 12 bits of `random`. Two tables created in the same millisecond collide with probability
    /// 1 in 4,096; the store refuses the second.
    pub fn fresh(now: Timestamp, random: u64) -> TableId {
        let elapsed = now
            .millis()
            .saturating_sub(EPOCH_MS)
            .clamp(0, (1 << 41) - 1) as u64;
        TableId((elapsed << RANDOM_BITS) | (random & ((1 << RANDOM_BITS) - 1)))
    }

    /// Returns the number.
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |index: usize| char::from(DIGITS[(self.0 >> (5 * index)) as usize & 31]);
        (0..LENGTH)
            .rev()
            .try_for_each(|index| fmt::Write::write_char(f, digit(index)))
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

/// Id of an account: a nonzero number below 2^53, which every JSON reader and every database can
/// hold exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct UserId(u64);

impl UserId {
    /// Creates an id from its number.
    ///
    /// # Errors
    /// [`BadUserId`] if the number is 0 or above [`TableId::MAX`].
    pub fn new(number: u64) -> Result<UserId, BadUserId> {
        if (1..=TableId::MAX).contains(&number) {
            Ok(UserId(number))
        } else {
            Err(BadUserId)
        }
    }

    /// Returns the number.
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

/// Error for a number outside the range of account ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("that is no account number: they go from 1 to 2^53 - 1")]
pub struct BadUserId;

/// Error for a text or number that is not a table id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("that is no table id: ids are eleven characters of 0-9 and a-z without i, l, o and u")]
pub struct BadTableId;

/// Point in time, in milliseconds since the Unix epoch (1970-01-01 00:00 UTC).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Creates a timestamp from milliseconds since the epoch.
    pub const fn from_millis(millis: i64) -> Timestamp {
        Timestamp(millis)
    }

    /// Returns the milliseconds since the epoch.
    pub const fn millis(self) -> i64 {
        self.0
    }
}
