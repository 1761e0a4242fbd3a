//! Fast evaluation of the net: one precomputed row of integers for every content of a board, ready
//! to be added.

use super::features::{self, OWNERS, PER_BOARD, WHICH};
use super::net::{NARROW, UltimateNet, WIDTH, add, squash};
use super::state::{ALL, FREE, GameStatus, MoveCode, UltimateState, bits, completing, has_line};

/// Fixed-point one in a row.
const ONE: f32 = 256.0;

/// Contribution of one fact about a position to the first layer.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct WeightRow([i16; WIDTH]);

impl WeightRow {
    fn from_weights(weights: &[f32; WIDTH]) -> WeightRow {
        WeightRow(weights.map(|w| (w * ONE).round().clamp(-32767.0, 32767.0) as i16))
    }

    #[inline]
    fn add(&mut self, other: &WeightRow) {
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(to, w)| *to = to.wrapping_add(*w));
    }

    #[inline]
    fn remove(&mut self, other: &WeightRow) {
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(to, w)| *to = to.wrapping_sub(*w));
    }
}

/// Kinds of rows for the contents of a board; the first nine are the boards themselves.
const MINE_DECIDES: usize = 9;
const THEIRS_DECIDES: usize = 10;
const TARGET: usize = 11;
const TARGET_MINE_DECIDES: usize = 12;
const TARGET_THEIRS_DECIDES: usize = 13;
const KINDS: usize = 14;

/// Lookup tables made from a net.
pub(super) struct UltimateEvaluator {
    /// For each pair of marks in base 3, its index among the contents of undecided boards.
    number: Vec<u16>,
    base3: Box<[u16; 512]>,
    contents: usize,
    /// Rows by kind and content; there are [`KINDS`] kinds.
    boards: Vec<WeightRow>,
    which: [WeightRow; 10],
    owners: Vec<WeightRow>,
    bias: WeightRow,
    middle: [[i16; WIDTH]; NARROW],
    middle_bias: [f32; NARROW],
    output: [f32; NARROW],
    output_bias: f32,
}

/// Evaluation of a move before it is searched, from the side of its mover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum MoveEvaluation {
    /// The game goes on; value by the net.
    Value(f32),
    /// The move wins at once.
    Won,
    /// The move ends the game without a winner.
    Drawn,
    /// The opponent can win at once.
    Lost,
}

impl UltimateEvaluator {
    pub(super) fn new(net: &UltimateNet) -> UltimateEvaluator {
        let base3: Box<[u16; 512]> = Box::new(std::array::from_fn(|marks| {
            bits(marks as u16)
                .map(|square| 3u16.pow(square as u32))
                .sum()
        }));
        let mut number = vec![u16::MAX; 19_683];
        let mut contents = Vec::new();
        for mine in 0..=ALL {
            for theirs in (0..=ALL).filter(|theirs| theirs & mine == 0) {
                if !has_line(mine) && !has_line(theirs) && mine | theirs != ALL {
                    number
                        [usize::from(base3[usize::from(mine)] + 2 * base3[usize::from(theirs)])] =
                        contents.len() as u16;
                    contents.push((mine, theirs));
                }
            }
        }
        let starts = (0..9).map(|board| features::BOARDS + board * PER_BOARD);
        let others = [
            features::MINE_DECIDES,
            features::THEIRS_DECIDES,
            features::TARGET,
            features::TARGET_MINE_DECIDES,
            features::TARGET_THEIRS_DECIDES,
        ];
        let mut boards = Vec::with_capacity(KINDS * contents.len());
        for start in starts.chain(others) {
            for &(mine, theirs) in &contents {
                let mut sum = [0.0; WIDTH];
                features::each_board_feature(mine, theirs, |feature| {
                    add(&mut sum, &net.input[start + feature])
                });
                boards.push(WeightRow::from_weights(&sum));
            }
        }
        UltimateEvaluator {
            number,
            base3,
            contents: contents.len(),
            boards,
            which: std::array::from_fn(|which| WeightRow::from_weights(&net.input[WHICH + which])),
            owners: net.input[OWNERS..]
                .iter()
                .map(WeightRow::from_weights)
                .collect(),
            bias: WeightRow::from_weights(&net.input_bias),
            middle: net.middle.map(|row| WeightRow::from_weights(&row).0),
            middle_bias: net.middle_bias,
            output: net.output,
            output_bias: net.output_bias,
        }
    }

    #[inline]
    fn number(&self, (mine, theirs): (u16, u16)) -> usize {
        let base3 = |marks: u16| self.base3[usize::from(marks & ALL)];
        usize::from(self.number[usize::from(base3(mine) + 2 * base3(theirs))])
    }

    #[inline]
    fn row(&self, kind: usize, number: usize) -> &WeightRow {
        &self.boards[kind * self.contents + number]
    }

    /// Computes the value for the seat on turn from the sums of the first layer.
    #[inline]
    fn finish(&self, sum: &WeightRow) -> f32 {
        let first = sum.0.map(|x| x.clamp(0, ONE as i16));
        let mut value = self.output_bias;
        for ((weights, bias), out) in self.middle.iter().zip(&self.middle_bias).zip(&self.output) {
            let x: i32 = weights
                .iter()
                .zip(&first)
                .map(|(&w, &x)| i32::from(w) * i32::from(x))
                .sum();
            value += out * (x as f32 * (1.0 / (ONE * ONE)) + bias).clamp(0.0, 1.0);
        }
        squash(value)
    }

    /// Evaluates a position that is not over, for the seat on turn.
    pub(super) fn evaluate(&self, state: &UltimateState) -> f32 {
        let view = BaseSums::new(self, state);
        let mut sum = view.base;
        sum.add(&view.target(state.target, |board| self.number(state.pair(board))));
        self.finish(&sum)
    }

    /// Calls `each` with the evaluation of every legal move.
    pub(super) fn evaluate_moves(
        &self,
        state: &UltimateState,
        mut each: impl FnMut(MoveCode, MoveEvaluation),
    ) {
        // The position as the opponent sees it, who is on turn after each move.
        let mut turned = *state;
        turned.side ^= 1;
        let view = BaseSums::new(self, &turned);
        let mut targets: [Option<WeightRow>; 10] = [None; 10];
        for board in bits(state.playable()) {
            let (theirs, mine) = turned.pair(board);
            let mut without = view.base;
            view.board(board, self.number((theirs, mine)), |row| {
                without.remove(row)
            });
            for square in bits(state.empty(board)) {
                let step = super::state::step(board, square);
                let marks = (theirs, mine | 1 << square);
                if has_line(marks.1) || marks.0 | marks.1 == ALL {
                    each(step, self.decide(state, step));
                    continue;
                }
                let target = if view.live >> square & 1 != 0 {
                    square as u8
                } else {
                    FREE
                };
                let beaten = if square == board {
                    view.mine >> board & 1 != 0
                        && completing(theirs) & !(marks.0 | marks.1) & ALL != 0
                } else {
                    view.can_win(&turned, target, Some((board, square)))
                };
                if beaten {
                    each(step, MoveEvaluation::Lost);
                    continue;
                }
                let number = self.number(marks);
                let mut sum = without;
                view.board(board, number, |row| sum.add(row));
                if square == board {
                    sum.add(&view.target(target, |_| number));
                } else {
                    let place = &mut targets[usize::from(target)];
                    let row = place.get_or_insert_with(|| {
                        view.target(target, |at| self.number(turned.pair(at)))
                    });
                    sum.add(row);
                }
                each(step, MoveEvaluation::Value(-self.finish(&sum)));
            }
        }
    }

    /// Evaluates a move that decides a board: every part of the sum may change.
    fn decide(&self, state: &UltimateState, step: MoveCode) -> MoveEvaluation {
        let mut after = *state;
        match after.play(step) {
            GameStatus::Won => MoveEvaluation::Won,
            GameStatus::Drawn => MoveEvaluation::Drawn,
            GameStatus::Open if after.winning().is_some() => MoveEvaluation::Lost,
            GameStatus::Open => MoveEvaluation::Value(-self.evaluate(&after)),
        }
    }
}

/// Part of the first layer that does not depend on the target.
struct BaseSums<'a> {
    eval: &'a UltimateEvaluator,
    base: WeightRow,
    live: u16,
    /// Boards whose win would win the game for the seat on turn.
    mine: u16,
    /// Boards whose win would win the game for the opponent.
    theirs: u16,
}

impl<'a> BaseSums<'a> {
    fn new(eval: &'a UltimateEvaluator, state: &UltimateState) -> BaseSums<'a> {
        let side = usize::from(state.side);
        let won = (state.won[side], state.won[side ^ 1]);
        let live = state.live();
        let mut view = BaseSums {
            eval,
            base: eval.bias,
            live,
            mine: completing(won.0) & live,
            theirs: completing(won.1) & live,
        };
        let mut base = view.base;
        for board in bits(live) {
            view.board(board, eval.number(state.pair(board)), |row| base.add(row));
        }
        for line in 0..8 {
            base.add(&eval.owners[line * 64 + features::owners(line, won.0, won.1, state.drawn)]);
        }
        view.base = base;
        view
    }

    /// Calls `each` with the rows for a board with these contents.
    #[inline]
    fn board(&self, board: usize, number: usize, mut each: impl FnMut(&WeightRow)) {
        each(self.eval.row(board, number));
        if self.mine >> board & 1 != 0 {
            each(self.eval.row(MINE_DECIDES, number));
        }
        if self.theirs >> board & 1 != 0 {
            each(self.eval.row(THEIRS_DECIDES, number));
        }
    }

    /// Returns the contribution of a target; `number` gives the content index of a board.
    #[inline]
    fn target(&self, target: u8, number: impl Fn(usize) -> usize) -> WeightRow {
        let which = usize::from(target.min(FREE));
        let mut sum = self.eval.which[which];
        if target != FREE {
            let number = number(which);
            sum.add(self.eval.row(TARGET, number));
            if self.mine >> which & 1 != 0 {
                sum.add(self.eval.row(TARGET_MINE_DECIDES, number));
            }
            if self.theirs >> which & 1 != 0 {
                sum.add(self.eval.row(TARGET_THEIRS_DECIDES, number));
            }
        }
        sum
    }

    /// Returns true if the seat on turn in `state` wins at once on the target, after the opponent
    /// has marked `taken`.
    #[inline]
    fn can_win(&self, state: &UltimateState, target: u8, taken: Option<(usize, usize)>) -> bool {
        let boards = if target == FREE {
            self.live
        } else {
            1 << target
        };
        bits(boards & self.mine).any(|board| {
            let (mine, theirs) = state.pair(board);
            let now = taken.map_or(0, |(on, square)| u16::from(on == board) << square);
            completing(mine) & ALL & !(mine | theirs | now) != 0
        })
    }
}
