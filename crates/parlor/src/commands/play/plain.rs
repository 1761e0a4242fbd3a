//! A game line by line: for pipes, scripts, screen readers and people who like it plain.

use std::io::{BufRead, Write};

use parlor_core::Seat;
use parlor_games::console::INVALID_MOVE;
use parlor_table::{Entry, Event};

use super::session::{Mover, Session};
use crate::failure::Failure;
use crate::lines;

/// What ends a game before its end.
const QUIT: [&str; 3] = ["quit", "q", "exit"];

/// What is said when a game ends before its end.
const LEFT: &str = "The game was left.";

/// Plays until the game is over, somebody quits, or the input ends, and gives the game back.
pub fn run(
    mut session: Session,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<Session, Failure> {
    tell_luck(&session, session.table().log(), out)?;
    while let Some(mover) = session.mover() {
        if let Some(entries) = session.aside() {
            tell_aside(&session, &entries, out)?;
            continue;
        }
        show(&session, out)?;
        let entries = match mover {
            Mover::Bot(seat) => match bystander(&mut session, input, out)? {
                Answer::Played(entries) => Some(entries),
                Answer::GoOn => Some(bot_moves(&mut session, seat, out)?),
                Answer::Leave => None,
            },
            Mover::Person(seat) => person_moves(&mut session, seat, input, out)?,
        };
        let Some(entries) = entries else {
            session.leave();
            writeln!(out, "{LEFT}")?;
            return Ok(session);
        };
        tell_luck(&session, &entries, out)?;
    }
    tell_end(&session, out)?;
    Ok(session)
}

fn show(session: &Session, out: &mut dyn Write) -> Result<(), Failure> {
    Ok(writeln!(
        out,
        "{}",
        session.position().terminal(session.table().last_mark())
    )?)
}

fn bot_moves(
    session: &mut Session,
    seat: Seat,
    out: &mut dyn Write,
) -> Result<Vec<Entry>, Failure> {
    out.flush()?; // thinking may take a while
    let title = session.title(seat);
    let thought = session
        .think(seat)
        .ok_or_else(|| Failure::Refused(format!("{title} has no move")))?;
    let entries = session
        .play(&thought.text)
        .map_err(|reason| Failure::Refused(format!("{title}: {reason}")))?;
    writeln!(out, "{title} plays {}.", thought.text)?;
    Ok(entries)
}

/// Says what a bot did though another was on turn.
fn tell_aside(session: &Session, entries: &[Entry], out: &mut dyn Write) -> Result<(), Failure> {
    for entry in entries {
        if let Event::Moved { seat, text, .. } = &entry.event {
            writeln!(out, "{} plays {text}.", session.title(*seat))?;
        }
    }
    tell_luck(session, entries, out)
}

/// What a person says who is asked in a bot's turn.
enum Answer {
    Played(Vec<Entry>),
    GoOn,
    Leave,
}

/// Where a bot's turn stops for events, asks a person who could play one.
fn bystander(
    session: &mut Session,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let (Some(seat), Some(question)) = (session.bystander(), session.position().question()) else {
        return Ok(Answer::GoOn);
    };
    loop {
        writeln!(
            out,
            "{question} {}, an event, or Enter to go on:",
            session.title(seat)
        )?;
        let Some(line) = answer(input, out)? else {
            return Ok(Answer::Leave);
        };
        if line.trim().is_empty() {
            return Ok(Answer::GoOn);
        }
        match session
            .position()
            .answer(&line)
            .map(|text| session.say(&text))
        {
            Ok(Ok(entries)) => return Ok(Answer::Played(entries)),
            Ok(Err(_)) => writeln!(out, "{INVALID_MOVE}")?,
            Err(unread) => writeln!(out, "{unread}")?,
        }
    }
}

/// A line of the input; nothing when there is none, or when it ends the game.
fn answer(input: &mut dyn BufRead, out: &mut dyn Write) -> Result<Option<String>, Failure> {
    out.flush()?;
    let line =
        lines::next(input).map_err(|error| Failure::Refused(format!("standard input: {error}")))?;
    let line = line.map(|line| {
        line.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .unwrap_or_default()
    });
    Ok(line.filter(|line| !QUIT.contains(&line.trim().to_lowercase().as_str())))
}

/// Asks until the answer is a legal move; nothing when there will be none.
fn person_moves(
    session: &mut Session,
    seat: Seat,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<Option<Vec<Entry>>, Failure> {
    loop {
        writeln!(
            out,
            "{}",
            session.position().prompt(&session.names()[seat.index()])
        )?;
        let Some(line) = answer(input, out)? else {
            return Ok(None);
        };
        let text = match session.position().answer(&line) {
            Ok(text) => text,
            Err(unread) => {
                writeln!(out, "{unread}")?;
                continue;
            }
        };
        match session.play(&text) {
            Ok(entries) => return Ok(Some(entries)),
            Err(_) => writeln!(out, "{INVALID_MOVE}")?,
        }
    }
}

/// Says what luck did, what it was bound to before the game, and what it was bound by.
fn tell_luck(session: &Session, entries: &[Entry], out: &mut dyn Write) -> Result<(), Failure> {
    for (entry, told) in entries.iter().zip(session.told(entries)) {
        match (&entry.event, told) {
            (
                Event::Created {
                    commitment: Some(commitment),
                    ..
                },
                _,
            ) => {
                writeln!(
                    out,
                    "The luck of this game is fixed; SHA-256 of its secret: {commitment}"
                )?;
            }
            (Event::Chance { .. }, Some(told)) => writeln!(out, "Luck: {told}.")?,
            (Event::Chance { chance, .. }, None) => writeln!(out, "Luck brings {chance}.")?,
            (Event::Revealed { secret }, _) => {
                writeln!(out, "The secret of the luck: {}", secret.to_hex())?
            }
            _ => {}
        }
    }
    Ok(())
}

/// Shows the last position and says how the game ended.
pub fn tell_end(session: &Session, out: &mut dyn Write) -> Result<(), Failure> {
    show(session, out)?;
    let outcome = session.table().ending().and_then(|ending| ending.outcome);
    match outcome {
        Some(outcome) => writeln!(
            out,
            "{}",
            session.position().result(outcome, session.names())
        )?,
        None => writeln!(out, "{LEFT}")?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use parlor_table::Step;

    use super::super::session::tests::ann_looks_on;
    use super::*;

    #[test]
    fn where_a_bots_turn_stops_a_person_is_asked_for_an_event() {
        let lines = "nonsense\n\nquiet-night\nquit\n";
        let mut out = Vec::new();
        let session =
            run(ann_looks_on(), &mut lines.as_bytes(), &mut out).expect("a game that is left");
        let said = String::from_utf8(out).expect("text");
        assert_eq!(
            said.matches("Ann, an event, or Enter to go on:").count(),
            3,
            "{said}"
        );
        assert!(said.contains(LEFT), "{said}");
        let is_hers =
            |step: &Step| matches!(step, Step::Move { seat: 0, text, .. } if text == "quiet-night");
        assert_eq!(
            session
                .table()
                .steps()
                .iter()
                .filter(|step| is_hers(step))
                .count(),
            1
        );
    }
}
