//! The names of move files.

use std::fmt;

use parlor_core::Seat;

use crate::setup::color;
use crate::{BLACK, WHITE};

/// The name of a move file: `0012-black-a1b2c3.json` is the twelfth move, made by black.
///
/// ```
/// use parlor_backgammon::state::MoveName;
/// let name = MoveName::parse("0012-black-a1b2c3.json").expect("a name");
/// assert_eq!((name.sequence, name.hash.as_str(), name.to_string().as_str()), (12, "a1b2c3", "0012-black-a1b2c3.json"));
/// assert_eq!(MoveName::parse("12-black-a1b2c3.json"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveName {
    /// The number of the move, four digits in the name.
    pub sequence: u16,
    /// Who made it.
    pub player: Seat,
    /// Hexadecimal digits of the content's hash: [`MoveName::HASH`] of them in a good name, at least one in any.
    pub hash: String,
}

impl MoveName {
    /// How many digits of the hash a good name has.
    pub const HASH: usize = 6;

    /// Reads a name.
    pub fn parse(text: &str) -> Option<MoveName> {
        let mut parts = text.strip_suffix(".json")?.splitn(3, '-');
        let (sequence, player, hash) = (parts.next()?, parts.next()?, parts.next()?);
        let digits = sequence.len() == 4 && sequence.bytes().all(|byte| byte.is_ascii_digit());
        let hexadecimal = !hash.is_empty()
            && hash
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let player = match player {
            "white" => WHITE,
            "black" => BLACK,
            _ => return None,
        };
        let sequence = sequence.parse().ok().filter(|_| digits && hexadecimal)?;
        Some(MoveName {
            sequence,
            player,
            hash: hash.to_owned(),
        })
    }
}

impl fmt::Display for MoveName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:04}-{}-{}.json",
            self.sequence,
            color(self.player),
            self.hash
        )
    }
}
