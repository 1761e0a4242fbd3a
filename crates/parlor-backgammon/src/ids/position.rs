//! Position IDs: the checkers in 80 bits.
//!
//! First the player who is not on roll, then the one who is: for each of the points 1 to 24 and the
//! bar, as many ones as there are checkers, followed by a zero. Bytes are filled from the lowest
//! bit.

use super::{IdError, base64};
use crate::{BAR, BLACK, Board, CHECKERS, GameFlaw, GameFlaws, Side, WHITE};

/// Length of a Position ID, in characters.
pub(super) const LENGTH: usize = 14;

/// Returns the Position ID of a board: 14 characters, seen from the player on roll.
pub fn position_id(board: &Board) -> String {
    let mut bytes = [0u8; 10];
    let mut bit = 0;
    for side in [board.other(), board.mover()] {
        for point in 1..=BAR {
            for _ in 0..side.count(point) {
                bytes[bit / 8] |= 1 << (bit % 8);
                bit += 1;
            }
            bit += 1;
        }
    }
    base64::write(&bytes)
}

/// Reads a Position ID. Checkers missing from it are off. One side may have borne off all its
/// checkers, but not both.
///
/// # Errors
/// [`IdError`] if the ID is invalid. In errors, the player on roll is called white.
pub fn board_from_position_id(text: &str) -> Result<Board, IdError> {
    let bytes = base64::read::<10>(text.trim(), "a Position ID")?;
    let mut bits = (0..80).map(|n| bytes[n / 8] >> (n % 8) & 1 != 0);
    let mut counts = [[0u8; 26]; 2];
    for side in [1, 0] {
        for point in 1..=BAR {
            // Past the last bit there are zeros.
            counts[side][usize::from(point)] = bits.by_ref().take_while(|bit| *bit).count() as u8;
        }
    }
    if bits.any(|bit| bit) {
        return Err(IdError::Bits);
    }
    board(counts)
}

/// Returns the board with these checkers of the two sides.
fn board(mut counts: [[u8; 26]; 2]) -> Result<Board, IdError> {
    let mut flaws = Vec::new();
    for (seat, counts) in [WHITE, BLACK].into_iter().zip(&mut counts) {
        // With 80 bits the sum cannot exceed 80.
        let sum: u8 = counts.iter().sum();
        match CHECKERS.checked_sub(sum) {
            Some(off) => counts[0] = off,
            None => flaws.push(GameFlaw::Checkers {
                seat,
                sum: u32::from(sum),
            }),
        }
    }
    let shared = (1..=24u8).filter(|point| {
        counts[0][usize::from(*point)] > 0 && counts[1][usize::from(BAR - point)] > 0
    });
    flaws.extend(shared.map(|point| GameFlaw::Shared { point }));
    if counts.iter().all(|counts| counts[0] == CHECKERS) {
        flaws.push(GameFlaw::BothDone);
    }
    if !flaws.is_empty() {
        return Err(IdError::Flaws(GameFlaws(flaws)));
    }
    let [mover, other] =
        counts.map(|counts| Side::from_counts(&counts).expect("the sum was checked"));
    Ok(Board::new(mover, other).expect("shared points were checked"))
}
