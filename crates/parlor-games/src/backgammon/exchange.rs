//! Matches and games of backgammon in the formats of other programs.

use parlor_backgammon::transcript::{Logged, NoLog, Transcript};
use parlor_backgammon::{Game, mat, sgf};
use parlor_core::{Position, Turn};

use super::options;
use crate::exchange::{ExchangeError, Format, Story};

/// Both are what GNU Backgammon reads and writes.
pub(crate) const FORMATS: [Format; 2] = [
    Format {
        name: "mat",
        title: "Jellyfish match",
        media: "text/plain",
        is_read: true,
    },
    Format {
        name: "sgf",
        title: "Smart Game Format",
        media: "application/x-go-sgf",
        is_read: true,
    },
];

fn content(error: impl std::fmt::Display) -> ExchangeError {
    ExchangeError::Content(error.to_string())
}

pub(crate) fn write(format: &str, story: &Story) -> Result<String, ExchangeError> {
    let start = options::start(&story.options)?;
    let name = |seat: usize| {
        story
            .names
            .get(seat)
            .cloned()
            .unwrap_or_else(|| super::COLORS[seat].to_owned())
    };
    let log = log(start.clone(), &story.steps)?;
    let transcript =
        Transcript::replay(start.rules(), [name(0), name(1)], &log).map_err(content)?;
    match format {
        "sgf" => sgf::write(&transcript).map_err(content),
        _ => mat::write(&transcript).map_err(content),
    }
}

/// Which of the texts are moves and which are chances is seen by playing them.
fn log(mut game: Game, steps: &[String]) -> Result<Vec<Logged>, ExchangeError> {
    use parlor_core::Notation;
    let mut log = Vec::new();
    for (n, text) in steps.iter().enumerate() {
        let at =
            |reason: &dyn std::fmt::Display| content(format!("step {}, {text}: {reason}", n + 1));
        if game.turn() == Turn::Chance {
            let chance = game.parse_chance(text).map_err(|reason| at(&reason))?;
            game.try_resolve(&chance).map_err(|reason| at(&reason))?;
            log.push(Logged::Chance(text.clone()));
        } else {
            let m = game.parse_move(text).map_err(|reason| at(&reason))?;
            game.try_play(&m).map_err(|reason| at(&reason))?;
            log.push(Logged::Move(text.clone()));
        }
    }
    Ok(log)
}

pub(crate) fn read(format: &str, text: &str) -> Result<Vec<Story>, ExchangeError> {
    let transcript = match format {
        "sgf" => sgf::read(text).map_err(content)?,
        _ => mat::read(text).map_err(content)?,
    };
    match transcript.log() {
        Ok(log) => Ok(vec![story(&transcript, log)]),
        Err(NoLog::Empty) => Err(content(NoLog::Empty)),
        Err(apart) if transcript.rules().is_match() => Err(content(apart)),
        Err(_) => Ok(transcript
            .games()
            .iter()
            .map(|game| story(&transcript, game.log()))
            .collect()),
    }
}

fn story(transcript: &Transcript, log: Vec<Logged>) -> Story {
    let text = |logged: Logged| match logged {
        Logged::Chance(text) | Logged::Move(text) => text,
    };
    Story {
        options: options::of(transcript.rules()),
        names: transcript.names.to_vec(),
        steps: log.into_iter().map(text).collect(),
    }
}
