//! Checks whether a state can be reached by play. A reported remark is certain; the absence of
//! remarks proves nothing.

use parlor_backgammon::{BAR, Die, OFF, StartLayout};
use parlor_core::Seat;

use super::{BoardRow, PartialState, Remark, Status};

/// Highest number of pips of a die.
const MAX_PIPS: u64 = 6;
/// Highest number of dice in a turn.
const MAX_DICE: u64 = 4;

/// Adds the reasons why no play leads to this state. Expects the correct number of checkers.
pub(super) fn remarks(state: &PartialState, start: StartLayout, remarks: &mut Vec<Remark>) {
    let (Some(row), Some(turn), Some(used)) = (state.row(), state.turn, &state.used) else {
        return;
    };
    let over = state.status != Some(Status::Playing);
    if turn == 1 {
        remarks.extend(
            state
                .dice
                .as_deref()
                .filter(|dice| is_double(dice))
                .map(|_| Remark::OpeningDouble),
        );
        if !over && used.is_empty() && row != BoardRow::from_board(&start.board(), start) {
            let like = StartLayout::ALL
                .into_iter()
                .find(|start| row == BoardRow::from_board(&start.board(), *start));
            remarks.push(Remark::OtherStart { start, like });
            return;
        }
    }
    let Some(active) = state.active else { return };
    let begun = over || !used.is_empty();
    let least = min_dice(&row, start);
    for seat in Seat::all(2) {
        let most = max_dice(turn, seat == active, begun, over);
        let least = least[seat.index()];
        remarks.extend((least > most).then_some(Remark::TooFar {
            seat,
            turn,
            most,
            least,
        }));
    }
}

fn is_double(dice: &[Die]) -> bool {
    dice.windows(2).all(|pair| pair[0] == pair[1])
}

/// Returns the largest number of dice that a seat can have played before a turn: turns alternate,
/// and the first has two dice.
fn max_dice(turn: u64, active: bool, begun: bool, over: bool) -> u64 {
    let before = turn.saturating_sub(1);
    let turns = if active {
        before / 2
    } else {
        before.div_ceil(2)
    };
    // A turn that was started counts as a whole one. At the end it may be either side's.
    let turns = turns + u64::from(over || active && begun);
    let opened = active != turn.is_multiple_of(2) && !over;
    (turns * MAX_DICE).saturating_sub(if opened { 2 } else { 0 })
}

/// Returns the smallest number of dice that each seat must have played to reach these checkers.
fn min_dice(row: &BoardRow, start: StartLayout) -> [u64; 2] {
    let counts = row.counts(start).map(|side| side.map(u64::from));
    let from = BoardRow::from_board(&start.board(), start)
        .counts(start)
        .map(|side| side.map(u64::from));
    [0, 1].map(|side| {
        let (own, other) = (&counts[side], &counts[1 - side]);
        let hits = hits(other, pips(&from[1 - side]));
        let way = pips(&from[side])
            .saturating_sub(pips(own))
            .div_ceil(MAX_PIPS);
        way.max(hits).max(bearing_off_dice(own, &from[side]))
    })
}

type Counts = [u64; 26];

fn pips(counts: &Counts) -> u64 {
    (0u64..).zip(counts).map(|(point, n)| point * n).sum()
}

/// Returns the points outside the home board with their checker counts, without the bar.
fn outside(counts: &Counts) -> impl Iterator<Item = (u64, u64)> + '_ {
    (0u64..)
        .zip(counts.iter().copied())
        .take(usize::from(BAR))
        .skip(7)
}

/// Returns the smallest number of times a side was hit: once for each checker on the bar; once for
/// each checker outside if some were borne off, because then all had been home; and a hit costs at
/// most 24 pips.
fn hits(counts: &Counts, pips_at_first: u64) -> u64 {
    let on_bar = counts[usize::from(BAR)];
    let back = if counts[usize::from(OFF)] > 0 {
        outside(counts).map(|(_, n)| n).sum::<u64>()
    } else {
        0
    };
    let lost = pips(counts)
        .saturating_sub(pips_at_first)
        .div_ceil(u64::from(BAR) - 1);
    lost.max(on_bar + back)
}

/// Returns the number of dice needed to bring all checkers home, to bear off those that are off,
/// and to bring out again those that are outside.
fn bearing_off_dice(counts: &Counts, from: &Counts) -> u64 {
    let off = counts[usize::from(OFF)];
    if off == 0 {
        return 0;
    }
    let home: u64 = outside(from)
        .map(|(point, n)| n * (point - 6).div_ceil(MAX_PIPS))
        .sum();
    let back: u64 = outside(counts)
        .map(|(point, n)| n * (u64::from(BAR) - point).div_ceil(MAX_PIPS))
        .sum();
    home + off + back
}
