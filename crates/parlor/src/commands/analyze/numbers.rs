//! Move numbers as in match files.

/// Counter of moves: a number stands for White's move and Black's reply.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveNumbers {
    /// Number and seat of the last move.
    last: Option<(usize, u8)>,
}

impl MoveNumbers {
    /// Returns the number of the next move if this seat makes it.
    pub fn peek(self, seat: u8) -> usize {
        match self.last {
            None => 1,
            Some((number, last)) if seat == 0 || last == seat => number + 1,
            Some((number, _)) => number,
        }
    }

    /// Counts a move of this seat and returns its number.
    pub fn advance(&mut self, seat: u8) -> usize {
        let number = self.peek(seat);
        self.last = Some((number, seat));
        number
    }
}

#[cfg(test)]
mod tests {
    use super::MoveNumbers;

    #[test]
    fn both_moves_of_a_line_share_a_number() {
        let numbered = |seats: &[u8]| {
            let mut numbers = MoveNumbers::default();
            seats
                .iter()
                .map(|seat| numbers.advance(*seat))
                .collect::<Vec<_>>()
        };
        assert_eq!(numbered(&[0, 1, 0, 1]), [1, 1, 2, 2]);
        assert_eq!(
            numbered(&[1, 0, 1, 0]),
            [1, 2, 2, 3],
            "Black begins in the right column"
        );
        assert_eq!(
            numbered(&[0, 1, 1]),
            [1, 1, 2],
            "a seat never has two moves in one line"
        );
    }
}
