//! All that can be done with a roll, each result once.
//!
//! With two different dice a result follows from who moves by which die, the *pair* (source of the high die, source of the low
//! die), in whatever order. Two pairs have the same result only when one checker makes both steps and meets nobody on either
//! way, or when both checkers go off. With equal dice a result follows from how many steps begin on each point, and the
//! steps can always be made from the rear to the front. So no result has to be looked for among the others.

use crate::board::flip;
use crate::play::{Play, Step};
use crate::{BAR, Board, Dice, Side};

const BAR_BIT: u32 = 1 << BAR;
const OUTSIDE: u32 = !0 << 7;

/// What takes the results: each with the play that leads there and the board after it, seen from the mover.
pub(crate) trait Sink {
    /// One more result, made by these steps.
    fn take(&mut self, play: &Play, after: Board);
    /// Everything so far was shorter than what comes now.
    fn forget(&mut self);
}

impl Sink for Vec<Play> {
    #[inline]
    fn take(&mut self, play: &Play, _: Board) {
        self.push(*play);
    }

    fn forget(&mut self) {
        self.clear();
    }
}

impl Sink for Vec<Board> {
    #[inline]
    fn take(&mut self, _: &Play, after: Board) {
        self.push(after);
    }

    fn forget(&mut self) {
        self.clear();
    }
}

impl Sink for Vec<(Play, Board)> {
    #[inline]
    fn take(&mut self, play: &Play, after: Board) {
        self.push((*play, after));
    }

    fn forget(&mut self) {
        self.clear();
    }
}

/// Only counts.
impl Sink for u64 {
    #[inline]
    fn take(&mut self, _: &Play, _: Board) {
        *self += 1;
    }

    fn forget(&mut self) {
        *self = 0;
    }
}

impl Board {
    /// Replaces the contents of `out` by one play for each distinct result of playing these dice; a single pass when nothing
    /// can be moved.
    ///
    /// As many dice as possible are played, and when only one of two can be, the higher if it can.
    pub fn plays_into(&self, dice: Dice, out: &mut Vec<Play>) {
        out.clear();
        generate(self, dice, out);
    }

    /// The same into anything that takes results.
    pub(crate) fn plays_to<S: Sink>(&self, dice: Dice, out: &mut S) {
        generate(self, dice, out);
    }

    /// As [`Board::plays_into`], only the boards that come of it, seen from the mover. A bot that scores results needs no more.
    ///
    /// ```
    /// use parlor_backgammon::{Board, Roll};
    /// let mut after = Vec::new();
    /// let roll: Roll = "31".parse()?;
    /// Board::START.afterstates_into(roll.into(), &mut after);
    /// assert_eq!(after.len(), 16);
    /// # Ok::<(), parlor_core::NotationError>(())
    /// ```
    pub fn afterstates_into(&self, dice: Dice, out: &mut Vec<Board>) {
        out.clear();
        generate(self, dice, out);
    }

    /// Plays and the boards that come of them, seen from the mover.
    pub fn results_into(&self, dice: Dice, out: &mut Vec<(Play, Board)>) {
        out.clear();
        generate(self, dice, out);
    }

    /// How many distinct results there are; a pass is one.
    pub fn count_plays(&self, dice: Dice) -> u64 {
        let mut count = 0u64;
        generate(self, dice, &mut count);
        count
    }
}

#[inline]
fn generate<S: Sink>(board: &Board, dice: Dice, sink: &mut S) {
    let state = State::of(board);
    match dice {
        Dice::Two { high, low } => two(&state, high.pips(), low.pips(), sink),
        Dice::Same { die, times } => Same { die: die.pips(), most: 0, sink }.run(&state, times),
    }
}

/// A board with what the rules ask of it at hand. Sets of points are in the mover's numbers.
#[derive(Clone, Copy)]
struct State {
    mover: Side,
    other: Side,
    /// The mover's points and bar.
    own: u32,
    /// Points that the other side holds.
    blocked: u32,
    /// Points where the other side can be hit.
    blots: u32,
}

impl State {
    #[inline]
    fn of(board: &Board) -> State {
        let (made, any) = (flip(board.other.made()), flip(board.other.occupied()));
        let own = board.mover.occupied();
        State { mover: board.mover, other: board.other, own, blocked: made, blots: any & !made }
    }

    /// The points from which a checker can be moved by this die.
    #[inline]
    fn sources(&self, die: u8) -> u32 {
        // The bar first.
        let from = if self.own & BAR_BIT != 0 { BAR_BIT } else { self.own };
        let beyond = !0 << (die + 1);
        let sources = from & beyond & !(self.blocked << die);
        if self.own & OUTSIDE != 0 {
            return sources;
        }
        // Bearing off: the die's own point, or the highest when all are below it.
        let exact = self.own & (1 << die);
        let highest = if self.own >> die == 0 && self.own != 0 { 1 << (31 - self.own.leading_zeros()) } else { 0 };
        sources | exact | highest
    }

    #[inline]
    fn stepped(&self, from: u8, die: u8) -> State {
        let to = from.saturating_sub(die);
        let mut next = *self;
        next.mover = self.mover.moved(from, to);
        let left = u32::from(next.mover.count(from) != 0) << from;
        next.own = ((self.own & !(1 << from)) | left | 1 << to) & !1;
        if self.blots >> to & 1 != 0 && to != 0 {
            next.other = self.other.moved(BAR - to, BAR);
            next.blots &= !(1 << to);
        }
        next
    }

    #[inline]
    fn board(&self) -> Board {
        Board { mover: self.mover, other: self.other }
    }
}

#[inline]
const fn step(from: u8, die: u8) -> Step {
    Step { from, to: from.saturating_sub(die) }
}

/// The points of a set, the highest first.
#[inline]
fn points(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let point = 31u32.checked_sub(set.leading_zeros())?;
        set &= !(1 << point);
        Some(point as u8)
    })
}

/// Two different dice.
fn two<S: Sink>(start: &State, high: u8, low: u8, sink: &mut S) {
    let first = start.sources(high);
    let second = start.sources(low);
    // By the high die's source: the low die's sources that made a pair with it.
    let mut pairs = [0u32; 26];
    let mut any = false;
    for p in points(first) {
        let between = start.stepped(p, high);
        let play = Play::PASS.with(step(p, high));
        let partners = between.sources(low);
        any |= partners != 0;
        for q in points(partners) {
            if is_known(start, &pairs, p, q, high, low) {
                continue;
            }
            pairs[usize::from(p)] |= 1 << q;
            sink.take(&play.with(step(q, low)), between.stepped(q, low).board());
        }
    }
    for q in points(second) {
        let between = start.stepped(q, low);
        let play = Play::PASS.with(step(q, low));
        let partners = between.sources(high);
        any |= partners != 0;
        for p in points(partners) {
            if pairs[usize::from(p)] >> q & 1 != 0 || is_known(start, &pairs, p, q, high, low) {
                continue;
            }
            pairs[usize::from(p)] |= 1 << q;
            sink.take(&play.with(step(p, high)), between.stepped(p, high).board());
        }
    }
    if !any {
        one(start, first, second, high, low, sink);
    }
}

/// Whether another pair with the same result as (p by the high die, q by the low die) was met before.
#[inline]
fn is_known(start: &State, pairs: &[u32; 26], p: u8, q: u8, high: u8, low: u8) -> bool {
    let has = |p: u8, q: u8| pairs[usize::from(p)] >> q & 1 != 0;
    // One checker runs from q by the low die and then by the high one; it could have been the other way round.
    if q == p + low && q > high {
        let turn = q - high;
        return has(q, turn) && (start.blots >> turn & 1) == 0 && (start.blots >> p & 1) == 0;
    }
    // Both go off: it does not matter by which die.
    p <= high && q <= low && p != q && p <= low && q <= high && has(q, p)
}

/// Only one of two different dice can be played: the higher, if it can.
#[inline]
fn one<S: Sink>(start: &State, first: u32, second: u32, high: u8, low: u8, sink: &mut S) {
    let (sources, die) = if first != 0 { (first, high) } else { (second, low) };
    if sources == 0 {
        return sink.take(&Play::PASS, start.board());
    }
    for p in points(sources) {
        sink.take(&Play::PASS.with(step(p, die)), start.stepped(p, die).board());
    }
}

/// Equal dice, from the rear to the front.
struct Same<'a, S> {
    die: u8,
    /// The most steps that were made so far.
    most: u8,
    sink: &'a mut S,
}

impl<S: Sink> Same<'_, S> {
    fn run(&mut self, start: &State, times: u8) {
        self.walk(start, Play::PASS, BAR, times, 0);
    }

    fn walk(&mut self, state: &State, play: Play, rearmost: u8, left: u8, made: u8) {
        let within = (2u32 << rearmost) - 1;
        let sources = if left == 0 { 0 } else { state.sources(self.die) & within };
        if sources == 0 {
            return self.end(state, &play, made);
        }
        for p in points(sources) {
            self.walk(&state.stepped(p, self.die), play.with(step(p, self.die)), p, left - 1, made + 1);
        }
    }

    #[inline]
    fn end(&mut self, state: &State, play: &Play, made: u8) {
        if made < self.most {
            return;
        }
        if made > self.most {
            self.most = made;
            self.sink.forget();
        }
        self.sink.take(play, state.board());
    }
}
