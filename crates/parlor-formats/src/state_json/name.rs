//! Names of move files.

use std::fmt;

use parlor_backgammon::{BLACK, WHITE, color_name};
use parlor_core::Seat;

/// Name of a move file, such as `0012-black-a1b2c3.json` for the twelfth move, made by black.
///
/// ```
/// use parlor_formats::state_json::MoveFileName;
/// let name = MoveFileName::parse("0012-black-a1b2c3.json").expect("a name");
/// assert_eq!((name.sequence, name.hash.as_str()), (12, "a1b2c3"));
/// assert_eq!(name.to_string(), "0012-black-a1b2c3.json");
/// assert_eq!(MoveFileName::parse("12-black-a1b2c3.json"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveFileName {
    /// Number of the move, written with four digits.
    pub sequence: u16,
    /// Player who moved.
    pub player: Seat,
    /// Hexadecimal digits of the contents' hash: [`MoveFileName::HASH`] of them in a valid name, at
    /// least one in any.
    pub hash: String,
}

impl MoveFileName {
    /// Number of hash digits in a valid name.
    pub const HASH: usize = 6;

    /// Parses a name.
    pub fn parse(text: &str) -> Option<MoveFileName> {
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
        Some(MoveFileName {
            sequence,
            player,
            hash: hash.to_owned(),
        })
    }
}

impl fmt::Display for MoveFileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:04}-{}-{}.json",
            self.sequence,
            color_name(self.player),
            self.hash
        )
    }
}
