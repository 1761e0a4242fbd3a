//! Luck that anyone can verify.
//!
//! At a table's creation its driver commits to a [`Secret`]: the secret's SHA-256 is public from the first event on. Each
//! seat may add a text of its own before the first draw. Draw number `n` of a table is then
//!
//! ```text
//! HMAC-SHA256(key = secret, message = "parlor-luck/1" LF table LF seats LF hex(text 0) LF … hex(text s-1) LF n LF try)
//! ```
//!
//! with decimal numbers and `try` counting from 0. The first eight bytes, big-endian, are a number `r`; if `r` is not
//! below the largest multiple of the sum of weights that fits into 64 bits, the next `try` is taken (so there is no
//! modulo bias); else `r mod sum` is a ticket, and the chance whose share of the weights, in the game's order, holds the ticket
//! comes up. At the end of the game the secret is published and everyone can draw again.
//!
//! Nobody can grind: everything that enters a draw is fixed before the first draw.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::TableId;

/// The longest text of a seat, in characters.
pub const TEXT_LIMIT: usize = 100;

/// 32 bytes that nobody but the driver knows until the game is over.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

impl Secret {
    /// The secret of these bytes, which should come from the operating system's generator.
    pub const fn new(bytes: [u8; 32]) -> Secret {
        Secret(bytes)
    }

    /// Reads 64 hexadecimal digits; `None` for anything else.
    pub fn from_hex(text: &str) -> Option<Secret> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes)
            .ok()
            .map(|()| Secret(bytes))
    }

    /// 64 hexadecimal digits. Not for logs.
    pub fn to_hex(&self) -> String {
        hex::encode(self.0)
    }

    /// What is published first: the SHA-256 of the 32 bytes, in hexadecimal.
    pub fn commitment(&self) -> String {
        hex::encode(Sha256::digest(self.0))
    }

    /// Draw number `n` of a table: an index into `weights`, or `None` when the weights sum to 0.
    ///
    /// `texts` are the seats' texts in the order of seats, empty where a seat said nothing.
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
        let top = u64::MAX - (u64::MAX % sum + 1) % sum; // the last number below a whole multiple of sum
        let fair = (0u32..)
            .map(|attempt| self.number(table, texts, n, attempt))
            .find(|r| *r <= top)?;
        let mut ticket = fair % sum;
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
        digest
            .iter()
            .take(8)
            .fold(0, |sum, byte| (sum << 8) | u64::from(*byte))
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

/// The luck of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Luck {
    /// SHA-256 of the secret; nothing when the players bring their own luck.
    pub(crate) commitment: Option<String>,
    pub(crate) secret: Option<Secret>,
    pub(crate) texts: Vec<String>,
    pub(crate) drawn: u32,
    pub(crate) revealed: bool,
}
