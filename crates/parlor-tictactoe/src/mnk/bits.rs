//! Bit sets in a 64-bit word.

/// Positions of the set bits of every byte: `SELECT[byte][n]` is the position of the n-th set bit
/// of `byte`.
static SELECT: [[u8; 8]; 256] = select_table();

const fn select_table() -> [[u8; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut rank) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][rank] = bit as u8;
                rank += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// Returns the position of the `n`-th set bit, counted from 0 at the low end. The result is
/// meaningless if fewer bits are set.
#[inline]
pub fn nth_set_bit(word: u64, n: u32) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = ONES << 7;
    let mut counts = word - ((word >> 1) & (ONES * 0x55));
    counts = (counts & (ONES * 0x33)) + ((counts >> 2) & (ONES * 0x33));
    counts = (counts + (counts >> 4)) & (ONES * 0x0f);
    // Byte i of `upto` holds the number of set bits in bytes 0 to i.
    let upto = counts.wrapping_mul(ONES);
    let passed = (((u64::from(n) * ONES) | TOPS).wrapping_sub(upto) & TOPS) >> 7;
    let shift = ((passed.wrapping_mul(ONES) >> 56) as u32 * 8) & 63;
    let rank = n.wrapping_sub(u32::from(((upto << 8) >> shift) as u8));
    let byte = (word >> shift) as u8;
    shift + u32::from(SELECT[usize::from(byte)][rank as usize & 7])
}

/// Returns the positions of all set bits, from the low end.
pub fn set_bits(word: u64) -> impl Iterator<Item = u32> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let bit = (rest != 0).then(|| rest.trailing_zeros())?;
        rest &= rest - 1;
        Some(bit)
    })
}

/// Returns the low ends of all runs of `k` bits spaced `step` apart; `k` is at least 1.
#[inline]
pub fn run_starts(own: u64, k: u32, step: u32) -> u64 {
    let (mut ends, mut length) = (own, 1);
    while length * 2 <= k {
        ends &= shifted(ends, length * step);
        length *= 2;
    }
    ends & shifted(ends, (k - length) * step)
}

/// Shifts right; 0 if the shift is 64 or more.
#[inline]
fn shifted(word: u64, by: u32) -> u64 {
    word.checked_shr(by).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nth_set_bit_agrees_with_set_bits() {
        let mut word = 0x9E37_79B9_7F4A_7C15_u64;
        for _ in 0..1000 {
            word = word
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            for word in [word, word.rotate_left(13) & word, !word, word | word >> 7] {
                assert!(
                    set_bits(word)
                        .enumerate()
                        .all(|(n, bit)| nth_set_bit(word, n as u32) == bit)
                );
            }
        }
        assert_eq!(nth_set_bit(u64::MAX, 63), 63);
    }

    #[test]
    fn runs_of_any_length_are_found_at_their_low_end() {
        assert_eq!(run_starts(0b0111_0110, 3, 1), 0b0001_0000);
        assert_eq!(run_starts(0b0111_0110, 1, 1), 0b0111_0110);
        assert_eq!(run_starts(u64::MAX, 26, 1), u64::MAX >> 25);
        assert_eq!(run_starts(0b1_0001_0001, 3, 4), 1);
        assert_eq!(run_starts(u64::MAX, 9, 9), 0);
    }
}
