//! What is agreed before the first roll.

use crate::{Board, Side};

/// The rules of a table: how long the match is, what the cube may do, and how the board is numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Points to win the match; 0 for a single game, worth what it is worth (money play).
    pub length: u8,
    /// Whether the doubling cube is in play.
    pub cube: bool,
    /// In a match: the game after somebody comes within a point of winning is played without the cube.
    pub crawford: bool,
    /// In a single game with the cube: gammons and backgammons count only after a double.
    pub jacoby: bool,
    /// In a single game with the cube: whoever is doubled may double again at once and keep the cube.
    pub beavers: bool,
    /// Where the checkers stand at first, and which way white goes.
    pub start: Start,
}

/// Where the checkers stand at first, and how the points are numbered for both players.
///
/// The board is a row of 24 points, number 0 being white's corner where nothing else is said. The names are those of the
/// document that describes `state.json`; its printed start makes the usual backgammon only if white goes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Start {
    /// The usual start; white goes down, home is 0 to 5.
    #[default]
    Standard,
    /// The printed row read literally, white going down from it: another start, 208 pips each.
    Printed,
    /// The printed row with white going up, home being 18 to 23: the usual start on a board turned around.
    PrintedUp,
}

impl Rules {
    /// The longest match.
    pub const MAX_LENGTH: u8 = 64;

    /// A single game without cube.
    pub const GAME: Rules = Rules {
        length: 0,
        cube: false,
        crawford: true,
        jacoby: false,
        beavers: false,
        start: Start::Standard,
    };

    /// A match to so many points with cube and Crawford rule; `None` unless 1 to [`Rules::MAX_LENGTH`].
    pub fn match_to(length: u8) -> Option<Rules> {
        (1..=Self::MAX_LENGTH).contains(&length).then_some(Rules {
            length,
            cube: true,
            ..Rules::GAME
        })
    }

    /// A single game with cube and Jacoby rule.
    pub const MONEY: Rules = Rules {
        cube: true,
        jacoby: true,
        ..Rules::GAME
    };

    /// Whether it is a match.
    pub const fn is_match(self) -> bool {
        self.length > 0
    }

    /// The rules with what does not apply to them switched off: no cube to one point, nothing about the cube without one, and so on.
    #[must_use]
    pub const fn normal(self) -> Rules {
        let cube = self.cube && self.length != 1;
        let money = cube && self.length == 0;
        Rules {
            cube,
            crawford: self.crawford || self.length < 2 || !cube,
            jacoby: self.jacoby && money,
            beavers: self.beavers && money,
            ..self
        }
    }
}

impl Start {
    /// All of them, the usual one first.
    pub const ALL: [Start; 3] = [Start::Standard, Start::Printed, Start::PrintedUp];

    /// The name in options and files.
    pub const fn name(self) -> &'static str {
        match self {
            Start::Standard => "standard",
            Start::Printed => "printed",
            Start::PrintedUp => "printed-up",
        }
    }

    /// The start with this name.
    pub fn from_name(name: &str) -> Option<Start> {
        Start::ALL.into_iter().find(|start| start.name() == name)
    }

    /// The checkers at the start; both sides stand alike.
    pub fn board(self) -> Board {
        match self {
            Start::Standard | Start::PrintedUp => Board::START,
            Start::Printed => Board {
                mover: Side::PRINTED,
                other: Side::PRINTED,
            },
        }
    }

    /// Whether white's home is at the row's end.
    pub const fn white_goes_up(self) -> bool {
        matches!(self, Start::PrintedUp)
    }

    /// The place in the row of 24, from 0, of a point as a side numbers it.
    ///
    /// # Panics
    /// When the point is not 1 to 24.
    pub const fn index(self, white: bool, point: u8) -> usize {
        assert!(point >= 1 && point <= 24, "the row has the points 1 to 24");
        if white != self.white_goes_up() {
            point as usize - 1
        } else {
            24 - point as usize
        }
    }

    /// The point, as a side numbers it, at a place of the row.
    ///
    /// # Panics
    /// When the place is not below 24.
    pub const fn point(self, white: bool, index: usize) -> u8 {
        assert!(index < 24, "the row has 24 places");
        if white != self.white_goes_up() {
            index as u8 + 1
        } else {
            24 - index as u8
        }
    }
}
