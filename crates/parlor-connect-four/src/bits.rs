//! Bit sets of three sizes, and the search for runs in them.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// Fixed-size set of bits that can be combined, shifted and added.
///
/// Shifts by [`BITS`](BitWord::BITS) or more are undefined; callers must stay below.
pub trait BitWord:
    Copy
    + Eq
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// Number of bits.
    const BITS: u32;
    /// No bit set.
    const ZERO: Self;

    /// Returns the word in which only bit `at` is set.
    fn bit(at: u32) -> Self;

    /// Returns the sum, discarding the carry out of the highest bit.
    fn plus(self, other: Self) -> Self;

    /// Returns the number of set bits.
    fn count(self) -> u32;

    /// Returns the index of the lowest set bit; unspecified if no bit is set.
    fn lowest(self) -> u32;

    /// Returns the word without its lowest set bit.
    fn without_lowest(self) -> Self;

    /// Folds the word into 64 bits. Different words may give the same result unless
    /// [`BITS`](BitWord::BITS) is 64.
    fn fold(self) -> u64;

    /// Returns true if no bit is set.
    #[inline]
    fn is_zero(self) -> bool {
        self == Self::ZERO
    }

    /// Iterates over the indices of the set bits, from the lowest.
    fn ones(self) -> impl Iterator<Item = u32> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let bit = (!rest.is_zero()).then(|| rest.lowest())?;
            rest = rest.without_lowest();
            Some(bit)
        })
    }
}

macro_rules! primitive {
    ($int:ty, $fold:expr) => {
        impl BitWord for $int {
            const BITS: u32 = <$int>::BITS;
            const ZERO: $int = 0;

            #[inline]
            fn bit(at: u32) -> $int {
                1 << at
            }

            #[inline]
            fn plus(self, other: $int) -> $int {
                self.wrapping_add(other)
            }

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline]
            fn without_lowest(self) -> $int {
                self & self.wrapping_sub(1)
            }

            #[inline]
            fn fold(self) -> u64 {
                $fold(self)
            }
        }
    };
}

primitive!(u64, |word| word);
primitive!(u128, |word: u128| mixed(word as u64, (word >> 64) as u64));

/// Combines two words so that a change in either changes all bits.
const fn mixed(low: u64, high: u64) -> u64 {
    let spread = low.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (spread ^ (spread >> 32) ^ high).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// Word of 192 bits, enough for a board of 12x12.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits192 {
    high: u64,
    low: u128,
}

impl BitWord for Bits192 {
    const BITS: u32 = 192;
    const ZERO: Bits192 = Bits192 { high: 0, low: 0 };

    #[inline]
    fn bit(at: u32) -> Bits192 {
        if at < 128 {
            Bits192 {
                high: 0,
                low: 1 << at,
            }
        } else {
            Bits192 {
                high: 1 << (at - 128),
                low: 0,
            }
        }
    }

    #[inline]
    fn plus(self, other: Bits192) -> Bits192 {
        let (low, carry) = self.low.overflowing_add(other.low);
        Bits192 {
            high: self
                .high
                .wrapping_add(other.high)
                .wrapping_add(u64::from(carry)),
            low,
        }
    }

    #[inline]
    fn count(self) -> u32 {
        self.high.count_ones() + self.low.count_ones()
    }

    #[inline]
    fn lowest(self) -> u32 {
        if self.low != 0 {
            self.low.trailing_zeros()
        } else {
            128 + self.high.trailing_zeros()
        }
    }

    #[inline]
    fn without_lowest(self) -> Bits192 {
        if self.low != 0 {
            Bits192 {
                low: self.low.without_lowest(),
                ..self
            }
        } else {
            Bits192 {
                high: self.high.without_lowest(),
                ..self
            }
        }
    }

    #[inline]
    fn fold(self) -> u64 {
        mixed(self.low.fold(), self.high)
    }
}

impl BitAnd for Bits192 {
    type Output = Bits192;

    #[inline]
    fn bitand(self, other: Bits192) -> Bits192 {
        Bits192 {
            high: self.high & other.high,
            low: self.low & other.low,
        }
    }
}

impl BitOr for Bits192 {
    type Output = Bits192;

    #[inline]
    fn bitor(self, other: Bits192) -> Bits192 {
        Bits192 {
            high: self.high | other.high,
            low: self.low | other.low,
        }
    }
}

impl BitXor for Bits192 {
    type Output = Bits192;

    #[inline]
    fn bitxor(self, other: Bits192) -> Bits192 {
        Bits192 {
            high: self.high ^ other.high,
            low: self.low ^ other.low,
        }
    }
}

impl Not for Bits192 {
    type Output = Bits192;

    #[inline]
    fn not(self) -> Bits192 {
        Bits192 {
            high: !self.high,
            low: !self.low,
        }
    }
}

impl Shl<u32> for Bits192 {
    type Output = Bits192;

    #[inline]
    fn shl(self, by: u32) -> Bits192 {
        match by {
            0 => self,
            1..64 => Bits192 {
                high: self.high << by | (self.low >> (128 - by)) as u64,
                low: self.low << by,
            },
            64..128 => Bits192 {
                high: (self.low >> (128 - by)) as u64,
                low: self.low << by,
            },
            _ => Bits192 {
                high: (self.low << (by - 128)) as u64,
                low: 0,
            },
        }
    }
}

impl Shr<u32> for Bits192 {
    type Output = Bits192;

    #[inline]
    fn shr(self, by: u32) -> Bits192 {
        match by {
            0 => self,
            1..64 => Bits192 {
                high: self.high >> by,
                low: self.low >> by | u128::from(self.high) << (128 - by),
            },
            64..128 => Bits192 {
                high: 0,
                low: self.low >> by | u128::from(self.high) << (128 - by),
            },
            _ => Bits192 {
                high: 0,
                low: u128::from(self.high >> (by - 128)),
            },
        }
    }
}

/// Returns the low ends of all runs of `k` bits at distance `step`. `k` must be 1 to 12, and
/// `4 * step` less than the number of bits.
#[inline(always)]
pub fn runs<W: BitWord>(own: W, k: u32, step: u32) -> W {
    let (mut ends, mut length) = (own, 1);
    while length * 2 <= k {
        ends = ends & ends >> (length * step);
        length *= 2;
    }
    if length < k {
        ends & ends >> ((k - length) * step)
    } else {
        ends
    }
}

/// Returns the bits, set or not, that would complete a run of `k` bits at distance `step`.
#[inline(always)]
pub fn completing<W: BitWord>(own: W, k: u32, step: u32) -> W {
    // Bits of above[i]: the i bits above it are set. A run needs i bits below and k - 1 - i above.
    let mut above = [!W::ZERO; crate::MAX_SIDE as usize];
    for i in 1..k as usize {
        above[i] = (above[i - 1] & own) >> step;
    }
    let mut below = !W::ZERO;
    let mut found = above[k as usize - 1];
    for i in 1..k as usize {
        below = (below & own) << step;
        found = found | below & above[k as usize - 1 - i];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a few hundred words of 192 bits, dense and sparse.
    fn samples() -> Vec<Bits192> {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            state ^ state >> 29
        };
        let mut words: Vec<Bits192> = (0..200)
            .map(|i| {
                let mut word = || match i % 3 {
                    0 => next(),
                    1 => next() & next() & next(),
                    _ => next() | next() | next(),
                };
                Bits192 {
                    high: word(),
                    low: u128::from(word()) << 64 | u128::from(word()),
                }
            })
            .collect();
        words.extend([Bits192::ZERO, !Bits192::ZERO]);
        words.extend((0..192).map(Bits192::bit));
        words
    }

    fn list(word: Bits192) -> Vec<u32> {
        (0..192)
            .filter(|&at| !(word & Bits192::bit(at)).is_zero())
            .collect()
    }

    #[test]
    fn wide_words_are_sets_of_bits() {
        for word in samples() {
            assert_eq!(word.ones().collect::<Vec<_>>(), list(word));
            assert_eq!(word.count() as usize, list(word).len());
            assert_eq!(list(!word).len(), 192 - list(word).len());
            assert!((word ^ word).is_zero() && (word & !word).is_zero());
        }
    }

    #[test]
    fn wide_shifts_move_every_bit() {
        for word in samples().into_iter().take(60) {
            for by in 0..192 {
                let up: Vec<u32> = list(word).iter().map(|at| at + by).collect();
                let up: Vec<u32> = up.into_iter().filter(|&at| at < 192).collect();
                let down: Vec<u32> = list(word)
                    .iter()
                    .filter_map(|at| at.checked_sub(by))
                    .collect();
                assert_eq!(list(word << by), up, "{word:?} << {by}");
                assert_eq!(list(word >> by), down, "{word:?} >> {by}");
            }
        }
    }

    #[test]
    fn wide_sums_carry() {
        let words = samples();
        for (&a, &b) in words.iter().zip(&words[7..]) {
            // a + b = (a xor b) + 2 (a and b), repeated until there is no carry.
            let (mut sum, mut carry) = (a ^ b, (a & b) << 1);
            while !carry.is_zero() {
                (sum, carry) = (sum ^ carry, (sum & carry) << 1);
            }
            assert_eq!(a.plus(b), sum);
        }
    }

    #[test]
    fn runs_of_any_length_are_found_at_their_low_end() {
        assert_eq!(runs(0b0111_0110_u64, 3, 1), 0b0001_0000);
        assert_eq!(runs(0b1_0001_0001_u64, 3, 4), 1);
        assert_eq!(runs(u64::MAX, 12, 5), u64::MAX >> 55);
    }

    #[test]
    fn a_bit_completes_a_run_exactly_if_setting_it_makes_one() {
        for k in 3..=12 {
            for step in [1, 4, 5, 6] {
                for own in samples().into_iter().map(|word| word.low as u64) {
                    let found = completing(own, k, step);
                    for at in 0..64 {
                        let through = |low: i64| {
                            (0..i64::from(k)).all(|i| {
                                let bit = low + i * i64::from(step);
                                bit == at || (0..64).contains(&bit) && own >> bit & 1 == 1
                            })
                        };
                        let makes = (0..i64::from(k)).any(|i| through(at - i * i64::from(step)));
                        assert_eq!(found >> at & 1 == 1, makes, "{own:#x} {k} {step} {at}");
                    }
                }
            }
        }
    }
}
