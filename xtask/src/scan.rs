//! A scanner that separates code, literals and comments, without parsing any further.
//!
//! Removed parts become blanks, so that lines and columns stay what they are.

use std::ops::Range;

/// The syntax that a file's comments follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// Nested block comments, raw strings, lifetimes.
    Rust,
    /// JavaScript: regular expressions and templates beside strings.
    Script,
    /// Block comments only.
    Style,
    /// HTML, SVG and Markdown.
    Markup,
    /// Anything else; everything in it counts.
    Plain,
}

impl Language {
    /// Returns the language of a file, judged by its name.
    pub(crate) fn of(path: &str) -> Language {
        match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
            "rs" => Language::Rust,
            "js" | "mjs" | "cjs" | "ts" => Language::Script,
            "css" => Language::Style,
            "html" | "htm" | "svg" | "md" => Language::Markup,
            _ => Language::Plain,
        }
    }
}

/// A kind of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Code,
    /// A string, character, template or regular expression.
    Literal,
    Comment,
}

/// Contribution of a file to a shipped program.
pub(crate) struct ShippedCode {
    /// The text without comments, tests and examples in help texts.
    pub(crate) text: String,
    /// Modules declared as `#[cfg(test)] mod NAME;`.
    pub(crate) test_modules: Vec<String>,
}

/// Returns a text with blanks in place of its comments.
pub(crate) fn without_comments(text: &str, language: Language) -> String {
    let comments = pieces(text, language)
        .into_iter()
        .filter(|(piece, _)| *piece == Piece::Comment)
        .map(|(_, range)| range);
    blanked(text, comments)
}

/// Returns the part of a file that can have an effect in a shipped program.
pub(crate) fn shipped_code(text: &str, language: Language) -> ShippedCode {
    let text = without_comments(text, language);
    if language != Language::Rust {
        return ShippedCode {
            text,
            test_modules: Vec::new(),
        };
    }
    let pieces = pieces(&text, language);
    let literals: Vec<Range<usize>> = pieces
        .into_iter()
        .filter(|(piece, _)| *piece == Piece::Literal)
        .map(|(_, range)| range)
        .collect();
    // Brackets can be matched here, because none stands in a literal any more.
    let skeleton = blanked(&text, literals.iter().cloned());
    let mut removed = Vec::new();
    let mut test_modules = Vec::new();
    for attribute in attributes(&skeleton) {
        if is_test(&skeleton[attribute.clone()]) {
            let (item, module) = item_after(&skeleton, attribute.end);
            removed.push(attribute.start..item);
            test_modules.extend(module);
        } else {
            let example = |literal: &&Range<usize>| {
                attribute.contains(&literal.start)
                    && is_example(&skeleton[attribute.start..literal.start])
            };
            removed.extend(literals.iter().filter(example).cloned());
        }
    }
    ShippedCode {
        text: blanked(&text, removed.into_iter()),
        test_modules,
    }
}

/// Replaces ranges by blanks, byte for byte.
fn blanked(text: &str, ranges: impl Iterator<Item = Range<usize>>) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for range in ranges {
        for byte in &mut bytes[range] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the ranges of all attributes, `#[…]` and `#![…]`.
fn attributes(skeleton: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (start, _) in skeleton.match_indices('#') {
        let rest = &skeleton[start + 1..];
        let open = rest.strip_prefix('!').unwrap_or(rest);
        if open.starts_with('[') {
            let at = start + 1 + (rest.len() - open.len());
            found.push(start..closing(skeleton, at));
        }
    }
    found
}

/// Returns the position behind the bracket that closes the one at `open`, or the end of the text.
fn closing(skeleton: &str, open: usize) -> usize {
    let mut depth = 0;
    for (at, byte) in (open..).zip(skeleton[open..].bytes()) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    skeleton.len()
}

/// True for `#[cfg(test)]` and `#[cfg(all(test, …))]`.
fn is_test(attribute: &str) -> bool {
    let plain: String = attribute.split_whitespace().collect();
    plain == "#[cfg(test)]" || plain.starts_with("#[cfg(all(test,")
}

/// True if the value that follows in an attribute is shown as an example and does nothing else.
fn is_example(before: &str) -> bool {
    let key = before.trim_end().strip_suffix('=').map(str::trim_end);
    let word = key.and_then(|key| {
        key.rsplit(|c: char| !c.is_alphanumeric() && c != '_')
            .next()
    });
    matches!(word, Some("after_help" | "after_long_help" | "example"))
}

/// Keywords that can begin an item. Anything else behind an attribute, such as a field or a
/// statement, is left alone, because its end is not clear here.
const ITEM_KEYWORDS: [&str; 15] = [
    "async",
    "const",
    "enum",
    "extern",
    "fn",
    "impl",
    "macro_rules",
    "mod",
    "pub",
    "static",
    "struct",
    "trait",
    "type",
    "unsafe",
    "use",
];

/// Returns the end of the item behind an attribute, and the name of a module declared there
/// without a body.
fn item_after(skeleton: &str, from: usize) -> (usize, Option<String>) {
    let mut start = from;
    while let Some(next) = skeleton[start..].find(|c: char| !c.is_whitespace()) {
        start += next;
        if !skeleton[start..].starts_with("#[") {
            break;
        }
        start = closing(skeleton, start + 1);
    }
    let rest = &skeleton[start..];
    let first = rest
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next();
    if !first.is_some_and(|word| ITEM_KEYWORDS.contains(&word)) {
        return (from, None);
    }
    let mut at = start;
    while let Some(next) = skeleton[at..].find(['(', '[', '{', ';']) {
        at += next;
        match skeleton.as_bytes()[at] {
            b';' => {
                let words: Vec<&str> = skeleton[start..at].split_whitespace().collect();
                let module = match words[..] {
                    [.., "mod", name] => Some(name.to_owned()),
                    _ => None,
                };
                return (at + 1, module);
            }
            b'{' => return (closing(skeleton, at), None),
            _ => at = closing(skeleton, at),
        }
    }
    (skeleton.len(), None)
}

/// Splits a text into code, literals and comments.
fn pieces(text: &str, language: Language) -> Vec<(Piece, Range<usize>)> {
    let mut scanner = Scanner {
        text,
        at: 0,
        begin: 0,
        pieces: Vec::new(),
    };
    match language {
        Language::Rust => scanner.rust(),
        Language::Script => scanner.script(false),
        Language::Style => scanner.style(),
        Language::Markup => scanner.markup(),
        Language::Plain => scanner.at = text.len(),
    }
    scanner.end(Piece::Code);
    scanner.pieces
}

struct Scanner<'a> {
    text: &'a str,
    /// Position of the next byte to read.
    at: usize,
    /// Start of the current piece.
    begin: usize,
    pieces: Vec<(Piece, Range<usize>)>,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Ends the current piece here.
    fn end(&mut self, piece: Piece) {
        if self.begin < self.at {
            self.pieces.push((piece, self.begin..self.at));
        }
        self.begin = self.at;
    }

    /// Moves on by one character.
    fn step(&mut self) {
        self.at += self.rest().chars().next().map_or(0, char::len_utf8);
    }

    /// Takes everything up to and including `end`, or the rest of the text, as one piece.
    fn take_until(&mut self, end: &str, piece: Piece) {
        let rest = self.rest();
        self.at += rest.find(end).map_or(rest.len(), |found| found + end.len());
        self.end(piece);
    }

    /// Takes the rest of the line, without its end, as a comment.
    fn take_line_comment(&mut self) {
        let rest = self.rest();
        self.at += rest.find('\n').unwrap_or(rest.len());
        self.end(Piece::Comment);
    }

    /// Takes a literal that ends with `quote`; a backslash escapes the next character.
    fn take_quoted(&mut self, quote: char) {
        self.step();
        while let Some(next) = self.rest().chars().next() {
            self.step();
            match next {
                '\\' => self.step(),
                next if next == quote => break,
                _ => {}
            }
        }
        self.end(Piece::Literal);
    }

    fn rust(&mut self) {
        let mut after_word = false;
        while let Some(next) = self.rest().chars().next() {
            let rest = self.rest();
            if rest.starts_with("//") {
                self.end(Piece::Code);
                self.take_line_comment();
            } else if rest.starts_with("/*") {
                self.end(Piece::Code);
                self.take_nested_comment();
            } else if next == '"' {
                self.end(Piece::Code);
                self.take_quoted('"');
            } else if let Some(hashes) = raw_string(rest).filter(|_| !after_word) {
                self.end(Piece::Code);
                let end = format!("\"{}", "#".repeat(hashes));
                self.at += rest.find('"').map_or(0, |quote| quote + 1);
                self.take_until(&end, Piece::Literal);
            } else if next == '\'' && is_character(rest) {
                self.end(Piece::Code);
                self.take_quoted('\'');
            } else {
                self.step();
            }
            after_word = next.is_alphanumeric() || next == '_';
        }
    }

    fn take_nested_comment(&mut self) {
        let mut depth = 0;
        while !self.rest().is_empty() {
            if self.rest().starts_with("/*") {
                depth += 1;
                self.at += 2;
            } else if self.rest().starts_with("*/") {
                depth -= 1;
                self.at += 2;
            } else {
                self.step();
            }
            if depth == 0 {
                break;
            }
        }
        self.end(Piece::Comment);
    }

    /// Reads to the end of the text, or, in a template, to the brace that ends an expression.
    fn script(&mut self, in_template: bool) {
        let mut depth = 0;
        while let Some(next) = self.rest().chars().next() {
            if self.rest().starts_with("//") {
                self.end(Piece::Code);
                self.take_line_comment();
                continue;
            }
            if self.rest().starts_with("/*") {
                self.end(Piece::Code);
                self.take_until("*/", Piece::Comment);
                continue;
            }
            match next {
                '"' | '\'' => {
                    self.end(Piece::Code);
                    self.take_quoted(next);
                }
                '`' => {
                    self.end(Piece::Code);
                    self.take_template();
                }
                '/' if self.may_begin_regex() => {
                    self.end(Piece::Code);
                    self.take_regex();
                }
                '{' => {
                    depth += 1;
                    self.step();
                }
                '}' if in_template && depth == 0 => return,
                '}' => {
                    depth -= 1;
                    self.step();
                }
                _ => self.step(),
            }
        }
    }

    fn take_template(&mut self) {
        self.step();
        while let Some(next) = self.rest().chars().next() {
            if self.rest().starts_with("${") {
                self.at += 2;
                self.end(Piece::Literal);
                self.script(true);
                self.end(Piece::Code);
                continue;
            }
            self.step();
            match next {
                '\\' => self.step(),
                '`' => break,
                _ => {}
            }
        }
        self.end(Piece::Literal);
    }

    /// True if a slash here begins a regular expression; behind a value it divides.
    fn may_begin_regex(&self) -> bool {
        let before = self.text[..self.at].trim_end();
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        match before.chars().next_back() {
            Some(')' | ']' | '}' | '"' | '\'' | '`') => false,
            Some(last) if is_word(last) => {
                let word = before.rsplit(|c| !is_word(c)).next().unwrap_or("");
                matches!(word, "return" | "typeof" | "case" | "in" | "of")
            }
            _ => true,
        }
    }

    fn take_regex(&mut self) {
        let mut in_class = false;
        self.step();
        while let Some(next) = self.rest().chars().next() {
            self.step();
            match next {
                '\\' => self.step(),
                '[' => in_class = true,
                ']' => in_class = false,
                '/' if !in_class => break,
                '\n' => break,
                _ => {}
            }
        }
        self.end(Piece::Literal);
    }

    fn style(&mut self) {
        while let Some(next) = self.rest().chars().next() {
            if self.rest().starts_with("/*") {
                self.end(Piece::Code);
                self.take_until("*/", Piece::Comment);
            } else if matches!(next, '"' | '\'') {
                self.end(Piece::Code);
                self.take_quoted(next);
            } else {
                self.step();
            }
        }
    }

    fn markup(&mut self) {
        while !self.rest().is_empty() {
            if self.rest().starts_with("<!--") {
                self.end(Piece::Code);
                self.take_until("-->", Piece::Comment);
            } else {
                self.step();
            }
        }
    }
}

/// Returns the number of `#` if a raw string begins here: `r"`, `br#"`, `cr##"`.
fn raw_string(text: &str) -> Option<usize> {
    let text = text.strip_prefix(['b', 'c']).unwrap_or(text);
    let rest = text.strip_prefix('r')?;
    let quote = rest.trim_start_matches('#');
    quote.starts_with('"').then_some(rest.len() - quote.len())
}

/// True if a quote begins a character; otherwise it begins a lifetime or a label.
fn is_character(text: &str) -> bool {
    let mut next = text.chars().skip(1);
    matches!(
        (next.next(), next.next()),
        (Some('\\'), _) | (Some(_), Some('\''))
    )
}

/// A word of an identifier or a text, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    /// True if it directly follows the word before it, or after one `-`, `_` or blank.
    pub(crate) follows: bool,
}

/// Splits a text into words, also where an identifier changes its case: `ConnectFour` is two
/// words, and so are `connect_four` and `connect4`.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Word> {
    const DIGITS: [&str; 10] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    ];
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut characters = text.char_indices().peekable();
    let mut before: Option<char> = None;
    while let Some((at, c)) = characters.next() {
        let after = characters.peek().map(|(_, c)| *c);
        if c.is_alphanumeric() {
            let begins = match before.filter(|before| before.is_alphanumeric()) {
                None => true,
                Some(before) => {
                    before.is_numeric() != c.is_numeric()
                        || !before.is_uppercase() && c.is_uppercase()
                        || before.is_uppercase()
                            && c.is_uppercase()
                            && after.is_some_and(char::is_lowercase)
                }
            };
            let end = at + c.len_utf8();
            match ranges.last_mut().filter(|_| !begins) {
                Some(range) => range.end = end,
                None => ranges.push(at..end),
            }
        }
        before = Some(c);
    }
    let mut end = None;
    ranges.into_iter().map(move |range| {
        let gap = end.map(|end: usize| &text[end..range.start]);
        let follows = matches!(gap, Some("" | "-" | "_" | " "));
        end = Some(range.end);
        let word = text[range].to_lowercase();
        let digit = word.parse().ok().and_then(|n: usize| DIGITS.get(n));
        Word {
            text: digit.map_or(word, |digit| (*digit).to_owned()),
            follows,
        }
    })
}
