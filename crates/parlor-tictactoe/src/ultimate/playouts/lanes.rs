//! Vectorized playouts, one game per lane: plain loops over arrays of 16-bit words, written so that
//! the compiler turns each into vector instructions. They contain no branches and no table lookups;
//! sums wrap, because an overflow check would be a branch.

use parlor_core::{Position, Seat};

use super::super::{ALL, Game};
use super::PlayoutTally;

/// Number of games side by side. It fills two of the widest registers, so that one works while the
/// other waits.
const N: usize = 64;
/// Maximum number of games of one deal: a lane's plies must fit into 16 bits.
pub const MAX_GAMES: u32 = N as u32 * (u16::MAX as u32 / 81);

type Word = [u16; N];

/// Position from which all games start, as single words.
#[derive(Clone, Copy)]
struct LaneStart {
    x: [u16; 9],
    o: [u16; 9],
    won: [u16; 2],
    closed: u16,
    playable: u16,
    /// All ones if X is to move, otherwise 0.
    x_moves: u16,
}

/// Games in progress, lane by lane, and their results so far.
#[repr(align(64))]
pub struct Lanes {
    x: [Word; 9],
    o: [Word; 9],
    won: [Word; 2],
    closed: Word,
    /// Boards in which the mover may play; 0 if the lane is idle.
    playable: Word,
    x_moves: Word,
    /// All ones for lanes whose game was ended by the last move.
    ended: Word,
    /// Number of games still to be started.
    remaining: Word,
    plies: Word,
    won_x: Word,
    won_o: Word,
    drawn: Word,
    /// State of the random generators, and 24 random bits for each lane: eight low, sixteen high.
    random: [[u32; N]; 2],
    low: Word,
    high: Word,
    start: LaneStart,
    open: bool,
    count: bool,
}

impl Lanes {
    /// Creates lanes for games from a position that is not over.
    pub fn new(game: &Game, seed: u64) -> Lanes {
        let marks = |seat| std::array::from_fn(|board| game.marks(seat, board as u8));
        let start = LaneStart {
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
            remaining: zero,
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

    /// Distributes games, at most [`MAX_GAMES`], evenly over the lanes. A lane's share must not
    /// depend on how long its games last.
    pub fn deal(&mut self, games: u32) {
        for (lane, remaining) in self.remaining.iter_mut().enumerate() {
            *remaining = (games as usize + N - 1 - lane).wrapping_div(N) as u16;
        }
        self.ended = [u16::MAX; N];
        self.start_games();
    }

    /// Moves the results since the last call into `tally`.
    pub fn collect(&mut self, tally: &mut PlayoutTally) {
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

    /// Plays until every lane is idle.
    #[inline(always)]
    pub fn play(&mut self) {
        while self.playable.iter().fold(0, |any, playable| any | playable) != 0 {
            self.advance_rng();
            if self.open {
                self.ply::<true>()
            } else {
                self.ply::<false>()
            }
            if self.ended.iter().fold(0, |any, ended| any | ended) != 0 {
                self.tally();
                self.start_games();
            }
        }
    }

    /// Advances the random numbers: xoroshiro64*, one generator per lane.
    #[inline(always)]
    fn advance_rng(&mut self) {
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

    /// Plays one move in every lane that is not idle.
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

            // Board and marks that the n-th move falls into.
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
            let idle = mask(playable == 0);
            let square = nth(!(x | o) & ALL, n.wrapping_sub(before)) & !idle;
            let by_x = square & mover;
            let by_o = square & !mover;
            for b in 0..9 {
                let here = mask(board & 1 << b != 0);
                self.x[b][lane] |= here & by_x;
                self.o[b][lane] |= here & by_o;
            }

            // Effect on the board, the nine results and the game.
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
            self.ended[lane] = over & !idle;
            self.playable[lane] = next & !over & !idle;
            self.x_moves[lane] = !mover;
            self.plies[lane] = self.plies[lane].wrapping_add(1 & !idle);
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

    /// Starts a new game in every lane whose game has ended, as long as it has games left.
    #[inline(always)]
    fn start_games(&mut self) {
        let start = self.start;
        for lane in 0..N {
            let start_games = self.ended[lane] & mask(self.remaining[lane] != 0);
            for b in 0..9 {
                self.x[b][lane] = select(start_games, start.x[b], self.x[b][lane]);
                self.o[b][lane] = select(start_games, start.o[b], self.o[b][lane]);
            }
            self.won[0][lane] = select(start_games, start.won[0], self.won[0][lane]);
            self.won[1][lane] = select(start_games, start.won[1], self.won[1][lane]);
            self.closed[lane] = select(start_games, start.closed, self.closed[lane]);
            self.playable[lane] = select(start_games, start.playable, self.playable[lane]);
            self.x_moves[lane] = select(start_games, start.x_moves, self.x_moves[lane]);
            self.remaining[lane] = self.remaining[lane].wrapping_sub(start_games & 1);
        }
    }
}

/// Returns all ones or 0.
#[inline(always)]
const fn mask(yes: bool) -> u16 {
    if yes { u16::MAX } else { 0 }
}

#[inline(always)]
const fn select(mask: u16, yes: u16, no: u16) -> u16 {
    yes & mask | no & !mask
}

/// Computes `below * r / 2^24` in 16-bit steps, for the 24-bit random number `r` and `below` up to
/// 81.
#[inline(always)]
const fn scaled(high: u16, low: u16, below: u16) -> u16 {
    let carried = low.wrapping_mul(below) >> 8;
    let carried = (high & 0xff).wrapping_mul(below).wrapping_add(carried) >> 8;
    (high >> 8).wrapping_mul(below).wrapping_add(carried) >> 8
}

/// Returns the `n`-th member of a set of nine, as a set.
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

/// Returns all ones if a set of nine has a line, otherwise 0.
#[inline(always)]
const fn has_line(set: u16) -> u16 {
    let rows = set & set >> 1 & set >> 2 & 0o111;
    let columns = set & set >> 3 & set >> 6 & 0o007;
    let falling = set & set >> 4 & set >> 8 & 1;
    let rising = set >> 2 & set >> 4 & set >> 6 & 1;
    mask(rows | columns | falling | rising != 0)
}

/// Seeds every generator with SplitMix64, avoiding the all-zero state.
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
