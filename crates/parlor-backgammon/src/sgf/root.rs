//! Root nodes of games: players, match and rules.

use super::tree::{Node, Property};
use super::write::TAGS;
use super::{SgfError, SgfErrorKind};
use crate::Rules;

/// Contents of a game's root node.
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
    pub(super) fn parse(nodes: &[Node]) -> Result<Root, SgfError> {
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
            kind: SgfErrorKind::Syntax("a game tree has no nodes"),
        })?;
        for property in first {
            root.line = property.line;
            root.property(property)?;
        }
        Ok(root)
    }

    pub(super) fn error(&self, kind: SgfErrorKind) -> SgfError {
        SgfError {
            line: self.line,
            kind,
        }
    }

    fn property(&mut self, property: &Property) -> Result<(), SgfError> {
        let value = &property.values[0];
        let text = || value.split_whitespace().collect::<Vec<_>>().join(" ");
        match property.name.as_str() {
            "GM" if value.trim() != "6" => {
                return Err(self.error(SgfErrorKind::OtherGame(value.clone())));
            }
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
                return Err(self.error(SgfErrorKind::Unknown(
                    "a cube that was turned before the game",
                )));
            }
            "AE" | "AW" | "AB" => {
                return Err(
                    self.error(SgfErrorKind::Unknown("a position set up in the first node"))
                );
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
            let bad = SgfErrorKind::Value {
                property: "MI",
                value: value.chars().take(40).collect(),
            };
            number.trim().parse().map_err(|_| self.error(bad))
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
        let length = length.ok_or(self.error(SgfErrorKind::Length {
            length: self.length,
        }))?;
        if self
            .rules
            .iter()
            .any(|rule| rule == "Nackgammon" || rule.starts_with("Hypergammon"))
        {
            return Err(self.error(SgfErrorKind::Unknown("another kind of backgammon")));
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
