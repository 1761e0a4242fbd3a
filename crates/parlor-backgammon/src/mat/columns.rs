//! Which words of a line are whose.

/// The indentation from which on an unnumbered line belongs to the right column.
const MIDDLE: usize = 20;
/// The indentation behind a number from which on the left column is empty.
const EMPTY: usize = 10;

/// The texts of the left and the right column, `None` where there is nothing.
pub(super) fn columns(line: &str) -> [Option<&str>; 2] {
    let (numbered, rest) = match line.split_once(')') {
        Some((number, rest))
            if !number.trim().is_empty() && number.trim().bytes().all(|b| b.is_ascii_digit()) =>
        {
            (true, rest)
        }
        _ => (false, line),
    };
    let rolls = rolls(rest);
    // Two rolls are one in each column; a single one may stand behind a word.
    if let [.., last] = rolls[..]
        && some(&rest[..last]).is_some()
    {
        return [&rest[..last], &rest[last..]].map(some);
    }
    let indented = rest.len() - rest.trim_start().len();
    if indented >= if numbered { EMPTY } else { MIDDLE } {
        return [None, some(rest)];
    }
    let (left, right) = rest.split_at(indented + gap(&rest[indented..]));
    [some(left), some(right)]
}

fn some(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

/// Where rolls begin: two dice and a colon, at the beginning or behind a blank.
fn rolls(text: &str) -> Vec<usize> {
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

/// Where the left column's text ends: at two blanks with a word behind that is no part of a play.
fn gap(text: &str) -> usize {
    let mut from = 0;
    while let Some(at) = text[from..].find("  ").map(|at| at + from) {
        let behind = text[at..].trim_start();
        let part_of_it = |c: char| c.is_ascii_digit() || c == '?';
        let goes_on = ["bar", "off", "cannot", "illegal"]
            .iter()
            .any(|word| begins(behind, word));
        if !behind.starts_with(part_of_it) && !goes_on {
            return at;
        }
        from = text.len() - behind.len();
    }
    text.len()
}

/// Whether a text begins with a word, in whatever case.
pub(super) fn begins(text: &str, word: &str) -> bool {
    text.get(..word.len())
        .is_some_and(|begin| begin.eq_ignore_ascii_case(word))
}
