//! Sets of bits over several words.

/// The bit positions in every byte, by rank: `SELECT[byte][n]` is the position of the n-th set bit of `byte`.
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

/// The position of the `n`-th set bit, counted from 0 at the low end; meaningless when there are not that many.
#[inline]
pub fn nth_in_word(word: u64, n: u32) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = ONES << 7;
    let mut counts = word - ((word >> 1) & (ONES * 0x55));
    counts = (counts & (ONES * 0x33)) + ((counts >> 2) & (ONES * 0x33));
    counts = (counts + (counts >> 4)) & (ONES * 0x0f);
    // Byte i of `upto` holds the number of set bits in bytes 0 to i.
    let upto = counts.wrapping_mul(ONES);
    let passed = ((u64::from(n) * ONES | TOPS).wrapping_sub(upto) & TOPS) >> 7;
    let shift = (passed.wrapping_mul(ONES) >> 56) as u32 * 8;
    let rank = n.wrapping_sub(((upto << 8) >> (shift & 63)) as u8 as u32);
    let byte = (word >> (shift & 63)) as u8;
    (shift & 63) + u32::from(SELECT[usize::from(byte)][rank as usize & 7])
}

/// The position of the `n`-th set bit over all words.
#[inline]
pub fn nth<const W: usize>(words: &[u64; W], n: u32) -> usize {
    if W == 1 {
        return nth_in_word(words[0], n) as usize;
    }
    let (mut at, mut left) = (0, n);
    while at + 1 < W {
        let ones = words[at].count_ones();
        if left < ones {
            break;
        }
        left -= ones;
        at += 1;
    }
    at * 64 + nth_in_word(words[at], left) as usize
}

/// Whether a bit is set; bits beyond the last word never are.
#[inline]
pub fn has<const W: usize>(words: &[u64; W], bit: usize) -> bool {
    words.get(bit >> 6).is_some_and(|word| word >> (bit & 63) & 1 == 1)
}

/// All set bits, from the low end.
pub fn each<const W: usize>(words: &[u64; W]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(at, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(at * 64 + bit)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nth_set_bit_is_the_nth_of_the_listed_ones() {
        let mut word = 0x9E37_79B9_7F4A_7C15_u64;
        for _ in 0..1000 {
            word = word.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let words = [word, word.rotate_left(13) & word, 0, !word];
            for (n, bit) in each(&words).enumerate() {
                assert_eq!(nth(&words, n as u32), bit);
                assert!(has(&words, bit));
            }
        }
        assert_eq!(nth_in_word(u64::MAX, 63), 63);
        assert!(!has(&[u64::MAX], usize::MAX));
    }
}
