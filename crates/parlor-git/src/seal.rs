//! How the referee knows its own commits, and where the secrets of tables come from.
//!
//! Both hang on one secret of the house that never enters the repository. A table's secret is derived from it, so that it can be shown
//! at the end of a game without giving away any other; a seal in the message of every commit of the referee binds its tree, its parents and
//! its time, so that nobody else's commit can pass for one.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use parlor_table::{Secret, TableId};
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// The secret of a house: 32 bytes.
#[derive(Clone)]
pub struct HouseSecret([u8; 32]);

impl HouseSecret {
    /// A secret of these bytes, which should come from the operating system's generator.
    pub const fn new(bytes: [u8; 32]) -> HouseSecret {
        HouseSecret(bytes)
    }

    /// Reads 64 hexadecimal digits, with white space around them; nothing for anything else.
    pub fn from_hex(text: &str) -> Option<HouseSecret> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text.trim(), &mut bytes)
            .ok()
            .map(|()| HouseSecret(bytes))
    }

    /// 64 hexadecimal digits. Not for logs.
    pub fn to_hex(&self) -> String {
        hex::encode(self.0)
    }

    /// The secret of a table's luck.
    ///
    /// ```
    /// use parlor_git::HouseSecret;
    /// use parlor_table::TableId;
    /// let house = HouseSecret::new([7; 32]);
    /// let [one, other] = [1, 2].map(|n| house.of_table(TableId::new(n).expect("small")));
    /// assert_ne!(one, other);
    /// ```
    pub fn of_table(&self, table: TableId) -> Secret {
        Secret::new(self.mac(&format!("parlor-git-luck/1\n{table}")))
    }

    fn mac(&self, message: &str) -> [u8; 32] {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(message.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// The seal of a commit: its tree, its parents, its time and its message.
    pub fn seal(&self, commit: &Sealed<'_>) -> String {
        hex::encode(self.mac(&commit.text()))
    }

    /// Whether a seal is this house's for the commit.
    pub fn is_seal(&self, commit: &Sealed<'_>, seal: &str) -> bool {
        hex::decode(seal).is_ok_and(|seal| self.mac(&commit.text()).ct_eq(&seal).into())
    }
}

impl fmt::Debug for HouseSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HouseSecret(..)")
    }
}

/// What a seal binds.
#[derive(Clone, Copy, Debug)]
pub struct Sealed<'a> {
    /// The id of the tree.
    pub tree: &'a str,
    /// The ids of the parents, divided by blanks.
    pub parents: &'a str,
    /// The commit's time in seconds.
    pub time: i64,
    /// The message without the seal.
    pub message: &'a str,
}

/// The last line of a sealed commit's message begins so.
pub const TRAILER: &str = "Parlor-Seal: ";

impl Sealed<'_> {
    fn text(&self) -> String {
        let Sealed {
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
