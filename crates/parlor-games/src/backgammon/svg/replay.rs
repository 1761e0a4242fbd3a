//! Identity of checkers: maps each one to its place before the last play.

use parlor_backgammon::{BLACK, WHITE};
use parlor_core::Seat;

use crate::backgammon::seat_of;
use crate::backgammon::view::{BackgammonView, StepView};

/// Place numbers of a side's bar and of its checkers borne off.
pub(super) const ON_BAR: i8 = -1;
pub(super) const IS_OFF: i8 = 24;

/// Place of a checker: its side, its point, and the number of checkers below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) seat: Seat,
    pub(super) place: i8,
    pub(super) height: u8,
}

impl Spot {
    /// Returns the id of the checker on this spot: `w-12-4`, `b-bar-0`, `w-off-2`.
    pub(super) fn id(self) -> String {
        let color = if self.seat == WHITE { 'w' } else { 'b' };
        match self.place {
            ON_BAR => format!("{color}-bar-{}", self.height),
            IS_OFF => format!("{color}-off-{}", self.height),
            place => format!("{color}-{place}-{}", self.height),
        }
    }
}

/// Checker in the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checker {
    /// Current place.
    pub(super) at: Spot,
    /// Place before the last play.
    pub(super) from: Spot,
    /// Number of the step in which it moved, plus one half if it was hit.
    pub(super) step: f64,
}

impl Checker {
    /// Returns true if the last play moved the checker.
    pub(super) fn has_moved(&self) -> bool {
        self.at != self.from
    }
}

/// A step of the last play, from spot to spot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) from: Spot,
    pub(super) to: Spot,
    pub(super) hit: bool,
}

/// Positions of all checkers, and the steps of the last play.
#[derive(Clone, Debug, Default)]
pub(super) struct Replay {
    stacks: Vec<Vec<Checker>>,
    pub(super) ways: Vec<Way>,
}

impl Replay {
    /// Undoes the last play and replays it. A play that does not fit the board is ignored.
    pub(super) fn from_view(view: &BackgammonView) -> Replay {
        Replay::again(view, &view.last).unwrap_or_else(|| Replay {
            stacks: stacks(&counts(view)),
            ways: Vec::new(),
        })
    }

    /// Replays these steps; `None` if they cannot lead to the view's board.
    pub(super) fn again(view: &BackgammonView, steps: &[StepView]) -> Option<Replay> {
        let now = counts(view);
        let mut replay = Replay {
            stacks: stacks(&before(steps, &now)?),
            ways: Vec::new(),
        };
        replay.play(steps)?;
        let left_behind = |step: &StepView| {
            seat_of(&step.player)
                .is_some_and(|seat| step.from != ON_BAR && now[index(seat, ON_BAR)] > 0)
        };
        (replay.is_at(&now) && !steps.iter().any(left_behind)).then_some(replay)
    }

    /// Returns all checkers, those that moved last, so that they are drawn above the others.
    pub(super) fn checkers(&self) -> Vec<Checker> {
        let mut all: Vec<Checker> = self.stacks.iter().flatten().copied().collect();
        all.sort_by(|one, other| one.order().total_cmp(&other.order()));
        all
    }

    /// Returns the spots that the play left and that are now empty.
    pub(super) fn left(&self) -> Vec<Spot> {
        let free = |spot: &Spot| {
            self.stacks[index(spot.seat, spot.place)].len() <= usize::from(spot.height)
        };
        let moved = self
            .stacks
            .iter()
            .flatten()
            .filter(|checker| checker.has_moved() && checker.step.fract() == 0.0);
        moved.map(|checker| checker.from).filter(free).collect()
    }

    /// Returns the topmost spots of stacks higher than the length of a point.
    pub(super) fn tall(&self) -> impl Iterator<Item = Spot> {
        let tops = self
            .stacks
            .iter()
            .filter_map(|stack| stack.last())
            .map(|checker| checker.at);
        tops.filter(|top| top.height >= 5 && top.place != IS_OFF)
    }

    /// Replays the steps in an order in which they are possible.
    fn play(&mut self, steps: &[StepView]) -> Option<()> {
        let mut left: Vec<_> = steps.iter().collect();
        while !left.is_empty() {
            let next = left.iter().position(|step| {
                seat_of(&step.player)
                    .is_some_and(|seat| !self.stacks[index(seat, step.from)].is_empty())
            })?;
            let step = left.remove(next);
            self.step(seat_of(&step.player)?, step.from, step.to, step.hit)?;
        }
        Some(())
    }

    fn step(&mut self, seat: Seat, from: i8, to: i8, hit: bool) -> Option<()> {
        let n = self.ways.len() as f64;
        if hit {
            let other = if seat == WHITE { BLACK } else { WHITE };
            self.carry(other, to, ON_BAR, n + 0.5)?;
        }
        let (from, to) = self.carry(seat, from, to, n)?;
        self.ways.push(Way { from, to, hit });
        Some(())
    }

    /// Moves the topmost checker of one place to another.
    fn carry(&mut self, seat: Seat, from: i8, to: i8, step: f64) -> Option<(Spot, Spot)> {
        let mut checker = self.stacks[index(seat, from)].pop()?;
        let (was, target) = (checker.at, &mut self.stacks[index(seat, to)]);
        if !checker.has_moved() {
            checker.step = step;
        }
        checker.at = Spot {
            seat,
            place: to,
            height: target.len() as u8,
        };
        target.push(checker);
        Some((was, checker.at))
    }

    fn is_at(&self, counts: &[u8; 52]) -> bool {
        self.stacks
            .iter()
            .zip(counts)
            .all(|(stack, count)| stack.len() == usize::from(*count))
    }
}

impl Checker {
    /// Returns the sort key for drawing; checkers that did not move come first.
    fn order(&self) -> f64 {
        if self.has_moved() { self.step } else { -1.0 }
    }
}

/// Returns the index of a place: 0 to 25 for white, then black's 26.
fn index(seat: Seat, place: i8) -> usize {
    (place + 1) as usize + if seat == WHITE { 0 } else { 26 }
}

fn counts(view: &BackgammonView) -> [u8; 52] {
    let mut counts = [0; 52];
    for (n, count) in view.board.iter().enumerate() {
        let seat = if *count > 0 { WHITE } else { BLACK };
        counts[index(seat, n as i8)] = count.unsigned_abs();
    }
    for seat in [WHITE, BLACK] {
        counts[index(seat, ON_BAR)] = view.bar.get(seat);
        counts[index(seat, IS_OFF)] = view.home.get(seat);
    }
    counts
}

/// Returns the numbers of checkers before the last play.
fn before(steps: &[StepView], now: &[u8; 52]) -> Option<[u8; 52]> {
    let mut counts = now.map(i16::from);
    for step in steps {
        let seat = seat_of(&step.player)?;
        counts[index(seat, step.to)] -= 1;
        counts[index(seat, step.from)] += 1;
        if step.hit {
            let other = if seat == WHITE { BLACK } else { WHITE };
            counts[index(other, ON_BAR)] -= 1;
            counts[index(other, step.to)] += 1;
        }
    }
    let mut before = [0; 52];
    for (count, was) in counts.into_iter().zip(&mut before) {
        *was = u8::try_from(count).ok()?;
    }
    let shared = (1..25).any(|point| before[point] > 0 && before[26 + point] > 0);
    (!shared).then_some(before)
}

fn stacks(counts: &[u8; 52]) -> Vec<Vec<Checker>> {
    let seats = [(WHITE, 0), (BLACK, 26)];
    let places = seats
        .into_iter()
        .flat_map(|(seat, first)| (0..26).map(move |n| (seat, first + n, n as i8 - 1)));
    let checker = |seat, place, height| {
        let at = Spot {
            seat,
            place,
            height,
        };
        Checker {
            at,
            from: at,
            step: 0.0,
        }
    };
    places
        .map(|(seat, n, place)| {
            (0..counts[n])
                .map(|height| checker(seat, place, height))
                .collect()
        })
        .collect()
}
