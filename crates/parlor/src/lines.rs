//! Reading of untrusted lines: any bytes, of any length.

use std::io::{self, BufRead, Read};

/// Maximum length of a line in bytes.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// A line without its line break, or an error if it was too long.
pub type Line = Result<Vec<u8>, TooLong>;

/// Error for a line longer than [`MAX_LINE_BYTES`], the rest of which has been skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the line is longer than {MAX_LINE_BYTES} bytes")]
pub struct TooLong;

/// Reads the next line; `None` at the end of the input.
///
/// # Errors
/// If the input cannot be read.
pub fn read_line(input: &mut (impl BufRead + ?Sized)) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let limit = u64::try_from(MAX_LINE_BYTES).unwrap_or(u64::MAX) + 1;
    if (&mut *input).take(limit).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() > MAX_LINE_BYTES {
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
    use super::{MAX_LINE_BYTES, TooLong, read_line};

    #[test]
    fn a_line_that_is_too_long_is_skipped_and_the_next_one_read() {
        let text = [
            "a\r\n".to_owned(),
            "x".repeat(MAX_LINE_BYTES + 1),
            "\nb".to_owned(),
        ]
        .concat();
        let mut input = text.as_bytes();
        assert_eq!(read_line(&mut input).unwrap(), Some(Ok(b"a".to_vec())));
        assert_eq!(read_line(&mut input).unwrap(), Some(Err(TooLong)));
        assert_eq!(read_line(&mut input).unwrap(), Some(Ok(b"b".to_vec())));
        assert_eq!(read_line(&mut input).unwrap(), None);
    }

    #[test]
    fn a_line_of_exactly_the_limit_is_read() {
        let text = "x".repeat(MAX_LINE_BYTES) + "\n";
        assert_eq!(
            read_line(&mut text.as_bytes())
                .unwrap()
                .map(|line| line.map(|l| l.len())),
            Some(Ok(MAX_LINE_BYTES))
        );
    }
}
