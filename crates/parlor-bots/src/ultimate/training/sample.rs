//! Positions with what became of them.

use super::super::state::{ALL, State, bits};

/// A position that is not over, what a search thought of it, and how its game went on; both for the seat on turn, from -1 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    pub(in super::super) state: State,
    /// What a search thought.
    pub value: f32,
    /// How the game ended, or what was thought of it when chance took over.
    pub result: f32,
}

/// The squares turned and mirrored, in all eight ways.
pub(super) struct Turns {
    /// Where each square goes.
    squares: [[u8; 9]; 8],
    /// Where nine marks go.
    marks: [[u16; 512]; 8],
}

impl Turns {
    pub(super) fn new() -> Turns {
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
        Turns { squares, marks }
    }

    /// The same position, turned.
    pub(super) fn turn(&self, state: &State, way: usize) -> State {
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

impl Sample {
    /// The bytes of a stored sample.
    pub const BYTES: usize = 52;

    /// The stored form.
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

    /// The sample that was stored.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Sample {
        let word = |i: usize| u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]);
        let number =
            |i: usize| f32::from_le_bytes([bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]]);
        let state = State {
            marks: std::array::from_fn(|seat| std::array::from_fn(|board| word(9 * seat + board))),
            won: [word(18), word(19)],
            drawn: word(20),
            target: bytes[42],
            side: bytes[43],
        };
        Sample {
            state,
            value: number(44),
            result: number(48),
        }
    }
}
