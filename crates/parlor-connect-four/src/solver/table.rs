//! Fixed-size table of bounds on scores.

/// Bounds on scores by position.
///
/// A bucket has four entries of eight bytes: 48 key bits, which together with the bucket's number
/// identify the key, a bound, and the effort spent on it. A new bound replaces the one with the
/// least effort.
#[derive(Clone, Debug)]
pub struct BoundTable {
    buckets: Vec<[u64; 4]>,
    /// Number of key bits given by the number of the bucket.
    bits: u32,
}

/// Odd, so that multiplication by it is invertible.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl BoundTable {
    /// Returns the size of the table in bytes.
    pub fn memory(&self) -> usize {
        size_of_val(self.buckets.as_slice())
    }

    /// Minimum number of bits of a bucket's number; with fewer, the rest of a key would not fit an
    /// entry.
    pub const MIN_BITS: u32 = 16;

    /// Creates a table of `2^bits` buckets of 32 bytes; at least 2 MiB.
    pub fn new(bits: u32) -> BoundTable {
        let bits = bits.clamp(Self::MIN_BITS, 40);
        BoundTable {
            buckets: vec![[0; 4]; 1 << bits],
            bits,
        }
    }

    /// Removes all bounds.
    pub fn clear(&mut self) {
        self.buckets.fill([0; 4]);
    }

    #[inline]
    fn place(&self, key: u64) -> (usize, u64) {
        let spread = key.wrapping_mul(SPREAD);
        let bucket = (spread >> (64 - self.bits)) as usize;
        (bucket, (spread << self.bits) >> 16)
    }

    /// Returns the bound stored for a key, from 1 to 255; 0 if there is none.
    #[inline]
    pub fn get(&self, key: u64) -> u8 {
        let (bucket, rest) = self.place(key);
        for &entry in &self.buckets[bucket] {
            if entry >> 16 == rest && entry as u8 != 0 {
                return entry as u8;
            }
        }
        0
    }

    /// Stores a bound that took `nodes` positions to compute.
    #[inline]
    pub fn put(&mut self, key: u64, bound: u8, nodes: u64) {
        let (bucket, rest) = self.place(key);
        let effort = u64::from(64 - nodes.leading_zeros());
        let entry = rest << 16 | effort << 8 | u64::from(bound);
        let bucket = &mut self.buckets[bucket];
        let mut victim = 0;
        for at in 0..bucket.len() {
            if bucket[at] >> 16 == rest {
                victim = at;
                break;
            }
            if bucket[at] as u16 >> 8 < bucket[victim] as u16 >> 8 {
                victim = at;
            }
        }
        bucket[victim] = entry;
    }
}
