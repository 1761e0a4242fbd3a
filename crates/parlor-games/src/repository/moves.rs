//! Move files.

use parlor_core::Seat;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{MoveName, seat_words};
use crate::AnyPosition;
use crate::files::{Document, Finding, LIMIT, content_hash, timestamp};

/// A player's move as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveFile {
    /// Seat that moves.
    pub seat: Seat,
    /// The move's canonical text, or `resign`.
    pub text: String,
    /// Time at which the player created the file, by the player's clock, in RFC 3339.
    pub timestamp: String,
    /// [`digest`](super::digest) of the state that the player saw.
    pub expected_state: String,
    /// Comment for the other players.
    pub comment: Option<String>,
}

/// Length limit of a comment, in characters.
const COMMENT: usize = 280;

/// JSON form of a move file, common to all games.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WrittenMove {
    player: String,
    #[serde(rename = "move")]
    text: String,
    timestamp: String,
    expected_state: String,
    comment: Option<String>,
    #[serde(default)]
    commit_sha: Option<()>,
}

impl MoveFile {
    /// Text of a move file that resigns the game.
    pub const RESIGN: &str = "resign";

    /// Parses a move file, including its name, for this position. The move may be illegal or out of
    /// turn.
    ///
    /// # Errors
    /// Everything wrong with the file.
    pub fn read(
        name: &str,
        bytes: &[u8],
        position: &AnyPosition,
    ) -> Result<MoveFile, Vec<Finding>> {
        let one = |rule, message: String| vec![Finding { rule, message }];
        let words = seat_words(position);
        let named = MoveName::parse(name).filter(|name| words.contains(&name.player)).ok_or_else(|| {
            let right = MoveName { sequence: 1, player: words[0].clone(), hash: "a1b2c3".to_owned() };
            one(
                "name",
                format!(
                    "a move's name is its number, {} and six digits of its hash, such as {right}",
                    words.join(" or ")
                ),
            )
        })?;
        if bytes.len() > LIMIT {
            return Err(one("size", format!("the file has more than {LIMIT} bytes")));
        }
        let document = Document::read(bytes).map_err(|error| one("json", error.to_string()))?;
        let doubled = document.doubled();
        if !doubled.is_empty() {
            return Err(doubled);
        }
        let own = position.kind().repository();
        if let Some(read) = own.and_then(|own| own.read_move(position, name, &document.value)) {
            return read;
        }
        let file: WrittenMove = serde_json::from_value(document.value.clone())
            .map_err(|error| one("schema", error.to_string()))?;
        file.check(&named, &document.value, position)
            .map_err(|(rule, message)| one(rule, message))
    }

    /// Returns the name of the file, as move number `sequence`, and its content.
    ///
    /// # Panics
    /// If the position has no such seat.
    pub fn write(&self, position: &AnyPosition, sequence: u32) -> (String, String) {
        let player = seat_words(position)[self.seat.index()].clone();
        let own = position.kind().repository();
        let own = own.and_then(|own| own.write_move(position, self));
        let (value, content) = own.unwrap_or_else(|| self.written(&player));
        let hash = content_hash(&value);
        (
            MoveName {
                sequence,
                player,
                hash,
            }
            .to_string(),
            content,
        )
    }

    fn written(&self, player: &str) -> (Value, String) {
        let written = WrittenMove {
            player: player.to_owned(),
            text: self.text.clone(),
            timestamp: self.timestamp.clone(),
            expected_state: self.expected_state.clone(),
            comment: self.comment.clone(),
            commit_sha: None,
        };
        let content = serde_json::to_string_pretty(&written).expect("a move is plain data") + "\n";
        (
            serde_json::to_value(written).expect("a move is plain data"),
            content,
        )
    }
}

impl WrittenMove {
    fn check(
        self,
        named: &MoveName,
        value: &Value,
        position: &AnyPosition,
    ) -> Result<MoveFile, (&'static str, String)> {
        let words = seat_words(position);
        let seat = words
            .iter()
            .position(|word| *word == self.player)
            .and_then(|n| Seat::new(u8::try_from(n).ok()?).ok());
        let seat = seat.ok_or_else(|| {
            (
                "player",
                format!(
                    "player: {} is needed, not {:?}",
                    words.join(" or "),
                    self.player
                ),
            )
        })?;
        if self.player != named.player {
            return Err((
                "name-player",
                format!("the name says {}, the file {}", named.player, self.player),
            ));
        }
        let hash = content_hash(value);
        if hash != named.hash {
            return Err((
                "name-hash",
                format!(
                    "the name says {}, but the hash of the content begins with {hash}",
                    named.hash
                ),
            ));
        }
        if timestamp(&self.timestamp).is_none() {
            return Err((
                "timestamp",
                format!(
                    "timestamp: a time such as 2026-11-22T08:00:00Z is needed, not {:?}",
                    self.timestamp
                ),
            ));
        }
        let is_hash = |text: &str| {
            text.len() == 16
                && text
                    .bytes()
                    .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        };
        if !is_hash(&self.expected_state) {
            return Err((
                "schema",
                "expectedState: expected 16 hexadecimal digits".to_owned(),
            ));
        }
        if self
            .comment
            .as_ref()
            .is_some_and(|comment| comment.chars().count() > COMMENT)
        {
            return Err(("schema", format!("comment: at most {COMMENT} characters")));
        }
        let text = if self.text == MoveFile::RESIGN {
            self.text
        } else {
            position
                .canonical(&self.text)
                .map_err(|error| ("move", error.to_string()))?
        };
        Ok(MoveFile {
            seat,
            text,
            timestamp: self.timestamp,
            expected_state: self.expected_state,
            comment: self.comment,
        })
    }
}
