//! The first node of a game: who played, what about, by which rules.

use super::tree::{Node, Property};
use super::write::TAGS;
use super::{SgfError, Wrong};
use crate::Rules;

/// What the first node of a game says.
pub(super) struct Root {
    pub(super) line: usize,
    length: u32,
    pub(super) score: [u32; 2],
    pub(super) names: [String; 2],
    rules: Vec<String>,
    pub(super) result: Option<(usize, String)>,
    pub(super) tags: Vec<(&'static str, String)>,
}

impl Root {
    pub(super) fn take(nodes: &[Node]) -> Result<Root, SgfError> {
        let names = [String::new(), String::new()];
        let mut root = Root {
            line: 1,
            length: 0,
            score: [0; 2],
            names,
            rules: Vec::new(),
            result: None,
            tags: Vec::new(),
        };
        let first = nodes.first().ok_or(SgfError {
            line: 1,
            what: Wrong::Syntax("a tree without nodes is no game"),
        })?;
        for property in first {
            root.line = property.line;
            root.property(property)?;
        }
        Ok(root)
    }

    pub(super) fn wrong(&self, what: Wrong) -> SgfError {
        SgfError {
            line: self.line,
            what,
        }
    }

    fn property(&mut self, property: &Property) -> Result<(), SgfError> {
        let value = &property.values[0];
        let text = || value.split_whitespace().collect::<Vec<_>>().join(" ");
        match property.name.as_str() {
            "GM" if value.trim() != "6" => return Err(self.wrong(Wrong::OtherGame(value.clone()))),
            "MI" => property
                .values
                .iter()
                .try_for_each(|value| self.match_info(value))?,
            "PW" => self.names[0] = text(),
            "PB" => self.names[1] = text(),
            "RU" => {
                self.rules = value
                    .split(':')
                    .map(|word| word.trim().to_owned())
                    .collect()
            }
            "RE" => self.result = Some((property.line, value.trim().to_owned())),
            "CV" if value.trim() != "1" => {
                return Err(self.wrong(Wrong::Unknown("a cube that was turned before the game")));
            }
            "AE" | "AW" | "AB" => {
                return Err(self.wrong(Wrong::Unknown("a position set up in the first node")));
            }
            name => {
                if let Some((_, tag)) = TAGS.iter().find(|(known, _)| *known == name) {
                    let value = if *tag == "EventDate" {
                        value.replace('-', ".")
                    } else {
                        text()
                    };
                    self.tags.push((tag, value));
                }
            }
        }
        Ok(())
    }

    fn match_info(&mut self, value: &str) -> Result<(), SgfError> {
        let Some((name, number)) = value.split_once(':') else {
            return Ok(());
        };
        let number = || {
            let bad = Wrong::Value {
                property: "MI",
                value: value.chars().take(40).collect(),
            };
            number.trim().parse().map_err(|_| self.wrong(bad))
        };
        match name.trim() {
            "length" => self.length = number()?,
            "ws" => self.score[0] = number()?,
            "bs" => self.score[1] = number()?,
            _ => {}
        }
        Ok(())
    }

    pub(super) fn has_rule(&self, word: &str) -> bool {
        self.rules.iter().any(|rule| rule == word)
    }

    pub(super) fn rules(&self) -> Result<Rules, SgfError> {
        let length = u8::try_from(self.length)
            .ok()
            .filter(|length| *length <= Rules::MAX_LENGTH);
        let length = length.ok_or(self.wrong(Wrong::Length {
            length: self.length,
        }))?;
        if self
            .rules
            .iter()
            .any(|rule| rule == "Nackgammon" || rule.starts_with("Hypergammon"))
        {
            return Err(self.wrong(Wrong::Unknown("another kind of backgammon")));
        }
        let rules = Rules {
            length,
            cube: !self.has_rule("NoCube"),
            crawford: self.has_rule("Crawford"),
            jacoby: self.has_rule("Jacoby"),
            beavers: self.has_rule("Beavers"),
            ..Rules::GAME
        };
        Ok(rules)
    }
}
