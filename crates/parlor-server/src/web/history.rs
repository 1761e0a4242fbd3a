//! History of a table: its steps, the time each took, and the clocks in between.

use parlor_core::Seat;
use parlor_games::AnyPosition;
use parlor_table::{ClockView, Table, TableEvent, Timestamp};

/// A move or draw that has not been taken back.
pub(super) struct PlayedStep {
    /// Seat that moved; `None` for draws.
    pub(super) seat: Option<u8>,
    /// The step in words.
    pub(super) label: String,
    /// True if the step shows on the board.
    pub(super) marks: bool,
    /// Time the player took, in milliseconds; `None` for draws, the first move, and at tables
    /// without clocks.
    pub(super) took: Option<i64>,
    /// Version of its event.
    version: u64,
}

impl PlayedStep {
    /// True for a roll of dice, whose words are the numbers alone.
    pub(super) fn is_roll(&self) -> bool {
        self.seat.is_none() && !self.label.contains(' ')
    }
}

/// Returns all moves and draws, without those taken back.
pub(super) fn played(table: &Table) -> Vec<PlayedStep> {
    let timed = table.clock().is_some();
    let mut narrator = StepNarrator::from_table(table);
    let mut kept: Vec<PlayedStep> = Vec::with_capacity(table.steps().len());
    let mut since = None;
    for entry in table.log() {
        let version = entry.version;
        match &entry.event {
            TableEvent::Moved { seat, text, .. } => {
                let took = since
                    .filter(|_| timed)
                    .map(|since| entry.at.millis() - since);
                let label = narrator
                    .narrate(text, Some(*seat))
                    .unwrap_or_else(|| table.position().label(text));
                let marks = table.position().leaves_mark(text);
                kept.push(PlayedStep {
                    seat: Some(seat.number()),
                    label,
                    marks,
                    took,
                    version,
                });
            }
            TableEvent::Chance { chance, .. } => {
                let first = kept.is_empty();
                let label = narrator
                    .narrate(chance, None)
                    .unwrap_or_else(|| table.position().chance_label(chance));
                kept.push(PlayedStep {
                    seat: None,
                    label,
                    marks: false,
                    took: None,
                    version,
                });
                if first {
                    continue;
                }
            }
            TableEvent::TakenBack { moves } => {
                kept.truncate(kept.len().saturating_sub(*moves as usize));
                narrator.truncate(kept.len());
            }
            _ => continue,
        }
        since = Some(entry.at.millis());
    }
    kept
}

/// Replays a game to describe each step with its effects, which depend on the position before it.
struct StepNarrator {
    /// Positions before the first step and after each; empty for games whose steps have no
    /// narrative.
    positions: Vec<AnyPosition>,
}

impl StepNarrator {
    fn from_table(table: &Table) -> StepNarrator {
        let start = table
            .kind()
            .start(table.options())
            .ok()
            .filter(|_| table.kind().is_narrated());
        StepNarrator {
            positions: start.into_iter().collect(),
        }
    }

    /// Plays a move of a seat, or a draw, and returns its narrative.
    fn narrate(&mut self, text: &str, seat: Option<Seat>) -> Option<String> {
        let before = self.positions.last()?;
        let narrative = before.narrate(text);
        let mut after = before.clone();
        let followed = match seat {
            Some(seat) => after.play(text, seat).map(drop),
            None => after.resolve(text),
        };
        match followed {
            Ok(()) => self.positions.push(after),
            Err(_) => self.positions.clear(),
        }
        narrative
    }

    fn truncate(&mut self, steps: usize) {
        self.positions.truncate(steps + 1);
    }
}

/// Returns the steps from the last one that shows on the board, up to `step`.
pub(super) fn recent(played: &[PlayedStep], step: usize) -> &[PlayedStep] {
    let shown = &played[..step.min(played.len())];
    let from = shown
        .iter()
        .rposition(|played| played.marks)
        .unwrap_or_default();
    &shown[from..]
}

/// Returns the number of steps up to the last one of these seats. `None` if they have not moved.
pub(super) fn own_last(played: &[PlayedStep], seats: &[u8]) -> Option<usize> {
    let is_own = |played: &PlayedStep| played.seat.is_some_and(|seat| seats.contains(&seat));
    played.iter().rposition(is_own).map(|at| at + 1)
}

/// True if the step after so many was a move of one of these seats.
pub(super) fn is_own(played: &[PlayedStep], step: usize, seats: &[Seat]) -> bool {
    let seat = played.get(step).and_then(|played| played.seat);
    seats.iter().any(|own| Some(own.number()) == seat)
}

/// Returns the number of draws before the first move.
pub(super) fn set_up(played: &[PlayedStep]) -> usize {
    let first = played.iter().position(|played| played.seat.is_some());
    first.unwrap_or(played.len())
}

/// A line of the list of moves. A draw and the move it was for share a line.
pub(super) struct MoveLine<'a> {
    /// Seat that moved; `None` for draws alone.
    pub(super) seat: Option<u8>,
    /// Number of the move, from 1; `None` for draws alone.
    pub(super) number: Option<usize>,
    /// Step of the request for the draw, which is not listed as a move.
    pub(super) asked: Option<usize>,
    /// Steps on this line, each with its number, from 1.
    pub(super) parts: Vec<(usize, &'a PlayedStep)>,
    /// True if the line joins several draws in a row.
    pub(super) folded: bool,
}

/// Arranges the moves and draws in lines. `on_turn` is the seat that moves after all of them.
pub(super) fn lines(played: &[PlayedStep], on_turn: Option<u8>) -> Vec<MoveLine<'_>> {
    let mut lines = Vec::new();
    let mut moves = 0;
    let mut rest = (1..).zip(played).peekable();
    while let Some((n, first)) = rest.next() {
        let mut line = MoveLine {
            seat: first.seat,
            number: None,
            asked: None,
            parts: vec![(n, first)],
            folded: false,
        };
        let asked =
            first.seat.is_some() && !first.marks && played.get(n).is_some_and(PlayedStep::is_roll);
        // The line is complete from the roll on, so that the play does not take a line away.
        let plays_next = played.get(n + 1).map_or(on_turn, |third| third.seat);
        if asked && plays_next == first.seat {
            // A request to roll is implied by the roll and the play after it.
            line.asked = Some(n);
            line.parts = rest.by_ref().take(2).collect();
        } else if first.is_roll() {
            let play = rest.next_if(|(_, next)| next.seat.is_some());
            line.seat = play.and_then(|(_, play)| play.seat);
            line.parts.extend(play);
        } else if first.seat.is_none() {
            while let Some(next) = rest.next_if(|(_, next)| next.seat.is_none()) {
                line.parts.push(next);
            }
            line.folded = line.parts.len() > 1;
        }
        moves += usize::from(line.seat.is_some());
        line.number = line.seat.map(|_| moves);
        lines.push(line);
    }
    lines
}

/// Returns the number of the move that each step belongs to. Draws alone belong to the move before
/// them, and those before the first move to number 0.
pub(super) fn move_numbers(played: &[PlayedStep]) -> Vec<usize> {
    let mut numbers = Vec::with_capacity(played.len());
    for line in lines(played, None) {
        let number = line.number.or(numbers.last().copied()).unwrap_or_default();
        let end = line.parts.last().map_or(0, |(step, _)| *step);
        numbers.resize(end, number);
    }
    numbers
}

/// Returns the clocks as they were after the first `step` moves and draws.
pub(super) fn clock_after(table: &Table, played: &[PlayedStep], step: usize) -> Option<ClockView> {
    let started = table
        .log()
        .iter()
        .find(|entry| entry.event == TableEvent::Started)
        .map(|entry| entry.version);
    let version = match step.checked_sub(1) {
        Some(last) => played.get(last)?.version,
        None => started?,
    };
    let log = table
        .log()
        .iter()
        .take_while(|entry| entry.version <= version)
        .cloned();
    let clock = Table::replay(log, None).ok()?.clock_view()?;
    Some(ClockView {
        running: None,
        since: None,
        delay_ms: 0,
        due_at: None,
        aborts: false,
        ..clock
    })
}

/// Returns the time for which nobody could play, if nothing has happened since, in milliseconds.
pub(super) fn paused_ms(table: &Table) -> Option<i64> {
    match table.log().last()?.event {
        TableEvent::Paused { from, until } => Some(until.millis() - from.millis()),
        _ => None,
    }
}

/// Returns the time of the last move, draw or takeback, or of the start.
pub(super) fn turn_since(table: &Table) -> Timestamp {
    let turned = |event: &TableEvent| {
        matches!(
            event,
            TableEvent::Started
                | TableEvent::Moved { .. }
                | TableEvent::Chance { .. }
                | TableEvent::TakenBack { .. }
        )
    };
    let last = table.log().iter().rev().find(|entry| turned(&entry.event));
    last.map_or(table.created_at(), |entry| entry.at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_in_a_row_are_one_line_and_dice_go_with_their_play() {
        let cards = [
            played(Some(0), "draws two cards", true),
            played(None, "drawn: Paris", false),
        ];
        let more = [
            played(None, "infection: Lima", false),
            played(Some(1), "drives to Cairo", true),
        ];
        let moves = cards.into_iter().chain(more).collect::<Vec<_>>();
        let lines = lines(&moves, None);
        let shapes: Vec<_> = lines
            .iter()
            .map(|line| (line.seat, line.parts.len(), line.folded))
            .collect();
        assert_eq!(
            shapes,
            [(Some(0), 1, false), (None, 2, true), (Some(1), 1, false)]
        );
        assert_eq!(move_numbers(&moves), [1, 1, 1, 2]);
    }

    fn played(seat: Option<u8>, label: &str, marks: bool) -> PlayedStep {
        PlayedStep {
            seat,
            label: label.to_owned(),
            marks,
            took: None,
            version: 0,
        }
    }

    #[test]
    fn a_roll_and_the_move_after_it_share_a_line_that_remembers_the_request() {
        let moves = [
            played(Some(1), "rolls", false),
            played(None, "4-2", false),
            played(Some(1), "8/4 6/4", true),
        ];
        let lines = lines(&moves, None);
        assert_eq!(lines.len(), 1);
        assert_eq!((lines[0].asked, lines[0].seat), (Some(1), Some(1)));
        assert_eq!(
            lines[0]
                .parts
                .iter()
                .map(|(step, _)| *step)
                .collect::<Vec<_>>(),
            [2, 3]
        );
        assert_eq!(move_numbers(&moves), [1, 1, 1]);
    }

    #[test]
    fn a_roll_shares_the_line_of_its_request_before_the_play_is_made() {
        let moves = [played(Some(1), "rolls", false), played(None, "4-2", false)];
        let shapes = |on_turn| -> Vec<_> {
            let lines = lines(&moves, on_turn);
            let shape = |line: &MoveLine<'_>| (line.seat, line.asked, line.parts.len());
            lines.iter().map(shape).collect()
        };
        assert_eq!(shapes(Some(1)), [(Some(1), Some(1), 1)]);
        // Dice that another player is to use stay by themselves.
        assert_eq!(shapes(Some(0)), [(Some(1), None, 1), (None, None, 1)]);
    }

    #[test]
    fn dice_do_not_count_as_moves() {
        let moves = [
            played(None, "3-1", false),
            played(Some(0), "8/5 6/5", true),
            played(Some(1), "rolls", false),
            played(None, "4-2", false),
            played(Some(1), "8/4 6/4", true),
            played(Some(0), "rolls", false),
            played(None, "6-1", false),
        ];
        assert_eq!(move_numbers(&moves), [1, 1, 2, 2, 2, 3, 3]);
        assert_eq!(move_numbers(&moves[..1]), [0]);
    }
}
