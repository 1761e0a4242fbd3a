//! The numbers of moves, as files of matches have them.

/// Counts the moves of a game: a number stands for White's move and Black's after it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Numbers {
    /// The last number, and whose move it was.
    last: Option<(usize, u8)>,
}

impl Numbers {
    /// The number of the next move, which this seat makes.
    pub fn next(self, seat: u8) -> usize {
        match self.last {
            None => 1,
            Some((number, last)) if seat == 0 || last == seat => number + 1,
            Some((number, _)) => number,
        }
    }

    /// Counts a move of this seat, and tells its number.
    pub fn count(&mut self, seat: u8) -> usize {
        let number = self.next(seat);
        self.last = Some((number, seat));
        number
    }
}

#[cfg(test)]
mod tests {
    use super::Numbers;

    #[test]
    fn a_number_stands_for_both_moves_of_a_line() {
        let of = |seats: &[u8]| {
            let mut numbers = Numbers::default();
            seats
                .iter()
                .map(|seat| numbers.count(*seat))
                .collect::<Vec<_>>()
        };
        assert_eq!(of(&[0, 1, 0, 1]), [1, 1, 2, 2]);
        assert_eq!(
            of(&[1, 0, 1, 0]),
            [1, 2, 2, 3],
            "Black begins in the right column"
        );
        assert_eq!(of(&[0, 1, 1]), [1, 1, 2], "nobody has two in one line");
    }
}
