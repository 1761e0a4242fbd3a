//! Dice and rolls.

use std::fmt;
use std::str::FromStr;

use parlor_core::{NotationError, random_below};
use rand::Rng;

/// A face of a die, 1 to 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Die(u8);

impl Die {
    /// Returns the face with this many pips, or `None` outside 1 to 6.
    pub const fn new(pips: u8) -> Option<Die> {
        if pips >= 1 && pips <= 6 {
            Some(Die(pips))
        } else {
            None
        }
    }

    /// Returns the number of pips.
    #[inline]
    pub const fn pips(self) -> u8 {
        self.0
    }

    /// Returns all six faces, lowest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Die> + ExactSizeIterator {
        (1..=6).map(Die)
    }
}

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A roll of two dice, with the higher die first: 13 and 31 are the same roll.
///
/// ```
/// use parlor_backgammon::Roll;
/// let roll: Roll = "31".parse()?;
/// assert_eq!((roll.high().pips(), roll.low().pips(), roll.weight()), (3, 1, 2));
/// assert_eq!(Roll::all().map(|roll| roll.weight()).sum::<u32>(), 36);
/// # Ok::<(), parlor_core::NotationError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Roll {
    high: Die,
    low: Die,
}

impl Roll {
    /// Returns the roll of these two faces, in any order.
    pub fn new(one: Die, other: Die) -> Roll {
        Roll {
            high: one.max(other),
            low: one.min(other),
        }
    }

    /// Returns the higher die.
    #[inline]
    pub const fn high(self) -> Die {
        self.high
    }

    /// Returns the lower die.
    #[inline]
    pub const fn low(self) -> Die {
        self.low
    }

    /// Returns `true` if both dice show the same face, so that it is played four times.
    #[inline]
    pub const fn is_double(self) -> bool {
        self.high.0 == self.low.0
    }

    /// Returns how many of the 36 throws give this roll: 1 for a double, otherwise 2.
    pub const fn weight(self) -> u32 {
        if self.is_double() { 1 } else { 2 }
    }

    /// Returns the faces to play: two, or four for a double.
    pub fn faces(self) -> Vec<Die> {
        if self.is_double() {
            vec![self.high; 4]
        } else {
            vec![self.high, self.low]
        }
    }

    /// Returns a random roll of two fair dice.
    pub(crate) fn random<R: Rng + ?Sized>(rng: &mut R) -> Roll {
        let both = random_below(rng, 36) as u8;
        Roll::new(Die(both / 6 + 1), Die(both % 6 + 1))
    }

    /// Returns all 21 rolls: 11, 21, 22, 31, …, 66.
    pub fn all() -> impl DoubleEndedIterator<Item = Roll> + ExactSizeIterator {
        ALL.iter().copied()
    }
}

/// All rolls, in the order of their text forms.
static ALL: [Roll; 21] = {
    let mut all = [Roll {
        high: Die(1),
        low: Die(1),
    }; 21];
    let (mut n, mut high) = (0, 1);
    while high <= 6 {
        let mut low = 1;
        while low <= high {
            all[n] = Roll {
                high: Die(high),
                low: Die(low),
            };
            n += 1;
            low += 1;
        }
        high += 1;
    }
    all
};

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.high, self.low)
    }
}

parlor_core::serde_by_text!(Roll);

impl FromStr for Roll {
    type Err = NotationError;

    /// Reads `31` or `13`.
    fn from_str(text: &str) -> Result<Roll, NotationError> {
        let faces: Vec<Die> = text
            .bytes()
            .filter_map(|b| Die::new(b.wrapping_sub(b'0')))
            .collect();
        match faces[..] {
            [one, other] if text.len() == 2 => Ok(Roll::new(one, other)),
            _ => Err(NotationError::new(text, "a roll of two dice, such as 31")),
        }
    }
}

/// Dice still to be played.
///
/// A game in progress always has a whole roll here; a described position (`diceUsed` of
/// `state.json`) may have only part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dice {
    /// Two different dice.
    Two {
        /// The higher die.
        high: Die,
        /// The lower die.
        low: Die,
    },
    /// The same face several times, 1 to 4.
    Same {
        /// The face.
        die: Die,
        /// Number of dice showing it.
        times: u8,
    },
}

impl Dice {
    /// Returns the dice with these faces; `None` if there are none, more than four, or a
    /// combination that no roll can leave.
    pub fn from_faces(faces: &[Die]) -> Option<Dice> {
        match *faces {
            [die] => Some(Dice::Same { die, times: 1 }),
            [one, other] if one != other => Some(Dice::Two {
                high: one.max(other),
                low: one.min(other),
            }),
            [die, ..] if faces.len() <= 4 && faces.iter().all(|face| *face == die) => {
                Some(Dice::Same {
                    die,
                    times: faces.len() as u8,
                })
            }
            _ => None,
        }
    }

    /// Returns the faces, highest first.
    pub fn faces(self) -> Vec<Die> {
        match self {
            Dice::Two { high, low } => vec![high, low],
            Dice::Same { die, times } => vec![die; usize::from(times)],
        }
    }
}

impl From<Roll> for Dice {
    fn from(roll: Roll) -> Dice {
        if roll.is_double() {
            Dice::Same {
                die: roll.high,
                times: 4,
            }
        } else {
            Dice::Two {
                high: roll.high,
                low: roll.low,
            }
        }
    }
}
