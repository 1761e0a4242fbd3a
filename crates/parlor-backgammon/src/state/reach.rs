//! Whether a state can have come about by play. What is said here is certain; that nothing is said proves nothing.

use parlor_core::Seat;

use super::{Remark, Row, Sketch, Status};
use crate::{BAR, Die, OFF, Start};

/// The most pips of a die.
const MOST_PIPS: u64 = 6;
/// The most dice of a turn.
const MOST_DICE: u64 = 4;

/// Adds why no play leads to this state. The checkers are as many as there are.
pub(super) fn remarks(sketch: &Sketch, start: Start, remarks: &mut Vec<Remark>) {
    let (Some(row), Some(turn), Some(used)) = (sketch.row(), sketch.turn, &sketch.used) else {
        return;
    };
    let over = sketch.status != Some(Status::Playing);
    if turn == 1 {
        remarks.extend(
            sketch
                .dice
                .as_deref()
                .filter(|dice| is_double(dice))
                .map(|_| Remark::OpeningDouble),
        );
        if !over && used.is_empty() && row != Row::of(&start.board(), start) {
            let like = Start::ALL
                .into_iter()
                .find(|start| row == Row::of(&start.board(), *start));
            remarks.push(Remark::OtherStart { start, like });
            return;
        }
    }
    let Some(active) = sketch.active else { return };
    let begun = over || !used.is_empty();
    let least = least_dice(&row, start);
    for seat in Seat::all(2) {
        let most = most_dice(turn, seat == active, begun, over);
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

/// How many dice a seat can have played before a turn: turns alternate, and the first has two dice.
fn most_dice(turn: u64, active: bool, begun: bool, over: bool) -> u64 {
    let before = turn.saturating_sub(1);
    let turns = if active {
        before / 2
    } else {
        before.div_ceil(2)
    };
    // A turn that was begun counts as a whole one. At the end it may be either's.
    let turns = turns + u64::from(over || active && begun);
    let opened = active != turn.is_multiple_of(2) && !over;
    (turns * MOST_DICE).saturating_sub(if opened { 2 } else { 0 })
}

/// How many dice each seat must have played for the checkers to come here.
fn least_dice(row: &Row, start: Start) -> [u64; 2] {
    let counts = row.counts(start).map(|side| side.map(u64::from));
    let from = Row::of(&start.board(), start)
        .counts(start)
        .map(|side| side.map(u64::from));
    [0, 1].map(|side| {
        let (own, other) = (&counts[side], &counts[1 - side]);
        let hits = hits(other, pips(&from[1 - side]));
        let way = pips(&from[side])
            .saturating_sub(pips(own))
            .div_ceil(MOST_PIPS);
        way.max(hits).max(bearing_off(own, &from[side]))
    })
}

type Counts = [u64; 26];

fn pips(counts: &Counts) -> u64 {
    (0u64..).zip(counts).map(|(point, n)| point * n).sum()
}

/// Checkers that stand outside home, with their points. Those on the bar are left out.
fn outside(counts: &Counts) -> impl Iterator<Item = (u64, u64)> + '_ {
    (0u64..)
        .zip(counts.iter().copied())
        .take(usize::from(BAR))
        .skip(7)
}

/// How often a side has been hit at least, each time by a die: once for each checker on the bar; once for each checker outside,
/// if some were borne off, because then all had been home; and a hit costs at most 24 pips.
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

/// How many dice it takes to bring all home, to bear off those that are off, and to come back with those that are outside.
fn bearing_off(counts: &Counts, from: &Counts) -> u64 {
    let off = counts[usize::from(OFF)];
    if off == 0 {
        return 0;
    }
    let home: u64 = outside(from)
        .map(|(point, n)| n * (point - 6).div_ceil(MOST_PIPS))
        .sum();
    let back: u64 = outside(counts)
        .map(|(point, n)| n * (u64::from(BAR) - point).div_ceil(MOST_PIPS))
        .sum();
    home + off + back
}
