//! Opening book of the standard board, with proven best moves.
//!
//! The book has a move for every position that can occur with its seat on turn, up to a number of
//! discs, if that seat always plays the move of the book. There is one book for each seat. Mirrored
//! positions share an entry.
//!
//! ```
//! use parlor_connect_four::book::OpeningBook;
//! use parlor_connect_four::solver::ProvenValue;
//! use parlor_connect_four::{Board, Move, Rules};
//!
//! let book = OpeningBook::standard();
//! let start = Board::new(Rules::STANDARD);
//! assert_eq!(book.find(&start), Some((Move::new(3), ProvenValue::Win)));
//! ```
//!
//! # Files
//! The books are the files `book/first.txt` and `book/second.txt`. Each line covers all positions
//! with the same number of discs, with one character for each: `1` to `7` is the column of a
//! winning move, `a` to `g` of one that keeps a draw, `A` to `G` of one that loses as late as
//! possible. The lines before determine the position of each character; see [`BookLevel`].
//!
//! They were written by the example `connect_four_book`: `connect_four_book first 14 24` took 140 s
//! and `connect_four_book second 11 24` took 357 s on one core of an AMD EPYC, with a table of 512
//! MiB.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use parlor_core::{Position, Seat};

use crate::geometry::{BoardGeometry, SearchNode, StandardLayout};
use crate::solver::ProvenValue;
use crate::{Board, BoardBits, Move, Rules};

const FIRST: &str = include_str!("../book/first.txt");
const SECOND: &str = include_str!("../book/second.txt");

/// Opening book: moves by position.
#[derive(Clone, Debug)]
pub struct OpeningBook {
    /// Keys of positions, sorted, each with its character in the book.
    entries: Vec<(u64, u8)>,
}

impl OpeningBook {
    /// Returns the built-in book, with the moves of both seats.
    pub fn standard() -> &'static OpeningBook {
        static BOOK: OnceLock<OpeningBook> = OnceLock::new();
        BOOK.get_or_init(|| {
            let both = [(Seat::FIRST, FIRST), (Seat::SECOND, SECOND)];
            let read = |(seat, text)| {
                OpeningBook::read(seat, text).expect("the tests read the files of this crate")
            };
            let mut entries: Vec<(u64, u8)> = both
                .into_iter()
                .flat_map(|file| read(file).entries)
                .collect();
            entries.sort_unstable();
            OpeningBook { entries }
        })
    }

    /// Parses the book of one seat; `None` if the text is not one.
    pub fn read(seat: Seat, text: &str) -> Option<OpeningBook> {
        let mut level = BookLevel::first(seat);
        let mut entries = Vec::new();
        for line in text.lines() {
            let moves: Vec<Move> = line
                .bytes()
                .map(|letter| Some(meaning(letter)?.0))
                .collect::<Option<_>>()?;
            let keys = level.positions().iter().map(|board| key(board).0);
            entries.extend(keys.zip(line.bytes()));
            level = level.next(&moves)?;
        }
        entries.sort_unstable();
        Some(OpeningBook { entries })
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns true if the book has no positions.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the book's move for a position, with the position's value for the seat to move.
    pub fn find(&self, board: &Board) -> Option<(Move, ProvenValue)> {
        if board.rules() != Rules::STANDARD {
            return None;
        }
        let (key, mirrored) = key(board);
        let at = self
            .entries
            .binary_search_by_key(&key, |entry| entry.0)
            .ok()?;
        let (m, value) = meaning(self.entries[at].1)?;
        let column = if mirrored {
            Rules::STANDARD.columns() - 1 - m.column
        } else {
            m.column
        };
        Some((Move::new(column), value))
    }
}

/// All positions of a book with the same number of discs.
#[derive(Clone, Debug)]
pub struct BookLevel {
    positions: Vec<Board>,
}

impl BookLevel {
    /// Returns the first positions of a seat: the empty board, or the boards after each first move
    /// of the other seat.
    pub fn first(seat: Seat) -> BookLevel {
        let start = Board::new(Rules::STANDARD);
        if seat == Seat::FIRST {
            BookLevel {
                positions: vec![start],
            }
        } else {
            BookLevel::after(&[start])
        }
    }

    /// Returns the positions in the order of the book.
    pub fn positions(&self) -> &[Board] {
        &self.positions
    }

    /// Returns the positions two plies later: after each move in `moves` and every reply of the
    /// other seat that does not end the game. `None` unless there is a legal move for each
    /// position.
    pub fn next(&self, moves: &[Move]) -> Option<BookLevel> {
        if moves.len() != self.positions.len() {
            return None;
        }
        let play = |(board, m): (&Board, &Move)| {
            let mut after = *board;
            after.try_play(m).ok().map(|()| after)
        };
        let answered: Option<Vec<Board>> = self.positions.iter().zip(moves).map(play).collect();
        Some(BookLevel::after(&answered?))
    }

    /// Returns the positions after every legal move, without duplicates.
    fn after(boards: &[Board]) -> BookLevel {
        let (mut seen, mut positions) = (BTreeSet::new(), Vec::new());
        for board in boards {
            for m in board.legal_moves() {
                let mut after = *board;
                after.play_unchecked(&m);
                let (key, mirrored) = key(&after);
                if !after.turn().is_over() && seen.insert(key) {
                    positions.push(if mirrored { after.mirrored() } else { after });
                }
            }
        }
        BookLevel { positions }
    }
}

/// Returns the character that represents a move in a book.
pub fn letter(m: Move, value: ProvenValue) -> char {
    let first = match value {
        ProvenValue::Win => b'1',
        ProvenValue::Draw => b'a',
        ProvenValue::Loss => b'A',
    };
    char::from(first + m.column)
}

/// Returns the move and value that a character in a book represents.
fn meaning(letter: u8) -> Option<(Move, ProvenValue)> {
    let (first, value) = match letter {
        b'1'..=b'7' => (b'1', ProvenValue::Win),
        b'a'..=b'g' => (b'a', ProvenValue::Draw),
        b'A'..=b'G' => (b'A', ProvenValue::Loss),
        _ => return None,
    };
    Some((Move::new(letter - first), value))
}

/// Returns the key of a position of the standard board, which is the same for its mirror image, and
/// whether the book contains the mirror image.
fn key(board: &Board) -> (u64, bool) {
    let BoardBits::Bits64(stacks) = board.bits() else {
        return (0, false);
    };
    let geometry = BoardGeometry::new(StandardLayout);
    let key = geometry.key(SearchNode::new(stacks));
    let mirrored = geometry.mirrored(key);
    (key.min(mirrored), mirrored < key)
}
