//! Writing of `.mat` files.

use std::fmt::Write;

use super::TranscriptWriteError;
use crate::transcript::{ActionKind, GameRecord, Transcript};
use crate::{BLACK, Board, Cube, Phase, Play, Rules, StartLayout, WHITE};

/// Writes a transcript. Refused resignations are lost.
///
/// # Errors
/// Returns an error if the format cannot express the transcript.
pub fn write(transcript: &Transcript) -> Result<String, TranscriptWriteError> {
    if transcript.games().is_empty() {
        return Err(TranscriptWriteError::Empty);
    }
    if transcript.rules().start == StartLayout::Printed {
        return Err(TranscriptWriteError::OtherStart);
    }
    let mut text = String::new();
    for (name, value) in &transcript.tags {
        tag(&mut text, name, value);
    }
    rules(&mut text, transcript.rules());
    let _ = writeln!(text, "\n {} point match\n", transcript.rules().length);
    let names = [
        plain(&transcript.names[0], "White"),
        plain(&transcript.names[1], "Black"),
    ];
    for (n, game) in transcript.games().iter().enumerate() {
        if !game.starts_at_opening() {
            return Err(TranscriptWriteError::InTheMiddle { game: n + 1 });
        }
        let [white, black] = game.score();
        let left = format!("{} : {white}", names[0]);
        let _ = writeln!(text, " Game {}\n {left:<30} {} : {black}", n + 1, names[1]);
        ColumnWriter {
            text: &mut text,
            at: 0,
        }
        .game(game);
    }
    Ok(text)
}

fn tag(text: &mut String, name: &str, value: &str) {
    let name: String = name.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    let value: String = value
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let _ = writeln!(text, "; [{name} \"{}\"]", value.replace('"', "'").trim());
}

/// Writes the rules that the format itself does not express.
fn rules(text: &mut String, rules: Rules) {
    let on = |on| if on { "On" } else { "Off" };
    match rules.length {
        0 if rules.cube => {
            tag(text, "Jacoby", on(rules.jacoby));
            tag(text, "Beaver", on(rules.beavers));
        }
        0 => {}
        _ => tag(text, "Crawford", on(rules.crawford)),
    }
    let limit = if rules.cube {
        1u16 << Cube::MAX_TURNS
    } else {
        1
    };
    tag(text, "CubeLimit", &limit.to_string());
}

/// Returns a name without characters that have a meaning in the format.
fn plain(name: &str, nobody: &str) -> String {
    let name: String = name
        .chars()
        .map(|c| if c == ':' || c.is_control() { '_' } else { c })
        .collect();
    // A line that starts like this is a comment.
    let name = name.trim().trim_start_matches([';', '#']);
    let words: Vec<&str> = name.split_whitespace().collect();
    if words.is_empty() {
        nobody.to_owned()
    } else {
        words.join(" ")
    }
}

/// Writes the entries of a game into alternating columns.
struct ColumnWriter<'a> {
    text: &'a mut String,
    /// Number of entries so far; even ones are white's.
    at: usize,
}

impl ColumnWriter<'_> {
    fn game(mut self, game: &GameRecord) {
        // A roll whose play came later, after a refused resignation, is written with the play.
        let plays = game
            .actions()
            .iter()
            .filter(|action| matches!(action.kind, ActionKind::Play { .. }))
            .count();
        let mut played = 0;
        game.for_each_action(|now, action| {
            // A refusal is not written, so it does not take white's first column away.
            if self.at == 0 && action.seat == BLACK && action.kind != ActionKind::Refuse {
                self.entry("");
            }
            let cube = now.cube().value();
            match action.kind {
                ActionKind::Play { roll, play } => {
                    played += 1;
                    self.entry(&format!("{roll}: {}", steps(&now.board(), &play)));
                }
                ActionKind::Roll(roll) if played == plays => self.entry(&format!("{roll}:")),
                ActionKind::Double => self.entry(&format!(" Doubles => {}", 2 * cube)),
                ActionKind::Beaver => self.entry(&format!(" Beavers => {}", 4 * cube)),
                // Taking a beaver is not written: rolling implies it.
                ActionKind::Take if now.phase() == Phase::Beavered => {}
                ActionKind::Take => self.entry(" Takes"),
                ActionKind::Drop => self.entry(" Drops"),
                ActionKind::Roll(_)
                | ActionKind::Resign(_)
                | ActionKind::Accept
                | ActionKind::Refuse => {}
            }
        });
        self.end(game);
    }

    fn entry(&mut self, entry: &str) {
        if self.at.is_multiple_of(2) {
            let _ = write!(self.text, "{:3}) {entry:<27} ", self.at / 2 + 1);
        } else {
            let _ = writeln!(self.text, "{}", entry.trim_end());
        }
        self.at += 1;
    }

    /// Writes the result, in the winner's column.
    fn end(self, game: &GameRecord) {
        if let Some(result) = game.result() {
            let points = format!(
                "Wins {} point{}",
                result.points,
                if result.points == 1 { "" } else { "s" }
            );
            let left_is_written = !self.at.is_multiple_of(2);
            let _ = match (result.by == WHITE, left_is_written) {
                (true, true) => writeln!(self.text, "\n      {points}"),
                (true, false) => writeln!(self.text, "      {points}"),
                (false, true) => writeln!(self.text, " {points}"),
                (false, false) => writeln!(self.text, "{:34}{points}", ""),
            };
        } else if !self.at.is_multiple_of(2) {
            self.text.push('\n');
        }
        self.text.push('\n');
    }
}

/// Returns the single steps, rearmost first, with the bar as 25 and off as 0.
fn steps(board: &Board, play: &Play) -> String {
    let mut now = *board;
    let mut words = Vec::new();
    let mut steps = play.steps().to_vec();
    steps.sort_by_key(|step| std::cmp::Reverse(step.from));
    for step in &steps {
        let star = if now.is_blot(step.to) { "*" } else { "" };
        words.push(format!("{}/{}{star}", step.from, step.to));
        now = now.stepped(*step);
    }
    words.join(" ")
}
