//! What stands for a person who has no account.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::UserId;

/// The SHA-256 of a secret token. Whoever shows the token holds the seat; the token itself is never stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key([u8; 32]);

impl Key {
    /// The key of a token.
    pub fn of(token: &str) -> Key {
        Key(Sha256::digest(token.as_bytes()).into())
    }

    /// The key of a member: nobody holds a token for it, the house says who the member is.
    pub fn of_member(user: UserId) -> Key {
        Key::of(&format!("member {}", user.number()))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

impl Serialize for Key {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(self.0))
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Key, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut key = [0; 32];
        hex::decode_to_slice(&text, &mut key).map_err(serde::de::Error::custom)?;
        Ok(Key(key))
    }
}
