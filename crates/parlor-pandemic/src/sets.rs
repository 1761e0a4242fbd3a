//! Sets of cities, cards, events, roles, colors and seats.
//!
//! Each set is a word of bits, so copying, comparing and combining sets takes a few instructions.

mod cards;
mod color_cities;

use std::fmt;

use parlor_core::Seat;

use crate::{City, Color, EventCard, Role};

pub use cards::Cards;
pub use color_cities::ColorCities;

/// Declares a set type and its iterator. Members are numbered from 0, by `index` and `from_index`.
macro_rules! sets {
    ($(
        $(#[$about:meta])*
        $Set:ident($Bits:ty): $Member:ident, $Iter:ident, $COUNT:expr, $from_index:expr;
    )*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct $Set(pub(crate) $Bits);

        impl $Set {
            /// The empty set.
            pub const NONE: $Set = $Set(0);
            /// The set of all members.
            pub const ALL: $Set = $Set(<$Bits>::MAX >> (<$Bits>::BITS as usize - $COUNT));

            /// Creates a set of one member.
            #[inline]
            pub const fn one(member: $Member) -> $Set {
                $Set(1 << member.index())
            }

            /// Returns true if the set contains a member.
            #[inline]
            pub const fn has(self, member: $Member) -> bool {
                self.0 >> member.index() & 1 == 1
            }

            /// Returns the number of members.
            #[inline]
            pub const fn len(self) -> u32 {
                self.0.count_ones()
            }

            /// Returns true if the set is empty.
            #[inline]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Returns the set with a member added.
            #[inline]
            #[must_use]
            pub const fn with(self, member: $Member) -> $Set {
                $Set(self.0 | 1 << member.index())
            }

            /// Returns the set with a member removed.
            #[inline]
            #[must_use]
            pub const fn without(self, member: $Member) -> $Set {
                $Set(self.0 & !(1 << member.index()))
            }

            /// Returns the intersection with another set.
            #[inline]
            #[must_use]
            pub const fn and(self, other: $Set) -> $Set {
                $Set(self.0 & other.0)
            }

            /// Returns the union with another set.
            #[inline]
            #[must_use]
            pub const fn or(self, other: $Set) -> $Set {
                $Set(self.0 | other.0)
            }

            /// Returns the difference from another set.
            #[inline]
            #[must_use]
            pub const fn minus(self, other: $Set) -> $Set {
                $Set(self.0 & !other.0)
            }

            /// Returns the members in numerical order.
            #[inline]
            pub const fn iter(self) -> $Iter {
                $Iter(self.0)
            }
        }

        impl IntoIterator for $Set {
            type Item = $Member;
            type IntoIter = $Iter;

            #[inline]
            fn into_iter(self) -> $Iter {
                self.iter()
            }
        }

        impl FromIterator<$Member> for $Set {
            fn from_iter<I: IntoIterator<Item = $Member>>(members: I) -> $Set {
                members.into_iter().fold($Set::NONE, $Set::with)
            }
        }

        impl fmt::Debug for $Set {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_set().entries(*self).finish()
            }
        }

        #[doc = concat!("Iterator over the members of [`", stringify!($Set), "`] in numerical order.")]
        #[derive(Clone, Debug)]
        pub struct $Iter($Bits);

        impl Iterator for $Iter {
            type Item = $Member;

            #[inline]
            fn next(&mut self) -> Option<$Member> {
                if self.0 == 0 {
                    return None;
                }
                let number = self.0.trailing_zeros() as u8;
                self.0 &= self.0 - 1;
                $from_index(number)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                let left = self.0.count_ones() as usize;
                (left, Some(left))
            }
        }

        impl ExactSizeIterator for $Iter {}
    )*};
}

sets! {
    /// A set of cities.
    Cities(u64): City, CitiesIter, City::COUNT, City::new;
    /// A set of event cards.
    EventCards(u8): EventCard, EventCardsIter, EventCard::ALL.len(), EventCard::new;
    /// A set of roles.
    Roles(u8): Role, RolesIter, Role::ALL.len(), Role::new;
    /// A set of colors, and so of diseases.
    Colors(u8): Color, ColorsIter, Color::ALL.len(), Color::new;
    /// A set of seats.
    Seats(u8): Seat, SeatsIter, crate::Rules::MAX_PLAYERS, seat;
}

fn seat(number: u8) -> Option<Seat> {
    Seat::new(number).ok()
}

impl Cities {
    /// Returns the `n`-th city, counted from 0, in constant time.
    pub(crate) fn nth(self, n: u32) -> Option<City> {
        City::new(nth_bit(self.0, n) as u8)
    }
}

/// Returns the position of the `n`-th set bit, counted from 0; 64 if fewer bits are set.
///
/// The bits of all bytes, and the running totals over the bytes, are computed at once; only the
/// last byte is searched bit by bit.
pub(crate) fn nth_bit(bits: u64, n: u32) -> u32 {
    const EACH_BYTE: u64 = 0x0101_0101_0101_0101;
    let pairs = bits - (bits >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let up_to = ((fours + (fours >> 4)) & 0x0F0F_0F0F_0F0F_0F0F).wrapping_mul(EACH_BYTE);
    if n >= (up_to >> 56) as u32 {
        return 64;
    }
    // Marks the bytes that end before the bit: their running total is at most `n`, so their top bit
    // stays set in the difference.
    let top_bits = EACH_BYTE << 7;
    let full = (((u64::from(n) * EACH_BYTE) | top_bits) - up_to) & top_bits;
    let start = 8 * ((full >> 7).wrapping_mul(EACH_BYTE) >> 56) as u32;
    let below = (up_to << 8 >> start) as u8;
    let mut rest = bits >> start;
    for _ in u32::from(below)..n {
        rest &= rest - 1;
    }
    start + rest.trailing_zeros()
}
