//! Exact play near the end: alpha-beta to the bottom, with the three values there are.

use super::state::{After, FREE, State, Step, has_line};
use crate::Budget;

/// With more empty squares than this on open boards, no proof is tried.
const ROOM: u32 = 24;
/// How many positions of a proof count as one node of a budget; they are that much cheaper.
const POSITIONS: u64 = 8;
/// After this many nodes a proof is given up.
const NODES: u64 = 4_000;
/// The table has two to the power of this many entries.
const TABLE_BITS: u32 = 15;

/// What is known about a position: its value for the seat on turn, -1, 0 or 1, is neither below nor above these.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    lower: i8,
    upper: i8,
}

/// A search for proof, and what it remembers.
#[derive(Default)]
pub(super) struct Prover {
    table: Vec<Entry>,
    positions: u64,
}

/// The budget was spent.
struct Spent;

impl Prover {
    /// A move that is proven to be best, and its value, when the position is near enough to its end. Also returns the nodes
    /// that it took.
    pub(super) fn prove(
        &mut self,
        state: &State,
        budget: &mut dyn Budget,
    ) -> (Option<(Step, i8)>, u64) {
        if state.room() > ROOM {
            return (None, 0);
        }
        if self.table.is_empty() {
            self.table = vec![Entry::default(); 1 << TABLE_BITS];
        }
        self.positions = 0;
        let proven = self.best(state, budget).ok().flatten();
        (proven, self.positions.div_ceil(POSITIONS))
    }

    fn best(
        &mut self,
        state: &State,
        budget: &mut dyn Budget,
    ) -> Result<Option<(Step, i8)>, Spent> {
        let mut best = None;
        for (_, step) in ordered(state) {
            let worst = best.map_or(-1, |(_, value)| value);
            if worst == 1 {
                break;
            }
            let mut child = *state;
            let value = match child.play(step) {
                After::Won => 1,
                After::Drawn => 0,
                After::Open => -self.value(&child, -1, -worst, budget)?,
            };
            if best.is_none() || value > worst {
                best = Some((step, value));
            }
        }
        Ok(best)
    }

    /// The value for the seat on turn, exact when it lies between the bounds.
    fn value(
        &mut self,
        state: &State,
        mut lower: i8,
        mut upper: i8,
        budget: &mut dyn Budget,
    ) -> Result<i8, Spent> {
        if state.winning().is_some() {
            return Ok(1);
        }
        // Who cannot make a line of boards any more cannot win.
        let side = usize::from(state.side);
        let can_win = |side: usize| has_line(state.won[side] | state.live());
        (lower, upper) = (
            lower.max(if can_win(side ^ 1) { -1 } else { 0 }),
            upper.min(i8::from(can_win(side))),
        );
        if lower >= upper {
            return Ok(lower.min(upper));
        }
        self.positions += 1;
        if self.positions.is_multiple_of(POSITIONS) {
            let nodes = self.positions / POSITIONS;
            if nodes >= NODES || budget.spent(nodes) {
                return Err(Spent);
            }
        }
        let key = key(state);
        let place = (key >> (64 - TABLE_BITS)) as usize;
        let known = self.table[place];
        let mut entry = Entry {
            key,
            lower: -1,
            upper: 1,
        };
        if known.key == key {
            entry = known;
            (lower, upper) = (lower.max(known.lower), upper.min(known.upper));
            if lower >= upper {
                return Ok(if known.lower >= upper {
                    known.lower
                } else {
                    known.upper
                });
            }
        }
        let (floor, mut best) = (lower, -1);
        for (_, step) in ordered(state) {
            let mut child = *state;
            let value = match child.play(step) {
                After::Won => 1,
                After::Drawn => 0,
                After::Open => -self.value(&child, -upper, -lower, budget)?,
            };
            best = best.max(value);
            lower = lower.max(best);
            if lower >= upper {
                break;
            }
        }
        if best > floor {
            entry.lower = best;
        }
        if best < upper {
            entry.upper = best;
        }
        self.table[place] = entry;
        Ok(best)
    }
}

/// The moves, those first that leave the other least to choose from; won boards come before others.
fn ordered(state: &State) -> Vec<(i32, Step)> {
    let score = |step: Step| {
        let mut child = *state;
        let end = child.play(step);
        let wins = child.won[usize::from(state.side)].count_ones()
            - state.won[usize::from(state.side)].count_ones();
        let free = if child.target == FREE {
            20
        } else {
            child.empty(usize::from(child.target)).count_ones() as i32
        };
        (
            free - 15 * wins as i32 - if end == After::Won { 100 } else { 0 },
            step,
        )
    };
    let mut steps: Vec<(i32, Step)> = state.steps().map(score).collect();
    steps.sort_unstable();
    steps
}

/// A number for a position; two positions share one hardly ever.
fn key(state: &State) -> u64 {
    let mix =
        |sum: u64, word: u64| (sum.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let pack = |marks: &[u16]| marks.iter().fold(0, |all, &m| all << 9 | u64::from(m));
    let words = state
        .marks
        .iter()
        .flat_map(|marks| [pack(&marks[..5]), pack(&marks[5..])]);
    let key = words.fold(u64::from(state.target) << 1 | u64::from(state.side), mix);
    mix(key ^ key >> 29, 1) | 1
}
