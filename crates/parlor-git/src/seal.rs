//! Seals that authenticate the referee's commits, and derivation of the tables' secrets.
//!
//! Both depend on one secret of the house that never enters the repository. Each table's secret is
//! derived from it, so that it can be published at the end of a game without revealing any other. A
//! seal in the message of each of the referee's commits authenticates its tree, parents, time and
//! message, so that no other commit can pass for one.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use parlor_table::{Secret, TableId};
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// Secret of a house: 32 bytes.
#[derive(Clone)]
pub struct HouseSecret([u8; 32]);

impl HouseSecret {
    /// Creates a secret from bytes, which should come from the operating system's random generator.
    pub const fn new(bytes: [u8; 32]) -> HouseSecret {
        HouseSecret(bytes)
    }

    /// Parses 64 hexadecimal digits, ignoring surrounding white space; returns `None` for any other
    /// text.
    pub fn from_hex(text: &str) -> Option<HouseSecret> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text.trim(), &mut bytes)
            .ok()
            .map(|()| HouseSecret(bytes))
    }

    /// Returns the secret as 64 hexadecimal digits. It must not be logged.
    pub fn to_hex(&self) -> String {
        hex::encode(self.0)
    }

    /// Returns the secret of a table's luck.
    ///
    /// ```
    /// use parlor_git::HouseSecret;
    /// use parlor_table::TableId;
    /// let house = HouseSecret::new([7; 32]);
    /// let [one, other] = [1, 2].map(|n| house.table_secret(TableId::new(n).expect("small")));
    /// assert_ne!(one, other);
    /// ```
    pub fn table_secret(&self, table: TableId) -> Secret {
        Secret::new(self.mac(&format!("parlor-git-luck/1\n{table}")))
    }

    fn mac(&self, message: &str) -> [u8; 32] {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(message.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// Computes the seal of a commit.
    pub fn seal(&self, commit: &SealedContent<'_>) -> String {
        hex::encode(self.mac(&commit.text()))
    }

    /// Returns true if `seal` is this house's seal of the commit.
    pub fn is_seal(&self, commit: &SealedContent<'_>, seal: &str) -> bool {
        hex::decode(seal).is_ok_and(|seal| self.mac(&commit.text()).ct_eq(&seal).into())
    }
}

impl fmt::Debug for HouseSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HouseSecret(..)")
    }
}

/// Parts of a commit that a seal authenticates.
#[derive(Clone, Copy, Debug)]
pub struct SealedContent<'a> {
    /// Id of the tree.
    pub tree: &'a str,
    /// Ids of the parents, separated by spaces.
    pub parents: &'a str,
    /// Commit time, in seconds since the Unix epoch.
    pub time: i64,
    /// Commit message without the seal.
    pub message: &'a str,
}

/// Prefix of the last line of a sealed commit's message.
pub const TRAILER: &str = "Parlor-Seal: ";

impl SealedContent<'_> {
    fn text(&self) -> String {
        let SealedContent {
            tree,
            parents,
            time,
            message,
        } = self;
        format!(
            "parlor-git-seal/1\n{tree}\n{parents}\n{time}\n{}",
            message.trim_end()
        )
    }
}
