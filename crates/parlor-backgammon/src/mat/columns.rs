//! Splitting of lines into columns.

/// Minimum indentation of an unnumbered line that belongs to the right column.
const MIDDLE: usize = 20;
/// Minimum indentation after a line number that means an empty left column.
const EMPTY: usize = 10;

/// Returns the texts of the left and the right column; `None` for an empty one.
pub(super) fn columns(line: &str) -> [Option<&str>; 2] {
    let (numbered, rest) = match line.split_once(')') {
        Some((number, rest))
            if !number.trim().is_empty() && number.trim().bytes().all(|b| b.is_ascii_digit()) =>
        {
            (true, rest)
        }
        _ => (false, line),
    };
    let rolls = roll_offsets(rest);
    // Two rolls mean one in each column; a single one may follow a word.
    if let [.., last] = rolls[..]
        && non_empty(&rest[..last]).is_some()
    {
        return [&rest[..last], &rest[last..]].map(non_empty);
    }
    let indented = rest.len() - rest.trim_start().len();
    if indented >= if numbered { EMPTY } else { MIDDLE } {
        return [None, non_empty(rest)];
    }
    let (left, right) = rest.split_at(indented + column_end(&rest[indented..]));
    [non_empty(left), non_empty(right)]
}

fn non_empty(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

/// Returns the offsets of rolls: two dice and a colon, at the start or after a space.
fn roll_offsets(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let is_die = |b: &u8| (b'1'..=b'6').contains(b);
    let is_roll = |at: &usize| {
        let before = at.checked_sub(1).map_or(b' ', |before| bytes[before]);
        before.is_ascii_whitespace()
            && is_die(&bytes[*at])
            && is_die(&bytes[at + 1])
            && bytes[at + 2] == b':'
    };
    (0..bytes.len().saturating_sub(2)).filter(is_roll).collect()
}

/// Returns the end of the left column's text: two spaces followed by a word that is not part of a
/// play.
fn column_end(text: &str) -> usize {
    let mut from = 0;
    while let Some(at) = text[from..].find("  ").map(|at| at + from) {
        let next = text[at..].trim_start();
        let part_of_it = |c: char| c.is_ascii_digit() || c == '?';
        let goes_on = ["bar", "off", "cannot", "illegal"]
            .iter()
            .any(|word| begins(next, word));
        if !next.starts_with(part_of_it) && !goes_on {
            return at;
        }
        from = text.len() - next.len();
    }
    text.len()
}

/// Returns `true` if a text starts with a word, ignoring case.
pub(super) fn begins(text: &str, word: &str) -> bool {
    text.get(..word.len())
        .is_some_and(|begin| begin.eq_ignore_ascii_case(word))
}
