//! A game as it is kept and passed on.

use parlor_core::{Seat, Turn};
use parlor_games::{GameKind, Story};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Ending, How, Table, TableId, Timestamp};

/// A whole game, complete enough to be played again and verified by anyone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Always [`Record::FORMAT`].
    pub format: String,
    /// The table's id.
    pub table: String,
    /// The game's name.
    pub game: String,
    /// The game's options.
    pub options: Value,
    /// Who sat where.
    pub players: Vec<RecordedPlayer>,
    /// The luck of the table; nothing in games without luck.
    pub luck: Option<RecordedLuck>,
    /// Everything that was played and drawn, in order.
    pub log: Vec<Step>,
    /// How it ended; nothing while it is going on.
    pub ending: Option<Ending>,
    /// The last position, as text.
    pub position: String,
}

/// A player in a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedPlayer {
    /// The seat's number.
    pub seat: u8,
    /// `open`, `human` or `bot`.
    pub kind: String,
    /// The name.
    pub name: Option<String>,
}

/// The luck of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedLuck {
    /// SHA-256 of the secret, published at the table's creation; nothing where luck was typed in by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// Whether the players brought their own luck and typed in what it did, so that nobody can verify it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_hand: bool,
    /// The seats' texts.
    pub texts: Vec<String>,
    /// The secret in hexadecimal; nothing while the game is going on.
    pub secret: Option<String>,
}

/// One step of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Step {
    /// A move.
    Move {
        /// Who moved.
        seat: u8,
        /// The move's text.
        #[serde(rename = "move")]
        text: String,
        /// When.
        at: Timestamp,
    },
    /// A draw of luck.
    Chance {
        /// Number of the draw, from 0.
        n: u32,
        /// What came up.
        chance: String,
        /// When.
        at: Timestamp,
    },
}

impl Step {
    /// Whose move it is; nothing for draws of luck.
    pub(crate) fn mover(&self) -> Option<Seat> {
        match self {
            Step::Move { seat, .. } => Seat::new(*seat).ok(),
            Step::Chance { .. } => None,
        }
    }
}

impl Record {
    /// The name of the format.
    pub const FORMAT: &str = "parlor-record/1";
}

impl Record {
    /// The game as it is told to other programs.
    pub fn story(&self) -> Story {
        let text = |step: &Step| match step {
            Step::Move { text, .. } => text.clone(),
            Step::Chance { chance, .. } => chance.clone(),
        };
        let mut names: Vec<String> = self
            .players
            .iter()
            .map(|player| player.name.clone().unwrap_or_default())
            .collect();
        names
            .iter_mut()
            .enumerate()
            .filter(|(_, name)| name.is_empty())
            .for_each(|(n, name)| *name = format!("Player {}", n + 1));
        Story {
            options: self.options.clone(),
            names,
            steps: self.log.iter().map(text).collect(),
        }
    }

    /// A record of a game that was played elsewhere and is told by another program. Its luck was nobody's here, so that it counts as
    /// typed in by hand.
    ///
    /// # Errors
    /// The step that cannot be, and why.
    pub fn told(
        kind: GameKind,
        table: TableId,
        at: Timestamp,
        story: &Story,
    ) -> Result<Record, String> {
        let mut position = story.start(kind).map_err(|error| error.to_string())?;
        let mut log = Vec::new();
        let mut drawn = 0;
        for (n, text) in story.steps.iter().enumerate() {
            let wrong =
                |reason: &dyn std::fmt::Display| format!("step {}, {text}: {reason}", n + 1);
            match position.turn() {
                Turn::Chance => {
                    let chance = position
                        .canonical_chance(text)
                        .map_err(|reason| wrong(&reason))?;
                    position.resolve(&chance).map_err(|reason| wrong(&reason))?;
                    log.push(Step::Chance {
                        n: drawn,
                        chance,
                        at,
                    });
                    drawn += 1;
                }
                turn => {
                    let seat = position
                        .seat_of(text)
                        .or(turn.seat())
                        .unwrap_or(Seat::FIRST);
                    let text = position.play(text, seat).map_err(|reason| wrong(&reason))?;
                    log.push(Step::Move {
                        seat: seat.number(),
                        text,
                        at,
                    });
                }
            }
        }
        let outcome = match position.turn() {
            Turn::Over(outcome) => Some(outcome.into()),
            Turn::Move(_) | Turn::Chance => None,
        };
        let players = story
            .names
            .iter()
            .zip(0..)
            .map(|(name, seat)| RecordedPlayer {
                seat,
                kind: "human".to_owned(),
                name: Some(name.clone()),
            });
        let by_hand = RecordedLuck {
            commitment: None,
            by_hand: true,
            texts: vec![String::new(); story.names.len()],
            secret: None,
        };
        Ok(Record {
            format: Record::FORMAT.to_owned(),
            table: table.to_string(),
            game: kind.name().to_owned(),
            options: position.options(),
            players: players.collect(),
            luck: kind.has_luck().then_some(by_hand),
            log,
            ending: outcome.map(|outcome| Ending {
                how: How::Rules,
                outcome: Some(outcome),
            }),
            position: position.text(),
        })
    }
}

impl Table {
    /// The game so far as a record. Moves that were taken back are not in it.
    pub fn record(&self) -> Record {
        let players = self.seat_views().into_iter();
        Record {
            format: Record::FORMAT.to_owned(),
            table: self.id.to_string(),
            game: self.kind.name().to_owned(),
            options: self.options.clone(),
            players: players
                .map(|seat| RecordedPlayer {
                    seat: seat.seat,
                    kind: seat.kind.to_owned(),
                    name: seat.name,
                })
                .collect(),
            luck: self.luck.as_ref().map(|luck| RecordedLuck {
                commitment: luck.commitment.clone(),
                by_hand: luck.commitment.is_none(),
                texts: luck.texts.clone(),
                secret: luck
                    .secret
                    .as_ref()
                    .filter(|_| luck.revealed)
                    .map(crate::Secret::to_hex),
            }),
            log: self.steps.clone(),
            ending: self.ending,
            position: self.position.text(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_move_out_of_turn_is_told_as_that_of_whoever_made_it() {
        let dealt = "infect:Paris infect:Cairo infect:Tokyo infect:London infect:Lima infect:Delhi infect:Essen \
             infect:Osaka infect:Miami deal:Atlanta deal:Airlift deal:Chicago deal:Lagos deal:Jakarta deal:Forecast \
             deal:Seoul deal:Lima";
        let steps = dealt
            .split_whitespace()
            .chain(["airlift:Scientist:Tokyo", "treat:red"]);
        let story = Story {
            options: json!({ "roles": ["Medic", "Scientist"], "consent": "implied" }),
            names: vec!["Ann".to_owned(), "Bob".to_owned()],
            steps: steps.map(str::to_owned).collect(),
        };
        let id = TableId::new(7).expect("an id");
        let record = Record::told(GameKind::Pandemic, id, Timestamp::from_millis(0), &story)
            .expect("a game");
        let movers: Vec<u8> = record
            .log
            .iter()
            .filter_map(Step::mover)
            .map(Seat::number)
            .collect();
        assert_eq!(movers, [0, 1], "the Medic's event in the Scientist's turn");
        assert!(crate::verify::verify(&record).holds());
    }
}
