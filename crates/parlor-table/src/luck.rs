//! Luck that anyone can verify.
//!
//! When a table is created, its driver commits to a [`Secret`]: the secret's SHA-256 is part of the
//! first event and public from then on. Each seat may add its own text before the first draw.
//! Draw number `n` of a table is then
//!
//! ```text
//! HMAC-SHA256(key = secret, message = "parlor-luck/1" LF table LF seats LF hex(text 0) LF … hex(text s-1) LF n LF try)
//! ```
//!
//! with numbers in decimal and `try` counting from 0. The first eight bytes of the result,
//! big-endian, are a number `r`. If `r` is not below the largest multiple of the sum of weights
//! that fits into 64 bits, the next `try` is used, so there is no modulo bias. Otherwise `r mod
//! sum` selects the chance whose share of the weights, in the game's order, contains it. The secret
//! is published at the end of the game, so that anyone can repeat the draws.
//!
//! Searching for a favorable result is impossible, because all inputs of a draw are fixed before
//! the first one.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::TableId;

/// Maximum length of a seat's text, in characters.
pub const TEXT_LIMIT: usize = 100;

/// 32 random bytes known only to the driver until the game is over.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

impl Secret {
    /// Creates a secret from bytes, which should come from the operating system's random generator.
    pub const fn new(bytes: [u8; 32]) -> Secret {
        Secret(bytes)
    }

    /// Parses 64 hexadecimal digits; returns `None` for any other text.
    pub fn from_hex(text: &str) -> Option<Secret> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes)
            .ok()
            .map(|()| Secret(bytes))
    }

    /// Returns the secret as 64 hexadecimal digits. It must not be logged.
    pub fn to_hex(&self) -> String {
        hex::encode(self.0)
    }

    /// Returns the commitment to publish first: the SHA-256 of the 32 bytes, in hexadecimal.
    pub fn commitment(&self) -> String {
        hex::encode(Sha256::digest(self.0))
    }

    /// Returns the result of draw number `n` of a table as an index into `weights`, or `None` if
    /// the weights sum to 0.
    ///
    /// `texts` holds one text per seat, empty if the seat added none.
    ///
    /// ```
    /// use parlor_table::{Secret, TableId};
    /// let table = TableId::new(1).expect("small");
    /// let die = Secret::new([7; 32]).draw(table, &["", ""], 0, &[1; 6]);
    /// assert_eq!(die, Secret::new([7; 32]).draw(table, &["", ""], 0, &[1; 6]));
    /// assert!(die < Some(6));
    /// ```
    pub fn draw<T: AsRef<str>>(
        &self,
        table: TableId,
        texts: &[T],
        n: u32,
        weights: &[u32],
    ) -> Option<usize> {
        let sum: u64 = weights.iter().map(|w| u64::from(*w)).sum();
        if sum == 0 {
            return None;
        }
        let numbers = (0u32..).map(|attempt| self.number(table, texts, n, attempt));
        let mut ticket = unbiased(numbers, sum)?;
        weights.iter().position(|weight| {
            let weight = u64::from(*weight);
            let hit = ticket < weight;
            ticket = ticket.wrapping_sub(weight);
            hit
        })
    }

    fn number<T: AsRef<str>>(&self, table: TableId, texts: &[T], n: u32, attempt: u32) -> u64 {
        let mut message = format!("parlor-luck/1\n{table}\n{}\n", texts.len());
        for text in texts {
            message.push_str(&hex::encode(text.as_ref()));
            message.push('\n');
        }
        message.push_str(&format!("{n}\n{attempt}"));
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(message.as_bytes());
        let digest = mac.finalize().into_bytes();
        u64::from_be_bytes(*digest.first_chunk().expect("a digest has 32 bytes"))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl Serialize for Secret {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_hex())
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Secret, D::Error> {
        let text = String::deserialize(deserializer)?;
        Secret::from_hex(&text)
            .ok_or_else(|| serde::de::Error::custom("a secret is 64 hexadecimal digits"))
    }
}

/// State of a table's luck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableLuck {
    /// SHA-256 of the secret; `None` if the players bring their own luck.
    pub(crate) commitment: Option<String>,
    pub(crate) secret: Option<Secret>,
    pub(crate) texts: Vec<String>,
    pub(crate) drawn: u32,
    pub(crate) revealed: bool,
}

/// Returns the first number that is not rejected, modulo `sum`. Rejected are the numbers from the
/// last multiple of `sum` on, because they would favor small remainders.
fn unbiased(mut numbers: impl Iterator<Item = u64>, sum: u64) -> Option<u64> {
    let top = u64::MAX - (u64::MAX % sum + 1) % sum;
    Some(numbers.find(|number| *number <= top)? % sum)
}

#[cfg(test)]
mod tests {
    use super::unbiased;

    #[test]
    fn numbers_that_would_favor_small_remainders_are_rejected() {
        // 2^64 is 4 more than a multiple of 6, so the last four numbers are too many.
        let last = u64::MAX - 4;
        assert_eq!(
            last % 6,
            5,
            "the last number that is kept completes a round"
        );
        for number in [0, 1, 5, 6, last - 1, last] {
            assert_eq!(unbiased([number, 3].into_iter(), 6), Some(number % 6));
        }
        for number in [last + 1, u64::MAX - 1, u64::MAX] {
            assert_eq!(unbiased([number, 3].into_iter(), 6), Some(3));
        }
        assert_eq!(unbiased([u64::MAX].into_iter(), 6), None);
    }

    #[test]
    fn nothing_is_rejected_if_the_sum_divides_all_numbers() {
        for sum in [1, 2, 1 << 32, 1 << 63] {
            assert_eq!(unbiased([u64::MAX].into_iter(), sum), Some(sum - 1));
        }
    }
}
