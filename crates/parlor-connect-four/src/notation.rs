//! Moves and positions as text.

use std::str::FromStr;

use parlor_core::{NoChance, Notation, NotationError, Seat};

use crate::{Board, Move, Rules, Setup};

/// Letters of the seats' discs, red and yellow, in seat order.
const LETTERS: [char; 2] = ['R', 'Y'];
const EMPTY: char = '.';
const FORM: &str = "a position such as \"4x4x4 ..../..../Y.../RR..\" or \"4x4x4 112\"";

/// A move is its column counted from 1, such as `4`. A position is `7x6x4 ......./…`: columns, rows
/// and discs in a line, then the rows from the top.
impl Notation for Board {
    fn move_text(&self, m: &Move) -> String {
        m.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let columns = self.rules().columns();
        let wrong = || NotationError::new(text, format!("a column: a number from 1 to {columns}"));
        let number = decimal(text.trim()).ok_or_else(wrong)?;
        number.checked_sub(1).map(Move::new).ok_or_else(wrong)
    }

    fn chance_text(&self, chance: &NoChance) -> String {
        match *chance {}
    }

    fn parse_chance(&self, text: &str) -> Result<NoChance, NotationError> {
        text.parse()
    }

    fn text(&self) -> String {
        let rules = self.rules();
        let mut text = format!("{}x{}x{} ", rules.columns(), rules.rows(), rules.k());
        for slot in self.slots() {
            if slot.column == 0 && slot.row + 1 < rules.rows() {
                text.push('/');
            }
            text.push(self.at(slot).map_or(EMPTY, |seat| LETTERS[seat.index()]));
        }
        text
    }

    /// Parses a position, or the moves that lead to it, such as `7x6x4 4453`. The empty board is
    /// `7x6x4`.
    fn from_text(text: &str) -> Result<Board, NotationError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            [sizes] => Ok(Board::new(parse_rules(text, sizes)?)),
            [sizes, moves] if !moves.contains('/') => {
                Board::from_moves(parse_rules(text, sizes)?, moves)
            }
            _ => Setup::from_text(text)?.validate().map_err(|faults| {
                NotationError::new(text, format!("a position of a game: {faults}"))
            }),
        }
    }
}

parlor_core::display_by_notation!(Board);

parlor_core::serde_by_text!(Move);

/// Parses the number of a column, counted from 1.
///
/// ```
/// use parlor_connect_four::Move;
/// assert_eq!("4".parse(), Ok(Move::new(3)));
/// assert!("0".parse::<Move>().is_err());
/// ```
impl FromStr for Move {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Move, NotationError> {
        let number = decimal(text.trim()).and_then(|number| number.checked_sub(1));
        number
            .map(Move::new)
            .ok_or_else(|| NotationError::new(text, "a column, counted from 1"))
    }
}

impl Setup {
    /// Parses a position without checking that it is reachable.
    ///
    /// # Errors
    /// If the text does not have the form `7x6x4 ......./…`, or its rules are invalid.
    pub fn from_text(text: &str) -> Result<Setup, NotationError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [sizes, rows] = words[..] else {
            return Err(NotationError::new(text, FORM));
        };
        let rules = parse_rules(text, sizes)?;
        let rows: Vec<&str> = rows.split('/').collect();
        let width = usize::from(rules.columns());
        let shaped = rows.len() == usize::from(rules.rows())
            && rows.iter().all(|row| row.chars().count() == width);
        let (columns, height) = (rules.columns(), rules.rows());
        let expected = || {
            format!(
                "a position: {height} rows of {columns} slots should follow, joined by '/', \
                 with R, Y or '.' for each slot"
            )
        };
        let slots: Option<Vec<Option<Seat>>> = rows.concat().chars().map(parse_slot).collect();
        match slots {
            Some(slots) if shaped => Ok(Setup::new(rules, slots)),
            _ => Err(NotationError::new(text, expected())),
        }
    }
}

/// Parses one slot; the outer `None` means an unknown letter.
fn parse_slot(letter: char) -> Option<Option<Seat>> {
    if letter == EMPTY {
        return Some(None);
    }
    let seat = Seat::all(2).find(|seat| LETTERS[seat.index()] == letter)?;
    Some(Some(seat))
}

/// Parses `7x6x4`: columns, rows and discs in a line.
fn parse_rules(text: &str, sizes: &str) -> Result<Rules, NotationError> {
    let numbers: Option<Vec<u8>> = sizes.split('x').map(decimal).collect();
    let Some([columns, rows, k]) = numbers.as_deref() else {
        return Err(NotationError::new(text, FORM));
    };
    Rules::new(*columns, *rows, *k)
        .map_err(|reason| NotationError::new(text, format!("a position of a game: {reason}")))
}

/// Parses a number that consists only of digits.
fn decimal(text: &str) -> Option<u8> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}
