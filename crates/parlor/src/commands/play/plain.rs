//! Line-by-line interface: for pipes, scripts and screen readers.

use std::io::{BufRead, Write};

use parlor_core::Seat;
use parlor_games::console::INVALID_MOVE;
use parlor_table::runner::Mover;
use parlor_table::{LogEntry, TableEvent};

use super::advice;
use super::session::TerminalSession;
use crate::error::CommandError;
use crate::lines;

/// Words that quit the game.
const QUIT: [&str; 3] = ["quit", "q", "exit"];

/// Message after quitting an unfinished game.
const LEFT: &str = "You left the game.";

/// Plays until the game is over, a player quits, or the input ends, and returns the session.
pub fn run(
    mut session: TerminalSession,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<TerminalSession, CommandError> {
    let news = session.observe();
    print_entries(&session, session.table().log(), out)?;
    if session.has_advice() {
        writeln!(out, "Type `{}` for the best turns.", advice::WORD)?;
    }
    while let Some(mover) = session.mover() {
        let goes_on = if session.play_interjection()? {
            true
        } else {
            print_board(&session, out)?;
            match mover {
                Mover::Bot(seat) => match ask_bystander(&mut session, input, out)? {
                    BystanderReply::Played => true,
                    BystanderReply::Pass => {
                        out.flush()?; // thinking may take a while
                        session.play_bot(seat)?;
                        true
                    }
                    BystanderReply::Quit => false,
                },
                Mover::Person(seat) => play_person_move(&mut session, seat, input, out)?,
            }
        };
        if !goes_on {
            session.abandon();
            writeln!(out, "{LEFT}")?;
            return Ok(session);
        }
        for entries in news.try_iter() {
            print_entries(&session, &entries, out)?;
        }
    }
    print_end(&session, out)?;
    Ok(session)
}

fn print_board(session: &TerminalSession, out: &mut dyn Write) -> Result<(), CommandError> {
    Ok(writeln!(
        out,
        "{}",
        session
            .position()
            .terminal(session.table().last_marked_move())
    )?)
}

/// Reply of a person who is asked during a bot's turn.
enum BystanderReply {
    Played,
    Pass,
    Quit,
}

/// Asks a person who can play an event during a bot's turn.
fn ask_bystander(
    session: &mut TerminalSession,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<BystanderReply, CommandError> {
    let (Some(seat), Some(question)) = (session.bystander(), session.position().question()) else {
        return Ok(BystanderReply::Pass);
    };
    loop {
        writeln!(
            out,
            "{question} {}, type an event, or press Enter to continue:",
            session.title(seat)
        )?;
        let Some(line) = read_answer(input, out)? else {
            return Ok(BystanderReply::Quit);
        };
        if line.trim().is_empty() {
            return Ok(BystanderReply::Pass);
        }
        if advice::is_asked(session, &line) {
            print_advice(session, out)?;
            continue;
        }
        match session
            .position()
            .answer(&line)
            .map(|text| session.play_as_person(&text))
        {
            Ok(Ok(())) => return Ok(BystanderReply::Played),
            Ok(Err(_)) => writeln!(out, "{INVALID_MOVE}")?,
            Err(unread) => writeln!(out, "{unread}")?,
        }
    }
}

/// Reads a line of input; `None` at the end of the input or if it quits the game.
fn read_answer(
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<Option<String>, CommandError> {
    out.flush()?;
    let line = lines::read_line(input)
        .map_err(|error| CommandError::Other(format!("standard input: {error}")))?;
    let line = line.map(|line| {
        line.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .unwrap_or_default()
    });
    Ok(line.filter(|line| !QUIT.contains(&line.trim().to_lowercase().as_str())))
}

/// Asks until the input is a legal move; returns false if the player quits.
fn play_person_move(
    session: &mut TerminalSession,
    seat: Seat,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<bool, CommandError> {
    loop {
        writeln!(
            out,
            "{}",
            session.position().prompt(&session.names()[seat.index()])
        )?;
        let Some(line) = read_answer(input, out)? else {
            return Ok(false);
        };
        if advice::is_asked(session, &line) {
            print_advice(session, out)?;
            continue;
        }
        let text = match session.position().answer(&line) {
            Ok(text) => text,
            Err(unread) => {
                writeln!(out, "{unread}")?;
                continue;
            }
        };
        match session.play_as_person(&text) {
            Ok(()) => return Ok(true),
            Err(_) => writeln!(out, "{INVALID_MOVE}")?,
        }
    }
}

fn print_advice(session: &TerminalSession, out: &mut dyn Write) -> Result<(), CommandError> {
    for line in advice::lines(session) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Prints the bots' moves, the results of luck, the commitment at the start and the secret at the
/// end.
fn print_entries(
    session: &TerminalSession,
    entries: &[LogEntry],
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    for (entry, narrative) in entries.iter().zip(session.table().narrate(entries)) {
        match (&entry.event, narrative) {
            (TableEvent::Moved { seat, text, .. }, _) if session.is_bot(*seat) => {
                writeln!(out, "{} plays {text}.", session.title(*seat))?;
            }
            (
                TableEvent::Created {
                    commitment: Some(commitment),
                    ..
                },
                _,
            ) => {
                writeln!(
                    out,
                    "Luck is fixed for this game. SHA-256 of its secret: {commitment}"
                )?;
            }
            (TableEvent::Chance { .. }, Some(narrative)) => writeln!(out, "Luck: {narrative}.")?,
            (TableEvent::Chance { chance, .. }, None) => writeln!(out, "Luck: {chance}.")?,
            (TableEvent::Revealed { secret }, _) => {
                writeln!(out, "Secret of the luck: {}", secret.to_hex())?
            }
            _ => {}
        }
    }
    Ok(())
}

/// Prints the final position and the result.
pub fn print_end(session: &TerminalSession, out: &mut dyn Write) -> Result<(), CommandError> {
    print_board(session, out)?;
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
    use parlor_table::RecordStep;

    use super::super::session::tests::session_with_bystander;
    use super::*;

    #[test]
    fn a_person_is_asked_for_an_event_in_a_bots_turn() {
        let lines = "nonsense\n\nquiet-night\nquit\n";
        let mut out = Vec::new();
        let session = run(session_with_bystander(), &mut lines.as_bytes(), &mut out)
            .expect("a game that is quit");
        let output = String::from_utf8(out).expect("text");
        assert_eq!(
            output
                .matches("Ann, type an event, or press Enter to continue:")
                .count(),
            3,
            "{output}"
        );
        assert!(output.contains(LEFT), "{output}");
        let is_anns = |step: &RecordStep| matches!(step, RecordStep::Move { seat: 0, text, .. } if text == "quiet-night");
        assert_eq!(
            session
                .table()
                .steps()
                .iter()
                .filter(|step| is_anns(step))
                .count(),
            1
        );
    }
}
