//! Writing.

use std::fmt::Write;

use super::Unwritable;
use crate::transcript::{Act, GameRecord, Transcript};
use crate::{BLACK, Board, Cube, Phase, Play, Rules, Start, WHITE};

/// Writes a transcript. Offers to resign that were refused get lost.
///
/// # Errors
/// When the format cannot say it.
pub fn write(transcript: &Transcript) -> Result<String, Unwritable> {
    if transcript.games().is_empty() {
        return Err(Unwritable::Empty);
    }
    if transcript.rules().start == Start::Printed {
        return Err(Unwritable::OtherStart);
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
        if !game.is_whole() {
            return Err(Unwritable::InTheMiddle { game: n + 1 });
        }
        let [white, black] = game.score();
        let left = format!("{} : {white}", names[0]);
        let _ = writeln!(text, " Game {}\n {left:<30} {} : {black}", n + 1, names[1]);
        Column {
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

/// What the format itself does not say.
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
    let limit = if rules.cube { 1u16 << Cube::MOST } else { 1 };
    tag(text, "CubeLimit", &limit.to_string());
}

/// A name without what would be read as something else.
fn plain(name: &str, nobody: &str) -> String {
    let name: String = name
        .chars()
        .map(|c| if c == ':' || c.is_control() { '_' } else { c })
        .collect();
    // A line that begins so is a comment.
    let name = name.trim().trim_start_matches([';', '#']);
    let words: Vec<&str> = name.split_whitespace().collect();
    if words.is_empty() {
        nobody.to_owned()
    } else {
        words.join(" ")
    }
}

/// Fills the columns of a game in turn.
struct Column<'a> {
    text: &'a mut String,
    /// How many entries there are; even ones are white's.
    at: usize,
}

impl Column<'_> {
    fn game(mut self, game: &GameRecord) {
        // A roll whose play came later, after a refused offer, is told with the play.
        let plays = game
            .actions()
            .iter()
            .filter(|action| matches!(action.act, Act::Play { .. }))
            .count();
        let mut played = 0;
        game.each(|now, action| {
            if self.at == 0 && action.seat == BLACK {
                self.entry("");
            }
            let cube = now.cube().value();
            match action.act {
                Act::Play { roll, play } => {
                    played += 1;
                    self.entry(&format!("{roll}: {}", steps(&now.board(), &play)));
                }
                Act::Roll(roll) if played == plays => self.entry(&format!("{roll}:")),
                Act::Double => self.entry(&format!(" Doubles => {}", 2 * cube)),
                Act::Beaver => self.entry(&format!(" Beavers => {}", 4 * cube)),
                // Nobody writes that a beaver is taken: whoever rolls has taken it.
                Act::Take if now.phase() == Phase::Beavered => {}
                Act::Take => self.entry(" Takes"),
                Act::Drop => self.entry(" Drops"),
                Act::Roll(_) | Act::Resign(_) | Act::Accept | Act::Refuse => {}
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

    /// Who has won how much, in the winner's column.
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

/// The steps one by one, the rearmost first, the bar being 25 and off 0.
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
