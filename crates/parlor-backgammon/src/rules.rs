//! Rules agreed on before the first roll.

use crate::{Board, Side};

/// Rules of a game or match: its length, the use of the cube, and the starting layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Points needed to win the match; 0 for a single game (money play).
    pub length: u8,
    /// True if the doubling cube is in play.
    pub cube: bool,
    /// Crawford rule: in a match, the first game after a player comes within a point of winning is
    /// played without the cube.
    pub crawford: bool,
    /// Jacoby rule: in a single game with the cube, gammons and backgammons count only after a
    /// double.
    pub jacoby: bool,
    /// Beavers: in a single game with the cube, a player who is doubled may redouble at once and
    /// keep the cube.
    pub beavers: bool,
    /// Starting position and direction of play.
    pub start: StartLayout,
}

/// Starting position of the checkers, and the numbering of the points in files.
///
/// Files number the board as a row of 24 points. Number 0 is white's home corner unless noted
/// otherwise. The names come from the specification of `state.json`; its printed starting row makes
/// the standard position only if white moves up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum StartLayout {
    /// The standard position; white moves down, towards its home on 0 to 5.
    #[default]
    Standard,
    /// The printed row taken literally, with white moving down: a different starting position with
    /// 208 pips per side.
    Printed,
    /// The printed row with white moving up to its home on 18 to 23: the standard position on a
    /// reversed board.
    PrintedUp,
}

impl Rules {
    /// Maximum match length, in points.
    pub const MAX_LENGTH: u8 = 64;

    /// A single game without the cube.
    pub const GAME: Rules = Rules {
        length: 0,
        cube: false,
        crawford: true,
        jacoby: false,
        beavers: false,
        start: StartLayout::Standard,
    };

    /// Returns the rules of a match to this many points, with the cube and the Crawford rule.
    /// Returns `None` unless `length` is 1 to [`Rules::MAX_LENGTH`].
    pub fn match_to(length: u8) -> Option<Rules> {
        (1..=Self::MAX_LENGTH).contains(&length).then_some(Rules {
            length,
            cube: true,
            ..Rules::GAME
        })
    }

    /// A single game with the cube and the Jacoby rule.
    pub const MONEY: Rules = Rules {
        cube: true,
        jacoby: true,
        ..Rules::GAME
    };

    /// Returns `true` for a match, `false` for a single game.
    pub const fn is_match(self) -> bool {
        self.length > 0
    }

    /// Returns the rules with inapplicable options switched off: no cube in a match to one point,
    /// no Jacoby rule or beavers without a cube, and so on.
    #[must_use]
    pub const fn normalized(self) -> Rules {
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

impl StartLayout {
    /// All layouts, the standard one first.
    pub const ALL: [StartLayout; 3] = [
        StartLayout::Standard,
        StartLayout::Printed,
        StartLayout::PrintedUp,
    ];

    /// Returns the name used in options and files.
    pub const fn name(self) -> &'static str {
        match self {
            StartLayout::Standard => "standard",
            StartLayout::Printed => "printed",
            StartLayout::PrintedUp => "printed-up",
        }
    }

    /// Returns the layout with this name.
    pub fn from_name(name: &str) -> Option<StartLayout> {
        StartLayout::ALL
            .into_iter()
            .find(|start| start.name() == name)
    }

    /// Returns the starting position, which is the same for both sides.
    pub fn board(self) -> Board {
        match self {
            StartLayout::Standard | StartLayout::PrintedUp => Board::START,
            StartLayout::Printed => Board {
                mover: Side::PRINTED,
                other: Side::PRINTED,
            },
        }
    }

    /// Returns `true` if white moves towards the end of the row.
    pub const fn white_goes_up(self) -> bool {
        matches!(self, StartLayout::PrintedUp)
    }

    /// Returns the index in the row of 24, from 0, of a point numbered from one side.
    ///
    /// # Panics
    /// Panics unless the point is 1 to 24.
    pub const fn index(self, white: bool, point: u8) -> usize {
        assert!(point >= 1 && point <= 24, "the row has the points 1 to 24");
        if white != self.white_goes_up() {
            point as usize - 1
        } else {
            24 - point as usize
        }
    }

    /// Returns the point, numbered from one side, at an index of the row.
    ///
    /// # Panics
    /// Panics unless the index is below 24.
    pub const fn point(self, white: bool, index: usize) -> u8 {
        assert!(index < 24, "the row has 24 places");
        if white != self.white_goes_up() {
            index as u8 + 1
        } else {
            24 - index as u8
        }
    }
}
