//! Reading lines that somebody else wrote: any bytes, of any length.

use std::io::{self, BufRead, Read};

/// The longest line that is read, in bytes.
pub const LIMIT: usize = 1 << 20;

/// A line without its line break, or the fact that it was longer than [`LIMIT`].
pub type Line = Result<Vec<u8>, TooLong>;

/// A line longer than [`LIMIT`]; the rest of it has been skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the line is longer than {LIMIT} bytes")]
pub struct TooLong;

/// The next line; `None` at the end of the input.
///
/// # Errors
/// When the input cannot be read.
pub fn next(input: &mut (impl BufRead + ?Sized)) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let limit = u64::try_from(LIMIT).unwrap_or(u64::MAX) + 1;
    if (&mut *input).take(limit).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() > LIMIT {
        input.skip_until(b'\n')?;
        return Ok(Some(Err(TooLong)));
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(Some(Ok(line)))
}

#[cfg(test)]
mod tests {
    use super::{LIMIT, TooLong, next};

    #[test]
    fn a_line_that_is_too_long_is_skipped_and_the_next_one_read() {
        let text = ["a\r\n".to_owned(), "x".repeat(LIMIT + 1), "\nb".to_owned()].concat();
        let mut input = text.as_bytes();
        assert_eq!(next(&mut input).unwrap(), Some(Ok(b"a".to_vec())));
        assert_eq!(next(&mut input).unwrap(), Some(Err(TooLong)));
        assert_eq!(next(&mut input).unwrap(), Some(Ok(b"b".to_vec())));
        assert_eq!(next(&mut input).unwrap(), None);
    }

    #[test]
    fn a_line_of_just_the_limit_is_read() {
        let text = "x".repeat(LIMIT) + "\n";
        assert_eq!(
            next(&mut text.as_bytes())
                .unwrap()
                .map(|line| line.map(|l| l.len())),
            Some(Ok(LIMIT))
        );
    }
}
