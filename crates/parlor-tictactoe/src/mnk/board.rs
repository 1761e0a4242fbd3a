//! The position that everything above works with.

use parlor_core::{NoChance, Position, Seat, Turn};
use rand::Rng;

use super::{Cell, Grid, Illegal, MAX_SEATS, Rules, Shape, Three, Wide, lines};

/// What all concrete positions of the family share.
pub trait Field:
    Position<Move = Cell, Chance = NoChance, Illegal = Illegal> + Eq + std::hash::Hash
{
    /// Board and run.
    fn shape(&self) -> Shape;

    /// Whose stone lies on a cell; `None` when it is empty or off the board.
    fn at(&self, cell: Cell) -> Option<Seat>;

    /// How many stones lie on the board.
    fn stones(&self) -> u16;

    /// All cells of the runs that won the game, row by row; empty when nobody has won.
    fn winning_cells(&self) -> Vec<Cell> {
        let Some(winner) = self.turn().outcome().and_then(|outcome| outcome.winner()) else {
            return Vec::new();
        };
        lines::cells_in_runs(self.shape(), |cell| self.at(cell) == Some(winner))
    }
}

const MANY: usize = MAX_SEATS as usize;

/// The concrete position inside a [`Board`]: the smallest that fits.
///
/// A search that matches on this once runs on one type, without asking at every move which it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Inner {
    /// The classic game.
    Three(Three),
    /// Two seats, a board that fits a word, such as 7x7.
    Small(Grid<2>),
    /// Two seats, up to 15x15.
    Middle(Box<Wide<16, 2>>),
    /// Two seats, any board.
    Large(Box<Wide<27, 2>>),
    /// Several seats, a board that fits a word.
    SmallMany(Grid<MANY>),
    /// Several seats, any board.
    LargeMany(Box<Wide<27, MANY>>),
}

/// Runs one expression on whichever position is inside.
macro_rules! inside {
    ($inner:expr, $field:ident => $body:expr) => {
        match $inner {
            Inner::Three($field) => $body,
            Inner::Small($field) => $body,
            Inner::Middle($field) => $body,
            Inner::Large($field) => $body,
            Inner::SmallMany($field) => $body,
            Inner::LargeMany($field) => $body,
        }
    };
}

/// A position of an m,n,k game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    rules: Rules,
    inner: Inner,
}

impl Board {
    /// The empty board.
    pub fn new(rules: Rules) -> Board {
        Board {
            rules,
            inner: Inner::new(rules.shape()),
        }
    }

    /// What was agreed before the first move.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The concrete position, for a search that runs on one type.
    pub fn inner(&self) -> &Inner {
        &self.inner
    }

    /// The symbol on a cell; `None` when it is empty or off the board.
    pub fn symbol_at(&self, cell: Cell) -> Option<char> {
        self.at(cell).map(|seat| self.rules.symbols()[seat.index()])
    }

    /// Every cell of the board, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let shape = self.rules.shape();
        (0..usize::from(shape.cells())).map(move |index| Cell::from_index(index, shape.columns()))
    }

    /// Whose stone lies on a cell; `None` when it is empty or off the board.
    pub fn at(&self, cell: Cell) -> Option<Seat> {
        inside!(&self.inner, field => field.at(cell))
    }

    /// How many stones lie on the board.
    pub fn stones(&self) -> u16 {
        inside!(&self.inner, field => field.stones())
    }

    /// All cells of the runs that won the game, row by row; empty when nobody has won.
    ///
    /// ```
    /// use parlor_core::Notation;
    /// use parlor_tictactoe::mnk::{Board, Cell};
    /// let won = Board::from_text("3x3x3 XO XXX/OO./...")?;
    /// assert_eq!(won.winning_cells(), [Cell::new(0, 0), Cell::new(0, 1), Cell::new(0, 2)]);
    /// # Ok::<(), parlor_core::NotationError>(())
    /// ```
    pub fn winning_cells(&self) -> Vec<Cell> {
        inside!(&self.inner, field => field.winning_cells())
    }
}

impl Inner {
    /// The empty board of this shape.
    fn new(shape: Shape) -> Inner {
        const FITS: &str = "the shape was found to fit";
        if shape == Rules::classic().shape() {
            return Inner::Three(Three::new());
        }
        if Grid::<2>::fits(shape) {
            Inner::Small(Grid::new(shape).expect(FITS))
        } else if Wide::<16, 2>::fits(shape) {
            Inner::Middle(Box::new(Wide::new(shape).expect(FITS)))
        } else if Wide::<27, 2>::fits(shape) {
            Inner::Large(Box::new(Wide::new(shape).expect(FITS)))
        } else if Grid::<MANY>::fits(shape) {
            Inner::SmallMany(Grid::new(shape).expect(FITS))
        } else {
            Inner::LargeMany(Box::new(
                Wide::new(shape).expect("rules keep to the largest board"),
            ))
        }
    }
}

impl Field for Board {
    fn shape(&self) -> Shape {
        self.rules.shape()
    }

    fn at(&self, cell: Cell) -> Option<Seat> {
        Board::at(self, cell)
    }

    fn stones(&self) -> u16 {
        Board::stones(self)
    }
}

impl Position for Board {
    type Move = Cell;
    type Chance = NoChance;
    type Illegal = Illegal;

    fn seats(&self) -> u8 {
        self.rules.seats()
    }

    fn turn(&self) -> Turn {
        inside!(&self.inner, field => field.turn())
    }

    fn legal_moves_into(&self, out: &mut Vec<Cell>) {
        inside!(&self.inner, field => field.legal_moves_into(out));
    }

    fn check(&self, cell: &Cell) -> Result<(), Illegal> {
        inside!(&self.inner, field => field.check(cell))
    }

    fn play_unchecked(&mut self, cell: &Cell) {
        inside!(&mut self.inner, field => field.play_unchecked(cell));
    }

    fn chances_into(&self, out: &mut Vec<(NoChance, u32)>) {
        out.clear();
    }

    fn resolve_unchecked(&mut self, chance: &NoChance) {
        match *chance {}
    }

    fn count_moves(&self, scratch: &mut Vec<Cell>) -> u64 {
        inside!(&self.inner, field => field.count_moves(scratch))
    }

    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R, scratch: &mut Vec<Cell>) -> Option<Cell> {
        inside!(&self.inner, field => field.random_move(rng, scratch))
    }
}
