//! Sets of cities of one color.

use std::fmt;

use super::Cities;
use crate::Color;

/// A set of cities of one color, in two bytes: the cards that cure a disease.
///
/// ```
/// use parlor_pandemic::{Cities, City, Color, ColorCities};
/// let paris = City::from_name("Paris").expect("a city");
/// let blue = ColorCities::new(Color::Blue, Cities::one(paris));
/// assert_eq!((blue.color(), blue.cities(), blue.len()), (Color::Blue, Cities::one(paris), 1));
/// assert!(ColorCities::new(Color::Red, Cities::one(paris)).is_empty());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ColorCities {
    /// Bit `n` below [`ColorCities::COLOR`] is the `n`-th city of the color; the bits from there on
    /// are the number of the color. A move that holds this has only four bytes.
    bits: u16,
}

impl ColorCities {
    const COLOR: u32 = 12;
    const MEMBERS: u16 = (1 << Self::COLOR) - 1;

    /// Creates the set of those cities that have this color.
    pub const fn new(color: Color, cities: Cities) -> ColorCities {
        let members = (cities.and(color.cities()).0 >> first_city(color)) as u16;
        ColorCities::from_members(color, members)
    }

    const fn from_members(color: Color, members: u16) -> ColorCities {
        ColorCities {
            bits: members | (color as u16) << Self::COLOR,
        }
    }

    const fn members(self) -> u16 {
        self.bits & Self::MEMBERS
    }

    /// Returns the color of the cities.
    pub const fn color(self) -> Color {
        Color::ALL[(self.bits >> Self::COLOR) as usize]
    }

    /// Returns the cities as a set that may hold any city.
    pub const fn cities(self) -> Cities {
        Cities((self.members() as u64) << first_city(self.color()))
    }

    /// Returns the number of cities.
    pub const fn len(self) -> u32 {
        self.members().count_ones()
    }

    /// Returns true if the set is empty.
    pub const fn is_empty(self) -> bool {
        self.members() == 0
    }

    /// Returns all subsets with `len` cities, at least one. Those with the later cities come first.
    pub fn subsets(self, len: u32) -> impl Iterator<Item = ColorCities> {
        let (color, members) = (self.color(), self.members());
        // Subtracting one within the set leads from each subset to the next smaller number.
        let below = move |subset: &u16| Some((subset - 1) & members).filter(|next| *next != 0);
        let all = std::iter::successors(Some(members).filter(|members| *members != 0), below);
        all.filter(move |subset| subset.count_ones() == len)
            .map(move |members| ColorCities::from_members(color, members))
    }
}

/// Returns the number of the first city of a color.
const fn first_city(color: Color) -> usize {
    12 * color.index()
}

impl fmt::Debug for ColorCities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.cities()).finish()
    }
}
