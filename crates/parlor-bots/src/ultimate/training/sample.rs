//! Training samples.

use super::super::state::{ALL, UltimateState, bits};

/// Position with the value by a search and the result of its game, both for the seat on turn from
/// -1 to 1. The position is not over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UltimateSample {
    pub(in super::super) state: UltimateState,
    /// Value found by a search.
    pub value: f32,
    /// Result of the game, or the search value when a random move was played.
    pub result: f32,
}

/// The eight symmetries of the board.
pub(super) struct Symmetries {
    /// Image of each square.
    squares: [[u8; 9]; 8],
    /// Image of each set of nine marks.
    marks: [[u16; 512]; 8],
}

impl Symmetries {
    pub(super) fn new() -> Symmetries {
        let place = |way: usize, square: usize| {
            let (mut row, mut column) = (square / 3, square % 3);
            if way & 1 != 0 {
                column = 2 - column;
            }
            if way & 2 != 0 {
                row = 2 - row;
            }
            if way & 4 != 0 {
                (row, column) = (column, row);
            }
            row * 3 + column
        };
        let squares =
            std::array::from_fn(|way| std::array::from_fn(|square| place(way, square) as u8));
        let marks = std::array::from_fn(|way| {
            std::array::from_fn(|marks| {
                bits(marks as u16)
                    .map(|square| 1 << place(way, square))
                    .sum()
            })
        });
        Symmetries { squares, marks }
    }

    /// Returns the image of a position under a symmetry.
    pub(super) fn apply(&self, state: &UltimateState, way: usize) -> UltimateState {
        let marks = |marks: u16| self.marks[way][usize::from(marks & ALL)];
        let mut turned = *state;
        for board in 0..9 {
            for seat in 0..2 {
                turned.marks[seat][usize::from(self.squares[way][board])] =
                    marks(state.marks[seat][board]);
            }
        }
        turned.won = state.won.map(marks);
        turned.drawn = marks(state.drawn);
        if let Some(&target) = self.squares[way].get(usize::from(state.target)) {
            turned.target = target;
        }
        turned
    }
}

impl UltimateSample {
    /// Size of a stored sample in bytes.
    pub const BYTES: usize = 52;

    /// Returns the stored form.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let s = &self.state;
        let words = s
            .marks
            .as_flattened()
            .iter()
            .chain(&s.won)
            .chain([&s.drawn]);
        bytes
            .as_chunks_mut::<2>()
            .0
            .iter_mut()
            .zip(words)
            .for_each(|(to, word)| *to = word.to_le_bytes());
        (bytes[42], bytes[43]) = (s.target, s.side);
        bytes[44..48].copy_from_slice(&self.value.to_le_bytes());
        bytes[48..].copy_from_slice(&self.result.to_le_bytes());
        bytes
    }

    /// Restores a stored sample.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> UltimateSample {
        let word = |i: usize| u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]);
        let number =
            |i: usize| f32::from_le_bytes([bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]]);
        let state = UltimateState {
            marks: std::array::from_fn(|seat| std::array::from_fn(|board| word(9 * seat + board))),
            won: [word(18), word(19)],
            drawn: word(20),
            target: bytes[42],
            side: bytes[43],
        };
        UltimateSample {
            state,
            value: number(44),
            result: number(48),
        }
    }
}
