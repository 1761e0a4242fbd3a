//! Dice.

use std::fmt;
use std::str::FromStr;

use parlor_core::{NotationError, below};
use rand::Rng;

/// A face of a die, 1 to 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Die(u8);

impl Die {
    /// The face with this many pips; `None` outside 1 to 6.
    pub const fn new(pips: u8) -> Option<Die> {
        if pips >= 1 && pips <= 6 {
            Some(Die(pips))
        } else {
            None
        }
    }

    /// How many pips.
    #[inline]
    pub const fn pips(self) -> u8 {
        self.0
    }

    /// All faces, the lowest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Die> + ExactSizeIterator {
        (1..=6).map(Die)
    }
}

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A roll of two dice. Which die shows which face does not matter: the higher comes first.
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
    /// The roll of these two faces, in any order.
    pub fn new(one: Die, other: Die) -> Roll {
        Roll {
            high: one.max(other),
            low: one.min(other),
        }
    }

    /// The higher die.
    #[inline]
    pub const fn high(self) -> Die {
        self.high
    }

    /// The lower die.
    #[inline]
    pub const fn low(self) -> Die {
        self.low
    }

    /// Whether both dice show the same, so that it is played four times.
    #[inline]
    pub const fn is_double(self) -> bool {
        self.high.0 == self.low.0
    }

    /// In how many of 36 throws it comes up: 1 for a double, else 2.
    pub const fn weight(self) -> u32 {
        if self.is_double() { 1 } else { 2 }
    }

    /// The faces as they are played: two, or four for a double.
    pub fn faces(self) -> Vec<Die> {
        if self.is_double() {
            vec![self.high; 4]
        } else {
            vec![self.high, self.low]
        }
    }

    /// Two fair dice.
    pub(crate) fn thrown<R: Rng + ?Sized>(rng: &mut R) -> Roll {
        let both = below(rng, 36) as u8;
        Roll::new(Die(both / 6 + 1), Die(both % 6 + 1))
    }

    /// All 21 rolls: 11, 21, 22, 31, …, 66.
    pub fn all() -> impl DoubleEndedIterator<Item = Roll> + ExactSizeIterator {
        ALL.iter().copied()
    }
}

/// The rolls in the order of their texts.
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

/// The dice that are still to be played.
///
/// A position on the table always has a whole roll; a described one (`diceUsed` of `state.json`) may have less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dice {
    /// Two different dice.
    Two {
        /// The higher.
        high: Die,
        /// The lower.
        low: Die,
    },
    /// The same face so many times, 1 to 4.
    Same {
        /// The face.
        die: Die,
        /// How many times.
        times: u8,
    },
}

impl Dice {
    /// The dice that remain of a roll's faces; `None` when there are none, more than four, or such as no roll leaves.
    pub fn of(faces: &[Die]) -> Option<Dice> {
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

    /// The faces, the highest first.
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
