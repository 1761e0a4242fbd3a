//! Writing of SGF files.

use std::fmt::Write;

use parlor_core::Seat;

use super::{TranscriptWriteError, letter};
use crate::transcript::{ActionKind, GameRecord, Transcript};
use crate::{BLACK, Crawford, Dice, Phase, Play, Roll, StartLayout, WHITE};

/// Properties and their tag names in a transcript.
pub(super) const TAGS: [(&str, &str); 5] = [
    ("DT", "EventDate"),
    ("EV", "Event"),
    ("RO", "Round"),
    ("PC", "Site"),
    ("AN", "Transcriber"),
];

/// Writes a transcript. Refused resignations are lost, and so are tags other than `Event`,
/// `EventDate`, `Round`, `Site` and `Transcriber`.
///
/// # Errors
/// Returns an error if the format cannot express the transcript.
pub fn write(transcript: &Transcript) -> Result<String, TranscriptWriteError> {
    if transcript.games().is_empty() {
        return Err(TranscriptWriteError::Empty);
    }
    let mut text = String::new();
    for (n, game) in transcript.games().iter().enumerate() {
        root(&mut text, transcript, n, game);
        if !game.starts_at_opening() {
            set_up(&mut text, game).ok_or(TranscriptWriteError::InTheMiddle { game: n + 1 })?;
        } else if transcript.rules().start == StartLayout::Printed {
            return Err(TranscriptWriteError::OtherStart);
        }
        actions(&mut text, game);
        text.push_str(")\n");
    }
    Ok(text)
}

fn root(text: &mut String, transcript: &Transcript, n: usize, game: &GameRecord) {
    let [white, black] = game.score();
    let _ = write!(
        text,
        "(;FF[4]GM[6]CA[UTF-8]AP[Parlor:{}]MI[length:{}][game:{n}][ws:{white}][bs:{black}]PW[{}]PB[{}]",
        env!("CARGO_PKG_VERSION"),
        transcript.rules().length,
        escaped(&transcript.names[0]),
        escaped(&transcript.names[1]),
    );
    for (name, tag) in TAGS.iter().filter(|_| n == 0) {
        for (_, value) in transcript.tags.iter().filter(|(known, _)| known == tag) {
            let value = if *name == "DT" {
                value.replace('.', "-")
            } else {
                value.clone()
            };
            let _ = write!(text, "{name}[{}]", escaped(&value));
        }
    }
    let rules = transcript.rules();
    let words = [
        (!rules.cube && rules.length != 1, "NoCube"),
        (rules.is_match() && rules.crawford, "Crawford"),
        (game.start().crawford() == Crawford::Now, "CrawfordGame"),
        (rules.jacoby, "Jacoby"),
        (rules.beavers, "Beavers"),
    ];
    let words: Vec<&str> = words
        .iter()
        .filter(|(on, _)| *on)
        .map(|(_, word)| *word)
        .collect();
    if !words.is_empty() {
        let _ = write!(text, "RU[{}]", words.join(":"));
    }
    if let Some(result) = game.result() {
        let how = if game.resigned() { "R" } else { "" };
        let _ = write!(text, "RE[{}+{}{how}]", color(result.by), result.points);
    }
    text.push('\n');
}

fn color(seat: Seat) -> char {
    if seat == WHITE { 'W' } else { 'B' }
}

fn escaped(value: &str) -> String {
    let one_line: String = value
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    one_line.replace('\\', "\\\\").replace(']', "\\]")
}

/// Writes a nonstandard starting position, in the order that GNU Backgammon reads. Returns `None`
/// if it cannot be expressed.
fn set_up(text: &mut String, game: &GameRecord) -> Option<()> {
    let start = game.start();
    let dice = match start.phase() {
        Phase::Cube | Phase::Rolling => None,
        Phase::Moving(Dice::Two { high, low }) => Some(Roll::new(high, low)),
        Phase::Moving(Dice::Same { die, times: 4 }) => Some(Roll::new(die, die)),
        _ => return None,
    };
    if start.resigning().is_some() {
        return None;
    }
    let turn = color(start.on_roll());
    if let Some(roll) = dice.filter(|_| game.actions().is_empty()) {
        let _ = writeln!(text, ";PL[{turn}]DI[{roll}]");
    }
    if let Some(owner) = start.cube().owner() {
        let _ = writeln!(text, ";CP[{}]", color(owner).to_ascii_lowercase());
    }
    if start.cube().turned() > 0 {
        let _ = writeln!(text, ";CV[{}]", start.cube().value());
    }
    let _ = write!(text, ";PL[{turn}]AE[a:y]");
    let board = start.white_board();
    for (seat, side) in [(WHITE, board.mover()), (BLACK, board.other())] {
        let _ = write!(text, "A{}", color(seat));
        for point in 1..=crate::BAR {
            for _ in 0..side.count(point) {
                let _ = write!(text, "[{}]", letter(seat == WHITE, point));
            }
        }
    }
    text.push('\n');
    Some(())
}

fn actions(text: &mut String, game: &GameRecord) {
    // A roll whose play came later, after a refused resignation, is written with the play.
    let any_play = |actions: &[crate::transcript::TranscriptAction]| {
        actions
            .iter()
            .any(|a| matches!(a.kind, ActionKind::Play { .. }))
    };
    for (n, action) in game.actions().iter().enumerate() {
        let seat = color(action.seat);
        let _ = match action.kind {
            ActionKind::Play { roll, play } => {
                writeln!(text, ";{seat}[{roll}{}]", letters(action.seat, &play))
            }
            ActionKind::Roll(roll) if !any_play(&game.actions()[n..]) => {
                writeln!(text, ";PL[{seat}]DI[{roll}]")
            }
            ActionKind::Double | ActionKind::Beaver => writeln!(text, ";{seat}[double]"),
            ActionKind::Take => writeln!(text, ";{seat}[take]"),
            ActionKind::Drop => writeln!(text, ";{seat}[drop]"),
            ActionKind::Roll(_)
            | ActionKind::Resign(_)
            | ActionKind::Accept
            | ActionKind::Refuse => Ok(()),
        };
    }
}

fn letters(seat: Seat, play: &Play) -> String {
    play.steps()
        .iter()
        .flat_map(|step| [step.from, step.to])
        .map(|point| letter(seat == WHITE, point))
        .collect()
}
