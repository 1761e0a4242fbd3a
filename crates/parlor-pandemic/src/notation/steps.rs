//! Steps of the turn and chances: texts that mean the same in every position.

use std::fmt;
use std::str::FromStr;

use parlor_core::NotationError;

use super::words::Words;
use crate::moves::{Chance, TurnStep};

parlor_core::serde_by_text!(TurnStep, Chance);

impl fmt::Display for TurnStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TurnStep::Discard { card } => write!(f, "discard:{}", card.text()),
            TurnStep::Next { city } => write!(f, "next:{}", city.text()),
            TurnStep::Agree => f.write_str("agree"),
            TurnStep::Decline => f.write_str("decline"),
            TurnStep::Draw => f.write_str("draw"),
            TurnStep::Infect => f.write_str("infect"),
            TurnStep::InfectAll => f.write_str("infect:all"),
            TurnStep::Intensify => f.write_str("intensify"),
            TurnStep::Epidemic => f.write_str("epidemic"),
        }
    }
}

/// Parses a step such as `draw` or `discard:Sao-Paulo`.
///
/// ```
/// use parlor_pandemic::TurnStep;
/// assert_eq!("infect:all".parse(), Ok(TurnStep::InfectAll));
/// assert!("drive:Paris".parse::<TurnStep>().is_err(), "an action");
/// ```
impl FromStr for TurnStep {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<TurnStep, NotationError> {
        let (verb, words) = Words::split(text);
        words.step(&verb)?.ok_or_else(|| {
            words.not("a step of a turn of Pandemic, such as draw, infect or discard:Paris")
        })
    }
}

impl Words<'_> {
    /// Parses the arguments of a step; `None` if the verb is not that of a step.
    pub(super) fn step(&self, verb: &str) -> Result<Option<TurnStep>, NotationError> {
        let step = match verb {
            "discard" => TurnStep::Discard {
                card: self.only(1, self.card(0))?,
            },
            "next" => TurnStep::Next {
                city: self.only(1, self.city(0))?,
            },
            "infect" if self.len() == 1 && self.begin_with("all") => TurnStep::InfectAll,
            "agree" => self.only(0, Ok(TurnStep::Agree))?,
            "decline" => self.only(0, Ok(TurnStep::Decline))?,
            "draw" => self.only(0, Ok(TurnStep::Draw))?,
            "infect" => self.only(0, Ok(TurnStep::Infect))?,
            "intensify" => self.only(0, Ok(TurnStep::Intensify))?,
            "epidemic" => self.only(0, Ok(TurnStep::Epidemic))?,
            _ => return Ok(None),
        };
        Ok(Some(step))
    }
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Chance::Infect(city) => write!(f, "infect:{}", city.text()),
            Chance::Bottom(city) => write!(f, "bottom:{}", city.text()),
            Chance::Look(city) => write!(f, "look:{}", city.text()),
            Chance::Role(role) => write!(f, "role:{}", role.text()),
            Chance::Deal(card) => write!(f, "deal:{}", card.text()),
            Chance::Draw(card) => write!(f, "draw:{}", card.text()),
            Chance::Epidemic => f.write_str("draw:Epidemic"),
        }
    }
}

/// Parses a chance such as `infect:Paris` or `role:Medic`.
///
/// ```
/// use parlor_pandemic::Chance;
/// assert_eq!("draw:Epidemic".parse(), Ok(Chance::Epidemic));
/// ```
impl FromStr for Chance {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Chance, NotationError> {
        let (verb, words) = Words::split(text);
        let chance = match verb.as_str() {
            "infect" => Chance::Infect(words.city(0)?),
            "bottom" => Chance::Bottom(words.city(0)?),
            "look" => Chance::Look(words.city(0)?),
            "role" => Chance::Role(words.role(0)?),
            "deal" => Chance::Deal(words.card(0)?),
            "draw" if words.begin_with("epidemic") => Chance::Epidemic,
            "draw" => Chance::Draw(words.card(0)?),
            _ => {
                return Err(words.not(
                    "a chance of Pandemic, such as infect:Paris, draw:Cairo or draw:Epidemic",
                ));
            }
        };
        words.only(1, Ok(chance))
    }
}
