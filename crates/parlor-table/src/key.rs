//! Keys that identify the owners of seats.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::UserId;

/// SHA-256 of a secret token that proves ownership of a seat. The token itself is never stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SeatKey([u8; 32]);

impl SeatKey {
    /// Returns the key of a token.
    pub fn from_token(token: &str) -> SeatKey {
        SeatKey(Sha256::digest(token.as_bytes()).into())
    }

    /// Returns the key of a member. No token exists for it: the server authenticates the member.
    pub fn from_member(user: UserId) -> SeatKey {
        SeatKey::from_token(&format!("member {}", user.number()))
    }

    /// Returns the token of the watchers' link of a table with this invite, 40 hexadecimal digits.
    /// It tells nothing about the invite's own token.
    pub fn watch_token(&self) -> String {
        let text = format!("parlor-watch/1\n{}", hex::encode(self.0));
        let digest = Sha256::digest(text.as_bytes());
        hex::encode(&digest[..20])
    }
}

impl SeatKey {
    /// Returns 64 bits by which people can be told apart. They prove nothing and tell nothing about
    /// the key.
    pub fn fingerprint(&self) -> u64 {
        let text = format!("parlor-person/1\n{}", hex::encode(self.0));
        let digest = Sha256::digest(text.as_bytes());
        u64::from_be_bytes(*digest.first_chunk().expect("a digest has 32 bytes"))
    }
}

impl fmt::Debug for SeatKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

impl Serialize for SeatKey {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(self.0))
    }
}

impl<'de> Deserialize<'de> for SeatKey {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<SeatKey, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut key = [0; 32];
        hex::decode_to_slice(&text, &mut key).map_err(serde::de::Error::custom)?;
        Ok(SeatKey(key))
    }
}
