//! Records: complete games in a form that can be stored and exchanged.

use parlor_core::{NotationError, Seat, Turn};
use parlor_games::{AnyPosition, GameKind, OptionsError, PlayError, Story};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{EndReason, Ending, MoveLag, Table, TableId, TimeControl, Timestamp};

/// Complete game that anyone can replay and verify.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Name of the format, always [`Record::FORMAT`].
    pub format: String,
    /// Id of the table.
    pub table: String,
    /// Name of the game.
    pub game: String,
    /// Options of the game.
    pub options: Value,
    /// Players by seat.
    pub players: Vec<RecordedPlayer>,
    /// Luck of the table; `None` in games without luck.
    pub luck: Option<RecordedLuck>,
    /// All moves and chances in order.
    pub log: Vec<RecordStep>,
    /// Changes of the players during the game, in order. Records from before this was kept have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub handovers: Vec<RecordedHandover>,
    /// Time control of the table, kept with `handovers`, for which time can be the reason, and with delays
    /// of moves, for which it allows; `None` without clocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// Ending; `None` while the game is in progress.
    pub ending: Option<Ending>,
    /// Final position as text.
    pub position: String,
}

/// Player in a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedPlayer {
    /// Number of the seat.
    pub seat: u8,
    /// `open`, `human` or `bot`.
    pub kind: String,
    /// Display name.
    pub name: Option<String>,
    /// Name of the person who left and for whom this bot played to the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stands_in_for: Option<String>,
    /// Name of the member to whom this bot belongs; `None` for people and the house's own bots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}

/// Change of who plays a seat: the person to whom it belongs, or a bot that stands in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedHandover {
    /// Number of moves and chances before it.
    pub step: usize,
    /// Number of the seat.
    pub seat: u8,
    /// Time of the change, in milliseconds since the Unix epoch.
    pub at: Timestamp,
    /// Reason for it.
    pub why: HandoverReason,
    /// Name of the person.
    pub name: String,
    /// Spec of the bot that plays from then on; `None` if the person does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
}

/// Reason why a seat changes its player during a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HandoverReason {
    /// The person resigned.
    Resigned,
    /// The others claimed a bot for the person, who was away.
    Away,
    /// The seat ran out of time.
    Time,
    /// The others chose another bot.
    Chosen,
    /// The person came back.
    Returned,
}

/// Luck in a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedLuck {
    /// SHA-256 of the secret, published when the table was created; `None` if luck was entered by
    /// hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// True if the players brought their own luck and entered its results by hand, so that it
    /// cannot be verified.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_hand: bool,
    /// Texts that the seats mixed in.
    pub texts: Vec<String>,
    /// Secret in hexadecimal; `None` while the game is in progress.
    pub secret: Option<String>,
}

/// Move or chance in a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected a step: an object with `seat`, `move` and `at`, or with `n`, `chance` and `at`"
)]
pub enum RecordStep {
    /// A move.
    Move {
        /// Number of the seat that moved.
        seat: u8,
        /// Text of the move.
        #[serde(rename = "move")]
        text: String,
        /// Time of the step, in milliseconds since the Unix epoch.
        at: Timestamp,
        /// Delay of the network, and what was allowed for it; `None` if none was measured, and at tables
        /// without an allowance.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lag: Option<MoveLag>,
    },
    /// A chance.
    Chance {
        /// Index of the draw, from 0.
        n: u32,
        /// Text of the chance that came up.
        chance: String,
        /// Time of the step, in milliseconds since the Unix epoch.
        at: Timestamp,
    },
}

impl RecordStep {
    /// Returns the seat that moved; `None` for a chance.
    pub(crate) fn mover(&self) -> Option<Seat> {
        match self {
            RecordStep::Move { seat, .. } => Seat::new(*seat).ok(),
            RecordStep::Chance { .. } => None,
        }
    }

    /// Returns the delay of a move, if it was measured.
    pub(crate) fn lag(&self) -> Option<MoveLag> {
        match self {
            RecordStep::Move { lag, .. } => *lag,
            RecordStep::Chance { .. } => None,
        }
    }

    /// Returns the time of the step.
    pub(crate) fn at(&self) -> Timestamp {
        match self {
            RecordStep::Move { at, .. } | RecordStep::Chance { at, .. } => *at,
        }
    }
}

/// Error while turning a game from another format into a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoryError {
    /// The options are invalid.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A step is not playable.
    #[error("step {step}, {text}: {reason}")]
    Step {
        /// Number of the step, from 1.
        step: usize,
        /// Text of the step.
        text: String,
        /// Reason why it is not playable.
        reason: StepError,
    },
}

/// Reason why a step of a game is not playable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// The text is not a chance of the game.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The move or chance is not possible in the position.
    #[error(transparent)]
    Play(#[from] PlayError),
}

impl Record {
    /// Name of the record format.
    pub const FORMAT: &str = "parlor-record/1";
}

impl Record {
    /// Converts the record to a [`Story`] for export to other formats.
    pub fn to_story(&self) -> Story {
        let text = |step: &RecordStep| match step {
            RecordStep::Move { text, .. } => text.clone(),
            RecordStep::Chance { chance, .. } => chance.clone(),
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

    /// Creates a record of a game that was played elsewhere and imported from another format. Its
    /// luck cannot be verified, so it counts as entered by hand.
    ///
    /// # Errors
    /// [`StoryError`] if the options are invalid, or for the first illegal step.
    pub fn from_story(
        kind: GameKind,
        table: TableId,
        at: Timestamp,
        story: &Story,
    ) -> Result<Record, StoryError> {
        let mut position = story.start(kind)?;
        let mut log = Vec::new();
        let mut drawn = 0;
        for (n, text) in story.steps.iter().enumerate() {
            let step =
                play_step(&mut position, text, drawn, at).map_err(|reason| StoryError::Step {
                    step: n + 1,
                    text: text.clone(),
                    reason,
                })?;
            drawn += u32::from(matches!(step, RecordStep::Chance { .. }));
            log.push(step);
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
                stands_in_for: None,
                owner: None,
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
            handovers: Vec::new(),
            clock: None,
            ending: outcome.map(|outcome| Ending {
                how: EndReason::Rules,
                outcome: Some(outcome),
            }),
            position: position.text(),
        })
    }
}

/// Plays a step of an imported game: a draw if luck is next, otherwise a move. `drawn` is the
/// number of draws before it.
fn play_step(
    position: &mut AnyPosition,
    text: &str,
    drawn: u32,
    at: Timestamp,
) -> Result<RecordStep, StepError> {
    match position.turn() {
        Turn::Chance => {
            let chance = position.canonical_chance(text)?;
            position.resolve(&chance)?;
            Ok(RecordStep::Chance {
                n: drawn,
                chance,
                at,
            })
        }
        turn => {
            let seat = position
                .seat_of(text)
                .or(turn.seat())
                .unwrap_or(Seat::FIRST);
            let text = position.play(text, seat)?;
            Ok(RecordStep::Move {
                seat: seat.number(),
                text,
                at,
                lag: None,
            })
        }
    }
}

impl Table {
    /// Returns the game so far as a record, without moves that were taken back.
    pub fn record(&self) -> Record {
        let players = self.seat_views().into_iter();
        let is_checked =
            !self.handovers.is_empty() || self.steps.iter().any(|step| step.lag().is_some());
        let clock = self.clock.as_ref().filter(|_| is_checked);
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
                    stands_in_for: seat.stands_in_for,
                    owner: seat.owner,
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
            handovers: self.handovers.clone(),
            clock: clock.map(|clock| clock.control()),
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
    fn an_imported_move_out_of_turn_belongs_to_the_seat_that_made_it() {
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
        let record = Record::from_story(
            parlor_games::pandemic::KIND,
            id,
            Timestamp::from_millis(0),
            &story,
        )
        .expect("a game");
        let movers: Vec<u8> = record
            .log
            .iter()
            .filter_map(RecordStep::mover)
            .map(Seat::number)
            .collect();
        assert_eq!(movers, [0, 1], "the Medic's event in the Scientist's turn");
        assert!(crate::verify::verify(&record).is_valid());
    }

    #[test]
    fn an_impossible_step_is_named_by_its_number_from_1() {
        let story = Story {
            options: json!({}),
            names: vec!["Ann".to_owned(), "Bob".to_owned()],
            steps: ["0,0", "1,1", "0,0", "2,2"].map(str::to_owned).to_vec(),
        };
        let id = TableId::new(7).expect("an id");
        let at = Timestamp::from_millis(0);
        let error = Record::from_story(parlor_games::mnk::KIND, id, at, &story)
            .expect_err("the cell is taken");
        let StoryError::Step { step, text, .. } = error else {
            panic!("{error}");
        };
        assert_eq!((step, &*text), (3, "0,0"));
    }
}
