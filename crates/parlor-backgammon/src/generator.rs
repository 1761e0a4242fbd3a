//! All that can be done with a roll, each result once.
//!
//! With two different dice a result follows from who moves by which die, the *pair* (source of the high die, source of the low
//! die), in whatever order. Two pairs have the same result only when one checker makes both steps and meets nobody on either
//! way, or when both checkers go off. With equal dice a result follows from how many steps begin on each point, and the
//! steps can always be made from the rear to the front. So no result has to be looked for among the others.

use parlor_core::below;
use rand::Rng;

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

    /// As many results as there are points in `sources`: one more step of this die from each of them.
    #[inline]
    fn take_last(&mut self, state: &State, play: &Play, sources: u32, die: u8) {
        for p in points(sources) {
            self.take(&play.with(step(p, die)), state.stepped(p, die).board());
        }
    }

    /// As many results as [`State::pairs`] says: two more steps of this die, the first from one of these points.
    #[inline]
    fn take_pairs(&mut self, state: &State, play: &Play, sources: u32, die: u8, _: u32) {
        for p in points(sources) {
            let last = state.sources_after(p, die, die) & up_to(p);
            if last != 0 {
                self.take_last(&state.stepped(p, die), &play.with(step(p, die)), last, die);
            }
        }
    }
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

    #[inline]
    fn take_last(&mut self, _: &State, _: &Play, sources: u32, _: u8) {
        *self += u64::from(sources.count_ones());
    }

    #[inline]
    fn take_pairs(&mut self, _: &State, _: &Play, _: u32, _: u8, pairs: u32) {
        *self += u64::from(pairs);
    }
}

/// Keeps one play of all, each with the same probability.
struct Chosen<'a, R: ?Sized> {
    rng: &'a mut R,
    play: Play,
    of: u32,
}

impl<R: Rng + ?Sized> Sink for Chosen<'_, R> {
    #[inline]
    fn take(&mut self, play: &Play, _: Board) {
        self.of += 1;
        if below(self.rng, self.of) == 0 {
            self.play = *play;
        }
    }

    fn forget(&mut self) {
        self.of = 0;
    }

    #[inline]
    fn take_last(&mut self, _: &State, play: &Play, sources: u32, die: u8) {
        self.of += sources.count_ones();
        if let Some(p) = points(sources).nth(below(self.rng, self.of) as usize) {
            self.play = play.with(step(p, die));
        }
    }

    #[inline]
    fn take_pairs(&mut self, state: &State, play: &Play, sources: u32, die: u8, pairs: u32) {
        self.of += pairs;
        let mut n = below(self.rng, self.of);
        if n >= pairs {
            return;
        }
        for p in points(sources) {
            let last = state.sources_after(p, die, die) & up_to(p);
            if let Some(q) = points(last).nth(n as usize) {
                self.play = play.with(step(p, die)).with(step(q, die));
                return;
            }
            n -= last.count_ones();
        }
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

    /// One of all plays, each with the same probability, without a list of the others.
    pub fn random_play<R: Rng + ?Sized>(&self, dice: Dice, rng: &mut R) -> Play {
        let mut chosen = Chosen { rng, play: Play::PASS, of: 0 };
        generate(self, dice, &mut chosen);
        chosen.play
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
pub(crate) struct State {
    mover: Side,
    other: Side,
    /// The mover's points and bar.
    own: u32,
    /// Those with two or more checkers.
    made: u32,
    /// Points that the other side holds.
    blocked: u32,
    /// Points where the other side can be hit.
    blots: u32,
}

impl State {
    #[inline]
    fn of(board: &Board) -> State {
        let (made, any) = (flip(board.other.made()), flip(board.other.occupied()));
        let Board { mover, other } = *board;
        State { mover, other, own: mover.occupied(), made: mover.made(), blocked: made, blots: any & !made }
    }

    /// The points from which a checker can be moved by this die.
    #[inline]
    fn sources(&self, die: u8) -> u32 {
        sources(self.own, self.blocked, die)
    }

    /// The points from which a checker can be moved by the second die when one was moved by the first.
    #[inline]
    fn sources_after(&self, from: u8, first: u8, second: u8) -> u32 {
        sources(self.own_after(from, from.saturating_sub(first)), self.blocked, second)
    }

    #[inline]
    fn own_after(&self, from: u8, to: u8) -> u32 {
        ((self.own & !(1 << from)) | (self.made & 1 << from) | 1 << to) & !1
    }

    /// In how many ways two more steps of this die can be made, the first from one of these sources and the second from no
    /// point behind it. Nothing where checkers might be on the bar or be borne off.
    #[inline]
    fn pairs(&self, sources: u32, die: u8) -> Option<u32> {
        if self.own & BAR_BIT != 0 || self.own >> (7 + die) == 0 {
            return None;
        }
        // Two sources, or one twice if two checkers are there, or one checker that goes on from where nobody was.
        let all = sources.count_ones();
        let lone = (sources & !self.made).count_ones();
        let free = !self.own & !(self.blocked << die) & (!0 << (die + 1));
        let going_on = (sources & free << die).count_ones();
        Some(all * (all + 1) / 2 - lone + going_on)
    }

    #[inline]
    fn stepped(&self, from: u8, die: u8) -> State {
        let to = from.saturating_sub(die);
        let mut next = *self;
        next.mover = self.mover.moved(from, to);
        next.own = self.own_after(from, to);
        next.made = (self.made & !(1 << from)) | u32::from(next.mover.is_made(from)) << from | (self.own & 1 << to);
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
fn sources(own: u32, blocked: u32, die: u8) -> u32 {
    // The bar first.
    let from = if own & BAR_BIT != 0 { BAR_BIT } else { own };
    let beyond = !0 << (die + 1);
    let sources = from & beyond & !(blocked << die);
    if own & OUTSIDE != 0 {
        return sources;
    }
    // Bearing off: the die's own point, or the highest when all are below it.
    let exact = own & (1 << die);
    let highest = if own >> die == 0 && own != 0 { 1 << (31 - own.leading_zeros()) } else { 0 };
    sources | exact | highest
}

#[inline]
const fn step(from: u8, die: u8) -> Step {
    Step { from, to: from.saturating_sub(die) }
}

/// The points up to this one.
#[inline]
const fn up_to(point: u8) -> u32 {
    (2 << point) - 1
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

/// Two different dice: the pairs of points from which one checker moves by the high die and one by the low.
struct Pairs {
    high: u8,
    low: u8,
    /// The sources of the high die, and of the low one, before anything is moved.
    firsts: [u32; 2],
    /// By the source of the high die, when that is moved first: the sources of the low die.
    high_first: [u32; 26],
    /// By the source of the low die: the sources of the high die that there are only when the low one is moved first.
    low_first: [u32; 26],
}

impl Pairs {
    #[inline]
    fn of(start: &State, high: u8, low: u8) -> Pairs {
        let firsts = [start.sources(high), start.sources(low)];
        let mut pairs = Pairs { high, low, firsts, high_first: [0; 26], low_first: [0; 26] };
        for p in points(firsts[0]) {
            let mut partners = start.sources_after(p, high, low);
            let suspects = 1 << (p + low) | if p <= low { up_to(low) } else { 0 };
            for q in points(partners & suspects) {
                partners &= !(u32::from(pairs.knows(start, p, q)) << q);
            }
            pairs.high_first[usize::from(p)] = partners;
        }
        for q in points(firsts[1]) {
            // What the high die could do at first it can do still, and was counted.
            let mut partners = start.sources_after(q, low, high) & !firsts[0];
            for p in points(partners) {
                partners &= !(u32::from(pairs.knows(start, p, q)) << p);
            }
            pairs.low_first[usize::from(q)] = partners;
        }
        pairs
    }

    /// Whether another pair with the same result as (p by the high die, q by the low die) was met before.
    #[inline]
    fn knows(&self, start: &State, p: u8, q: u8) -> bool {
        let has = |p: u8, q: u8| self.high_first[usize::from(p)] >> q & 1 != 0;
        // One checker runs from q by the low die and then by the high one; it could have been the other way round.
        if q == p + self.low && q > self.high {
            let turn = q - self.high;
            return has(q, turn) && start.blots & (1 << turn | 1 << p) == 0;
        }
        // Both go off: it does not matter by which die.
        p <= self.low && q <= self.low && p != q && has(q, p)
    }

    /// Tells all results; whether there was one.
    #[inline]
    fn tell<S: Sink>(&self, start: &State, sink: &mut S) -> bool {
        let mut any = false;
        let mut halves = |from: u32, sets: &[u32; 26], die: u8, with: u8| {
            for p in points(from) {
                let partners = sets[usize::from(p)];
                if partners != 0 {
                    any = true;
                    sink.take_last(&start.stepped(p, die), &Play::PASS.with(step(p, die)), partners, with);
                }
            }
        };
        halves(self.firsts[0], &self.high_first, self.high, self.low);
        halves(self.firsts[1], &self.low_first, self.low, self.high);
        any
    }

    /// Who can move when only one of the dice can be played, and which: the higher, if it can.
    fn single(&self) -> (u32, u8) {
        if self.firsts[0] != 0 { (self.firsts[0], self.high) } else { (self.firsts[1], self.low) }
    }
}

/// Two different dice.
#[inline]
fn two<S: Sink>(start: &State, high: u8, low: u8, sink: &mut S) {
    let pairs = Pairs::of(start, high, low);
    if pairs.tell(start, sink) {
        return;
    }
    let (sources, die) = pairs.single();
    if sources == 0 {
        return sink.take(&Play::PASS, start.board());
    }
    sink.take_last(start, &Play::PASS, sources, die);
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
        let sources = state.sources(self.die) & up_to(rearmost);
        if left == 2
            && let Some(pairs @ 1..) = state.pairs(sources, self.die)
        {
            if self.counts(made + 2) {
                self.sink.take_pairs(state, &play, sources, self.die, pairs);
            }
        } else if left > 1 && sources != 0 {
            for p in points(sources) {
                self.walk(&state.stepped(p, self.die), play.with(step(p, self.die)), p, left - 1, made + 1);
            }
        } else if sources != 0 && self.counts(made + 1) {
            self.sink.take_last(state, &play, sources, self.die);
        } else if sources == 0 && self.counts(made) {
            self.sink.take(&play, state.board());
        }
    }

    /// Whether so many steps are as many as were made so far. What was shorter is forgotten.
    #[inline]
    fn counts(&mut self, made: u8) -> bool {
        if made > self.most {
            self.most = made;
            self.sink.forget();
        }
        made == self.most
    }
}
