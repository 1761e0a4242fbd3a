//! Base64 as used by both GNU Backgammon IDs: six bits per character, highest first.

use super::IdError;

const CHARACTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Encodes bytes, without padding.
pub(super) fn write(bytes: &[u8]) -> String {
    let bit = |n: usize| {
        bytes
            .get(n / 8)
            .is_some_and(|byte| byte >> (7 - n % 8) & 1 != 0)
    };
    let sextet = |at: usize| (0..6).fold(0, |value, n| value << 1 | usize::from(bit(6 * at + n)));
    (0..(8 * bytes.len()).div_ceil(6))
        .map(|at| char::from(CHARACTERS[sextet(at)]))
        .collect()
}

/// Decodes this many bytes. Leftover bits must be zero.
pub(super) fn read<const BYTES: usize>(
    text: &str,
    what: &'static str,
) -> Result<[u8; BYTES], IdError> {
    let (right, found) = ((8 * BYTES).div_ceil(6), text.chars().count());
    if found != right {
        return Err(IdError::Length { what, right, found });
    }
    let mut bytes = [0; BYTES];
    for (at, character) in text.chars().enumerate() {
        let bad = |expected| IdError::Character {
            what,
            at: at + 1,
            character,
            expected,
        };
        let value = CHARACTERS
            .iter()
            .position(|known| char::from(*known) == character);
        let value = value.ok_or_else(|| bad("A-Z, a-z, 0-9, + and /"))?;
        for n in (0..6).filter(|n| value >> (5 - n) & 1 != 0) {
            let bit = 6 * at + n;
            *bytes.get_mut(bit / 8).ok_or_else(|| bad("A, Q, g and w"))? |= 1 << (7 - bit % 8);
        }
    }
    Ok(bytes)
}
