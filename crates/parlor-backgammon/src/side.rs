//! One player's checkers.

use std::fmt;

/// Point number of checkers borne off.
pub const OFF: u8 = 0;
/// Point number of the bar.
pub const BAR: u8 = 25;
/// Number of checkers per side.
pub const CHECKERS: u8 = 15;

/// Positions of one side's fifteen checkers, in that side's own point numbers: 1 to 24, [`BAR`]
/// (25) and [`OFF`] (0).
///
/// Each side numbers points from its own home: its checkers move towards 1 and then off. The counts
/// are packed four bits per point into one number, so that moving a checker is a subtraction and an
/// addition, and comparing two sides is comparing two numbers.
///
/// ```
/// use parlor_backgammon::Side;
/// let start = Side::START;
/// assert_eq!((start.count(24), start.count(13), start.pips()), (2, 5, 167));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Side(pub(crate) u128);

/// Mask of the lowest bit of every count.
const ONES: u128 = 0x11_1111_1111_1111_1111_1111_1111;

impl Side {
    /// The standard starting position: two checkers on 24, five on 13, three on 8, five on 6.
    pub const START: Side = Side::unchecked(&[(24, 2), (13, 5), (8, 3), (6, 5)]);

    /// Starting position of [`StartLayout::Printed`](crate::StartLayout::Printed): five checkers on
    /// 19, three on 17, five on 12, two on 1.
    pub const PRINTED: Side = Side::unchecked(&[(19, 5), (17, 3), (12, 5), (1, 2)]);

    /// A side with all its checkers off.
    pub const DONE: Side = Side::unchecked(&[(OFF, CHECKERS)]);

    const fn unchecked(places: &[(u8, u8)]) -> Side {
        let mut counts = 0;
        let mut n = 0;
        while n < places.len() {
            counts += (places[n].1 as u128) << (4 * places[n].0);
            n += 1;
        }
        Side(counts)
    }

    /// Creates a side from its 26 counts: off, the points 1 to 24, the bar. Returns `None` unless
    /// they add up to fifteen.
    ///
    /// ```
    /// use parlor_backgammon::Side;
    /// let mut counts = [0; 26];
    /// counts[6] = 15;
    /// assert_eq!(Side::from_counts(&counts).map(Side::pips), Some(90));
    /// counts[7] = 1;
    /// assert_eq!(Side::from_counts(&counts), None);
    /// ```
    pub fn from_counts(counts: &[u8; 26]) -> Option<Side> {
        let sum: u32 = counts.iter().map(|n| u32::from(*n)).sum();
        let packed = counts
            .iter()
            .rev()
            .fold(0u128, |packed, n| packed << 4 | u128::from(n & 15));
        (sum == u32::from(CHECKERS)).then_some(Side(packed))
    }

    /// Returns the 26 counts: off, the points 1 to 24, the bar.
    pub fn counts(self) -> [u8; 26] {
        std::array::from_fn(|point| (self.0 >> (4 * point)) as u8 & 15)
    }

    /// Returns the number of checkers on a point; 0 beyond [`BAR`].
    #[inline]
    pub const fn count(self, point: u8) -> u8 {
        if point > BAR {
            0
        } else {
            (self.0 >> (4 * point)) as u8 & 15
        }
    }

    /// Returns the number of checkers borne off.
    #[inline]
    pub const fn off(self) -> u8 {
        self.count(OFF)
    }

    /// Returns the number of checkers on the bar.
    #[inline]
    pub const fn bar(self) -> u8 {
        self.count(BAR)
    }

    /// Returns the pip count: the sum of the point numbers of all checkers, the bar counting 25.
    pub fn pips(self) -> u16 {
        (1..=BAR)
            .map(|point| u16::from(point) * u16::from(self.count(point)))
            .sum()
    }

    /// Returns `true` if two or more checkers are on a point.
    #[inline]
    pub(crate) const fn is_made(self, point: u8) -> bool {
        self.0 & (14 * one(point)) != 0
    }

    /// Returns `true` if all checkers are in the home board or off.
    #[inline]
    pub const fn is_home(self) -> bool {
        self.0 >> (4 * 7) == 0
    }

    /// Returns the highest point with a checker, or [`OFF`] if all are off.
    #[inline]
    pub const fn rearmost(self) -> u8 {
        let highest = (127 - (self.0 | 1).leading_zeros()) as u8;
        highest / 4
    }

    /// Returns the set of points with at least one checker: bit n for point n, bit 25 for the bar.
    /// Off is left out.
    #[inline]
    pub const fn occupied(self) -> u32 {
        let x = self.0;
        squeeze((x | x >> 1 | x >> 2 | x >> 3) & ONES) & !1
    }

    /// Returns the set of points, including off and the bar, on which this side's checker count
    /// differs from another side's: bit n for point n.
    ///
    /// ```
    /// use parlor_backgammon::Side;
    /// assert_eq!(Side::START.differing(Side::START), 0);
    /// assert_eq!(Side::START.differing(Side::DONE), 1 << 24 | 1 << 13 | 1 << 8 | 1 << 6 | 1);
    /// ```
    #[inline]
    pub const fn differing(self, other: Side) -> u32 {
        let x = self.0 ^ other.0;
        squeeze((x | x >> 1 | x >> 2 | x >> 3) & ONES)
    }

    /// Returns the set of points with two or more checkers, as bits like [`Side::occupied`].
    #[inline]
    pub const fn made(self) -> u32 {
        let x = self.0;
        squeeze((x >> 1 | x >> 2 | x >> 3) & ONES) & !1
    }

    /// Returns the side after moving one checker. Several moves may be made in any order, as long
    /// as every point has enough checkers in the end.
    #[inline]
    pub(crate) const fn moved(self, from: u8, to: u8) -> Side {
        Side(self.0.wrapping_sub(one(from)).wrapping_add(one(to)))
    }
}

/// Returns the packed counts of a single checker on a point.
#[inline]
const fn one(point: u8) -> u128 {
    ONE[(point & 31) as usize]
}

/// Lookup table for [`one`]: shifting a number this wide is slower.
static ONE: [u128; 32] = {
    let mut all = [0; 32];
    let mut point = 0;
    while point <= BAR {
        all[point as usize] = 1u128 << (4 * point);
        point += 1;
    }
    all
};

/// Gathers every fourth bit into adjacent bits.
#[inline]
const fn squeeze(x: u128) -> u32 {
    let (low, high) = (x as u64, (x >> 64) as u64);
    squeeze_half(low) | squeeze_half(high) << 16
}

#[inline]
const fn squeeze_half(x: u64) -> u32 {
    let x = (x | x >> 3) & 0x0303_0303_0303_0303;
    let x = (x | x >> 6) & 0x000f_000f_000f_000f;
    let x = (x | x >> 12) & 0x0000_00ff_0000_00ff;
    ((x | x >> 24) & 0xffff) as u32
}

impl fmt::Debug for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Side(")?;
        for point in (0..=BAR).rev().filter(|point| self.count(*point) > 0) {
            match point {
                BAR => write!(f, " bar:{}", self.count(point))?,
                OFF => write!(f, " off:{}", self.count(point))?,
                _ => write!(f, " {point}:{}", self.count(point))?,
            }
        }
        f.write_str(" )")
    }
}
