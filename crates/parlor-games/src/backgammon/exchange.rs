//! Matches and games of backgammon in the formats of other programs.

use parlor_backgammon::transcript::{LogStep, SingleLogError, Transcript};
use parlor_backgammon::{Game, mat, sgf};
use parlor_core::{Position, Turn};

use super::options;
use crate::exchange::{Exchange, ExchangeError, Format, Story};

/// Jellyfish's match format, as read and written by GNU Backgammon.
pub(super) struct Mat;

impl Exchange for Mat {
    fn format(&self) -> Format {
        Format {
            name: "mat",
            title: "Jellyfish match",
            media: "text/plain",
            is_read: true,
        }
    }

    fn write(&self, story: &Story) -> Result<String, ExchangeError> {
        mat::write(&transcript(story)?).map_err(content)
    }

    fn read(&self, text: &str) -> Result<Vec<Story>, ExchangeError> {
        stories(&mat::read(text).map_err(content)?)
    }
}

/// Smart Game Format, as read and written by GNU Backgammon.
pub(super) struct Sgf;

impl Exchange for Sgf {
    fn format(&self) -> Format {
        Format {
            name: "sgf",
            title: "Smart Game Format",
            media: "application/x-go-sgf",
            is_read: true,
        }
    }

    fn write(&self, story: &Story) -> Result<String, ExchangeError> {
        sgf::write(&transcript(story)?).map_err(content)
    }

    fn read(&self, text: &str) -> Result<Vec<Story>, ExchangeError> {
        stories(&sgf::read(text).map_err(content)?)
    }
}

fn content(error: impl std::fmt::Display) -> ExchangeError {
    ExchangeError::Content(error.to_string())
}

fn transcript(story: &Story) -> Result<Transcript, ExchangeError> {
    let start = options::start(&story.options)?;
    let name = |seat: usize| {
        story
            .names
            .get(seat)
            .cloned()
            .unwrap_or_else(|| super::COLORS[seat].to_owned())
    };
    let log = log(start.clone(), &story.steps)?;
    Transcript::replay(start.rules(), [name(0), name(1)], &log).map_err(content)
}

/// Replays the steps to tell moves from chances.
fn log(mut game: Game, steps: &[String]) -> Result<Vec<LogStep>, ExchangeError> {
    use parlor_core::Notation;
    let mut log = Vec::new();
    for (n, text) in steps.iter().enumerate() {
        let at =
            |reason: &dyn std::fmt::Display| content(format!("step {}, {text}: {reason}", n + 1));
        if game.turn() == Turn::Chance {
            let chance = game.parse_chance(text).map_err(|reason| at(&reason))?;
            game.try_resolve(&chance).map_err(|reason| at(&reason))?;
            log.push(LogStep::Chance(text.clone()));
        } else {
            let m = game.parse_move(text).map_err(|reason| at(&reason))?;
            game.try_play(&m).map_err(|reason| at(&reason))?;
            log.push(LogStep::Move(text.clone()));
        }
    }
    Ok(log)
}

/// Returns a match as one story, or a session of single games as one story per game.
fn stories(transcript: &Transcript) -> Result<Vec<Story>, ExchangeError> {
    match transcript.log() {
        Ok(log) => Ok(vec![story(transcript, log)]),
        Err(SingleLogError::Empty) => Err(content(SingleLogError::Empty)),
        Err(apart) if transcript.rules().is_match() => Err(content(apart)),
        Err(_) => Ok(transcript
            .games()
            .iter()
            .map(|game| story(transcript, game.log()))
            .collect()),
    }
}

fn story(transcript: &Transcript, log: Vec<LogStep>) -> Story {
    let text = |logged: LogStep| match logged {
        LogStep::Chance(text) | LogStep::Move(text) => text,
    };
    Story {
        options: options::to_json(transcript.rules()),
        names: transcript.names.to_vec(),
        steps: log.into_iter().map(text).collect(),
    }
}
