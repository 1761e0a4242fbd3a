//! Parser of the format itself: trees of nodes of properties.

use super::{SgfError, SgfErrorKind};

/// A property, such as `PW[alice]`.
pub(super) struct Property {
    pub(super) line: usize,
    /// Name in capital letters.
    pub(super) name: String,
    pub(super) values: Vec<String>,
}

/// Properties between two semicolons.
pub(super) type Node = Vec<Property>;

/// Reads all trees and returns the nodes of each one's first variation.
pub(super) fn read(text: &str) -> Result<Vec<Vec<Node>>, SgfError> {
    let mut parser = TreeParser {
        rest: text.trim_start_matches('\u{feff}').chars().peekable(),
        line: 1,
        trees: Vec::new(),
    };
    parser.parse()?;
    Ok(parser.trees)
}

struct TreeParser<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    line: usize,
    trees: Vec<Vec<Node>>,
}

impl TreeParser<'_> {
    fn error<T>(&self, message: &'static str) -> Result<T, SgfError> {
        Err(SgfError {
            line: self.line,
            kind: SgfErrorKind::Syntax(message),
        })
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.next();
        self.line += usize::from(c == Some('\n'));
        c
    }

    fn parse(&mut self) -> Result<(), SgfError> {
        let mut depth = 0usize;
        // The first closing bracket ends the first variation; the others are skipped.
        let mut ended = true;
        while let Some(c) = self.next() {
            match c {
                '(' if depth == 0 => {
                    self.trees.push(Vec::new());
                    (depth, ended) = (1, false);
                }
                '(' => depth += 1,
                ')' if depth == 0 => return self.error("unmatched closing parenthesis"),
                ')' => (depth, ended) = (depth - 1, true),
                ';' if depth > 0 => {
                    if !ended {
                        self.trees
                            .last_mut()
                            .expect("a tree was opened")
                            .push(Vec::new());
                    }
                }
                c if c.is_whitespace() => {}
                c if c.is_ascii_alphabetic() && depth > 0 => {
                    let property = self.property(c)?;
                    match self.trees.last_mut().and_then(|tree| tree.last_mut()) {
                        Some(node) if !ended => node.push(property),
                        Some(_) => {}
                        None => return self.error("a property appears before the first node"),
                    }
                }
                _ => return self.error("not SGF: expected game trees such as (;GM[6]…)"),
            }
        }
        if self.trees.is_empty() || depth > 0 {
            self.error("unexpected end of file")
        } else {
            Ok(())
        }
    }

    fn property(&mut self, first: char) -> Result<Property, SgfError> {
        let line = self.line;
        let mut name = String::from(first);
        while let Some(c) = self.rest.next_if(char::is_ascii_alphabetic) {
            name.push(c);
        }
        // An older version of the format allows lowercase letters in between.
        name.retain(|c| c.is_ascii_uppercase());
        let mut values = Vec::new();
        loop {
            while self.rest.peek().is_some_and(|c| c.is_whitespace()) {
                self.next();
            }
            if self.rest.next_if_eq(&'[').is_none() {
                break;
            }
            values.push(self.value()?);
        }
        if values.is_empty() {
            self.error("a property has no value")
        } else {
            Ok(Property { line, name, values })
        }
    }

    fn value(&mut self) -> Result<String, SgfError> {
        let mut value = String::new();
        while let Some(c) = self.next() {
            match c {
                ']' => return Ok(value),
                '\\' => match self.next() {
                    // An escaped line break is ignored.
                    Some('\n') => {}
                    Some(c) => value.push(c),
                    None => break,
                },
                c => value.push(c),
            }
        }
        self.error("unterminated value")
    }
}
