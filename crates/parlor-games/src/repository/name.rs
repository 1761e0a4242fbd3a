//! Names of move files.

use std::fmt;

/// Name of a move file: `0012-black-a1b2c3.json` is the twelfth move, made by black.
///
/// ```
/// use parlor_games::repository::MoveName;
/// let name = MoveName::parse("0012-black-a1b2c3.json").expect("a name");
/// assert_eq!((name.sequence, name.player.as_str(), name.to_string().as_str()), (12, "black", "0012-black-a1b2c3.json"));
/// assert_eq!(MoveName::parse("../0012-black-a1b2c3.json"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveName {
    /// Number of the move, from 1; four digits in the name.
    pub sequence: u32,
    /// Seat that moved, as in [`seat_words`](super::seat_words).
    pub player: String,
    /// First six hexadecimal digits of the content hash.
    pub hash: String,
}

impl MoveName {
    /// Number of digits of the hash in a name.
    pub const HASH: usize = 6;
    /// Maximum number of moves of a table.
    pub const MOST: u32 = 9_999;

    /// Parses a name.
    pub fn parse(text: &str) -> Option<MoveName> {
        let mut parts = text.strip_suffix(".json")?.splitn(3, '-');
        let (sequence, player, hash) = (parts.next()?, parts.next()?, parts.next()?);
        let digits = sequence.len() == 4 && sequence.bytes().all(|byte| byte.is_ascii_digit());
        let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let word = (1..=20).contains(&player.len()) && player.bytes().all(is_word);
        let hexadecimal = hash.len() == Self::HASH
            && hash
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let sequence = sequence
            .parse()
            .ok()
            .filter(|n| digits && word && hexadecimal && *n > 0)?;
        Some(MoveName {
            sequence,
            player: player.to_owned(),
            hash: hash.to_owned(),
        })
    }
}

impl fmt::Display for MoveName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{}-{}.json", self.sequence, self.player, self.hash)
    }
}
