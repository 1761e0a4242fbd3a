//! The position type of m,n,k games and its choice of representation.

use parlor_core::{NoChance, Position, Seat, Turn};
use rand::Rng;

use super::{BoardShape, Cell, Grid, Illegal, MAX_SEATS, Rules, Three, Wide, lines};

/// A representation of an m,n,k position.
pub trait MnkPosition:
    Position<Move = Cell, Chance = NoChance, Illegal = Illegal> + Eq + std::hash::Hash
{
    /// Returns the board size and run length.
    fn shape(&self) -> BoardShape;

    /// Returns the seat whose stone lies on a cell; `None` if it is empty or off the board.
    fn at(&self, cell: Cell) -> Option<Seat>;

    /// Returns the number of stones on the board.
    fn stones(&self) -> u16;

    /// Returns all cells of winning runs, row by row; empty if nobody has won.
    fn winning_cells(&self) -> Vec<Cell> {
        let Some(winner) = self.turn().outcome().and_then(|outcome| outcome.winner()) else {
            return Vec::new();
        };
        lines::cells_in_runs(self.shape(), |cell| self.at(cell) == Some(winner))
    }
}

const MANY: usize = MAX_SEATS as usize;

/// The representation inside a [`Board`]: the smallest one that fits.
///
/// A search that matches on it once then runs on a single type, without dispatching at every move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BoardRepr {
    /// The classic 3x3 game.
    Three(Three),
    /// Two seats on a board that fits a word, such as 7x7.
    Small(Grid<2>),
    /// Two seats on a board up to 15x15.
    Middle(Box<Wide<16, 2>>),
    /// Two seats on any board.
    Large(Box<Wide<27, 2>>),
    /// More than two seats on a board that fits a word.
    SmallMany(Grid<MANY>),
    /// More than two seats on any board.
    LargeMany(Box<Wide<27, MANY>>),
}

/// Evaluates an expression on the representation, whichever it is.
macro_rules! with_repr {
    ($repr:expr, $position:ident => $body:expr) => {
        match $repr {
            BoardRepr::Three($position) => $body,
            BoardRepr::Small($position) => $body,
            BoardRepr::Middle($position) => $body,
            BoardRepr::Large($position) => $body,
            BoardRepr::SmallMany($position) => $body,
            BoardRepr::LargeMany($position) => $body,
        }
    };
}

/// A position in an m,n,k game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    rules: Rules,
    repr: BoardRepr,
}

impl Board {
    /// Creates an empty board.
    pub fn new(rules: Rules) -> Board {
        Board {
            rules,
            repr: BoardRepr::new(rules.shape()),
        }
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the representation, for a search that runs on one type.
    pub fn repr(&self) -> &BoardRepr {
        &self.repr
    }

    /// Returns the symbol on a cell; `None` if it is empty or off the board.
    pub fn symbol_at(&self, cell: Cell) -> Option<char> {
        self.at(cell).map(|seat| self.rules.symbols()[seat.index()])
    }

    /// Returns every cell of the board, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let shape = self.rules.shape();
        (0..usize::from(shape.cells())).map(move |index| Cell::from_index(index, shape.columns()))
    }

    /// Returns the seat whose stone lies on a cell; `None` if it is empty or off the board.
    pub fn at(&self, cell: Cell) -> Option<Seat> {
        with_repr!(&self.repr, position => position.at(cell))
    }

    /// Returns the number of stones on the board.
    pub fn stones(&self) -> u16 {
        with_repr!(&self.repr, position => position.stones())
    }

    /// Returns all cells of winning runs, row by row; empty if nobody has won.
    ///
    /// ```
    /// use parlor_core::Notation;
    /// use parlor_tictactoe::mnk::{Board, Cell};
    /// let won = Board::from_text("3x3x3 XO XXX/OO./...")?;
    /// assert_eq!(won.winning_cells(), [Cell::new(0, 0), Cell::new(0, 1), Cell::new(0, 2)]);
    /// # Ok::<(), parlor_core::NotationError>(())
    /// ```
    pub fn winning_cells(&self) -> Vec<Cell> {
        with_repr!(&self.repr, position => position.winning_cells())
    }
}

impl BoardRepr {
    /// Creates an empty board of this shape.
    fn new(shape: BoardShape) -> BoardRepr {
        const FITS: &str = "the shape was found to fit";
        if shape == Rules::classic().shape() {
            return BoardRepr::Three(Three::new());
        }
        if Grid::<2>::fits(shape) {
            BoardRepr::Small(Grid::new(shape).expect(FITS))
        } else if Wide::<16, 2>::fits(shape) {
            BoardRepr::Middle(Box::new(Wide::new(shape).expect(FITS)))
        } else if Wide::<27, 2>::fits(shape) {
            BoardRepr::Large(Box::new(Wide::new(shape).expect(FITS)))
        } else if Grid::<MANY>::fits(shape) {
            BoardRepr::SmallMany(Grid::new(shape).expect(FITS))
        } else {
            BoardRepr::LargeMany(Box::new(
                Wide::new(shape).expect("rules keep to the largest board"),
            ))
        }
    }
}

impl MnkPosition for Board {
    fn shape(&self) -> BoardShape {
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
        with_repr!(&self.repr, position => position.turn())
    }

    fn legal_moves_into(&self, out: &mut Vec<Cell>) {
        with_repr!(&self.repr, position => position.legal_moves_into(out));
    }

    fn check(&self, cell: &Cell) -> Result<(), Illegal> {
        with_repr!(&self.repr, position => position.check(cell))
    }

    fn play_unchecked(&mut self, cell: &Cell) {
        with_repr!(&mut self.repr, position => position.play_unchecked(cell));
    }

    fn chances_into(&self, out: &mut Vec<(NoChance, u32)>) {
        out.clear();
    }

    fn resolve_unchecked(&mut self, chance: &NoChance) {
        match *chance {}
    }

    fn count_moves(&self, scratch: &mut Vec<Cell>) -> u64 {
        with_repr!(&self.repr, position => position.count_moves(scratch))
    }

    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R, scratch: &mut Vec<Cell>) -> Option<Cell> {
        with_repr!(&self.repr, position => position.random_move(rng, scratch))
    }
}
