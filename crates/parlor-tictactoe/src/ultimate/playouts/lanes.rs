//! One game per lane: plain loops over arrays of 16-bit words, written so that the compiler turns each into vector
//! instructions. There are no branches and no tables in them; sums wrap, because a check for overflow would be a branch.

use parlor_core::{Position, Seat};

use super::super::{ALL, Game};
use super::Tally;

/// Games side by side: two of the widest registers full, so that one works while the other waits.
const N: usize = 64;
/// The most games of one deal: a lane's plies must fit into 16 bits.
pub const MOST: u32 = N as u32 * (u16::MAX as u32 / 81);

type Word = [u16; N];

/// A position as single words.
#[derive(Clone, Copy)]
struct Start {
    x: [u16; 9],
    o: [u16; 9],
    won: [u16; 2],
    closed: u16,
    playable: u16,
    /// All ones when X is to move, otherwise 0.
    x_moves: u16,
}

/// The games, lane by lane, and what has come of them.
#[repr(align(64))]
pub struct Lanes {
    x: [Word; 9],
    o: [Word; 9],
    won: [Word; 2],
    closed: Word,
    /// The boards in which the mover may play; 0 when the lane rests.
    playable: Word,
    x_moves: Word,
    /// Lanes whose game was ended by the last move: all ones.
    ended: Word,
    /// Games still to be begun.
    to_come: Word,
    plies: Word,
    won_x: Word,
    won_o: Word,
    drawn: Word,
    /// The state of the generators, and 24 random bits for each lane: eight below, sixteen above.
    random: [[u32; N]; 2],
    low: Word,
    high: Word,
    start: Start,
    open: bool,
    count: bool,
}

impl Lanes {
    /// Lanes for games from a position that is not over.
    pub fn new(game: &Game, seed: u64) -> Lanes {
        let marks = |seat| std::array::from_fn(|board| game.marks(seat, board as u8));
        let start = Start {
            x: marks(Seat::FIRST),
            o: marks(Seat::SECOND),
            won: [game.won(Seat::FIRST), game.won(Seat::SECOND)],
            closed: game.closed(),
            playable: game.playable(),
            x_moves: mask(game.turn().seat() == Some(Seat::FIRST)),
        };
        let zero = [0; N];
        Lanes {
            x: [zero; 9],
            o: [zero; 9],
            won: [zero; 2],
            closed: zero,
            playable: zero,
            x_moves: zero,
            ended: zero,
            to_come: zero,
            plies: zero,
            won_x: zero,
            won_o: zero,
            drawn: zero,
            random: seeded(seed),
            low: zero,
            high: zero,
            start,
            open: game.rules().open,
            count: game.rules().count,
        }
    }

    /// Deals games, at most [`MOST`], evenly to the lanes: which lane plays how many must not depend on how long they last.
    pub fn deal(&mut self, games: u32) {
        for (lane, to_come) in self.to_come.iter_mut().enumerate() {
            *to_come = (games as usize + N - 1 - lane).wrapping_div(N) as u16;
        }
        self.ended = [u16::MAX; N];
        self.renew();
    }

    /// Adds what came out since the last time.
    pub fn collect(&mut self, tally: &mut Tally) {
        let sum = |word: &mut Word| {
            std::mem::replace(word, [0; N])
                .into_iter()
                .map(u64::from)
                .sum::<u64>()
        };
        tally.x += sum(&mut self.won_x);
        tally.o += sum(&mut self.won_o);
        tally.draws += sum(&mut self.drawn);
        tally.plies += sum(&mut self.plies);
    }

    /// Plays until every lane rests.
    #[inline(always)]
    pub fn play(&mut self) {
        while self.playable.iter().fold(0, |any, playable| any | playable) != 0 {
            self.draw();
            if self.open {
                self.ply::<true>()
            } else {
                self.ply::<false>()
            }
            if self.ended.iter().fold(0, |any, ended| any | ended) != 0 {
                self.tally();
                self.renew();
            }
        }
    }

    /// The next random numbers: xoroshiro64*, one generator per lane.
    #[inline(always)]
    fn draw(&mut self) {
        let [first, second] = &mut self.random;
        for lane in 0..N {
            let (a, b) = (first[lane], second[lane]);
            let value = a.wrapping_mul(0x9E37_79BB);
            let b = a ^ b;
            first[lane] = a.rotate_left(26) ^ b ^ (b << 9);
            second[lane] = b.rotate_left(13);
            self.high[lane] = (value >> 16) as u16;
            self.low[lane] = value as u16 >> 8;
        }
    }

    /// One move in every lane that does not rest.
    #[inline(always)]
    fn ply<const OPEN: bool>(&mut self) {
        for lane in 0..N {
            let (playable, mover) = (self.playable[lane], self.x_moves[lane]);
            let mut upto = [0; 9];
            let mut moves = 0_u16;
            for (b, upto) in upto.iter_mut().enumerate() {
                let empty = !(self.x[b][lane] | self.o[b][lane]) & ALL;
                let counted = if playable & 1 << b != 0 { empty } else { 0 };
                moves = moves.wrapping_add(counted.count_ones() as u16);
                *upto = moves;
            }
            let n = scaled(self.high[lane], self.low[lane], moves);

            // The board that the n-th move is in, with its marks.
            let (mut x, mut o, mut board, mut before) = (0, 0, 0, 0);
            let (mut below, mut earlier) = (0, 0);
            for (b, &upto) in upto.iter().enumerate() {
                let within = mask(n < upto);
                let here = within & !earlier;
                earlier = within;
                x |= here & self.x[b][lane];
                o |= here & self.o[b][lane];
                board |= here & 1 << b;
                before |= here & below;
                below = upto;
            }
            let rests = mask(playable == 0);
            let square = nth(!(x | o) & ALL, n.wrapping_sub(before)) & !rests;
            let by_x = square & mover;
            let by_o = square & !mover;
            for b in 0..9 {
                let here = mask(board & 1 << b != 0);
                self.x[b][lane] |= here & by_x;
                self.o[b][lane] |= here & by_o;
            }

            // What it does to its board, to the nine and to the game.
            let own = (x & mover | o & !mover) | square;
            let full = mask((x | o | square) == ALL);
            let line = has_line(own);
            let won = [self.won[0][lane], self.won[1][lane]];
            let closed = self.closed[lane];
            let fresh = board & line & !(closed | won[0] | won[1]);
            let won = [won[0] | fresh & mover, won[1] | fresh & !mover];
            let closed = closed | board & if OPEN { full } else { line | full };
            self.won[0][lane] = won[0];
            self.won[1][lane] = won[1];
            self.closed[lane] = closed;
            let all_decided = mask((closed | won[0] | won[1]) == ALL);
            let over = has_line(won[0] & mover | won[1] & !mover) | all_decided;
            let next = if closed & square != 0 {
                ALL & !closed
            } else {
                square
            };
            self.ended[lane] = over & !rests;
            self.playable[lane] = next & !over & !rests;
            self.x_moves[lane] = !mover;
            self.plies[lane] = self.plies[lane].wrapping_add(1 & !rests);
        }
    }

    /// Counts the games that ended.
    #[inline(always)]
    fn tally(&mut self) {
        let count = mask(self.count);
        for lane in 0..N {
            let (x, o) = (self.won[0][lane], self.won[1][lane]);
            let (x_line, o_line) = (has_line(x), has_line(o));
            let counts = count & !(x_line | o_line);
            let x_more = counts & mask(x.count_ones() > o.count_ones());
            let o_more = counts & mask(x.count_ones() < o.count_ones());
            let ended = self.ended[lane] & 1;
            let by_x = ended & (x_line | x_more);
            let by_o = ended & (o_line | o_more);
            self.won_x[lane] = self.won_x[lane].wrapping_add(by_x);
            self.won_o[lane] = self.won_o[lane].wrapping_add(by_o);
            self.drawn[lane] = self.drawn[lane].wrapping_add(ended & !(by_x | by_o));
        }
    }

    /// Begins a new game in every lane whose game has ended, as long as it has games to come.
    #[inline(always)]
    fn renew(&mut self) {
        let start = self.start;
        for lane in 0..N {
            let renew = self.ended[lane] & mask(self.to_come[lane] != 0);
            for b in 0..9 {
                self.x[b][lane] = pick(renew, start.x[b], self.x[b][lane]);
                self.o[b][lane] = pick(renew, start.o[b], self.o[b][lane]);
            }
            self.won[0][lane] = pick(renew, start.won[0], self.won[0][lane]);
            self.won[1][lane] = pick(renew, start.won[1], self.won[1][lane]);
            self.closed[lane] = pick(renew, start.closed, self.closed[lane]);
            self.playable[lane] = pick(renew, start.playable, self.playable[lane]);
            self.x_moves[lane] = pick(renew, start.x_moves, self.x_moves[lane]);
            self.to_come[lane] = self.to_come[lane].wrapping_sub(renew & 1);
        }
    }
}

/// All ones or nothing.
#[inline(always)]
const fn mask(yes: bool) -> u16 {
    if yes { u16::MAX } else { 0 }
}

#[inline(always)]
const fn pick(mask: u16, yes: u16, no: u16) -> u16 {
    yes & mask | no & !mask
}

/// `below * r / 2^24` for the random number `r` of 24 bits, `below` at most 81, in 16-bit steps.
#[inline(always)]
const fn scaled(high: u16, low: u16, below: u16) -> u16 {
    let carried = low.wrapping_mul(below) >> 8;
    let carried = (high & 0xff).wrapping_mul(below).wrapping_add(carried) >> 8;
    (high >> 8).wrapping_mul(below).wrapping_add(carried) >> 8
}

/// The `n`-th member of a set of nine, as a set.
#[inline(always)]
const fn nth(set: u16, n: u16) -> u16 {
    let first = (set & 7).count_ones() as u16;
    let second = (set & 0o77).count_ones() as u16;
    let in_first = mask(n < first);
    let in_third = mask(n >= second);
    let in_second = !(in_first | in_third);
    let row = set & in_first | set >> 3 & in_second | set >> 6 & in_third;
    let n = n.wrapping_sub(first & in_second | second & in_third);
    let left = row & 1;
    let middle = row >> 1 & 1;
    let bit = if n < left {
        1
    } else if n < left.wrapping_add(middle) {
        2
    } else {
        4
    };
    bit & in_first | bit << 3 & in_second | bit << 6 & in_third
}

/// Whether a set of nine has a line: all ones or nothing.
#[inline(always)]
const fn has_line(set: u16) -> u16 {
    let rows = set & set >> 1 & set >> 2 & 0o111;
    let columns = set & set >> 3 & set >> 6 & 0o007;
    let falling = set & set >> 4 & set >> 8 & 1;
    let rising = set >> 2 & set >> 4 & set >> 6 & 1;
    mask(rows | columns | falling | rising != 0)
}

/// A state for every generator, none of them zero: SplitMix64 from the seed.
fn seeded(seed: u64) -> [[u32; N]; 2] {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let value = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let value = (value ^ value >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        value ^ value >> 31
    };
    let states: [u64; N] = std::array::from_fn(|_| match next() {
        0 => next(),
        value => value,
    });
    [
        states.map(|state| state as u32),
        states.map(|state| (state >> 32) as u32),
    ]
}
